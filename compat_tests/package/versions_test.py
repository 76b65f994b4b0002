# SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
# SPDX-License-Identifier: Apache-2.0
"""Headers and library of the installed reheat have one version, and so have its packages. Headers of another version and this
library are refused: by the linker, or where it sees no library, when the shared object is loaded."""

import argparse
import ctypes
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

import cases

HERE = os.path.dirname(os.path.abspath(__file__))
OPTIONS = None
OTHER = (7, 8, 9)  # differs from reheat's version in each number


def header(prefix):
    return os.path.join(prefix, "include", "reheat", "version.h")


def numbers(prefix):
    with open(header(prefix), encoding="utf-8") as file:
        return tuple(int(number) for number in re.findall(r"^#define REHEAT_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)$", file.read(), re.M))


def needed(version):
    name = "_".join(str(number) for number in version)
    return f"{OPTIONS.machine}_headers_{name}_need_library_{name}"


def write_other_headers(prefix):
    """reheat's headers, which say that they are of the version OTHER."""
    shutil.copytree(os.path.join(OPTIONS.prefix, "include"), os.path.join(prefix, "include"))
    with open(header(prefix), encoding="utf-8") as file:
        text = file.read()
    for name, number in zip(("MAJOR", "MINOR", "PATCH"), OTHER):
        text = re.sub(rf"(_{name}) \d+$", rf"\1 {number}", text, flags=re.M)
    with open(header(prefix), "w", encoding="utf-8") as file:
        file.write(text)


class Versions(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        """The program's object with the installed headers, own.o, and with those of another version, other.o."""
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = folder.name
        cls.pic = "-Xcompiler=-fPIC" if OPTIONS.machine == "cuda" else "-fPIC"
        cls.environment = {**os.environ, "PKG_CONFIG_PATH": os.path.join(OPTIONS.prefix, "lib", "pkgconfig")}
        other = os.path.join(cls.folder, "other")
        write_other_headers(other)
        launcher = os.environ.get(OPTIONS.launcher, "").split()
        for name, prefix in (("own.o", OPTIONS.prefix), ("other.o", other)):
            subprocess.run([*launcher, *OPTIONS.compiler.split(), "-std=c++17", "-c", cls.pic, f"-I{prefix}/include", *cls.flags("--cflags"),
                            os.path.join(HERE, "versions", "program.cu"), "-o", name], cwd=cls.folder, check=True)

    @classmethod
    def run_in_folder(cls, *command):
        return subprocess.run(command, capture_output=True, cwd=cls.folder, env=cls.environment, check=False, text=True, timeout=600)

    @classmethod
    def flags(cls, which):
        return cls.run_in_folder("pkg-config", which, OPTIONS.package).stdout.split()

    def output(self, *command):
        ran = self.run_in_folder(*command)
        self.assertEqual(ran.returncode, 0, f"{command}\n{ran.stdout}{ran.stderr}")
        return ran.stdout

    def link(self, unit, file, *options):
        return self.run_in_folder(OPTIONS.linker, *options, unit, *self.flags("--libs"), "-o", file)

    def test_headers_library_and_packages_have_one_version(self):
        linked = self.link("own.o", "program")
        self.assertEqual(linked.returncode, 0, linked.stderr)
        major, minor, patch = numbers(OPTIONS.prefix)
        number = 100000 * major + 100 * minor + patch
        version = f"{major}.{minor}.{patch}"
        self.assertEqual(self.output("./program"), f"{version} {number} {number}\n")
        self.assertEqual(self.output("pkg-config", "--modversion", OPTIONS.package).strip(), version)
        config = os.path.join(OPTIONS.prefix, "lib", "cmake", "reheat", "reheat-config-version.cmake")
        script = os.path.join(self.folder, "version.cmake")
        with open(script, "w", encoding="utf-8") as file:
            file.write(f'include("{config}")\nmessage("${{PACKAGE_VERSION}}")\n')
        self.assertEqual(self.run_in_folder(OPTIONS.cmake, "-P", script).stderr.strip(), version)

    def test_a_library_of_another_version_is_refused_by_the_linker(self):
        refused = self.link("other.o", "program")
        self.assertNotEqual(refused.returncode, 0)
        self.assertRegex(refused.stderr, rf"undefined reference to .*{needed(OTHER)}")

    def test_a_shared_object_with_a_library_of_another_version_is_refused(self):
        for unit, file in (("own.o", "own.so"), ("other.o", "other.so")):
            complete = self.link(unit, file, "-shared", self.pic, "-Xlinker", "-z", "-Xlinker", "defs")
            by_default = self.link(unit, file, "-shared", self.pic)
            self.assertEqual(by_default.returncode, 0, by_default.stderr)
            path = os.path.join(self.folder, file)
            if unit == "own.o":
                self.assertEqual(complete.returncode, 0, complete.stderr)
                self.assertEqual(ctypes.CDLL(path, os.RTLD_NOW).version_of_the_library() // 100000, numbers(OPTIONS.prefix)[0])
            else:
                self.assertNotEqual(complete.returncode, 0)
                self.assertIn(needed(OTHER), complete.stderr)
                with self.assertRaisesRegex(OSError, needed(OTHER)):
                    ctypes.CDLL(path, os.RTLD_NOW)

    def test_every_symbol_of_the_library_names_the_version(self):
        """So that the dynamic linker, too, never binds a shared object to the library of another version in another one."""
        archive = os.path.join(OPTIONS.prefix, "lib", f"lib{OPTIONS.package.replace('-', '_')}.a")
        symbols = [line for line in self.output("nm", "-gC", "--defined-only", archive).splitlines() if "reheat::" in line]
        self.assertGreater(len(symbols), 30)
        self.assertEqual([line for line in symbols if needed(numbers(OPTIONS.prefix)) not in line], [])


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--machine", required=True, choices=("cuda", "emulated"))
    parser.add_argument("--compiler", required=True, help="with its options; the linker is the same without them")
    parser.add_argument("--prefix", required=True, help="where reheat is installed")
    parser.add_argument("--cmake", required=True)
    parser.add_argument("--expected", type=int, default=0)
    OPTIONS = parser.parse_args()
    gpu = OPTIONS.machine == "cuda"
    OPTIONS.linker = OPTIONS.compiler.split()[0]
    OPTIONS.package = "reheat" if gpu else "reheat-emulated"
    OPTIONS.launcher = "CMAKE_CUDA_COMPILER_LAUNCHER" if gpu else "CMAKE_CXX_COMPILER_LAUNCHER"
    sys.exit(cases.run([Versions], OPTIONS.expected))

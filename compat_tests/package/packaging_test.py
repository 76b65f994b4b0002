# SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
# SPDX-License-Identifier: Apache-2.0
"""Ways to the installed library that are not CMake's package: pkg-config and a Debian package.
And docs/install.md and docs/promises.md: what they show is in the files they name, and the tests that they name are there."""

import argparse
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

import cases

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.normpath(os.path.join(HERE, "..", ".."))
OPTIONS = None


def text_of(*path):
    with open(os.path.join(ROOT, *path), encoding="utf-8") as file:
        return file.read()


def project_version():
    return ".".join(re.findall(r"^#define REHEAT_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)$", text_of("include", "reheat", "version.h"), re.M))


class Packaging(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def run_in_folder(self, *command, **options):
        ran = subprocess.run(command, capture_output=True, cwd=self.folder, check=False, text=True, timeout=600, **options)
        self.assertEqual(ran.returncode, 0, f"{command}\n{ran.stdout}{ran.stderr}")
        return ran.stdout

    def test_install_page_shows_what_is_in_the_files_it_names(self):
        page = text_of("docs", "install.md")
        shown = re.findall(r"^<!-- (\S+) -->\n```\w+\n(.*?)^```$", page, re.M | re.S)
        self.assertEqual(len(shown), page.count("```cmake"), "every piece of CMake names its file")
        for path, lines in shown:
            self.assertIn("\n" + lines, text_of(path), f"docs/install.md shows this as part of {path}")

    def test_install_page_names_tests_that_there_are(self):
        named = set(re.findall(r"`(?:reheat\.package\.)?(\w+)`(?=[,;| ]|$)", "".join(re.findall(r"\| `reheat\.\S.*$", text_of("docs", "install.md"), re.M))))
        cmake = text_of("compat_tests", "package", "CMakeLists.txt")
        there = set(re.findall(r"(?:reheat_consumer_test\(|NAME reheat\.package\.)(\w+)", cmake))
        there |= set(re.search(r"IN ITEMS ([\w ]+)\)", cmake)[1].split())
        self.assertGreater(len(named), 8)
        self.assertEqual(named - there, set())

    def test_pages_name_the_version_that_the_headers_have(self):
        self.assertIn(f"`libreheat-dev_{project_version()}_amd64.deb`", text_of("docs", "install.md"))
        self.assertIn(f"| where | {project_version()} is |", text_of("docs", "versions.md"))

    def test_promises_page_names_tests_that_there_are(self):
        page = text_of("docs", "promises.md")
        sources = ""
        for folder, _, names in os.walk(os.path.join(ROOT, "compat_tests")):
            for name in (name for name in names if name.endswith(".cu")):
                sources += text_of(os.path.relpath(os.path.join(folder, name), ROOT))
        named = set(re.findall(r"`(?:[\w/]+): (\w+)`", page))
        self.assertGreater(len(named), 40)
        self.assertEqual(named - set(re.findall(r"BOOST_AUTO_TEST_CASE\((\w+)", sources)), set())
        suites = set(re.findall(r"`([\w/]+): \w+`", page))
        listed = set(re.findall(r'^ +"?([\w/]+)(?:\|\w+)?"?\)?$', text_of("compat_tests", "sources.cmake"), re.M))
        listed |= set(re.search(r"SUITES ([\w/ ]+)\)", text_of("compat_tests", "cuda_model", "CMakeLists.txt"))[1].split())
        self.assertEqual(suites - listed, set())

    def test_pkg_config(self):
        shutil.copy(os.path.join(HERE, "consumer_emulated", "main.cpp"), os.path.join(self.folder, "program.cpp"))
        command = re.search(r"^g\+\+ .*$", text_of("docs", "install.md"), re.M)[0]
        environment = {**os.environ, "PKG_CONFIG_PATH": os.path.join(OPTIONS.prefix, "lib", "pkgconfig")}
        self.run_in_folder("sh", "-c", command, env=environment)
        self.assertEqual(self.run_in_folder("./program"), "2000 2000\n")
        version = self.run_in_folder("pkg-config", "--modversion", "reheat-emulated", env=environment)
        self.assertEqual(version.strip(), project_version())

    def test_debian_package(self):
        self.run_in_folder(OPTIONS.cpack, "-G", "DEB", "--config", os.path.join(OPTIONS.build, "CPackConfig.cmake"), "-B", "packages")
        (package,) = glob.glob(os.path.join(self.folder, "packages", "*.deb"))
        name, version, depends = (self.run_in_folder("dpkg-deb", "-f", package, field).strip() for field in ("Package", "Version", "Depends"))
        self.assertEqual((name, version), ("libreheat-dev", project_version()))
        self.assertIn("libboost-context-dev", depends)
        self.run_in_folder("dpkg-deb", "-x", package, "unpacked")
        self.run_in_folder(OPTIONS.cmake, "-S", os.path.join(HERE, "consumer_emulated"), "-B", "consumer",
                           f"-DCMAKE_PREFIX_PATH={self.folder}/unpacked/usr", OPTIONS.cccl)
        self.run_in_folder(OPTIONS.cmake, "--build", "consumer")
        self.assertEqual(self.run_in_folder("consumer/consumer"), "2000 2000\n")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--prefix", required=True, help="where reheat is installed")
    parser.add_argument("--build", required=True, help="the build folder, for cpack")
    parser.add_argument("--cmake", required=True)
    parser.add_argument("--cpack", required=True)
    parser.add_argument("--cccl", required=True, help="CMake's option that names the CCCL to use")
    parser.add_argument("--expected", type=int, default=0)
    OPTIONS = parser.parse_args()
    sys.exit(cases.run([Packaging], OPTIONS.expected))

#!/usr/bin/env python3
# SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
# SPDX-License-Identifier: Apache-2.0
"""The steps of `./dev release`, in their order. Each works on the checkout that --source names.

release.py ready                whether HEAD may be released: nothing uncommitted; version, changelog, notes and tag agree
release.py archive              the source archive of HEAD
release.py try --conan PROGRAM  from the archive alone: a consumer, the Debian package and its consumers, the Conan package and its consumers
release.py finish [--untested]  the files with their checksums in build/release, if HEAD is still what was archived
"""

import argparse
import gzip
import hashlib
import os
import pathlib
import re
import shutil
import subprocess
import sys

SOURCE = pathlib.Path(__file__).resolve().parents[2]
UNTESTED = "NOT-TESTED.txt"


class ReleaseError(Exception):
    pass


class Release:
    def __init__(self, source):
        self.source = source
        self.output = source / "build" / "release"
        self.work = source / "build" / "release-work"
        self.artefacts = self.work / "artefacts"
        header = (source / "include" / "reheat" / "version.h").read_text(encoding="utf-8")
        self.version = ".".join(re.findall(r"^#define REHEAT_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)$", header, re.M))
        self.name = f"reheat-{self.version}"
        self.archive_file = self.artefacts / f"{self.name}.tar.gz"

    def git(self, *arguments):
        return subprocess.run(["git", "-C", str(self.source), *arguments], check=True, stdout=subprocess.PIPE).stdout

    def head(self):
        return self.git("rev-parse", "HEAD").decode().strip()

    # ---- ready ----------------------------------------------------------------------------------------------------------

    def ready(self):
        changes = self.git("status", "--porcelain").decode().splitlines()
        if changes:
            raise ReleaseError("a release is made of what is committed; commit these, or remove them:\n" + "\n".join(changes))
        changelog = (self.source / "CHANGELOG.md").read_text(encoding="utf-8")
        newest = next((line for line in changelog.splitlines() if line.startswith("## ")), "no section")
        if not re.fullmatch(rf"## \[{re.escape(self.version)}\] - \d{{4}}-\d\d-\d\d", newest):
            raise ReleaseError(f"include/reheat/version.h says {self.version}, and CHANGELOG.md begins with '{newest}': "
                               f"make it '## [{self.version}] - YEAR-MONTH-DAY', or change the version")
        notes = f"docs/release-notes-{self.version}.md"
        if not (self.source / notes).is_file():
            raise ReleaseError(f"there are no notes for {self.version}: write {notes}")
        tag = self.git("tag", "--list", f"v{self.version}", "--format=%(objectname) %(*objectname)").decode().split()
        if tag and self.head() not in tag:
            raise ReleaseError(f"v{self.version} has been released from another commit, {tag[-1]}: change the version")
        print(f"{self.name}: {self.head()}")

    # ---- archive --------------------------------------------------------------------------------------------------------

    def archive(self):
        """The same bytes for the same commit: git takes times from the commit, and the compressor notes none."""
        for folder in (self.output, self.work):
            shutil.rmtree(folder, ignore_errors=True)
        self.artefacts.mkdir(parents=True)
        tar = self.git("-c", "tar.umask=0022", "archive", "--format=tar", f"--prefix={self.name}/", "HEAD")
        self.archive_file.write_bytes(gzip.compress(tar, 9, mtime=0))
        (self.work / "commit").write_text(self.head(), encoding="utf-8")
        print(f"{self.archive_file}: {self.archive_file.stat().st_size} bytes")

    # ---- try ------------------------------------------------------------------------------------------------------------

    def run(self, *command, output=False, **environment):
        print("+ " + " ".join(str(word) for word in command), flush=True)
        ran = subprocess.run([str(word) for word in command], env={**os.environ, **environment}, cwd=self.work, check=False,
                             stdout=subprocess.PIPE if output else None, text=True)
        if ran.returncode != 0:
            raise ReleaseError(f"{command[0]} failed with {ran.returncode}")
        return ran.stdout

    def expect(self, what, found, expected):
        if found.strip() != expected:
            raise ReleaseError(f"{what}: '{found.strip()}' instead of '{expected}'")

    def consumer(self, folder, *options, runs=True):
        """Builds a project of compat_tests/package, as the archive has it; and runs it, if that needs no GPU."""
        sources = self.work / self.name / "compat_tests" / "package" / folder
        self.run("cmake", "-S", sources, "-B", folder, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", *options)
        self.run("cmake", "--build", folder)
        if runs:
            self.expect(f"the consumer {folder}", self.run(self.work / folder / "consumer", output=True), "2000 2000")

    def try_artefacts(self, conan):
        self.run("tar", "xzf", self.archive_file)
        unpacked = self.work / self.name
        self.consumer("fetch", f"-Dreheat_source={unpacked}", "-DREHEAT_BUILD_GPU=OFF")
        self.try_package(self.make_package(unpacked))
        self.try_conan(unpacked, conan)

    def make_package(self, unpacked):
        """The Debian package, with the libraries for GPU and emulator."""
        without = [f"-DREHEAT_BUILD_{part}=OFF" for part in ("COMPAT_TESTS", "TOOLS", "PERF")]
        self.run("cmake", "-S", unpacked, "-B", "package", "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", "-DREHEAT_BUILD_GPU=ON",
                 "-DREHEAT_BUILD_EMULATED=ON", *without)
        self.run("cmake", "--build", "package")
        seconds = self.git("log", "-1", "--format=%ct").decode().strip()
        self.run("cpack", "-G", "DEB", "--config", "package/CPackConfig.cmake", "-B", "packages", SOURCE_DATE_EPOCH=seconds)
        (package,) = (self.work / "packages").glob("*.deb")
        return pathlib.Path(shutil.copy(package, self.artefacts))

    def try_package(self, package):
        """Installs it below a root of its own."""
        root = self.work / "root"
        records = root / "var" / "lib" / "dpkg"
        for folder in ("info", "updates", "triggers"):
            (records / folder).mkdir(parents=True)
        (records / "status").touch()
        path = f"{os.environ['PATH']}:/usr/sbin:/sbin"
        self.run("fakeroot", "dpkg", f"--root={root}", "--force-depends", "-i", package, PATH=path)
        self.expect("the installed package's version",
                    self.run("dpkg-query", f"--root={root}", "-W", "-f=${Version}", "libreheat-dev", output=True), self.version)
        for name in ("reheat", "reheat-emulated"):
            found = self.run("pkg-config", "--modversion", name, output=True, PKG_CONFIG_PATH=str(root / "usr" / "lib" / "pkgconfig"))
            self.expect(f"pkg-config --modversion {name}", found, self.version)
        self.consumer("consumer_emulated", f"-DCMAKE_PREFIX_PATH={root}/usr")
        self.consumer("consumer_gpu", f"-DCMAKE_PREFIX_PATH={root}/usr", "-DCMAKE_CUDA_ARCHITECTURES=90-real", runs=False)

    def try_conan(self, unpacked, conan):
        """With the system's Boost, which Conan is told of: its own would come from a server of Conan's."""
        probe = subprocess.run(["g++", "-E", "-P", "-x", "c++", "-"], input="#include <boost/version.hpp>\nBOOST_VERSION\n", text=True,
                               stdout=subprocess.PIPE, check=True)
        boost = int(probe.stdout.split()[-1])
        profile = self.work / "system"
        profile.write_text(f"[platform_requires]\nboost/{boost // 100000}.{boost // 100 % 1000}.{boost % 100}\n", encoding="utf-8")
        home = {"CONAN_HOME": str(self.work / "conan")}
        self.run(conan, "profile", "detect", **home)
        self.run(conan, "create", unpacked / "cmake" / "packaging" / "conan", "-pr:a=default", f"-pr:a={profile}", "-o=&:gpu=True",
                 "-o=&:emulated=True", "--no-remote", **home)
        listed = self.run(conan, "list", "reheat/*", "--format=json", output=True, **home)
        if f'"reheat/{self.version}"' not in listed:
            raise ReleaseError(f"Conan has no reheat/{self.version}: {listed}")

    # ---- finish ---------------------------------------------------------------------------------------------------------

    def finish(self, untested):
        self.ready()
        archived = (self.work / "commit").read_text(encoding="utf-8")
        if archived != self.head():
            raise ReleaseError(f"{archived} was archived, and HEAD is {self.head()}: begin again")
        packages = list(self.artefacts.glob(f"libreheat-dev_{self.version}_*.deb"))
        if len(packages) != 1 or not self.archive_file.is_file():
            raise ReleaseError(f"{self.artefacts} has to hold {self.archive_file.name} and one Debian package of {self.version}")
        shutil.rmtree(self.output, ignore_errors=True)
        self.output.mkdir(parents=True)
        sums = []
        for file in sorted([self.archive_file, *packages]):
            shutil.copy(file, self.output)
            sums.append(f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {file.name}\n")
        (self.output / "SHA256SUMS").write_text("".join(sums), encoding="utf-8")
        print("".join(sums), end="")
        if untested:
            text = f"./dev test was not run for these files of {archived}. Do not publish them.\n"
            (self.output / UNTESTED).write_text(text, encoding="utf-8")
            print(f"NOT TESTED: {text}", end="")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("step", choices=("ready", "archive", "try", "finish"))
    parser.add_argument("--source", type=pathlib.Path, default=SOURCE)
    parser.add_argument("--conan", help="the program")
    parser.add_argument("--untested", action="store_true", help="./dev test was not run, and a file beside the others says so")
    chosen = parser.parse_args()
    release = Release(chosen.source.resolve())
    try:
        if chosen.step == "ready":
            release.ready()
        elif chosen.step == "archive":
            release.archive()
        elif chosen.step == "try":
            release.try_artefacts(chosen.conan or parser.error("try needs --conan"))
        else:
            release.finish(chosen.untested)
    except (ReleaseError, subprocess.CalledProcessError) as error:
        print(f"release: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())

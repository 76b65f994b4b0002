# SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
# SPDX-License-Identifier: Apache-2.0
"""The steps of `./dev release`, but for `try`, in small repositories made up here: what is refused, and what comes out."""

import argparse
import os
import pathlib
import subprocess
import sys
import tarfile
import tempfile
import unittest

import cases

RELEASE = pathlib.Path(__file__).resolve().parents[2] / "cmake" / "packaging" / "release.py"
FILES = {
    "include/reheat/version.h": "#define REHEAT_VERSION_MAJOR 1\n#define REHEAT_VERSION_MINOR 2\n#define REHEAT_VERSION_PATCH 3\n",
    "CHANGELOG.md": "# Changelog\n\n## [1.2.3] - 2026-01-31\n\n* all of it\n\n## [1.2.2] - 2026-01-01\n",
    "docs/release-notes-1.2.3.md": "# reheat 1.2.3\n",
    ".gitignore": "/build/\n",
}


class Repository(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.root = self.folder / "root"
        self.root.mkdir()
        self.git("init", "--quiet")
        for name, text in FILES.items():
            self.write(name, text)
        self.commit()

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def git(self, *arguments):
        who = [option for key in ("author", "committer") for option in ("-c", f"{key}.name=a", "-c", f"{key}.email=a@b")]
        return subprocess.run(["git", *who, *arguments], cwd=self.root, check=True, stdout=subprocess.PIPE, text=True).stdout.strip()

    def commit(self):
        self.git("add", "--all")
        self.git("commit", "--quiet", "--message", "all")

    def step(self, *arguments, source=None):
        return subprocess.run([sys.executable, RELEASE, *arguments, "--source", source or self.root], capture_output=True, check=False, text=True)

    def works(self, *arguments, **options):
        ran = self.step(*arguments, **options)
        self.assertEqual((ran.returncode, ran.stderr), (0, ""), ran)
        return ran.stdout

    def refuses(self, *says, step="ready"):
        ran = self.step(step)
        self.assertEqual((ran.returncode, ran.stdout), (1, ""), ran)
        self.assertTrue(ran.stderr.startswith("release: "), ran.stderr)
        for words in says:
            self.assertIn(words, ran.stderr)


class Ready(Repository):
    def test_a_commit_in_order_is_ready(self):
        self.assertEqual(self.works("ready"), f"reheat-1.2.3: {self.git('rev-parse', 'HEAD')}\n")

    def test_a_change_that_is_not_committed_is_refused(self):
        self.write("CHANGELOG.md", FILES["CHANGELOG.md"] + "\n")
        self.refuses("commit these, or remove them", " M CHANGELOG.md")

    def test_a_file_that_git_does_not_know_is_refused(self):
        self.write("new.txt", "")
        self.refuses("?? new.txt")

    def test_a_changelog_of_another_version_is_refused(self):
        self.write("include/reheat/version.h", FILES["include/reheat/version.h"].replace("PATCH 3", "PATCH 4"))
        self.commit()
        self.refuses("version.h says 1.2.4", "begins with '## [1.2.3] - 2026-01-31'", "make it '## [1.2.4] - YEAR-MONTH-DAY'")

    def test_a_changelog_without_a_date_is_refused(self):
        self.write("CHANGELOG.md", FILES["CHANGELOG.md"].replace("[1.2.3] - 2026-01-31", "[Unreleased] (1.2.3)"))
        self.commit()
        self.refuses("begins with '## [Unreleased] (1.2.3)'")

    def test_a_version_without_notes_is_refused(self):
        self.git("rm", "--quiet", "docs/release-notes-1.2.3.md")
        self.commit()
        self.refuses("write docs/release-notes-1.2.3.md")

    def test_a_version_that_another_commit_has_is_refused(self):
        for kind in ([], ["--annotate", "--message", "1.2.3"]):
            self.git("tag", *kind, "v1.2.3")
            self.works("ready")
            self.write("README.md", f"{kind}")
            self.commit()
            self.refuses("v1.2.3 has been released from another commit", self.git("rev-parse", "HEAD~"))
            self.git("tag", "--delete", "v1.2.3")


class Artefacts(Repository):
    def package(self):
        self.write("build/release-work/artefacts/libreheat-dev_1.2.3_amd64.deb", "package")

    def test_the_archive_of_a_commit_is_the_same_in_every_clone(self):
        archives = []
        for name, mask in (("first", 0o022), ("second", 0o077)):
            before = os.umask(mask)
            try:
                clone = self.folder / name
                self.git("clone", "--quiet", str(self.root), str(clone))
                os.utime(clone / "CHANGELOG.md", (1, 1))
                self.works("archive", source=clone)
            finally:
                os.umask(before)
            archives.append(clone / "build" / "release-work" / "artefacts" / "reheat-1.2.3.tar.gz")
        self.assertEqual(archives[0].read_bytes(), archives[1].read_bytes())
        with tarfile.open(archives[0]) as archive:
            files = {member.name for member in archive.getmembers() if member.isfile()}
        self.assertEqual(files, {f"reheat-1.2.3/{name}" for name in FILES})

    def test_what_was_tested_is_published_with_its_checksums(self):
        self.works("archive")
        self.package()
        self.works("finish")
        output = self.root / "build" / "release"
        self.assertEqual(sorted(os.listdir(output)), ["SHA256SUMS", "libreheat-dev_1.2.3_amd64.deb", "reheat-1.2.3.tar.gz"])
        checked = subprocess.run(["sha256sum", "--check", "--strict", "SHA256SUMS"], cwd=output, capture_output=True, check=False, text=True)
        self.assertEqual((checked.returncode, checked.stdout.count(": OK")), (0, 2), checked)

    def test_what_was_not_tested_says_so(self):
        self.works("archive")
        self.package()
        self.assertIn("NOT TESTED: ./dev test was not run", self.works("finish", "--untested"))
        self.assertIn("Do not publish", (self.root / "build" / "release" / "NOT-TESTED.txt").read_text(encoding="utf-8"))
        self.works("finish")
        self.assertFalse((self.root / "build" / "release" / "NOT-TESTED.txt").exists())

    def test_another_commit_than_the_archived_one_is_refused(self):
        self.works("archive")
        self.package()
        archived = self.git("rev-parse", "HEAD")
        self.write("README.md", "later")
        self.commit()
        ran = self.step("finish")
        self.assertEqual(ran.returncode, 1)
        self.assertIn(f"{archived} was archived, and HEAD is {self.git('rev-parse', 'HEAD')}", ran.stderr)
        self.assertFalse((self.root / "build" / "release").exists())

    def test_a_release_without_its_package_is_refused(self):
        self.works("archive")
        ran = self.step("finish")
        self.assertEqual(ran.returncode, 1)
        self.assertIn("one Debian package of 1.2.3", ran.stderr)

    def test_a_new_archive_takes_the_earlier_release_away(self):
        self.works("archive")
        self.package()
        self.works("finish")
        self.works("archive")
        self.assertFalse((self.root / "build" / "release").exists())


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--expected", type=int, default=0)
    sys.exit(cases.run([Ready, Artefacts], parser.parse_args().expected))

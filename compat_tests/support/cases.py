# SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
# SPDX-License-Identifier: Apache-2.0
"""What the tests share: files of a case; running cases and counting them, which fails unless as many as expected ran."""

import json
import os
import subprocess
import tempfile
import unittest


class Files(unittest.TestCase):
    """Cases that write files: each has a folder of its own."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def file(self, name, content):
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="utf-8") as out:
            out.write(content if isinstance(content, str) else json.dumps(content))
        return path


class Program(unittest.TestCase):
    """Cases that call a program where there is no GPU: the one called `name`, at `path`."""

    name = path = ""

    def run_program(self, *arguments):
        environment = {**os.environ, "CUDA_VISIBLE_DEVICES": ""}
        return subprocess.run([self.path, *arguments], capture_output=True, env=environment, timeout=300, check=False, text=True)

    def names(self, *arguments):
        ran = self.run_program("--list", *arguments)
        self.assertEqual((ran.returncode, ran.stderr), (0, ""), ran)
        return ran.stdout.splitlines()

    def refuses(self, *arguments, says):
        ran = self.run_program(*arguments)
        self.assertEqual((ran.returncode, ran.stdout), (2, ""), ran)
        self.assertEqual(ran.stderr.count("\n"), 1, "one line: " + ran.stderr)
        self.assertTrue(ran.stderr.startswith(self.name + ": "), ran.stderr)
        self.assertIn(says, ran.stderr)


def run_one(case, name):
    return run_suite(unittest.TestSuite([case(name)]), 1)


def run(cases, expected):
    return run_suite(unittest.TestSuite(unittest.defaultTestLoader.loadTestsFromTestCase(case) for case in cases), expected)


def run_suite(suite, expected):
    ran = unittest.TextTestRunner().run(suite)
    executed = ran.testsRun - len(ran.skipped)
    print(f"executed {executed}, skipped {len(ran.skipped)}, expected {expected}")
    return 0 if ran.wasSuccessful() and executed == (expected or executed) else 1

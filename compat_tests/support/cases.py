# SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
# SPDX-License-Identifier: Apache-2.0
"""What the tests share: files of a case, calls of scripts and programs, and a way to run cases, which fails unless as many as
expected have run."""

import argparse
import contextlib
import ctypes
import io
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


def call(script, *arguments):
    """Calls the main of a script's module. Exit status, standard output, standard error."""
    output, error = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(output), contextlib.redirect_stderr(error):
        try:
            status = script.main([*arguments])
        except SystemExit as stop:  # argparse, for wrong usage
            status = stop.code
    return status, output.getvalue(), error.getvalue()


class Program(unittest.TestCase):
    """Cases that call a program where there is no GPU: the one called `name`, whose path is `program`."""

    name = program = ""

    def run_program(self, *arguments):
        environment = {**os.environ, "CUDA_VISIBLE_DEVICES": ""}
        command = [os.path.abspath(self.program), *arguments]
        return subprocess.run(command, capture_output=True, env=environment, timeout=300, check=False, text=True)

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


def exported_symbols(nm, path):
    """The names that a shared object exports."""
    listed = subprocess.run([nm, "--dynamic", "--defined-only", path], stdout=subprocess.PIPE, check=True, encoding="utf-8")
    return {line.split()[-1] for line in listed.stdout.splitlines()}


def version_of(path, function):
    """What a function without parameters of a shared object returns: a version, as numbers."""
    version = getattr(ctypes.CDLL(path), function)
    version.restype = ctypes.c_char_p
    return [int(part) for part in version().decode().split(".")]


class Benchmark(Program):
    """Cases of one benchmark. The ones here are the same for every benchmark."""

    def test_filters_that_are_wrong_are_refused(self):
        self.refuses("--list", "--filter", "float128", says='no benchmark\'s name matches "float128"')
        self.refuses("--filter", "(", says='"(" is no regular expression')

    def test_unknown_options_are_refused(self):
        self.refuses("--fulll", says="--help shows the usage")

    def test_without_a_gpu_it_says_so(self):
        self.refuses(says="no CUDA device to measure")


def main(cases, *arguments):
    """Runs the cases. For each of `arguments`, such as "program" and "--nm", their classes get the value on the command line."""
    parser = argparse.ArgumentParser()
    for name in arguments:
        parser.add_argument(name, **({"required": True} if name.startswith("--") else {}))
    parser.add_argument("--expected", type=int, default=0, help="so many cases must run")
    chosen = vars(parser.parse_args())
    expected = chosen.pop("expected")
    for case in cases:
        for name, value in chosen.items():
            setattr(case, name, value)
    return run(cases, expected)


def run_one(case, name):
    return run_suite(unittest.TestSuite([case(name)]), 1)


def run(cases, expected):
    return run_suite(unittest.TestSuite(unittest.defaultTestLoader.loadTestsFromTestCase(case) for case in cases), expected)


def run_suite(suite, expected):
    ran = unittest.TextTestRunner().run(suite)
    executed = ran.testsRun - len(ran.skipped)
    print(f"executed {executed}, skipped {len(ran.skipped)}, expected {expected}")
    return 0 if ran.wasSuccessful() and executed == (expected or executed) else 1

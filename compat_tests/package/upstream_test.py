# SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
# SPDX-License-Identifier: Apache-2.0
"""`./dev upstream`: what it builds from a checkout, here one of a few small files, and what its run.sh says of programs that pass,
fail and crash, here scripts."""

import argparse
import os
import pathlib
import subprocess
import sys

import cases

PROJECT = pathlib.Path(__file__).resolve().parents[2]
UPSTREAM = PROJECT / "compat_tests/upstream"
OPTIONS = None

FRAMEWORK = """#pragma once
bool expect(bool holds);
"""
MAIN = """#include "unittest/testframework.h"
#include <cstdio>
static int failures = 0;
bool expect(bool holds) { failures += !holds; return holds; }
int main() { std::printf("Totals: %d failures, 0 known failures, 0 errors, and 1 passes.\\n", failures); }
"""
REDUCE = """#include <unittest/testframework.h>
#include <thrust/device_ptr.h>
#include <thrust/reduce.h>
int sum(thrust::device_ptr<int> begin, thrust::device_ptr<int> end) { return thrust::reduce(begin, end); }
"""
COUNT = """#include <thrust/count.h>
#include <thrust/device_ptr.h>
long ones(thrust::device_ptr<int> begin, thrust::device_ptr<int> end) { return thrust::count(begin, end, 1); }
"""
CATCH2_MAIN = """#include <cstdio>
int main() { std::puts("All tests passed (2 assertions in 1 test case)"); }
"""
CATCH2_PACKAGE = """add_library(Catch2::Catch2WithMain INTERFACE IMPORTED)
target_sources(Catch2::Catch2WithMain INTERFACE "${CMAKE_CURRENT_LIST_DIR}/main.cpp")
"""
CATCH2_VERSION = """set(PACKAGE_VERSION 3.7)
set(PACKAGE_VERSION_COMPATIBLE TRUE)
"""


class Checkout(cases.Files):
    """A checkout with the toolkit's headers."""

    def setUp(self):
        super().setUp()
        self.checkout = pathlib.Path(self.folder, "checkout")
        self.bundle = pathlib.Path(self.folder, "bundle")
        headers = pathlib.Path(OPTIONS.headers)
        for folder, names in (("thrust", ("thrust",)), ("cub", ("cub",)), ("libcudacxx/include", ("cuda", "nv"))):
            (self.checkout / folder).mkdir(parents=True)
            for name in names:
                (self.checkout / folder / name).symlink_to(headers / name)

    def add(self, name, text):
        path = self.checkout / "thrust/testing" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def add_catch2(self):
        package = pathlib.Path(self.folder, "lib/cmake/Catch2")
        package.mkdir(parents=True)
        for name, text in (("Catch2Config", CATCH2_PACKAGE), ("Catch2ConfigVersion", CATCH2_VERSION)):
            (package / f"{name}.cmake").write_text(text, encoding="utf-8")
        (package / "main.cpp").write_text(CATCH2_MAIN, encoding="utf-8")

    def built(self):
        """The lines of `programs`, by the tests' names."""
        return dict(line.split(" ", 1) for line in (self.bundle / "programs").read_text(encoding="utf-8").splitlines())

    def upstream(self, *tests):
        command = [sys.executable, UPSTREAM / "upstream.py", "--nvcc", OPTIONS.nvcc, "--build", f"{self.folder}/build", "--bundle",
                   self.bundle, f"--flags={OPTIONS.quick} -Xcompiler=-O1", self.checkout, *tests]
        environment = {**os.environ, "CUDAARCHS": "90-virtual", "CMAKE_PREFIX_PATH": self.folder}
        return subprocess.run(command, capture_output=True, check=False, env=environment, text=True, timeout=600)

    def test_tests_are_built_under_the_override_and_what_is_missing_is_named(self):
        self.add("unittest/testframework.h", FRAMEWORK)
        self.add("unittest/testframework.cu", MAIN)
        self.add("reduce.cu", REDUCE)
        self.add("cuda/scan.cu", "#error does not compile\n")
        ran = self.upstream("reduce", "cuda/scan", "scan")
        self.assertEqual(ran.returncode, 0, ran.stdout + ran.stderr)
        lines = self.built()
        self.assertEqual(lines["cuda/scan"], "unbuilt 0 0")
        self.assertEqual(lines["scan"], "absent 0 0")
        state, ours, cubs = lines["reduce"].split()
        self.assertEqual((state, cubs), ("framework", "0"))
        self.assertGreater(int(ours), 0)
        ran = run_bundle(self.bundle, gpu=False)
        self.assertEqual(ran.returncode, 1, "a test does not compile: " + ran.stdout)
        for words in ("error: cuda/scan does not compile\n", "not in this checkout: scan\n", "NOTHING RAN"):
            self.assertIn(words, ran.stdout)
        self.assertIn("\n1 programs, 1 cases passed, 0 failed\n", run_bundle(self.bundle, gpu=True).stdout)

    def test_tests_on_catch2_are_built_and_run(self):
        self.add("unittest/unittest.h", "")
        self.add("catch2_test_count.cu", COUNT)
        self.add_catch2()
        ran = self.upstream("count")
        self.assertEqual(ran.returncode, 0, ran.stdout + ran.stderr)
        state, ours, cubs = self.built()["count"].split()
        self.assertEqual((state, cubs), ("catch2", "0"))
        self.assertGreater(int(ours), 0)
        ran = run_bundle(self.bundle, gpu=True)
        self.assertEqual(ran.returncode, 0, ran.stdout)
        self.assertIn("\n1 programs, 1 cases passed, 0 failed\n", ran.stdout)

    def test_a_folder_that_is_no_checkout_is_refused(self):
        ran = self.upstream("reduce")
        self.assertEqual(ran.returncode, 2, ran.stdout + ran.stderr)
        self.assertIn("is no checkout of CCCL: it has no " + str(self.checkout / "thrust/testing/unittest"), ran.stderr)

    def test_a_checkout_without_any_of_the_tests_is_refused(self):
        self.add("unittest/testframework.cu", MAIN)
        ran = self.upstream("reduce", "scan")
        self.assertEqual(ran.returncode, 2, ran.stdout + ran.stderr)
        self.assertIn("thrust/testing has none of the tests: reduce scan", ran.stderr)

    def test_a_test_that_is_not_in_the_list_is_refused(self):
        self.add("unittest/testframework.cu", MAIN)
        ran = self.upstream("merge")
        self.assertEqual(ran.returncode, 2, ran.stdout + ran.stderr)
        self.assertIn("merge is not in compat_tests/upstream/tests.txt", ran.stderr)


def run_bundle(bundle, gpu):
    """Runs run.sh, where nvidia-smi says that there is a GPU, or that there is none."""
    tools = pathlib.Path(bundle, "tools")
    tools.mkdir(exist_ok=True)
    script(tools / "nvidia-smi", "echo NVIDIA H200" if gpu else "exit 9")
    environment = {**os.environ, "PATH": f"{tools}:{os.environ['PATH']}", "CUDA_VISIBLE_DEVICES": ""}
    command = pathlib.Path(bundle, "run.sh")
    return subprocess.run(command, capture_output=True, check=False, env=environment, text=True, timeout=60)


def script(path, *lines):
    path.write_text("#!/bin/sh\n" + "".join(line + "\n" for line in lines), encoding="utf-8")
    path.chmod(0o755)


def totals(failures, known, errors, passes):
    return f"echo 'Totals: {failures} failures, {known} known failures, {errors} errors, and {passes} passes.'"


class Run(cases.Files):
    """run.sh with scripts as programs."""

    def run_with(self, gpu=True, **programs):
        """programs: name = (its line after the name, the lines of its script)."""
        bundle = pathlib.Path(self.folder)
        lines = ["CCCL 3.0.1"]
        for name, (line, commands) in programs.items():
            lines.append(f"{name} {line}")
            script(bundle / name, *commands)
        self.file("programs", "".join(line + "\n" for line in lines))
        (bundle / "run.sh").write_bytes((UPSTREAM / "run.sh").read_bytes())
        (bundle / "run.sh").chmod(0o755)
        ran = run_bundle(bundle, gpu)
        rows = {words[0]: words[1:] for words in map(str.split, ran.stdout.splitlines()) if words and words[0] in programs}
        return ran, rows

    def test_cases_of_both_frameworks_are_counted(self):
        ran, rows = self.run_with(
            count=("framework 30 1", ['test "$*" = --device=0 || exit 5', totals(0, 2, 0, 7)]),
            scan=("catch2 40 0", ["echo 'All tests passed (12 assertions in 3 test cases)'"]),
            logical=("catch2 5 0", ["echo 'All tests passed (1 assertion in 1 test case)'"]),
        )
        self.assertEqual(ran.returncode, 0, ran.stdout)
        self.assertEqual(rows, {"count": ["7", "0", "30", "1"], "scan": ["3", "0", "40", "0"], "logical": ["1", "0", "5", "0"]})
        self.assertIn("CCCL 3.0.1, under reheat/override.cuh, on NVIDIA H200\n", ran.stdout)
        self.assertIn("\n3 programs, 11 cases passed, 0 failed\n", ran.stdout)

    def test_failures_are_reported_with_what_the_program_said(self):
        ran, rows = self.run_with(
            count=("framework 30 0", ["echo 'FAILURE: TestCount'", totals(1, 0, 2, 7), "exit 1"]),
            scan=("catch2 40 0", ["echo 'test cases: 5 | 3 passed | 2 failed'", "exit 2"]),
            logical=("catch2 5 0", ["echo 'test cases: 1 | 1 failed'", "exit 1"]),
            reduce=("framework 9 0", [totals(0, 0, 0, 4)]),
        )
        self.assertEqual(ran.returncode, 1, ran.stdout)
        self.assertEqual({name: row[:2] for name, row in rows.items()},
                         {"count": ["7", "3"], "scan": ["3", "2"], "logical": ["0", "1"], "reduce": ["4", "0"]})
        self.assertIn("FAILURE: TestCount\n", ran.stdout)
        self.assertIn("error: count: 3 cases failed\n", ran.stdout)
        self.assertIn("\n4 programs, 14 cases passed, 6 failed\n", ran.stdout)

    def test_a_program_that_crashes_or_runs_no_case_has_failed(self):
        ran, rows = self.run_with(count=("framework 30 0", ["kill -SEGV $$"]), scan=("framework 3 0", [totals(0, 0, 0, 0)]))
        self.assertEqual(ran.returncode, 1, ran.stdout)
        self.assertEqual(rows["count"][:2], ["0", "1"])
        self.assertIn("count ended with status 139", ran.stdout)
        self.assertIn("error: scan: no case passed\n", ran.stdout)

    def test_a_program_without_reheats_kernels_is_an_error(self):
        ran, _ = self.run_with(count=("framework 0 12", [totals(0, 0, 0, 4)]))
        self.assertEqual(ran.returncode, 1, ran.stdout)
        self.assertIn("error: count has no kernel of reheat's: the override was not applied\n", ran.stdout)

    def test_without_a_gpu_nothing_runs_and_the_status_says_so(self):
        ran, rows = self.run_with(gpu=False, count=("framework 30 0", ["exit 1"]))
        self.assertEqual(ran.returncode, 3, ran.stdout)
        self.assertEqual(rows, {"count": ["-", "-", "30", "0"]})
        self.assertIn("NOTHING RAN: there is no GPU here", ran.stdout)


def main():
    global OPTIONS
    parser = argparse.ArgumentParser()
    parser.add_argument("--nvcc", required=True)
    parser.add_argument("--headers", required=True, help="a folder with thrust, cub, cuda and nv")
    parser.add_argument("--quick", default="", help="options of nvcc")
    parser.add_argument("--expected", type=int, default=0, help="so many cases must run")
    OPTIONS = parser.parse_args()
    return cases.run([Checkout, Run], OPTIONS.expected)


if __name__ == "__main__":
    sys.exit(main())

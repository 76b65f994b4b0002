# SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
# SPDX-License-Identifier: Apache-2.0
"""run.sh, with a script in place of the compat tests: for compute_80, each source file's cases run in a process of their own."""

import argparse
import json
import os
import pathlib
import subprocess
import sys

import cases

HERE = pathlib.Path(__file__).resolve().parent
ALONE = ("policy/gpu", "policy/launches", "policy/neighbours", "policy/stress", "family/large", "scan/large")

# Lists its cases as Boost.Test does, tells when it ran which, and counts them as the compat tests do.
PROGRAM = '''#!/usr/bin/env python3
import json, os, pathlib, sys, time
tree = json.loads(pathlib.Path("tree.json").read_text())
if "--list_content=DOT" in sys.argv:
    ids = {"": "tu1"}
    print('digraph G {rankdir=LR;\\ntu1[shape=ellipse,label="reheat_compat"];', file=sys.stderr)
    for case, file in tree.items():
        words = case.split("/")
        for depth in range(1, len(words) + 1):
            path = "/".join(words[:depth])
            if path not in ids:
                ids[path] = f"tu{len(ids) + 1}"
                print(f'{{\\n{ids[path]}[shape=Mrecord,label="{words[depth - 1]}|../../compat_tests/{file}.cu(7)"];', file=sys.stderr)
                print(f'{ids["/".join(words[:depth - 1])]} -> {ids[path]};\\n}}', file=sys.stderr)
    print("}", file=sys.stderr)
elif "--list_content" in sys.argv:
    told = set()
    for case in tree:
        words = case.split("/")
        for depth in range(1, len(words) + 1):
            path = "/".join(words[:depth])
            if path not in told:
                print(" " * 4 * (depth - 1) + words[depth - 1] + "*", file=sys.stderr)
            told.add(path)
else:
    begin, ran = time.monotonic(), []
    for argument in sys.argv[1:]:
        suite, _, names = argument.removeprefix("--run_test=").rpartition("/")
        ran += [f"{suite}/{name}" for name in names.split(",")]
    if os.environ.get("BROKEN") in ran:
        print("a case is broken")
        sys.exit(201)
    time.sleep(0.1)
    line = {"ran": ran, "jit": os.environ.get("CUDA_FORCE_PTX_JIT"), "begin": begin, "end": time.monotonic()}
    with open("ran", "a") as log:
        log.write(json.dumps(line) + "\\n")
    print(f"\\033[0;39;49mexecuted {len(ran) - (os.environ.get('LOST') in ran)}, skipped 0, expected {len(ran)}")
'''


class Run(cases.Files):
    def run_tests(self, tree, **environment):
        folder = pathlib.Path(self.folder)
        (folder / "run.sh").write_bytes((HERE / "run.sh").read_bytes())
        self.file("reheat_compat_gpu", PROGRAM)
        self.file("reheat_operator_faults_gpu", "#!/bin/sh\n")
        for name in ("run.sh", "reheat_compat_gpu", "reheat_operator_faults_gpu"):
            (folder / name).chmod(0o755)
        self.file("tree.json", tree)
        environment = {**os.environ, "REHEAT_SETS": "compute_80", "REHEAT_PROCESSES": "3", **environment}
        ran = subprocess.run([folder / "run.sh", "tests"], capture_output=True, env=environment, check=False, text=True, timeout=100)
        log = (folder / "ran").read_text(encoding="utf-8").splitlines()
        return ran, [line for line in map(json.loads, log) if line["ran"] != ["policy/launches"]]

    def setUp(self):
        super().setUp()
        # Two suites of one file, one suite of two files, and a suite that is not inside another.
        self.tree = {"family/by_key/sums": "family/segments", "family/by_key/counts": "family/segments",
                     "family/policies/all": "family/segments", "ladder/reduce/words": "ladder/reduce",
                     "ladder/reduce/matrix": "ladder/reduce_matrix", "ladder/reduce/vectors": "ladder/reduce", "large/sums": "scan/large"}
        self.tree |= {f"{file}/a_case": file for file in ALONE if file != "scan/large"}

    def test_each_file_has_a_process_and_each_case_runs_once(self):
        ran, processes = self.run_tests(self.tree)
        self.assertEqual(ran.returncode, 0, ran.stdout + ran.stderr)
        self.assertEqual(sorted(case for line in processes for case in line["ran"]), sorted(self.tree))
        files = [{self.tree[case] for case in line["ran"]} for line in processes]
        self.assertEqual(sorted(len(each) for each in files), [1] * len(set(self.tree.values())))
        self.assertEqual({line["jit"] for line in processes}, {"1"})
        self.assertIn(f"\nexecuted {len(self.tree)} of {len(self.tree)} cases, in 9 processes\n", ran.stdout)

    def test_files_that_take_the_whole_gpu_run_alone(self):
        _, processes = self.run_tests(self.tree)
        overlaps = 0
        for one in processes:
            for other in processes:
                if one is not other and one["begin"] < other["end"] and other["begin"] < one["end"]:
                    overlaps += 1
                    self.assertNotIn(self.tree[one["ran"][0]], ALONE)
        self.assertGreater(overlaps, 0, "the other files run at a time")

    def test_a_failure_is_named_and_shown(self):
        ran, processes = self.run_tests(self.tree, BROKEN="ladder/reduce/matrix")
        self.assertEqual(ran.returncode, 1, ran.stdout)
        self.assertEqual(len(processes), 8, "the others run")
        self.assertRegex(ran.stdout, r"ladder/reduce_matrix.cu +0 of +1 cases, +\d+ s: FAILED with status 201\n")
        self.assertIn("-- ladder/reduce_matrix.cu\na case is broken\n", ran.stdout)
        self.assertIn("\nfailed: compat tests, compute_80\n", ran.stdout)

    def test_a_case_that_was_not_executed_is_missed(self):
        ran, _ = self.run_tests(self.tree, LOST="family/by_key/counts")
        self.assertEqual(ran.returncode, 1, ran.stdout)
        self.assertRegex(ran.stdout, r"family/segments.cu +2 of +3 cases")
        self.assertIn(f"executed {len(self.tree) - 1} of {len(self.tree)} cases, in 9 processes\nerror: cases were lost\n", ran.stdout)

    def test_a_file_that_must_run_alone_and_is_not_there_is_an_error(self):
        self.tree["policy/stress/a_case"] = "policy/pressure"
        ran, _ = self.run_tests(self.tree)
        self.assertEqual(ran.returncode, 1, ran.stdout)
        self.assertIn("error: 5 of the 6 files that are to run alone were found\n", ran.stdout)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--expected", type=int, default=0, help="so many cases must run")
    return cases.run([Run], parser.parse_args().expected)


if __name__ == "__main__":
    sys.exit(main())

# SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
# SPDX-License-Identifier: Apache-2.0
"""concurrency_report.py, on results made up here; and that perf/README.md shows what was recorded."""

import argparse
import contextlib
import glob
import io
import os
import sys

import cases

CONTEXT = {"gpu": "A GPU", "driver": "580.1", "cuda": "13.0", "cccl": "3.0.1", "command": "reheat-concurrency"}


def entry(name, microseconds, **more):
    return {"name": name, "real_time": microseconds, "time_unit": "us", **more}


class ConcurrencyReport(cases.Files):
    def call(self, *arguments):
        out, error = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(error):
            status = concurrency_report.main([*arguments])
        return status, out.getvalue(), error.getvalue()

    def report(self, *entries):
        status, text, error = self.call(self.file("run.json", {"context": CONTEXT, "benchmarks": list(entries)}))
        self.assertEqual((status, error), (0, ""))
        return text

    def test_a_chain_is_taken_apart(self):
        ours = entry("chain/i32/4194304/reheat", 25.0, without_consumer=18.0, producer=5.0)
        theirs = entry("chain/i32/4194304/cub", 24.0, without_consumer=18.5, producer=5.0)
        text = self.report(ours, theirs)
        self.assertIn("| 16 MB | 5.00 | 13.00 | 13.50 | 7.00 | 5.50 | 25.00 | 24.00 | **0.96 ▼** |", text)
        self.assertIn("| 1.00 |", self.report(ours, {**theirs, "real_time": 25.1}))

    def test_a_bystander_stands_beside_itself_alone(self):
        alone = {"alone": 500.0, "pass_alone": 4.0}
        text = self.report(
            entry("bystander/i32/268435456/reheat", 600.0, **{**alone, "pass": 30.0}),
            entry("bystander/i32/268435456/cub", 700.0, **{**alone, "alone": 690.0, "pass": 400.0}),
            entry("bystander_urgent/i32/268435456/reheat", 605.0, **{**alone, "pass": 29.0}),
        )
        self.assertIn("| 1 GB | `reheat` | 500 | 1.000 | 600 (1.20) | 30.00 (7.50) | 605 (1.21) | 29.00 (7.25) |", text)
        self.assertIn("| 1 GB | `cub` | 690 | 1.380 | 700 (1.01) | 400 (100.00) |  |  |", text)

    def test_latencies_are_by_probe(self):
        text = self.report(
            entry("latency/i32/1073741824/one_block/reheat", 20.4, p95=30.6, max=99.0),
            entry("latency/i32/1073741824/one_block/idle", 8.0, p95=9.0, max=10.0),
            entry("latency/i32/1073741824/132_blocks/reheat", 21.0, p95=31.0, max=100.0),
        )
        self.assertIn("| us, during 4 GB | `one_block` | `132_blocks` |", text)
        self.assertIn("| `reheat` | 20 / 31 / 99 | 21 / 31 / 100 |", text)
        self.assertIn("| `idle` | 8 / 9 / 10 |  |", text)

    def test_only_what_is_between_the_marks_changes(self):
        page = self.file("page.md", "before\n<!-- concurrency-table -->\nold\n<!-- /concurrency-table -->\nafter\n")
        document = {"context": CONTEXT, "benchmarks": []}
        self.assertEqual(self.call(self.file("run.json", document), "--page", page), (0, "", ""))
        with open(page, encoding="utf-8") as file:
            text = file.read()
        self.assertTrue(text.startswith("before\n<!-- concurrency-table -->\nA GPU, driver 580.1"))
        self.assertTrue(text.endswith("<!-- /concurrency-table -->\nafter\n"))
        self.assertNotIn("old", text)

    def test_a_page_without_marks_is_refused(self):
        result = self.file("run.json", {"context": CONTEXT, "benchmarks": []})
        status, _, error = self.call(result, "--page", self.file("page.md", "nothing"))
        self.assertEqual(status, 2)
        self.assertIn("has no <!-- concurrency-table -->", error)

    def test_what_is_no_result_is_refused(self):
        strange = {"context": CONTEXT, "benchmarks": [entry("party/i32/1024/reheat", 1.0)]}
        halves = {"context": CONTEXT, "benchmarks": [entry("chain/i32/1024/reheat", 1.0)]}
        for content in ("{}", "[]", "no JSON", {"context": CONTEXT, "benchmarks": [{"name": "chain"}]}, strange, halves):
            status, output, error = self.call(self.file("odd.json", content))
            self.assertEqual((status, output, error.count("\n")), (2, "", 1), error)
            self.assertIn("odd.json is not a result of reheat-concurrency", error)

    def test_the_page_shows_the_recorded_run(self):
        with open(os.path.join(os.path.dirname(SCRIPTS), "README.md"), encoding="utf-8") as file:
            begin, end = pages.marks("concurrency")
            block = file.read().partition(begin)[2].partition(end)[0].strip()
        recorded = sorted(glob.glob(os.path.join(os.path.dirname(SCRIPTS), "results", "*-concurrency-*.json")))
        self.assertEqual(block, concurrency_report.markdown(concurrency_report.load(recorded[-1])))


def main():
    global SCRIPTS, concurrency_report, pages
    parser = argparse.ArgumentParser()
    parser.add_argument("scripts", help="the folder of concurrency_report.py")
    parser.add_argument("--expected", type=int, default=0, help="so many cases must run")
    chosen = parser.parse_args()
    SCRIPTS = os.path.abspath(chosen.scripts)
    sys.path.insert(0, SCRIPTS)
    import concurrency_report
    import pages

    return cases.run([ConcurrencyReport], chosen.expected)


if __name__ == "__main__":
    sys.exit(main())

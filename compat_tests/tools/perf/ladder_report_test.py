# SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
# SPDX-License-Identifier: Apache-2.0
"""ladder_report.py, on results made up here; and that docs/ladder.md shows what was recorded."""

import glob
import os
import pathlib
import sys

import cases
import ladder_report


def row(name, microseconds, **more):
    return {"name": name, "real_time": microseconds, "time_unit": "us", "bytes": 8000, "host_time": False, **more}


def document(**times):
    names = [f"ladder/4/f32/1000/{name}" for name in times]
    rows = [row(name, time, result=1230.5, error=0.5) for name, time in zip(names, times.values())]
    context = {"gpu": "A GPU", "cuda": "13.0", "cccl": "3.0.1", "command": "reheat-ladder"}
    return {"context": {**context, "rungs": {name: f"what {name} is" for name in times}}, "benchmarks": rows}


PAGE = "before\n<!-- ladder-table 4 -->\nold\n<!-- /ladder-table 4 -->\nafter\n"


class LadderReport(cases.Files):
    def call(self, *arguments):
        status, _, error = cases.call(ladder_report, *arguments)
        return status, error

    def render(self, *options, **times):
        page = self.file("page.md", PAGE)
        self.assertEqual(self.call(self.file("run.json", document(**times)), "--page", page, *options), (0, ""))
        with open(page, encoding="utf-8") as file:
            return file.read()

    def test_each_rung_stands_beside_the_one_before_and_the_first(self):
        text = self.render(
            "--no-plots", reduce_halving_global=80.0, reduce_atomic_finish=40.0, reduce_shuffle=10.0, cub=5.0, limit=4.0
        )
        self.assertIn("| `reduce_halving_global` | what reduce_halving_global is | 80.00 | 0.1 | 5 |  | 1.00 | 30 ms |", text)
        self.assertIn("| `reduce_atomic_finish` | what reduce_atomic_finish is | 40.00 | 0.2 | 10 | 2.00 | 2.00 |  |", text)
        self.assertIn("| `reduce_shuffle` | what reduce_shuffle is | 10.00 | 0.8 | 40 | 4.00 | 8.00 |  |", text)
        self.assertIn("| cub | upstream, the device algorithm | 5.00 | 1.6 | 80 |  | 16.00 |  |", text)

    def test_results_and_errors_are_shown(self):
        self.assertIn("| `reduce_shuffle` | 1230.5 | 0.5 |", self.render("--no-plots", reduce_shuffle=10.0, limit=4.0))

    def test_only_what_is_between_the_marks_changes(self):
        text = self.render("--no-plots", reduce_shuffle=10.0, limit=4.0)
        self.assertTrue(text.startswith("before\n<!-- ladder-table 4 -->\n!["))
        self.assertTrue(text.endswith("<!-- /ladder-table 4 -->\nafter\n"))
        self.assertNotIn("old", text)

    def test_a_plot_is_drawn(self):
        times = dict(reduce_halving_global=80.0, reduce_shuffle=10.0, cpu_sequential=90.0, thrust=9.0, cub=5.0, default=5.0, limit=4.0)
        self.render(**times)
        with open(os.path.join(self.folder, "run", "table_4.svg"), encoding="utf-8") as file:
            self.assertIn("reduce_shuffle", file.read())

    def test_what_is_no_result_is_refused(self):
        status, error = self.call(self.file("odd.json", "{}"), "--page", self.file("page.md", PAGE), "--no-plots")
        self.assertEqual(status, 2)
        self.assertIn("odd.json is not a result of reheat-ladder", error)

    def test_a_page_without_marks_is_refused(self):
        result = self.file("run.json", document(reduce_shuffle=10.0, limit=4.0))
        status, error = self.call(result, "--page", self.file("page.md", "nothing"), "--no-plots")
        self.assertEqual(status, 2)
        self.assertIn("has no <!-- ladder-table 4 -->", error)

    def test_the_page_shows_the_recorded_run(self):
        root = pathlib.Path(__file__).resolve().parents[3]
        recorded = sorted(glob.glob(os.path.join(root, "perf", "results", "*-ladder-*.json")))[-1]
        with open(os.path.join(root, "docs", "ladder.md"), encoding="utf-8") as file:
            text = file.read()
        context, tables = ladder_report.load(recorded)
        self.assertEqual(sorted(tables), [1, 2, 3, 4])
        folder = "../perf/results/" + os.path.splitext(os.path.basename(recorded))[0]
        for table, parts in tables.items():
            self.assertIn(ladder_report.block(table, parts, context, folder), text)
            self.assertTrue(os.path.exists(os.path.join(root, "docs", folder, f"table_{table}.svg")))


if __name__ == "__main__":
    sys.exit(cases.main([LadderReport]))

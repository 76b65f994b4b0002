# SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
# SPDX-License-Identifier: Apache-2.0
"""sort_report.py, on results made up here; and that perf/README.md shows what was recorded, if anything was."""

import os
import sys

import cases
import reports
import sort_report


def row(kind, items, clock="graph", again=None, ranked_again=0, **times):
    """Entries of one row, times in microseconds. `again`: those of the second measurement."""
    made = []
    for who, time in times.items():
        who = who.replace("_", "-")
        made.append({"name": f"{kind}/{items}/{clock}/{who}", "real_time": time, "time_unit": "us"})
        if again and who in again:
            made[-1]["again"] = again[who]
        if who == "reheat" and clock == "graph":
            made[-1]["ranked_again"] = ranked_again
    return made


class SortReport(reports.Report):
    script, kind = sort_report, "sort"
    context = {**reports.Report.context, "cccl_new": "3.5.0"}
    strange = (row("u32", 1000, reheat=1.0), row("u32/uniform", 1000, clock="cold", reheat=1.0))

    def test_rows_stand_beside_the_faster_sort_of_cub(self):
        text = self.render(
            row("u32/uniform", 2**10, reheat=2.0, cub_32=6.0, cub_64=5.0, cub_new_32=4.0, cub_new_64=8.0),
            row("u32/uniform", 2**24, reheat=250.0, cub_32=200.0, cub_64=300.0),
            row("f64/equal", 2**24, reheat=10.0, cub_64=30.0),
        )
        self.assertIn("| × CUB | 2^10 | 2^24 |\n|---|--:|--:|\n| `u32/uniform` | 2.50 | **0.80 ▼** |\n| `f64/equal` |  | 3.00 |", text)
        self.assertIn("| × newer CUB | 2^10 | 2^24 |\n|---|--:|--:|\n| `u32/uniform` | 2.00 |  |\n", text)
        self.assertIn("| reheat us | 2^10 | 2^24 |\n|---|--:|--:|\n| `u32/uniform` | 2.00 | 250 |\n| `f64/equal` |  | 10.00 |", text)
        self.assertIn("* CUB: 2 of 3 rows reach 0.98 of its speed; 0.80 to 3.00 times as fast.", text)
        self.assertIn("* newer CUB: 1 of 1 rows reach 0.98 of its speed; 2.00 to 2.00 times as fast.", text)
        self.assertNotIn("whole call", text)

    def test_whole_calls_stand_beside_thrust(self):
        text = self.render(row("u32/uniform", 2**20, clock="wall", reheat=40.0, thrust=100.0))
        self.assertIn("| × Thrust, whole call | 2^20 |\n|---|--:|\n| `u32/uniform` | 2.50 |", text)
        self.assertIn("| reheat us, whole call | 2^20 |\n|---|--:|\n| `u32/uniform` | 40.00 |", text)

    def test_a_row_is_lost_if_it_is_slower_both_times(self):
        first = {"reheat": 2.0, "cub_32": 1.9, "cub_64": 3.0}
        for second, cell in ((2.0, "0.95"), (1.8, "**0.95 ▼**")):
            text = self.render(row("u64/equal", 2**20, again={"reheat": 2.0, "cub-32": 3.0, "cub-64": second}, **first))
            self.assertIn(f"| `u64/equal` | {cell} |", text)

    def test_tiles_that_were_ranked_again_are_told(self):
        text = self.render(row("u32/uniform", 2**24, ranked_again=3, reheat=2.0, cub_32=3.0), row("u64/uniform", 2**24, reheat=2.0, cub_32=3.0))
        self.assertIn(f"* `u32/uniform/{2**24}/graph`: 3 tiles were ranked again", text)
        self.assertEqual(text.count("ranked again"), 1)

    def test_failed_rows_are_listed(self):
        failed = {"name": "u32/equal/1024/graph/reheat", "error_occurred": True, "error_message": "3 parts of 16 bytes of the output are not CUB's"}
        text = self.render([failed], row("u32/equal", 2**20, reheat=2.0, cub_32=3.0))
        self.assertIn("**Failed:**\n\n* `u32/equal/1024/graph/reheat`: 3 parts of 16 bytes", text)

    def test_a_plot_shows_the_speed_beside_cub_and_the_page_shows_the_plot(self):
        rows = [row(f"{types}/{keys}", 2**power, reheat=2.0, cub_32=3.0 + power) for types in ("u32", "u32_u64") for keys in ("uniform", "equal") for power in (10, 20)]
        path = self.file("run.json", self.document(*rows))
        status, output, error = self.call("--plots", path)
        self.assertEqual((status, error), (0, ""))
        self.assertRegex(output, r"!\[Speed beside CUB over the number of keys\]\(.*run/speed\.svg\)")
        self.assertEqual(sorted(os.listdir(os.path.join(self.folder, "run"))), ["speed.png", "speed.svg"])

    def test_without_rows_beside_cub_there_is_no_plot(self):
        path = self.file("run.json", self.document(row("u32/uniform", 2**20, clock="wall", reheat=1.0, thrust=2.0)))
        status, output, error = self.call("--plots", path)
        self.assertEqual((status, error, "![" in output), (0, "", False))


if __name__ == "__main__":
    sys.exit(cases.main([SortReport]))

# SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
# SPDX-License-Identifier: Apache-2.0
"""segments_report.py, on results made up here; and that perf/README.md shows what was recorded, if anything was."""

import os
import sys

import cases
import reports
import segments_report


def row(kind, items, again=None, **times):
    """Entries of one row, times in microseconds. `again`: those of the second measurement."""
    made = []
    for who, time in times.items():
        who = who.replace("_", "-")
        made.append({"name": f"{kind}/{items}/{who}", "real_time": time, "time_unit": "us"})
        if again and who in again:
            made[-1]["again"] = again[who]
    return made


class SegmentsReport(reports.Report):
    script, kind = segments_report, "segments"
    context = {**reports.Report.context, "cccl_new": "3.5.0"}
    strange = (row("segments", 1000, reheat=1.0),)

    def test_rows_stand_beside_cub_and_the_limit(self):
        text = self.render(
            row("sum/u32/o32/length_64", 2**20, reheat=2.0, cub=5.0, limit=1.5),
            row("sum/u32/o32/length_64", 2**24, reheat=10.0, cub=9.7, limit=9.0),
            row("sum/u8/o32/random_64", 2**24, reheat=120.0, cub=240.0),
        )
        self.assertIn("| × CUB | 2^20 | 2^24 |\n|---|--:|--:|\n| `sum/length_64` | 2.50 | **0.97 ▼** |\n| `sum/u8/o32/random_64` |  | 2.00 |", text)
        self.assertIn("| % of the limit | 2^20 | 2^24 |\n|---|--:|--:|\n| `sum/length_64` | 75 | 90 |\n", text)
        self.assertIn("| reheat us | 2^20 | 2^24 |\n|---|--:|--:|\n| `sum/length_64` | 2.00 | 10.00 |\n| `sum/u8/o32/random_64` |  | 120 |", text)
        self.assertIn("* Sums, CUB: 2 of 3 rows reach 0.98 of its speed; 0.97 to 2.50 times as fast.", text)

    def test_others_have_tables_where_they_were_measured(self):
        text = self.render(row("sum/u32/o32/giant", 2**24, reheat=10.0, cub=20.0, cub_new=15.0, by_key=30.0))
        for title, cell in (("newer CUB", "1.50"), ("by key", "3.00")):
            self.assertIn(f"| × {title} | 2^24 |\n|---|--:|\n| `sum/giant` | {cell} |", text)
        self.assertNotIn("a warp per segment", text)
        self.assertNotIn("% of the limit", text)

    def test_a_row_is_lost_if_it_is_slower_both_times(self):
        text = self.render(row("sum/u32/o32/half", 2**20, again={"reheat": 2.0, "cub": 2.0}, reheat=2.0, cub=1.9))
        self.assertIn("| `sum/half` | 0.95 |", text)
        text = self.render(row("sum/u32/o32/half", 2**20, again={"reheat": 2.0, "cub": 1.8}, reheat=2.0, cub=1.9))
        self.assertIn("| `sum/half` | **0.95 ▼** |", text)

    def test_failed_rows_are_listed(self):
        failed = {"name": "sum/u32/o32/half/1024/reheat", "error_occurred": True, "error_message": "3 results are wrong"}
        text = self.render([failed], row("sum/u32/o32/half", 2**20, reheat=2.0, cub=3.0))
        self.assertIn("**Failed:**\n\n* `sum/u32/o32/half/1024/reheat`: 3 results are wrong", text)

    def test_a_plot_of_each_operation_shows_times_by_length_and_the_page_shows_the_plots(self):
        times = {"reheat": 2.0, "cub_new": 2.5, "by_key": 4.0, "limit": 1.0}
        sums = {**times, "cub": 3.0, "warp": 9.0}
        of = {"sum": sums, "scan": times}
        rows = [row(f"{each}/u32/o32/length_{length}", 2**20, **of[each]) for each in of for length in (1, 64, 8192)]
        document = self.document(*rows, row("sum/u32/o32/giant", 2**24, **sums))
        path = self.file("run.json", document)
        status, output, error = self.call("--plots", path)
        self.assertEqual((status, error), (0, ""))
        self.assertRegex(output, r"!\[Sums: time over the length of segments\]\(.*run/sum_lengths\.svg\)")
        self.assertRegex(output, r"!\[Scans: time over the length of segments\]\(.*run/scan_lengths\.svg\)")
        drawn = sorted(os.listdir(os.path.join(self.folder, "run")))
        self.assertEqual(drawn, [f"{each}_lengths.{kind}" for each in ("scan", "sum") for kind in ("png", "svg")])

    def test_scans_are_counted_apart(self):
        text = self.render(row("sum/u32/o32/half", 2**20, reheat=2.0, cub_new=3.0), row("scan/u32/o32/half", 2**20, reheat=2.0, cub_new=1.0))
        self.assertIn("* Sums, newer CUB: 1 of 1 rows reach 0.98 of its speed; 1.50 to 1.50 times as fast.", text)
        self.assertIn("* Scans, newer CUB: 0 of 1 rows reach 0.98 of its speed; 0.50 to 0.50 times as fast.", text)

    def test_without_rows_of_one_length_there_is_no_plot(self):
        path = self.file("run.json", self.document(row("sum/u32/o32/giant", 2**24, reheat=1.0, cub=2.0)))
        status, output, error = self.call("--plots", path)
        self.assertEqual((status, error, "![" in output), (0, "", False))


if __name__ == "__main__":
    sys.exit(cases.main([SegmentsReport]))

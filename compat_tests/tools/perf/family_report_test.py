# SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
# SPDX-License-Identifier: Apache-2.0
"""family_report.py, on results made up here; and that perf/README.md shows what was recorded, if anything was."""

import argparse
import contextlib
import glob
import io
import os
import sys

import cases

CONTEXT = {"gpu": "A GPU", "driver": "580.1", "cuda": "13.0", "cccl": "3.0.1", "command": "reheat-family"}
PAGE = "before\n<!-- family-table -->\nold\n<!-- /family-table -->\nafter\n"
LARGE = 2**26


def row(name, clock, items=LARGE, host_time=False, **times):
    """Entries of one row, times in microseconds."""
    prefix = f"{name}/i32/{items}/{clock}/"
    return [{"name": prefix + who, "real_time": time, "time_unit": "us", "host_time": host_time} for who, time in times.items()]


def failure(name, message):
    return [{"name": name, "error_occurred": True, "error_message": message}]


class FamilyReport(cases.Files):
    def call(self, *arguments):
        output, error = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(output), contextlib.redirect_stderr(error):
            status = family_report.main([*arguments])
        return status, output.getvalue(), error.getvalue()

    def render(self, *rows):
        document = {"context": CONTEXT, "benchmarks": [entry for entries in rows for entry in entries]}
        status, output, error = self.call(self.file("run.json", document))
        self.assertEqual((status, error), (0, ""))
        return output

    def test_wall_times_of_all_sizes_stand_beside_thrust(self):
        text = self.render(row("count", "wall", 2**8, reheat=8.0, thrust=20.0), row("count", "wall", 2**28, reheat=250.0, thrust=240.0))
        self.assertIn("| × Thrust, the whole call | 2^8 | 2^12 | 2^16 | 2^20 | 2^22 | 2^24 | 2^26 | 2^28 |", text)
        self.assertIn("The whole call: the host's time, the GPU idle before, data in the L2 cache where it fits. Cold: the L2 cache emptied", text)
        self.assertIn("| `count` | 2.50 |  |  |  |  |  |  | **0.96 ▼** |", text)

    def test_a_target_beside_thrust(self):
        text = self.render(row("reduce_by_key/segments_32", "cold", host_time=True, reheat=100.0, thrust=180.0, limit=90.0))
        self.assertIn("| `reduce_by_key/segments_32` | 2^26 | 100 h | 180 h | 1.80 | 90.0 |  |  | 1.8 × Thrust | met |", text)
        text = self.render(row("reduce_by_key/segments_1", "cold", reheat=100.0, thrust=179.0, limit=99.0))
        self.assertIn("| 1.8 × Thrust | **missed** |", text)
        self.assertIn("0 of 1 rows of 64 MB of input and more meet their target.", text)

    def test_a_target_beside_the_limit_is_not_that_of_a_call_that_waits(self):
        text = self.render(row("count_if", "cold", reheat=100.0, thrust=150.0, limit=96.0, limit_waits=99.0))
        self.assertIn("| 1.50 | 96.0 | 99.0 |  | 97 % of the limit | **missed** |", text)

    def test_one_of_two_targets_is_enough(self):
        for times, verdict in (
            ({"thrust": 200.0, "limit": 50.0}, "met"),
            ({"thrust": 110.0, "limit": 97.0}, "met"),
            ({"thrust": 190.0, "limit": 96.0}, "**missed**"),
        ):
            text = self.render(row("minmax_element", "cold", reheat=100.0, **times))
            self.assertIn(f"| 2 × Thrust or 97 % of the limit | {verdict} |", text)

    def test_a_transforming_scan_is_measured_against_the_plain_one(self):
        plain = row("inclusive_scan", "cold", reheat=100.0, thrust=130.0, limit=95.0)
        changed = row("transform_exclusive_scan", "cold", reheat=104.0, thrust=130.0, limit=95.0)
        self.assertIn("| 96.2 | 97 % of `inclusive_scan` | **missed** |", self.render(plain, changed))
        alone = self.render(changed)
        self.assertIn("|  | 97 % of `inclusive_scan` |  |", alone)

    def test_early_hits_have_a_target_and_ranges_without_one_do_not(self):
        times = {"reheat": 10.0, "thrust": 50.0}
        text = self.render(row("any_of/early_hit", "cold", **times), row("any_of/no_hit", "cold", **times))
        self.assertIn("| `any_of/early_hit` | 2^26 | 10.00 | 50.00 | 5.00 |  |  |  | 5 × Thrust | met |", text)
        self.assertIn("| `any_of/no_hit` | 2^26 | 10.00 | 50.00 | 5.00 |  |  |  |  |  |", text)
        self.assertIn("1 of 1 rows of 64 MB", text)

    def test_losses_are_listed_the_worst_first(self):
        text = self.render(
            row("count", "wall", 2**12, reheat=100.0, thrust=98.0),
            row("reduce", "wall", 2**12, reheat=100.0, thrust=97.0),
            row("reduce", "cold", reheat=100.0, thrust=50.0),
        )
        self.assertIn("2 of 3 rows are behind Thrust (0.98):", text)
        worst = text.index("* `reduce`, 2^26 items, cold: 0.50 (100 us, Thrust 50.00 us)")
        self.assertLess(worst, text.index("* `reduce`, 2^12 items, wall: 0.97"))
        self.assertNotIn("* `count`", text)
        self.assertIn("None of 1 rows is behind Thrust", self.render(row("count", "wall", reheat=1.0, thrust=1.0)))

    def test_what_failed_is_said(self):
        text = self.render(row("count", "wall", reheat=1.0, thrust=1.0), failure("reduce/i32/256/wall/reheat", "it returns 1; Thrust 2"))
        self.assertIn("* `reduce/i32/256/wall/reheat`: it returns 1; Thrust 2", text)

    def test_only_what_is_between_the_marks_changes(self):
        document = {"context": CONTEXT, "benchmarks": row("reduce", "wall", 2**8, reheat=8.0, thrust=24.0)}
        page = self.file("page.md", PAGE)
        self.assertEqual(self.call(self.file("run.json", document), "--page", page), (0, "", ""))
        with open(page, encoding="utf-8") as file:
            text = file.read()
        self.assertTrue(text.startswith("before\n<!-- family-table -->\nA GPU, driver 580.1"))
        self.assertTrue(text.endswith("<!-- /family-table -->\nafter\n"))
        self.assertIn("| `reduce` | 3.00 |", text)
        self.assertNotIn("\nold\n", text)

    def test_other_types_have_rows_of_their_own_and_no_targets(self):
        rows = row("reduce_by_key/segments_32", "cold", 2**26, reheat=100.0, thrust=150.0, limit=90.0)
        other = [{**each, "name": each["name"].replace("/i32/", "/i64_i64/"), "real_time": 3 * each["real_time"]} for each in rows]
        status, text, _ = self.call(self.file("run.json", {"context": CONTEXT, "benchmarks": rows + other}))
        self.assertEqual(status, 0)
        self.assertIn("| `reduce_by_key/segments_32` | 2^26 | 100 | 150 | 1.50 |", text)
        self.assertIn("| `reduce_by_key/segments_32/i64_i64` | 2^26 | 300 | 450 | 1.50 |", text)
        self.assertIn("0 of 1 rows of 64 MB", text)

    def test_rows_that_older_runs_lack_need_not_be_there(self):
        older = self.render(row("reduce", "cold", reheat=100.0, thrust=150.0), row("min_element", "cold", reheat=100.0, thrust=210.0))
        self.assertNotIn("`reduce_into`", older)
        newer = self.render(
            row("min_element/greater", "cold", reheat=100.0, thrust=150.0),
            row("min_element", "cold", reheat=100.0, thrust=210.0),
            row("reduce_into", "cold", host_time=True, reheat=100.0, thrust=150.0, limit=90.0, limit_waits=95.0),
        )
        self.assertIn("| `reduce_into` | 2^26 | 100 h | 150 h | 1.50 | 90.0 | 95.0 |  |  |  |", newer)
        self.assertIn("| `min_element/greater` | 2^26 | 100 | 150 | 1.50 |  |  |  |  |  |", newer)
        for text in (older, newer):
            self.assertIn("1 of 1 rows of 64 MB of input and more meet their target.", text)

    def test_several_runs_say_how_far_apart_they_are_and_whether_the_host_was_quiet(self):
        entries = row("count", "wall", 2**12, reheat=10.0, thrust=30.0)
        entries[0]["runs"], entries[1]["runs"] = [10.0, 10.0, 10.4], [33.0, 30.0, 30.0]
        for calls, verdict in (
            (((9.0, 9.9), (9.1, 9.9), (9.4, 10.0)), "quiet"),
            (((9.0, 9.9), (9.1, 9.9), (9.6, 10.0)), "**not quiet**"),
            (((9.0, 9.9), (9.1, 12.0), (9.4, 10.0)), "**not quiet**"),
        ):
            context = {**CONTEXT, "runs": 3, "empty_calls": [{"median_us": median, "p90_us": p90} for median, p90 in calls]}
            status, text, _ = self.call(self.file("run.json", {"context": context, "benchmarks": entries}))
            self.assertEqual(status, 0)
            self.assertIn("A time is the median of 3 runs.", text)
            self.assertIn("by 4.0% at the median, and by less than 10.0% in 95 % of the rows.", text)
            self.assertIn(f"The host was {verdict}: an empty kernel and a wait for it took 9.00 / 9.10 / ", text)
        self.assertNotIn("The host was", self.render(entries))

    def test_a_page_without_marks_is_refused(self):
        result = self.file("run.json", {"context": CONTEXT, "benchmarks": []})
        status, _, error = self.call(result, "--page", self.file("page.md", "nothing"))
        self.assertEqual(status, 2)
        self.assertIn("has no <!-- family-table -->", error)

    def test_what_is_no_result_is_refused(self):
        strange = {"context": CONTEXT, "benchmarks": row("sort", "wall", reheat=1.0)}
        for content in ("{}", "[]", "no JSON", {"context": CONTEXT, "benchmarks": [{"name": "reduce"}]}, strange):
            status, output, error = self.call(self.file("odd.json", content))
            self.assertEqual((status, output, error.count("\n")), (2, "", 1), error)
            self.assertIn("odd.json is not a result of reheat-family", error)

    def test_the_page_shows_the_recorded_run(self):
        with open(os.path.join(os.path.dirname(SCRIPTS), "README.md"), encoding="utf-8") as file:
            begin, end = pages.marks("family")
            block = file.read().partition(begin)[2].partition(end)[0].strip()
        recorded = sorted(glob.glob(os.path.join(os.path.dirname(SCRIPTS), "results", "*-family-*.json")))
        shown = family_report.markdown(family_report.load(recorded[-1])) if recorded else "No run has been recorded yet."
        self.assertEqual(block, shown)


def main():
    global SCRIPTS, family_report, pages
    parser = argparse.ArgumentParser()
    parser.add_argument("scripts", help="the folder of family_report.py")
    parser.add_argument("--expected", type=int, default=0, help="so many cases must run")
    chosen = parser.parse_args()
    SCRIPTS = os.path.abspath(chosen.scripts)
    sys.path.insert(0, SCRIPTS)
    import family_report
    import pages

    return cases.run([FamilyReport], chosen.expected)


if __name__ == "__main__":
    sys.exit(main())

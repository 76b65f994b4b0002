# SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
# SPDX-License-Identifier: Apache-2.0
"""family_report.py, on results made up here; and that perf/README.md shows what was recorded."""

import sys

import cases
import family_report
import reports

LARGE = 2**26


def row(name, clock, items=LARGE, host_time=False, **times):
    """Entries of one row, times in microseconds."""
    prefix = f"{name}/i32/{items}/{clock}/"
    return [{"name": prefix + who, "real_time": time, "time_unit": "us", "host_time": host_time} for who, time in times.items()]


def failure(name, message):
    return [{"name": name, "error_occurred": True, "error_message": message}]


class FamilyReport(reports.Report):
    script, kind = family_report, "family"
    strange = (row("merge", "wall", reheat=1.0),)

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

    def test_other_types_have_rows_of_their_own_and_no_targets(self):
        rows = row("reduce_by_key/segments_32", "cold", 2**26, reheat=100.0, thrust=150.0, limit=90.0)
        other = [{**each, "name": each["name"].replace("/i32/", "/i64_i64/"), "real_time": 3 * each["real_time"]} for each in rows]
        text = self.render(rows, other)
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
            text = self.render(entries, runs=3, empty_calls=[{"median_us": median, "p90_us": p90} for median, p90 in calls])
            self.assertIn("A time is the median of 3 runs.", text)
            self.assertIn("by 4.0% at the median, and by less than 10.0% in 95 % of the rows.", text)
            self.assertIn(f"The host was {verdict}: an empty kernel and a wait for it took 9.00 / 9.10 / ", text)
        self.assertNotIn("The host was", self.render(entries))


if __name__ == "__main__":
    sys.exit(cases.main([FamilyReport]))

# SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
# SPDX-License-Identifier: Apache-2.0
"""reheat-family as a user calls it, where there is no GPU: names, and messages."""

import pathlib
import re
import sys

import cases

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "src/family"))
import family

SIZES = {2**power for power in (8, 12, 16, 20, 22, 24, 26, 28)}


class FamilyCommand(cases.Benchmark):
    name = "reheat-family"

    def test_every_algorithm_of_the_family_is_there(self):
        names = [name.rsplit("/", 4) for name in self.names()]
        segments = {f"segments_{items}" for items in (1, 32, 1000000)}
        variants = {"early_stops": {"early_hit", "no_hit"}, "by_key": segments}
        wanted = {"min_element/greater"}
        for each in family.algorithms():
            if each.output in ("remainder", "partition", "sorted", "sorted_by_key"):  # in place: the table's calls copy the items
                continue
            some = segments if each.name == "unique_by_key_copy" else variants.get(each.group)
            wanted |= {f"{each.name}/{variant}" for variant in some} if some else {each.name}
        wanted.add("stable_partition")  # in rows of its own
        self.assertEqual({name[0] for name in names}, wanted)
        self.assertEqual({name[0] for name in names if name[1] == "i32"}, wanted)
        others = {f"{algorithm}_by_key/{each}" for algorithm in ("inclusive_scan", "reduce") for each in segments}
        for types in ("i32_i64", "i64_i64", "i8_i8"):
            self.assertEqual({name[0] for name in names if name[1] == types}, others)
        for types in ("i8", "i64"):
            self.assertEqual({name[0] for name in names if name[1] == types}, {"stable_partition"})
        self.assertEqual({name[1] for name in names}, {"i32", "i32_i64", "i64_i64", "i8_i8", "i8", "i64"})
        for clock, sizes in (("wall", SIZES), ("cold", {items for items in SIZES if items >= 2**20})):
            for algorithm in wanted:
                for who in ("reheat", "thrust"):
                    found = {int(name[2]) for name in names if (name[0], name[3], name[4]) == (algorithm, clock, who)}
                    self.assertEqual(found, sizes, f"{algorithm}/{clock}/{who}")

    def test_cold_rows_have_a_limit_unless_they_stop_early(self):
        names = set(self.names())
        for name in names:
            row, _, who = name.rpartition("/")
            if who == "reheat":
                self.assertEqual(row + "/limit" in names, row.endswith("/cold") and not re.search("/early_hit/|^partition_point/", row), row)
        self.assertIn("count/i32/67108864/cold/limit_waits", names)
        self.assertIn("reduce_into/i32/67108864/cold/limit_waits", names)
        self.assertNotIn("inclusive_scan/i32/67108864/cold/limit_waits", names)

    def test_a_filter_keeps_what_is_measured_beside_a_match(self):
        row = "reduce_by_key/segments_32/i32/16777216/cold"
        self.assertEqual(self.names("--filter", row + "/reheat"), [f"{row}/{who}" for who in ("reheat", "thrust", "limit")])

    def test_partitions_are_measured_beside_thrust_with_a_pool(self):
        row = "stable_partition/i8/16777216/wall"
        self.assertEqual(self.names("--filter", row), [f"{row}/{who}" for who in ("reheat", "thrust", "thrust-pool")])

    def test_numbers_of_runs_that_are_wrong_are_refused(self):
        self.refuses("--runs", "0", says="--runs")


if __name__ == "__main__":
    sys.exit(cases.main([FamilyCommand], "program"))

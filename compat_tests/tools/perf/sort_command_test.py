# SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
# SPDX-License-Identifier: Apache-2.0
"""reheat-sort as a user calls it, where there is no GPU: names, and messages."""

import sys

import cases

SIZES = {2**power for power in range(10, 29, 2)}
KEYS = {"u8", "u16", "u32", "u64", "i32", "f16", "f32", "f64"}
PAIRS = {"u32_u32", "u64_u32", "u32_u64"}
DISTRIBUTIONS = {"uniform", "ascending", "equal", "16_values", "and_of_3", "below_1000"}


class SortCommand(cases.Benchmark):
    name = "reheat-sort"

    def rows(self, *arguments):
        """{(types, distribution, items, clock): implementations, but for those of another CUB}"""
        found = {}
        for name in self.names(*arguments):
            types, distribution, items, clock, who = name.split("/")
            if not who.startswith("cub-new"):
                found.setdefault((types, distribution, int(items), clock), set()).add(who)
        return found

    def test_every_type_has_every_distribution_and_size(self):
        expected = {(types, keys, size, "graph") for types in KEYS | PAIRS for keys in DISTRIBUTIONS for size in SIZES}
        self.assertEqual({row for row in self.rows() if row[3] == "graph"}, expected)

    def test_whole_calls_are_of_uniform_and_of_skewed_keys(self):
        expected = {(types, keys, 2**power) for types in ("u32", "u64", "f32", "u32_u32") for keys in ("uniform", "16_values") for power in (10, 14, 20)}
        self.assertEqual({row[:3] for row in self.rows() if row[3] == "wall"}, expected)

    def test_a_sort_stands_beside_cub_and_a_whole_call_beside_thrust(self):
        beside = {"graph": {"reheat", "cub-32", "cub-64"}, "wall": {"reheat", "thrust"}}
        for row, implementations in self.rows().items():
            self.assertEqual(implementations, beside[row[3]], row)

    def test_quick_rows_are_a_part(self):
        quick = self.rows("--quick")
        self.assertEqual({row[2] for row in quick}, {2**10, 2**14, 2**20, 2**24})
        self.assertEqual({row[0] for row in quick}, {"u32", "u64", "u32_u32"})
        self.assertLess(set(quick), set(self.rows()))

    def test_sizes_can_be_chosen(self):
        rows = self.rows("--sizes", "1000,4096", "--filter", "^(u8|f32)/equal|f32/uniform")
        self.assertEqual({row for row in rows if row[3] == "graph"}, {(types, keys, size, "graph") for types, keys in (("u8", "equal"), ("f32", "equal"), ("f32", "uniform")) for size in (1000, 4096)})
        self.assertEqual({row for row in rows if row[3] == "wall"}, {("f32", "uniform", size, "wall") for size in (1000, 4096)})
        self.refuses("--sizes", "0", says="--help shows the usage")
        self.refuses("--seconds", "0", says="--help shows the usage")

    def test_implementations_can_be_left_out(self):
        names = self.names("--sizes", "1000", "--filter", "^u64/uniform", "--without", "cub-32,cub-64,cub-new-32,cub-new-64")
        self.assertEqual(names, ["u64/uniform/1000/graph/reheat", "u64/uniform/1000/wall/reheat", "u64/uniform/1000/wall/thrust"])
        self.refuses("--list", "--without", "cub", says="cub not in {reheat,cub-32,cub-64,")


if __name__ == "__main__":
    sys.exit(cases.main([SortCommand], "program"))

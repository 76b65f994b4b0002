# SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
# SPDX-License-Identifier: Apache-2.0
"""reheat-segments as a user calls it, where there is no GPU: names, and messages."""

import sys

import cases

SIZES = {2**16, 2**20, 2**24, 2**28}
LENGTHS = (1, 2, 4, 16, 64, 512, 8192, 1000000)


class SegmentsCommand(cases.Benchmark):
    name = "reheat-segments"

    def rows(self, *arguments):
        """{(operation, types, offsets, shape, items): implementations}"""
        found = {}
        for name in self.names(*arguments):
            operation, types, offsets, shape, items, who = name.split("/")
            found.setdefault((operation, types, offsets, shape, int(items)), set()).add(who)
        return found

    def test_every_row_has_the_limit_and_sums_have_cub(self):
        for row, implementations in self.rows().items():
            self.assertLessEqual({"reheat", "limit"}, implementations, row)
            self.assertEqual(row[0] == "sum" and row[2] != "fixed", "cub" in implementations, row)

    def test_segments_have_many_lengths_and_shapes(self):
        expected = {(f"length_{length}", size) for length in LENGTHS for size in SIZES if length <= size}
        expected |= {(shape, size) for shape in ("random_64", "power_law", "half", "sparse") for size in SIZES}
        expected |= {("giant", size) for size in SIZES if size != 2**16}
        rows = self.rows()
        for operation, more in (("sum", {("empty", 2**28)}), ("scan", set())):
            self.assertEqual({row[3:] for row in rows if row[:3] == (operation, "u32", "o32")}, expected | more)

    def test_offsets_and_items_have_other_types(self):
        rows = {row[:4] for row in self.rows("--filter", "/o(32|64)/")} - {row[:4] for row in self.rows("--filter", "/u32/o32/")}
        others = (("u32", "o64"), ("u8", "o32"), ("u64", "o32"))
        expected = {(operation, *types, f"length_{length}") for operation in ("sum", "scan") for types in others for length in LENGTHS}
        for operation, all_types in (("sum", ("u8", "u8_u32", "u64", "f32")), ("scan", ("u8", "u64", "f32"))):
            expected |= {(operation, types, "o32", f"random_{mean}") for types in all_types for mean in (16, 64, 512)}
        self.assertEqual(rows, expected)

    def test_segments_of_one_size_need_no_offsets(self):
        rows = self.rows("--filter", "/fixed/")
        expected = {(operation, types, "fixed", f"length_{length}", size) for operation in ("sum", "scan") for types in ("u32", "u8", "u64")
                    for length in LENGTHS for size in SIZES if length <= size}
        self.assertEqual(set(rows), expected)
        for row, implementations in rows.items():
            self.assertEqual(implementations - {"cub-new"}, {"reheat", "limit"}, row)

    def test_segments_have_gaps_between_them(self):
        rows = self.rows("--filter", "/gaps/")
        shapes = {(f"length_{length}", size) for length in (1, 4, 16, 64, 512, 8192) for size in SIZES}
        shapes |= {("power_law", size) for size in SIZES} | {("giant", size) for size in SIZES if size != 2**16}
        self.assertEqual(set(rows), {(operation, "u32", "gaps", *shape) for operation in ("sum", "scan") for shape in shapes})
        for row, implementations in rows.items():
            self.assertNotIn("by-key", implementations, row)
        # A gap has room within the items.
        self.assertEqual({row[2] for row in self.rows("--sizes", "8192", "--lengths", "8192")}, {"o32", "o64", "fixed"})

    def test_implementations_can_be_left_out(self):
        names = self.names("--sizes", "65536", "--filter", "^sum/u32/(o32|gaps)/length_64/", "--without", "cub,cub-new,by-key")
        rows = [f"sum/u32/{bounds}/length_64/65536" for bounds in ("o32", "gaps")]
        self.assertEqual(names, [f"{row}/{who}" for row in rows for who in ("reheat", "warp", "limit")])
        self.refuses("--list", "--without", "thrust", says="thrust not in {reheat,cub,cub-new,by-key,warp,limit}")

    def test_no_key_stands_for_the_sum_of_an_empty_segment(self):
        rows = self.rows()
        with_keys = {row for row, implementations in rows.items() if "by-key" in implementations}
        common = {row for row in rows if row[1:3] == ("u32", "o32")}
        self.assertEqual(with_keys, {row for row in common if row[0] == "scan" or row[3] not in ("sparse", "empty")})

    def test_no_warp_gets_a_segment_that_takes_it_long(self):
        without = {row[3:] for row, implementations in self.rows("--filter", "^sum/.*/(o32|o64|gaps)/").items() if "warp" not in implementations}
        self.assertEqual(without, {(shape, size) for shape in ("giant", "half") for size in (2**24, 2**28)})

    def test_quick_rows_are_a_part(self):
        quick = self.rows("--quick")
        self.assertEqual({row[4] for row in quick}, {2**20, 2**24})
        self.assertEqual({row[:3] for row in quick}, {("sum", "u32", "o32"), ("scan", "u32", "o32")})
        self.assertLess(set(quick), set(self.rows()))

    def test_sizes_and_lengths_can_be_chosen(self):
        rows = self.rows("--sizes", "1000,4096", "--lengths", "4,512,8192", "--filter", "o32")
        self.assertEqual({row[3:] for row in rows}, {(f"length_{length}", size) for length in (4, 512) for size in (1000, 4096)})

    def test_a_filter_keeps_what_is_measured_beside_a_match(self):
        row = "sum/f32/o32/random_16/65536"
        names = [name for name in self.names("--filter", row + "/reheat$") if not name.endswith("cub-new")]
        self.assertEqual(names, [f"{row}/{who}" for who in ("reheat", "cub", "warp", "limit")])

    def test_sizes_and_lengths_that_are_wrong_are_refused(self):
        self.refuses("--list", "--sizes", "10", "--lengths", "64", says="no such segments fit into so many items")
        self.refuses("--sizes", "0", says="--help shows the usage")
        self.refuses("--lengths", "many", says="--help shows the usage")


if __name__ == "__main__":
    sys.exit(cases.main([SegmentsCommand], "program"))

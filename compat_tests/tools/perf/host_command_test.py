# SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
# SPDX-License-Identifier: Apache-2.0
"""reheat-host as a user calls it, where there is no GPU: names, and messages."""

import sys

import cases


class HostCommand(cases.Benchmark):
    name = "reheat-host"

    def test_every_part_has_reheat_beside_an_empty_kernel(self):
        names = self.names()
        self.assertEqual(len(names), len(set(names)))
        parts = set()
        for name in names:
            row, _, who = name.rpartition("/")
            parts.add(name.split("/")[0])
            self.assertIn(who, ("empty", "reheat", "thrust", "thrust-pool", "reheat-pool"))
            self.assertIn(f"{row}/empty", names)
            self.assertIn(f"{row}/reheat", names)
            self.assertEqual(f"{row}/thrust" in names, "reduce_into" not in row)
        self.assertEqual(parts, {"steady", "first", "growing", "captured", "in_turn"})

    def test_streams_in_turn_cross_the_numbers_that_matter(self):
        counts = {int(name.split("/")[1]) for name in self.names("--filter", "^in_turn")}
        self.assertEqual(counts, {1, 8, 64, 65, 66, 128, 256, 512, 1000})

    def test_a_filter_keeps_what_is_measured_beside_a_match(self):
        self.assertEqual(
            self.names("--filter", "in_turn/65/reheat"), ["in_turn/65/empty", "in_turn/65/reheat", "in_turn/65/thrust"]
        )


if __name__ == "__main__":
    sys.exit(cases.main([HostCommand], "program"))

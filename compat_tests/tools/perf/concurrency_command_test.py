# SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
# SPDX-License-Identifier: Apache-2.0
"""reheat-concurrency as a user calls it, where there is no GPU: names, and messages."""

import sys

import cases


class ConcurrencyCommand(cases.Benchmark):
    name = "reheat-concurrency"

    def test_every_part_has_reheat_beside_cub(self):
        names = self.names()
        self.assertEqual(len(names), len(set(names)))
        sizes = {}
        for name in names:
            part, kind, items, _ = name.split("/", 3)
            self.assertEqual(kind, "i32")
            sizes.setdefault(part, set()).add(int(items) * 4)
            row, _, who = name.rpartition("/")
            self.assertIn(f"{row}/reheat", names)
            self.assertIn(f"{row}/cub", names)
        large = {2**28, 2**30, 2**32}
        chains = {2**power for power in range(20, 31)}
        self.assertEqual(sizes, {"chain": chains, "bystander": large, "bystander_urgent": large, "latency": {2**32}})

    def test_latencies_stand_beside_those_of_an_idle_gpu(self):
        names = [name.split("/") for name in self.names("--filter", "^latency")]
        probes = {name[3] for name in names}
        self.assertEqual(probes, {"one_block", "one_block_16k_shared", "132_blocks", "132_blocks_16k_shared"})
        self.assertEqual({name[3] for name in names if name[4] == "idle"}, probes)

    def test_a_filter_keeps_what_is_measured_beside_a_match(self):
        row = "chain/i32/4194304"
        self.assertEqual(self.names("--filter", row + "/reheat"), [f"{row}/reheat", f"{row}/cub"])


if __name__ == "__main__":
    sys.exit(cases.main([ConcurrencyCommand], "program"))

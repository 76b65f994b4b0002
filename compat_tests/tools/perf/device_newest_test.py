# SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
# SPDX-License-Identifier: Apache-2.0
"""The shared object with single-phase forms: it exports two functions and no other symbol, and reheat-device finds it."""

import sys

import cases

ENTRIES = ("DeviceReduce::Sum", "DeviceReduce::Reduce/max", "DeviceScan::InclusiveSum", "DeviceScan::ExclusiveSum")


class DeviceNewest(cases.Program):
    name = "reheat-device"
    nm = object = ""

    def test_nothing_else_is_exported(self):
        names = cases.exported_symbols(self.nm, self.object)
        self.assertEqual(names, {"reheat_perf_device_newest", "reheat_perf_device_newest_version"})

    def test_it_is_a_version_that_has_such_forms(self):
        self.assertGreaterEqual(cases.version_of(self.object, "reheat_perf_device_newest_version"), [3, 1, 0])

    def test_its_rows_stand_beside_the_others(self):
        names = set(self.names())
        for entry in ENTRIES:
            for clock, expected in (("graph", {"reheat-env", "cub-new", "cub-new-env"}), ("host_both", {"cub-new"})):
                row = f"{entry}/i32/{1024 if clock == 'graph' else 1000}/{clock}"
                self.assertEqual({who for who in ("reheat-env", "cub-new", "cub-new-env") if f"{row}/{who}" in names}, expected, row)
        with_environment = {name.rsplit("/", 3)[0] for name in names if name.endswith("-env")}
        self.assertEqual(with_environment, {f"{entry}/i32" for entry in ENTRIES})


if __name__ == "__main__":
    sys.exit(cases.main([DeviceNewest], "program", "--nm", "--object"))

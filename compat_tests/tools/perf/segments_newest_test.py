# SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
# SPDX-License-Identifier: Apache-2.0
"""The shared object with another CUB: it exports two functions and no other symbol, and reheat-segments finds it."""

import sys

import cases


class SegmentsNewest(cases.Program):
    name = "reheat-segments"
    nm = object = ""

    def test_nothing_else_is_exported(self):
        names = cases.exported_symbols(self.nm, self.object)
        self.assertEqual(names, {"reheat_perf_segments_newest", "reheat_perf_segments_newest_version"})

    def test_it_is_another_version(self):
        self.assertEqual(len(cases.version_of(self.object, "reheat_perf_segments_newest_version")), 3)

    def test_it_stands_in_every_row_but_of_scans_of_one_size(self):
        names = self.names()
        expected = {name.rpartition("/")[0] for name in names if not (name.startswith("scan/") and "/fixed/" in name)}
        self.assertEqual({name.rpartition("/")[0] for name in names if name.endswith("/cub-new")}, expected)


if __name__ == "__main__":
    sys.exit(cases.main([SegmentsNewest], "program", "--nm", "--object"))

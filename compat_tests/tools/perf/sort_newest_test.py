# SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
# SPDX-License-Identifier: Apache-2.0
"""The shared object with another CUB: it exports two functions and no other symbol, and reheat-sort finds it."""

import sys

import cases


class SortNewest(cases.Program):
    name = "reheat-sort"
    nm = object = ""

    def test_nothing_else_is_exported(self):
        names = cases.exported_symbols(self.nm, self.object)
        self.assertEqual(names, {"reheat_perf_sort_newest", "reheat_perf_sort_newest_version"})

    def test_it_is_another_version(self):
        self.assertEqual(len(cases.version_of(self.object, "reheat_perf_sort_newest_version")), 3)

    def test_it_stands_in_every_row_inside_graphs(self):
        names = self.names()
        for who in ("cub-new-32", "cub-new-64"):
            rows = {name.rpartition("/")[0] for name in names if name.endswith("/" + who)}
            self.assertEqual(rows, {name.rpartition("/")[0] for name in names if "/graph/" in name})


if __name__ == "__main__":
    sys.exit(cases.main([SortNewest], "program", "--nm", "--object"))

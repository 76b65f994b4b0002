# SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
# SPDX-License-Identifier: Apache-2.0
"""The shared object with another CUB: it exports two functions and no other symbol, and reheat-perf finds it."""

import sys

import cases


class CubNew(cases.Program):
    name = "reheat-perf"
    nm = object = ""

    def test_nothing_else_is_exported(self):
        self.assertEqual(cases.exported_symbols(self.nm, self.object), {"reheat_perf_cub_new", "reheat_perf_cub_new_version"})

    def test_it_is_another_version(self):
        self.assertEqual(len(cases.version_of(self.object, "reheat_perf_cub_new_version")), 3)

    def test_its_rows_stand_beside_the_others(self):
        names = set(self.names())
        for algorithm, all_of in (("reduce", {"cub", "cub-new"}), ("inclusive_scan", {"cub", "cub-new", "cub-new-lookahead"})):
            for clock in ("graph", "graph_foreign"):
                row = f"{algorithm}/i8/plus/pointer/65536/{clock}"
                self.assertEqual({who for who in ("cub", "cub-new", "cub-new-lookahead") if f"{row}/{who}" in names}, all_of)


if __name__ == "__main__":
    sys.exit(cases.main([CubNew], "program", "--nm", "--object"))

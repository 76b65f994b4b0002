# SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
# SPDX-License-Identifier: Apache-2.0
"""The shared object with another CUB, for reheat-numbers: it exports two functions and no other symbol."""

import sys

import cases


class NumbersNewest(cases.Program):
    name = "reheat-numbers"
    nm = object = ""

    def test_nothing_else_is_exported(self):
        names = cases.exported_symbols(self.nm, self.object)
        self.assertEqual(names, {"reheat_perf_numbers_newest", "reheat_perf_numbers_newest_version"})

    def test_it_is_another_version(self):
        self.assertEqual(len(cases.version_of(self.object, "reheat_perf_numbers_newest_version")), 3)


if __name__ == "__main__":
    sys.exit(cases.main([NumbersNewest], "program", "--nm", "--object"))

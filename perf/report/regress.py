#!/usr/bin/env python3
# SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
# SPDX-License-Identifier: Apache-2.0
"""Compares two results of reheat-perf: which rows moved by more than their spread.

Exit status: 0 nothing of reheat's became slower by more than --percent, 1 something did, 2 bad usage or files.
"""

import argparse
import sys

import measurements

OURS = ("reheat", "reheat-serial")


def moves(old, new):
    """(row, implementation, change, noise) of every benchmark that both have; a change of 0.1 is 10 % slower."""
    for row, times in new.rows.items():
        for who, now in times.items():
            before = old.rows.get(row, {}).get(who)
            if before is not None:
                yield row, who, now.microseconds / before.microseconds - 1, max(before.spread, now.spread)


def names(results):
    return {f"{row}/{who}" for row, times in results.rows.items() for who in times}


def print_moves(title, moved, old, new):
    if not moved:
        return
    print(f"{title}:")
    for row, who, change, noise in sorted(moved, key=lambda each: -each[2]):
        before, now = old.rows[row][who].microseconds, new.rows[row][who].microseconds
        print(f"  {change:+7.1%}  {before:10.2f} -> {now:10.2f} us  (spread {noise:.1%})  {row}/{who}")


def print_table(title, cells):
    """`cells`: (algorithm, type, items) → text."""
    sizes = sorted({items for _, _, items in cells})
    print(f"{title}:\n{'':28}" + "".join(f"{'2^' + str(items.bit_length() - 1):>8}" for items in sizes))
    for algorithm, kind in dict.fromkeys((algorithm, kind) for algorithm, kind, _ in cells):
        print(f"{algorithm + ' ' + kind:28}" + "".join(f"{cells.get((algorithm, kind, items), ''):>8}" for items in sizes))


def print_tables(old, new):
    """Sums over pointers of a power of two items, in graphs."""
    now, against = {}, {"cub": {}, "limit": {}}
    for row, who, change, noise in moves(old, new):
        if who == "reheat" and row.clock == "graph" and row.plain() and row.items & (row.items - 1) == 0:
            place = row.algorithm, row.type, row.items
            now[place] = f"{1 / (1 + change):.2f}" + (" " if abs(change) > noise else "~")
            for other, cells in against.items():
                ratio = new.limit_fraction(row) if other == "limit" else new.ratio(row, other)
                cells[place] = "" if ratio is None else f"{ratio:.2f} "
    if now:
        print_table("times as fast as before (~: within the spread)", now)
        print_table("now, relative to CUB", against["cub"])
        print_table("now, relative to the limit", against["limit"])


def compare(old, new, percent):
    everything = list(moves(old, new))
    if not everything:
        raise measurements.ResultError("the two files have no benchmark in common")
    moved = [each for each in everything if abs(each[2]) > each[3]]
    ours = [each for each in moved if each[1] in OURS]
    regressed = [each for each in ours if each[2] > percent / 100]
    print_moves(f"slower by more than {percent:g} %", regressed, old, new)
    print_moves("slower", [each for each in ours if 0 < each[2] <= percent / 100], old, new)
    print_moves("faster", [each for each in ours if each[2] < 0], old, new)
    print_moves("not reheat's: the machine or what is installed there differs", [e for e in moved if e[1] not in OURS], old, new)
    for name in sorted(names(old) - names(new)):
        print(f"no longer measured: {name}")
    for name, message in new.failures:
        print(f"fails now: {name}: {message}")
    count = sum(1 for each in everything if each[1] in OURS)
    print(f"{count} rows of reheat compared, {len(ours)} moved by more than their spread, {len(regressed)} regressed")
    return 1 if regressed or any(name.rpartition("/")[2] in OURS for name, _ in new.failures) else 0


def main(arguments=None):
    parser = argparse.ArgumentParser(prog="regress.py", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("old", help="results before")
    parser.add_argument("new", help="results after")
    parser.add_argument("--table", action="store_true", help="begin with tables of type by size: before, CUB and the limit")
    parser.add_argument("--percent", type=float, default=3.0, help="how much slower is a regression (default: %(default)s)")
    chosen = parser.parse_args(arguments)
    try:
        old, new = measurements.load(chosen.old), measurements.load(chosen.new)
        gpus = [each.contexts[0]["gpu"] for each in (old, new)]
        if gpus[0] != gpus[1]:
            raise measurements.ResultError(f"{chosen.old} is of an {gpus[0]}, {chosen.new} of an {gpus[1]}")
        if chosen.table:
            print_tables(old, new)
        return compare(old, new, chosen.percent)
    except measurements.ResultError as error:
        print(f"regress.py: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())

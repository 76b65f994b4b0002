#!/usr/bin/env python3
# SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
# SPDX-License-Identifier: Apache-2.0
"""Turns a result of reheat-sort into Markdown tables: on standard output, and between the sort-table marks of a page. Draws speed beside CUB
over the number of items, a panel for each distribution of keys."""

import sys
from typing import NamedTuple

import pages
from measurements import LEVEL
from pages import failures, ratio_cell, size_text, summary, table, time_text

IMPLEMENTATIONS = ("reheat", "cub-32", "cub-64", "cub-new-32", "cub-new-64", "thrust")
CLOCKS = ("graph", "wall")
# What reheat stands beside: the fastest of these.
OTHERS = {"CUB": ("cub-32", "cub-64"), "newer CUB": ("cub-new-32", "cub-new-64"), "Thrust, whole call": ("thrust",)}
PLOT = "speed"


class Row(NamedTuple):
    type: str
    keys: str  # how they are distributed
    items: int
    clock: str


def parse(name):
    parts = name.split("/")
    if len(parts) != 5 or parts[3] not in CLOCKS or parts[4] not in IMPLEMENTATIONS:
        raise ValueError(f"{name} is no row of it")
    return Row(parts[0], parts[1], int(parts[2]), parts[3]), parts[4]


def load(path):
    made = pages.load(path, "sort", ("cccl_new",), parse)
    made.plots = pages.plots_beside(path, {PLOT: PLOT})
    return made


def ratios(results, row, group):
    """Of each measurement: the time of the fastest of the group divided by that of reheat."""
    found = [each for each in (results.ratios(row, other) for other in OTHERS[group]) if each]
    return [min(times) for times in zip(*found)]


# ---- Markdown ------------------------------------------------------------------------------------------------------------


def of_all_sizes(results, title, clock, cell):
    """A table of types and distributions by sizes; without rows that have no cell."""
    measured = [row for row in results.rows if row.clock == clock]
    kinds, sizes = list(dict.fromkeys(row[:2] for row in measured)), sorted({row.items for row in measured})
    rows = []
    for kind in kinds:
        cells = [cell(Row(*kind, items, clock)) for items in sizes]
        if any(cells):
            rows.append([f"`{'/'.join(kind)}`", *cells])
    return table([title, *map(size_text, sizes)], rows) if rows else ""


def time_cell(results, row):
    entry = results.rows.get(row, {}).get("reheat")
    return time_text(entry["real_time"]) if entry else ""


def ranked_again(results):
    """Where shared atomics answered in another order than that of lanes."""
    rows = [(row, times["reheat"].get("ranked_again", 0)) for row, times in results.rows.items() if "reheat" in times]
    lines = [f"* `{'/'.join(map(str, row))}`: {tiles} tiles were ranked again" for row, tiles in rows if tiles != 0]
    return "\n".join(lines)


def markdown(results, full=True, folder="."):
    """Beside CUB and Thrust; with `full`, also times. Links are from the folder."""
    context = results.context
    parts = [
        f"{context['gpu']}, driver {context['driver']}, CUDA {context['cuda']}, CCCL {context['cccl']} (newer CUB: {context['cccl_new']}):"
        f" `{context['command']}`. Beside the faster of CUB's sorts with 32- and 64-bit numbers of items. Above 1, reheat is faster; `▼`: slower"
        f" than {LEVEL:g} of the other's speed every time the two were measured.",
        failures(results),
        "\n".join(line for line in (summary(group, [ratios(results, row, group) for row in results.rows]) for group in OTHERS) if line),
        ranked_again(results),
        *(f"![Speed beside CUB over the number of keys]({pages.link_from(folder, plot)})" for plot in results.plots.values()),
    ]
    for clock in CLOCKS:
        for group in OTHERS:
            parts.append(of_all_sizes(results, f"× {group}", clock, lambda row, group=group: ratio_cell(ratios(results, row, group))))
    if full:
        parts.append(of_all_sizes(results, "reheat us", "graph", lambda row: time_cell(results, row)))
        parts.append(of_all_sizes(results, "reheat us, whole call", "wall", lambda row: time_cell(results, row)))
    return "\n\n".join(part for part in parts if part)


# ---- the plot ------------------------------------------------------------------------------------------------------------


def speeds(results):
    """{distribution: {type: {items: times as fast as CUB}}}"""
    found = {}
    for row in results.rows:
        beside = ratios(results, row, "CUB")
        if beside and row.clock == "graph":
            found.setdefault(row.keys, {}).setdefault(row.type, {})[row.items] = beside[0]
    return found


def draw(results, folder):
    import plots  # needs Matplotlib

    lines = speeds(results)
    if lines:
        plots.sort_speeds(lines, results.context["gpu"], folder, PLOT)


def main(arguments=None):
    return pages.run("sort", __doc__, load, markdown, arguments, draw, has_report=True)


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
# SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
# SPDX-License-Identifier: Apache-2.0
"""Turns a result of reheat-segments into Markdown tables: on standard output, and between the segments-table marks of a page. Draws time
over the length of segments, a plot for each operation."""

import re
import sys
from typing import NamedTuple

import pages
from measurements import LEVEL
from pages import failures, ratio_cell, size_text, summary, table, time_text

IMPLEMENTATIONS = ("reheat", "cub", "cub-new", "by-key", "warp", "limit")
OTHERS = {"cub": "CUB", "cub-new": "newer CUB", "by-key": "by key", "warp": "a warp per segment"}
ON_THE_PAGE = {who: OTHERS[who] for who in ("cub", "cub-new")}
COMMON = "/u32/o32/"  # the types of most rows
OPERATIONS = {"sum": "Sums", "scan": "Scans"}


class Row(NamedTuple):
    kind: str  # operation/types/offsets/shape
    items: int


def plot_name(operation):
    return operation + "_lengths"


def parse(name):
    kind, items, who = name.rsplit("/", 2)
    if who not in IMPLEMENTATIONS or kind.count("/") != 3 or kind.split("/")[0] not in OPERATIONS:
        raise ValueError(f"{name} is no row of it")
    return Row(kind, int(items)), who


def load(path):
    made = pages.load(path, "segments", ("cccl_new",), parse)
    made.plots = pages.plots_beside(path, {each: plot_name(each) for each in OPERATIONS})
    return made


# ---- Markdown ------------------------------------------------------------------------------------------------------------


def shape_text(kind):
    return f"`{kind.replace(COMMON, '/')}`"


def of_all_sizes(results, title, cell):
    """A table of kinds by sizes; without rows that have no cell."""
    kinds, sizes = list(dict.fromkeys(row.kind for row in results.rows)), sorted({row.items for row in results.rows})
    rows = []
    for kind in kinds:
        cells = [cell(Row(kind, items)) for items in sizes]
        if any(cells):
            rows.append([shape_text(kind), *cells])
    return table([title, *map(size_text, sizes)], rows) if rows else ""


def time_cell(results, row):
    entry = results.rows.get(row, {}).get("reheat")
    return time_text(entry["real_time"]) if entry else ""


def limit_cell(results, row):
    """The speed of reheat in percent of the limit's."""
    ratios = results.ratios(row, "limit")
    return f"{100 * ratios[0]:.0f}" if ratios else ""


def summary_of(results, operation, other):
    ratios = [results.ratios(row, other) for row in results.rows if row.kind.startswith(operation + "/")]
    return summary(f"{OPERATIONS[operation]}, {OTHERS[other]}", ratios)


def markdown(results, full=True, folder="."):
    """Beside CUB; with `full`, beside all, and times. Links are from the folder."""
    context = results.context
    parts = [
        f"{context['gpu']}, driver {context['driver']}, CUDA {context['cuda']}, CCCL {context['cccl']} (newer CUB: {context['cccl_new']}):"
        f" `{context['command']}`. Rows without types are of u32 and offsets of 32 bits. Above 1, reheat is faster; `▼`: slower than"
        f" {LEVEL:g} of the other's speed every time the two were measured.",
        failures(results),
        "\n".join(line for line in (summary_of(results, each, other) for each in OPERATIONS for other in OTHERS) if line),
        *(f"![{OPERATIONS[each]}: time over the length of segments]({pages.link_from(folder, plot)})" for each, plot in results.plots.items()),
    ]
    for other, name in OTHERS.items() if full else ON_THE_PAGE.items():
        parts.append(of_all_sizes(results, f"× {name}", lambda row, other=other: ratio_cell(results.ratios(row, other))))
    if full:
        parts.append(of_all_sizes(results, "% of the limit", lambda row: limit_cell(results, row)))
        parts.append(of_all_sizes(results, "reheat us", lambda row: time_cell(results, row)))
    return "\n\n".join(part for part in parts if part)


# ---- the plot ------------------------------------------------------------------------------------------------------------


def times_by_length(results, operation):
    """{items: {implementation: {length: microseconds}}} of segments that all have one length."""
    times = {}
    for row, entries in sorted(results.rows.items(), key=lambda each: each[0].items):
        length = re.fullmatch(operation + re.escape(COMMON) + r"length_(\d+)", row.kind)
        for who, entry in entries.items() if length else ():
            times.setdefault(row.items, {}).setdefault(who, {})[int(length[1])] = entry["real_time"]
    return times


def draw(results, folder):
    import plots  # needs Matplotlib

    for operation, name in OPERATIONS.items():
        times = times_by_length(results, operation)
        if times:
            plots.segment_lengths(times, name, results.context["gpu"], folder, plot_name(operation))


def main(arguments=None):
    return pages.run("segments", __doc__, load, markdown, arguments, draw, has_report=True)


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
# SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
# SPDX-License-Identifier: Apache-2.0
"""Turns a result of reheat-device into Markdown tables: on standard output, and between the device-table marks of a page."""

import sys
from typing import NamedTuple

import pages
from measurements import LEVEL
from pages import failures, ratio_cell, size_text, table

CLOCKS = ("graph", "host", "host_both")
IMPLEMENTATIONS = ("reheat", "policy", "cub", "reheat-env", "cub-new", "cub-new-env", "limit")
ON_THE_HOST = IMPLEMENTATIONS[:-1]  # all but the limit
CLASSES = ("DeviceReduce", "DeviceScan", "DeviceSelect", "DevicePartition", "DeviceRunLengthEncode")
ENVIRONMENT = ("policy", "cub-new-env", "cub-new", "cub")  # what the single-phase forms stand beside

LARGE_ITEMS = 2**24  # from here on two phases are to be as fast as a policy
BESIDE_POLICY, ENVIRONMENT_BESIDE_POLICY = 0.95, 0.98  # of its speed
BY_KEY, BY_KEY_RATIO = "DeviceReduce::ReduceByKey/segments_32/i32", 1.3  # × CUB, of large inputs
HOST_OF_ONE, HOST_OF_TWO = 1.05, 0.85  # of CUB's host time, where a call of CUB's has one node in a graph, or more than ours


class Row(NamedTuple):
    entry: str  # with variant and types
    items: int
    clock: str


def parse(name):
    entry, items, clock, who = name.rsplit("/", 3)
    if clock not in CLOCKS or who not in IMPLEMENTATIONS or entry.partition("::")[0] not in CLASSES:
        raise ValueError(f"{name} is no row of it")
    return Row(entry, int(items), clock), who


def load(path):
    return pages.load(path, "device", ("cccl_of_env",), parse)


# ---- targets -------------------------------------------------------------------------------------------------------------


class Target(NamedTuple):
    what: str
    row: Row
    ratios: list  # of each measurement
    least: float

    def missed(self):
        """It counts if every measurement says so."""
        return all(ratio < self.least for ratio in self.ratios)


def host_bound(entry, cub):
    """The most that a call's host time may be of CUB's; None where there is no target."""
    return HOST_OF_ONE if cub["nodes"] == 1 else HOST_OF_TWO if entry["nodes"] < cub["nodes"] else None


def targets(results):
    for row, times in results.rows.items():
        if row.clock == "graph":
            yield Target(f"two phases: {LEVEL:g} of CUB's speed", row, results.ratios(row, "cub"), LEVEL)
            if row.items >= LARGE_ITEMS:
                what = f"two phases, from 2^24 items on: {BESIDE_POLICY:g} of the policy's speed"
                yield Target(what, row, results.ratios(row, "policy"), BESIDE_POLICY)
            if row.entry == BY_KEY and row.items >= LARGE_ITEMS:
                yield Target(f"`{BY_KEY}`: from 2^24 items on {BY_KEY_RATIO:g} × CUB", row, results.ratios(row, "cub"), BY_KEY_RATIO)
            what = f"environments: {ENVIRONMENT_BESIDE_POLICY:g} of the policy's speed"
            yield Target(what, row, results.ratios(row, "policy", "reheat-env"), ENVIRONMENT_BESIDE_POLICY)
        elif row.clock == "host":
            for who in ("reheat", "reheat-env"):
                if who in times and "cub" in times:
                    bound = host_bound(times[who], times["cub"])
                    if bound:
                        yield Target(f"host time: at most {bound:g} of CUB's", row, results.ratios(row, "cub", who), 1 / bound)


def target_table(results):
    groups = {}
    for target in targets(results):
        if target.ratios:
            groups.setdefault(target.what, []).append(target)
    rows = []
    for what, all_of in groups.items():
        missed = [target for target in all_of if target.missed()]
        texts = [f"`{each.row.entry}` {size_text(each.row.items)}: {max(each.ratios):.2f}" for each in missed]
        rows.append([what, f"{len(all_of) - len(missed)} of {len(all_of)}", "; ".join(texts)])
    return table(["target", "met", "missed: times as fast"], rows) if rows else ""


# ---- Markdown ------------------------------------------------------------------------------------------------------------


def percent_cell(ratios):
    return f"{100 * ratios[0]:.0f}" if ratios else ""


def ratio_table(results, entries, title, other, who="reheat", cell=ratio_cell):
    sizes = sorted({row.items for row in results.rows if row.clock == "graph"})
    rows = []
    for entry in entries:
        cells = [cell(results.ratios(Row(entry, items, "graph"), other, who)) for items in sizes]
        if any(cells):
            rows.append([f"`{entry}`", *cells])
    return table([title, *map(size_text, sizes)], rows) if rows else ""


def host_table(results):
    rows = []
    for row, times in results.rows.items():
        ours, theirs = times.get("reheat"), times.get("cub")
        if row.clock == "graph" or not ours or not theirs:
            continue
        cells = [f"`{row.entry}`", size_text(row.items), row.clock, f"{ours['nodes']} / {theirs['nodes']}"]
        cells += [f"{times[who]['real_time']:.2f}" if who in times else "" for who in ON_THE_HOST]
        rows.append([*cells, f"{ours['real_time'] / theirs['real_time']:.2f}"])
    heads = ["host", "items", "clock", "nodes of reheat / CUB", *(f"{who} us" for who in ON_THE_HOST), "reheat / CUB"]
    return table(heads, rows, left=4) if rows else ""


def markdown(results, full=True, folder="."):  # there is no link
    """Beside CUB; with `full`, beside all, and the host's times."""
    context = results.context
    parts = [
        f"{context['gpu']}, driver {context['driver']}, CUDA {context['cuda']}, CCCL {context['cccl']} (environments:"
        f" {context['cccl_of_env']}): `{context['command']}`. Above 1, reheat is faster; `▼`: slower than {LEVEL:g} of the other's speed"
        " every time the two were measured.",
        failures(results),
        target_table(results),
    ]
    entries = list(dict.fromkeys(row.entry for row in results.rows if row.clock == "graph"))
    for group in CLASSES:
        of_group = [entry for entry in entries if entry.partition("::")[0] == group]
        parts.append(ratio_table(results, of_group, f"`{group}`, × CUB", "cub"))
        if full:
            parts.append(ratio_table(results, of_group, f"`{group}`, × policy", "policy"))
    if full:
        parts.append(ratio_table(results, entries, "% of the limit", "limit", cell=percent_cell))
        parts += [ratio_table(results, entries, f"environments, × {other}", other, "reheat-env") for other in ENVIRONMENT]
        parts.append(host_table(results))
    return "\n\n".join(part for part in parts if part)


def main(arguments=None):
    return pages.run("device", __doc__, load, markdown, arguments, has_report=True)


if __name__ == "__main__":
    sys.exit(main())

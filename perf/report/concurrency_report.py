#!/usr/bin/env python3
# SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
# SPDX-License-Identifier: Apache-2.0
"""Turns a result of reheat-concurrency into Markdown tables: printed, or put between a page's concurrency-table marks."""

import json
import sys

import pages
from measurements import ResultError
from pages import table

FIELDS = {
    "chain": ("real_time", "without_consumer", "producer"),
    "bystander": ("real_time", "alone", "pass", "pass_alone"),
    "bystander_urgent": ("real_time", "alone", "pass", "pass_alone"),
    "latency": ("real_time", "p95", "max"),
}
LEVEL = 0.98  # of CUB's speed: below, a chain is lost


class Results:
    def __init__(self, context):
        self.context = context
        self.rows = {}  # (part, items, who) -> entry; of latency, who is probe/who

    def of(self, part):
        """items -> who -> entry, in the order of the file."""
        found = {}
        for (each, items, who), entry in self.rows.items():
            if each == part:
                found.setdefault(items, {})[who] = entry
        return found


def load(path):
    try:
        with open(path, encoding="utf-8") as file:
            content = json.load(file)
        made = Results({part: content["context"][part] for part in ("gpu", "driver", "cuda", "cccl", "command")})
        for entry in content["benchmarks"]:
            part, kind, items, who = entry["name"].split("/", 3)
            if kind != "i32" or entry["time_unit"] != "us" or any(entry[field] <= 0 for field in FIELDS[part]):
                raise ValueError(f"{entry['name']} is no time in microseconds")
            made.rows[part, int(items), who] = entry
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise ResultError(f"{path} is not a result of reheat-concurrency: {error}") from error
    return made


# ---- Markdown ------------------------------------------------------------------------------------------------------------


def bytes_text(items):
    size = items * 4 // 2**20
    return f"{size} MB" if size < 1024 else f"{size // 1024} GB"


def time_text(microseconds):
    return f"{microseconds:.2f}" if microseconds < 100 else f"{microseconds:.0f}"


def chain_table(results):
    rows = []
    for items, who in results.of("chain").items():
        if "reheat" not in who or "cub" not in who:
            continue
        ours, theirs = who["reheat"], who["cub"]
        ratio = theirs["real_time"] / ours["real_time"]
        pairs = (
            [entry["without_consumer"] - entry["producer"] for entry in (ours, theirs)],
            [entry["real_time"] - entry["without_consumer"] for entry in (ours, theirs)],
            [entry["real_time"] for entry in (ours, theirs)],
        )
        cells = [bytes_text(items), time_text(ours["producer"]), *(time_text(time) for pair in pairs for time in pair)]
        rows.append([*cells, f"**{ratio:.2f} ▼**" if ratio < LEVEL else f"{ratio:.2f}"])
    heads = ["items", "producer us", "scan us", "CUB's scan us", "consumer us", "after CUB's us", "all us", "with CUB's us", "× CUB"]
    return table(heads, rows) if rows else ""


def bystander_table(results):
    rows = []
    calm, urgent = results.of("bystander"), results.of("bystander_urgent")
    for items, who in calm.items():
        for name, entry in who.items():
            cells = [bytes_text(items), f"`{name}`", time_text(entry["alone"])]
            plain = who.get("reheat")
            cells.append(f"{entry['alone'] / plain['alone']:.3f}" if plain else "")
            for each in (entry, urgent.get(items, {}).get(name)):
                for field in ("real_time", "pass"):
                    alone = {"real_time": "alone", "pass": "pass_alone"}[field]
                    cells.append(f"{time_text(each[field])} ({each[field] / each[alone]:.2f})" if each else "")
            rows.append(cells)
    heads = ["items", "", "alone us", "/ reheat", "scan us", "pass us", "scan us, urgent passes", "urgent pass us"]
    return table(heads, rows, left=2) if rows else ""


def latency_table(results):
    tables = []
    for items, who in results.of("latency").items():
        probes = list(dict.fromkeys(name.partition("/")[0] for name in who))
        names = list(dict.fromkeys(name.partition("/")[2] for name in who))
        rows = []
        for name in names:
            entries = [who.get(f"{probe}/{name}") for probe in probes]
            texts = [" / ".join(f"{entry[field]:.0f}" for field in FIELDS["latency"]) if entry else "" for entry in entries]
            rows.append([f"`{name}`", *texts])
        tables.append(table([f"us, during {bytes_text(items)}", *(f"`{probe}`" for probe in probes)], rows))
    return "\n\n".join(tables)


def markdown(results):
    context = results.context
    sections = (
        ("**Between a producer and a consumer**", chain_table(results)),
        ("**Beside a kernel that re-reads 20 MB**", bystander_table(results)),
        ("**Until a small kernel of high priority has run: median / 95 % / longest**", latency_table(results)),
    )
    head = "{gpu}, driver {driver}, CUDA {cuda}, CCCL {cccl}: `{command}`.".format(**context)
    parts = [head + f" `▼`: slower than {LEVEL:g} of CUB's speed. In parentheses: times as long as alone."]
    for title, text in sections:
        if text:
            parts += [title, text]
    return "\n\n".join(parts)


def main(arguments=None):
    return pages.run("concurrency", __doc__, load, markdown, arguments)


if __name__ == "__main__":
    sys.exit(main())

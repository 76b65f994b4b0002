#!/usr/bin/env python3
# SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
# SPDX-License-Identifier: Apache-2.0
"""Turns a result of reheat-family into Markdown tables: on standard output, and between the family-table marks of a page."""

import json
import pathlib
import sys
from typing import NamedTuple

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "src/family"))
import family
import pages
from measurements import ResultError
from pages import table

SIZES = tuple(2**power for power in (8, 12, 16, 20, 22, 24, 26, 28))
LARGE = tuple(items for items in SIZES if items * 4 >= 64e6)  # 64 MB of i32
OTHER_TYPES = ("i32_i64", "i64_i64", "i8_i8", "i8", "i64")  # of keys and values, of items; targets are of i32
QUIET_RUNS, QUIET_TAIL = 1.05, 1.25  # of an empty call's time: between runs; from the median to the 90th percentile
LEAST_RATIO = 0.98  # of Thrust's time by reheat's, at any size: below, the row is lost

ALGORITHMS = tuple(family.algorithms())
GROUPS = {  # of the table, by their titles
    group.replace("_", " ").capitalize(): tuple(each.name for each in ALGORITHMS if each.group == group)
    for group in dict.fromkeys(each.group for each in ALGORITHMS)
}


class Target(NamedTuple):
    """What one of the given measures has to reach, at 64 MB of input and more; without any there is no target."""

    thrust: float = 0.0  # times as fast as Thrust
    limit: float = 0.0  # of the limit
    plain: float = 0.0  # of inclusive_scan of as many items

    def __str__(self):
        parts = [f"{self.thrust:g} × Thrust"] if self.thrust else []
        parts += [f"{100 * self.limit:g} % of the limit"] if self.limit else []
        parts += [f"{100 * self.plain:g} % of `inclusive_scan`"] if self.plain else []
        return " or ".join(parts)


TARGETS = {
    "reduce_by_key": Target(thrust=1.8),
    "inclusive_scan_by_key": Target(thrust=1.5),
    "exclusive_scan_by_key": Target(thrust=1.5),
    "min_element": Target(thrust=2, limit=0.97),
    "min_element/greater": Target(),
    "max_element": Target(thrust=2, limit=0.97),
    "minmax_element": Target(thrust=2, limit=0.97),
    "count": Target(limit=0.97),
    "count_if": Target(limit=0.97),
    "transform_reduce": Target(limit=0.97),
    "inner_product": Target(limit=0.97),
    "transform_inclusive_scan": Target(plain=0.97),
    "transform_exclusive_scan": Target(plain=0.97),
    "all_of/early_hit": Target(thrust=5),
    "any_of/early_hit": Target(thrust=5),
    "none_of/early_hit": Target(thrust=5),
}


def target_of(name):
    if name.rpartition("/")[2] in OTHER_TYPES:
        return Target()
    return TARGETS.get(name) or TARGETS.get(name.partition("/")[0]) or Target()


class Results:
    def __init__(self, context):
        self.context = context
        self.times = {}  # (algorithm[/variant][/types but i32], items, clock) -> implementation -> entry
        self.failures = []  # (name, message)

    def time(self, name, items, clock, who):
        entry = self.times.get((name, items, clock), {}).get(who)
        return entry["real_time"] if entry else None

    def ratio(self, name, items, clock, other="thrust"):
        """The other's time divided by reheat's; None without both."""
        ours, theirs = self.time(name, items, clock, "reheat"), self.time(name, items, clock, other)
        return theirs / ours if ours and theirs else None

    def beside_plain(self, name, items):
        ours, plain = self.time(name, items, "cold", "reheat"), self.time("inclusive_scan", items, "cold", "reheat")
        return plain / ours if ours and plain else None

    def names(self):
        """In the order of the groups; what no group has comes last."""
        known = [algorithm for group in GROUPS.values() for algorithm in group]
        present = list(dict.fromkeys(name for name, _, _ in self.times))
        place = {name: at for at, name in enumerate(present)}
        return sorted(present, key=lambda name: (known.index(algorithm_of(name)), place[name]))

    def met(self, name, items):
        """Whether the row's target is met; None where there is none, or what it is about was not measured."""
        target = target_of(name)
        pairs = (
            (target.thrust, self.ratio(name, items, "cold")),
            (target.limit, self.ratio(name, items, "cold", "limit")),
            (target.plain, self.beside_plain(name, items)),
        )
        wanted = [(least, value) for least, value in pairs if least and value is not None]
        return any(value >= least for least, value in wanted) if wanted else None

    def lost(self):
        """(ratio, name, items, clock) of all rows in which Thrust is faster."""
        rows = [(self.ratio(*row), *row) for row in self.times]
        return sorted(row for row in rows if row[0] is not None and row[0] < LEAST_RATIO)


def algorithm_of(name):
    return name.partition("/")[0]


def load(path):
    known = [algorithm for group in GROUPS.values() for algorithm in group]
    try:
        with open(path, encoding="utf-8") as file:
            content = json.load(file)
        context = content["context"]
        made = Results({part: context[part] for part in ("gpu", "driver", "cuda", "cccl", "command")})
        made.context["runs"] = int(context.get("runs", 1))
        made.context["empty_calls"] = [(float(each["median_us"]), float(each["p90_us"])) for each in context.get("empty_calls", [])]
        for entry in content["benchmarks"]:
            name, kind, items, clock, who = entry["name"].rsplit("/", 4)
            if kind not in ("i32", *OTHER_TYPES) or algorithm_of(name) not in known:
                raise ValueError(f"{entry['name']} is no row of it")
            name += "" if kind == "i32" else f"/{kind}"
            if entry.get("error_occurred"):
                made.failures.append((entry["name"], entry["error_message"]))
                continue
            if entry["time_unit"] != "us" or entry["real_time"] <= 0:
                raise ValueError(f"{entry['name']} is no time in microseconds")
            made.times.setdefault((name, int(items), clock), {})[who] = entry
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise ResultError(f"{path} is not a result of reheat-family: {error}") from error
    return made


# ---- Markdown ------------------------------------------------------------------------------------------------------------


def size_text(items):
    return f"2^{items.bit_length() - 1}"


def ratio_cell(ratio):
    """A row that loses is bold, and says so without colour."""
    if ratio is None:
        return ""
    return f"**{ratio:.2f} ▼**" if ratio < LEAST_RATIO else f"{ratio:.2f}"


def time_text(microseconds):
    return "" if microseconds is None else f"{microseconds:.2f}" if microseconds < 100 else f"{microseconds:.0f}"


def percent_cell(fraction):
    return "" if fraction is None else f"{100 * fraction:.1f}"


def verdict(met):
    return "" if met is None else "met" if met else "**missed**"


def speed_table(results, names):
    rows = [[f"`{name}`", *(ratio_cell(results.ratio(name, items, "wall")) for items in SIZES)] for name in names]
    return table(["× Thrust, the whole call", *map(size_text, SIZES)], rows)


def large_table(results, names):
    rows = []
    for name in names:
        for items in LARGE:
            entry = results.times.get((name, items, "cold"), {}).get("reheat")
            if entry is None:
                continue
            mark = " h" if entry["host_time"] else ""
            cells = [f"`{name}`", size_text(items), time_text(entry["real_time"]) + mark]
            thrust = results.time(name, items, "cold", "thrust")
            cells += [time_text(thrust) + (mark if thrust else ""), ratio_cell(results.ratio(name, items, "cold"))]
            cells += [percent_cell(results.ratio(name, items, "cold", who)) for who in ("limit", "limit_waits")]
            cells += [percent_cell(results.beside_plain(name, items)) if target_of(name).plain else ""]
            rows.append([*cells, str(target_of(name)), verdict(results.met(name, items))])
    heads = ["cold", "items", "reheat us", "Thrust us", "× Thrust", "% of limit", "% of limit that waits", "% of `inclusive_scan`"]
    return table([*heads, "target", ""], rows) if rows else ""


def losses(results):
    lost = results.lost()
    compared = [row for row in results.times if results.ratio(*row) is not None]
    if not lost:
        return f"None of {len(compared)} rows is behind Thrust ({LEAST_RATIO:g})."
    lines = [f"{len(lost)} of {len(compared)} rows are behind Thrust ({LEAST_RATIO:g}):", ""]
    for ratio, name, items, clock in lost:
        times = [time_text(results.time(name, items, clock, who)) for who in ("reheat", "thrust")]
        lines.append(f"* `{name}`, {size_text(items)} items, {clock}: {ratio:.2f} ({times[0]} us, Thrust {times[1]} us)")
    return "\n".join(lines)


def targets(results):
    verdicts = {row: results.met(row[0], row[1]) for row in results.times if row[2] == "cold" and row[1] in LARGE}
    with_target = [met for met in verdicts.values() if met is not None]
    return f"{sum(with_target)} of {len(with_target)} rows of 64 MB of input and more meet their target."


def runs(results):
    """How many runs there were, how far apart they are, and whether the host was quiet in all of them."""
    lines = []
    count = results.context["runs"]
    if count > 1:
        apart = sorted(max(entry["runs"]) / min(entry["runs"]) - 1 for row in results.times.values() for entry in row.values())
        middle, most = apart[(len(apart) - 1) // 2], apart[(len(apart) * 95 + 99) // 100 - 1]
        lines.append(
            f"A time is the median of {count} runs. The slowest run of a row is slower than the fastest by {middle:.1%} at the median,"
            f" and by less than {most:.1%} in 95 % of the rows."
        )
    calls = results.context["empty_calls"]
    if calls:
        medians, tails = [median for median, _ in calls], max(p90 / median for median, p90 in calls)
        quiet = max(medians) <= QUIET_RUNS * min(medians) and tails <= QUIET_TAIL
        lines.append(
            f"The host was {'quiet' if quiet else '**not quiet**'}: an empty kernel and a wait for it took"
            f" {' / '.join(f'{median:.2f}' for median in medians)} us, the 90th percentile was {tails:.2f} times that or less."
        )
    return "\n".join(lines)


def failures(results):
    lines = [f"* `{name}`: {message}" for name, message in results.failures]
    return "\n".join(["**Failed:**", "", *lines]) if lines else ""


def markdown(results, full=True, folder="."):  # there is no link
    """Whole calls; with `full`, also the GPU's times."""
    context = results.context
    parts = [
        f"{context['gpu']}, driver {context['driver']}, CUDA {context['cuda']}, CCCL {context['cccl']}: `{context['command']}`."
        f" Above 1, reheat is faster; `▼`: slower than {LEAST_RATIO:g} of Thrust's speed. `h`: with the host's time."
        " The whole call: the host's time, the GPU idle before, data in the L2 cache where it fits. Cold: the L2 cache emptied before.",
        runs(results),
        failures(results),
        targets(results),
        losses(results),
    ]
    names = results.names()
    for title, algorithms in GROUPS.items():
        group = [name for name in names if algorithm_of(name) in algorithms]
        if group:
            parts += [f"**{title}**", speed_table(results, group), large_table(results, group) if full else ""]
    return "\n\n".join(part for part in parts if part)


def main(arguments=None):
    return pages.run("family", __doc__, load, markdown, arguments, has_report=True)


if __name__ == "__main__":
    sys.exit(main())

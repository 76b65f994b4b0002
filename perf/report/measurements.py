# SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
# SPDX-License-Identifier: Apache-2.0
"""Results of reheat-perf, read from its JSON."""

import json
from dataclasses import dataclass, field
from typing import NamedTuple

ALGORITHMS = ("reduce", "inclusive_scan", "exclusive_scan")
TYPES = ("i8", "i16", "i32", "i64", "f16", "bf16", "f32", "f64", "complex_f32", "complex_f64", "struct_12")
WITH_HOST_TIME = "with the host's time"  # a label: what reheat-perf could not time without the host
LIMITS = ("limit", "limit-early")  # of ordinary launches, and of those that start early as reheat's do
IMPLEMENTATIONS = ("reheat", "reheat-serial", "thrust", "thrust-pool", "cub", "cub-new", "cub-new-lookahead", *LIMITS)
OTHERS = ("cub", "cub-new", "cub-new-lookahead", "thrust", "thrust-pool")  # that reheat stands beside
GRAPH_CLOCKS = ("graph", "graph_foreign", "warm")

LARGE_BYTES = 64e6  # read and written: from here on a call's start and end do not matter
LEVEL = 0.98  # of another's speed: at least as fast, within what is measured
DENSE_SIZES = 64  # of one type inside graphs: from so many on, a report has what loses, and a plot of all of them


class ResultError(Exception):
    """A file is not what it should be. The message is one line."""


class Row(NamedTuple):
    """What implementations are measured against each other on: a benchmark's name but for its last part."""

    algorithm: str
    type: str
    operation: str
    input: str
    items: int
    clock: str

    def __str__(self):
        return "/".join(str(part) for part in self)

    def plain(self):
        """Sums over pointers: what most tables and plots are about."""
        return self.operation == "plus" and self.input == "pointer"


@dataclass
class Time:
    """Of one implementation on one row."""

    microseconds: float
    spread: float  # from the fastest to the slowest repetition, as a fraction of the median
    bytes: float  # read and written
    label: str
    again: float = None  # microseconds of a second measurement, with everything prepared anew

    def gigabytes_per_second(self):
        return self.bytes * 1e-3 / self.microseconds

    def difference(self):
        """Of the second measurement from the first, as a fraction of it; None if there is no second."""
        return None if self.again is None else self.again / self.microseconds - 1

    def tolerance(self):
        """How far two times inside a graph may be apart."""
        return 0.02 if self.bytes >= LARGE_BYTES else 0.05

    def steady(self, clock):
        """Whether neither the repetitions nor the two measurements are further apart than they may be."""
        return clock not in GRAPH_CLOCKS or max(self.spread, abs(self.difference() or 0)) <= self.tolerance()


@dataclass
class Results:
    contexts: list = field(default_factory=list)  # one per file
    rows: dict = field(default_factory=dict)  # Row → implementation → Time
    failures: list = field(default_factory=list)  # (name, message)
    drift: list = field(default_factory=list)  # per further file: its limit inside graphs / that of the first, row by row

    def ratio(self, row, other, ours="reheat"):
        """How many times faster than `other`; None where one of the two was not measured."""
        times = self.rows.get(row, {})
        if ours not in times or other not in times:
            return None
        if other not in LIMITS and (times[other].label == WITH_HOST_TIME) != (times[ours].label == WITH_HOST_TIME):
            return None
        return times[other].microseconds / times[ours].microseconds

    def ratio_again(self, row, other):
        """As ratio, of the second measurement; None where there is none."""
        ours, theirs = (self.rows.get(row, {}).get(who) for who in ("reheat", other))
        return theirs.again / ours.again if ours and theirs and ours.again and theirs.again else None

    def behind(self, row, other):
        """Whether reheat is slower than `other` every time the two were measured; None where they were not."""
        ratios = [ratio for ratio in (self.ratio(row, other), self.ratio_again(row, other)) if ratio is not None]
        return all(ratio < LEVEL for ratio in ratios) if ratios else None

    def without_sweeps(self):
        """The results but for the rows of sweeps, and those of each sweep: (algorithm, type) → rows, by size."""
        sweeps = {}
        for row in sorted(self.rows, key=lambda row: row.items):
            if row.clock == "graph" and row.plain():
                sweeps.setdefault((row.algorithm, row.type), []).append(row)
        sweeps = {name: rows for name, rows in sweeps.items() if len(rows) >= DENSE_SIZES}
        swept = {row for rows in sweeps.values() for row in rows}
        rest = {row: times for row, times in self.rows.items() if row not in swept}
        return Results(self.contexts, rest, self.failures, self.drift), sweeps

    def limit_of(self, row, who="reheat"):
        """The limit that has launches of the same kind as `who`: early ones for reheat, if that limit was measured."""
        return "limit-early" if who == "reheat" and "limit-early" in self.rows.get(row, {}) else "limit"

    def limit_fraction(self, row, who="reheat"):
        return None if who in LIMITS else self.ratio(row, self.limit_of(row, who), who)


def parse_name(name):
    parts = name.split("/")
    if len(parts) != 7 or not parts[4].isdigit():
        raise ResultError(f'"{name}" is no name of a benchmark of reheat-perf')
    return Row(*parts[:4], int(parts[4]), parts[5]), parts[6]


def load(path):
    """One file."""
    try:
        with open(path, encoding="utf-8") as file:
            document = json.load(file)
    except OSError as error:
        raise ResultError(f"{path}: {error.strerror}") from error
    except ValueError as error:
        raise ResultError(f"{path}: not JSON: {error}") from error
    if not isinstance(document, dict) or "benchmarks" not in document or "gpu" not in document.get("context", {}):
        raise ResultError(f"{path}: not written by reheat-perf --json")
    made = Results(contexts=[document["context"]])
    for entry in document["benchmarks"]:
        row, who = parse_name(entry["name"])
        if entry.get("error_occurred"):
            made.failures.append((entry["name"], entry.get("error_message", "")))
            continue
        if entry.get("time_unit") != "us":
            raise ResultError(f"{path}: {entry['name']} is not in microseconds")
        made.rows.setdefault(row, {})[who] = Time(
            entry["real_time"], entry.get("spread", 0.0), entry.get("bytes", 0.0), entry.get("label", ""), entry.get("again")
        )
    return made


def merge(paths):
    """Several files of the same GPU. Each brings its limit; the first file's counts."""
    merged = load(paths[0])
    for path in paths[1:]:
        more = load(path)
        gpu, other = merged.contexts[0]["gpu"], more.contexts[0]["gpu"]
        if gpu != other:
            raise ResultError(f"{path} is of an {other}, {paths[0]} of an {gpu}: they do not belong in one report")
        merged.contexts += more.contexts
        merged.failures += more.failures
        pairs = [(times.get("limit"), merged.rows.get(row, {}).get("limit")) for row, times in more.rows.items() if row.clock == "graph"]
        merged.drift.append([new.microseconds / first.microseconds for new, first in pairs if new and first])
        for row, times in more.rows.items():
            known = merged.rows.setdefault(row, {})
            for who, time in times.items():
                if who in known and who not in LIMITS:
                    raise ResultError(f"{path} and {paths[0]} both measure {row}/{who}: name one of them")
                known.setdefault(who, time)
    return merged


def load_reference(path):
    """(Row, implementation) → microseconds, from lines of `name,microseconds`; # begins a comment."""
    try:
        with open(path, encoding="utf-8") as file:
            lines = [line.strip() for line in file if line.strip() and not line.startswith("#")]
    except OSError as error:
        raise ResultError(f"{path}: {error.strerror}") from error
    times = {}
    for line in lines:
        name, _, value = line.partition(",")
        try:
            times[parse_name(name)] = float(value)
        except ValueError as error:
            raise ResultError(f'{path}: "{line}" is not a name and microseconds') from error
    return times

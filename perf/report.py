#!/usr/bin/env python3
# SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
# SPDX-License-Identifier: Apache-2.0
"""Turns results of reheat-perf into a Markdown report with plots, in a folder beside the first file."""

import argparse
import os
import sys

import measurements
from measurements import ALGORITHMS, IMPLEMENTATIONS, TYPES

CLOCK_TITLES = {
    "graph": "GPU time inside a graph, over buffers larger than the L2 cache",
    "warm": "GPU time inside a graph, on data that stays in the L2 cache",
    "cold": "GPU time of one call, L2 cache emptied before",
    "wall": "Host time of the public call, which waits",
    "wall_nosync": "Host time of the public call that only enqueues",
    "wall_poll": "Host time of a launch whose result the host polls",
}


# ---- Markdown ------------------------------------------------------------------------------------------------------------


def significant(value):
    return f"{value:.2f}" if value < 100 else f"{value:.1f}" if value < 1000 else f"{value:.0f}"


def size_text(count):
    power = count.bit_length() - 1
    for offset, suffix in ((0, ""), (-1, " - 1"), (1, " + 1")):
        base = count - offset
        if base > 1 and base & (base - 1) == 0 and (offset == 0 or power >= 8):
            return f"2^{base.bit_length() - 1}{suffix}"
    return str(count)


def ratio_cell(ratio):
    """A row that loses is bold, and says so without colour."""
    if ratio is None:
        return ""
    return f"**{ratio:.2f} ▼**" if round(ratio, 2) < 1 else f"{ratio:.2f}"


def time_cell(time, clock):
    if time is None:
        return ""
    return f"{significant(time.microseconds)}{'' if time.steady(clock) else ' ~'}"


def columns_of(results, rows):
    return [who for who in IMPLEMENTATIONS if any(who in results.rows[row] for row in rows)]


def table(results, rows, clock, varying):
    """`varying`: the parts of a row that differ within the table."""
    present = columns_of(results, rows)
    compared = [who for who in ("cub", "cub-new", "thrust") if who in present and "reheat" in present]
    gpu_clock = clock in ("graph", "warm", "cold")
    heads = [*varying, "items"] + (["MB"] if gpu_clock else []) + [f"{who} us" for who in present]
    heads += ["GB/s", "% of limit"] if gpu_clock and "reheat" in present else []
    heads += [f"× {who}" for who in compared]
    lines = ["| " + " | ".join(heads) + " |", "|" + "---|" * len(varying) + "--:|" * (len(heads) - len(varying))]
    for row in rows:
        times = results.rows[row]
        cells = [getattr(row, part) for part in varying] + [size_text(row.items)]
        if gpu_clock:
            cells.append(f"{next(iter(times.values())).bytes * 1e-6:.3g}")
        cells += [time_cell(times.get(who), clock) for who in present]
        if gpu_clock and "reheat" in present:
            fraction = results.limit_fraction(row)
            cells.append(f"{times['reheat'].gigabytes_per_second():.0f}" if "reheat" in times else "")
            cells.append("" if fraction is None else f"{100 * fraction:.0f}")
        cells += [ratio_cell(results.ratio(row, who)) for who in compared]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def row_order(row):
    return ALGORITHMS.index(row.algorithm), TYPES.index(row.type), row.operation, row.input, row.items


def select(results, **wanted):
    chosen = [row for row in results.rows if all(getattr(row, part) == value for part, value in wanted.items())]
    return sorted(chosen, key=row_order)


def headline(results):
    """The largest row of each type, in a graph: what large inputs take."""
    lines = ["| largest input | " + " | ".join(TYPES) + " |", "|---|" + "--:|" * len(TYPES)]
    for algorithm in ALGORITHMS:
        for other in ("thrust", "cub", "limit"):
            cells = []
            for kind in TYPES:
                rows = [row for row in select(results, algorithm=algorithm, type=kind, clock="graph") if row.plain()]
                ratio = results.ratio(rows[-1], other) if rows else None
                cells.append("" if ratio is None else f"{100 * ratio:.0f} %" if other == "limit" else ratio_cell(ratio))
            if any(cells):
                name = "of the limit" if other == "limit" else f"× {other}"
                lines.append(f"| `{algorithm}`, {name} | " + " | ".join(cells) + " |")
    return "\n".join(lines) if len(lines) > 2 else ""


def context_text(results):
    lines = []
    for context in results.contexts:
        known = {name: context.get(name, "unknown") for name in ("gpu", "driver", "cuda", "cccl", "reheat", "date", "command")}
        lines.append(
            "{gpu}, driver {driver}, CUDA {cuda}, CCCL {cccl}, reheat {reheat}, {date}: `{command}`".format(**known)
            + f"; multiprocessors at {context.get('multiprocessor_clock', 'unknown')},"
            + f" memory at {context.get('memory_clock', 'unknown')}."
        )
    return "\n\n".join(lines)


def losing(results):
    """How many rows reheat loses, by clock."""
    text = []
    for clock in CLOCK_TITLES:
        for other in ("cub", "thrust"):
            ratios = [results.ratio(row, other) for row in results.rows if row.clock == clock]
            ratios = [ratio for ratio in ratios if ratio is not None]
            if ratios:
                lost = sum(round(ratio, 2) < 1 for ratio in ratios)
                text.append(f"* {clock}: {len(ratios) - lost} of {len(ratios)} rows at least as fast as {other}, {lost} slower")
    return "\n".join(text)


def markdown(results, pictures):
    parts = [f"# {results.contexts[0]['gpu']}", context_text(results)]
    parts.append(
        "`▼` marks what reheat loses, `~` a time whose repetitions differ by more than 5 % (2 % from 64 MB on). A ratio says how"
        " many times faster than the other reheat is; `limit` is the fastest copy (scans), the fastest read-only kernel"
        " (reduce), or a launch that does nothing (host times), of the same run."
    )
    parts += [losing(results), headline(results)]
    for algorithm in ALGORITHMS:
        section = []
        for clock, title in CLOCK_TITLES.items():
            rows = select(results, algorithm=algorithm, clock=clock)
            plain = [row for row in rows if row.plain()]
            others = [row for row in rows if not row.plain()]
            if plain:
                section += [f"### {title}", table(results, plain, clock, ["type"])]
            if others:
                section += [f"### {title}: other operators and inputs"]
                section += [table(results, others, clock, ["type", "operation", "input"])]
        if section:
            images = [f"![{text}]({file})" for name, text, file in pictures if name == algorithm]
            parts += [f"## {algorithm}", *images, *section]
    if results.failures:
        parts.append("## Failed\n\n" + "\n".join(f"* `{name}`: {message}" for name, message in results.failures))
    return "\n\n".join(part for part in parts if part) + "\n"


def main(arguments=None):
    parser = argparse.ArgumentParser(prog="report.py", description=__doc__)
    parser.add_argument("results", nargs="+", help="JSON files of reheat-perf; of several, the first file's limit counts")
    parser.add_argument("--out", help="folder for report.md and the plots (default: the first file's name without .json)")
    parser.add_argument("--no-plots", action="store_true", help="only report.md; needs no matplotlib")
    chosen = parser.parse_args(arguments)
    folder = chosen.out or os.path.splitext(chosen.results[0])[0]
    try:
        results = measurements.merge(chosen.results)
        os.makedirs(folder, exist_ok=True)
        pictures = []
        if not chosen.no_plots:
            try:
                import plots  # only now: the report without plots needs no matplotlib
            except ImportError as error:
                raise measurements.ResultError(f"{error}; install python3-matplotlib, or take --no-plots") from error
            pictures = plots.draw_all(results, folder)
        path = os.path.join(folder, "report.md")
        with open(path, "w", encoding="utf-8") as file:
            file.write(markdown(results, pictures))
    except measurements.ResultError as error:
        print(f"report.py: {error}", file=sys.stderr)
        return 2
    except OSError as error:
        print(f"report.py: {error.filename}: {error.strerror}", file=sys.stderr)
        return 2
    print(f"{path}: {len(results.rows)} rows, {len(pictures)} plots")
    return 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
# SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
# SPDX-License-Identifier: Apache-2.0
"""Turns results of reheat-perf into a Markdown report with plots, in a folder beside the first file."""

import argparse
import os
import sys

import measurements
import pages
import targets
from measurements import ALGORITHMS, GRAPH_CLOCKS, IMPLEMENTATIONS, LARGE_BYTES, LEVEL, OTHERS, TYPES, WITH_HOST_TIME, Row

CLOCK_TITLES = {
    "graph": "GPU time inside a graph, behind another such call, over buffers larger than the L2 cache",
    "graph_foreign": "GPU time inside a graph, behind a foreign kernel, over buffers larger than the L2 cache",
    "warm": "GPU time inside a graph, behind another such call, on data that stays in the L2 cache",
    "cold": "GPU time of one call, L2 cache emptied before",
    "wall": "Host time of the public call, which waits, GPU idle before",
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
    marks = (" h" if time.label == WITH_HOST_TIME else "") + ("" if time.steady(clock) else " ~")
    return significant(time.microseconds) + marks


def three_digits(value):
    return f"{value:.0f}" if value >= 100 else f"{value:.3g}"


def byte_text(value):
    for unit, size in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if value >= size:
            return f"{value / size:.3g} {unit}"
    return f"{value:.0f} B"


def columns_of(results, rows):
    return [who for who in IMPLEMENTATIONS if any(who in results.rows[row] for row in rows)]


def table(results, rows, clock, varying):
    """`varying`: the parts of a row that differ within the table."""
    present = columns_of(results, rows)
    compared = [who for who in OTHERS if who in present and "reheat" in present]
    gpu_clock = clock in (*GRAPH_CLOCKS, "cold")
    heads = [*varying, "items"] + (["moved"] if gpu_clock else []) + [f"{who} us" for who in present]
    heads += ["GB/s", "% of limit"] if gpu_clock and "reheat" in present else []
    heads += [f"× {who}" for who in compared]
    lines = ["| " + " | ".join(heads) + " |", "|" + "---|" * len(varying) + "--:|" * (len(heads) - len(varying))]
    for row in rows:
        times = results.rows[row]
        cells = [getattr(row, part) for part in varying] + [size_text(row.items)]
        if gpu_clock:
            cells.append(byte_text(next(iter(times.values())).bytes))
        cells += [time_cell(times.get(who), clock) for who in present]
        if gpu_clock and "reheat" in present:
            fraction = results.limit_fraction(row)
            cells.append(three_digits(times["reheat"].gigabytes_per_second()) if "reheat" in times else "")
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
        for other in ("thrust", "cub", "cub-new", "cub-new-lookahead", "limit"):
            cells = []
            for kind in TYPES:
                rows = [row for row in select(results, algorithm=algorithm, type=kind, clock="graph") if row.plain()]
                ratio = None
                if rows:
                    ratio = results.limit_fraction(rows[-1]) if other == "limit" else results.ratio(rows[-1], other)
                cells.append("" if ratio is None else f"{100 * ratio:.0f} %" if other == "limit" else ratio_cell(ratio))
            if any(cells):
                name = "of the limit" if other == "limit" else f"× {other}"
                lines.append(f"| `{algorithm}`, {name} | " + " | ".join(cells) + " |")
    return "\n".join(lines) if len(lines) > 2 else ""


SMALL_ITEMS = 2**20
WAYS = (  # (clock, who is compared, heading)
    ("graph", "reheat", "behind its own kind"),
    ("graph", "reheat-serial", "the same, no early starts"),
    ("graph_foreign", "reheat", "behind a foreign kernel"),
)


def small_inputs(results):
    """How much of a ratio at small sizes comes from early starts behind reheat's own calls."""
    rows = [row for row in results.rows if row.plain() and row.items <= SMALL_ITEMS and row.clock == "graph_foreign"]
    others = [other for other in ("cub", "cub-new", "cub-new-lookahead") if any(results.ratio(row, other) for row in rows)]
    if not others:
        return ""
    heads = ["algorithm", "type", "items"] + [f"× {other}, {text}" for other in others for _, _, text in WAYS]
    lines = ["| " + " | ".join(heads) + " |", "|---|---|" + "--:|" * (len(heads) - 2)]
    for row in sorted(rows, key=row_order):
        cells = [f"`{row.algorithm}`", row.type, size_text(row.items)]
        cells += [ratio_cell(results.ratio(row._replace(clock=clock), other, ours)) for other in others for clock, ours, _ in WAYS]
        lines.append("| " + " | ".join(cells) + " |")
    text = (
        "GPU time inside graphs, over buffers larger than the L2 cache. A captured launch of reheat's starts early only directly behind"
        " another one of reheat's. Behind a foreign kernel, and as `reheat-serial`, it does not."
    )
    return "\n\n".join(["## Small inputs without early starts", text, "\n".join(lines)])


def context_text(results):
    lines = []
    for context in results.contexts:
        known = {name: context.get(name, "unknown") for name in ("gpu", "driver", "cuda", "cccl", "reheat", "date", "command")}
        if "cccl_of_cub_new" in context:
            known["cccl"] += f" (`cub-new`: {context['cccl_of_cub_new']})"
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
        for ours in ("reheat", "reheat-serial"):
            for other in OTHERS:
                ratios = [results.ratio(row, other, ours) for row in results.rows if row.clock == clock]
                ratios = [ratio for ratio in ratios if ratio is not None]
                if ratios:
                    lost = sum(round(ratio, 2) < 1 for ratio in ratios)
                    who = "" if ours == "reheat" else f", {ours}"
                    text.append(f"* {clock}{who}: {len(ratios) - lost} of {len(ratios)} rows at least as fast as {other}, {lost} slower")
    return "\n".join(text)


def steadiness(results):
    """What two measurements of the same row differ by."""
    found = []
    for large, text in ((True, "from 64 MB on"), (False, "below 64 MB")):
        times = [
            (abs(time.difference()), f"{row}/{who}", time)
            for row, all_times in results.rows.items()
            for who, time in all_times.items()
            if time.again is not None and (time.bytes >= LARGE_BYTES) == large
        ]
        if times:
            times.sort(key=lambda each: each[:2], reverse=True)
            beyond = [each for each in times if each[0] > each[2].tolerance()]
            middle = times[len(times) // 2][0]
            found.append(
                f"* {text}: {len(times) - len(beyond)} of {len(times)} times within {times[0][2].tolerance():.0%};"
                f" the median differs by {middle:.2%}, the worst by {times[0][0]:.1%} (`{times[0][1]}`)"
            )
            found += [f"  * beyond: {difference:.1%}, `{name}`" for difference, name, _ in beyond]
    return "\n".join(["## Measured twice", "", "The same row inside a graph, at two times of the run:", "", *found]) if found else ""


def percentile(values, percent):
    return sorted(values)[(len(values) * percent + 99) // 100 - 1]


def sweep_summary(results, rows, name, other):
    """What a dense sweep comes to, and whether two measurements of a ratio agree well enough for that."""
    ratios = [ratio for ratio in (results.ratio(row, other) for row in rows) if ratio]
    once = [row for row in rows if not results.behind(row, other) and (results.ratio(row, other) or LEVEL) < LEVEL]
    lost = sum(bool(results.behind(row, other)) for row in rows)
    text = f"* {name}: {len(ratios) - lost} of {len(ratios)} sizes at least at {LEVEL:g} of {other}'s speed, {lost} behind"
    text += f"; ratios from {min(ratios):.2f} to {max(ratios):.2f}, the median {percentile(ratios, 50):.2f}"
    pairs = [(results.ratio(row, other), results.ratio_again(row, other)) for row in rows]
    moved = [abs(again / ratio - 1) for ratio, again in pairs if ratio and again]
    if moved:
        text += f". Measured again, a ratio differs by {percentile(moved, 50):.1%} at the median, by less than"
        text += f" {percentile(moved, 95):.1%} at 95 % of the sizes; {len(once)} were behind the first time alone"
    return text + "."


def sweep_losses(results, sweeps, other):
    heads = ["algorithm", "type", "items", "moved", "reheat us", f"{other} us", f"× {other}", f"× {other}, again"]
    lines = ["| " + " | ".join(heads) + " |", "|" + "---|" * 2 + "--:|" * (len(heads) - 2)]
    for (algorithm, kind), rows in sweeps.items():
        for row in rows:
            if results.behind(row, other):
                ours, theirs = results.rows[row]["reheat"], results.rows[row][other]
                again = results.ratio_again(row, other)
                cells = [f"`{algorithm}`", kind, size_text(row.items), byte_text(ours.bytes)]
                cells += [significant(ours.microseconds), significant(theirs.microseconds)]
                cells += [f"**{results.ratio(row, other):.3f} ▼**", "" if again is None else f"**{again:.3f} ▼**"]
                lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines) if len(lines) > 2 else "None is behind."


def sweep_sections(results, sweeps, pictures):
    """Of types with very many sizes: what loses, and a plot of each."""
    others = [other for other in ("cub", "cub-new") if any(results.behind(row, other) is not None for rows in sweeps.values() for row in rows)]
    if not others:
        return []
    parts = ["## Dense sweeps", f"A size is behind if reheat has less than {LEVEL:g} of the other's speed each time it was measured."]
    for other in others:
        of_other = {name: [row for row in rows if results.behind(row, other) is not None] for name, rows in sweeps.items()}
        of_other = {name: rows for name, rows in of_other.items() if rows}
        parts.append("\n".join(sweep_summary(results, rows, " of ".join(name), other) for name, rows in of_other.items()))
        parts.append(sweep_losses(results, of_other, other))
    return parts + [f"![{text}]({file})" for name, text, file in pictures if name == "sweep"]


def drift(results):
    """How alike the conditions of several files were."""
    lines = []
    for context, ratios in zip(results.contexts[1:], results.drift):
        if ratios:
            ratios = sorted(ratios)
            lines.append(
                f"The limit measured with CCCL {context.get('cccl', 'unknown')} is {ratios[len(ratios) // 2] - 1:+.1%} from that of the"
                f" first file at the median of {len(ratios)} rows inside graphs ({ratios[0] - 1:+.1%} to {ratios[-1] - 1:+.1%}): what was"
                " measured in different runs is comparable to that."
            )
    return "\n\n".join(lines)


def agreement(results, reference):
    """Beside times from elsewhere: further apart than 15 %, or 5 % from 64 MB on, is marked."""
    lines = []
    for (row, who), there in sorted(reference.items(), key=lambda each: (row_order(each[0][0]), each[0][1])):
        here = results.rows.get(row, {}).get(who)
        if here is not None:
            difference = here.microseconds / there - 1
            mark = " ~" if abs(difference) > (0.05 if here.bytes >= LARGE_BYTES else 0.15) else ""
            warm = results.rows.get(row._replace(clock="warm"), {}).get(who)
            cells = [f"`{row}/{who}`", byte_text(here.bytes), significant(there), significant(here.microseconds)]
            lines.append("| " + " | ".join([*cells, f"{difference:+.1%}{mark}", significant(warm.microseconds) if warm else ""]) + " |")
    if not lines:
        return ""
    heads = "| | moved | there us | here us | differs by | here, warm us |\n|---|--:|--:|--:|--:|--:|"
    return "\n".join(["## Beside an independent measurement", "", "`~`: by more than 15 %, or 5 % from 64 MB on.", "", heads, *lines])


# ---- README --------------------------------------------------------------------------------------------------------------

README_SIZES = (8, 12, 16, 20, 24, 28)
README_ROWS = (  # whole calls first; then kernels, from level and slower to faster
    ("reduce", "i32", "wall", "thrust"),
    ("inclusive_scan", "i32", "wall", "thrust"),
    ("reduce", "i32", "graph", "cub"),
    ("reduce", "i32", "graph_foreign", "cub"),
    ("inclusive_scan", "i32", "graph_foreign", "cub"),
    ("inclusive_scan", "i32", "graph", "cub"),
    ("inclusive_scan", "i8", "graph", "cub"),
)
README_TYPES = {"i8": "`int8_t`", "i32": "`int32_t`"}
README_CLOCKS = {"wall": "Thrust, whole call", "graph": "CUB, GPU time", "graph_foreign": "CUB, behind another kernel"}


def readme_ratios(results, algorithm, kind, clock, other):
    return [results.ratio(Row(algorithm, kind, "plus", "pointer", 2**power, clock), other) for power in README_SIZES]


def readme_sentence(results):
    """What reheat is, with the range of the table's whole calls."""
    speeds = []
    for algorithm, kind, clock, other in README_ROWS:
        ratios = [ratio for ratio in readme_ratios(results, algorithm, kind, clock, other) if ratio]
        if clock == "wall" and ratios:
            of, beside = ("", "") if speeds else (f" of {README_TYPES[kind]}", " as with `thrust::device`")
            speeds.append(f"`thrust::{algorithm}`{of} is {min(ratios):.1f} to {max(ratios):.1f} times as fast{beside}")
    what = "reheat is an execution policy that makes Thrust's reductions and scans faster"
    return f"{what}: on an {results.contexts[0]['gpu']}, {', and '.join(speeds)}." if speeds else f"{what}."


def readme_table(results):
    heads = [results.contexts[0]["gpu"], "compared with", *(f"2^{power} items" for power in README_SIZES)]
    lines = ["| " + " | ".join(heads) + " |", "|---|---|" + "--:|" * len(README_SIZES)]
    for algorithm, kind, clock, other in README_ROWS:
        ratios = readme_ratios(results, algorithm, kind, clock, other)
        if any(ratios):
            cells = [f"`{algorithm}` of {README_TYPES[kind]}", README_CLOCKS[clock], *map(ratio_cell, ratios)]
            lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def readme_lost(results):
    """How many of all rows inside graphs lose, beside each CUB that was measured."""
    versions = {"cub": results.contexts[0].get("cccl", "unknown"), "cub-new": results.contexts[-1].get("cccl", "unknown")}
    for context in results.contexts:  # a program may have measured both
        versions["cub-new"] = context.get("cccl_of_cub_new", versions["cub-new"])
    text = []
    for other, version in versions.items():
        ratios = [results.ratio(row, other) for row in results.rows if row.clock in ("graph", "graph_foreign")]
        ratios = [ratio for ratio in ratios if ratio is not None]
        if ratios:
            text.append(f"{sum(round(ratio, 2) < 1 for ratio in ratios)} of {len(ratios)} rows beside CUB {version}")
    return " and ".join(text)


def readme_figures(results, folder):
    """The table and what to know of it; `folder` as seen from the README."""
    context = results.contexts[0]
    lost = readme_lost(results)
    lines = [
        readme_table(results),
        "",
        "Times as fast: above 1.00 reheat is faster, 1.00 is level, `▼` is slower. A whole call is timed on the host. GPU time is the time of a",
        "call inside a CUDA graph, on memory that is not in the L2 cache. A call there follows another one of its kind, which favours reheat for",
        f"small inputs, or a kernel of somebody else's where the row says so ([clocks](perf/README.md#clocks)). CCCL {context.get('cccl', 'unknown')}, {context.get('date', '')[:10]}."
        + (f" Slower in GPU time: {lost}." if lost else ""),
        f"[All rows]({folder}/report.md) · [Commands](perf/README.md#published-numbers) · [What is slower](perf/README.md#what-is-missed)",
    ]
    return "\n".join(lines)


def rewrite_readme(results, path, folder):
    near = os.path.relpath(os.path.abspath(folder), os.path.dirname(os.path.abspath(path))).replace(os.sep, "/")
    pages.rewrite(path, "perf", readme_figures(results, near))
    pages.rewrite(path, "perf", readme_sentence(results), "sentence")


def markdown(everything, pictures, reference):
    results, sweeps = everything.without_sweeps()
    parts = [f"# {results.contexts[0]['gpu']}", context_text(results)]
    parts.append(
        "A ratio is the other's time divided by reheat's: above 1, reheat is faster. `▼` marks what reheat loses; `~` a time whose"
        " repetitions, or whose two measurements, differ by more than 5 % (2 % from 64 MB on); `h` a time that contains the host's,"
        " so that it has no ratio. `limit` is the fastest copy (scans), the fastest read-only kernel"
        " (reduce), or a launch that does nothing (host times), of the same run. `limit-early` is the fastest of those and of kernels"
        " that start early as reheat's do; `% of limit` is of it, where there is one."
    )
    parts += [losing(results), headline(results), small_inputs(results), steadiness(results), drift(results), agreement(results, reference)]
    parts.append(targets.section(results, size_text))
    parts += sweep_sections(everything, sweeps, pictures)
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
    parser.add_argument("--reference", help="times from elsewhere, lines of `name,microseconds`, to compare with")
    parser.add_argument("--readme", help="file whose sentence and table are renewed, between its perf marks")
    chosen = parser.parse_args(arguments)
    folder = chosen.out or os.path.splitext(chosen.results[0])[0]
    try:
        results = measurements.merge(chosen.results)
        reference = measurements.load_reference(chosen.reference) if chosen.reference else {}
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
            file.write(markdown(results, pictures, reference))
        if chosen.readme:
            rewrite_readme(results, chosen.readme, folder)
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

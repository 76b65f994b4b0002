#!/usr/bin/env python3
# SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
# SPDX-License-Identifier: Apache-2.0
"""Turns a result of reheat-ladder into the tables of docs/ladder.md, between its marks, and one plot per table."""

import argparse
import json
import os
import sys

# What the kernels' authors measured: for comparison, on other GPUs.
AUTHORS = {
    "scan_then_fan_serial": "72390 us",
    "scan_then_fan_shared": "33726 us",
    "scan_then_fan_warps": "9948 us",
    "scan_then_fan_kogge_stone": "7595 us",
    "scan_then_fan_padded": "7516 us",
    "scan_then_fan_recursive": "3972 us",
    "scan_then_fan_shuffle": "3747 us",
    "scan_then_fan_predicated": "3442 us",
    "reduce_then_scan_recursive": "3503 us",
    "reduce_then_scan_two_pass": "2467 us",
    "hillis_steele_global": "0.106 ms",
    "hillis_steele_shared": "0.095 ms",
    "reduce0_interleaved_modulo": "~400 GB/s",
    "reduce1_interleaved_strided": "~400 GB/s",
    "reduce2_sequential_addressing": "~400 GB/s",
    "reduce3_first_add_on_load": "~400 GB/s",
    "reduce4_last_warp_shuffle": "~400 GB/s",
    "reduce5_unrolled": "~400 GB/s",
    "reduce6_grid_stride": "~800 GB/s",
    "reduce7_warp_then_warp": "~800 GB/s",
    "reduce_halving_global": "30 ms",
    "reduce_halving_static_shared": "18 ms",
    "reduce_halving_dynamic_shared": "18 ms",
}
BASELINES = {  # table -> row -> what its author measured
    1: {"cub": "1444 us"},
    2: {"cpu_sequential": "2.15 ms", "thrust": "0.136 ms"},
    3: {},
    4: {"cpu_sequential": "267 ms"},
}
GPUS = {1: "a GPU that is not named", 2: "RTX 2070 SUPER", 3: "RTX 4090", 4: "GTX 1050"}
CLOSING = ("cpu_sequential", "thrust", "cub", "default", "limit")
WHAT = {
    "cpu_sequential": "one loop on the host",
    "thrust": "upstream, the public call",
    "cub": "upstream, the device algorithm",
    "default": "`reheat::par` without an option",
    "limit": "a plain copy, or reading only",
}


class ResultError(Exception):
    pass


def load(path):
    """context, and {table: {(type, items): {row: measurement}}}"""
    try:
        with open(path, encoding="utf-8") as file:
            content = json.load(file)
        tables = {}
        for row in content["benchmarks"]:
            _, table, kind, items, name = row["name"].split("/")
            tables.setdefault(int(table), {}).setdefault((kind, int(items)), {})[name] = row
        return content["context"], tables
    except (KeyError, ValueError) as error:
        raise ResultError(f"{path} is not a result of reheat-ladder: {error}") from error


def time_text(row):
    value = row["real_time"]
    text = f"{value:.2f}" if value < 100 else f"{value:.0f}"
    return text + (" h" if row["host_time"] else "")


def size_text(items):
    power = items.bit_length() - 1
    return f"2^{power}" if items == 1 << power else f"10^{len(str(items)) - 1}"


def times(ratio):
    return f"{ratio:.2f}" if ratio < 100 else f"{ratio:.0f}"


def ordered(parts):
    """Rungs of all parts in the order of the largest part, then the closing rows."""
    names = []
    for rows in parts.values():
        names += [name for name in rows if name not in names and name not in CLOSING]
    return names + [name for name in CLOSING if any(name in rows for rows in parts.values())]


def speed_table(table, parts, rungs):
    """One line per rung; columns per type and size."""
    lines = []
    for (kind, items), rows in parts.items():
        heads = ["rung", "what changed", "us", "GB/s", "% of limit", "× the rung before", "× the first", f"author, {GPUS[table]}"]
        lines += [f"**{size_text(items)} items of {kind}**", "", "| " + " | ".join(heads) + " |", "|---|---|" + "--:|" * 5 + "---|"]
        first = before = None
        for name in ordered({0: rows}):
            row = rows[name]
            time = row["real_time"]
            is_rung = name not in CLOSING
            author = AUTHORS.get(name, "") if is_rung else BASELINES[table].get(name, "")
            first = first or (time if is_rung else None)
            cells = [f"`{name}`" if is_rung else name, rungs[name] if is_rung else WHAT[name], time_text(row)]
            cells += [f"{row['bytes'] / time * 1e-3:.3g}", f"{100 * rows['limit']['real_time'] / time:.3g}"]
            cells += [times(before / time) if is_rung and before else "", times(first / time) if first else "", author]
            before = time if is_rung else before
            lines.append("| " + " | ".join(cells) + " |")
        lines.append("")
    return lines


def accuracy_table(parts):
    kinds = list(parts)
    heads = ["row"] + [f"{kind}: {text}" for kind, _ in kinds for text in ("result", "error")]
    lines = ["| " + " | ".join(heads) + " |", "|---|" + "--:|" * (2 * len(kinds))]
    for name in ordered(parts):
        if name != "limit":
            cells = [f"`{name}`" if name not in CLOSING else name]
            for part in kinds:
                row = parts[part].get(name, {})
                cells += [f"{row['result']:.9f}".rstrip("0").rstrip("."), f"{row['error']:.3g}"] if "result" in row else ["", ""]
            lines.append("| " + " | ".join(cells) + " |")
    return lines


def block(table, parts, context, folder):
    lines = [f"![table {table}: how fast each rung is]({folder}/table_{table}.svg)", ""]
    lines += speed_table(table, parts, context["rungs"])
    if table in (2, 4):
        lines += accuracy_table(parts) + [""]
    lines.append(
        f"{context['gpu']}, CUDA {context['cuda']}, CCCL {context['cccl']}: `{context['command']}`. `h`: the host's time, because the"
        " call waits or is the host's."
    )
    return "\n".join(lines)


def rewrite(path, tables, context, folder):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    for table, parts in tables.items():
        begin, end = f"<!-- ladder-table {table} -->", f"<!-- /ladder-table {table} -->"
        head, found, rest = text.partition(begin)
        _, closed, tail = rest.partition(end)
        if not found or not closed:
            raise ResultError(f"{path} has no {begin} … {end}")
        text = f"{head}{begin}\n{block(table, parts, context, folder)}\n{end}{tail}"
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def draw(table, parts, context, folder):
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    panels = {part: rows for part, rows in parts.items() if len(rows) > len(CLOSING)}
    names = max((ordered({0: rows}) for rows in panels.values()), key=len)
    with plt.rc_context({"font.size": 9, "svg.fonttype": "none", "svg.hashsalt": "ladder"}):
        figure, grid = plt.subplots(
            1, len(panels), figsize=(2.4 + 3.2 * len(panels), 1.2 + 0.26 * len(names)), sharey=False, squeeze=False, layout="constrained"
        )
        for axes, ((kind, items), rows) in zip(grid.flat, panels.items()):
            shown = [name for name in ordered({0: rows}) if name != "limit"][::-1]
            percent = [100 * rows["limit"]["real_time"] / rows[name]["real_time"] for name in shown]
            shades = ["#d95f02" if name == "default" else "#999999" if name in CLOSING else "#4477aa" for name in shown]
            axes.barh(shown, percent, color=shades)
            for place, value in enumerate(percent):
                axes.text(value, place, f" {value:.3g}", va="center", fontsize=8)
            axes.set_xscale("log")
            axes.set_xlim(right=1000)
            axes.set_xlabel("% of the limit")
            axes.set_title(f"{size_text(items)} items of {kind}")
            axes.grid(True, axis="x", color="#dddddd", linewidth=0.6)
            axes.set_axisbelow(True)
        figure.suptitle(f"{context['gpu']}", x=0.01, ha="left")
        figure.savefig(os.path.join(folder, f"table_{table}.svg"), metadata={"Date": None})
        plt.close(figure)


def main(arguments=None):
    parser = argparse.ArgumentParser(prog="ladder_report.py", description=__doc__)
    parser.add_argument("result", help="JSON file of reheat-ladder")
    parser.add_argument("--page", required=True, help="file whose tables are renewed, between its ladder-table marks")
    parser.add_argument("--no-plots", action="store_true", help="only the tables; needs no matplotlib")
    chosen = parser.parse_args(arguments)
    folder = os.path.splitext(chosen.result)[0]
    try:
        context, tables = load(chosen.result)
        near = os.path.relpath(os.path.abspath(folder), os.path.dirname(os.path.abspath(chosen.page))).replace(os.sep, "/")
        if not chosen.no_plots:
            os.makedirs(folder, exist_ok=True)
            for table, parts in tables.items():
                draw(table, parts, context, folder)
        rewrite(chosen.page, tables, context, near)
    except ImportError as error:
        print(f"ladder_report.py: {error}; install python3-matplotlib, or take --no-plots", file=sys.stderr)
        return 2
    except (ResultError, OSError) as error:
        print(f"ladder_report.py: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())

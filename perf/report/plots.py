# SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
# SPDX-License-Identifier: Apache-2.0
"""The plots of report.py: throughput, host time, ratios; and those of segments_report.py and sort_report.py. Each as PNG and as SVG."""

import math
import os

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
from matplotlib import colors, patches, ticker
from measurements import ALGORITHMS, LEVEL, TYPES

# Okabe and Ito's palette, which people with the common kinds of colour blindness tell apart; markers differ as well.
STYLES = {
    "limit": {"color": "#000000", "linestyle": "--", "linewidth": 1.4, "label": "limit"},
    "limit-early": {"color": "#666666", "linestyle": ":", "linewidth": 1.4, "label": "limit, early launches"},
    "thrust-pool": {"color": "#009E73", "linestyle": "--", "label": "Thrust, pool"},
    "thrust": {"color": "#009E73", "marker": "^", "markersize": 8, "fillstyle": "none", "label": "Thrust"},  # often under CUB
    "by-key": {"color": "#E69F00", "marker": "v", "label": "by key"},
    "warp": {"color": "#56B4E9", "marker": "x", "label": "a warp per segment"},
    "cub": {"color": "#0072B2", "marker": "s", "label": "CUB"},
    "cub-new": {"color": "#CC79A7", "marker": "D", "label": "CUB, newer"},
    "reheat": {"color": "#D55E00", "marker": "o", "linewidth": 2.2, "label": "reheat"},
}
COMMON = {"linewidth": 1.4, "markersize": 4}


# The salt: the same numbers give the same file.
TEXT = {"font.size": 10, "axes.titlesize": 11, "svg.hashsalt": "reheat"}


def save(figure, folder, name):
    for kind in ("png", "svg"):
        metadata = {"Date": None} if kind == "svg" else {}  # nor does a date make it differ
        figure.savefig(os.path.join(folder, f"{name}.{kind}"), dpi=130, metadata=metadata)
    plt.close(figure)


def byte_text(value, _position=None):
    for unit, size in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if value >= size:
            return f"{value / size:g} {unit}"
    return f"{value:g} B"


def binary_byte_text(value, _position=None):
    for unit, size in (("GB", 2**30), ("MB", 2**20), ("KB", 2**10)):
        if value >= size:
            return f"{value / size:g} {unit}"
    return f"{value:g} B"


def item_text(value, _position=None):
    if value <= 0:
        return ""
    return f"$2^{{{round(math.log2(value))}}}$"


def series(results, who, rows, value):
    points = [(row, results.rows[row][who]) for row in rows if who in results.rows[row]]
    return [value(row, time)[0] for row, time in points], [value(row, time)[1] for row, time in points]


def draw_series(axes, results, rows, limit, value):
    """`limit`: what the limit is, for the legend."""
    for who, style in STYLES.items():
        x, y = series(results, who, rows, value)
        if x:
            axes.plot(x, y, **{**COMMON, **style, **({"label": limit} if who == "limit" else {})})


def powers_only(rows):
    """Sizes next to a power of two would draw as a knot in the line."""
    return [row for row in rows if row.items & (row.items - 1) == 0]


def legend_inside(axes):
    """Upper left: small inputs are slow, and take little time."""
    handles, labels = axes.get_legend_handles_labels()
    axes.legend(handles[::-1], labels[::-1], loc="upper left", fontsize=9, framealpha=0.9, edgecolor="none")


def grid_of(count):
    columns = min(3, count)
    return math.ceil(count / columns), columns


def throughput(results, algorithm, folder):
    """GB/s over bytes, one panel per type."""
    of_type = {}
    for kind in TYPES:
        rows = [r for r in results.rows if (r.algorithm, r.type, r.clock) == (algorithm, kind, "graph") and r.plain()]
        if len(rows) > 1:
            of_type[kind] = sorted(powers_only(rows), key=lambda row: row.items)
    if not of_type:
        return None
    lines, columns = grid_of(len(of_type))
    with plt.rc_context(TEXT):
        figure, grid = plt.subplots(
            lines, columns, figsize=(4.2 * columns, 0.6 + 3.1 * lines), sharex=True, sharey=True, squeeze=False, layout="constrained"
        )
        panels = list(grid.flat)
        for axes, (kind, rows) in zip(panels, of_type.items()):
            limit = "limit: reading only" if algorithm == "reduce" else "limit: plain copy"
            draw_series(axes, results, rows, limit, lambda row, time: (time.bytes, time.gigabytes_per_second()))
            axes.set_title(kind)
            axes.set_xscale("log")
            axes.set_ylim(bottom=0)
            axes.xaxis.set_major_locator(ticker.LogLocator(base=10, numticks=12))
            axes.xaxis.set_minor_locator(ticker.NullLocator())
            axes.xaxis.set_major_formatter(ticker.FuncFormatter(byte_text))
            axes.tick_params(axis="x", rotation=45)
            axes.grid(True, color="#dddddd", linewidth=0.6)
        for axes in panels[len(of_type) :]:
            axes.set_visible(False)
        figure.supxlabel("bytes read and written by a call")
        figure.supylabel("GB/s, read and written")
        figure.suptitle(f"{algorithm}: throughput inside a graph\n{results.contexts[0]['gpu']}", x=0.02, ha="left", fontsize=11)
        legend_inside(panels[0])
        save(figure, folder, f"{algorithm}_throughput")
    return algorithm, f"{algorithm}: GB/s over bytes", f"{algorithm}_throughput.svg"


def host_time(results, algorithm, folder):
    """Microseconds of wall time over items, one panel per way to call."""
    chosen = {}
    for clock, title in (("wall", "par: waits"), ("wall_nosync", "par_nosync: only enqueues")):
        rows = [r for r in results.rows if (r.algorithm, r.type, r.clock) == (algorithm, "i32", clock) and r.plain()]
        if len(rows) > 1:
            chosen[title] = sorted(powers_only(rows), key=lambda row: row.items)
    if not chosen:
        return None
    with plt.rc_context(TEXT):
        figure, grid = plt.subplots(
            1, len(chosen), figsize=(5.2 * len(chosen) + 0.8, 4.3), sharey=True, squeeze=False, layout="constrained"
        )
        for axes, (title, rows) in zip(grid.flat, chosen.items()):
            draw_series(axes, results, rows, "limit: empty kernel", lambda row, time: (row.items, time.microseconds))
            axes.set_title(title)
            axes.set_xscale("log", base=2)
            axes.set_yscale("log")
            axes.set_xticks([row.items for row in rows][:: 1 if len(rows) < 8 else 2])
            axes.xaxis.set_minor_locator(ticker.NullLocator())
            axes.xaxis.set_major_formatter(ticker.FuncFormatter(item_text))
            axes.yaxis.set_major_locator(ticker.LogLocator(base=10, subs=(1, 2, 5)))
            axes.yaxis.set_minor_locator(ticker.NullLocator())
            axes.yaxis.set_major_formatter(ticker.FuncFormatter(lambda value, _: f"{value:g}"))
            axes.set_xlabel("items (i32)")
            axes.grid(True, color="#dddddd", linewidth=0.6)
        grid[0][0].set_ylabel("host time of a call, µs")
        figure.suptitle(f"{algorithm}: host time\n{results.contexts[0]['gpu']}", x=0.02, ha="left", fontsize=11)
        legend_inside(grid[0][0])
        save(figure, folder, f"{algorithm}_host_time")
    return algorithm, f"{algorithm}: host time over items", f"{algorithm}_host_time.svg"


def ratios(results, algorithm, folder):
    """How many times faster than another: type by size, cells that lose framed."""
    panels = []
    for other in ("cub", "thrust", "cub-new"):
        cells = {}
        for row in results.rows:
            ratio = results.ratio(row, other)
            if row.algorithm == algorithm and row.clock == "graph" and row.plain() and ratio and powers_only([row]):
                cells[TYPES.index(row.type), row.items] = ratio
        if cells:
            panels.append((other, cells))
    if not panels:
        return None
    sizes = sorted({items for _, cells in panels for _, items in cells})
    kinds = sorted({kind for _, cells in panels for kind, _ in cells})
    with plt.rc_context(TEXT):
        figure, grid = plt.subplots(
            len(panels), 1, figsize=(1.8 + 0.72 * len(sizes), len(panels) * (1.1 + 0.42 * len(kinds))), squeeze=False, layout="constrained"
        )
        scale = colors.TwoSlopeNorm(0, vmin=-1, vmax=1)  # of log2: from half to twice as fast
        for axes, (other, cells) in zip(grid.flat, panels):
            draw_cells(axes, cells, kinds, sizes, scale)
            axes.set_title(f"relative to {STYLES[other]['label']} (above 1: reheat is faster)", loc="left")
        grid[-1][0].set_xlabel("items")
        bar = figure.colorbar(plt.cm.ScalarMappable(scale, "PuOr_r"), ax=grid, pad=0.01, ticks=[-1, -0.5, 0, 0.5, 1])
        bar.ax.set_yticklabels(["0.5 or less", "0.7", "1", "1.4", "2 or more"])
        figure.suptitle(
            f"{algorithm}: reheat's speed inside a graph, framed and ▼ where it loses\n{results.contexts[0]['gpu']}",
            x=0.02,
            ha="left",
            fontsize=11,
        )
        save(figure, folder, f"{algorithm}_ratios")
    return algorithm, f"{algorithm}: ratios by type and size", f"{algorithm}_ratios.svg"


def draw_cells(axes, cells, kinds, sizes, scale):
    palette = plt.get_cmap("PuOr_r")
    for (kind, items), ratio in cells.items():
        x, y = sizes.index(items), kinds.index(kind)
        shade = palette(scale(max(-1.0, min(1.0, math.log2(ratio)))))
        lost = round(ratio, 2) < 1
        axes.add_patch(patches.Rectangle((x - 0.5, y - 0.5), 1, 1, facecolor=shade, edgecolor="white", linewidth=1))
        if lost:
            axes.add_patch(
                patches.Rectangle((x - 0.44, y - 0.44), 0.88, 0.88, fill=False, edgecolor="black", linewidth=1.6, zorder=3)
            )
        light = 0.299 * shade[0] + 0.587 * shade[1] + 0.114 * shade[2] > 0.5
        text = f"{ratio:.2f}" + (" ▼" if lost else "")
        axes.text(x, y, text, ha="center", va="center", fontsize=8, color="black" if light else "white", zorder=4)
    axes.set_xlim(-0.5, len(sizes) - 0.5)
    axes.set_ylim(len(kinds) - 0.5, -0.5)
    axes.set_xticks(range(len(sizes)), [item_text(items) for items in sizes])
    axes.set_yticks(range(len(kinds)), [TYPES[kind] for kind in kinds])
    axes.tick_params(length=0)


def sweep(results, name, rows, folder):
    """How many times faster than CUB at every size of a dense sweep, each time it was measured; what loses is marked."""
    algorithm, kind = name
    rows = [row for row in rows if results.ratio(row, "cub")]
    if not rows:
        return None
    with plt.rc_context(TEXT):
        figure, axes = plt.subplots(figsize=(10, 4.4), layout="constrained")
        again = [(row.items, results.ratio_again(row, "cub")) for row in rows if results.ratio_again(row, "cub")]
        lost = [(row.items, results.ratio(row, "cub")) for row in rows if results.behind(row, "cub")]
        axes.axhline(1, color="#000000", linewidth=1)
        axes.axhline(LEVEL, color="#000000", linewidth=1, linestyle=":", label=f"{LEVEL:g}: level")
        ours = {**COMMON, **STYLES["reheat"], "linewidth": 1.2, "label": "measured"}
        axes.plot([row.items for row in rows], [results.ratio(row, "cub") for row in rows], **ours)
        if again:
            axes.plot(*zip(*again), color="#0072B2", marker="x", markersize=4, linestyle="none", label="measured again")
        if lost:
            axes.plot(*zip(*lost), color="#000000", marker="v", markersize=8, fillstyle="none", linestyle="none", label="behind each time")
        axes.set_xscale("log", base=2)
        axes.set_yscale("log")
        axes.xaxis.set_major_locator(ticker.LogLocator(base=4, numticks=20))
        axes.xaxis.set_minor_locator(ticker.NullLocator())
        axes.xaxis.set_major_formatter(ticker.FuncFormatter(item_text))
        axes.yaxis.set_major_locator(ticker.FixedLocator([0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.2, 1.5, 2, 3, 4, 5]))
        axes.yaxis.set_minor_locator(ticker.NullLocator())
        axes.yaxis.set_major_formatter(ticker.FuncFormatter(lambda value, _: f"{value:g}"))
        axes.set_xlabel(f"items ({kind})")
        axes.set_ylabel("speed relative to CUB")
        axes.grid(True, color="#dddddd", linewidth=0.6)
        axes.legend(loc="best", fontsize=9, framealpha=0.9, edgecolor="none")
        title = f"{algorithm} of {kind} inside a graph: reheat beside CUB at {len(rows)} sizes\n{results.contexts[0]['gpu']}"
        figure.suptitle(title, x=0.02, ha="left", fontsize=11)
        save(figure, folder, f"{algorithm}_{kind}_sweep")
    return "sweep", f"{algorithm} of {kind}: ratio to CUB over items", f"{algorithm}_{kind}_sweep.svg"


def headline(results, folder):
    """For perf/README.md: GPU time as a fraction of the limit, which shows small inputs and large ones."""
    chosen = {}
    for algorithm, kind in (("reduce", "i32"), ("inclusive_scan", "i32"), ("inclusive_scan", "i8")):
        rows = [r for r in results.rows if (r.algorithm, r.type, r.clock) == (algorithm, kind, "graph") and r.plain()]
        rows = [row for row in powers_only(rows) if "limit" in results.rows[row]]
        if len(rows) > 1:
            chosen[f"{algorithm} of {kind}"] = sorted(rows, key=lambda row: row.items)
    if not chosen:
        return
    with plt.rc_context(TEXT):
        size = (0.6 + 3.1 * len(chosen), 3.1)
        figure, grid = plt.subplots(1, len(chosen), figsize=size, sharey=True, squeeze=False, layout="constrained")

        def percent(row, time):
            return row.items, 100 * results.rows[row][results.limit_of(row)].microseconds / time.microseconds

        for axes, (title, rows) in zip(grid.flat, chosen.items()):
            draw_series(axes, results, rows, "limit", percent)
            axes.set_title(title)
            axes.set_xscale("log", base=2)
            axes.set_xticks([row.items for row in rows][::4])
            axes.xaxis.set_minor_locator(ticker.NullLocator())
            axes.xaxis.set_major_formatter(ticker.FuncFormatter(item_text))
            axes.set_ylim(bottom=0)
            axes.grid(True, color="#dddddd", linewidth=0.6)
            axes.set_xlabel("items")
        grid[0][0].set_ylabel("speed, % of the limit")
        handles = {}
        for axes in grid.flat:
            handles.update({label: handle for handle, label in zip(*axes.get_legend_handles_labels())})
        names = [style["label"] for style in reversed(STYLES.values()) if style["label"] in handles]
        where = {"loc": "upper right", "ncols": len(names), "frameon": False, "borderaxespad": 0.2}
        figure.legend([handles[name] for name in names], names, fontsize=9, **where)
        figure.suptitle(f"{results.contexts[0]['gpu']}, inside a graph", x=0.02, ha="left", fontsize=11)
        figure.savefig(os.path.join(folder, "headline.png"), dpi=100)
        plt.close(figure)


def segment_lengths(times, what, gpu, folder, name):
    """Time of what is made of segments over their length: {items: {implementation: {length: microseconds}}}, a panel for each number of
    items."""
    with plt.rc_context(TEXT):
        figure, grid = plt.subplots(1, len(times), figsize=(0.8 + 3.4 * len(times), 3.6), squeeze=False, layout="constrained")
        for axes, (items, lines) in zip(grid.flat, times.items()):
            for who, style in STYLES.items():
                if who in lines:
                    axes.plot(*zip(*sorted(lines[who].items())), **{**COMMON, **style})
            axes.set_title(f"{item_text(items)} items")
            axes.set_xscale("log")
            axes.set_yscale("log")
            axes.xaxis.set_major_locator(ticker.LogLocator(base=10, numticks=12))
            axes.xaxis.set_minor_locator(ticker.NullLocator())
            axes.grid(True, color="#dddddd", linewidth=0.6)
        grid[0][0].set_ylabel("microseconds")
        figure.supxlabel("items of a segment", fontsize=10)
        handles, labels = grid[0][0].get_legend_handles_labels()
        where = {"loc": "upper right", "ncols": len(labels), "frameon": False, "borderaxespad": 0.2}
        figure.legend(handles[::-1], labels[::-1], fontsize=9, **where)
        figure.suptitle(f"{what} of segments of u32\n{gpu}, inside a graph", x=0.02, ha="left", fontsize=11)
        save(figure, folder, name)


# Of keys, and dashed of pairs.
SORTED = {
    "u8": {"color": "#999999", "marker": "P"},
    "u16": {"color": "#56B4E9", "marker": "v"},
    "u32": {"color": "#D55E00", "marker": "o"},
    "u64": {"color": "#0072B2", "marker": "s"},
    "i32": {"color": "#E69F00", "marker": "X"},
    "f16": {"color": "#CC79A7", "marker": "D"},
    "f32": {"color": "#009E73", "marker": "^"},
    "f64": {"color": "#000000", "marker": "d"},
    "u32_u32": {"color": "#D55E00", "marker": "o", "linestyle": "--", "fillstyle": "none"},
    "u64_u32": {"color": "#0072B2", "marker": "s", "linestyle": "--", "fillstyle": "none"},
    "u32_u64": {"color": "#E69F00", "marker": "*", "linestyle": "--", "fillstyle": "none"},
}


def sort_speeds(speeds, gpu, folder, name):
    """Times as fast as CUB over the number of items: {distribution: {type: {items: ratio}}}, a panel for each distribution."""
    with plt.rc_context(TEXT):
        lines, columns = grid_of(len(speeds))
        size = (0.8 + 3.6 * columns, 0.6 + 3.1 * lines)
        figure, grid = plt.subplots(lines, columns, figsize=size, sharex=True, sharey=True, squeeze=False, layout="constrained")
        handles = {}
        for axes, (distribution, of_type) in zip(grid.flat, speeds.items()):
            axes.axhline(1, color="#000000", linewidth=1)
            for kind, points in of_type.items():
                (handles[kind],) = axes.plot(*zip(*sorted(points.items())), **{**COMMON, **SORTED.get(kind, {}), "label": kind})
            axes.set_title(distribution)
            axes.set_xscale("log", base=2)
            axes.set_yscale("log", base=2)
            axes.xaxis.set_major_locator(ticker.LogLocator(base=16, numticks=12))
            axes.xaxis.set_minor_locator(ticker.NullLocator())
            axes.xaxis.set_major_formatter(ticker.FuncFormatter(item_text))
            axes.yaxis.set_major_formatter(ticker.FuncFormatter(lambda value, _: f"{value:g}"))
            axes.grid(True, color="#dddddd", linewidth=0.6)
        for axes in list(grid.flat)[len(speeds) :]:
            axes.set_visible(False)
        figure.supxlabel("keys", fontsize=10)
        figure.supylabel("times as fast as CUB", fontsize=10)
        where = {"loc": "upper right", "ncols": 6, "frameon": False, "borderaxespad": 0.2}
        figure.legend(handles.values(), handles, fontsize=9, **where)
        figure.suptitle(f"radix sorts inside a graph\n{gpu}", x=0.02, ha="left", fontsize=11)
        save(figure, folder, name)


def draw_all(everything, folder):
    """(algorithm or "sweep", what it shows, file name) of every plot there is something for."""
    results, sweeps = everything.without_sweeps()
    headline(results, folder)
    made = [draw(results, algorithm, folder) for algorithm in ALGORITHMS for draw in (throughput, host_time, ratios)]
    made += [sweep(everything, name, rows, folder) for name, rows in sweeps.items()]
    return [picture for picture in made if picture is not None]

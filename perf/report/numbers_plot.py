#!/usr/bin/env python3
# SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
# SPDX-License-Identifier: Apache-2.0
"""The plot of docs/numbers.md: the speed of calls with an option for numbers, as a part of that without it, over bytes.

numbers_plot.py RESULTS.json FOLDER: writes FOLDER/speed.png and .svg. RESULTS is of reheat-numbers --json.
"""

import argparse
import json
import os

import plots
from matplotlib import pyplot as plt
from matplotlib import ticker

PANELS = (("exact_sums", "reduce: exact_sums"), ("gpu_to_gpu", "inclusive_scan: gpu_to_gpu"), ("accumulate_in", "inclusive_scan: accumulate_in"))
STYLES = {
    "f32": {"color": "#D55E00", "marker": "o"},
    "f64": {"color": "#0072B2", "marker": "s"},
    "f16": {"color": "#009E73", "marker": "^"},
    "bf16": {"color": "#CC79A7", "marker": "D"},
    "f16 in f32": {"color": "#009E73", "marker": "^"},
    "f32 in f64": {"color": "#0072B2", "marker": "s"},
    "i8 in i32": {"color": "#E69F00", "marker": "v"},
    "i32 in i64": {"color": "#56B4E9", "marker": "X"},
}


def speeds(rows, option):
    """{(type, items behind an aligned address): {bytes: speed}} of numbers from 0 to 1, with results as many bytes as without."""
    plain = {(row["operation"], row["type"], row["behind"], row["bytes"]): row["us"] for row in rows if row["option"] == "none"}
    found = {}
    for row in rows:
        if row["option"] == option and row["numbers"] == "uniform" and row["type"] in STYLES:
            beside = plain[row["operation"], row["type"], row["behind"], row["bytes"]]
            found.setdefault((row["type"], row["behind"]), {})[row["bytes"]] = beside / row["us"]
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results")
    parser.add_argument("folder")
    options = parser.parse_args()
    with open(options.results, encoding="utf-8") as file:
        results = json.load(file)
    plt.rcParams.update(plots.TEXT)
    figure, panels = plt.subplots(1, len(PANELS), figsize=(4.2 * len(PANELS), 3.8), sharex=True, sharey=True, layout="constrained")
    for axes, (option, title) in zip(panels, PANELS):
        for (kind, behind), line in speeds(results["rows"], option).items():
            label = f"{kind}, misaligned" if behind else kind
            axes.plot(*zip(*sorted(line.items())), **plots.COMMON, **STYLES[kind], linestyle=":" if behind else "-", label=label)
        axes.set_xscale("log", base=2)
        axes.set_ylim(0, 1.35)
        axes.xaxis.set_major_locator(ticker.LogLocator(base=16))
        axes.xaxis.set_minor_locator(ticker.NullLocator())
        axes.xaxis.set_major_formatter(ticker.FuncFormatter(plots.binary_byte_text))
        axes.set_title(title)
        axes.grid(alpha=0.3)
        axes.legend(loc="lower right", fontsize=8)
    panels[0].set_ylabel("speed, as a part of that without the option")
    figure.supxlabel("bytes of the input", fontsize=10)
    figure.suptitle(f"{results['gpu']}, inside a graph", x=0.02, ha="left", fontsize=11)
    os.makedirs(options.folder, exist_ok=True)
    plots.save(figure, options.folder, "speed")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
# SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
# SPDX-License-Identifier: Apache-2.0
"""The plot of docs/numbers.md: errors of sums over the number of items.

accuracy_plot.py RESULTS.json FOLDER: writes FOLDER/accuracy.png and .svg. RESULTS has the rows of reheat-compare --accuracy --json, for
several numbers of items.
"""

import argparse
import json
import os

import plots
from matplotlib import pyplot as plt
from matplotlib import ticker

SERIES = (
    ("loop_ulp", {"color": "#000000", "linestyle": "--", "label": "loop"}),
    ("thrust_ulp", plots.STYLES["thrust"]),
    ("reheat_ulp", plots.STYLES["reheat"]),
    ("exact_ulp", {"color": "#0072B2", "marker": "s", "label": "reheat, exact_sums"}),
)
LEAST = 0.5  # an exact sum is as near as half a unit


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results")
    parser.add_argument("folder")
    options = parser.parse_args()
    with open(options.results, encoding="utf-8") as file:
        rows = [row for row in json.load(file)["rows"] if row["type"] == "f32"]
    inputs = list(dict.fromkeys(row["input"] for row in rows))
    plt.rcParams.update(plots.TEXT)
    figure, panels = plt.subplots(1, len(inputs), figsize=(5 * len(inputs), 4), sharey=True, squeeze=False)
    for axes, name in zip(panels[0], inputs):
        own = sorted((row for row in rows if row["input"] == name), key=lambda row: row["items"])
        for key, style in SERIES:
            axes.plot([row["items"] for row in own], [max(LEAST, row[key]) for row in own], **{**plots.COMMON, **style})
        axes.set_xscale("log", base=2)
        axes.set_yscale("log")
        axes.xaxis.set_major_formatter(ticker.FuncFormatter(plots.item_text))
        axes.set_title(f"sums of floats: {name}")
        axes.set_xlabel("items")
        axes.grid(alpha=0.3)
    panels[0][0].set_ylabel("error in ulp (less than 1/2 is drawn as 1/2)")
    panels[0][-1].legend()
    figure.tight_layout()
    os.makedirs(options.folder, exist_ok=True)
    plots.save(figure, options.folder, "accuracy")


if __name__ == "__main__":
    main()

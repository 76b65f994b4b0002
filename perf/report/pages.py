# SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
# SPDX-License-Identifier: Apache-2.0
"""Results as Markdown tables, printed or put into a page: what the reports share."""

import argparse
import os
import sys

from measurements import LEVEL, ResultError


def table(heads, rows, left=1):
    lines = ["| " + " | ".join(heads) + " |", "|" + "---|" * left + "--:|" * (len(heads) - left)]
    return "\n".join(lines + ["| " + " | ".join(cells) + " |" for cells in rows])


def size_text(items):
    return f"2^{items.bit_length() - 1}" if items & (items - 1) == 0 else str(items)


def ratio_cell(ratios):
    """Of the first measurement. A row that loses in every measurement is bold, and says so without colour."""
    if not ratios:
        return ""
    return f"**{ratios[0]:.2f} ▼**" if max(ratios) < LEVEL else f"{ratios[0]:.2f}"


def failures(results):
    lines = [f"* `{name}`: {message}" for name, message in results.failures]
    return "\n".join(["**Failed:**", "", *lines]) if lines else ""


def marks(kind, part="table"):
    """Between these a page has the tables, or another part."""
    return f"<!-- {kind}-{part} -->", f"<!-- /{kind}-{part} -->"


def rewrite(path, kind, text, part="table"):
    with open(path, encoding="utf-8") as file:
        page = file.read()
    begin, end = marks(kind, part)
    head, begun, rest = page.partition(begin)
    _, ended, tail = rest.partition(end)
    if not begun or not ended:
        raise ResultError(f"{path} has no {begin} … {end}")
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"{head}{begin}\n{text}\n{end}{tail}")


def run(kind, description, load, markdown, arguments=None, draw=None):
    """The command <kind>_report.py; returns its exit status. draw(result, folder) makes plots."""
    parser = argparse.ArgumentParser(prog=f"{kind}_report.py", description=description)
    parser.add_argument("result", help=f"JSON file of reheat-{kind}")
    parser.add_argument("--page", help=f"file whose tables are renewed, between its {kind}-table marks, instead of being printed")
    if draw:
        parser.add_argument("--plots", action="store_true", help="draw as PNG and SVG, too, in the folder of the result's name; needs Matplotlib")
    chosen = parser.parse_args(arguments)
    try:
        if draw and chosen.plots:
            folder = os.path.splitext(chosen.result)[0]
            os.makedirs(folder, exist_ok=True)
            draw(load(chosen.result), folder)
        text = markdown(load(chosen.result))
        if chosen.page:
            rewrite(chosen.page, kind, text)
        else:
            print(text)
    except ResultError as error:
        print(f"{kind}_report.py: {error}", file=sys.stderr)
        return 2
    except ImportError as error:
        print(f"{kind}_report.py: {error}; install python3-matplotlib, or leave out --plots", file=sys.stderr)
        return 2
    except OSError as error:
        print(f"{kind}_report.py: {error.filename}: {error.strerror}", file=sys.stderr)
        return 2
    return 0

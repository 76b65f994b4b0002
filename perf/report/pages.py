# SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
# SPDX-License-Identifier: Apache-2.0
"""Results as Markdown tables, printed or put into a page: what the reports share."""

import argparse
import json
import os
import sys

from measurements import LEVEL, ResultError


class Results:
    """Of one run."""

    def __init__(self, context):
        self.context = context
        self.rows = {}  # row -> implementation -> entry of the file
        self.failures = []  # (name, message)

    def ratios(self, row, other, who="reheat"):
        """The other's time divided by that of `who`, of each measurement."""
        ours, theirs = (self.rows.get(row, {}).get(each) for each in (who, other))
        if not ours or not theirs:
            return []
        return [theirs[time] / ours[time] for time in ("real_time", "again") if time in ours and time in theirs]


def load(path, kind, parts, parse):
    """The Results in a file of reheat-<kind>. parse(name): a row and an implementation; raises ValueError where the name is none. `parts` are
    those of the context that are read."""
    try:
        with open(path, encoding="utf-8") as file:
            content = json.load(file)
        made = Results({part: content["context"][part] for part in ("gpu", "driver", "cuda", "cccl", "command", *parts)})
        for entry in content["benchmarks"]:
            row, who = parse(entry["name"])
            if entry.get("error_occurred"):
                made.failures.append((entry["name"], entry["error_message"]))
                continue
            if entry["time_unit"] != "us" or entry["real_time"] <= 0 or entry.get("nodes", 1) < 1:
                raise ValueError(f"{entry['name']} is no time in microseconds")
            made.rows.setdefault(row, {})[who] = entry
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise ResultError(f"{path} is not a result of reheat-{kind}: {error}") from error
    return made


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


def summary(title, ratios):
    """How many rows, of each of which there are ratios, reach the other's speed; nothing if there are none."""
    ratios = [each for each in ratios if each]
    if not ratios:
        return ""
    level = sum(max(each) >= LEVEL for each in ratios)
    firsts = sorted(each[0] for each in ratios)
    return f"* {title}: {level} of {len(ratios)} rows reach {LEVEL:g} of its speed; {firsts[0]:.2f} to {firsts[-1]:.2f} times as fast."


def time_text(microseconds):
    return f"{microseconds:.2f}" if microseconds < 100 else f"{microseconds:.0f}"


def folder_of(result):
    """Where plots of a result are, and its report."""
    return os.path.splitext(os.path.abspath(result))[0]


def plots_beside(path, names):
    """{key: path} of those plots of {key: name} that are in the folder of the result's name."""
    drawn = {key: os.path.join(folder_of(path), name + ".svg") for key, name in names.items()}
    return {key: plot for key, plot in drawn.items() if os.path.exists(plot)}


def link_from(folder, path):
    return os.path.relpath(path, folder).replace(os.sep, "/")


def report_of(result):
    return os.path.join(folder_of(result), "report.md")


def page_text(result, folder, results, markdown):
    """What a page in the folder has of a result: the tables that most readers look for, and a link to all."""
    return f"{markdown(results, full=False, folder=folder)}\n\n[All tables]({link_from(folder, report_of(result))})"


def report_text(kind, result, results, markdown):
    return f"# reheat-{kind}\n\n{markdown(results, full=True, folder=folder_of(result))}\n"


def write_report(kind, result, results, markdown):
    os.makedirs(folder_of(result), exist_ok=True)
    with open(report_of(result), "w", encoding="utf-8") as file:
        file.write(report_text(kind, result, results, markdown))


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


def run(kind, description, load, markdown, arguments=None, draw=None, has_report=False):
    """The command <kind>_report.py; returns its exit status. draw(result, folder) makes plots. With a report, a page gets page_text, and all
    tables go into report.md in the folder of the result's name; markdown(results, full, folder) then renders either for a file in the folder."""
    parser = argparse.ArgumentParser(prog=f"{kind}_report.py", description=description)
    parser.add_argument("result", help=f"JSON file of reheat-{kind}")
    parser.add_argument("--page", help=f"file whose tables are renewed, between its {kind}-table marks, instead of being printed" + (", with a report.md of all tables in the folder of the result's name" if has_report else ""))
    if draw:
        parser.add_argument("--plots", action="store_true", help="draw as PNG and SVG, too, in the folder of the result's name; needs Matplotlib")
    chosen = parser.parse_args(arguments)
    try:
        if draw and chosen.plots:
            os.makedirs(folder_of(chosen.result), exist_ok=True)
            draw(load(chosen.result), folder_of(chosen.result))
        results = load(chosen.result)
        if chosen.page and has_report:
            rewrite(chosen.page, kind, page_text(chosen.result, os.path.dirname(os.path.abspath(chosen.page)), results, markdown))
            write_report(kind, chosen.result, results, markdown)
        elif chosen.page:
            rewrite(chosen.page, kind, markdown(results))
        else:
            print(markdown(results))
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

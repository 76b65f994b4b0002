# SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
# SPDX-License-Identifier: Apache-2.0
"""Results as Markdown tables, printed or put into a page: what concurrency_report.py, family_report.py and report.py share."""

import argparse
import sys

from measurements import ResultError


def table(heads, rows, left=1):
    lines = ["| " + " | ".join(heads) + " |", "|" + "---|" * left + "--:|" * (len(heads) - left)]
    return "\n".join(lines + ["| " + " | ".join(cells) + " |" for cells in rows])


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


def run(kind, description, load, markdown, arguments=None):
    """The command <kind>_report.py; returns its exit status."""
    parser = argparse.ArgumentParser(prog=f"{kind}_report.py", description=description)
    parser.add_argument("result", help=f"JSON file of reheat-{kind}")
    parser.add_argument("--page", help=f"file whose tables are renewed, between its {kind}-table marks, instead of being printed")
    chosen = parser.parse_args(arguments)
    try:
        text = markdown(load(chosen.result))
        if chosen.page:
            rewrite(chosen.page, kind, text)
        else:
            print(text)
    except ResultError as error:
        print(f"{kind}_report.py: {error}", file=sys.stderr)
        return 2
    except OSError as error:
        print(f"{kind}_report.py: {error.filename}: {error.strerror}", file=sys.stderr)
        return 2
    return 0

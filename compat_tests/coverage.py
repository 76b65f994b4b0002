#!/usr/bin/env python3
# SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
# SPDX-License-Identifier: Apache-2.0
"""Which lines of the kernels and of the emulator the tests have executed.

coverage.py BUILD [--at-least PERCENT]   reads what the programs of BUILD, compiled with --coverage, left behind when they ran;
                                         fails if less than PERCENT (95) of the lines of the kernels were executed

A line counts as executed if any instantiation in any program executed it. Lines of templates that nobody instantiates are not
known to the compiler and appear nowhere. What a kernel does under a fault switch is no part of it.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys
from collections import defaultdict

SOURCE = pathlib.Path(__file__).resolve().parent.parent
KERNELS = ("include/reheat/detail", "include/reheat/ladder")
FOLDERS = (*KERNELS, "src/emulator")
GPU_ONLY = {"cuda.cuh"}  # only nvcc compiles them
FAULT_BLOCK = re.compile(r"^(\s*)(?:else )?if \(.*(?<!!)simt::fault_active\(")


def counts_of(notes):
    """[(file, line, count)] of one translation unit, for files of FOLDERS."""
    output = subprocess.run(
        ["gcov", "--json-format", "--stdout", notes.name], cwd=notes.parent, check=True, stdout=subprocess.PIPE
    ).stdout
    found = []
    for document in output.splitlines():
        unit = json.loads(document)
        for file in unit["files"]:
            path = os.path.realpath(os.path.join(unit["current_working_directory"], file["file"]))
            name = os.path.relpath(path, SOURCE)
            if name.startswith(tuple(folder + "/" for folder in FOLDERS)):
                found += [(name, line["line_number"], line["count"]) for line in file["lines"]]
    return found


def fault_lines(file):
    """Numbers of the lines in blocks that only a fault switch leads to."""
    lines = (SOURCE / file).read_text(encoding="utf-8").splitlines()
    numbers = set()
    for number, line in enumerate(lines, 1):
        start = FAULT_BLOCK.match(line)
        if start is None:
            continue
        opening, closing = start.group(1) + "{", start.group(1) + "}"
        inside = lines.index(opening, number - 1) + 1
        numbers.update(range(inside, lines.index(closing, inside) + 2))
    return numbers


def ranges(numbers):
    """"3-5, 9" for 3, 4, 5 and 9."""
    texts = []
    for number in sorted(numbers):
        if texts and texts[-1][1] == number - 1:
            texts[-1][1] = number
        else:
            texts.append([number, number])
    return ", ".join(str(first) if first == last else f"{first}-{last}" for first, last in texts)


def percent(covered, lines):
    return 100.0 * covered / lines if lines else 100.0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--at-least", type=float, default=95.0, metavar="PERCENT")
    arguments = parser.parse_args()

    ran = sorted(arguments.build.resolve().rglob("*.gcda"))
    if not ran:
        print(f"coverage: nothing in {arguments.build} has run", file=sys.stderr)
        return 2
    counts = defaultdict(lambda: defaultdict(int))
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for unit in pool.map(counts_of, ran):
            for file, line, count in unit:
                counts[file][line] += count

    missing_lines = {}
    totals = {folder: [0, 0] for folder in FOLDERS}
    print(f"{'lines':>6} {'executed':>9} {'':>7}")
    for file in sorted(counts):
        if os.path.basename(file) in GPU_ONLY:
            continue
        skipped = fault_lines(file)
        lines = {line: count for line, count in counts[file].items() if line not in skipped}
        missing = [line for line, count in lines.items() if count == 0]
        covered = len(lines) - len(missing)
        print(f"{len(lines):6} {covered:9} {percent(covered, len(lines)):6.1f}%  {file}")
        folder = next(each for each in FOLDERS if file.startswith(each))
        totals[folder][0] += covered
        totals[folder][1] += len(lines)
        if missing:
            missing_lines[file] = missing
    for folder, (covered, lines) in totals.items():
        print(f"{lines:6} {covered:9} {percent(covered, lines):6.1f}%  all of {folder}")
    for file, missing in missing_lines.items():
        print(f"not executed: {file}: {ranges(missing)}")
    covered, lines = (sum(totals[folder][i] for folder in KERNELS) for i in (0, 1))
    reached = percent(covered, lines)
    if lines == 0 or reached < arguments.at_least:
        print(f"coverage: {reached:.1f}% of {' and '.join(KERNELS)} is less than {arguments.at_least:g}%", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())

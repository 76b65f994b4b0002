#!/usr/bin/env python3
# SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
# SPDX-License-Identifier: Apache-2.0
"""Shows that every protocol fault is caught, and by what.

mutants.py [--seeds N] [--schedules N] [--output FILE] BUILD=PROGRAM...

Each PROGRAM is a build of reheat_schedules. The first build hunts every fault from N seeds; a fault that it misses in half of
them or more goes on to the next build. Prints a table in Markdown: per build in
how many of the hunts the fault was caught, after how many schedules (median), and by which checks. Exit 1 if a fault survives:
no build caught it in more than half of its hunts.
"""

import argparse
import concurrent.futures
import os
import re
import subprocess
import sys

# Schedules before a fault has survived a hunt, as a share of --schedules. Most races show in the first few; a missing barrier of a
# warp shows in 14 (median): with a share of 0.15, half of its hunts ended too early.
SHARE = {"plain": 1.0, "races": 0.5, "accesses": 0.3, "asan": 0.3}


class Cell:
    """One fault in one build."""

    def __init__(self, line):
        _, _, caught, self.median, self.checks = line.rstrip("\n").split("\t")
        self.caught, self.hunts = (int(part) for part in caught.split("/"))

    def good(self):
        return 2 * self.caught > self.hunts

    def text(self):
        if self.caught == 0:
            return "–"
        checks = re.sub(r" \d+", "", self.checks) if "," not in self.checks else self.checks
        return f"{self.caught}/{self.hunts} after {self.median}: {checks}"


def faults_of(program):
    listing = subprocess.run([program, "--list"], stdout=subprocess.PIPE, check=True, encoding="utf-8").stdout
    return re.findall(r"^fault (\w+)/(\w+): (.*)$", listing, re.M)


def hunt(build, program, fault, options):
    schedules = max(1, int(options.schedules * SHARE.get(build, 1.0)))
    command = [program, "--mutants", "--fault", fault, "--seeds", str(options.seeds), "--schedules", str(schedules)]
    done = subprocess.run(command, stdout=subprocess.PIPE, check=True, encoding="utf-8", timeout=1800)
    return Cell(done.stdout)


def hunt_all(builds, faults, options):
    table = {fault: {} for _, fault, _ in faults}
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for build, program in builds:
            wanted = [f for f, cells in table.items() if not any(c.good() for c in cells.values())]
            for fault, cell in zip(wanted, pool.map(lambda f: hunt(build, program, f, options), wanted)):
                table[fault][build] = cell
    return table


def render(builds, faults, table):
    names = [build for build, _ in builds]
    lines = ["| protocol | fault | " + " | ".join(names) + " |", "|---|---|" + "---|" * len(names)]
    for protocol, fault, what in faults:
        cells = [table[fault][name].text() if name in table[fault] else "" for name in names]
        lines.append(f"| {protocol} | `{fault}`: {what} | " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--seeds", type=int, default=20, help="hunts per fault and build")
    parser.add_argument("--schedules", type=int, default=120, help="schedules per hunt")
    parser.add_argument("--output", help="also write the table to this file")
    parser.add_argument("builds", nargs="+", metavar="BUILD=PROGRAM")
    options = parser.parse_args()
    builds = [tuple(entry.split("=", 1)) for entry in options.builds]
    if any(len(build) != 2 for build in builds):
        parser.error("builds are given as BUILD=PROGRAM")
    faults = faults_of(builds[0][1])
    table = hunt_all(builds, faults, options)
    text = render(builds, faults, table)
    print(text)
    if options.output:
        with open(options.output, "w", encoding="utf-8") as file:
            file.write(text)
    survivors = [fault for fault, cells in table.items() if not any(cell.good() for cell in cells.values())]
    print(f"{len(faults)} faults, {len(faults) - len(survivors)} caught, {len(survivors)} survived: {', '.join(survivors)}")
    return 1 if survivors or not faults else 0


if __name__ == "__main__":
    sys.exit(main())

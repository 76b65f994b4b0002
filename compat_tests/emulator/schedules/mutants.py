#!/usr/bin/env python3
# SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
# SPDX-License-Identifier: Apache-2.0
"""Shows that every protocol fault is caught, and by what.

mutants.py [--seeds N] [--schedules N] [--majority] [--known FILE] [--output FILE] BUILD=PROGRAM...

Each PROGRAM is a build of reheat_schedules, or of reheat_scratch_schedules. The first build that has scenarios for a fault hunts it
from N seeds; a fault that it misses in half of them or more goes on to the next build. With --majority, a fault that more than half of the hunts have caught is
hunted no further. With --known, a fault is first hunted by the build that caught it in that table. Prints a
table in Markdown: per build in how many of the hunts the fault was caught, after how many schedules (median), and by which
checks. Exit 1 if a fault survives: no build caught it in more than half of its hunts.
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


def protocols_of(program):
    """Those that its scenarios put to the test."""
    listing = subprocess.run([program, "--list"], stdout=subprocess.PIPE, check=True, encoding="utf-8").stdout
    return set(" ".join(re.findall(r"^scenario .* \(([^()]*)\)$", listing, re.M)).split())


def hunt(build, program, fault, options):
    schedules = max(1, int(options.schedules * SHARE.get(build, 1.0)))
    command = [program, "--mutants", "--fault", fault, "--seeds", str(options.seeds), "--schedules", str(schedules)]
    command += ["--majority"] if options.majority else []
    done = subprocess.run(command, stdout=subprocess.PIPE, check=True, encoding="utf-8", timeout=1800)
    return Cell(done.stdout)


def catchers(table):
    """From a table as this program writes it: the build that caught each fault."""
    found, names = {}, []
    for line in table.splitlines():
        cells = [cell.strip() for cell in line.split("|")[1:-1]]
        if cells[:2] == ["protocol", "fault"]:
            names = cells[2:]
        fault = re.match(r"`(\w+)`", cells[1]) if len(cells) > 2 else None
        for build, cell in zip(names, cells[2:]):
            caught = re.match(r"(\d+)/(\d+) ", cell)
            if fault and caught and 2 * int(caught[1]) > int(caught[2]):
                found[fault[1]] = build
    return found


def hunt_all(builds, faults, first, options):
    """Each fault in one build after the other, that of `first` before the others, until one catches it."""
    protocols = {build: protocols_of(program) for build, program in builds}

    def cells_of(protocol, fault):
        cells = {}
        for build, program in sorted(builds, key=lambda entry: entry[0] != first.get(fault)):
            if protocol not in protocols[build]:
                continue
            cells[build] = hunt(build, program, fault, options)
            if cells[build].good():
                break
        return cells

    places, names = [protocol for protocol, _, _ in faults], [fault for _, fault, _ in faults]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        return dict(zip(names, pool.map(cells_of, places, names)))


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
    parser.add_argument("--majority", action="store_true", help="no more hunts of a fault that more than half have caught")
    parser.add_argument("--known", help="a table of earlier hunts: which build a fault is hunted by first")
    parser.add_argument("--output", help="also write the table to this file")
    parser.add_argument("builds", nargs="+", metavar="BUILD=PROGRAM")
    options = parser.parse_args()
    builds = [tuple(entry.split("=", 1)) for entry in options.builds]
    if any(len(build) != 2 for build in builds):
        parser.error("builds are given as BUILD=PROGRAM")
    faults = faults_of(builds[0][1])
    first = {}
    if options.known:
        with open(options.known, encoding="utf-8") as file:
            first = catchers(file.read())
    table = hunt_all(builds, faults, first, options)
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

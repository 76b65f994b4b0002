#!/usr/bin/env python3
# SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
# SPDX-License-Identifier: Apache-2.0
"""Compiles calls of reheat and the same calls of Thrust or of CUB, in turns, and prints what each takes.

--compare chooses the calls. policies, the default: compile_time.cu with reduce, inclusive_scan and sort, with thrust::device and
with reheat::par. reduce, inclusive_scan, copy_if, unique, sort: the same with one call. headers: compile_time_device.cu without a
call, with CUB's headers of device-wide reductions and scans and with reheat's. calls: the same with a call of each of 14
functions. The option may be given several times, for more rows of one table.
Seconds are the CPU time of nvcc and all it starts, not the time that passes; sizes those of the code and data in the object.
--instructions counts what nvcc and all it starts execute, once for each row: that does not depend on what else the machine
does, but takes some 50 times as long as the compilation, and valgrind.
Options of nvcc's own follow --, in place of -O3 -arch=sm_90: compile_time.py --runs 3 -- -O1 -arch=sm_80
"""

import argparse
import glob
import os
import re
import resource
import shutil
import statistics
import struct
import subprocess
import sys
import tempfile

FOLDER = os.path.dirname(os.path.abspath(__file__))
INCLUDE = os.path.join(os.path.dirname(os.path.dirname(FOLDER)), "include")
ONE_CALL = ("reduce", "inclusive_scan", "copy_if", "unique", "sort")


def of_policies(thrusts, ours, *calls):
    macros = [f"-DCALL_{call.upper()}" for call in calls]
    return "compile_time.cu", {thrusts: macros, ours: [*macros, "-DTHROUGH_REHEAT"]}


# The source of each comparison, and the macros of its rows.
COMPARISONS = {
    "policies": of_policies("thrust::device", "reheat::par", "reduce", "inclusive_scan", "sort"),
    **{call: of_policies(f"thrust {call}", f"reheat {call}", call) for call in ONE_CALL},
    "headers": ("compile_time_device.cu", {"cub headers": [], "reheat headers": ["-DTHROUGH_REHEAT"]}),
    "calls": ("compile_time_device.cu", {"cub calls": ["-DWITH_CALLS"], "reheat calls": ["-DWITH_CALLS", "-DTHROUGH_REHEAT"]}),
}
OPTIONS = ["-O3", "-arch=sm_90"]


class CompileError(Exception):
    """Nothing can be measured. The message says why."""


def children_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def seconds_of(command):
    before = children_seconds()
    ran = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False, encoding="utf-8", errors="replace")
    if ran.returncode != 0:
        raise CompileError(f"{' '.join(command)} failed:\n{ran.stdout.rstrip()}")
    return children_seconds() - before


def loaded_bytes(path):
    """Of the sections that a program gets of a 64-bit ELF object: code and data, the GPU's too."""
    allocated, no_bits = 2, 8  # SHF_ALLOC, SHT_NOBITS
    with open(path, "rb") as file:
        data = file.read()
    if data[:5] != b"\x7fELF\x02":
        raise CompileError(f"{path} is no 64-bit ELF object")
    (table,) = struct.unpack_from("<Q", data, 40)
    entry_bytes, entries = struct.unpack_from("<HH", data, 58)
    total = 0
    for at in range(table, table + entries * entry_bytes, entry_bytes):
        kind, flags, _, _, size = struct.unpack_from("<IQQQQ", data, at + 4)
        total += size if flags & allocated and kind != no_bits else 0
    return total


def rows_of(comparisons):
    """{row: what nvcc compiles for it, and with which macros}"""
    rows = {}
    for source, macros in (COMPARISONS[name] for name in comparisons):
        rows.update({row: [*defined, "-c", os.path.join(FOLDER, source)] for row, defined in macros.items()})
    return rows


def compile_command(nvcc, options, what, made):
    return [nvcc, "-std=c++17", *options, f"-I{INCLUDE}", *what, "-o", made]


def measure(nvcc, runs, options, rows):
    """Seconds of each run, and bytes, for each row."""
    seconds = {row: [] for row in rows}
    sizes = {}
    with tempfile.TemporaryDirectory() as folder:
        made = os.path.join(folder, "compile_time.o")
        for _ in range(runs):
            for row, what in rows.items():
                seconds[row].append(seconds_of(compile_command(nvcc, options, what, made)))
                sizes[row] = loaded_bytes(made)
    return seconds, sizes


def text_of(path):
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read()


def count_instructions(valgrind, nvcc, options, rows):
    """Of all programs that a compilation starts, for each row."""
    counts = {}
    for row, what in rows.items():
        with tempfile.TemporaryDirectory() as folder:
            command = [valgrind, "--tool=callgrind", "--trace-children=yes", "--callgrind-out-file=/dev/null"]
            command += [f"--log-file={folder}/%p.log"]
            seconds_of(command + compile_command(nvcc, options, what, os.path.join(folder, "compile_time.o")))
            logs = [text_of(path) for path in glob.glob(os.path.join(folder, "*.log"))]
            counts[row] = sum(int(count) for log in logs for count in re.findall(r"Collected : (\d+)", log))
            if counts[row] == 0:
                raise CompileError(f"{valgrind} counted no instructions; is it one that has callgrind?")
    return counts


def at_least_one(text):
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"'{text}' is no number from 1 on")
    return int(text)


def main(arguments=None):
    parser = argparse.ArgumentParser(prog="compile_time.py", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nvcc", default="nvcc", help="the compiler (default: that in PATH)")
    parser.add_argument("--runs", type=at_least_one, default=7, help="of each row (default: %(default)s)")
    parser.add_argument("--compare", action="append", choices=COMPARISONS, help="what (default: policies)")
    parser.add_argument("--instructions", action="store_true", help="count them, too")
    parser.add_argument("options", nargs="*", help="of nvcc (default: " + " ".join(OPTIONS) + ")")
    chosen = parser.parse_args(arguments)
    try:
        nvcc = shutil.which(chosen.nvcc)
        if nvcc is None:
            raise CompileError(f"there is no {chosen.nvcc}; name the compiler with --nvcc, as in --nvcc /usr/local/cuda/bin/nvcc")
        valgrind = shutil.which("valgrind")
        if chosen.instructions and valgrind is None:
            raise CompileError("there is no valgrind, which counts instructions; install it, or leave out --instructions")
        options = chosen.options or OPTIONS
        rows = rows_of(chosen.compare or ["policies"])
        seconds, sizes = measure(nvcc, chosen.runs, options, rows)
        counts = count_instructions(valgrind, nvcc, options, rows) if chosen.instructions else {}
    except CompileError as error:
        print(f"compile_time.py: {error}", file=sys.stderr)
        return 2
    width = max(16, 2 + max(len(row) for row in rows))
    print(f"{'':{width}}{'CPU s, least':>14}{'median':>10}{'kB':>8}" + (f"{'10^9 instructions':>20}" if counts else ""))
    for row, each in seconds.items():
        counted = f"{counts[row] / 1e9:20.2f}" if counts else ""
        print(f"{row:{width}}{min(each):14.1f}{statistics.median(each):10.1f}{sizes[row] / 1000:8.0f}{counted}")
    return 0


if __name__ == "__main__":
    sys.exit(main())

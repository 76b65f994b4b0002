#!/usr/bin/env python3
# SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
# SPDX-License-Identifier: Apache-2.0
"""Compiles compile_time.cu with thrust::device and with reheat::par, in turns, and prints what each takes.

Seconds are the CPU time of nvcc and all it starts, not the time that passes; sizes those of the code and data in the object.
Options of nvcc's own follow --, in place of -O3 -arch=sm_90: compile_time.py --runs 3 -- -O1 -arch=sm_80
"""

import argparse
import os
import resource
import shutil
import statistics
import struct
import subprocess
import sys
import tempfile

FOLDER = os.path.dirname(os.path.abspath(__file__))
INCLUDE = os.path.join(os.path.dirname(FOLDER), "include")
POLICIES = {"thrust::device": [], "reheat::par": ["-DTHROUGH_REHEAT"]}
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


def measure(nvcc, runs, options):
    """Seconds of each run, and bytes, for each policy."""
    seconds = {policy: [] for policy in POLICIES}
    sizes = {}
    with tempfile.TemporaryDirectory() as folder:
        made = os.path.join(folder, "compile_time.o")
        for _ in range(runs):
            for policy, define in POLICIES.items():
                command = [nvcc, "-std=c++17", *options, f"-I{INCLUDE}", *define]
                command += ["-c", os.path.join(FOLDER, "compile_time.cu"), "-o", made]
                seconds[policy].append(seconds_of(command))
                sizes[policy] = loaded_bytes(made)
    return seconds, sizes


def at_least_one(text):
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"'{text}' is no number from 1 on")
    return int(text)


def main(arguments=None):
    parser = argparse.ArgumentParser(prog="compile_time.py", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nvcc", default="nvcc", help="the compiler (default: that in PATH)")
    parser.add_argument("--runs", type=at_least_one, default=7, help="of each policy (default: %(default)s)")
    parser.add_argument("options", nargs="*", help="of nvcc (default: " + " ".join(OPTIONS) + ")")
    chosen = parser.parse_args(arguments)
    try:
        nvcc = shutil.which(chosen.nvcc)
        if nvcc is None:
            raise CompileError(f"there is no {chosen.nvcc}; name the compiler with --nvcc, as in --nvcc /usr/local/cuda/bin/nvcc")
        seconds, sizes = measure(nvcc, chosen.runs, chosen.options or OPTIONS)
    except CompileError as error:
        print(f"compile_time.py: {error}", file=sys.stderr)
        return 2
    print(f"{'':16}{'CPU s, least':>14}{'median':>10}{'kB':>8}")
    for policy, each in seconds.items():
        print(f"{policy:16}{min(each):14.1f}{statistics.median(each):10.1f}{sizes[policy] / 1000:8.0f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())

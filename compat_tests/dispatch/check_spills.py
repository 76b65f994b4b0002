#!/usr/bin/env python3
# SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
# SPDX-License-Identifier: Apache-2.0
"""Proves without a GPU that the common kernels keep their registers: ptxas spills none, but for those that are listed here.

check_spills.py --nvcc NVCC --source COMMON_KERNELS_CU [--all] [--arch N]... [--jobs N] [-I DIR]...

Compiles COMMON_KERNELS_CU for some architectures and reads what ptxas says about each kernel. --all: every kernel of the
source, for every supported architecture; otherwise those kernels and architectures where a spill is likely. --arch: for
these architectures instead.
"""

import argparse
import collections
import concurrent.futures
import os
import re
import subprocess
import sys
import tempfile
import time

ARCHITECTURES = (90, 100, 120)
ALL_ARCHITECTURES = (75, 80, 86, 89, 90, 100, 103, 120)
RELEASE = "13.0"  # of nvcc: another one's registers are another list

Known = collections.namedtuple("Known", "arch parts stores loads")

ONE_TILE, MANY_TILES = "(reduce_tiles)0", "(reduce_tiles)1"
I8_MINIMUM, I8_EXTREMA = "mapped_vector_input<candidate<signed char,", "mapped_vector_input<candidates<signed char,"

# Spills that are known: the architecture, parts of the kernel's name, bytes of stores and of loads.
#
# * A reduction's block has up to 1024 threads, which leaves 64 registers to each. What extrema of bytes spill there is mostly
#   the epoch and the count of used words: a launch asks for them at its start, where their trip hides, and looks at them in
#   its end. In one tile it is also bytes that are not aligned, which have a register each. Loaded vector by vector, as in the
#   last of many tiles, they would wait for one trip to memory more, in reductions that take a few of them.
#   On sm_75 those of 8-byte items spill likewise.
# * Segmented reductions have three blocks of 256 threads on a multiprocessor, which leaves 80 registers to each. What they spill
#   are facts of the span that each tile asks for once.
# * Scans of 12 bytes on sm_75: blocks of 704 threads leave 80 registers, and one predicate has none.
# * By key on sm_120, blocks of 448 threads leave 128 registers. With fewer load warps there would be more. What inputs that need
#   load warps lose by that has not been measured.
KNOWN = [
    Known(75, ("reduce_kernel", "candidates<long,", MANY_TILES), 36, 16),
    Known(75, ("scan_stream_kernel<scan_tuning<12ul>",), 2, 2),
    Known(120, (I8_MINIMUM, ONE_TILE), 24, 16),
    Known(120, (I8_MINIMUM, MANY_TILES), 16, 8),
    Known(120, (I8_EXTREMA, ONE_TILE), 44, 36),
    Known(90, ("segmented_reduce_kernel<fitting_segmented_tuning<unsigned int,",), 4, 4),
    Known(100, ("segmented_reduce_kernel<fitting_segmented_tuning<unsigned int,",), 24, 48),
    Known(103, ("segmented_reduce_kernel<fitting_segmented_tuning<unsigned int,",), 24, 48),
    Known(120, ("segmented_reduce_kernel<fitting_segmented_tuning<unsigned int,",), 20, 44),
    Known(120, ("scan_stream_kernel<segment_tuning<16ul, 8ul, 8ul, true>, (scan_kind)0",), 4, 8),
]

Kernel = collections.namedtuple("Kernel", "arch name registers stores loads")


def readable(names):
    """The names without namespaces and arguments, as they are in the source."""
    listing = subprocess.run(["c++filt"], input="\n".join(names), stdout=subprocess.PIPE, check=True, encoding="utf-8").stdout
    for name in listing.splitlines():
        name = re.sub(r"\b(?:reheat::cuda_[\d_]+::\w+::|detail::|thrust_backend::|cuda::std::(?:__\w+::)?|common::)", "", name)
        yield re.sub(r"^void |>\(.*\)$", "", name)


def kernels_for(options, arch):
    """What ptxas says about each kernel of ours."""
    with tempfile.TemporaryDirectory() as folder:
        command = [options.nvcc, "-cubin", "-std=c++17", f"-arch=sm_{arch}", "-Xptxas", "-v", "-o", os.path.join(folder, "cubin")]
        command += [f"-I{path}" for path in options.include] + (["-DREHEAT_ALL_KERNELS"] if options.all else []) + [options.source]
        begin = time.monotonic()
        ran = subprocess.run(command, capture_output=True, check=False, encoding="utf-8")
        if ran.returncode != 0:
            sys.exit(" ".join(command) + "\n" + ran.stdout + ran.stderr)
    entries = re.findall(
        r"Function properties for (_ZN6reheat\w+)\s+\d+ bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads"
        r".*\n.*Used (\d+) registers", ran.stderr)
    names = readable([entry[0] for entry in entries])
    found = [Kernel(arch, name, int(registers), int(stores), int(loads))
             for name, (_, stores, loads, registers) in zip(names, entries)]
    print(f"sm_{arch}: {len(found)} kernels, {sum(kernel.stores + kernel.loads != 0 for kernel in found)} spill; "
          f"compiled in {time.monotonic() - begin:.0f} s", flush=True)
    return found


def known_for(kernel):
    return [known for known in KNOWN if known.arch == kernel.arch and all(part in kernel.name for part in known.parts)]


def report(found):
    """What is wrong. Prints all spills."""
    wrong = []
    for kernel in found:
        if kernel.stores + kernel.loads == 0:
            continue
        line = f"sm_{kernel.arch}: {kernel.stores} bytes stored, {kernel.loads} loaded, {kernel.registers} registers: {kernel.name}"
        known = known_for(kernel)
        print(f"{'known' if known else 'new'}: {line}")
        if not any(kernel.stores <= one.stores and kernel.loads <= one.loads for one in known):
            wrong.append(f"spills, and is not known to: {line}")
    for known in KNOWN:
        of_it = [kernel for kernel in found if known in known_for(kernel)]
        if of_it and not any(kernel.stores + kernel.loads for kernel in of_it):
            wrong.append(f"spills no longer: {known}")
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nvcc", required=True)
    parser.add_argument("--source", required=True)
    parser.add_argument("--all", action="store_true", help="all kernels and architectures")
    parser.add_argument("--arch", type=int, action="append")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("-I", dest="include", action="append", default=[])
    options = parser.parse_args()
    architectures = options.arch or (ALL_ARCHITECTURES if options.all else ARCHITECTURES)
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        found = [kernel for kernels in pool.map(lambda arch: kernels_for(options, arch), architectures) for kernel in kernels]
    wrong = report(found)
    if len(found) < 20 * len(architectures):
        wrong.append(f"{len(found)} kernels only")
    listing = subprocess.run([options.nvcc, "--version"], stdout=subprocess.PIPE, check=True, encoding="utf-8").stdout
    if wrong and f"release {RELEASE}," not in listing:
        print(f"nvcc is not {RELEASE}, for which spills are listed: this may be its own")
        wrong = []
    for line in wrong:
        print(f"error: {line}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

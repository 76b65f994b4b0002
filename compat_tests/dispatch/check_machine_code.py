#!/usr/bin/env python3
# SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
# SPDX-License-Identifier: Apache-2.0
"""Proves without a GPU what the machine code of the common kernels does not have, but where this file says why.

check_machine_code.py --nvcc NVCC --source COMMON_KERNELS_CU [--nvdisasm PROGRAM] [--all] [--arch N]... [--jobs N] [-I DIR]...

Compiles COMMON_KERNELS_CU for some architectures and reads what ptxas and nvdisasm say about each kernel:

  spills            registers that ptxas stores to local memory
  stacks            local memory besides: arrays whose places the compiler does not know
  64-bit CAS loops  what the GPU has no instruction for, as a loop of compare-and-swap
  generic accesses  loads, stores and atomics of which the compiler does not know whether their memory is global or shared
  clamps            a comparison that ptxas takes from a predicate of VIMNMX.RELU. For sm_90, sm_100 and sm_103, that of CUDA 12.9 to
                    13.3 does so for `max(min(x, most), 0) == most`, and the predicate says `x <= most`

--all: every kernel of the source, for every architecture from sm_75 to sm_121; otherwise those kernels and architectures
where any of it is likely. --arch: for these architectures instead. --nvdisasm: otherwise the one beside nvcc, or in PATH.

Which registers a compiler spills, and of which accesses it knows the memory, follows from its version. What is listed here is that of nvcc
RELEASE, and with another one a difference is printed as a note. A missing kernel, a CAS loop and a clamp are errors with any.
"""

import argparse
import collections
import concurrent.futures
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

ARCHITECTURES = (75, 90, 100, 120)  # of each row of tuning but sm_80's
ALL_ARCHITECTURES = (75, 80, 86, 87, 88, 89, 90, 100, 103, 110, 120, 121)
RELEASE = "13.0"  # of nvcc: another one's registers are another list

Wrong = collections.namedtuple("Wrong", "text of_compiler")  # of_compiler: with another version of nvcc it may be otherwise
Known = collections.namedtuple("Known", "arch parts stores loads")

ONE_TILE, MANY_TILES = "(reduce_tiles)0", "(reduce_tiles)1"
I8_MINIMUM, I8_EXTREMA = "mapped_vector_input<candidate<signed char,", "mapped_vector_input<candidates<signed char,"
LARGE_TILES = "(few_tiles_size)1"
FEW_TILES_BY_KEY = "scan_few_tiles_kernel<few_tiles_tuning<segment_tuning<8ul, 4ul, 4ul, false>"
FEW_TILES_OF_LONGS = "scan_few_tiles_kernel<few_tiles_tuning<segment_tuning<16ul, 8ul, 8ul,"

# Spills that are known: the architecture, parts of the kernel's name, bytes of stores and of loads.
#
# * A reduction's block has up to 1024 threads, which leaves 64 registers to each. What extrema of bytes spill there is mostly
#   the epoch and the count of used words: a launch asks for them at its start, where their trip hides, and looks at them in
#   its end. In one tile it is also bytes that are not aligned, which have a register each. Loaded vector by vector, as in the
#   last of many tiles, they would wait for one trip to memory more, in reductions that take a few of them.
#   On sm_75 those of 8-byte items spill likewise.
# * Segmented reductions have three blocks of 256 threads on a multiprocessor, which leaves 80 registers to each. What they spill
#   are facts of the span that each tile asks for once, and in the kernel that knows shares and spans those of the division.
# * Scans of 12 bytes on sm_75: blocks of 704 threads leave 80 registers, and one predicate has none.
# * By key on sm_120, blocks of 448 threads leave 128 registers. With fewer load warps there would be more. What inputs that need
#   load warps lose by that has not been measured.
# * Kernels of sorts and of segmented scans have 64 to 128 registers a thread. What they spill is listed as it was found.
# * Calls by key of a few tiles have two blocks of 512 threads on a multiprocessor, which leaves 64 registers to each. On
#   sm_90, where that was measured, they spill nothing.
KNOWN = [
    Known(75, ("reduce_kernel", "candidates<long,", MANY_TILES), 36, 16),
    Known(75, ("scan_stream_kernel<scan_tuning<12ul>",), 2, 2),
    *[Known(arch, ("segmented_reduce_kernel<fitting_segmented_tuning<unsigned int,",), 16, 16) for arch in (75, 80, 86, 87, 88, 89)],
    Known(90, ("segmented_reduce_kernel<fitting_segmented_tuning<unsigned int,",), 8, 4),
    *[Known(arch, (I8_MINIMUM, ONE_TILE), 24, 16) for arch in (120, 121)],
    *[Known(arch, (I8_MINIMUM, MANY_TILES), 16, 8) for arch in (120, 121)],
    *[Known(arch, (I8_EXTREMA, ONE_TILE), 44, 36) for arch in (120, 121)],
    *[Known(arch, ("segmented_reduce_kernel<fitting_segmented_tuning<unsigned int,",), 136, 224) for arch in (100, 103, 110)],
    *[Known(arch, ("segmented_reduce_kernel<fitting_segmented_tuning<unsigned int,",), 216, 280) for arch in (120, 121)],
    *[Known(arch, ("scan_stream_kernel<segment_tuning<16ul, 8ul, 8ul, true>, (scan_kind)0",), 4, 8) for arch in (120, 121)],
    *[Known(arch, (FEW_TILES_BY_KEY,), 32, 28) for arch in (100, 103, 110)],
    *[Known(arch, (FEW_TILES_BY_KEY, LARGE_TILES), 48, 44) for arch in (100, 103, 110)],
    *[Known(arch, (FEW_TILES_BY_KEY,), 16, 12) for arch in (120, 121)],
    *[Known(arch, (FEW_TILES_OF_LONGS, LARGE_TILES), 48, 40) for arch in (100, 103, 110)],
    *[Known(arch, (FEW_TILES_OF_LONGS,), 8, 8) for arch in (100, 103, 110)],
    *[Known(arch, (FEW_TILES_OF_LONGS,), 16, 12) for arch in (120, 121)],
    Known(90, ("sort_pass_kernel<sort_tuning<4ul, 0ul,",), 120, 224),
    Known(90, ("sort_buckets_kernel<sort_tuning<4ul, 0ul,",), 20, 16),
    Known(90, ("sort_range_buckets_kernel<sort_tuning<4ul,",), 112, 276),
    *[Known(arch, ("sort_range_buckets_kernel<sort_tuning<4ul,",), 8, 28) for arch in (100, 103, 110)],
    Known(90, ("sort_spread_buckets_kernel<sort_tuning<4ul,",), 136, 244),
    *[Known(arch, ("sort_spread_buckets_kernel<sort_tuning<4ul,",), 488, 716) for arch in (100, 103, 110)],
    *[Known(arch, ("sort_histogram_kernel<sort_tuning<4ul,",), 36, 116) for arch in (120, 121)],
    *[Known(arch, ("sort_starts_kernel<sort_tuning<4ul, 0ul,",), 16, 24) for arch in (120, 121)],
    Known(75, ("segmented_carry_kernel<fitting_segmented_tuning<unsigned int,",), 24, 36),
    *[Known(arch, ("segmented_carry_kernel<fitting_segmented_tuning<unsigned int,",), 24, 56) for arch in (80, 86, 87, 88, 89)],
    Known(90, ("segmented_carry_kernel<fitting_segmented_tuning<unsigned int,",), 24, 56),
    *[Known(arch, ("segmented_scan_kernel<(scan_kind)0, fitting_segmented_tuning<unsigned int,",), 78, 60) for arch in (100, 103, 110)],
]

# Local memory that is no spill: parts of the kernel's name, and bytes at most.
#
# * The first thread of a tile compares with the item before the tile, which it keeps. The predicate takes both items by reference, from
#   memory of either kind.
LOCAL = [(("scan_few_tiles_kernel<few_tiles_tuning<unique_tuning<",), 8)]

Access = collections.namedtuple("Access", "opcode parts most")

# Generic accesses and CAS loops that are known: a pattern of the instruction, parts of the kernel's name, and how many a kernel has
# at most.
#
# * The assembly of simt's loads, stores and atomics of single words names no state space. They are a few for each launch: the
#   epoch and the count of used words at its start, the count of finished blocks, and the words of the header at its end, in which
#   the loop that clears words after the last epoch is unrolled (from sm_100 on, to 32 stores). A generic access costs a look at
#   the address. What every tile does, to slots and tickets, names global memory.
# * Segmented reductions mark ends in shared memory by relaxed stores of bytes, whose assembly names no state space either. A span
#   leaves a record in shared memory, or none: its address is chosen from that and null, so the compiler does not know the memory of
#   these four stores, which for sm_75 it places twice. And their launch may end in two ways, which is one more store to the header.
# * A pass of a sort looks back at up to eight slots at a time, by such loads. A partition reserves room for each digit of a tile by such an
#   addition, in the code of whole tiles and of others.
# * Sorts of buckets load and store by some pointers of which the compiler does not know where they lead.
# * unique: see LOCAL.
EXPLAINED = [
    Access(r"LD\.E(\.64)?\.STRONG\.GPU", (), 2),
    Access(r"ST\.E\.STRONG\.GPU", (), 3),
    Access(r"ST\.E\.64\.STRONG\.GPU", (), 40),
    Access(r"ATOM\.E\.ADD\.STRONG\.GPU", (), 1),
    Access(r"ST\.E\.U8\.STRONG\.(SM|CTA)", ("segmented_reduce_kernel",), 12),
    Access(r"ST\.E\.STRONG\.GPU", ("segmented_reduce_kernel",), 4),
    Access(r"ST\.E(\.64|\.U8)?(\.SYS)?", ("segmented_reduce_kernel",), 8),
    Access(r"ST\.E\.U8\.STRONG\.(SM|CTA)", ("segmented_scan_kernel",), 12),
    Access(r"LD\.E\.64\.STRONG\.GPU", ("sort_pass",), 8),
    Access(r"ATOM\.E\.ADD\.STRONG\.GPU", ("sort_partition_kernel",), 2),
    Access(r"(LD|ST)\.E(\.SYS)?", ("sort_spread_buckets_kernel",), 12),
    Access(r"LD\.E(\.SYS)?", LOCAL[0][0], 8),
]

CLAMP = "a clamp's predicate"

# Parts of the names of kernels that are there for every architecture, so that no call gets lost.
KERNELS = (
    "reduce_kernel<",
    "search_kernel<",
    "exact_sum_kernel<",
    "scan_one_tile_kernel<scan_tuning<",
    "scan_one_tile_kernel<fixed_scan_tuning<",
    "scan_stream_kernel<scan_tuning<",
    "scan_stream_kernel<fixed_scan_tuning<",
    "scan_stream_kernel<segment_tuning<",
    "scan_stream_kernel<select_tuning<",
    "scan_stream_kernel<unique_tuning<",
    "scan_few_tiles_kernel<few_tiles_tuning<segment_tuning<",
    "scan_few_tiles_kernel<few_tiles_tuning<select_tuning<",
    "scan_few_tiles_kernel<few_tiles_tuning<unique_tuning<",
    "partition_source<",
    "return_rejected_kernel<",
    "segmented_reduce_kernel<",
    "segmented_scan_kernel<",
    "segmented_carry_kernel<",
    "sort_one_block_kernel<",
    "sort_ranges_kernel<",
    "sort_range_buckets_kernel<",
    "sort_histogram_kernel<",
    "sort_starts_kernel<",
    "sort_pass_kernel<",
    "sort_buckets_kernel<",
    "sort_partition_kernel<",
    "sort_spread_buckets_kernel<",
)

Kernel = collections.namedtuple("Kernel", "arch name registers stack stores loads accesses")


def readable(names):
    """The names without namespaces and arguments, as they are in the source."""
    listing = subprocess.run(["c++filt"], input="\n".join(names), stdout=subprocess.PIPE, check=True, encoding="utf-8").stdout
    for name in listing.splitlines():
        name = re.sub(r"\b(?:reheat::cuda_[\d_]+::\w+::|detail::|thrust_backend::|cuda::std::(?:__\w+::)?|common::)", "", name)
        yield re.sub(r"^void |>\(.*\)$", "", name)


def is_listed(opcode):
    """Whether it is an access to local or generic memory, or a CAS of 64 bits."""
    head = opcode.split(".")[0]
    return head in ("LD", "ST", "ATOM", "LDL", "STL") or is_loop(opcode)


def is_loop(opcode):
    """Whether it is a CAS of 64 bits."""
    return ".CAS" in opcode and ".64" in opcode


def accesses_in(listing):
    """Of each kernel in a listing of nvdisasm's: how often it has which of these instructions, or CLAMP."""
    found = collections.defaultdict(collections.Counter)
    kernel = None
    for line in listing.splitlines():
        if match := re.match(r"\.text\.(\w+):", line):
            kernel = match[1]
        elif match := re.match(r"\s+/\*[0-9a-f]+\*/\s+(?:@!?U?P\w+ )?([A-Z][\w.]*)", line):
            found[kernel][match[1]] += is_listed(match[1])
            found[kernel][CLAMP] += re.search(r"MNMX\S*\.RELU\S* +\w+, *(U?P[0-6],|U?PT, *U?P[0-6],)", line) is not None
    return {kernel: +opcodes for kernel, opcodes in found.items()}


def kernels_for(options, arch):
    """What ptxas and nvdisasm say about each kernel of ours."""
    with tempfile.TemporaryDirectory() as folder:
        cubin = os.path.join(folder, "cubin")
        command = [options.nvcc, "-cubin", "-std=c++17", f"-arch=sm_{arch}", "-Xptxas", "-v", "-o", cubin]
        command += [f"-I{path}" for path in options.include] + (["-DREHEAT_ALL_KERNELS"] if options.all else []) + [options.source]
        begin = time.monotonic()
        ran = subprocess.run(command, capture_output=True, check=False, encoding="utf-8")
        if ran.returncode != 0:
            sys.exit(" ".join(command) + "\n" + ran.stdout + ran.stderr)
        listing = subprocess.run([options.nvdisasm, "-c", cubin], stdout=subprocess.PIPE, check=True, encoding="utf-8").stdout
    entries = re.findall(
        r"Function properties for (_ZN6reheat\w+)\s+(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads"
        r".*\n.*Used (\d+) registers", ran.stderr)
    names = readable([entry[0] for entry in entries])
    accesses = accesses_in(listing)
    missing = [entry[0] for entry in entries if entry[0] not in accesses]
    if missing:
        sys.exit(f"{options.nvdisasm} lists no instructions of {missing[0]}")
    found = [Kernel(arch, name, int(registers), int(stack), int(stores), int(loads), accesses[mangled])
             for name, (mangled, stack, stores, loads, registers) in zip(names, entries)]
    print(f"sm_{arch}: {len(found)} kernels, {sum(kernel.stores + kernel.loads != 0 for kernel in found)} spill, "
          f"{sum(kernel.accesses.total() for kernel in found)} accesses are local, generic or a CAS, or clamps; "
          f"compiled and read in {time.monotonic() - begin:.0f} s", flush=True)
    return found


def known_for(kernel):
    return [known for known in KNOWN if known.arch == kernel.arch and all(part in kernel.name for part in known.parts)]


def report_accesses(found):
    """What is wrong with accesses. Prints how many there are of each kind."""
    wrong = []
    counts = collections.Counter()
    for kernel in found:
        spills = kernel.stores + kernel.loads != 0 or any(
            kernel.stack <= most and all(part in kernel.name for part in parts) for parts, most in LOCAL)
        for opcode, count in kernel.accesses.items():
            counts[(kernel.arch, opcode)] += count
            if opcode.startswith(("LDL", "STL")):
                if not spills:
                    wrong.append(Wrong(f"uses local memory, of {kernel.stack} bytes, and spills nothing: sm_{kernel.arch}: {kernel.name}", True))
                continue
            explained = [one for one in EXPLAINED if re.fullmatch(one.opcode, opcode) and all(part in kernel.name for part in one.parts)]
            if not any(count <= one.most for one in explained):
                wrong.append(Wrong(f"has {count} of {opcode}, {'more than is' if explained else 'which is not'} explained: "
                                   f"sm_{kernel.arch}: {kernel.name}", not is_loop(opcode) and opcode != CLAMP))
        if kernel.stack != 0 and not spills:
            wrong.append(Wrong(f"has a stack of {kernel.stack} bytes, and spills nothing: sm_{kernel.arch}: {kernel.name}", True))
    for (arch, opcode), count in sorted(counts.items()):
        print(f"sm_{arch}: {count} of {opcode}")
    for one in EXPLAINED:
        if not any(re.fullmatch(one.opcode, opcode) for _, opcode in counts):
            wrong.append(Wrong(f"is explained, and no kernel has it: {one}", True))
    return wrong


def report_spills(found):
    """What is wrong with spills. Prints all of them."""
    wrong = []
    for kernel in found:
        if kernel.stores + kernel.loads == 0:
            continue
        line = f"sm_{kernel.arch}: {kernel.stores} bytes stored, {kernel.loads} loaded, {kernel.registers} registers: {kernel.name}"
        known = known_for(kernel)
        print(f"{'known' if known else 'new'}: {line}")
        if not any(kernel.stores <= one.stores and kernel.loads <= one.loads for one in known):
            wrong.append(Wrong(f"spills, and is not known to: {line}", True))
    for known in KNOWN:
        of_it = [kernel for kernel in found if known in known_for(kernel)]
        if of_it and not any(kernel.stores + kernel.loads for kernel in of_it):
            wrong.append(Wrong(f"spills no longer: {known}", True))
    return wrong


def report_missing(found, architectures):
    """What is wrong with the list of kernels."""
    return [Wrong(f"is not among the kernels for sm_{arch}: {part}", False) for arch in architectures for part in KERNELS
            if not any(kernel.arch == arch and re.search(rf"\b{part}", kernel.name) for kernel in found)]


def report(wrong, version):
    """Prints what is wrong. Returns whether any of it is an error with this nvcc."""
    other = f"release {RELEASE}," not in version
    for one in wrong:
        print(f"{'note, of another nvcc than ' + RELEASE if other and one.of_compiler else 'error'}: {one.text}")
    return any(not (other and one.of_compiler) for one in wrong)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nvcc", required=True)
    parser.add_argument("--source", required=True)
    parser.add_argument("--nvdisasm")
    parser.add_argument("--all", action="store_true", help="all kernels and architectures")
    parser.add_argument("--arch", type=int, action="append")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("-I", dest="include", action="append", default=[])
    options = parser.parse_args()
    options.nvdisasm = options.nvdisasm or shutil.which("nvdisasm", path=os.path.dirname(options.nvcc)) or shutil.which("nvdisasm")
    if options.nvdisasm is None:
        sys.exit("error: machine code is read by nvdisasm, and there is none beside nvcc or in PATH: it is part of the CUDA toolkit, "
                 "and PyPI's package nvidia-cuda-nvdisasm has it")
    architectures = options.arch or (ALL_ARCHITECTURES if options.all else ARCHITECTURES)
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        found = [kernel for kernels in pool.map(lambda arch: kernels_for(options, arch), architectures) for kernel in kernels]
    wrong = report_missing(found, architectures) + report_spills(found) + report_accesses(found)
    version = subprocess.run([options.nvcc, "--version"], stdout=subprocess.PIPE, check=True, encoding="utf-8").stdout
    return 1 if report(wrong, version) else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
# SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
# SPDX-License-Identifier: Apache-2.0
"""Proves without a GPU that no sum of a reduction, nor of a scan with gpu_to_gpu, is fused with the product before it: its bits are the
same on every GPU.

check_sums.py --nvcc NVCC --source SUMS_CU [--all] [--arch N]... [--jobs N] [-I DIR]...

Compiles SUMS_CU, sums of products, and looks for instructions that multiply and add with one rounding. There must be none.
The same sums by an operator of the user's must have some, or this script does not see them. --all: for every supported
architecture.
"""

import argparse
import collections
import concurrent.futures
import os
import struct
import subprocess
import sys
import tempfile
import time

import same_code

ARCHITECTURES = (75, 90, 120)
ALL_ARCHITECTURES = (75, 80, 86, 87, 89, 90, 100, 103, 110, 120, 121)

# The low nine bits of an instruction.
FUSED = {0x023: "FFMA", 0x02B: "DFMA", 0x031: "HFMA2", 0x035: "HFMA2.MMA"}
SUMS = {0x021: "FADD", 0x029: "DADD", 0x030: "HADD2"}
MOVES = (0x002, 0x024)  # MOV, IMAD
PERMUTE = 0x016  # PRMT packs two halves into a register
ZERO_REGISTER = 255
ONES = (0x3F800000, 0x3FF00000, 0x3C003C00, 0x3F803F80, 0x3C00, 0x3F80)  # of float, the upper half of double, halves
# What bits 9 to 11 say of the operands: which one is no register but a constant in bits 32 to 63.
CONSTANT_ADDENDS, CONSTANT_FACTORS = (2, 3), (4, 5)


def form_of(low):
    return low >> 9 & 7


def is_fused(low, high, ones):
    """Whether it multiplies and adds. A product plus zero is a product, a number times one plus another a sum, and zero times
    zero plus a constant is a constant. `ones`: the registers that hold 1, or a half that is 1."""
    registers = low >> 24 & 255, high & 255  # a factor; the other one if the addend is a constant, else the addend
    is_one = registers[1] in ones if form_of(low) in CONSTANT_ADDENDS else form_of(low) in CONSTANT_FACTORS and low >> 32 in ONES
    return not (ZERO_REGISTER in registers or is_one)


def instructions_of(cubin, arch):
    """How often each name of FUSED and SUMS occurs in the kernels, of those of FUSED only what is_fused."""
    found = collections.Counter()
    for code in same_code.kernels_of(cubin).values():
        ones = set()
        for at in range(0, len(code.text), same_code.INSTRUCTION_BYTES):
            low, high = struct.unpack_from("<QQ", code.text, at)
            operation = low & 0x1FF
            if operation in SUMS:
                found[SUMS[operation]] += 1
            elif operation in FUSED and not (operation == 0x035 and arch >= 100):  # which is another instruction there
                found[FUSED[operation]] += is_fused(low, high, ones)
            written = low >> 16 & 255
            packs_one = operation == PERMUTE and (high & 255 in ones or low >> 24 & 255 in ones)
            ones.discard(written)
            if packs_one or (operation in MOVES and form_of(low) in (2, 4) and low >> 32 in ONES):
                ones.add(written)
    return found


def compiled(options, arch, *definitions):
    with tempfile.TemporaryDirectory() as folder:
        cubin = os.path.join(folder, "cubin")
        command = [options.nvcc, "-cubin", "-std=c++17", f"-arch=sm_{arch}", "-o", cubin, *definitions]
        command += [f"-I{path}" for path in options.include] + [options.source]
        ran = subprocess.run(command, capture_output=True, check=False, encoding="utf-8")
        if ran.returncode != 0:
            sys.exit(" ".join(command) + "\n" + ran.stdout + ran.stderr)
        with open(cubin, "rb") as file:
            return instructions_of(file.read(), arch)


def check(options, arch):
    """What is wrong for an architecture."""
    begin = time.monotonic()
    own, users = compiled(options, arch), compiled(options, arch, "-DREHEAT_FUSES")
    print(f"sm_{arch}: {dict(own)}, by an operator of the user's {dict(users)}; {time.monotonic() - begin:.0f} s", flush=True)
    wrong = [f"sm_{arch}: {own[name]} {name} in sums by plus" for name in FUSED.values() if own[name]]
    wrong += [f"sm_{arch}: no {name} in sums by plus" for name in ("FADD", "DADD") if not own[name]]
    wrong += [f"sm_{arch}: no {name} seen in sums by an operator of the user's" for name in ("FFMA", "DFMA") if not users[name]]
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nvcc", required=True)
    parser.add_argument("--source", required=True)
    parser.add_argument("--all", action="store_true", help="all architectures that nvcc has")
    parser.add_argument("--arch", type=int, action="append")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("-I", dest="include", action="append", default=[])
    options = parser.parse_args()
    architectures = options.arch or (ALL_ARCHITECTURES if options.all else ARCHITECTURES)
    listing = subprocess.run([options.nvcc, "--list-gpu-code"], stdout=subprocess.PIPE, check=True, encoding="utf-8").stdout
    known = [arch for arch in architectures if f"sm_{arch}" in listing.split()]
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        wrong = [line for lines in pool.map(lambda arch: check(options, arch), known) for line in lines]
    if not known:
        wrong.append("nvcc has none of the architectures")
    for line in wrong:
        print(f"error: {line}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

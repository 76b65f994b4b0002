#!/usr/bin/env python3
# SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
# SPDX-License-Identifier: Apache-2.0
"""Tests same_code.py on small kernels: other names and another order are the same code, anything else is not.

same_code_test.py --nvcc NVCC
"""

import argparse
import pathlib
import subprocess
import sys
import tempfile

import same_code

KERNELS = """
namespace reheat
{
__device__ int table[4];
__global__ void SCALE(int* out, const int* in) { out[threadIdx.x] = 3 * in[threadIdx.x] + table[threadIdx.x % 4]; }
__global__ void ROTATE(int* out, const int* in)
{
  __shared__ int items[64];
  items[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = items[(threadIdx.x + 1) % 64];
}
}
"""
SAME = {
    "the same source": (),
    "other names, in another order": (("SCALE", "zoom"), ("ROTATE", "around"), ("table", "rows")),
}
# What is replaced, by what, and how many kernels differ.
OTHER = {
    "another constant": ("3 * in", "5 * in"),
    "more shared memory": ("items[64]", "items[96]"),
    "a parameter more": ("ROTATE(int* out,", "ROTATE(long, int* out,"),
    "a barrier less": ("  __syncthreads();\n", ""),
}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nvcc", required=True)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)

        def kernels(*replaced):
            text = KERNELS
            for old, new in replaced:
                assert old in text, old
                text = text.replace(old, new)
            source, cubin = folder / "kernels.cu", folder / "kernels.cubin"
            source.write_text(text, encoding="utf-8")
            subprocess.run([options.nvcc, "-cubin", "-arch=sm_90", "-o", cubin, source], check=True)
            return same_code.kernels_of(cubin.read_bytes())

        wrong = []
        before = kernels()
        if sorted("SCALE" in name for name in before) != [False, True]:
            wrong.append(f"two kernels were expected, found: {', '.join(before)}")
        for what, replaced in SAME.items():
            for line in same_code.differences(before, kernels(*replaced)):
                wrong.append(f"{what}: {line}")
        for what, replaced in OTHER.items():
            lines = same_code.differences(before, kernels(replaced))
            if [line.split(":")[0] for line in lines] != ["before", "after"]:
                wrong.append(f"{what}: one kernel differs, reported were {lines}")
        twice = dict(before, another=before[next(iter(before))])
        if len(same_code.differences(before, twice)) == 0:
            wrong.append("a kernel more, equal to another one, was not reported")
    for line in wrong:
        print(f"error: {line}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
# SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
# SPDX-License-Identifier: Apache-2.0
"""Proves without a GPU that kernels store the results for which the host polls by system-wide atomic stores alone.

check_results.py --nvcc NVCC --source RESULTS_CU [-I DIR]...

Compiles RESULTS_CU to PTX, and follows the address of the result from each kernel's parameters to the stores that use it. A
result that the host does not poll for is in RESULTS_CU, too: its weak stores must be found, or the search finds nothing.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile
import time

# What a kernel's name says (mangled, a regular expression); the number of kernels, or None for one or more; bits and number of
# the stores of the result; whether the host polls for it.
EXPECTED = {
    "reduce of i8": (r"13reduce_kernel.*vector_inputIPKaaLb", 2, 8, 1, True),
    "reduce of i16": (r"13reduce_kernel.*vector_inputIPKssLb", 2, 16, 1, True),
    "reduce of i32": (r"13reduce_kernel.*vector_inputIPKiiLb", 2, 32, 1, True),
    "reduce of i64": (r"13reduce_kernel.*vector_inputIPKllLb", 2, 64, 1, True),
    "reduce of double": (r"13reduce_kernel.*vector_inputIPKddLb", 2, 64, 1, True),
    "min_element": (r"13reduce_kernel.*13keep_smallest", 2, 64, 1, True),
    "minmax_element": (r"13reduce_kernel.*15extrema_indices", 2, 64, 2, True),
    "reduce_into of nothing": (r"17store_init_kernel.*10init_valueIsE", 1, 16, 1, True),
    "reduce by relaunches": (r"20ladder_reduce_kernel.*17to_sums_or_result", None, 32, 1, True),
    "reduce by atomics": (r"27ladder_reduce_result_kernel", 1, 32, 1, True),
    "reduce by a cooperative launch": (r"25ladder_reduce_grid_kernel", 1, 32, 1, True),
    "reduce by matrix units": (r"20ladder_reduce_kernel.*16to_matrix_result", 1, 64, 1, True),
    "reduce of 12 bytes": (r"13reduce_kernel.*7bytes12", 2, 32, 3, False),
}


def kernels(options):
    """The kernels of the source: parameters and body, by name."""
    with tempfile.TemporaryDirectory() as folder:
        ptx = os.path.join(folder, "results.ptx")
        command = [options.nvcc, "-ptx", "-std=c++17", "-arch=compute_90", "-o", ptx, options.source]
        begin = time.monotonic()
        subprocess.run(command + [f"-I{path}" for path in options.include], check=True)
        print(f"compiled in {time.monotonic() - begin:.0f} s")
        with open(ptx, encoding="utf-8") as file:
            text = file.read()
    return {name: (parameters, body) for name, parameters, body in re.findall(r"\.entry (\w+)\((.*?)\)(.*?)\n}", text, re.S)}


def place_of_result(name, parameters):
    """The parameter that is, or ends in, the result's address, and the offset of the address there. The last parameter is."""
    sizes = re.findall(r"\.param\s+(?:\.align \d+ )?\.(\w+) (\w+)(?:\[(\d+)\])?", parameters)
    kind, parameter, size = sizes[0 if "store_init" in name else -1]
    return parameter, int(size) - 8 if kind == "b8" else 0


def stores_of_result(name, parameters, body):
    """(whether system-wide, bits) of each store of a part of the result."""
    parameter, offset = place_of_result(name, parameters)
    addresses = set()
    for registers, at in re.findall(rf"ld\.param\S*\s+(\S+|{{.*?}}), \[{parameter}(\+\d+)?\]", body):
        for index, register in enumerate(re.findall(r"%\w+", registers)):
            if int(at or 0) + 8 * index == offset:
                addresses.add(register)
    for _ in range(8):  # as many steps as lead from a parameter to an address
        for to, source in re.findall(r"\b(?:cvta\.to\.global|mov|add)\.\w\d+\s+(%rd\d+), (%rd\d+)", body):
            if source in addresses:
                addresses.add(to)
    stores = []
    for how, address, values in re.findall(r"\bst\.(\S+)\s+\[(%rd\d+)(?:\+\d+)?\], ({.*?}|\S+);", body):
        if address in addresses:
            bits = int(re.search(r"\d+$", how)[0])
            stores += [(how.startswith("relaxed.sys."), bits)] * (values.count(",") + 1)
    return stores


def report(found):
    """What is wrong. Prints what is right."""
    wrong = []
    for what, (pattern, expected, bits, words, polled) in EXPECTED.items():
        names = [name for name in found if re.search(pattern, name)]
        if len(names) != (expected or max(1, len(names))):
            wrong.append(f"{what}: {len(names)} kernels")
        for name in names:
            stores = stores_of_result(name, *found[name])
            if stores and set(stores) == {(polled, bits)} and len(stores) % words == 0:
                how = "system-wide" if polled else "weak"
                print(f"{what}: {len(stores)} {how} stores of {bits} bits")
            else:
                wrong.append(f"{what} stores its result by {stores or 'nothing'} (system-wide, bits): {name}")
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nvcc", required=True)
    parser.add_argument("--source", required=True)
    parser.add_argument("-I", dest="include", action="append", default=[])
    wrong = report(kernels(parser.parse_args()))
    for line in wrong:
        print(f"error: {line}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

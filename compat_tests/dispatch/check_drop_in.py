#!/usr/bin/env python3
# SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
# SPDX-License-Identifier: Apache-2.0
"""Proves without a GPU that reheat::drop_in_cub is reheat for what reheat has, and CUB for the rest.

check_drop_in.py --nvcc NVCC --source DROP_IN_CU [-I DIR]...

Compiles DROP_IN_CU to PTX, as it is (then for the host, too) and with CUB in a namespace that wraps it, and looks at the kernels: those of
reductions, scans, selections and sorts are ours, those of sorts by a decomposer CUB's. With REHEAT_PASSTHROUGH all of them must be CUB's,
or the search for those finds nothing.
"""

import argparse
import concurrent.futures
import re
import sys

import check_dispatch

VARIANTS = {
    "as it is": [],
    "wrapped": ["-DCUB_WRAPPED_NAMESPACE=wrapped"],
    "passed through": ["-DREHEAT_PASSTHROUGH"],
}


def wrong_with(variant, names):
    """What is wrong with the kernels of a variant. Prints how many there are of each kind."""
    passed_through = variant == "passed through"
    wrong = []
    for kind, by_us, pattern, there in (
        ("reductions of ours", True, r"reduce_\w*kernel", not passed_through),
        ("scans of ours", True, r"scan_\w*kernel", not passed_through),
        ("selections of ours", True, r"scan_\w*kernel.*selection_source", not passed_through),
        ("reductions and scans of CUB's", False, r"Device(Reduce|Scan|SegmentedReduce)\w*Kernel", passed_through),
        ("partitions of ours", True, r"scan_\w*kernel.*partition_source", not passed_through),
        ("first items of runs of ours", True, r"scan_\w*kernel.*run_source.*no_values", not passed_through),
        ("first keys of runs of ours", True, r"scan_\w*kernel.*run_source(?!.*no_values)", not passed_through),
        ("selections of CUB's", False, r"DeviceSelect\w*Kernel", passed_through),
        ("first keys of runs of CUB's", False, r"DeviceUniqueByKey\w*Kernel", passed_through),
        ("partitions in three of ours", True, r"scan_\w*kernel.*three_way_source", not passed_through),
        ("partitions in three of CUB's", False, r"DeviceThreeWayPartition\w*Kernel", passed_through),
        ("lengths of runs of ours", True, r"scan_\w*kernel.*run_length_source", not passed_through),
        ("lengths of runs of CUB's", False, r"DeviceRle\w*Kernel", passed_through),
        ("radix sorts of ours", True, r"sort\w*_kernel", not passed_through),
        ("radix sorts of CUB's, of plain keys", False, r"DeviceRadixSort\w*Kernel.*identity_decomposer", passed_through),
        ("radix sorts of CUB's, by a decomposer", False, r"DeviceRadixSort\w*Kernel.*taken_apart", True),
    ):
        found = [name for name in names if check_dispatch.ours(name) == by_us and re.search(pattern, name)]
        print(f"{variant}: {len(found)} kernels are {kind}")
        if bool(found) != there:
            wrong.append(f"{variant}: {len(found)} kernels are {kind}: {' '.join(found)}")
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nvcc", required=True)
    parser.add_argument("--source", required=True)
    parser.add_argument("-I", dest="include", action="append", default=[])
    options = parser.parse_args()
    with concurrent.futures.ThreadPoolExecutor() as pool:
        compiled = list(
            pool.map(lambda variant: check_dispatch.entries(options, options.source, variant, host_too=not variant), VARIANTS.values())
        )
    wrong = [line for variant, names in zip(VARIANTS, compiled) for line in wrong_with(variant, names)]
    for line in wrong:
        print(f"error: {line}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

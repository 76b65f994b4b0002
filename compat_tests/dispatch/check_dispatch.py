#!/usr/bin/env python3
# SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
# SPDX-License-Identifier: Apache-2.0
"""Proves without a GPU that every public call form runs our kernels.

check_dispatch.py --nvcc NVCC --source CALLS_CU [-I DIR]...

Compiles CALLS_CU to PTX and requires that every tag is carried by a kernel of ours and by none of anybody else, and that no
reduction or scan of CUB is there. Then compiles it again with every overload removed and requires that each form is then
reported: the proof itself is proven. Forms of calls that this version of Thrust does not have are in neither.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile
import time

FORMS = {
    1: "reduce of 3 arguments",
    2: "reduce of 4 arguments",
    3: "reduce of 5 arguments",
    4: "inclusive_scan of 4 arguments",
    5: "inclusive_scan of 5 arguments",
    6: "inclusive_scan of 6 arguments",
    7: "exclusive_scan of 4 arguments",
    8: "exclusive_scan of 5 arguments",
    9: "exclusive_scan of 6 arguments",
    10: "reduce_into of 4 arguments",
    11: "reduce_into of 5 arguments",
    12: "reduce_into of 6 arguments",
    13: "transform_reduce",
    14: "inner_product of 5 arguments",
    15: "inner_product of 7 arguments",
    16: "count",
    17: "count_if",
    18: "min_element of 3 arguments",
    19: "min_element of 4 arguments",
    20: "max_element of 3 arguments",
    21: "max_element of 4 arguments",
    22: "minmax_element of 3 arguments",
    23: "minmax_element of 4 arguments",
    24: "all_of",
    25: "any_of",
    26: "none_of",
    27: "transform_inclusive_scan of 6 arguments",
    28: "transform_inclusive_scan of 7 arguments",
    29: "transform_exclusive_scan",
    30: "inclusive_scan_by_key of 5 arguments",
    31: "inclusive_scan_by_key of 6 arguments",
    32: "inclusive_scan_by_key of 7 arguments",
    33: "exclusive_scan_by_key of 5 arguments",
    34: "exclusive_scan_by_key of 6 arguments",
    35: "exclusive_scan_by_key of 7 arguments",
    36: "exclusive_scan_by_key of 8 arguments",
    37: "reduce_by_key of 6 arguments",
    38: "reduce_by_key of 7 arguments",
    39: "reduce_by_key of 8 arguments",
}
NEWER = {10, 11, 12}  # not in every version of Thrust
ALL_REMOVED = sum(1 << (form - 1) for form in FORMS)  # bit k removes the overload of form k + 1


def entries(options, removed):
    """The names of all kernels in the PTX."""
    with tempfile.TemporaryDirectory() as folder:
        ptx = os.path.join(folder, "calls.ptx")
        command = [options.nvcc, "-ptx", "-std=c++17", "-arch=compute_90", "-o", ptx, options.source]
        command += [f"-DREHEAT_DROPPED_OVERLOADS={removed}"] + [f"-I{path}" for path in options.include]
        begin = time.monotonic()
        subprocess.run(command, check=True)
        with open(ptx, encoding="utf-8") as file:
            names = re.findall(r"\.entry\s+(\w+)", file.read())
        print(f"{len(names)} kernels, compiled in {time.monotonic() - begin:.0f} s")
        return names


def ours(name):
    return name.startswith("_ZN6reheat")


def carriers_of(form, names):
    return [name for name in names if re.search(rf"tag_(value|operator)ILi{form}EE", name)]


def missing_forms(forms, names):
    """Forms that do not run on our kernels alone, and CUB's kernels of the family, whatever they carry."""
    missing = []
    for form in forms:
        carriers = carriers_of(form, names)
        if not any(ours(name) for name in carriers) or not all(ours(name) for name in carriers):
            missing.append(form)
    foreign = [name for name in names if not ours(name) and re.search(r"reduce|scan", name, re.I)]
    return missing, foreign


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nvcc", required=True)
    parser.add_argument("--source", required=True)
    parser.add_argument("-I", dest="include", action="append", default=[])
    options = parser.parse_args()

    names, names_then = entries(options, 0), entries(options, ALL_REMOVED)
    forms = [form for form in FORMS if form not in NEWER or carriers_of(form, names + names_then)]
    for form in sorted(set(FORMS) - set(forms)):
        print(f"not in this version of Thrust: {FORMS[form]}")

    missing, foreign = missing_forms(forms, names)
    for form in missing:
        print(f"error: {FORMS[form]} does not run on our kernels")
    for name in foreign:
        print(f"error: a foreign kernel: {name}")

    noticed, foreign_then = missing_forms(forms, names_then)
    unnoticed = sorted(set(forms) - set(noticed))
    for form in unnoticed:
        print(f"error: the removed overload was not noticed: {FORMS[form]}")
    for form in noticed:
        print(f"removed and noticed: {FORMS[form]}")
    if not foreign_then:
        print("error: without our overloads there is no foreign kernel: the search for them finds nothing")
    return 0 if not missing and not foreign and not unnoticed and foreign_then else 1


if __name__ == "__main__":
    sys.exit(main())

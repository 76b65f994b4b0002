#!/usr/bin/env python3
# SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
# SPDX-License-Identifier: Apache-2.0
"""Proves without a GPU that every public call form runs our kernels.

check_dispatch.py --nvcc NVCC --source CALLS_CU [-I DIR]...

Compiles CALLS_CU to PTX and requires that every tag is carried by a kernel of ours and by none of anybody else, and that no
reduction or scan of CUB is there. Then compiles it again with every overload removed and requires that each of the nine is
then reported: the proof itself is proven.
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
}
ALL_REMOVED = 0x1FF  # bit k removes the overload of form k + 1


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


def missing_forms(names):
    """Forms that do not run on our kernels alone, and CUB's kernels of the family, whatever they carry."""
    missing = []
    for form in FORMS:
        carriers = [name for name in names if re.search(rf"tag_(value|operator)ILi{form}EE", name)]
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

    missing, foreign = missing_forms(entries(options, 0))
    for form in missing:
        print(f"error: {FORMS[form]} does not run on our kernels")
    for name in foreign:
        print(f"error: a foreign kernel: {name}")

    noticed, foreign_then = missing_forms(entries(options, ALL_REMOVED))
    unnoticed = sorted(set(FORMS) - set(noticed))
    for form in unnoticed:
        print(f"error: the removed overload was not noticed: {FORMS[form]}")
    for form in noticed:
        print(f"removed and noticed: {FORMS[form]}")
    if not foreign_then:
        print("error: without our overloads there is no foreign kernel: the search for them finds nothing")
    return 0 if not missing and not foreign and not unnoticed and foreign_then else 1


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
# SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
# SPDX-License-Identifier: Apache-2.0
"""Fails if an algorithm of Thrust's is neither served across ranks nor a compile error that says which ones are.

check_refused.py --ours DIR --source NOT_SERVED_CU --compiler CXX [option of the compiler]...

Three lists have to agree: the public functions of Thrust that take a policy, in the first of the compiler's -I folders that has them; the
message that local.cuh (below DIR, our headers) gives for an algorithm that is not served; and the errors of compiling NOT_SERVED_CU,
which calls each of those algorithms.
"""

import argparse
import os
import pathlib
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "dispatch"))
import check_overloads

# Memory: not an algorithm.
OTHERS = {"malloc", "free", "get_temporary_buffer", "return_temporary_buffer", "get_per_device_resource"}
OURS = {"reduce_into"}  # which older Thrusts do not have

MESSAGE = re.compile(r"static assertion failed: reheat: thrust::(\w+) is not served across ranks\. Served are (.*) and (\w+); "
                     r"and, on each rank's part by itself, (.*) and (\w+)\. For the part alone use the policy without across")


def algorithms_of_thrust(flags):
    for flag in flags:
        folder = pathlib.Path(flag.removeprefix("-I"), "thrust")
        if flag.startswith("-I") and (folder / "sort.h").exists():
            return {form.name for form in check_overloads.overloads(folder, "*.h", check_overloads.THRUSTS)} - OTHERS | OURS
    sys.exit("error: none of the include folders has Thrust's headers")


def errors_of(options, flags):
    ran = subprocess.run([options.compiler, "-fsyntax-only", "-std=c++17", "-w", "-x", "c++", *flags, options.source],
                         capture_output=True, check=False, encoding="utf-8", env={**os.environ, "LC_ALL": "C"})
    return re.findall(r"\berror: (.*)", ran.stderr)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ours", required=True)
    parser.add_argument("--source", required=True)
    parser.add_argument("--compiler", required=True)
    options, flags = parser.parse_known_args()
    thrusts = algorithms_of_thrust(flags)
    if "transform_n" in thrusts:
        flags.append("-DTHRUST_HAS_TRANSFORM_N")

    refused, served, wrong = set(), set(), []
    for error in errors_of(options, flags):
        if message := MESSAGE.fullmatch(error):
            refused.add(message[1])
            served |= {name for part in message.groups()[1:] for name in part.split(", ")}
        else:
            wrong.append(f"another error: {error}")
    local = pathlib.Path(options.ours, "reheat/across/local.cuh").read_text(encoding="utf-8")
    listed = set(re.findall(r"^REHEAT_NOT_ACROSS\((\w+)", local, re.M))
    for what, names in {
            "is an algorithm of Thrust's, and neither said to be served nor refused": thrusts - refused - served,
            "is refused in local.cuh, and its call is no error": listed & thrusts - refused,
            "is said to be served, and Thrust has none": served - thrusts,
            "is refused, and said to be served": refused & served,
    }.items():
        wrong += [f"{name} {what}" for name in sorted(names)]
    for line in wrong:
        print(f"error: {line}")
    print(f"{len(refused)} algorithms are refused across ranks, and {len(served)} served: Thrust has {len(thrusts)}")
    return 1 if wrong or not refused else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
# SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
# SPDX-License-Identifier: Apache-2.0
"""Makes sure that no call of the CUDA runtime by the library escapes the count of host_calls.cpp.

check_host_calls.py --nm NM --counted HOST_CALLS_CPP OBJECT_OR_LIBRARY...
"""

import argparse
import re
import subprocess
import sys

# Neither work nor a look at the device.
HARMLESS = {"cudaGetErrorString", "cudaGetErrorName", "cudaGetDeviceCount"}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nm", required=True)
    parser.add_argument("--counted", required=True)
    parser.add_argument("files", nargs="+")
    options = parser.parse_args()

    with open(options.counted, encoding="utf-8") as file:
        counted = set(re.findall(r"^COUNTED\(\w+, (\w+),", file.read(), re.MULTILINE))
    symbols = subprocess.run([options.nm, "-u", *options.files], check=True, stdout=subprocess.PIPE, encoding="utf-8").stdout
    called = set(re.findall(r"\bU (cuda[A-Z]\w*|__cudaLaunchKernel\w*)$", symbols, re.MULTILINE))
    print(f"{len(called)} functions of the runtime are called, {len(called & counted)} of them are counted")
    escaped = called - counted - HARMLESS
    for name in sorted(escaped):
        print(f"error: {name} is called and not counted")
    if not called & counted:
        print("error: no counted function is called: the search for them finds nothing")
    return 0 if called & counted and not escaped else 1


if __name__ == "__main__":
    sys.exit(main())

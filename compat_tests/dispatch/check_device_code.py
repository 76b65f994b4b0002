#!/usr/bin/env python3
# SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
# SPDX-License-Identifier: Apache-2.0
"""Proves that calls of reheat's device-wide classes in device code do not compile, and that messages name them.

check_device_code.py --nvcc NVCC --source DEVICE_CODE_CU [-I DIR]...

Every line of DEVICE_CODE_CU that has a call must be an error, and nothing else may be one.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile

CALLS = 72


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nvcc", required=True)
    parser.add_argument("--source", required=True)
    parser.add_argument("-I", dest="include", action="append", default=[])
    options = parser.parse_args()

    with open(options.source, encoding="utf-8") as file:
        calls = {number: match[1] for number, line in enumerate(file, 1) if (match := re.search(r"\b(Device\w+::\w+)\(", line))}
    with tempfile.TemporaryDirectory() as folder:
        command = [options.nvcc, "-ptx", "-std=c++17", "-arch=compute_90", "-o", os.path.join(folder, "device_code.ptx"), options.source]
        command += ["-Xcudafe", "--error_limit=1000"]  # else it stops at 100, and a call is two errors
        ran = subprocess.run(command + [f"-I{path}" for path in options.include], capture_output=True, check=False, encoding="utf-8")
    errors = re.findall(r"^(.*)\((\d+)\): error: (.*)$", ran.stdout + ran.stderr, re.M)
    refused = {}
    wrong = []
    for file, line, message in errors:
        call = re.search(r'calling a __host__ function\(".*?reheat::[\w:]*::(Device\w+::\w+)<.*" *\) from a __global__ function', message)
        if call:
            refused[int(line)] = call[1]
        elif os.path.basename(file) != os.path.basename(options.source) or "is undefined in device code" not in message:
            wrong.append(f"{file}({line}): {message}")
    wrong += [f"line {line}, {name}: refused as {refused.get(line)}" for line, name in calls.items() if refused.get(line) != name]
    wrong += [f"line {line} has no call, and {name} is refused there" for line, name in refused.items() if line not in calls]
    if len(calls) != CALLS:
        wrong.append(f"{len(calls)} calls are compiled, {CALLS} are expected")
    if ran.returncode == 0:
        wrong.append("the source compiles")
    for line in wrong:
        print(f"error: {line}")
    print(f"{len(refused)} of {len(calls)} calls are refused")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

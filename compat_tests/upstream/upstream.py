#!/usr/bin/env python3
# SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
# SPDX-License-Identifier: Apache-2.0
"""Builds the tests of Thrust that tests.txt lists, from a checkout of CCCL, under override.cuh.

upstream.py --nvcc NVCC --build FOLDER --bundle FOLDER [--flags FLAGS] [--jobs N] CHECKOUT [TEST]...

Leaves the programs in the bundle, with run.sh, which runs them on a machine with a GPU, and `programs`, which it reads: a line
for each test of the list, with its state (framework, catch2: what its main is of; unbuilt; absent: not in this checkout) and
the numbers of kernels in it, reheat's and those of CUB's reductions and scans.
"""

import argparse
import pathlib
import re
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
# Kernels, as the host functions that launch them.
OURS = re.compile(r" [tTwW] (?:void )?reheat::[\w:]*_kernel[<(]")
CUBS = re.compile(r" [tTwW] void [\w:]*(?:cub::[\w:]*(?:Reduce|Scan)\w*Kernel[<(]|_kernel_agent<[\w:]*(?:Reduce|Scan)\w*Agent\b)")


def refuse(message):
    print(f"upstream: {message}", file=sys.stderr)
    sys.exit(2)


def wanted_tests(names):
    lines = (HERE / "tests.txt").read_text(encoding="utf-8").splitlines()
    listed = [line.split()[0] for line in lines if line and not line.startswith("#")]
    for name in names:
        if name not in listed:
            refuse(f"{name} is not in compat_tests/upstream/tests.txt")
    return names or listed


def version_of(checkout):
    header = checkout / "thrust/thrust/version.h"
    folders = [header, checkout / "cub/cub", checkout / "libcudacxx/include/cuda", checkout / "thrust/testing/unittest"]
    lacking = [str(folder) for folder in folders if not folder.exists()]
    if lacking:
        refuse(f"{checkout} is no checkout of CCCL: it has no {lacking[0]}")
    number = int(re.search(r"define\s+THRUST_VERSION\s+(\d+)", header.read_text(encoding="utf-8")).group(1))
    return f"{number // 100000}.{number // 100 % 1000}.{number % 100}"


def source_of(checkout, name):
    """The test's file, relative to thrust/testing; None if there is none."""
    path = pathlib.PurePath(name + ".cu")
    for candidate in (path, path.with_name("catch2_test_" + path.name)):
        if (checkout / "thrust/testing" / candidate).exists():
            return str(candidate)
    return None


def is_framework(checkout, source):
    return "catch2_test_" not in source and (checkout / "thrust/testing/unittest/testframework.cu").exists()


def build(options, checkout, sources):
    configure = ["cmake", "-G", "Ninja", "-S", HERE, "-B", options.build, f"-Dcheckout={checkout}", f"-Dsources={';'.join(sources)}",
                 f"-DCMAKE_CUDA_COMPILER={options.nvcc}", f"-DCMAKE_CUDA_FLAGS={options.flags}", "-DCMAKE_BUILD_TYPE=None"]
    if subprocess.run(configure, check=False).returncode != 0:
        sys.exit("upstream: CMake could not configure the tests; its message is above")
    # Goes on after a test that does not compile: the summary names it.
    subprocess.run(["cmake", "--build", options.build, "-j", str(options.jobs), "--", "-k", "0"], check=False)


def kernels_in(program):
    """How many kernels of reheat's, and of CUB's for the same work, the program can launch."""
    symbols = subprocess.run(["nm", "-C", program], check=True, stdout=subprocess.PIPE, encoding="utf-8").stdout.splitlines()
    return sum(bool(OURS.search(line)) for line in symbols), sum(bool(CUBS.search(line)) for line in symbols)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nvcc", required=True)
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--bundle", type=pathlib.Path, required=True)
    parser.add_argument("--flags", default="")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("checkout", type=pathlib.Path)
    parser.add_argument("test", nargs="*")
    options = parser.parse_args()

    checkout = options.checkout.absolute()
    tests = wanted_tests(options.test)
    version = version_of(checkout)
    sources = {name: source_of(checkout, name) for name in tests}
    present = [source for source in sources.values() if source]
    print(f"CCCL {version}: {len(present)} of {len(tests)} tests are in {checkout}/thrust/testing")
    if not present:
        refuse(f"{checkout}/thrust/testing has none of the tests: {' '.join(tests)}")
    shutil.rmtree(options.bundle, ignore_errors=True)
    options.bundle.mkdir(parents=True)
    for old in options.build.glob("upstream.*"):
        old.unlink()  # of an earlier build, if this one fails
    build(options, checkout, present)

    lines = []
    for name, source in sources.items():
        if not source:
            lines.append(f"{name} absent 0 0")
            continue
        program = options.build / ("upstream." + source.removesuffix(".cu").replace("/", "."))
        if not program.exists():
            lines.append(f"{name} unbuilt 0 0")
            continue
        ours, cubs = kernels_in(program)
        lines.append(f"{name} {'framework' if is_framework(checkout, source) else 'catch2'} {ours} {cubs}")
        subprocess.run(["strip", "-o", options.bundle / name.replace("/", "."), program], check=True)
    (options.bundle / "programs").write_text(f"CCCL {version}\n" + "".join(line + "\n" for line in lines), encoding="utf-8")
    shutil.copy(HERE / "run.sh", options.bundle / "run.sh")
    return 0


if __name__ == "__main__":
    sys.exit(main())

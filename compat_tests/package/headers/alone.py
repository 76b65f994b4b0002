# SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
# SPDX-License-Identifier: Apache-2.0
"""Each header compiles alone, by g++.

Most of the time of such a compilation goes into headers that nearly all of ours include. What a few of ours hold is therefore
precompiled, and a header is parsed behind that if it includes those, itself or through others: then it sees nothing that it would
not see without. It takes a quarter of the time. All others are parsed with nothing before them."""

import argparse
import concurrent.futures
import os
import re
import subprocess
import sys
import tempfile

# The first of them all of whose headers a header includes is the one that it is parsed behind.
BASES = {
    "calls": ("reheat/thrust_backend/policy.cuh", "reheat/detail/algorithms/reduce.cuh"),
    "policies": ("reheat/thrust_backend/policy.cuh",),
    "host": ("reheat/detail/call_workspace.cuh", "reheat/detail/operators.cuh", "reheat/detail/simt/simt.cuh"),
    "kernels": ("reheat/detail/operators.cuh", "reheat/detail/simt/simt.cuh"),
}
INCLUDE = re.compile(r"^\s*#\s*include\s*<(reheat/[^>]+)>", re.M)


def included(header, known, folders, seen):
    """Those of `known` that `header` includes, itself or through others. `seen` gets them. Headers of the other machine, which stand
    behind conditions, are not known."""
    for folder in folders:
        path = os.path.join(folder, header)
        if os.path.exists(path):
            with open(path, encoding="utf-8") as file:
                for other in INCLUDE.findall(file.read()):
                    if other in known and other not in seen:
                        seen.add(other)
                        included(other, known, folders, seen)
    return seen


def base_of(header, known, folders):
    """The name of the base that a header is parsed behind, or None."""
    has = included(header, known, folders, set())
    return next((base for base, headers in BASES.items() if has.issuperset(headers)), None)


def lines(headers):
    return "".join(f"#include <{header}>\n" for header in headers)


def run(command, text):
    return subprocess.run(command, input=text, capture_output=True, check=False, encoding="utf-8")


class Compiler:
    """g++ with options, and the bases, precompiled in a folder."""

    def __init__(self, command, folder):
        self.command, self.folder = command, folder

    def precompile(self, base):
        path = os.path.join(self.folder, base + ".hpp")
        with open(path, "w", encoding="utf-8") as file:
            file.write(lines(BASES[base]))
        return run([*self.command, "-x", "c++-header", path, "-o", path + ".gch"], "")

    def parse(self, text, base):
        behind = ["-include", os.path.join(self.folder, base + ".hpp")] if base else []
        # A base that could not be used would be parsed again each time, without a word.
        return run([*self.command, "-Winvalid-pch", *behind, "-fsyntax-only", "-x", "c++", "-"], text)


def check_itself(compiler):
    """What a header lacks is missed behind each base, too."""
    faults = []
    for base in [None, *BASES]:
        for text, wanted in (("#include <valarray>\nstd::valarray<int> a;\n", True), ("std::valarray<int> a;\n", False)):
            if (compiler.parse(text, base).returncode == 0) != wanted:
                faults.append(f"behind {base or 'nothing'}, this {'fails' if wanted else 'passes'}:\n{text}")
    return faults


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--headers", nargs="+", required=True, help="below one of the folders of -I")
    parser.add_argument("compiler", nargs=argparse.REMAINDER, help="behind --: g++, and its options")
    options = parser.parse_args(arguments)
    command = options.compiler[1:]
    folders = [option[2:] for option in command if option.startswith("-I")]
    bases = {header: base_of(header, set(options.headers), folders) for header in options.headers}
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        compiler = Compiler(command, folder)
        for base, ran in zip(BASES, pool.map(compiler.precompile, BASES)):
            if ran.returncode != 0:
                sys.exit(f"what {base} have in common does not compile:\n{ran.stderr}")
        faults = check_itself(compiler)
        parsed = pool.map(lambda header: compiler.parse(lines([header]), bases[header]), options.headers)
        for header, ran in zip(options.headers, parsed):
            if ran.returncode != 0:
                faults.append(f"{header} does not compile alone:\n{ran.stderr}")
    for base in [*BASES, None]:
        print(f"{sum(found == base for found in bases.values())} headers behind {base or 'nothing'}")
    if faults:
        sys.exit("\n".join(faults))


if __name__ == "__main__":
    main(sys.argv[1:])

# SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
# SPDX-License-Identifier: Apache-2.0
"""compile_time.py, with a compiler made up here that only copies objects; and that its source compiles."""

import os
import re
import struct
import subprocess
import sys
import unittest.mock

import cases
import compile_time

SCRIPTS = os.path.dirname(compile_time.__file__)

COMPILER = """#!/bin/sh
echo "$@" >> "$0.log"
for last; do :; done
case "$*" in
  *-DTHROUGH_REHEAT*) cp "$0.reheat" "$last" ;;
  *) cp "$0.thrust" "$last" ;;
esac
"""

# Leaves two logs, of the compiler and of what it starts, and starts it.
VALGRIND = """#!/bin/sh
while [ "${1#-}" != "$1" ]; do
  case $1 in --log-file=*) log=${1#--log-file=} ;; esac
  shift
done
printf 'LOG' > "$(dirname "$log")/1.log"
printf 'LOG' > "$(dirname "$log")/2.log"
exec "$@"
"""


def elf_object(code, data, zeros, notes):
    """Nothing but an ELF header and a table of sections of these sizes, of which notes are not loaded."""
    kinds = ((0, 0, 0), (1, 6, code), (1, 3, data), (8, 3, zeros), (1, 0, notes))
    header = b"\x7fELF\x02\x01\x01" + bytes(9) + struct.pack("<HHIQQQIHHHHHH", 1, 62, 1, 0, 0, 64, 0, 64, 0, 0, 64, len(kinds), 0)
    return header + b"".join(struct.pack("<IIQQQQIIQQ", 0, kind, flags, 0, 0, size, 0, 0, 1, 0) for kind, flags, size in kinds)


class CompileTime(cases.Files):
    cxx = include = ""  # the host's compiler; folders of reheat, CCCL and CUDA, with : between them

    def call(self, *arguments):
        return cases.call(compile_time, *arguments)

    def compiler(self, text=COMPILER):
        path = self.file("nvcc", text)
        os.chmod(path, 0o755)
        for suffix, made in ((".thrust", elf_object(3000000, 200000, 7, 5000000)), (".reheat", elf_object(1000000, 100000, 7, 1))):
            with open(path + suffix, "wb") as out:
                out.write(made)
        return path

    def commands(self, compiler):
        with open(compiler + ".log", encoding="utf-8") as log:
            return log.read().splitlines()

    def count_with(self, compiler, log):
        """Under a valgrind that leaves this log of each program."""
        valgrind = self.file("valgrind", VALGRIND.replace("LOG", log))
        os.chmod(valgrind, 0o755)
        with unittest.mock.patch.dict(os.environ, {"PATH": self.folder + os.pathsep + os.environ["PATH"]}):
            return self.call("--nvcc", compiler, "--runs", "1", "--instructions")

    def test_policies_take_turns(self):
        compiler = self.compiler()
        status, _, error = self.call("--nvcc", compiler, "--runs", "2")
        self.assertEqual((status, error), (0, ""))
        commands = self.commands(compiler)
        self.assertEqual(["-DTHROUGH_REHEAT" in each for each in commands], [False, True, False, True])
        for each in commands:
            self.assertIn("-O3 -arch=sm_90", each)
            self.assertIn("-DCALL_REDUCE -DCALL_INCLUSIVE_SCAN -DCALL_SORT", each)
            self.assertIn(os.path.join(SCRIPTS, "compile_time.cu"), each)

    def test_one_call_is_compared_by_itself(self):
        compiler = self.compiler()
        status, text, error = self.call("--nvcc", compiler, "--runs", "1", "--compare", "inclusive_scan", "--compare", "sort")
        self.assertEqual((status, error), (0, ""))
        lines = text.splitlines()
        self.assertRegex(lines[1], r"^thrust inclusive_scan +\d+\.\d +\d+\.\d +3200$")
        self.assertRegex(lines[2], r"^reheat inclusive_scan +\d+\.\d +\d+\.\d +1100$")
        self.assertEqual(len({len(line) for line in lines}), 1, text)
        calls = [re.findall(r"-DCALL_\w+", each) for each in self.commands(compiler)]
        self.assertEqual(calls, [["-DCALL_INCLUSIVE_SCAN"]] * 2 + [["-DCALL_SORT"]] * 2)

    def test_seconds_and_bytes_of_each_policy_are_printed(self):
        _, text, _ = self.call("--nvcc", self.compiler(), "--runs", "1")
        lines = text.splitlines()
        self.assertEqual(lines[0].split(), ["CPU", "s,", "least", "median", "kB"])
        self.assertRegex(lines[1], r"^thrust::device +\d+\.\d +\d+\.\d +3200$")
        self.assertRegex(lines[2], r"^reheat::par +\d+\.\d +\d+\.\d +1100$")
        self.assertEqual(len(lines), 3)

    def test_instructions_of_all_programs_are_added_up(self):
        compiler = self.compiler()
        status, text, error = self.count_with(compiler, "==1== Events    : Ir\\n==1== Collected : 300000000\\n")
        self.assertEqual((status, error), (0, ""))
        lines = text.splitlines()
        self.assertTrue(lines[0].endswith(" 10^9 instructions"), text)
        self.assertRegex(lines[1], r"^thrust::device .* 3200 +0\.60$")  # the compiler and one that it starts
        self.assertRegex(lines[2], r"^reheat::par .* 1100 +0\.60$")
        self.assertEqual(["-DTHROUGH_REHEAT" in each for each in self.commands(compiler)], [False, True, False, True])

    def test_no_instructions_are_an_error(self):
        status, output, error = self.count_with(self.compiler(), "==1== no tool of this name\\n")
        self.assertEqual((status, output), (2, ""))
        self.assertIn("valgrind counted no instructions", error)

    def test_a_counter_that_is_not_there_is_named(self):
        compiler = self.compiler()
        with unittest.mock.patch.dict(os.environ, {"PATH": self.folder}):
            status, output, error = self.call("--nvcc", compiler, "--instructions")
        self.assertEqual((status, output, error.count("\n")), (2, "", 1), error)
        self.assertIn("there is no valgrind, which counts instructions; install it, or leave out --instructions", error)
        self.assertFalse(os.path.exists(compiler + ".log"), "measured for minutes before the error")

    def test_options_take_the_place_of_ours(self):
        compiler = self.compiler()
        self.assertEqual(self.call("--nvcc", compiler, "--runs", "1", "--", "-O1", "-arch=sm_80")[0], 0)
        for each in self.commands(compiler):
            self.assertIn(" -O1 -arch=sm_80 ", each)
            self.assertNotIn("-O3", each)

    def test_comparisons_are_rows_of_one_table(self):
        compiler = self.compiler()
        status, text, error = self.call("--nvcc", compiler, "--runs", "1", "--compare", "headers", "--compare", "calls")
        self.assertEqual((status, error), (0, ""))
        rows = ["cub headers", "reheat headers", "cub calls", "reheat calls"]
        self.assertEqual([re.split(r"  +", line)[0] for line in text.splitlines()[1:]], rows)
        commands = self.commands(compiler)
        self.assertEqual(["-DTHROUGH_REHEAT" in each for each in commands], [False, True, False, True])
        self.assertEqual(["-DWITH_CALLS" in each for each in commands], [False, False, True, True])
        self.assertTrue(all(os.path.join(SCRIPTS, "compile_time_device.cu") in each for each in commands), commands)

    def test_a_comparison_that_is_not_there_is_named(self):
        status, output, error = self.call("--compare", "sorts")
        self.assertEqual((status, output), (2, ""))
        self.assertRegex(error, "invalid choice: 'sorts' .*policies.*headers.*calls")

    def test_a_compiler_that_is_not_there_is_named(self):
        status, output, error = self.call("--nvcc", os.path.join(self.folder, "nvcc"))
        self.assertEqual((status, output, error.count("\n")), (2, "", 1), error)
        self.assertIn("compile_time.py: there is no " + self.folder, error)
        self.assertIn("name the compiler with --nvcc", error)

    def test_what_can_not_be_measured_is_said(self):
        status, output, error = self.call("--nvcc", self.compiler("#!/bin/sh\necho no such option\nexit 1\n"))
        self.assertEqual((status, output), (2, ""))
        self.assertIn("failed:\nno such option\n", error)
        status, output, error = self.call("--nvcc", self.compiler("#!/bin/sh\nfor last; do :; done\necho text > $last\n"))
        self.assertEqual((status, output), (2, ""))
        self.assertIn("is no 64-bit ELF object", error)
        status, _, error = self.call("--runs", "0")
        self.assertEqual(status, 2)
        self.assertIn("'0' is no number from 1 on", error)

    def test_the_sources_compile(self):
        # For the emulator, by the host's compiler, which looks at all of it in two seconds; nvcc takes eight at least. With all
        # calls of a source at once.
        systems = [f"-DTHRUST_{which}_SYSTEM=THRUST_{which}_SYSTEM_CPP" for which in ("HOST", "DEVICE")]
        attributes = ["-D__host__=", "-D__device__="]  # nvcc's, which a program may write
        macros = {}
        for source, rows in compile_time.COMPARISONS.values():
            macros.setdefault(source, set()).update(macro for row in rows.values() for macro in row)
        self.assertLessEqual({f"-DCALL_{call.upper()}" for call in compile_time.ONE_CALL}, macros["compile_time.cu"])
        for source, defined in macros.items():
            command = [self.cxx, "-std=c++17", "-fsyntax-only", "-w", "-DREHEAT_EMULATED", *systems, *attributes]
            command += [*(f"-I{folder}" for folder in self.include.split(":")), *sorted(defined)]
            command += ["-x", "c++", os.path.join(SCRIPTS, source)]
            ran = subprocess.run(command, capture_output=True, check=False, text=True)
            self.assertEqual(ran.returncode, 0, " ".join(command) + "\n" + ran.stderr)


if __name__ == "__main__":
    sys.exit(cases.main([CompileTime], "--cxx", "--include"))

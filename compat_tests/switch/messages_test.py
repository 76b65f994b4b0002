#!/usr/bin/env python3
# SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
# SPDX-License-Identifier: Apache-2.0
"""What REHEAT_DISABLE and REHEAT_LOG write to stderr.

messages_test.py --switch PROGRAM --accelerated PROGRAM

The programs are switch.cu, compiled with -DREHEAT_RUNTIME_SWITCH, and the compat tests, compiled without it.
"""

import argparse
import os
import pathlib
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "src/family"))
import family


def lines_of(program, *arguments, **environment):
    """Of stderr. Whether the program is content does not matter here."""
    ran = subprocess.run([program, "--log_level=nothing", *arguments], capture_output=True, check=False, encoding="utf-8", env={**os.environ, **environment})
    return [line for line in ran.stderr.splitlines() if line.startswith("reheat")]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--switch", required=True)
    parser.add_argument("--accelerated", required=True)
    options = parser.parse_args()
    wrong = []

    def check(right, what, lines):
        if not right:
            wrong.append("\n".join([what, *lines[:10]]))

    lines = lines_of(options.switch)
    check(lines == [], "nothing was asked for, and something is written", lines)

    lines = lines_of(options.switch, REHEAT_DISABLE="scna,,count")
    unknown = [re.match(r'reheat: REHEAT_DISABLE names "(\w*)", which is unknown', line) for line in lines]
    check([match and match[1] for match in unknown] == ["scna", ""], "one line is wanted for each unknown name", lines)
    known = set(re.findall(r"\w+", lines[0].partition(":")[2])) if lines else set()
    missing = [name for name in ["all", "reductions", "extrema", "logical", "searches", "scan", "by_key", "selections", *(a.name for a in family.algorithms())] if name not in known]
    check(missing == [], f"the message does not name {missing}", lines)

    lines = lines_of(options.switch, REHEAT_DISABLE="reduce", REHEAT_LOG="1")
    passed_on = [line for line in lines if "passed on" in line]
    accelerated = [line for line in lines if "accelerated" in line]
    check(len(passed_on) + len(accelerated) == len(lines), "a line of another form", lines)
    form = r"reheat::reduce: passed on to Thrust, because REHEAT_DISABLE names it, stream 0x\w+"
    check(passed_on and all(re.fullmatch(form, line) for line in passed_on), "calls of reduce are passed on", passed_on)
    form = r"reheat::(\w+): accelerated, \d+ items of [48] bytes, stream 0x\w+, launches \d+, waits \d+"
    named = [re.fullmatch(form, line) for line in accelerated]
    check(all(named), "a line of another form", accelerated)
    check({match[1] for match in named if match} == {a.name for a in family.algorithms()} - {"reduce"}, "a line for each algorithm", accelerated)

    lines = lines_of(options.switch, REHEAT_LOG="0")
    check(lines == [], "REHEAT_LOG=0 writes lines", lines)
    lines = lines_of(options.accelerated, "--run_test=policy/statistics", REHEAT_DISABLE="all")
    says = r"reheat: REHEAT_DISABLE names reheat::\w+, but a call of it is compiled without -DREHEAT_RUNTIME_SWITCH"
    check(len(lines) == 1 and re.match(says, lines[0]), "one line says that the switch is missing", lines)
    for each in wrong:
        print(f"error: {each}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
# SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
# SPDX-License-Identifier: Apache-2.0
"""Shows that the compat tests catch a protocol fault.

check_fault.py run PROGRAM FAULT [--asan]   runs the cases named for FAULT with the fault switched on; succeeds if each fails
                                            as expected
check_fault.py table FAULT_HEADER FAULTS_HPP FAULT...
                                            succeeds if both headers, the table below and the arguments name the same faults
check_fault.py refuse PROGRAM               succeeds if PROGRAM refuses an unknown fault
"""

import os
import re
import subprocess
import sys

WRONG_RESULT = r"error: in .*(expected .*actual|items: \d+ differ)"
DEADLOCK = r"reheat emulator: deadlock"
OUTSIDE = r"reads outside the range: expected 0, actual"
OVERFLOW = r"AddressSanitizer: heap-buffer-overflow"

# fault -> [(case, what its output says)]
TABLE = {
    "commute_fold": [("scan/order/intervals_meet_at_every_boundary", WRONG_RESULT)],
    "skip_prefix_wait": [("scan/order/intervals_meet_at_every_boundary", WRONG_RESULT)],
    "skip_slot_wait": [
        ("scan/order/repeated_calls_with_changed_data_are_not_confused", WRONG_RESULT),
        ("reduce/order/intervals_meet_at_every_boundary", WRONG_RESULT),
    ],
    "drop_publish": [
        ("scan/contract/every_form_works_in_place", DEADLOCK),
        ("reduce/order/intervals_meet_at_every_boundary", DEADLOCK),
    ],
    "reuse_stage_early": [
        ("scan/order/intervals_meet_at_every_boundary", WRONG_RESULT + r"|reheat emulator: .*(has not finished|mbarrier)")
    ],
    "read_past_end": [
        ("scan/contract/each_item_is_read_once_and_nothing_outside", OUTSIDE),
        ("reduce/contract/each_item_is_read_once_and_nothing_outside", OUTSIDE),
        ("reduce/contract/with_any_operator_each_item_is_read_once_and_nothing_outside", OUTSIDE),
    ],
    "skip_totals_barrier": [
        ("scan/order/intervals_meet_at_every_boundary", WRONG_RESULT),
        ("reduce/order/intervals_meet_at_every_boundary", WRONG_RESULT),
    ],
    "divergent_barrier": [
        ("scan/contract/every_form_works_in_place", r"reheat emulator: .*(deadlock|exits while|not initialised)"),
        ("reduce/contract/each_item_is_read_once_and_nothing_outside", r"reheat emulator: .*(deadlock|exits)"),
    ],
    "keep_epoch": [
        ("scan/order/repeated_calls_with_changed_data_are_not_confused", WRONG_RESULT),
        ("reduce/order/intervals_meet_at_every_boundary", WRONG_RESULT),
    ],
}

# Under AddressSanitizer raw pointers are watched, too.
ASAN_TABLE = {
    "read_past_end": [
        ("scan/order/affine_maps_compose_in_order", OVERFLOW),
        ("reduce/order/affine_maps_compose_in_order", OVERFLOW),
        ("reduce/order/commutative_sums_are_complete_whatever_the_schedule", OVERFLOW),
    ],
}


def run_case(program, case, fault):
    environment = dict(os.environ, REHEAT_FAULT=fault)
    environment.pop("REHEAT_EXPECTED", None)
    command = [program, "--run_test=" + case, "--log_level=error", "--color_output=no"]
    done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=300)
    return done.returncode, done.stdout.decode(errors="replace")


def run(program, fault, asan):
    rows = TABLE[fault] + (ASAN_TABLE.get(fault, []) if asan else [])
    good = True
    for case, expected in rows:
        status, output = run_case(program, case, fault)
        match = re.search(expected, output)
        if status == 0 or match is None:
            good = False
            print(f"{fault}: NOT caught by {case}: exit {status}, expected a failure that says: {expected}")
            print(output[-3000:])
        else:
            print(f"{fault}: caught by {case}: {match.group(0)[:300]}")
    return good


def names_in(path, pattern):
    with open(path, encoding="utf-8") as file:
        return set(re.findall(pattern, file.read()))


def check_table(fault_header, faults_hpp, tested):
    with open(fault_header, encoding="utf-8") as file:
        body = re.search(r"enum class fault[^{]*\{(.*?)\};", file.read(), re.S).group(1)
    enumerators = set(re.findall(r"^\s*(\w+)\s*(?:=\s*\d+)?,", body, re.M)) - {"none"}
    known = names_in(faults_hpp, r'\{"(\w+)", fault::\w+\}') - {"none"}
    good = enumerators == set(TABLE) == known == set(tested)
    print(f"enumerators: {sorted(enumerators)}")
    if not good:
        print(f"faults.hpp:  {sorted(known)}\ntable:       {sorted(TABLE)}\ntested:      {sorted(tested)}\nerror: they differ")
    return good


def refuse(program):
    status, output = run_case(program, "scan", "no_such_fault")
    print(output)
    return status == 2 and "no fault is called 'no_such_fault'" in output


def main(arguments):
    if len(arguments) >= 3 and arguments[0] == "run" and arguments[2] in TABLE:
        return run(arguments[1], arguments[2], "--asan" in arguments[3:])
    if len(arguments) > 3 and arguments[0] == "table":
        return check_table(arguments[1], arguments[2], arguments[3:])
    if len(arguments) == 2 and arguments[0] == "refuse":
        return refuse(arguments[1])
    print(__doc__)
    return False


if __name__ == "__main__":
    sys.exit(0 if main(sys.argv[1:]) else 1)

#!/usr/bin/env python3
# SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
# SPDX-License-Identifier: Apache-2.0
"""Proves without a GPU that every public call form runs our kernels.

check_dispatch.py --nvcc NVCC (--calls CALLS_CU | --unchanged UNCHANGED_CU) [--runtime-switch] [-I DIR]...

Compiles CALLS_CU to PTX and requires that every tag is carried by a kernel of ours and by none of anybody else, and that no
reduction or scan of CUB is there. Then compiles it with REHEAT_PASSTHROUGH and requires that there is no kernel of ours, that
every tag is carried by Thrust's, and that the first search reports each form then: the proof itself is proven. Likewise
UNCHANGED_CU, which calls Thrust on its own policies, with override.cuh. The forms are those of src/family/table.inc. Those that
this version of Thrust does not have are in neither.

Sorts have no tags: kernels know words and not types. There must be kernels of our sort, and none of Thrust's sorts of numbers.

With --runtime-switch it compiles the calls with REHEAT_RUNTIME_SWITCH alone, and requires that every tag is carried by kernels
of both.
"""

import argparse
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "src/family"))
import family

SORTS = {algorithm.name for algorithm in family.algorithms() if algorithm.group == "sorts"}
FORMS = {form.number: family.title_of(form) for form in family.forms() if form.name not in SORTS}
OUR_SORT, THEIR_SORT = r"sort\w*_kernel", r"DeviceRadixSort\w*Kernel"
NEWER = {form.number for form in family.forms() if form.name == "reduce_into"} | {81, 82}  # not in every version of Thrust
REDUCE_INTO = {103: "reheat::reduce_into", 104: "reheat::reduce_into from a value", 105: "reheat::reduce_into by an operator"}
UNTOUCHED = {101: "reduce on a policy of the program's own", 102: "sort of other keys than numbers"}  # by override.cuh


def unoptimised(nvcc):
    """Options that make the PTX quickly: 16 s of CPU time instead of 56. Only its kernels' names are looked at."""
    listing = subprocess.run([nvcc, "--help"], stdout=subprocess.PIPE, check=True, encoding="utf-8").stdout
    return ["-O0"] + (["--Ofast-compile=max"] if "--Ofast-compile" in listing else [])


def entries(options, source, variant, host_too=False):
    """The names of all kernels in the PTX. `host_too`: the host's compiler sees the source, too."""
    with tempfile.TemporaryDirectory() as folder:
        ptx = os.path.join(folder, pathlib.Path(source).stem + ".ptx")
        made = ["-c", "-keep", "-keep-dir", folder, "-o", os.path.join(folder, "calls.o")] if host_too else ["-ptx", "-o", ptx]
        command = [options.nvcc, *made, "-std=c++17", "-arch=compute_90", *unoptimised(options.nvcc), source]
        command += variant + [f"-I{path}" for path in options.include]
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


def sorts_among(names):
    """How many kernels are of our sort, and of Thrust's radix sort."""
    return (
        sum(ours(name) and re.search(OUR_SORT, name) is not None for name in names),
        sum(not ours(name) and re.search(THEIR_SORT, name) is not None for name in names),
    )


def missing_forms(forms, names):
    """Forms that do not run on our kernels alone, and CUB's kernels of the family, whatever they carry."""
    missing = []
    for form in forms:
        carriers = carriers_of(form, names)
        if not any(ours(name) for name in carriers) or not all(ours(name) for name in carriers):
            missing.append(form)
    foreign = [name for name in names if not ours(name) and re.search(r"reduce|scan|radixsort", name, re.I)]
    return missing, foreign


def report(forms, compiled, foreign_compiled):
    """What is wrong, given the kernels that must be ours, and those of the same calls when Thrust runs them. Prints it."""
    for form in sorted(set(FORMS) - set(forms)):
        print(f"not in this version of Thrust: {FORMS[form]}")
    missing, foreign = missing_forms(forms, compiled)
    noticed, foreign_then = missing_forms(forms, foreign_compiled)
    wrong = [f"{FORMS[form]} does not run on our kernels" for form in missing]
    wrong += [f"a foreign kernel: {name}" for name in foreign]
    wrong += [f"what Thrust runs was not noticed: {FORMS[form]}" for form in sorted(set(forms) - set(noticed))]
    if not foreign_then:
        wrong.append("where Thrust runs everything there is no foreign kernel: the search for them finds nothing")
    by_ours, by_theirs = sorts_among(compiled)
    by_ours_then, by_theirs_then = sorts_among(foreign_compiled)
    print(f"sorts: {by_ours} kernels of ours, {by_theirs} others; where Thrust runs them, {by_ours_then} and {by_theirs_then}")
    if not (by_ours and not by_theirs and not by_ours_then and by_theirs_then):
        wrong.append("sorts do not run on our kernels alone, or what Thrust runs was not noticed")
    for form in noticed:
        print(f"ours, and noticed where it is not: {FORMS[form]}")
    return wrong


def report_switched(macro, options, compiled):
    """What is wrong, given all kernels of the calls compiled with the macro. Prints what is right."""
    forms = {form: title for form, title in FORMS.items() if form not in NEWER or carriers_of(form, compiled)}
    forms.update(REDUCE_INTO if options.calls else {})
    wrong = []
    for form, title in forms.items():
        by_ours = [ours(name) for name in carriers_of(form, compiled)]
        as_wanted = any(by_ours) == (macro == "REHEAT_RUNTIME_SWITCH") and not all(by_ours)
        wrong += [] if as_wanted else [f"{title} is carried by {sum(by_ours)} kernels of ours and {by_ours.count(False)} others"]
        print(f"{macro}: {title}: {sum(by_ours)} kernels of ours, {by_ours.count(False)} others")
    by_ours, by_theirs = sorts_among(compiled)
    print(f"{macro}: sorts: {by_ours} kernels of ours, {by_theirs} others")
    if (by_ours > 0) != (macro == "REHEAT_RUNTIME_SWITCH") or by_theirs == 0:
        wrong.append(f"sorts are {by_ours} kernels of ours and {by_theirs} others")
    if macro == "REHEAT_PASSTHROUGH":
        wrong += [f"a kernel of ours: {name}" for name in compiled if ours(name)]
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nvcc", required=True)
    parser.add_argument("--calls", help="calls on our policies")
    parser.add_argument("--unchanged", help="calls on Thrust's policies, for override.cuh")
    parser.add_argument("--runtime-switch", action="store_true")
    parser.add_argument("-I", dest="include", action="append", default=[])
    options = parser.parse_args()
    source = options.calls or options.unchanged
    overriding = ["-include", "reheat/override.cuh"] if options.unchanged else []
    if options.runtime_switch:
        wrong = report_switched("REHEAT_RUNTIME_SWITCH", options, entries(options, source, ["-DREHEAT_RUNTIME_SWITCH", *overriding]))
        for line in wrong:
            print(f"error: {line}")
        return 1 if wrong else 0
    with concurrent.futures.ThreadPoolExecutor() as pool:
        variants = (overriding, ["-DREHEAT_PASSTHROUGH", *overriding])
        ours_run, thrusts_run = pool.map(lambda variant: entries(options, source, variant), variants)

    untouched = {form: carriers_of(form, ours_run) for form in UNTOUCHED if options.unchanged}
    of_untouched = {name for names in untouched.values() for name in names}
    forms = [form for form in FORMS if form not in NEWER or carriers_of(form, ours_run + thrusts_run)]
    wrong = report(forms, [name for name in ours_run if name not in of_untouched], thrusts_run)
    wrong += report_switched("REHEAT_PASSTHROUGH", options, thrusts_run)
    if options.calls:
        wrong += [f"{REDUCE_INTO[form]} does not run on our kernels" for form in missing_forms(REDUCE_INTO, ours_run)[0]]
    for form, names in untouched.items():
        print(f"left to Thrust: {UNTOUCHED[form]}")
        if not names or any(ours(name) for name in names):
            wrong.append(f"{UNTOUCHED[form]} does not run on Thrust's kernels alone")
    for line in wrong:
        print(f"error: {line}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

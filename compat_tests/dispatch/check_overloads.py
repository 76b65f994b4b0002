#!/usr/bin/env python3
# SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
# SPDX-License-Identifier: Apache-2.0
"""Fails if Thrust has a public overload of the reduce and scan family that we lack.

check_overloads.py --ours DIR -I DIR...

Lists every function template declared with an execution policy in the public headers of the first Thrust that is found in
one of the include folders, if its name is of the family; and every overload of ours (DIR/*.cuh); each by its name and its
number of arguments. A call form of Thrust that is not among ours would compile and run on Thrust's kernels. First of all the
test of the test: headers made up here, one with overloads that nobody has.
"""

import argparse
import pathlib
import re
import sys
import tempfile

# A name of the family has one of these words in it. unique_count is an adaptor of Thrust's own, which calls our count_if.
FAMILY = re.compile(r"reduce|scan|inner_product|count|_element|_of$")
NOT_FAMILY = {"unique_count"}
FEWEST = 36  # of CCCL 2.8 and 3.0: with fewer, the listing looks in the wrong place or does not understand the headers


def parameters(text, begin):
    """The parameters of the list that opens at text[begin], split at its own commas."""
    depth, parts, last = 0, [], begin + 1
    for i in range(begin, len(text)):
        if text[i] in "(<[{":
            depth += 1
        elif text[i] in ")>]}":
            depth -= 1
            if depth == 0:
                parts.append(text[last:i].strip())
                return [part for part in parts if part]
        elif text[i] == "," and depth == 1:
            parts.append(text[last:i].strip())
            last = i + 1
    return []


def overloads(folder, pattern, policy):
    """(name, number of arguments) of every function template in the folder whose first parameter is a policy."""
    found = set()
    for path in sorted(pathlib.Path(folder).glob(pattern)):
        text = path.read_text(encoding="utf-8", errors="replace")
        text = re.sub(r"/\*.*?\*/", " ", text, flags=re.S)
        text = re.sub(r"//[^\n]*", " ", text)
        for match in re.finditer(rf"\b(\w+)\s*\(\s*(?:const\s+)?(?:[\w:]*::)?{policy}\s*<", text):
            arguments = parameters(text, match.end(1) + text[match.end(1):].index("("))
            optional = sum("=" in argument for argument in arguments)
            for count in range(len(arguments) - optional, len(arguments) + 1):
                found.add((match.group(1), count))
    return found


def of_family(found):
    return {(name, count) for name, count in found if FAMILY.search(name) and name not in NOT_FAMILY}


def algorithms(ours):
    """The names of the family that our headers have overloads of."""
    return {name for name, _ in of_family(overloads(ours, "*.cuh", "execution_policy"))}


def lacking(thrust, ours):
    """What Thrust has and we lack."""
    theirs = of_family(overloads(thrust, "*.h", "execution_policy_base"))
    return sorted(theirs - overloads(ours, "*.cuh", "execution_policy")), theirs


def self_test():
    """The listing finds a lacking overload, whatever the style of its declaration, and nothing else."""
    header = """
/*! reduce_all(const thrust::detail::execution_policy_base<D>& exec) only in a comment */
template <typename D, typename It>
It reduce(const thrust::detail::execution_policy_base<D> &exec, It first, It last);
template <typename D, typename It, typename T>
T reduce(
  const thrust::detail::execution_policy_base<D>& exec, It first, It last, thrust::pair<T, T> init);
template <typename D, typename It>
It sort_everything(const thrust::detail::execution_policy_base<D>& exec, It first, It last);
template <typename D, typename It, typename Op = less<int>>
bool most_of(const detail::execution_policy_base<D>& exec, It first, It last, Op op = Op());
"""
    ours = """
template <class D, class It>
REHEAT_HOST_DEVICE It reduce(execution_policy<D>& exec, It first, It last)
{
}
template <class D, class It>
bool most_of(execution_policy<D>& exec, It first, It last, bool x);
"""
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / "reduce.h").write_text(header, encoding="utf-8")
        (pathlib.Path(folder) / "reduce.cuh").write_text(ours, encoding="utf-8")
        missing, theirs = lacking(folder, folder)
    expected = [("most_of", 3), ("reduce", 4)]
    if missing != expected or len(theirs) != 4:
        print(f"error: the listing is wrong: lacking {missing}, expected {expected}; Thrust's {sorted(theirs)}")
        return 1
    print("self-test: a lacking overload is found")
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ours", required=True, help="include/reheat/thrust_backend")
    parser.add_argument("-I", dest="include", action="append", default=[])
    options = parser.parse_args()

    failures = self_test()
    folders = [pathlib.Path(folder, "thrust") for folder in options.include]
    thrust = next((folder for folder in folders if (folder / "version.h").is_file()), None)
    if thrust is None:
        print(f"error: there is no Thrust in {options.include}")
        return 1
    missing, theirs = lacking(thrust, options.ours)
    for name, count in sorted(theirs):
        print(f"{name} of {count} arguments")
    for name, count in missing:
        print(f"error: {thrust} has {name} of {count} arguments, we do not: it would run on Thrust's kernels")
    print(f"{len(theirs)} call forms, {len(missing)} of them lacking")
    failures += len(missing)
    if len(theirs) < FEWEST:
        print(f"error: {thrust} has {len(theirs)} call forms, at least {FEWEST} are expected")
        failures += 1
    return 0 if failures == 0 else 1


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
# SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
# SPDX-License-Identifier: Apache-2.0
"""Fails if a call of the library's is never drawn, and so neither `./dev soak` nor `./dev fuzz` makes it.

check_drawn.py --include DIR

Lists what the headers (DIR/reheat) declare: calls by policies that Thrust does not have, calls across ranks, the classes of
device.cuh, and options of policies; each form by its name and how many arguments it has if all are given. The sources of this
folder must have each as a call. (The algorithms of Thrust are drawn from the family's table, src/family/table.inc, whole.)
First of all the test of the test: headers made up here.
"""

import argparse
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "dispatch"))
from check_overloads import declarations, parts_of_list

# So many forms there are at least: with fewer, the listing looks in the wrong place or does not understand the headers.
FEWEST = {"policies": 40, "ranks": 50, "classes": 60, "options": 6}
# What `with` does not take.
NO_OPTIONS = {"par", "par_nosync", "par_like"}


def without_comments_and_macros(text):
    text = re.sub(r"//[^\n]*", "", text)
    return re.sub(r"^#define(.*\\\n)*.*$", "", text, flags=re.M)


def without_calls(text):
    """Without namespaces `calls`, in which is what public functions call."""
    return re.sub(r"namespace calls\n\{.*?\n\} // namespace calls", "", text, flags=re.S)


def functions(text, policy):
    """(name, how many arguments) of the public function templates whose first parameter is `policy`."""
    found = set()
    for _, rest in declarations(without_comments_and_macros(without_calls(text))):
        match = re.search(rf"\b(\w+)\s*(\()\s*{policy}", rest)
        if match:
            parameters, _ = parts_of_list(rest, match.start(2))
            packs = any("..." in each for each in parameters)
            found.add((match[1], None if packs else len(parameters)))
    return found


def of_policies(include):
    """reheat's own calls by policies."""
    policy = r"const\s+thrust_backend::execution_policy\s*<"
    texts = [path.read_text(encoding="utf-8") for path in sorted((include / "thrust_backend").glob("*.cuh"))]
    return {(f"reheat::{name}", count) for text in texts for name, count in functions(text, policy)}


def of_ranks(include):
    """Calls across ranks: reheat's own, Thrust's, and Thrust's on each rank by itself as far as reheat accelerates them."""
    found = set()
    for path in sorted((include / "across").glob("*.cuh")):
        text = path.read_text(encoding="utf-8")
        found |= {(f"reheat::{name}", count) for name, count in functions(text, r"const\s+thrust_backend::across_policy\s*<")}
        found |= {(f"thrust::{name}", count) for name, count in functions(text, r"across_policy\s*<")}
        on_each = re.findall(r"^REHEAT_ON_EACH_RANK\((\w+)\)", text, flags=re.M)
        found |= {(f"thrust::{name}", None) for name in on_each if re.match("copy_if|remove", name)}
    # Older versions of Thrust have no reduce_into: it is called as reheat's.
    return {(name.replace("thrust::reduce_into", "reheat::reduce_into"), count) for name, count in found}


def of_classes(include):
    """Functions of the classes of device.cuh, in scratch memory of the caller's. Those in one phase are the same calls."""
    found = set()
    for path in sorted((include / "device").glob("*.cuh")):
        for name, body in re.findall(r"^struct (Device\w+)\n\{(.*?)\n\};", path.read_text(encoding="utf-8"), flags=re.M | re.S):
            for function, count in functions(body, r"void\*\s*d_temp_storage"):
                found.add((f"{name}::{function}", count - 1)) # memory and its size are one pack here
    return found


def options(include):
    text = (include / "reheat.cuh").read_text(encoding="utf-8")
    return {(f"reheat::{name}", None) for name in re.findall(r"^using thrust_backend::(\w+);", text, flags=re.M) if name not in NO_OPTIONS}


def calls(text):
    """(name, how many arguments) of all calls in a source, and (name, None) of all names."""
    text = without_comments_and_macros(text)
    found = set()
    for match in re.finditer(r"\b(?:reheat::(?=Device))?((?:reheat|thrust|Device\w+)::\w+)", text):
        found.add((match[1], None))
        if text[match.end() : match.end() + 1] == "(":
            found.add((match[1], len(parts_of_list(text, match.end())[0])))
    return found


def lacking(wanted, drawn):
    return sorted((each for each in wanted if each not in drawn), key=str)


def self_test():
    header = """
namespace calls
{
template <class Derived> void hidden(const thrust_backend::execution_policy<Derived>& exec);
} // namespace calls
//! template <class D> void told(const thrust_backend::execution_policy<D>& exec);
template <class Derived, class It>
void fold_into(const thrust_backend::execution_policy<Derived>& policy, It first, It last, int* out)
{
  calls::fold_into(policy, first, last, out);
}
template <class Derived, class It, class Op = plus<int, int>>
void fold_into(const thrust_backend::execution_policy<Derived>& policy, It first, It last, int* out, Op op = {})
{}
"""
    policy = r"const\s+thrust_backend::execution_policy\s*<"
    wanted = {(f"reheat::{name}", count) for name, count in functions(header, policy)}
    expected = {("reheat::fold_into", 4), ("reheat::fold_into", 5)}
    one = calls("reheat::fold_into(policy, in, f(a, b), out); // reheat::fold_into(policy, in, end, out, op)")
    both = calls("reheat::fold_into(policy, in, end, out); reheat::fold_into(policy, in, end, out, less<int, int>());")
    right = wanted == expected and lacking(wanted, one) == [("reheat::fold_into", 5)] and lacking(wanted, both) == []
    print("self-test: a form that lacks is found" if right else f"error: the listing is wrong: {wanted}, {one}, {both}")
    return right


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--include", required=True, type=pathlib.Path, help="the folder include")
    include = parser.parse_args().include / "reheat"
    folder = pathlib.Path(__file__).parent
    drawn = {}
    for path in sorted(folder.glob("*.cu")) + sorted(folder.glob("*.hpp")):
        drawn[path.name] = calls(path.read_text(encoding="utf-8"))
    across = drawn.pop("across.cu")
    alone = set().union(*drawn.values())
    failures = 0 if self_test() else 1
    for what, wanted, made in (
        ("policies", of_policies(include), alone),
        ("ranks", of_ranks(include), across),
        ("classes", of_classes(include), alone),
        ("options", options(include), alone),
    ):
        missing = lacking(wanted, made)
        for name, count in missing:
            print(f"error: no source in {folder} draws {name}" + (f" with {count} arguments" if count else ""))
        if len(wanted) < FEWEST[what]:
            print(f"error: {include} declares {len(wanted)} forms ({what}), at least {FEWEST[what]} are expected")
            failures += 1
        print(f"{what}: {len(wanted)} forms, {len(missing)} of them lacking")
        failures += len(missing)
    return 0 if failures == 0 else 1


if __name__ == "__main__":
    sys.exit(main())

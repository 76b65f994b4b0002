#!/usr/bin/env python3
# SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
# SPDX-License-Identifier: Apache-2.0
"""Fails if Thrust has a public overload of the algorithms of the family that we lack.

check_overloads.py --ours DIR -I DIR...

Lists every function template declared with an execution policy in the public headers of the first Thrust that is found in
one of the include folders, if its name is of the family; and every overload of ours (DIR/*.cuh); each by its name and the
kinds of its arguments, such as reduce(iterator1, iterator1, value1): equal numbers are one type. A call form of Thrust that is not
among ours would compile and run on Thrust's kernels. So might one that Thrust has more often than we do, told apart by
constraints. The family's table (src/family/table.inc) has to have the algorithms that we have overloads of, and each form of
Thrust's for the dispatch proof. First of all the test of the test: headers made up here, with overloads that nobody has.
"""

import argparse
import collections
import pathlib
import re
import sys
import tempfile
from typing import NamedTuple

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "src/family"))
import family

# A name of the family is in the table or has one of these words in it.
FAMILY = re.compile(r"reduce|scan|inner_product|count|_element|_of$|^copy_if|^remove|^partition|^stable_partition|^unique|^(stable_)?sort(_by_key)?$")
NAMES = {algorithm.name for algorithm in family.algorithms()}
FEWEST = 83  # of CCCL 2.8 and 3.0: with fewer, the listing looks in the wrong place or does not understand the headers

# The first parameter: of Thrust's public functions, or whatever may be called a policy there; of the functions they find.
THRUSTS = r"(?:const\s+)?(?:[\w:]*::)?(?:execution_policy_base\s*<|\w*Policy\b)"
OURS = r"execution_policy\s*<"

# What a template parameter stands for, by the end of its name. Another name is a kind of its own, which nobody else has.
KINDS = {
    "iterator": re.compile(r"(Iterator\d*|It)$"),
    "function": re.compile(r"(Function\d*|Operator|Predicate|Compare|Op|Map|Less|Equal|Product|Ordering)$"),
    "value": re.compile(r"(^T|Type|Comparable)$"),
}


class Form(NamedTuple):
    name: str
    kinds: tuple  # of the arguments after the policy

    def __str__(self):
        return f"{self.name}({', '.join(self.kinds)})"


def parts_of_list(text, begin):
    """The parts of the list that opens at text[begin], split at its own commas, and where it ends."""
    closes = {")": "(", "]": "[", "}": "{"}
    opened, parts, last, at = [], [], begin + 1, begin
    while at < len(text):
        sign = text[at]
        if text[at : at + 2] in ("->", ">=", "<=", "<<"):
            at += 2
            continue
        if sign in "([{<":
            opened.append(sign)
        elif sign in closes or (sign == ">" and opened[-1] == "<"):
            # What stands between parentheses may be compared: what is open there is no bracket.
            while opened.pop() != closes.get(sign, "<"):
                pass
            if not opened:
                parts.append(text[last:at])
                return [part.strip() for part in parts if part.strip()], at + 1
        elif sign == "," and len(opened) == 1:
            parts.append(text[last:at])
            last = at + 1
        at += 1
    return [], len(text)


def split_default(parameter):
    """A parameter without its default, and whether it has one."""
    depth = 0
    for at, sign in enumerate(parameter):
        depth += (sign in "([{<") - (sign in ")]}>")
        if sign == "=" and depth == 0:
            return parameter[:at].strip(), True
    return parameter, False


def kinds_of(types, arguments):
    """The kinds of the arguments, given the names of the types among the template's parameters."""
    known, kinds = {}, []
    for argument in arguments:
        words = re.sub(r"\[\[\w+\]\]|\b(const|typename)\b|&|\.\.\.", " ", argument).split()
        if words[0] not in types:
            kinds.append(" ".join(words[:-1] or words))
            continue
        kind = next((kind for kind, name in KINDS.items() if name.search(words[0])), words[0])
        if words[0] not in known:
            known[words[0]] = f"{kind}{1 + sum(each.startswith(kind) for each in known.values())}"
        kinds.append(known[words[0]])
    return tuple(kinds)


def declarations(text):
    """(template parameters, what follows them) of every template; what follows ends where the next one begins."""
    heads, end = [], 0
    for match in re.finditer(r"\btemplate\s*<", text):
        if match.start() >= end:  # else a template as a parameter of one
            parameters, end = parts_of_list(text, match.end() - 1)
            heads.append((match.start(), parameters, end))
    nexts = [begin for begin, _, _ in heads[1:]] + [len(text)]
    return [(parameters, text[end:after]) for (_, parameters, end), after in zip(heads, nexts)]


def overloads(folder, pattern, policy):
    """How many there are of each form, among the function templates in the folder whose first parameter is a policy."""
    seen, found = set(), collections.Counter()
    for path in sorted(pathlib.Path(folder).glob(pattern)):
        text = path.read_text(encoding="utf-8", errors="replace")
        text = re.sub(r"/\*.*?\*/", " ", text, flags=re.S)
        text = re.sub(r"//[^\n]*", " ", text)
        for template, rest in declarations(text):
            match = re.search(rf"\b(\w+)\s*(\()\s*{policy}", rest)
            if not match:
                continue
            parameters, end = parts_of_list(rest, match.start(2))
            template, arguments = [split_default(each)[0] for each in template], [split_default(each) for each in parameters[1:]]
            # What tells functions apart; a declaration and its definition are one.
            returned = re.sub(r"\b(inline|constexpr|[A-Z_]{6,})\b", " ", rest[: match.start()])
            constraint = re.match(r"[^;{]*", rest[end:])[0]
            signature = (match[1], *template, returned, *(argument for argument, _ in arguments), constraint)
            signature = tuple(" ".join(part.split()) for part in signature)
            if signature in seen:
                continue
            seen.add(signature)
            types = {each.split()[-1].replace("...", "") for each in template if re.match(r"(typename|class)\b", each)}
            kinds = kinds_of(types, [argument for argument, _ in arguments])
            optional = sum(has_default for _, has_default in arguments)
            for count in range(len(arguments) - optional, len(arguments) + 1):
                found[Form(match[1], kinds[:count])] += 1
    return found


def is_of_family(name):
    return name in NAMES or FAMILY.search(name) is not None


def of_family(found):
    return collections.Counter({form: count for form, count in found.items() if is_of_family(form.name)})


def algorithms(ours):
    """The names of the family that our headers have overloads of."""
    return {form.name for form in of_family(overloads(ours, "*.cuh", OURS))}


def faults_of_table(ours, theirs):
    """What the table has too much or too little, beside our headers and the forms that Thrust has."""
    wrong = [f"{name} is either in our headers or in the table, not in both" for name in sorted(algorithms(ours) ^ NAMES)]
    proven = {(form.name, form.arguments) for form in family.forms()}
    lacking_forms = {(form.name, 1 + len(form.kinds)) for form in theirs} - proven
    return wrong + [f"the table has no form of {name} with {count} arguments" for name, count in sorted(lacking_forms)]


def lacking(thrust, ours):
    """What Thrust has and we lack, and what Thrust has."""
    theirs = of_family(overloads(thrust, "*.h", THRUSTS))
    return sorted((theirs - overloads(ours, "*.cuh", OURS)).elements()), theirs


# ---- the test of the test ------------------------------------------------------------------------------------------------

OUR_HEADER = """
template <class Derived, class InputIt>
REHEAT_HOST_DEVICE detail::value_of<InputIt> reduce(execution_policy<Derived>& exec, InputIt first, InputIt last)
{
  return reduce_range(exec, first, last);
}
template <class Derived, class InputIt, class T>
T reduce(execution_policy<Derived>& exec, InputIt first, InputIt last, T init);
template <class Derived, class InputIt>
void reduce(const thrust_backend::execution_policy<Derived>& policy, InputIt first, InputIt last);
template <class D, class It>
bool most_of(execution_policy<D>& exec, It first, It last, bool x);
"""

POLICY = "const thrust::detail::execution_policy_base<D>& exec"

# Declarations of Thrust's, and which of their forms are to be found lacking.
HEADERS = {
    "what we have, whatever its style; comments; other names": (
        f"""
/*! template <typename D>
 *  int reduce_all({POLICY}) only in a comment */
template <typename D, typename InputIterator>
_CCCL_HOST_DEVICE typename thrust::iterator_traits<InputIterator>::value_type
reduce(const thrust::detail::execution_policy_base<D> &exec, InputIterator first, InputIterator last);
// template <typename D> int reduce_some({POLICY});
template <typename D, typename InputIterator, typename OutputType>
OutputType reduce(
  const detail::execution_policy_base<D>& exec, InputIterator, InputIterator, const OutputType& init);
template <typename D, typename It>
It sort_everything({POLICY}, It first, It last);
template <typename InputIterator>
InputIterator reduce(InputIterator first, InputIterator last, InputIterator third);
""",
        [],
    ),
    "more arguments": (
        f"template <typename D, typename It, typename T> T reduce({POLICY}, It first, It last, T init, T other);",
        ["reduce(iterator1, iterator1, value1, value1)"],
    ),
    "arguments with defaults": (
        f"template <typename D, typename It, typename Op = less<int>> bool most_of({POLICY}, It a, It b, Op op = Op());",
        ["most_of(iterator1, iterator1)", "most_of(iterator1, iterator1, function1)"],
    ),
    "defaults of template parameters over several lines, and comparisons in them": (
        f"""
template <typename D,
          typename InputIterator,
          ::cuda::std::enable_if_t<(sizeof(InputIterator) > 4) && (1 < 2) && sizeof(D) >= 1,
                                   int> = 0,
          typename BinaryFunction = thrust::plus<
            typename thrust::iterator_traits<InputIterator>::value_type>>
bool reduce({POLICY}, InputIterator first, InputIterator last, BinaryFunction op);
""",
        ["reduce(iterator1, iterator1, function1)"],
    ),
    "two of one number of arguments": (
        f"""
template <typename D, typename It, typename T>
T reduce({POLICY}, It first, It last, T init);
template <typename D, typename It, typename BinaryFunction>
It reduce({POLICY}, It first, It last, BinaryFunction op);
template <typename D, typename It, typename OutputIterator>
void reduce({POLICY}, It first, It last, OutputIterator output);
""",
        ["reduce(iterator1, iterator1, function1)", "reduce(iterator1, iterator1, iterator2)"],
    ),
    "an end of another type, one of a kind that is not known, and one that is no parameter of the template": (
        f"""
template <typename D, typename InputIterator1, typename InputIterator2>
int reduce({POLICY}, InputIterator1 first, InputIterator2 last);
template <typename D, typename InputIterator, typename Sentinel>
int reduce({POLICY}, InputIterator first, Sentinel last);
template <typename D, typename InputIterator>
int reduce({POLICY}, InputIterator first, ::cuda::std::size_t count);
""",
        ["reduce(iterator1, ::cuda::std::size_t)", "reduce(iterator1, Sentinel1)", "reduce(iterator1, iterator2)"],
    ),
    "the same form twice, by enable_if among the template's parameters": (
        f"""
template <typename D, typename It, enable_if_t<is_pointer_v<It>, int> = 0>
int reduce({POLICY}, It first, It last);
template <typename D, typename It, enable_if_t<!is_pointer_v<It>, int> = 0>
int reduce({POLICY}, It first, It last);
""",
        ["reduce(iterator1, iterator1)"],
    ),
    "the same form four times, by what is returned and by requires on either side": (
        f"""
template <typename D, typename It>
int reduce({POLICY}, It first, It last);
template <typename D, typename It>
enable_if_t<(sizeof(It) > 8), int> reduce({POLICY}, It first, It last);
template <typename D, typename It>
  requires requires(It i) {{ *i; }}
int reduce({POLICY}, It first, It last);
template <typename D, typename It>
int reduce({POLICY}, It first, It last) requires contiguous<It>;
""",
        3 * ["reduce(iterator1, iterator1)"],
    ),
    "a declaration and its definition": (
        f"""
template <typename D, typename It, typename T = int>
_CCCL_HOST_DEVICE T reduce({POLICY}, It first, It last);
template <typename D, typename It, typename T>
inline T reduce({POLICY}, It first, It last) {{ return reduce(strip(exec), first, last); }}
""",
        [],
    ),
    "a policy of any type, and a template as a parameter": (
        """
template <typename ExecutionPolicy, typename It> requires is_policy<ExecutionPolicy>
int count_all(ExecutionPolicy&& exec, It first, It last);
template <template <class> class Wrapper, typename D, typename It>
int count_most(const Wrapper<D>& x, It first);
"""
        + f"template <template <class> class Box, typename D, typename It> int count_some({POLICY}, It first);",
        ["count_all(iterator1, iterator1)", "count_some(iterator1)"],
    ),
}


def self_test():
    """The listing finds what is lacking, whatever the style of its declaration, and nothing else."""
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / "reduce.cuh").write_text(OUR_HEADER, encoding="utf-8")
        for what, (header, expected) in HEADERS.items():
            (pathlib.Path(folder) / "reduce.h").write_text(header, encoding="utf-8")
            missing = [str(form) for form in lacking(folder, folder)[0]]
            if missing != sorted(expected):
                print(f"error: the listing is wrong: {what}: lacking {missing}, expected {sorted(expected)}")
                failures += 1
    print(f"self-test: of {len(HEADERS)} headers {len(HEADERS) - failures} are understood")
    return failures


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
    total = sum(theirs.values())
    for form, count in sorted(theirs.items()):
        print(form if count == 1 else f"{form}, {count} times")
    for form in missing:
        print(f"error: {thrust} has {form}, we do not, or not as often: it would run on Thrust's kernels")
    print(f"{total} call forms, {len(missing)} of them lacking")
    failures += len(missing)
    for fault in faults_of_table(options.ours, theirs):
        print(f"error: {fault}")
        failures += 1
    if total < FEWEST:
        print(f"error: {thrust} has {total} call forms, at least {FEWEST} are expected")
        failures += 1
    return 0 if failures == 0 else 1


if __name__ == "__main__":
    sys.exit(main())

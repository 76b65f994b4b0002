# SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
# SPDX-License-Identifier: Apache-2.0
"""The pages: every link leads somewhere, and what they say of the tree is so."""

import argparse
import pathlib
import re
import sys

import cases

README_LINES = 130
# What a call of an algorithm waits for under par_nosync, by the column `gives` of the family's table.
WAITS = {"nothing": "no", "words": "for its result", "ends": "for its result"}


def prose(text):
    """A page without its blocks of code."""
    return re.sub(r"^```.*?^```$", "", text, flags=re.M | re.S)


def anchors(text):
    """The names of a page's headings, as they stand behind # in a link."""
    found = {}
    for heading in re.findall(r"^#+ +(.*?) *$", prose(text), re.M):
        name = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).lower()
        name = re.sub(r"[^\w\- ]", "", name).replace(" ", "-")
        found[name] = found.get(name, 0) + 1
    return {name if again == 0 else f"{name}-{again}" for name, times in found.items() for again in range(times)}


def broken_links(page):
    """The page's relative links that lead nowhere."""
    broken = []
    for target in re.findall(r"\]\(([^()\s]+)\)", re.sub(r"`[^`\n]*`", "", prose(page.read_text(encoding="utf-8")))):
        path, _, anchor = target.partition("#")
        other = page.parent / path if path else page
        if re.match(r"\w+:", target):
            continue
        if not other.exists() or (anchor and anchor not in anchors(other.read_text(encoding="utf-8"))):
            broken.append(target)
    return broken


def cases_of_suites():
    """The cases of the compat tests, as promises.md and across.md name them: `suite/suite: case`."""
    found = set()
    for source in (path for path in (PROJECT / "compat_tests").rglob("*.c*") if path.suffix in (".cu", ".cpp")):
        suites = []
        for kind, name in re.findall(r"^BOOST_AUTO_TEST_(SUITE_END|SUITE|CASE)\((\w*)", source.read_text(encoding="utf-8"), re.M):
            if kind == "SUITE":
                suites.append(name)
            elif kind == "CASE":
                found.add(f"{'/'.join(suites)}: {name}")
            else:
                suites.pop()
    return found


def device_wide_functions():
    """The functions of reheat's classes for CUB's callers, as `Class::Name`."""
    found = set()
    for header in (PROJECT / "include" / "reheat" / "device").glob("*.cuh"):
        for name, body in re.findall(r"^struct (Device\w+)\n{(.*?)^};", header.read_text(encoding="utf-8"), re.M | re.S):
            found |= {f"{name}::{function}" for function in re.findall(r"^  static \w+ (\w+)\(", body, re.M)}
    return found


def cells(row):
    return [cell.strip() for cell in row.strip().strip("|").split("|")]


class Links(cases.Files):
    def test_a_link_to_what_is_not_there_is_found(self):
        self.file("other.md", "# One\n## Two `words`, and one\n## Again\n## Again\n```sh\n# no heading\n```\n")
        good = "[a](other.md) [b](other.md#one) [c](other.md#two-words-and-one) [d](other.md#again-1) [e](#here) [f](https://a.org/b#c)"
        code = "`[g](nowhere.md)`\n```cpp\na[0](nowhere.md)\n```\n"
        bad = "[h](nowhere.md) [i](other.md#three) [j](other.md#no-heading) [k](#there) ![l](picture.svg) [m](other.md#again-2)"
        page = pathlib.Path(self.file("page.md", f"# Here\n{good}\n{code}{bad}\n"))
        self.assertEqual(broken_links(page), ["nowhere.md", "other.md#three", "other.md#no-heading", "#there", "picture.svg", "other.md#again-2"])

    def test_every_link_leads_somewhere(self):
        names = ("README.md", "perf/README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md")
        pages = [PROJECT / name for name in names] + sorted((PROJECT / "docs").glob("*.md"))
        self.assertEqual([(page.relative_to(PROJECT).as_posix(), link) for page in pages for link in broken_links(page)], [])

    def test_the_index_has_all_pages(self):
        listed = set(re.findall(r"\]\(([^)#]+\.md)\)", self.page("docs/README.md")))
        pages = {path.name for path in (PROJECT / "docs").glob("*.md")} - {"README.md"}
        self.assertEqual(listed, pages | {f"../{name}" for name in ("README.md", "perf/README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md")})

    def page(self, name):
        return (PROJECT / name).read_text(encoding="utf-8")


class Readme(cases.Files):
    def setUp(self):
        super().setUp()
        self.text = (PROJECT / "README.md").read_text(encoding="utf-8")

    def number(self, words):
        return int(re.search(words, self.text)[1])

    def test_it_is_short(self):
        self.assertLessEqual(self.text.count("\n"), README_LINES)

    def test_a_line_that_it_changes_is_in_a_program_that_tests_run(self):
        (changed,) = re.findall(r"^```diff\n(.*?)^```$", self.text, re.M | re.S)
        programs = "".join(re.findall(r"^```cpp\n(.*?)^```$", self.text, re.M | re.S))
        lines = [line[1:] for line in changed.splitlines() if line.startswith("+")]
        self.assertNotEqual(lines, [])
        self.assertEqual([line for line in lines if f" {line}\n" not in programs], [])

    def test_it_names_the_accelerated_algorithms(self):
        names = [algorithm.name for algorithm in family.algorithms()]
        listed = re.search(r"^Accelerated by reheat: (.*?)\. ", self.text, re.M | re.S)[1]
        self.assertEqual(sorted(re.findall(r"`(\w+)`", listed)), sorted(names))
        self.assertEqual(self.number(r"overload of (\d+) \[algorithms\]"), len(names))

    def test_its_figures_are_those_of_the_tree(self):
        mutants = (PROJECT / "docs" / "mutants.md").read_text(encoding="utf-8")
        self.assertEqual(self.number(r"\[(\d+) such faults\]"), len(re.findall(r"^\| \w+ \| `\w+`:", mutants, re.M)))
        calls = (PROJECT / "compat_tests" / "dispatch" / "calls.cu").read_text(encoding="utf-8")
        self.assertEqual(self.number(r"under (\d+) forms of policy"), calls.count("call_all("))
        perf = (PROJECT / "perf" / "README.md").read_text(encoding="utf-8")
        rows = self.number(r"(?s)None of them is slower.*?(\d+) measured rows")
        self.assertIn(f"None of {rows} rows is behind Thrust", perf)


class Promises(cases.Files):
    def test_every_case_that_is_named_exists(self):
        for page in ("across.md", "numbers.md", "promises.md"):
            named = re.findall(r"`([\w/]+: \w+)`", (PROJECT / "docs" / page).read_text(encoding="utf-8"))
            self.assertGreater(len(named), 0)
            self.assertEqual(sorted(set(named) - cases_of_suites()), [], page)

    def test_the_table_of_situations_and_the_calls_that_are_tested_have_every_device_wide_function(self):
        text = (PROJECT / "docs" / "promises.md").read_text(encoding="utf-8")
        table = re.search(r"^\| class and functions \|.*?\n\n", text, re.M | re.S)[0]
        rows = [cells(row) for row in table.splitlines()[2:] if row]
        self.assertEqual([row for row in rows if len(row) != len(cells(table.splitlines()[0])) or "" in row], [])
        listed = [name for row in rows for name in re.findall(r"`(Device\w+::\w+)`", row[0])]
        self.assertEqual(sorted(listed), sorted(device_wide_functions()))
        calls = (PROJECT / "compat_tests" / "device" / "calls.cuh").read_text(encoding="utf-8")
        self.assertEqual(set(re.findall(r'\badd\("(\w+::\w+)', calls)), device_wide_functions())

    def test_each_line_about_ranks_names_its_test(self):
        text = (PROJECT / "docs" / "across.md").read_text(encoding="utf-8")
        section = re.search(r"^## What is promised\n(.*?)(?=^#+ )", text, re.M | re.S)[1]
        rows = [cells(row) for row in re.findall(r"^\|.*$", section, re.M)]
        self.assertGreater(len(rows), 15)
        self.assertEqual([row for row in rows if len(row) != 3 or not row[2]], [])


class Algorithms(cases.Files):
    def test_the_table_has_every_algorithm_and_says_when_it_waits(self):
        text = (PROJECT / "docs" / "algorithms.md").read_text(encoding="utf-8")
        rows = [cells(row) for row in re.findall(r"^\|.*$", text[: text.index("\n## ")], re.M)]
        column = rows[0].index("waits under `par_nosync`")
        waits = {name: row[column] for row in rows[2:] for name in re.findall(r"`(\w+)`", row[0])}
        self.assertEqual(sorted(waits), sorted(algorithm.name for algorithm in family.algorithms()))
        for algorithm in family.algorithms():
            self.assertEqual(waits[algorithm.name].split(",")[0], WAITS[algorithm.gives], algorithm.name)

    def test_the_table_of_device_wide_calls_has_every_function(self):
        text = (PROJECT / "docs" / "algorithms.md").read_text(encoding="utf-8")
        section = re.search(r"^## Device-wide calls\n(.*?)(?=^## |\Z)", text, re.M | re.S)[1]
        listed = [name for row in re.findall(r"^\|.*$", section, re.M) for name in re.findall(r"`(\w+::\w+)`", cells(row)[0])]
        self.assertEqual(sorted(listed), sorted(device_wide_functions()))


def main():
    global PROJECT, family
    parser = argparse.ArgumentParser()
    parser.add_argument("project", help="the folder of README.md, docs/ and src/")
    parser.add_argument("--expected", type=int, default=0, help="so many cases must run")
    chosen = parser.parse_args()
    PROJECT = pathlib.Path(chosen.project).resolve()
    sys.path.insert(0, str(PROJECT / "src" / "family"))
    import family

    return cases.run([Links, Readme, Promises, Algorithms], chosen.expected)


if __name__ == "__main__":
    sys.exit(main())

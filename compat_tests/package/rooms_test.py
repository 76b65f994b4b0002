# SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
# SPDX-License-Identifier: Apache-2.0
"""rooms.py, on the headers as they are, and on small trees of headers made up here."""

import argparse
import pathlib
import re
import sys

import cases


class Tree(cases.Files):
    """A folder of headers: by default simt <- thread, in which nothing is wrong."""

    def tree(self, **changed):
        files = {
            "detail/config.cuh": "",
            "detail/simt/simt.cuh": "#include <reheat/detail/config.cuh>\n",
            "detail/thread/value.cuh": "#pragma once\n\n#include <reheat/detail/simt/simt.cuh>\n#include <cstdint>\n",
            **changed.get("files", {}),
        }
        for name, text in files.items():
            path = pathlib.Path(self.folder, "reheat", name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        return self.folder

    def call(self, *arguments):
        return cases.call(rooms, *arguments)

    def finds(self, files, *lines):
        status, out, error = self.call("--include", self.tree(files=files))
        self.assertEqual((status, out, error.splitlines()), (1, "", list(lines)))


class Faults(Tree):
    def test_a_tree_in_order_has_no_faults(self):
        status, out, error = self.call("--include", self.tree())
        self.assertEqual((status, error), (0, ""))
        self.assertIn("thread --> simt", out)

    def test_an_include_against_the_order_is_reported_with_file_and_line(self):
        self.finds(
            {"detail/warp/fold.cuh": "", "detail/thread/late.cuh": "#pragma once\n\n#include <reheat/detail/warp/fold.cuh>\n"},
            "reheat/detail/thread/late.cuh:3: thread may not include warp: reheat/detail/warp/fold.cuh",
        )

    def test_an_include_under_a_condition_counts(self):
        self.finds(
            {"ladder/rows.cuh": "", "reheat.cuh": "#if defined(X)\n#  include <reheat/ladder/rows.cuh>\n#endif\n"},
            "reheat/reheat.cuh:2: reheat.cuh may not include ladder: reheat/ladder/rows.cuh",
        )

    def test_an_include_by_a_relative_path_counts(self):
        self.finds(
            {"detail/warp/fold.cuh": "", "detail/thread/late.cuh": '#include "../warp/fold.cuh"\n'},
            "reheat/detail/thread/late.cuh:1: thread may not include warp: reheat/detail/warp/fold.cuh",
        )

    def test_an_include_in_a_comment_does_not_count(self):
        comment = "//! #include <reheat/detail/warp/fold.cuh>\n"
        status, _, error = self.call("--include", self.tree(files={"detail/thread/late.cuh": comment}))
        self.assertEqual((status, error), (0, ""))

    def test_only_dispatch_and_what_is_above_it_sees_the_runtime(self):
        seen = "#include <reheat/detail/runtime/launch.h>\n"
        self.finds(
            {"detail/runtime/launch.h": "", "detail/scan/dispatch.cuh": seen, "detail/scan/one_tile/kernel.cuh": seen},
            "reheat/detail/scan/one_tile/kernel.cuh:1: scan may not include runtime: reheat/detail/runtime/launch.h",
        )

    def test_files_of_one_room_that_include_each_other_are_a_circle(self):
        self.finds(
            {
                "detail/warp/a.cuh": "#include <reheat/detail/warp/b.cuh>\n",
                "detail/warp/b.cuh": "\n#include <reheat/detail/warp/c.cuh>\n",
                "detail/warp/c.cuh": "\n\n#include <reheat/detail/warp/a.cuh>\n",
            },
            "reheat/detail/warp/a.cuh:1: a circle: reheat/detail/warp/a.cuh:1 includes reheat/detail/warp/b.cuh, "
            "reheat/detail/warp/b.cuh:2 includes reheat/detail/warp/c.cuh, reheat/detail/warp/c.cuh:3 includes "
            "reheat/detail/warp/a.cuh",
        )

    def test_a_file_without_a_room_is_reported(self):
        self.finds({"detail/attic/old.cuh": ""}, "reheat/detail/attic/old.cuh:1: this file is in no room")

    def test_an_include_of_what_is_not_there_is_reported(self):
        self.finds(
            {"detail/thread/late.cuh": "#include <reheat/detail/thread/gone.cuh>\n"},
            "reheat/detail/thread/late.cuh:1: there is no reheat/detail/thread/gone.cuh",
        )

    def test_a_folder_without_headers_is_refused(self):
        status, out, error = self.call("--include", self.folder)
        self.assertEqual((status, out), (2, ""))
        self.assertIn("holds no headers", error)


class Figure(Tree):
    def test_an_arrow_that_others_lead_to_is_left_out(self):
        direct = "#include <reheat/detail/simt/simt.cuh>\n#include <reheat/detail/thread/value.cuh>\n"
        _, out, _ = self.call("--include", self.tree(files={"detail/warp/fold.cuh": direct}))
        arrows = [line.strip() for line in out.splitlines() if "-->" in line]
        self.assertEqual(arrows, ["warp --> thread", "thread --> simt", "simt --> config"])

    def test_a_page_gets_the_figure_between_its_marks(self):
        page = self.file("page.md", f"before\n{rooms.BEGIN}\nold\n{rooms.END}\nbehind\n")
        folder = self.tree()
        self.assertEqual(self.call("--include", folder, "--page", page)[0], 0)
        _, figure, _ = self.call("--include", folder)
        text = pathlib.Path(page).read_text(encoding="utf-8")
        self.assertEqual(text, f"before\n{rooms.BEGIN}\n{figure}{rooms.END}\nbehind\n")

    def test_a_function_of_the_figure_of_a_call_has_to_be_in_its_file(self):
        box = 'a["detail/thread/value.cuh<br/>{}"] --> b["detail/warp/none.cuh<br/>fold"]'
        page = self.file("page.md", f"{rooms.CALL_BEGIN}\n{box.format('lost')}\n{rooms.CALL_END}\n{rooms.BEGIN}\n{rooms.END}\n")
        status, _, error = self.call("--include", self.tree(), "--page", page)
        self.assertEqual(status, 1)
        self.assertIn("names lost, which is not in detail/thread/value.cuh", error)
        self.assertIn("names detail/warp/none.cuh, which does not exist", error)

    def test_a_page_without_marks_stays_as_it_was(self):
        page = self.file("page.md", "before\n")
        status, _, error = self.call("--include", self.tree(), "--page", page)
        self.assertEqual(status, 2)
        self.assertIn("the page has no", error)
        self.assertEqual(pathlib.Path(page).read_text(encoding="utf-8"), "before\n")


class Headers(cases.Files):
    """The project's own."""

    def test_every_include_goes_along_the_order_of_rooms(self):
        self.assertEqual(rooms.faults(rooms.includes_of(rooms.INCLUDE), rooms.ROOMS), [])

    def test_rooms_use_rooms_before_them(self):
        before = set()
        for room in rooms.ROOMS:
            self.assertLessEqual(set(room.uses), before, room.name)
            before.add(room.name)

    def test_programs_without_ranks_include_nothing_of_ranks(self):
        reached = rooms.reached(rooms.includes_of(rooms.INCLUDE))
        for header in ("reheat.cuh", "device.cuh", "cub.cuh", "override.cuh"):
            self.assertIn("detail/config.cuh", reached[header])
            self.assertEqual([file for file in reached[header] if "across/" in file], [], header)
        self.assertIn("detail/across/exchange.h", reached["across/across.cuh"])

    def test_the_page_shows_a_call_as_it_is(self):
        page = rooms.INCLUDE.parent / "docs" / "architecture.md"
        text = page.read_text(encoding="utf-8")
        self.assertIn(rooms.CALL_BEGIN, text)
        self.assertEqual(rooms.call_faults(text, rooms.INCLUDE), [])

    def test_every_place_is_there(self):
        for room in rooms.ROOMS:
            for place in room.places:
                path = rooms.INCLUDE / rooms.PROJECT / place
                self.assertTrue(path.is_dir() if place.endswith("/") else path.is_file(), place)


class Pages(cases.Files):
    def test_the_figure_is_up_to_date(self):
        page = PROJECT / "docs" / "architecture.md"
        text = page.read_text(encoding="utf-8")
        new = rooms.renewed(text, rooms.figure(rooms.includes_of(rooms.INCLUDE), rooms.ROOMS))
        self.assertTrue(text == new, f"docs/rooms.py --page {page} renews the figure")

    def test_every_place_is_on_the_page(self):
        text = (PROJECT / "docs" / "architecture.md").read_text(encoding="utf-8")
        places = [f"`{place.rstrip('/')}`" for room in rooms.ROOMS for place in room.places]
        self.assertEqual([place for place in places if place not in text], [])

    def test_headers_that_pages_name_are_there(self):
        pages = [PROJECT / name for name in ("README.md", "CONTRIBUTING.md", "perf/README.md")]
        pages += sorted((PROJECT / "docs").glob("*.md"))
        named = [
            (page.relative_to(PROJECT).as_posix(), header)
            for page in pages
            for header in re.findall(r"(?:`|include/reheat/)(detail/[\w./]*)", page.read_text(encoding="utf-8"))
        ]
        self.assertNotEqual(named, [])
        self.assertEqual([each for each in named if not (rooms.INCLUDE / rooms.PROJECT / each[1]).exists()], [])


def main():
    global PROJECT, rooms
    parser = argparse.ArgumentParser()
    parser.add_argument("project", help="the folder of README.md, docs/ and include/")
    parser.add_argument("--expected", type=int, default=0, help="so many cases must run")
    chosen = parser.parse_args()
    PROJECT = pathlib.Path(chosen.project).resolve()
    sys.path.insert(0, str(PROJECT / "docs"))
    import rooms

    return cases.run([Faults, Figure, Headers, Pages], chosen.expected)


if __name__ == "__main__":
    sys.exit(main())

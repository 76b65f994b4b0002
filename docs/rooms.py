#!/usr/bin/env python3
# SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
# SPDX-License-Identifier: Apache-2.0
"""The rooms of include/reheat, and which room includes which.

rooms.py [--include FOLDER]              reports each include that goes against the order of rooms, and files that include each
                                         other in a circle; fails if there are any, otherwise prints the figure
rooms.py --page PAGE [--include FOLDER]  renews the figure in PAGE, between its rooms-figure marks, instead of printing it;
                                         and fails if the figure of a call in PAGE, between its call-figure marks, has a box
                                         "FILE<br/>NAME" whose FILE does not define or call NAME

ROOMS below is the order. A file may include files of its own room, of the rooms that its room names, and of those that these
may include in turn.
"""

import argparse
import dataclasses
import pathlib
import re
import sys

INCLUDE = pathlib.Path(__file__).resolve().parent.parent / "include"
PROJECT = "reheat"
BEGIN, END = "<!-- rooms-figure -->", "<!-- /rooms-figure -->"
CALL_BEGIN, CALL_END = "<!-- call-figure -->", "<!-- /call-figure -->"
BOX = re.compile(r'\["([^"<]+)<br/>([^"<]+)')
LINE = re.compile(r'\s*#\s*include\s*(?:<([^>]+)>|"([^"]+)")')


@dataclasses.dataclass(frozen=True)
class Room:
    """`places`: folders and files. A file belongs to the longest place that it matches. `uses`: names of rooms."""

    name: str
    places: tuple
    uses: tuple = ()


ROOMS = (
    Room("config", ("version.h", "detail/config.cuh", "detail/device_traits.cuh", "detail/thrust_compat.cuh", "detail/requirements.cuh", "detail/operators.cuh")),
    Room("emulator.h", ("emulator.h",), uses=("config",)),
    Room("simt", ("detail/simt/",), uses=("config",)),
    Room("thread", ("detail/thread/",), uses=("simt",)),
    Room("iterators", ("detail/iterators.cuh", "detail/indexed.cuh"), uses=("thread",)),
    Room("warp", ("detail/warp/",), uses=("thread",)),
    Room("block", ("detail/block/",), uses=("warp",)),
    Room("grid", ("detail/grid/",), uses=("block",)),
    Room("reduce", ("detail/reduce/",), uses=("grid", "iterators")),
    Room("exact", ("detail/exact/",), uses=("reduce",)),
    Room("search", ("detail/search/",), uses=("reduce",)),
    Room("sort", ("detail/sort/",), uses=("grid", "iterators")),
    Room("scan", ("detail/scan/",), uses=("grid", "iterators")),
    Room("segments", ("detail/segments/",), uses=("reduce", "scan")),
    Room("segmented", ("detail/segmented/",), uses=("segments",)),
    Room("select", ("detail/select/",), uses=("scan",)),
    Room("runtime", ("detail/runtime/",), uses=("iterators", "emulator.h")),
    Room(
        "dispatch",
        (
            "detail/call_workspace.cuh",
            "detail/exact/dispatch.cuh",
            "detail/reduce/dispatch.cuh",
            "detail/scan/dispatch.cuh",
            "detail/search/dispatch.cuh",
            "detail/segmented/dispatch.cuh",
            "detail/sort/dispatch.cuh",
        ),
        uses=("reduce", "exact", "search", "scan", "segmented", "sort", "runtime"),
    ),
    Room("algorithms", ("detail/algorithms/",), uses=("segments", "select", "dispatch")),
    Room("device", ("device/",), uses=("algorithms",)),
    Room("device.cuh", ("device.cuh",), uses=("device",)),
    Room("cub.cuh", ("cub.cuh",), uses=("device.cuh",)),
    Room("thrust_backend", ("thrust_backend/",), uses=("algorithms",)),
    Room("reheat.cuh", ("reheat.cuh",), uses=("thrust_backend",)),
    Room("ranks", ("across/ranks.h", "detail/across/exchange.h"), uses=("runtime",)),
    Room("across", ("across/", "detail/across/"), uses=("reheat.cuh", "ranks")),
    Room("override.cuh", ("override.cuh",), uses=("reheat.cuh",)),
    Room("ladder", ("ladder/", "ladder.cuh"), uses=("reheat.cuh",)),
)


class RoomsError(Exception):
    pass


def room_of(file, rooms):
    """The room of `file`, a path below include/reheat; None if it has none."""
    found, length = None, 0
    for room in rooms:
        for place in room.places:
            matches = file.startswith(place) if place.endswith("/") else file == place
            if matches and len(place) > length:
                found, length = room, len(place)
    return found


def reached(edges):
    """{node: all nodes that its edges lead to, itself only if there is a circle}"""
    result = {}
    for start in edges:
        seen, rest = set(), list(edges[start])
        while rest:
            node = rest.pop()
            if node not in seen:
                seen.add(node)
                rest.extend(edges.get(node, ()))
        result[start] = seen
    return result


def includes_of(folder):
    """{file: {included file: line}} of the project's headers in `folder`; paths below folder/reheat."""
    root = pathlib.Path(folder) / PROJECT
    headers = sorted(path for path in root.rglob("*") if path.suffix in (".cuh", ".h"))
    if not headers:
        raise RoomsError(f"{root} holds no headers")
    result = {}
    for header in headers:
        included = {}
        for number, line in enumerate(header.read_text(encoding="utf-8").splitlines(), 1):
            match = LINE.match(line)
            if match is None:
                continue
            angled, quoted = match.groups()
            if angled and angled.startswith(PROJECT + "/"):
                included.setdefault(angled[len(PROJECT) + 1 :], number)
            elif quoted:
                path = (header.parent / quoted).resolve()
                if path.is_relative_to(root.resolve()):
                    included.setdefault(path.relative_to(root.resolve()).as_posix(), number)
        result[header.relative_to(root).as_posix()] = included
    return result


def circles(includes):
    """[(file, line, included file), …] for each include that closes a circle, and the includes that lead back to it."""
    found, path, done = [], [], set()

    def visit(file):
        path.append(file)
        for included in includes[file]:
            if included in path:
                circle = [*path[path.index(included) :], included]
                found.append([(a, includes[a][b], b) for a, b in zip(circle, circle[1:])])
            elif included in includes and included not in done:
                visit(included)
        done.add(path.pop())

    for file in includes:
        if file not in done:
            visit(file)
    return found


def faults(includes, rooms):
    """A line for each fault, with file and line."""
    allowed = reached({room.name: room.uses for room in rooms})
    found = []
    for file, included in includes.items():
        own = room_of(file, rooms)
        if own is None:
            found.append(f"{PROJECT}/{file}:1: this file is in no room")
            continue
        for other, line in included.items():
            place = f"{PROJECT}/{file}:{line}: "
            room = room_of(other, rooms)
            if other not in includes:
                found.append(f"{place}there is no {PROJECT}/{other}")
            elif room is not None and room != own and room.name not in allowed[own.name]:
                found.append(f"{place}{own.name} may not include {room.name}: {PROJECT}/{other}")
    for circle in circles(includes):
        steps = ", ".join(f"{PROJECT}/{file}:{line} includes {PROJECT}/{other}" for file, line, other in circle)
        found.append(f"{PROJECT}/{circle[0][0]}:{circle[0][1]}: a circle: {steps}")
    return found


def arrows(includes, rooms):
    """(room, included room) for each pair of rooms, but for those that other arrows lead to."""
    edges = {room.name: set() for room in rooms}
    for file, included in includes.items():
        own = room_of(file, rooms)
        edges[own.name].update(room_of(other, rooms).name for other in included if room_of(other, rooms) != own)
    far = reached(edges)
    names = [room.name for room in rooms]
    return [
        (a, b)
        for a in reversed(names)
        for b in reversed(names)
        if b in edges[a] and not any(b in far[other] for other in edges[a] - {b})
    ]


def figure(includes, rooms):
    nodes = {room.name: room.name.replace(".", "_") for room in rooms}  # a dot ends the name of a node
    boxes = [f'  {node}["{name}"]' for name, node in nodes.items() if node != name]
    lines = [f"  {nodes[a]} --> {nodes[b]}" for a, b in arrows(includes, rooms)]
    return "\n".join(["```mermaid", "flowchart TD", *boxes, *lines, "```"])


def call_faults(page, include):
    """A line for each box of the figure of a call whose file is missing, or does not name the function."""
    _, begun, rest = page.partition(CALL_BEGIN)
    text, ended, _ = rest.partition(CALL_END)
    if begun and not ended:
        raise RoomsError(f"the page has no {CALL_END}")
    found = []
    for file, name in BOX.findall(text):
        path = include.parent / file if file.startswith("src/") else include / PROJECT / file
        if not path.is_file():
            found.append(f"the figure of a call names {file}, which does not exist")
        elif not re.search(rf"\b{re.escape(name)}\b", path.read_text(encoding="utf-8")):
            found.append(f"the figure of a call names {name}, which is not in {file}")
    return found


def renewed(page, text):
    """`page` with `text` between its marks."""
    head, begun, rest = page.partition(BEGIN)
    _, ended, tail = rest.partition(END)
    if not begun or not ended:
        raise RoomsError(f"the page has no {BEGIN} … {END}")
    return f"{head}{BEGIN}\n{text}\n{END}{tail}"


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--include", type=pathlib.Path, default=INCLUDE, metavar="FOLDER", help="holds reheat/")
    parser.add_argument("--page", type=pathlib.Path, help="whose figure is renewed")
    chosen = parser.parse_args(arguments)
    try:
        includes = includes_of(chosen.include)
        found = faults(includes, ROOMS)
        if found:
            print("\n".join(found), file=sys.stderr)
            return 1
        text = figure(includes, ROOMS)
        if chosen.page is None:
            print(text)
        else:
            page = chosen.page.read_text(encoding="utf-8")
            found = call_faults(page, chosen.include)
            if found:
                print("\n".join(found), file=sys.stderr)
                return 1
            chosen.page.write_text(renewed(page, text), encoding="utf-8")
    except RoomsError as error:
        print(f"rooms.py: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())

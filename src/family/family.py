# SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
# SPDX-License-Identifier: Apache-2.0
"""The rows of table.inc, for scripts: the algorithms that reheat accelerates, and the forms of their calls."""

import pathlib
import re
from typing import NamedTuple

TABLE = pathlib.Path(__file__).with_name("table.inc")


class Algorithm(NamedTuple):
    """The columns of a row, as text: see family.hpp."""

    name: str
    group: str
    gives: str
    output: str
    term: str


class Form(NamedTuple):
    number: int
    name: str
    arguments: int  # the policy included


def _rows(text, macro):
    """The columns of each row of a macro, up to its last, which is text or code."""
    return [re.split(r"\s*,\s*", columns) for columns in re.findall(rf"^REHEAT_FAMILY_{macro}\(([\w\s,]+),", text, re.M)]


def algorithms():
    """All of them, in the order of the table."""
    return [Algorithm(*row) for row in _rows(TABLE.read_text(encoding="utf-8"), "ALGORITHM")]


def forms():
    """The call forms, by number."""
    found = [Form(int(number), name, int(count)) for number, name, count in _rows(TABLE.read_text(encoding="utf-8"), "FORM")]
    if len({form.number for form in found}) != len(found):
        raise ValueError(f"{TABLE}: two forms have one number")
    return sorted(found)


def title_of(form):
    """A form in messages: with the number of its arguments where its algorithm has several forms."""
    alone = sum(other.name == form.name for other in forms()) == 1
    return form.name if alone else f"{form.name} of {form.arguments} arguments"

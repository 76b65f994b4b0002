# SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
# SPDX-License-Identifier: Apache-2.0
"""Takes the programs out of a Markdown file, and checks what they print.

    extract_readme.py README.md FOLDER      each ```cpp block with a main becomes FOLDER/program_<n>.cu; the ```text block that
                                            must follow it, what it prints, FOLDER/program_<n>.txt. Prints the .cu files' paths.
    extract_readme.py --check SOURCE.cu PROGRAM [ARGUMENT...]      runs PROGRAM and compares with SOURCE.txt
"""

import difflib
import pathlib
import re
import subprocess
import sys

BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def write_if_changed(path, text):
    """Leaves an unchanged file's time alone, so that nothing is compiled again."""
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")


def extract(markdown, folder):
    folder.mkdir(parents=True, exist_ok=True)
    blocks = BLOCK.findall(markdown.read_text(encoding="utf-8"))
    programs = 0
    for index, (language, text) in enumerate(blocks):
        if language != "cpp" or "int main(" not in text:
            continue
        programs += 1
        following = blocks[index + 1] if index + 1 < len(blocks) else ("", "")
        if following[0] != "text":
            sys.exit(f"{markdown}: program {programs} is not followed by a text block with its output")
        source = folder / f"program_{programs}.cu"
        write_if_changed(source, text)
        write_if_changed(source.with_suffix(".txt"), following[1])
        print(source)
    if programs == 0:
        sys.exit(f"{markdown}: no program found")


def check(source, command):
    expected = source.with_suffix(".txt").read_text(encoding="utf-8")
    run = subprocess.run(command, stdout=subprocess.PIPE, encoding="utf-8", check=False)
    if run.returncode != 0:
        sys.exit(f"{command[0]}: exit status {run.returncode}")
    if run.stdout != expected:
        sys.stdout.writelines(
            difflib.unified_diff(expected.splitlines(True), run.stdout.splitlines(True), "the page", "the program")
        )
        sys.exit(1)


def main(arguments):
    if len(arguments) >= 3 and arguments[0] == "--check":
        check(pathlib.Path(arguments[1]), arguments[2:])
    elif len(arguments) == 2:
        extract(pathlib.Path(arguments[0]), pathlib.Path(arguments[1]))
    else:
        sys.exit(__doc__)


main(sys.argv[1:])

#!/usr/bin/env python3
# SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
# SPDX-License-Identifier: Apache-2.0
"""Shows whether the common kernels have the same machine code as at another commit: for moves and renames.

same_code.py --nvcc NVCC [--arch N]... [--jobs N] [-I DIR]... COMMIT

Compiles common_kernels.cu, as it is here, with the headers of COMMIT and with those that are here, and compares the kernels
of both. What is compared of a kernel: its instructions, registers, bytes of stack, of shared memory, and of the constant bank
that its parameters are in. What is not: names, which change when a type is renamed, the order of kernels, which follows from
names, and the addresses that a linker fills in. Code of the host is not compared either.

The machine code of COMMIT is kept in .cache/same-code.
"""

import argparse
import collections
import concurrent.futures
import hashlib
import io
import os
import pathlib
import struct
import subprocess
import sys
import tarfile
import tempfile

import check_machine_code

ARCHITECTURES = (75, 80, 90, 100, 120)
ROOT = pathlib.Path(__file__).resolve().parents[2]
SOURCE = ROOT / "compat_tests" / "dispatch" / "common_kernels.cu"
INSTRUCTION_BYTES = 16

Section = collections.namedtuple("Section", "name type flags address offset size link info alignment entry_bytes")
Code = collections.namedtuple("Code", "text registers stack shared parameters")


def string_at(table, offset):
    return table[offset:table.index(b"\0", offset)].decode()


def sections_of(cubin):
    """The sections of an ELF file of 64 bits, as nvcc writes it."""
    if cubin[:5] != b"\x7fELF\x02":
        raise ValueError("this is no cubin: it does not begin like an ELF file of 64 bits")
    (headers,) = struct.unpack_from("<Q", cubin, 0x28)
    count, names = struct.unpack_from("<HH", cubin, 0x3C)
    found = [Section(*struct.unpack_from("<IIQQQQIIQQ", cubin, headers + 64 * index)) for index in range(count)]
    table = cubin[found[names].offset:found[names].offset + found[names].size]
    return [section._replace(name=string_at(table, section.name)) for section in found]


REGISTERS, STACK = 0x2F, 0x11  # attributes of a function in the section .nv.info: its registers, its frame's bytes


def attributes_of(cubin, sections):
    """{(attribute, index of the function's symbol): value}"""
    found = {}
    for section in sections:
        if section.name != ".nv.info":
            continue
        at, end = section.offset, section.offset + section.size
        while at < end:
            form, attribute, size = struct.unpack_from("<BBH", cubin, at)
            at += 4
            if form == 4:  # with other forms, the size's place holds the value
                if attribute in (REGISTERS, STACK):
                    symbol, value = struct.unpack_from("<II", cubin, at)
                    found[attribute, symbol] = value
                at += size
    return found


def kernels_of(cubin):
    """Each function's Code by its mangled name."""
    sections = sections_of(cubin)
    size_of = {section.name: section.size for section in sections}
    attributes = attributes_of(cubin, sections)
    patched = collections.defaultdict(set)  # by section: offsets of instructions that hold an address
    for section in sections:
        if section.type in (4, 9):  # SHT_RELA, SHT_REL
            step = 24 if section.type == 4 else 16
            for at in range(section.offset, section.offset + section.size, step):
                (offset,) = struct.unpack_from("<Q", cubin, at)
                patched[section.info].add(offset - offset % INSTRUCTION_BYTES)
    kernels = {}
    for index, section in enumerate(sections):
        if not section.name.startswith(".text."):
            continue
        name = section.name[len(".text."):]
        text = bytearray(cubin[section.offset:section.offset + section.size])
        for offset in patched[index]:
            text[offset:offset + INSTRUCTION_BYTES] = bytes(INSTRUCTION_BYTES)
        symbol = section.info & 0xFFFFFF
        kernels[name] = Code(bytes(text), attributes[REGISTERS, symbol], attributes.get((STACK, symbol), 0),
                             size_of.get(".nv.shared." + name, 0), size_of.get(".nv.constant0." + name, 0))
    return kernels


def figures(code):
    return (f"{len(code.text) // INSTRUCTION_BYTES} instructions, {code.registers} registers, {code.stack} bytes of stack, "
            f"{code.shared} of shared memory, {code.parameters} of the parameters' bank")


def differences(before, after):
    """Lines that say which kernels have no equal on the other side. Both are what kernels_of returns."""
    codes_before, codes_after = collections.Counter(before.values()), collections.Counter(after.values())
    lines = []
    for mark, kernels, left in (("before", before, codes_before - codes_after), ("after", after, codes_after - codes_before)):
        alone = sorted(name for name, code in kernels.items() if left[code])
        for name, shown in zip(alone, check_machine_code.readable(alone)):
            lines.append(f"{mark}: {figures(kernels[name])}: {shown}")
    return lines


def compile_kernels(options, arch, include, cubin):
    command = [options.nvcc, "-cubin", "-std=c++17", f"-arch=sm_{arch}", "-DREHEAT_ALL_KERNELS", f"-I{include}"]
    command += [f"-I{path}" for path in options.include] + ["-o", str(cubin), str(SOURCE)]
    ran = subprocess.run(command, capture_output=True, check=False, encoding="utf-8")
    if ran.returncode != 0:
        sys.exit(" ".join(command) + "\n" + ran.stdout + ran.stderr)


def git(*arguments):
    ran = subprocess.run(("git", "-C", str(ROOT), *arguments), capture_output=True, check=False)
    if ran.returncode != 0:
        sys.exit(f"git {' '.join(arguments)}: {ran.stderr.decode().strip()}")
    return ran.stdout


def kept_code(options, arch, commit):
    """The machine code of the commit, compiled unless it is kept from an earlier run with the same source and compiler."""
    version = subprocess.run([options.nvcc, "--version"], stdout=subprocess.PIPE, check=True).stdout
    key = hashlib.sha256(SOURCE.read_bytes() + version + repr(options.include).encode()).hexdigest()[:16]
    cubin = ROOT / ".cache" / "same-code" / f"{commit}-{key}-sm_{arch}.cubin"
    if not cubin.exists():
        cubin.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=cubin.parent) as folder:
            with tarfile.open(fileobj=io.BytesIO(git("archive", commit, "include"))) as archive:
                archive.extractall(folder)
            fresh = pathlib.Path(folder) / "cubin"
            compile_kernels(options, arch, pathlib.Path(folder) / "include", fresh)
            os.replace(fresh, cubin)
    return kernels_of(cubin.read_bytes())


def code_here(options, arch):
    with tempfile.TemporaryDirectory() as folder:
        cubin = pathlib.Path(folder) / "cubin"
        compile_kernels(options, arch, ROOT / "include", cubin)
        return kernels_of(cubin.read_bytes())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nvcc", required=True)
    parser.add_argument("--arch", type=int, action="append", help=f"default: {', '.join(map(str, ARCHITECTURES))}")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("-I", dest="include", action="append", default=[], help="where CCCL is, if not where nvcc looks")
    parser.add_argument("commit")
    options = parser.parse_args()
    commit = git("rev-parse", "--verify", options.commit + "^{commit}").decode().strip()

    def compare(arch):
        before, after = kept_code(options, arch, commit), code_here(options, arch)
        return arch, len(before), len(after), differences(before, after)

    same = True
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for arch, before, after, lines in pool.map(compare, options.arch or ARCHITECTURES):
            print(f"sm_{arch}: {before} kernels before, {after} after, {'all the same' if not lines else 'not the same'}", flush=True)
            for line in lines:
                print(f"  {line}")
            same = same and not lines and before != 0
    return 0 if same else 1


if __name__ == "__main__":
    sys.exit(main())

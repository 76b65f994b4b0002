#!/usr/bin/env python3
# SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
# SPDX-License-Identifier: Apache-2.0
"""Compiles reheat with each compiler of the tables below, and prints what was compiled, in how many minutes of CPU time.

compilers.py --nvcc NVCC --cccl-2.8 HEADERS [--only TEXT] [--jobs N] [--page PAGE]

NVCC is of CUDA 13.0, HEADERS are CCCL 2.8's. --only: rows whose name contains TEXT. --page: writes the tables into PAGE, too.

For the GPU: the library and the README's program. Once for each pair of CUDA and CCCL also the dispatch proofs, and the common
kernels, optimised, for each architecture that nvcc knows from sm_75 on. For the emulator: the library, the README's program, the emulator's tests and the schedules; all
of them are run. Warnings are errors. No kernel runs on a GPU.

A compiler that is not here is installed where that is possible: on Debian, as root. What this Debian lacks is run in a folder
that holds Debian 13, .cache/debian-13. nvcc 12.4 is Debian 13's, in .cache/cuda-12.4. Rows of compilers that cannot be had are
reported as such, and nothing fails then.
"""

import argparse
import collections
import datetime
import os
import pathlib
import re
import resource
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
CACHE = ROOT / ".cache"
DEBIAN = CACHE / "debian-13"
BUILDS = ROOT / "build" / "compilers"
DISPATCH = ROOT / "compat_tests" / "dispatch"

GpuRow = collections.namedtuple("GpuRow", "cuda cccl host full", defaults=(False,))
GPU_ROWS = [
    GpuRow("12.4", "2.8", "g++-11", True),
    GpuRow("12.4", "2.8", "g++-12"),
    GpuRow("12.4", "2.8", "clang++-14"),
    GpuRow("13.0", "3.0", "g++-11"),
    GpuRow("13.0", "3.0", "g++-12", True),
    GpuRow("13.0", "3.0", "g++-13"),
    GpuRow("13.0", "3.0", "g++-14"),
    GpuRow("13.0", "3.0", "clang++-14"),
    GpuRow("13.0", "3.0", "clang++-19"),
]
EMULATED_HOSTS = ["g++-11", "g++-12", "g++-13", "g++-14", "clang++-14", "clang++-19"]

FOR_BUILDS = ["cmake", "ninja-build", "python3", "libboost-context-dev", "libboost-test-dev", "libcli11-dev"]
NEWER_HOSTS = ["g++-13", "g++-14", "clang-19"]
CUDA_PACKAGES = {  # and what of them is wanted
    "nvidia-cuda-toolkit": ["./usr/bin", "./usr/lib/nvidia-cuda-toolkit"],
    "nvidia-cuda-dev": ["./usr/include", "./usr/lib/x86_64-linux-gnu/libcuda*"],
    "libcudart12": ["./usr/lib/x86_64-linux-gnu/libcuda*"],
}

# nvcc looks for its parts beside itself, as in NVIDIA's own packages. Debian's are all over /usr.
NVCC_PROFILE = """TOP = $(_HERE_)/..
CICC_PATH = $(TOP)/nvvm/bin
NVVMIR_LIBRARY_DIR = $(TOP)/nvvm/libdevice
PATH += $(CICC_PATH):$(_HERE_):
INCLUDES += "-I$(TOP)/include" $(_SPACE_)
LIBRARIES =+ $(_SPACE_) "-L$(TOP)/lib64"
"""

# The folders keep their names inside. The mounts are the new namespace's and end with it.
ENTER = """
debian=$1 project=$2 toolkit=$3
shift 3
for folder in "$project" "$toolkit" /proc /dev; do
  mkdir -p "$debian$folder"
  mount --bind "$folder" "$debian$folder"
done
exec chroot "$debian" sh -c 'cd "$0" && exec "$@"' "$project" "$@"
"""


def quiet(*command, folder=None):
    """Whether the command succeeds. Its output is lost."""
    return subprocess.run(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False).returncode == 0


def may_install():
    return os.geteuid() == 0 and shutil.which("apt-get") is not None


def here(host):
    """Whether the compiler is on this machine, if need be after installing its package."""
    package = host.replace("clang++", "clang")
    if not shutil.which(host) and may_install() and quiet("apt-cache", "show", package):
        quiet("apt-get", "install", "-y", "--no-install-recommends", package)
    return shutil.which(host) is not None


def in_debian(*command):
    return subprocess.run(["chroot", DEBIAN, *command], check=True, stdout=subprocess.DEVNULL)


def debian_13():
    """Whether the folder with Debian 13 is there, if need be after making it: three minutes."""
    if not (DEBIAN / "complete").exists():
        if not may_install() or not (shutil.which("debootstrap") or quiet("apt-get", "install", "-y", "debootstrap")):
            return False
        listing = subprocess.run(["apt-get", "indextargets", "--format", "$(SITE)", "Label: Debian", "Created-By: Packages"],
                                 stdout=subprocess.PIPE, check=True, encoding="utf-8").stdout
        if not listing:
            return False
        site = listing.splitlines()[0]
        print("== installing Debian 13 with g++ 13 and 14 and clang 19 into .cache/debian-13", flush=True)
        shutil.rmtree(DEBIAN, ignore_errors=True)
        subprocess.run(["debootstrap", "--variant=minbase", "trixie", DEBIAN, site], check=True, stdout=subprocess.DEVNULL)
        (DEBIAN / "etc/apt/sources.list").write_text(f"deb {site} trixie main contrib non-free\n", encoding="utf-8")
        in_debian("apt-get", "update", "-qq")
        in_debian("apt-get", "install", "-y", "-qq", "--no-install-recommends", *FOR_BUILDS, *NEWER_HOSTS)
        (DEBIAN / "complete").touch()
    return True


def cuda_12_4():
    """Debian 13's nvcc, in the layout of NVIDIA's toolkit; None if it cannot be had."""
    folder = CACHE / "cuda-12.4"
    if not (folder / "complete").exists():
        if not debian_13():
            return None
        print("== installing Debian's CUDA 12.4 compiler and runtime into .cache/cuda-12.4: 1 GB to download", flush=True)
        shutil.rmtree(folder, ignore_errors=True)
        unpacked = folder / "unpacked"
        unpacked.mkdir(parents=True)
        for package, wanted in CUDA_PACKAGES.items():
            in_debian("sh", "-ec", 'cd /tmp && apt-get download -qq "$1" && mv "$1"_*.deb package.deb', "sh", package)
            subprocess.run(["sh", "-ec", 'deb=$1 folder=$2; shift 2; dpkg-deb --fsys-tarfile "$deb" | tar x -C "$folder" --wildcards "$@"', "sh",
                            DEBIAN / "tmp/package.deb", unpacked, *wanted], check=True)
            (DEBIAN / "tmp/package.deb").unlink()
        usr, toolkit = unpacked / "usr", unpacked / "usr/lib/nvidia-cuda-toolkit"
        (folder / "nvvm/bin").mkdir(parents=True)
        for source, target in ((usr / "bin", "bin"), (usr / "include", "include"), (usr / "lib/x86_64-linux-gnu", "lib64"),
                               (toolkit / "bin/cicc", "nvvm/bin/cicc"), (toolkit / "libdevice", "nvvm/libdevice"),
                               (toolkit / "bin/crt", "bin/crt"), (toolkit / "bin/nvcc", "bin/nvcc")):
            os.rename(source, folder / target)
        (folder / "bin/nvcc.profile").write_text(NVCC_PROFILE, encoding="utf-8")
        shutil.rmtree(unpacked)
        (folder / "complete").touch()
    return folder / "bin/nvcc"


class Failed(Exception):
    pass


class Row:
    """Runs the commands of one row where its host compiler is, and counts their time."""

    def __init__(self, options, name, host, nvcc):
        self.options, self.host, self.nvcc = options, host, nvcc
        self.build = BUILDS / name
        self.log = BUILDS / f"{name}.log"
        self.there = True
        self.prefix = []
        if not here(host):
            toolkit = pathlib.Path(nvcc).resolve().parents[1]
            self.prefix = ["unshare", "--mount", "sh", "-euc", ENTER, "sh", DEBIAN, ROOT, toolkit]
            self.there = debian_13() and os.access(DEBIAN / "usr/bin" / host, os.X_OK)
        BUILDS.mkdir(parents=True, exist_ok=True)
        shutil.rmtree(self.build, ignore_errors=True)
        self.log.write_text("", encoding="utf-8")

    def run(self, *command, **variables):
        """The CPU minutes that it took."""
        environment = {**os.environ, "CUDACXX": str(self.nvcc), "CCACHE_DISABLE": "1", **variables}
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        with open(self.log, "a", encoding="utf-8") as log:
            ran = subprocess.run([*self.prefix, *command], cwd=ROOT, env=environment, stdout=log, stderr=subprocess.STDOUT, check=False)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        if ran.returncode != 0:
            raise Failed(self.log)
        return (after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime) / 60

    def compile(self, preset, options, *targets):
        common = [f"-DCMAKE_CXX_COMPILER={self.host}", "-DREHEAT_BUILD_TOOLS=OFF", "-DREHEAT_BUILD_PERF=OFF", "-DREHEAT_FEW_UNITS=ON"]
        minutes = self.run("cmake", "--preset", preset, "-B", self.build, *common, *options)
        return minutes + self.run("cmake", "--build", self.build, "-j", str(self.options.jobs), "--target", *targets)

    def test(self, names):
        return self.run("ctest", "--test-dir", self.build, "--no-tests=error", "--output-on-failure", "--tests-regex", names)


def architectures(nvcc):
    listing = subprocess.run([nvcc, "--list-gpu-code"], stdout=subprocess.PIPE, check=True, encoding="utf-8").stdout
    return sorted(number for number in map(int, re.findall(r"sm_(\d+)", listing)) if number >= 75)


def cells(row, steps):
    """One cell for each step; after a step that fails, the others are not tried."""
    found = []
    for step in steps:
        try:
            found.append(f"{step():.1f}")
        except Failed as failure:
            print(f"{failure}: {pathlib.Path(str(failure)).read_text(encoding='utf-8')[-4000:]}", flush=True)
            return found + ["fails"] + ["-"] * (len(steps) - len(found) - 1), True
    return found, False


def gpu_row(options, entry, nvcc, headers):
    name = f"cuda-{entry.cuda}-cccl-{entry.cccl}-{entry.host}"
    row = Row(options, name, entry.host, nvcc)
    if not row.there:
        return None, False
    known = architectures(nvcc) if entry.full else [90]

    def library():
        with_nvcc = [f"-DCMAKE_CUDA_COMPILER={nvcc}", f"-DCMAKE_CUDA_HOST_COMPILER={entry.host}", f"-DREHEAT_CCCL_INCLUDE_DIR={headers}"]
        with_nvcc.append("-DCMAKE_CUDA_ARCHITECTURES=" + ";".join(f"{number}-real" for number in known))
        return row.compile("gpu", with_nvcc, "reheat", "reheat_page_readme_program_1_gpu")

    def dispatch():
        return sum(row.run("python3", DISPATCH / "check_dispatch.py", "--nvcc", nvcc, f"--{source}", DISPATCH / f"{source}.cu",
                           "-Iinclude", f"-I{headers}", NVCC_PREPEND_FLAGS=f"-ccbin {entry.host}")
                   for source in ("calls", "unchanged"))

    def kernels():
        return sum(row.run(nvcc, "-ccbin", entry.host, "-std=c++17", f"-arch=sm_{number}", "-Iinclude", f"-I{headers}", "-cubin", "-o", "/dev/null",
                           DISPATCH / "common_kernels.cu") for number in known)

    found, failed = cells(row, [library, dispatch, kernels] if entry.full else [library])
    found += [""] * (3 - len(found))
    return f"| {entry.cuda} | {entry.cccl} | {entry.host} | {' | '.join(found)} | {', '.join(map(str, known))} |", failed


def emulated_row(options, host):
    row = Row(options, f"emulated-{host}", host, options.nvcc)
    if not row.there:
        return None, False
    found, failed = cells(row, [
        lambda: row.compile("emulated", [], "reheat_emulated", "reheat_page_readme_program_1_emulated",
                            "reheat_emulator_tests", "reheat_schedules"),
        lambda: row.test(r"^reheat\.(page\.emulated\.readme|emulator$|schedules\.from)"),
    ])
    return f"| {host} | {' | '.join(found)} |", failed


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nvcc", required=True)
    parser.add_argument("--cccl-2.8", dest="cccl_2_8", required=True)
    parser.add_argument("--only", default="")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--page")
    return parser.parse_args()


def main():
    options = parse()
    options.nvcc = pathlib.Path(options.nvcc).resolve()  # its folder alone is seen inside .cache/debian-13
    toolkit = options.nvcc.parents[1]
    headers = {"2.8": options.cccl_2_8, "3.0": toolkit / "include" / "cccl"}
    lines, missing, failed = [], [], False

    def add(name, make):
        nonlocal failed
        print(f"== {name}", flush=True)
        line, wrong = make()
        failed |= wrong
        if line is None:
            missing.append(name)
        else:
            lines.append(line)
            print(line, flush=True)

    lines += ["| CUDA | CCCL | host compiler | library, README's program | dispatch proofs | common kernels | for sm_ |",
              "|---|---|---|--:|--:|--:|---|"]
    for entry in GPU_ROWS:
        name = f"CUDA {entry.cuda}, CCCL {entry.cccl}, {entry.host}"
        if options.only in name:
            nvcc = options.nvcc if entry.cuda == "13.0" else cuda_12_4()
            add(name, lambda: gpu_row(options, entry, nvcc, headers[entry.cccl]) if nvcc else (None, False))
    lines += ["", "| emulator, compiled by | library, README's program, tests | tests run |", "|---|--:|--:|"]
    for host in EMULATED_HOSTS:
        name = f"emulator, {host}"
        if options.only in name:
            add(name, lambda: emulated_row(options, host))
    lines += ["", f"CPU minutes, {datetime.date.today()}."]
    print("\n" + "\n".join(lines))
    for name in missing:
        print(f"not compiled, since there is no such compiler here: {name}")
    if options.page and not failed:
        page = pathlib.Path(options.page)
        text = page.read_text(encoding="utf-8")
        table = "<!-- compilers -->\n" + "\n".join(lines) + "\n<!-- /compilers -->"
        text, tables = re.subn(r"<!-- compilers -->.*<!-- /compilers -->", lambda _: table, text, flags=re.DOTALL)
        if tables != 1:
            sys.exit(f"{page} has no place for the tables: a line <!-- compilers --> and a line <!-- /compilers --> after it")
        page.write_text(text, encoding="utf-8")
    return 1 if failed or len(lines) == 7 else 0


if __name__ == "__main__":
    sys.exit(main())

# SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
# SPDX-License-Identifier: Apache-2.0
"""The installed library in builds without CMake: command lines of nvcc, language versions, macros of CUDA's and Thrust's headers,
several units, several shared objects. Programs are linked, and run without a GPU where that shows something."""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

import cases

HERE = os.path.dirname(os.path.abspath(__file__))
OPTIONS = None


def builds(name):
    return os.path.join(HERE, "builds", name)


class Builds(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def run_in_folder(self, *command):
        environment = {**os.environ, "CUDA_VISIBLE_DEVICES": ""}
        return subprocess.run(command, capture_output=True, cwd=self.folder, env=environment, check=False, text=True, timeout=600)

    def nvcc(self, *arguments, standard="c++17"):
        launcher = os.environ.get("CMAKE_CUDA_COMPILER_LAUNCHER", "").split() if "-c" in arguments else []
        command = [*launcher, OPTIONS.nvcc, f"-std={standard}", f"-I{OPTIONS.prefix}/include", *OPTIONS.quick.split(), *arguments]
        ran = self.run_in_folder(*command)
        self.assertEqual(ran.returncode, 0, " ".join(command) + "\n" + ran.stdout + ran.stderr)

    def link(self, *arguments):
        self.nvcc(*arguments, f"-L{OPTIONS.prefix}/lib", "-lreheat", "-o", "program")

    def kernels(self, file):
        """The kernels that a host object launches, by the names of their stubs."""
        names = self.run_in_folder("nm", "-C", file).stdout
        return [name for name in re.findall(r"\b__device_stub__\w+|\b\S*_kernel<[^(]*", names)]

    def first_error(self, *options, of="reheat.cuh"):
        """Of the preprocessor, on a header that users include."""
        header = os.path.join(OPTIONS.prefix, "include", "reheat", of)
        ran = self.run_in_folder("g++", "-std=c++17", *options, f"-I{OPTIONS.prefix}/include", "-E", "-x", "c++", header)
        self.assertNotEqual(ran.returncode, 0, options)
        return next(line for line in ran.stderr.splitlines() if "error:" in line)

    def compile_unit(self, name, *options):
        self.nvcc("-c", *options, f"-DREHEAT_UNIT={name}", builds("unit.cu"), "-o", f"{name}.o")

    def two_units(self, *options, link=()):
        for name in ("first", "second"):
            self.compile_unit(name, *options)
        self.link(*link, builds("main.cpp"), "first.o", "second.o")
        self.assertEqual(self.run_in_folder("./program").stdout, "no device, no device\n")

    def test_one_command(self):
        with open(OPTIONS.page, encoding="utf-8") as page:
            command = re.search(r"^nvcc .*$", page.read(), re.M)[0]
        shutil.copy(builds("program.cu"), self.folder)
        environment = {**os.environ, "PREFIX": OPTIONS.prefix, "PATH": os.path.dirname(OPTIONS.nvcc) + ":" + os.environ["PATH"]}
        subprocess.run(["sh", "-c", command], cwd=self.folder, env=environment, check=True)
        self.assertIn("reduce_kernel", "".join(self.kernels("program")))
        flags = self.run_in_folder("pkg-config", "--cflags", "--libs", f"{OPTIONS.prefix}/lib/pkgconfig/reheat.pc").stdout.split()
        self.assertEqual([os.path.realpath(flag[2:]) for flag in flags[:2]], [os.path.realpath(f"{OPTIONS.prefix}/{part}") for part in ("include", "lib")])
        self.assertEqual(flags[2:], ["-lreheat"])

    def test_two_units(self):
        self.two_units("-Xcompiler=-O3", "-arch=sm_90", link=["-arch=sm_90"])

    def test_two_units_of_relocatable_code(self):
        self.two_units("-Xcompiler=-O3", "-arch=sm_90", "-rdc=true", link=["-arch=sm_90", "-rdc=true"])
        # A kernel may not call a function that has more registers, and in relocatable code no function knows its kernel.
        self.nvcc("-c", "-arch=sm_90", "-rdc=true", builds("sort.cu"), "-o", "sort.o")

    def test_two_units_of_relocatable_debug_code(self):
        # There nothing is inlined, and functions would take more registers than the kernels that call them may have.
        options = ["-G", "-arch=sm_90", "-rdc=true", "-maxrregcount=64"]
        self.two_units(*options, link=options)

    def test_two_units_with_other_architectures(self):
        self.compile_unit("first", "-arch=sm_80", "-Xcompiler=-O3")
        self.compile_unit("second", "-gencode=arch=compute_80,code=sm_80", "-gencode=arch=compute_90,code=sm_90", "-Xcompiler=-O3")
        for order in (("first.o", "second.o"), ("second.o", "first.o")): # the linker takes what it meets first
            self.link(builds("main.cpp"), *order)
            self.assertEqual(self.run_in_folder("./program").stdout, "no device, no device\n")

    def test_two_units_that_are_switched_differently(self):
        defined = {}
        for name, macro in (("first", "REHEAT_PASSTHROUGH"), ("second", "REHEAT_RUNTIME_SWITCH")):
            self.compile_unit(name, "-arch=sm_90", f"-D{macro}")
            symbols = self.run_in_folder("nm", "-C", "--defined-only", f"{name}.o").stdout
            defined[name] = set(re.findall(r"^\w+ [Wu] (.*reheat::cuda_[\d_]+::(?!library).*)$", symbols, re.M))
            self.assertNotEqual(defined[name], set(), name)
        self.assertEqual(defined["first"] & defined["second"], set(), "the linker would keep only one of each")
        self.assertEqual([kernel for kernel in self.kernels("first.o") if "reheat::" in kernel], [])
        for order in (("first.o", "second.o"), ("second.o", "first.o")):
            self.link(builds("main.cpp"), *order)
            self.assertEqual(self.run_in_folder("./program").stdout, "no device, no device\n")

    def test_two_shared_objects_with_other_architectures(self):
        for name, architecture in (("first", "sm_80"), ("second", "sm_90")):
            self.nvcc(f"-arch={architecture}", "-Xcompiler=-fPIC", "-shared", f"-DREHEAT_UNIT={name}", builds("unit.cu"),
                      f"-L{OPTIONS.prefix}/lib", "-lreheat", "-o", f"lib{name}.so")
            exported = self.run_in_folder("nm", "-DC", "--defined-only", f"lib{name}.so").stdout
            self.assertIn(f"{name}()", exported)
            of_the_headers = r"reheat::cuda_[\d_]+::sm"
            self.assertRegex(self.run_in_folder("nm", "-C", "--defined-only", f"lib{name}.so").stdout, of_the_headers)
            self.assertNotRegex(exported, of_the_headers)
            self.assertNotRegex(exported, r" [TDB] reheat::") # the library's own: inline functions of its classes do not matter
        self.link(builds("main.cpp"), "-L.", "-lfirst", "-lsecond", "-Xlinker=-rpath=$ORIGIN")
        self.assertEqual(self.run_in_folder("./program").stdout, "no device, no device\n")

    def test_wrapped_namespace(self):
        self.nvcc("-c", "-arch=sm_90", "-DTHRUST_CUB_WRAPPED_NAMESPACE=wrapped", "-DREHEAT_UNIT=first", builds("unit.cu"), "-o", "first.o")
        self.assertIn("reduce_kernel", "".join(self.kernels("first.o")))
        self.assertNotRegex(self.run_in_folder("nm", "-C", "first.o").stdout, r"\W(?<!wrapped::)(thrust|cub)::")

    def test_cxx20_and_no_operators_of_half(self):
        without = ("HALF_OPERATORS", "HALF_CONVERSIONS", "HALF2_OPERATORS", "BFLOAT16_CONVERSIONS")
        self.nvcc("-c", "-arch=sm_90", *(f"-D__CUDA_NO_{operators}__" for operators in without), "-include", "reheat/ladder.cuh",
                  "-DREHEAT_UNIT=first", builds("unit.cu"), "-o", "first.o", standard="c++20")
        self.assertIn("reduce_kernel", "".join(self.kernels("first.o")))

    def test_device_system_openmp(self):
        options = ["-c", "-arch=sm_90", "-DTHRUST_DEVICE_SYSTEM=THRUST_DEVICE_SYSTEM_OMP", "-Xcompiler=-fopenmp", builds("openmp.cu")]
        self.nvcc(*options, "-o", "openmp.o")
        self.assertIn("scan_stream_kernel", "".join(self.kernels("openmp.o")))
        ran = self.run_in_folder(OPTIONS.nvcc, "-std=c++17", f"-I{OPTIONS.prefix}/include", *options, "-DREHEAT_FALLS_THROUGH")
        self.assertNotEqual(ran.returncode, 0)
        self.assertIn("unimplemented for this system", ran.stdout + ran.stderr)

    def test_unchanged_program(self):
        for options, ours in ((["-include", "reheat/override.cuh"], True), ([], False)):
            self.nvcc("-c", "-arch=sm_90", *options, os.path.join(OPTIONS.examples, "lorenz_curve", "before.cu"), "-o", "before.o")
            kernels = " ".join(self.kernels("before.o"))
            self.assertEqual("reheat" in kernels, ours, kernels)
            self.assertEqual(re.search(r"cub\S*(scan|reduce)", kernels, re.I) is None, ours, kernels)

    def test_large_items(self):
        virtual = [f"-gencode=arch=compute_{architecture},code=compute_{architecture}" for architecture in (75, 86, 120)]
        self.nvcc("-fatbin", "-no-compress", *virtual, "-include", "reheat/override.cuh", builds("large_items.cu"), "-o", "large_items.fatbin")
        with open(os.path.join(self.folder, "large_items.fatbin"), "rb") as file:
            self.assertIn(b"scan_stream_kernel", file.read())

    def test_what_is_not_supported_says_so(self):
        for macros, says in (
            (["-D_MSC_VER=1940"], "reheat: MSVC is not supported"),
            (["-D__CUDA__", "-D__clang__"], "reheat: clang is not supported as CUDA compiler"),
            (["-D__CUDACC_VER_MAJOR__=11"], "reheat: CUDA before 12.0 is not supported"),
            (["-D__CUDA_ARCH__=700"], "reheat: GPUs of compute capability below 7.5 are not supported"),
            (["-std=c++14"], "reheat: C++17 is needed"),
        ):
            self.assertIn(says, self.first_error(*macros))
        self.assertIn("reheat: emulator.h is for programs on the emulator", self.first_error(of="emulator.h"))
        self.assertIn("reheat: cub.cuh includes all of CUB, which needs nvcc", self.first_error(of="cub.cuh"))

    def test_an_old_cccl_says_so(self):
        os.makedirs(os.path.join(self.folder, "old", "thrust"))
        with open(os.path.join(self.folder, "old", "thrust", "version.h"), "w", encoding="utf-8") as file:
            file.write("#define THRUST_VERSION 200700\n")
        self.assertIn("reheat: CCCL 2.8 or newer is needed", self.first_error("-Iold"))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--nvcc", required=True)
    parser.add_argument("--prefix", required=True, help="where reheat is installed")
    parser.add_argument("--examples", required=True)
    parser.add_argument("--page", required=True, help="docs/install.md")
    parser.add_argument("--quick", default="-O0", help="options of nvcc that make it quick: no kernel is run")
    parser.add_argument("--cases", required=True, help="names of all cases, separated by commas")
    parser.add_argument("--case", required=True, help="the one to run")
    OPTIONS = parser.parse_args()
    OPTIONS.examples = os.path.abspath(OPTIONS.examples) # programs are built in a folder that goes away
    there = {name.removeprefix("test_") for name in dir(Builds) if name.startswith("test_")}
    if there != set(OPTIONS.cases.split(",")):
        sys.exit(f"--cases must name {','.join(sorted(there))}")
    sys.exit(cases.run_one(Builds, "test_" + OPTIONS.case))

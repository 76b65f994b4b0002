# SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
# SPDX-License-Identifier: Apache-2.0
"""conan create cmake/packaging/conan: builds the checkout that this recipe stands in."""

import os
import re

from conan import ConanFile
from conan.tools.cmake import CMake, CMakeDeps, CMakeToolchain, cmake_layout
from conan.tools.files import copy, load


class Reheat(ConanFile):
    name = "reheat"
    description = "A Thrust execution policy with reduce and scan kernels of its own"
    license = "Apache-2.0"
    package_type = "static-library"
    settings = "os", "arch", "compiler", "build_type"
    options = {"gpu": [True, False], "emulated": [True, False]}
    default_options = {"gpu": True, "emulated": False}

    def checkout(self):
        return os.path.normpath(os.path.join(self.recipe_folder, "..", "..", ".."))

    def set_version(self):
        header = load(self, os.path.join(self.checkout(), "include", "reheat", "version.h"))
        self.version = ".".join(re.findall(r"define REHEAT_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", header))

    def export_sources(self):
        for pattern in ("CMakeLists.txt", "cmake/*", "include/*", "src/*", "LICENSE"):
            copy(self, pattern, self.checkout(), self.export_sources_folder)

    def layout(self):
        cmake_layout(self)

    def requirements(self):
        if self.options.emulated:
            self.requires("boost/[>=1.74]")

    def generate(self):
        toolchain = CMakeToolchain(self)
        toolchain.cache_variables["REHEAT_BUILD_GPU"] = bool(self.options.gpu)
        toolchain.cache_variables["REHEAT_BUILD_EMULATED"] = bool(self.options.emulated)
        for what in ("COMPAT_TESTS", "TOOLS", "PERF"):
            toolchain.cache_variables[f"REHEAT_BUILD_{what}"] = False
        toolchain.generate()
        CMakeDeps(self).generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        CMake(self).install()

    def package_info(self):
        # The package that is installed says what its targets need.
        self.cpp_info.set_property("cmake_find_mode", "none")
        self.cpp_info.builddirs.append(os.path.join("lib", "cmake", "reheat"))

# SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
# SPDX-License-Identifier: Apache-2.0
"""Projects of a user's that find the package: `conan create` builds them, and runs the one that needs no GPU."""

import os

from conan import ConanFile
from conan.tools.cmake import CMakeDeps, CMakeToolchain, cmake_layout


class Consumers(ConanFile):
    settings = "os", "arch", "compiler", "build_type"

    def layout(self):
        cmake_layout(self)

    def requirements(self):
        self.requires(self.tested_reference_str)

    def generate(self):
        toolchain = CMakeToolchain(self)
        toolchain.cache_variables["CMAKE_CUDA_ARCHITECTURES"] = "90-real"
        toolchain.generate()
        CMakeDeps(self).generate()

    def consumers(self):
        """(folder of the sources, folder to build in) for each machine that the package was built for."""
        packages = os.path.normpath(os.path.join(self.recipe_folder, "..", "..", "..", "..", "compat_tests", "package"))
        names = [f"consumer_{machine}" for machine in ("gpu", "emulated") if self.dependencies["reheat"].options.get_safe(machine)]
        return [(os.path.join(packages, name), os.path.join(self.build_folder, name)) for name in names]

    def build(self):
        toolchain = os.path.join(self.generators_folder, "conan_toolchain.cmake")
        for sources, folder in self.consumers():
            self.run(f'cmake -S "{sources}" -B "{folder}" --toolchain "{toolchain}" -DCMAKE_BUILD_TYPE={self.settings.build_type}')
            self.run(f'cmake --build "{folder}"')

    def test(self):
        for sources, folder in self.consumers():
            if sources.endswith("emulated"):
                self.run(os.path.join(folder, "consumer"), env="conanrun")

// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The version of these headers, for the preprocessor. The numbers stand here alone: CMake, the packages and the names that
//! the linker compares take them from here. docs/versions.md says what a new version may change.
#pragma once

#define REHEAT_VERSION_MAJOR 0
#define REHEAT_VERSION_MINOR 1
#define REHEAT_VERSION_PATCH 0

//! One number, which grows from version to version, made as THRUST_VERSION is: 1.2.3 would be 100203.
#define REHEAT_VERSION (REHEAT_VERSION_MAJOR * 100000 + REHEAT_VERSION_MINOR * 100 + REHEAT_VERSION_PATCH)

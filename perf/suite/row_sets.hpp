// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The rows of a run: lists, not the product of all axes.
#pragma once

#include "common/axes.hpp"

#include <string>
#include <vector>

namespace perf
{

//! What is run unless told otherwise: some minutes on an NVIDIA H200.
std::vector<row> default_row_set();
//! Graph rows of a few types, for before and after a change: under 20 seconds on an NVIDIA H200.
std::vector<row> quick_row_set();
//! inclusive_scan of three types inside graphs at more than 200 sizes each, up to 8 GB: six to a power of two, and those at
//! and next to where the scan changes its ways. Without limits; twice in under two minutes on an NVIDIA H200.
std::vector<row> dense_row_set();
//! Everything that is built, at every size.
std::vector<row> full_row_set();

//! The rows whose name, or whose benchmark's name for one of `built`, has a match of the regular expression. Throws
//! std::runtime_error if `expression` is none.
std::vector<row> matching(const std::vector<row>& rows, const std::string& expression,
                          const std::vector<implementation>& built);

} // namespace perf

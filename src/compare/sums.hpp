// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The sums of sums.cu, on the machine the tool was built for.
#pragma once

#include "machine.hpp"

namespace compare
{

//! Throws machine_error.
sums sums_here(const sum_request& row);

} // namespace compare

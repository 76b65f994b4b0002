// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The machine the tool was built for.
#pragma once

#include "machine.hpp"

#include <memory>

namespace compare
{

std::unique_ptr<machine> this_machine();

} // namespace compare

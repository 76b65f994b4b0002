// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The command, whatever machine it runs on.
#pragma once

#include "machine.hpp"

#include <iosfwd>

namespace compare
{

//! Returns the exit status: 0 all rows agree, 1 a row differs, 2 bad usage or an input or device that cannot be used.
int run_command(int argc, const char* const* argv, machine& on, std::ostream& out, std::ostream& err);

} // namespace compare

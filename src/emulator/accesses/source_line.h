// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The lines of the source that a place in this program's code comes from, for reports: asks addr2line.
#pragma once

#include <reheat/detail/config.cuh>

#include <string>
#include <vector>

namespace reheat::REHEAT_MACHINE::emulator::accesses
{

//! "file:line" of the code that makes the call which returns to `return_address`, then of every function it is inlined into.
//! "(unknown):0" without addr2line or debug information.
std::vector<std::string> lines_of(const void* return_address);

} // namespace reheat::REHEAT_MACHINE::emulator::accesses

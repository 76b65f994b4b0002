// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! What exceptions say: part of the interface of src/runtime. Made of std::string in headers, they and the configuration of
//! launches were an eighth of what g++ did for a source with a reduction, a scan and a sort.
#pragma once

#include <reheat/detail/config.cuh>

namespace reheat
{
inline namespace REHEAT_MACHINE
{
namespace library
{

struct message
{
  char text[512];
};
//! As std::printf writes it; what is longer is cut off.
message format_message(const char* pattern, ...) __attribute__((format(printf, 1, 2)));

} // namespace library
} // namespace REHEAT_MACHINE
} // namespace reheat

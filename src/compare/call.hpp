// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! One call of one implementation, with its types erased: what calls_*.cu instantiate and this_machine.cu makes.
#pragma once

#include "vocabulary.hpp"

#include <cstddef>

namespace compare
{

enum class implementation
{
  thrust,
  reheat,
  cub,
};

struct call
{
  implementation who;
  compare::algorithm algorithm;
  const std::byte* in; //!< in the machine's memory, as are out and scratch
  std::byte* out;
  std::size_t count;
  const std::byte* init; //!< in host memory
  void* scratch;         //!< CUB's temporary memory; while it is null the call only sets scratch_bytes
  std::size_t scratch_bytes;
  bool returned_end = true;   //!< out: whether a scan returned the end of its output
  bool value_on_host = false; //!< out: the reduction's result is in value, not in the machine's memory
  alignas(8) std::byte value[8] = {};
};

//! Signed sums and products run as the unsigned type of the same width: the same bits, and nothing overflows.
using call_function = void (*)(call&);

//! Each defined in the file of its name; null for an element that belongs to another file.
call_function find_call_8(element type, operation operation);
call_function find_call_16(element type, operation operation);
call_function find_call_32(element type, operation operation);
call_function find_call_64(element type, operation operation);
call_function find_call_float(element type, operation operation);

} // namespace compare

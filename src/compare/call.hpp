// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! One call of one implementation, with its types erased: what calls_*.cu instantiate and this_machine.cu makes.
#pragma once

#include "key_runs.hpp"
#include "vocabulary.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace compare
{

//! Of an extremum, beside its position, or of the number of runs, an int64_t.
inline constexpr std::size_t beside_bytes = 8;

struct call
{
  implementation who;
  compare::algorithm algorithm;
  const std::byte* in; //!< in the machine's memory, as are out and scratch
  std::byte* out;
  const key_type* keys; //!< in the machine's memory, as is keys_out; null where the algorithm has none
  key_type* keys_out;
  std::size_t count;
  const std::byte* init; //!< in host memory: the first item
  const std::byte* last; //!< in host memory: the last item
  void* scratch;         //!< temporary memory of `device` and CUB; while it is null the call only sets scratch_bytes
  std::size_t scratch_bytes;
  std::byte* beside; //!< in the machine's memory: what `device` and CUB leave beside the output, of beside_bytes at most
  bool returned_end = true;        //!< out: whether what was returned is the end of each output
  std::int64_t returned_items = 0; //!< out: up to the end that was returned; −1 if two outputs end at different positions
  bool value_on_host = false;      //!< out: the result is in value, not in the machine's memory
  alignas(8) std::byte value[16] = {};
};

//! Signed sums and products run as the unsigned type of the same width: the same bits, and nothing overflows.
using call_function = void (*)(call&);

//! Each defined in the file of its name; null for an element that belongs to another file.
call_function find_call_8(element type, operation operation);
call_function find_call_16(element type, operation operation);
call_function find_call_32(element type, operation operation);
call_function find_call_64(element type, operation operation);
call_function find_call_float(element type, operation operation);
//! Of the algorithms that are not for everything: those with an operator, those without.
call_function find_call_sum(element type);
call_function find_call_search(element type);
//! The same of `device` and CUB.
call_function find_call_device(element type);

template <class T>
T read_item(const std::byte* from)
{
  T item;
  std::memcpy(&item, from, sizeof(T));
  return item;
}

} // namespace compare

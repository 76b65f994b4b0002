// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! What reheat-sort compares: calls, their types erased, and the memory that they work on. Only the .cu files know the
//! headers of CUB and reheat.
#pragma once

#include "common/ring.hpp"
#include "sorts/rows.hpp"

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

namespace perf::sorts
{

struct call
{
  const void *keys_in, *values_in;
  void *keys_out, *values_out; //!< a whole call sorts these in place
  std::uint64_t items;
  cudaStream_t stream;
  void* temp = nullptr; //!< while it is null, an implementation with two phases only sets temp_bytes
  std::size_t temp_bytes = 0;
};

//! Throws std::runtime_error where the call reports an error.
using call_function = std::function<void(call&)>;

//! The row's call by this implementation: in two phases, or a whole one.
call_function function_of(const row& which, implementation who);
//! Of reheat, and of CUB and Thrust of the CCCL that the program is compiled with.
call_function reheat_function_of(const row& which);
call_function cub_function_of(type which, bool wide);
call_function thrust_function_of(type which);

//! Of the CCCL that the calls were compiled with, and of the other one; "not built" without it.
std::string cccl_version();
std::string newest_cccl_version();

//! Where a sort of reheat's with passes counts the tiles that were ranked again because shared atomics answered in another
//! order than that of lanes: bytes from the begin of temporary memory.
std::size_t ranked_again_at(type which);

// ---- data ----------------------------------------------------------------------------------------------------------------

//! Keys and, behind them, values; each begins at a multiple of 256 bytes.
struct array_bytes
{
  std::uint64_t keys, values;
  std::uint64_t all() const { return keys + values; }
};
inline array_bytes bytes_of(const row& which)
{
  return {padded(which.items * key_bytes_of(which.type)), padded(which.items * value_bytes_of(which.type))};
}

//! Enqueues the writing of keys and values: the number of each item.
void fill_inputs(const row& which, void* keys, void* values, cudaStream_t stream);

//! Enqueues adding to *differences how many of the 16-byte parts of two ranges differ.
void count_differences(const void* a, const void* b, std::uint64_t bytes, unsigned* differences, cudaStream_t stream);

} // namespace perf::sorts

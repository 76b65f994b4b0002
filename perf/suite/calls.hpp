// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! One call of one implementation, with its types erased, so that the clocks are written once: what reduce.cu,
//! inclusive_scan.cu and exclusive_scan.cu instantiate.
#pragma once

#include "common/axes.hpp"

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace perf
{

struct call
{
  const void* in;
  void* out; //!< a reduction that enqueues writes its result here, into device memory
  std::uint64_t items;
  cudaStream_t stream;
  void* scratch = nullptr;       //!< CUB's temporary memory; while it is null, CUB only sets scratch_bytes
  std::size_t scratch_bytes = 0; //!< stays 0 with other implementations
  void* value = nullptr;         //!< pinned host memory, where a reduction that waits leaves its result
};

using call_function = std::function<void(call&)>;

//! The two ways to make a call; either may be missing.
struct call_pair
{
  call_function enqueue = nullptr; //!< returns once the call is on its stream
  call_function wait = nullptr;    //!< returns with the result in memory: the host's time of this is a wall time
};

//! How the items come: everything but these is a pointer to the kernels.
enum class reading
{
  pointer,
  device_vector,
  transform,
};
inline reading reading_of(input which)
{
  return which == input::device_vector ? reading::device_vector
         : which == input::transform   ? reading::transform
                                       : reading::pointer;
}

//! What is compiled: all types for sums over pointers, but no reductions of bf16; the other operators and iterators for i32.
constexpr bool is_built(algorithm algorithm, type type, operation operation, reading reading)
{
  return (operation == operation::plus && reading == reading::pointer && (is_scan(algorithm) || type != type::bf16)) ||
         (type == type::i32 && (operation == operation::plus || reading == reading::pointer));
}

//! A transform_iterator's items are stored with these bits flipped.
inline constexpr std::int32_t transform_mask = 0x5a5a5a5a;

//! Empty where the implementation is not part of this program.
call_pair find_calls(const row& which, implementation who);

//! The implementations of this program; `limit` among them. Those of the newest CUB if its shared object is there.
const std::vector<implementation>& built_implementations();
//! Of the CCCL that this program was compiled with: of Thrust and `cub`.
std::string cccl_version();

//! Each in the file of its algorithm.
template <algorithm Algorithm>
call_pair find_calls_of(type type, operation operation, reading reading, implementation who);

} // namespace perf

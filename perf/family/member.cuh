// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! How a public call becomes a row of reheat-family, and what fills its inputs.
#pragma once

#include "family/calls.hpp"

#include <reheat/reheat.cuh>
#include <timing/clocks.hpp>

#include <thrust/system/cuda/execution_policy.h>

#include <algorithm>
#include <utility>

namespace perf::family
{

inline constexpr item looked_for = 1000; // no other item has this value

inline constexpr unsigned blocks = 1024, block_threads = 256;

//! Early: in the first part of the range that anybody looks at.
inline std::uint64_t hit_at(std::uint64_t items)
{
  return std::min<std::uint64_t>(items / 2, 1000);
}

inline __device__ std::uint32_t random_bits(std::uint64_t i, std::uint32_t seed)
{
  std::uint32_t x = static_cast<std::uint32_t>(i) * 2654435761u ^ seed;
  x = (x ^ x >> 16) * 0x7feb352du;
  x = (x ^ x >> 15) * 0x846ca68bu;
  return x ^ x >> 16;
}

// Segments come in pairs of twice the average, with a random boundary between the two: so a key follows from its index, and
// lengths are anything from 1 to twice the average less 1.
inline __device__ std::uint64_t key_at(std::uint64_t i, std::uint64_t segment_items)
{
  const std::uint64_t pair = i / (2 * segment_items), inside = i % (2 * segment_items);
  const std::uint64_t first_items = 1 + random_bits(pair, 3) % (2 * segment_items - 1);
  return 2 * pair + (inside >= first_items ? 1 : 0);
}

template <class Value, class Key>
__global__ void fill_kernel(Value* values, Key* seconds, std::uint64_t items, input_shape shape, std::uint64_t hit)
{
  const std::uint64_t threads = std::uint64_t{gridDim.x} * blockDim.x;
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < items; i += threads)
  {
    const std::uint32_t bits = random_bits(i, 1);
    const int small = static_cast<int>(bits % 15) - 7;
    values[i] = static_cast<Value>(shape.hit && i == hit ? looked_for : shape.wide ? static_cast<int>(bits) : small);
    seconds[i] = shape.segment_items == 0 ? static_cast<Key>(static_cast<int>(random_bits(i, 2) % 15) - 7)
                                          : static_cast<Key>(key_at(i, shape.segment_items));
  }
}

//! A row whose calls are yet to be named.
template <class Value = item, class Key = item>
member without_calls(std::string name, input_shape input, unsigned inputs, output writes)
{
  member made{std::move(name), "i32", sizeof(Value), sizeof(Key), input, inputs, writes, {}, {}, {}};
  made.fill = [](const places& p, const input_shape& shape, cudaStream_t stream)
  {
    fill_kernel<<<blocks, block_threads, 0, stream>>>(static_cast<Value*>(p.values), static_cast<Key*>(p.seconds), p.items,
                                                      shape, hit_at(p.items));
    timing::check(cudaGetLastError(), "writing the input");
  };
  return made;
}

//! `call(policy, range)` is the public call.
template <class Value = item, class Key = item, class Call>
member returning(std::string name, input_shape input, unsigned inputs, Call call, output writes = output::nothing)
{
  using typed = range<Value, Key>;
  member made = without_calls<Value, Key>(std::move(name), input, inputs, writes);
  made.waiting = {[call](const places& p, cudaStream_t stream) { return call(reheat::par.on(stream), typed(p)); },
                  [call](const places& p, cudaStream_t stream) { return call(thrust::cuda::par.on(stream), typed(p)); }};
  return made;
}

template <class Value = item, class Key = item, class Call>
member scanning(std::string name, input_shape input, unsigned inputs, Call call)
{
  using typed = range<Value, Key>;
  member made = returning<Value, Key>(std::move(name), input, inputs, call, output::values);
  made.enqueuing = {[call](const places& p, cudaStream_t stream) { return call(reheat::par_nosync.on(stream), typed(p)); },
                    [call](const places& p, cudaStream_t stream)
                    { return call(thrust::cuda::par_nosync.on(stream), typed(p)); }};
  return made;
}

} // namespace perf::family

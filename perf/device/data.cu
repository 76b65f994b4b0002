// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! What fills inputs, and what compares outputs: a row of blocks for each slot.
#include "common/random.cuh"
#include "device/calls.hpp"

#include <timing/cuda.hpp>

#include <cuda_fp16.h>

#include <algorithm>
#include <stdexcept>
#include <string>

namespace perf::device_wide
{
namespace
{

constexpr unsigned block_threads = 256;
constexpr std::uint64_t max_blocks = 1024; // in a row; beyond that each thread takes several items

inline __device__ int height_at(std::uint64_t i)
{
  return static_cast<int>(random_bits(i, 1) % 9);
}

inline __device__ std::int64_t value_at(std::uint64_t i, const shape& what)
{
  switch (what.content)
  {
    case content::steps:
      return height_at(i + 1) - height_at(i);
    case content::flags:
      return random_bits(i, 1) % 2;
    case content::sparse: {
      const std::uint32_t bits = random_bits(i, 1);
      return bits % 64 != 0 ? 0 : bits / 64 % 2 != 0 ? 1 : -1;
    }
    case content::runs: // neighbours differ in their last bits, also as one byte
      return static_cast<std::int64_t>(key_at(i, what.run_items));
    default:
      return static_cast<std::int32_t>(random_bits(i, 1));
  }
}

template <class T>
__device__ T from_integer(std::int64_t value)
{
  return static_cast<T>(value);
}
template <>
__device__ __half from_integer<__half>(std::int64_t value)
{
  return __float2half(static_cast<float>(value));
}

template <class T>
__global__ void fill_kernel(std::byte* memory, std::uint64_t stride, std::uint64_t keys_at, std::uint64_t items, shape what)
{
  auto* const values = reinterpret_cast<T*>(memory + blockIdx.y * stride);
  auto* const keys = reinterpret_cast<std::int32_t*>(memory + blockIdx.y * stride + keys_at);
  auto* const flags = reinterpret_cast<unsigned char*>(keys);
  const std::uint64_t threads = std::uint64_t{gridDim.x} * block_threads;
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * block_threads + threadIdx.x; i < items; i += threads)
  {
    values[i] = from_integer<T>(value_at(i, what));
    if (what.segment_items != 0)
    {
      keys[i] = static_cast<std::int32_t>(key_at(i, what.segment_items));
    }
    else if (what.has_flags)
    {
      flags[i] = random_bits(i, 2) >> 31;
    }
  }
}

__global__ void count_differences_kernel(const std::byte* outputs, std::uint64_t stride, const uint4* expected,
                                         std::uint64_t vectors, unsigned* differences)
{
  const auto* const found = reinterpret_cast<const uint4*>(outputs + blockIdx.y * stride);
  const std::uint64_t threads = std::uint64_t{gridDim.x} * block_threads;
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * block_threads + threadIdx.x; i < vectors; i += threads)
  {
    const uint4 a = found[i], b = expected[i];
    if (a.x != b.x || a.y != b.y || a.z != b.z || a.w != b.w)
    {
      atomicAdd(differences, 1);
    }
  }
}

dim3 grid_of(std::uint64_t work, std::uint64_t slots)
{
  const std::uint64_t blocks = std::min((work + block_threads - 1) / block_threads, max_blocks);
  return {static_cast<unsigned>(blocks), static_cast<unsigned>(slots)};
}

template <class T>
void fill(const shape& what, std::uint64_t items, std::byte* memory, std::uint64_t slots, cudaStream_t stream)
{
  const slot each = slot_of(what, items);
  fill_kernel<T><<<grid_of(items, slots), block_threads, 0, stream>>>(memory, each.bytes(), each.values_bytes, items, what);
}

} // namespace

void fill_inputs(const shape& what, std::uint64_t items, std::byte* memory, std::uint64_t slots, cudaStream_t stream)
{
  switch (what.in)
  {
    case type::i8:
    case type::u8:
      fill<std::int8_t>(what, items, memory, slots, stream);
      break;
    case type::i32:
      fill<std::int32_t>(what, items, memory, slots, stream);
      break;
    case type::f16:
      fill<__half>(what, items, memory, slots, stream);
      break;
    case type::f32:
      fill<float>(what, items, memory, slots, stream);
      break;
    case type::i64:
      fill<std::int64_t>(what, items, memory, slots, stream);
      break;
    case type::f64:
      fill<double>(what, items, memory, slots, stream);
      break;
    default:
      throw std::invalid_argument(std::string("there is no input of ") + name_of(what.in));
  }
  timing::check(cudaGetLastError(), "writing the input");
}

void count_differences(const slot& each, const std::byte* memory, std::uint64_t slots, const std::byte* expected,
                       unsigned* differences, cudaStream_t stream)
{
  const std::uint64_t vectors = each.out_bytes / sizeof(uint4);
  count_differences_kernel<<<grid_of(vectors, slots), block_threads, 0, stream>>>(
      memory + each.in_bytes, each.bytes(), reinterpret_cast<const uint4*>(expected), vectors, differences);
  timing::check(cudaGetLastError(), "comparing outputs");
}

} // namespace perf::device_wide

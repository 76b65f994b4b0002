// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! What fills keys and values, and what compares outputs.
#include "sorts/calls.hpp"
#include "sorts/values.cuh"

#include <timing/cuda.hpp>

#include <cstring>
#include <type_traits>

namespace perf::sorts
{
namespace
{

constexpr unsigned blocks = 1024, block_threads = 256;

//! for (std::uint64_t i : …) of all threads of the grid.
template <class Body>
__device__ void for_each_index(std::uint64_t count, Body body)
{
  constexpr std::uint64_t threads = std::uint64_t{blocks} * block_threads;
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * block_threads + threadIdx.x; i < count; i += threads)
  {
    body(i);
  }
}

__device__ std::uint64_t mixed(std::uint64_t x)
{
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
  x = (x ^ x >> 27) * 0x94d049bb133111ebu;
  return x ^ x >> 31;
}

//! 64 bits; a shorter key has the highest of them.
__device__ std::uint64_t random_key_bits(distribution which, std::uint64_t index, std::uint64_t items)
{
  const std::uint64_t bits = mixed(index);
  switch (which)
  {
    case distribution::ascending:
      return index * (~std::uint64_t{0} / items);
    case distribution::equal:
      return 0x123456789abcdef0u;
    case distribution::sixteen_values:
      return mixed(bits % 16);
    case distribution::and_of_three:
      return bits & mixed(bits) & mixed(bits + 1);
    default:
      return bits;
  }
}

template <class Key>
constexpr bool is_floating_v = !std::is_integral_v<Key>;

//! Bits of a key from its place among all 2^bits keys in ascending order.
template <class Key>
__device__ std::uint64_t bits_in_order(std::uint64_t place)
{
  constexpr std::uint64_t sign = std::uint64_t{1} << (8 * sizeof(Key) - 1);
  if constexpr (is_floating_v<Key>)
  {
    return (place & sign) != 0 ? place ^ sign : ~place;
  }
  else
  {
    return std::is_signed_v<Key> ? place ^ sign : place;
  }
}

template <class Key>
__device__ Key key_at(distribution which, std::uint64_t index, std::uint64_t items)
{
  if (which == distribution::small)
  {
    const auto number = static_cast<unsigned>(mixed(index) % 1000);
    if constexpr (is_floating_v<Key>)
    {
      return static_cast<Key>(static_cast<float>(number));
    }
    else
    {
      return static_cast<Key>(number);
    }
  }
  std::uint64_t bits = random_key_bits(which, index, items) >> (64 - 8 * sizeof(Key));
  if (which == distribution::ascending)
  {
    bits = bits_in_order<Key>(bits);
  }
  Key key;
  memcpy(&key, &bits, sizeof(Key)); // the lowest bytes come first
  return key;
}

template <class Types>
__global__ void __launch_bounds__(block_threads)
    fill_kernel(void* keys, void* values, distribution which, std::uint64_t items)
{
  for_each_index(items,
                 [&](std::uint64_t i)
                 {
                   static_cast<typename Types::key*>(keys)[i] = key_at<typename Types::key>(which, i, items);
                   if constexpr (Types::pairs)
                   {
                     using value = typename Types::value;
                     static_cast<value*>(values)[i] = static_cast<value>(i);
                   }
                 });
}

__global__ void __launch_bounds__(block_threads)
    count_differences_kernel(const uint4* a, const uint4* b, std::uint64_t vectors, unsigned* differences)
{
  for_each_index(vectors,
                 [&](std::uint64_t i)
                 {
                   if (a[i].x != b[i].x || a[i].y != b[i].y || a[i].z != b[i].z || a[i].w != b[i].w)
                   {
                     atomicAdd(differences, 1u);
                   }
                 });
}

} // namespace

void fill_inputs(const row& which, void* keys, void* values, cudaStream_t stream)
{
  with_types(which.type,
             [&](auto of)
             {
               fill_kernel<decltype(of)>
                   <<<blocks, block_threads, 0, stream>>>(keys, values, which.distribution, which.items);
               timing::check(cudaGetLastError(), "writing keys");
             });
}

void count_differences(const void* a, const void* b, std::uint64_t bytes, unsigned* differences, cudaStream_t stream)
{
  count_differences_kernel<<<blocks, block_threads, 0, stream>>>(static_cast<const uint4*>(a), static_cast<const uint4*>(b),
                                                                 bytes / sizeof(uint4), differences);
  timing::check(cudaGetLastError(), "comparing outputs");
}

} // namespace perf::sorts

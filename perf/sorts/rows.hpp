// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The rows of reheat-sort, and their names. Needs no GPU.
#pragma once

#include "common/implementations.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace perf::sorts
{

enum class implementation
{
  reheat,     //!< reheat::DeviceRadixSort; on the host's clock thrust::sort under reheat::par
  cub_32,     //!< cub::DeviceRadixSort with a number of items of 32 bits
  cub_64,     //!< the same with one of 64 bits
  cub_new_32, //!< of another CCCL: sorts/newest.hpp
  cub_new_64,
  thrust, //!< thrust::sort under thrust::device
};
inline constexpr std::array implementations{implementation::reheat,     implementation::cub_32,     implementation::cub_64,
                                            implementation::cub_new_32, implementation::cub_new_64, implementation::thrust};
const char* name_of(implementation which);

constexpr bool is_newest(implementation which)
{
  return which == implementation::cub_new_32 || which == implementation::cub_new_64;
}

//! Of keys; or of keys and, behind _, values.
enum class type
{
  u8,
  u16,
  u32,
  u64,
  i32,
  f16,
  f32,
  f64,
  u32_u32,
  u64_u32,
  u32_u64,
};
inline constexpr std::array types{type::u8,  type::u16, type::u32,     type::u64,     type::i32,    type::f16,
                                  type::f32, type::f64, type::u32_u32, type::u64_u32, type::u32_u64};
const char* name_of(type which);
std::size_t key_bytes_of(type which);
std::size_t value_bytes_of(type which); //!< 0: there are only keys

//! Of the bits of keys, but for two that are of keys as numbers.
enum class distribution
{
  uniform,
  ascending, //!< as numbers: sorted already
  equal,
  sixteen_values,
  and_of_three, //!< the AND of three random words
  small,        //!< numbers below 1000; of one byte, what is left of them there
};
inline constexpr std::array distributions{distribution::uniform,        distribution::ascending,    distribution::equal,
                                          distribution::sixteen_values, distribution::and_of_three, distribution::small};
const char* name_of(distribution which);

enum class clock
{
  graph, //!< GPU time inside a graph
  wall,  //!< the host's time of a whole call, which waits
};
const char* name_of(clock which);

struct row
{
  sorts::type type;
  sorts::distribution distribution;
  std::uint64_t items;
  sorts::clock clock;
  implementation_bits chosen; //!< no other implementation is measured

  //! types/distribution/items/clock/
  std::string prefix() const;
  std::vector<implementation> measured() const;
};

//! Whether implementations of another CCCL can be measured, which the program may lack.
bool has_newest();

struct selection
{
  bool quick = false;
  std::vector<std::uint64_t> sizes; //!< none: all
  implementation_bits implementations = ~implementation_bits{0};
};
std::vector<row> rows_of(const selection& chosen);

} // namespace perf::sorts

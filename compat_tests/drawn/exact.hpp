// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Numbers that sums in any order would round, and their exact sums.
#pragma once

#include "../support/random_calls.hpp"

#include <cuda_fp16.h>

#include <cmath>
#include <utility>
#include <vector>

namespace compat::drawn
{

__extension__ using wide_integer = __int128;

//! Numbers that are integers times `scale`, and the exact sums of those before each.
template <class T>
struct exact_table
{
  std::vector<wide_integer> sums{0};
  thrust::device_vector<T> in;

  explicit exact_table(std::size_t size)
  {
    std::vector<T> items;
    for (std::size_t i = 0; i < size; ++i)
    {
      const auto [significand, exponent] = parts_of(mix(i));
      const wide_integer integer = wide_integer{significand} * (wide_integer{1} << exponent);
      items.push_back(rounded(integer));
      sums.push_back(sums.back() + integer);
    }
    in = to_device(items);
  }
  //! The nearest number to `integer` times the scale. Conversions of integers round to the nearest.
  static T rounded(wide_integer integer)
  {
    if constexpr (std::is_same_v<T, __half>)
    {
      return __double2half(static_cast<double>(integer)); // sums of halves are exact in double
    }
    else
    {
      constexpr int scale = sizeof(T) == sizeof(float) ? -20 : -30;
      return std::ldexp(static_cast<T>(integer), scale);
    }
  }
  static const exact_table& of(std::size_t max_items)
  {
    static const exact_table& all = *new exact_table(max_items + input_table<std::uint32_t>::room);
    return all;
  }

private:
  static std::pair<std::int64_t, unsigned> parts_of(std::uint64_t bits)
  {
    constexpr int digits = std::is_same_v<T, __half> ? 10 : sizeof(T) == sizeof(float) ? 24 : 53;
    constexpr unsigned exponents = std::is_same_v<T, __half> ? 3 : 40;
    const auto significand = static_cast<std::int64_t>(bits >> (64 - digits));
    return {bits % 2 == 0 ? significand : -significand, static_cast<unsigned>(bits / 2 % exponents)};
  }
};

} // namespace compat::drawn

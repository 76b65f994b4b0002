// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Sets of implementations: the names of all, and those that --without leaves over. Needs no GPU.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace perf
{

//! Implementations, as bits: their numbers are their places in an array of all.
using implementation_bits = std::uint32_t;

template <class Implementation>
constexpr bool holds(implementation_bits bits, Implementation which)
{
  return (bits >> static_cast<unsigned>(which) & 1) != 0;
}

template <class Implementations>
std::vector<std::string> names_of(const Implementations& all)
{
  std::vector<std::string> names;
  for (const auto each : all)
  {
    names.emplace_back(name_of(each));
  }
  return names;
}

//! Those of `all` whose names are not in `names`.
template <class Implementations>
implementation_bits all_without(const Implementations& all, const std::vector<std::string>& names)
{
  implementation_bits bits = 0;
  for (const auto each : all)
  {
    const bool is_left_out = std::find(names.begin(), names.end(), name_of(each)) != names.end();
    bits |= static_cast<implementation_bits>(is_left_out ? 0 : 1) << static_cast<unsigned>(each);
  }
  return bits;
}

} // namespace perf

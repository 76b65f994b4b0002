// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! What the family's tests of users' code share: functors, and the sizes and ways in which calls are made.
#pragma once

#include "calls.hpp"
#include "segments.hpp"

#include <cstdint>
#include <type_traits>
#include <vector>

namespace compat
{

//! A map that makes nothing, and a predicate that is no bool.
struct itself
{
  template <class T>
  REHEAT_HOST_DEVICE const T& operator()(const T& x) const
  {
    return x;
  }
};

//! Has many equivalent items.
struct less_of_11
{
  REHEAT_HOST_DEVICE bool operator()(std::uint32_t x, std::uint32_t y) const { return x % 11 < y % 11; }
  REHEAT_HOST_DEVICE bool operator()(const words<64>& x, const words<64>& y) const
  {
    return x.word[2] % 11 < y.word[2] % 11;
  }
};

struct twice
{
  REHEAT_HOST_DEVICE std::uint32_t operator()(std::uint32_t x) const { return 2 * x; }
};
struct twice_as_wide
{
  template <class T>
  REHEAT_HOST_DEVICE std::int64_t operator()(const T& x) const
  {
    return 2 * static_cast<std::int64_t>(x);
  }
};

template <class T, class Map>
auto mapped(const std::vector<T>& items, Map map)
{
  std::vector<std::decay_t<decltype(map(items[0]))>> result;
  for (const T& item : items)
  {
    result.push_back(map(item));
  }
  return result;
}

//! Calls `check(size)`, which scans, for such sizes: as each has it, and streamed.
template <class Check>
void for_each_way(std::size_t tile, Check check)
{
  for (const bool streams : {false, true})
  {
    const force_scans all(streams ? streaming_scans() : forced_scan());
    BOOST_TEST_CONTEXT((streams ? "streaming" : "as the size has it"))
    {
      for (const std::size_t size : few_sizes_and_many(tile))
      {
        check(size);
      }
    }
  }
}

} // namespace compat

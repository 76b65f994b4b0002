// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Keys in segments of all lengths, and what the algorithms by key must give, one item after the other.
#pragma once

#include "reference.hpp"
#include "sizes.hpp"
#include "strategies.hpp"
#include "tiles.hpp"

#include <reheat/detail/scan/few_tiles/kernel.cuh>
#include <reheat/detail/segments/collectives/form.cuh>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

namespace compat
{

//! How long segments are.
enum class segments
{
  of_one,      //!< no two neighbouring keys are equal
  of_few,      //!< one to seven items
  of_hundreds, //!< some end with a tile
  of_all,      //!< one
};
inline constexpr segments all_segments[] = {segments::of_one, segments::of_few, segments::of_hundreds, segments::of_all};

template <class Key>
Key make_key(std::uint32_t number)
{
  if constexpr (std::is_arithmetic_v<Key>)
  {
    return static_cast<Key>(number);
  }
  else
  {
    return values<Key>::make(number);
  }
}

//! Keys of `count` items in segments; every fourth or so that ends near the end of a tile ends right there. Keys come back
//! in later segments.
template <class Key = std::uint32_t>
std::vector<Key> make_keys(std::size_t count, segments lengths, std::size_t tile)
{
  std::vector<Key> keys;
  keys.reserve(count);
  std::uint32_t key = 0;
  for (std::size_t segment = 0; keys.size() < count; ++segment)
  {
    const std::uint64_t bits = mix(segment);
    std::size_t length = lengths == segments::of_one   ? 1
                         : lengths == segments::of_few ? 1 + bits % 7
                         : lengths == segments::of_all ? count
                                                       : 1 + bits % 300;
    const std::size_t to_tile = tile - keys.size() % tile;
    length = lengths == segments::of_hundreds && bits / 300 % 4 == 0 ? to_tile : length;
    key = (key + 1 + static_cast<std::uint32_t>(bits >> 40) % 3) % 10; // never the same again
    keys.insert(keys.end(), std::min(length, count - keys.size()), make_key<Key>(key));
  }
  return keys;
}

//! Tiles of values of T and keys of Key that accumulate in Accum.
template <class Accum, class T, class Key>
std::size_t segments_tile()
{
  constexpr bool brief_keys = std::is_same_v<decltype(Accum::boundaries), reheat::detail::boundary_flags>;
  return reheat::detail::segment_tuning<sizeof(Accum), sizeof(Key), sizeof(T), brief_keys>{}(kernel_arch()).tile_items();
}
//! The tile of a block with all its threads, where each of a few tiles has a block.
template <class Accum, class T, class Key>
std::size_t few_segments_tile()
{
  constexpr bool brief_keys = std::is_same_v<decltype(Accum::boundaries), reheat::detail::boundary_flags>;
  using tuning =
      reheat::detail::few_tiles_tuning<reheat::detail::segment_tuning<sizeof(Accum), sizeof(Key), sizeof(T), brief_keys>,
                                       sizeof(Key) + sizeof(T)>;
  return tuning{}(kernel_arch()).tile_items();
}
//! The tile of scans by key and of reduce_by_key of Ts.
template <class T, class Key = std::uint32_t>
std::size_t scan_by_key_tile()
{
  return segments_tile<reheat::detail::segmented<T, reheat::detail::boundary_flags>, T, Key>();
}
template <class T, class Key = std::uint32_t>
std::size_t reduce_by_key_tile()
{
  return segments_tile<reheat::detail::segmented<T, reheat::detail::boundary_count>, T, Key>();
}

//! Calls `check(size, lengths)` for inputs that are streamed, although a GPU would take a tile per block for
//! some.
template <class Check>
void for_each_streamed(std::size_t tile, Check check)
{
  const force_scans all(streaming_scans());
  for (const segments lengths : all_segments)
  {
    for (const std::size_t size : few_sizes(tile))
    {
      check(size, lengths);
    }
  }
}

struct equal
{
  template <class T>
  REHEAT_HOST_DEVICE bool operator()(const T& x, const T& y) const
  {
    return x == y;
  }
  template <unsigned Words>
  REHEAT_HOST_DEVICE bool operator()(const words<Words>& x, const words<Words>& y) const
  {
    bool same = true;
    for (unsigned i = 0; i < Words; ++i)
    {
      same = same && x.word[i] == y.word[i];
    }
    return same;
  }
};

} // namespace compat

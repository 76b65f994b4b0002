// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The keys of the algorithms by key, the factors of inner_product, and the stencil of selections: runs of equal keys, whose
//! lengths depend on nothing but their number.
#pragma once

#include "mixed_bits.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace compare
{

using key_type = std::int32_t;

//! Mostly 1 to 16 items, within a thread's or a warp's; every eighth run up to 4096, over the borders of tiles.
inline std::size_t run_items(std::uint64_t run)
{
  return 1 + mixed(run) % (run % 8 == 7 ? 4096 : 16);
}

//! Neighbours differ, and keys come back: equal keys that are apart are no run. As factors they are exact, lose no item and
//! leave a sum in its range.
inline key_type run_key(std::uint64_t run)
{
  constexpr key_type keys[]{1, -1, 2};
  return keys[run % 3];
}

//! The last one ends with the items.
inline std::size_t count_runs(std::size_t items)
{
  std::size_t runs = 0;
  for (std::size_t begin = 0; begin < items; begin += run_items(runs++))
  {}
  return runs;
}

inline void fill_keys(key_type* keys, std::size_t items)
{
  std::uint64_t run = 0;
  for (std::size_t begin = 0; begin < items; ++run)
  {
    const std::size_t length = std::min(run_items(run), items - begin);
    std::fill_n(keys + begin, length, run_key(run));
    begin += length;
  }
}

} // namespace compare

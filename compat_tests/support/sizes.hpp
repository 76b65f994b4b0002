// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The sizes of the tests: at the boundaries of warps, tiles and groups of tiles.
#pragma once

#include "machine.hpp"

#include <cstddef>
#include <vector>

namespace compat
{

//! Nothing, one item, a warp and its neighbours, a tile, two tiles, and sizes that are none of these.
inline std::vector<std::size_t> boundary_sizes(std::size_t tile)
{
  return {0,        1,    2,        31,           32,           33,   tile - 1, tile,
          tile + 1, 1000, 2 * tile, 2 * tile - 1, 2 * tile + 1, 4095, 4097,     5 * tile + tile / 2};
}

//! The few of them that matter most.
inline std::vector<std::size_t> few_sizes(std::size_t tile)
{
  return {1, 33, tile, tile + 1, 3 * tile - 1};
}

//! Those, and many tiles: also more than have a block each, of which a GPU has up to 132.
inline std::vector<std::size_t> few_sizes_and_many(std::size_t tile)
{
  std::vector<std::size_t> sizes = few_sizes(tile);
  sizes.push_back((emulated ? 40 : 160) * tile + 11);
  return sizes;
}

//! A group of tiles and its neighbours; more than one.
inline std::vector<std::size_t> group_sizes(std::size_t tile, std::size_t group)
{
  return {group - 1, group, group + 1, 2 * group + 3 * tile + 7};
}

} // namespace compat

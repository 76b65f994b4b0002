// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The numbers of searches: those of a commutative reduction of the same terms, and the head. docs/tuning-log.md has the
//! measurements, in section "Searches".
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/device_traits.cuh>
#include <reheat/detail/reduce/tuning.cuh>

#include <cstddef>
#include <cstdint>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

//! arch → config of a search of Terms. Of pairs of items from two inputs, a thread holds both vectors.
template <class Terms>
struct search_tuning
{
  REHEAT_HOST_DEVICE static constexpr std::size_t vector_bytes()
  {
    if constexpr (Terms::packable && Terms::kind == vector_kind::zipped)
    {
      return sizeof(typename Terms::loaded) < 16 ? 16 : sizeof(typename Terms::loaded);
    }
    else
    {
      return 16;
    }
  }
  REHEAT_HOST_DEVICE constexpr reduce_config operator()(int arch) const
  {
    return commutative_tuning<Terms::vector_items, vector_bytes(), Terms::kind>{}(arch);
  }
};

//! Inputs of so many tiles of full size have no head: every block has a tile. H100, u32: 2^20 items, which have 128, take
//! 12.1 us with a hit and without. With a head they take 11 to 12 us with an early hit, but 14.6 us without any.
REHEAT_HOST_DEVICE constexpr unsigned search_headless_tiles(int arch)
{
  return arch == emulated_arch ? 5 : 128;
}
//! Blocks that search the head, where inputs have one: 1 MB.
REHEAT_HOST_DEVICE constexpr unsigned search_head_blocks(int arch)
{
  return arch == emulated_arch ? 3 : 32;
}

//! The grid for `items` >= 1: that of a reduction, unless the input has a head. Then one_tile is false, and at most
//! max_blocks blocks draw the tiles behind the head. (H100, 256 MB of u8 without a hit, where these and the head's blocks
//! are max_blocks together: 107 us instead of 102.)
constexpr reduce_grid search_grid_for(const reduce_config& c, int arch, std::uint64_t items)
{
  if (items <= std::uint64_t{search_headless_tiles(arch)} * c.tile_items())
  {
    return reduce_grid_for(c, items);
  }
  const unsigned head_blocks = search_head_blocks(arch);
  const std::uint64_t behind_head = (items + c.tile_items() - 1) / c.tile_items() - head_blocks;
  return {head_blocks + (behind_head < c.max_blocks ? static_cast<unsigned>(behind_head) : c.max_blocks), c.block_threads,
          false};
}

} // namespace detail
REHEAT_NAMESPACE_END

// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The numbers of searches: those of a commutative reduction of the same terms, and the head.
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

//! Blocks that search the head, where inputs have one: 1 MB. Together they have as many items as the largest grid of small
//! blocks, beyond which inputs have a head.
REHEAT_HOST_DEVICE constexpr unsigned search_head_blocks(int arch)
{
  return arch == emulated_arch ? 3 : 32;
}

//! The grid for `items` >= 1: that of a reduction, unless the input has a head. Then one_tile is false, and at most
//! max_blocks blocks draw the tiles behind the head. (H100, 256 MB of u8 without a hit, where these and the head's blocks
//! are max_blocks together: 107 us instead of 102.)
constexpr reduce_grid search_grid_for(const reduce_config& c, unsigned head_blocks, std::uint64_t items)
{
  const std::uint64_t small_items = std::uint64_t{c.small_grid_max_blocks} * c.small_grid_threads * c.items_per_thread;
  if (items <= c.single_block_items() || items <= small_items)
  {
    return reduce_grid_for(c, items);
  }
  const std::uint64_t behind_head = (items + c.tile_items() - 1) / c.tile_items() - head_blocks;
  return {head_blocks + (behind_head < c.max_blocks ? static_cast<unsigned>(behind_head) : c.max_blocks), c.block_threads,
          false};
}

} // namespace detail
REHEAT_NAMESPACE_END

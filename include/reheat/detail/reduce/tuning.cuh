// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The numbers of the reduction, and where they come from.
#pragma once

#include <reheat/detail/config.cuh>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

struct reduce_config
{
  unsigned block_threads;
  unsigned items_per_thread; //!< of a tile
  unsigned max_blocks;       //!< the grid depends on the number of items and this alone: never on the device's size
  unsigned slots_per_lane;   //!< the folding block's warps take 32 times this many slots each
  unsigned resident_blocks;  //!< per multiprocessor: registers are rationed so that these fit, where tiles are not staged

  REHEAT_HOST_DEVICE constexpr unsigned tile_items() const { return block_threads * items_per_thread; }
  REHEAT_HOST_DEVICE constexpr unsigned warps() const { return block_threads / 32; }
};

//! arch → config. Items of a tile are counted in 16-byte pieces per thread where the items come as they are in memory
//! (ItemBytes their size), and bounded by shared memory where the tile is turned around there (Staged).
//!
//! 256 threads × 4 pieces keep 64 KB in flight per 4 blocks on a multiprocessor; 1024 blocks are 7.75 per multiprocessor of
//! an NVIDIA H200, where 8 fit. Staged tiles have an odd number of pieces per thread: with 4 each access in shared memory
//! took 4 turns at the banks. Bytes have 2: the 32-bit sums of 64 do not fit the registers of 4 resident blocks.
template <std::size_t ItemBytes, bool Staged>
struct reduce_tuning
{
  REHEAT_HOST_DEVICE constexpr reduce_config operator()(int arch) const
  {
    reduce_config c = arch == 0 ? reduce_config{64, 0, 35, 1, 1}
                                // the emulator: more blocks than fit, more values than a warp folds
                                : reduce_config{256, 0, 528, 4, 4};
    const unsigned pieces = arch == 0 ? (Staged ? 3 : 2) : Staged ? 5 : ItemBytes == 1 ? 2 : 4;
    const std::size_t bytes = pieces * 16;
    c.items_per_thread = bytes < ItemBytes ? 1u : static_cast<unsigned>(bytes / ItemBytes);
    while (Staged && arch != 0 && c.tile_items() * ItemBytes > 32 * 1024 && c.block_threads > 64)
    {
      c.block_threads /= 2;
      c.slots_per_lane *= 2;
    }
    return c;
  }
};

} // namespace detail
REHEAT_NAMESPACE_END

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
  unsigned resident_blocks;  //!< per multiprocessor: registers are rationed so that these fit

  REHEAT_HOST_DEVICE constexpr unsigned tile_items() const { return block_threads * items_per_thread; }
  REHEAT_HOST_DEVICE constexpr unsigned warps() const { return block_threads / 32; }
};

//! arch → config. Items of a tile are counted in 16-byte pieces per thread where the items come as they are in memory
//! (ItemBytes their size), and bounded by shared memory where the tile is turned around there (Staged).
//!
//! 256 threads × 4 pieces keep 64 KB in flight per 4 blocks on a multiprocessor; 528 blocks are 4 per multiprocessor of an
//! NVIDIA H200. Bytes have 2: the 32-bit sums of 64 do not fit the registers of 4 resident blocks.
//!
//! Staged, on an NVIDIA H200, TB/s at 384 MB (pieces: 3, 4, 5, 7): 4-byte items 3.06, 3.07, 3.98, 3.64; 8-byte 3.76, 3.13,
//! 3.52, 2.89; 12-byte 3.21, 3.43, 3.01, 2.17. An odd number of pieces keeps walks in shared memory free of bank conflicts,
//! 5 items of 12 bytes do so too. Without a bound on registers 2 blocks were resident: 2.0 to 2.8; 6 and 8 spill: 1.2
//! to 3.1.
template <std::size_t ItemBytes, bool Staged>
struct reduce_tuning
{
  REHEAT_HOST_DEVICE constexpr reduce_config operator()(int arch) const
  {
    constexpr unsigned resident = Staged && ItemBytes > 16 ? 1 : 4;
    reduce_config c = arch == 0 ? reduce_config{64, 0, 35, 1, 1}
                                // the emulator: more blocks than fit, more values than a warp folds
                                : reduce_config{256, 0, 528, 4, resident};
    constexpr unsigned staged_pieces = ItemBytes < 8 ? 5 : 16 % ItemBytes == 0 ? 3 : 4;
    const unsigned pieces = arch == 0 ? (Staged ? 3 : 2) : Staged ? staged_pieces : ItemBytes == 1 ? 2 : 4;
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

// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The numbers of the reduction, and where they come from.
#pragma once

#include <reheat/detail/config.cuh>

#include <cstddef>
#include <cstdint>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

struct reduce_config
{
  unsigned block_threads;
  unsigned alone_threads;    //!< at most, of a block that has all items
  unsigned items_per_thread; //!< of a tile
  unsigned max_blocks;       //!< the grid depends on the number of items and this alone: never on the device's size
  unsigned slots_per_lane;   //!< the folding block's warps take 32 times this many slots each
  unsigned resident_blocks;  //!< of most_threads(), per multiprocessor: registers are rationed so that these fit

  REHEAT_HOST_DEVICE constexpr unsigned tile_items() const { return block_threads * items_per_thread; }
  REHEAT_HOST_DEVICE constexpr unsigned warps() const { return block_threads / 32; }
  REHEAT_HOST_DEVICE constexpr unsigned most_threads() const
  {
    return alone_threads > block_threads ? alone_threads : block_threads;
  }
};

struct reduce_grid
{
  unsigned blocks;
  unsigned block_threads;
};

//! The grid for `items` >= 1 depends on their number and the tuning alone.
constexpr reduce_grid reduce_grid_for(const reduce_config& c, std::uint64_t items)
{
  if (items <= std::uint64_t{c.alone_threads} * c.items_per_thread)
  {
    const unsigned threads = (static_cast<unsigned>(items) + c.items_per_thread - 1) / c.items_per_thread;
    return {1, (threads + 31) / 32 * 32};
  }
  const std::uint64_t tiles = (items + c.tile_items() - 1) / c.tile_items();
  return {tiles < c.max_blocks ? static_cast<unsigned>(tiles) : c.max_blocks, c.block_threads};
}

//! What a thread of a striped reduction loads at a time and folds to one value.
enum class piece_kind
{
  items, //!< as they are in memory, folded by neighbours
  run,   //!< items that a functor maps, folded from the left
  pairs  //!< runs of two inputs
};

//! arch → config of a reduction whose threads load `PieceItems` items at a time, and hold `PieceBytes` of them.
//!
//! 512 threads × 4 pieces of 16 bytes keep 64 KB in flight per 2 blocks on a multiprocessor; 264 blocks are 2 per
//! multiprocessor of an NVIDIA H200. us inside a graph, i32, with blocks of 256, 512, 1024: 3.23, 3.00, 3.34 at 1 MB; 7.24,
//! 6.82, 7.00 at 16 MB; 19.2, 18.8, 19.0 at 64 MB. Alone a block has up to 1024: 2.28 us at 64 KB, where several of 256 take
//! 2.83. Bytes have 2 pieces: the 32-bit sums of 64 do not fit the registers of 1024 resident threads, and where a run's are
//! counted or compared, the compiler put the loads of the next tile behind most of the fold.
template <unsigned PieceItems, std::size_t PieceBytes, piece_kind Kind>
struct striped_tuning
{
  REHEAT_HOST_DEVICE constexpr reduce_config operator()(int arch) const
  {
    // The emulator: more blocks than fit, more values than two warps fold.
    reduce_config c = arch == 0 ? reduce_config{96, 160, 0, 67, 1, 1} : reduce_config{512, 1024, 0, 264, 1, 1};
    const bool few = Kind != piece_kind::pairs && (arch == 0 || PieceItems == 16);
    const std::size_t bytes = few ? 32 : 64; // of a tile, per thread
    c.items_per_thread = PieceItems * (bytes < PieceBytes ? 1u : static_cast<unsigned>(bytes / PieceBytes));
    return c;
  }
};

//! arch → config of a reduction that turns its tiles around in shared memory, which bounds them.
//!
//! On an NVIDIA H200, TB/s at 384 MB, each warp turning around its own share, the next on its way: 4-byte items in 3, 5, 7
//! pieces 4.23, 3.86, 3.63; 8-byte in 3, 5 pieces 4.23, 3.96; 12-byte in 4, 7 pieces 4.17, 2.85. With registers for 3 blocks
//! instead of 4: 3.66, 3.84, 3.64. (Whole blocks turning tiles around, two barriers each: 3.98, 3.76, 3.0.) An odd number of
//! pieces keeps walks in shared memory free of bank conflicts, 5 items of 12 bytes do so too.
template <std::size_t ItemBytes>
struct staged_tuning
{
  REHEAT_HOST_DEVICE constexpr reduce_config operator()(int arch) const
  {
    constexpr unsigned resident = ItemBytes <= 16 ? 4 : 1;
    // A block has shared memory for as many warps as in company.
    reduce_config c = arch == 0 ? reduce_config{96, 0, 0, 67, 1, 1} : reduce_config{256, 0, 0, 528, 4, resident};
    const std::size_t bytes = (arch == 0 || 16 % ItemBytes == 0 ? 3 : 4) * 16;
    c.items_per_thread = bytes < ItemBytes ? 1u : static_cast<unsigned>(bytes / ItemBytes);
    while (arch != 0 && c.tile_items() * ItemBytes > 32 * 1024 && c.block_threads > 64)
    {
      c.block_threads /= 2;
      c.slots_per_lane *= 2;
    }
    return c;
  }
};

} // namespace detail
REHEAT_NAMESPACE_END

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
  unsigned single_block_threads;        //!< at most, in the block of a grid of one
  unsigned small_grid_threads;          //!< in each block of a small grid, whose blocks have one tile each
  unsigned small_grid_max_blocks;       //!< a small grid has at most so many blocks
  unsigned items_per_thread;            //!< of a tile, where each block has one tile
  unsigned multi_tile_items_per_thread; //!< of a tile, where blocks have several
  unsigned max_blocks;      //!< the grid depends only on this and on the number of items, never on the device's size
  unsigned slots_per_lane;  //!< each warp of the folding block reads 32 times this many slots
  unsigned resident_blocks; //!< per multiprocessor, of max_threads(): the compiler limits registers so that they fit
  bool in_scratch = false;  //!< tiles are turned around in scratch memory: see grid/memory.cuh
  bool part_at_once = true; //!< a block's last tile, if it is partial, is loaded at once even where it is not aligned

  REHEAT_HOST_DEVICE constexpr unsigned tile_items() const { return block_threads * items_per_thread; }
  REHEAT_HOST_DEVICE constexpr unsigned single_block_items() const { return single_block_threads * items_per_thread; }
  REHEAT_HOST_DEVICE constexpr unsigned multi_tile_items() const { return block_threads * multi_tile_items_per_thread; }
  REHEAT_HOST_DEVICE constexpr unsigned warps() const { return block_threads / 32; }
  REHEAT_HOST_DEVICE constexpr unsigned max_threads() const
  {
    return single_block_threads > block_threads ? single_block_threads : block_threads;
  }
};

struct reduce_grid
{
  unsigned blocks;
  unsigned block_threads;
  bool one_tile; //!< per block, of block_threads
};

//! The grid for `items` >= 1 depends on their number and the tuning alone.
constexpr reduce_grid reduce_grid_for(const reduce_config& c, std::uint64_t items)
{
  if (items <= c.single_block_items())
  {
    const unsigned threads = (static_cast<unsigned>(items) + c.items_per_thread - 1) / c.items_per_thread;
    return {1, (threads + 31) / 32 * 32, true};
  }
  const unsigned small_grid_tile_items = c.small_grid_threads * c.items_per_thread;
  if (items <= std::uint64_t{c.small_grid_max_blocks} * small_grid_tile_items)
  {
    return {(static_cast<unsigned>(items) + small_grid_tile_items - 1) / small_grid_tile_items, c.small_grid_threads, true};
  }
  if (items <= std::uint64_t{c.max_blocks} * c.tile_items())
  {
    return {(static_cast<unsigned>(items) + c.tile_items() - 1) / c.tile_items(), c.block_threads, true};
  }
  const std::uint64_t whole_tiles = items / c.multi_tile_items(); // each block has one at least
  return {whole_tiles < c.max_blocks ? static_cast<unsigned>(whole_tiles) : c.max_blocks, c.block_threads, false};
}

//! What a thread of a commutative reduction loads at a time and folds to one value.
enum class vector_kind
{
  items,  //!< as they are in memory, folded by neighbours
  mapped, //!< by a functor, folded from the left
  zipped  //!< mapped from the items of two inputs
};

//! arch → config of a reduction whose threads load `VectorItems` items at a time, and hold `VectorBytes` of them.
//!
//! 512 threads × 4 vectors of 16 bytes keep 64 KB in flight per 2 blocks on a multiprocessor; 264 blocks are 2 per
//! multiprocessor of an NVIDIA H200. us inside a graph, i32:
//!
//! * 132 blocks of 1024, 264 of 512, 528 of 256: 3.00, 3.00, 3.21 at 4 MB; 6.05, 5.97, 6.73 at 16 MB; 17.7, 17.6, 20.1 at
//!   64 MB.
//! * 2, 4, 8 vectors: 2.99, 3.01, 3.06 at 4 MB; 7.24, 5.92, 5.89 at 16 MB; 22.0, 17.6, 24.9 at 64 MB.
//! * Alone, up to 1024 threads: 1.70 at 64 KB, where several blocks of 256 take 1.95.
//! * Up to 64 blocks, of 256 and 512: 1.97, 2.05 at 256 KB; 2.12, 2.16 at 1 MB.
//!
//! Bytes in one tile have 2 vectors: 2.27 us at 1 MB, 3.12 at 4 MB, where 4 vectors take 2.55 and 3.42. In many tiles they
//! have 4: 63.7 at 256 MB, where 2 take 65.5. Mapped bytes keep 2: where terms are counted or compared, the compiler put the
//! loads of the next tile behind most of the fold.
//!
//! On Blackwell the last tile of many, where it is not whole and not aligned, comes vector by vector: its bytes, which have
//! a register each until they are folded, were spilled otherwise (i8 on sm_100: 128 bytes stored, 236 loaded). One block has
//! such a tile, once.
template <unsigned VectorItems, std::size_t VectorBytes, vector_kind Kind>
struct commutative_tuning
{
  REHEAT_HOST_DEVICE constexpr reduce_config operator()(int arch) const
  {
    reduce_config c{};
    c.block_threads = arch == 0 ? 96 : 512;
    c.single_block_threads = arch == 0 ? 160 : 1024;
    c.small_grid_threads = arch == 0 ? 64 : 256;
    c.small_grid_max_blocks = arch == 0 ? 5 : 64;
    c.max_blocks = arch == 0 ? 67 : 264; // the emulator: more than fit, more values than two warps fold
    c.slots_per_lane = 1;
    c.part_at_once = arch < 1000;
    c.resident_blocks = 1;
    const bool few = Kind != vector_kind::zipped && (arch == 0 || VectorItems == 16);
    c.items_per_thread = items_in(few ? 32 : 64);
    c.multi_tile_items_per_thread = Kind == vector_kind::items && VectorItems == 16 ? items_in(64) : c.items_per_thread;
    return c;
  }

private:
  //! In as many vectors as `bytes` bytes hold, one at least.
  REHEAT_HOST_DEVICE static constexpr unsigned items_in(std::size_t bytes)
  {
    return VectorItems * (bytes < VectorBytes ? 1u : static_cast<unsigned>(bytes / VectorBytes));
  }
};

//! arch → config of a reduction that turns its tiles around in shared memory, which bounds them.
//!
//! On an NVIDIA H200, TB/s at 384 MB, each warp turning its own tile around, the next on its way: 4-byte items in 3, 5, 7
//! vectors 4.23, 3.86, 3.63; 8-byte in 3, 5 vectors 4.23, 3.96; 12-byte in 4, 7 vectors 4.17, 2.85. With registers for 3
//! blocks instead of 4: 3.66, 3.84, 3.64. (Whole blocks turning tiles around, two barriers each: 3.98, 3.76, 3.0.) An odd
//! number of vectors keeps walks in shared memory free of bank conflicts, 5 items of 12 bytes do so too.
//!
//! us inside a graph:
//!
//! * 12-byte items, in 4 blocks of 256 per multiprocessor, 2 of 512, 2 of 384, which have more registers: 4.16, 3.73, 3.76
//!   at 3 MB; 6.47, 5.96, 6.18 at 12 MB; 16.1, 15.7, 14.7 at 48 MB; 50.7, 50.3, 48.7 at 192 MB.
//! * 4-byte items, in 4 of 256, 2 of 512: 3.27, 2.95 at 1 MB; 18.3, 18.1 at 64 MB.
template <std::size_t ItemBytes>
struct ordered_tuning
{
  REHEAT_HOST_DEVICE constexpr reduce_config operator()(int arch) const
  {
    constexpr bool small = ItemBytes <= 16;
    reduce_config c{};
    c.block_threads = arch == 0 ? 96 : ItemBytes <= 8 ? 512 : small ? 384 : 256;
    c.max_blocks = arch == 0 ? 67 : small ? 264 : 528;
    c.slots_per_lane = arch == 0 || small ? 1 : 4;
    c.resident_blocks = arch != 0 && small ? 2 : 1;
    const std::size_t bytes = (arch == 0 || 16 % ItemBytes == 0 ? 3 : 4) * 16;
    c.items_per_thread = bytes < ItemBytes ? 1u : static_cast<unsigned>(bytes / ItemBytes);
    while (arch != 0 && c.tile_items() * ItemBytes > 32 * 1024 && c.block_threads > 64)
    {
      c.block_threads /= 2;
      c.slots_per_lane *= 2;
    }
    c.single_block_threads = c.block_threads;
    c.multi_tile_items_per_thread = c.items_per_thread;
    return c;
  }
};

//! For items so large that even the smallest tile does not fit a block's shared memory: fewer blocks than for other items,
//! each with 68 times the size of an item. These numbers have not been measured.
REHEAT_HOST_DEVICE constexpr reduce_config reduce_config_in_scratch(reduce_config c)
{
  c.block_threads = c.single_block_threads = 64;
  c.items_per_thread = c.multi_tile_items_per_thread = 1;
  c.max_blocks = 128;
  c.slots_per_lane = 2;
  c.in_scratch = true;
  return c;
}

} // namespace detail
REHEAT_NAMESPACE_END

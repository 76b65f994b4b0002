// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The numbers of the reduction: a row for all GPUs and one for the emulator, with one line of evidence.
//!
//! A GPU has no row of its own here, on purpose. Tiles and blocks decide in which order a sum that rounds is formed, and its
//! bits shall not depend on the GPU. So the grid follows from the type and the number of items alone. Its 264 blocks are two
//! for each multiprocessor of an H200, where all numbers were measured. The traits of a device change no result.
//!
//! The measurements behind the numbers, and rejected numbers, are in docs/tuning-log.md, section "Kernel tuning". H200 is
//! an NVIDIA H200; times are in a graph.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/device_traits.cuh>

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
  unsigned small_grid_max_blocks;       //!< a small grid has at most this many blocks
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
  REHEAT_HOST_DEVICE constexpr unsigned warps() const { return block_threads / simt::warp_lanes; }
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
    return {1, (threads + simt::warp_lanes - 1) / simt::warp_lanes * simt::warp_lanes, true};
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

//! The rows of reduce_config where threads load `VectorItems` items at a time, and hold `VectorBytes` of them.
template <unsigned VectorItems, std::size_t VectorBytes, vector_kind Kind>
struct commutative_rows
{
  //! Small and odd. The grid has more blocks than fit the device, and more values than two warps fold.
  REHEAT_HOST_DEVICE static constexpr reduce_config emulated()
  {
    reduce_config c{};
    c.block_threads = 96;
    c.single_block_threads = 160;
    c.small_grid_threads = 64;
    c.small_grid_max_blocks = 5;
    c.max_blocks = 67;
    c.slots_per_lane = 1;
    c.resident_blocks = 1;
    c.items_per_thread = items_in(Kind == vector_kind::zipped ? 64 : 32);
    c.multi_tile_items_per_thread = Kind == vector_kind::items && VectorItems == 16 ? items_in(64) : c.items_per_thread;
    return c;
  }
  //! H200, 16 MB of i32: 5.97 us. 132 blocks of 1024 threads took 6.05, 528 of 256 6.73; 2 vectors a thread 7.24.
  REHEAT_HOST_DEVICE static constexpr reduce_config gpu()
  {
    reduce_config c{};
    c.block_threads = 512;
    c.single_block_threads = 1024; // 64 KB: 1.70 us, in several blocks of 256 threads 1.95
    c.small_grid_threads = 256;    // 256 KB: 1.97 us, in blocks of 512 threads 2.05
    c.small_grid_max_blocks = 64;
    c.max_blocks = 264;
    c.slots_per_lane = 1;
    c.resident_blocks = 1;
    // Bytes have 2 vectors a thread in one tile, 1 MB: 2.27 us, with 4 vectors 2.55. They have 4 in many tiles, 256 MB:
    // 63.7 us, with 2 vectors 65.5.
    const bool two_vectors = Kind != vector_kind::zipped && VectorItems == 16;
    c.items_per_thread = items_in(two_vectors ? 32 : 64);
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

//! arch → config of a reduction whose threads load `VectorItems` items at a time, and hold `VectorBytes` of them.
template <unsigned VectorItems, std::size_t VectorBytes, vector_kind Kind>
struct commutative_tuning
{
  REHEAT_HOST_DEVICE constexpr reduce_config operator()(int arch) const
  {
    using rows = commutative_rows<VectorItems, VectorBytes, Kind>;
    reduce_config c = arch == emulated_arch ? rows::emulated() : rows::gpu();
    c.part_at_once = !device_traits_of(arch).spills_partial_vectors;
    return c;
  }
};

//! The rows of reduce_config where tiles are turned around in shared memory, which bounds them.
template <std::size_t ItemBytes>
struct ordered_rows
{
  REHEAT_HOST_DEVICE static constexpr reduce_config emulated()
  {
    reduce_config c{};
    c.block_threads = 96;
    c.max_blocks = 67;
    c.slots_per_lane = 1;
    c.resident_blocks = 1;
    c.items_per_thread = items_in(3);
    return of_one_size(c);
  }
  REHEAT_HOST_DEVICE static constexpr reduce_config gpu()
  {
    reduce_config c{};
    c.items_per_thread = items_in(16 % ItemBytes == 0 ? 3 : 4);
    c.slots_per_lane = 1;
    c.resident_blocks = 2;
    c.max_blocks = 264;
    if (ItemBytes <= 8)
    {
      // H200, 1 MB of 4-byte items: 2.95 us. 4 blocks of 256 on a multiprocessor took 3.27.
      c.block_threads = 512;
    }
    else if (ItemBytes <= 16)
    {
      // H200, 48 MB of 12-byte items: 14.7 us. 2 blocks of 512 took 15.7, 4 of 256 16.1.
      c.block_threads = 384;
    }
    else
    {
      // Not measured.
      c.block_threads = 256;
      c.max_blocks = 528;
      c.slots_per_lane = 4;
      c.resident_blocks = 1;
    }
    while (c.tile_items() * ItemBytes > 32 * 1024 && c.block_threads > 2 * simt::warp_lanes)
    {
      c.block_threads /= 2;
      c.slots_per_lane *= 2;
    }
    return of_one_size(c);
  }

private:
  //! Items in chunks of 16 bytes, one at least. H200, 384 MB in 3, 5, 7 chunks: 4-byte items 4.23, 3.86, 3.63 TB/s. Walks in
  //! shared memory are free of bank conflicts with an odd number of chunks, and with 5 items of 12 bytes.
  REHEAT_HOST_DEVICE static constexpr unsigned items_in(unsigned chunks)
  {
    return chunks * 16 < ItemBytes ? 1u : static_cast<unsigned>(chunks * 16 / ItemBytes);
  }
  REHEAT_HOST_DEVICE static constexpr reduce_config of_one_size(reduce_config c)
  {
    c.single_block_threads = c.block_threads;
    c.multi_tile_items_per_thread = c.items_per_thread;
    return c;
  }
};

//! arch → config of a reduction that turns its tiles around in shared memory.
template <std::size_t ItemBytes>
struct ordered_tuning
{
  REHEAT_HOST_DEVICE constexpr reduce_config operator()(int arch) const
  {
    return arch == emulated_arch ? ordered_rows<ItemBytes>::emulated() : ordered_rows<ItemBytes>::gpu();
  }
};

//! For items so large that even the smallest tile does not fit a block's shared memory: fewer blocks than for other items,
//! each with 68 times the size of an item. Not measured.
REHEAT_HOST_DEVICE constexpr reduce_config reduce_config_in_scratch(reduce_config c)
{
  c.block_threads = 64;
  c.single_block_threads = 64;
  c.items_per_thread = 1;
  c.multi_tile_items_per_thread = 1;
  c.max_blocks = 128;
  c.slots_per_lane = 2;
  c.in_scratch = true;
  return c;
}

} // namespace detail
REHEAT_NAMESPACE_END

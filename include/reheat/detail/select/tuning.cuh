// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The numbers of selections: one row for each architecture, with evidence.
//!
//! The measurements behind the numbers, and rejected numbers, are in docs/tuning-log.md, section "Selections". Shapes are
//! written as threads × items of a thread × stages. Times are of 2^28 items of which a tenth, half and nine tenths are
//! selected, on an NVIDIA H100.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/device_traits.cuh>
#include <reheat/detail/scan/tuning.cuh>

#include <cstddef>
#include <cstdint>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

//! Where the items of a selection come from.
enum class select_input
{
  memory,   //!< items, and the stencil if there is one, are in memory as they are
  iterator, //!< an iterator computes items or the stencil: load warps fill the stages
  generated //!< items follow from their indices
};

//! The blocks of a selection of items of LargeItemBytes, if it has large tiles; else 0.
//! H200: 2^13 i32, of which half are partitioned: 3.36 us in four blocks, 3.97 in one. 2^20: 7.17 in two blocks of 512
//! threads on a multiprocessor, 7.53 in one of 1024; in large tiles 7.03. 1.25 · 2^20: in large tiles 7.47, streaming 11.22.
//! 1.5 · 2^20 i64, of which a tenth are selected: 9.14, 10.45. See docs/tuning-log.md, "large tiles".
REHEAT_HOST_DEVICE constexpr few_tiles_blocks selection_few_tiles(std::size_t large_item_bytes)
{
  return {32, 512, 512, 2, large_item_bytes == 4 || large_item_bytes == 8 ? 12u : 0u};
}

//! Words of 32 bits with a bit for each item of a thread.
REHEAT_HOST_DEVICE constexpr unsigned words_of_bits(unsigned items_per_thread)
{
  return (items_per_thread + 31) / 32;
}

//! What a selection stores.
enum class select_output
{
  selected, //!< selected items of one array
  parts,    //!< all items of one array, in two parts
  others    //!< items of several arrays, or three parts
};

//! The rows of scan_config for items of ItemBytes, and FlagBytes of a stencil for each.
template <std::size_t ItemBytes, std::size_t FlagBytes, select_input Input, select_output Output>
struct select_rows
{
  REHEAT_HOST_DEVICE static constexpr scan_config emulated(scan_config c)
  {
    constexpr bool vectors = FlagBytes == 4; // some, so that tests meet both ways
    c.copies = vectors ? tile_copies::in_vec16 : tile_copies::in_bulk;
    c.compute_threads = 64;
    c.items_per_thread = Input == select_input::generated ? 12 : items_in(48);
    c.stages = 4;
    c.lookahead_tiles = 2;
    c.slots_per_lane = 1;
    c.groups_per_supergroup = 3;
    c.load_threads = 64;
    c.tile_alignment = 16; // as scan_rows
    c.specialize_reduce_warps = FlagBytes != 0;
    return c;
  }
  //! Not measured.
  REHEAT_HOST_DEVICE static constexpr scan_config sm_75(scan_config c)
  {
    c.compute_threads = 256;
    c.items_per_thread = items_in(48);
    c.stages = 4;
    c.lookahead_tiles = 2;
    c.load_threads = 256;
    return c;
  }
  //! Not measured.
  REHEAT_HOST_DEVICE static constexpr scan_config sm_80(scan_config c)
  {
    c.compute_threads = 256;
    c.items_per_thread = items_in(80);
    c.stages = 4;
    c.lookahead_tiles = 2;
    c.load_threads = 128;
    return c;
  }
  //! One block per multiprocessor, and large tiles: the look-back warp takes 2600 to 2900 cycles a tile.
  REHEAT_HOST_DEVICE static constexpr scan_config sm_90(scan_config c)
  {
    c.spare_sm_from_tiles = 8192; // as scan_rows
    if (Input == select_input::generated)
    {
      // Counted i32 by a stencil of u8: 448, 455, 529 us; 448 × 32 × 6 with as many threads that reduce: 507, 519, 551.
      // By a predicate that reads u8: 456, 507, 615 us; 768 × 32 × 5 took 533, 594, 683.
      c.compute_threads = FlagBytes != 0 ? 768 : 512;
      c.items_per_thread = 32;
      c.stages = FlagBytes != 0 ? 5 : 6;
      c.lookahead_tiles = FlagBytes != 0 ? 2 : 3;
      c.load_threads = 128;
    }
    else if (Input == select_input::iterator)
    {
      // u32 through an iterator, with 512 load threads: 477, 582, 718 us; 320 × 28 × 6 with 320 of them took 531, 672, 820.
      c.compute_threads = 256;
      c.items_per_thread = items_in(112);
      c.stages = 6;
      c.lookahead_tiles = 3;
    }
    else if (FlagBytes != 0)
    {
      // u32 by a stencil of u8: 531, 666, 805 us, and 714, 846, 992 if the stencil is misaligned. 384 × 28 × 4 with 192 load
      // threads: 504, 634, 774, and 1087, 1238, 1367; with 384 of them registers spill.
      c.compute_threads = 288;
      c.items_per_thread = items_in(ItemBytes <= 2 ? 80 : 112);
      c.stages = 5;
      c.lookahead_tiles = 2;
    }
    else if (ItemBytes == 1 && Output == select_output::selected)
    {
      // H200, i8: 154, 159, 164 us, and 17.2 for 2^24 if half are selected; 384 × 80 × 6 155, 157, 166, and 20.9;
      // 320 × 112 × 5 158, 162, 164, and 17.5. On an H100 a form before this one took 5 % more in 320 × 112 × 5.
      c.compute_threads = 288;
      c.items_per_thread = items_in(112);
      c.stages = 5;
      c.lookahead_tiles = 2;
      c.load_threads = 64;
      c.specialize_reduce_warps = true;
    }
    else if (ItemBytes <= 2)
    {
      // Without separate threads that reduce 20 to 30 % more. H200, partitions of i8: 266 us; 320 × 112 × 5 takes 299.
      c.compute_threads = 384;
      c.items_per_thread = items_in(80);
      c.stages = 6;
      c.lookahead_tiles = 2;
      c.load_threads = 64;
      c.specialize_reduce_warps = true;
    }
    else
    {
      // u32: 414, 543, 687 us; 320 × 28 × 5 448, 588, 715; 448 × 28 × 4 420, 554, 694. u64: 785, 1064, 1361 us.
      // H200: i32 289, 391, 494 us with separate threads that reduce, without 371, 441, 514; i64 570, 775, 980, and 652,
      // 833, 985. Partitions: i32 532, without 596; i64 1050, and 1100. Of 384 threads with 112 bytes, 5 stages, with them:
      // i32 295, 400, 501; i64 580, 790, 994; partitions 538, 1064. They leave a thread 72 registers, without them 128.
      c.compute_threads = 320;
      c.items_per_thread = items_in(112);
      c.stages = 6;
      c.lookahead_tiles = 3;
      c.load_threads = 128;
      c.specialize_reduce_warps = Output != select_output::others && (ItemBytes == 4 || ItemBytes == 8);
    }
    return c;
  }
  //! Not measured: as sm_90.
  REHEAT_HOST_DEVICE static constexpr scan_config sm_100(scan_config c) { return sm_90(c); }
  //! Not measured: shapes that fit 99 KB.
  REHEAT_HOST_DEVICE static constexpr scan_config sm_120(scan_config c)
  {
    c.compute_threads = 256;
    c.items_per_thread = items_in(80);
    c.stages = 4;
    c.lookahead_tiles = 2;
    c.load_threads = 128;
    return c;
  }

private:
  //! Items in `bytes` bytes, one at least.
  REHEAT_HOST_DEVICE static constexpr unsigned items_in(std::size_t bytes)
  {
    const unsigned items = bytes < ItemBytes ? 1u : static_cast<unsigned>(bytes / ItemBytes);
    return Input == select_input::generated && items > 32 ? 32 : items;
  }
};

//! arch → config, for items of ItemBytes bytes and a stencil with FlagBytes for each; without a stencil 0. WarpBytes more
//! for each compute warp, once. `Counts` are scanned, and as many bits are kept for each item. PieceItems != 0: items are in
//! several arrays, in each of which so many neighbours fill vectors.
template <std::size_t ItemBytes, std::size_t FlagBytes, select_input Input = select_input::memory, std::size_t WarpBytes = 0,
          unsigned Counts = 1, unsigned PieceItems = 0>
struct select_tuning
{
  static constexpr select_output output = Counts != 1 || PieceItems != 0 ? select_output::others
                                          : WarpBytes != 0               ? select_output::parts
                                                                         : select_output::selected;
  REHEAT_HOST_DEVICE constexpr scan_config operator()(int arch) const
  {
    scan_config row =
        row_for_arch<select_rows<ItemBytes, FlagBytes, Input, output>>(arch, scan_config_of(device_traits_of(arch)));
    row = PieceItems == 0 ? row : of_arrays(row);
    const std::size_t room = room_bytes(row);
    row.shared_bytes -= room;
    scan_config c = scan_config_fitting(row, bytes(row));
    c.shared_bytes += room;
    // So many load threads load a thread's items, or half of them, at a time, because their number is a multiple of that of
    // the compute threads. u32 by a misaligned stencil of u8: 846 us with 288 of them beside 288 compute threads, 1896 with
    // 96.
    c.load_threads = c.load_threads != 0 ? c.load_threads : (Input == select_input::iterator ? 2 : 1) * c.compute_threads;
    return c;
  }
  static constexpr few_tiles_blocks few_tiles =
      selection_few_tiles(Input == select_input::memory && FlagBytes == 0 && PieceItems == 0 ? ItemBytes : 0);
  REHEAT_HOST_DEVICE static constexpr std::size_t shared_bound(const scan_config& c)
  {
    return scan_shared_bound(c, bytes(c)) + room_bytes(c);
  }

private:
  //! A thread has an odd number of pieces, for no bank conflicts, and the tile about as many items as before. If a piece of
  //! all arrays is too much for a thread, as of bytes beside large structures, items are asked about one by one.
  REHEAT_HOST_DEVICE static constexpr scan_config of_arrays(scan_config c)
  {
    constexpr std::size_t thread_bytes = 192, pieces = thread_bytes / (ItemBytes * (PieceItems == 0 ? 1 : PieceItems));
    if (pieces == 0)
    {
      return c;
    }
    const unsigned tile = c.tile_items();
    const unsigned most = Input == select_input::iterator ? 320 : 512; // beside twice as many load threads in one block
    c.items_per_thread = static_cast<unsigned>(pieces < 2 ? 1 : (pieces - 1) / 2 * 2 + 1) * PieceItems;
    const unsigned threads = tile / c.items_per_thread / simt::warp_lanes * simt::warp_lanes;
    c.compute_threads = threads < 2 * simt::warp_lanes ? 2 * simt::warp_lanes : threads < most ? threads : most;
    return c;
  }
  //! Counts need no memory in which the lanes of a warp fold them, so theirs is told by the thread.
  REHEAT_HOST_DEVICE static constexpr stage_bytes bytes(const scan_config& c)
  {
    constexpr std::size_t item_bytes = (Input == select_input::generated ? 0 : ItemBytes) + FlagBytes;
    return {item_bytes, 0, Counts * (1 + words_of_bits(c.items_per_thread)) * sizeof(std::uint32_t),
            Counts * sizeof(std::uint64_t)};
  }
  //! With its alignment.
  REHEAT_HOST_DEVICE static constexpr std::size_t room_bytes(const scan_config& c)
  {
    return WarpBytes == 0 ? 0 : c.compute_threads / simt::warp_lanes * WarpBytes + 16;
  }
};

} // namespace detail
REHEAT_NAMESPACE_END

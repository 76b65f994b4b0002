// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The numbers of unique and its like: one row for each architecture, with evidence.
//!
//! The measurements behind the numbers are in docs/tuning-log.md, section "Selections". Shapes are written as threads ×
//! items of a thread × stages. Times are of 2^28 items in runs of 1, 4 and 100, on an NVIDIA H100.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/device_traits.cuh>
#include <reheat/detail/scan/tuning.cuh>
#include <reheat/detail/select/store.cuh>
#include <reheat/detail/select/tuning.cuh>

#include <cstddef>
#include <cstdint>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

//! Whether a block that has one tile packs items while it waits for the tiles before. Of small items it does so if they are
//! few: each lane stores to the banks of others, and the more items a lane has, the more of them meet. Encode of 2^22 i8 in
//! runs of 1, 32 items a thread, took 24.6 us on an H200 in place of 19.0.
REHEAT_HOST_DEVICE constexpr bool packs_runs_early(std::size_t item_bytes, const scan_config& c)
{
  return c.stages == 1 && (item_bytes >= 4 || c.items_per_thread * item_bytes <= 16);
}

//! The blocks of few tiles of items of ItemBytes and values of ValueBytes, 0 if there are none. `Encodes`: all runs are
//! stored with their lengths. See docs/tuning-log.md, "bytes in small tiles". H200, Encode of i8 in runs of 1, a thread's
//! items: 2^14 4.13 us of 8, 4.71 of 16, 8.48 of 32 in one block; 2^18 4.59, 5.09, 7.25. Unique and non-trivial runs of 2^14
//! in runs of 100 take 2.51 and 3.53 in one block of 32, 3.34 and 4.21 of 8. 2^20 pairs of i32 in runs of 4: 7.20 us in
//! large tiles of 12 to a thread, 7.64 of 8, 9.87 streaming.
REHEAT_HOST_DEVICE constexpr few_tiles_blocks run_few_tiles(std::size_t item_bytes, std::size_t value_bytes, bool in_memory,
                                                            bool encodes = false)
{
  few_tiles_blocks blocks = selection_few_tiles(in_memory && value_bytes == 0 ? item_bytes : 0);
  if (in_memory && value_bytes == 0 && item_bytes <= 2)
  {
    blocks.large_items = static_cast<unsigned>(blocks.thread_bytes / item_bytes);
    blocks.thread_bytes = 8 * static_cast<unsigned>(item_bytes);
    blocks.large_lone = !encodes;
  }
  if (in_memory && item_bytes == 4 && value_bytes == 4)
  {
    blocks.large_items = 12;
  }
  return blocks;
}

//! The rows of scan_config for items of ItemBytes and values of ValueBytes, 0 if there are none. `InMemory`: both are in
//! memory as they are.
template <std::size_t ItemBytes, std::size_t ValueBytes, bool InMemory>
struct unique_rows
{
  REHEAT_HOST_DEVICE static constexpr scan_config emulated(scan_config c)
  {
    constexpr bool vectors = ValueBytes == 4; // some, so that tests meet both ways
    c.copies = vectors ? tile_copies::in_vec16 : tile_copies::in_bulk;
    c.compute_threads = 64;
    c.items_per_thread = items_in(48);
    c.stages = 4;
    c.lookahead_tiles = 2;
    c.slots_per_lane = 1;
    c.groups_per_supergroup = 3;
    c.load_threads = 64;
    c.tile_alignment = 16; // as scan_rows
    c.specialize_reduce_warps = ValueBytes != 0;
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
  //! One block per multiprocessor, and large tiles, as select_rows.
  REHEAT_HOST_DEVICE static constexpr scan_config sm_90(scan_config c)
  {
    c.spare_sm_from_tiles = 8192; // as scan_rows
    if (!InMemory)
    {
      // Not measured: as select_rows.
      c.compute_threads = 256;
      c.items_per_thread = items_in(112);
      c.stages = 6;
      c.lookahead_tiles = 3;
      c.load_threads = 2 * c.compute_threads;
    }
    else if (ValueBytes != 0)
    {
      // u32 by u32: 1452, 903, 748 us; u64 by u64: 2877, 1769, 1457; u8 by u8: 458, 351, 206.
      c.compute_threads = 224;
      c.items_per_thread = items_in(ItemBytes + ValueBytes <= 4 ? 80 : 112);
      c.stages = 5;
      c.lookahead_tiles = 2;
      c.load_threads = 96;
      c.specialize_reduce_warps = true;
    }
    else if (ItemBytes <= 2)
    {
      // u8: 233, 150, 122 us; u16: 384, 244, 213. With 5 stages, 2 tiles ahead, u8 took 231, 147, 121, u16 391, 260, 218.
      c.compute_threads = 384;
      c.items_per_thread = items_in(80);
      c.stages = 6;
      c.lookahead_tiles = 3;
      c.load_threads = 64;
      c.specialize_reduce_warps = true;
    }
    else
    {
      // u32: 725, 455, 375 us; u64: 1433, 885, 726. Without separate threads that reduce 726, 467, 421; 1430, 902, 794: the
      // read of the item before the tile delays the others.
      c.specialize_reduce_warps = true;
      c.compute_threads = 320;
      c.items_per_thread = items_in(112);
      c.stages = 6;
      c.lookahead_tiles = 3;
      c.load_threads = 128;
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
  static constexpr std::size_t larger = ItemBytes > ValueBytes ? ItemBytes : ValueBytes;
  static constexpr std::size_t smaller = ValueBytes == 0 || ItemBytes < ValueBytes ? ItemBytes : ValueBytes;

  //! Items per thread: so many that the larger of items and values have at most `bytes` bytes, one at least. If there are as
  //! many that both fill 16-byte vectors, an odd number of the larger.
  REHEAT_HOST_DEVICE static constexpr unsigned items_in(std::size_t bytes)
  {
    const std::size_t most = bytes < larger ? 1 : bytes / larger;
    for (std::size_t items = most; items > 0; --items)
    {
      if (16 % smaller == 0 && items * smaller % 16 == 0 && items * larger / 16 % 2 != 0)
      {
        return static_cast<unsigned>(items);
      }
    }
    return static_cast<unsigned>(most);
  }
};

//! arch → config, for items of ItemBytes bytes and values of ValueBytes; without values 0.
template <std::size_t ItemBytes, std::size_t ValueBytes, bool InMemory = true>
struct unique_tuning
{
  REHEAT_HOST_DEVICE constexpr scan_config operator()(int arch) const
  {
    const scan_config row =
        row_for_arch<unique_rows<ItemBytes, ValueBytes, InMemory>>(arch, scan_config_of(device_traits_of(arch)));
    return scan_config_fitting(row, bytes(row));
  }
  static constexpr few_tiles_blocks few_tiles = run_few_tiles(ItemBytes, ValueBytes, InMemory);
  REHEAT_HOST_DEVICE static constexpr std::size_t shared_bound(const scan_config& c)
  {
    return scan_shared_bound(c, bytes(c));
  }

private:
  //! Counts need no memory in which the lanes of a warp fold them, so theirs is told by the thread. A stage's share of the
  //! memory in which few items are packed is a quarter.
  REHEAT_HOST_DEVICE static constexpr stage_bytes bytes(const scan_config& c)
  {
    const std::size_t warps = c.compute_threads / simt::warp_lanes;
    const std::size_t packing = warps * (packing_bytes(ItemBytes, c) + packing_bytes(ValueBytes, c));
    return {ItemBytes + ValueBytes, 0, (1 + words_of_bits(c.items_per_thread)) * sizeof(std::uint32_t),
            sizeof(std::uint64_t) + packing / 4 + 64};
  }
  //! Of a warp, see packing_items.
  REHEAT_HOST_DEVICE static constexpr std::size_t packing_bytes(std::size_t bytes, const scan_config& c)
  {
    return bytes == 0 || bytes > 2 ? 0 : simt::warp_lanes * few_items(c.items_per_thread) * bytes + 16;
  }
};

//! How many lengths of runs a lane packs at most in memory of its own. That takes a while only if a warp has a run that is
//! longer than its items' type can say, and then there are few. Of the non-trivial runs indices are packed there, too.
REHEAT_HOST_DEVICE constexpr unsigned packed_numbers(bool all_runs, unsigned items_per_thread)
{
  return (items_per_thread + (all_runs ? 7 : 1)) / (all_runs ? 8 : 2);
}
//! Bytes of the memory in which a warp packs them: a vector more, because they begin where the output has a vector.
REHEAT_HOST_DEVICE constexpr std::size_t packed_number_bytes(bool all_runs, std::size_t number_bytes,
                                                             unsigned items_per_thread)
{
  return number_bytes == 0 ? 0
                           : simt::warp_lanes * packed_numbers(all_runs, items_per_thread) * number_bytes + sizeof(vec16);
}

//! The rows of run-length encoding: those of unique, with memory for lengths. `NumberBytes`: of a length that a warp packs
//! in memory of its own; 0 if it packs them where the items have been. `AllRuns`: trivial ones, too.
template <std::size_t ItemBytes, bool InMemory, std::size_t NumberBytes, bool AllRuns>
struct run_length_rows : unique_rows<ItemBytes, 0, InMemory>
{
  using base = unique_rows<ItemBytes, 0, InMemory>;
  REHEAT_HOST_DEVICE static constexpr scan_config sm_90(scan_config c)
  {
    c = base::sm_90(c);
    if (InMemory && ItemBytes <= 2)
    {
      // u8 and lengths of i32: 601, 231, 131 us. Packed as i32 in memory that holds half of a warp's lengths, and otherwise
      // stored by rows, they took 930, 239, 136; with 320 × 80 × 5 1099, 259, 143, with 256 × 80 × 6 1265, 291, 154.
      c.compute_threads = 384;
      c.stages = AllRuns ? 5 : 4;
      c.lookahead_tiles = 2;
    }
    else if (InMemory)
    {
      // u32: 1102, 532, 382 us; u64: 1800, 965, 747. 320 × 28 × 5: 1106, 552, 402; 1824, 996, 771. Without separate threads
      // that reduce u32 took 1117, 596, 512.
      // Non-trivial runs of u64 on an H200, 2^22 items: 17.3, 20.0, 18.1 us, 288 × 14 × 6: 17.6, 20.0, 17.9; 2^28: 663, 732,
      // 686, and 684, 738, 704.
      const bool few_stages = !AllRuns && ItemBytes == 8;
      c.compute_threads = few_stages ? 320 : 288;
      c.stages = few_stages ? 5 : 6;
      c.lookahead_tiles = few_stages ? 2 : 3;
    }
    return c;
  }
  REHEAT_HOST_DEVICE static constexpr scan_config sm_100(scan_config c) { return sm_90(c); }
};

//! arch → config, for items of ItemBytes bytes.
template <std::size_t ItemBytes, bool InMemory, std::size_t NumberBytes, bool AllRuns = true>
struct run_length_tuning
{
  REHEAT_HOST_DEVICE constexpr scan_config operator()(int arch) const
  {
    scan_config row = row_for_arch<run_length_rows<ItemBytes, InMemory, NumberBytes, AllRuns>>(
        arch, scan_config_of(device_traits_of(arch)));
    const std::size_t room = room_bytes(row);
    row.shared_bytes -= room;
    scan_config c = scan_config_fitting(row, bytes(row));
    c.shared_bytes += room;
    return c;
  }
  static constexpr few_tiles_blocks few_tiles = run_few_tiles(ItemBytes, 0, InMemory, AllRuns);
  REHEAT_HOST_DEVICE static constexpr std::size_t shared_bound(const scan_config& c)
  {
    return scan_shared_bound(c, bytes(c)) + room_bytes(c);
  }

private:
  //! Counts and tails need no memory in which the lanes of a warp fold them, so theirs is told by the thread.
  REHEAT_HOST_DEVICE static constexpr stage_bytes bytes(const scan_config& c)
  {
    const std::size_t warps = c.compute_threads / simt::warp_lanes;
    return {ItemBytes, 0, (2 + words_of_bits(c.items_per_thread)) * sizeof(std::uint32_t),
            2 * sizeof(std::uint64_t) + warps * sizeof(std::uint32_t) + 64};
  }
  //! What warps have for themselves, once: few items that they pack, and lengths.
  REHEAT_HOST_DEVICE static constexpr std::size_t room_bytes(const scan_config& c)
  {
    const std::size_t few = ItemBytes > 2 ? 0 : simt::warp_lanes * few_items(c.items_per_thread) * ItemBytes + sizeof(vec16);
    const std::size_t lengths = AllRuns && packs_runs_early(ItemBytes, c) ? c.tile_items() * sizeof(std::uint16_t) : 0;
    return c.compute_threads / simt::warp_lanes * (few + packed_number_bytes(AllRuns, NumberBytes, c.items_per_thread)) +
           lengths + 256;
  }
};

} // namespace detail
REHEAT_NAMESPACE_END

// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The numbers of scans by key and of reduce_by_key: one row for each architecture and class of keys and values, with one
//! line of evidence.
//!
//! The measurements behind the numbers, and rejected numbers, are in docs/tuning-log.md, section "Kernel tuning". Shapes
//! are written as threads × items of a thread × stages. H200 is an NVIDIA H200; times are of 2^27 keys and values, if no
//! other number is given.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/device_traits.cuh>
#include <reheat/detail/scan/tuning.cuh>

#include <cstddef>
#include <cstdint>
#include <initializer_list>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

//! The rows of scan_config for keys of KeyBytes and values of ValueBytes. Each gets the fields that device_traits sets.
//! `HasKeyStages`: keys are needed only until a tile is reduced, in scans.
template <std::size_t KeyBytes, std::size_t ValueBytes, bool HasKeyStages>
struct segment_rows
{
  REHEAT_HOST_DEVICE static constexpr scan_config emulated(scan_config c)
  {
    constexpr bool vectors = KeyBytes == 8 && ValueBytes != 8; // some, so that tests meet both ways
    c.copies = vectors ? tile_copies::in_vec16 : tile_copies::in_bulk;
    c.compute_threads = 64;
    c.items_per_thread = items_in(48);
    c.stages = 4;
    c.lookahead_tiles = 2;
    c.slots_per_lane = 1;
    c.groups_per_supergroup = 3;
    c.load_threads = 64;
    c.store_threads = 32;
    c.key_stages = key_stages(2);
    c.specialize_reduce_warps = specialize_reduce_warps;
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
    c.store_threads = 64;
    c.key_stages = key_stages(2);
    return c;
  }
  //! Two blocks per multiprocessor. A look-back warp of one has the other's tiles to read, so tiles are large.
  REHEAT_HOST_DEVICE static constexpr scan_config sm_80(scan_config c)
  {
    c = in_99_kb(c);
    c.load_threads = 64;
    return c;
  }
  //! One block per multiprocessor.
  REHEAT_HOST_DEVICE static constexpr scan_config sm_90(scan_config c)
  {
    c.key_stages = key_stages(3);
    c.specialize_reduce_warps = specialize_reduce_warps;
    c.evict_first_from_bytes = std::uint64_t{1} << 26; // as scan_rows
    return HasKeyStages ? sm_90_scan(c) : specialize_reduce_warps ? sm_90_specialized_reduction(c) : sm_90_reduction(c);
  }
  //! Not measured: as sm_90.
  REHEAT_HOST_DEVICE static constexpr scan_config sm_100(scan_config c) { return sm_90(c); }
  //! sm_90's machine code in 99 KB on an H200, i32, segments of 1, 32, 100 000: 581, 336, 308 us; 192 × 12 × 6: 635, 428,
  //! 375.
  REHEAT_HOST_DEVICE static constexpr scan_config sm_120(scan_config c)
  {
    c = in_99_kb(c);
    c.load_threads = 256;
    return c;
  }

private:
  //! Larger values need the registers that half as many threads have.
  static constexpr bool specialize_reduce_warps = !HasKeyStages && KeyBytes <= 8 && ValueBytes <= 8;

  //! Whether a thread's share of sm_90's tiles, which is 32 items at most, is small.
  REHEAT_HOST_DEVICE static constexpr bool is_thin() { return items_in(160) * (KeyBytes + ValueBytes) <= 80; }

  REHEAT_HOST_DEVICE static constexpr scan_config sm_90_scan(scan_config c)
  {
    if (KeyBytes <= 8 && ValueBytes == 8)
    {
      // H200: 679 us with i32 keys, 801 with i64. With 12 and 10 items a thread 712, 820.
      c.compute_threads = 256;
      c.items_per_thread = 14;
      c.stages = 5;
      c.lookahead_tiles = 2;
    }
    else
    {
      // H200, 2^28 of i32: 777 us. 448 × 12 × 6, 3 ahead, took 785; with 2 ahead 855 to 875.
      c.compute_threads = is_thin() ? 416 : 256;
      c.items_per_thread = items_in(160);
      c.stages = 7;
      c.lookahead_tiles = 4;
    }
    c.load_threads = 96;
    c.store_threads = 64;
    return c;
  }

  //! As many threads again reduce. Blocks of 17 to 20 warps have 96 registers a thread, of 21 to 24 warps 80: hence 64 load
  //! threads. Times are of an H200, in segments of 1, 32 and 100 000.
  REHEAT_HOST_DEVICE static constexpr scan_config sm_90_specialized_reduction(scan_config c)
  {
    c.lookahead_tiles = 2;
    if (ValueBytes == 8)
    {
      // i32 keys: 797, 451, 413 us. In the comparison 820, 480, 436; 288 × 14 × 4: 875, 489, 442.
      c.compute_threads = 224;
      c.items_per_thread = KeyBytes == 8 ? 14 : 18;
      c.stages = 4;
      c.load_threads = 64;
    }
    else if (KeyBytes == 4 && ValueBytes == 4)
    {
      // i32: 566, 287, 261 us. In the comparison 562, 297, 263; 256 × 20 × 5: 545, 304, 270.
      c.compute_threads = 192;
      c.items_per_thread = 28;
      c.stages = 5;
      c.load_threads = 64;
    }
    else if (KeyBytes + ValueBytes > 8)
    {
      // Not measured: as 288 × 14 × 4 of 8-byte values.
      c.compute_threads = 288;
      c.items_per_thread = items_in(160);
      c.stages = 4;
      c.load_threads = 96;
    }
    else
    {
      // i8: 365, 217, 171 us. 256 × 32 × 7 took 410, 212, 175.
      c = sm_90_reduction(c);
    }
    return c;
  }

  //! Not measured, but for bytes, which share it.
  REHEAT_HOST_DEVICE static constexpr scan_config sm_90_reduction(scan_config c)
  {
    c.compute_threads = is_thin() ? 320 : 256;
    c.items_per_thread = items_in(160);
    c.stages = is_thin() ? 7 : 5;
    c.lookahead_tiles = 2;
    c.load_threads = 96;
    return c;
  }

  //! Times are of sm_80's code on an H200, whose multiprocessors hold two such blocks: inclusive scan in segments of 32;
  //! reduction in segments of 1, 32, 100 000.
  REHEAT_HOST_DEVICE static constexpr scan_config in_99_kb(scan_config c)
  {
    if (KeyBytes + ValueBytes < 8)
    {
      // i8: 311 us; 398, 252, 220. With 128 load threads 313; 440, 273, 205.
      c.compute_threads = 192;
      c.items_per_thread = items_in(96);
      c.stages = 6;
      c.lookahead_tiles = 3;
    }
    else if (KeyBytes + ValueBytes == 8)
    {
      // i32: 442 us; 601, 357, 333. 192 × 12 × 6 took 491; 679, 473, 452.
      c.compute_threads = 128;
      c.items_per_thread = items_in(160);
      c.stages = HasKeyStages ? 6 : 4;
      c.lookahead_tiles = HasKeyStages ? 3 : 2;
    }
    else
    {
      // i64: 979 us; 1228, 801, 756. 128 × 10 × 4 took 1657, 1226, 1028.
      c.compute_threads = 64;
      c.items_per_thread = items_in(352);
      c.stages = HasKeyStages ? 6 : 4;
      c.lookahead_tiles = HasKeyStages ? 3 : 2;
    }
    c.store_threads = 64;
    c.key_stages = key_stages(2);
    return c;
  }

  REHEAT_HOST_DEVICE static constexpr unsigned key_stages(unsigned stages) { return HasKeyStages ? stages : 0; }

  //! Items per thread: at most `bytes` bytes of keys and values, between 1 and 32. As many as fill 16-byte
  //! vectors of both, or of the larger alone, where that leaves at most two threads at a bank.
  REHEAT_HOST_DEVICE static constexpr unsigned items_in(std::size_t bytes)
  {
    constexpr std::size_t smaller = KeyBytes < ValueBytes ? KeyBytes : ValueBytes;
    constexpr std::size_t larger = KeyBytes < ValueBytes ? ValueBytes : KeyBytes;
    const std::size_t fit = bytes / (KeyBytes + ValueBytes), most = fit > 32 ? 32 : fit == 0 ? 1 : fit;
    for (const std::size_t filled : {smaller, larger})
    {
      for (std::size_t items = most; items > 0; --items)
      {
        if (16 % filled == 0 && items * filled % 16 == 0 && items * larger / 16 % 4 != 0)
        {
          return static_cast<unsigned>(items);
        }
      }
    }
    return static_cast<unsigned>(most);
  }
};

//! The blocks of few tiles. Times are of an H200, in two phases. i32 in segments of 4: 2^20 items take 8.74 us to reduce in
//! two blocks of 512 threads on a multiprocessor, in large tiles 8.34; 1.25 · 2^20 take 9.20 in large tiles,
//! streaming 11.66. See docs/tuning-log.md, "large tiles" and "items of 8 bytes".
REHEAT_HOST_DEVICE constexpr few_tiles_blocks segment_few_tiles(std::size_t key_bytes, std::size_t value_bytes, bool scans)
{
  if (key_bytes == 4 && value_bytes == 8)
  {
    // 2^19.5 in segments of 32 take 8.35 us to reduce, streaming in two uneven waves 10.05, and 2^18.5 in segments of
    // 4 7.02, streaming 8.65. But 2^19 in segments of one take 9.36, streaming in one full wave 9.01, and 2^20 in segments
    // of 32 10.28, streaming in two 9.61.
    return {64, 512, 512, 1, 12, false, 110 * 4032, scans ? 0u : 132 * 4032u};
  }
  if (key_bytes == 8 && value_bytes == 8)
  {
    // 2^20 in segments of 4 take 12.06 us to reduce, streaming in three uneven waves 13.83; 2^19.5 in segments of one 12.84,
    // streaming in two waves 12.22.
    return {64, 512, 512, 2, 10, false, 0, scans ? 0u : 2 * 132 * 3136u};
  }
  if (key_bytes == 8 && value_bytes == 4)
  {
    // 2^20 in segments of 4: 10.39 us, streaming 12.00.
    return {64, 512, 512, 2, 12};
  }
  if (key_bytes + value_bytes > 8)
  {
    return {64, scans ? 1024u : 512u, 512, 1};
  }
  const auto few_bytes = static_cast<unsigned>(16 * (key_bytes + value_bytes));
  return {few_bytes < 64 ? few_bytes : 64, 512, 512, 2, key_bytes == 4 && value_bytes == 4 ? 12u : 0u};
}

//! arch → config, for keys and values of so many bytes, and aggregates of AccumBytes.
template <std::size_t AccumBytes, std::size_t KeyBytes, std::size_t ValueBytes, bool HasKeyStages>
struct segment_tuning
{
  REHEAT_HOST_DEVICE constexpr scan_config operator()(int arch) const
  {
    using rows = segment_rows<KeyBytes, ValueBytes, HasKeyStages>;
    return scan_config_fitting(row_for_arch<rows>(arch, scan_config_of(device_traits_of(arch))), bytes(), key_bytes());
  }
  static constexpr few_tiles_blocks few_tiles = segment_few_tiles(KeyBytes, ValueBytes, HasKeyStages);
  REHEAT_HOST_DEVICE static constexpr std::size_t shared_bound(const scan_config& c)
  {
    return scan_shared_bound(c, bytes(), key_bytes());
  }

private:
  static constexpr std::size_t more_bytes =
      (KeyBytes < 16 ? 16 : KeyBytes) + 32; //!< of keys behind the tile, and rounded up

  REHEAT_HOST_DEVICE static constexpr stage_bytes bytes()
  {
    return {(HasKeyStages ? 0 : KeyBytes) + ValueBytes, AccumBytes, sizeof(std::uint32_t), more_bytes};
  }
  REHEAT_HOST_DEVICE static constexpr key_stage_bytes key_bytes() { return {KeyBytes, more_bytes}; }
};

} // namespace detail
REHEAT_NAMESPACE_END

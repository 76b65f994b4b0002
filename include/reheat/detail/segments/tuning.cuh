// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The numbers of scans by key and of reduce_by_key, and where they come from.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/scan/tuning.cuh>

#include <cstddef>
#include <cstdint>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

//! arch → config, for keys and values of so many bytes. `HasKeyStages`: keys are needed only until a tile is reduced, in
//! scans.
//!
//! us for 2^28 i32 keys and values on an NVIDIA H200, in kernels that also counted cycles (without: scan 760): inclusive
//! scan 777, 4.1 TB/s as plain scans, reduce_by_key in segments of 1, 32 and a million 1205, 704, 581. What brought it there
//! from 894, 1216, 873, 707 (416 × 12 items × 5 stages, 2 tiles ahead, keys and values): a ring of 3 stages for keys, which
//! leaves room for 6 of 448 × 12, 3 ahead, 802; lanes that ask all at once where boundaries are, when the look-back warp
//! folds tiles, 785; 20 items per thread and 7 stages, 4 ahead, 777; warps without an end of a segment store nothing, a
//! million 606. With 2 tiles ahead scans take 855–875, with as many ahead that no tile is on its way 1190–1260. Values of 8
//! bytes, 2^27 of them: 256 × 14 × 5, 2 ahead, 679 with i32 keys, 801 with i64, of which 224 threads and 2 stages of keys
//! fit (12 and 10 items a thread, in as many stages as fit: 712, 820).
//!
//! reduce_by_key stores little, so that tiles follow each other faster, and what a tile costs whatever its size counts:
//! barriers and shuffles of the compute warps, which took turns at reducing and scanning, and the look-back warp, which has
//! one tile at a time, for 2600 to 2900 cycles when that was counted: a trip to the slots, 1000 to 1700, 900 of folding, and
//! what it takes to begin. Tiles have then been published for 5000 cycles and more. So tiles as large as four or five stages
//! allow are best, and few threads, so that its instructions are issued sooner. us for 2^27 keys and values in segments of
//! 1, 32 and 100 000, in turns → with warps for each, which also hand a stage back at once → and integers added by the
//! machine's own sums of lanes when the look-back warp folds → fewer threads with more items each → no branches in the
//! look-back warp, between slots (see wait_for_slots) and for the sake of lane 0 → tickets drawn late (see scan_tuning):
//!
//! * i32: 612, 362, 298 → 549, 333, 300 → 553, 320, 286 (256 × 20 × 5) → 545, 304, 270 (slots in one trip) → 562, 297, 263
//!   (192 × 28 × 5) → 563, 300, 260 → 566, 287, 261. 224 × 28 × 4: 573, 328, 276; 288 and 320 × 20 × 4: 590, 330, 280; 192 ×
//!   20 × 6: 584, 338, 303; 224 × 20 × 5: 553, 314, 279; 384 and 416 × 12 × 5: 552–575, 330, 290. Before tickets were drawn
//!   late: 256 × 20 × 5 547, 300, 265 (f32 values 548, 346, 317, and 554, 331, 301 in 192 × 28); 224 and 192 × 24 × 5 and 6
//!   560, 314, 264 and 596, 328, 271; 192 × 20 × 7 585, 318, 283; 128 × 28 × 7 743, 319, 288; without any look-back, with
//!   wrong results 540, 271, 250.
//! * i32 keys, i64 values: 948, 687, 549 → 846, 616, 578 → 875, 489, 442 (288 × 14 × 4; 224 × 14 × 5: 820, 547, 505) → 820,
//!   480, 436 (224 × 18 × 4) → 810, 461, 420 → 797, 451, 413. 192 × 20 × 4 and 160 × 28 × 4, where registers hold two rows
//!   of slots: 900, 535, 420. Before tickets were drawn late: 256 × 14 × 5 809, 494, 453; 192 × 22 × 4 835, 499, 395;
//!   without any look-back 730, 395, 365.
//! * i64: 1140, 818, 729 → 1130, 817, 778 → 1085, 656, 607 (288 × 10 × 4; 224 × 10 × 5: 1095, 743, 698) → 1074, 620, 573
//!   (224 × 14 × 4) → 1065, 601, 551 → 1047, 589, 542. 192 × 14 × 4 and 160 × 18 × 4, two rows: 1210–1220, 675, 550. Without
//!   any look-back 950, 522, 481.
//! * i8: 408, 244, 181 → 374, 206, 177 → 366, 210, 170 (320 × 32 × 7; 256 × 32 × 7 and × 9: 410, 212, 175) →
//!   365, 217, 171: bytes lost most.
//!
//! A multiprocessor has its registers in four parts, so that 17 to 20 warps have 96 each, 21 to 24 have 80: hence 64 load
//! threads instead of 96. What that costs inputs that need them has not been measured.
//!
//! What did not pay: asking for the first wave of tiles (2^24 items 67.8 us, 2^28 889 instead of 883); two groups of 256
//! compute threads that take turns at the tiles, each with a look-back warp of its own (958, 879); two blocks a
//! multiprocessor (i64 at 900 and more). Of i32, 256 × 20 × 5, in segments of 32 and 100 000, where without it 304 and 270:
//! two look-back warps that take turns at the tiles, 326, 284 (each has two groups to fold for a tile, which waits longer;
//! in one trip for all three rows, without branches, 345, 300, and one warp for two tiles a trip 312, 272, where without it
//! 300 and 261); a look-back warp that reads the slots of the next tile while it folds, 316, 285 (i64 987 in segments of 32,
//! plain scans 2 % slower: what it then does between two tiles takes longer than the trip did), or that keeps what it has
//! read of a group, 305, 271; groups of 64 tiles, 330, 308, of 256, 345, 327. Where it was 320 and 286: a pause of 50
//! or 200 ns between looks at slots, 321, 286: nearly all are there at the first look. Values written back only where
//! segments end: bytes in segments of 32 201, others level. For sm_80 warps of their own are slower (i32 in segments of 32,
//! 192 × 12 × 6: 633, in turns 483).
//!
//! For sm_80 what counts is how many warps look at a tile and how many items each of them has: with two blocks a
//! multiprocessor there are two groups of tiles between two tiles of a block, which its look-back warp reads one after the
//! other, so that more tiles cost more than elsewhere. As sm_80 on an NVIDIA H200, 192 threads with items of 96 bytes in 6
//! stages, 128 load threads, 3 tiles ahead → for_sm_80; us for 2^27, inclusive scan by key in segments of 32, and
//! reduce_by_key in segments of 1, 32 and 100 000:
//!
//! * i32: 491; 679, 473, 452 → 442; 601, 357, 333. 96 × 28 and 128 × 28 scan as fast; 96 × 28 × 4 reduces in 696, 375, 308;
//!   with one tile ahead 778, 539, 495.
//! * i32 keys, i64 values: 2021; 2170, 1960, 1692 → 796; 1094, 626, 562. 160 × 12 × 4: 1482, 1070, 947; 96 × 20 × 4: 1274,
//!   847, 794; 64 × 28 × 4 with 128 and 32 load threads 1168, 675, 617 and 1180, 688, 603.
//! * i64: 1435; 1932, 1582, 1380 → 979; 1228, 801, 756. 128 × 10 × 4: 1657, 1226, 1028; 64 × 30 × 3: 1417, 1173, 1098.
//! * i8, 64 load threads instead of 128: 313; 440, 273, 205 → 311; 398, 252, 220 (the last a loss, for gains in the others).
//!   128 × 32 × 6: 408, 284, 257.
//! * i32 keys, complex of two f64, 2^26: 2431; 2680, 2617, 2606 → 2289; 1056, 952, 907.
//!
//! With bulk copies, in these shapes, for what has no more shared memory than sm_80 (sm_120), run as sm_90: i32 635, 428,
//! 375 → 581, 336, 308; i32 keys, i64 values 1315, 1215, 1158 → 1098, 593, 527; i64 1233, 1009, 980 → 1172, 728, 682.
template <std::size_t AccumBytes, std::size_t KeyBytes, std::size_t ValueBytes, bool HasKeyStages>
struct segment_tuning
{
  REHEAT_HOST_DEVICE constexpr scan_config operator()(int arch) const
  {
    if (arch == 0)
    {
      constexpr bool vectors = KeyBytes == 8 && ValueBytes != 8; // some, so that tests meet both ways
      const tile_copies copies = vectors ? tile_copies::in_vec16 : tile_copies::in_bulk;
      scan_config config{64, items_in(48), 4, 2, 1, 3, copies, 64, 32};
      config.specialize_reduce_warps = specialize_reduce_warps;
      return fitting(config, 2, 227 * 1024);
    }
    if (arch >= 900 && arch < 1200)
    {
      scan_config config = for_sm_90();
      config.evict_first_from_bytes = std::uint64_t{1} << 26;
      config.specialize_reduce_warps = specialize_reduce_warps;
      config.clears_vec16 = arch >= 1000;
      return fitting(config, 3, 227 * 1024);
    }
    if (arch >= 800)
    {
      scan_config config = for_sm_80(arch >= 900);
      config.clears_vec16 = arch >= 1000;
      return fitting(config, 2, 99 * 1024);
    }
    return fitting({256, items_in(48), 4, 2, 4, 128, tile_copies::by_threads, 256, 64}, 2, 64 * 1024);
  }
  REHEAT_HOST_DEVICE static constexpr std::size_t shared_bound(const scan_config& c)
  {
    return scan_shared_bound(c, bytes(), key_bytes());
  }

private:
  //! Larger values need the registers that half as many threads have.
  static constexpr bool specialize_reduce_warps = !HasKeyStages && KeyBytes <= 8 && ValueBytes <= 8;
  static constexpr bool long_values = KeyBytes <= 8 && ValueBytes == 8;

  REHEAT_HOST_DEVICE static constexpr scan_config for_sm_90()
  {
    constexpr tile_copies copies = tile_copies::in_bulk;
    constexpr unsigned items = items_in(160);
    constexpr bool thin = items * (KeyBytes + ValueBytes) <= 80;
    if (HasKeyStages)
    {
      return long_values ? scan_config{256, 14, 5, 2, 4, 128, copies, 96, 64}
                         : scan_config{thin ? 416 : 256, items, 7, 4, 4, 128, copies, 96, 64};
    }
    if (specialize_reduce_warps && ValueBytes == 8)
    {
      return {224, KeyBytes == 8 ? 14 : 18, 4, 2, 4, 128, copies, 64, 0};
    }
    if (specialize_reduce_warps && KeyBytes == 4 && ValueBytes == 4)
    {
      return {192, 28, 5, 2, 4, 128, copies, 64, 0};
    }
    if (specialize_reduce_warps && KeyBytes + ValueBytes > 8)
    {
      return {288, items, 4, 2, 4, 128, copies, 96, 0};
    }
    return {thin ? 320u : 256u, items, thin ? 7u : 5u, 2, 4, 128, copies, 96, 0};
  }

  //! And for those with bulk copies, but no more shared memory.
  REHEAT_HOST_DEVICE static constexpr scan_config for_sm_80(bool bulk)
  {
    const tile_copies copies = bulk ? tile_copies::in_bulk : tile_copies::in_vec16;
    const unsigned load_threads = bulk ? 256 : 64;
    if (KeyBytes + ValueBytes < 8)
    {
      return {192, items_in(96), 6, 3, 4, 128, copies, load_threads, 64};
    }
    const bool thin = KeyBytes + ValueBytes == 8;
    return {thin ? 128u : 64u,
            items_in(thin ? 160 : 352),
            HasKeyStages ? 6u : 4u,
            HasKeyStages ? 3u : 2u,
            4,
            128,
            copies,
            load_threads,
            64};
  }

  static constexpr std::size_t more_bytes =
      (KeyBytes < 16 ? 16 : KeyBytes) + 32; //!< of keys behind the tile, and rounded up

  REHEAT_HOST_DEVICE static constexpr stage_bytes bytes()
  {
    return {(HasKeyStages ? 0 : KeyBytes) + ValueBytes, AccumBytes, sizeof(std::uint32_t), more_bytes};
  }
  REHEAT_HOST_DEVICE static constexpr key_stage_bytes key_bytes() { return {KeyBytes, more_bytes}; }
  //! Of a thread, whose share is `bytes` at most; one at least, and no more than a word has bits. As many as fill 16-byte
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
  REHEAT_HOST_DEVICE static constexpr scan_config fitting(scan_config c, unsigned key_stages, std::size_t shared_bytes)
  {
    c.key_stages = HasKeyStages ? key_stages : 0;
    return scan_config_fitting(c, shared_bytes, bytes(), key_bytes());
  }
};

} // namespace detail
REHEAT_NAMESPACE_END

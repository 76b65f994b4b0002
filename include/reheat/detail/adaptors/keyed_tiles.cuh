// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Tiles of scans by key and of reduce_by_key: keys and values as they are in memory, in arrays of their own.
//!
//! A thread compares its keys once, when it reduces its items, and leaves a bit per item that has a boundary behind it;
//! values and bits are all it needs when it scans, or another thread does in its place. The key behind a tile's last item
//! stands behind the tile's keys. (Tiles of (value, boundaries), made by loaders, waited for memory once per tile: 1531 us
//! for 2^28 i32 keys and values on an NVIDIA H200, inclusive scan; now 760.)
#pragma once

#include <reheat/detail/adaptors/indexed.cuh>
#include <reheat/detail/adaptors/segment_lanes.cuh>
#include <reheat/detail/adaptors/segments.cuh>
#include <reheat/detail/block/tile.cuh>
#include <reheat/detail/block/value.cuh>
#include <reheat/detail/config.cuh>
#include <reheat/detail/iterators.cuh>
#include <reheat/detail/scan/tiles.cuh>
#include <reheat/detail/simt/simt.cuh>

#include <cstdint>
#include <type_traits>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

//! A group of tiles has some 2^20 items, a scan with a tile per block no more; the input may have 2^31.
template <class T>
struct prefix_type<segmented<T, boundary_count>>
{
  using type = segmented<T, long_boundary_count>;
};

//! Keys that are loaded with every tile, though they belong to the next: one is needed, a bulk load moves 16 bytes.
template <class Key>
inline constexpr unsigned further_keys_v = sizeof(Key) >= 16 ? 1 : static_cast<unsigned>(16 / sizeof(Key));

//! arch → config, for keys and values of so many bytes. `BriefKeys`: keys are needed only until a tile is reduced, in scans.
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
//! look-back warp, between slots (see wait_for_slots) and for the sake of lane 0:
//!
//! * i32: 612, 362, 298 → 549, 333, 300 → 553, 320, 286 (256 × 20 × 5) → 545, 304, 270 (slots in one trip) → 562, 297, 263
//!   (192 × 28 × 5) → 563, 300, 260. 224 × 28 × 4: 573, 328, 276; 288 and 320 × 20 × 4: 590, 330, 280; 192 × 20 × 6: 584,
//!   338, 303; 224 × 20 × 5: 553, 314, 279; 384 and 416 × 12 × 5: 552–575, 330, 290. After the last step: 256 × 20 × 5 547,
//!   300, 265 (f32 values 548, 346, 317, and 554, 331, 301 in 192 × 28); 224 and 192 × 24 × 5 and 6 560, 314, 264 and 596,
//!   328, 271; 192 × 20 × 7 585, 318, 283; 128 × 28 × 7 743, 319, 288; without any look-back, with wrong results 540, 271,
//!   250.
//! * i32 keys, i64 values: 948, 687, 549 → 846, 616, 578 → 875, 489, 442 (288 × 14 × 4; 224 × 14 × 5: 820, 547, 505) → 820,
//!   480, 436 (224 × 18 × 4) → 810, 461, 420. 192 × 20 × 4 and 160 × 28 × 4, where registers hold two rows of slots: 900,
//!   535, 420. After the last step: 256 × 14 × 5 809, 494, 453; 192 × 22 × 4 835, 499, 395; without any look-back 730, 395,
//!   365.
//! * i64: 1140, 818, 729 → 1130, 817, 778 → 1085, 656, 607 (288 × 10 × 4; 224 × 10 × 5: 1095, 743, 698) → 1074, 620, 573
//!   (224 × 14 × 4) → 1065, 601, 551. 192 × 14 × 4 and 160 × 18 × 4, two rows: 1210–1220, 675, 550. Without any look-back
//!   950, 522, 481.
//! * i8: 408, 244, 181 → 374, 206, 177 → 366, 210, 170 (320 × 32 × 7; 256 × 32 × 7 and × 9: 410, 212, 175).
//!
//! A multiprocessor has its registers in four parts, so that 17 to 20 warps have 96 each, 21 to 24 have 80: hence 64 loaders
//! instead of 96. What that costs inputs that need them has not been measured.
//!
//! What did not pay: asking for the first wave of tiles (2^24 items 67.8 us, 2^28 889 instead of 883); two groups of 256
//! compute threads that take turns at the tiles, each with a look-back warp of its own (958, 879); two blocks a
//! multiprocessor (i64 at 900 and more). Of i32, 256 × 20 × 5, in segments of 32 and 100 000, where without it 304 and 270:
//! two look-back warps that take turns at the tiles, 326, 284 (each has two groups to fold for a tile, which waits longer;
//! in one trip for all three rows, without branches, 345, 300);
//! a look-back warp that reads the slots of the next tile while it folds, 316, 285 (i64 987 in segments of 32, plain scans 2
//! % slower: what it then does between two tiles takes longer than the trip did), or that keeps what it has read of a group,
//! 305, 271; groups of 64 tiles, 330, 308, of 256, 345, 327. Where it was 320 and 286: tickets drawn when the stage's last
//! tile has its prefix, 322, 287, or is reduced, 320, 285; a pause of 50 or 200 ns between looks at slots, 321, 286: nearly
//! all are there at the first look. Values written back only where segments end: bytes in segments of 32 201, others level.
//! For sm_80 warps of their own are slower (i32 in segments of 32, 192 × 12 × 6: 633, in turns 483).
//!
//! For sm_80 what counts is how many warps look at a tile and how many items each of them has: with two blocks a
//! multiprocessor there are two groups of tiles between two tiles of a block, which its look-back warp reads one after the
//! other, so that more tiles cost more than elsewhere. As sm_80 on an NVIDIA H200, 192 threads with items of 96 bytes in 6
//! stages, 128 loaders, 3 tiles ahead → for_sm_80; us for 2^27, inclusive scan by key in segments of 32, and reduce_by_key
//! in segments of 1, 32 and 100 000:
//!
//! * i32: 491; 679, 473, 452 → 442; 601, 357, 333. 96 × 28 and 128 × 28 scan as fast; 96 × 28 × 4 reduces in 696, 375, 308;
//!   with one tile ahead 778, 539, 495.
//! * i32 keys, i64 values: 2021; 2170, 1960, 1692 → 796; 1094, 626, 562. 160 × 12 × 4: 1482, 1070, 947; 96 × 20 × 4: 1274,
//!   847, 794; 64 × 28 × 4 with 128 and 32 loaders 1168, 675, 617 and 1180, 688, 603.
//! * i64: 1435; 1932, 1582, 1380 → 979; 1228, 801, 756. 128 × 10 × 4: 1657, 1226, 1028; 64 × 30 × 3: 1417, 1173, 1098.
//! * i8, 64 loaders instead of 128: 313; 440, 273, 205 → 311; 398, 252, 220 (the last a loss, for gains in the others). 128
//! × 32 × 6: 408, 284, 257.
//! * i32 keys, complex of two f64, 2^26: 2431; 2680, 2617, 2606 → 2289; 1056, 952, 907.
//!
//! With bulk copies, in these shapes, for what has no more shared memory than sm_80 (sm_120), run as sm_90: i32 635, 428,
//! 375 → 581, 336, 308; i32 keys, i64 values 1315, 1215, 1158 → 1098, 593, 527; i64 1233, 1009, 980 → 1172, 728, 682.
template <std::size_t AccumBytes, std::size_t KeyBytes, std::size_t ValueBytes, bool BriefKeys>
struct segment_tuning
{
  REHEAT_HOST_DEVICE constexpr scan_config operator()(int arch) const
  {
    if (arch == 0)
    {
      constexpr bool pieces = KeyBytes == 8 && ValueBytes != 8; // some, so that tests meet both ways
      const tile_copies copies = pieces ? tile_copies::in_pieces : tile_copies::in_bulk;
      scan_config config{64, items_in(48), 4, 2, 1, 3, copies, 64, 32};
      config.apart = goes_apart;
      return fitting(config, 2, 227 * 1024);
    }
    if (arch >= 900 && arch < 1200)
    {
      scan_config config = for_sm_90();
      config.evict_from = std::uint64_t{1} << 26;
      config.apart = goes_apart;
      return fitting(config, 3, 227 * 1024);
    }
    if (arch >= 800)
    {
      return fitting(for_sm_80(arch >= 900), 2, 99 * 1024);
    }
    return fitting({256, items_in(48), 4, 2, 4, 128, tile_copies::by_threads, 256, 64}, 2, 64 * 1024);
  }
  REHEAT_HOST_DEVICE static constexpr std::size_t shared_bound(const scan_config& c)
  {
    return scan_shared_bound(c, bytes(), brief());
  }

private:
  //! Larger values need the registers that half as many threads have.
  static constexpr bool goes_apart = !BriefKeys && KeyBytes <= 8 && ValueBytes <= 8;
  static constexpr bool long_values = KeyBytes <= 8 && ValueBytes == 8;

  REHEAT_HOST_DEVICE static constexpr scan_config for_sm_90()
  {
    constexpr tile_copies copies = tile_copies::in_bulk;
    constexpr unsigned items = items_in(160);
    constexpr bool thin = items * (KeyBytes + ValueBytes) <= 80;
    if (BriefKeys)
    {
      return long_values ? scan_config{256, 14, 5, 2, 4, 128, copies, 96, 64}
                         : scan_config{thin ? 416 : 256, items, 7, 4, 4, 128, copies, 96, 64};
    }
    if (goes_apart && ValueBytes == 8)
    {
      return {224, KeyBytes == 8 ? 14 : 18, 4, 2, 4, 128, copies, 64, 0};
    }
    if (goes_apart && KeyBytes == 4 && ValueBytes == 4)
    {
      return {192, 28, 5, 2, 4, 128, copies, 64, 0};
    }
    if (goes_apart && KeyBytes + ValueBytes > 8)
    {
      return {288, items, 4, 2, 4, 128, copies, 96, 0};
    }
    return {thin ? 320u : 256u, items, thin ? 7u : 5u, 2, 4, 128, copies, 96, 0};
  }

  //! And for those with bulk copies, but no more shared memory.
  REHEAT_HOST_DEVICE static constexpr scan_config for_sm_80(bool bulk)
  {
    const tile_copies copies = bulk ? tile_copies::in_bulk : tile_copies::in_pieces;
    const unsigned loaders = bulk ? 256 : 64;
    if (KeyBytes + ValueBytes < 8)
    {
      return {192, items_in(96), 6, 3, 4, 128, copies, loaders, 64};
    }
    const bool thin = KeyBytes + ValueBytes == 8;
    return {thin ? 128u : 64u,
            items_in(thin ? 160 : 352),
            BriefKeys ? 6u : 4u,
            BriefKeys ? 3u : 2u,
            4,
            128,
            copies,
            loaders,
            64};
  }

  static constexpr std::size_t more_bytes =
      (KeyBytes < 16 ? 16 : KeyBytes) + 32; //!< of keys behind the tile, and rounded up

  REHEAT_HOST_DEVICE static constexpr stage_bytes bytes()
  {
    return {(BriefKeys ? 0 : KeyBytes) + ValueBytes, AccumBytes, sizeof(std::uint32_t), more_bytes};
  }
  REHEAT_HOST_DEVICE static constexpr brief_bytes brief() { return {KeyBytes, more_bytes}; }
  //! Of a thread, whose share is `bytes` at most; one at least, and no more than a word has bits. As many as fill 16-byte
  //! pieces of both, or of the larger alone, where that leaves at most two threads at a bank.
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
  REHEAT_HOST_DEVICE static constexpr scan_config fitting(scan_config c, unsigned brief_stages, std::size_t shared_bytes)
  {
    c.brief_stages = BriefKeys ? brief_stages : 0;
    return scan_config_fitting(c, shared_bytes, bytes(), brief());
  }
};

//! How keyed tiles come and are reduced. `Source` is segmented_source or restarting_source.
template <class Tuning, class Source, class Accum>
class keyed_tiles
{
protected:
  static constexpr scan_config cfg = Tuning{}(simt::arch);
  using input = indexed_input<Source>;
  using key_iterator = decltype(Source::range.keys);
  using key = value_of<key_iterator>;
  using value_iterator = decltype(Source::values);
  using value = decltype(Accum::value);
  using in_thread = segmented<value, boundary_flags>; //!< what one thread folds: boundaries are counted by their bits

  static_assert(cfg.items_per_thread <= 32, "a bit per item of a thread");
  static_assert(std::uint64_t{cfg.group_tiles()} * cfg.tile_items() < std::uint64_t{1} << 31, "boundary_count");

public:
  static constexpr bool bulk_in = moves_in_pieces_v<key_iterator, key> && moves_in_pieces_v<value_iterator, value> &&
                                  further_keys_v<key> * sizeof(key) % 16 == 0;
  static constexpr bool always_aligned = false; // both have to be
  static unsigned head_of(const input& in, unsigned)
  {
    return is_aligned(in.source().range.keys) && is_aligned(in.source().values) ? 0 : never_aligned;
  }

  REHEAT_EXEC_CHECK_DISABLE
  template <class Memory>
  REHEAT_HOST_DEVICE constexpr keyed_tiles(Memory& memory, const scan_config& c)
      : values_(memory.template array<value>(c.stages * c.tile_items(), alignof(value) > 16 ? alignof(value) : 16)),
        keys_(memory.template array<key>((c.brief_stages != 0 ? c.brief_stages : c.stages) *
                                             (c.tile_items() + further_keys_v<key>),
                                         alignof(key) > 16 ? alignof(key) : 16)),
        bits_(memory.template array<std::uint32_t>(c.stages * c.compute_threads))
  {}

  //! With the keys behind it, or none.
  REHEAT_DEVICE static bool comes_whole(std::uint64_t first, std::uint64_t items)
  {
    const std::uint64_t end = first + cfg.tile_items();
    return end == items || end + further_keys_v<key> <= items;
  }

  template <class Copier>
  REHEAT_DEVICE void load_whole(const input& in, std::uint64_t first, bool last, tile_place place,
                                const Copier& copier) const
  {
    Source& source = in.source();
    constexpr unsigned most_keys = cfg.tile_items() + further_keys_v<key>;
    const unsigned keys = last ? cfg.tile_items() : most_keys;
    copier.expect(cfg.tile_items() * sizeof(value) + keys * sizeof(key));
    copier.template copy<most_keys>(keys_of(place), source.range.keys + first, keys);
    copier.template copy<cfg.tile_items()>(values_of(place.stage), source.values + first, cfg.tile_items());
  }

  REHEAT_EXEC_CHECK_DISABLE
  template <unsigned Share, bool Few>
  REHEAT_DEVICE void load(input& in, bool aligned, std::uint64_t first, unsigned valid, bool last, tile_place place,
                          unsigned thread, unsigned threads) const
  {
    Source& source = in.source();
    if (thread == 0 && !last)
    {
      construct_at(keys_of(place) + valid, read_item(source.range.keys, first + valid));
    }
    constexpr bool aligned_places = further_keys_v<key> * sizeof(key) % 16 == 0;
    load_tile<Share, Few>(source.range.keys, aligned && aligned_places, first, valid, keys_of(place), thread, threads);
    load_tile<Share, Few>(source.values, aligned, first, valid, values_of(place.stage), thread, threads);
  }

  //! Folds the thread's items, and leaves where boundaries follow them.
  REHEAT_EXEC_CHECK_DISABLE
  template <class Op>
  REHEAT_DEVICE void reduce(input& in, const tile_part& part, Op& op, manual<Accum>& fold) const
  {
    if (part.count == 0)
    {
      return;
    }
    Source& source = in.source();
    running_fold<in_thread> own;
    std::uint32_t bits = 0;
    if (holds_keys && part.count == cfg.items_per_thread && !looks_before())
    {
      bits = fold_between_keys(source, part, op, own);
    }
    else
    {
      bits = find_boundaries(source, part);
      walk_items<false, cfg.items_per_thread>(own_values(part), part.count,
                                              [&](const value& item, unsigned i)
                                              { own.append(source.item(item, (bits >> i & 1) != 0), op); });
    }
    bits_of(part.place.stage)[part.thread] = bits;
    fold.construct(Accum(Source::boundaries_of(bits, part.count), own.value.get().value));
  }

protected:
  REHEAT_DEVICE key* keys_of(tile_place place) const
  {
    return keys_ + (cfg.brief_stages != 0 ? place.brief : place.stage) * (cfg.tile_items() + further_keys_v<key>);
  }
  REHEAT_DEVICE value* values_of(unsigned stage) const { return values_ + stage * cfg.tile_items(); }
  REHEAT_DEVICE value* own_values(const tile_part& part) const
  {
    return values_of(part.place.stage) + part.thread * cfg.items_per_thread;
  }
  //! [thread], bit i: a boundary follows the thread's item i.
  REHEAT_DEVICE std::uint32_t* bits_of(unsigned stage) const { return bits_ + stage * cfg.compute_threads; }
  REHEAT_DEVICE std::uint32_t own_bits(const tile_part& part) const
  {
    return part.count == 0 ? 0 : bits_of(part.place.stage)[part.thread];
  }
  //! Whether the thread has the input's last item.
  REHEAT_DEVICE static bool ends_input(const tile_part& part)
  {
    return part.last && part.count != 0 && part.thread * cfg.items_per_thread + part.count == part.items;
  }

private:
  //! Whether registers hold a thread's keys while it folds its values.
  static constexpr bool holds_keys = fills_pieces_v<key> && walks_in_pieces_v<value, cfg.items_per_thread>;

  REHEAT_DEVICE static bool looks_before()
  {
    return Source::may_look_before && simt::fault_active(simt::fault::compare_key_before);
  }
  REHEAT_DEVICE static bool has_next_key(const tile_part& part)
  {
    return !ends_input(part) || simt::fault_active(simt::fault::compare_past_end);
  }
  REHEAT_DEVICE const key* own_keys(const tile_part& part) const
  {
    return keys_of(part.place) + part.thread * cfg.items_per_thread;
  }

  //! Folds the values of a thread that has all its items, and finds where boundaries follow them: each comparison decides
  //! about the fold where it is made. (Bits that were made of all of them first, and taken apart again, took i32 on an
  //! NVIDIA H200 1424 cycles a tile of 416 × 12 items.)
  REHEAT_EXEC_CHECK_DISABLE
  template <class Op>
  REHEAT_DEVICE std::uint32_t fold_between_keys(Source& source, const tile_part& part, Op& op,
                                                running_fold<in_thread>& fold) const
  {
    constexpr unsigned items = cfg.items_per_thread;
    const key* const in_memory = own_keys(part);
    manual<key> keys[items + 1];
    if constexpr (walks_in_pieces_v<key, items>)
    {
      walk_items<false, items>(in_memory, items, [&](const key& item, unsigned i) { keys[i].construct(item); });
    }
    else
    {
      REHEAT_UNROLL
      for (unsigned i = 0; i < items; ++i)
      {
        keys[i].construct(in_memory[i]);
      }
    }
    const bool has_next = has_next_key(part);
    if (has_next)
    {
      keys[items].construct(in_memory[items]);
    }
    std::uint32_t bits = 0;
    walk_items<false, items>(own_values(part), items,
                             [&](const value& item, unsigned i)
                             {
                               const bool boundary =
                                   (i + 1 < items || has_next) && !source.range.equal(keys[i].get(), keys[i + 1].get());
                               bits |= boundary ? 1u << i : 0;
                               fold.append(source.item(item, boundary), op);
                             });
    return bits;
  }

  REHEAT_EXEC_CHECK_DISABLE
  REHEAT_DEVICE std::uint32_t find_boundaries(Source& source, const tile_part& part) const
  {
    const key* const keys = own_keys(part);
    std::uint32_t bits = 0;
    if (looks_before())
    {
      const std::uint64_t index = part.first + part.thread * cfg.items_per_thread;
      for (unsigned i = 0; i < part.count; ++i)
      {
        const bool differs = index + i != 0 && !source.range.equal(read_item(source.range.keys, index + i - 1), keys[i]);
        bits |= differs ? 1u << i : 0;
      }
      return bits;
    }
    const key* before = keys;
    manual<key> held; // from piece to piece, where keys walk in pieces
    walk_items<false, cfg.items_per_thread>(keys, part.count,
                                            [&](const key& item, unsigned i)
                                            {
                                              if constexpr (is_bitwise_copyable_v<key>)
                                              {
                                                bits |= i != 0 && !source.range.equal(held.get(), item) ? 1u << (i - 1) : 0;
                                                held.construct(item);
                                              }
                                              else
                                              {
                                                bits |= i != 0 && !source.range.equal(*before, item) ? 1u << (i - 1) : 0;
                                                before = &item;
                                              }
                                            });
    if (has_next_key(part) && !source.range.equal(keys[part.count - 1], keys[part.count]))
    {
      bits |= 1u << (part.count - 1);
    }
    return bits;
  }

  value* values_;       //!< [stage][tile_items]
  key* keys_;           //!< [stage][tile_items and those behind]
  std::uint32_t* bits_; //!< [stage][compute thread]
};

} // namespace detail
REHEAT_NAMESPACE_END

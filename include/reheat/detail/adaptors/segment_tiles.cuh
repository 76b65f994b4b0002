// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Tiles of scans by key and of reduce_by_key: keys and values as they are in memory, in arrays of their own.
//!
//! A thread compares its keys once, when it reduces its items, and leaves a bit per item that has a boundary behind it;
//! values and bits are all it needs when it scans. The key behind a tile's last item stands behind the tile's keys. (Tiles
//! of (value, boundaries), made by loaders, waited for memory once per tile: 1531 us for 2^28 i32 keys and values on an
//! NVIDIA H200, inclusive scan; now 894.)
#pragma once

#include <reheat/detail/adaptors/indexed.cuh>
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

//! arch → config, for keys and values of so many bytes.
//!
//! us for 2^28 i32 keys and values on an NVIDIA H200: inclusive scan, reduce_by_key in segments of 32 and of a million.
//! 416 × 12 items × 5 stages, 2 tiles ahead: 894, 873, 707 (Thrust 1141, 1036, 981); 384: 908, 910, 736; 448, 4 stages:
//! 1348, 1228, 1094; 320, 6 stages: 975, 1004, 802; 256, 8 stages, 3 ahead: 1080, 1080, 959; 384, 1 ahead: 1660, 1710, 1520.
//! What did not pay: asking for the first wave of tiles (2^24 items 67.8 us, 2^28 889); two groups of 256 compute threads
//! that take turns at the tiles, each with a look-back warp of its own (958, 879); keys in registers, read a tile early,
//! which leaves room for 6 tiles of 384 × 20 (1390: loads 80 bytes apart).
template <std::size_t AccumBytes, std::size_t KeyBytes, std::size_t ValueBytes>
struct segment_tuning
{
  REHEAT_HOST_DEVICE constexpr scan_config operator()(int arch) const
  {
    if (arch == 0)
    {
      return fitting({64, items_in(48), 4, 2, 1, 3, true, 64, 32}, 227 * 1024);
    }
    if (arch >= 900 && arch < 1200)
    {
      scan_config config{416, items_in(96), 5, 2, 4, 128, true, 96, 64}; // 640 threads: 96 registers
      config.evict_from = std::uint64_t{1} << 26;
      return fitting(config, 227 * 1024);
    }
    if (arch >= 800)
    {
      return fitting({256, items_in(64), 4, 2, 4, 128, arch >= 900, 256, 64}, 99 * 1024);
    }
    return fitting({256, items_in(48), 4, 2, 4, 128, false, 256, 64}, 64 * 1024);
  }
  REHEAT_HOST_DEVICE static constexpr std::size_t shared_bound(const scan_config& c)
  {
    return scan_shared_bound(c, bytes());
  }

private:
  REHEAT_HOST_DEVICE static constexpr stage_bytes bytes()
  {
    return {KeyBytes + ValueBytes, AccumBytes, sizeof(std::uint32_t), (KeyBytes < 16 ? 16 : KeyBytes) + 32};
  }
  //! As many as fill 16-byte pieces of both, where they can; one at least, and no more than a word has bits.
  REHEAT_HOST_DEVICE static constexpr unsigned items_in(std::size_t bytes)
  {
    constexpr std::size_t smaller = KeyBytes < ValueBytes ? KeyBytes : ValueBytes;
    constexpr std::size_t group = 16 % smaller == 0 ? 16 / smaller : 1;
    const std::size_t most = bytes / (KeyBytes + ValueBytes);
    const std::size_t items = most > 32 ? 32 : most == 0 ? 1 : most;
    return static_cast<unsigned>(items >= group ? items / group * group : items);
  }
  REHEAT_HOST_DEVICE static constexpr scan_config fitting(const scan_config& c, std::size_t shared_bytes)
  {
    return scan_config_fitting(c, bytes(), shared_bytes);
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
  static unsigned head_of(const input& in, unsigned)
  {
    return is_aligned(in.source().range.keys) && is_aligned(in.source().values) ? 0 : never_aligned;
  }

  REHEAT_EXEC_CHECK_DISABLE
  template <class Memory>
  REHEAT_HOST_DEVICE constexpr keyed_tiles(Memory& memory, const scan_config& c)
      : values_(memory.template array<value>(c.stages * c.tile_items(), alignof(value) > 16 ? alignof(value) : 16)),
        keys_(memory.template array<key>(c.stages * (c.tile_items() + further_keys_v<key>),
                                         alignof(key) > 16 ? alignof(key) : 16)),
        bits_(memory.template array<std::uint32_t>(c.stages * c.compute_threads))
  {}

  //! With the keys behind it, or none.
  REHEAT_DEVICE static bool comes_whole(std::uint64_t first, std::uint64_t items)
  {
    const std::uint64_t end = first + cfg.tile_items();
    return end == items || end + further_keys_v<key> <= items;
  }

  REHEAT_DEVICE void load_in_bulk(const input& in, std::uint64_t first, bool last, unsigned stage,
                                  simt::mbarrier& full) const
  {
    Source& source = in.source();
    const unsigned further = last ? 0 : further_keys_v<key>;
    constexpr unsigned value_bytes = static_cast<unsigned>(cfg.tile_items() * sizeof(value));
    const unsigned key_bytes = static_cast<unsigned>((cfg.tile_items() + further) * sizeof(key));
    const unsigned missing = simt::fault_active(simt::fault::expect_too_few) ? 16 : 0;
    simt::mbarrier_arrive_expect(full, value_bytes + key_bytes - missing);
    simt::bulk_load(keys_of(stage), source.range.keys + first, key_bytes, full);
    simt::bulk_load(values_of(stage), source.values + first, value_bytes, full);
  }

  REHEAT_EXEC_CHECK_DISABLE
  template <unsigned Share>
  REHEAT_DEVICE void load(input& in, bool aligned, std::uint64_t first, unsigned valid, bool last, unsigned stage,
                          unsigned thread, unsigned threads) const
  {
    Source& source = in.source();
    if (thread == 0 && !last)
    {
      construct_at(keys_of(stage) + valid, read_item(source.range.keys, first + valid));
    }
    load_tile<Share>(source.range.keys, aligned, first, valid, keys_of(stage), thread, threads);
    load_tile<Share>(source.values, aligned, first, valid, values_of(stage), thread, threads);
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
    const std::uint32_t bits = find_boundaries(in.source(), part);
    bits_of(part.stage)[part.thread] = bits;
    running_fold<in_thread> own;
    walk_items<false, cfg.items_per_thread>(own_values(part), part.count,
                                            [&](const value& item, unsigned i)
                                            { own.append(in.source().item(item, (bits >> i & 1) != 0), op); });
    if constexpr (std::is_same_v<Accum, in_thread>)
    {
      fold.construct(own.value.get());
    }
    else
    {
      const bool follows = own.value.get().boundaries.follows();
      fold.construct(
          Accum{decltype(Accum::boundaries)(simt::count_ones(bits) - (follows ? 1 : 0), follows), own.value.get().value});
    }
  }

protected:
  REHEAT_DEVICE key* keys_of(unsigned stage) const { return keys_ + stage * (cfg.tile_items() + further_keys_v<key>); }
  REHEAT_DEVICE value* values_of(unsigned stage) const { return values_ + stage * cfg.tile_items(); }
  REHEAT_DEVICE value* own_values(const tile_part& part) const
  {
    return values_of(part.stage) + part.thread * cfg.items_per_thread;
  }
  //! [thread], bit i: a boundary follows the thread's item i.
  REHEAT_DEVICE std::uint32_t* bits_of(unsigned stage) const { return bits_ + stage * cfg.compute_threads; }
  REHEAT_DEVICE std::uint32_t own_bits(const tile_part& part) const
  {
    return part.count == 0 ? 0 : bits_of(part.stage)[part.thread];
  }
  //! Whether the thread has the input's last item.
  REHEAT_DEVICE static bool ends_input(const tile_part& part)
  {
    return part.last && part.count != 0 && part.thread * cfg.items_per_thread + part.count == part.items;
  }

private:
  REHEAT_EXEC_CHECK_DISABLE
  REHEAT_DEVICE std::uint32_t find_boundaries(Source& source, const tile_part& part) const
  {
    const key* const keys = keys_of(part.stage) + part.thread * cfg.items_per_thread;
    std::uint32_t bits = 0;
    if (Source::may_look_before && simt::fault_active(simt::fault::compare_key_before))
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
    const bool has_next = !ends_input(part) || simt::fault_active(simt::fault::compare_past_end);
    if (has_next && !source.range.equal(keys[part.count - 1], keys[part.count]))
    {
      bits |= 1u << (part.count - 1);
    }
    return bits;
  }

  value* values_;       //!< [stage][tile_items]
  key* keys_;           //!< [stage][tile_items and those behind]
  std::uint32_t* bits_; //!< [stage][compute thread]
};

//! Scans by key: values become what the scan gives for them, where they are.
template <class Tuning, class Source, class ValueOutputIt, class Accum>
class scanned_segments : public keyed_tiles<Tuning, Source, Accum>
{
  using base = keyed_tiles<Tuning, Source, Accum>;
  using base::cfg;
  using typename base::in_thread;
  using typename base::input;
  using typename base::value;
  using output = indexed_output<value_sink<ValueOutputIt>>;
  static_assert(std::is_same_v<Accum, in_thread>);

public:
  static constexpr bool bulk_out = moves_in_pieces_v<ValueOutputIt, value>;
  static constexpr bool scan_stores = false;
  static bool is_aligned_output(const output& out, unsigned) { return is_aligned(out.sink().out); }
  using base::base;

  REHEAT_EXEC_CHECK_DISABLE
  template <scan_kind Kind, class Op>
  REHEAT_DEVICE void scan(input& in, output&, const tile_part& part, running_fold<Accum>& fold, Op& op) const
  {
    // By a constant where it can be, as item_tiles does.
    if (part.count == cfg.items_per_thread)
    {
      scan_own<Kind>(in.source(), part, cfg.items_per_thread, fold, op);
    }
    else
    {
      scan_own<Kind>(in.source(), part, part.count, fold, op);
    }
  }

  REHEAT_DEVICE void store_in_bulk(output& out, std::uint64_t first, unsigned stage, bool evict) const
  {
    simt::bulk_store(out.sink().out + first, this->values_of(stage), static_cast<unsigned>(cfg.tile_items() * sizeof(value)),
                     evict);
  }

  template <unsigned Share>
  REHEAT_DEVICE void store(output& out, bool aligned, std::uint64_t first, unsigned valid, unsigned stage, unsigned thread,
                           unsigned threads) const
  {
    store_tile<Share>(this->values_of(stage), out.sink().out, aligned, first, valid, thread, threads);
  }

private:
  REHEAT_EXEC_CHECK_DISABLE
  template <scan_kind Kind, class Op>
  REHEAT_DEVICE void scan_own(Source& source, const tile_part& part, unsigned count, running_fold<Accum>& fold, Op& op) const
  {
    const std::uint32_t bits = this->own_bits(part);
    walk_items<true, cfg.items_per_thread>(this->own_values(part), count,
                                           [&](value& item, unsigned i)
                                           {
                                             const Accum own = source.item(item, (bits >> i & 1) != 0);
                                             if constexpr (Kind == scan_kind::inclusive)
                                             {
                                               fold.append(own, op);
                                               item = fold.value.get().value;
                                             }
                                             else
                                             {
                                               item = fold.value.get().value;
                                               if (i + 1 < count)
                                               {
                                                 fold.append(own, op);
                                               }
                                             }
                                           });
  }
};

//! reduce_by_key: values become what their segment folds to so far; then each warp goes through its part of the tile, 32
//! neighbours at a time, and stores those that end segments, neighbours to neighbours.
template <class Tuning, class Source, class Sink, class Accum>
class reduced_segments : public keyed_tiles<Tuning, Source, Accum>
{
  using base = keyed_tiles<Tuning, Source, Accum>;
  using base::cfg;
  using typename base::in_thread;
  using typename base::input;
  using typename base::key;
  using typename base::value;
  using output = indexed_output<Sink>;

public:
  static constexpr bool bulk_out = false;
  static constexpr bool scan_stores = true;
  static bool is_aligned_output(const output&, unsigned) { return false; }
  using base::base;

  REHEAT_EXEC_CHECK_DISABLE
  template <scan_kind Kind, class Op>
  REHEAT_DEVICE void scan(input& in, output& out, const tile_part& part, running_fold<prefix_of<Accum>>& fold, Op& op) const
  {
    static_assert(Kind == scan_kind::inclusive);
    Sink& sink = out.sink();
    std::uint64_t segment = 0; // of the thread's first item
    running_fold<in_thread> own;
    if (fold.has)
    {
      const prefix_of<Accum>& before = fold.value.get();
      own.append(in_thread{boundary_flags(before.boundaries.inside(), before.boundaries.follows()), before.value}, op);
      segment = before.boundaries.count() + (before.boundaries.follows() ? 1 : 0);
    }
    const std::uint32_t bits = this->own_bits(part);
    walk_items<true, cfg.items_per_thread>(this->own_values(part), part.count,
                                           [&](value& item, unsigned i)
                                           {
                                             own.append(in.source().item(item, (bits >> i & 1) != 0), op);
                                             item = own.value.get().value;
                                           });
    if (part.first == 0 && part.thread == 0)
    {
      sink.store_first_key();
    }
    if (this->ends_input(part))
    {
      sink.store_last(segment + simt::count_ones(bits), own.value.get().value);
    }
    if (!simt::fault_active(simt::fault::skip_rows_barrier))
    {
      simt::sync_warp(); // all lanes have written their values
    }
    if (simt::any(simt::count_ones(bits) > 2) || simt::fault_active(simt::fault::every_item_stores))
    {
      store_rows(sink, part, simt::shuffle(segment, 0));
    }
    else
    {
      store_own(sink, part, bits, segment);
    }
  }

private:
  //! Of the segment behind item `i` of the tile.
  REHEAT_DEVICE const key& next_key(const tile_part& part, unsigned i) const
  {
    return this->keys_of(part.stage)[simt::fault_active(simt::fault::key_of_last_item) ? i : i + 1];
  }

  //! The thread's items that end segments, where no lane has many: neighbouring lanes' are neighbours.
  REHEAT_EXEC_CHECK_DISABLE
  REHEAT_DEVICE void store_own(Sink& sink, const tile_part& part, std::uint32_t bits, std::uint64_t segment) const
  {
    const unsigned before = part.thread * cfg.items_per_thread;
    for (; bits != 0; bits &= bits - 1, ++segment)
    {
      const unsigned i = before + simt::count_ones((bits & (0 - bits)) - 1);
      sink.store_end(segment, this->values_of(part.stage)[i], next_key(part, i));
    }
  }

  //! The warp's items that end segments; `segment` is that of the first.
  REHEAT_EXEC_CHECK_DISABLE
  REHEAT_DEVICE void store_rows(Sink& sink, const tile_part& part, std::uint64_t segment) const
  {
    const unsigned lane = simt::lane_index(), first_thread = part.thread - lane;
    const unsigned first = first_thread * cfg.items_per_thread;
    const std::uint32_t* const bits = this->bits_of(part.stage) + first_thread;
    const value* const values = this->values_of(part.stage) + first;
    REHEAT_UNROLL
    for (unsigned row = 0; row < cfg.items_per_thread; ++row)
    {
      const unsigned i = row * simt::warp_lanes + lane;
      const bool there = first + i < part.items;
      const bool ends =
          there && sink.ends(part.first + first + i, (bits[i / cfg.items_per_thread] >> i % cfg.items_per_thread & 1) != 0);
      const unsigned all = simt::ballot(ends);
      if (ends)
      {
        const std::uint64_t at = segment + simt::count_ones(all & ((1u << lane) - 1));
        sink.store_end(at, values[i], next_key(part, first + i));
      }
      segment += simt::count_ones(all);
    }
  }
};

//! The form that goes with a sink.
template <class OutputIt>
struct segments_of;
template <class ValueOutputIt>
struct segments_of<indexed_output<value_sink<ValueOutputIt>>>
{
  template <class Tuning, class Source, class Accum>
  using form = scanned_segments<Tuning, Source, ValueOutputIt, Accum>;
};
template <class KeyIt, class KeyOutputIt, class ValueOutputIt>
struct segments_of<indexed_output<segment_sink<KeyIt, KeyOutputIt, ValueOutputIt>>>
{
  template <class Tuning, class Source, class Accum>
  using form = reduced_segments<Tuning, Source, segment_sink<KeyIt, KeyOutputIt, ValueOutputIt>, Accum>;
};

template <class Source>
struct segment_tiles
{
  template <class Tuning, class OutputIt, class Accum>
  using form = typename segments_of<OutputIt>::template form<Tuning, Source, Accum>;
  template <class Accum>
  using tuning = segment_tuning<sizeof(Accum), sizeof(value_of<decltype(Source::range.keys)>), sizeof(Accum::value)>;
};
template <class T, class Boundaries, class KeyIt, class ValueIt, class Equal>
struct scan_tiles<indexed_input<segmented_source<T, Boundaries, KeyIt, ValueIt, Equal>>>
    : segment_tiles<segmented_source<T, Boundaries, KeyIt, ValueIt, Equal>>
{};
template <class T, class KeyIt, class ValueIt, class Equal>
struct scan_tiles<indexed_input<restarting_source<T, KeyIt, ValueIt, Equal>>>
    : segment_tiles<restarting_source<T, KeyIt, ValueIt, Equal>>
{};

} // namespace detail
REHEAT_NAMESPACE_END

// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Tiles of scans by key and of reduce_by_key: an array of keys and an array of values, as they are in memory.
//!
//! A thread compares its keys once, when it reduces its items, and leaves a bit per item, which says whether a boundary
//! follows. The scan needs only values and bits. The key of the item after the tile stands behind the tile's keys. (Load
//! warps that make tiles of (value, boundaries) take twice as long: 2^28 i32 keys and values, NVIDIA H200.)
#pragma once

#include <reheat/detail/block/tile.cuh>
#include <reheat/detail/config.cuh>
#include <reheat/detail/iterators.cuh>
#include <reheat/detail/scan/collectives/collective.cuh>
#include <reheat/detail/segments/segments.cuh>
#include <reheat/detail/segments/tuning.cuh>
#include <reheat/detail/segments/warp.cuh>
#include <reheat/detail/simt/simt.cuh>
#include <reheat/detail/thread/items.cuh>
#include <reheat/detail/thread/value.cuh>

#include <cstdint>
#include <optional>
#include <type_traits>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

//! A group of tiles has about 2^20 items, and a one-tile scan no more, but the input may have 2^31.
template <class T>
struct prefix_type<segmented<T, boundary_count>>
{
  using type = segmented<T, long_boundary_count>;
};

//! The number of the next tile's keys that are loaded with a tile. One is needed; a bulk load moves 16 bytes.
template <class Key>
inline constexpr unsigned further_keys_v = sizeof(Key) >= 16 ? 1 : static_cast<unsigned>(16 / sizeof(Key));

//! How keyed tiles are loaded and reduced. `Source` is segmented_source or restarting_source.
template <class Tuning, class Source, class Accum>
class keyed_collective
{
protected:
  static constexpr scan_config cfg = Tuning{}(simt::arch);
  using key_iterator = decltype(Source::range.keys);
  using key = value_of<key_iterator>;
  using value_iterator = decltype(Source::values);
  using value = decltype(Accum::value);
  using in_thread = segmented<value, boundary_flags>; //!< the type of a thread's fold, in which bits count boundaries

  static_assert(cfg.items_per_thread <= 32, "a bit per item of a thread");
  static_assert(std::uint64_t{cfg.group_tiles()} * cfg.tile_items() < std::uint64_t{1} << 31, "boundary_count");

public:
  static constexpr bool packs_early = false; // what ends a segment has the fold of the tiles before in it
  static constexpr bool bulk_in = moves_in_vec16_v<key_iterator, key> && moves_in_vec16_v<value_iterator, value> &&
                                  further_keys_v<key> * sizeof(key) % 16 == 0;
  static constexpr bool always_aligned = false; // keys and values both must be
  static std::optional<unsigned> head_of(const Source& in, unsigned)
  {
    const bool both = is_aligned(in.range.keys) && is_aligned(in.values);
    return both ? std::optional<unsigned>(0) : std::nullopt;
  }

  REHEAT_EXEC_CHECK_DISABLE
  template <class Memory>
  REHEAT_HOST_DEVICE constexpr keyed_collective(Memory& memory, const scan_config& c)
      : values_(memory.template array<value>(c.stages * c.tile_items(), alignof(value) > 16 ? alignof(value) : 16)),
        keys_(memory.template array<key>((c.key_stages != 0 ? c.key_stages : c.stages) *
                                             (c.tile_items() + further_keys_v<key>),
                                         alignof(key) > 16 ? alignof(key) : 16)),
        bits_(memory.template array<std::uint32_t>(c.stages * c.compute_threads))
  {}

  //! The tile is full, and the further keys all exist, or none does.
  REHEAT_DEVICE static bool is_bulk_tile(std::uint64_t first, std::uint64_t items)
  {
    const std::uint64_t end = first + cfg.tile_items();
    return end == items || end + further_keys_v<key> <= items;
  }

  template <class Copier>
  REHEAT_DEVICE void load_bulk(const Source& source, std::uint64_t first, bool last, tile_place place,
                               const Copier& copier) const
  {
    constexpr unsigned max_keys = cfg.tile_items() + further_keys_v<key>;
    const unsigned keys = last ? cfg.tile_items() : max_keys;
    copier.expect(cfg.tile_items() * sizeof(value) + keys * sizeof(key));
    copier.template copy<max_keys>(keys_of(place), source.range.keys + first, keys);
    copier.template copy<cfg.tile_items()>(values_of(place.stage), source.values + first, cfg.tile_items());
  }

  template <unsigned ItemsPerThread, bool RarelyScalar>
  REHEAT_DEVICE void load(Source& source, bool aligned, std::uint64_t first, unsigned valid, bool last, tile_place place,
                          unsigned thread, unsigned threads) const
  {
    if constexpr (loads_together)
    {
      if (aligned)
      {
        load_together(source, first, valid, last, place, thread, threads);
        return;
      }
    }
    if (thread == 0 && !last)
    {
      construct_at(keys_of(place) + valid, read_item(source.range.keys, first + valid));
    }
    constexpr bool aligned_places = further_keys_v<key> * sizeof(key) % 16 == 0;
    load_tile<ItemsPerThread, RarelyScalar, cfg.clears_vec16>(source.range.keys, aligned && aligned_places, first, valid,
                                                              keys_of(place), thread, threads);
    load_tile<ItemsPerThread, RarelyScalar, cfg.clears_vec16>(source.values, aligned, first, valid, values_of(place.stage),
                                                              thread, threads);
  }

  //! Folds the thread's items and leaves a bit for each that a boundary follows.
  template <class Op>
  REHEAT_DEVICE void reduce(Source& source, const thread_slice& slice, Op& op, uninitialized<Accum>& fold) const
  {
    if (slice.count == 0)
    {
      return;
    }
    optional_accumulator<in_thread> own;
    std::uint32_t bits = 0;
    if (holds_keys && slice.count == cfg.items_per_thread && !looks_before())
    {
      bits = fold_between_keys(source, slice, op, own);
    }
    else
    {
      bits = find_boundaries(source, slice);
      walk_items<false, cfg.items_per_thread>(own_values(slice), slice.count,
                                              [&](const value& item, unsigned i)
                                              { own.append(source.item(item, (bits >> i & 1) != 0), op); });
    }
    bits_of(slice.place.stage)[slice.thread] = bits;
    fold.construct(Accum(Source::boundaries_of(bits, slice.count), own.value.get().value));
  }

protected:
  REHEAT_DEVICE key* keys_of(tile_place place) const
  {
    return keys_ + (cfg.key_stages != 0 ? place.key_stage : place.stage) * (cfg.tile_items() + further_keys_v<key>);
  }
  REHEAT_DEVICE value* values_of(unsigned stage) const { return values_ + stage * cfg.tile_items(); }
  REHEAT_DEVICE value* own_values(const thread_slice& slice) const
  {
    return values_of(slice.place.stage) + slice.thread * cfg.items_per_thread;
  }
  //! [thread], bit i: a boundary follows the thread's item i.
  REHEAT_DEVICE std::uint32_t* bits_of(unsigned stage) const { return bits_ + stage * cfg.compute_threads; }
  REHEAT_DEVICE std::uint32_t own_bits(const thread_slice& slice) const
  {
    return slice.count == 0 ? 0 : bits_of(slice.place.stage)[slice.thread];
  }
  //! Whether the input's last item is one of the thread's.
  REHEAT_DEVICE static bool ends_input(const thread_slice& slice)
  {
    return slice.last && slice.count != 0 && slice.thread * cfg.items_per_thread + slice.count == slice.items;
  }

private:
  //! Whether nothing hides the round trips of a tile's loads: its block has no other tile.
  static constexpr bool loads_together = bulk_in && cfg.stages == 1;

  //! Loads the tile's keys, the key behind them and its values, in the time of one round trip. The tile is aligned.
  REHEAT_DEVICE void load_together(Source& source, std::uint64_t first, unsigned valid, bool last, tile_place place,
                                   unsigned thread, unsigned threads) const
  {
    const bool loads_behind = thread == 0 && !last;
    uninitialized<key> behind;
    if (loads_behind)
    {
      behind.construct(source.range.keys[first + valid]);
    }
    tile_share<cfg.items_per_thread, key> keys(valid, thread, threads);
    tile_share<cfg.items_per_thread, value> values(valid, thread, threads);
    keys.load(source.range.keys + first);
    values.load(source.values + first);
    keys.store(keys_of(place));
    values.store(values_of(place.stage));
    if (loads_behind)
    {
      construct_at(keys_of(place) + valid, behind.get());
    }
  }

  //! Whether registers hold the thread's keys while it folds its values.
  static constexpr bool holds_keys = fills_vec16_v<key> && walks_in_vec16_v<value, cfg.items_per_thread>;

  REHEAT_DEVICE static bool looks_before()
  {
    return Source::may_look_before && simt::fault_active(simt::fault::compare_key_before);
  }
  REHEAT_DEVICE static bool has_next_key(const thread_slice& slice)
  {
    return !ends_input(slice) || simt::fault_active(simt::fault::compare_past_end);
  }
  REHEAT_DEVICE const key* own_keys(const thread_slice& slice) const
  {
    return keys_of(slice.place) + slice.thread * cfg.items_per_thread;
  }

  //! Folds the values of a thread with all its items and finds the boundaries that follow them. The fold uses each
  //! comparison at once, so that no bits are packed and unpacked again.
  template <class Op>
  REHEAT_DEVICE std::uint32_t fold_between_keys(Source& source, const thread_slice& slice, Op& op,
                                                optional_accumulator<in_thread>& fold) const
  {
    constexpr unsigned items = cfg.items_per_thread;
    const key* const in_memory = own_keys(slice);
    uninitialized<key> keys[items + 1];
    if constexpr (walks_in_vec16_v<key, items>)
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
    const bool has_next = has_next_key(slice);
    if (has_next)
    {
      keys[items].construct(in_memory[items]);
    }
    std::uint32_t bits = 0;
    walk_items<false, items>(own_values(slice), items,
                             [&](const value& item, unsigned i)
                             {
                               const bool boundary =
                                   (i + 1 < items || has_next) && !source.range.equal(keys[i].get(), keys[i + 1].get());
                               bits |= boundary ? 1u << i : 0;
                               fold.append(source.item(item, boundary), op);
                             });
    return bits;
  }

  REHEAT_DEVICE std::uint32_t find_boundaries(Source& source, const thread_slice& slice) const
  {
    const key* const keys = own_keys(slice);
    std::uint32_t bits = 0;
    if (looks_before())
    {
      const std::uint64_t index = slice.first + slice.thread * cfg.items_per_thread;
      for (unsigned i = 0; i < slice.count; ++i)
      {
        const bool differs = index + i != 0 && !source.range.equal(read_item(source.range.keys, index + i - 1), keys[i]);
        bits |= differs ? 1u << i : 0;
      }
      return bits;
    }
    const key* before = keys;
    uninitialized<key> held; // the previous key, which outlives its vector
    walk_items<false, cfg.items_per_thread>(keys, slice.count,
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
    if (has_next_key(slice) && !source.range.equal(keys[slice.count - 1], keys[slice.count]))
    {
      bits |= 1u << (slice.count - 1);
    }
    return bits;
  }

  value* values_;       //!< [stage][tile_items]
  key* keys_;           //!< [stage or key stage][tile_items and further keys]
  std::uint32_t* bits_; //!< [stage][compute thread]
};

} // namespace detail
REHEAT_NAMESPACE_END

// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The collective of reduce_by_key.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/scan/collectives/collective.cuh>
#include <reheat/detail/scan/kind.cuh>
#include <reheat/detail/segments/collectives/keyed.cuh>
#include <reheat/detail/segments/segments.cuh>
#include <reheat/detail/simt/simt.cuh>
#include <reheat/detail/thread/items.cuh>
#include <reheat/detail/thread/value.cuh>
#include <reheat/detail/warp/fold.cuh>
#include <reheat/detail/warp/packed_run.cuh>

#include <cstdint>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

//! reduce_by_key. The scan replaces each value with the fold of its segment so far, and each warp stores those of its items
//! that end segments, neighbours to neighbours. Where a lane has few of them, it stores its own. Where some lane has many
//! and both outputs are memory, a warp packs them in its part of the stage and stores keys and values as one run each.
//! Otherwise it goes through its items 32 neighbours at a time.
template <class Tuning, class Source, class Sink, class Accum>
class keyed_reduce_collective : public keyed_collective<Tuning, Source, Accum>
{
  using base = keyed_collective<Tuning, Source, Accum>;
  using base::cfg;
  using typename base::in_thread;
  using typename base::key;
  using typename base::value;

public:
  static constexpr bool bulk_out = false;
  static constexpr bool scan_stores = true;
  static bool is_aligned_output(const Sink&, unsigned) { return false; }
  using base::base;

  template <scan_kind Kind, class Op>
  REHEAT_DEVICE void scan(Source& in, Sink& sink, const thread_slice& slice, optional_accumulator<prefix_of<Accum>>& fold,
                          Op& op) const
  {
    static_assert(Kind == scan_kind::inclusive);
    const std::uint32_t bits = this->own_bits(slice);
    if (slice.first == 0 && slice.thread == 0)
    {
      sink.store_first_key();
    }
    if (!simt::any(bits != 0 || this->ends_input(slice)) && !simt::fault_active(simt::fault::every_item_stores))
    {
      return; // no item of the warp ends a segment
    }
    std::uint64_t segment = 0; // the segment of the thread's first item
    optional_accumulator<in_thread> own;
    if (fold.has)
    {
      const prefix_of<Accum>& before = fold.value.get();
      own.append(in_thread{boundary_flags(before.boundaries.inside(), before.boundaries.follows()), before.value}, op);
      segment = before.boundaries.count() + (before.boundaries.follows() ? 1 : 0);
    }
    const std::uint64_t warps = simt::shuffle(segment, 0);
    Sink warp_sink = sink.from(warps);
    if constexpr (is_packable<key, keys_out>() && is_packable<value, values_out>())
    {
      if (const unsigned ends = packed_ends(warp_sink, slice, bits))
      {
        const packed_place place{static_cast<unsigned>(segment - warps), ends};
        pack_values(in, warp_sink, slice, bits, own, op, place);
        if (this->ends_input(slice))
        {
          sink.store_last(segment + simt::count_ones(bits), own.value.get().value);
        }
        pack_keys(warp_sink, slice, bits, place);
        return;
      }
    }
    walk_items<true, cfg.items_per_thread>(this->own_values(slice), slice.count,
                                           [&](value& item, unsigned i)
                                           {
                                             own.append(in.item(item, (bits >> i & 1) != 0), op);
                                             item = own.value.get().value;
                                           });
    if (this->ends_input(slice))
    {
      sink.store_last(segment + simt::count_ones(bits), own.value.get().value);
    }
    simt::sync_warp(simt::unless(simt::fault::skip_rows_barrier)); // all lanes have written their values
    const unsigned others = slice.count - (this->ends_input(slice) ? 1 : 0);
    const std::uint32_t every = static_cast<std::uint32_t>((std::uint64_t{1} << others) - 1);
    const std::uint32_t ends = simt::fault_active(simt::fault::every_item_stores) ? every : bits;
    if (simt::any(simt::count_ones(ends) > max_lane_stores))
    {
      store_rows(warp_sink, slice, ends);
    }
    else
    {
      store_own(warp_sink, slice, ends, static_cast<unsigned>(segment - warps));
    }
  }

private:
  static constexpr unsigned part = simt::warp_lanes * cfg.items_per_thread; //!< a warp's items of a tile
  using values_out = decltype(Sink::values_out);
  using keys_out = decltype(Sink::keys_out);
  //! Registers hold a lane's keys or values while the warp packs. 18 values of 8 bytes do not spill on sm_90; of more than
  //! 128 bytes they spilled on sm_120, where no tuning has 129 to 144.
  static constexpr unsigned max_held_bytes = 144;
  template <class T, class OutputIt>
  REHEAT_HOST_DEVICE static constexpr bool is_packable()
  {
    constexpr unsigned items = cfg.items_per_thread;
    return is_held_v<T, items> && moves_in_vec16_v<OutputIt, T> && items * sizeof(T) <= max_held_bytes;
  }

  struct packed_place
  {
    unsigned before; //!< of the warp's ends, those on the lane's left
    unsigned ends;   //!< of the warp
  };

  //! How many ends the warp packs; 0 if it packs none. It must have all its items. Packed keys begin a vector behind the
  //! part's first one, which the warp before needs, and as far behind that as the output's vectors demand.
  REHEAT_DEVICE static unsigned packed_ends(const Sink& sink, const thread_slice& slice, std::uint32_t bits)
  {
    if (!simt::any(simt::count_ones(bits) > max_lane_stores) || simt::fault_active(simt::fault::every_item_stores))
    {
      return 0;
    }
    constexpr unsigned smaller = sizeof(key) < sizeof(value) ? sizeof(key) : sizeof(value), two_vectors = 2 * 16 / smaller;
    const bool aligned = reinterpret_cast<std::uintptr_t>(sink.values_out) % sizeof(value) == 0 &&
                         reinterpret_cast<std::uintptr_t>(sink.keys_out) % sizeof(key) == 0;
    const bool whole = (slice.thread - simt::lane_index() + simt::warp_lanes) * cfg.items_per_thread <= slice.items;
    const unsigned ends = sum_over_lanes(simt::count_ones(bits));
    return aligned && whole && ends + two_vectors <= part ? ends : 0;
  }

  //! Folds the lane's values, packs those that end segments, and stores the warp's.
  template <class SourceOf, class Op>
  REHEAT_DEVICE void pack_values(SourceOf& source, Sink& sink, const thread_slice& slice, std::uint32_t bits,
                                 optional_accumulator<in_thread>& own, Op& op, const packed_place& place) const
  {
    value* const values = this->own_values(slice);
    value* const first = values - simt::lane_index() * cfg.items_per_thread;
    held_items<cfg.items_per_thread, value> held;
    held.load(values);
    simt::sync_warp(simt::unless(simt::fault::pack_over_values)); // all lanes hold their values
    const unsigned shift = items_behind_vec16(sink.values_out);
    value* to = first + shift + place.before;
    held.visit(
        [&](const value& item, unsigned i)
        {
          const bool ends = (bits >> i & 1) != 0;
          own.append(source.item(item, ends), op);
          if (ends)
          {
            construct_at(to++, own.value.get().value);
          }
        });
    simt::sync_warp(simt::unless(simt::fault::store_unpacked_values)); // all lanes have packed theirs
    store_packed(first, part, sink.values_out, shift, place.ends);
  }

  //! Packs the keys of the segments behind the lane's ends, and stores the warp's.
  REHEAT_DEVICE void pack_keys(Sink& sink, const thread_slice& slice, std::uint32_t bits, const packed_place& place) const
  {
    const unsigned next = simt::fault_active(simt::fault::key_of_last_item) ? 0 : 1;
    key* const keys = this->keys_of(slice.place) + slice.thread * cfg.items_per_thread;
    constexpr unsigned vector_items = 16 / sizeof(key);
    key* const first = keys - simt::lane_index() * cfg.items_per_thread +
                       (simt::fault_active(simt::fault::pack_over_first_key) ? 0 : vector_items);
    held_items<cfg.items_per_thread, key> held;
    held.load(keys);
    // Behind the input's last item there is no key.
    const bool ends_behind = next != 0 && (bits >> (cfg.items_per_thread - 1) & 1) != 0;
    uninitialized<key> behind;
    if (ends_behind)
    {
      behind.construct(keys[cfg.items_per_thread]);
    }
    simt::sync_warp(simt::unless(simt::fault::pack_over_keys)); // all lanes hold their keys
    keys_out const out = sink.keys_out + next;
    const unsigned shift = items_behind_vec16(out);
    key* to = first + shift + place.before;
    held.visit(
        [&](const key& item, unsigned i)
        {
          if (i >= next && (bits >> (i - next) & 1) != 0)
          {
            construct_at(to++, item);
          }
        });
    if (ends_behind)
    {
      construct_at(to, behind.get());
    }
    simt::sync_warp(simt::unless(simt::fault::store_unpacked_keys)); // all lanes have packed theirs
    store_packed(first, part - vector_items, out, shift, place.ends);
  }

  //! The key of the segment that follows item `i` of the tile.
  REHEAT_DEVICE const key& next_key(const thread_slice& slice, unsigned i) const
  {
    return this->keys_of(slice.place)[simt::fault_active(simt::fault::key_of_last_item) ? i : i + 1];
  }

  //! Up to this many ends of segments, each lane stores its own, which takes 42 % less time than rows (2^28 i32 in segments
  //! of 32, NVIDIA H200).
  static constexpr unsigned max_lane_stores = (cfg.items_per_thread + 3) / 4;

  //! Stores the lane's items that end segments. `segment` is the first of these. Neighbouring lanes store to neighbouring
  //! positions.
  REHEAT_DEVICE void store_own(Sink& sink, const thread_slice& slice, std::uint32_t ends, unsigned segment) const
  {
    const unsigned before = slice.thread * cfg.items_per_thread;
    for (; ends != 0; ends &= ends - 1, ++segment)
    {
      const unsigned i = before + simt::count_ones((ends & (0 - ends)) - 1);
      sink.store_end(segment, this->values_of(slice.place.stage)[i], next_key(slice, i));
    }
  }

  //! In lane r, bit i of the result says whether item 32 · r + i of the warp ends a segment. `ends` says so of the lane's
  //! own items.
  REHEAT_DEVICE static std::uint32_t transpose_ballots(std::uint32_t ends)
  {
    constexpr unsigned items = cfg.items_per_thread;
    const unsigned first = simt::lane_index() * simt::warp_lanes;
    const unsigned skipped = first % items;
    std::uint32_t row = simt::shuffle(ends, first / items) >> skipped;
    REHEAT_UNROLL
    for (unsigned i = 1; i <= (simt::warp_lanes + items - 2) / items; ++i)
    {
      const unsigned at = i * items - skipped; // bit position in the row
      const std::uint32_t more = simt::shuffle(ends, first / items + i);
      row |= at < simt::warp_lanes ? more << at : 0;
    }
    return row;
  }

  //! Stores the warp's items that end segments, 32 neighbours at a time.
  REHEAT_DEVICE void store_rows(Sink& sink, const thread_slice& slice, std::uint32_t ends) const
  {
    const unsigned lane = simt::lane_index(), first = (slice.thread - lane) * cfg.items_per_thread;
    const value* const values = this->values_of(slice.place.stage) + first + lane;
    const std::uint32_t rows = transpose_ballots(ends);
    unsigned segment = 0;
    REHEAT_UNROLL
    for (unsigned row = 0; row < cfg.items_per_thread; ++row)
    {
      const std::uint32_t row_ends = simt::shuffle(rows, row);
      if ((row_ends >> lane & 1) != 0)
      {
        const unsigned i = row * simt::warp_lanes;
        sink.store_end(segment + simt::count_ones(row_ends & ((1u << lane) - 1)), values[i],
                       next_key(slice, first + lane + i));
      }
      segment += simt::count_ones(row_ends);
    }
  }
};

} // namespace detail
REHEAT_NAMESPACE_END

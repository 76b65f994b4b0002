// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Tiles of partitions: a selection whose rejected items are stored, too.
//!
//! Tiles are loaded and reduced as a selection's. Items that are not selected are rejected, so the number of rejected items
//! before a warp's items is the index of the warp's first item without the number of selected ones before it. Each warp
//! moves its items so that the selected ones stand together and the rejected ones stand together, and stores both as runs,
//! in vectors of 16 bytes where they are aligned in their outputs.
//!
//! The output of the selected items may begin where the input begins, for the reason in collective.cuh.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/scan/collectives/collective.cuh>
#include <reheat/detail/scan/kind.cuh>
#include <reheat/detail/scan/tuning.cuh>
#include <reheat/detail/select/ask.cuh>
#include <reheat/detail/select/collective.cuh>
#include <reheat/detail/select/selection.cuh>
#include <reheat/detail/select/tuning.cuh>
#include <reheat/detail/simt/simt.cuh>
#include <reheat/detail/thread/items.cuh>
#include <reheat/detail/thread/value.cuh>
#include <reheat/detail/warp/fold.cuh>
#include <reheat/detail/warp/packed_run.cuh>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

//! The order in which rejected items are stored.
enum class rejected_order
{
  kept,    //!< from `rejected` on
  reversed //!< in front of `rejected`: the first one directly in front
};

//! The input of a partition: that of a selection.
template <class ItemIt, class StencilIt, class Predicate>
struct partition_source : selection_source<ItemIt, StencilIt, Predicate>
{};

//! The two outputs of a partition, and where the number of selected items goes.
template <rejected_order Order, class SelectedIt, class RejectedIt, class CountIt>
struct partition_sink : selection_sink<SelectedIt, CountIt>
{
  static constexpr rejected_order order = Order;
  RejectedIt rejected;

  //! Of an array of zipped_pointers.
  template <std::size_t I>
  REHEAT_DEVICE auto array() const
  {
    const auto own = this->out.template array<I>();
    const auto others = rejected.template array<I>();
    return partition_sink<Order, std::remove_cv_t<decltype(own)>, std::remove_cv_t<decltype(others)>, CountIt>{
        {own, this->count}, others};
  }

  //! The index behind `rejected` of the rejected item behind `before` others.
  REHEAT_DEVICE static std::ptrdiff_t place(std::uint64_t before)
  {
    const auto index = static_cast<std::ptrdiff_t>(before);
    return Order == rejected_order::kept ? index : -1 - index;
  }
};

//! Two vectors: the two runs of a warp begin where their outputs have them aligned, each up to a vector behind what is
//! before it.
inline constexpr std::size_t warp_room_bytes = 2 * sizeof(vec16);

//! The items of a warp with all its items, and room for warp_room_bytes more, which the warp has for itself.
template <class T>
struct warp_ring
{
  T* first;
  T* room;

  //! Where the item at a place of the ring is; the ring's first `part` items are the warp's.
  template <unsigned Part>
  REHEAT_DEVICE T* at(unsigned place) const
  {
    const std::ptrdiff_t gap = room - first - static_cast<std::ptrdiff_t>(Part);
    const bool behind = place >= Part && !simt::fault_active(simt::fault::partition_leave_ring);
    return first + static_cast<std::ptrdiff_t>(place) + (behind ? gap : 0);
  }
};

//! Neighbours in a ring, which go to neighbouring places.
template <class T>
struct ring_run
{
  unsigned begin;
  unsigned end;
  T* out; //!< where the first one goes
};

//! Stores a run that begins as far from a multiple of 16 bytes as its output does. All lanes call.
template <unsigned Part, class T>
REHEAT_DEVICE void store_run(const warp_ring<T>& ring, const ring_run<T>& run)
{
  constexpr unsigned vector_items = 16 / sizeof(T);
  const unsigned lane = simt::lane_index();
  if (run.begin == run.end)
  {
    return; // its output may be null
  }
  T* const to = run.out - static_cast<std::ptrdiff_t>(run.begin); // of the ring's first item
  const unsigned first = (run.begin + vector_items - 1) / vector_items, last = run.end / vector_items;
  for (unsigned v = first + lane; v < last; v += simt::warp_lanes)
  {
    reinterpret_cast<vec16*>(to)[v] = *reinterpret_cast<const vec16*>(ring.template at<Part>(v * vector_items));
  }
  if constexpr (vector_items > 1)
  {
    // The items before the first whole vector, by the lower lanes, and those behind the last one, by the upper lanes.
    constexpr unsigned half = simt::warp_lanes / 2;
    const bool lower = lane < half;
    const unsigned head_end = first * vector_items < run.end ? first * vector_items : run.end;
    const unsigned tail = last * vector_items < head_end ? head_end : last * vector_items;
    const unsigned i = lower ? run.begin + lane : tail + lane - half;
    if (i < (lower ? head_end : run.end) && (lower || !simt::fault_active(simt::fault::partition_lose_tail)))
    {
      to[static_cast<std::ptrdiff_t>(i)] = *ring.template at<Part>(i);
    }
  }
}

//! Moves the items of a warp with all its items to two runs, and stores them. The lane has `before` selected items on its
//! left, the warp has `selected`. `out` and `rejected` are where the first items of the runs go; of a reversed run that is
//! the warp's last rejected item.
template <unsigned ItemsPerThread, rejected_order Order, class T>
REHEAT_DEVICE void split_and_store(const warp_ring<T>& ring, const item_bits<words_of_bits(ItemsPerThread)>& bits,
                                   unsigned before, unsigned selected, T* out, T* rejected)
{
  constexpr unsigned vector_items = 16 / sizeof(T), vectors = ItemsPerThread / vector_items;
  constexpr unsigned part = simt::warp_lanes * ItemsPerThread;
  const unsigned lane = simt::lane_index();
  const vec16* const own = reinterpret_cast<const vec16*>(ring.first + lane * ItemsPerThread);
  vec16 held[vectors];
  REHEAT_UNROLL
  for (unsigned v = 0; v < vectors; ++v)
  {
    held[v] = own[v];
  }
  const unsigned selected_begin = items_behind_vec16(out), selected_end = selected_begin + selected;
  const unsigned rejected_begin = selected_end + (items_behind_vec16(rejected) - selected_end) % vector_items;
  const unsigned rejected_end = rejected_begin + part - selected;
  const bool reversed = Order == rejected_order::reversed && !simt::fault_active(simt::fault::partition_keep_order);
  simt::sync_warp(simt::unless(simt::fault::partition_skip_hold_barrier)); // all lanes hold their items
  // The next selected item goes to place `at`; a rejected one to a place that follows from the two indices.
  unsigned at = selected_begin + before;
  const unsigned left = lane * ItemsPerThread; // items before the lane's
  const unsigned rejected_from = rejected_begin + left + selected_begin,
                 rejected_to = rejected_end - 1 - left - selected_begin;
  REHEAT_UNROLL
  for (unsigned v = 0; v < vectors; ++v)
  {
    uninitialized<T> items[vector_items];
    memcpy(static_cast<void*>(items), &held[v], sizeof(vec16));
    REHEAT_UNROLL
    for (unsigned i = 0; i < vector_items; ++i)
    {
      const unsigned index = v * vector_items + i;
      const bool is_selected = bits[index];
      const unsigned elsewhere = reversed ? rejected_to - index + at : rejected_from + index - at;
      construct_at(ring.template at<part>(is_selected ? at : elsewhere), items[i].get());
      at += is_selected ? 1 : 0;
    }
  }
  simt::sync_warp(simt::unless(simt::fault::partition_skip_move_barrier)); // all lanes have moved theirs
  store_run<part>(ring, ring_run<T>{selected_begin, selected_end, out});
  store_run<part>(ring, ring_run<T>{rejected_begin, rejected_end, rejected});
}

template <class Tuning, class Source, class Sink>
class partition_collective : public select_collective<Tuning, Source, Sink>
{
  using base = select_collective<Tuning, Source, Sink>;
  using base::generates;

protected:
  using base::cfg;
  using base::items_of_warp;
  using typename base::bits_type;
  using typename base::item;
  using typename base::item_iterator;

public:
  static constexpr bool packs_early = false;
  REHEAT_EXEC_CHECK_DISABLE
  template <class Memory>
  REHEAT_HOST_DEVICE constexpr partition_collective(Memory& memory, const scan_config& c)
      : base(memory, c),
        rooms_(memory.template array<vec16>(c.compute_threads / simt::warp_lanes * (warp_room_bytes / sizeof(vec16))))
  {}

  //! Stores the warp's items. All lanes call; `fold` counts the selected items before the thread's.
  template <scan_kind Kind, class Op>
  REHEAT_DEVICE void scan(Source& in, Sink& sink, const thread_slice& slice, optional_accumulator<long_selected_count>& fold,
                          Op&) const
  {
    base::scan_warp(sink, slice, fold,
                    [&](const warp_selection<bits_type>& mine)
                    {
                      if constexpr (generates)
                      {
                        store_rows(generated{in.items, slice.first + mine.first}, sink, mine);
                      }
                      else
                      {
                        store_array(base::items_of(slice.place.stage) + mine.first, sink, mine);
                      }
                    });
  }

protected:
  //! Whether the arrays of zipped items are stored as they are.
  template <class To>
  static constexpr bool takes_arrays =
      takes_arrays_v<decltype(To::out), item_iterator>&& takes_arrays_v<decltype(To::rejected), item_iterator>;

  //! Stores a warp's items, the first of which is `items[0]`, to `to.out` and `to.rejected`.
  template <class Items, class To>
  REHEAT_DEVICE void store_array(Items items, To& to, const warp_selection<bits_type>& mine) const
  {
    using stored = std::remove_reference_t<decltype(items[0])>;
    constexpr bool splits = std::is_pointer_v<Items> && walks_in_vec16_v<stored, cfg.items_per_thread> &&
                            moves_in_vec16_v<decltype(To::out), stored> && moves_in_vec16_v<decltype(To::rejected), stored>;
    if constexpr (splits)
    {
      if (mine.items() >= items_of_warp)
      {
        const std::uint64_t warp_rejected = mine.slice.first + mine.first - mine.warp_position;
        const unsigned selected = sum_over_lanes(mine.own);
        stored* const out = to.out + static_cast<std::ptrdiff_t>(mine.warp_position);
        stored* const rejected = To::order == rejected_order::kept
                                     ? to.rejected + static_cast<std::ptrdiff_t>(warp_rejected)
                                     : to.rejected - static_cast<std::ptrdiff_t>(warp_rejected + (items_of_warp - selected));
        // Items may be stored in vectors if they are at multiples of their size.
        if ((reinterpret_cast<std::uintptr_t>(out) | reinterpret_cast<std::uintptr_t>(rejected)) % sizeof(stored) == 0)
        {
          const warp_ring<stored> ring{items, reinterpret_cast<stored*>(rooms_ + mine.slice.thread / simt::warp_lanes *
                                                                                     (warp_room_bytes / sizeof(vec16)))};
          split_and_store<cfg.items_per_thread, To::order>(
              ring, mine.bits, static_cast<unsigned>(mine.position - mine.warp_position), selected, out, rejected);
          return;
        }
      }
    }
    store_rows(items, to, mine);
  }

private:
  //! Generated items from one on.
  struct generated
  {
    item_iterator& in;
    std::uint64_t first;
    REHEAT_DEVICE item operator[](unsigned i) const { return read_item(in, first + i); }
  };

  //! Stores a warp's items one by one, 32 neighbours at a time.
  template <class Items, class To>
  REHEAT_DEVICE void store_rows(const Items& items, To& to, const warp_selection<bits_type>& mine) const
  {
    const unsigned lane = simt::lane_index(), first_thread = mine.slice.thread - lane;
    const std::uint64_t warp_rejected = mine.slice.first + mine.first - mine.warp_position;
    unsigned position = 0; // selected items in the rows before
    for (unsigned row = 0; row < items_of_warp && row < mine.items(); row += simt::warp_lanes)
    {
      const unsigned i = row + lane;
      const bool valid = i < mine.items() || simt::fault_active(simt::fault::partition_store_missing);
      bool selected = false;
      if constexpr (generates)
      {
        selected = (simt::shuffle(mine.bits.word[0], row / simt::warp_lanes) >> lane & 1) != 0;
      }
      else
      {
        const unsigned thread = i / cfg.items_per_thread, bit = i % cfg.items_per_thread;
        selected = valid && (base::bits_of(mine.slice.place.stage, bit / 32)[first_thread + thread] >> bit % 32 & 1) != 0;
      }
      const std::uint32_t all = simt::ballot(selected);
      const unsigned before = position + simt::count_ones(all & ((1u << lane) - 1));
      if (selected)
      {
        to.out[static_cast<std::ptrdiff_t>(mine.warp_position + before)] = items[i];
      }
      else if (valid)
      {
        to.rejected[To::place(warp_rejected + (i - before))] = items[i];
      }
      position += simt::count_ones(all);
    }
  }

  vec16* rooms_; //!< [compute warp][warp_room_bytes]
};

//! As for selections: of items half of which are selected, both runs together are as long as the one of a selection of all.
template <class ItemIt, class StencilIt, class Predicate>
struct collective_for<partition_source<ItemIt, StencilIt, Predicate>>
{
  using source = partition_source<ItemIt, StencilIt, Predicate>;
  static constexpr std::size_t few_tiles_item_bytes = select_item_bytes<source>;
  template <class Tuning, class Sink, class Accum>
  using tile_collective = partition_collective<Tuning, source, Sink>;
  template <class Accum>
  using tuning = select_tuning_for<source, warp_room_bytes>;
};

} // namespace detail
REHEAT_NAMESPACE_END

// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Partitions in three: the items that a first predicate selects, those of the others that a second one selects, and the
//! rest.
//!
//! Tiles are loaded as a selection's. A thread asks the first predicate once about each of its items, and the second one
//! once about each item that the first one rejects. It leaves two bits for each item. Two counts are scanned. How many items
//! of the rest are before an item follows from its index. A warp moves its items so that those of a part stand together, and
//! stores three runs, as partitions store two.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/scan/collectives/collective.cuh>
#include <reheat/detail/scan/kind.cuh>
#include <reheat/detail/select/ask.cuh>
#include <reheat/detail/select/collective.cuh>
#include <reheat/detail/select/partition.cuh>
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

REHEAT_NAMESPACE_BEGIN
namespace detail
{

//! How many items of a range each predicate selects.
template <class Word>
struct part_items
{
  Word first;
  Word second;

  REHEAT_HOST_DEVICE part_items(Word first_, Word second_) : first(first_), second(second_) {}
  template <class Narrow>
  REHEAT_HOST_DEVICE explicit part_items(const part_items<Narrow>& other) : first(other.first), second(other.second)
  {}
};
//! Of a group of tiles: 8 bytes, which pass through shuffles and slots.
using part_count = part_items<std::uint32_t>;
//! Of any range.
using long_part_count = part_items<std::uint64_t>;

template <>
struct prefix_type<part_count>
{
  using type = long_part_count;
};
struct add_parts
{
  template <class Word, class Narrow>
  REHEAT_DEVICE part_items<Word> operator()(const part_items<Word>& x, const part_items<Narrow>& y) const
  {
    return {static_cast<Word>(x.first + y.first), static_cast<Word>(x.second + y.second)};
  }
};

//! Counts need no order, as selected_count.
template <>
inline constexpr bool folds_into_all_lanes_v<add_parts, part_count> = true;
REHEAT_DEVICE inline void warp_fold(uninitialized<part_count>& value, unsigned valid, add_parts&, part_count*)
{
  const bool there = simt::lane_index() < valid;
  const std::uint32_t first = there ? value.get().first : 0, second = there ? value.get().second : 0;
  value.construct(part_count(sum_over_lanes(first), sum_over_lanes(second)));
}

//! The input: that of a selection by the first predicate, and the second predicate.
template <class ItemIt, class First, class Second>
struct three_way_source : selection_source<ItemIt, no_stencil, First>
{
  Second second;
};

//! The three outputs, and where the two numbers of selected items go.
template <class FirstIt, class SecondIt, class RestIt, class CountIt>
struct three_way_sink
{
  FirstIt out;
  SecondIt second;
  RestIt rest;
  CountIt count;

  REHEAT_DEVICE void store_counts(const long_part_count& items)
  {
    using number = count_of<CountIt>;
    count[0] = static_cast<number>(items.first);
    count[1] = static_cast<number>(items.second);
  }
};

//! A vector for each of the three runs of a warp, as warp_room_bytes.
inline constexpr std::size_t three_way_room_bytes = 3 * sizeof(vec16);

//! As split_and_store, of items of which each is the first part's, the second's or neither's. The lane has so many items of
//! a part `before` it, and the warp `all` of them. `to` are where the warp's first items of the three parts go.
template <unsigned ItemsPerThread, class T>
REHEAT_DEVICE void split_in_three_and_store(const warp_ring<T>& ring,
                                            const item_bits<words_of_bits(ItemsPerThread)>& is_first,
                                            const item_bits<words_of_bits(ItemsPerThread)>& is_second,
                                            const part_count& before, const part_count& all, T* const (&to)[3])
{
  constexpr unsigned vector_items = 16 / sizeof(T), vectors = ItemsPerThread / vector_items;
  constexpr unsigned part = simt::warp_lanes * ItemsPerThread;
  const unsigned left = simt::lane_index() * ItemsPerThread; // items before the lane's
  const vec16* const own = reinterpret_cast<const vec16*>(ring.first + left);
  vec16 held[vectors];
  REHEAT_UNROLL
  for (unsigned v = 0; v < vectors; ++v)
  {
    held[v] = own[v];
  }
  const unsigned counts[3] = {all.first, all.second, part - all.first - all.second};
  unsigned begin[3], end[3];
  REHEAT_UNROLL
  for (unsigned i = 0; i < 3; ++i)
  {
    const unsigned from = i == 0 ? 0 : end[i - 1];
    begin[i] = from + (items_behind_vec16(to[i]) - from) % vector_items;
    end[i] = begin[i] + counts[i];
  }
  simt::sync_warp(simt::unless(simt::fault::partition_skip_hold_barrier)); // all lanes hold their items
  // The next items of the first two parts go to these places; a rejected one to a place that follows from the indices.
  unsigned at_first = begin[0] + before.first, at_second = begin[1] + before.second;
  const unsigned rest_from = begin[2] + left + begin[0] + begin[1];
  REHEAT_UNROLL
  for (unsigned v = 0; v < vectors; ++v)
  {
    uninitialized<T> items[vector_items];
    memcpy(static_cast<void*>(items), &held[v], sizeof(vec16));
    REHEAT_UNROLL
    for (unsigned i = 0; i < vector_items; ++i)
    {
      const unsigned index = v * vector_items + i;
      const bool first = is_first[index], second = is_second[index];
      const unsigned rest = rest_from + index - at_first - at_second;
      construct_at(ring.template at<part>(first ? at_first : second ? at_second : rest), items[i].get());
      at_first += first ? 1 : 0;
      at_second += second ? 1 : 0;
    }
  }
  simt::sync_warp(simt::unless(simt::fault::partition_skip_move_barrier)); // all lanes have moved theirs
  REHEAT_UNROLL
  for (unsigned i = 0; i < 3; ++i)
  {
    store_run<part>(ring, ring_run<T>{begin[i], end[i], to[i]});
  }
}

template <class Tuning, class Source, class Sink>
class three_way_collective : public select_collective<Tuning, Source, Sink>
{
  using base = select_collective<Tuning, Source, Sink>;
  using base::cfg;
  using base::generates;
  using base::items_of_warp;
  using base::words;
  using typename base::bits_type;
  using typename base::item;

public:
  static constexpr bool packs_early = false;
  REHEAT_EXEC_CHECK_DISABLE
  template <class Memory>
  REHEAT_HOST_DEVICE constexpr three_way_collective(Memory& memory, const scan_config& c)
      : base(memory, c),
        second_bits_(memory.template array<std::uint32_t>(c.stages * words_of_bits(c.items_per_thread) * c.compute_threads)),
        rooms_(memory.template array<vec16>(c.compute_threads / simt::warp_lanes * room_vectors))
  {}

  //! Counts the thread's selected items, and leaves their bits.
  template <class Op>
  REHEAT_DEVICE void reduce(Source& in, const thread_slice& slice, Op&, uninitialized<part_count>& fold) const
  {
    const unsigned first_item = slice.thread * cfg.items_per_thread;
    bits_type first{}, second{};
    const auto visit = [&](const item& own, unsigned w, unsigned i)
    {
      const bool is_first = ask_about(in.predicate, own);
      const bool is_second = !is_first && ask_about(in.second, own);
      if (is_first && simt::fault_active(simt::fault::partition_ask_both))
      {
        static_cast<void>(ask_about(in.second, own));
      }
      first.word[w] |= is_first ? 1u << i % 32 : 0;
      second.word[w] |= is_second ? 1u << i % 32 : 0;
    };
    if constexpr (!generates)
    {
      if (slice.count == cfg.items_per_thread)
      {
        visit_run<cfg.items_per_thread, cfg.items_per_thread>(base::items_of(slice.place.stage) + first_item,
                                                              [&](const item& own, unsigned i) { visit(own, i / 32, i); });
        return leave(first, second, slice, fold);
      }
    }
    REHEAT_UNROLL
    for (unsigned w = 0; w < words; ++w) // the word is a constant, so that words stay in registers
    {
      for (unsigned i = w * 32; i < slice.count && i < w * 32 + 32; ++i)
      {
        visit(item_of(in, slice, first_item + i), w, i);
      }
    }
    leave(first, second, slice, fold);
  }

  //! Stores the warp's items. All lanes call; `fold` counts the selected items before the thread's.
  template <scan_kind Kind, class Op>
  REHEAT_DEVICE void scan(Source& in, Sink& sink, const thread_slice& slice, optional_accumulator<long_part_count>& fold,
                          Op&) const
  {
    const unsigned lane = simt::lane_index(), first_item = (slice.thread - lane) * cfg.items_per_thread; // of the warp's
    if (first_item >= slice.items)
    {
      return;
    }
    const long_part_count before = fold.has ? fold.value.get() : long_part_count{0, 0};
    std::uint64_t first = simt::shuffle(before.first, 0), second = simt::shuffle(before.second, 0);
    std::uint64_t rest = slice.first + first_item - first - second;
    if constexpr (splits)
    {
      if (slice.items - first_item >= items_of_warp)
      {
        item* const to[3] = {sink.out + static_cast<std::ptrdiff_t>(first),
                             sink.second + static_cast<std::ptrdiff_t>(second),
                             sink.rest + static_cast<std::ptrdiff_t>(rest)};
        const std::uintptr_t addresses = reinterpret_cast<std::uintptr_t>(to[0]) | reinterpret_cast<std::uintptr_t>(to[1]) |
                                         reinterpret_cast<std::uintptr_t>(to[2]);
        if (addresses % sizeof(item) == 0) // items may be stored in vectors
        {
          const bits_type is_first = base::thread_bits(slice), is_second = second_bits(slice);
          const part_count all(sum_over_lanes(is_first.count()), sum_over_lanes(is_second.count()));
          split_in_three_and_store<cfg.items_per_thread>(
              warp_ring<item>{base::items_of(slice.place.stage) + first_item,
                              reinterpret_cast<item*>(rooms_ + slice.thread / simt::warp_lanes * room_vectors)},
              is_first, is_second,
              part_count(static_cast<std::uint32_t>(before.first - first),
                         static_cast<std::uint32_t>(before.second - second)),
              all, to);
          store_last_counts(sink, slice, first_item, {first + all.first, second + all.second});
          return;
        }
      }
    }
    const std::uint32_t below = (1u << lane) - 1;
    for (unsigned row = 0; row < items_of_warp && first_item + row < slice.items; row += simt::warp_lanes)
    {
      const unsigned i = row + lane, owner = i / cfg.items_per_thread, bit = i % cfg.items_per_thread;
      const unsigned thread = slice.thread - lane + owner;
      const bool there = first_item + i < slice.items;
      const bool is_first = there && (base::bits_of(slice.place.stage, bit / 32)[thread] >> bit % 32 & 1) != 0;
      const bool is_second = there && (second_bits_of(slice.place.stage, bit / 32)[thread] >> bit % 32 & 1) != 0;
      const std::uint32_t all_first = simt::ballot(is_first), all_second = simt::ballot(is_second);
      const std::uint32_t all_rest = simt::ballot(there) & ~(all_first | all_second);
      if (is_first)
      {
        store_item(in, slice, first_item + i, sink.out, first + simt::count_ones(all_first & below));
      }
      else if (is_second)
      {
        store_item(in, slice, first_item + i, sink.second, second + simt::count_ones(all_second & below));
      }
      else if (there)
      {
        store_item(in, slice, first_item + i, sink.rest, rest + simt::count_ones(all_rest & below));
      }
      first += simt::count_ones(all_first);
      second += simt::count_ones(all_second);
      rest += simt::count_ones(all_rest);
    }
    store_last_counts(sink, slice, first_item, {first, second});
  }

private:
  //! Whether a warp moves its items before it stores them.
  static constexpr bool splits =
      !generates && walks_in_vec16_v<item, cfg.items_per_thread> && moves_in_vec16_v<decltype(Sink::out), item> &&
      moves_in_vec16_v<decltype(Sink::second), item> && moves_in_vec16_v<decltype(Sink::rest), item>;
  static constexpr unsigned room_vectors = splits ? three_way_room_bytes / sizeof(vec16) : 0;

  //! Leaves the thread's bits for the scan.
  REHEAT_DEVICE void leave(const bits_type& first, const bits_type& second, const thread_slice& slice,
                           uninitialized<part_count>& fold) const
  {
    REHEAT_UNROLL
    for (unsigned w = 0; w < words; ++w)
    {
      base::bits_of(slice.place.stage, w)[slice.thread] = first.word[w];
      second_bits_of(slice.place.stage, w)[slice.thread] = second.word[w];
    }
    fold.construct(part_count(first.count(), second.count()));
  }
  //! What reduce has left of the second predicate.
  REHEAT_DEVICE bits_type second_bits(const thread_slice& slice) const
  {
    bits_type bits;
    REHEAT_UNROLL
    for (unsigned w = 0; w < words; ++w)
    {
      bits.word[w] = second_bits_of(slice.place.stage, w)[slice.thread];
    }
    return bits;
  }

  //! The first lane of the warp with the input's last item stores the numbers of selected items.
  REHEAT_DEVICE static void store_last_counts(Sink& sink, const thread_slice& slice, unsigned first_item,
                                              const long_part_count& selected)
  {
    if (slice.last && simt::lane_index() == 0 && first_item + items_of_warp >= slice.items)
    {
      sink.store_counts(selected);
    }
  }

  //! Item `i` of the tile.
  REHEAT_DEVICE decltype(auto) item_of([[maybe_unused]] Source& in, const thread_slice& slice, unsigned i) const
  {
    if constexpr (generates)
    {
      return read_item(in.items, slice.first + i);
    }
    else
    {
      return (base::items_of(slice.place.stage)[i]);
    }
  }
  template <class OutputIt>
  REHEAT_DEVICE void store_item(Source& in, const thread_slice& slice, unsigned i, OutputIt& out, std::uint64_t where) const
  {
    out[static_cast<std::ptrdiff_t>(where)] = item_of(in, slice, i);
  }
  //! [thread]: word w of its bits of the second predicate.
  REHEAT_DEVICE std::uint32_t* second_bits_of(unsigned stage, unsigned w) const
  {
    return second_bits_ + (stage * words + w) * cfg.compute_threads;
  }

  std::uint32_t* second_bits_; //!< [stage][word][compute thread]
  vec16* rooms_;               //!< [compute warp][room_vectors]
};

template <class ItemIt, class First, class Second>
struct collective_for<three_way_source<ItemIt, First, Second>>
{
  using source = three_way_source<ItemIt, First, Second>;
  static constexpr std::size_t few_tiles_item_bytes = select_item_bytes<source>;
  template <class Tuning, class Sink, class Accum>
  using tile_collective = three_way_collective<Tuning, source, Sink>;
  template <class Accum>
  using tuning = select_tuning_for<source, three_way_room_bytes, 2>;
};

} // namespace detail
REHEAT_NAMESPACE_END

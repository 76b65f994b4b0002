// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Partitions in three: the items that a first predicate selects, those of the others that a second one selects, and the
//! rest.
//!
//! Tiles are loaded as a selection's. A thread asks the first predicate once about each of its items, and the second one
//! once about each item that the first one rejects. It leaves two bits for each item. Two counts are scanned. How many items
//! of the rest are before an item follows from its index. A warp stores its items one by one, 32 neighbours at a time.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/scan/collectives/collective.cuh>
#include <reheat/detail/scan/kind.cuh>
#include <reheat/detail/scan/one_tile/shared.cuh>
#include <reheat/detail/select/ask.cuh>
#include <reheat/detail/select/collective.cuh>
#include <reheat/detail/select/selection.cuh>
#include <reheat/detail/select/tuning.cuh>
#include <reheat/detail/simt/simt.cuh>
#include <reheat/detail/thread/items.cuh>
#include <reheat/detail/thread/value.cuh>
#include <reheat/detail/warp/fold.cuh>

#include <cstddef>
#include <cstdint>

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
//! As of selected_count.
template <>
inline constexpr bool scans_in_registers_v<part_count> = false;

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
  REHEAT_EXEC_CHECK_DISABLE
  template <class Memory>
  REHEAT_HOST_DEVICE constexpr three_way_collective(Memory& memory, const scan_config& c)
      : base(memory, c),
        second_bits_(memory.template array<std::uint32_t>(c.stages * words_of_bits(c.items_per_thread) * c.compute_threads))
  {}

  //! Counts the thread's selected items, and leaves their bits.
  template <class Op>
  REHEAT_DEVICE void reduce(Source& in, const thread_slice& slice, Op&, uninitialized<part_count>& fold) const
  {
    const unsigned first_item = slice.thread * cfg.items_per_thread;
    bits_type first{}, second{};
    REHEAT_UNROLL
    for (unsigned w = 0; w < words; ++w) // the word is a constant, so that words stay in registers
    {
      for (unsigned i = w * 32; i < slice.count && i < w * 32 + 32; ++i)
      {
        const bool is_first = asks(in, in.predicate, slice, first_item + i);
        const bool is_second = !is_first && asks(in, in.second, slice, first_item + i);
        if (is_first && simt::fault_active(simt::fault::partition_ask_both))
        {
          static_cast<void>(asks(in, in.second, slice, first_item + i));
        }
        first.word[w] |= is_first ? 1u << i % 32 : 0;
        second.word[w] |= is_second ? 1u << i % 32 : 0;
      }
      base::bits_of(slice.place.stage, w)[slice.thread] = first.word[w];
      second_bits_of(slice.place.stage, w)[slice.thread] = second.word[w];
    }
    fold.construct(part_count(first.count(), second.count()));
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
    std::uint64_t first = simt::shuffle(fold.has ? fold.value.get().first : 0, 0);
    std::uint64_t second = simt::shuffle(fold.has ? fold.value.get().second : 0, 0);
    std::uint64_t rest = slice.first + first_item - first - second;
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
    if (slice.last && lane == 0 && first_item + items_of_warp >= slice.items)
    {
      sink.store_counts({first, second});
    }
  }

private:
  //! Asks a predicate about item `i` of the tile.
  template <class Predicate>
  REHEAT_DEVICE bool asks([[maybe_unused]] Source& in, Predicate& predicate, const thread_slice& slice, unsigned i) const
  {
    if constexpr (generates)
    {
      return ask_about(predicate, read_item(in.items, slice.first + i));
    }
    else
    {
      return ask_about(predicate, base::items_of(slice.place.stage)[i]);
    }
  }
  template <class OutputIt>
  REHEAT_DEVICE void store_item([[maybe_unused]] Source& in, const thread_slice& slice, unsigned i, OutputIt& out,
                                std::uint64_t where) const
  {
    if constexpr (generates)
    {
      out[static_cast<std::ptrdiff_t>(where)] = read_item(in.items, slice.first + i);
    }
    else
    {
      out[static_cast<std::ptrdiff_t>(where)] = base::items_of(slice.place.stage)[i];
    }
  }
  //! [thread]: word w of its bits of the second predicate.
  REHEAT_DEVICE std::uint32_t* second_bits_of(unsigned stage, unsigned w) const
  {
    return second_bits_ + (stage * words + w) * cfg.compute_threads;
  }

  std::uint32_t* second_bits_; //!< [stage][word][compute thread]
};

template <class ItemIt, class First, class Second>
struct collective_for<three_way_source<ItemIt, First, Second>>
{
  using source = three_way_source<ItemIt, First, Second>;
  static constexpr std::size_t few_tiles_item_bytes = select_item_bytes<source>;
  template <class Tuning, class Sink, class Accum>
  using tile_collective = three_way_collective<Tuning, source, Sink>;
  template <class Accum>
  using tuning = select_tuning_for<source, 0, 2>;
};

} // namespace detail
REHEAT_NAMESPACE_END

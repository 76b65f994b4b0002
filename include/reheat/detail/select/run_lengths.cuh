// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Runs of equal neighbours and their lengths, as a scan: the aggregate of a range of items says how many runs it opens, and
//! how many items follow from where the last of them opened.
//!
//! Encode: each run is one of the result. An item that begins a run opens it, and ends the run before.
//!
//! Runs of two items or more alone: an item opens a run if it is equal to the item before, which begins the run. An item
//! that begins a run ends the run before if that one is open, so if the item before begins no run. A thread needs to know of
//! the item before its first one whether it begins a run. The first lane of a warp compares that item once more.
//!
//! The length of a run is the distance between the two items where it opens and ends. The thread at its end stores it.
//! Opened runs are numbered, and all but the last one have ended, so the number of a run that ends follows from the same
//! count. At the end of the input the last run ends, too.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/scan/collectives/collective.cuh>
#include <reheat/detail/scan/collectives/plain.cuh>
#include <reheat/detail/scan/kind.cuh>
#include <reheat/detail/select/ask.cuh>
#include <reheat/detail/select/run_starts.cuh>
#include <reheat/detail/select/store.cuh>
#include <reheat/detail/select/unique.cuh>
#include <reheat/detail/select/unique_tuning.cuh>
#include <reheat/detail/simt/simt.cuh>
#include <reheat/detail/thread/items.cuh>
#include <reheat/detail/thread/value.cuh>
#include <reheat/detail/warp/fold.cuh>
#include <reheat/detail/warp/packed_run.cuh>
#include <reheat/detail/warp/scan.cuh>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

//! The runs of a range of items.
template <class Word>
struct opened_runs
{
  Word count; //!< how many open in the range
  Word tail;  //!< items from where the last one opens; all items if none does

  REHEAT_HOST_DEVICE opened_runs(Word count_, Word tail_) : count(count_), tail(tail_) {}
  template <class Narrow>
  REHEAT_HOST_DEVICE explicit opened_runs(const opened_runs<Narrow>& other) : count(other.count), tail(other.tail)
  {}
};
//! Of a group of tiles: 8 bytes, which pass through shuffles and slots.
using run_count = opened_runs<std::uint32_t>;
//! Of any range.
using long_run_count = opened_runs<std::uint64_t>;

template <>
struct prefix_type<run_count>
{
  using type = long_run_count;
};
struct append_runs
{
  template <class Word, class Narrow>
  REHEAT_DEVICE opened_runs<Word> operator()(const opened_runs<Word>& x, const opened_runs<Narrow>& y) const
  {
    const bool opens = y.count != 0 && !simt::fault_active(simt::fault::run_keep_tail);
    return {static_cast<Word>(x.count + y.count), static_cast<Word>(y.tail + (opens ? 0 : x.tail))};
  }
};

//! Votes say which lanes open runs, so counts and tails are plain sums.
template <>
inline constexpr bool folds_into_all_lanes_v<append_runs, run_count> = true;
REHEAT_DEVICE inline void warp_fold(uninitialized<run_count>& value, unsigned valid, append_runs&, run_count*)
{
  const unsigned lane = simt::lane_index();
  const bool there = lane < valid;
  const std::uint32_t count = there ? value.get().count : 0;
  const std::uint32_t opening = simt::ballot(count != 0);
  const unsigned last = opening != 0 ? simt::highest_one(opening) : 0;
  const std::uint32_t tail = there && lane >= last ? value.get().tail : 0;
  value.construct(run_count(sum_over_lanes(count), sum_over_lanes(tail)));
}
template <unsigned MaxValid = simt::warp_lanes>
REHEAT_DEVICE void warp_inclusive_scan(uninitialized<run_count>& value, unsigned valid, append_runs&, run_count*)
{
  const unsigned lane = simt::lane_index();
  const bool there = lane < valid;
  const std::uint32_t own = there ? value.get().count : 0, tail = there ? value.get().tail : 0;
  std::uint32_t count = own, items = tail; // of all lanes up to this one
  REHEAT_UNROLL
  for (unsigned distance = 1; distance < MaxValid; distance *= 2)
  {
    const std::uint32_t left = simt::shuffle_up(count, distance), left_items = simt::shuffle_up(items, distance);
    count += lane >= distance ? left : 0;
    items += lane >= distance ? left_items : 0;
  }
  // Without the items in front of the last lane up to this one that opens a run. Differences of sums are exact, whatever
  // the sums lose beyond 32 bits.
  const std::uint32_t opening = simt::ballot(own != 0) & (0xffffffffu >> (simt::warp_lanes - 1 - lane));
  const std::uint32_t before = simt::shuffle(items - tail, opening != 0 ? simt::highest_one(opening) : 0);
  value.construct(run_count(count, items - (opening != 0 ? before : 0)));
}

//! Which runs are stored.
enum class stored_runs
{
  all,        //!< with their first items
  non_trivial //!< those of two items or more, with the indices of their first items
};

//! The input. `NumberBytes` is the size of the largest numbers that warps pack.
template <stored_runs Which, std::size_t NumberBytes, class ItemIt, class Equal>
struct run_length_source : run_source<ItemIt, no_values, Equal>
{};

//! `items` and `count` as of unique. `items` takes indices for non-trivial runs.
template <class FirstIt, class LengthIt, class CountIt>
struct run_length_sink : unique_sink<FirstIt, no_values, CountIt>
{
  LengthIt lengths;
};

//! Whether a warp packs numbers where its items have been. Larger ones have memory of their own.
template <std::size_t NumberBytes, class Item>
inline constexpr bool packs_over_items_v = is_bitwise_copyable_v<Item>&& NumberBytes <= sizeof(Item);

template <stored_runs Which, std::size_t NumberBytes, class Tuning, class Source, class Sink>
class run_length_collective : public unique_collective<Tuning, Source, Sink>
{
  using base = unique_collective<Tuning, Source, Sink>;
  using base::cfg;
  using base::items_of_warp;
  using base::words;
  using typename base::bits_type;
  using typename base::item;

  static constexpr bool all = Which == stored_runs::all;
  static constexpr bool over_items = packs_over_items_v<NumberBytes, item>;
  //! Numbers that fit where the items have been.
  using narrow_number = std::conditional_t<sizeof(item) == 1, std::uint8_t,
                                           std::conditional_t<sizeof(item) < 4, std::uint16_t, std::uint32_t>>;
  static constexpr std::uint64_t max_narrow = static_cast<narrow_number>(~narrow_number{0}) - 1; // one more if non-trivial
  static_assert(cfg.items_per_thread < max_narrow);
  using packed_length = std::uint16_t; //!< of a run within a warp's items, if the warp packs early
  static_assert(items_of_warp <= std::numeric_limits<packed_length>::max());

  //! Bytes of a warp's own memory.
  REHEAT_HOST_DEVICE static constexpr std::size_t room_bytes(const scan_config& c)
  {
    return over_items ? 0 : packed_number_bytes(all, NumberBytes, c.items_per_thread);
  }

public:
  static constexpr bool packs_early = base::packs_early && all;

  REHEAT_EXEC_CHECK_DISABLE
  template <class Memory>
  REHEAT_HOST_DEVICE constexpr run_length_collective(Memory& memory, const scan_config& c)
      : base(memory, c),
        rooms_(memory.template array<vec16>(c.compute_threads / simt::warp_lanes * (room_bytes(c) / sizeof(vec16)), 128)),
        lengths_(memory.template array<packed_length>(packs_early ? c.tile_items() : 0, 16)),
        befores_(memory.template array<std::uint32_t>(all ? 0 : c.stages * (c.compute_threads / simt::warp_lanes)))
  {}

  template <class Op>
  REHEAT_DEVICE void reduce(Source& in, const thread_slice& slice, Op&, uninitialized<run_count>& fold) const
  {
    const bits_type starts = this->find_starts(in, slice);
    if constexpr (!all)
    {
      if (simt::lane_index() == 0)
      {
        befores_[warp_of(slice)] = item_before_starts(in, slice) ? 1 : 0;
      }
    }
    const run_bits runs = runs_of(starts, slice);
    unsigned tail = slice.count;
    REHEAT_UNROLL
    for (unsigned w = 0; w < words; ++w)
    {
      tail = runs.opens.word[w] != 0 ? slice.count - w * 32 - simt::highest_one(runs.opens.word[w]) : tail;
    }
    fold.construct(run_count(runs.opens.count(), tail));
  }

  //! The length of the first run that ends in the warp is counted from the warp's first item on, until the scan adds what is
  //! before it.
  REHEAT_DEVICE void pack_early(Source& in, const thread_slice& slice, const uninitialized<run_count>& of_lanes_before) const
  {
    const unsigned first = (slice.thread - simt::lane_index()) * cfg.items_per_thread; // of the warp's items
    if (first >= slice.items)
    {
      return;
    }
    const unsigned unended = slice.first + first == 0 ? 1 : 0; // where the input's first run opens, none ends
    unsigned from = 0 - (simt::lane_index() == 0 ? 0 : of_lanes_before.get().tail);
    pack_to_front<cfg.items_per_thread>(this->items_of(slice.place.stage) + first, slice.count, this->own_bits(in, slice),
                                        simt::lane_index() == 0 ? 0 : of_lanes_before.get().count,
                                        [&](unsigned at, unsigned i)
                                        {
                                          if (at >= unended)
                                          {
                                            lengths_[first + at - unended] = static_cast<packed_length>(i - from);
                                          }
                                          from = i;
                                        });
  }

  //! Stores what opens in the warp's items, and the lengths of what ends there. All lanes call; `fold` is of all items
  //! before the thread's.
  template <scan_kind Kind, class Op>
  REHEAT_DEVICE void scan(Source& in, Sink& sink, const thread_slice& slice, optional_accumulator<long_run_count>& fold,
                          Op&) const
  {
    const unsigned lane = simt::lane_index(), first = (slice.thread - lane) * cfg.items_per_thread; // of the warp's items
    if (first >= slice.items)
    {
      return;
    }
    const bits_type starts = this->own_bits(in, slice);
    const run_bits runs = runs_of(starts, slice);
    const unsigned opens = runs.opens.count(), ends = runs.ends.count();
    const std::uint64_t position = fold.has ? fold.value.get().count : 0, tail = fold.has ? fold.value.get().tail : 0;
    const std::uint64_t ended = position - (runs.is_open ? 1 : 0);
    const std::uint64_t warp_opened = simt::shuffle(position, 0), warp_ended = simt::shuffle(ended, 0);
    const warp_part mine{slice, first, warp_opened, warp_ended, simt::shuffle(tail, 0)};
    if (this->ends_input(slice))
    {
      store_last_run(sink, runs, position + opens, slice.count, tail);
    }
    const unsigned warp_opens = sum_over_lanes(opens), warp_ends = sum_over_lanes(ends);
    // Only the first run that ends in a lane may be longer than the lane's items.
    const bool narrow = !simt::any(ends != 0 && first_one(runs.ends) + tail > max_narrow);
    if constexpr (packs_early)
    {
      using length = count_of<decltype(sink.lengths)>;
      const packed_length* const lengths = lengths_ + first;
      const std::uint64_t more = simt::fault_active(simt::fault::run_lose_tail_before) ? 0 : mine.tail; // of the first one
      this->template store_items<false>(sink, {slice, starts, first, warp_opened, position, warp_opens, false});
      store_front<cfg.items_per_thread>(
          warp_ends,
          [&](unsigned i)
          { return static_cast<length>(lengths[i] + (i == 0 ? static_cast<number_word<length>>(more) : 0)); },
          sink.lengths + static_cast<std::ptrdiff_t>(warp_ended));
    }
    else if constexpr (all)
    {
      this->template store_items<false>(sink, {slice, starts, first, warp_opened, position, warp_opens,
                                               !simt::any(opens > few_items(cfg.items_per_thread))});
      const bool packed = store_packed_numbers(
          sink.lengths, mine, narrow, {warp_ended, static_cast<unsigned>(ended - warp_ended), ends, warp_ends},
          [&](auto zero, const auto& emit) { for_each_length(runs, zero - static_cast<decltype(zero)>(tail), emit); });
      if (!packed)
      {
        store_rows<true, false>(sink, mine);
      }
    }
    else
    {
      const bool lengths = store_packed_numbers(
          sink.lengths, mine, narrow, {warp_ended, static_cast<unsigned>(ended - warp_ended), ends, warp_ends},
          [&](auto zero, const auto& emit) { for_each_length(runs, zero - static_cast<decltype(zero)>(tail), emit); });
      const bool firsts = store_packed_numbers(
          sink.items.out, mine, false, {warp_opened, static_cast<unsigned>(position - warp_opened), opens, warp_opens},
          [&](auto zero, const auto& emit)
          {
            const auto own = zero + static_cast<decltype(zero)>(slice.first + slice.thread * cfg.items_per_thread);
            for_each_one(runs.opens, [&](unsigned i) { emit(own + i - 1); });
          });
      if (!lengths)
      {
        store_rows<true, false>(sink, mine);
      }
      if (!firsts)
      {
        store_rows<false, true>(sink, mine);
      }
    }
  }

private:
  //! A lane's items that open and end runs.
  struct run_bits
  {
    bits_type opens;
    bits_type ends;
    bool is_open; //!< a run is open at the lane's first item
  };
  //! A warp's items of a tile, from `first` on, and what it knows of those before.
  struct warp_part
  {
    const thread_slice& slice;
    unsigned first;
    std::uint64_t opened; //!< runs that have opened
    std::uint64_t ended;  //!< those that have ended
    std::uint64_t tail;   //!< items since the last one has opened
  };
  //! What numbers of a type are computed in.
  template <class Number>
  using number_word = std::conditional_t<std::is_integral_v<Number> && sizeof(Number) <= 4, std::uint32_t, std::uint64_t>;
  //! Numbers that the lanes of a warp store.
  struct warp_numbers
  {
    std::uint64_t begin; //!< where the warp's first one goes
    unsigned before;     //!< those of the lanes below
    unsigned own;        //!< of this lane
    unsigned count;      //!< of the warp
  };

  REHEAT_DEVICE static unsigned warp_of(const thread_slice& slice)
  {
    return slice.place.stage * (cfg.compute_threads / simt::warp_lanes) + slice.thread / simt::warp_lanes;
  }

  //! Whether the item before the thread's first one begins a run. Of none that is so: no run is open.
  REHEAT_DEVICE bool item_before_starts(Source& in, const thread_slice& slice) const
  {
    if (slice.thread != 0)
    {
      if (slice.count == 0)
      {
        return true;
      }
      const item* const own = this->items_of(slice.place.stage) + slice.thread * cfg.items_per_thread;
      return !in.equal(own[-2], own[-1]);
    }
    return slice.first < 2 || !in.equal(read_item(in.items, slice.first - 2), read_item(in.items, slice.first - 1));
  }

  //! What follows from the thread's items that begin runs. All lanes call.
  REHEAT_DEVICE run_bits runs_of(const bits_type& starts, const thread_slice& slice) const
  {
    run_bits runs{starts, starts, slice.first + slice.thread != 0};
    if constexpr (all)
    {
      runs.ends.word[0] &= runs.is_open ? 0xffffffffu : 0xfffffffeu;
    }
    else
    {
      const unsigned lane = simt::lane_index();
      constexpr unsigned last = cfg.items_per_thread - 1;
      std::uint32_t before = simt::shuffle_up(starts.word[last / 32] >> last % 32 & 1, 1);
      before = lane == 0 ? befores_[warp_of(slice)] : before;
      runs.is_open = before == 0;
      REHEAT_UNROLL
      for (unsigned w = 0; w < words; ++w)
      {
        const std::uint32_t own = starts.word[w], previous = own << 1 | before;
        const unsigned count = slice.count > w * 32 ? slice.count - w * 32 : 0;
        runs.opens.word[w] = previous & ~own & (count >= 32 ? 0xffffffffu : (1u << count) - 1);
        runs.ends.word[w] = own & ~previous;
        before = own >> 31;
      }
    }
    return runs;
  }

  //! The index of the lowest bit that is 1; 0 if there is none.
  REHEAT_DEVICE static unsigned first_one(const bits_type& bits)
  {
    unsigned first = 0;
    REHEAT_UNROLL
    for (unsigned w = words; w-- > 0;)
    {
      first = bits.word[w] != 0 ? w * 32 + lowest_one(bits.word[w]) : first;
    }
    return first;
  }
  //! Calls `visit(i)` for each bit that is 1, in order.
  template <class Visit>
  REHEAT_DEVICE static void for_each_one(const bits_type& bits, const Visit& visit)
  {
    REHEAT_UNROLL
    for (unsigned w = 0; w < words; ++w)
    {
      for (std::uint32_t left = bits.word[w]; left != 0; left &= left - 1)
      {
        visit(w * 32 + lowest_one(left));
      }
    }
  }
  //! Calls `emit(length)` for each run that ends in the lane's items, in order. `from` is where the run that is open has
  //! opened, counted from the lane's first item.
  template <class Word, class Emit>
  REHEAT_DEVICE static void for_each_length(const run_bits& runs, Word from, const Emit& emit)
  {
    if constexpr (all)
    {
      for_each_one(runs.ends,
                   [&](unsigned i)
                   {
                     emit(static_cast<Word>(i - from));
                     from = i;
                   });
    }
    else if constexpr (words == 1)
    {
      // A run that is open at the first item ends first. All others that end have opened here, in the same order.
      std::uint32_t opens = runs.opens.word[0];
      bool is_open = runs.is_open;
      for_each_one(runs.ends,
                   [&](unsigned i)
                   {
                     const Word opened = is_open ? from : static_cast<Word>(lowest_one(opens));
                     opens &= is_open ? opens : opens - 1;
                     is_open = false;
                     emit(static_cast<Word>(i - opened + 1)); // the run began one item before it opened
                   });
    }
    else
    {
      REHEAT_UNROLL
      for (unsigned w = 0; w < words; ++w)
      {
        for (std::uint32_t left = runs.opens.word[w] | runs.ends.word[w]; left != 0; left &= left - 1)
        {
          const unsigned bit = lowest_one(left), i = w * 32 + bit;
          if ((runs.ends.word[w] >> bit & 1) != 0)
          {
            emit(static_cast<Word>(i - from + 1)); // the run began one item before it opened
          }
          else
          {
            from = i;
          }
        }
      }
    }
  }

  //! The thread with the input's last item, and `items` items, stores the length of the run that is open there and how many
  //! runs have opened.
  REHEAT_DEVICE static void store_last_run(Sink& sink, const run_bits& runs, std::uint64_t opened, unsigned items,
                                           std::uint64_t tail)
  {
    sink.store_count(opened);
    std::uint64_t from = 0 - tail;
    bool is_open = runs.is_open;
    REHEAT_UNROLL
    for (unsigned w = 0; w < words; ++w)
    {
      if constexpr (all)
      {
        const std::uint32_t opens = runs.opens.word[w]; // and each ends the run before
        is_open = is_open || opens != 0;
        from = opens != 0 ? w * 32 + simt::highest_one(opens) : from;
      }
      else
      {
        for (std::uint32_t left = runs.opens.word[w] | runs.ends.word[w]; left != 0; left &= left - 1)
        {
          const unsigned bit = lowest_one(left);
          is_open = (runs.opens.word[w] >> bit & 1) != 0;
          from = is_open ? w * 32 + bit : from;
        }
      }
    }
    if (is_open && !simt::fault_active(simt::fault::run_lose_last))
    {
      sink.lengths[static_cast<std::ptrdiff_t>(opened - 1)] =
          static_cast<count_of<decltype(sink.lengths)>>(items - from + (all ? 0 : 1));
    }
  }

  //! Packs a warp's numbers in shared memory and stores them. `make(0, emit)` calls `emit(number)` for each of the lane's
  //! numbers, in order; they are computed in the type of the zero. `are_narrow`: none is larger than max_narrow. Returns
  //! false, without an effect, if they do not fit or are not stored in vectors. All lanes call. The warp's items are lost.
  template <class OutputIt, class Make>
  REHEAT_DEVICE bool store_packed_numbers([[maybe_unused]] OutputIt& out, [[maybe_unused]] const warp_part& mine,
                                          [[maybe_unused]] bool are_narrow, [[maybe_unused]] const warp_numbers& numbers,
                                          [[maybe_unused]] const Make& make) const
  {
    using number = count_of<OutputIt>;
    if constexpr (moves_in_vec16_v<OutputIt, number> && fills_vec16_v<number> && sizeof(number) <= NumberBytes)
    {
      number* const to = out + static_cast<std::ptrdiff_t>(numbers.begin);
      if (reinterpret_cast<std::uintptr_t>(to) % sizeof(number) != 0)
      {
        return false;
      }
      item* const items = this->items_of(mine.slice.place.stage) + mine.first;
      if constexpr (over_items)
      {
        pack_and_store_numbers<number, items_of_warp * sizeof(item)>(items, to, numbers, make);
        return true;
      }
      else
      {
        if constexpr (widens_v<narrow_number*, number> && is_bitwise_copyable_v<item>)
        {
          if (are_narrow)
          {
            pack_and_store_numbers<narrow_number, items_of_warp * sizeof(item)>(items, to, numbers, make);
            return true;
          }
        }
        if (simt::any(numbers.own > packed_numbers(all, cfg.items_per_thread)))
        {
          return false;
        }
        vec16* const room = rooms_ + mine.slice.thread / simt::warp_lanes * (room_bytes(cfg) / sizeof(vec16));
        pack_and_store_numbers<number, room_bytes(cfg)>(room, to, numbers, make);
        return true;
      }
    }
    else
    {
      return false;
    }
  }
  //! Packs numbers as Packed in `Bytes` bytes at `memory`, which is aligned to 16 bytes, and stores them.
  template <class Packed, std::size_t Bytes, class Number, class Make>
  REHEAT_DEVICE static void pack_and_store_numbers(void* memory, Number* to, const warp_numbers& numbers, const Make& make)
  {
    constexpr unsigned part = static_cast<unsigned>(Bytes / sizeof(vec16) * (sizeof(vec16) / sizeof(Packed)));
    Packed* const packing = static_cast<Packed*>(memory);
    const unsigned shift = items_behind_vec16(to);
    simt::sync_warp(simt::unless(simt::fault::run_skip_item_barrier)); // all lanes have stored what was here
    unsigned at = shift + numbers.before;
    make(number_word<Number>{0},
         [&](number_word<Number> value)
         {
           construct_at(packing + in_ring(at, part), static_cast<Packed>(value));
           ++at;
         });
    simt::sync_warp(simt::unless(simt::fault::run_skip_pack_barrier)); // all lanes have packed theirs
    store_packed(packing, part, to, shift, numbers.count);
  }

  //! Stores lengths, or the indices of first items, one by one, of 32 neighbours at a time.
  template <bool Lengths, bool Firsts>
  REHEAT_DEVICE void store_rows(Sink& sink, const warp_part& mine) const
  {
    using length = count_of<decltype(sink.lengths)>;
    using word = number_word<length>;
    constexpr unsigned rows_at_once = 4; // what they read does not wait for what the rows before have stored
    const unsigned lane = simt::lane_index(), left_items = mine.slice.items - mine.first;
    const unsigned items = left_items < items_of_warp ? left_items : items_of_warp;
    const std::uint32_t below = (1u << lane) - 1;
    const std::uint64_t first_index = mine.slice.first + mine.first;
    const auto lengths = sink.lengths + static_cast<std::ptrdiff_t>(mine.ended);
    std::uint32_t before = 1; // the item before the row begins a run
    if constexpr (!all)
    {
      before = befores_[warp_of(mine.slice)];
    }
    unsigned opened = 0, ended = 0;
    word from = word{0} - static_cast<word>(mine.tail);
    const auto store_row = [&](unsigned row)
    {
      const unsigned i = row + lane;
      const std::uint32_t starts = simt::ballot(i < items && starts_run(mine, i));
      const std::uint32_t previous = starts << 1 | before;
      const std::uint32_t opens = all ? starts : previous & ~starts & simt::ballot(i < items);
      const std::uint32_t ends = all ? starts & (first_index + row != 0 ? 0xffffffffu : 0xfffffffeu) : starts & ~previous;
      if (Lengths && (ends >> lane & 1) != 0)
      {
        const std::uint32_t left = opens & below;
        const word opening = left != 0 ? row + simt::highest_one(left) : from;
        lengths[static_cast<std::ptrdiff_t>(ended + simt::count_ones(ends & below))] =
            static_cast<length>(static_cast<word>(i - opening + (all ? 0 : 1)));
      }
      if constexpr (Firsts)
      {
        if ((opens >> lane & 1) != 0)
        {
          sink.items.out[static_cast<std::ptrdiff_t>(mine.opened + opened + simt::count_ones(opens & below))] =
              static_cast<count_of<decltype(sink.items.out)>>(first_index + i - 1);
        }
      }
      opened += simt::count_ones(opens);
      ended += simt::count_ones(ends);
      from = opens != 0 ? row + simt::highest_one(opens) : from;
      before = starts >> 31;
    };
    for (unsigned row = 0; row < items; row += rows_at_once * simt::warp_lanes)
    {
      REHEAT_UNROLL
      for (unsigned r = 0; r < rows_at_once; ++r)
      {
        store_row(row + r * simt::warp_lanes);
      }
    }
  }
  //! The bit of item `i` of a warp.
  REHEAT_DEVICE bool starts_run(const warp_part& mine, unsigned i) const
  {
    const unsigned thread = i / cfg.items_per_thread, bit = i % cfg.items_per_thread;
    const unsigned first_thread = mine.slice.thread - simt::lane_index();
    return (this->bits_of(mine.slice.place.stage, bit / 32)[first_thread + thread] >> bit % 32 & 1) != 0;
  }

  vec16* rooms_;           //!< [compute warp]: to pack numbers in, if they are larger than items
  packed_length* lengths_; //!< [item], if packs_early: of runs that end
  std::uint32_t* befores_; //!< [stage][compute warp]: whether the item before the warp's first one begins a run
};

template <stored_runs Which, std::size_t NumberBytes, class ItemIt, class Equal>
struct collective_for<run_length_source<Which, NumberBytes, ItemIt, Equal>>
{
  using source = run_length_source<Which, NumberBytes, ItemIt, Equal>;
  static constexpr std::size_t few_tiles_item_bytes = sizeof(value_of<ItemIt>);
  template <class Tuning, class Sink, class Accum>
  using tile_collective = run_length_collective<Which, NumberBytes, Tuning, source, Sink>;
  template <class Accum>
  using tuning =
      run_length_tuning<sizeof(value_of<ItemIt>), runs_in_memory_v<source>,
                        packs_over_items_v<NumberBytes, value_of<ItemIt>> ? 0 : NumberBytes, Which == stored_runs::all>;
};

} // namespace detail
REHEAT_NAMESPACE_END

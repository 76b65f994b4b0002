// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Reductions of segments that offsets cut from one range: a result for each segment, in the segments' order.
//!
//! The sequence of all items and all ends of segments is divided into spans of equal cost (spans.cuh), and each block gets
//! one. So neither a long segment nor many short or empty ones make a block late. A block goes through its span tile by
//! tile:
//!
//! 1. It loads the tile's items into shared memory, and the ends of the segments there, and marks the last item of each
//!    segment.
//! 2. A thread folds its neighbouring items, and leaves the fold of each segment that ends there in the place of the
//!    segment's last item.
//! 3. Across threads, the folds of the items since the last end are scanned. What is open before a thread joins the first
//!    segment that ends in it.
//! 4. A thread for each end stores the segment's result, beside its neighbours'.
//!
//! A segment may reach from one span into others. Its block cannot store the result of the first segment that ends in its
//! span, if that segment began before. So each block leaves a record: the fold of that segment's items in the span, and the
//! fold of the items behind the last end. A second launch of one block scans the records and stores those results.
//!
//! No block waits for another one, and both launches need no memory with any particular content.
//!
//! Association. Spans follow from the numbers of items and segments. Tiles count from the first item of their span; the
//! first tile, and the one behind a tile that ended with its window of ends, are shorter, so that the next one is aligned to
//! 16 bytes. A segment's items are folded: those of a thread from the left, then threads as warp_inclusive_scan does, then
//! warps, tiles, and spans from the left. Neither the number of multiprocessors nor other work matters.
#pragma once

#include <reheat/detail/block/tile.cuh>
#include <reheat/detail/config.cuh>
#include <reheat/detail/device_traits.cuh>
#include <reheat/detail/grid/memory.cuh>
#include <reheat/detail/grid/slot.cuh>
#include <reheat/detail/iterators.cuh>
#include <reheat/detail/segmented/carry.cuh>
#include <reheat/detail/segmented/ends.cuh>
#include <reheat/detail/segmented/spans.cuh>
#include <reheat/detail/segmented/tuning.cuh>
#include <reheat/detail/segments/segments.cuh>
#include <reheat/detail/simt/simt.cuh>
#include <reheat/detail/thread/items.cuh>
#include <reheat/detail/thread/value.cuh>

#include <cstdint>
#include <cstring>
#include <type_traits>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

//! What a block leaves of its span.
template <class T>
struct span_record
{
  std::uint64_t segment; //!< the first that ends in the span
  bool pending;          //!< it began before the span, so its result is not stored yet
  bool has_head, has_tail;
  bool ended;            //!< a segment ends in the span
  uninitialized<T> head; //!< the fold of that segment's items in the span
  uninitialized<T> tail; //!< the fold of the items behind the last end
};

REHEAT_HOST_DEVICE constexpr unsigned segmented_mark_words(const segmented_config& c)
{
  return (c.items_per_thread + 3) / 4;
}

//! Shared memory of a block; scratch memory if items are too large for it.
template <class T>
struct segmented_shared
{
  T* items;                //!< [tile_items]; at the last item of a segment, later its fold
  std::uint32_t* marks;    //!< [thread][segmented_mark_words]: a byte for each item, 1 if a segment ends behind it
  std::uint32_t* ends;     //!< [window_ends]: how many of the tile's items are before the end
  unsigned* counts;        //!< [warp]
  segmented_place* places; //!< where the span begins and ends
  carry_shared<T> carry;

  REHEAT_EXEC_CHECK_DISABLE
  template <class Memory>
  REHEAT_HOST_DEVICE constexpr segmented_shared(Memory& memory, const segmented_config& c)
      : items(memory.template array<T>(c.tile_items(), alignof(T) > 16 ? alignof(T) : 16)),
        marks(memory.template array<std::uint32_t>(c.block_threads * segmented_mark_words(c))),
        ends(memory.template array<std::uint32_t>(c.window_ends)), counts(memory.template array<unsigned>(c.warps())),
        places(memory.template array<segmented_place>(2)), carry(memory, c.warps())
  {}
};

template <class T>
REHEAT_HOST_DEVICE constexpr std::size_t segmented_shared_bytes(const segmented_config& c)
{
  block_memory_counter counter(c.in_scratch);
  segmented_shared<T> layout(counter, c);
  static_cast<void>(layout);
  return counter.shared_bytes();
}
//! The same for scratch memory.
template <class T>
REHEAT_HOST_DEVICE constexpr std::size_t segmented_scratch_bytes(const segmented_config& c)
{
  block_memory_counter counter(c.in_scratch);
  segmented_shared<T> layout(counter, c);
  static_cast<void>(layout);
  return counter.scratch_bytes();
}

//! The tuning for Ts, with tiles in scratch memory on every architecture if one of them has not enough shared memory:
//! results do not depend on where tiles lie, but their sizes are the same everywhere.
template <class T>
struct fitting_segmented_tuning
{
  REHEAT_HOST_DEVICE constexpr segmented_config operator()(int arch) const
  {
    segmented_config c = segmented_tuning<sizeof(T)>{}(arch);
    c.in_scratch = segmented_shared_bytes<T>(c) > 48 * 1024;
    return c;
  }
};

//! Bits 0, 8, 16 and 24 of a word as its lowest four bits.
REHEAT_DEVICE inline std::uint32_t gathered_bits(std::uint32_t bytes)
{
  return bytes * 0x10204080u >> 28;
}

template <class T>
struct segmented_params
{
  std::uint64_t segments;
  unsigned max_spans;                //!< the blocks of the grid
  std::size_t record_bytes;          //!< of all records; 0 for one block
  workspace<span_record<T>> scratch; //!< [span], and behind it the blocks' arrays if they lie there; none for one block
};

//! At most how many spans the host has to expect.
template <class Costs, class BeginIt, class EndIt>
unsigned max_spans_of(const segmented_config& cfg, const adjacent_ends<BeginIt, EndIt>&, std::uint64_t)
{
  return cfg.max_spans;
}
template <class Costs>
unsigned max_spans_of(const segmented_config& cfg, const equal_ends& ends, std::uint64_t segments)
{
  return span_division<Costs>(segments * ends.size, segments, cfg.max_spans, cfg.span_costs).spans();
}

template <class Tuning, class Accum>
REHEAT_DEVICE auto segmented_memory(const segmented_params<Accum>& params)
{
  constexpr segmented_config cfg = Tuning{}(simt::arch);
  return memory_of_block<cfg.in_scratch>(params.scratch, params.record_bytes, segmented_scratch_bytes<Accum>(cfg));
}

//! The division of a reduction. Both launches make the same.
template <class Tuning, class Accum, class Ends>
REHEAT_DEVICE auto division_of(const segmented_params<Accum>& params, Ends& ends, std::uint64_t base)
{
  using costs = segmented_costs<sizeof(Accum)>;
  constexpr segmented_config cfg = Tuning{}(simt::arch);
  static_assert(cfg.span_costs >= costs::item && cfg.span_costs >= costs::end, "no span is empty");
  return span_division<costs>(ends.end(params.segments - 1, base), params.segments, params.max_spans, cfg.span_costs);
}

//! By how many items `in + first` is past the address where load_tile moves whole vectors.
template <class T, class It>
REHEAT_DEVICE unsigned items_past_alignment(const It& in, std::uint64_t first)
{
  if constexpr (moves_in_vec16_v<It, T> || widens_v<It, T>)
  {
    constexpr std::size_t size = sizeof(*in), vector = moves_in_vec16_v<It, T> ? 16 : 16 / sizeof(T) * size;
    if constexpr (vector % size == 0)
    {
      return static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(in + first) % vector / size);
    }
  }
  return 0;
}
template <class T>
REHEAT_DEVICE bool is_vec16_aligned(const T* in, std::uint64_t first)
{
  return reinterpret_cast<std::uintptr_t>(in + first) % 16 == 0;
}
template <class It>
REHEAT_DEVICE bool is_vec16_aligned(const It&, std::uint64_t)
{
  return false;
}

//! One block of the reduction. A sink stores results: store(segment, fold, start) for a segment whose first item is at
//! position `start`, and store_empty(segment).
template <class Tuning, class Input, class Accum, class Op, class Ends, class Sink>
class segmented_block
{
  static constexpr segmented_config cfg = Tuning{}(simt::arch);
  static constexpr unsigned per_thread = cfg.items_per_thread, mark_words = segmented_mark_words(cfg);
  static constexpr unsigned held_ends = 4; //!< of a thread's ends of a window, loaded before its items
  static_assert(per_thread <= 32, "a bit per item of a thread");

public:
  REHEAT_DEVICE segmented_block(const segmented_shared<Accum>& shared, Input in, Op op, Ends ends, std::uint64_t base,
                                Sink sink)
      : shared_(shared), in_(in), op_{op}, ends_(ends), sink_(sink), base_(base)
  {}

  //! Reduces what lies between two places and leaves a record, unless `record` is null. All threads call.
  REHEAT_DEVICE void reduce(const segmented_place& first, const segmented_place& last, span_record<Accum>* record)
  {
    place_ = first;
    start_ = first.segment == 0 ? 0 : ends_.end(first.segment - 1, base_);
    pending_ = start_ < first.item;
    record_ = record;
    window_ = expected_ends(first, last);
    clear_marks();
    if (record != nullptr && simt::thread_index() == 0)
    {
      record->pending = false;
    }
    simt::sync_block();
    while (place_.item < last.item || place_.segment < last.segment)
    {
      reduce_tile(last);
    }
    if (record != nullptr && simt::thread_index() == 0)
    {
      record->ended = first.segment != last.segment;
      record->has_tail = open_.items.has && !simt::fault_active(simt::fault::lose_tail);
      if (open_.items.has)
      {
        record->tail.construct(open_.items.value.get());
      }
    }
  }

private:
  //! How many ends to load with the first tile: twice the average.
  REHEAT_DEVICE static unsigned expected_ends(const segmented_place& first, const segmented_place& last)
  {
    const std::uint64_t items = last.item - first.item, ends = last.segment - first.segment;
    const std::uint64_t tiles = items / cfg.tile_items() + 1;
    return window_for(ends / tiles);
  }
  //! How many ends to load with a tile if the one before it had `ends`.
  REHEAT_DEVICE static unsigned window_for(std::uint64_t ends)
  {
    const std::uint64_t window = 2 * ends + simt::warp_lanes;
    return window < cfg.window_ends ? static_cast<unsigned>(window) : cfg.window_ends;
  }

  REHEAT_DEVICE void reduce_tile(const segmented_place& last)
  {
    const unsigned loaded = load(last);
    simt::sync_block(simt::unless(simt::fault::skip_window_barrier));
    unsigned ends = 0;
    REHEAT_UNROLL
    for (unsigned warp = 0; warp < cfg.warps(); ++warp)
    {
      ends += shared_.counts[warp];
    }
    // Behind the last end of a full window there may be more before the next item.
    const bool cut = ends == loaded_ends_ && place_.segment + ends < last.segment;
    const unsigned items = cut ? shared_.ends[ends - 1] : loaded;

    const unsigned own_first = simt::thread_index() * per_thread;
    const unsigned own_items = items <= own_first ? 0 : items - own_first < per_thread ? items - own_first : per_thread;
    uninitialized<run_fold<Accum>> own;
    const unsigned first_end = fold_own(own_first, own_items, own);
    open_fold<Accum> before;
    if (items != 0)
    {
      carry_between_threads(own, (items + per_thread - 1) / per_thread, open_, before, op_, shared_.carry);
    }
    if (first_end < per_thread && before.items.has && !simt::fault_active(simt::fault::forget_open))
    {
      Accum& fold = shared_.items[own_first + first_end];
      fold = op_.op(before.items.value.get(), fold);
    }
    simt::sync_block(simt::unless(simt::fault::skip_results_barrier));
    store(ends);
    place_.item += items;
    place_.segment += ends;
    window_ = window_for(ends);
    simt::sync_block(simt::unless(simt::fault::skip_next_tile_barrier)); // the tile has been read
  }

  //! Loads the tile's items and ends, marks the last items of segments, and leaves the number of ends in `counts`. Returns
  //! the number of items.
  REHEAT_DEVICE unsigned load(const segmented_place& last)
  {
    const unsigned thread = simt::thread_index();
    const std::uint64_t first = base_ + place_.item;
    const unsigned lead = items_past_alignment<Accum>(in_, first);
    const std::uint64_t left = last.item - place_.item;
    const unsigned items = left < cfg.tile_items() - lead ? static_cast<unsigned>(left) : cfg.tile_items() - lead;
    const std::uint64_t ends_left = last.segment - place_.segment;
    loaded_ends_ = ends_left < window_ ? static_cast<unsigned>(ends_left) : window_;

    // The loads of the items follow without a wait for these ends.
    std::uint64_t held[held_ends];
    REHEAT_UNROLL
    for (unsigned h = 0; h < held_ends; ++h)
    {
      const unsigned i = thread + h * cfg.block_threads;
      held[h] = i < loaded_ends_ ? ends_.end(place_.segment + i, base_) : 0;
    }
    load_tile<per_thread>(in_, is_vec16_aligned(in_, first), first, items, shared_.items, thread, cfg.block_threads);
    unsigned count = 0;
    REHEAT_UNROLL
    for (unsigned h = 0; h < held_ends; ++h)
    {
      const unsigned i = thread + h * cfg.block_threads;
      count += i < loaded_ends_ && enter(i, held[h], items) ? 1 : 0;
    }
    for (unsigned i = thread + held_ends * cfg.block_threads; i < loaded_ends_; i += cfg.block_threads)
    {
      count += enter(i, ends_.end(place_.segment + i, base_), items) ? 1 : 0;
    }
    count = sum_over_lanes(count);
    if (simt::lane_index() == 0)
    {
      shared_.counts[simt::warp_index()] = count;
    }
    return items;
  }

  //! Notes end `i` of the window, at position `end`. Returns whether it lies in the tile of `items` items.
  REHEAT_DEVICE bool enter(unsigned i, std::uint64_t end, unsigned items)
  {
    const std::uint64_t before = end - place_.item;
    const bool within = before <= items;
    shared_.ends[i] = within ? static_cast<std::uint32_t>(before) : items + 1;
    if (within && before != 0)
    {
      const unsigned item = static_cast<unsigned>(before) - 1;
      auto* const marks = reinterpret_cast<unsigned char*>(shared_.marks + item / per_thread * mark_words);
      marks[item % per_thread] = 1;
    }
    return within;
  }

  REHEAT_DEVICE void clear_marks()
  {
    REHEAT_UNROLL
    for (unsigned i = 0; i < mark_words; ++i)
    {
      shared_.marks[simt::thread_index() * mark_words + i] = 0;
    }
  }

  //! Folds the thread's `count` items, leaves the fold of each segment that ends among them at its last item, and clears the
  //! marks. Returns the place of the first of these; at least per_thread if there is none.
  REHEAT_DEVICE unsigned fold_own(unsigned first, unsigned count, uninitialized<run_fold<Accum>>& own)
  {
    std::uint32_t marks = 0;
    REHEAT_UNROLL
    for (unsigned i = 0; i < mark_words; ++i)
    {
      std::uint32_t& word = shared_.marks[simt::thread_index() * mark_words + i];
      marks |= gathered_bits(word) << 4 * i;
      word = 0;
    }
    if (count == 0)
    {
      return per_thread;
    }
    uninitialized<Accum> fold;
    Accum* const items = shared_.items + first;
    unsigned first_end = per_thread;
    if (marks == 0)
    {
      walk_items<false, per_thread>(items, count,
                                    [&](const Accum& item, unsigned i)
                                    {
                                      if (i == 0)
                                      {
                                        fold.construct(item);
                                      }
                                      else
                                      {
                                        fold.construct(static_cast<Accum>(op_.op(fold.get(), item)));
                                      }
                                    });
    }
    else
    {
      const std::uint32_t begins = marks << 1 | 1;
      walk_items<false, per_thread>(items, count,
                                    [&](const Accum& item, unsigned i)
                                    {
                                      if ((begins >> i & 1) != 0)
                                      {
                                        fold.construct(item);
                                      }
                                      else
                                      {
                                        fold.construct(static_cast<Accum>(op_.op(fold.get(), item)));
                                      }
                                      if ((marks >> i & 1) != 0)
                                      {
                                        items[i] = fold.get();
                                      }
                                    });
      first_end = simt::highest_one(marks & (0 - marks));
    }
    const std::uint32_t follows = marks >> (count - 1) & 1;
    const std::uint32_t inside = marks & ~(1u << (count - 1));
    own.construct(run_fold<Accum>(boundary_flags(inside != 0, follows != 0), fold.get()));
    return first_end;
  }

  //! Stores the results of the segments that end in the tile.
  REHEAT_DEVICE void store(unsigned ends)
  {
    for (unsigned i = simt::thread_index(); i < ends; i += cfg.block_threads)
    {
      const unsigned end = shared_.ends[i], before = i == 0 ? 0 : shared_.ends[i - 1];
      const std::uint64_t segment = place_.segment + i;
      if (i == 0 && pending_)
      {
        leave_head(segment, end);
      }
      else if (end == before)
      {
        sink_.store_empty(segment);
      }
      else
      {
        sink_.store(segment, shared_.items[end - 1], i == 0 ? start_ : place_.item + before);
      }
    }
    if (ends != 0)
    {
      start_ = place_.item + shared_.ends[ends - 1];
      pending_ = false;
    }
  }

  REHEAT_DEVICE void leave_head(std::uint64_t segment, unsigned end)
  {
    record_->pending = true;
    record_->segment = segment;
    record_->has_head = end != 0;
    if (end != 0)
    {
      record_->head.construct(shared_.items[end - 1]);
    }
  }

  const segmented_shared<Accum>& shared_;
  Input in_;
  segmented_op<Op> op_;
  Ends ends_;
  Sink sink_;
  std::uint64_t base_;
  segmented_place place_; //!< of the tile
  std::uint64_t start_;   //!< of the segment that is open there
  bool pending_;          //!< that segment began before the span
  open_fold<Accum> open_; //!< its items in the span
  unsigned window_, loaded_ends_;
  span_record<Accum>* record_;
};

//! The reduction, or its first launch: a block for each span, and none for spans that are not there.
template <class Tuning, class Input, class Accum, class Op, class Ends, class Sink>
REHEAT_KERNEL(Tuning{}(simt::arch).block_threads, Tuning{}(simt::arch).resident_blocks)
segmented_reduce_kernel(Input in, segmented_params<Accum> params, Op op, Ends ends, Sink sink)
{
  constexpr segmented_config cfg = Tuning{}(simt::arch);
  auto memory = segmented_memory<Tuning>(params);
  const segmented_shared<Accum> shared(memory, cfg);
  simt::grid_dependency_wait(simt::unless(simt::fault::segmented_too_early));
  simt::trigger_dependent_launch();
  const std::uint64_t base = ends.base();
  const auto division = division_of<Tuning>(params, ends, base);
  const unsigned span = simt::block_index();
  if (span >= division.spans())
  {
    return;
  }
  const unsigned half = simt::thread_index() / (cfg.block_threads / 2);
  const segmented_place found =
      find_place<cfg.block_threads>(division, division.cost_before(span + half), ends, base, shared.counts);
  if (simt::thread_index() % (cfg.block_threads / 2) == 0)
  {
    shared.places[half] = found;
  }
  simt::sync_block(simt::unless(simt::fault::skip_places_barrier));
  const segmented_place first = shared.places[0], last = shared.places[1];
  segmented_block<Tuning, Input, Accum, Op, Ends, Sink> self(shared, in, op, ends, base, sink);
  self.reduce(first, last, params.max_spans == 1 ? nullptr : params.scratch.values + span);
}

//! Stores the results of segments that reach from one span into others. One block.
template <class Tuning, class Accum, class Op, class Ends, class Sink>
REHEAT_KERNEL(Tuning{}(simt::arch).block_threads)
join_spans_kernel(segmented_params<Accum> params, Op op, Ends ends, Sink sink)
{
  constexpr segmented_config cfg = Tuning{}(simt::arch);
  auto memory = segmented_memory<Tuning>(params);
  const segmented_shared<Accum> shared(memory, cfg);
  simt::grid_dependency_wait(simt::unless(simt::fault::join_too_early));
  simt::trigger_dependent_launch();
  const std::uint64_t base = ends.base();
  const unsigned spans = division_of<Tuning>(params, ends, base).spans();
  segmented_op<Op> folds{op};
  open_fold<Accum> open;
  for (unsigned first = 0; first < spans; first += cfg.block_threads)
  {
    const unsigned span = first + simt::thread_index();
    const unsigned valid = spans - first < cfg.block_threads ? spans - first : cfg.block_threads;
    span_record<Accum>* const record = span < spans ? params.scratch.values + span : nullptr;
    uninitialized<run_fold<Accum>> own;
    if (record != nullptr)
    {
      // A span behind whose last end no item stands ends with a boundary, and its value counts nowhere.
      own.construct(run_fold<Accum>(boundary_flags(record->ended, !record->has_tail),
                                    record->has_tail ? record->tail.get() : sink.template placeholder<Accum>()));
    }
    open_fold<Accum> before;
    carry_between_threads(own, valid, open, before, folds, shared.carry);
    if (record != nullptr && record->pending)
    {
      const std::uint64_t segment = record->segment, start = segment == 0 ? 0 : ends.end(segment - 1, base);
      if (record->has_head && !simt::fault_active(simt::fault::lose_head))
      {
        before.items.append(record->head.get(), op);
      }
      sink.store(segment, before.items.value.get(), start);
    }
    simt::sync_block(); // the totals have been read
  }
}

} // namespace detail
REHEAT_NAMESPACE_END

// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! How one block reduces the segments of a span. segmented/kernel.cuh has the whole.
//!
//! Tiles of items lie in a ring of stages. Where the hardware has bulk copies, and input and accumulators are of one type,
//! the next tile is on its way while this one is reduced; otherwise all threads load a tile when its turn comes. Tiles
//! follow from the span alone. Ends come in *windows*, of as many as the tile before lets expect. A tile with more ends than
//! the window holds takes several *rounds*, each of them for the items up to the window's last end.
//!
//! A round:
//!
//! 1. Each thread enters its ends of the window, and marks the last items of segments.
//! 2. Each thread folds its neighbouring items. It leaves the fold of each segment that ends there in the place of the
//!    segment's last item, and starts to load its ends of the next window.
//! 3. The folds behind the last ends are carried from thread to thread. What is open before a thread joins the first segment
//!    that ends in it.
//! 4. A thread for each end stores the segment's result, beside its neighbours'.
//!
//! Barriers. One stands between 1 and 2, one within 3, and one between 3 and 4. The ends have two buffers, so that the next
//! round may begin while threads still store; its first barrier comes before a stage is loaded again.
#pragma once

#include <reheat/detail/block/tile.cuh>
#include <reheat/detail/config.cuh>
#include <reheat/detail/device_traits.cuh>
#include <reheat/detail/segmented/carry.cuh>
#include <reheat/detail/segmented/ends.cuh>
#include <reheat/detail/segmented/shared.cuh>
#include <reheat/detail/segmented/spans.cuh>
#include <reheat/detail/segmented/tuning.cuh>
#include <reheat/detail/segmented/window.cuh>
#include <reheat/detail/segments/segments.cuh>
#include <reheat/detail/simt/simt.cuh>
#include <reheat/detail/thread/items.cuh>
#include <reheat/detail/thread/value.cuh>
#include <reheat/detail/warp/fold.cuh>

#include <cstddef>
#include <cstdint>
#include <type_traits>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

//! By how many items `in + first` is past the address where load_tile moves whole vectors of Ts.
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

//! One block. A sink stores results: store(segment, fold, start) for a segment whose first item is the input's item `start`,
//! and store_empty(segment).
template <class Tuning, class Input, class Accum, class Op, class Ends, class Sink>
class segmented_block
{
  static constexpr segmented_config cfg = Tuning{}(simt::arch);
  static constexpr unsigned per_thread = cfg.items_per_thread, tile_items = cfg.tile_items();
  using window = end_window<Tuning, Ends, Accum>;
  static constexpr bool in_bulk = device_traits_of(simt::arch).bulk_copies && moves_in_vec16_v<Input, Accum> &&
                                  tile_items * sizeof(Accum) % 16 == 0 && !cfg.in_scratch;

public:
  REHEAT_DEVICE segmented_block(const segmented_shared<Accum>& shared, Input in, Op op, Ends ends, Sink sink)
      : shared_(shared), in_(in), op_{op}, ends_(ends), sink_(sink), window_(shared)
  {
    if (in_bulk && simt::thread_index() == 0)
    {
      for (unsigned stage = 0; stage < cfg.stages; ++stage)
      {
        simt::mbarrier_init(shared_.full[stage], 1);
      }
      simt::mbarrier_init_fence();
    }
  }

  //! Reduces a span and leaves a record, unless `record` is null. The input's item `base` is at position 0. All threads
  //! call.
  REHEAT_DEVICE void reduce(const span_bounds& span, std::uint64_t base, span_record<Accum>* record)
  {
    const segmented_place first = span.first;
    segmented_place last = span.last;
    descends_ = span.descends || last.item < first.item || last.segment < first.segment || span.start > first.item;
    last = descends_ ? first : last; // all segments are reduced again, one by one
    const std::uint64_t segments = last.segment - first.segment;
    cut_into_tiles(base + first.item, last.item - first.item);
    segment_ = first.segment;
    last_segment_ = last.segment;
    start_ = base + span.start;
    pending_ = span.start < first.item;
    record_ = record;
    open_.items.has = false;
    if (record != nullptr && simt::thread_index() == 0)
    {
      record->pending = false;
    }
    simt::sync_block(); // mbarriers and marks are ready, and the last span's results are stored
    start_load(tile_, tile_first_, stage_);
    window_.hold(ends_, segment_, segments, window::size_for(segments / (tiles_ == 0 ? 1 : tiles_)));
    bool new_tile = true;
    while (tile_ < tiles_ || segment_ < last_segment_)
    {
      if (tile_ > tiles_) // an end lies before the one before it
      {
        descends_ = true;
        break;
      }
      new_tile = reduce_round(new_tile);
    }
    if constexpr (Ends::may_descend)
    {
      descends_ = any_of_block(descends_);
    }
    if (record != nullptr && simt::thread_index() == 0)
    {
      record->ended = segments != 0;
      record->descends = descends_;
      record->has_tail = open_.items.has && !simt::fault_active(simt::fault::lose_tail);
      if (open_.items.has)
      {
        record->tail.construct(open_.items.value.get());
      }
    }
  }

private:
  //! Whether it holds in any thread of the block; in thread 0.
  REHEAT_DEVICE bool any_of_block(bool own)
  {
    const bool any = simt::any(own);
    simt::sync_block(); // the counts of the last round have been read
    if (simt::lane_index() == 0)
    {
      shared_.counts[simt::warp_index()] = any ? 1 : 0;
    }
    simt::sync_block();
    unsigned warps = 0;
    for (unsigned warp = 0; warp < cfg.warps(); ++warp)
    {
      warps += shared_.counts[warp];
    }
    return warps != 0;
  }

  //! Tiles begin at multiples of 16 bytes if they can. Then the first one may begin before the span.
  REHEAT_DEVICE void cut_into_tiles(std::uint64_t first, std::uint64_t items)
  {
    first_ = items_past_alignment<Accum>(in_, first);
    tile_first_ = first - first_;
    tile_ = 0;
    tiles_ = static_cast<std::uint32_t>((items + first_ + tile_items - 1) / tile_items);
    last_items_ = tiles_ == 0 ? 0 : static_cast<unsigned>(items + first_ - std::uint64_t{tiles_ - 1} * tile_items);
    aligned_ = is_vec16_aligned(in_, tile_first_);
    const unsigned short_tiles =
        (first_ != 0 ? 1 : 0) + (last_items_ != tile_items && tiles_ > (first_ != 0 ? 1 : 0) ? 1 : 0);
    first_bulk_tile_ = first_ != 0 ? 1 : 0;
    bulk_tiles_ = in_bulk && aligned_ && tiles_ > short_tiles ? tiles_ - short_tiles : 0;
  }
  //! Whether a tile is whole and loaded in bulk.
  REHEAT_DEVICE bool is_bulk_tile(std::uint32_t tile) const { return tile - first_bulk_tile_ < bulk_tiles_; }

  //! Starts the load of a tile at item `first` of the input, if it is loaded in bulk; otherwise it may be brought to the L2
  //! cache.
  REHEAT_DEVICE void start_load(std::uint32_t tile, std::uint64_t first, unsigned stage)
  {
    if (simt::thread_index() != 0 || tile >= tiles_)
    {
      return;
    }
    if constexpr (in_bulk)
    {
      if (is_bulk_tile(tile))
      {
        constexpr unsigned bytes = tile_items * sizeof(Accum);
        simt::mbarrier_arrive_expect(shared_.full[stage], bytes);
        // H100, sums of u32, 2^24 items in segments of 64: 33.5 us; with lines kept, 40.3.
        simt::bulk_load_once(shared_.items + stage * tile_items, in_ + first, bytes, shared_.full[stage]);
      }
    }
    else if constexpr (device_traits_of(simt::arch).bulk_copies && std::is_pointer_v<Input>)
    {
      const auto from = in_ + first;
      prefetch_whole_vec16(from + (tile == 0 ? first_ : 0), from + (tile + 1 == tiles_ ? last_items_ : tile_items));
    }
  }

  REHEAT_DEVICE unsigned next_stage() const { return stage_ + 1 == cfg.stages ? 0 : stage_ + 1; }

  //! A round, from item first_ of the tile on. Returns whether the next round begins a tile.
  REHEAT_DEVICE bool reduce_round(bool new_tile)
  {
    const unsigned end = tile_ + 1 < tiles_ ? tile_items : tile_ < tiles_ ? last_items_ : first_;
    const bool bulk = is_bulk_tile(tile_);
    Accum* const tile = shared_.items + stage_ * tile_items;
    if (new_tile && !bulk && first_ < end)
    {
      load_tile<per_thread>(in_, first_ == 0 && aligned_, tile_first_ + first_, end - first_, tile + first_,
                            simt::thread_index(), cfg.block_threads);
    }
    window_.enter(tile_first_, first_, end);
    simt::sync_block(simt::unless(simt::fault::skip_window_barrier));
    const unsigned ends = window_.count();
    const std::uint16_t* const entered = window_.entered();
    const std::uint64_t segment = segment_;
    segment_ += ends;
    if constexpr (Ends::may_descend)
    {
      descends_ |= window_.descends(ends, end);
    }
    // Behind the last end of a full window there may be more before the next item.
    const bool cut = ends == window_.size() && segment_ < last_segment_;
    const unsigned last_end = cut ? entered[ends - 1] : end;
    const unsigned behind = last_end < first_ ? first_ : last_end < end ? last_end : end; // also where ends descend
    if (new_tile) // all threads are done with the other stages
    {
      start_load(tile_ + 1, tile_first_ + tile_items, next_stage());
    }
    window_.hold(ends_, segment_, last_segment_ - segment_, window::size_for(ends));
    if (new_tile && bulk)
    {
      simt::mbarrier_wait(shared_.full[stage_], parities_ >> stage_ & 1, simt::unless(simt::fault::skip_tile_wait));
      parities_ ^= 1u << stage_;
    }
    if (ends == 0)
    {
      fold_without_ends(tile, behind);
    }
    else
    {
      fold_segments(tile, behind);
      store(tile, entered, ends, behind, segment);
    }
    if (in_bulk && (ends != 0 || !bulk)) // stores by threads come before the bulk copy that fills the stage again
    {
      simt::async_proxy_fence();
    }
    if (cut)
    {
      first_ = behind;
      return false;
    }
    first_ = 0;
    ++tile_;
    tile_first_ += tile_items;
    stage_ = next_stage();
    return true;
  }

  //! The part of a tile that a thread folds in a round.
  struct slice
  {
    unsigned index;        //!< of the thread's items in the tile
    unsigned first, count; //!< its items in the round
    unsigned threads;      //!< that have items; they come first
  };
  REHEAT_DEVICE slice slice_up_to(unsigned behind) const
  {
    const unsigned first_slice = first_ / per_thread;
    const unsigned index = first_slice + simt::thread_index();
    const unsigned begin = index * per_thread < first_ ? first_ : index * per_thread, end = (index + 1) * per_thread;
    const unsigned count = begin >= behind ? 0 : (end < behind ? end : behind) - begin;
    return {index, begin, count, behind > first_ ? (behind + per_thread - 1) / per_thread - first_slice : 0};
  }

  //! Folds the items of a round without ends into the open segment.
  REHEAT_DEVICE void fold_without_ends(Accum* tile, unsigned behind)
  {
    const slice own = slice_up_to(behind);
    uninitialized<Accum> fold;
    if (own.count != 0)
    {
      fold_items(tile + own.first, own.count, fold);
    }
    fold_between_threads<cfg.warps()>(fold, own.threads, open_.items, op_.op, shared_.carry);
  }
  REHEAT_DEVICE void fold_items(const Accum* items, unsigned count, uninitialized<Accum>& fold)
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

  //! Leaves the fold of each segment that ends in the round in the place of its last item; of a segment that began in an
  //! earlier tile, too.
  REHEAT_DEVICE void fold_segments(Accum* tile, unsigned behind)
  {
    const slice own = slice_up_to(behind);
    uninitialized<run_fold<Accum>> fold;
    const unsigned first_end = fold_slice(tile, own, fold);
    open_fold<Accum> before;
    carry_between_threads<cfg.warps()>(fold, own.threads, open_, before, op_, shared_.carry);
    if (first_end < per_thread && before.items.has && !simt::fault_active(simt::fault::forget_open))
    {
      Accum& joined = tile[own.first + first_end];
      joined = op_.op(before.items.value.get(), joined);
    }
    simt::sync_block(simt::unless(simt::fault::skip_results_barrier));
  }

  //! The same for the thread's items, if it has any, and clears their marks. `fold` becomes their fold. Returns the place of
  //! the first end; at least per_thread if there is none. All lanes of a warp call.
  REHEAT_DEVICE unsigned fold_slice(Accum* tile, const slice& own, uninitialized<run_fold<Accum>>& fold)
  {
    const std::uint32_t marks = own.count == 0 ? 0 : window_.take_marks(own.index) >> (own.first - own.index * per_thread);
    Accum* const items = tile + own.first;
    uninitialized<Accum> value;
    const bool some = simt::any(marks != 0); // so that the lanes of a warp walk together
    if (own.count == 0)
    {
      return per_thread;
    }
    if (some)
    {
      bool begins = true;
      walk_items<false, per_thread>(items, own.count,
                                    [&](const Accum& item, unsigned i)
                                    {
                                      if (begins)
                                      {
                                        value.construct(item);
                                      }
                                      else
                                      {
                                        value.construct(static_cast<Accum>(op_.op(value.get(), item)));
                                      }
                                      begins = (marks >> i & 1) != 0;
                                      if (begins)
                                      {
                                        items[i] = value.get();
                                      }
                                    });
    }
    else
    {
      fold_items(items, own.count, value);
    }
    const std::uint32_t last = 1u << (own.count - 1);
    fold.construct(run_fold<Accum>(boundary_flags((marks & ~last) != 0, (marks & last) != 0), value.get()));
    return marks == 0 ? per_thread : simt::highest_one(marks & (0 - marks));
  }

  //! Stores the results of the `ends` segments from `first_segment` on, which end in the round.
  REHEAT_DEVICE void store(const Accum* tile, const std::uint16_t* entered, unsigned ends, unsigned behind,
                           std::uint64_t first_segment)
  {
    for (unsigned i = simt::thread_index(); i < ends; i += cfg.block_threads)
    {
      const unsigned end = entered[i], before = i == 0 ? first_ : entered[i - 1];
      const std::uint64_t segment = first_segment + i;
      const bool empty = end <= before || end > behind; // none lies behind, unless ends descend
      if (i == 0 && pending_)
      {
        leave_head(segment, empty ? nullptr : tile + end - 1);
      }
      else if (empty)
      {
        sink_.store_empty(segment);
      }
      else
      {
        sink_.store(segment, tile[end - 1], i == 0 ? start_ : tile_first_ + before);
      }
    }
    start_ = tile_first_ + entered[ends - 1];
    pending_ = false;
  }

  REHEAT_DEVICE void leave_head(std::uint64_t segment, const Accum* fold)
  {
    record_->pending = true;
    record_->segment = segment;
    record_->has_head = fold != nullptr;
    if (fold != nullptr)
    {
      record_->head.construct(*fold);
    }
  }

  const segmented_shared<Accum>& shared_;
  Input in_;
  segmented_op<Op> op_;
  Ends ends_;
  Sink sink_;
  span_record<Accum>* record_;
  std::uint64_t last_segment_; //!< behind the span
  std::uint32_t tiles_, first_bulk_tile_, bulk_tiles_;
  unsigned last_items_; //!< of the last tile, as if the first began at its item 0
  bool aligned_;        //!< tiles begin at multiples of 16 bytes

  std::uint32_t tile_;       //!< of the round
  std::uint64_t tile_first_; //!< the index of its item 0 in the input
  unsigned first_;           //!< the round's first item in the tile
  std::uint64_t segment_;    //!< the first that has not ended
  std::uint64_t start_;      //!< of that segment
  bool pending_;             //!< it began before the span
  bool descends_;
  open_fold<Accum> open_; //!< its items in the span
  window window_;
  unsigned stage_ = 0;
  unsigned parities_ = 0; //!< bit s: of the next wait for stage s
};

} // namespace detail
REHEAT_NAMESPACE_END

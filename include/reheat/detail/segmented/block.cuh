// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! How one block reduces the segments of a span. segmented/kernel.cuh has the whole.
//!
//! Tiles (tiles.cuh) follow from the span alone. Ends come in *windows*, of as many as the tile before lets expect. A tile
//! with more ends than the window holds takes several *rounds*, each of them for the items up to the window's last end.
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

#include <reheat/detail/config.cuh>
#include <reheat/detail/segmented/carry.cuh>
#include <reheat/detail/segmented/ends.cuh>
#include <reheat/detail/segmented/shared.cuh>
#include <reheat/detail/segmented/spans.cuh>
#include <reheat/detail/segmented/tiles.cuh>
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

//! One block. A sink stores results: store(segment, fold, start) for a segment whose first item is the input's item `start`,
//! and store_empty(segment, end) for one that ends before the input's item `end`.
template <class Tuning, class Input, class Accum, class Op, class Ends, class Sink>
class segmented_block : tile_walk<Tuning, Input, Accum>
{
  using tiles = tile_walk<Tuning, Input, Accum>;
  using tiles::cfg;
  using tiles::in_bulk;
  using tiles::per_thread;
  using tiles::tile_items;
  using typename tiles::slice;
  using window = end_window<Tuning, Ends, Accum>;

public:
  REHEAT_DEVICE segmented_block(const segmented_shared<Accum>& shared, Input in, Op op, Ends ends, Sink sink)
      : tiles(shared, in), op_{op}, ends_(ends), sink_(sink), window_(shared)
  {}

  //! Starts to load the first ends of a span of `segments` segments from segment `first` on, before its items are known.
  REHEAT_DEVICE void hold_ends(std::uint64_t first, std::uint64_t segments)
  {
    window_.hold(ends_, first, segments, window::size_for(segments));
  }

  //! Brings the first items of a span to the L2 cache, and its first ends, before the span is known.
  REHEAT_DEVICE void prefetch(const span_outline& span, std::uint64_t base)
  {
    if (simt::thread_index() != 0 || Ends::may_descend) // what descends may lie anywhere
    {
      return;
    }
    const std::uint64_t items = span.behind_items > span.first_item ? span.behind_items - span.first_item : 0,
                        ends = span.behind_segments - span.first_segment;
    prefetch_items(in_, base + span.first_item, base + span.first_item + (items < tile_items ? items : tile_items));
    ends_.prefetch(span.first_segment, span.first_segment + (ends < cfg.window_ends ? ends : cfg.window_ends));
  }

  //! Reduces a span and leaves a record, unless `record` is null. The input's item `base` is at position 0. `holds_ends`:
  //! hold_ends was called for the span. All threads call.
  REHEAT_DEVICE void reduce(const span_bounds& span, std::uint64_t base, span_record<Accum>* record, bool holds_ends = false)
  {
    const segmented_place first = span.first;
    segmented_place last = span.last;
    descends_ = span.descends || last.item < first.item || last.segment < first.segment || span.start > first.item;
    last = descends_ ? first : last; // all segments are reduced again, one by one
    const std::uint64_t segments = last.segment - first.segment;
    this->cut_into_tiles(base + first.item, last.item - first.item);
    segment_ = first.segment;
    last_segment_ = last.segment;
    start_ = base + span.start;
    pending_ = span.start < first.item;
    record_ = record;
    open_.items.has = false;
    if (record != nullptr && simt::thread_index() == 0)
    {
      record->pending = false;
      record->has_head = false;
    }
    simt::sync_block(); // mbarriers and marks are ready, and the last span's results are stored
    this->start_load(tile_, tile_first_, stage_);
    if (!holds_ends)
    {
      window_.hold(ends_, segment_, segments, window::size_for(segments / (tiles_ == 0 ? 1 : tiles_)));
    }
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
      else // so that the join need not ask first
      {
        record->tail.construct(sink_.template placeholder<Accum>());
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

  //! A round, from item first_ of the tile on. Returns whether the next round begins a tile.
  REHEAT_DEVICE bool reduce_round(bool new_tile)
  {
    const unsigned end = tile_ + 1 < tiles_ ? tile_items : tile_ < tiles_ ? last_items_ : first_;
    const bool bulk = this->is_bulk_tile(tile_);
    Accum* const tile = this->this_tile();
    if (new_tile && !bulk && first_ < end)
    {
      this->load(tile, end);
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
      this->start_load(tile_ + 1, tile_first_ + tile_items, this->next_stage());
    }
    window_.hold(ends_, segment_, last_segment_ - segment_, window::size_for(ends));
    if (new_tile && bulk)
    {
      this->wait_for_load();
    }
    if (ends == 0)
    {
      this->fold_without_ends(tile, behind, open_.items, op_.op);
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
    this->go_to_next_tile();
    return true;
  }

  //! Leaves the fold of each segment that ends in the round in the place of its last item; of a segment that began in an
  //! earlier tile, too.
  REHEAT_DEVICE void fold_segments(Accum* tile, unsigned behind)
  {
    const slice own = this->slice_up_to(behind);
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
      this->fold_items(items, own.count, value, op_.op);
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
        sink_.store_empty(segment, tile_first_ + end);
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
    record_->start = start_;
    record_->has_head = fold != nullptr;
    if (fold != nullptr)
    {
      record_->head.construct(*fold);
    }
  }

  using tiles::first_;
  using tiles::in_;
  using tiles::last_items_;
  using tiles::shared_;
  using tiles::stage_;
  using tiles::tile_;
  using tiles::tile_first_;
  using tiles::tiles_;

  segmented_op<Op> op_;
  Ends ends_;
  Sink sink_;
  span_record<Accum>* record_;
  std::uint64_t last_segment_; //!< behind the span
  std::uint64_t segment_;      //!< the first that has not ended
  std::uint64_t start_;        //!< of that segment
  bool pending_;               //!< it began before the span
  bool descends_;
  open_fold<Accum> open_; //!< its items in the span
  window window_;
};

} // namespace detail
REHEAT_NAMESPACE_END

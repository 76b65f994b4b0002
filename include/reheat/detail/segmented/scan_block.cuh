// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! How one block scans the segments of a span. segmented/scan_kernel.cuh has the whole.
//!
//! The block goes through the span in tiles (tiles.cuh). Of each:
//!
//! 1. Threads mark the last items of segments, one window of ends (window.cuh) after the other.
//! 2. Each thread folds its neighbouring items, and the folds behind the last ends are carried from thread to thread.
//! 3. Each thread scans its items in their place, from what is carried to it, and anew behind each mark.
//! 4. The tile is stored, by a bulk copy if its size and the output's address allow that.
//!
//! Barriers. One stands behind each window, one within the carrying, and one between 3 and 4. With bulk copies there are
//! three stages: one is loaded, one scanned, and one stored. So a load waits only for the store of two tiles before.
#pragma once

#include <reheat/detail/block/tile.cuh>
#include <reheat/detail/config.cuh>
#include <reheat/detail/scan/items.cuh>
#include <reheat/detail/scan/kind.cuh>
#include <reheat/detail/segmented/carry.cuh>
#include <reheat/detail/segmented/scan_carries.cuh>
#include <reheat/detail/segmented/shared.cuh>
#include <reheat/detail/segmented/tiles.cuh>
#include <reheat/detail/segmented/window.cuh>
#include <reheat/detail/segments/segments.cuh>
#include <reheat/detail/simt/simt.cuh>
#include <reheat/detail/thread/items.cuh>
#include <reheat/detail/thread/value.cuh>

#include <cstddef>
#include <cstdint>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

//! One block. `Init` is a scan's (scan/kind.cuh); segments begin with it.
template <scan_kind Kind, class Tuning, class Input, class OutputIt, class Op, class Ends, class Init>
class segmented_scan_block : tile_walk<Tuning, Input, typename Init::accum>
{
  using accum = typename Init::accum;
  using tiles = tile_walk<Tuning, Input, accum>;
  using tiles::cfg;
  using tiles::in_bulk;
  using tiles::per_thread;
  using tiles::tile_items;
  using typename tiles::slice;
  using window = end_window<Tuning, Ends, accum>;
  static constexpr bool out_in_bulk = device_traits_of(simt::arch).bulk_copies && moves_in_vec16_v<OutputIt, accum> &&
                                      tile_items * sizeof(accum) % 16 == 0 && !cfg.in_scratch;
  static_assert(cfg.stages >= (out_in_bulk ? 3 : 2), "a stage that is loaded, one that is scanned and one that is stored");

public:
  REHEAT_DEVICE segmented_scan_block(const segmented_shared<accum>& shared, Input in, OutputIt out, Op op, Ends ends,
                                     const Init& init)
      : tiles(shared, in), out_(out), op_{op}, ends_(ends), init_(init), window_(shared)
  {}

  //! The fold of the items of a segment before the next range, which all threads set; behind a range what is open there.
  REHEAT_DEVICE optional_accumulator<accum>& open() { return open_.items; }

  //! Starts to load the first ends of a range of `segments` segments from segment `first` on, before its items are known.
  REHEAT_DEVICE void hold_ends(std::uint64_t first, std::uint64_t segments)
  {
    window_.hold(ends_, first, segments, window::size_for(segments));
  }

  //! Scans a range. `holds_ends`: hold_ends was called for it. All threads call.
  REHEAT_DEVICE void scan(const segmented_scan_range& range, bool holds_ends = false)
  {
    scan(range, holds_ends, [] {});
  }
  //! The same. `before` is called while the first items are on their way, and may set open().
  template <class Before>
  REHEAT_DEVICE void scan(const segmented_scan_range& range, bool holds_ends, Before before)
  {
    if (range.items == 0) // input and output may be null pointers
    {
      simt::sync_block(); // as below: callers count on it
      return;
    }
    this->cut_into_tiles(range.first, range.items);
    segment_ = range.segment;
    last_segment_ = range.last_segment;
    out_shift_ = range.out - range.first;
    out_aligned_ = is_vec16_aligned(out_, tile_first_ + out_shift_);
    if (out_in_bulk && simt::thread_index() == 0)
    {
      simt::bulk_wait_read<0>();
    }
    simt::sync_block(); // mbarriers and marks are ready, and all stages are free
    this->start_load(tile_, tile_first_, stage_);
    const std::uint64_t segments = last_segment_ - segment_;
    if (!holds_ends)
    {
      window_.hold(ends_, segment_, segments, window::size_for(segments / (tiles_ == 0 ? 1 : tiles_)));
    }
    before();
    while (tile_ < tiles_)
    {
      scan_tile();
    }
  }

  //! Waits for the stores, before the block ends.
  REHEAT_DEVICE void finish() const
  {
    if (out_in_bulk && simt::thread_index() == 0)
    {
      simt::bulk_wait<0>(simt::unless(simt::fault::skip_segmented_exit_wait));
    }
  }

private:
  REHEAT_DEVICE void scan_tile()
  {
    const unsigned end = tile_ + 1 < tiles_ ? tile_items : last_items_;
    const bool bulk = this->is_bulk_tile(tile_);
    accum* const tile = this->this_tile();
    if (!bulk)
    {
      this->load(tile, end);
    }
    mark_ends(end);
    if (out_in_bulk && simt::thread_index() == 0)
    {
      simt::bulk_wait_read<1>(simt::unless(simt::fault::skip_stage_wait)); // of the tile before the last one
    }
    this->start_load(tile_ + 1, tile_first_ + tile_items, this->next_stage());
    if (bulk)
    {
      this->wait_for_load();
    }
    scan_marked(tile, end);
    if constexpr (in_bulk || out_in_bulk) // a bulk copy reads or overwrites these items next
    {
      simt::async_proxy_fence(simt::unless(simt::fault::skip_segmented_fence));
    }
    simt::sync_block(simt::unless(simt::fault::skip_scanned_barrier));
    store(tile, end);
    this->go_to_next_tile();
  }

  //! Marks the items of the tile before `end` behind which a segment ends.
  REHEAT_DEVICE void mark_ends(unsigned end)
  {
    while (true)
    {
      window_.enter(tile_first_, first_, end);
      simt::sync_block(simt::unless(simt::fault::skip_window_barrier));
      const unsigned ends = window_.count();
      segment_ += ends;
      const bool more = ends == window_.size() && segment_ < last_segment_;
      window_.hold(ends_, segment_, last_segment_ - segment_, window::size_for(ends));
      if (!more || simt::fault_active(simt::fault::one_window))
      {
        return;
      }
      simt::sync_block(simt::unless(simt::fault::skip_window_counts_barrier)); // all have read the counts
    }
  }

  //! Scans the items of the tile before `end` in place.
  REHEAT_DEVICE void scan_marked(accum* tile, unsigned end)
  {
    const slice own = this->slice_up_to(end);
    const std::uint32_t marks = own.count == 0 ? 0 : window_.take_marks(own.index) >> (own.first - own.index * per_thread);
    const bool some = simt::any(marks != 0); // so that the lanes of a warp walk together
    accum* const items = tile + own.first;
    uninitialized<run_fold<accum>> fold;
    if (own.count != 0)
    {
      const std::uint32_t last = 1u << (own.count - 1);
      fold.construct(run_fold<accum>(boundary_flags((marks & ~last) != 0, (marks & last) != 0),
                                     some ? fold_behind_marks(items, own.count, marks) : fold_all(items, own.count)));
    }
    open_fold<accum> before;
    carry_between_threads<cfg.warps()>(fold, own.threads, open_, before, op_, shared_.carry);
    if (own.count == 0)
    {
      return;
    }
    if (simt::fault_active(simt::fault::forget_carried))
    {
      before.items.has = false;
    }
    if constexpr (Init::present)
    {
      accum start = init_.load();
      if (before.items.has)
      {
        start = op_.op(start, before.items.value.get());
      }
      before.items.value.construct(start);
      before.items.has = true;
    }
    if (!some)
    {
      scan_items<Kind, per_thread>(items, own.count, before.items, op_.op);
    }
    else
    {
      scan_between_marks(items, own.count, marks, before.items);
    }
  }
  REHEAT_DEVICE accum fold_all(const accum* items, unsigned count)
  {
    uninitialized<accum> value;
    this->fold_items(items, count, value, op_.op);
    return value.get();
  }
  //! The fold of the items behind the last mark that has items behind it.
  REHEAT_DEVICE accum fold_behind_marks(const accum* items, unsigned count, std::uint32_t marks)
  {
    uninitialized<accum> value;
    bool begins = true;
    walk_items<false, per_thread>(items, count,
                                  [&](const accum& item, unsigned i)
                                  {
                                    if (begins)
                                    {
                                      value.construct(item);
                                    }
                                    else
                                    {
                                      value.construct(static_cast<accum>(op_.op(value.get(), item)));
                                    }
                                    begins = (marks >> i & 1) != 0;
                                  });
    return value.get();
  }
  //! Scans a thread's items from `fold`, and behind each mark anew.
  REHEAT_DEVICE void scan_between_marks(accum* items, unsigned count, std::uint32_t marks, optional_accumulator<accum>& fold)
  {
    walk_items<true, per_thread>(items, count,
                                 [&](accum& item, unsigned i)
                                 {
                                   const bool ends = (marks >> i & 1) != 0;
                                   if constexpr (Kind == scan_kind::inclusive)
                                   {
                                     fold.append(item, op_.op);
                                     item = fold.value.get();
                                   }
                                   else
                                   {
                                     const accum own(item);
                                     item = fold.value.get();
                                     if (!ends && i + 1 < count)
                                     {
                                       fold.append(own, op_.op);
                                     }
                                   }
                                   if (ends)
                                   {
                                     begin_segment(fold);
                                   }
                                 });
  }
  REHEAT_DEVICE void begin_segment(optional_accumulator<accum>& fold) const
  {
    if constexpr (Init::present)
    {
      fold.value.construct(init_.load());
    }
    else
    {
      fold.has = false;
    }
  }

  REHEAT_DEVICE void store(const accum* tile, unsigned end)
  {
    const std::uint64_t to = tile_first_ + out_shift_;
    if constexpr (out_in_bulk)
    {
      const bool bulk = out_aligned_ && first_ == 0 && end * sizeof(accum) % 16 == 0;
      if (simt::thread_index() == 0)
      {
        if (bulk)
        {
          simt::bulk_store(out_ + to, tile, static_cast<unsigned>(end * sizeof(accum)), false);
        }
        simt::bulk_commit(); // a group for each tile, which the wait for a stage counts
      }
      if (bulk)
      {
        return;
      }
    }
    store_tile<per_thread>(tile + first_, out_, out_aligned_ && first_ == 0, to + first_, end - first_, simt::thread_index(),
                           cfg.block_threads);
  }

  using tiles::first_;
  using tiles::last_items_;
  using tiles::shared_;
  using tiles::stage_;
  using tiles::tile_;
  using tiles::tile_first_;
  using tiles::tiles_;

  OutputIt out_;
  segmented_op<Op> op_;
  Ends ends_;
  Init init_;
  std::uint64_t segment_; //!< the first that has not ended
  std::uint64_t last_segment_;
  std::uint64_t out_shift_; //!< from an item of the input to its place in the output
  bool out_aligned_;        //!< tiles are stored at multiples of 16 bytes
  open_fold<accum> open_;   //!< the items of that segment before the tile
  window window_;
};

} // namespace detail
REHEAT_NAMESPACE_END

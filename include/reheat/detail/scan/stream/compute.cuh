// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The scan's compute warps: they reduce a lookahead tile, publish its aggregate, scan the current tile and store it.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/grid/slot.cuh>
#include <reheat/detail/grid/slot_fold.cuh>
#include <reheat/detail/scan/collectives/collective.cuh>
#include <reheat/detail/scan/kind.cuh>
#include <reheat/detail/scan/stream/shared.cuh>
#include <reheat/detail/simt/simt.cuh>
#include <reheat/detail/thread/value.cuh>
#include <reheat/detail/warp/fold.cuh>
#include <reheat/detail/warp/scan.cuh>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

//! What a compute warp does with each tile.
enum class compute_role
{
  both,    //!< it reduces a tile, then scans an earlier one
  reduces, //!< it reduces tiles that other warps scan
  scans    //!< it scans tiles that other warps reduce
};

//! The compute warps. A thread owns cfg.items_per_thread neighbouring items of each tile. With cfg.specialize_reduce_warps
//! there are two groups of compute warps, which work on different tiles and do not wait for each other's barriers.
template <class Tuning, class Collective, scan_kind Kind, class InputIt, class OutputIt, class Op, class Init,
          compute_role Role = compute_role::both>
class scan_compute
{
  using accum = typename Init::accum;
  using prefix = prefix_of<accum>;
  static constexpr scan_config cfg = Tuning{}(simt::arch);
  static constexpr unsigned warps = cfg.compute_threads / 32;
  static constexpr bool can_bulk_load = cfg.in_bulk() && Collective::bulk_in;
  static constexpr bool can_bulk_store = cfg.in_bulk() && Collective::bulk_out;
  static_assert(Role == compute_role::both || Collective::scan_stores,
                "warps that only scan have no barrier and signal no store warps, so scan() must store");

public:
  //! Warps that only reduce come behind the producer and the look-back warp.
  static constexpr unsigned first_warp = Role == compute_role::reduces ? warps + 2 : 0;

  REHEAT_DEVICE scan_compute(const scan_shared<Collective, accum>& shared, const scan_params<accum>& params,
                             const slot_array<accum>& slots, InputIt in, OutputIt out, Op op, const Init& init)
      : shared_(shared), params_(params), slots_(slots), in_(in), out_(out), op_(op), total_(init), starts_(init),
        scratch_(shared.scratch + warp_index() * warp_scratch_items<accum>)
  {}

  REHEAT_DEVICE void run()
  {
    if constexpr (Role == compute_role::reduces)
    {
      reduce_all();
    }
    else if constexpr (Role == compute_role::scans)
    {
      scan_all();
    }
    else
    {
      reduce_then_scan_loop();
    }
    if (can_bulk_store && thread_index() == 0)
    {
      simt::bulk_wait<0>(simt::unless(simt::fault::skip_exit_wait));
    }
  }

private:
  // Indices within the group of warps with this role.
  REHEAT_DEVICE static unsigned thread_index() { return simt::thread_index() - first_warp * 32; }
  REHEAT_DEVICE static unsigned warp_index() { return simt::warp_index() - first_warp; }

  REHEAT_DEVICE void reduce_then_scan_loop()
  {
    // The lookahead tiles have a loop of their own: counting them in the main loop costs 3 % (2^30 bytes, NVIDIA H200).
    if constexpr (cfg.lookahead_tiles != 0) // compilers warn of an index that is never below 0
    {
      for (unsigned i = 0; i < cfg.lookahead_tiles && more_; ++i)
      {
        if (reduce_next())
        {
          sync_totals();
          release_key_stage();
          publish();
        }
      }
    }
    for (;;)
    {
      const bool reduced = more_ && reduce_next();
      if (scanning_.stage == reducing_.stage && !reduced)
      {
        if (params_.store_warps != 0)
        {
          simt::mbarrier_arrive(shared_.scanned[scanning_.stage]);
        }
        return; // the last tile has been scanned
      }
      sync_totals(); // all warps have written their totals and stored their part of the previous tile
      if (reduced)
      {
        release_key_stage();
        publish();
      }
      scan_next();
    }
  }

  REHEAT_DEVICE void reduce_all()
  {
    while (reduce_next())
    {
      sync_totals();
      release_key_stage();
      publish();
      simt::mbarrier_arrive(shared_.tile_reduced[reduced_stage_]);
    }
  }

  REHEAT_DEVICE void scan_all()
  {
    for (;;)
    {
      // The reducing warps have waited, too. But only threads that wait see what a bulk copy has written.
      simt::mbarrier_wait(shared_.full[scanning_.stage], scanning_.parity);
      if (shared_.tile[scanning_.stage].number == no_tile)
      {
        return;
      }
      simt::mbarrier_wait(shared_.tile_reduced[scanning_.stage], scanning_.parity,
                          simt::unless(simt::fault::skip_tile_reduced_wait));
      scan_next();
    }
  }

  //! Waits for the next tile's prefix and scans the tile. Then stores it, or hands it to the store warps.
  REHEAT_DEVICE void scan_next()
  {
    const unsigned stage = scanning_.stage;
    simt::mbarrier_wait(shared_.prefix_ready[stage], scanning_.parity, simt::unless(simt::fault::skip_prefix_wait));
    if (Collective::scan_stores || thread_index() == 0)
    {
      simt::mbarrier_arrive(shared_.empty[stage], simt::only_with(simt::fault::reuse_stage_early));
    }
    if (params_.store_warps != 0)
    {
      simt::mbarrier_arrive(shared_.scanned[stage], simt::only_with(simt::fault::hand_on_unscanned));
    }
    scan_stage(stage);
    if constexpr (Collective::scan_stores)
    {
      simt::mbarrier_arrive(shared_.empty[stage], simt::unless(simt::fault::reuse_stage_early));
    }
    else if (params_.store_warps != 0)
    {
      simt::mbarrier_arrive(shared_.scanned[stage], simt::unless(simt::fault::hand_on_unscanned));
    }
    else
    {
      simt::sync_named(compute_barrier, cfg.compute_threads, simt::unless(simt::fault::skip_store_barrier));
      store_stage(stage);
    }
    scanning_.advance(cfg.stages);
  }

  REHEAT_DEVICE void sync_totals()
  {
    simt::sync_named(compute_barrier, cfg.compute_threads, simt::unless(simt::fault::skip_totals_barrier));
  }

  //! After reduce_next and a barrier: releases the key stage. No proxy fence is needed: threads only read the keys of bulk
  //! tiles, and no bulk copy follows a tile whose keys they have written, because only a partial tile does.
  REHEAT_DEVICE void release_key_stage()
  {
    if constexpr (cfg.key_stages != 0)
    {
      if (thread_index() == 0)
      {
        simt::mbarrier_arrive(shared_.key_stage_free[shared_.tile[reduced_stage_].key_stage]);
      }
    }
  }

  REHEAT_DEVICE thread_slice own_slice(unsigned stage, const tile_info& tile) const
  {
    const unsigned before = thread_index() * cfg.items_per_thread;
    const unsigned left = tile.items > before ? tile.items - before : 0;
    return {{stage, tile.key_stage}, thread_index(), tile.items, left < cfg.items_per_thread ? left : cfg.items_per_thread,
            first_item(tile),        tile.last != 0};
  }
  REHEAT_DEVICE std::uint64_t first_item(const tile_info& tile) const
  {
    return params_.first_item(tile.number, cfg.tile_items());
  }
  REHEAT_DEVICE accum* own_prefix(unsigned stage) const
  {
    return shared_.thread_prefix + stage * cfg.compute_threads + thread_index();
  }

  //! Waits for the next tile and reduces it as far as the warp: leaves the thread's inclusive value in inclusive_ and the
  //! warp's total in shared memory. Returns false after the last tile.
  REHEAT_DEVICE bool reduce_next()
  {
    const unsigned stage = reducing_.stage;
    simt::mbarrier_wait(shared_.full[stage], reducing_.parity, simt::unless(simt::fault::skip_full_wait));
    const tile_info tile = shared_.tile[stage];
    if (tile.number == no_tile)
    {
      more_ = false;
      return false;
    }
    if (can_bulk_load && params_.aligned_in && tile.is_bulk == 0)
    {
      const bool too_far = simt::fault_active(simt::fault::read_past_end) && tile.items < cfg.tile_items();
      shared_.collective.template load<cfg.items_per_thread, true>(
          in_, params_.starts_aligned(tile.number), first_item(tile), tile.items + (too_far ? 1 : 0), tile.last != 0,
          {stage, tile.key_stage}, thread_index(), cfg.compute_threads);
      simt::sync_named(compute_barrier, cfg.compute_threads, simt::unless(simt::fault::skip_load_barrier));
    }
    shared_.collective.reduce(in_, own_slice(stage, tile), op_, inclusive_);
    const unsigned threads = (tile.items + cfg.items_per_thread - 1) / cfg.items_per_thread; // with an item
    const unsigned lanes = lanes_of(threads, warp_index());
    warp_inclusive_scan(inclusive_, lanes, op_, scratch_);
    totals_ ^= simt::fault_active(simt::fault::one_totals_buffer) ? 0 : 1;
    if (lanes != 0 && simt::lane_index() == lanes - 1)
    {
      construct_at(totals() + warp_index(), inclusive_.get());
    }
    reduced_tile_ = tile.number;
    reduced_last_ = tile.last != 0;
    reduced_threads_ = threads;
    reduced_stage_ = stage;
    reducing_.advance(cfg.stages);
    return true;
  }

  //! The warps' totals of the tile last reduced.
  REHEAT_DEVICE accum* totals() const { return shared_.warp_totals + totals_ * warps; }

  //! Returns how many of the first `threads` threads are lanes of `warp`.
  REHEAT_DEVICE static unsigned lanes_of(unsigned threads, unsigned warp)
  {
    const unsigned left = threads > warp * 32 ? threads - warp * 32 : 0;
    return left < 32 ? left : 32;
  }

  //! After reduce_next and a barrier: leaves the thread's exclusive value for scan_stage. The last thread with items
  //! publishes the tile's aggregate, unless this is the input's last tile, whose aggregate no block reads.
  REHEAT_DEVICE void publish()
  {
    const unsigned warp = warp_index(), lane = simt::lane_index(), thread = thread_index();
    const accum* const totals = this->totals();
    uninitialized<accum> before; // the fold of the previous warps' totals; empty in warp 0
    if constexpr (is_bitwise_copyable_v<accum>)
    {
      const unsigned valid_warps = (reduced_threads_ + 31) / 32;
      if (lane < valid_warps)
      {
        before.construct(totals[lane]);
      }
      warp_inclusive_scan<warps>(before, valid_warps, op_, scratch_);
      before = simt::shuffle(before, warp == 0 ? 0 : warp - 1);
    }
    else if (warp > 0 && thread < reduced_threads_)
    {
      before.construct(totals[0]);
      for (unsigned i = 1; i < warp; ++i)
      {
        before.get() = op_(before.get(), totals[i]);
      }
    }
    uninitialized<accum> left;
    shift_from_lane_below(inclusive_, lanes_of(reduced_threads_, warp), left, scratch_);
    if (thread > 0 && thread < reduced_threads_)
    {
      if (lane == 0)
      {
        construct_at(own_prefix(reduced_stage_), before.get());
      }
      else if (warp == 0)
      {
        construct_at(own_prefix(reduced_stage_), left.get());
      }
      else
      {
        construct_at(own_prefix(reduced_stage_), op_(before.get(), left.get()));
      }
    }
    const bool dropped = simt::fault_active(simt::fault::drop_publish) && reduced_tile_ == 1;
    if (thread + 1 == reduced_threads_ && !reduced_last_ && !dropped)
    {
      if (simt::fault_active(simt::fault::publish_early))
      {
        slots_.publish(slot_of_value<cfg.slots_per_lane>(reduced_tile_), inclusive_.get());
      }
      if (warp > 0)
      {
        inclusive_.get() = op_(before.get(), inclusive_.get());
      }
      slots_.publish(slot_of_value<cfg.slots_per_lane>(reduced_tile_), inclusive_.get());
    }
  }

  //! Scans the thread's items in place. The thread's exclusive value is P(t) ⊕ x(j), without P(t) or x(j) if it is absent.
  REHEAT_DEVICE void scan_stage(unsigned stage)
  {
    const tile_info tile = shared_.tile[stage];
    const thread_slice slice = own_slice(stage, tile);
    optional_accumulator<prefix> fold;
    if (slice.count != 0)
    {
      if (tile.number > 0 || starts_.holds)
      {
        fold.append(shared_.tile_prefix[stage], op_);
      }
      if (thread_index() > 0)
      {
        fold.append(*own_prefix(stage), op_);
      }
    }
    if constexpr (total_of<Init>::is_stored)
    {
      scan_and_store_total(slice, fold);
    }
    else
    {
      shared_.collective.template scan<Kind>(in_, out_, slice, fold, op_);
    }
    if constexpr (can_bulk_load || can_bulk_store)
    {
      // A bulk copy reads or overwrites these items next.
      simt::async_proxy_fence(simt::unless(simt::fault::skip_proxy_fence));
    }
  }

  //! As the collective's scan. The thread that has the input's last item stores the total.
  REHEAT_DEVICE void scan_and_store_total(const thread_slice& slice, optional_accumulator<prefix>& fold)
  {
    static_assert(!Collective::scan_stores, "scans by key have no total");
    const bool ends_input =
        slice.last && slice.count != 0 && slice.thread * cfg.items_per_thread + slice.count == slice.items;
    uninitialized<accum> item;
    if (ends_input)
    {
      item.construct(shared_.collective.own_items(slice)[slice.count - 1]);
    }
    shared_.collective.template scan<Kind>(in_, out_, slice, fold, op_);
    if (ends_input)
    {
      total_.template store<Kind>(shared_.collective.own_items(slice)[slice.count - 1], item.get(), op_);
    }
  }

  //! Stores a scanned tile and hands back the stage of the previous tile. No one reads that stage any more: all threads have
  //! passed the barrier before this call, and only the latest bulk store may still be reading.
  REHEAT_DEVICE void store_stage(unsigned stage)
  {
    const tile_info tile = shared_.tile[stage];
    const bool in_bulk = can_bulk_store && params_.aligned_out && tile.items == cfg.tile_items();
    if constexpr (can_bulk_store) // otherwise store warps store partial tiles, too
    {
      if (!in_bulk)
      {
        shared_.collective.template store<cfg.items_per_thread, true>(
            out_, params_.aligned_out && params_.starts_aligned(tile.number), first_item(tile), tile.items, stage,
            thread_index(), cfg.compute_threads);
      }
    }
    if (thread_index() != 0)
    {
      return;
    }
    if constexpr (can_bulk_store)
    {
      if (in_bulk)
      {
        shared_.collective.store_in_bulk(out_, first_item(tile), stage, params_.evicts);
      }
      simt::bulk_commit();
      simt::bulk_wait_read<1>(simt::unless(simt::fault::skip_read_wait));
    }
    if (previous_stage_ != cfg.stages)
    {
      simt::mbarrier_arrive(shared_.empty[previous_stage_], simt::unless(simt::fault::reuse_stage_early));
    }
    previous_stage_ = stage;
  }

  const scan_shared<Collective, accum>& shared_;
  const scan_params<accum>& params_;
  slot_array<accum> slots_;
  InputIt in_;
  OutputIt out_;
  Op op_;
  total_of<Init> total_;
  init_presence<Init> starts_;
  accum* scratch_;
  ring_position reducing_; //!< the next tile to reduce
  ring_position scanning_; //!< the next tile to scan
  bool more_ = true;       //!< there may be further tiles to reduce
  // The tile last reduced. Its members are valid until it is published.
  uninitialized<accum> inclusive_;
  std::uint64_t reduced_tile_ = 0;
  bool reduced_last_ = false;
  unsigned reduced_threads_ = 0; //!< threads with an item
  unsigned reduced_stage_ = 0;
  unsigned totals_ = 0;                  //!< which of the two warp_totals is in use
  unsigned previous_stage_ = cfg.stages; //!< thread 0: the stage that is stored but not yet handed back; cfg.stages if none
};

} // namespace detail
REHEAT_NAMESPACE_END

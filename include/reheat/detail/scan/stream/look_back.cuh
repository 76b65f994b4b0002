// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The scan's look-back warp: it folds the aggregates of all previous tiles into a tile's prefix.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/grid/slot_fold.cuh>
#include <reheat/detail/scan/collectives/collective.cuh>
#include <reheat/detail/scan/stream/shared.cuh>
#include <reheat/detail/simt/simt.cuh>
#include <reheat/detail/thread/value.cuh>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

//! The look-back warp. Its running folds live in lane 0. If warp_fold gives its result to all lanes, they live in all lanes,
//! and no branch is needed.
template <class Tuning, class Collective, class Init, class Op>
class scan_look_back
{
  using accum = typename Init::accum;
  using prefix = prefix_of<accum>;
  static constexpr scan_config cfg = Tuning{}(simt::arch);

public:
  REHEAT_DEVICE scan_look_back(const scan_shared<Collective, accum>& shared, const slot_array<accum>& slots, Op op,
                               accum* scratch)
      : shared_(shared), slots_(slots), op_(op), scratch_(scratch)
  {}

  REHEAT_DEVICE void run(const Init& init)
  {
    if constexpr (Init::present)
    {
      if (init_presence<Init>(init).holds)
      {
        supergroups_.append(init.load(), op_);
      }
    }
    for (ring_position at;; at.advance(cfg.stages))
    {
      simt::mbarrier_wait(shared_.full[at.stage], at.parity);
      const std::uint64_t tile = shared_.tile[at.stage].number;
      // All lanes have read the tile before lane 0 lets the stage be handed on.
      simt::sync_warp(simt::unless(simt::fault::skip_tile_barrier));
      if (tile == no_tile)
      {
        return;
      }
      optional_accumulator<prefix> before;
      look_back(tile, before);
      if (simt::lane_index() == 0)
      {
        if (before.has)
        {
          construct_at(shared_.tile_prefix + at.stage, before.value.get());
        }
        simt::mbarrier_arrive(shared_.prefix_ready[at.stage]);
      }
    }
  }

private:
  using row = slot_row<cfg.slots_per_lane, accum>;
  //! Whether registers hold two rows of slots as read, at 64 bits a word. A thread has twice as many registers in blocks of
  //! up to 512 threads.
  static constexpr bool reads_two_rows =
      slot_traits<accum>::words * cfg.slots_per_lane <= (cfg.max_threads() <= 512 ? 16 : 8);

  //! Whether the warp pauses between two looks at slots. Its looks take instructions from the compute warps: without a pause
  //! scans of i8 and i16 take 3 to 4 % longer (NVIDIA H200). reduce_by_key has warps to spare and waits for the look-back
  //! warp: of i32 a pause costs 4 to 5 %.
  static constexpr bool pauses = !Collective::scan_stores;
  static constexpr bool in_all_lanes = folds_into_all_lanes_v<Op, accum>;

  //! The prefix of `tile`. Tiles ascend, so whole groups are folded once. The last whole group is read together
  //! with the tiles after it.
  REHEAT_DEVICE void look_back(std::uint64_t tile, optional_accumulator<prefix>& before)
  {
    constexpr unsigned group = cfg.group_tiles();
    while (folded_tiles_ + group <= tile)
    {
      row whole(slots_, folded_tiles_, group - (simt::fault_active(simt::fault::short_group) ? 1 : 0));
      const std::uint64_t behind = tile - folded_tiles_ - group;
      if (!reads_two_rows || behind == 0 || behind >= group)
      {
        wait_for_slots<pauses>(whole);
        append_group(whole);
        continue;
      }
      row rest(slots_, folded_tiles_ + group, static_cast<unsigned>(behind));
      wait_for_slots<pauses>(whole, rest);
      append_group(whole);
      start(before);
      append(before, rest);
      return;
    }
    start(before);
    if (folded_tiles_ < tile)
    {
      row rest(slots_, folded_tiles_, static_cast<unsigned>(tile - folded_tiles_));
      wait_for_slots<pauses>(rest);
      append(before, rest);
    }
  }

  //! Starts from the folds of earlier calls: initial value, supergroups and groups.
  REHEAT_DEVICE void start(optional_accumulator<prefix>& before)
  {
    if (in_all_lanes || simt::lane_index() == 0)
    {
      before.append(supergroups_, op_);
      before.append(groups_, op_);
    }
  }

  REHEAT_DEVICE void append_group(const row& whole)
  {
    append(groups_, whole);
    folded_tiles_ += cfg.group_tiles();
    if (++group_count_ == cfg.groups_per_supergroup)
    {
      if (in_all_lanes || simt::lane_index() == 0)
      {
        supergroups_.append(groups_.value.get(), op_);
        groups_.has = simt::fault_active(simt::fault::keep_groups);
      }
      group_count_ = 0;
    }
  }

  //! Appends the fold of a row of aggregates.
  REHEAT_DEVICE void append(optional_accumulator<prefix>& fold, const row& aggregates)
  {
    uninitialized<accum> tiles;
    aggregates.fold(tiles, op_, scratch_);
    if (!in_all_lanes && simt::lane_index() != 0)
    {
      return;
    }
    if (simt::fault_active(simt::fault::commute_fold) && fold.has)
    {
      fold.value.get() = op_(prefix(tiles.get()), fold.value.get());
      return;
    }
    fold.append(tiles.get(), op_);
  }

  const scan_shared<Collective, accum>& shared_;
  slot_array<accum> slots_;
  Op op_;
  accum* scratch_;
  optional_accumulator<prefix> supergroups_; //!< the initial value and all whole supergroups
  optional_accumulator<prefix> groups_;      //!< the whole groups after them
  std::uint64_t folded_tiles_ = 0;           //!< tiles in supergroups_ and groups_
  unsigned group_count_ = 0;                 //!< of groups_
};

} // namespace detail
REHEAT_NAMESPACE_END

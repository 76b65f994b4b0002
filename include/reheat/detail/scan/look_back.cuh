// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The scan's look-back warp: from the aggregates of all tiles before to a tile's prefix.
#pragma once

#include <reheat/detail/block/slot_fold.cuh>
#include <reheat/detail/block/value.cuh>
#include <reheat/detail/config.cuh>
#include <reheat/detail/scan/job.cuh>
#include <reheat/detail/simt/simt.cuh>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

//! The look-back warp. Its running folds live in lane 0.
template <class Tuning, class Init, class Op>
class scan_look_back
{
  using accum = typename Init::accum;
  static constexpr scan_config cfg = Tuning{}(simt::arch);

public:
  REHEAT_DEVICE scan_look_back(const scan_shared<Tuning, accum>& shared, const slot_array<accum>& slots, Op op,
                               accum* scratch)
      : shared_(shared), slots_(slots), op_(op), scratch_(scratch)
  {}

  REHEAT_DEVICE void run(const Init& init)
  {
    if constexpr (Init::present)
    {
      supergroups_.append(init.value, op_);
    }
    for (ring_position at;; at.advance(cfg.stages))
    {
      simt::mbarrier_wait(shared_.full[at.stage], at.parity);
      const std::uint64_t tile = shared_.tile[at.stage];
      if (!simt::fault_active(simt::fault::skip_tile_barrier))
      {
        simt::sync_warp(); // all lanes have read the tile before lane 0 lets the stage be handed on
      }
      if (tile == no_tile)
      {
        return;
      }
      running_fold<accum> prefix;
      look_back(tile, prefix);
      if (simt::lane_index() == 0)
      {
        if (prefix.has)
        {
          construct_at(shared_.tile_prefix + at.stage, prefix.value.get());
        }
        simt::mbarrier_arrive(shared_.prefix_ready[at.stage]);
      }
    }
  }

private:
  //! The prefix of `tile`, in lane 0. Tiles ascend, so whole groups are folded once.
  REHEAT_DEVICE void look_back(std::uint64_t tile, running_fold<accum>& prefix)
  {
    constexpr unsigned group = cfg.group_tiles();
    for (; folded_tiles_ + group <= tile; folded_tiles_ += group)
    {
      append(groups_, group - (simt::fault_active(simt::fault::short_group) ? 1 : 0));
      if (++group_count_ == cfg.groups_per_supergroup)
      {
        if (simt::lane_index() == 0)
        {
          supergroups_.append(groups_.value.get(), op_);
          groups_.has = simt::fault_active(simt::fault::keep_groups);
        }
        group_count_ = 0;
      }
    }
    if (simt::lane_index() == 0)
    {
      prefix.append(supergroups_, op_);
      prefix.append(groups_, op_);
    }
    if (folded_tiles_ < tile)
    {
      append(prefix, static_cast<unsigned>(tile - folded_tiles_));
    }
  }

  //! Appends, in lane 0, the fold of `count` aggregates from folded_tiles_ on.
  REHEAT_DEVICE void append(running_fold<accum>& fold, unsigned count)
  {
    manual<accum> tiles;
    fold_slots<cfg.slots_per_lane>(slots_, folded_tiles_, count, tiles, op_, scratch_);
    if (simt::lane_index() != 0)
    {
      return;
    }
    if (simt::fault_active(simt::fault::commute_fold) && fold.has)
    {
      fold.value.get() = op_(tiles.get(), fold.value.get());
      return;
    }
    fold.append(tiles.get(), op_);
  }

  const scan_shared<Tuning, accum>& shared_;
  slot_array<accum> slots_;
  Op op_;
  accum* scratch_;
  running_fold<accum> supergroups_; //!< init and whole supergroups
  running_fold<accum> groups_;      //!< whole groups since
  std::uint64_t folded_tiles_ = 0;  //!< tiles in either
  unsigned group_count_ = 0;        //!< groups in groups_
};

} // namespace detail
REHEAT_NAMESPACE_END

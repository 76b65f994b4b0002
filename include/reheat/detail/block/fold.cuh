// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Folds of one value per thread across a block, operands in thread order, over the first threads of the block only: the
//! operator never sees what other threads hold. Each warp folds its lanes' values by warp_fold, its lane 0 writes the warp's
//! total to shared memory, and warp 0 folds the totals by warp_fold. Thread 0 holds the result; what other threads hold is
//! not specified.
//!
//! Barriers. All threads of the block call, with the same count. One barrier of the block stands between writing the totals
//! and reading them. If only the first warp has values, there is none, and the totals' memory is not touched. No barrier
//! follows: the caller has one before anything else is written to the totals' memory.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/simt/simt.cuh>
#include <reheat/detail/thread/value.cuh>
#include <reheat/detail/warp/fold.cuh>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

//! Thread 0 gets in `value` the fold of the first `warps` >= 1 warps' values, which their lanes 0 hold. `totals` is shared
//! memory of a T per warp of the block; `scratch` is this warp's, warp_scratch_items<T> Ts.
template <class T, class Op>
REHEAT_DEVICE void fold_warp_totals(uninitialized<T>& value, unsigned warps, T* totals, T* scratch, Op& op)
{
  if (warps == 1)
  {
    return;
  }
  if (simt::lane_index() == 0 && simt::warp_index() < warps)
  {
    construct_at(totals + simt::warp_index(), value.get());
  }
  simt::sync_block(simt::unless(simt::fault::skip_block_totals_barrier));
  if (simt::warp_index() == 0)
  {
    uninitialized<T> total;
    if (simt::lane_index() < warps)
    {
      total.construct(totals[simt::lane_index()]);
    }
    warp_fold(total, warps, op, scratch);
    if (simt::lane_index() == 0)
    {
      value.construct(total.get());
    }
  }
}

//! Thread 0 gets v0 ⊕ … ⊕ v(threads−1) in `value`; threads >= 1. The memory is that of fold_warp_totals.
template <class T, class Op>
REHEAT_DEVICE void block_fold(uninitialized<T>& value, unsigned threads, T* totals, T* scratch, Op& op)
{
  const unsigned before = simt::warp_index() * simt::warp_lanes;
  const unsigned left = threads > before ? threads - before : 0;
  warp_fold(value, left < simt::warp_lanes ? left : simt::warp_lanes, op, scratch);
  fold_warp_totals(value, (threads + simt::warp_lanes - 1) / simt::warp_lanes, totals, scratch, op);
}

} // namespace detail
REHEAT_NAMESPACE_END

// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! What the threads of a block carry into each other's items: the fold of the items since the last end of a segment.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/segments/segments.cuh>
#include <reheat/detail/segments/warp.cuh>
#include <reheat/detail/simt/simt.cuh>
#include <reheat/detail/thread/value.cuh>
#include <reheat/detail/warp/scan.cuh>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

//! The fold of a range of items; the boundaries are ends of segments.
template <class T>
using run_fold = segmented<T, boundary_flags>;

//! The fold of the items since the last end, which may be none: the segment that is open behind a range.
template <class T>
struct open_fold
{
  optional_accumulator<T> items;

  //! Extends the range by `next`.
  template <class Op>
  REHEAT_DEVICE void extend(const run_fold<T>& next, Op& op)
  {
    if (next.boundaries.inside())
    {
      items.value.construct(next.value);
      items.has = true;
    }
    else
    {
      items.append(next.value, op);
    }
    if (next.boundaries.follows())
    {
      items.has = false;
    }
  }
};

//! Shared memory for the folds of a block's warps, and for a fold across lanes of values that shuffles cannot move.
template <class T>
struct carry_shared
{
  run_fold<T>* totals;  //!< [warp]
  run_fold<T>* scratch; //!< [warp][warp_scratch_items]

  REHEAT_EXEC_CHECK_DISABLE
  template <class Memory>
  REHEAT_HOST_DEVICE constexpr carry_shared(Memory& memory, unsigned warps)
      : totals(memory.template array<run_fold<T>>(warps)),
        scratch(memory.template array<run_fold<T>>(warps * warp_scratch_items<run_fold<T>>))
  {}
};

//! The first `valid` >= 1 threads of a block hold the folds of neighbouring ranges. Each of them gets in `before` the
//! segment that is open before its range; `open`, the same in all threads, is open before the first range, and becomes what
//! is open behind the last one. All threads call. One barrier stands between writing the totals and reading them; the caller
//! has one before the next call.
template <class T, class Op>
REHEAT_DEVICE void carry_between_threads(uninitialized<run_fold<T>>& own, unsigned valid, open_fold<T>& open,
                                         open_fold<T>& before, segmented_op<Op>& op, const carry_shared<T>& shared)
{
  const unsigned first = simt::warp_index() * simt::warp_lanes;
  const unsigned lanes = valid <= first ? 0 : valid - first < simt::warp_lanes ? valid - first : simt::warp_lanes;
  run_fold<T>* const scratch = shared.scratch + simt::warp_index() * warp_scratch_items<run_fold<T>>;
  uninitialized<run_fold<T>> left;
  if (lanes != 0)
  {
    warp_inclusive_scan(own, lanes, op, scratch);
    shift_from_lane_below(own, lanes, left, scratch);
    if (simt::lane_index() + 1 == lanes)
    {
      construct_at(shared.totals + simt::warp_index(), own.get());
    }
  }
  simt::sync_block(simt::unless(simt::fault::skip_carry_barrier));
  const unsigned warps = (valid + simt::warp_lanes - 1) / simt::warp_lanes;
  for (unsigned warp = 0; warp < warps; ++warp)
  {
    if (warp == simt::warp_index())
    {
      if (open.items.has)
      {
        before.items.append(open.items.value.get(), op.op);
      }
      if (simt::lane_index() != 0 && simt::lane_index() < lanes)
      {
        before.extend(left.get(), op.op);
      }
    }
    open.extend(shared.totals[warp], op.op);
  }
}

} // namespace detail
REHEAT_NAMESPACE_END

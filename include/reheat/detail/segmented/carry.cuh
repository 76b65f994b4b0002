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
#include <reheat/detail/warp/fold.cuh>
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
  T* values;            //!< [warp]
  run_fold<T>* scratch; //!< [warp][warp_scratch_items]
  T* value_scratch;     //!< likewise

  REHEAT_EXEC_CHECK_DISABLE
  template <class Memory>
  REHEAT_HOST_DEVICE constexpr carry_shared(Memory& memory, unsigned warps)
      : totals(memory.template array<run_fold<T>>(warps)), values(memory.template array<T>(warps)),
        scratch(memory.template array<run_fold<T>>(warps * warp_scratch_items<run_fold<T>>)),
        value_scratch(memory.template array<T>(warps * warp_scratch_items<T>))
  {}

  //! The caller's warp's scratch memory.
  REHEAT_DEVICE run_fold<T>* folds_of_warp() const { return scratch + simt::warp_index() * warp_scratch_items<run_fold<T>>; }
  REHEAT_DEVICE T* values_of_warp() const { return value_scratch + simt::warp_index() * warp_scratch_items<T>; }
};

//! Whether it holds in any thread of a block of `Warps` warps. All threads call. `counts` has a word for each warp.
template <unsigned Warps>
REHEAT_DEVICE bool any_of_block(bool own, unsigned* counts)
{
  const bool any = simt::any(own);
  if (simt::lane_index() == 0)
  {
    counts[simt::warp_index()] = any ? 1 : 0;
  }
  simt::sync_block();
  unsigned warps = 0;
  for (unsigned warp = 0; warp < Warps; ++warp)
  {
    warps += counts[warp];
  }
  simt::sync_block(); // the counts have been read
  return warps != 0;
}

//! How many of the caller's warp's lanes are among the first `valid` threads of the block.
REHEAT_DEVICE inline unsigned valid_lanes(unsigned valid)
{
  const unsigned first = simt::warp_index() * simt::warp_lanes;
  return valid <= first ? 0 : valid - first < simt::warp_lanes ? valid - first : simt::warp_lanes;
}

//! The first `valid` threads of a block of `Warps` warps hold the folds of neighbouring ranges. Each of them gets in
//! `before` the segment that is open before its range. `open` is the same in all threads: the segment that is open before
//! the first range and, after the call, the one behind the last range. All threads call. One barrier separates writing the
//! totals from reading them. The caller has another one before the next call.
template <unsigned Warps, class T, class Op>
REHEAT_DEVICE void carry_between_threads(uninitialized<run_fold<T>>& own, unsigned valid, open_fold<T>& open,
                                         open_fold<T>& before, segmented_op<Op>& op, const carry_shared<T>& shared)
{
  const unsigned lanes = valid_lanes(valid), lane = simt::lane_index(), warp = simt::warp_index();
  run_fold<T>* const scratch = shared.folds_of_warp();
  uninitialized<run_fold<T>> left;
  if (lanes != 0)
  {
    warp_inclusive_scan(own, lanes, op, scratch);
    shift_from_lane_below(own, lanes, left, scratch);
    if (lane + 1 == lanes)
    {
      construct_at(shared.totals + warp, own.get());
    }
  }
  simt::sync_block(simt::unless(simt::fault::skip_carry_barrier));
  if (valid == 0)
  {
    return;
  }
  const unsigned warps = (valid + simt::warp_lanes - 1) / simt::warp_lanes;
  if constexpr (is_bitwise_copyable_v<T>)
  {
    // Each warp scans the totals of all.
    uninitialized<run_fold<T>> total;
    if (lane < warps)
    {
      total.construct(shared.totals[lane]);
    }
    warp_inclusive_scan<Warps>(total, warps, op, scratch);
    const uninitialized<run_fold<T>> up_to_warp = simt::shuffle(total, warp == 0 ? 0 : warp - 1),
                                     all = simt::shuffle(total, warps - 1);
    before = open;
    if (warp != 0)
    {
      before.extend(up_to_warp.get(), op.op);
    }
    open.extend(all.get(), op.op);
  }
  else
  {
    for (unsigned w = 0; w < warps; ++w)
    {
      if (w == warp && open.items.has)
      {
        before.items.append(open.items.value.get(), op.op);
      }
      open.extend(shared.totals[w], op.op);
    }
  }
  if (lane != 0 && lane < lanes)
  {
    before.extend(left.get(), op.op);
  }
}

//! The first `valid` threads of a block hold values of neighbouring ranges, in which no segment ends. `open`, the same in
//! all threads, is extended by them. Barriers are those of carry_between_threads.
template <unsigned Warps, class T, class Op>
REHEAT_DEVICE void fold_between_threads(uninitialized<T>& own, unsigned valid, optional_accumulator<T>& open, Op& op,
                                        const carry_shared<T>& shared)
{
  const unsigned lanes = valid_lanes(valid);
  if (lanes != 0)
  {
    warp_fold(own, lanes, op, shared.values_of_warp());
    if (simt::lane_index() == 0)
    {
      construct_at(shared.values + simt::warp_index(), own.get());
    }
  }
  simt::sync_block(simt::unless(simt::fault::skip_carry_barrier));
  const unsigned warps = (valid + simt::warp_lanes - 1) / simt::warp_lanes;
  if (warps == 0)
  {
    return;
  }
  uninitialized<T> fold;
  fold.construct(shared.values[0]);
  REHEAT_UNROLL
  for (unsigned warp = 1; warp < Warps; ++warp)
  {
    if (warp < warps)
    {
      fold.construct(static_cast<T>(op(fold.get(), shared.values[warp])));
    }
  }
  open.append(fold.get(), op);
}

} // namespace detail
REHEAT_NAMESPACE_END

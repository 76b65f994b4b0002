// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Scans of one value per thread across a block: the values stay in registers, shared memory holds the warps' sums alone.
//! The same memory serves block_fold.
//!
//! predicated_warp_scan is Kogge and Stone's scan by shuffles once more. The step before compared lane and distance, though
//! the shuffle has found out by itself whether there is a lane to take a value from: it says so in a predicate.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/simt/simt.cuh>
#include <reheat/detail/thread/value.cuh>
#include <reheat/detail/warp/fold.cuh>
#include <reheat/detail/warp/scan.cuh>
#include <reheat/ladder/chunks.cuh>

REHEAT_NAMESPACE_BEGIN
namespace detail
{
namespace ladder
{

//! Values copyable by their bytes.
struct predicated_warp_scan
{
  template <class T, class Op>
  static REHEAT_DEVICE void scan(uninitialized<T>& value, unsigned valid, Op& op, T*)
  {
    const bool has_item = simt::lane_index() < valid;
    REHEAT_UNROLL
    for (unsigned distance = 1; distance < simt::warp_lanes; distance *= 2)
    {
      bool in_range = false;
      const uninitialized<T> left = simt::shuffle_up_predicated(value, distance, in_range);
      if (has_item && (in_range || simt::fault_active(simt::fault::ignore_shuffle_range)))
      {
        value.get() = op(left.get(), value.get());
      }
    }
  }
};

//! Values of any type.
struct library_warp_scan
{
  template <class T, class Op>
  static REHEAT_DEVICE void scan(uninitialized<T>& value, unsigned valid, Op& op, T* scratch)
  {
    warp_inclusive_scan(value, valid, op, scratch);
  }
};

template <class Accum>
struct block_shared
{
  Accum* sums;    //!< [warps]
  Accum* scratch; //!< [warps][warp_scratch_items]

  REHEAT_EXEC_CHECK_DISABLE
  template <class Memory>
  REHEAT_HOST_DEVICE constexpr block_shared(Memory& memory, unsigned warps)
      : sums(memory.template array<Accum>(warps)), scratch(memory.template array<Accum>(warps * warp_scratch_items<Accum>))
  {}
  REHEAT_DEVICE Accum* own_scratch() const { return scratch + simt::warp_index() * warp_scratch_items<Accum>; }
};

//! Thread i < valid gets v0 ⊕ … ⊕ vi; sums[w] is then that of the last thread of warp w. All threads call; a barrier must
//! follow before the next call.
template <class WarpScan, class T, class Op>
REHEAT_DEVICE void block_inclusive_scan(const block_shared<T>& memory, uninitialized<T>& value, unsigned valid, Op& op)
{
  const unsigned lane = simt::lane_index(), warp = simt::warp_index();
  const unsigned lanes = lanes_within(valid);
  WarpScan::scan(value, lanes, op, memory.own_scratch());
  if (lanes != 0 && lane == lanes - 1)
  {
    construct_at(memory.sums + warp, value.get());
  }
  if (!simt::fault_active(simt::fault::skip_warp_sums_barrier))
  {
    simt::sync_block();
  }
  if (warp == 0)
  {
    const unsigned warps = (valid + simt::warp_lanes - 1) / simt::warp_lanes;
    uninitialized<T> sum;
    if (lane < warps)
    {
      sum.construct(memory.sums[lane]);
    }
    WarpScan::scan(sum, warps, op, memory.own_scratch());
    if (lane < warps)
    {
      memory.sums[lane] = sum.get();
    }
  }
  simt::sync_block();
  if (warp > 0 && lane < lanes)
  {
    value.get() = op(memory.sums[warp - 1], value.get());
  }
}

//! After block_inclusive_scan: thread 0 < i < valid gets in `left` what thread i − 1 has in `value`.
template <class T>
REHEAT_DEVICE void thread_before(const block_shared<T>& memory, const uninitialized<T>& value, unsigned valid,
                                 uninitialized<T>& left)
{
  const unsigned lane = simt::lane_index();
  const unsigned lanes = lanes_within(valid);
  shift_from_lane_below(value, lanes, left, memory.own_scratch());
  if (lane == 0 && lanes != 0 && simt::warp_index() > 0)
  {
    left.construct(memory.sums[simt::warp_index() - 1]);
  }
}

} // namespace ladder
} // namespace detail
REHEAT_NAMESPACE_END

// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Scans across the first `valid` lanes of a warp, with operands in lane order. The operator never sees other lanes' values.
//! Values that are copyable by their bytes pass through shuffles in five steps. Others pass through shared memory, where
//! lane 0 scans them one by one.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/operators.cuh>
#include <reheat/detail/simt/simt.cuh>
#include <reheat/detail/thread/value.cuh>
#include <reheat/detail/warp/fold.cuh>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

//! A step of a scan across lanes: folds `left`, the value of the lane `distance` below, into `value` from the left.
template <class T, class Op>
REHEAT_DEVICE void combine_left(uninitialized<T>& value, const uninitialized<T>& left, unsigned distance, unsigned valid,
                                Op& op)
{
  const unsigned lane = simt::lane_index();
  if constexpr (pads_with_identity_v<Op, T>)
  {
    value.get() = op(lane >= distance ? left.get() : identity_element<Op, T>(), value.get());
  }
  else if (lane >= distance && lane < valid)
  {
    value.get() = op(left.get(), value.get());
  }
}

//! Lane i < valid <= MaxValid gets v0 ⊕ … ⊕ vi. All lanes call with the same `valid`. Association: Kogge–Stone; step d adds
//! the value of lane i − d on the left; d = 1, 2, 4, 8, 16. Through shared memory: from the left.
template <unsigned MaxValid = simt::warp_lanes, class T, class Op>
REHEAT_DEVICE void warp_inclusive_scan(uninitialized<T>& value, unsigned valid, Op& op, T* scratch)
{
  if constexpr (is_bitwise_copyable_v<T>)
  {
    pad_lanes<Op>(value, valid);
    REHEAT_UNROLL
    for (unsigned distance = 1; distance < MaxValid; distance *= 2)
    {
      combine_left(value, simt::shuffle_up(value, distance), distance, valid, op);
    }
  }
  else
  {
    const unsigned lane = simt::lane_index();
    if (lane < valid)
    {
      construct_at(scratch + lane, value.get());
    }
    simt::sync_warp();
    if (lane == 0)
    {
      for (unsigned i = 1; i < valid; ++i)
      {
        scratch[i] = op(scratch[i - 1], scratch[i]);
      }
    }
    simt::sync_warp();
    if (lane < valid)
    {
      value.get() = scratch[lane];
    }
    simt::sync_warp(); // all reads of scratch are done
  }
}

//! warp_inclusive_scan of `rows` values at a time. Row r has valid[r] lanes. Values are copyable by their bytes. Shuffles of
//! different rows overlap.
template <unsigned MaxRows, class T, class Op>
REHEAT_DEVICE void warp_inclusive_scans(uninitialized<T> (&value)[MaxRows], const unsigned (&valid)[MaxRows], unsigned rows,
                                        Op& op)
{
  REHEAT_UNROLL
  for (unsigned r = 0; r < MaxRows; ++r)
  {
    pad_lanes<Op>(value[r], valid[r]);
  }
  REHEAT_UNROLL
  for (unsigned distance = 1; distance < simt::warp_lanes; distance *= 2)
  {
    REHEAT_UNROLL
    for (unsigned r = 0; r < MaxRows; ++r)
    {
      if (r < rows)
      {
        combine_left(value[r], simt::shuffle_up(value[r], distance), distance, valid[r], op);
      }
    }
  }
}

//! In lane i with 0 < i < valid, `left` becomes `value` of lane i − 1. All lanes call with the same `valid`.
template <class T>
REHEAT_DEVICE void shift_from_lane_below(const uninitialized<T>& value, unsigned valid, uninitialized<T>& left, T* scratch)
{
  if constexpr (is_bitwise_copyable_v<T>)
  {
    left = simt::shuffle_up(value, 1);
  }
  else
  {
    const unsigned lane = simt::lane_index();
    if (lane < valid)
    {
      construct_at(scratch + lane, value.get());
    }
    simt::sync_warp();
    if (lane > 0 && lane < valid)
    {
      left.construct(scratch[lane - 1]);
    }
    simt::sync_warp(); // all reads of scratch are done
  }
}

} // namespace detail
REHEAT_NAMESPACE_END

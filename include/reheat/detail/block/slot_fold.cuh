// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! A warp folds neighbouring slots in order.
#pragma once

#include <reheat/detail/block/slot.cuh>
#include <reheat/detail/block/warp.cuh>
#include <reheat/detail/config.cuh>
#include <reheat/detail/simt/simt.cuh>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

//! Lane 0 gets the fold of `count` slots from `first` on, 1 <= count <= 32 · PerLane. Waits until all are published. All
//! lanes call. Association: each lane its PerLane neighbours from the left, then warp_fold.
REHEAT_EXEC_CHECK_DISABLE
template <unsigned PerLane, class T, class Op>
REHEAT_DEVICE void fold_slots(const slot_array<T>& slots, std::uint64_t first, unsigned count, manual<T>& result, Op& op,
                              T* scratch)
{
  const unsigned mine = simt::lane_index() * PerLane;
  slot_reading<T> reading[PerLane];
  for (;;)
  {
    REHEAT_UNROLL
    for (unsigned i = 0; i < PerLane; ++i)
    {
      if (mine + i < count)
      {
        slots.read(first + mine + i, reading[i]);
      }
    }
    bool ready = true;
    REHEAT_UNROLL
    for (unsigned i = 0; i < PerLane; ++i)
    {
      ready = ready && (mine + i >= count || slots.ready(reading[i]));
    }
    if (simt::all(ready))
    {
      break;
    }
    simt::backoff();
  }
  if (mine < count)
  {
    slots.value(first + mine, reading[0], result);
    REHEAT_UNROLL
    for (unsigned i = 1; i < PerLane; ++i)
    {
      if (mine + i < count)
      {
        manual<T> right;
        slots.value(first + mine + i, reading[i], right);
        result.get() = op(result.get(), right.get());
      }
    }
  }
  warp_fold(result, (count + PerLane - 1) / PerLane, op, scratch);
}

} // namespace detail
REHEAT_NAMESPACE_END

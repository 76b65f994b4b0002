// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Folds of neighbouring slots, in order: by a warp, and of all slots by a block.
#pragma once

#include <reheat/detail/block/fold.cuh>
#include <reheat/detail/config.cuh>
#include <reheat/detail/grid/slot.cuh>
#include <reheat/detail/simt/simt.cuh>
#include <reheat/detail/thread/identity_accumulator.cuh>
#include <reheat/detail/warp/fold.cuh>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

//! The number of slots for `values` values: whole rows if a lane has several values.
REHEAT_HOST_DEVICE constexpr std::uint64_t slots_in_rows(std::uint64_t values, unsigned per_lane)
{
  const unsigned row = per_lane == 1 ? 1 : simt::warp_lanes * per_lane;
  return (values + row - 1) / row * row;
}
//! The slot of value `index`. A row holds 32 · PerLane neighbouring values, and a lane folds PerLane neighbours of them. The
//! slots of one lane lie 32 apart, so that the slots that all lanes read at a time are adjacent. With each lane's slots
//! adjacent instead, a scan of 64 MB of i8 took 16 % longer (NVIDIA H200).
template <unsigned PerLane>
REHEAT_DEVICE std::uint64_t slot_of_value(std::uint64_t index)
{
  static_assert((PerLane & (PerLane - 1)) == 0, "rows do not straddle 2^32");
  const unsigned i = static_cast<unsigned>(index) % (simt::warp_lanes * PerLane);
  return index - i + i % PerLane * simt::warp_lanes + i / PerLane;
}

//! Lane 0 gets the fold of a row of `count` >= 1 values; all lanes do if folds_into_all_lanes_v. `get(i, value)` makes
//! `value` the lane's value `i` < PerLane. Association: each lane folds its PerLane neighbours from the left, then warp_fold
//! folds the lanes.
template <unsigned PerLane, class T, class Get, class Op>
REHEAT_DEVICE void fold_row(unsigned count, Get get, uninitialized<T>& result, Op& op, T* scratch)
{
  const unsigned mine = simt::lane_index() * PerLane;
  if constexpr (pads_with_identity_v<Op, T>)
  {
    identity_accumulator<T, Op> own;
    REHEAT_UNROLL
    for (unsigned i = 0; i < PerLane; ++i)
    {
      const bool there = mine + i < count;
      uninitialized<T> value;
      if (there)
      {
        get(i, value);
      }
      own.append_if(there, value, op);
    }
    result = own.value;
  }
  else if (mine < count)
  {
    get(0, result);
    REHEAT_UNROLL
    for (unsigned i = 1; i < PerLane; ++i)
    {
      if (mine + i < count)
      {
        uninitialized<T> right;
        get(i, right);
        result.get() = op(result.get(), right.get());
      }
    }
  }
  warp_fold(result, (count + PerLane - 1) / PerLane, op, scratch);
}

//! A row of values in slots, or the first `count` of it, that a warp reads and folds together. All lanes call every member.
template <unsigned PerLane, class T>
class slot_row
{
public:
  //! `first` is a multiple of 32 · PerLane.
  REHEAT_DEVICE slot_row(const slot_array<T>& slots, std::uint64_t first, unsigned count)
      : slots_(slots), first_(first + simt::lane_index()), count_(count), mine_(simt::lane_index() * PerLane)
  {}

  //! Starts reading the lane's slots.
  REHEAT_DEVICE void read()
  {
    REHEAT_UNROLL
    for (unsigned i = 0; i < PerLane; ++i)
    {
      if (mine_ + i < count_)
      {
        slots_.read(slot(i), reading_[i]);
      }
    }
  }

  //! 0 if all slots that this lane has read are published.
  REHEAT_DEVICE std::uint32_t tag_mismatch() const
  {
    std::uint32_t result = 0;
    REHEAT_UNROLL
    for (unsigned i = 0; i < PerLane; ++i)
    {
      result |= mine_ + i < count_ ? slots_.tag_mismatch(reading_[i]) : 0;
    }
    return result;
  }

  //! As fold_row. All lanes' slots are ready, and there is at least one.
  template <class Op>
  REHEAT_DEVICE void fold(uninitialized<T>& result, Op& op, T* scratch) const
  {
    fold_row<PerLane>(
        count_, [this](unsigned i, uninitialized<T>& value) { slots_.value(slot(i), reading_[i], value); }, result, op,
        scratch);
  }

private:
  //! The slot of the lane's value `i`.
  REHEAT_DEVICE std::uint64_t slot(unsigned i) const { return first_ + i * simt::warp_lanes; }

  const slot_array<T>& slots_;
  std::uint64_t first_; //!< the lane's first slot
  unsigned count_, mine_;
  slot_reading<T> reading_[PerLane];
};

//! Reads rows until all of their slots are published. A round trip to the L2 costs 0.6 us (NVIDIA H200), however many slots
//! it reads. One test decides about all rows: where each slot had its own, ptxas 13.0 tested the first row before it issued
//! the loads of the second, which cost a second round trip. `Pauses`: see simt::backoff.
template <bool Pauses = false, class... Rows>
REHEAT_DEVICE void wait_for_slots(Rows&... rows)
{
  for (;;)
  {
    (rows.read(), ...);
    if (simt::all((rows.tag_mismatch() | ...) == 0))
    {
      return;
    }
    simt::backoff(Pauses);
  }
}

//! Waits until `count` values from `first` on are published; lane 0 gets their fold. `first` is a multiple of 32 · PerLane,
//! and 1 <= count <= 32 · PerLane.
template <unsigned PerLane, class T, class Op>
REHEAT_DEVICE void fold_slots(const slot_array<T>& slots, std::uint64_t first, unsigned count, uninitialized<T>& result,
                              Op& op, T* scratch)
{
  slot_row<PerLane, T> row(slots, first, count);
  wait_for_slots(row);
  row.fold(result, op, scratch);
}

//! Thread 0 holds the value of the last block and gets the fold of all blocks' values. `others` >= 1 blocks precede the
//! last. Each warp folds 32 · PerLane values, which are enough together; all threads call. `totals` and `scratch` are those
//! of block_fold.
template <unsigned PerLane, class T, class Op>
REHEAT_DEVICE void fold_all_slots(const slot_array<T>& slots, unsigned others, uninitialized<T>& value, T* totals,
                                  T* scratch, Op& op)
{
  constexpr unsigned per_warp = simt::warp_lanes * PerLane;
  const unsigned first = simt::warp_index() * per_warp;
  uninitialized<T> before;
  if (first < others)
  {
    const unsigned left = others - first;
    fold_slots<PerLane>(slots, first, left < per_warp ? left : per_warp, before, op, scratch);
  }
  fold_warp_totals(before, (others + per_warp - 1) / per_warp, totals, scratch, op);
  if (simt::thread_index() == 0)
  {
    value.get() = op(before.get(), value.get());
  }
}

} // namespace detail
REHEAT_NAMESPACE_END

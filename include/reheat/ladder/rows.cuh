// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Four ways for a warp to scan a row of up to 32 values in shared memory; each wastes less than the one before.
//!
//! * one_lane_row: one lane goes from value to value, 31 lanes wait: 31 steps.
//! * kogge_stone_row: all lanes work. In step d = 1, 2, 4, 8, 16 each takes the value d to its left, and after five steps
//!   has folded all of them. Lanes with nothing d to their left must be told apart in every step.
//! * padded_row: 16 identity elements to the left of the row are there to be taken, and no lane is an exception.
//! * shuffle_row: lanes hand values to each other directly: one instruction instead of a store, a barrier and a load.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/simt/simt.cuh>
#include <reheat/detail/thread/value.cuh>
#include <reheat/ladder/rung.cuh>

REHEAT_NAMESPACE_BEGIN
namespace detail
{
namespace ladder
{

// All of them: row[i] becomes row[0] ⊕ … ⊕ row[i] for i < valid. All lanes of the warp call, after a barrier among them, and
// leave with one.

struct one_lane_row
{
  static constexpr unsigned padding = 0;
  template <class Accum, class Op>
  static constexpr void needs()
  {}

  template <class T, class Op>
  static REHEAT_DEVICE void scan(T* row, unsigned valid, Op& op)
  {
    if (simt::lane_index() == 0)
    {
      for (unsigned i = 1; i < valid; ++i)
      {
        row[i] = op(row[i - 1], row[i]);
      }
    }
    simt::sync_warp();
  }
};

//! The five steps; lane < distance takes what lies before the row if it is `Padded`.
template <bool Padded, class T, class Op>
REHEAT_DEVICE void scan_row_in_steps(T* row, unsigned valid, Op& op)
{
  const unsigned lane = simt::lane_index();
  REHEAT_UNROLL
  for (unsigned distance = 1; distance < simt::warp_lanes; distance *= 2)
  {
    const bool combines = lane < valid && (Padded || lane >= distance);
    uninitialized<T> sum;
    if (combines)
    {
      sum.construct(op(*(row + lane - distance), row[lane]));
    }
    if (!simt::fault_active(simt::fault::skip_step_barrier))
    {
      simt::sync_warp(); // all have read
    }
    if (combines)
    {
      row[lane] = sum.get();
    }
    simt::sync_warp();
  }
}

struct kogge_stone_row
{
  static constexpr unsigned padding = 0;
  template <class Accum, class Op>
  static constexpr void needs()
  {}

  template <class T, class Op>
  static REHEAT_DEVICE void scan(T* row, unsigned valid, Op& op)
  {
    scan_row_in_steps<false>(row, valid, op);
  }
};

struct padded_row
{
  static constexpr unsigned padding = simt::warp_lanes / 2;
  template <class Accum, class Op>
  static constexpr void needs()
  {
    needs_identity<Op, Accum>();
  }

  template <class T, class Op>
  static REHEAT_DEVICE void scan(T* row, unsigned valid, Op& op)
  {
    scan_row_in_steps<true>(row, valid, op);
  }
};

struct shuffle_row
{
  static constexpr unsigned padding = 0;
  template <class Accum, class Op>
  static constexpr void needs()
  {
    needs_shuffles<Accum>();
  }

  template <class T, class Op>
  static REHEAT_DEVICE void scan(T* row, unsigned valid, Op& op)
  {
    const unsigned lane = simt::lane_index();
    uninitialized<T> value;
    if (lane < valid)
    {
      value.construct(row[lane]);
    }
    REHEAT_UNROLL
    for (unsigned distance = 1; distance < simt::warp_lanes; distance *= 2)
    {
      const uninitialized<T> left = simt::shuffle_up(value, distance);
      if (lane < valid && (lane >= distance || simt::fault_active(simt::fault::ignore_shuffle_range)))
      {
        value.get() = op(left.get(), value.get());
      }
    }
    if (lane < valid)
    {
      row[lane] = value.get();
    }
    simt::sync_warp();
  }
};

} // namespace ladder
} // namespace detail
REHEAT_NAMESPACE_END

// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Trees that know of warps. When a tree has come down to the values of one warp, barriers of the whole block only make the
//! other warps wait: the last warp needs to order its own lanes, by a warp barrier, or can leave shared memory aside and
//! exchange values by shuffles. With the block's size known to the compiler the loop above it unrolls and its conditions
//! fold away. At last every warp shuffles its own values first: one block barrier is left, for one value per warp.
//!
//! Interfaces as in reduce_tree.cuh.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/simt/simt.cuh>
#include <reheat/detail/thread/value.cuh>
#include <reheat/ladder/reduce_tree.cuh>

REHEAT_NAMESPACE_BEGIN
namespace detail
{
namespace ladder
{

//! Lane 0 gets the fold of the first `valid` lanes' values, halves first.
template <class T, class Op>
REHEAT_DEVICE void shuffle_fold(uninitialized<T>& value, unsigned valid, Op& op)
{
  REHEAT_UNROLL
  for (unsigned s = simt::warp_lanes / 2; s > 0; s /= 2)
  {
    const uninitialized<T> right = simt::shuffle_down(value, s);
    if (simt::lane_index() + s < valid)
    {
      value.get() = op(value.get(), right.get());
    }
  }
}

//! In warp 0, thread 0 gets the fold of what stands in x, one value per lane.
template <class T, class Op>
REHEAT_DEVICE void fold_last_warp(uninitialized<T>& value, const T* x, unsigned valid, Op& op)
{
  if (simt::warp_index() == 0)
  {
    valid = valid < simt::warp_lanes && !simt::fault_active(simt::fault::reduce_unguarded_lanes) ? valid : simt::warp_lanes;
    if (simt::lane_index() < valid)
    {
      value.construct(x[simt::lane_index()]);
    }
    shuffle_fold(value, valid, op);
  }
}

//! The last 64 values by warp 0 in shared memory. What was once left to lanes running in step, and to volatile accesses,
//! today's warps have to be told: a barrier of the warp after each step.
struct warp_synchronous_tree
{
  static constexpr bool keeps_order = false;
  static constexpr bool shuffles = false;
  REHEAT_HOST_DEVICE static constexpr unsigned shared_items(unsigned threads) { return threads; }

  template <unsigned, class T, class Op>
  REHEAT_DEVICE static void fold(uninitialized<T>& value, T* x, unsigned valid, Op& op)
  {
    put_value(value, x, valid);
    halve(x, valid, 2 * simt::warp_lanes, op, simt::fault::reduce_skip_handover_barrier);
    sync_step(simt::fault::reduce_skip_handover_barrier);
    if (simt::warp_index() == 0)
    {
      const unsigned lane = simt::lane_index();
      for (unsigned s = simt::warp_lanes; s > 0; s /= 2)
      {
        if (lane < s && lane + s < valid)
        {
          x[lane] = op(x[lane], x[lane + s]);
        }
        if (!simt::fault_active(simt::fault::reduce_skip_lane_barrier))
        {
          simt::sync_warp();
        }
      }
    }
    take_value(value, x);
  }
};

//! The last 32 values by shuffles: lane i itself wrote x[i] in the last step, so no barrier stands before them.
struct last_warp_tree
{
  static constexpr bool keeps_order = false;
  static constexpr bool shuffles = true;
  REHEAT_HOST_DEVICE static constexpr unsigned shared_items(unsigned threads) { return threads; }

  template <unsigned, class T, class Op>
  REHEAT_DEVICE static void fold(uninitialized<T>& value, T* x, unsigned valid, Op& op)
  {
    put_value(value, x, valid);
    halve(x, valid, simt::warp_lanes, op, simt::fault::reduce_skip_handover_barrier);
    fold_last_warp(value, x, valid, op);
  }
};

//! The same, unrolled for a block of Threads threads.
struct unrolled_tree
{
  static constexpr bool keeps_order = false;
  static constexpr bool shuffles = true;
  REHEAT_HOST_DEVICE static constexpr unsigned shared_items(unsigned threads) { return threads; }

  template <unsigned Threads, class T, class Op>
  REHEAT_DEVICE static void fold(uninitialized<T>& value, T* x, unsigned valid, Op& op)
  {
    put_value(value, x, valid);
    steps<Threads / 2>(x, valid, op);
    fold_last_warp(value, x, valid, op);
  }

private:
  template <unsigned S, class T, class Op>
  REHEAT_DEVICE static void steps(T* x, unsigned valid, Op& op)
  {
    if constexpr (S >= simt::warp_lanes)
    {
      const unsigned thread = simt::thread_index();
      sync_step(simt::fault::reduce_skip_unrolled_barrier);
      if (thread < S && thread + S < valid)
      {
        x[thread] = op(x[thread], x[thread + S]);
      }
      steps<S / 2>(x, valid, op);
    }
  }
};

//! Each warp folds its own values by shuffles, warp 0 the warps' sums, of which there are at most 32.
struct warp_then_warp_tree
{
  static constexpr bool keeps_order = false;
  static constexpr bool shuffles = true;
  REHEAT_HOST_DEVICE static constexpr unsigned shared_items(unsigned threads) { return threads / simt::warp_lanes; }

  template <unsigned, class T, class Op>
  REHEAT_DEVICE static void fold(uninitialized<T>& value, T* x, unsigned valid, Op& op)
  {
    const unsigned before = simt::warp_index() * simt::warp_lanes;
    const unsigned left = valid > before ? valid - before : 0;
    shuffle_fold(value, left < simt::warp_lanes ? left : simt::warp_lanes, op);
    if (simt::lane_index() == 0 && left > 0)
    {
      construct_at(x + simt::warp_index(), value.get());
    }
    sync_step(simt::fault::reduce_skip_warp_sums_barrier);
    fold_last_warp(value, x, (valid + simt::warp_lanes - 1) / simt::warp_lanes, op);
  }
};

} // namespace ladder
} // namespace detail
REHEAT_NAMESPACE_END

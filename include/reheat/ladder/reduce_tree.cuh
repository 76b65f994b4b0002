// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Trees over the values of a block in memory, one per thread, log2(block_threads) steps with a barrier before each. They
//! differ in who works: every 2s-th thread (whole warps stay awake for one lane of 2s, and the remainder is slow to
//! compute); the first threads, on values 2s apart (warps retire whole, but the values of a warp meet in the same banks);
//! the first s threads, on values s apart (no two lanes meet in a bank; the operands no longer keep their order).
//!
//! Each tree takes `value` of the first `valid` threads, puts it to x[thread], and leaves the fold in thread 0's `value`.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/simt/simt.cuh>
#include <reheat/detail/thread/value.cuh>

REHEAT_NAMESPACE_BEGIN
namespace detail
{
namespace ladder
{

template <class T>
REHEAT_DEVICE void put_value(const uninitialized<T>& value, T* x, unsigned valid)
{
  if (simt::thread_index() < valid)
  {
    construct_at(x + simt::thread_index(), value.get());
  }
}
template <class T>
REHEAT_DEVICE void take_value(uninitialized<T>& value, const T* x)
{
  if (simt::thread_index() == 0)
  {
    value.get() = x[0];
  }
}

//! The barrier before a step of a tree, unless `missing` is switched on.
REHEAT_DEVICE inline void sync_step(simt::fault missing)
{
  if (!simt::fault_active(missing))
  {
    simt::sync_block();
  }
}

//! Step s: threads that are multiples of 2s append the value of thread + s. Neighbours first, in order.
template <bool Modulo>
struct interleaved_tree
{
  static constexpr bool keeps_order = true;
  static constexpr bool shuffles = false;
  REHEAT_HOST_DEVICE static constexpr unsigned shared_items(unsigned threads) { return threads; }

  template <unsigned, class T, class Op>
  REHEAT_DEVICE static void fold(uninitialized<T>& value, T* x, unsigned valid, Op& op)
  {
    const unsigned thread = simt::thread_index();
    put_value(value, x, valid);
    for (unsigned s = 1; s < simt::block_threads(); s *= 2)
    {
      sync_step(simt::fault::reduce_skip_interleaved_barrier);
      const bool works = Modulo ? thread % (2 * s) == 0 : (thread & (2 * s - 1)) == 0;
      if (works && thread + s < valid)
      {
        x[thread] = op(x[thread], x[thread + s]);
      }
    }
    take_value(value, x);
  }
};

//! Step s: thread i appends value 2si + s to value 2si. The same pairs as the interleaved tree, by neighbouring threads.
struct strided_tree
{
  static constexpr bool keeps_order = true;
  static constexpr bool shuffles = false;
  REHEAT_HOST_DEVICE static constexpr unsigned shared_items(unsigned threads) { return threads; }

  template <unsigned, class T, class Op>
  REHEAT_DEVICE static void fold(uninitialized<T>& value, T* x, unsigned valid, Op& op)
  {
    put_value(value, x, valid);
    for (unsigned s = 1; s < simt::block_threads(); s *= 2)
    {
      sync_step(simt::fault::reduce_skip_strided_barrier);
      const unsigned i = 2 * s * simt::thread_index();
      if (i + s < valid)
      {
        x[i] = op(x[i], x[i + s]);
      }
    }
    take_value(value, x);
  }
};

//! Steps s = block_threads / 2, …, down to `last`: the first s threads append the value of thread + s.
template <class T, class Op>
REHEAT_DEVICE void halve(T* x, unsigned valid, unsigned last, Op& op, simt::fault missing)
{
  const unsigned thread = simt::thread_index();
  for (unsigned s = simt::block_threads() / 2; s >= last; s /= 2)
  {
    sync_step(missing);
    if (thread < s && thread + s < valid)
    {
      x[thread] = op(x[thread], x[thread + s]);
    }
  }
}

struct halving_tree
{
  static constexpr bool keeps_order = false;
  static constexpr bool shuffles = false;
  REHEAT_HOST_DEVICE static constexpr unsigned shared_items(unsigned threads) { return threads; }

  template <unsigned, class T, class Op>
  REHEAT_DEVICE static void fold(uninitialized<T>& value, T* x, unsigned valid, Op& op)
  {
    put_value(value, x, valid);
    halve(x, valid, 1, op, simt::fault::reduce_skip_halving_barrier);
    take_value(value, x);
  }
};

} // namespace ladder
} // namespace detail
REHEAT_NAMESPACE_END

// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Hillis and Steele's scan of a whole tile: in step d = 1, 2, 4 … every thread folds the value d to its left into its own.
//! After log2 steps each has folded all before it: n log n operations where one thread needs n, but all threads at once. A
//! thread keeps its new value in a register until everybody has read the old ones; only then it overwrites.
//!
//! hillis_steele_global keeps the values in global memory. hillis_steele_shared does not pay a round trip there in every
//! step.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/simt/simt.cuh>
#include <reheat/detail/thread/items.cuh>
#include <reheat/detail/thread/value.cuh>
#include <reheat/ladder/tile_steps.cuh>

REHEAT_NAMESPACE_BEGIN
namespace detail
{
namespace ladder
{

//! The steps, wherever values[0 … valid) lie. All threads of the block call, after a barrier, and leave with one.
template <class T, class Op>
REHEAT_DEVICE void scan_by_doubling(T* values, unsigned valid, Op& op)
{
  const unsigned thread = simt::thread_index();
  for (unsigned distance = 1; distance < simt::block_threads(); distance *= 2)
  {
    const bool combines = thread >= distance && thread < valid;
    uninitialized<T> sum;
    if (combines)
    {
      sum.construct(op(values[thread - distance], values[thread]));
    }
    if (!simt::fault_active(simt::fault::skip_doubling_barrier))
    {
      simt::sync_block(); // all have read
    }
    if (combines)
    {
      values[thread] = sum.get();
    }
    simt::sync_block();
  }
}

struct global_doubling_step : serial_step // which needs no shared memory either
{
  template <class InputIt, class Accum, class Op>
  static REHEAT_DEVICE void scan(const shared<Accum>&, InputIt& in, std::uint64_t first, const tile_output<Accum>& out,
                                 Op& op)
  {
    const unsigned thread = simt::thread_index();
    if (thread < out.valid)
    {
      construct_at(out.items + thread, read_item(in, first + thread));
    }
    simt::sync_block();
    scan_by_doubling(out.items, out.valid, op);
    if (thread < out.valid)
    {
      out.put_sum(thread, out.items[thread]);
    }
  }
};

struct shared_doubling_step : shared_step
{
  template <class InputIt, class Accum, class Op>
  static REHEAT_DEVICE void scan(const shared<Accum>& memory, InputIt& in, std::uint64_t first,
                                 const tile_output<Accum>& out, Op& op)
  {
    const unsigned thread = simt::thread_index();
    if (thread < out.valid)
    {
      construct_at(memory.items + thread, read_item(in, first + thread));
    }
    simt::sync_block();
    scan_by_doubling(memory.items, out.valid, op);
    if (thread < out.valid)
    {
      out.put(thread, memory.items[thread]); // the thread loads the next tile's item to the same place
    }
  }
};

} // namespace ladder
} // namespace detail
REHEAT_NAMESPACE_END

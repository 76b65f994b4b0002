// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! How a block of a ladder reduction takes its items. One item per thread leaves a thread idle for most of its life: it
//! loads once and works in a fraction of the tree's steps. Two items per thread, combined on arrival, halve the blocks; a
//! thread that strides through the whole input combines many items before the tree's first step, so that the tree, whose
//! steps cost barriers, is paid once per block and not once per 256 items.
//!
//! Each load leaves a value in the first `valid` threads of the block.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/simt/simt.cuh>
#include <reheat/detail/thread/items.cuh>
#include <reheat/detail/thread/value.cuh>

#include <cstdint>

REHEAT_NAMESPACE_BEGIN
namespace detail
{
namespace ladder
{

REHEAT_DEVICE inline unsigned at_most(std::uint64_t items, unsigned limit)
{
  return items < limit ? static_cast<unsigned>(items) : limit;
}

//! Tile t is the items [t · block_threads, (t + 1) · block_threads).
struct load_one
{
  static constexpr unsigned items_per_thread = 1;
  static constexpr bool strides = false;

  template <class InputIt, class T, class Op>
  REHEAT_DEVICE static unsigned load(InputIt& in, std::uint64_t items, std::uint64_t tile, std::uint64_t,
                                     uninitialized<T>& value, Op&)
  {
    const std::uint64_t first = tile * simt::block_threads();
    const unsigned valid = at_most(items - first, simt::block_threads());
    if (simt::thread_index() < valid)
    {
      value.construct(read_item(in, first + simt::thread_index()));
    }
    return valid;
  }
};

//! Tiles of twice the size: a thread combines its item of the first half with that of the second.
struct load_two
{
  static constexpr unsigned items_per_thread = 2;
  static constexpr bool strides = false;

  template <class InputIt, class T, class Op>
  REHEAT_DEVICE static unsigned load(InputIt& in, std::uint64_t items, std::uint64_t tile, std::uint64_t,
                                     uninitialized<T>& value, Op& op)
  {
    const unsigned threads = simt::block_threads();
    const unsigned thread = simt::thread_index();
    const std::uint64_t first = tile * threads * 2;
    const std::uint64_t left = items - first;
    if (thread < left)
    {
      value.construct(read_item(in, first + thread));
      if (threads + thread < left || (thread == 0 && simt::fault_active(simt::fault::reduce_unguarded_second_item)))
      {
        uninitialized<T> second;
        second.construct(read_item(in, first + threads + thread));
        value.get() = op(value.get(), second.get());
      }
    }
    return at_most(left, threads);
  }
};

//! Thread i of all takes the items i, i + threads of the grid, …; tile t is what block t takes.
struct load_all
{
  static constexpr unsigned items_per_thread = 1; // at least
  static constexpr bool strides = true;

  template <class InputIt, class T, class Op>
  REHEAT_DEVICE static unsigned load(InputIt& in, std::uint64_t items, std::uint64_t tile, std::uint64_t tiles,
                                     uninitialized<T>& value, Op& op)
  {
    const unsigned threads = simt::block_threads();
    const std::uint64_t first = tile * threads;
    const std::uint64_t stride = simt::fault_active(simt::fault::reduce_stride_by_block) ? threads : tiles * threads;
    std::uint64_t i = first + simt::thread_index();
    if (i < items)
    {
      value.construct(read_item(in, i));
      for (i += stride; i < items; i += stride)
      {
        uninitialized<T> next;
        next.construct(read_item(in, i));
        value.get() = op(value.get(), next.get());
      }
    }
    return at_most(items - first, threads);
  }
};

} // namespace ladder
} // namespace detail
REHEAT_NAMESPACE_END

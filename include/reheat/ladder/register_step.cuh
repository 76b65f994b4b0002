// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The step without shared memory for items: each thread keeps its item in a register from load to store. The step before
//! stored the items in shared memory and read them back without need, for the warps exchange them by shuffles anyway.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/thread/items.cuh>
#include <reheat/ladder/block_scan.cuh>
#include <reheat/ladder/rung.cuh>
#include <reheat/ladder/tile_steps.cuh>

REHEAT_NAMESPACE_BEGIN
namespace detail
{
namespace ladder
{

struct register_step
{
  template <class Accum, class Op>
  static constexpr void needs()
  {
    needs_shuffles<Accum>();
  }

  template <class Accum>
  struct shared : block_shared<Accum>
  {
    template <class Memory>
    REHEAT_HOST_DEVICE constexpr shared(Memory& memory, const chunk_shape& shape)
        : block_shared<Accum>(memory, shape.warps())
    {}
  };

  template <class InputIt, class Accum, class Op>
  static REHEAT_DEVICE void scan(const shared<Accum>& memory, InputIt& in, std::uint64_t first,
                                 const tile_output<Accum>& out, Op& op)
  {
    const unsigned thread = simt::thread_index();
    uninitialized<Accum> value;
    if (thread < out.valid)
    {
      value.construct(read_item(in, first + thread));
    }
    block_inclusive_scan<predicated_warp_scan>(memory, value, out.valid, op);
    if (thread < out.valid)
    {
      out.put(thread, value.get());
    }
    simt::sync_block(); // the sums may be overwritten
  }
};

} // namespace ladder
} // namespace detail
REHEAT_NAMESPACE_END

// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! How the blocks of a grid reduce segments that may lie anywhere: with gaps between them, over each other, in any order.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/segmented/block.cuh>
#include <reheat/detail/segmented/ends.cuh>
#include <reheat/detail/segmented/spans.cuh>
#include <reheat/detail/simt/simt.cuh>

#include <cstdint>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

//! Reduces `segments` segments. Each block of the grid takes one at a time. Nothing outside of a segment is read.
//! All threads of all blocks call. A segment's result depends on its items and on their addresses alone.
template <class Tuning, class Input, class Accum, class Op, class BeginIt, class EndIt, class Sink>
REHEAT_DEVICE void reduce_each(const segmented_shared<Accum>& shared, Input in, std::uint64_t segments, Op op,
                               each_ends<BeginIt, EndIt> ends, Sink sink)
{
  using all_ends = each_ends<BeginIt, EndIt>;
  using offset = typename all_ends::offset_type;
  std::uint64_t segment = simt::block_index();
  if (segment >= segments)
  {
    return;
  }
  const std::uint64_t base = all_ends::base();
  segmented_block<Tuning, Input, Accum, Op, all_ends, Sink> self(shared, in, op, ends, sink);
  offset begin = ends.begin_of(segment), end = ends.offset(segment);
  while (true)
  {
    // The next offsets are on their way while this segment is reduced.
    const std::uint64_t next = segment + simt::grid_blocks();
    const offset next_begin = next < segments ? ends.begin_of(next) : offset{};
    const offset next_end = next < segments ? ends.offset(next) : offset{};
    if (begin < end)
    {
      const std::uint64_t first = all_ends::position(begin, base), last = all_ends::position(end, base);
      self.reduce({{first, segment}, {last, segment + 1}, first, false}, base, nullptr);
    }
    else if (simt::thread_index() == 0)
    {
      sink.store_empty(segment, static_cast<std::uint64_t>(end));
    }
    if (next >= segments)
    {
      return;
    }
    segment = next;
    begin = next_begin;
    end = next_end;
  }
}

} // namespace detail
REHEAT_NAMESPACE_END

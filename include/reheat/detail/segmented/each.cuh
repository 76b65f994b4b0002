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
#include <reheat/detail/thread/items.cuh>

#include <cstdint>
#include <type_traits>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

//! Where each segment begins and ends; it is empty if it does not begin before its end. `begins` and `ends` are iterators of
//! offsets.
template <class BeginIt, class EndIt>
struct each_ends
{
  using offset_type = std::common_type_t<value_of<BeginIt>, value_of<EndIt>>;
  static constexpr bool may_descend = false;
  static_assert(std::is_integral_v<offset_type>, "reheat: the offsets of segments are integers");
  BeginIt begins;
  EndIt ends;

  REHEAT_DEVICE offset_type begin_of(std::uint64_t segment) { return static_cast<offset_type>(read_item(begins, segment)); }

  //! Positions of offsets below zero are below those of others, too.
  REHEAT_DEVICE static constexpr std::uint64_t base() { return std::uint64_t{1} << 63; }
  REHEAT_DEVICE offset_type offset(std::uint64_t segment) { return static_cast<offset_type>(read_item(ends, segment)); }
  REHEAT_DEVICE static std::uint64_t position(offset_type offset, std::uint64_t base)
  {
    return static_cast<std::uint64_t>(offset) - base;
  }
};

//! The same segments, without the promise that they are neighbours.
template <class BeginIt, class EndIt, bool Descends>
REHEAT_HOST_DEVICE each_ends<BeginIt, EndIt> each_of(const adjacent_ends<BeginIt, EndIt, Descends>& ends)
{
  return {ends.begins, ends.ends};
}

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

// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! How the blocks of a grid reduce segments that may lie anywhere: with gaps between them, over each other, in any order.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/segmented/kernel.cuh>
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
//!
//! For segmented_block, segment s is number 2s + 1 in a sequence without gaps: number 2s ends where segment s begins. So a
//! span of one number has the items of one segment.
template <class BeginIt, class EndIt>
struct each_ends
{
  using offset_type = std::common_type_t<value_of<BeginIt>, value_of<EndIt>>;
  static_assert(std::is_integral_v<offset_type>, "reheat: the offsets of segments are integers");
  BeginIt begins;
  EndIt ends;

  REHEAT_DEVICE offset_type begin_of(std::uint64_t segment) { return static_cast<offset_type>(read_item(begins, segment)); }
  REHEAT_DEVICE offset_type end_of(std::uint64_t segment) { return static_cast<offset_type>(read_item(ends, segment)); }

  //! Positions of offsets below zero are below those of others, too.
  REHEAT_DEVICE static constexpr std::uint64_t base() { return std::uint64_t{1} << 63; }
  REHEAT_DEVICE offset_type offset(std::uint64_t number)
  {
    return number % 2 == 0 ? begin_of(number / 2) : end_of(number / 2);
  }
  REHEAT_DEVICE static std::uint64_t position(offset_type offset, std::uint64_t base)
  {
    return static_cast<std::uint64_t>(offset) - base;
  }
  REHEAT_DEVICE std::uint64_t end(std::uint64_t number, std::uint64_t base) { return position(offset(number), base); }
};

//! A sink that is given the numbers of each_ends.
template <class Sink>
struct each_sink
{
  Sink sink;

  template <class Accum>
  REHEAT_DEVICE void store(std::uint64_t number, const Accum& fold, std::uint64_t start)
  {
    sink.store(number / 2, fold, start);
  }
  REHEAT_DEVICE void store_empty(std::uint64_t number) { sink.store_empty(number / 2); }
};

//! Reduces `segments` segments, of which each block of the grid takes one at a time. Nothing outside of a segment is read.
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
  segmented_block<Tuning, Input, Accum, Op, all_ends, each_sink<Sink>> self(shared, in, op, ends, base, {sink});
  offset begin = ends.begin_of(segment), end = ends.end_of(segment);
  while (true)
  {
    // The next offsets are on their way while this segment is reduced.
    const std::uint64_t next = segment + simt::grid_blocks();
    const offset next_begin = next < segments ? ends.begin_of(next) : offset{};
    const offset next_end = next < segments ? ends.end_of(next) : offset{};
    if (begin < end)
    {
      self.reduce({all_ends::position(begin, base), 2 * segment + 1}, {all_ends::position(end, base), 2 * segment + 2},
                  nullptr);
    }
    else if (simt::thread_index() == 0)
    {
      sink.store_empty(segment);
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

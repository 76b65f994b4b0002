// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Reductions of segments that may lie anywhere in a range: with gaps between them, over each other, in any order. A result
//! for each segment, in the segments' order. Nothing outside of a segment is read.
//!
//! 1. A warp takes a group of up to 32 neighbouring segments by number, and loads their offsets, one segment to a lane.
//! 2. It lists the segments of the group that are long (long_list.cuh).
//! 3. It folds the short ones: up to lane_items items by one lane, and up to eight times as many by eight lanes, of four
//!    segments at a time. Neighbouring lanes read neighbouring segments. So short segments that lie side by side, or nearly
//!    so, are read from few lines of the cache. It stores their results side by side.
//! 4. It folds the others by itself, one after the other, as rows.cuh says.
//! 5. A second launch folds the pieces of listed segments. Its warps draw them, one at a time. The warp that finishes a
//!    segment's last piece joins all of them. If nothing is listed, it has nothing to do.
//!
//! Association. It follows from a segment's number of items, and from where in 16 bytes it begins. A lane folds its
//! neighbouring items from the left. Eight lanes divide a segment's items evenly, and join their folds as a tree. A warp
//! folds as rows.cuh says. Of more than whole_items items, the values of pieces are folded in parts (join_part, join_parts).
//! Neither other segments, the architecture, the number of multiprocessors, nor other work matters.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/grid/slot.cuh>
#include <reheat/detail/segmented/anywhere.cuh>
#include <reheat/detail/segmented/each.cuh>
#include <reheat/detail/segmented/long_list.cuh>
#include <reheat/detail/segmented/tuning.cuh>
#include <reheat/detail/simt/simt.cuh>

#include <cstdint>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

template <class T>
struct anywhere_params
{
  std::uint64_t segments;
  unsigned group_segments; //!< at most 32
  list_room room;
  workspace<T> scratch;

  std::uint64_t groups() const { return (segments + group_segments - 1) / group_segments; }
};

//! How `segments` segments are dealt out to warps: in groups that are as large as leaves cfg.many_groups of them.
template <class T>
anywhere_params<T> deal_segments(const anywhere_config& c, std::uint64_t segments)
{
  unsigned group = 1;
  while (group < simt::warp_lanes && segments > group * std::uint64_t{c.many_groups})
  {
    group *= 2;
  }
  return {segments, group, room_for(c, segments), {}};
}

//! Calls `work(first, count)` for the groups of the calling warp: one, or several if there are more groups than warps.
template <class Tuning, class Accum, class Work>
REHEAT_DEVICE void for_each_group(const anywhere_params<Accum>& params, Work work)
{
  constexpr anywhere_config cfg = Tuning{}(simt::arch);
  const std::uint64_t step = std::uint64_t{simt::grid_blocks()} * cfg.warps() * params.group_segments;
  std::uint64_t first = (std::uint64_t{simt::block_index()} * cfg.warps() + simt::warp_index()) * params.group_segments;
  for (; first < params.segments; first += step)
  {
    const std::uint64_t left = params.segments - first;
    work(first, left < params.group_segments ? static_cast<unsigned>(left) : params.group_segments);
  }
}

//! Stores the results of all segments but long ones, and lists those.
template <class Tuning, class Input, class Accum, class Op, class BeginIt, class EndIt, class Sink>
REHEAT_KERNEL(Tuning{}(simt::arch).block_threads, Tuning{}(simt::arch).resident_blocks)
reduce_anywhere_kernel(Input in, anywhere_params<Accum> params, Op op, each_ends<BeginIt, EndIt> ends, Sink sink)
{
  simt::grid_dependency_wait(simt::unless(simt::fault::segmented_too_early));
  simt::trigger_dependent_launch();
  anywhere_warp<Tuning, Input, Accum, Op, BeginIt, EndIt, Sink> self(in, op, sink, params.scratch, params.room);
  for_each_group<Tuning>(params, [&](std::uint64_t first, unsigned count) { self.reduce(ends, first, count); });
}

//! Reduces the listed segments. The block that finishes last empties the list.
template <class Tuning, class Input, class Accum, class Op, class BeginIt, class EndIt, class Sink>
REHEAT_KERNEL(Tuning{}(simt::arch).block_threads, Tuning{}(simt::arch).resident_blocks)
reduce_listed_kernel(Input in, anywhere_params<Accum> params, Op op, Sink sink)
{
  simt::grid_dependency_wait(simt::unless(simt::fault::list_too_early));
  simt::trigger_dependent_launch();
  anywhere_warp<Tuning, Input, Accum, Op, BeginIt, EndIt, Sink> self(in, op, sink, params.scratch, params.room);
  const auto all = self.listed();
  if (all.entries == 0)
  {
    return;
  }
  work_off_list<Tuning>(params.scratch.header, all.pieces, [&](std::uint32_t piece) { self.fold_piece(all, piece); });
}

} // namespace detail
REHEAT_NAMESPACE_END

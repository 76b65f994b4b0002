// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Reductions of segments that may lie anywhere in a range: with gaps between them, over each other, in any order. A result
//! for each segment, in the segments' order. Nothing outside of a segment is read.
//!
//! 1. A warp takes a group of up to 32 neighbouring segments by number, and loads their offsets, one segment to a lane. It
//!    draws tickets, each for one or several groups.
//! 2. It lists the segments of the group that are long (long_list.cuh).
//! 3. It folds the short ones: up to lane_items items by one lane, and up to eight times as many by eight lanes, of four
//!    segments at a time. Neighbouring lanes read neighbouring segments. So short segments that lie side by side, or nearly
//!    so, are read from few lines of the cache. It stores their results side by side.
//! 4. It folds the others by itself, one after the other, as rows.cuh says. Behind kept_items items it lists them, too.
//! 5. When no tickets are left, it takes pieces of listed segments. The warp that finishes a segment's last piece joins all
//!    of them. Warps look for more until all tickets are looked through: a long segment may be in the last one.
//!
//! Progress. Nobody waits for a piece. At the end, warps wait until others have looked through tickets that they have drawn,
//! so for warps that have begun. Those do not wait for anyone as long as they have tickets. What a warp has listed it finds
//! in the list itself. So all segments are stored, whether others help or not.
//!
//! Association. It follows from a segment's number of items, and from where in 16 bytes it begins. A lane folds its
//! neighbouring items from the left, and eight lanes, of which each has as many, fold as a tree of neighbours does. A warp
//! folds as rows.cuh says. Of more than whole_items items, the values of pieces are folded in parts (join_part, join_parts).
//! Neither other segments, the architecture, the number of multiprocessors, nor other work matters.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/grid/retire.cuh>
#include <reheat/detail/grid/slot.cuh>
#include <reheat/detail/segmented/anywhere.cuh>
#include <reheat/detail/segmented/each.cuh>
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
  unsigned group_segments;     //!< at most 32
  std::uint32_t ticket_groups; //!< that a warp draws at a time
  std::uint32_t tickets;
  workspace<T> scratch;

  REHEAT_HOST_DEVICE std::uint64_t ticket_segments() const { return std::uint64_t{group_segments} * ticket_groups; }
};

//! How `segments` segments are dealt out to `warps` warps. There is one ticket for each as long as it has eight groups at
//! most: all warps add to one word to draw them. Of more segments there are four.
template <class T>
anywhere_params<T> deal_segments(std::uint64_t segments, std::uint64_t warps)
{
  unsigned group = 1;
  while (group < 32 && segments > group * warps)
  {
    group *= 2;
  }
  const std::uint64_t groups = (segments + group - 1) / group, drawn = groups <= 8 * warps ? warps : 4 * warps;
  anywhere_params<T> params{segments, group, static_cast<std::uint32_t>((groups + drawn - 1) / drawn), 0, {}};
  params.tickets = static_cast<std::uint32_t>((segments + params.ticket_segments() - 1) / params.ticket_segments());
  return params;
}

//! The tickets of a launch, in its header: those that were drawn, and in the upper half those that are looked through, whose
//! long segments are listed.
class segment_tickets
{
public:
  REHEAT_DEVICE segment_tickets(workspace_header* header, std::uint32_t tickets)
      : word_(&header->next_ticket), tickets_(tickets)
  {}

  //! Draws `count` tickets, when `seen` more are looked through. One thread calls. Returns the first one drawn.
  REHEAT_DEVICE std::uint32_t draw(std::uint32_t count, std::uint32_t seen)
  {
    return static_cast<std::uint32_t>(simt::fetch_add_relaxed(word_, std::uint64_t{seen} << 32 | count));
  }
  //! Whether all are looked through. Who has listed a segment folds it if nobody else does, so nothing has to be seen with
  //! it.
  REHEAT_DEVICE bool are_seen() const
  {
    const auto seen = static_cast<std::uint32_t>(simt::load_relaxed(word_) >> 32);
    return simt::shuffle(seen, 0) >= tickets_;
  }

private:
  std::uint64_t* word_;
  std::uint32_t tickets_;
};

//! Reduces groups as long as there are tickets. `ticket`: the warp's first one. All lanes of a warp call.
template <class Warp, class Accum>
REHEAT_DEVICE void reduce_groups(Warp& self, const anywhere_params<Accum>& params, segment_tickets& tickets,
                                 std::uint32_t ticket)
{
  std::uint64_t first = ticket * params.ticket_segments();
  const auto size = [&] // of the group from `first` on
  {
    const std::uint64_t left = first < params.segments ? params.segments - first : 0;
    return left < params.group_segments ? static_cast<unsigned>(left) : params.group_segments;
  };
  auto group = self.load(first, size());
  std::uint32_t groups = 0; // of the ticket, with this one
  while (ticket < params.tickets)
  {
    const std::uint64_t segment = first;
    const unsigned count = size();
    const std::uint32_t listed = self.list_long(group, segment);
    first += params.group_segments;
    ++groups;
    const bool is_last = groups == params.ticket_groups || first >= params.segments;
    std::uint32_t next = 0;
    auto next_group = group;
    if (!is_last)
    {
      next_group = self.load(first, size()); // on its way while this one is folded
    }
    else if (simt::lane_index() == 0)
    {
      next = tickets.draw(1, 1); // likewise
    }
    self.fold(group, segment, count, listed);
    if (is_last)
    {
      ticket = simt::shuffle(next, 0);
      first = ticket * params.ticket_segments();
      next_group = self.load(first, size());
      groups = 0;
    }
    group = next_group;
  }
}

template <class Tuning, class Input, class Accum, class Op, class BeginIt, class EndIt, class Sink>
REHEAT_KERNEL(Tuning{}(simt::arch).block_threads, Tuning{}(simt::arch).resident_blocks)
reduce_anywhere_kernel(Input in, anywhere_params<Accum> params, Op op, each_ends<BeginIt, EndIt> ends, Sink sink)
{
  constexpr anywhere_config cfg = Tuning{}(simt::arch);
  simt::shared_memory memory;
  std::uint32_t* const first_ticket = memory.template array<std::uint32_t>(1);
  simt::grid_dependency_wait(simt::unless(simt::fault::segmented_too_early));
  simt::trigger_dependent_launch();
  segment_tickets tickets(params.scratch.header, params.tickets);
  anywhere_warp<Tuning, Input, Accum, Op, BeginIt, EndIt, Sink> self(in, op, ends, sink, params.scratch);
  if (simt::thread_index() == 0)
  {
    *first_ticket = tickets.draw(cfg.warps(), 0);
  }
  simt::sync_block(simt::unless(simt::fault::skip_first_ticket_barrier));
  reduce_groups(self, params, tickets, *first_ticket + simt::warp_index());
  self.help([&] { return tickets.are_seen(); });
  simt::sync_block(simt::unless(simt::fault::skip_left_barrier)); // no warp of the block looks at the list any more
  if (simt::warp_index() == 0 && retire_blocks(params.scratch, cfg.list_segments, self.epoch()))
  {
    params.scratch.header->listed = simt::fault_active(simt::fault::keep_listed) ? params.scratch.header->listed : 0;
  }
}

} // namespace detail
REHEAT_NAMESPACE_END

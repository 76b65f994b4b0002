// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Scans of segments that offsets cut from one range.
//!
//! Blocks share segments by their number if shares are then of two tiles or so (even.cuh). Then the first launch has
//! nothing to do. Otherwise items and ends of segments are divided into spans, as for reductions (spans.cuh). The first
//! launch (scan_carries.cuh) finds the spans, and folds of each only the items behind its last end: what the next span's
//! first segment begins with. The blocks of the second launch take one span after the other, fold what earlier spans carry
//! into its first segment, and scan it tile by tile (scan_block.cuh).
//!
//! So items are read once, but for those behind the last end of a span: of short segments a few, and all items of spans
//! within a segment, which are read twice. No block waits for another one, and what is carried may lie in memory that holds
//! anything. The number of items is needed on the device alone. (A scan that looks back at the aggregates of all tiles would
//! read all items once, but the host has to know how many tiles there are.)
//!
//! Spans are small, and the blocks that run at a time work on neighbours. NVIDIA H100, 2^28 u32 in segments of 64: 743 us
//! with 16384 spans, 852 with 1584, although each block reads and writes one stream all the same.
//!
//! In place. The first launch only reads, and a block of the second one reads no items of other spans. So the output may be
//! the input. Segments that may not be neighbours (adjacent_ends with Descends) are looked at by the first launch. If an end
//! lies before the one before it, the second launch has a block scan one segment at a time.
//!
//! Association. Shares and spans follow from the numbers of items and segments, and from whether shares are even; borders of
//! spans are moved to where memory is aligned. Tiles count from the first item of their share or span; the first one is
//! shorter if the next one is then aligned to 16 bytes. What a span begins with: the groups' tails from the left, and the
//! fold of the tails of spans of its group from the left. A tail: rows of a warp from the left, each as warp_fold folds it.
//! Within a tile: what is open before it, then warps, then threads as warp_inclusive_scan does, then the thread's items from
//! the left. Neither the architecture, nor the number of multiprocessors, nor other work matters.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/grid/memory.cuh>
#include <reheat/detail/grid/slot.cuh>
#include <reheat/detail/scan/kind.cuh>
#include <reheat/detail/segmented/each.cuh>
#include <reheat/detail/segmented/ends.cuh>
#include <reheat/detail/segmented/even.cuh>
#include <reheat/detail/segmented/scan_block.cuh>
#include <reheat/detail/segmented/scan_carries.cuh>
#include <reheat/detail/segmented/shared.cuh>
#include <reheat/detail/segmented/tuning.cuh>
#include <reheat/detail/simt/simt.cuh>
#include <reheat/detail/thread/items.cuh>

#include <cstdint>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

template <class Tuning, class Accum>
REHEAT_DEVICE auto segmented_scan_memory(const segmented_scan_params<Accum>& params)
{
  constexpr segmented_config cfg = Tuning{}(simt::arch);
  return memory_of_block<cfg.in_scratch>(params.scratch, params.carry_bytes, segmented_scratch_bytes<Accum>(cfg));
}

//! Scans a grid's segments one by one; item i of segment s goes to out_begins[s] + i. Nothing outside of a segment is
//! touched.
template <class Block, class BeginIt, class EndIt, class OutBeginIt>
REHEAT_DEVICE void scan_each(Block& block, std::uint64_t segments, each_ends<BeginIt, EndIt> ends, OutBeginIt out_begins)
{
  for (std::uint64_t segment = simt::block_index(); segment < segments; segment += simt::grid_blocks())
  {
    const auto begin = ends.begin_of(segment), end = ends.offset(segment);
    if (begin < end)
    {
      const auto first = static_cast<std::uint64_t>(begin);
      block.open().has = false;
      block.scan({first, static_cast<std::uint64_t>(end) - first, 0, 0,
                  static_cast<std::uint64_t>(read_item(out_begins, segment))});
    }
  }
}

//! Scans segments by shares if they are even, or all of them if the block is alone. Returns whether it does. `spans`: there
//! are so many instead. All threads of all blocks call.
template <class Tuning, class Block, class Accum, class Ends>
REHEAT_DEVICE bool scan_shares(Block& block, const segmented_scan_params<Accum>& params, Ends& ends, unsigned spans)
{
  const segment_shares<Tuning> shares(params.segments);
  const bool alone = !params.in_spans;
  if (!alone && (Ends::may_descend || !shares.may_be_even()))
  {
    return false;
  }
  segment_share own = alone ? segment_share{0, params.segments} : shares.of(simt::block_index());
  block.hold_ends(own.first, own.segments); // on their way while the next line waits for memory
  if (spans != 0)
  {
    return false;
  }
  bool holds_ends = true;
  for (unsigned share = simt::block_index(); own.segments != 0;)
  {
    const auto first = static_cast<std::uint64_t>(ends.begin_of(own.first));
    const std::uint64_t behind = own.first + own.segments,
                        items = static_cast<std::uint64_t>(ends.offset(behind - 1)) - first;
    block.open().has = false;
    block.scan({first, items >> 63 != 0 ? 0 : items, own.first, behind, first}, holds_ends);
    holds_ends = false;
    share += simt::grid_blocks();
    own = alone ? segment_share{params.segments, 0} : shares.of(share);
  }
  return true;
}

//! Scans `spans` spans. A block's first one is that of its index, and it draws the others.
template <unsigned GroupSpans, class Block, class Accum, class Op>
REHEAT_DEVICE void scan_spans(Block& block, const segmented_scan_params<Accum>& params, unsigned spans, Op op,
                              const segmented_shared<Accum>& shared)
{
  carried_groups<GroupSpans, Accum> groups(params.scratch.values);
  for (unsigned span = simt::block_index(); span < spans;)
  {
    // Thread 0 draws the next span while the block scans this one.
    const unsigned next = simt::thread_index() == 0 ? simt::fetch_add_relaxed(&params.progress().ticket, 1u) : 0;
    groups.carry_into(span, block.open(), op);
    block.scan(params.scratch.values[span].range);
    if (simt::thread_index() == 0)
    {
      *shared.next_span = next;
    }
    simt::sync_block(simt::unless(simt::fault::skip_ticket_barrier)); // scan() has a barrier before the next store
    span = *shared.next_span;
  }
}

//! The second launch; or the only one, of one block or if the host knows that shares are even.
template <scan_kind Kind, class Tuning, class Input, class OutputIt, class Op, class Ends, class Init>
REHEAT_KERNEL(Tuning{}(simt::arch).block_threads, Tuning{}(simt::arch).resident_blocks)
segmented_scan_kernel(Input in, OutputIt out, segmented_scan_params<typename Init::accum> params, Op op, Ends ends,
                      Init init)
{
  using accum = typename Init::accum;
  constexpr segmented_config cfg = Tuning{}(simt::arch);
  auto memory = segmented_scan_memory<Tuning>(params);
  const segmented_shared<accum> shared(memory, cfg);
  simt::grid_dependency_wait(simt::unless(simt::fault::spans_too_early));
  simt::trigger_dependent_launch();
  segmented_scan_block<Kind, Tuning, Input, OutputIt, Op, Ends, Init> block(shared, in, out, op, ends, init);
  bool each = false;
  if constexpr (Ends::may_descend)
  {
    each = params.in_spans && some_group_descends<cfg.block_threads, Tuning>(params, shared.counts);
    if (each)
    {
      scan_each(block, params.segments, each_of(ends), ends.begins);
    }
  }
  const unsigned spans = params.carry_bytes == 0 ? 0 : params.progress().spans;
  if (!each && !scan_shares<Tuning>(block, params, ends, spans))
  {
    scan_spans<spans_of_group(cfg)>(block, params, spans, op, shared);
  }
  block.finish();
}

//! Segments that may lie anywhere: each block takes one at a time.
template <scan_kind Kind, class Tuning, class Input, class OutputIt, class Op, class BeginIt, class EndIt, class OutBeginIt,
          class Init>
REHEAT_KERNEL(Tuning{}(simt::arch).block_threads, Tuning{}(simt::arch).resident_blocks)
segmented_scan_each_kernel(Input in, OutputIt out, segmented_scan_params<typename Init::accum> params, Op op,
                           each_ends<BeginIt, EndIt> ends, OutBeginIt out_begins, Init init)
{
  using accum = typename Init::accum;
  constexpr segmented_config cfg = Tuning{}(simt::arch);
  auto memory = segmented_scan_memory<Tuning>(params);
  const segmented_shared<accum> shared(memory, cfg);
  simt::grid_dependency_wait(simt::unless(simt::fault::spans_too_early));
  simt::trigger_dependent_launch();
  segmented_scan_block<Kind, Tuning, Input, OutputIt, Op, each_ends<BeginIt, EndIt>, Init> block(shared, in, out, op, ends,
                                                                                                 init);
  scan_each(block, params.segments, ends, out_begins);
  block.finish();
}

} // namespace detail
REHEAT_NAMESPACE_END

// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Reductions of segments that offsets cut from one range: a result for each segment, in the segments' order.
//!
//! Blocks share segments by their number if shares are then of two tiles or so (even.cuh). Nothing else has to be found
//! out then, and nothing goes from one block to another.
//!
//! Otherwise items and ends are divided into spans (spans.cuh). A block goes through its span tile by
//! tile (block.cuh) and stores the results of the segments that end there. So neither a long segment nor many short or empty
//! ones make a block late. A segment may reach from one span into others. A block publishes the fold of the items behind its
//! last end in the span's slot. If the first segment that ends in its span began before, it looks back for that segment's
//! items in the spans before (look_back.cuh), and stores the result. (Electing the block that finishes last, to join all
//! spans, took 2 us more, NVIDIA H200.)
//!
//! Long segments of numbers have no tiles: the warps of a block share its span, and stream items from memory to registers
//! (stream.cuh). Spans are then divided by other costs. What goes from block to block is the same.
//!
//! Progress. A block publishes a span before it looks back for it. If there are no more spans than blocks, a block has the
//! span of its index, and blocks start in the order of their indices (launch_kind::in_order). Otherwise blocks draw tickets,
//! in ascending order, the next one while they look back. So the lowest drawn span that is not published belongs to a block
//! that has started and waits for lower ones at most, which are all published. The block of the last span sees all others
//! publish, and ends the launch, without a count of finished blocks. Where blocks draw tickets, they count themselves
//! finished (grid/retire.cuh).
//!
//! Where ends may descend, there is a block for each span. It leaves a record, and a second launch looks whether ends do
//! descend, and joins the records if they do not (each_kernel.cuh). The records' memory may hold anything.
//!
//! Association. Shares and spans, and whether warps stream, follow from the offsets that all blocks look at, and from
//! whether shares are even. Tiles count from the first item of their share or span; the first one is shorter if the next one
//! is then aligned to 16 bytes. A segment's items are folded: those of a thread from the left, then threads as
//! warp_inclusive_scan does (or as warp_fold, in a round in which no segment ends), then warps, and tiles from the left;
//! then the spans before the last one, in rows of 32 from the right, each as warp_fold does, and the last one. (Where warps
//! stream: a lane's vectors from the left, each folded before, or its items one by one in a row in which a segment or the
//! part ends; then lanes as warp_fold does, then the warps' parts from the left. Of records: spans in pairs, and pairs as
//! threads.) Neither the architecture, nor the number of multiprocessors, nor other work matters.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/grid/memory.cuh>
#include <reheat/detail/grid/retire.cuh>
#include <reheat/detail/grid/slot.cuh>
#include <reheat/detail/segmented/block.cuh>
#include <reheat/detail/segmented/carry.cuh>
#include <reheat/detail/segmented/ends.cuh>
#include <reheat/detail/segmented/even.cuh>
#include <reheat/detail/segmented/look_back.cuh>
#include <reheat/detail/segmented/shared.cuh>
#include <reheat/detail/segmented/spans.cuh>
#include <reheat/detail/segmented/stream.cuh>
#include <reheat/detail/segmented/tuning.cuh>
#include <reheat/detail/segments/segments.cuh>
#include <reheat/detail/simt/simt.cuh>
#include <reheat/detail/thread/value.cuh>

#include <cstdint>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

template <class T>
struct segmented_params
{
  std::uint64_t segments;
  unsigned max_spans;      //!< that there may be
  std::size_t value_bytes; //!< of all spans' records or values in the workspace; 0 if none lie there
  workspace<run_fold<T>>
      scratch;             //!< a slot for each span, unless ends may descend, and the blocks' arrays if they lie there
  span_record<T>* records; //!< [span], if ends may descend and there is more than one
};

//! At most how many spans the host has to expect.
template <class Costs, class BeginIt, class EndIt, bool Descends>
unsigned max_spans_of(const segmented_config& cfg, const adjacent_ends<BeginIt, EndIt, Descends>&, std::uint64_t)
{
  return cfg.spans.max_spans;
}
template <class Costs>
unsigned max_spans_of(const segmented_config& cfg, const equal_ends& ends, std::uint64_t segments)
{
  return span_division<Costs>(segments * ends.size, segments, cfg.spans).spans();
}

template <class Tuning, class Accum>
REHEAT_DEVICE auto segmented_memory(const segmented_params<Accum>& params)
{
  constexpr segmented_config cfg = Tuning{}(simt::arch);
  return memory_of_block<cfg.in_scratch>(params.scratch, params.value_bytes, segmented_scratch_bytes<Accum>(cfg));
}

//! The division of a reduction of `items` items. All blocks make the same.
template <class Costs, class Tuning, class Accum>
REHEAT_DEVICE auto division_of(const segmented_params<Accum>& params, std::uint64_t items)
{
  constexpr segmented_config cfg = Tuning{}(simt::arch);
  static_assert(cfg.spans.min_cost >= Costs::item && cfg.spans.min_cost >= Costs::end, "no span is empty");
  return span_division<Costs>(items, params.segments, cfg.spans);
}

//! Neighbouring records that a thread joins at a time.
inline constexpr unsigned joined_records = 2;

//! If the first segment that ends in the record's span began before it, stores that segment's result. `before` is the fold
//! of its earlier items. It becomes that of the whole segment, and is closed.
template <class Accum, class Op, class Sink>
REHEAT_DEVICE void join_record(const span_record<Accum>& record, open_fold<Accum>& before, Op& op, Sink& sink)
{
  if (!record.pending)
  {
    return;
  }
  if (record.has_head && !simt::fault_active(simt::fault::lose_head))
  {
    before.items.append(record.head.get(), op);
  }
  sink.store(record.segment, before.items.value.get(), record.start);
}

//! Stores the results of segments that reach from one of `spans` spans into others. All threads of a block of Threads call.
template <unsigned Threads, class Accum, class Op, class Sink>
REHEAT_DEVICE void join_spans(const segmented_params<Accum>& params, unsigned spans, Op op, Sink sink,
                              const carry_shared<Accum>& shared)
{
  segmented_op<Op> folds{op};
  open_fold<Accum> open;
  for (unsigned first = 0; first < spans; first += joined_records * Threads)
  {
    const unsigned left = spans - first, span = first + joined_records * simt::thread_index();
    const unsigned valid = left < joined_records * Threads ? (left + joined_records - 1) / joined_records : Threads;
    uninitialized<run_fold<Accum>> each[joined_records], own;
    REHEAT_UNROLL
    for (unsigned i = 0; i < joined_records; ++i) // the loads overlap
    {
      if (span + i < spans)
      {
        const span_record<Accum>& record = params.records[span + i];
        // A span behind whose last end no item stands ends with a boundary, and its value counts nowhere.
        each[i].construct(run_fold<Accum>(boundary_flags(record.ended, !record.has_tail), record.tail.get()));
      }
    }
    REHEAT_UNROLL
    for (unsigned i = 0; i < joined_records; ++i)
    {
      if (span + i < spans)
      {
        if (i == 0)
        {
          own.construct(each[0].get());
        }
        else
        {
          own.construct(folds(own.get(), each[i].get()));
        }
      }
    }
    open_fold<Accum> before;
    carry_between_threads<Threads / 32>(own, valid, open, before, folds, shared);
    REHEAT_UNROLL
    for (unsigned i = 0; i < joined_records; ++i)
    {
      if (span + i < spans)
      {
        join_record(params.records[span + i], before, op, sink);
        before.extend(each[i].get(), op); // from a segment that ended, nothing stays
      }
    }
    simt::sync_block(); // the totals have been read
  }
}

//! Publishes the fold of the items behind the last end in span `span`. If the first segment that ends in the span began
//! before it, looks back for that segment's earlier items, and stores its result. The first warp of the block calls, whose
//! thread 0 has made the record.
template <class Accum, class Op, class Sink>
REHEAT_DEVICE void finish_span(const span_record<Accum>& record, unsigned span, const slot_array<run_fold<Accum>>& slots,
                               Op op, Sink& sink, const carry_shared<Accum>& shared)
{
  if (simt::lane_index() == 0)
  {
    // A span behind whose last end no item stands ends with a boundary, and its value counts nowhere.
    slots.publish(span, run_fold<Accum>(boundary_flags(record.ended, !record.has_tail), record.tail.get()));
  }
  simt::sync_warp(simt::unless(simt::fault::skip_record_barrier));
  if (!record.pending)
  {
    return;
  }
  uninitialized<run_fold<Accum>> before;
  span_look_back<Accum, Op>(slots, op, shared.folds_of_warp()).run(span, before);
  if (simt::lane_index() == 0)
  {
    const bool has_head = record.has_head && !simt::fault_active(simt::fault::lose_head);
    sink.store(record.segment, has_head ? static_cast<Accum>(op(before.get().value, record.head.get())) : before.get().value,
               record.start);
  }
}

//! Reduces the spans of `division` as long as there are any that no other block has drawn. `first_offset` is that of the
//! finder's first candidate. All threads call.
template <class Accum, class Division, class Finder, class Ends, class Op, class Sink, class Prefetch, class Reduce>
REHEAT_DEVICE void reduce_spans(const segmented_shared<Accum>& shared, const segmented_params<Accum>& params,
                                const Division& division, const Finder& finder, Ends& ends, std::uint64_t base,
                                const typename Ends::offset_type& first_offset, const slot_array<run_fold<Accum>>& slots,
                                Op op, Sink sink, Prefetch prefetch, Reduce reduce)
{
  const unsigned spans = division.spans(), blocks = simt::grid_blocks();
  const bool draws = spans > blocks, by_block = simt::fault_active(simt::fault::first_span_by_block);
  const auto draw = [&]
  {
    return static_cast<unsigned>(simt::fetch_add_relaxed(&params.scratch.header->next_ticket, std::uint64_t{1})) +
           (by_block ? blocks : 0);
  };
  unsigned span = simt::block_index();
  if (draws && !by_block)
  {
    if (simt::thread_index() == 0)
    {
      *shared.next_span = draw();
    }
    simt::sync_block();
    span = *shared.next_span;
  }
  while (span < spans)
  {
    const span_bounds bounds = finder.find(division, span, ends, base, first_offset, *shared.search, prefetch);
    span_record<Accum>* const record = params.max_spans == 1 ? nullptr
                                       : Ends::may_descend   ? params.records + span
                                                             : shared.record;
    reduce(span, bounds, record);
    // Not earlier: the block of a span that is drawn and not begun would hold up those behind it. It is on its way while
    // this span is finished.
    const unsigned next = draws && simt::thread_index() == 0 ? draw() : spans;
    if constexpr (!Ends::may_descend)
    {
      if (record != nullptr && simt::warp_index() == 0)
      {
        finish_span(*record, span, slots, op, sink, shared.carry);
      }
    }
    if (!draws)
    {
      return;
    }
    if (simt::thread_index() == 0)
    {
      *shared.next_span = next;
    }
    simt::sync_block(simt::unless(simt::fault::skip_ticket_barrier));
    span = *shared.next_span;
  }
}

//! Makes the workspace ready for the next launch. All threads of all blocks call, when they have no further span.
template <unsigned Warps, class Accum>
REHEAT_DEVICE void end_spans(const segmented_params<Accum>& params, unsigned spans, std::uint32_t epoch,
                             const slot_array<run_fold<Accum>>& slots)
{
  const std::uint64_t words = std::uint64_t{params.max_spans} * slot_traits<run_fold<Accum>>::words;
  const unsigned blocks = simt::grid_blocks();
  const bool draws = spans > blocks, too_early = simt::fault_active(simt::fault::first_span_retires);
  if (!draws && simt::block_index() >= spans)
  {
    return; // the others do not wait for a block without a span: it may have read the epoch when the launch had ended
  }
  if (draws || is_last_epoch(epoch)) // no block may look back when words are cleared
  {
    if (simt::warp_index() == 0)
    {
      retire_blocks(params.scratch, words, epoch, draws ? blocks : spans);
    }
  }
  else if (simt::block_index() == (too_early ? 0 : spans - 1)) // no other one asks for the epoch once it has published
  {
    if (simt::warp_index() != 0 && !too_early) // the first one may still look back
    {
      wait_for_spans<Warps>(slots, spans);
    }
    simt::sync_block();
    if (simt::thread_index() == 0)
    {
      retire_launch(params.scratch.header, epoch, words);
    }
  }
}

//! Reduces all spans of long segments. All threads of all blocks call. A function of its own: inlined, it spilled what
//! blocks that share segments hold (sums of 2^20 u32 in segments of 64: 5.6 us for 4.8, NVIDIA H200).
template <class Tuning, class Accum, class Input, class Ends, class Op, class Sink>
REHEAT_DEVICE REHEAT_OUT_OF_LINE_IN_KERNEL void
stream_spans(segmented_params<Accum> params, Input in, Ends ends, std::uint64_t base, std::uint64_t items,
             typename Ends::offset_type first_offset, std::uint32_t epoch, Op op, Sink sink)
{
  constexpr segmented_config cfg = Tuning{}(simt::arch);
  auto memory = segmented_memory<Tuning>(params);
  const segmented_shared<Accum> shared(memory, cfg); // the kernel's
  const slot_array<run_fold<Accum>> slots(params.scratch, epoch);
  using block = stream_block<Tuning, Input, Accum, Op, Ends, Sink>;
  const auto division = division_of<segmented_stream_costs<sizeof(Accum)>, Tuning>(params, items);
  block self(shared, in, op, ends, sink);
  reduce_spans(
      shared, params, division, typename block::finder(params.segments), ends, base, first_offset, slots, op, sink,
      [](const span_outline&) {},
      [&](unsigned span, const span_bounds& bounds, span_record<Accum>* record)
      { self.reduce(division, span, bounds, base, record); });
  end_spans<cfg.warps()>(params, division.spans(), epoch, slots);
}

//! The reduction; where ends may descend, its first launch.
template <class Tuning, class Input, class Accum, class Op, class Ends, class Sink>
REHEAT_KERNEL(Tuning{}(simt::arch).block_threads, Tuning{}(simt::arch).resident_blocks)
segmented_reduce_kernel(Input in, segmented_params<Accum> params, Op op, Ends ends, Sink sink)
{
  constexpr segmented_config cfg = Tuning{}(simt::arch);
  auto memory = segmented_memory<Tuning>(params);
  const segmented_shared<Accum> shared(memory, cfg);
  simt::grid_dependency_wait(simt::unless(simt::fault::segmented_too_early));
  simt::trigger_dependent_launch();
  segmented_block<Tuning, Input, Accum, Op, Ends, Sink> self(shared, in, op, ends, sink);
  using costs = segmented_costs<sizeof(Accum)>;
  const span_finder<cfg.block_threads, costs, Ends> finder(params.segments);
  // One round trip for all offsets.
  const std::uint64_t candidate = finder.first_candidate();
  const auto offset = ends.offset(candidate < params.segments ? candidate : params.segments - 1);
  const auto last_offset = ends.offset(params.segments - 1);
  const auto offset_before = ends.offset(finder.candidate_before());
  const std::uint32_t epoch = params.scratch.header == nullptr ? 0 : last_launch_epoch(params.scratch.header) + 1;
  const std::uint64_t base = ends.base(), items = Ends::position(last_offset, base);
  if constexpr (!Ends::may_descend)
  {
    const segment_shares<Tuning> shares(params.segments);
    if (shares.may_be_even())
    {
      const segment_share own = shares.of(simt::block_index());
      self.hold_ends(own.first, own.segments);
      const std::uint64_t behind = own.first + own.segments;
      const auto begin = ends.begin_of(own.segments == 0 ? 0 : own.first), end = ends.offset(behind - 1);
      const std::uint64_t group_begin = simt::thread_index() == 0 ? 0 : Ends::position(offset_before, base);
      if (!any_of_block<cfg.warps()>(
              shares.is_uneven(ends, group_begin, Ends::position(offset, base), finder.first_step(), items), shared.counts))
      {
        if (own.segments != 0)
        {
          const std::uint64_t first = Ends::position(begin, base), last = Ends::position(end, base);
          self.reduce({{first, own.first}, {last, behind}, first, false}, base, nullptr, true);
        }
        return;
      }
    }
  }
  if constexpr (streams_v<Input, Accum, Op, Ends> && cfg.stream_mean_items != 0 &&
                (cfg.streams_words || sizeof(value_of<Input>) != 4))
  {
    constexpr unsigned least = sizeof(value_of<Input>) < 4 ? 2 * cfg.stream_mean_items : cfg.stream_mean_items;
    if (items >= cfg.stream_min_items && items >= params.segments * least)
    {
      // Many short segments beside each other would make their warp late.
      const std::uint64_t begin = simt::thread_index() == 0 ? 0 : Ends::position(offset_before, base),
                          most = finder.first_step() * (least / 4);
      if (!any_of_block<cfg.warps()>(candidate < params.segments && Ends::position(offset, base) - begin < most,
                                     shared.counts))
      {
        stream_spans<Tuning>(params, in, ends, base, items, offset, epoch, op, sink);
        return;
      }
    }
  }
  const slot_array<run_fold<Accum>> slots(params.scratch, epoch);
  const auto division = division_of<costs, Tuning>(params, items);
  reduce_spans(
      shared, params, division, finder, ends, base, offset, slots, op, sink,
      [&](const span_outline& outline) { self.prefetch(outline, base); },
      [&](unsigned, const span_bounds& bounds, span_record<Accum>* record) { self.reduce(bounds, base, record); });
  if constexpr (!Ends::may_descend)
  {
    if (params.max_spans != 1)
    {
      end_spans<cfg.warps()>(params, division.spans(), epoch, slots);
    }
  }
}

} // namespace detail
REHEAT_NAMESPACE_END

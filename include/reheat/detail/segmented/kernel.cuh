// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Reductions of segments that offsets cut from one range: a result for each segment, in the segments' order.
//!
//! The first launch has a block for each span (spans.cuh), which goes through it tile by tile (block.cuh) and stores the
//! results of the segments that end there. So neither a long segment nor many short or empty ones make a block late.
//!
//! A segment may reach from one span into others. A block cannot store the result of the first segment that ends in its span
//! if that segment began before. So it leaves a record: the fold of that segment's items in the span, and the fold of the
//! items behind the last end. The second launch, of one block, scans the records and stores those results.
//!
//! No block waits for another one, and the records' memory may hold anything.
//!
//! Association. Spans follow from the numbers of items and segments. Tiles count from the first item of their span; the
//! first one is shorter if the next one is then aligned to 16 bytes. A segment's items are folded: those of a thread from
//! the left, then threads as warp_inclusive_scan does (or as warp_fold, in a round in which no segment ends), then warps,
//! tiles, and spans from the left. Neither the architecture, nor the number of multiprocessors, nor other work matters.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/grid/memory.cuh>
#include <reheat/detail/grid/slot.cuh>
#include <reheat/detail/segmented/block.cuh>
#include <reheat/detail/segmented/carry.cuh>
#include <reheat/detail/segmented/ends.cuh>
#include <reheat/detail/segmented/shared.cuh>
#include <reheat/detail/segmented/spans.cuh>
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
  unsigned grid_spans;               //!< the blocks of the first launch
  std::size_t record_bytes;          //!< of all records; 0 for one block
  workspace<span_record<T>> scratch; //!< [span], and behind it the blocks' arrays if they lie there; none for one block
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
  return memory_of_block<cfg.in_scratch>(params.scratch, params.record_bytes, segmented_scratch_bytes<Accum>(cfg));
}

//! The division of a reduction. Both launches make the same.
template <class Tuning, class Accum, class Ends>
REHEAT_DEVICE auto division_of(const segmented_params<Accum>& params, Ends& ends, std::uint64_t base)
{
  using costs = segmented_costs<sizeof(Accum)>;
  constexpr segmented_config cfg = Tuning{}(simt::arch);
  static_assert(cfg.spans.min_cost >= costs::item && cfg.spans.min_cost >= costs::end, "no span is empty");
  return span_division<costs>(end_of(ends, params.segments - 1, base), params.segments, cfg.spans);
}

//! The reduction, or its first launch: a block for each span, and none for spans that are not there.
template <class Tuning, class Input, class Accum, class Op, class Ends, class Sink>
REHEAT_KERNEL(Tuning{}(simt::arch).block_threads, Tuning{}(simt::arch).resident_blocks)
segmented_reduce_kernel(Input in, segmented_params<Accum> params, Op op, Ends ends, Sink sink)
{
  constexpr segmented_config cfg = Tuning{}(simt::arch);
  auto memory = segmented_memory<Tuning>(params);
  const segmented_shared<Accum> shared(memory, cfg);
  simt::grid_dependency_wait(simt::unless(simt::fault::segmented_too_early));
  simt::trigger_dependent_launch();
  using costs = segmented_costs<sizeof(Accum)>;
  const span_finder<cfg.block_threads, costs, Ends> finder(params.segments);
  // One round trip for all three.
  const std::uint64_t candidate = finder.first_candidate();
  const auto offset = ends.offset(candidate < params.segments ? candidate : params.segments - 1);
  const std::uint64_t base = ends.base();
  const auto division = division_of<Tuning>(params, ends, base);
  const unsigned span = simt::block_index();
  if (span >= division.spans())
  {
    return;
  }
  const span_bounds bounds = finder.find(division, span, ends, base, offset, *shared.search);
  segmented_block<Tuning, Input, Accum, Op, Ends, Sink> self(shared, in, op, ends, sink);
  self.reduce(bounds, base, params.grid_spans == 1 ? nullptr : params.scratch.values + span);
}

//! Stores the results of segments that reach from one span into others. All threads of a block of Threads call.
template <unsigned Threads, class Tuning, class Accum, class Op, class Ends, class Sink>
REHEAT_DEVICE void join_spans(const segmented_params<Accum>& params, Op op, Ends ends, Sink sink,
                              const carry_shared<Accum>& shared)
{
  const std::uint64_t base = ends.base();
  const unsigned spans = division_of<Tuning>(params, ends, base).spans();
  segmented_op<Op> folds{op};
  open_fold<Accum> open;
  for (unsigned first = 0; first < spans; first += Threads)
  {
    const unsigned span = first + simt::thread_index();
    const unsigned valid = spans - first < Threads ? spans - first : Threads;
    span_record<Accum>* const record = span < spans ? params.scratch.values + span : nullptr;
    uninitialized<run_fold<Accum>> own;
    if (record != nullptr)
    {
      // A span behind whose last end no item stands ends with a boundary, and its value counts nowhere.
      own.construct(run_fold<Accum>(boundary_flags(record->ended, !record->has_tail),
                                    record->has_tail ? record->tail.get() : sink.template placeholder<Accum>()));
    }
    open_fold<Accum> before;
    carry_between_threads<Threads / 32>(own, valid, open, before, folds, shared);
    if (record != nullptr && record->pending)
    {
      const std::uint64_t segment = record->segment, start = base + (segment == 0 ? 0 : end_of(ends, segment - 1, base));
      if (record->has_head && !simt::fault_active(simt::fault::lose_head))
      {
        before.items.append(record->head.get(), op);
      }
      sink.store(segment, before.items.value.get(), start);
    }
    simt::sync_block(); // the totals have been read
  }
}

//! The second launch. One block.
template <class Tuning, class Accum, class Op, class Ends, class Sink>
REHEAT_KERNEL(Tuning{}(simt::arch).join_threads)
join_spans_kernel(segmented_params<Accum> params, Op op, Ends ends, Sink sink)
{
  constexpr segmented_config cfg = Tuning{}(simt::arch);
  auto memory = memory_of_block<cfg.in_scratch>(params.scratch, params.record_bytes, join_scratch_bytes<Accum>(cfg));
  const carry_shared<Accum> shared(memory, cfg.join_threads / 32);
  simt::grid_dependency_wait(simt::unless(simt::fault::join_too_early));
  simt::trigger_dependent_launch();
  join_spans<cfg.join_threads, Tuning>(params, op, ends, sink, shared);
}

} // namespace detail
REHEAT_NAMESPACE_END

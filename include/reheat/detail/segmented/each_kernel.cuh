// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Reductions of segments that may lie anywhere in a range, by a block for each segment: of accumulators that do not fit
//! rows of registers, and where ends of segments that seemed to be adjacent descend. Others: anywhere_kernel.cuh.
//!
//! A block reduces one segment at a time, in tiles, as it would reduce a span of the adjacent segments of kernel.cuh, and
//! stores its result. Blocks share nothing. So a long segment makes its block late, and one of a few items leaves most of a
//! block's threads without work.
//!
//! Association. Tiles count from the first item of the segment; the first one is shorter, so that the next one is aligned to
//! 16 bytes. Items of a thread are folded from the left, then threads, warps and tiles.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/device_traits.cuh>
#include <reheat/detail/grid/memory.cuh>
#include <reheat/detail/grid/slot.cuh>
#include <reheat/detail/segmented/carry.cuh>
#include <reheat/detail/segmented/each.cuh>
#include <reheat/detail/segmented/kernel.cuh>
#include <reheat/detail/segmented/tuning.cuh>
#include <reheat/detail/simt/simt.cuh>

#include <cstdint>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

//! The blocks of a grid that reduces segments one by one. More than a GPU holds at a time: the next block goes to the
//! multiprocessor that is free. If items are large, each block has scratch memory of its own, so there are fewer.
constexpr unsigned each_blocks(int arch, const segmented_config& cfg, std::uint64_t segments)
{
  const unsigned max_blocks = arch == emulated_arch ? 16 : cfg.in_scratch ? 512 : 1u << 16;
  return segments < max_blocks ? static_cast<unsigned>(segments) : max_blocks;
}
//! The same for a grid that rarely does so.
constexpr unsigned rarely_each_blocks(int arch, std::uint64_t segments)
{
  const unsigned max_blocks = arch == emulated_arch ? 4 : 264;
  return segments < max_blocks ? static_cast<unsigned>(segments) : max_blocks;
}

//! How many spans there are.
template <class Tuning, class Accum, class Ends>
REHEAT_DEVICE unsigned spans_of(const segmented_params<Accum>& params, Ends& ends)
{
  return division_of<segmented_costs<sizeof(Accum)>, Tuning>(params, end_of(ends, params.segments - 1, ends.base())).spans();
}

//! Whether ends were found to descend in any span. All threads of a block call.
template <class Tuning, class Accum, class Ends>
REHEAT_DEVICE bool some_ends_descend(const segmented_params<Accum>& params, Ends ends, unsigned* counts)
{
  constexpr segmented_config cfg = Tuning{}(simt::arch);
  const unsigned spans = spans_of<Tuning>(params, ends);
  bool own = false;
  for (unsigned span = simt::thread_index(); span < spans; span += cfg.block_threads)
  {
    own |= params.records[span].descends;
  }
  return any_of_block<cfg.warps()>(own, counts) && !simt::fault_active(simt::fault::ignore_descents);
}

//! Reduces all segments, one by one. Behind a launch that has reduced them as neighbours, only if it found that some are
//! not: otherwise one block joins the spans.
template <class Tuning, class Input, class Accum, class Op, class BeginIt, class EndIt, class Sink>
REHEAT_KERNEL(Tuning{}(simt::arch).block_threads, Tuning{}(simt::arch).resident_blocks)
segmented_reduce_each_kernel(Input in, segmented_params<Accum> params, Op op, each_ends<BeginIt, EndIt> ends, Sink sink)
{
  constexpr segmented_config cfg = Tuning{}(simt::arch);
  auto memory = segmented_memory<Tuning>(params);
  const segmented_shared<Accum> shared(memory, cfg);
  simt::grid_dependency_wait(simt::unless(simt::fault::join_too_early));
  simt::trigger_dependent_launch();
  if constexpr (may_be_adjacent_v<BeginIt, EndIt>)
  {
    adjacent_ends<BeginIt, EndIt> adjacent{ends.begins, ends.ends};
    if (params.max_spans != 0 && !some_ends_descend<Tuning>(params, adjacent, shared.counts))
    {
      if (simt::block_index() == 0)
      {
        join_spans<cfg.block_threads>(params, spans_of<Tuning>(params, adjacent), op, sink, shared.carry);
      }
      return;
    }
  }
  reduce_each<Tuning>(shared, in, params.segments, op, ends, sink);
}

} // namespace detail
REHEAT_NAMESPACE_END

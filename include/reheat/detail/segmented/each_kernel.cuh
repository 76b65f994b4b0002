// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Reductions of segments that may lie anywhere in a range: a result for each segment, in the segments' order.
//!
//! A block reduces one segment at a time, in tiles, as it would reduce a span of the adjacent segments of kernel.cuh, and
//! stores its result. Blocks share nothing. So a long segment makes its block late, and one of a few items leaves most of a
//! block's threads without work: segments that are adjacent are better off with kernel.cuh.
//!
//! Association. Tiles count from the first item of the segment; the first one is shorter, so that the next one is aligned to
//! 16 bytes. Items of a thread are folded from the left, then threads, warps and tiles.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/device_traits.cuh>
#include <reheat/detail/grid/memory.cuh>
#include <reheat/detail/grid/slot.cuh>
#include <reheat/detail/segmented/each.cuh>
#include <reheat/detail/segmented/kernel.cuh>
#include <reheat/detail/segmented/tuning.cuh>
#include <reheat/detail/simt/simt.cuh>

#include <cstdint>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

template <class T>
struct each_params
{
  std::uint64_t segments;
  workspace<T> scratch; //!< the blocks' arrays, if they lie there
};

//! The blocks of a grid. More than a GPU holds at a time: the next block goes to the multiprocessor that is free. If items
//! are large, each block has scratch memory of its own, so there are fewer.
constexpr unsigned each_blocks(int arch, const segmented_config& cfg, std::uint64_t segments)
{
  const unsigned max_blocks = arch == emulated_arch ? 16 : cfg.in_scratch ? 512 : 1u << 16;
  return segments < max_blocks ? static_cast<unsigned>(segments) : max_blocks;
}

template <class Tuning, class Input, class Accum, class Op, class Ends, class Sink>
REHEAT_KERNEL(Tuning{}(simt::arch).block_threads, Tuning{}(simt::arch).resident_blocks)
segmented_reduce_each_kernel(Input in, each_params<Accum> params, Op op, Ends ends, Sink sink)
{
  constexpr segmented_config cfg = Tuning{}(simt::arch);
  auto memory = memory_of_block<cfg.in_scratch>(params.scratch, 0, segmented_scratch_bytes<Accum>(cfg));
  const segmented_shared<Accum> shared(memory, cfg);
  simt::grid_dependency_wait(simt::unless(simt::fault::segmented_too_early));
  simt::trigger_dependent_launch();
  reduce_each<Tuning>(shared, in, params.segments, op, ends, sink);
}

} // namespace detail
REHEAT_NAMESPACE_END

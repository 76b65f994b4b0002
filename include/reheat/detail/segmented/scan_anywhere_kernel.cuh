// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Scans of segments that may lie anywhere in a range: with gaps between them, in any order, each to a place of its own.
//! Nothing outside of a segment is touched.
//!
//! 1. A warp takes a group of up to 32 neighbouring segments by number, and loads their offsets, one segment to a lane.
//! 2. It lists the segments of the group that are long (long_list.cuh).
//! 3. It scans the short ones as if they lay one behind the other, a row of 32 items at a time. So all lanes have work, and
//!    read and write neighbours in memory where segments are neighbours, whatever the lengths.
//! 4. It scans the others by itself, one after the other, in rows of vectors.
//! 5. The second launch folds the pieces of listed segments, but for each segment's last one. The warp that finishes the
//!    last piece of a part replaces each value of the part by the fold of those up to it.
//! 6. The third launch scans the pieces. Its warps draw them, one at a time. Each folds what stands before its piece.
//!
//! If nothing is listed, the last two launches have nothing to do.
//!
//! In place. A lane has loaded what it overwrites, and the second launch only reads. So the output may be the input.
//!
//! Association. How many segments there are says which ones share a group, and which are cut. Of short segments it follows
//! from the numbers of items in their group; of other ones from the number of items, and from where in 16 bytes they begin.
//! Neither the architecture, nor the number of multiprocessors, nor other work matters.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/grid/slot.cuh>
#include <reheat/detail/scan/kind.cuh>
#include <reheat/detail/segmented/anywhere_kernel.cuh>
#include <reheat/detail/segmented/each.cuh>
#include <reheat/detail/segmented/long_list.cuh>
#include <reheat/detail/segmented/scan_anywhere.cuh>
#include <reheat/detail/segmented/tuning.cuh>
#include <reheat/detail/simt/simt.cuh>

#include <cstdint>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

//! Scans all segments but long ones, and lists those.
template <scan_kind Kind, class Tuning, class Input, class OutputIt, class Op, class BeginIt, class EndIt, class OutBeginIt,
          class Init>
REHEAT_KERNEL(Tuning{}(simt::arch).block_threads, Tuning{}(simt::arch).resident_blocks)
scan_anywhere_kernel(Input in, OutputIt out, anywhere_params<typename Init::accum> params, Op op,
                     each_ends<BeginIt, EndIt> ends, OutBeginIt out_begins, Init init)
{
  simt::grid_dependency_wait(simt::unless(simt::fault::segmented_too_early));
  simt::trigger_dependent_launch();
  anywhere_scan_warp<Kind, Tuning, Input, OutputIt, Op, OutBeginIt, Init> self(in, out, op, out_begins, init, params.scratch,
                                                                               params.room);
  for_each_group<Tuning>(params, [&](std::uint64_t first, unsigned count) { self.scan(ends, first, count); });
}

//! Folds the pieces of listed segments.
template <class Tuning, class Input, class Accum, class Op>
REHEAT_KERNEL(Tuning{}(simt::arch).block_threads, Tuning{}(simt::arch).resident_blocks)
fold_listed_kernel(Input in, anywhere_params<Accum> params, Op op)
{
  constexpr anywhere_config cfg = Tuning{}(simt::arch);
  simt::grid_dependency_wait(simt::unless(simt::fault::list_too_early));
  simt::trigger_dependent_launch();
  piece_folder<Tuning, Input, Accum, Op> self(in, op, params.scratch, params.room);
  const auto all = self.long_ones().listed();
  for (std::uint32_t piece = simt::block_index() * cfg.warps() + simt::warp_index(); piece < all.pieces;
       piece += simt::grid_blocks() * cfg.warps())
  {
    self.fold_piece(all, piece);
  }
}

//! Scans the listed segments. The block that finishes last empties the list.
template <scan_kind Kind, class Tuning, class Input, class OutputIt, class Op, class OutBeginIt, class Init>
REHEAT_KERNEL(Tuning{}(simt::arch).block_threads, Tuning{}(simt::arch).resident_blocks)
scan_listed_kernel(Input in, OutputIt out, anywhere_params<typename Init::accum> params, Op op, OutBeginIt out_begins,
                   Init init)
{
  simt::grid_dependency_wait(simt::unless(simt::fault::listed_scan_too_early));
  simt::trigger_dependent_launch();
  anywhere_scan_warp<Kind, Tuning, Input, OutputIt, Op, OutBeginIt, Init> self(in, out, op, out_begins, init, params.scratch,
                                                                               params.room);
  const auto all = self.long_ones().listed();
  if (all.entries == 0)
  {
    return;
  }
  work_off_list<Tuning>(params.scratch.header, all.pieces, [&](std::uint32_t piece) { self.scan_piece(all, piece); });
}

} // namespace detail
REHEAT_NAMESPACE_END

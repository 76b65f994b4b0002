// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Reductions of few segments that may lie anywhere, in one launch.
//!
//! 1. Each block looks at all segments (few_kernel.cuh). So all blocks know the same without telling each other.
//! 2. A block each folds the long ones, piece by piece. A segment that has more than its share of all items is cut: blocks
//!    fold its pieces in turns, and leave their values.
//! 3. A warp each folds the short ones.
//! 4. If a segment is cut, the block that finishes last joins the values.
//!
//! Association. That of anywhere_kernel.cuh, so a segment has the same bits wherever it is reduced. Where operands may change
//! places, a warp would append the vectors of a piece row by row. Here several warps fold the vectors of a batch of rows,
//! each its own, and leave those folds in shared memory. One warp appends them row by row. Who folds which piece changes no
//! bit, so it follows from what is fast.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/grid/slot.cuh>
#include <reheat/detail/operators.cuh>
#include <reheat/detail/segmented/anywhere.cuh>
#include <reheat/detail/segmented/ends.cuh>
#include <reheat/detail/segmented/few_kernel.cuh>
#include <reheat/detail/segmented/long_list.cuh>
#include <reheat/detail/segmented/rows.cuh>
#include <reheat/detail/segmented/tiles.cuh>
#include <reheat/detail/segmented/tuning.cuh>
#include <reheat/detail/simt/simt.cuh>
#include <reheat/detail/thread/items.cuh>
#include <reheat/detail/thread/value.cuh>
#include <reheat/detail/warp/fold.cuh>
#include <reheat/detail/warp/row.cuh>

#include <cstddef>
#include <cstdint>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

//! Room for values of pieces. Of all segments, those that are cut have one for each piece, or for as many as a lane joins.
inline std::uint64_t few_values(const anywhere_config& c, std::uint64_t segments)
{
  const std::uint64_t pieces = segments * c.max_pieces;
  return pieces < c.few_values ? pieces : c.few_values;
}

//! Pieces that a block folds at a time, each by a team of warps, where operands may change places.
inline constexpr unsigned piece_teams = 2;

//! Shared memory of a block.
template <class T>
struct few_anywhere_shared
{
  few_segments_shared<T> few;
  T* vectors;    //!< [team][row of a batch][lane]: folds of vectors
  unsigned* cut; //!< [few_shares]: the turns of segments that are cut, and behind them how many

  REHEAT_EXEC_CHECK_DISABLE
  template <class Memory>
  REHEAT_HOST_DEVICE constexpr few_anywhere_shared(Memory& memory, const segmented_config& c)
      : few(memory, c), vectors(memory.template array<T>(c.block_threads * c.rows)),
        cut(memory.template array<unsigned>(c.few_shares + 1))
  {}
};
template <class Tuning, class T>
constexpr std::size_t few_anywhere_bytes(const segmented_config& c)
{
  simt::shared_counter counter;
  few_anywhere_shared<T> layout(counter, c);
  static_cast<void>(layout);
  return counter.bytes();
}

//! One block. `Tuning` is that of many segments (anywhere_tuning). A sink is that of segmented_block.
template <class FewTuning, class Tuning, class Input, class Accum, class Op, class BeginIt, class EndIt, class Sink>
class few_anywhere_block : few_segments_block<FewTuning, Input, Accum, Op, each_ends<BeginIt, EndIt>, Sink>
{
  using few = few_segments_block<FewTuning, Input, Accum, Op, each_ends<BeginIt, EndIt>, Sink>;
  using few::cfg;
  using few::warps;
  using typename few::bounds;
  using typename few::folds;
  using joiner = piece_joiner<Tuning, Accum, Op>;
  using row = row_items<Accum>;
  static constexpr anywhere_config pieces_cfg = Tuning{}(simt::arch);
  static constexpr bool commutes = is_known_commutative_v<Op, Accum>;
  static constexpr unsigned lanes = simt::warp_lanes, per_lane = row::per_lane, teams = commutes ? piece_teams : 1;
  static constexpr unsigned team_warps = warps / teams, batch_rows = team_warps * cfg.rows;
  static constexpr unsigned lane_values = pieces_cfg.lane_values, part_pieces = pieces_cfg.part_pieces();
  static_assert(pieces_cfg.min_whole_items == pieces_cfg.whole_items, "pieces do not depend on the number of segments");
  static_assert(few::short_items <= pieces_cfg.whole_items, "a warp folds one piece");
  static_assert((cfg.few_shares - 1) * ((pieces_cfg.max_pieces + lane_values - 1) / lane_values) <= pieces_cfg.few_values,
                "room for a value of each lane_values pieces of all segments that are cut");

public:
  REHEAT_DEVICE few_anywhere_block(const few_anywhere_shared<Accum>& shared, Input in, unsigned segments, Op op,
                                   const each_ends<BeginIt, EndIt>& ends, Sink sink)
      : few(shared.few, in, segments, op, ends, sink), vectors_(shared.vectors), cut_(shared.cut), in_(in),
        aligned_(has_vectors<Accum>(in))
  {}

  //! All threads call.
  REHEAT_DEVICE void reduce(const workspace<Accum>& scratch)
  {
    std::uint64_t items[few::per_thread];
    if (this->look_at_all(items))
    {
      const segment_totals all = this->total_of_block();
      uncut_ = in_chunks_ ? share_of(cfg.few_shares, all.items, cfg.whole_items) : ~std::uint64_t{0};
      // Each segment that is cut has one piece at most that is not whole.
      unit_pieces_ = all.items / pieces_cfg.whole_items + cfg.few_shares <= pieces_cfg.few_values ? 1 : lane_values;
      if (!this->takes_own())
      {
        this->count_chunks(items, [&](std::uint64_t own) { return units_of(own); });
      }
      reduce_long(scratch.values);
    }
    anywhere_warp<Tuning, Input, Accum, Op, BeginIt, EndIt, Sink> short_ones(in_, op_, sink_, scratch,
                                                                            {0, 0, pieces_cfg.whole_items});
    const unsigned step = simt::grid_blocks() * warps;
    for (unsigned segment = simt::block_index() + simt::warp_index() * simt::grid_blocks(); segment < segments_;
         segment += step)
    {
      short_ones.reduce_up_to(few::short_items, ends_, segment);
    }
    if (in_chunks_ && this->is_last_to_finish(scratch.header))
    {
      join_units(scratch.values);
    }
  }

private:
  static REHEAT_DEVICE segment_pieces pieces_of(std::uint64_t items)
  {
    return items <= pieces_cfg.whole_items ? segment_pieces{items, items}
                                           : cut_in_pieces(items, pieces_cfg.whole_items, pieces_cfg.max_pieces);
  }
  //! How many units of a segment blocks fold: one, which is all of it, unless it is cut.
  REHEAT_DEVICE std::uint32_t units_of(std::uint64_t items) const
  {
    return items <= few::short_items ? 0
           : items <= uncut_            ? 1
                                        : (pieces_of(items).count() + unit_pieces_ - 1) / unit_pieces_;
  }

  //! Blocks fold units in turns, or each its own segment if that is long. `values` gets those of segments that are cut.
  REHEAT_DEVICE void reduce_long(Accum* values)
  {
    const bool own_only = this->takes_own();
    const std::uint32_t units = own_only ? segments_ : shared_.chunks[cfg.few_segments];
    for (std::uint32_t unit = simt::block_index(); unit < units; unit += simt::grid_blocks())
    {
      const unsigned turn = own_only ? 0 : this->turn_of(unit), segment = own_only ? unit : few::segment_of(turn);
      const bounds own = this->bounds_of(segment);
      if (own.items() <= few::short_items) // a warp folds it
      {
        continue;
      }
      const std::uint32_t first = own_only ? unit : shared_.chunks[turn];
      const bool whole = own_only || shared_.chunks[turn + 1] - first == 1;
      const segment_pieces pieces = pieces_of(own.items());
      const std::uint32_t piece = whole ? 0 : (unit - first) * unit_pieces_, left = pieces.count() - piece;
      const folds fold = fold_pieces(own.first(), pieces, piece, whole || left < unit_pieces_ ? left : unit_pieces_);
      if (simt::thread_index() != 0)
      {
        continue;
      }
      if (whole)
      {
        sink_.store(segment, fold.value.get(), own.first());
      }
      else
      {
        construct_at(values + unit, fold.value.get());
      }
    }
  }

  //! The fold of `count` pieces from piece `piece` on, in thread 0.
  REHEAT_DEVICE folds fold_pieces(std::uint64_t first, const segment_pieces& pieces, std::uint32_t piece, std::uint32_t count)
  {
    joiner joined(op_);
    for (std::uint32_t i = 0; i < count; i += teams)
    {
      if constexpr (commutes)
      {
        fold_in_teams(first, pieces, piece + i, count - i);
        simt::sync_block(simt::unless(simt::fault::skip_piece_values_barrier));
        if (simt::warp_index() == 0)
        {
          for (unsigned team = 0; team < teams && i + team < count; ++team)
          {
            uninitialized<Accum> value;
            value.construct(shared_.values[team]); // the next ones come behind a barrier
            joined.add(value);
          }
        }
      }
      else
      {
        const item_run run = pieces.of(first, piece + i);
        run_folder<pieces_cfg.rows, Input, Accum, Op> by_block(in_, op_);
        const folds fold = by_block.fold(run.first, run.items, warps, shared_.values);
        if (simt::warp_index() == 0)
        {
          joined.add(simt::shuffle(fold.value, 0));
        }
      }
    }
    folds result;
    if (simt::warp_index() == 0)
    {
      result = joined.joined();
    }
    return result;
  }

  //! Each team folds one of the `count` pieces from piece `piece` on, if there are so many, and leaves the value.
  REHEAT_DEVICE void fold_in_teams(std::uint64_t first, const segment_pieces& pieces, std::uint32_t piece, std::uint32_t count)
  {
    const unsigned team = simt::warp_index() / team_warps, warp = simt::warp_index() % team_warps;
    const bool there = team < count;
    const item_run run = pieces.of(first, there ? piece + team : piece);
    const run_vectors cut = cut_at_vectors<Accum>(in_, run.first, run.items);
    const std::uint64_t vectors = there ? cut.vectors : 0;
    uninitialized<Accum> edge[2]; // on their way with the first batch
    if (there && warp == 0)
    {
      load_edge(run.first, cut.before, edge[0]);
      load_edge(cut.behind, cut.left, edge[1]);
    }
    Accum* const of_team = vectors_ + team * batch_rows * lanes + simt::lane_index();
    folds own;
    for (std::uint64_t batch = 0; batch * per_lane < pieces.size; batch += batch_rows * lanes) // all teams alike
    {
      if (batch != 0)
      {
        simt::sync_block(); // the batch before has been read
      }
      leave_vectors(cut.begin, vectors, batch, warp * cfg.rows, of_team);
      simt::sync_block(simt::unless(simt::fault::skip_piece_rows_barrier));
      if (warp == 0)
      {
        append_vectors(vectors, batch, of_team, own);
      }
    }
    if (!there || warp != 0)
    {
      return;
    }
    own.append_if(simt::lane_index() < cut.before, edge[0], op_);
    own.append_if(simt::lane_index() < cut.left, edge[1], op_);
    const unsigned at_edges = cut.before < cut.left ? cut.left : cut.before,
                   in_rows = vectors < lanes ? static_cast<unsigned>(vectors) : lanes;
    warp_fold(own.value, in_rows < at_edges ? at_edges : in_rows, op_, static_cast<Accum*>(nullptr));
    if (simt::lane_index() == 0)
    {
      construct_at(shared_.values + team, own.value.get());
    }
  }
  REHEAT_DEVICE void load_edge(std::uint64_t first, unsigned items, uninitialized<Accum>& value)
  {
    if (simt::lane_index() < items)
    {
      value.construct(static_cast<Accum>(read_item(in_, first + simt::lane_index())));
    }
  }
  //! A warp leaves the folds of the vectors of its rows, from row `first` of a batch on.
  REHEAT_DEVICE void leave_vectors(std::uint64_t begin, std::uint64_t vectors, std::uint64_t batch, unsigned first,
                                   Accum* of_team)
  {
    const std::uint64_t own = batch + first * lanes + simt::lane_index();
    row rows[cfg.rows];
    REHEAT_UNROLL
    for (unsigned r = 0; r < cfg.rows; ++r) // the loads overlap
    {
      if (own + r * lanes < vectors)
      {
        rows[r].load(in_, aligned_, begin + (own + r * lanes) * per_lane, per_lane);
      }
    }
    REHEAT_UNROLL
    for (unsigned r = 0; r < cfg.rows; ++r)
    {
      if (own + r * lanes < vectors)
      {
        uninitialized<Accum> value;
        fold_vector(rows[r], value, op_);
        construct_at(of_team + (first + r) * lanes, value.get());
      }
    }
  }
  //! One warp appends a batch, each lane the folds that it would have had of all rows.
  REHEAT_DEVICE void append_vectors(std::uint64_t vectors, std::uint64_t batch, const Accum* of_team, folds& own)
  {
    const std::uint64_t first = batch + simt::lane_index();
    REHEAT_NO_UNROLL
    for (unsigned r = 0; r < batch_rows; r += cfg.rows)
    {
      REHEAT_UNROLL
      for (unsigned i = 0; i < cfg.rows; ++i)
      {
        if (first + (r + i) * lanes < vectors)
        {
          own.append(of_team[(r + i) * lanes], op_);
        }
      }
    }
  }

  //! Joins the values of the segments that are cut: first of each part, which warps take in turns, and then of parts.
  REHEAT_DEVICE void join_units(Accum* values)
  {
    list_cut();
    const unsigned count = cut_[cfg.few_shares], each = lane_values / unit_pieces_, part_units = part_pieces / unit_pieces_;
    joiner joins(op_);
    for (unsigned entry = 0, part = simt::warp_index(); entry < count;)
    {
      const unsigned turn = cut_[entry];
      const std::uint32_t first = shared_.chunks[turn], units = shared_.chunks[turn + 1] - first,
                          parts = (units + part_units - 1) / part_units, before = part * part_units;
      if (part >= parts)
      {
        part -= parts;
        ++entry;
        continue;
      }
      const std::uint32_t left = units - before;
      const folds fold = joins.join_part(values + first + before, left < part_units ? left : part_units, each);
      if (simt::lane_index() == 0)
      {
        if (parts == 1)
        {
          store_of(turn, fold);
        }
        else
        {
          values[first + before] = fold.value.get(); // which this warp has read
        }
      }
      part += warps;
    }
    simt::sync_block(simt::unless(simt::fault::skip_parts_barrier));
    for (unsigned entry = simt::warp_index(); entry < count; entry += warps)
    {
      const unsigned turn = cut_[entry];
      const std::uint32_t first = shared_.chunks[turn], units = shared_.chunks[turn + 1] - first;
      if (units > part_units)
      {
        const folds fold = joins.join_parts(values + first, (units + part_units - 1) / part_units, part_units);
        if (simt::lane_index() == 0)
        {
          store_of(turn, fold);
        }
      }
    }
  }
  //! Warp 0 lists the turns of segments that are cut, for all.
  REHEAT_DEVICE void list_cut()
  {
    if (simt::warp_index() == 0)
    {
      unsigned listed = 0;
      for (unsigned first = 0; first < cfg.few_segments; first += lanes)
      {
        const unsigned own = first + simt::lane_index();
        const std::uint32_t found = simt::ballot(shared_.chunks[own + 1] - shared_.chunks[own] > 1);
        if ((found >> simt::lane_index() & 1) != 0)
        {
          cut_[listed + simt::count_ones(found & ((1u << simt::lane_index()) - 1))] = own;
        }
        listed += simt::count_ones(found);
      }
      if (simt::lane_index() == 0)
      {
        cut_[cfg.few_shares] = listed;
      }
    }
    simt::sync_block(simt::unless(simt::fault::skip_cut_list_barrier));
  }
  REHEAT_DEVICE void store_of(unsigned turn, const folds& fold)
  {
    const unsigned segment = few::segment_of(turn);
    sink_.store(segment, fold.value.get(), this->bounds_of(segment).first());
  }

  using few::ends_;
  using few::in_chunks_;
  using few::op_;
  using few::segments_;
  using few::shared_;
  using few::sink_;

  Accum* vectors_;
  unsigned* cut_;
  Input in_;
  bool aligned_;         //!< vectors are
  std::uint64_t uncut_;  //!< segments of more items are cut
  unsigned unit_pieces_; //!< that a block folds together, of those
};

template <class FewTuning, class Tuning, class Input, class Accum, class Op, class BeginIt, class EndIt, class Sink>
REHEAT_KERNEL(FewTuning{}(simt::arch).block_threads, FewTuning{}(simt::arch).resident_blocks)
reduce_few_anywhere_kernel(Input in, unsigned segments, workspace<Accum> scratch, Op op, each_ends<BeginIt, EndIt> ends,
                           Sink sink)
{
  constexpr segmented_config cfg = FewTuning{}(simt::arch);
  simt::shared_memory memory;
  const few_anywhere_shared<Accum> shared(memory, cfg);
  simt::grid_dependency_wait(simt::unless(simt::fault::segmented_too_early));
  simt::trigger_dependent_launch();
  few_anywhere_block<FewTuning, Tuning, Input, Accum, Op, BeginIt, EndIt, Sink>(shared, in, segments, op, ends, sink)
      .reduce(scratch);
}

} // namespace detail
REHEAT_NAMESPACE_END

// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! How a warp reduces segments that may lie anywhere. segmented/anywhere_kernel.cuh has the whole.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/segmented/each.cuh>
#include <reheat/detail/segmented/long_list.cuh>
#include <reheat/detail/segmented/rows.cuh>
#include <reheat/detail/segmented/tuning.cuh>
#include <reheat/detail/simt/simt.cuh>
#include <reheat/detail/thread/items.cuh>
#include <reheat/detail/thread/value.cuh>
#include <reheat/detail/warp/fold.cuh>

#include <cstdint>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

//! The segment of a lane; it is empty if there is none.
template <class Ends>
class lane_segment
{
  using offset = typename Ends::offset_type;

public:
  //! `there`: the lane has segment `segment`.
  REHEAT_DEVICE lane_segment(Ends& ends, std::uint64_t segment, bool there) : begin_{}, end_{}
  {
    if (there)
    {
      begin_ = ends.begin_of(segment);
      end_ = ends.offset(segment);
    }
  }
  REHEAT_DEVICE std::uint64_t first() const { return static_cast<std::uint64_t>(begin_); }
  REHEAT_DEVICE std::uint64_t end() const { return static_cast<std::uint64_t>(end_); }
  REHEAT_DEVICE std::uint64_t items() const { return begin_ < end_ ? end() - first() : 0; }

private:
  offset begin_, end_;
};

//! One warp of either launch. A sink is that of segmented_block. All lanes call every member.
template <class Tuning, class Input, class Accum, class Op, class BeginIt, class EndIt, class Sink>
class anywhere_warp
{
  static constexpr anywhere_config cfg = Tuning{}(simt::arch);
  static constexpr unsigned lanes = simt::warp_lanes, team_lanes = 8, teams = lanes / team_lanes;
  static constexpr unsigned team_items = team_lanes * cfg.lane_items;
  using all_ends = each_ends<BeginIt, EndIt>;
  using group = lane_segment<all_ends>;
  using folder = run_folder<cfg.rows, Input, Accum, Op>;
  using folds = optional_accumulator<Accum>;
  using list = long_list<Tuning, Accum>;

public:
  REHEAT_DEVICE anywhere_warp(Input in, Op op, Sink sink, const workspace<Accum>& scratch, const list_room& room)
      : in_(in), op_(op), sink_(sink), folder_(in, op), list_(scratch, room)
  {}

  //! Lists the long segments of a group of `count` segments from segment `segment` on, and stores the results of the others.
  REHEAT_DEVICE void reduce(all_ends ends, std::uint64_t segment, unsigned count)
  {
    const bool there = simt::lane_index() < count;
    const std::uint64_t own_segment = segment + simt::lane_index();
    const group own(ends, own_segment, there);
    const std::uint64_t items = own.items();
    const std::uint32_t long_ones = simt::ballot(items > cfg.warp_items);
    const std::uint32_t listed =
        long_ones == 0 ? 0 : list_.add(items > cfg.warp_items, own_segment, item_run{own.first(), items});
    store_short(own, items, own_segment, there);
    fold_in_warp(own, items, segment, simt::ballot(items > team_items) & ~listed);
  }

  //! Folds a piece of the list. If it is the last one of its segment to be folded, the segment's result is stored.
  REHEAT_DEVICE void fold_piece(const typename list::content& all, std::uint32_t piece)
  {
    const typename list::place which = list_.find(all, piece);
    if (!which.is_there())
    {
      return;
    }
    const item_run run = which.pieces.of(which.first, which.index);
    folds fold = folder_.fold(run.first, run.items, 1, nullptr);
    const finished_piece finished = list_.finish(which, fold.value);
    bool is_last = finished.whole;
    if (finished.part_pieces != 0)
    {
      const Accum* const values = list_.values_of(which);
      fold = join_part(values + which.index / part_pieces * part_pieces, finished.part_pieces);
      is_last = finished.parts == 1;
      if (!is_last && list_.finish_part(which, finished.parts, fold.value))
      {
        fold = join_parts(values, finished.parts);
        is_last = true;
      }
    }
    if (is_last && simt::lane_index() == 0)
    {
      sink_.store(which.segment, fold.value.get(), which.first);
    }
  }
  REHEAT_DEVICE typename list::content listed() const { return list_.listed(); }

private:
  static constexpr unsigned lane_values = cfg.lane_values, part_pieces = cfg.part_pieces();
  static_assert(cfg.max_pieces <= lanes * part_pieces, "a lane for each part");

  //! Folds `items` items from the input's item `first` on, by `Lanes` lanes. Each lane has as many neighbouring items, and
  //! cfg.lane_items at most. The first lane gets the fold.
  template <unsigned Lanes>
  REHEAT_DEVICE void fold_in_lanes(std::uint64_t first, unsigned items, uninitialized<Accum>& fold)
  {
    const unsigned lane = simt::lane_index() % Lanes, each = (items + Lanes - 1) / Lanes, before = lane * each;
    const unsigned left = before < items ? items - before : 0, count = left < each ? left : each;
    uninitialized<Accum> item[cfg.lane_items];
    REHEAT_UNROLL
    for (unsigned i = 0; i < cfg.lane_items; ++i) // the loads overlap
    {
      if (i < count)
      {
        item[i].construct(static_cast<Accum>(read_item(in_, first + before + i)));
      }
    }
    REHEAT_UNROLL
    for (unsigned i = 0; i < cfg.lane_items; ++i)
    {
      if (i < count)
      {
        fold.construct(i == 0 ? item[i].get() : static_cast<Accum>(op_(fold.get(), item[i].get())));
      }
    }
    if constexpr (Lanes != 1)
    {
      const unsigned valid = each == 0 ? 0 : (items + each - 1) / each;
      REHEAT_UNROLL
      for (unsigned distance = 1; distance < Lanes; distance *= 2)
      {
        const uninitialized<Accum> right = simt::shuffle_down(fold, distance);
        if (lane % (2 * distance) == 0 && lane + distance < valid)
        {
          fold.construct(static_cast<Accum>(op_(fold.get(), right.get())));
        }
      }
    }
  }

  //! Folds and stores the segments that one lane or eight lanes fold, and empty ones. `segment`: the lane's own, if it is
  //! `there`.
  REHEAT_DEVICE void store_short(const group& own, std::uint64_t items, std::uint64_t segment, bool there)
  {
    uninitialized<Accum> fold;
    if (simt::any(items != 0 && items <= cfg.lane_items))
    {
      fold_in_lanes<1>(own.first(), items <= cfg.lane_items ? static_cast<unsigned>(items) : 0, fold);
    }
    fold_in_teams(own, items, fold);
    if (there && items == 0)
    {
      sink_.store_empty(segment, own.end());
    }
    else if (there && items <= team_items)
    {
      sink_.store(segment, fold.get(), own.first());
    }
  }

  //! Folds those of the group's segments that eight lanes fold, four at a time. `fold` becomes that of the lane's own.
  REHEAT_DEVICE void fold_in_teams(const group& own, std::uint64_t items, uninitialized<Accum>& fold)
  {
    const unsigned team = simt::lane_index() / team_lanes;
    std::uint32_t left = simt::ballot(items > cfg.lane_items && items <= team_items);
    while (left != 0)
    {
      const std::uint32_t taken = left;
      std::uint32_t segment = 0; // the bit of the team's
      REHEAT_UNROLL
      for (unsigned t = 0; t < teams; ++t)
      {
        segment = t == team ? left & (0 - left) : segment;
        left &= left - 1;
      }
      const unsigned lane = segment == 0 ? 0 : simt::highest_one(segment);
      const std::uint64_t first = simt::shuffle(own.first(), lane);
      const unsigned count = simt::shuffle(static_cast<unsigned>(items), lane);
      uninitialized<Accum> folded;
      fold_in_lanes<team_lanes>(first, segment == 0 ? 0 : count, folded);
      const std::uint32_t bit = 1u << simt::lane_index();
      const unsigned turn = simt::count_ones(taken & (bit - 1));
      const uninitialized<Accum> back = simt::shuffle(folded, turn % teams * team_lanes);
      if ((taken & bit) != 0 && turn < teams)
      {
        fold = back;
      }
    }
  }

  //! Folds and stores the group's segments `left`, one after the other.
  REHEAT_DEVICE void fold_in_warp(const group& own, std::uint64_t items, std::uint64_t segment, std::uint32_t left)
  {
    for (; left != 0; left &= left - 1)
    {
      const unsigned lane = simt::highest_one(left & (0 - left));
      const item_run run{simt::shuffle(own.first(), lane), simt::shuffle(items, lane)};
      const folds fold = fold_alone(run);
      if (simt::lane_index() == 0)
      {
        sink_.store(segment + lane, fold.value.get(), run.first);
      }
    }
  }

  //! The fold of the values of a part, in lane 0: a lane folds its neighbouring values, and lanes fold as warp_fold does.
  REHEAT_DEVICE folds join_part(const Accum* values, unsigned pieces)
  {
    uninitialized<Accum> value[lane_values];
    REHEAT_UNROLL
    for (unsigned i = 0; i < lane_values; ++i) // the loads overlap
    {
      const unsigned at = simt::lane_index() * lane_values + i;
      if (at < pieces)
      {
        value[i].construct(values[at]);
      }
    }
    folds own;
    REHEAT_UNROLL
    for (unsigned i = 0; i < lane_values; ++i)
    {
      own.append_if(simt::lane_index() * lane_values + i < pieces, value[i], op_);
    }
    return fold_lanes(own, (pieces + lane_values - 1) / lane_values);
  }
  //! The fold of the values of parts, in lane 0.
  REHEAT_DEVICE folds join_parts(const Accum* values, unsigned parts)
  {
    folds own;
    if (simt::lane_index() < parts)
    {
      own.append(values[simt::lane_index() * part_pieces], op_);
    }
    return fold_lanes(own, parts);
  }
  REHEAT_DEVICE folds fold_lanes(folds& own, unsigned valid)
  {
    warp_fold(own.value, valid, op_, static_cast<Accum*>(nullptr));
    return own;
  }
  //! The fold of a segment, in lane 0, if this warp folds all pieces of it.
  REHEAT_DEVICE folds fold_alone(const item_run& run)
  {
    const segment_pieces in_pieces = list_.cut(run.items);
    const std::uint32_t pieces = in_pieces.count();
    folds of_parts;
    unsigned parts = 0;
    for (std::uint32_t first = 0; first < pieces; first += part_pieces, ++parts)
    {
      const unsigned count = pieces - first < part_pieces ? pieces - first : part_pieces;
      folds own;
      for (unsigned i = 0; i < count; ++i)
      {
        const item_run piece = in_pieces.of(run.first, first + i);
        const folds folded = folder_.fold(piece.first, piece.items, 1, nullptr);
        if (pieces == 1)
        {
          return folded;
        }
        const uninitialized<Accum> value = simt::shuffle(folded.value, 0);
        own.append_if(simt::lane_index() == i / lane_values, value, op_);
      }
      const folds part = fold_lanes(own, (count + lane_values - 1) / lane_values);
      const uninitialized<Accum> value = simt::shuffle(part.value, 0);
      of_parts.append_if(simt::lane_index() == parts, value, op_);
    }
    return fold_lanes(of_parts, parts);
  }

  Input in_;
  Op op_;
  Sink sink_;
  folder folder_;
  list list_;
};

} // namespace detail
REHEAT_NAMESPACE_END

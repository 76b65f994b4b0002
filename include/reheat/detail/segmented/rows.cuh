// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! How a warp or a block folds a run of items in which no segment ends, from memory to registers.
//!
//! A run is cut where memory is aligned to 16 bytes: into *edges* of less than a vector, and vectors between them. Vectors
//! are read in rows of one per lane (warp/row.cuh). A warp loads a batch of rows before it folds the first of them: its
//! loads overlap, and no shared memory is needed.
//!
//! Association. If operands may change places, a lane folds its items of the edges, then of its rows from the left; rows are
//! dealt out to the warps in turns. Otherwise: the edge before, batches from the left, the edge behind. Of a batch, warps
//! have neighbouring rows; a lane folds its items of a row, lanes fold as warp_fold does, then rows and warps from the left.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/operators.cuh>
#include <reheat/detail/segmented/tiles.cuh>
#include <reheat/detail/simt/simt.cuh>
#include <reheat/detail/thread/items.cuh>
#include <reheat/detail/thread/value.cuh>
#include <reheat/detail/warp/fold.cuh>
#include <reheat/detail/warp/row.cuh>

#include <cstdint>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

//! Whether rows of Accums lie in registers.
template <class Accum>
inline constexpr bool folds_in_rows_v = is_bitwise_copyable_v<Accum> && sizeof(Accum) <= 16;

//! Folds runs, in batches of `Rows` rows for each warp. `Long`: most batches are full, and have code of their own, in which
//! no load is conditional.
template <unsigned Rows, class Input, class Accum, class Op, bool Long = false>
class run_folder
{
  static_assert(folds_in_rows_v<Accum>);
  using row = row_items<Accum>;
  using folds = optional_accumulator<Accum>;
  static constexpr unsigned lanes = simt::warp_lanes, per_lane = row::per_lane;
  static constexpr bool commutes = is_known_commutative_v<Op, Accum>;

public:
  //! What a warp reads of a run before it folds any of it.
  static constexpr unsigned batch_items = Rows * lanes * per_lane;

  REHEAT_DEVICE run_folder(Input in, Op op) : in_(in), op_(op), aligned_(has_vectors<Accum>(in)) {}

  //! The fold of `items` >= 1 items from the input's item `first` on, in lane 0 of warp 0 of `warps` warps. All their
  //! threads call. Several warps are a block; `values` has a value for each.
  REHEAT_DEVICE folds fold(std::uint64_t first, std::uint64_t items, unsigned warps, Accum* values)
  {
    const unsigned warp = warps == 1 ? 0 : simt::warp_index();
    const unsigned past = items_past_alignment<Accum>(in_, first), to_vector = past == 0 ? 0 : per_lane - past;
    const unsigned before = items < to_vector ? static_cast<unsigned>(items) : to_vector;
    begin_ = first + before;
    vectors_ = (items - before) / per_lane;
    const std::uint64_t behind = begin_ + vectors_ * per_lane;
    const unsigned left = static_cast<unsigned>(first + items - behind);
    uninitialized<Accum> edge[2]; // on their way with the first batch
    if (warp == 0)
    {
      load_edge(first, before, edge[0]);
      load_edge(behind, left, edge[1]);
    }
    folds result;
    const std::uint64_t batch = std::uint64_t{warps} * Rows * lanes;
    if constexpr (commutes)
    {
      folds own;
      // A batch is enough on its way. Unrolled, it spilled registers.
      REHEAT_NO_UNROLL
      for (std::uint64_t vector = 0; vector < vectors_; vector += batch)
      {
        fold_lane(vector + warp * lanes, warps * lanes, own);
      }
      own.append_if(warp == 0 && simt::lane_index() < before, edge[0], op_);
      own.append_if(warp == 0 && simt::lane_index() < left, edge[1], op_);
      const unsigned in_rows = valid_lanes_from(std::uint64_t{warp} * lanes), at_edges = before < left ? left : before;
      const unsigned valid = warp == 0 && in_rows < at_edges ? at_edges : in_rows;
      warp_fold(own.value, valid, op_, static_cast<Accum*>(nullptr));
      const std::uint64_t rows = (vectors_ + lanes - 1) / lanes;
      join_warps(own.value, rows < warps ? (rows == 0 ? 1 : static_cast<unsigned>(rows)) : warps, warps, result, values);
    }
    else
    {
      if (warp == 0)
      {
        append_edge(edge[0], before, result);
      }
      REHEAT_NO_UNROLL
      for (std::uint64_t vector = 0; vector < vectors_; vector += batch)
      {
        folds rows; // of the warp, in lane 0
        fold_rows(vector + warp * Rows * lanes, rows);
        const std::uint64_t with_rows = (vectors_ - vector + Rows * lanes - 1) / (Rows * lanes);
        join_warps(rows.value, with_rows < warps ? static_cast<unsigned>(with_rows) : warps, warps, result, values);
      }
      if (warp == 0)
      {
        append_edge(edge[1], left, result);
      }
    }
    return result;
  }

private:
  REHEAT_DEVICE void load_edge(std::uint64_t first, unsigned items, uninitialized<Accum>& value)
  {
    if (simt::lane_index() < items)
    {
      value.construct(static_cast<Accum>(read_item(in_, first + simt::lane_index())));
    }
  }
  //! In lane 0.
  REHEAT_DEVICE void append_edge(uninitialized<Accum>& value, unsigned items, folds& fold)
  {
    if (items != 0)
    {
      warp_fold(value, items, op_, static_cast<Accum*>(nullptr));
      fold.append_if(simt::lane_index() == 0, value, op_);
    }
  }

  //! How many lanes have a vector of the row whose first one is `vector`.
  REHEAT_DEVICE unsigned valid_lanes_from(std::uint64_t vector) const
  {
    return vector >= vectors_ ? 0 : vectors_ - vector < lanes ? static_cast<unsigned>(vectors_ - vector) : lanes;
  }
  //! Loads the lane's vectors of Rows rows, each `step` vectors behind the one before.
  REHEAT_DEVICE void load(row (&rows)[Rows], std::uint64_t first, unsigned step)
  {
    REHEAT_UNROLL
    for (unsigned r = 0; r < Rows; ++r)
    {
      const std::uint64_t vector = first + r * step + simt::lane_index();
      if (vector < vectors_)
      {
        rows[r].load(in_, aligned_, begin_ + vector * per_lane, per_lane);
      }
    }
  }

  REHEAT_DEVICE void fold_lane(std::uint64_t first, unsigned step, folds& own)
  {
    if constexpr (Long)
    {
      if (first + (Rows - 1) * step + lanes <= vectors_)
      {
        row rows[Rows];
        REHEAT_UNROLL
        for (unsigned r = 0; r < Rows; ++r)
        {
          rows[r].load(in_, aligned_, begin_ + (first + r * step + simt::lane_index()) * per_lane, per_lane);
        }
        REHEAT_UNROLL
        for (unsigned r = 0; r < Rows; ++r)
        {
          append_row(rows[r], own);
        }
        return;
      }
    }
    row rows[Rows];
    load(rows, first, step);
    REHEAT_UNROLL
    for (unsigned r = 0; r < Rows; ++r)
    {
      if (first + r * step + simt::lane_index() < vectors_)
      {
        append_row(rows[r], own);
      }
    }
  }
  REHEAT_DEVICE void append_row(row& items, folds& own)
  {
    uninitialized<Accum> value;
    fold_vector(items, value);
    own.append(value.get(), op_);
  }
  REHEAT_DEVICE void fold_rows(std::uint64_t first, folds& fold)
  {
    row rows[Rows];
    load(rows, first, lanes);
    uninitialized<Accum> value[Rows];
    REHEAT_UNROLL
    for (unsigned r = 0; r < Rows; ++r)
    {
      if (first + r * lanes + simt::lane_index() < vectors_)
      {
        fold_vector(rows[r], value[r]);
      }
    }
    REHEAT_UNROLL
    for (unsigned r = 0; r < Rows; ++r) // no branch: the shuffles of different rows overlap
    {
      warp_fold(value[r], valid_lanes_from(first + r * lanes), op_, static_cast<Accum*>(nullptr));
    }
    REHEAT_UNROLL
    for (unsigned r = 0; r < Rows; ++r)
    {
      fold.append_if(simt::lane_index() == 0 && valid_lanes_from(first + r * lanes) != 0, value[r], op_);
    }
  }
  REHEAT_DEVICE void fold_vector(row& items, uninitialized<Accum>& value)
  {
    items.template walk<false>(per_lane,
                               [&](const Accum& item, unsigned i)
                               {
                                 if (i == 0)
                                 {
                                   value.construct(item);
                                 }
                                 else
                                 {
                                   value.construct(static_cast<Accum>(op_(value.get(), item)));
                                 }
                               });
  }

  //! Appends the folds that lanes 0 of the first `valid` of `warps` warps have.
  REHEAT_DEVICE void join_warps(const uninitialized<Accum>& own, unsigned valid, unsigned warps, folds& fold, Accum* values)
  {
    if (warps == 1)
    {
      if (simt::lane_index() == 0)
      {
        fold.append(own.get(), op_);
      }
      return;
    }
    if (simt::lane_index() == 0 && simt::warp_index() < valid)
    {
      construct_at(values + simt::warp_index(), own.get());
    }
    simt::sync_block(simt::unless(simt::fault::skip_rows_joined_barrier));
    if (simt::thread_index() == 0)
    {
      for (unsigned warp = 0; warp < valid; ++warp)
      {
        fold.append(values[warp], op_);
      }
    }
    simt::sync_block(); // the values have been read
  }

  Input in_;
  Op op_;
  bool aligned_;          //!< vectors are
  std::uint64_t begin_;   //!< the index in the input of the first vector's first item
  std::uint64_t vectors_; //!< of the run
};

} // namespace detail
REHEAT_NAMESPACE_END

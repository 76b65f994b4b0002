// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Reductions of segments of one size that are short, or many: by lanes and warps, without shared memory. One launch, and no
//! scratch memory. Long segments: equal_blocks_kernel.cuh.
//!
//! A segment is cut into vectors of as many items as fill 16 bytes, from its first item on.
//!
//! 1. Segments of less than a vector: if a whole number of them fills one, a lane has as many, and stores their results side
//!    by side. Otherwise, and where memory is not aligned, each has a lane, which reads item by item.
//! 2. Segments of up to 32 vectors have a team of 1, 2, 4 or 8 lanes each. A lane has one vector, or up to four if there are
//!    more than two: folds within a lane cost less than folds across lanes.
//! 3. Longer ones have a warp each (rows.cuh).
//!
//! A warp works on several *turns* at a time, which are as many segments as its teams take at once, so that loads overlap.
//!
//! Association. It follows from the size, and in case 3 from where in 16 bytes a segment begins. A lane folds its items from
//! the left, and lanes fold as a tree of neighbours. A lane's vectors are neighbours; if operands may change places, they
//! are as far apart as the team has lanes. Neither the number of segments, the architecture nor other work matters.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/operators.cuh>
#include <reheat/detail/segmented/results.cuh>
#include <reheat/detail/segmented/rows.cuh>
#include <reheat/detail/segmented/tiles.cuh>
#include <reheat/detail/segmented/tuning.cuh>
#include <reheat/detail/simt/simt.cuh>
#include <reheat/detail/thread/items.cuh>
#include <reheat/detail/thread/packed.cuh>
#include <reheat/detail/thread/value.cuh>
#include <reheat/detail/warp/row.cuh>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

inline constexpr unsigned max_team_vectors = 32; // of segments that teams fold

//! How segments are dealt out.
struct equal_params
{
  std::uint64_t segments, size; //!< of how many items each
  unsigned lane_vectors;        //!< 1, or up to 4
  unsigned team_lanes;          //!< a power of two; 32: a warp has a segment
  unsigned lane_segments;       //!< in a vector, if it holds a whole number of them; otherwise 1
  std::uint64_t turns;          //!< that all segments are
};

template <class Accum>
equal_params deal_equal_segments(std::uint64_t segments, std::uint64_t size)
{
  constexpr unsigned per_lane = row_items<Accum>::per_lane;
  equal_params params{segments, size, size <= 2 * per_lane ? 1u : 4u, 1, 1, 0};
  if (size > max_team_vectors * per_lane)
  {
    params.team_lanes = simt::warp_lanes;
  }
  while (params.team_lanes * params.lane_vectors * per_lane < size && params.team_lanes < simt::warp_lanes)
  {
    params.team_lanes *= 2;
  }
  if (size < per_lane && per_lane % size == 0)
  {
    params.lane_segments = per_lane / static_cast<unsigned>(size);
  }
  const std::uint64_t at_once = std::uint64_t{simt::warp_lanes} / params.team_lanes * params.lane_segments;
  params.turns = (segments + at_once - 1) / at_once;
  return params;
}
//! How many blocks take turns: enough to fill a GPU, and more if each of their warps has as many turns as it takes at a
//! time.
inline unsigned equal_blocks(const equal_config& c, const equal_params& params)
{
  const unsigned at_a_time = params.team_lanes == simt::warp_lanes ? 1 : c.team_turns;
  const std::uint64_t all = (params.turns + c.warps() - 1) / c.warps(), full = (all + at_a_time - 1) / at_a_time,
                      most = full < c.max_blocks ? full : c.max_blocks, least = all < c.min_blocks ? all : c.min_blocks;
  return static_cast<unsigned>(most < least ? least : most);
}

//! Stores the results of `count` segments from segment `segment` on, of `size` items each.
template <unsigned Segments, class Sink, class Accum>
REHEAT_DEVICE void store_neighbours(Sink& sink, std::uint64_t segment, unsigned count, std::uint64_t size,
                                    const uninitialized<Accum> (&fold)[Segments])
{
  REHEAT_UNROLL
  for (unsigned s = 0; s < Segments; ++s)
  {
    if (s < count)
    {
      sink.store(segment + s, fold[s].get(), (segment + s) * size);
    }
  }
}
//! The same by one access, where results are numbers that fill one.
template <unsigned Segments, class Out, class T, class Op, class Accum>
REHEAT_DEVICE void store_neighbours(segment_folds<Out*, T, Op>& sink, std::uint64_t segment, unsigned count,
                                    std::uint64_t size, const uninitialized<Accum> (&fold)[Segments])
{
  constexpr std::size_t bytes = Segments * sizeof(Out);
  if constexpr (std::is_arithmetic_v<Out> && !std::is_volatile_v<Out> && access<bytes>::exists)
  {
    if (count == Segments && reinterpret_cast<std::uintptr_t>(sink.out + segment) % bytes == 0)
    {
      Out result[Segments];
      REHEAT_UNROLL
      for (unsigned s = 0; s < Segments; ++s)
      {
        result[s] = sink.op(sink.init, fold[s].get());
      }
      typename access<bytes>::type packed;
      memcpy(&packed, result, bytes);
      *reinterpret_cast<typename access<bytes>::type*>(sink.out + segment) = packed;
      return;
    }
  }
  store_neighbours<Segments, segment_folds<Out*, T, Op>>(sink, segment, count, size, fold);
}

//! One warp of several. A sink is that of segmented_block.
template <class Tuning, class Input, class Accum, class Op, class Sink>
class equal_warp
{
  static constexpr equal_config cfg = Tuning{}(simt::arch);
  static constexpr unsigned lanes = simt::warp_lanes, per_lane = row_items<Accum>::per_lane;
  static constexpr bool commutes = is_known_commutative_v<Op, Accum>;

public:
  //! `first`: the first turn of the warp, whose others are each `step` turns behind the one before.
  REHEAT_DEVICE equal_warp(Input in, const equal_params& params, Op op, Sink sink, std::uint64_t first, std::uint64_t step)
      : in_(in), params_(params), op_(op), sink_(sink), first_(first), step_(step)
  {}

  //! Reduces short segments: each vector holds a whole number of them. All lanes call.
  REHEAT_DEVICE void reduce_short()
  {
    if (!has_vectors<Accum>(in_) || items_past_alignment<Accum>(in_, 0) != 0 || !reduce_by_vectors<per_lane / 2>())
    {
      reduce_by_lanes(params_.turns * params_.lane_segments);
    }
  }
  //! Reduces others. All lanes call.
  REHEAT_DEVICE void reduce()
  {
    if (params_.size < per_lane)
    {
      reduce_by_lanes(params_.turns);
    }
    else if (params_.team_lanes == lanes)
    {
      reduce_by_warp();
    }
    else if (params_.lane_vectors == 1)
    {
      reduce_in_teams<1, cfg.team_turns>();
    }
    else
    {
      reduce_in_teams<4, cfg.long_turns>();
    }
  }

private:
  //! Reduces the segments if a vector holds a whole number of them, and they have `Size` items or fewer. Returns whether it
  //! does.
  template <unsigned Size>
  REHEAT_DEVICE bool reduce_by_vectors()
  {
    if constexpr (!moves_in_vec16_v<Input, Accum> && !widens_v<Input, Accum>)
    {
      return false;
    }
    else if constexpr (Size != 0)
    {
      if (params_.size != Size)
      {
        return reduce_by_vectors<Size / 2>();
      }
      constexpr unsigned segments = per_lane / Size, turns = cfg.team_turns;
      REHEAT_NO_UNROLL
      for (std::uint64_t turn = first_; turn < params_.turns; turn += turns * step_)
      {
        row_items<Accum> items[turns];
        unsigned count[turns]; // of the vector's segments
        REHEAT_UNROLL
        for (unsigned t = 0; t < turns; ++t) // the loads overlap
        {
          const std::uint64_t segment = segment_of(turn + t * step_, 1) * segments;
          const std::uint64_t left = segment < params_.segments ? params_.segments - segment : 0;
          count[t] = left < segments ? static_cast<unsigned>(left) : segments;
          if (count[t] != 0)
          {
            items[t].load(in_, true, segment * Size, count[t] * Size);
          }
        }
        REHEAT_UNROLL
        for (unsigned t = 0; t < turns; ++t)
        {
          if (count[t] != 0)
          {
            uninitialized<Accum> fold[segments];
            items[t].template walk<false>(
                count[t] * Size, [&](const Accum& item, unsigned i)
                { fold[i / Size].construct(i % Size == 0 ? item : static_cast<Accum>(op_(fold[i / Size].get(), item))); });
            store_neighbours(sink_, segment_of(turn + t * step_, 1) * segments, count[t], Size, fold);
          }
        }
      }
      return true;
    }
    return false;
  }

  //! `turns`: of a segment for each lane.
  REHEAT_DEVICE void reduce_by_lanes(std::uint64_t turns)
  {
    const auto size = static_cast<unsigned>(params_.size);
    REHEAT_NO_UNROLL
    for (std::uint64_t turn = first_; turn < turns; turn += cfg.lane_turns * step_)
    {
      uninitialized<Accum> fold[cfg.lane_turns];
      REHEAT_NO_UNROLL
      for (unsigned i = 0; i < size; ++i)
      {
        uninitialized<Accum> item[cfg.lane_turns];
        REHEAT_UNROLL
        for (unsigned t = 0; t < cfg.lane_turns; ++t) // the loads overlap
        {
          const std::uint64_t segment = segment_of(turn + t * step_, 1);
          if (segment < params_.segments)
          {
            item[t].construct(static_cast<Accum>(read_item(in_, segment * size + i)));
          }
        }
        REHEAT_UNROLL
        for (unsigned t = 0; t < cfg.lane_turns; ++t)
        {
          if (segment_of(turn + t * step_, 1) < params_.segments)
          {
            fold[t].construct(i == 0 ? item[t].get() : static_cast<Accum>(op_(fold[t].get(), item[t].get())));
          }
        }
      }
      store(fold, turn, 1);
    }
  }

  template <unsigned Vectors, unsigned Turns>
  REHEAT_DEVICE void reduce_in_teams()
  {
    const auto size = static_cast<unsigned>(params_.size);
    const unsigned vectors = (size + per_lane - 1) / per_lane, team_lanes = params_.team_lanes,
                   place = simt::lane_index() % team_lanes;
    const unsigned with_items = !commutes ? (vectors + Vectors - 1) / Vectors : vectors < team_lanes ? vectors : team_lanes;
    const bool aligned =
        has_vectors<Accum>(in_) && items_past_alignment<Accum>(in_, 0) == 0 && size % per_lane == 0; // all vectors are
    unsigned before[Vectors], count[Vectors]; // items of a segment before the lane's vectors, and in them
    REHEAT_UNROLL
    for (unsigned v = 0; v < Vectors; ++v)
    {
      before[v] = (commutes ? place + v * team_lanes : place * Vectors + v) * per_lane;
      const unsigned left = before[v] < size ? size - before[v] : 0;
      count[v] = left < per_lane ? left : per_lane;
    }
    REHEAT_NO_UNROLL
    for (std::uint64_t turn = first_; turn < params_.turns; turn += Turns * step_)
    {
      row_items<Accum> items[Turns][Vectors];
      REHEAT_UNROLL
      for (unsigned t = 0; t < Turns; ++t) // the loads overlap
      {
        const std::uint64_t segment = segment_of(turn + t * step_, team_lanes);
        REHEAT_UNROLL
        for (unsigned v = 0; v < Vectors; ++v)
        {
          if (segment < params_.segments && count[v] != 0)
          {
            items[t][v].load(in_, aligned, segment * size + before[v], count[v]);
          }
        }
      }
      uninitialized<Accum> fold[Turns];
      REHEAT_UNROLL
      for (unsigned t = 0; t < Turns; ++t)
      {
        REHEAT_UNROLL
        for (unsigned v = 0; v < Vectors; ++v)
        {
          if (segment_of(turn + t * step_, team_lanes) < params_.segments && count[v] != 0)
          {
            append_vector(items[t][v], count[v], v == 0, fold[t]);
          }
        }
      }
      for (unsigned distance = 1; distance < team_lanes; distance *= 2)
      {
        REHEAT_UNROLL
        for (unsigned t = 0; t < Turns; ++t) // no branch: the shuffles of different turns overlap
        {
          const uninitialized<Accum> right = simt::shuffle_down(fold[t], distance);
          if (place % (2 * distance) == 0 && place + distance < with_items &&
              segment_of(turn + t * step_, team_lanes) < params_.segments)
          {
            const bool swapped = simt::fault_active(simt::fault::commute_lanes);
            fold[t].construct(
                static_cast<Accum>(swapped ? op_(right.get(), fold[t].get()) : op_(fold[t].get(), right.get())));
          }
        }
      }
      store(fold, turn, team_lanes);
    }
  }

  REHEAT_DEVICE void reduce_by_warp()
  {
    run_folder<cfg.rows, Input, Accum, Op> folder(in_, op_);
    for (std::uint64_t segment = first_; segment < params_.segments; segment += step_)
    {
      const std::uint64_t first = segment * params_.size;
      const optional_accumulator<Accum> fold = folder.fold(first, params_.size, 1, nullptr);
      if (simt::lane_index() == 0)
      {
        sink_.store(segment, fold.value.get(), first);
      }
    }
  }

  //! The segment of the lane's team in a turn. It may be behind the last one.
  REHEAT_DEVICE static std::uint64_t segment_of(std::uint64_t turn, unsigned team_lanes)
  {
    return turn * (lanes / team_lanes) + simt::lane_index() / team_lanes;
  }
  //! Appends the first `count` items of a vector, which may begin the fold.
  REHEAT_DEVICE void append_vector(row_items<Accum>& items, unsigned count, bool begins, uninitialized<Accum>& fold)
  {
    items.template walk<false>(count, [&](const Accum& item, unsigned i)
                               { fold.construct(i == 0 && begins ? item : static_cast<Accum>(op_(fold.get(), item))); });
  }
  //! Stores what the first lanes of teams have.
  template <unsigned Turns>
  REHEAT_DEVICE void store(uninitialized<Accum> (&fold)[Turns], std::uint64_t turn, unsigned team_lanes)
  {
    REHEAT_UNROLL
    for (unsigned t = 0; t < Turns; ++t)
    {
      const std::uint64_t segment = segment_of(turn + t * step_, team_lanes);
      if (simt::lane_index() % team_lanes == 0 && segment < params_.segments)
      {
        sink_.store(segment, fold[t].get(), segment * params_.size);
      }
    }
  }

  Input in_;
  const equal_params& params_;
  Op op_;
  Sink sink_;
  std::uint64_t first_, step_;
};

template <class Tuning, class Input, class Accum, class Op, class Sink>
REHEAT_KERNEL(Tuning{}(simt::arch).block_threads, Tuning{}(simt::arch).resident_blocks)
reduce_equal_kernel(Input in, equal_params params, Op op, Sink sink)
{
  constexpr equal_config cfg = Tuning{}(simt::arch);
  simt::grid_dependency_wait(simt::unless(simt::fault::segmented_too_early));
  simt::trigger_dependent_launch();
  const std::uint64_t first = std::uint64_t{simt::block_index()} * cfg.warps() + simt::warp_index();
  equal_warp<Tuning, Input, Accum, Op, Sink>(in, params, op, sink, first, std::uint64_t{simt::grid_blocks()} * cfg.warps())
      .reduce();
}

//! Short segments: each vector holds a whole number of them. A kernel of its own: 8-byte segments of two and four took 1.02
//! times as long in one that has both (NVIDIA H200).
template <class Tuning, class Input, class Accum, class Op, class Sink>
REHEAT_KERNEL(Tuning{}(simt::arch).block_threads, Tuning{}(simt::arch).resident_blocks)
reduce_equal_short_kernel(Input in, equal_params params, Op op, Sink sink)
{
  constexpr equal_config cfg = Tuning{}(simt::arch);
  simt::grid_dependency_wait(simt::unless(simt::fault::segmented_too_early));
  simt::trigger_dependent_launch();
  const std::uint64_t first = std::uint64_t{simt::block_index()} * cfg.warps() + simt::warp_index();
  equal_warp<Tuning, Input, Accum, Op, Sink>(in, params, op, sink, first, std::uint64_t{simt::grid_blocks()} * cfg.warps())
      .reduce_short();
}

} // namespace detail
REHEAT_NAMESPACE_END

// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Scans and folds of segments across the lanes of a warp: overloads of warp_inclusive_scan and warp_fold.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/segments/segments.cuh>
#include <reheat/detail/simt/simt.cuh>
#include <reheat/detail/thread/value.cuh>
#include <reheat/detail/warp/fold.cuh>
#include <reheat/detail/warp/scan.cuh>

#include <type_traits>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

//! The scan of boundaries over the lanes of a warp, step by step. `result()` is the fold of all lanes up to this one.
template <class Boundaries>
class boundary_scan;
template <>
class boundary_scan<boundary_flags>
{
public:
  //! `own`: the lane's boundaries. `some`: the result has boundaries inside.
  REHEAT_DEVICE boundary_scan(const boundary_flags& own, bool some) : result_(some, own.follows()) {}
  REHEAT_DEVICE void combine_left(unsigned) {}
  REHEAT_DEVICE boundary_flags result() const { return result_; }

private:
  boundary_flags result_;
};
template <class Word>
class boundary_scan<boundary_counter<Word>>
{
public:
  REHEAT_DEVICE boundary_scan(const boundary_counter<Word>& own, bool)
      : follows_(own.follows() ? 1 : 0), sum_(own.count() + follows_)
  {}
  REHEAT_DEVICE void combine_left(unsigned distance)
  {
    const Word left = simt::shuffle_up(sum_, distance);
    sum_ += simt::lane_index() >= distance ? left : 0;
  }
  REHEAT_DEVICE boundary_counter<Word> result() const { return {sum_ - follows_, follows_ != 0}; }

private:
  Word follows_, sum_; //!< whether a boundary follows the lane; the count of all lanes up to this one, including the
                       //!< boundary that follows it
};

//! The segments of the first `valid` lanes of a warp. Votes tell every lane the boundaries of all lanes, so only values pass
//! through shuffles.
template <class T, class Boundaries>
class segments_of_lanes
{
public:
  REHEAT_DEVICE segments_of_lanes(const uninitialized<segmented<T, Boundaries>>& own, unsigned valid)
      : there_(simt::lane_index() < valid), boundaries_(there_ ? own.get().boundaries : Boundaries(0, false))
  {
    if (there_)
    {
      value.construct(own.get().value);
    }
    follow_ = simt::ballot(boundaries_.follows());
    cuts_ = simt::ballot(boundaries_.inside()) | follow_ << 1;
  }

  uninitialized<T> value; //!< of this lane

  REHEAT_DEVICE bool there() const { return there_; }
  //! The position of the last boundary up to lane `last`: the highest lane with a boundary inside or just before it; 0 if
  //! none.
  REHEAT_DEVICE unsigned last_cut(unsigned last) const
  {
    const unsigned cuts = cuts_ & (simt::all_lanes >> (simt::warp_lanes - 1 - last));
    return cuts == 0 ? 0 : simt::highest_one(cuts);
  }
  //! The steps of this scan alternate with those of the values, so that the two shuffles of a step overlap.
  REHEAT_DEVICE boundary_scan<Boundaries> scan_boundaries() const
  {
    return {boundaries_, (cuts_ & (simt::all_lanes >> (simt::warp_lanes - 1 - simt::lane_index()))) != 0};
  }
  //! The boundaries of lanes 0 to `last`, which is the last valid lane.
  REHEAT_DEVICE Boundaries all_boundaries(unsigned last) const
  {
    const bool some = (cuts_ & (simt::all_lanes >> (simt::warp_lanes - 1 - last))) != 0;
    const bool follows = (follow_ >> last & 1) != 0;
    if constexpr (std::is_same_v<Boundaries, boundary_flags>)
    {
      return {some, follows};
    }
    else
    {
      return {sum_over_lanes(boundaries_.count() + (boundaries_.follows() ? 1 : 0)) - (follows ? 1 : 0), follows};
    }
  }

private:
  bool there_;
  Boundaries boundaries_;
  unsigned follow_; //!< bit i: a boundary follows lane i
  unsigned cuts_;   //!< bit i: a boundary lies inside lane i or between lanes i − 1 and i
};

//! warp_inclusive_scan of segments, with the same association.
template <unsigned MaxValid = simt::warp_lanes, class T, class Boundaries, class Op,
          std::enable_if_t<is_bitwise_copyable_v<T>, int> = 0>
REHEAT_DEVICE void warp_inclusive_scan(uninitialized<segmented<T, Boundaries>>& value, unsigned valid, segmented_op<Op>& op,
                                       segmented<T, Boundaries>*)
{
  segments_of_lanes<T, Boundaries> lanes(value, valid);
  const unsigned lane = simt::lane_index();
  const unsigned reach = lanes.there() ? lane - lanes.last_cut(lane) : 0; // number of previous lanes in the same segment
  auto boundaries = lanes.scan_boundaries();
  REHEAT_UNROLL
  for (unsigned distance = 1; distance < MaxValid; distance *= 2)
  {
    const uninitialized<T> left = simt::shuffle_up(lanes.value, distance);
    boundaries.combine_left(distance);
    if (distance <= reach)
    {
      lanes.value.construct(static_cast<T>(op.op(left.get(), lanes.value.get())));
    }
  }
  if (lanes.there())
  {
    value.construct(segmented<T, Boundaries>(boundaries.result(), lanes.value.get()));
  }
}

//! If segments are counted, redux.sync adds integers across lanes. That pays for reduce_by_key, whose tiles follow each
//! other faster. In scans by key it costs 1 % (2^28 i32, NVIDIA H200).
template <class Op, class T, class Word>
inline constexpr bool folds_into_all_lanes_v<segmented_op<Op>, segmented<T, boundary_counter<Word>>> =
    adds_integers_v<Op, T>&& simt::has_redux;

//! warp_fold of segments, with the same association. Lanes before the last boundary contribute no value.
template <class T, class Boundaries, class Op, std::enable_if_t<is_bitwise_copyable_v<T>, int> = 0>
REHEAT_DEVICE void warp_fold(uninitialized<segmented<T, Boundaries>>& value, unsigned valid, segmented_op<Op>& op,
                             segmented<T, Boundaries>*)
{
  segments_of_lanes<T, Boundaries> lanes(value, valid);
  const unsigned lane = simt::lane_index();
  const unsigned start = lanes.last_cut(valid - 1);
  const Boundaries all = lanes.all_boundaries(valid - 1);
  constexpr bool sums = folds_into_all_lanes_v<segmented_op<Op>, segmented<T, Boundaries>>;
  if constexpr (sums)
  {
    const bool adds = lanes.there() && lane >= start;
    lanes.value.construct(sum_over_lanes(adds ? lanes.value.get() : T(0)));
  }
  else
  {
    REHEAT_UNROLL
    for (unsigned distance = 1; distance < simt::warp_lanes; distance *= 2)
    {
      const uninitialized<T> right = simt::shuffle_down(lanes.value, distance);
      if (lane % (2 * distance) == 0 && lane + distance < valid)
      {
        if (start >= lane + distance)
        {
          lanes.value = right;
        }
        else
        {
          lanes.value.construct(static_cast<T>(op.op(lanes.value.get(), right.get())));
        }
      }
    }
  }
  if (sums || lane == 0)
  {
    value.construct(segmented<T, Boundaries>(all, lanes.value.get()));
  }
}

} // namespace detail
REHEAT_NAMESPACE_END

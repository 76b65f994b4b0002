// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Scans and folds of segments across the lanes of a warp.
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

//! The scan of boundaries over the lanes of a warp, step by step: `result` are those of all lanes up to this one.
template <class Boundaries>
class boundary_scan;
template <>
class boundary_scan<boundary_flags>
{
public:
  //! `own`: the lane's. `some`: there are some inside the result.
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
  Word follows_, sum_; //!< of the lane; of all up to it, with what follows it
};

//! The segments that the first `valid` lanes of a warp have. Where boundaries are, lanes ask all at once: then values alone
//! pass through shuffles.
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

  uninitialized<T> value; //!< the lane's

  REHEAT_DEVICE bool there() const { return there_; }
  //! The last boundary up to lane `last`: the highest lane that has it inside, or between it and the lane before; 0 if none.
  REHEAT_DEVICE unsigned last_cut(unsigned last) const
  {
    const unsigned cuts = cuts_ & (simt::all_lanes >> (simt::warp_lanes - 1 - last));
    return cuts == 0 ? 0 : simt::highest_one(cuts);
  }
  //! Its steps go with those of the values: shuffles keep their order, and all of one kind first would wait twice as often.
  REHEAT_DEVICE boundary_scan<Boundaries> scan_boundaries() const
  {
    return {boundaries_, (cuts_ & (simt::all_lanes >> (simt::warp_lanes - 1 - simt::lane_index()))) != 0};
  }
  //! Of lanes 0 to `last`, which is the last there is.
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
  unsigned cuts_;   //!< bit i: lane i has a boundary inside, or there is one between it and lane i − 1
};

//! warp_inclusive_scan of segments, associated as that is.
template <unsigned MaxValid = simt::warp_lanes, class T, class Boundaries, class Op,
          std::enable_if_t<is_bitwise_copyable_v<T>, int> = 0>
REHEAT_DEVICE void warp_inclusive_scan(uninitialized<segmented<T, Boundaries>>& value, unsigned valid, segmented_op<Op>& op,
                                       segmented<T, Boundaries>*)
{
  segments_of_lanes<T, Boundaries> lanes(value, valid);
  const unsigned lane = simt::lane_index();
  const unsigned reach = lanes.there() ? lane - lanes.last_cut(lane) : 0; // lanes before, of the same segment
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

//! Where segments are counted, integers are added by the machine's own sums of lanes. That pays for reduce_by_key, whose
//! tiles follow each other faster. Scans by key, 2^28 i32 on an NVIDIA H200, take 758 us with steps and 765 with sums, small
//! ones the same.
template <class Op, class T, class Word>
inline constexpr bool folds_into_all_lanes_v<segmented_op<Op>, segmented<T, boundary_counter<Word>>> =
    adds_integers_v<Op, T>&& simt::has_redux;

//! warp_fold of segments, associated as that is: lanes before the last boundary have no part in it.
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

// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Folds across the first `valid` lanes of a warp, with operands in lane order. The operator never sees values of the lanes
//! from `valid` on. Values that are copyable by their bytes pass through shuffles in five steps. Others pass through shared
//! memory, where lane 0 folds them one by one.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/operators.cuh>
#include <reheat/detail/simt/simt.cuh>
#include <reheat/detail/thread/value.cuh>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

//! The shared memory that one warp needs to fold Ts, in Ts.
template <class T>
inline constexpr unsigned warp_scratch_items = is_bitwise_copyable_v<T> ? 0 : simt::warp_lanes;

//! Gives every lane the sum of an integer over all lanes. redux.sync adds words of 32 bits; an integer of 64 bits is added
//! in three parts, whose sums fit a word.
template <class T>
REHEAT_DEVICE T sum_over_lanes(T value)
{
  if constexpr (!simt::has_redux)
  {
    T sum = value;
    REHEAT_UNROLL
    for (unsigned distance = 1; distance < simt::warp_lanes; distance *= 2)
    {
      sum = static_cast<T>(sum + simt::shuffle(sum, simt::lane_index() ^ distance));
    }
    return sum;
  }
  else if constexpr (sizeof(T) <= 4)
  {
    return static_cast<T>(simt::redux_add(static_cast<unsigned>(value)));
  }
  else
  {
    constexpr unsigned part = 26, low = (1u << part) - 1; // the sum of 32 parts fits a word
    const auto bits = static_cast<std::uint64_t>(value);
    const std::uint64_t sums[3] = {simt::redux_add(static_cast<unsigned>(bits) & low),
                                   simt::redux_add(static_cast<unsigned>(bits >> part) & low),
                                   simt::redux_add(static_cast<unsigned>(bits >> 2 * part))};
    return static_cast<T>(sums[0] + (sums[1] << part) + (sums[2] << 2 * part));
  }
}

//! Gives every lane the largest of all lanes' numbers.
REHEAT_DEVICE inline unsigned max_over_lanes(unsigned own)
{
  if constexpr (simt::has_redux)
  {
    return simt::redux_max(own);
  }
  else
  {
    REHEAT_UNROLL
    for (unsigned distance = 1; distance < simt::warp_lanes; distance *= 2)
    {
      const unsigned other = simt::shuffle(own, simt::lane_index() ^ distance);
      own = other > own ? other : own;
    }
    return own;
  }
}

//! Gives every lane the fold of all lanes' words, which are ints or unsigneds, by one redux.sync.
template <redux_operation Operation, class Word>
REHEAT_DEVICE Word redux(Word word)
{
  if constexpr (Operation == redux_operation::minimum)
  {
    return simt::redux_min(word);
  }
  else if constexpr (Operation == redux_operation::maximum)
  {
    return simt::redux_max(word);
  }
  else
  {
    static_assert(Operation == redux_operation::add);
    return static_cast<Word>(simt::redux_add(static_cast<unsigned>(word)));
  }
}

//! Gives the lanes from `valid` on the identity element, where pads_with_identity_v holds.
template <class Op, class T>
REHEAT_DEVICE void pad_lanes(uninitialized<T>& value, unsigned valid)
{
  if constexpr (pads_with_identity_v<Op, T>)
  {
    if (simt::lane_index() >= valid)
    {
      value.construct(identity_element<Op, T>());
    }
  }
}

//! Whether warp_fold gives its result to all lanes.
template <class Op, class T>
inline constexpr bool folds_into_all_lanes_v = false;

//! Lane 0 gets v0 ⊕ … ⊕ v(valid−1) if `valid` is not 0. All lanes call with the same `valid`. Association: neighbours first;
//! step d adds the value of lane i + d on the right of lane i's if i is a multiple of 2d; d = 1, 2, 4, 8, 16. Through shared
//! memory: from the left. Sums, minima and maxima of integers of up to 32 bits take one redux.sync (0.07 us less a fold,
//! NVIDIA H200): the order does not change their result.
template <class T, class Op>
REHEAT_DEVICE void warp_fold(uninitialized<T>& value, unsigned valid, Op& op, T* scratch)
{
  const unsigned lane = simt::lane_index();
  if constexpr (redux_on_v<Op, T> != redux_operation::none && simt::has_redux)
  {
    using word = std::conditional_t<std::is_signed_v<T>, int, unsigned>;
    const word own = lane < valid ? static_cast<word>(value.get()) : static_cast<word>(identity_element<Op, T>());
    const word folded = redux<redux_on_v<Op, T>>(own);
    if (lane == 0)
    {
      value.construct(static_cast<T>(folded));
    }
  }
  else if constexpr (is_bitwise_copyable_v<T>)
  {
    pad_lanes<Op>(value, valid);
    REHEAT_UNROLL
    for (unsigned distance = 1; distance < simt::warp_lanes; distance *= 2)
    {
      const uninitialized<T> right = simt::shuffle_down(value, distance);
      if (pads_with_identity_v<Op, T> ||
          (lane % (2 * distance) == 0 && lane + distance < valid)) // no lane reads the values of the others
      {
        const bool swapped = simt::fault_active(simt::fault::commute_lanes);
        value.get() = swapped ? op(right.get(), value.get()) : op(value.get(), right.get());
      }
    }
  }
  else
  {
    if (lane < valid)
    {
      construct_at(scratch + lane, value.get());
    }
    simt::sync_warp();
    if (lane == 0)
    {
      for (unsigned i = 1; i < valid; ++i)
      {
        value.get() = op(value.get(), scratch[i]);
      }
    }
    simt::sync_warp(); // all reads of scratch are done
  }
}

} // namespace detail
REHEAT_NAMESPACE_END

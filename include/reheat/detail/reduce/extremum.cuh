// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The positions of the smallest and the largest item, as one reduction of pairs (value, index).
//!
//! Of equivalent items the one with the lowest index is kept, both as smallest and as largest. Operands may therefore be
//! exchanged, and values of up to 8 bytes take the commutative reduction. A thread folds its own items in order and keeps
//! the left one of equivalent items; indices are compared only between threads. Only indices leave the device, so values
//! need no default constructor.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/operators.cuh>
#include <reheat/detail/simt/simt.cuh>
#include <reheat/detail/thread/value.cuh>
#include <reheat/detail/warp/ordered_words.cuh>

#include <cstdint>
#include <type_traits>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

template <class T, class Index = std::uint64_t>
struct candidate
{
  T value;
  Index index;
};

//! Both extrema of a range.
template <class T, class Index = std::uint64_t>
struct candidates
{
  candidate<T, Index> smallest, largest;
};
struct extrema_indices
{
  static constexpr bool stored_in_words = true; // is_stored_in_words_v
  std::uint64_t smallest, largest;
};

template <class T>
struct to_candidate
{
  template <class Index>
  REHEAT_DEVICE candidate<T, Index> operator()(const T& value, Index index) const
  {
    return {value, index};
  }
};
template <class T>
struct to_candidates
{
  template <class Index>
  REHEAT_DEVICE candidates<T, Index> operator()(const T& value, Index index) const
  {
    return {{value, index}, {value, index}};
  }
};

//! `x` has the lower index. Both functions return the left one of equivalent candidates.
template <class T, class Index, class Less>
REHEAT_DEVICE candidate<T, Index> smaller(const candidate<T, Index>& x, const candidate<T, Index>& y, Less& less)
{
  if (simt::fault_active(simt::fault::last_smallest))
  {
    return less(x.value, y.value) ? x : y;
  }
  return less(y.value, x.value) ? y : x;
}
template <class T, class Index, class Less>
REHEAT_DEVICE candidate<T, Index> larger(const candidate<T, Index>& x, const candidate<T, Index>& y, Less& less)
{
  if (simt::fault_active(simt::fault::last_largest))
  {
    return less(y.value, x.value) ? x : y;
  }
  return less(x.value, y.value) ? y : x;
}

//! Whether values are so small that a thread holds candidates beside its vectors of two tiles.
template <class T>
inline constexpr bool is_small_value_v = is_bitwise_copyable_v<T> && sizeof(T) <= 8;

//! Whether two candidates must be exchanged before the left one is kept. Candidates of larger values always come in order.
template <class T>
REHEAT_DEVICE bool out_of_order(const candidate<T>& x, const candidate<T>& y)
{
  return is_small_value_v<T> && y.index < x.index && !simt::fault_active(simt::fault::forget_index);
}

//! The operators. With the initial value, which is no candidate, on the left they return the index.
template <class Less>
struct keep_smallest
{
  Less less;

  template <class T, class Index>
  REHEAT_DEVICE candidate<T, Index> in_order(const candidate<T, Index>& x, const candidate<T, Index>& y)
  {
    return smaller(x, y, less);
  }
  template <class T>
  REHEAT_DEVICE candidate<T> operator()(const candidate<T>& x, const candidate<T>& y)
  {
    return out_of_order(x, y) ? smaller(y, x, less) : smaller(x, y, less);
  }
  template <class T>
  REHEAT_DEVICE std::uint64_t operator()(std::uint64_t, const candidate<T>& y)
  {
    return y.index;
  }
};
template <class Less>
struct keep_largest
{
  Less less;

  template <class T, class Index>
  REHEAT_DEVICE candidate<T, Index> in_order(const candidate<T, Index>& x, const candidate<T, Index>& y)
  {
    return larger(x, y, less);
  }
  template <class T>
  REHEAT_DEVICE candidate<T> operator()(const candidate<T>& x, const candidate<T>& y)
  {
    return out_of_order(x, y) ? larger(y, x, less) : larger(x, y, less);
  }
  template <class T>
  REHEAT_DEVICE std::uint64_t operator()(std::uint64_t, const candidate<T>& y)
  {
    return y.index;
  }
};
template <class Less>
struct keep_both
{
  Less less;

  template <class T, class Index>
  REHEAT_DEVICE candidates<T, Index> in_order(const candidates<T, Index>& x, const candidates<T, Index>& y)
  {
    return {smaller(x.smallest, y.smallest, less), larger(x.largest, y.largest, less)};
  }
  template <class T>
  REHEAT_DEVICE candidates<T> operator()(const candidates<T>& x, const candidates<T>& y)
  {
    return {out_of_order(x.smallest, y.smallest) ? smaller(y.smallest, x.smallest, less)
                                                 : smaller(x.smallest, y.smallest, less),
            out_of_order(x.largest, y.largest) ? larger(y.largest, x.largest, less) : larger(x.largest, y.largest, less)};
  }
  template <class T>
  REHEAT_DEVICE extrema_indices operator()(const extrema_indices&, const candidates<T>& y)
  {
    return {y.smallest.index, y.largest.index};
  }
};

template <class Less, class T>
inline constexpr bool is_own_commutative_v<keep_smallest<Less>, candidate<T>> = is_small_value_v<T>;
template <class Less, class T>
inline constexpr bool is_own_commutative_v<keep_largest<Less>, candidate<T>> = is_small_value_v<T>;
template <class Less, class T>
inline constexpr bool is_own_commutative_v<keep_both<Less>, candidates<T>> = is_small_value_v<T>;

//! Within a tile, indices of 32 bits count from the thread's first item: a selection moves two registers instead of three.
template <class T>
REHEAT_DEVICE candidate<T> at_place(const candidate<T, unsigned>& local, std::uint64_t first)
{
  return {local.value, first + local.index};
}
template <class T>
REHEAT_DEVICE candidates<T> at_place(const candidates<T, unsigned>& local, std::uint64_t first)
{
  return {at_place(local.smallest, first), at_place(local.largest, first)};
}

//! Whether Less compares numbers, so that redux.sync.min can find the extremum of a warp's candidates word by word.
template <class Less, class T>
inline constexpr bool lowest_in_words_v = is_less_v<Less, T> && sizeof(T) <= 8 && simt::has_redux;

//! Each lane with `in` gets the smallest or the largest candidate of all lanes with `in`. Of equivalent candidates it is the
//! one with the lowest index.
template <bool Largest, class T>
REHEAT_DEVICE void keep_of_lanes(candidate<T>& own, bool in)
{
  using word = typename ordered<T>::word;
  constexpr word turned = Largest ? ~word{0} : 0;
  const bool was_in = in;
  const word lowest = lowest_word(ordered<T>::from(own.value) ^ turned, in);
  std::uint64_t index = own.index;
  if (simt::fault_active(simt::fault::forget_index))
  {
    const unsigned equivalent = simt::ballot(in);
    index = simt::shuffle(index, equivalent == 0 ? 0 : simt::highest_one(equivalent & (0 - equivalent)));
  }
  else
  {
    index = lowest_word(index, in);
  }
  if (was_in)
  {
    own = {ordered<T>::value(lowest ^ turned), index};
  }
}

//! warp_fold of candidates, in all lanes. Shuffles instead cost 29 % (min_element of 2^20 i32, NVIDIA H200).
template <template <class> class Keep, class T, class Less, std::enable_if_t<lowest_in_words_v<Less, T>, int> = 0>
REHEAT_DEVICE void warp_fold(uninitialized<candidate<T>>& value, unsigned valid, Keep<Less>&, candidate<T>*)
{
  const bool in = simt::lane_index() < valid;
  candidate<T> own = in ? value.get() : candidate<T>{};
  keep_of_lanes<std::is_same_v<Keep<Less>, keep_largest<Less>>>(own, in);
  value.construct(own);
}
template <class T, class Less, std::enable_if_t<lowest_in_words_v<Less, T>, int> = 0>
REHEAT_DEVICE void warp_fold(uninitialized<candidates<T>>& value, unsigned valid, keep_both<Less>&, candidates<T>*)
{
  const bool in = simt::lane_index() < valid;
  candidates<T> own = in ? value.get() : candidates<T>{};
  keep_of_lanes<false>(own.smallest, in);
  keep_of_lanes<true>(own.largest, in);
  value.construct(own);
}

//! Applies Keep to a thread's own candidates, which come in order.
template <class Keep, class Global, class Local>
struct thread_keep
{
  using local = Local;
  static constexpr bool rounds = false;
  Keep& keep;

  REHEAT_DEVICE local operator()(const local& x, const local& y) { return keep.in_order(x, y); }
  REHEAT_DEVICE Global operator()(const Global& x, const Global& y) { return keep.in_order(x, y); }
  REHEAT_DEVICE Global widen(const local& x, std::uint64_t first) const { return at_place(x, first); }
};
template <class Less, class T>
struct thread_op<keep_smallest<Less>, candidate<T>> : thread_keep<keep_smallest<Less>, candidate<T>, candidate<T, unsigned>>
{};
template <class Less, class T>
struct thread_op<keep_largest<Less>, candidate<T>> : thread_keep<keep_largest<Less>, candidate<T>, candidate<T, unsigned>>
{};
template <class Less, class T>
struct thread_op<keep_both<Less>, candidates<T>> : thread_keep<keep_both<Less>, candidates<T>, candidates<T, unsigned>>
{};

} // namespace detail
REHEAT_NAMESPACE_END

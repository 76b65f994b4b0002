// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Where a segmented reduction leaves its results: the sinks of segmented/kernel.cuh.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/reduce/extremum.cuh>
#include <reheat/detail/thread/items.cuh>

#include <cstddef>
#include <cstdint>
#include <type_traits>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

//! out[segment] = init ⊕ fold; of an empty segment init.
template <class OutputIt, class T, class Op>
struct segment_folds
{
  OutputIt out;
  T init;
  Op op;

  template <class Accum>
  REHEAT_DEVICE void store(std::uint64_t segment, const Accum& fold, std::uint64_t)
  {
    out[static_cast<std::ptrdiff_t>(segment)] = op(init, fold);
  }
  REHEAT_DEVICE void store_empty(std::uint64_t segment) { out[static_cast<std::ptrdiff_t>(segment)] = init; }
  //! A value that takes the place of a fold of nothing.
  template <class Accum>
  REHEAT_DEVICE Accum placeholder() const
  {
    return static_cast<Accum>(init);
  }
};

// ---- extrema with their index in the segment ----------------------------------------------------------------------------

//! Places in an input as 32 bits: an index in a segment is the difference of two, and has no more.
using segment_candidate_index = std::uint32_t;
template <class T>
using segment_candidate = candidate<T, segment_candidate_index>;

//! in[i] as a candidate, converted to T.
template <class It, class T>
struct segment_candidates
{
  using value_type = segment_candidate<T>;
  It in;

  REHEAT_DEVICE value_type at(std::uint64_t index)
  {
    return {static_cast<T>(read_item(in, index)), static_cast<segment_candidate_index>(index)};
  }
};

//! Keeps one of two candidates that come in order. Keep is keep_smallest or keep_largest.
template <class Keep>
struct keep_in_segment
{
  Keep keep;

  template <class T>
  REHEAT_DEVICE segment_candidate<T> operator()(const segment_candidate<T>& x, const segment_candidate<T>& y)
  {
    return keep.in_order(x, y);
  }
};

//! out[segment] = Pair(index in the segment, value); of an empty segment `none`.
template <class Pair, class Index, class OutputIt, class T>
struct segment_extrema
{
  OutputIt out;
  segment_candidate<T> none;

  REHEAT_DEVICE void store(std::uint64_t segment, const segment_candidate<T>& found, std::uint64_t start)
  {
    put(segment, {found.value, found.index - static_cast<segment_candidate_index>(start)});
  }
  REHEAT_DEVICE void store_empty(std::uint64_t segment) { put(segment, none); }
  template <class Accum>
  REHEAT_DEVICE Accum placeholder() const
  {
    return none;
  }

private:
  REHEAT_DEVICE void put(std::uint64_t segment, const segment_candidate<T>& what)
  {
    out[static_cast<std::ptrdiff_t>(segment)] = Pair(static_cast<Index>(what.index), what.value);
  }
};

} // namespace detail
REHEAT_NAMESPACE_END

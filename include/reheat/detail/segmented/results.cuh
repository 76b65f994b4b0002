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
  REHEAT_DEVICE void store_empty(std::uint64_t segment, std::uint64_t) { out[static_cast<std::ptrdiff_t>(segment)] = init; }
  //! A value that takes the place of a fold of nothing.
  template <class Accum>
  REHEAT_DEVICE Accum placeholder() const
  {
    return static_cast<Accum>(init);
  }
};

// ---- extrema and their indices -------------------------------------------------------------------------------------------

//! An item and its place in the input. An Index of 32 bits holds the place modulo 2^32: an index in a segment is the
//! difference of two places.
template <class T, class Index = std::uint32_t>
using segment_candidate = candidate<T, Index>;

//! in[i] as a candidate, converted to T.
template <class It, class T, class Index = std::uint32_t>
struct segment_candidates
{
  using value_type = segment_candidate<T, Index>;
  It in;

  REHEAT_DEVICE value_type at(std::uint64_t index)
  {
    return {static_cast<T>(read_item(in, index)), static_cast<Index>(index)};
  }
};

//! Keeps one of two candidates that come in order. Keep is keep_smallest or keep_largest.
template <class Keep>
struct keep_in_segment
{
  Keep keep;

  template <class T, class Index>
  REHEAT_DEVICE candidate<T, Index> operator()(const candidate<T, Index>& x, const candidate<T, Index>& y)
  {
    return keep.in_order(x, y);
  }
};

//! The index in its segment of an item that was found. `start`: the place of the segment's first item.
template <class T, class Index>
REHEAT_DEVICE Index index_in_segment(const candidate<T, Index>& found, std::uint64_t start)
{
  return found.index - static_cast<Index>(start);
}

//! out[segment] = Pair(index in the segment, value); of an empty segment `none`.
template <class Pair, class Index, class OutputIt, class T>
struct segment_extrema
{
  OutputIt out;
  segment_candidate<T> none;

  REHEAT_DEVICE void store(std::uint64_t segment, const segment_candidate<T>& found, std::uint64_t start)
  {
    put(segment, {found.value, index_in_segment(found, start)});
  }
  REHEAT_DEVICE void store_empty(std::uint64_t segment, std::uint64_t) { put(segment, none); }
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

//! out[segment] = the place of the extremum in the input, as a Place; of an empty segment the place where it ends.
template <class Place, class OutputIt>
struct segment_extremum_places
{
  OutputIt out;

  template <class T, class Index>
  REHEAT_DEVICE void store(std::uint64_t segment, const candidate<T, Index>& found, std::uint64_t start)
  {
    put(segment, start + index_in_segment(found, start));
  }
  REHEAT_DEVICE void store_empty(std::uint64_t segment, std::uint64_t end) { put(segment, end); }
  template <class Accum>
  REHEAT_DEVICE Accum placeholder() const
  {
    return {};
  }

private:
  REHEAT_DEVICE void put(std::uint64_t segment, std::uint64_t place)
  {
    out[static_cast<std::ptrdiff_t>(segment)] = static_cast<Place>(place);
  }
};

} // namespace detail
REHEAT_NAMESPACE_END

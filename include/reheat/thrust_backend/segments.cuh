// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! How calls of reheat's own name the segments of a range.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/iterators.cuh>
#include <reheat/detail/segmented/ends.cuh>
#include <reheat/detail/thread/items.cuh>
#include <reheat/thrust_backend/environment.cuh>

#include <cuda/std/type_traits>

#include <cstdint>
#include <type_traits>

REHEAT_NAMESPACE_BEGIN

//! Segments of one size, one behind the other, such as the rows of a matrix.
struct equal_segments
{
  std::uint64_t segments;
  std::uint64_t size; //!< the items of each
};

namespace thrust_backend
{
namespace calls
{

//! What a reduction or an inclusive scan of segments from a T accumulates in: as thrust::reduce and
//! thrust::inclusive_scan.
template <class Op, class T, class InputIt>
using segment_accum = ::cuda::std::decay_t<::cuda::std::invoke_result_t<Op, T, detail::value_of<InputIt>>>;

//! The ends of segments between offsets that do not descend.
template <class Environment, class OffsetIt>
auto ends_behind(const Environment& env, OffsetIt offsets)
{
  const auto begins = detail::unwrap_input(env, offsets);
  using iterator = std::remove_const_t<decltype(begins)>;
  return detail::adjacent_ends<iterator, iterator>{begins, begins + 1};
}
//! How many segments lie between offsets.
template <class Environment, class OffsetIt>
std::uint64_t number_of_segments(const Environment& env, OffsetIt offsets_first, OffsetIt offsets_last)
{
  const std::uint64_t offsets = items_of(env, offsets_first, offsets_last);
  return offsets == 0 ? 0 : offsets - 1;
}

} // namespace calls
} // namespace thrust_backend

REHEAT_NAMESPACE_END

// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! `reheat::segmented_min_element` and `reheat::segmented_max_element`. Thrust has no such algorithms.
#pragma once

#include <reheat/detail/algorithms/segmented.cuh>
#include <reheat/detail/config.cuh>
#include <reheat/detail/reduce/extremum.cuh>
#include <reheat/detail/thread/items.cuh>
#include <reheat/thrust_backend/environment.cuh>
#include <reheat/thrust_backend/policy.cuh>
#include <reheat/thrust_backend/segments.cuh>

#include <cuda/std/functional>

#include <cstdint>
#include <type_traits>

REHEAT_NAMESPACE_BEGIN
namespace thrust_backend
{
namespace calls
{

//! Places of extrema as Place. No segment has more items than an Index has values.
template <class Place, class Index, class Environment, class InputIt, class Where, class OutputIt, class Keep>
void segmented_extremum(const Environment& env, InputIt first, std::uint64_t segments, const Where& where, OutputIt out,
                        Keep keep)
{
  static_assert(std::is_default_constructible_v<detail::value_of<InputIt>>,
                "reheat: segmented_min_element and segmented_max_element need items with a default constructor");
  algorithms::segmented_extremum_place<Place, Index>(env, first, segments, where, out, keep);
}

template <class Derived, class InputIt, class OffsetIt, class OutputIt, class Keep>
void segmented_extremum(const char* caller, const execution_policy<Derived>& exec, InputIt first, OffsetIt offsets_first,
                        OffsetIt offsets_last, OutputIt out, Keep keep)
{
  using offset = detail::value_of<OffsetIt>;
  using index = std::conditional_t<sizeof(offset) <= 4, std::uint32_t, std::uint64_t>;
  const auto env = environment_of(caller, const_cast<execution_policy<Derived>&>(exec));
  const std::uint64_t segments = number_of_segments(exec, env, offsets_first, offsets_last);
  if (segments != 0)
  {
    check_results(exec, env, offsets_first, segments, out);
    segmented_extremum<offset, index>(env, first, segments, ends_behind(env, offsets_first), out, keep);
  }
}

template <class Derived, class InputIt, class OutputIt, class Keep>
void segmented_extremum(const char* caller, const execution_policy<Derived>& exec, InputIt first,
                        const equal_segments& equal, OutputIt out, Keep keep)
{
  const auto env = environment_of(caller, const_cast<execution_policy<Derived>&>(exec));
  const algorithms::segments_of_size where{equal.size};
  if (equal.segments != 0 && equal.size >> 32 == 0)
  {
    segmented_extremum<std::uint64_t, std::uint32_t>(env, first, equal.segments, where, out, keep);
  }
  else if (equal.segments != 0)
  {
    segmented_extremum<std::uint64_t, std::uint64_t>(env, first, equal.segments, where, out, keep);
  }
}

} // namespace calls
} // namespace thrust_backend

//! out[s] = the index, from `first` on, of the smallest item of each segment s between two neighbouring offsets: what
//! thrust::min_element(first + offsets[s], first + offsets[s + 1]) − first would be. So of equivalent items it is the first
//! one, and of an empty segment out[s] is the segment's end, offsets[s + 1]. Offsets and segments are those of
//! segmented_reduce; indices are assigned in the type of the offsets.
//!
//! With `less` items are compared by it, a strict weak ordering, and otherwise by `<`. Items need a default constructor. No
//! index depends on how the call is divided among threads.
//!
//! Each item is read once. Enqueued on the policy's stream in two launches; waits as scans do: under `par`, not under
//! `par_nosync`. Under `par_nosync` the call can be captured into a CUDA graph. The output overlaps neither the input nor
//! the offsets.
template <class Derived, class InputIt, class OffsetIt, class OutputIt, class Less>
void segmented_min_element(const thrust_backend::execution_policy<Derived>& policy, InputIt first, OffsetIt offsets_first,
                           OffsetIt offsets_last, OutputIt out, Less less)
{
  thrust_backend::calls::segmented_extremum("reheat::segmented_min_element", policy, first, offsets_first, offsets_last, out,
                                            detail::keep_smallest<Less>{less});
}
template <class Derived, class InputIt, class OffsetIt, class OutputIt>
void segmented_min_element(const thrust_backend::execution_policy<Derived>& policy, InputIt first, OffsetIt offsets_first,
                           OffsetIt offsets_last, OutputIt out)
{
  segmented_min_element(policy, first, offsets_first, offsets_last, out, ::cuda::std::less<detail::value_of<InputIt>>{});
}

//! The same for `where.segments` segments of `where.size` items. No offsets are read, and indices are std::uint64_t. One
//! launch if one block holds all.
template <class Derived, class InputIt, class OutputIt, class Less>
void segmented_min_element(const thrust_backend::execution_policy<Derived>& policy, InputIt first, equal_segments where,
                           OutputIt out, Less less)
{
  thrust_backend::calls::segmented_extremum("reheat::segmented_min_element", policy, first, where, out,
                                            detail::keep_smallest<Less>{less});
}
template <class Derived, class InputIt, class OutputIt>
void segmented_min_element(const thrust_backend::execution_policy<Derived>& policy, InputIt first, equal_segments where,
                           OutputIt out)
{
  segmented_min_element(policy, first, where, out, ::cuda::std::less<detail::value_of<InputIt>>{});
}

//! The same for the largest item, as thrust::max_element: of equivalent items the first one, too.
template <class Derived, class InputIt, class OffsetIt, class OutputIt, class Less>
void segmented_max_element(const thrust_backend::execution_policy<Derived>& policy, InputIt first, OffsetIt offsets_first,
                           OffsetIt offsets_last, OutputIt out, Less less)
{
  thrust_backend::calls::segmented_extremum("reheat::segmented_max_element", policy, first, offsets_first, offsets_last, out,
                                            detail::keep_largest<Less>{less});
}
template <class Derived, class InputIt, class OffsetIt, class OutputIt>
void segmented_max_element(const thrust_backend::execution_policy<Derived>& policy, InputIt first, OffsetIt offsets_first,
                           OffsetIt offsets_last, OutputIt out)
{
  segmented_max_element(policy, first, offsets_first, offsets_last, out, ::cuda::std::less<detail::value_of<InputIt>>{});
}

//! The same for segments of one size.
template <class Derived, class InputIt, class OutputIt, class Less>
void segmented_max_element(const thrust_backend::execution_policy<Derived>& policy, InputIt first, equal_segments where,
                           OutputIt out, Less less)
{
  thrust_backend::calls::segmented_extremum("reheat::segmented_max_element", policy, first, where, out,
                                            detail::keep_largest<Less>{less});
}
template <class Derived, class InputIt, class OutputIt>
void segmented_max_element(const thrust_backend::execution_policy<Derived>& policy, InputIt first, equal_segments where,
                           OutputIt out)
{
  segmented_max_element(policy, first, where, out, ::cuda::std::less<detail::value_of<InputIt>>{});
}

REHEAT_NAMESPACE_END

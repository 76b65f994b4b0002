// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! `thrust::min_element`, `thrust::max_element` and `thrust::minmax_element` for our policies.
//!
//! Of equivalent items the first is found, by all three, as by Thrust's CUDA backend (std::minmax_element takes the last of
//! the largest). An empty range gives its end, a negative one throws std::runtime_error. Both extrema take one pass. The
//! call waits for its stream, whatever the policy.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/reduce/extremum.cuh>
#include <reheat/thrust_backend/call.cuh>
#include <reheat/thrust_backend/policy.cuh>

#include <thrust/extrema.h>

#include <cuda/std/functional>
#include <cuda/std/utility>

REHEAT_NAMESPACE_BEGIN
namespace thrust_backend
{

//! The index that `keep`, which compares candidates, is left with; the range's size if there are none.
template <class Derived, class InputIt, class Keep>
InputIt extremum_of(const char* call, execution_policy<Derived>& exec, InputIt first, InputIt last, Keep keep)
{
  using value = detail::value_of<InputIt>;
  const runtime::call_scope scope = scope_of(call, exec);
  const std::uint64_t items = items_of(call, first, last);
  if (items == 0)
  {
    return last;
  }
  auto&& policy = default_kernels(exec);
  refuse_captured_result(policy, call);
  const auto index = reduce_terms<detail::candidate<value>>(
      call, policy, mapped_items_of(first, detail::to_candidate<value>{}), 0, items, std::uint64_t{0}, keep);
  return first + static_cast<detail::distance_of<InputIt>>(index);
}

template <class Derived, class InputIt, class Less>
::cuda::std::pair<InputIt, InputIt> extrema_of(const char* call, execution_policy<Derived>& exec, InputIt first,
                                               InputIt last, Less less)
{
  using value = detail::value_of<InputIt>;
  using distance = detail::distance_of<InputIt>;
  const runtime::call_scope scope = scope_of(call, exec);
  const std::uint64_t items = items_of(call, first, last);
  if (items == 0)
  {
    return {last, last};
  }
  auto&& policy = default_kernels(exec);
  refuse_captured_result(policy, call);
  const auto indices =
      reduce_terms<detail::candidates<value>>(call, policy, mapped_items_of(first, detail::to_candidates<value>{}), 0, items,
                                              detail::extrema_indices{}, detail::keep_both<Less>{less});
  return {first + static_cast<distance>(indices.smallest), first + static_cast<distance>(indices.largest)};
}

#if !(REHEAT_DROPPED_OVERLOADS & 0x20000)
REHEAT_EXEC_CHECK_DISABLE
template <class Derived, class InputIt>
REHEAT_HOST_DEVICE InputIt min_element(execution_policy<Derived>& exec, InputIt first, InputIt last)
{
  using less = ::cuda::std::less<detail::value_of<InputIt>>;
  REHEAT_PARALLEL_OR_SEQUENTIAL((extremum_of("reheat::min_element", exec, first, last, detail::keep_smallest<less>{less{}})),
                                (THRUST_NS_QUALIFIER::min_element(THRUST_NS_QUALIFIER::seq, first, last)));
}
#endif

#if !(REHEAT_DROPPED_OVERLOADS & 0x40000)
REHEAT_EXEC_CHECK_DISABLE
template <class Derived, class InputIt, class Less>
REHEAT_HOST_DEVICE InputIt min_element(execution_policy<Derived>& exec, InputIt first, InputIt last, Less less)
{
  REHEAT_PARALLEL_OR_SEQUENTIAL((extremum_of("reheat::min_element", exec, first, last, detail::keep_smallest<Less>{less})),
                                (THRUST_NS_QUALIFIER::min_element(THRUST_NS_QUALIFIER::seq, first, last, less)));
}
#endif

#if !(REHEAT_DROPPED_OVERLOADS & 0x80000)
REHEAT_EXEC_CHECK_DISABLE
template <class Derived, class InputIt>
REHEAT_HOST_DEVICE InputIt max_element(execution_policy<Derived>& exec, InputIt first, InputIt last)
{
  using less = ::cuda::std::less<detail::value_of<InputIt>>;
  REHEAT_PARALLEL_OR_SEQUENTIAL((extremum_of("reheat::max_element", exec, first, last, detail::keep_largest<less>{less{}})),
                                (THRUST_NS_QUALIFIER::max_element(THRUST_NS_QUALIFIER::seq, first, last)));
}
#endif

#if !(REHEAT_DROPPED_OVERLOADS & 0x100000)
REHEAT_EXEC_CHECK_DISABLE
template <class Derived, class InputIt, class Less>
REHEAT_HOST_DEVICE InputIt max_element(execution_policy<Derived>& exec, InputIt first, InputIt last, Less less)
{
  REHEAT_PARALLEL_OR_SEQUENTIAL((extremum_of("reheat::max_element", exec, first, last, detail::keep_largest<Less>{less})),
                                (THRUST_NS_QUALIFIER::max_element(THRUST_NS_QUALIFIER::seq, first, last, less)));
}
#endif

#if !(REHEAT_DROPPED_OVERLOADS & 0x200000)
REHEAT_EXEC_CHECK_DISABLE
template <class Derived, class InputIt>
REHEAT_HOST_DEVICE ::cuda::std::pair<InputIt, InputIt> minmax_element(execution_policy<Derived>& exec, InputIt first,
                                                                      InputIt last)
{
  using less = ::cuda::std::less<detail::value_of<InputIt>>;
  REHEAT_PARALLEL_OR_SEQUENTIAL((extrema_of("reheat::minmax_element", exec, first, last, less{})),
                                (THRUST_NS_QUALIFIER::minmax_element(THRUST_NS_QUALIFIER::seq, first, last)));
}
#endif

#if !(REHEAT_DROPPED_OVERLOADS & 0x400000)
REHEAT_EXEC_CHECK_DISABLE
template <class Derived, class InputIt, class Less>
REHEAT_HOST_DEVICE ::cuda::std::pair<InputIt, InputIt> minmax_element(execution_policy<Derived>& exec, InputIt first,
                                                                      InputIt last, Less less)
{
  REHEAT_PARALLEL_OR_SEQUENTIAL((extrema_of("reheat::minmax_element", exec, first, last, less)),
                                (THRUST_NS_QUALIFIER::minmax_element(THRUST_NS_QUALIFIER::seq, first, last, less)));
}
#endif

} // namespace thrust_backend
REHEAT_NAMESPACE_END

// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! `thrust::min_element`, `thrust::max_element` and `thrust::minmax_element` for reheat's policies.
//!
//! Of equivalent items the first is found, by all three, as by Thrust's CUDA backend (std::minmax_element takes the last of
//! the largest). An empty range gives its end, a negative one throws std::runtime_error. Both extrema take one pass. The
//! call waits for its stream, whatever the policy.
#pragma once

#include <reheat/detail/algorithms/extrema.cuh>
#include <reheat/detail/config.cuh>
#include <reheat/detail/reduce/extremum.cuh>
#include <reheat/detail/thread/items.cuh>
#include <reheat/thrust_backend/environment.cuh>
#include <reheat/thrust_backend/pass_on.cuh>
#include <reheat/thrust_backend/policy.cuh>

#include <thrust/extrema.h>

#include <cuda/std/functional>
#include <cuda/std/utility>

#include <cstdint>

REHEAT_NAMESPACE_BEGIN
namespace thrust_backend
{

namespace calls
{

template <class Derived, class InputIt, class Keep>
InputIt extremum(runtime::algorithm which, execution_policy<Derived>& exec, InputIt first, InputIt last, Keep keep)
{
  const auto env = environment_of(which, exec);
  const std::uint64_t items = items_of(env, first, last);
  return items == 0 ? last : advanced(first, algorithms::extremum(env, first, items, keep));
}

template <class Derived, class InputIt, class Less>
::cuda::std::pair<InputIt, InputIt> extrema(runtime::algorithm which, execution_policy<Derived>& exec, InputIt first,
                                            InputIt last, Less less)
{
  const auto env = environment_of(which, exec);
  const std::uint64_t items = items_of(env, first, last);
  if (items == 0)
  {
    return {last, last};
  }
  const detail::extrema_indices found = algorithms::extrema(env, first, items, less);
  return {advanced(first, found.smallest), advanced(first, found.largest)};
}

} // namespace calls

REHEAT_EXEC_CHECK_DISABLE
template <class Derived, class InputIt>
REHEAT_HOST_DEVICE InputIt min_element(execution_policy<Derived>& exec, InputIt first, InputIt last)
{
  using less = ::cuda::std::less<detail::value_of<InputIt>>;
  REHEAT_ACCELERATED(
      (calls::extremum(runtime::algorithm::min_element, exec, first, last, detail::keep_smallest<less>{less{}})),
      min_element, first, last);
}

REHEAT_EXEC_CHECK_DISABLE
template <class Derived, class InputIt, class Less>
REHEAT_HOST_DEVICE InputIt min_element(execution_policy<Derived>& exec, InputIt first, InputIt last, Less less)
{
  REHEAT_ACCELERATED(
      (calls::extremum(runtime::algorithm::min_element, exec, first, last, detail::keep_smallest<Less>{less})), min_element,
      first, last, less);
}

REHEAT_EXEC_CHECK_DISABLE
template <class Derived, class InputIt>
REHEAT_HOST_DEVICE InputIt max_element(execution_policy<Derived>& exec, InputIt first, InputIt last)
{
  using less = ::cuda::std::less<detail::value_of<InputIt>>;
  REHEAT_ACCELERATED(
      (calls::extremum(runtime::algorithm::max_element, exec, first, last, detail::keep_largest<less>{less{}})), max_element,
      first, last);
}

REHEAT_EXEC_CHECK_DISABLE
template <class Derived, class InputIt, class Less>
REHEAT_HOST_DEVICE InputIt max_element(execution_policy<Derived>& exec, InputIt first, InputIt last, Less less)
{
  REHEAT_ACCELERATED((calls::extremum(runtime::algorithm::max_element, exec, first, last, detail::keep_largest<Less>{less})),
                     max_element, first, last, less);
}

REHEAT_EXEC_CHECK_DISABLE
template <class Derived, class InputIt>
REHEAT_HOST_DEVICE ::cuda::std::pair<InputIt, InputIt> minmax_element(execution_policy<Derived>& exec, InputIt first,
                                                                      InputIt last)
{
  using less = ::cuda::std::less<detail::value_of<InputIt>>;
  REHEAT_ACCELERATED((calls::extrema(runtime::algorithm::minmax_element, exec, first, last, less{})), minmax_element, first,
                     last);
}

REHEAT_EXEC_CHECK_DISABLE
template <class Derived, class InputIt, class Less>
REHEAT_HOST_DEVICE ::cuda::std::pair<InputIt, InputIt> minmax_element(execution_policy<Derived>& exec, InputIt first,
                                                                      InputIt last, Less less)
{
  REHEAT_ACCELERATED((calls::extrema(runtime::algorithm::minmax_element, exec, first, last, less)), minmax_element, first,
                     last, less);
}

} // namespace thrust_backend
REHEAT_NAMESPACE_END

// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! `thrust::count` and `thrust::count_if` for reheat's policies.
//!
//! The result is the iterator's difference type. A negative range throws std::runtime_error. The call waits for its stream,
//! whatever the policy.
#pragma once

#include <reheat/detail/algorithms/count.cuh>
#include <reheat/detail/config.cuh>
#include <reheat/detail/thread/items.cuh>
#include <reheat/thrust_backend/environment.cuh>
#include <reheat/thrust_backend/equals.cuh>
#include <reheat/thrust_backend/pass_on.cuh>
#include <reheat/thrust_backend/policy.cuh>

#include <thrust/count.h>

REHEAT_NAMESPACE_BEGIN
namespace thrust_backend
{
namespace calls
{

template <class Derived, class InputIt, class Predicate>
detail::distance_of<InputIt> count_if(runtime::algorithm which, execution_policy<Derived>& exec, InputIt first, InputIt last,
                                      Predicate predicate)
{
  const auto env = environment_of(which, exec);
  return algorithms::count_if<detail::distance_of<InputIt>>(env, first, items_of(env, first, last), predicate);
}

} // namespace calls

REHEAT_EXEC_CHECK_DISABLE
template <class Derived, class InputIt, class T>
REHEAT_HOST_DEVICE detail::distance_of<InputIt> count(execution_policy<Derived>& exec, InputIt first, InputIt last,
                                                      const T& value)
{
  REHEAT_ACCELERATED((calls::count_if(runtime::algorithm::count, exec, first, last, calls::equals<T>{value})), count, first,
                     last, value);
}

REHEAT_EXEC_CHECK_DISABLE
template <class Derived, class InputIt, class Predicate>
REHEAT_HOST_DEVICE detail::distance_of<InputIt> count_if(execution_policy<Derived>& exec, InputIt first, InputIt last,
                                                         Predicate predicate)
{
  REHEAT_ACCELERATED((calls::count_if(runtime::algorithm::count_if, exec, first, last, predicate)), count_if, first, last,
                     predicate);
}

} // namespace thrust_backend
REHEAT_NAMESPACE_END

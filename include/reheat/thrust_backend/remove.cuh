// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! `thrust::remove`, `thrust::remove_if`, `thrust::remove_copy` and `thrust::remove_copy_if` for reheat's policies.
//!
//! The items that remain are those that copy_if would copy with the opposite predicate, and what copy_if.cuh promises holds
//! here. `remove` and `remove_if` leave them at the beginning of their range. What stands behind them then is what stood
//! there before. A stencil of `remove_if` does not overlap the range.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/select/selection.cuh>
#include <reheat/thrust_backend/copy_if.cuh>
#include <reheat/thrust_backend/environment.cuh>
#include <reheat/thrust_backend/equals.cuh>
#include <reheat/thrust_backend/pass_on.cuh>
#include <reheat/thrust_backend/policy.cuh>

#include <thrust/remove.h>

REHEAT_NAMESPACE_BEGIN
namespace thrust_backend
{

namespace calls
{

template <class Predicate>
detail::rejected_by<Predicate> rejected(Predicate predicate)
{
  return {predicate};
}

} // namespace calls

REHEAT_EXEC_CHECK_DISABLE
template <class Derived, class InputIt, class T>
REHEAT_HOST_DEVICE InputIt remove(execution_policy<Derived>& exec, InputIt first, InputIt last, const T& value)
{
  REHEAT_ACCELERATED((calls::select(runtime::algorithm::remove, exec, first, last, detail::no_stencil{}, first,
                                    calls::rejected(calls::equals<T>{value}))),
                     remove, first, last, value);
}

REHEAT_EXEC_CHECK_DISABLE
template <class Derived, class InputIt, class Predicate>
REHEAT_HOST_DEVICE InputIt remove_if(execution_policy<Derived>& exec, InputIt first, InputIt last, Predicate predicate)
{
  REHEAT_ACCELERATED((calls::select(runtime::algorithm::remove_if, exec, first, last, detail::no_stencil{}, first,
                                    calls::rejected(predicate))),
                     remove_if, first, last, predicate);
}

REHEAT_EXEC_CHECK_DISABLE
template <class Derived, class InputIt, class StencilIt, class Predicate>
REHEAT_HOST_DEVICE InputIt remove_if(execution_policy<Derived>& exec, InputIt first, InputIt last, StencilIt stencil,
                                     Predicate predicate)
{
  REHEAT_ACCELERATED(
      (calls::select(runtime::algorithm::remove_if, exec, first, last, stencil, first, calls::rejected(predicate))),
      remove_if, first, last, stencil, predicate);
}

REHEAT_EXEC_CHECK_DISABLE
template <class Derived, class InputIt, class OutputIt, class T>
REHEAT_HOST_DEVICE OutputIt remove_copy(execution_policy<Derived>& exec, InputIt first, InputIt last, OutputIt result,
                                        const T& value)
{
  REHEAT_ACCELERATED((calls::select(runtime::algorithm::remove_copy, exec, first, last, detail::no_stencil{}, result,
                                    calls::rejected(calls::equals<T>{value}))),
                     remove_copy, first, last, result, value);
}

REHEAT_EXEC_CHECK_DISABLE
template <class Derived, class InputIt, class OutputIt, class Predicate>
REHEAT_HOST_DEVICE OutputIt remove_copy_if(execution_policy<Derived>& exec, InputIt first, InputIt last, OutputIt result,
                                           Predicate predicate)
{
  REHEAT_ACCELERATED((calls::select(runtime::algorithm::remove_copy_if, exec, first, last, detail::no_stencil{}, result,
                                    calls::rejected(predicate))),
                     remove_copy_if, first, last, result, predicate);
}

REHEAT_EXEC_CHECK_DISABLE
template <class Derived, class InputIt, class StencilIt, class OutputIt, class Predicate>
REHEAT_HOST_DEVICE OutputIt remove_copy_if(execution_policy<Derived>& exec, InputIt first, InputIt last, StencilIt stencil,
                                           OutputIt result, Predicate predicate)
{
  REHEAT_ACCELERATED(
      (calls::select(runtime::algorithm::remove_copy_if, exec, first, last, stencil, result, calls::rejected(predicate))),
      remove_copy_if, first, last, stencil, result, predicate);
}

} // namespace thrust_backend
REHEAT_NAMESPACE_END

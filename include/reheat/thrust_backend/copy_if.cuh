// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! `thrust::copy_if` for reheat's policies.
//!
//! Copies the items that the predicate selects, in their order, and returns the end of the copies. With a stencil, the
//! predicate is asked about the stencil's items instead. It is asked once about each, and each item of an input is read
//! once. Nothing behind the copies is written. The output may begin where the input begins; otherwise it overlaps no input.
//! A range that ends before it begins has no items. The call waits for its stream, whatever the policy.
#pragma once

#include <reheat/detail/algorithms/select.cuh>
#include <reheat/detail/config.cuh>
#include <reheat/detail/select/selection.cuh>
#include <reheat/thrust_backend/environment.cuh>
#include <reheat/thrust_backend/pass_on.cuh>
#include <reheat/thrust_backend/policy.cuh>

#include <thrust/copy.h>

#include <cstdint>

REHEAT_NAMESPACE_BEGIN
namespace thrust_backend
{

namespace calls
{

//! Of a selection with or without a stencil.
template <class Derived, class InputIt, class StencilIt, class OutputIt, class Predicate>
OutputIt select(runtime::algorithm which, execution_policy<Derived>& exec, InputIt first, InputIt last, StencilIt stencil,
                OutputIt result, Predicate predicate)
{
  const std::uint64_t items = items_or_none(first, last);
  if (items == 0)
  {
    return result;
  }
  return advanced(result, algorithms::select(environment_of(which, exec), first, stencil, result, items, predicate));
}

} // namespace calls

REHEAT_EXEC_CHECK_DISABLE
template <class Derived, class InputIt, class OutputIt, class Predicate>
REHEAT_HOST_DEVICE OutputIt copy_if(execution_policy<Derived>& exec, InputIt first, InputIt last, OutputIt result,
                                    Predicate predicate)
{
  REHEAT_ACCELERATED(
      (calls::select(runtime::algorithm::copy_if, exec, first, last, detail::no_stencil{}, result, predicate)), copy_if,
      first, last, result, predicate);
}

REHEAT_EXEC_CHECK_DISABLE
template <class Derived, class InputIt, class StencilIt, class OutputIt, class Predicate>
REHEAT_HOST_DEVICE OutputIt copy_if(execution_policy<Derived>& exec, InputIt first, InputIt last, StencilIt stencil,
                                    OutputIt result, Predicate predicate)
{
  REHEAT_ACCELERATED((calls::select(runtime::algorithm::copy_if, exec, first, last, stencil, result, predicate)), copy_if,
                     first, last, stencil, result, predicate);
}

} // namespace thrust_backend
REHEAT_NAMESPACE_END

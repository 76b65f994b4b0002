// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! `thrust::unique`, `thrust::unique_copy`, `thrust::unique_by_key`, `thrust::unique_by_key_copy` and `thrust::unique_count`
//! for reheat's policies.
//!
//! A run is a row of neighbours in which the predicate holds for each item and the next, in this order. Without a predicate
//! equal items are a run. The first item of each run is kept, in order: the one for which the predicate does not hold with
//! the item before it in the input. It is asked once about each two neighbours. By key, keys make the runs, and the value at
//! the place of each kept key is kept. Nothing behind what is kept is written. `unique` and `unique_by_key` keep it at the
//! beginning of their ranges; what stands behind it then is what stood there before. The outputs of the others may begin
//! where their inputs begin, too; otherwise they overlap no input. A range that ends before it begins has no items. A call
//! waits for its stream, whatever the policy.
//!
//! Each item and value is read once, and the last item of a tile once more. (unique_count reads one item of each
//! vector twice.)
#pragma once

#include <reheat/detail/algorithms/unique.cuh>
#include <reheat/detail/config.cuh>
#include <reheat/detail/select/run_starts.cuh>
#include <reheat/detail/thread/items.cuh>
#include <reheat/thrust_backend/environment.cuh>
#include <reheat/thrust_backend/pass_on.cuh>
#include <reheat/thrust_backend/policy.cuh>

#include <thrust/unique.h>

#include <cuda/std/functional>
#include <cuda/std/utility>

#include <cstdint>

REHEAT_NAMESPACE_BEGIN
namespace thrust_backend
{

namespace calls
{

template <class It>
using equal_items = ::cuda::std::equal_to<detail::value_of<It>>;

template <class Derived, class InputIt, class OutputIt, class Equal>
OutputIt unique(runtime::algorithm which, execution_policy<Derived>& exec, InputIt first, InputIt last, OutputIt result,
                Equal equal)
{
  const std::uint64_t items = items_or_none(first, last);
  if (items == 0)
  {
    return result;
  }
  const bool in_place = which == runtime::algorithm::unique;
  return advanced(result, algorithms::unique(environment_of(which, exec), first, detail::no_values{}, result,
                                             detail::no_values{}, items, equal, in_place));
}

template <class Derived, class KeyIt, class ValueIt, class KeyOutputIt, class ValueOutputIt, class Equal>
::cuda::std::pair<KeyOutputIt, ValueOutputIt> unique_by_key(runtime::algorithm which, execution_policy<Derived>& exec,
                                                            KeyIt first, KeyIt last, ValueIt values, KeyOutputIt keys_result,
                                                            ValueOutputIt values_result, Equal equal)
{
  const std::uint64_t items = items_or_none(first, last);
  if (items == 0)
  {
    return {keys_result, values_result};
  }
  const bool in_place = which == runtime::algorithm::unique_by_key;
  const std::uint64_t runs =
      algorithms::unique(environment_of(which, exec), first, values, keys_result, values_result, items, equal, in_place);
  return {advanced(keys_result, runs), advanced(values_result, runs)};
}

template <class Derived, class It, class Equal>
detail::distance_of<It> unique_count(runtime::algorithm which, execution_policy<Derived>& exec, It first, It last,
                                     Equal equal)
{
  const std::uint64_t items = items_or_none(first, last);
  return items == 0 ? 0
                    : static_cast<detail::distance_of<It>>(
                          algorithms::unique_count(environment_of(which, exec), first, items, equal));
}

} // namespace calls

REHEAT_EXEC_CHECK_DISABLE
template <class Derived, class It>
REHEAT_HOST_DEVICE It unique(execution_policy<Derived>& exec, It first, It last)
{
  REHEAT_ACCELERATED((calls::unique(runtime::algorithm::unique, exec, first, last, first, calls::equal_items<It>{})), unique,
                     first, last);
}
REHEAT_EXEC_CHECK_DISABLE
template <class Derived, class It, class Equal>
REHEAT_HOST_DEVICE It unique(execution_policy<Derived>& exec, It first, It last, Equal equal)
{
  REHEAT_ACCELERATED((calls::unique(runtime::algorithm::unique, exec, first, last, first, equal)), unique, first, last,
                     equal);
}

REHEAT_EXEC_CHECK_DISABLE
template <class Derived, class InputIt, class OutputIt>
REHEAT_HOST_DEVICE OutputIt unique_copy(execution_policy<Derived>& exec, InputIt first, InputIt last, OutputIt result)
{
  REHEAT_ACCELERATED(
      (calls::unique(runtime::algorithm::unique_copy, exec, first, last, result, calls::equal_items<InputIt>{})),
      unique_copy, first, last, result);
}
REHEAT_EXEC_CHECK_DISABLE
template <class Derived, class InputIt, class OutputIt, class Equal>
REHEAT_HOST_DEVICE OutputIt unique_copy(execution_policy<Derived>& exec, InputIt first, InputIt last, OutputIt result,
                                        Equal equal)
{
  REHEAT_ACCELERATED((calls::unique(runtime::algorithm::unique_copy, exec, first, last, result, equal)), unique_copy, first,
                     last, result, equal);
}

REHEAT_EXEC_CHECK_DISABLE
template <class Derived, class KeyIt, class ValueIt>
REHEAT_HOST_DEVICE ::cuda::std::pair<KeyIt, ValueIt> unique_by_key(execution_policy<Derived>& exec, KeyIt first, KeyIt last,
                                                                   ValueIt values)
{
  REHEAT_ACCELERATED((calls::unique_by_key(runtime::algorithm::unique_by_key, exec, first, last, values, first, values,
                                           calls::equal_items<KeyIt>{})),
                     unique_by_key, first, last, values);
}
REHEAT_EXEC_CHECK_DISABLE
template <class Derived, class KeyIt, class ValueIt, class Equal>
REHEAT_HOST_DEVICE ::cuda::std::pair<KeyIt, ValueIt> unique_by_key(execution_policy<Derived>& exec, KeyIt first, KeyIt last,
                                                                   ValueIt values, Equal equal)
{
  REHEAT_ACCELERATED(
      (calls::unique_by_key(runtime::algorithm::unique_by_key, exec, first, last, values, first, values, equal)),
      unique_by_key, first, last, values, equal);
}

REHEAT_EXEC_CHECK_DISABLE
template <class Derived, class KeyIt, class ValueIt, class KeyOutputIt, class ValueOutputIt>
REHEAT_HOST_DEVICE ::cuda::std::pair<KeyOutputIt, ValueOutputIt>
unique_by_key_copy(execution_policy<Derived>& exec, KeyIt first, KeyIt last, ValueIt values, KeyOutputIt keys_result,
                   ValueOutputIt values_result)
{
  REHEAT_ACCELERATED((calls::unique_by_key(runtime::algorithm::unique_by_key_copy, exec, first, last, values, keys_result,
                                           values_result, calls::equal_items<KeyIt>{})),
                     unique_by_key_copy, first, last, values, keys_result, values_result);
}
REHEAT_EXEC_CHECK_DISABLE
template <class Derived, class KeyIt, class ValueIt, class KeyOutputIt, class ValueOutputIt, class Equal>
REHEAT_HOST_DEVICE ::cuda::std::pair<KeyOutputIt, ValueOutputIt>
unique_by_key_copy(execution_policy<Derived>& exec, KeyIt first, KeyIt last, ValueIt values, KeyOutputIt keys_result,
                   ValueOutputIt values_result, Equal equal)
{
  REHEAT_ACCELERATED((calls::unique_by_key(runtime::algorithm::unique_by_key_copy, exec, first, last, values, keys_result,
                                           values_result, equal)),
                     unique_by_key_copy, first, last, values, keys_result, values_result, equal);
}

REHEAT_EXEC_CHECK_DISABLE
template <class Derived, class It>
REHEAT_HOST_DEVICE detail::distance_of<It> unique_count(execution_policy<Derived>& exec, It first, It last)
{
  REHEAT_ACCELERATED((calls::unique_count(runtime::algorithm::unique_count, exec, first, last, calls::equal_items<It>{})),
                     unique_count, first, last);
}
REHEAT_EXEC_CHECK_DISABLE
template <class Derived, class It, class Equal>
REHEAT_HOST_DEVICE detail::distance_of<It> unique_count(execution_policy<Derived>& exec, It first, It last, Equal equal)
{
  REHEAT_ACCELERATED((calls::unique_count(runtime::algorithm::unique_count, exec, first, last, equal)), unique_count, first,
                     last, equal);
}

} // namespace thrust_backend
REHEAT_NAMESPACE_END

// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! `thrust::find`, `find_if`, `find_if_not`, `mismatch`, `equal`, `is_sorted`, `is_sorted_until`, `is_partitioned` and
//! `partition_point` for reheat's policies.
//!
//! One launch each, which stops early. Predicates may be called for items behind the one that is found, and those of
//! is_partitioned twice for an item; nothing is read behind the end. partition_point looks at some items only, and relies on
//! the range being partitioned. A range that is empty, or ends before it begins, gives its end, and is equal, sorted and
//! partitioned, at once. Otherwise the call waits for its result, whatever the policy.
#pragma once

#include <reheat/detail/algorithms/search.cuh>
#include <reheat/detail/config.cuh>
#include <reheat/detail/thread/items.cuh>
#include <reheat/thrust_backend/environment.cuh>
#include <reheat/thrust_backend/equals.cuh>
#include <reheat/thrust_backend/pass_on.cuh>
#include <reheat/thrust_backend/policy.cuh>

#include <thrust/equal.h>
#include <thrust/find.h>
#include <thrust/mismatch.h>
#include <thrust/partition.h>
#include <thrust/sort.h>

#include <cuda/std/functional>
#include <cuda/std/utility>

#include <cstdint>

REHEAT_NAMESPACE_BEGIN
namespace thrust_backend
{

namespace calls
{

//! Whether two items are equal as Thrust compares them: as items of the first range.
template <class It>
using equal_items = ::cuda::std::equal_to<detail::value_of<It>>;
template <class It>
using less_items = ::cuda::std::less<detail::value_of<It>>;

//! The place that `search(env, items)` returns, in [first, last).
template <class Derived, class InputIt, class Search>
InputIt place_of(runtime::algorithm which, execution_policy<Derived>& exec, InputIt first, InputIt last, Search search)
{
  const std::uint64_t items = items_or_none(first, last);
  return items == 0 ? last : advanced(first, search(environment_of(which, exec), items));
}

template <bool Wanted, class Derived, class InputIt, class Predicate>
InputIt find_if(runtime::algorithm which, execution_policy<Derived>& exec, InputIt first, InputIt last, Predicate predicate)
{
  return place_of(which, exec, first, last,
                  [&](const auto& env, std::uint64_t items)
                  { return algorithms::find_if<Wanted>(env, first, items, predicate); });
}

template <class Derived, class LeftIt, class RightIt, class Predicate>
std::uint64_t mismatch_index(runtime::algorithm which, execution_policy<Derived>& exec, LeftIt first, RightIt other,
                             std::uint64_t items, Predicate predicate)
{
  return algorithms::mismatch(environment_of(which, exec), first, other, items, predicate);
}

template <class Derived, class LeftIt, class RightIt, class Predicate>
::cuda::std::pair<LeftIt, RightIt> mismatch(execution_policy<Derived>& exec, LeftIt first, LeftIt last, RightIt other,
                                            Predicate predicate)
{
  const std::uint64_t items = items_or_none(first, last);
  if (items == 0)
  {
    return {last, other + (last - first)}; // also if the range ends before it begins
  }
  const std::uint64_t found = mismatch_index(runtime::algorithm::mismatch, exec, first, other, items, predicate);
  return {advanced(first, found), advanced(other, found)};
}

//! Behind as many items as the shorter of two ranges has.
template <class LeftIt, class RightIt>
LeftIt end_of_shorter(LeftIt first, LeftIt last, RightIt other, RightIt other_last)
{
  const std::uint64_t items = items_or_none(first, last), others = items_or_none(other, other_last);
  return advanced(first, items < others ? items : others);
}

template <class Derived, class LeftIt, class RightIt, class Predicate>
bool equal(execution_policy<Derived>& exec, LeftIt first, LeftIt last, RightIt other, Predicate predicate)
{
  const std::uint64_t items = items_or_none(first, last);
  return mismatch_index(runtime::algorithm::equal, exec, first, other, items, predicate) == items;
}

template <class Derived, class InputIt, class Less>
bool is_sorted(execution_policy<Derived>& exec, InputIt first, InputIt last, Less less)
{
  const std::uint64_t items = items_or_none(first, last);
  return algorithms::is_sorted_until(environment_of(runtime::algorithm::is_sorted, exec), first, items, less) == items;
}

template <class Derived, class InputIt, class Less>
InputIt is_sorted_until(execution_policy<Derived>& exec, InputIt first, InputIt last, Less less)
{
  return place_of(runtime::algorithm::is_sorted_until, exec, first, last,
                  [&](const auto& env, std::uint64_t items)
                  { return algorithms::is_sorted_until(env, first, items, less); });
}

template <class Derived, class InputIt, class Predicate>
bool is_partitioned(execution_policy<Derived>& exec, InputIt first, InputIt last, Predicate predicate)
{
  return algorithms::is_partitioned(environment_of(runtime::algorithm::is_partitioned, exec), first,
                                    items_or_none(first, last), predicate);
}

template <class Derived, class InputIt, class Predicate>
InputIt partition_point(execution_policy<Derived>& exec, InputIt first, InputIt last, Predicate predicate)
{
  return place_of(runtime::algorithm::partition_point, exec, first, last,
                  [&](const auto& env, std::uint64_t items)
                  { return algorithms::partition_point(env, first, items, predicate); });
}

} // namespace calls

REHEAT_EXEC_CHECK_DISABLE
template <class Derived, class InputIt, class T>
REHEAT_HOST_DEVICE InputIt find(execution_policy<Derived>& exec, InputIt first, InputIt last, const T& value)
{
  REHEAT_ACCELERATED((calls::find_if<true>(runtime::algorithm::find, exec, first, last, calls::equals<T>{value})), find,
                     first, last, value);
}

REHEAT_EXEC_CHECK_DISABLE
template <class Derived, class InputIt, class Predicate>
REHEAT_HOST_DEVICE InputIt find_if(execution_policy<Derived>& exec, InputIt first, InputIt last, Predicate predicate)
{
  REHEAT_ACCELERATED((calls::find_if<true>(runtime::algorithm::find_if, exec, first, last, predicate)), find_if, first, last,
                     predicate);
}

REHEAT_EXEC_CHECK_DISABLE
template <class Derived, class InputIt, class Predicate>
REHEAT_HOST_DEVICE InputIt find_if_not(execution_policy<Derived>& exec, InputIt first, InputIt last, Predicate predicate)
{
  REHEAT_ACCELERATED((calls::find_if<false>(runtime::algorithm::find_if_not, exec, first, last, predicate)), find_if_not,
                     first, last, predicate);
}

REHEAT_EXEC_CHECK_DISABLE
template <class Derived, class LeftIt, class RightIt>
REHEAT_HOST_DEVICE ::cuda::std::pair<LeftIt, RightIt> mismatch(execution_policy<Derived>& exec, LeftIt first, LeftIt last,
                                                               RightIt other)
{
  REHEAT_ACCELERATED((calls::mismatch(exec, first, last, other, calls::equal_items<LeftIt>{})), mismatch, first, last,
                     other);
}

REHEAT_EXEC_CHECK_DISABLE
template <class Derived, class LeftIt, class RightIt, class Predicate>
REHEAT_HOST_DEVICE ::cuda::std::pair<LeftIt, RightIt> mismatch(execution_policy<Derived>& exec, LeftIt first, LeftIt last,
                                                               RightIt other, Predicate predicate)
{
  REHEAT_ACCELERATED((calls::mismatch(exec, first, last, other, predicate)), mismatch, first, last, other, predicate);
}

// Two ranges with an end each: CCCL 3.4 and newer.
REHEAT_EXEC_CHECK_DISABLE
template <class Derived, class LeftIt, class RightIt>
REHEAT_HOST_DEVICE ::cuda::std::pair<LeftIt, RightIt> mismatch(execution_policy<Derived>& exec, LeftIt first, LeftIt last,
                                                               RightIt other, RightIt other_last)
{
  REHEAT_ACCELERATED((calls::mismatch(exec, first, calls::end_of_shorter(first, last, other, other_last), other,
                                      calls::equal_items<LeftIt>{})),
                     mismatch, first, last, other, other_last);
}

REHEAT_EXEC_CHECK_DISABLE
template <class Derived, class LeftIt, class RightIt, class Predicate>
REHEAT_HOST_DEVICE ::cuda::std::pair<LeftIt, RightIt> mismatch(execution_policy<Derived>& exec, LeftIt first, LeftIt last,
                                                               RightIt other, RightIt other_last, Predicate predicate)
{
  REHEAT_ACCELERATED((calls::mismatch(exec, first, calls::end_of_shorter(first, last, other, other_last), other, predicate)),
                     mismatch, first, last, other, other_last, predicate);
}

REHEAT_EXEC_CHECK_DISABLE
template <class Derived, class LeftIt, class RightIt>
REHEAT_HOST_DEVICE bool equal(execution_policy<Derived>& exec, LeftIt first, LeftIt last, RightIt other)
{
  REHEAT_ACCELERATED((calls::equal(exec, first, last, other, calls::equal_items<LeftIt>{})), equal, first, last, other);
}

REHEAT_EXEC_CHECK_DISABLE
template <class Derived, class LeftIt, class RightIt, class Predicate>
REHEAT_HOST_DEVICE bool equal(execution_policy<Derived>& exec, LeftIt first, LeftIt last, RightIt other, Predicate predicate)
{
  REHEAT_ACCELERATED((calls::equal(exec, first, last, other, predicate)), equal, first, last, other, predicate);
}

REHEAT_EXEC_CHECK_DISABLE
template <class Derived, class InputIt>
REHEAT_HOST_DEVICE bool is_sorted(execution_policy<Derived>& exec, InputIt first, InputIt last)
{
  REHEAT_ACCELERATED((calls::is_sorted(exec, first, last, calls::less_items<InputIt>{})), is_sorted, first, last);
}

REHEAT_EXEC_CHECK_DISABLE
template <class Derived, class InputIt, class Less>
REHEAT_HOST_DEVICE bool is_sorted(execution_policy<Derived>& exec, InputIt first, InputIt last, Less less)
{
  REHEAT_ACCELERATED((calls::is_sorted(exec, first, last, less)), is_sorted, first, last, less);
}

REHEAT_EXEC_CHECK_DISABLE
template <class Derived, class InputIt>
REHEAT_HOST_DEVICE InputIt is_sorted_until(execution_policy<Derived>& exec, InputIt first, InputIt last)
{
  REHEAT_ACCELERATED((calls::is_sorted_until(exec, first, last, calls::less_items<InputIt>{})), is_sorted_until, first,
                     last);
}

REHEAT_EXEC_CHECK_DISABLE
template <class Derived, class InputIt, class Less>
REHEAT_HOST_DEVICE InputIt is_sorted_until(execution_policy<Derived>& exec, InputIt first, InputIt last, Less less)
{
  REHEAT_ACCELERATED((calls::is_sorted_until(exec, first, last, less)), is_sorted_until, first, last, less);
}

REHEAT_EXEC_CHECK_DISABLE
template <class Derived, class InputIt, class Predicate>
REHEAT_HOST_DEVICE bool is_partitioned(execution_policy<Derived>& exec, InputIt first, InputIt last, Predicate predicate)
{
  REHEAT_ACCELERATED((calls::is_partitioned(exec, first, last, predicate)), is_partitioned, first, last, predicate);
}

REHEAT_EXEC_CHECK_DISABLE
template <class Derived, class InputIt, class Predicate>
REHEAT_HOST_DEVICE InputIt partition_point(execution_policy<Derived>& exec, InputIt first, InputIt last, Predicate predicate)
{
  REHEAT_ACCELERATED((calls::partition_point(exec, first, last, predicate)), partition_point, first, last, predicate);
}

} // namespace thrust_backend
REHEAT_NAMESPACE_END

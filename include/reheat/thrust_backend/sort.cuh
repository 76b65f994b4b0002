// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! `thrust::sort`, `thrust::stable_sort`, `thrust::sort_by_key` and `thrust::stable_sort_by_key` for reheat's policies.
//!
//! They are radix sorts, and all of them are stable, where keys are integers, bool or floating-point numbers in memory that
//! Thrust takes for contiguous, and the comparison is `less` or `greater` of Thrust, of libcu++ or of the standard, of the
//! keys' type or of any (or none is given: `less`). Of floating-point numbers -0.0 and +0.0 count as equal; a NaN stands
//! behind all numbers, or in front of all if its sign bit is set. Other calls are Thrust's.
//!
//! Values are of any type, in a range of any kind. Values in memory of 1, 2, 4, 8 or 16 bytes that are copyable by their
//! bytes move with their keys. Of others, the numbers of their places are sorted with the keys; each value is then copied to
//! scratch memory and assigned to its place. An address of values that is no multiple of their size has the same effect.
//!
//! A call needs scratch memory for all keys and values, which goes back at the end: from the policy's allocator; without one
//! from the library's pool, or as Thrust's algorithms on the policy take theirs if the pool keeps less. If there is none,
//! the call throws and the range stays as it is. A call waits for its stream if its policy does, but for a range without
//! items, also one that ends before it begins: such a call returns at once. `par_nosync` can be captured into a graph.
#pragma once

#include <reheat/detail/algorithms/sort.cuh>
#include <reheat/detail/algorithms/sort_values.cuh>
#include <reheat/detail/config.cuh>
#include <reheat/detail/operators.cuh>
#include <reheat/detail/thread/items.cuh>
#include <reheat/thrust_backend/environment.cuh>
#include <reheat/thrust_backend/machine.cuh>
#include <reheat/thrust_backend/pass_on.cuh>
#include <reheat/thrust_backend/policy.cuh>

#include <thrust/sort.h>

#include <cuda/std/functional>

#include <cstdint>
#include <type_traits>
#include <utility>

REHEAT_NAMESPACE_BEGIN
namespace thrust_backend
{

namespace calls
{

#if REHEAT_THRUST_HAS_FUNCTORS
template <class It>
using ascending = THRUST_NS_QUALIFIER::less<detail::value_of<It>>;
#else
template <class It>
using ascending = ::cuda::std::less<detail::value_of<It>>;
#endif

//! A comparison that Thrust does not know.
template <class Compare>
struct unknown_comparison
{
  Compare compare;
  REHEAT_EXEC_CHECK_DISABLE
  template <class Key>
  REHEAT_HOST_DEVICE bool operator()(const Key& x, const Key& y) const
  {
    return compare(x, y);
  }
};
//! What calls that Thrust runs compare by. Its sort for one thread does not compile for integers of 16 bytes, unless it has
//! to sort by comparing.
template <class It, class Compare>
REHEAT_HOST_DEVICE auto for_thrust(Compare compare)
{
  if constexpr (sizeof(detail::value_of<It>) == 16)
  {
    return unknown_comparison<Compare>{compare};
  }
  else
  {
    return compare;
  }
}

//! Whether the iterators are those of keys in memory that a radix sort sorts as the comparison does.
template <class KeyIt, class Compare>
constexpr bool sorts_by_radix()
{
  if constexpr (THRUST_NS_QUALIFIER::is_contiguous_iterator<KeyIt>::value)
  {
    using key = detail::value_of<KeyIt>;
    constexpr detail::operator_kind kind = detail::kind_on_v<Compare, key>;
    return std::is_same_v<decltype(unwrap_contiguous::unwrap(std::declval<KeyIt>())), key*> &&
           detail::sort_key<key>::exists && (kind == detail::operator_kind::less || kind == detail::operator_kind::greater);
  }
  else
  {
    return false;
  }
}
//! SFINAE: Thrust's overloads take all others.
template <class KeyIt, class Compare>
using if_radix = std::enable_if_t<sorts_by_radix<KeyIt, Compare>(), int>;

template <class Compare, class Key>
inline constexpr detail::sort_order order_by_v =
    detail::kind_on_v<Compare, Key> == detail::operator_kind::less ? detail::sort_order::ascending
                                                                   : detail::sort_order::descending;

template <class Compare, class Derived, class KeyIt>
void sort(runtime::algorithm which, execution_policy<Derived>& exec, KeyIt first, KeyIt last)
{
  using key = detail::value_of<KeyIt>;
  const std::uint64_t items = items_or_none(first, last);
  if (items != 0)
  {
    with_memory_for_items(which, exec, items, sizeof(key),
                          [&](const auto& env)
                          {
                            algorithms::sort(env, detail::unwrap(env, first), static_cast<detail::no_values*>(nullptr),
                                             items, order_by_v<Compare, key>);
                          });
  }
}

template <class Compare, class Derived, class KeyIt, class ValueIt>
void sort_by_key(runtime::algorithm which, execution_policy<Derived>& exec, KeyIt first, KeyIt last, ValueIt values)
{
  using key = detail::value_of<KeyIt>;
  const std::uint64_t items = items_or_none(first, last);
  if (items != 0)
  {
    with_memory_for_items(
        which, exec, items, sizeof(key) + sizeof(detail::value_of<ValueIt>),
        [&](const auto& env)
        { algorithms::sort_by_key(env, detail::unwrap(env, first), values, items, order_by_v<Compare, key>); });
  }
}

} // namespace calls

REHEAT_EXEC_CHECK_DISABLE
template <class Derived, class It, calls::if_radix<It, calls::ascending<It>> = 0>
REHEAT_HOST_DEVICE void sort(execution_policy<Derived>& exec, It first, It last)
{
  REHEAT_ACCELERATED((calls::sort<calls::ascending<It>>(runtime::algorithm::sort, exec, first, last)), sort, first, last,
                     calls::for_thrust<It>(calls::ascending<It>()));
}
REHEAT_EXEC_CHECK_DISABLE
template <class Derived, class It, class Compare, calls::if_radix<It, Compare> = 0>
REHEAT_HOST_DEVICE void sort(execution_policy<Derived>& exec, It first, It last, [[maybe_unused]] Compare compare)
{
  REHEAT_ACCELERATED((calls::sort<Compare>(runtime::algorithm::sort, exec, first, last)), sort, first, last,
                     calls::for_thrust<It>(compare));
}

REHEAT_EXEC_CHECK_DISABLE
template <class Derived, class It, calls::if_radix<It, calls::ascending<It>> = 0>
REHEAT_HOST_DEVICE void stable_sort(execution_policy<Derived>& exec, It first, It last)
{
  REHEAT_ACCELERATED((calls::sort<calls::ascending<It>>(runtime::algorithm::stable_sort, exec, first, last)), stable_sort,
                     first, last, calls::for_thrust<It>(calls::ascending<It>()));
}
REHEAT_EXEC_CHECK_DISABLE
template <class Derived, class It, class Compare, calls::if_radix<It, Compare> = 0>
REHEAT_HOST_DEVICE void stable_sort(execution_policy<Derived>& exec, It first, It last, [[maybe_unused]] Compare compare)
{
  REHEAT_ACCELERATED((calls::sort<Compare>(runtime::algorithm::stable_sort, exec, first, last)), stable_sort, first, last,
                     calls::for_thrust<It>(compare));
}

REHEAT_EXEC_CHECK_DISABLE
template <class Derived, class KeyIt, class ValueIt, calls::if_radix<KeyIt, calls::ascending<KeyIt>> = 0>
REHEAT_HOST_DEVICE void sort_by_key(execution_policy<Derived>& exec, KeyIt first, KeyIt last, ValueIt values)
{
  REHEAT_ACCELERATED(
      (calls::sort_by_key<calls::ascending<KeyIt>>(runtime::algorithm::sort_by_key, exec, first, last, values)), sort_by_key,
      first, last, values, calls::for_thrust<KeyIt>(calls::ascending<KeyIt>()));
}
REHEAT_EXEC_CHECK_DISABLE
template <class Derived, class KeyIt, class ValueIt, class Compare, calls::if_radix<KeyIt, Compare> = 0>
REHEAT_HOST_DEVICE void sort_by_key(execution_policy<Derived>& exec, KeyIt first, KeyIt last, ValueIt values,
                                    [[maybe_unused]] Compare compare)
{
  REHEAT_ACCELERATED((calls::sort_by_key<Compare>(runtime::algorithm::sort_by_key, exec, first, last, values)), sort_by_key,
                     first, last, values, calls::for_thrust<KeyIt>(compare));
}

REHEAT_EXEC_CHECK_DISABLE
template <class Derived, class KeyIt, class ValueIt, calls::if_radix<KeyIt, calls::ascending<KeyIt>> = 0>
REHEAT_HOST_DEVICE void stable_sort_by_key(execution_policy<Derived>& exec, KeyIt first, KeyIt last, ValueIt values)
{
  REHEAT_ACCELERATED(
      (calls::sort_by_key<calls::ascending<KeyIt>>(runtime::algorithm::stable_sort_by_key, exec, first, last, values)),
      stable_sort_by_key, first, last, values, calls::for_thrust<KeyIt>(calls::ascending<KeyIt>()));
}
REHEAT_EXEC_CHECK_DISABLE
template <class Derived, class KeyIt, class ValueIt, class Compare, calls::if_radix<KeyIt, Compare> = 0>
REHEAT_HOST_DEVICE void stable_sort_by_key(execution_policy<Derived>& exec, KeyIt first, KeyIt last, ValueIt values,
                                           [[maybe_unused]] Compare compare)
{
  REHEAT_ACCELERATED((calls::sort_by_key<Compare>(runtime::algorithm::stable_sort_by_key, exec, first, last, values)),
                     stable_sort_by_key, first, last, values, calls::for_thrust<KeyIt>(compare));
}

} // namespace thrust_backend
REHEAT_NAMESPACE_END

// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! `thrust::count` and `thrust::count_if` for our policies.
//!
//! The result is the iterator's difference type. A negative range throws std::runtime_error. The call waits for its stream,
//! whatever the policy.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/operators.cuh>
#include <reheat/thrust_backend/call.cuh>
#include <reheat/thrust_backend/policy.cuh>

#include <thrust/count.h>

#include <cuda/std/functional>

#include <cstdint>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

//! The sum of hits, which a thread counts in 32 bits within a tile.
struct add_hits
{
  template <class Number>
  REHEAT_DEVICE Number operator()(Number x, Number y) const
  {
    return x + y;
  }
};
template <class Number>
inline constexpr bool is_own_commutative_v<add_hits, Number> = true;
template <class Number>
struct thread_op<add_hits, Number>
{
  using local = unsigned;
  static constexpr bool rounds = false;
  add_hits& op;

  template <class T>
  REHEAT_DEVICE T operator()(T x, T y) const
  {
    return op(x, y);
  }
  REHEAT_DEVICE Number widen(unsigned hits, std::uint64_t) const { return static_cast<Number>(hits); }
};

} // namespace detail

namespace thrust_backend
{

// Which types are compared is the caller's choice, and his compiler's warnings would point here.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wsign-compare"
template <class T>
struct equals
{
  T value;

  REHEAT_EXEC_CHECK_DISABLE
  template <class Item>
  REHEAT_DEVICE bool operator()(const Item& item) const
  {
    return item == value;
  }
};
#pragma GCC diagnostic pop

//! One for items that satisfy the predicate, else zero.
template <class Predicate>
struct hit_term
{
  Predicate predicate;

  REHEAT_EXEC_CHECK_DISABLE
  template <class T>
  REHEAT_DEVICE unsigned operator()(const T& item, std::uint64_t)
  {
    return predicate(item) ? 1u : 0u;
  }
};

template <class Derived, class InputIt, class Predicate>
detail::distance_of<InputIt> count_range(const char* call, execution_policy<Derived>& exec, InputIt first, InputIt last,
                                         Predicate predicate)
{
  using number = detail::distance_of<InputIt>;
  return reduce_mapped<number>(call, exec, first, last, hit_term<Predicate>{predicate}, number(0), detail::add_hits{});
}

#if !(REHEAT_DROPPED_OVERLOADS & 0x8000)
REHEAT_EXEC_CHECK_DISABLE
template <class Derived, class InputIt, class T>
REHEAT_HOST_DEVICE detail::distance_of<InputIt> count(execution_policy<Derived>& exec, InputIt first, InputIt last,
                                                      const T& value)
{
  REHEAT_PARALLEL_OR_SEQUENTIAL((count_range("reheat::count", exec, first, last, equals<T>{value})),
                                (THRUST_NS_QUALIFIER::count(THRUST_NS_QUALIFIER::seq, first, last, value)));
}
#endif

#if !(REHEAT_DROPPED_OVERLOADS & 0x10000)
REHEAT_EXEC_CHECK_DISABLE
template <class Derived, class InputIt, class Predicate>
REHEAT_HOST_DEVICE detail::distance_of<InputIt> count_if(execution_policy<Derived>& exec, InputIt first, InputIt last,
                                                         Predicate predicate)
{
  REHEAT_PARALLEL_OR_SEQUENTIAL((count_range("reheat::count_if", exec, first, last, predicate)),
                                (THRUST_NS_QUALIFIER::count_if(THRUST_NS_QUALIFIER::seq, first, last, predicate)));
}
#endif

} // namespace thrust_backend
REHEAT_NAMESPACE_END

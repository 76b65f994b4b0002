// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Counts the items that satisfy a predicate, with the count on the host or on the device.
#pragma once

#include <reheat/detail/algorithms/call.cuh>
#include <reheat/detail/algorithms/select.cuh>
#include <reheat/detail/algorithms/transform_reduce.cuh>
#include <reheat/detail/config.cuh>
#include <reheat/detail/operators.cuh>
#include <reheat/detail/reduce/into.cuh>
#include <reheat/detail/thread/initial_value.cuh>
#include <reheat/detail/thread/items.cuh>

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

namespace algorithms
{

//! One for items that satisfy the predicate, else zero.
template <class Predicate>
struct hit_term
{
  Predicate predicate;

  template <class T>
  REHEAT_DEVICE unsigned operator()(const T& item, std::uint64_t)
  {
    return predicate(item) ? 1u : 0u;
  }
};

//! Returns how many items satisfy the predicate, as a Number.
template <class Number, class Environment, class InputIt, class Predicate>
Number count_if(const Environment& env, InputIt in, std::uint64_t items, Predicate predicate)
{
  return reduce_made_terms<Number, detail::value_of<InputIt>>(
      env, items, [&] { return mapped_items_of(env, in, hit_term<Predicate>{predicate}); }, Number(0), detail::add_hits{},
      number_into);
}

//! The same, with the count stored to `count_out`. Of no items that is 0.
template <class Environment, class InputIt, class CountIt, class Predicate>
void count_if_into(const Environment& env, InputIt in, std::uint64_t items, CountIt count_out, Predicate predicate)
{
  enqueue_with_count<detail::value_of<InputIt>>(env, count_out, items,
                                                [&](auto count_output)
                                                {
                                                  enqueue_reduce_terms<std::uint64_t>(
                                                      env, mapped_items_of(env, in, hit_term<Predicate>{predicate}), items,
                                                      detail::init_value<std::uint64_t>{0}, detail::add_hits{},
                                                      detail::count_result<decltype(count_output)>{count_output});
                                                });
}

} // namespace algorithms
REHEAT_NAMESPACE_END

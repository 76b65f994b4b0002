// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! `reheat::remove_into`, `remove_if_into`, `remove_copy_into`, `remove_copy_if_into`, `partition_into`,
//! `partition_copy_into`, `unique_into`, `unique_copy_into`, `unique_by_key_into` and `unique_by_key_copy_into`. Thrust has
//! no such algorithms.
//!
//! The same calls as Thrust's without `_into`, but the number of items that are kept, or of those in the first output of a
//! partition, is stored to *count_out on the device. What copy_if_into.cuh says of waits, captures, ranges, and `count_out`
//! holds here, too, and what remove.cuh, partition.cuh and unique.cuh say of predicates and of outputs that are inputs.
#pragma once

#include <reheat/detail/algorithms/partition.cuh>
#include <reheat/detail/algorithms/select.cuh>
#include <reheat/detail/algorithms/unique.cuh>
#include <reheat/detail/config.cuh>
#include <reheat/detail/select/run_starts.cuh>
#include <reheat/detail/select/selection.cuh>
#include <reheat/detail/thread/items.cuh>
#include <reheat/thrust_backend/environment.cuh>
#include <reheat/thrust_backend/equals.cuh>
#include <reheat/thrust_backend/policy.cuh>

#include <cuda/std/functional>

#include <cstdint>

REHEAT_NAMESPACE_BEGIN
namespace thrust_backend
{
namespace calls
{

template <class Derived, class InputIt, class StencilIt, class OutputIt, class Predicate, class CountIt>
void remove_into(const char* caller, const execution_policy<Derived>& exec, InputIt first, InputIt last, StencilIt stencil,
                 OutputIt result, Predicate predicate, CountIt count_out)
{
  const auto env = environment_of(caller, const_cast<execution_policy<Derived>&>(exec));
  algorithms::select_into(env, first, stencil, result, count_out, items_or_none(first, last),
                          detail::rejected_by<Predicate>{predicate});
}

template <class Derived, class It, class StencilIt, class Predicate, class CountIt>
void partition_into(const execution_policy<Derived>& exec, It first, It last, StencilIt stencil, Predicate predicate,
                    CountIt count_out)
{
  const std::uint64_t items = items_or_none(first, last);
  with_memory_for_items(
      "reheat::partition_into", const_cast<execution_policy<Derived>&>(exec), items, sizeof(detail::value_of<It>),
      [&](const auto& env) { algorithms::partition_into(env, first, stencil, count_out, items, predicate); });
}

template <class Derived, class InputIt, class StencilIt, class SelectedIt, class RejectedIt, class Predicate, class CountIt>
void partition_copy_into(const execution_policy<Derived>& exec, InputIt first, InputIt last, StencilIt stencil,
                         SelectedIt out_true, RejectedIt out_false, Predicate predicate, CountIt count_out)
{
  const auto env = environment_of("reheat::partition_copy_into", const_cast<execution_policy<Derived>&>(exec));
  algorithms::partition_copy_into(env, first, stencil, out_true, out_false, count_out, items_or_none(first, last),
                                  predicate);
}

template <class Derived, class InputIt, class ValueIt, class OutputIt, class ValueOutputIt, class Equal, class CountIt>
void unique_into(const char* caller, const execution_policy<Derived>& exec, InputIt first, InputIt last, ValueIt values,
                 OutputIt result, ValueOutputIt values_result, Equal equal, CountIt count_out, bool in_place)
{
  const auto env = environment_of(caller, const_cast<execution_policy<Derived>&>(exec));
  algorithms::unique_into(env, first, values, result, values_result, count_out, items_or_none(first, last), equal, in_place);
}

} // namespace calls
} // namespace thrust_backend

//! Keeps the items that do not equal `value`, in their order, at the beginning of their range.
template <class Derived, class It, class T, class CountIt>
void remove_into(const thrust_backend::execution_policy<Derived>& policy, It first, It last, const T& value,
                 CountIt count_out)
{
  thrust_backend::calls::remove_into("reheat::remove_into", policy, first, last, detail::no_stencil{}, first,
                                     thrust_backend::calls::equals<T>{value}, count_out);
}
//! Copies the items that do not equal `value`, in their order.
template <class Derived, class InputIt, class OutputIt, class T, class CountIt>
void remove_copy_into(const thrust_backend::execution_policy<Derived>& policy, InputIt first, InputIt last, OutputIt result,
                      const T& value, CountIt count_out)
{
  thrust_backend::calls::remove_into("reheat::remove_copy_into", policy, first, last, detail::no_stencil{}, result,
                                     thrust_backend::calls::equals<T>{value}, count_out);
}

//! Keeps the items that the predicate rejects, in their order, at the beginning of their range.
template <class Derived, class It, class Predicate, class CountIt>
void remove_if_into(const thrust_backend::execution_policy<Derived>& policy, It first, It last, Predicate predicate,
                    CountIt count_out)
{
  thrust_backend::calls::remove_into("reheat::remove_if_into", policy, first, last, detail::no_stencil{}, first, predicate,
                                     count_out);
}
template <class Derived, class It, class StencilIt, class Predicate, class CountIt>
void remove_if_into(const thrust_backend::execution_policy<Derived>& policy, It first, It last, StencilIt stencil,
                    Predicate predicate, CountIt count_out)
{
  thrust_backend::calls::remove_into("reheat::remove_if_into", policy, first, last, stencil, first, predicate, count_out);
}

//! Copies the items that the predicate rejects, in their order.
template <class Derived, class InputIt, class OutputIt, class Predicate, class CountIt>
void remove_copy_if_into(const thrust_backend::execution_policy<Derived>& policy, InputIt first, InputIt last,
                         OutputIt result, Predicate predicate, CountIt count_out)
{
  thrust_backend::calls::remove_into("reheat::remove_copy_if_into", policy, first, last, detail::no_stencil{}, result,
                                     predicate, count_out);
}
template <class Derived, class InputIt, class StencilIt, class OutputIt, class Predicate, class CountIt>
void remove_copy_if_into(const thrust_backend::execution_policy<Derived>& policy, InputIt first, InputIt last,
                         StencilIt stencil, OutputIt result, Predicate predicate, CountIt count_out)
{
  thrust_backend::calls::remove_into("reheat::remove_copy_if_into", policy, first, last, stencil, result, predicate,
                                     count_out);
}

//! Moves the items that the predicate selects to the front of their range and the others behind them, both in their order.
//! The number of the former is stored. Needs scratch memory as `thrust::partition` does; while it is captured, the memory is
//! the graph's.
template <class Derived, class It, class Predicate, class CountIt>
void partition_into(const thrust_backend::execution_policy<Derived>& policy, It first, It last, Predicate predicate,
                    CountIt count_out)
{
  thrust_backend::calls::partition_into(policy, first, last, detail::no_stencil{}, predicate, count_out);
}
template <class Derived, class It, class StencilIt, class Predicate, class CountIt>
void partition_into(const thrust_backend::execution_policy<Derived>& policy, It first, It last, StencilIt stencil,
                    Predicate predicate, CountIt count_out)
{
  thrust_backend::calls::partition_into(policy, first, last, stencil, predicate, count_out);
}

//! Copies the items that the predicate selects to `out_true` and the others to `out_false`, both in their order. The number
//! of the former is stored.
template <class Derived, class InputIt, class SelectedIt, class RejectedIt, class Predicate, class CountIt>
void partition_copy_into(const thrust_backend::execution_policy<Derived>& policy, InputIt first, InputIt last,
                         SelectedIt out_true, RejectedIt out_false, Predicate predicate, CountIt count_out)
{
  thrust_backend::calls::partition_copy_into(policy, first, last, detail::no_stencil{}, out_true, out_false, predicate,
                                             count_out);
}
template <class Derived, class InputIt, class StencilIt, class SelectedIt, class RejectedIt, class Predicate, class CountIt>
void partition_copy_into(const thrust_backend::execution_policy<Derived>& policy, InputIt first, InputIt last,
                         StencilIt stencil, SelectedIt out_true, RejectedIt out_false, Predicate predicate,
                         CountIt count_out)
{
  thrust_backend::calls::partition_copy_into(policy, first, last, stencil, out_true, out_false, predicate, count_out);
}

//! Keeps the first item of each run at the beginning of the range.
template <class Derived, class It, class Equal, class CountIt>
void unique_into(const thrust_backend::execution_policy<Derived>& policy, It first, It last, Equal equal, CountIt count_out)
{
  thrust_backend::calls::unique_into("reheat::unique_into", policy, first, last, detail::no_values{}, first,
                                     detail::no_values{}, equal, count_out, true);
}
template <class Derived, class It, class CountIt>
void unique_into(const thrust_backend::execution_policy<Derived>& policy, It first, It last, CountIt count_out)
{
  unique_into(policy, first, last, ::cuda::std::equal_to<detail::value_of<It>>{}, count_out);
}

//! Copies the first item of each run.
template <class Derived, class InputIt, class OutputIt, class Equal, class CountIt>
void unique_copy_into(const thrust_backend::execution_policy<Derived>& policy, InputIt first, InputIt last, OutputIt result,
                      Equal equal, CountIt count_out)
{
  thrust_backend::calls::unique_into("reheat::unique_copy_into", policy, first, last, detail::no_values{}, result,
                                     detail::no_values{}, equal, count_out, false);
}
template <class Derived, class InputIt, class OutputIt, class CountIt>
void unique_copy_into(const thrust_backend::execution_policy<Derived>& policy, InputIt first, InputIt last, OutputIt result,
                      CountIt count_out)
{
  unique_copy_into(policy, first, last, result, ::cuda::std::equal_to<detail::value_of<InputIt>>{}, count_out);
}

//! Copies the first key of each run of keys, and the value beside it.
template <class Derived, class KeyIt, class ValueIt, class KeyOutputIt, class ValueOutputIt, class Equal, class CountIt>
void unique_by_key_copy_into(const thrust_backend::execution_policy<Derived>& policy, KeyIt first, KeyIt last,
                             ValueIt values, KeyOutputIt keys_result, ValueOutputIt values_result, Equal equal,
                             CountIt count_out)
{
  thrust_backend::calls::unique_into("reheat::unique_by_key_copy_into", policy, first, last, values, keys_result,
                                     values_result, equal, count_out, false);
}
template <class Derived, class KeyIt, class ValueIt, class KeyOutputIt, class ValueOutputIt, class CountIt>
void unique_by_key_copy_into(const thrust_backend::execution_policy<Derived>& policy, KeyIt first, KeyIt last,
                             ValueIt values, KeyOutputIt keys_result, ValueOutputIt values_result, CountIt count_out)
{
  unique_by_key_copy_into(policy, first, last, values, keys_result, values_result,
                          ::cuda::std::equal_to<detail::value_of<KeyIt>>{}, count_out);
}

//! Keeps the first key of each run and its value at the beginning of their ranges.
template <class Derived, class KeyIt, class ValueIt, class Equal, class CountIt>
void unique_by_key_into(const thrust_backend::execution_policy<Derived>& policy, KeyIt first, KeyIt last, ValueIt values,
                        Equal equal, CountIt count_out)
{
  thrust_backend::calls::unique_into("reheat::unique_by_key_into", policy, first, last, values, first, values, equal,
                                     count_out, true);
}
template <class Derived, class KeyIt, class ValueIt, class CountIt>
void unique_by_key_into(const thrust_backend::execution_policy<Derived>& policy, KeyIt first, KeyIt last, ValueIt values,
                        CountIt count_out)
{
  unique_by_key_into(policy, first, last, values, ::cuda::std::equal_to<detail::value_of<KeyIt>>{}, count_out);
}

REHEAT_NAMESPACE_END

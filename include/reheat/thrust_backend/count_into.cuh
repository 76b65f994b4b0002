// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! `reheat::count_into` and `reheat::count_if_into`. Thrust has no such algorithms.
#pragma once

#include <reheat/detail/algorithms/count.cuh>
#include <reheat/detail/config.cuh>
#include <reheat/thrust_backend/environment.cuh>
#include <reheat/thrust_backend/equals.cuh>
#include <reheat/thrust_backend/policy.cuh>

REHEAT_NAMESPACE_BEGIN
namespace thrust_backend
{
namespace calls
{

template <class Derived, class InputIt, class Predicate, class CountIt>
void count_if_into(const char* caller, const execution_policy<Derived>& exec, InputIt first, InputIt last,
                   Predicate predicate, CountIt count_out)
{
  const auto env = environment_of(caller, const_cast<execution_policy<Derived>&>(exec));
  algorithms::count_if_into(env, first, items_of(env, first, last), count_out, predicate);
}

} // namespace calls
} // namespace thrust_backend

//! The same call as `thrust::count`, which counts the items that equal `value`, but the count is stored to *count_out on the
//! device. One launch. Waits for the stream as scans do: under `par`, not under `par_nosync`. Under `par_nosync` the call
//! can be captured into a CUDA graph.
//!
//! Each item is read once. Of no items the count is 0. A range that ends before it begins throws std::runtime_error.
//! `count_out` is a pointer or an iterator that the device can assign a number of 64 bits through, which is converted to its
//! value type; it is not part of the input.
template <class Derived, class InputIt, class T, class CountIt>
void count_into(const thrust_backend::execution_policy<Derived>& policy, InputIt first, InputIt last, const T& value,
                CountIt count_out)
{
  thrust_backend::calls::count_if_into("reheat::count_into", policy, first, last, thrust_backend::calls::equals<T>{value},
                                       count_out);
}

//! The same, but counts the items that satisfy the predicate, as `thrust::count_if` does.
template <class Derived, class InputIt, class Predicate, class CountIt>
void count_if_into(const thrust_backend::execution_policy<Derived>& policy, InputIt first, InputIt last, Predicate predicate,
                   CountIt count_out)
{
  thrust_backend::calls::count_if_into("reheat::count_if_into", policy, first, last, predicate, count_out);
}

REHEAT_NAMESPACE_END

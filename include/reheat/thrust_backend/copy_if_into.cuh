// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! `reheat::copy_if_into`. Thrust has no such algorithm.
#pragma once

#include <reheat/detail/algorithms/select.cuh>
#include <reheat/detail/config.cuh>
#include <reheat/detail/select/selection.cuh>
#include <reheat/thrust_backend/environment.cuh>
#include <reheat/thrust_backend/policy.cuh>

REHEAT_NAMESPACE_BEGIN
namespace thrust_backend
{
namespace calls
{

template <class Derived, class InputIt, class StencilIt, class OutputIt, class Predicate, class CountIt>
void copy_if_into(const execution_policy<Derived>& exec, InputIt first, InputIt last, StencilIt stencil, OutputIt result,
                  Predicate predicate, CountIt count_out)
{
  const auto env = environment_of("reheat::copy_if_into", const_cast<execution_policy<Derived>&>(exec));
  algorithms::select_into(env, first, stencil, result, count_out, items_or_none(first, last), predicate);
}

} // namespace calls
} // namespace thrust_backend

//! The same call as `thrust::copy_if`, which copies the items that the predicate selects, in their order, but the number of
//! copies is stored to *count_out on the device. Waits for the stream as scans do: under `par`, not under `par_nosync`.
//! Under `par_nosync` the call can be captured into a CUDA graph. With a stencil, the predicate is asked about the stencil's
//! items.
//!
//! The predicate is asked once about each, and each item of an input is read once. Nothing behind the copies is written. The
//! output may begin where the input begins; otherwise it overlaps no input. A range that ends before it begins has no items.
//! Of no items the number is 0. `count_out` is a pointer or an iterator that the device
//! can assign a number of 64 bits through, which is converted to its value type; it is not part of the input or the output.
template <class Derived, class InputIt, class OutputIt, class Predicate, class CountIt>
void copy_if_into(const thrust_backend::execution_policy<Derived>& policy, InputIt first, InputIt last, OutputIt result,
                  Predicate predicate, CountIt count_out)
{
  thrust_backend::calls::copy_if_into(policy, first, last, detail::no_stencil{}, result, predicate, count_out);
}
template <class Derived, class InputIt, class StencilIt, class OutputIt, class Predicate, class CountIt>
void copy_if_into(const thrust_backend::execution_policy<Derived>& policy, InputIt first, InputIt last, StencilIt stencil,
                  OutputIt result, Predicate predicate, CountIt count_out)
{
  thrust_backend::calls::copy_if_into(policy, first, last, stencil, result, predicate, count_out);
}

REHEAT_NAMESPACE_END

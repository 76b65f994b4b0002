// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! How every algorithm begins and ends on the host.
//!
//! An algorithm takes an environment, iterators as the caller passed them, and a number of items. An interface
//! (thrust_backend/, …) maps its policies, ranges and accumulator types to that.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/runtime/runtime.cuh>

#include <cstdint>
#include <type_traits>

REHEAT_NAMESPACE_BEGIN
namespace kernels
{

//! The kernels of this library. An interface may offer others that stand in for them: a rung of the ladder has functions of
//! its own, reduce_n, enqueue_reduce and enqueue_scan. (In a namespace by itself: a policy that names it as a template
//! argument makes its namespace one in which Thrust looks for algorithms.)
struct standard
{};

//! The same, but sums of floating-point numbers are exact before they are rounded. Serves reductions alone.
struct exact_sums
{};

} // namespace kernels

namespace algorithms
{

template <class Kernels>
inline constexpr bool are_standard_v = std::is_same_v<Kernels, kernels::standard>;
template <class Kernels>
inline constexpr bool sum_exactly_v = std::is_same_v<Kernels, kernels::exact_sums>;

//! What calls that return a number of items say of captures: which call leaves it on the device.
inline constexpr const char* number_into = "; reheat's call of that name with _into leaves the number on the device";

//! A call that returns a value from the device: `call()` returns it after a wait. During a capture it throws before it
//! enqueues anything. `alternative` says what can be captured. Its input are `items` items of type Item.
template <class Item, class Call>
auto return_from_device(const runtime::environment& env, std::uint64_t items, const char* alternative, Call call)
{
  const runtime::call_scope scope(env, items, sizeof(Item));
  runtime::refuse_capture(env, "a result on the host can not be captured into a graph", alternative);
  return call();
}

//! A call that returns nothing from the device: `enqueue()` enqueues its work, and the call ends with a wait if the
//! environment asks for one. Only that wait is in the way of a capture. Its input are `items` items of type Item.
template <class Item, class Enqueue>
void enqueue_and_maybe_wait(const runtime::environment& env, std::uint64_t items, Enqueue enqueue)
{
  const runtime::call_scope scope(env, items, sizeof(Item));
  if (env.waits)
  {
    runtime::refuse_capture(env, "this policy waits for its stream, which can not be captured into a graph",
                            "; take reheat::par_nosync");
  }
  enqueue();
  runtime::synchronize_optional(env);
}

} // namespace algorithms
REHEAT_NAMESPACE_END

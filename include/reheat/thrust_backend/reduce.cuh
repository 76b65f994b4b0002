// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! `thrust::reduce` for our policies.
//!
//! As Thrust's CUDA backend: without an operator the sum is taken in the initial value's type (the input's value type
//! without one); with one, in what the operator makes of the initial value and an item, and converted to the initial value's
//! type at the end. The initial value is applied once, on the left; an empty range gives it back. A negative range throws
//! std::runtime_error. The call waits for its stream, whatever the policy. The operator is associative; unless it is one of
//! the standard's commutative ones on numbers (arithmetic types, half, bfloat16, complex), operands keep their order.
//! Results are the same bits in every run.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/iterators.cuh>
#include <reheat/detail/reduce/dispatch.cuh>
#include <reheat/detail/runtime/runtime.cuh>
#include <reheat/thrust_backend/policy.cuh>

#include <thrust/reduce.h>

#include <cuda/std/functional>
#include <cuda/std/type_traits>

#include <stdexcept>
#include <string>
#include <type_traits>

REHEAT_NAMESPACE_BEGIN
namespace thrust_backend
{

template <class Derived, class InputIt, class T, class Op>
T reduce_range(const char* call, execution_policy<Derived>& exec, InputIt first, InputIt last, T init, Op op)
{
  using accum = ::cuda::std::decay_t<::cuda::std::invoke_result_t<Op, T, detail::value_of<InputIt>>>;
  const runtime::profiler_range range(call);
  auto& policy = THRUST_NS_QUALIFIER::detail::derived_cast(exec);
  const auto items = last - first;
  if (items < 0)
  {
    throw std::runtime_error(std::string(call) + ": the range ends " + std::to_string(-static_cast<long long>(items)) +
                             " items before it begins; pass (first, last) with first <= last");
  }
  if (items == 0)
  {
    runtime::synchronize(policy, call);
    return init;
  }
  using option = typename Derived::option;
  const auto in = detail::unwrap_input(first);
  const auto count = static_cast<std::uint64_t>(items);
  if constexpr (std::is_same_v<option, no_option>)
  {
    return detail::reduce_n<accum>(call, policy, in, count, init, op);
  }
  else
  {
    return option::template reduce_n<accum>(call, policy, in, count, init, op);
  }
}

#if !(REHEAT_DROPPED_OVERLOADS & 0x001)
REHEAT_EXEC_CHECK_DISABLE
template <class Derived, class InputIt>
REHEAT_HOST_DEVICE detail::value_of<InputIt> reduce(execution_policy<Derived>& exec, InputIt first, InputIt last)
{
  using value = detail::value_of<InputIt>;
  REHEAT_PARALLEL_OR_SEQUENTIAL((reduce_range("reheat::reduce", exec, first, last, value(0), ::cuda::std::plus<value>{})),
                                (THRUST_NS_QUALIFIER::reduce(THRUST_NS_QUALIFIER::seq, first, last)));
}
#endif

#if !(REHEAT_DROPPED_OVERLOADS & 0x002)
REHEAT_EXEC_CHECK_DISABLE
template <class Derived, class InputIt, class T>
REHEAT_HOST_DEVICE T reduce(execution_policy<Derived>& exec, InputIt first, InputIt last, T init)
{
  REHEAT_PARALLEL_OR_SEQUENTIAL((reduce_range("reheat::reduce", exec, first, last, init, ::cuda::std::plus<T>{})),
                                (THRUST_NS_QUALIFIER::reduce(THRUST_NS_QUALIFIER::seq, first, last, init)));
}
#endif

#if !(REHEAT_DROPPED_OVERLOADS & 0x004)
REHEAT_EXEC_CHECK_DISABLE
template <class Derived, class InputIt, class T, class Op>
REHEAT_HOST_DEVICE T reduce(execution_policy<Derived>& exec, InputIt first, InputIt last, T init, Op op)
{
  REHEAT_PARALLEL_OR_SEQUENTIAL((reduce_range("reheat::reduce", exec, first, last, init, op)),
                                (THRUST_NS_QUALIFIER::reduce(THRUST_NS_QUALIFIER::seq, first, last, init, op)));
}
#endif

} // namespace thrust_backend
REHEAT_NAMESPACE_END

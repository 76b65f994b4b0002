// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! `thrust::reduce` for our policies, and `reduce_into`, which leaves the result on the device.
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

#include <cstdint>
#include <type_traits>

REHEAT_NAMESPACE_BEGIN
namespace thrust_backend
{

//! What a reduction of a range to an initial value of T accumulates in.
template <class Op, class T, class InputIt>
using reduce_accum = ::cuda::std::decay_t<::cuda::std::invoke_result_t<Op, T, detail::value_of<InputIt>>>;

//! The fold of [first, last) after init.
template <class Derived, class InputIt, class T, class Op>
T reduce_range(const char* call, execution_policy<Derived>& exec, InputIt first, InputIt last, T init, Op op)
{
  using accum = reduce_accum<Op, T, InputIt>;
  const runtime::call_scope scope = scope_of(call, exec);
  auto& policy = THRUST_NS_QUALIFIER::detail::derived_cast(exec);
  const std::uint64_t items = items_of(call, first, last);
  refuse_captured_result(policy, call, "; reheat::reduce_into leaves it on the device");
  if (items == 0)
  {
    runtime::synchronize(policy, call);
    return init;
  }
  using option = typename Derived::option;
  const auto in = detail::unwrap_input(first);
  if constexpr (has_default_kernels_v<option>)
  {
    return detail::reduce_n<accum>(call, policy, in, items, init, op);
  }
  else
  {
    return option::template reduce_n<accum>(call, policy, in, items, init, op);
  }
}

//! *output = the fold of [first, last) after init, on the policy's stream; waits if the policy does.
template <class Derived, class InputIt, class OutputIt, class T, class Op>
void reduce_range_into(const char* call, execution_policy<Derived>& exec, InputIt first, InputIt last, OutputIt output,
                       T init, Op op)
{
  using accum = reduce_accum<Op, T, InputIt>;
  using option = typename Derived::option;
  const runtime::call_scope scope = scope_of(call, exec);
  auto& policy = THRUST_NS_QUALIFIER::detail::derived_cast(exec);
  const std::uint64_t items = items_of(call, first, last);
  refuse_capture_if_waiting(policy, call);
  auto out = detail::unwrap(output);
  if (items == 0)
  {
    detail::enqueue_reduce_nothing(call, policy, out, init);
  }
  else if constexpr (has_default_kernels_v<option>)
  {
    detail::enqueue_reduce_into<accum>(call, policy, detail::unwrap_input(first), items, out, init, op);
  }
  else
  {
    static_assert(detail::is_plain_memory_of_v<decltype(out), T>,
                  "reheat: this rung of the ladder leaves results in memory for the initial value's type, which is a type "
                  "that is copied by its bytes");
    option::template enqueue_reduce<accum>(call, policy, detail::unwrap_input(first), items, init, op, out);
  }
  runtime::synchronize_optional(policy, call);
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

// In device code by way of reduce: not every Thrust has a reduce_into.

#if !(REHEAT_DROPPED_OVERLOADS & 0x200)
REHEAT_EXEC_CHECK_DISABLE
template <class Derived, class InputIt, class OutputIt>
REHEAT_HOST_DEVICE void reduce_into(execution_policy<Derived>& exec, InputIt first, InputIt last, OutputIt output)
{
  using value = detail::value_of<InputIt>;
  REHEAT_PARALLEL_OR_SEQUENTIAL(
      (reduce_range_into("reheat::reduce_into", exec, first, last, output, value(0), ::cuda::std::plus<value>{})),
      (static_cast<void>(*output = THRUST_NS_QUALIFIER::reduce(THRUST_NS_QUALIFIER::seq, first, last))));
}
#endif

#if !(REHEAT_DROPPED_OVERLOADS & 0x400)
REHEAT_EXEC_CHECK_DISABLE
template <class Derived, class InputIt, class OutputIt, class T>
REHEAT_HOST_DEVICE void reduce_into(execution_policy<Derived>& exec, InputIt first, InputIt last, OutputIt output, T init)
{
  REHEAT_PARALLEL_OR_SEQUENTIAL(
      (reduce_range_into("reheat::reduce_into", exec, first, last, output, init, ::cuda::std::plus<T>{})),
      (static_cast<void>(*output = THRUST_NS_QUALIFIER::reduce(THRUST_NS_QUALIFIER::seq, first, last, init))));
}
#endif

#if !(REHEAT_DROPPED_OVERLOADS & 0x800)
REHEAT_EXEC_CHECK_DISABLE
template <class Derived, class InputIt, class OutputIt, class T, class Op>
REHEAT_HOST_DEVICE void reduce_into(execution_policy<Derived>& exec, InputIt first, InputIt last, OutputIt output, T init,
                                    Op op)
{
  REHEAT_PARALLEL_OR_SEQUENTIAL(
      (reduce_range_into("reheat::reduce_into", exec, first, last, output, init, op)),
      (static_cast<void>(*output = THRUST_NS_QUALIFIER::reduce(THRUST_NS_QUALIFIER::seq, first, last, init, op))));
}
#endif

} // namespace thrust_backend

//! *output = init ⊕ first[0] ⊕ … ⊕ last[−1], enqueued on the policy's stream in one launch; the result stays on the device.
//! Waits for the stream as scans do: under `par`, not under `par_nosync`. Under `par_nosync` the call can be captured into a
//! CUDA graph.
//!
//! The same call as `thrust::reduce_into`, which newer versions of Thrust have and which our policies serve too: types,
//! order, and ranges that are empty (*output = init) or negative are those of `thrust::reduce`, and what the operator makes
//! of init and the items is assigned to *output as it is. `output` is a pointer or an iterator that the device can assign
//! through, and is not part of the input. Without `op` the sum; without `init` that of the input's value type from 0.
template <class Derived, class InputIt, class OutputIt>
REHEAT_HOST_DEVICE void reduce_into(const thrust_backend::execution_policy<Derived>& policy, InputIt first, InputIt last,
                                    OutputIt output)
{
  thrust_backend::reduce_into(const_cast<thrust_backend::execution_policy<Derived>&>(policy), first, last, output);
}
template <class Derived, class InputIt, class OutputIt, class T>
REHEAT_HOST_DEVICE void reduce_into(const thrust_backend::execution_policy<Derived>& policy, InputIt first, InputIt last,
                                    OutputIt output, T init)
{
  thrust_backend::reduce_into(const_cast<thrust_backend::execution_policy<Derived>&>(policy), first, last, output, init);
}
template <class Derived, class InputIt, class OutputIt, class T, class Op>
REHEAT_HOST_DEVICE void reduce_into(const thrust_backend::execution_policy<Derived>& policy, InputIt first, InputIt last,
                                    OutputIt output, T init, Op op)
{
  thrust_backend::reduce_into(const_cast<thrust_backend::execution_policy<Derived>&>(policy), first, last, output, init, op);
}

REHEAT_NAMESPACE_END

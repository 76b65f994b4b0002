// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! `reheat::reduce_into`, for every version of Thrust.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/thrust_backend/pass_on.cuh>
#include <reheat/thrust_backend/policy.cuh>
#if !defined(REHEAT_PASSTHROUGH)
#  include <reheat/thrust_backend/reduce.cuh>
#endif

#include <thrust/reduce.h>

REHEAT_NAMESPACE_BEGIN
namespace thrust_backend
{

#if defined(REHEAT_PASSTHROUGH)
//! As the overloads of reduce.cuh, by Thrust. Under another name, so that thrust::reduce_into does not find it.
REHEAT_EXEC_CHECK_DISABLE
template <class Derived, class InputIt, class OutputIt, class... More>
REHEAT_HOST_DEVICE void call_reduce_into(const execution_policy<Derived>& exec, InputIt first, InputIt last, OutputIt output,
                                         More... more)
{
  REHEAT_PARALLEL_OR_SEQUENTIAL(
      (calls::reduce_into_by_thrust(THRUST_NS_QUALIFIER::detail::derived_cast(exec), first, last, output, more...)),
      (static_cast<void>(*output = THRUST_NS_QUALIFIER::reduce(THRUST_NS_QUALIFIER::seq, first, last, more...))));
}
#else
template <class Derived, class... Arguments>
REHEAT_HOST_DEVICE void call_reduce_into(const execution_policy<Derived>& exec, Arguments... arguments)
{
  thrust_backend::reduce_into(const_cast<execution_policy<Derived>&>(exec), arguments...);
}
#endif

} // namespace thrust_backend

//! *output = init ⊕ first[0] ⊕ … ⊕ last[−1], enqueued on the policy's stream in one launch; the result stays on the device.
//! Waits for the stream as scans do: under `par`, not under `par_nosync`. Under `par_nosync` the call can be captured into a
//! CUDA graph.
//!
//! The same call as `thrust::reduce_into`, which newer versions of Thrust have and which reheat accelerates, too: types,
//! order, and ranges that are empty (*output = init) or negative are those of `thrust::reduce`, and what the operator makes
//! of init and the items is assigned to *output as it is. `output` is a pointer or an iterator that the device can assign
//! through, and is not part of the input. Without `op` the sum; without `init` that of the input's value type from 0.
template <class Derived, class InputIt, class OutputIt>
REHEAT_HOST_DEVICE void reduce_into(const thrust_backend::execution_policy<Derived>& policy, InputIt first, InputIt last,
                                    OutputIt output)
{
  thrust_backend::call_reduce_into(policy, first, last, output);
}
template <class Derived, class InputIt, class OutputIt, class T>
REHEAT_HOST_DEVICE void reduce_into(const thrust_backend::execution_policy<Derived>& policy, InputIt first, InputIt last,
                                    OutputIt output, T init)
{
  thrust_backend::call_reduce_into(policy, first, last, output, init);
}
template <class Derived, class InputIt, class OutputIt, class T, class Op>
REHEAT_HOST_DEVICE void reduce_into(const thrust_backend::execution_policy<Derived>& policy, InputIt first, InputIt last,
                                    OutputIt output, T init, Op op)
{
  thrust_backend::call_reduce_into(policy, first, last, output, init, op);
}

REHEAT_NAMESPACE_END

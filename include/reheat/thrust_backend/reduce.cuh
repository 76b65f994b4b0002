// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! `thrust::reduce` and `reduce_into`, which leaves the result on the device, for reheat's policies.
//!
//! As Thrust's CUDA backend: without an operator the sum is taken in the initial value's type (the input's value type
//! without one); with one, in what the operator makes of the initial value and an item, and converted to the initial value's
//! type at the end. The initial value is applied once, on the left; an empty range gives it back. A negative range throws
//! std::runtime_error. The call waits for its stream, whatever the policy. The operator is associative; unless it is one of
//! the standard's commutative ones on numbers (arithmetic types, half, bfloat16, complex), operands keep their order.
//! Results are the same bits in every run.
#pragma once

#include <reheat/detail/algorithms/reduce.cuh>
#include <reheat/detail/config.cuh>
#include <reheat/detail/thread/initial_value.cuh>
#include <reheat/detail/thread/items.cuh>
#include <reheat/thrust_backend/accumulation.cuh>
#include <reheat/thrust_backend/environment.cuh>
#include <reheat/thrust_backend/pass_on.cuh>
#include <reheat/thrust_backend/policy.cuh>

#include <thrust/reduce.h>

#include <cuda/std/functional>
#include <cuda/std/type_traits>

#include <type_traits>

REHEAT_NAMESPACE_BEGIN
namespace thrust_backend
{

namespace calls
{

//! What a reduction of a range to an initial value of T accumulates in.
template <class Op, class T, class InputIt>
using reduce_accum = ::cuda::std::decay_t<::cuda::std::invoke_result_t<Op, T, detail::value_of<InputIt>>>;

template <class Derived, class InputIt, class T, class Op>
T reduce(runtime::algorithm which, execution_policy<Derived>& exec, InputIt first, InputIt last, T init, Op op)
{
  using how = accumulation_of<Derived, reduce_accum<Op, T, InputIt>>;
  const auto taken = how::functor(op);
  check_reduction<Derived, std::remove_const_t<decltype(taken)>, typename how::type, detail::value_of<InputIt>>();
  const auto env = environment_of(which, exec);
  return static_cast<T>(algorithms::reduce<typename how::type, kernels_of<Derived>>(env, first, items_of(env, first, last),
                                                                                    how::value(init), taken));
}

template <class Derived, class InputIt, class OutputIt, class T, class Op>
void reduce_into(runtime::algorithm which, execution_policy<Derived>& exec, InputIt first, InputIt last, OutputIt output,
                 T init, Op op)
{
  using how = accumulation_of<Derived, reduce_accum<Op, T, InputIt>>;
  const auto taken = how::functor(op);
  check_reduction<Derived, std::remove_const_t<decltype(taken)>, typename how::type, detail::value_of<InputIt>>();
  const auto env = environment_of(which, exec);
  algorithms::reduce_into<typename how::type, kernels_of<Derived>>(
      env, first, items_of(env, first, last), output,
      detail::init_value<std::decay_t<decltype(how::value(init))>>{how::value(init)}, taken);
}

} // namespace calls

REHEAT_EXEC_CHECK_DISABLE
template <class Derived, class InputIt>
REHEAT_HOST_DEVICE detail::value_of<InputIt> reduce(execution_policy<Derived>& exec, InputIt first, InputIt last)
{
  using value = detail::value_of<InputIt>;
  REHEAT_ACCELERATED((calls::reduce(runtime::algorithm::reduce, exec, first, last, value(0), ::cuda::std::plus<value>{})),
                     reduce, first, last);
}

REHEAT_EXEC_CHECK_DISABLE
template <class Derived, class InputIt, class T>
REHEAT_HOST_DEVICE T reduce(execution_policy<Derived>& exec, InputIt first, InputIt last, T init)
{
  REHEAT_ACCELERATED((calls::reduce(runtime::algorithm::reduce, exec, first, last, init, ::cuda::std::plus<T>{})), reduce,
                     first, last, init);
}

REHEAT_EXEC_CHECK_DISABLE
template <class Derived, class InputIt, class T, class Op>
REHEAT_HOST_DEVICE T reduce(execution_policy<Derived>& exec, InputIt first, InputIt last, T init, Op op)
{
  REHEAT_ACCELERATED((calls::reduce(runtime::algorithm::reduce, exec, first, last, init, op)), reduce, first, last, init,
                     op);
}

// In device code by way of reduce: not every Thrust has a reduce_into.

REHEAT_EXEC_CHECK_DISABLE
template <class Derived, class InputIt, class OutputIt>
REHEAT_HOST_DEVICE void reduce_into(execution_policy<Derived>& exec, InputIt first, InputIt last, OutputIt output)
{
  using value = detail::value_of<InputIt>;
  REHEAT_PASS_ON_IF_DISABLED(reduce_into, (calls::reduce_into_by_thrust(calls::passed_on(exec), first, last, output)))
  REHEAT_PARALLEL_OR_SEQUENTIAL(
      (calls::reduce_into(runtime::algorithm::reduce_into, exec, first, last, output, value(0), ::cuda::std::plus<value>{})),
      (static_cast<void>(*output = THRUST_NS_QUALIFIER::reduce(THRUST_NS_QUALIFIER::seq, first, last))));
}

REHEAT_EXEC_CHECK_DISABLE
template <class Derived, class InputIt, class OutputIt, class T>
REHEAT_HOST_DEVICE void reduce_into(execution_policy<Derived>& exec, InputIt first, InputIt last, OutputIt output, T init)
{
  REHEAT_PASS_ON_IF_DISABLED(reduce_into, (calls::reduce_into_by_thrust(calls::passed_on(exec), first, last, output, init)))
  REHEAT_PARALLEL_OR_SEQUENTIAL(
      (calls::reduce_into(runtime::algorithm::reduce_into, exec, first, last, output, init, ::cuda::std::plus<T>{})),
      (static_cast<void>(*output = THRUST_NS_QUALIFIER::reduce(THRUST_NS_QUALIFIER::seq, first, last, init))));
}

REHEAT_EXEC_CHECK_DISABLE
template <class Derived, class InputIt, class OutputIt, class T, class Op>
REHEAT_HOST_DEVICE void reduce_into(execution_policy<Derived>& exec, InputIt first, InputIt last, OutputIt output, T init,
                                    Op op)
{
  REHEAT_PASS_ON_IF_DISABLED(reduce_into,
                             (calls::reduce_into_by_thrust(calls::passed_on(exec), first, last, output, init, op)))
  REHEAT_PARALLEL_OR_SEQUENTIAL(
      (calls::reduce_into(runtime::algorithm::reduce_into, exec, first, last, output, init, op)),
      (static_cast<void>(*output = THRUST_NS_QUALIFIER::reduce(THRUST_NS_QUALIFIER::seq, first, last, init, op))));
}

} // namespace thrust_backend

REHEAT_NAMESPACE_END

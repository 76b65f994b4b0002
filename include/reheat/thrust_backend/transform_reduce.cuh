// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! `thrust::transform_reduce` and `thrust::inner_product` for our policies.
//!
//! As Thrust's CUDA backend: terms are folded in what the operator makes of the initial value and a term, inner products
//! without operators in the initial value's type; the result is converted to that type. Everything else is as for
//! `thrust::reduce`: operands in order, the initial value once, on the left; an empty range gives it back; a negative range
//! throws std::runtime_error; the call waits for its stream, whatever the policy.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/thrust_backend/call.cuh>
#include <reheat/thrust_backend/policy.cuh>

#include <thrust/inner_product.h>
#include <thrust/transform_reduce.h>

#include <cuda/std/functional>
#include <cuda/std/type_traits>

#include <type_traits>
#include <utility>

REHEAT_NAMESPACE_BEGIN
namespace thrust_backend
{

template <class Derived, class LeftIt, class RightIt, class T, class Op, class Product>
T inner_product_range(const char* call, execution_policy<Derived>& exec, LeftIt first, LeftIt last, RightIt right, T init,
                      Op op, Product product)
{
  // Not invoke_result, which refuses lambdas of the device without a return type. For the host these return int, which is
  // no matter where the operator names its types; else Thrust has the wrong type, too.
  using term = ::cuda::std::decay_t<decltype(std::declval<Product&>()(std::declval<detail::value_of<LeftIt>&>(),
                                                                      std::declval<detail::value_of<RightIt>&>()))>;
  using accum = ::cuda::std::decay_t<::cuda::std::invoke_result_t<Op, T, term>>;
  const runtime::call_scope scope = scope_of(call, exec);
  auto&& policy = default_kernels(exec);
  const std::uint64_t items = items_of(call, first, last);
  refuse_captured_result(policy, call);
  if (items == 0)
  {
    runtime::synchronize(policy, call);
    return init;
  }
  const auto in = detail::unwrap_input(first);
  const auto other = detail::unwrap_input(right);
  const detail::zipped_items<std::remove_cv_t<decltype(in)>, std::remove_cv_t<decltype(other)>, Product> terms{
      in, other, detail::is_aligned(in), detail::is_aligned(other), product};
  return reduce_terms<accum>(call, policy, terms, 0, items, init, op);
}

#if !(REHEAT_DROPPED_OVERLOADS & 0x1000)
REHEAT_EXEC_CHECK_DISABLE
template <class Derived, class InputIt, class Map, class T, class Op>
REHEAT_HOST_DEVICE T transform_reduce(execution_policy<Derived>& exec, InputIt first, InputIt last, Map map, T init, Op op)
{
  using accum = ::cuda::std::decay_t<
      ::cuda::std::invoke_result_t<Op, T, ::cuda::std::invoke_result_t<Map, detail::value_of<InputIt>>>>;
  REHEAT_PARALLEL_OR_SEQUENTIAL(
      (reduce_mapped<accum>("reheat::transform_reduce", exec, first, last, unary_term<Map>{map}, init, op)),
      (THRUST_NS_QUALIFIER::transform_reduce(THRUST_NS_QUALIFIER::seq, first, last, map, init, op)));
}
#endif

#if !(REHEAT_DROPPED_OVERLOADS & 0x2000)
REHEAT_EXEC_CHECK_DISABLE
template <class Derived, class LeftIt, class RightIt, class T>
REHEAT_HOST_DEVICE T inner_product(execution_policy<Derived>& exec, LeftIt first, LeftIt last, RightIt right, T init)
{
  REHEAT_PARALLEL_OR_SEQUENTIAL((inner_product_range("reheat::inner_product", exec, first, last, right, init,
                                                     ::cuda::std::plus<T>{}, ::cuda::std::multiplies<T>{})),
                                (THRUST_NS_QUALIFIER::inner_product(THRUST_NS_QUALIFIER::seq, first, last, right, init)));
}
#endif

#if !(REHEAT_DROPPED_OVERLOADS & 0x4000)
REHEAT_EXEC_CHECK_DISABLE
template <class Derived, class LeftIt, class RightIt, class T, class Op, class Product>
REHEAT_HOST_DEVICE T inner_product(execution_policy<Derived>& exec, LeftIt first, LeftIt last, RightIt right, T init, Op op,
                                   Product product)
{
  REHEAT_PARALLEL_OR_SEQUENTIAL(
      (inner_product_range("reheat::inner_product", exec, first, last, right, init, op, product)),
      (THRUST_NS_QUALIFIER::inner_product(THRUST_NS_QUALIFIER::seq, first, last, right, init, op, product)));
}
#endif

} // namespace thrust_backend
REHEAT_NAMESPACE_END

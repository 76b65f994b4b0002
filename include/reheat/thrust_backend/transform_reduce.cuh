// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! `thrust::transform_reduce` and `thrust::inner_product` for reheat's policies.
//!
//! As Thrust's CUDA backend: terms are folded in what the operator makes of the initial value and a term, inner products
//! without operators in the initial value's type; the result is converted to that type. Everything else is as for
//! `thrust::reduce`: operands in order, the initial value once, on the left; an empty range gives it back; a negative range
//! throws std::runtime_error; the call waits for its stream, whatever the policy.
#pragma once

#include <reheat/detail/algorithms/transform_reduce.cuh>
#include <reheat/detail/config.cuh>
#include <reheat/detail/thread/items.cuh>
#include <reheat/thrust_backend/accumulation.cuh>
#include <reheat/thrust_backend/environment.cuh>
#include <reheat/thrust_backend/pass_on.cuh>
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

namespace calls
{

template <class Accum, class Derived, class InputIt, class Map, class T, class Op>
T transform_reduce(runtime::algorithm which, execution_policy<Derived>& exec, InputIt first, InputIt last, Map map, T init,
                   Op op)
{
  using how = accumulation_of<Derived, Accum>;
  const auto taken = how::functor(op);
  check_reduction<Derived, std::remove_const_t<decltype(taken)>, typename how::type, detail::value_of<InputIt>>();
  const auto env = environment_of(which, exec);
  return static_cast<T>(algorithms::transform_reduce<typename how::type, kernels_of<Derived>>(
      env, first, items_of(env, first, last), map, how::value(init), taken));
}

//! What an inner product accumulates in. Not invoke_result, which refuses lambdas of the device without a return type. For
//! the host these return int, which is no matter where the operator names its types; else Thrust has the wrong type, too.
template <class Op, class T, class Product, class LeftIt, class RightIt>
using inner_product_accum = ::cuda::std::decay_t<::cuda::std::invoke_result_t<
    Op, T,
    ::cuda::std::decay_t<decltype(std::declval<Product&>()(std::declval<detail::value_of<LeftIt>&>(),
                                                           std::declval<detail::value_of<RightIt>&>()))>>>;

template <class Derived, class LeftIt, class RightIt, class T, class Op, class Product>
T inner_product(runtime::algorithm which, execution_policy<Derived>& exec, LeftIt first, LeftIt last, RightIt right, T init,
                Op op, Product product)
{
  using accum = inner_product_accum<Op, T, Product, LeftIt, RightIt>;
  using how = accumulation_of<Derived, accum>;
  const auto taken = how::functor(op);
  check_reduction<Derived, std::remove_const_t<decltype(taken)>, typename how::type, detail::value_of<LeftIt>>();
  const auto env = environment_of(which, exec);
  return static_cast<T>(algorithms::inner_product<typename how::type, kernels_of<Derived>>(
      env, first, right, items_of(env, first, last), how::value(init), taken, map_in<how>(product)));
}

} // namespace calls

REHEAT_EXEC_CHECK_DISABLE
template <class Derived, class InputIt, class Map, class T, class Op>
REHEAT_HOST_DEVICE T transform_reduce(execution_policy<Derived>& exec, InputIt first, InputIt last, Map map, T init, Op op)
{
  using accum = ::cuda::std::decay_t<
      ::cuda::std::invoke_result_t<Op, T, ::cuda::std::invoke_result_t<Map, detail::value_of<InputIt>>>>;
  REHEAT_ACCELERATED(
      (calls::transform_reduce<accum>(runtime::algorithm::transform_reduce, exec, first, last, map, init, op)),
      transform_reduce, first, last, map, init, op);
}

REHEAT_EXEC_CHECK_DISABLE
template <class Derived, class LeftIt, class RightIt, class T>
REHEAT_HOST_DEVICE T inner_product(execution_policy<Derived>& exec, LeftIt first, LeftIt last, RightIt right, T init)
{
  REHEAT_ACCELERATED((calls::inner_product(runtime::algorithm::inner_product, exec, first, last, right, init,
                                           ::cuda::std::plus<T>{}, ::cuda::std::multiplies<T>{})),
                     inner_product, first, last, right, init);
}

REHEAT_EXEC_CHECK_DISABLE
template <class Derived, class LeftIt, class RightIt, class T, class Op, class Product>
REHEAT_HOST_DEVICE T inner_product(execution_policy<Derived>& exec, LeftIt first, LeftIt last, RightIt right, T init, Op op,
                                   Product product)
{
  REHEAT_ACCELERATED((calls::inner_product(runtime::algorithm::inner_product, exec, first, last, right, init, op, product)),
                     inner_product, first, last, right, init, op, product);
}

} // namespace thrust_backend
REHEAT_NAMESPACE_END

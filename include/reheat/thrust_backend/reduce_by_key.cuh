// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! `thrust::reduce_by_key` for reheat's policies.
//!
//! A segment is a run of neighbouring items in which the predicate holds for each key and the next; its key is the key of
//! its first item. As Thrust's CUDA backend: values are folded in their own type; without an operator by the sum in the
//! value type of the values' output, or of their input if that has none. The operator is associative; operands keep their
//! order. Outputs overlap no input; each of their positions is written once. An empty range gives the outputs' beginnings at
//! once, a negative one throws std::runtime_error. The call waits for its stream, whatever the policy. Results are the same
//! bits in every run.
#pragma once

#include <reheat/detail/algorithms/by_key.cuh>
#include <reheat/detail/config.cuh>
#include <reheat/detail/thread/items.cuh>
#include <reheat/thrust_backend/accumulation.cuh>
#include <reheat/thrust_backend/environment.cuh>
#include <reheat/thrust_backend/pass_on.cuh>
#include <reheat/thrust_backend/policy.cuh>

#include <thrust/iterator/detail/any_assign.h>
#include <thrust/reduce.h>

#include <cuda/std/functional>
#include <cuda/std/utility>

#include <cstdint>
#include <type_traits>

REHEAT_NAMESPACE_BEGIN
namespace thrust_backend
{

namespace calls
{

//! What sums are taken in: the value type of the output, unless nothing is known of it but that it can be assigned to.
template <class Output, class Input>
using output_or_input_type =
    std::conditional_t<std::is_void_v<Output> || std::is_same_v<Output, THRUST_NS_QUALIFIER::detail::any_assign>, Input,
                       Output>;
template <class OutputIt, class InputIt, class = void>
struct sum_of
{
  using type = detail::value_of<InputIt>;
};
template <class OutputIt, class InputIt>
struct sum_of<OutputIt, InputIt, std::void_t<detail::value_of<OutputIt>>>
{
  using type = output_or_input_type<detail::value_of<OutputIt>, detail::value_of<InputIt>>;
};
template <class OutputIt, class InputIt>
using sum_type = typename sum_of<OutputIt, InputIt>::type;

template <class Derived, class KeyIt, class ValueIt, class KeyOutputIt, class ValueOutputIt, class Equal, class Op>
::cuda::std::pair<KeyOutputIt, ValueOutputIt> reduce_by_key(runtime::algorithm which, execution_policy<Derived>& exec,
                                                            KeyIt first, KeyIt last, ValueIt values, KeyOutputIt keys_result,
                                                            ValueOutputIt values_result, Equal equal, Op op)
{
  using how = accumulation_of<Derived, detail::value_of<ValueIt>>;
  const auto taken = how::functor(op);
  check_segments<Derived, std::remove_const_t<decltype(taken)>, typename how::type>();
  const auto env = environment_of(which, exec);
  const std::uint64_t items = items_of(env, first, last);
  if (items == 0)
  {
    return {keys_result, values_result};
  }
  const std::uint64_t segments =
      algorithms::reduce_by_key<typename how::type>(env, first, values, keys_result, values_result, items, equal, taken);
  return {advanced(keys_result, segments), advanced(values_result, segments)};
}

} // namespace calls

REHEAT_EXEC_CHECK_DISABLE
template <class Derived, class KeyIt, class ValueIt, class KeyOutputIt, class ValueOutputIt>
REHEAT_HOST_DEVICE ::cuda::std::pair<KeyOutputIt, ValueOutputIt>
reduce_by_key(execution_policy<Derived>& exec, KeyIt first, KeyIt last, ValueIt values, KeyOutputIt keys_result,
              ValueOutputIt values_result)
{
  using equal = ::cuda::std::equal_to<detail::value_of<KeyIt>>;
  using plus = ::cuda::std::plus<calls::sum_type<ValueOutputIt, ValueIt>>;
  REHEAT_ACCELERATED((calls::reduce_by_key(runtime::algorithm::reduce_by_key, exec, first, last, values, keys_result,
                                           values_result, equal{}, plus{})),
                     reduce_by_key, first, last, values, keys_result, values_result);
}

REHEAT_EXEC_CHECK_DISABLE
template <class Derived, class KeyIt, class ValueIt, class KeyOutputIt, class ValueOutputIt, class Equal>
REHEAT_HOST_DEVICE ::cuda::std::pair<KeyOutputIt, ValueOutputIt>
reduce_by_key(execution_policy<Derived>& exec, KeyIt first, KeyIt last, ValueIt values, KeyOutputIt keys_result,
              ValueOutputIt values_result, Equal equal)
{
  using plus = ::cuda::std::plus<calls::sum_type<ValueOutputIt, ValueIt>>;
  REHEAT_ACCELERATED((calls::reduce_by_key(runtime::algorithm::reduce_by_key, exec, first, last, values, keys_result,
                                           values_result, equal, plus{})),
                     reduce_by_key, first, last, values, keys_result, values_result, equal);
}

REHEAT_EXEC_CHECK_DISABLE
template <class Derived, class KeyIt, class ValueIt, class KeyOutputIt, class ValueOutputIt, class Equal, class Op>
REHEAT_HOST_DEVICE ::cuda::std::pair<KeyOutputIt, ValueOutputIt>
reduce_by_key(execution_policy<Derived>& exec, KeyIt first, KeyIt last, ValueIt values, KeyOutputIt keys_result,
              ValueOutputIt values_result, Equal equal, Op op)
{
  REHEAT_ACCELERATED((calls::reduce_by_key(runtime::algorithm::reduce_by_key, exec, first, last, values, keys_result,
                                           values_result, equal, op)),
                     reduce_by_key, first, last, values, keys_result, values_result, equal, op);
}

} // namespace thrust_backend
REHEAT_NAMESPACE_END

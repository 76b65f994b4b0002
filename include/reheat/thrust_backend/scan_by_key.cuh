// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! `thrust::inclusive_scan_by_key` and `thrust::exclusive_scan_by_key` for reheat's policies.
//!
//! A segment is a run of neighbouring items in which the predicate holds for each key and the next. Accumulators,
//! as Thrust's CUDA backend has them: the values' type; for exclusive scans the initial value's type. Without an initial
//! value that is a value-initialised value. `result` may be the keys or the values; any other overlap is not allowed. The
//! operator is associative; operands keep their order. An empty range gives `result` at once, a negative one throws
//! std::runtime_error. The call waits if the policy does. Results are the same bits in every run.
#pragma once

#include <reheat/detail/algorithms/by_key.cuh>
#include <reheat/detail/config.cuh>
#include <reheat/detail/thread/items.cuh>
#include <reheat/thrust_backend/accumulation.cuh>
#include <reheat/thrust_backend/environment.cuh>
#include <reheat/thrust_backend/pass_on.cuh>
#include <reheat/thrust_backend/policy.cuh>

#include <thrust/scan.h>

#include <cuda/std/functional>

#include <cstdint>
#include <type_traits>

REHEAT_NAMESPACE_BEGIN
namespace thrust_backend
{

namespace calls
{

template <class Derived, class KeyIt, class ValueIt, class OutputIt, class Equal, class Op>
OutputIt inclusive_scan_by_key(runtime::algorithm which, execution_policy<Derived>& exec, KeyIt first, KeyIt last,
                               ValueIt values, OutputIt result, Equal equal, Op op)
{
  using how = accumulation_of<Derived, detail::value_of<ValueIt>>;
  const auto taken = how::functor(op);
  check_segments<Derived, std::remove_const_t<decltype(taken)>, typename how::type>();
  const auto env = environment_of(which, exec);
  const std::uint64_t items = items_of(env, first, last);
  algorithms::inclusive_scan_by_key<typename how::type>(env, first, values, result, items, equal, taken);
  return advanced(result, items);
}

template <class Derived, class KeyIt, class ValueIt, class OutputIt, class T, class Equal, class Op>
OutputIt exclusive_scan_by_key(runtime::algorithm which, execution_policy<Derived>& exec, KeyIt first, KeyIt last,
                               ValueIt values, OutputIt result, T init, Equal equal, Op op)
{
  using how = accumulation_of<Derived, T>;
  const auto taken = how::functor(op);
  check_segments<Derived, std::remove_const_t<decltype(taken)>, typename how::type>();
  const auto env = environment_of(which, exec);
  const std::uint64_t items = items_of(env, first, last);
  algorithms::exclusive_scan_by_key(env, first, values, result, items, how::value(init), equal, taken);
  return advanced(result, items);
}

} // namespace calls

REHEAT_EXEC_CHECK_DISABLE
template <class Derived, class KeyIt, class ValueIt, class OutputIt>
REHEAT_HOST_DEVICE OutputIt inclusive_scan_by_key(execution_policy<Derived>& exec, KeyIt first, KeyIt last, ValueIt values,
                                                  OutputIt result)
{
  REHEAT_ACCELERATED((calls::inclusive_scan_by_key(runtime::algorithm::inclusive_scan_by_key, exec, first, last, values,
                                                   result, ::cuda::std::equal_to<>{}, ::cuda::std::plus<>{})),
                     inclusive_scan_by_key, first, last, values, result);
}

REHEAT_EXEC_CHECK_DISABLE
template <class Derived, class KeyIt, class ValueIt, class OutputIt, class Equal>
REHEAT_HOST_DEVICE OutputIt inclusive_scan_by_key(execution_policy<Derived>& exec, KeyIt first, KeyIt last, ValueIt values,
                                                  OutputIt result, Equal equal)
{
  REHEAT_ACCELERATED((calls::inclusive_scan_by_key(runtime::algorithm::inclusive_scan_by_key, exec, first, last, values,
                                                   result, equal, ::cuda::std::plus<>{})),
                     inclusive_scan_by_key, first, last, values, result, equal);
}

REHEAT_EXEC_CHECK_DISABLE
template <class Derived, class KeyIt, class ValueIt, class OutputIt, class Equal, class Op>
REHEAT_HOST_DEVICE OutputIt inclusive_scan_by_key(execution_policy<Derived>& exec, KeyIt first, KeyIt last, ValueIt values,
                                                  OutputIt result, Equal equal, Op op)
{
  REHEAT_ACCELERATED((calls::inclusive_scan_by_key(runtime::algorithm::inclusive_scan_by_key, exec, first, last, values,
                                                   result, equal, op)),
                     inclusive_scan_by_key, first, last, values, result, equal, op);
}

REHEAT_EXEC_CHECK_DISABLE
template <class Derived, class KeyIt, class ValueIt, class OutputIt>
REHEAT_HOST_DEVICE OutputIt exclusive_scan_by_key(execution_policy<Derived>& exec, KeyIt first, KeyIt last, ValueIt values,
                                                  OutputIt result)
{
  REHEAT_ACCELERATED(
      (calls::exclusive_scan_by_key(runtime::algorithm::exclusive_scan_by_key, exec, first, last, values, result,
                                    detail::value_of<ValueIt>{}, ::cuda::std::equal_to<>{}, ::cuda::std::plus<>{})),
      exclusive_scan_by_key, first, last, values, result);
}

REHEAT_EXEC_CHECK_DISABLE
template <class Derived, class KeyIt, class ValueIt, class OutputIt, class T>
REHEAT_HOST_DEVICE OutputIt exclusive_scan_by_key(execution_policy<Derived>& exec, KeyIt first, KeyIt last, ValueIt values,
                                                  OutputIt result, T init)
{
  REHEAT_ACCELERATED((calls::exclusive_scan_by_key(runtime::algorithm::exclusive_scan_by_key, exec, first, last, values,
                                                   result, init, ::cuda::std::equal_to<>{}, ::cuda::std::plus<>{})),
                     exclusive_scan_by_key, first, last, values, result, init);
}

REHEAT_EXEC_CHECK_DISABLE
template <class Derived, class KeyIt, class ValueIt, class OutputIt, class T, class Equal>
REHEAT_HOST_DEVICE OutputIt exclusive_scan_by_key(execution_policy<Derived>& exec, KeyIt first, KeyIt last, ValueIt values,
                                                  OutputIt result, T init, Equal equal)
{
  REHEAT_ACCELERATED((calls::exclusive_scan_by_key(runtime::algorithm::exclusive_scan_by_key, exec, first, last, values,
                                                   result, init, equal, ::cuda::std::plus<>{})),
                     exclusive_scan_by_key, first, last, values, result, init, equal);
}

REHEAT_EXEC_CHECK_DISABLE
template <class Derived, class KeyIt, class ValueIt, class OutputIt, class T, class Equal, class Op>
REHEAT_HOST_DEVICE OutputIt exclusive_scan_by_key(execution_policy<Derived>& exec, KeyIt first, KeyIt last, ValueIt values,
                                                  OutputIt result, T init, Equal equal, Op op)
{
  REHEAT_ACCELERATED((calls::exclusive_scan_by_key(runtime::algorithm::exclusive_scan_by_key, exec, first, last, values,
                                                   result, init, equal, op)),
                     exclusive_scan_by_key, first, last, values, result, init, equal, op);
}

} // namespace thrust_backend
REHEAT_NAMESPACE_END

// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! `thrust::inclusive_scan` and `thrust::exclusive_scan` for our policies.
//!
//! Accumulators, as Thrust's CUDA backend has them: the input's value type; with an initial value, for inclusive scans what
//! the operator makes of the two, for exclusive scans the initial value's type. Outputs are converted from it. A negative
//! range is an empty one. `result` may be `first`; any other overlap is not allowed. The operator is associative; operands
//! keep their order. Results are the same bits in every run.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/indexed.cuh>
#include <reheat/detail/iterators.cuh>
#include <reheat/detail/runtime/runtime.cuh>
#include <reheat/detail/scan/collectives/mapped.cuh>
#include <reheat/detail/scan/dispatch.cuh>
#include <reheat/thrust_backend/policy.cuh>

#include <thrust/iterator/transform_iterator.h>
#include <thrust/scan.h>

#include <cuda/std/functional>
#include <cuda/std/type_traits>

#include <type_traits>

REHEAT_NAMESPACE_BEGIN
namespace thrust_backend
{

//! What the operator makes of a left operand and an item.
template <class Op, class Left, class Item>
using accumulator_of = ::cuda::std::decay_t<::cuda::std::invoke_result_t<Op, Left, Item>>;

//! As unwrap_input; and a transform_iterator over memory becomes an input of which whole tiles move in bulk.
template <class It>
auto scan_input(It first)
{
  return detail::unwrap_input(first);
}
template <class Map, class Base, class Reference, class Value>
auto scan_input(THRUST_NS_QUALIFIER::transform_iterator<Map, Base, Reference, Value> first)
{
  const auto in = detail::unwrap_input(first.base());
  if constexpr (std::is_pointer_v<std::remove_cv_t<decltype(in)>>)
  {
    using source = detail::mapped_source<std::remove_cv_t<decltype(in)>, Map, detail::value_of<decltype(first)>>;
    return detail::indexed_input<source>(source{in, first.functor()});
  }
  else
  {
    return first;
  }
}

//! Scans [first, last) to result; waits if the policy does. Returns the end of the output.
template <detail::scan_kind Kind, class Derived, class InputIt, class OutputIt, class Op, class Init>
OutputIt scan_range(const char* call, execution_policy<Derived>& exec, InputIt first, InputIt last, OutputIt result, Op op,
                    Init init)
{
  const runtime::call_scope scope = scope_of(call, exec);
  auto& policy = THRUST_NS_QUALIFIER::detail::derived_cast(exec);
  refuse_capture_if_waiting(policy, call);
  const auto items = last - first;
  if (items > 0)
  {
    using option = typename Derived::option;
    const auto out = detail::unwrap(result);
    const auto count = static_cast<std::uint64_t>(items);
    if constexpr (has_default_kernels_v<option>)
    {
      detail::enqueue_scan<Kind>(call, policy, scan_input(first), out, count, op, init);
    }
    else
    {
      option::template enqueue_scan<Kind>(call, policy, detail::unwrap_input(first), out, count, op, init);
    }
  }
  runtime::synchronize_optional(policy, call);
  return items > 0 ? result + items : result;
}

#if !(REHEAT_DROPPED_OVERLOADS & 0x008)
REHEAT_EXEC_CHECK_DISABLE
template <class Derived, class InputIt, class OutputIt>
REHEAT_HOST_DEVICE OutputIt inclusive_scan(execution_policy<Derived>& exec, InputIt first, InputIt last, OutputIt result)
{
  using accum = detail::value_of<InputIt>;
  REHEAT_PARALLEL_OR_SEQUENTIAL(
      (scan_range<detail::scan_kind::inclusive>("reheat::inclusive_scan", exec, first, last, result, ::cuda::std::plus<>{},
                                                detail::scan_without_init<accum>{})),
      (THRUST_NS_QUALIFIER::inclusive_scan(THRUST_NS_QUALIFIER::seq, first, last, result)));
}
#endif

#if !(REHEAT_DROPPED_OVERLOADS & 0x010)
REHEAT_EXEC_CHECK_DISABLE
template <class Derived, class InputIt, class OutputIt, class Op>
REHEAT_HOST_DEVICE OutputIt inclusive_scan(execution_policy<Derived>& exec, InputIt first, InputIt last, OutputIt result,
                                           Op op)
{
  using accum = detail::value_of<InputIt>;
  REHEAT_PARALLEL_OR_SEQUENTIAL((scan_range<detail::scan_kind::inclusive>("reheat::inclusive_scan", exec, first, last,
                                                                          result, op, detail::scan_without_init<accum>{})),
                                (THRUST_NS_QUALIFIER::inclusive_scan(THRUST_NS_QUALIFIER::seq, first, last, result, op)));
}
#endif

#if !(REHEAT_DROPPED_OVERLOADS & 0x020)
REHEAT_EXEC_CHECK_DISABLE
template <class Derived, class InputIt, class OutputIt, class T, class Op>
REHEAT_HOST_DEVICE OutputIt inclusive_scan(execution_policy<Derived>& exec, InputIt first, InputIt last, OutputIt result,
                                           T init, Op op)
{
  using accum = accumulator_of<Op, T, detail::value_of<InputIt>>;
  REHEAT_PARALLEL_OR_SEQUENTIAL(
      (scan_range<detail::scan_kind::inclusive>("reheat::inclusive_scan", exec, first, last, result, op,
                                                detail::scan_with_init<accum>{accum(init)})),
      (THRUST_NS_QUALIFIER::inclusive_scan(THRUST_NS_QUALIFIER::seq, first, last, result, init, op)));
}
#endif

#if !(REHEAT_DROPPED_OVERLOADS & 0x040)
REHEAT_EXEC_CHECK_DISABLE
template <class Derived, class InputIt, class OutputIt>
REHEAT_HOST_DEVICE OutputIt exclusive_scan(execution_policy<Derived>& exec, InputIt first, InputIt last, OutputIt result)
{
  using accum = detail::value_of<InputIt>;
  REHEAT_PARALLEL_OR_SEQUENTIAL(
      (scan_range<detail::scan_kind::exclusive>("reheat::exclusive_scan", exec, first, last, result, ::cuda::std::plus<>{},
                                                detail::scan_with_init<accum>{accum{}})),
      (THRUST_NS_QUALIFIER::exclusive_scan(THRUST_NS_QUALIFIER::seq, first, last, result)));
}
#endif

#if !(REHEAT_DROPPED_OVERLOADS & 0x080)
REHEAT_EXEC_CHECK_DISABLE
template <class Derived, class InputIt, class OutputIt, class T>
REHEAT_HOST_DEVICE OutputIt exclusive_scan(execution_policy<Derived>& exec, InputIt first, InputIt last, OutputIt result,
                                           T init)
{
  REHEAT_PARALLEL_OR_SEQUENTIAL(
      (scan_range<detail::scan_kind::exclusive>("reheat::exclusive_scan", exec, first, last, result, ::cuda::std::plus<>{},
                                                detail::scan_with_init<T>{init})),
      (THRUST_NS_QUALIFIER::exclusive_scan(THRUST_NS_QUALIFIER::seq, first, last, result, init)));
}
#endif

#if !(REHEAT_DROPPED_OVERLOADS & 0x100)
REHEAT_EXEC_CHECK_DISABLE
template <class Derived, class InputIt, class OutputIt, class T, class Op>
REHEAT_HOST_DEVICE OutputIt exclusive_scan(execution_policy<Derived>& exec, InputIt first, InputIt last, OutputIt result,
                                           T init, Op op)
{
  REHEAT_PARALLEL_OR_SEQUENTIAL(
      (scan_range<detail::scan_kind::exclusive>("reheat::exclusive_scan", exec, first, last, result, op,
                                                detail::scan_with_init<T>{init})),
      (THRUST_NS_QUALIFIER::exclusive_scan(THRUST_NS_QUALIFIER::seq, first, last, result, init, op)));
}
#endif

} // namespace thrust_backend
REHEAT_NAMESPACE_END

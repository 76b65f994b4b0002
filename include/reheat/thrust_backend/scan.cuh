// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! `thrust::inclusive_scan` and `thrust::exclusive_scan` for reheat's policies.
//!
//! Accumulators, as Thrust's CUDA backend has them: the input's value type; with an initial value, for inclusive scans what
//! the operator makes of the two, for exclusive scans the initial value's type. Outputs are converted from it. A negative
//! range is an empty one. `result` may be `first`; any other overlap is not allowed. The operator is associative; operands
//! keep their order. Results are the same bits in every run, and with gpu_to_gpu on every GPU (scan association v1).
#pragma once

#include <reheat/detail/algorithms/scan.cuh>
#include <reheat/detail/config.cuh>
#include <reheat/detail/scan/kind.cuh>
#include <reheat/detail/thread/items.cuh>
#include <reheat/thrust_backend/accumulation.cuh>
#include <reheat/thrust_backend/environment.cuh>
#include <reheat/thrust_backend/pass_on.cuh>
#include <reheat/thrust_backend/policy.cuh>

#include <thrust/scan.h>

#include <cuda/std/functional>
#include <cuda/std/type_traits>

#include <cstdint>
#include <type_traits>

REHEAT_NAMESPACE_BEGIN
namespace thrust_backend
{

namespace calls
{

//! What the operator makes of a left operand and an item.
template <class Op, class Left, class Item>
using accumulator_of = ::cuda::std::decay_t<::cuda::std::invoke_result_t<Op, Left, Item>>;

template <detail::scan_kind Kind, class Derived, class InputIt, class OutputIt, class Op, class Init>
OutputIt scan(runtime::algorithm which, execution_policy<Derived>& exec, InputIt first, InputIt last, OutputIt result, Op op,
              Init init)
{
  using how = accumulation_of<Derived, typename Init::accum>;
  const auto taken = how::functor(op);
  constexpr detail::scan_association association =
      check_scan<Derived, std::remove_const_t<decltype(taken)>, typename how::type>();
  const std::uint64_t items = items_or_none(first, last);
  constexpr bool widens = !std::is_void_v<typename Derived::option::accumulator>;
  algorithms::scan<Kind, kernels_of<Derived>, widens, association>(environment_of(which, exec), first, result, items, taken,
                                                                   how::init(init));
  return advanced(result, items);
}

} // namespace calls

REHEAT_EXEC_CHECK_DISABLE
template <class Derived, class InputIt, class OutputIt>
REHEAT_HOST_DEVICE OutputIt inclusive_scan(execution_policy<Derived>& exec, InputIt first, InputIt last, OutputIt result)
{
  using accum = detail::value_of<InputIt>;
  REHEAT_ACCELERATED(
      (calls::scan<detail::scan_kind::inclusive>(runtime::algorithm::inclusive_scan, exec, first, last, result,
                                                 ::cuda::std::plus<>{}, detail::scan_without_init<accum>{})),
      inclusive_scan, first, last, result);
}

REHEAT_EXEC_CHECK_DISABLE
template <class Derived, class InputIt, class OutputIt, class Op>
REHEAT_HOST_DEVICE OutputIt inclusive_scan(execution_policy<Derived>& exec, InputIt first, InputIt last, OutputIt result,
                                           Op op)
{
  using accum = detail::value_of<InputIt>;
  REHEAT_ACCELERATED((calls::scan<detail::scan_kind::inclusive>(runtime::algorithm::inclusive_scan, exec, first, last,
                                                                result, op, detail::scan_without_init<accum>{})),
                     inclusive_scan, first, last, result, op);
}

REHEAT_EXEC_CHECK_DISABLE
template <class Derived, class InputIt, class OutputIt, class T, class Op>
REHEAT_HOST_DEVICE OutputIt inclusive_scan(execution_policy<Derived>& exec, InputIt first, InputIt last, OutputIt result,
                                           T init, Op op)
{
  using accum = calls::accumulator_of<Op, T, detail::value_of<InputIt>>;
  REHEAT_ACCELERATED((calls::scan<detail::scan_kind::inclusive>(runtime::algorithm::inclusive_scan, exec, first, last,
                                                                result, op, detail::scan_with_init<accum>{{accum(init)}})),
                     inclusive_scan, first, last, result, init, op);
}

REHEAT_EXEC_CHECK_DISABLE
template <class Derived, class InputIt, class OutputIt>
REHEAT_HOST_DEVICE OutputIt exclusive_scan(execution_policy<Derived>& exec, InputIt first, InputIt last, OutputIt result)
{
  using accum = detail::value_of<InputIt>;
  REHEAT_ACCELERATED(
      (calls::scan<detail::scan_kind::exclusive>(runtime::algorithm::exclusive_scan, exec, first, last, result,
                                                 ::cuda::std::plus<>{}, detail::scan_with_init<accum>{{accum{}}})),
      exclusive_scan, first, last, result);
}

REHEAT_EXEC_CHECK_DISABLE
template <class Derived, class InputIt, class OutputIt, class T>
REHEAT_HOST_DEVICE OutputIt exclusive_scan(execution_policy<Derived>& exec, InputIt first, InputIt last, OutputIt result,
                                           T init)
{
  REHEAT_ACCELERATED(
      (calls::scan<detail::scan_kind::exclusive>(runtime::algorithm::exclusive_scan, exec, first, last, result,
                                                 ::cuda::std::plus<>{}, detail::scan_with_init<T>{{init}})),
      exclusive_scan, first, last, result, init);
}

REHEAT_EXEC_CHECK_DISABLE
template <class Derived, class InputIt, class OutputIt, class T, class Op>
REHEAT_HOST_DEVICE OutputIt exclusive_scan(execution_policy<Derived>& exec, InputIt first, InputIt last, OutputIt result,
                                           T init, Op op)
{
  REHEAT_ACCELERATED((calls::scan<detail::scan_kind::exclusive>(runtime::algorithm::exclusive_scan, exec, first, last,
                                                                result, op, detail::scan_with_init<T>{{init}})),
                     exclusive_scan, first, last, result, init, op);
}

} // namespace thrust_backend
REHEAT_NAMESPACE_END

// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! `thrust::transform_inclusive_scan` and `thrust::transform_exclusive_scan` for our policies.
//!
//! Accumulators, as Thrust's CUDA backend has them: what the functor makes of an item; with an initial value, for inclusive
//! scans what the operator makes of the two, for exclusive scans the initial value's type, to which terms are converted.
//! Everything else is as for the plain scans: `result` may be `first`, a negative range is an empty one, operands keep their
//! order, and the call waits if the policy does.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/indexed.cuh>
#include <reheat/thrust_backend/call.cuh>
#include <reheat/thrust_backend/policy.cuh>
#include <reheat/thrust_backend/scan.cuh>

#include <thrust/transform_scan.h>

#include <type_traits>

REHEAT_NAMESPACE_BEGIN
namespace thrust_backend
{

//! As scan_range, of map(item) as Terms.
template <detail::scan_kind Kind, class Term, class Derived, class InputIt, class OutputIt, class Map, class Op, class Init>
OutputIt scan_mapped(const char* call, execution_policy<Derived>& exec, InputIt first, InputIt last, OutputIt result,
                     Map map, Op op, Init init)
{
  auto&& policy = default_kernels(exec);
  const auto items = last - first;
  if (items <= 0)
  {
    const runtime::call_scope scope = scope_of(call, exec);
    refuse_capture_if_waiting(policy, call);
    runtime::synchronize_optional(policy, call);
    return result;
  }
  const auto in = detail::unwrap_input(first);
  using source = detail::mapped_source<std::remove_cv_t<decltype(in)>, Map, Term>;
  const detail::indexed_input<source> terms(source{in, map});
  return scan_range<Kind>(call, policy, terms, terms + static_cast<std::ptrdiff_t>(items), result, op, init);
}

#if !(REHEAT_DROPPED_OVERLOADS & 0x4000000)
REHEAT_EXEC_CHECK_DISABLE
template <class Derived, class InputIt, class OutputIt, class Map, class Op>
REHEAT_HOST_DEVICE OutputIt transform_inclusive_scan(execution_policy<Derived>& exec, InputIt first, InputIt last,
                                                     OutputIt result, Map map, Op op)
{
  using term = mapped_type<Map, detail::value_of<InputIt>>;
  REHEAT_PARALLEL_OR_SEQUENTIAL(
      (scan_mapped<detail::scan_kind::inclusive, term>("reheat::transform_inclusive_scan", exec, first, last, result, map,
                                                       op, detail::scan_without_init<term>{})),
      (THRUST_NS_QUALIFIER::transform_inclusive_scan(THRUST_NS_QUALIFIER::seq, first, last, result, map, op)));
}
#endif

#if !(REHEAT_DROPPED_OVERLOADS & 0x8000000)
REHEAT_EXEC_CHECK_DISABLE
template <class Derived, class InputIt, class OutputIt, class Map, class T, class Op>
REHEAT_HOST_DEVICE OutputIt transform_inclusive_scan(execution_policy<Derived>& exec, InputIt first, InputIt last,
                                                     OutputIt result, Map map, T init, Op op)
{
  using term = mapped_type<Map, detail::value_of<InputIt>>;
  using accum = accumulator_of<Op, T, term>;
  REHEAT_PARALLEL_OR_SEQUENTIAL(
      (scan_mapped<detail::scan_kind::inclusive, term>("reheat::transform_inclusive_scan", exec, first, last, result, map,
                                                       op, detail::scan_with_init<accum>{accum(init)})),
      (THRUST_NS_QUALIFIER::transform_inclusive_scan(THRUST_NS_QUALIFIER::seq, first, last, result, map, init, op)));
}
#endif

#if !(REHEAT_DROPPED_OVERLOADS & 0x10000000)
REHEAT_EXEC_CHECK_DISABLE
template <class Derived, class InputIt, class OutputIt, class Map, class T, class Op>
REHEAT_HOST_DEVICE OutputIt transform_exclusive_scan(execution_policy<Derived>& exec, InputIt first, InputIt last,
                                                     OutputIt result, Map map, T init, Op op)
{
  REHEAT_PARALLEL_OR_SEQUENTIAL(
      (scan_mapped<detail::scan_kind::exclusive, T>("reheat::transform_exclusive_scan", exec, first, last, result, map, op,
                                                    detail::scan_with_init<T>{init})),
      (THRUST_NS_QUALIFIER::transform_exclusive_scan(THRUST_NS_QUALIFIER::seq, first, last, result, map, init, op)));
}
#endif

} // namespace thrust_backend
REHEAT_NAMESPACE_END

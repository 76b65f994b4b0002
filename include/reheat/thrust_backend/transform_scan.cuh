// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! `thrust::transform_inclusive_scan` and `thrust::transform_exclusive_scan` for reheat's policies.
//!
//! Accumulators, as Thrust's CUDA backend has them: what the functor makes of an item; with an initial value, for inclusive
//! scans what the operator makes of the two, for exclusive scans the initial value's type, to which terms are converted.
//! Everything else is as for the plain scans: `result` may be `first`, a negative range is an empty one, operands keep their
//! order, and the call waits if the policy does.
#pragma once

#include <reheat/detail/algorithms/scan.cuh>
#include <reheat/detail/config.cuh>
#include <reheat/detail/scan/kind.cuh>
#include <reheat/detail/thread/items.cuh>
#include <reheat/thrust_backend/accumulation.cuh>
#include <reheat/thrust_backend/environment.cuh>
#include <reheat/thrust_backend/pass_on.cuh>
#include <reheat/thrust_backend/policy.cuh>
#include <reheat/thrust_backend/scan.cuh>

#include <thrust/transform_scan.h>

#include <cuda/std/type_traits>

#include <cstdint>
#include <type_traits>

REHEAT_NAMESPACE_BEGIN
namespace thrust_backend
{

namespace calls
{

//! What a functor makes of a T.
template <class Map, class T>
using mapped_type = ::cuda::std::remove_cvref_t<::cuda::std::invoke_result_t<Map, T>>;

template <detail::scan_kind Kind, class Term, class Derived, class InputIt, class OutputIt, class Map, class Op, class Init>
OutputIt transform_scan(runtime::algorithm which, execution_policy<Derived>& exec, InputIt first, InputIt last,
                        OutputIt result, Map map, Op op, Init init)
{
  using how = accumulation_of<Derived, typename Init::accum>;
  using term = std::conditional_t<std::is_void_v<typename Derived::option::accumulator>, Term, typename how::type>;
  const auto taken = how::functor(op);
  constexpr detail::scan_association association =
      check_scan<Derived, std::remove_const_t<decltype(taken)>, typename how::type>();
  const std::uint64_t items = items_or_none(first, last);
  algorithms::transform_scan<Kind, term, association>(environment_of(which, exec), first, result, items, map, taken,
                                                      how::init(init));
  return advanced(result, items);
}

} // namespace calls

REHEAT_EXEC_CHECK_DISABLE
template <class Derived, class InputIt, class OutputIt, class Map, class Op>
REHEAT_HOST_DEVICE OutputIt transform_inclusive_scan(execution_policy<Derived>& exec, InputIt first, InputIt last,
                                                     OutputIt result, Map map, Op op)
{
  using term = calls::mapped_type<Map, detail::value_of<InputIt>>;
  REHEAT_ACCELERATED(
      (calls::transform_scan<detail::scan_kind::inclusive, term>(runtime::algorithm::transform_inclusive_scan, exec, first,
                                                                 last, result, map, op, detail::scan_without_init<term>{})),
      transform_inclusive_scan, first, last, result, map, op);
}

REHEAT_EXEC_CHECK_DISABLE
template <class Derived, class InputIt, class OutputIt, class Map, class T, class Op>
REHEAT_HOST_DEVICE OutputIt transform_inclusive_scan(execution_policy<Derived>& exec, InputIt first, InputIt last,
                                                     OutputIt result, Map map, T init, Op op)
{
  using term = calls::mapped_type<Map, detail::value_of<InputIt>>;
  using accum = calls::accumulator_of<Op, T, term>;
  REHEAT_ACCELERATED((calls::transform_scan<detail::scan_kind::inclusive, term>(
                         runtime::algorithm::transform_inclusive_scan, exec, first, last, result, map, op,
                         detail::scan_with_init<accum>{{accum(init)}})),
                     transform_inclusive_scan, first, last, result, map, init, op);
}

REHEAT_EXEC_CHECK_DISABLE
template <class Derived, class InputIt, class OutputIt, class Map, class T, class Op>
REHEAT_HOST_DEVICE OutputIt transform_exclusive_scan(execution_policy<Derived>& exec, InputIt first, InputIt last,
                                                     OutputIt result, Map map, T init, Op op)
{
  REHEAT_ACCELERATED(
      (calls::transform_scan<detail::scan_kind::exclusive, T>(runtime::algorithm::transform_exclusive_scan, exec, first,
                                                              last, result, map, op, detail::scan_with_init<T>{{init}})),
      transform_exclusive_scan, first, last, result, map, init, op);
}

} // namespace thrust_backend
REHEAT_NAMESPACE_END

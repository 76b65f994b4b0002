// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! `thrust::inclusive_scan_by_key` and `thrust::exclusive_scan_by_key` for our policies.
//!
//! A segment is a run of items each of which has a key that the predicate takes for equal to the one before. Accumulators,
//! as Thrust's CUDA backend has them: the values' type; for exclusive scans the initial value's type. Without an initial
//! value that is a value-initialised value. `result` may be the keys or the values; any other overlap is not allowed. The
//! operator is associative; operands keep their order. An empty range gives `result` at once, a negative one throws
//! std::runtime_error. The call waits if the policy does. Results are the same bits in every run.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/indexed.cuh>
#include <reheat/detail/segments/collectives/form.cuh>
#include <reheat/detail/segments/segments.cuh>
#include <reheat/thrust_backend/call.cuh>
#include <reheat/thrust_backend/policy.cuh>
#include <reheat/thrust_backend/scan.cuh>

#include <thrust/scan.h>

#include <cuda/std/functional>

#include <type_traits>

REHEAT_NAMESPACE_BEGIN
namespace thrust_backend
{

//! Scans what the source makes of `items` >= 1 items, and stores the values.
template <detail::scan_kind Kind, class Policy, class Source, class OutputIt, class Op, class Init>
OutputIt scan_segments(const char* call, Policy& policy, const Source& source, std::uint64_t items, OutputIt result, Op op,
                       Init init)
{
  const auto out = detail::unwrap(result);
  using sink = detail::value_sink<std::remove_cv_t<decltype(out)>>;
  const detail::indexed_input<Source> in(source);
  scan_range<Kind>(call, policy, in, in + static_cast<std::ptrdiff_t>(items), detail::indexed_output<sink>(sink{out}),
                   detail::segmented_op<Op>{op}, init);
  return result + static_cast<std::ptrdiff_t>(items);
}

template <class Derived, class KeyIt, class ValueIt, class OutputIt, class Equal, class Op>
OutputIt inclusive_scan_segments(const char* call, execution_policy<Derived>& exec, KeyIt first, KeyIt last, ValueIt values,
                                 OutputIt result, Equal equal, Op op)
{
  using value = detail::value_of<ValueIt>;
  const std::uint64_t items = items_of(call, first, last);
  if (items == 0)
  {
    return result;
  }
  auto&& policy = default_kernels(exec);
  const auto keys = detail::unwrap_input(first);
  const auto in = detail::unwrap_input(values);
  using keys_type = std::remove_cv_t<decltype(keys)>;
  using source = detail::segmented_source<value, detail::boundary_flags, keys_type, std::remove_cv_t<decltype(in)>, Equal>;
  return scan_segments<detail::scan_kind::inclusive>(
      call, policy, source{{keys, items, equal}, in}, items, result, op,
      detail::scan_without_init<detail::segmented<value, detail::boundary_flags>>{});
}

template <class Derived, class KeyIt, class ValueIt, class OutputIt, class T, class Equal, class Op>
OutputIt exclusive_scan_segments(const char* call, execution_policy<Derived>& exec, KeyIt first, KeyIt last, ValueIt values,
                                 OutputIt result, T init, Equal equal, Op op)
{
  const std::uint64_t items = items_of(call, first, last);
  if (items == 0)
  {
    return result;
  }
  auto&& policy = default_kernels(exec);
  const auto keys = detail::unwrap_input(first);
  const auto in = detail::unwrap_input(values);
  using keys_type = std::remove_cv_t<decltype(keys)>;
  using source = detail::restarting_source<T, keys_type, std::remove_cv_t<decltype(in)>, Equal>;
  using accum = detail::segmented<T, detail::boundary_flags>;
  return scan_segments<detail::scan_kind::exclusive>(
      call, policy, source{{keys, items, equal}, in, init}, items, result, op,
      detail::scan_with_init<accum>{{detail::boundary_flags(false, false), init}});
}

#if !(REHEAT_DROPPED_OVERLOADS & 0x20000000)
REHEAT_EXEC_CHECK_DISABLE
template <class Derived, class KeyIt, class ValueIt, class OutputIt>
REHEAT_HOST_DEVICE OutputIt inclusive_scan_by_key(execution_policy<Derived>& exec, KeyIt first, KeyIt last, ValueIt values,
                                                  OutputIt result)
{
  REHEAT_PARALLEL_OR_SEQUENTIAL(
      (inclusive_scan_segments("reheat::inclusive_scan_by_key", exec, first, last, values, result, ::cuda::std::equal_to<>{},
                               ::cuda::std::plus<>{})),
      (THRUST_NS_QUALIFIER::inclusive_scan_by_key(THRUST_NS_QUALIFIER::seq, first, last, values, result)));
}
#endif

#if !(REHEAT_DROPPED_OVERLOADS & 0x40000000)
REHEAT_EXEC_CHECK_DISABLE
template <class Derived, class KeyIt, class ValueIt, class OutputIt, class Equal>
REHEAT_HOST_DEVICE OutputIt inclusive_scan_by_key(execution_policy<Derived>& exec, KeyIt first, KeyIt last, ValueIt values,
                                                  OutputIt result, Equal equal)
{
  REHEAT_PARALLEL_OR_SEQUENTIAL(
      (inclusive_scan_segments("reheat::inclusive_scan_by_key", exec, first, last, values, result, equal,
                               ::cuda::std::plus<>{})),
      (THRUST_NS_QUALIFIER::inclusive_scan_by_key(THRUST_NS_QUALIFIER::seq, first, last, values, result, equal)));
}
#endif

#if !(REHEAT_DROPPED_OVERLOADS & 0x80000000)
REHEAT_EXEC_CHECK_DISABLE
template <class Derived, class KeyIt, class ValueIt, class OutputIt, class Equal, class Op>
REHEAT_HOST_DEVICE OutputIt inclusive_scan_by_key(execution_policy<Derived>& exec, KeyIt first, KeyIt last, ValueIt values,
                                                  OutputIt result, Equal equal, Op op)
{
  REHEAT_PARALLEL_OR_SEQUENTIAL(
      (inclusive_scan_segments("reheat::inclusive_scan_by_key", exec, first, last, values, result, equal, op)),
      (THRUST_NS_QUALIFIER::inclusive_scan_by_key(THRUST_NS_QUALIFIER::seq, first, last, values, result, equal, op)));
}
#endif

#if !(REHEAT_DROPPED_OVERLOADS & 0x100000000)
REHEAT_EXEC_CHECK_DISABLE
template <class Derived, class KeyIt, class ValueIt, class OutputIt>
REHEAT_HOST_DEVICE OutputIt exclusive_scan_by_key(execution_policy<Derived>& exec, KeyIt first, KeyIt last, ValueIt values,
                                                  OutputIt result)
{
  REHEAT_PARALLEL_OR_SEQUENTIAL(
      (exclusive_scan_segments("reheat::exclusive_scan_by_key", exec, first, last, values, result,
                               detail::value_of<ValueIt>{}, ::cuda::std::equal_to<>{}, ::cuda::std::plus<>{})),
      (THRUST_NS_QUALIFIER::exclusive_scan_by_key(THRUST_NS_QUALIFIER::seq, first, last, values, result)));
}
#endif

#if !(REHEAT_DROPPED_OVERLOADS & 0x200000000)
REHEAT_EXEC_CHECK_DISABLE
template <class Derived, class KeyIt, class ValueIt, class OutputIt, class T>
REHEAT_HOST_DEVICE OutputIt exclusive_scan_by_key(execution_policy<Derived>& exec, KeyIt first, KeyIt last, ValueIt values,
                                                  OutputIt result, T init)
{
  REHEAT_PARALLEL_OR_SEQUENTIAL(
      (exclusive_scan_segments("reheat::exclusive_scan_by_key", exec, first, last, values, result, init,
                               ::cuda::std::equal_to<>{}, ::cuda::std::plus<>{})),
      (THRUST_NS_QUALIFIER::exclusive_scan_by_key(THRUST_NS_QUALIFIER::seq, first, last, values, result, init)));
}
#endif

#if !(REHEAT_DROPPED_OVERLOADS & 0x400000000)
REHEAT_EXEC_CHECK_DISABLE
template <class Derived, class KeyIt, class ValueIt, class OutputIt, class T, class Equal>
REHEAT_HOST_DEVICE OutputIt exclusive_scan_by_key(execution_policy<Derived>& exec, KeyIt first, KeyIt last, ValueIt values,
                                                  OutputIt result, T init, Equal equal)
{
  REHEAT_PARALLEL_OR_SEQUENTIAL(
      (exclusive_scan_segments("reheat::exclusive_scan_by_key", exec, first, last, values, result, init, equal,
                               ::cuda::std::plus<>{})),
      (THRUST_NS_QUALIFIER::exclusive_scan_by_key(THRUST_NS_QUALIFIER::seq, first, last, values, result, init, equal)));
}
#endif

#if !(REHEAT_DROPPED_OVERLOADS & 0x800000000)
REHEAT_EXEC_CHECK_DISABLE
template <class Derived, class KeyIt, class ValueIt, class OutputIt, class T, class Equal, class Op>
REHEAT_HOST_DEVICE OutputIt exclusive_scan_by_key(execution_policy<Derived>& exec, KeyIt first, KeyIt last, ValueIt values,
                                                  OutputIt result, T init, Equal equal, Op op)
{
  REHEAT_PARALLEL_OR_SEQUENTIAL(
      (exclusive_scan_segments("reheat::exclusive_scan_by_key", exec, first, last, values, result, init, equal, op)),
      (THRUST_NS_QUALIFIER::exclusive_scan_by_key(THRUST_NS_QUALIFIER::seq, first, last, values, result, init, equal, op)));
}
#endif

} // namespace thrust_backend
REHEAT_NAMESPACE_END

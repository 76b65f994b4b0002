// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Calls by key across ranks: `thrust::inclusive_scan_by_key`, `exclusive_scan_by_key` and `reduce_by_key`, and
//! `reheat::reduce_by_key_across`.
//!
//! Each rank passes its part of the keys and values. A run of neighbouring items in which the predicate holds for each key
//! and the next may go over the ends of parts, over whole parts, and over ranks without items. The operator is associative;
//! operands keep their order. Keys, and the type in which the call folds, are copyable by their bytes. Scans read each
//! part twice, but that of the last rank once; reduce_by_key reads it once if both outputs are memory of the keys' type and
//! of the type in which it folds, and twice otherwise. A range that ends before it begins throws. Results are the same bits
//! in every run.
//!
//! Scans: each rank gets its part of one call's result. `result` may be the keys or the values. The initial value begins
//! each run; each rank uses its own, so all pass the same.
//!
//! reduce_by_key: each run's key and value are stored once, on the rank in whose part the run ends; the outputs of all
//! ranks, in the order of ranks, are those of one call. The key is that of the run's first item, wherever that is. A rank's
//! outputs need room for each run of its part: behind the ends that are returned, what is left of a run that goes on is
//! unspecified.
#pragma once

#include <reheat/across/policy.cuh>
#include <reheat/across/reduce.cuh>
#include <reheat/across/select.cuh>
#include <reheat/detail/across/by_key.cuh>
#include <reheat/detail/across/call.cuh>
#include <reheat/detail/algorithms/by_key.cuh>
#include <reheat/detail/config.cuh>
#include <reheat/detail/indexed.cuh>
#include <reheat/detail/iterators.cuh>
#include <reheat/detail/reduce/dispatch.cuh>
#include <reheat/detail/scan/dispatch.cuh>
#include <reheat/detail/scan/kind.cuh>
#include <reheat/detail/segments/segments.cuh>
#include <reheat/detail/thread/initial_value.cuh>
#include <reheat/detail/thread/items.cuh>
#include <reheat/thrust_backend/accumulation.cuh>
#include <reheat/thrust_backend/environment.cuh>
#include <reheat/thrust_backend/reduce_by_key.cuh>

#include <cuda/std/functional>
#include <cuda/std/utility>

#include <cstdint>
#include <type_traits>

REHEAT_NAMESPACE_BEGIN

//! What reduce_by_key_across returns.
template <class KeyOutputIt, class ValueOutputIt>
struct runs_across
{
  KeyOutputIt keys_end;       //!< of the runs that end in this rank's part
  ValueOutputIt values_end;   //!< of the same
  std::uint64_t global_index; //!< of the first of them among the runs of all ranks
  std::uint64_t total;        //!< runs of all ranks
};

namespace thrust_backend
{
namespace calls
{

template <class Key>
constexpr void check_keys()
{
  static_assert(detail::is_bitwise_copyable_v<Key>,
                "reheat: a call by key across ranks sends the first and the last key of a part as bytes, so keys have to be "
                "copyable by their bytes");
  static_assert(
      alignof(Key) <= library::record_bytes,
      "reheat: a call by key across ranks sends keys that are aligned to 64 bytes at most; align the keys to fewer "
      "bytes");
}

//! Enqueues the rank's record for a scan, made of its first `scanned` items; of no items it is absent.
template <class T, class Key, class Environment, class KeyIt, class ValueIt, class Equal, class Op>
void enqueue_record_for_scan(across::call<detail::keyed_part<Key, T>, Environment>& call, KeyIt keys, ValueIt values,
                             std::uint64_t items, std::uint64_t scanned, Equal equal, Op op)
{
  if (items == 0)
  {
    call.store_absent(0);
    return;
  }
  const auto key_input = detail::unwrap_input(call.env(), keys);
  const auto value_input = detail::unwrap_input(call.env(), values);
  using keys_type = std::remove_cv_t<decltype(key_input)>;
  using source =
      detail::segmented_source<T, detail::boundary_count, keys_type, std::remove_cv_t<decltype(value_input)>, Equal>;
  using sink = detail::record_sink<Key, T, keys_type>;
  detail::enqueue_scan<detail::scan_kind::inclusive>(
      call.env(), source{{key_input, scanned, equal}, value_input}, sink{{call.result(items), key_input, scanned}}, scanned,
      detail::segmented_op<Op>{op}, detail::scan_without_init<detail::segmented<T, detail::boundary_count>>{});
}

//! Enqueues the rank's record for reduce_by_key; of no items it is absent.
template <class T, class Key, class Environment, class KeyIt, class ValueIt, class Equal, class Op>
void enqueue_record_by_key(across::call<detail::keyed_part<Key, T>, Environment>& call, KeyIt keys, ValueIt values,
                           std::uint64_t items, Equal equal, Op op)
{
  if (items == 0)
  {
    call.store_absent(0);
    return;
  }
  const auto key_input = detail::unwrap_input(call.env(), keys);
  const auto value_input = detail::unwrap_input(call.env(), values);
  using keys_type = std::remove_cv_t<decltype(key_input)>;
  using source = detail::keyed_source<Key, T, keys_type, std::remove_cv_t<decltype(value_input)>, Equal>;
  using fold = detail::keyed_fold<Key, T>;
  detail::enqueue_reduce_to<fold>(call.env(), detail::indexed_input<source>(source{{key_input, items, equal}, value_input}),
                                  items, detail::no_initial_value<fold>{},
                                  detail::segmented_op<detail::keep_first_key<Op>>{{op}},
                                  detail::keyed_record<Key, T, keys_type>{call.result(items), key_input, items});
}

//! Enqueues the stores of the part's runs, as if no rank stood before, and the rank's record of them; items >= 1.
template <class T, class Key, class Environment, class KeyIt, class ValueIt, class KeyOutputIt, class ValueOutputIt,
          class Equal, class Op>
void enqueue_runs_and_record(across::call<detail::keyed_part<Key, T>, Environment>& call, KeyIt keys, ValueIt values,
                             KeyOutputIt keys_result, ValueOutputIt values_result, std::uint64_t items, Equal equal, Op op)
{
  const auto key_input = detail::unwrap_input(call.env(), keys);
  using keys_type = std::remove_cv_t<decltype(key_input)>;
  auto* const runs = call.template carry<std::uint64_t>();
  algorithms::enqueue_reduce_by_key<T>(call.env(), keys, values, keys_result, values_result, runs, items, equal, op);
  runtime::launch(call.env(), call.one_warp, &detail::store_record_of_runs_kernel<Key, T, keys_type>, call.result(items),
                  key_input, items, runs, detail::unwrap(call.env(), keys_result),
                  detail::unwrap(call.env(), values_result));
}

//! `scan(env, items, start)` enqueues the scan of the part.
template <class Derived, class KeyIt, class ValueIt, class OutputIt, class Equal, class Op, class Init, class Scan>
OutputIt scan_by_key_across(runtime::algorithm which, across_policy<Derived>& exec, KeyIt first, KeyIt last, ValueIt values,
                            OutputIt result, Equal equal, Op op, Init init, Scan scan)
{
  using accum = typename Init::accum;
  using key = detail::value_of<KeyIt>;
  using start = detail::segmented<accum, detail::boundary_flags>;
  check_keys<key>();
  check_segments<local_policy_of<Derived>, Op, accum>();
  const auto env = environment_across(which, exec);
  std::uint64_t items = 0;
  call_across_ranks<detail::keyed_part<key, accum>, detail::value_of<ValueIt>>(
      env, across_of(exec).ranks(), which, false, sizeof(detail::scan_carry<start>), items_or_none(first, last),
      [&] { return items = items_of(env, first, last); },
      [&](auto& call, std::uint64_t)
      {
        // Of the last rank only its first key is looked at, by itself.
        enqueue_record_for_scan<accum, key>(call, first, values, items, call.is_last() && items != 0 ? 1 : items, equal, op);
      },
      [&](auto& call, const auto& gathered)
      {
        call.leave_on_device(
            [&]
            {
              auto* const carry = call.template carry<detail::scan_carry<start>>();
              runtime::launch(env, call.one_warp, &detail::carry_by_key_kernel<key, Init, Equal, Op>, gathered, init, equal,
                              op, carry);
              if (items != 0)
              {
                scan(env, items, detail::scan_with_carry<start>{carry});
              }
            });
      });
  return advanced(result, items);
}

template <class Derived, class KeyIt, class ValueIt, class OutputIt, class Equal, class Op>
OutputIt inclusive_scan_by_key(across_policy<Derived>& exec, KeyIt first, KeyIt last, ValueIt values, OutputIt result,
                               Equal equal, Op op)
{
  using how = accumulation_of<local_policy_of<Derived>, detail::value_of<ValueIt>>;
  using accum = typename how::type;
  const std::decay_t<decltype(how::functor(op))> taken = how::functor(op);
  return scan_by_key_across(
      runtime::algorithm::inclusive_scan_by_key, exec, first, last, values, result, equal, taken,
      detail::scan_without_init<accum>{},
      [&](const auto& env, std::uint64_t items, const auto& start)
      { algorithms::enqueue_inclusive_scan_by_key<accum>(env, first, values, result, items, equal, taken, start); });
}
template <class Derived, class KeyIt, class ValueIt, class OutputIt, class T, class Equal, class Op>
OutputIt exclusive_scan_by_key(across_policy<Derived>& exec, KeyIt first, KeyIt last, ValueIt values, OutputIt result,
                               T init, Equal equal, Op op)
{
  using how = accumulation_of<local_policy_of<Derived>, T>;
  using accum = typename how::type;
  const std::decay_t<decltype(how::functor(op))> taken = how::functor(op);
  const accum restart = how::value(init);
  return scan_by_key_across(
      runtime::algorithm::exclusive_scan_by_key, exec, first, last, values, result, equal, taken,
      detail::scan_with_init<accum>{{restart}},
      [&](const auto& env, std::uint64_t items, const auto& start)
      { algorithms::enqueue_exclusive_scan_by_key(env, first, values, result, items, restart, equal, taken, start); });
}

template <class Derived, class KeyIt, class ValueIt, class KeyOutputIt, class ValueOutputIt, class Equal, class Op,
          class Take>
auto reduce_by_key_across(const caller_across& caller, across_policy<Derived>& exec, KeyIt first, KeyIt last, ValueIt values,
                          KeyOutputIt keys_result, ValueOutputIt values_result, Equal equal, Op op, Take take)
{
  using how = accumulation_of<local_policy_of<Derived>, detail::value_of<ValueIt>>;
  using accum = typename how::type;
  using key = detail::value_of<KeyIt>;
  const std::decay_t<decltype(how::functor(op))> taken = how::functor(op);
  using taken_type = std::remove_const_t<decltype(taken)>;
  check_keys<key>();
  check_segments<local_policy_of<Derived>, taken_type, accum>();
  const auto env = environment_across(caller, exec);
  constexpr bool one_pass = detail::can_reread_runs_v<key, accum, decltype(detail::unwrap(env, keys_result)),
                                                      decltype(detail::unwrap(env, values_result))>;
  using carry_type = std::conditional_t<one_pass, std::uint64_t, detail::runs_carry<key, accum>>;
  std::uint64_t items = 0;
  return call_across_ranks<detail::keyed_part<key, accum>, detail::value_of<ValueIt>>(
      env, across_of(exec).ranks(), caller, Take::returns_value, sizeof(carry_type), items_or_none(first, last),
      [&] { return items = items_of(env, first, last); },
      [&](auto& call, std::uint64_t)
      {
        if constexpr (one_pass)
        {
          if (items != 0)
          {
            enqueue_runs_and_record<accum, key>(call, first, values, keys_result, values_result, items, equal, taken);
            return;
          }
        }
        enqueue_record_by_key<accum, key>(call, first, values, items, equal, taken);
      },
      [&](auto& call, const auto& gathered)
      {
        return take(call,
                    [&](library::place_across* place)
                    {
                      const auto launch_runs_kernel = [&](auto first_run)
                      {
                        runtime::launch(env, call.one_warp,
                                        &detail::runs_kernel<key, accum, Equal, taken_type, decltype(first_run)>, gathered,
                                        equal, taken, first_run, place);
                      };
                      if constexpr (one_pass)
                      {
                        launch_runs_kernel(detail::stored_first_run<key, accum>{detail::unwrap(env, keys_result),
                                                                                detail::unwrap(env, values_result)});
                      }
                      else
                      {
                        auto* const carry = call.template carry<carry_type>();
                        launch_runs_kernel(detail::carry_to_scan<key, accum>{carry});
                        if (items != 0)
                        {
                          algorithms::enqueue_reduce_by_key<accum>(
                              env, first, values, keys_result, values_result, &carry->runs_of_part, items, equal, taken,
                              detail::scan_with_carry<detail::segmented<accum, detail::boundary_count>>{&carry->fold},
                              detail::key_of_first_run<key, accum>{carry});
                        }
                      }
                    });
      });
}

template <class Derived, class KeyIt, class ValueIt, class KeyOutputIt, class ValueOutputIt, class Equal, class Op>
::cuda::std::pair<KeyOutputIt, ValueOutputIt> reduce_by_key(across_policy<Derived>& exec, KeyIt first, KeyIt last,
                                                            ValueIt values, KeyOutputIt keys_result,
                                                            ValueOutputIt values_result, Equal equal, Op op)
{
  const library::place_across place = reduce_by_key_across(runtime::algorithm::reduce_by_key, exec, first, last, values,
                                                           keys_result, values_result, equal, op, place_to_host{});
  return {advanced(keys_result, place.count), advanced(values_result, place.count)};
}

} // namespace calls

template <class Derived, class KeyIt, class ValueIt, class OutputIt>
OutputIt inclusive_scan_by_key(across_policy<Derived>& exec, KeyIt first, KeyIt last, ValueIt values, OutputIt result)
{
  return calls::inclusive_scan_by_key(exec, first, last, values, result, ::cuda::std::equal_to<>{}, ::cuda::std::plus<>{});
}
template <class Derived, class KeyIt, class ValueIt, class OutputIt, class Equal>
OutputIt inclusive_scan_by_key(across_policy<Derived>& exec, KeyIt first, KeyIt last, ValueIt values, OutputIt result,
                               Equal equal)
{
  return calls::inclusive_scan_by_key(exec, first, last, values, result, equal, ::cuda::std::plus<>{});
}
template <class Derived, class KeyIt, class ValueIt, class OutputIt, class Equal, class Op>
OutputIt inclusive_scan_by_key(across_policy<Derived>& exec, KeyIt first, KeyIt last, ValueIt values, OutputIt result,
                               Equal equal, Op op)
{
  return calls::inclusive_scan_by_key(exec, first, last, values, result, equal, op);
}

template <class Derived, class KeyIt, class ValueIt, class OutputIt>
OutputIt exclusive_scan_by_key(across_policy<Derived>& exec, KeyIt first, KeyIt last, ValueIt values, OutputIt result)
{
  return calls::exclusive_scan_by_key(exec, first, last, values, result, detail::value_of<ValueIt>{},
                                      ::cuda::std::equal_to<>{}, ::cuda::std::plus<>{});
}
template <class Derived, class KeyIt, class ValueIt, class OutputIt, class T>
OutputIt exclusive_scan_by_key(across_policy<Derived>& exec, KeyIt first, KeyIt last, ValueIt values, OutputIt result,
                               T init)
{
  return calls::exclusive_scan_by_key(exec, first, last, values, result, init, ::cuda::std::equal_to<>{},
                                      ::cuda::std::plus<>{});
}
template <class Derived, class KeyIt, class ValueIt, class OutputIt, class T, class Equal>
OutputIt exclusive_scan_by_key(across_policy<Derived>& exec, KeyIt first, KeyIt last, ValueIt values, OutputIt result,
                               T init, Equal equal)
{
  return calls::exclusive_scan_by_key(exec, first, last, values, result, init, equal, ::cuda::std::plus<>{});
}
template <class Derived, class KeyIt, class ValueIt, class OutputIt, class T, class Equal, class Op>
OutputIt exclusive_scan_by_key(across_policy<Derived>& exec, KeyIt first, KeyIt last, ValueIt values, OutputIt result,
                               T init, Equal equal, Op op)
{
  return calls::exclusive_scan_by_key(exec, first, last, values, result, init, equal, op);
}

template <class Derived, class KeyIt, class ValueIt, class KeyOutputIt, class ValueOutputIt>
::cuda::std::pair<KeyOutputIt, ValueOutputIt> reduce_by_key(across_policy<Derived>& exec, KeyIt first, KeyIt last,
                                                            ValueIt values, KeyOutputIt keys_result,
                                                            ValueOutputIt values_result)
{
  using equal = ::cuda::std::equal_to<detail::value_of<KeyIt>>;
  using plus = ::cuda::std::plus<calls::sum_type<ValueOutputIt, ValueIt>>;
  return calls::reduce_by_key(exec, first, last, values, keys_result, values_result, equal{}, plus{});
}
template <class Derived, class KeyIt, class ValueIt, class KeyOutputIt, class ValueOutputIt, class Equal>
::cuda::std::pair<KeyOutputIt, ValueOutputIt> reduce_by_key(across_policy<Derived>& exec, KeyIt first, KeyIt last,
                                                            ValueIt values, KeyOutputIt keys_result,
                                                            ValueOutputIt values_result, Equal equal)
{
  using plus = ::cuda::std::plus<calls::sum_type<ValueOutputIt, ValueIt>>;
  return calls::reduce_by_key(exec, first, last, values, keys_result, values_result, equal, plus{});
}
template <class Derived, class KeyIt, class ValueIt, class KeyOutputIt, class ValueOutputIt, class Equal, class Op>
::cuda::std::pair<KeyOutputIt, ValueOutputIt> reduce_by_key(across_policy<Derived>& exec, KeyIt first, KeyIt last,
                                                            ValueIt values, KeyOutputIt keys_result,
                                                            ValueOutputIt values_result, Equal equal, Op op)
{
  return calls::reduce_by_key(exec, first, last, values, keys_result, values_result, equal, op);
}

} // namespace thrust_backend

//! `thrust::reduce_by_key` across ranks, which says in addition where the rank's runs are among those of all ranks. Waits
//! for the stream, whatever the policy.
template <class Derived, class KeyIt, class ValueIt, class KeyOutputIt, class ValueOutputIt,
          class Equal = ::cuda::std::equal_to<detail::value_of<KeyIt>>,
          class Op = ::cuda::std::plus<thrust_backend::calls::sum_type<ValueOutputIt, ValueIt>>>
runs_across<KeyOutputIt, ValueOutputIt>
reduce_by_key_across(const thrust_backend::across_policy<Derived>& policy, KeyIt first, KeyIt last, ValueIt values,
                     KeyOutputIt keys_result, ValueOutputIt values_result, Equal equal = {}, Op op = {})
{
  namespace calls = thrust_backend::calls;
  const place_across place =
      calls::reduce_by_key_across(calls::caller_across("reheat::reduce_by_key_across", library::call_across::reduce_by_key),
                                  const_cast<thrust_backend::across_policy<Derived>&>(policy), first, last, values,
                                  keys_result, values_result, equal, op, calls::place_to_host{});
  return {calls::advanced(keys_result, place.count), calls::advanced(values_result, place.count), place.global_index,
          place.total};
}
//! The same call, which leaves the place of the rank's runs in *place, in device memory. It waits for the stream as scans
//! do: under `par`, not under `par_nosync`, where an engine that can be captured takes it into a graph.
template <class Derived, class KeyIt, class ValueIt, class KeyOutputIt, class ValueOutputIt,
          class Equal = ::cuda::std::equal_to<detail::value_of<KeyIt>>,
          class Op = ::cuda::std::plus<thrust_backend::calls::sum_type<ValueOutputIt, ValueIt>>>
void reduce_by_key_across_into(const thrust_backend::across_policy<Derived>& policy, KeyIt first, KeyIt last, ValueIt values,
                               KeyOutputIt keys_result, ValueOutputIt values_result, place_across* place, Equal equal = {},
                               Op op = {})
{
  namespace calls = thrust_backend::calls;
  calls::reduce_by_key_across(
      calls::caller_across("reheat::reduce_by_key_across_into", library::call_across::reduce_by_key_into),
      const_cast<thrust_backend::across_policy<Derived>&>(policy), first, last, values, keys_result, values_result, equal,
      op, calls::place_to_device{place});
}

REHEAT_NAMESPACE_END

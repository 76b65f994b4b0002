// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Scans of segments, and their folds. A segment is a run of neighbouring items in which `equal` holds for each key and the
//! next. The operator is associative; operands keep their order.
#pragma once

#include <reheat/detail/algorithms/call.cuh>
#include <reheat/detail/config.cuh>
#include <reheat/detail/iterators.cuh>
#include <reheat/detail/reduce/dispatch.cuh>
#include <reheat/detail/runtime/runtime.cuh>
#include <reheat/detail/scan/dispatch.cuh>
#include <reheat/detail/segments/collectives/form.cuh>
#include <reheat/detail/segments/segments.cuh>
#include <reheat/detail/thread/initial_value.cuh>
#include <reheat/detail/thread/items.cuh>

#include <cstdint>
#include <type_traits>

REHEAT_NAMESPACE_BEGIN
namespace algorithms
{

//! Enqueues the scan of what `source` makes of `items` >= 1 values. Part of a call.
template <detail::scan_kind Kind, class Environment, class Source, class OutputIt, class Op, class Init>
void enqueue_scan_of_segments(const Environment& env, const Source& source, std::uint64_t items, OutputIt out, Op op,
                              Init init)
{
  const auto output = detail::unwrap(env, out);
  using sink = detail::value_sink<std::remove_cv_t<decltype(output)>>;
  detail::enqueue_scan<Kind>(env, source, sink{output}, items, detail::segmented_op<Op>{op}, init);
}

//! Enqueues each segment's inclusive scan, in Accum; items >= 1. `init` says what stands before the first item.
template <class Accum, class Environment, class KeyIt, class ValueIt, class OutputIt, class Equal, class Op, class Init>
void enqueue_inclusive_scan_by_key(const Environment& env, KeyIt keys, ValueIt values, OutputIt out, std::uint64_t items,
                                   Equal equal, Op op, Init init)
{
  const auto key_input = detail::unwrap_input(env, keys);
  const auto value_input = detail::unwrap_input(env, values);
  using source = detail::segmented_source<Accum, detail::boundary_flags, std::remove_cv_t<decltype(key_input)>,
                                          std::remove_cv_t<decltype(value_input)>, Equal>;
  enqueue_scan_of_segments<detail::scan_kind::inclusive>(env, source{{key_input, items, equal}, value_input}, items, out, op,
                                                         init);
}
//! Enqueues each segment's exclusive scan from `restart`; items >= 1. `init` is what the first item starts from.
template <class Environment, class KeyIt, class ValueIt, class OutputIt, class T, class Equal, class Op, class Init>
void enqueue_exclusive_scan_by_key(const Environment& env, KeyIt keys, ValueIt values, OutputIt out, std::uint64_t items,
                                   T restart, Equal equal, Op op, Init init)
{
  const auto key_input = detail::unwrap_input(env, keys);
  const auto value_input = detail::unwrap_input(env, values);
  using source =
      detail::restarting_source<T, std::remove_cv_t<decltype(key_input)>, std::remove_cv_t<decltype(value_input)>, Equal>;
  enqueue_scan_of_segments<detail::scan_kind::exclusive>(env, source{{key_input, items, equal}, value_input, restart}, items,
                                                         out, op, init);
}

//! Each segment's inclusive scan, in Accum. Of no items nothing happens. `out` may be the keys or the values.
template <class Accum, class Environment, class KeyIt, class ValueIt, class OutputIt, class Equal, class Op>
void inclusive_scan_by_key(const Environment& env, KeyIt keys, ValueIt values, OutputIt out, std::uint64_t items,
                           Equal equal, Op op)
{
  if (items == 0)
  {
    return;
  }
  using accum = detail::segmented<Accum, detail::boundary_flags>;
  enqueue_and_maybe_wait<detail::value_of<ValueIt>>(
      env, items,
      [&] {
        enqueue_inclusive_scan_by_key<Accum>(env, keys, values, out, items, equal, op, detail::scan_without_init<accum>{});
      });
}

//! Each segment's exclusive scan, from `init`. Of no items nothing happens. `out` may be the keys or the values.
template <class Environment, class KeyIt, class ValueIt, class OutputIt, class T, class Equal, class Op>
void exclusive_scan_by_key(const Environment& env, KeyIt keys, ValueIt values, OutputIt out, std::uint64_t items, T init,
                           Equal equal, Op op)
{
  if (items == 0)
  {
    return;
  }
  using accum = detail::segmented<T, detail::boundary_flags>;
  enqueue_and_maybe_wait<detail::value_of<ValueIt>>(
      env, items,
      [&]
      {
        enqueue_exclusive_scan_by_key(env, keys, values, out, items, init, equal, op,
                                      detail::scan_with_init<accum>{{{detail::boundary_flags(false, false), init}}});
      });
}

//! Enqueues the stores of each segment's first key and of its fold in Accum, and of the number of segments to `count_out`;
//! items >= 1. `init` says what of the first segment stands before the first item, and `first_key` knows that segment's key.
//! Part of a call.
template <class Accum, class Environment, class KeyIt, class ValueIt, class KeyOutputIt, class ValueOutputIt, class CountIt,
          class Equal, class Op, class Init = detail::scan_without_init<detail::segmented<Accum, detail::boundary_count>>,
          class FirstKey = detail::key_of_first_item>
void enqueue_reduce_by_key(const Environment& env, KeyIt keys, ValueIt values, KeyOutputIt keys_out,
                           ValueOutputIt values_out, CountIt count_out, std::uint64_t items, Equal equal, Op op,
                           Init init = {}, FirstKey first_key = {})
{
  const auto key_input = detail::unwrap_input(env, keys);
  const auto value_input = detail::unwrap_input(env, values);
  const auto key_output = detail::unwrap(env, keys_out);
  const auto value_output = detail::unwrap(env, values_out);
  using keys_type = std::remove_cv_t<decltype(key_input)>;
  using source =
      detail::segmented_source<Accum, detail::boundary_count, keys_type, std::remove_cv_t<decltype(value_input)>, Equal>;
  using sink = detail::segment_sink<keys_type, std::remove_cv_t<decltype(key_output)>,
                                    std::remove_cv_t<decltype(value_output)>, CountIt, FirstKey>;
  detail::enqueue_scan<detail::scan_kind::inclusive>(env, source{{key_input, items, equal}, value_input},
                                                     sink{key_input, items, key_output, value_output, count_out, first_key},
                                                     items, detail::segmented_op<Op>{op}, init);
}

//! Stores each segment's first key and its fold in Accum, and returns how many segments there are; items >= 1. Outputs
//! overlap no input; each of their positions is written once.
template <class Accum, class Environment, class KeyIt, class ValueIt, class KeyOutputIt, class ValueOutputIt, class Equal,
          class Op>
std::uint64_t reduce_by_key(const Environment& env, KeyIt keys, ValueIt values, KeyOutputIt keys_out,
                            ValueOutputIt values_out, std::uint64_t items, Equal equal, Op op)
{
  return return_from_device<detail::value_of<ValueIt>>(
      env, items, "",
      [&]
      {
        return runtime::result_on_host<std::uint64_t, runtime::result_wait::synchronize>(
            env, [&](std::uint64_t* segments)
            { enqueue_reduce_by_key<Accum>(env, keys, values, keys_out, values_out, segments, items, equal, op); });
      });
}

//! The same, with the number of segments stored to `count_out`. Of no items that is 0, and nothing else is stored.
template <class Accum, class Environment, class KeyIt, class ValueIt, class KeyOutputIt, class ValueOutputIt, class CountIt,
          class Equal, class Op>
void reduce_by_key_into(const Environment& env, KeyIt keys, ValueIt values, KeyOutputIt keys_out, ValueOutputIt values_out,
                        CountIt count_out, std::uint64_t items, Equal equal, Op op)
{
  enqueue_and_maybe_wait<detail::value_of<ValueIt>>(
      env, items,
      [&]
      {
        const auto count_output = detail::unwrap(env, count_out);
        if (items == 0)
        {
          detail::enqueue_store_init(env, detail::assigned_result<std::remove_cv_t<decltype(count_output)>>{count_output},
                                     detail::init_value<detail::count_of<std::remove_cv_t<decltype(count_output)>>>{0});
          return;
        }
        enqueue_reduce_by_key<Accum>(env, keys, values, keys_out, values_out, count_output, items, equal, op);
      });
}

} // namespace algorithms
REHEAT_NAMESPACE_END

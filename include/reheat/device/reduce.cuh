// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! `reheat::DeviceReduce`: CUB's class of that name on reheat's kernels.
//!
//! Every function is CUB's of the same name: its arguments, its types, its two phases. With null as `d_temp_storage` it only
//! sets `temp_storage_bytes`, which is at least 1 and does not depend on the other pointers. Otherwise it enqueues its work
//! on the stream, with the caller's memory, at any address and with any content. It allocates nothing, keeps nothing, waits
//! for nothing, can be captured in every mode, and returns a status instead of throwing. Inputs that one block holds take
//! one launch and none of the memory; others take two.
//!
//! Operators are associative. Unless they are the standard's commutative ones on numbers, operands keep their order. Results
//! are the same bits in every run, and those of the same call on reheat's policies. Calls are the host's; device code calls
//! CUB's.
#pragma once

#include <reheat/detail/algorithms/by_key.cuh>
#include <reheat/detail/algorithms/extrema.cuh>
#include <reheat/detail/algorithms/reduce.cuh>
#include <reheat/detail/algorithms/transform_reduce.cuh>
#include <reheat/detail/config.cuh>
#include <reheat/detail/reduce/extremum.cuh>
#include <reheat/detail/reduce/into.cuh>
#include <reheat/detail/thread/initial_value.cuh>
#include <reheat/detail/thread/items.cuh>
#include <reheat/device/call.cuh>
#include <reheat/device/types.cuh>

#include <cstddef>
#include <cstdint>
#include <type_traits>

REHEAT_NAMESPACE_BEGIN
namespace device_wide
{

// `How` runs an algorithm: two_phases, or single_phase.

template <class How, class InputIt, class OutputIt, class NumItems, class Op, class T>
status_type reduce(const How& how, InputIt in, OutputIt out, NumItems items, Op op, T init)
{
  using accum = accumulator_of<Op, detail::value_of<InputIt>, T>;
  return how([&](const auto& env)
             { algorithms::reduce_into<accum>(env, in, item_count(env, items), out, detail::init_value<T>{init}, op); });
}

template <class How, class InputIt, class OutputIt, class NumItems, class Op, class Map, class T>
status_type transform_reduce(const How& how, InputIt in, OutputIt out, NumItems items, Op op, Map map, T init)
{
  using term = std::decay_t<std::invoke_result_t<Map&, detail::value_of<InputIt>>>;
  using accum = accumulator_of<Op, term, T>;
  return how(
      [&](const auto& env) {
        algorithms::transform_reduce_into<accum>(env, in, item_count(env, items), out, map, detail::init_value<T>{init}, op);
      });
}

//! An extremum that is assigned to one output, as CUB's pair of index and value.
template <class Pair, class OutputIt>
struct pair_result
{
  OutputIt out;
};
template <class Pair, class OutputIt, class T>
REHEAT_DEVICE void store_result(pair_result<Pair, OutputIt>& where, const detail::candidate<T>& found)
{
  *where.out = Pair(static_cast<typename Pair::Key>(found.index), found.value);
}

//! The extremum of items converted to T. Of no items the value is `none`, and the index is 1.
template <class T, class How, class InputIt, class NumItems, class Keep, class Result>
status_type extremum(const How& how, InputIt in, NumItems items, Keep keep, T none, Result result)
{
  return how(
      [&](const auto& env) {
        algorithms::extremum_into<T>(env, in, item_count(env, items), keep, detail::candidate<T>{none, 1}, result);
      });
}

template <class How, class KeyIt, class KeyOutputIt, class ValueIt, class ValueOutputIt, class CountIt, class Op,
          class NumItems>
status_type reduce_by_key(const How& how, KeyIt keys, KeyOutputIt keys_out, ValueIt values, ValueOutputIt values_out,
                          CountIt count_out, Op op, NumItems items)
{
  using item = detail::value_of<ValueIt>;
  using accum = scan_accumulator_t<Op, item, item, ValueOutputIt>;
  return how(
      [&](const auto& env)
      {
        algorithms::reduce_by_key_into<accum>(env, keys, values, keys_out, values_out, count_out, item_count(env, items),
                                              ::cuda::std::equal_to<>{}, op);
      });
}

using smallest = detail::keep_smallest<::cuda::std::less<>>;
using largest_kept = detail::keep_largest<::cuda::std::less<>>;

} // namespace device_wide

//! Reductions of a range.
struct DeviceReduce
{
  //! *d_out = init ⊕ d_in[0] ⊕ …, folded in what the operator makes of `init` and an item.
  template <class InputIt, class OutputIt, class ReductionOp, class T, class NumItems>
  static status_type Reduce(void* d_temp_storage, std::size_t& temp_storage_bytes, InputIt d_in, OutputIt d_out,
                            NumItems num_items, ReductionOp reduction_op, T init, stream_type stream = {})
  {
    return device_wide::reduce(
        device_wide::two_phases{"reheat::DeviceReduce::Reduce", d_temp_storage, temp_storage_bytes, stream}, d_in, d_out,
        num_items, reduction_op, init);
  }

  //! The sum from zero, in the value type of the output. (Of the input, if the output has none.)
  template <class InputIt, class OutputIt, class NumItems>
  static status_type Sum(void* d_temp_storage, std::size_t& temp_storage_bytes, InputIt d_in, OutputIt d_out,
                         NumItems num_items, stream_type stream = {})
  {
    return device_wide::reduce(
        device_wide::two_phases{"reheat::DeviceReduce::Sum", d_temp_storage, temp_storage_bytes, stream}, d_in, d_out,
        num_items, ::cuda::std::plus<>{}, device_wide::output_value_t<OutputIt, detail::value_of<InputIt>>{});
  }

  //! The smallest item, or numeric_limits::max() of the items' type if that is smaller.
  template <class InputIt, class OutputIt, class NumItems>
  static status_type Min(void* d_temp_storage, std::size_t& temp_storage_bytes, InputIt d_in, OutputIt d_out,
                         NumItems num_items, stream_type stream = {})
  {
    return device_wide::reduce(
        device_wide::two_phases{"reheat::DeviceReduce::Min", d_temp_storage, temp_storage_bytes, stream}, d_in, d_out,
        num_items, ::cuda::minimum<>{}, device_wide::largest<detail::value_of<InputIt>>());
  }

  //! The largest item, or numeric_limits::lowest() of the items' type if that is larger.
  template <class InputIt, class OutputIt, class NumItems>
  static status_type Max(void* d_temp_storage, std::size_t& temp_storage_bytes, InputIt d_in, OutputIt d_out,
                         NumItems num_items, stream_type stream = {})
  {
    return device_wide::reduce(
        device_wide::two_phases{"reheat::DeviceReduce::Max", d_temp_storage, temp_storage_bytes, stream}, d_in, d_out,
        num_items, ::cuda::maximum<>{}, device_wide::lowest<detail::value_of<InputIt>>());
  }

  //! The first of the smallest items and its index. Items are compared as the value type of `d_min_out`. Of no items:
  //! numeric_limits::max() and 1.
  template <class InputIt, class ExtremumOutputIt, class IndexOutputIt>
  static status_type ArgMin(void* d_temp_storage, std::size_t& temp_storage_bytes, InputIt d_in, ExtremumOutputIt d_min_out,
                            IndexOutputIt d_index_out, std::int64_t num_items, stream_type stream = {})
  {
    using item = detail::value_of<InputIt>;
    using value = device_wide::output_value_t<ExtremumOutputIt, item>;
    return device_wide::extremum<value>(
        device_wide::two_phases{"reheat::DeviceReduce::ArgMin", d_temp_storage, temp_storage_bytes, stream}, d_in, num_items,
        device_wide::smallest{}, device_wide::largest<item, value>(),
        detail::extremum_result<ExtremumOutputIt, IndexOutputIt>{d_min_out, d_index_out});
  }
  //! The same as a ::cub::KeyValuePair of index and value. CUB calls this form deprecated.
  template <class InputIt, class OutputIt>
  static status_type ArgMin(void* d_temp_storage, std::size_t& temp_storage_bytes, InputIt d_in, OutputIt d_out,
                            int num_items, stream_type stream = {})
  {
    using item = detail::value_of<InputIt>;
    using pair = device_wide::output_value_t<OutputIt, CUB_NS_QUALIFIER::KeyValuePair<int, item>>;
    using value = typename pair::Value;
    return device_wide::extremum<value>(
        device_wide::two_phases{"reheat::DeviceReduce::ArgMin", d_temp_storage, temp_storage_bytes, stream}, d_in, num_items,
        device_wide::smallest{}, device_wide::largest<item, value>(), device_wide::pair_result<pair, OutputIt>{d_out});
  }

  //! The first of the largest items and its index. Items are compared as the value type of `d_max_out`. Of no items:
  //! numeric_limits::lowest() and 1.
  template <class InputIt, class ExtremumOutputIt, class IndexOutputIt>
  static status_type ArgMax(void* d_temp_storage, std::size_t& temp_storage_bytes, InputIt d_in, ExtremumOutputIt d_max_out,
                            IndexOutputIt d_index_out, std::int64_t num_items, stream_type stream = {})
  {
    using item = detail::value_of<InputIt>;
    using value = device_wide::output_value_t<ExtremumOutputIt, item>;
    return device_wide::extremum<value>(
        device_wide::two_phases{"reheat::DeviceReduce::ArgMax", d_temp_storage, temp_storage_bytes, stream}, d_in, num_items,
        device_wide::largest_kept{}, device_wide::lowest<item, value>(),
        detail::extremum_result<ExtremumOutputIt, IndexOutputIt>{d_max_out, d_index_out});
  }
  //! The same as a ::cub::KeyValuePair of index and value. CUB calls this form deprecated.
  template <class InputIt, class OutputIt>
  static status_type ArgMax(void* d_temp_storage, std::size_t& temp_storage_bytes, InputIt d_in, OutputIt d_out,
                            int num_items, stream_type stream = {})
  {
    using item = detail::value_of<InputIt>;
    using pair = device_wide::output_value_t<OutputIt, CUB_NS_QUALIFIER::KeyValuePair<int, item>>;
    using value = typename pair::Value;
    return device_wide::extremum<value>(
        device_wide::two_phases{"reheat::DeviceReduce::ArgMax", d_temp_storage, temp_storage_bytes, stream}, d_in, num_items,
        device_wide::largest_kept{}, device_wide::lowest<item, value>(), device_wide::pair_result<pair, OutputIt>{d_out});
  }

  //! *d_out = init ⊕ transform_op(d_in[0]) ⊕ …
  template <class InputIt, class OutputIt, class ReductionOp, class TransformOp, class T, class NumItems>
  static status_type TransformReduce(void* d_temp_storage, std::size_t& temp_storage_bytes, InputIt d_in, OutputIt d_out,
                                     NumItems num_items, ReductionOp reduction_op, TransformOp transform_op, T init,
                                     stream_type stream = {})
  {
    return device_wide::transform_reduce(
        device_wide::two_phases{"reheat::DeviceReduce::TransformReduce", d_temp_storage, temp_storage_bytes, stream}, d_in,
        d_out, num_items, reduction_op, transform_op, init);
  }

  //! The first key and the fold of each run of equal keys, and how many runs there are. Outputs overlap no input.
  template <class KeysInputIt, class UniqueOutputIt, class ValuesInputIt, class AggregatesOutputIt, class NumRunsOutputIt,
            class ReductionOp, class NumItems>
  static status_type ReduceByKey(void* d_temp_storage, std::size_t& temp_storage_bytes, KeysInputIt d_keys_in,
                                 UniqueOutputIt d_unique_out, ValuesInputIt d_values_in, AggregatesOutputIt d_aggregates_out,
                                 NumRunsOutputIt d_num_runs_out, ReductionOp reduction_op, NumItems num_items,
                                 stream_type stream = {})
  {
    return device_wide::reduce_by_key(
        device_wide::two_phases{"reheat::DeviceReduce::ReduceByKey", d_temp_storage, temp_storage_bytes, stream}, d_keys_in,
        d_unique_out, d_values_in, d_aggregates_out, d_num_runs_out, reduction_op, num_items);
  }
};

REHEAT_NAMESPACE_END

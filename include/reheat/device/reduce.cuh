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
//! Calls in one phase have no memory and no size in front, and end with an environment or with none (CCCL 3.1 and newer). An
//! environment is a stream, a memory resource, or an object that carries them. Memory comes from the resource, in the order
//! of the stream, as if the call had two phases. Without a resource the stream keeps the memory, and each call takes one
//! launch. An environment may require not_guaranteed or run_to_run determinism of any call, and gpu_to_gpu of minima, maxima
//! and integers with known operators; of Sum, Reduce, TransformReduce and scans without keys also of sums and products of
//! floating-point numbers. Its other properties are ignored.
//!
//! Operators are associative. Unless they are the standard's commutative ones on numbers, operands keep their order. Results
//! are the same bits in every run, and those of the same call on reheat's policies. Calls are the host's; device code calls
//! CUB's.
#pragma once

#include <reheat/detail/algorithms/by_key.cuh>
#include <reheat/detail/algorithms/extrema.cuh>
#include <reheat/detail/algorithms/reduce.cuh>
#include <reheat/detail/algorithms/reproducible.cuh>
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
  How::template check_requirements<algorithms::reduces_alike<Op, accum, detail::value_of<InputIt>>()>();
  return how([&](const auto& env)
             { algorithms::reduce_into<accum>(env, in, item_count(env, items), out, detail::init_value<T>{init}, op); });
}

template <class How, class InputIt, class OutputIt, class NumItems>
status_type sum(const How& how, InputIt in, OutputIt out, NumItems items)
{
  return reduce(how, in, out, items, ::cuda::std::plus<>{}, output_value_t<OutputIt, detail::value_of<InputIt>>{});
}

template <class How, class InputIt, class OutputIt, class NumItems, class Op, class Map, class T>
status_type transform_reduce(const How& how, InputIt in, OutputIt out, NumItems items, Op op, Map map, T init)
{
  using term = std::decay_t<std::invoke_result_t<Map&, detail::value_of<InputIt>>>;
  using accum = accumulator_of<Op, term, T>;
  How::template check_requirements<algorithms::reduces_alike<Op, accum, detail::value_of<InputIt>>()>();
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
  How::template check_requirements<true>();
  return how(
      [&](const auto& env) {
        algorithms::extremum_into<T>(env, in, item_count(env, items), keep, detail::candidate<T>{none, 1}, result);
      });
}

//! The extremum of no items: a limit, or what CUB takes where a comparison may order items in any way.
template <template <class> class Keep, class Compare, class Item, class T>
constexpr T extremum_of_nothing()
{
  if constexpr (!std::is_same_v<Compare, ::cuda::std::less<>>)
  {
    return static_cast<T>(Item{});
  }
  else if constexpr (std::is_same_v<Keep<Compare>, detail::keep_smallest<Compare>>)
  {
    return largest<Item, T>();
  }
  else
  {
    return lowest<Item, T>();
  }
}

//! The extremum that Keep keeps. Items are converted to the value type of the output first.
template <template <class> class Keep, class How, class InputIt, class ExtremumOutputIt, class IndexOutputIt, class Compare>
status_type extremum_and_index(const How& how, InputIt in, ExtremumOutputIt extremum_out, IndexOutputIt index_out,
                               std::int64_t items, Compare compare)
{
  using item = detail::value_of<InputIt>;
  using value = output_value_t<ExtremumOutputIt, item>;
  return extremum<value>(how, in, items, Keep<Compare>{compare}, extremum_of_nothing<Keep, Compare, item, value>(),
                         detail::extremum_result<ExtremumOutputIt, IndexOutputIt>{extremum_out, index_out});
}
template <template <class> class Keep, class How, class InputIt, class OutputIt>
status_type extremum_pair(const How& how, InputIt in, OutputIt out, int items)
{
  using item = detail::value_of<InputIt>;
  using pair = output_value_t<OutputIt, CUB_NS_QUALIFIER::KeyValuePair<int, item>>;
  using value = typename pair::Value;
  using compare = ::cuda::std::less<>;
  return extremum<value>(how, in, items, Keep<compare>{}, extremum_of_nothing<Keep, compare, item, value>(),
                         pair_result<pair, OutputIt>{out});
}

template <class How, class KeyIt, class KeyOutputIt, class ValueIt, class ValueOutputIt, class CountIt, class Op,
          class NumItems>
status_type reduce_by_key(const How& how, KeyIt keys, KeyOutputIt keys_out, ValueIt values, ValueOutputIt values_out,
                          CountIt count_out, Op op, NumItems items)
{
  using item = detail::value_of<ValueIt>;
  using accum = scan_accumulator_t<Op, item, item, ValueOutputIt>;
  How::template check_requirements<algorithms::is_reproducible_v<Op, accum>>();
  return how(
      [&](const auto& env)
      {
        algorithms::reduce_by_key_into<accum>(env, keys, values, keys_out, values_out, count_out, item_count(env, items),
                                              ::cuda::std::equal_to<>{}, op);
      });
}

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
    return device_wide::sum(device_wide::two_phases{"reheat::DeviceReduce::Sum", d_temp_storage, temp_storage_bytes, stream},
                            d_in, d_out, num_items);
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
                            IndexOutputIt d_index_out, std::int64_t num_items, device_wide::stream_argument stream = {})
  {
    return device_wide::extremum_and_index<detail::keep_smallest>(
        device_wide::two_phases{"reheat::DeviceReduce::ArgMin", d_temp_storage, temp_storage_bytes, stream.stream}, d_in,
        d_min_out, d_index_out, num_items, ::cuda::std::less<>{});
  }
  //! The same with a comparison, which tells whether its left operand is the smaller one. Of no items: a value-initialised
  //! item and 1.
  template <class InputIt, class ExtremumOutputIt, class IndexOutputIt, class CompareOp,
            std::enable_if_t<device_wide::is_comparison_v<CompareOp, InputIt>, int> = 0>
  static status_type ArgMin(void* d_temp_storage, std::size_t& temp_storage_bytes, InputIt d_in, ExtremumOutputIt d_min_out,
                            IndexOutputIt d_index_out, std::int64_t num_items, CompareOp compare_op,
                            device_wide::stream_argument stream = {})
  {
    return device_wide::extremum_and_index<detail::keep_smallest>(
        device_wide::two_phases{"reheat::DeviceReduce::ArgMin", d_temp_storage, temp_storage_bytes, stream.stream}, d_in,
        d_min_out, d_index_out, num_items, compare_op);
  }
  //! ArgMin as a ::cub::KeyValuePair of index and value. CUB calls this form deprecated.
  template <class InputIt, class OutputIt>
  static status_type ArgMin(void* d_temp_storage, std::size_t& temp_storage_bytes, InputIt d_in, OutputIt d_out,
                            int num_items, stream_type stream = {})
  {
    return device_wide::extremum_pair<detail::keep_smallest>(
        device_wide::two_phases{"reheat::DeviceReduce::ArgMin", d_temp_storage, temp_storage_bytes, stream}, d_in, d_out,
        num_items);
  }

  //! The first of the largest items and its index. Items are compared as the value type of `d_max_out`. Of no items:
  //! numeric_limits::lowest() and 1.
  template <class InputIt, class ExtremumOutputIt, class IndexOutputIt>
  static status_type ArgMax(void* d_temp_storage, std::size_t& temp_storage_bytes, InputIt d_in, ExtremumOutputIt d_max_out,
                            IndexOutputIt d_index_out, std::int64_t num_items, device_wide::stream_argument stream = {})
  {
    return device_wide::extremum_and_index<detail::keep_largest>(
        device_wide::two_phases{"reheat::DeviceReduce::ArgMax", d_temp_storage, temp_storage_bytes, stream.stream}, d_in,
        d_max_out, d_index_out, num_items, ::cuda::std::less<>{});
  }
  //! The same with a comparison, which tells whether its left operand is the smaller one. Of no items: a value-initialised
  //! item and 1.
  template <class InputIt, class ExtremumOutputIt, class IndexOutputIt, class CompareOp,
            std::enable_if_t<device_wide::is_comparison_v<CompareOp, InputIt>, int> = 0>
  static status_type ArgMax(void* d_temp_storage, std::size_t& temp_storage_bytes, InputIt d_in, ExtremumOutputIt d_max_out,
                            IndexOutputIt d_index_out, std::int64_t num_items, CompareOp compare_op,
                            device_wide::stream_argument stream = {})
  {
    return device_wide::extremum_and_index<detail::keep_largest>(
        device_wide::two_phases{"reheat::DeviceReduce::ArgMax", d_temp_storage, temp_storage_bytes, stream.stream}, d_in,
        d_max_out, d_index_out, num_items, compare_op);
  }
  //! ArgMax as a ::cub::KeyValuePair of index and value. CUB calls this form deprecated.
  template <class InputIt, class OutputIt>
  static status_type ArgMax(void* d_temp_storage, std::size_t& temp_storage_bytes, InputIt d_in, OutputIt d_out,
                            int num_items, stream_type stream = {})
  {
    return device_wide::extremum_pair<detail::keep_largest>(
        device_wide::two_phases{"reheat::DeviceReduce::ArgMax", d_temp_storage, temp_storage_bytes, stream}, d_in, d_out,
        num_items);
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

#if REHEAT_HAS_ENVIRONMENTS
  // The same in one phase. CUB has these since CCCL 3.1 to 3.4, and reheat all of them.

  template <class InputIt, class OutputIt, class ReductionOp, class T, class NumItems,
            class Env = device_wide::no_environment>
  [[nodiscard]] static status_type Reduce(InputIt d_in, OutputIt d_out, NumItems num_items, ReductionOp reduction_op, T init,
                                          const Env& env = {})
  {
    return device_wide::reduce(device_wide::single_phase<Env>{"reheat::DeviceReduce::Reduce", env}, d_in, d_out, num_items,
                               reduction_op, init);
  }
  template <class InputIt, class OutputIt, class NumItems, class Env = device_wide::no_environment>
  [[nodiscard]] static status_type Sum(InputIt d_in, OutputIt d_out, NumItems num_items, const Env& env = {})
  {
    return device_wide::sum(device_wide::single_phase<Env>{"reheat::DeviceReduce::Sum", env}, d_in, d_out, num_items);
  }
  //! Starts from numeric_limits::max() of the output's type, as CUB's, and not of the items'.
  template <class InputIt, class OutputIt, class NumItems, class Env = device_wide::no_environment>
  [[nodiscard]] static status_type Min(InputIt d_in, OutputIt d_out, NumItems num_items, const Env& env = {})
  {
    return device_wide::reduce(device_wide::single_phase<Env>{"reheat::DeviceReduce::Min", env}, d_in, d_out, num_items,
                               ::cuda::minimum<>{},
                               device_wide::largest<device_wide::output_value_t<OutputIt, detail::value_of<InputIt>>>());
  }
  //! Starts from numeric_limits::lowest() of the output's type, as CUB's, and not of the items'.
  template <class InputIt, class OutputIt, class NumItems, class Env = device_wide::no_environment>
  [[nodiscard]] static status_type Max(InputIt d_in, OutputIt d_out, NumItems num_items, const Env& env = {})
  {
    return device_wide::reduce(device_wide::single_phase<Env>{"reheat::DeviceReduce::Max", env}, d_in, d_out, num_items,
                               ::cuda::maximum<>{},
                               device_wide::lowest<device_wide::output_value_t<OutputIt, detail::value_of<InputIt>>>());
  }
  template <class InputIt, class ExtremumOutputIt, class IndexOutputIt, class Env = device_wide::no_environment,
            std::enable_if_t<!device_wide::is_comparison_v<Env, InputIt>, int> = 0>
  [[nodiscard]] static status_type ArgMin(InputIt d_in, ExtremumOutputIt d_min_out, IndexOutputIt d_index_out,
                                          std::int64_t num_items, const Env& env = {})
  {
    return device_wide::extremum_and_index<detail::keep_smallest>(
        device_wide::single_phase<Env>{"reheat::DeviceReduce::ArgMin", env}, d_in, d_min_out, d_index_out, num_items,
        ::cuda::std::less<>{});
  }
  template <class InputIt, class ExtremumOutputIt, class IndexOutputIt, class CompareOp,
            class Env = device_wide::no_environment,
            std::enable_if_t<device_wide::is_comparison_v<CompareOp, InputIt>, int> = 0>
  [[nodiscard]] static status_type ArgMin(InputIt d_in, ExtremumOutputIt d_min_out, IndexOutputIt d_index_out,
                                          std::int64_t num_items, CompareOp compare_op, const Env& env = {})
  {
    return device_wide::extremum_and_index<detail::keep_smallest>(
        device_wide::single_phase<Env>{"reheat::DeviceReduce::ArgMin", env}, d_in, d_min_out, d_index_out, num_items,
        compare_op);
  }
  template <class InputIt, class ExtremumOutputIt, class IndexOutputIt, class Env = device_wide::no_environment,
            std::enable_if_t<!device_wide::is_comparison_v<Env, InputIt>, int> = 0>
  [[nodiscard]] static status_type ArgMax(InputIt d_in, ExtremumOutputIt d_max_out, IndexOutputIt d_index_out,
                                          std::int64_t num_items, const Env& env = {})
  {
    return device_wide::extremum_and_index<detail::keep_largest>(
        device_wide::single_phase<Env>{"reheat::DeviceReduce::ArgMax", env}, d_in, d_max_out, d_index_out, num_items,
        ::cuda::std::less<>{});
  }
  template <class InputIt, class ExtremumOutputIt, class IndexOutputIt, class CompareOp,
            class Env = device_wide::no_environment,
            std::enable_if_t<device_wide::is_comparison_v<CompareOp, InputIt>, int> = 0>
  [[nodiscard]] static status_type ArgMax(InputIt d_in, ExtremumOutputIt d_max_out, IndexOutputIt d_index_out,
                                          std::int64_t num_items, CompareOp compare_op, const Env& env = {})
  {
    return device_wide::extremum_and_index<detail::keep_largest>(
        device_wide::single_phase<Env>{"reheat::DeviceReduce::ArgMax", env}, d_in, d_max_out, d_index_out, num_items,
        compare_op);
  }
  template <class InputIt, class OutputIt, class ReductionOp, class TransformOp, class T, class NumItems,
            class Env = device_wide::no_environment>
  [[nodiscard]] static status_type TransformReduce(InputIt d_in, OutputIt d_out, NumItems num_items,
                                                   ReductionOp reduction_op, TransformOp transform_op, T init,
                                                   const Env& env = {})
  {
    return device_wide::transform_reduce(device_wide::single_phase<Env>{"reheat::DeviceReduce::TransformReduce", env}, d_in,
                                         d_out, num_items, reduction_op, transform_op, init);
  }
  template <class KeysInputIt, class UniqueOutputIt, class ValuesInputIt, class AggregatesOutputIt, class NumRunsOutputIt,
            class ReductionOp, class NumItems, class Env = device_wide::no_environment>
  [[nodiscard]] static status_type ReduceByKey(KeysInputIt d_keys_in, UniqueOutputIt d_unique_out, ValuesInputIt d_values_in,
                                               AggregatesOutputIt d_aggregates_out, NumRunsOutputIt d_num_runs_out,
                                               ReductionOp reduction_op, NumItems num_items, const Env& env = {})
  {
    return device_wide::reduce_by_key(device_wide::single_phase<Env>{"reheat::DeviceReduce::ReduceByKey", env}, d_keys_in,
                                      d_unique_out, d_values_in, d_aggregates_out, d_num_runs_out, reduction_op, num_items);
  }
#endif
};

REHEAT_NAMESPACE_END

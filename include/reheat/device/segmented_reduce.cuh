// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! `reheat::DeviceSegmentedReduce`: CUB's class of that name on reheat's kernels.
//!
//! What reduce.cuh says of calls, memory, errors and operators holds here, too. There is a result for each of `num_segments`
//! segments. Segment s has the items from d_begin_offsets[s] up to the one before d_end_offsets[s], and none if the end does
//! not come behind the begin. Segments may have gaps between them, overlap, and lie in any order; nothing outside of them is
//! read. Offsets are integers in memory or behind any iterator that the device can read. No output overlaps an input or an
//! offset. Without segments nothing is launched.
//!
//! Offsets in memory with d_end_offsets == d_begin_offsets + 1 make neighbouring segments. Their time depends on how many
//! items and segments there are, and not on how long each segment is. Such calls take two launches, or one, as those do
//! whose segments all have `segment_size` items. Other calls take one launch, in which a block reduces a segment at a time.
#pragma once

#include <reheat/detail/algorithms/reproducible.cuh>
#include <reheat/detail/algorithms/segmented.cuh>
#include <reheat/detail/config.cuh>
#include <reheat/detail/reduce/extremum.cuh>
#include <reheat/detail/thread/items.cuh>
#include <reheat/device/call.cuh>
#include <reheat/device/reduce.cuh>
#include <reheat/device/types.cuh>

#include <cuda/std/utility>

#include <cstddef>
#include <cstdint>
#include <type_traits>

REHEAT_NAMESPACE_BEGIN
namespace device_wide
{

//! SFINAE: two arguments are iterators of offsets, and not a size and what follows it.
template <class BeginIt, class EndIt>
using if_offsets = std::void_t<detail::value_of<BeginIt>, detail::value_of<EndIt>>;

template <class BeginIt, class EndIt>
algorithms::segments_between<BeginIt, EndIt> between(BeginIt begins, EndIt ends)
{
  static_assert(std::is_integral_v<detail::value_of<BeginIt>> && std::is_integral_v<detail::value_of<EndIt>>,
                "reheat: the offsets of segments are integers");
  return {begins, ends};
}

//! Segments of one size, which the call checks as it does the number of segments.
struct of_size
{
  int size;
};

template <class Where>
const Where& checked(const runtime::environment&, const Where& where)
{
  return where;
}
inline algorithms::segments_of_size checked(const runtime::environment& env, const of_size& where)
{
  return {item_count(env, where.size)};
}

template <class How, class InputIt, class OutputIt, class Where, class Op, class T>
status_type segmented_reduce(const How& how, InputIt in, OutputIt out, std::int64_t segments, const Where& where, Op op,
                             T init)
{
  using accum = accumulator_of<Op, detail::value_of<InputIt>, T>;
  How::template check_requirements<algorithms::is_reproducible_v<Op, accum>>();
  return how(
      [&](const auto& env)
      { algorithms::segmented_reduce<accum>(env, in, item_count(env, segments), checked(env, where), out, init, op); });
}

template <class How, class InputIt, class OutputIt, class Where>
status_type segmented_sum(const How& how, InputIt in, OutputIt out, std::int64_t segments, const Where& where)
{
  return segmented_reduce(how, in, out, segments, where, ::cuda::std::plus<>{},
                          output_value_t<OutputIt, detail::value_of<InputIt>>{});
}
template <class How, class InputIt, class OutputIt, class Where>
status_type segmented_min(const How& how, InputIt in, OutputIt out, std::int64_t segments, const Where& where)
{
  return segmented_reduce(how, in, out, segments, where, ::cuda::minimum<>{}, largest<detail::value_of<InputIt>>());
}
template <class How, class InputIt, class OutputIt, class Where>
status_type segmented_max(const How& how, InputIt in, OutputIt out, std::int64_t segments, const Where& where)
{
  return segmented_reduce(how, in, out, segments, where, ::cuda::maximum<>{}, lowest<detail::value_of<InputIt>>());
}

//! The types of a pair of index and value: of CUB's pair, or of a standard one.
template <class Pair, class = void>
struct pair_types
{
  using index = typename Pair::first_type;
  using value = typename Pair::second_type;
};
template <class Pair>
struct pair_types<Pair, std::void_t<typename Pair::Key, typename Pair::Value>>
{
  using index = typename Pair::Key;
  using value = typename Pair::Value;
};

//! The extremum that Keep keeps. Items are converted to the value type of the output's pairs first; an output that has none
//! is assigned pairs of CUB's, or, of segments of one size, standard ones.
template <template <class> class Keep, class How, class InputIt, class OutputIt, class Where>
status_type segmented_extremum(const How& how, InputIt in, OutputIt out, std::int64_t segments, const Where& where)
{
  using item = detail::value_of<InputIt>;
  using usual = std::conditional_t<std::is_same_v<Where, of_size>, ::cuda::std::pair<int, item>,
                                   CUB_NS_QUALIFIER::KeyValuePair<int, item>>;
  using pair = output_value_t<OutputIt, usual>;
  using index = typename pair_types<pair>::index;
  using value = typename pair_types<pair>::value;
  using compare = ::cuda::std::less<>;
  How::template check_requirements<true>();
  return how(
      [&](const auto& env)
      {
        algorithms::segmented_extremum<pair, index>(env, in, item_count(env, segments), checked(env, where), out,
                                                    extremum_of_nothing<Keep, compare, item, value>(), Keep<compare>{});
      });
}

} // namespace device_wide

//! Reductions of the segments of a range.
struct DeviceSegmentedReduce
{
  //! d_out[s] = initial_value ⊕ the items of segment s, folded in what the operator makes of `initial_value` and an item.
  //! Of an empty segment: `initial_value`.
  template <class InputIt, class OutputIt, class BeginOffsetIt, class EndOffsetIt, class ReductionOp, class T,
            class = device_wide::if_offsets<BeginOffsetIt, EndOffsetIt>>
  static status_type Reduce(void* d_temp_storage, std::size_t& temp_storage_bytes, InputIt d_in, OutputIt d_out,
                            std::int64_t num_segments, BeginOffsetIt d_begin_offsets, EndOffsetIt d_end_offsets,
                            ReductionOp reduction_op, T initial_value, stream_type stream = {})
  {
    return device_wide::segmented_reduce(
        device_wide::two_phases{"reheat::DeviceSegmentedReduce::Reduce", d_temp_storage, temp_storage_bytes, stream}, d_in,
        d_out, num_segments, device_wide::between(d_begin_offsets, d_end_offsets), reduction_op, initial_value);
  }
  //! The same for segments of `segment_size` items, one behind the other.
  template <class InputIt, class OutputIt, class ReductionOp, class T>
  static status_type Reduce(void* d_temp_storage, std::size_t& temp_storage_bytes, InputIt d_in, OutputIt d_out,
                            std::int64_t num_segments, int segment_size, ReductionOp reduction_op, T initial_value,
                            stream_type stream = {})
  {
    return device_wide::segmented_reduce(
        device_wide::two_phases{"reheat::DeviceSegmentedReduce::Reduce", d_temp_storage, temp_storage_bytes, stream}, d_in,
        d_out, num_segments, device_wide::of_size{segment_size}, reduction_op, initial_value);
  }

  //! The sums from zero, in the value type of the output. (Of the input, if the output has none.)
  template <class InputIt, class OutputIt, class BeginOffsetIt, class EndOffsetIt,
            class = device_wide::if_offsets<BeginOffsetIt, EndOffsetIt>>
  static status_type Sum(void* d_temp_storage, std::size_t& temp_storage_bytes, InputIt d_in, OutputIt d_out,
                         std::int64_t num_segments, BeginOffsetIt d_begin_offsets, EndOffsetIt d_end_offsets,
                         stream_type stream = {})
  {
    return device_wide::segmented_sum(
        device_wide::two_phases{"reheat::DeviceSegmentedReduce::Sum", d_temp_storage, temp_storage_bytes, stream}, d_in,
        d_out, num_segments, device_wide::between(d_begin_offsets, d_end_offsets));
  }
  //! The same for segments of `segment_size` items, one behind the other.
  template <class InputIt, class OutputIt>
  static status_type Sum(void* d_temp_storage, std::size_t& temp_storage_bytes, InputIt d_in, OutputIt d_out,
                         std::int64_t num_segments, int segment_size, stream_type stream = {})
  {
    return device_wide::segmented_sum(
        device_wide::two_phases{"reheat::DeviceSegmentedReduce::Sum", d_temp_storage, temp_storage_bytes, stream}, d_in,
        d_out, num_segments, device_wide::of_size{segment_size});
  }

  //! The smallest items, or numeric_limits::max() of the items' type where that is smaller.
  template <class InputIt, class OutputIt, class BeginOffsetIt, class EndOffsetIt,
            class = device_wide::if_offsets<BeginOffsetIt, EndOffsetIt>>
  static status_type Min(void* d_temp_storage, std::size_t& temp_storage_bytes, InputIt d_in, OutputIt d_out,
                         std::int64_t num_segments, BeginOffsetIt d_begin_offsets, EndOffsetIt d_end_offsets,
                         stream_type stream = {})
  {
    return device_wide::segmented_min(
        device_wide::two_phases{"reheat::DeviceSegmentedReduce::Min", d_temp_storage, temp_storage_bytes, stream}, d_in,
        d_out, num_segments, device_wide::between(d_begin_offsets, d_end_offsets));
  }
  //! The same for segments of `segment_size` items, one behind the other.
  template <class InputIt, class OutputIt>
  static status_type Min(void* d_temp_storage, std::size_t& temp_storage_bytes, InputIt d_in, OutputIt d_out,
                         std::int64_t num_segments, int segment_size, stream_type stream = {})
  {
    return device_wide::segmented_min(
        device_wide::two_phases{"reheat::DeviceSegmentedReduce::Min", d_temp_storage, temp_storage_bytes, stream}, d_in,
        d_out, num_segments, device_wide::of_size{segment_size});
  }

  //! The largest items, or numeric_limits::lowest() of the items' type where that is larger.
  template <class InputIt, class OutputIt, class BeginOffsetIt, class EndOffsetIt,
            class = device_wide::if_offsets<BeginOffsetIt, EndOffsetIt>>
  static status_type Max(void* d_temp_storage, std::size_t& temp_storage_bytes, InputIt d_in, OutputIt d_out,
                         std::int64_t num_segments, BeginOffsetIt d_begin_offsets, EndOffsetIt d_end_offsets,
                         stream_type stream = {})
  {
    return device_wide::segmented_max(
        device_wide::two_phases{"reheat::DeviceSegmentedReduce::Max", d_temp_storage, temp_storage_bytes, stream}, d_in,
        d_out, num_segments, device_wide::between(d_begin_offsets, d_end_offsets));
  }
  //! The same for segments of `segment_size` items, one behind the other.
  template <class InputIt, class OutputIt>
  static status_type Max(void* d_temp_storage, std::size_t& temp_storage_bytes, InputIt d_in, OutputIt d_out,
                         std::int64_t num_segments, int segment_size, stream_type stream = {})
  {
    return device_wide::segmented_max(
        device_wide::two_phases{"reheat::DeviceSegmentedReduce::Max", d_temp_storage, temp_storage_bytes, stream}, d_in,
        d_out, num_segments, device_wide::of_size{segment_size});
  }

  //! The first of the smallest items of each segment and its index in the segment, as ::cub::KeyValuePair<int, …>. Items are
  //! compared as the values of these pairs. Of an empty segment: 1 and numeric_limits::max().
  template <class InputIt, class OutputIt, class BeginOffsetIt, class EndOffsetIt,
            class = device_wide::if_offsets<BeginOffsetIt, EndOffsetIt>>
  static status_type ArgMin(void* d_temp_storage, std::size_t& temp_storage_bytes, InputIt d_in, OutputIt d_out,
                            std::int64_t num_segments, BeginOffsetIt d_begin_offsets, EndOffsetIt d_end_offsets,
                            stream_type stream = {})
  {
    return device_wide::segmented_extremum<detail::keep_smallest>(
        device_wide::two_phases{"reheat::DeviceSegmentedReduce::ArgMin", d_temp_storage, temp_storage_bytes, stream}, d_in,
        d_out, num_segments, device_wide::between(d_begin_offsets, d_end_offsets));
  }
  //! The same for segments of `segment_size` items, one behind the other. The pairs may be ::cuda::std::pair<int, …>, too.
  template <class InputIt, class OutputIt>
  static status_type ArgMin(void* d_temp_storage, std::size_t& temp_storage_bytes, InputIt d_in, OutputIt d_out,
                            std::int64_t num_segments, int segment_size, stream_type stream = {})
  {
    return device_wide::segmented_extremum<detail::keep_smallest>(
        device_wide::two_phases{"reheat::DeviceSegmentedReduce::ArgMin", d_temp_storage, temp_storage_bytes, stream}, d_in,
        d_out, num_segments, device_wide::of_size{segment_size});
  }

  //! The first of the largest items of each segment and its index in the segment, as ::cub::KeyValuePair<int, …>. Items are
  //! compared as the values of these pairs. Of an empty segment: 1 and numeric_limits::lowest().
  template <class InputIt, class OutputIt, class BeginOffsetIt, class EndOffsetIt,
            class = device_wide::if_offsets<BeginOffsetIt, EndOffsetIt>>
  static status_type ArgMax(void* d_temp_storage, std::size_t& temp_storage_bytes, InputIt d_in, OutputIt d_out,
                            std::int64_t num_segments, BeginOffsetIt d_begin_offsets, EndOffsetIt d_end_offsets,
                            stream_type stream = {})
  {
    return device_wide::segmented_extremum<detail::keep_largest>(
        device_wide::two_phases{"reheat::DeviceSegmentedReduce::ArgMax", d_temp_storage, temp_storage_bytes, stream}, d_in,
        d_out, num_segments, device_wide::between(d_begin_offsets, d_end_offsets));
  }
  //! The same for segments of `segment_size` items, one behind the other. The pairs may be ::cuda::std::pair<int, …>, too.
  template <class InputIt, class OutputIt>
  static status_type ArgMax(void* d_temp_storage, std::size_t& temp_storage_bytes, InputIt d_in, OutputIt d_out,
                            std::int64_t num_segments, int segment_size, stream_type stream = {})
  {
    return device_wide::segmented_extremum<detail::keep_largest>(
        device_wide::two_phases{"reheat::DeviceSegmentedReduce::ArgMax", d_temp_storage, temp_storage_bytes, stream}, d_in,
        d_out, num_segments, device_wide::of_size{segment_size});
  }

#if REHEAT_HAS_ENVIRONMENTS
  // The same in one phase.

  template <class InputIt, class OutputIt, class BeginOffsetIt, class EndOffsetIt, class ReductionOp, class T,
            class Env = device_wide::no_environment, class = device_wide::if_offsets<BeginOffsetIt, EndOffsetIt>>
  [[nodiscard]] static status_type Reduce(InputIt d_in, OutputIt d_out, std::int64_t num_segments,
                                          BeginOffsetIt d_begin_offsets, EndOffsetIt d_end_offsets, ReductionOp reduction_op,
                                          T initial_value, const Env& env = {})
  {
    return device_wide::segmented_reduce(device_wide::single_phase<Env>{"reheat::DeviceSegmentedReduce::Reduce", env}, d_in,
                                         d_out, num_segments, device_wide::between(d_begin_offsets, d_end_offsets),
                                         reduction_op, initial_value);
  }
  template <class InputIt, class OutputIt, class ReductionOp, class T, class Env = device_wide::no_environment>
  [[nodiscard]] static status_type Reduce(InputIt d_in, OutputIt d_out, std::int64_t num_segments, int segment_size,
                                          ReductionOp reduction_op, T initial_value, const Env& env = {})
  {
    return device_wide::segmented_reduce(device_wide::single_phase<Env>{"reheat::DeviceSegmentedReduce::Reduce", env}, d_in,
                                         d_out, num_segments, device_wide::of_size{segment_size}, reduction_op,
                                         initial_value);
  }
  template <class InputIt, class OutputIt, class BeginOffsetIt, class EndOffsetIt, class Env = device_wide::no_environment,
            class = device_wide::if_offsets<BeginOffsetIt, EndOffsetIt>>
  [[nodiscard]] static status_type Sum(InputIt d_in, OutputIt d_out, std::int64_t num_segments,
                                       BeginOffsetIt d_begin_offsets, EndOffsetIt d_end_offsets, const Env& env = {})
  {
    return device_wide::segmented_sum(device_wide::single_phase<Env>{"reheat::DeviceSegmentedReduce::Sum", env}, d_in, d_out,
                                      num_segments, device_wide::between(d_begin_offsets, d_end_offsets));
  }
  template <class InputIt, class OutputIt, class Env = device_wide::no_environment>
  [[nodiscard]] static status_type Sum(InputIt d_in, OutputIt d_out, std::int64_t num_segments, int segment_size,
                                       const Env& env = {})
  {
    return device_wide::segmented_sum(device_wide::single_phase<Env>{"reheat::DeviceSegmentedReduce::Sum", env}, d_in, d_out,
                                      num_segments, device_wide::of_size{segment_size});
  }
  template <class InputIt, class OutputIt, class BeginOffsetIt, class EndOffsetIt, class Env = device_wide::no_environment,
            class = device_wide::if_offsets<BeginOffsetIt, EndOffsetIt>>
  [[nodiscard]] static status_type Min(InputIt d_in, OutputIt d_out, std::int64_t num_segments,
                                       BeginOffsetIt d_begin_offsets, EndOffsetIt d_end_offsets, const Env& env = {})
  {
    return device_wide::segmented_min(device_wide::single_phase<Env>{"reheat::DeviceSegmentedReduce::Min", env}, d_in, d_out,
                                      num_segments, device_wide::between(d_begin_offsets, d_end_offsets));
  }
  template <class InputIt, class OutputIt, class Env = device_wide::no_environment>
  [[nodiscard]] static status_type Min(InputIt d_in, OutputIt d_out, std::int64_t num_segments, int segment_size,
                                       const Env& env = {})
  {
    return device_wide::segmented_min(device_wide::single_phase<Env>{"reheat::DeviceSegmentedReduce::Min", env}, d_in, d_out,
                                      num_segments, device_wide::of_size{segment_size});
  }
  template <class InputIt, class OutputIt, class BeginOffsetIt, class EndOffsetIt, class Env = device_wide::no_environment,
            class = device_wide::if_offsets<BeginOffsetIt, EndOffsetIt>>
  [[nodiscard]] static status_type Max(InputIt d_in, OutputIt d_out, std::int64_t num_segments,
                                       BeginOffsetIt d_begin_offsets, EndOffsetIt d_end_offsets, const Env& env = {})
  {
    return device_wide::segmented_max(device_wide::single_phase<Env>{"reheat::DeviceSegmentedReduce::Max", env}, d_in, d_out,
                                      num_segments, device_wide::between(d_begin_offsets, d_end_offsets));
  }
  template <class InputIt, class OutputIt, class Env = device_wide::no_environment>
  [[nodiscard]] static status_type Max(InputIt d_in, OutputIt d_out, std::int64_t num_segments, int segment_size,
                                       const Env& env = {})
  {
    return device_wide::segmented_max(device_wide::single_phase<Env>{"reheat::DeviceSegmentedReduce::Max", env}, d_in, d_out,
                                      num_segments, device_wide::of_size{segment_size});
  }
  template <class InputIt, class OutputIt, class BeginOffsetIt, class EndOffsetIt, class Env = device_wide::no_environment,
            class = device_wide::if_offsets<BeginOffsetIt, EndOffsetIt>>
  [[nodiscard]] static status_type ArgMin(InputIt d_in, OutputIt d_out, std::int64_t num_segments,
                                          BeginOffsetIt d_begin_offsets, EndOffsetIt d_end_offsets, const Env& env = {})
  {
    return device_wide::segmented_extremum<detail::keep_smallest>(
        device_wide::single_phase<Env>{"reheat::DeviceSegmentedReduce::ArgMin", env}, d_in, d_out, num_segments,
        device_wide::between(d_begin_offsets, d_end_offsets));
  }
  template <class InputIt, class OutputIt, class Env = device_wide::no_environment>
  [[nodiscard]] static status_type ArgMin(InputIt d_in, OutputIt d_out, std::int64_t num_segments, int segment_size,
                                          const Env& env = {})
  {
    return device_wide::segmented_extremum<detail::keep_smallest>(
        device_wide::single_phase<Env>{"reheat::DeviceSegmentedReduce::ArgMin", env}, d_in, d_out, num_segments,
        device_wide::of_size{segment_size});
  }
  template <class InputIt, class OutputIt, class BeginOffsetIt, class EndOffsetIt, class Env = device_wide::no_environment,
            class = device_wide::if_offsets<BeginOffsetIt, EndOffsetIt>>
  [[nodiscard]] static status_type ArgMax(InputIt d_in, OutputIt d_out, std::int64_t num_segments,
                                          BeginOffsetIt d_begin_offsets, EndOffsetIt d_end_offsets, const Env& env = {})
  {
    return device_wide::segmented_extremum<detail::keep_largest>(
        device_wide::single_phase<Env>{"reheat::DeviceSegmentedReduce::ArgMax", env}, d_in, d_out, num_segments,
        device_wide::between(d_begin_offsets, d_end_offsets));
  }
  template <class InputIt, class OutputIt, class Env = device_wide::no_environment>
  [[nodiscard]] static status_type ArgMax(InputIt d_in, OutputIt d_out, std::int64_t num_segments, int segment_size,
                                          const Env& env = {})
  {
    return device_wide::segmented_extremum<detail::keep_largest>(
        device_wide::single_phase<Env>{"reheat::DeviceSegmentedReduce::ArgMax", env}, d_in, d_out, num_segments,
        device_wide::of_size{segment_size});
  }
#endif
};

REHEAT_NAMESPACE_END

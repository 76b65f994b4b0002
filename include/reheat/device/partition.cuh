// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! `reheat::DevicePartition`: CUB's class of that name on reheat's kernels.
//!
//! What select.cuh says of calls, memory and errors holds here, too. The selected items are stored from `d_out` on, in their
//! order, and their number in `d_num_selected_out`. The others are stored behind them in reverse order: the last item of
//! `d_out` is the first one that is not selected. Each item and each flag is read once, and the operator is asked once about
//! each. Outputs overlap no input.
//!
//! An `If` with two operators makes three parts, each from its output on and in its order. The second operator is asked
//! about the items that the first one does not select. The numbers of items in the first two parts are stored.
#pragma once

#include <reheat/detail/algorithms/partition.cuh>
#include <reheat/detail/config.cuh>
#include <reheat/detail/select/selection.cuh>
#include <reheat/device/call.cuh>
#include <reheat/device/select.cuh>

#include <cstddef>
#include <cstdint>

REHEAT_NAMESPACE_BEGIN
namespace device_wide
{

template <class How, class InputIt, class FlagIt, class OutputIt, class CountIt, class SelectOp>
status_type partition(const How& how, InputIt in, FlagIt flags, OutputIt out, CountIt count_out, std::int64_t items,
                      SelectOp select_op)
{
  How::template check_requirements<true>();
  return how([&](const auto& env)
             { algorithms::partition_reversed_into(env, in, flags, out, count_out, item_count(env, items), select_op); });
}

template <class How, class InputIt, class FirstIt, class SecondIt, class RestIt, class CountIt, class NumItems, class First,
          class Second>
status_type partition_three_ways(const How& how, InputIt in, FirstIt first, SecondIt second, RestIt rest, CountIt counts_out,
                                 NumItems items, First first_part, Second second_part)
{
  How::template check_requirements<true>();
  return how(
      [&](const auto& env)
      {
        algorithms::partition_three_ways_into(env, in, first, second, rest, counts_out, item_count(env, items), first_part,
                                              second_part);
      });
}

} // namespace device_wide

//! Partitions of a range.
struct DevicePartition
{
  //! By flags: an item whose flag is not zero is selected.
  template <class InputIt, class FlagIt, class OutputIt, class NumSelectedIt>
  static status_type Flagged(void* d_temp_storage, std::size_t& temp_storage_bytes, InputIt d_in, FlagIt d_flags,
                             OutputIt d_out, NumSelectedIt d_num_selected_out, std::int64_t num_items,
                             device_wide::stream_argument stream = {})
  {
    return device_wide::partition(
        device_wide::two_phases{"reheat::DevicePartition::Flagged", d_temp_storage, temp_storage_bytes, stream.stream}, d_in,
        d_flags, d_out, d_num_selected_out, num_items, device_wide::is_set{});
  }

  //! By an operator: an item for which it holds is selected.
  template <class InputIt, class OutputIt, class NumSelectedIt, class SelectOp>
  static status_type If(void* d_temp_storage, std::size_t& temp_storage_bytes, InputIt d_in, OutputIt d_out,
                        NumSelectedIt d_num_selected_out, std::int64_t num_items, SelectOp select_op,
                        device_wide::stream_argument stream = {})
  {
    return device_wide::partition(
        device_wide::two_phases{"reheat::DevicePartition::If", d_temp_storage, temp_storage_bytes, stream.stream}, d_in,
        detail::no_stencil{}, d_out, d_num_selected_out, num_items, select_op);
  }

  //! In three, by two operators. `d_num_selected_out` has two places.
  template <class InputIt, class FirstOutputIt, class SecondOutputIt, class UnselectedOutputIt, class NumSelectedIt,
            class NumItems, class SelectFirstPartOp, class SelectSecondPartOp>
  static status_type If(void* d_temp_storage, std::size_t& temp_storage_bytes, InputIt d_in, FirstOutputIt d_first_part_out,
                        SecondOutputIt d_second_part_out, UnselectedOutputIt d_unselected_out,
                        NumSelectedIt d_num_selected_out, NumItems num_items, SelectFirstPartOp select_first_part_op,
                        SelectSecondPartOp select_second_part_op, device_wide::stream_argument stream = {})
  {
    return device_wide::partition_three_ways(
        device_wide::two_phases{"reheat::DevicePartition::If", d_temp_storage, temp_storage_bytes, stream.stream}, d_in,
        d_first_part_out, d_second_part_out, d_unselected_out, d_num_selected_out, num_items, select_first_part_op,
        select_second_part_op);
  }

#if REHEAT_HAS_ENVIRONMENTS
  // The same in one phase.

  template <class InputIt, class FlagIt, class OutputIt, class NumSelectedIt, class Env = device_wide::no_environment>
  [[nodiscard]] static status_type Flagged(InputIt d_in, FlagIt d_flags, OutputIt d_out, NumSelectedIt d_num_selected_out,
                                           std::int64_t num_items, const Env& env = {})
  {
    return device_wide::partition(device_wide::single_phase<Env>{"reheat::DevicePartition::Flagged", env}, d_in, d_flags,
                                  d_out, d_num_selected_out, num_items, device_wide::is_set{});
  }

  template <class InputIt, class OutputIt, class NumSelectedIt, class SelectOp, class Env = device_wide::no_environment>
  [[nodiscard]] static status_type If(InputIt d_in, OutputIt d_out, NumSelectedIt d_num_selected_out, std::int64_t num_items,
                                      SelectOp select_op, const Env& env = {})
  {
    return device_wide::partition(device_wide::single_phase<Env>{"reheat::DevicePartition::If", env}, d_in,
                                  detail::no_stencil{}, d_out, d_num_selected_out, num_items, select_op);
  }

  template <class InputIt, class FirstOutputIt, class SecondOutputIt, class UnselectedOutputIt, class NumSelectedIt,
            class NumItems, class SelectFirstPartOp, class SelectSecondPartOp, class Env = device_wide::no_environment,
            device_wide::if_single_phase<InputIt, FirstOutputIt, NumItems> = 0>
  [[nodiscard]] static status_type If(InputIt d_in, FirstOutputIt d_first_part_out, SecondOutputIt d_second_part_out,
                                      UnselectedOutputIt d_unselected_out, NumSelectedIt d_num_selected_out,
                                      NumItems num_items, SelectFirstPartOp select_first_part_op,
                                      SelectSecondPartOp select_second_part_op, const Env& env = {})
  {
    return device_wide::partition_three_ways(device_wide::single_phase<Env>{"reheat::DevicePartition::If", env}, d_in,
                                             d_first_part_out, d_second_part_out, d_unselected_out, d_num_selected_out,
                                             num_items, select_first_part_op, select_second_part_op);
  }
#endif
};

REHEAT_NAMESPACE_END

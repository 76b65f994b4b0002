// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! `reheat::DevicePartition`: `Flagged` and the two-way `If` of CUB's class of that name on reheat's kernels.
//!
//! What select.cuh says of calls, memory and errors holds here, too. The selected items are stored from `d_out` on, in their
//! order, and their number in `d_num_selected_out`. The others are stored behind them in reverse order: the last item of
//! `d_out` is the first one that is not selected. Each item and each flag is read once, and the operator is asked once about
//! each. Outputs overlap no input.
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

} // namespace device_wide

//! Partitions of a range.
struct DevicePartition
{
  //! By flags: an item whose flag is not zero is selected.
  template <class InputIt, class FlagIt, class OutputIt, class NumSelectedIt>
  static status_type Flagged(void* d_temp_storage, std::size_t& temp_storage_bytes, InputIt d_in, FlagIt d_flags,
                             OutputIt d_out, NumSelectedIt d_num_selected_out, std::int64_t num_items,
                             stream_type stream = {})
  {
    return device_wide::partition(
        device_wide::two_phases{"reheat::DevicePartition::Flagged", d_temp_storage, temp_storage_bytes, stream}, d_in,
        d_flags, d_out, d_num_selected_out, num_items, device_wide::is_set{});
  }

  //! By an operator: an item for which it holds is selected.
  template <class InputIt, class OutputIt, class NumSelectedIt, class SelectOp>
  static status_type If(void* d_temp_storage, std::size_t& temp_storage_bytes, InputIt d_in, OutputIt d_out,
                        NumSelectedIt d_num_selected_out, std::int64_t num_items, SelectOp select_op,
                        stream_type stream = {})
  {
    return device_wide::partition(
        device_wide::two_phases{"reheat::DevicePartition::If", d_temp_storage, temp_storage_bytes, stream}, d_in,
        detail::no_stencil{}, d_out, d_num_selected_out, num_items, select_op);
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
#endif
};

REHEAT_NAMESPACE_END

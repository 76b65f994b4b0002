// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! `reheat::DeviceSelect`: `If`, `Flagged` and `FlaggedIf` of CUB's class of that name on reheat's kernels.
//!
//! What reduce.cuh says of calls, memory and errors holds here, too. The selected items are stored from `d_out` on, in their
//! order, and their number in `d_num_selected_out`. Nothing is stored behind them. Each item and each flag is read once, and
//! the operator is asked once about each. `d_out` may be `d_in`, as the forms with `d_data` have it; otherwise outputs
//! overlap no input. Every call takes two launches, the first of which clears a part of the memory; calls in one phase
//! without a memory resource take one.
#pragma once

#include <reheat/detail/algorithms/select.cuh>
#include <reheat/detail/config.cuh>
#include <reheat/detail/select/selection.cuh>
#include <reheat/device/call.cuh>

#include <cstddef>
#include <cstdint>

REHEAT_NAMESPACE_BEGIN
namespace device_wide
{

//! Flags select where they are not zero.
struct is_set
{
  template <class Flag>
  REHEAT_DEVICE bool operator()(const Flag& flag) const
  {
    return static_cast<bool>(flag);
  }
};

template <class How, class InputIt, class FlagIt, class OutputIt, class CountIt, class SelectOp>
status_type select(const How& how, InputIt in, FlagIt flags, OutputIt out, CountIt count_out, std::int64_t items,
                   SelectOp select_op)
{
  How::template check_requirements<true>();
  return how([&](const auto& env)
             { algorithms::select_into(env, in, flags, out, count_out, item_count(env, items), select_op); });
}

} // namespace device_wide

//! Selections of a range.
struct DeviceSelect
{
  //! The items for which the operator holds.
  template <class InputIt, class OutputIt, class NumSelectedIt, class SelectOp>
  static status_type If(void* d_temp_storage, std::size_t& temp_storage_bytes, InputIt d_in, OutputIt d_out,
                        NumSelectedIt d_num_selected_out, std::int64_t num_items, SelectOp select_op,
                        stream_type stream = {})
  {
    return device_wide::select(
        device_wide::two_phases{"reheat::DeviceSelect::If", d_temp_storage, temp_storage_bytes, stream}, d_in,
        detail::no_stencil{}, d_out, d_num_selected_out, num_items, select_op);
  }
  //! The same in place.
  template <class It, class NumSelectedIt, class SelectOp>
  static status_type If(void* d_temp_storage, std::size_t& temp_storage_bytes, It d_data, NumSelectedIt d_num_selected_out,
                        std::int64_t num_items, SelectOp select_op, stream_type stream = {})
  {
    return If(d_temp_storage, temp_storage_bytes, d_data, d_data, d_num_selected_out, num_items, select_op, stream);
  }

  //! The items whose flags are not zero.
  template <class InputIt, class FlagIt, class OutputIt, class NumSelectedIt>
  static status_type Flagged(void* d_temp_storage, std::size_t& temp_storage_bytes, InputIt d_in, FlagIt d_flags,
                             OutputIt d_out, NumSelectedIt d_num_selected_out, std::int64_t num_items,
                             stream_type stream = {})
  {
    return device_wide::select(
        device_wide::two_phases{"reheat::DeviceSelect::Flagged", d_temp_storage, temp_storage_bytes, stream}, d_in, d_flags,
        d_out, d_num_selected_out, num_items, device_wide::is_set{});
  }
  //! The same in place.
  template <class It, class FlagIt, class NumSelectedIt>
  static status_type Flagged(void* d_temp_storage, std::size_t& temp_storage_bytes, It d_data, FlagIt d_flags,
                             NumSelectedIt d_num_selected_out, std::int64_t num_items, stream_type stream = {})
  {
    return Flagged(d_temp_storage, temp_storage_bytes, d_data, d_flags, d_data, d_num_selected_out, num_items, stream);
  }

  //! The items for whose flags the operator holds.
  template <class InputIt, class FlagIt, class OutputIt, class NumSelectedIt, class SelectOp>
  static status_type FlaggedIf(void* d_temp_storage, std::size_t& temp_storage_bytes, InputIt d_in, FlagIt d_flags,
                               OutputIt d_out, NumSelectedIt d_num_selected_out, std::int64_t num_items, SelectOp select_op,
                               stream_type stream = {})
  {
    return device_wide::select(
        device_wide::two_phases{"reheat::DeviceSelect::FlaggedIf", d_temp_storage, temp_storage_bytes, stream}, d_in,
        d_flags, d_out, d_num_selected_out, num_items, select_op);
  }
  //! The same in place.
  template <class It, class FlagIt, class NumSelectedIt, class SelectOp>
  static status_type FlaggedIf(void* d_temp_storage, std::size_t& temp_storage_bytes, It d_data, FlagIt d_flags,
                               NumSelectedIt d_num_selected_out, std::int64_t num_items, SelectOp select_op,
                               stream_type stream = {})
  {
    return FlaggedIf(d_temp_storage, temp_storage_bytes, d_data, d_flags, d_data, d_num_selected_out, num_items, select_op,
                     stream);
  }

#if REHEAT_HAS_ENVIRONMENTS
  // The same in one phase.

  template <class InputIt, class OutputIt, class NumSelectedIt, class SelectOp, class Env = device_wide::no_environment>
  [[nodiscard]] static status_type If(InputIt d_in, OutputIt d_out, NumSelectedIt d_num_selected_out, std::int64_t num_items,
                                      SelectOp select_op, const Env& env = {})
  {
    return device_wide::select(device_wide::single_phase<Env>{"reheat::DeviceSelect::If", env}, d_in, detail::no_stencil{},
                               d_out, d_num_selected_out, num_items, select_op);
  }
  template <class It, class NumSelectedIt, class SelectOp, class Env = device_wide::no_environment>
  [[nodiscard]] static status_type If(It d_data, NumSelectedIt d_num_selected_out, std::int64_t num_items,
                                      SelectOp select_op, const Env& env = {})
  {
    return If(d_data, d_data, d_num_selected_out, num_items, select_op, env);
  }

  template <class InputIt, class FlagIt, class OutputIt, class NumSelectedIt, class Env = device_wide::no_environment>
  [[nodiscard]] static status_type Flagged(InputIt d_in, FlagIt d_flags, OutputIt d_out, NumSelectedIt d_num_selected_out,
                                           std::int64_t num_items, const Env& env = {})
  {
    return device_wide::select(device_wide::single_phase<Env>{"reheat::DeviceSelect::Flagged", env}, d_in, d_flags, d_out,
                               d_num_selected_out, num_items, device_wide::is_set{});
  }
  template <class It, class FlagIt, class NumSelectedIt, class Env = device_wide::no_environment>
  [[nodiscard]] static status_type Flagged(It d_data, FlagIt d_flags, NumSelectedIt d_num_selected_out,
                                           std::int64_t num_items, const Env& env = {})
  {
    return Flagged(d_data, d_flags, d_data, d_num_selected_out, num_items, env);
  }

  template <class InputIt, class FlagIt, class OutputIt, class NumSelectedIt, class SelectOp,
            class Env = device_wide::no_environment>
  [[nodiscard]] static status_type FlaggedIf(InputIt d_in, FlagIt d_flags, OutputIt d_out, NumSelectedIt d_num_selected_out,
                                             std::int64_t num_items, SelectOp select_op, const Env& env = {})
  {
    return device_wide::select(device_wide::single_phase<Env>{"reheat::DeviceSelect::FlaggedIf", env}, d_in, d_flags, d_out,
                               d_num_selected_out, num_items, select_op);
  }
  template <class It, class FlagIt, class NumSelectedIt, class SelectOp, class Env = device_wide::no_environment>
  [[nodiscard]] static status_type FlaggedIf(It d_data, FlagIt d_flags, NumSelectedIt d_num_selected_out,
                                             std::int64_t num_items, SelectOp select_op, const Env& env = {})
  {
    return FlaggedIf(d_data, d_flags, d_data, d_num_selected_out, num_items, select_op, env);
  }
#endif
};

REHEAT_NAMESPACE_END

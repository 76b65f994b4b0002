// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! `reheat::DeviceRunLengthEncode`: CUB's class of that name on reheat's kernels.
//!
//! What select.cuh says of calls, memory and errors holds here, too. A run is a row of neighbours that are equal by `==`.
//! Runs are stored in their order, and nothing behind the last of them. Lengths are counted in 64 bits and converted to the
//! value type of their output. Outputs overlap no input. The number of items has any integral type; CUB 3.0.1 takes an int.
#pragma once

#include <reheat/detail/algorithms/run_lengths.cuh>
#include <reheat/detail/config.cuh>
#include <reheat/detail/select/run_lengths.cuh>
#include <reheat/device/call.cuh>

#include <cuda/std/functional>

#include <cstddef>

REHEAT_NAMESPACE_BEGIN
namespace device_wide
{

template <detail::stored_runs Which, class How, class InputIt, class FirstIt, class LengthIt, class CountIt, class NumItems>
status_type run_lengths(const How& how, InputIt in, FirstIt firsts, LengthIt lengths, CountIt count_out, NumItems items)
{
  How::template check_requirements<true>();
  return how(
      [&](const auto& env)
      {
        algorithms::run_lengths_into<Which>(env, in, firsts, lengths, count_out, item_count(env, items),
                                            ::cuda::std::equal_to<>{});
      });
}

} // namespace device_wide

//! Runs of equal neighbours of a range.
struct DeviceRunLengthEncode
{
  //! The first item of each run in `d_unique_out`, its length in `d_counts_out`, and the number of runs.
  template <class InputIt, class UniqueOutputIt, class LengthsOutputIt, class NumRunsIt, class NumItems>
  static status_type Encode(void* d_temp_storage, std::size_t& temp_storage_bytes, InputIt d_in, UniqueOutputIt d_unique_out,
                            LengthsOutputIt d_counts_out, NumRunsIt d_num_runs_out, NumItems num_items,
                            stream_type stream = {})
  {
    return device_wide::run_lengths<detail::stored_runs::all>(
        device_wide::two_phases{"reheat::DeviceRunLengthEncode::Encode", d_temp_storage, temp_storage_bytes, stream}, d_in,
        d_unique_out, d_counts_out, d_num_runs_out, num_items);
  }

  //! Of the runs of two items or more, the index of the first item in `d_offsets_out`, the length in `d_lengths_out`, and
  //! their number.
  template <class InputIt, class OffsetsOutputIt, class LengthsOutputIt, class NumRunsIt, class NumItems>
  static status_type NonTrivialRuns(void* d_temp_storage, std::size_t& temp_storage_bytes, InputIt d_in,
                                    OffsetsOutputIt d_offsets_out, LengthsOutputIt d_lengths_out, NumRunsIt d_num_runs_out,
                                    NumItems num_items, stream_type stream = {})
  {
    return device_wide::run_lengths<detail::stored_runs::non_trivial>(
        device_wide::two_phases{"reheat::DeviceRunLengthEncode::NonTrivialRuns", d_temp_storage, temp_storage_bytes, stream},
        d_in, d_offsets_out, d_lengths_out, d_num_runs_out, num_items);
  }

#if REHEAT_HAS_ENVIRONMENTS
  // The same in one phase.

  template <class InputIt, class UniqueOutputIt, class LengthsOutputIt, class NumRunsIt, class NumItems,
            class Env = device_wide::no_environment, device_wide::if_single_phase<InputIt, UniqueOutputIt, NumItems> = 0>
  [[nodiscard]] static status_type Encode(InputIt d_in, UniqueOutputIt d_unique_out, LengthsOutputIt d_counts_out,
                                          NumRunsIt d_num_runs_out, NumItems num_items, const Env& env = {})
  {
    return device_wide::run_lengths<detail::stored_runs::all>(
        device_wide::single_phase<Env>{"reheat::DeviceRunLengthEncode::Encode", env}, d_in, d_unique_out, d_counts_out,
        d_num_runs_out, num_items);
  }

  template <class InputIt, class OffsetsOutputIt, class LengthsOutputIt, class NumRunsIt, class NumItems,
            class Env = device_wide::no_environment, device_wide::if_single_phase<InputIt, OffsetsOutputIt, NumItems> = 0>
  [[nodiscard]] static status_type NonTrivialRuns(InputIt d_in, OffsetsOutputIt d_offsets_out, LengthsOutputIt d_lengths_out,
                                                  NumRunsIt d_num_runs_out, NumItems num_items, const Env& env = {})
  {
    return device_wide::run_lengths<detail::stored_runs::non_trivial>(
        device_wide::single_phase<Env>{"reheat::DeviceRunLengthEncode::NonTrivialRuns", env}, d_in, d_offsets_out,
        d_lengths_out, d_num_runs_out, num_items);
  }
#endif
};

REHEAT_NAMESPACE_END

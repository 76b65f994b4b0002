// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! `reheat::DeviceSegmentedScan`: CUB's class of that name (CCCL 3.3) on reheat's kernels.
//!
//! What reduce.cuh says of calls, memory, errors and operators holds here, too, and what segmented_reduce.cuh says of
//! segments, offsets and launches. Item i of segment s goes to d_out[d_in_begin_offsets[s] + i], or with offsets of the
//! output to d_out[d_out_begin_offsets[s] + i]. Nothing else is stored. `d_out` may be `d_in`, if segments do not overlap
//! and stay where they are; the output overlaps neither the input in any other way nor the offsets. Segments with offsets of
//! the output that are not the pointer to those of the input are scanned each by one block.
#pragma once

#include <reheat/detail/algorithms/reproducible.cuh>
#include <reheat/detail/algorithms/segmented.cuh>
#include <reheat/detail/config.cuh>
#include <reheat/detail/scan/kind.cuh>
#include <reheat/detail/thread/items.cuh>
#include <reheat/device/call.cuh>
#include <reheat/device/scan.cuh>
#include <reheat/device/segmented_reduce.cuh>
#include <reheat/device/types.cuh>

#include <cuda/std/functional>

#include <cstddef>
#include <cstdint>
#include <type_traits>

REHEAT_NAMESPACE_BEGIN
namespace device_wide
{

template <class OutBeginIt>
algorithms::places_from<OutBeginIt> from(OutBeginIt begins)
{
  static_assert(std::is_integral_v<detail::value_of<OutBeginIt>>, "reheat: the offsets of segments are integers");
  return {begins};
}

template <scan_kind Kind, class How, class InputIt, class OutputIt, class Where, class Places, class Op, class Init>
status_type segmented_scan(const How& how, InputIt in, OutputIt out, std::int64_t segments, const Where& where,
                           Places places, Op op, Init init)
{
  How::template check_requirements<algorithms::is_reproducible_v<Op, typename Init::accum>>();
  return how([&](const auto& env)
             { algorithms::segmented_scan<Kind>(env, in, item_count(env, segments), where, places, out, op, init); });
}
template <class How, class InputIt, class OutputIt, class Where, class Places, class Op>
status_type segmented_inclusive_scan(const How& how, InputIt in, OutputIt out, std::int64_t segments, const Where& where,
                                     Places places, Op op)
{
  using item = detail::value_of<InputIt>;
  using accum = scan_accumulator_t<Op, item, item, OutputIt>;
  return segmented_scan<scan_kind::inclusive>(how, in, out, segments, where, places, op, detail::scan_without_init<accum>{});
}
template <scan_kind Kind, class How, class InputIt, class OutputIt, class Where, class Places, class Op, class T>
status_type segmented_scan_from(const How& how, InputIt in, OutputIt out, std::int64_t segments, const Where& where,
                                Places places, Op op, T init)
{
  using accum = scan_accumulator_t<Op, detail::value_of<InputIt>, T, OutputIt>;
  return segmented_scan<Kind>(how, in, out, segments, where, places, op,
                              detail::scan_with_init<accum>{{static_cast<accum>(init)}});
}

} // namespace device_wide

//! Scans of the segments of a range.
struct DeviceSegmentedScan
{
  //! Sums of the items before each in its segment, from zero.
  template <class InputIt, class OutputIt, class BeginOffsetIt, class EndOffsetIt,
            class = device_wide::if_offsets<BeginOffsetIt, EndOffsetIt>>
  static status_type ExclusiveSegmentedSum(void* d_temp_storage, std::size_t& temp_storage_bytes, InputIt d_in,
                                           OutputIt d_out, BeginOffsetIt d_in_begin_offsets, EndOffsetIt d_in_end_offsets,
                                           std::int64_t num_segments, stream_type stream = {})
  {
    return device_wide::segmented_scan_from<detail::scan_kind::exclusive>(
        device_wide::two_phases{"reheat::DeviceSegmentedScan::ExclusiveSegmentedSum", d_temp_storage, temp_storage_bytes,
                                stream},
        d_in, d_out, num_segments, device_wide::between(d_in_begin_offsets, d_in_end_offsets), algorithms::same_places{},
        ::cuda::std::plus<>{}, detail::value_of<InputIt>{});
  }
  //! The same, each segment to its own offset in the output.
  template <class InputIt, class OutputIt, class BeginOffsetIt, class EndOffsetIt, class OutBeginOffsetIt,
            class = device_wide::if_offsets<BeginOffsetIt, OutBeginOffsetIt>>
  static status_type ExclusiveSegmentedSum(void* d_temp_storage, std::size_t& temp_storage_bytes, InputIt d_in,
                                           OutputIt d_out, BeginOffsetIt d_in_begin_offsets, EndOffsetIt d_in_end_offsets,
                                           OutBeginOffsetIt d_out_begin_offsets, std::int64_t num_segments,
                                           stream_type stream = {})
  {
    return device_wide::segmented_scan_from<detail::scan_kind::exclusive>(
        device_wide::two_phases{"reheat::DeviceSegmentedScan::ExclusiveSegmentedSum", d_temp_storage, temp_storage_bytes,
                                stream},
        d_in, d_out, num_segments, device_wide::between(d_in_begin_offsets, d_in_end_offsets),
        device_wide::from(d_out_begin_offsets), ::cuda::std::plus<>{}, detail::value_of<InputIt>{});
  }

  //! Folds of the items before each in its segment, from `init_value`.
  template <class InputIt, class OutputIt, class BeginOffsetIt, class EndOffsetIt, class ScanOp, class InitValue,
            class = device_wide::if_offsets<BeginOffsetIt, EndOffsetIt>>
  static status_type ExclusiveSegmentedScan(void* d_temp_storage, std::size_t& temp_storage_bytes, InputIt d_in,
                                            OutputIt d_out, BeginOffsetIt d_in_begin_offsets, EndOffsetIt d_in_end_offsets,
                                            std::int64_t num_segments, ScanOp scan_op, InitValue init_value,
                                            stream_type stream = {})
  {
    return device_wide::segmented_scan_from<detail::scan_kind::exclusive>(
        device_wide::two_phases{"reheat::DeviceSegmentedScan::ExclusiveSegmentedScan", d_temp_storage, temp_storage_bytes,
                                stream},
        d_in, d_out, num_segments, device_wide::between(d_in_begin_offsets, d_in_end_offsets), algorithms::same_places{},
        scan_op, init_value);
  }
  //! The same, each segment to its own offset in the output.
  template <class InputIt, class OutputIt, class BeginOffsetIt, class EndOffsetIt, class OutBeginOffsetIt, class ScanOp,
            class InitValue, class = device_wide::if_offsets<BeginOffsetIt, OutBeginOffsetIt>>
  static status_type ExclusiveSegmentedScan(void* d_temp_storage, std::size_t& temp_storage_bytes, InputIt d_in,
                                            OutputIt d_out, BeginOffsetIt d_in_begin_offsets, EndOffsetIt d_in_end_offsets,
                                            OutBeginOffsetIt d_out_begin_offsets, std::int64_t num_segments, ScanOp scan_op,
                                            InitValue init_value, stream_type stream = {})
  {
    return device_wide::segmented_scan_from<detail::scan_kind::exclusive>(
        device_wide::two_phases{"reheat::DeviceSegmentedScan::ExclusiveSegmentedScan", d_temp_storage, temp_storage_bytes,
                                stream},
        d_in, d_out, num_segments, device_wide::between(d_in_begin_offsets, d_in_end_offsets),
        device_wide::from(d_out_begin_offsets), scan_op, init_value);
  }

  //! Sums of the items of a segment up to and with each.
  template <class InputIt, class OutputIt, class BeginOffsetIt, class EndOffsetIt,
            class = device_wide::if_offsets<BeginOffsetIt, EndOffsetIt>>
  static status_type InclusiveSegmentedSum(void* d_temp_storage, std::size_t& temp_storage_bytes, InputIt d_in,
                                           OutputIt d_out, BeginOffsetIt d_in_begin_offsets, EndOffsetIt d_in_end_offsets,
                                           std::int64_t num_segments, stream_type stream = {})
  {
    return device_wide::segmented_inclusive_scan(
        device_wide::two_phases{"reheat::DeviceSegmentedScan::InclusiveSegmentedSum", d_temp_storage, temp_storage_bytes,
                                stream},
        d_in, d_out, num_segments, device_wide::between(d_in_begin_offsets, d_in_end_offsets), algorithms::same_places{},
        ::cuda::std::plus<>{});
  }
  //! The same, each segment to its own offset in the output.
  template <class InputIt, class OutputIt, class BeginOffsetIt, class EndOffsetIt, class OutBeginOffsetIt,
            class = device_wide::if_offsets<BeginOffsetIt, OutBeginOffsetIt>>
  static status_type InclusiveSegmentedSum(void* d_temp_storage, std::size_t& temp_storage_bytes, InputIt d_in,
                                           OutputIt d_out, BeginOffsetIt d_in_begin_offsets, EndOffsetIt d_in_end_offsets,
                                           OutBeginOffsetIt d_out_begin_offsets, std::int64_t num_segments,
                                           stream_type stream = {})
  {
    return device_wide::segmented_inclusive_scan(
        device_wide::two_phases{"reheat::DeviceSegmentedScan::InclusiveSegmentedSum", d_temp_storage, temp_storage_bytes,
                                stream},
        d_in, d_out, num_segments, device_wide::between(d_in_begin_offsets, d_in_end_offsets),
        device_wide::from(d_out_begin_offsets), ::cuda::std::plus<>{});
  }

  //! Folds of the items of a segment up to and with each.
  template <class InputIt, class OutputIt, class BeginOffsetIt, class EndOffsetIt, class ScanOp,
            class = device_wide::if_offsets<BeginOffsetIt, EndOffsetIt>>
  static status_type InclusiveSegmentedScan(void* d_temp_storage, std::size_t& temp_storage_bytes, InputIt d_in,
                                            OutputIt d_out, BeginOffsetIt d_in_begin_offsets, EndOffsetIt d_in_end_offsets,
                                            std::int64_t num_segments, ScanOp scan_op, stream_type stream = {})
  {
    return device_wide::segmented_inclusive_scan(
        device_wide::two_phases{"reheat::DeviceSegmentedScan::InclusiveSegmentedScan", d_temp_storage, temp_storage_bytes,
                                stream},
        d_in, d_out, num_segments, device_wide::between(d_in_begin_offsets, d_in_end_offsets), algorithms::same_places{},
        scan_op);
  }
  //! The same, each segment to its own offset in the output.
  template <class InputIt, class OutputIt, class BeginOffsetIt, class EndOffsetIt, class OutBeginOffsetIt, class ScanOp,
            class = device_wide::if_offsets<BeginOffsetIt, OutBeginOffsetIt>>
  static status_type InclusiveSegmentedScan(void* d_temp_storage, std::size_t& temp_storage_bytes, InputIt d_in,
                                            OutputIt d_out, BeginOffsetIt d_in_begin_offsets, EndOffsetIt d_in_end_offsets,
                                            OutBeginOffsetIt d_out_begin_offsets, std::int64_t num_segments, ScanOp scan_op,
                                            stream_type stream = {})
  {
    return device_wide::segmented_inclusive_scan(
        device_wide::two_phases{"reheat::DeviceSegmentedScan::InclusiveSegmentedScan", d_temp_storage, temp_storage_bytes,
                                stream},
        d_in, d_out, num_segments, device_wide::between(d_in_begin_offsets, d_in_end_offsets),
        device_wide::from(d_out_begin_offsets), scan_op);
  }

  //! The same from `init_value`.
  template <class InputIt, class OutputIt, class BeginOffsetIt, class EndOffsetIt, class ScanOp, class InitValue,
            class = device_wide::if_offsets<BeginOffsetIt, EndOffsetIt>>
  static status_type InclusiveSegmentedScanInit(void* d_temp_storage, std::size_t& temp_storage_bytes, InputIt d_in,
                                                OutputIt d_out, BeginOffsetIt d_in_begin_offsets,
                                                EndOffsetIt d_in_end_offsets, std::int64_t num_segments, ScanOp scan_op,
                                                InitValue init_value, stream_type stream = {})
  {
    return device_wide::segmented_scan_from<detail::scan_kind::inclusive>(
        device_wide::two_phases{"reheat::DeviceSegmentedScan::InclusiveSegmentedScanInit", d_temp_storage,
                                temp_storage_bytes, stream},
        d_in, d_out, num_segments, device_wide::between(d_in_begin_offsets, d_in_end_offsets), algorithms::same_places{},
        scan_op, init_value);
  }
  //! The same, each segment to its own offset in the output.
  template <class InputIt, class OutputIt, class BeginOffsetIt, class EndOffsetIt, class OutBeginOffsetIt, class ScanOp,
            class InitValue, class = device_wide::if_offsets<BeginOffsetIt, OutBeginOffsetIt>>
  static status_type InclusiveSegmentedScanInit(void* d_temp_storage, std::size_t& temp_storage_bytes, InputIt d_in,
                                                OutputIt d_out, BeginOffsetIt d_in_begin_offsets,
                                                EndOffsetIt d_in_end_offsets, OutBeginOffsetIt d_out_begin_offsets,
                                                std::int64_t num_segments, ScanOp scan_op, InitValue init_value,
                                                stream_type stream = {})
  {
    return device_wide::segmented_scan_from<detail::scan_kind::inclusive>(
        device_wide::two_phases{"reheat::DeviceSegmentedScan::InclusiveSegmentedScanInit", d_temp_storage,
                                temp_storage_bytes, stream},
        d_in, d_out, num_segments, device_wide::between(d_in_begin_offsets, d_in_end_offsets),
        device_wide::from(d_out_begin_offsets), scan_op, init_value);
  }

#if REHEAT_HAS_ENVIRONMENTS
  // The same in one phase.

  template <class InputIt, class OutputIt, class BeginOffsetIt, class EndOffsetIt, class Env = device_wide::no_environment,
            class = device_wide::if_offsets<BeginOffsetIt, EndOffsetIt>>
  [[nodiscard]] static status_type ExclusiveSegmentedSum(InputIt d_in, OutputIt d_out, BeginOffsetIt d_in_begin_offsets,
                                                         EndOffsetIt d_in_end_offsets, std::int64_t num_segments,
                                                         const Env& env = {})
  {
    return device_wide::segmented_scan_from<detail::scan_kind::exclusive>(
        device_wide::single_phase<Env>{"reheat::DeviceSegmentedScan::ExclusiveSegmentedSum", env}, d_in, d_out, num_segments,
        device_wide::between(d_in_begin_offsets, d_in_end_offsets), algorithms::same_places{}, ::cuda::std::plus<>{},
        detail::value_of<InputIt>{});
  }
  template <class InputIt, class OutputIt, class BeginOffsetIt, class EndOffsetIt, class OutBeginOffsetIt,
            class Env = device_wide::no_environment, class = device_wide::if_offsets<BeginOffsetIt, OutBeginOffsetIt>>
  [[nodiscard]] static status_type ExclusiveSegmentedSum(InputIt d_in, OutputIt d_out, BeginOffsetIt d_in_begin_offsets,
                                                         EndOffsetIt d_in_end_offsets, OutBeginOffsetIt d_out_begin_offsets,
                                                         std::int64_t num_segments, const Env& env = {})
  {
    return device_wide::segmented_scan_from<detail::scan_kind::exclusive>(
        device_wide::single_phase<Env>{"reheat::DeviceSegmentedScan::ExclusiveSegmentedSum", env}, d_in, d_out, num_segments,
        device_wide::between(d_in_begin_offsets, d_in_end_offsets), device_wide::from(d_out_begin_offsets),
        ::cuda::std::plus<>{}, detail::value_of<InputIt>{});
  }
  template <class InputIt, class OutputIt, class BeginOffsetIt, class EndOffsetIt, class ScanOp, class InitValue,
            class Env = device_wide::no_environment, class = device_wide::if_offsets<BeginOffsetIt, EndOffsetIt>>
  [[nodiscard]] static status_type ExclusiveSegmentedScan(InputIt d_in, OutputIt d_out, BeginOffsetIt d_in_begin_offsets,
                                                          EndOffsetIt d_in_end_offsets, std::int64_t num_segments,
                                                          ScanOp scan_op, InitValue init_value, const Env& env = {})
  {
    return device_wide::segmented_scan_from<detail::scan_kind::exclusive>(
        device_wide::single_phase<Env>{"reheat::DeviceSegmentedScan::ExclusiveSegmentedScan", env}, d_in, d_out,
        num_segments, device_wide::between(d_in_begin_offsets, d_in_end_offsets), algorithms::same_places{}, scan_op,
        init_value);
  }
  template <class InputIt, class OutputIt, class BeginOffsetIt, class EndOffsetIt, class OutBeginOffsetIt, class ScanOp,
            class InitValue, class Env = device_wide::no_environment,
            class = device_wide::if_offsets<BeginOffsetIt, OutBeginOffsetIt>>
  [[nodiscard]] static status_type ExclusiveSegmentedScan(InputIt d_in, OutputIt d_out, BeginOffsetIt d_in_begin_offsets,
                                                          EndOffsetIt d_in_end_offsets, OutBeginOffsetIt d_out_begin_offsets,
                                                          std::int64_t num_segments, ScanOp scan_op, InitValue init_value,
                                                          const Env& env = {})
  {
    return device_wide::segmented_scan_from<detail::scan_kind::exclusive>(
        device_wide::single_phase<Env>{"reheat::DeviceSegmentedScan::ExclusiveSegmentedScan", env}, d_in, d_out,
        num_segments, device_wide::between(d_in_begin_offsets, d_in_end_offsets), device_wide::from(d_out_begin_offsets),
        scan_op, init_value);
  }
  template <class InputIt, class OutputIt, class BeginOffsetIt, class EndOffsetIt, class Env = device_wide::no_environment,
            class = device_wide::if_offsets<BeginOffsetIt, EndOffsetIt>>
  [[nodiscard]] static status_type InclusiveSegmentedSum(InputIt d_in, OutputIt d_out, BeginOffsetIt d_in_begin_offsets,
                                                         EndOffsetIt d_in_end_offsets, std::int64_t num_segments,
                                                         const Env& env = {})
  {
    return device_wide::segmented_inclusive_scan(
        device_wide::single_phase<Env>{"reheat::DeviceSegmentedScan::InclusiveSegmentedSum", env}, d_in, d_out, num_segments,
        device_wide::between(d_in_begin_offsets, d_in_end_offsets), algorithms::same_places{}, ::cuda::std::plus<>{});
  }
  template <class InputIt, class OutputIt, class BeginOffsetIt, class EndOffsetIt, class OutBeginOffsetIt,
            class Env = device_wide::no_environment, class = device_wide::if_offsets<BeginOffsetIt, OutBeginOffsetIt>>
  [[nodiscard]] static status_type InclusiveSegmentedSum(InputIt d_in, OutputIt d_out, BeginOffsetIt d_in_begin_offsets,
                                                         EndOffsetIt d_in_end_offsets, OutBeginOffsetIt d_out_begin_offsets,
                                                         std::int64_t num_segments, const Env& env = {})
  {
    return device_wide::segmented_inclusive_scan(
        device_wide::single_phase<Env>{"reheat::DeviceSegmentedScan::InclusiveSegmentedSum", env}, d_in, d_out, num_segments,
        device_wide::between(d_in_begin_offsets, d_in_end_offsets), device_wide::from(d_out_begin_offsets),
        ::cuda::std::plus<>{});
  }
  template <class InputIt, class OutputIt, class BeginOffsetIt, class EndOffsetIt, class ScanOp,
            class Env = device_wide::no_environment, class = device_wide::if_offsets<BeginOffsetIt, EndOffsetIt>>
  [[nodiscard]] static status_type InclusiveSegmentedScan(InputIt d_in, OutputIt d_out, BeginOffsetIt d_in_begin_offsets,
                                                          EndOffsetIt d_in_end_offsets, std::int64_t num_segments,
                                                          ScanOp scan_op, const Env& env = {})
  {
    return device_wide::segmented_inclusive_scan(
        device_wide::single_phase<Env>{"reheat::DeviceSegmentedScan::InclusiveSegmentedScan", env}, d_in, d_out,
        num_segments, device_wide::between(d_in_begin_offsets, d_in_end_offsets), algorithms::same_places{}, scan_op);
  }
  template <class InputIt, class OutputIt, class BeginOffsetIt, class EndOffsetIt, class OutBeginOffsetIt, class ScanOp,
            class Env = device_wide::no_environment, class = device_wide::if_offsets<BeginOffsetIt, OutBeginOffsetIt>>
  [[nodiscard]] static status_type InclusiveSegmentedScan(InputIt d_in, OutputIt d_out, BeginOffsetIt d_in_begin_offsets,
                                                          EndOffsetIt d_in_end_offsets, OutBeginOffsetIt d_out_begin_offsets,
                                                          std::int64_t num_segments, ScanOp scan_op, const Env& env = {})
  {
    return device_wide::segmented_inclusive_scan(
        device_wide::single_phase<Env>{"reheat::DeviceSegmentedScan::InclusiveSegmentedScan", env}, d_in, d_out,
        num_segments, device_wide::between(d_in_begin_offsets, d_in_end_offsets), device_wide::from(d_out_begin_offsets),
        scan_op);
  }
  template <class InputIt, class OutputIt, class BeginOffsetIt, class EndOffsetIt, class ScanOp, class InitValue,
            class Env = device_wide::no_environment, class = device_wide::if_offsets<BeginOffsetIt, EndOffsetIt>>
  [[nodiscard]] static status_type InclusiveSegmentedScanInit(InputIt d_in, OutputIt d_out, BeginOffsetIt d_in_begin_offsets,
                                                              EndOffsetIt d_in_end_offsets, std::int64_t num_segments,
                                                              ScanOp scan_op, InitValue init_value, const Env& env = {})
  {
    return device_wide::segmented_scan_from<detail::scan_kind::inclusive>(
        device_wide::single_phase<Env>{"reheat::DeviceSegmentedScan::InclusiveSegmentedScanInit", env}, d_in, d_out,
        num_segments, device_wide::between(d_in_begin_offsets, d_in_end_offsets), algorithms::same_places{}, scan_op,
        init_value);
  }
  template <class InputIt, class OutputIt, class BeginOffsetIt, class EndOffsetIt, class OutBeginOffsetIt, class ScanOp,
            class InitValue, class Env = device_wide::no_environment,
            class = device_wide::if_offsets<BeginOffsetIt, OutBeginOffsetIt>>
  [[nodiscard]] static status_type
  InclusiveSegmentedScanInit(InputIt d_in, OutputIt d_out, BeginOffsetIt d_in_begin_offsets, EndOffsetIt d_in_end_offsets,
                             OutBeginOffsetIt d_out_begin_offsets, std::int64_t num_segments, ScanOp scan_op,
                             InitValue init_value, const Env& env = {})
  {
    return device_wide::segmented_scan_from<detail::scan_kind::inclusive>(
        device_wide::single_phase<Env>{"reheat::DeviceSegmentedScan::InclusiveSegmentedScanInit", env}, d_in, d_out,
        num_segments, device_wide::between(d_in_begin_offsets, d_in_end_offsets), device_wide::from(d_out_begin_offsets),
        scan_op, init_value);
  }
#endif
};

REHEAT_NAMESPACE_END

// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The shared object of segments/newest.hpp. It has a CUDA runtime of its own.
#include "segments/newest.hpp"

#include "segments/values.cuh"

#include <cub/device/device_segmented_reduce.cuh>
#include <cub/device/device_segmented_scan.cuh>
#include <cub/version.cuh>

#include <string>

extern "C" __attribute__((visibility("default"))) perf::segments::newest_function reheat_perf_segments_newest;
extern "C" __attribute__((visibility("default")))
perf::segments::newest_version_function reheat_perf_segments_newest_version;

cudaError_t reheat_perf_segments_newest(const perf::segments::row* which, const void* in, const void* offsets,
                                        std::uint64_t segments, void* out, void* temp, std::size_t* temp_bytes,
                                        cudaStream_t stream)
{
  const cudaError_t status = perf::segments::with_types(
      *which,
      [&](auto of)
      {
        using types = decltype(of);
        const auto* const begins = static_cast<const typename types::offset*>(offsets);
        const auto* const items = static_cast<const typename types::in*>(in);
        auto* const results = static_cast<typename types::out*>(out);
        const auto count = static_cast<std::int64_t>(segments);
        return which->operation == perf::segments::operation::sum
                   ? ::cub::DeviceSegmentedReduce::Sum(temp, *temp_bytes, items, results, count, begins, begins + 1, stream)
                   : ::cub::DeviceSegmentedScan::InclusiveSegmentedSum(temp, *temp_bytes, items, results, begins, begins + 1,
                                                                       count, stream);
      });
  (void)cudaGetLastError(); // of this object's own runtime library; the status has it
  return status;
}

const char* reheat_perf_segments_newest_version()
{
  static const std::string version = std::to_string(CUB_MAJOR_VERSION) + '.' + std::to_string(CUB_MINOR_VERSION) + '.' +
                                     std::to_string(CUB_SUBMINOR_VERSION);
  return version.c_str();
}

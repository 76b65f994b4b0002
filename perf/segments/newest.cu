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

cudaError_t reheat_perf_segments_newest(const perf::segments::row* which, const void* in, const void* begins,
                                        const void* ends, std::uint64_t segments, void* out, void* temp,
                                        std::size_t* temp_bytes, cudaStream_t stream)
{
  const cudaError_t status = perf::segments::with_types(
      *which,
      [&](auto of)
      {
        using types = decltype(of);
        const auto* const first = static_cast<const typename types::offset*>(begins);
        const auto* const last = static_cast<const typename types::offset*>(ends);
        const auto* const items = static_cast<const typename types::in*>(in);
        auto* const results = static_cast<typename types::out*>(out);
        const auto count = static_cast<std::int64_t>(segments);
        if (which->operation != perf::segments::operation::sum)
        {
          return ::cub::DeviceSegmentedScan::InclusiveSegmentedSum(temp, *temp_bytes, items, results, first, last, count,
                                                                   stream);
        }
        if constexpr (types::has_fixed)
        {
          if (which->bounds == perf::segments::bounds::fixed)
          {
            return ::cub::DeviceSegmentedReduce::Sum(temp, *temp_bytes, items, results, count,
                                                     static_cast<int>(which->length), stream);
          }
        }
        return ::cub::DeviceSegmentedReduce::Sum(temp, *temp_bytes, items, results, count, first, last, stream);
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

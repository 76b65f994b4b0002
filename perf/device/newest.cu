// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The shared object of device/newest.hpp: CUB of a newer CCCL, and reheat's headers compiled with it. It has a copy of
//! reheat's library of its own, as it has one of the CUDA runtime.
#include "device/newest.hpp"

#include "device/calls.hpp"

#include <cub/device/device_reduce.cuh>
#include <cub/device/device_scan.cuh>
#include <cub/version.cuh>

#include <reheat/device.cuh>

#include <cuda/functional>
#include <cuda/std/execution>
#include <cuda/stream_ref>

#include <cstdint>
#include <limits>
#include <string>

namespace
{

using perf::device_wide::implementation;
using perf::device_wide::newest_entry;

constexpr std::int32_t lowest = std::numeric_limits<std::int32_t>::lowest();

// In two phases.
cudaError_t call_cub(newest_entry which, void* temp, std::size_t& temp_bytes, const std::int32_t* in, std::int32_t* out,
                     int items, cudaStream_t stream)
{
  switch (which)
  {
    case newest_entry::sum:
      return ::cub::DeviceReduce::Sum(temp, temp_bytes, in, out, items, stream);
    case newest_entry::reduce_max:
      return ::cub::DeviceReduce::Reduce(temp, temp_bytes, in, out, items, ::cuda::maximum<>{}, lowest, stream);
    case newest_entry::inclusive_sum:
      return ::cub::DeviceScan::InclusiveSum(temp, temp_bytes, in, out, items, stream);
    case newest_entry::exclusive_sum:
      return ::cub::DeviceScan::ExclusiveSum(temp, temp_bytes, in, out, items, stream);
  }
  return cudaErrorNotSupported;
}

template <class Reduce, class Scan>
cudaError_t call_with_environment(newest_entry which, const std::int32_t* in, std::int32_t* out, int items,
                                  cudaStream_t stream)
{
  const auto environment = ::cuda::std::execution::env{::cuda::stream_ref{stream}};
  switch (which)
  {
    case newest_entry::sum:
      return Reduce::Sum(in, out, items, environment);
    case newest_entry::reduce_max:
      return Reduce::Reduce(in, out, items, ::cuda::maximum<>{}, lowest, environment);
    case newest_entry::inclusive_sum:
      return Scan::InclusiveSum(in, out, items, environment);
    case newest_entry::exclusive_sum:
      return Scan::ExclusiveSum(in, out, items, environment);
  }
  return cudaErrorNotSupported;
}

} // namespace

extern "C" __attribute__((visibility("default"))) perf::device_wide::newest_function reheat_perf_device_newest;
extern "C" __attribute__((visibility("default")))
perf::device_wide::newest_version_function reheat_perf_device_newest_version;

cudaError_t reheat_perf_device_newest(int entry, int who, const void* in, void* out, int items, void* temp,
                                      std::size_t* temp_bytes, cudaStream_t stream)
{
  const auto which = static_cast<newest_entry>(entry);
  const auto* const first = static_cast<const std::int32_t*>(in);
  auto* const result = static_cast<std::int32_t*>(out);
  cudaError_t status = cudaErrorNotSupported;
  switch (static_cast<implementation>(who))
  {
    case implementation::reheat_env:
      status = call_with_environment<::reheat::DeviceReduce, ::reheat::DeviceScan>(which, first, result, items, stream);
      break;
    case implementation::cub_new:
      status = call_cub(which, temp, *temp_bytes, first, result, items, stream);
      break;
    case implementation::cub_new_env:
      status = call_with_environment<::cub::DeviceReduce, ::cub::DeviceScan>(which, first, result, items, stream);
      break;
    default:
      break;
  }
  (void)cudaGetLastError(); // of this object's own runtime library; the status has it
  return status;
}

const char* reheat_perf_device_newest_version()
{
  static const std::string version = std::to_string(CUB_MAJOR_VERSION) + '.' + std::to_string(CUB_MINOR_VERSION) + '.' +
                                     std::to_string(CUB_SUBMINOR_VERSION);
  return version.c_str();
}

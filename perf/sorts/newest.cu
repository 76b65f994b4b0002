// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The shared object of sorts/newest.hpp. It has a CUDA runtime of its own.
#include "sorts/newest.hpp"

#include "sorts/values.cuh"

#include <cub/device/device_radix_sort.cuh>
#include <cub/version.cuh>

#include <string>

extern "C" __attribute__((visibility("default"))) perf::sorts::newest_function reheat_perf_sort_newest;
extern "C" __attribute__((visibility("default"))) perf::sorts::newest_version_function reheat_perf_sort_newest_version;

cudaError_t reheat_perf_sort_newest(int type, bool wide, const void* keys_in, void* keys_out, const void* values_in,
                                    void* values_out, std::uint64_t items, void* temp, std::size_t* temp_bytes,
                                    cudaStream_t stream)
{
  const cudaError_t status =
      perf::sorts::with_types(static_cast<perf::sorts::type>(type),
                              [&](auto of)
                              {
                                using types = decltype(of);
                                const auto sort = [&](auto count)
                                {
                                  return perf::sorts::sort_in_two_phases<::cub::DeviceRadixSort, types>(
                                      keys_in, keys_out, values_in, values_out, count, temp, *temp_bytes, stream);
                                };
                                return wide ? sort(static_cast<std::int64_t>(items)) : sort(static_cast<int>(items));
                              });
  (void)cudaGetLastError(); // of this object's own runtime library; the status has it
  return status;
}

const char* reheat_perf_sort_newest_version()
{
  static const std::string version = std::to_string(CUB_MAJOR_VERSION) + '.' + std::to_string(CUB_MINOR_VERSION) + '.' +
                                     std::to_string(CUB_SUBMINOR_VERSION);
  return version.c_str();
}

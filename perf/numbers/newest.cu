// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The shared object of numbers/newest.hpp. It has a CUDA runtime of its own.
#include "numbers/newest.hpp"

#include <cub/device/device_reduce.cuh>
#include <cub/version.cuh>

#include <string>

namespace
{

// What DeviceReduce::Sum calls in an environment that requires gpu_to_gpu. Through the public interface, the timed call
// would also allocate.
template <class T>
cudaError_t sum(const void* in, void* out, std::uint64_t items, void* temp, std::size_t& temp_bytes, cudaStream_t stream)
{
  return ::cub::detail::rfa::dispatch(temp, temp_bytes, static_cast<const T*>(in), static_cast<T*>(out), items, T{}, stream);
}

} // namespace

extern "C" __attribute__((visibility("default"))) perf::newest_function reheat_perf_numbers_newest;
extern "C" __attribute__((visibility("default"))) perf::newest_version_function reheat_perf_numbers_newest_version;

cudaError_t reheat_perf_numbers_newest(bool doubles, const void* in, void* out, std::uint64_t items, void* temp,
                                       std::size_t* temp_bytes, cudaStream_t stream)
{
  const cudaError_t status = doubles ? sum<double>(in, out, items, temp, *temp_bytes, stream)
                                     : sum<float>(in, out, items, temp, *temp_bytes, stream);
  (void)cudaGetLastError(); // of this object's own runtime library; the status has it
  return status;
}

const char* reheat_perf_numbers_newest_version()
{
  static const std::string version = std::to_string(CUB_MAJOR_VERSION) + '.' + std::to_string(CUB_MINOR_VERSION) + '.' +
                                     std::to_string(CUB_SUBMINOR_VERSION);
  return version.c_str();
}

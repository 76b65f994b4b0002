// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The current CUDA device: its memory and its clock.
#pragma once

#include "../machine.hpp"

#include <timing/clocks.hpp>

#include <thrust/system_error.h>

#include <cuda_runtime.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <new>
#include <optional>
#include <string>
#include <vector>

namespace compare::here
{

inline constexpr const char* program = "reheat-compare";
inline constexpr const char* upstream = "thrust::device";
inline constexpr bool emulated = false;
inline constexpr std::array others{implementation::device, implementation::cub};

inline void check(cudaError_t status, const std::string& attempted)
{
  if (status == cudaSuccess)
  {
    return;
  }
  (void)cudaGetLastError();
  const std::string what = attempted + " failed: " + cudaGetErrorString(status) + " (" + cudaGetErrorName(status) + ")";
  throw machine_error(status == cudaErrorMemoryAllocation ? what + "; take fewer items with --items" : what);
}

inline std::string description()
{
  int devices = 0;
  const cudaError_t status = cudaGetDeviceCount(&devices);
  if (status != cudaSuccess || devices == 0)
  {
    (void)cudaGetLastError();
    throw machine_error(std::string("no CUDA device to run on (") +
                        (status != cudaSuccess ? cudaGetErrorString(status) : "the driver reports none") +
                        "); reheat-compare-emulated needs none");
  }
  int device = 0;
  cudaDeviceProp properties;
  check(cudaGetDevice(&device), "asking for the current CUDA device");
  check(cudaGetDeviceProperties(&properties, device), "asking for the CUDA device's properties");
  return properties.name;
}

// Free memory of the host in bytes, or a size without meaning where /proc does not say.
inline std::size_t free_host_memory()
{
  std::size_t kib = ~std::size_t{0} >> 10;
  if (std::FILE* const file = std::fopen("/proc/meminfo", "r"))
  {
    char line[256];
    while (std::fgets(line, sizeof(line), file) != nullptr)
    {
      if (std::sscanf(line, "MemAvailable: %zu kB", &kib) == 1)
      {
        break;
      }
    }
    std::fclose(file);
  }
  return kib << 10;
}

// On the device the arrays and an implementation's temporary memory; on the host the file, the items, keys, and three
// outputs with one more for what an output held before.
inline std::size_t input_capacity(std::size_t arrays)
{
  std::size_t free_bytes = 0, total_bytes = 0;
  check(cudaMemGetInfo(&free_bytes, &total_bytes), "asking for free GPU memory");
  const std::size_t reserve = std::min(free_bytes / 2, std::size_t{512} << 20);
  return std::min((free_bytes - reserve) / arrays, free_host_memory() / 8);
}

//! Of golden.cu.
std::vector<std::uint64_t> golden_hashes();

class memory
{
public:
  explicit memory(std::size_t bytes)
  {
    check(cudaMalloc(&data_, bytes), "allocating " + std::to_string(bytes) + " bytes of GPU memory");
  }
  ~memory() { (void)cudaFree(data_); }
  memory(const memory&) = delete;
  memory& operator=(const memory&) = delete;
  std::byte* data() const { return static_cast<std::byte*>(data_); }

private:
  void* data_ = nullptr;
};

inline void copy_in(std::byte* to, const std::byte* from, std::size_t bytes)
{
  check(cudaMemcpy(to, from, bytes, cudaMemcpyHostToDevice), "copying to the GPU");
}
inline void copy_out(std::byte* to, const std::byte* from, std::size_t bytes)
{
  check(cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToHost), "copying from the GPU");
}
inline void fill(std::byte* to, int value, std::size_t bytes)
{
  check(cudaMemset(to, value, bytes), "filling GPU memory");
}

inline bool is_out_of_memory(const std::exception& error)
{
  const auto* const system = dynamic_cast<const thrust::system_error*>(&error);
  return dynamic_cast<const std::bad_alloc*>(&error) != nullptr ||
         (system != nullptr && system->code().value() == cudaErrorMemoryAllocation);
}

//! GPU time of one call whose input is not in the L2 cache. The host's time in the call counts where the GPU waits for it.
class clock
{
public:
  clock()
  {
    guarded([&] { clock_.emplace(cudaStreamLegacy); });
  }
  template <class F>
  double seconds_of(F call)
  {
    double seconds = 0;
    guarded([&] { seconds = clock_->seconds(call); });
    return seconds;
  }

private:
  template <class F>
  static void guarded(F attempt)
  {
    try
    {
      attempt();
    }
    catch (const timing::cuda_failure& error)
    {
      throw machine_error(error.what());
    }
  }

  std::optional<timing::cold_clock> clock_;
};

} // namespace compare::here

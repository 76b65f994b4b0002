// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
#include "common/device.hpp"

#include <timing/cuda.hpp>

#include <cuda_runtime_api.h>
#include <dlfcn.h>

#include <algorithm>
#include <cstddef>
#include <stdexcept>

namespace perf
{
namespace
{

using timing::check;

std::string cuda_version(int number)
{
  return std::to_string(number / 1000) + '.' + std::to_string(number % 1000 / 10);
}

template <class Function>
bool load(void* library, const char* name, Function*& function)
{
  function = reinterpret_cast<Function*>(dlsym(library, name));
  return function != nullptr;
}

} // namespace

void rates::see(unsigned mhz)
{
  low = low == 0 ? mhz : std::min(low, mhz);
  high = std::max(high, mhz);
}

device::device()
{
  int devices = 0;
  const cudaError_t status = cudaGetDeviceCount(&devices);
  if (status != cudaSuccess || devices == 0)
  {
    (void)cudaGetLastError();
    throw std::runtime_error(std::string("no CUDA device to measure (") +
                             (status != cudaSuccess ? cudaGetErrorString(status) : "the driver reports none") +
                             "); --list prints names without one");
  }
  int current = 0, driver = 0;
  cudaDeviceProp properties;
  check(cudaGetDevice(&current), "asking for the current CUDA device");
  check(cudaGetDeviceProperties(&properties, current), "asking for the CUDA device's properties");
  check(cudaDriverGetVersion(&driver), "asking for the driver's version");
  name_ = properties.name;
  driver_ = "for CUDA " + cuda_version(driver);
  multiprocessors_ = static_cast<unsigned>(properties.multiProcessorCount);
  l2_bytes_ = static_cast<std::uint64_t>(properties.l2CacheSize);
  open_nvml();
}

device::~device()
{
  if (library_ != nullptr)
  {
    int (*shutdown)() = nullptr;
    if (load(library_, "nvmlShutdown", shutdown))
    {
      shutdown();
    }
    dlclose(library_);
  }
}

// The library comes with the driver, its header with neither: the few functions are declared here.
void device::open_nvml()
{
  int (*init)() = nullptr;
  int (*driver_version)(char*, unsigned) = nullptr;
  int (*handle_of)(const char*, void**) = nullptr;
  void* const library = dlopen("libnvidia-ml.so.1", RTLD_NOW);
  if (library == nullptr)
  {
    return;
  }
  if (!load(library, "nvmlInit_v2", init) || init() != 0)
  {
    dlclose(library);
    return;
  }
  library_ = library;
  char text[96] = {};
  if (load(library, "nvmlSystemGetDriverVersion", driver_version) && driver_version(text, sizeof(text)) == 0)
  {
    driver_ = text;
  }
  int current = 0;
  if (load(library, "nvmlDeviceGetHandleByPciBusId_v2", handle_of) && cudaGetDevice(&current) == cudaSuccess &&
      cudaDeviceGetPCIBusId(text, sizeof(text), current) == cudaSuccess && handle_of(text, &handle_) == 0)
  {
    load(library, "nvmlDeviceGetClockInfo", clock_info_);
  }
  (void)cudaGetLastError();
}

std::string device::runtime() const
{
  int number = 0;
  check(cudaRuntimeGetVersion(&number), "asking for the CUDA runtime's version");
  return cuda_version(number);
}

device_size device::size() const
{
  std::size_t free_bytes = 0, total_bytes = 0;
  check(cudaMemGetInfo(&free_bytes, &total_bytes), "asking for free GPU memory");
  // Scratch memory, the cache's flush and graphs take some, too.
  const std::size_t reserve = std::min(free_bytes / 4, std::size_t{2} << 30);
  return {l2_bytes_, free_bytes - reserve};
}

void device::sample_clocks()
{
  constexpr int sm = 1, memory = 2; // nvmlClockType_t
  unsigned mhz = 0;
  if (clock_info_ != nullptr && clock_info_(handle_, sm, &mhz) == 0)
  {
    multiprocessor_clock_.see(mhz);
  }
  if (clock_info_ != nullptr && clock_info_(handle_, memory, &mhz) == 0)
  {
    memory_clock_.see(mhz);
  }
}

} // namespace perf

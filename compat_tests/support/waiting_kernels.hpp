// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Kernels that hold multiprocessors until the host lets them go. Not part of the emulated build.
#pragma once

#include "machine.hpp"

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <thread>

namespace compat
{

inline unsigned multiprocessor_count()
{
  int count = 0;
  require(cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, 0), "ask for multiprocessors");
  return static_cast<unsigned>(count);
}

inline std::size_t max_shared_bytes()
{
  int bytes = 0;
  require(cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0), "ask for shared memory");
  return static_cast<std::size_t>(bytes);
}

//! Memory of the host's that kernels see, and a thread that writes a 1 there after three seconds, unless it is told to
//! before.
class watched_flag
{
public:
  watched_flag()
  {
    void* memory = nullptr;
    require(cudaHostAlloc(&memory, sizeof(std::uint32_t), cudaHostAllocMapped), "allocate a flag");
    flag_ = static_cast<volatile std::uint32_t*>(memory);
    *flag_ = 0;
    watchdog_ = std::thread(
        [this]
        {
          for (int i = 0; i < 3000 && !raised_; ++i)
          {
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
          }
          timed_out_ = !raised_;
          *flag_ = 1;
        });
  }
  watched_flag(const watched_flag&) = delete;
  watched_flag& operator=(const watched_flag&) = delete;
  ~watched_flag()
  {
    raise();
    (void)cudaDeviceSynchronize();
    (void)cudaFreeHost(const_cast<std::uint32_t*>(flag_));
  }
  void raise()
  {
    raised_ = true;
    if (watchdog_.joinable())
    {
      watchdog_.join();
    }
  }
  bool timed_out() const { return timed_out_; }
  const volatile std::uint32_t* get() const { return flag_; }

private:
  volatile std::uint32_t* flag_ = nullptr;
  std::atomic<bool> raised_{false}, timed_out_{false};
  std::thread watchdog_;
};

template <class>
__global__ void wait_for_flag(const volatile std::uint32_t* flag)
{
  while (*flag == 0)
  {}
}

//! Enqueues a kernel that takes all shared memory of `count` multiprocessors until the flag is raised.
inline void hold_multiprocessors(unsigned count, const watched_flag& until, stream& where)
{
  const std::size_t shared_bytes = max_shared_bytes();
  require(
      cudaFuncSetAttribute(wait_for_flag<void>, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(shared_bytes)),
      "allow shared memory");
  wait_for_flag<void><<<count, 32, shared_bytes, where.get()>>>(until.get());
  require(cudaGetLastError(), "launch a kernel that waits");
}

} // namespace compat

// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The GPU that is measured: what is said of it, and the clock rates it ran at.
#pragma once

#include <cstdint>
#include <string>

namespace perf
{

struct device_size
{
  std::uint64_t l2_bytes;
  std::uint64_t free_bytes; //!< that the buffers may take
};

//! Lowest and highest of a clock rate, in MHz.
struct rates
{
  unsigned low = 0, high = 0;
  void see(unsigned mhz);
};

//! The current CUDA device.
class device
{
public:
  //! Throws std::runtime_error where there is none.
  device();
  ~device();
  device(const device&) = delete;
  device& operator=(const device&) = delete;

  const std::string& name() const { return name_; }
  const std::string& driver() const { return driver_; } //!< its version, or what CUDA it is for where that is not to be had
  std::string runtime() const;                          //!< CUDA's version
  unsigned multiprocessors() const { return multiprocessors_; }
  std::uint64_t l2_bytes() const { return l2_bytes_; }
  //! As much as buffers may take now.
  device_size size() const;

  //! Looks at the clock rates, where NVML is to be had.
  void sample_clocks();
  const rates& multiprocessor_clock() const { return multiprocessor_clock_; }
  const rates& memory_clock() const { return memory_clock_; }

private:
  void open_nvml();

  std::string name_, driver_;
  unsigned multiprocessors_ = 0;
  std::uint64_t l2_bytes_ = 0;
  void* library_ = nullptr; //!< of NVML, which only the driver brings
  void* handle_ = nullptr;
  int (*clock_info_)(void*, int, unsigned*) = nullptr;
  rates multiprocessor_clock_, memory_clock_;
};

} // namespace perf

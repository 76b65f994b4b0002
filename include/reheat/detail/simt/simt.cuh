// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! `reheat::simt` for the machine of this build: the GPU or the emulator.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/simt/fault.cuh>

#if defined(REHEAT_EMULATED)
#  include <reheat/detail/simt/emulated.h>
#else
#  include <reheat/detail/simt/cuda.cuh>
#endif

REHEAT_NAMESPACE_BEGIN
namespace simt
{

//! Counts the bytes that `shared_memory` would hand out, for the host. A layout is a class whose constructor takes either.
class shared_counter
{
public:
  template <class T>
  REHEAT_HOST_DEVICE constexpr T* array(unsigned count, std::size_t alignment = alignof(T))
  {
    bytes_ = (bytes_ + alignment - 1) / alignment * alignment + count * sizeof(T);
    return nullptr;
  }
  template <class T, unsigned Count>
  REHEAT_HOST_DEVICE constexpr T* static_array()
  {
    return static_arrays_are_dynamic ? array<T>(Count) : nullptr;
  }
  REHEAT_HOST_DEVICE constexpr std::size_t bytes() const { return bytes_; }

private:
  std::size_t bytes_ = 0;
};

} // namespace simt
REHEAT_NAMESPACE_END

// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Thrust's and CUB's algorithms on the current CUDA device.
#pragma once

#include "../two_phases.cuh"
#include "machine.cuh"

#include <cub/device/device_reduce.cuh>
#include <cub/device/device_scan.cuh>

#include <thrust/execution_policy.h>
#include <thrust/functional.h>
#include <thrust/system_error.h>

#include <cuda_runtime.h>

#include <cstddef>
#include <optional>

namespace compare::here
{

inline const auto& upstream_policy()
{
  return thrust::device;
}

template <class T>
using ascending = thrust::less<T>;

//! Throws what Thrust would throw for the status.
inline void check_call(cudaError_t status)
{
  if (status != cudaSuccess)
  {
    (void)cudaGetLastError();
    throw thrust::system_error(status, thrust::cuda_category());
  }
}

template <class T, class Op>
void call_cub(call& c)
{
  check_call(call_in_two_phases<cub::DeviceReduce, cub::DeviceScan, T, Op>(c));
}

template <class T, class Sum>
void call_other_of_cub(call& c)
{
  check_call(call_other_in_two_phases<cub::DeviceReduce, cub::DeviceScan, T, Sum>(c));
}

//! Of items on the device.
template <class T>
std::optional<double> sum_by_cub(const T* items, std::size_t count)
{
  const memory sum(sizeof(T));
  T* const out = reinterpret_cast<T*>(sum.data());
  std::size_t scratch_bytes = 0;
  check_call(cub::DeviceReduce::Sum(nullptr, scratch_bytes, items, out, count));
  const memory scratch(scratch_bytes);
  check_call(cub::DeviceReduce::Sum(scratch.data(), scratch_bytes, items, out, count));
  T made;
  copy_out(reinterpret_cast<std::byte*>(&made), sum.data(), sizeof(T));
  return made;
}

} // namespace compare::here

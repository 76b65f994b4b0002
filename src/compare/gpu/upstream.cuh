// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Thrust's and CUB's algorithms on the current CUDA device.
#pragma once

#include "../call.hpp"
#include "machine.cuh"

#include <cub/device/device_reduce.cuh>
#include <cub/device/device_scan.cuh>

#include <thrust/execution_policy.h>

#include <cuda_runtime.h>

namespace compare::here
{

inline const auto& upstream_policy()
{
  return thrust::device;
}

// A call of CUB's: the first, without scratch memory, only says how much of it the second needs.
template <class T, class Op>
void call_cub(call& c)
{
  const T* const in = reinterpret_cast<const T*>(c.in);
  T* const out = reinterpret_cast<T*>(c.out);
  const T init = read_item<T>(c.init);
  cudaError_t status = cudaSuccess;
  switch (c.algorithm)
  {
    case algorithm::reduce:
      status = cub::DeviceReduce::Reduce(c.scratch, c.scratch_bytes, in, out, c.count, Op{}, init);
      break;
    case algorithm::inclusive_scan:
      status = cub::DeviceScan::InclusiveScan(c.scratch, c.scratch_bytes, in, out, Op{}, c.count);
      break;
    case algorithm::exclusive_scan:
      status = cub::DeviceScan::ExclusiveScan(c.scratch, c.scratch_bytes, in, out, Op{}, init, c.count);
      break;
    default: // in calls_sum.cu and calls_search.cu
      break;
  }
  check(status, "cub");
}

} // namespace compare::here

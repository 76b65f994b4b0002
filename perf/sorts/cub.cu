// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The calls of reheat-sort by CUB, with both widths of the number of items, for which it has different kernels; and by
//! Thrust, which has CUB's.
#include "common/upstream.cuh"
#include "sorts/calls.hpp"
#include "sorts/values.cuh"
#include "sorts/whole_call.cuh"

#include <cub/device/device_radix_sort.cuh>
#include <cub/version.cuh>
#include <thrust/system/cuda/execution_policy.h>

namespace perf::sorts
{
namespace
{

template <class Types, class NumItems>
void sort_keys(call& c)
{
  check_cub(sort_in_two_phases<::cub::DeviceRadixSort, Types>(
      c.keys_in, c.keys_out, c.values_in, c.values_out, static_cast<NumItems>(c.items), c.temp, c.temp_bytes, c.stream));
}

} // namespace

call_function cub_function_of(type which, bool wide)
{
  return with_types(which,
                    [&](auto of) -> call_function
                    { return wide ? sort_keys<decltype(of), std::int64_t> : sort_keys<decltype(of), int>; });
}

call_function thrust_function_of(type which)
{
  return whole_call(which, [](cudaStream_t stream) { return ::thrust::cuda::par.on(stream); });
}

std::string cccl_version()
{
  return std::to_string(CUB_MAJOR_VERSION) + '.' + std::to_string(CUB_MINOR_VERSION) + '.' +
         std::to_string(CUB_SUBMINOR_VERSION);
}

} // namespace perf::sorts

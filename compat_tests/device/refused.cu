// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Calls that must not compile, one per value of REFUSED: the compiler's message says why, and what to do.

#include <reheat/device.cuh>
#include <reheat/ladder.cuh>

#include <thrust/scan.h>

#if !REHEAT_HAS_ENVIRONMENTS
#  pragma message("CCCL has no environments before 3.1")
#else

#  include <cuda/execution>

#  include <cstdint>

using reheat::DeviceReduce;
using reheat::DeviceScan;
namespace execution = ::cuda::execution;

struct their_plus
{
  REHEAT_HOST_DEVICE int operator()(int x, int y) const { return x + y; }
};
//! A memory resource without streams.
struct synchronous_resource
{
  void* allocate_sync(std::size_t bytes, std::size_t alignment);
  void deallocate_sync(void* memory, std::size_t bytes, std::size_t alignment);
};
struct with_resource
{
  synchronous_resource get_memory_resource() const noexcept { return {}; }
};

reheat::status_type refused(const int* in, int* out, const float* reals, float* real, std::int64_t* place, void* memory,
                            std::size_t bytes)
{
  const auto gpu_to_gpu = execution::require(execution::determinism::gpu_to_gpu);
#  if REFUSED == 1
  return DeviceReduce::Sum(in, out, 1, execution::determinism::run_to_run);
#  elif REFUSED == 2
  return DeviceReduce::ArgMin(memory, bytes, in, out, place, 1, execution::determinism::run_to_run);
#  elif REFUSED == 3
  return DeviceReduce::Reduce(reals, real, 1, their_plus{}, 0.0f, gpu_to_gpu);
#  elif REFUSED == 4
  return DeviceReduce::TransformReduce(in, out, 1, their_plus{}, ::cuda::std::negate<>{}, 0, gpu_to_gpu);
#  elif REFUSED == 5
  return DeviceReduce::ReduceByKey(in, out, reals, real, place, ::cuda::std::plus<>{}, 1, gpu_to_gpu);
#  elif REFUSED == 6
  return DeviceScan::ExclusiveScan(reals, real, their_plus{}, 0.0f, 1, gpu_to_gpu);
#  elif REFUSED == 7
  return DeviceScan::InclusiveScanByKey(in, in, out, their_plus{}, 1, ::cuda::std::equal_to<>{}, gpu_to_gpu);
#  elif REFUSED == 8
  return DeviceReduce::Sum(in, out, 1, with_resource{});
#  elif REFUSED == 9
  return DeviceReduce::Sum(in, out, in); // a number that only the device knows
#  elif REFUSED == 10
  thrust::inclusive_scan_by_key(reheat::par.with(gpu_to_gpu), in, in + 1, reals, real);
#  elif REFUSED == 11
  thrust::inclusive_scan(reheat::par.with(execution::determinism::run_to_run, reheat::ladder::decoupled_lookback), reals,
                         reals + 1, real);
#  elif REFUSED == 12
  thrust::inclusive_scan(reheat::par.with(::cuda::std::execution::env{gpu_to_gpu}), reals, reals + 1, real);
#  elif REFUSED == 13
  return reheat::DeviceSegmentedReduce::Sum(reals, real, 1, in, in + 1, gpu_to_gpu);
#  else // similar calls that compile
  static_cast<void>(reheat::DeviceSegmentedReduce::Sum(in, out, 1, in, in + 1, gpu_to_gpu));
  thrust::inclusive_scan(reheat::par.with(gpu_to_gpu), reals, reals + 1, real);
  thrust::inclusive_scan(reheat::par.with(execution::determinism::run_to_run, reheat::ladder::decoupled_lookback), in,
                         in + 1, out);
  thrust::inclusive_scan_by_key(reheat::par.with(execution::require(execution::determinism::run_to_run)), in, in + 1, reals,
                                real);
  static_cast<void>(DeviceReduce::Sum(in, out, 1, execution::require(execution::determinism::run_to_run)));
  static_cast<void>(DeviceReduce::ArgMin(memory, bytes, in, out, place, 1, gpu_to_gpu));
  static_cast<void>(DeviceReduce::Max(reals, real, 1, gpu_to_gpu));
  static_cast<void>(DeviceReduce::Sum(reals, real, 1));
  static_cast<void>(DeviceReduce::Sum(reals, real, 1, gpu_to_gpu));
  static_cast<void>(DeviceReduce::ReduceByKey(in, out, in, out, place, ::cuda::std::plus<>{}, 1, gpu_to_gpu));
  static_cast<void>(DeviceScan::ExclusiveSum(reals, real, 1, gpu_to_gpu));
  return DeviceScan::ExclusiveSum(in, out, 1, gpu_to_gpu);
#  endif
  static_cast<void>(in), static_cast<void>(out), static_cast<void>(reals), static_cast<void>(real);
  static_cast<void>(place), static_cast<void>(memory), static_cast<void>(bytes), static_cast<void>(gpu_to_gpu);
}

#endif

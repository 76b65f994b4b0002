// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The kernels of those that a scan shares the GPU with.
#pragma once

#include <cstddef>
#include <cstdint>

namespace perf::concurrency
{

// ---------------------------------------------------------------------------------------------------------------

inline __device__ std::uint64_t nanoseconds_now()
{
  std::uint64_t now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  return now;
}

static __global__ void stamp_kernel(std::uint64_t* when)
{
  *when = nanoseconds_now();
}

//! When passes over the bystander's buffer began.
struct pass_log
{
  static constexpr unsigned most = 1 << 16;
  unsigned count;
  std::uint64_t began[most];
};

constexpr std::size_t bystander_bytes = 20 << 20;
constexpr unsigned bystander_threads = 256, bystander_loads = 8;

//! One pass: reads the buffer, with a block per multiprocessor and no shared memory.
static __global__ void __launch_bounds__(bystander_threads) pass_kernel(const uint4* memory, pass_log* log, unsigned never)
{
  if (blockIdx.x == 0 && threadIdx.x == 0)
  {
    const unsigned at = atomicAdd(&log->count, 1u);
    if (at < pass_log::most)
    {
      log->began[at] = nanoseconds_now();
    }
  }
  constexpr unsigned words = bystander_bytes / sizeof(uint4);
  const unsigned stride = gridDim.x * bystander_threads;
  unsigned seen = 0;
  for (unsigned first = blockIdx.x * bystander_threads + threadIdx.x; first < words; first += stride * bystander_loads)
  {
    uint4 word[bystander_loads];
#pragma unroll
    for (unsigned l = 0; l < bystander_loads; ++l)
    {
      const unsigned i = first + l * stride;
      word[l] = i < words ? memory[i] : uint4{};
    }
#pragma unroll
    for (unsigned l = 0; l < bystander_loads; ++l)
    {
      seen |= word[l].x | word[l].y | word[l].z | word[l].w;
    }
  }
  if (seen == never) // the memory holds zeros and this is none: without a use the loads would be left out
  {
    __trap();
  }
}

//! A small kernel that comes in the midst of a scan.
struct probe
{
  const char* name;
  unsigned blocks, threads, shared_bytes;
};
constexpr probe probes[]{{"one_block", 1, 128, 0},
                         {"one_block_16k_shared", 1, 128, 16 << 10},
                         {"132_blocks", 132, 256, 0},
                         {"132_blocks_16k_shared", 132, 256, 16 << 10}};

//! The last block to end says so to the host.
static __global__ void probe_kernel(unsigned* ended, volatile unsigned* flag, unsigned launch)
{
  if (threadIdx.x == 0 && atomicAdd(ended, 1u) + 1 == gridDim.x)
  {
    *ended = 0;
    __threadfence_system();
    *flag = launch;
  }
}

} // namespace perf::concurrency

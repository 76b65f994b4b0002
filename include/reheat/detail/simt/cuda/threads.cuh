// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! `reheat::simt` on the GPU: threads, launches that overlap, barriers.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/device_traits.cuh>
#include <reheat/detail/simt/fault.cuh>

#include <nv/target>

#include <cuda_runtime.h>

REHEAT_NAMESPACE_BEGIN
namespace simt
{

// ---- what this code is compiled for ------------------------------------------------------------------------------------

//! Ten times the compute capability, 0 on the emulator: the argument of every tuning. The host pass also compiles kernels'
//! bodies but never runs them, so any supported number serves there.
#if defined(__CUDA_ARCH__)
inline constexpr int arch = __CUDA_ARCH__;
#else
inline constexpr int arch = 750;
#endif

inline constexpr unsigned all_lanes = 0xffffffffu;

// ---- who am I ------------------------------------------------------------------------------------------------------------

__device__ inline unsigned thread_index()
{
  return threadIdx.x;
}
__device__ inline unsigned block_threads()
{
  return blockDim.x;
}
__device__ inline unsigned lane_index()
{
  return threadIdx.x % warp_lanes;
}
__device__ inline unsigned warp_index()
{
  return threadIdx.x / warp_lanes;
}
__device__ inline unsigned block_index()
{
  return blockIdx.x;
}
__device__ inline unsigned grid_blocks()
{
  return gridDim.x;
}

// ---- registers -----------------------------------------------------------------------------------------------------------

//! What has been computed from `value` is computed again behind this call, in place of being kept in registers.
template <class T>
__device__ inline void compute_again_from(T& value)
{
  if constexpr (sizeof(T) == 4)
  {
    asm volatile("" : "+r"(value));
  }
  else if constexpr (sizeof(T) == 8)
  {
    asm volatile("" : "+l"(value));
  }
}

// ---- launches that overlap: programmatic dependent launch ---------------------------------------------------------------

//! griddepcontrol.launch_dependents: when every block has called this or ended, the next launch on the stream may start, if
//! it is a programmatic one. Its grid_dependency_wait still waits for the end of this launch. Below sm_90 both functions
//! compile to nothing.
__device__ inline void trigger_dependent_launch()
{
  NV_IF_TARGET(NV_PROVIDES_SM_90, (asm volatile("griddepcontrol.launch_dependents;");))
}
//! griddepcontrol.wait: returns when all earlier work on the stream has ended and its writes are visible. Every thread of a
//! programmatic launch calls this before it touches global memory.
__device__ inline void grid_dependency_wait(condition when = {})
{
  if (when.holds)
  {
    NV_IF_TARGET(NV_PROVIDES_SM_90, (asm volatile("griddepcontrol.wait;" ::: "memory");))
  }
}

// ---- barriers ------------------------------------------------------------------------------------------------------------

//! All threads of the block meet.
__device__ inline void sync_block(condition when = {})
{
  when.holds ? __syncthreads() : void();
}
//! The lanes named in `lanes` meet.
__device__ inline void sync_warp(unsigned lanes = all_lanes, condition when = {})
{
  when.holds ? __syncwarp(lanes) : void();
}
__device__ inline void sync_warp(condition when)
{
  sync_warp(all_lanes, when);
}
//! `threads` threads of the block, whole warps of them, meet at barrier `id` (1 … 15; 0 is sync_block's).
__device__ inline void sync_named(unsigned id, unsigned threads, condition when = {})
{
  if (when.holds)
  {
    asm volatile("barrier.sync %0, %1;" ::"r"(id), "r"(threads) : "memory");
  }
}

} // namespace simt
REHEAT_NAMESPACE_END

// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! `reheat::simt` on the GPU: copies between global and shared memory.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/simt/cuda/mbarrier.cuh>
#include <reheat/detail/simt/cuda/ptx.cuh>
#include <reheat/detail/simt/cuda/threads.cuh>
#include <reheat/detail/simt/fault.cuh>

#include <nv/target>

#include <cuda_runtime.h>

REHEAT_NAMESPACE_BEGIN
namespace simt
{

// ---- bulk copies between global and shared memory: sm_90 -----------------------------------------------------------------
// Both addresses and the byte count are multiples of 16. Loads carry the evict_last hint, which saves 3 % (scan of 1 GB of
// i32, NVIDIA H200). Functions are assembly if CCCL has no wrapper. Below sm_90 kernels do not call these; the other
// functions compile to nothing there.

//! Prefetches memory into the L2 cache. A later load may still have to wait, and sees writes in between.
__device__ inline void prefetch(const void* global, unsigned bytes)
{
  asm volatile("cp.async.bulk.prefetch.L2.global [%0], %1;" ::"l"(__cvta_generic_to_global(global)), "r"(bytes) : "memory");
}
//! Starts a copy into shared memory; its bytes count towards `barrier`. The lines stay in the L2 cache as long as they can.
__device__ inline void bulk_load(void* shared, const void* global, unsigned bytes, mbarrier& barrier)
{
  asm volatile(
      "{\n\t"
      ".reg .b64 hint;\n\t"
      "createpolicy.fractional.L2::evict_last.b64 hint, 1.0;\n\t"
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.L2::cache_hint [%0], [%1], %2, [%3], hint;\n\t"
      "}" ::"r"(static_cast<unsigned>(__cvta_generic_to_shared(shared))),
      "l"(__cvta_generic_to_global(global)), "r"(bytes), "r"(static_cast<unsigned>(__cvta_generic_to_shared(&barrier.state)))
      : "memory");
}
//! The same of lines that leave the L2 cache before others.
__device__ inline void bulk_load_once(void* shared, const void* global, unsigned bytes, mbarrier& barrier)
{
  asm volatile(
      "{\n\t"
      ".reg .b64 hint;\n\t"
      "createpolicy.fractional.L2::evict_first.b64 hint, 1.0;\n\t"
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.L2::cache_hint [%0], [%1], %2, [%3], hint;\n\t"
      "}" ::"r"(static_cast<unsigned>(__cvta_generic_to_shared(shared))),
      "l"(__cvta_generic_to_global(global)), "r"(bytes), "r"(static_cast<unsigned>(__cvta_generic_to_shared(&barrier.state)))
      : "memory");
}
//! Starts a copy out of shared memory, in the calling thread's current group. Threads that wrote the bytes have executed
//! async_proxy_fence and met the caller at a barrier. `evict`: the store carries the evict_first hint.
__device__ inline void bulk_store(void* global, const void* shared, unsigned bytes, bool evict)
{
  if (evict)
  {
    asm volatile("{\n\t"
                 ".reg .b64 hint;\n\t"
                 "createpolicy.fractional.L2::evict_first.b64 hint, 1.0;\n\t"
                 "cp.async.bulk.global.shared::cta.bulk_group.L2::cache_hint [%0], [%1], %2, hint;\n\t"
                 "}" ::"l"(__cvta_generic_to_global(global)),
                 "r"(static_cast<unsigned>(__cvta_generic_to_shared(shared))), "r"(bytes)
                 : "memory");
    return;
  }
  NV_IF_TARGET(NV_PROVIDES_SM_90,
               (::cuda::ptx::cp_async_bulk(::cuda::ptx::space_global, ::cuda::ptx::space_shared, global, shared, bytes);))
}
//! Closes the calling thread's current group of stores.
__device__ inline void bulk_commit()
{
  NV_IF_TARGET(NV_PROVIDES_SM_90, (::cuda::ptx::cp_async_bulk_commit_group();))
}
//! Returns when all but the latest `Pending` groups of the calling thread have read their shared memory.
template <int Pending>
__device__ inline void bulk_wait_read(condition when = {})
{
  if (when.holds)
  {
    NV_IF_TARGET(NV_PROVIDES_SM_90, (::cuda::ptx::cp_async_bulk_wait_group_read(::cuda::ptx::n32_t<Pending>{});))
  }
}
//! Returns when all but the latest `Pending` groups of the calling thread are complete.
template <int Pending>
__device__ inline void bulk_wait(condition when = {})
{
  if (when.holds)
  {
    NV_IF_TARGET(NV_PROVIDES_SM_90, (::cuda::ptx::cp_async_bulk_wait_group(::cuda::ptx::n32_t<Pending>{});))
  }
}
//! Orders the calling thread's ordinary accesses to shared memory before later bulk copies.
__device__ inline void async_proxy_fence(condition when = {})
{
  if (when.holds)
  {
    NV_IF_TARGET(NV_PROVIDES_SM_90, (::cuda::ptx::fence_proxy_async(::cuda::ptx::space_shared);))
  }
}

// ---- copies of 16 bytes from global to shared memory: sm_80 --------------------------------------------------------------
// Both addresses are multiples of 16.

//! Starts a copy.
__device__ inline void vec16_load(void* shared, const void* global)
{
  NV_IF_TARGET(NV_PROVIDES_SM_80, (asm volatile("cp.async.cg.shared.global.L2::128B [%0], [%1], 16;" ::"r"(
                                                    static_cast<unsigned>(__cvta_generic_to_shared(shared))),
                                                "l"(__cvta_generic_to_global(global))
                                                : "memory");))
}
//! One arrival, which counts when all copies that the calling thread has started are complete. It orders nothing else.
__device__ inline void mbarrier_arrive_loaded(mbarrier& barrier)
{
  NV_IF_TARGET(NV_PROVIDES_SM_80, (asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(
                                                    static_cast<unsigned>(__cvta_generic_to_shared(&barrier.state)))
                                                : "memory");))
}
//! Prefetches a line of 128 bytes into the L2 cache.
__device__ inline void prefetch_line(const void* global)
{
  asm volatile("prefetch.global.L2 [%0];" ::"l"(__cvta_generic_to_global(global)));
}

} // namespace simt
REHEAT_NAMESPACE_END

// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! `reheat::simt` on the GPU: mbarriers.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/simt/cuda/ptx.cuh>
#include <reheat/detail/simt/cuda/threads.cuh>
#include <reheat/detail/simt/fault.cuh>

#include <nv/target>

#include <cuda_runtime.h>

#include <cstdint>

REHEAT_NAMESPACE_BEGIN
namespace simt
{

// ---- mbarrier ------------------------------------------------------------------------------------------------------------
// A barrier in shared memory that counts arrivals and, from sm_90 on, the bytes of bulk copies. Phases alternate in parity;
// the first has parity 0. A wait for parity p returns when the phase of that parity is complete. Below sm_80, where the
// hardware has no mbarrier, shared-memory atomics replace it.

struct alignas(8) mbarrier
{
  std::uint64_t state;
};

namespace mbarrier_detail
{
// Below sm_80: the low half is {pending arrivals: 16, arrivals per phase: 16}, the high half is the phase.
struct software
{
  unsigned counts, phase;
};
__device__ inline software* as_software(mbarrier& barrier)
{
  return reinterpret_cast<software*>(&barrier.state);
}
__device__ inline void software_init(mbarrier& barrier, unsigned arrivals)
{
  as_software(barrier)->counts = arrivals << 16 | arrivals;
  as_software(barrier)->phase = 0;
}
__device__ inline void software_arrive(mbarrier& barrier)
{
  __threadfence_block();
  software* const s = as_software(barrier);
  const unsigned before = atomicSub(&s->counts, 1u);
  if ((before & 0xffffu) == 1)
  {
    atomicAdd(&s->counts, before >> 16);
    __threadfence_block();
    atomicAdd(&s->phase, 1u);
  }
}
__device__ inline bool software_test(mbarrier& barrier, unsigned parity)
{
  const bool done = (*reinterpret_cast<volatile unsigned*>(&as_software(barrier)->phase) & 1u) != parity;
  __threadfence_block();
  return done;
}
} // namespace mbarrier_detail

//! One thread initialises. mbarrier_init_fence and a block barrier must precede the first use.
__device__ inline void mbarrier_init(mbarrier& barrier, unsigned arrivals)
{
  NV_IF_ELSE_TARGET(NV_PROVIDES_SM_80, (::cuda::ptx::mbarrier_init(&barrier.state, arrivals);),
                    (mbarrier_detail::software_init(barrier, arrivals);))
}
//! Makes initialised barriers visible to bulk copies.
__device__ inline void mbarrier_init_fence(condition when = {})
{
  if (when.holds)
  {
    NV_IF_TARGET(NV_PROVIDES_SM_90, (::cuda::ptx::fence_mbarrier_init(::cuda::ptx::sem_release, ::cuda::ptx::scope_cluster);
                                     ::cuda::ptx::fence_proxy_async(::cuda::ptx::space_shared);))
  }
}
//! One arrival, with release at block scope.
__device__ inline void mbarrier_arrive(mbarrier& barrier, condition when = {})
{
  if (when.holds)
  {
    NV_IF_ELSE_TARGET(NV_PROVIDES_SM_80, (::cuda::ptx::mbarrier_arrive(&barrier.state);),
                      (mbarrier_detail::software_arrive(barrier);))
  }
}
//! One arrival that also makes the phase wait for `bytes` bytes of bulk copies. sm_90.
__device__ inline void mbarrier_arrive_expect(mbarrier& barrier, unsigned bytes)
{
  NV_IF_TARGET(NV_PROVIDES_SM_90,
               (::cuda::ptx::mbarrier_arrive_expect_tx(::cuda::ptx::sem_release, ::cuda::ptx::scope_cta,
                                                       ::cuda::ptx::space_shared, &barrier.state, bytes);))
}
//! Returns when the phase of this parity is complete, with acquire at block scope.
__device__ inline void mbarrier_wait(mbarrier& barrier, unsigned parity, condition when = {})
{
  if (when.holds)
  {
    NV_DISPATCH_TARGET(NV_PROVIDES_SM_90, (while (!::cuda::ptx::mbarrier_try_wait_parity(&barrier.state, parity)){}),
                       NV_PROVIDES_SM_80, (while (!::cuda::ptx::mbarrier_test_wait_parity(&barrier.state, parity)){}),
                       NV_ANY_TARGET, (while (!mbarrier_detail::software_test(barrier, parity)){}))
  }
}

} // namespace simt
REHEAT_NAMESPACE_END

// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! `reheat::simt` on the GPU: everything that a kernel may use of the machine. emulated.h has the same names for the CPU.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/device_traits.cuh>
#include <reheat/detail/simt/fault.cuh>

#include <cuda/atomic>
#include <cuda/ptx>
#include <nv/target>

#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include <cstring>
#include <type_traits>

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

//! All threads of the grid meet. The launch is cooperative.
__device__ inline void sync_grid(condition when = {})
{
  when.holds ? cooperative_groups::this_grid().sync() : void();
}

// ---- exchange within a warp ----------------------------------------------------------------------------------------------

namespace shuffle_detail
{
// A value moves as 32-bit words, so T must be copyable by its bytes.
template <class T, class Move>
__device__ inline T by_words(const T& value, Move move)
{
  constexpr unsigned words = (sizeof(T) + 3) / 4;
  unsigned word[words] = {};
  memcpy(word, &value, sizeof(T));
#pragma unroll
  for (unsigned i = 0; i < words; ++i)
  {
    word[i] = move(word[i]);
  }
  T result = value;
  memcpy(static_cast<void*>(&result), word, sizeof(T));
  return result;
}
} // namespace shuffle_detail

//! Returns the value of lane `source`. Every lane named in `lanes` calls.
template <class T>
__device__ inline T shuffle(const T& value, unsigned source, unsigned lanes = all_lanes)
{
  return shuffle_detail::by_words(value, [=](unsigned word) { return __shfl_sync(lanes, word, source); });
}
//! Returns the value of the lane `distance` below; lanes below `distance` keep their own.
template <class T>
__device__ inline T shuffle_up(const T& value, unsigned distance, unsigned lanes = all_lanes)
{
  return shuffle_detail::by_words(value, [=](unsigned word) { return __shfl_up_sync(lanes, word, distance); });
}
//! As shuffle_up. `in_range` says whether there is a lane `distance` below: the shuffle returns that too, so no comparison
//! is needed. It is assembly because not every supported CCCL wraps this form.
template <class T>
__device__ inline T shuffle_up_predicated(const T& value, unsigned distance, bool& in_range, unsigned lanes = all_lanes)
{
  return shuffle_detail::by_words(value,
                                  [=, &in_range](unsigned word)
                                  {
                                    unsigned moved, found;
                                    asm volatile("{\n\t"
                                                 ".reg .pred p;\n\t"
                                                 "shfl.sync.up.b32 %0|p, %2, %3, 0, %4;\n\t"
                                                 "selp.u32 %1, 1, 0, p;\n\t"
                                                 "}"
                                                 : "=r"(moved), "=r"(found)
                                                 : "r"(word), "r"(distance), "r"(lanes));
                                    in_range = found != 0;
                                    return moved;
                                  });
}
//! Returns the value of the lane `distance` above; lanes from 32 − `distance` on keep their own.
template <class T>
__device__ inline T shuffle_down(const T& value, unsigned distance, unsigned lanes = all_lanes)
{
  return shuffle_detail::by_words(value, [=](unsigned word) { return __shfl_down_sync(lanes, word, distance); });
}
//! Whether redux_add and redux_min exist.
inline constexpr bool has_redux = library::device_traits_of(arch).redux;
//! redux.sync.add: gives every lane the sum over all lanes of the warp, modulo 2^32.
__device__ inline unsigned redux_add(unsigned value)
{
  unsigned sum = 0;
  NV_IF_TARGET(NV_PROVIDES_SM_80, (sum = __reduce_add_sync(all_lanes, value);))
  return sum;
}
//! redux.sync.min: gives every lane the lowest value of all lanes.
__device__ inline unsigned redux_min(unsigned value)
{
  unsigned lowest = 0;
  NV_IF_TARGET(NV_PROVIDES_SM_80, (lowest = __reduce_min_sync(all_lanes, value);))
  return lowest;
}
__device__ inline bool all(bool predicate, unsigned lanes = all_lanes)
{
  return __all_sync(lanes, predicate);
}
__device__ inline bool any(bool predicate, unsigned lanes = all_lanes)
{
  return __any_sync(lanes, predicate);
}
__device__ inline unsigned ballot(bool predicate, unsigned lanes = all_lanes)
{
  return __ballot_sync(lanes, predicate);
}
__device__ inline unsigned count_ones(unsigned bits)
{
  return static_cast<unsigned>(__popc(bits));
}
//! Returns the position of the highest set bit. At least one is set.
__device__ inline unsigned highest_one(unsigned bits)
{
  return 31 - static_cast<unsigned>(__clz(static_cast<int>(bits)));
}

// ---- bytes of a word -----------------------------------------------------------------------------------------------------

//! Returns `sum` plus the products of the word's bytes and those of `weights`, modulo 2^32.
__device__ inline unsigned add_bytes(unsigned word, unsigned weights, unsigned sum)
{
  return __dp4a(word, weights, sum);
}
//! Returns the word of four lowest bytes, the first at the lowest address.
__device__ inline unsigned pack_bytes(unsigned b0, unsigned b1, unsigned b2, unsigned b3)
{
  return __byte_perm(__byte_perm(b0, b1, 0x0040), __byte_perm(b2, b3, 0x0040), 0x5410);
}

// ---- global memory shared between blocks: GPU scope ----------------------------------------------------------------------
// Word is std::uint32_t or std::uint64_t.

template <class Word>
__device__ inline Word load_relaxed(Word* address)
{
  return ::cuda::atomic_ref<Word, ::cuda::thread_scope_device>(*address).load(::cuda::memory_order_relaxed);
}
template <class Word>
__device__ inline Word load_acquire(Word* address)
{
  return ::cuda::atomic_ref<Word, ::cuda::thread_scope_device>(*address).load(::cuda::memory_order_acquire);
}
template <class Word>
__device__ inline void store_relaxed(Word* address, Word value)
{
  ::cuda::atomic_ref<Word, ::cuda::thread_scope_device>(*address).store(value, ::cuda::memory_order_relaxed);
}
template <class Word>
__device__ inline void store_release(Word* address, Word value)
{
  ::cuda::atomic_ref<Word, ::cuda::thread_scope_device>(*address).store(value, ::cuda::memory_order_release);
}
//! Adds with acquire and release. Returns the previous value.
template <class Word>
__device__ inline Word fetch_add(Word* address, Word value)
{
  return ::cuda::atomic_ref<Word, ::cuda::thread_scope_device>(*address).fetch_add(value, ::cuda::memory_order_acq_rel);
}
//! Adds without ordering other accesses. Returns the previous value. The fences of fetch_add cost a round trip each (8 % of
//! a scan of 1 GB of i32, NVIDIA H200). Word may also be a signed integer of 4 or 8 bytes, float or double.
template <class Word>
__device__ inline Word fetch_add_relaxed(Word* address, Word value)
{
  if constexpr (std::is_floating_point_v<Word>)
  {
    return atomicAdd(address, value);
  }
  else if constexpr (std::is_same_v<Word, std::uint64_t>)
  {
    // This is assembly because nvcc 13 aggregates atomic_ref's additions over the warp: the lanes wait for the sum at once
    // to share it, so that work between the addition and the use of its result hides nothing.
    Word before;
    asm volatile("atom.relaxed.gpu.global.add.u64 %0, [%1], %2;"
                 : "=l"(before)
                 : "l"(__cvta_generic_to_global(address)), "l"(value)
                 : "memory");
    return before;
  }
  else
  {
    return ::cuda::atomic_ref<Word, ::cuda::thread_scope_device>(*address).fetch_add(value, ::cuda::memory_order_relaxed);
  }
}
//! Loads `Words` neighbouring 64-bit words, each atomically on its own, in no order among them. If Words is even, `address`
//! is aligned to 16 bytes, and the words move in pairs.
template <unsigned Words>
__device__ inline void load_words_relaxed(const std::uint64_t* address, std::uint64_t (&word)[Words])
{
  if constexpr (Words % 2 == 0)
  {
#pragma unroll
    for (unsigned i = 0; i < Words; i += 2)
    {
      asm volatile("ld.relaxed.gpu.global.v2.u64 {%0, %1}, [%2];"
                   : "=l"(word[i]), "=l"(word[i + 1])
                   : "l"(__cvta_generic_to_global(address + i))
                   : "memory");
    }
  }
  else
  {
#pragma unroll
    for (unsigned i = 0; i < Words; ++i)
    {
      asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];"
                   : "=l"(word[i])
                   : "l"(__cvta_generic_to_global(address + i))
                   : "memory");
    }
  }
}
//! Stores as load_words_relaxed loads.
template <unsigned Words>
__device__ inline void store_words_relaxed(std::uint64_t* address, const std::uint64_t (&word)[Words])
{
  if constexpr (Words % 2 == 0)
  {
#pragma unroll
    for (unsigned i = 0; i < Words; i += 2)
    {
      asm volatile("st.relaxed.gpu.global.v2.u64 [%0], {%1, %2};" ::"l"(__cvta_generic_to_global(address + i)), "l"(word[i]),
                   "l"(word[i + 1])
                   : "memory");
    }
  }
  else
  {
#pragma unroll
    for (unsigned i = 0; i < Words; ++i)
    {
      asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(__cvta_generic_to_global(address + i)), "l"(word[i])
                   : "memory");
    }
  }
}
//! Stores neighbouring words of 1, 2, 4 or 8 bytes, aligned to their size, while the host may read each: system scope, no
//! order among them. It is assembly because atomic_ref stores less than 4 bytes in a loop in some versions of CCCL.
template <unsigned First = 0, class Word, unsigned Words>
__device__ inline void store_words_to_host(Word* address, const Word (&word)[Words])
{
  const auto global = __cvta_generic_to_global(address);
  constexpr unsigned offset = First * sizeof(Word); // an immediate: otherwise nvcc 13 computes an address for each word
  if constexpr (sizeof(Word) == 1)
  {
    asm volatile("st.relaxed.sys.global.u8 [%0+%2], %1;" ::"l"(global), "r"(static_cast<unsigned>(word[First])), "n"(offset)
                 : "memory");
  }
  else if constexpr (sizeof(Word) == 2)
  {
    asm volatile("st.relaxed.sys.global.u16 [%0+%2], %1;" ::"l"(global), "h"(word[First]), "n"(offset) : "memory");
  }
  else if constexpr (sizeof(Word) == 4)
  {
    asm volatile("st.relaxed.sys.global.u32 [%0+%2], %1;" ::"l"(global), "r"(word[First]), "n"(offset) : "memory");
  }
  else
  {
    static_assert(sizeof(Word) == 8, "a word has 1, 2, 4 or 8 bytes");
    asm volatile("st.relaxed.sys.global.u64 [%0+%2], %1;" ::"l"(global), "l"(word[First]), "n"(offset) : "memory");
  }
  if constexpr (First + 1 < Words)
  {
    store_words_to_host<First + 1>(address, word);
  }
}
//! Every loop that polls memory calls this. The load's round trip, 0.6 us to the L2, is pause enough, except where the warp
//! takes instructions from others: it `pauses` longer then.
__device__ inline void backoff(bool pauses = false)
{
  if (pauses)
  {
    __nanosleep(20);
  }
}

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

// ---- bulk copies between global and shared memory: sm_90 -----------------------------------------------------------------
// Both addresses and the byte count are multiples of 16. Loads carry the evict_last hint, which saves 3 % (scan of 1 GB of
// i32, NVIDIA H200). Functions are assembly if CCCL has no wrapper. Below sm_90 kernels do not call these; the other
// functions compile to nothing there.

//! Prefetches memory into the L2 cache. A later load may still have to wait, and sees writes in between.
__device__ inline void prefetch(const void* global, unsigned bytes)
{
  asm volatile("cp.async.bulk.prefetch.L2.global [%0], %1;" ::"l"(__cvta_generic_to_global(global)), "r"(bytes) : "memory");
}
//! Starts a copy into shared memory; its bytes count towards `barrier`.
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

// ---- shared memory -------------------------------------------------------------------------------------------------------

//! Whether the launch must also request the memory of static arrays.
inline constexpr bool static_arrays_are_dynamic = false;

//! Hands out the block's dynamic shared memory, array by array. Every thread asks for the same arrays in the same order.
class shared_memory
{
public:
  //! Uninitialised memory for `count` objects.
  template <class T>
  __device__ T* array(unsigned count, std::size_t alignment = alignof(T))
  {
    extern __shared__ __align__(128) unsigned char reheat_dynamic_shared[];
    offset_ = (offset_ + alignment - 1) / alignment * alignment;
    T* const first = reinterpret_cast<T*>(reheat_dynamic_shared + offset_);
    offset_ += count * sizeof(T);
    return first;
  }

  //! The same for a constant size. The launch does not request this memory.
  template <class T, unsigned Count>
  __device__ T* static_array()
  {
    __shared__ __align__(alignof(T)) unsigned char storage[Count * sizeof(T)];
    return reinterpret_cast<T*>(storage);
  }

private:
  std::size_t offset_ = 0;
};

} // namespace simt
REHEAT_NAMESPACE_END

// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! `reheat::simt` on the GPU: global memory shared between blocks.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/simt/cuda/threads.cuh>

#include <cuda_runtime.h>

#include <cstdint>
#include <type_traits>

REHEAT_NAMESPACE_BEGIN
namespace simt
{

// ---- global memory shared between blocks: GPU scope ----------------------------------------------------------------------
// Word is std::uint32_t or std::uint64_t. This is assembly because <cuda/atomic> is half as much text as all of CUB's
// headers for reductions and scans.

//! Tells the compiler what it cannot see of a pointer that was loaded from memory.
__device__ inline void assume_global(const void* address)
{
  __builtin_assume(__isGlobal(address));
}
template <class Word>
__device__ inline Word load_relaxed(Word* address)
{
  Word value;
  if constexpr (sizeof(Word) == 4)
  {
    asm volatile("ld.relaxed.gpu.b32 %0, [%1];" : "=r"(value) : "l"(address) : "memory");
  }
  else
  {
    asm volatile("ld.relaxed.gpu.b64 %0, [%1];" : "=l"(value) : "l"(address) : "memory");
  }
  return value;
}
template <class Word>
__device__ inline Word load_acquire(Word* address)
{
  Word value;
  if constexpr (sizeof(Word) == 4)
  {
    asm volatile("ld.acquire.gpu.b32 %0, [%1];" : "=r"(value) : "l"(address) : "memory");
  }
  else
  {
    asm volatile("ld.acquire.gpu.b64 %0, [%1];" : "=l"(value) : "l"(address) : "memory");
  }
  return value;
}
template <class Word>
__device__ inline void store_relaxed(Word* address, Word value)
{
  if constexpr (sizeof(Word) == 4)
  {
    asm volatile("st.relaxed.gpu.b32 [%0], %1;" ::"l"(address), "r"(value) : "memory");
  }
  else
  {
    asm volatile("st.relaxed.gpu.b64 [%0], %1;" ::"l"(address), "l"(value) : "memory");
  }
}
template <class Word>
__device__ inline void store_release(Word* address, Word value)
{
  if constexpr (sizeof(Word) == 4)
  {
    asm volatile("st.release.gpu.b32 [%0], %1;" ::"l"(address), "r"(value) : "memory");
  }
  else
  {
    asm volatile("st.release.gpu.b64 [%0], %1;" ::"l"(address), "l"(value) : "memory");
  }
}
//! Adds with acquire and release. Returns the previous value.
template <class Word>
__device__ inline Word fetch_add(Word* address, Word value)
{
  Word before;
  if constexpr (sizeof(Word) == 4)
  {
    asm volatile("atom.add.acq_rel.gpu.u32 %0, [%1], %2;" : "=r"(before) : "l"(address), "r"(value) : "memory");
  }
  else
  {
    asm volatile("atom.add.acq_rel.gpu.u64 %0, [%1], %2;" : "=l"(before) : "l"(address), "l"(value) : "memory");
  }
  return before;
}
//! Adds without ordering other accesses. Returns the previous value. The fences of fetch_add cost a round trip each (8 % of
//! a scan of 1 GB of i32, NVIDIA H200). Word may also be a signed integer of 4 or 8 bytes, float or double.
template <class Word>
__device__ inline Word fetch_add_relaxed(Word* address, Word value)
{
  if constexpr (std::is_same_v<Word, std::uint64_t>)
  {
    // Not atomicAdd: nvcc 13 aggregates additions over the warp. The lanes wait for the sum at once to share it, so that
    // work between the addition and the use of its result hides nothing.
    Word before;
    asm volatile("atom.relaxed.gpu.global.add.u64 %0, [%1], %2;"
                 : "=l"(before)
                 : "l"(__cvta_generic_to_global(address)), "l"(value)
                 : "memory");
    return before;
  }
  else if constexpr (std::is_same_v<Word, std::int64_t>)
  {
    return static_cast<Word>(
        atomicAdd(reinterpret_cast<unsigned long long*>(address), static_cast<unsigned long long>(value)));
  }
  else
  {
    return atomicAdd(address, value);
  }
}
//! Raises *address to `value` if that is higher, without ordering other accesses.
__device__ inline void max_relaxed(std::uint64_t* address, std::uint64_t value)
{
  asm volatile("red.relaxed.gpu.global.max.u64 [%0], %1;" ::"l"(__cvta_generic_to_global(address)), "l"(value) : "memory");
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
//! order among them.
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
//! Stores a word that tells the host of what the warp has stored before: system scope.
__device__ inline void store_release_to_host(std::uint32_t* address, std::uint32_t value)
{
  asm volatile("st.release.sys.global.u32 [%0], %1;" ::"l"(__cvta_generic_to_global(address)), "r"(value) : "memory");
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

} // namespace simt
REHEAT_NAMESPACE_END

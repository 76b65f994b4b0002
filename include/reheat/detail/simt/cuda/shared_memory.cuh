// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! `reheat::simt` on the GPU: the shared memory of a block.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/simt/cuda/threads.cuh>

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

REHEAT_NAMESPACE_BEGIN
namespace simt
{

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

//! Tells the compiler what it cannot see of a pointer that was loaded from memory.
__device__ inline void assume_shared(const void* address)
{
  __builtin_assume(__isShared(address));
}
//! Stores a byte of the block's memory. Threads of the block may store the same value there at once.
__device__ inline void store_byte_relaxed(unsigned char* address, unsigned char value)
{
  asm volatile("st.relaxed.cta.u8 [%0], %1;" ::"l"(address), "r"(static_cast<unsigned>(value)) : "memory");
}
//! Adds to a counter of the block's memory.
__device__ inline void shared_add(std::uint32_t* counter, std::uint32_t value)
{
  atomicAdd(counter, value);
}
//! The same, and returns what was there before.
__device__ inline std::uint32_t shared_fetch_add(std::uint32_t* counter, std::uint32_t value)
{
  return atomicAdd(counter, value);
}
//! All lanes of the warp call. Those that take part add 1 to their counters in the block's memory, in any order, and get
//! what was there before.
__device__ inline std::uint32_t shared_add_of_warp(std::uint32_t* counter, bool takes_part)
{
  return takes_part ? atomicAdd(counter, 1u) : 0;
}

} // namespace simt
REHEAT_NAMESPACE_END

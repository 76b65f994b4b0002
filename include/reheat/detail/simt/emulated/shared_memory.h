// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! `reheat::simt` on the emulator: the shared memory of a block.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/simt/emulated/threads.h>
#include <reheat/detail/simt/emulated_calls.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

// The line of the call, as the last default argument.
#define REHEAT_CALL_SITE ::reheat::emulator::call_site at = {__builtin_FILE(), __builtin_LINE()}

REHEAT_NAMESPACE_BEGIN
namespace simt
{

// ---- shared memory -------------------------------------------------------------------------------------------------------

//! Whether the launch must also request the memory of static arrays.
inline constexpr bool static_arrays_are_dynamic = true;

#if defined(__has_builtin)
#  if __has_builtin(__builtin_clear_padding)
#    define REHEAT_KNOWS_PADDING 1
#  endif
#endif

//! Finds the bytes of a T that hold nothing, whatever T is: none is constructed.
template <class T>
struct padding_of
{
  unsigned char is_padding[sizeof(T)] = {};

  padding_of()
  {
#if defined(REHEAT_KNOWS_PADDING)
    union storage
    {
      T value;
      storage() {}
      ~storage() {}
    } all_set;
    std::memset(static_cast<void*>(&all_set), 0xff, sizeof all_set);
    __builtin_clear_padding(&all_set);
    for (std::size_t i = 0; i < sizeof(T); ++i)
    {
      is_padding[i] = reinterpret_cast<const unsigned char*>(&all_set)[i] == 0 ? 1 : 0;
    }
#endif
  }
};
template <class T>
calls::value_layout layout_of()
{
  if constexpr (std::has_unique_object_representations_v<T>)
  {
    return {sizeof(T), nullptr};
  }
  else
  {
    static const padding_of<T> found;
    return {sizeof(T), found.is_padding};
  }
}

//! Hands out the block's dynamic shared memory, array by array. Every thread asks for the same arrays in the same order.
class shared_memory
{
public:
  //! Uninitialised memory for `count` objects.
  template <class T>
  T* array(unsigned count, std::size_t alignment = alignof(T), REHEAT_CALL_SITE)
  {
    return static_cast<T*>(calls::shared_array(index_++, count * sizeof(T), alignment, layout_of<T>(), at));
  }
  //! The same for a constant size. On the GPU, the launch does not request this memory.
  template <class T, unsigned Count>
  T* static_array(REHEAT_CALL_SITE)
  {
    return array<T>(Count, alignof(T), at);
  }

private:
  unsigned index_ = 0;
};

inline void assume_shared(const void*) {}
//! Stores a byte of the block's memory. Threads of the block may store the same value there at once.
inline void store_byte_relaxed(unsigned char* address, unsigned char value)
{
  __atomic_store_n(address, value, __ATOMIC_RELAXED);
}
//! Adds to a counter of the block's memory.
inline void shared_add(std::uint32_t* counter, std::uint32_t value)
{
  __atomic_fetch_add(counter, value, __ATOMIC_RELAXED);
}
//! The same, and returns what was there before.
inline std::uint32_t shared_fetch_add(std::uint32_t* counter, std::uint32_t value)
{
  return __atomic_fetch_add(counter, value, __ATOMIC_RELAXED);
}
//! All lanes of the warp call. Those that take part add 1 to their counters in the block's memory, in any order, and get
//! what was there before.
inline std::uint32_t shared_add_of_warp(std::uint32_t* counter, bool takes_part, REHEAT_CALL_SITE)
{
  return calls::shared_add_of_warp(takes_part ? counter : nullptr, at);
}

} // namespace simt
REHEAT_NAMESPACE_END

#undef REHEAT_CALL_SITE

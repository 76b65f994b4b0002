// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! What AddressSanitizer is told: fiber switches, and memory that nobody may touch now. Empty in other builds.
#pragma once

#include <reheat/detail/config.cuh>

#include <cstddef>

// g++ says so by a macro, clang++ before 19 as a feature alone. For the sources that are not watched themselves, the build
// does.
#if defined(__SANITIZE_ADDRESS__)
#  define REHEAT_ADDRESS_SANITIZER 1
#elif defined(__has_feature)
#  if __has_feature(address_sanitizer)
#    define REHEAT_ADDRESS_SANITIZER 1
#  endif
#endif

#if defined(REHEAT_ADDRESS_SANITIZER)
#  include <sanitizer/asan_interface.h>
#  include <sanitizer/common_interface_defs.h>
#endif

namespace reheat::REHEAT_MACHINE::emulator::sanitizer
{

#if defined(REHEAT_ADDRESS_SANITIZER)
inline constexpr bool address = true;

inline void before_switch(void** save, const void* bottom, std::size_t bytes)
{
  __sanitizer_start_switch_fiber(save, bottom, bytes);
}
inline void after_switch(void* saved, const void** previous_bottom, std::size_t* previous_bytes)
{
  __sanitizer_finish_switch_fiber(saved, previous_bottom, previous_bytes);
}
inline void poison(const volatile void* first, std::size_t bytes)
{
  __asan_poison_memory_region(first, bytes);
}
inline void unpoison(const volatile void* first, std::size_t bytes)
{
  __asan_unpoison_memory_region(first, bytes);
}
//! The first byte of the region that may not be touched, or null.
inline const void* poisoned_byte(const void* first, std::size_t bytes)
{
  return __asan_region_is_poisoned(const_cast<void*>(first), bytes);
}
#else
inline constexpr bool address = false;

inline void before_switch(void**, const void*, std::size_t) {}
inline void after_switch(void*, const void**, std::size_t*) {}
inline void poison(const volatile void*, std::size_t) {}
inline void unpoison(const volatile void*, std::size_t) {}
inline const void* poisoned_byte(const void*, std::size_t)
{
  return nullptr;
}
#endif

} // namespace reheat::REHEAT_MACHINE::emulator::sanitizer

// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! From the iterators users pass to those that kernels take.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/thrust_compat.cuh>

#include <cstdint>
#include <type_traits>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

//! A pointer for anything contiguous (device_vector's iterators, device_ptr …), else the iterator itself. Not for empty
//! ranges: some CCCL versions dereference.
template <class It>
auto unwrap(It it)
{
  return THRUST_NS_QUALIFIER::try_unwrap_contiguous_iterator(it);
}

//! As unwrap; pointers become pointers to const, so that both kinds share a kernel.
template <class It>
auto unwrap_input(It it)
{
  auto unwrapped = unwrap(it);
  if constexpr (std::is_pointer_v<decltype(unwrapped)>)
  {
    return static_cast<const std::remove_pointer_t<decltype(unwrapped)>*>(unwrapped);
  }
  else
  {
    return unwrapped;
  }
}

//! Whether 16-byte accesses may start here.
template <class T>
bool is_aligned(T* pointer)
{
  return reinterpret_cast<std::uintptr_t>(pointer) % 16 == 0;
}
//! Iterators that are not pointers move item by item.
template <class It>
bool is_aligned(const It&)
{
  return false;
}
//! How many items stand before the first that is so aligned.
template <class T>
unsigned items_before_alignment(T* pointer)
{
  const std::uintptr_t past = reinterpret_cast<std::uintptr_t>(pointer) % 16;
  return static_cast<unsigned>((16 - past) % 16 / sizeof(T));
}

} // namespace detail
REHEAT_NAMESPACE_END

// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! From the iterators of users to the iterators of kernels.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/thrust_compat.cuh>

#include <cstdint>
#include <optional>
#include <type_traits>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

//! A pointer for device_vector's iterators and Thrust's pointers, else the iterator itself. Nothing is dereferenced.
struct unwrap_thrusts_own
{
  template <class It>
  static It unwrap(It it)
  {
    return it;
  }
  template <class Element, class Tag, class Reference, class Derived>
  static auto unwrap(THRUST_NS_QUALIFIER::pointer<Element, Tag, Reference, Derived> it)
  {
    return it.get();
  }
  template <class T>
  static T* unwrap(THRUST_NS_QUALIFIER::device_ptr<T> it)
  {
    return it.get();
  }
  template <class Pointer>
  static auto unwrap(THRUST_NS_QUALIFIER::detail::normal_iterator<Pointer> it)
  {
    return unwrap(it.base());
  }
};

//! A pointer for an iterator that the environment knows to be one, else the iterator itself. Not for empty ranges: some
//! versions of Thrust dereference.
template <class Environment, class It>
auto unwrap(const Environment&, It it)
{
  return Environment::unwrapping::unwrap(it);
}

//! As unwrap; pointers become pointers to const, so that both kinds share a kernel.
template <class Environment, class It>
auto unwrap_input(const Environment& env, It it)
{
  auto unwrapped = unwrap(env, it);
  if constexpr (std::is_pointer_v<decltype(unwrapped)>)
  {
    return static_cast<const std::remove_pointer_t<decltype(unwrapped)>*>(unwrapped);
  }
  else
  {
    return unwrapped;
  }
}

//! Whether 16-byte accesses may start here, or `items` items behind.
template <class T>
bool is_aligned(T* pointer, std::size_t items = 0)
{
  return (reinterpret_cast<std::uintptr_t>(pointer) + items * sizeof(T)) % 16 == 0;
}
//! Iterators that are not pointers move item by item.
template <class It>
bool is_aligned(const It&, std::size_t = 0)
{
  return false;
}

//! Returns the number of items before the first whose address is a multiple of `bytes`, a power of two of at least 16. If no
//! item has such an address, tries bytes / 2, and so on down to 16; if none fits, returns nullopt. Returns 0 for an address
//! that is misaligned for T.
template <class T>
std::optional<unsigned> items_before_aligned(T* pointer, unsigned bytes)
{
  const auto address = reinterpret_cast<std::uintptr_t>(pointer);
  constexpr std::uintptr_t power = sizeof(T) & (~sizeof(T) + 1); // the largest power of 2 in it
  if (address % alignof(T) != 0)
  {
    return 0;
  }
  for (; bytes >= 16; bytes /= 2)
  {
    if (address % (power < bytes ? power : bytes) == 0)
    {
      unsigned items = 0;
      while (((address + items * sizeof(T)) & (bytes - 1)) != 0) // up to 127 turns: no division
      {
        ++items;
      }
      return items;
    }
  }
  return std::nullopt;
}
template <class It>
std::optional<unsigned> items_before_aligned(const It&, unsigned)
{
  return std::nullopt;
}
//! Whether it comes to fewer than `items` for any pointer.
template <class T>
constexpr bool always_aligns(unsigned bytes, unsigned items)
{
  const std::size_t power = sizeof(T) & (~sizeof(T) + 1);
  return (power < 16 ? power : 16) <= alignof(T) && (power < bytes ? bytes / power : 1) <= items;
}

} // namespace detail
REHEAT_NAMESPACE_END

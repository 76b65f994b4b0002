// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Neighbouring items that one thread loads in one access and holds packed until it needs them.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/simt/simt.cuh>
#include <reheat/detail/thread/items.cuh>
#include <reheat/detail/thread/value.cuh>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

//! One access of `Bytes` bytes to items of any type, in 64-bit words. Words of 32 bits cost 9 % (sum of 64 MB of i8, NVIDIA
//! H200).
template <std::size_t Bytes>
struct access
{
  static constexpr bool exists = false;
};
template <>
struct access<16>
{
  static constexpr bool exists = true;
  struct __attribute__((aligned(16), may_alias)) type
  {
    std::uint64_t bits[2];
  };
};
template <>
struct access<8>
{
  static constexpr bool exists = true;
  struct __attribute__((aligned(8), may_alias)) type
  {
    std::uint64_t bits;
  };
};
template <>
struct access<4>
{
  static constexpr bool exists = true;
  struct __attribute__((aligned(4), may_alias)) type
  {
    std::uint32_t bits;
  };
};

//! Whether one access can read `Items` neighbouring items of `It`. Volatile memory is read item by item.
template <class It, unsigned Items>
inline constexpr bool loads_at_once_v = std::is_pointer_v<It> && !std::is_volatile_v<std::remove_pointer_t<It>> &&
                                        is_bitwise_copyable_v<value_of<It>> && access<Items * sizeof(value_of<It>)>::exists;

//! Loads the items [first, first + count) of `in`, count <= Items. `aligned`: `in` is a pointer that is aligned to 16 bytes,
//! and `first` is a multiple of `Items`.
template <unsigned Items, class It>
REHEAT_DEVICE void load_vector(It& in, bool aligned, std::uint64_t first, unsigned count,
                               uninitialized<value_of<It>> (&item)[Items])
{
  if constexpr (loads_at_once_v<It, Items>)
  {
    if ((aligned || simt::fault_active(simt::fault::misaligned_run)) && count == Items)
    {
      const auto bits = *reinterpret_cast<const typename access<Items * sizeof(value_of<It>)>::type*>(in + first);
      memcpy(static_cast<void*>(item), &bits, sizeof bits);
      return;
    }
  }
  REHEAT_UNROLL
  for (unsigned i = 0; i < Items; ++i)
  {
    if (i < count)
    {
      item[i].construct(read_item(in, first + i));
    }
  }
}

//! Ts as they are in memory. Bytes share registers, while unpacked they take a register each.
template <class T, unsigned Items>
struct packed
{
  std::uint32_t words[(Items * sizeof(T) + 3) / 4];

  //! Loads the items [first, first + Items) of `in`. `aligned` is load_vector's.
  template <class It>
  REHEAT_DEVICE void load(It& in, bool aligned, std::uint64_t first)
  {
    uninitialized<T> item[Items];
    load_vector<Items>(in, aligned, first, Items, item);
    pack(item);
  }
  REHEAT_DEVICE void pack(const uninitialized<T> (&item)[Items])
  {
    memcpy(words, static_cast<const void*>(item), sizeof item);
  }
  REHEAT_DEVICE void unpack(uninitialized<T> (&item)[Items]) const { memcpy(static_cast<void*>(item), words, sizeof item); }
};

//! Whether Ts are small enough for a thread to hold some of them packed while it folds others.
template <class T>
inline constexpr bool is_packable_v = is_bitwise_copyable_v<T> && sizeof(T) <= 16;

} // namespace detail
REHEAT_NAMESPACE_END

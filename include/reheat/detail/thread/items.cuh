// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! How one thread reads items through an iterator, and walks its own items in shared memory.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/thread/value.cuh>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <type_traits>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

//! The value type, without the `volatile` that pointers to volatile memory add before C++20.
template <class It>
using value_of = std::remove_volatile_t<typename std::iterator_traits<It>::value_type>;
template <class It>
using distance_of = typename std::iterator_traits<It>::difference_type;

//! What an iterator is indexed with: its difference_type, or ptrdiff_t for an output iterator that has none.
template <class It, class = void>
struct index_type
{
  using type = std::ptrdiff_t;
};
template <class It>
struct index_type<It, std::enable_if_t<!std::is_void_v<distance_of<It>>>>
{
  using type = distance_of<It>;
};
template <class It>
using index_of = typename index_type<It>::type;

//! What a count is converted to before it is assigned: the value type of its output, if that has one.
template <class CountIt, class = void>
struct count_type
{
  using type = std::uint64_t;
};
template <class CountIt>
struct count_type<CountIt, std::enable_if_t<std::is_arithmetic_v<value_of<CountIt>>>>
{
  using type = value_of<CountIt>;
};
template <class CountIt>
using count_of = typename count_type<CountIt>::type;

//! Returns `in[index]` as its value type, because user operators must never see a proxy.
template <class It>
REHEAT_DEVICE value_of<It> read_item(It& in, std::uint64_t index)
{
  return in[static_cast<distance_of<It>>(index)];
}

//! In place of values, or of an iterator of values, where items or keys move alone.
struct no_values
{};

//! Whether tiles of Ts can move between `It` and shared memory in 16-byte vectors: It is a pointer to Ts that are copyable
//! by their bytes. Volatile memory moves item by item.
template <class It, class T>
inline constexpr bool moves_in_vec16_v =
    std::is_pointer_v<It>&& std::is_same_v<std::remove_const_t<std::remove_pointer_t<It>>, T>&& is_bitwise_copyable_v<T>;

//! Whether numbers in memory are converted to larger ones by the piece.
template <class It, class T>
inline constexpr bool widens_v = false;
template <class From, class T>
inline constexpr bool widens_v<From*, T> =
    std::is_arithmetic_v<From>&& std::is_arithmetic_v<T> && !std::is_volatile_v<From> && sizeof(From) < sizeof(T);

//! Whether items are computed of what a thread may load for several of them first: detail/indexed.cuh.
template <class It, class = void>
inline constexpr bool loads_ahead_v = false;

//! As many neighbours in memory as fill 16 bytes when they are Ts. One access loads them.
template <class From, class T>
struct alignas(16 / sizeof(T) * sizeof(From)) widened_piece
{
  static constexpr unsigned items = 16 / sizeof(T);
  From item[items];

  REHEAT_DEVICE vec16 widened() const
  {
    T wide[items];
    REHEAT_UNROLL
    for (unsigned i = 0; i < items; ++i)
    {
      wide[i] = static_cast<T>(item[i]);
    }
    vec16 bits;
    memcpy(&bits, wide, sizeof(bits));
    return bits;
  }
};

//! Whether walk_items moves Ts in 16-byte vectors.
template <class T, unsigned ItemsPerThread>
inline constexpr bool walks_in_vec16_v = fills_vec16_v<T>&& ItemsPerThread * sizeof(T) % 16 == 0;

//! Calls `visit(item, i)` for the first `count` of the thread's ItemsPerThread items in order. `Writes`: visit may change
//! items. `items` is aligned to 16 bytes if walks_in_vec16_v; a full run then moves in 16-byte vectors. An odd number of
//! vectors per thread causes no bank conflicts.
template <bool Writes, unsigned ItemsPerThread, class T, class Visit>
REHEAT_DEVICE void walk_items(T* items, unsigned count, Visit&& visit)
{
  if constexpr (walks_in_vec16_v<T, ItemsPerThread>)
  {
    if (count == ItemsPerThread)
    {
      constexpr unsigned vector_items = 16 / sizeof(T);
      auto* const vectors = reinterpret_cast<std::conditional_t<Writes, vec16, const vec16>*>(items);
      REHEAT_UNROLL
      for (unsigned p = 0; p < ItemsPerThread / vector_items; ++p)
      {
        vec16 bits = vectors[p];
        uninitialized<T> item[vector_items];
        memcpy(static_cast<void*>(item), &bits, sizeof(vec16));
        REHEAT_UNROLL
        for (unsigned i = 0; i < vector_items; ++i)
        {
          visit(item[i].get(), p * vector_items + i);
        }
        if constexpr (Writes)
        {
          memcpy(&bits, item, sizeof(vec16));
          vectors[p] = bits;
        }
      }
      return;
    }
  }
  for (unsigned i = 0; i < count; ++i)
  {
    visit(items[i], i);
  }
}

} // namespace detail
REHEAT_NAMESPACE_END

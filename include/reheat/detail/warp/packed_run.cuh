// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! How a warp stores items that stand packed in shared memory, as one run in vectors of 16 bytes.
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

//! 8 bytes of items of any type.
struct __attribute__((aligned(8), may_alias)) vec8
{
  std::uint32_t bits[2];
};

//! Whether held_items can hold the items of a thread.
template <class T, unsigned ItemsPerThread>
inline constexpr bool is_held_v = fills_vec16_v<T>&& ItemsPerThread * sizeof(T) % 8 == 0;

//! The items of a thread, in registers. They fill vectors of 16 bytes, or of 8.
template <unsigned ItemsPerThread, class T>
class held_items
{
  using vector = std::conditional_t<ItemsPerThread * sizeof(T) % sizeof(vec16) == 0, vec16, vec8>;
  static constexpr unsigned vector_items = sizeof(vector) / sizeof(T), vectors = ItemsPerThread / vector_items;

public:
  REHEAT_DEVICE void load(const T* items)
  {
    REHEAT_UNROLL
    for (unsigned v = 0; v < vectors; ++v)
    {
      held_[v] = reinterpret_cast<const vector*>(items)[v];
    }
  }
  //! The first `count` of them: there may be nothing where others would be.
  REHEAT_DEVICE void load(const T* items, unsigned count)
  {
    if (count == ItemsPerThread)
    {
      load(items);
      return;
    }
    REHEAT_UNROLL
    for (unsigned i = 0; i < ItemsPerThread; ++i)
    {
      if (i < count)
      {
        memcpy(reinterpret_cast<unsigned char*>(&held_[i / vector_items]) + i % vector_items * sizeof(T), items + i,
               sizeof(T));
      }
    }
  }
  //! visit(item, i) for each.
  template <class Visit>
  REHEAT_DEVICE void visit(const Visit& visit) const
  {
    REHEAT_UNROLL
    for (unsigned v = 0; v < vectors; ++v)
    {
      uninitialized<T> items[vector_items];
      memcpy(static_cast<void*>(items), &held_[v], sizeof(vector));
      REHEAT_UNROLL
      for (unsigned i = 0; i < vector_items; ++i)
      {
        visit(items[i].get(), v * vector_items + i);
      }
    }
  }

private:
  vector held_[vectors];
};

//! The place in a part of `items` items, which is a ring.
REHEAT_DEVICE inline unsigned in_ring(unsigned at, unsigned items)
{
  const unsigned around = at - items;
  return around < at && !simt::fault_active(simt::fault::leave_part) ? around : at;
}

//! How many items a place lies behind one where a vector of memory begins.
template <class T>
REHEAT_DEVICE unsigned items_behind_vec16(const T* place)
{
  constexpr unsigned vector_items = 16 / sizeof(T);
  return static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(place) / sizeof(T)) % vector_items;
}

//! Stores a run of `selected` items, which stand from item `shift` of `from` on, as vectors of the output do.
//! `from` is aligned to 16 bytes. It is a ring of `part` items, whose whole vectors do not pass its end. Smaller numbers
//! become Ts. All lanes call.
template <class From, class T>
REHEAT_DEVICE void store_packed(const From* from, unsigned part, T* out, unsigned shift, unsigned selected)
{
  constexpr unsigned vector_items = 16 / sizeof(T);
  const unsigned lane = simt::lane_index();
  const bool whole_tail = simt::fault_active(simt::fault::store_whole_tail);
  const unsigned end = shift + selected, whole = (end + (whole_tail ? vector_items - 1 : 0)) / vector_items;
  vec16* const to = reinterpret_cast<vec16*>(out - shift);
  for (unsigned v = (shift == 0 ? 0 : 1) + lane; v < whole; v += simt::warp_lanes)
  {
    if constexpr (widens_v<From*, T>)
    {
      to[v] = reinterpret_cast<const widened_piece<From, T>*>(from)[v].widened();
    }
    else
    {
      static_assert(sizeof(From) == sizeof(T));
      to[v] = reinterpret_cast<const vec16*>(from)[v];
    }
  }
  if constexpr (vector_items > 1)
  {
    // The items before the first whole vector, by the lower lanes, and those behind the last one, by the upper lanes.
    constexpr unsigned half = simt::warp_lanes / 2;
    const bool lower = lane < half;
    const bool no_head = shift == 0 || simt::fault_active(simt::fault::skip_vector_head);
    const unsigned head_end = no_head ? 0 : end < vector_items ? end : vector_items;
    const unsigned tail = whole * vector_items < head_end ? head_end : whole * vector_items;
    const unsigned i = lower ? shift + lane : tail + lane - half;
    if (i < (lower ? head_end : end))
    {
      out[static_cast<std::ptrdiff_t>(i) - static_cast<std::ptrdiff_t>(shift)] = static_cast<T>(from[in_ring(i, part)]);
    }
  }
}

} // namespace detail
REHEAT_NAMESPACE_END

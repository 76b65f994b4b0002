// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! How a warp moves its selected items together in shared memory and stores them as one run.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/select/ask.cuh>
#include <reheat/detail/select/tuning.cuh>
#include <reheat/detail/simt/simt.cuh>
#include <reheat/detail/thread/value.cuh>

#include <cstddef>
#include <cstdint>
#include <cstring>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

//! The items of a warp.
template <class T, class OutputIt>
struct warp_items
{
  T* first;
  unsigned items; //!< up to the tile's last one
  OutputIt out;   //!< where the warp's first selected item goes
};

//! The place in a part of `items` items, which is a ring.
REHEAT_DEVICE inline unsigned in_ring(unsigned at, unsigned items)
{
  const unsigned around = at - items;
  return around < at && !simt::fault_active(simt::fault::leave_part) ? around : at;
}

//! Moves the selected items of a warp with all its items together, and stores them. The lane has `before` selected items
//! on its left, the warp has `selected`.
//!
//! The items move to where a vector of the stage is a vector of the output. So the first one goes up to a vector further
//! than the warp's first item, and items that would pass the warp's last item go to its front: the part is a ring.
template <unsigned ItemsPerThread, class T>
REHEAT_DEVICE void pack_and_store(const warp_items<T, T*>& mine, const item_bits<words_of_bits(ItemsPerThread)>& bits,
                                  unsigned before, unsigned selected)
{
  constexpr unsigned vector_items = 16 / sizeof(T), vectors = ItemsPerThread / vector_items;
  constexpr unsigned part = simt::warp_lanes * ItemsPerThread;
  const unsigned lane = simt::lane_index();
  const unsigned shift = static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(mine.out) / sizeof(T)) % vector_items;
  const vec16* const own = reinterpret_cast<const vec16*>(mine.first + lane * ItemsPerThread);
  vec16 held[vectors];
  REHEAT_UNROLL
  for (unsigned v = 0; v < vectors; ++v)
  {
    held[v] = own[v];
  }
  simt::sync_warp(simt::unless(simt::fault::skip_hold_barrier)); // all lanes hold their items
  unsigned at = shift + before;
  REHEAT_UNROLL
  for (unsigned v = 0; v < vectors; ++v)
  {
    uninitialized<T> items[vector_items];
    memcpy(static_cast<void*>(items), &held[v], sizeof(vec16));
    REHEAT_UNROLL
    for (unsigned i = 0; i < vector_items; ++i)
    {
      if (bits[v * vector_items + i])
      {
        construct_at(mine.first + in_ring(at, part), items[i].get());
        ++at;
      }
    }
  }
  simt::sync_warp(simt::unless(simt::fault::skip_move_barrier)); // all lanes have moved theirs
  const bool whole_tail = simt::fault_active(simt::fault::store_whole_tail);
  const unsigned end = shift + selected, whole = (end + (whole_tail ? vector_items - 1 : 0)) / vector_items;
  vec16* const to = reinterpret_cast<vec16*>(mine.out - shift);
  const vec16* const from = reinterpret_cast<const vec16*>(mine.first);
  for (unsigned v = (shift == 0 ? 0 : 1) + lane; v < whole; v += simt::warp_lanes)
  {
    to[v] = from[v];
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
      mine.out[static_cast<std::ptrdiff_t>(i) - static_cast<std::ptrdiff_t>(shift)] = mine.first[in_ring(i, part)];
    }
  }
}
} // namespace detail
REHEAT_NAMESPACE_END

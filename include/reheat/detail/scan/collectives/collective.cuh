// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! How tiles lie in a block's stages, and how they get there and away.
//!
//! A *tile collective* is a class that holds, for all stages, the arrays a tile consists of, and the block's operations on
//! them. The kernel's roles call it:
//!
//! | | |
//! |---|---|
//! | `bulk_in`, `load_bulk` | the producer, or load warps: aligned input of which `is_bulk_tile(first, items)`, by a copier
//! | | `always_aligned` | there is no other input | | `prefetch` | all threads, before the block knows its first tile: one
//! that comes whole | | `load` | load warps, and compute warps for what does not come whole | | `reduce`, then `scan` |
//! compute warps, each thread for its own neighbouring items | | `bulk_out`, `store_in_bulk`; `store` | compute warps; store
//! warps, and compute warps for tiles that are not whole | | `scan_stores` | `scan` has written the output, and nothing is
//! left to be stored | | `head_of` | the host: how many items come before those in aligned tiles, if there can be aligned
//! tiles | | `is_aligned_output` | the host: whether the output is aligned where they begin |
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/simt/simt.cuh>
#include <reheat/detail/thread/value.cuh>

#include <cstddef>
#include <cstdint>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

//! What prefixes are held in. Aggregates may be of a narrower type, which the items of a group of tiles fit.
template <class Accum>
struct prefix_type
{
  using type = Accum;
};
template <class Accum>
using prefix_of = typename prefix_type<Accum>::type;

//! Where a tile lies in shared memory.
struct tile_place
{
  unsigned stage;
  unsigned key_stage; //!< of cfg.key_stages: keys are needed only until the tile is reduced
};

//! A thread's slice of a tile.
struct thread_slice
{
  tile_place place;
  unsigned thread;     //!< of those that share the tile
  unsigned items;      //!< of the tile
  unsigned count;      //!< of the thread: it starts at item thread · items_per_thread of the tile
  std::uint64_t first; //!< of the tile, in the input
  bool last;           //!< the tile is the input's last
};

//! Copies whole tiles in bulk: one lane calls. A tile consists of one array or more, of whole 16-byte vectors.
struct bulk_copier
{
  simt::mbarrier& full;

  //! All of the tile, before its parts.
  REHEAT_DEVICE void expect(std::size_t bytes) const
  {
    const unsigned short_by = simt::fault_active(simt::fault::expect_too_few) ? 16 : 0;
    simt::mbarrier_arrive_expect(full, static_cast<unsigned>(bytes) - short_by);
  }
  //! `items` <= MaxItems.
  template <unsigned MaxItems, class T>
  REHEAT_DEVICE void copy(void* to, const T* from, unsigned items) const
  {
    simt::bulk_load(to, from, static_cast<unsigned>(items * sizeof(T)), full);
  }
};

//! Copies them in vectors: each of `Threads` threads its share. Their arrivals say when it is there.
template <unsigned Threads>
struct vec16_copier
{
  unsigned thread;

  REHEAT_DEVICE void expect(std::size_t) const {}
  template <unsigned MaxItems, class T>
  REHEAT_DEVICE void copy(void* to, const T* from, unsigned items) const
  {
    constexpr unsigned most = static_cast<unsigned>(MaxItems * sizeof(T) / sizeof(vec16));
    const unsigned vectors = static_cast<unsigned>(items * sizeof(T) / sizeof(vec16));
    REHEAT_UNROLL
    for (unsigned turn = 0; turn < most; turn += Threads)
    {
      if (turn + thread < vectors)
      {
        simt::vec16_load(static_cast<vec16*>(to) + turn + thread, reinterpret_cast<const vec16*>(from) + turn + thread);
      }
    }
  }
};

} // namespace detail
REHEAT_NAMESPACE_END

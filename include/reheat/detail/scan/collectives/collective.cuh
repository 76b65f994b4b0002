// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! How tiles lie in a block's stages, and how they are loaded, reduced, scanned and stored.
//!
//! A *tile collective* is a class that holds, for all stages, the arrays a tile consists of, and the block's operations on
//! them. collective_for<InputIt> (plain.cuh) names the one of an input, and is_tile_collective_v says what one must have.
//! The roles of the streaming kernel call it:
//!
//! * Load warps and the producer call load_bulk for those tiles of an aligned input for which is_bulk_tile(first, items)
//!   holds. It copies through a copier. Only collectives with bulk_in have it.
//! * Load warps call load for the other tiles. Compute warps call it for the tiles of a bulk input that are no bulk
//!   tiles: the short first one, the partial last one, and those for which is_bulk_tile does not hold.
//! * If bulk_in and the tuning prefetches, all threads call prefetch before the block knows its first tile. Only full
//!   tiles are prefetched.
//! * Compute warps call reduce, then scan. Each thread has its own neighbouring items. If scan_stores, scan writes the
//!   output itself, and no store follows.
//! * Where each of a few tiles has a block (scan/few_tiles), and packs_early, all threads call pack_early between reduce and
//!   scan, with the fold of the items of their warp that stand before their own; lane 0 has none. Other kernels never do.
//! * Compute warps call store_in_bulk for full tiles. Only collectives with bulk_out have it.
//! * Store warps call store for an output that does not move in bulk. Compute warps call it for the tiles of a bulk
//!   output that are not full.
//! * The host calls head_of for the number of items before the first aligned tile. The result is empty if no tile can be
//!   aligned; if always_aligned, it never is. is_aligned_output says whether the output is aligned at that first tile.
//! * The constructor (memory, config) takes the arrays from shared memory; the host passes a counter instead.
//! * own_items gives a thread's items in their stage. It is needed only if the scan stores its total, which scans by key and
//!   scans that widen items do not.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/simt/simt.cuh>
#include <reheat/detail/thread/value.cuh>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

//! The type of prefixes. Aggregates may have a narrower type, in which a whole group of tiles can be folded.
template <class Accum>
struct prefix_type
{
  using type = Accum;
};
template <class Accum>
using prefix_of = typename prefix_type<Accum>::type;

//! The named barrier of the compute warps.
inline constexpr unsigned compute_barrier = 1;

//! The place of a tile in shared memory.
struct tile_place
{
  unsigned stage;
  unsigned key_stage; //!< among cfg.key_stages: keys are needed only until the tile is reduced
};

//! A thread's slice of a tile.
struct thread_slice
{
  tile_place place;
  unsigned thread;     //!< the index among the threads that share the tile
  unsigned items;      //!< the tile's number of items
  unsigned count;      //!< the thread's number of items, which start at item thread · items_per_thread of the tile
  std::uint64_t first; //!< the tile's first item in the input
  bool last;           //!< the tile is the input's last one
};

//! Copies full tiles in bulk. One lane calls. A tile consists of one or more arrays of whole 16-byte vectors.
struct bulk_copier
{
  simt::mbarrier& full;

  //! Announces the bytes of the whole tile, before its arrays are copied.
  REHEAT_DEVICE void expect(std::size_t bytes) const
  {
    const unsigned short_by = simt::fault_active(simt::fault::expect_too_few) ? 16 : 0;
    simt::mbarrier_arrive_expect(full, static_cast<unsigned>(bytes) - short_by);
  }
  //! Copies an array. `items` <= MaxItems.
  template <unsigned MaxItems, class T>
  REHEAT_DEVICE void copy(void* to, const T* from, unsigned items) const
  {
    simt::bulk_load(to, from, static_cast<unsigned>(items * sizeof(T)), full);
  }
};

//! Copies full tiles in vectors of 16 bytes. Each of `Threads` threads copies its share and arrives at the barrier itself.
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

//! Whether a class has the members of a tile collective that are no templates, with the right types. The other members are
//! checked where a role calls them. scan/dispatch.cuh asserts it.
template <class Collective, class InputIt, class OutputIt, class = void>
inline constexpr bool is_tile_collective_v = false;
template <class Collective, class InputIt, class OutputIt>
inline constexpr bool is_tile_collective_v<
    Collective, InputIt, OutputIt,
    std::void_t<std::bool_constant<Collective::bulk_in>, std::bool_constant<Collective::always_aligned>,
                std::bool_constant<Collective::bulk_out>, std::bool_constant<Collective::scan_stores>>> =
    std::is_same_v<decltype(Collective::head_of(std::declval<const InputIt&>(), 0U)), std::optional<unsigned>>&&
        std::is_same_v<decltype(Collective::is_aligned_output(std::declval<const OutputIt&>(), 0U)), bool>&&
            std::is_same_v<decltype(Collective::is_bulk_tile(std::uint64_t{}, std::uint64_t{})), bool>;

} // namespace detail
REHEAT_NAMESPACE_END

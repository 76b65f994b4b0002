// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! How tiles lie in a block's stages, and how they get there and away.
//!
//! A *tile collective* is a class that holds, for all stages, the arrays a tile consists of, and the block's operations on
//! them. collective_for<InputIt> (plain.cuh) names the one of an input, and is_tile_collective_v says what one must have.
//! The roles of the streaming kernel call it:
//!
//! * Load warps and the producer: load_bulk copies an aligned input's tile of which is_bulk_tile(first, items), through a
//!   copier. It is used where bulk_in.
//! * Load warps: load, for the other tiles. Compute warps call it, too, for the last tile of an input that moves in bulk.
//! * All threads: prefetch, before the block knows its first tile. Only full tiles are prefetched.
//! * Compute warps: reduce, then scan, each thread for its own neighbouring items. If scan_stores, scan writes the output
//!   itself, and no store follows.
//! * Compute warps: store_in_bulk, where bulk_out.
//! * Store warps: store, for an output that does not move in bulk. Compute warps call it for the partial last tile.
//! * The host: head_of gives how many items come before those in aligned tiles, or nothing if no tile can be aligned
//!   (always_aligned: there is no other input). is_aligned_output says whether the output is aligned where these begin.
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

//! Whether a class has what the host and every role ask of a tile collective. Members that are templates over a role's
//! numbers of threads and items are checked where a role calls them.
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

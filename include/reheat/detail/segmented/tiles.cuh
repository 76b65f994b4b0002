// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! How a block goes through a run of items in tiles, and folds those of a thread.
//!
//! Tiles lie in a ring of stages. Where the hardware has bulk copies, and input and accumulators are of one type, the next
//! tile is on its way while this one is worked on; otherwise all threads load a tile when its turn comes.
#pragma once

#include <reheat/detail/block/tile.cuh>
#include <reheat/detail/config.cuh>
#include <reheat/detail/device_traits.cuh>
#include <reheat/detail/segmented/carry.cuh>
#include <reheat/detail/segmented/shared.cuh>
#include <reheat/detail/segmented/tuning.cuh>
#include <reheat/detail/simt/simt.cuh>
#include <reheat/detail/thread/items.cuh>
#include <reheat/detail/thread/value.cuh>

#include <cstddef>
#include <cstdint>
#include <type_traits>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

//! By how many items `in + first` is past the address where load_tile moves whole vectors of Ts.
template <class T, class It>
REHEAT_DEVICE unsigned items_past_alignment(const It& in, std::uint64_t first)
{
  if constexpr (moves_in_vec16_v<It, T> || widens_v<It, T>)
  {
    constexpr std::size_t size = sizeof(*in), vector = moves_in_vec16_v<It, T> ? 16 : 16 / sizeof(T) * size;
    if constexpr (vector % size == 0)
    {
      return static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(in + first) % vector / size);
    }
  }
  return 0;
}
//! Whether there is such an address behind `in`. Not if items of 8 bytes lie 4 bytes past a multiple of 8.
template <class T, class It>
REHEAT_DEVICE bool has_vectors(const It& in)
{
  if constexpr (moves_in_vec16_v<It, T> || widens_v<It, T>)
  {
    using item = std::remove_pointer_t<It>;
    return alignof(item) == sizeof(item) || reinterpret_cast<std::uintptr_t>(in) % sizeof(item) == 0;
  }
  return false;
}
//! Whether `it` is a pointer, and item `index` lies at a multiple of 16 bytes.
template <class It>
REHEAT_DEVICE bool is_vec16_aligned(const It& it, std::uint64_t index)
{
  if constexpr (std::is_pointer_v<It>)
  {
    // As integers: of a tile that begins before the items there is an index below 0, modulo 2^64.
    return (reinterpret_cast<std::uintptr_t>(it) + index * sizeof(*it)) % 16 == 0;
  }
  return false;
}

//! A run of items in tiles. All threads of the block call every member that does not say otherwise.
template <class Tuning, class Input, class Accum>
class tile_walk
{
protected:
  static constexpr segmented_config cfg = Tuning{}(simt::arch);
  static constexpr unsigned per_thread = cfg.items_per_thread, tile_items = cfg.tile_items();
  static constexpr bool in_bulk = device_traits_of(simt::arch).bulk_copies && moves_in_vec16_v<Input, Accum> &&
                                  tile_items * sizeof(Accum) % 16 == 0 && !cfg.in_scratch;

  //! A barrier must precede the first load.
  REHEAT_DEVICE tile_walk(const segmented_shared<Accum>& shared, Input in) : shared_(shared), in_(in)
  {
    if (in_bulk && simt::thread_index() == 0)
    {
      for (unsigned stage = 0; stage < cfg.stages; ++stage)
      {
        simt::mbarrier_init(shared_.full[stage], 1);
      }
      simt::mbarrier_init_fence();
    }
  }

  //! Begins with `items` items from the input's item `first` on. Tiles begin at multiples of 16 bytes if they can. Then the
  //! first one may begin before the run.
  REHEAT_DEVICE void cut_into_tiles(std::uint64_t first, std::uint64_t items)
  {
    first_ = items_past_alignment<Accum>(in_, first);
    tile_first_ = first - first_;
    tile_ = 0;
    tiles_ = static_cast<std::uint32_t>((items + first_ + tile_items - 1) / tile_items);
    last_items_ = tiles_ == 0 ? 0 : static_cast<unsigned>(items + first_ - std::uint64_t{tiles_ - 1} * tile_items);
    aligned_ = is_vec16_aligned(in_, tile_first_);
    first_bulk_tile_ = first_ != 0 ? 1 : 0;
    const bool last_differs = cfg.partial_in_bulk ? last_items_ * sizeof(Accum) % 16 != 0 : last_items_ != tile_items;
    const unsigned others = first_bulk_tile_ + (last_differs && tiles_ > first_bulk_tile_ ? 1 : 0);
    bulk_tiles_ = in_bulk && aligned_ && tiles_ > others ? tiles_ - others : 0;
  }
  //! Whether a tile is whole and loaded in bulk; with cfg.partial_in_bulk also a last one of whole vectors.
  REHEAT_DEVICE bool is_bulk_tile(std::uint32_t tile) const { return tile - first_bulk_tile_ < bulk_tiles_; }

  //! Starts the load of a tile at item `first` of the input, if it is loaded in bulk; otherwise it may be brought to the L2
  //! cache.
  REHEAT_DEVICE void start_load(std::uint32_t tile, std::uint64_t first, unsigned stage)
  {
    if (simt::thread_index() != 0 || tile >= tiles_)
    {
      return;
    }
    if constexpr (in_bulk)
    {
      if (is_bulk_tile(tile))
      {
        const bool is_partial = cfg.partial_in_bulk && tile + 1 == tiles_;
        const unsigned bytes = static_cast<unsigned>((is_partial ? last_items_ : tile_items) * sizeof(Accum));
        simt::mbarrier_arrive_expect(shared_.full[stage], bytes);
        // H100, sums of u32, 2^24 items in segments of 64: 33.5 us; with lines kept, 40.3.
        simt::bulk_load_once(shared_.items + stage * tile_items, in_ + first, bytes, shared_.full[stage]);
      }
    }
    else // the first tile may begin before the input
    {
      prefetch_items(in_, first + (tile == 0 ? first_ : 0), first + (tile + 1 == tiles_ ? last_items_ : tile_items));
    }
  }
  //! Loads the items [first_, end) of this tile, which is not loaded in bulk. A barrier must follow.
  REHEAT_DEVICE void load(Accum* tile, unsigned end)
  {
    load_tile<per_thread>(in_, first_ == 0 && aligned_, tile_first_ + first_, end - first_, tile + first_,
                          simt::thread_index(), cfg.block_threads);
  }
  //! Waits for this tile, which is loaded in bulk.
  REHEAT_DEVICE void wait_for_load()
  {
    simt::mbarrier_wait(shared_.full[stage_], parities_ >> stage_ & 1, simt::unless(simt::fault::skip_tile_wait));
    parities_ ^= 1u << stage_;
  }

  REHEAT_DEVICE Accum* this_tile() const { return shared_.items + stage_ * tile_items; }
  REHEAT_DEVICE unsigned next_stage() const { return stage_ + 1 == cfg.stages ? 0 : stage_ + 1; }
  REHEAT_DEVICE void go_to_next_tile()
  {
    first_ = 0;
    ++tile_;
    tile_first_ += tile_items;
    stage_ = next_stage();
  }

  //! The part of a tile that a thread has.
  struct slice
  {
    unsigned index;        //!< of the thread's items in the tile
    unsigned first, count; //!< its items from first_ on
    unsigned threads;      //!< that have items; they come first
  };
  //! Of the items [first_, behind).
  REHEAT_DEVICE slice slice_up_to(unsigned behind) const
  {
    const unsigned first_slice = first_ / per_thread;
    const unsigned index = first_slice + simt::thread_index();
    const unsigned begin = index * per_thread < first_ ? first_ : index * per_thread, end = (index + 1) * per_thread;
    const unsigned count = begin >= behind ? 0 : (end < behind ? end : behind) - begin;
    return {index, begin, count, behind > first_ ? (behind + per_thread - 1) / per_thread - first_slice : 0};
  }

  //! Extends `fold`, the same in all threads, by the items [first_, behind), in which no segment ends.
  template <class Op>
  REHEAT_DEVICE void fold_without_ends(Accum* tile, unsigned behind, optional_accumulator<Accum>& fold, Op& op) const
  {
    const slice own = slice_up_to(behind);
    uninitialized<Accum> folded;
    if (own.count != 0)
    {
      fold_items(tile + own.first, own.count, folded, op);
    }
    fold_between_threads<cfg.warps()>(folded, own.threads, fold, op, shared_.carry);
  }
  template <class Op>
  REHEAT_DEVICE static void fold_items(const Accum* items, unsigned count, uninitialized<Accum>& fold, Op& op)
  {
    walk_items<false, per_thread>(items, count,
                                  [&](const Accum& item, unsigned i)
                                  {
                                    if (i == 0)
                                    {
                                      fold.construct(item);
                                    }
                                    else
                                    {
                                      fold.construct(static_cast<Accum>(op(fold.get(), item)));
                                    }
                                  });
  }

  const segmented_shared<Accum>& shared_;
  Input in_;
  std::uint32_t tiles_, first_bulk_tile_, bulk_tiles_;
  unsigned last_items_; //!< of the last tile, as if the first began at its item 0
  bool aligned_;        //!< tiles begin at multiples of 16 bytes

  std::uint32_t tile_;       //!< this one
  std::uint64_t tile_first_; //!< the index of its item 0 in the input
  unsigned first_;           //!< the first item in it that is still to be worked on
  unsigned stage_ = 0;
  unsigned parities_ = 0; //!< bit s: of the next wait for stage s
};

} // namespace detail
REHEAT_NAMESPACE_END

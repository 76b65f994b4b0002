// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The search: the lowest index whose term is a hit (reduce/mapped_input.cuh has terms). One launch.
//!
//! Each block searches its tiles and publishes the index of its first hit. The block with the last index takes the lowest
//! one, and ends the launch as a reduction's last block does (reduce/kernel.cuh). A small input has a tile for each block.
//!
//! Early hits. In larger inputs, the first tiles are the *head*: the first head_blocks blocks search one of them each. All
//! other blocks wait until these have published. If the head has a hit, nothing behind it is read, and the first of the
//! other blocks stores the result at once. Otherwise the other blocks draw the tiles behind the head, in ascending order. A
//! warp with a hit ends the drawing. All tiles before its own have been drawn by then, and a block searches every tile that
//! it has drawn; so the lowest hit is found. Behind that, only tiles are read that a block had drawn.
//!
//! Progress. Blocks start in the order of their indices, and wait for lower indices only. A block that is not resident holds
//! no tile behind the head.
#pragma once

#include <reheat/detail/block/fold.cuh>
#include <reheat/detail/config.cuh>
#include <reheat/detail/device_traits.cuh>
#include <reheat/detail/grid/result.cuh>
#include <reheat/detail/grid/slot.cuh>
#include <reheat/detail/grid/slot_fold.cuh>
#include <reheat/detail/reduce/tuning.cuh>
#include <reheat/detail/search/tickets.cuh>
#include <reheat/detail/search/tuning.cuh>
#include <reheat/detail/search/vectors.cuh>
#include <reheat/detail/simt/simt.cuh>
#include <reheat/detail/thread/value.cuh>

#include <cuda/functional>

#include <cstdint>
#include <type_traits>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

//! The lower of two indices; no_item is the highest.
using lower_index = ::cuda::minimum<std::uint64_t>;

struct search_params
{
  std::uint64_t items;              //!< terms
  std::uint64_t tiles;              //!< behind the head
  unsigned run_bits;                //!< search_run_bits of these
  workspace<std::uint64_t> scratch; //!< none if the grid is one block
};

//! Slots' worth of words: the counter of tickets, and the slots of all blocks but the last.
REHEAT_HOST_DEVICE constexpr std::uint64_t search_slots(unsigned blocks)
{
  return blocks;
}
//! The slots of the blocks, of a grid that has several.
REHEAT_DEVICE inline slot_array<std::uint64_t> block_slots(const workspace<std::uint64_t>& scratch, std::uint32_t epoch)
{
  return {{scratch.header, scratch.words + slot_traits<std::uint64_t>::words, nullptr}, epoch};
}

//! Shared memory of a block.
struct search_shared
{
  std::uint64_t totals[32];       //!< [warp]
  std::uint64_t block_totals[32]; //!< [warp]: of blocks. Apart, since no barrier follows the last read of totals.
  std::uint64_t tiles[3];         //!< a ring: the next tiles that the block has drawn
  std::uint64_t head_hit;         //!< the lowest index of a hit in the head, or no_item
  std::uint32_t epoch;
};

//! One block of the search.
template <class Tuning, class Terms>
class search_block
{
  static constexpr reduce_config cfg = Tuning{}(simt::arch);
  static constexpr unsigned head_blocks = search_head_blocks(simt::arch);
  static constexpr unsigned vectors = cfg.items_per_thread / Terms::vector_items;
  static_assert(vectors * Terms::vector_items == cfg.items_per_thread, "tiles consist of whole vectors");
  using tile_vectors = searched_vectors<Terms, vectors>;

public:
  REHEAT_DEVICE search_block(Terms& terms, const search_params& params, search_shared& shared)
      : terms_(terms), params_(params), shared_(shared)
  {}

  //! Returns the thread's first hit in tile `tile` of the grid's blocks, or no_item.
  REHEAT_DEVICE std::uint64_t in_one_tile(std::uint64_t tile)
  {
    return with_alignment(
        [&](auto aligned)
        {
          constexpr bool is_aligned = decltype(aligned)::value;
          const unsigned threads = simt::block_threads(), whole = threads * cfg.items_per_thread;
          const std::uint64_t begin = tile * whole, left = params_.items - begin;
          tile_vectors held(threads);
          if (left < whole)
          {
            return held.template first_hit_of_part<is_aligned>(terms_, begin, static_cast<unsigned>(left));
          }
          held.template load<is_aligned>(terms_, begin);
          return held.first_hit(terms_);
        });
  }

  //! Waits for the head, and gives all threads the lowest index of a hit there, or no_item. The first warp knows the
  //! launch's epoch, and behind this all threads do. Thread 0 draws the block's first two tiles; `last` is the last one
  //! drawn, before the first -1.
  REHEAT_DEVICE std::uint64_t hit_in_head(std::uint32_t& epoch, std::uint64_t& last)
  {
    if (simt::warp_index() == 0)
    {
      std::uint64_t first = 0, second = 0;
      if (simt::lane_index() == 0) // the wait for the head hides the round trips
      {
        const search_tickets tickets = tickets_of(epoch);
        tickets.begin();
        first = tickets.draw(last);
        second = tickets.draw(last);
      }
      uninitialized<std::uint64_t> lowest;
      std::uint64_t* const no_scratch = nullptr;
      lower_index op;
      fold_slots<1>(block_slots(params_.scratch, epoch), 0, head_blocks, lowest, op, no_scratch);
      if (simt::lane_index() == 0)
      {
        shared_.tiles[0] = first;
        shared_.tiles[1] = second;
        shared_.head_hit = lowest.get();
        shared_.epoch = epoch;
      }
    }
    simt::sync_block(simt::unless(simt::fault::skip_head_barrier)); // all threads see all of it
    epoch = shared_.epoch;
    return shared_.head_hit;
  }

  //! Returns the thread's first hit in the tiles behind the head that the block draws, or no_item. Behind hit_in_head.
  REHEAT_DEVICE std::uint64_t behind_head(std::uint32_t epoch, std::uint64_t last)
  {
    return with_alignment([&](auto aligned) { return in_drawn_tiles<decltype(aligned)::value>(epoch, last); });
  }

private:
  template <class Search>
  REHEAT_DEVICE std::uint64_t with_alignment(Search search)
  {
    if constexpr (Terms::may_be_aligned)
    {
      if (terms_.aligned())
      {
        return search(std::true_type());
      }
    }
    return search(std::false_type());
  }

  REHEAT_DEVICE search_tickets tickets_of(std::uint32_t epoch) const
  {
    return search_tickets(params_.scratch.words, epoch, params_.tiles, params_.run_bits);
  }

  //! A turn tests a tile while the next one is loaded and the number of the one after that is drawn.
  template <bool Aligned>
  REHEAT_DEVICE std::uint64_t in_drawn_tiles(std::uint32_t epoch, std::uint64_t last)
  {
    constexpr unsigned whole = cfg.tile_items();
    constexpr std::uint64_t begin = std::uint64_t{head_blocks} * whole;
    const search_tickets tickets = tickets_of(epoch);
    const auto part = static_cast<unsigned>((params_.items - begin) % whole); // items of the last tile, if it is partial
    const std::uint64_t whole_tiles = params_.tiles - (part != 0 ? 1 : 0);
    std::uint64_t hit = no_item, tile = shared_.tiles[0], next = shared_.tiles[1];
    unsigned slot = 2;
    tile_vectors coming(cfg.block_threads);
    if (tile < whole_tiles)
    {
      coming.template load<Aligned>(terms_, begin + tile * whole);
    }
    REHEAT_NO_UNROLL // vectors of two tiles fill the registers
        while (tile < whole_tiles)
    {
      tile_vectors held = coming;
      if (next < whole_tiles)
      {
        coming.template load<Aligned>(terms_, begin + next * whole);
      }
      std::uint64_t drawn = 0;
      if (simt::thread_index() == 0)
      {
        drawn = tickets.draw(last);
      }
      const std::uint64_t found = held.first_hit(terms_);
      hit = found < hit ? found : hit;
      if (simt::any(found != no_item) && simt::lane_index() == 0)
      {
        tickets.end();
      }
      if (simt::thread_index() == 0)
      {
        shared_.tiles[slot] = drawn;
      }
      simt::sync_block(simt::unless(simt::fault::skip_drawn_barrier)); // until the third turn from now, nobody writes there
      tile = next;
      next = shared_.tiles[slot];
      slot = slot == 2 || simt::fault_active(simt::fault::one_drawn_tile) ? 0 : slot + 1;
      if (simt::fault_active(simt::fault::drop_drawn_tile) && next >= params_.tiles)
      {
        return hit;
      }
    }
    if (tile == whole_tiles && part != 0)
    {
      const std::uint64_t found =
          tile_vectors(cfg.block_threads).template first_hit_of_part<Aligned>(terms_, begin + tile * whole, part);
      hit = found < hit ? found : hit;
    }
    return hit;
  }

  Terms& terms_;
  const search_params& params_;
  search_shared& shared_;
};

//! Stores the index of the first hit, or the number of items. `HasHead`: the first blocks search the head. Otherwise every
//! block has a tile.
template <class Tuning, class Terms, bool HasHead>
REHEAT_KERNEL(Tuning{}(simt::arch).max_threads(), Tuning{}(simt::arch).resident_blocks)
search_kernel(Terms terms, search_params params, std::uint64_t* result)
{
  constexpr reduce_config cfg = Tuning{}(simt::arch);
  constexpr unsigned head_blocks = search_head_blocks(simt::arch);
  static_assert(head_blocks <= simt::warp_lanes, "one warp reads the slots of the head");
  static_assert(head_blocks < search_headless_tiles(simt::arch) && search_headless_tiles(simt::arch) <= cfg.max_blocks,
                "an input with a head has tiles behind it, and one without has one for each block");
  static_assert(head_blocks + cfg.max_blocks <= cfg.block_threads && cfg.small_grid_max_blocks <= cfg.small_grid_threads,
                "one block folds the indices of all");
  static_assert(cfg.max_threads() <= 1024, "one warp folds the indices of all");

  simt::shared_memory memory;
  search_shared& shared = *memory.template array<search_shared>(1);
  const unsigned block = simt::block_index(), blocks = simt::grid_blocks(), others = blocks - 1;
  const bool is_last = block == others;
  simt::grid_dependency_wait(simt::unless(simt::fault::search_too_early));
  simt::trigger_dependent_launch();
  std::uint32_t epoch = 0;
  std::uint64_t used_words = 0;
  const unsigned knowing_threads = HasHead ? simt::warp_lanes : 1;
  if (others != 0 && (is_last || simt::thread_index() < knowing_threads))
  {
    epoch = last_launch_epoch(params.scratch.header) + 1;
    used_words = is_last ? simt::load_relaxed(&params.scratch.header->used_words) : 0;
  }

  search_block<Tuning, Terms> self(terms, params, shared);
  uninitialized<std::uint64_t> lowest;
  bool is_known = false;
  if (!HasHead || block < head_blocks)
  {
    lowest.construct(self.in_one_tile(block));
  }
  else
  {
    std::uint64_t last_drawn = ~std::uint64_t{0};
    lowest.construct(self.hit_in_head(epoch, last_drawn));
    is_known = lowest.get() != no_item;
    if (!is_known)
    {
      lowest.construct(self.behind_head(epoch, last_drawn));
    }
    else if (block == head_blocks && simt::thread_index() == 0)
    {
      store_result(result, lowest.get()); // no block reads terms any more
    }
  }
  std::uint64_t* const no_scratch = nullptr;
  lower_index op;
  block_fold(lowest, simt::block_threads(), shared.totals, no_scratch, op);
  if (!is_last)
  {
    if (simt::thread_index() == 0)
    {
      block_slots(params.scratch, epoch).publish(block, lowest.get());
    }
    return;
  }
  if (others != 0)
  {
    fold_all_slots<1>(block_slots(params.scratch, epoch), others, lowest, shared.block_totals, no_scratch, op);
  }
  if (simt::thread_index() == 0 && !is_known)
  {
    store_result(result, lowest.get() < params.items ? lowest.get() : params.items);
  }
  if (others != 0)
  {
    if (simt::thread_index() == 0)
    {
      retire_launch(params.scratch.header, epoch, search_slots(blocks) * slot_traits<std::uint64_t>::words, used_words);
    }
    if (is_last_epoch(epoch) && simt::warp_index() == 0)
    {
      clear_words(params.scratch);
    }
  }
}

} // namespace detail
REHEAT_NAMESPACE_END

// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! A warp's work in an ordered reduction. The items of a tile that belong to the warp are a *warp tile*. They pass through
//! shared memory, from which each lane reads neighbouring items. kernel.cuh says how they associate.
#pragma once

#include <reheat/detail/block/tile.cuh>
#include <reheat/detail/config.cuh>
#include <reheat/detail/reduce/tuning.cuh>
#include <reheat/detail/simt/simt.cuh>
#include <reheat/detail/thread/items.cuh>
#include <reheat/detail/thread/pairwise.cuh>
#include <reheat/detail/thread/value.cuh>
#include <reheat/detail/warp/fold.cuh>

#include <cstdint>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

template <class Tuning, class InputIt, class Accum, class Op>
class ordered_fold
{
  static constexpr reduce_config cfg = Tuning{}(simt::arch);
  static constexpr unsigned items_per_thread = cfg.items_per_thread;
  // A warp tile.
  static constexpr unsigned warp_tile_items = 32 * items_per_thread;
  static constexpr unsigned warp_tile_vectors = static_cast<unsigned>(warp_tile_items * sizeof(Accum) / 16);
  static constexpr unsigned max_turns = 8; // vectors that a lane has in flight
  static constexpr unsigned warp_tile_turns =
      moves_in_vec16_v<InputIt, Accum> && warp_tile_vectors <= 32 * max_turns ? (warp_tile_vectors + 31) / 32 : 0;

  // One level less than in commutative_fold: a warp has at most 1600 warp tiles of 4 GB, and registers do not hold four
  // levels.
  using warp_tiles_fold = pairwise_accumulator<Accum, 3>;

public:
  //! `tile` is memory for a tile. `scratch` belongs to the warp.
  REHEAT_DEVICE ordered_fold(InputIt in, bool aligned, std::uint64_t items, Op& op, Accum* tile, Accum* scratch)
      : in_(in), aligned_(aligned), items_(items), op_(op), warp_tile_(tile + simt::warp_index() * warp_tile_items),
        scratch_(scratch)
  {}

  //! The number of the input's warp tiles.
  REHEAT_DEVICE std::uint64_t warp_tiles() const { return (items_ + warp_tile_items - 1) / warp_tile_items; }

  //! Lane 0 gets the fold of the warp tile in tile `tile`, whose blocks have block_threads() threads. Returns how many
  //! warps have items; they are the first ones of the block.
  REHEAT_DEVICE unsigned fold_one(std::uint64_t tile, uninitialized<Accum>& value)
  {
    const unsigned warps = simt::block_threads() / 32;
    const std::uint64_t begin = tile * warps * warp_tile_items, left = items_ - begin;
    const unsigned before = simt::warp_index() * warp_tile_items;
    if (before < left)
    {
      const unsigned valid = load_warp_tile(begin + before);
      fold_warp_tile(valid, value, [] {});
    }
    const std::uint64_t with_items = (left + warp_tile_items - 1) / warp_tile_items;
    return with_items < warps ? static_cast<unsigned>(with_items) : warps;
  }

  //! Appends, in lane 0, the fold of the warp tiles [first, end), counted from item 0. There is at least one.
  REHEAT_DEVICE void fold_many(std::uint64_t first, std::uint64_t end, optional_accumulator<Accum>& fold)
  {
    warp_tiles_fold sum;
    push_warp_tiles(first * warp_tile_items, end - first, sum);
    if (simt::lane_index() == 0)
    {
      sum.total(fold, op_);
    }
  }

private:
  //! Pushes, in lane 0, the folds of up to `warp_tiles` warp tiles from item `first` on.
  REHEAT_DEVICE void push_warp_tiles(std::uint64_t first, std::uint64_t warp_tiles, warp_tiles_fold& sum)
  {
    if constexpr (warp_tile_turns != 0)
    {
      if (aligned_)
      {
        const std::uint64_t whole = first < items_ ? (items_ - first) / warp_tile_items : 0;
        const std::uint64_t last = first + (whole < warp_tiles ? whole : warp_tiles) * warp_tile_items;
        warp_tiles -= (last - first) / warp_tile_items;
        push_full_warp_tiles(first, last, sum);
        first = last;
      }
    }
    for (; warp_tiles > 0 && first < items_; --warp_tiles, first += warp_tile_items)
    {
      push_warp_tile(load_warp_tile(first), sum, [] {});
    }
  }

  //! Loads the warp tile from item `first` on, up to the input's end. Returns the number of items.
  REHEAT_DEVICE unsigned load_warp_tile(std::uint64_t first)
  {
    const std::uint64_t rest = items_ - first;
    const unsigned valid = rest < warp_tile_items ? static_cast<unsigned>(rest) : warp_tile_items;
    const bool too_far = simt::fault_active(simt::fault::reduce_past_end) && valid < warp_tile_items;
    load_tile<items_per_thread>(in_, aligned_, first, valid + (too_far ? 1 : 0), warp_tile_, simt::lane_index(), 32);
    return valid;
  }

  //! Pushes the full warp tiles from item `first` to item `last`, in 16-byte vectors. The next warp tile is
  //! loaded while one is folded.
  REHEAT_DEVICE void push_full_warp_tiles(std::uint64_t first, std::uint64_t last, warp_tiles_fold& sum)
  {
    vec16 coming[warp_tile_turns == 0 ? 1 : warp_tile_turns];
    const auto load = [&]
    {
      const auto* const source = reinterpret_cast<const vec16*>(in_ + first);
      REHEAT_UNROLL
      for (unsigned i = 0; i < warp_tile_turns; ++i)
      {
        if (i * 32 + simt::lane_index() < warp_tile_vectors)
        {
          coming[i] = source[i * 32 + simt::lane_index()];
        }
      }
      first += warp_tile_items;
    };
    bool more = first < last;
    if (more)
    {
      load();
    }
    while (more)
    {
      auto* const vectors_of_tile = reinterpret_cast<vec16*>(warp_tile_);
      REHEAT_UNROLL
      for (unsigned i = 0; i < warp_tile_turns; ++i)
      {
        if (i * 32 + simt::lane_index() < warp_tile_vectors)
        {
          vectors_of_tile[i * 32 + simt::lane_index()] = coming[i];
        }
      }
      more = first < last;
      push_warp_tile(warp_tile_items, sum,
                     [&]
                     {
                       if (more)
                       {
                         load();
                       }
                     });
    }
  }

  //! Pushes, in lane 0, the fold of the `valid` items of the warp tile in shared memory. Calls `meanwhile` first.
  template <class Meanwhile>
  REHEAT_DEVICE void push_warp_tile(unsigned valid, warp_tiles_fold& sum, Meanwhile meanwhile)
  {
    uninitialized<Accum> folded;
    fold_warp_tile(valid, folded, meanwhile);
    if (simt::lane_index() == 0)
    {
      sum.push(folded.get(), op_);
    }
    simt::sync_warp(simt::unless(simt::fault::skip_warp_tile_barrier)); // all lanes have read the warp tile
  }

  //! Lane 0 gets the fold of the `valid` items of the warp tile in shared memory. Calls `meanwhile` first.
  template <class Meanwhile>
  REHEAT_DEVICE void fold_warp_tile(unsigned valid, uninitialized<Accum>& value, Meanwhile meanwhile)
  {
    simt::sync_warp(simt::unless(simt::fault::skip_turn_barrier)); // all lanes have stored their items
    meanwhile();
    const unsigned before = simt::lane_index() * items_per_thread;
    const unsigned left = valid > before ? valid - before : 0;
    optional_accumulator<Accum> own;
    if constexpr (!walks_in_vec16_v<Accum, items_per_thread> && is_bitwise_copyable_v<Accum>)
    {
      // A constant count lets all reads overlap. One by one, the reads of 12-byte items take most of a warp tile's time.
      if (left >= items_per_thread)
      {
        REHEAT_UNROLL
        for (unsigned i = 0; i < items_per_thread; ++i)
        {
          own.append(warp_tile_[before + i], op_);
        }
      }
    }
    if (!own.has)
    {
      walk_items<false, items_per_thread>(warp_tile_ + before, left < items_per_thread ? left : items_per_thread,
                                          [&](const Accum& item, unsigned) { own.append(item, op_); });
    }
    const unsigned lanes = (valid + items_per_thread - 1) / items_per_thread;
    const bool one_more = simt::fault_active(simt::fault::one_thread_more) && lanes < 32;
    warp_fold(own.value, lanes + (one_more ? 1 : 0), op_, scratch_);
    if (simt::lane_index() == 0)
    {
      value.construct(own.value.get());
    }
  }

  InputIt in_;
  bool aligned_;
  std::uint64_t items_;
  Op& op_;
  Accum* warp_tile_; //!< in shared memory
  Accum* scratch_;
};

} // namespace detail
REHEAT_NAMESPACE_END

// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The partitions of spread keys (plan.cuh), which are not stable: by their high bits, and then, among those with the same
//! high bits, by the low ones. Keys of a bucket lie together then.
//!
//! A block counts the keys of a tile in counters of each digit and lane, so that additions wait for no other lane. What they
//! return ranks the keys. An addition in global memory reserves room in each digit's bucket for the tile's keys, which are
//! sorted in shared memory and leave in runs. Blocks take turns at tiles. Tiles of the second partition have keys with the
//! same high bits.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/simt/simt.cuh>
#include <reheat/detail/sort/digits.cuh>
#include <reheat/detail/sort/histogram.cuh>
#include <reheat/detail/sort/plan.cuh>
#include <reheat/detail/sort/ranks.cuh>
#include <reheat/detail/sort/tuning.cuh>
#include <reheat/detail/thread/items.cuh>

#include <cstdint>
#include <cstring>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

//! Threads below Digits + 1 store where the first of `digits` parts begins, and where the last one ends: sums of
//! `size_of(part)`. All threads call, and a barrier follows.
template <unsigned Digits, class SizeOf>
REHEAT_DEVICE void store_begins(std::uint32_t* begins, unsigned digits, std::uint32_t* totals, SizeOf size_of)
{
  const unsigned part = simt::thread_index();
  const std::uint32_t size = part < digits ? size_of(part) : 0;
  const std::uint32_t begin = sort_block_sums<Digits>(size, totals, simt::fault::sort_skip_parts_barrier);
  if (part < digits)
  {
    begins[part] = begin;
  }
  if (part + 1 == digits)
  {
    begins[digits] = begin + size;
  }
}

//! What a block knows of its tile, in shared memory.
template <class Word>
struct sort_partition_tile
{
  const Word* in;
  Word* out;
  key_form<Word, false> form;
  sort_digit<Word> digit;
  std::uint32_t* next; //!< where the next key of each digit goes,
  bool from_digits;    //!< counted from the begin of the digit's keys, or else of the part
  std::uint32_t index;
  std::uint32_t first;
  std::uint32_t end; //!< of keys; there may be more of them than a tile has
  unsigned part;     //!< the high bits of these keys, if there are such
};

template <class Word>
struct sort_partition_shared
{
  Word* keys;              //!< sorted by their digit
  std::uint32_t* counters; //!< of each digit and lane: keys, then their places
  std::uint32_t* to;       //!< where the keys of each digit go, less their place in the tile
  std::uint32_t* begins;   //!< of keys with the same high bits
  std::uint32_t* tiles;    //!< the first tile of such keys
  sort_partition_tile<Word>* tile;
  std::uint32_t* totals;

  REHEAT_EXEC_CHECK_DISABLE
  template <class Memory>
  REHEAT_HOST_DEVICE sort_partition_shared(Memory& memory, const sort_config& cfg)
  {
    counters = memory.template array<std::uint32_t>(cfg.digits() * library::warp_lanes, 16);
    keys = memory.template array<Word>(staged_items(cfg.spread_threads * cfg.spread_items_per_thread));
    to = memory.template array<std::uint32_t>(cfg.digits());
    begins = memory.template array<std::uint32_t>(cfg.digits() + 1);
    tiles = memory.template array<std::uint32_t>(cfg.digits() + 1);
    tile = memory.template array<sort_partition_tile<Word>>(1);
    totals = memory.template array<std::uint32_t>(library::warp_lanes);
  }
};

template <class Tuning, class Word>
class sort_partition
{
  static constexpr sort_config cfg = Tuning{}(simt::arch);
  static constexpr unsigned threads = cfg.spread_threads, rows = cfg.spread_items_per_thread;
  static constexpr unsigned own_counters = cfg.digits() * simt::warp_lanes / threads, own_vectors = own_counters / 4;
  static constexpr unsigned digit_threads = simt::warp_lanes / own_counters; // that add up a digit's counters
  static_assert(own_counters % 4 == 0 && own_counters <= simt::warp_lanes && cfg.digits() <= threads);

public:
  static constexpr unsigned tile_items = threads * rows;
  using shared_type = sort_partition_shared<Word>;

  REHEAT_DEVICE sort_partition(shared_type& shared)
      : shared_(shared), digit_(shared.tile->digit), form_(shared.tile->form), first_(shared.tile->first),
        valid_(shared.tile->end - shared.tile->first)
  {}

  template <bool Whole>
  REHEAT_DEVICE void sort() const
  {
    const Word* const in = shared_.tile->in + first_ + simt::thread_index();
    simt::assume_global(in);
    Word key[rows];
    REHEAT_UNROLL
    for (unsigned row = 0; row < rows; ++row)
    {
      key[row] = has<Whole>(row) ? load_word(in + row * threads) : Word(0);
    }
    clear();
    simt::sync_block(simt::unless(simt::fault::sort_skip_partition_clear_barrier));
    key_ranks<rows> ranks;
    REHEAT_UNROLL
    for (unsigned row = 0; row < rows; ++row)
    {
      key[row] = form_.word_of(key[row]);
      ranks.set(row, simt::shared_add_of_warp(counter_of(key[row]), has<Whole>(row)));
    }
    simt::sync_block(simt::unless(simt::fault::sort_skip_partition_counts_barrier));
    make_places();
    simt::sync_block(simt::unless(simt::fault::sort_skip_partition_places_barrier));
    REHEAT_UNROLL
    for (unsigned row = 0; row < rows; ++row)
    {
      simt::compute_again_from(key[row]);
    }
    REHEAT_UNROLL
    for (unsigned row = 0; row < rows; ++row)
    {
      if (has<Whole>(row))
      {
        shared_.keys[staged_at(*counter_of(key[row]) + ranks.get(row))] = key[row];
      }
    }
    simt::sync_block(simt::unless(simt::fault::sort_skip_partition_sorted_barrier));
    Word* const out = shared_.tile->out;
    simt::assume_global(out);
    REHEAT_UNROLL
    for (unsigned row = 0; row < rows; ++row)
    {
      if (has<Whole>(row))
      {
        const Word word = shared_.keys[staged_at(simt::thread_index()) + row * staged_at(threads)];
        const std::uint32_t to = shared_.to[digit_(word)] + row * threads + simt::thread_index();
        store_word(out + to, form_.stored_of(word));
      }
    }
  }

private:
  template <bool Whole>
  REHEAT_DEVICE bool has(unsigned row) const
  {
    return Whole || row * threads + simt::thread_index() < valid_;
  }
  REHEAT_DEVICE std::uint32_t* counter_of(Word word) const
  {
    return shared_.counters + digit_(word) * simt::warp_lanes + simt::lane_index();
  }
  REHEAT_DEVICE void clear() const
  {
    REHEAT_UNROLL
    for (unsigned i = 0; i < own_vectors; ++i)
    {
      const std::uint32_t zeros[4] = {};
      put_vector(i * threads + simt::thread_index(), zeros);
    }
  }
  REHEAT_DEVICE void take_vector(unsigned at, std::uint32_t (&counter)[4]) const
  {
    const vec16 bits = reinterpret_cast<const vec16*>(shared_.counters)[at];
    memcpy(counter, &bits, sizeof bits);
  }
  REHEAT_DEVICE void put_vector(unsigned at, const std::uint32_t (&counter)[4]) const
  {
    vec16 bits;
    memcpy(&bits, counter, sizeof bits);
    reinterpret_cast<vec16*>(shared_.counters)[at] = bits;
  }
  //! The thread's i-th vector of counters. Neighbouring threads begin with different ones, lest they be in one bank.
  REHEAT_DEVICE static unsigned vector_at(unsigned i)
  {
    const unsigned thread = simt::thread_index();
    return thread * own_vectors + ((i + thread * own_vectors / 8) & (own_vectors - 1));
  }

  //! Turns counters into places in the sorted tile, and reserves room for the keys of each digit.
  REHEAT_DEVICE void make_places() const
  {
    std::uint32_t total = 0, counter[4];
    REHEAT_UNROLL
    for (unsigned i = 0; i < own_vectors; ++i)
    {
      take_vector(vector_at(i), counter);
      total += counter[0] + counter[1] + counter[2] + counter[3];
    }
    std::uint32_t of_digit = total;
    REHEAT_UNROLL
    for (unsigned distance = 1; distance < digit_threads; distance *= 2)
    {
      of_digit += simt::shuffle(of_digit, simt::lane_index() ^ distance);
    }
    const unsigned digit = simt::thread_index() / digit_threads;
    const bool reserves = simt::thread_index() % digit_threads == 0 && of_digit != 0;
    std::uint32_t room = 0;
    if (reserves)
    {
      room = simt::fetch_add_relaxed(shared_.tile->next + digit,
                                     simt::fault_active(simt::fault::sort_reserve_less) ? of_digit - 1 : of_digit);
      room += shared_.begins[shared_.tile->from_digits ? digit : shared_.tile->part];
    }
    std::uint32_t place = sort_block_sums<threads>(total, shared_.totals, simt::fault::sort_skip_partition_totals_barrier);
    if (reserves)
    {
      shared_.to[digit] = room - place;
    }
    REHEAT_UNROLL
    for (unsigned i = 0; i < own_vectors; ++i)
    {
      take_vector(vector_at(i), counter);
      REHEAT_UNROLL
      for (unsigned j = 0; j < 4; ++j)
      {
        const std::uint32_t keys = counter[j];
        counter[j] = place;
        place += keys;
      }
      put_vector(vector_at(i), counter);
    }
  }

  shared_type& shared_;
  sort_digit<Word> digit_;
  key_form<Word, false> form_;
  std::uint32_t first_;
  std::uint32_t valid_;
};

//! Partitions the block's tile. Not inlined: the loop around it would take registers from it.
template <class Tuning, class Word, bool Whole>
REHEAT_DEVICE REHEAT_OUT_OF_LINE_IN_KERNEL void sort_partition_tile_of()
{
  simt::shared_memory memory;
  sort_partition_shared<Word> shared(memory, Tuning{}(simt::arch));
  sort_partition<Tuning, Word>(shared).template sort<Whole>();
}

template <class Tuning, class Word>
REHEAT_DEVICE void partition_in_turns(const sort_pass_params<Word, no_values>& params, const sort_spread& spread,
                                      const key_form<Word, false>& form, bool is_first)
{
  constexpr sort_config cfg = Tuning{}(simt::arch);
  constexpr unsigned tile_items = sort_partition<Tuning, Word>::tile_items;
  simt::shared_memory memory;
  const sort_partition_shared<Word> shared(memory, cfg);
  simt::grid_dependency_wait(simt::unless(simt::fault::sort_too_early));
  simt::trigger_dependent_launch();
  const unsigned parts = 1u << spread.high, part = simt::thread_index();
  std::uint32_t* const bucket_bits = params.digits + bucket_bits_word(params.passes.count);
  if (!is_first)
  {
    if (*bucket_bits == 0 || simt::fault_active(simt::fault::sort_forget_spread))
    {
      return;
    }
  }
  else
  {
    const sort_spread_plan plan(params.passes, params.digits, cfg.spread_passes, log2_of(cfg.bins));
    if (!plan.spreads())
    {
      return;
    }
    if (simt::block_index() == 0 && part == 0)
    {
      *bucket_bits = plan.bucket_bits();
    }
  }
  const auto keys_of = [&](unsigned which) { return spread.totals[which]; };
  const auto tiles_of = [](std::uint32_t keys) { return (keys + tile_items - 1) / tile_items; };
  store_begins<cfg.digits()>(shared.begins, parts, shared.totals, keys_of);
  if (!is_first)
  {
    simt::sync_block(simt::unless(simt::fault::sort_skip_parts_again_barrier));
    store_begins<cfg.digits()>(shared.tiles, parts, shared.totals, [&](unsigned which) { return tiles_of(keys_of(which)); });
  }
  if (part == 0)
  {
    const bool to_out = (params.passes.rule == pass_rule::odd) == is_first;
    sort_partition_tile<Word>& tile = *shared.tile;
    tile.in = is_first ? params.in.keys : to_out ? params.spare.keys : params.out.keys;
    tile.out = to_out ? params.out.keys : params.spare.keys;
    tile.form = form;
    tile.digit = {params.passes.end_bit - (is_first ? spread.high : spread.bits),
                  (1u << (is_first ? spread.high : spread.low())) - 1};
    tile.from_digits = is_first;
    tile.index = simt::block_index();
  }
  for (;;)
  {
    simt::sync_block(simt::unless(simt::fault::sort_skip_partitioned_barrier));
    const std::uint32_t tile = shared.tile->index;
    if (tile >= (is_first ? tiles_of(static_cast<std::uint32_t>(params.items)) : shared.tiles[parts]))
    {
      return;
    }
    if (is_first ? part == 0 : part < parts && shared.tiles[part] <= tile && tile < shared.tiles[part + 1])
    {
      shared.tile->first = is_first ? tile * tile_items : shared.begins[part] + (tile - shared.tiles[part]) * tile_items;
      shared.tile->end = shared.begins[is_first ? parts : part + 1];
      shared.tile->part = part;
      shared.tile->next = is_first ? spread.taken : spread.places + (part << spread.low());
    }
    simt::sync_block(simt::unless(simt::fault::sort_skip_part_barrier));
    if (part == 0)
    {
      shared.tile->index = tile + simt::grid_blocks();
    }
    if (shared.tile->end - shared.tile->first >= tile_items)
    {
      sort_partition_tile_of<Tuning, Word, true>();
    }
    else
    {
      sort_partition_tile_of<Tuning, Word, false>();
    }
  }
}

//! Any number of blocks, which take turns at tiles.
template <class Tuning, class Word>
REHEAT_KERNEL(Tuning{}(simt::arch).spread_threads, 2)
sort_partition_kernel(sort_pass_params<Word, no_values> params, sort_spread spread, key_form<Word, false> form,
                      bool is_first)
{
  if constexpr (Tuning{}(simt::arch).spread_bits != 0) // else it is never launched
  {
    partition_in_turns<Tuning>(params, spread, form, is_first);
  }
}

} // namespace detail
REHEAT_NAMESPACE_END

// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The partitions of spread keys (plan.cuh), which are not stable: by their high bits, and then, among those with the same
//! high bits, by the low ones. Keys of a bucket lie together then.
//!
//! A block counts the keys of a tile in counters of each digit and lane, so that additions wait for no other lane. What they
//! return ranks the keys. An addition in global memory reserves room in each digit's bucket for the tile's keys, which are
//! sorted in shared memory and leave in runs. The block's next tile is loaded meanwhile, or behind that if runs are short.
//! Blocks take turns at tiles. A tile of the second partition has keys with the same high bits.
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
  std::uint32_t* next; //!< where the next key of each digit of each part goes,
  unsigned part_bits;  //!< of a digit there,
  unsigned parts;
  bool from_digits; //!< counted from the begin of the digit's keys, or else of the part
  std::uint32_t first;
  std::uint32_t end; //!< of keys; there may be more of them than a tile has
  unsigned part;     //!< the high bits of these keys; 0 in the first partition
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

  REHEAT_DEVICE explicit sort_partition(shared_type& shared)
      : shared_(shared), digit_(shared.tile->digit), form_(shared.tile->form), valid_(valid_of(*shared.tile)),
        thread_(simt::thread_index())
  {
    simt::compute_again_from(thread_); // else what threads' indices come to takes registers from one tile to the next
  }

  //! Stores in shared memory which keys `tile` has. All threads call, behind the last use of the tile before.
  REHEAT_DEVICE static void describe(const shared_type& shared, unsigned thread, unsigned tile)
  {
    sort_partition_tile<Word>& own = *shared.tile;
    if (own.from_digits ? thread == 0
                        : thread < own.parts && shared.tiles[thread] <= tile && tile < shared.tiles[thread + 1])
    {
      const unsigned part = own.from_digits ? 0 : thread;
      own.first = own.from_digits ? tile * tile_items : shared.begins[part] + (tile - shared.tiles[part]) * tile_items;
      own.end = shared.begins[own.from_digits ? own.parts : part + 1];
      own.part = part;
    }
  }
  //! Starts to load the keys of the tile that is described, and clears the counters. All threads call.
  REHEAT_DEVICE void start(Word (&key)[rows]) const
  {
    const unsigned valid = valid_of(*shared_.tile);
    const Word* const in = shared_.tile->in + shared_.tile->first + thread_;
    simt::assume_global(in);
    if (valid >= tile_items)
    {
      load<true>(in, valid, key);
    }
    else
    {
      load<false>(in, valid, key);
    }
    REHEAT_UNROLL
    for (unsigned i = 0; i < own_vectors; ++i)
    {
      const std::uint32_t zeros[4] = {};
      put_vector(i * threads + thread_, zeros);
    }
  }
  //! Partitions the tile, whose keys are `key`. Then `key` has those of the next one, which `describe_next` describes, if
  //! there is one. All threads call.
  template <class DescribeNext>
  REHEAT_DEVICE void sort(Word (&key)[rows], bool has_next, DescribeNext describe_next) const
  {
    if (valid_ >= tile_items)
    {
      sort_tile<true>(key, has_next, describe_next);
    }
    else
    {
      sort_tile<false>(key, has_next, describe_next);
    }
  }

  REHEAT_DEVICE unsigned thread() const { return thread_; }

private:
  static REHEAT_DEVICE unsigned valid_of(const sort_partition_tile<Word>& tile) { return tile.end - tile.first; }
  template <bool Whole>
  REHEAT_DEVICE void load(const Word* in, unsigned valid, Word (&key)[rows]) const
  {
    REHEAT_UNROLL
    for (unsigned row = 0; row < rows; ++row)
    {
      key[row] = Whole || row * threads + thread_ < valid ? load_word(in + row * threads) : Word(0);
    }
  }

  template <bool Whole, class DescribeNext>
  REHEAT_DEVICE void sort_tile(Word (&key)[rows], bool has_next, DescribeNext describe_next) const
  {
    simt::sync_block(simt::unless(simt::fault::sort_skip_partition_clear_barrier));
    key_ranks<rows> ranks;
    REHEAT_UNROLL
    for (unsigned row = 0; row < rows; ++row)
    {
      key[row] = form_.word_of(key[row]);
      ranks.set(row, simt::shared_add_of_warp(counter_of(key[row]), has<Whole>(row)));
    }
    simt::sync_block(simt::unless(simt::fault::sort_skip_partition_counts_barrier));
    const std::uint32_t to = make_places();
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
    if (thread_ % digit_threads == 0) // not before: the addition in global memory takes long
    {
      shared_.to[thread_ / digit_threads] = to;
    }
    describe_next();
    simt::sync_block(simt::unless(simt::fault::sort_skip_partition_sorted_barrier));
    if (has_next && loads_ahead())
    {
      start(key);
    }
    Word* const out = shared_.tile->out;
    simt::assume_global(out);
    REHEAT_UNROLL
    for (unsigned row = 0; row < rows; ++row)
    {
      if (has<Whole>(row))
      {
        const Word word = shared_.keys[staged_at(thread_) + row * staged_at(threads)];
        store_word(out + (shared_.to[digit_(word)] + row * threads + thread_), form_.stored_of(word));
      }
    }
    if (has_next && !loads_ahead())
    {
      start(key);
    }
  }
  //! Whether the next tile's keys come while this one leaves: not where it leaves in short runs.
  REHEAT_DEVICE bool loads_ahead() const { return tile_items * sizeof(Word) / (digit_.mask + 1) >= cfg.spread_ahead_bytes; }

  template <bool Whole>
  REHEAT_DEVICE bool has(unsigned row) const
  {
    return Whole || row * threads + thread_ < valid_;
  }
  REHEAT_DEVICE std::uint32_t* counter_of(Word word) const
  {
    return shared_.counters + digit_(word) * simt::warp_lanes + simt::lane_index();
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
  REHEAT_DEVICE unsigned vector_at(unsigned i) const
  {
    return thread_ * own_vectors + ((i + thread_ * own_vectors / 8) & (own_vectors - 1));
  }

  //! Turns counters into places in the sorted tile, and reserves room for the keys of each digit. Returns where those of the
  //! thread's digit go, less their place in the tile, to the first thread of a digit.
  REHEAT_DEVICE std::uint32_t make_places() const
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
    const unsigned digit = thread_ / digit_threads;
    std::uint32_t room = 0, begin = 0;
    if (thread_ % digit_threads == 0 && of_digit != 0)
    {
      const sort_partition_tile<Word>& tile = *shared_.tile;
      begin = shared_.begins[tile.from_digits ? digit : tile.part];
      room = simt::fetch_add_relaxed(tile.next + (tile.part << tile.part_bits) + digit,
                                     simt::fault_active(simt::fault::sort_reserve_less) ? of_digit - 1 : of_digit);
    }
    std::uint32_t place = sort_block_sums<threads>(total, shared_.totals, simt::fault::sort_skip_partition_totals_barrier);
    begin -= place;
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
    return room + begin;
  }

  shared_type& shared_;
  sort_digit<Word> digit_;
  key_form<Word, false> form_;
  std::uint32_t valid_;
  unsigned thread_;
};

//! Partitions the block's tiles: `tile`, which is described, and each `step`-th one behind it, below `tiles`. Not inlined:
//! what is in front would take registers from it.
template <class Tuning, class Word>
REHEAT_DEVICE REHEAT_OUT_OF_LINE_IN_KERNEL void sort_partition_tiles(unsigned tile, unsigned tiles, unsigned step)
{
  using partition = sort_partition<Tuning, Word>;
  simt::shared_memory memory;
  sort_partition_shared<Word> shared(memory, Tuning{}(simt::arch));
  Word key[Tuning{}(simt::arch).spread_items_per_thread];
  partition(shared).start(key);
  REHEAT_NO_UNROLL
  for (bool has_next = true; has_next; tile += step)
  {
    has_next = tiles - tile > step;
    const partition self(shared);
    self.sort(key, has_next,
              [&]
              {
                if (has_next)
                {
                  partition::describe(shared, self.thread(), tile + step);
                }
              });
  }
}

template <class Tuning, class Word>
REHEAT_DEVICE void partition_in_turns(const sort_pass_params<Word, no_values>& params, const sort_spread& spread,
                                      const key_form<Word, false>& form, bool is_first)
{
  constexpr sort_config cfg = Tuning{}(simt::arch);
  constexpr unsigned tile_items = sort_partition<Tuning, Word>::tile_items;
  simt::shared_memory memory;
  sort_partition_shared<Word> shared(memory, cfg);
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
    tile.next = is_first ? spread.taken : spread.places;
    tile.part_bits = spread.low();
    tile.parts = parts;
    tile.from_digits = is_first;
  }
  simt::sync_block(simt::unless(simt::fault::sort_skip_partitioned_barrier));
  const unsigned tile = simt::block_index();
  const unsigned tiles = is_first ? tiles_of(static_cast<std::uint32_t>(params.items)) : shared.tiles[parts];
  if (tile >= tiles)
  {
    return;
  }
  sort_partition<Tuning, Word>::describe(shared, part, tile);
  simt::sync_block(simt::unless(simt::fault::sort_skip_part_barrier));
  sort_partition_tiles<Tuning, Word>(tile, tiles, simt::grid_blocks());
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

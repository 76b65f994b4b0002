// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The sort of some 2^13 to 2^20 integers in two launches, by buckets of equal ranges of keys. Look-back, counts of all keys
//! and memory that has been cleared are not needed.
//!
//! The first launch. Each block takes the same sample of all keys. From its lowest and highest key it works out the range of
//! each bucket, and it sees whether a bucket would be too large; then the launch does nothing. Otherwise each block sorts a
//! tile by buckets, in any order within one, stores it in spare memory, and in a table where each bucket begins in the tile.
//!
//! The second launch. A block sums up where its bucket begins in all tiles, which is where the bucket begins in the output,
//! loads the bucket's keys from all tiles, and sorts them as one_block.cuh does. If they are too many, it says so, and the
//! launches behind these two sort all keys (histogram.cuh), which are in spare memory then. Otherwise those do nothing.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/simt/simt.cuh>
#include <reheat/detail/sort/digits.cuh>
#include <reheat/detail/sort/histogram.cuh>
#include <reheat/detail/sort/one_block.cuh>
#include <reheat/detail/sort/plan.cuh>
#include <reheat/detail/sort/ranks.cuh>
#include <reheat/detail/sort/spread_buckets.cuh>
#include <reheat/detail/sort/tuning.cuh>

#include <cstdint>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

//! Equal ranges of words, one behind the other. Words below all ranges are in the first one, and those above in the last
//! one.
template <class Word>
struct sort_ranges
{
  static constexpr unsigned fraction_bits = 19; // of 4096 ranges, products have 31 bits more than a step has
  Word low;                                     //!< the first word of the first range
  Word reach;                                   //!< from there to the last word of the last range
  unsigned shift;
  std::uint32_t factor;

  //! `count` ranges, at most 4096, of the words from `first` to `last`.
  REHEAT_DEVICE static sort_ranges between(Word first, Word last, unsigned count)
  {
    sort_ranges result;
    result.low = first;
    result.reach = static_cast<Word>(last - first);
    const unsigned bits = result.reach == 0 ? 0 : highest_bit(result.reach) + 1;
    result.shift = bits > fraction_bits ? bits - fraction_bits : 0;
    const std::uint32_t steps = static_cast<std::uint32_t>(result.reach >> result.shift) + 1;
    result.factor = steps < count ? 1u << fraction_bits : (count << fraction_bits) / steps;
    return result;
  }
  //! Of a sample's lowest to its highest word, and of some below and above: a sample of 1024 has no word in the last 256th
  //! once in 50 times.
  REHEAT_DEVICE static sort_ranges around(Word lowest, Word highest, unsigned count)
  {
    const Word beyond = static_cast<Word>((highest - lowest) / 256), top = static_cast<Word>(~Word(0));
    return between(lowest > beyond ? static_cast<Word>(lowest - beyond) : Word(0),
                   highest < top - beyond ? static_cast<Word>(highest + beyond) : top, count);
  }
  REHEAT_DEVICE unsigned operator()(Word word) const
  {
    const Word above = word > low ? static_cast<Word>(word - low) : Word(0);
    const Word inside = above < reach ? above : reach;
    return static_cast<unsigned>(std::uint64_t{static_cast<std::uint32_t>(inside >> shift)} * factor >> fraction_bits);
  }
  //! The first word of a range.
  REHEAT_DEVICE Word first_of(unsigned range) const
  {
    const std::uint32_t step = ((range << fraction_bits) + factor - 1) / factor;
    return static_cast<Word>(low + (Word{step} << shift));
  }
  REHEAT_DEVICE Word last() const { return static_cast<Word>(low + reach); }
};

template <class Word>
struct sort_ranges_params
{
  const Word* in;
  Word* tiles; //!< sorted by buckets
  Word* out;
  std::uint32_t items;
  unsigned tile_rows; //!< of all threads
  unsigned tile_count;
  unsigned buckets;
  unsigned sample_max;       //!< keys of a sample that a bucket may have
  std::uint32_t* state;      //!< two words (ranges_word)
  sort_ranges<Word>* ranges; //!< as the first launch has them
  std::uint16_t* begins;     //!< of each bucket, and of the one behind the last, in each tile
  sort_passes passes;
};

template <class Word>
struct sort_ranges_shared
{
  Word* keys;              //!< sorted by buckets
  std::uint32_t* counters; //!< of each warp and bucket
  std::uint32_t* sample;   //!< keys of each bucket
  Word* lowest;            //!< of each warp's sample
  Word* highest;
  std::uint32_t* totals;
  std::uint32_t* crowded; //!< warps that have found too many keys in a bucket

  REHEAT_EXEC_CHECK_DISABLE
  template <class Memory>
  REHEAT_HOST_DEVICE sort_ranges_shared(Memory& memory, const sort_config& cfg, unsigned tile_rows)
  {
    const unsigned warps = cfg.range_threads / library::warp_lanes;
    counters = memory.template array<std::uint32_t>(warps * cfg.digits(), 16);
    keys = memory.template array<Word>(staged_items(cfg.range_threads * tile_rows));
    sample = memory.template array<std::uint32_t>(cfg.digits());
    lowest = memory.template array<Word>(warps);
    highest = memory.template array<Word>(warps);
    totals = memory.template array<std::uint32_t>(library::warp_lanes);
    crowded = memory.template array<std::uint32_t>(1);
  }
};

//! The i-th of `count` keys of a sample is here: anywhere in the i-th part of the keys.
REHEAT_DEVICE inline std::uint32_t sample_place(unsigned i, unsigned count, std::uint32_t items)
{
  const std::uint32_t part = items / count;
  return i * part + (i * 2654435761u >> 12) % part;
}

template <class Tuning, class Word>
REHEAT_DEVICE void sort_tile_by_ranges(const sort_ranges_params<Word>& params, const key_form<Word, false>& form)
{
  constexpr sort_config cfg = Tuning{}(simt::arch);
  constexpr unsigned threads = cfg.range_threads, warps = threads / simt::warp_lanes, digits = cfg.digits();
  constexpr unsigned rows_max = cfg.range_items_per_thread;
  static_assert(threads * rows_max <= 65535, "places in a tile have 16 bits");
  static_assert(digits < threads, "a thread for each bucket and for the one behind the last");
  simt::shared_memory memory;
  sort_ranges_shared<Word> shared(memory, cfg, params.tile_rows);
  const unsigned thread = simt::thread_index(), tile = simt::block_index();
  const std::uint32_t tile_items = threads * params.tile_rows, first = tile * tile_items;
  const unsigned valid = params.items - first < tile_items ? params.items - first : tile_items;
  for (unsigned i = thread; i < warps * digits; i += threads)
  {
    shared.counters[i] = 0;
  }
  if (thread < digits)
  {
    shared.sample[thread] = 0;
  }
  if (thread == 0)
  {
    *shared.crowded = 0;
  }
  simt::grid_dependency_wait(simt::unless(simt::fault::sort_too_early));
  simt::trigger_dependent_launch();

  // The sample, and the tile's keys, which come meanwhile.
  constexpr unsigned own_sample = 2;
  Word sampled[own_sample];
  REHEAT_UNROLL
  for (unsigned i = 0; i < own_sample; ++i)
  {
    sampled[i] = load_word(params.in + sample_place(i * threads + thread, own_sample * threads, params.items));
  }
  const warp_rows<false> own(valid, params.tile_rows);
  Word key[rows_max];
  for_rows<rows_max>(params.tile_rows, [&](unsigned row)
                     { key[row] = own.has(row) ? load_word(params.in + first + own.place(row)) : Word(0); });
  Word lowest = static_cast<Word>(~Word(0)), highest = 0;
  REHEAT_UNROLL
  for (unsigned i = 0; i < own_sample; ++i)
  {
    sampled[i] = form.word_of(sampled[i]);
    lowest = lowest < sampled[i] ? lowest : sampled[i];
    highest = highest < sampled[i] ? sampled[i] : highest;
  }
  REHEAT_UNROLL
  for (unsigned distance = simt::warp_lanes / 2; distance != 0; distance /= 2)
  {
    const Word other_low = simt::shuffle(lowest, simt::lane_index() ^ distance);
    const Word other_high = simt::shuffle(highest, simt::lane_index() ^ distance);
    lowest = lowest < other_low ? lowest : other_low;
    highest = highest < other_high ? other_high : highest;
  }
  if (simt::lane_index() == 0)
  {
    shared.lowest[simt::warp_index()] = lowest;
    shared.highest[simt::warp_index()] = highest;
  }
  simt::sync_block(simt::unless(simt::fault::sort_ranges_skip_ends_barrier));
  REHEAT_UNROLL
  for (unsigned warp = 0; warp < warps; ++warp)
  {
    lowest = lowest < shared.lowest[warp] ? lowest : shared.lowest[warp];
    highest = highest < shared.highest[warp] ? shared.highest[warp] : highest;
  }
  const sort_ranges<Word> ranges = sort_ranges<Word>::around(lowest, highest, params.buckets);
  bool is_crowded = false;
  REHEAT_UNROLL
  for (unsigned i = 0; i < own_sample; ++i)
  {
    is_crowded |= simt::shared_add_of_warp(shared.sample + ranges(sampled[i]), true) >= params.sample_max;
  }
  if (simt::any(is_crowded) && simt::lane_index() == 0)
  {
    simt::shared_add(shared.crowded, 1u);
  }
  simt::sync_block(simt::unless(simt::fault::sort_ranges_skip_sample_barrier));
  const bool goes = *shared.crowded == 0;
  if (tile == 0 && thread == 0)
  {
    params.state[0] = goes ? 1 : 0;
    params.state[1] = 0;
    *params.ranges = ranges;
  }
  if (!goes)
  {
    return;
  }

  // The tile: ranks of keys among those of their warp and bucket.
  std::uint32_t* const counters = shared.counters + simt::warp_index() * digits;
  key_ranks<rows_max> ranks;
  for_rows<rows_max>(params.tile_rows,
                     [&](unsigned row)
                     {
                       key[row] = form.word_of(key[row]);
                       ranks.set(row, simt::shared_add_of_warp(counters + ranges(key[row]), own.has(row)));
                     });
  simt::sync_block(simt::unless(simt::fault::sort_ranges_skip_counts_barrier));
  const unsigned begin = places_of_counters<warps, digits>(shared.counters, shared.totals, [](unsigned) {});
  if (thread <= params.buckets)
  {
    params.begins[thread * params.tile_count + tile] = static_cast<std::uint16_t>(thread < digits ? begin : valid);
  }
  simt::sync_block(simt::unless(simt::fault::sort_ranges_skip_places_barrier));
  for_rows<rows_max>(params.tile_rows,
                     [&](unsigned row)
                     {
                       if (own.has(row))
                       {
                         shared.keys[staged_at(counters[ranges(key[row])] + ranks.get(row))] = key[row];
                       }
                     });
  simt::sync_block(simt::unless(simt::fault::sort_ranges_skip_sorted_barrier));
  for_rows<rows_max>(params.tile_rows,
                     [&](unsigned row)
                     {
                       const unsigned place = row * threads + thread;
                       if (place < valid)
                       {
                         store_word(params.tiles + first + place, form.stored_of(shared.keys[staged_at(place)]));
                       }
                     });
}

//! Words of a bucket, less the first word of its range: so those of a range that holds a multiple of a large power of two do
//! not differ in high bits.
template <class Word>
struct range_form
{
  static constexpr Word sign = key_form<Word, false>::sign;
  key_form<Word, false> form;
  Word begin;

  REHEAT_DEVICE Word word_of(Word stored) const { return static_cast<Word>(form.word_of(stored) - begin); }
  REHEAT_DEVICE Word stored_of(Word word) const { return form.stored_of(static_cast<Word>(word + begin)); }
  REHEAT_DEVICE static Word sorted_by(Word word) { return word; }
};

//! A bucket's keys in the tiles.
template <class Word>
struct sort_runs
{
  const Word* tiles;
  std::uint32_t tile_items;
  unsigned tile_count;
  const std::uint16_t* to;   //!< where the keys of each tile go
  const std::uint16_t* from; //!< where they are in their tile

  //! As sort_staged_keys::load. Rows look for their tiles together, so that loads overlap.
  template <unsigned Rows, class Has, class PlaceOf>
  REHEAT_DEVICE void load(Word (&word)[Rows], Has has, PlaceOf place_of) const
  {
    simt::assume_shared(to);
    simt::assume_shared(from);
    unsigned tile[Rows];
    REHEAT_UNROLL
    for (unsigned row = 0; row < Rows; ++row)
    {
      tile[row] = 0;
    }
    REHEAT_NO_UNROLL
    for (unsigned step = 1u << simt::highest_one(tile_count); step != 0; step /= 2)
    {
      REHEAT_UNROLL
      for (unsigned row = 0; row < Rows; ++row)
      {
        const unsigned next = tile[row] + step;
        tile[row] = next < tile_count && to[next] <= place_of(row) ? next : tile[row];
      }
    }
    REHEAT_UNROLL
    for (unsigned row = 0; row < Rows; ++row)
    {
      const Word* const in = tiles + tile[row] * tile_items + from[tile[row]];
      simt::assume_global(in);
      word[row] = has(row) ? load_word(in + (place_of(row) - to[tile[row]])) : Word(0);
    }
  }
};

//! What a block knows of its bucket, in shared memory.
template <class Word>
struct sort_range_bucket
{
  using bins_type = sort_ranges<Word>;
  Word* out;
  key_form<Word, false> form;
  bins_type bins;
  sort_runs<Word> runs;
};

template <class Word>
struct sort_range_bucket_shared
{
  using bucket_type = sort_range_bucket<Word>;
  sort_one_block_shared<Word> one_block; //!< as in sort_spread_buckets_shared
  std::uint64_t* totals;
  bucket_type* bucket;
  std::uint32_t* crowded;
  std::uint16_t* to;
  std::uint16_t* from;

  REHEAT_EXEC_CHECK_DISABLE
  template <class Memory>
  REHEAT_HOST_DEVICE sort_range_bucket_shared(Memory& memory, const sort_config& cfg)
      : one_block(memory, cfg, cfg.bucket_items(), simt::warp_lanes,
                  windowed_at(cfg.bucket_items() + 2 * window_keys) - cfg.bucket_items()),
        totals(memory.template array<std::uint64_t>(library::warp_lanes + 1)), bucket(memory.template array<bucket_type>(1)),
        crowded(memory.template array<std::uint32_t>(1)),
        to(memory.template array<std::uint16_t>(cfg.one_block_threads + 1)),
        from(memory.template array<std::uint16_t>(cfg.one_block_threads))
  {}
};

//! Sorts a bucket of up to Rows keys a thread. With half as many rows, if they will do: rows that no key is in take as long
//! as others. NVIDIA H200, uniform u32 of 2^14, 2^16 and 2^18, us, with and without that: 9.7 and 12.4, 11.1 and 13.8, 13.8
//! and 18.3.
template <class Tuning, class Word, unsigned Rows = Tuning{}(simt::arch).bucket_items_per_thread>
REHEAT_DEVICE bool sort_range_bucket_in_rows(sort_range_bucket_shared<Word>& shared, std::uint32_t first,
                                             std::uint32_t items)
{
  constexpr unsigned half = (Rows + 1) / 2;
  if constexpr (half < Rows)
  {
    if (items <= half * Tuning{}(simt::arch).one_block_threads)
    {
      return sort_range_bucket_in_rows<Tuning, Word, half>(shared, first, items);
    }
  }
  return sort_spread_buckets<Tuning, Word, sort_range_bucket_shared<Word>, Rows>(shared, first, items)
      .sort(shared.bucket->runs, [] {});
}

template <class Tuning, class Word>
REHEAT_DEVICE void sort_range_bucket_of_block(const sort_ranges_params<Word>& params, const key_form<Word, false>& form)
{
  constexpr sort_config cfg = Tuning{}(simt::arch);
  constexpr unsigned threads = cfg.one_block_threads;
  simt::shared_memory memory;
  sort_range_bucket_shared<Word> shared(memory, cfg);
  const unsigned thread = simt::thread_index(), bucket = simt::block_index();
  simt::grid_dependency_wait(simt::unless(simt::fault::sort_too_early));
  simt::trigger_dependent_launch();
  const bool goes = params.state[0] != 0;
  // A thread has a tile; loads do not wait for the state, without which there may be anything.
  const bool has = thread < params.tile_count;
  const std::uint16_t* const begins = params.begins + bucket * params.tile_count + thread;
  const std::uint32_t begin = has ? begins[0] : 0, end = has ? begins[params.tile_count] : 0;
  if (!goes)
  {
    return;
  }
  const std::uint64_t own = std::uint64_t{begin} << 32 | (end - begin);
  const std::uint64_t before = sort_block_sums<threads>(own, shared.totals, simt::fault::sort_skip_parts_barrier);
  if (thread + 1 == threads)
  {
    shared.totals[simt::warp_lanes] = before + own;
  }
  if (has)
  {
    shared.to[thread] = static_cast<std::uint16_t>(before);
    shared.from[thread] = static_cast<std::uint16_t>(begin);
  }
  if (thread == 0)
  {
    const sort_ranges<Word> ranges = *params.ranges;
    const Word last = bucket + 1 == params.buckets ? ranges.last() : static_cast<Word>(ranges.first_of(bucket + 1) - 1);
    *shared.bucket = {
        params.out, form, sort_ranges<Word>::between(ranges.first_of(bucket), last, cfg.bins),
        sort_runs<Word>{params.tiles, cfg.range_threads * params.tile_rows, params.tile_count, shared.to, shared.from}};
  }
  simt::sync_block(simt::unless(simt::fault::sort_ranges_skip_runs_barrier));
  const std::uint64_t all = shared.totals[simt::warp_lanes];
  const auto items = static_cast<std::uint32_t>(all), first = static_cast<std::uint32_t>(all >> 32);
  if (items > cfg.bucket_items())
  {
    if (thread == 0)
    {
      simt::store_relaxed(params.state + 1, 1u);
    }
    return;
  }
  if (items == 0 || sort_range_bucket_in_rows<Tuning, Word>(shared, first, items))
  {
    return;
  }
  // Bins have too many keys; a barrier is behind the last question about them.
  const range_form<Word> own_form{form, bucket == 0 ? Word(0) : shared.bucket->bins.low};
  using sorter = sort_one_block<Tuning, Word, false, false, true, range_form<Word>>;
  sorter self(shared.one_block, own_form, items);
  sort_loaded_block<Word, no_values>(self, self.load_runs(shared.bucket->runs), {nullptr, nullptr},
                                     {params.out + first, nullptr}, params.passes);
}

//! The first launch. The grid has a block for each tile.
template <class Tuning, class Word>
REHEAT_KERNEL(Tuning{}(simt::arch).range_threads, 1)
sort_ranges_kernel(sort_ranges_params<Word> params, key_form<Word, false> form)
{
  if constexpr (Tuning{}(simt::arch).range_items_per_thread != 0) // else it is never launched
  {
    sort_tile_by_ranges<Tuning>(params, form);
  }
}

//! The second launch. The grid has a block for each bucket.
template <class Tuning, class Word>
REHEAT_KERNEL(Tuning{}(simt::arch).one_block_threads, Tuning{}(simt::arch).bucket_resident_blocks)
sort_range_buckets_kernel(sort_ranges_params<Word> params, key_form<Word, false> form)
{
  if constexpr (Tuning{}(simt::arch).range_items_per_thread != 0)
  {
    sort_range_bucket_of_block<Tuning>(params, form);
  }
}

} // namespace detail
REHEAT_NAMESPACE_END

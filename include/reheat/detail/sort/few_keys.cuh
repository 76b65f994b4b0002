// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Keys of few values: more blocks of the launch behind the histogram look for them, while others add up its counts.
//!
//! Each block looks at a sample of all keys, the same in each block. If the sample has many values, the block ends.
//! Otherwise it makes a table of the sample's values, and looks its keys up there. If the table has them all, the block adds
//! how many they are to a count of all blocks. If that comes to all keys, they have the sample's values and no others.
//!
//! Keys alone, sorted by all bits, then follow from how often each value occurs, which blocks count in their tables: the
//! first pass's launch writes them (few_values.cuh). Zeros of both signs are equal, and have to keep their order: a block
//! whose table has both adds nothing, and one whose table has one of them lacks the other.
//!
//! Beside values, digits may be left out. Two values differ first in some highest bit. The digits below the lowest such bit
//! are not needed.
//!
//! Threads put the keys of the sample into the table in rounds. In each round, one thread gets a place, and the other
//! threads that wanted this place look whether it has their key. The place of a value depends on their order, and so may
//! differ from block to block. Whether the sample has few values does not, nor does the rank of a value among all.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/simt/simt.cuh>
#include <reheat/detail/sort/digits.cuh>
#include <reheat/detail/sort/histogram.cuh>
#include <reheat/detail/sort/plan.cuh>
#include <reheat/detail/sort/tuning.cuh>
#include <reheat/detail/thread/items.cuh>

#include <cstdint>
#include <cstring>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

//! Keys of the sample.
REHEAT_HOST_DEVICE constexpr unsigned few_sample_of(const sort_config& cfg)
{
  return cfg.histogram_threads < 512 ? cfg.histogram_threads : 512;
}
//! How many first places of the table may be taken, at most. Values that share one count once.
REHEAT_HOST_DEVICE constexpr unsigned few_max_of(const sort_config& cfg)
{
  return few_sample_of(cfg) / 8;
}
//! Of these places, so many may have been wanted by one key of the sample: more say that many keys are of other values. 64
//! values of uniform frequency have two such places in 1 of 80 samples.
inline constexpr unsigned few_singles_max = 1;
inline constexpr unsigned few_rounds = 8; //!< places at which a key may be
//! Of a place's counter: a lane has one of its own.
inline constexpr unsigned few_copies_log2 = 5;
//! Counters of what threads find. 0: first places that are taken. 1: those of them that one key wanted. 2: reasons to add
//! nothing, which are keys that the table lacks, and zeros of both signs.
inline constexpr unsigned few_flags = 3;

//! The shared memory of a block of so many threads.
template <class Word, bool HasValues>
struct sort_few_shared
{
  static constexpr unsigned counters = HasValues ? 0 : few_places << few_copies_log2;
  std::uint32_t* counts;
  Word* keys;
  Word* differing;       //!< of each warp: in which bits values differ
  std::uint32_t* lowest; //!< of each warp: the lowest of the highest bits in which two values differ
  std::uint32_t* claims; //!< how many threads wanted a place
  std::uint32_t* ranks;  //!< of a place's value: how many are lower
  std::uint32_t* found;

  REHEAT_EXEC_CHECK_DISABLE
  template <class Memory>
  REHEAT_HOST_DEVICE sort_few_shared(Memory& memory, unsigned threads)
  {
    const unsigned warps = threads / library::warp_lanes;
    counts = memory.template array<std::uint32_t>(counters, 16);
    keys = memory.template array<Word>(few_places);
    differing = memory.template array<Word>(warps);
    lowest = memory.template array<std::uint32_t>(warps);
    claims = memory.template array<std::uint32_t>(few_places);
    ranks = memory.template array<std::uint32_t>(few_places);
    found = memory.template array<std::uint32_t>(few_flags);
  }
};

//! The places at which a key may be, one for each round.
template <class Word>
class few_places_of
{
public:
  REHEAT_DEVICE explicit few_places_of(Word key)
  {
    std::uint32_t hash = static_cast<std::uint32_t>(key);
    if constexpr (sizeof(Word) == 8)
    {
      hash += static_cast<std::uint32_t>(key >> 32) * 0x85ebca6bu;
    }
    hash *= 0x9e3779b1u;
    place_ = hash >> (32 - few_places_log2);
    step_ = hash >> (31 - 2 * few_places_log2) | 1;
  }
  REHEAT_DEVICE unsigned place() const { return place_; }
  REHEAT_DEVICE void next() { place_ = (place_ + step_) & (few_places - 1); }

private:
  unsigned place_;
  unsigned step_;
};

template <class Tuning, class Word, bool IsFloat, bool HasValues>
class sort_few_block
{
  static constexpr sort_config cfg = Tuning{}(simt::arch);
  static constexpr unsigned threads = 4 * cfg.digits(), warps = threads / simt::warp_lanes;
  static constexpr unsigned vector_keys = 16 / sizeof(Word), turn_keys = 4 * vector_keys, tile_items = threads * turn_keys;
  static constexpr unsigned sample = few_sample_of(cfg), values_max = few_max_of(cfg);
  static_assert(sample <= threads, "a thread has a key of the sample at most");

public:
  //! The block is number `index` of `blocks`.
  REHEAT_DEVICE sort_few_block(const Word* keys, const key_form<Word, IsFloat>& form, const sort_histogram_params& params,
                               const sort_few_shared<Word, HasValues>& shared, unsigned index, unsigned blocks)
      : keys_(keys), form_(form), params_(params), shared_(shared), index_(index), blocks_(blocks),
        sorting_(bits_between<Word>(params.passes.begin_bit, params.passes.end_bit))
  {}

  //! Whether the sample has few values. All threads call. The counters in `claims` and `found` are zeros.
  REHEAT_DEVICE bool are_few()
  {
    const unsigned thread = simt::thread_index() % sample;
    // One key of each share of the input, at a place of its own: keys may be sorted, or come again after so many.
    const std::uint64_t share = params_.items / sample;
    const std::uint64_t at = thread * share + ((thread * 0x9e3779b1u & 0xffffu) * share >> 16);
    sample_key_ = key_of(load_word(keys_ + at));
    is_left_ = simt::thread_index() < sample;
    const few_places_of<Word> places(sample_key_);
    take_place(places.place(), shared_.found);
    if (shared_.found[0] > values_max)
    {
      return false; // as with most keys
    }
    for (unsigned place = simt::thread_index(); place < few_places; place += threads)
    {
      if (shared_.claims[place] == 1)
      {
        simt::shared_add(shared_.found + 1, 1u);
      }
    }
    simt::sync_block(simt::unless(simt::fault::sort_skip_few_places_barrier));
    return shared_.found[1] <= few_singles_max;
  }

  //! Looks the block's keys up, and counts them. All threads call, after are_few().
  REHEAT_DEVICE void count_keys()
  {
    make_table();
    if constexpr (!HasValues)
    {
      rank_values();
    }
    else if (index_ == 0)
    {
      compare_values();
    }
    const std::uint64_t keys = count_tiles();
    simt::sync_block(simt::unless(simt::fault::sort_skip_few_added_barrier));
    if (shared_.found[2] != 0 && !simt::fault_active(simt::fault::sort_trust_few))
    {
      return;
    }
    if constexpr (!HasValues)
    {
      add_up();
    }
    if (simt::thread_index() == 0)
    {
      simt::fetch_add_relaxed(&params_.few->counted, keys);
      if (HasValues && index_ == 0)
      {
        params_.few->needless = needless_passes();
      }
    }
  }

private:
  //! What tells keys apart: beside values, the bits by which they are sorted; keys alone are sorted by all bits.
  REHEAT_DEVICE Word key_of(Word stored) const
  {
    const Word word = form_.word_of(stored);
    return HasValues ? static_cast<Word>(key_form<Word, IsFloat>::sorted_by(word) & sorting_) : word;
  }

  //! One of the threads whose key has no place yet gets the place, if it is free. All threads call. `taken`: null, or where
  //! places that somebody gets are counted.
  REHEAT_DEVICE void take_place(unsigned place, std::uint32_t* taken)
  {
    const bool gets_place = simt::shared_add_of_warp(shared_.claims + place, is_left_) == 0 && is_left_;
    if (gets_place)
    {
      shared_.keys[place] = sample_key_;
    }
    if (taken != nullptr)
    {
      const unsigned count = simt::count_ones(simt::ballot(gets_place));
      if (simt::lane_index() == 0 && count != 0)
      {
        simt::shared_add(taken, count);
      }
    }
    simt::sync_block(simt::unless(simt::fault::sort_skip_few_places_barrier));
    is_left_ = is_left_ && shared_.keys[place] != sample_key_;
  }
  REHEAT_DEVICE void make_table()
  {
    few_places_of<Word> places(sample_key_);
    REHEAT_NO_UNROLL
    for (unsigned round = 1; round < few_rounds; ++round)
    {
      places.next();
      take_place(places.place(), nullptr);
    }
    // Which value has no place depends on the order of threads, and so differs from block to block. Ranks have to be the
    // same in all blocks, and block 0 compares the values of its table for all: a table has all values of the sample.
    if (is_left_ && !simt::fault_active(simt::fault::sort_trust_few_places))
    {
      simt::shared_add(shared_.found + 2, 1u);
    }
    // Free places get the first key, so that keys which are looked up there are compared with one.
    for (unsigned place = simt::thread_index(); place < few_places; place += threads)
    {
      shared_.ranks[place] = 0;
      if (shared_.claims[place] == 0)
      {
        shared_.keys[place] = key_of(load_word(keys_));
      }
    }
    if constexpr (!HasValues)
    {
      for (unsigned i = simt::thread_index(); i < shared_.counters; i += threads)
      {
        shared_.counts[i] = 0;
      }
    }
    simt::sync_block(simt::unless(simt::fault::sort_skip_few_found_barrier));
  }

  //! A barrier makes ranks known.
  REHEAT_DEVICE void rank_values()
  {
    for (unsigned pair = simt::thread_index(); pair < few_places * few_places; pair += threads)
    {
      const unsigned place = pair / few_places, other = pair % few_places; // a warp has one place
      if (shared_.claims[place] == 0)
      {
        continue;
      }
      const Word own = shared_.keys[place], key = shared_.keys[other];
      const unsigned lower = simt::ballot(shared_.claims[other] != 0 && key < own);
      // Negative zero and zero are neighbours.
      const bool has_zeros =
          IsFloat && own == key_form<Word, IsFloat>::sign && shared_.claims[other] != 0 && key == static_cast<Word>(own - 1);
      if (has_zeros && !simt::fault_active(simt::fault::sort_trust_few_zeros))
      {
        simt::shared_add(shared_.found + 2, 1u);
      }
      if (simt::lane_index() == 0 && lower != 0)
      {
        simt::shared_add(shared_.ranks + place, simt::count_ones(lower));
      }
    }
  }
  //! Adds the counts of the block's table to those of all blocks.
  REHEAT_DEVICE void add_up()
  {
    constexpr unsigned copies = 1u << few_copies_log2;
    for (unsigned place = simt::thread_index(); place < few_places; place += threads)
    {
      std::uint32_t keys = 0;
      for (unsigned copy = 0; copy < copies; ++copy)
      {
        keys += shared_.counts[(place << few_copies_log2) + ((copy + place) & (copies - 1))];
      }
      const unsigned rank = shared_.ranks[place];
      if (keys != 0)
      {
        simt::fetch_add_relaxed(params_.few->totals + rank, std::uint64_t{keys});
      }
      if (index_ == 0 && shared_.claims[place] != 0)
      {
        params_.few->values[rank] = shared_.keys[place];
      }
    }
  }

  //! In which bits values differ, and which is the lowest of those in which two of them differ first: each warp leaves its
  //! part where a barrier makes it known.
  REHEAT_DEVICE void compare_values()
  {
    Word differing = 0;
    unsigned lowest = 8 * sizeof(Word);
    for (unsigned pair = simt::thread_index(); pair < few_places * few_places; pair += threads)
    {
      if (shared_.claims[pair / few_places] == 0)
      {
        continue; // a free place
      }
      const Word difference = static_cast<Word>(shared_.keys[pair / few_places] ^ shared_.keys[pair % few_places]);
      differing |= difference;
      const auto high = static_cast<std::uint32_t>(std::uint64_t{difference} >> 32);
      const unsigned highest =
          high != 0 ? 32 + simt::highest_one(high) : simt::highest_one(static_cast<std::uint32_t>(difference) | 1);
      lowest = difference != 0 && highest < lowest ? highest : lowest;
    }
    REHEAT_UNROLL
    for (unsigned distance = 1; distance < simt::warp_lanes; distance *= 2)
    {
      differing |= simt::shuffle(differing, simt::lane_index() ^ distance);
      const unsigned other = simt::shuffle(lowest, simt::lane_index() ^ distance);
      lowest = other < lowest ? other : lowest;
    }
    if (simt::lane_index() == 0)
    {
      shared_.differing[simt::warp_index()] = differing;
      shared_.lowest[simt::warp_index()] = lowest;
    }
  }
  //! The passes that are not needed, a bit for each.
  REHEAT_DEVICE std::uint32_t needless_passes() const
  {
    unsigned lowest = 8 * sizeof(Word);
    Word differing = 0;
    for (unsigned warp = 0; warp < warps; ++warp)
    {
      differing |= shared_.differing[warp];
      lowest = shared_.lowest[warp] < lowest ? shared_.lowest[warp] : lowest;
    }
    return differing == 0 ? 0 : (1u << (lowest - params_.passes.begin_bit) / cfg.digit_bits) - 1;
  }

  //! Returns how many keys the block has.
  REHEAT_DEVICE std::uint64_t count_tiles()
  {
    const std::uint64_t tiles = (params_.items + tile_items - 1) / tile_items;
    std::uint64_t keys = 0;
    for (std::uint64_t tile = index_; tile < tiles; tile += blocks_)
    {
      Word key[turn_keys];
      const unsigned valid = load(tile, key);
      count(key, valid);
      const std::uint64_t left = params_.items - tile * tile_items;
      keys += left < tile_items ? left : tile_items;
    }
    return keys;
  }
  //! Loads the thread's keys of a tile, and returns how many it has.
  REHEAT_DEVICE unsigned load(std::uint64_t tile, Word (&key)[turn_keys]) const
  {
    const std::uint64_t first = tile * tile_items, left = params_.items - first;
    if (reinterpret_cast<std::uintptr_t>(keys_) % 16 == 0 && left >= tile_items)
    {
      REHEAT_UNROLL
      for (unsigned i = 0; i < 4; ++i)
      {
        const vec16 bits = reinterpret_cast<const vec16*>(keys_ + first)[i * threads + simt::thread_index()];
        memcpy(key + i * vector_keys, &bits, sizeof bits);
      }
      return turn_keys;
    }
    unsigned valid = 0;
    REHEAT_UNROLL
    for (unsigned i = 0; i < turn_keys; ++i)
    {
      const unsigned at = i * threads + simt::thread_index();
      key[i] = at < left ? load_word(keys_ + first + at) : Word(0);
      valid += at < left ? 1 : 0;
    }
    return valid;
  }
  //! Counts the first `valid` keys of the thread.
  REHEAT_DEVICE void count(const Word (&key)[turn_keys], unsigned valid)
  {
    constexpr unsigned batch = 4; // keys whose loads overlap
    bool lacks_any = false;
    REHEAT_UNROLL
    for (unsigned first = 0; first < turn_keys; first += batch)
    {
      Word at_first[batch]; // what is at the first place of each key
      REHEAT_UNROLL
      for (unsigned i = 0; i < batch; ++i)
      {
        at_first[i] = shared_.keys[few_places_of<Word>(key_of(key[first + i])).place()];
      }
      REHEAT_UNROLL
      for (unsigned i = 0; i < batch; ++i)
      {
        const Word own = key_of(key[first + i]);
        few_places_of<Word> places(own);
        const bool has = first + i < valid && (at_first[i] == own || is_at_other_place(places, own));
        lacks_any |= first + i < valid && !has;
        if (!HasValues && has)
        {
          simt::shared_add(shared_.counts + (places.place() << few_copies_log2) + simt::lane_index(), 1u);
        }
      }
    }
    if (lacks_any)
    {
      simt::shared_add(shared_.found + 2, 1u);
    }
  }
  //! Whether the table has a key at another place than the first. Then `places` is there.
  REHEAT_DEVICE bool is_at_other_place(few_places_of<Word>& places, Word key) const
  {
    REHEAT_NO_UNROLL
    for (unsigned round = 1; round < few_rounds; ++round)
    {
      places.next();
      if (shared_.keys[places.place()] == key)
      {
        return true;
      }
    }
    return false;
  }

  const Word* keys_;
  const key_form<Word, IsFloat>& form_;
  const sort_histogram_params& params_;
  const sort_few_shared<Word, HasValues>& shared_;
  unsigned index_;
  unsigned blocks_;
  Word sorting_;
  Word sample_key_ = 0;
  bool is_left_ = false;
};

//! What a block does that looks for few values: one from `first_block` on. All threads call.
template <class Tuning, class Word, bool IsFloat, bool HasValues>
REHEAT_DEVICE void look_for_few_values(simt::shared_memory& memory, const Word* keys, const key_form<Word, IsFloat>& form,
                                       const sort_histogram_params& params, unsigned first_block)
{
  constexpr unsigned threads = 4 * Tuning{}(simt::arch).digits();
  const sort_few_shared<Word, HasValues> shared(memory, threads);
  const unsigned thread = simt::thread_index();
  for (unsigned i = thread; i < few_places; i += threads)
  {
    shared.claims[i] = 0;
  }
  if (thread < few_flags)
  {
    shared.found[thread] = 0;
  }
  simt::sync_block(simt::unless(simt::fault::sort_skip_counters_barrier));
  simt::grid_dependency_wait(simt::unless(simt::fault::sort_too_early));
  simt::trigger_dependent_launch();
  if (params.has_ranges && sorted_by_ranges(params.found, params.passes.count))
  {
    return;
  }
  sort_few_block<Tuning, Word, IsFloat, HasValues> block(keys, form, params, shared, simt::block_index() - first_block,
                                                         simt::grid_blocks() - first_block);
  if (block.are_few())
  {
    block.count_keys();
  }
}

} // namespace detail
REHEAT_NAMESPACE_END

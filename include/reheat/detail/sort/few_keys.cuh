// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Keys of few values: they need fewer passes, and are counted faster. One launch in front of the histogram.
//!
//! Each block looks at a sample of all keys, the same in each block. If the sample has many values, the launch ends, and the
//! histogram counts digits. Otherwise the block makes a table of the sample's values, and counts its keys in the table, by
//! one addition in place of one for each digit. In the end it adds up the digits of the values, and stores what a block of
//! the histogram would have stored. The histogram has nothing to do then.
//!
//! A key that is not in the table is counted by its digits, and the block says so. If no block does, the table has all
//! values: block 0's has all of the sample, and those of other blocks have no others. Two values differ first in some
//! highest bit. The digits below the lowest such bit are not needed: passes by them are left out. (Keys without values are
//! their own witnesses in a pass, which takes all bits below to be sorted. So passes are left out only if one or two remain,
//! as many as memory asks for.)
//!
//! Threads put the keys of the sample into the table in rounds. In each round, one thread gets a place, and the other
//! threads that wanted this place look whether it has their key. The place of a value depends on their order. Whether the
//! sample has few values does not, so all blocks agree on that.
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

//! Keys of 2 bytes have two digits at most.
template <class Word>
inline constexpr bool may_be_few_v = sizeof(Word) == 4 || sizeof(Word) == 8;

//! Keys of the sample.
REHEAT_HOST_DEVICE constexpr unsigned few_sample_of(const sort_config& cfg)
{
  return cfg.histogram_threads < 512 ? cfg.histogram_threads : 512;
}
//! First places of values, at most: values of the same first place count once.
REHEAT_HOST_DEVICE constexpr unsigned few_max_of(const sort_config& cfg)
{
  return few_sample_of(cfg) / 8;
}
//! Of these places, so many may have been wanted by one key of the sample: more say that many keys are of other values. 64
//! values of uniform frequency have two such places in 1 of 80 samples.
inline constexpr unsigned few_singles_max = 1;
inline constexpr unsigned few_places_log2 = 8, few_places = 1u << few_places_log2;
inline constexpr unsigned few_rounds = 8; //!< places at which a key may be
//! Of a place's counter: a lane has one of its own.
inline constexpr unsigned few_copies_log2 = 5;
//! Words in which threads note what they find: how many first places there are, how many of them one key wanted, keys of the
//! block or of the sample that the table lacks, whether other bits differ, whether there are negative zeros.
inline constexpr unsigned few_flags = 5;

//! The shared memory of a block.
template <class Word>
struct sort_few_shared
{
  static constexpr unsigned counters = few_places << few_copies_log2;
  Word* keys;
  Word* bits;            //!< of each warp: which are set in one of its keys, which are clear in one; in which values differ
  std::uint32_t* lowest; //!< of each warp: the lowest of the highest bits in which two values differ
  std::uint32_t* claims; //!< how many threads wanted a place
  std::uint32_t* found;
  std::uint32_t* counts;
  std::uint32_t* digits;

  REHEAT_EXEC_CHECK_DISABLE
  template <class Memory>
  REHEAT_HOST_DEVICE sort_few_shared(Memory& memory, const sort_config& cfg, unsigned digit_counters)
  {
    const unsigned warps = cfg.histogram_threads / library::warp_lanes;
    counts = memory.template array<std::uint32_t>(counters, 16);
    digits = memory.template array<std::uint32_t>(digit_counters, 16);
    keys = memory.template array<Word>(few_places);
    bits = memory.template array<Word>(3 * warps);
    lowest = memory.template array<std::uint32_t>(warps);
    claims = memory.template array<std::uint32_t>(few_places);
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

template <class Tuning, class Word, bool IsFloat>
class sort_few_block
{
  static constexpr sort_config cfg = Tuning{}(simt::arch);
  static constexpr unsigned vector_keys = 16 / sizeof(Word), turn_keys = 4 * vector_keys;
  static constexpr unsigned tile_items = cfg.histogram_threads * turn_keys;
  static constexpr unsigned warps = cfg.histogram_threads / simt::warp_lanes;
  static constexpr unsigned sample = few_sample_of(cfg), values_max = few_max_of(cfg);

public:
  REHEAT_DEVICE sort_few_block(const Word* keys, const key_form<Word, IsFloat>& form, const sort_histogram_params& params,
                               const sort_few_shared<Word>& shared)
      : keys_(keys), form_(form), params_(params), shared_(shared),
        others_(params.compares_other_bits
                    ? static_cast<Word>(~bits_between<Word>(params.passes.begin_bit, params.passes.end_bit))
                    : Word(0))
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
    for (unsigned place = simt::thread_index(); place < few_places; place += cfg.histogram_threads)
    {
      if (shared_.claims[place] == 1)
      {
        simt::shared_add(shared_.found + 1, 1u);
      }
    }
    simt::sync_block(simt::unless(simt::fault::sort_skip_few_places_barrier));
    return shared_.found[1] <= few_singles_max;
  }

  //! Counts the block's keys, and stores the counts. All threads call, after are_few(); counters of digits are zeros.
  REHEAT_DEVICE void count_keys(bool has_values)
  {
    make_table();
    if (simt::block_index() == 0)
    {
      compare_values();
    }
    count_tiles();
    simt::sync_block(simt::unless(simt::fault::sort_skip_counts_barrier));
    add_values_to_digits();
    note_bits_of_warp<warps>(set_, clear_, shared_.bits);
    simt::sync_block(simt::unless(simt::fault::sort_skip_few_added_barrier));
    store(has_values);
  }

private:
  //! What tells keys apart: the bits by which they are sorted.
  REHEAT_DEVICE Word few_key(Word sorted_by) const { return static_cast<Word>(sorted_by & static_cast<Word>(~others_)); }
  REHEAT_DEVICE Word key_of(Word stored) const { return few_key(key_form<Word, IsFloat>::sorted_by(form_.word_of(stored))); }

  //! One of the threads whose key has no place yet gets the place. All threads call. `taken`: null, or where places that
  //! somebody gets are counted.
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
    // Which value has no place depends on the order of threads, and so differs from block to block. Block 0 compares the
    // values of its table for all blocks, so that has to have all values of the sample.
    if (is_left_ && !simt::fault_active(simt::fault::sort_trust_few_places))
    {
      simt::shared_add(shared_.found + 2, 1u);
    }
    // Free places get the first key, so that keys which are looked up there are compared with one.
    for (unsigned place = simt::thread_index(); place < few_places; place += cfg.histogram_threads)
    {
      if (shared_.claims[place] == 0)
      {
        shared_.keys[place] = key_of(load_word(keys_));
      }
    }
    for (unsigned i = simt::thread_index(); i < shared_.counters; i += cfg.histogram_threads)
    {
      shared_.counts[i] = 0;
    }
    simt::sync_block(simt::unless(simt::fault::sort_skip_few_found_barrier));
  }

  //! In which bits values differ, and which is the lowest of those in which two of them differ first: each warp leaves its
  //! part where a barrier makes it known.
  REHEAT_DEVICE void compare_values()
  {
    Word differing = 0;
    unsigned lowest = 8 * sizeof(Word);
    for (unsigned pair = simt::thread_index(); pair < few_places * few_places; pair += cfg.histogram_threads)
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
      shared_.bits[2 * warps + simt::warp_index()] = differing;
      shared_.lowest[simt::warp_index()] = lowest;
    }
  }
  //! How many of the lowest digits are not needed.
  REHEAT_DEVICE unsigned needless_digits(bool has_values) const
  {
    Word differing = 0;
    unsigned lowest = 8 * sizeof(Word);
    for (unsigned warp = 0; warp < warps; ++warp)
    {
      differing |= shared_.bits[2 * warps + warp];
      lowest = shared_.lowest[warp] < lowest ? shared_.lowest[warp] : lowest;
    }
    if (differing == 0)
    {
      return 0;
    }
    unsigned varying = 0;
    for (unsigned pass = 0; pass < params_.passes.count; ++pass)
    {
      varying |= (params_.passes.template digit<Word>(pass)(differing) != 0 ? 1u : 0u) << pass;
    }
    const unsigned first = (lowest - params_.passes.begin_bit) / cfg.digit_bits, below = varying & ((1u << first) - 1);
    const unsigned passes = simt::count_ones(varying ^ below);
    const pass_rule rule = params_.passes.rule;
    if (has_values || (passes == 1 && rule != pass_rule::even) || (passes == 2 && rule != pass_rule::odd))
    {
      return first;
    }
    return passes == 1 && below != 0 ? simt::highest_one(below) : 0;
  }

  REHEAT_DEVICE void count_tiles()
  {
    const Word first = params_.compares_other_bits ? load_word(keys_) : Word(0);
    const std::uint64_t tiles = (params_.items + tile_items - 1) / tile_items;
    bool differ = false, negative_zero = false;
    for (std::uint64_t tile = simt::block_index(); tile < tiles; tile += simt::grid_blocks())
    {
      Word key[turn_keys];
      const unsigned valid = load(tile, key);
      REHEAT_UNROLL
      for (unsigned i = 0; i < turn_keys; ++i)
      {
        differ |= i < valid && ((key[i] ^ first) & others_) != 0;
        const Word word = form_.word_of(key[i]);
        key[i] = form_.sorted_by(word);
        negative_zero |= IsFloat && i < valid && key[i] != word;
      }
      count(key, valid);
    }
    if (simt::any(differ) && simt::lane_index() == 0)
    {
      simt::shared_add(shared_.found + 3, 1u);
    }
    if (simt::any(negative_zero) && simt::lane_index() == 0)
    {
      simt::shared_add(shared_.found + 4, 1u);
    }
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
        const vec16 bits = reinterpret_cast<const vec16*>(keys_ + first)[i * cfg.histogram_threads + simt::thread_index()];
        memcpy(key + i * vector_keys, &bits, sizeof bits);
      }
      return turn_keys;
    }
    unsigned valid = 0;
    REHEAT_UNROLL
    for (unsigned i = 0; i < turn_keys; ++i)
    {
      const unsigned at = i * cfg.histogram_threads + simt::thread_index();
      key[i] = at < left ? load_word(keys_ + first + at) : Word(0);
      valid += at < left ? 1 : 0;
    }
    return valid;
  }
  //! Counts the first `valid` keys of the thread in the table, and keys that it does not have by their digits.
  REHEAT_DEVICE void count(const Word (&key)[turn_keys], unsigned valid)
  {
    constexpr unsigned batch = 4; // keys whose loads overlap
    REHEAT_UNROLL
    for (unsigned first = 0; first < turn_keys; first += batch)
    {
      Word at_first[batch]; // what is at the first place of each key
      REHEAT_UNROLL
      for (unsigned i = 0; i < batch; ++i)
      {
        at_first[i] = shared_.keys[few_places_of<Word>(few_key(key[first + i])).place()];
      }
      REHEAT_UNROLL
      for (unsigned i = 0; i < batch; ++i)
      {
        const Word own = few_key(key[first + i]);
        few_places_of<Word> places(own);
        if (first + i < valid && (at_first[i] == own || is_at_other_place(places, own)))
        {
          simt::shared_add(shared_.counts + (places.place() << few_copies_log2) + simt::lane_index(), 1u);
        }
        else if (first + i < valid)
        {
          simt::shared_add(shared_.found + 2, 1u);
          add_to_digits(own, 1);
        }
      }
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
  //! Adds so many equal keys to the counters of their digits, and notes their bits.
  REHEAT_DEVICE void add_to_digits(Word key, std::uint32_t keys)
  {
    set_ |= key;
    clear_ |= static_cast<Word>(~key);
    REHEAT_NO_UNROLL
    for (unsigned pass = 0; pass < params_.passes.count; ++pass)
    {
      simt::shared_add(shared_.digits + (pass << cfg.digit_bits | params_.passes.template digit<Word>(pass)(key)), keys);
    }
  }
  REHEAT_DEVICE void add_values_to_digits()
  {
    constexpr unsigned copies = 1u << few_copies_log2;
    for (unsigned place = simt::thread_index(); place < few_places; place += cfg.histogram_threads)
    {
      std::uint32_t keys = 0;
      for (unsigned copy = 0; copy < copies; ++copy)
      {
        keys += shared_.counts[(place << few_copies_log2) + ((copy + place) & (copies - 1))];
      }
      if (keys != 0)
      {
        add_to_digits(shared_.keys[place], keys);
      }
    }
  }
  REHEAT_DEVICE void store(bool has_values) const
  {
    const unsigned all = params_.flags_word(), thread = simt::thread_index();
    std::uint32_t* const own = params_.counts + std::uint64_t{simt::block_index()} * params_.block_words();
    for (unsigned i = thread; i < all; i += cfg.histogram_threads)
    {
      own[i] = shared_.digits[i];
    }
    if (thread == 0)
    {
      const bool has_all = shared_.found[2] == 0 || simt::fault_active(simt::fault::sort_trust_few);
      const unsigned needless = has_all && simt::block_index() == 0 ? needless_digits(has_values) : 0;
      own[all] = (shared_.found[3] != 0 ? other_bits_differ : 0) | (shared_.found[4] != 0 ? has_negative_zeros : 0) |
                 not_in_table | (has_all ? 0 : has_many_values) | needless << needless_digits_shift;
    }
    if (params_.bit_words != 0 && thread < 2)
    {
      Word bits = 0;
      for (unsigned warp = 0; warp < warps; ++warp)
      {
        bits |= shared_.bits[thread * warps + warp];
      }
      memcpy(own + all + 1 + thread * (sizeof(Word) / sizeof *own), &bits, sizeof bits);
    }
  }
  const Word* keys_;
  const key_form<Word, IsFloat>& form_;
  const sort_histogram_params& params_;
  const sort_few_shared<Word>& shared_;
  Word others_;
  Word sample_key_ = 0;
  Word set_ = 0;
  Word clear_ = 0;
  bool is_left_ = false;
};

//! `params` are the histogram's. The grid may be smaller: blocks that started late would do so for nothing, with most keys.
//! Says in the words of the sort by ranges whether it has done the histogram's work: no such sort is in the same call.
template <class Tuning, class Word, bool IsFloat>
REHEAT_KERNEL(Tuning{}(simt::arch).histogram_threads, 1)
sort_few_keys_kernel(const Word* keys, key_form<Word, IsFloat> form, sort_histogram_params params, bool has_values)
{
  constexpr sort_config cfg = Tuning{}(simt::arch);
  simt::shared_memory memory;
  const sort_few_shared<Word> shared(memory, cfg, params.flags_word());
  const unsigned thread = simt::thread_index();
  for (unsigned i = thread; i < params.flags_word(); i += cfg.histogram_threads)
  {
    shared.digits[i] = 0;
  }
  for (unsigned i = thread; i < few_places; i += cfg.histogram_threads)
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
  sort_few_block<Tuning, Word, IsFloat> block(keys, form, params, shared);
  const bool are_few = block.are_few();
  if (simt::block_index() == 0 && thread == 0)
  {
    std::uint32_t* const state = params.found + ranges_word(params.passes.count);
    state[0] = are_few ? 1 : 0;
    state[1] = 0;
    if (are_few && params.bit_words != 0)
    {
      params.found[params.passes.count + 1] = 0; // no bucket of spread keys is too large
    }
  }
  if (!are_few)
  {
    return;
  }
  clear_slots(params);
  block.count_keys(has_values);
}

} // namespace detail
REHEAT_NAMESPACE_END

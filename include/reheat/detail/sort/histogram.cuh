// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! How often each digit occurs, for all passes at once: two launches in front of the passes.
//!
//! The first one reads the keys once. Each block counts in shared memory, in several copies, one for a lane or a few of
//! them, lest lanes with equal digits wait for each other, and stores its counts. It also clears the slots of the passes,
//! how many tiles have been sorted if they are one launch, and the counts of few values (few_keys.cuh). If keys have been
//! sorted by ranges, both do nothing; if that has failed in place, the first brings the keys back. The second launch
//! (starts.cuh) adds up the blocks' counts, and scans them: where the first item of each digit goes. It finds what plan.cuh
//! asks for: which digits vary, and whether a block can hold the keys of each.
//!
//! Where spread keys would be partitioned, each block also counts the buckets, in a table, and from there the digits that
//! buckets have in common. Counters of the table have few bits, some in a word: one that runs over changes their sum. The
//! other digits are then counted in one tile of 16, which is enough to see that they are uneven. A block has no table if it
//! sees in a sample of all keys, the same in each block, that keys are not spread: lanes with keys of one bucket would wait
//! for each other. If keys turn out not to be spread although there were tables, two more launches count all digits.
//!
//! More blocks of the second launch look for keys of few values (few_keys.cuh).
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/simt/simt.cuh>
#include <reheat/detail/sort/digits.cuh>
#include <reheat/detail/sort/plan.cuh>
#include <reheat/detail/sort/tuning.cuh>
#include <reheat/detail/thread/items.cuh>

#include <cstdint>
#include <cstring>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

//! Lane i gets the sum of the values of lanes 0 to i. All lanes call.
template <class T>
REHEAT_DEVICE T sort_warp_sums(T value)
{
  REHEAT_UNROLL
  for (unsigned distance = 1; distance < simt::warp_lanes; distance *= 2)
  {
    const T below = simt::shuffle_up(value, distance);
    value += simt::lane_index() >= distance ? below : T(0);
  }
  return value;
}

//! Returns the sum of the values of lower threads, of which the first `Summing` have values. All threads of the block call;
//! others get nothing of use. `totals` has room for a warp, which nobody else uses.
template <unsigned Summing, class T>
REHEAT_DEVICE T sort_block_sums(T value, T* totals, simt::fault skipped)
{
  constexpr unsigned warps = (Summing + simt::warp_lanes - 1) / simt::warp_lanes;
  const T sums = sort_warp_sums(value);
  if (simt::lane_index() == simt::warp_lanes - 1 && simt::warp_index() < warps)
  {
    totals[simt::warp_index()] = sums;
  }
  simt::sync_block(simt::unless(skipped));
  const T total = simt::lane_index() < warps ? totals[simt::lane_index()] : T(0);
  return simt::shuffle(sort_warp_sums(total) - total, simt::warp_index()) + sums - value;
}

struct sort_histogram_params
{
  std::uint64_t items;
  sort_passes passes;
  unsigned copies_log2;
  unsigned copies_log2_with_table;
  bool compares_other_bits; //!< whether bits beside those of the digits differ between keys
  std::uint32_t* counts;    //!< of each block: one for each pass and digit, then what was found
  std::uint32_t* tables;    //!< of each block
  unsigned table_word_log2; //!< of how many counters a word of a table has
  std::uint32_t* found;     //!< found_words() of them
  std::uint64_t* slots;
  std::uint64_t slot_count;
  unsigned bucket_items; //!< that a block can hold; 0: no sort by buckets
  sort_spread spread;
  bool has_ranges;     //!< whether a sort by ranges (ranges.cuh) comes first
  unsigned bit_words;  //!< of each block: which bits are set in a key, and which are clear in one
  bool is_second;      //!< whether digits are counted only if they were sampled, and keys are not sorted as spread ones
  sort_few_found* few; //!< null: nobody looks for few values

  REHEAT_HOST_DEVICE unsigned flags_word() const { return passes.count << passes.digit_bits; }
  REHEAT_HOST_DEVICE unsigned block_words() const { return flags_word() + 1 + bit_words; }
  REHEAT_HOST_DEVICE unsigned table_words() const { return (1u << spread.bits) >> table_word_log2; }
  //! Passes whose digits a table leaves to be counted: those with a bit below those of buckets.
  REHEAT_HOST_DEVICE unsigned passes_beside_table() const
  {
    return (passes.end_bit - spread.bits + passes.digit_bits - 1) / passes.digit_bits;
  }
  //! Counters in shared memory.
  REHEAT_HOST_DEVICE unsigned counters() const
  {
    const unsigned alone = (passes.count << passes.digit_bits) << copies_log2;
    const unsigned beside = table_words() + ((passes_beside_table() << passes.digit_bits) << copies_log2_with_table);
    return spread.bits == 0 || alone > beside ? alone : beside;
  }
};

//! Clears the slots of the passes. All threads of the grid call.
REHEAT_DEVICE inline void clear_slots(const sort_histogram_params& params)
{
  const unsigned thread = simt::thread_index(), threads = simt::block_threads();
  for (std::uint64_t i = std::uint64_t{simt::block_index()} * threads + thread; i < params.slot_count;
       i += std::uint64_t{simt::grid_blocks()} * threads)
  {
    if (!simt::fault_active(simt::fault::sort_keep_slots))
    {
      params.slots[i] = 0;
    }
  }
}

//! Keys whose memory the sort by ranges has written, but that are also elsewhere, in another order.
template <class Word>
struct sort_moved_keys
{
  const Word* from;
  Word* to; //!< null: no such keys
};

//! Whether the sort by ranges has sorted the keys: then the histogram has nothing to do.
REHEAT_DEVICE inline bool sorted_by_ranges(const std::uint32_t* found, unsigned passes)
{
  const std::uint32_t* const state = found + ranges_word(passes);
  return state[0] != 0 && (state[1] == 0 || simt::fault_active(simt::fault::sort_ranges_any_bucket));
}

//! `set` and `clear`: which bits are set, and which are clear, in some key of the lane; afterwards, in some key of the warp.
//! Lane 0 stores both in `bits` of the block, and a barrier makes them known. All lanes call.
template <unsigned Warps, class Word>
REHEAT_DEVICE void note_bits_of_warp(Word& set, Word& clear, Word* bits)
{
  REHEAT_UNROLL
  for (unsigned distance = 1; distance < simt::warp_lanes; distance *= 2)
  {
    set |= simt::shuffle(set, simt::lane_index() ^ distance);
    clear |= simt::shuffle(clear, simt::lane_index() ^ distance);
  }
  if (simt::lane_index() == 0)
  {
    bits[simt::warp_index()] = set;
    bits[Warps + simt::warp_index()] = clear;
  }
}

//! A bucket's counter in its word of a table.
template <class Tuning>
REHEAT_DEVICE unsigned table_counter(std::uint32_t word, unsigned bucket)
{
  constexpr sort_config cfg = Tuning{}(simt::arch);
  constexpr unsigned word_counters = 1u << cfg.table_word_log2();
  return word >> bucket % word_counters * cfg.table_counter_bits & ((1u << cfg.table_counter_bits) - 1);
}

//! `MayBeSpread`: there may be a table.
template <class Tuning, class Word, bool IsFloat, bool MayBeSpread>
class sort_histogram_block
{
  static constexpr sort_config cfg = Tuning{}(simt::arch);
  static constexpr unsigned vector_keys = 16 / sizeof(Word), turn_keys = 4 * vector_keys;
  static constexpr unsigned word_counters = 1u << cfg.table_word_log2();
  static constexpr unsigned warps = cfg.histogram_threads / simt::warp_lanes;
  static constexpr unsigned sampled_tiles = 16; //!< beside a table, a block counts digits in one of so many tiles

public:
  static constexpr unsigned tile_items = cfg.histogram_threads * turn_keys;

  REHEAT_DEVICE sort_histogram_block(const Word* keys, const key_form<Word, IsFloat>& form,
                                     const sort_histogram_params& params, std::uint32_t* counters, std::uint32_t* found,
                                     Word* bits)
      : keys_(keys), form_(form), params_(params), counters_(counters), found_(found), bits_(bits),
        others_(params.compares_other_bits
                    ? static_cast<Word>(~bits_between<Word>(params.passes.begin_bit, params.passes.end_bit))
                    : Word(0)),
        first_(params.compares_other_bits ? load_word(keys) : Word(0))
  {}

  //! Counts the block's keys, and stores the counts. All threads call; the counters and what is found are zeros.
  REHEAT_DEVICE void count_keys()
  {
    if constexpr (MayBeSpread)
    {
      has_table_ = is_spread();
      clear(params_.table_words() + cfg.digits());
    }
    count_tiles();
    if (simt::any(differ_) && simt::lane_index() == 0)
    {
      simt::shared_add(found_, 1u);
    }
    if (simt::any(negative_zero_) && simt::lane_index() == 0)
    {
      simt::shared_add(found_ + 1, 1u);
    }
    if constexpr (MayBeSpread)
    {
      note_bits_of_warp<warps>(set_, clear_, bits_);
    }
    simt::sync_block(simt::unless(simt::fault::sort_skip_counts_barrier));
    store(has_table() && table_holds());
  }

private:
  REHEAT_DEVICE bool has_table() const { return MayBeSpread && has_table_; }
  REHEAT_DEVICE unsigned copies_log2() const { return has_table() ? params_.copies_log2_with_table : params_.copies_log2; }
  REHEAT_DEVICE unsigned counted_passes() const
  {
    return has_table() ? params_.passes_beside_table() : params_.passes.count;
  }
  //! Of digits, behind the table if there is one.
  REHEAT_DEVICE std::uint32_t* counts() const { return counters_ + (has_table() ? params_.table_words() : 0); }
  //! The bucket of a key.
  REHEAT_DEVICE unsigned bucket_of(Word sorted_by) const
  {
    return static_cast<unsigned>(sorted_by >> (params_.passes.end_bit - params_.spread.bits));
  }
  REHEAT_DEVICE void clear(unsigned counters)
  {
    for (unsigned i = simt::thread_index(); i < counters; i += cfg.histogram_threads)
    {
      counters_[i] = 0;
    }
    simt::sync_block(simt::unless(simt::fault::sort_skip_recleared_barrier));
  }

  //! Whether no two neighbouring buckets have a large share of a sample, nor one of the digits below those of buckets. The
  //! words of the table and of these digits are zeros; then they are used.
  REHEAT_DEVICE bool is_spread()
  {
    constexpr unsigned own_keys = 2, sample = own_keys * cfg.histogram_threads, slack = 6;
    const unsigned words = params_.table_words(), most = 4 * sample / words + slack, thread = simt::thread_index();
    const unsigned below = params_.passes.end_bit - params_.spread.bits;
    const std::uint64_t distance = params_.items / sample;
    std::uint32_t* const digits = counters_ + words;
    bool is_crowded = false;
    Word key[own_keys];
    REHEAT_UNROLL
    for (unsigned i = 0; i < own_keys; ++i)
    {
      key[i] = load_word(keys_ + (i * cfg.histogram_threads + thread) * distance);
    }
    REHEAT_UNROLL
    for (unsigned i = 0; i < own_keys; ++i)
    {
      const Word sorted_by = key_form<Word, IsFloat>::sorted_by(form_.word_of(key[i]));
      is_crowded |= simt::shared_add_of_warp(counters_ + bucket_of(sorted_by) / word_counters, true) >= most;
      const unsigned digit = static_cast<unsigned>(sorted_by >> (below - cfg.digit_bits)) & (cfg.digits() - 1);
      if (simt::shared_add_of_warp(digits + digit, true) == 0)
      {
        simt::shared_add(found_ + 4, 1u); // values of digits
      }
    }
    note(is_crowded);
    simt::sync_block();
    note(thread < cfg.digits() && digits[thread] > 4 * sample / found_[4] + slack);
    simt::sync_block(simt::unless(simt::fault::sort_skip_sample_barrier));
    return found_[2] == 0;
  }
  REHEAT_DEVICE void note(bool is_crowded)
  {
    if (simt::any(is_crowded) && simt::lane_index() == 0)
    {
      simt::shared_add(found_ + 2, 1u);
    }
  }

  REHEAT_DEVICE void count_tiles()
  {
    const bool aligned = reinterpret_cast<std::uintptr_t>(keys_) % 16 == 0;
    const std::uint64_t tiles = (params_.items + tile_items - 1) / tile_items;
    unsigned turn = 0;
    for (std::uint64_t tile = simt::block_index(); tile < tiles; tile += simt::grid_blocks())
    {
      const std::uint64_t first = tile * tile_items, left = params_.items - first;
      counts_digits_ = !has_table() || turn++ % sampled_tiles == 0;
      Word key[turn_keys];
      if (aligned && left >= tile_items)
      {
        REHEAT_UNROLL
        for (unsigned i = 0; i < 4; ++i)
        {
          const vec16 bits = reinterpret_cast<const vec16*>(keys_ + first)[i * cfg.histogram_threads + simt::thread_index()];
          memcpy(key + i * vector_keys, &bits, sizeof bits);
        }
        count(key, ~0u);
        continue;
      }
      unsigned valid = 0;
      REHEAT_UNROLL
      for (unsigned i = 0; i < turn_keys; ++i)
      {
        const unsigned at = i * cfg.histogram_threads + simt::thread_index();
        key[i] = at < left ? load_word(keys_ + first + at) : Word(0);
        valid += at < left ? 1 : 0;
      }
      count(key, valid);
    }
  }
  //! Counts the first `valid` keys of the thread.
  REHEAT_DEVICE void count(Word (&key)[turn_keys], unsigned valid)
  {
    REHEAT_UNROLL
    for (unsigned i = 0; i < turn_keys; ++i)
    {
      differ_ |= i < valid && ((key[i] ^ first_) & others_) != 0;
      const Word word = form_.word_of(key[i]);
      key[i] = form_.sorted_by(word);
      negative_zero_ |= IsFloat && i < valid && key[i] != word;
      if (MayBeSpread && i < valid)
      {
        set_ |= word;
        clear_ |= static_cast<Word>(~word);
      }
    }
    if (has_table())
    {
      REHEAT_UNROLL
      for (unsigned i = 0; i < turn_keys; ++i)
      {
        if (i < valid)
        {
          const unsigned bucket = bucket_of(key[i]);
          simt::shared_add(counters_ + bucket / word_counters, 1u << bucket % word_counters * cfg.table_counter_bits);
        }
      }
    }
    if (MayBeSpread && !counts_digits_)
    {
      return;
    }
    const unsigned log2 = copies_log2(), copy = simt::lane_index() & ((1u << log2) - 1), passes = counted_passes();
    for (unsigned pass = 0; pass < passes; ++pass)
    {
      const sort_digit<Word> digit = params_.passes.template digit<Word>(pass);
      std::uint32_t* const counters = counts() + ((pass << cfg.digit_bits) << log2) + copy;
      REHEAT_UNROLL
      for (unsigned i = 0; i < turn_keys; ++i)
      {
        if (i < valid)
        {
          simt::shared_add(counters + (digit(key[i]) << log2), 1u);
        }
      }
    }
  }

  REHEAT_DEVICE static unsigned counter_of(std::uint32_t word, unsigned bucket)
  {
    return table_counter<Tuning>(word, bucket);
  }
  REHEAT_DEVICE unsigned table_at(unsigned bucket) const { return counter_of(counters_[bucket / word_counters], bucket); }
  //! Whether no counter of the table has run over.
  REHEAT_DEVICE bool table_holds()
  {
    std::uint32_t sum = 0;
    for (unsigned i = simt::thread_index(); i < params_.table_words(); i += cfg.histogram_threads)
    {
      for (unsigned counter = 0; counter < word_counters; ++counter)
      {
        sum += counter_of(counters_[i], counter);
      }
    }
    sum = sort_warp_sums(sum);
    if (simt::lane_index() == simt::warp_lanes - 1)
    {
      simt::shared_add(found_ + 3, sum);
    }
    simt::sync_block();
    const std::uint64_t tiles = (params_.items + tile_items - 1) / tile_items, block = simt::block_index();
    const std::uint64_t own = block < tiles ? (tiles - 1 - block) / simt::grid_blocks() + 1 : 0;
    const bool has_last = own != 0 && (tiles - 1) % simt::grid_blocks() == block;
    const std::uint64_t keys = own * tile_items - (has_last ? tiles * tile_items - params_.items : 0);
    return found_[3] == static_cast<std::uint32_t>(keys) || simt::fault_active(simt::fault::sort_trust_table);
  }
  //! How many keys have a digit whose bits buckets have in common. Threads of a warp have neighbouring digits, and begin at
  //! different buckets lest they be in one bank.
  REHEAT_DEVICE std::uint32_t count_in_table(unsigned pass, unsigned digit) const
  {
    const unsigned below = params_.passes.begin_of(pass) - (params_.passes.end_bit - params_.spread.bits); // bits
    const unsigned width = params_.passes.end_of(pass) - params_.passes.begin_of(pass);
    const unsigned buckets = 1u << (params_.spread.bits - width);
    std::uint32_t sum = 0;
    for (unsigned i = 0; digit >> width == 0 && i < buckets; ++i)
    {
      const unsigned other = (i + 2 * digit) & (buckets - 1);
      sum += table_at((other >> below << width | digit) << below | (other & ((1u << below) - 1)));
    }
    return sum;
  }

  //! `holds`: there is a table, and it is right.
  REHEAT_DEVICE void store(bool holds)
  {
    const unsigned all = params_.flags_word(), counted = counted_passes() << cfg.digit_bits;
    const unsigned log2 = copies_log2(), copies = 1u << log2;
    std::uint32_t* const own = params_.counts + std::uint64_t{simt::block_index()} * params_.block_words();
    for (unsigned i = simt::thread_index(); i < all; i += cfg.histogram_threads)
    {
      if (MayBeSpread && i >= counted)
      {
        own[i] = count_in_table(i >> cfg.digit_bits, i & (cfg.digits() - 1));
        continue;
      }
      std::uint32_t sum = 0;
      for (unsigned copy = 0; copy < copies; ++copy)
      {
        sum += counts()[(i << log2) + ((copy + simt::thread_index()) & (copies - 1))];
      }
      own[i] = sum;
    }
    for (unsigned i = simt::thread_index(); has_table() && i < params_.table_words(); i += cfg.histogram_threads)
    {
      params_.tables[std::uint64_t{simt::block_index()} * params_.table_words() + i] = counters_[i];
    }
    if (simt::thread_index() == 0)
    {
      own[all] = (found_[0] != 0 ? other_bits_differ : 0) | (found_[1] != 0 ? has_negative_zeros : 0) |
                 (holds ? 0 : not_in_table) | (has_table() ? digits_are_sampled : 0);
    }
    if (MayBeSpread && simt::thread_index() < 2)
    {
      Word bits = 0;
      REHEAT_UNROLL
      for (unsigned warp = 0; warp < warps; ++warp)
      {
        bits |= bits_[simt::thread_index() * warps + warp];
      }
      memcpy(own + all + 1 + simt::thread_index() * (sizeof(Word) / sizeof *own), &bits, sizeof bits);
    }
  }

  const Word* keys_;
  const key_form<Word, IsFloat>& form_;
  const sort_histogram_params& params_;
  std::uint32_t* counters_;
  std::uint32_t* found_;
  Word* bits_; //!< of each warp: which are set in one of its keys; then which are clear in one
  Word others_;
  Word first_;
  Word set_ = 0;
  Word clear_ = 0;
  bool counts_digits_ = true;
  bool has_table_ = false;
  bool differ_ = false;
  bool negative_zero_ = false;
};

//! Whether digits were sampled, and are needed. All lanes call.
template <class Tuning>
REHEAT_DEVICE bool counts_digits_again(const sort_histogram_params& params)
{
  constexpr sort_config cfg = Tuning{}(simt::arch);
  const sort_spread_plan plan(params.passes, params.found, cfg.spread_passes, log2_of(cfg.bins));
  return (params.found[params.passes.count] & digits_are_sampled) != 0 && !plan.spreads() &&
         !simt::fault_active(simt::fault::sort_trust_samples);
}

//! Words in which threads of sort_histogram_kernel note what they find.
inline constexpr unsigned histogram_flags = 5;

template <class Tuning, class Word, bool IsFloat, bool MayBeSpread>
REHEAT_KERNEL(Tuning{}(simt::arch).histogram_threads, 1)
sort_histogram_kernel(const Word* keys, sort_moved_keys<Word> moved, key_form<Word, IsFloat> form,
                      sort_histogram_params params)
{
  constexpr sort_config cfg = Tuning{}(simt::arch);
  simt::shared_memory memory;
  const unsigned counters = params.counters();
  std::uint32_t* const counts = memory.template array<std::uint32_t>(counters, 16);
  Word* const bits = memory.template array<Word>(2 * cfg.histogram_threads / simt::warp_lanes);
  std::uint32_t* const found = memory.template array<std::uint32_t>(histogram_flags);
  const unsigned thread = simt::thread_index(), threads = simt::block_threads();
  if (!MayBeSpread && params.is_second)
  {
    simt::grid_dependency_wait(simt::unless(simt::fault::sort_too_early));
    const bool counts_again = counts_digits_again<Tuning>(params);
    if (simt::block_index() == 0 && thread == 0)
    {
      params.found[counted_again_word(params.passes.count)] = counts_again ? 1 : 0;
    }
    if (!counts_again)
    {
      simt::trigger_dependent_launch();
      return;
    }
  }
  for (unsigned i = thread; i < counters; i += threads)
  {
    counts[i] = 0;
  }
  if (thread < histogram_flags)
  {
    found[thread] = 0;
  }
  simt::sync_block(simt::unless(simt::fault::sort_skip_counters_barrier));
  simt::grid_dependency_wait(simt::unless(simt::fault::sort_too_early));
  simt::trigger_dependent_launch();
  if (params.has_ranges)
  {
    const std::uint32_t* const ranges = params.found + ranges_word(params.passes.count);
    if (sorted_by_ranges(params.found, params.passes.count))
    {
      return;
    }
    if (ranges[0] != 0 && moved.to != nullptr)
    {
      for (std::uint64_t i = std::uint64_t{simt::block_index()} * threads + thread; i < params.items;
           i += std::uint64_t{simt::grid_blocks()} * threads)
      {
        store_word(moved.to + i, load_word(moved.from + i));
      }
      keys = moved.from;
    }
    if (simt::block_index() == 0 && thread < params.passes.count)
    {
      params.found[done_word(params.passes.count) + thread] = 0;
    }
  }
  clear_slots(params);
  if (params.few != nullptr && simt::block_index() == 0)
  {
    for (unsigned i = thread; i < few_places; i += threads)
    {
      params.few->totals[i] = 0;
    }
    if (thread == 0)
    {
      params.few->counted = 0;
    }
  }
  if (MayBeSpread && simt::block_index() == 0 && thread == 0)
  {
    params.found[params.passes.count + 1] = 0; // others say so if a bucket is too large
  }
  sort_histogram_block<Tuning, Word, IsFloat, MayBeSpread>(keys, form, params, counts, found, bits).count_keys();
}

//! Adds to the counter of each bit that is set in a thread's word. All threads call.
template <unsigned Bits>
REHEAT_DEVICE void note_bits(std::uint32_t* counters, unsigned word)
{
  for (unsigned bit = 0; bit < Bits; ++bit)
  {
    if (simt::any((word >> bit & 1) != 0) && simt::lane_index() == 0)
    {
      simt::shared_add(counters + bit, 1u);
    }
  }
}

//! Words in which threads of sort_starts_kernel note what they find: ten, and two for each bit of a digit.
inline constexpr unsigned starts_flags = 10 + 2 * 8;

//! Adds up the tables of all blocks, for the buckets with one value of the high bits. Stores how many keys they have, and
//! where each begins, and says if one is too large. All threads of a block call. `sums` has room for each thread.
template <class Tuning>
REHEAT_DEVICE void add_up_tables(const sort_histogram_params& params, unsigned blocks, unsigned high, std::uint64_t* sums,
                                 std::uint64_t* totals)
{
  constexpr sort_config cfg = Tuning{}(simt::arch);
  constexpr unsigned threads = 4 * cfg.digits(), groups_max = 16;
  const unsigned thread = simt::thread_index(), buckets = 1u << params.spread.low();
  const unsigned distance = buckets < simt::warp_lanes ? simt::warp_lanes : buckets; // threads of a group
  const unsigned groups = threads / distance < groups_max ? threads / distance : groups_max;
  const unsigned own = thread % distance, group = thread / distance, bucket = (high << params.spread.low()) + own;
  if ((params.counts[params.flags_word()] & not_in_table) != 0)
  {
    return; // nor is it in the other blocks', as a rule
  }
  if (group < groups && own < buckets)
  {
    std::uint64_t sum = 0;
    const std::uint32_t* const tables = params.tables + (bucket >> cfg.table_word_log2());
    REHEAT_UNROLL
    for (unsigned block = group; block < blocks; block += groups)
    {
      sum += table_counter<Tuning>(tables[std::uint64_t{block} * params.table_words()], bucket);
    }
    sums[group * buckets + own] = sum;
  }
  simt::sync_block(simt::unless(simt::fault::sort_skip_sums_barrier));
  std::uint64_t total = 0;
  if (thread < buckets)
  {
    for (unsigned i = 0; i < groups; ++i)
    {
      total += sums[i * buckets + thread];
    }
    if (total > cfg.bucket_items())
    {
      simt::store_relaxed(params.found + params.passes.count + 1, 1u);
    }
  }
  const std::uint64_t start = sort_block_sums<cfg.digits()>(total, totals, simt::fault::sort_skip_totals_barrier);
  if (thread < buckets)
  {
    params.spread.places[(high << params.spread.low()) + thread] = static_cast<std::uint32_t>(start);
  }
  if (thread == buckets - 1)
  {
    params.spread.totals[high] = static_cast<std::uint32_t>(start + total);
  }
  if (thread == 0)
  {
    params.spread.taken[high] = 0;
  }
}

} // namespace detail
REHEAT_NAMESPACE_END

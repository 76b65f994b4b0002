// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! How often each digit occurs, for all passes at once: two launches in front of the passes.
//!
//! The first one reads the keys once. Each block counts in shared memory, in several copies, one for a lane or a few of
//! them, lest lanes with equal digits wait for each other, and stores its counts. It also clears the slots of the passes.
//! The second launch adds up the blocks' counts, and scans them: where the first item of each digit goes. It finds what
//! plan.cuh asks for: which digits vary, and whether a block can hold the keys of each.
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
  T before = 0;
  REHEAT_UNROLL
  for (unsigned warp = 0; warp + 1 < warps; ++warp)
  {
    before += warp < simt::warp_index() ? totals[warp] : 0;
  }
  return before + sums - value;
}

struct sort_histogram_params
{
  std::uint64_t items;
  sort_passes passes;
  unsigned copies_log2;
  bool compares_other_bits; //!< whether bits beside those of the digits differ between keys
  std::uint32_t* counts;    //!< of each block: one for each pass and digit, then what was found
  std::uint64_t* slots;
  std::uint64_t slot_count;
  unsigned bucket_items; //!< that a block can hold; 0: no sort by buckets

  REHEAT_HOST_DEVICE unsigned block_words() const { return (passes.count << passes.digit_bits) + 1; }
};

template <class Tuning, class Word, bool IsFloat>
class sort_histogram_block
{
  static constexpr sort_config cfg = Tuning{}(simt::arch);
  static constexpr unsigned vector_keys = 16 / sizeof(Word), turn_keys = 4 * vector_keys;

public:
  static constexpr unsigned tile_items = cfg.histogram_threads * turn_keys;

  REHEAT_DEVICE sort_histogram_block(const Word* keys, const key_form<Word, IsFloat>& form,
                                     const sort_histogram_params& params, std::uint32_t* counts)
      : keys_(keys), form_(form), params_(params), counts_(counts),
        others_(params.compares_other_bits
                    ? static_cast<Word>(~bits_between<Word>(params.passes.begin_bit, params.passes.end_bit))
                    : Word(0)),
        first_(params.compares_other_bits ? load_word(keys) : Word(0))
  {}

  REHEAT_DEVICE void count_tiles()
  {
    const bool aligned = reinterpret_cast<std::uintptr_t>(keys_) % 16 == 0;
    const std::uint64_t tiles = (params_.items + tile_items - 1) / tile_items;
    for (std::uint64_t tile = simt::block_index(); tile < tiles; tile += simt::grid_blocks())
    {
      const std::uint64_t first = tile * tile_items, left = params_.items - first;
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
  REHEAT_DEVICE bool others_differ() const { return differ_; }
  REHEAT_DEVICE bool negative_zeros() const { return negative_zero_; }

private:
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
    }
    const unsigned copy = simt::lane_index() & ((1u << params_.copies_log2) - 1);
    for (unsigned pass = 0; pass < params_.passes.count; ++pass)
    {
      const sort_digit<Word> digit = params_.passes.template digit<Word>(pass);
      std::uint32_t* const counts = counts_ + ((pass << cfg.digit_bits) << params_.copies_log2) + copy;
      REHEAT_UNROLL
      for (unsigned i = 0; i < turn_keys; ++i)
      {
        if (i < valid)
        {
          simt::shared_add(counts + (digit(key[i]) << params_.copies_log2), 1u);
        }
      }
    }
  }

  const Word* keys_;
  const key_form<Word, IsFloat>& form_;
  const sort_histogram_params& params_;
  std::uint32_t* counts_;
  Word others_;
  Word first_;
  bool differ_ = false;
  bool negative_zero_ = false;
};

template <class Tuning, class Word, bool IsFloat>
REHEAT_KERNEL(Tuning{}(simt::arch).histogram_threads, 1)
sort_histogram_kernel(const Word* keys, key_form<Word, IsFloat> form, sort_histogram_params params)
{
  constexpr sort_config cfg = Tuning{}(simt::arch);
  simt::shared_memory memory;
  const unsigned counters = params.passes.count << cfg.digit_bits, copies = 1u << params.copies_log2;
  std::uint32_t* const counts = memory.template array<std::uint32_t>(counters << params.copies_log2, 16);
  std::uint32_t* const found = memory.template array<std::uint32_t>(2);
  const unsigned thread = simt::thread_index(), threads = simt::block_threads();
  for (unsigned i = thread; i < counters << params.copies_log2; i += threads)
  {
    counts[i] = 0;
  }
  if (thread < 2)
  {
    found[thread] = 0;
  }
  simt::sync_block(simt::unless(simt::fault::sort_skip_counters_barrier));
  simt::grid_dependency_wait(simt::unless(simt::fault::sort_too_early));
  simt::trigger_dependent_launch();
  for (std::uint64_t i = std::uint64_t{simt::block_index()} * threads + thread; i < params.slot_count;
       i += std::uint64_t{simt::grid_blocks()} * threads)
  {
    if (!simt::fault_active(simt::fault::sort_keep_slots))
    {
      params.slots[i] = 0;
    }
  }
  sort_histogram_block<Tuning, Word, IsFloat> self(keys, form, params, counts);
  self.count_tiles();
  if (simt::any(self.others_differ()) && simt::lane_index() == 0)
  {
    simt::shared_add(found, 1u);
  }
  if (simt::any(self.negative_zeros()) && simt::lane_index() == 0)
  {
    simt::shared_add(found + 1, 1u);
  }
  simt::sync_block(simt::unless(simt::fault::sort_skip_counts_barrier));

  std::uint32_t* const own = params.counts + std::uint64_t{simt::block_index()} * params.block_words();
  for (unsigned i = thread; i < counters; i += threads)
  {
    std::uint32_t sum = 0;
    for (unsigned copy = 0; copy < copies; ++copy)
    {
      sum += counts[(i << params.copies_log2) + ((copy + thread) & (copies - 1))];
    }
    own[i] = sum;
  }
  if (thread == 0)
  {
    own[counters] = (found[0] != 0 ? other_bits_differ : 0) | (found[1] != 0 ? has_negative_zeros : 0);
  }
}

//! Block `p` stores where pass p's digits start, and what is found of its digit; the last block, what of keys.
template <class Tuning>
REHEAT_KERNEL(4 * Tuning{}(simt::arch).digits(), 1)
sort_starts_kernel(sort_histogram_params params, unsigned blocks, std::uint64_t* starts, std::uint32_t* found)
{
  constexpr sort_config cfg = Tuning{}(simt::arch);
  constexpr unsigned digits = cfg.digits(), groups = 4;
  simt::shared_memory memory;
  std::uint64_t* const sums = memory.template array<std::uint64_t>(groups * digits);
  std::uint64_t* const totals = memory.template array<std::uint64_t>(simt::warp_lanes);
  std::uint32_t* const flags = memory.template array<std::uint32_t>(2);
  std::uint32_t *const constant = flags, *const crowded = flags + 1;
  std::uint32_t *const differing = flags, *const zeros = flags + 1; // of the last block
  const unsigned thread = simt::thread_index(), digit = thread % digits, group = thread / digits, pass = simt::block_index();
  if (thread == 0)
  {
    *constant = 0;
    *crowded = 0;
  }
  simt::grid_dependency_wait(simt::unless(simt::fault::sort_too_early));
  simt::trigger_dependent_launch();
  if (pass == params.passes.count)
  {
    std::uint32_t of_keys = 0;
    for (unsigned block = thread; block < blocks; block += simt::block_threads())
    {
      of_keys |= params.counts[std::uint64_t{block} * params.block_words() + params.passes.count * digits];
    }
    simt::sync_block();
    if (simt::any((of_keys & other_bits_differ) != 0) && simt::lane_index() == 0)
    {
      simt::shared_add(differing, 1u);
    }
    if (simt::any((of_keys & has_negative_zeros) != 0) && simt::lane_index() == 0)
    {
      simt::shared_add(zeros, 1u);
    }
    simt::sync_block();
    if (thread == 0)
    {
      found[pass] = (*differing != 0 ? other_bits_differ : 0) | (*zeros != 0 ? has_negative_zeros : 0);
    }
    return;
  }
  std::uint64_t sum = 0;
  const std::uint32_t* const counts = params.counts + pass * digits + digit;
  REHEAT_UNROLL
  for (unsigned block = group; block < blocks; block += groups)
  {
    sum += counts[std::uint64_t{block} * params.block_words()];
  }
  sums[group * digits + digit] = sum;
  simt::sync_block(simt::unless(simt::fault::sort_skip_sums_barrier));
  std::uint64_t total = 0;
  if (thread < digits)
  {
    for (unsigned i = 0; i < groups; ++i)
    {
      total += sums[i * digits + thread];
    }
    if (total == params.items)
    {
      *constant = 1; // one thread at most
    }
    if (total > params.bucket_items)
    {
      simt::shared_add(crowded, 1u);
    }
  }
  const std::uint64_t start = sort_block_sums<digits>(total, totals, simt::fault::sort_skip_totals_barrier);
  if (thread < digits)
  {
    starts[pass * digits + thread] = start;
  }
  if (thread == 0)
  {
    const bool fits = *crowded == 0 || simt::fault_active(simt::fault::sort_any_bucket);
    found[pass] = simt::fault_active(simt::fault::sort_drop_pass)
                      ? 0
                      : (*constant != 0 ? 0 : digit_varies) | (fits ? digit_buckets_fit : 0);
  }
}

} // namespace detail
REHEAT_NAMESPACE_END

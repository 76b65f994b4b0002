// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The launch behind the histogram, which adds up the counts of its blocks. Beside that, it looks for few values.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/simt/simt.cuh>
#include <reheat/detail/sort/digits.cuh>
#include <reheat/detail/sort/few_keys.cuh>
#include <reheat/detail/sort/histogram.cuh>
#include <reheat/detail/sort/key.cuh>
#include <reheat/detail/sort/plan.cuh>
#include <reheat/detail/sort/tuning.cuh>

#include <cstdint>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

//! Block `p` stores where pass p's digits start, and what is found of its digit; the next block, what of keys. Others add up
//! tables, if there are any. Blocks from `few_from` on look for few values. `blocks`: of the histogram.
template <class Tuning, class Word, bool IsFloat, class Value, bool MayBeSpread>
REHEAT_KERNEL(4 * Tuning{}(simt::arch).digits(), 1)
sort_starts_kernel(const Word* keys, key_form<Word, IsFloat> form, sort_histogram_params params, unsigned blocks,
                   unsigned few_from, std::uint64_t* starts)
{
  constexpr sort_config cfg = Tuning{}(simt::arch);
  constexpr unsigned digits = cfg.digits(), groups = 4;
  static_assert(10 + 2 * cfg.digit_bits <= starts_flags);
  simt::shared_memory memory;
  if constexpr (may_be_few_v<Word>)
  {
    if (simt::block_index() >= few_from)
    {
      look_for_few_values<Tuning, Word, IsFloat, has_values_v<Value>>(memory, keys, form, params, few_from);
      return;
    }
  }
  std::uint64_t* const sums = memory.template array<std::uint64_t>(groups * digits);
  std::uint64_t* const totals = memory.template array<std::uint64_t>(simt::warp_lanes);
  std::uint32_t* const flags = memory.template array<std::uint32_t>(starts_flags);
  std::uint32_t *const constant = flags, *const crowded = flags + 1, *const values = flags + 2, *const large = flags + 3;
  std::uint32_t *const common_digits = flags + 4, *const sum_of_common = flags + 5, *const counted = flags + 6;
  std::uint32_t *const set = flags + 10, *const clear = set + cfg.digit_bits;
  const unsigned thread = simt::thread_index(), digit = thread % digits, group = thread / digits, pass = simt::block_index();
  if (thread < starts_flags)
  {
    flags[thread] = 0;
  }
  simt::grid_dependency_wait(simt::unless(simt::fault::sort_too_early));
  simt::trigger_dependent_launch();
  if (params.has_ranges && sorted_by_ranges(params.found, params.passes.count))
  {
    return;
  }
  if (!MayBeSpread && params.is_second && params.found[counted_again_word(params.passes.count)] == 0)
  {
    return;
  }
  if (MayBeSpread && pass > params.passes.count)
  {
    add_up_tables<Tuning>(params, blocks, pass - params.passes.count - 1, sums, totals);
    return;
  }
  if (pass == params.passes.count)
  {
    std::uint32_t of_keys = 0;
    for (unsigned block = thread; block < blocks; block += simt::block_threads())
    {
      of_keys |= params.counts[std::uint64_t{block} * params.block_words() + params.flags_word()];
    }
    simt::sync_block();
    std::uint32_t of_all = 0;
    for (const std::uint32_t which : {other_bits_differ, has_negative_zeros, not_in_table, digits_are_sampled})
    {
      if (simt::any((of_keys & which) != 0) && simt::lane_index() == 0)
      {
        simt::shared_add(flags + which, 1u);
      }
    }
    simt::sync_block();
    for (const std::uint32_t which : {other_bits_differ, has_negative_zeros, not_in_table, digits_are_sampled})
    {
      of_all |= flags[which] != 0 ? which : 0;
    }
    if (thread == 0)
    {
      params.found[pass] = of_all;
      params.found[pass + 2] = params.spread.bits;
      params.found[ranked_again_word(pass)] = 0;
      params.found[bucket_bits_word(pass)] = 0;
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
    if (total > params.items / 4)
    {
      simt::shared_add(common_digits, 1u);
      simt::shared_add(sum_of_common, digit);
    }
    if (MayBeSpread && total != 0)
    {
      simt::shared_add(values, 1u);
      simt::shared_add(counted, static_cast<std::uint32_t>(total)); // a sample, or all keys
    }
  }
  if constexpr (MayBeSpread)
  {
    const unsigned begin = params.passes.begin_of(pass), width = params.passes.end_of(pass) - begin;
    const unsigned which = thread % 2; // bits that are set, and bits that are clear
    unsigned bits = 0;
    for (unsigned block = thread / 2; width != 0 && block < blocks; block += simt::block_threads() / 2)
    {
      const unsigned words = params.bit_words / 2;
      const std::uint32_t* const own =
          params.counts + std::uint64_t{block} * params.block_words() + params.flags_word() + 1 + which * words;
      const std::uint64_t of_block = own[0] | (words == 2 ? std::uint64_t{own[words - 1]} << 32 : 0);
      bits |= static_cast<unsigned>(of_block >> begin) & ((1u << width) - 1);
    }
    note_bits<cfg.digit_bits>(set, which == 0 ? bits : 0);
    note_bits<cfg.digit_bits>(clear, which != 0 ? bits : 0);
  }
  const std::uint64_t start = sort_block_sums<digits>(total, totals, simt::fault::sort_skip_totals_barrier);
  if constexpr (MayBeSpread)
  {
    // Four times its share of the keys is much for a digit. No digit has keys if all counters of tables have run over to 0.
    if (*values != 0 && total / 4 > *counted / *values)
    {
      simt::shared_add(large, 1u);
    }
    simt::sync_block();
  }
  if (thread < digits)
  {
    starts[pass * digits + thread] = start;
  }
  if (thread == 0)
  {
    const bool fits = *crowded == 0 || simt::fault_active(simt::fault::sort_any_bucket);
    std::uint32_t differing = 0;
    for (unsigned bit = 0; MayBeSpread && bit < cfg.digit_bits; ++bit)
    {
      differing |= (set[bit] != 0 && clear[bit] != 0 ? 1u : 0u) << bit;
    }
    params.found[pass] = simt::fault_active(simt::fault::sort_drop_pass)
                             ? 0
                             : ((MayBeSpread ? differing == 0 : *constant != 0) ? 0 : digit_varies) |
                                   (fits ? digit_buckets_fit : 0) | (*large != 0 ? digit_is_uneven : 0) |
                                   differing << digit_bits_shift |
                                   (*common_digits == 1 ? has_common_digit | *sum_of_common << common_digit_shift : 0);
  }
}

} // namespace detail
REHEAT_NAMESPACE_END

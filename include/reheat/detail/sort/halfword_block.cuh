// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The sort of few keys of two bytes, by all bits and without values, in one block: it counts its words (halfwords.cuh),
//! stores each word where it begins in the output, and fills up with the highest word so far.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/simt/simt.cuh>
#include <reheat/detail/sort/digits.cuh>
#include <reheat/detail/sort/halfword_vectors.cuh>
#include <reheat/detail/sort/key.cuh>
#include <reheat/detail/sort/tuning.cuh>
#include <reheat/detail/thread/items.cuh>

#include <cstdint>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

//! Where a counter is, so that threads can read 32 neighbours each without conflicts of banks.
REHEAT_DEVICE inline unsigned spread_counter(unsigned counter)
{
  return counter ^ (counter >> 5 & 7) << 2;
}

struct sort_halfword_block_shared
{
  std::uint32_t* counters;
  std::uint16_t* staged; //!< of each place in the output: the word that begins there, or 0
  std::uint32_t* totals;

  REHEAT_EXEC_CHECK_DISABLE
  template <class Memory>
  REHEAT_HOST_DEVICE sort_halfword_block_shared(Memory& memory, const sort_halfword_config& cfg)
      : counters(memory.template array<std::uint32_t>(halfword_counters, sizeof(vec16))),
        staged(memory.template array<std::uint16_t>(cfg.one_block_items, sizeof(vec16))),
        totals(memory.template array<std::uint32_t>(3 * library::warp_lanes))
  {}
};

//! The highest value of lower threads, or 0. All threads of the block call, and there are `Threads`.
template <unsigned Threads>
REHEAT_DEVICE std::uint32_t highest_below(std::uint32_t value, std::uint32_t* totals)
{
  constexpr unsigned warps = Threads / simt::warp_lanes;
  const unsigned lane = simt::lane_index(), warp = simt::warp_index();
  const auto in_warp = [](std::uint32_t highest)
  {
    REHEAT_UNROLL
    for (unsigned distance = 1; distance < simt::warp_lanes; distance *= 2)
    {
      const std::uint32_t below = simt::shuffle_up(highest, distance);
      highest = below > highest ? below : highest;
    }
    return highest;
  };
  const std::uint32_t up_to = in_warp(value);
  if (lane == simt::warp_lanes - 1)
  {
    totals[warp] = up_to;
  }
  simt::sync_block(simt::unless(simt::fault::sort_halfwords_skip_highest_barrier));
  const std::uint32_t of_warps = in_warp(lane < warps ? totals[lane] : 0);
  const std::uint32_t lower_warps = simt::shuffle(of_warps, warp == 0 ? 0 : warp - 1);
  const std::uint32_t lower_lanes = simt::shuffle_up(up_to, 1);
  const std::uint32_t of_lanes = lane == 0 ? 0 : lower_lanes, before = warp == 0 ? 0 : lower_warps;
  return of_lanes > before ? of_lanes : before;
}

//! Sorts keys in one block.
template <class Tuning, bool IsFloat>
REHEAT_KERNEL(Tuning{}(simt::arch).threads, 1)
sort_halfwords_kernel(const std::uint16_t* in, std::uint16_t* out, unsigned items, key_form<std::uint16_t, IsFloat> form)
{
  constexpr sort_halfword_config cfg = Tuning{}(simt::arch);
  constexpr unsigned threads = cfg.threads, keys = halfword_vectors::keys;
  constexpr unsigned own_max = (cfg.one_block_items / keys + 1 + threads - 1) / threads;
  static_assert(own_max * keys <= 32, "a thread has a bit for each of its keys");
  static_assert(cfg.one_block_items % keys == 0, "places are cleared as vectors");
  simt::shared_memory memory;
  const sort_halfword_block_shared shared(memory, cfg);
  const unsigned thread = simt::thread_index();
  clear_halfword_counters<threads>(shared.counters, halfword_counters * sizeof(std::uint32_t));
  clear_halfword_counters<threads>(shared.staged, cfg.one_block_items * sizeof(std::uint16_t));
  simt::sync_block(simt::unless(simt::fault::sort_halfwords_skip_clear_barrier));
  simt::grid_dependency_wait(simt::unless(simt::fault::sort_too_early));
  simt::trigger_dependent_launch();

  // Count. A thread has neighbouring vectors.
  const halfword_vectors from(in, items);
  const auto vectors = static_cast<unsigned>(from.count());
  const unsigned own = (vectors + threads - 1) / threads, begin = thread * own;
  const auto add = [&](unsigned word, unsigned count)
  { simt::shared_add(shared.counters + spread_counter(word % halfword_counters), count << word / halfword_counters * 16); };
  halfword_vector loaded[own_max];
  REHEAT_UNROLL
  for (unsigned i = 0; i < own_max; ++i)
  {
    loaded[i] = load_halfwords(in, from, begin + i, i < own ? vectors : 0);
  }
  REHEAT_UNROLL
  for (unsigned i = 0; i < own_max; ++i)
  {
    const halfword_vector& vector = loaded[i];
    if (i >= own)
    {
      continue;
    }
    if (vector.valid == keys && vector.is_equal())
    {
      add(form.word_of(vector.key(0)), keys);
      continue;
    }
    REHEAT_UNROLL
    for (unsigned k = 0; k < keys; ++k)
    {
      if (k < vector.valid)
      {
        add(form.word_of(vector.key(k)), 1);
      }
    }
  }
  simt::sync_block(simt::unless(simt::fault::sort_halfwords_skip_counts_barrier));

  // Where words begin: sums of both halves at once. The upper halves come behind all lower ones.
  constexpr unsigned vectors_of_thread = halfword_counters / threads / 4;
  const auto counters_at = [&](unsigned vector, std::uint32_t(&four)[4])
  { load_counts(shared.counters + spread_counter((thread * vectors_of_thread + vector) * 4), four); };
  std::uint32_t sum = 0;
  REHEAT_UNROLL
  for (unsigned i = 0; i < vectors_of_thread; ++i)
  {
    std::uint32_t four[4];
    counters_at(i, four);
    sum += four[0] + four[1] + four[2] + four[3];
  }
  std::uint32_t place = sort_block_sums<threads>(sum, shared.totals, simt::fault::sort_halfwords_skip_totals_barrier);
  const std::uint32_t of_warps = simt::lane_index() < threads / simt::warp_lanes ? shared.totals[simt::lane_index()] : 0;
  const unsigned lower_keys = simt::shuffle(sort_warp_sums(of_warps), simt::warp_lanes - 1) & 0xffff;
  place += lower_keys << 16;
  REHEAT_UNROLL
  for (unsigned i = 0; i < vectors_of_thread; ++i)
  {
    std::uint32_t four[4];
    counters_at(i, four);
    if ((four[0] | four[1] | four[2] | four[3]) != 0)
    {
      REHEAT_UNROLL
      for (unsigned k = 0; k < 4; ++k)
      {
        const unsigned word = (thread * vectors_of_thread + i) * 4 + k;
        if ((four[k] & 0xffff) != 0)
        {
          shared.staged[place & 0xffff] = static_cast<std::uint16_t>(word);
        }
        if (four[k] >> 16 != 0)
        {
          shared.staged[place >> 16] = static_cast<std::uint16_t>(word + halfword_counters);
        }
        place += four[k];
      }
    }
  }
  simt::sync_block(simt::unless(simt::fault::sort_halfwords_skip_staged_barrier));

  // Words ascend, so the highest one up to a place stands there.
  const halfword_vectors to(out, items);
  const auto out_vectors = static_cast<unsigned>(to.count());
  const unsigned own_out = (out_vectors + threads - 1) / threads;
  const auto for_own_out = [&](auto visit)
  {
    REHEAT_UNROLL
    for (unsigned i = 0; i < own_max; ++i)
    {
      const unsigned vector = thread * own_out + i;
      if (i < own_out && vector < out_vectors)
      {
        const auto first = static_cast<unsigned>(to.first(vector));
        visit(first, static_cast<unsigned>(to.end(vector)) - first);
      }
    }
  };
  std::uint32_t highest = 0;
  for_own_out(
      [&](unsigned first, unsigned valid)
      {
        REHEAT_UNROLL
        for (unsigned k = 0; k < keys; ++k)
        {
          const std::uint32_t staged = k < valid ? shared.staged[first + k] : 0;
          highest = staged > highest ? staged : highest;
        }
      });
  highest = highest_below<threads>(highest, shared.totals + simt::warp_lanes);
  for_own_out(
      [&](unsigned first, unsigned valid)
      {
        halfword_vector stored{};
        stored.valid = valid;
        REHEAT_UNROLL
        for (unsigned k = 0; k < keys; ++k)
        {
          const std::uint32_t staged = k < valid ? shared.staged[first + k] : 0;
          highest = staged > highest ? staged : highest;
          stored.words[k / 2] |= std::uint32_t{form.stored_of(static_cast<std::uint16_t>(highest))} << k % 2 * 16;
        }
        store_halfwords(out + first, stored);
      });
  if constexpr (IsFloat)
  {
    const unsigned lower = shared.counters[spread_counter(lower_zero)] & 0xffff, upper = shared.counters[0] >> 16;
    if (lower != 0 && upper != 0 && !simt::fault_active(simt::fault::sort_halfwords_trust_zeros))
    {
      unsigned zeros = 0, upper_zeros = 0;
      REHEAT_UNROLL
      for (unsigned i = 0; i < own_max; ++i)
      {
        const halfword_zeros found(loaded[i], form);
        zeros |= found.all << i * keys;
        upper_zeros |= found.upper << i * keys;
      }
      std::uint16_t* to_zero = out + (lower_keys - lower) +
                               sort_block_sums<threads>(simt::count_ones(zeros), shared.totals + 2 * simt::warp_lanes,
                                                        simt::fault::sort_halfwords_skip_zeros_barrier);
      for (; zeros != 0; zeros &= zeros - 1)
      {
        const unsigned is_upper = (upper_zeros & zeros & (0 - zeros)) != 0 ? 1 : 0;
        store_word(to_zero++, form.stored_of(static_cast<std::uint16_t>(lower_zero + is_upper)));
      }
    }
  }
}

} // namespace detail
REHEAT_NAMESPACE_END

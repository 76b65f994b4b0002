// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Sorts of keys of two bytes, sorted by all bits and without values: how often each word occurs says what stands where.
//!
//! A block counts in shared memory, which has 16 bits for each of the 65536 words. Few keys are counted and written by one
//! block (halfword_block.cuh). More keys take three launches: the first one clears counters in global memory. Blocks of the
//! second one count their keys, and add their counts to these. Blocks of the third one write equal shares of the sorted
//! keys.
//!
//! Negative zero and zero are equal, so they keep the order of the input. Their words are neighbours. Where a block that
//! counts finds both, its warps read their keys once more, and store for each zero which of the two words it has. Blocks
//! that write copy that if all keys together have both.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/simt/simt.cuh>
#include <reheat/detail/sort/digits.cuh>
#include <reheat/detail/sort/halfword_vectors.cuh>
#include <reheat/detail/sort/key.cuh>
#include <reheat/detail/sort/tuning.cuh>

#include <cstdint>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

//! What blocks find. `low`, `high` and `groups` begin as zeros.
struct sort_halfword_counts
{
  std::uint32_t* low;    //!< how many keys have each word
  std::uint32_t* high;   //!< and how often it has reached the limit of a counter; null if it cannot
  std::uint64_t* groups; //!< how many keys have a word of each group
  std::uint64_t* zeros;  //!< floating-point numbers: of each warp's keys, the number of zeros times 4, and a halfword_signs
  std::uint64_t* block_zeros; //!< the numbers of zeros of all keys of a block
  //! Of each zero 1 if it has the upper word, in the order of the input. Those of a warp begin at the place of its first
  //! key.
  std::uint8_t* signs;

  template <unsigned LimitLog2>
  REHEAT_DEVICE std::uint64_t of(unsigned word) const
  {
    return low[word] + (high == nullptr ? 0 : std::uint64_t{high[word]} << LimitLog2);
  }
};

//! Of the zeros that a warp has found.
enum class halfword_signs : unsigned
{
  are_stored,
  are_lower,
  are_upper
};

struct sort_halfword_count_shared
{
  std::uint32_t* counters;
  std::uint32_t* over; //!< how often the counters of zeros have run over

  REHEAT_EXEC_CHECK_DISABLE
  template <class Memory>
  REHEAT_HOST_DEVICE explicit sort_halfword_count_shared(Memory& memory)
      : counters(memory.template array<std::uint32_t>(halfword_counters, sizeof(vec16))),
        over(memory.template array<std::uint32_t>(2))
  {}
};

//! Which vectors a warp counts. Every warp has `rows` rows, so all meet at the same barriers. Rows of the last warps may be
//! empty.
struct halfword_share
{
  std::uint64_t rows, first, end;

  REHEAT_DEVICE halfword_share(const halfword_vectors& vectors, unsigned warp, unsigned warps)
  {
    const std::uint64_t count = vectors.count();
    rows = (count + std::uint64_t{warps} * simt::warp_lanes - 1) / (std::uint64_t{warps} * simt::warp_lanes);
    const std::uint64_t begin = warp * rows * simt::warp_lanes, behind = begin + rows * simt::warp_lanes;
    first = begin < count ? begin : count;
    end = behind < count ? behind : count;
  }
};

//! Counts keys, and adds to the counts of all blocks.
template <class Tuning, bool IsFloat>
REHEAT_KERNEL(Tuning{}(simt::arch).threads, 1)
sort_halfword_counts_kernel(const std::uint16_t* in, std::uint64_t items, key_form<std::uint16_t, IsFloat> form,
                            sort_halfword_counts counts)
{
  constexpr sort_halfword_config cfg = Tuning{}(simt::arch);
  constexpr unsigned threads = cfg.threads, rows = cfg.rows, keys = halfword_vectors::keys, limit = 1u << cfg.limit_log2;
  // A counter is below `limit` at a barrier. Until the next one at most `limit` is added: 16 bits are enough, and one
  // addition crosses the limit.
  static_assert(threads * rows * keys <= limit && limit <= 1u << 15);
  constexpr unsigned warps = threads / simt::warp_lanes;
  simt::shared_memory memory;
  const sort_halfword_count_shared shared(memory);
  const unsigned thread = simt::thread_index(), lane = simt::lane_index();
  clear_halfword_counters<threads>(shared.counters, halfword_counters * sizeof(std::uint32_t));
  if (thread < 2)
  {
    shared.over[thread] = 0;
  }
  simt::sync_block(simt::unless(simt::fault::sort_halfwords_skip_clear_barrier));
  simt::grid_dependency_wait(simt::unless(simt::fault::sort_too_early));
  simt::trigger_dependent_launch();

  const halfword_vectors vectors(in, items);
  const unsigned warp = simt::block_index() * warps + simt::warp_index();
  const halfword_share share(vectors, warp, simt::grid_blocks() * warps);
  // Adds to a word's counter. Returns bits that change in it.
  const auto add = [&](unsigned word, unsigned count)
  {
    const std::uint32_t added = count << word / halfword_counters * 16;
    const std::uint32_t before = simt::shared_fetch_add(shared.counters + word % halfword_counters, added);
    return before ^ (before + added);
  };
  // The thread whose addition brings a counter to the limit takes that away again.
  const auto hand_over = [&](unsigned word, std::uint32_t changed)
  {
    if ((changed >> word / halfword_counters * 16 & limit) == 0)
    {
      return;
    }
    simt::shared_add(shared.counters + word % halfword_counters, 0u - (limit << word / halfword_counters * 16));
    if (!simt::fault_active(simt::fault::sort_halfwords_lose_limit))
    {
      simt::fetch_add_relaxed(counts.high + word, 1u);
      simt::fetch_add_relaxed(counts.groups + word / halfword_group, std::uint64_t{limit});
    }
    if (IsFloat && word - lower_zero <= 1)
    {
      simt::shared_add(shared.over + (word - lower_zero), 1u);
    }
  };
  const auto count = [&](const halfword_vector& vector)
  {
    if (vector.valid == keys && vector.is_equal())
    {
      const unsigned word = form.word_of(vector.key(0));
      hand_over(word, add(word, keys));
      return;
    }
    std::uint32_t changed[keys], any_changed = 0;
    REHEAT_UNROLL
    for (unsigned i = 0; i < keys; ++i)
    {
      changed[i] = i < vector.valid ? add(form.word_of(vector.key(i)), 1) : 0;
      any_changed |= changed[i];
    }
    if ((any_changed & (limit | limit << 16)) != 0)
    {
      REHEAT_UNROLL
      for (unsigned i = 0; i < keys; ++i)
      {
        hand_over(form.word_of(vector.key(i)), changed[i]);
      }
    }
  };
  halfword_vector next[rows];
  const auto load = [&](std::uint64_t row)
  {
    REHEAT_UNROLL
    for (unsigned i = 0; i < rows; ++i)
    {
      next[i] = load_halfwords(in, vectors, share.first + (row + i) * simt::warp_lanes + lane, share.end);
    }
  };
  load(0);
  REHEAT_NO_UNROLL
  for (std::uint64_t row = 0; row < share.rows; row += rows)
  {
    halfword_vector own[rows];
    REHEAT_UNROLL
    for (unsigned i = 0; i < rows; ++i)
    {
      own[i] = next[i];
    }
    load(row + rows);
    REHEAT_UNROLL
    for (unsigned i = 0; i < rows; ++i)
    {
      count(own[i]);
    }
    simt::sync_block(simt::unless(simt::fault::sort_halfwords_skip_counts_barrier));
  }

  // A row of a warp is 32 neighbours; a warp adds a lower group and an upper one.
  constexpr unsigned group_rows = halfword_group / simt::warp_lanes;
  for (unsigned group = simt::warp_index(); group < halfword_groups / 2; group += warps)
  {
    std::uint32_t lower = 0, upper = 0;
    REHEAT_UNROLL
    for (unsigned i = 0; i < group_rows; ++i)
    {
      const unsigned word = group * halfword_group + i * simt::warp_lanes + lane;
      const std::uint32_t both = shared.counters[word];
      if ((both & 0xffff) != 0)
      {
        simt::fetch_add_relaxed(counts.low + word, both & 0xffff);
      }
      if (both >> 16 != 0)
      {
        simt::fetch_add_relaxed(counts.low + word + halfword_counters, both >> 16);
      }
      lower += both & 0xffff;
      upper += both >> 16;
    }
    lower = sort_warp_sums(lower);
    upper = sort_warp_sums(upper);
    if (lane == simt::warp_lanes - 1)
    {
      simt::fetch_add_relaxed(counts.groups + group, std::uint64_t{lower});
      simt::fetch_add_relaxed(counts.groups + group + halfword_groups / 2, std::uint64_t{upper});
    }
  }

  if constexpr (IsFloat)
  {
    const std::uint64_t lower = (shared.counters[halfword_counters - 1] & 0xffff) + std::uint64_t{shared.over[0]} * limit;
    const std::uint64_t upper = (shared.counters[0] >> 16) + std::uint64_t{shared.over[1]} * limit;
    std::uint64_t found = 0;
    halfword_signs signs = halfword_signs::are_stored;
    if (lower == 0 || upper == 0)
    {
      const std::uint64_t all = lower + upper;
      found = all * (simt::warp_index() + 1) / warps - all * simt::warp_index() / warps;
      signs = lower != 0 ? halfword_signs::are_lower : halfword_signs::are_upper;
    }
    else if (share.first < share.end)
    {
      std::uint8_t* const stored = counts.signs + vectors.first(share.first);
      load(0);
      REHEAT_NO_UNROLL
      for (std::uint64_t row = 0; row < share.rows; row += rows)
      {
        halfword_vector own[rows];
        REHEAT_UNROLL
        for (unsigned i = 0; i < rows; ++i)
        {
          own[i] = next[i];
        }
        load(row + rows);
        REHEAT_UNROLL
        for (unsigned i = 0; i < rows; ++i)
        {
          if (simt::any(may_have_zeros(own[i]) && own[i].valid != 0))
          {
            halfword_zeros zeros(own[i], form);
            const std::uint32_t number = simt::count_ones(zeros.all), up_to = sort_warp_sums(number);
            std::uint8_t* to = stored + found + (up_to - number);
            for (; zeros.all != 0; zeros.all &= zeros.all - 1)
            {
              *to++ = (zeros.upper & zeros.all & (0 - zeros.all)) != 0 ? 1 : 0;
            }
            found += simt::shuffle(up_to, simt::warp_lanes - 1);
          }
        }
      }
    }
    if (lane == 0)
    {
      counts.zeros[warp] = found * 4 + static_cast<unsigned>(signs);
    }
    if (thread == 0)
    {
      counts.block_zeros[simt::block_index()] = lower + upper;
    }
  }
}

struct sort_halfword_write_shared
{
  std::uint64_t* groups; //!< where the words of each group begin, and behind them the number of keys
  std::uint64_t* totals; //!< for sums over the block, twice
  std::uint32_t* starts; //!< of words that have keys, counted from the block's first key, and behind the last one ~0u
  std::uint16_t* words;  //!< these
  std::uint32_t* listed; //!< how many there are

  REHEAT_EXEC_CHECK_DISABLE
  template <class Memory>
  REHEAT_HOST_DEVICE sort_halfword_write_shared(Memory& memory, const sort_halfword_config& cfg)
      : groups(memory.template array<std::uint64_t>(halfword_groups + 1)),
        totals(memory.template array<std::uint64_t>(2 * library::warp_lanes)),
        starts(memory.template array<std::uint32_t>(cfg.listed_words() + 1)),
        words(memory.template array<std::uint16_t>(cfg.listed_words())), listed(memory.template array<std::uint32_t>(1))
  {}
};

//! In sums, the upper 16 bits are how many words have keys, and the lower 48 bits how many keys.
inline constexpr std::uint64_t listed_one = std::uint64_t{1} << 48;

//! Writes the keys of listed words at the places from `place` on, except those in [zeros_begin, zeros_end), which
//! write_zeros writes.
template <unsigned Threads, unsigned ListedWords, bool IsFloat>
REHEAT_DEVICE void write_listed(const sort_halfword_write_shared& shared, const halfword_vectors& vectors,
                                std::uint16_t* out, const key_form<std::uint16_t, IsFloat>& form, std::uint64_t begin,
                                std::uint64_t place, std::uint64_t stop, std::uint64_t zeros_begin, std::uint64_t zeros_end)
{
  constexpr unsigned keys = halfword_vectors::keys;
  const unsigned listed = *shared.listed;
  unsigned at = 0;
  std::uint32_t next = 0;
  std::uint32_t word = 0;
  const std::uint64_t behind = vectors.of(stop - 1) + 1;
  for (std::uint64_t vector = vectors.of(place) + simt::thread_index(); vector < behind; vector += Threads)
  {
    const std::uint64_t of_vector = vectors.first(vector), end_of_vector = vectors.end(vector);
    const std::uint64_t first = of_vector < place ? place : of_vector, end = end_of_vector < stop ? end_of_vector : stop;
    const auto relative = static_cast<std::uint32_t>(first - begin);
    if (next <= relative)
    {
      at = 0;
      REHEAT_UNROLL
      for (unsigned step = ListedWords / 2; step != 0; step /= 2)
      {
        at += at + step < listed && shared.starts[at + step] <= relative ? step : 0;
      }
      word = form.stored_of(shared.words[at]);
      next = shared.starts[at + 1];
    }
    halfword_vector stored;
    stored.valid = static_cast<unsigned>(end - first);
    if (next - relative >= keys)
    {
      REHEAT_UNROLL
      for (unsigned i = 0; i < keys / 2; ++i)
      {
        stored.words[i] = word * 0x10001u;
      }
    }
    else
    {
      REHEAT_UNROLL
      for (unsigned i = 0; i < keys; ++i)
      {
        // Loads have no condition: with one, sm_90 code of nvcc 13.0 was a place late from the vector's second word on.
        at += next <= relative + i && i < stored.valid ? 1 : 0;
        word = form.stored_of(shared.words[at]);
        next = shared.starts[at + 1];
        stored.words[i / 2] = i % 2 == 0 ? word : stored.words[i / 2] | word << 16;
      }
    }
    if (IsFloat && first < zeros_end && end > zeros_begin)
    {
      REHEAT_UNROLL
      for (unsigned i = 0; i < keys; ++i)
      {
        if (i < stored.valid && (first + i < zeros_begin || first + i >= zeros_end))
        {
          store_word(out + first + i, stored.key(i));
        }
      }
      continue;
    }
    store_halfwords(out + first, stored);
  }
}

//! Copies zeros of both signs. Each warp takes the zeros of one counting warp at a time. A counting block had `block_warps`
//! warps.
template <unsigned Threads>
REHEAT_DEVICE void write_zeros(const sort_halfword_counts& counts, unsigned counting, unsigned block_warps,
                               const halfword_vectors& counted, std::uint16_t* out,
                               const key_form<std::uint16_t, true>& form)
{
  constexpr unsigned warps = Threads / simt::warp_lanes, ahead = 8;
  const unsigned lane = simt::lane_index();
  const std::uint16_t zero[2] = {form.stored_of(static_cast<std::uint16_t>(lower_zero)),
                                 form.stored_of(static_cast<std::uint16_t>(lower_zero + 1))};
  for (unsigned warp = simt::block_index() * warps + simt::warp_index(); warp < counting;
       warp += simt::grid_blocks() * warps)
  {
    const unsigned block = warp / block_warps;
    std::uint64_t before = 0;
    for (unsigned other = lane; other < block; other += simt::warp_lanes)
    {
      before += counts.block_zeros[other];
    }
    for (unsigned other = block * block_warps + lane; other < warp; other += simt::warp_lanes)
    {
      before += counts.zeros[other] / 4;
    }
    std::uint16_t* const to = out + simt::shuffle(sort_warp_sums(before), simt::warp_lanes - 1);
    const std::uint64_t found = counts.zeros[warp] / 4;
    const auto signs = static_cast<halfword_signs>(counts.zeros[warp] % 4);
    const halfword_share share(counted, warp, counting);
    const std::uint8_t* const stored = counts.signs + (found == 0 ? 0 : counted.first(share.first));
    for (std::uint64_t first = lane; first < found; first += ahead * simt::warp_lanes)
    {
      unsigned is_upper[ahead];
      REHEAT_UNROLL
      for (unsigned i = 0; i < ahead; ++i)
      {
        const std::uint64_t own = first + i * simt::warp_lanes;
        is_upper[i] = signs == halfword_signs::are_upper ? 1 : 0;
        if (signs == halfword_signs::are_stored && own < found)
        {
          is_upper[i] = stored[own];
        }
      }
      REHEAT_UNROLL
      for (unsigned i = 0; i < ahead; ++i)
      {
        const std::uint64_t own = first + i * simt::warp_lanes;
        if (own < found)
        {
          store_word(to + own, is_upper[i] != 0 ? zero[1] : zero[0]);
        }
      }
    }
  }
}

//! Vectors of a block that writes, at most: places in its share have 32 bits.
inline constexpr std::uint64_t halfword_share_max = std::uint64_t{1} << 27;

//! Writes sorted keys, which `counting` warps have counted. `share`: vectors of a block.
template <class Tuning, bool IsFloat>
REHEAT_KERNEL(Tuning{}(simt::arch).write_threads, 2)
sort_halfword_writes_kernel(sort_halfword_counts counts, unsigned counting, const std::uint16_t* in, std::uint16_t* out,
                            std::uint64_t items, std::uint64_t share, key_form<std::uint16_t, IsFloat> form)
{
  constexpr sort_halfword_config cfg = Tuning{}(simt::arch);
  constexpr unsigned threads = cfg.write_threads, own_words = cfg.write_words;
  constexpr unsigned window = cfg.listed_words() / halfword_group; // groups
  static_assert(threads >= halfword_groups && own_words % 4 == 0, "a thread has a group at most");
  simt::shared_memory memory;
  const sort_halfword_write_shared shared(memory, cfg);
  const unsigned thread = simt::thread_index();
  simt::grid_dependency_wait(simt::unless(simt::fault::sort_too_early));
  simt::trigger_dependent_launch();
  const std::uint64_t group_start = sort_block_sums<halfword_groups>(
      thread < halfword_groups ? counts.groups[thread] : 0, shared.totals, simt::fault::sort_halfwords_skip_totals_barrier);
  if (thread < halfword_groups)
  {
    shared.groups[thread] = group_start;
  }
  if (thread == 0)
  {
    shared.groups[halfword_groups] = items;
  }
  simt::sync_block(simt::unless(simt::fault::sort_halfwords_skip_groups_barrier));

  // Where zeros of both signs are.
  std::uint64_t zeros_begin = items, zeros_end = items;
  if constexpr (IsFloat)
  {
    const std::uint64_t lower = counts.of<cfg.limit_log2>(lower_zero), upper = counts.of<cfg.limit_log2>(lower_zero + 1);
    if (lower != 0 && upper != 0 && !simt::fault_active(simt::fault::sort_halfwords_trust_zeros))
    {
      zeros_begin = shared.groups[halfword_groups / 2] - lower;
      zeros_end = zeros_begin + lower + upper;
    }
  }

  const halfword_vectors vectors(out, items);
  const std::uint64_t first_vector = simt::block_index() * share, all_vectors = vectors.count();
  const std::uint64_t behind = first_vector + share < all_vectors ? first_vector + share : all_vectors;
  const std::uint64_t begin = vectors.first(first_vector), end = vectors.end(behind - 1);
  std::uint64_t place = begin;
  while (place < end)
  {
    // The next words, from the group of this place on. Those that have keys are listed.
    unsigned group = 0;
    REHEAT_UNROLL
    for (unsigned step = halfword_groups / 2; step != 0; step /= 2)
    {
      group += shared.groups[group + step] <= place ? step : 0;
    }
    const unsigned behind_window = group + window < halfword_groups ? group + window : halfword_groups;
    const std::uint64_t of_window = shared.groups[behind_window], stop = of_window < end ? of_window : end;
    const unsigned first_word = group * halfword_group + thread * own_words;
    std::uint64_t own[own_words], sum = 0;
    REHEAT_UNROLL
    for (unsigned i = 0; i < own_words; i += 4)
    {
      std::uint32_t low[4] = {}, high[4] = {};
      if (first_word < halfword_values)
      {
        load_counts(counts.low + first_word + i, low);
        if (counts.high != nullptr)
        {
          load_counts(counts.high + first_word + i, high);
        }
      }
      REHEAT_UNROLL
      for (unsigned k = 0; k < 4; ++k)
      {
        own[i + k] = low[k] + (std::uint64_t{high[k]} << cfg.limit_log2);
        sum += own[i + k] + (own[i + k] != 0 ? listed_one : 0);
      }
    }
    const std::uint64_t sums =
        sort_block_sums<threads>(sum, shared.totals + simt::warp_lanes, simt::fault::sort_halfwords_skip_sums_barrier);
    std::uint64_t start = shared.groups[group] + (sums & (listed_one - 1));
    auto at = static_cast<unsigned>(sums / listed_one);
    REHEAT_UNROLL
    for (unsigned i = 0; i < own_words; ++i)
    {
      if (own[i] != 0)
      {
        shared.starts[at] = start <= begin ? 0 : start < end ? static_cast<std::uint32_t>(start - begin) : ~0u;
        shared.words[at] = static_cast<std::uint16_t>(first_word + i);
        ++at;
        start += own[i];
      }
    }
    if (thread == threads - 1)
    {
      *shared.listed = at;
      shared.starts[at] = ~0u;
    }
    simt::sync_block(simt::unless(simt::fault::sort_halfwords_skip_list_barrier));
    write_listed<threads, cfg.listed_words()>(shared, vectors, out, form, begin, place, stop, zeros_begin, zeros_end);
    place = stop; // the barrier in sort_block_sums keeps the list until all threads have written
  }
  if constexpr (IsFloat)
  {
    if (zeros_begin < zeros_end)
    {
      write_zeros<threads>(counts, counting, cfg.threads / simt::warp_lanes, halfword_vectors(in, items), out + zeros_begin,
                           form);
    }
  }
}

} // namespace detail
REHEAT_NAMESPACE_END

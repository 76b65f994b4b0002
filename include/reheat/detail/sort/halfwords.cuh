// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Sorts of keys of two bytes, sorted by all bits and without values: how often each word occurs says what stands where.
//!
//! A block counts in shared memory, which has 16 bits for each of the 65536 words. Few keys are counted and written by one
//! block. More keys take three launches: the first one clears counters in global memory. Blocks of the second one count
//! their keys, and add their counts to these. Blocks of the third one write equal shares of the sorted keys.
//!
//! Negative zero and zero are equal, so they keep the order of the input. Their words are neighbours. Where a block that
//! counts finds both, its warps read their keys once more, and store which of the zeros they find are negative. Blocks that
//! write copy that if all keys together have both.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/simt/simt.cuh>
#include <reheat/detail/sort/digits.cuh>
#include <reheat/detail/sort/histogram.cuh>
#include <reheat/detail/sort/tuning.cuh>
#include <reheat/detail/thread/items.cuh>

#include <cstdint>
#include <cstring>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

//! A counter is a word of two halves: words without and with the highest bit, so that neighbours are in different banks.
inline constexpr unsigned halfword_values = 1u << 16, halfword_counters = halfword_values / 2;
inline constexpr unsigned halfword_group = 256, halfword_groups = halfword_values / halfword_group;
//! The words of the two zeros, in either order, are this one and the next.
inline constexpr unsigned lower_zero = key_form<std::uint16_t, true>::sign - 1;

//! An array of keys as vectors of 16 bytes. The first one and the last one may be partial.
class halfword_vectors
{
public:
  static constexpr unsigned keys = 8;

  REHEAT_HOST_DEVICE halfword_vectors(const std::uint16_t* array, std::uint64_t items)
      : skipped_(static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(array) / sizeof(std::uint16_t) % keys)),
        items_(items)
  {}
  REHEAT_HOST_DEVICE std::uint64_t count() const { return (skipped_ + items_ + keys - 1) / keys; }
  REHEAT_DEVICE std::uint64_t first(std::uint64_t vector) const { return vector == 0 ? 0 : vector * keys - skipped_; }
  REHEAT_DEVICE std::uint64_t end(std::uint64_t vector) const
  {
    const std::uint64_t behind = (vector + 1) * keys - skipped_;
    return behind < items_ ? behind : items_;
  }
  //! The vector that has a key.
  REHEAT_DEVICE std::uint64_t of(std::uint64_t place) const { return (place + skipped_) / keys; }

private:
  unsigned skipped_; //!< of the first vector
  std::uint64_t items_;
};

//! A thread's vector of keys, as stored. Those from `valid` on mean nothing.
struct halfword_vector
{
  std::uint32_t words[halfword_vectors::keys / 2];
  unsigned valid;

  REHEAT_DEVICE std::uint16_t key(unsigned i) const { return static_cast<std::uint16_t>(words[i / 2] >> i % 2 * 16); }
  REHEAT_DEVICE bool is_equal() const
  {
    return words[0] == words[1] && words[0] == words[2] && words[0] == words[3] && key(0) == key(1);
  }
};

REHEAT_DEVICE inline halfword_vector load_halfwords(const std::uint16_t* in, const halfword_vectors& vectors,
                                                    std::uint64_t vector, std::uint64_t end)
{
  halfword_vector loaded{};
  if (vector < end)
  {
    const std::uint64_t first = vectors.first(vector);
    loaded.valid = static_cast<unsigned>(vectors.end(vector) - first);
    if (loaded.valid == halfword_vectors::keys)
    {
      const vec16 bits = *reinterpret_cast<const vec16*>(in + first);
      memcpy(loaded.words, &bits, sizeof bits);
      return loaded;
    }
    REHEAT_UNROLL
    for (unsigned i = 0; i < halfword_vectors::keys; ++i)
    {
      loaded.words[i / 2] |= i < loaded.valid ? std::uint32_t{load_word(in + first + i)} << i % 2 * 16 : 0;
    }
  }
  return loaded;
}

//! Whether a key of a vector may be a zero: those that mean nothing count, too.
REHEAT_DEVICE inline bool may_have_zeros(const halfword_vector& loaded)
{
  std::uint32_t all = ~0u;
  REHEAT_UNROLL
  for (const std::uint32_t word : loaded.words)
  {
    all &= (word & 0x7fff7fffu) + 0x7fff7fffu; // the highest bit of a half is set unless the number is zero
  }
  return (all & 0x80008000u) != 0x80008000u;
}

//! Which keys of a vector are zeros, and which have the upper word.
struct halfword_zeros
{
  unsigned all, upper;

  template <class Form>
  REHEAT_DEVICE halfword_zeros(const halfword_vector& loaded, const Form& form) : all(0), upper(0)
  {
    REHEAT_UNROLL
    for (unsigned i = 0; i < halfword_vectors::keys; ++i)
    {
      const unsigned word = form.word_of(loaded.key(i)) - lower_zero;
      all |= (word <= 1 && i < loaded.valid ? 1u : 0u) << i;
      upper |= (word == 1 ? 1u : 0u) << i;
    }
  }
};

//! Stores the first `valid` keys of a vector.
REHEAT_DEVICE inline void store_halfwords(std::uint16_t* out, const halfword_vector& vector)
{
  if (vector.valid == halfword_vectors::keys)
  {
    vec16 bits;
    memcpy(&bits, vector.words, sizeof bits);
    *reinterpret_cast<vec16*>(out) = bits;
    return;
  }
  REHEAT_UNROLL
  for (unsigned i = 0; i < halfword_vectors::keys; ++i)
  {
    if (i < vector.valid)
    {
      store_word(out + i, vector.key(i));
    }
  }
}

// ---- one block -----------------------------------------------------------------------------------------------------------

//! Where a counter is, so that threads can read 32 neighbours each without conflicts of banks.
REHEAT_DEVICE inline unsigned spread_counter(unsigned counter)
{
  return counter ^ (counter >> 5 & 7) << 2;
}

struct sort_halfword_block_shared
{
  std::uint32_t* counters;
  std::uint16_t* staged; //!< a word where it begins in the output, else 0
  std::uint32_t* totals;

  REHEAT_EXEC_CHECK_DISABLE
  template <class Memory>
  REHEAT_HOST_DEVICE sort_halfword_block_shared(Memory& memory, const sort_halfword_config& cfg)
      : counters(memory.template array<std::uint32_t>(halfword_counters, sizeof(vec16))),
        staged(memory.template array<std::uint16_t>(cfg.one_block_items + halfword_vectors::keys, sizeof(vec16))),
        totals(memory.template array<std::uint32_t>(3 * library::warp_lanes))
  {}
};

//! Clears an array of shared memory whose bytes are a multiple of 16.
template <unsigned Threads>
REHEAT_DEVICE void clear_halfword_counters(void* words, unsigned bytes)
{
  const std::uint32_t zero[4] = {};
  vec16 zeros;
  memcpy(&zeros, zero, sizeof zeros);
  REHEAT_UNROLL
  for (unsigned i = simt::thread_index(); i < bytes / sizeof(vec16); i += Threads)
  {
    static_cast<vec16*>(words)[i] = zeros;
  }
}

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
  simt::shared_memory memory;
  const sort_halfword_block_shared shared(memory, cfg);
  const unsigned thread = simt::thread_index();
  clear_halfword_counters<threads>(shared.counters, halfword_counters * sizeof(std::uint32_t));
  clear_halfword_counters<threads>(shared.staged, (cfg.one_block_items + keys) * sizeof(std::uint16_t));
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
  {
    const vec16 bits =
        reinterpret_cast<const vec16*>(shared.counters)[spread_counter((thread * vectors_of_thread + vector) * 4) / 4];
    memcpy(four, &bits, sizeof bits);
  };
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

// ---- three launches ------------------------------------------------------------------------------------------------------

//! What blocks find. Counters and totals begin as zeros.
struct sort_halfword_counts
{
  std::uint32_t* low;    //!< how many keys have each word
  std::uint32_t* high;   //!< and how often it has reached the limit of a counter; null if it cannot
  std::uint64_t* groups; //!< how many keys have a word of each group
  std::uint64_t* zeros;  //!< floating-point numbers: of each warp's keys, the number of zeros times 4, and a halfword_signs
  std::uint64_t* block_zeros; //!< the numbers of zeros of all keys of a block
  std::uint8_t* signs;        //!< of zeros in the order of the input, from the place of the warp's first key on

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

//! Which vectors a warp counts. All warps have as many rows, but for the last ones.
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
  // A counter has less than `limit` at a barrier, and is back below it at the next one.
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
  std::uint32_t* starts; //!< of words that have keys, counted from the block's first key, and a word of ones
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

//! Added to a count, in sums of counts that also count words.
inline constexpr std::uint64_t listed_one = std::uint64_t{1} << 48;

REHEAT_DEVICE inline void load_counts(const std::uint32_t* from, std::uint32_t (&four)[4])
{
  const vec16 bits = *reinterpret_cast<const vec16*>(from);
  memcpy(four, &bits, sizeof bits);
}

//! Writes the keys of listed words at the places from `place` on, but no zeros of both signs.
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

//! Copies zeros of both signs. Warps take turns at what each warp has found that counted; a block had `block_warps`.
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
  const std::uint64_t begin = first_vector < behind ? vectors.first(first_vector) : items;
  const std::uint64_t end = first_vector < behind ? vectors.end(behind - 1) : items;
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
    place = stop; // nobody lists other words before all threads add up their counts
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

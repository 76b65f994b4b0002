// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The sort of keys that a block holds in shared memory: of all keys, in one launch of one block, or of buckets of keys with
//! the same highest digit, a block for each. A key in a bin, and one that has a value, takes along where it was. Values move
//! once, at the end.
//!
//! The block puts keys into bins by the highest bits in which they differ, in any order, and then ranks each key among those
//! of its bin: equal ones by where they were, or in any order if they are the same and have no values. There are about as
//! many bins as keys. Where keys differ in no other bits, those of a bin are not ranked.
//!
//! Where a bin has many keys that differ, keys of 4 bytes and more that are sorted by all bits are merged (merges.cuh).
//! Pairs whose bins have one key each, many times, are sorted by the numbers of their bins. Others, and keys that differ in
//! few bits, are sorted by digit after digit, from the lowest one that varies. Such a pass ranks keys by ballots
//! (ranks.cuh): it takes as long whatever the keys are, where atomic additions take turns if many keys have the same digit.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/simt/simt.cuh>
#include <reheat/detail/sort/digits.cuh>
#include <reheat/detail/sort/histogram.cuh>
#include <reheat/detail/sort/merges.cuh>
#include <reheat/detail/sort/network.cuh>
#include <reheat/detail/sort/ranks.cuh>
#include <reheat/detail/sort/tuning.cuh>
#include <reheat/detail/thread/items.cuh>

#include <cstdint>
#include <cstring>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

//! The position of the highest set bit of a word that is not zero.
template <class Word>
REHEAT_DEVICE unsigned highest_bit(Word word)
{
  if constexpr (sizeof(Word) <= 4)
  {
    return simt::highest_one(word);
  }
  else
  {
    constexpr unsigned half = 4 * sizeof(Word);
    using half_word = sort_word<sizeof(Word) / 2>;
    const auto high = static_cast<half_word>(word >> half);
    return high != 0 ? half + highest_bit(high) : highest_bit(static_cast<half_word>(word));
  }
}

//! Turns the counts of a block's bins into where they begin; the last one ends at `items`. Calls
//! `found(how many keys the largest of the thread's bins has)` in between. All threads call, between two barriers. `totals`
//! is sort_block_sums'. Threads read their second vector first in every other four, lest they be in one bank.
template <unsigned Threads, unsigned Bins, class Found>
REHEAT_DEVICE void begins_of_bins(std::uint32_t* bins, std::uint32_t* totals, unsigned thread, unsigned items,
                                  simt::fault skipped, Found found)
{
  constexpr unsigned vectors = Bins / Threads / 4;
  static_assert(Bins % (Threads * 4) == 0 && (vectors == 1 || vectors == 2), "a vector of bins, or two");
  vec16* const own = reinterpret_cast<vec16*>(bins) + thread * vectors;
  const unsigned turned = thread / 4 & (vectors - 1);
  vec16 vector[vectors];
  REHEAT_UNROLL
  for (unsigned i = 0; i < vectors; ++i)
  {
    vector[i] = own[i ^ turned];
  }
  if (vectors == 2 && turned != 0)
  {
    const vec16 first = vector[0];
    vector[0] = vector[vectors - 1];
    vector[vectors - 1] = first;
  }
  std::uint32_t count[4 * vectors], total = 0;
  memcpy(count, vector, sizeof vector);
  unsigned largest = 0;
  REHEAT_UNROLL
  for (unsigned i = 0; i < 4 * vectors; ++i)
  {
    total += count[i];
    largest = largest < count[i] ? count[i] : largest;
  }
  found(largest);
  std::uint32_t begin = sort_block_sums<Threads>(total, totals, skipped);
  REHEAT_UNROLL
  for (unsigned i = 0; i < 4 * vectors; ++i)
  {
    const std::uint32_t keys = count[i];
    count[i] = begin;
    begin += keys;
  }
  memcpy(vector, count, sizeof vector);
  if (vectors == 2 && turned != 0)
  {
    const vec16 first = vector[0];
    vector[0] = vector[vectors - 1];
    vector[vectors - 1] = first;
  }
  REHEAT_UNROLL
  for (unsigned i = 0; i < vectors; ++i)
  {
    own[i ^ turned] = vector[i];
  }
  if (thread == 0)
  {
    bins[Bins] = items;
  }
}

//! The keys that a block has room for: a network and merges have as many rows as a power of two.
REHEAT_HOST_DEVICE constexpr unsigned one_block_room(const sort_config& cfg, unsigned items)
{
  unsigned room = cfg.one_block_threads;
  while (room < items)
  {
    room *= 2;
  }
  return room;
}

template <class Word>
struct sort_one_block_shared
{
  struct order
  {
    Word* keys;
    std::uint16_t* sources; //!< their places in the input
  };
  order orders[2];
  Word* differences;       //!< of each warp's keys from the first key; or the bits that keys have, and those that they lack
  std::uint32_t* counters; //!< of each warp and digit; or where bins begin, and the last one ends
  std::uint32_t* totals;
  std::uint32_t* crowded; //!< warps that have found a crowded bin
  std::uint32_t* mixed;   //!< warps that have found keys that differ in a crowded bin

  //! `more_counters`, and `more_keys` of the first order: for other uses.
  REHEAT_EXEC_CHECK_DISABLE
  template <class Memory>
  REHEAT_HOST_DEVICE sort_one_block_shared(Memory& memory, const sort_config& cfg, unsigned items,
                                           unsigned more_counters = 0, unsigned more_keys = 0)
  {
    const unsigned warps = cfg.one_block_threads / simt::warp_lanes, of_warps = warps * cfg.digits();
    counters = memory.template array<std::uint32_t>((of_warps < cfg.bins ? cfg.bins : of_warps) + 1 + more_counters, 16);
    for (order& one : orders)
    {
      one.keys = memory.template array<Word>(items + more_keys, 16);
      more_keys = more_keys == 0 ? 0 : 16 / sizeof(Word);
    }
    differences = memory.template array<Word>(2 * warps);
    totals = memory.template array<std::uint32_t>(simt::warp_lanes);
    crowded = memory.template array<std::uint32_t>(1);
    mixed = memory.template array<std::uint32_t>(1);
    for (order& one : orders)
    {
      one.sources = memory.template array<std::uint16_t>(items);
    }
  }
};

template <class Tuning, class Word, bool IsFloat, bool HasValues, bool IsBucket, class Form = key_form<Word, IsFloat>>
class sort_one_block
{
  static constexpr sort_config cfg = Tuning{}(simt::arch);
  static constexpr unsigned warps = cfg.one_block_threads / simt::warp_lanes, digits = cfg.digits(), bins = cfg.bins;
  static_assert(digits <= cfg.one_block_threads, "a thread has a digit at most (places_of_counters)");
  static_assert((bins & (bins - 1)) == 0, "a bin is some bits of a key");

public:
  //! Whether keys whose bins are crowded may be sorted by a network, which takes less time than merges do if they have 4
  //! bytes.
  static constexpr bool has_network = !HasValues && !IsBucket && sizeof(Word) == 4;
  static constexpr bool has_merges = !has_network && !IsBucket && sizeof(Word) >= 4;
  static constexpr unsigned rows_max = IsBucket ? cfg.bucket_items_per_thread : cfg.one_block_items_per_thread;
  using shared_type = sort_one_block_shared<Word>;

  REHEAT_DEVICE sort_one_block(shared_type& shared, const Form& form, unsigned items)
      : shared_(shared), form_(form), items_(items), rows_((items + cfg.one_block_threads - 1) / cfg.one_block_threads),
        own_(items, rows_), from_(shared.orders[0]), to_(shared.orders[1])
  {}

  //! Returns the bits by which keys differ. `clears`: also clears the counters.
  REHEAT_DEVICE Word load(const Word* keys, bool clears)
  {
    clear(clears);
    const Word first = form_.sorted_by(form_.word_of(load_word(keys)));
    Word word[rows_max];
    for_rows<rows_max>(rows_,
                       [&](unsigned row) { word[row] = own_.has(row) ? load_word(keys + own_.place(row)) : Word(0); });
    Word difference = 0;
    for_rows<rows_max>(rows_,
                       [&](unsigned row)
                       {
                         if (own_.has(row))
                         {
                           const Word key = form_.word_of(word[row]);
                           from_.keys[own_.place(row)] = key;
                           difference = static_cast<Word>(difference | (form_.sorted_by(key) ^ first));
                         }
                       });
    return of_all_warps(difference, shared_.differences);
  }
  //! The same of runs of keys (ranges.cuh) without values; counters are cleared.
  template <class Runs>
  REHEAT_DEVICE Word load_runs(const Runs& runs)
  {
    clear(true);
    Word word[rows_max], set = 0, unset = 0;
    runs.load(
        word, [&](unsigned row) { return own_.has(row); }, [&](unsigned row) { return own_.place(row); });
    for_rows<rows_max>(rows_,
                       [&](unsigned row)
                       {
                         if (own_.has(row))
                         {
                           const Word key = form_.word_of(word[row]);
                           from_.keys[own_.place(row)] = key;
                           set = static_cast<Word>(set | key);
                           unset = static_cast<Word>(unset | ~key);
                         }
                       });
    return static_cast<Word>(of_all_warps(set, shared_.differences) & of_all_warps(unset, shared_.differences + warps));
  }

  //! Sorts by the bits `sorted`, in which keys differ as `differences` says; counters are clear. `are_witnesses`: keys that
  //! are the same need no order. Returns false, with keys as they were, if a bin has many keys that differ. Otherwise keys
  //! are in their bins, and those of the thread's rows go `to` these places.
  REHEAT_DEVICE bool sort_by_bins(Word sorted, Word differences, bool are_witnesses, unsigned (&to)[rows_max])
  {
    constexpr unsigned bin_bits = log2_of(bins);
    const unsigned top = highest_bit(differences) + 1;
    const unsigned shift = top > bin_bits ? top - bin_bits : 0;
    // The keys of a bin are the same, and need no order: there is no crowd.
    const bool are_same = are_witnesses && !IsFloat && shift == 0;
    // Few keys are the same where they are large: to ask about zeros costs f32 3 to 12 %.
    const bool in_any_order = are_witnesses && (!IsFloat || sizeof(Word) == 2);
    const auto bin_of = [&](Word key)
    { return static_cast<unsigned>(static_cast<Word>(form_.sorted_by(key) & sorted) >> shift) & (bins - 1); };
    Word key[rows_max];
    unsigned rank[rows_max];
    bool finds_crowd = false;
    for_rows<rows_max>(rows_,
                       [&](unsigned row)
                       {
                         const bool has = own_.has(row);
                         key[row] = has ? from_.keys[own_.place(row)] : Word(0);
                         rank[row] = simt::shared_add_of_warp(shared_.counters + bin_of(key[row]), has);
                       });
    for_rows<rows_max>(rows_,
                       [&](unsigned row) { finds_crowd |= !are_same && own_.has(row) && rank[row] >= cfg.bin_items; });
    if (simt::any(finds_crowd))
    {
      // Neighbours that differ in a crowded bin show what has_same_keys() would find, before keys are moved.
      bool differ = false;
      for_rows<rows_max>(rows_,
                         [&](unsigned row)
                         {
                           const Word before = simt::shuffle_up(key[row], 1);
                           differ |= own_.has(row) && simt::lane_index() != 0 && rank[row] >= cfg.bin_items &&
                                     before != key[row] && bin_of(before) == bin_of(key[row]);
                         });
      const bool any_differ = simt::any(differ);
      if (simt::lane_index() == 0)
      {
        simt::shared_add(shared_.crowded, 1u);
        simt::shared_add(shared_.mixed, any_differ ? 1u : 0u);
      }
    }
    simt::sync_block(simt::unless(simt::fault::sort_skip_bins_barrier));
    const bool is_crowded = *shared_.crowded != 0;
    if (is_crowded && (*shared_.mixed != 0 || (!are_witnesses && !HasValues)))
    {
      return false;
    }
    begins_of_bins<cfg.one_block_threads, bins>(shared_.counters, shared_.totals, simt::thread_index(), items_,
                                                simt::fault::sort_skip_bin_totals_barrier, [](unsigned) {});
    simt::sync_block(simt::unless(simt::fault::sort_skip_begins_barrier));
    if constexpr (HasValues)
    {
      if (is_crowded)
      {
        unsigned number[rows_max];
        const unsigned varying = number_bins(sorted, bin_of, key, rank, number);
        if (varying == 0)
        {
          return false;
        }
        sort_by_digits(key, number, varying, [&](Word, unsigned row) { return number[row]; });
        stay(to);
        return true;
      }
    }
    for_rows<rows_max>(rows_,
                       [&](unsigned row)
                       {
                         if (own_.has(row))
                         {
                           const unsigned place = shared_.counters[bin_of(key[row])] + rank[row];
                           to_.keys[place] = key[row];
                           if (!in_any_order || is_zero(key[row]))
                           {
                             to_.sources[place] = static_cast<std::uint16_t>(own_.place(row));
                           }
                         }
                       });
    simt::sync_block(simt::unless(simt::fault::sort_skip_binned_barrier));
    swap_orders();
    if (is_crowded && !has_same_keys(bin_of))
    {
      swap_orders();
      return false;
    }
    have_moved_ = true;
    if (are_same)
    {
      stay(to);
    }
    else if (in_any_order)
    {
      rank_in_bins<true>(sorted, bin_of, to);
    }
    else
    {
      rank_in_bins<false>(sorted, bin_of, to);
    }
    return true;
  }

  //! One pass, which sorts by `digit`. Keys differ only in the bits `varying` of that digit.
  REHEAT_DEVICE void sort_by(const sort_digit<Word>& digit, unsigned varying)
  {
    Word key[rows_max];
    unsigned own_digit[rows_max];
    for_rows<rows_max>(rows_,
                       [&](unsigned row)
                       {
                         key[row] = own_.has(row) ? from_.keys[own_.place(row)] : Word(0);
                         own_digit[row] = digit(form_.sorted_by(key[row]));
                       });
    // There are few registers for large keys.
    sort_by_digits(key, own_digit, varying,
                   [&](Word moved, unsigned row)
                   { return sizeof(Word) > 4 ? digit(form_.sorted_by(moved)) : own_digit[row]; });
  }

  //! Whether a sort by comparison takes less time than one by `varying` digits. `differences`: the bits in which keys
  //! differ. NVIDIA H200, below 1000, 2^11 and 2^12, us: pairs of u32, which differ in 10 bits, by digits 7.1 and 9.5,
  //! merged 10.3 and 15.1; f32, in 17 bits, 9.4 and 12.6, in a network 7.6 and 11.8; 2^13 19.2 and 20.5; f64, in 20 bits,
  //! 2^12, 16.6 and 18.1.
  REHEAT_DEVICE bool takes_less_by_comparison(Word differences, unsigned varying) const
  {
    if (!HasValues && !IsFloat)
    {
      return varying > 1;
    }
    unsigned bits = 0;
    for (unsigned shift = 0; shift < 8 * sizeof(Word); shift += 32)
    {
      bits += simt::count_ones(static_cast<std::uint32_t>(differences >> shift));
    }
    return bits > (HasValues ? 24u : sizeof(Word) == 8 || rows_ > 8 ? 20u : 16u);
  }
  //! Sorts by all bits the keys, which are `keys` in the input.
  REHEAT_DEVICE void sort_by_comparison(const Word* keys)
  {
    static_assert((rows_max & (rows_max - 1)) == 0);
    if (IsFloat && !HasValues && simt::thread_index() == 0)
    {
      shared_.differences[1] = 0;
    }
    if (rows_max >= 4 && rows_ <= rows_max / 4)
    {
      compare_rows<(rows_max >= 4 ? rows_max / 4 : 1)>();
    }
    else if (rows_max >= 2 && rows_ <= rows_max / 2)
    {
      compare_rows<(rows_max >= 2 ? rows_max / 2 : 1)>();
    }
    else
    {
      compare_rows<rows_max>();
    }
    if constexpr (IsFloat && !HasValues)
    {
      order_zeros(from_.keys, keys, form_, items_, shared_.differences, shared_.totals);
    }
  }

  //! Keys of the thread's rows stay where they are.
  REHEAT_DEVICE void stay(unsigned (&to)[rows_max]) const
  {
    for_rows<rows_max>(rows_, [&](unsigned row) { to[row] = own_.place(row); });
  }

  //! Stores the keys of the thread's rows at places `to`, and their values by way of registers, since values may go where
  //! they are.
  template <class Value>
  REHEAT_DEVICE void store(const sort_memory<const Word, const Value>& in, const sort_memory<Word, Value>& out,
                           const unsigned (&to)[rows_max])
  {
    Value value[rows_max];
    for_rows<rows_max>(rows_,
                       [&](unsigned row)
                       {
                         if (own_.has(row))
                         {
                           const unsigned place = own_.place(row);
                           store_word(out.keys + to[row], form_.stored_of(from_.keys[place]));
                           if constexpr (has_values_v<Value>)
                           {
                             value[row] = load_word(in.values + source_of(place));
                           }
                         }
                       });
    if constexpr (has_values_v<Value>)
    {
      simt::sync_block(simt::unless(simt::fault::sort_skip_values_barrier));
      for_rows<rows_max>(rows_,
                         [&](unsigned row)
                         {
                           if (own_.has(row))
                           {
                             store_word(out.values + to[row], value[row]);
                           }
                         });
    }
  }

private:
  //! Whether a key is zero or negative zero, which are sorted as equals.
  REHEAT_DEVICE static bool is_zero(Word key)
  {
    if constexpr (IsFloat)
    {
      return Form::sorted_by(key) == Form::sign;
    }
    return false;
  }
  REHEAT_DEVICE void clear(bool clears)
  {
    for (unsigned bin = simt::thread_index(); clears && bin < bins; bin += cfg.one_block_threads)
    {
      shared_.counters[bin] = 0;
    }
    if (simt::thread_index() == 0)
    {
      *shared_.crowded = 0;
      *shared_.mixed = 0;
    }
  }
  //! The bits of all threads' words. `of_warps` has a word for each warp. All threads call.
  REHEAT_DEVICE static Word of_all_warps(Word bits, Word* of_warps)
  {
    for (unsigned distance = simt::warp_lanes / 2; distance != 0; distance /= 2)
    {
      bits = static_cast<Word>(bits | simt::shuffle(bits, simt::lane_index() ^ distance));
    }
    if (simt::lane_index() == 0)
    {
      of_warps[simt::warp_index()] = bits;
    }
    simt::sync_block(simt::unless(simt::fault::sort_skip_differences_barrier));
    REHEAT_UNROLL
    for (unsigned warp = 0; warp < warps; ++warp)
    {
      bits = static_cast<Word>(bits | of_warps[warp]);
    }
    return bits;
  }
  REHEAT_DEVICE void swap_orders()
  {
    const typename shared_type::order written = to_;
    to_ = from_;
    from_ = written;
  }
  //! One pass, where the keys of the thread's rows have these digits. `digit_of(key, row)` returns one again.
  template <class DigitOf>
  REHEAT_DEVICE void sort_by_digits(const Word (&key)[rows_max], const unsigned (&own_digit)[rows_max], unsigned varying,
                                    DigitOf digit_of)
  {
    std::uint32_t* const counters = shared_.counters + simt::warp_index() * digits;
    unsigned rank[rows_max];
    clear_counters(counters, digits);
    rank_by_ballots<rows_max>(counters, own_, rows_, varying, own_digit, rank);
    simt::sync_block(simt::unless(simt::fault::sort_block_skip_ranks_barrier));
    places_of_counters<warps, digits>(shared_.counters, shared_.totals, [](unsigned) {});
    simt::sync_block(simt::unless(simt::fault::sort_block_skip_places_barrier));
    for_rows<rows_max>(rows_,
                       [&](unsigned row)
                       {
                         if (own_.has(row))
                         {
                           const unsigned place = own_.place(row);
                           const Word moved = sizeof(Word) > 4 ? from_.keys[place] : key[row];
                           const unsigned to = counters[digit_of(moved, row)] + rank[row];
                           to_.keys[to] = moved;
                           if constexpr (HasValues)
                           {
                             to_.sources[to] = static_cast<std::uint16_t>(source_of(place));
                           }
                         }
                       });
    simt::sync_block(simt::unless(simt::fault::sort_block_skip_sorted_barrier));
    swap_orders();
    have_moved_ = true;
  }
  template <unsigned Rows>
  REHEAT_DEVICE void compare_rows()
  {
    if constexpr (has_network)
    {
      using network_type = sort_network<Word, cfg.one_block_threads, Rows>;
      network_type network(to_.keys, from_.keys);
      Word key[Rows];
      REHEAT_UNROLL
      for (unsigned row = 0; row < Rows; ++row)
      {
        key[row] = own_.has(row) ? from_.keys[own_.place(row)] : static_cast<Word>(~Word(0));
      }
      network.sort(key);
      from_.keys = network.store(key);
    }
    else
    {
      sort_merges<Word, Form, typename shared_type::order, Rows, HasValues>(from_, to_).sort(items_);
      have_moved_ = true;
    }
  }
  //! Puts zeros of both signs, of which all of the lesser word are first now, in the order of the input. All threads call,
  //! behind a barrier.
  REHEAT_DEVICE static void order_zeros(Word* sorted, const Word* keys, Form form, unsigned items, Word* found,
                                        std::uint32_t* totals)
  {
    const unsigned rows = (items + cfg.one_block_threads - 1) / cfg.one_block_threads;
    const warp_rows<false> own(items, rows);
    Word& begin = found[0];    // the first zero's place
    Word& boundary = found[1]; // that of the first one with the greater word, if there are both
    REHEAT_NO_UNROLL
    for (unsigned row = 0; row < rows; ++row)
    {
      const unsigned place = own.place(row);
      if (own.has(row) && is_zero(sorted[place]))
      {
        const Word before = place == 0 ? Word(0) : sorted[place - 1];
        if (place == 0 || !is_zero(before))
        {
          begin = place;
        }
        else if (before != sorted[place])
        {
          boundary = place;
        }
      }
    }
    simt::sync_block(simt::unless(simt::fault::sort_skip_zeros_barrier));
    if (boundary == 0)
    {
      return;
    }
    const unsigned lanes_below = (1u << simt::lane_index()) - 1;
    Word word[rows_max];
    unsigned zeros = 0;
    for_rows<rows_max>(rows, [&](unsigned row)
                       { word[row] = own.has(row) ? form.word_of(load_word(keys + own.place(row))) : Word(0); });
    for_rows<rows_max>(rows,
                       [&](unsigned row) { zeros += simt::count_ones(simt::ballot(own.has(row) && is_zero(word[row]))); });
    const unsigned of_warp = sort_block_sums<cfg.one_block_threads>(simt::lane_index() == 0 ? zeros : 0, totals,
                                                                    simt::fault::sort_skip_zero_totals_barrier);
    unsigned next = static_cast<unsigned>(begin) + simt::shuffle(of_warp, 0);
    for_rows<rows_max>(rows,
                       [&](unsigned row)
                       {
                         const bool is_one = own.has(row) && is_zero(word[row]);
                         const unsigned lanes = simt::ballot(is_one);
                         if (is_one)
                         {
                           sorted[next + simt::count_ones(lanes & lanes_below)] = word[row];
                         }
                         next += simt::count_ones(lanes);
                       });
    simt::sync_block(simt::unless(simt::fault::sort_skip_ordered_zeros_barrier));
  }
  //! If each bin has one key, and not more bins than a digit has values have one: numbers these bins in order, and returns
  //! the bits in which the numbers of the thread's rows may differ. Otherwise returns 0. Uses up the counters, where bins
  //! begin. All threads call.
  template <class BinOf>
  REHEAT_DEVICE unsigned number_bins(Word sorted, BinOf bin_of, const Word (&key)[rows_max],
                                     const unsigned (&rank)[rows_max], unsigned (&number)[rows_max])
  {
    for_rows<rows_max>(rows_,
                       [&](unsigned row)
                       {
                         if (own_.has(row) && rank[row] == 0)
                         {
                           to_.keys[shared_.counters[bin_of(key[row])]] = key[row];
                         }
                       });
    simt::sync_block(simt::unless(simt::fault::sort_skip_witnesses_barrier));
    bool differ = false;
    for_rows<rows_max>(rows_,
                       [&](unsigned row)
                       {
                         differ |=
                             own_.has(row) &&
                             ((form_.sorted_by(to_.keys[shared_.counters[bin_of(key[row])]]) ^ form_.sorted_by(key[row])) &
                              sorted) != 0;
                       });
    if (simt::any(differ) && simt::lane_index() == 0)
    {
      simt::shared_add(shared_.mixed, 1u);
    }
    simt::sync_block(simt::unless(simt::fault::sort_skip_mixed_barrier));
    if (*shared_.mixed != 0)
    {
      return 0;
    }
    constexpr unsigned own_bins = bins / cfg.one_block_threads;
    std::uint32_t* const own = shared_.counters + simt::thread_index() * own_bins;
    std::uint32_t begin[own_bins + 1], kinds = 0;
    REHEAT_UNROLL
    for (unsigned i = 0; i <= own_bins; ++i)
    {
      begin[i] = own[i];
      kinds += i != 0 && begin[i] != begin[i - 1] ? 1 : 0;
    }
    std::uint32_t next = sort_block_sums<cfg.one_block_threads>(kinds, shared_.totals, simt::fault::sort_skip_kinds_barrier);
    REHEAT_UNROLL
    for (unsigned i = 0; i < own_bins; ++i)
    {
      own[i] = next;
      next += begin[i + 1] != begin[i] ? 1 : 0;
    }
    if (simt::thread_index() == cfg.one_block_threads - 1)
    {
      *shared_.mixed = next;
    }
    simt::sync_block(simt::unless(simt::fault::sort_skip_numbers_barrier));
    const unsigned all_kinds = *shared_.mixed;
    for_rows<rows_max>(rows_, [&](unsigned row) { number[row] = shared_.counters[bin_of(key[row])]; });
    simt::sync_block(simt::unless(simt::fault::sort_skip_numbered_barrier));
    return all_kinds <= digits ? (2u << highest_bit((all_kinds - 1) | 1u)) - 1 : 0;
  }
  //! Whether crowded bins have one key many times. All threads call.
  template <class BinOf>
  REHEAT_DEVICE bool has_same_keys(BinOf bin_of)
  {
    bool differ = false;
    for_rows<rows_max>(rows_,
                       [&](unsigned row)
                       {
                         const Word key = from_.keys[own_.has(row) ? own_.place(row) : 0];
                         const unsigned bin = bin_of(key), begin = shared_.counters[bin];
                         differ |= shared_.counters[bin + 1] - begin > cfg.bin_items && from_.keys[begin] != key;
                       });
    if (simt::any(differ) && simt::lane_index() == 0)
    {
      simt::shared_add(shared_.mixed, 1u);
    }
    simt::sync_block(simt::unless(simt::fault::sort_skip_mixed_barrier));
    return *shared_.mixed == 0;
  }
  //! What of a key is compared in its bin.
  template <bool InAnyOrder>
  REHEAT_DEVICE Word compared(Word key, Word sorted) const
  {
    return InAnyOrder ? key : static_cast<Word>(form_.sorted_by(key) & sorted);
  }
  //! Where the keys of the thread's rows go `to`, within their bins. Keys of crowded bins stay. Rows of a batch take steps
  //! through their bins together, so that their loads overlap. `InAnyOrder`: keys that are
  //! the same may change places. Zeros of both signs keep their order.
  template <bool InAnyOrder, class BinOf>
  REHEAT_DEVICE void rank_in_bins(Word sorted, BinOf bin_of, unsigned (&to)[rows_max]) const
  {
    constexpr unsigned batch = rows_max < 4 ? rows_max : 4;
    REHEAT_UNROLL
    for (unsigned first = 0; first < rows_max; first += batch)
    {
      if (first < rows_)
      {
        Word own[batch];
        unsigned begin[batch], size[batch], unordered[batch], longest = 0;
        bool has_equal[batch];
        REHEAT_UNROLL
        for (unsigned i = 0; i < batch; ++i)
        {
          const bool has = first + i < rows_max && own_.has(first + i);
          const unsigned place = has ? own_.place(first + i) : 0;
          own[i] = compared<InAnyOrder>(from_.keys[place], sorted);
          const unsigned bin = bin_of(from_.keys[place]);
          begin[i] = shared_.counters[bin];
          size[i] = shared_.counters[bin + 1] - begin[i];
          size[i] = has && size[i] > 1 && size[i] <= cfg.bin_items ? size[i] : 0; // others stay
          longest = longest < size[i] ? size[i] : longest;
          unordered[i] = place; // equal keys in front of there go first
          has_equal[i] = false;
          if (InAnyOrder && is_zero(own[i]))
          {
            own[i] = static_cast<Word>(Form::sign - 1); // the lesser one, lest the other one count
            unordered[i] = 0;
            has_equal[i] = size[i] != 0;
          }
          if (first + i < rows_max)
          {
            to[first + i] = size[i] != 0 ? begin[i] : place;
          }
        }
        for (unsigned step = 0; step < longest; ++step)
        {
          REHEAT_UNROLL
          for (unsigned i = 0; i < batch; ++i)
          {
            const bool is_in = step < size[i];
            const unsigned at = is_in ? begin[i] + step : 0;
            const Word other = compared<InAnyOrder>(from_.keys[at], sorted);
            if (first + i < rows_max)
            {
              const bool is_before = InAnyOrder && at < unordered[i] ? other <= own[i] : other < own[i];
              to[first + i] += is_in && is_before ? 1 : 0;
              has_equal[i] |= !InAnyOrder && is_in && other == own[i] && at != own_.place(first + i);
            }
          }
        }
        REHEAT_UNROLL
        for (unsigned i = 0; i < batch; ++i)
        {
          if (first + i < rows_max && has_equal[i])
          {
            to[first + i] += equal_before(own_.place(first + i), begin[i], size[i], sorted);
          }
        }
      }
    }
  }
  //! How many keys of a bin equal the one at `place`, and were before it in the input.
  REHEAT_DEVICE unsigned equal_before(unsigned place, unsigned begin, unsigned size, Word sorted) const
  {
    const Word own = static_cast<Word>(form_.sorted_by(from_.keys[place]) & sorted);
    unsigned before = 0;
    REHEAT_NO_UNROLL
    for (unsigned at = begin; at < begin + size; ++at)
    {
      const Word other = static_cast<Word>(form_.sorted_by(from_.keys[at]) & sorted);
      if (other == own && at != place)
      {
        before += from_.sources[at] < from_.sources[place] ? 1 : 0;
      }
    }
    return before;
  }
  //! Where a key was in the input.
  REHEAT_DEVICE unsigned source_of(unsigned place) const { return have_moved_ ? from_.sources[place] : place; }

  shared_type& shared_;
  const Form& form_;
  unsigned items_;
  unsigned rows_;
  warp_rows<false> own_;
  typename shared_type::order from_;
  typename shared_type::order to_;
  bool have_moved_ = false; //!< keys; then sources say from where
};

//! Sorts the keys that a sorter has loaded by all digits, and stores them with their values. `differing`: the bits by which
//! they differ. All threads call.
template <class Word, class Value, class Sorter>
REHEAT_DEVICE void sort_loaded_block(Sorter& self, Word differing, const sort_memory<const Word, const Value>& in,
                                     const sort_memory<Word, Value>& out, const sort_passes& passes)
{
  const Word sorted = bits_between<Word>(passes.begin_bit, passes.end_bit);
  const Word differences = static_cast<Word>(differing & sorted);
  unsigned varying = 0;
  for (unsigned pass = 0; pass < passes.count; ++pass)
  {
    varying += passes.template digit<Word>(pass)(differences) != 0 ? 1 : 0;
  }
  const bool are_witnesses = !has_values_v<Value> && static_cast<Word>(~sorted) == 0;
  unsigned to[Sorter::rows_max];
  // Of pairs, two passes take no longer than bins: NVIDIA H200, u32 below 1000, 2^12 pairs 9.0 us, by bins 13.6. Keys alone
  // 7.7, by bins 4.6; u16, ascending, 10.2 and 5.2.
  const bool are_few = are_witnesses ? varying == 0 : varying <= 2;
  if (are_few || !self.sort_by_bins(sorted, differences, are_witnesses, to))
  {
    bool is_sorted = false;
    if constexpr (Sorter::has_network || Sorter::has_merges)
    {
      if (static_cast<Word>(~sorted) == 0 && self.takes_less_by_comparison(differences, varying))
      {
        self.sort_by_comparison(in.keys);
        is_sorted = true;
      }
    }
    for (unsigned pass = 0; pass < passes.count && !is_sorted && !simt::fault_active(simt::fault::sort_drop_pass); ++pass)
    {
      const sort_digit<Word> digit = passes.template digit<Word>(pass);
      if (digit(differences) != 0)
      {
        self.sort_by(digit, digit(differences));
      }
    }
    self.stay(to);
  }
  self.store(in, out, to);
}

//! Sorts `items` keys of a block by all digits, and stores them with their values. All threads call.
template <class Tuning, bool IsBucket, class Word, bool IsFloat, class Value>
REHEAT_DEVICE void sort_in_block(sort_one_block_shared<Word>& shared, const sort_memory<const Word, const Value>& in,
                                 const sort_memory<Word, Value>& out, unsigned items, const sort_passes& passes,
                                 const key_form<Word, IsFloat>& form)
{
  sort_one_block<Tuning, Word, IsFloat, has_values_v<Value>, IsBucket> self(shared, form, items);
  const Word differing = self.load(in.keys, !has_values_v<Value> || passes.count > 2);
  sort_loaded_block<Word, Value>(self, differing, in, out, passes);
}

template <class Tuning, class Word, bool IsFloat, class Value>
REHEAT_KERNEL(Tuning{}(simt::arch).one_block_threads, 1)
sort_one_block_kernel(sort_memory<const Word, const Value> in, sort_memory<Word, Value> out, unsigned items,
                      sort_passes passes, key_form<Word, IsFloat> form)
{
  constexpr sort_config cfg = Tuning{}(simt::arch);
  static_assert(cfg.one_block_items() <= 65536, "places in the input have 16 bits");
  simt::shared_memory memory;
  sort_one_block_shared<Word> shared(memory, cfg, one_block_room(cfg, items));
  simt::grid_dependency_wait(simt::unless(simt::fault::sort_too_early));
  simt::trigger_dependent_launch();
  sort_in_block<Tuning, false>(shared, in, out, items, passes, form);
}

} // namespace detail
REHEAT_NAMESPACE_END

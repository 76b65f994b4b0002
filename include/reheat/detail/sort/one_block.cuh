// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The sort of keys that a block holds in shared memory: of all keys, in one launch of one block, or of buckets of keys with
//! the same highest digit, a block for each. Each key takes along where it was. Values move once, at the end.
//!
//! Spread keys: the block puts keys into bins by the highest bits in which they differ, in any order, and then ranks each
//! key among those of its bin, equal ones by where they were. There are about as many bins as keys.
//!
//! Where a bin has many keys that differ, or that need an order, and where keys differ in few bits, the block sorts by digit
//! after digit, from the lowest one that varies. Such a pass is in order exactly if neighbours ascend in the bits sorted so
//! far, and equal ones in their places. Where that does not hold, the pass is done once more by ballots (ranks.cuh).
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/simt/simt.cuh>
#include <reheat/detail/sort/digits.cuh>
#include <reheat/detail/sort/ranks.cuh>
#include <reheat/detail/sort/tuning.cuh>

#include <cstdint>

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

template <class Word>
struct sort_one_block_shared
{
  struct order
  {
    Word* keys;
    std::uint16_t* sources; //!< their places in the input
  };
  order orders[2];
  Word* differences;       //!< of each warp's keys from the first key
  std::uint32_t* counters; //!< of each warp and digit; or where bins begin, and the last one ends
  std::uint32_t* totals;
  std::uint32_t* disorders;
  std::uint32_t* mixed; //!< warps that have found keys that differ in a crowded bin

  //! `more_counters`, and `more_keys` of the first order: for other uses.
  REHEAT_EXEC_CHECK_DISABLE
  template <class Memory>
  REHEAT_HOST_DEVICE sort_one_block_shared(Memory& memory, const sort_config& cfg, unsigned items,
                                           unsigned more_counters = 0, unsigned more_keys = 0)
  {
    const unsigned warps = cfg.one_block_threads / simt::warp_lanes, digits = cfg.digits();
    counters = memory.template array<std::uint32_t>(warps * digits + 1 + more_counters, 16);
    for (order& one : orders)
    {
      one.keys = memory.template array<Word>(items + more_keys);
      more_keys = 0;
    }
    differences = memory.template array<Word>(warps);
    totals = memory.template array<std::uint32_t>(simt::warp_lanes);
    disorders = memory.template array<std::uint32_t>(1);
    mixed = memory.template array<std::uint32_t>(1);
    for (order& one : orders)
    {
      one.sources = memory.template array<std::uint16_t>(items);
    }
  }
};

template <class Tuning, class Word, bool IsFloat, bool IsBucket>
class sort_one_block
{
  static constexpr sort_config cfg = Tuning{}(simt::arch);
  static constexpr unsigned rows_max = IsBucket ? cfg.bucket_items_per_thread : cfg.one_block_items_per_thread;
  static constexpr unsigned warps = cfg.one_block_threads / simt::warp_lanes, digits = cfg.digits();
  static constexpr unsigned bins = warps * digits, thread_bins = bins / cfg.one_block_threads;
  static_assert(bins % cfg.one_block_threads == 0);

public:
  using shared_type = sort_one_block_shared<Word>;

  REHEAT_DEVICE sort_one_block(shared_type& shared, const key_form<Word, IsFloat>& form, unsigned items)
      : shared_(shared), form_(form), items_(items), rows_((items + cfg.one_block_threads - 1) / cfg.one_block_threads),
        own_(items, rows_), from_(shared.orders[0]), to_(shared.orders[1])
  {}

  //! Returns the bits by which keys differ. `clears`: also clears the counters.
  REHEAT_DEVICE Word load(const Word* keys, bool clears)
  {
    for (unsigned bin = simt::thread_index(); clears && bin < bins; bin += cfg.one_block_threads)
    {
      shared_.counters[bin] = 0;
    }
    if (simt::thread_index() == 0)
    {
      *shared_.disorders = 0;
      *shared_.mixed = 0;
    }
    const Word first = form_.sorted_by(form_.word_of(load_word(keys)));
    Word difference = 0;
    for_rows<rows_max>(rows_,
                       [&](unsigned row)
                       {
                         if (own_.has(row))
                         {
                           const unsigned place = own_.place(row);
                           const Word word = form_.word_of(load_word(keys + place));
                           from_.keys[place] = word;
                           from_.sources[place] = static_cast<std::uint16_t>(place);
                           difference = static_cast<Word>(difference | (form_.sorted_by(word) ^ first));
                         }
                       });
    for (unsigned distance = simt::warp_lanes / 2; distance != 0; distance /= 2)
    {
      difference = static_cast<Word>(difference | simt::shuffle(difference, simt::lane_index() ^ distance));
    }
    if (simt::lane_index() == 0)
    {
      shared_.differences[simt::warp_index()] = difference;
    }
    simt::sync_block(simt::unless(simt::fault::sort_skip_differences_barrier));
    REHEAT_UNROLL
    for (unsigned warp = 0; warp < warps; ++warp)
    {
      difference = static_cast<Word>(difference | shared_.differences[warp]);
    }
    return difference;
  }

  //! Sorts by the bits `sorted`, in which keys differ as `differences` says; counters are clear. `are_witnesses`: keys that
  //! are the same need no order. Returns false, with keys as they were, if a bin has many keys that differ.
  REHEAT_DEVICE bool sort_by_bins(Word sorted, Word differences, bool are_witnesses)
  {
    constexpr unsigned bin_bits = log2_of(bins);
    const unsigned top = highest_bit(differences) + 1;
    const unsigned shift = top > bin_bits ? top - bin_bits : 0;
    const auto bin_of = [&](Word key)
    { return static_cast<unsigned>(static_cast<Word>(form_.sorted_by(key) & sorted) >> shift) & (bins - 1); };
    Word key[rows_max];
    unsigned rank[rows_max];
    for_rows<rows_max>(rows_,
                       [&](unsigned row)
                       {
                         const bool has = own_.has(row);
                         key[row] = has ? from_.keys[own_.place(row)] : Word(0);
                         rank[row] = simt::shared_add_of_warp(shared_.counters + bin_of(key[row]), has);
                       });
    simt::sync_block(simt::unless(simt::fault::sort_skip_bins_barrier));
    const bool is_crowded = make_bins();
    if (is_crowded && !are_witnesses)
    {
      return false;
    }
    for_rows<rows_max>(rows_,
                       [&](unsigned row)
                       {
                         if (own_.has(row))
                         {
                           put(shared_.counters[bin_of(key[row])] + rank[row], own_.place(row));
                         }
                       });
    simt::sync_block(simt::unless(simt::fault::sort_skip_binned_barrier));
    swap_orders();
    if (is_crowded && !has_same_keys(bin_of))
    {
      swap_orders();
      return false;
    }
    for_rows<rows_max>(rows_,
                       [&](unsigned row)
                       {
                         const unsigned place = own_.has(row) ? own_.place(row) : 0;
                         const unsigned bin = bin_of(from_.keys[place]);
                         const unsigned begin = shared_.counters[bin], size = shared_.counters[bin + 1] - begin;
                         const bool stays = !own_.has(row) || size > cfg.bin_items;
                         rank[row] = stays ? place : rank_in_bin(place, begin, size, sorted);
                       });
    for_rows<rows_max>(rows_,
                       [&](unsigned row)
                       {
                         if (own_.has(row))
                         {
                           put(rank[row], own_.place(row));
                         }
                       });
    simt::sync_block(simt::unless(simt::fault::sort_skip_ranked_barrier));
    swap_orders();
    return true;
  }

  //! One pass, by `digit`. Keys are sorted by the bits `so_far` then.
  REHEAT_DEVICE void sort_by(const sort_digit<Word>& digit, Word so_far)
  {
    std::uint32_t* const counters = shared_.counters + simt::warp_index() * digits;
    Word key[rows_max];
    for_rows<rows_max>(rows_, [&](unsigned row) { key[row] = own_.has(row) ? from_.keys[own_.place(row)] : Word(0); });
    clear_counters(counters, digits);
    unsigned rank[rows_max];
    for_rows<rows_max>(rows_,
                       [&](unsigned row)
                       {
                         const unsigned own_digit = digit(form_.sorted_by(key[row]));
                         rank[row] = simt::shared_add_of_warp(counters + own_digit, own_.has(row));
                       });
    make_places(simt::fault::sort_skip_ranks_barrier, simt::fault::sort_skip_places_barrier);
    for_rows<rows_max>(rows_,
                       [&](unsigned row)
                       {
                         if (own_.has(row))
                         {
                           put(counters[digit(form_.sorted_by(key[row]))] + rank[row], own_.place(row));
                         }
                       });
    simt::sync_block(simt::unless(simt::fault::sort_skip_sorted_barrier));
    if (!simt::all(is_in_order(so_far)) && simt::lane_index() == 0 && !simt::fault_active(simt::fault::sort_trust_atomics))
    {
      simt::shared_add(shared_.disorders, 1u);
    }
    simt::sync_block(simt::unless(simt::fault::sort_skip_disorders_barrier));
    if (*shared_.disorders != 0)
    {
      sort_by_ballots(digit, counters);
    }
    swap_orders();
  }

  //! Stores keys, and values by way of registers, since they may go where they are.
  template <class Value>
  REHEAT_DEVICE void store(const sort_memory<const Word, const Value>& in, const sort_memory<Word, Value>& out)
  {
    Value value[rows_max];
    for_rows<rows_max>(rows_,
                       [&](unsigned row)
                       {
                         if (own_.has(row))
                         {
                           const unsigned place = own_.place(row);
                           store_word(out.keys + place, form_.stored_of(from_.keys[place]));
                           if constexpr (has_values_v<Value>)
                           {
                             value[row] = load_word(in.values + from_.sources[place]);
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
                             store_word(out.values + own_.place(row), value[row]);
                           }
                         });
    }
  }

private:
  REHEAT_DEVICE void swap_orders()
  {
    const typename shared_type::order written = to_;
    to_ = from_;
    from_ = written;
  }
  //! Turns the counts of bins into where they begin. Returns whether one is crowded. Between two barriers.
  REHEAT_DEVICE bool make_bins()
  {
    const unsigned first = simt::thread_index() * thread_bins;
    std::uint32_t count[thread_bins], total = 0;
    bool crowded = false;
    REHEAT_UNROLL
    for (unsigned i = 0; i < thread_bins; ++i)
    {
      count[i] = shared_.counters[first + i];
      total += count[i];
      crowded |= count[i] > cfg.bin_items;
    }
    if (simt::any(crowded) && simt::lane_index() == 0)
    {
      simt::shared_add(shared_.disorders, 1u);
    }
    std::uint32_t begin =
        sort_block_sums<cfg.one_block_threads>(total, shared_.totals, simt::fault::sort_skip_bin_totals_barrier);
    REHEAT_UNROLL
    for (unsigned i = 0; i < thread_bins; ++i)
    {
      shared_.counters[first + i] = begin;
      begin += count[i];
    }
    if (simt::thread_index() == 0)
    {
      shared_.counters[bins] = items_;
    }
    simt::sync_block(simt::unless(simt::fault::sort_skip_begins_barrier));
    return *shared_.disorders != 0;
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
  //! Where the key at a place goes, whose bin begins at `begin`.
  REHEAT_DEVICE unsigned rank_in_bin(unsigned place, unsigned begin, unsigned size, Word sorted) const
  {
    const Word own = static_cast<Word>(form_.sorted_by(from_.keys[place]) & sorted);
    unsigned rank = begin;
    for (unsigned at = begin; at < begin + size; ++at)
    {
      const Word other = static_cast<Word>(form_.sorted_by(from_.keys[at]) & sorted);
      rank += other < own ? 1 : 0;
      if (other == own && at != place)
      {
        rank += from_.sources[at] < from_.sources[place] ? 1 : 0;
      }
    }
    return rank;
  }
  //! Between counting and the use of places.
  REHEAT_DEVICE void make_places(simt::fault skipped_before, simt::fault skipped_behind)
  {
    simt::sync_block(simt::unless(skipped_before));
    if (simt::thread_index() == 0)
    {
      *shared_.disorders = 0; // nobody asks for those of the pass before any more
    }
    places_of_counters<warps, digits>(shared_.counters, shared_.totals, [](unsigned) {});
    simt::sync_block(simt::unless(skipped_behind));
  }
  REHEAT_DEVICE void put(unsigned to, unsigned from)
  {
    to_.keys[to] = from_.keys[from];
    to_.sources[to] = from_.sources[from];
  }
  REHEAT_DEVICE bool is_in_order(Word so_far) const
  {
    bool in_order = true;
    for_rows<rows_max>(rows_,
                       [&](unsigned row)
                       {
                         const unsigned at = own_.place(row);
                         if (own_.has(row) && at != 0)
                         {
                           const Word before = static_cast<Word>(form_.sorted_by(to_.keys[at - 1]) & so_far);
                           const Word own = static_cast<Word>(form_.sorted_by(to_.keys[at]) & so_far);
                           in_order &= before < own || (before == own && to_.sources[at - 1] < to_.sources[at]);
                         }
                       });
    return in_order;
  }
  //! All threads call, when nobody reads the sorted keys any more.
  REHEAT_DEVICE void sort_by_ballots(const sort_digit<Word>& digit, std::uint32_t* counters)
  {
    const auto digit_at = [&](unsigned place) { return digit(form_.sorted_by(from_.keys[place])); };
    clear_counters(counters, digits);
    for (unsigned row = 0; row < rows_; ++row)
    {
      if (own_.has(row))
      {
        simt::shared_add(counters + digit_at(own_.place(row)), 1u);
      }
    }
    make_places(simt::fault::sort_skip_recount_barrier, simt::fault::sort_skip_replaces_barrier);
    place_by_ballots(counters, cfg.digit_bits, own_, rows_, digit_at, [&](unsigned to, unsigned from) { put(to, from); });
    simt::sync_block(simt::unless(simt::fault::sort_skip_resorted_barrier));
  }

  shared_type& shared_;
  const key_form<Word, IsFloat>& form_;
  unsigned items_;
  unsigned rows_;
  warp_rows<false> own_;
  typename shared_type::order from_;
  typename shared_type::order to_;
};

//! Sorts `items` keys of a block by all digits, and stores them with their values. All threads call.
template <class Tuning, bool IsBucket, class Word, bool IsFloat, class Value>
REHEAT_DEVICE void sort_in_block(sort_one_block_shared<Word>& shared, const sort_memory<const Word, const Value>& in,
                                 const sort_memory<Word, Value>& out, unsigned items, const sort_passes& passes,
                                 const key_form<Word, IsFloat>& form)
{
  sort_one_block<Tuning, Word, IsFloat, IsBucket> self(shared, form, items);
  const Word sorted = bits_between<Word>(passes.begin_bit, passes.end_bit);
  const Word differences = static_cast<Word>(self.load(in.keys, passes.count > 2) & sorted);
  unsigned varying = 0;
  for (unsigned pass = 0; pass < passes.count; ++pass)
  {
    varying += passes.template digit<Word>(pass)(differences) != 0 ? 1 : 0;
  }
  const bool are_witnesses = !has_values_v<Value> && static_cast<Word>(~sorted) == 0;
  // Two passes take no longer than bins.
  if (simt::fault_active(simt::fault::sort_drop_pass) ||
      (varying > 2 && self.sort_by_bins(sorted, differences, are_witnesses)))
  {
    varying = 0;
  }
  for (unsigned pass = 0; varying != 0 && pass < passes.count; ++pass)
  {
    const sort_digit<Word> digit = passes.template digit<Word>(pass);
    if (digit(differences) != 0)
    {
      self.sort_by(digit, bits_between<Word>(passes.begin_bit, passes.end_of(pass)));
    }
  }
  self.store(in, out);
}

template <class Tuning, class Word, bool IsFloat, class Value>
REHEAT_KERNEL(Tuning{}(simt::arch).one_block_threads, 1)
sort_one_block_kernel(sort_memory<const Word, const Value> in, sort_memory<Word, Value> out, unsigned items,
                      sort_passes passes, key_form<Word, IsFloat> form)
{
  constexpr sort_config cfg = Tuning{}(simt::arch);
  static_assert(cfg.one_block_items() <= 65536, "places in the input have 16 bits");
  simt::shared_memory memory;
  sort_one_block_shared<Word> shared(memory, cfg, items);
  simt::grid_dependency_wait(simt::unless(simt::fault::sort_too_early));
  simt::trigger_dependent_launch();
  sort_in_block<Tuning, false>(shared, in, out, items, passes, form);
}

} // namespace detail
REHEAT_NAMESPACE_END

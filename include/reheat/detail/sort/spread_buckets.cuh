// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The end of a sort of spread keys (plan.cuh): each block sorts buckets, in shared memory.
//!
//! Keys go to bins by their highest bits that differ, in any order; there are about as many bins as keys. Then each thread
//! sorts windows of 16 neighbours by a network, and merges the halves of two neighbouring windows that meet. That sorts any
//! bin of up to 9 keys, since it lies in a window or in such halves, and leaves bins of one key as they are. A bucket with
//! other bins is sorted as one_block.cuh does. The next bucket's keys come into shared memory meanwhile.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/simt/simt.cuh>
#include <reheat/detail/sort/digits.cuh>
#include <reheat/detail/sort/histogram.cuh>
#include <reheat/detail/sort/one_block.cuh>
#include <reheat/detail/sort/partition.cuh>
#include <reheat/detail/sort/plan.cuh>
#include <reheat/detail/sort/ranks.cuh>
#include <reheat/detail/sort/tuning.cuh>
#include <reheat/detail/thread/items.cuh>

#include <cstdint>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

inline constexpr unsigned window_keys = 16, window_bin_keys = 9;

//! Where shared memory has the key at a place: one stays free behind each window.
REHEAT_HOST_DEVICE constexpr unsigned windowed_at(unsigned place)
{
  return place + place / window_keys;
}

template <class Word>
REHEAT_DEVICE void order_two(Word& low, Word& high)
{
  const Word lower = low < high ? low : high;
  high = low < high ? high : low;
  low = lower;
}
//! Batcher's odd-even merge of the keys at First, First + Step, ... First + Length - 1, whose halves are sorted.
template <unsigned First, unsigned Length, unsigned Step, class Word>
REHEAT_DEVICE void merge_halves(Word (&key)[window_keys])
{
  if constexpr (2 * Step < Length)
  {
    merge_halves<First, Length, 2 * Step>(key);
    merge_halves<First + Step, Length, 2 * Step>(key);
    REHEAT_UNROLL
    for (unsigned i = First + Step; i + Step < First + Length; i += 2 * Step)
    {
      order_two(key[i], key[i + Step]);
    }
  }
  else
  {
    order_two(key[First], key[First + Step]);
  }
}
template <unsigned First, unsigned Length, class Word>
REHEAT_DEVICE void sort_by_network(Word (&key)[window_keys])
{
  if constexpr (Length > 1)
  {
    sort_by_network<First, Length / 2>(key);
    sort_by_network<First + Length / 2, Length / 2>(key);
    merge_halves<First, Length, 1>(key);
  }
}

//! The bins of keys that have the bits above these in common.
template <class Word>
struct sort_bins_by_bits
{
  unsigned shift;
  unsigned mask;
  REHEAT_DEVICE unsigned operator()(Word word) const { return static_cast<unsigned>(word >> shift) & mask; }
};
//! How many places of a stage stay free in front of keys, so that these lie on vectors of 16 bytes where they do in memory.
template <class Word>
REHEAT_DEVICE unsigned stage_skip(const Word* keys)
{
  return static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(keys) % 16 / sizeof(Word));
}
//! Starts to load keys into a stage, behind the places that stay free: whole vectors in bulk, which count towards `loaded`,
//! and others at once. All threads call. A barrier lies between the call and the use of the keys, besides `loaded`.
template <class Word>
REHEAT_DEVICE void load_stage(Word* stage, const Word* keys, unsigned items, simt::mbarrier& loaded)
{
  constexpr unsigned vector_keys = 16 / sizeof(Word);
  const unsigned skip = stage_skip(keys), thread = simt::thread_index();
  const unsigned before = (vector_keys - skip) % vector_keys, head = before < items ? before : items;
  const unsigned vectors = (items - head) / vector_keys, behind = head + vectors * vector_keys;
  if constexpr (device_traits_of(simt::arch).bulk_copies) // elsewhere no keys are sorted as spread ones
  {
    if (thread == 0)
    {
      simt::mbarrier_arrive_expect(loaded, vectors * 16);
      if (vectors != 0)
      {
        simt::bulk_load_once(stage + skip + head, keys + head, vectors * 16, loaded);
      }
    }
  }
  if (thread < 2 * vector_keys)
  {
    const unsigned which = thread % vector_keys, at = thread < vector_keys ? which : behind + which;
    if (at < (thread < vector_keys ? head : items))
    {
      stage[skip + at] = load_word(keys + at);
      simt::async_proxy_fence(); // a later load in bulk comes behind
    }
  }
}

//! Keys that lie together in shared memory.
template <class Word>
struct sort_staged_keys
{
  const Word* stage;

  //! Loads the keys, as stored, at the places `place_of(row)` if the thread has such a row.
  template <unsigned Rows, class Has, class PlaceOf>
  REHEAT_DEVICE void load(Word (&word)[Rows], Has has, PlaceOf place_of) const
  {
    REHEAT_UNROLL
    for (unsigned row = 0; row < Rows; ++row)
    {
      word[row] = has(row) ? stage[place_of(row)] : Word(0);
    }
  }
};

//! What a block knows of its buckets, in shared memory.
template <class Word>
struct sort_spread_bucket
{
  using bins_type = sort_bins_by_bits<Word>;
  const Word* in;
  Word* out;
  key_form<Word, false> form;
  sort_passes passes;
  bins_type bins;
};

template <class Word>
struct sort_spread_buckets_shared
{
  using bucket_type = sort_spread_bucket<Word>;
  sort_one_block_shared<Word> one_block; //!< its counters are the bins, the keys of its first order the windows
  std::uint32_t* parts;                  //!< where keys with the same high bits begin
  std::uint32_t* begins;                 //!< of some buckets, and where the last one ends
  std::uint32_t* left;                   //!< which of these have a bin too large for windows
  std::uint32_t* crowded;                //!< warps that have found a bin too large for windows
  sort_spread_bucket<Word>* bucket;
  simt::mbarrier* loaded; //!< of the stage of the next bucket's keys, which is the second order

  REHEAT_EXEC_CHECK_DISABLE
  template <class Memory>
  REHEAT_HOST_DEVICE sort_spread_buckets_shared(Memory& memory, const sort_config& cfg)
      : one_block(memory, cfg, cfg.bucket_items(), simt::warp_lanes,
                  windowed_at(cfg.bucket_items() + 2 * window_keys) - cfg.bucket_items()),
        parts(memory.template array<std::uint32_t>(cfg.digits() + 1)),
        begins(memory.template array<std::uint32_t>(cfg.digits() + 1)),
        left(memory.template array<std::uint32_t>(cfg.digits())), crowded(memory.template array<std::uint32_t>(1)),
        bucket(memory.template array<sort_spread_bucket<Word>>(1)), loaded(memory.template array<simt::mbarrier>(1))
  {}
};

//! Sorts a bucket of up to Rows keys a thread. `Shared` has what sort_spread_buckets_shared has of a single bucket.
template <class Tuning, class Word, class Shared = sort_spread_buckets_shared<Word>,
          unsigned Rows = Tuning{}(simt::arch).bucket_items_per_thread>
class sort_spread_buckets
{
  static constexpr sort_config cfg = Tuning{}(simt::arch);
  static constexpr unsigned threads = cfg.one_block_threads, rows = Rows;
  static constexpr unsigned bins = cfg.bins, own_vectors = bins / threads / 4;

public:
  using shared_type = Shared;
  using bins_type = typename Shared::bucket_type::bins_type;

  REHEAT_DEVICE sort_spread_buckets(shared_type& shared, std::uint32_t first, unsigned items)
      : shared_(shared), form_(shared.bucket->form), bins_(shared.one_block.counters),
        keys_(shared.one_block.orders[0].keys), thread_(simt::thread_index()), first_(first), items_(items)
  {
    simt::compute_again_from(thread_); // else what threads' indices come to takes registers from one bucket to the next
    left_ = static_cast<int>(items) - static_cast<int>(thread_);
  }

  //! Returns false if the bucket has a bin that is too large. Calls `load_next()` when all threads have their keys. All
  //! threads call.
  template <class Keys, class LoadNext>
  REHEAT_DEVICE bool sort(const Keys& keys, LoadNext load_next)
  {
    Word key[rows];
    keys.load(
        key, [&](unsigned row) { return has(row); }, [&](unsigned row) { return place_of(row); });
    REHEAT_UNROLL
    for (unsigned row = 0; row < rows; ++row)
    {
      key[row] = has(row) ? form_.word_of(key[row]) : Word(0);
    }
    REHEAT_UNROLL
    for (unsigned i = 0; i < own_vectors; ++i)
    {
      reinterpret_cast<vec16*>(bins_)[i * threads + thread_] = vec16{};
    }
    if (thread_ == 0)
    {
      *shared_.crowded = 0;
      *shared_.one_block.mixed = 0;
    }
    simt::sync_block(simt::unless(simt::fault::sort_skip_clear_bins_barrier));
    load_next();
    key_ranks<rows> ranks;
    {
      const bins_type bin_of = shared_.bucket->bins;
      REHEAT_UNROLL
      for (unsigned row = 0; row < rows; ++row)
      {
        ranks.set(row, simt::shared_add_of_warp(bins_ + (has(row) ? bin_of(key[row]) : spare_bin()), true));
      }
    }
    simt::sync_block(simt::unless(simt::fault::sort_skip_count_bins_barrier));
    begins_of_bins<threads, bins>(bins_, shared_.one_block.totals, thread_, items_,
                                  simt::fault::sort_skip_spread_totals_barrier,
                                  [&](unsigned largest)
                                  {
                                    if (simt::any(largest > window_bin_keys) && simt::lane_index() == 0)
                                    {
                                      simt::shared_add(shared_.crowded, 1u);
                                    }
                                  });
    simt::sync_block(simt::unless(simt::fault::sort_skip_bin_begins_barrier));
    const bins_type bin_of = shared_.bucket->bins; // read again: else keys' bins take registers across barriers
    REHEAT_UNROLL
    for (unsigned row = 0; row < rows; ++row)
    {
      const unsigned place = has(row) ? bins_[bin_of(key[row])] + ranks.get(row) : 0; // no branch around the load
      if (has(row))
      {
        keys_[windowed_at(place)] = key[row];
      }
    }
    if (thread_ < 2 * window_keys)
    {
      keys_[windowed_at(items_ + thread_)] = static_cast<Word>(~Word(0)); // windows are full
    }
    const bool is_crowded = *shared_.crowded != 0;
    simt::sync_block(simt::unless(simt::fault::sort_skip_windows_barrier));
    if (is_crowded && !has_same_keys() && !simt::fault_active(simt::fault::sort_trust_bins))
    {
      return false;
    }
    const unsigned windows = (items_ + window_keys - 1) / window_keys;
    for (unsigned window = thread_; window < windows; window += threads)
    {
      Word own[window_keys];
      Word* const from = keys_ + window * windowed_at(window_keys);
      REHEAT_UNROLL
      for (unsigned i = 0; i < window_keys; ++i)
      {
        own[i] = from[i];
      }
      sort_by_network<0, window_keys>(own);
      REHEAT_UNROLL
      for (unsigned i = 0; i < window_keys; ++i)
      {
        from[i] = own[i];
      }
    }
    simt::sync_block(simt::unless(simt::fault::sort_skip_sorted_windows_barrier));
    for (unsigned window = thread_; window + 1 < windows; window += threads)
    {
      constexpr unsigned half = window_keys / 2;
      Word own[window_keys];
      Word* const from = keys_ + window * windowed_at(window_keys) + half;
      REHEAT_UNROLL
      for (unsigned i = 0; i < window_keys; ++i)
      {
        own[i] = from[i + i / half];
      }
      merge_halves<0, window_keys, 1>(own);
      REHEAT_UNROLL
      for (unsigned i = 0; i < window_keys; ++i)
      {
        from[i + i / half] = own[i];
      }
    }
    simt::sync_block(simt::unless(simt::fault::sort_skip_merged_windows_barrier));
    Word* const out = shared_.bucket->out + first_;
    simt::assume_global(out);
    REHEAT_UNROLL
    for (unsigned row = 0; row < rows; ++row)
    {
      key[row] = has(row) ? keys_[windowed_at(thread_) + row * windowed_at(threads)] : Word(0);
    }
    REHEAT_UNROLL
    for (unsigned row = 0; row < rows; ++row)
    {
      if (has(row))
      {
        store_word(out + place_of(row), form_.stored_of(key[row]));
      }
    }
    return true;
  }

private:
  //! Of keys that do not exist, behind the end of the last bin. A branch around an addition would wait for the one before.
  REHEAT_DEVICE static unsigned spare_bin() { return bins + 1 + simt::lane_index(); }
  REHEAT_DEVICE bool has(unsigned row) const { return static_cast<int>(row * threads) < left_; }
  REHEAT_DEVICE unsigned place_of(unsigned row) const { return row * threads + thread_; }

  //! Whether crowded bins have one key many times. All threads call.
  REHEAT_DEVICE bool has_same_keys()
  {
    const bins_type bin_of = shared_.bucket->bins;
    bool differ = false;
    for (unsigned place = thread_; place < items_; place += threads)
    {
      const Word key = keys_[windowed_at(place)];
      const unsigned bin = bin_of(key), begin = bins_[bin];
      differ |= bins_[bin + 1] - begin > window_bin_keys && keys_[windowed_at(begin)] != key;
    }
    if (simt::any(differ) && simt::lane_index() == 0)
    {
      simt::shared_add(shared_.one_block.mixed, 1u);
    }
    simt::sync_block(simt::unless(simt::fault::sort_skip_mixed_bins_barrier));
    const bool are_same = *shared_.one_block.mixed == 0;
    simt::sync_block(simt::unless(simt::fault::sort_skip_asked_barrier)); // thread 0 clears it for the next bucket
    return are_same;
  }

  shared_type& shared_;
  key_form<Word, false> form_;
  std::uint32_t* bins_;
  Word* keys_;
  unsigned thread_;
  std::uint32_t first_;
  unsigned items_;
  int left_; //!< keys from the thread's first one on
};

//! Any number of blocks, each of which has neighbouring buckets.
template <class Tuning, class Word>
REHEAT_DEVICE void sort_buckets_of_block(const sort_pass_params<Word, no_values>& params, const sort_spread& spread,
                                         const key_form<Word, false>& form)
{
  constexpr sort_config cfg = Tuning{}(simt::arch);
  static_assert(cfg.digits() <= cfg.one_block_threads);
  simt::shared_memory memory;
  sort_spread_buckets_shared<Word> shared(memory, cfg);
  simt::grid_dependency_wait(simt::unless(simt::fault::sort_too_early));
  simt::trigger_dependent_launch();
  const std::uint32_t bucket_bits = params.digits[bucket_bits_word(params.passes.count)];
  if (bucket_bits == 0)
  {
    return;
  }
  store_begins<cfg.digits()>(shared.parts, 1u << spread.high, shared.one_block.totals,
                             [&](unsigned part) { return spread.totals[part]; });
  if (simt::thread_index() == 0)
  {
    simt::mbarrier_init(*shared.loaded, 1);
    simt::mbarrier_init_fence();
    *shared.bucket = {params.passes.rule == pass_rule::odd ? params.spare.keys : params.out.keys,
                      params.out.keys,
                      form,
                      params.passes,
                      {bucket_bits > log2_of(cfg.bins) ? bucket_bits - log2_of(cfg.bins) : 0, cfg.bins - 1}};
  }
  const unsigned low = spread.low(), blocks = simt::grid_blocks(), block = simt::block_index();
  const auto first_of = [&](unsigned which)
  { return static_cast<unsigned>((std::uint64_t{which} << spread.bits) / blocks); };
  unsigned parity = 0; // of the bucket's load
  for (unsigned first = first_of(block), last = first_of(block + 1); first < last; first += cfg.digits())
  {
    const unsigned count = last - first < cfg.digits() ? last - first : cfg.digits();
    simt::sync_block(simt::unless(simt::fault::sort_skip_parts_of_buckets_barrier));
    for (unsigned i = simt::thread_index(); i <= count; i += cfg.one_block_threads)
    {
      const unsigned bucket = first + i;
      const bool is_begin = (bucket & ((1u << low) - 1)) == 0;
      shared.begins[i] = shared.parts[bucket >> low] + (is_begin ? 0 : spread.places[bucket - 1]);
    }
    simt::sync_block(simt::unless(simt::fault::sort_skip_begins_of_buckets_barrier));
    const auto load = [&](unsigned i)
    {
      const std::uint32_t begin = shared.begins[i];
      load_stage(shared.one_block.orders[1].keys, shared.bucket->in + begin, shared.begins[i + 1] - begin, *shared.loaded);
    };
    load(0);
    simt::sync_block(simt::unless(simt::fault::sort_skip_first_bucket_barrier));
    unsigned left = 0;
    REHEAT_NO_UNROLL
    for (unsigned i = 0; i < count; ++i, parity ^= 1)
    {
      const std::uint32_t begin = shared.begins[i], items = shared.begins[i + 1] - begin;
      const auto load_next = [&]
      {
        if (i + 1 < count)
        {
          load(i + 1);
        }
      };
      simt::mbarrier_wait(*shared.loaded, parity, simt::unless(simt::fault::sort_skip_bucket_wait));
      const sort_staged_keys<Word> keys{shared.one_block.orders[1].keys + stage_skip(shared.bucket->in + begin)};
      if (!sort_spread_buckets<Tuning, Word>(shared, begin, items).sort(keys, load_next))
      {
        if (simt::thread_index() == 0)
        {
          shared.left[left] = i;
        }
        ++left;
      }
    }
    // Not in the loop above, whose registers that would take.
    simt::sync_block(simt::unless(simt::fault::sort_skip_left_buckets_barrier));
    REHEAT_NO_UNROLL
    for (unsigned i = 0; i < left; ++i)
    {
      const sort_spread_bucket<Word> own = *shared.bucket;
      const std::uint32_t begin = shared.begins[shared.left[i]], end = shared.begins[shared.left[i] + 1];
      sort_in_block<Tuning, true>(shared.one_block, sort_memory<const Word, const no_values>{own.in + begin, nullptr},
                                  sort_memory<Word, no_values>{own.out + begin, nullptr}, end - begin, own.passes, own.form);
      simt::async_proxy_fence(); // a later load in bulk comes behind
      simt::sync_block(simt::unless(simt::fault::sort_skip_crowded_barrier));
    }
  }
}

//! Any number of blocks, each of which has neighbouring buckets.
template <class Tuning, class Word>
REHEAT_KERNEL(Tuning{}(simt::arch).one_block_threads, Tuning{}(simt::arch).bucket_resident_blocks)
sort_spread_buckets_kernel(sort_pass_params<Word, no_values> params, sort_spread spread, key_form<Word, false> form)
{
  if constexpr (Tuning{}(simt::arch).spread_bits != 0) // else it is never launched
  {
    sort_buckets_of_block<Tuning>(params, spread, form);
  }
}

} // namespace detail
REHEAT_NAMESPACE_END

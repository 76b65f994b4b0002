// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! A pass of the radix sort (least significant digit first): a stable sort by one digit, in one pass over memory.
//!
//! A block has one tile: that of its index (modulo the tiles, if a launch has all passes), since it waits for tiles of lower
//! indices, whose blocks start first. It ranks its keys (ranks.cuh) and publishes how many it has of each digit, sorts the
//! tile by the digit in shared memory, while some threads look back (look_back.cuh) for where its keys of each digit go, and
//! checks it. Runs of one digit leave
//! together. Pairs are checked as they leave: a tile that is not in order is sorted and stored once more.
//!
//! A tile is in order if places in the input ascend among keys of one digit. Without values, keys are their own witnesses:
//! equal keys are the same, so it is enough that keys ascend in the bits by which they are sorted so far. That does not do
//! where bits beside those differ: then each tile is ranked by ballots. Nor does it for zeros of both signs: where there are
//! negative ones, the ranks of zeros are checked.
//!
//! Which passes have anything to do is known on the device (plan.cuh).
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/simt/simt.cuh>
#include <reheat/detail/sort/digits.cuh>
#include <reheat/detail/sort/few_values.cuh>
#include <reheat/detail/sort/look_back.cuh>
#include <reheat/detail/sort/plan.cuh>
#include <reheat/detail/sort/ranks.cuh>
#include <reheat/detail/sort/tuning.cuh>
#include <reheat/detail/thread/items.cuh>

#include <cstdint>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

//! Where shared memory has the value at a place of the tile. Vectors of 16 bytes stay whole, but each 8 of them, and each
//! 64, are in an order of their own: places whose distance is a power of two, as those of equal digits often are, are not
//! all in one bank.
template <class Value>
REHEAT_DEVICE unsigned value_at(unsigned place)
{
  constexpr unsigned vector_values = 16 / sizeof(Value);
  return place ^ ((place >> 3 ^ place >> 6) & (7 * vector_values));
}

//! Values whose places may be exchanged.
inline constexpr unsigned value_group = 8 * 16;

//! What a pass must make sure of.
struct pass_checks
{
  bool order;   //!< that tiles are in order
  bool zeros;   //!< that zeros are
  bool ballots; //!< the same, without asking
};

//! Shared memory of a pass.
template <class Word, class Value>
struct sort_pass_shared
{
  std::uint32_t* counters; //!< for each warp and digit: keys, then places
  Word* keys;              //!< sorted
  std::uint16_t* sources;  //!< where they were in the tile
  Value* values;           //!< as they were in the tile
  std::uint64_t* to;       //!< where the keys of each digit go, less their place in the tile
  std::uint32_t* totals;
  std::uint32_t* disorders;
  simt::mbarrier* loaded;

  REHEAT_EXEC_CHECK_DISABLE
  template <class Memory>
  REHEAT_HOST_DEVICE sort_pass_shared(Memory& memory, const sort_config& cfg)
  {
    const unsigned tile = cfg.block_threads * cfg.items_per_thread;
    keys = memory.template array<Word>(staged_items(tile), 16);
    values = has_values_v<Value> ? memory.template array<Value>((tile + value_group - 1) / value_group * value_group, 16)
                                 : nullptr;
    to = memory.template array<std::uint64_t>(cfg.digits());
    loaded = has_values_v<Value> ? memory.template array<simt::mbarrier>(1) : nullptr;
    counters = memory.template array<std::uint32_t>(cfg.warps() * cfg.digits());
    totals = memory.template array<std::uint32_t>(simt::warp_lanes);
    disorders = memory.template array<std::uint32_t>(1);
    sources = has_values_v<Value> ? memory.template array<std::uint16_t>(staged_items(tile)) : nullptr;
  }
};

//! `HasZeros`: there may be negative zeros.
template <class Tuning, class Word, bool IsFloat, class Value, bool Whole, bool HasZeros>
class sort_pass_block
{
  static constexpr sort_config cfg = Tuning{}(simt::arch);
  static constexpr unsigned rows_max = cfg.items_per_thread, tile_items = cfg.block_threads * rows_max;
  //! Uniform keys of two bytes often have a few zeros. Larger ones have none; their threads would spill more registers.
  static constexpr bool looks_for_lower_zeros = HasZeros && sizeof(Word) == 2;

public:
  static constexpr bool has_values = has_values_v<Value>;
  using shared_type = sort_pass_shared<Word, Value>;
  using params_type = sort_pass_params<Word, Value>;

  REHEAT_DEVICE sort_pass_block(const params_type& params, const key_form<Word, IsFloat>& form, unsigned pass, unsigned tile,
                                const pass_plan& plan, shared_type& shared)
      : params_(params), form_(form), shared_(shared), pass_(pass), tile_(tile),
        digit_(params.passes.template digit<Word>(pass)), first_(std::uint64_t{tile} * tile_items),
        valid_(Whole ? tile_items : static_cast<unsigned>(params.items - first_)), own_(valid_, rows_max),
        slots_(params.slots, cfg.digits(), simt::thread_index(), pass), common_(plan.common_digit)
  {
    // Pointers one by one: a reference to one of two structures would put all of them into local memory.
    keys_out_ = plan.to_out ? params.out.keys : params.spare.keys;
    keys_in_ = plan.is_first ? params.in.keys : plan.to_out ? params.spare.keys : params.out.keys;
    keys_in_ += first_;
    values_out_ = plan.to_out ? params.out.values : params.spare.values;
    values_in_ = plan.is_first ? params.in.values : plan.to_out ? params.spare.values : params.out.values;
    if constexpr (has_values)
    {
      values_in_ += first_;
    }
  }

  //! `sorted`: the bits by which a tile is sorted then.
  REHEAT_DEVICE void sort(const pass_checks& checks, Word sorted)
  {
    Word key[rows_max];
    load_keys(key);
    start_values();
    std::uint32_t* const counters = own_counters();
    clear_counters(counters, cfg.digits());
    key_ranks<rows_max> ranks;
    if constexpr (Whole)
    {
      rank_whole_by_atomics<rows_max>(counters, ranks, cfg.ranks_common_digits ? common_ : no_digit,
                                      [&](unsigned row) { return digit_(sorted_by(key[row])); });
    }
    else
    {
      REHEAT_UNROLL
      for (unsigned row = 0; row < rows_max; ++row)
      {
        ranks.set(row, simt::shared_add_of_warp(counters + digit_(sorted_by(key[row])), own_.has(row)));
      }
    }
    const bool ranks_in_order = !HasZeros || !checks.zeros || zeros_in_order(key, ranks);
    if (simt::thread_index() == 0)
    {
      *shared_.disorders = 0;
    }
    simt::sync_block(simt::unless(simt::fault::sort_skip_ranks_barrier));
    values_started();
    unsigned count = 0;
    const unsigned begin = places_of_counters<cfg.warps(), cfg.digits()>(shared_.counters, shared_.totals,
                                                                         [&](unsigned total)
                                                                         {
                                                                           count = total;
                                                                           slots_.publish(tile_, total);
                                                                         });
    simt::sync_block(simt::unless(simt::fault::sort_skip_places_barrier));
    REHEAT_UNROLL
    for (unsigned row = 0; row < rows_max; ++row)
    {
      simt::compute_again_from(key[row]);
    }
    REHEAT_UNROLL
    for (unsigned row = 0; row < rows_max; ++row)
    {
      if (own_.has(row))
      {
        put(counters[digit_(sorted_by(key[row]))] + ranks.get(row), own_.place(row), key[row]);
      }
    }
    if (simt::thread_index() < cfg.digits())
    {
      const std::uint64_t before = slots_.look_back(tile_, count);
      shared_.to[simt::thread_index()] = params_.starts[pass_ * cfg.digits() + simt::thread_index()] + before - begin;
    }
    simt::sync_block(simt::unless(simt::fault::sort_skip_sorted_barrier));
    values_loaded();
    for (bool may_fail = checks.order || checks.zeros || checks.ballots;; may_fail = false)
    {
      bool in_order = ranks_in_order && !checks.ballots;
      if constexpr (has_values)
      {
        in_order &= may_fail ? store_pairs<true>() : store_pairs<false>();
      }
      else
      {
        bool compares = may_fail;
        if constexpr (looks_for_lower_zeros)
        {
          compares &= checks.order;
        }
        in_order &= take(key, compares, sorted);
      }
      if (!may_fail)
      {
        break;
      }
      if (!simt::all(in_order) && simt::lane_index() == 0 && !simt::fault_active(simt::fault::sort_trust_atomics))
      {
        simt::shared_add(shared_.disorders, 1u);
      }
      simt::sync_block(simt::unless(simt::fault::sort_skip_disorders_barrier));
      if (*shared_.disorders == 0)
      {
        break;
      }
      if (simt::thread_index() == 0)
      {
        simt::fetch_add_relaxed(params_.digits + ranked_again_word(params_.passes.count), 1u);
      }
      sort_by_ballots();
    }
    if constexpr (!has_values)
    {
      store(key);
    }
  }

private:
  REHEAT_DEVICE static Word sorted_by(Word word) { return HasZeros ? key_form<Word, IsFloat>::sorted_by(word) : word; }
  REHEAT_DEVICE std::uint32_t* own_counters() const { return shared_.counters + simt::warp_index() * cfg.digits(); }
  REHEAT_DEVICE bool has_turn(unsigned i) const { return Whole || turn(i) < valid_; }
  REHEAT_DEVICE unsigned turn(unsigned i) const { return i * cfg.block_threads + simt::thread_index(); }

  REHEAT_DEVICE void load_keys(Word (&key)[rows_max])
  {
    REHEAT_UNROLL
    for (unsigned row = 0; row < rows_max; ++row)
    {
      key[row] = own_.has(row) ? load_word(keys_in_ + own_.place(row)) : Word(0);
    }
    REHEAT_UNROLL
    for (unsigned row = 0; row < rows_max; ++row)
    {
      key[row] = form_.word_of(key[row]);
    }
  }

  //! Values come into shared memory while keys are ranked: asynchronously where they lie on vectors.
  REHEAT_DEVICE void start_values()
  {
    if constexpr (has_values)
    {
      unsigned done = 0;
      if constexpr (device_traits_of(simt::arch).vec16_copies)
      {
        if (simt::thread_index() == 0)
        {
          simt::mbarrier_init(*shared_.loaded, cfg.block_threads);
          simt::mbarrier_init_fence();
        }
        if (reinterpret_cast<std::uintptr_t>(values_in_) % 16 == 0)
        {
          constexpr unsigned vector_values = 16 / sizeof(Value);
          const unsigned vectors = valid_ / vector_values;
          for (unsigned i = simt::thread_index(); i < vectors; i += cfg.block_threads)
          {
            simt::vec16_load(shared_.values + value_at<Value>(i * vector_values), values_in_ + i * vector_values);
          }
          done = vectors * vector_values;
        }
      }
      REHEAT_UNROLL
      for (unsigned i = done + simt::thread_index(); i < valid_; i += cfg.block_threads)
      {
        shared_.values[value_at<Value>(i)] = load_word(values_in_ + i);
      }
    }
  }
  //! After a barrier behind start_values.
  REHEAT_DEVICE void values_started()
  {
    if constexpr (has_values && device_traits_of(simt::arch).vec16_copies)
    {
      simt::mbarrier_arrive_loaded(*shared_.loaded);
    }
  }

  //! Waits until they have come.
  REHEAT_DEVICE void values_loaded()
  {
    if constexpr (has_values && device_traits_of(simt::arch).vec16_copies)
    {
      simt::mbarrier_wait(*shared_.loaded, 0, simt::unless(simt::fault::sort_skip_values_wait));
    }
  }

  REHEAT_DEVICE void put(unsigned to, unsigned from, Word word)
  {
    const unsigned at = staged_at(to);
    shared_.keys[at] = word;
    if constexpr (has_values)
    {
      shared_.sources[at] = static_cast<std::uint16_t>(from);
    }
  }

  //! Whether the ranks of the warp's zeros ascend. (Zeros of both signs have one digit in every pass.) All lanes call.
  REHEAT_DEVICE bool zeros_in_order(const Word (&key)[rows_max], const key_ranks<rows_max>& ranks) const
  {
    if (simt::fault_active(simt::fault::sort_trust_zeros))
    {
      return true;
    }
    if constexpr (looks_for_lower_zeros)
    {
      bool has_lower = false; // the lower word of zeros: without it, all zeros are one word
      REHEAT_UNROLL
      for (unsigned row = 0; row < rows_max; ++row)
      {
        has_lower |= own_.has(row) && sorted_by(key[row]) != key[row];
      }
      if (!simt::any(has_lower))
      {
        return true;
      }
    }
    bool in_order = true;
    unsigned next = 0; // the lowest rank that is free for the next zero
    REHEAT_UNROLL
    for (unsigned row = 0; row < rows_max; ++row)
    {
      const bool is_zero = own_.has(row) && sorted_by(key[row]) == key_form<Word, IsFloat>::sign;
      const unsigned zeros = simt::ballot(is_zero);
      if (zeros != 0)
      {
        const unsigned before = zeros & ((1u << simt::lane_index()) - 1), rank = ranks.get(row);
        const unsigned lower = simt::shuffle(rank, before != 0 ? simt::highest_one(before) : 0) + 1;
        in_order &= !is_zero || rank >= (before != 0 ? lower : next);
        next = simt::shuffle(rank, simt::highest_one(zeros)) + 1;
      }
    }
    return in_order;
  }

  //! Takes the thread's share of the sorted tile, item `turn(i)` for each i. `Checks`: returns whether none of them is out
  //! of order behind the one before. All threads call, after a barrier.
  REHEAT_DEVICE bool take(Word (&key)[rows_max], bool checks, Word sorted)
  {
    const unsigned first = staged_at(simt::thread_index());
    REHEAT_UNROLL
    for (unsigned i = 0; i < rows_max; ++i)
    {
      if (has_turn(i))
      {
        key[i] = shared_.keys[first + i * staged_at(cfg.block_threads)];
      }
    }
    bool in_order = true;
    if (checks)
    {
      REHEAT_UNROLL
      for (unsigned i = 0; i < rows_max; ++i)
      {
        if (has_turn(i))
        {
          in_order &= (sorted_by(shared_.keys[before_turn(i)]) & sorted) <= (sorted_by(key[i]) & sorted);
        }
      }
    }
    return in_order;
  }
  //! Where shared memory has the item before `turn(i)`, or the first one.
  REHEAT_DEVICE unsigned before_turn(unsigned i) const
  {
    const unsigned before_first = staged_at(simt::thread_index()) - (simt::lane_index() == 0 ? 2 : 1);
    return i == 0 && simt::thread_index() == 0 ? 0 : before_first + i * staged_at(cfg.block_threads);
  }
  //! Stores the thread's share of the sorted tile. `Checks`: returns whether none of it is out of order behind the item
  //! before. If any is, the tile is stored again: nobody reads the output before the launch has ended (pairs have a launch
  //! for each pass). All threads call,
  //! after a barrier. Stores overlap checks so. NVIDIA H200, 2^28 pairs of u32: a pass takes 1674 us in place of 1800.
  template <bool Checks>
  REHEAT_DEVICE bool store_pairs()
  {
    const unsigned first = staged_at(simt::thread_index());
    bool in_order = true;
    REHEAT_UNROLL
    for (unsigned i = 0; i < rows_max; ++i)
    {
      const unsigned at = first + i * staged_at(cfg.block_threads);
      if (has_turn(i))
      {
        const Word key = shared_.keys[at];
        const std::uint32_t source = shared_.sources[at];
        if constexpr (Checks)
        {
          const unsigned before = before_turn(i);
          in_order &= witness(shared_.keys[before], shared_.sources[before]) <= witness(key, source);
        }
        const std::uint64_t to = shared_.to[digit_(sorted_by(key))] + turn(i);
        store_word(keys_out_ + to, form_.stored_of(key));
        store_word(values_out_ + to, shared_.values[value_at<Value>(source)]);
      }
    }
    return in_order;
  }
  REHEAT_DEVICE std::uint32_t witness(Word key, std::uint32_t source) const { return digit_(sorted_by(key)) << 16 | source; }

  //! Sorts the tile again. All threads call, when nobody reads the sorted tile any more, and a barrier follows.
  REHEAT_DEVICE void sort_by_ballots()
  {
    std::uint32_t* const counters = own_counters();
    clear_counters(counters, cfg.digits());
    const auto word_at = [&](unsigned place) { return form_.word_of(load_word(keys_in_ + place)); };
    const auto digit_at = [&](unsigned place) { return digit_(sorted_by(word_at(place))); };
    REHEAT_NO_UNROLL
    for (unsigned row = 0; row < rows_max; ++row)
    {
      if (own_.has(row))
      {
        simt::shared_add(counters + digit_at(own_.place(row)), 1u);
      }
    }
    simt::sync_block(simt::unless(simt::fault::sort_skip_recount_barrier));
    places_of_counters<cfg.warps(), cfg.digits()>(shared_.counters, shared_.totals, [](unsigned) {});
    simt::sync_block(simt::unless(simt::fault::sort_skip_replaces_barrier));
    place_by_ballots(counters, cfg.digit_bits, own_, rows_max, digit_at,
                     [&](unsigned to, unsigned from) { put(to, from, word_at(from)); });
    simt::sync_block(simt::unless(simt::fault::sort_skip_resorted_barrier));
  }

  REHEAT_DEVICE void store(const Word (&key)[rows_max])
  {
    REHEAT_UNROLL
    for (unsigned i = 0; i < rows_max; ++i)
    {
      if (has_turn(i))
      {
        store_word(keys_out_ + shared_.to[digit_(sorted_by(key[i]))] + turn(i), form_.stored_of(key[i]));
      }
    }
  }

  const params_type& params_;
  const key_form<Word, IsFloat>& form_;
  shared_type& shared_;
  unsigned pass_;
  unsigned tile_;
  sort_digit<Word> digit_;
  std::uint64_t first_;
  unsigned valid_;
  warp_rows<Whole> own_;
  digit_slots slots_;
  unsigned common_;
  const Word* keys_in_;
  const Value* values_in_;
  Word* keys_out_;
  Value* values_out_;
};

//! Sorts a tile by the digit of a pass that moves items. All threads of a block call.
template <class Tuning, class Word, bool IsFloat, class Value>
REHEAT_DEVICE void sort_tile(const sort_pass_params<Word, Value>& params, const key_form<Word, IsFloat>& form, unsigned pass,
                             unsigned tile, const pass_plan& plan, sort_pass_shared<Word, Value>& shared)
{
  constexpr sort_config cfg = Tuning{}(simt::arch);
  using block = sort_pass_block<Tuning, Word, IsFloat, Value, true, false>;
  using block_with_zeros = sort_pass_block<Tuning, Word, IsFloat, Value, true, IsFloat>;
  using last_block = sort_pass_block<Tuning, Word, IsFloat, Value, false, IsFloat>;
  static_assert(cfg.digits() <= cfg.block_threads, "a thread for each digit");
  static_assert(cfg.block_threads * cfg.items_per_thread <= 65536, "places in a tile have 16 bits");
  const std::uint32_t found = params.digits[params.passes.count];
  pass_checks checks{};
  checks.ballots = !block::has_values && (found & other_bits_differ) != 0;
  const bool zeros = IsFloat && (found & has_negative_zeros) != 0;
  checks.zeros = !block::has_values && zeros;
  // Without values, keys that are equal need no order in the first pass.
  checks.order = block::has_values || !plan.is_first;
  const unsigned end = params.passes.end_of(pass);
  const Word sorted = bits_between<Word>(plan.is_first ? params.passes.begin_of(pass) : params.passes.begin_bit, end);
  const std::uint64_t tile_items = cfg.block_threads * cfg.items_per_thread;
  const bool whole = (tile + 1) * tile_items <= params.items;
  if (whole && !zeros)
  {
    block(params, form, pass, tile, plan, shared).sort(checks, sorted);
  }
  else if (whole)
  {
    block_with_zeros(params, form, pass, tile, plan, shared).sort(checks, sorted);
  }
  else
  {
    last_block(params, form, pass, tile, plan, shared).sort(checks, sorted);
  }
}

template <class Tuning, class Word, bool IsFloat, class Value>
REHEAT_KERNEL(Tuning{}(simt::arch).block_threads, Tuning{}(simt::arch).resident_blocks)
sort_pass_kernel(sort_pass_params<Word, Value> params, key_form<Word, IsFloat> form)
{
  constexpr sort_config cfg = Tuning{}(simt::arch);
  simt::grid_dependency_wait(simt::unless(simt::fault::sort_too_early));
  simt::trigger_dependent_launch();
  if constexpr (may_be_spread_v<Word, IsFloat, Value> && cfg.spread_bits != 0)
  {
    // First of all: 25000 blocks of 2^28 keys take 33 us, and 39 if they also look for the plan (NVIDIA H200).
    if (params.digits[bucket_bits_word(params.passes.count)] != 0)
    {
      return;
    }
  }
  // This count is loaded together with what the plan asks for.
  const bool are_few = !has_values_v<Value> && params.of_few_values() == params.items;
  const pass_plan plan = sort_plan(params.passes, params.digits, params.needless()).of(params.pass);
  if constexpr (may_be_few_v<Word> && !has_values_v<Value>)
  {
    if (are_few)
    {
      if (params.pass == 0)
      {
        write_few_values<Tuning>(params.few, params.out.keys, params.items, form, simt::block_index(), simt::grid_blocks());
      }
      return;
    }
  }
  if (!plan.moves)
  {
    return;
  }
  simt::shared_memory memory;
  sort_pass_shared<Word, Value> shared(memory, cfg);
  sort_tile<Tuning>(params, form, params.pass, simt::block_index(), plan, shared);
}

//! All passes, behind the sort by ranges, which may have sorted the keys. The grid has a block for each pass and tile, which
//! waits for all tiles of the pass before: blocks of lower indices, which start first. `params.pass` means nothing.
template <class Tuning, class Word>
REHEAT_KERNEL(Tuning{}(simt::arch).block_threads, Tuning{}(simt::arch).resident_blocks)
sort_passes_kernel(sort_pass_params<Word, no_values> params, key_form<Word, false> form, unsigned tiles)
{
  constexpr sort_config cfg = Tuning{}(simt::arch);
  const unsigned pass = simt::block_index() / tiles, tile = simt::block_index() % tiles;
  simt::grid_dependency_wait(simt::unless(simt::fault::sort_too_early));
  simt::trigger_dependent_launch();
  if (sorted_by_ranges(params.digits, params.passes.count))
  {
    return;
  }
  if (params.of_few_values() == params.items)
  {
    if (pass == 0)
    {
      write_few_values<Tuning>(params.few, params.out.keys, params.items, form, tile, tiles);
    }
    return;
  }
  const sort_plan all(params.passes, params.digits, 0);
  const pass_plan plan = all.of(pass);
  if (!plan.moves)
  {
    return;
  }
  simt::shared_memory memory;
  sort_pass_shared<Word, no_values> shared(memory, cfg);
  std::uint32_t* const done = params.digits + done_word(params.passes.count);
  if (!plan.is_first && simt::thread_index() == 0)
  {
    while (simt::load_acquire(done + all.before(pass)) != tiles && !simt::fault_active(simt::fault::sort_skip_pass_wait))
    {
      simt::backoff();
    }
  }
  simt::sync_block(simt::unless(simt::fault::sort_skip_waited_barrier));
  sort_tile<Tuning>(params, form, pass, tile, plan, shared);
  simt::sync_block(simt::unless(simt::fault::sort_skip_stored_barrier));
  if (simt::thread_index() == 0)
  {
    simt::fetch_add(done + pass, 1u);
  }
}

} // namespace detail
REHEAT_NAMESPACE_END

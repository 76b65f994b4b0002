// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! A pass of the radix sort (least significant digit first): a stable sort by one digit, in one pass over memory.
//!
//! A block has one tile: that of its index, since it waits for tiles of lower indices, whose blocks start first. It ranks
//! its keys (ranks.cuh) and publishes how many it has of each digit, sorts the tile by the digit in shared memory, and
//! checks it, while some threads look back (look_back.cuh) for where its keys of each digit go. Runs of one digit leave
//! together.
//!
//! A tile is in order if places in the input ascend among keys of one digit. Without values, keys are their own witnesses:
//! equal keys are the same, so it is enough that keys ascend in the bits by which they are sorted so far. That does not do
//! where bits beside those differ: then each tile is ranked by ballots.
//!
//! Which passes have anything to do is known on the device (plan.cuh).
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/simt/simt.cuh>
#include <reheat/detail/sort/digits.cuh>
#include <reheat/detail/sort/look_back.cuh>
#include <reheat/detail/sort/plan.cuh>
#include <reheat/detail/sort/ranks.cuh>
#include <reheat/detail/sort/tuning.cuh>
#include <reheat/detail/thread/items.cuh>

#include <cstdint>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

//! Shared memory of a pass.
template <class Word, class Value, bool HasSources>
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
    values = has_values_v<Value> ? memory.template array<Value>(tile, 16) : nullptr;
    to = memory.template array<std::uint64_t>(cfg.digits());
    loaded = has_values_v<Value> ? memory.template array<simt::mbarrier>(1) : nullptr;
    counters = memory.template array<std::uint32_t>(cfg.warps() * cfg.digits());
    totals = memory.template array<std::uint32_t>(simt::warp_lanes);
    disorders = memory.template array<std::uint32_t>(1);
    sources = HasSources ? memory.template array<std::uint16_t>(staged_items(tile)) : nullptr;
  }
};

template <class Tuning, class Word, bool IsFloat, class Value, bool Whole>
class sort_pass_block
{
  static constexpr sort_config cfg = Tuning{}(simt::arch);
  static constexpr unsigned rows_max = cfg.items_per_thread, tile_items = cfg.block_threads * rows_max;

public:
  static constexpr bool has_values = has_values_v<Value>, has_sources = has_values || IsFloat;
  using shared_type = sort_pass_shared<Word, Value, has_sources>;
  using params_type = sort_pass_params<Word, Value>;

  REHEAT_DEVICE sort_pass_block(const params_type& params, const key_form<Word, IsFloat>& form, const pass_plan& plan,
                                shared_type& shared)
      : params_(params), form_(form), shared_(shared), digit_(params.passes.template digit<Word>(params.pass)),
        first_(std::uint64_t{simt::block_index()} * tile_items),
        valid_(Whole ? tile_items : static_cast<unsigned>(params.items - first_)), own_(valid_, rows_max),
        slots_(params.slots, cfg.digits(), simt::thread_index(), params.pass)
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

  //! `is_checked`: keys may not be in order. `by_ballots`: they count as such.
  REHEAT_DEVICE void sort(bool is_checked, bool by_ballots)
  {
    Word key[rows_max];
    load_keys(key);
    start_values();
    std::uint32_t* const counters = own_counters();
    clear_counters(counters, cfg.digits());
    key_ranks<rows_max> ranks;
    if constexpr (Whole)
    {
      rank_whole_by_atomics<rows_max>(counters, ranks, [&](unsigned row) { return digit_(form_.sorted_by(key[row])); });
    }
    else
    {
      REHEAT_UNROLL
      for (unsigned row = 0; row < rows_max; ++row)
      {
        ranks.set(row, simt::shared_add_of_warp(counters + digit_(form_.sorted_by(key[row])), own_.has(row)));
      }
    }
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
                                                                           slots_.publish(simt::block_index(), total);
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
        put(counters[digit_(form_.sorted_by(key[row]))] + ranks.get(row), own_.place(row), key[row]);
      }
    }
    if (simt::thread_index() < cfg.digits())
    {
      const std::uint64_t before = slots_.look_back(simt::block_index(), count);
      shared_.to[simt::thread_index()] = params_.starts[params_.pass * cfg.digits() + simt::thread_index()] + before - begin;
    }
    simt::sync_block(simt::unless(simt::fault::sort_skip_sorted_barrier));
    std::uint32_t sources[has_sources ? (rows_max + 1) / 2 : 1];
    for (bool may_fail = is_checked || by_ballots;; may_fail = false)
    {
      const bool in_order = take(key, sources, may_fail) && !by_ballots;
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
      sort_by_ballots();
    }
    store(key, sources);
  }

private:
  REHEAT_DEVICE std::uint32_t* own_counters() const { return shared_.counters + simt::warp_index() * cfg.digits(); }

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
            simt::vec16_load(shared_.values + i * vector_values, values_in_ + i * vector_values);
          }
          done = vectors * vector_values;
        }
      }
      REHEAT_UNROLL
      for (unsigned i = done + simt::thread_index(); i < valid_; i += cfg.block_threads)
      {
        shared_.values[i] = load_word(values_in_ + i);
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

  REHEAT_DEVICE void put(unsigned to, unsigned from, Word word)
  {
    const unsigned at = staged_at(to);
    shared_.keys[at] = word;
    if constexpr (has_sources)
    {
      shared_.sources[at] = static_cast<std::uint16_t>(from);
    }
  }

  //! Takes the warp's rows of the sorted tile. `Checks`: returns whether none of the lane's items is out of order behind the
  //! one before. All threads call, after a barrier.
  REHEAT_DEVICE bool take(Word (&key)[rows_max], std::uint32_t* sources, bool checks)
  {
    const unsigned first = staged_at(own_.place(0));
    REHEAT_UNROLL
    for (unsigned row = 0; row < rows_max; ++row)
    {
      key[row] = own_.has(row) ? shared_.keys[first + row * staged_at(simt::warp_lanes)] : Word(0);
      if constexpr (has_sources)
      {
        const std::uint32_t source = own_.has(row) ? shared_.sources[first + row * staged_at(simt::warp_lanes)] : 0;
        sources[row / 2] = row % 2 == 0 ? source : sources[row / 2] | source << 16;
      }
    }
    return !checks || is_in_order(key, sources);
  }
  //! All lanes call.
  REHEAT_DEVICE bool is_in_order(const Word (&key)[rows_max], const std::uint32_t* sources) const
  {
    using witness_type = std::conditional_t<has_sources, std::uint32_t, Word>;
    const Word so_far = bits_between<Word>(params_.passes.begin_bit, params_.passes.end_of(params_.pass));
    const auto witness = [&](Word sorted, unsigned source)
    {
      return static_cast<witness_type>(has_sources ? digit_(form_.sorted_by(sorted)) << 16 | source
                                                   : static_cast<witness_type>(sorted & so_far));
    };
    // The item before the first one of a lane's row is in the lane below, but for lane 0 in lane 31's row before.
    const unsigned lane = simt::lane_index(), lane_before = (lane - 1) % simt::warp_lanes;
    witness_type last = 0;
    if (lane == simt::warp_lanes - 1 && simt::warp_index() != 0 && simt::warp_index() * rows_max * simt::warp_lanes < valid_)
    {
      const unsigned at = staged_at(simt::warp_index() * rows_max * simt::warp_lanes - 1);
      last = witness(shared_.keys[at], has_sources ? shared_.sources[at] : 0);
    }
    bool in_order = true;
    REHEAT_UNROLL
    for (unsigned row = 0; row < rows_max; ++row)
    {
      const witness_type own = witness(key[row], has_sources ? sources[row / 2] >> row % 2 * 16 & 0xffff : 0);
      const witness_type before = simt::shuffle(lane == simt::warp_lanes - 1 ? last : own, lane_before);
      in_order &= !own_.has(row) || before <= own;
      last = own;
    }
    return in_order;
  }

  //! Sorts the tile again. All threads call, when nobody reads the sorted tile any more, and a barrier follows.
  REHEAT_DEVICE void sort_by_ballots()
  {
    std::uint32_t* const counters = own_counters();
    clear_counters(counters, cfg.digits());
    const auto word_at = [&](unsigned place) { return form_.word_of(load_word(keys_in_ + place)); };
    const auto digit_at = [&](unsigned place) { return digit_(form_.sorted_by(word_at(place))); };
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

  REHEAT_DEVICE void store(const Word (&key)[rows_max], const std::uint32_t* sources)
  {
    if constexpr (has_values && device_traits_of(simt::arch).vec16_copies)
    {
      simt::mbarrier_wait(*shared_.loaded, 0, simt::unless(simt::fault::sort_skip_values_wait));
    }
    REHEAT_UNROLL
    for (unsigned row = 0; row < rows_max; ++row)
    {
      if (own_.has(row))
      {
        const std::uint64_t to = shared_.to[digit_(form_.sorted_by(key[row]))] + own_.place(row);
        store_word(keys_out_ + to, form_.stored_of(key[row]));
        if constexpr (has_values)
        {
          store_word(values_out_ + to, shared_.values[sources[row / 2] >> row % 2 * 16 & 0xffff]);
        }
      }
    }
  }

  const params_type& params_;
  const key_form<Word, IsFloat>& form_;
  shared_type& shared_;
  sort_digit<Word> digit_;
  std::uint64_t first_;
  unsigned valid_;
  warp_rows<Whole> own_;
  digit_slots slots_;
  const Word* keys_in_;
  const Value* values_in_;
  Word* keys_out_;
  Value* values_out_;
};

template <class Tuning, class Word, bool IsFloat, class Value>
REHEAT_KERNEL(Tuning{}(simt::arch).block_threads, Tuning{}(simt::arch).resident_blocks)
sort_pass_kernel(sort_pass_params<Word, Value> params, key_form<Word, IsFloat> form)
{
  constexpr sort_config cfg = Tuning{}(simt::arch);
  using block = sort_pass_block<Tuning, Word, IsFloat, Value, true>;
  using last_block = sort_pass_block<Tuning, Word, IsFloat, Value, false>;
  static_assert(cfg.digits() <= cfg.block_threads, "a thread for each digit");
  static_assert(cfg.block_threads * cfg.items_per_thread <= 65536, "places in a tile have 16 bits");
  simt::shared_memory memory;
  typename block::shared_type shared(memory, cfg);
  simt::grid_dependency_wait(simt::unless(simt::fault::sort_too_early));
  simt::trigger_dependent_launch();
  const pass_plan plan = sort_plan(params.passes, params.digits).of(params.pass);
  if (!plan.moves)
  {
    return;
  }
  const bool others_differ = params.digits[params.passes.count] != 0;
  const bool needs_ballots = !block::has_sources && others_differ;
  // Without values, keys that are equal need no order in the first pass.
  const bool is_checked = block::has_sources || !plan.is_first;
  const std::uint64_t tile = cfg.block_threads * cfg.items_per_thread;
  if ((simt::block_index() + 1) * tile <= params.items)
  {
    block(params, form, plan, shared).sort(is_checked, needs_ballots);
  }
  else
  {
    last_block(params, form, plan, shared).sort(is_checked, needs_ballots);
  }
}

} // namespace detail
REHEAT_NAMESPACE_END

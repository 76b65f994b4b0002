// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The correctly rounded sum of floating-point numbers, in one launch. Numbers are added as integers (number.cuh), so
//! neither their order nor how they are divided among threads and blocks shows in the result.
//!
//! * Each thread has a column of chunks in shared memory and adds its numbers to it. No number is slower than another: all
//!   take the same accesses, and lanes never meet in a bank, because chunk k of thread t is word t of row k.
//! * A thread passes carries on before a chunk may overflow (carry_free_items).
//! * Warps add up rows of the block's columns, the low and the high 32 bits apart, so that no sum overflows. The block
//!   publishes these totals, as the blocks of a reduction publish their values (reduce/kernel.cuh): its head says why the
//!   last block may wait for the others.
//! * The last block adds the initial value as one more number. Its warps add up the totals of all blocks, and thread 0
//!   rounds once.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/exact/number.cuh>
#include <reheat/detail/exact/tuning.cuh>
#include <reheat/detail/grid/result.cuh>
#include <reheat/detail/grid/slot.cuh>
#include <reheat/detail/grid/slot_fold.cuh>
#include <reheat/detail/reduce/into.cuh>
#include <reheat/detail/reduce/mapped_input.cuh>
#include <reheat/detail/simt/simt.cuh>
#include <reheat/detail/warp/fold.cuh>

#include <cstdint>
#include <cstring>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

template <class Accum>
struct exact_params
{
  std::uint64_t items;
  workspace<exact_total<Accum>> scratch; //!< none if the grid is one block
};

//! Shared memory of a block.
template <class Accum>
struct exact_shared
{
  std::int64_t* columns;     //!< [chunk][thread]; then [warp][chunk], of the sums of other blocks
  unsigned* specials;        //!< [warp]
  exact_total<Accum>* total; //!< of the block, then of all blocks

  REHEAT_EXEC_CHECK_DISABLE
  template <class Memory>
  REHEAT_HOST_DEVICE constexpr exact_shared(Memory& memory, const exact_config& c)
      : columns(memory.template array<std::int64_t>(exact_layout<Accum>::chunks * c.block_threads, 16)),
        specials(memory.template array<unsigned>(c.block_threads / simt::warp_lanes)),
        total(memory.template array<exact_total<Accum>>(1))
  {}
};

template <class Accum>
REHEAT_HOST_DEVICE constexpr std::size_t exact_shared_bytes(const exact_config& c)
{
  simt::shared_counter counter;
  exact_shared<Accum> layout(counter, c);
  static_cast<void>(layout);
  return counter.bytes();
}

//! What one thread adds up.
template <class Accum>
class exact_column
{
  using layout = exact_layout<Accum>;

public:
  REHEAT_DEVICE exact_column(std::int64_t* columns, unsigned threads)
      : own_(columns + simt::thread_index()), threads_(threads)
  {}

  //! Before anything else. The column begins as zeros.
  REHEAT_DEVICE void clear()
  {
    for (unsigned k = 0; k < layout::chunks; ++k)
    {
      chunk(k) = 0;
    }
  }

  //! Makes room for `count` numbers.
  REHEAT_DEVICE void expect(unsigned count)
  {
    if (added_ + count > layout::carry_free_items)
    {
      pass();
    }
    added_ += count;
  }
  //! One of the numbers that there is room for.
  REHEAT_DEVICE void add(const Accum& number)
  {
    typename layout::bits_type bits;
    memcpy(&bits, &number, sizeof bits);
    watch_.see(bits);
    const exact_parts parts = parts_of<Accum>(bits);
    if constexpr (layout::adds_to_one_chunk)
    {
      held_ += parts.low;
    }
    else
    {
      add_exactly<Accum>(parts, [this](unsigned k) -> std::int64_t& { return chunk(k); });
    }
  }
  //! After the last number: the column has all of them.
  REHEAT_DEVICE void finish()
  {
    if constexpr (layout::adds_to_one_chunk)
    {
      chunk(0) += held_;
      held_ = 0;
    }
  }
  REHEAT_DEVICE unsigned specials() const { return simt::fault_active(simt::fault::exact_lost_special) ? 0 : watch_.seen(); }

private:
  REHEAT_DEVICE void pass()
  {
    finish();
    pass_carries<Accum>([this](unsigned k) -> std::int64_t& { return chunk(k); });
    added_ = 0;
  }
  REHEAT_DEVICE std::int64_t& chunk(unsigned k) const { return own_[k * threads_]; }

  std::int64_t* own_;
  unsigned threads_;
  unsigned added_ = 0;
  std::int64_t held_ = 0; //!< what chunk 0 lacks: numbers that add to no other chunk stay in a register
  special_watch<Accum> watch_;
};

//! Adds the thread's vectors of a block's tiles: tile `block` and every `step`-th after it.
template <unsigned Threads, unsigned Vectors, class Accum, class Terms>
class exact_tiles
{
  static constexpr unsigned vector_items = Terms::vector_items;
  static constexpr unsigned tile_items = Threads * Vectors * vector_items;
  static_assert(Vectors * vector_items <= exact_layout<Accum>::carry_free_items, "a thread's tile fits its column");
  using loaded = typename Terms::loaded;

public:
  REHEAT_DEVICE exact_tiles(Terms& terms, std::uint64_t items, exact_column<Accum>& column)
      : terms_(terms), items_(items), column_(column)
  {}

  //! Clears the column first; the loads of the first tile hide that.
  REHEAT_DEVICE void add(std::uint64_t block, std::uint64_t blocks)
  {
    const std::uint64_t whole_tiles = items_ / tile_items;
    if constexpr (Terms::packable)
    {
      if constexpr (Terms::may_be_aligned)
      {
        if (terms_.aligned())
        {
          add_whole_tiles<true>(block, whole_tiles, blocks);
          add_part(block, whole_tiles, blocks);
          return;
        }
      }
      add_whole_tiles<false>(block, whole_tiles, blocks);
      add_part(block, whole_tiles, blocks);
    }
    else
    {
      column_.clear();
      for (std::uint64_t tile = block; tile * tile_items < items_; tile += blocks)
      {
        add_by_item(tile);
      }
    }
  }

private:
  //! A tile is loaded while the numbers of the one before it are added.
  template <bool Aligned>
  REHEAT_DEVICE void add_whole_tiles(std::uint64_t tile, std::uint64_t whole_tiles, std::uint64_t step)
  {
    loaded coming[Vectors];
    if (tile < whole_tiles)
    {
      load<Aligned>(tile, coming);
    }
    column_.clear();
    REHEAT_NO_UNROLL
    for (; tile < whole_tiles; tile += step)
    {
      loaded held[Vectors];
      REHEAT_UNROLL
      for (unsigned p = 0; p < Vectors; ++p)
      {
        held[p] = coming[p];
      }
      if (tile + step < whole_tiles)
      {
        load<Aligned>(tile + step, coming);
      }
      column_.expect(Vectors * vector_items);
      REHEAT_UNROLL
      for (unsigned p = 0; p < Vectors; ++p)
      {
        terms_.visit(held[p], first_of(tile, p), [&](const auto& term) { column_.add(static_cast<Accum>(term)); });
      }
    }
  }
  template <bool Aligned>
  REHEAT_DEVICE void load(std::uint64_t tile, loaded (&held)[Vectors])
  {
    REHEAT_UNROLL
    for (unsigned p = 0; p < Vectors; ++p)
    {
      terms_.load(Aligned, first_of(tile, p), held[p]);
    }
  }

  //! The last tile, if it is partial.
  REHEAT_DEVICE void add_part(std::uint64_t block, std::uint64_t whole_tiles, std::uint64_t blocks)
  {
    if (whole_tiles * tile_items != items_ && whole_tiles % blocks == block)
    {
      add_by_item(whole_tiles);
    }
  }

  REHEAT_DEVICE void add_by_item(std::uint64_t tile)
  {
    column_.expect(Vectors * vector_items);
    REHEAT_NO_UNROLL
    for (unsigned p = 0; p < Vectors; ++p)
    {
      const std::uint64_t first = first_of(tile, p);
      if (first < items_)
      {
        const std::uint64_t left = items_ - first - (simt::fault_active(simt::fault::exact_short_tile) ? 1 : 0);
        terms_.visit_part(first, first, left < vector_items ? static_cast<unsigned>(left) : vector_items,
                          [&](const auto& term) { column_.add(static_cast<Accum>(term)); });
      }
    }
  }

  REHEAT_DEVICE static std::uint64_t first_of(std::uint64_t tile, unsigned p)
  {
    return tile * tile_items + (p * Threads + simt::thread_index()) * vector_items;
  }

  Terms& terms_;
  std::uint64_t items_;
  exact_column<Accum>& column_;
};

//! Leaves the kinds of special items that the lanes of each warp have in shared.specials.
template <class Accum>
REHEAT_DEVICE void store_specials(const exact_shared<Accum>& shared, unsigned own)
{
  unsigned all = 0;
  REHEAT_UNROLL
  for (unsigned kind = 1; kind <= special_items::not_a_number; kind *= 2)
  {
    all |= simt::any((own & kind) != 0) ? kind : 0;
  }
  if (simt::lane_index() == 0)
  {
    shared.specials[simt::warp_index()] = all;
  }
}
//! Thread 0 gets the kinds of all warps.
template <unsigned Threads, class Accum>
REHEAT_DEVICE unsigned load_specials(const exact_shared<Accum>& shared)
{
  unsigned all = 0;
  for (unsigned warp = 0; simt::thread_index() == 0 && warp < Threads / simt::warp_lanes; ++warp)
  {
    all |= shared.specials[warp];
  }
  return all;
}

//! Adds up the columns of a block's threads. Totals are in shared.total after the next barrier of the block. A warp has
//! neighbouring chunks: what is above the low 32 bits of a chunk is added to the next one.
template <unsigned Threads, class Accum>
REHEAT_DEVICE void add_up_columns(const exact_shared<Accum>& shared, const exact_column<Accum>& column)
{
  constexpr unsigned warps = Threads / simt::warp_lanes, chunks = exact_layout<Accum>::chunks;
  constexpr unsigned of_warp = (chunks + warps - 1) / warps;
  store_specials(shared, column.specials());
  simt::sync_block(simt::unless(simt::fault::skip_exact_columns_barrier));
  const auto sums_of = [&](unsigned k, std::int64_t& low, std::int64_t& high)
  {
    REHEAT_UNROLL
    for (unsigned i = 0; i < warps; ++i)
    {
      const std::int64_t chunk = shared.columns[k * Threads + i * simt::warp_lanes + simt::lane_index()];
      low += static_cast<std::uint32_t>(chunk);
      high += simt::fault_active(simt::fault::exact_lost_carry) ? 0 : chunk >> 32;
    }
  };
  const unsigned first = simt::warp_index() * of_warp;
  std::int64_t carry = 0;
  if (first != 0 && first < chunks)
  {
    std::int64_t unused = 0;
    sums_of(first - 1, unused, carry);
  }
  for (unsigned k = first; k < first + of_warp && k < chunks; ++k)
  {
    std::int64_t sum = carry;
    carry = 0;
    sums_of(k, sum, carry);
    sum = sum_over_lanes(k + 1 == chunks ? sum + carry * (std::int64_t{1} << 32) : sum);
    if (simt::lane_index() == 0)
    {
      shared.total->chunk[k] = sum;
    }
  }
  const unsigned specials = load_specials<Threads>(shared);
  if (simt::thread_index() == 0)
  {
    shared.total->specials = specials;
  }
}

//! Adds the totals of the blocks before the last one, which publish them in slots, to shared.total. All threads of the last
//! block call. The sum is there after the next barrier of the block.
template <unsigned Threads, class Accum>
REHEAT_DEVICE void add_up_blocks(const exact_shared<Accum>& shared, const workspace<exact_total<Accum>>& scratch,
                                 std::uint32_t epoch, unsigned others)
{
  using total_type = exact_total<Accum>;
  constexpr unsigned warps = Threads / simt::warp_lanes, chunks = exact_layout<Accum>::chunks;
  constexpr unsigned rounds = (chunks + simt::warp_lanes - 1) / simt::warp_lanes;
  constexpr unsigned at_once = 12; // blocks: each load costs a round trip to the L2
  const slot_array<total_type> slots(scratch, epoch);
  unsigned specials = 0;
  for (unsigned first = simt::warp_index() * simt::warp_lanes; first < others; first += Threads)
  {
    slot_row<1, total_type> row(slots, first, others - first < simt::warp_lanes ? others - first : simt::warp_lanes);
    wait_for_slots(row);
    if (first + simt::lane_index() < others)
    {
      specials |= static_cast<unsigned>(scratch.values[first + simt::lane_index()].specials);
    }
  }
  store_specials(shared, specials);
  // Each warp has seen some slots ready; now all are.
  simt::sync_block(simt::unless(simt::fault::skip_exact_slots_barrier));
  std::int64_t sums[rounds] = {};
  for (unsigned block = simt::warp_index(); block < others; block += at_once * warps)
  {
    REHEAT_UNROLL
    for (unsigned i = 0; i < at_once; ++i)
    {
      REHEAT_UNROLL
      for (unsigned r = 0; r < rounds; ++r)
      {
        const unsigned k = r * simt::warp_lanes + simt::lane_index();
        sums[r] += block + i * warps < others && k < chunks ? scratch.values[block + i * warps].chunk[k] : 0;
      }
    }
  }
  REHEAT_UNROLL
  for (unsigned r = 0; r < rounds; ++r)
  {
    const unsigned k = r * simt::warp_lanes + simt::lane_index();
    if (k < chunks)
    {
      shared.columns[simt::warp_index() * chunks + k] = sums[r];
    }
  }
  simt::sync_block(simt::unless(simt::fault::skip_exact_blocks_barrier));
  for (unsigned k = simt::thread_index(); k < chunks; k += Threads)
  {
    std::int64_t sum = 0;
    for (unsigned warp = 0; warp < warps; ++warp)
    {
      sum += shared.columns[warp * chunks + k];
    }
    shared.total->chunk[k] += sum;
  }
  const unsigned all = load_specials<Threads>(shared);
  if (simt::thread_index() == 0)
  {
    shared.total->specials |= all;
  }
}

//! Stores what the sum rounds to. May destroy the sum.
template <class Result, class Accum>
REHEAT_DEVICE void store_sum(Result& result, exact_total<Accum>& total)
{
  store_result(result, round_exactly(total));
}

//! Every block but the first has a tile.
template <class Tuning, class Terms, class Accum, class Init, class Result>
REHEAT_KERNEL(Tuning{}(simt::arch).block_threads)
exact_sum_kernel(Terms terms, exact_params<Accum> params, Init init, Result result)
{
  using total_type = exact_total<Accum>;
  constexpr exact_config cfg = Tuning{}(simt::arch);
  static_assert(!slot_traits<total_type>::in_words, "the last block reads totals as values in memory");
  simt::shared_memory memory;
  const exact_shared<Accum> shared(memory, cfg);
  const unsigned block = simt::block_index(), blocks = simt::grid_blocks(), last = blocks - 1;
  exact_column<Accum> column(shared.columns, cfg.block_threads);
  simt::grid_dependency_wait(simt::unless(simt::fault::exact_too_early));
  simt::trigger_dependent_launch();
  // The loads of the items hide these round trips.
  std::uint32_t last_launch = 0;
  std::uint64_t used_words = 0;
  if (blocks > 1 && (block == last || simt::thread_index() == 0))
  {
    last_launch = last_launch_epoch(params.scratch.header);
    used_words = block == last ? simt::load_relaxed(&params.scratch.header->used_words) : 0;
  }

  exact_tiles<cfg.block_threads, cfg.vectors_per_thread, Accum, Terms>(terms, params.items, column).add(block, blocks);
  if (simt::thread_index() == 0 && (block == last || simt::fault_active(simt::fault::exact_init_everywhere)))
  {
    column.expect(1);
    column.add(static_cast<Accum>(init.load()));
  }
  column.finish();
  add_up_columns<cfg.block_threads>(shared, column);
  simt::sync_block(simt::unless(simt::fault::skip_exact_totals_barrier));

  const std::uint32_t epoch = last_launch + 1;
  if (block != last)
  {
    if (simt::thread_index() == 0)
    {
      slot_array<total_type>(params.scratch, epoch).publish(block, *shared.total);
    }
    return;
  }
  if (last != 0)
  {
    add_up_blocks<cfg.block_threads>(shared, params.scratch, epoch, last);
    simt::sync_block(simt::unless(simt::fault::skip_exact_sum_barrier));
  }
  if (simt::thread_index() == 0)
  {
    store_sum(result, *shared.total);
  }
  if (last != 0)
  {
    if (simt::thread_index() == 0)
    {
      retire_launch(params.scratch.header, epoch, last * slot_traits<total_type>::words, used_words);
    }
    if (is_last_epoch(epoch) && simt::warp_index() == 0)
    {
      clear_words(params.scratch);
    }
  }
}

} // namespace detail
REHEAT_NAMESPACE_END

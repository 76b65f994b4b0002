// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The correctly rounded sum of floating-point numbers, in one launch. Numbers are added as integers (number.cuh), so
//! neither their order nor how they are divided among threads and blocks shows in the result.
//!
//! * Each thread has a column of words in shared memory and adds its numbers to it (column.cuh). It passes carries on before
//!   a word may overflow.
//! * Warps add up rows of the block's columns, in two parts that do not overflow, and threads make the chunks of a total of
//!   them. The block publishes its total, as the blocks of a reduction publish their values (reduce/kernel.cuh): its head
//!   says why the last block may wait for the others.
//! * The last block adds the initial value as one more number. Its warps add up the totals of all blocks, and thread 0
//!   rounds once.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/exact/column.cuh>
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
  using column = exact_column<Accum, simt::warp_lanes>; // words and rows do not depend on the number of threads
  typename column::word* columns;                       //!< [row][thread]
  row_sum* rows;                                        //!< [row]
  std::int64_t* sums;                                   //!< [warp][chunk], of other blocks
  unsigned* specials;                                   //!< [warp]
  chunk_range* touched;                                 //!< [warp]
  exact_total<Accum>* total;                            //!< of the block, then of all blocks

  REHEAT_EXEC_CHECK_DISABLE
  template <class Memory>
  REHEAT_HOST_DEVICE constexpr exact_shared(Memory& memory, const exact_config& c)
      : columns(memory.template array<typename column::word>(column::rows * c.block_threads, 16)),
        rows(memory.template array<row_sum>(column::rows)),
        sums(memory.template array<std::int64_t>(c.block_threads / simt::warp_lanes * exact_layout<Accum>::chunks)),
        specials(memory.template array<unsigned>(c.block_threads / simt::warp_lanes)),
        touched(memory.template array<chunk_range>(c.block_threads / simt::warp_lanes)),
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

template <class Tuning, class Accum>
inline constexpr bool exact_fits_everywhere = on_every_arch(
    [](int arch) { return exact_shared_bytes<Accum>(Tuning{}(arch)) <= device_traits_of(arch).block_shared_bytes; });

//! Adds the thread's vectors of a block's tiles: tile `block` and every `step`-th after it.
template <unsigned Threads, unsigned Vectors, class Accum, class Column, class Terms>
class exact_tiles
{
  static constexpr unsigned vector_items = Terms::vector_items;
  static constexpr unsigned tile_items = Threads * Vectors * vector_items;
  static_assert(Vectors * vector_items <= Column::room, "a thread's tile fits its column");
  using loaded = typename Terms::loaded;

public:
  REHEAT_DEVICE exact_tiles(Terms& terms, std::uint64_t items, Column& column)
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
      Accum numbers[Vectors * vector_items];
      unsigned count = 0;
      REHEAT_UNROLL
      for (unsigned p = 0; p < Vectors; ++p)
      {
        terms_.visit(held[p], first_of(tile, p),
                     [&](const auto& term)
                     {
                       numbers[count] = static_cast<Accum>(term);
                       column_.add(numbers[count++]);
                     });
      }
      column_.look_again(numbers);
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
                          [&](const auto& term) { add_one(static_cast<Accum>(term)); });
      }
    }
  }

  REHEAT_DEVICE void add_one(const Accum& number)
  {
    const Accum numbers[1] = {number};
    column_.add(number);
    column_.look_again(numbers);
  }

  REHEAT_DEVICE static std::uint64_t first_of(std::uint64_t tile, unsigned p)
  {
    return tile * tile_items + (p * Threads + simt::thread_index()) * vector_items;
  }

  Terms& terms_;
  std::uint64_t items_;
  Column& column_;
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

//! Gives every lane the largest of all lanes' numbers.
REHEAT_DEVICE inline unsigned max_over_lanes(unsigned own)
{
  if constexpr (simt::has_redux)
  {
    return simt::redux_max(own);
  }
  else
  {
    REHEAT_UNROLL
    for (unsigned distance = 1; distance < simt::warp_lanes; distance *= 2)
    {
      const unsigned other = simt::shuffle(own, simt::lane_index() ^ distance);
      own = other > own ? other : own;
    }
    return own;
  }
}

//! The rows that the columns of any thread of the block have touched, after the next barrier of the block. All threads call.
template <class Accum, class Column>
REHEAT_DEVICE void store_touched(const exact_shared<Accum>& shared, const Column& column)
{
  chunk_range own = column.touched();
  own.end -= simt::fault_active(simt::fault::exact_short_range) ? 1 : 0;
  const chunk_range of_warp{Column::rows - max_over_lanes(Column::rows - own.first), max_over_lanes(own.end)};
  if (simt::lane_index() == 0)
  {
    shared.touched[simt::warp_index()] = of_warp;
  }
}
template <unsigned Threads, class Column, class Accum>
REHEAT_DEVICE chunk_range load_touched(const exact_shared<Accum>& shared)
{
  chunk_range all = shared.touched[0];
  REHEAT_UNROLL
  for (unsigned i = 1; i < Threads / simt::warp_lanes; ++i)
  {
    const chunk_range of_warp = shared.touched[i];
    all = {of_warp.first < all.first ? of_warp.first : all.first, of_warp.end > all.end ? of_warp.end : all.end};
  }
  return {all.first, all.end < Column::rows ? all.end : Column::rows};
}

//! Adds up the columns of a block's threads. Totals are in shared.total after the next barrier of the block.
template <unsigned Threads, class Accum, class Column>
REHEAT_DEVICE void add_up_columns(const exact_shared<Accum>& shared, const Column& column)
{
  constexpr unsigned warps = Threads / simt::warp_lanes, chunks = exact_layout<Accum>::chunks;
  store_specials(shared, simt::fault_active(simt::fault::exact_lost_special) ? 0 : column.specials());
  if constexpr (Column::tells_touched)
  {
    store_touched(shared, column);
  }
  simt::sync_block(simt::unless(simt::fault::skip_exact_columns_barrier));
  chunk_range range{0, Column::rows};
  if constexpr (Column::tells_touched)
  {
    range = load_touched<Threads, Column>(shared);
  }
  // A warp adds up a row.
  for (unsigned j = range.first + simt::warp_index(); j < range.end; j += warps)
  {
    const auto* const words = shared.columns + j * Threads + simt::lane_index();
    row_sum sum;
    REHEAT_UNROLL
    for (unsigned i = 0; i < warps; ++i)
    {
      Column::add_word(words[i * simt::warp_lanes], sum);
    }
    sum = {sum_over_lanes(sum.low), sum_over_lanes(sum.high)};
    if (simt::lane_index() == 0)
    {
      shared.rows[j] = sum;
    }
  }
  simt::sync_block(simt::unless(simt::fault::skip_exact_rows_barrier));
  const auto row = [&](unsigned j) { return j >= range.first && j < range.end ? shared.rows[j] : row_sum{}; };
  for (unsigned k = simt::thread_index(); k < chunks; k += Threads)
  {
    shared.total->chunk[k] = chunk_of_rows<Accum, Column>(k, row);
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
      shared.sums[simt::warp_index() * chunks + k] = sums[r];
    }
  }
  simt::sync_block(simt::unless(simt::fault::skip_exact_blocks_barrier));
  for (unsigned k = simt::thread_index(); k < chunks; k += Threads)
  {
    std::int64_t sum = 0;
    for (unsigned warp = 0; warp < warps; ++warp)
    {
      sum += shared.sums[warp * chunks + k];
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
  using column_type = exact_column<Accum, cfg.block_threads, cfg.max_room>;
  column_type column(shared.columns + simt::thread_index());
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

  exact_tiles<cfg.block_threads, cfg.vectors_per_thread, Accum, column_type, Terms>(terms, params.items, column)
      .add(block, blocks);
  if (simt::thread_index() == 0 && (block == last || simt::fault_active(simt::fault::exact_init_everywhere)))
  {
    const Accum numbers[1] = {static_cast<Accum>(init.load())};
    column.expect(1);
    column.add(numbers[0]);
    column.look_again(numbers);
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

// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The correctly rounded sum of floating-point numbers, in one launch. Numbers are added as integers (number.cuh), so
//! neither their order nor how they are divided among threads and blocks shows in the result.
//!
//! * Each thread has a column of words in shared memory and adds its numbers to it (column.cuh). It passes carries on before
//!   a word may overflow.
//! * Warps add up rows of the block's columns, in two parts that do not overflow, and threads make the chunks of a total of
//!   them. Each thread publishes its chunk in a slot of its own, whose words have tags: no fence orders them. The head of
//!   reduce/kernel.cuh says why the last block may wait for the others.
//! * The last block adds the initial value as one more number. Its warps add up the chunks of all blocks, and thread 0
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
#include <type_traits>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

template <class Accum>
struct exact_params
{
  std::uint64_t items;
  workspace<std::int64_t> scratch; //!< exact_parts<Accum> slots for each block but the last; none if the grid is one block
};

//! What a block publishes: its chunks, and a word that counts blocks with each kind of special items.
template <class Accum>
inline constexpr unsigned exact_parts = exact_layout<Accum>::chunks + 1;

//! Kinds of special items as a number that can be added to those of any million blocks, and back.
REHEAT_DEVICE inline std::int64_t count_specials(unsigned kinds)
{
  std::int64_t counts = 0;
  REHEAT_UNROLL
  for (unsigned i = 0; i < special_items::kinds; ++i)
  {
    counts |= static_cast<std::int64_t>(kinds >> i & 1) << 20 * i;
  }
  return counts;
}
REHEAT_DEVICE inline unsigned specials_of_counts(std::int64_t counts)
{
  unsigned kinds = 0;
  REHEAT_UNROLL
  for (unsigned i = 0; i < special_items::kinds; ++i)
  {
    kinds |= (counts >> 20 * i & ((1 << 20) - 1)) != 0 ? 1u << i : 0u;
  }
  return kinds;
}

//! The slot of a block's part.
template <class Accum>
REHEAT_DEVICE std::uint64_t exact_slot(unsigned block, unsigned part)
{
  return std::uint64_t{block} * exact_parts<Accum> + part;
}

//! How a block reads what others have published: lane l of a row of 32 reads part l % parts of block l / parts, or every
//! 32nd part of one block.
template <class Accum>
struct exact_reading
{
  static constexpr unsigned parts = exact_parts<Accum>;
  static constexpr unsigned blocks = parts > simt::warp_lanes ? 1 : simt::warp_lanes / parts; //!< of a warp at a time
  static constexpr unsigned rounds = (parts + simt::warp_lanes - 1) / simt::warp_lanes;
};

//! Shared memory of a block.
template <class Accum>
struct exact_shared
{
  using column = exact_column<Accum, simt::warp_lanes>; // words do not depend on the number of threads
  typename column::word* columns;                       //!< [row][thread]
  row_sum* rows;                                        //!< [row]
  std::int64_t* sums;                                   //!< [warp][block of a row][part], of other blocks
  unsigned* specials;                                   //!< [warp]
  chunk_range* touched;                                 //!< [warp]
  exact_total<Accum>* total;                            //!< of the last block, then of all

  REHEAT_EXEC_CHECK_DISABLE
  template <class Memory>
  REHEAT_HOST_DEVICE constexpr exact_shared(Memory& memory, const exact_config& c)
      : columns(memory.template array<typename column::word>(exact_rows<Accum>(c) * c.block_threads, 16)),
        rows(memory.template array<row_sum>(exact_rows<Accum>(c))),
        sums(memory.template array<std::int64_t>(c.block_threads / simt::warp_lanes * exact_reading<Accum>::blocks *
                                                 exact_parts<Accum>)),
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
      for (std::uint64_t tile = block; tile * tile_items < items_; tile += blocks)
      {
        add_by_item(tile);
      }
    }
  }

private:
  template <bool Aligned>
  REHEAT_DEVICE void add_whole_tiles(std::uint64_t tile, std::uint64_t whole_tiles, std::uint64_t step)
  {
    loaded held[Vectors];
    if (tile < whole_tiles)
    {
      load<Aligned>(tile, held);
    }
    REHEAT_NO_UNROLL
    for (; tile < whole_tiles; tile += step)
    {
      if constexpr (Column::swaps_tiles)
      {
        loaded coming[Vectors]; // two bodies: no thread copies the tile that has come
        add_tile<Aligned>(tile, whole_tiles, step, held, coming);
        tile += step;
        if (tile >= whole_tiles)
        {
          break;
        }
        add_tile<Aligned>(tile, whole_tiles, step, coming, held);
      }
      else
      {
        add_and_load_tile<Aligned>(tile, whole_tiles, step, held);
      }
    }
  }
  //! Adds a tile that has been loaded, and loads the next one.
  template <bool Aligned>
  REHEAT_DEVICE void add_tile(std::uint64_t tile, std::uint64_t whole_tiles, std::uint64_t step,
                              const loaded (&held)[Vectors], loaded (&coming)[Vectors])
  {
    if (tile + step < whole_tiles)
    {
      load<Aligned>(tile + step, coming);
    }
    // Keeps the compiler from moving the loads behind additions to shared memory, which leaves less time to hide them. H200,
    // f64, 1 GB: 269 us without it, 256 with it.
    simt::sync_warp();
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
  //! The same, each vector of the next tile behind the additions of the one that is in its place. H200, 64 MB: 23.2 us of
  //! bf16 and 21.7 of f32, where add_tile takes 24.4 and 22.6.
  template <bool Aligned>
  REHEAT_DEVICE void add_and_load_tile(std::uint64_t tile, std::uint64_t whole_tiles, std::uint64_t step,
                                       loaded (&held)[Vectors])
  {
    const bool more = tile + step < whole_tiles;
    column_.expect(Vectors * vector_items);
    REHEAT_UNROLL
    for (unsigned p = 0; p < Vectors; ++p)
    {
      terms_.visit(held[p], first_of(tile, p), [&](const auto& term) { column_.add(static_cast<Accum>(term)); });
      if (more)
      {
        terms_.load(Aligned, first_of(tile + step, p), held[p]);
      }
      simt::sync_warp(); // as in add_tile
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
//! The kinds of all warps.
template <unsigned Threads, class Accum>
REHEAT_DEVICE unsigned load_specials(const exact_shared<Accum>& shared)
{
  unsigned all = 0;
  REHEAT_UNROLL
  for (unsigned warp = 0; warp < Threads / simt::warp_lanes; ++warp)
  {
    all |= shared.specials[warp];
  }
  return all;
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

//! Adds up the columns of a block's threads, and calls store(part, value) for each part of the total.
template <unsigned Threads, class Accum, class Column, class Store>
REHEAT_DEVICE void add_up_columns(const exact_shared<Accum>& shared, const Column& column, Store store)
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
    if (simt::any((sum.low | sum.high) != 0)) // of most kinds of numbers, most rows are 0 in all columns
    {
      sum = {sum_over_lanes(sum.low), sum_over_lanes(sum.high)};
    }
    if (simt::lane_index() == 0)
    {
      shared.rows[j] = sum;
    }
  }
  simt::sync_block(simt::unless(simt::fault::skip_exact_rows_barrier));
  const auto row = [&](unsigned j) { return j >= range.first && j < range.end ? shared.rows[j] : row_sum{}; };
  if constexpr (chunks < simt::warp_lanes)
  {
    // Lane k of the first warp makes the parts of chunk k once. What they add to later chunks crosses lanes.
    if (simt::warp_index() == 0)
    {
      const unsigned k = simt::lane_index();
      chunk_parts own;
      if (k < chunks)
      {
        Column::add_chunk(k, row, own);
      }
      const std::int64_t middle = simt::shuffle_up(own.middle, 1), high = simt::shuffle_up(own.high, 1);
      const std::int64_t further = simt::shuffle_up(own.high, 2);
      const chunk_parts before{0, k >= 1 ? middle : 0, k >= 1 ? high : 0};
      if (k <= chunks)
      {
        store(k, k < chunks ? chunk_of_parts<Accum>(k, own, before, {0, 0, k >= 2 ? further : 0})
                            : count_specials(load_specials<Threads>(shared)));
      }
    }
  }
  else
  {
    for (unsigned k = simt::thread_index(); k <= chunks; k += Threads)
    {
      store(k, k < chunks ? chunk_of_rows<Accum, Column>(k, row) : count_specials(load_specials<Threads>(shared)));
    }
  }
}

//! Adds the totals of the blocks before the last one, which publish them in slots, to shared.total. All threads of the last
//! block call. The sum is there after the next barrier of the block.
template <unsigned Threads, class Accum>
REHEAT_DEVICE void add_up_blocks(const exact_shared<Accum>& shared, const slot_array<std::int64_t>& slots, unsigned others)
{
  using row = exact_reading<Accum>;
  using reading_type = slot_reading<std::int64_t>;
  constexpr unsigned warps = Threads / simt::warp_lanes, chunks = exact_layout<Accum>::chunks, parts = row::parts;
  constexpr unsigned step = warps * row::blocks;
  constexpr unsigned at_once = row::rounds == 1 ? 6 : 4; // rows: each round trip to the L2 takes as long as a few loads
  const unsigned own_block = row::blocks == 1 ? 0 : simt::lane_index() / parts;
  const unsigned own_part = simt::lane_index() - own_block * parts;
  std::int64_t sums[row::rounds] = {};
  for (unsigned first = simt::warp_index() * row::blocks; first < others; first += at_once * step)
  {
    reading_type reading[at_once][row::rounds];
    const auto for_each = [&](auto visit)
    {
      REHEAT_UNROLL
      for (unsigned i = 0; i < at_once; ++i)
      {
        const unsigned block = first + i * step + own_block;
        REHEAT_UNROLL
        for (unsigned r = 0; r < row::rounds; ++r)
        {
          const unsigned part = r * simt::warp_lanes + own_part;
          if (own_block < row::blocks && block < others && part < parts)
          {
            visit(block, part, reading[i][r], sums[r]);
          }
        }
      }
    };
    for (;;)
    {
      // One test decides about all parts, so that all loads are on their way together: see wait_for_slots.
      std::uint32_t mismatch = 0;
      for_each([&](unsigned block, unsigned part, reading_type& one, std::int64_t&)
               { slots.read(exact_slot<Accum>(block, part), one); });
      for_each(
          [&](unsigned, unsigned part, const reading_type& one, std::int64_t&)
          {
            const bool passes = part != 0 && simt::fault_active(simt::fault::exact_first_part_only);
            mismatch |= passes ? 0 : slots.tag_mismatch(one);
          });
      if (simt::all(mismatch == 0))
      {
        break;
      }
      simt::backoff(false);
    }
    for_each(
        [&](unsigned block, unsigned part, const reading_type& one, std::int64_t& sum)
        {
          uninitialized<std::int64_t> value;
          slots.value(exact_slot<Accum>(block, part), one, value);
          sum += block + 1 == others && simt::fault_active(simt::fault::exact_lost_block) ? 0 : value.get();
        });
  }
  REHEAT_UNROLL
  for (unsigned r = 0; r < row::rounds; ++r)
  {
    const unsigned part = r * simt::warp_lanes + own_part;
    if (own_block < row::blocks && part < parts)
    {
      shared.sums[(simt::warp_index() * row::blocks + own_block) * parts + part] = sums[r];
    }
  }
  simt::sync_block(simt::unless(simt::fault::skip_exact_blocks_barrier));
  for (unsigned k = simt::thread_index(); k < parts; k += Threads)
  {
    std::int64_t sum = 0;
    REHEAT_UNROLL
    for (unsigned i = 0; i < step; ++i)
    {
      sum += shared.sums[i * parts + k];
    }
    if (k < chunks)
    {
      shared.total->chunk[k] += sum;
    }
    else
    {
      shared.total->specials |= specials_of_counts(sum);
    }
  }
}

//! The chunks of a total from the first to the last that is not 0. All lanes of a warp call.
template <class Accum>
REHEAT_DEVICE chunk_range chunks_in_use(const exact_total<Accum>& total)
{
  constexpr unsigned chunks = exact_layout<Accum>::chunks;
  chunk_range range{chunks - 1, 0};
  REHEAT_UNROLL
  for (unsigned first = 0; first < chunks; first += simt::warp_lanes)
  {
    const unsigned k = first + simt::lane_index();
    const unsigned used = simt::ballot(k < chunks && total.chunk[k] != 0);
    range.first = used != 0 && range.end == 0 ? first + simt::highest_one(used & (0u - used)) : range.first;
    range.end = used != 0 ? first + simt::highest_one(used) + 1 : range.end;
  }
  simt::sync_warp(); // all lanes have looked before one of them changes chunks
  return range;
}

//! Stores what the sum, whose chunks in use are given, rounds to. May destroy the sum.
template <class Result, class Accum>
REHEAT_DEVICE void store_sum(Result& result, exact_total<Accum>& total, chunk_range in_use)
{
  store_result(result, round_exactly(total, in_use));
}

//! Every block but the first has a tile.
template <class Tuning, class Terms, class Accum, class Init, class Result>
REHEAT_KERNEL(Tuning{}(simt::arch).block_threads)
exact_sum_kernel(Terms terms, exact_params<Accum> params, Init init, Result result)
{
  constexpr exact_config cfg = Tuning{}(simt::arch);
  simt::shared_memory memory;
  const exact_shared<Accum> shared(memory, cfg);
  const unsigned block = simt::block_index(), blocks = simt::grid_blocks(), last = blocks - 1;
  using column_type = exact_column<Accum, cfg.block_threads, cfg.max_room, cfg.multiply_adds>;
  static_assert(std::is_same_v<typename column_type::word, typename exact_shared<Accum>::column::word>);
  column_type column(shared.columns + simt::thread_index());
  column.clear(); // before earlier work has ended, which touches no shared memory of this block
  simt::grid_dependency_wait(simt::unless(simt::fault::exact_too_early));
  simt::trigger_dependent_launch();
  // The loads of the items hide these round trips.
  std::uint32_t last_launch = 0;
  std::uint64_t used_words = 0;
  if (blocks > 1)
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
  const std::uint32_t epoch = last_launch + 1;
  const slot_array<std::int64_t> slots(params.scratch, epoch);
  add_up_columns<cfg.block_threads>(shared, column,
                                    [&](unsigned part, std::int64_t value)
                                    {
                                      if (block != last)
                                      {
                                        slots.publish(exact_slot<Accum>(block, part), value);
                                      }
                                      else if (part < exact_layout<Accum>::chunks)
                                      {
                                        shared.total->chunk[part] = value;
                                      }
                                      else
                                      {
                                        shared.total->specials = specials_of_counts(value);
                                      }
                                    });
  if (block != last)
  {
    return;
  }
  if (last != 0)
  {
    add_up_blocks<cfg.block_threads>(shared, slots, last);
  }
  simt::sync_block(simt::unless(simt::fault::skip_exact_sum_barrier));
  if (simt::warp_index() != 0)
  {
    return;
  }
  const chunk_range in_use = chunks_in_use(*shared.total);
  if (simt::lane_index() == 0)
  {
    store_sum(result, *shared.total, in_use);
  }
  if (last != 0)
  {
    if (simt::lane_index() == 0)
    {
      retire_launch(params.scratch.header, epoch,
                    std::uint64_t{last} * exact_parts<Accum> * slot_traits<std::int64_t>::words, used_words);
    }
    if (is_last_epoch(epoch))
    {
      clear_words(params.scratch);
    }
  }
}

} // namespace detail
REHEAT_NAMESPACE_END

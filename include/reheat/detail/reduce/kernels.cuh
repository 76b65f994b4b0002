// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The reduction: one launch. Each block folds a run of neighbouring tiles and publishes one value; the block that started
//! last folds those values and writes the result where the host can read it.
//!
//! Progress. Every block draws a ticket when it starts. The holder of the last one waits for blocks that have all started,
//! so nothing depends on the order in which the hardware starts blocks, or on how many are resident. The ticket's round trip
//! hides behind the loads. (Waiting for the last block to finish instead costs a fence, an atomic and a reload after the
//! last load: 1.2 us on an NVIDIA H200.)
//!
//! Association. The grid follows from the number of items and the type alone; tiles count from item 0.
//!
//! * Striped, for operators known to be commutative: piece p of a tile is the 16 bytes of items that
//!   thread p mod block_threads loads at its turn p / block_threads. A thread folds its items of a tile by neighbours
//!   (fold_tree) and its tiles by a cascade; then threads by warp_fold, and the warps' totals by warp_fold.
//! * Blocked, for all others, operands in order: a thread folds its neighbouring items of the tile from the left; threads
//!   and warps' totals by warp_fold; thread 0 the tiles by a cascade.
//! * Neighbouring tiles go to one block: ⌊tiles / blocks⌋ each, the first tiles mod blocks of them one more.
//! * Each warp of the folding block folds 32 · slots_per_lane blocks' values (fold_slots), the warps' totals by warp_fold.
//! * The result is init ⊕ that.
#pragma once

#include <reheat/detail/block/cascade.cuh>
#include <reheat/detail/block/slot.cuh>
#include <reheat/detail/block/slot_fold.cuh>
#include <reheat/detail/block/tile.cuh>
#include <reheat/detail/block/value.cuh>
#include <reheat/detail/block/warp.cuh>
#include <reheat/detail/config.cuh>
#include <reheat/detail/reduce/tuning.cuh>
#include <reheat/detail/simt/simt.cuh>

#include <cstring>
#include <type_traits>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

template <class Accum>
struct reduce_job
{
  std::uint64_t items;
  std::uint64_t tiles_per_block; //!< of every block
  unsigned larger_blocks;        //!< this many, the first ones, have one tile more
  bool aligned;                  //!< `in` is a pointer, aligned to 16 bytes
  workspace<Accum> scratch;      //!< none if the grid is one block
};

//! Shared memory of a block.
template <class Accum>
struct reduce_shared
{
  Accum* tile;           //!< [tile_items], where tiles are turned around
  Accum* totals;         //!< [warp]
  Accum* scratch;        //!< [warp][warp_scratch_items]
  std::uint64_t* ticket; //!< this block's place in the order of starting

  REHEAT_EXEC_CHECK_DISABLE
  template <class Memory>
  REHEAT_HOST_DEVICE constexpr reduce_shared(Memory& memory, const reduce_config& c, bool staged)
      : tile(memory.template array<Accum>(staged ? c.tile_items() : 0, alignof(Accum) > 16 ? alignof(Accum) : 16)),
        totals(memory.template array<Accum>(c.warps())),
        scratch(memory.template array<Accum>(c.warps() * warp_scratch_items<Accum>)),
        ticket(memory.template array<std::uint64_t>(1))
  {}
};

template <class Accum>
REHEAT_HOST_DEVICE constexpr std::size_t reduce_shared_bytes(const reduce_config& c, bool staged)
{
  simt::shared_counter counter;
  reduce_shared<Accum> layout(counter, c, staged);
  static_cast<void>(layout);
  return counter.bytes();
}

//! What one block does with its tiles. `Striped`: see the association above.
template <class Tuning, class InputIt, class Accum, class Op, bool Striped>
class reduce_block
{
  static constexpr reduce_config cfg = Tuning{}(simt::arch);
  using item_type = value_of<InputIt>;
  static constexpr unsigned items_per_thread = cfg.items_per_thread;
  static constexpr unsigned piece_items =
      16 % sizeof(item_type) == 0 && items_per_thread * sizeof(item_type) % 16 == 0 ? 16 / sizeof(item_type) : 1;
  static constexpr unsigned pieces = items_per_thread / piece_items;
  static constexpr bool loads_pieces =
      std::is_pointer_v<InputIt> && is_bitwise_copyable_v<item_type> && piece_items * sizeof(item_type) == 16;

public:
  REHEAT_DEVICE reduce_block(const reduce_shared<Accum>& shared, const reduce_job<Accum>& job, InputIt in, Op op)
      : shared_(shared), job_(job), in_(in), op_(op),
        scratch_(shared.scratch + simt::warp_index() * warp_scratch_items<Accum>)
  {}

  //! Thread 0 gets the fold of tiles [begin, end), begin < end.
  REHEAT_DEVICE void fold_tiles(std::uint64_t begin, std::uint64_t end, running_fold<Accum>& fold)
  {
    cascade<Accum> sum;
    if constexpr (Striped)
    {
      std::uint64_t tile = begin;
      if constexpr (loads_pieces)
      {
        if (job_.aligned)
        {
          tile = push_whole_tiles(begin, end, sum);
        }
      }
      for (; tile < end; ++tile)
      {
        push_striped(tile, sum);
      }
      sum.total(fold, op_);
      const unsigned valid = begin + 1 < end ? cfg.tile_items() : valid_items(begin);
      const unsigned threads = (valid + piece_items - 1) / piece_items;
      fold_block(fold.value, threads < cfg.block_threads ? threads : cfg.block_threads);
    }
    else
    {
      for (std::uint64_t tile = begin; tile < end; ++tile)
      {
        push_blocked(tile, sum);
      }
      if (simt::thread_index() == 0)
      {
        sum.total(fold, op_);
      }
    }
  }

  //! Thread 0 gets the fold of all blocks' values.
  REHEAT_DEVICE void fold_blocks(const slot_array<Accum>& slots, unsigned blocks, manual<Accum>& result)
  {
    constexpr unsigned per_warp = 32 * cfg.slots_per_lane;
    blocks -= simt::fault_active(simt::fault::one_value_less) ? 1 : 0;
    const unsigned first = simt::warp_index() * per_warp;
    manual<Accum> own;
    if (first < blocks)
    {
      const unsigned left = blocks - first;
      fold_slots<cfg.slots_per_lane>(slots, first, left < per_warp ? left : per_warp, own, op_, scratch_);
    }
    fold_warps(own, (blocks + per_warp - 1) / per_warp, result);
  }

private:
  REHEAT_DEVICE unsigned valid_items(std::uint64_t tile) const
  {
    const std::uint64_t left = job_.items - tile * cfg.tile_items();
    return left < cfg.tile_items() ? static_cast<unsigned>(left) : cfg.tile_items();
  }

  //! Pushes the fold of the thread's pieces of a tile, if it has any.
  REHEAT_DEVICE void push_striped(std::uint64_t tile, cascade<Accum>& sum)
  {
    const std::uint64_t first = tile * cfg.tile_items();
    const unsigned valid = valid_items(tile);
    manual<Accum> item[items_per_thread];
    const unsigned end = valid + (simt::fault_active(simt::fault::read_past_end) && valid < cfg.tile_items() ? 1 : 0);
    unsigned count = 0; // what is there comes first: later turns are further on in the tile
    REHEAT_UNROLL
    for (unsigned i = 0; i < items_per_thread; ++i)
    {
      const unsigned at = (i / piece_items * cfg.block_threads + simt::thread_index()) * piece_items + i % piece_items;
      if (at < end)
      {
        item[i].construct(read_item(in_, first + at));
        ++count;
      }
    }
    if (count != 0)
    {
      fold_tree(item, count, op_);
      sum.push(item[0].get(), op_);
    }
  }

  //! Pushes the whole ones of tiles [begin, end), in 16-byte pieces; returns the first tile that is not. The loads of a tile
  //! are on their way while the one before is folded: without that the compiler put each load behind the fold of the last
  //! (4-byte integers at 1 GB: 0.84 of the speed of reading, floats 0.95).
  REHEAT_DEVICE std::uint64_t push_whole_tiles(std::uint64_t begin, std::uint64_t end, cascade<Accum>& sum)
  {
    const std::uint64_t whole = job_.items / cfg.tile_items();
    const std::uint64_t last = end < whole ? end : whole;
    piece coming[pieces];
    if (begin < last)
    {
      load_pieces(begin, coming);
    }
    std::uint64_t tile = begin;
    while (tile < last)
    {
      piece loaded[pieces];
      REHEAT_UNROLL
      for (unsigned p = 0; p < pieces; ++p)
      {
        loaded[p] = coming[p];
      }
      if (++tile < last)
      {
        load_pieces(tile, coming);
      }
      manual<Accum> total[pieces]; // fold_tree of all items, piece by piece: fewer values at a time
      REHEAT_UNROLL
      for (unsigned p = 0; p < pieces; ++p)
      {
        manual<item_type> value[piece_items];
        memcpy(static_cast<void*>(value), &loaded[p], sizeof(piece));
        manual<Accum> item[piece_items];
        REHEAT_UNROLL
        for (unsigned i = 0; i < piece_items; ++i)
        {
          item[i].construct(value[i].get());
        }
        fold_tree(item, piece_items, op_);
        total[p] = item[0];
      }
      fold_tree(total, pieces, op_);
      sum.push(total[0].get(), op_);
    }
    return tile;
  }

  REHEAT_DEVICE void load_pieces(std::uint64_t tile, piece (&loaded)[pieces])
  {
    const auto* const source = reinterpret_cast<const piece*>(in_ + tile * cfg.tile_items()) + simt::thread_index();
    REHEAT_UNROLL
    for (unsigned p = 0; p < pieces; ++p)
    {
      loaded[p] = source[p * cfg.block_threads];
    }
  }

  //! In thread 0, pushes the fold of a tile whose items pass through shared memory to stay in order.
  REHEAT_DEVICE void push_blocked(std::uint64_t tile, cascade<Accum>& sum)
  {
    const unsigned valid = valid_items(tile);
    const bool too_far = simt::fault_active(simt::fault::read_past_end) && valid < cfg.tile_items();
    load_tile<items_per_thread>(in_, job_.aligned, tile * cfg.tile_items(), valid + (too_far ? 1 : 0), shared_.tile,
                                simt::thread_index(), cfg.block_threads);
    if (!simt::fault_active(simt::fault::skip_turn_barrier))
    {
      simt::sync_block();
    }
    const unsigned before = simt::thread_index() * items_per_thread;
    const unsigned left = valid > before ? valid - before : 0;
    running_fold<Accum> own;
    walk_items<false, items_per_thread>(shared_.tile + before, left < items_per_thread ? left : items_per_thread,
                                        [&](const Accum& item, unsigned) { own.append(item, op_); });
    fold_block(own.value, (valid + items_per_thread - 1) / items_per_thread);
    if (simt::thread_index() == 0)
    {
      sum.push(own.value.get(), op_);
    }
  }

  //! Thread 0 gets the fold of the first `threads` threads' values. The tile is free again afterwards, the totals are behind
  //! the next barrier of the block.
  REHEAT_DEVICE void fold_block(manual<Accum>& value, unsigned threads)
  {
    threads += simt::fault_active(simt::fault::one_thread_more) && threads < cfg.block_threads ? 1 : 0;
    const unsigned before = simt::warp_index() * 32;
    const unsigned left = threads > before ? threads - before : 0;
    warp_fold(value, left < 32 ? left : 32, op_, scratch_);
    fold_warps(value, (threads + 31) / 32, value);
  }

  //! Thread 0 gets the fold of the first `warps` warps' values, which their lanes 0 hold.
  REHEAT_DEVICE void fold_warps(const manual<Accum>& value, unsigned warps, manual<Accum>& result)
  {
    if (simt::lane_index() == 0 && simt::warp_index() < warps)
    {
      construct_at(shared_.totals + simt::warp_index(), value.get());
    }
    if (!simt::fault_active(simt::fault::skip_totals_barrier))
    {
      simt::sync_block();
    }
    if (simt::warp_index() == 0)
    {
      manual<Accum> total;
      if (simt::lane_index() < warps)
      {
        total.construct(shared_.totals[simt::lane_index()]);
      }
      warp_fold(total, warps, op_, scratch_);
      if (simt::lane_index() == 0)
      {
        result.construct(total.get());
      }
    }
  }

  const reduce_shared<Accum>& shared_;
  const reduce_job<Accum>& job_;
  InputIt in_;
  Op op_;
  Accum* scratch_;
};

//! Leaves the workspace ready for the next launch. One thread.
REHEAT_DEVICE inline void reduce_retire(workspace_header* header, std::uint32_t epoch, std::uint64_t words)
{
  // Atomic, for the other blocks draw their tickets relaxed: nothing orders them before this, though this is the last.
  if (simt::fault_active(simt::fault::plain_retirement))
  {
    header->next_ticket = 0;
  }
  else if (!simt::fault_active(simt::fault::keep_ticket))
  {
    simt::store_relaxed(&header->next_ticket, std::uint64_t{0});
  }
  retire_launch(header, epoch, words);
}

//! One launch reduces everything. Every block has a tile; there are at most max_blocks.
template <class Tuning, class InputIt, class Accum, class T, class Op, bool Striped>
REHEAT_KERNEL(Tuning{}(simt::arch).block_threads, Tuning{}(simt::arch).resident_blocks)
reduce_kernel(InputIt in, reduce_job<Accum> job, Op op, T init, T* result)
{
  constexpr reduce_config cfg = Tuning{}(simt::arch);
  static_assert(cfg.max_blocks <= cfg.warps() * 32 * cfg.slots_per_lane, "one block folds the values of all");
  static_assert(cfg.warps() <= 32, "one warp folds the totals of all");

  simt::shared_memory memory;
  const reduce_shared<Accum> shared(memory, cfg, !Striped);
  const std::uint64_t block = simt::block_index();
  const unsigned blocks = simt::grid_blocks();
  // Their round trips hide behind the loads, if nothing looks at them before: each costs 0.7 us on an NVIDIA H200.
  std::uint32_t epoch = 0;
  std::uint64_t ticket = 0; // thread 0's
  if (blocks > 1)
  {
    epoch = launch_epoch(job.scratch.header);
    if (simt::thread_index() == 0)
    {
      ticket = simt::fetch_add_relaxed(&job.scratch.header->next_ticket, std::uint64_t{1});
    }
  }
  const bool stays_away = simt::fault_active(simt::fault::divergent_barrier) && simt::thread_index() == 1;
  if (stays_away)
  {
    return;
  }

  reduce_block<Tuning, InputIt, Accum, Op, Striped> self(shared, job, in, op);
  running_fold<Accum> fold;
  const std::uint64_t begin = block * job.tiles_per_block + (block < job.larger_blocks ? block : job.larger_blocks);
  const bool larger =
      block < job.larger_blocks + (simt::fault_active(simt::fault::uneven_tiles) && job.larger_blocks != 0 ? 1 : 0);
  self.fold_tiles(begin, begin + job.tiles_per_block + (larger ? 1 : 0), fold);
  if (blocks > 1)
  {
    slot_array<Accum> slots(job.scratch, epoch);
    const bool dropped = (simt::fault_active(simt::fault::drop_publish) && block == 1) ||
                         (simt::fault_active(simt::fault::late_publish) && ticket == blocks - 1);
    if (simt::thread_index() == 0)
    {
      if (!dropped)
      {
        slots.publish(block, fold.value.get());
      }
      *shared.ticket = simt::fault_active(simt::fault::last_by_index) ? block : ticket;
    }
    if (!simt::fault_active(simt::fault::skip_ticket_barrier))
    {
      simt::sync_block(); // the ticket is there, the warps' totals have been read
    }
    if (*shared.ticket != blocks - 1)
    {
      if (simt::fault_active(simt::fault::every_block_writes) && simt::thread_index() == 0)
      {
        construct_at(result, op(init, fold.value.get()));
      }
      return;
    }
    self.fold_blocks(slots, blocks, fold.value);
    if (simt::thread_index() == 0)
    {
      reduce_retire(job.scratch.header, epoch, blocks * slot_traits<Accum>::words);
    }
    if (is_last_epoch(epoch) && simt::warp_index() == 0)
    {
      clear_words(job.scratch);
    }
  }
  if (simt::thread_index() == 0)
  {
    construct_at(result, op(init, fold.value.get()));
  }
}

} // namespace detail
REHEAT_NAMESPACE_END

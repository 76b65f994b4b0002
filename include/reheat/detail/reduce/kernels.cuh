// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The reduction: one launch. Each block folds a run of neighbouring tiles and publishes one value; the block with the last
//! index folds those values and writes the result where the host can read it.
//!
//! Progress. Blocks start in the order of their indices (launch_kind::in_order): those that the last one waits for run or
//! have ended, however many are resident. It has seen all others publish, and nobody else looks at slots: it ends the
//! launch, and nobody counts. (Waiting for the last block to finish instead costs a fence, an atomic and a reload after the
//! last load: 1.2 us on an NVIDIA H200.)
//!
//! Association. The grid follows from the number of items and the type alone; tiles count from item 0.
//!
//! * Striped, for operators known to be commutative: piece p of a tile is the 16 bytes of items that
//!   thread p mod block_threads loads at its turn p / block_threads. A thread folds its items of a tile by neighbours
//!   (fold_tree) and its tiles by a cascade; then threads by warp_fold, and the warps' totals by warp_fold. What fits a
//!   block of alone_threads is one tile, of as few threads as it takes (reduce_grid_for).
//! * Blocked, for all others, operands in order: of a block's t tiles each warp folds t neighbouring warps' shares. A lane
//!   folds its neighbouring items of a share from the left; lanes by warp_fold; lane 0 the shares by a cascade; then the
//!   warps' totals by warp_fold. No barrier of the block stands between two tiles.
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
  Accum* tile;         //!< [tile_items], where tiles are turned around
  Accum* totals;       //!< [warp], of threads
  Accum* block_totals; //!< [warp], of blocks: their own memory, for no barrier parts them from the last totals
  Accum* scratch;      //!< [warp][warp_scratch_items]

  REHEAT_EXEC_CHECK_DISABLE
  template <class Memory>
  REHEAT_HOST_DEVICE constexpr reduce_shared(Memory& memory, const reduce_config& c, bool staged)
      : tile(memory.template array<Accum>(staged ? c.tile_items() : 0, alignof(Accum) > 16 ? alignof(Accum) : 16)),
        totals(memory.template array<Accum>(c.most_threads() / 32)), block_totals(memory.template array<Accum>(c.warps())),
        scratch(memory.template array<Accum>(c.most_threads() / 32 * warp_scratch_items<Accum>))
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
  // Each warp's part of a tile that is turned around.
  static constexpr unsigned share_items = 32 * items_per_thread;
  static constexpr unsigned share_pieces = static_cast<unsigned>(share_items * sizeof(Accum) / 16);
  static constexpr unsigned most_turns = 8; // of 16 bytes that a lane has on their way
  static constexpr unsigned share_turns =
      moves_in_pieces_v<InputIt, Accum> && share_pieces <= 32 * most_turns ? (share_pieces + 31) / 32 : 0;
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
    if constexpr (Striped)
    {
      unsigned threads = simt::block_threads(); // that have items
      if (begin + 1 == end)
      {
        // Most launches up to 2^21 items. It needs no cascade.
        const std::uint64_t first = begin * cfg.tile_items();
        const std::uint64_t left = job_.items - first, most = std::uint64_t{threads} * items_per_thread;
        const unsigned valid = static_cast<unsigned>(left < most ? left : most);
        fold_tile(first, valid, threads, fold.value);
        const unsigned with_items = (valid + piece_items - 1) / piece_items;
        threads = with_items < threads ? with_items : threads;
      }
      else
      {
        cascade<Accum> sum;
        push_striped(begin, end, sum);
        sum.total(fold, op_);
      }
      fold_block(fold.value, threads);
    }
    else
    {
      cascade<Accum> sum;
      const std::uint64_t shares = end - begin; // of each warp
      const std::uint64_t left = job_.items - begin * cfg.tile_items(), run = shares * share_items;
      push_shares(begin * cfg.tile_items() + simt::warp_index() * run, shares, sum);
      if (simt::lane_index() == 0)
      {
        sum.total(fold, op_);
      }
      const std::uint64_t with_items = (left + run - 1) / run;
      fold_warps(fold.value, with_items < cfg.warps() ? static_cast<unsigned>(with_items) : cfg.warps(), fold.value,
                 shared_.totals);
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
    fold_warps(own, (blocks + per_warp - 1) / per_warp, result,
               simt::fault_active(simt::fault::reuse_totals) ? shared_.totals : shared_.block_totals);
  }

private:
  //! Pushes the folds of the thread's pieces of tiles [begin, end), if it has any.
  REHEAT_DEVICE void push_striped(std::uint64_t begin, std::uint64_t end, cascade<Accum>& sum)
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
      const std::uint64_t first = tile * cfg.tile_items(), left = job_.items - first;
      const unsigned valid = left < cfg.tile_items() ? static_cast<unsigned>(left) : cfg.tile_items();
      manual<Accum> value;
      if (fold_tile(first, valid, cfg.block_threads, value))
      {
        sum.push(value.get(), op_);
      }
    }
  }

  //! Folds the thread's pieces of a tile: `valid` items from `first` on, among `threads` threads. False: it has none.
  REHEAT_DEVICE bool fold_tile(std::uint64_t first, unsigned valid, unsigned threads, manual<Accum>& value)
  {
    const bool too_far = simt::fault_active(simt::fault::read_past_end) && valid < threads * items_per_thread;
    const unsigned end = valid + (too_far ? 1 : 0);
    if constexpr (loads_pieces)
    {
      if (job_.aligned)
      {
        return fold_pieces(first, end, threads, value);
      }
    }
    manual<Accum> item[items_per_thread];
    unsigned count = 0; // what is there comes first: later turns are further on in the tile
    REHEAT_UNROLL
    for (unsigned i = 0; i < items_per_thread; ++i)
    {
      const unsigned at = (i / piece_items * threads + simt::thread_index()) * piece_items + i % piece_items;
      if (at < end)
      {
        item[i].construct(read_item(in_, first + at));
        ++count;
      }
    }
    if (count == 0)
    {
      return false;
    }
    fold_tree(item, count, op_);
    value = item[0];
    return true;
  }

  //! fold_tile in 16-byte pieces, the items of the last one by themselves if it is not whole.
  REHEAT_DEVICE bool fold_pieces(std::uint64_t first, unsigned end, unsigned threads, manual<Accum>& value)
  {
    const unsigned whole = end / piece_items, rest = end % piece_items;
    const piece* const source = reinterpret_cast<const piece*>(in_ + first);
    piece loaded[pieces];
    REHEAT_UNROLL
    for (unsigned p = 0; p < pieces; ++p)
    {
      if (p * threads + simt::thread_index() < whole)
      {
        loaded[p] = source[p * threads + simt::thread_index()];
      }
    }
    const bool has_rest = rest != 0 && whole % threads == simt::thread_index();
    manual<Accum> last[piece_items];
    if (has_rest)
    {
      REHEAT_UNROLL
      for (unsigned i = 0; i + 1 < piece_items; ++i)
      {
        if (i < rest)
        {
          last[i].construct(read_item(in_, first + whole * piece_items + i));
        }
      }
      fold_tree(last, rest, op_);
    }
    manual<Accum> total[pieces];
    unsigned count = 0;
    REHEAT_UNROLL
    for (unsigned p = 0; p < pieces; ++p)
    {
      if (p * threads + simt::thread_index() < whole)
      {
        fold_piece(loaded[p], total[p]);
        ++count;
      }
      else if (has_rest && p == count)
      {
        total[p] = last[0];
      }
    }
    count += has_rest ? 1 : 0;
    if (count == 0)
    {
      return false;
    }
    fold_tree(total, count, op_);
    value = total[0];
    return true;
  }

  //! The fold of a piece's items, by neighbours.
  REHEAT_DEVICE void fold_piece(const piece& bits, manual<Accum>& total)
  {
    manual<item_type> value[piece_items];
    memcpy(static_cast<void*>(value), &bits, sizeof(piece));
    manual<Accum> item[piece_items];
    REHEAT_UNROLL
    for (unsigned i = 0; i < piece_items; ++i)
    {
      item[i].construct(value[i].get());
    }
    fold_tree(item, piece_items, op_);
    total = item[0];
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
        fold_piece(loaded[p], total[p]);
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

  //! In lane 0, pushes the folds of up to `shares` of a warp's shares from item `first` on. Items pass through shared memory
  //! to stay in order.
  REHEAT_DEVICE void push_shares(std::uint64_t first, std::uint64_t shares, cascade<Accum>& sum)
  {
    if constexpr (share_turns != 0)
    {
      if (job_.aligned)
      {
        const std::uint64_t whole = first < job_.items ? (job_.items - first) / share_items : 0;
        const std::uint64_t last = first + (whole < shares ? whole : shares) * share_items;
        shares -= (last - first) / share_items;
        push_whole_shares(first, last, sum);
        first = last;
      }
    }
    for (; shares > 0 && first < job_.items; --shares, first += share_items)
    {
      const std::uint64_t rest = job_.items - first;
      const unsigned valid = rest < share_items ? static_cast<unsigned>(rest) : share_items;
      const bool too_far = simt::fault_active(simt::fault::read_past_end) && valid < share_items;
      load_tile<items_per_thread>(in_, job_.aligned, first, valid + (too_far ? 1 : 0), share(), simt::lane_index(), 32);
      push_share(valid, sum, [] {});
    }
  }

  //! Shares from item `first` to item `last`, whole ones, in 16-byte pieces. The next is on its way while one is folded.
  REHEAT_DEVICE void push_whole_shares(std::uint64_t first, std::uint64_t last, cascade<Accum>& sum)
  {
    piece coming[share_turns == 0 ? 1 : share_turns];
    const auto load = [&]
    {
      const auto* const source = reinterpret_cast<const piece*>(in_ + first);
      REHEAT_UNROLL
      for (unsigned i = 0; i < share_turns; ++i)
      {
        if (i * 32 + simt::lane_index() < share_pieces)
        {
          coming[i] = source[i * 32 + simt::lane_index()];
        }
      }
      first += share_items;
    };
    bool more = first < last;
    if (more)
    {
      load();
    }
    while (more)
    {
      auto* const pieces_of_share = reinterpret_cast<piece*>(share());
      REHEAT_UNROLL
      for (unsigned i = 0; i < share_turns; ++i)
      {
        if (i * 32 + simt::lane_index() < share_pieces)
        {
          pieces_of_share[i * 32 + simt::lane_index()] = coming[i];
        }
      }
      more = first < last;
      push_share(share_items, sum,
                 [&]
                 {
                   if (more)
                   {
                     load();
                   }
                 });
    }
  }

  //! In lane 0, pushes the fold of the `valid` items in the warp's share of the tile. `meanwhile` runs before.
  template <class Meanwhile>
  REHEAT_DEVICE void push_share(unsigned valid, cascade<Accum>& sum, Meanwhile meanwhile)
  {
    if (!simt::fault_active(simt::fault::skip_turn_barrier))
    {
      simt::sync_warp(); // all lanes have stored their part
    }
    meanwhile();
    const unsigned before = simt::lane_index() * items_per_thread;
    const unsigned left = valid > before ? valid - before : 0;
    running_fold<Accum> own;
    walk_items<false, items_per_thread>(share() + before, left < items_per_thread ? left : items_per_thread,
                                        [&](const Accum& item, unsigned) { own.append(item, op_); });
    const unsigned lanes = (valid + items_per_thread - 1) / items_per_thread;
    const bool one_more = simt::fault_active(simt::fault::one_thread_more) && lanes < 32;
    warp_fold(own.value, lanes + (one_more ? 1 : 0), op_, scratch_);
    if (simt::lane_index() == 0)
    {
      sum.push(own.value.get(), op_);
    }
    if (!simt::fault_active(simt::fault::skip_share_barrier))
    {
      simt::sync_warp(); // all lanes have read the share
    }
  }

  //! Where the warp turns its share of a tile around.
  REHEAT_DEVICE Accum* share() const { return shared_.tile + simt::warp_index() * share_items; }

  //! Thread 0 gets the fold of the first `threads` threads' values.
  REHEAT_DEVICE void fold_block(manual<Accum>& value, unsigned threads)
  {
    threads += simt::fault_active(simt::fault::one_thread_more) && threads < simt::block_threads() ? 1 : 0;
    const unsigned before = simt::warp_index() * 32;
    const unsigned left = threads > before ? threads - before : 0;
    warp_fold(value, left < 32 ? left : 32, op_, scratch_);
    fold_warps(value, (threads + 31) / 32, value, shared_.totals);
  }

  //! Thread 0 gets the fold of the first `warps` warps' values, which their lanes 0 hold.
  REHEAT_DEVICE void fold_warps(const manual<Accum>& value, unsigned warps, manual<Accum>& result, Accum* totals)
  {
    if (warps == 1)
    {
      if (&value != &result && simt::thread_index() == 0)
      {
        result.construct(value.get());
      }
      return;
    }
    if (simt::lane_index() == 0 && simt::warp_index() < warps)
    {
      construct_at(totals + simt::warp_index(), value.get());
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
        total.construct(totals[simt::lane_index()]);
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

//! One launch reduces everything. Every block has a tile; there are at most max_blocks.
template <class Tuning, class InputIt, class Accum, class T, class Op, bool Striped>
REHEAT_KERNEL(Tuning{}(simt::arch).most_threads(), Tuning{}(simt::arch).resident_blocks)
reduce_kernel(InputIt in, reduce_job<Accum> job, Op op, T init, T* result)
{
  constexpr reduce_config cfg = Tuning{}(simt::arch);
  static_assert(cfg.max_blocks <= cfg.warps() * 32 * cfg.slots_per_lane, "one block folds the values of all");
  static_assert(cfg.most_threads() <= 1024, "one warp folds the totals of all");

  simt::shared_memory memory;
  const reduce_shared<Accum> shared(memory, cfg, !Striped);
  const std::uint64_t block = simt::block_index();
  const unsigned blocks = simt::grid_blocks();
  const unsigned last = simt::fault_active(simt::fault::first_block_folds) ? 0 : blocks - 1;
  // The round trip hides behind the loads, if nothing looks at what it brings before: it costs 0.7 us on an NVIDIA H200.
  std::uint32_t last_launch = 0;
  const bool exchanges = blocks > 1 && (block == last || simt::thread_index() == 0);
  if (exchanges)
  {
    last_launch = last_launch_epoch(job.scratch.header);
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
  if (exchanges)
  {
    const std::uint32_t epoch = last_launch + 1;
    const slot_array<Accum> slots(job.scratch, epoch);
    const bool dropped = (simt::fault_active(simt::fault::drop_publish) && block == 1) ||
                         (simt::fault_active(simt::fault::late_publish) && block == last);
    if (simt::thread_index() == 0 && !dropped)
    {
      slots.publish(block, fold.value.get());
    }
    if (block == last)
    {
      self.fold_blocks(slots, blocks, fold.value);
      if (simt::thread_index() == 0)
      {
        retire_launch(job.scratch.header, epoch, blocks * slot_traits<Accum>::words);
      }
      if (is_last_epoch(epoch) && simt::warp_index() == 0)
      {
        clear_words(job.scratch);
      }
    }
  }
  if (block != last && !simt::fault_active(simt::fault::every_block_writes))
  {
    return;
  }
  if (simt::thread_index() == 0)
  {
    construct_at(result, op(init, fold.value.get()));
  }
}

} // namespace detail
REHEAT_NAMESPACE_END

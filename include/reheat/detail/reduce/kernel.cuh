// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The reduction: one launch. Each block folds its tiles and publishes one value; the block with the last
//! index folds those values and its own, and writes the result where the host can read it.
//!
//! Progress. Blocks start in the order of their indices (launch_kind::in_order): those that the last one waits for run or
//! have ended, however many are resident. It has seen all others publish, and nobody else looks at slots: it ends the
//! launch, and nobody counts. (Waiting for the last block to finish instead costs a fence, an atomic and a reload after the
//! last load: 1.2 us on an NVIDIA H200.)
//!
//! Launches may overlap (launch_start::programmatic): a launch waits for what came before it to end, and lets the next one
//! start when all of its blocks have come that far. What lies between two launches is then over before the second has
//! anything to wait for: of two that follow each other directly the second takes 0.7 us less on an NVIDIA H200. (Where the
//! next one may start before the wait, a third and fourth gather on the multiprocessors, and the blocks of each are spread
//! less evenly: 256 KB of bytes 1.68 us instead of 1.54, 4 MB of i32 2.27 instead of 2.19.)
//!
//! Association. The grid follows from the number of items and the type alone; tiles count from item 0.
//!
//! * Commutative, for operators known to be commutative: thread p mod block_threads loads vector p of a tile, at its turn
//!   p / block_threads. A vector is 16 bytes of items, folded by neighbours (fold_tree), or the terms that a functor makes
//!   of them, folded from the left (reduce/mapped_input.cuh). A thread folds its vectors of a tile by neighbours and its
//!   tiles by a pairwise_accumulator (from the left where nothing rounds); then threads by warp_fold, and the warps' totals
//!   by warp_fold.
//! * Ordered, for all other operators: each warp folds a run of neighbouring warp tiles, each of 32 lanes' items. A
//!   lane folds its neighbouring items of a warp tile from the left; lanes by warp_fold; lane 0 the warp tiles by a
//!   pairwise_accumulator; then the warps' totals by warp_fold. No barrier of the block stands between two tiles.
//! * What fits a block of single_block_threads is one tile, of as few threads as it takes; what fits small_grid_max_blocks
//!   of small_grid_threads, tiles of those; then come tiles of block_threads, one for each block as long as there are
//!   max_blocks (reduce_grid_for).
//! * Integers, with operators that are exact (is_exact_v): vectors start at multiples of 16 bytes of memory, and what stands
//!   before the first one comes last in the first thread of tile 0. Nobody can tell.
//! * Commutative, tile t goes to block t mod blocks. (All blocks' tiles are near each other then: 2^28 i32 249.8 us instead
//!   of 252.2 on an NVIDIA H200, inner products 486 instead of 491.) Ordered, a block that has one tile has a warp tile per
//!   warp of it; of more, the warps of the grid have equal runs, give or take a warp tile, from first_warp_tile on.
//! * Each warp of the folding block folds 32 · slots_per_lane of the other blocks' values (fold_slots), the warps' totals by
//!   warp_fold; the folding block's own stands to the right of that. (It does not go through its slot, a round trip.)
//! * The result is init ⊕ that.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/grid/memory.cuh>
#include <reheat/detail/grid/result.cuh>
#include <reheat/detail/grid/slot.cuh>
#include <reheat/detail/grid/slot_fold.cuh>
#include <reheat/detail/reduce/commutative.cuh>
#include <reheat/detail/reduce/ordered.cuh>
#include <reheat/detail/reduce/tuning.cuh>
#include <reheat/detail/reduce/vector_input.cuh>
#include <reheat/detail/simt/simt.cuh>
#include <reheat/detail/thread/initial_value.cuh>
#include <reheat/detail/thread/value.cuh>
#include <reheat/detail/warp/fold.cuh>

#include <cstdint>
#include <type_traits>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

template <class Accum>
struct reduce_params
{
  std::uint64_t items;
  // Where blocks have many tiles. Commutative: tiles of every block; so many blocks, the first ones, have one more.
  std::uint64_t tiles_per_block;
  unsigned larger_blocks;
  std::uint32_t warp_tiles_fraction; //!< ordered: in 2^-32, what a warp has on average besides warp_tiles_per_warp
  std::uint64_t warp_tiles_per_warp;
  bool aligned;             //!< `in` is a pointer, aligned to 16 bytes
  workspace<Accum> scratch; //!< none if the grid is one block
};

//! The first warp tile of warp `warp` of the grid.
template <class Accum>
REHEAT_HOST_DEVICE constexpr std::uint64_t first_warp_tile(const reduce_params<Accum>& params, std::uint64_t warp)
{
  return warp * params.warp_tiles_per_warp + (warp * params.warp_tiles_fraction >> 32);
}

//! Shared memory of a block; scratch memory, where items are too large.
template <class Accum>
struct reduce_shared
{
  Accum* tile;         //!< [warp][its items of a tile, and warp_tile_padding()], where tiles are turned around
  Accum* totals;       //!< [warp], of threads
  Accum* block_totals; //!< [warp], of blocks: their own memory, for no barrier parts them from the last totals
  Accum* scratch;      //!< [warp][warp_scratch_items]

  REHEAT_EXEC_CHECK_DISABLE
  template <class Memory>
  REHEAT_HOST_DEVICE constexpr reduce_shared(Memory& memory, const reduce_config& c, bool staged)
      : tile(memory.template array<Accum>(staged ? c.tile_items() + c.warps() * warp_tile_padding<Accum>() : 0,
                                          alignof(Accum) > 16 ? alignof(Accum) : 16)),
        totals(memory.template array<Accum>(c.max_threads() / 32)), block_totals(memory.template array<Accum>(c.warps())),
        scratch(memory.template array<Accum>(c.max_threads() / 32 * warp_scratch_items<Accum>))
  {}
};

template <class Accum>
REHEAT_HOST_DEVICE constexpr std::size_t reduce_shared_bytes(const reduce_config& c, bool staged)
{
  block_memory_counter counter(c.in_scratch);
  reduce_shared<Accum> layout(counter, c, staged);
  static_cast<void>(layout);
  return counter.shared_bytes();
}
//! Likewise scratch memory.
template <class Accum>
REHEAT_HOST_DEVICE constexpr std::size_t reduce_scratch_bytes(const reduce_config& c, bool staged)
{
  block_memory_counter counter(c.in_scratch);
  reduce_shared<Accum> layout(counter, c, staged);
  static_cast<void>(layout);
  return counter.scratch_bytes();
}

//! Whether a block's shared memory holds the tiles that a tuning turns around.
template <class Accum>
REHEAT_HOST_DEVICE constexpr bool reduce_fits(const reduce_config& c, int arch)
{
  return reduce_shared_bytes<Accum>(c, true) <= max_shared_bytes(arch);
}

//! ordered_tuning, but on architectures whose shared memory is too small, tiles are turned around in scratch memory.
template <class Accum>
struct fitting_ordered_tuning
{
  REHEAT_HOST_DEVICE constexpr reduce_config operator()(int arch) const
  {
    const reduce_config c = ordered_tuning<sizeof(Accum)>{}(arch);
    return reduce_fits<Accum>(c, arch) ? c : reduce_config_in_scratch(c);
  }
};

//! The tuning of a reduction that turns its tiles around: of its items' size, if tiles fit every architecture.
template <class Accum>
struct ordered_tuning_of
{
  using tuned = ordered_tuning<sizeof(Accum)>;
  static constexpr bool always_fits = on_every_arch([](int arch) { return reduce_fits<Accum>(tuned{}(arch), arch); });
  using type = std::conditional_t<always_fits, tuned, fitting_ordered_tuning<Accum>>;
};

//! Tiles of a block. Blocks of one tile and blocks of many tiles have separate kernels: sharing one costs small inputs 0.15
//! us (256 to 16384 items of 4 bytes in one block, NVIDIA H200).
enum class reduce_tiles
{
  one,
  many //!< one at least
};

//! What one block does with its tiles. The input is vectors where the reduction is commutative: see the association above.
template <class Tuning, class Input, class Accum, class Op, reduce_tiles Tiles>
class reduce_block
{
  static constexpr reduce_config cfg = Tuning{}(simt::arch);
  static constexpr bool is_commutative = is_vector_input_v<Input>;

public:
  REHEAT_DEVICE reduce_block(const reduce_shared<Accum>& shared, const reduce_params<Accum>& params, Input in, Op op)
      : shared_(shared), params_(params), in_(in), op_(op),
        scratch_(shared.scratch + simt::warp_index() * warp_scratch_items<Accum>)
  {}

  //! Thread 0 gets the fold of block `block`'s tiles.
  REHEAT_DEVICE void fold_tiles(std::uint64_t block, optional_accumulator<Accum>& fold)
  {
    if constexpr (is_commutative)
    {
      constexpr unsigned per_thread = Tiles == reduce_tiles::one ? cfg.items_per_thread : cfg.multi_tile_items_per_thread;
      commutative_fold<per_thread, Input, Accum, Op> own(in_, params_.items, op_);
      unsigned threads = simt::block_threads();
      if constexpr (Tiles == reduce_tiles::one)
      {
        threads = own.fold_one(block, fold.value);
      }
      else
      {
        // The fault: one block has as many as the block before.
        const bool extra =
            simt::fault_active(simt::fault::uneven_tiles) && params_.larger_blocks != 0 && block == params_.larger_blocks;
        const std::uint64_t tiles = params_.tiles_per_block + (block < params_.larger_blocks || extra ? 1 : 0);
        own.template fold_many<cfg.block_threads, cfg.part_at_once>(extra ? block - 1 : block, tiles, simt::grid_blocks(),
                                                                    fold);
      }
      fold_threads(fold.value, threads);
    }
    else
    {
      ordered_fold<Tuning, Input, Accum, Op> own(in_, params_.aligned, params_.items, op_, shared_.tile, scratch_);
      unsigned warps = cfg.warps();
      if constexpr (Tiles == reduce_tiles::one)
      {
        warps = own.fold_one(block, fold.value);
      }
      else
      {
        const std::uint64_t warp = block * cfg.warps() + simt::warp_index();
        const bool is_last = block + 1 == simt::grid_blocks() && simt::warp_index() + 1 == cfg.warps();
        const bool extra = simt::fault_active(simt::fault::uneven_tiles) && warp == 1;
        own.fold_many(first_warp_tile(params_, warp),
                      is_last ? own.warp_tiles() : first_warp_tile(params_, warp + 1) + (extra ? 1 : 0), fold);
      }
      fold_warps(fold.value, warps, fold.value, shared_.totals);
    }
  }

  //! Thread 0, which has the last block's value, gets the fold of all blocks': those of `others` >= 1 blocks come before.
  REHEAT_DEVICE void fold_blocks(const slot_array<Accum>& slots, unsigned others, uninitialized<Accum>& value)
  {
    constexpr unsigned per_warp = 32 * cfg.slots_per_lane;
    const unsigned first = simt::warp_index() * per_warp;
    uninitialized<Accum> before;
    if (first < others)
    {
      const unsigned left = others - first;
      fold_slots<cfg.slots_per_lane>(slots, first, left < per_warp ? left : per_warp, before, op_, scratch_);
    }
    fold_warps(before, (others + per_warp - 1) / per_warp, before,
               simt::fault_active(simt::fault::reuse_totals) ? shared_.totals : shared_.block_totals);
    if (simt::thread_index() == 0)
    {
      value.get() = op_(before.get(), value.get());
    }
  }

private:
  //! Thread 0 gets the fold of the first `threads` threads' values.
  REHEAT_DEVICE void fold_threads(uninitialized<Accum>& value, unsigned threads)
  {
    threads += simt::fault_active(simt::fault::one_thread_more) && threads < simt::block_threads() ? 1 : 0;
    const unsigned before = simt::warp_index() * 32;
    const unsigned left = threads > before ? threads - before : 0;
    warp_fold(value, left < 32 ? left : 32, op_, scratch_);
    fold_warps(value, (threads + 31) / 32, value, shared_.totals);
  }

  //! Thread 0 gets the fold of the first `warps` warps' values, which their lanes 0 hold.
  REHEAT_DEVICE void fold_warps(const uninitialized<Accum>& value, unsigned warps, uninitialized<Accum>& result,
                                Accum* totals)
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
      uninitialized<Accum> total;
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
  const reduce_params<Accum>& params_;
  Input in_;
  Op op_;
  Accum* scratch_;
};

//! One launch reduces everything. Every block has a tile; there are at most max_blocks.
template <class Tuning, class Input, class Accum, class Init, class Op, reduce_tiles Tiles>
REHEAT_KERNEL(Tuning{}(simt::arch).max_threads(), Tuning{}(simt::arch).resident_blocks)
reduce_kernel(Input in, reduce_params<Accum> params, Op op, Init init, typename Init::type* result)
{
  constexpr reduce_config cfg = Tuning{}(simt::arch);
  static_assert(cfg.max_blocks <= cfg.warps() * 32 * cfg.slots_per_lane, "one block folds the values of all");
  static_assert(cfg.small_grid_max_blocks <= cfg.small_grid_threads * cfg.slots_per_lane,
                "one block folds the values of all");
  static_assert(cfg.max_threads() <= 1024, "one warp folds the totals of all");

  const std::uint64_t block = simt::block_index();
  const unsigned blocks = simt::grid_blocks();
  constexpr bool staged = !is_vector_input_v<Input>;
  auto memory = memory_of_block<cfg.in_scratch>(params.scratch, slots_in_rows(blocks - 1, cfg.slots_per_lane),
                                                reduce_scratch_bytes<Accum>(cfg, staged));
  const reduce_shared<Accum> shared(memory, cfg, staged);
  const unsigned last = simt::fault_active(simt::fault::first_block_folds) ? 0 : blocks - 1;
  simt::grid_dependency_wait(simt::unless(simt::fault::reduce_too_early));
  simt::trigger_dependent_launch();
  // The round trips hide behind the loads, if nothing looks at what they bring before: each costs 0.3 to 0.7 us on an NVIDIA
  // H200.
  std::uint32_t last_launch = 0;
  std::uint64_t used_words = 0;
  const bool exchanges = blocks > 1 && (block == last || simt::thread_index() == 0);
  if (exchanges)
  {
    last_launch = last_launch_epoch(params.scratch.header);
    used_words = block == last ? simt::load_relaxed(&params.scratch.header->used_words) : 0;
  }
  const bool stays_away = simt::fault_active(simt::fault::divergent_barrier) && simt::thread_index() == 1;
  if (stays_away)
  {
    return;
  }

  reduce_block<Tuning, Input, Accum, Op, Tiles> self(shared, params, in, op);
  optional_accumulator<Accum> fold;
  self.fold_tiles(block, fold);
  if (block != last)
  {
    if (simt::thread_index() == 0)
    {
      if (!(simt::fault_active(simt::fault::drop_publish) && block == 0))
      {
        const std::uint64_t slot = slot_of_value<cfg.slots_per_lane>(block - (block > last ? 1 : 0));
        slot_array<Accum>(params.scratch, last_launch + 1).publish(slot, fold.value.get());
      }
      if (simt::fault_active(simt::fault::every_block_writes))
      {
        store_result(result, op(init.load(), fold.value.get()));
      }
    }
    return;
  }
  const std::uint32_t epoch = last_launch + 1;
  const unsigned others = blocks - 1;
  if (others != 0)
  {
    const unsigned folded = others - (simt::fault_active(simt::fault::one_value_less) && others > 1 ? 1 : 0);
    self.fold_blocks(slot_array<Accum>(params.scratch, epoch), folded, fold.value);
  }
  if (simt::thread_index() == 0)
  {
    store_result(result, op(init.load(), fold.value.get()));
  }
  if (others != 0)
  {
    if (simt::thread_index() == 0)
    {
      const std::uint64_t words = slots_in_rows(others, cfg.slots_per_lane) * slot_traits<Accum>::words;
      retire_launch(params.scratch.header, epoch, words, used_words);
    }
    if (is_last_epoch(epoch) && simt::warp_index() == 0)
    {
      clear_words(params.scratch);
    }
  }
}

} // namespace detail
REHEAT_NAMESPACE_END

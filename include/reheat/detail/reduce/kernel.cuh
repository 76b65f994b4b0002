// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The reduction: one launch. Each block folds its tiles and publishes one value. The block with the last index folds those
//! values and its own, and writes the result where the host can read it. In memory that may hold anything no slot can be
//! told from what was there before; then the blocks store their values, and a second launch folds them (reduce_exchange).
//!
//! Progress. Blocks start in the order of their indices (launch_kind::in_order). The last block therefore waits only for
//! blocks that are running or have ended, however many are resident. It has then seen all others publish, and no other
//! block reads slots, so it ends the launch without a count of finished blocks. (Electing the block that finishes last costs
//! a fence, an atomic and a reload after the last load: 1.2 us, NVIDIA H200.)
//!
//! Launches may overlap (launch_start::programmatic). A launch waits for the end of earlier work, and lets the next launch
//! start when all of its own blocks have waited. The second of two adjacent launches then takes 0.7 us less (NVIDIA H200).
//! An earlier start is slower: blocks of a third and a fourth launch gather on the multiprocessors, spread unevenly.
//!
//! Association. The grid follows from the number of items and the type alone. Tiles count from item 0.
//!
//! * Commutative fold, for operators known to be commutative. Thread p mod block_threads loads vector p of a tile, at turn
//!   p / block_threads. A vector is 16 bytes of items, folded by neighbours (fold_tree), or the terms that a functor makes
//!   of them, folded from the left (reduce/mapped_input.cuh). A thread folds its vectors of a tile by neighbours, and its
//!   tiles by a pairwise_accumulator (from the left if nothing rounds). Then warp_fold folds the threads of a warp, and
//!   once more the warps' totals.
//! * Ordered fold, for all other operators. Each warp folds a run of neighbouring warp tiles; a warp tile is the items of 32
//!   lanes. A lane folds its neighbouring items of a warp tile from the left; warp_fold folds the lanes; lane 0 folds the
//!   warp tiles by a pairwise_accumulator; warp_fold folds the warps' totals. No barrier of the block separates two tiles.
//! * Grid (reduce_grid_for). An input that fits a block of single_block_threads is one tile, with only as many threads as it
//!   needs. An input that fits small_grid_max_blocks of small_grid_threads has tiles of such blocks. Larger inputs have
//!   tiles of block_threads, one for each block up to max_blocks, then several.
//! * Integers with exact operators (is_exact_v): vectors start at multiples of 16 bytes of memory. The items before the
//!   first vector are folded last, in the first thread of tile 0. No result shows it.
//! * Commutative fold: tile t belongs to block t mod blocks, so that the tiles of all blocks are near each other at any time
//!   (1 % faster, 2^28 i32, NVIDIA H200). Ordered fold: each warp of a block with one tile has one warp tile of it.
//!   Otherwise the warps of the grid have runs of equal length, up to one warp tile, from first_warp_tile on.
//! * Each warp of the last block folds 32 · slots_per_lane values of the other blocks (fold_all_slots), and warp_fold
//!   folds the warps' totals. The last block's own value stands to the right of that. It does not pass through a slot.
//! * The result is init ⊕ the fold of all blocks.
#pragma once

#include <reheat/detail/block/fold.cuh>
#include <reheat/detail/config.cuh>
#include <reheat/detail/device_traits.cuh>
#include <reheat/detail/grid/memory.cuh>
#include <reheat/detail/grid/result.cuh>
#include <reheat/detail/grid/slot.cuh>
#include <reheat/detail/grid/slot_fold.cuh>
#include <reheat/detail/reduce/commutative.cuh>
#include <reheat/detail/reduce/into.cuh>
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
  // If blocks have many tiles. Commutative fold: tiles per block; the first larger_blocks blocks have one more.
  std::uint64_t tiles_per_block;
  unsigned larger_blocks;
  std::uint32_t warp_tiles_fraction; //!< ordered fold: the average beyond warp_tiles_per_warp, in units of 2^-32
  std::uint64_t warp_tiles_per_warp;
  bool aligned;             //!< `in` is a pointer, aligned to 16 bytes
  workspace<Accum> scratch; //!< none if the grid is one block
};

//! Returns the first warp tile of warp `warp` of the grid.
template <class Accum>
REHEAT_HOST_DEVICE constexpr std::uint64_t first_warp_tile(const reduce_params<Accum>& params, std::uint64_t warp)
{
  return warp * params.warp_tiles_per_warp + (warp * params.warp_tiles_fraction >> 32);
}

//! Shared memory of a block; scratch memory if items are too large for it.
template <class Accum>
struct reduce_shared
{
  Accum* tile;         //!< [warp][items of a warp tile], in ordered folds
  Accum* totals;       //!< [warp]: of threads
  Accum* block_totals; //!< [warp]: of blocks. Apart, since no barrier follows the last read of totals.
  Accum* scratch;      //!< [warp][warp_scratch_items]

  REHEAT_EXEC_CHECK_DISABLE
  template <class Memory>
  REHEAT_HOST_DEVICE constexpr reduce_shared(Memory& memory, const reduce_config& c, bool staged)
      : tile(memory.template array<Accum>(staged ? c.tile_items() : 0, alignof(Accum) > 16 ? alignof(Accum) : 16)),
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
//! The same for scratch memory.
template <class Accum>
REHEAT_HOST_DEVICE constexpr std::size_t reduce_scratch_bytes(const reduce_config& c, bool staged)
{
  block_memory_counter counter(c.in_scratch);
  reduce_shared<Accum> layout(counter, c, staged);
  static_cast<void>(layout);
  return counter.scratch_bytes();
}

//! Whether a tile of an ordered fold fits a block's shared memory.
template <class Accum>
REHEAT_HOST_DEVICE constexpr bool reduce_fits(const reduce_config& c, int arch)
{
  return reduce_shared_bytes<Accum>(c, true) <= device_traits_of(arch).block_shared_bytes;
}

//! ordered_tuning, but with tiles in scratch memory on architectures whose shared memory is too small.
template <class Accum>
struct fitting_ordered_tuning
{
  REHEAT_HOST_DEVICE constexpr reduce_config operator()(int arch) const
  {
    const reduce_config c = ordered_tuning<sizeof(Accum)>{}(arch);
    return reduce_fits<Accum>(c, arch) ? c : reduce_config_in_scratch(c);
  }
};

//! The tuning of an ordered fold: ordered_tuning if its tiles fit on every architecture, fitting_ordered_tuning otherwise.
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
  many //!< at least one
};

//! How the last block gets the values of the others.
enum class reduce_exchange
{
  slots, //!< within the launch, from slots
  memory //!< not at all: blocks store their values in memory with any content, and the next launch is one block that folds
         //!< them (fold_values_kernel)
};

//! Bytes of values in the workspace of a grid.
template <class Accum>
REHEAT_HOST_DEVICE constexpr std::size_t reduce_value_bytes(reduce_exchange exchange, unsigned blocks,
                                                            unsigned slots_per_lane)
{
  return exchange == reduce_exchange::slots ? workspace_value_bytes<Accum>(slots_in_rows(blocks - 1, slots_per_lane))
         : blocks == 1                      ? 0
                                            : blocks * sizeof(Accum);
}

//! One block of the reduction. If the fold is commutative, its input consists of vectors.
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
        // With the fault, one block too many has a tile more.
        const bool extra =
            simt::fault_active(simt::fault::uneven_tiles) && params_.larger_blocks != 0 && block == params_.larger_blocks;
        const std::uint64_t tiles = params_.tiles_per_block + (block < params_.larger_blocks || extra ? 1 : 0);
        own.template fold_many<cfg.block_threads, cfg.part_at_once>(extra ? block - 1 : block, tiles, simt::grid_blocks(),
                                                                    fold);
      }
      threads += simt::fault_active(simt::fault::one_thread_more) && threads < simt::block_threads() ? 1 : 0;
      block_fold(fold.value, threads, shared_.totals, scratch_, op_);
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
      fold_warp_totals(fold.value, warps, shared_.totals, scratch_, op_);
    }
  }

  //! As fold_all_slots.
  REHEAT_DEVICE void fold_blocks(const slot_array<Accum>& slots, unsigned others, uninitialized<Accum>& value)
  {
    fold_all_slots<cfg.slots_per_lane>(slots, others, value,
                                       simt::fault_active(simt::fault::reuse_totals) ? shared_.totals : shared_.block_totals,
                                       scratch_, op_);
  }

private:
  const reduce_shared<Accum>& shared_;
  const reduce_params<Accum>& params_;
  Input in_;
  Op op_;
  Accum* scratch_;
};

//! The fold of all blocks' values in memory, in the order of fold_blocks: results have the same bits as in one launch. One
//! block of block_threads.
template <class Tuning, class Accum, class Init, class Op, class Result>
REHEAT_KERNEL(Tuning{}(simt::arch).block_threads)
fold_values_kernel(workspace<Accum> scratch, unsigned blocks, std::size_t block_bytes, Op op, Init init, Result result)
{
  constexpr reduce_config cfg = Tuning{}(simt::arch);
  auto memory = memory_of_block<cfg.in_scratch>(
      scratch, reduce_value_bytes<Accum>(reduce_exchange::memory, blocks, cfg.slots_per_lane), block_bytes);
  const reduce_shared<Accum> shared(memory, cfg, false);
  simt::grid_dependency_wait(simt::unless(simt::fault::fold_too_early));
  simt::trigger_dependent_launch();
  constexpr unsigned per_lane = cfg.slots_per_lane, per_warp = 32 * per_lane;
  Accum* const warp_scratch = shared.scratch + simt::warp_index() * warp_scratch_items<Accum>;
  const unsigned others = blocks - 1;
  const unsigned first = simt::warp_index() * per_warp;
  uninitialized<Accum> fold;
  if (first < others)
  {
    const unsigned left = others - first;
    const Accum* const own = scratch.values + first + simt::lane_index() * per_lane;
    fold_row<per_lane>(
        left < per_warp ? left : per_warp, [&](unsigned i, uninitialized<Accum>& value) { value.construct(own[i]); }, fold,
        op, warp_scratch);
  }
  fold_warp_totals(fold, (others + per_warp - 1) / per_warp, shared.totals, warp_scratch, op);
  if (simt::thread_index() == 0)
  {
    if (!simt::fault_active(simt::fault::lose_last_value))
    {
      fold.get() = op(fold.get(), scratch.values[others]);
    }
    store_result(result, with_initial_value(init, fold.get(), op));
  }
}

//! The reduction, or its first launch. Every block has a tile; there are at most max_blocks.
template <class Tuning, class Input, class Accum, class Init, class Op, class Result, reduce_tiles Tiles,
          reduce_exchange Exchange>
REHEAT_KERNEL(Tuning{}(simt::arch).max_threads(), Tuning{}(simt::arch).resident_blocks)
reduce_kernel(Input in, reduce_params<Accum> params, Op op, Init init, Result result)
{
  constexpr reduce_config cfg = Tuning{}(simt::arch);
  static_assert(cfg.max_blocks <= cfg.warps() * 32 * cfg.slots_per_lane, "one block folds the values of all");
  static_assert(cfg.small_grid_max_blocks <= cfg.small_grid_threads * cfg.slots_per_lane,
                "one block folds the values of all");
  static_assert(cfg.max_threads() <= 1024, "one warp folds the totals of all");

  const std::uint64_t block = simt::block_index();
  const unsigned blocks = simt::grid_blocks();
  constexpr bool staged = !is_vector_input_v<Input>;
  auto memory =
      memory_of_block<cfg.in_scratch>(params.scratch, reduce_value_bytes<Accum>(Exchange, blocks, cfg.slots_per_lane),
                                      reduce_scratch_bytes<Accum>(cfg, staged));
  const reduce_shared<Accum> shared(memory, cfg, staged);
  const unsigned last = simt::fault_active(simt::fault::first_block_folds) ? 0 : blocks - 1;
  simt::grid_dependency_wait(simt::unless(simt::fault::reduce_too_early));
  simt::trigger_dependent_launch();
  // The loads of the items hide these round trips, since no thread uses their results earlier. Each would cost 0.3 to 0.7 us
  // (NVIDIA H200).
  std::uint32_t last_launch = 0;
  std::uint64_t used_words = 0;
  const bool exchanges = Exchange == reduce_exchange::slots && blocks > 1 && (block == last || simt::thread_index() == 0);
  if (exchanges)
  {
    last_launch = last_launch_epoch(params.scratch.header);
    used_words = block == last ? simt::load_relaxed(&params.scratch.header->used_words) : 0;
  }
  const bool stays_away = simt::fault_active(simt::fault::divergent_reduce_barrier) && simt::thread_index() == 1;
  if (stays_away)
  {
    return;
  }

  reduce_block<Tuning, Input, Accum, Op, Tiles> self(shared, params, in, op);
  optional_accumulator<Accum> fold;
  self.fold_tiles(block, fold);
  if constexpr (Exchange == reduce_exchange::memory)
  {
    if (simt::thread_index() == 0)
    {
      if (blocks == 1)
      {
        store_result(result, with_initial_value(init, fold.value.get(), op));
      }
      else
      {
        construct_at(params.scratch.values + block, fold.value.get());
      }
    }
  }
  else
  {
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
          store_result(result, with_initial_value(init, fold.value.get(), op));
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
      store_result(result, with_initial_value(init, fold.value.get(), op));
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
}

} // namespace detail
REHEAT_NAMESPACE_END

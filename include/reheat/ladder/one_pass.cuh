// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Scans in one pass: every item is read once and written once. Two passes over the items read them twice.
//!
//! A block draws the number of a tile from a counter, loads the tile into shared memory, folds it, learns its prefix from
//! the tiles before, scans it in shared memory and stores it. How it learns the prefix is `Prefix`'s: chained_scan.cuh,
//! decoupled_lookback.cuh. Because numbers are drawn, a block that waits for a lower tile waits for one that is running:
//! blocks that are not resident hold no tile. Operands keep their order.
#pragma once

#include <reheat/detail/block/tile.cuh>
#include <reheat/detail/call_workspace.cuh>
#include <reheat/detail/config.cuh>
#include <reheat/detail/grid/retire.cuh>
#include <reheat/detail/grid/slot.cuh>
#include <reheat/detail/iterators.cuh>
#include <reheat/detail/runtime/runtime.cuh>
#include <reheat/detail/scan/items.cuh>
#include <reheat/detail/scan/kind.cuh>
#include <reheat/detail/scan/stream/shared.cuh>
#include <reheat/detail/simt/simt.cuh>
#include <reheat/detail/thread/items.cuh>
#include <reheat/ladder/block_scan.cuh>
#include <reheat/ladder/rung.cuh>

#include <algorithm>

REHEAT_NAMESPACE_BEGIN
namespace detail
{
namespace ladder
{

struct one_pass_shape
{
  unsigned block_threads;
  unsigned items_per_thread;

  REHEAT_HOST_DEVICE constexpr unsigned tile_items() const { return block_threads * items_per_thread; }
  REHEAT_HOST_DEVICE constexpr unsigned warps() const { return block_threads / 32; }
};

//! arch → shape. Three vectors of 16 bytes per thread: an odd number, which walks through shared memory without bank
//! conflicts.
template <std::size_t ItemBytes>
struct one_pass_tuning
{
  REHEAT_HOST_DEVICE constexpr one_pass_shape operator()(int arch) const
  {
    constexpr std::size_t max_bytes = 32 * 1024;
    const std::size_t run_bytes = arch == 0 ? 16 : 48;
    one_pass_shape shape{arch == 0 ? 64u : 256u, run_bytes < ItemBytes ? 1u : static_cast<unsigned>(run_bytes / ItemBytes)};
    while (arch != 0 && shape.block_threads > 32 && shape.tile_items() * ItemBytes > max_bytes)
    {
      shape.block_threads /= 2;
    }
    return shape;
  }
};

template <class Accum>
struct one_pass_shared
{
  Accum* items;              //!< [tile_items]
  Accum* prefix;             //!< of the tile
  block_shared<Accum> block; //!< after the tile is folded, the last of the sums is its aggregate
  std::uint64_t* tile;       //!< its number

  REHEAT_EXEC_CHECK_DISABLE
  template <class Memory>
  REHEAT_HOST_DEVICE constexpr one_pass_shared(Memory& memory, const one_pass_shape& shape)
      : items(memory.template array<Accum>(shape.tile_items(), alignof(Accum) > 128 ? alignof(Accum) : 128)),
        prefix(memory.template array<Accum>(1)), block(memory, shape.warps()), tile(memory.template array<std::uint64_t>(1))
  {}
};

//! The next tile of this block, for all threads.
REHEAT_DEVICE inline std::uint64_t draw_tile(workspace_header* header, std::uint64_t round, std::uint64_t* broadcast)
{
  if (simt::thread_index() == 0)
  {
    const std::uint64_t ticket = simt::fetch_add_relaxed(&header->next_ticket, std::uint64_t{1});
    *broadcast = simt::fault_active(simt::fault::tile_by_block) ? simt::block_index() + round * simt::grid_blocks() : ticket;
  }
  simt::sync_block();
  return *broadcast;
}

//! `Prefix::slots_per_tile` slots belong to a tile. Prefix::exchange, which warp 0 calls, publishes the tile's aggregate or
//! inclusive prefix or both, and leaves the tile's prefix in *shared.prefix if it has one.
template <class Tuning, class Prefix, scan_kind Kind, class InputIt, class OutputIt, class Op, class Init>
REHEAT_KERNEL(Tuning{}(simt::arch).block_threads)
one_pass_kernel(InputIt in, OutputIt out, scan_params<typename Init::accum> params, Op op, Init init)
{
  using accum = typename Init::accum;
  static_assert(Kind == scan_kind::inclusive || Init::present, "an exclusive scan starts from an initial value");
  constexpr one_pass_shape shape = Tuning{}(simt::arch);
  constexpr unsigned per_thread = shape.items_per_thread;
  simt::shared_memory memory;
  const one_pass_shared<accum> shared(memory, shape);
  const std::uint32_t epoch = last_launch_epoch(params.scratch.header) + 1;
  slot_array<accum> slots(params.scratch, epoch);
  const unsigned thread = simt::thread_index();

  for (std::uint64_t round = 0;; ++round)
  {
    const std::uint64_t tile = draw_tile(params.scratch.header, round, shared.tile);
    if (tile >= params.tiles)
    {
      break;
    }
    const std::uint64_t first = tile * shape.tile_items();
    const unsigned valid = valid_items(params.items, first, shape.tile_items());
    load_tile<per_thread>(in, params.aligned_in, first, valid, shared.items, thread, shape.block_threads);
    simt::sync_block();

    // Each thread folds its neighbouring items, the block those folds.
    const unsigned before = thread * per_thread;
    const unsigned left_over = valid > before ? valid - before : 0;
    const unsigned count = left_over < per_thread ? left_over : per_thread;
    optional_accumulator<accum> own;
    walk_items<false, per_thread>(shared.items + before, count, [&](const accum& item, unsigned) { own.append(item, op); });
    const unsigned threads = (valid + per_thread - 1) / per_thread; // that have an item
    block_inclusive_scan<library_warp_scan>(shared.block, own.value, threads, op);
    uninitialized<accum> left;
    thread_before(shared.block, own.value, threads, left);

    if (simt::warp_index() == 0)
    {
      const accum& aggregate = shared.block.sums[(threads - 1) / simt::warp_lanes];
      Prefix::exchange(slots, params.tiles, tile, aggregate, shared, op, init);
    }
    simt::sync_block();

    // From the prefix and the threads before, item by item.
    optional_accumulator<accum> fold;
    if (count != 0)
    {
      if (tile > 0 || Init::present)
      {
        fold.append(*shared.prefix, op);
      }
      if (thread > 0)
      {
        fold.append(left.get(), op);
      }
      scan_items<Kind, per_thread>(shared.items + before, count, fold, op);
    }
    simt::sync_block();
    store_tile<per_thread>(shared.items, out, params.aligned_out, first, valid, thread, shape.block_threads);
  }
  if (simt::warp_index() == 0)
  {
    retire_blocks(params.scratch, params.tiles * Prefix::slots_per_tile * slot_traits<accum>::words, epoch);
  }
}

//! Warp 0's lane 0, in Prefix::exchange: `before` is what stands left of the tile. Leaves it to the block.
template <class Accum>
REHEAT_DEVICE void leave_prefix(const one_pass_shared<Accum>& shared, const optional_accumulator<Accum>& before)
{
  if (before.has)
  {
    construct_at(shared.prefix, before.value.get());
  }
}

//! A rung of this family.
template <class Prefix>
struct one_pass : scan_rung
{
  template <scan_kind Kind, class Environment, class InputIt, class OutputIt, class Op, class Init>
  static void enqueue_scan(const Environment& env, InputIt in, OutputIt out, std::uint64_t items, Op op, Init init)
  {
    using accum = typename Init::accum;
    using tuning = one_pass_tuning<sizeof(accum)>;
    const auto kernel = &one_pass_kernel<tuning, Prefix, Kind, InputIt, OutputIt, Op, Init>;
    const one_pass_shape shape = tuning{}(runtime::arch_of(kernel));
    simt::shared_counter counter;
    const one_pass_shared<accum> layout(counter, shape);
    static_cast<void>(layout);
    const unsigned resident = runtime::prepare(kernel, shape.block_threads, counter.bytes()).blocks;

    scan_params<accum> params{};
    params.items = items;
    params.tiles = ceil_div(items, shape.tile_items());
    params.aligned_in = is_aligned(in);
    params.aligned_out = is_aligned(out);
    const std::uint64_t slots = params.tiles * Prefix::slots_per_tile;
    const auto grid = static_cast<unsigned>(std::min<std::uint64_t>(params.tiles, resident));
    with_workspace<accum>(
        env, workspace_of_slots<accum>(slots),
        [&](const workspace<accum>& scratch)
        {
          params.scratch = scratch;
          runtime::launch(env, {grid, shape.block_threads, counter.bytes()}, kernel, in, out, params, op, init);
        });
  }
};

} // namespace ladder
} // namespace detail
REHEAT_NAMESPACE_END

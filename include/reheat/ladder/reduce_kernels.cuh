// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The kernels of the ladder's reductions: a block step (how items are loaded, where the tree stands, which tree) and what
//! becomes of the block's sum. Without a barrier across the grid the sums have to leave the kernel; where the device holds
//! all blocks at once, a cooperative launch can wait for them all and fold the sums itself.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/grid/result.cuh>
#include <reheat/detail/simt/grid_barrier.cuh>
#include <reheat/detail/simt/simt.cuh>
#include <reheat/detail/thread/value.cuh>
#include <reheat/ladder/reduce_load.cuh>
#include <reheat/ladder/reduce_tree.cuh>

#include <cstddef>
#include <cstdint>
#include <type_traits>

REHEAT_NAMESPACE_BEGIN
namespace detail
{
namespace ladder
{

struct rung_config
{
  unsigned block_threads;
  unsigned max_blocks;     //!< blocks beyond that take several tiles each
  unsigned strided_blocks; //!< at most so many, where threads stride through the input
};

//! arch → config. BlockThreads as the authors have them; the grid of the strided loads, 1024 blocks, is the same on every
//! device, so that results are. On the emulator blocks of two warps, few enough for small inputs to fill the grid.
template <unsigned BlockThreads>
struct rung_tuning
{
  REHEAT_HOST_DEVICE constexpr rung_config operator()(int arch, std::size_t value_bytes) const
  {
    rung_config c = arch == 0 ? rung_config{64, 35, 5} : rung_config{BlockThreads, 0x7fffffffu, 1024};
    constexpr std::size_t max_bytes = 96 * 1024;
    while (c.block_threads * value_bytes > max_bytes && c.block_threads > simt::warp_lanes)
    {
      c.block_threads /= 2;
    }
    return c;
  }
};

//! The tree stands in a copy of the input in global memory: every step waits for memory.
struct in_global_memory
{
  static constexpr bool needs_copy = true;
  template <class T, unsigned Count, class Memory>
  REHEAT_HOST_DEVICE static constexpr T* array(Memory&)
  {
    return nullptr;
  }
};
//! … in an array that the launch asked for.
struct in_dynamic_shared_memory
{
  static constexpr bool needs_copy = false;
  template <class T, unsigned Count, class Memory>
  REHEAT_HOST_DEVICE static constexpr T* array(Memory& memory)
  {
    return memory.template array<T>(Count);
  }
};
//! … in an array whose size the compiler knows.
struct in_static_shared_memory
{
  static constexpr bool needs_copy = false;
  template <class T, unsigned Count, class Memory>
  REHEAT_HOST_DEVICE static constexpr T* array(Memory& memory)
  {
    return memory.template static_array<T, Count>();
  }
};

//! What a block does.
template <class Tuning, class Place, class Load, class Tree>
struct block_step
{
  using tuning = Tuning;
  using place = Place;
  using load = Load;
  using tree = Tree;
  REHEAT_HOST_DEVICE static constexpr rung_config config(int arch, std::size_t value_bytes)
  {
    return Tuning{}(arch, value_bytes);
  }
  template <class T>
  REHEAT_HOST_DEVICE static constexpr unsigned threads()
  {
    return config(simt::arch, sizeof(T)).block_threads;
  }
  //! The shared memory that a launch asks for. The host knows the block's size at run time only.
  template <class T>
  static std::size_t shared_bytes(const rung_config& c)
  {
    simt::shared_counter counter;
    if constexpr (std::is_same_v<Place, in_dynamic_shared_memory>)
    {
      static_cast<void>(counter.template array<T>(Tree::shared_items(c.block_threads)));
    }
    else if constexpr (std::is_same_v<Place, in_static_shared_memory>)
    {
      static_cast<void>(counter.template static_array<T, Tree::shared_items(threads<T>())>());
    }
    return counter.bytes();
  }

  //! Thread 0 gets the sum of tile `tile` of `tiles`.
  template <class InputIt, class T, class Op>
  REHEAT_DEVICE static void fold(InputIt& in, std::uint64_t items, std::uint64_t tile, std::uint64_t tiles, T* x,
                                 uninitialized<T>& value, Op& op)
  {
    const unsigned valid = Load::load(in, items, tile, tiles, value, op);
    Tree::template fold<threads<T>()>(value, x, valid, op);
  }
  template <class T>
  REHEAT_DEVICE static T* shared_array()
  {
    simt::shared_memory memory;
    return Place::template array<T, Tree::shared_items(threads<T>())>(memory);
  }
};

//! A block's sum goes to its place among the sums; of a single block it is the result.
template <class Accum, class T>
struct to_sums_or_result
{
  Accum* sums;
  T init;
  T* result;
  template <class Op>
  REHEAT_DEVICE void operator()(std::uint64_t tile, std::uint64_t tiles, const Accum& value, Op& op)
  {
    if (tiles == 1)
    {
      store_result(result, op(init, value));
    }
    else
    {
      construct_at(sums + tile, value);
    }
  }
};
//! … to its place, whatever the number of blocks.
template <class Accum>
struct to_sums
{
  Accum* sums;
  template <class Op>
  REHEAT_DEVICE void operator()(std::uint64_t tile, std::uint64_t, const Accum& value, Op&)
  {
    construct_at(sums + tile, value);
  }
};
//! … into one cell, in whatever order the blocks come.
template <class Accum>
struct to_cell
{
  Accum* cell;
  template <class Op>
  REHEAT_DEVICE void operator()(std::uint64_t, std::uint64_t, const Accum& value, Op&)
  {
    if (simt::fault_active(simt::fault::reduce_plain_add))
    {
      *cell = *cell + value;
      return;
    }
    (void)simt::fetch_add_relaxed(cell, value);
  }
};

//! Each block folds its tiles, one after the other; `work` is where a tree in global memory stands.
template <class Step, class InputIt, class Accum, class Op, class Finish>
REHEAT_KERNEL(Step::config(simt::arch, sizeof(Accum)).block_threads)
ladder_reduce_kernel(InputIt in, std::uint64_t items, std::uint64_t tiles, Accum* work, Op op, Finish finish)
{
  Accum* const shared = Step::template shared_array<Accum>();
  for (std::uint64_t tile = simt::block_index(); tile < tiles; tile += simt::grid_blocks())
  {
    if (tile != simt::block_index() && !simt::fault_active(simt::fault::reduce_skip_tile_barrier))
    {
      simt::sync_block(); // the tile before has been folded
    }
    uninitialized<Accum> value;
    Accum* const x = Step::place::needs_copy ? work + tile * simt::block_threads() : shared;
    Step::fold(in, items, tile, tiles, x, value, op);
    if (simt::thread_index() == 0)
    {
      finish(tile, tiles, value.get(), op);
    }
  }
}

//! A cooperative launch: block 0 folds the blocks' sums behind the barrier of the grid.
template <class Step, class InputIt, class Accum, class T, class Op>
REHEAT_KERNEL(Step::config(simt::arch, sizeof(Accum)).block_threads)
ladder_reduce_grid_kernel(InputIt in, std::uint64_t items, Accum* sums, Op op, T init, T* result)
{
  static_assert(Step::load::strides && !Step::place::needs_copy, "a block has one tile, in shared memory");
  Accum* const shared = Step::template shared_array<Accum>();
  const unsigned blocks = simt::grid_blocks();
  uninitialized<Accum> value;
  Step::fold(in, items, simt::block_index(), blocks, shared, value, op);
  if (simt::thread_index() == 0)
  {
    construct_at(sums + simt::block_index(), value.get());
  }
  if (!simt::fault_active(simt::fault::reduce_skip_grid_barrier))
  {
    simt::sync_grid();
  }
  if (simt::block_index() == 0)
  {
    Step::fold(sums, blocks, 0, 1, shared, value, op);
    if (simt::thread_index() == 0)
    {
      store_result(result, op(init, value.get()));
    }
  }
}

//! What the blocks added up becomes the result. One thread.
template <class Accum, class T, class Op>
REHEAT_KERNEL(simt::warp_lanes)
ladder_reduce_result_kernel(const Accum* cell, Op op, T init, T* result)
{
  store_result(result, op(init, *cell));
}

} // namespace ladder
} // namespace detail
REHEAT_NAMESPACE_END

// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! How the sums of blocks become one value, on the host's side. Blocks of one launch can not wait for each other, so the end
//! of the launch is the barrier: the host folds the sums in a loop, after they have crossed the bus; or the same kernel runs
//! again over the sums until one is left, and they stay on the device. An atomic per block spares the launch, but floating
//! sums then depend on the order in which blocks come. A cooperative launch has a barrier of its own.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/grid/slot.cuh>
#include <reheat/detail/runtime/runtime.cuh>
#include <reheat/ladder/reduce_kernels.cuh>
#include <reheat/ladder/rung.cuh>

#include <algorithm>
#include <cstddef>
#include <cstdint>

REHEAT_NAMESPACE_BEGIN
namespace detail
{
namespace ladder
{

//! What Step asks of the call: operands in order, or any order; values that travel through shuffles, or any.
template <class Step, class Op, class Accum>
constexpr void check_needs()
{
  if constexpr (!Step::tree::keeps_order || Step::load::strides)
  {
    needs_commutative_op<Op, Accum>();
  }
  if constexpr (Step::tree::shuffles)
  {
    needs_shuffles<Accum>();
  }
}

//! Tiles of `items` items. `last`: a strided load takes them all with one block.
template <class Step>
std::uint64_t tiles_of(const rung_config& c, std::uint64_t items, bool last = false)
{
  const std::uint64_t tile_items = std::uint64_t{c.block_threads} * Step::load::items_per_thread;
  const std::uint64_t tiles = items / tile_items + (items % tile_items != 0);
  return !Step::load::strides ? tiles : last ? 1 : std::min<std::uint64_t>(tiles, c.strided_blocks);
}

//! Arrays of Ts in a call's scratch memory, one behind the other, each aligned to 256 bytes.
template <class Environment, class T>
class scratch_arrays
{
  static constexpr std::size_t alignment = 256;

public:
  scratch_arrays(const Environment& env, std::uint64_t first, std::uint64_t second = 0, std::uint64_t third = 0)
      : offset_{0, room(first), room(first) + room(second)},
        scratch_(env, env.scratch, sizeof(workspace_header), offset_[2] + room(third))
  {}
  T* operator[](unsigned which) const
  {
    return reinterpret_cast<T*>(static_cast<unsigned char*>(scratch_.values()) + offset_[which]);
  }

private:
  static std::size_t room(std::uint64_t items) { return (items * sizeof(T) + alignment - 1) / alignment * alignment; }

  std::size_t offset_[3];
  runtime::call_scratch<typename Environment::source> scratch_;
};

//! The kernel's config, as it was compiled.
template <class Step, class Accum, class Kernel>
rung_config config_of(Kernel kernel)
{
  return Step::config(runtime::arch_of(kernel), sizeof(Accum));
}

//! One launch of Step over `items` items.
template <class Step, class Environment, class InputIt, class Accum, class Op, class Finish>
void launch_step(const Environment& env, const rung_config& c, InputIt in, std::uint64_t items, std::uint64_t tiles,
                 Accum* work, Op op, Finish finish)
{
  const auto kernel = &ladder_reduce_kernel<Step, InputIt, Accum, Op, Finish>;
  const std::size_t shared_bytes = Step::template shared_bytes<Accum>(c);
  runtime::prepare(kernel, c.block_threads, shared_bytes);
  const auto grid = static_cast<unsigned>(std::min<std::uint64_t>(tiles, c.max_blocks));
  runtime::launch(env, {grid, c.block_threads, shared_bytes}, kernel, in, items, tiles, work, op, finish);
}

//! reduce_n of the rungs that have an enqueue_reduce: *result = init ⊕ in[0] ⊕ … on the environment's stream, in memory that
//! the device can write and that holds nothing yet.
template <class Rung>
struct enqueued_rung : reduce_rung
{
  template <class Accum, class Environment, class InputIt, class T, class Op>
  static T reduce_n(const Environment& env, InputIt in, std::uint64_t items, T init, Op op)
  {
    return runtime::result_on_host<T, runtime::default_result_wait>(
        env, [&](T* result) { Rung::template enqueue_reduce<Accum>(env, in, items, init, op, result); });
  }
};

//! The host folds the sums.
template <class Step>
struct host_finish : reduce_rung
{
  using step = Step;
  static constexpr bool finishes_on_host = true;

  template <class Accum, class Environment, class InputIt, class T, class Op>
  static T reduce_n(const Environment& env, InputIt in, std::uint64_t items, T init, Op op)
  {
    check_needs<Step, Op, Accum>();
    const rung_config c = config_of<Step, Accum>(&ladder_reduce_kernel<Step, InputIt, Accum, Op, to_sums<Accum>>);
    const std::uint64_t tiles = tiles_of<Step>(c, items);
    runtime::result_slot slot;
    runtime::check_memory(slot.acquire(tiles * sizeof(Accum)), "reheat: allocating host memory for the sums of blocks");
    auto* const sums = static_cast<Accum*>(slot.get());
    {
      const scratch_arrays<Environment, Accum> scratch(env, Step::place::needs_copy ? items : 0);
      launch_step<Step>(env, c, in, items, tiles, scratch[0], op, to_sums<Accum>{sums});
      slot.has_launched();
    }
    runtime::synchronize(env);
    slot.has_ended();
    Accum total(sums[0]);
    for (std::uint64_t i = 1; i < tiles; ++i)
    {
      total = static_cast<Accum>(op(total, sums[i]));
    }
    return static_cast<T>(op(init, total));
  }

  template <class Accum, class Environment, class InputIt, class T, class Op>
  static void enqueue_reduce(const Environment&, InputIt, std::uint64_t, T, Op, T*)
  {
    static_assert(never_v<T>, "reheat: this rung of the ladder finishes on the host: it serves reduce, not reduce_into");
  }
};

//! The same kernel over the sums, until one is left.
template <class Step>
struct relaunch_finish : enqueued_rung<relaunch_finish<Step>>
{
  using step = Step;
  static constexpr bool keeps_order = Step::tree::keeps_order && !Step::load::strides;

  template <class Accum, class Environment, class InputIt, class T, class Op>
  static void enqueue_reduce(const Environment& env, InputIt in, std::uint64_t items, T init, Op op, T* result)
  {
    check_needs<Step, Op, Accum>();
    using finish = to_sums_or_result<Accum, T>;
    const rung_config c = config_of<Step, Accum>(&ladder_reduce_kernel<Step, InputIt, Accum, Op, finish>);
    std::uint64_t tiles = tiles_of<Step>(c, items);
    const scratch_arrays<Environment, Accum> scratch(env, tiles, tiles_of<Step>(c, tiles, true),
                                                     Step::place::needs_copy ? items : 0);
    launch_step<Step>(env, c, in, items, tiles, scratch[2], op, finish{scratch[0], init, result});
    for (unsigned level = 0; tiles > 1; ++level)
    {
      const std::uint64_t sums = tiles;
      tiles = tiles_of<Step>(c, sums, true);
      launch_step<Step>(env, c, static_cast<const Accum*>(scratch[level % 2]), sums, tiles, scratch[2], op,
                        finish{scratch[(level + 1) % 2], init, result});
    }
  }
};

//! An atomic per block; one more thread combines the cell with the initial value.
template <class Step>
struct atomic_finish : enqueued_rung<atomic_finish<Step>>
{
  using step = Step;

  template <class Accum, class Environment, class InputIt, class T, class Op>
  static void enqueue_reduce(const Environment& env, InputIt in, std::uint64_t items, T init, Op op, T* result)
  {
    check_needs<Step, Op, Accum>();
    needs_atomic<Op, Accum>();
    if constexpr (has_atomic_add_v<Op, Accum>)
    {
      const rung_config c = config_of<Step, Accum>(&ladder_reduce_kernel<Step, InputIt, Accum, Op, to_cell<Accum>>);
      const scratch_arrays<Environment, Accum> scratch(env, 1);
      Accum* const cell = scratch[0];
      runtime::zero(cell, sizeof(Accum), env.stream);
      launch_step<Step>(env, c, in, items, tiles_of<Step>(c, items), static_cast<Accum*>(nullptr), op, to_cell<Accum>{cell});
      runtime::launch(env, {1, 1}, &ladder_reduce_result_kernel<Accum, T, Op>, cell, op, init, result);
    }
  }
};

//! One cooperative launch of as many blocks as the device holds: floating sums depend on the device, not on the run.
template <class Step>
struct grid_finish : enqueued_rung<grid_finish<Step>>
{
  using step = Step;

  template <class Accum, class Environment, class InputIt, class T, class Op>
  static void enqueue_reduce(const Environment& env, InputIt in, std::uint64_t items, T init, Op op, T* result)
  {
    check_needs<Step, Op, Accum>();
    const auto kernel = &ladder_reduce_grid_kernel<Step, InputIt, Accum, T, Op>;
    const rung_config c = config_of<Step, Accum>(kernel);
    const std::size_t shared_bytes = Step::template shared_bytes<Accum>(c);
    const std::uint64_t resident = runtime::prepare(kernel, c.block_threads, shared_bytes).blocks;
    const std::uint64_t tiles = items / c.block_threads + (items % c.block_threads != 0);
    const auto grid = static_cast<unsigned>(std::min(tiles, resident));
    const scratch_arrays<Environment, Accum> scratch(env, grid);
    runtime::launch(env, {grid, c.block_threads, shared_bytes, runtime::launch_kind::cooperative}, kernel, in, items,
                    scratch[0], op, init, result);
  }
};

} // namespace ladder
} // namespace detail
REHEAT_NAMESPACE_END

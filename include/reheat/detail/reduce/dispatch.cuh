// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The reduction on the host: sizes, scratch memory, launch, result.
#pragma once

#include <reheat/detail/call_workspace.cuh>
#include <reheat/detail/config.cuh>
#include <reheat/detail/iterators.cuh>
#include <reheat/detail/operators.cuh>
#include <reheat/detail/reduce/into.cuh>
#include <reheat/detail/reduce/kernel.cuh>
#include <reheat/detail/reduce/vector_input.cuh>
#include <reheat/detail/runtime/runtime.cuh>
#include <reheat/detail/thread/initial_value.cuh>

#include <cstdint>
#include <optional>
#include <type_traits>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

//! The tuning of a reduction of Items in Accum by Op.
template <class Item, class Accum, class Op>
using reduce_tuning_of =
    std::conditional_t<is_known_commutative_v<Op, Accum>,
                       commutative_tuning<vector_items_v<Item>, vector_items_v<Item> * sizeof(Item), vector_kind::items>,
                       typename ordered_tuning_of<Accum>::type>;

//! Of an input's items, unless it is vectors, which have their own.
template <class Input, class Accum, class Op, bool = is_vector_input_v<Input>>
struct input_tuning
{
  using type = reduce_tuning_of<value_of<Input>, Accum, Op>;
};
template <class Input, class Accum, class Op>
struct input_tuning<Input, Accum, Op, true>
{
  using type = typename Input::tuning;
};

//! The input as the kernel takes it: in vectors where Op is known to be commutative. If there are more than `uncut` items,
//! the items before the first aligned vector are removed from `items`.
template <class Accum, class Op, class Input>
auto kernel_input(const Input& in, std::uint64_t& items, std::uint64_t uncut)
{
  if constexpr (is_known_commutative_v<Op, Accum> && !is_vector_input_v<Input>)
  {
    // Where how operands associate can not show, what is not aligned is read like what is, but for its first items: bytes at
    // twice the speed, 16 MB of them and more.
    constexpr bool cut = is_exact_v<Op, Accum> && vector_input<Input, Accum, false>::may_be_aligned;
    if constexpr (cut)
    {
      const std::optional<unsigned> before = items_before_aligned(in, 16);
      const unsigned head = before && items > uncut + *before ? *before : 0;
      items -= head;
      return vector_input<Input, Accum, true>(in + head, is_aligned(in + head), head);
    }
    else
    {
      return vector_input<Input, Accum, false>(in, is_aligned(in), 0);
    }
  }
  else
  {
    return in;
  }
}

//! What a grid of `blocks` blocks needs. The last block publishes no value.
template <reduce_exchange Exchange, class Accum>
workspace_size reduce_workspace(const reduce_config& cfg, unsigned blocks, std::size_t block_bytes)
{
  if constexpr (Exchange == reduce_exchange::slots)
  {
    return workspace_of_slots<Accum>(slots_in_rows(blocks - 1, cfg.slots_per_lane), blocks, block_bytes);
  }
  else
  {
    return {0,
            values_and_scratch_bytes(reduce_value_bytes<Accum>(Exchange, blocks, cfg.slots_per_lane), blocks, block_bytes)};
  }
}

//! Leaves the size that enqueue_reduce needs on the environment. How many items it cuts off depends on the address, and the
//! number of blocks does not grow steadily with the items.
template <class Tuning, class Accum, class Environment, class Input, class Init, class Op, class Result>
void measure_reduce(const Environment& env, const Input& in, std::uint64_t items, const Init&, const Op&, const Result&)
{
  constexpr reduce_exchange exchange = reduce_exchange::memory;
  using taken_type = decltype(kernel_input<Accum, Op>(in, items, 0));
  const reduce_config cfg =
      Tuning{}(runtime::arch_of(&reduce_kernel<Tuning, taken_type, Accum, Init, Op, Result, reduce_tiles::one, exchange>));
  const std::size_t block_bytes = reduce_scratch_bytes<Accum>(cfg, !is_vector_input_v<taken_type>);
  const unsigned most = items <= cfg.single_block_items() ? 1 : cfg.max_blocks;
  with_workspace<Accum>(env, reduce_workspace<exchange, Accum>(cfg, most, block_bytes), nullptr);
}

//! Enqueues the store of init ⊕ in[0] ⊕ … ⊕ in[items − 1], items >= 1, on the environment's stream. `result` is an output of
//! into.cuh, or memory that the device can write and that holds nothing yet. `in` is an iterator, or vectors where Op is
//! known to be commutative.
template <class Tuning, class Accum, class Environment, class Input, class Init, class Op, class Result>
void enqueue_reduce(const Environment& env, Input in, std::uint64_t items, Init init, Op op, Result result)
{
  constexpr reduce_exchange exchange =
      runtime::keeps_words_v<typename Environment::source> ? reduce_exchange::slots : reduce_exchange::memory;
  using taken_type = decltype(kernel_input<Accum, Op>(in, items, 0));
  constexpr bool staged = !is_vector_input_v<taken_type>;
  auto kernel = &reduce_kernel<Tuning, taken_type, Accum, Init, Op, Result, reduce_tiles::one, exchange>;
  const reduce_config cfg = Tuning{}(runtime::arch_of(kernel));
  const std::size_t block_bytes = reduce_scratch_bytes<Accum>(cfg, staged);
  const taken_type taken = kernel_input<Accum, Op>(in, items, cfg.single_block_items());
  const reduce_grid grid = reduce_grid_for(cfg, items);
  if (!grid.one_tile)
  {
    kernel = &reduce_kernel<Tuning, taken_type, Accum, Init, Op, Result, reduce_tiles::many, exchange>;
  }
  const std::size_t shared_bytes = reduce_shared_bytes<Accum>(cfg, staged);
  runtime::prepare(kernel, cfg.block_threads, shared_bytes);

  reduce_params<Accum> params{};
  params.items = items;
  params.aligned = is_aligned(in);
  if (!grid.one_tile)
  {
    const std::uint64_t tiles = (items + cfg.multi_tile_items() - 1) / cfg.multi_tile_items();
    params.tiles_per_block = tiles / grid.blocks;
    params.larger_blocks = static_cast<unsigned>(tiles % grid.blocks);
    const std::uint64_t warp_tile_items = 32 * cfg.items_per_thread,
                        warp_tiles = (items + warp_tile_items - 1) / warp_tile_items;
    const std::uint64_t warps = std::uint64_t{grid.blocks} * cfg.warps();
    params.warp_tiles_per_warp = warp_tiles / warps;
    params.warp_tiles_fraction = static_cast<std::uint32_t>((warp_tiles % warps << 32) / warps);
  }

  with_workspace<Accum>(env, reduce_workspace<exchange, Accum>(cfg, grid.blocks, block_bytes),
                        [&](const workspace<Accum>& scratch)
                        {
                          params.scratch = scratch;
                          runtime::launch(env,
                                          {grid.blocks, grid.block_threads, shared_bytes, runtime::launch_kind::in_order,
                                           runtime::launch_start::programmatic},
                                          kernel, taken, params, op, init, result);
                          if constexpr (exchange == reduce_exchange::memory)
                          {
                            if (grid.blocks != 1)
                            {
                              const auto fold = &fold_values_kernel<Tuning, Accum, Init, Op, Result>;
                              const std::size_t fold_shared_bytes = reduce_shared_bytes<Accum>(cfg, false);
                              runtime::prepare(fold, cfg.block_threads, fold_shared_bytes);
                              runtime::launch(env,
                                              {1, cfg.block_threads, fold_shared_bytes, runtime::launch_kind::ordinary,
                                               runtime::launch_start::programmatic},
                                              fold, scratch, grid.blocks, block_bytes, op, init, result);
                            }
                          }
                        });
}

//! init ⊕ in[0] ⊕ … ⊕ in[items − 1], items >= 1, on the environment's stream; waits for it as result_on_host does.
template <class Accum, runtime::result_wait Wait = runtime::default_result_wait, class Environment, class Input, class Init,
          class Op>
auto reduce_n(const Environment& env, Input in, std::uint64_t items, Init init, Op op)
{
  using tuning = typename input_tuning<Input, Accum, Op>::type;
  using result_type = typename Init::type;
  return runtime::result_on_host<result_type, Wait>(env, [&](result_type* result)
                                                    { enqueue_reduce<tuning, Accum>(env, in, items, init, op, result); });
}

//! Calls `store(result)` with what kernels take to store a T to `out`.
template <class T, class OutputIt, class Store>
void with_result_of(OutputIt out, Store store)
{
  if constexpr (is_plain_memory_of_v<OutputIt, T>)
  {
    store(out);
  }
  else
  {
    store(assigned_result<OutputIt>{out});
  }
}

//! Enqueues the store of `init`: what a reduction of nothing gives, and the total of an empty scan.
template <class Environment, class Result, class Init>
void enqueue_store_init(const Environment& env, Result result, Init init)
{
  if constexpr (!runtime::only_measures_v<Environment>)
  {
    runtime::launch(env, {1, 1}, &store_init_kernel<Init, Result>, result, init);
  }
}

//! Enqueues the reduction to `result`, or measures it.
template <class Accum, class Environment, class Input, class Init, class Op, class Result>
void enqueue_reduce_to(const Environment& env, Input in, std::uint64_t items, Init init, Op op, Result result)
{
  using tuning = typename input_tuning<Input, Accum, Op>::type;
  if constexpr (runtime::only_measures_v<Environment>)
  {
    measure_reduce<tuning, Accum>(env, in, items, init, op, result);
  }
  else
  {
    enqueue_reduce<tuning, Accum>(env, in, items, init, op, result);
  }
}

//! Enqueues *out = init ⊕ in[0] ⊕ … ⊕ in[items − 1], items >= 1, on the environment's stream.
template <class Accum, class Environment, class InputIt, class OutputIt, class Init, class Op>
void enqueue_reduce_into(const Environment& env, InputIt in, std::uint64_t items, OutputIt out, Init init, Op op)
{
  with_result_of<typename Init::type>(out, [&](auto result) { enqueue_reduce_to<Accum>(env, in, items, init, op, result); });
}

} // namespace detail
REHEAT_NAMESPACE_END

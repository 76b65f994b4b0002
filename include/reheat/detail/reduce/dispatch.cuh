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

//! Enqueues *result = init ⊕ in[0] ⊕ … ⊕ in[items − 1], items >= 1, on the environment's stream. `result` is memory that
//! the device can write, and holds nothing yet. `in` is an iterator, or vectors where Op is known to be commutative.
template <class Tuning, class Accum, class Environment, class Input, class Init, class Op>
void enqueue_reduce(const Environment& env, Input in, std::uint64_t items, Init init, Op op, typename Init::type* result)
{
  using taken_type = decltype(kernel_input<Accum, Op>(in, items, 0));
  auto kernel = &reduce_kernel<Tuning, taken_type, Accum, Init, Op, reduce_tiles::one>;
  const reduce_config cfg = Tuning{}(runtime::arch_of(kernel));
  const taken_type taken = kernel_input<Accum, Op>(in, items, cfg.single_block_items());
  const reduce_grid grid = reduce_grid_for(cfg, items);
  if (!grid.one_tile)
  {
    kernel = &reduce_kernel<Tuning, taken_type, Accum, Init, Op, reduce_tiles::many>;
  }
  constexpr bool staged = !is_vector_input_v<taken_type>;
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

  const workspace_size size{slots_in_rows(grid.blocks - 1, cfg.slots_per_lane), // the last block needs none
                            grid.blocks, reduce_scratch_bytes<Accum>(cfg, staged)};
  with_workspace<Accum>(env, size,
                        [&](const workspace<Accum>& scratch)
                        {
                          params.scratch = scratch;
                          runtime::launch(env,
                                          {grid.blocks, grid.block_threads, shared_bytes, runtime::launch_kind::in_order,
                                           runtime::launch_start::programmatic},
                                          kernel, taken, params, op, init, result);
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

//! Enqueues *out = init: what a reduction of nothing gives, and the total of an empty scan.
template <class OutputIt, class Init>
void enqueue_store_init(const runtime::environment& env, OutputIt out, Init init)
{
  runtime::launch(env, {1, 1}, &store_init_kernel<Init, OutputIt>, out, init);
}

//! Enqueues *out = init ⊕ in[0] ⊕ … ⊕ in[items − 1], items >= 1, on the environment's stream. One launch.
template <class Accum, class Environment, class InputIt, class OutputIt, class Init, class Op>
void enqueue_reduce_into(const Environment& env, InputIt in, std::uint64_t items, OutputIt out, Init init, Op op)
{
  using tuning = reduce_tuning_of<value_of<InputIt>, Accum, Op>;
  if constexpr (is_plain_memory_of_v<OutputIt, typename Init::type>)
  {
    enqueue_reduce<tuning, Accum>(env, in, items, init, op, out);
  }
  else
  {
    static assigned nothing; // an address: nothing is ever written there
    enqueue_reduce<tuning, Accum>(env, in, items, init_value<assigned>{}, assigning_op<Op, Init, OutputIt>{op, init, out},
                                  &nothing);
  }
}

} // namespace detail
REHEAT_NAMESPACE_END

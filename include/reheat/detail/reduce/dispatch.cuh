// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The reduction on the host: sizes, scratch memory, launch, result.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/iterators.cuh>
#include <reheat/detail/op.cuh>
#include <reheat/detail/reduce/kernels.cuh>
#include <reheat/detail/runtime/runtime.cuh>

#include <algorithm>
#include <cstdint>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

//! The tuning of a reduction of Items in Accum by Op.
template <class Item, class Accum, class Op>
using reduce_tuning_of =
    reduce_tuning<is_known_commutative_v<Op, Accum> ? sizeof(Item) : sizeof(Accum), !is_known_commutative_v<Op, Accum>>;

//! Enqueues *result = init ⊕ in[0] ⊕ … ⊕ in[items − 1], items >= 1, on the policy's stream. `result` is memory that the
//! device can write, and holds nothing yet. `call` names the call in messages.
template <class Tuning, class Accum, class Policy, class InputIt, class T, class Op>
void enqueue_reduce(const char* call, Policy& policy, InputIt in, std::uint64_t items, T init, Op op, T* result)
{
  constexpr bool striped = is_known_commutative_v<Op, Accum>;
  const auto kernel = &reduce_kernel<Tuning, InputIt, Accum, T, Op, striped>;
  const reduce_config cfg = Tuning{}(runtime::arch_of(kernel));
  const std::size_t shared_bytes = reduce_shared_bytes<Accum>(cfg, !striped);
  runtime::resident_blocks(kernel, cfg.block_threads, shared_bytes);

  reduce_job<Accum> job{};
  job.items = items;
  job.aligned = is_aligned(in);
  const std::uint64_t tiles = (items + cfg.tile_items() - 1) / cfg.tile_items();
  const unsigned grid = static_cast<unsigned>(std::min<std::uint64_t>(tiles, cfg.max_blocks));
  job.tiles_per_block = tiles / grid;
  job.larger_blocks = static_cast<unsigned>(tiles % grid);

  const runtime::call_scratch<Policy> scratch(policy, workspace_word_bytes<Accum>(grid), workspace_value_bytes<Accum>(grid));
  job.scratch = make_workspace<Accum>(scratch.words(), scratch.values());
  runtime::launch(call, kernel, grid, cfg.block_threads, shared_bytes, runtime::stream_of(policy), in, job, op, init,
                  result);
}

//! init ⊕ in[0] ⊕ … ⊕ in[items − 1], items >= 1, on the policy's stream; waits for it.
template <class Accum, class Policy, class InputIt, class T, class Op>
T reduce_n(const char* call, Policy& policy, InputIt in, std::uint64_t items, T init, Op op)
{
  runtime::result_slot slot;
  runtime::check(slot.acquire(sizeof(T)), "reheat: allocating host memory for a result");
  T* const result = static_cast<T*>(slot.get());
  enqueue_reduce<reduce_tuning_of<value_of<InputIt>, Accum, Op>, Accum>(call, policy, in, items, init, op, result);
  runtime::synchronize(policy, call);
  T value(*result);
  slot.release();
  return value;
}

} // namespace detail
REHEAT_NAMESPACE_END

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

//! init ⊕ in[0] ⊕ … ⊕ in[items − 1], items >= 1, on the policy's stream; waits for it. `call` names it in messages.
template <class Accum, class Policy, class InputIt, class T, class Op>
T reduce_n(const char* call, Policy& policy, InputIt in, std::uint64_t items, T init, Op op)
{
  constexpr bool striped = is_known_commutative_v<Op, Accum>;
  using tuning = reduce_tuning<striped ? sizeof(value_of<InputIt>) : sizeof(Accum), !striped>;
  const auto kernel = &reduce_kernel<tuning, InputIt, Accum, T, Op, striped>;
  const reduce_config cfg = tuning{}(runtime::arch_of(kernel));
  const std::size_t shared_bytes = reduce_shared_bytes<Accum>(cfg, !striped);
  runtime::resident_blocks(kernel, cfg.block_threads, shared_bytes);

  reduce_job<Accum> job{};
  job.items = items;
  job.aligned = is_bulk_aligned(in);
  const std::uint64_t tiles = (items + cfg.tile_items() - 1) / cfg.tile_items();
  const unsigned grid = static_cast<unsigned>(std::min<std::uint64_t>(tiles, cfg.max_blocks));
  job.tiles_per_block = tiles / grid;
  job.larger_blocks = static_cast<unsigned>(tiles % grid);

  runtime::result_slot slot;
  runtime::check(slot.acquire(sizeof(T)), "reheat: allocating host memory for a result");
  T* const result = static_cast<T*>(slot.get());
  {
    const runtime::call_scratch<Policy> scratch(policy, workspace_word_bytes<Accum>(grid),
                                                workspace_value_bytes<Accum>(grid));
    job.scratch = make_workspace<Accum>(scratch.words(), scratch.values());
    runtime::launch(call, kernel, grid, cfg.block_threads, shared_bytes, runtime::stream_of(policy), in, job, op, init,
                    result);
  }
  runtime::synchronize(policy, call);
  T value(*result);
  slot.release();
  return value;
}

} // namespace detail
REHEAT_NAMESPACE_END

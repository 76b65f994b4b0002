// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The exact sum on the host: sizes, scratch memory, launch.
#pragma once

#include <reheat/detail/call_workspace.cuh>
#include <reheat/detail/config.cuh>
#include <reheat/detail/exact/kernel.cuh>
#include <reheat/detail/runtime/runtime.cuh>

#include <cstdint>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

//! Enqueues the store of the correctly rounded sum of `init` and of `items` >= 1 terms, each converted to Accum, on the
//! environment's stream. `result` is as for enqueue_reduce.
template <class Accum, class Tuning = exact_tuning<Accum>, class Environment, class Terms, class Init, class Result>
void enqueue_exact_sum(const Environment& env, const Terms& terms, std::uint64_t items, Init init, Result result)
{
  static_assert(runtime::keeps_words_v<typename Environment::source>, "blocks exchange totals within the launch");
  static_assert(exact_fits_everywhere<Tuning, Accum>);
  using word = std::int64_t;
  const auto kernel = &exact_sum_kernel<Tuning, Terms, Accum, Init, Result>;
  const exact_config cfg = Tuning{}(runtime::arch_of(kernel));
  const std::uint64_t tile_items = std::uint64_t{cfg.block_threads} * cfg.vectors_per_thread * Terms::vector_items;
  const std::uint64_t tiles = (items + tile_items - 1) / tile_items;
  const unsigned blocks = tiles < cfg.max_blocks ? static_cast<unsigned>(tiles) : cfg.max_blocks;
  const std::size_t shared_bytes = exact_shared_bytes<Accum>(cfg);
  runtime::prepare(kernel, cfg.block_threads, shared_bytes);
  with_workspace<word>(env, workspace_of_slots<word>(std::uint64_t{blocks - 1} * exact_parts<Accum>),
                       [&](const workspace<word>& scratch)
                       {
                         runtime::launch(env,
                                         {blocks, cfg.block_threads, shared_bytes, runtime::launch_kind::in_order,
                                          runtime::launch_start::programmatic},
                                         kernel, terms, exact_params<Accum>{items, scratch}, init, result);
                       });
}

} // namespace detail
REHEAT_NAMESPACE_END

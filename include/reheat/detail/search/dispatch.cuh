// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Searches on the host: sizes, scratch memory, launch, result.
#pragma once

#include <reheat/detail/call_workspace.cuh>
#include <reheat/detail/config.cuh>
#include <reheat/detail/reduce/tuning.cuh>
#include <reheat/detail/runtime/runtime.cuh>
#include <reheat/detail/search/kernel.cuh>
#include <reheat/detail/search/partition_point.cuh>
#include <reheat/detail/search/tuning.cuh>

#include <cstdint>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

//! Enqueues the store of the index of the first hit among `items` >= 1 terms, or of `items`, to memory that the device can
//! write.
template <class Tuning, class Environment, class Terms>
void enqueue_search(const Environment& env, const Terms& terms, std::uint64_t items, std::uint64_t* result)
{
  static_assert(runtime::keeps_words_v<typename Environment::source>, "tickets need words that stay as launches leave them");
  auto kernel = &search_kernel<Tuning, Terms, false>;
  const int arch = runtime::arch_of(kernel);
  const reduce_config cfg = Tuning{}(arch);
  const reduce_grid grid = search_grid_for(cfg, arch, items);
  search_params params{};
  params.items = items;
  if (!grid.one_tile)
  {
    kernel = &search_kernel<Tuning, Terms, true>;
    params.tiles = (items + cfg.tile_items() - 1) / cfg.tile_items() - search_head_blocks(arch);
    params.run_bits = search_run_bits(params.tiles);
  }
  runtime::prepare(kernel, cfg.block_threads, sizeof(search_shared));
  const workspace_size size = workspace_of_slots<std::uint64_t>(grid.blocks == 1 ? 0 : search_slots(grid.blocks));
  with_workspace<std::uint64_t>(env, size,
                                [&](const workspace<std::uint64_t>& scratch)
                                {
                                  params.scratch = scratch;
                                  runtime::launch(env,
                                                  {grid.blocks, grid.block_threads, sizeof(search_shared),
                                                   runtime::launch_kind::in_order, runtime::launch_start::programmatic},
                                                  kernel, terms, params, result);
                                });
}

//! Returns the index of the first hit among `items` >= 1 terms, or `items`. Waits for it as result_on_host does.
template <class Environment, class Terms>
std::uint64_t first_hit(const Environment& env, const Terms& terms, std::uint64_t items)
{
  return runtime::result_on_host<std::uint64_t, runtime::default_result_wait>(
      env, [&](std::uint64_t* result) { enqueue_search<search_tuning<Terms>>(env, terms, items, result); });
}

//! Returns how many of `items` >= 1 indices precede the first for which `is_first` is false. Waits likewise.
template <class Environment, class IsFirst>
std::uint64_t partition_point(const Environment& env, const IsFirst& is_first, std::uint64_t items)
{
  const auto enqueue = [&](std::uint64_t* result)
  {
    const auto kernel = &partition_point_kernel<IsFirst>;
    const unsigned threads = partition_point_threads(runtime::arch_of(kernel));
    const std::size_t shared_bytes = partition_point_shared_bytes(threads);
    runtime::prepare(kernel, threads, shared_bytes);
    runtime::launch(env, {1, threads, shared_bytes, runtime::launch_kind::ordinary, runtime::launch_start::programmatic},
                    kernel, is_first, items, result);
  };
  return runtime::result_on_host<std::uint64_t, runtime::default_result_wait>(env, enqueue);
}

} // namespace detail
REHEAT_NAMESPACE_END

// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The scan on the host: sizes, scratch memory, launch.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/iterators.cuh>
#include <reheat/detail/runtime/runtime.cuh>
#include <reheat/detail/scan/kernels.cuh>

#include <algorithm>
#include <cstdint>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

//! Items of a tile for accumulators of this type, in kernels compiled for `arch`: what decides how a result associates.
template <class Accum>
constexpr std::size_t scan_tile_items(int arch)
{
  return scan_tuning<sizeof(Accum)>{}(arch).tile_items();
}

//! Enqueues the scan of `items` >= 1 items from `in` to `out` on the policy's stream. `call` names it in messages.
template <class Tuning, scan_kind Kind, class Policy, class InputIt, class OutputIt, class Op, class Init>
void enqueue_scan(const char* call, Policy& policy, InputIt in, OutputIt out, std::uint64_t items, Op op, Init init)
{
  using accum = typename Init::accum;
  const auto kernel = &scan_stream_kernel<Tuning, Kind, InputIt, OutputIt, Op, Init>;
  const scan_config cfg = Tuning{}(runtime::arch_of(kernel));
  const std::size_t shared_bytes = scan_shared_bytes<Tuning, accum>(cfg);
  const unsigned resident = runtime::resident_blocks(kernel, cfg.block_threads(), shared_bytes);

  scan_job<accum> job{};
  job.items = items;
  job.tiles = (items + cfg.tile_items() - 1) / cfg.tile_items();
  job.aligned_in = is_aligned(in);
  job.aligned_out = is_aligned(out);
  const unsigned grid = static_cast<unsigned>(std::min<std::uint64_t>(job.tiles, resident));

  const runtime::call_scratch<Policy> scratch(policy, workspace_word_bytes<accum>(job.tiles),
                                              workspace_value_bytes<accum>(job.tiles));
  job.scratch = make_workspace<accum>(scratch.words(), scratch.values());
  runtime::launch(call, kernel, grid, cfg.block_threads(), shared_bytes, runtime::stream_of(policy), in, out, job, op, init);
}

} // namespace detail
REHEAT_NAMESPACE_END

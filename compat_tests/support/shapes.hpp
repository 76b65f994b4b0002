// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The kernels in the shapes that they have on GPUs, for the emulator, whose own shapes are small.
#pragma once

#include "machine.hpp"
#include "operators.hpp"

#include <reheat/detail/op.cuh>
#include <reheat/detail/reduce/dispatch.cuh>
#include <reheat/detail/scan/dispatch.cuh>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace compat
{

//! `Tuning` as for architecture `Arch`, wherever the kernel runs.
template <class Tuning, int Arch>
struct shape_of
{
  constexpr auto operator()(int) const { return Tuning{}(Arch); }
};

//! As scan_n, in the shape of `Arch`.
template <int Arch, reheat::detail::scan_kind Kind, class T, class Init>
void scan_in_shape(const T* in, T* out, std::uint64_t items, Init init)
{
  namespace detail = reheat::detail;
  using shape = shape_of<detail::scan_tuning<sizeof(T)>, Arch>;
  const auto kernel = &detail::scan_stream_kernel<shape, Kind, const T*, T*, fold, Init>;
  const detail::scan_config cfg = shape{}(Arch);
  const std::size_t shared_bytes = detail::scan_shared_bytes<shape, T>(cfg);
  detail::scan_job<T> job{};
  job.items = items;
  job.tiles = (items + cfg.tile_items() - 1) / cfg.tile_items();
  job.bulk_load = detail::is_bulk_aligned(in);
  job.bulk_store = detail::is_bulk_aligned(out);
  const std::uint64_t resident = reheat::runtime::resident_blocks(kernel, cfg.block_threads(), shared_bytes);
  auto policy = reheat::par.on(nullptr);
  const reheat::runtime::call_scratch<decltype(policy)> scratch(policy, detail::workspace_word_bytes<T>(job.tiles),
                                                                detail::workspace_value_bytes<T>(job.tiles));
  job.scratch = detail::make_workspace<T>(scratch.words(), scratch.values());
  reheat::runtime::launch("scan_in_shape", kernel, static_cast<unsigned>(std::min(job.tiles, resident)), cfg.block_threads(),
                          shared_bytes, reheat::runtime::stream_of(policy), in, out, job, fold{}, init);
}

//! As reduce_n, for operators that are not known to be commutative, in the shape of `Arch`.
template <int Arch, class T>
void reduce_in_shape(const T* in, std::uint64_t items, T init, T* result)
{
  namespace detail = reheat::detail;
  using shape = shape_of<detail::reduce_tuning<sizeof(T), true>, Arch>;
  const auto kernel = &detail::reduce_kernel<shape, const T*, T, T, fold, false>;
  const detail::reduce_config cfg = shape{}(Arch);
  const std::size_t shared_bytes = detail::reduce_shared_bytes<T>(cfg, true);
  const std::uint64_t tiles = (items + cfg.tile_items() - 1) / cfg.tile_items();
  const unsigned grid = static_cast<unsigned>(std::min<std::uint64_t>(tiles, cfg.max_blocks));
  detail::reduce_job<T> job{};
  job.items = items;
  job.tiles_per_block = tiles / grid;
  job.larger_blocks = static_cast<unsigned>(tiles % grid);
  auto policy = reheat::par.on(nullptr);
  const reheat::runtime::call_scratch<decltype(policy)> scratch(policy, detail::workspace_word_bytes<T>(grid),
                                                                detail::workspace_value_bytes<T>(grid));
  job.scratch = detail::make_workspace<T>(scratch.words(), scratch.values());
  reheat::runtime::launch("reduce_in_shape", kernel, grid, cfg.block_threads, shared_bytes,
                          reheat::runtime::stream_of(policy), in, job, fold{}, init, result);
}

} // namespace compat

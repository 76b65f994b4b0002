// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The scan on the host: sizes, scratch memory, launch.
#pragma once

#include <reheat/detail/call_workspace.cuh>
#include <reheat/detail/config.cuh>
#include <reheat/detail/iterators.cuh>
#include <reheat/detail/runtime/runtime.cuh>
#include <reheat/detail/scan/collectives/widened.cuh>
#include <reheat/detail/scan/few_tiles/kernel.cuh>
#include <reheat/detail/scan/one_tile/kernel.cuh>
#include <reheat/detail/scan/stream/kernel.cuh>

#include <cstdint>
#include <optional>
#include <type_traits>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

//! How many items stand before the first that is aligned to 16 bytes in the input and in the output. 0: the first one is, or
//! none is.
template <class Accum, class InputIt, class OutputIt>
unsigned items_misaligned_alike(const InputIt& in, const OutputIt& out)
{
  if constexpr (may_be_misaligned_alike_v<InputIt, OutputIt, Accum>)
  {
    const std::optional<unsigned> head = items_before_aligned(in, 16);
    return head && is_aligned(out, *head) ? *head : 0;
  }
  return 0;
}

//! The tuning of a scan of that association.
template <scan_association Association, class InputIt, class OutputIt, class Accum>
using scan_tuning_for = std::conditional_t<Association == scan_association::v1, fixed_scan_tuning<sizeof(Accum)>,
                                           typename scan_tuning_of<InputIt, OutputIt, Accum>::type>;

//! Whether a one-tile scan may shift its rows.
template <class Tuning, class InputIt, class OutputIt, class Accum>
inline constexpr bool may_shift_rows_v = !has_fixed_tiles_v<Tuning> && shifts_rows_v<InputIt, OutputIt, Accum>;

//! Padded items before the first one of a one-tile scan of `items` items, whose rows are shifted then.
template <class Tuning, class Accum, class InputIt, class OutputIt>
unsigned one_tile_head_padding(int arch, const InputIt& in, const OutputIt& out, std::uint64_t items)
{
  if constexpr (may_shift_rows_v<Tuning, InputIt, OutputIt, Accum>)
  {
    const unsigned head = items_misaligned_alike<Accum>(in, out);
    return head != 0 && items >= one_tile_shifted_from(arch) ? row_items<Accum>::per_lane - head : 0;
  }
  return 0;
}

#if defined(REHEAT_FAULT_SWITCHES)
//! What tests have scanned in a way that its size would not choose.
struct forced_scan
{
  bool streaming = false;
  one_tile_shape one_tile{0, 0};  //!< no rows: by size
  bool cuts_at_alignment = false; //!< also where tiles are fixed
};
inline forced_scan forced;
#endif

//! The shape of one tile per block in which `items` items are scanned, if they are; `padding` stand before the first.
template <class Accum>
one_tile_shape one_tile_shape_of(int arch, std::uint64_t items, unsigned padding, bool item_by_item)
{
#if defined(REHEAT_FAULT_SWITCHES)
  if (forced.streaming || forced.one_tile.rows != 0)
  {
    return forced.streaming ? one_tile_shape{0, 0} : forced.one_tile;
  }
#endif
  constexpr unsigned row = 32 * row_items<Accum>::per_lane;
  return one_tile_shape_for(arch, (items + padding + row - 1) / row, sizeof(Accum), item_by_item);
}
//! The tiles of `shape` that items take.
template <class Accum>
std::uint64_t one_tile_tiles(one_tile_shape shape, std::uint64_t padded_items)
{
  const std::uint64_t tile_items = shape.block_threads * shape.rows * row_items<Accum>::per_lane;
  return (padded_items + tile_items - 1) / tile_items;
}
//! What a grid of a block for each of `tiles` tiles needs. A single tile needs nothing.
template <class Accum>
workspace_size tile_per_block_workspace(std::uint64_t tiles)
{
  return workspace_of_slots<Accum>(tiles == 1 ? 0 : tiles);
}

//! As enqueue_scan, by the kernel for small inputs, a tile of `shape` per block.
template <class Tuning, scan_kind Kind, class Environment, class InputIt, class OutputIt, class Op, class Init>
void enqueue_one_tile_scan(const Environment& env, InputIt in, OutputIt out, std::uint64_t items, Op op, Init init,
                           one_tile_shape shape)
{
  using accum = typename Init::accum;
  auto kernel = &scan_one_tile_kernel<Tuning, Kind, false, InputIt, OutputIt, Op, Init>;
  const unsigned head_padding = one_tile_head_padding<Tuning, accum>(runtime::arch_of(kernel), in, out, items);
  if constexpr (may_shift_rows_v<Tuning, InputIt, OutputIt, accum>)
  {
    kernel = head_padding == 0 ? kernel : &scan_one_tile_kernel<Tuning, Kind, true, InputIt, OutputIt, Op, Init>;
  }
  const std::uint64_t tiles = one_tile_tiles<accum>(shape, items + head_padding);

  one_tile_params<accum> params{};
  params.items = items;
  params.rows = shape.rows;
  params.aligned_in = is_aligned(in);
  params.aligned_out = is_aligned(out);
  params.head_padding = static_cast<std::uint16_t>(head_padding);
  with_workspace<accum>(env, tile_per_block_workspace<accum>(tiles),
                        [&](const workspace<accum>& scratch)
                        {
                          params.scratch = scratch;
                          runtime::launch(env,
                                          {static_cast<unsigned>(tiles), shape.block_threads, one_tile_shared_bytes<accum>(),
                                           runtime::launch_kind::in_order, runtime::launch_start::programmatic},
                                          kernel, in, out, params, op, init);
                        });
}

//! Whether few items are a tile per block in registers. Inputs whose tiles hold more have scan/few_tiles, or are streamed.
template <class InputIt, class Accum>
inline constexpr bool may_be_one_tile_v = scans_in_registers_v<Accum> && !has_few_tiles_v<InputIt>;

//! How `items` items are scanned by a block for each tile of a size, if they are.
template <few_tiles_size Size, scan_kind Kind, class InputIt, class OutputIt, class Op, class Init>
few_tiles_shape few_tiles_shape_of([[maybe_unused]] std::uint64_t items)
{
#if defined(REHEAT_FAULT_SWITCHES)
  if (forced.streaming)
  {
    return {0, 0};
  }
#endif
  using accum = typename Init::accum;
  using few_tiles = few_tiles_of<InputIt, OutputIt, accum, Size>;
  if constexpr (few_tiles::scans)
  {
    using tuning = typename few_tiles::tuning;
    const int arch = runtime::arch_of(&scan_few_tiles_kernel<tuning, Kind, InputIt, OutputIt, Op, Init>);
    return few_tiles_shape_for<tuning>(arch, items);
  }
  return {0, 0};
}

//! As enqueue_scan, by a block for each tile of a size. Returns false, without an effect, if the input has no such tiles.
template <few_tiles_size Size, scan_kind Kind, class Environment, class InputIt, class OutputIt, class Op, class Init>
bool enqueue_few_tiles_scan(const Environment& env, const InputIt& in, const OutputIt& out, std::uint64_t items,
                            const Op& op, const Init& init)
{
  using accum = typename Init::accum;
  using few_tiles = few_tiles_of<InputIt, OutputIt, accum, Size>;
  const few_tiles_shape shape = few_tiles_shape_of<Size, Kind, InputIt, OutputIt, Op, Init>(items);
  if (shape.tiles == 0)
  {
    return false;
  }
  if constexpr (few_tiles::scans)
  {
    const auto kernel = &scan_few_tiles_kernel<typename few_tiles::tuning, Kind, InputIt, OutputIt, Op, Init>;
    const scan_config cfg = typename few_tiles::tuning{}(runtime::arch_of(kernel));
    const std::size_t shared_bytes = few_tiles_shared_bytes<typename few_tiles::collective, accum>(cfg);
    runtime::prepare(kernel, cfg.compute_threads, shared_bytes);
    few_tiles_params<accum> params{};
    params.items = items;
    params.aligned_in = few_tiles::collective::head_of(in, 16) == 0U;
    params.aligned_out = few_tiles::collective::is_aligned_output(out, 0);
    with_workspace<accum>(env, tile_per_block_workspace<accum>(shape.tiles),
                          [&](const workspace<accum>& scratch)
                          {
                            params.scratch = scratch;
                            runtime::launch(env,
                                            {shape.tiles, shape.block_threads, shared_bytes, runtime::launch_kind::in_order,
                                             runtime::launch_start::programmatic},
                                            kernel, in, out, params, op, init);
                          });
  }
  return true;
}

//! What `tiles` tiles need, if a grid of `blocks` blocks takes them. Scratch memory is taken per block.
template <class Collective, class Accum>
workspace_size streaming_workspace(const scan_config& cfg, std::uint64_t tiles, unsigned blocks)
{
  return workspace_of_slots<Accum>(slots_in_rows(tiles, cfg.slots_per_lane), blocks,
                                   scan_scratch_bytes<Collective, Accum>(cfg));
}

//! Whether the first tile is short if the others are aligned then.
inline bool cuts_at_alignment(const scan_config& cfg)
{
#if defined(REHEAT_FAULT_SWITCHES)
  if (forced.cuts_at_alignment)
  {
    return true;
  }
#endif
  return !cfg.fixed_tiles;
}

//! As enqueue_scan, by the kernel for large inputs, in the shape of Tuning.
template <class Tuning, scan_kind Kind, class Environment, class InputIt, class OutputIt, class Op, class Init>
void enqueue_streaming_scan(const Environment& env, InputIt in, OutputIt out, std::uint64_t items, Op op, Init init)
{
  using accum = typename Init::accum;
  const auto kernel = &scan_stream_kernel<Tuning, Kind, InputIt, OutputIt, Op, Init>;
  const scan_config cfg = Tuning{}(runtime::arch_of(kernel));
  // How tiles are loaded, reduced, scanned and stored: plain, mapped, or by key. It follows from the input's type.
  using collective = typename collective_for<InputIt>::template tile_collective<Tuning, OutputIt, accum>;
  static_assert(is_tile_collective_v<collective, InputIt, OutputIt>, "collectives/collective.cuh lists what is missing");
  const std::size_t shared_bytes = scan_shared_bytes<collective, accum>(cfg);

  const std::optional<unsigned> head_in = collective::head_of(in, cfg.tile_alignment);
  const bool aligned_in = head_in && *head_in < (cuts_at_alignment(cfg) ? cfg.tile_items() : 1);
  const unsigned head = aligned_in ? *head_in : 0;

  scan_params<accum> params{};
  params.items = items;
  params.head_padding = head == 0 ? 0 : cfg.tile_items() - head;
  params.tiles = (items + params.head_padding + cfg.tile_items() - 1) / cfg.tile_items();
  params.aligned_in = aligned_in;
  params.aligned_out = collective::is_aligned_output(out, head);
  const bool in_bulk = cfg.in_bulk() && collective::bulk_in && params.aligned_in;
  const bool out_bulk = cfg.in_bulk() && collective::bulk_out && params.aligned_out;
  params.load_warps = in_bulk ? 0 : cfg.load_threads / 32;
  params.store_warps = out_bulk || collective::scan_stores ? 0 : cfg.store_threads / 32;
  const unsigned threads = cfg.block_threads() + (params.load_warps + params.store_warps) * 32;
  const runtime::residency residency = runtime::prepare(kernel, threads, shared_bytes);
  unsigned resident = cfg.in_scratch ? residency.multiprocessors : residency.blocks; // the limit of streaming_workspace
  resident -= params.tiles >= cfg.spare_sm_from_tiles && resident > cfg.spare_sms ? cfg.spare_sms : 0;
  const unsigned grid = params.tiles < resident ? static_cast<unsigned>(params.tiles) : resident;
  params.prefetches =
      collective::bulk_in && params.aligned_in && 2 * params.tiles >= std::uint64_t{cfg.prefetch_from_half_waves} * grid;
  params.evicts = items * sizeof(accum) >= cfg.evict_first_from_bytes;

  with_workspace<accum>(
      env, streaming_workspace<collective, accum>(cfg, params.tiles, grid),
      [&](const workspace<accum>& scratch)
      {
        params.scratch = scratch;
        runtime::launch(env,
                        {grid, threads, shared_bytes, runtime::launch_kind::ordinary, runtime::launch_start::programmatic},
                        kernel, in, out, params, op, init);
      });
}

//! Enqueues the scan of `items` >= 1 items from `in` to `out`, by the kernel for their number.
template <scan_kind Kind, scan_association Association, class Environment, class InputIt, class OutputIt, class Op,
          class Init>
void enqueue_scan_by_size(const Environment& env, InputIt in, OutputIt out, std::uint64_t items, Op op, Init init)
{
  using accum = typename Init::accum;
  using tuning = scan_tuning_for<Association, InputIt, OutputIt, accum>;
  if (enqueue_few_tiles_scan<few_tiles_size::small, Kind>(env, in, out, items, op, init) ||
      enqueue_few_tiles_scan<few_tiles_size::large, Kind>(env, in, out, items, op, init))
  {
    return;
  }
  if constexpr (may_be_one_tile_v<InputIt, accum>)
  {
    const auto kernel = &scan_one_tile_kernel<tuning, Kind, false, InputIt, OutputIt, Op, Init>;
    const int arch = runtime::arch_of(kernel);
    const bool item_by_item = !has_fixed_tiles_v<tuning> && !shifts_rows_v<InputIt, OutputIt, accum> &&
                              items_misaligned_alike<accum>(in, out) != 0;
    const unsigned padding = one_tile_head_padding<tuning, accum>(arch, in, out, items);
    const one_tile_shape shape = one_tile_shape_of<accum>(arch, items, padding, item_by_item);
    if (shape.rows != 0)
    {
      enqueue_one_tile_scan<tuning, Kind>(env, in, out, items, op, init, shape);
      return;
    }
  }
  enqueue_streaming_scan<tuning, Kind>(env, in, out, items, op, init);
}

//! As enqueue_scan, of items that are narrower than accumulators (widens_tiles_v). Small inputs are converted as they are
//! read, in large ones each thread converts its items of a tile.
template <scan_kind Kind, scan_association Association = scan_association::tuned, class Environment, class Item,
          class OutputIt, class Op, class Init>
void enqueue_widening_scan(const Environment& env, const Item* in, OutputIt out, std::uint64_t items, Op op, Init init)
{
  using accum = typename Init::accum;
  static_assert(!total_of<Init>::is_stored, "tiles hold results as the output has them, which may be rounded");
  using tuning = scan_tuning_for<Association, const Item*, OutputIt, accum>;
  if constexpr (scans_in_registers_v<accum>)
  {
    const int arch = runtime::arch_of(&scan_one_tile_kernel<tuning, Kind, false, const Item*, OutputIt, Op, Init>);
    const one_tile_shape shape = one_tile_shape_of<accum>(arch, items, 0, false);
    if (shape.rows != 0)
    {
      enqueue_one_tile_scan<tuning, Kind>(env, in, out, items, op, init, shape);
      return;
    }
  }
  using source = widened_source<Item, accum, stored_type_t<OutputIt, accum>>;
  using widened = scan_tuning_for<Association, indexed_input<source>, OutputIt, accum>;
  enqueue_streaming_scan<widened, Kind>(env, indexed_input<source>(source{in}), out, items, op, init);
}

//! Leaves the size that enqueue_streaming_scan needs at any alignment on the environment.
template <class Tuning, scan_kind Kind, class Environment, class InputIt, class OutputIt, class Op, class Init>
void measure_streaming_scan(const Environment& env, const InputIt&, const OutputIt&, std::uint64_t items, const Op&,
                            const Init&)
{
  using accum = typename Init::accum;
  using collective = typename collective_for<InputIt>::template tile_collective<Tuning, OutputIt, accum>;
  const auto kernel = &scan_stream_kernel<Tuning, Kind, InputIt, OutputIt, Op, Init>;
  const scan_config cfg = Tuning{}(runtime::arch_of(kernel));
  const std::uint64_t tiles = (items + 2 * std::uint64_t{cfg.tile_items() - 1}) / cfg.tile_items();
  unsigned blocks = 0; // without scratch memory of blocks their number does not matter
  if (cfg.in_scratch)
  {
    const unsigned most =
        runtime::prepare(kernel, cfg.block_threads(), scan_shared_bytes<collective, accum>(cfg)).multiprocessors;
    blocks = tiles < most ? static_cast<unsigned>(tiles) : most;
  }
  with_workspace<accum>(env, streaming_workspace<collective, accum>(cfg, tiles, blocks), nullptr);
}

//! Leaves the size that enqueue_scan needs at any alignment on the environment.
template <scan_kind Kind, scan_association Association, class Environment, class InputIt, class OutputIt, class Op,
          class Init>
void measure_scan(const Environment& env, const InputIt& in, const OutputIt& out, std::uint64_t items, const Op& op,
                  const Init& init)
{
  using accum = typename Init::accum;
  using tuning = scan_tuning_for<Association, InputIt, OutputIt, accum>;
  bool may_stream = true;
  if constexpr (has_few_tiles_v<InputIt>)
  {
    const unsigned small = few_tiles_shape_of<few_tiles_size::small, Kind, InputIt, OutputIt, Op, Init>(items).tiles;
    const unsigned tiles =
        small != 0 ? small : few_tiles_shape_of<few_tiles_size::large, Kind, InputIt, OutputIt, Op, Init>(items).tiles;
    may_stream = tiles == 0;
    if (!may_stream)
    {
      with_workspace<accum>(env, tile_per_block_workspace<accum>(tiles), nullptr);
    }
  }
  if constexpr (may_be_one_tile_v<InputIt, accum>)
  {
    constexpr unsigned per_lane = row_items<accum>::per_lane;
    const int arch = runtime::arch_of(&scan_one_tile_kernel<tuning, Kind, false, InputIt, OutputIt, Op, Init>);
    constexpr bool shifts = may_shift_rows_v<tuning, InputIt, OutputIt, accum>;
    constexpr bool may_go_item_by_item =
        !has_fixed_tiles_v<tuning> && !shifts && may_be_misaligned_alike_v<InputIt, OutputIt, accum>;
    may_stream = false;
    for (const unsigned padding : {0u, shifts ? per_lane - 1 : 0u})
    {
      for (const bool item_by_item : {false, may_go_item_by_item})
      {
        const one_tile_shape shape = one_tile_shape_of<accum>(arch, items, padding, item_by_item);
        may_stream = may_stream || shape.rows == 0;
        if (shape.rows != 0)
        {
          with_workspace<accum>(env, tile_per_block_workspace<accum>(one_tile_tiles<accum>(shape, items + padding)),
                                nullptr);
        }
      }
    }
  }
  if (may_stream)
  {
    measure_streaming_scan<tuning, Kind>(env, in, out, items, op, init);
  }
}

//! Enqueues the scan of `items` >= 1 items from `in` to `out` on the environment's stream, or measures it.
template <scan_kind Kind, scan_association Association = scan_association::tuned, class Environment, class InputIt,
          class OutputIt, class Op, class Init>
void enqueue_scan(const Environment& env, InputIt in, OutputIt out, std::uint64_t items, Op op, Init init)
{
  if constexpr (runtime::only_measures_v<Environment>)
  {
    measure_scan<Kind, Association>(env, in, out, items, op, init);
  }
  else
  {
    enqueue_scan_by_size<Kind, Association>(env, in, out, items, op, init);
  }
}

} // namespace detail
REHEAT_NAMESPACE_END

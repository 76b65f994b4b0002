// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The scan of large inputs: one pass over the input, in which persistent blocks stream tiles through their shared memory.
//!
//! A block's warps have roles:
//! * The producer warp draws a tile ticket from a counter in global memory, waits for a free stage, and starts the tile's
//!   load. It draws each ticket as late as it can.
//! * The compute warps reduce tile k + lookahead_tiles and publish its aggregate. Then they scan tile k in its stage, and
//!   store it. On sm_90, reduce_by_key of keys and values of up to 8 bytes has separate warps for reducing and for
//!   scanning (specialize_reduce_warps).
//! * The look-back warp folds the published aggregates of all tiles before tile k into the prefix of tile k.
//! * Load warps fill free stages if tiles cannot be loaded in bulk: an iterator computes the items, or the GPU has no bulk
//!   copies. If the input is aligned and the GPU copies vectors of 16 bytes without registers (sm_80), they only start the
//!   copies. Compute warps that loaded and stored for themselves would take twice as long (2^28 i32 through a
//!   transform_iterator: 1335 us instead of 672, NVIDIA H200).
//! * Store warps empty scanned stages if tiles cannot be stored in bulk.
//!
//! Alignment. The first tile is short if the input does not start at a multiple of tile_alignment (128) bytes, so that all
//! other tiles start at one. Bulk copies need multiples of 16 only, but take 10 % longer there (2^28 i32, NVIDIA H200). The
//! output is stored in bulk if it is misaligned by as many bytes as the input. In inputs and outputs that move in bulk, the
//! compute warps load and store the first and the last tile if these are partial. With fixed_tiles (scan association v1)
//! tiles count from item 0 at any address, and move in bulk if item 0 lies at a multiple of 16 bytes.
//!
//! If items are so large that even the smallest tile exceeds a block's shared memory, the stages lie in scratch memory,
//! where threads load and store them (cfg.in_scratch, grid/memory.cuh).
//!
//! Progress. Blocks publish aggregates only, never prefixes. A block waits for no other block before it publishes, so no
//! chain of waits forms from tile to tile. All tickets come from one counter and ascend within a block. Therefore the block
//! that holds the lowest unpublished tile can only wait for the prefix of a lower tile, whose predecessors are all
//! published. A block that is not resident holds no ticket. (If block indices chose the tiles, two such grids that share a
//! GPU could deadlock.)
//!
//! Launches may overlap (launch_start::programmatic). A launch waits for the end of earlier work before it first touches
//! global memory. It lets the next launch start when its tiles have run out; until then, multiprocessors that it leaves free
//! belong to other kernels.
//!
//! Association. It does not depend on which block takes which tile, nor on the number of multiprocessors. Tiles count from
//! the first item at a multiple of tile_alignment bytes, and the items before it are a tile of their own. If no item has
//! such an address, or with fixed_tiles, tiles count from item 0.
//! * thread: e(j) folds the items of thread j of the tile from the left
//! * warp: Kogge–Stone over the e(j) of its 32 threads (warp_inclusive_scan); the warps' totals likewise
//! * exclusive value: x(j) = totals up to the previous warp ⊕ inclusive value of the previous lane
//! * aggregate: A(t) = totals up to the previous warp ⊕ inclusive value of the last thread
//! * group: G folds 32 · slots_per_lane aggregates: each lane its neighbours from the left, then warp_fold
//! * prefix: P(t) = ((init ⊕ S0 ⊕ S1 …) ⊕ (G ⊕ G …)) ⊕ R. S are supergroups of groups_per_supergroup groups, each folded
//!   from the left; G are the whole groups after them; R is the fold of the remaining tiles, folded like a group. Absent
//!   parts are left out.
//! * item: ((P(t) ⊕ x(j)) ⊕ item) ⊕ item …, from the left
//!
//! Values that are not copyable by their bytes fold lanes, warps' totals and groups from the left instead. Two levels of
//! groups keep the error of 2^33 floats within 2·log2(n)·ε; with one level it was 61 ε at 2^32.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/grid/retire.cuh>
#include <reheat/detail/grid/slot.cuh>
#include <reheat/detail/scan/collectives/plain.cuh>
#include <reheat/detail/scan/kind.cuh>
#include <reheat/detail/scan/stream/compute.cuh>
#include <reheat/detail/scan/stream/loaders.cuh>
#include <reheat/detail/scan/stream/look_back.cuh>
#include <reheat/detail/scan/stream/producer.cuh>
#include <reheat/detail/scan/stream/shared.cuh>
#include <reheat/detail/scan/stream/storers.cuh>
#include <reheat/detail/scan/tuning.cuh>
#include <reheat/detail/simt/simt.cuh>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

//! One launch scans everything. The grid has at most params.tiles blocks. A block has cfg.block_threads() threads and the
//! load and store warps.
template <class Tuning, scan_kind Kind, class InputIt, class OutputIt, class Op, class Init>
REHEAT_KERNEL(Tuning{}(simt::arch).max_threads())
scan_stream_kernel(InputIt in, OutputIt out, scan_params<typename Init::accum> params, Op op, Init init)
{
  using accum = typename Init::accum;
  constexpr scan_config cfg = Tuning{}(simt::arch);
  constexpr unsigned warps = cfg.compute_threads / 32, first_load_warp = cfg.block_threads() / 32;
  using collective = typename collective_for<InputIt>::template tile_collective<Tuning, OutputIt, accum>;
  static_assert(Kind == scan_kind::inclusive || Init::present, "an exclusive scan starts from an initial value");
  static_assert(cfg.stages >= cfg.lookahead_tiles + 2,
                "a stage for each lookahead tile, for the tile being scanned and for the one being stored");
  static_assert(cfg.key_stages != 1, "a key stage for the tile being reduced and for the one being loaded");
  static_assert(collective::scan_stores || cfg.store_threads >= 32, "store warps store the tiles that do not leave in bulk");
  static_assert(cfg.load_threads >= 32, "load warps load the tiles that do not come in bulk");
  static_assert(scan_shared_bytes<collective, accum>(cfg) <= Tuning::shared_bound(cfg) + 2 * alignof(accum),
                "the tuning's bound on shared memory is too small");
  static_assert(scan_fits<collective, accum>(cfg), "scan_tuning_of puts stages that do not fit into scratch memory");
  static_assert(!cfg.in_scratch || cfg.copies == tile_copies::by_threads, "other copies need shared memory");
  static_assert(warps <= 32, "one warp folds the totals of all");
  static_assert(cfg.max_threads() <= 1024, "a block has at most 1024 threads");

  auto memory = memory_of_block<cfg.in_scratch>(
      params.scratch, workspace_value_bytes<accum>(slots_in_rows(params.tiles, cfg.slots_per_lane)),
      scan_scratch_bytes<collective, accum>(cfg));
  const scan_shared<collective, accum> shared(memory, cfg);
  init_barriers<Tuning>(shared, params);
  simt::grid_dependency_wait(simt::unless(simt::fault::stream_too_early));
  if constexpr (collective::bulk_in && cfg.prefetch_from_half_waves != 0)
  {
    const std::uint64_t tile = simt::block_index();
    if (params.prefetches && params.starts_aligned(tile))
    {
      shared.collective.prefetch(in,
                                 params.first_item(tile, cfg.tile_items())); // there are more tiles, so this one is whole
    }
  }
  // The barrier hides both round trips: no thread uses their results before it.
  const std::uint32_t last_launch = last_launch_epoch(params.scratch.header);
  const unsigned warp = simt::warp_index();
  std::uint64_t ticket = 0; // the producer's
  if (warp == warps && simt::lane_index() == 0 && !simt::fault_active(simt::fault::ticket_by_block))
  {
    ticket = simt::fetch_add_relaxed(&params.scratch.header->next_ticket, std::uint64_t{1});
  }
  const bool stays_away = simt::fault_active(simt::fault::divergent_barrier) && simt::thread_index() == 1;
  if (!stays_away)
  {
    simt::sync_block(simt::unless(simt::fault::skip_init_barrier)); // the mbarriers are initialised
  }

  const std::uint32_t epoch = last_launch + 1;
  const slot_array<accum> slots(params.scratch, epoch);
  if (warp == warps)
  {
    if (simt::lane_index() == 0)
    {
      scan_produce<Tuning>(shared, params, in, ticket);
    }
  }
  else if (warp == warps + 1)
  {
    // When this warp learns of the end, the producer has drawn its last ticket. Bulk stores of the last tiles may still be
    // in flight, but no aggregate is. This warp therefore retires without a wait for the stores, which would add the
    // counter's round trip to theirs.
    const std::uint64_t words = slots_in_rows(params.tiles, cfg.slots_per_lane) * slot_traits<accum>::words;
    const bool first = simt::fault_active(simt::fault::retire_first);
    if (first)
    {
      retire_blocks(params.scratch, words, epoch);
    }
    scan_look_back<Tuning, collective, Init, Op>(shared, slots, op, shared.scratch + warps * warp_scratch_items<accum>)
        .run(init);
    if (!first)
    {
      retire_blocks(params.scratch, words, epoch);
    }
  }
  else if (warp >= first_load_warp + params.load_warps)
  {
    if constexpr (!collective::scan_stores)
    {
      scan_store<Tuning>(shared, params, out, warp - first_load_warp - params.load_warps);
    }
  }
  else if (warp >= first_load_warp)
  {
    if constexpr (!(cfg.in_bulk() && collective::always_aligned))
    {
      scan_load<Tuning>(shared, params, in, warp - first_load_warp);
    }
  }
  else if constexpr (cfg.specialize_reduce_warps)
  {
    using reduces = scan_compute<Tuning, collective, Kind, InputIt, OutputIt, Op, Init, compute_role::reduces>;
    using scans = scan_compute<Tuning, collective, Kind, InputIt, OutputIt, Op, Init, compute_role::scans>;
    if (warp >= reduces::first_warp)
    {
      reduces(shared, params, slots, in, out, op, init).run();
    }
    else
    {
      scans(shared, params, slots, in, out, op, init).run();
    }
  }
  else
  {
    scan_compute<Tuning, collective, Kind, InputIt, OutputIt, Op, Init>(shared, params, slots, in, out, op, init).run();
  }
}

} // namespace detail
REHEAT_NAMESPACE_END

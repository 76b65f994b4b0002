// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The scan: one pass over the input, one persistent block per multiprocessor, tiles streaming through its shared memory.
//!
//! The roles of a block:
//! * The producer warp draws tile tickets from a counter in global memory, late, waits for a free stage, starts its load.
//! * The compute warps reduce tile k + ahead and publish its aggregate; then scan tile k in its stage and store it.
//!   reduce_by_key, which stores little, has compute warps for each (specialize_reduce_warps) on sm_90, where items fit
//!   that: its tiles follow each other faster.
//! * The look-back warp folds the published aggregates of all tiles before k into the prefix of tile k.
//!
//! The first tile is short where the input does not start at a multiple of 128 bytes: all others do. (Bulk copies need
//! multiples of 16, but are slower there: i32 on an NVIDIA H200, 2^28 items, misaligned by one, tiles at multiples of 16
//! bytes 570 us, of 32 548, of 64 542, of 128 518; aligned 516; item by item 745.) An output that is misaligned alike is
//! stored in bulk, too.
//!
//! Inputs that can not be loaded in bulk (what iterators compute, but for functors of items in memory; machines without bulk
//! copies) have load warps: more warps, which fill free stages while the others work on full ones. Where a machine copies
//! vectors of 16 bytes without the help of registers, load warps only start the copies of aligned input, stage after stage.
//! Outputs that can not be stored in bulk have store warps likewise, as those that are misaligned otherwise than the input.
//! (Compute warps that load and store for themselves reached half the speed, nothing being on its way while they scan: 2^28
//! i32 through a transform_iterator 1335 us, with load warps 672.) The first and the last tile of what does move in bulk are
//! loaded and stored by the compute warps, if they are not whole.
//!
//! If items are so large that even the smallest tile does not fit a block's shared memory, the stages lie in scratch memory,
//! where threads load and store them (cfg.in_scratch, grid/memory.cuh).
//!
//! Progress. Only aggregates are published, never prefixes, and publishing waits for no other block, so no chain of
//! dependent hops forms. Tickets ascend within a block, and all of them come from the counter: whoever holds the lowest
//! unpublished tile is at most waiting for the prefix of a lower one, whose predecessors are all published. Blocks that are
//! not resident hold no tickets. (Tiles dealt out by blockIdx would deadlock two such grids that share a GPU.)
//!
//! Launches may overlap (launch_start::programmatic): a launch lets the next one start when its tiles have run out, for
//! until then the multiprocessor that it may have left free belongs to other kernels. It waits for the end of what is before
//! it where it first touches global memory.
//!
//! Association, the same whichever block takes which tile, for any number of multiprocessors. Tiles count from the first
//! item at a multiple of tile_alignment bytes, those before it are a tile of their own; from item 0 where there is no such
//! address:
//! * thread: e(j) folds the items of thread j of the tile from the left
//! * warp: Kogge–Stone over the e(j) of its 32 threads (warp_inclusive_scan); the warps' totals likewise
//! * exclusive: x(j) = totals up to the warp before ⊕ inclusive value of the lane before
//! * aggregate: A(t) = totals up to the warp before ⊕ inclusive value of the last thread, as x would be one thread further
//! * group: G folds 32 · slots_per_lane aggregates: each lane its neighbours from the left, then warp_fold
//! * prefix: P(t) = ((init ⊕ S0 ⊕ S1 …) ⊕ (G ⊕ G …)) ⊕ R: first supergroups S of groups_per_supergroup groups, each folded
//!   from the left; then the whole groups since; then the tiles R since, folded like a group; absent parts are left out
//! * item: ((P(t) ⊕ x(j)) ⊕ item) ⊕ item …, from the left
//!
//! Values that are not copyable by their bytes fold lanes, warps' totals and groups from the left instead. Two levels of
//! groups keep the error of 2^33 floats within 2·log2(n)·ε: one level was off by 61 ε at 2^32.
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

//! One launch scans everything. The grid has at most params.tiles blocks, of block_threads() and the load and store warps.
template <class Tuning, scan_kind Kind, class InputIt, class OutputIt, class Op, class Init>
REHEAT_KERNEL(Tuning{}(simt::arch).max_threads())
scan_stream_kernel(InputIt in, OutputIt out, scan_params<typename Init::accum> params, Op op, Init init)
{
  using accum = typename Init::accum;
  constexpr scan_config cfg = Tuning{}(simt::arch);
  constexpr unsigned warps = cfg.compute_threads / 32, first_load_warp = cfg.block_threads() / 32;
  using collective = typename collective_for<InputIt>::template tile_collective<Tuning, OutputIt, accum>;
  static_assert(Kind == scan_kind::inclusive || Init::present, "an exclusive scan starts from an initial value");
  static_assert(cfg.stages >= cfg.lookahead_tiles + 2, "the tiles ahead, the one being scanned and the one being stored");
  static_assert(cfg.key_stages != 1, "the tile being reduced and one being loaded");
  static_assert(collective::scan_stores || cfg.store_threads >= 32, "store warps store the tiles that do not leave in bulk");
  static_assert(cfg.load_threads >= 32, "load warps load the tiles that do not come in bulk");
  static_assert(scan_shared_bytes<collective, accum>(cfg) <= Tuning::shared_bound(cfg) + 2 * alignof(accum),
                "the tuning's bound on shared memory is too small");
  static_assert(scan_fits<collective, accum>(cfg), "scan_tuning_of lets what does not fit lie in scratch memory");
  static_assert(!cfg.in_scratch || cfg.copies == tile_copies::by_threads, "other copies need shared memory");
  static_assert(warps <= 32, "one warp folds the totals of all");
  static_assert(cfg.max_threads() <= 1024, "no block has more");

  auto memory = memory_of_block<cfg.in_scratch>(params.scratch, slots_in_rows(params.tiles, cfg.slots_per_lane),
                                                scan_scratch_bytes<collective, accum>(cfg));
  const scan_shared<collective, accum> shared(memory, cfg);
  if (simt::thread_index() == 0)
  {
    for (unsigned i = 0; i < cfg.stages; ++i)
    {
      simt::mbarrier_init(shared.scheduled[i], 1);
      simt::mbarrier_init(shared.full[i], params.load_warps == 0 ? 1 : params.load_warps * 32);
      simt::mbarrier_init(shared.scanned[i], cfg.compute_threads);
      const unsigned storing = params.store_warps == 0 ? 1 : params.store_warps * 32;
      simt::mbarrier_init(shared.empty[i], collective::scan_stores ? cfg.compute_threads : storing);
      simt::mbarrier_init(shared.prefix_ready[i], 1);
    }
    for (unsigned i = 0; i != cfg.key_stages; ++i)
    {
      simt::mbarrier_init(shared.key_stage_free[i], 1);
    }
    for (unsigned i = 0; cfg.specialize_reduce_warps && i < cfg.stages; ++i)
    {
      simt::mbarrier_init(shared.tile_reduced[i], cfg.compute_threads);
    }
    simt::mbarrier_init_fence(simt::unless(simt::fault::skip_init_fence));
  }
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
  // Both round trips hide behind the barrier: nothing looks at what they bring before.
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
    // The producer has drawn its last ticket when this warp is told of the end. The last tiles may still be on their way to
    // memory, but not to slots: waiting for that would put the counter's round trip behind them.
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

// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The scan: one pass over the input, one persistent block per multiprocessor, tiles streaming through its shared memory.
//!
//! The roles of a block:
//! * The producer warp draws tile tickets from a counter in global memory, late, waits for a free stage, starts its load.
//! * The compute warps reduce tile k + ahead and publish its aggregate; then scan tile k in its stage and store it.
//!   reduce_by_key, which stores little, has compute warps for each (apart) on sm_90, where items fit that: its tiles follow
//!   each other faster.
//! * The look-back warp folds the published aggregates of all tiles before k into the prefix of tile k.
//!
//! The first tile is short where the input does not start at a multiple of 128 bytes: all others do. (Bulk copies need
//! multiples of 16, but are slower there: i32 on an NVIDIA H200, 2^28 items, misaligned by one, tiles at multiples of 16
//! bytes 570 us, of 32 548, of 64 542, of 128 518; aligned 516; item by item 745.) An output that is misaligned alike is
//! stored in bulk, too.
//!
//! Inputs that can not be loaded in bulk (what iterators compute, but for functors of items in memory; machines without bulk
//! copies) have loaders: more warps, which fill free stages while the others work on full ones. Where a machine copies
//! pieces of 16 bytes without the help of registers, loaders only start the copies of aligned input, stage after stage.
//! Outputs that can not be stored in bulk have storers likewise, as those that are misaligned otherwise than the input.
//! (Compute warps that load and store for themselves reached half the speed, nothing being on its way while they scan: 2^28
//! i32 through a transform_iterator 1335 us, with loaders 672.) The first and the last tile of what does move in bulk are
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
//! Launches may overlap (launch_start::early): a launch lets the next one start when its tiles have run out, for until then
//! the multiprocessor that it may have left free belongs to other kernels. It waits for the end of what is before it where
//! it first touches global memory.
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
#include <reheat/detail/scan/collectives/collective.cuh>
#include <reheat/detail/scan/collectives/plain.cuh>
#include <reheat/detail/scan/kind.cuh>
#include <reheat/detail/scan/stream/compute.cuh>
#include <reheat/detail/scan/stream/job.cuh>
#include <reheat/detail/scan/stream/look_back.cuh>
#include <reheat/detail/scan/tuning.cuh>
#include <reheat/detail/simt/simt.cuh>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

//! A loader warp, the first is 0: its share of every tile.
template <class Tuning, class Tiles, class InputIt, class Accum>
REHEAT_DEVICE void scan_load(const scan_shared<Tiles, Accum>& shared, const scan_job<Accum>& job, InputIt in,
                             unsigned loader)
{
  constexpr scan_config cfg = Tuning{}(simt::arch);
  constexpr unsigned share = (cfg.tile_items() + cfg.loader_threads - 1) / cfg.loader_threads;
  constexpr bool may_be_aligned = !(cfg.in_bulk() && Tiles::bulk_in); // what is, comes in bulk there
  for (ring_position at;; at.advance(cfg.stages))
  {
    simt::mbarrier_wait(shared.drawn[at.stage], at.parity);
    const drawn_tile tile = shared.tile[at.stage];
    if constexpr (cfg.copies == tile_copies::in_pieces && Tiles::bulk_in)
    {
      if (job.aligned_in && tile.whole != 0)
      {
        // The arrival orders the copies alone: that the tile was looked at before it, they see to, which depend on it.
        shared.tiles.load_whole(in, job.first_item(tile.number, cfg.tile_items()), tile.last != 0, {at.stage, tile.brief},
                                piece_copier<cfg.loader_threads>{loader * 32 + simt::lane_index()});
        if (simt::fault_active(simt::fault::arrive_unloaded))
        {
          simt::mbarrier_arrive(shared.full[at.stage]);
        }
        else
        {
          simt::mbarrier_arrive_loaded(shared.full[at.stage]);
        }
        continue;
      }
    }
    const bool too_early = simt::fault_active(simt::fault::hand_on_unloaded);
    if (too_early)
    {
      simt::mbarrier_arrive(shared.full[at.stage]);
    }
    if (tile.number != no_tile)
    {
      const bool too_far = simt::fault_active(simt::fault::read_past_end) && tile.items < cfg.tile_items();
      shared.tiles.template load<share, false>(in, may_be_aligned && job.aligned_in && job.starts_aligned(tile.number),
                                               job.first_item(tile.number, cfg.tile_items()), tile.items + (too_far ? 1 : 0),
                                               tile.last != 0, {at.stage, tile.brief}, loader * 32 + simt::lane_index(),
                                               cfg.loader_threads);
    }
    if (!too_early)
    {
      simt::mbarrier_arrive(shared.full[at.stage]); // each lane for itself: racecheck sees no order through a warp's barrier
    }
    if (tile.number == no_tile)
    {
      return;
    }
  }
}

//! A storer warp, the first is 0: its share of every tile.
template <class Tuning, class Tiles, class OutputIt, class Accum>
REHEAT_DEVICE void scan_store(const scan_shared<Tiles, Accum>& shared, const scan_job<Accum>& job, OutputIt out,
                              unsigned storer)
{
  constexpr scan_config cfg = Tuning{}(simt::arch);
  constexpr unsigned share = (cfg.tile_items() + cfg.storer_threads - 1) / cfg.storer_threads;
  constexpr bool may_be_aligned = !(cfg.in_bulk() && Tiles::bulk_out); // what is, leaves in bulk there
  for (ring_position at;; at.advance(cfg.stages))
  {
    simt::mbarrier_wait(shared.scanned[at.stage], at.parity);
    const drawn_tile tile = shared.tile[at.stage];
    if (tile.number == no_tile)
    {
      return;
    }
    const bool too_early = simt::fault_active(simt::fault::hand_back_unstored);
    if (too_early)
    {
      simt::mbarrier_arrive(shared.empty[at.stage]);
    }
    shared.tiles.template store<share, false>(out, may_be_aligned && job.aligned_out && job.starts_aligned(tile.number),
                                              job.first_item(tile.number, cfg.tile_items()), tile.items, at.stage,
                                              storer * 32 + simt::lane_index(), cfg.storer_threads);
    if (!too_early)
    {
      simt::mbarrier_arrive(shared.empty[at.stage]);
    }
  }
}

//! The producer: one lane, which has drawn `tile`. It draws a ticket for a stage when the tile that was there has its
//! prefix, and no more than two are on their way. The later a tile is drawn, the less it is behind its neighbours, for which
//! blocks wait; and when all stages are empty, at the start, tiles that are needed later do not hold up those that come
//! first.
template <class Tuning, class Tiles, class InputIt, class Accum>
REHEAT_DEVICE void scan_produce(const scan_shared<Tiles, Accum>& shared, const scan_job<Accum>& job, InputIt in,
                                std::uint64_t tile)
{
  constexpr scan_config cfg = Tuning{}(simt::arch);
  constexpr unsigned most_on_their_way = 2;                                   // tiles
  simt::mbarrier* const told = job.loaders == 0 ? shared.full : shared.drawn; // who comes next
  ring_position at, brief, arriving;
  at.parity = brief.parity = 1; // a stage that was never used counts as empty
  const bool by_block = simt::fault_active(simt::fault::ticket_by_block);
  tile = by_block ? simt::block_index() : tile;
  for (unsigned drawn = 0;; at.advance(cfg.stages), ++drawn)
  {
    if (drawn >= most_on_their_way)
    {
      simt::mbarrier_wait(shared.full[arriving.stage], arriving.parity);
      arriving.advance(cfg.stages);
    }
    if (drawn > 0)
    {
      simt::mbarrier_wait(shared.prefix_ready[at.stage], at.parity);
      tile = simt::fetch_add_relaxed(&job.scratch.header->next_ticket, std::uint64_t{1});
      tile += by_block ? simt::grid_blocks() : 0;
    }
    if (!simt::fault_active(simt::fault::skip_empty_wait))
    {
      simt::mbarrier_wait(shared.empty[at.stage], at.parity);
    }
    if (tile >= job.tiles)
    {
      simt::let_next_launch_start();
      shared.tile[at.stage] = {no_tile, 0, 0, 1, 0};
      simt::mbarrier_arrive(told[at.stage]);
      return;
    }
    const tile_place place{at.stage, brief.stage};
    if constexpr (cfg.brief_stages != 0)
    {
      if (!simt::fault_active(simt::fault::skip_reduced_wait))
      {
        simt::mbarrier_wait(shared.reduced[brief.stage], brief.parity);
      }
      brief.advance(cfg.brief_stages);
    }
    const std::uint64_t first = job.first_item(tile, cfg.tile_items()), left = job.items - first;
    const std::uint32_t most = tile == 0 ? cfg.tile_items() - job.missing : cfg.tile_items();
    const std::uint32_t items = left < most ? static_cast<std::uint32_t>(left) : most;
    const bool last = tile + 1 == job.tiles, whole = items == cfg.tile_items() && Tiles::comes_whole(first, job.items);
    shared.tile[at.stage] = {tile, items, static_cast<std::uint16_t>(place.brief), last, whole};
    if constexpr (cfg.in_bulk() && Tiles::bulk_in)
    {
      if (job.aligned_in && whole)
      {
        shared.tiles.load_whole(in, first, last, place, bulk_copier{shared.full[at.stage]});
        continue;
      }
    }
    simt::mbarrier_arrive(told[at.stage]);
  }
}

//! One launch scans everything. The grid has at most job.tiles blocks, of block_threads() and the loaders and storers.
template <class Tuning, scan_kind Kind, class InputIt, class OutputIt, class Op, class Init>
REHEAT_KERNEL(Tuning{}(simt::arch).most_threads())
scan_stream_kernel(InputIt in, OutputIt out, scan_job<typename Init::accum> job, Op op, Init init)
{
  using accum = typename Init::accum;
  constexpr scan_config cfg = Tuning{}(simt::arch);
  constexpr unsigned warps = cfg.compute_threads / 32, first_loader = cfg.block_threads() / 32;
  using tiles = typename scan_tiles<InputIt>::template form<Tuning, OutputIt, accum>;
  static_assert(Kind == scan_kind::inclusive || Init::present, "an exclusive scan starts from an initial value");
  static_assert(cfg.stages >= cfg.ahead + 2, "the tiles ahead, the one being scanned and the one being stored");
  static_assert(cfg.brief_stages != 1, "the tile being reduced and one being loaded");
  static_assert(tiles::scan_stores || cfg.storer_threads >= 32, "who stores what does not leave in bulk");
  static_assert(cfg.loader_threads >= 32, "who loads what does not come in bulk");
  static_assert(scan_shared_bytes<tiles, accum>(cfg) <= Tuning::shared_bound(cfg) + 2 * alignof(accum),
                "the tuning's bound on shared memory is too small");
  static_assert(scan_fits<tiles, accum>(cfg), "scan_tuning_of lets what does not fit lie in scratch memory");
  static_assert(!cfg.in_scratch || cfg.copies == tile_copies::by_threads, "other copies need shared memory");
  static_assert(warps <= 32, "one warp folds the totals of all");
  static_assert(cfg.most_threads() <= 1024, "no block has more");

  auto memory = memory_of_block<cfg.in_scratch>(job.scratch, slots_in_rows(job.tiles, cfg.slots_per_lane),
                                                scan_scratch_bytes<tiles, accum>(cfg));
  const scan_shared<tiles, accum> shared(memory, cfg);
  if (simt::thread_index() == 0)
  {
    for (unsigned i = 0; i < cfg.stages; ++i)
    {
      simt::mbarrier_init(shared.drawn[i], 1);
      simt::mbarrier_init(shared.full[i], job.loaders == 0 ? 1 : job.loaders * 32);
      simt::mbarrier_init(shared.scanned[i], cfg.compute_threads);
      const unsigned storing = job.storers == 0 ? 1 : job.storers * 32;
      simt::mbarrier_init(shared.empty[i], tiles::scan_stores ? cfg.compute_threads : storing);
      simt::mbarrier_init(shared.prefix_ready[i], 1);
    }
    for (unsigned i = 0; i != cfg.brief_stages; ++i)
    {
      simt::mbarrier_init(shared.reduced[i], 1);
    }
    for (unsigned i = 0; cfg.apart && i < cfg.stages; ++i)
    {
      simt::mbarrier_init(shared.folded[i], cfg.compute_threads);
    }
    if (!simt::fault_active(simt::fault::skip_init_fence))
    {
      simt::mbarrier_init_fence();
    }
  }
  if (!simt::fault_active(simt::fault::stream_too_early))
  {
    simt::wait_for_earlier_work();
  }
  if constexpr (tiles::bulk_in && cfg.prefetch_from != 0)
  {
    const std::uint64_t tile = simt::block_index();
    if (job.prefetches && job.starts_aligned(tile))
    {
      shared.tiles.prefetch(in, job.first_item(tile, cfg.tile_items())); // there are more tiles, so this one is whole
    }
  }
  // Both round trips hide behind the barrier: nothing looks at what they bring before.
  const std::uint32_t last_launch = last_launch_epoch(job.scratch.header);
  const unsigned warp = simt::warp_index();
  std::uint64_t ticket = 0; // the producer's
  if (warp == warps && simt::lane_index() == 0 && !simt::fault_active(simt::fault::ticket_by_block))
  {
    ticket = simt::fetch_add_relaxed(&job.scratch.header->next_ticket, std::uint64_t{1});
  }
  const bool stays_away = simt::fault_active(simt::fault::divergent_barrier) && simt::thread_index() == 1;
  if (!stays_away && !simt::fault_active(simt::fault::skip_init_barrier))
  {
    simt::sync_block(); // the mbarriers are initialised
  }

  const std::uint32_t epoch = last_launch + 1;
  const slot_array<accum> slots(job.scratch, epoch);
  if (warp == warps)
  {
    if (simt::lane_index() == 0)
    {
      scan_produce<Tuning>(shared, job, in, ticket);
    }
  }
  else if (warp == warps + 1)
  {
    // The producer has drawn its last ticket when this warp is told of the end. The last tiles may still be on their way to
    // memory, but not to slots: waiting for that would put the counter's round trip behind them.
    const std::uint64_t words = slots_in_rows(job.tiles, cfg.slots_per_lane) * slot_traits<accum>::words;
    const bool first = simt::fault_active(simt::fault::retire_first);
    if (first)
    {
      retire_blocks(job.scratch, words, epoch);
    }
    scan_look_back<Tuning, tiles, Init, Op>(shared, slots, op, shared.scratch + warps * warp_scratch_items<accum>).run(init);
    if (!first)
    {
      retire_blocks(job.scratch, words, epoch);
    }
  }
  else if (warp >= first_loader + job.loaders)
  {
    if constexpr (!tiles::scan_stores)
    {
      scan_store<Tuning>(shared, job, out, warp - first_loader - job.loaders);
    }
  }
  else if (warp >= first_loader)
  {
    if constexpr (!(cfg.in_bulk() && tiles::always_aligned))
    {
      scan_load<Tuning>(shared, job, in, warp - first_loader);
    }
  }
  else if constexpr (cfg.apart)
  {
    using reduces = scan_compute<Tuning, tiles, Kind, InputIt, OutputIt, Op, Init, compute_role::reduces>;
    using scans = scan_compute<Tuning, tiles, Kind, InputIt, OutputIt, Op, Init, compute_role::scans>;
    if (warp >= reduces::first_warp)
    {
      reduces(shared, job, slots, in, out, op).run();
    }
    else
    {
      scans(shared, job, slots, in, out, op).run();
    }
  }
  else
  {
    scan_compute<Tuning, tiles, Kind, InputIt, OutputIt, Op, Init>(shared, job, slots, in, out, op).run();
  }
}

} // namespace detail
REHEAT_NAMESPACE_END

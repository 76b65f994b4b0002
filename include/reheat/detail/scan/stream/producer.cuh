// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The scan's producer: it draws tiles and starts their loads.
#pragma once

#include <reheat/detail/block/tile.cuh>
#include <reheat/detail/config.cuh>
#include <reheat/detail/scan/collectives/collective.cuh>
#include <reheat/detail/scan/stream/shared.cuh>
#include <reheat/detail/scan/tuning.cuh>
#include <reheat/detail/simt/simt.cuh>

#include <cstdint>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

//! The producer: one lane. The kernel has drawn its first `tile`, while it waited for other things. It draws a ticket for a
//! stage when two conditions hold: the previous tile of the stage has its prefix, and fewer than two tiles are in flight.
//! Late tickets help twice. A tile that is scheduled late is loaded at the same time as its neighbours, for whose aggregates
//! blocks wait. And at the start, when all stages are empty, the loads of later tiles do not delay the first ones.
template <class Tuning, class Collective, class InputIt, class Accum>
REHEAT_DEVICE void scan_produce(const scan_shared<Collective, Accum>& shared, const scan_params<Accum>& params, InputIt in,
                                std::uint64_t tile)
{
  constexpr scan_config cfg = Tuning{}(simt::arch);
  constexpr unsigned max_in_flight = 2; // tiles
  simt::mbarrier* const notify =
      params.load_warps == 0 ? shared.full : shared.scheduled; // the barriers of the warps that take the tile next
  ring_position at, key_stage, oldest_in_flight;
  at.parity = key_stage.parity = 1; // a stage that was never used counts as empty
  const bool by_block = simt::fault_active(simt::fault::ticket_by_block);
  tile = by_block ? simt::block_index() : tile;
  for (unsigned scheduled = 0;; at.advance(cfg.stages), ++scheduled)
  {
    if (scheduled >= max_in_flight)
    {
      simt::mbarrier_wait(shared.full[oldest_in_flight.stage], oldest_in_flight.parity);
      oldest_in_flight.advance(cfg.stages);
    }
    if (scheduled > 0)
    {
      simt::mbarrier_wait(shared.prefix_ready[at.stage], at.parity);
      tile = simt::fetch_add_relaxed(&params.scratch.header->next_ticket, std::uint64_t{1});
      tile += by_block ? simt::grid_blocks() : 0;
    }
    simt::mbarrier_wait(shared.empty[at.stage], at.parity, simt::unless(simt::fault::skip_empty_wait));
    if (tile >= params.tiles)
    {
      simt::trigger_dependent_launch();
      shared.tile[at.stage] = {no_tile, 0, 0, 1, 0};
      simt::mbarrier_arrive(notify[at.stage]);
      return;
    }
    const tile_place place{at.stage, key_stage.stage};
    if constexpr (cfg.key_stages != 0)
    {
      simt::mbarrier_wait(shared.key_stage_free[key_stage.stage], key_stage.parity,
                          simt::unless(simt::fault::skip_key_stage_wait));
      key_stage.advance(cfg.key_stages);
    }
    const std::uint64_t first = params.first_item(tile, cfg.tile_items()), left = params.items - first;
    const std::uint32_t most = tile == 0 ? cfg.tile_items() - params.head_padding : cfg.tile_items();
    const std::uint32_t items = left < most ? static_cast<std::uint32_t>(left) : most;
    const bool last = tile + 1 == params.tiles,
               is_bulk = items == cfg.tile_items() && Collective::is_bulk_tile(first, params.items);
    shared.tile[at.stage] = {tile, items, static_cast<std::uint16_t>(place.key_stage), last, is_bulk};
    if constexpr (cfg.in_bulk() && Collective::bulk_in)
    {
      if (params.aligned_in && is_bulk)
      {
        shared.collective.load_bulk(in, first, last, place, bulk_copier{shared.full[at.stage]});
        continue;
      }
    }
    if constexpr (cfg.in_bulk() && widens_v<InputIt, Accum>)
    {
      prefetch_whole_vec16(in + first, in + first + items);
    }
    simt::mbarrier_arrive(notify[at.stage]);
  }
}

} // namespace detail
REHEAT_NAMESPACE_END

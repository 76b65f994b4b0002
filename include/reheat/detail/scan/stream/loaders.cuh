// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The scan's load warps: they fill free stages if tiles are not loaded in bulk.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/scan/collectives/collective.cuh>
#include <reheat/detail/scan/stream/shared.cuh>
#include <reheat/detail/scan/tuning.cuh>
#include <reheat/detail/simt/simt.cuh>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

//! Load warp number `load_warp`, counted from 0, loads its share of every tile.
template <class Tuning, class Collective, class InputIt, class Accum>
REHEAT_DEVICE void scan_load(const scan_shared<Collective, Accum>& shared, const scan_params<Accum>& params, InputIt in,
                             unsigned load_warp)
{
  constexpr scan_config cfg = Tuning{}(simt::arch);
  constexpr unsigned items_per_thread = (cfg.tile_items() + cfg.load_threads - 1) / cfg.load_threads;
  constexpr bool may_be_aligned = !(cfg.in_bulk() && Collective::bulk_in); // aligned tiles are loaded in bulk then
  for (ring_position at;; at.advance(cfg.stages))
  {
    simt::mbarrier_wait(shared.scheduled[at.stage], at.parity);
    const tile_info tile = shared.tile[at.stage];
    if constexpr (cfg.copies == tile_copies::in_vec16 && Collective::bulk_in)
    {
      if (params.aligned_in && tile.is_bulk != 0)
      {
        // mbarrier_arrive_loaded, below, orders only the copies. The read of `tile` above is ordered before them because
        // their addresses depend on it.
        shared.collective.load_bulk(in, params.first_item(tile.number, cfg.tile_items()), tile.last != 0,
                                    {at.stage, tile.key_stage},
                                    vec16_copier<cfg.load_threads>{load_warp * 32 + simt::lane_index()});
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
    simt::mbarrier_arrive(shared.full[at.stage], simt::only_with(simt::fault::hand_on_unloaded));
    if (tile.number != no_tile)
    {
      const bool too_far = simt::fault_active(simt::fault::read_past_end) && tile.items < cfg.tile_items();
      shared.collective.template load<items_per_thread, false>(
          in, may_be_aligned && params.aligned_in && params.starts_aligned(tile.number),
          params.first_item(tile.number, cfg.tile_items()), tile.items + (too_far ? 1 : 0), tile.last != 0,
          {at.stage, tile.key_stage}, load_warp * 32 + simt::lane_index(), cfg.load_threads);
    }
    // Every lane arrives for itself, because racecheck sees no order through a warp's barrier.
    simt::mbarrier_arrive(shared.full[at.stage], simt::unless(simt::fault::hand_on_unloaded));
    if (tile.number == no_tile)
    {
      return;
    }
  }
}

} // namespace detail
REHEAT_NAMESPACE_END

// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The scan's store warps: they empty scanned stages if tiles are not stored in bulk.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/scan/stream/shared.cuh>
#include <reheat/detail/scan/tuning.cuh>
#include <reheat/detail/simt/simt.cuh>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

//! Store warp number `store_warp`, counted from 0, stores its share of every tile.
template <class Tuning, class Collective, class OutputIt, class Accum>
REHEAT_DEVICE void scan_store(const scan_shared<Collective, Accum>& shared, const scan_params<Accum>& params, OutputIt out,
                              unsigned store_warp)
{
  constexpr scan_config cfg = Tuning{}(simt::arch);
  constexpr unsigned items_per_thread = (cfg.tile_items() + cfg.store_threads - 1) / cfg.store_threads;
  constexpr bool may_be_aligned = !(cfg.in_bulk() && Collective::bulk_out); // aligned tiles are stored in bulk then
  for (ring_position at;; at.advance(cfg.stages))
  {
    simt::mbarrier_wait(shared.scanned[at.stage], at.parity);
    const tile_info tile = shared.tile[at.stage];
    if (tile.number == no_tile)
    {
      return;
    }
    const bool too_early = simt::fault_active(simt::fault::hand_back_unstored);
    if (too_early)
    {
      simt::mbarrier_arrive(shared.empty[at.stage]);
    }
    shared.collective.template store<items_per_thread, false>(
        out, may_be_aligned && params.aligned_out && params.starts_aligned(tile.number),
        params.first_item(tile.number, cfg.tile_items()), tile.items, at.stage, store_warp * 32 + simt::lane_index(),
        cfg.store_threads);
    if (!too_early)
    {
      simt::mbarrier_arrive(shared.empty[at.stage]);
    }
  }
}

} // namespace detail
REHEAT_NAMESPACE_END

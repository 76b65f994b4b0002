// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! What the roles of a scanning block share: parameters, shared memory and the ring of stages.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/device_traits.cuh>
#include <reheat/detail/grid/memory.cuh>
#include <reheat/detail/grid/slot.cuh>
#include <reheat/detail/scan/collectives/collective.cuh>
#include <reheat/detail/scan/collectives/plain.cuh>
#include <reheat/detail/scan/tuning.cuh>
#include <reheat/detail/simt/simt.cuh>
#include <reheat/detail/thread/value.cuh>
#include <reheat/detail/warp/fold.cuh>

#include <type_traits>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

//! The parameters of one streaming launch, apart from its iterators, operator and initial value.
template <class Accum>
struct scan_params
{
  std::uint64_t items;
  std::uint64_t tiles;
  unsigned head_padding; //!< items that tile 0 lacks at its front, so that the other tiles are aligned
  bool aligned_in;       //!< in all arrays of the input: tiles are loaded in vectors or in bulk
  bool aligned_out;      //!< in the output
  unsigned load_warps;   //!< 0 if tiles are loaded in bulk
  unsigned store_warps;  //!< 0 if tiles are stored in bulk
  bool prefetches;       //!< each block prefetches the tile of its index into the L2 cache
  bool evicts;           //!< bulk stores carry the evict_first hint
  workspace<Accum> scratch;

  REHEAT_DEVICE std::uint64_t first_item(std::uint64_t tile, unsigned tile_items) const
  {
    return tile == 0 ? 0 : tile * tile_items - head_padding;
  }
  //! Whether the tile starts at a multiple of 16 bytes of an aligned array.
  REHEAT_DEVICE bool starts_aligned(std::uint64_t tile) const { return tile != 0 || head_padding == 0; }
};

inline constexpr std::uint64_t no_tile = ~std::uint64_t{0};

//! What the producer tells the other roles about the tile in a stage.
struct alignas(16) tile_info
{
  std::uint64_t number;    //!< no_tile after the last tile
  std::uint32_t items;     //!< number of items
  std::uint16_t key_stage; //!< the stage of its keys, if the tuning has key stages
  std::uint8_t last;       //!< 1: it is the input's last tile
  std::uint8_t is_bulk;    //!< 1: load_bulk loads it, if the input is aligned
};

template <>
inline constexpr bool lies_with_items_v<tile_info> = false;

//! Shared memory of a block. If items are too large for it, some arrays lie in scratch memory (grid/memory.cuh). Entry
//! [stage] of an array belongs to the tile in that stage. What the mbarriers wait for:
//!
//! * scheduled: the producer arrives; load warps wait.
//! * full: the producer and its bulk copy, or else all threads of the load warps; compute warps and the look-back warp wait,
//!   and the producer, so that few tiles are in flight.
//! * prefix_ready: the look-back warp; compute warps wait, and the producer before it draws the stage's next ticket.
//! * tile_reduced: the threads of warps that only reduce; warps that only scan wait.
//! * scanned: all compute threads, if there are store warps, which wait.
//! * empty: who has stored the tile; the producer waits. key_stage_free: a compute thread; the producer waits.
//!
//! It always goes on: a tile is published without a wait for another block, and cfg.stages is at least
//! cfg.lookahead_tiles + 2, so that the ring never fills with tiles that wait for each other.
template <class Collective, class Accum>
struct scan_shared
{
  Collective collective;         //!< holds the tiles
  Accum* thread_prefix;          //!< [stage][compute thread]: x(j); the thread that reduces leaves it for the one that scans
  prefix_of<Accum>* tile_prefix; //!< [stage]: P(t)
  Accum* warp_totals; //!< [2][compute warp]: of the tile being reduced. With two buffers one barrier per tile suffices.
  Accum* scratch;     //!< [compute warps and look-back warp][warp_scratch_items]
  tile_info* tile;    //!< [stage]
  simt::mbarrier* scheduled;    //!< [stage]: tile_info is valid; load warps wait for it
  simt::mbarrier* full;         //!< [stage]: tile_info and items are valid. Items of partial tiles come later if the compute
                                //!< warps load them.
  simt::mbarrier* scanned;      //!< [stage]: the tile has been scanned; store warps wait for it
  simt::mbarrier* empty;        //!< [stage]: the tile has been stored
  simt::mbarrier* prefix_ready; //!< [stage]: tile_prefix is valid
  simt::mbarrier* key_stage_free; //!< [key stage]: its tile has been reduced
  simt::mbarrier* tile_reduced;   //!< [stage]: thread_prefix is valid; warps that only scan wait for it

  REHEAT_EXEC_CHECK_DISABLE
  template <class Memory>
  REHEAT_HOST_DEVICE constexpr scan_shared(Memory& memory, const scan_config& c)
      : collective(memory, c), thread_prefix(memory.template array<Accum>(c.stages * c.compute_threads)),
        tile_prefix(memory.template array<prefix_of<Accum>>(c.stages)),
        warp_totals(memory.template array<Accum>(2 * (c.compute_threads / 32))),
        scratch(memory.template array<Accum>((c.compute_threads / 32 + 1) * warp_scratch_items<Accum>)),
        tile(memory.template array<tile_info>(c.stages)), scheduled(memory.template array<simt::mbarrier>(c.stages)),
        full(memory.template array<simt::mbarrier>(c.stages)), scanned(memory.template array<simt::mbarrier>(c.stages)),
        empty(memory.template array<simt::mbarrier>(c.stages)),
        prefix_ready(memory.template array<simt::mbarrier>(c.stages)),
        key_stage_free(memory.template array<simt::mbarrier>(c.key_stages)),
        tile_reduced(memory.template array<simt::mbarrier>(c.specialize_reduce_warps ? c.stages : 0))
  {}
};

//! Thread 0 initialises the mbarriers: how many arrivals each waits for follows from who loads and stores. A barrier of the
//! block must follow.
template <class Tuning, class Collective, class Accum>
REHEAT_DEVICE void init_barriers(const scan_shared<Collective, Accum>& shared, const scan_params<Accum>& params)
{
  constexpr scan_config cfg = Tuning{}(simt::arch);
  if (simt::thread_index() != 0)
  {
    return;
  }
  for (unsigned i = 0; i < cfg.stages; ++i)
  {
    simt::mbarrier_init(shared.scheduled[i], 1);
    simt::mbarrier_init(shared.full[i], params.load_warps == 0 ? 1 : params.load_warps * 32);
    simt::mbarrier_init(shared.scanned[i], cfg.compute_threads);
    const unsigned storing = params.store_warps == 0 ? 1 : params.store_warps * 32;
    simt::mbarrier_init(shared.empty[i], Collective::scan_stores ? cfg.compute_threads : storing);
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

template <class Collective, class Accum>
REHEAT_HOST_DEVICE constexpr std::size_t scan_shared_bytes(const scan_config& c)
{
  block_memory_counter counter(c.in_scratch);
  scan_shared<Collective, Accum> layout(counter, c);
  static_cast<void>(layout);
  return counter.shared_bytes();
}
//! The same for scratch memory.
template <class Collective, class Accum>
REHEAT_HOST_DEVICE constexpr std::size_t scan_scratch_bytes(const scan_config& c)
{
  block_memory_counter counter(c.in_scratch);
  scan_shared<Collective, Accum> layout(counter, c);
  static_cast<void>(layout);
  return counter.scratch_bytes();
}

//! Whether the tuning's arrays fit a block's shared memory. Values that are not copied by their bytes need scratch memory in
//! addition.
template <class Collective, class Accum>
REHEAT_HOST_DEVICE constexpr bool scan_fits(const scan_config& c)
{
  return scan_shared_bytes<Collective, Accum>(c) <= c.shared_bytes;
}

//! `Tuning`, but with items in scratch memory on architectures whose shared memory is too small.
template <class Tuning, class Collective, class Accum>
struct fitting_tuning : Tuning
{
  REHEAT_HOST_DEVICE constexpr scan_config operator()(int arch) const
  {
    const scan_config c = Tuning{}(arch);
    return scan_fits<Collective, Accum>(c) ? c : scan_config_in_scratch(c);
  }
};

//! The tuning of a scan: its collective's tuning if that fits on every architecture, and fitting_tuning otherwise.
template <class InputIt, class OutputIt, class Accum>
struct scan_tuning_of
{
  using tuned = typename collective_for<InputIt>::template tuning<Accum>;
  using collective = typename collective_for<InputIt>::template tile_collective<tuned, OutputIt, Accum>;
  static constexpr bool always_fits = on_every_arch([](int arch) { return scan_fits<collective, Accum>(tuned{}(arch)); });
  using type = std::conditional_t<always_fits, tuned, fitting_tuning<tuned, collective, Accum>>;
};

//! A position in the ring of stages, and the parity of the mbarrier phase that belongs to this round.
struct ring_position
{
  unsigned stage = 0;
  unsigned parity = 0;

  REHEAT_DEVICE void advance(unsigned stages)
  {
    if (++stage == stages)
    {
      stage = 0;
      parity ^= simt::fault_active(simt::fault::keep_parity) ? 0 : 1;
    }
  }
};

} // namespace detail
REHEAT_NAMESPACE_END

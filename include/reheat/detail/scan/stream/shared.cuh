// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! What the roles of a scanning block share: the parameters, shared memory, the ring of stages.
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
  unsigned head_padding; //!< items by which tile 0 is shorter at its front: the others start at multiples of 16 bytes then
  bool aligned_in;       //!< all arrays of the input do so: tiles come in vectors, or whole ones in bulk
  bool aligned_out;      //!< `out` likewise
  unsigned load_warps;   //!< warps; none if tiles come in bulk
  unsigned store_warps;  //!< warps; none if tiles leave in bulk
  bool prefetches;       //!< each block asks for the tile of its index to come into the L2 cache
  bool evicts;           //!< what is stored may leave the L2 cache first
  workspace<Accum> scratch;

  REHEAT_DEVICE std::uint64_t first_item(std::uint64_t tile, unsigned tile_items) const
  {
    return tile == 0 ? 0 : tile * tile_items - head_padding;
  }
  //! Whether the tile starts at a multiple of 16 bytes, where tiles do.
  REHEAT_DEVICE bool starts_aligned(std::uint64_t tile) const { return tile != 0 || head_padding == 0; }
};

inline constexpr std::uint64_t no_tile = ~std::uint64_t{0};

//! What the producer says of the tile in a stage.
struct alignas(16) tile_info
{
  std::uint64_t number;    //!< or no_tile, after the last
  std::uint32_t items;     //!< that it has
  std::uint16_t key_stage; //!< the stage of its keys, if the tuning has key stages
  std::uint8_t last;       //!< 1: it is the input's last
  std::uint8_t is_bulk;    //!< 1: load_bulk loads it, if the input is aligned
};

template <>
inline constexpr bool lies_with_items_v<tile_info> = false;

//! Shared memory of a block, or, where items are too large, its memory of both kinds. Arrays indexed by stage belong to the
//! tile in that stage.
template <class Collective, class Accum>
struct scan_shared
{
  Collective collective;         //!< holds the tiles
  Accum* thread_prefix;          //!< [stage][compute thread]: x(j), of the thread j that reduces, for the one that scans
  prefix_of<Accum>* tile_prefix; //!< [stage]: P(t)
  Accum* warp_totals;           //!< [2][compute warp]: of the tile being reduced; two, so that one barrier per tile suffices
  Accum* scratch;               //!< [warp but one][warp_scratch_items]
  tile_info* tile;              //!< [stage]
  simt::mbarrier* scheduled;    //!< [stage]: tile_info is there; load warps wait for it
  simt::mbarrier* full;         //!< [stage]: tile number and items are there; items of some tiles come later, by the compute
                                //!< warps
  simt::mbarrier* scanned;      //!< [stage]: where store warps wait for it
  simt::mbarrier* empty;        //!< [stage]: the tile has been stored
  simt::mbarrier* prefix_ready; //!< [stage]
  simt::mbarrier* key_stage_free; //!< [key stage]: its tile has been reduced
  simt::mbarrier* tile_reduced;   //!< [stage]: threads that reduce the tile have left what those need that scan it

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

template <class Collective, class Accum>
REHEAT_HOST_DEVICE constexpr std::size_t scan_shared_bytes(const scan_config& c)
{
  block_memory_counter counter(c.in_scratch);
  scan_shared<Collective, Accum> layout(counter, c);
  static_cast<void>(layout);
  return counter.shared_bytes();
}
//! Likewise scratch memory.
template <class Collective, class Accum>
REHEAT_HOST_DEVICE constexpr std::size_t scan_scratch_bytes(const scan_config& c)
{
  block_memory_counter counter(c.in_scratch);
  scan_shared<Collective, Accum> layout(counter, c);
  static_cast<void>(layout);
  return counter.scratch_bytes();
}

//! Whether a block's shared memory holds what the tuning says. Values that are not copied by their bytes need more than
//! their size tells.
template <class Collective, class Accum>
REHEAT_HOST_DEVICE constexpr bool scan_fits(const scan_config& c)
{
  return scan_shared_bytes<Collective, Accum>(c) <= c.shared_bytes;
}

//! `Tuning`, but on architectures whose shared memory is too small, items lie in scratch memory.
template <class Tuning, class Collective, class Accum>
struct fitting_tuning : Tuning
{
  REHEAT_HOST_DEVICE constexpr scan_config operator()(int arch) const
  {
    const scan_config c = Tuning{}(arch);
    return scan_fits<Collective, Accum>(c) ? c : scan_config_in_scratch(c);
  }
};

//! The tuning of a scan: that of its tiles, if these fit every architecture.
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

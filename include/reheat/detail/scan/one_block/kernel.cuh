// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The scan of a few items by one block, through their tile collective. It serves inputs whose tiles hold items beside what
//! is scanned, as selections do.
//!
//! The block loads the one tile, reduces it, folds the totals of its warps, and the collective stores. There are no tickets,
//! no mbarriers, and no other blocks to wait for, so the call needs no scratch memory. Threads own few items, and the block
//! has no more warps than the items need. NVIDIA H100, in a graph: partition of 256 i32 1.8 us, streamed 4.4; of 4096 2.6
//! and 5.9. Two such tiles, one after the other, take longer than a streamed input: 16384 i32 7.3 us and 5.5.
//!
//! The output may begin where the input begins, since nothing is stored before all items have been loaded.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/device_traits.cuh>
#include <reheat/detail/scan/collectives/collective.cuh>
#include <reheat/detail/scan/collectives/plain.cuh>
#include <reheat/detail/scan/kind.cuh>
#include <reheat/detail/scan/tuning.cuh>
#include <reheat/detail/simt/simt.cuh>
#include <reheat/detail/thread/value.cuh>
#include <reheat/detail/warp/scan.cuh>

#include <cstddef>
#include <type_traits>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

//! The shape of a block that scans alone; the rest is Tuning's. A tile holds ItemBytes of an item.
template <class Tuning, std::size_t ItemBytes>
struct one_block_tuning
{
  REHEAT_HOST_DEVICE constexpr scan_config operator()(int arch) const
  {
    scan_config c = Tuning{}(arch);
    c.compute_threads = arch == emulated_arch ? 64 : 1024;
    c.items_per_thread = items_in(arch == emulated_arch ? 16 : 32);
    c.stages = 1;
    c.specialize_reduce_warps = false;
    return c;
  }

private:
  //! Items in `bytes` bytes: a power of two up to 16, so that they fill vectors.
  REHEAT_HOST_DEVICE static constexpr unsigned items_in(std::size_t bytes)
  {
    unsigned items = 16;
    while (items > 1 && items * ItemBytes > bytes)
    {
      items /= 2;
    }
    return items;
  }
};

//! Shared memory of the block.
template <class Collective, class Accum>
struct one_block_shared
{
  Collective collective;
  Accum* warp_totals; //!< [warp]

  REHEAT_EXEC_CHECK_DISABLE
  template <class Memory>
  REHEAT_HOST_DEVICE constexpr one_block_shared(Memory& memory, const scan_config& c)
      : collective(memory, c), warp_totals(memory.template array<Accum>(c.compute_threads / simt::warp_lanes))
  {}
};
template <class Collective, class Accum>
REHEAT_HOST_DEVICE constexpr std::size_t one_block_shared_bytes(const scan_config& c)
{
  simt::shared_counter counter;
  one_block_shared<Collective, Accum> layout(counter, c);
  static_cast<void>(layout);
  return counter.bytes();
}

//! Whether one block may scan an input alone, and how: its collective says so by a one_block_item_bytes, and its arrays fit
//! every architecture's shared memory.
template <class InputIt, class OutputIt, class Accum, class = void>
struct one_block_of
{
  static constexpr bool scans = false;
};
template <class InputIt, class OutputIt, class Accum>
struct one_block_of<InputIt, OutputIt, Accum, std::void_t<decltype(collective_for<InputIt>::one_block_item_bytes)>>
{
  using tuning = one_block_tuning<typename collective_for<InputIt>::template tuning<Accum>,
                                  collective_for<InputIt>::one_block_item_bytes>;
  using collective = typename collective_for<InputIt>::template tile_collective<tuning, OutputIt, Accum>;
  static constexpr bool scans = on_every_arch(
      [](int arch)
      {
        const scan_config c = tuning{}(arch);
        return !c.in_scratch && one_block_shared_bytes<collective, Accum>(c) <= c.shared_bytes;
      });
};

//! Blocks on a multiprocessor, if ptxas is not to choose: on sm_100 and newer it chose two, and spilled.
REHEAT_HOST_DEVICE constexpr unsigned one_block_residents(int arch)
{
  return arch >= 1000 ? 1 : 0;
}

//! A block of as many warps as the 1 <= `items` <= tile_items() items need.
template <class Tuning, scan_kind Kind, class InputIt, class OutputIt, class Op, class Accum>
REHEAT_KERNEL(Tuning{}(simt::arch).compute_threads, one_block_residents(simt::arch))
scan_one_block_kernel(InputIt in, OutputIt out, unsigned items, Op op)
{
  constexpr scan_config cfg = Tuning{}(simt::arch);
  constexpr unsigned max_warps = cfg.compute_threads / simt::warp_lanes;
  using collective = typename collective_for<InputIt>::template tile_collective<Tuning, OutputIt, Accum>;
  static_assert(collective::scan_stores && is_bitwise_copyable_v<Accum>, "no other collective is for one block");
  static_assert(max_warps <= simt::warp_lanes, "one warp folds the totals of all");
  simt::shared_memory memory;
  const one_block_shared<collective, Accum> shared(memory, cfg);
  const unsigned thread = simt::thread_index(), warp = simt::warp_index(), lane = simt::lane_index();
  simt::grid_dependency_wait(simt::unless(simt::fault::one_block_too_early));
  shared.collective.template load<cfg.items_per_thread, false>(in, false, 0, items, true, {0, 0}, thread,
                                                               simt::block_threads());
  simt::sync_block(simt::unless(simt::fault::one_block_skip_load_barrier));
  simt::trigger_dependent_launch();
  const unsigned first = thread * cfg.items_per_thread, left = items > first ? items - first : 0;
  const thread_slice slice{{0, 0}, thread, items, left < cfg.items_per_thread ? left : cfg.items_per_thread, 0, true};
  uninitialized<Accum> inclusive;
  shared.collective.reduce(in, slice, op, inclusive);
  const unsigned threads = (items + cfg.items_per_thread - 1) / cfg.items_per_thread, // with an item
      warps = (threads + simt::warp_lanes - 1) / simt::warp_lanes;
  const unsigned lanes = warp + 1 < warps ? simt::warp_lanes : threads - warp * simt::warp_lanes;
  warp_inclusive_scan(inclusive, lanes, op, static_cast<Accum*>(nullptr));
  if (lane + 1 == lanes)
  {
    construct_at(shared.warp_totals + warp, inclusive.get());
  }
  simt::sync_block(simt::unless(simt::fault::one_block_skip_totals_barrier));
  uninitialized<Accum> totals; // up to the lane's warp
  if (lane < warps)
  {
    totals.construct(shared.warp_totals[lane]);
  }
  warp_inclusive_scan<max_warps>(totals, warps, op, static_cast<Accum*>(nullptr));
  const uninitialized<Accum> of_warps_before = simt::shuffle(totals, warp == 0 ? 0 : warp - 1);
  uninitialized<Accum> of_lanes_before;
  shift_from_lane_below(inclusive, lanes, of_lanes_before, static_cast<Accum*>(nullptr));
  optional_accumulator<prefix_of<Accum>> fold;
  if (slice.count != 0 && warp != 0)
  {
    fold.append(of_warps_before.get(), op);
  }
  if (slice.count != 0 && lane != 0)
  {
    fold.append(of_lanes_before.get(), op);
  }
  shared.collective.template scan<Kind>(in, out, slice, fold, op);
}

} // namespace detail
REHEAT_NAMESPACE_END

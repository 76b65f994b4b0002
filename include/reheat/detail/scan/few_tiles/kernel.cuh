// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The scan of a few tiles, a block for each, through their tile collective. It serves selections and
//! calls by key: their tiles hold more than the values that are scanned.
//!
//! A block loads its tile, reduces it, and folds the totals of its warps. It publishes its aggregate, packs what it will
//! store as far as that depends on its own items, waits once for the aggregates of all tiles before, and scans its tile,
//! which the collective stores. There are no tickets, no mbarriers and no ring of stages: they cost 2 us more than a small
//! input takes. Threads own few items. A single tile needs no scratch memory, and its block has no more warps than the items
//! need.
//!
//! Progress. Blocks start in the order of their indices (launch_kind::in_order) and wait only for lower ones, as those of
//! scan/one_tile do. The last tile's block has seen all others publish, so it ends the launch.
//!
//! The output may begin where the input begins. A tile stores after all tiles before it have published, and a block
//! publishes after all of its threads have loaded.
//!
//! Association. The shape follows from the number of items, the tuning and the architecture alone:
//! * thread: its neighbouring items from the left; warp: Kogge–Stone over its threads; block: Kogge–Stone over its warps
//! * prefix: P(t) = ((init ⊕ g) ⊕ g) …, one g for each 32 of the t tiles before, folded by warp_fold
//! * item: (((P(t) ⊕ previous warps) ⊕ previous lanes) ⊕ item) ⊕ item …, from the left
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/device_traits.cuh>
#include <reheat/detail/grid/retire.cuh>
#include <reheat/detail/grid/slot.cuh>
#include <reheat/detail/grid/slot_fold.cuh>
#include <reheat/detail/scan/collectives/collective.cuh>
#include <reheat/detail/scan/collectives/plain.cuh>
#include <reheat/detail/scan/kind.cuh>
#include <reheat/detail/scan/tuning.cuh>
#include <reheat/detail/simt/simt.cuh>
#include <reheat/detail/thread/value.cuh>
#include <reheat/detail/warp/scan.cuh>

#include <cstddef>
#include <cstdint>
#include <type_traits>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

//! Small tiles are for small inputs. Threads of large ones have more items, so that the blocks that run at the same time
//! hold more. Larger inputs are streamed.
enum class few_tiles_size
{
  small,
  large
};

//! The shape of a block, for items of ItemBytes in all arrays of a tile; the rest is Tuning's.
template <class Tuning, std::size_t ItemBytes, few_tiles_size Size = few_tiles_size::small>
struct few_tiles_tuning
{
  static constexpr bool are_large = Size == few_tiles_size::large, have_large = Tuning::few_tiles.large_items != 0;
  //! Blocks on a multiprocessor. The threads of two get the registers that one of twice the size would have.
  static constexpr unsigned residents = Tuning::few_tiles.residents;
  static constexpr bool few_bytes = Tuning::few_tiles.thread_bytes < 32; //!< fewer would not fill a vector
  //! Tiles at most: as many as run at the same time, if the GPU has so many multiprocessors and items are not very large. If
  //! there are larger tiles, one for each multiprocessor of the GPU that the tuning was made on: more and smaller ones take
  //! longer (2^19 i32 by selection: 4.63 us in 256 tiles, 4.38 in 128).
  REHEAT_HOST_DEVICE static constexpr unsigned max_tiles(int arch, bool have_larger = have_large && !are_large)
  {
    return arch == emulated_arch ? (are_large ? 2 : 4)
                                 : device_traits_of(arch).multiprocessors * (have_larger ? 1 : residents);
  }

  REHEAT_HOST_DEVICE constexpr scan_config operator()(int arch) const
  {
    scan_config c = Tuning{}(arch);
    c.compute_threads = arch == emulated_arch ? 64 : Tuning::few_tiles.max_threads;
    c.items_per_thread = are_large
                             ? Tuning::few_tiles.large_items
                             : items_in(Tuning::few_tiles.thread_bytes / (arch == emulated_arch && !few_bytes ? 2 : 1));
    c.stages = 1;
    c.key_stages = c.key_stages != 0 ? 1 : 0;
    c.specialize_reduce_warps = false;
    while (c.compute_threads > min_block_threads && Tuning::shared_bound(c) * (are_large ? residents : 1) > c.shared_bytes)
    {
      c.compute_threads -= are_large ? large_step : c.compute_threads / 2;
    }
    return c;
  }

  //! Of a block that scans the whole input.
  REHEAT_HOST_DEVICE constexpr unsigned lone_threads(int arch) const
  {
    const unsigned threads = (*this)(arch).compute_threads, most = Tuning::few_tiles.max_lone_threads;
    return arch == emulated_arch ? threads / (are_large ? 2 : 1) : threads < most ? threads : most;
  }
  //! Items that a block alone scans in a large tile, if large_lone.
  REHEAT_HOST_DEVICE static constexpr std::uint64_t large_lone_items(int arch)
  {
    using large = few_tiles_tuning<Tuning, ItemBytes, few_tiles_size::large>;
    return std::uint64_t{large{}.lone_threads(arch)} * large{}(arch).items_per_thread;
  }
  static constexpr bool large_lone = Tuning::few_tiles.large_lone;
  //! Whether an input is streamed although it has large tiles.
  REHEAT_HOST_DEVICE static constexpr bool is_streamed(int arch, std::uint64_t items)
  {
    return are_large && arch != emulated_arch && items > Tuning::few_tiles.streamed_above_items &&
           items <= Tuning::few_tiles.streamed_up_to_items;
  }
  static constexpr unsigned min_block_threads = 256; //!< of other blocks
  static constexpr unsigned large_step = 64;         //!< by which blocks of large tiles grow

private:
  //! Items in `bytes` bytes: a power of two up to 32, so that they fill vectors.
  REHEAT_HOST_DEVICE static constexpr unsigned items_in(std::size_t bytes)
  {
    unsigned items = 32;
    while (items > 1 && items * ItemBytes > bytes)
    {
      items /= 2;
    }
    return items;
  }
};

//! The blocks that scan an input, a tile each. None: it is streamed.
struct few_tiles_shape
{
  unsigned tiles;
  unsigned block_threads;
};

//! The shape for `items` items.
template <class Tuning>
constexpr few_tiles_shape few_tiles_shape_for(int arch, std::uint64_t items)
{
  const scan_config c = Tuning{}(arch);
  const bool is_alone = items <= std::uint64_t{Tuning{}.lone_threads(arch)} * c.items_per_thread;
  if (is_alone && (!Tuning::are_large || Tuning::large_lone))
  {
    const unsigned warp_items = simt::warp_lanes * c.items_per_thread;
    return {1, (static_cast<unsigned>(items) + warp_items - 1) / warp_items * simt::warp_lanes};
  }
  if (!Tuning::are_large && Tuning::large_lone && items <= Tuning::large_lone_items(arch))
  {
    return {0, 0};
  }
  if (Tuning::is_streamed(arch, items))
  {
    return {0, 0};
  }
  for (unsigned threads = arch == emulated_arch ? c.compute_threads : Tuning::min_block_threads;
       threads <= c.compute_threads; threads += Tuning::are_large ? Tuning::large_step : threads)
  {
    const std::uint64_t tile_items = threads * c.items_per_thread, tiles = (items + tile_items - 1) / tile_items;
    if (tiles <=
        (threads == c.compute_threads || Tuning::are_large ? Tuning::max_tiles(arch) : Tuning::max_tiles(arch, true)))
    {
      return {static_cast<unsigned>(tiles), threads};
    }
  }
  return {0, 0};
}

//! The parameters of one launch, apart from its iterators and operator.
template <class Accum>
struct few_tiles_params
{
  std::uint64_t items;
  bool aligned_in;          //!< the arrays of the input, whose collective does not look itself, are aligned to 16 bytes
  bool aligned_out;         //!< the same of an output that the collective's scan does not store
  workspace<Accum> scratch; //!< of more than one tile
};

//! Groups of 32 tiles, at most. A warp folds the aggregates of a group.
inline constexpr unsigned max_tile_groups = 12;

//! Shared memory of a block.
template <class Collective, class Accum>
struct few_tiles_shared
{
  Collective collective;
  Accum* warp_totals; //!< [warp]
  Accum* group_folds; //!< [group]: of the tiles before the block's
  std::uint32_t* epoch;

  REHEAT_EXEC_CHECK_DISABLE
  template <class Memory>
  REHEAT_HOST_DEVICE constexpr few_tiles_shared(Memory& memory, const scan_config& c)
      : collective(memory, c), warp_totals(memory.template array<Accum>(c.compute_threads / simt::warp_lanes)),
        group_folds(memory.template array<Accum>(max_tile_groups)), epoch(memory.template array<std::uint32_t>(1))
  {}
};
template <class Collective, class Accum>
REHEAT_HOST_DEVICE constexpr std::size_t few_tiles_shared_bytes(const scan_config& c)
{
  simt::shared_counter counter;
  few_tiles_shared<Collective, Accum> layout(counter, c);
  static_cast<void>(layout);
  return counter.bytes();
}

//! Whether a tile holds more than what is scanned. Then the registers of scan/one_tile are no place for it, and
//! collective_for has a few_tiles_item_bytes.
template <class InputIt, class = void>
inline constexpr bool has_few_tiles_v = false;
template <class InputIt>
inline constexpr bool has_few_tiles_v<InputIt, std::void_t<decltype(collective_for<InputIt>::few_tiles_item_bytes)>> = true;

//! Whether its tiles of a size pass through shuffles.
template <class InputIt, class Accum, few_tiles_size Size>
constexpr bool has_few_tiles_of()
{
  if constexpr (has_few_tiles_v<InputIt> && slot_traits<Accum>::in_words)
  {
    return Size == few_tiles_size::small || collective_for<InputIt>::template tuning<Accum>::few_tiles.large_items != 0;
  }
  return false;
}

//! Whether an input may be scanned so, and how: aggregates pass through shuffles, and the arrays fit every architecture's
//! shared memory. Otherwise it is streamed.
template <class InputIt, class OutputIt, class Accum, few_tiles_size Size, bool = has_few_tiles_of<InputIt, Accum, Size>()>
struct few_tiles_of
{
  static constexpr bool scans = false;
};
template <class InputIt, class OutputIt, class Accum, few_tiles_size Size>
struct few_tiles_of<InputIt, OutputIt, Accum, Size, true>
{
  using tuning = few_tiles_tuning<typename collective_for<InputIt>::template tuning<Accum>,
                                  collective_for<InputIt>::few_tiles_item_bytes, Size>;
  using collective = typename collective_for<InputIt>::template tile_collective<tuning, OutputIt, Accum>;
  static constexpr bool scans = on_every_arch(
      [](int arch)
      {
        const scan_config c = tuning{}(arch);
        return !c.in_scratch && few_tiles_shared_bytes<collective, Accum>(c) <= c.shared_bytes;
      });
};

//! Appends the aggregates of the tiles before `tile`, of which there are some. All threads of the block call.
template <class Accum, class Prefix, class Op>
REHEAT_DEVICE void append_tiles_before(const slot_array<Accum>& slots, unsigned tile, Accum* group_folds, Prefix& fold,
                                       Op& op)
{
  constexpr unsigned group_tiles = simt::warp_lanes;
  const unsigned groups = (tile + group_tiles - 1) / group_tiles;
  for (unsigned g = simt::warp_index(); g < groups; g += simt::block_threads() / simt::warp_lanes)
  {
    const unsigned left = tile - g * group_tiles;
    uninitialized<Accum> value;
    fold_slots<1>(slots, g * group_tiles, left < group_tiles ? left : group_tiles, value, op, static_cast<Accum*>(nullptr));
    if (simt::lane_index() == 0)
    {
      construct_at(group_folds + g, value.get());
    }
  }
  simt::sync_block(simt::unless(simt::fault::few_tiles_skip_folds_barrier));
  for (unsigned g = 0; g < groups; ++g)
  {
    fold.append(group_folds[g], op);
  }
}

//! A block for each tile, of as many items as its threads own. A block alone has as many warps as the items need.
template <class Tuning, scan_kind Kind, class InputIt, class OutputIt, class Op, class Init>
REHEAT_KERNEL(Tuning{}(simt::arch).compute_threads, Tuning::residents)
scan_few_tiles_kernel(InputIt in, OutputIt out, few_tiles_params<typename Init::accum> params, Op op, Init init)
{
  using accum = typename Init::accum;
  constexpr scan_config cfg = Tuning{}(simt::arch);
  constexpr unsigned max_warps = cfg.compute_threads / simt::warp_lanes;
  using collective = typename collective_for<InputIt>::template tile_collective<Tuning, OutputIt, accum>;
  static_assert(max_warps <= simt::warp_lanes, "one warp folds the totals of all");
  static_assert(Tuning::max_tiles(simt::arch) <= max_tile_groups * simt::warp_lanes, "a fold for each group");
  simt::shared_memory memory;
  const few_tiles_shared<collective, accum> shared(memory, cfg);
  const unsigned thread = simt::thread_index(), warp = simt::warp_index(), lane = simt::lane_index();
  const unsigned tile = simt::block_index(), tiles = simt::grid_blocks();
  const unsigned tile_items = simt::block_threads() * cfg.items_per_thread;
  const std::uint64_t first_item = std::uint64_t{tile} * tile_items;
  const unsigned items = tile + 1 < tiles ? tile_items : static_cast<unsigned>(params.items - first_item);
  simt::grid_dependency_wait(simt::unless(simt::fault::few_tiles_too_early));
  // One thread reads the epoch, before its block publishes: a block that has seen all aggregates may end the launch and
  // change the epoch. The loads of the items hide the round trip.
  const bool reads_epoch = tiles > 1 && thread == 0;
  std::uint32_t last_launch = 0;
  if (reads_epoch)
  {
    last_launch = last_launch_epoch(params.scratch.header);
  }
  shared.collective.template load<cfg.items_per_thread, false>(in, params.aligned_in, first_item, items, tile + 1 == tiles,
                                                               {0, 0}, thread, simt::block_threads());
  if (reads_epoch)
  {
    *shared.epoch = last_launch + 1;
  }
  simt::sync_block(simt::unless(simt::fault::few_tiles_skip_load_barrier));
  simt::trigger_dependent_launch();
  const unsigned first = thread * cfg.items_per_thread, left = items > first ? items - first : 0;
  const thread_slice slice{{0, 0},     thread,           items, left < cfg.items_per_thread ? left : cfg.items_per_thread,
                           first_item, tile + 1 == tiles};
  uninitialized<accum> inclusive;
  shared.collective.reduce(in, slice, op, inclusive);
  const unsigned threads = (items + cfg.items_per_thread - 1) / cfg.items_per_thread, // with an item
      warps = (threads + simt::warp_lanes - 1) / simt::warp_lanes;
  const unsigned more = threads > warp * simt::warp_lanes ? threads - warp * simt::warp_lanes : 0,
                 lanes = more < simt::warp_lanes ? more : simt::warp_lanes;
  warp_inclusive_scan(inclusive, lanes, op, static_cast<accum*>(nullptr));
  if (lane + 1 == lanes)
  {
    construct_at(shared.warp_totals + warp, inclusive.get());
  }
  simt::sync_block(simt::unless(simt::fault::few_tiles_skip_totals_barrier));
  uninitialized<accum> totals; // up to the lane's warp
  if (lane < warps)
  {
    totals.construct(shared.warp_totals[lane]);
  }
  warp_inclusive_scan<max_warps>(totals, warps, op, static_cast<accum*>(nullptr));
  const uninitialized<accum> of_warps_before = simt::shuffle(totals, warp == 0 ? 0 : warp - 1);
  uninitialized<accum> of_lanes_before;
  shift_from_lane_below(inclusive, lanes, of_lanes_before, static_cast<accum*>(nullptr));
  if (tile + 1 < tiles && thread + 1 == warps)
  {
    slot_array<accum>(params.scratch, *shared.epoch).publish(tile, totals.get());
  }
  if constexpr (collective::packs_early)
  {
    shared.collective.pack_early(in, slice, of_lanes_before);
  }
  optional_accumulator<prefix_of<accum>> fold;
  if constexpr (Init::present)
  {
    if (init_presence<Init>(init).holds)
    {
      fold.append(init.load(), op);
    }
  }
  if (tiles > 1)
  {
    const std::uint32_t epoch = *shared.epoch;
    if (tile > 0)
    {
      append_tiles_before(slot_array<accum>(params.scratch, epoch), tile, shared.group_folds, fold, op);
    }
    retire_in_order(params.scratch, std::uint64_t{tiles} * slot_traits<accum>::words, epoch);
  }
  if (slice.count != 0 && warp != 0)
  {
    fold.append(of_warps_before.get(), op);
  }
  if (slice.count != 0 && lane != 0)
  {
    fold.append(of_lanes_before.get(), op);
  }
  shared.collective.template scan<Kind>(in, out, slice, fold, op);
  if constexpr (!collective::scan_stores)
  {
    simt::sync_block(simt::unless(simt::fault::few_tiles_skip_scanned_barrier));
    shared.collective.template store<cfg.items_per_thread, false>(out, params.aligned_out, first_item, items, 0, thread,
                                                                  simt::block_threads());
  }
}

} // namespace detail
REHEAT_NAMESPACE_END

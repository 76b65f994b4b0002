// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The numbers of the scan: one row for each architecture and size of items, with one line of evidence.
//!
//! The measurements behind the numbers, and rejected numbers, are in docs/tuning-log.md, section "Kernel tuning". Shapes
//! are written as threads × 16-byte chunks of a thread × stages. H200 is an NVIDIA H200.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/device_traits.cuh>

#include <cstddef>
#include <cstdint>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

//! How whole tiles of aligned memory come into shared memory.
enum class tile_copies
{
  by_threads, //!< load warps move them through their registers
  in_vec16,   //!< load warps start copies of 16 bytes, and do not wait for them: sm_80
  in_bulk     //!< one lane starts a bulk copy, for loads and for stores: sm_90
};

struct scan_config
{
  unsigned compute_threads;    //!< threads that reduce and scan; two more warps feed them and look back
  unsigned items_per_thread;   //!< neighbouring items of a tile that one thread owns
  unsigned stages;             //!< tiles in shared memory at a time
  unsigned lookahead_tiles;    //!< tiles whose aggregates a block publishes before it scans the current tile
  tile_copies copies;          //!< how the architecture copies tiles
  unsigned load_threads;       //!< further threads, which load tiles that do not come in bulk
  unsigned store_threads;      //!< further threads, which store tiles that do not leave in bulk
  unsigned slots_per_lane = 4; //!< a group is 32 times this many tiles: the look-back warp folds one group at a time
  unsigned groups_per_supergroup = 128; //!< the second level of the fold
  std::size_t shared_bytes = 0;         //!< a block's limit
  unsigned one_tile_threads = 512;      //!< at most, in a block that scans one tile
  unsigned tile_alignment = 128; //!< bytes: all tiles but a short first one start at multiples of it, without fixed_tiles
  //! Scans of at least this many tiles start fewer blocks than fit the device, and leave their places to other kernels.
  std::uint64_t spare_sm_from_tiles = ~std::uint64_t{0};
  unsigned spare_sms = 1; //!< blocks fewer
  //! Scans of at least this many half waves of tiles prefetch their first wave into the L2 cache. 0: never.
  unsigned prefetch_from_half_waves = 0;
  //! Outputs of at least this many bytes are stored with the evict_first hint.
  std::uint64_t evict_first_from_bytes = ~std::uint64_t{0};
  //! Stages of the key ring: keys are needed only until their tile is reduced. 0: keys lie beside the values.
  unsigned key_stages = 0;
  bool clears_vec16 = false; //!< registers for 16-byte vectors are set to zero first: see copy_vec16
  //! Warp specialization: as many threads again reduce tiles, while the compute threads scan earlier ones.
  bool specialize_reduce_warps = false;
  bool in_scratch = false; //!< stages are in scratch memory, one block per multiprocessor: see grid/memory.cuh
  //! Tiles count from item 0 at any address. They come in vectors or in bulk only if item 0 is aligned to 16 bytes.
  bool fixed_tiles = false;

  REHEAT_HOST_DEVICE constexpr bool in_bulk() const { return copies == tile_copies::in_bulk; }
  REHEAT_HOST_DEVICE constexpr unsigned tile_items() const { return compute_threads * items_per_thread; }
  //! Without load and store warps.
  REHEAT_HOST_DEVICE constexpr unsigned block_threads() const
  {
    return (specialize_reduce_warps ? 2 : 1) * compute_threads + 2 * simt::warp_lanes;
  }
  REHEAT_HOST_DEVICE constexpr unsigned max_threads() const { return block_threads() + load_threads + store_threads; }
  REHEAT_HOST_DEVICE constexpr unsigned group_tiles() const { return simt::warp_lanes * slots_per_lane; }
};

//! What the device decides of a configuration. Tunings add their numbers.
REHEAT_HOST_DEVICE constexpr scan_config scan_config_of(const device_traits& device)
{
  scan_config c{};
  c.shared_bytes = device.block_shared_bytes;
  c.copies = device.bulk_copies    ? tile_copies::in_bulk
             : device.vec16_copies ? tile_copies::in_vec16
                                   : tile_copies::by_threads;
  c.clears_vec16 = device.spills_partial_vectors;
  return c;
}

//! The bytes of a stage.
struct stage_bytes
{
  std::size_t item;       //!< for each item of the tile
  std::size_t accum;      //!< for each thread's prefix, and for the tile's
  std::size_t thread = 0; //!< in addition, for each compute thread
  std::size_t more = 0;   //!< in addition, once
};

//! The bytes of a key stage.
struct key_stage_bytes
{
  std::size_t item; //!< for each item of the tile
  std::size_t more; //!< in addition, once
};

//! Shared memory of a block, in bytes, rounded up; what the kernel really lays out never exceeds it.
REHEAT_HOST_DEVICE constexpr std::size_t scan_shared_bound(const scan_config& c, const stage_bytes& bytes,
                                                           const key_stage_bytes& key = {})
{
  const std::size_t warps = c.compute_threads / simt::warp_lanes;
  const std::size_t stage =
      c.tile_items() * bytes.item + c.compute_threads * (bytes.accum + bytes.thread) + bytes.accum + bytes.more + 64;
  const std::size_t scratch = 2 * warps + simt::warp_lanes * (warps + 1);
  return c.stages * stage + c.key_stages * (c.tile_items() * key.item + key.more) + scratch * bytes.accum + 1024;
}

//! Shrinks in this order until the block fits c.shared_bytes: key stages, down to 2; stages, down to 5, with fewer lookahead
//! tiles so that one stage stays free for a tile being loaded; compute threads; the free stages; lookahead tiles. Without a
//! tile being loaded, 8-byte keys and values took 1288 us to reduce, with one 827. Very large items never fit: see
//! scan_config_in_scratch.
REHEAT_HOST_DEVICE constexpr scan_config scan_config_fitting(scan_config c, const stage_bytes& bytes,
                                                             const key_stage_bytes& key = {})
{
  while (scan_shared_bound(c, bytes, key) > c.shared_bytes && c.key_stages > 2)
  {
    --c.key_stages;
  }
  while (scan_shared_bound(c, bytes, key) > c.shared_bytes && c.stages > 5)
  {
    --c.stages;
    c.lookahead_tiles = c.stages - c.lookahead_tiles < 3 ? c.stages - 3 : c.lookahead_tiles;
  }
  while (scan_shared_bound(c, bytes, key) > c.shared_bytes && c.compute_threads > simt::warp_lanes)
  {
    c.compute_threads -= simt::warp_lanes;
  }
  if (scan_shared_bound(c, bytes, key) > c.shared_bytes && c.stages > c.lookahead_tiles + 2)
  {
    c.stages = c.lookahead_tiles + 2;
  }
  while (scan_shared_bound(c, bytes, key) > c.shared_bytes && c.lookahead_tiles > 0)
  {
    --c.lookahead_tiles;
    c.stages = c.lookahead_tiles + 2;
  }
  return c;
}

//! For items so large that even the smallest tile does not fit a block's shared memory: threads copy small tiles in scratch
//! memory. One block runs on a multiprocessor and has some 200 times the size of an item there. Not measured.
REHEAT_HOST_DEVICE constexpr scan_config scan_config_in_scratch(const scan_config& fitted)
{
  scan_config c{};
  c.shared_bytes = fitted.shared_bytes;
  c.tile_alignment = fitted.tile_alignment;
  c.copies = tile_copies::by_threads;
  c.compute_threads = 32;
  c.items_per_thread = 1;
  c.stages = 3;
  c.lookahead_tiles = 1;
  c.slots_per_lane = 1;
  c.load_threads = 128;
  c.store_threads = 128;
  c.in_scratch = true;
  return c;
}

// ---- small scans ---------------------------------------------------------------------------------------------------------

//! Rows of lanes' items that a warp of a one-tile block holds in registers at most.
REHEAT_HOST_DEVICE constexpr unsigned one_tile_max_rows(std::size_t item_bytes)
{
  return item_bytes <= 16 ? 4 : 2;
}

//! What a small scan is cut into: tiles of block_threads / 32 · rows rows, one per block. rows == 0: the input is streamed.
struct one_tile_shape
{
  unsigned block_threads;
  unsigned rows; //!< of each warp
};

//! Inputs of at most `input_rows` rows are cut into such tiles.
struct one_tile_size
{
  std::uint64_t input_rows;
  one_tile_shape shape;
};

//! How small scans run, for one architecture and size of items.
struct one_tile_config
{
  one_tile_size sizes[7]; //!< the first that an input fits decides; inputs that fit none are streamed
  //! Scans of at least this many items of 1 or 2 bytes shift their rows if input and output are misaligned by the same
  //! number of bytes. In shorter scans, shifting costs more than it saves.
  std::uint64_t shifted_from_items;
  //! Larger items that are misaligned so are read item by item, up to this many rows. Longer inputs are streamed.
  std::uint64_t misaligned_rows;
  //! Grids of at most this many blocks have a multiprocessor for each block.
  unsigned lone_blocks;
};

//! The rows of one_tile_config. See docs/tuning-log.md, "Scans of one tile per block".
struct one_tile_rows
{
  //! Tiles of one row per warp, and few of them. Rows are shifted wherever they can be.
  REHEAT_HOST_DEVICE static constexpr one_tile_config emulated(std::size_t, const device_traits& device)
  {
    one_tile_config c{};
    c.sizes[0] = {4, {64, 1}};
    c.shifted_from_items = 1;
    c.misaligned_rows = 2;
    c.lone_blocks = device.multiprocessors;
    return c;
  }
  //! Not measured: as sm_90.
  REHEAT_HOST_DEVICE static constexpr one_tile_config sm_75(std::size_t item_bytes, const device_traits& device)
  {
    return sm_90(item_bytes, device);
  }
  //! Not measured: as sm_90.
  REHEAT_HOST_DEVICE static constexpr one_tile_config sm_80(std::size_t item_bytes, const device_traits& device)
  {
    return sm_90(item_bytes, device);
  }
  //! H200, i32: 2.25 us at 32 KB, where 512 threads × 4 rows took 2.65; 5.84 us at 4 MB, where streaming took 6.92.
  REHEAT_HOST_DEVICE static constexpr one_tile_config sm_90(std::size_t item_bytes, const device_traits& device)
  {
    const unsigned max_rows = one_tile_max_rows(item_bytes);
    one_tile_config c{};
    c.sizes[0] = {4, {128, 1}};
    c.sizes[1] = {8, {256, 1}};
    c.sizes[2] = {16, {256, 2}};
    c.sizes[3] = {item_bytes >= 8 ? 256u : 512u, {256, 1}};
    c.sizes[4] = {2048, {512, 1}};
    c.sizes[5] = {4096, {512, 2}};
    c.sizes[6] = {item_bytes == 4 ? 16384 : 2048 * max_rows, {512, max_rows}};
    c.shifted_from_items = 1 << 14; // i8, 16 KB: 3.90 us shifted, 4.84 item by item; 4 MB: 9.14, 30.4
    c.misaligned_rows = 2048;       // i32, 1 MB: 4.21 us in one tile per block, 4.68 streaming; 4 MB: 9.42, 6.82
    c.lone_blocks = device.multiprocessors;
    return c;
  }
  //! Not measured: as sm_90.
  REHEAT_HOST_DEVICE static constexpr one_tile_config sm_100(std::size_t item_bytes, const device_traits& device)
  {
    return sm_90(item_bytes, device);
  }
  //! Not measured: as sm_90.
  REHEAT_HOST_DEVICE static constexpr one_tile_config sm_120(std::size_t item_bytes, const device_traits& device)
  {
    return sm_90(item_bytes, device);
  }
};

REHEAT_HOST_DEVICE constexpr one_tile_config one_tile_config_for(int arch, std::size_t item_bytes)
{
  return row_for_arch<one_tile_rows>(arch, item_bytes, device_traits_of(arch));
}

//! The shape for inputs of `rows` rows, of items of `item_bytes` bytes in kernels compiled for `arch`. `item_by_item`: both
//! pointers are misaligned by the same number of bytes, and rows are not shifted.
constexpr one_tile_shape one_tile_shape_for(int arch, std::uint64_t rows, std::size_t item_bytes, bool item_by_item = false)
{
  const one_tile_config c = one_tile_config_for(arch, item_bytes);
  if (item_by_item && rows > c.misaligned_rows)
  {
    return {0, 0};
  }
  for (const one_tile_size& size : c.sizes)
  {
    if (rows <= size.input_rows)
    {
      return size.shape;
    }
  }
  return {0, 0};
}

//! The number of items from which on a scan shifts its rows.
constexpr std::uint64_t one_tile_shifted_from(int arch)
{
  return one_tile_config_for(arch, 1).shifted_from_items;
}

//! The blocks of scan/few_tiles. The items of a thread, of all arrays of a tile together, have so many bytes at most.
struct few_tiles_blocks
{
  unsigned thread_bytes;
  unsigned max_threads;
  unsigned max_lone_threads; //!< of a block that scans the whole input, without scratch memory
  unsigned residents;        //!< blocks on a multiprocessor; there are no more tiles
  //! Items of a thread in large tiles, which begin where there would be more small ones than the GPU has multiprocessors
  //! (but see large_lone). 0: there are none.
  unsigned large_items = 0;
  //! A block that scans the whole input may have a large tile, if the input does not fit a small one.
  bool large_lone = false;
  //! More items than the first number, up to the second one, have no large tiles: streaming is as fast.
  std::uint64_t streamed_above_items = 0, streamed_up_to_items = 0;
};
// ---- large scans ---------------------------------------------------------------------------------------------------------

//! The rows of scan_config, for accumulators of ItemBytes bytes. Each gets the fields that device_traits sets. See
//! docs/tuning-log.md, "Streaming scans, sm_90" and "…, sm_80".
template <std::size_t ItemBytes>
struct scan_rows
{
  //! Small and odd, so that small inputs cross every boundary.
  REHEAT_HOST_DEVICE static constexpr scan_config emulated(scan_config c)
  {
    c.compute_threads = 64;
    c.items_per_thread = items_in(3);
    c.stages = 4;
    c.lookahead_tiles = 2;
    c.slots_per_lane = 1;
    c.groups_per_supergroup = 3;
    c.load_threads = 64;
    c.store_threads = 32;
    c.tile_alignment = 16; // as the host's memory is: which schedule a seed gives does not depend on addresses
    c.spare_sm_from_tiles = 64;
    c.prefetch_from_half_waves = 7;
    c.evict_first_from_bytes = 4096;
    return c;
  }
  //! Not measured.
  REHEAT_HOST_DEVICE static constexpr scan_config sm_75(scan_config c)
  {
    c.compute_threads = 256;
    c.items_per_thread = items_in(3);
    c.stages = 4;
    c.lookahead_tiles = 2;
    c.load_threads = 256;
    c.store_threads = 128;
    return c;
  }
  //! As sm_80 on an H200, 1 GB of i32: 536 us. Four blocks of 128 × 5 × 4 took 607, CUB 765.
  REHEAT_HOST_DEVICE static constexpr scan_config sm_80(scan_config c)
  {
    c.compute_threads = 192;
    c.items_per_thread = items_in(7);
    c.stages = 4;
    c.lookahead_tiles = 2;
    c.load_threads = 128;
    c.store_threads = 64;
    return c;
  }
  REHEAT_HOST_DEVICE static constexpr scan_config sm_90(scan_config c)
  {
    if (ItemBytes >= 8)
    {
      // H200, i64: 12.7 us at 16 MB, 27.7 at 48 MB.
      c.compute_threads = 256;
      c.items_per_thread = items_in(7);
      c.store_threads = 16 % ItemBytes == 0 ? 64 : 128; // sums of 8 and 16 bytes need the registers
    }
    else
    {
      // H200, 64 MB of i32: 3503 GB/s. Two blocks of 256 × 3 × 8 reached 3148, of 128 × 7 × 7 3312.
      c.compute_threads = 384;
      c.items_per_thread = items_in(5);
      c.store_threads = 64;
    }
    c.stages = 7;
    c.lookahead_tiles = 3;
    c.load_threads = 256;
    c.spare_sm_from_tiles = 8192;   // a small kernel launched during 4 GB waits 15 us for its place, otherwise 1184
    c.prefetch_from_half_waves = 4; // i32, 10 MB: 9.4 us, without 10.0
    c.evict_first_from_bytes = std::uint64_t{1} << 26; // i64, 8 GB: 4148 us, without 4183
    return c;
  }
  //! Not measured: as sm_90.
  REHEAT_HOST_DEVICE static constexpr scan_config sm_100(scan_config c) { return sm_90(c); }
  //! Not measured: shapes that fit 99 KB.
  REHEAT_HOST_DEVICE static constexpr scan_config sm_120(scan_config c)
  {
    c.compute_threads = ItemBytes >= 8 ? 160 : 192;
    c.items_per_thread = items_in(ItemBytes >= 8 ? 7 : 5);
    c.stages = 6;
    c.lookahead_tiles = 3;
    c.load_threads = 256;
    c.store_threads = 128;
    return c;
  }

private:
  //! Items in chunks of 16 bytes, one at least. An odd number of chunks has no bank conflicts in blocked access.
  REHEAT_HOST_DEVICE static constexpr unsigned items_in(unsigned chunks)
  {
    return chunks * 16 < ItemBytes ? 1u : static_cast<unsigned>(chunks * 16 / ItemBytes);
  }
};

//! arch → config, for accumulators of ItemBytes bytes.
template <std::size_t ItemBytes>
struct scan_tuning
{
  REHEAT_HOST_DEVICE constexpr scan_config operator()(int arch) const
  {
    const scan_config device = scan_config_of(device_traits_of(arch));
    return scan_config_fitting(row_for_arch<scan_rows<ItemBytes>>(arch, device), {ItemBytes, ItemBytes});
  }
  REHEAT_HOST_DEVICE static constexpr std::size_t shared_bound(const scan_config& c)
  {
    return scan_shared_bound(c, {ItemBytes, ItemBytes});
  }
};

//! arch → config of scans whose association neither the architecture nor an address changes (scan association v1), for
//! accumulators of ItemBytes bytes: the tiles of sm_90, in as many stages as fit.
template <std::size_t ItemBytes>
struct fixed_scan_tuning
{
  REHEAT_HOST_DEVICE constexpr scan_config operator()(int arch) const
  {
    const scan_config device = scan_config_of(device_traits_of(arch));
    scan_config c = arch == emulated_arch ? scan_rows<ItemBytes>::emulated(device) : scan_rows<ItemBytes>::sm_90(device);
    c.fixed_tiles = true;
    c.tile_alignment = 16;
    while (shared_bound(c) > c.shared_bytes && c.stages > 2)
    {
      --c.stages;
      const unsigned ahead = c.stages < 5 ? c.stages - 2 : c.stages - 3;
      c.lookahead_tiles = c.lookahead_tiles < ahead ? c.lookahead_tiles : ahead;
    }
    return c;
  }
  //! Tighter than scan_shared_bound, so that two stages of 4-byte items fit sm_75. Accumulators are copied by their bytes.
  REHEAT_HOST_DEVICE static constexpr std::size_t shared_bound(const scan_config& c)
  {
    const std::size_t warps = c.compute_threads / simt::warp_lanes;
    return c.stages * ((c.tile_items() + c.compute_threads + 1) * ItemBytes + 64) + 2 * warps * ItemBytes + 256;
  }
};

//! Whether a tuning is of that kind.
template <class Tuning>
inline constexpr bool has_fixed_tiles_v = Tuning{}(emulated_arch).fixed_tiles;

} // namespace detail
REHEAT_NAMESPACE_END

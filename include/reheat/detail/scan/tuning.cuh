// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The numbers of the scan, and where they come from.
#pragma once

#include <reheat/detail/config.cuh>

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
  in_bulk     //!< one lane starts a copy; they leave likewise: sm_90
};

struct scan_config
{
  unsigned compute_threads;        //!< threads that reduce and scan; two more warps feed them and look back
  unsigned items_per_thread;       //!< neighbouring items of a tile that one thread owns
  unsigned stages;                 //!< tiles in shared memory at a time
  unsigned lookahead_tiles;        //!< tiles of which a block publishes the aggregates before it scans the current tile
  unsigned slots_per_lane;         //!< a group is 32 times this many tiles: the look-back warp folds one group at a time
  unsigned groups_per_supergroup;  //!< the second level of the fold
  tile_copies copies;              //!< how the architecture copies tiles
  unsigned load_threads;           //!< further threads, which load tiles that do not come in bulk
  unsigned store_threads;          //!< further threads, which store tiles that do not leave in bulk
  std::size_t shared_bytes = 0;    //!< a block's limit
  unsigned one_tile_threads = 512; //!< at most, in a block that scans one tile
  unsigned tile_alignment = 128;   //!< bytes: all tiles but a short first one start at multiples of it
  //! Scans of at least this many tiles start fewer blocks than fit the device, and leave their places to other kernels.
  std::uint64_t spare_sm_from_tiles = ~std::uint64_t{0};
  unsigned spare_sms = 1; //!< blocks fewer
  //! Scans of at least this many half waves of tiles prefetch their first wave into the L2 cache. 0: never.
  unsigned prefetch_from_half_waves = 0;
  //! Outputs of at least this many bytes are stored with the evict_first hint.
  std::uint64_t evict_first_from_bytes = ~std::uint64_t{0};
  //! Scans of fewer half waves of tiles run one block per multiprocessor, even if more are resident at full occupancy.
  unsigned full_occupancy_from_half_waves = 0;
  //! Stages of the key ring: keys are needed only until their tile is reduced. 0: keys lie beside the values.
  unsigned key_stages = 0;
  bool clears_vec16 = false; //!< registers for 16-byte vectors are set to zero first: see copy_vec16
  //! Warp specialization: as many threads again reduce tiles, while the compute threads scan earlier ones.
  bool specialize_reduce_warps = false;
  bool in_scratch = false; //!< stages are in scratch memory: see grid/memory.cuh

  REHEAT_HOST_DEVICE constexpr bool in_bulk() const { return copies == tile_copies::in_bulk; }
  REHEAT_HOST_DEVICE constexpr unsigned tile_items() const { return compute_threads * items_per_thread; }
  REHEAT_HOST_DEVICE constexpr unsigned block_threads() const
  {
    return (specialize_reduce_warps ? 2 : 1) * compute_threads + 64;
  } //!< without load and store warps
  REHEAT_HOST_DEVICE constexpr unsigned max_threads() const { return block_threads() + load_threads + store_threads; }
  REHEAT_HOST_DEVICE constexpr unsigned group_tiles() const { return 32 * slots_per_lane; }
};

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
  const std::size_t warps = c.compute_threads / 32;
  const std::size_t stage =
      c.tile_items() * bytes.item + c.compute_threads * (bytes.accum + bytes.thread) + bytes.accum + bytes.more + 64;
  const std::size_t scratch = 2 * warps + 32 * (warps + 1);
  return c.stages * stage + c.key_stages * (c.tile_items() * key.item + key.more) + scratch * bytes.accum + 1024;
}

//! Shrinks what it can until the block fits: key stages down to 2, stages and tiles ahead as long as one tile is on its
//! way and 2 are ahead, then threads, last tiles ahead. (256 × 10 keys and values of 8 bytes in 4 stages with 2 tiles ahead,
//! so that none was on its way, reduced 2^27 of them in 1288 us on an NVIDIA H200, 224 × 10 in 5 stages in 827.) Very large
//! items never fit: see scan_config_in_scratch.
REHEAT_HOST_DEVICE constexpr scan_config scan_config_fitting(scan_config c, std::size_t shared_bytes,
                                                             const stage_bytes& bytes, const key_stage_bytes& key = {})
{
  c.shared_bytes = shared_bytes;
  while (scan_shared_bound(c, bytes, key) > shared_bytes && c.key_stages > 2)
  {
    --c.key_stages;
  }
  while (scan_shared_bound(c, bytes, key) > shared_bytes && c.stages > 5)
  {
    --c.stages;
    c.lookahead_tiles = c.stages - c.lookahead_tiles < 3 ? c.stages - 3 : c.lookahead_tiles;
  }
  while (scan_shared_bound(c, bytes, key) > shared_bytes && c.compute_threads > 32)
  {
    c.compute_threads -= 32;
  }
  if (scan_shared_bound(c, bytes, key) > shared_bytes && c.stages > c.lookahead_tiles + 2)
  {
    c.stages = c.lookahead_tiles + 2;
  }
  while (scan_shared_bound(c, bytes, key) > shared_bytes && c.lookahead_tiles > 0)
  {
    --c.lookahead_tiles;
    c.stages = c.lookahead_tiles + 2;
  }
  return c;
}

//! For items so large that even the smallest tile does not fit a block's shared memory: threads copy small tiles in scratch
//! memory. One block runs on a multiprocessor and has some 200 times the size of an item there. These numbers have not been
//! measured.
REHEAT_HOST_DEVICE constexpr scan_config scan_config_in_scratch(const scan_config& c)
{
  scan_config result{32, 1, 3, 1, 1, 128, tile_copies::by_threads, 128, 128};
  result.shared_bytes = c.shared_bytes;
  result.tile_alignment = c.tile_alignment;
  result.full_occupancy_from_half_waves = ~0u;
  result.in_scratch = true;
  return result;
}

//! Rows of lanes' items that a warp of a one-tile block holds in registers at most.
constexpr unsigned one_tile_max_rows(std::size_t item_bytes)
{
  return item_bytes <= 16 ? 4 : 2;
}

//! What a small scan is cut into: tiles of block_threads / 32 · rows rows, one per block. No rows: not that small.
struct one_tile_shape
{
  unsigned block_threads;
  unsigned rows; //!< of each warp
};

//! The shape for inputs of `rows` rows, of items of `item_bytes` bytes in kernels compiled for `arch`.
//!
//! Measured on an NVIDIA H200, i32, i8 and i64, rows of 512 bytes, all of 32–512 threads × 1–4 rows; us inside a graph, ×
//! CUB 3.0.1. One tile while the exchange costs more than waiting for its own rows. Then tiles of 4 KB, more blocks beat
//! more rows: 2.25 at 32 KB (512 threads × 4 rows took 0.4 more), until many blocks poll the same slots. 4 MB: 5.84 (× 1.42;
//! streaming 6.92), 8 MB: 8.14 (× 1.30; streaming 8.69), 16 MB: 15.0 (streaming 13.6). At 5 to 8 MB streaming is ahead for
//! bytes (7.55 against 7.98, 8.89 against 9.20); for 8-byte items, which take 74 registers, so that half as many blocks are
//! resident (7.40 against 9.55, 8.55 against 10.9); and for operators that cost more than an addition (f16: 8 MB took 14.4,
//! CUB 13.2), though not for 2-byte integers (7.57 against 6.85, 8.79 against 8.35).
constexpr one_tile_shape one_tile_shape_for(int arch, std::uint64_t rows, std::size_t item_bytes)
{
  if (arch == 0) // the emulator: tiles of two rows
  {
    return rows <= 4 ? one_tile_shape{64, 1} : one_tile_shape{0, 0};
  }
  const unsigned max_rows = one_tile_max_rows(item_bytes);
  const unsigned wide = item_bytes >= 8 ? 2 : 1;
  if (rows <= 4)
  {
    return {128, 1};
  }
  if (rows <= 512 / wide)
  {
    return {256, rows <= 8 || rows > 16 ? 1u : 2u};
  }
  if (rows <= 2048)
  {
    return {512, 1};
  }
  if (rows <= 4096)
  {
    return {512, 2};
  }
  const unsigned limit = item_bytes == 4 ? 16384 : 8192 * max_rows / 4;
  return rows <= limit ? one_tile_shape{512, max_rows} : one_tile_shape{0, 0};
}

//! So many blocks have a multiprocessor each: those of an NVIDIA H200.
inline constexpr unsigned one_tile_lone_blocks = 132;

//! From how many items on a tile per block shifts its rows, where input and output are misaligned alike. Below, the lane
//! that lacks items costs more than it saves: a prototype, i32 in a graph on an NVIDIA H200, 4 KB 2.40 us (item by
//! item 1.96), 64 KB 3.75 (3.64), 1 MB 4.72 (4.97), 4 MB 7.20 (8.82); i8, 16 KB 3.90 (4.84), 4 MB 9.14 (30.4).
constexpr std::uint64_t one_tile_shifted_from(int arch)
{
  return arch == 0 ? 1 : 1 << 14;
}

//! arch → config, for accumulators of ItemBytes bytes.
//!
//! sm_90 and sm_100, one block per multiprocessor (227 KB): 384 × 5 chunks of 16 bytes × 7 stages, 3 tiles ahead,
//! reached 4.05– 4.30 TB/s at 256 MB – 4 GB of 1-, 2- and 4-byte items on an NVIDIA H200, 0.92–1.01 of a plain copy; 8-byte
//! items 256 × 7 × 7. With 0 or 1 tile ahead every tile waited 0.7–1.4 us for its prefix (3.0–3.3 TB/s). The number of
//! chunks is odd: blocked access without bank conflicts. Rejected, at 64 MB of i32: two blocks of 256 × 3 × 8 (3148 GB/s
//! against 3503), of 128 × 7 × 7 (3312), of 256 × 5 × 5 (3262).
//!
//! Such a block leaves no shared memory to others: a small kernel that needs some and was launched during a scan of 4 GB
//! waited for its end, 1184 us at the median. With one multiprocessor free, 15 us (CUB: 19), and i32 scans of 256 MB, 1 GB
//! and 4 GB take 0.999–1.001 of the time (reheat-concurrency). Hence one block less, from 8192 tiles on, 240 MB.
//!
//! Before a block knows its first tile, it asks for that of its index to come into the L2 cache: all blocks' are those that
//! will be drawn first. us in a graph without and with that, from two waves of tiles on: i32 10 MB 10.0, 9.4; 12 MB 11.0,
//! 10.8; 13 MB 11.7, 11.3; i64 10 MB 9.8, 9.3; i8 9 MB 9.6, 9.2; from 14 MB on both are level. Two or four tiles per block
//! were no better.
//!
//! When tickets are drawn (scan_produce), us inside graphs, in turns, in a program of its own: each while the one before it
//! was used → when the tile that was in its stage has its prefix → and two tiles at most are on their way, with that
//! prefetch (reheat-perf, two runs, 16 MB of i32: 13.1 → 12.9):
//!
//! * i32: 10 MB 9.8, 9.7, 9.4; 16 MB 13.6, 13.4, 12.9; 20 MB 15.2, 16.0, 14.6; 24 MB 17.5, 17.2, 16.3;
//!   32 MB 21.5, 21.3, 20.2; 48 MB 28.8, 28.9, 28.1; 256 MB 130.8, 130.9, 129.6.
//! * i64: 10 MB 9.9, 9.6, 9.3; 16 MB 12.9, 12.9, 12.7; 24 MB 17.2, 16.9, 16.1; 48 MB 28.4, 28.2, 27.7.
//! * i8: 16 MB 13.7, 13.5, 13.4; 24 MB 18.2, 17.6, 16.9.
//! * 16 and 48 MB of i32 with one tile on its way 14.5, 34.3; with three 13.1, 28.4; with pauses of 200 ns between the
//!   first tickets 13.3, 28.5; with 2 and 4 tiles ahead 13.0, 30.4 and 13.1, 28.9.
//! * Between 3.5 and 5 waves there is little in it: i8 is level from 3.7 waves on, i64 level or 1 % slower up to 4.5; from
//!   3.5 to 3.75 it is a loss, why is not known: 14 MB of i32 12.5 → 12.8, of i8 12.9 → 13.8. (With three on their way 12.3
//!   and 12.5, but 3–7 % more from 18 to 40 MB.)
//! * As sm_80: 16 MB of i32 15.7, 15.6, 15.2; 32 MB 24.8, 23.6, 23.6; 256 MB 140.7, 137.1, 137.1.
//! * By key, 2^23 items: 3 to 6 % less; 2^27: segment_tuning.
//! * Not measured: sm_120; inputs that load warps move through their registers; rings of two to five stages, which large
//!   items have.
//!
//! sm_80, as whose PTX sm_86 and sm_89 run, too: what 99 KB hold. On an NVIDIA H200, which holds two such blocks a
//! multiprocessor, so that one loads while the other scans, from PTX for compute_80, us inside a graph at 64 MB, 256 MB and
//! 1 GB of i32, of i64 (CUB 3.0.1: 52.6, 196, 765; 45.2, 164, 638), before tickets were drawn late:
//!
//! * 192 × 7 × 4, 2 ahead, 128 load threads that start copies of vectors: 42.0, 141, 536; 40.6, 139, 533. 64 and 96 load
//!   threads are 0.5 % faster there, but others' input has use of more.
//! * 192 × 5 × 6, 3 ahead, 32, 64, 256 load threads: 529, 531, 576 at 1 GB of i32; 536, 547, 601 of i64.
//! * The same, 256 load threads that move them through their registers: 47.5, 168, 648; 45.7, 161, 622.
//! * 160 × 7 × 5, 128 × 7 × 6, 128 × 9 × 5: 542, 534, 542 at 1 GB of i32. Three blocks of 128 × 5 × 6: 547; four of 128 × 5
//!   × 4: 607. 192 × 7 × 4 with 1 ahead: 805.
//!
//! Up to three and a half waves one such block a multiprocessor is faster than two: 12, 16, 18 MB of i64 12.0, 14.3, 15.4,
//! with two 13.5, 15.8, 15.8; 20 MB 17.2, with two 16.6 (CUB 11.3, 15.4 at 12 and 16 MB). Why is not known. The first wave's
//! lines are asked for there, too: 7 and 8 MB of i64 8.7, 9.4, without 9.1, 9.8.
//!
//! Outputs of 64 MB and more, which the cache could not hold for who comes next, are stored with the evict_first hint: i64
//! of 2 and 8 GB take 1056 and 4148 us with it, 1064 and 4183 without. Smaller ones stay in the cache: producer, scan and
//! consumer of 16 MB of i32 take 23.5 us then, with the hint 24.9 (CUB 24.0), of 32 MB 38.3 and 40.5, of 64 MB 78.8
//! and 78.3.
template <std::size_t ItemBytes>
struct scan_tuning
{
  REHEAT_HOST_DEVICE constexpr scan_config operator()(int arch) const
  {
    if (arch == 0) // the emulator: small and odd, so that small inputs cross every boundary
    {
      scan_config config{64, items_in(3), 4, 2, 1, 3, tile_copies::in_bulk, 64, 32};
      config.tile_alignment = 16; // as the host's memory is: which schedule a seed gives does not depend on addresses
      config.spare_sm_from_tiles = 64;
      config.prefetch_from_half_waves = 7;
      config.evict_first_from_bytes = 4096;
      return fitting(config, 227 * 1024);
    }
    if (arch >= 900 && arch < 1200)
    {
      constexpr unsigned store_threads = 16 % ItemBytes == 0 ? 64 : 128; // sums of 8 and 16 bytes need the registers
      scan_config config = ItemBytes >= 8
                               ? scan_config{256, items_in(7), 7, 3, 4, 128, tile_copies::in_bulk, 256, store_threads}
                               : scan_config{384, items_in(5), 7, 3, 4, 128, tile_copies::in_bulk, 256, 64};
      config.spare_sm_from_tiles = 8192;
      config.prefetch_from_half_waves = 4;
      config.evict_first_from_bytes = std::uint64_t{1} << 26;
      config.clears_vec16 = arch >= 1000;
      return fitting(config, 227 * 1024);
    }
    if (arch >= 1200) // 99 KB per block
    {
      constexpr unsigned threads = ItemBytes >= 8 ? 160 : 192, chunks = ItemBytes >= 8 ? 7 : 5;
      scan_config config{threads, items_in(chunks), 6, 3, 4, 128, tile_copies::in_bulk, 256, 128};
      config.clears_vec16 = true;
      return fitting(config, 99 * 1024);
    }
    if (arch >= 800) // 99 KB per block on sm_86 and sm_89
    {
      scan_config config{192, items_in(7), 4, 2, 4, 128, tile_copies::in_vec16, 128, 64};
      config.prefetch_from_half_waves = 4;
      config.full_occupancy_from_half_waves = 7;
      return fitting(config, 99 * 1024);
    }
    return fitting({256, items_in(3), 4, 2, 4, 128, tile_copies::by_threads, 256, 128}, 64 * 1024);
  }
  REHEAT_HOST_DEVICE static constexpr std::size_t shared_bound(const scan_config& c)
  {
    return scan_shared_bound(c, {ItemBytes, ItemBytes});
  }

private:
  //! Items in chunks of 16 bytes, one at least.
  REHEAT_HOST_DEVICE static constexpr unsigned items_in(unsigned chunks)
  {
    return chunks * 16 < ItemBytes ? 1u : static_cast<unsigned>(chunks * 16 / ItemBytes);
  }
  REHEAT_HOST_DEVICE static constexpr scan_config fitting(const scan_config& c, std::size_t shared_bytes)
  {
    return scan_config_fitting(c, shared_bytes, {ItemBytes, ItemBytes});
  }
};

} // namespace detail
REHEAT_NAMESPACE_END

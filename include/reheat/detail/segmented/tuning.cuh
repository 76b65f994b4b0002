// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The numbers of segmented reductions and scans. They are the same for every architecture, because results depend on them:
//! spans and tiles follow from these numbers, from offsets and from addresses alone.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/device_traits.cuh>
#include <reheat/detail/segmented/spans.cuh>

#include <cstddef>
#include <cstdint>
#include <type_traits>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

struct segmented_config
{
  unsigned block_threads;
  unsigned items_per_thread;
  unsigned window_ends; //!< ends of segments that a block looks at together, at most
  bool keeps_ends;      //!< in shared memory, while it works on the items before them
  bool partial_in_bulk; //!< a last tile of whole vectors of 16 bytes is loaded in bulk, too
  unsigned stages;      //!< tiles in shared memory
  unsigned resident_blocks;
  unsigned carry_threads; //!< of scans: of a block that folds what spans carry, a warp each
  span_limits spans;
  unsigned rows;              //!< that a warp loads before it folds them, where there are no tiles
  unsigned stream_rows;       //!< likewise, if it streams a part of a span
  unsigned stream_mean_items; //!< of a segment on average: warps stream so long ones, if it is not 0
  unsigned stream_min_items;  //!< of all segments, at least
  bool streams_words;         //!< items of 4 bytes, too
  unsigned few_segments;      //!< so many at most are reduced in one launch, or scanned if they may lie anywhere
  std::uint64_t whole_items;  //!< a segment of so many at most is not cut
  unsigned few_shares;        //!< nor is one of at most 1/few_shares of all items
  unsigned few_chunks;        //!< at most, beside one for each long segment
  std::uint64_t chunk_items;  //!< at least, of a chunk
  bool in_scratch;            //!< the block's arrays lie in scratch memory

  REHEAT_HOST_DEVICE constexpr unsigned warps() const { return block_threads / 32; }
  REHEAT_HOST_DEVICE constexpr unsigned tile_items() const { return block_threads * items_per_thread; }
};

//! Items per thread: at most 80 bytes of them, and where vectors of 16 bytes hold them, an odd number of vectors, so that
//! threads read their items without bank conflicts. Of bytes there are 32, a bit of a word for each. With 16, sums of 2^28
//! u8 in segments of 64 took 1.14 times as long (NVIDIA H100).
REHEAT_HOST_DEVICE constexpr unsigned segmented_items_per_thread(std::size_t bytes)
{
  return bytes > 40            ? 1
         : bytes == 1          ? 32
         : bytes == 2          ? 24
         : 16 % bytes == 0     ? static_cast<unsigned>(80 / bytes)
         : 80 / bytes % 2 == 0 ? static_cast<unsigned>(80 / bytes - 1)
                               : static_cast<unsigned>(80 / bytes);
}

template <std::size_t AccumBytes>
struct segmented_tuning
{
  REHEAT_HOST_DEVICE constexpr segmented_config operator()(int arch) const
  {
    segmented_config c{};
    if (arch == emulated_arch) // small, so that small inputs cross every boundary
    {
      c.block_threads = 64;
      c.items_per_thread = AccumBytes > 40 ? 1 : AccumBytes > 4 ? 2 : 4;
      c.window_ends = 96;
      c.spans = {4, 134, AccumBytes > 512 ? AccumBytes : 512, 4096}; // more than the threads join in a round
      c.rows = 2;
      c.stream_rows = 2;
      c.stream_mean_items = 16;
      c.stream_min_items = 500;
      c.streams_words = true;
      c.few_segments = 64;
      c.whole_items = 600;
      c.chunk_items = 300;
    }
    else
    {
      // NVIDIA H100, sums of 2^28 u32 in segments of 4, 64 and 512, and one giant: 614, 434, 412, 363 us. 128 threads of 28
      // items, six blocks: 1.02, 1.13, 1.08, 0.99 times as long. 192 of 28, four blocks: 1.4 (for want of ends in a window),
      // 1.00, 1.03, 0.95. 256 of 20, four blocks of 64 registers: 1.6, 1.03, 1.04, 0.97.
      c.block_threads = 256;
      c.items_per_thread = segmented_items_per_thread(AccumBytes);
      c.window_ends = 1536; // six registers a thread: eight spill others
      // 396: three blocks on each of 132 multiprocessors. Up to 1584 for large inputs: 0.91 of the time in segments of 4,
      // 0.98 with one giant. 396 blocks that reduce several of them in turn: 1.09 of the time in segments of 512. At least a
      // tile of 4-byte items.
      c.spans = {396, 1584, AccumBytes > 20480 ? AccumBytes : 20480, std::uint64_t{1} << 20};
      c.rows = 8;
      // NVIDIA H200: with 8 rows, 2^24 u32 in segments of 2048 take 30.2 us in place of 25.8. u32 in segments of 128 take
      // 1.2 of the time that tiles take, of 256 0.87; u8 in segments of 256 1.08, of 512 0.76. Of 2^20 items 1.2, of 2^24
      // 0.93: a warp looks for its part of a span. In a kernel that can stream u32, tiles have fewer registers: segments
      // of 64 take 1.05, more than u32 in segments of 8192 gain.
      c.stream_rows = 4;
      c.stream_mean_items = 256;
      c.stream_min_items = 1u << 23;
      c.streams_words = false;
      c.few_segments = 2048;
      c.whole_items = 131072 / AccumBytes;
      c.chunk_items = 16384 / AccumBytes;
    }
    c.keeps_ends = true;
    c.stages = 2;
    c.resident_blocks = 3;
    c.few_shares = arch == emulated_arch ? c.spans.max_spans : 198;
    c.few_chunks = c.spans.max_spans;
    return c;
  }
};

//! Reductions of segments of one size. Folds depend on few_segments, short_items, many_segments and whole_items, and on rows
//! where operands do not change places.
struct equal_config
{
  unsigned block_threads;
  unsigned resident_blocks;
  unsigned min_blocks, max_blocks;          //!< that take turns, if there are so many
  unsigned lane_turns;                      //!< of a warp at a time, of segments that a lane folds
  unsigned team_turns;                      //!< likewise, where each lane of a team has one vector
  unsigned long_turns;                      //!< likewise, where each has several
  unsigned rows;                            //!< that a warp loads before it folds them, of longer ones
  std::uint64_t few_segments, short_items;  //!< more segments than this may have so many items, which one warp folds
  std::uint64_t many_segments, whole_items; //!< likewise

  REHEAT_HOST_DEVICE constexpr unsigned warps() const { return block_threads / 32; }
  //! Whether lanes and warps reduce segments of `size` >= 1 items. A row has `row_items` items.
  REHEAT_HOST_DEVICE constexpr bool serves(std::uint64_t segments, std::uint64_t size, unsigned row_items) const
  {
    return size <= std::uint64_t{rows} * row_items || (segments > few_segments && size <= short_items) ||
           (segments > many_segments && size <= whole_items);
  }
};

template <class Accum>
struct equal_tuning
{
  REHEAT_HOST_DEVICE constexpr equal_config operator()(int arch) const
  {
    equal_config c{};
    if (arch == emulated_arch) // small, so that small inputs take every way
    {
      c.block_threads = 64;
      c.resident_blocks = 4;
      c.min_blocks = 2;
      c.max_blocks = 3;
      c.lane_turns = 3;
      c.team_turns = 2;
      c.long_turns = 2;
      c.rows = 2;
      c.few_segments = 20;
      c.short_items = 400;
      c.many_segments = 40;
      c.whole_items = 600;
      return c;
    }
    c.block_threads = 128;
    c.resident_blocks = 6; // eight leave 64 registers a thread, which spill
    c.min_blocks = 1024;
    c.max_blocks = 8192;
    c.lane_turns = 8;
    c.team_turns = 4;
    c.long_turns = 1;
    c.rows = 8;
    c.few_segments = 1024;
    c.short_items = 16384 / sizeof(Accum);
    c.many_segments = 8192;
    c.whole_items = 131072 / sizeof(Accum);
    return c;
  }
};

//! Reductions of long segments of one size. Folds depend on all numbers but resident_blocks and full_batches.
struct equal_blocks_config
{
  unsigned block_threads;
  unsigned resident_blocks;
  unsigned rows;           //!< that a warp loads before it folds them
  bool full_batches;       //!< have code of their own; no fold depends on it
  unsigned shares;         //!< into which all items are cut, unless each segment has a block
  std::uint64_t min_share; //!< items of a share, at least
  std::uint64_t
      whole_items; //!< a segment of so many at most is not cut; of twice as many, if there are no more segments than shares
  std::uint64_t many_segments; //!< if there are so many segments or more, none is cut
  std::uint64_t max_blocks;    //!< more segments than this never have a block each
  unsigned lane_pieces;        //!< of a segment, which a lane joins

  REHEAT_HOST_DEVICE constexpr unsigned warps() const { return block_threads / 32; }
};

template <class Accum>
struct equal_blocks_tuning
{
  REHEAT_HOST_DEVICE constexpr equal_blocks_config operator()(int arch) const
  {
    equal_blocks_config c{};
    if (arch == emulated_arch) // small, so that small inputs take every way
    {
      c.block_threads = 64;
      c.resident_blocks = 4;
      c.rows = 2;
      c.full_batches = true;
      c.shares = 7;
      c.min_share = 100;
      c.whole_items = 300;
      c.many_segments = 20;
      c.max_blocks = 30;
      c.lane_pieces = 3;
      return c;
    }
    c.block_threads = 256;
    c.resident_blocks = 3;
    c.rows = 8;
    // 2^28 u32 in segments of 10^6: 245 us in place of 248, 2^24 in segments of 8192: 18.7, 20.7; but u64 487 and 37.7 us in
    // place of 478 and 35.3 (NVIDIA H200).
    c.full_batches = sizeof(Accum) <= 4;
    // Three for each of 132 multiprocessors. In 264 of twice the threads, and in 528, 2^28 u64 in segments of 10^6 took 1.02
    // and 1.01 times as long (NVIDIA H200).
    c.shares = 396;
    c.min_share = 8192 / sizeof(Accum);
    c.whole_items = 65536 / sizeof(Accum);
    c.many_segments = 2048;
    c.max_blocks = 1u << 20;
    c.lane_pieces = 8;
    return c;
  }
};

//! Reductions of segments that may lie anywhere. Folds depend on lane_items, rows, whole_items and min_whole_items,
//! max_pieces and lane_values.
struct anywhere_config
{
  unsigned block_threads;
  unsigned resident_blocks;
  unsigned many_groups;          //!< so many at least, if they have fewer than 32 segments
  unsigned max_blocks;           //!< that take groups
  unsigned list_blocks;          //!< that take pieces
  unsigned lane_items;           //!< that a lane folds at most, of a segment that one lane or eight lanes fold
  unsigned rows;                 //!< that a warp loads before it folds them, of a longer one
  std::uint64_t warp_items;      //!< of a segment that is not listed
  std::uint64_t min_whole_items; //!< fewer items never make two pieces
  std::uint64_t whole_items;     //!< more always do. Between them the number of segments decides (room_for)
  std::uint64_t max_pieces;      //!< of a segment
  unsigned lane_values;          //!< of pieces, that a lane joins
  unsigned list_segments;        //!< that the list has room for
  unsigned list_pieces;          //!< likewise

  REHEAT_HOST_DEVICE constexpr unsigned warps() const { return block_threads / 32; }
  //! Neighbouring pieces whose values a warp joins at a time.
  REHEAT_HOST_DEVICE constexpr unsigned part_pieces() const { return 32 * lane_values; }
};

//! `Commutes`: operands of the operator may change places. Others are called by lanes that differ, and take more registers.
template <class Accum, bool Commutes>
struct anywhere_tuning
{
  REHEAT_HOST_DEVICE constexpr anywhere_config operator()(int arch) const
  {
    anywhere_config c{};
    if (arch == emulated_arch) // small, so that small inputs take every way
    {
      c.block_threads = 64;
      c.resident_blocks = 4;
      c.many_groups = 12;
      c.max_blocks = 5;
      c.list_blocks = 3;
      c.lane_items = 2;
      c.rows = 1;
      c.warp_items = 100;
      c.min_whole_items = c.whole_items = 144;
      c.max_pieces = 140;
      c.lane_values = 2;
      c.list_segments = 40;
      c.list_pieces = 400;
      return c;
    }
    constexpr std::size_t bytes = sizeof(Accum);
    c.block_threads = 128;
    // As many as registers allow without spills. Extrema with their indices take more than numbers.
    c.resident_blocks = bytes > 8 ? 3 : !std::is_arithmetic_v<Accum> ? 4 : bytes > 4 || !Commutes ? 5 : 6;
    c.many_groups = 4096;
    c.max_blocks = 1u << 20;
    c.list_blocks = 132 * c.resident_blocks; // more than a GPU holds do no harm
    c.lane_items = bytes > 8 ? 2 : bytes > 4 ? 4 : 8;
    // A warp has 2 KB on their way at a time. With 4 KB and a block less on each multiprocessor, short segments took a
    // quarter to a third longer. Of 1 GB there are 8192 pieces, three for each warp of an NVIDIA H200.
    c.rows = 4;
    c.warp_items = 8192 / bytes;
    // The same whatever the number of segments, so that a segment's bits follow from the segment alone. With 4 KB where
    // there are few, 2^20 items in segments of 8192 took .8 of the time.
    c.min_whole_items = c.whole_items = 16384 / bytes;
    c.max_pieces = 8192;
    c.lane_values = 8;
    c.list_segments = 32768;
    c.list_pieces = 131072;
    return c;
  }
};

//! Reductions of a few segments that may lie anywhere, by exact operators. No fold depends on these numbers.
struct few_anywhere_config
{
  unsigned block_threads;
  unsigned resident_blocks;
  unsigned rows;             //!< that a warp loads before it folds them
  unsigned max_segments;     //!< more are not few
  unsigned many_segments;    //!< up to so many have a block each, up to twice as many share it in twos, more in fours
  unsigned sharing_blocks;   //!< that share long segments
  std::uint64_t whole_items; //!< of a segment that one block folds, at most; four times as many of many_segments / 4
  unsigned chunks;           //!< of long segments, at most, beside one for each
  std::uint64_t chunk_items; //!< at least, of a chunk
  unsigned lane_chunks;      //!< of a segment, which a lane joins

  REHEAT_HOST_DEVICE constexpr unsigned warps() const { return block_threads / 32; }
  REHEAT_HOST_DEVICE constexpr unsigned max_chunks() const { return chunks + max_segments; }
};

template <class Accum>
struct few_anywhere_tuning
{
  REHEAT_HOST_DEVICE constexpr few_anywhere_config operator()(int arch) const
  {
    few_anywhere_config c{};
    if (arch == emulated_arch) // small, so that small inputs take every way
    {
      c.block_threads = 64;
      c.resident_blocks = 4;
      c.rows = 2;
      c.max_segments = 128;
      c.many_segments = 24;
      c.sharing_blocks = 3;
      c.whole_items = sizeof(Accum) < 4 ? 1024 / sizeof(Accum) + 100 : 500;
      c.chunks = 30;
      c.chunk_items = 150;
      c.lane_chunks = 3;
      return c;
    }
    c.block_threads = 256;
    c.resident_blocks = 3;
    c.rows = 8;
    c.max_segments = 2048;
    c.many_segments = 512;
    c.sharing_blocks = 264;
    c.whole_items = 65536 / sizeof(Accum);
    c.chunks = 1056;
    c.chunk_items = 32768 / sizeof(Accum);
    c.lane_chunks = 8;
    return c;
  }
};

//! Scans of segments that may lie anywhere. No segment is listed that is not cut, so warp_items does not matter.
struct anywhere_scan_config : anywhere_config
{
  unsigned short_items; //!< of a segment that is scanned together with others, at most
};

template <class Accum, bool Commutes>
struct anywhere_scan_tuning
{
  REHEAT_HOST_DEVICE constexpr anywhere_scan_config operator()(int arch) const
  {
    anywhere_scan_config c{};
    static_cast<anywhere_config&>(c) = anywhere_tuning<Accum, Commutes>{}(arch);
    if (arch == emulated_arch)
    {
      c.short_items = 20;
      c.min_whole_items = 40;
      return c;
    }
    constexpr std::size_t bytes = sizeof(Accum);
    c.resident_blocks = bytes > 8 ? 3 : bytes > 4 || !Commutes ? 4 : 5;
    c.many_groups = 8192;
    c.short_items = 64;
    // Where there are few segments, their pieces are small, so that all multiprocessors have some.
    c.min_whole_items = 8192 / bytes;
    c.whole_items = 32768 / bytes;
    return c;
  }
};

//! Scans. Where tiles move by bulk copies, a third stage holds the one that is being stored.
template <std::size_t AccumBytes>
struct segmented_scan_tuning
{
  REHEAT_HOST_DEVICE constexpr segmented_config operator()(int arch) const
  {
    segmented_config c = segmented_tuning<AccumBytes>{}(arch);
    c.keeps_ends = false;
    c.stream_mean_items = 0;
    c.partial_in_bulk = true;                              // spans are of a few tiles, and most borders are aligned
    c.stages = device_traits_of(arch).bulk_copies ? 3 : 2; // changes no result
    if (2 * c.stages * c.tile_items() * AccumBytes > device_traits_of(arch).block_shared_bytes)
    {
      c.resident_blocks = 1; // no second one fits, so threads may have its registers
    }
    // A chunk is read twice, so a segment that takes a block no longer than others have work is not cut. 2^24 u32 in
    // segments of 2^16: 85 us if cut, 44 if not. A giant of 2^24 in 264, 528, 1056 and 2048 chunks: 99, 72, 81, 88 us
    // (NVIDIA H200).
    c.few_shares = arch == emulated_arch ? 4 : 198;
    c.few_chunks = arch == emulated_arch ? 134 : 528;
    c.whole_items = arch == emulated_arch ? c.whole_items : 65536 / AccumBytes;
    const std::uint64_t least = 2 * AccumBytes;
    if (arch == emulated_arch)
    {
      c.carry_threads = 128;
      c.spans = {4, 70, least > 1024 ? least : 1024, 8192};
      return c;
    }
    c.carry_threads = 512;
    c.spans = {396, 8192, least > 32768 ? least : 32768, std::uint64_t{1} << 18};
    return c;
  }
};

} // namespace detail
REHEAT_NAMESPACE_END

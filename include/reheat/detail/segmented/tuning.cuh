// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The numbers of segmented reductions. They are the same for every architecture, because results depend on them: spans and
//! tiles follow from these numbers, from offsets and from addresses alone.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/device_traits.cuh>
#include <reheat/detail/segmented/spans.cuh>

#include <cstddef>
#include <cstdint>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

struct segmented_config
{
  unsigned block_threads;
  unsigned items_per_thread;
  unsigned window_ends; //!< ends of segments that a block looks at together, at most
  unsigned stages;      //!< tiles in shared memory
  unsigned resident_blocks;
  unsigned join_threads; //!< of the block that joins spans
  span_limits spans;
  bool in_scratch; //!< the block's arrays lie in scratch memory

  REHEAT_HOST_DEVICE constexpr unsigned warps() const { return block_threads / 32; }
  REHEAT_HOST_DEVICE constexpr unsigned tile_items() const { return block_threads * items_per_thread; }
};

//! Items per thread: at most 80 bytes of them, and where vectors of 16 bytes hold them, an odd number of vectors, so that
//! threads read their items without bank conflicts. Of bytes there are 32, a bit of a word for each: sums of 2^28 u8 in
//! segments of 64 take 427 us, with 16 a thread 485 (NVIDIA H100).
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
      c.stages = 2;
      c.join_threads = 64;
      c.spans = {4, 70, AccumBytes > 512 ? AccumBytes : 512, 4096};
    }
    else
    {
      // NVIDIA H100, sums of 2^28 u32 in segments of 4, 64 and 512, and one giant: 610, 431, 409, 364 us. 128 threads of 28
      // items, six blocks: 622, 492, 455, 366. 192 of 28, four blocks: 887 (for want of ends in a window), 441, 427, 352.
      // 256 of 20, four blocks of 64 registers: 988, 451, 433, 359.
      c.block_threads = 256;
      c.items_per_thread = segmented_items_per_thread(AccumBytes);
      c.window_ends = 1536; // six registers a thread: eight spill others
      c.stages = 2;
      c.join_threads = 512; // 1024 take 0.6 us longer, 256 need a second round for few_spans
      // As many as three blocks a multiprocessor (132). 1584 in place of 396 for large inputs: 608 us for 670 in segments of
      // 4, 383 for 391 with one giant.
      c.spans = {396, 1584, AccumBytes > 16384 ? AccumBytes : 16384, std::uint64_t{1} << 20};
    }
    c.resident_blocks = 3;
    return c;
  }
};

} // namespace detail
REHEAT_NAMESPACE_END

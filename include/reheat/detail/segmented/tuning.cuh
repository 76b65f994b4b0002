// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The numbers of segmented reductions.
//!
//! A result depends on them, as the spans of blocks and the tiles inside them follow from nothing else but offsets and
//! addresses. So they are the same on every architecture.
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
//! threads read their items without bank conflicts.
REHEAT_HOST_DEVICE constexpr unsigned segmented_items_per_thread(std::size_t bytes)
{
  return bytes > 40            ? 1
         : bytes == 1          ? 16
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
      c.block_threads = 256;
      c.items_per_thread = segmented_items_per_thread(AccumBytes);
      c.window_ends = 2048;
      c.stages = 2;
      c.join_threads = 512;
      c.spans = {396, 1584, AccumBytes > 16384 ? AccumBytes : 16384, std::uint64_t{1} << 20};
    }
    c.resident_blocks = 3;
    return c;
  }
};

} // namespace detail
REHEAT_NAMESPACE_END

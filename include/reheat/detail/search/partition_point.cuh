// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Where a partitioned range is divided: one block looks at as many items at a time as it has threads. Three rounds suffice
//! for 2^30 items, where a bisection takes 30. Each round waits for memory once.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/device_traits.cuh>
#include <reheat/detail/grid/result.cuh>
#include <reheat/detail/simt/simt.cuh>

#include <cstddef>
#include <cstdint>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

//! On the emulator small inputs take several rounds, too.
REHEAT_HOST_DEVICE constexpr unsigned partition_point_threads(int arch)
{
  return arch == emulated_arch ? 64 : 1024;
}

REHEAT_HOST_DEVICE constexpr std::size_t partition_point_shared_bytes(unsigned threads)
{
  return 2 * threads / simt::warp_lanes * sizeof(unsigned);
}

//! Stores how many items precede the first for which `is_first(index)` is false, of `items` >= 1. All items for which it is
//! true come before all others; if not, the result is some number of at most `items`. One block.
template <class IsFirst>
REHEAT_KERNEL(partition_point_threads(simt::arch))
partition_point_kernel(IsFirst is_first, std::uint64_t items, std::uint64_t* result)
{
  constexpr unsigned threads = partition_point_threads(simt::arch), warps = threads / simt::warp_lanes;
  simt::shared_memory memory;
  unsigned* const counts = memory.template array<unsigned>(2 * warps); // [parity of the round][warp]
  simt::grid_dependency_wait(simt::unless(simt::fault::search_too_early));
  simt::trigger_dependent_launch();
  std::uint64_t low = 0, high = items; // the result is neither lower nor higher
  for (unsigned round = 0; low != high; ++round)
  {
    // A thread's candidate is the last item of its part. Behind the threads' parts is one more, without a candidate.
    const std::uint64_t part = (high - low + threads) / (threads + 1);
    const std::uint64_t candidate = low + (simt::thread_index() + 1) * part - 1;
    const unsigned votes = simt::ballot(candidate < high && is_first(candidate));
    unsigned* const of_round = counts + (simt::fault_active(simt::fault::one_count_buffer) ? 0 : round % 2) * warps;
    if (simt::lane_index() == 0)
    {
      of_round[simt::warp_index()] = simt::count_ones(votes);
    }
    simt::sync_block(simt::unless(simt::fault::skip_counts_barrier)); // all counts are there; the next round uses others
    std::uint64_t before = 0;
    for (unsigned warp = 0; warp < warps; ++warp)
    {
      before += of_round[warp];
    }
    low += before * part;
    const std::uint64_t behind = low + part - 1; // the first candidate that is not before the result, if there is one
    high = before < threads && behind < high ? behind : high;
  }
  if (simt::thread_index() == 0)
  {
    store_result(result, low);
  }
}

} // namespace detail
REHEAT_NAMESPACE_END

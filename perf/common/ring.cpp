// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
#include "common/ring.hpp"

#include <algorithm>

namespace perf
{
namespace
{

// Were a line replaced at random, one in six would survive a ring of twice the cache until its next turn, and one in fifty
// this one.
constexpr std::uint64_t ring_caches = 4;
constexpr double graph_seconds = 1e-3; // a launch's own time, a few us, then hides in the spread
constexpr double shortest_gpu_seconds = 2e-6;

// So many rounds of so many calls fill a launch.
std::uint64_t rounds(std::uint64_t calls, std::uint64_t moved_bytes)
{
  const double call_seconds = std::max(static_cast<double>(moved_bytes) / guessed_bytes_per_second, shortest_gpu_seconds);
  return static_cast<std::uint64_t>(graph_seconds / (static_cast<double>(calls) * call_seconds)) + 1;
}

} // namespace

ring make_ring(std::uint64_t slot_bytes, std::uint64_t moved_bytes, bool once, const device_size& device)
{
  const std::uint64_t wanted = ring_caches * device.l2_bytes / slot_bytes + 1;
  ring made{};
  made.slots = std::min({wanted, max_ring_calls, device.free_bytes / slot_bytes});
  if (made.slots == 0)
  {
    return made;
  }
  // One slot that alone exceeds the cache evicts itself.
  made.flush_between = made.slots * slot_bytes <= ring_caches * device.l2_bytes;
  made.calls = made.slots * (once || made.flush_between ? 1 : rounds(made.slots, moved_bytes));
  return made;
}

std::uint64_t calls_on_one_slot(std::uint64_t moved_bytes)
{
  return std::min(max_ring_calls, rounds(1, moved_bytes));
}

} // namespace perf

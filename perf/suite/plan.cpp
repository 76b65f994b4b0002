// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/plan.hpp"

#include <algorithm>

namespace perf
{
namespace
{

constexpr std::uint64_t alignment = 256;
// Were a line replaced at random, one in six would survive a ring of twice the cache until its next turn, and one in fifty
// this one.
constexpr std::uint64_t ring_caches = 4;
constexpr std::uint64_t max_slots = 1024; // one call each: capturing and instantiating takes some 10 ms
constexpr double graph_seconds = 1e-3;    // a launch's own time, a few us, then hides in the spread
constexpr double sampled_seconds = 3e-3;  // of one repetition, on the clocks that time single calls
constexpr double bytes_per_second = 3e12; // guesses that decide how often to repeat, not what is reported
constexpr double shortest_gpu_seconds = 2e-6;
constexpr double shortest_wall_seconds = 20e-6;
constexpr double shortest_enqueue_seconds = 5e-6;
constexpr std::uint64_t enqueued_in_a_row = 16; // far from filling the queue, which would make the host wait
constexpr unsigned graph_samples = 3;

std::uint64_t rounded_up(std::uint64_t value, std::uint64_t multiple)
{
  return (value + multiple - 1) / multiple * multiple;
}

unsigned samples_of(double seconds, unsigned least, unsigned most)
{
  return std::clamp(static_cast<unsigned>(sampled_seconds / seconds), least, most);
}

} // namespace

plan make_plan(const row& which, const device_size& device)
{
  plan made{};
  made.calls = 1;
  const std::uint64_t behind = which.input == input::misaligned ? size_of(which.type) : 0;
  made.in_bytes = rounded_up(input_bytes(which) + behind, alignment);
  made.out_bytes = which.input == input::in_place ? 0 : rounded_up(output_bytes(which) + behind, alignment);
  const std::uint64_t slot_bytes = made.in_bytes + made.out_bytes;
  const std::uint64_t room = device.free_bytes / slot_bytes;
  const double moving = static_cast<double>(input_bytes(which) + output_bytes(which)) / bytes_per_second;

  switch (which.clock)
  {
    case clock::graph:
    case clock::graph_foreign: {
      const std::uint64_t wanted = ring_caches * device.l2_bytes / slot_bytes + 1;
      made.slots = std::min({wanted, max_slots, room});
      // One slot that alone exceeds the cache evicts itself.
      made.flush_between = made.slots * slot_bytes <= ring_caches * device.l2_bytes;
      const double round = static_cast<double>(made.slots) * std::max(moving, shortest_gpu_seconds);
      // In place, each input is scanned once: what it holds next would be the sums of sums.
      const bool once = which.input == input::in_place || made.flush_between;
      made.calls = made.slots * (once ? 1 : static_cast<std::uint64_t>(graph_seconds / round) + 1);
      made.samples = graph_samples;
      made.fits = room >= 1;
      break;
    }
    case clock::warm:
      made.slots = 1;
      made.calls =
          std::min(max_slots, static_cast<std::uint64_t>(graph_seconds / std::max(moving, shortest_gpu_seconds)) + 1);
      made.samples = graph_samples;
      made.fits = room >= 1 && slot_bytes <= device.l2_bytes / 2;
      break;
    case clock::cold:
      made.slots = 1;
      made.samples = samples_of(std::max(moving, 60e-6), 7, 31); // emptying the cache takes some 60 us
      made.fits = room >= 1;
      break;
    case clock::wall_nosync:
      made.slots = 1;
      made.calls = enqueued_in_a_row;
      made.samples = samples_of(static_cast<double>(made.calls + 1) * std::max(moving, shortest_enqueue_seconds), 7, 101);
      made.fits = room >= 1;
      break;
    default:
      made.slots = 1;
      made.samples = samples_of(std::max(moving, shortest_wall_seconds), 7, 101);
      made.fits = room >= 1;
      break;
  }
  return made;
}

} // namespace perf

// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
#include "suite/plan.hpp"

#include "common/ring.hpp"

#include <algorithm>

namespace perf
{
namespace
{

constexpr double sampled_seconds = 3e-3; // of one repetition, on the clocks that time single calls
constexpr double shortest_wall_seconds = 20e-6;
constexpr double shortest_enqueue_seconds = 5e-6;
constexpr std::uint64_t enqueued_in_a_row = 16; // far from filling the queue, which would make the host wait
constexpr unsigned graph_samples = 3;

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
  made.in_bytes = padded(input_bytes(which) + behind);
  made.out_bytes = which.input == input::in_place ? 0 : padded(output_bytes(which) + behind);
  const std::uint64_t slot_bytes = made.in_bytes + made.out_bytes;
  const std::uint64_t room = device.free_bytes / slot_bytes;
  const std::uint64_t moved_bytes = input_bytes(which) + output_bytes(which);
  const double moving = static_cast<double>(moved_bytes) / guessed_bytes_per_second;

  switch (which.clock)
  {
    case clock::graph:
    case clock::graph_foreign: {
      // In place, each input is scanned once: what it holds next would be the sums of sums.
      const ring through = make_ring(slot_bytes, moved_bytes, which.input == input::in_place, device);
      made.slots = through.slots;
      made.calls = through.calls;
      made.flush_between = through.flush_between;
      made.samples = graph_samples;
      made.fits = room >= 1;
      break;
    }
    case clock::warm:
      made.slots = 1;
      made.calls = calls_on_one_slot(moved_bytes);
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

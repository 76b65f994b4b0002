// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! How many buffers the calls inside a CUDA graph go through, and how many calls the graph has. Arithmetic only; it needs no
//! GPU.
#pragma once

#include "common/device.hpp"

#include <cstdint>

namespace perf
{

//! What one call reads and writes, padded to this, is its slot.
constexpr std::uint64_t padded(std::uint64_t bytes)
{
  constexpr std::uint64_t alignment = 256;
  return (bytes + alignment - 1) / alignment * alignment;
}

struct ring
{
  std::uint64_t slots; //!< each has an input and an output of its own; 0: the GPU has no room for one
  std::uint64_t calls; //!< a multiple of slots
  bool
      flush_between; //!< the ring is not larger than four times the L2 cache, so it is emptied between launches of the graph
};

inline constexpr double guessed_bytes_per_second = 3e12; //!< decides how often to repeat, not what is reported
inline constexpr std::uint64_t max_ring_calls = 1024;    //!< capturing and instantiating as many takes some 10 ms

//! Slots of `slot_bytes`, of which a call moves `moved_bytes`. With `once`, no slot has a second call.
ring make_ring(std::uint64_t slot_bytes, std::uint64_t moved_bytes, bool once, const device_size& device);

//! Calls on a single slot that fill a launch of a graph.
std::uint64_t calls_on_one_slot(std::uint64_t moved_bytes);

} // namespace perf

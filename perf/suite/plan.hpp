// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! How much of everything a row takes: buffers, calls in a graph, samples. Arithmetic only; it needs no GPU.
#pragma once

#include "common/axes.hpp"
#include "common/device.hpp"

#include <cstddef>
#include <cstdint>

namespace perf
{

//! The calls of a row go through a ring of slots, each with an input and an output of its own.
struct plan
{
  bool fits; //!< at least one slot has room, and the row means something on this GPU
  std::uint64_t slots;
  std::uint64_t in_bytes; //!< of one slot, padded; where the output is the input, there is only this one
  std::uint64_t out_bytes;
  std::uint64_t calls; //!< in a graph, a multiple of slots; or enqueued in a row; 1 on clocks that time single calls
  bool flush_between;  //!< the ring is not larger than four times the L2 cache, so it is emptied between launches
  unsigned samples;    //!< of one repetition, which is their median

  std::uint64_t ring_bytes() const { return slots * (in_bytes + out_bytes); }
};

plan make_plan(const row& which, const device_size& device);

} // namespace perf

// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! What no implementation can beat, measured: reading as many bytes as the input has, and writing as many as the results
//! have.
#pragma once

#include "common/ring_graph.hpp"

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace perf
{

struct transfer
{
  std::string name;
  //! Reads in_bytes from `in` and writes out_bytes to `out`, enqueued on the stream. Both begin and end at multiples of 256.
  std::function<void(const void* in, std::size_t in_bytes, void* out, std::size_t out_bytes, cudaStream_t stream)> enqueue;
};

//! One kernel that does both, in several shapes; and a copy kernel for the results, behind which a kernel reads what it has
//! not read.
const std::vector<transfer>& transfers();

//! The fastest of them, inside a graph. Of as many bytes it is measured once.
class transfer_limit
{
public:
  struct measured
  {
    double seconds;
    std::string name;
  };

  //! `memory(slot)` is where a slot of the ring is read, and where it is written.
  template <class Memory>
  const measured& of(std::uint64_t in_bytes, std::uint64_t out_bytes, const ring& planned, const ring_clock& clock,
                     Memory memory)
  {
    const auto found = all_.find({in_bytes, out_bytes});
    if (found != all_.end())
    {
      return found->second;
    }
    measured fastest{};
    for (const transfer& next : transfers())
    {
      const auto graph = clock.capture(planned,
                                       [&](std::uint64_t slot)
                                       {
                                         const std::pair<const void*, void*> at = memory(slot);
                                         next.enqueue(at.first, in_bytes, at.second, out_bytes, clock.stream());
                                       });
      const double seconds = clock.seconds(planned, *graph);
      if (fastest.name.empty() || seconds < fastest.seconds)
      {
        fastest = {seconds, next.name};
      }
    }
    return all_[{in_bytes, out_bytes}] = fastest;
  }

private:
  std::map<std::pair<std::uint64_t, std::uint64_t>, measured> all_;
};

} // namespace perf

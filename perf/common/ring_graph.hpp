// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! GPU time of calls inside a graph that go through a ring of buffers.
#pragma once

#include "common/ring.hpp"

#include <timing/clocks.hpp>
#include <timing/statistics.hpp>

#include <cuda_runtime_api.h>

#include <cstdint>
#include <memory>

namespace perf
{

class ring_clock
{
public:
  explicit ring_clock(cudaStream_t stream) : stream_(stream) {}

  //! A graph of enqueue(slot) for each call of the ring.
  template <class Enqueue>
  std::unique_ptr<timing::graph> capture(const ring& planned, Enqueue enqueue) const
  {
    return std::make_unique<timing::graph>(stream_,
                                           [&]
                                           {
                                             for (std::uint64_t i = 0; i < planned.calls; ++i)
                                             {
                                               enqueue(i % planned.slots);
                                             }
                                           });
  }

  //! Per call: the median of so many launches.
  double seconds(const ring& planned, const timing::graph& calls, unsigned launches = usual_launches) const
  {
    return timing::median(timing::graph_seconds(calls, stream_, launches, flush_, planned.flush_between)) /
           static_cast<double>(planned.calls);
  }

  cudaStream_t stream() const { return stream_; }

private:
  static constexpr unsigned usual_launches = 3;

  cudaStream_t stream_;
  timing::l2_flush flush_;
};

} // namespace perf

// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
#include "clocks.hpp"

#include <deque>
#include <stdexcept>
#include <string>

namespace timing
{

void check(cudaError_t status, const std::string& attempted)
{
  if (status != cudaSuccess)
  {
    (void)cudaGetLastError();
    throw cuda_failure(attempted + " failed: " + cudaGetErrorString(status) + " (" + cudaGetErrorName(status) + ")", status);
  }
}

// ---- what is held --------------------------------------------------------------------------------------------------------

event::event()
{
  check(cudaEventCreate(&event_), "creating a CUDA event");
}
void event::record(cudaStream_t stream) const
{
  check(cudaEventRecord(event_, stream), "recording a CUDA event");
}
void event::wait() const
{
  check(cudaEventSynchronize(event_), "waiting for a CUDA event");
}
bool event::has_happened() const
{
  const cudaError_t status = cudaEventQuery(event_);
  if (status == cudaErrorNotReady)
  {
    (void)cudaGetLastError();
    return false;
  }
  check(status, "asking for a CUDA event");
  return true;
}
double seconds_between(const event& begin, const event& end)
{
  float milliseconds = 0;
  check(cudaEventElapsedTime(&milliseconds, begin.event_, end.event_), "reading a CUDA event");
  return milliseconds * 1e-3;
}

stream::stream()
{
  check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "creating a CUDA stream");
}

device_memory::device_memory(std::size_t bytes) : bytes_(bytes)
{
  check(cudaMalloc(&data_, bytes), "allocating " + std::to_string(bytes) + " bytes of GPU memory");
}
pinned_memory::pinned_memory(std::size_t bytes)
{
  check(cudaHostAlloc(&data_, bytes, cudaHostAllocMapped), "allocating " + std::to_string(bytes) + " bytes of host memory");
}

// ---- graphs --------------------------------------------------------------------------------------------------------------

void graph::begin(cudaStream_t stream)
{
  // Relaxed: an implementation that allocates while it is captured is timed, not refused.
  check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed), "beginning a capture");
}

void graph::abandon(cudaStream_t stream) noexcept
{
  cudaGraph_t dropped = nullptr;
  if (cudaStreamEndCapture(stream, &dropped) == cudaSuccess)
  {
    (void)cudaGraphDestroy(dropped);
  }
  (void)cudaGetLastError();
}

void graph::end(cudaStream_t stream)
{
  check(cudaStreamEndCapture(stream, &graph_), "ending a capture");
  const cudaError_t status = cudaGraphInstantiate(&executable_, graph_, 0);
  if (status != cudaSuccess)
  {
    (void)cudaGraphDestroy(graph_);
    check(status, "instantiating a graph");
  }
}

graph::~graph()
{
  (void)cudaGraphExecDestroy(executable_);
  (void)cudaGraphDestroy(graph_);
}

void graph::launch(cudaStream_t stream) const
{
  check(cudaGraphLaunch(executable_, stream), "launching a graph");
}

std::size_t graph::nodes() const
{
  std::size_t count = 0;
  check(cudaGraphGetNodes(graph_, nullptr, &count), "counting the nodes of a graph");
  return count;
}

std::vector<double> graph_seconds(const graph& calls, cudaStream_t stream, unsigned launches, const l2_flush& flush,
                                  bool empty_cache)
{
  std::deque<event> begin(launches), end(launches);
  for (unsigned passes = 1; passes <= l2_flush::max_passes; passes *= 2)
  {
    bool in_time = true;
    flush.enqueue(stream, passes);
    calls.launch(stream);
    for (unsigned i = 0; i < launches; ++i)
    {
      if (empty_cache)
      {
        flush.enqueue(stream);
      }
      begin[i].record(stream);
      calls.launch(stream);
      end[i].record(stream);
      in_time = in_time && !begin[i].has_happened(); // so the GPU did not wait for the host in between
    }
    end.back().wait();
    if (in_time)
    {
      std::vector<double> seconds;
      for (unsigned i = 0; i < launches; ++i)
      {
        seconds.push_back(seconds_between(begin[i], end[i]));
      }
      return seconds;
    }
  }
  throw std::runtime_error("the host is too slow to enqueue the graph while the GPU is busy");
}

} // namespace timing

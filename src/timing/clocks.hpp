// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The clocks: GPU time of calls inside a CUDA graph, GPU time of one call on cold data, and the host's time. perf/README.md
//! says what each of them means.
#pragma once

#include "cuda.hpp"

#include <cuda_runtime_api.h>

#include <chrono>
#include <cstddef>
#include <optional>
#include <vector>

namespace timing
{

//! Empties the L2 cache: what it holds afterwards is memory that nobody else uses, unmodified, so that nothing has to be
//! written back while the next call is timed.
class l2_flush
{
public:
  l2_flush();
  static constexpr unsigned max_passes = 64;
  //! `passes` times the shortest flush, for whoever needs the GPU to be busy for a while: 64 take some 4 ms on an NVIDIA
  //! H200.
  void enqueue(cudaStream_t stream, unsigned passes = 1) const;

private:
  std::size_t words_; //!< of 16 bytes
  unsigned blocks_;
  device_memory memory_;
};

//! Calls captured once, to be launched often.
class graph
{
public:
  //! `enqueue()` puts the calls on the stream.
  template <class F>
  graph(cudaStream_t stream, F enqueue)
  {
    begin(stream);
    try
    {
      enqueue();
    }
    catch (...)
    {
      abandon(stream);
      throw;
    }
    end(stream);
  }
  ~graph();
  graph(const graph&) = delete;
  graph& operator=(const graph&) = delete;
  void launch(cudaStream_t stream) const;
  //! Kernels, fills, allocations and the like.
  std::size_t nodes() const;

private:
  static void begin(cudaStream_t stream);
  static void abandon(cudaStream_t stream) noexcept;
  void end(cudaStream_t stream);

  cudaGraph_t graph_ = nullptr;
  cudaGraphExec_t executable_ = nullptr;
};

//! GPU time of each of `launches` launches, after one that does not count. The GPU is kept busy until each of them is
//! enqueued, so that the host's time does not show; throws std::runtime_error where that does not succeed. With
//! `empty_cache`, the L2 cache is emptied in front of each.
std::vector<double> graph_seconds(const graph& calls, cudaStream_t stream, unsigned launches, const l2_flush& flush,
                                  bool empty_cache);

//! GPU time of single calls on data that is not in the L2 cache.
class cold_clock
{
public:
  explicit cold_clock(cudaStream_t stream) : stream_(stream) {}

  //! Of a call that may wait for the GPU: what the host does inside counts.
  template <class F>
  double seconds(F call)
  {
    flush_.enqueue(stream_);
    begin_.record(stream_);
    call();
    end_.record(stream_);
    end_.wait();
    return seconds_between(begin_, end_);
  }

  //! Of a call that only enqueues: the GPU is kept busy with emptying the cache until all of it is enqueued. None if that
  //! did not succeed.
  template <class F>
  std::optional<double> seconds_enqueued(F call)
  {
    for (; passes_ <= l2_flush::max_passes; passes_ *= 2)
    {
      flush_.enqueue(stream_, passes_);
      begin_.record(stream_);
      call();
      end_.record(stream_);
      const bool in_time = !begin_.has_happened();
      end_.wait();
      if (in_time)
      {
        return seconds_between(begin_, end_);
      }
    }
    passes_ = 1;
    return std::nullopt;
  }

  const l2_flush& flush() const { return flush_; }

private:
  cudaStream_t stream_;
  l2_flush flush_;
  event begin_, end_;
  unsigned passes_ = 1;
};

//! The host's time in a call.
template <class F>
double wall_seconds(F call)
{
  const auto begin = std::chrono::steady_clock::now();
  call();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

} // namespace timing

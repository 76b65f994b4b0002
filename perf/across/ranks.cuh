// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! A thread for each rank, each with a GPU, and the time that the slowest of them takes.
#pragma once

#include <reheat/across/ranks.h>
#include <timing/clocks.hpp>
#include <timing/statistics.hpp>

#include <cuda_runtime_api.h>

#include <algorithm>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

namespace perf
{

//! Where all threads meet.
class meeting
{
public:
  explicit meeting(int count) : count_(count) {}
  void wait()
  {
    std::unique_lock lock(mutex_);
    const unsigned long round = round_;
    if (++arrived_ == count_)
    {
      arrived_ = 0;
      ++round_;
      changed_.notify_all();
    }
    changed_.wait(lock, [&] { return round_ != round; });
  }

private:
  const int count_;
  std::mutex mutex_;
  std::condition_variable changed_;
  int arrived_ = 0;
  unsigned long round_ = 0;
};

//! `body(rank)` in a thread for each rank, whose device is current there. A rank that throws ends the program: the others
//! would wait for it.
template <class Body>
void on_each_rank(int count, Body body)
{
  std::vector<std::thread> threads;
  for (int rank = 0; rank < count; ++rank)
  {
    threads.emplace_back(
        [&body, rank]
        {
          try
          {
            timing::check(cudaSetDevice(rank), "choosing a GPU");
            body(rank);
          }
          catch (const std::exception& error)
          {
            std::fprintf(stderr, "reheat-across: rank %d: %s\n", rank, error.what());
            std::_Exit(2);
          }
        });
  }
  for (std::thread& each : threads)
  {
    each.join();
  }
}

//! Seconds of one call, of the slowest rank, the median of some rounds. `enqueue(rank, stream)` puts a call on the rank's
//! stream, in which all ranks take part: before the clock starts, a call that does not count has brought them together.
//! With `in_graphs`, each rank captures its calls and launches the graph.
class rank_clock
{
public:
  rank_clock(int count, int rounds, bool in_graphs) : count_(count), rounds_(rounds), in_graphs_(in_graphs), start_(count)
  {
    streams_.resize(count);
    on_each_rank(count, [&](int rank) { streams_[rank] = std::make_unique<timing::stream>(); });
  }

  cudaStream_t stream(int rank) const { return *streams_[rank]; }

  double seconds(int calls, const std::function<void(int rank, cudaStream_t stream)>& enqueue)
  {
    std::vector<std::vector<double>> all(rounds_, std::vector<double>(count_));
    on_each_rank(count_,
                 [&](int rank)
                 {
                   const cudaStream_t stream = *streams_[rank];
                   const auto enqueue_all = [&]
                   {
                     for (int i = 0; i < calls; ++i)
                     {
                       enqueue(rank, stream);
                     }
                   };
                   enqueue(rank, stream); // kernels are loaded, and memory is taken
                   timing::check(cudaStreamSynchronize(stream), "running a call");
                   start_.wait();
                   std::optional<timing::graph> graph;
                   if (in_graphs_)
                   {
                     graph.emplace(stream, enqueue_all);
                   }
                   const timing::event begin, end;
                   for (std::vector<double>& round : all)
                   {
                     start_.wait();
                     enqueue(rank, stream);
                     begin.record(stream);
                     graph ? graph->launch(stream) : enqueue_all();
                     end.record(stream);
                     end.wait();
                     round[rank] = seconds_between(begin, end) / calls;
                   }
                   start_.wait(); // no graph is destroyed while another rank is at work
                 });
    std::vector<double> slowest;
    for (const std::vector<double>& round : all)
    {
      slowest.push_back(*std::max_element(round.begin(), round.end()));
    }
    return timing::median(slowest);
  }

private:
  int count_, rounds_;
  bool in_graphs_;
  meeting start_;
  std::vector<std::unique_ptr<timing::stream>> streams_;
};

} // namespace perf

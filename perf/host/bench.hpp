// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! How reheat-host measures: what of a call is timed, and what happens in between. Times are the host's, in microseconds.
//! Implementations are interleaved. Between timed regions the host waits for the GPU, so that no launch waits for room in a
//! queue. In front of a region of many calls there is one that does not count: CUDA's pools of memory, which Thrust's calls
//! use, give all back when the host waits.
#pragma once

#include "host/calls.hpp"

#include <timing/clocks.hpp>
#include <timing/statistics.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <deque>
#include <string>
#include <utility>
#include <vector>

namespace perf::host
{

using timing::check;

//! The times of one implementation.
struct row
{
  std::string name;
  std::vector<double> microseconds;
};

constexpr std::uint64_t max_items = 300'000'000; //!< the scan's tiles need more scratch memory than a first call gets
constexpr std::uint64_t few_items = 16384;       //!< several blocks, which need scratch memory
constexpr std::size_t calls_in_a_region = 256;   //!< a queue has room for 1024 launches
constexpr std::uint64_t pause_nanoseconds = 2'000'000;

//! What is timed of a captured call.
constexpr const char* capture_parts[] = {"first", "following", "instantiate", "destroy"};
constexpr std::size_t captured_calls = 9;

class bench
{
public:
  explicit bench(bool quick) : quick_(quick), in_(max_items * sizeof(item)), out_(max_items * sizeof(item))
  {
    enqueue_items(in(), max_items, stream_);
    wait(stream_);
    // A core that was idle runs at a fraction of its clock rate.
    const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(500);
    while (std::chrono::steady_clock::now() < end)
    {
      call(implementations_for(algorithm::inclusive_scan)[0], few_items, stream_);
      wait(stream_);
    }
  }

  //! Calls that the stream has seen before.
  std::vector<row> steady(const std::string& prefix, algorithm what, std::uint64_t items)
  {
    const std::vector<implementation>& all = implementations_for(what);
    const std::size_t batch = what == algorithm::reduce ? 16 : 64;
    std::deque<timing::stream> streams(all.size());
    std::vector<row> rows = rows_of(prefix, all.size(), what);
    for (std::size_t i = 0; i < all.size(); ++i)
    {
      verify(what, all[i], items, streams[i]);
    }
    take_turns(all.size(), repetitions(300),
               [&](std::size_t i)
               {
                 call(all[i], items, streams[i]);
                 const double seconds = timing::wall_seconds(
                     [&]
                     {
                       for (std::size_t n = 0; n < batch; ++n)
                       {
                         call(all[i], items, streams[i]);
                       }
                     });
                 wait(streams[i]);
                 add(rows[i], seconds, batch);
               });
    return rows;
  }

  //! The first call on a stream. Streams that are `kept` live on, others are gone when the next one comes.
  std::vector<row> first(const std::string& prefix, bool kept)
  {
    const std::uint64_t items = 100'000;
    const std::vector<implementation>& all = implementations_for(algorithm::inclusive_scan);
    std::vector<row> rows = rows_of(prefix, for_many_streams);
    prepare(items);
    std::deque<timing::stream> streams;
    take_turns(for_many_streams, repetitions(200),
               [&](std::size_t i)
               {
                 const timing::stream& fresh = streams.emplace_back();
                 add(rows[i], timing::wall_seconds([&] { call(all[i], items, fresh); }), 1);
                 wait(fresh);
                 if (!kept)
                 {
                   streams.pop_back();
                 }
               });
    return rows;
  }

  //! A call that needs more scratch memory than its stream has; with `beside`, while a kernel runs on another stream.
  std::vector<row> growing(const std::string& prefix, bool beside)
  {
    const std::vector<implementation>& all = implementations_for(algorithm::inclusive_scan);
    std::vector<row> rows = rows_of(prefix, for_many_streams);
    prepare(few_items);
    prepare(max_items);
    take_turns(for_many_streams, repetitions(20),
               [&](std::size_t i)
               {
                 const timing::stream own;
                 call(all[i], few_items, own);
                 wait(own);
                 if (beside)
                 {
                   enqueue_pause(pause_nanoseconds, stream_);
                 }
                 add(rows[i], timing::wall_seconds([&] { call(all[i], max_items, own); }), 1);
                 wait(own);
                 wait(stream_);
                 trim_scratch_memory();
               });
    return rows;
  }

  //! Calls that become nodes of a graph, and the graph they make.
  std::vector<row> captured(const std::string& prefix)
  {
    const std::uint64_t items = 100'000;
    const std::vector<implementation>& all = implementations_for(algorithm::inclusive_scan);
    std::vector<row> rows = captured_rows(prefix);
    prepare(items);
    take_turns(for_many_streams, repetitions(200),
               [&](std::size_t i)
               {
                 const timing::stream own;
                 cudaGraph_t graph = nullptr;
                 cudaGraphExec_t executable = nullptr;
                 check(cudaStreamBeginCapture(own, cudaStreamCaptureModeThreadLocal), "beginning a capture");
                 add(rows[i], timing::wall_seconds([&] { call(all[i], items, own); }), 1);
                 const double following = timing::wall_seconds(
                     [&]
                     {
                       for (std::size_t n = 1; n < captured_calls; ++n)
                       {
                         call(all[i], items, own);
                       }
                     });
                 add(rows[for_many_streams + i], following, captured_calls - 1);
                 check(cudaStreamEndCapture(own, &graph), "ending a capture");
                 cudaError_t status = cudaSuccess;
                 add(rows[2 * for_many_streams + i],
                     timing::wall_seconds([&] { status = cudaGraphInstantiate(&executable, graph, 0); }), 1);
                 check(status, "instantiating a graph");
                 check(cudaGraphLaunch(executable, own), "launching a graph");
                 wait(own);
                 add(rows[3 * for_many_streams + i],
                     timing::wall_seconds(
                         [&]
                         {
                           (void)cudaGraphExecDestroy(executable);
                           (void)cudaGraphDestroy(graph);
                         }),
                     1);
               });
    check_output(algorithm::inclusive_scan, out(), items, stream_, "a captured scan");
    return rows;
  }

  //! Calls on so many streams in turn, each of which has seen some.
  std::vector<row> in_turn(const std::string& prefix, std::size_t streams)
  {
    const std::vector<implementation>& all = implementations_for(algorithm::inclusive_scan);
    std::vector<row> rows = rows_of(prefix, for_many_streams);
    prepare(few_items);
    while (many_.size() < streams)
    {
      many_.emplace_back();
    }
    const std::size_t calls = std::max(streams, calls_in_a_region);
    for (int round = 0; round < 2; ++round) // each stream has seen a call of everybody
    {
      for (std::size_t i = 0; i < for_many_streams; ++i)
      {
        (void)seconds_in_turn(all[i], streams, calls);
      }
    }
    take_turns(for_many_streams, repetitions(20),
               [&](std::size_t i) { add(rows[i], seconds_in_turn(all[i], streams, calls), calls); });
    return rows;
  }

  //! Of a part's rows: one for each of the first `count` implementations.
  static std::vector<row> rows_of(const std::string& prefix, std::size_t count, algorithm what = algorithm::inclusive_scan)
  {
    std::vector<row> rows;
    for (std::size_t i = 0; i < count; ++i)
    {
      rows.push_back({prefix + implementations_for(what)[i].name, {}});
    }
    return rows;
  }

  static std::vector<row> captured_rows(const std::string& prefix)
  {
    std::vector<row> rows;
    for (const char* const part : capture_parts)
    {
      for (row& each : rows_of(prefix + part + '/', for_many_streams))
      {
        rows.push_back(std::move(each));
      }
    }
    return rows;
  }

private:
  item* in() const { return reinterpret_cast<item*>(in_.data()); }
  item* out() const { return reinterpret_cast<item*>(out_.data()); }

  unsigned repetitions(unsigned usual) const { return quick_ ? std::max(usual / 10, 4u) : usual; }

  static void wait(cudaStream_t stream) { check(cudaStreamSynchronize(stream), "waiting for the GPU"); }
  static void add(row& to, double seconds, std::size_t calls)
  {
    to.microseconds.push_back(seconds * 1e6 / static_cast<double>(calls));
  }
  void call(const implementation& who, std::uint64_t items, cudaStream_t stream) const
  {
    who.call(in(), out(), items, stream);
  }

  //! Each round begins with another one.
  template <class Measure>
  static void take_turns(std::size_t count, unsigned rounds, Measure measure)
  {
    for (unsigned round = 0; round < rounds; ++round)
    {
      for (std::size_t i = 0; i < count; ++i)
      {
        measure((i + round) % count);
      }
    }
  }

  //! Calls a few times, so that the kernels are loaded and the stream is known, and looks at the result.
  void verify(algorithm what, const implementation& who, std::uint64_t items, cudaStream_t stream) const
  {
    check(cudaMemsetAsync(out(), 0xee, items * sizeof(item), stream), "clearing GPU memory");
    for (int n = 0; n < 3; ++n)
    {
      call(who, items, stream);
    }
    check(cudaStreamSynchronize(stream), std::string("waiting for ") + who.name);
    if (who.name != std::string("empty"))
    {
      check_output(what, out(), items, stream, who.name);
    }
  }
  //! Loads the kernels of scans of so many items, and leaves no stream that the library knows.
  void prepare(std::uint64_t items)
  {
    for (std::size_t i = 0; i < for_many_streams; ++i)
    {
      verify(algorithm::inclusive_scan, implementations_for(algorithm::inclusive_scan)[i], items, stream_);
    }
    trim_scratch_memory();
  }

  double seconds_in_turn(const implementation& who, std::size_t streams, std::size_t calls)
  {
    double seconds = 0;
    for (std::size_t done = 0; done < calls;)
    {
      const std::size_t end = std::min(done + calls_in_a_region, calls);
      call(who, few_items, many_[(done + streams - 1) % streams]);
      seconds += timing::wall_seconds(
          [&]
          {
            for (; done < end; ++done)
            {
              call(who, few_items, many_[done % streams]);
            }
          });
      check(cudaDeviceSynchronize(), "waiting for the GPU");
    }
    return seconds;
  }

  bool quick_;
  timing::stream stream_;
  timing::device_memory in_, out_;
  std::deque<timing::stream> many_;
};

} // namespace perf::host

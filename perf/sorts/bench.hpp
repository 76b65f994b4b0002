// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! How a row of reheat-sort is measured: implementations are interleaved, and every output is compared, byte by byte, with
//! that of CUB or of Thrust's whole call, after the first call and after each timed round.
#pragma once

#include "common/device.hpp"
#include "common/ring_graph.hpp"
#include "common/table.hpp"
#include "sorts/calls.hpp"

#include <timing/clocks.hpp>
#include <timing/statistics.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <deque>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace perf::sorts
{

using nlohmann::json;
using timing::check;

//! What a row sorts, where it is sorted to, and what is expected there.
class data
{
public:
  data(const row& which, cudaStream_t stream)
      : row_(which), bytes_(bytes_of(which)), stream_(stream), in_(bytes_.all()), out_(bytes_.all()),
        expected_(bytes_.all()), counter_(sizeof(unsigned))
  {
    fill_inputs(row_, in_.data(), in_.data() + bytes_.keys, stream_);
  }

  call made_call() const
  {
    return {in_.data(), in_.data() + bytes_.keys, out_.data(), out_.data() + bytes_.keys, row_.items, stream_};
  }

  //! Overwrites the output; a whole call finds its input there.
  void prepare_output() const
  {
    if (row_.clock == clock::wall)
    {
      check(cudaMemcpyAsync(out_.data(), in_.data(), bytes_.all(), cudaMemcpyDeviceToDevice, stream_), "copying the input");
      return;
    }
    check(cudaMemsetAsync(out_.data(), 0xcd, bytes_.all(), stream_), "overwriting the output");
  }

  //! Takes what lies in the output as what is expected there.
  void expect_output() const
  {
    check(cudaMemcpyAsync(expected_.data(), out_.data(), bytes_.all(), cudaMemcpyDeviceToDevice, stream_),
          "copying what is expected");
    wait();
  }

  //! Throws std::runtime_error if the output is not as expected.
  void verify() const
  {
    unsigned differences = 0;
    auto* const counter = reinterpret_cast<unsigned*>(counter_.data());
    check(cudaMemsetAsync(counter, 0, sizeof(differences), stream_), "comparing outputs");
    count_differences(out_.data(), expected_.data(), bytes_.all(), counter, stream_);
    check(cudaMemcpyAsync(&differences, counter, sizeof(differences), cudaMemcpyDeviceToHost, stream_), "comparing outputs");
    wait();
    if (differences != 0)
    {
      throw std::runtime_error(std::to_string(differences) + " parts of 16 bytes of the output are not " +
                               (row_.clock == clock::wall ? "Thrust's" : "CUB's"));
    }
  }

  void wait() const { check(cudaStreamSynchronize(stream_), "waiting for the GPU"); }

private:
  row row_;
  array_bytes bytes_;
  cudaStream_t stream_;
  timing::device_memory in_, out_, expected_, counter_;
};

//! One implementation on one row.
struct timed_call
{
  timed_call(const row& which, implementation measured) : who(measured), function(function_of(which, measured)) {}

  implementation who;
  call_function function;
  std::size_t temp_bytes = 0;
  std::unique_ptr<timing::graph> graph; //!< none on the host's clock
  std::vector<double> seconds;
  unsigned ranked_again = 0; //!< tiles, in a sort of reheat's
  std::string failure;       //!< not empty: it is not measured any more
};

class bench
{
public:
  bench() : clock_(stream_) {}

  //! Whether the GPU has room for the row: input, output, what is expected, and as much again that a sort needs for itself,
  //! with its tables.
  static bool fits(const device& gpu, const row& which)
  {
    return 5 * bytes_of(which).all() + (std::uint64_t{64} << 20) <= gpu.size().free_bytes;
  }

  //! The row's entries of the JSON file: times, or what went wrong. Throws timing::cuda_failure if the GPU cannot be used
  //! any more.
  json measure(const row& which, unsigned rounds)
  {
    return entries_or_failures(which, [&] { return times_of(which, rounds); });
  }

private:
  static constexpr std::uint64_t small_items = std::uint64_t{1} << 22; //!< up to here a graph has several calls
  static constexpr unsigned small_calls = 10;
  static constexpr unsigned whole_calls = 20; //!< of a round

  //! All calls of a graph have one input: one that fits the L2 cache stays there.
  static ring ring_of(const row& which) { return {1, which.items <= small_items ? small_calls : 1, false}; }

  json times_of(const row& which, unsigned rounds)
  {
    const data memory(which, stream_);
    const bool is_whole_call = which.clock == clock::wall;
    timed_call reference(which, is_whole_call ? implementation::thrust : implementation::cub_64);
    std::deque<timed_call> all;
    for (const implementation who : which.measured())
    {
      all.emplace_back(which, who);
    }
    std::size_t temp_bytes = temp_bytes_of(memory, reference, is_whole_call);
    for (timed_call& each : all)
    {
      attempt(each, [&] { temp_bytes = std::max(temp_bytes, temp_bytes_of(memory, each, is_whole_call)); });
    }
    const timing::device_memory temp(std::max(temp_bytes, least_temp_bytes));
    memory.prepare_output();
    enqueue(memory, reference, temp);
    memory.expect_output();
    for (timed_call& each : all)
    {
      attempt(each, [&] { prepare(which, memory, temp, each); });
    }
    for (unsigned round = 0; round < rounds; ++round)
    {
      for (std::size_t i = 0; i < all.size(); ++i)
      {
        timed_call& next = all[(i + round) % all.size()];
        attempt(next,
                [&]
                {
                  next.seconds.push_back(is_whole_call ? seconds_of_whole(memory, next)
                                                       : seconds_of_graph(which, temp, next));
                  memory.verify();
                });
      }
    }
    json made = json::array();
    for (const timed_call& each : all)
    {
      made.push_back(entry_of(which, each));
    }
    return made;
  }

  static std::size_t temp_bytes_of(const data& memory, timed_call& each, bool is_whole_call)
  {
    if (!is_whole_call)
    {
      call sizes = memory.made_call();
      each.function(sizes);
      each.temp_bytes = sizes.temp_bytes;
    }
    return each.temp_bytes;
  }

  static void enqueue(const data& memory, const timed_call& each, const timing::device_memory& temp)
  {
    call made = memory.made_call();
    made.temp = temp.data();
    made.temp_bytes = each.temp_bytes;
    each.function(made);
  }

  void prepare(const row& which, const data& memory, const timing::device_memory& temp, timed_call& each) const
  {
    memory.prepare_output();
    check(cudaMemsetAsync(temp.data(), 0xa5, temp.bytes(), stream_), "overwriting temporary memory");
    enqueue(memory, each, temp);
    memory.verify();
    if (which.clock == clock::graph)
    {
      each.graph = clock_.capture(ring_of(which), [&](std::uint64_t) { enqueue(memory, each, temp); });
      memory.prepare_output();
      each.graph->launch(stream_);
      memory.verify();
    }
  }

  double seconds_of_graph(const row& which, const timing::device_memory& temp, timed_call& each) const
  {
    // Sorts by ranges count no tiles.
    check(cudaMemsetAsync(temp.data(), 0, least_temp_bytes, stream_), "clearing memory");
    const double seconds = clock_.seconds(ring_of(which), *each.graph);
    // A sort with passes needs memory for all keys. Keys of two bytes are counted, and small ones have counters of more
    // bytes.
    if (each.who == implementation::reheat && each.temp_bytes > which.items * key_bytes_of(which.type) &&
        key_bytes_of(which.type) != 2)
    {
      unsigned found = 0;
      check(
          cudaMemcpyAsync(&found, temp.data() + ranked_again_at(which.type), sizeof(found), cudaMemcpyDeviceToHost, stream_),
          "asking how many tiles were ranked again");
      check(cudaStreamSynchronize(stream_), "asking how many tiles were ranked again");
      each.ranked_again = std::max(each.ranked_again, found);
    }
    return seconds;
  }

  //! The median of some calls, each on the input.
  double seconds_of_whole(const data& memory, const timed_call& each) const
  {
    std::vector<double> seconds;
    for (unsigned i = 0; i < whole_calls; ++i)
    {
      memory.prepare_output();
      memory.wait();
      call made = memory.made_call();
      seconds.push_back(timing::wall_seconds([&] { each.function(made); }));
    }
    return timing::median(std::move(seconds));
  }

  static json entry_of(const row& which, const timed_call& each)
  {
    const std::string name = which.prefix() + name_of(each.who);
    if (!each.failure.empty())
    {
      return failure_entry(name, each.failure);
    }
    json made = {{"name", name},
                 {"real_time", timing::median(each.seconds) * 1e6},
                 {"time_unit", "us"},
                 {"repetitions", each.seconds.size()},
                 {"spread", timing::spread(each.seconds)}};
    if (each.graph)
    {
      made["nodes"] = each.graph->nodes() / ring_of(which).calls;
      made["temp_bytes"] = each.temp_bytes;
    }
    if (each.who == implementation::reheat && which.clock == clock::graph)
    {
      made["ranked_again"] = each.ranked_again;
    }
    return made;
  }

  static constexpr std::size_t least_temp_bytes = 256; //!< where reheat counts

  timing::stream stream_;
  ring_clock clock_;
};

} // namespace perf::sorts

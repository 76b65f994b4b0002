// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! How a row of reheat-segments is measured: implementations are interleaved, and all results are checked after the first
//! call and after each timed round.
#pragma once

#include "common/device.hpp"
#include "common/ring_graph.hpp"
#include "common/table.hpp"
#include "common/transfers.hpp"
#include "segments/calls.hpp"

#include <timing/clocks.hpp>
#include <timing/statistics.hpp>

#include <nlohmann/json.hpp>

#include <deque>
#include <exception>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace perf::segments
{

using nlohmann::json;
using timing::check;

//! The slots of a row.
class data
{
public:
  data(const row& which, std::uint64_t segments, const slot& each, std::uint64_t slots, cudaStream_t stream)
      : row_(which), slot_(each), segments_(segments), slots_(slots), stream_(stream), memory_(slots * each.bytes()),
        words_(2 * sizeof(unsigned))
  {
    fill_inputs(row_, segments_, memory_.data(), slots_, stream_);
  }

  call call_on(std::uint64_t slot) const
  {
    std::byte* const in = memory_.data() + slot * slot_.bytes();
    const auto* const keys = reinterpret_cast<const std::uint32_t*>(in + slot_.moved_bytes());
    return {in,         slot_.begins(in), slot_.ends(in), keys,          in + slot_.in_bytes,
            row_.items, segments_,        row_.length,    counter() + 1, stream_};
  }

  //! Overwrites all results.
  void poison() const
  {
    for (std::uint64_t slot = 0; slot < slots_; ++slot)
    {
      check(cudaMemsetAsync(call_on(slot).out, poison_byte, slot_.out_bytes, stream_), "overwriting the results");
    }
  }

  //! Throws std::runtime_error if a result of the first slots is wrong.
  void verify(std::uint64_t slots) const
  {
    unsigned wrong = 0;
    check(cudaMemsetAsync(counter(), 0, sizeof(wrong), stream_), "checking results");
    count_wrong_results(row_, segments_, memory_.data(), slots, counter(), stream_);
    check(cudaMemcpyAsync(&wrong, counter(), sizeof(wrong), cudaMemcpyDeviceToHost, stream_), "checking results");
    wait();
    if (wrong != 0)
    {
      throw std::runtime_error(std::to_string(wrong) + " results are wrong");
    }
  }

  void wait() const { check(cudaStreamSynchronize(stream_), "waiting for the GPU"); }

private:
  unsigned* counter() const { return reinterpret_cast<unsigned*>(words_.data()); }

  row row_;
  slot slot_;
  std::uint64_t segments_, slots_;
  cudaStream_t stream_;
  timing::device_memory memory_, words_;
};

//! One implementation on one row.
class timed_call
{
public:
  timed_call(const row& which, implementation measured, const data& memory)
      : who(measured), two_phases_(has_two_phases(which.bounds, measured)), function_(function_of(which, measured)),
        data_(memory)
  {}

  //! Temporary memory, and everything that only the first call does.
  void prepare()
  {
    call first = data_.call_on(0);
    if (two_phases_)
    {
      function_(first);
      temp_.emplace(first.temp_bytes);
      first.temp = temp_->data();
    }
    function_(first);
    data_.wait();
  }

  void enqueue(std::uint64_t slot) const
  {
    call made = data_.call_on(slot);
    made.temp = temp_ ? temp_->data() : nullptr;
    made.temp_bytes = temp_ ? temp_->bytes() : 0;
    function_(made);
  }

  const implementation who;
  std::unique_ptr<timing::graph> graph; //!< of many calls; none if one call takes long
  std::size_t nodes = 0;                //!< that one call has in a graph
  std::vector<double> seconds;
  bool is_done = false; //!< no further round measures it
  std::string failure;  //!< not empty: it is not measured any more

private:
  bool two_phases_;
  call_function function_;
  const data& data_;
  std::optional<timing::device_memory> temp_;
};

class bench
{
public:
  explicit bench(const device& gpu) : gpu_(gpu), cold_(stream_), clock_(stream_) {}

  //! Whether the GPU has room for the row.
  static bool fits(const device& gpu, const row& which)
  {
    return slot_of(which, segments_of(which)).bytes() <= gpu.size().free_bytes;
  }

  //! The row's entries of the JSON file: times, or what went wrong. Throws timing::cuda_failure if the GPU cannot be used
  //! any more.
  json measure(const row& which, unsigned rounds)
  {
    return entries_or_failures(which, [&] { return times_of(which, rounds); });
  }

private:
  static constexpr double long_call_seconds = 20e-3;   //!< from here on, a call is timed once, by itself
  static constexpr double long_launch_seconds = 20e-3; //!< from here on, a graph is timed in one round, and launched once

  json times_of(const row& which, unsigned rounds)
  {
    const std::uint64_t segments = segments_of(which);
    const slot each = slot_of(which, segments);
    const ring planned = ring_of(each);
    const data memory(which, segments, each, planned.slots, stream_);
    json made = json::array();
    std::deque<timed_call> all;
    for (const implementation who : which.measured())
    {
      if (who != implementation::limit)
      {
        all.emplace_back(which, who, memory);
        attempt(all.back(), [&] { prepare(planned, memory, all.back()); });
      }
    }
    for (unsigned round = 0; round < rounds; ++round)
    {
      for (std::size_t i = 0; i < all.size(); ++i)
      {
        timed_call& next = all[(i + round) % all.size()];
        if (!next.is_done)
        {
          attempt(next,
                  [&]
                  {
                    measure_graph(planned, next);
                    memory.verify(planned.slots);
                  });
        }
      }
    }
    for (const timed_call& one : all)
    {
      made.push_back(one.failure.empty() ? entry_of(which, each, segments, one)
                                         : failure_entry(name_of_entry(which, one.who), one.failure));
    }
    if (holds(which.chosen, implementation::limit))
    {
      made.push_back(limit_entry_of(which, each, segments, planned, memory));
    }
    return made;
  }

  //! A ring of what a call moves. Keys are by_key's alone, so they count as room and not as what leaves the cache.
  ring ring_of(const slot& each) const
  {
    device_size room = gpu_.size();
    room.free_bytes = room.free_bytes / each.bytes() * each.moved_bytes();
    return make_ring(each.moved_bytes(), each.moved_bytes(), false, room);
  }

  void prepare(const ring& planned, const data& memory, timed_call& each)
  {
    memory.poison();
    each.prepare();
    memory.verify(1);
    const double seconds = cold_.seconds([&] { each.enqueue(0); });
    if (seconds > long_call_seconds)
    {
      each.seconds.push_back(seconds);
      each.is_done = true;
      return;
    }
    each.graph = clock_.capture(planned, [&](std::uint64_t slot) { each.enqueue(slot); });
    memory.poison();
    each.graph->launch(stream_);
    memory.verify(planned.slots);
    each.nodes = each.graph->nodes() / planned.calls;
  }

  void measure_graph(const ring& planned, timed_call& each)
  {
    if (each.seconds.empty())
    {
      const double seconds = clock_.seconds(planned, *each.graph, 1);
      each.is_done = seconds * static_cast<double>(planned.calls) > long_launch_seconds;
      if (each.is_done)
      {
        each.seconds.push_back(seconds);
        return;
      }
    }
    each.seconds.push_back(clock_.seconds(planned, *each.graph));
  }

  static std::string name_of_entry(const row& which, implementation who) { return which.prefix() + name_of(who); }

  static json described(const row& which, implementation who, const slot& each, std::uint64_t segments, double seconds)
  {
    return {{"name", name_of_entry(which, who)},
            {"real_time", seconds * 1e6},
            {"time_unit", "us"},
            {"bytes", each.read_bytes + each.written_bytes},
            {"segments", segments}};
  }

  static json entry_of(const row& which, const slot& each, std::uint64_t segments, const timed_call& measured)
  {
    json made = described(which, measured.who, each, segments, timing::median(measured.seconds));
    made["repetitions"] = measured.seconds.size();
    made["spread"] = timing::spread(measured.seconds);
    if (measured.graph)
    {
      made["nodes"] = measured.nodes;
    }
    return made;
  }

  json limit_entry_of(const row& which, const slot& each, std::uint64_t segments, const ring& planned, const data& memory)
  {
    try
    {
      const transfer_limit::measured& found = limits_.of(each.read_bytes, each.written_bytes, planned, clock_,
                                                         [&](std::uint64_t slot)
                                                         {
                                                           const call made = memory.call_on(slot);
                                                           return std::pair<const void*, void*>(made.in, made.out);
                                                         });
      json made = described(which, implementation::limit, each, segments, found.seconds);
      made["label"] = found.name;
      return made;
    }
    catch (const std::exception& error)
    {
      stop_if_lost();
      return failure_entry(name_of_entry(which, implementation::limit), error.what());
    }
  }

  const device& gpu_;
  timing::stream stream_;
  timing::cold_clock cold_;
  ring_clock clock_;
  transfer_limit limits_;
};

} // namespace perf::segments

// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! How a row of reheat-segments is measured: implementations are interleaved, and all results are checked after the first
//! call and after each timed round.
#pragma once

#include "common/device.hpp"
#include "segments/calls.hpp"
#include "segments/limit.hpp"

#include <timing/clocks.hpp>
#include <timing/statistics.hpp>

#include <nlohmann/json.hpp>

#include <deque>
#include <exception>
#include <map>
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
    return {in, in + slot_.items_bytes, keys, in + slot_.in_bytes, row_.items, segments_, counter() + 1, stream_};
  }

  //! Overwrites all results.
  void poison() const
  {
    for (std::uint64_t slot = 0; slot < slots_; ++slot)
    {
      check(cudaMemsetAsync(call_on(slot).out, 0xcd, slot_.out_bytes, stream_), "overwriting the results");
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
      : who(measured), function_(function_of(which, measured)), data_(memory)
  {}

  //! Temporary memory, and everything that only the first call does.
  void prepare()
  {
    call first = data_.call_on(0);
    if (has_two_phases(who))
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
  call_function function_;
  const data& data_;
  std::optional<timing::device_memory> temp_;
};

class bench
{
public:
  explicit bench(const device& gpu) : gpu_(gpu), cold_(stream_) {}

  //! Whether the GPU has room for the row.
  bool fits(const row& which) const { return slot_of(which, segments_of(which)).bytes() <= gpu_.size().free_bytes; }

  //! The row's entries of the JSON file: times, or what went wrong. Throws timing::cuda_failure if the GPU cannot be used
  //! any more.
  json measure(const row& which, unsigned rounds)
  {
    try
    {
      return times_of(which, rounds);
    }
    catch (const std::exception& error)
    {
      stop_if_lost();
      json made = json::array();
      for (const implementation who : which.measured())
      {
        made.push_back(failure_of(which, who, error.what()));
      }
      return made;
    }
  }

private:
  static constexpr unsigned graph_launches = 3;
  static constexpr double long_call_seconds = 20e-3;   //!< from here on, a call is timed once, by itself
  static constexpr double long_launch_seconds = 20e-3; //!< from here on, a graph is timed in one round, and launched once

  struct limit
  {
    double seconds;
    std::string name;
  };

  //! All later calls would fail, too.
  static void stop_if_lost() { check(cudaDeviceSynchronize(), "using the GPU after a failed call"); }

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
      made.push_back(one.failure.empty() ? entry_of(which, each, segments, one) : failure_of(which, one.who, one.failure));
    }
    made.push_back(limit_entry_of(which, each, segments, planned, memory));
    return made;
  }

  //! A ring of what a call moves. Keys are by_key's alone, so they count as room and not as what leaves the cache.
  ring ring_of(const slot& each) const
  {
    device_size room = gpu_.size();
    room.free_bytes = room.free_bytes / each.bytes() * each.moved_bytes();
    return make_ring(each.moved_bytes(), each.moved_bytes(), false, room);
  }

  template <class Work>
  static void attempt(timed_call& each, Work work)
  {
    if (!each.failure.empty())
    {
      return;
    }
    try
    {
      work();
    }
    catch (const std::exception& error)
    {
      stop_if_lost();
      each.failure = error.what();
      each.is_done = true;
    }
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
    each.graph = graph_of(planned, [&](std::uint64_t slot) { each.enqueue(slot); });
    memory.poison();
    each.graph->launch(stream_);
    memory.verify(planned.slots);
    each.nodes = each.graph->nodes() / planned.calls;
  }

  template <class Enqueue>
  std::unique_ptr<timing::graph> graph_of(const ring& planned, Enqueue enqueue) const
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

  void measure_graph(const ring& planned, timed_call& each)
  {
    if (each.seconds.empty())
    {
      const double seconds = seconds_of(planned, *each.graph, 1);
      each.is_done = seconds * static_cast<double>(planned.calls) > long_launch_seconds;
      if (each.is_done)
      {
        each.seconds.push_back(seconds);
        return;
      }
    }
    each.seconds.push_back(seconds_of(planned, *each.graph, graph_launches));
  }

  //! Per call.
  double seconds_of(const ring& planned, const timing::graph& calls, unsigned launches) const
  {
    return timing::median(timing::graph_seconds(calls, stream_, launches, cold_.flush(), planned.flush_between)) /
           static_cast<double>(planned.calls);
  }

  //! Of as many bytes it is measured once.
  const limit& limit_of(const slot& each, const ring& planned, const data& memory)
  {
    const auto found = limits_.find({each.in_bytes, each.out_bytes});
    if (found != limits_.end())
    {
      return found->second;
    }
    limit fastest{};
    for (const mover& next : movers())
    {
      const auto graph = graph_of(planned,
                                  [&](std::uint64_t slot)
                                  {
                                    const call made = memory.call_on(slot);
                                    next.enqueue(made.in, each.in_bytes, made.out, each.out_bytes, stream_);
                                  });
      const double seconds = seconds_of(planned, *graph, graph_launches);
      if (fastest.name.empty() || seconds < fastest.seconds)
      {
        fastest = {seconds, next.name};
      }
    }
    return limits_[{each.in_bytes, each.out_bytes}] = fastest;
  }

  static std::string name_of_entry(const row& which, implementation who) { return which.prefix() + name_of(who); }

  static json failure_of(const row& which, implementation who, const std::string& message)
  {
    return {{"name", name_of_entry(which, who)}, {"error_occurred", true}, {"error_message", message}};
  }

  static json described(const row& which, implementation who, const slot& each, std::uint64_t segments, double seconds)
  {
    return {{"name", name_of_entry(which, who)},
            {"real_time", seconds * 1e6},
            {"time_unit", "us"},
            {"bytes", each.moved_bytes()},
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
      const limit& found = limit_of(each, planned, memory);
      json made = described(which, implementation::limit, each, segments, found.seconds);
      made["label"] = found.name;
      return made;
    }
    catch (const std::exception& error)
    {
      stop_if_lost();
      return failure_of(which, implementation::limit, error.what());
    }
  }

  const device& gpu_;
  timing::stream stream_;
  timing::cold_clock cold_;
  std::map<std::pair<std::uint64_t, std::uint64_t>, limit> limits_;
};

} // namespace perf::segments

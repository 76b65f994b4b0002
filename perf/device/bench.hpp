// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! How a row of reheat-device is measured: implementations are interleaved, and every output is compared with CUB's, byte by
//! byte, after the first and after each timed round.
#pragma once

#include "common/device.hpp"
#include "common/ring_graph.hpp"
#include "common/table.hpp"
#include "common/transfers.hpp"
#include "device/rows.hpp"

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

namespace perf::device_wide
{

using nlohmann::json;
using timing::check;

//! The slots of a row with their inputs, and what is expected in each output.
class data
{
public:
  data(const row& which, std::uint64_t slots, cudaStream_t stream)
      : row_(which), slot_(slot_of(which.what->shape, which.items)), slots_(slots), stream_(stream),
        memory_(slots * slot_.bytes()), expected_(slot_.out_bytes), words_(2 * sizeof(unsigned))
  {
    check(cudaMemcpyAsync(future_value(), &initial_value, sizeof(initial_value), cudaMemcpyHostToDevice, stream_),
          "writing the initial value");
    fill_inputs(row_.what->shape, row_.items, memory_.data(), slots_, stream_);
  }

  call call_on(std::uint64_t slot) const
  {
    std::byte* const in = memory_.data() + slot * slot_.bytes();
    std::byte* const out = in + slot_.in_bytes;
    std::byte* const second = out + slot_.first_out_bytes;
    return {in,
            in + slot_.values_bytes,
            out,
            second,
            second + slot_.second_out_bytes,
            future_value(),
            static_cast<int>(row_.items),
            stream_};
  }

  //! Overwrites all outputs.
  void poison() const
  {
    for (std::uint64_t slot = 0; slot < slots_; ++slot)
    {
      check(cudaMemsetAsync(call_on(slot).out, 0xcd, slot_.out_bytes, stream_), "overwriting the outputs");
    }
  }

  //! Takes what lies in the first slot as what is expected in all of them.
  void expect_first() const
  {
    check(cudaMemcpyAsync(expected_.data(), call_on(0).out, slot_.out_bytes, cudaMemcpyDeviceToDevice, stream_),
          "copying what is expected");
    wait();
  }

  //! Throws std::runtime_error if one of the first slots is not as expected.
  void verify(std::uint64_t slots) const
  {
    unsigned differences = 0;
    check(cudaMemsetAsync(counter(), 0, sizeof(differences), stream_), "comparing outputs");
    count_differences(slot_, memory_.data(), slots, expected_.data(), counter(), stream_);
    check(cudaMemcpyAsync(&differences, counter(), sizeof(differences), cudaMemcpyDeviceToHost, stream_),
          "comparing outputs");
    wait();
    if (differences != 0)
    {
      throw std::runtime_error(std::to_string(differences) + " parts of 16 bytes of the output are not CUB's");
    }
  }

  void wait() const { check(cudaStreamSynchronize(stream_), "waiting for the GPU"); }

private:
  unsigned* counter() const { return reinterpret_cast<unsigned*>(words_.data()); }
  std::int32_t* future_value() const { return reinterpret_cast<std::int32_t*>(words_.data() + sizeof(unsigned)); }

  row row_;
  slot slot_;
  std::uint64_t slots_;
  cudaStream_t stream_;
  timing::device_memory memory_, expected_, words_;
};

//! One implementation on one row.
class timed_call
{
public:
  timed_call(const row& which, implementation measured, const data& memory)
      : who(measured), function_(which.what->by(measured)), data_(memory)
  {}

  //! Temporary memory, and everything that only the first call does.
  void prepare()
  {
    call first = data_.call_on(0);
    if (has_two_phases(who))
    {
      function_(first);
      temp_.emplace(first.temp_bytes);
      check(cudaMemsetAsync(temp_->data(), 0xa5, temp_->bytes(), first.stream), "overwriting temporary memory");
      first.temp = temp_->data();
    }
    function_(first);
    data_.wait();
  }

  void enqueue(std::uint64_t slot) const
  {
    call made = call_on(slot);
    function_(made);
  }

  //! The host's time per call, behind one that does not count.
  double host_seconds(std::size_t calls, bool both_phases) const
  {
    call made = call_on(0);
    function_(made);
    const double seconds = timing::wall_seconds(
        [&]
        {
          for (std::size_t i = 0; i < calls; ++i)
          {
            if (both_phases)
            {
              void* const temp = std::exchange(made.temp, nullptr);
              function_(made);
              made.temp = temp;
            }
            function_(made);
          }
        });
    data_.wait();
    return seconds / static_cast<double>(calls);
  }

  std::size_t temp_bytes() const { return temp_ ? temp_->bytes() : 0; }

  const implementation who;
  std::unique_ptr<timing::graph> graph; //!< of many calls; none on the host's clocks
  std::size_t nodes = 0;                //!< that one call has in a graph
  std::vector<double> seconds;
  std::string failure; //!< not empty: it is not measured any more

private:
  call call_on(std::uint64_t slot) const
  {
    call made = data_.call_on(slot);
    made.temp = temp_ ? temp_->data() : nullptr;
    made.temp_bytes = temp_bytes();
    return made;
  }

  const call_function& function_;
  const data& data_;
  std::optional<timing::device_memory> temp_;
};

//! Measurements of each implementation.
struct rounds
{
  unsigned graph, host; //!< by the clock
};

class bench
{
public:
  explicit bench(const device& gpu) : gpu_(gpu), clock_(stream_) {}

  //! Whether the GPU has room for the row.
  static bool fits(const device& gpu, const row& which)
  {
    const slot each = slot_of(which.what->shape, which.items);
    return each.bytes() + each.out_bytes <= gpu.size().free_bytes;
  }

  //! The row's entries of the JSON file: times, or what went wrong. Throws timing::cuda_failure if the GPU cannot be used
  //! any more.
  json measure(const row& which, rounds how_often)
  {
    return entries_or_failures(which, [&]
                               { return times_of(which, which.clock == clock::graph ? how_often.graph : how_often.host); });
  }

private:
  static constexpr std::size_t host_calls = 64; // a queue has room for 1024 launches

  ring ring_of(const row& which) const
  {
    if (which.clock != clock::graph)
    {
      return {1, 1, false};
    }
    const slot each = slot_of(which.what->shape, which.items);
    device_size room = gpu_.size();
    room.free_bytes -= each.out_bytes; // what is expected
    return make_ring(each.bytes(), each.bytes(), false, room);
  }

  json times_of(const row& which, unsigned rounds)
  {
    const ring planned = ring_of(which);
    const data memory(which, planned.slots, stream_);
    expect_results_of_cub(which, memory);
    std::deque<timed_call> all;
    const std::vector<implementation> measured = which.measured();
    for (const implementation who : measured)
    {
      if (who != implementation::limit)
      {
        all.emplace_back(which, who, memory);
        attempt(all.back(), [&] { prepare(which, planned, memory, all.back()); });
      }
    }
    for (unsigned round = 0; round < rounds; ++round)
    {
      for (std::size_t i = 0; i < all.size(); ++i)
      {
        timed_call& each = all[(i + round) % all.size()];
        attempt(each,
                [&]
                {
                  each.seconds.push_back(seconds_of(which, planned, each));
                  memory.verify(planned.slots);
                });
      }
    }
    json made = json::array();
    for (const timed_call& each : all)
    {
      made.push_back(entry_of(which, each));
    }
    if (!measured.empty() && measured.back() == implementation::limit)
    {
      made.push_back(limit_entry_of(which, planned, memory));
    }
    return made;
  }

  static void expect_results_of_cub(const row& which, const data& memory)
  {
    memory.poison();
    timed_call(which, implementation::cub, memory).prepare();
    memory.expect_first();
  }

  void prepare(const row& which, const ring& planned, const data& memory, timed_call& each)
  {
    memory.poison();
    each.prepare();
    memory.verify(1);
    auto captured =
        clock_.capture(planned, [&](std::uint64_t slot) { each.enqueue(slot); }); // one call, for the host's clocks
    memory.poison();
    captured->launch(stream_);
    memory.verify(planned.slots);
    each.nodes = captured->nodes() / planned.calls;
    if (which.clock == clock::graph)
    {
      each.graph = std::move(captured);
    }
  }

  double seconds_of(const row& which, const ring& planned, const timed_call& each) const
  {
    if (which.clock != clock::graph)
    {
      return each.host_seconds(host_calls, which.clock == clock::host_both);
    }
    return clock_.seconds(planned, *each.graph);
  }

  //! Of as many bytes as the call reads and writes, from the begin of a slot's input and output on.
  json limit_entry_of(const row& which, const ring& planned, const data& memory)
  {
    const std::string name = which.prefix() + name_of(implementation::limit);
    try
    {
      const auto bytes_of = [&](double per_item)
      { return padded(static_cast<std::uint64_t>(per_item * static_cast<double>(which.items))); };
      const transfer_limit::measured& found =
          limits_.of(bytes_of(which.what->per_item.read), bytes_of(which.what->per_item.written), planned, clock_,
                     [&](std::uint64_t slot)
                     {
                       const call made = memory.call_on(slot);
                       return std::pair<const void*, void*>(made.in, made.out);
                     });
      return {{"name", name}, {"real_time", found.seconds * 1e6}, {"time_unit", "us"}, {"label", found.name}};
    }
    catch (const std::exception& error)
    {
      stop_if_lost();
      return failure_entry(name, error.what());
    }
  }

  static json entry_of(const row& which, const timed_call& each)
  {
    if (!each.failure.empty())
    {
      return failure_entry(which.prefix() + name_of(each.who), each.failure);
    }
    json made = {{"name", which.prefix() + name_of(each.who)},
                 {"real_time", timing::median(each.seconds) * 1e6},
                 {"time_unit", "us"},
                 {"repetitions", each.seconds.size()},
                 {"spread", timing::spread(each.seconds)},
                 {"nodes", each.nodes}};
    if (has_two_phases(each.who))
    {
      made["temp_bytes"] = each.temp_bytes();
    }
    return made;
  }

  const device& gpu_;
  timing::stream stream_;
  ring_clock clock_;
  transfer_limit limits_;
};

} // namespace perf::device_wide

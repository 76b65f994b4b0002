// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! How a row of reheat-family is measured: calls are interleaved, every result is compared.
#pragma once

#include "common/limit.hpp"
#include "family/calls.hpp"

#include <timing/clocks.hpp>
#include <timing/statistics.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cuda_runtime_api.h>
#include <exception>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace perf::family
{

using nlohmann::json;
using timing::check;

class bench
{
public:
  explicit bench(std::uint64_t max_items)
      : max_items_(max_items), in_(2 * max_items * max_bytes), out_(2 * max_items * max_bytes),
        other_out_(2 * max_items * max_bytes), differences_(sizeof(unsigned))
  {
    // An idle GPU runs at a fraction of its clock rate.
    const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(500);
    while (std::chrono::steady_clock::now() < end)
    {
      clock_.flush().enqueue(stream_, timing::l2_flush::max_passes);
      wait();
    }
  }

  //! The row's entries of the JSON file: times, or what went wrong.
  json measure(const comparison& which)
  {
    try
    {
      return times_of(which);
    }
    catch (const timing::cuda_failure&)
    {
      throw; // the GPU can not be used any more: all later rows would fail, too
    }
    catch (const std::exception& error)
    {
      const cudaError_t status = cudaDeviceSynchronize();
      check(status, which.prefix() + "reheat or thrust"); // as above
      return json::array({{{"name", which.prefix() + "reheat"}, {"error_occurred", true}, {"error_message", error.what()}}});
    }
  }

  //! What an empty kernel and a wait for it take of the host's time, now: the median and the 90th percentile.
  json empty_call()
  {
    std::vector<double> seconds;
    for (int i = 0; i < 201; ++i)
    {
      seconds.push_back(timing::wall_seconds(
          [&]
          {
            enqueue_nothing(stream_);
            wait();
          }));
    }
    std::sort(seconds.begin(), seconds.end());
    return {{"median_us", seconds[seconds.size() / 2] * 1e6}, {"p90_us", seconds[seconds.size() * 9 / 10] * 1e6}};
  }

  static constexpr std::size_t max_bytes = 8; //!< of a value, or a key

private:
  static constexpr std::size_t min_rounds = 7, max_rounds = 51;
  static constexpr double row_seconds = 0.04; // rounds beyond the least end then: the whole program takes less than a minute

  //! Times of everything in a row. The movers of the limit are measured one by one.
  struct samples
  {
    std::array<std::vector<double>, compared.size()> calls; //!< none of an implementation that the row does not have
    std::vector<std::vector<double>> copies, reads, waiting_reads;
    bool host_time = false;
  };

  json times_of(const comparison& which)
  {
    fill(which);
    poison();
    const result expected = run(which, implementation::thrust, false);
    compare(which, implementation::reheat, expected, run(which, implementation::reheat, false));
    compare_outputs(which, expected);
    if (which.clock == perf::clock::cold && !which.what->returns_value())
    {
      run(which, implementation::thrust, true); // kernels and pools that the first of these calls makes
      run(which, implementation::reheat, true);
    }
    poison();
    const samples taken = measure_interleaved(which, expected);
    compare_outputs(which, expected);
    return entries(which, taken, moved_bytes(which, expected));
  }

  samples measure_interleaved(const comparison& which, const result& expected)
  {
    samples made;
    made.host_time = which.clock == perf::clock::wall || which.what->returns_value();
    const auto [read, written] = moved_bytes(which, expected);
    const auto begin = std::chrono::steady_clock::now();
    const auto in_time = [&]
    { return std::chrono::steady_clock::now() - begin < std::chrono::duration<double>(row_seconds); };
    for (std::size_t round = 0; round < min_rounds || (round < max_rounds && in_time()); ++round)
    {
      // Before the calls: copies go where the calls' outputs go.
      if (which.has_limit())
      {
        add_limit(made.copies, copiers(), written, false);
        add_limit(made.reads, readers(), read - written, false);
      }
      if (which.has_waiting_limit())
      {
        add_limit(made.waiting_reads, readers(), read, true);
      }
      for (std::size_t i = 0; i < compared.size(); ++i)
      {
        const implementation who = compared[(i + round) % compared.size()];
        if (which.what->has(who))
        {
          made.calls[index_of(who)].push_back(call_seconds(which, who, expected, made.host_time));
        }
      }
    }
    return made;
  }

  //! Bytes that are read, and bytes that are written.
  static std::pair<std::uint64_t, std::uint64_t> moved_bytes(const comparison& which, const result& returned)
  {
    const member& what = *which.what;
    const std::uint64_t written = what.writes <= output::value    ? 0
                                  : what.writes == output::values ? which.items * what.value_bytes
                                  : what.writes == output::selected
                                      ? static_cast<std::uint64_t>(returned[0]) * what.value_bytes
                                      : static_cast<std::uint64_t>(returned[0]) * (what.value_bytes + what.key_bytes);
    return {which.items * what.item_bytes(), written};
  }

  double call_seconds(const comparison& which, implementation who, const result& expected, bool& host_time)
  {
    result returned{};
    double seconds = 0;
    wait(); // the GPU is idle; and a result that was polled for may be here before its kernel has ended
    restore(which, who);
    if (which.clock == perf::clock::wall)
    {
      seconds = timing::wall_seconds([&] { returned = call(which, who, false); });
    }
    else if (which.what->returns_value())
    {
      seconds = clock_.seconds([&] { returned = call(which, who, false); });
    }
    else if (const auto measured = clock_.seconds_enqueued([&] { returned = call(which, who, true); }))
    {
      seconds = *measured;
    }
    else
    {
      host_time = true;
      seconds = clock_.seconds([&] { returned = call(which, who, true); });
    }
    compare(which, who, expected, returned);
    return seconds;
  }

  void add_limit(std::vector<std::vector<double>>& samples, const std::vector<mover>& movers, std::uint64_t bytes,
                 bool waits)
  {
    if (bytes == 0)
    {
      return;
    }
    samples.resize(movers.size());
    for (std::size_t i = 0; i < movers.size(); ++i)
    {
      const auto move = [&] { movers[i].enqueue(in_.data(), out_.data(), bytes, stream_); };
      if (waits)
      {
        samples[i].push_back(clock_.seconds(
            [&]
            {
              move();
              wait();
            }));
      }
      else if (const auto measured = clock_.seconds_enqueued(move))
      {
        samples[i].push_back(*measured);
      }
      else
      {
        throw std::runtime_error("the host is too slow to enqueue the limit while the GPU is busy");
      }
    }
  }

  static double fastest(const std::vector<std::vector<double>>& samples)
  {
    double seconds = 0;
    for (const std::vector<double>& each : samples)
    {
      const double median = timing::median(each);
      seconds = seconds == 0 ? median : std::min(seconds, median);
    }
    return seconds;
  }

  json entries(const comparison& which, const samples& taken, std::pair<std::uint64_t, std::uint64_t> bytes)
  {
    json made = json::array();
    const auto add = [&](const char* who, double seconds, bool host_time) -> json&
    {
      made.push_back({{"name", which.prefix() + who},
                      {"real_time", seconds * 1e6},
                      {"time_unit", "us"},
                      {"bytes_read", bytes.first},
                      {"bytes_written", bytes.second},
                      {"host_time", host_time}});
      return made.back();
    };
    for (const implementation who : compared)
    {
      const std::vector<double>& seconds = taken.calls[index_of(who)];
      if (seconds.empty())
      {
        continue;
      }
      json& entry = add(name_of(who), timing::median(seconds), taken.host_time);
      entry["repetitions"] = seconds.size();
      entry["spread"] = timing::spread(seconds);
    }
    if (which.has_limit())
    {
      add("limit", fastest(taken.copies) + fastest(taken.reads), false);
    }
    if (which.has_waiting_limit())
    {
      add("limit_waits", fastest(taken.waiting_reads), true);
    }
    return made;
  }

  // ---- calls and what they leave

  places places_of(const comparison& which, implementation who) const
  {
    std::byte* const in = in_.data();
    std::byte* const out = (who == implementation::reheat ? out_ : other_out_).data();
    return {in, in + which.items * which.what->value_bytes, out, out + max_items_ * max_bytes, which.items};
  }

  result call(const comparison& which, implementation who, bool only_enqueues)
  {
    return (only_enqueues ? which.what->enqueuing : which.what->waiting)[index_of(who)](places_of(which, who), stream_);
  }

  //! What a call in place works on.
  void restore(const comparison& which, implementation who)
  {
    if (which.what->in_place)
    {
      const places p = places_of(which, who);
      check(cudaMemcpyAsync(p.out, p.values, p.items * which.what->value_bytes, cudaMemcpyDeviceToDevice, stream_),
            "copying the input");
      wait();
    }
  }

  result run(const comparison& which, implementation who, bool only_enqueues)
  {
    restore(which, who);
    const result made = call(which, who, only_enqueues);
    wait();
    return made;
  }

  void fill(const comparison& which)
  {
    if (filled_ == std::make_pair(which.what, which.items))
    {
      return;
    }
    which.what->fill(places_of(which, implementation::reheat), which.what->input, stream_);
    wait();
    filled_ = {which.what, which.items};
  }

  //! Differently, so that what neither has written is not the same.
  void poison()
  {
    check(cudaMemsetAsync(out_.data(), 0xa5, out_.bytes(), stream_), "overwriting the outputs");
    check(cudaMemsetAsync(other_out_.data(), 0x5a, other_out_.bytes(), stream_), "overwriting the outputs");
    wait();
  }

  static void compare(const comparison& which, implementation who, const result& expected, const result& returned)
  {
    if (returned != expected)
    {
      const auto text = [](const result& each) { return std::to_string(each[0]) + ", " + std::to_string(each[1]); };
      throw std::runtime_error(which.prefix() + name_of(who) + " returns " + text(returned) + ", not " + text(expected));
    }
  }

  void compare_outputs(const comparison& which, const result& returned)
  {
    if (which.what->writes == output::nothing)
    {
      return;
    }
    const places ours = places_of(which, implementation::reheat), theirs = places_of(which, implementation::thrust);
    auto* const differences = reinterpret_cast<unsigned*>(differences_.data());
    const auto items = static_cast<std::uint64_t>(returned[0]);
    unsigned different = 0;
    check(cudaMemsetAsync(differences, 0, sizeof(different), stream_), "comparing outputs");
    count_differences(ours.out, theirs.out, items * which.what->value_bytes, differences, stream_);
    if (which.what->writes == output::segments)
    {
      count_differences(ours.keys_out, theirs.keys_out, items * which.what->key_bytes, differences, stream_);
    }
    check(cudaMemcpyAsync(&different, differences, sizeof(different), cudaMemcpyDeviceToHost, stream_), "comparing outputs");
    wait();
    if (different != 0)
    {
      throw std::runtime_error(which.prefix() + "reheat: " + std::to_string(different) +
                               " bytes of the output are not Thrust's");
    }
  }

  void wait() const { check(cudaStreamSynchronize(stream_), "waiting for the GPU"); }

  std::uint64_t max_items_;
  timing::stream stream_;
  timing::device_memory in_, out_, other_out_, differences_;
  timing::cold_clock clock_{stream_};
  std::pair<const member*, std::uint64_t> filled_{};
};

} // namespace perf::family

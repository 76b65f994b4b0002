// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! How reheat-concurrency measures: who runs when, beside whom.
#pragma once

#include "common/device.hpp"
#include "concurrency/calls.hpp"
#include "concurrency/kernels.cuh"

#include <timing/clocks.hpp>
#include <timing/statistics.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <deque>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace perf::concurrency
{

using nlohmann::json;
using timing::check;

inline std::string prefix_of(const char* part, std::uint64_t items)
{
  return std::string(part) + "/i32/" + std::to_string(items) + "/";
}

class urgent_stream
{
public:
  urgent_stream()
  {
    int least = 0, greatest = 0;
    check(cudaDeviceGetStreamPriorityRange(&least, &greatest), "asking for the priorities of streams");
    check(cudaStreamCreateWithPriority(&stream_, cudaStreamNonBlocking, greatest), "creating a stream of high priority");
  }
  ~urgent_stream() { (void)cudaStreamDestroy(stream_); }
  urgent_stream(const urgent_stream&) = delete;
  urgent_stream& operator=(const urgent_stream&) = delete;
  operator cudaStream_t() const { return stream_; }

private:
  cudaStream_t stream_ = nullptr;
};

// ---- measuring ----------------------------------------------------------------------------------------------------------

class bench
{
public:
  explicit bench(const device& gpu) : gpu_(gpu)
  {
    check(cudaMemset(hot_.data(), 0, hot_.bytes()), "clearing GPU memory");
    check(cudaMemset(ended_.data(), 0, ended_.bytes()), "clearing GPU memory");
    // An idle GPU runs at a fraction of its clock rate.
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(2);
    while (std::chrono::steady_clock::now() < end)
    {
      clock_.flush().enqueue(stream_, timing::l2_flush::max_passes);
      wait(stream_);
    }
  }

  //! A producer writes items, a scan reads them and writes sums, a consumer reads those: in a graph, each time on the next
  //! of a ring of buffers that exceed four times the L2 cache. Also without the consumer, and the producer alone.
  json chain(std::uint64_t items)
  {
    const std::size_t bytes = items * sizeof(item), slots = 4 * gpu_.l2_bytes() / (2 * bytes) + 1;
    const timing::device_memory memory(slots * 2 * bytes);
    const auto in = [&](std::size_t slot) { return reinterpret_cast<item*>(memory.data() + slot * 2 * bytes); };
    const auto out = [&](std::size_t slot) { return in(slot) + items; };
    consumer last(items);
    std::vector<chain_part> parts; // the producer; then of each implementation: with the scan; with the consumer, too
    const auto add = [&](const implementation* who, bool consumed)
    {
      const auto on_slot = [&](std::size_t slot)
      {
        enqueue_producer(in(slot), items, stream_);
        if (who != nullptr)
        {
          who->enqueue(in(slot), out(slot), items, stream_);
        }
        if (consumed)
        {
          last.enqueue(out(slot), stream_);
        }
      };
      on_slot(0); // loads kernels, and allocates what calls keep
      wait(stream_);
      parts.push_back({std::make_unique<timing::graph>(stream_,
                                                       [&]
                                                       {
                                                         for (std::size_t slot = 0; slot < slots; ++slot)
                                                         {
                                                           on_slot(slot);
                                                         }
                                                       }),
                       {}});
    };
    add(nullptr, false);
    for (std::size_t i = 0; i < chained; ++i)
    {
      check(cudaMemsetAsync(memory.data(), 0xcd, memory.bytes(), stream_), "overwriting GPU memory");
      add(&implementations()[i], false);
      add(&implementations()[i], true);
      parts.back().graph->launch(stream_);
      for (std::size_t slot = 0; slot < slots; ++slot)
      {
        check_sums(out(slot), items, stream_, implementations()[i].name);
      }
    }
    take_turns(parts.size(),
               [&](std::size_t i)
               {
                 const auto seconds = timing::graph_seconds(*parts[i].graph, stream_, 3, clock_.flush(), false);
                 parts[i].seconds.push_back(timing::median(seconds) / static_cast<double>(slots));
               });
    json made = json::array();
    for (std::size_t i = 0; i < chained; ++i)
    {
      const chain_part &scanned = parts[1 + 2 * i], &whole = parts[2 + 2 * i];
      made.push_back(entry(prefix_of("chain", items) + implementations()[i].name, whole.seconds));
      made.back()["spread"] = timing::spread(whole.seconds);
      made.back()["without_consumer"] = timing::median(scanned.seconds) * 1e6;
      made.back()["producer"] = timing::median(parts[0].seconds) * 1e6;
    }
    return made;
  }

  //! Scans one after another, while passes over the hot buffer follow each other on another stream, of the same priority or
  //! of a high one; and each alone.
  json bystander(std::uint64_t items, bool urgent)
  {
    const passing& others = urgent ? urgent_passes_ : passes_;
    const buffers memory(*this, items);
    struct times
    {
      std::vector<double> alone, scan, pass, pass_alone;
    };
    std::vector<times> all(implementations().size());
    take_turns(all.size(),
               [&](std::size_t i)
               {
                 const auto scans = static_cast<unsigned>(std::ceil(10e-3 / memory.scan_seconds[i]));
                 all[i].alone.push_back(run_beside(&implementations()[i], memory, scans, nullptr).scan);
                 const beside found = run_beside(&implementations()[i], memory, scans, &others);
                 all[i].scan.push_back(found.scan);
                 all[i].pass.push_back(found.pass);
                 all[i].pass_alone.push_back(run_beside(nullptr, memory, 0, &others).pass);
               });
    json made = json::array();
    for (std::size_t i = 0; i < all.size(); ++i)
    {
      made.push_back(
          entry(prefix_of(urgent ? "bystander_urgent" : "bystander", items) + implementations()[i].name, all[i].scan));
      made.back()["spread"] = timing::spread(all[i].scan);
      made.back()["alone"] = timing::median(all[i].alone) * 1e6;
      made.back()["pass"] = timing::median(all[i].pass) * 1e6;
      made.back()["pass_alone"] = timing::median(all[i].pass_alone) * 1e6;
    }
    return made;
  }

  //! From the launch of a small kernel on a stream of high priority until the host sees that it has run, at random times
  //! of a scan; and on an idle GPU.
  json latency(std::uint64_t items, const probe& what)
  {
    const buffers memory(*this, items);
    const std::size_t idle = implementations().size();
    probe_seconds(what); // loads the kernel
    std::vector<std::vector<double>> all(idle + 1);
    for (std::size_t sample = 0; sample < samples; ++sample)
    {
      for (std::size_t i = 0; i < all.size(); ++i)
      {
        all[i].push_back(i == idle ? probe_seconds(what) : probe_seconds_during(what, i, memory));
      }
    }
    json made = json::array();
    for (std::size_t i = 0; i < all.size(); ++i)
    {
      std::sort(all[i].begin(), all[i].end());
      const std::string who = i == idle ? "idle" : implementations()[i].name;
      made.push_back(entry(prefix_of("latency", items) + what.name + '/' + who, all[i]));
      made.back()["p95"] = all[i][(95 * samples + 99) / 100 - 1] * 1e6;
      made.back()["max"] = all[i].back() * 1e6;
      made.back()["samples"] = samples;
    }
    return made;
  }

private:
  static constexpr std::size_t rounds = 5, samples = 101;
  static constexpr unsigned graph_passes = 100;

  struct chain_part
  {
    std::unique_ptr<timing::graph> graph;
    std::vector<double> seconds;
  };

  //! Passes of the bystander, captured on the stream that they run on, so that they have its priority.
  struct passing
  {
    passing(const bench& owner, cudaStream_t on) : stream(on), graph(on, [&] { owner.enqueue_passes(on); }) {}
    void launch() const { graph.launch(stream); }

    cudaStream_t stream;
    timing::graph graph;
  };

  //! Seconds of one scan, and of one pass while scans ran.
  struct beside
  {
    double scan, pass;
  };

  //! Input and output of single scans; each implementation's has been checked.
  struct buffers
  {
    buffers(bench& owner, std::uint64_t wanted)
        : items(wanted), in_memory(items * sizeof(item)), out_memory(items * sizeof(item))
    {
      enqueue_producer(in(), items, owner.stream_);
      for (const implementation& each : implementations())
      {
        check(cudaMemsetAsync(out(), 0xcd, out_memory.bytes(), owner.stream_), "overwriting GPU memory");
        each.enqueue(in(), out(), items, owner.stream_);
        if (each.scans)
        {
          check_sums(out(), items, owner.stream_, each.name);
        }
        scan_seconds.push_back(owner.clock_.seconds([&] { each.enqueue(in(), out(), items, owner.stream_); }));
      }
    }
    item* in() const { return reinterpret_cast<item*>(in_memory.data()); }
    item* out() const { return reinterpret_cast<item*>(out_memory.data()); }

    std::uint64_t items;
    timing::device_memory in_memory, out_memory;
    std::vector<double> scan_seconds; //!< of each implementation, about
  };

  static void wait(cudaStream_t stream) { check(cudaStreamSynchronize(stream), "waiting for a stream"); }

  static json entry(const std::string& name, const std::vector<double>& seconds)
  {
    return {{"name", name}, {"real_time", timing::median(seconds) * 1e6}, {"time_unit", "us"}};
  }

  //! Each round begins with another one.
  template <class Measure>
  static void take_turns(std::size_t count, Measure measure)
  {
    for (std::size_t round = 0; round < rounds; ++round)
    {
      for (std::size_t i = 0; i < count; ++i)
      {
        measure((i + round) % count);
      }
    }
  }

  void enqueue_passes(cudaStream_t stream) const
  {
    for (unsigned i = 0; i < graph_passes; ++i)
    {
      pass_kernel<<<gpu_.multiprocessors(), bystander_threads, 0, stream>>>(reinterpret_cast<const uint4*>(hot_.data()),
                                                                            reinterpret_cast<pass_log*>(log_.data()), 1);
      check(cudaGetLastError(), "launching the bystander");
    }
  }

  //! The others' passes follow each other from before the scans until after them. Without scans: some passes alone.
  beside run_beside(const implementation* who, const buffers& memory, unsigned scans, const passing* others)
  {
    if (others != nullptr)
    {
      others->launch(); // after these, the buffer is in the cache
      check(cudaMemsetAsync(log_.data(), 0, sizeof(unsigned), others->stream), "clearing GPU memory");
      wait(others->stream);
      others->launch();
      others->launch();
    }
    stamp_kernel<<<1, 1, 0, stream_>>>(stamps());
    for (unsigned i = 0; i < scans; ++i)
    {
      who->enqueue(memory.in(), memory.out(), memory.items, stream_);
    }
    stamp_kernel<<<1, 1, 0, stream_>>>(stamps() + 1);
    check(cudaGetLastError(), "reading the GPU's timer");
    const timing::event done;
    done.record(stream_);
    std::deque<timing::event> in_flight;
    while (others != nullptr && !done.has_happened())
    {
      others->launch();
      in_flight.emplace_back().record(others->stream);
      if (in_flight.size() > 2)
      {
        in_flight.front().wait();
        in_flight.pop_front();
      }
    }
    check(cudaDeviceSynchronize(), "waiting for the GPU");
    std::uint64_t window[2];
    check(cudaMemcpy(window, stamps(), sizeof(window), cudaMemcpyDeviceToHost), "copying from the GPU");
    return {scans != 0 ? static_cast<double>(window[1] - window[0]) * 1e-9 / scans : 0,
            others != nullptr ? pass_seconds(scans != 0, window[0], window[1]) : 0};
  }

  double pass_seconds(bool only_inside, std::uint64_t begin, std::uint64_t end)
  {
    check(cudaMemcpy(host_log_.get(), log_.data(), sizeof(pass_log), cudaMemcpyDeviceToHost), "copying from the GPU");
    std::vector<std::uint64_t> began(host_log_->began, host_log_->began + std::min(host_log_->count, pass_log::most));
    const auto outside = [&](std::uint64_t when) { return only_inside && (when < begin || when > end); };
    began.erase(std::remove_if(began.begin(), began.end(), outside), began.end());
    if (began.size() < 2) // it was kept out: for that long at least
    {
      return static_cast<double>(end - begin) * 1e-9;
    }
    return static_cast<double>(began.back() - began.front()) * 1e-9 / static_cast<double>(began.size() - 1);
  }

  double probe_seconds(const probe& what)
  {
    auto* const flag = reinterpret_cast<volatile unsigned*>(flag_.data());
    ++turn_;
    const double seconds = timing::wall_seconds(
        [&]
        {
          probe_kernel<<<what.blocks, what.threads, what.shared_bytes, urgent_>>>(reinterpret_cast<unsigned*>(ended_.data()),
                                                                                  flag, turn_);
          check(cudaGetLastError(), "launching a small kernel");
          while (*flag != turn_)
          {}
        });
    wait(urgent_);
    return seconds;
  }

  double probe_seconds_during(const probe& what, std::size_t who, const buffers& memory)
  {
    for (unsigned attempt = 0; attempt < 10; ++attempt)
    {
      const timing::event begin, end;
      begin.record(stream_);
      implementations()[who].enqueue(memory.in(), memory.out(), memory.items, stream_);
      end.record(stream_);
      while (!begin.has_happened())
      {}
      const double delay = memory.scan_seconds[who] * std::uniform_real_distribution<>(0.1, 0.7)(random_);
      const auto start = std::chrono::steady_clock::now();
      while (std::chrono::steady_clock::now() - start < std::chrono::duration<double>(delay))
      {}
      const bool in_time = !end.has_happened();
      const double seconds = probe_seconds(what);
      wait(stream_);
      if (in_time)
      {
        return seconds;
      }
    }
    throw std::runtime_error("the host is too slow to meet a scan that runs");
  }

  std::uint64_t* stamps() const { return reinterpret_cast<std::uint64_t*>(stamps_.data()); }

  const device& gpu_;
  timing::stream stream_, other_;
  urgent_stream urgent_;
  timing::cold_clock clock_{stream_};
  timing::device_memory hot_{bystander_bytes}, log_{sizeof(pass_log)}, stamps_{2 * sizeof(std::uint64_t)},
      ended_{sizeof(unsigned)};
  timing::pinned_memory flag_{sizeof(unsigned)};
  std::unique_ptr<pass_log> host_log_ = std::make_unique<pass_log>();
  passing passes_{*this, other_}, urgent_passes_{*this, urgent_};
  std::mt19937 random_{1};
  unsigned turn_ = 0;
};

} // namespace perf::concurrency

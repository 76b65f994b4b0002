// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! `./dev soak [minutes]`: hours of load on a GPU. Threads that come and go make calls that are drawn (random_calls.hpp), on
//! streams that come and go, also on one that all threads share, and in graphs with parallel branches, which are cloned and
//! updated. Beside them run kernels that wait for the host, allocations, trims, and another process that does the same.
//! Every result is compared with the host's. Fails if one was wrong, if a call threw, or if memory has grown.

#include "../support/graphs.hpp"
#include "../support/random_calls.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <mutex>
#include <random>
#include <shared_mutex>
#include <string>
#include <thread>
#include <vector>

using namespace compat;

namespace
{

using clock_type = std::chrono::steady_clock;

constexpr std::size_t max_items = std::size_t{1} << 18;
constexpr std::uint64_t calls_per_thread = 20000; // then another thread takes its place

double seconds_since(clock_type::time_point begin)
{
  return std::chrono::duration<double>(clock_type::now() - begin).count();
}

class generator final : public drawn::choices
{
public:
  explicit generator(std::uint64_t seed) : random_(seed) {}
  std::uint32_t next() override { return static_cast<std::uint32_t>(random_() >> 32); }

private:
  std::mt19937_64 random_;
};

//! What all threads have found.
class findings
{
public:
  void count(double seconds, const std::string& what)
  {
    ++operations;
    if (seconds > slowest_.load(std::memory_order_relaxed))
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      if (seconds > slowest_)
      {
        slowest_ = seconds;
        slowest_call_ = what;
      }
    }
  }
  void wrong(const std::string& what)
  {
    ++wrong_;
    print("wrong: " + what);
  }
  void threw(const std::string& what)
  {
    ++thrown_;
    print("threw: " + what);
  }
  bool is_clean() const { return wrong_ == 0 && thrown_ == 0; }
  void report(double seconds, const char* title) const
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    std::printf("%s: %.0f s, %llu operations, %llu in graphs, %llu wrong, %llu thrown, slowest call %.2f ms (%s)\n", title,
                seconds, static_cast<unsigned long long>(operations), static_cast<unsigned long long>(in_graphs),
                static_cast<unsigned long long>(wrong_), static_cast<unsigned long long>(thrown_), 1e3 * slowest_,
                slowest_call_.c_str());
    std::fflush(stdout);
  }

  std::atomic<std::uint64_t> operations{0}, in_graphs{0};

private:
  void print(const std::string& what)
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (++printed_ <= 20)
    {
      std::printf("%s\n", what.c_str());
      std::fflush(stdout);
    }
  }

  std::atomic<std::uint64_t> wrong_{0}, thrown_{0};
  std::atomic<double> slowest_{0};
  mutable std::mutex mutex_;
  std::string slowest_call_;
  unsigned printed_ = 0;
};

//! Memory of the process and of the device.
struct memory_now
{
  double device_mib = 0, host_mib = 0, workspace_mib = 0;

  static memory_now look()
  {
    std::size_t free_bytes = 0, total = 0;
    require(cudaMemGetInfo(&free_bytes, &total), "ask for memory");
    std::size_t pages = 0, resident = 0;
    std::ifstream("/proc/self/statm") >> pages >> resident;
    return {static_cast<double>(total - free_bytes) / 1048576,
            static_cast<double>(resident) * static_cast<double>(sysconf(_SC_PAGESIZE)) / 1048576,
            static_cast<double>(reheat::workspace_bytes()) / 1048576};
  }
  void print(const char* when) const
  {
    std::printf("memory %s: %.0f MiB of the device, %.0f MiB of the host, %.1f MiB of scratch memory\n", when, device_mib,
                host_mib, workspace_mib);
  }
};

// ---- calls --------------------------------------------------------------------------------------------------------------

//! One thread's place at which calls come one after another. Its memory is used by the next thread in its turn.
class worker
{
public:
  worker(std::uint64_t seed, stream& shared, findings& found) : choose_(seed), shared_(shared), found_(found)
  {
    callers_.push_back(drawn::caller_of_u8(max_items));
    callers_.push_back(drawn::caller_of_u32(max_items));
    callers_.push_back(drawn::caller_of_u64(max_items));
    callers_.push_back(drawn::caller_of_f32(max_items));
    for (auto& each : own_)
    {
      each = std::make_unique<stream>();
    }
  }

  //! One call, or several at once.
  void step()
  {
    try
    {
      if (choose_.one_in(512))
      {
        own_[choose_.below(2)] = std::make_unique<stream>();
      }
      if (choose_.one_in(8192))
      {
        const std::unique_lock<std::shared_mutex> nothing_is_captured(captures_);
        reheat::trim_workspaces();
      }
      choose_.one_in(16) ? graph_of_branches() : calls_in_a_row();
    }
    catch (const std::exception& error)
    {
      found_.threw(doing_ + ": " + error.what());
    }
  }

private:
  reheat::stream_type draw_stream()
  {
    switch (choose_.below(8))
    {
      case 0:
        return shared_.get();
      case 1:
        return cudaStreamPerThread;
      default:
        return own_[choose_.below(2)]->get();
    }
  }

  //! Calls of several types on one stream, all of them before the first is looked at.
  void calls_in_a_row()
  {
    const reheat::stream_type where = draw_stream();
    const std::size_t first = choose_.below(4), count = 1 + choose_.below(3);
    drawn::plan plans[3];
    bool refused[3] = {};
    for (std::size_t i = 0; i < count; ++i)
    {
      drawn::caller& each = *callers_[(first + i) % 4];
      plans[i] = each.draw(choose_, max_items, false);
      doing_ = plans[i].described(each.type());
      each.prepare(plans[i], where);
      const auto begin = clock_type::now();
      try
      {
        each.call(plans[i], where);
      }
      catch (const std::bad_alloc&)
      {
        refused[i] = plans[i].allocator_throws;
        if (!refused[i])
        {
          throw;
        }
        require(cudaStreamSynchronize(where), "wait for a stream"); // for what came before the allocation
      }
      found_.count(seconds_since(begin), doing_);
    }
    for (std::size_t i = 0; i < count; ++i)
    {
      const std::string wrong = refused[i] ? "" : callers_[(first + i) % 4]->check(plans[i], where);
      if (!wrong.empty())
      {
        found_.wrong(wrong);
      }
    }
  }

  //! Two calls in parallel branches of one graph, which is replayed: its executable, its clone's, or one that was updated.
  void graph_of_branches()
  {
    stream& where = *own_[choose_.below(2)];
    drawn::caller* const both[2] = {callers_[choose_.below(2)].get(), callers_[2 + choose_.below(2)].get()};
    drawn::plan plans[2];
    for (int i = 0; i < 2; ++i)
    {
      do
      {
        plans[i] = both[i]->draw(choose_, max_items, true);
      } while (plans[i].size == 0);
    }
    doing_ = "a graph of " + plans[0].described(both[0]->type()) + " and " + plans[1].described(both[1]->type());
    const auto capture = [&]
    {
      both[0]->prepare(plans[0], where.get());
      both[1]->prepare(plans[1], where.get());
      fork_of branches(where);
      both[0]->call(plans[0], where.get());
      branches.next_branch();
      both[1]->call(plans[1], where.get());
      branches.join();
    };
    const cudaStreamCaptureMode mode = capture_modes[1 + choose_.below(2)]; // global ones would end by others' allocations
    const unsigned variant = choose_.below(3);
    std::shared_lock<std::shared_mutex> captures(captures_);
    const graph captured(where, mode, capture);
    cudaGraph_t clone = nullptr;
    cudaGraphExec_t replay = nullptr;
    if (variant == 1)
    {
      require(cudaGraphClone(&clone, captured.get()), "clone a graph");
    }
    require(cudaGraphInstantiate(&replay, clone != nullptr ? clone : captured.get(), 0), "instantiate a graph");
    if (variant == 2)
    {
      const graph again(where, mode, capture);
      cudaGraphExecUpdateResultInfo result{};
      if (cudaGraphExecUpdate(replay, again.get(), &result) != cudaSuccess)
      {
        (void)cudaGetLastError(); // the executable stays as it was
      }
    }
    captures.unlock();
    for (unsigned round = 0; round < 1 + choose_.below(3); ++round)
    {
      const auto begin = clock_type::now();
      require(cudaGraphLaunch(replay, where.get()), "launch a graph");
      found_.count(seconds_since(begin), doing_);
      ++found_.in_graphs;
      for (int i = 0; i < 2; ++i)
      {
        const std::string wrong = both[i]->check(plans[i], where.get());
        if (!wrong.empty())
        {
          found_.wrong("in a graph, " + wrong);
        }
      }
    }
    (void)cudaGraphExecDestroy(replay);
    if (clone != nullptr)
    {
      (void)cudaGraphDestroy(clone);
    }
  }

  static inline std::shared_mutex captures_; // a trim waits for the device, and thereby ends them

  generator choose_;
  stream& shared_;
  findings& found_;
  std::vector<std::unique_ptr<drawn::caller>> callers_;
  std::unique_ptr<stream> own_[2];
  std::string doing_ = "starting";
};

// ---- neighbours ---------------------------------------------------------------------------------------------------------

__global__ void wait_for_host(const volatile unsigned* released, unsigned ticket)
{
  while (*released < ticket)
  {}
}

//! Kernels that hold multiprocessors until the host lets them go.
void hog_multiprocessors(std::uint64_t seed, const std::atomic<bool>& ends)
{
  generator choose(seed);
  stream own;
  unsigned* released = nullptr;
  require(cudaHostAlloc(reinterpret_cast<void**>(&released), sizeof *released, cudaHostAllocMapped), "pin memory");
  *released = 0;
  int shared_bytes = 0, multiprocessors = 0;
  require(cudaDeviceGetAttribute(&shared_bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0), "ask for shared memory");
  require(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0), "ask for multiprocessors");
  require(cudaFuncSetAttribute(wait_for_host, cudaFuncAttributeMaxDynamicSharedMemorySize, shared_bytes),
          "allow shared memory");
  for (unsigned ticket = 1; !ends; ++ticket)
  {
    const unsigned blocks = 1 + choose.below(static_cast<std::uint32_t>(multiprocessors));
    const unsigned bytes = choose.below(2) * static_cast<unsigned>(shared_bytes);
    wait_for_host<<<blocks, 32, bytes, own.get()>>>(released, ticket);
    require(cudaGetLastError(), "launch a kernel that waits");
    std::this_thread::sleep_for(std::chrono::microseconds(100 + choose.below(900)));
    *static_cast<volatile unsigned*>(released) = ticket;
    own.synchronise();
    std::this_thread::sleep_for(std::chrono::microseconds(choose.below(2000)));
  }
  (void)cudaFreeHost(released);
}

//! Allocations of all sizes, of which some wait for the device.
void churn_memory(std::uint64_t seed, const std::atomic<bool>& ends)
{
  generator choose(seed);
  stream own;
  while (!ends)
  {
    void* memory = nullptr;
    const std::size_t bytes = std::size_t{1} << choose.below(28);
    if (choose.one_in(16))
    {
      require(cudaMalloc(&memory, bytes), "allocate");
      require(cudaFree(memory), "free");
    }
    else
    {
      require(cudaMallocAsync(&memory, bytes, own.get()), "allocate in stream order");
      require(cudaMemsetAsync(memory, 0xff, bytes, own.get()), "fill");
      require(cudaFreeAsync(memory, own.get()), "free in stream order");
      own.synchronise();
    }
    std::this_thread::sleep_for(std::chrono::microseconds(choose.below(5000)));
  }
}

//! Runs `body` in a thread of its own until it ends; an exception is a finding.
template <class Body>
std::thread neighbour(findings& found, const char* name, Body body)
{
  return std::thread(
      [&found, name, body]
      {
        try
        {
          body();
        }
        catch (const std::exception& error)
        {
          found.threw(std::string(name) + ": " + error.what());
        }
      });
}

//! The load, for so long.
void run_load(findings& found, double seconds, unsigned threads, std::uint64_t seed, bool neighbours)
{
  std::atomic<bool> ends{false};
  stream shared;
  std::vector<std::unique_ptr<worker>> workers; // made before anything is captured: that waits for the device
  for (unsigned place = 0; place < threads; ++place)
  {
    workers.push_back(std::make_unique<worker>(seed + place, shared, found));
  }
  std::vector<std::thread> all;
  for (const auto& each : workers)
  {
    all.push_back(neighbour(found, "a worker",
                            [&ends, &mine = *each]
                            {
                              while (!ends)
                              {
                                std::thread(
                                    [&]
                                    {
                                      for (std::uint64_t i = 0; i < calls_per_thread && !ends; ++i)
                                      {
                                        mine.step();
                                      }
                                    })
                                    .join();
                              }
                            }));
  }
  if (neighbours)
  {
    all.push_back(neighbour(found, "a kernel that waits", [&] { hog_multiprocessors(seed + 1000, ends); }));
    all.push_back(neighbour(found, "allocations", [&] { churn_memory(seed + 1001, ends); }));
  }
  const auto begin = clock_type::now();
  std::uint64_t before = 0;
  double progress = 0;
  for (double now = 0, told = 0; now < seconds; now = seconds_since(begin))
  {
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    if (found.operations != before)
    {
      before = found.operations;
      progress = now;
    }
    if (now - progress > 120)
    {
      found.report(now, "STANDS STILL");
      std::_Exit(3);
    }
    if (now - told > 60)
    {
      told = now;
      found.report(now, "so far");
    }
  }
  ends = true;
  for (std::thread& each : all)
  {
    each.join();
  }
}

//! Another process that does the same, on the same GPU.
pid_t start_neighbour(const char* program, double seconds)
{
  const pid_t child = fork();
  if (child == 0)
  {
    const std::string text = std::to_string(seconds);
    execl(program, program, "--neighbour", text.c_str(), static_cast<char*>(nullptr));
    std::_Exit(127);
  }
  return child;
}

int run(const char* program, double minutes)
{
  // As many threads as leave a core to the neighbours.
  const unsigned threads = std::max(2u, std::min(16u, std::thread::hardware_concurrency()));
  const std::uint64_t seed = std::random_device{}();
  std::printf("seed %llu, %u threads\n", static_cast<unsigned long long>(seed), threads);
  findings warm, found;
  run_load(warm, std::min(10.0, 6 * minutes), threads, seed, false); // kernels are loaded, lists have their length
  reheat::trim_workspaces();
  const memory_now start = memory_now::look();
  warm.report(std::min(10.0, 6 * minutes), "to get warm");
  start.print("at the start");
  const auto begin = clock_type::now();
  const pid_t child = start_neighbour(program, 60 * minutes);
  run_load(found, 60 * minutes, threads, seed + 100, true);
  int status = 0;
  const bool neighbour_is_clean =
      child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
  reheat::trim_workspaces();
  const memory_now end = memory_now::look();
  end.print("at the end");
  found.report(seconds_since(begin), "all");
  constexpr double slack_mib = 64;
  const bool is_level = end.device_mib < start.device_mib + slack_mib && end.host_mib < start.host_mib + slack_mib;
  std::printf("the other process: %s; memory is %s\n", neighbour_is_clean ? "clean" : "FAILED",
              is_level ? "level" : "NOT LEVEL");
  const bool passed = warm.is_clean() && found.is_clean() && neighbour_is_clean && is_level;
  std::printf("%s\n", passed ? "passed" : "FAILED");
  return passed ? 0 : 1;
}

} // namespace

int main(int argc, char** argv)
{
  try
  {
    if (argc == 3 && std::string(argv[1]) == "--neighbour")
    {
      findings found;
      run_load(found, std::strtod(argv[2], nullptr), 2, static_cast<std::uint64_t>(getpid()), true);
      found.report(std::strtod(argv[2], nullptr), "the other process");
      return found.is_clean() ? 0 : 1;
    }
    char* end = nullptr;
    const double minutes = argc == 2 ? std::strtod(argv[1], &end) : 1;
    if (argc > 2 || minutes <= 0 || (end != nullptr && *end != '\0'))
    {
      std::fprintf(stderr, "%s [minutes]: puts load on the GPU for so long, 1 minute by default\n", argv[0]);
      return 2;
    }
    return run(argv[0], minutes);
  }
  catch (const std::exception& error)
  {
    std::fprintf(stderr, "%s: %s\n", argv[0], error.what());
    return 2;
  }
}

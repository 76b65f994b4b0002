// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! `./dev soak [minutes]`: hours of load on a GPU. Threads that come and go make calls that are drawn (random_calls.hpp), on
//! streams that come and go, also on one that all threads share, and in graphs with parallel branches, which are cloned and
//! updated and whose input changes. Beside them run calls across ranks, kernels that wait for the host, allocations, trims,
//! and another process that does the same. Every result is compared with the host's. Fails if one was wrong, if a call
//! threw, if memory has grown, or if a kind of call was never made.
//!
//! A thread enqueues up to 32 calls on one stream before it looks at them, and meanwhile looks at those before. So neither
//! waits for the other. With a wait and two copies for each call, the two processes made 14 000 calls in a second on an
//! NVIDIA H100 with 16 cores. Now they make 52 000; one alone, without kernels that wait, 168 000.

#include "../support/graphs.hpp"
#include "../support/random_calls.hpp"

#include <reheat/across/thread_ranks.h>

#include <malloc.h>
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
constexpr std::uint64_t steps_per_thread = 1000; // then another thread takes its place

double seconds_since(clock_type::time_point begin)
{
  return std::chrono::duration<double>(clock_type::now() - begin).count();
}

using drawn::generator;

//! The callers of one thread, in groups that are drawn alike: the same for each.
std::vector<std::vector<drawn::caller_ptr>> make_callers()
{
  std::vector<std::vector<drawn::caller_ptr>> groups(4);
  for (const auto make :
       {&drawn::family_of_u8, &drawn::family_of_i8, &drawn::family_of_u16, &drawn::family_of_i16, &drawn::family_of_u32,
        &drawn::family_of_i32, &drawn::family_of_u64, &drawn::family_of_i64, &drawn::family_of_f32, &drawn::family_of_f64})
  {
    groups[0].push_back(make(max_items));
  }
  for (const auto make : {&drawn::segments_of_u32, &drawn::segments_of_f64})
  {
    groups[1].push_back(make(max_items));
  }
  for (const auto make : {&drawn::device_of_u32, &drawn::device_of_i16, &drawn::device_of_f32})
  {
    groups[2].push_back(make(max_items));
  }
  groups[3].push_back(drawn::selections(max_items));
  groups[3].push_back(drawn::options(max_items));
  return groups;
}

//! How often each kind of a caller's calls was drawn. Those in graphs run several times.
class tally
{
public:
  tally(const std::string& name, const std::vector<std::string>& kinds) : name_(name), kinds_(kinds), counts_(kinds.size())
  {}
  void count(unsigned kind) { counts_[kind].fetch_add(1, std::memory_order_relaxed); }
  //! Prints all; returns whether each was drawn.
  bool print() const
  {
    std::uint64_t sum = 0;
    std::string each;
    bool all = true;
    for (std::size_t i = 0; i < kinds_.size(); ++i)
    {
      sum += counts_[i];
      all = all && counts_[i] != 0;
      each += (i == 0 ? "" : ", ") + kinds_[i] + " " + std::to_string(counts_[i]);
    }
    std::printf("%s: %llu drawn%s\n  %s\n", name_.c_str(), static_cast<unsigned long long>(sum), all ? "" : ", SOME NEVER",
                each.c_str());
    return all;
  }

private:
  std::string name_;
  std::vector<std::string> kinds_;
  std::vector<std::atomic<std::uint64_t>> counts_;
};

//! What a process has found, in numbers.
struct totals
{
  std::uint64_t operations = 0, in_graphs = 0, wrong = 0, thrown = 0;
  double slowest_seconds = 0; //!< of a call, until it returned
};

//! What all threads have found.
class findings
{
public:
  //! A call that has returned after so long.
  template <class Describe>
  void took(double seconds, Describe describe)
  {
    if (seconds > slowest_.load(std::memory_order_relaxed))
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      if (seconds > slowest_)
      {
        slowest_ = seconds;
        slowest_call_ = describe();
      }
    }
  }
  //! A call whose results have been compared.
  void checked(const std::string& wrong)
  {
    operations.fetch_add(1, std::memory_order_relaxed);
    if (!wrong.empty())
    {
      ++wrong_;
      print("wrong: " + wrong);
    }
  }
  void threw(const std::string& what)
  {
    ++thrown_;
    print("threw: " + what);
  }
  bool is_clean() const { return wrong_ == 0 && thrown_ == 0; }
  totals now() const { return {operations, in_graphs, wrong_, thrown_, slowest_}; }
  void report(double seconds, const char* title) const
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    print_totals(now(), seconds, title, " (" + slowest_call_ + ")");
  }
  static void print_totals(const totals& all, double seconds, const char* title, const std::string& slowest_call = "")
  {
    std::printf("%s: %.0f s, %llu operations, %.0f in a second, %llu in graphs, %llu wrong, %llu thrown, slowest call %.2f "
                "ms%s\n",
                title, seconds, static_cast<unsigned long long>(all.operations),
                static_cast<double>(all.operations) / seconds, static_cast<unsigned long long>(all.in_graphs),
                static_cast<unsigned long long>(all.wrong), static_cast<unsigned long long>(all.thrown),
                1e3 * all.slowest_seconds, slowest_call.c_str());
    std::fflush(stdout);
  }

  std::atomic<std::uint64_t> operations{0}, in_graphs{0}, refused{0};

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
    (void)malloc_trim(0); // what the host's allocator keeps of memory that has been freed
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

//! Tallies of the callers of make_callers, which all threads share.
using tallies = std::vector<std::vector<std::unique_ptr<tally>>>;
tallies make_tallies(const std::vector<std::vector<drawn::caller_ptr>>& groups)
{
  tallies all;
  for (const auto& group : groups)
  {
    all.emplace_back();
    for (const auto& each : group)
    {
      all.back().push_back(std::make_unique<tally>(each->name(), each->kinds()));
    }
  }
  return all;
}

//! Calls that have been enqueued, and are looked at together.
class batch
{
public:
  batch() : space(drawn::bytes_for(max_items))
  {
    require(cudaEventCreateWithFlags(&passed_, cudaEventDisableTiming), "make an event");
  }
  batch(const batch&) = delete;
  batch& operator=(const batch&) = delete;
  ~batch() { (void)cudaEventDestroy(passed_); }

  void begin()
  {
    space.begin();
    calls.clear();
  }
  //! The host has all results when wait() returns.
  void enqueued(reheat::stream_type where)
  {
    space.fetch(where);
    require(cudaEventRecord(passed_, where), "record an event");
  }
  void wait() { require(cudaEventSynchronize(passed_), "wait for an event"); }

  drawn::output_space space;
  std::vector<std::unique_ptr<drawn::call>> calls;

private:
  cudaEvent_t passed_ = nullptr;
};

//! One thread's place at which calls come one after another. Its memory is used by the next thread in its turn.
class worker
{
public:
  worker(std::uint64_t seed, stream& shared, findings& found, tallies& counts)
      : choose_(seed), shared_(shared), found_(found), counts_(counts), groups_(make_callers())
  {
    for (auto& each : own_)
    {
      each = std::make_unique<stream>();
    }
  }

  //! Several calls.
  void step()
  {
    batch& next = batches_[turn_];
    turn_ ^= 1;
    try
    {
      finish(next);
      next.begin();
      if (choose_.one_in(512))
      {
        own_[choose_.below(2)] = std::make_unique<stream>();
      }
      if (choose_.one_in(2048))
      {
        const std::unique_lock<std::shared_mutex> nothing_is_captured(captures_);
        reheat::trim_workspaces();
      }
      choose_.one_in(8) ? graph_of_branches(next) : calls_in_a_row(next);
    }
    catch (const std::exception& error)
    {
      found_.threw(doing_ + ": " + error.what());
      next.begin();
    }
  }
  //! Looks at all calls that have not been looked at.
  void finish()
  {
    try
    {
      finish(batches_[turn_]);
      finish(batches_[1 - turn_]);
    }
    catch (const std::exception& error)
    {
      found_.threw("at the end: " + std::string(error.what()));
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

  std::unique_ptr<drawn::call> draw(batch& into, bool captured)
  {
    const std::size_t group = choose_.below(static_cast<std::uint32_t>(groups_.size()));
    const std::size_t of = choose_.below(static_cast<std::uint32_t>(groups_[group].size()));
    std::unique_ptr<drawn::call> next = groups_[group][of]->draw(choose_, into.space, captured);
    counts_[group][of]->count(next->kind);
    return next;
  }

  //! Calls of several kinds on one stream, all of them before the first is looked at.
  void calls_in_a_row(batch& into)
  {
    const reheat::stream_type where = draw_stream();
    const std::size_t count = 1 + choose_.below(32);
    std::vector<std::unique_ptr<drawn::call>> calls;
    doing_ = "drawing";
    while (calls.size() < count && into.space.has_room())
    {
      calls.push_back(draw(into, false));
    }
    into.space.clear(where);
    for (auto& each : calls)
    {
      each->prepare(where);
      const auto begin = clock_type::now();
      try
      {
        each->make(where);
        found_.took(seconds_since(begin), [&] { return each->described(); });
        into.calls.push_back(std::move(each));
      }
      catch (const std::bad_alloc&)
      {
        if (!each->allocator_throws())
        {
          found_.threw(each->described() + ": bad_alloc");
        }
        else
        {
          found_.refused.fetch_add(1, std::memory_order_relaxed);
        }
      }
      catch (const std::exception& error)
      {
        found_.threw(each->described() + ": " + error.what());
      }
    }
    into.enqueued(where);
  }

  void finish(batch& of)
  {
    if (!of.calls.empty())
    {
      of.wait();
      check(of);
      of.begin();
    }
  }
  void check(const batch& of)
  {
    for (const auto& each : of.calls)
    {
      found_.checked(each->check());
    }
  }

  //! Calls in parallel branches of one graph, which is replayed on other input: its executable, its clone's, or one that was
  //! updated.
  void graph_of_branches(batch& into)
  {
    stream& where = *own_[choose_.below(2)];
    const std::size_t count = 2 + choose_.below(5);
    doing_ = "a graph";
    while (into.calls.size() < count && into.space.has_room())
    {
      into.calls.push_back(draw(into, true));
      doing_ += ", " + into.calls.back()->described();
    }
    const auto capture = [&]
    {
      fork_of branches(where);
      for (std::size_t i = 0; i < into.calls.size(); ++i)
      {
        if (i == into.calls.size() / 2)
        {
          branches.next_branch();
        }
        into.calls[i]->make(where.get());
      }
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
    for (unsigned round = 0, rounds = 1 + choose_.below(8); round < rounds; ++round)
    {
      into.space.clear(where.get());
      for (const auto& each : into.calls)
      {
        each->change_input(choose_);
        each->prepare(where.get());
      }
      const auto begin = clock_type::now();
      require(cudaGraphLaunch(replay, where.get()), "launch a graph");
      found_.took(seconds_since(begin), [&] { return doing_; });
      into.enqueued(where.get());
      into.wait();
      check(into);
      found_.in_graphs.fetch_add(into.calls.size(), std::memory_order_relaxed);
    }
    into.begin();
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
  tallies& counts_;
  std::vector<std::vector<drawn::caller_ptr>> groups_;
  batch batches_[2];
  unsigned turn_ = 0;
  std::unique_ptr<stream> own_[2];
  std::string doing_ = "starting";
};

//! Calls across ranks: threads that draw the same calls, on streams of their own.
class team
{
public:
  team(std::uint64_t seed, findings& found) : seed_(seed), found_(found)
  {
    for (auto& each : batches_)
    {
      each = std::make_unique<batch>();
    }
  }
  //! Until the end, with 2 or 3 ranks in turn.
  void run(const std::atomic<bool>& ends)
  {
    for (int ranks = 2; !ends; ranks = 5 - ranks)
    {
      last_round_ = 20000;
      reheat::thread_group group(ranks);
      ++seed_;
      std::vector<std::thread> threads;
      for (int rank = 0; rank < ranks; ++rank)
      {
        threads.emplace_back([&, rank] { run_rank(group, rank, ends); });
      }
      for (std::thread& each : threads)
      {
        each.join();
      }
    }
  }
  bool print() const { return counts_ != nullptr && counts_->print(); }

private:
  // No rank may end before the others: rank 0 says which round is the last before it makes the calls of that round, without
  // which no other rank goes on.
  void run_rank(reheat::thread_group& group, int rank, const std::atomic<bool>& ends)
  {
    std::string doing = "starting";
    try
    {
      reheat::thread_ranks ranks(group, rank);
      const drawn::caller_ptr caller = drawn::across(ranks, max_items);
      if (rank == 0 && counts_ == nullptr)
      {
        counts_ = std::make_unique<tally>(caller->name(), caller->kinds());
      }
      generator choose(seed_);
      stream where;
      batch& own = *batches_[rank];
      for (std::uint64_t round = 0; round <= last_round_; ++round)
      {
        if (rank == 0 && ends)
        {
          last_round_ = std::min<std::uint64_t>(round, last_round_);
        }
        own.begin();
        for (std::size_t count = 1 + choose.below(8); own.calls.size() < count;)
        {
          own.calls.push_back(caller->draw(choose, own.space, false));
        }
        own.space.clear(where.get());
        for (const auto& each : own.calls)
        {
          doing = each->described();
          each->make(where.get());
          if (rank == 0)
          {
            counts_->count(each->kind);
          }
        }
        own.enqueued(where.get());
        own.wait();
        for (const auto& each : own.calls)
        {
          found_.checked(each->check());
        }
        ranks.check();
      }
    }
    catch (const std::exception& error)
    {
      found_.threw(doing + ": " + error.what());
    }
  }

  std::uint64_t seed_;
  findings& found_;
  std::unique_ptr<tally> counts_;
  std::unique_ptr<batch> batches_[3];
  std::atomic<std::uint64_t> last_round_{0};
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

//! How many threads make calls, here and in the other process.
struct threads_of
{
  unsigned here, there;
};

//! The load, for so long. `tells`: prints how often each kind of call was drawn, and returns whether all were.
bool run_load(findings& found, double seconds, unsigned threads, std::uint64_t seed, bool tells)
{
  std::atomic<bool> ends{false};
  stream shared;
  tallies counts = make_tallies(make_callers());
  team ranks(seed + 1002, found);
  std::vector<std::unique_ptr<worker>> workers; // made before anything is captured: that waits for the device
  for (unsigned place = 0; place < threads; ++place)
  {
    workers.push_back(std::make_unique<worker>(seed + place * 1000003, shared, found, counts));
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
                                      for (std::uint64_t i = 0; i < steps_per_thread && !ends; ++i)
                                      {
                                        mine.step();
                                      }
                                      mine.finish();
                                    })
                                    .join();
                              }
                            }));
  }
  all.push_back(neighbour(found, "ranks", [&] { ranks.run(ends); }));
  all.push_back(neighbour(found, "a kernel that waits", [&] { hog_multiprocessors(seed + 1000, ends); }));
  all.push_back(neighbour(found, "allocations", [&] { churn_memory(seed + 1001, ends); }));
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
  bool all_were_made = true;
  for (const auto& group : counts)
  {
    for (const auto& each : group)
    {
      all_were_made = (!tells || each->print()) && all_were_made;
    }
  }
  return (!tells || ranks.print()) && all_were_made;
}

//! Another process that does the same, on the same GPU.
class neighbour_process
{
public:
  neighbour_process(const char* program, double seconds, unsigned threads)
  {
    int ends[2] = {-1, -1};
    if (pipe(ends) != 0)
    {
      throw std::runtime_error("no pipe to the other process");
    }
    told_ = ends[0];
    child_ = fork();
    if (child_ == 0)
    {
      const std::string text = std::to_string(seconds), count = std::to_string(threads), tell = std::to_string(ends[1]);
      execl(program, program, "--neighbour", text.c_str(), count.c_str(), tell.c_str(), static_cast<char*>(nullptr));
      std::_Exit(127);
    }
    (void)close(ends[1]);
  }
  //! Waits for its end. Returns whether all was right.
  bool ends_clean(totals* found)
  {
    int status = 0;
    const bool told = read(told_, found, sizeof *found) == sizeof *found;
    (void)close(told_);
    return child_ > 0 && waitpid(child_, &status, 0) == child_ && WIFEXITED(status) && WEXITSTATUS(status) == 0 && told;
  }

private:
  pid_t child_ = -1;
  int told_ = -1;
};

int run(const char* program, double minutes, const threads_of& threads)
{
  const std::uint64_t seed = std::random_device{}();
  std::printf("seed %llu, %u threads, and %u in the other process\n", static_cast<unsigned long long>(seed), threads.here,
              threads.there);
  findings warm, found;
  const double warm_seconds = std::min(10.0, 6 * minutes);
  run_load(warm, warm_seconds, threads.here, seed, false); // kernels are loaded, lists have their length
  reheat::trim_workspaces();
  const memory_now start = memory_now::look();
  warm.report(warm_seconds, "to get warm");
  const auto begin = clock_type::now();
  neighbour_process other(program, 60 * minutes, threads.there);
  const bool all_were_made = run_load(found, 60 * minutes, threads.here, seed + 100, true);
  const double seconds = seconds_since(begin);
  totals there;
  const bool neighbour_is_clean = other.ends_clean(&there);
  reheat::trim_workspaces();
  const memory_now end = memory_now::look();
  found.report(seconds, "this process");
  const totals here = found.now();
  findings::print_totals({here.operations + there.operations, here.in_graphs + there.in_graphs, here.wrong + there.wrong,
                          here.thrown + there.thrown, std::max(here.slowest_seconds, there.slowest_seconds)},
                         seconds, "both processes");
  start.print("at the start");
  end.print("at the end");
  std::printf("%llu more calls were refused their memory\n", static_cast<unsigned long long>(found.refused));
  // On the host more: threads that come and go fragment what its allocator has. A leak of 5 bytes a call is found within ten
  // minutes.
  constexpr double device_slack_mib = 64, host_slack_mib = 128;
  const bool is_level =
      end.device_mib < start.device_mib + device_slack_mib && end.host_mib < start.host_mib + host_slack_mib;
  std::printf("the other process: %s; memory is %s; %s\n", neighbour_is_clean ? "clean" : "FAILED",
              is_level ? "level" : "NOT LEVEL",
              all_were_made ? "each kind of call was made" : "SOME KIND OF CALL WAS NEVER MADE");
  const bool passed = warm.is_clean() && found.is_clean() && neighbour_is_clean && is_level && all_were_made;
  std::printf("%s\n", passed ? "passed" : "FAILED");
  return passed ? 0 : 1;
}

unsigned number_in(const char* text)
{
  return static_cast<unsigned>(std::strtoul(text, nullptr, 10));
}

} // namespace

int main(int argc, char** argv)
{
  try
  {
    if (argc == 5 && std::string(argv[1]) == "--neighbour")
    {
      findings found;
      const double seconds = std::strtod(argv[2], nullptr);
      run_load(found, seconds, number_in(argv[3]), static_cast<std::uint64_t>(getpid()), false);
      found.report(seconds, "the other process");
      const totals all = found.now();
      const bool told = write(static_cast<int>(number_in(argv[4])), &all, sizeof all) == sizeof all;
      return found.is_clean() && told ? 0 : 1;
    }
    char* end = nullptr;
    const double minutes = argc >= 2 ? std::strtod(argv[1], &end) : 1;
    const unsigned cores = std::max(2u, std::thread::hardware_concurrency());
    // More threads than cores, as many of them wait for the GPU.
    threads_of threads{std::min(24u, cores + cores / 2), std::min(8u, cores / 2)};
    if (argc == 4)
    {
      threads = {number_in(argv[2]), number_in(argv[3])};
    }
    if ((argc > 2 && argc != 4) || minutes <= 0 || (end != nullptr && *end != '\0') || threads.here == 0 ||
        threads.there == 0)
    {
      std::fprintf(stderr,
                   "%s [minutes [threads threads]]: puts load on the GPU for so long, 1 minute by default, from so many "
                   "threads and from so many of another process\n",
                   argv[0]);
      return 2;
    }
    return run(argv[0], minutes, threads);
  }
  catch (const std::exception& error)
  {
    std::fprintf(stderr, "%s: %s\n", argv[0], error.what());
    return 2;
  }
}

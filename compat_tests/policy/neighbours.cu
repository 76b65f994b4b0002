// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Calls beside work that waits: for the host, for other streams, for room. Each case ends by itself within seconds, also
//! where a call waits although it must not. Not part of the emulated build.

#include "../support/calls.hpp"
#include "../support/graphs.hpp"
#include "../support/host_calls.hpp"
#include "../support/memory.hpp"
#include "../support/tiles.hpp"
#include "../support/waiting_kernels.hpp"

#include <chrono>
#include <cstdio>
#include <deque>
#include <functional>
#include <string>
#include <thread>

using namespace compat;

BOOST_AUTO_TEST_SUITE(policy)
BOOST_AUTO_TEST_SUITE(neighbours)

namespace
{

using u8 = std::uint8_t;
using u32 = std::uint32_t;
using clock = std::chrono::steady_clock;

// ---- kernels that wait --------------------------------------------------------------------------------------------------

//! Lets the stream's next launch start, and ends when one of the flags is up.
__global__ void let_next_start_and_wait(const volatile u32* flag, const volatile u32* watchdog)
{
#if __CUDA_ARCH__ >= 900
  cudaTriggerProgrammaticLaunchCompletion();
#endif
  while (*flag == 0 && *watchdog == 0)
  {}
}

__global__ void raise_flag(volatile u32* flag)
{
  *flag = 1;
}

__global__ void tell_nothing() {}

//! Waits for what may never come: after 20 s the program ends, because no later case could run.
void synchronise_or_end(stream& where, const std::string& what)
{
  const auto end = clock::now() + std::chrono::seconds(20);
  while (cudaStreamQuery(where.get()) == cudaErrorNotReady)
  {
    if (clock::now() > end)
    {
      std::printf("error: %s: the GPU stands still\n", what.c_str());
      std::fflush(stdout);
      std::_Exit(3);
    }
    std::this_thread::sleep_for(std::chrono::microseconds(100));
  }
  where.synchronise();
}

// ---- work of ours -------------------------------------------------------------------------------------------------------

struct scanned
{
  explicit scanned(std::size_t size, std::size_t first = 0)
      : items(make_items<u32>(size, first)), in(to_device(items)), out(size)
  {}
  void enqueue(cudaStream_t where)
  {
    thrust::inclusive_scan(reheat::par_nosync.on(where), raw(in), raw(in) + in.size(), raw(out));
  }
  void check(const std::string& what) { check_same(what, inclusive_reference<u32, u32>(items, plus{}), to_host(out)); }
  void clear() { thrust::fill(out.begin(), out.end(), 0u); }

  std::vector<u32> items;
  thrust::device_vector<u32> in, out;
};

} // namespace

// ---- the host -----------------------------------------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(calls_beside_a_kernel_that_waits_for_the_host_return_at_once)
{
  const std::size_t large = 400'000'000; // more words than a stream begins with
  thrust::device_vector<u8> large_in(large, u8{1}), large_out(large);
  scanned small(1 << 20);
  const auto scan_large = [&](stream& where)
  { thrust::inclusive_scan(reheat::par_nosync.on(where.get()), raw(large_in), raw(large_in) + large, raw(large_out)); };
  {
    stream warm; // kernels are loaded
    small.enqueue(warm.get());
    scan_large(warm);
    warm.synchronise();
  }
  for (const unsigned blocks : {1u, multiprocessor_count()})
  {
    stream hogged, growing, capturing;
    std::deque<stream> others(140);
    thrust::fill(large_out.begin(), large_out.end(), u8{0});
    require(cudaDeviceSynchronize(), "wait");
    watched_flag release;
    hold_multiprocessors(blocks, release, hogged);
    const auto check = [&](const char* what, const std::function<void()>& call)
    {
      const auto begin = clock::now();
      call();
      const std::chrono::duration<double> seconds = clock::now() - begin;
      BOOST_TEST(seconds.count() < 0.5,
                 what << " took " << seconds.count() << " s beside " << blocks << " blocks that wait");
      BOOST_TEST(!release.timed_out(), what);
    };
    check("a first call", [&] { small.enqueue(growing.get()); });
    check("a call that grows", [&] { scan_large(growing); });
    for (const cudaStreamCaptureMode mode : capture_modes)
    {
      check("a capture and its end",
            [&]
            {
              graph captured(capturing, mode, [&] { small.enqueue(capturing.get()); });
              const executable replay(captured);
            });
      check("a call after a graph's end", [&] { small.enqueue(growing.get()); });
    }
    check("first calls on 140 streams",
          [&]
          {
            for (stream& each : others)
            {
              small.enqueue(each.get());
            }
          });
    release.raise();
    require(cudaDeviceSynchronize(), "wait");
    small.check("a small scan");
    const auto one = [](std::size_t i) { return static_cast<u8>(i + 1); };
    const std::vector<u8> end = to_host(large_out, large - 1000, 1000);
    BOOST_TEST(end.back() == one(large - 1));
    BOOST_TEST(end.front() == one(large - 1000));
  }
}

BOOST_AUTO_TEST_CASE(a_result_is_waited_for_where_the_host_may_not_touch_managed_memory_meanwhile)
{
  scanned some(1000);
  const u32 expected = reduce_reference<u32>(some.items, 0u, plus{});
  for (const bool concurrent : {true, false})
  {
    std::thread( // a thread asks once
        [&]
        {
          const no_concurrent_managed_access pretended(!concurrent);
          stream own;
          const auto reduce = [&] { return thrust::reduce(reheat::par.on(own.get()), raw(some.in), raw(some.in) + 1000); };
          u32 sum = reduce(); // loads the kernel
          const host_calls calls = calls_of([&] { sum = reduce(); });
          BOOST_TEST(sum == expected);
          BOOST_TEST(calls.waits == (concurrent ? 0u : 1u), "concurrent access: " << concurrent);
        })
        .join();
  }
}

// ---- parallel branches --------------------------------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(calls_captured_in_parallel_branches_of_one_stream_have_memory_of_their_own)
{
  for (const std::size_t size : {std::size_t(60000), std::size_t(200000), std::size_t(500000)})
  {
    const std::string what = "branches of " + std::to_string(size) + " items";
    stream capturing;
    std::deque<scanned> scans;
    for (std::size_t i = 0; i < 3; ++i)
    {
      scans.emplace_back(size, 1000 * i);
    }
    const graph captured(capturing, cudaStreamCaptureModeGlobal,
                         [&]
                         {
                           tell_nothing<<<1, 1, 0, capturing.get()>>>();
                           fork_of fork(capturing);
                           scans[0].enqueue(capturing.get());
                           fork.next_branch();
                           scans[1].enqueue(capturing.get());
                           fork.next_branch();
                           scans[2].enqueue(capturing.get());
                           fork.join();
                           tell_nothing<<<1, 1, 0, capturing.get()>>>();
                         });
    BOOST_TEST(nodes_of(captured) == 5u);
    const executable replay(captured);
    for (int round = 0; round < 10; ++round)
    {
      for (scanned& each : scans)
      {
        each.clear();
      }
      for (int i = 0; i < 100; ++i)
      {
        replay.launch(capturing);
      }
      synchronise_or_end(capturing, what);
      for (scanned& each : scans)
      {
        each.check(what);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(a_stream_made_within_a_capture_shares_nothing_with_one_destroyed_there)
{
  stream capturing;
  scanned first(200000), second(200000, 7);
  cudaEvent_t fork = nullptr, join[2] = {};
  for (cudaEvent_t* const event : {&fork, &join[0], &join[1]})
  {
    require(cudaEventCreateWithFlags(event, cudaEventDisableTiming), "create an event");
  }
  const graph captured(capturing, cudaStreamCaptureModeRelaxed,
                       [&]
                       {
                         tell_nothing<<<1, 1, 0, capturing.get()>>>();
                         require(cudaEventRecord(fork, capturing.get()), "fork");
                         scanned* const scans[2] = {&first, &second};
                         for (int i = 0; i < 2; ++i)
                         {
                           stream brief; // the second often has the handle of the first
                           require(cudaStreamWaitEvent(brief.get(), fork), "fork");
                           scans[i]->enqueue(brief.get());
                           require(cudaEventRecord(join[i], brief.get()), "join");
                           require(cudaStreamWaitEvent(capturing.get(), join[i]), "join");
                         }
                       });
  const executable replay(captured);
  for (int round = 0; round < 20; ++round)
  {
    first.clear();
    second.clear();
    for (int i = 0; i < 50; ++i)
    {
      replay.launch(capturing);
    }
    synchronise_or_end(capturing, "streams within a capture");
    first.check("on the first stream");
    second.check("on the second stream");
  }
  for (const cudaEvent_t event : {fork, join[0], join[1]})
  {
    require(cudaEventDestroy(event), "destroy an event");
  }
}

BOOST_AUTO_TEST_CASE(captured_calls_in_many_branches_are_right)
{
  constexpr std::size_t branches = 8, calls = 8;
  stream capturing;
  std::deque<stream> streams(branches);
  std::deque<scanned> scans;
  std::deque<cudaEvent_t> events(branches + 1);
  for (std::size_t i = 0; i < branches * calls; ++i)
  {
    scans.emplace_back(60000 + 1000 * i, i);
  }
  for (cudaEvent_t& event : events)
  {
    require(cudaEventCreateWithFlags(&event, cudaEventDisableTiming), "create an event");
  }
  const graph captured(capturing, cudaStreamCaptureModeThreadLocal,
                       [&]
                       {
                         require(cudaEventRecord(events[branches], capturing.get()), "fork");
                         for (std::size_t b = 0; b < branches; ++b)
                         {
                           require(cudaStreamWaitEvent(streams[b].get(), events[branches]), "fork");
                           for (std::size_t i = 0; i < calls; ++i)
                           {
                             scans[b * calls + i].enqueue(streams[b].get());
                           }
                           require(cudaEventRecord(events[b], streams[b].get()), "join");
                           require(cudaStreamWaitEvent(capturing.get(), events[b]), "join");
                         }
                       });
  const executable replay(captured);
  for (int i = 0; i < 200; ++i)
  {
    replay.launch(capturing);
  }
  synchronise_or_end(capturing, "eight branches");
  for (scanned& each : scans)
  {
    each.check(std::to_string(each.items.size()) + " items");
  }
  for (const cudaEvent_t event : events)
  {
    require(cudaEventDestroy(event), "destroy an event");
  }
}

// ---- room ---------------------------------------------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(a_large_scan_behind_a_kernel_that_waits_for_another_stream_leaves_that_its_room)
{
  const int shared_bytes = 160 * 1024;
  if (static_cast<std::size_t>(shared_bytes) > max_shared_bytes())
  {
    return; // a scan's block leaves room for that on such a GPU, if it holds it at all
  }
  require(cudaFuncSetAttribute(raise_flag, cudaFuncAttributeMaxDynamicSharedMemorySize, shared_bytes),
          "allow shared memory");
  scanned large(20'000'000);
  thrust::device_vector<u32> flag(1);
  stream scanning, other;
  large.enqueue(scanning.get()); // kernels are loaded
  let_next_start_and_wait<<<1, 1, 0, scanning.get()>>>(raw(large.in), raw(large.in) + 1);
  raise_flag<<<1, 1, shared_bytes, other.get()>>>(raw(flag));
  require(cudaDeviceSynchronize(), "wait");
  for (int round = 0; round < 5; ++round)
  {
    thrust::fill(flag.begin(), flag.end(), 0u);
    large.clear();
    require(cudaDeviceSynchronize(), "wait");
    watched_flag watchdog;
    let_next_start_and_wait<<<1, 32, 0, scanning.get()>>>(raw(flag), watchdog.get());
    large.enqueue(scanning.get());
    std::this_thread::sleep_for(std::chrono::milliseconds(20)); // the scan's blocks are where they would be
    raise_flag<<<1, 1, shared_bytes, other.get()>>>(raw(flag));
    scanning.synchronise();
    BOOST_TEST(!watchdog.timed_out(), "the other stream's kernel has found no place");
    watchdog.raise();
    large.check("the scan");
  }
}

// ---- many streams -------------------------------------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(streams_in_turn_need_nothing_once_each_has_had_a_call)
{
  reheat::trim_workspaces();
  scanned some(10 * scan_tile<u32>() + 3);
  constexpr std::size_t block = 64 * 1024, kept = 1024;
  {
    std::deque<stream> streams(1000);
    const auto round = [&]
    {
      for (stream& each : streams)
      {
        some.enqueue(each.get());
      }
      require(cudaDeviceSynchronize(), "wait");
      some.check("streams in turn");
    };
    round();
    for (int i = 0; i < 2; ++i)
    {
      host_calls expected;
      expected.launches = streams.size();
      const host_calls actual = calls_of(
          [&]
          {
            for (stream& each : streams)
            {
              some.enqueue(each.get());
            }
          });
      BOOST_TEST(actual == expected, actual << "; expected " << expected);
      require(cudaDeviceSynchronize(), "wait");
    }
  }
  for (int i = 0; i < 3000; ++i)
  {
    stream brief;
    some.enqueue(brief.get());
  }
  require(cudaDeviceSynchronize(), "wait");
  some.check("streams that come and go");
  BOOST_TEST(reheat::workspace_bytes() <= 2 * kept * block);
  reheat::trim_workspaces();
  BOOST_TEST(reheat::workspace_bytes() == 0u);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! CUDA graphs: what can be captured, in every mode and next to threads that run eagerly, is right in every replay; what can
//! not be captured is refused and leaves the capture as it was. Not part of the emulated build.

#include "../support/calls.hpp"
#include "../support/graphs.hpp"
#include "../support/raw_graphs.hpp"
#include "../support/runs.hpp"
#include "../support/tiles.hpp"

#include <thrust/functional.h>
#include <thrust/sort.h>

#include <algorithm>
#include <atomic>
#include <deque>
#include <functional>
#include <iterator>
#include <memory>
#include <thread>

using namespace compat;

BOOST_AUTO_TEST_SUITE(policy)
BOOST_AUTO_TEST_SUITE(graphs)

namespace
{

using u32 = std::uint32_t;
using u64 = std::uint64_t;

std::size_t enough()
{
  return 10 * scan_tile<u32>() + 20 * reduce_shape<u32, u32, thrust::plus<u32>>().tile_items() + 3;
}

struct is_third
{
  REHEAT_HOST_DEVICE bool operator()(u32 x) const { return x % 3 == 0; }
};

struct in_one_ten
{
  REHEAT_HOST_DEVICE bool operator()(u32 x, u32 y) const { return x / 10 == y / 10; }
};

//! A scan by it is a copy.
struct keep_right
{
  REHEAT_HOST_DEVICE u32 operator()(u32, u32 y) const { return y; }
};

//! Memory for one call of each kind that can be captured, and what it should hold afterwards.
struct captured_calls
{
  explicit captured_calls(std::size_t size)
      : in(size), inclusive(size), exclusive(size), sum(1), ordered(1), wide(1), none(1), copies(size), copied(1),
        kept(size), rest(size), parted(size), counts(6)
  {}

  template <class Policy>
  void enqueue(const Policy& policy)
  {
    const u32* const first = raw(in);
    const u32* const last = first + in.size();
    thrust::inclusive_scan(policy, first, last, raw(inclusive));
    thrust::exclusive_scan(policy, first, last, raw(exclusive), 3u);
    reheat::reduce_into(policy, first, last, raw(sum));
    reheat::reduce_into(policy, first, last, raw(ordered), 5u, plus{});
    reheat::reduce_into(policy, first, last, wide.begin(), 7u);
    reheat::reduce_into(policy, first, first, raw(none), 9u);
    reheat::copy_if_into(policy, first, last, raw(copies), is_third{}, raw(copied));
    reheat::remove_copy_if_into(policy, first, last, raw(kept), is_third{}, raw(counts));
    reheat::partition_copy_into(policy, first, last, raw(copies), raw(rest), is_third{}, raw(counts) + 1);
    reheat::unique_copy_into(policy, first, last, raw(kept), in_one_ten{}, raw(counts) + 2);
    thrust::inclusive_scan(policy, first, last, raw(parted), keep_right{});
    reheat::partition_into(policy, raw(parted), raw(parted) + parted.size(), is_third{}, raw(counts) + 3);
    reheat::count_if_into(policy, first, last, is_third{}, raw(counts) + 4);
    reheat::count_into(policy, first, last, counted, raw(counts) + 5);
  }
  void set(const std::vector<u32>& items)
  {
    require(cudaMemcpy(raw(in), items.data(), items.size() * sizeof(u32), cudaMemcpyHostToDevice), "copy the input");
    for (thrust::device_vector<u32>* each : outputs())
    {
      require(cudaMemset(raw(*each), 0xee, each->size() * sizeof(u32)), "forget the last results");
    }
    require(cudaDeviceSynchronize(), "set the input");
  }
  void check(const std::string& what, const std::vector<u32>& items) const
  {
    const u32 total = reduce_reference<u32>(items, 0u, plus{});
    check_same(what + ", inclusive_scan", inclusive_reference<u32, u32>(items, plus{}), to_host(inclusive));
    check_same(what + ", exclusive_scan", exclusive_reference<u32, u32>(items, 3u, plus{}), to_host(exclusive));
    check_same(what + ", reduce_into", std::vector<u32>{total}, to_host(sum));
    check_same(what + ", reduce_into in order", std::vector<u32>{total + 5}, to_host(ordered));
    check_same(what + ", reduce_into of another type", std::vector<u64>{total + 7}, to_host(wide));
    check_same(what + ", reduce_into of nothing", std::vector<u32>{9}, to_host(none));
    std::vector<u32> thirds, now = to_host(copies);
    std::copy_if(items.begin(), items.end(), std::back_inserter(thirds), is_third{});
    check_same(what + ", the number of copies", std::vector<u32>{static_cast<u32>(thirds.size())}, to_host(copied));
    now.resize(thirds.size());
    check_same(what + ", copy_if_into", thirds, now);
    const std::vector<u32> tens = unique_reference(items, items, in_one_ten{});
    const auto number = static_cast<u32>(thirds.size()), others = static_cast<u32>(items.size()) - number;
    const auto equal_ones = static_cast<u32>(std::count(items.begin(), items.end(), counted));
    check_same(what + ", numbers",
               std::vector<u32>{others, number, static_cast<u32>(tens.size()), number, number, equal_ones}, to_host(counts));
    std::vector<u32> parts = items;
    std::stable_partition(parts.begin(), parts.end(), is_third{});
    check_same(what + ", partition_into", parts, to_host(parted));
    check_same(what + ", unique_copy_into", tens, to_host(kept, 0, tens.size()));
  }

  //! Nothing has run since `set`.
  void check_untouched(const std::string& what)
  {
    for (thrust::device_vector<u32>* each : outputs())
    {
      check_same(what, std::vector<u32>(each->size(), 0xeeeeeeeeu), to_host(*each));
    }
  }
  std::vector<thrust::device_vector<u32>*> outputs()
  {
    return {&inclusive, &exclusive, &sum, &ordered, &none, &copies, &copied, &kept, &rest, &parted, &counts};
  }

  const u32 counted = make_items<u32>(1, 20000)[0]; // an item of most inputs
  thrust::device_vector<u32> in, inclusive, exclusive, sum, ordered;
  thrust::device_vector<u64> wide;
  thrust::device_vector<u32> none, copies, copied, kept, rest, parted, counts;
};

} // namespace

BOOST_AUTO_TEST_CASE(every_mode_captures_and_each_replay_sees_the_data_of_its_time)
{
  stream capturing;
  for (const cudaStreamCaptureMode mode : capture_modes)
  {
    captured_calls calls(enough());
    graph captured(capturing, mode, [&] { calls.enqueue(reheat::par_nosync.on(capturing.get())); });
    const executable replay(captured);
    for (std::size_t round = 0; round < 3; ++round)
    {
      const std::vector<u32> items = make_items<u32>(enough(), 1000 * round);
      calls.set(items);
      replay.launch(capturing);
      capturing.synchronise();
      calls.check("mode " + std::to_string(mode), items);
      captured.destroy(); // the executable keeps the scratch memory
      // Calls in between have other scratch memory.
      calls.set(items);
      calls.enqueue(reheat::par.on(capturing.get()));
      calls.check("in between", items);
    }
  }
}

//! Edges of a graph over which a launch may start before the one before has ended.
std::size_t early_edges(const graph& captured)
{
#if CUDART_VERSION >= 13000
  const auto edges_of = [](auto... arguments) { return cudaGraphGetEdges(arguments...); };
#else
  const auto edges_of = [](auto... arguments) { return cudaGraphGetEdges_v2(arguments...); };
#endif
  using nodes = cudaGraphNode_t*;
  std::size_t count = 0;
  require(edges_of(captured.get(), nodes{}, nodes{}, static_cast<cudaGraphEdgeData*>(nullptr), &count), "count edges");
  std::vector<cudaGraphNode_t> from(count), to(count);
  std::vector<cudaGraphEdgeData> data(count);
  require(edges_of(captured.get(), from.data(), to.data(), data.data(), &count), "list edges");
  std::size_t early = 0;
  for (const cudaGraphEdgeData& each : data)
  {
    early += each.type == cudaGraphDependencyTypeProgrammatic ? 1 : 0;
  }
  return early;
}

__global__ void foreign_kernel(u32* out)
{
  *out = 0xeeeeeeeeu;
}

// Behind anything else, an edge that lets a launch start early makes graphs slower, by 0.1 to 0.7 us on an NVIDIA H200.
BOOST_AUTO_TEST_CASE(captured_launches_start_early_behind_launches_of_ours_alone)
{
  stream capturing, other;
  captured_calls calls(enough());
  const auto policy = reheat::par_nosync.on(capturing.get());
  const u32* const first = raw(calls.in);
  const u32* const last = first + calls.in.size();
  const auto foreign = [&] { foreign_kernel<<<1, 1, 0, capturing.get()>>>(raw(calls.none)); };
  const auto scan = [&] { thrust::inclusive_scan(policy, first, last, raw(calls.inclusive)); };
  const auto reduce = [&] { reheat::reduce_into(policy, first, last, raw(calls.sum)); };
  const auto exclusive = [&](stream& where)
  { thrust::exclusive_scan(reheat::par_nosync.on(where.get()), first, last, raw(calls.exclusive), 3u); };
  const std::size_t starts_early = kernel_arch() >= 900 ? 1 : 0;
  const std::vector<u32> items = make_items<u32>(enough());
  const auto check = [&](const char* what, std::size_t early, auto body)
  {
    // Nodes of one capture may be where those of another have been.
    const graph captured(capturing, cudaStreamCaptureModeGlobal, body);
    BOOST_TEST(early_edges(captured) == early * starts_early, what);
    calls.set(items);
    const executable replay(captured);
    for (int i = 0; i < 10; ++i)
    {
      replay.launch(capturing);
    }
    capturing.synchronise();
    check_same(std::string(what) + ", inclusive_scan", inclusive_reference<u32, u32>(items, plus{}),
               to_host(calls.inclusive));
    check_same(std::string(what) + ", exclusive_scan", exclusive_reference<u32, u32>(items, 3u, plus{}),
               to_host(calls.exclusive));
    check_same(std::string(what) + ", reduce_into", std::vector<u32>{reduce_reference<u32>(items, 0u, plus{})},
               to_host(calls.sum));
  };
  for (int round = 0; round < 3; ++round)
  {
    check("alternating", 0,
          [&]
          {
            scan();
            foreign();
            reduce();
            foreign();
            exclusive(capturing);
            foreign();
          });
    check("in a row", 2,
          [&]
          {
            foreign();
            scan();
            reduce();
            exclusive(capturing);
          });
    check("in a row, one of them serially", 1,
          [&]
          {
            scan();
            reheat::reduce_into(policy.with(reheat::start_serially), first, last, raw(calls.sum));
            exclusive(capturing);
          });
  }
  cudaEvent_t fork = nullptr, join = nullptr;
  require(cudaEventCreateWithFlags(&fork, cudaEventDisableTiming), "create an event");
  require(cudaEventCreateWithFlags(&join, cudaEventDisableTiming), "create an event");
  check("forked and joined", 1,
        [&]
        {
          scan();
          require(cudaEventRecord(fork, capturing.get()), "fork");
          require(cudaStreamWaitEvent(other.get(), fork), "fork");
          reduce();
          exclusive(other); // behind the scan, which is no longer the last launch
          require(cudaEventRecord(join, other.get()), "join");
          require(cudaStreamWaitEvent(capturing.get(), join), "join");
          scan(); // behind two
        });
  require(cudaEventDestroy(fork), "destroy an event");
  require(cudaEventDestroy(join), "destroy an event");
  check("by two threads", 1,
        [&]
        {
          scan();
          reduce();
          std::thread([&] { exclusive(capturing); }).join();
        });
}

BOOST_AUTO_TEST_CASE(a_graph_is_replayed_a_thousand_times)
{
  stream capturing;
  captured_calls calls(enough());
  const graph captured(capturing, cudaStreamCaptureModeGlobal,
                       [&] { calls.enqueue(reheat::par_nosync.on(capturing.get())); });
  const executable replay(captured);
  for (std::size_t round = 0; round < 10; ++round)
  {
    const std::vector<u32> items = make_items<u32>(enough(), 1000 * round);
    calls.set(items);
    for (int i = 0; i < 100; ++i)
    {
      replay.launch(capturing);
    }
    capturing.synchronise();
    calls.check("replayed", items);
  }
}

BOOST_AUTO_TEST_CASE(two_graphs_are_replayed_at_once)
{
  stream capturing, streams[2];
  captured_calls calls[2] = {captured_calls(enough()), captured_calls(3 * enough())};
  std::deque<graph> captured;
  std::deque<executable> replays;
  std::vector<u32> items[2];
  for (int i = 0; i < 2; ++i)
  {
    captured.emplace_back(capturing, cudaStreamCaptureModeGlobal,
                          [&] { calls[i].enqueue(reheat::par_nosync.on(capturing.get())); });
    replays.emplace_back(captured.back());
    items[i] = make_items<u32>(calls[i].in.size(), 17 * i);
    calls[i].set(items[i]);
  }
  for (int round = 0; round < 300; ++round)
  {
    replays[0].launch(streams[0]);
    replays[1].launch(streams[1]);
  }
  for (int i = 0; i < 2; ++i)
  {
    streams[i].synchronise();
    calls[i].check("at once", items[i]);
  }
}

BOOST_AUTO_TEST_CASE(executables_of_one_graph_are_replayed_in_turn)
{
  stream capturing;
  captured_calls calls(enough());
  std::deque<executable> replays;
  {
    const graph captured(capturing, cudaStreamCaptureModeThreadLocal,
                         [&] { calls.enqueue(reheat::par_nosync.on(capturing.get())); });
    for (int i = 0; i < 4; ++i)
    {
      replays.emplace_back(captured);
    }
  }
  for (std::size_t round = 0; !replays.empty(); ++round)
  {
    const std::vector<u32> items = make_items<u32>(enough(), 1000 * round);
    calls.set(items);
    for (int turn = 0; turn < 20; ++turn)
    {
      for (const executable& each : replays)
      {
        each.launch(capturing);
      }
    }
    capturing.synchronise();
    calls.check(std::to_string(replays.size()) + " executables", items);
    replays.pop_front();
    reheat::trim_workspaces(); // may take nothing that the others use
  }
}

BOOST_AUTO_TEST_CASE(scratch_memory_that_grows_within_a_capture_stays_with_its_calls)
{
  stream capturing;
  captured_calls small(enough()), large(2000000);
  const graph captured(capturing, cudaStreamCaptureModeGlobal,
                       [&]
                       {
                         small.enqueue(reheat::par_nosync.on(capturing.get()));
                         large.enqueue(reheat::par_nosync.on(capturing.get()));
                       });
  const executable replay(captured);
  for (std::size_t round = 0; round < 3; ++round)
  {
    const std::vector<u32> few = make_items<u32>(small.in.size(), round), many = make_items<u32>(large.in.size(), round + 7);
    small.set(few);
    large.set(many);
    replay.launch(capturing);
    capturing.synchronise();
    small.check("small", few);
    large.check("large", many);
  }
}

BOOST_AUTO_TEST_CASE(clones_children_and_updated_executables_keep_their_memory)
{
  stream capturing, other;
  captured_calls kept(enough()), updated(enough()), newer(enough()), later(enough());
  const auto capture = [&](captured_calls& calls)
  {
    return std::make_unique<graph>(capturing, cudaStreamCaptureModeGlobal,
                                   [&] { calls.enqueue(reheat::par_nosync.on(capturing.get())); });
  };
  // A clone of a graph that is gone, as a child of another.
  cudaGraph_t clone = nullptr, parent = nullptr;
  cudaGraphNode_t child = nullptr;
  {
    const auto original = capture(kept);
    require(cudaGraphClone(&clone, original->get()), "clone a graph");
  }
  require(cudaGraphCreate(&parent, 0), "create a graph");
  require(cudaGraphAddChildGraphNode(&child, parent, nullptr, 0, clone), "add a graph to a graph");
  require(cudaGraphDestroy(clone), "destroy a graph");
  cudaGraphExec_t of_parent = nullptr, of_update = nullptr;
  require(cudaGraphInstantiate(&of_parent, parent, 0), "instantiate a graph");
  require(cudaGraphDestroy(parent), "destroy a graph");
  // An executable of one graph that becomes another's; both graphs are gone.
  {
    const auto first = capture(updated), second = capture(newer);
    require(cudaGraphInstantiate(&of_update, first->get(), 0), "instantiate a graph");
    cudaGraphExecUpdateResultInfo info = {};
    require(cudaGraphExecUpdate(of_update, second->get(), &info), "update a graph");
  }
  // Whose memory is free by now, these get.
  const auto free_memory_is_used = capture(later);
  const executable replay(*free_memory_is_used);
  for (std::size_t round = 0; round < 20; ++round)
  {
    const std::vector<u32> items = make_items<u32>(enough(), 1000 * round);
    for (captured_calls* const calls : {&kept, &newer, &later})
    {
      calls->set(items);
    }
    require(cudaDeviceSynchronize(), "wait");
    stream third;
    require(cudaGraphLaunch(of_parent, other.get()), "launch a graph");
    require(cudaGraphLaunch(of_update, third.get()), "launch a graph");
    replay.launch(capturing);
    require(cudaDeviceSynchronize(), "wait");
    kept.check("of the clone", items);
    newer.check("of the update", items);
    later.check("captured later", items);
  }
  require(cudaGraphExecDestroy(of_parent), "destroy a graph");
  require(cudaGraphExecDestroy(of_update), "destroy a graph");
}

BOOST_AUTO_TEST_CASE(calls_run_in_bodies_of_conditional_nodes)
{
  stream capturing;
  const auto policy = reheat::par_nosync.on(capturing.get());
  for (const bool holds : {false, true})
  {
    captured_calls calls(enough());
    raw_graph outer(new_graph());
    capture_into(add_condition(outer.get(), holds), capturing, [&] { calls.enqueue(policy); });
    outer.instantiate();
    for (std::size_t round = 0; round < 3; ++round)
    {
      const std::vector<u32> items = make_items<u32>(enough(), 1000 * round);
      calls.set(items);
      outer.launch(capturing);
      capturing.synchronise();
      holds ? calls.check("behind a condition", items) : calls.check_untouched("behind a condition that does not hold");
    }
  }
}

BOOST_AUTO_TEST_CASE(sorts_run_in_bodies_of_conditional_nodes)
{
  stream capturing;
  const auto policy = reheat::par_nosync.on(capturing.get());
  for (const std::size_t size : {std::size_t{500}, std::size_t{300001}, std::size_t{5000000}})
  {
    thrust::device_vector<u32> keys(size), values(size);
    raw_graph outer(new_graph());
    capture_into(add_condition(outer.get(), true), capturing,
                 [&]
                 {
                   thrust::sort(policy, raw(keys), raw(keys) + size);
                   thrust::sort_by_key(policy, raw(values), raw(values) + size, raw(keys));
                 });
    outer.instantiate();
    for (std::size_t round = 0; round < 3; ++round)
    {
      // The keys of the second sort descend, so it reverses what the first one has sorted.
      const std::vector<u32> items = make_items<u32>(size, 1000 * round);
      std::vector<u32> descending(size), expected = items;
      for (std::size_t i = 0; i < size; ++i)
      {
        descending[i] = static_cast<u32>(size - i);
      }
      std::sort(expected.begin(), expected.end(), std::greater<u32>());
      require(cudaMemcpy(raw(keys), items.data(), size * sizeof(u32), cudaMemcpyHostToDevice), "copy keys");
      require(cudaMemcpy(raw(values), descending.data(), size * sizeof(u32), cudaMemcpyHostToDevice), "copy values");
      require(cudaDeviceSynchronize(), "set the input");
      outer.launch(capturing);
      capturing.synchronise();
      check_same("sort and sort_by_key of " + std::to_string(size), expected, to_host(keys));
    }
  }
}

BOOST_AUTO_TEST_CASE(bodies_of_conditional_nodes_keep_their_memory_when_their_graph_is_gone)
{
  stream capturing, other;
  captured_calls kept(enough()), later(enough());
  cudaGraphExec_t of_body = nullptr;
  {
    raw_graph outer(new_graph());
    capture_into(add_condition(outer.get(), true), capturing, [&] { kept.enqueue(reheat::par_nosync.on(capturing.get())); });
    require(cudaGraphInstantiate(&of_body, outer.get(), 0), "instantiate a graph");
  }
  reheat::trim_workspaces(); // may take nothing that the executable uses
  // Whose memory is free by now, these get.
  const graph free_memory_is_used(capturing, cudaStreamCaptureModeGlobal,
                                  [&] { later.enqueue(reheat::par_nosync.on(capturing.get())); });
  const executable replay(free_memory_is_used);
  for (std::size_t round = 0; round < 20; ++round)
  {
    const std::vector<u32> items = make_items<u32>(enough(), 1000 * round);
    kept.set(items);
    later.set(items);
    require(cudaGraphLaunch(of_body, other.get()), "launch a graph");
    replay.launch(capturing);
    require(cudaDeviceSynchronize(), "wait");
    kept.check("of the body", items);
    later.check("captured later", items);
  }
  require(cudaGraphExecDestroy(of_body), "destroy a graph");
}

BOOST_AUTO_TEST_CASE(a_capture_in_any_mode_survives_another_thread_that_runs_eagerly)
{
  const std::size_t size = enough();
  const std::vector<u32> items = make_items<u32>(size);
  captured_calls calls(size);
  const thrust::device_vector<u32> in = to_device(items);
  thrust::device_vector<u32> out(size);
  const u32 expected = reduce_reference<u32>(items, 0u, plus{});
  // New streams need new scratch memory, while the other thread captures.
  std::deque<stream> streams(100);
  std::atomic<bool> stop{false};
  std::atomic<int> eager_calls{0}, wrong{0};
  std::string error;
  std::thread eager(
      [&]
      {
        try
        {
          for (std::size_t i = 0; !stop; ++i)
          {
            const auto policy = reheat::par.on(streams[i / 4 % streams.size()].get());
            wrong += thrust::reduce(policy, raw(in), raw(in) + size) == expected ? 0 : 1;
            thrust::inclusive_scan(policy, raw(in), raw(in) + size, raw(out));
            ++eager_calls;
          }
        }
        catch (const std::exception& failure)
        {
          error = failure.what();
        }
      });
  stream capturing;
  std::string broken;
  for (int round = 0; round < 60 && broken.empty(); ++round)
  {
    try
    {
      const graph captured(capturing, capture_modes[round % 3],
                           [&]
                           {
                             calls.enqueue(reheat::par_nosync.on(capturing.get()));
                             const int before = eager_calls;
                             for (int i = 0; i < 1000 && eager_calls < before + 4; ++i)
                             {
                               std::this_thread::sleep_for(std::chrono::microseconds(100));
                             }
                             calls.enqueue(reheat::par_nosync.on(capturing.get()));
                           });
      const executable replay(captured);
      replay.launch(capturing);
      capturing.synchronise();
    }
    catch (const std::exception& failure)
    {
      broken = "mode " + std::to_string(capture_modes[round % 3]) + ": " + failure.what();
    }
  }
  stop = true;
  eager.join();
  BOOST_TEST(broken == "");
  BOOST_TEST(error == "");
  BOOST_TEST(wrong == 0);
  BOOST_TEST(eager_calls > 60);
  check_same("the other thread's scan", inclusive_reference<u32, u32>(items, plus{}), to_host(out));
}

BOOST_AUTO_TEST_CASE(what_can_not_be_captured_is_refused_and_the_capture_goes_on)
{
  stream capturing;
  captured_calls calls(enough());
  const u32* const first = raw(calls.in);
  const u32* const last = first + calls.in.size();
  for (const cudaStreamCaptureMode mode : capture_modes)
  {
    const auto nosync = reheat::par_nosync.on(capturing.get());
    const graph without_refusals(capturing, mode, [&] { calls.enqueue(nosync); });
    const graph captured(capturing, mode,
                         [&]
                         {
                           const auto waits = reheat::par.on(capturing.get());
                           check_refused("reduce", "reheat::reduce_into", [&] { (void)thrust::reduce(waits, first, last); });
                           check_refused("nosync reduce", "reheat::reduce_into",
                                         [&] { (void)thrust::reduce(nosync, first, last, 1u); });
                           check_refused("reduce of nothing", "reheat::reduce_into",
                                         [&] { (void)thrust::reduce(waits, first, first, 1u, plus{}); });
                           calls.enqueue(nosync);
                           check_refused("reduce_into", "reheat::par_nosync",
                                         [&] { reheat::reduce_into(waits, first, last, raw(calls.sum)); });
                           check_refused("inclusive_scan", "reheat::par_nosync",
                                         [&] { thrust::inclusive_scan(waits, first, last, raw(calls.inclusive)); });
                           check_refused("exclusive_scan", "reheat::par_nosync",
                                         [&] { thrust::exclusive_scan(waits, first, last, raw(calls.exclusive)); });
                         });
    BOOST_TEST(nodes_of(captured) == nodes_of(without_refusals), "a refused call has left something in the graph");
    const executable replay(captured);
    const std::vector<u32> items = make_items<u32>(enough(), 5);
    calls.set(items);
    replay.launch(capturing);
    capturing.synchronise();
    calls.check("after refusals", items);
  }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! What only a GPU can show: streams that are really busy, captured graphs, and inputs with no memory behind them. Not part
//! of the emulated build.

#include "../support/calls.hpp"
#include "../support/host_calls.hpp"
#include "../support/memory.hpp"
#include "../support/pages.hpp"
#include "../support/segments.hpp"
#include "../support/tiles.hpp"

#include <thrust/partition.h>
#include <thrust/sequence.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <thread>

using namespace compat;

BOOST_AUTO_TEST_SUITE(policy)
BOOST_AUTO_TEST_SUITE(gpu)

namespace
{

using u8 = std::uint8_t;
using u32 = std::uint32_t;

// ---- a stream that does not move ----------------------------------------------------------------------------------------

//! Holds a stream until opened, or for five seconds: a call that waits where it must not then fails instead of hanging.
class gate
{
public:
  void close(stream& where) { require(cudaLaunchHostFunc(where.get(), wait, this), "enqueue a host function"); }
  void open() { open_ = true; }
  bool timed_out() const { return timed_out_; }
  ~gate() { open(); }

private:
  static void CUDART_CB wait(void* self)
  {
    gate& g = *static_cast<gate*>(self);
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(5);
    while (!g.open_)
    {
      if (std::chrono::steady_clock::now() > end)
      {
        g.timed_out_ = true;
        return;
      }
      std::this_thread::sleep_for(std::chrono::microseconds(100));
    }
  }
  std::atomic<bool> open_{false}, timed_out_{false};
};

//! Holds a stream for a while.
void delay(stream& where)
{
  const auto sleep = [](void*) { std::this_thread::sleep_for(std::chrono::milliseconds(50)); };
  require(cudaLaunchHostFunc(where.get(), sleep, nullptr), "enqueue a host function");
}

//! Two inputs of the same size; the second comes into place only by work on the stream.
struct changing_input
{
  explicit changing_input(std::size_t size)
      : before(make_items<u32>(size)), after(make_items<u32>(size, 999)), memory(to_device(before)), source(to_device(after))
  {}
  void change(stream& where)
  {
    require(cudaMemcpyAsync(raw(memory), raw(source), memory.size() * sizeof(u32), cudaMemcpyDeviceToDevice, where.get()),
            "copy");
  }
  std::vector<u32> before, after;
  thrust::device_vector<u32> memory, source;
};

//! call(policy, first, last, out) on a stream that is held: the call returns, nothing is written, and later it sees what the
//! stream has done before it.
template <class Call, class Expected>
void check_enqueued(std::size_t size, Call call, Expected expected)
{
  stream busy;
  changing_input in(size);
  thrust::device_vector<u32> out(size);
  const auto policy = reheat::par_nosync.on(busy.get());
  const u32* const first = raw(in.memory);
  call(policy, first, first + size, raw(out)); // kernel loaded, scratch memory there
  busy.synchronise();
  gate held;
  held.close(busy);
  in.change(busy);
  call(policy, first, first + size, raw(out));
  BOOST_TEST((cudaStreamQuery(busy.get()) == cudaErrorNotReady), "the call has waited, or used another stream");
  stream other;
  std::vector<u32> meanwhile(size);
  require(cudaMemcpyAsync(meanwhile.data(), raw(out), size * sizeof(u32), cudaMemcpyDeviceToHost, other.get()), "copy");
  other.synchronise();
  check_same("the output while the stream is held", expected(in.before), meanwhile);
  held.open();
  busy.synchronise();
  BOOST_TEST(!held.timed_out());
  check_same("the output afterwards", expected(in.after), to_host(out));
}

// ---- a small kernel -----------------------------------------------------------------------------------------------------

//! Leaves in `out` what it has had in shared memory.
__global__ void small_kernel(u32* out)
{
  __shared__ u32 place[4096];
  place[threadIdx.x] = threadIdx.x + 1;
  __syncthreads();
  if (threadIdx.x == 0)
  {
    *out = place[blockDim.x - 1];
  }
}

//! Every kernel on inputs and outputs that end where the memory ends; the longest begins where it begins.
template <class T>
void check_at_the_end_of_memory(const pages_apart& input, const pages_apart& output)
{
  const std::size_t tile = scan_tile<T>();
  for (const std::size_t count : {std::size_t(1), std::size_t(3), std::size_t(33), tile - 1, tile, tile + 1, 3 * tile + 5,
                                  input.items<T>() - 1, input.items<T>()})
  {
    const std::vector<T> items = make_items<T>(count, 1);
    const T init = values<T>::make(0);
    T* const in = input.end<T>(0) - count;
    T* const out = output.end<T>(0) - count;
    require(cudaMemcpy(in, items.data(), count * sizeof(T), cudaMemcpyHostToDevice), "copy the input");
    std::vector<T> result(count);
    const auto fetch = [&]
    { require(cudaMemcpy(result.data(), out, count * sizeof(T), cudaMemcpyDeviceToHost), "copy the output"); };
    thrust::inclusive_scan(reheat::par, in, in + count, out, fold{});
    fetch();
    check_same("inclusive_scan", inclusive_reference<T, T>(items, fold{}), result);
    thrust::exclusive_scan(reheat::par, in, in + count, out, init, fold{});
    fetch();
    check_same("exclusive_scan", exclusive_reference<T, T>(items, init, fold{}), result);
    check_result("reduce", count, reduce_reference<T>(items, init, fold{}),
                 thrust::reduce(reheat::par, in, in + count, init, fold{}));
    if constexpr (std::is_arithmetic<T>::value)
    {
      check_result("reduce, commutative", count, reduce_reference<T>(items, T(0), fold{}),
                   thrust::reduce(reheat::par, in, in + count));
    }
  }
}

} // namespace

// ---- streams ------------------------------------------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(a_nosync_scan_is_enqueued_on_its_stream_and_does_not_wait)
{
  check_enqueued(
      10 * scan_tile<u32>() + 3,
      [](const auto& policy, const u32* first, const u32* last, u32* out)
      { thrust::inclusive_scan(policy, first, last, out); },
      [](const std::vector<u32>& items) { return inclusive_reference<u32, u32>(items, plus{}); });
}

BOOST_AUTO_TEST_CASE(a_nosync_scan_by_key_is_enqueued_on_its_stream_and_does_not_wait)
{
  const std::size_t size = 10 * scan_by_key_tile<u32>() + 3;
  const std::vector<u32> keys = make_keys(size, segments::of_few, scan_by_key_tile<u32>());
  const thrust::device_vector<u32> in_keys = to_device(keys);
  check_enqueued(
      size,
      [&](const auto& policy, const u32* first, const u32*, u32* out)
      { thrust::inclusive_scan_by_key(policy, raw(in_keys), raw(in_keys) + size, first, out); },
      [&](const std::vector<u32>& items) { return inclusive_by_key_reference<u32, u32>(keys, items, equal{}, plus{}); });
}

BOOST_AUTO_TEST_CASE(a_scan_that_waits_has_seen_all_earlier_work_of_its_stream)
{
  const std::size_t size = 10 * scan_tile<u32>() + 3;
  stream busy;
  changing_input in(size);
  thrust::device_vector<u32> out(size);
  delay(busy);
  in.change(busy);
  thrust::exclusive_scan(reheat::par.on(busy.get()), in.memory.begin(), in.memory.end(), out.begin());
  BOOST_TEST((cudaStreamQuery(busy.get()) == cudaSuccess), "the call has not waited");
  check_same("exclusive_scan", exclusive_reference<u32, u32>(in.after, 0u, plus{}), to_host(out));
}

BOOST_AUTO_TEST_CASE(a_nosync_reduction_waits_for_its_result)
{
  const std::size_t size = 10 * scan_tile<u32>() + 3;
  stream busy;
  changing_input in(size);
  delay(busy);
  in.change(busy);
  check_result("reduce", size, reduce_reference<u32>(in.after, 0u, plus{}),
               thrust::reduce(reheat::par_nosync.on(busy.get()), in.memory.begin(), in.memory.end()));
}

BOOST_AUTO_TEST_CASE(the_default_streams_work)
{
  const std::size_t size = 10 * scan_tile<u32>() + 3;
  const std::vector<u32> items = make_items<u32>(size);
  const std::vector<u32> keys = make_keys(size, segments::of_few, scan_by_key_tile<u32>());
  const thrust::device_vector<u32> in = to_device(items), k = to_device(keys);
  for (const cudaStream_t where : {cudaStream_t(nullptr), cudaStreamLegacy, cudaStreamPerThread})
  {
    thrust::device_vector<u32> out(size);
    thrust::inclusive_scan(reheat::par.on(where), in.begin(), in.end(), out.begin());
    check_same("inclusive_scan", inclusive_reference<u32, u32>(items, plus{}), to_host(out));
    check_result("reduce", size, reduce_reference<u32>(items, 0u, plus{}),
                 thrust::reduce(reheat::par.on(where), in.begin(), in.end()));
    thrust::inclusive_scan_by_key(reheat::par.on(where), k.begin(), k.end(), in.begin(), out.begin());
    check_same("inclusive_scan_by_key", inclusive_by_key_reference<u32, u32>(keys, items, equal{}, plus{}), to_host(out));
    thrust::device_vector<u32> keys_out(size);
    const auto ends =
        thrust::reduce_by_key(reheat::par_nosync.on(where), k.begin(), k.end(), in.begin(), keys_out.begin(), out.begin());
    const auto expected = reduce_by_key_reference<u32, u32>(keys, items, equal{}, plus{});
    const std::size_t count = expected.first.size();
    BOOST_TEST((ends.second - out.begin() == static_cast<std::ptrdiff_t>(count)));
    check_same("keys of reduce_by_key", expected.first, to_host(keys_out, 0, count));
    check_same("values of reduce_by_key", expected.second, to_host(out, 0, count));
  }
}

BOOST_AUTO_TEST_CASE(two_streams_scan_at_once)
{
  const std::size_t size = 200 * scan_tile<u32>() + 3;
  stream streams[2];
  const std::vector<u32> items[2] = {make_items<u32>(size), make_items<u32>(size, 5)};
  const thrust::device_vector<u32> in[2] = {to_device(items[0]), to_device(items[1])};
  thrust::device_vector<u32> out[2] = {in[0], in[1]};
  for (int round = 0; round < 50; ++round)
  {
    for (int i = 0; i < 2; ++i)
    {
      thrust::inclusive_scan(reheat::par_nosync.on(streams[i].get()), in[i].begin(), in[i].end(), out[i].begin());
    }
  }
  for (int i = 0; i < 2; ++i)
  {
    streams[i].synchronise();
    check_same("inclusive_scan", inclusive_reference<u32, u32>(items[i], plus{}), to_host(out[i]));
  }
}

// Launches of ours start before the one before has ended, and wait for it where they first touch memory.
BOOST_AUTO_TEST_CASE(calls_in_a_row_see_what_the_ones_before_have_written)
{
  stream busy;
  const auto policy = reheat::par_nosync.on(busy.get());
  // A block; a tile per block; so many that not all have a multiprocessor; tiles that stream.
  for (const std::size_t size : {std::size_t(1000), std::size_t(100000), std::size_t(2000000), std::size_t(5000000)})
  {
    std::vector<u32> a = make_items<u32>(size), b(size);
    thrust::device_vector<u32> device_a = to_device(a), device_b(size);
    for (int round = 0; round < 20; ++round)
    {
      thrust::inclusive_scan(policy, device_a.begin(), device_a.end(), device_b.begin());
      reheat::reduce_into(policy, device_b.begin(), device_b.end(), device_b.begin());
      thrust::exclusive_scan(policy, device_b.begin(), device_b.end(), device_a.begin(), 7u);
    }
    busy.synchronise();
    for (int round = 0; round < 20; ++round)
    {
      b = inclusive_reference<u32, u32>(a, plus{});
      b[0] = reduce_reference<u32>(b, 0u, plus{});
      a = exclusive_reference<u32, u32>(b, 7u, plus{});
    }
    check_same(std::to_string(size) + " items", a, to_host(device_a));
  }
}

BOOST_AUTO_TEST_CASE(a_small_kernel_that_needs_shared_memory_runs_beside_a_large_scan)
{
  const std::size_t size = std::size_t(2) << 30; // more than a millisecond
  stream busy, urgent;
  thrust::device_vector<u8> items(size, u8(1));
  thrust::device_vector<u32> result(1);
  const auto scan = [&]
  { thrust::inclusive_scan(reheat::par_nosync.on(busy.get()), raw(items), raw(items) + size, raw(items)); };
  const auto run_small = [&]
  {
    small_kernel<<<1, 128, 0, urgent.get()>>>(raw(result));
    urgent.synchronise();
  };
  scan(); // kernels loaded, scratch memory there
  run_small();
  busy.synchronise();
  int beside = 0;
  for (int round = 0; round < 5; ++round)
  {
    scan();
    std::this_thread::sleep_for(std::chrono::microseconds(200)); // until the scan has all that it will take
    run_small();
    beside += cudaStreamQuery(busy.get()) == cudaErrorNotReady ? 1 : 0;
    busy.synchronise();
  }
  BOOST_TEST(result[0] == 128u);
  const bool leaves_room = size / scan_tile<u8>() >= scan_shape<u8>().spare_sm_from_tiles;
  BOOST_TEST(beside >= (leaves_room ? 4 : 0),
             "of 5 small kernels, " << beside << " ended before the scan they were launched in");
}

// ---- devices ------------------------------------------------------------------------------------------------------------

// Scratch memory, results and what is known of kernels belong to a context. Of one device this asks little: run it where
// there are two.
BOOST_AUTO_TEST_CASE(devices_take_turns)
{
  int devices = 0, current = 0;
  require(cudaGetDeviceCount(&devices), "count devices");
  require(cudaGetDevice(&current), "ask for the device");
  const std::size_t size = 200 * scan_tile<u32>() + 3;
  const std::vector<u32> items = make_items<u32>(size);
  const std::vector<u32> sums = inclusive_reference<u32, u32>(items, plus{});
  struct place
  {
    explicit place(const std::vector<u32>& items) : in(to_device(items)), out(items.size()), sum(1) {}
    stream busy;
    thrust::device_vector<u32> in, out, sum;
  };
  std::vector<std::unique_ptr<place>> places;
  for (int device = 0; device < devices; ++device)
  {
    require(cudaSetDevice(device), "choose a device");
    places.push_back(std::make_unique<place>(items));
  }
  for (int round = 0; round < 20; ++round)
  {
    for (int device = 0; device < devices; ++device)
    {
      require(cudaSetDevice(device), "choose a device");
      place& here = *places[static_cast<std::size_t>(device)];
      const auto policy = reheat::par_nosync.on(here.busy.get());
      thrust::inclusive_scan(policy, raw(here.in), raw(here.in) + size, raw(here.out));
      reheat::reduce_into(policy, raw(here.in), raw(here.in) + size, raw(here.sum));
      check_result("reduce", size, sums.back(), thrust::reduce(reheat::par, raw(here.in), raw(here.in) + size));
    }
  }
  for (int device = 0; device < devices; ++device)
  {
    require(cudaSetDevice(device), "choose a device");
    place& here = *places[static_cast<std::size_t>(device)];
    here.busy.synchronise();
    const std::string where = "device " + std::to_string(device) + " of " + std::to_string(devices);
    check_same(where + ", inclusive_scan", sums, to_host(here.out));
    check_same(where + ", reduce_into", std::vector<u32>{sums.back()}, to_host(here.sum));
    places[static_cast<std::size_t>(device)].reset();
    reheat::trim_workspaces();
  }
  require(cudaSetDevice(current), "choose a device");
  BOOST_TEST_MESSAGE(devices << " devices");
}

// ---- memory for all items -----------------------------------------------------------------------------------------------

namespace
{

struct is_odd
{
  REHEAT_HOST_DEVICE bool operator()(u32 x) const { return x % 2 != 0; }
};

std::size_t free_bytes_of_device(std::size_t* all = nullptr)
{
  std::size_t free_bytes = 0, all_bytes = 0;
  require(cudaMemGetInfo(&free_bytes, &all_bytes), "ask for memory");
  if (all != nullptr)
  {
    *all = all_bytes;
  }
  return free_bytes;
}

} // namespace

BOOST_AUTO_TEST_CASE(a_large_partition_leaves_its_memory_to_the_next_one_until_a_trim)
{
  std::size_t all = 0;
  free_bytes_of_device(&all);
  const std::size_t bytes = std::clamp<std::size_t>(all / 40, 48u << 20, 160u << 20), size = bytes / sizeof(u32);
  thrust::device_vector<u32> items(size);
  const auto partition = [&]
  {
    thrust::sequence(items.begin(), items.end());
    return calls_of([&] { (void)thrust::stable_partition(reheat::par, raw(items), raw(items) + size, is_odd()); });
  };
  reheat::trim_workspaces();
  const std::size_t before = free_bytes_of_device();
  (void)partition();
  const std::size_t kept = free_bytes_of_device();
  BOOST_TEST(before >= kept + bytes, before << " bytes were free before the call and " << kept << " behind it");
  const host_calls again = partition();
  BOOST_TEST(again.allocations == 1u, again);
  BOOST_TEST(again.frees == 1u, again);
  BOOST_TEST(free_bytes_of_device() == kept, "a second call took or gave back memory");
  reheat::trim_workspaces();
  BOOST_TEST(free_bytes_of_device() >= kept + bytes, "a trim gave too little back");
}

// ---- graphs -------------------------------------------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(captured_scans_replay_with_changed_data)
{
  const std::size_t size = 10 * scan_tile<u32>() + 3;
  stream capturing;
  thrust::device_vector<u32> in(size), inclusive(size), exclusive(size);
  const auto policy = reheat::par_nosync.on(capturing.get());
  cudaGraph_t graph = nullptr;
  require(cudaStreamBeginCapture(capturing.get(), cudaStreamCaptureModeGlobal), "begin a capture");
  thrust::inclusive_scan(policy, raw(in), raw(in) + size, raw(inclusive));
  thrust::exclusive_scan(policy, raw(in), raw(in) + size, raw(exclusive), 3u);
  require(cudaStreamEndCapture(capturing.get(), &graph), "end a capture");
  cudaGraphExec_t executable = nullptr;
  require(cudaGraphInstantiate(&executable, graph, 0), "instantiate a graph");
  for (std::size_t round = 0; round < 3; ++round)
  {
    const std::vector<u32> items = make_items<u32>(size, 1000 * round);
    thrust::copy(items.begin(), items.end(), in.begin());
    require(cudaGraphLaunch(executable, capturing.get()), "launch a graph");
    capturing.synchronise();
    check_same("captured inclusive_scan", inclusive_reference<u32, u32>(items, plus{}), to_host(inclusive));
    check_same("captured exclusive_scan", exclusive_reference<u32, u32>(items, 3u, plus{}), to_host(exclusive));
    // A call in between must not share the graph's scratch memory.
    thrust::inclusive_scan(policy, raw(in), raw(in) + size, raw(exclusive), plus{});
    capturing.synchronise();
    check_same("inclusive_scan in between", inclusive_reference<u32, u32>(items, plus{}), to_host(exclusive));
  }
  require(cudaGraphExecDestroy(executable), "destroy a graph");
  require(cudaGraphDestroy(graph), "destroy a graph");
}

// ---- the end of memory --------------------------------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(nothing_is_touched_beyond_the_end_of_memory)
{
  const pages_apart input(1), output(1);
  check_at_the_end_of_memory<u8>(input, output);
  check_at_the_end_of_memory<std::int32_t>(input, output);
  check_at_the_end_of_memory<double>(input, output);
  check_at_the_end_of_memory<words<3>>(input, output);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

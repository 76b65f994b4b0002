// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! When launches start, which kernels they load, and the message of one that fails. Not part of the emulated build.

#include "../support/calls.hpp"
#include "../support/host_calls.hpp"
#include "../support/memory.hpp"
#include "../support/tiles.hpp"

#include <reheat/ladder.cuh>

#include <thrust/copy.h>
#include <thrust/logical.h>
#include <thrust/transform_scan.h>

#include <cstdlib>
#include <functional>
#include <string>

using namespace compat;

BOOST_AUTO_TEST_SUITE(policy)
BOOST_AUTO_TEST_SUITE(launches)

namespace
{

using u32 = std::uint32_t;

REHEAT_KERNEL(32) store_kernel(u32* place, u32 value)
{
  *place = value;
}
//! Loaded by one test alone.
REHEAT_KERNEL(32) unloaded_kernel(u32* place)
{
  *place = 5;
}

struct is_small
{
  REHEAT_HOST_DEVICE bool operator()(u32 x) const { return x < 0xffffffffu; }
};

//! REHEAT_START_EARLY of the environment in which the tests run.
std::string environment_starts_early()
{
  const char* const value = std::getenv("REHEAT_START_EARLY");
  return value == nullptr ? "" : value;
}

} // namespace

BOOST_AUTO_TEST_CASE(launches_start_early_where_they_leave_half_of_the_multiprocessors_or_the_policy_asks)
{
  const std::size_t small = 10 * scan_tile<u32>() + 3, large = (std::size_t{64} << 20) / sizeof(u32);
  const bool can = kernel_arch() >= 900 && environment_starts_early() != "0", all = environment_starts_early() == "1";
  const thrust::device_vector<u32> in = to_device(make_items<u32>(large));
  thrust::device_vector<u32> out(large);
  const auto check_all = [&](const std::string& kernel, bool leaves_half, auto call)
  {
    const auto check = [&](const char* when, std::uint64_t fills, bool early, auto policy)
    {
      const host_calls calls = calls_of([&] { call(policy); });
      BOOST_TEST(calls.launches == 1u, kernel << ", " << when);
      BOOST_TEST(calls.fills == fills, kernel << ", " << when);
      BOOST_TEST(calls.early_launches == (early && can ? 1u : 0u), kernel << ", " << when);
    };
    stream own;
    ledger book;
    ledger_allocator<char> allocator(book);
    check("the stream's first call, behind a fill", 1, false, reheat::par_nosync.on(own.get()));
    check("its second", 0, leaves_half || all, reheat::par_nosync.on(own.get()));
    check("asked not to", 0, false, reheat::par_nosync.with(reheat::start_serially).on(own.get()));
    check("with an allocator", 0, leaves_half || all, reheat::par_nosync(allocator).on(own.get()));
    check("asked to", 0, true, reheat::par_nosync.with(reheat::start_early).on(own.get()));
    check("asked to, with an allocator", 0, true, reheat::par_nosync(allocator).on(own.get()).with(reheat::start_early));
    own.synchronise();
  };
  const auto scan = [&](std::size_t size)
  { return [&, size](auto policy) { thrust::inclusive_scan(policy, in.begin(), in.begin() + size, out.begin()); }; };
  check_all("a tile per block", true, scan(small));
  check_all("a tile per block on all multiprocessors", false, scan(std::size_t{1} << 20));
  check_all("streaming", false, scan(large));
  check_all("a large reduction", false,
            [&](auto policy) { reheat::reduce_into(policy, in.begin(), in.end(), out.begin()); });
  stream own;
  const auto mapped_scan = [&]
  {
    thrust::transform_inclusive_scan(
        reheat::par_nosync.on(own.get()).with(reheat::ladder::reduce6_grid_stride, reheat::start_early), in.begin(),
        in.end(), out.begin(), thrust::negate<u32>(), thrust::plus<u32>());
  };
  mapped_scan(); // fills the stream's scratch memory
  BOOST_TEST(calls_of(mapped_scan).early_launches == (can ? 1u : 0u), "the option beside a rung, which serves no scan");
  own.synchronise();
}

BOOST_AUTO_TEST_CASE(a_launch_loads_its_kernel)
{
  thrust::device_vector<u32> out(1);
  const auto launch = [&] { reheat::runtime::launch(environment_on(default_stream()), {1, 1}, &unloaded_kernel, raw(out)); };
  BOOST_TEST(calls_of(launch).others == 1u); // cudaFuncGetAttributes
  BOOST_TEST(calls_of(launch).others == 0u);
  BOOST_TEST(to_host(out)[0] == 5u);
}

// ---- launches that fail -------------------------------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(launches_that_fail_say_what_was_tried)
{
  namespace runtime = reheat::runtime;
  const auto check_message = [](const std::string& expected, const std::function<void()>& attempt)
  {
    const auto begins_so = [&](const thrust::system_error& error)
    {
      BOOST_TEST_MESSAGE(error.what());
      return std::string(error.what()).rfind(expected, 0) == 0;
    };
    BOOST_CHECK_EXCEPTION(attempt(), thrust::system_error, begins_so);
    BOOST_TEST(cudaPeekAtLastError() == cudaSuccess);
  };
  const auto env = environment_on(default_stream());
  check_message("compat: launching 1 blocks of 2048 threads with 16 bytes of shared memory: ",
                [&] {
                  runtime::launch(env, {1, 2048, 16}, &store_kernel, nullptr, 0u);
                });
  check_message("compat: launching 1000000 blocks that are all resident, of 32 threads with 0 bytes of shared memory: ",
                [&] {
                  runtime::launch(env, {1000000, 32, 0, runtime::launch_kind::cooperative}, &store_kernel, nullptr, 0u);
                });
  check_message("reheat: preparing a kernel for blocks of 32 threads with 1048576 bytes of shared memory: ",
                [&]
                {
                  const runtime::call_scope call(env);
                  (void)runtime::prepare(&store_kernel, 32, 1 << 20);
                });
  thrust::device_vector<u32> out(1);
  runtime::launch(env, {1, 1}, &store_kernel, raw(out), 7u);
  BOOST_TEST(to_host(out)[0] == 7u);
}

BOOST_AUTO_TEST_CASE(an_error_that_an_earlier_call_left_behind_is_thrown_and_cleared)
{
  const std::vector<u32> items = make_items<u32>(100000);
  const thrust::device_vector<u32> in = to_device(items);
  thrust::device_vector<u32> out(items.size()), keys(items.size());
  stream own;
  const u32* const first = raw(in);
  const u32* const last = first + in.size();
  const auto check = [&](const char* what, bool is_thrusts, const std::function<void()>& call)
  {
    call();
    unloaded_kernel<<<1, 4096, 0, own.get()>>>(raw(out)); // no block has so many threads
    const cudaError_t pending = cudaPeekAtLastError();
    BOOST_TEST(pending != cudaSuccess);
    try
    {
      call();
      BOOST_ERROR(what << ": no error");
      (void)cudaGetLastError();
    }
    catch (const thrust::system_error& error)
    {
      const bool same = error.code().value() == static_cast<int>(pending); // Thrust's own may name one that follows from it
      BOOST_TEST((same || is_thrusts), what << ": " << error.what());
    }
    BOOST_TEST(cudaGetLastError() == cudaSuccess, what);
    call();
    own.synchronise();
  };
  check("Thrust's reduce", true, [&] { (void)thrust::reduce(thrust::cuda::par.on(own.get()), first, last); });
  const auto par = reheat::par.on(own.get());
  const auto nosync = reheat::par_nosync.on(own.get());
  check("reduce", false, [&] { (void)thrust::reduce(par, first, last); });
  check("inclusive_scan", false, [&] { thrust::inclusive_scan(par, first, last, raw(out)); });
  check("reduce_into", false, [&] { reheat::reduce_into(nosync, first, last, raw(keys)); });
  check("reduce_by_key", false, [&] { (void)thrust::reduce_by_key(par, first, last, first, raw(keys), raw(out)); });
  check("copy_if", false, [&] { (void)thrust::copy_if(par, first, last, raw(out), is_small{}); });
  check("all_of", false, [&] { (void)thrust::all_of(par, first, last, is_small{}); });
  check("inclusive_scan that does not wait", false, [&] { thrust::inclusive_scan(nosync, first, last, raw(out)); });
  check_same("after errors", inclusive_reference<u32, u32>(items, plus{}), to_host(out));
}

// ---- temporary memory of Thrust's own algorithms ------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(memory_that_is_not_freed_in_stream_order_leaves_no_error_behind)
{
  void* memory = nullptr;
  require(cudaMalloc(&memory, 1000), "allocate"); // as where a device has no memory pools
  reheat::thrust_backend::free_in_stream_order(default_stream(), memory);
  BOOST_TEST(cudaPeekAtLastError() == cudaSuccess);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

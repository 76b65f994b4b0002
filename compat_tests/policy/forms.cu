// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Policies: every form reaches our kernels on the right stream with the right memory, waits when it should, and lets all
//! other algorithms fall through to Thrust.

#include "../support/calls.hpp"
#include "../support/host_calls.hpp"
#include "../support/memory.hpp"
#include "../support/tiles.hpp"

#include <thrust/copy.h>
#include <thrust/count.h>
#include <thrust/fill.h>
#include <thrust/find.h>
#include <thrust/shuffle.h>
#include <thrust/sort.h>
#include <thrust/transform.h>

#include <atomic>
#include <deque>
#include <random>
#include <stdexcept>
#include <string>
#include <thread>

using namespace compat;

BOOST_AUTO_TEST_SUITE(policy)
BOOST_AUTO_TEST_SUITE(forms)

namespace
{

using u32 = std::uint32_t;

//! Enough for several tiles and blocks of every kernel.
std::size_t enough()
{
  return 6 * scan_tile<u32>() + 20 * reduce_shape<u32, u32, thrust::plus<u32>>().tile_items() + 5;
}

//! All nine calls of the family through one policy.
template <class Policy>
void check_family(const std::string& what, Policy&& policy)
{
  const std::vector<u32> items = make_items<u32>(enough());
  const thrust::device_vector<u32> in = to_device(items);
  thrust::device_vector<u32> out(items.size());
  const u32 sum = reduce_reference<u32>(items, 0u, plus{});
  const auto check = [&](const char* call, const std::vector<u32>& expected)
  {
    check_same(what + ", " + call, expected, to_host(out));
    thrust::fill(out.begin(), out.end(), 0u);
  };
  check_result(what + ", reduce of 3", in.size(), sum, thrust::reduce(policy, in.begin(), in.end()));
  check_result(what + ", reduce of 4", in.size(), sum + 1, thrust::reduce(policy, in.begin(), in.end(), 1u));
  check_result(what + ", reduce of 5", in.size(), sum + 2, thrust::reduce(policy, in.begin(), in.end(), 2u, plus{}));
  thrust::inclusive_scan(policy, in.begin(), in.end(), out.begin());
  check("inclusive_scan of 4", inclusive_reference<u32, u32>(items, plus{}));
  thrust::inclusive_scan(policy, in.begin(), in.end(), out.begin(), plus{});
  check("inclusive_scan of 5", inclusive_reference<u32, u32>(items, plus{}));
  thrust::inclusive_scan(policy, in.begin(), in.end(), out.begin(), 3u, plus{});
  check("inclusive_scan of 6", inclusive_reference<u32, u32>(items, 3u, plus{}));
  thrust::exclusive_scan(policy, in.begin(), in.end(), out.begin());
  check("exclusive_scan of 4", exclusive_reference<u32, u32>(items, 0u, plus{}));
  thrust::exclusive_scan(policy, in.begin(), in.end(), out.begin(), 4u);
  check("exclusive_scan of 5", exclusive_reference<u32, u32>(items, 4u, plus{}));
  thrust::exclusive_scan(policy, in.begin(), in.end(), out.begin(), 5u, plus{});
  check("exclusive_scan of 6", exclusive_reference<u32, u32>(items, 5u, plus{}));
}

//! On the emulator: the family's nine calls launched nine of our kernels on `where`, and waited as often as they should. (On
//! the GPU the dispatch proof and gpu.cu say so.)
template <class Policy>
void check_family_on([[maybe_unused]] reheat::stream_type where, [[maybe_unused]] bool waits, const std::string& what,
                     Policy&& policy)
{
#if defined(REHEAT_EMULATED)
  where->clear();
#endif
  check_family(what, policy);
#if defined(REHEAT_EMULATED)
  BOOST_TEST(where->launch_count() == 9u, what << ": " << where->launch_count() << " launches on its stream, expected 9");
  // The three reductions poll for their result.
  const std::size_t expected = waits ? 6 : 0;
  BOOST_TEST(where->synchronisation_count() == expected,
             what << ": waited " << where->synchronisation_count() << " times, expected " << expected);
#endif
}

struct is_odd
{
  REHEAT_HOST_DEVICE bool operator()(u32 x) const { return x % 2 == 1; }
};
struct is_zero
{
  REHEAT_HOST_DEVICE bool operator()(u32 x) const { return x == 0; }
};
struct descending
{
  REHEAT_HOST_DEVICE bool operator()(u32 x, u32 y) const { return y < x; }
};
struct increment
{
  REHEAT_HOST_DEVICE u32 operator()(u32 x) const { return x + 1; }
};

template <class Policy>
void check_fall_through(const std::string& what, Policy&& policy)
{
  const std::vector<u32> items = make_items<u32>(5000);
  thrust::device_vector<u32> data = to_device(items), out(items.size());
  thrust::transform(policy, data.begin(), data.end(), out.begin(), increment{});
  std::vector<u32> expected = items;
  for (u32& x : expected)
  {
    ++x;
  }
  check_same(what + ", transform", expected, to_host(out));
  const auto odd_end = thrust::copy_if(policy, data.begin(), data.end(), out.begin(), is_odd{});
  expected.clear();
  std::copy_if(items.begin(), items.end(), std::back_inserter(expected), is_odd{});
  out.resize(static_cast<std::size_t>(odd_end - out.begin()));
  check_same(what + ", copy_if", expected, to_host(out));
  BOOST_TEST(thrust::count_if(policy, data.begin(), data.end(), is_odd{}) == static_cast<std::ptrdiff_t>(expected.size()));
  data[1234] = 0;
  BOOST_TEST((thrust::find_if(policy, data.begin(), data.end(), is_zero{}) - data.begin() == 1234));
  data[1234] = items[1234];
  thrust::sort(policy, data.begin(), data.end(), descending{});
  expected = items;
  std::sort(expected.begin(), expected.end(), descending{});
  check_same(what + ", sort", expected, to_host(data));
}

// ---- calls from device code ---------------------------------------------------------------------------------------------

REHEAT_KERNEL(32) call_from_device_code(const u32* in, int count, u32* out, u32* sum)
{
  sum[0] = thrust::reduce(reheat::par, in, in + count);
  sum[1] = thrust::reduce(reheat::par, in, in + count, 5u);
  sum[2] = thrust::reduce(reheat::par_nosync, in, in + count, 5u, plus{});
  thrust::inclusive_scan(reheat::par, in, in + count, out);
  thrust::inclusive_scan(reheat::par, in, in + count, out + count, plus{});
  thrust::inclusive_scan(reheat::par, in, in + count, out + 2 * count, 7u, plus{});
  thrust::exclusive_scan(reheat::par, in, in + count, out + 3 * count);
  thrust::exclusive_scan(reheat::par, in, in + count, out + 4 * count, 8u);
  thrust::exclusive_scan(reheat::par_nosync, in, in + count, out + 5 * count, 9u, plus{});
}

} // namespace

// ---- streams ------------------------------------------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(par_runs_on_the_default_stream_and_waits)
{
  check_family_on(default_stream(), true, "par", reheat::par);
  auto policy = reheat::par;
  check_family_on(default_stream(), true, "a copy of par", policy);
}

BOOST_AUTO_TEST_CASE(par_nosync_runs_on_the_default_stream_and_waits_only_for_results)
{
  check_family_on(default_stream(), false, "par_nosync", reheat::par_nosync);
}

BOOST_AUTO_TEST_CASE(on_names_the_stream)
{
  stream own;
  check_family_on(own.get(), true, "par.on(stream)", reheat::par.on(own.get()));
  const auto constant = reheat::par.on(own.get());
  check_family_on(own.get(), true, "a const par.on(stream)", constant);
  auto variable = reheat::par.on(own.get());
  check_family_on(own.get(), true, "a variable par.on(stream)", variable);
  check_family_on(own.get(), false, "par_nosync.on(stream)", reheat::par_nosync.on(own.get()));
}

BOOST_AUTO_TEST_CASE(on_replaces_an_earlier_stream)
{
  stream first, second;
  check_family_on(second.get(), true, "par.on(first).on(second)", reheat::par.on(first.get()).on(second.get()));
}

// ---- memory -------------------------------------------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(large_values_come_from_the_policys_allocator_and_words_from_the_stream)
{
  stream own;
  ledger book;
  ledger_allocator<char> allocator(book);
  const ledger_allocator<char> constant(book);
  const auto check = [&](reheat::stream_type where, bool waits, const char* what, auto&& policy)
  {
    book = {};
    check_family_on(where, waits, what, policy);
    BOOST_TEST(book.allocations == 0u, what << ": " << book.allocations << " allocations for values that fit words");
    check_values_come_from(book, what, policy);
  };
  check(default_stream(), true, "par(allocator)", reheat::par(allocator));
  check(default_stream(), true, "par(const allocator)", reheat::par(constant));
  check(default_stream(), true, "par(rvalue allocator)", reheat::par(ledger_allocator<char>(book)));
  check(own.get(), true, "par(allocator).on(stream)", reheat::par(allocator).on(own.get()));
  check(default_stream(), false, "par_nosync(allocator)", reheat::par_nosync(allocator));
  check(own.get(), false, "par_nosync(allocator).on(stream)", reheat::par_nosync(allocator).on(own.get()));
}

BOOST_AUTO_TEST_CASE(large_values_come_from_the_policys_memory_resource)
{
  stream own;
  ledger book;
  ledger_resource resource(book);
  check_family_on(default_stream(), true, "par(&resource)", reheat::par(&resource));
  check_values_come_from(book, "par(&resource)", reheat::par(&resource));
  check_family_on(own.get(), true, "par(&resource).on(stream)", reheat::par(&resource).on(own.get()));
  check_values_come_from(book, "par(&resource).on(stream)", reheat::par(&resource).on(own.get()));
}

BOOST_AUTO_TEST_CASE(an_allocator_that_throws_is_heard_and_nothing_is_lost)
{
  ledger book;
  book.fails = true;
  ledger_allocator<char> allocator(book);
  using T = large_value;
  const thrust::device_vector<T> in = to_device(make_items<T>(several_blocks_of_large_values()));
  thrust::device_vector<T> out(in.size());
  const T init = values<T>::make(0);
  for (int round = 0; round < 3; ++round)
  {
    const auto policy = reheat::par(allocator);
    BOOST_CHECK_THROW(thrust::reduce(policy, in.begin(), in.end(), init, fold{}), std::bad_alloc);
    BOOST_CHECK_THROW(thrust::inclusive_scan(policy, in.begin(), in.end(), out.begin(), fold{}), std::bad_alloc);
    BOOST_CHECK_THROW(thrust::exclusive_scan(policy, in.begin(), in.end(), out.begin(), init, fold{}), std::bad_alloc);
  }
  BOOST_TEST(book.held == 0);
  check_values_come_from(book, "after failures", reheat::par(allocator));
}

BOOST_AUTO_TEST_CASE(scratch_memory_is_kept_and_can_be_given_back)
{
  stream own;
  const auto policy = reheat::par.on(own.get());
  check_family("first", policy);
  const std::size_t held = reheat::workspace_bytes();
  BOOST_TEST(held > 0u);
  check_family("second", policy);
  BOOST_TEST(reheat::workspace_bytes() == held, "the same calls again took more memory");
  reheat::trim_workspaces();
  BOOST_TEST(reheat::workspace_bytes() == 0u);
  check_family("after a trim", policy);
}

BOOST_AUTO_TEST_CASE(a_block_that_the_caller_gives_is_all_that_a_call_needs)
{
  const std::vector<u32> items = make_items<u32>(enough());
  const thrust::device_vector<u32> in = to_device(items);
  thrust::device_vector<u32> out(items.size());
  ledger book;
  constexpr std::size_t bytes = 32 * 1024;
  stream own;
  void* const memory = ledger_allocate(book, bytes);
  const auto dirty = [&](std::uint64_t tag) // words that look like slots of a workspace's first launches
  { thrust::fill_n(thrust::device_pointer_cast(static_cast<std::uint64_t*>(memory)), bytes / 8, tag << 32 | 0x12345678u); };
  reheat::runtime::environment_with<reheat::runtime::given_memory> env{{"given", own.get()},
                                                                       {static_cast<unsigned char*>(memory) + 8, bytes - 8}};
  const auto scan = [&]
  {
    reheat::detail::enqueue_scan<reheat::detail::scan_kind::inclusive>(env, raw(in), raw(out), in.size(), plus{},
                                                                       reheat::detail::scan_without_init<u32>{});
  };
  const auto reduce = [&]
  {
    reheat::detail::enqueue_reduce_into<u32>(env, raw(in), in.size(), raw(out), reheat::detail::init_value<u32>{1u}, plus{});
  };
  const auto check_cost = [&](const char* what, auto call)
  {
    call(); // loads the kernel
    const host_calls calls = calls_of(call);
    host_calls expected;
    expected.launches = 2; // zeros and a scan, or blocks' values and their fold
    BOOST_TEST(calls == expected, what << ": " << calls);
    own.synchronise();
  };
  const std::size_t kept = reheat::workspace_bytes();
  for (const std::uint64_t tag : {0u, 1u, 2u, 0xffffffffu})
  {
    dirty(tag);
    check_cost("inclusive_scan", scan);
    check_same("inclusive_scan", inclusive_reference<u32, u32>(items, plus{}), to_host(out));
    dirty(tag);
    check_cost("reduce_into", reduce);
    check_result("reduce_into", in.size(), reduce_reference<u32>(items, 1u, plus{}), to_host(out, 0, 1)[0]);
  }
  BOOST_TEST(reheat::workspace_bytes() == kept);
  env.scratch.bytes = 300;
  BOOST_CHECK_THROW(scan(), std::runtime_error); // no interface has said what it throws
  ledger_free(book, memory, bytes);
}

BOOST_AUTO_TEST_CASE(threads_share_streams_while_memory_comes_and_goes)
{
  const std::vector<u32> items = make_items<u32>(enough());
  const thrust::device_vector<u32> in = to_device(items);
  const u32 sum = reduce_reference<u32>(items, 0u, plus{});
  const std::vector<u32> scanned = inclusive_reference<u32, u32>(items, plus{});
  std::deque<stream> streams(80);
  std::atomic<unsigned> wrong{0}, running{4};
  std::vector<std::thread> threads;
  for (std::size_t thread = 0; thread < 4; ++thread)
  {
    threads.emplace_back(
        [&, thread]
        {
          try
          {
            thrust::device_vector<u32> out(items.size());
            for (std::size_t i = 0; i < 18; ++i)
            {
              const auto policy = reheat::par.on(streams[(37 * thread + i / 3 * 11) % streams.size()].get());
              wrong += thrust::reduce(policy, raw(in), raw(in) + items.size()) != sum;
              thrust::inclusive_scan(policy, raw(in), raw(in) + items.size(), raw(out));
              wrong += to_host(out) != scanned;
            }
          }
          catch (const std::exception&)
          {
            ++wrong;
          }
          --running;
        });
  }
  while (running != 0)
  {
    reheat::trim_workspaces();
    std::this_thread::yield();
  }
  for (std::thread& thread : threads)
  {
    thread.join();
  }
  BOOST_TEST(wrong == 0u);
}

// ---- everything else ----------------------------------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(other_algorithms_fall_through_to_thrust)
{
  stream own;
  ledger book;
  ledger_allocator<char> allocator(book);
  check_fall_through("par", reheat::par);
  check_fall_through("par_nosync.on(stream)", reheat::par_nosync.on(own.get()));
  check_fall_through("par(allocator).on(stream)", reheat::par(allocator).on(own.get()));
  BOOST_TEST(book.held == 0);
}

BOOST_AUTO_TEST_CASE(shuffle_copy_reaches_our_inclusive_scan)
{
  const std::size_t size = 3000;
  const std::vector<u32> items = make_items<u32>(size);
  const thrust::device_vector<u32> in = to_device(items);
  for_each_seed(5,
                [&]
                {
                  stream own;
                  thrust::device_vector<u32> ours(size), theirs(size);
                  std::mt19937 engine(7), same_engine(7);
                  thrust::shuffle_copy(reheat::par.on(own.get()), in.begin(), in.end(), ours.begin(), engine);
                  thrust::shuffle_copy(upstream, in.begin(), in.end(), theirs.begin(), same_engine);
                  check_same("shuffle_copy", to_host(theirs), to_host(ours));
#if defined(REHEAT_EMULATED)
                  BOOST_TEST(own.get()->launch_count() == 1u);
#endif
                });
}

// ---- messages -----------------------------------------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(a_range_that_ends_before_it_begins_is_described)
{
  const thrust::device_vector<u32> in(10);
  const auto is_described = [](const std::runtime_error& error)
  {
    return std::string(error.what()) ==
           "reheat::reduce: the range ends 3 items before it begins; pass (first, last) with first "
           "<= last";
  };
  BOOST_CHECK_EXCEPTION((void)thrust::reduce(reheat::par, in.begin() + 5, in.begin() + 2), std::runtime_error, is_described);
}

BOOST_AUTO_TEST_CASE(messages_that_are_too_long_are_cut_off)
{
  const std::string longest(511, 'x');
  const auto text_of = [](const reheat::runtime::message& made) { return std::string(made.text); };
  BOOST_TEST(text_of(reheat::runtime::format_message("%s", longest.c_str())) == longest);
  BOOST_TEST(text_of(reheat::runtime::format_message("%sy", longest.c_str())) == longest);
  BOOST_TEST(text_of(reheat::runtime::format_message("%u of %zu", 3u, std::size_t{4})) == "3 of 4");
}

// ---- device code --------------------------------------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(calls_from_device_code_run_in_the_calling_thread)
{
  const int count = 100;
  const std::vector<u32> items = make_items<u32>(count);
  const thrust::device_vector<u32> in = to_device(items);
  thrust::device_vector<u32> out(6 * count), sum(3);
  reheat::runtime::launch(environment_on(default_stream()), {1, 1}, &call_from_device_code, raw(in), count, raw(out),
                          raw(sum));
  const u32 expected = reduce_reference<u32>(items, 0u, plus{});
  check_same("reduce", std::vector<u32>{expected, expected + 5, expected + 5}, to_host(sum));
  std::vector<u32> all;
  for (const std::vector<u32>& part :
       {inclusive_reference<u32, u32>(items, plus{}), inclusive_reference<u32, u32>(items, plus{}),
        inclusive_reference<u32, u32>(items, 7u, plus{}), exclusive_reference<u32, u32>(items, 0u, plus{}),
        exclusive_reference<u32, u32>(items, 8u, plus{}), exclusive_reference<u32, u32>(items, 9u, plus{})})
  {
    all.insert(all.end(), part.begin(), part.end());
  }
  check_same("scans", all, to_host(out));
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! reheat::statistics(): what it counts, beside what the machine was asked.

#include "../support/family_calls.hpp"
#include "../support/host_calls.hpp"
#include "../support/memory.hpp"

#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

using namespace compat;

BOOST_AUTO_TEST_SUITE(policy)
BOOST_AUTO_TEST_SUITE(statistics)

namespace
{

using u32 = std::uint32_t;

//! Several blocks of every reduction.
std::size_t enough()
{
  return emulated ? 9000 : 300000;
}

template <class Body>
reheat::call_statistics statistics_of(Body body)
{
  const reheat::call_statistics before = reheat::statistics();
  body();
  return reheat::statistics() - before;
}

//! `calls` accelerated calls of the one algorithm, none of any other.
void check_counts(const std::string& what, const reheat::call_statistics& counted, const std::string& name,
                  std::uint64_t calls)
{
  for (const reheat::algorithm_calls& each : counted.algorithms)
  {
    BOOST_TEST(each.accelerated == (each.name == name ? calls : 0u), what << " is counted as " << each.name);
  }
}

template <class Policy>
void check_each_call(const std::string& where, const Policy& policy)
{
  family_memory memory(enough());
  for (const family_call& each : family_calls(policy, memory))
  {
    const std::string what = where + ", " + each.name;
    (void)each.call();
    host_calls asked;
    const host_calls copied = copying(policy, *each.facts, memory);
    const reheat::call_statistics counted = statistics_of([&] { asked = calls_of([&] { (void)each.call(); }) - copied; });
    check_counts(what, counted, each.facts->name, 1);
    BOOST_TEST(counted.launches == asked.launches, what);
    BOOST_TEST(counted.waits == asked.waits, what);
  }
}

} // namespace

BOOST_AUTO_TEST_CASE(it_has_a_row_for_each_algorithm_of_the_family)
{
  const reheat::call_statistics now = reheat::statistics();
  BOOST_REQUIRE(std::size(now.algorithms) == accelerated::algorithm_count);
  for (std::size_t i = 0; i < accelerated::algorithm_count; ++i)
  {
    BOOST_TEST(std::string(now.algorithms[i].name) == accelerated::all_facts[i].name);
  }
}

BOOST_AUTO_TEST_CASE(each_call_is_counted_once_with_its_launches_and_waits)
{
  stream own;
  check_each_call("par", reheat::par.on(own.get()));
  check_each_call("par_nosync", reheat::par_nosync.on(own.get()));
  if (emulated) // on a GPU the ledger waits, too
  {
    ledger book;
    ledger_allocator<char> allocator(book);
    check_each_call("par(allocator)", reheat::par(allocator).on(own.get()));
  }
}

BOOST_AUTO_TEST_CASE(a_question_is_one_call_of_one_launch)
{
  const thrust::device_vector<u32> in(emulated ? 1000 : 1000000);
  host_calls asked;
  const auto ask = [&]
  { asked = calls_of([&] { BOOST_TEST(!thrust::any_of(reheat::par, in.begin(), in.end(), is_odd_number())); }); };
  const reheat::call_statistics counted = statistics_of(ask);
  check_counts("any_of", counted, "any_of", 1);
  BOOST_TEST(counted.launches == 1u);
  BOOST_TEST(counted.launches == asked.launches);
  BOOST_TEST(counted.waits == asked.waits);
}

BOOST_AUTO_TEST_CASE(a_call_that_throws_is_counted_and_launches_nothing)
{
  const thrust::device_vector<u32> in(10);
  const reheat::call_statistics counted = statistics_of(
      [&] { BOOST_CHECK_THROW((void)thrust::reduce(reheat::par, in.begin() + 5, in.begin()), std::runtime_error); });
  check_counts("a negative range", counted, "reduce", 1);
  BOOST_TEST(counted.launches == 0u);
  BOOST_TEST(counted.waits == 0u);
}

BOOST_AUTO_TEST_CASE(calls_that_reheat_has_no_part_in_are_not_counted)
{
  thrust::device_vector<u32> in(1000);
  const reheat::call_statistics counted = statistics_of(
      [&]
      {
        thrust::fill(reheat::par, in.begin(), in.end(), 1u);
        BOOST_TEST((thrust::min_element(reheat::par, in.begin(), in.begin()) == in.begin())); // an empty range
      });
  check_counts("fill, and min_element of nothing", counted, "none", 0);
  BOOST_TEST(counted.launches == 0u);
}

BOOST_AUTO_TEST_CASE(kept_bytes_are_those_of_the_moment)
{
  const thrust::device_vector<u32> in(enough());
  reheat::trim_workspaces();
  const reheat::call_statistics before = reheat::statistics();
  BOOST_TEST(before.workspace_bytes == 0u);
  (void)thrust::reduce(reheat::par, in.begin(), in.end());
  const reheat::call_statistics after = reheat::statistics();
  BOOST_TEST(after.workspace_bytes > 0u);
  BOOST_TEST(after.workspace_bytes == reheat::workspace_bytes());
  BOOST_TEST((after - before).workspace_bytes == after.workspace_bytes);
}

BOOST_AUTO_TEST_CASE(calls_of_all_threads_are_counted_also_of_those_that_have_ended)
{
  constexpr std::uint64_t threads = 4, calls = 25, generations = 3;
  const auto call_often = [&]
  {
    const thrust::device_vector<u32> in(100);
    stream own;
    for (std::uint64_t i = 0; i < calls; ++i)
    {
      (void)thrust::reduce(reheat::par.on(own.get()), in.begin(), in.end());
    }
  };
  const reheat::call_statistics counted = statistics_of(
      [&]
      {
        for (std::uint64_t generation = 0; generation < generations; ++generation)
        {
          std::vector<std::thread> all;
          for (std::uint64_t i = 0; i < threads; ++i)
          {
            all.emplace_back(call_often);
          }
          for (std::thread& each : all)
          {
            each.join();
          }
        }
      });
  check_counts("threads", counted, "reduce", threads * calls * generations);
  BOOST_TEST(counted.launches == threads * calls * generations);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

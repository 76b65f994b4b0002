// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Calls that go to Thrust: with -DREHEAT_PASSTHROUGH all calls, with -DREHEAT_RUNTIME_SWITCH the calls that REHEAT_DISABLE
//! names. REHEAT_DISABLE is read once, so each of its values is a run of its own. The environment variable
//! REHEAT_EXPECTED_DISABLED lists the functions that have to be passed on, or is "all"; each other one has to be
//! accelerated.

// What the support headers use, and reheat.cuh leaves out of a program that passes everything on.
#include <reheat/detail/algorithms/by_key.cuh>
#include <reheat/detail/algorithms/reduce.cuh>
#include <reheat/detail/algorithms/scan.cuh>

#include "../support/family_calls.hpp"
#include "../support/memory.hpp"

#include <reheat/ladder.cuh>

#include <thrust/device_vector.h>

#include <algorithm>
#include <cstdlib>
#include <set>
#include <string>
#include <string_view>

using namespace compat;

namespace
{

using u32 = std::uint32_t;

#if defined(REHEAT_PASSTHROUGH)
constexpr bool passes_all_on = true;
#else
constexpr bool passes_all_on = false;
#endif

std::set<std::string, std::less<>> expected_disabled()
{
  std::set<std::string, std::less<>> names;
  const char* const listed = std::getenv("REHEAT_EXPECTED_DISABLED");
  std::string_view rest = listed != nullptr ? listed : "";
  while (!rest.empty())
  {
    const std::size_t end = std::min(rest.find(','), rest.size());
    names.emplace(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  if (names.count("all") != 0)
  {
    for (const accelerated::algorithm_facts& each : accelerated::all_facts)
    {
      names.emplace(each.name);
    }
  }
  return names;
}

//! Each call returns and writes what it should, and runs where it should.
template <class Policy>
void check_each_call(const std::string& where, const Policy& policy)
{
  static const std::set<std::string, std::less<>> disabled = expected_disabled();
  family_memory memory(emulated ? 3000 : 300000);
  for (const family_call& each : family_calls(policy, memory))
  {
    const reheat::call_statistics before = reheat::statistics();
    const bool is_disabled = disabled.count(each.facts->name) != 0;
    each.check(where, memory, passes_all_on || is_disabled);
    const reheat::call_statistics counted = reheat::statistics() - before;
    for (const reheat::algorithm_calls& row : counted.algorithms)
    {
      const bool is_it = std::string(row.name) == each.facts->name;
      BOOST_TEST(row.accelerated == (is_it && !passes_all_on && !is_disabled ? 1u : 0u), where << ", " << each.name);
      BOOST_TEST(row.disabled == (is_it && !passes_all_on && is_disabled ? 1u : 0u), where << ", " << each.name);
    }
    BOOST_TEST((counted.launches == 0) == (passes_all_on || is_disabled), where << ", " << each.name);
  }
}

struct sum_as_double
{
  template <class X, class Y>
  REHEAT_HOST_DEVICE double operator()(X x, Y y) const
  {
    return static_cast<double>(x) + static_cast<double>(y);
  }
};

} // namespace

BOOST_AUTO_TEST_SUITE(calls)

BOOST_AUTO_TEST_CASE(each_call_through_each_policy_runs_where_it_should)
{
  stream own;
  ledger book;
  ledger_allocator<char> allocator(book);
  check_each_call("par", reheat::par);
  check_each_call("par.on(stream)", reheat::par.on(own.get()));
  check_each_call("par_nosync.on(stream)", reheat::par_nosync.on(own.get()));
  check_each_call("par(allocator)", reheat::par(allocator).on(own.get()));
  check_each_call("par_nosync(allocator)", reheat::par_nosync(allocator).on(own.get()));
  check_each_call("start_early", reheat::par.on(own.get()).with(reheat::start_early));
  check_each_call("par_like", reheat::par_like(upstream));
  BOOST_TEST(book.held == 0);
}

BOOST_AUTO_TEST_CASE(reduce_into_assigns_what_the_operator_makes)
{
  const thrust::device_vector<double> in(3, 0.5);
  thrust::device_vector<double> out(3, -1.0);
  reheat::reduce_into(reheat::par, in.begin(), in.end(), out.begin(), 10, sum_as_double()); // the sum is no int
  reheat::reduce_into(reheat::par, in.begin(), in.end(), out.begin() + 1, 0.25);
  reheat::reduce_into(reheat::par_nosync, in.begin(), in.begin(), out.begin() + 2, 0.75);
  BOOST_TEST(double(out[0]) == 11.5);
  BOOST_TEST(double(out[1]) == 1.75);
  BOOST_TEST(double(out[2]) == 0.75);
}

BOOST_AUTO_TEST_CASE(the_rest_of_the_interface_works)
{
  const thrust::device_vector<u32> in(1000, 2u);
  BOOST_TEST(thrust::reduce(reheat::par.with(reheat::ladder::reduce6_grid_stride), in.begin(), in.end()) == 2000u);
  reheat::trim_workspaces();
  BOOST_TEST(reheat::workspace_bytes() == 0u);
}

BOOST_AUTO_TEST_SUITE_END()

// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Of calls across ranks, what only the emulator shows: what a call asks of the device, and an operator that throws.

#include "../support/ranks.hpp"

#include <thrust/reduce.h>
#include <thrust/scan.h>

#include <cstdint>
#include <stdexcept>

using namespace compat;

BOOST_AUTO_TEST_SUITE(across)
BOOST_AUTO_TEST_SUITE(emulated_ranks)

namespace
{

using u32 = std::uint32_t;

//! An operator that throws from a kernel.
struct throwing_plus
{
  REHEAT_HOST_DEVICE u32 operator()(u32, u32) const { throw std::runtime_error("the operator throws"); }
};

} // namespace

BOOST_AUTO_TEST_CASE(an_operator_that_throws)
{
  for (const auto order : {reheat::gather_order::in_stream, reheat::gather_order::on_host})
  {
    const auto failures = failures_of_ranks(
        2, order,
        [](reheat::ranks& ranks)
        {
          const thrust::device_vector<u32> items(1000, 1);
          const std::size_t own = ranks.rank() == 1 ? items.size() : 0;
          static_cast<void>(thrust::reduce(reheat::par.across(ranks), raw(items), raw(items) + own, 0u, throwing_plus{}));
        });
    BOOST_TEST(text_of(failures[1]).find("the operator throws") != std::string::npos, text_of(failures[1]));
    BOOST_TEST(text_of(failures[0]).find("rank_failed 1") == 0u, text_of(failures[0]));
  }
}

// What a steady call asks of the device on the fastest engine that the emulator has.
BOOST_AUTO_TEST_CASE(what_a_call_costs)
{
  check_on_ranks(
      2, reheat::gather_order::in_stream,
      [](reheat::ranks& ranks)
      {
        const thrust::device_vector<u32> items(30000, 1);
        thrust::device_vector<u32> out(items.size());
        const auto nosync = reheat::par_nosync.across(ranks);
        const auto all = [&](const char* what, std::uint64_t launches, std::uint64_t waits, auto call)
        {
          call();
          const auto before = reheat::emulator::calls_so_far();
          call();
          const auto after = reheat::emulator::calls_so_far();
          if (after.launches - before.launches != launches || after.waits - before.waits != waits ||
              after.allocations != before.allocations || after.fills != before.fills)
          {
            throw std::runtime_error(std::string(what) + " took " + std::to_string(after.launches - before.launches) +
                                     " launches and " + std::to_string(after.waits - before.waits) + " waits");
          }
        };
        all("reduce_into", 2, 0, [&] { reheat::reduce_into(nosync, raw(items), raw(items) + items.size(), raw(out)); });
        all("reduce", 2, 0, [&] { (void)thrust::reduce(nosync, raw(items), raw(items) + items.size()); });
        all("inclusive_scan", 3, 0,
            [&] { thrust::inclusive_scan(nosync, raw(items), raw(items) + items.size(), raw(out)); });
        all("inclusive_scan that waits", 3, 1,
            [&] { thrust::inclusive_scan(reheat::par.across(ranks), raw(items), raw(items) + items.size(), raw(out)); });
      });
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

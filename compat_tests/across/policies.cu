// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Policies across ranks: streams, allocators and options in any order, what a call costs, and what runs on each part.

#include "../support/compare.hpp"
#include "../support/ranks.hpp"
#include "../support/reference.hpp"

#include <thrust/copy.h>
#include <thrust/fill.h>
#include <thrust/for_each.h>
#include <thrust/generate.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/transform.h>

#include <cstdint>

using namespace compat;

BOOST_AUTO_TEST_SUITE(across)
BOOST_AUTO_TEST_SUITE(policies)

namespace
{

using u32 = std::uint32_t;

void require_sum(u32 sum, u32 expected)
{
  if (sum != expected)
  {
    throw std::runtime_error("the sum is " + std::to_string(sum));
  }
}

struct counting_resource : thrust::mr::memory_resource<>
{
  void* do_allocate(std::size_t bytes, std::size_t) override
  {
    ++allocations;
#if defined(REHEAT_EMULATED)
    return std::malloc(bytes);
#else
    void* memory = nullptr;
    require(cudaMalloc(&memory, bytes), "allocate");
    return memory;
#endif
  }
  void do_deallocate(void* memory, std::size_t, std::size_t) override
  {
#if defined(REHEAT_EMULATED)
    std::free(memory);
#else
    (void)cudaFree(memory);
#endif
  }
  unsigned allocations = 0;
};

struct add_one
{
  REHEAT_HOST_DEVICE u32 operator()(u32 x) const { return x + 1; }
};
struct increase
{
  REHEAT_HOST_DEVICE void operator()(u32& x) const { x += 1; }
};
struct nine
{
  REHEAT_HOST_DEVICE u32 operator()() const { return 9; }
};
struct is_nine
{
  REHEAT_HOST_DEVICE bool operator()(u32 x) const { return x == 9; }
};

} // namespace

BOOST_AUTO_TEST_CASE(streams_allocators_and_options_in_any_order)
{
  check_on_ranks(2, reheat::gather_order::in_stream,
                 [](reheat::ranks& ranks)
                 {
                   const auto items = to_device(make_items<words<16>>(emulated ? 3000 : 30000));
                   const auto ones = to_device(std::vector<u32>(10, 1));
                   const auto init = values<words<16>>::make(1);
                   const auto expected =
                       thrust::reduce(reheat::par.across(ranks), raw(items), raw(items) + items.size(), init, fold{});
                   const auto check = [&](const auto& policy)
                   {
                     require_sum(thrust::reduce(policy, raw(ones), raw(ones) + 10), 20);
                     const auto found = thrust::reduce(policy, raw(items), raw(items) + items.size(), init, fold{});
                     if (!values<words<16>>::same(expected, found))
                     {
                       throw std::runtime_error("the fold is wrong");
                     }
                   };
                   stream own;
                   counting_resource memory;
                   check(reheat::par.across(ranks).on(own.get()));
                   check(reheat::par.on(own.get()).across(ranks));
                   check(reheat::par_nosync.across(ranks).with(reheat::start_serially).on(own.get()));
                   check(reheat::par.with(reheat::start_early).across(ranks));
                   check(reheat::par_nosync.on(own.get()).with(reheat::start_serially).across(ranks));
                   if (memory.allocations != 0)
                   {
                     throw std::runtime_error("an allocator was used that no policy has");
                   }
                   unsigned before = 0;
                   const auto check_memory = [&](const auto& policy)
                   {
                     check(policy);
                     if (memory.allocations == before)
                     {
                       throw std::runtime_error("the allocator of a policy was not used");
                     }
                     before = memory.allocations;
                   };
                   check_memory(reheat::par(&memory).across(ranks));
                   check_memory(reheat::par(&memory).on(own.get()).across(ranks));
                   check_memory(reheat::par.across(ranks)(&memory).on(own.get()));
                   check_memory(reheat::par(&memory).across(ranks).on(own.get()).with(reheat::start_serially));
                   own.synchronise();
                 });
}

BOOST_AUTO_TEST_CASE(algorithms_that_do_the_same_to_every_item_run_on_each_part)
{
  check_on_ranks(
      3, reheat::gather_order::in_stream,
      [](reheat::ranks& ranks)
      {
        const u32 own = static_cast<u32>(ranks.rank());
        if (own == 1)
        {
          return; // nobody waits for a rank that makes no such call
        }
        const auto policy = reheat::par.across(ranks);
        thrust::device_vector<u32> in(5), out(5);
        u32* const first = raw(in);
        thrust::fill(policy, first, first + 5, own);
        thrust::transform(policy, first, first + 5, raw(out), add_one{});
        thrust::for_each(policy, first, first + 5, increase{});
        thrust::fill_n(policy, first, 1, 100u);
        thrust::copy(policy, first, first + 2, raw(out));
        thrust::generate(policy, first + 3, first + 4, nine{});
        thrust::generate_n(policy, first + 1, 1, nine{});
        thrust::for_each_n(policy, first, 1, increase{});
        thrust::copy_n(policy, first + 3, 1, raw(out) + 4);
        thrust::transform_if(policy, first, first + 3, raw(out), add_one{}, is_nine{});
        wait_for_all_streams();
        const std::vector<u32> expected_in{101, 9, own + 1, 9, own + 1}, expected_out{100, 10, own + 1, own + 1, 9};
        if (to_host(in) != expected_in || to_host(out) != expected_out)
        {
          throw std::runtime_error("an item is wrong");
        }
      });
}

BOOST_AUTO_TEST_CASE(calls_are_counted_once_on_each_rank)
{
  const auto before = reheat::statistics();
  check_on_ranks(3, reheat::gather_order::in_stream,
                 [](reheat::ranks& ranks)
                 {
                   const thrust::device_vector<u32> items(3, 1);
                   require_sum(thrust::reduce(reheat::par.across(ranks), raw(items), raw(items) + 3), 9);
                 });
  const auto counted = reheat::statistics() - before;
  BOOST_TEST(counted.algorithms[static_cast<std::size_t>(reheat::library::algorithm::reduce)].accelerated == 3u);
  BOOST_TEST(counted.launches == 6u);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The ladder's reductions: every rung, with the types and operators that it serves, from one item to more than its grid.

#include "../support/host_calls.hpp"
#include "../support/memory.hpp"
#include "reduce.hpp"

#include <thrust/count.h>
#include <thrust/functional.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/scan.h>

#include <algorithm>

using namespace compat;
using namespace compat::ladder_rungs;

BOOST_AUTO_TEST_SUITE(ladder)
BOOST_AUTO_TEST_SUITE(reduce)

namespace
{

template <class T, class Op, class Rung>
void check_rung(const char* name, Rung rung, const std::vector<std::size_t>& sizes, unsigned seeds, Op op)
{
  for (const std::size_t size : sizes)
  {
    const std::vector<T> items = make_items<T>(size, 1);
    const T init = values<T>::make(0);
    const T expected = reduce_reference<T>(items, init, op);
    placed<T> in(items, size % 2 == 0 ? placement::aligned : placement::misaligned);
    for_each_seed(
        seeds,
        [&] { check_result(name, size, expected, thrust::reduce(reheat::par.with(rung), in.begin(), in.end(), init, op)); });
  }
}

struct is_odd
{
  REHEAT_HOST_DEVICE bool operator()(u32 x) const { return x % 2 == 1; }
};
struct twice
{
  REHEAT_HOST_DEVICE u32 operator()(u32 x) const { return 2 * x; }
};

} // namespace

BOOST_AUTO_TEST_CASE(every_rung_sums_unsigned_integers)
{
  for_each_commutative_rung([](const char* name, auto rung)
                            { check_rung<u32>(name, rung, rung_sizes(), 6, thrust::plus<u32>()); });
}

BOOST_AUTO_TEST_CASE(every_rung_without_atomics_finds_the_maximum)
{
  for_each_commutative_rung(
      [](const char* name, auto rung)
      {
        if constexpr (!is_atomic_v<decltype(rung)>)
        {
          check_rung<i32>(name, rung, few_rung_sizes(), 2, thrust::maximum<i32>());
        }
      });
}

BOOST_AUTO_TEST_CASE(rungs_that_need_only_associativity_keep_the_order)
{
  for_each_ordered_rung([](const char* name, auto rung) { check_rung<affine<u32>>(name, rung, rung_sizes(), 6, fold{}); });
}

BOOST_AUTO_TEST_CASE(they_take_structs_and_objects)
{
  for_each_ordered_rung(
      [](const char* name, auto rung)
      {
        check_rung<words<3>>(name, rung, few_rung_sizes(), 2, fold{});
        check_rung<tracked<false>>(name, rung, few_rung_sizes(), 2, fold{});
      });
}

BOOST_AUTO_TEST_CASE(any_iterator_and_any_types_that_convert)
{
  for_each_commutative_rung(
      [](const char* name, auto rung)
      {
        for (const std::size_t size : few_rung_sizes())
        {
          const std::vector<u32> items = make_items<u32>(size);
          const thrust::device_vector<u32> in = to_device(items);
          u32 expected = 7;
          for (const u32 item : items)
          {
            expected += 2 * item;
          }
          const auto first = thrust::make_transform_iterator(in.begin(), twice{});
          check_result(name, size, expected,
                       thrust::reduce(reheat::par.with(rung), first, first + static_cast<std::ptrdiff_t>(size), 7u));
        }
      });
}

BOOST_AUTO_TEST_CASE(sums_of_floats_are_near_the_exact_one_and_the_same_in_every_run)
{
  for_each_commutative_rung([](const char* name, auto rung)
                            { check_real_sums<!is_atomic_v<decltype(rung)>, float, float>(name, rung, 3); });
}

BOOST_AUTO_TEST_CASE(other_algorithms_of_the_family_run_their_own_kernels_whatever_the_rung)
{
  const std::size_t size = 3000;
  const std::vector<u32> items = make_items<u32>(size);
  const thrust::device_vector<u32> in = to_device(items);
  thrust::device_vector<u32> out(size);
  const std::ptrdiff_t odd = std::count_if(items.begin(), items.end(), is_odd{});
  const auto rung = reheat::ladder::reduce6_grid_stride;
  BOOST_TEST(thrust::count_if(reheat::par.with(rung), in.begin(), in.end(), is_odd{}) == odd);
  thrust::inclusive_scan_by_key(reheat::par.with(rung), in.begin(), in.end(), in.begin(), out.begin(), thrust::less<u32>());
  std::vector<u32> expected = items;
  for (std::size_t i = 1; i < size; ++i)
  {
    expected[i] += items[i - 1] < items[i] ? expected[i - 1] : 0u;
  }
  check_same("inclusive_scan_by_key", expected, to_host(out));
}

BOOST_AUTO_TEST_CASE(a_rung_combines_with_other_options_in_any_order)
{
  const auto rung = reheat::ladder::reduce6_grid_stride;
  using both = decltype(reheat::par.with(rung, reheat::start_early));
  static_assert(std::is_same_v<both, decltype(reheat::par.with(reheat::start_early, rung))>);
  static_assert(std::is_same_v<both, decltype(reheat::par.with(reheat::start_early).with(rung))>);
  static_assert(
      std::is_same_v<
          both, decltype(reheat::par.with(reheat::ladder::reduce_halving_global).with(reheat::start_early).with(rung))>);
  const std::vector<u32> items = make_items<u32>(3000);
  const thrust::device_vector<u32> in = to_device(items);
  stream own;
  check_result("with a rung and an early start", items.size(), reduce_reference<u32>(items, 0u, thrust::plus<u32>()),
               thrust::reduce(reheat::par.on(own.get()).with(reheat::start_early, rung), in.begin(), in.end()));
}

BOOST_AUTO_TEST_CASE(rungs_without_a_host_part_leave_the_result_on_the_device)
{
  const std::vector<u32> items = make_items<u32>(1000);
  const thrust::device_vector<u32> in = to_device(items);
  for_each_commutative_rung(
      [&](const char* name, auto rung)
      {
        using type = decltype(rung);
        if constexpr (!type::finishes_on_host)
        {
          thrust::device_vector<u32> result(1);
          stream on;
          type::template enqueue_reduce<u32>(environment_on(on.get(), name), raw(in), items.size(), 9u, thrust::plus<u32>(),
                                             raw(result));
          on.synchronise();
          const u32 expected = reduce_reference<u32>(items, 9u, plus{});
          check_result(name, items.size(), expected, to_host(result)[0]);
          result[0] = 77;
          const auto with_rung = reheat::par_nosync.on(on.get()).with(rung);
          reheat::reduce_into(with_rung, in.begin(), in.end(), result.begin(), 9u, thrust::plus<u32>());
          on.synchronise();
          check_result(name, items.size(), expected, to_host(result)[0]);
          reheat::reduce_into(with_rung, in.begin(), in.begin(), result.begin(), 8u, thrust::plus<u32>());
          on.synchronise();
          check_result(name, 0, 8u, to_host(result)[0]);
        }
      });
}

BOOST_AUTO_TEST_CASE(an_allocator_that_throws_costs_no_place_for_the_sums)
{
  const std::vector<u32> items = make_items<u32>(1000);
  const thrust::device_vector<u32> in = to_device(items);
  ledger book;
  ledger_allocator<char> allocator(book);
  const auto sum = [&]
  { return thrust::reduce(reheat::par(allocator).with(reheat::ladder::reduce_halving_global), in.begin(), in.end()); };
  const u32 expected = reduce_reference<u32>(items, 0u, plus{});
  check_result("before failures", items.size(), expected, sum());
  book.fails = true;
  const host_calls failing = calls_of(
      [&]
      {
        for (int round = 0; round < 70; ++round) // more than there are places in a page
        {
          BOOST_CHECK_THROW((void)sum(), std::bad_alloc);
        }
      });
  BOOST_TEST(failing.allocations == 0u, "new places for sums: " << failing);
  book.fails = false;
  check_result("after failures", items.size(), expected, sum());
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Reductions across ranks: the result of one call on all parts, the same on every rank.

#include "../support/compare.hpp"
#include "../support/ranks.hpp"
#include "../support/reference.hpp"

#include <thrust/count.h>
#include <thrust/inner_product.h>
#include <thrust/logical.h>
#include <thrust/reduce.h>
#include <thrust/transform_reduce.h>

#include <algorithm>
#include <cstdint>

using namespace compat;

BOOST_AUTO_TEST_SUITE(across)
BOOST_AUTO_TEST_SUITE(reductions)

namespace
{

using u32 = std::uint32_t;

//! The result of `call(policy, first, last)` on each rank, of a policy that waits.
template <class Result, class T, class Call>
std::vector<Result> on_parts(const thrust::device_vector<T>& items, const cut& parts, reheat::gather_order order, Call call)
{
  std::vector<Result> results(parts.parts.size());
  on_ranks(parts.ranks(), order,
           [&](reheat::ranks& ranks)
           {
             results[static_cast<std::size_t>(ranks.rank())] = call(
                 reheat::par.across(ranks), raw(items) + parts.begin(ranks.rank()), raw(items) + parts.end(ranks.rank()));
           });
  return results;
}

template <class T>
void check_reduce(T init)
{
  for_each_cut(
      [&](const cut& parts, reheat::gather_order order)
      {
        const std::vector<T> items = make_items<T>(parts.items());
        const T expected = reduce_reference<T>(items, init, fold{});
        const auto memory = to_device(items);
        const auto results = on_parts<T>(memory, parts, order,
                                         [&](const auto& policy, const T* first, const T* last)
                                         { return thrust::reduce(policy, first, last, init, fold{}); });
        check_same("reduce", std::vector<T>(results.size(), expected), results);
      });
}

struct square
{
  REHEAT_HOST_DEVICE u32 operator()(u32 x) const { return x * x; }
};
struct is_multiple
{
  u32 of;
  REHEAT_HOST_DEVICE bool operator()(u32 x) const { return x % of == 0; }
};
struct below
{
  u32 bound;
  REHEAT_HOST_DEVICE bool operator()(u32 x) const { return x < bound; }
};

} // namespace

BOOST_AUTO_TEST_CASE(every_item_takes_part_once_and_in_order_behind_the_initial_value)
{
  check_reduce(interval{-3, 0}); // it has no identity: an item folded twice or out of order is an error
}
BOOST_AUTO_TEST_CASE(commutative_operators)
{
  for_each_cut(
      [](const cut& parts, reheat::gather_order order)
      {
        const std::vector<u32> items = make_items<u32>(parts.items(), 5);
        const u32 sum = std::accumulate(items.begin(), items.end(), 0u);
        const auto memory = to_device(items);
        const auto without = on_parts<u32>(memory, parts, order,
                                           [](const auto& policy, const u32* first, const u32* last)
                                           { return thrust::reduce(policy, first, last); });
        check_same("reduce", std::vector<u32>(without.size(), sum), without);
        const auto with = on_parts<u32>(memory, parts, order,
                                        [](const auto& policy, const u32* first, const u32* last)
                                        { return thrust::reduce(policy, first, last, 1000u); });
        check_same("reduce from 1000", std::vector<u32>(with.size(), sum + 1000), with);
      });
}
BOOST_AUTO_TEST_CASE(values_that_records_have_no_room_for)
{
  check_reduce(values<words<16>>::make(99));
}
BOOST_AUTO_TEST_CASE(values_that_fill_a_record)
{
  check_reduce(values<words<10>>::make(99));
}
BOOST_AUTO_TEST_CASE(values_aligned_to_more_than_a_head)
{
  check_reduce(values<quad>::make(99));
}

BOOST_AUTO_TEST_CASE(the_initial_value_of_rank_0_counts)
{
  check_on_ranks(3, reheat::gather_order::in_stream,
                 [](reheat::ranks& ranks)
                 {
                   const u32 own = static_cast<u32>(ranks.rank());
                   const auto item = to_device(std::vector<u32>{1});
                   const u32 sum = thrust::reduce(reheat::par.across(ranks), raw(item), raw(item) + 1, 10 + own);
                   if (sum != 13)
                   {
                     throw std::runtime_error("rank " + std::to_string(own) + " has " + std::to_string(sum));
                   }
                 });
}

// On one GPU a reduction of nothing returns it as it is.
BOOST_AUTO_TEST_CASE(without_items_the_initial_value_becomes_what_the_call_folds_in)
{
  const int init = (1 << 24) + 1; // no float
  const thrust::device_vector<float> none;
  for (const cut& parts : {cut{{0}}, cut{{0, 0, 0}}})
  {
    const auto results = on_parts<int>(none, parts, reheat::gather_order::in_stream,
                                       [&](const auto& policy, const float* first, const float* last)
                                       { return thrust::reduce(policy, first, last, init, ::cuda::std::plus<>{}); });
    check_same("reduce", std::vector<int>(parts.parts.size(), 1 << 24), results);
  }
  BOOST_TEST(thrust::reduce(reheat::par, raw(none), raw(none), init, ::cuda::std::plus<>{}) == init);
}
BOOST_AUTO_TEST_CASE(reduce_into_leaves_the_result_on_every_rank)
{
  for_each_cut(
      [](const cut& parts, reheat::gather_order order)
      {
        const std::vector<interval> items = make_items<interval>(parts.items());
        const auto memory = to_device(items);
        thrust::device_vector<interval> results(parts.parts.size());
        interval* const out = raw(results);
        on_ranks(parts.ranks(), order,
                 [&](reheat::ranks& ranks)
                 {
                   reheat::reduce_into(reheat::par_nosync.across(ranks), raw(memory) + parts.begin(ranks.rank()),
                                       raw(memory) + parts.end(ranks.rank()), out + ranks.rank(), interval{-3, 0}, fold{});
                 });
        const interval expected{-3, static_cast<std::int64_t>(items.size())};
        check_same("reduce_into", std::vector<interval>(results.size(), expected), to_host(results));
      });
}

BOOST_AUTO_TEST_CASE(terms_products_counts_and_truths)
{
  for_each_cut(
      [](const cut& parts, reheat::gather_order order)
      {
        const std::vector<u32> items = make_items<u32>(parts.items());
        const auto memory = to_device(items);
        const is_multiple hit{3};
        const auto hits = std::count_if(items.begin(), items.end(), hit);
        const u32 squares = std::inner_product(items.begin(), items.end(), items.begin(), 7u);
        const u32 least = items.empty() ? 0 : *std::min_element(items.begin(), items.end());
        const auto results = on_parts<std::vector<std::int64_t>>(
            memory, parts, order,
            [&](const auto& policy, const u32* first, const u32* last)
            {
              return std::vector<std::int64_t>{
                  thrust::transform_reduce(policy, first, last, square{}, 7u, thrust::plus<u32>{}),
                  thrust::inner_product(policy, first, last, first, 7u),
                  thrust::inner_product(policy, first, last, first, 7u, thrust::plus<u32>{}, thrust::multiplies<u32>{}),
                  thrust::count_if(policy, first, last, hit),
                  thrust::count(policy, first, last, least),
                  thrust::any_of(policy, first, last, hit),
                  thrust::none_of(policy, first, last, hit),
                  thrust::all_of(policy, first, last, below{0xffffffffu}),
                  thrust::all_of(policy, first, last, hit)};
            });
        const std::vector<std::int64_t> expected{squares,
                                                 squares,
                                                 squares,
                                                 hits,
                                                 std::count(items.begin(), items.end(), least),
                                                 hits != 0,
                                                 hits == 0,
                                                 std::all_of(items.begin(), items.end(), below{0xffffffffu}),
                                                 std::all_of(items.begin(), items.end(), hit)};
        for (const auto& result : results)
        {
          check_same("transform_reduce, inner_product, count_if, count, any_of, none_of, all_of", expected, result);
        }
      });
}

BOOST_AUTO_TEST_CASE(sums_that_round_have_the_same_bits_on_every_rank_and_in_every_run)
{
  std::vector<float> items(2111);
  for (std::size_t i = 0; i < items.size(); ++i)
  {
    items[i] = static_cast<float>(static_cast<double>(mix(i) >> 11) * 0x1p-53 - 0.3);
  }
  const auto memory = to_device(items);
  const cut parts{{700, 0, 411, 1000}};
  std::vector<float> first;
  for_each_seed(5,
                [&]
                {
                  const auto results = on_parts<float>(memory, parts, reheat::gather_order::in_stream,
                                                       [](const auto& policy, const float* first, const float* last)
                                                       { return thrust::reduce(policy, first, last, 0.1f); });
                  first = first.empty() ? std::vector<float>(results.size(), results[0]) : first;
                  check_bitwise("reduce of floats", first, results);
                });
  long double exact = 0.1f, magnitude = 0.1f;
  for (const float item : items)
  {
    exact += item;
    magnitude += std::abs(item);
  }
  BOOST_TEST(std::abs(static_cast<long double>(first[0]) - exact) <= sum_bound<float>(items.size(), magnitude));
}

namespace
{

template <class Real>
void check_exact_sums()
{
  std::vector<Real> items(3001);
  for (std::size_t i = 0; i < items.size(); ++i)
  {
    const double size = std::ldexp(static_cast<double>(mix(i) >> 11) * 0x1p-53 - 0.5, static_cast<int>(mix(i) % 60) - 20);
    items[i] = static_cast<Real>(size);
  }
  for (const cut& parts : {cut{{3001}}, cut{{1000, 2001}}, cut{{0, 1, 1500, 0, 1500}}, cut{{0, 0}}})
  {
    const std::vector<Real> own(items.begin(), items.begin() + static_cast<std::ptrdiff_t>(parts.items()));
    const auto memory = to_device(own);
    const auto exactly = reheat::par.with(reheat::exact_sums);
    const Real init = static_cast<Real>(0.1);
    const Real sum = thrust::reduce(exactly, raw(memory), raw(memory) + own.size(), init);
    const Real product = thrust::inner_product(exactly, raw(memory), raw(memory) + own.size(), raw(memory), init);
    for (const auto order : {reheat::gather_order::in_stream, reheat::gather_order::on_host})
    {
      const auto sums = on_parts<Real>(memory, parts, order,
                                       [&](const auto& policy, const Real* first, const Real* last)
                                       { return thrust::reduce(policy.with(reheat::exact_sums), first, last, init); });
      check_bitwise("exact sum", std::vector<Real>(sums.size(), sum), sums);
      const auto products =
          on_parts<Real>(memory, parts, order,
                         [&](const auto& policy, const Real* first, const Real* last)
                         { return thrust::inner_product(policy.with(reheat::exact_sums), first, last, first, init); });
      check_bitwise("exact inner product", std::vector<Real>(products.size(), product), products);
    }
  }
}

} // namespace

BOOST_AUTO_TEST_CASE(exact_sums_do_not_depend_on_the_cut)
{
  check_exact_sums<float>();
  check_exact_sums<double>();
}
BOOST_AUTO_TEST_CASE(exact_sums_of_special_numbers)
{
  const float infinity = std::numeric_limits<float>::infinity();
  const auto memory = to_device(std::vector<float>{1, infinity, -infinity, 2});
  const auto of = [&](const cut& parts)
  {
    return on_parts<float>(memory, parts, reheat::gather_order::in_stream,
                           [](const auto& policy, const float* first, const float* last)
                           { return thrust::reduce(policy.with(reheat::exact_sums), first, last, 0.0f); })
        .back();
  };
  BOOST_TEST(of(cut{{1, 1}}) == infinity);
  BOOST_TEST(std::isnan(of(cut{{2, 1, 1}})));
  BOOST_TEST(of(cut{{1, 0}}) == 1.0f);
}

BOOST_AUTO_TEST_CASE(sums_in_another_type)
{
  const std::vector<std::uint8_t> items(5000, 255);
  const auto memory = to_device(items);
  const auto results = on_parts<std::uint64_t>(
      memory, cut{{2000, 0, 3000}}, reheat::gather_order::in_stream,
      [](const auto& policy, const std::uint8_t* first, const std::uint8_t* last)
      { return thrust::reduce(policy.with(reheat::accumulate_in<std::uint64_t>), first, last, std::uint64_t{1}); });
  check_same("reduce", std::vector<std::uint64_t>(3, 5000 * 255 + 1), results);
}

BOOST_AUTO_TEST_CASE(prefixes_of_ranks)
{
  for (int count = 1; count <= 5; ++count)
  {
    for (const auto order : {reheat::gather_order::in_stream, reheat::gather_order::on_host})
    {
      const auto size = static_cast<std::size_t>(count);
      const auto ones = to_device(make_items<interval>(size));
      thrust::device_vector<interval> before(size), all(size);
      interval* const to[] = {raw(before), raw(all)};
      on_ranks(count, order,
               [&](reheat::ranks& ranks)
               {
                 const auto policy = reheat::par_nosync.across(ranks);
                 const interval* const one = raw(ones) + ranks.rank();
                 reheat::prefix_across(policy, one, to[0] + ranks.rank(), to[1] + ranks.rank(), interval{-2, 0}, fold{});
                 reheat::prefix_across(policy, one, nullptr, nullptr, interval{-2, 0}, fold{});
               });
      std::vector<interval> expected(size);
      for (std::size_t rank = 0; rank < size; ++rank)
      {
        expected[rank] = {-2, static_cast<std::int64_t>(rank)};
      }
      check_same("before", expected, to_host(before));
      check_same("all", std::vector<interval>(size, {-2, static_cast<std::int64_t>(size)}), to_host(all));
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

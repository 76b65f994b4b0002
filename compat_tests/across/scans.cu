// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Scans across ranks: each rank gets its part of one call's result on all parts.

#include "../support/calls.hpp"
#include "../support/ranks.hpp"
#include "../support/reference_fold.hpp"

#include <thrust/scan.h>
#include <thrust/transform_scan.h>

#include <cstdint>

using namespace compat;

BOOST_AUTO_TEST_SUITE(across)
BOOST_AUTO_TEST_SUITE(scans)

namespace
{

using u32 = std::uint32_t;

//! What `call(policy, first, last, out)` leaves behind, of all parts one behind the other. It returns the end of `out`.
template <class Out, class In, class Call>
std::vector<Out> scanned(const std::vector<In>& items, const cut& parts, reheat::gather_order order, Call call)
{
  const auto memory = to_device(items);
  thrust::device_vector<Out> results(items.size());
  Out* const out = raw(results);
  on_ranks(parts.ranks(), order,
           [&](reheat::ranks& ranks)
           {
             Out* const own = out + parts.begin(ranks.rank());
             Out* const end = call(reheat::par_nosync.across(ranks), raw(memory) + parts.begin(ranks.rank()),
                                   raw(memory) + parts.end(ranks.rank()), own);
             if (end != out + parts.end(ranks.rank()))
             {
               throw std::runtime_error("the end of the output is wrong");
             }
           });
  return to_host(results);
}

std::vector<float> rounding_items(std::size_t count)
{
  std::vector<float> items(count);
  for (std::size_t i = 0; i < count; ++i)
  {
    items[i] = static_cast<float>(static_cast<double>(mix(i) >> 11) * 0x1p-53 - 0.3);
  }
  return items;
}

template <class T>
void check_scans(const cut& parts, reheat::gather_order order, T init)
{
  const std::vector<T> items = make_items<T>(parts.items());
  check_same("inclusive_scan", inclusive_reference<T, T>(items, fold{}),
             scanned<T>(items, parts, order,
                        [](const auto& policy, const T* first, const T* last, T* out)
                        { return thrust::inclusive_scan(policy, first, last, out, fold{}); }));
  check_same("exclusive_scan", exclusive_reference<T, T>(items, init, fold{}),
             scanned<T>(items, parts, order,
                        [&](const auto& policy, const T* first, const T* last, T* out)
                        { return thrust::exclusive_scan(policy, first, last, out, init, fold{}); }));
}
template <class T>
void check_all_scans(T init)
{
  for_each_cut([&](const cut& parts, reheat::gather_order order) { check_scans(parts, order, init); });
}

struct to_interval
{
  REHEAT_HOST_DEVICE interval operator()(u32 x) const { return {x, static_cast<std::int64_t>(x) + 1}; }
};

} // namespace

BOOST_AUTO_TEST_CASE(every_item_takes_part_once_and_in_order_behind_the_initial_value)
{
  check_all_scans(interval{-3, 0});
}
BOOST_AUTO_TEST_CASE(numbers)
{
  check_all_scans(u32{1000});
}
BOOST_AUTO_TEST_CASE(values_that_records_have_no_room_for)
{
  check_all_scans(values<words<16>>::make(99));
}

BOOST_AUTO_TEST_CASE(inclusive_scans_from_an_initial_value_and_sums_without_an_operator)
{
  for_each_cut(
      [](const cut& parts, reheat::gather_order order)
      {
        const std::vector<interval> items = make_items<interval>(parts.items());
        const interval init{-3, 0};
        const auto expected = inclusive_reference<interval, interval>(items, init, fold{});
#if THRUST_VERSION >= 200800
        check_same("inclusive_scan from an initial value", expected,
                   scanned<interval>(items, parts, order,
                                     [&](const auto& policy, const interval* first, const interval* last, interval* out)
                                     { return thrust::inclusive_scan(policy, first, last, out, init, fold{}); }));
#endif
        const std::vector<u32> numbers = make_items<u32>(parts.items());
        check_same("inclusive_scan", inclusive_reference<u32, u32>(numbers, thrust::plus<u32>{}),
                   scanned<u32>(numbers, parts, order,
                                [](const auto& policy, const u32* first, const u32* last, u32* out)
                                { return thrust::inclusive_scan(policy, first, last, out); }));
        check_same("exclusive_scan", exclusive_reference<u32, u32>(numbers, 0u, thrust::plus<u32>{}),
                   scanned<u32>(numbers, parts, order,
                                [](const auto& policy, const u32* first, const u32* last, u32* out)
                                { return thrust::exclusive_scan(policy, first, last, out); }));
        check_same("exclusive_scan from 7", exclusive_reference<u32, u32>(numbers, 7u, thrust::plus<u32>{}),
                   scanned<u32>(numbers, parts, order,
                                [](const auto& policy, const u32* first, const u32* last, u32* out)
                                { return thrust::exclusive_scan(policy, first, last, out, 7u); }));
      });
}

BOOST_AUTO_TEST_CASE(scans_of_what_a_functor_makes)
{
  for_each_cut(
      [](const cut& parts, reheat::gather_order order)
      {
        std::vector<u32> items(parts.items());
        std::iota(items.begin(), items.end(), 0u);
        const std::vector<interval> terms = make_items<interval>(parts.items());
        const interval init{-3, 0};
        check_same("transform_inclusive_scan", inclusive_reference<interval, interval>(terms, fold{}),
                   scanned<interval>(items, parts, order,
                                     [](const auto& policy, const u32* first, const u32* last, interval* out) {
                                       return thrust::transform_inclusive_scan(policy, first, last, out, to_interval{},
                                                                               fold{});
                                     }));
        check_same("transform_exclusive_scan", exclusive_reference<interval, interval>(terms, init, fold{}),
                   scanned<interval>(items, parts, order,
                                     [&](const auto& policy, const u32* first, const u32* last, interval* out) {
                                       return thrust::transform_exclusive_scan(policy, first, last, out, to_interval{}, init,
                                                                               fold{});
                                     }));
      });
}

BOOST_AUTO_TEST_CASE(by_either_kernel_under_many_schedules)
{
  const cut parts{{700, 0, 1, 1100}};
  for_both_strategies<interval>(
      parts.items(),
      [&] {
        for_each_seed(10, [&] { check_scans(parts, reheat::gather_order::in_stream, interval{-3, 0}); });
      });
  for_both_strategies<u32>(parts.items(),
                           [&] { for_each_seed(5, [&] { check_scans(parts, reheat::gather_order::in_stream, u32{9}); }); });
}

BOOST_AUTO_TEST_CASE(in_place)
{
  const cut parts{{40, 700, 0, 3000}};
  const std::vector<interval> items = make_items<interval>(parts.items());
  auto memory = to_device(items);
  interval* const all = raw(memory);
  on_ranks(parts.ranks(), reheat::gather_order::in_stream,
           [&](reheat::ranks& ranks)
           {
             interval* const first = all + parts.begin(ranks.rank());
             thrust::inclusive_scan(reheat::par.across(ranks), first, all + parts.end(ranks.rank()), first, fold{});
           });
  check_same("inclusive_scan in place", inclusive_reference<interval, interval>(items, fold{}), to_host(memory));
}

BOOST_AUTO_TEST_CASE(narrow_items_in_a_wider_type)
{
  for (const cut& parts : {cut{{100, 200, 0, 50}}, cut{{9000, 5, 9000}}})
  {
    const std::vector<std::uint8_t> items(parts.items(), 255);
    const auto results = scanned<std::uint64_t>(
        items, parts, reheat::gather_order::in_stream,
        [](const auto& policy, const std::uint8_t* first, const std::uint8_t* last, std::uint64_t* out)
        { return thrust::inclusive_scan(policy.with(reheat::accumulate_in<std::uint64_t>), first, last, out); });
    check_same("inclusive_scan", inclusive_reference<std::uint64_t, std::uint64_t>(items, thrust::plus<std::uint64_t>{}),
               results);
  }
}

BOOST_AUTO_TEST_CASE(with_gpu_to_gpu_a_part_is_scanned_in_scan_association_v1)
{
  // The second part begins where memory is not aligned: tiles that follow the alignment would have other bits.
  const cut parts{{1, 2903}};
  const std::vector<float> items = rounding_items(parts.items()), second(items.begin() + 1, items.end());
  std::vector<float> expected =
      scan_in_association_v1<float>(second, kernel_arch(), items.front(), true, std::plus<float>());
  expected.insert(expected.begin(), items.front());
  check_bitwise("inclusive_scan of two parts", expected,
                scanned<float>(items, parts, reheat::gather_order::in_stream,
                               [](const auto& policy, const float* from, const float* to, float* out)
                               { return thrust::inclusive_scan(policy.with(reheat::gpu_to_gpu), from, to, out); }));
}

BOOST_AUTO_TEST_CASE(scans_that_round_have_the_same_bits_in_every_run)
{
  const cut parts{{900, 901, 902}};
  const std::vector<float> items = rounding_items(parts.items());
  std::vector<float> first;
  for_each_seed(5,
                [&]
                {
                  const auto results = scanned<float>(items, parts, reheat::gather_order::in_stream,
                                                      [](const auto& policy, const float* from, const float* to, float* out)
                                                      { return thrust::inclusive_scan(policy, from, to, out); });
                  first = first.empty() ? results : first;
                  check_bitwise("inclusive_scan of floats", first, results);
                });
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

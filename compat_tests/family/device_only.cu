// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Lambdas of the device, which need a flag of their own (see gpu/CMakeLists.txt), in every call of the family. They name
//! the type that they return where Thrust, too, asks for it on the host.

#include "../support/calls.hpp"
#include "../support/segments.hpp"

#include <thrust/count.h>
#include <thrust/extrema.h>
#include <thrust/inner_product.h>
#include <thrust/logical.h>
#include <thrust/transform_reduce.h>
#include <thrust/transform_scan.h>

#include <cuda/functional>

#include <algorithm>
#include <numeric>

using namespace compat;

BOOST_AUTO_TEST_SUITE(family)
BOOST_AUTO_TEST_SUITE(device_only)

namespace
{

using u64 = std::uint64_t;

} // namespace

BOOST_AUTO_TEST_CASE(reductions_counts_and_questions_take_lambdas_of_the_device)
{
  const auto sum = [] __device__(int x, int y) -> int { return x + y; };
  const auto difference = [] __device__(int x, int y) { return x - y; };
  const auto distance = [] __device__(int x) -> int { return x < 0 ? -x : x; };
  const auto wide_square =
      cuda::proclaim_return_type<u64>([] __device__(int x) { return static_cast<u64>(static_cast<long long>(x) * x); });
  const auto wide_sum = cuda::proclaim_return_type<u64>([] __device__(u64 x, u64 y) { return x + y; });
  const auto is_positive = [] __device__(int x) { return x > 0; };
  const auto less = [] __device__(int x, int y) { return x / 100 < y / 100; };
  const auto host_is_positive = [](int x) { return x > 0; };
  const auto host_less = [](int x, int y) { return x / 100 < y / 100; };
  for (const std::size_t size : few_sizes_and_many(scan_by_key_tile<int, int>()))
  {
    const std::vector<int> items = make_items<int>(size), others = make_items<int>(size, size);
    int differences = 5, distances = 5;
    u64 squares = 5;
    for (std::size_t i = 0; i < size; ++i)
    {
      differences += items[i] - others[i];
      distances += items[i] < 0 ? -items[i] : items[i];
      squares += static_cast<u64>(static_cast<long long>(items[i]) * items[i]);
    }
    const thrust::device_vector<int> in = to_device(items), other = to_device(others);
    const auto first = in.begin(), last = in.end();
    const auto smallest = std::min_element(items.begin(), items.end(), host_less) - items.begin();
    const auto largest = std::max_element(items.begin(), items.end(), host_less) - items.begin();
    check_result("reduce", size, std::accumulate(items.begin(), items.end(), 5),
                 thrust::reduce(reheat::par, first, last, 5, sum));
    thrust::device_vector<int> out(1);
    reheat::reduce_into(reheat::par, first, last, out.begin(), 5, sum);
    check_result("reduce_into", size, std::accumulate(items.begin(), items.end(), 5), to_host(out)[0]);
    check_result("transform_reduce", size, distances, thrust::transform_reduce(reheat::par, first, last, distance, 5, sum));
    check_result("transform_reduce to a wider type", size, squares,
                 thrust::transform_reduce(reheat::par, first, last, wide_square, u64{5}, wide_sum));
    check_result("inner_product", size, differences,
                 thrust::inner_product(reheat::par, first, last, other.begin(), 5, sum, difference));
    check_place("count_if", size, std::count_if(items.begin(), items.end(), host_is_positive),
                thrust::count_if(reheat::par, first, last, is_positive));
    check_place("all_of", size, std::all_of(items.begin(), items.end(), host_is_positive),
                thrust::all_of(reheat::par, first, last, is_positive));
    check_place("any_of", size, std::any_of(items.begin(), items.end(), host_is_positive),
                thrust::any_of(reheat::par, first, last, is_positive));
    check_place("none_of", size, std::none_of(items.begin(), items.end(), host_is_positive),
                thrust::none_of(reheat::par, first, last, is_positive));
    const auto both = thrust::minmax_element(reheat::par, first, last, less);
    check_place("min_element", size, smallest, thrust::min_element(reheat::par, first, last, less) - first);
    check_place("max_element", size, largest, thrust::max_element(reheat::par, first, last, less) - first);
    check_place("minmax_element, smallest", size, smallest, both.first - first);
    check_place("minmax_element, largest", size, largest, both.second - first);
  }
}

BOOST_AUTO_TEST_CASE(scans_and_algorithms_by_key_take_lambdas_of_the_device)
{
  const auto sum = [] __device__(int x, int y) { return x + y; };
  const auto typed_sum = [] __device__(int x, int y) -> int { return x + y; };
  const auto negative = [] __device__(int x) { return -x; };
  const auto typed_negative = [] __device__(int x) -> int { return -x; };
  const auto same = [] __device__(int x, int y) { return x == y; };
  for (const std::size_t size : few_sizes_and_many(scan_by_key_tile<int, int>()))
  {
    const std::vector<int> items = make_items<int>(size);
    const std::vector<int> keys = make_keys<int>(size, segments::of_hundreds, scan_by_key_tile<int, int>());
    std::vector<int> negatives(size);
    std::transform(items.begin(), items.end(), negatives.begin(), [](int x) { return -x; });
    const auto reduced = reduce_by_key_reference<int, int>(keys, items, equal{}, plus{});
    const thrust::device_vector<int> in = to_device(items), k = to_device(keys);
    const auto count = static_cast<std::ptrdiff_t>(reduced.first.size());
    const int untouched = -0x5ca1ab1e;
    std::vector<int> expected_keys = reduced.first, expected_sums = reduced.second;
    expected_keys.resize(size + 3, untouched); // nothing is written behind the ends
    expected_sums.resize(size + 3, untouched);
    thrust::device_vector<int> out(size), keys_out(size + 3, untouched), sums(size + 3, untouched);
    const auto first = in.begin(), last = in.end();
    const auto check = [&](const char* what, const std::vector<int>& expected)
    {
      check_same(what, expected, to_host(out));
      thrust::fill(out.begin(), out.end(), 0);
    };
    thrust::inclusive_scan(reheat::par, first, last, out.begin(), sum);
    check("inclusive_scan", inclusive_reference<int, int>(items, plus{}));
    thrust::inclusive_scan(reheat::par, first, last, out.begin(), 5, typed_sum);
    check("inclusive_scan from an initial value", inclusive_reference<int, int>(items, 5, plus{}));
    thrust::exclusive_scan(reheat::par, first, last, out.begin(), 5, sum);
    check("exclusive_scan", exclusive_reference<int, int>(items, 5, plus{}));
    thrust::transform_inclusive_scan(reheat::par, first, last, out.begin(), typed_negative, sum);
    check("transform_inclusive_scan", inclusive_reference<int, int>(negatives, plus{}));
    thrust::transform_inclusive_scan(reheat::par, first, last, out.begin(), typed_negative, 5, typed_sum);
    check("transform_inclusive_scan from an initial value", inclusive_reference<int, int>(negatives, 5, plus{}));
    thrust::transform_exclusive_scan(reheat::par, first, last, out.begin(), negative, 5, sum);
    check("transform_exclusive_scan", exclusive_reference<int, int>(negatives, 5, plus{}));
    thrust::inclusive_scan_by_key(reheat::par, k.begin(), k.end(), first, out.begin(), same, sum);
    check("inclusive_scan_by_key", inclusive_by_key_reference<int, int>(keys, items, equal{}, plus{}));
    thrust::exclusive_scan_by_key(reheat::par, k.begin(), k.end(), first, out.begin(), 5, same, sum);
    check("exclusive_scan_by_key", exclusive_by_key_reference<int>(keys, items, 5, equal{}, plus{}));
    const auto ends =
        thrust::reduce_by_key(reheat::par, k.begin(), k.end(), first, keys_out.begin(), sums.begin(), same, sum);
    check_place("reduce_by_key, keys", size, count, ends.first - keys_out.begin());
    check_place("reduce_by_key, values", size, count, ends.second - sums.begin());
    check_same("keys of reduce_by_key", expected_keys, to_host(keys_out));
    check_same("values of reduce_by_key", expected_sums, to_host(sums));
  }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

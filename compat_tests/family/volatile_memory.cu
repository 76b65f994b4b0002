// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Pointers to volatile memory, as inputs and as outputs: they compile and give what upstream gives.
//! These are the calls that upstream compiles: its sequential code, which is compiled along, has no others.

#include "../support/calls.hpp"
#include "../support/compare.hpp"
#include "../support/reference.hpp"
#include "../support/segments.hpp"

#include <thrust/inner_product.h>
#include <thrust/logical.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>

#include <cstddef>
#include <cstdint>
#include <vector>

using namespace compat;

BOOST_AUTO_TEST_SUITE(family)
BOOST_AUTO_TEST_SUITE(volatile_memory)

namespace
{

using u32 = std::uint32_t;

//! By value: no standard functor takes what refers to volatile memory, as sequential algorithms pass it on.
struct add
{
  REHEAT_HOST_DEVICE u32 operator()(u32 x, u32 y) const { return x + y; }
};
struct same
{
  REHEAT_HOST_DEVICE bool operator()(u32 x, u32 y) const { return x == y; }
};
struct is_7
{
  REHEAT_HOST_DEVICE bool operator()(u32 x) const { return x == 7; }
};

//! One item, part of a tile and several tiles, by which small and streaming scans are met.
constexpr std::size_t sizes[] = {1, 100, 3001, 100003};

//! `call(policy, in, out)` writes to `count` places: upstream's policy and ours give the same.
template <class Call>
void check_output(const char* what, const std::vector<u32>& items, std::size_t count, Call call)
{
  thrust::device_vector<u32> in = to_device(items), expected(count), actual(count);
  call(upstream, raw(in), raw(expected));
  for_each_seed(3,
                [&]
                {
                  thrust::fill(actual.begin(), actual.end(), 0u);
                  const volatile u32* const from = raw(in);
                  volatile u32* const to = raw(actual);
                  call(reheat::par, from, to);
                  check_same(what, to_host(expected), to_host(actual));
                });
}

//! `call(policy, in)` returns the same for both policies.
template <class Call>
void check_returned(const char* what, const std::vector<u32>& items, Call call)
{
  const thrust::device_vector<u32> in = to_device(items);
  const auto expected = call(upstream, raw(in));
  for_each_seed(3,
                [&]
                {
                  const volatile u32* const from = raw(in);
                  check_result(what, items.size(), expected, call(reheat::par, from));
                });
}

} // namespace

BOOST_AUTO_TEST_CASE(scans_read_and_write_it)
{
  for (const std::size_t size : sizes)
  {
    const std::vector<u32> items = make_items<u32>(size);
    check_output("inclusive_scan", items, size,
                 [&](const auto& policy, auto in, auto out) { thrust::inclusive_scan(policy, in, in + size, out, add()); });
    check_output("exclusive_scan", items, size,
                 [&](const auto& policy, auto in, auto out)
                 { thrust::exclusive_scan(policy, in, in + size, out, u32{7}, add()); });
  }
}

BOOST_AUTO_TEST_CASE(a_scan_overwrites_it_in_place)
{
  for (const std::size_t size : sizes)
  {
    const std::vector<u32> items = make_items<u32>(size);
    thrust::device_vector<u32> in_place = to_device(items);
    volatile u32* const first = raw(in_place);
    thrust::inclusive_scan(reheat::par, first, first + size, first, add());
    check_same("inclusive_scan", inclusive_reference<u32, u32>(items, plus{}), to_host(in_place));
  }
}

BOOST_AUTO_TEST_CASE(keys_and_values_are_read_from_it_and_written_to_it)
{
  for (const std::size_t size : sizes)
  {
    const std::vector<u32> items = make_keys(size, segments::of_few, 100); // keys, and values, too
    check_output("inclusive_scan_by_key", items, size,
                 [&](const auto& policy, auto in, auto out)
                 { thrust::inclusive_scan_by_key(policy, in, in + size, in, out, same(), add()); });
    check_output("exclusive_scan_by_key", items, size,
                 [&](const auto& policy, auto in, auto out)
                 { thrust::exclusive_scan_by_key(policy, in, in + size, in, out, u32{7}, same(), add()); });
    check_output("reduce_by_key", items, 2 * size,
                 [&](const auto& policy, auto in, auto out)
                 {
                   const auto ends = thrust::reduce_by_key(policy, in, in + size, in, out, out + size, same(), add());
                   BOOST_TEST((ends.first - out) == (ends.second - (out + size)));
                 });
  }
}

BOOST_AUTO_TEST_CASE(reductions_read_it)
{
  for (const std::size_t size : sizes)
  {
    const std::vector<u32> items = make_items<u32>(size);
    check_returned("reduce", items,
                   [&](const auto& policy, auto in) { return thrust::reduce(policy, in, in + size, u32{7}, add()); });
    check_returned("inner_product", items,
                   [&](const auto& policy, auto in)
                   { return thrust::inner_product(policy, in, in + size, in, u32{7}, add(), add()); });
    check_returned("any_of", items,
                   [&](const auto& policy, auto in) { return thrust::any_of(policy, in, in + size, is_7()); });
  }
}

BOOST_AUTO_TEST_CASE(a_result_stays_in_it)
{
  const std::vector<u32> items = make_items<u32>(3001);
  const thrust::device_vector<u32> in = to_device(items);
  thrust::device_vector<u32> result(1);
  const volatile u32* const from = raw(in);
  volatile u32* const to = raw(result);
  reheat::reduce_into(reheat::par, from, from + items.size(), to, u32{7}, add());
  check_same("reduce_into", std::vector<u32>{reduce_reference<u32>(items, 7u, plus{})}, to_host(result));
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

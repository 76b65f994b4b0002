// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! More than 2^31 and 2^32 items and bytes, and a GPU that is busy with something else. Not part of the emulated build;
//! labelled large: needs some 16 GB of GPU memory.

#include "../support/busy.hpp"
#include "../support/calls.hpp"
#include "../support/large.hpp"
#include "../support/tiles.hpp"

#include <thrust/equal.h>
#include <thrust/tabulate.h>
#include <thrust/transform_scan.h>

using namespace compat;

namespace
{

using u8 = std::uint8_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;

constexpr std::ptrdiff_t many = (std::ptrdiff_t(1) << 31) + 1234567;

//! All items up to a position, in order.
struct is_interval_up_to_here
{
  using value_type = interval;
  REHEAT_HOST_DEVICE bool operator()(std::ptrdiff_t position, const interval& value) const
  {
    return value.begin == 0 && value.end == position + 1;
  }
};

//! Some number in [-0.3, 0.7).
struct make_real
{
  REHEAT_HOST_DEVICE float operator()(std::size_t index) const
  {
    return static_cast<float>(static_cast<double>(mix(index) >> 11) * 0x1p-53 - 0.3);
  }
};

//! Equality by bits: NaN would equal itself.
struct same_bits
{
  REHEAT_HOST_DEVICE bool operator()(float x, float y) const
  {
    u32 a, b;
    memcpy(&a, &x, sizeof a);
    memcpy(&b, &y, sizeof b);
    return a == b;
  }
};

} // namespace

BOOST_AUTO_TEST_SUITE(large, *boost::unit_test::label("large"))

BOOST_AUTO_TEST_CASE(a_scan_of_more_than_2_31_items_is_complete_and_in_order)
{
  judged_output<is_interval_up_to_here> out(many, {});
  const auto in = generated<interval>();
  out.check("inclusive_scan", thrust::inclusive_scan(reheat::par, in, in + many, out.begin(), fold{}));
}

BOOST_AUTO_TEST_CASE(scans_take_more_than_2_32_items)
{
  const thrust::counting_iterator<u64> first(0), last(static_cast<u64>(more_than_2_32));
  {
    judged_output<is_sum_up_to_here> out(more_than_2_32, {endless, 1, 0, true});
    out.check("inclusive_scan", thrust::inclusive_scan(reheat::par, first, last, out.begin()));
  }
  {
    judged_output<is_sum_up_to_here> out(more_than_2_32, {endless, 1, 7, false});
    out.check("exclusive_scan", thrust::exclusive_scan(reheat::par, first, last, out.begin(), u64{7}));
  }
  {
    judged_output<is_sum_up_to_here> out(more_than_2_32, {endless, 3, 0, true});
    out.check("transform_inclusive_scan",
              thrust::transform_inclusive_scan(reheat::par, first, last, out.begin(), triple{}, thrust::plus<u64>()));
  }
  {
    judged_output<is_sum_up_to_here> out(more_than_2_32, {endless, 3, 9, false});
    out.check("transform_exclusive_scan", thrust::transform_exclusive_scan(reheat::par, first, last, out.begin(), triple{},
                                                                           u64{9}, thrust::plus<u64>()));
  }
}

BOOST_AUTO_TEST_CASE(more_than_2_32_bytes_are_scanned_in_place)
{
  thrust::device_vector<u8> bytes(static_cast<std::size_t>(more_than_2_32));
  fill_bytes(bytes, step_to_known_byte{endless});
  BOOST_TEST((thrust::inclusive_scan(reheat::par, bytes.begin(), bytes.end(), bytes.begin()) == bytes.end()));
  check_bytes("inclusive_scan", bytes, known_byte{});
  const known_byte_or_init expected{endless, 9};
  fill_bytes(bytes, step_behind_known_byte{expected});
  BOOST_TEST((thrust::exclusive_scan(reheat::par, bytes.begin(), bytes.end(), bytes.begin(), u8{9}) == bytes.end()));
  check_bytes("exclusive_scan", bytes, expected);
}

BOOST_AUTO_TEST_CASE(a_reduction_of_more_than_2_31_items_is_complete_and_in_order)
{
  const auto in = generated<interval>(1);
  check_result("reduce", static_cast<std::size_t>(many), interval{0, many + 1},
               thrust::reduce(reheat::par, in, in + many, interval{0, 1}, fold{}));
}

BOOST_AUTO_TEST_CASE(a_sum_of_more_than_2_32_items_is_complete)
{
  const thrust::counting_iterator<u64> first(0);
  check_result("reduce", static_cast<std::size_t>(more_than_2_32), sum_of_numbers(0, static_cast<u64>(more_than_2_32)),
               thrust::reduce(reheat::par, first, first + more_than_2_32));
}

BOOST_AUTO_TEST_CASE(buffers_of_more_than_2_31_bytes_are_scanned_and_reduced)
{
  thrust::device_vector<u8> in(many), theirs(many);
  thrust::tabulate(thrust::device, in.begin(), in.end(), known_byte{});
  BOOST_TEST(thrust::reduce(reheat::par, in.begin(), in.end(), u64(0)) ==
             thrust::reduce(thrust::device, in.begin(), in.end(), u64(0)));
  thrust::inclusive_scan(thrust::device, in.begin(), in.end(), theirs.begin());
  thrust::inclusive_scan(reheat::par, in.begin(), in.end(), in.begin());
  BOOST_TEST(thrust::equal(thrust::device, in.begin(), in.end(), theirs.begin()));
}

BOOST_AUTO_TEST_CASE(a_scan_across_many_supergroups_keeps_order)
{
  using T = affine<u32>;
  const std::size_t size = scan_group<T>() * scan_shape<T>().groups_per_supergroup * 3 + 12345;
  thrust::device_vector<T> in(size), ours(size), theirs(size);
  thrust::tabulate(thrust::device, in.begin(), in.end(), make_item<T>{});
  thrust::inclusive_scan(thrust::device, in.begin(), in.end(), theirs.begin(), fold{});
  thrust::inclusive_scan(reheat::par, in.begin(), in.end(), ours.begin(), fold{});
  BOOST_TEST(thrust::equal(thrust::device, ours.begin(), ours.end(), theirs.begin()));
}

BOOST_AUTO_TEST_CASE(twenty_f32_scans_on_a_busy_gpu_give_the_same_bits)
{
  const std::size_t size = std::size_t(1) << 28;
  thrust::device_vector<float> in(size), first(size), again(size);
  thrust::tabulate(thrust::device, in.begin(), in.end(), make_real{});
  thrust::inclusive_scan(reheat::par, in.begin(), in.end(), first.begin());
  const float sum = thrust::reduce(reheat::par, in.begin(), in.end());
  stream own, busy;
  unsigned equal = 0, equal_sums = 0;
  for (unsigned run = 0; run < 20; ++run)
  {
    thrust::fill(thrust::device, again.begin(), again.end(), 0.0f);
    require(cudaDeviceSynchronize(), "fill");
    spin<<<1 + 13 * run % 120, 1024, 0, busy.get()>>>(5000000); // a few milliseconds; the scan takes less than one
    thrust::inclusive_scan(reheat::par.on(own.get()), in.begin(), in.end(), again.begin());
    equal += thrust::equal(thrust::device, first.begin(), first.end(), again.begin(), same_bits{});
    spin<<<1 + 29 * run % 120, 1024, 0, busy.get()>>>(5000000);
    equal_sums += same_bits{}(sum, thrust::reduce(reheat::par.on(own.get()), in.begin(), in.end()));
    busy.synchronise();
  }
  BOOST_TEST(equal == 20u);
  BOOST_TEST(equal_sums == 20u);
}

BOOST_AUTO_TEST_SUITE_END()

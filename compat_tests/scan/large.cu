// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! More than 2^31 items, more than 2^31 bytes, and a GPU that is busy with something else. Not part of the emulated build;
//! labelled large: needs some 16 GB of GPU memory.

#include "../support/calls.hpp"
#include "../support/tiles.hpp"

#include <thrust/count.h>
#include <thrust/equal.h>
#include <thrust/extrema.h>
#include <thrust/iterator/discard_iterator.h>
#include <thrust/logical.h>
#include <thrust/tabulate.h>

#include <algorithm>

using namespace compat;

namespace
{

using u8 = std::uint8_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;

constexpr std::ptrdiff_t many = (std::ptrdiff_t(1) << 31) + 1234567;

//! Takes the interval that belongs at a position and notes whether it was right.
struct interval_position
{
  u8* right;
  std::ptrdiff_t position;
  REHEAT_HOST_DEVICE void operator=(const interval& value) const
  {
    *right = static_cast<u8>(*right + (value.begin == 0 && value.end == position + 1 ? 1 : 2));
  }
};
struct interval_checker
{
  u8* right;
  std::ptrdiff_t position;
  REHEAT_HOST_DEVICE interval_position operator[](std::ptrdiff_t distance) const
  {
    return {right + position + distance, position + distance};
  }
  REHEAT_HOST_DEVICE interval_position operator*() const { return (*this)[0]; }
  REHEAT_HOST_DEVICE interval_checker& operator++()
  {
    ++position;
    return *this;
  }
  template <class Distance>
  REHEAT_HOST_DEVICE interval_checker operator+(Distance distance) const
  {
    return {right, position + static_cast<std::ptrdiff_t>(distance)};
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

struct divide
{
  u64 divisor;
  REHEAT_HOST_DEVICE u64 operator()(u64 x) const { return x / divisor; }
};
struct is_multiple
{
  u64 of;
  REHEAT_HOST_DEVICE bool operator()(u64 x) const { return x % of == 0; }
};
struct is_at_least
{
  u64 bound;
  REHEAT_HOST_DEVICE bool operator()(u64 x) const { return x >= bound; }
};

struct make_byte
{
  REHEAT_HOST_DEVICE u8 operator()(std::size_t index) const { return static_cast<u8>(mix(index)); }
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

//! Keeps its blocks' share of the GPU busy.
__global__ void spin(long long clocks)
{
  const long long start = clock64();
  while (clock64() - start < clocks)
  {}
}

} // namespace

template <>
struct std::iterator_traits<interval_checker>
{
  using difference_type = std::ptrdiff_t;
  using value_type = compat::interval;
  using pointer = void;
  using reference = interval_position;
  using iterator_category = std::random_access_iterator_tag;
};

BOOST_AUTO_TEST_SUITE(large, *boost::unit_test::label("large"))

BOOST_AUTO_TEST_CASE(a_scan_of_more_than_2_31_items_is_complete_and_in_order)
{
  thrust::device_vector<u8> right(many);
  const auto in = generated<interval>();
  const interval_checker out{raw(right), 0};
  const interval_checker end = thrust::inclusive_scan(reheat::par, in, in + many, out, fold{});
  BOOST_TEST(end.position == many);
  BOOST_TEST(thrust::count(thrust::device, right.begin(), right.end(), u8(1)) == many);
}

BOOST_AUTO_TEST_CASE(a_reduction_of_more_than_2_31_items_is_complete_and_in_order)
{
  const auto in = generated<interval>(1);
  check_result("reduce", static_cast<std::size_t>(many), interval{0, many + 1},
               thrust::reduce(reheat::par, in, in + many, interval{0, 1}, fold{}));
}

BOOST_AUTO_TEST_CASE(a_sum_of_more_than_2_32_items_is_complete)
{
  const u64 count = (u64(1) << 32) + 987654321;
  const thrust::counting_iterator<u64> first(0);
  check_result("reduce", count, (count - 1) / 2 * count, // modulo 2^64; count is odd

               thrust::reduce(reheat::par, first, first + static_cast<std::ptrdiff_t>(count)));
}

BOOST_AUTO_TEST_CASE(the_family_takes_more_than_2_32_items)
{
  const std::ptrdiff_t count = (std::ptrdiff_t(1) << 32) + 987654321;
  const u64 items = static_cast<u64>(count), length = 1000003;
  const thrust::counting_iterator<u64> first(0);
  BOOST_TEST(thrust::count_if(reheat::par, first, first + count, is_multiple{10}) == (count + 9) / 10);
  BOOST_TEST((thrust::minmax_element(reheat::par, first, first + count).second - first == count - 1));
  BOOST_TEST(thrust::any_of(reheat::par, first, first + count, is_at_least{items - 1}));
  BOOST_TEST(!thrust::any_of(reheat::par, first, first + count, is_at_least{items}));

  // Segments of one length: their sums are known.
  const auto keys = thrust::make_transform_iterator(first, divide{length});
  const u64 segments = (items + length - 1) / length;
  thrust::device_vector<u64> keys_out(segments), sums(segments);
  const auto ends = thrust::reduce_by_key(reheat::par, keys, keys + count, first, keys_out.begin(), sums.begin());
  BOOST_TEST((ends.first == keys_out.end()));
  BOOST_TEST((ends.second == sums.end()));
  std::vector<u64> expected_keys, expected;
  for (u64 begin = 0; begin < items; begin += length)
  {
    const u64 own = std::min(length, items - begin);
    expected_keys.push_back(begin / length);
    expected.push_back(own * begin + own * (own - 1) / 2);
  }
  check_same("keys", expected_keys, to_host(keys_out));
  check_same("sums", expected, to_host(sums));
  // As many segments as items.
  const auto discarded = thrust::reduce_by_key(reheat::par, first, first + count, first, thrust::make_discard_iterator(),
                                               thrust::make_discard_iterator());
  BOOST_TEST((discarded.first - thrust::make_discard_iterator() == count));
}

BOOST_AUTO_TEST_CASE(buffers_of_more_than_2_31_bytes_are_scanned_and_reduced)
{
  thrust::device_vector<u8> in(many), theirs(many);
  thrust::tabulate(thrust::device, in.begin(), in.end(), make_byte{});
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

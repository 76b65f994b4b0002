// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Segmented reductions of more than 2^32 items, of more than 2^31 segments, and of buffers of more than 2^32 bytes. Not
//! part of the emulated build; labelled large: needs some 5 GB of GPU memory.

#include "../support/large.hpp"
#include "../support/offsets.hpp"

#include <thrust/iterator/constant_iterator.h>

using namespace compat;

BOOST_AUTO_TEST_SUITE(segmented)
BOOST_AUTO_TEST_SUITE(large, *boost::unit_test::label("large"))

namespace
{

using u8 = std::uint8_t;
using u64 = std::uint64_t;

constexpr u64 many = static_cast<u64>(more_than_2_32);

struct times
{
  u64 factor;
  REHEAT_HOST_DEVICE u64 operator()(std::ptrdiff_t index) const { return factor * static_cast<u64>(index); }
};
//! `factor` times the index, halved: every other segment is one item shorter.
struct half_of
{
  u64 factor;
  REHEAT_HOST_DEVICE u64 operator()(std::ptrdiff_t index) const { return factor * static_cast<u64>(index) / 2; }
};

//! Of the numbers in a segment of `length`.
struct is_sum_of_segment
{
  using value_type = u64;
  u64 length;
  REHEAT_HOST_DEVICE bool operator()(std::ptrdiff_t segment, u64 value) const
  {
    const u64 first = static_cast<u64>(segment) * length;
    return value == sum_of_numbers(first, first + length);
  }
};
//! A segment's length, which half_of gives.
struct is_length
{
  using value_type = u64;
  u64 factor;
  REHEAT_HOST_DEVICE bool operator()(std::ptrdiff_t segment, u64 value) const
  {
    const half_of offset{factor};
    return value == offset(segment + 1) - offset(segment);
  }
};

} // namespace

BOOST_AUTO_TEST_CASE(segments_that_cross_2_31_and_2_32_are_summed)
{
  constexpr u64 half = u64{1} << 31, whole = u64{1} << 32;
  const std::vector<u64> offsets{3, 3, 10, half - 1, half, half + 1, whole - 5, whole - 5, whole + 7, many, many};
  std::vector<u64> expected;
  for (std::size_t i = 0; i + 1 < offsets.size(); ++i)
  {
    expected.push_back(11 + (offsets[i] == offsets[i + 1] ? 0 : sum_of_numbers(offsets[i], offsets[i + 1])));
  }
  const thrust::device_vector<u64> at = to_device(offsets);
  thrust::device_vector<u64> out(expected.size());
  reheat::segmented_reduce(reheat::par, thrust::counting_iterator<u64>(0), at.begin(), at.end(), out.begin(), u64{11});
  check_same("sums of numbers", expected, to_host(out));
}

BOOST_AUTO_TEST_CASE(more_than_2_32_ones_in_one_segment_are_counted)
{
  const thrust::device_vector<u64> at = to_device(std::vector<u64>{0, many});
  thrust::device_vector<u64> out(1);
  reheat::segmented_reduce(reheat::par, thrust::constant_iterator<u64>(1), at.begin(), at.end(), out.begin());
  check_same("ones", std::vector<u64>{many}, to_host(out));
}

BOOST_AUTO_TEST_CASE(extrema_of_more_than_2_32_items_are_found_in_one_segment)
{
  const thrust::device_vector<u64> at = to_device(std::vector<u64>{5, 5, many - 3, many});
  thrust::device_vector<u64> out(3);
  reheat::segmented_max_element(reheat::par, thrust::counting_iterator<u64>(0), at.begin(), at.end(), out.begin());
  check_same("the largest numbers", std::vector<u64>{5, many - 4, many - 1}, to_host(out));
  reheat::segmented_max_element(reheat::par, thrust::counting_iterator<u64>(0), reheat::equal_segments{1, many},
                                out.begin());
  BOOST_TEST(to_host(out)[0] == many - 1);
}

BOOST_AUTO_TEST_CASE(more_than_2_32_items_in_millions_of_segments_are_summed)
{
  constexpr u64 length = 1000;
  const std::ptrdiff_t segments = more_than_2_32 / static_cast<std::ptrdiff_t>(length);
  judged_output<is_sum_of_segment> out(segments, {length});
  const auto at = thrust::make_transform_iterator(counting(0), times{length});
  reheat::segmented_reduce(reheat::par, thrust::counting_iterator<u64>(0), at, at + segments + 1, out.begin());
  out.check("sums of numbers", out.begin() + segments);
}

BOOST_AUTO_TEST_CASE(more_than_2_31_segments_of_one_item_or_none_are_summed)
{
  const std::ptrdiff_t segments = (std::ptrdiff_t{1} << 31) + 1234567;
  judged_output<is_length> out(segments, {1});
  const auto at = thrust::make_transform_iterator(counting(0), half_of{1});
  reheat::segmented_reduce(reheat::par, thrust::constant_iterator<u64>(1), at, at + segments + 1, out.begin());
  out.check("lengths", out.begin() + segments);
}

BOOST_AUTO_TEST_CASE(a_buffer_of_more_than_2_32_bytes_is_summed)
{
  thrust::device_vector<u8> bytes(static_cast<std::size_t>(more_than_2_32));
  fill_bytes(bytes, step_to_known_byte{endless}); // up to a position, these add up to a known byte
  const std::vector<u64> offsets{0, 1, 12345, (u64{1} << 32) - 3, (u64{1} << 32) + 100001, many};
  std::vector<u8> expected;
  for (std::size_t i = 0; i + 1 < offsets.size(); ++i)
  {
    const unsigned before = offsets[i] == 0 ? 0u : known_byte{}(offsets[i] - 1);
    expected.push_back(static_cast<u8>(known_byte{}(offsets[i + 1] - 1) - before));
  }
  const thrust::device_vector<u64> at = to_device(offsets);
  thrust::device_vector<u8> out(expected.size());
  reheat::segmented_reduce(reheat::par, bytes.begin(), at.begin(), at.end(), out.begin());
  check_same("sums of bytes", expected, to_host(out));
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

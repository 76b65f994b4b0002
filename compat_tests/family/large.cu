// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The family besides reduce and the plain scans, with more than 2^32 items. Not part of the emulated build; labelled large:
//! needs some 16 GB of GPU memory.

#include "../support/busy.hpp"
#include "../support/calls.hpp"
#include "../support/large.hpp"

#include <reheat/device.cuh>

#include <thrust/copy.h>
#include <thrust/count.h>
#include <thrust/equal.h>
#include <thrust/extrema.h>
#include <thrust/find.h>
#include <thrust/functional.h>
#include <thrust/inner_product.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/discard_iterator.h>
#include <thrust/iterator/reverse_iterator.h>
#include <thrust/logical.h>
#include <thrust/mismatch.h>
#include <thrust/partition.h>
#include <thrust/remove.h>
#include <thrust/sort.h>
#include <thrust/tabulate.h>
#include <thrust/transform_reduce.h>
#include <thrust/unique.h>

#include <algorithm>
#include <string>
#include <vector>

using namespace compat;

BOOST_AUTO_TEST_SUITE(family)
BOOST_AUTO_TEST_SUITE(large, *boost::unit_test::label("large"))

namespace
{

using u8 = std::uint8_t;
using u64 = std::uint64_t;

constexpr std::ptrdiff_t count = more_than_2_32;
constexpr u64 items = static_cast<u64>(count);
constexpr u64 two_to_32 = u64{1} << 32;

//! 0, 1, 2, …
const thrust::counting_iterator<u64> first(0), last(items);

struct divide
{
  u64 divisor;
  REHEAT_HOST_DEVICE u64 operator()(u64 x) const { return x / divisor; }
};
struct distance_to
{
  u64 place;
  REHEAT_HOST_DEVICE u64 operator()(u64 x) const { return x < place ? place - x : x - place; }
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
struct is_below
{
  u64 bound;
  template <class Index>
  REHEAT_HOST_DEVICE bool operator()(Index x) const
  {
    return static_cast<u64>(x) < bound;
  }
};
//! Ascends up to a place, and then stays or falls.
struct stays_at
{
  u64 place;
  REHEAT_HOST_DEVICE u64 operator()(u64 x) const { return x < place ? x : place; }
};
struct falls_behind
{
  u64 place;
  REHEAT_HOST_DEVICE u64 operator()(u64 x) const { return x <= place ? x + 1 : 0; }
};
struct is_own_position
{
  using value_type = u64;
  REHEAT_HOST_DEVICE bool operator()(std::ptrdiff_t position, u64 value) const
  {
    return value == static_cast<u64>(position);
  }
};
//! Of the segments of `length` items of one key, which comes back after 250 others.
struct key_of_segment
{
  u64 length;
  REHEAT_HOST_DEVICE u8 operator()(u64 index) const { return static_cast<u8>(index / length % 251); }
};

//! Keys 0, 1, 2, … in segments of `length`.
auto keys_in_segments_of(u64 length)
{
  return thrust::make_transform_iterator(first, divide{length});
}

//! The sums of the items at `values`, of which sum(begin, end) adds those from `begin` to before `end`.
template <class ValueIt, class Sum>
void check_sums_by_key(u64 length, ValueIt values, Sum sum)
{
  const auto keys = keys_in_segments_of(length);
  const u64 segments = (items + length - 1) / length;
  thrust::device_vector<u64> keys_out(segments), sums(segments);
  const auto ends = thrust::reduce_by_key(reheat::par, keys, keys + count, values, keys_out.begin(), sums.begin());
  BOOST_TEST((ends.first == keys_out.end()));
  BOOST_TEST((ends.second == sums.end()));
  std::vector<u64> expected_keys, expected;
  for (u64 begin = 0; begin < items; begin += length)
  {
    expected_keys.push_back(begin / length);
    expected.push_back(sum(begin, std::min(begin + length, items)));
  }
  check_same("keys", expected_keys, to_host(keys_out));
  check_same("sums", expected, to_host(sums));
}

} // namespace

BOOST_AUTO_TEST_CASE(reductions_take_more_than_2_32_items)
{
  const thrust::constant_iterator<u64> seven(7);
  check_result("reduce", items, 7 * items + 1, thrust::reduce(reheat::par, seven, seven + count, u64{1}));
  check_result("transform_reduce", items, 3 * sum_of_numbers(0, items) + 5,
               thrust::transform_reduce(reheat::par, first, last, triple{}, u64{5}, thrust::plus<u64>()));
  // The sum of squares modulo 2^64.
  static_assert((items - 1) % 6 == 0, "the division below is exact");
  check_result("inner_product", items, (items - 1) / 6 * items * (2 * items - 1) + 2,
               thrust::inner_product(reheat::par, first, last, first, u64{2}));
  BOOST_TEST(thrust::count(reheat::par, seven, seven + count, u64{7}) == count);
  BOOST_TEST(thrust::count_if(reheat::par, first, last, is_multiple{10}) == (count + 9) / 10);
  BOOST_TEST(thrust::count_if(reheat::par, first, last, is_multiple{1}) == count);
}

BOOST_AUTO_TEST_CASE(extrema_are_found_beyond_2_32_items)
{
  for (const u64 place : {u64{0}, two_to_32 - 1, two_to_32, two_to_32 + 1, items - 1})
  {
    const auto in = thrust::make_transform_iterator(first, distance_to{place});
    const std::ptrdiff_t farthest = place < items / 2 ? count - 1 : 0;
    check_place("min_element", items, static_cast<std::ptrdiff_t>(place),
                thrust::min_element(reheat::par, in, in + count) - in);
    check_place("max_element", items, farthest, thrust::max_element(reheat::par, in, in + count) - in);
    const auto both = thrust::minmax_element(reheat::par, in, in + count);
    check_place("minmax_element, smallest", items, static_cast<std::ptrdiff_t>(place), both.first - in);
    check_place("minmax_element, largest", items, farthest, both.second - in);
  }
}

BOOST_AUTO_TEST_CASE(questions_look_at_more_than_2_32_items)
{
  BOOST_TEST(thrust::any_of(reheat::par, first, last, is_at_least{items - 1}));
  BOOST_TEST(!thrust::any_of(reheat::par, first, last, is_at_least{items}));
  BOOST_TEST(!thrust::none_of(reheat::par, first, last, is_at_least{items - 1}));
  BOOST_TEST(thrust::none_of(reheat::par, first, last, is_at_least{items}));
  const auto down_to_0 = thrust::make_transform_iterator(first, distance_to{items - 1});
  BOOST_TEST(thrust::all_of(reheat::par, down_to_0, down_to_0 + count, is_at_least{0}));
  BOOST_TEST(!thrust::all_of(reheat::par, down_to_0, down_to_0 + count, is_at_least{1}));
}

BOOST_AUTO_TEST_CASE(searches_look_at_more_than_2_32_items)
{
  for (const u64 place : {u64{0}, two_to_32 / 2 + 1, two_to_32 - 1, two_to_32, two_to_32 + 1, items - 1, items})
  {
    const auto expected = static_cast<std::ptrdiff_t>(place);
    check_place("find_if", items, expected, thrust::find_if(reheat::par, first, last, is_at_least{place}) - first);
    check_place("partition_point", items, expected,
                thrust::partition_point(reheat::par, first, last, is_below{place}) - first);
    const auto others = thrust::make_transform_iterator(first, stays_at{place});
    check_place("mismatch", items, std::min(expected + 1, count),
                thrust::mismatch(reheat::par, first, last, others).first - first);
    BOOST_TEST(thrust::equal(reheat::par, first, last, others) == (place + 1 >= items));
    const auto falls = thrust::make_transform_iterator(first, falls_behind{place});
    check_place("is_sorted_until", items, std::min(expected + 1, count),
                thrust::is_sorted_until(reheat::par, falls, falls + count) - falls);
  }
}

BOOST_AUTO_TEST_CASE(reduce_by_key_takes_more_than_2_32_items)
{
  for (const u64 length : {u64{1000003}, two_to_32, endless})
  {
    check_sums_by_key(length, first, [](u64 begin, u64 end) { return sum_of_numbers(begin, end); });
    check_sums_by_key(length, thrust::constant_iterator<u64>(7), [](u64 begin, u64 end) { return 7 * (end - begin); });
  }
}

BOOST_AUTO_TEST_CASE(reduce_by_key_finds_more_than_2_32_segments)
{
  judged_output<is_own_position> keys_out(count, {}), sums(count, {});
  const auto ends = thrust::reduce_by_key(reheat::par, first, last, first, keys_out.begin(), sums.begin());
  keys_out.check("keys", ends.first);
  sums.check("sums", ends.second);
}

BOOST_AUTO_TEST_CASE(scans_by_key_take_more_than_2_32_items)
{
  for (const u64 length : {u64{1000003}, two_to_32, endless})
  {
    const auto keys = keys_in_segments_of(length);
    {
      judged_output<is_sum_up_to_here> out(count, {length, 1, 0, true});
      out.check("inclusive_scan_by_key", thrust::inclusive_scan_by_key(reheat::par, keys, keys + count, first, out.begin()));
    }
    {
      judged_output<is_sum_up_to_here> out(count, {length, 1, 7, false});
      out.check("exclusive_scan_by_key",
                thrust::exclusive_scan_by_key(reheat::par, keys, keys + count, first, out.begin(), u64{7}));
    }
  }
}

BOOST_AUTO_TEST_CASE(more_than_2_32_bytes_are_scanned_by_key_in_place)
{
  const u64 length = 1000003;
  thrust::device_vector<u8> keys(items), bytes(items);
  fill_bytes(keys, key_of_segment{length});
  fill_bytes(bytes, step_to_known_byte{length});
  BOOST_TEST(
      (thrust::inclusive_scan_by_key(reheat::par, keys.begin(), keys.end(), bytes.begin(), bytes.begin()) == bytes.end()));
  check_bytes("inclusive_scan_by_key", bytes, known_byte{});
  const known_byte_or_init expected{length, 9};
  fill_bytes(bytes, step_behind_known_byte{expected});
  BOOST_TEST((thrust::exclusive_scan_by_key(reheat::par, keys.begin(), keys.end(), bytes.begin(), bytes.begin(), u8{9}) ==
              bytes.end()));
  check_bytes("exclusive_scan_by_key", bytes, expected);
  check_bytes("the keys", keys, key_of_segment{length});
}

BOOST_AUTO_TEST_CASE(selections_take_more_than_2_31_and_2_32_items)
{
  const auto discard = thrust::make_discard_iterator();
  for (const u64 size : {(u64{1} << 31) + 1, items})
  {
    const auto end = thrust::copy_if(reheat::par, first, first + static_cast<std::ptrdiff_t>(size), discard, is_at_least{1});
    BOOST_TEST((end - discard == static_cast<std::ptrdiff_t>(size - 1)));
  }
  thrust::device_vector<u64> found(3);
  BOOST_TEST((thrust::remove_copy_if(reheat::par, first, last, found.begin(), is_below{items - 3}) == found.end()));
  check_same("the last three", std::vector<u64>{items - 3, items - 2, items - 1}, to_host(found));
}

BOOST_AUTO_TEST_CASE(stencils_partitions_and_runs_take_more_than_2_31_and_2_32_items)
{
  const auto discard = thrust::make_discard_iterator();
  for (const u64 size : {(u64{1} << 31) + 1, items})
  {
    const auto number = static_cast<std::ptrdiff_t>(size);
    const auto end = first + number;
    // By a stencil: all but the first.
    const auto kept = thrust::copy_if(reheat::par, first, end, first, discard, is_at_least{1});
    check_place("copy_if by a stencil", size, number - 1, kept - discard);
    // All but the last two are in the first part, then all but the first.
    for (const u64 bound : {size - 2, u64{1}})
    {
      const auto parts = thrust::partition_copy(reheat::par, first, end, discard, discard, is_below{bound});
      check_place("partition_copy, selected", size, static_cast<std::ptrdiff_t>(bound), parts.first - discard);
      check_place("partition_copy, others", size, static_cast<std::ptrdiff_t>(size - bound), parts.second - discard);
    }
    // Runs of one and of many items.
    for (const u64 length : {u64{1}, u64{1000003}})
    {
      const auto runs = thrust::make_transform_iterator(first, divide{length});
      const auto expected = static_cast<std::ptrdiff_t>((size + length - 1) / length);
      check_place("unique_count", size, expected, thrust::unique_count(reheat::par, runs, runs + number));
      check_place("unique_copy", size, expected, thrust::unique_copy(reheat::par, runs, runs + number, discard) - discard);
      check_place("unique_by_key_copy", size, expected,
                  thrust::unique_by_key_copy(reheat::par, runs, runs + number, first, discard, discard).first - discard);
    }
  }
}

BOOST_AUTO_TEST_CASE(more_than_2_32_bytes_are_partitioned_in_place)
{
  thrust::device_vector<u8> bytes(items);
  fill_bytes(bytes, known_byte{});
  const auto selected = thrust::count_if(reheat::par, bytes.begin(), bytes.end(), is_multiple{3});
  const auto end = thrust::stable_partition(reheat::par, bytes.begin(), bytes.end(), is_multiple{3});
  check_place("stable_partition", items, selected, end - bytes.begin());
  BOOST_TEST(thrust::count_if(reheat::par, bytes.begin(), end, is_multiple{3}) == selected);
  BOOST_TEST(thrust::count_if(reheat::par, end, bytes.end(), is_multiple{3}) == 0);
}

BOOST_AUTO_TEST_CASE(device_wide_selections_take_more_than_2_31_and_2_32_items)
{
  const auto discard = thrust::make_discard_iterator();
  thrust::device_vector<u64> found(1);
  const auto check = [&](const char* what, u64 size, u64 expected, auto&& call)
  {
    std::size_t bytes = 0;
    require(call(nullptr, bytes), what);
    thrust::device_vector<unsigned char> memory(bytes);
    require(call(static_cast<void*>(raw(memory)), bytes), what);
    check_same(what + (", " + std::to_string(size) + " items"), std::vector<u64>{expected}, to_host(found));
  };
  for (const u64 size : {(u64{1} << 31) + 1, items})
  {
    const auto number = static_cast<std::int64_t>(size);
    const auto runs = thrust::make_transform_iterator(first, divide{3});
    u64* const to = raw(found);
    check("DeviceSelect::If", size, size - 1,
          [&](void* memory, std::size_t& bytes)
          { return reheat::DeviceSelect::If(memory, bytes, first, discard, to, number, is_at_least{1}); });
    check("DeviceSelect::Flagged", size, size - 1,
          [&](void* memory, std::size_t& bytes)
          { return reheat::DeviceSelect::Flagged(memory, bytes, first, first, discard, to, number); });
    check("DeviceSelect::Unique", size, (size + 2) / 3,
          [&](void* memory, std::size_t& bytes)
          { return reheat::DeviceSelect::Unique(memory, bytes, runs, discard, to, number); });
    check("DevicePartition::If", size, size - 2,
          [&](void* memory, std::size_t& bytes)
          { return reheat::DevicePartition::If(memory, bytes, first, discard, to, number, is_below{size - 2}); });
    check("DeviceRunLengthEncode::Encode", size, (size + 2) / 3,
          [&](void* memory, std::size_t& bytes)
          { return reheat::DeviceRunLengthEncode::Encode(memory, bytes, runs, discard, discard, to, number); });
  }
}

namespace
{

struct make_known_byte
{
  REHEAT_HOST_DEVICE u8 operator()(std::size_t index) const { return known_byte{}(index); }
};

} // namespace

BOOST_AUTO_TEST_CASE(twenty_selections_on_a_busy_gpu_give_the_same_items)
{
  const std::size_t size = (std::size_t{1} << 26) + 12345;
  thrust::device_vector<u8> in(size), selected[2], unique[2], parts[2];
  thrust::tabulate(thrust::device, in.begin(), in.end(), make_known_byte{});
  stream own, busy;
  unsigned wrong = 0;
  for (unsigned run = 0; run <= 20; ++run) // the first on an idle GPU
  {
    const std::size_t to = run == 0 ? 0 : 1;
    for (thrust::device_vector<u8>* const out : {selected, unique, parts})
    {
      out[to].assign(size, u8{0});
    }
    wait_for_all_streams();
    const auto policy = reheat::par.on(own.get());
    const auto beside = [&] { run != 0 ? spin<<<1 + 13 * run % 120, 1024, 0, busy.get()>>>(500000) : void(); };
    beside();
    thrust::copy_if(policy, in.begin(), in.end(), selected[to].begin(), is_multiple{3});
    beside();
    thrust::unique_copy(policy, in.begin(), in.end(), unique[to].begin());
    beside();
    thrust::partition_copy(policy, in.begin(), in.end(), parts[to].begin(), thrust::make_reverse_iterator(parts[to].end()),
                           is_multiple{3});
    busy.synchronise();
    for (thrust::device_vector<u8>* const out : {selected, unique, parts})
    {
      wrong += !thrust::equal(thrust::device, out[0].begin(), out[0].end(), out[to].begin());
    }
  }
  BOOST_TEST(wrong == 0u);
}

BOOST_AUTO_TEST_CASE(more_than_2_32_bytes_are_removed_in_place)
{
  thrust::device_vector<u8> bytes(items);
  fill_bytes(bytes, known_byte{});
  const u8 removed = 77;
  const auto left =
      static_cast<std::ptrdiff_t>(items - static_cast<u64>(thrust::count(reheat::par, bytes.begin(), bytes.end(), removed)));
  BOOST_TEST((thrust::remove(reheat::par, bytes.begin(), bytes.end(), removed) - bytes.begin() == left));
  BOOST_TEST(thrust::count(reheat::par, bytes.begin(), bytes.begin() + left, removed) == 0);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

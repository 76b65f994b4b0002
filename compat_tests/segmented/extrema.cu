// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The smallest and the largest item of each segment: which of equivalent ones, where, by which comparison, and what an
//! empty segment gives.

#include "../support/memory.hpp"
#include "../support/offsets.hpp"

#include <thrust/functional.h>
#include <thrust/iterator/transform_output_iterator.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

using namespace compat;

BOOST_AUTO_TEST_SUITE(segmented)
BOOST_AUTO_TEST_SUITE(extrema)

namespace
{

using u32 = std::uint32_t;
using i64 = std::int64_t;
using u64 = std::uint64_t;

//! Many values are equivalent.
struct by_remainder
{
  template <class T>
  REHEAT_HOST_DEVICE static u32 key(const T& x)
  {
    return static_cast<u32>(x) % 13;
  }
  template <unsigned Words>
  REHEAT_HOST_DEVICE static u32 key(const words<Words>& x)
  {
    return x.word[0] % 13;
  }
  template <class Word>
  REHEAT_HOST_DEVICE static u32 key(const affine<Word>& x)
  {
    return x.a % 13;
  }
  template <class T>
  REHEAT_HOST_DEVICE bool operator()(const T& x, const T& y) const
  {
    return key(x) < key(y);
  }
};

//! The first of the items of each segment that no other of its items comes before; of an empty segment its end.
template <class T, class Offset, class Before>
std::vector<Offset> first_ones(const std::vector<T>& items, const std::vector<Offset>& offsets, Before before)
{
  std::vector<Offset> found;
  for (std::size_t s = 0; s + 1 < offsets.size(); ++s)
  {
    Offset at = offsets[s];
    for (Offset i = at; i < offsets[s + 1]; ++i)
    {
      at = before(items[static_cast<std::size_t>(i)], items[static_cast<std::size_t>(at)]) ? i : at;
    }
    found.push_back(at);
  }
  return found;
}

//! Both extrema by `less`, of items in memory, under `seeds` schedules.
template <class T, class Offset, class Less>
void check_extrema(const std::string& what, const std::vector<T>& items, const std::vector<Offset>& offsets, Less less,
                   unsigned seeds, placement where = placement::aligned)
{
  const std::vector<Offset> smallest = first_ones(items, offsets, less);
  const std::vector<Offset> largest = first_ones(items, offsets, [&](const T& x, const T& y) { return less(y, x); });
  placed<T> in(items, where);
  placed<Offset> at(offsets, where);
  for_each_seed(seeds,
                [&]
                {
                  placed<Offset> low(smallest.size(), where), high(largest.size(), where);
                  reheat::segmented_min_element(reheat::par, in.begin(), at.begin(), at.end(), low.begin(), less);
                  reheat::segmented_max_element(reheat::par, in.begin(), at.begin(), at.end(), high.begin(), less);
                  check_same(what + ", smallest", smallest, low.items());
                  check_same(what + ", largest", largest, high.items());
                });
}

//! Segments of every kind, items and offsets at either alignment.
template <class T, class Offset = u32>
void check_kinds(std::size_t segments, unsigned seeds)
{
  for (const lengths kind : all_lengths)
  {
    for (const placement where : {placement::aligned, placement::misaligned})
    {
      const std::vector<Offset> offsets = make_offsets<Offset>(kind, segments, segmented_tile<u64>(), 3);
      check_extrema(std::to_string(segments) + " segments, " + name_of(kind),
                    make_items<T>(static_cast<std::size_t>(offsets.back()), 1), offsets, by_remainder{}, seeds, where);
    }
  }
}

//! Of two items the one that is nearer to a value.
struct nearer
{
  u32 value;
  REHEAT_HOST_DEVICE u32 distance(u32 x) const { return x < value ? value - x : x - value; }
  REHEAT_HOST_DEVICE bool operator()(u32 x, u32 y) const { return distance(x) < distance(y); }
};
//! Counts its calls, in vain.
struct inconstant_less
{
  unsigned calls = 0;
  REHEAT_HOST_DEVICE bool operator()(u32 x, u32 y)
  {
    ++calls;
    return x < y;
  }
};
struct hundredfold
{
  REHEAT_HOST_DEVICE i64 operator()(u32 x) const { return i64{100} * x; }
};
//! The lowest bits of an index, which come back after 2^10.
struct lowest_bits
{
  using result_type = u32;
  template <class Index>
  REHEAT_HOST_DEVICE u32 operator()(Index index) const
  {
    return static_cast<u32>(static_cast<u64>(index) % 1024);
  }
};

} // namespace

BOOST_AUTO_TEST_CASE(of_equivalent_items_the_first_is_found_in_segments_of_every_kind)
{
  const std::size_t window = segmented_shape<u64>().window_ends;
  for (const std::size_t segments : {std::size_t{1}, std::size_t{33}, window + 1, 5 * window + 7})
  {
    check_kinds<u32>(segments, 5);
  }
}

BOOST_AUTO_TEST_CASE(offsets_of_eight_bytes_make_indices_of_eight_bytes)
{
  check_kinds<u32, i64>(300, 3);
  check_kinds<u32, u64>(300, 3);
}

BOOST_AUTO_TEST_CASE(items_are_of_any_size)
{
  check_kinds<std::int8_t>(300, 2);
  check_kinds<affine<u32>>(300, 2);
  check_kinds<words<10>>(300, 2);
  const std::vector<u32> offsets = make_offsets(lengths::one_giant, 50, segmented_tile<words<257>>() / 4);
  check_extrema("items in scratch memory", make_items<words<256>>(offsets.back(), 1), offsets, by_remainder{}, 2);
}

BOOST_AUTO_TEST_CASE(without_a_comparison_items_are_compared_by_less_than)
{
  const std::vector<u32> offsets = make_offsets(lengths::few, 700, 1, 5);
  const std::vector<int> items = make_items<int>(offsets.back(), 1);
  const thrust::device_vector<int> in = to_device(items);
  const thrust::device_vector<u32> at = to_device(offsets);
  thrust::device_vector<u32> out(700);
  reheat::segmented_min_element(reheat::par, in.begin(), at.begin(), at.end(), out.begin());
  check_same("smallest", first_ones(items, offsets, std::less<>{}), to_host(out));
  reheat::segmented_max_element(reheat::par, in.begin(), at.begin(), at.end(), out.begin());
  check_same("largest", first_ones(items, offsets, std::greater<>{}), to_host(out));
}

BOOST_AUTO_TEST_CASE(a_comparison_may_carry_a_value_and_be_inconstant)
{
  const std::vector<u32> offsets = make_offsets(lengths::hundreds, 40, 1);
  const std::vector<u32> items = make_items<u32>(offsets.back(), 1);
  check_extrema("by distance", items, offsets, nearer{1u << 31}, 2);
  const thrust::device_vector<u32> in = to_device(items), at = to_device(offsets);
  thrust::device_vector<u32> out(40);
  reheat::segmented_min_element(reheat::par, in.begin(), at.begin(), at.end(), out.begin(), inconstant_less{});
  check_same("inconstant", first_ones(items, offsets, std::less<>{}), to_host(out));
}

BOOST_AUTO_TEST_CASE(an_empty_segment_gives_its_end)
{
  const std::size_t window = segmented_shape<u64>().window_ends;
  std::vector<u32> offsets(2 * window, 4); // first, in the middle and last
  offsets.resize(4 * window, 5 * static_cast<u32>(segmented_tile<u64>()));
  offsets.push_back(offsets.back() + 3);
  offsets.resize(6 * window, offsets.back());
  check_extrema("empty segments everywhere", make_items<u32>(offsets.back(), 1), offsets, by_remainder{}, 5);
  const thrust::device_vector<u32> at = to_device(std::vector<u32>{7, 7, 7});
  thrust::device_vector<u32> out(2);
  reheat::segmented_max_element(reheat::par, static_cast<const u32*>(nullptr), at.begin(), at.end(), out.begin());
  check_same("no items", std::vector<u32>{7, 7}, to_host(out));
}

BOOST_AUTO_TEST_CASE(segments_of_one_size_need_no_offsets)
{
  for (const std::size_t size : {0, 1, 3, 64, 5000})
  {
    for (const std::size_t segments : {1, 2, 300})
    {
      std::vector<u64> offsets;
      for (std::size_t s = 0; s <= segments; ++s)
      {
        offsets.push_back(s * size);
      }
      const std::vector<u32> items = make_items<u32>(segments * size, 1);
      const thrust::device_vector<u32> in = to_device(items);
      const reheat::equal_segments where{segments, size};
      const std::string what = std::to_string(segments) + " segments of " + std::to_string(size);
      thrust::device_vector<u64> out(segments);
      reheat::segmented_min_element(reheat::par, in.begin(), where, out.begin());
      check_same(what + ", smallest", first_ones(items, offsets, std::less<>{}), to_host(out));
      reheat::segmented_max_element(reheat::par, in.begin(), where, out.begin());
      check_same(what + ", largest", first_ones(items, offsets, std::greater<>{}), to_host(out));
      reheat::segmented_min_element(reheat::par, in.begin(), where, out.begin(), by_remainder{});
      check_same(what + ", smallest remainder", first_ones(items, offsets, by_remainder{}), to_host(out));
      reheat::segmented_max_element(reheat::par, in.begin(), where, out.begin(), by_remainder{});
      check_same(what + ", largest remainder", first_ones(items, offsets, [](u32 x, u32 y) { return by_remainder{}(y, x); }),
                 to_host(out));
    }
  }
}

//! Offsets from `first` on where no memory has items.
template <class Offset>
void check_high_offsets(u64 first)
{
  const std::vector<Offset> offsets = make_offsets<Offset>(lengths::few, 300, 1, first);
  std::vector<Offset> expected;
  for (std::size_t s = 0; s + 1 < offsets.size(); ++s)
  {
    Offset at = offsets[s];
    for (Offset i = at; i != offsets[s + 1]; ++i)
    {
      at = lowest_bits{}(i) < lowest_bits{}(at) ? i : at;
    }
    expected.push_back(at);
  }
  const thrust::device_vector<Offset> at = to_device(offsets);
  thrust::device_vector<Offset> out(expected.size());
  reheat::segmented_min_element(reheat::par, thrust::make_transform_iterator(counting(0), lowest_bits{}), at.begin(),
                                at.end(), out.begin());
  check_same("offsets from " + std::to_string(first), expected, to_host(out));
}
BOOST_AUTO_TEST_CASE(indices_reach_to_the_end_of_the_offsets_type_and_beyond_32_bits)
{
  check_high_offsets<u32>(0xffffffffu - 2100);
  check_high_offsets<u64>((u64{1} << 32) - 100);
  check_high_offsets<i64>(i64{1} << 40);
}

BOOST_AUTO_TEST_CASE(output_is_converted_or_transformed)
{
  const std::vector<u32> offsets = make_offsets(lengths::few, 300, 1);
  const std::vector<u32> items = make_items<u32>(offsets.back(), 1);
  const thrust::device_vector<u32> in = to_device(items), at = to_device(offsets);
  const std::vector<u32> found = first_ones(items, offsets, std::less<>{});
  thrust::device_vector<i64> out(300);
  std::vector<i64> expected(found.begin(), found.end());
  reheat::segmented_min_element(reheat::par, in.begin(), at.begin(), at.end(), out.begin());
  check_same("wider output", expected, to_host(out));
  for (i64& index : expected)
  {
    index *= 100;
  }
  reheat::segmented_min_element(reheat::par, in.begin(), at.begin(), at.end(),
                                thrust::make_transform_output_iterator(out.begin(), hundredfold{}));
  check_same("transformed output", expected, to_host(out));
}

BOOST_AUTO_TEST_CASE(each_item_is_read_once_and_each_result_written_once)
{
  for (const lengths kind : all_lengths)
  {
    const std::vector<u32> offsets = make_offsets(kind, 300, segmented_tile<u64>());
    const std::vector<u32> items = make_items<u32>(offsets.back(), 1);
    const thrust::device_vector<u32> at = to_device(offsets);
    for_each_seed(3,
                  [&]
                  {
                    watched_input<u32> in(items);
                    watched_output<u32> out(300);
                    reheat::segmented_min_element(reheat::par, in.begin(), at.begin(), at.end(), out.begin());
                    in.check(1, name_of(kind));
                    out.check(name_of(kind));
                    check_same(name_of(kind), first_ones(items, offsets, std::less<>{}), out.items());
                  });
  }
}

BOOST_AUTO_TEST_CASE(calls_take_one_launch_and_wait_as_the_policy_says)
{
  const std::vector<u32> offsets = make_offsets(lengths::hundreds, 300, 1);
  const std::vector<u32> items = make_items<u32>(offsets.back(), 1);
  const std::vector<u32> expected = first_ones(items, offsets, std::less<>{});
  const thrust::device_vector<u32> in = to_device(items), at = to_device(offsets);
  stream own;
  ledger book;
  const ledger_allocator<char> allocator(book);
  const auto check = [&](const std::string& what, const auto& policy, unsigned waits)
  {
    thrust::device_vector<u32> out(300);
#if defined(REHEAT_EMULATED)
    own.get()->clear();
#endif
    reheat::segmented_min_element(policy, in.begin(), at.begin(), at.end(), out.begin());
#if defined(REHEAT_EMULATED)
    BOOST_TEST(own.get()->launch_count() == 1u, what);
    BOOST_TEST(own.get()->synchronisation_count() == waits, what);
#endif
    static_cast<void>(waits);
    wait_for_all_streams();
    check_same(what, expected, to_host(out));
  };
  check("par.on", reheat::par.on(own.get()), 1);
  check("par_nosync.on", reheat::par_nosync.on(own.get()), 0);
  check("par_nosync(allocator).on", reheat::par_nosync(allocator).on(own.get()), 0);
  BOOST_TEST(book.allocations == (emulated ? 0u : 1u)); // a GPU keeps chunks of so few segments
  BOOST_TEST(book.held == 0);
}

BOOST_AUTO_TEST_CASE(no_offset_or_one_stores_nothing_and_a_negative_range_is_described)
{
  const std::vector<u32> offsets{0, 2, 4, 6};
  const thrust::device_vector<u32> in = to_device(make_items<u32>(6, 1)), at = to_device(offsets);
  watched_output<u32> out(3);
  for (const std::ptrdiff_t count : {0, 1})
  {
    reheat::segmented_min_element(reheat::par, in.begin(), at.begin(), at.begin() + count, out.begin());
  }
  reheat::segmented_max_element(reheat::par, in.begin(), reheat::equal_segments{0, 3}, out.begin());
  check_same("no segment", std::vector<unsigned>(4, 0u), out.counts());
  const auto is_described = [](const std::runtime_error& error)
  {
    return std::string(error.what()) ==
           "reheat::segmented_max_element: the range ends 3 items before it begins; pass (first, last) with first <= last";
  };
  BOOST_CHECK_EXCEPTION(reheat::segmented_max_element(reheat::par, in.begin(), at.begin() + 3, at.begin(), out.begin()),
                        std::runtime_error, is_described);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

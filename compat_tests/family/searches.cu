// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Searches: find, find_if, find_if_not, any_of, all_of, none_of, mismatch, equal, is_sorted, is_sorted_until,
//! is_partitioned and partition_point.

#include "../support/calls.hpp"
#include "../support/epoch.hpp"
#include "../support/tiles.hpp"

#include <thrust/equal.h>
#include <thrust/find.h>
#include <thrust/functional.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/logical.h>
#include <thrust/mismatch.h>
#include <thrust/partition.h>
#include <thrust/sort.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <random>
#include <string>
#include <vector>

using namespace compat;

BOOST_AUTO_TEST_SUITE(family)
BOOST_AUTO_TEST_SUITE(searches)

namespace
{

using u8 = std::uint8_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;

//! Takes what it could write to, as Thrust allows.
template <class T>
struct is_marked
{
  T mark;
  REHEAT_HOST_DEVICE bool operator()(T& x) const { return x == mark; }
};
template <class T>
struct is_not_marked
{
  T mark;
  REHEAT_HOST_DEVICE bool operator()(T& x) const { return !(x == mark); }
};
struct is_below
{
  u64 bound;
  template <class T>
  REHEAT_HOST_DEVICE bool operator()(const T& x) const
  {
    return static_cast<u64>(x) < bound;
  }
};
struct is_at
{
  u64 place;
  REHEAT_HOST_DEVICE bool operator()(u64 x) const { return x == place; }
};

//! 3 bytes, and 48 that a thread does not hold; the latter's copy constructor does more than copy bytes.
struct three_bytes
{
  u8 byte[3];
  friend REHEAT_HOST_DEVICE bool operator==(const three_bytes& x, const three_bytes& y)
  {
    return x.byte[0] == y.byte[0] && x.byte[1] == y.byte[1] && x.byte[2] == y.byte[2];
  }
};
struct large_item
{
  u32 number, copy_of_number[11];
  REHEAT_HOST_DEVICE explicit large_item(u32 x = 0) : number(x) { fill(); }
  REHEAT_HOST_DEVICE large_item(const large_item& other) : number(other.number) { fill(); }
  large_item& operator=(const large_item&) = default;
  friend REHEAT_HOST_DEVICE bool operator==(const large_item& x, const large_item& y)
  {
    return x.number == y.copy_of_number[10];
  }
  friend REHEAT_HOST_DEVICE bool operator<(const large_item& x, const large_item& y)
  {
    return x.number < y.copy_of_number[10];
  }
  friend REHEAT_HOST_DEVICE bool operator>(const large_item& x, const large_item& y) { return y < x; }

private:
  REHEAT_HOST_DEVICE void fill()
  {
    for (u32& each : copy_of_number)
    {
      each = number;
    }
  }
};

template <class T>
T make(u32 x)
{
  return T(x);
}
template <>
three_bytes make<three_bytes>(u32 x)
{
  return {{static_cast<u8>(x), 1, static_cast<u8>(2 * x)}};
}

//! Boundaries of vectors, tiles, and the head; several tiles for each block.
template <class... In>
std::vector<std::size_t> search_sizes()
{
  const std::size_t tile = search_shape<In...>().tile_items(), head = search_head<In...>(), from = search_with_head<In...>();
  const std::size_t all = head + search_shape<In...>().max_blocks * tile;
  return {1,        2,        15,   16,          17,      31,  33,      tile - 1,    tile,
          tile + 1, from - 1, from, head + tile, all - 1, all, all + 1, 2 * all + 77};
}

//! Places in `size` items at which a hit may be lost, and `size`, where there is none.
template <class... In>
std::vector<std::size_t> places_in(std::size_t size)
{
  const std::size_t tile = search_shape<In...>().tile_items(), head = search_head<In...>();
  std::vector<std::size_t> places{size};
  for (const std::size_t place : {std::size_t(0), std::size_t(1), size / 3, tile - 1, tile, head - 1, head, head + tile - 1,
                                  head + tile, size - size % tile, size - 2, size - 1})
  {
    if (place < size)
    {
      places.push_back(place);
    }
  }
  return places;
}

//! Every search for the mark in ones.
template <class T>
void check_marks()
{
  const T one = make<T>(1), mark = make<T>(7);
  for (const std::size_t size : search_sizes<T>())
  {
    thrust::device_vector<T> in = to_device(std::vector<T>(size, one));
    const thrust::device_vector<T> ones = in;
    T* const first = raw(in);
    T* const last = first + size;
    for (const std::size_t place : places_in<T>(size))
    {
      const bool hit = place < size;
      if (hit)
      {
        in[place] = mark;
      }
      BOOST_TEST_CONTEXT(type_name<T>() << ", a hit at " << place << " of " << size)
      {
        const auto check = [&](const char* what, const T* found)
        { check_place(what, size, static_cast<std::ptrdiff_t>(place), found - first); };
        check("find", thrust::find(reheat::par, first, last, mark));
        check("find_if", thrust::find_if(reheat::par, first, last, is_marked<T>{mark}));
        check("find_if_not", thrust::find_if_not(reheat::par, first, last, is_not_marked<T>{mark}));
        BOOST_TEST(thrust::any_of(reheat::par, first, last, is_marked<T>{mark}) == hit);
        BOOST_TEST(thrust::none_of(reheat::par, first, last, is_marked<T>{mark}) == !hit);
        BOOST_TEST(thrust::all_of(reheat::par, first, last, is_not_marked<T>{mark}) == !hit);
        const auto both = thrust::mismatch(reheat::par, first, last, raw(ones));
        check("mismatch", both.first);
        check("mismatch, second", first + (both.second - raw(ones)));
        BOOST_TEST(thrust::equal(reheat::par, first, last, raw(ones)) == !hit);
      }
      if (hit)
      {
        in[place] = one;
      }
    }
  }
}

//! A range and where it stops ascending, through calls with and without a comparison.
template <class T>
void check_ascent(const std::vector<T>& items, std::size_t misalignment)
{
  std::vector<T> behind_others(misalignment, T(0));
  behind_others.insert(behind_others.end(), items.begin(), items.end());
  const thrust::device_vector<T> in = to_device(behind_others);
  const T *const first = raw(in) + misalignment, *const last = first + items.size();
  const auto expected = std::is_sorted_until(items.begin(), items.end()) - items.begin();
  const auto descent = std::is_sorted_until(items.begin(), items.end(), std::greater<T>()) - items.begin();
  const bool sorted = expected == static_cast<std::ptrdiff_t>(items.size());
  const thrust::greater<T> greater{};
  check_place("is_sorted_until", items.size(), expected, thrust::is_sorted_until(reheat::par, first, last) - first);
  check_place("is_sorted_until, greater", items.size(), descent,
              thrust::is_sorted_until(reheat::par, first, last, greater) - first);
  BOOST_TEST(thrust::is_sorted(reheat::par, first, last) == sorted);
  BOOST_TEST(thrust::is_sorted(reheat::par, first, last, greater) == (descent == static_cast<std::ptrdiff_t>(items.size())));
}

} // namespace

// ---- one hit, several hits, none ----------------------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(a_hit_is_found_wherever_it_stands)
{
  check_marks<u8>();
  check_marks<u16>();
  check_marks<u32>();
  check_marks<double>();
}
BOOST_AUTO_TEST_CASE(a_hit_is_found_among_items_of_odd_sizes_and_items_that_are_not_copied_by_their_bytes)
{
  check_marks<three_bytes>();
  check_marks<large_item>();
}

BOOST_AUTO_TEST_CASE(the_first_of_several_hits_is_found)
{
  std::mt19937 random(1);
  const std::size_t tile = search_shape<u32>().tile_items();
  const std::size_t size = search_head<u32>() + 3 * search_shape<u32>().max_blocks * tile + 5;
  for (int round = 0; round < 20; ++round)
  {
    std::vector<u32> items(size, 1u), ones = items;
    std::size_t at = random() % size;
    for (int more = 0; more < 40 && at < size; ++more, at += 1 + random() % (round % 2 == 0 ? tile : 9))
    {
      items[at] = 7;
    }
    const thrust::device_vector<u32> in = to_device(items), others = to_device(ones);
    const auto expected = std::find(items.begin(), items.end(), 7u) - items.begin();
    const auto expected_end = std::is_sorted_until(items.begin(), items.end()) - items.begin();
    for_each_seed(5,
                  [&]
                  {
                    check_place("find", size, expected, thrust::find(reheat::par, in.begin(), in.end(), 7u) - in.begin());
                    const auto both = thrust::mismatch(reheat::par, in.begin(), in.end(), others.begin());
                    check_place("mismatch", size, expected, both.first - in.begin());
                    check_place("is_sorted_until", size, expected_end,
                                thrust::is_sorted_until(reheat::par, in.begin(), in.end()) - in.begin());
                  });
  }
}

BOOST_AUTO_TEST_CASE(ranges_may_begin_at_any_item)
{
  const auto check = [](auto of_type)
  {
    using T = decltype(of_type);
    const std::size_t from = search_with_head<T>();
    for (const std::size_t size :
         {std::size_t(50), from + search_shape<T>().max_blocks * search_shape<T>().tile_items() + 3})
    {
      for (std::size_t offset = 0; offset < 17; offset += size < from || emulated ? 1 : 5)
      {
        for (const std::size_t hit : {std::size_t(0), size - 1, size})
        {
          std::vector<T> items(size, T(1));
          placed<T> others(items, offset / 2);
          if (hit < size)
          {
            items[hit] = T(7);
          }
          placed<T> in(items, offset);
          BOOST_TEST_CONTEXT(type_name<T>() << ", " << offset << " items behind 16 bytes")
          {
            const auto place = static_cast<std::ptrdiff_t>(hit);
            check_place("find", size, place, thrust::find(reheat::par, in.begin(), in.end(), T(7)) - in.begin());
            const auto both = thrust::mismatch(reheat::par, in.begin(), in.end(), others.begin());
            check_place("mismatch", size, place, both.first - in.begin());
            BOOST_TEST(thrust::is_sorted(reheat::par, in.begin(), in.end()) == (hit != 0));
          }
        }
      }
    }
  };
  check(u8());
  check(u16());
  check(u32());
  check(u64());
}

BOOST_AUTO_TEST_CASE(an_early_hit_spares_the_rest_of_the_range)
{
  const std::size_t head = search_head<u32>();
  std::vector<u32> items(search_with_head<u32>() + head, 0u);
  items[head / 2] = 1;
  const thrust::device_vector<u32> memory = to_device(items);
  const auto size = static_cast<std::ptrdiff_t>(items.size());
  std::vector<unsigned> expected(items.size() + 1, 0u);
  std::fill(expected.begin(), expected.begin() + static_cast<std::ptrdiff_t>(head), 1u);
  const auto check = [&](const char* what, auto ask)
  {
    thrust::device_vector<unsigned> counter(items.size() + 1, 0u);
    const auto first = thrust::make_transform_iterator(counting(0), watched_read<u32>{raw(memory), raw(counter), size});
    BOOST_TEST(ask(first, first + size), what);
    check_same(std::string(what) + ", reads of each item", expected, to_host(counter));
  };
  check("any_of", [](auto first, auto last) { return thrust::any_of(reheat::par, first, last, is_at{1}); });
  check("all_of", [](auto first, auto last) { return !thrust::all_of(reheat::par, first, last, is_below{1}); });
  check("none_of", [](auto first, auto last) { return !thrust::none_of(reheat::par, first, last, is_at{1}); });
  check("find", [&](auto first, auto last)
        { return thrust::find(reheat::par, first, last, 1u) == first + static_cast<std::ptrdiff_t>(head / 2); });
}

BOOST_AUTO_TEST_CASE(searches_through_iterators_read_each_item_once)
{
  for (const std::size_t size : search_sizes<u32>())
  {
    watched_input<u32> in(std::vector<u32>(size, 1u));
    BOOST_TEST((thrust::find(reheat::par, in.begin(), in.end(), 7u) == in.end()));
    in.check(1, "find");
  }
}

// ---- what a launch leaves to the next -----------------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(searches_of_one_stream_do_not_see_each_others_hits)
{
  stream s;
  const std::size_t tile = search_shape<u32>().tile_items(), head = search_head<u32>();
  const std::size_t size = head + 4 * search_shape<u32>().max_blocks * tile;
  thrust::device_vector<u32> in(size, 1u);
  const auto search = [&](std::size_t place)
  {
    in[place] = 7;
    const auto found = thrust::find(reheat::par.on(s.get()), in.begin(), in.end(), 7u) - in.begin();
    check_place("find", size, static_cast<std::ptrdiff_t>(place), found);
    in[place] = 1;
  };
  for (const std::uint32_t launches : {std::uint32_t(1), reheat::detail::last_epoch - 3})
  {
    search(head); // the stream has a workspace now
    set_launch_count(s.get(), launches);
    for (const std::size_t place : {size - 1, head, size - 1, head + 5 * tile, size / 2, head - 1, size - 2})
    {
      search(place);
    }
  }
}

// ---- two ranges ---------------------------------------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(ranges_of_two_types_are_compared_in_the_first_ones_type)
{
  std::vector<u8> items(3000, u8(44));
  std::vector<u32> others(3000, 300u); // 300 is 44 as a u8
  others[2000] = 301;
  const thrust::device_vector<u8> in = to_device(items);
  const thrust::device_vector<u32> more = to_device(others);
  const auto narrow = thrust::mismatch(reheat::par, in.begin(), in.end(), more.begin());
  check_place("as u8", 3000, 2000, narrow.first - in.begin());
  check_place("as u8, second", 3000, 2000, narrow.second - more.begin());
  check_place("as u32", 3000, 0, thrust::mismatch(reheat::par, more.begin(), more.end(), in.begin()).first - more.begin());
  BOOST_TEST(!thrust::equal(reheat::par, in.begin(), in.end(), more.begin()));
  BOOST_TEST(thrust::equal(reheat::par, in.begin(), in.begin() + 2000, more.begin()));
  const auto ours = thrust::mismatch(reheat::par, in.begin(), in.end(), more.begin(), thrust::less<u32>());
  check_place("less", 3000, 3000, ours.first - in.begin());
}

// ---- order --------------------------------------------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(ascents_end_where_the_standard_says)
{
  const auto check = [](auto of_type)
  {
    using T = decltype(of_type);
    std::mt19937 random(2);
    for (const std::size_t size : search_sizes<T>())
    {
      for (const std::size_t place : places_in<T>(size))
      {
        std::vector<T> items(size);
        for (std::size_t i = 0; i < size; ++i)
        {
          items[i] = static_cast<T>(2 + 200 * i / size); // equal neighbours ascend, too
        }
        if (place < size)
        {
          items[place] = static_cast<T>(random() % 2 == 0 ? 0 : 250);
        }
        check_ascent(items, random() % 3);
      }
    }
  };
  check(u8());
  check(u32());
  check(large_item());
}

BOOST_AUTO_TEST_CASE(partitions_are_recognised)
{
  for (const std::size_t size : search_sizes<u32>())
  {
    for (const std::size_t place : places_in<u32>(size))
    {
      std::vector<u32> items(size, 1u);
      std::fill(items.begin() + static_cast<std::ptrdiff_t>(place), items.end(), 9u);
      const auto check = [&]
      {
        const thrust::device_vector<u32> in = to_device(items);
        const bool expected = std::is_partitioned(items.begin(), items.end(), is_below{5});
        BOOST_TEST(thrust::is_partitioned(reheat::par, in.begin(), in.end(), is_below{5}) == expected);
        if (expected)
        {
          const auto end = std::find(items.begin(), items.end(), 9u) - items.begin();
          check_place("partition_point", size, end,
                      thrust::partition_point(reheat::par, in.begin(), in.end(), is_below{5}) - in.begin());
        }
      };
      check();
      std::reverse(items.begin(), items.end());
      check();
      items.back() = 9;
      check();
    }
  }
}

BOOST_AUTO_TEST_CASE(partition_points_are_found_at_every_place)
{
  const std::size_t threads = reheat::detail::partition_point_threads(kernel_arch());
  for (const std::size_t size : {std::size_t(1), std::size_t(2), std::size_t(40), threads, threads + 1, threads + 2,
                                 emulated ? 3 * threads : std::size_t(200)})
  {
    for (std::size_t place = 0; place <= size; place += size < 300 || emulated ? 1 : 7)
    {
      const auto first = counting(0), last = counting(static_cast<std::ptrdiff_t>(size));
      check_place("partition_point", size, static_cast<std::ptrdiff_t>(place),
                  thrust::partition_point(reheat::par, first, last, is_below{place}) - first);
    }
  }
  const std::ptrdiff_t many = std::ptrdiff_t{1} << 41;
  for (const std::ptrdiff_t place :
       {std::ptrdiff_t(0), (std::ptrdiff_t{1} << 31) + 1, (std::ptrdiff_t{1} << 32) + 1, many - 1, many})
  {
    const auto found = thrust::partition_point(reheat::par, counting(0), counting(many), is_below{static_cast<u64>(place)});
    check_place("partition_point", static_cast<std::size_t>(many), place, found - counting(0));
  }
}

// ---- special values, special iterators ----------------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(nan_equals_nothing_and_is_less_than_nothing)
{
  const float nan = std::numeric_limits<float>::quiet_NaN();
  std::vector<float> items(3000, 1.f);
  items[1700] = nan;
  items[2000] = -0.f;
  const thrust::device_vector<float> in = to_device(items);
  BOOST_TEST((thrust::find(reheat::par, in.begin(), in.end(), nan) == in.end()));
  check_place("find of zero", 3000, 2000, thrust::find(reheat::par, in.begin(), in.end(), 0.f) - in.begin());
  check_place("mismatch", 3000, 1700, thrust::mismatch(reheat::par, in.begin(), in.end(), in.begin()).first - in.begin());
  BOOST_TEST(!thrust::equal(reheat::par, in.begin(), in.end(), in.begin()));
  check_place("is_sorted_until", 3000, 2000, thrust::is_sorted_until(reheat::par, in.begin(), in.end()) - in.begin());
}

BOOST_AUTO_TEST_CASE(items_may_be_zipped_mapped_or_counted)
{
  const std::size_t size = search_with_head<u32>() + 5 * search_shape<u32>().tile_items();
  std::vector<u32> numbers(size), ones(size, 1u);
  std::iota(numbers.begin(), numbers.end(), 0u);
  ones[size - 3] = 2;
  const thrust::device_vector<u32> left = to_device(numbers), right = to_device(ones);
  const auto zipped = thrust::make_zip_iterator(thrust::make_tuple(left.begin(), right.begin()));
  using pair = thrust::tuple<u32, u32>;
  const auto place = static_cast<u32>(size - 3);
  check_place("find in zipped items", size, place,
              thrust::find(reheat::par, zipped, zipped + size, pair(place, 2u)) - zipped);
  BOOST_TEST(thrust::equal(reheat::par, left.begin(), left.end(), thrust::counting_iterator<u32>(0)));
  const auto halves = thrust::make_transform_iterator(left.begin(), is_below{place});
  check_place("find in mapped items", size, place, thrust::find(reheat::par, halves, halves + size, false) - halves);
  BOOST_TEST(thrust::is_sorted(reheat::par, zipped, zipped + size));
  BOOST_TEST(thrust::is_partitioned(reheat::par, left.begin(), left.end(), is_below{place}));
}

BOOST_AUTO_TEST_CASE(a_hit_at_the_front_of_2_to_the_40_items_is_found_at_once)
{
  const std::ptrdiff_t many = std::ptrdiff_t{1} << 40;
  const thrust::counting_iterator<u64> first(0);
  for (const u64 place : {u64(0), u64(search_head<u64>()), u64(search_head<u64>()) + 12345})
  {
    check_place("find_if", static_cast<std::size_t>(many), static_cast<std::ptrdiff_t>(place),
                thrust::find_if(reheat::par, first, first + many, is_at{place}) - first);
    BOOST_TEST(thrust::any_of(reheat::par, first, first + many, is_at{place}));
  }
}

// ---- empty and negative ranges ------------------------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(ranges_without_items_give_their_end_and_call_nothing)
{
  const thrust::device_vector<u32> in(10, 1u);
  const auto first = in.begin() + 4;
  for (const auto last : {first, first - 2})
  {
    const auto others = in.begin() + 5;
    BOOST_TEST((thrust::find(reheat::par, first, last, 1u) == last));
    BOOST_TEST((thrust::find_if(reheat::par, first, last, is_below{9}) == last));
    BOOST_TEST((thrust::find_if_not(reheat::par, first, last, is_below{0}) == last));
    BOOST_TEST((thrust::mismatch(reheat::par, first, last, others) == thrust::make_pair(last, others + (last - first))));
    BOOST_TEST(thrust::equal(reheat::par, first, last, others));
    BOOST_TEST(thrust::is_sorted(reheat::par, first, last));
    BOOST_TEST((thrust::is_sorted_until(reheat::par, first, last) == last));
    BOOST_TEST(thrust::is_partitioned(reheat::par, first, last, is_below{0}));
    BOOST_TEST((thrust::partition_point(reheat::par, first, last, is_below{9}) == last));
  }
  const u32* const null = nullptr;
  BOOST_TEST((thrust::find(reheat::par, null, null, 1u) == null));
  BOOST_TEST(thrust::is_sorted(reheat::par, null, null));
}

BOOST_AUTO_TEST_CASE(two_ranges_may_each_have_an_end)
{
#if THRUST_VERSION >= 300400
  const thrust::device_vector<u32> ones(1000, 1u);
  for (const std::size_t others : {0, 1, 999, 1000, 1500})
  {
    thrust::device_vector<u32> other(others, 1u);
    const auto shorter = static_cast<std::ptrdiff_t>(std::min(others, ones.size()));
    const auto check = [&](std::ptrdiff_t expected)
    {
      const auto plain = thrust::mismatch(reheat::par, ones.begin(), ones.end(), other.begin(), other.end());
      const auto asked =
          thrust::mismatch(reheat::par, ones.begin(), ones.end(), other.begin(), other.end(), thrust::equal_to<u32>{});
      BOOST_TEST((plain.first - ones.begin() == expected));
      BOOST_TEST((plain.second - other.begin() == expected));
      BOOST_TEST((asked.first - ones.begin() == expected));
      BOOST_TEST((asked.second - other.begin() == expected));
    };
    check(shorter);
    if (others > 500)
    {
      other[500] = 2;
      check(500);
    }
  }
#else
  BOOST_TEST_MESSAGE("not checked: the second range has no end before CCCL 3.4");
#endif
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! unique, unique_copy, unique_by_key, unique_by_key_copy, unique_count.

#include "../support/calls.hpp"
#include "../support/runs.hpp"

#include <thrust/iterator/discard_iterator.h>
#include <thrust/iterator/transform_output_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/unique.h>

#include <string>
#include <vector>

using namespace compat;

BOOST_AUTO_TEST_SUITE(family)

namespace
{

using u8 = std::uint8_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;

//! Of values of any type.
struct same_value
{
  template <class T>
  REHEAT_HOST_DEVICE bool operator()(const T& x, const T& y) const
  {
    return values<T>::same(x, y);
  }
};
struct same_half
{
  REHEAT_HOST_DEVICE bool operator()(u32 x, u32 y) const { return x / 2 == y / 2; }
};
//! Neither symmetric nor transitive.
struct is_next_or_lower
{
  REHEAT_HOST_DEVICE bool operator()(u32 x, u32 y) const { return y <= x + 1; }
};
struct three_times
{
  REHEAT_HOST_DEVICE u32 operator()(u32 x) const { return 3 * x; }
};
struct same_first
{
  template <class Pair>
  REHEAT_HOST_DEVICE bool operator()(const Pair& x, const Pair& y) const
  {
    return thrust::get<0>(x) == thrust::get<0>(y);
  }
};

//! Counts how often it is asked about each number below `size` and the one before it; about others in counter[size].
struct counted_pair
{
  unsigned* counter;
  u32 size;
  REHEAT_HOST_DEVICE bool operator()(u32 previous, u32 own) const
  {
    count_up(counter + (own == previous + 1 && own < size ? own : size));
    return own % 3 != 0;
  }
};

//! Its call operator changes it, and returns no truth value but a number.
struct counting_equality
{
  u32 calls = 0;
  REHEAT_HOST_DEVICE u32 operator()(const u32& x, const u32& y)
  {
    ++calls;
    return x == y ? 6 : 0;
  }
};

//! Input and output are aligned or not; also in place. The output has room for the items that are kept, and no more.
template <class T>
void check_items(std::size_t size, run_lengths lengths, std::size_t in_behind, std::size_t out_behind)
{
  const std::vector<T> items = make_runs<T>(size, lengths), expected = unique_reference(items, items, same_value{});
  placed<T> in(items, in_behind);
  for_each_seed(3,
                [&]
                {
                  placed<T> out(expected.size(), out_behind), both(items, in_behind);
                  BOOST_TEST(
                      (thrust::unique_copy(reheat::par, in.begin(), in.end(), out.begin(), same_value{}) == out.end()));
                  check_same("unique_copy", expected, out.items());
                  T* const end = thrust::unique(reheat::par, both.begin(), both.end(), same_value{});
                  BOOST_TEST((end == both.begin() + expected.size()));
                  check_same("unique", unique_in_place_reference(expected, items), both.items());
                  BOOST_TEST((thrust::unique_count(reheat::par, in.begin(), in.end(), same_value{}) ==
                              static_cast<std::ptrdiff_t>(expected.size())));
                });
}

//! The same with values.
template <class Key, class Value>
void check_by_key(std::size_t size, run_lengths lengths, std::size_t keys_behind, std::size_t values_behind)
{
  const std::vector<Key> keys = make_runs<Key>(size, lengths), kept_keys = unique_reference(keys, keys, same_value{});
  const std::vector<Value> items = make_items<Value>(size, 3), kept = unique_reference(keys, items, same_value{});
  placed<Key> key_in(keys, keys_behind);
  placed<Value> in(items, values_behind);
  for_each_seed(3,
                [&]
                {
                  placed<Key> key_out(kept.size(), values_behind), own_keys(keys, keys_behind);
                  placed<Value> out(kept.size(), keys_behind), own(items, values_behind);
                  const auto ends = thrust::unique_by_key_copy(reheat::par, key_in.begin(), key_in.end(), in.begin(),
                                                               key_out.begin(), out.begin(), same_value{});
                  BOOST_TEST((ends.first == key_out.end() && ends.second == out.end()));
                  check_same("unique_by_key_copy, keys", kept_keys, key_out.items());
                  check_same("unique_by_key_copy, values", kept, out.items());
                  thrust::unique_by_key(reheat::par, own_keys.begin(), own_keys.end(), own.begin(), same_value{});
                  check_same("unique_by_key, keys", unique_in_place_reference(kept_keys, keys), own_keys.items());
                  check_same("unique_by_key, values", unique_in_place_reference(kept, items), own.items());
                });
}

template <class T>
void check_items_of_all()
{
  for (const run_lengths lengths : all_run_lengths)
  {
    for (const std::size_t size : few_sizes_and_many(unique_tile<T>()))
    {
      check_items<T>(size, lengths, 0, 0);
      check_items<T>(size, lengths, 1, 2);
    }
  }
}
template <class Key, class Value>
void check_by_key_of_all()
{
  for (const run_lengths lengths : all_run_lengths)
  {
    for (const std::size_t size : few_sizes(unique_tile<Key, sizeof(Value)>()))
    {
      check_by_key<Key, Value>(size, lengths, 0, 0);
      check_by_key<Key, Value>(size, lengths, 1, 3);
    }
  }
}

} // namespace

BOOST_AUTO_TEST_SUITE(uniques)

BOOST_AUTO_TEST_CASE(every_form_gives_the_reference_and_upstreams_result)
{
  constexpr u32 never_written = 0xabcdef01u;
  for (const run_lengths lengths : all_run_lengths)
  {
    for (const std::size_t size : boundary_sizes(unique_tile<u32>()))
    {
      const std::vector<u32> items = make_runs<u32>(size, lengths), beside = make_items<u32>(size, 5);
      const thrust::device_vector<u32> in = to_device(items), in_values = to_device(beside);
      thrust::device_vector<u32> out(size + 1, never_written), values_out(out), place(in), value_place(in_values);
      const auto copied = [&](const std::string& what, std::vector<u32> expected, auto end, thrust::device_vector<u32>& to)
      {
        BOOST_TEST((end - to.begin() == static_cast<std::ptrdiff_t>(expected.size())), what);
        expected.resize(size + 1, never_written);
        check_same(what, expected, to_host(to));
        thrust::fill(to.begin(), to.end(), never_written);
      };
      // What the standard leaves behind the end is unspecified.
      const auto left = [&](const std::string& what, const std::vector<u32>& expected, auto end,
                            thrust::device_vector<u32>& in_place, const thrust::device_vector<u32>& before)
      {
        BOOST_TEST((end - in_place.begin() == static_cast<std::ptrdiff_t>(expected.size())), what);
        check_same(what, expected, to_host(in_place, 0, expected.size()));
        in_place = before;
      };
      const auto check_all = [&](const std::string& who, const auto& policy)
      {
        const auto first = in.begin(), last = in.end(), with = in_values.begin();
        const auto check_form = [&](const std::string& form, auto equal, auto... given)
        {
          const std::string what = who + form;
          const std::vector<u32> kept = unique_reference(items, items, equal);
          const std::vector<u32> kept_values = unique_reference(items, beside, equal);
          copied(what + "unique_copy", kept, thrust::unique_copy(policy, first, last, out.begin(), given...), out);
          left(what + "unique", kept, thrust::unique(policy, place.begin(), place.end(), given...), place, in);
          BOOST_TEST((thrust::unique_count(policy, first, last, given...) == static_cast<std::ptrdiff_t>(kept.size())),
                     what);
          const auto ends = thrust::unique_by_key_copy(policy, first, last, with, out.begin(), values_out.begin(), given...);
          copied(what + "unique_by_key_copy, keys", kept, ends.first, out);
          copied(what + "unique_by_key_copy, values", kept_values, ends.second, values_out);
          const auto left_ends = thrust::unique_by_key(policy, place.begin(), place.end(), value_place.begin(), given...);
          left(what + "unique_by_key, keys", kept, left_ends.first, place, in);
          left(what + "unique_by_key, values", kept_values, left_ends.second, value_place, in_values);
        };
        check_form("", thrust::equal_to<u32>{});
        check_form("by halves, ", same_half{}, same_half{});
      };
      for_each_seed(2, [&] { check_all("", reheat::par); });
      check_all("upstream, ", upstream);
    }
  }
}

BOOST_AUTO_TEST_CASE(bytes)
{
  check_items_of_all<u8>();
}
BOOST_AUTO_TEST_CASE(halves)
{
  check_items_of_all<u16>();
}
BOOST_AUTO_TEST_CASE(words_of_8_bytes)
{
  check_items_of_all<u64>();
}
BOOST_AUTO_TEST_CASE(structs_of_12_and_256_bytes_and_objects)
{
  check_items_of_all<words<3>>();
  check_items_of_all<words<64>>();
  check_items_of_all<tracked<false>>();
  check_items_of_all<text>();
}

BOOST_AUTO_TEST_CASE(keys_and_values_of_all_widths)
{
  check_by_key_of_all<u8, u8>();
  check_by_key_of_all<u8, u64>();
  check_by_key_of_all<u32, u32>();
  check_by_key_of_all<u64, u16>();
  check_by_key_of_all<words<3>, text>();
  check_by_key_of_all<tracked<false>, u32>();
}

//! Words of bytes are compared at a time if the predicate is the standard's.
template <class T>
void check_equality(std::size_t size, run_lengths lengths, std::size_t in_behind, std::size_t out_behind)
{
  std::vector<T> items;
  for (const u64 number : make_run_numbers(size, lengths))
  {
    items.push_back(static_cast<T>(number * 0x8101u)); // runs differ in any bit, the highest, too
  }
  const std::vector<T> expected = unique_reference(items, items, thrust::equal_to<T>{});
  placed<T> in(items, in_behind), both(items, in_behind), out(expected.size(), out_behind);
  thrust::unique_copy(reheat::par, in.begin(), in.end(), out.begin());
  check_same("unique_copy", expected, out.items());
  thrust::unique(reheat::par, both.begin(), both.end());
  check_same("unique", unique_in_place_reference(expected, items), both.items());
}

BOOST_AUTO_TEST_CASE(bytes_and_halves_are_equal_if_all_their_bits_are)
{
  for (const run_lengths lengths : all_run_lengths)
  {
    for (std::size_t behind = 0; behind < 16; ++behind)
    {
      check_equality<u8>(3 * unique_tile<u8>() + 5, lengths, behind, 15 - behind);
      check_equality<std::int8_t>(2 * unique_tile<u8>() + 9, lengths, 0, behind);
      check_equality<u16>(2 * unique_tile<u16>() + 5, lengths, behind % 8, behind % 5);
      check_equality<std::int16_t>(3 * unique_tile<u16>() - 1, lengths, 3, behind % 8);
    }
  }
}

BOOST_AUTO_TEST_CASE(in_place_under_many_schedules)
{
  for (const run_lengths lengths : {run_lengths::of_one, run_lengths::mixed, run_lengths::of_dozens, run_lengths::last_item})
  {
    const std::size_t size = 9 * unique_tile<u32>() + 3;
    const std::vector<u32> items = make_runs<u32>(size, lengths);
    const std::vector<u32> expected = unique_in_place_reference(unique_reference(items, items, same_value{}), items);
    for_each_seed(many_seeds,
                  [&]
                  {
                    placed<u32> both(items, placement::aligned);
                    thrust::unique(reheat::par, both.begin(), both.end());
                    check_same("unique", expected, both.items());
                  });
  }
}

BOOST_AUTO_TEST_CASE(each_item_is_compared_once_with_the_one_before)
{
  for (const std::size_t size : few_sizes_and_many(unique_tile<u32>()))
  {
    std::vector<u32> items(size);
    for (std::size_t i = 0; i < size; ++i)
    {
      items[i] = static_cast<u32>(i);
    }
    std::vector<unsigned> once(size + 1, 1);
    once[0] = once[size] = 0;
    const thrust::device_vector<u32> in = to_device(items);
    thrust::device_vector<u32> out(size), values_out(size);
    for_each_seed(3,
                  [&]
                  {
                    thrust::device_vector<unsigned> counter(size + 1, 0u);
                    const counted_pair equal{raw(counter), static_cast<u32>(size)};
                    const auto check_once = [&](const std::string& what)
                    {
                      check_same(what, once, to_host(counter));
                      thrust::fill(counter.begin(), counter.end(), 0u);
                    };
                    thrust::unique_copy(reheat::par, in.begin(), in.end(), out.begin(), equal);
                    check_once("unique_copy");
                    BOOST_TEST((thrust::unique_count(reheat::par, in.begin(), in.end(), equal) ==
                                static_cast<std::ptrdiff_t>((size + 2) / 3)));
                    check_once("unique_count");
                    thrust::unique_by_key_copy(reheat::par, in.begin(), in.end(), in.begin(), out.begin(),
                                               values_out.begin(), equal);
                    check_once("unique_by_key_copy");
                    thrust::device_vector<u32> place(in);
                    thrust::unique(reheat::par, place.begin(), place.end(), equal);
                    check_once("unique");
                  });
  }
}

BOOST_AUTO_TEST_CASE(an_item_is_compared_with_its_predecessor_even_if_that_one_is_not_kept)
{
  const std::size_t size = 3 * unique_tile<u32>() + 7;
  std::vector<u32> items;
  for (std::size_t i = 0; i < size; ++i)
  {
    items.push_back(static_cast<u32>(i + (mix(i) % 5 == 0 ? 4 : 0)));
  }
  const std::vector<u32> expected = unique_reference(items, items, is_next_or_lower{});
  const thrust::device_vector<u32> in = to_device(items);
  thrust::device_vector<u32> out(expected.size());
  BOOST_TEST((thrust::unique_copy(reheat::par, in.begin(), in.end(), out.begin(), is_next_or_lower{}) == out.end()));
  check_same("unique_copy", expected, to_host(out));
}

BOOST_AUTO_TEST_CASE(iterators_that_are_no_memory)
{
  for (const std::size_t size : few_sizes_and_many(unique_tile<u64>()))
  {
    const std::vector<u32> items = make_runs<u32>(size, run_lengths::mixed);
    std::vector<std::ptrdiff_t> places(size);
    for (std::size_t i = 0; i < size; ++i)
    {
      places[i] = static_cast<std::ptrdiff_t>(i);
    }
    const std::vector<u32> kept = unique_reference(items, items, same_value{});
    const std::vector<std::ptrdiff_t> kept_places = unique_reference(items, places, same_value{});
    const auto count = static_cast<std::ptrdiff_t>(kept.size()), end = static_cast<std::ptrdiff_t>(size);
    const thrust::device_vector<u32> in = to_device(items);

    // Items once read, but for the last ones of tiles; positions once written; values that are counted.
    watched_output<u32> watched(kept.size());
    thrust::unique_copy(reheat::par, in.begin(), in.end(), watched.begin());
    watched.check("the output");
    check_same("watched output", kept, watched.items());
    thrust::device_vector<std::ptrdiff_t> found(kept.size());
    const auto discard = thrust::make_discard_iterator();
    const auto ends =
        thrust::unique_by_key_copy(reheat::par, in.begin(), in.end(), counting(0), discard, found.begin(), same_value{});
    BOOST_TEST((ends.first - discard == count && ends.second == found.end()));
    check_same("the places of runs", kept_places, to_host(found));

    std::vector<u32> tripled;
    for (const u32 item : kept)
    {
      tripled.push_back(3 * item);
    }
    thrust::device_vector<u32> out(kept.size());
    thrust::unique_copy(reheat::par, in.begin(), in.end(),
                        thrust::make_transform_output_iterator(out.begin(), three_times{}));
    check_same("three times the items", tripled, to_host(out));
    const auto halved = thrust::make_transform_iterator(in.begin(), three_times{});
    thrust::unique_copy(reheat::par, halved, halved + end, out.begin());
    check_same("of a transform iterator", tripled, to_host(out));
    BOOST_TEST((thrust::unique_count(reheat::par, halved, halved + end) == count));

    // Pairs, in the same memory.
    thrust::device_vector<u32> firsts(in);
    const thrust::device_vector<std::ptrdiff_t> all_places = to_device(places);
    thrust::device_vector<std::ptrdiff_t> seconds(all_places);
    const auto pairs = thrust::make_zip_iterator(thrust::make_tuple(firsts.begin(), seconds.begin()));
    for_each_seed(3,
                  [&]
                  {
                    thrust::copy(in.begin(), in.end(), firsts.begin());
                    thrust::copy(all_places.begin(), all_places.end(), seconds.begin());
                    BOOST_TEST((thrust::unique(reheat::par, pairs, pairs + end, same_first{}) - pairs == count));
                    check_same("first of pairs", unique_in_place_reference(kept, items), to_host(firsts));
                    check_same("second of pairs", unique_in_place_reference(kept_places, places), to_host(seconds));
                  });
  }
}

BOOST_AUTO_TEST_CASE(predicates_may_change_themselves_and_return_numbers)
{
  const std::size_t size = 3 * unique_tile<u32>() + 1;
  const std::vector<u32> items = make_runs<u32>(size, run_lengths::mixed);
  const std::vector<u32> expected = unique_reference(items, items, same_value{});
  const thrust::device_vector<u32> in = to_device(items);
  thrust::device_vector<u32> out(expected.size());
  BOOST_TEST((thrust::unique_copy(reheat::par, in.begin(), in.end(), out.begin(), counting_equality{}) == out.end()));
  check_same("unique_copy", expected, to_host(out));
  BOOST_TEST((thrust::unique_count(reheat::par, in.begin(), in.end(), counting_equality{}) ==
              static_cast<std::ptrdiff_t>(expected.size())));
}

BOOST_AUTO_TEST_CASE(ranges_without_items_and_negative_ones_give_the_beginning)
{
  thrust::device_vector<u32> in(10, 1u), out(10, 5u), values_out(10, 5u);
  const auto at = in.begin() + 4;
  for (const auto last : {at, in.begin() + 1})
  {
    BOOST_TEST((thrust::unique_copy(reheat::par, at, last, out.begin()) == out.begin()));
    BOOST_TEST((thrust::unique(reheat::par, at, last) == at));
    BOOST_TEST((thrust::unique_count(reheat::par, at, last) == 0));
    const auto ends = thrust::unique_by_key_copy(reheat::par, at, last, at, out.begin(), values_out.begin());
    BOOST_TEST((ends.first == out.begin() && ends.second == values_out.begin()));
    BOOST_TEST((thrust::unique_by_key(reheat::par, at, last, out.begin()).second == out.begin()));
  }
  check_same("nothing is written", std::vector<u32>(10, 5), to_host(out));
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! copy_if, remove, remove_if, remove_copy, remove_copy_if.

#include "../support/calls.hpp"
#include "../support/selections.hpp"

#include <thrust/copy.h>
#include <thrust/iterator/discard_iterator.h>
#include <thrust/iterator/transform_output_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/remove.h>
#include <thrust/unique.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <string>
#include <type_traits>
#include <vector>

using namespace compat;

BOOST_AUTO_TEST_SUITE(family)

namespace
{

using u8 = std::uint8_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;

//! What lies behind the results must stay as it was.
inline constexpr u32 never_stored = 0xabcdef01u;

struct has_odd_value
{
  REHEAT_HOST_DEVICE bool operator()(u32 x) const { return x % 2 == 1; }
};
struct is_even
{
  REHEAT_HOST_DEVICE bool operator()(u32 x) const { return x % 2 == 0; }
};
struct times_two
{
  REHEAT_HOST_DEVICE u32 operator()(u32 x) const { return 2 * x; }
};

struct is_no_flag
{
  template <class Flag>
  REHEAT_HOST_DEVICE bool operator()(const Flag& flag) const
  {
    return flag % 2 == 0;
  }
};
struct one_in_four
{
  REHEAT_HOST_DEVICE bool operator()(std::ptrdiff_t i) const { return i % 4 == 1; }
};
struct is_odd_pair
{
  REHEAT_HOST_DEVICE bool operator()(const thrust::tuple<u32, std::ptrdiff_t>& pair) const
  {
    return thrust::get<0>(pair) % 2 == 1;
  }
};

//! Of memory at any alignment: by a stencil, into room for as many items as are selected, and in place.
template <class T, class Flag>
void check_stencil(std::size_t size, selected which, std::size_t in_behind, std::size_t flags_behind, std::size_t out_behind)
{
  const std::vector<T> items = make_items<T>(size, 1);
  const std::vector<Flag> flags = make_flags<Flag>(size, which);
  const std::vector<T> expected = selection_reference(items, flags);
  placed<T> in(items, in_behind);
  placed<Flag> stencil(flags, flags_behind);
  for_each_seed(3,
                [&]
                {
                  placed<T> out(expected.size(), out_behind); // no more room than there are
                  T* const end = thrust::copy_if(reheat::par, in.begin(), in.end(), stencil.begin(), out.begin(), is_flag{});
                  BOOST_TEST((end == out.end()));
                  check_same("copy_if", expected, out.items());
                });
  for_each_seed(3,
                [&]
                {
                  placed<T> both(items, in_behind);
                  T* const end = thrust::remove_if(reheat::par, both.begin(), both.end(), stencil.begin(), is_no_flag{});
                  BOOST_TEST((end == both.begin() + expected.size()));
                  check_same("in place", in_place_reference(expected, items), both.items());
                });
}

//! Of bytes and words, which are their own flags.
template <class T>
void check_predicate(std::size_t size, selected which, std::size_t in_behind, std::size_t out_behind)
{
  const std::vector<T> items = make_flags<T>(size, which), expected = selection_reference(items, items);
  placed<T> in(items, in_behind);
  for_each_seed(3,
                [&]
                {
                  placed<T> out(expected.size(), out_behind);
                  T* const end = thrust::copy_if(reheat::par, in.begin(), in.end(), out.begin(), is_flag{});
                  BOOST_TEST((end == out.end()));
                  check_same("copy_if", expected, out.items());
                });
  for_each_seed(3,
                [&]
                {
                  placed<T> both(items, in_behind);
                  T* const end = thrust::copy_if(reheat::par, both.begin(), both.end(), both.begin(), is_flag{});
                  BOOST_TEST((end == both.begin() + expected.size()));
                  check_same("in place", in_place_reference(expected, items), both.items());
                });
}

//! All selections at the borders of tiles; in memory that is aligned, and that is not.
template <class T>
void check_predicate_of_all()
{
  for (const selected which : all_selections)
  {
    for (const std::size_t size : few_sizes_and_many(select_tile<T>()))
    {
      check_predicate<T>(size, which, 0, 0);
      check_predicate<T>(size, which, 1, 2);
    }
  }
}
template <class T, class Flag>
void check_stencil_of_all()
{
  for (const selected which : all_selections)
  {
    for (const std::size_t size : few_sizes(select_tile<T, sizeof(Flag)>()))
    {
      check_stencil<T, Flag>(size, which, 0, 0, 0);
      check_stencil<T, Flag>(size, which, 1, 0, 3);
    }
  }
}

//! Sees a byte with the sign of its type.
struct is_below
{
  int limit;
  template <class Byte>
  REHEAT_HOST_DEVICE bool operator()(Byte x) const
  {
    return static_cast<int>(x) < limit;
  }
};

//! All that `before` held, but `chosen` from item `first` on.
std::vector<int> with_items(std::vector<int> before, std::size_t first, const std::vector<int>& chosen)
{
  std::copy(chosen.begin(), chosen.end(), before.begin() + static_cast<std::ptrdiff_t>(first));
  return before;
}

template <class T>
std::vector<int> numbers_of(const thrust::device_vector<T>& items)
{
  return to_host(thrust::device_vector<int>(items.begin(), items.end()));
}

//! Bytes take all values of their type. They are selected by a predicate, by themselves as a stencil, in place, and where
//! runs begin. Nothing before or behind the results is touched.
template <class T>
void check_bytes(std::size_t size, std::size_t behind, int limit)
{
  std::vector<int> items;
  for (std::size_t i = 0; i < size; ++i)
  {
    const std::uint64_t bits = mix(i / (1 + mix(i / 500) % 3)) >> 8 & (std::is_same_v<T, bool> ? 1u : 255u);
    items.push_back(static_cast<int>(static_cast<T>(bits)));
  }
  std::vector<int> chosen, starts;
  std::copy_if(items.begin(), items.end(), std::back_inserter(chosen), is_below{limit});
  std::unique_copy(items.begin(), items.end(), std::back_inserter(starts));
  const std::vector<int> room(behind + size + 1, 1), in_room = with_items(room, behind, items);
  const thrust::device_vector<T> in(in_room.begin(), in_room.end());
  const auto first = in.begin() + static_cast<std::ptrdiff_t>(behind), last = first + static_cast<std::ptrdiff_t>(size);
  for (const std::size_t out_behind : {std::size_t{0}, behind})
  {
    const auto check = [&](const std::string& what, const std::vector<int>& expected, const auto& call)
    {
      thrust::device_vector<T> out(room.size(), T(1));
      const auto begin = out.begin() + static_cast<std::ptrdiff_t>(out_behind);
      BOOST_TEST((call(begin) - begin == static_cast<std::ptrdiff_t>(expected.size())), what);
      check_same(what, with_items(room, out_behind, expected), numbers_of(out));
    };
    check("copy_if", chosen, [&](auto out) { return thrust::copy_if(reheat::par, first, last, out, is_below{limit}); });
    check("copy_if by a stencil", chosen,
          [&](auto out) { return thrust::copy_if(reheat::par, first, last, first, out, is_below{limit}); });
    check("unique_copy", starts, [&](auto out) { return thrust::unique_copy(reheat::par, first, last, out); });
  }
  thrust::device_vector<T> both(in);
  const auto begin = both.begin() + static_cast<std::ptrdiff_t>(behind);
  thrust::copy_if(reheat::par, begin, begin + static_cast<std::ptrdiff_t>(size), begin, is_below{limit});
  check_same("in place", with_items(in_room, behind, chosen), numbers_of(both));
}

//! Around the sizes at which blocks get several tiles, and beyond.
template <class T>
void check_bytes_of_type()
{
  using reheat::detail::few_tiles_size;
  using few = reheat::detail::few_tiles_tuning<reheat::detail::select_tuning<1, 0>, 1, few_tiles_size::small>;
  const std::size_t most = few::max_tiles(kernel_arch()) * few{}(kernel_arch()).tile_items(), tile = select_tile<T>();
  const int limits[] = {-100, 1, 100, 1000};
  std::size_t next = 0;
  for (const std::size_t size : {std::size_t{35}, tile - 1, most, most + 1, 7 * tile + 5, (emulated ? 40 : 300) * tile + 3})
  {
    for (std::size_t behind = 0; behind < 16; behind += 3)
    {
      check_bytes<T>(size, behind, limits[next++ % std::size(limits)]);
    }
  }
}

//! Counts how often it is asked about each number below `size`; about others in counter[size].
struct counted_question
{
  unsigned* counter;
  u32 size;
  REHEAT_HOST_DEVICE bool operator()(u32 x) const
  {
    count_up(counter + (x < size ? x : size));
    return x % 3 == 0;
  }
};

//! Its call operator changes it, and returns no truth value but a number.
struct counting_remainder
{
  u32 calls = 0;
  REHEAT_HOST_DEVICE u32 operator()(const u32& x)
  {
    ++calls;
    return x % 2 * 6;
  }
};

} // namespace

BOOST_AUTO_TEST_SUITE(selections)

BOOST_AUTO_TEST_CASE(every_form_gives_the_reference_and_upstreams_result)
{
  for (const selected which : all_selections)
  {
    for (const std::size_t size : boundary_sizes(select_tile<u32>()))
    {
      const std::vector<u32> items = make_flags<u32>(size, which), flags = make_flags<u32>(size, selected::nine_tenths);
      const u32 value = items.empty() ? 0 : items[size / 2];
      std::vector<u32> others;
      for (const u32 item : items)
      {
        if (item != value)
        {
          others.push_back(item);
        }
      }
      std::vector<u32> opposite;
      for (const u32 item : items)
      {
        opposite.push_back(item + 1);
      }
      const std::vector<u32> odd = selection_reference(items, items), even = selection_reference(items, opposite),
                             flagged = selection_reference(items, flags);
      const thrust::device_vector<u32> in = to_device(items), stencil = to_device(flags);
      thrust::device_vector<u32> out(size + 1, never_stored), place(in);
      const auto copied = [&](const std::string& what, std::vector<u32> expected, auto end)
      {
        BOOST_TEST((end - out.begin() == static_cast<std::ptrdiff_t>(expected.size())), what);
        expected.resize(size + 1, never_stored);
        check_same(what, expected, to_host(out));
        thrust::fill(out.begin(), out.end(), never_stored);
      };
      // What the standard leaves behind the end is unspecified.
      const auto removed = [&](const std::string& what, const std::vector<u32>& expected, auto end)
      {
        BOOST_TEST((end - place.begin() == static_cast<std::ptrdiff_t>(expected.size())), what);
        check_same(what, expected, to_host(place, 0, expected.size()));
        place = in;
      };
      const auto check_all = [&](const std::string& who, const auto& policy)
      {
        const auto first = in.begin(), last = in.end(), flag = stencil.begin();
        copied(who + "copy_if", odd, thrust::copy_if(policy, first, last, out.begin(), has_odd_value{}));
        copied(who + "copy_if by a stencil", flagged,
               thrust::copy_if(policy, first, last, flag, out.begin(), has_odd_value{}));
        copied(who + "remove_copy", others, thrust::remove_copy(policy, first, last, out.begin(), value));
        copied(who + "remove_copy_if", even, thrust::remove_copy_if(policy, first, last, out.begin(), has_odd_value{}));
        copied(who + "remove_copy_if by a stencil", flagged,
               thrust::remove_copy_if(policy, first, last, flag, out.begin(), is_even{}));
        removed(who + "remove", others, thrust::remove(policy, place.begin(), place.end(), value));
        removed(who + "remove_if", even, thrust::remove_if(policy, place.begin(), place.end(), has_odd_value{}));
        removed(who + "remove_if by a stencil", flagged,
                thrust::remove_if(policy, place.begin(), place.end(), flag, is_even{}));
      };
      for_each_seed(2, [&] { check_all("", reheat::par); });
      check_all("upstream, ", upstream);
    }
  }
}

BOOST_AUTO_TEST_CASE(bytes)
{
  check_predicate_of_all<u8>();
}
BOOST_AUTO_TEST_CASE(bytes_of_all_types_and_values)
{
  check_bytes_of_type<bool>();
  check_bytes_of_type<char>();
  check_bytes_of_type<std::int8_t>();
}
BOOST_AUTO_TEST_CASE(halves)
{
  check_predicate_of_all<u16>();
}
BOOST_AUTO_TEST_CASE(words_of_8_bytes)
{
  check_predicate_of_all<u64>();
}

BOOST_AUTO_TEST_CASE(stencils_of_all_widths)
{
  check_stencil_of_all<u32, u8>();
  check_stencil_of_all<u64, u32>();
  check_stencil_of_all<u8, u64>();
  check_stencil_of_all<u8, u8>();
}

BOOST_AUTO_TEST_CASE(structs_of_12_and_16_and_256_bytes)
{
  check_stencil_of_all<words<3>, u8>();
  check_stencil_of_all<words<4>, u32>();
  check_stencil_of_all<words<64>, u8>();
}

BOOST_AUTO_TEST_CASE(objects)
{
  check_stencil_of_all<tracked<false>, u8>();
  check_stencil_of_all<text, u32>();
}

BOOST_AUTO_TEST_CASE(every_alignment_of_input_stencil_and_output)
{
  const std::size_t tile = select_tile<u8>();
  for (std::size_t behind = 0; behind < 16; ++behind)
  {
    for (const selected which : {selected::all, selected::nine_tenths, selected::a_tenth})
    {
      check_predicate<u8>(2 * tile + 5, which, behind, 0);
      check_predicate<u8>(2 * tile + 5, which, 0, behind);
      check_predicate<u8>(2 * tile + 5, which, behind, behind);
      check_stencil<u16, u8>(tile + 9, which, behind % 8, behind, 15 - behind);
    }
  }
}

BOOST_AUTO_TEST_CASE(in_place_under_many_schedules)
{
  for (const selected which : {selected::every_second, selected::nine_tenths, selected::runs})
  {
    const std::size_t size = 9 * select_tile<u32>() + 3;
    const std::vector<u32> items = make_flags<u32>(size, which);
    const std::vector<u32> expected = in_place_reference(selection_reference(items, items), items);
    for_each_seed(many_seeds,
                  [&]
                  {
                    placed<u32> both(items, placement::aligned);
                    thrust::remove_if(reheat::par, both.begin(), both.end(), is_even{});
                    check_same("remove_if", expected, both.items());
                  });
  }
}

BOOST_AUTO_TEST_CASE(the_predicate_is_asked_once_about_each_item)
{
  for (const std::size_t size : few_sizes_and_many(select_tile<u32>()))
  {
    std::vector<u32> items(size);
    for (std::size_t i = 0; i < size; ++i)
    {
      items[i] = static_cast<u32>(i);
    }
    const thrust::device_vector<u32> in = to_device(items);
    thrust::device_vector<u32> out(size);
    std::vector<unsigned> once(size, 1);
    once.push_back(0);
    for_each_seed(3,
                  [&]
                  {
                    thrust::device_vector<unsigned> counter(size + 1, 0u);
                    const counted_question question{raw(counter), static_cast<u32>(size)};
                    thrust::copy_if(reheat::par, in.begin(), in.end(), out.begin(), question);
                    check_same("questions about items", once, to_host(counter));
                    thrust::fill(counter.begin(), counter.end(), 0u);
                    thrust::remove_copy_if(reheat::par, in.begin(), in.end(), in.begin(), out.begin(), question);
                    check_same("questions about a stencil", once, to_host(counter));
                  });
  }
}

BOOST_AUTO_TEST_CASE(inputs_are_read_once_and_outputs_written_once)
{
  for (const std::size_t size : few_sizes_and_many(select_tile<u32>()))
  {
    const std::vector<u32> items = make_items<u32>(size, 3), flags = make_flags<u32>(size, selected::nine_tenths);
    const std::vector<u32> expected = selection_reference(items, flags), odd = selection_reference(items, items);
    for_each_seed(3,
                  [&]
                  {
                    watched_input<u32> in(items), stencil(flags);
                    watched_output<u32> out(expected.size());
                    thrust::copy_if(reheat::par, in.begin(), in.end(), stencil.begin(), out.begin(), has_odd_value{});
                    in.check(1, "items beside a stencil");
                    stencil.check(1, "a stencil");
                    out.check("the output by a stencil");
                    check_same("by a stencil", expected, out.items());
                  });
    for_each_seed(3,
                  [&]
                  {
                    watched_input<u32> in(items);
                    watched_output<u32> out(odd.size());
                    thrust::copy_if(reheat::par, in.begin(), in.end(), out.begin(), has_odd_value{});
                    in.check(1, "items");
                    out.check("the output");
                    check_same("of watched items", odd, out.items());
                  });
  }
}

BOOST_AUTO_TEST_CASE(iterators_that_are_no_memory)
{
  for (const std::size_t size : few_sizes_and_many(select_tile<u64>()))
  {
    const std::vector<u32> flags = make_flags<u32>(size, selected::every_second);
    const thrust::device_vector<u32> stencil = to_device(flags);
    const auto end = static_cast<std::ptrdiff_t>(size);
    std::vector<std::ptrdiff_t> indices;
    std::vector<u32> doubled_items;
    for (std::size_t i = 0; i < size; ++i)
    {
      if (is_flag{}(flags[i]))
      {
        indices.push_back(static_cast<std::ptrdiff_t>(i));
        doubled_items.push_back(2 * flags[i]);
      }
    }
    const auto count = static_cast<std::ptrdiff_t>(indices.size());
    thrust::device_vector<std::ptrdiff_t> found(indices.size());
    BOOST_TEST((thrust::copy_if(reheat::par, counting(0), counting(end), stencil.begin(), found.begin(), has_odd_value{}) ==
                found.end()));
    check_same("the places of flags", indices, to_host(found));

    thrust::device_vector<u32> out(doubled_items.size());
    thrust::copy_if(reheat::par, stencil.begin(), stencil.end(),
                    thrust::make_transform_output_iterator(out.begin(), times_two{}), has_odd_value{});
    check_same("twice the items", doubled_items, to_host(out));

    const auto discard = thrust::make_discard_iterator();
    BOOST_TEST((thrust::copy_if(reheat::par, stencil.begin(), stencil.end(), discard, has_odd_value{}) - discard == count));
    BOOST_TEST(
        (thrust::copy_if(reheat::par, counting(0), counting(end), discard, one_in_four{}) - discard == (end + 2) / 4));

    // Pairs of items and places, to pairs; and back into the same memory.
    thrust::device_vector<u32> firsts(stencil), pair_firsts(indices.size());
    thrust::device_vector<std::ptrdiff_t> seconds(counting(0), counting(end)), pair_seconds(indices.size());
    const auto pairs = thrust::make_zip_iterator(thrust::make_tuple(firsts.begin(), seconds.begin()));
    thrust::copy_if(reheat::par, pairs, pairs + end,
                    thrust::make_zip_iterator(thrust::make_tuple(pair_firsts.begin(), pair_seconds.begin())), is_odd_pair{});
    check_same("first of pairs", selection_reference(flags, flags), to_host(pair_firsts));
    check_same("second of pairs", indices, to_host(pair_seconds));
    BOOST_TEST((thrust::copy_if(reheat::par, pairs, pairs + end, pairs, is_odd_pair{}) - pairs == count));
    check_same("pairs in place, first", in_place_reference(selection_reference(flags, flags), flags), to_host(firsts));
    check_same("pairs in place, second", indices, to_host(seconds, 0, indices.size()));
  }
}

BOOST_AUTO_TEST_CASE(the_items_may_be_their_own_stencil)
{
  const std::size_t size = 7 * select_tile<u32, 4>() - 2;
  const std::vector<u32> items = make_flags<u32>(size, selected::nine_tenths);
  const thrust::device_vector<u32> in = to_device(items);
  const std::vector<u32> expected = selection_reference(items, items);
  thrust::device_vector<u32> out(expected.size());
  for_each_seed(5,
                [&]
                {
                  thrust::copy_if(reheat::par, in.begin(), in.end(), in.begin(), out.begin(), has_odd_value{});
                  check_same("copy_if", expected, to_host(out));
                });
  // A stencil need not be in memory, either.
  const auto end = thrust::copy_if(reheat::par, in.begin(), in.begin() + 5, counting(1), out.begin(), one_in_four{});
  BOOST_TEST((end - out.begin() == 2));
}

BOOST_AUTO_TEST_CASE(predicates_may_change_themselves_and_return_numbers)
{
  const std::size_t size = 3 * select_tile<u32>() + 1;
  const std::vector<u32> items = make_flags<u32>(size, selected::every_second);
  const thrust::device_vector<u32> in = to_device(items);
  const std::vector<u32> expected = selection_reference(items, items);
  thrust::device_vector<u32> out(expected.size());
  BOOST_TEST((thrust::copy_if(reheat::par, in.begin(), in.end(), out.begin(), counting_remainder{}) == out.end()));
  check_same("copy_if", expected, to_host(out));
}

BOOST_AUTO_TEST_CASE(values_of_another_type_are_compared_as_they_are)
{
  const std::vector<u8> items{1, 200, 7, 200, 3};
  const thrust::device_vector<u8> in = to_device(items);
  thrust::device_vector<u8> out(5);
  BOOST_TEST((thrust::remove_copy(reheat::par, in.begin(), in.end(), out.begin(), 200) - out.begin() == 3));
  BOOST_TEST((thrust::remove_copy(reheat::par, in.begin(), in.end(), out.begin(), -56) - out.begin() == 5));
}

BOOST_AUTO_TEST_CASE(outputs_may_be_of_another_type)
{
  const std::size_t size = 3 * select_tile<u8>() + 1;
  const std::vector<u8> items = make_flags<u8>(size, selected::nine_tenths);
  const thrust::device_vector<u8> in = to_device(items);
  const std::vector<u8> odd = selection_reference(items, items);
  const std::vector<double> expected(odd.begin(), odd.end());
  thrust::device_vector<double> out(expected.size());
  BOOST_TEST((thrust::copy_if(reheat::par, in.begin(), in.end(), out.begin(), is_flag{}) == out.end()));
  check_same("copy_if", expected, to_host(out));
}

BOOST_AUTO_TEST_CASE(ranges_without_items_and_negative_ones_give_the_beginning)
{
  thrust::device_vector<u32> in(10, 1u), out(10, 5u);
  const auto at = in.begin() + 4;
  for (const auto last : {at, in.begin() + 1})
  {
    BOOST_TEST((thrust::copy_if(reheat::par, at, last, out.begin(), has_odd_value{}) == out.begin()));
    BOOST_TEST((thrust::copy_if(reheat::par, at, last, at, out.begin(), has_odd_value{}) == out.begin()));
    BOOST_TEST((thrust::remove_copy(reheat::par, at, last, out.begin(), 2u) == out.begin()));
    BOOST_TEST((thrust::remove(reheat::par, at, last, 1u) == at));
    BOOST_TEST((thrust::remove_if(reheat::par, at, last, has_odd_value{}) == at));
  }
  check_same("nothing is written", std::vector<u32>(10, 5), to_host(out));
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

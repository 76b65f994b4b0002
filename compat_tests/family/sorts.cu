// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! sort, stable_sort, sort_by_key and stable_sort_by_key.

#include "../support/calls.hpp"
#include "../support/memory.hpp"
#include "../support/sort_keys.hpp"

#include <thrust/functional.h>
#include <thrust/iterator/reverse_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/sort.h>
#include <thrust/tuple.h>

#include <functional>
#include <string>
#include <vector>

using namespace compat;

BOOST_AUTO_TEST_SUITE(family)
BOOST_AUTO_TEST_SUITE(sorts)

namespace
{

using u8 = std::uint8_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;
__extension__ typedef __int128 i128;
__extension__ typedef unsigned __int128 u128;

//! None to two, around a warp, a block and a tile, and what takes several launches.
std::vector<std::size_t> sort_sizes()
{
  std::vector<std::size_t> sizes = {1, 2, 33, 1024, 1025, 4096, 4097, 20011};
  if (!emulated)
  {
    sizes.insert(sizes.end(), {8192, 8193, 100003, 1 << 20, (1 << 20) + 1, 3000017});
  }
  return sizes;
}

template <class Key>
std::string what_of(std::size_t size, keys which, bool ascending)
{
  return type_name<Key>() + ", " + std::to_string(size) + " keys, kind " + std::to_string(static_cast<int>(which)) +
         (ascending ? "" : ", descending");
}

//! Keys alone, by `stable_sort`.
template <class Key>
void check_keys(const std::string& what, const std::vector<Key>& items, bool ascending, std::size_t behind = 0)
{
  placed<Key> sorted(items, behind);
  ascending ? thrust::stable_sort(reheat::par, sorted.begin(), sorted.end())
            : thrust::stable_sort(reheat::par, sorted.begin(), sorted.end(), thrust::greater<Key>());
  check_bitwise(what, at_places(items, sorted_places(items, ascending)), sorted.items());
}

//! Keys with values, by `stable_sort_by_key`.
template <class Value, class Less, class Key>
void check_pairs(const std::string& what, const std::vector<Key>& items, Less less, std::size_t behind = 0)
{
  const std::vector<Value> own = make_items<Value>(items.size(), 3);
  const std::vector<std::size_t> places = sorted_places(items, less(Key(0), Key(1)));
  placed<Key> sorted(items, behind);
  placed<Value> moved(own, behind);
  thrust::stable_sort_by_key(reheat::par, sorted.begin(), sorted.end(), moved.begin(), less);
  check_bitwise(what + ", keys", at_places(items, places), sorted.items());
  check_same(what + ", values", at_places(own, places), moved.items());
}

//! Keys of a type as they come. (Each comparison has Thrust's sort for one thread compiled, too.)
template <class Key, class Less = ::cuda::std::less<Key>>
void check_type()
{
  const bool ascending = Less{}(Key{0}, Key{1});
  for (const keys which : {keys::uniform, keys::few})
  {
    const std::vector<Key> items = make_sort_keys<Key>(3001, which);
    thrust::device_vector<Key> sorted = to_device(items);
    thrust::sort(reheat::par, sorted.begin(), sorted.end(), Less{});
    check_bitwise(what_of<Key>(items.size(), which, ascending), at_places(items, sorted_places(items, ascending)),
                  to_host(sorted));
  }
}

u64 accelerated_sorts()
{
  u64 calls = 0;
  for (const reheat::algorithm_calls& each : reheat::statistics().algorithms)
  {
    calls += std::string(each.name).find("sort") != std::string::npos && std::string(each.name).find("is_") != 0
                 ? each.accelerated
                 : 0;
  }
  return calls;
}
//! `sort(data)` sorts three items, by reheat's kernels or by Thrust's.
template <class Sort>
void check_accelerated(const std::string& what, bool expected, Sort sort)
{
  const u64 before = accelerated_sorts();
  sort();
  BOOST_TEST((accelerated_sorts() - before == (expected ? 1u : 0u)), what);
}

struct by_last_digit
{
  REHEAT_HOST_DEVICE bool operator()(u32 x, u32 y) const { return x % 10 < y % 10; }
};

} // namespace

BOOST_AUTO_TEST_CASE(keys_of_every_distribution_and_size)
{
  for (const keys which : all_keys)
  {
    for (const std::size_t size : sort_sizes())
    {
      const std::vector<u32> items = make_sort_keys<u32>(size, which);
      check_keys(what_of<u32>(size, which, true), items, true);
      check_keys(what_of<u32>(size, which, false), items, false, 1);
    }
  }
}
BOOST_AUTO_TEST_CASE(pairs_of_every_distribution_and_size)
{
  for (const keys which : all_keys)
  {
    for (const std::size_t size : sort_sizes())
    {
      check_pairs<u32>(what_of<u32>(size, which, true), make_sort_keys<u32>(size, which), ::cuda::std::less<>());
    }
  }
}
BOOST_AUTO_TEST_CASE(wide_keys_of_every_distribution)
{
  for (const keys which : all_keys)
  {
    check_keys(what_of<u64>(9001, which, true), make_sort_keys<u64>(9001, which), true);
    check_pairs<u64>(what_of<u64>(9001, which, false), make_sort_keys<u64>(9001, which), ::cuda::std::greater<>());
  }
}
BOOST_AUTO_TEST_CASE(numbers_and_what_is_none)
{
  for (const std::size_t size : {std::size_t{900}, std::size_t{9001}})
  {
    for (const bool ascending : {true, false})
    {
      check_keys("floats", make_real_keys<float>(size), ascending);
      check_keys("doubles", make_real_keys<double>(size), ascending);
    }
    check_pairs<u32>("floats with values", make_real_keys<float>(size), ::cuda::std::greater<>());
  }
}
BOOST_AUTO_TEST_CASE(keys_of_every_type)
{
  using ::cuda::std::greater;
  check_type<bool>();
  check_type<char, greater<char>>();
  check_type<std::int8_t>();
  check_type<u8, greater<u8>>();
  check_type<std::int16_t, greater<std::int16_t>>();
  check_type<u16>();
  check_type<wchar_t>();
  check_type<std::int32_t, greater<std::int32_t>>();
  check_type<std::int64_t, greater<std::int64_t>>();
  check_type<long long>();
  check_type<i128, greater<i128>>();
  check_type<u128>();
}

BOOST_AUTO_TEST_CASE(values_of_every_size_and_kind)
{
  for (const std::size_t size : {std::size_t{700}, std::size_t{5003}})
  {
    const std::vector<u16> items = make_sort_keys<u16>(size, keys::few);
    check_pairs<u8>("values of 1 byte", items, ::cuda::std::less<>(), 1);
    check_pairs<u16>("values of 2 bytes", items, ::cuda::std::greater<>());
    check_pairs<u64>("values of 8 bytes", items, ::cuda::std::less<>());
    check_pairs<quad>("values of 16 bytes", items, ::cuda::std::greater<>());
    check_pairs<words<3>>("values of 12 bytes", items, ::cuda::std::less<>());
    check_pairs<affine<u32>>("values of 8 bytes, aligned to 4", items, ::cuda::std::less<>(), 1);
    check_pairs<tracked<false>>("objects", items, ::cuda::std::greater<>());
  }
}
BOOST_AUTO_TEST_CASE(values_at_an_address_that_is_no_multiple_of_their_size)
{
  const std::vector<u32> items = make_sort_keys<u32>(3000, keys::few), bits = make_items<u32>(6001, 5);
  placed<u32> words_at_4(bits, std::size_t{0});
  placed<u32> sorted(items, std::size_t{0});
  auto* const pairs = reinterpret_cast<affine<u32>*>(words_at_4.begin() + 1);
  thrust::sort_by_key(reheat::par, sorted.begin(), sorted.end(), pairs);
  std::vector<u32> expected = {bits[0]};
  for (const std::size_t place : sorted_places(items, true))
  {
    expected.insert(expected.end(), {bits[1 + 2 * place], bits[2 + 2 * place]});
  }
  check_same("values", expected, words_at_4.items());
}
BOOST_AUTO_TEST_CASE(values_that_are_no_memory)
{
  const std::vector<u32> items = make_sort_keys<u32>(3000, keys::few);
  const std::vector<u64> wide = make_items<u64>(3000, 5);
  const std::vector<std::size_t> places = sorted_places(items, true);
  thrust::device_vector<u32> sorted = to_device(items), twins = sorted;
  thrust::device_vector<u64> moved = to_device(wide);
  thrust::sort_by_key(reheat::par, sorted.begin(), sorted.end(),
                      thrust::make_zip_iterator(thrust::make_tuple(twins.begin(), moved.begin())));
  check_same("keys", at_places(items, places), to_host(sorted));
  check_same("first values", at_places(items, places), to_host(twins));
  check_same("second values", at_places(wide, places), to_host(moved));
}

BOOST_AUTO_TEST_CASE(less_and_greater_of_everybody_are_accelerated)
{
  thrust::device_vector<int> data(3, 1);
  const auto first = data.begin(), last = data.end();
  int* const pointer = raw(data);
  const auto p = reheat::par;
  check_accelerated("no comparison", true, [&] { thrust::sort(p, first, last); });
  check_accelerated("thrust::less", true, [&] { thrust::sort(p, first, last, thrust::less<int>()); });
  check_accelerated("thrust::greater<void>", true, [&] { thrust::stable_sort(p, first, last, thrust::greater<void>()); });
  check_accelerated("libcu++'s less<>", true, [&] { thrust::sort(p, pointer, pointer + 3, ::cuda::std::less<>()); });
  check_accelerated("libcu++'s greater", true, [&] { thrust::sort(p, first, last, ::cuda::std::greater<int>()); });
  check_accelerated("std::less", true, [&] { thrust::sort(p, first, last, std::less<int>()); });
  check_accelerated("std::greater<>", true, [&] { thrust::sort(p, first, last, std::greater<>()); });
  check_accelerated("device_ptr", true, [&] { thrust::sort(p, data.data(), data.data() + 3); });
  check_accelerated("by key", true, [&] { thrust::sort_by_key(p, first, last, first); });
}

BOOST_AUTO_TEST_CASE(other_sorts_are_thrusts)
{
  const std::vector<u32> items = make_items<u32>(500, 3);
  std::vector<u32> digits;
  for (const u32 item : items)
  {
    digits.push_back(item % 10);
  }
  thrust::device_vector<u32> data = to_device(items);
  const auto p = reheat::par;
  check_accelerated("a comparison of the program's", false,
                    [&] { thrust::stable_sort(p, data.begin(), data.end(), by_last_digit{}); });
  check_same("by last digits", at_places(items, sorted_places(digits, true)), to_host(data));
  check_accelerated("a comparison as another type", false,
                    [&] { thrust::sort(p, data.begin(), data.end(), thrust::less<int>()); });
  data = to_device(items);
  check_accelerated(
      "keys that are no memory", false,
      [&] { thrust::sort(p, thrust::make_reverse_iterator(data.end()), thrust::make_reverse_iterator(data.begin())); });
  check_same("in reverse", at_places(items, sorted_places(items, false)), to_host(data));
}

BOOST_AUTO_TEST_CASE(ranges_without_items_and_negative_ones_stay)
{
  const std::vector<u32> items = {3, 2, 1, 0};
  thrust::device_vector<u32> data = to_device(items);
  for (const auto last : {data.begin() + 2, data.begin()})
  {
    thrust::sort(reheat::par, data.begin() + 2, last);
    thrust::stable_sort(reheat::par_nosync, data.begin() + 2, last, thrust::greater<u32>());
    thrust::sort_by_key(reheat::par, data.begin() + 2, last, data.begin() + 3);
  }
  check_same("nothing sorted", items, to_host(data));
}

BOOST_AUTO_TEST_CASE(without_memory_a_call_throws_and_keys_and_values_stay)
{
  const std::vector<u32> items = make_sort_keys<u32>(30000, keys::uniform);
  const std::vector<words<3>> own = make_items<words<3>>(items.size(), 3);
  const std::vector<std::size_t> places = sorted_places(items, true);
  thrust::device_vector<u32> data = to_device(items);
  thrust::device_vector<words<3>> moved = to_device(own);
  ledger book;
  ledger_allocator<char> allocator(book);
  book.fails = true;
  BOOST_CHECK_THROW(thrust::sort(reheat::par(allocator), data.begin(), data.end()), std::bad_alloc);
  BOOST_CHECK_THROW(thrust::sort_by_key(reheat::par(allocator), data.begin(), data.end(), moved.begin()), std::bad_alloc);
  check_same("keys after failures", items, to_host(data));
  check_same("values after failures", own, to_host(moved));
  book.fails = false;
  thrust::sort_by_key(reheat::par(allocator), data.begin(), data.end(), moved.begin());
  check_same("keys", at_places(items, places), to_host(data));
  check_same("values", at_places(own, places), to_host(moved));
  BOOST_TEST(book.held == 0);
  BOOST_TEST(book.allocations == 1u);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

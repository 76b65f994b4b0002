// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! reheat::DevicePartition: of zip_iterators, and in three parts, for which CUB is called beside it on a GPU. Calls of all
//! entry points (calls.cuh) test their memory, too.

#include "../support/device_calls.hpp"
#include "../support/selections.hpp"

#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/discard_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/tuple.h>

#include <algorithm>

#include <cstdint>
#include <string>
#include <vector>

using namespace compat;

BOOST_AUTO_TEST_SUITE(device)
BOOST_AUTO_TEST_SUITE(partitions)

namespace
{

using u32 = std::uint32_t;
using u64 = std::uint64_t;
using i64 = std::int64_t;
using reheat::stream_type;

//! Items are indices. Notes which of them it is asked about.
struct noting_remainder
{
  unsigned* asked;
  u64 of;
  REHEAT_DEVICE bool operator()(u64 x) const
  {
    ++asked[x];
    return x % of == 0;
  }
};
template <u64 Of>
struct is_multiple
{
  template <class T>
  REHEAT_HOST_DEVICE bool operator()(const T& x) const
  {
    return x % Of == 0;
  }
};

//! Of items that `first` and then `second` select, and of the rest.
template <class T>
struct three_parts
{
  std::vector<T> first, second, rest;
};
template <class T, class First, class Second>
three_parts<T> parts_of(const std::vector<T>& items, First first, Second second)
{
  three_parts<T> parts;
  for (const T& item : items)
  {
    (first(item) ? parts.first : second(item) ? parts.second : parts.rest).push_back(item);
  }
  return parts;
}

template <class T, class First, class Second>
void check_parts(std::size_t size, std::size_t behind, First first, Second second)
{
  const std::string what = type_name<T>() + ", " + std::to_string(size) + " items";
  std::vector<T> items;
  for (std::size_t i = 0; i < size; ++i)
  {
    items.push_back(static_cast<T>(mix(i)));
  }
  const three_parts<T> parts = parts_of(items, first, second);
  placed<T> in(items, behind), seconds(parts.second.size(), 2 * behind), rest(parts.rest.size(), 3 * behind);
  thrust::device_vector<i64> numbers(2, -1);
  check_gives(what, parts.first,
              [&](auto api, T* out, void* memory, std::size_t& bytes, stream_type stream)
              {
                return api.partition.If(memory, bytes, in.begin(), out, seconds.begin(), rest.begin(), raw(numbers),
                                        static_cast<int>(size), first, second, stream);
              });
  check_same(what + ", second part", parts.second, seconds.items());
  check_same(what + ", rest", parts.rest, rest.items());
  check_same(what + ", numbers",
             std::vector<i64>{static_cast<i64>(parts.first.size()), static_cast<i64>(parts.second.size())},
             to_host(numbers));
}

template <class T>
void check_parts_of_all()
{
  const std::size_t tile =
      reheat::detail::select_tuning<sizeof(T), 0, reheat::detail::select_input::memory, 0, 2>{}(kernel_arch()).tile_items();
  for (const std::size_t size : {std::size_t{1}, std::size_t{33}, tile - 1, tile, tile + 1, 150 * tile + 5})
  {
    check_parts<T>(size, size % 4, is_multiple<3>{}, is_multiple<2>{});
    check_parts<T>(size, 0, is_multiple<1000>{}, is_multiple<1>{}); // no rest
  }
}

struct has_odd_first
{
  template <class Tuple>
  REHEAT_HOST_DEVICE bool operator()(const Tuple& tuple) const
  {
    return thrust::get<0>(tuple) % 2 == 1;
  }
};

//! The selected items, and behind them the others, the last one first.
template <class T>
std::vector<T> reversed_partition(const std::vector<T>& items, const std::vector<u32>& flags)
{
  std::vector<T> made, rejected;
  for (std::size_t i = 0; i < items.size(); ++i)
  {
    (flags[i] % 2 == 1 ? made : rejected).push_back(items[i]);
  }
  made.insert(made.end(), rejected.rbegin(), rejected.rend());
  return made;
}

//! Pairs of a flag and a T, whose arrays begin so many items behind an aligned address.
template <class T>
void check_zip(std::size_t size, selected which, std::size_t in_behind, std::size_t out_behind)
{
  const std::string what = "a flag and " + type_name<T>() + ", " + std::to_string(size) + " items";
  const std::vector<u32> flags = make_flags<u32>(size, which);
  std::vector<T> items;
  for (std::size_t i = 0; i < size; ++i)
  {
    items.push_back(static_cast<T>(mix(i)));
  }
  placed<u32> flags_in(flags, in_behind), flags_out(size, out_behind);
  placed<T> in(items, in_behind), out(size, out_behind);
  thrust::device_vector<i64> number(1, -1);
  two_phases(what,
             [&](void* memory, std::size_t& bytes, stream_type stream)
             {
               return reheat::DevicePartition::If(memory, bytes, thrust::make_zip_iterator(flags_in.begin(), in.begin()),
                                                  thrust::make_zip_iterator(flags_out.begin(), out.begin()), raw(number),
                                                  static_cast<i64>(size), has_odd_first{}, stream);
             });
  check_same(what + ", flags", reversed_partition(flags, flags), flags_out.items());
  check_same(what + ", items", reversed_partition(items, flags), out.items());
  check_same(what + ", number",
             std::vector<i64>{std::count_if(flags.begin(), flags.end(), [](u32 x) { return x % 2 == 1; })}, to_host(number));
}

} // namespace

BOOST_AUTO_TEST_CASE(zips_have_their_rejected_items_in_reverse_order_in_each_array)
{
  const std::size_t tile = select_tile<u32>();
  for (const std::size_t size : {std::size_t{1}, std::size_t{33}, tile, 3 * tile + 5, 50 * tile + 7})
  {
    for (const selected which : {selected::none, selected::all, selected::every_second, selected::a_tenth})
    {
      check_zip<u32>(size, which, 0, 0);
      check_zip<u64>(size, which, 0, 1);
      check_zip<std::uint8_t>(size, which, 3, 2);
    }
  }
}

BOOST_AUTO_TEST_CASE(three_parts_are_in_their_order)
{
  check_parts_of_all<std::uint8_t>();
  check_parts_of_all<u32>();
  check_parts_of_all<u64>();
}

BOOST_AUTO_TEST_CASE(the_second_operator_is_asked_about_what_the_first_one_leaves)
{
  const std::size_t size = 3 * select_tile<u64>() + 5;
  thrust::device_vector<unsigned> first(size, 0), second(size, 0);
  std::vector<unsigned> left;
  for (std::size_t i = 0; i < size; ++i)
  {
    left.push_back(i % 3 == 0 ? 0 : 1);
  }
  thrust::device_vector<u64> parts(size);
  thrust::device_vector<i64> numbers(2, -1);
  two_phases("counted",
             [&](void* memory, std::size_t& bytes, stream_type stream)
             {
               return reheat::DevicePartition::If(memory, bytes, thrust::make_counting_iterator(u64{0}), raw(parts),
                                                  raw(parts) + (size + 2) / 3, thrust::make_discard_iterator(), raw(numbers),
                                                  size, noting_remainder{raw(first), 3}, noting_remainder{raw(second), 2},
                                                  stream);
             });
  check_same("asked first", std::vector<unsigned>(size, 1), to_host(first));
  check_same("asked second", left, to_host(second));
  std::vector<u64> items;
  for (u64 i = 0; i < size; i += 3)
  {
    items.push_back(i);
  }
  for (u64 i = 0; i < size; i += 2)
  {
    if (i % 3 != 0)
    {
      items.push_back(i);
    }
  }
  check_same("parts", items, to_host(parts, 0, items.size()));
}

BOOST_AUTO_TEST_CASE(no_items_are_in_no_part)
{
  thrust::device_vector<u32> in(1, 5);
  thrust::device_vector<u32> numbers(3, 77);
  two_phases("of nothing",
             [&](void* memory, std::size_t& bytes, stream_type stream)
             {
               return reheat::DevicePartition::If(memory, bytes, raw(in), raw(in), raw(in), raw(in), raw(numbers), 0,
                                                  is_multiple<3>{}, is_multiple<2>{}, stream);
             });
  check_same("numbers", std::vector<u32>{0, 0, 77}, to_host(numbers));
  std::size_t bytes = 0;
  check_status("of less", invalid_value,
               reheat::DevicePartition::If(nullptr, bytes, raw(in), raw(in), raw(in), raw(in), raw(numbers), -1,
                                           is_multiple<3>{}, is_multiple<2>{}));
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

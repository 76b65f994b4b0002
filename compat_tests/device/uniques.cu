// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! reheat::DeviceSelect::Unique and UniqueByKey: runs of any length, types, places of outputs, and errors. On a GPU CUB is
//! called beside them where it has the form. Calls of all entry points (calls.cuh) test their memory, too.

#include "../support/device_calls.hpp"
#include "../support/runs.hpp"
#include "../support/user_code.hpp"

#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/discard_iterator.h>
#include <thrust/iterator/reverse_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/transform_output_iterator.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

using namespace compat;

BOOST_AUTO_TEST_SUITE(device)
BOOST_AUTO_TEST_SUITE(uniques)

namespace
{

using u8 = std::uint8_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;
using i64 = std::int64_t;
using reheat::stream_type;

struct same_half
{
  REHEAT_HOST_DEVICE bool operator()(u32 x, u32 y) const { return x / 2 == y / 2; }
};
struct by_100
{
  REHEAT_HOST_DEVICE u32 operator()(u32 x) const { return x / 100; }
};

template <class T>
std::vector<T> items_as(const std::vector<u64>& numbers)
{
  std::vector<T> items;
  for (const u64 number : numbers)
  {
    items.push_back(static_cast<T>(number));
  }
  return items;
}

//! None, one, around one tile and several, and more tiles than have a block each.
std::vector<std::size_t> sizes_around(std::size_t tile)
{
  return {0, 1, 2, 33, tile / 2 + 3, tile - 1, tile, tile + 1, 2 * tile - 7, 3 * tile + 5, (emulated ? 5 : 160) * tile + 9};
}

void check_number(const std::string& what, std::size_t expected, const thrust::device_vector<i64>& actual)
{
  check_same(what + ", number of runs", std::vector<i64>{static_cast<i64>(expected)}, to_host(actual));
}

//! The input begins `behind` items after an aligned address. The output has room for the items that are kept, and no more.
template <class T>
void check_items(std::size_t size, run_lengths lengths, std::size_t behind)
{
  const std::string what = type_name<T>() + ", " + std::to_string(size) + " items";
  const std::vector<T> items = items_as<T>(make_run_numbers(size, lengths));
  const std::vector<T> kept = unique_reference(items, items, equal{});
  placed<T> in(items, behind);
  thrust::device_vector<i64> number(1, -1);
  const auto n = static_cast<i64>(size);
  check_gives(what + ", Unique", kept,
              [&](auto api, T* out, void* memory, std::size_t& bytes, stream_type stream)
              { return api.select.Unique(memory, bytes, in.begin(), out, raw(number), n, stream); });
  check_number(what, kept.size(), number);
  check_gives<beside::nothing>(what + ", Unique, compared", kept,
                               [&](auto api, T* out, void* memory, std::size_t& bytes, stream_type stream) {
                                 return api.select.Unique(memory, bytes, in.begin(), out, raw(number), n, equal{}, stream);
                               });
  check_number(what + ", compared", kept.size(), number);
  for (const bool compared : {false, true})
  {
    placed<T> both(items, behind);
    two_phases(what + ", in place",
               [&](void* memory, std::size_t& bytes, stream_type stream)
               {
                 return compared ? reheat::DeviceSelect::Unique(memory, bytes, both.begin(), raw(number), n, equal{}, stream)
                                 : reheat::DeviceSelect::Unique(memory, bytes, both.begin(), raw(number), n, stream);
               });
    check_same(what + ", in place", unique_in_place_reference(kept, items), both.items());
    check_number(what + ", in place", kept.size(), number);
  }
}

template <class Key, class Value>
void check_by_key(std::size_t size, run_lengths lengths, std::size_t behind)
{
  const std::string what = type_name<Key>() + " and " + type_name<Value>() + ", " + std::to_string(size) + " items";
  const std::vector<Key> keys = items_as<Key>(make_run_numbers(size, lengths));
  const std::vector<Value> items = make_items<Value>(size, 3);
  const std::vector<Key> kept_keys = unique_reference(keys, keys, equal{});
  const std::vector<Value> kept = unique_reference(keys, items, equal{});
  placed<Key> keys_in(keys, behind);
  placed<Value> in(items, 2 * behind);
  thrust::device_vector<i64> number(1, -1);
  const auto check = [&](const std::string& form, auto call)
  {
    placed<Key> keys_out(kept_keys.size(), 2 * behind);
    check_gives(what + form, kept,
                [&](auto api, Value* out, void* memory, std::size_t& bytes, stream_type stream)
                { return call(api, keys_out.begin(), out, memory, bytes, stream); });
    check_same(what + form + ", keys", kept_keys, keys_out.items());
    check_number(what + form, kept.size(), number);
  };
  check(", UniqueByKey",
        [&](auto api, Key* keys_out, Value* out, void* memory, std::size_t& bytes, stream_type stream)
        {
          return api.select.UniqueByKey(memory, bytes, keys_in.begin(), in.begin(), keys_out, out, raw(number),
                                        static_cast<i64>(size), stream);
        });
  check(", UniqueByKey, compared",
        [&](auto api, Key* keys_out, Value* out, void* memory, std::size_t& bytes, stream_type stream)
        {
          return api.select.UniqueByKey(memory, bytes, keys_in.begin(), in.begin(), keys_out, out, raw(number),
                                        static_cast<unsigned>(size), equal{}, stream);
        });
}

template <class T>
void check_items_of_all()
{
  for (const run_lengths lengths : all_run_lengths)
  {
    for (const std::size_t size : sizes_around(unique_tile<T>()))
    {
      check_items<T>(size, lengths, size % 4);
    }
  }
}
template <class Key, class Value>
void check_by_key_of_all()
{
  for (const run_lengths lengths : all_run_lengths)
  {
    for (const std::size_t size : sizes_around(unique_tile<Key, sizeof(Value)>()))
    {
      check_by_key<Key, Value>(size, lengths, size % 4);
    }
  }
}

} // namespace

BOOST_AUTO_TEST_CASE(the_first_items_of_runs_are_kept_and_counted)
{
  check_items_of_all<u8>();
  check_items_of_all<u32>();
  check_items_of_all<u64>();
}

BOOST_AUTO_TEST_CASE(values_stay_beside_the_keys_that_are_kept)
{
  check_by_key_of_all<u8, u32>();
  check_by_key_of_all<u32, u32>();
  check_by_key_of_all<u64, large_value>();
}

BOOST_AUTO_TEST_CASE(in_place_with_any_iterator)
{
  const std::size_t size = 5 * unique_tile<u32>() + 3;
  for (const run_lengths lengths : all_run_lengths)
  {
    const std::vector<u32> items = items_as<u32>(make_run_numbers(size, lengths));
    const std::vector<u32> backwards(items.rbegin(), items.rend());
    const std::vector<u32> expected = unique_in_place_reference(unique_reference(items, items, same_half{}), items);
    for_each_seed(4,
                  [&]
                  {
                    thrust::device_vector<u32> both = to_device(backwards);
                    thrust::device_vector<i64> number(1);
                    const auto first = thrust::make_reverse_iterator(raw(both) + size);
                    two_phases("in place",
                               [&](void* memory, std::size_t& bytes, stream_type stream) {
                                 return reheat::DeviceSelect::Unique(memory, bytes, first, raw(number),
                                                                     static_cast<i64>(size), same_half{}, stream);
                               });
                    std::vector<u32> actual = to_host(both);
                    std::reverse(actual.begin(), actual.end());
                    check_same("in place", expected, actual);
                  });
  }
}

BOOST_AUTO_TEST_CASE(pointers_of_outputs_may_be_those_of_inputs)
{
  const std::size_t size = 5 * unique_tile<u32, 4>() + 3;
  const auto n = static_cast<i64>(size);
  for (const run_lengths lengths : all_run_lengths)
  {
    const std::vector<u32> keys = items_as<u32>(make_run_numbers(size, lengths)), items = make_items<u32>(size, 3);
    const std::vector<u32> kept_keys = unique_in_place_reference(unique_reference(keys, keys, equal{}), keys);
    const std::vector<u32> kept = unique_in_place_reference(unique_reference(keys, items, equal{}), items);
    for_each_seed(4,
                  [&]
                  {
                    placed<u32> own_keys(keys, 1), own(items, 2), other_keys(keys, 1);
                    two_phases("UniqueByKey",
                               [&](void* memory, std::size_t& bytes, stream_type stream)
                               {
                                 return reheat::DeviceSelect::UniqueByKey(memory, bytes, own_keys.begin(), own.begin(),
                                                                          own_keys.begin(), own.begin(),
                                                                          thrust::make_discard_iterator(), n, stream);
                               });
                    check_same("UniqueByKey, keys", kept_keys, own_keys.items());
                    check_same("UniqueByKey, values", kept, own.items());
                    two_phases("Unique",
                               [&](void* memory, std::size_t& bytes, stream_type stream)
                               {
                                 return reheat::DeviceSelect::Unique(memory, bytes, other_keys.begin(), other_keys.begin(),
                                                                     thrust::make_discard_iterator(), n, stream);
                               });
                    check_same("Unique", kept_keys, other_keys.items());
                  });
  }
}

BOOST_AUTO_TEST_CASE(items_values_and_numbers_have_any_iterators)
{
  const std::size_t size = 3 * unique_tile<u32>() + 7;
  const auto numbers = thrust::make_counting_iterator(u32{0});
  const auto hundreds = thrust::make_transform_iterator(numbers, by_100{});
  std::vector<i64> kept, places;
  for (std::size_t i = 0; i < size; i += 100)
  {
    kept.push_back(static_cast<i64>(2 * (i / 100)));
    places.push_back(static_cast<i64>(2 * i));
  }
  thrust::device_vector<i64> number(1);
  const auto twice_the_number = thrust::make_transform_output_iterator(raw(number), twice_as_wide{});
  check_gives<beside::nothing>("Unique", kept,
                               [&](auto api, i64* out, void* memory, std::size_t& bytes, stream_type stream)
                               {
                                 return api.select.Unique(memory, bytes, hundreds,
                                                          thrust::make_transform_output_iterator(out, twice_as_wide{}),
                                                          twice_the_number, static_cast<i64>(size), stream);
                               });
  check_number("Unique", 2 * kept.size(), number);
  check_gives<beside::nothing>("UniqueByKey", places,
                               [&](auto api, i64* out, void* memory, std::size_t& bytes, stream_type stream)
                               {
                                 return api.select.UniqueByKey(memory, bytes, hundreds, numbers,
                                                               thrust::make_discard_iterator(),
                                                               thrust::make_transform_output_iterator(out, twice_as_wide{}),
                                                               raw(number), size, stream);
                               });
  check_number("UniqueByKey", kept.size(), number);
}

BOOST_AUTO_TEST_CASE(less_than_no_items_is_an_error_in_both_phases_and_nothing_is_done)
{
  const std::vector<u32> items(40, 5);
  thrust::device_vector<u32> both = to_device(items);
  thrust::device_vector<i64> number(1, 77);
  temp_block block(4096, 3, content::noise);
  for (void* const memory : {static_cast<void*>(nullptr), block.get()})
  {
    std::size_t bytes = block.bytes();
    const host_calls asked = calls_of(
        [&]
        {
          check_status("Unique", invalid_value,
                       reheat::DeviceSelect::Unique(memory, bytes, raw(both), raw(both), raw(number), -1));
          check_status("Unique, in place", invalid_value,
                       reheat::DeviceSelect::Unique(memory, bytes, raw(both), raw(number), -1, equal{}));
          check_status(
              "UniqueByKey", invalid_value,
              reheat::DeviceSelect::UniqueByKey(memory, bytes, raw(both), raw(both), raw(both), raw(both), raw(number), -1));
        });
    wait_for_all_streams();
    BOOST_TEST(asked.launches == 0u, asked);
    BOOST_TEST(bytes == block.bytes());
    check_same("items", items, to_host(both));
    check_number("an error", 77, number);
  }
  block.check("an error");
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! reduce_by_key.

#include "../support/calls.hpp"
#include "../support/memory.hpp"
#include "../support/segments.hpp"

#include <thrust/fill.h>
#include <thrust/iterator/discard_iterator.h>
#include <thrust/iterator/transform_output_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/reduce.h>

#include <algorithm>
#include <numeric>

using namespace compat;

BOOST_AUTO_TEST_SUITE(family)

namespace
{

using u8 = std::uint8_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;

struct twice
{
  REHEAT_HOST_DEVICE u32 operator()(u32 x) const { return 2 * x; }
};
struct same_parity
{
  REHEAT_HOST_DEVICE bool operator()(u32 x, u32 y) { return x % 2 == y % 2; }
};
struct follows
{
  REHEAT_HOST_DEVICE bool operator()(u32 x, u32 y) const { return y == x + 1; }
};

//! What lies behind the results must stay as it was.
inline constexpr u32 untouched = 0xabcdef01u;

template <class T, class Key = u32>
void check_reduce_by_key(std::size_t size, segments lengths, placement where)
{
  const std::vector<Key> keys = make_keys<Key>(size, lengths, reduce_by_key_tile<T, Key>());
  const std::vector<T> items = make_items<T>(size, 1);
  const auto expected = reduce_by_key_reference<T, T>(keys, items, equal{}, fold{});
  const std::size_t count = expected.first.size();
  placed<Key> in_keys(keys, where);
  placed<T> in(items, where);
  for_each_seed(5,
                [&]
                {
                  placed<Key> keys_out(count, where);
                  placed<T> out(count, where); // no more room than there are segments
                  const auto ends = thrust::reduce_by_key(reheat::par, in_keys.begin(), in_keys.end(), in.begin(),
                                                          keys_out.begin(), out.begin(), equal{}, fold{});
                  BOOST_TEST((ends.first == keys_out.end()));
                  BOOST_TEST((ends.second == out.end()));
                  check_same("keys of reduce_by_key", expected.first, keys_out.items());
                  check_same("values of reduce_by_key", expected.second, out.items());
                });
}
template <class T>
void check_type()
{
  for (const std::size_t size : few_sizes(reduce_by_key_tile<T>()))
  {
    check_reduce_by_key<T>(size, segments::of_few, placement::aligned);
    check_reduce_by_key<T>(size, segments::of_hundreds, placement::misaligned);
  }
}

template <class T, class Key>
void check_streamed()
{
  for_each_streamed(reduce_by_key_tile<T, Key>(),
                    [](std::size_t size, segments lengths)
                    {
                      check_reduce_by_key<T, Key>(size, lengths, placement::aligned);
                      check_reduce_by_key<T, Key>(size, lengths, placement::misaligned);
                    });
}

} // namespace

BOOST_AUTO_TEST_SUITE(reduce_by_key)

BOOST_AUTO_TEST_CASE(every_form_gives_the_reference_and_upstreams_result)
{
  for (const segments lengths : all_segments)
  {
    for (const std::size_t size : boundary_sizes(reduce_by_key_tile<u32>()))
    {
      const std::vector<u32> keys = make_keys(size, lengths, reduce_by_key_tile<u32>());
      const std::vector<u32> items = make_items<u32>(size);
      const thrust::device_vector<u32> k = to_device(keys), v = to_device(items);
      thrust::device_vector<u32> keys_out(size + 1, untouched), out(size + 1, untouched);
      const auto check =
          [&](const std::string& what, const std::pair<std::vector<u32>, std::vector<u32>>& expected, auto ends)
      {
        const std::size_t count = expected.first.size();
        BOOST_TEST((ends.first - keys_out.begin() == static_cast<std::ptrdiff_t>(count)), what);
        BOOST_TEST((ends.second - out.begin() == static_cast<std::ptrdiff_t>(count)), what);
        const std::vector<u32> rest(size + 1 - count, untouched);
        check_same(what + ", keys", expected.first, to_host(keys_out, 0, count));
        check_same(what + ", values", expected.second, to_host(out, 0, count));
        check_same(what + ", behind the keys", rest, to_host(keys_out, count, rest.size()));
        check_same(what + ", behind the values", rest, to_host(out, count, rest.size()));
        thrust::fill(keys_out.begin(), keys_out.end(), untouched);
        thrust::fill(out.begin(), out.end(), untouched);
      };
      const auto expected = reduce_by_key_reference<u32, u32>(keys, items, equal{}, plus{});
      for_each_seed(3,
                    [&]
                    {
                      check(
                          "of 6 arguments", expected,
                          thrust::reduce_by_key(reheat::par, k.begin(), k.end(), v.begin(), keys_out.begin(), out.begin()));
                      check("of 7 arguments", reduce_by_key_reference<u32, u32>(keys, items, same_parity{}, plus{}),
                            thrust::reduce_by_key(reheat::par, k.begin(), k.end(), v.begin(), keys_out.begin(), out.begin(),
                                                  same_parity{}));
                      check("of 8 arguments", expected,
                            thrust::reduce_by_key(reheat::par, k.begin(), k.end(), v.begin(), keys_out.begin(), out.begin(),
                                                  equal{}, unconstant_plus{}));
                    });
      check("upstream", expected,
            thrust::reduce_by_key(upstream, k.begin(), k.end(), v.begin(), keys_out.begin(), out.begin()));
    }
  }
}

BOOST_AUTO_TEST_CASE(a_segments_key_is_that_of_its_first_item)
{
  const std::size_t size = 5000;
  std::vector<u32> keys;
  for (std::size_t i = 0; i < size; ++i)
  {
    keys.push_back(static_cast<u32>(i + mix(i / 50) % 3)); // ascending by one, but for some places
  }
  const std::vector<u32> items = make_items<u32>(size);
  const auto expected = reduce_by_key_reference<u32, u32>(keys, items, follows{}, plus{});
  const thrust::device_vector<u32> k = to_device(keys), v = to_device(items);
  thrust::device_vector<u32> keys_out(expected.first.size()), out(expected.first.size());
  thrust::reduce_by_key(reheat::par, k.begin(), k.end(), v.begin(), keys_out.begin(), out.begin(), follows{}, plus{});
  check_same("keys", expected.first, to_host(keys_out));
  check_same("values", expected.second, to_host(out));
}

BOOST_AUTO_TEST_CASE(operands_keep_their_order_in_segments_of_any_length)
{
  for (const segments lengths : all_segments)
  {
    for (const std::size_t size : {reduce_by_key_tile<text>() - 1, 7 * reduce_by_key_tile<text>() + 5})
    {
      check_reduce_by_key<text>(size, lengths, placement::aligned);
    }
  }
}

BOOST_AUTO_TEST_CASE(streamed_keys_and_values_of_all_sizes)
{
  check_streamed<u32, u32>();
  check_streamed<u8, u64>();
  check_streamed<u64, u8>();
  check_streamed<words<3>, u32>();
  check_streamed<u32, words<3>>();
  check_streamed<u64, words<6>>();
  check_streamed<double, float>();
}

BOOST_AUTO_TEST_CASE(doubles)
{
  check_type<double>();
}
BOOST_AUTO_TEST_CASE(structs_of_256_bytes)
{
  check_type<words<64>>();
}
BOOST_AUTO_TEST_CASE(objects)
{
  check_type<tracked<false>>();
}

BOOST_AUTO_TEST_CASE(values_accumulate_in_their_own_type_whatever_the_output)
{
  const std::size_t size = 900;
  const std::vector<u32> keys = make_keys(size, segments::of_hundreds, reduce_by_key_tile<u8>());
  const std::vector<u8> items = make_items<u8>(size);
  const thrust::device_vector<u32> k = to_device(keys);
  const thrust::device_vector<u8> v = to_device(items);
  const auto expected = reduce_by_key_reference<u8, u32>(keys, items, equal{}, plus{});
  thrust::device_vector<u32> keys_out(expected.first.size()), out(expected.first.size());
  thrust::reduce_by_key(reheat::par, k.begin(), k.end(), v.begin(), keys_out.begin(), out.begin());
  check_same("bytes wrap", expected.second, to_host(out));
}

BOOST_AUTO_TEST_CASE(outputs_are_written_once_and_may_transform_or_discard)
{
  for (const std::size_t size : few_sizes(reduce_by_key_tile<u32>()))
  {
    const std::vector<u32> keys = make_keys(size, segments::of_few, reduce_by_key_tile<u32>());
    const std::vector<u32> items = make_items<u32>(size);
    const thrust::device_vector<u32> k = to_device(keys);
    auto expected = reduce_by_key_reference<u32, u32>(keys, items, equal{}, plus{});
    const std::size_t count = expected.first.size();
    for_each_seed(3,
                  [&]
                  {
                    watched_input<u32> in(items);
                    watched_output<u32> keys_out(count), out(count);
                    thrust::reduce_by_key(reheat::par, k.begin(), k.end(), in.begin(), keys_out.begin(), out.begin());
                    in.check(1, "reduce_by_key");
                    keys_out.check("keys of reduce_by_key");
                    out.check("values of reduce_by_key");
                    check_same("keys", expected.first, keys_out.items());
                    check_same("values", expected.second, out.items());
                  });
    const thrust::device_vector<u32> v = to_device(items);
    thrust::device_vector<u32> out(count);
    const auto zipped = thrust::make_zip_iterator(thrust::make_tuple(k.begin(), k.begin()));
    const auto ends = thrust::reduce_by_key(reheat::par, zipped, zipped + static_cast<std::ptrdiff_t>(size), v.begin(),
                                            thrust::make_discard_iterator(),
                                            thrust::make_transform_output_iterator(out.begin(), twice{}), equal{}, plus{});
    BOOST_TEST((ends.first - thrust::make_discard_iterator() == static_cast<std::ptrdiff_t>(count)));
    for (u32& x : expected.second)
    {
      x *= 2;
    }
    check_same("twice the values", expected.second, to_host(out));
    // Nothing is known of the output's type: sums are taken in the input's.
    const auto discarded =
        thrust::reduce_by_key(reheat::par, k.begin(), k.end(), v.begin(), out.begin(), thrust::make_discard_iterator());
    BOOST_TEST((discarded.first == out.end()));
    check_same("the keys alone", expected.first, to_host(out));
  }
}

BOOST_AUTO_TEST_CASE(empty_ranges_write_nothing_and_negative_ones_are_runtime_errors)
{
  const thrust::device_vector<u32> in(10, 1u);
  thrust::device_vector<u32> keys_out(10, 5u), out(10, 5u);
  const auto at = in.begin() + 4, before = in.begin() + 1;
  const auto keys_to = keys_out.begin(), to = out.begin();
  const auto check = [&](const char* what, auto call)
  {
    BOOST_TEST((call(at) == thrust::make_pair(keys_to, to)), what << ", no items");
    BOOST_CHECK_THROW(call(before), std::runtime_error);
  };
  check("of 6", [&](auto last) { return thrust::reduce_by_key(reheat::par, at, last, at, keys_to, to); });
  check("of 7", [&](auto last) { return thrust::reduce_by_key(reheat::par, at, last, at, keys_to, to, equal{}); });
  check("of 8", [&](auto last) { return thrust::reduce_by_key(reheat::par, at, last, at, keys_to, to, equal{}, plus{}); });
  check_same("the keys", std::vector<u32>(10, 5), to_host(keys_out));
  check_same("the values", std::vector<u32>(10, 5), to_host(out));
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

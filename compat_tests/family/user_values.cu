// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! What users bring to every call of the family: values and keys that are large or objects, operands that do not commute,
//! results over their input, types that differ.

#include "../support/user_code.hpp"

#include <thrust/count.h>
#include <thrust/extrema.h>
#include <thrust/inner_product.h>
#include <thrust/iterator/discard_iterator.h>
#include <thrust/iterator/transform_output_iterator.h>
#include <thrust/logical.h>
#include <thrust/transform_reduce.h>
#include <thrust/transform_scan.h>

#include <algorithm>

using namespace compat;

BOOST_AUTO_TEST_SUITE(family)
BOOST_AUTO_TEST_SUITE(user_values)

namespace
{

using u8 = std::uint8_t;
using u32 = std::uint32_t;
using large = words<64>;

struct is_multiple_of_3
{
  REHEAT_HOST_DEVICE bool operator()(const large& x) const { return x.word[63] % 3 == 0; }
};

//! Of keys that are objects, too.
struct same_key
{
  template <class T>
  REHEAT_HOST_DEVICE bool operator()(const T& x, const T& y) const
  {
    return values<T>::same(x, y);
  }
};

//! Two copies of a text, one behind the other.
struct repeated
{
  REHEAT_HOST_DEVICE text operator()(const text& x) const { return values<text>::fold(x, x); }
};

//! A sum of ints, whatever it is given.
struct int_plus
{
  REHEAT_HOST_DEVICE int operator()(int x, int y) const { return x + y; }
};

//! All algorithms by key, of Ts by Keys.
template <class T, class Key>
void check_by_key()
{
  const std::size_t tile = scan_by_key_tile<T, Key>();
  for_each_way(tile,
               [&](std::size_t size)
               {
                 for (const segments lengths : {segments::of_one, segments::of_few, segments::of_hundreds})
                 {
                   const placement where = lengths == segments::of_few ? placement::misaligned : placement::aligned;
                   const std::vector<Key> keys = make_keys<Key>(size, lengths, tile);
                   const std::vector<T> items = make_items<T>(size, 1);
                   const T init = values<T>::make(0);
                   const auto reduced = reduce_by_key_reference<T, T>(keys, items, same_key{}, fold{});
                   const std::size_t count = reduced.first.size();
                   placed<Key> k(keys, where);
                   placed<T> in(items, where);
                   for_each_seed(
                       2,
                       [&]
                       {
                         placed<T> inclusive(size, where), exclusive(size, where), sums(count, where);
                         placed<Key> keys_out(count, where);
                         thrust::inclusive_scan_by_key(reheat::par, k.begin(), k.end(), in.begin(), inclusive.begin(),
                                                       same_key{}, fold{});
                         check_same("inclusive_scan_by_key",
                                    inclusive_by_key_reference<T, T>(keys, items, same_key{}, fold{}), inclusive.items());
                         thrust::exclusive_scan_by_key(reheat::par, k.begin(), k.end(), in.begin(), exclusive.begin(), init,
                                                       same_key{}, fold{});
                         check_same("exclusive_scan_by_key",
                                    exclusive_by_key_reference<T>(keys, items, init, same_key{}, fold{}), exclusive.items());
                         const auto ends = thrust::reduce_by_key(reheat::par, k.begin(), k.end(), in.begin(),
                                                                 keys_out.begin(), sums.begin(), same_key{}, fold{});
                         BOOST_TEST((ends.first == keys_out.end() && ends.second == sums.end()));
                         check_same("keys of reduce_by_key", reduced.first, keys_out.items());
                         check_same("values of reduce_by_key", reduced.second, sums.items());
                       });
                 }
               });
}

} // namespace

// ---- values and keys ----------------------------------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(keys_of_256_bytes)
{
  check_by_key<u32, large>();
}
BOOST_AUTO_TEST_CASE(keys_and_values_that_are_objects)
{
  check_by_key<tracked<false>, tracked<false>>();
}

BOOST_AUTO_TEST_CASE(values_of_256_bytes_are_mapped_counted_and_compared)
{
  for (const std::size_t size : few_sizes(scan_tile<large>()))
  {
    for (const bool found : {false, true})
    {
      std::vector<large> items = make_items<large>(size, 1);
      for (std::size_t i = 0; i < size; ++i)
      {
        items[i].word[63] = found && (i % 5 == 4 || i + 1 == size) ? 3 : 1;
      }
      const large init = values<large>::make(0);
      const std::vector<large> pairs = mapped(items, [](const large& x) { return values<large>::fold(x, x); });
      placed<large> in(items, found ? placement::aligned : placement::misaligned), out(size, placement::aligned);
      large *const first = in.begin(), *const last = in.end();
      check_result("transform_reduce", size, reduce_reference<large>(items, init, fold{}),
                   thrust::transform_reduce(reheat::par, first, last, itself{}, init, fold{}));
      check_result("inner_product", size, reduce_reference<large>(pairs, init, fold{}),
                   thrust::inner_product(reheat::par, first, last, first, init, fold{}, fold{}));
      thrust::transform_inclusive_scan(reheat::par, first, last, out.begin(), itself{}, fold{});
      check_same("transform_inclusive_scan", inclusive_reference<large, large>(items, fold{}), out.items());
      check_place("count_if", size, std::count_if(items.begin(), items.end(), is_multiple_of_3{}),
                  thrust::count_if(reheat::par, first, last, is_multiple_of_3{}));
      check_place("any_of", size, found, thrust::any_of(reheat::par, first, last, is_multiple_of_3{}));
      check_place("min_element", size, std::min_element(items.begin(), items.end(), less_of_11{}) - items.begin(),
                  thrust::min_element(reheat::par, first, last, less_of_11{}) - first);
      check_place("max_element", size, std::max_element(items.begin(), items.end(), less_of_11{}) - items.begin(),
                  thrust::max_element(reheat::par, first, last, less_of_11{}) - first);
    }
  }
}

// ---- order, results over inputs, types ----------------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(transform_scans_keep_operands_in_order_and_may_overwrite_their_input)
{
  for_each_way(
      scan_tile<text>(),
      [](std::size_t size)
      {
        const std::vector<text> items = make_items<text>(size, 1);
        const std::vector<text> terms = mapped(items, repeated{});
        const text init = values<text>::make(0);
        const std::vector<text> plain = inclusive_reference<text, text>(terms, fold{});
        const std::vector<text> inclusive = inclusive_reference<text, text>(terms, init, fold{});
        const std::vector<text> exclusive = exclusive_reference<text, text>(terms, init, fold{});
        for_each_seed(
            2,
            [&]
            {
              for (const bool in_place : {false, true})
              {
                placed<text> in(items, placement::aligned), apart(size, placement::aligned);
                placed<text>& out = in_place ? in : apart;
                thrust::transform_inclusive_scan(reheat::par, in.begin(), in.end(), out.begin(), repeated{}, fold{});
                check_same("transform_inclusive_scan", plain, out.items());
                in = placed<text>(items, placement::aligned);
                thrust::transform_inclusive_scan(reheat::par, in.begin(), in.end(), out.begin(), repeated{}, init, fold{});
                check_same("transform_inclusive_scan from an initial value", inclusive, out.items());
                in = placed<text>(items, placement::aligned);
                thrust::transform_exclusive_scan(reheat::par, in.begin(), in.end(), out.begin(), repeated{}, init, fold{});
                check_same("transform_exclusive_scan", exclusive, out.items());
              }
            });
      });
}

BOOST_AUTO_TEST_CASE(keys_values_and_result_may_be_one_array)
{
  for_each_way(scan_by_key_tile<u32>(),
               [](std::size_t size)
               {
                 for (const segments lengths : all_segments)
                 {
                   const std::vector<u32> keys = make_keys(size, lengths, scan_by_key_tile<u32>());
                   for_each_seed(
                       3,
                       [&]
                       {
                         thrust::device_vector<u32> data = to_device(keys);
                         thrust::inclusive_scan_by_key(reheat::par, data.begin(), data.end(), data.begin(), data.begin());
                         check_same("inclusive_scan_by_key",
                                    inclusive_by_key_reference<u32, u32>(keys, keys, equal{}, plus{}), to_host(data));
                         data = to_device(keys);
                         thrust::exclusive_scan_by_key(reheat::par, data.begin(), data.end(), data.begin(), data.begin(),
                                                       9u);
                         check_same("exclusive_scan_by_key",
                                    exclusive_by_key_reference<u32>(keys, keys, 9u, equal{}, plus{}), to_host(data));
                       });
                 }
               });
}

BOOST_AUTO_TEST_CASE(sums_by_key_are_taken_in_the_type_of_their_output)
{
  for_each_way(reduce_by_key_tile<float>(),
               [](std::size_t size)
               {
                 const std::vector<u32> keys = make_keys(size, segments::of_few, reduce_by_key_tile<float>());
                 const std::vector<float> halves = mapped(make_items<float>(size), [](float x) { return x + 0.5f; });
                 // Floats add up, but each sum, as a sum of ints, loses its halves.
                 const auto expected = reduce_by_key_reference<float, int>(keys, halves, equal{}, int_plus{});
                 const thrust::device_vector<u32> k = to_device(keys);
                 const thrust::device_vector<float> in = to_device(halves);
                 thrust::device_vector<u32> keys_out(expected.first.size());
                 thrust::device_vector<int> sums(expected.first.size());
                 thrust::reduce_by_key(reheat::par, k.begin(), k.end(), in.begin(), keys_out.begin(), sums.begin());
                 check_same("keys", expected.first, to_host(keys_out));
                 check_same("values", expected.second, to_host(sums));
               });
}

BOOST_AUTO_TEST_CASE(sums_by_key_for_outputs_that_transform_are_taken_in_the_type_of_the_values)
{
  for_each_way(reduce_by_key_tile<u8>(),
               [](std::size_t size)
               {
                 const std::vector<u32> keys = make_keys(size, segments::of_hundreds, reduce_by_key_tile<u8>());
                 const std::vector<u8> items = make_items<u8>(size);
                 const auto expected = reduce_by_key_reference<u8, u32>(keys, items, equal{}, plus{});
                 const std::vector<u32> twice_the_keys = mapped(expected.first, twice{});
                 const std::vector<u32> twice_the_sums = mapped(expected.second, twice{});
                 const thrust::device_vector<u32> k = to_device(keys);
                 const thrust::device_vector<u8> in = to_device(items);
                 thrust::device_vector<u32> keys_out(expected.first.size()), sums(expected.first.size());
                 const auto doubled = thrust::make_transform_output_iterator(sums.begin(), twice{});
                 thrust::reduce_by_key(reheat::par, k.begin(), k.end(), in.begin(),
                                       thrust::make_transform_output_iterator(keys_out.begin(), twice{}), doubled);
                 check_same("keys, of 6 arguments", twice_the_keys, to_host(keys_out));
                 check_same("values, of 6 arguments", twice_the_sums, to_host(sums));
                 thrust::fill(sums.begin(), sums.end(), 1u);
                 const auto ends = thrust::reduce_by_key(reheat::par, k.begin(), k.end(), in.begin(),
                                                         thrust::make_discard_iterator(), doubled, equal{});
                 check_place("reduce_by_key of 7 arguments", size, static_cast<std::ptrdiff_t>(sums.size()),
                             ends.second - doubled);
                 check_same("values, of 7 arguments", twice_the_sums, to_host(sums));
               });
}

BOOST_AUTO_TEST_CASE(inner_products_multiply_and_add_in_the_type_of_init)
{
  for (const std::size_t size : few_sizes_and_many(reduce_tile<u32>()))
  {
    const std::vector<float> halves = mapped(make_items<float>(size), [](float x) { return x + 0.5f; });
    const std::vector<int> products = mapped(halves, [](float x) { return static_cast<int>(x) * static_cast<int>(x); });
    const thrust::device_vector<float> in = to_device(halves);
    check_result("inner_product", size, reduce_reference<int>(products, 5, plus{}),
                 thrust::inner_product(reheat::par, in.begin(), in.end(), in.begin(), 5));
  }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

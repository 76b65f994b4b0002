// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! What users bring to every call of the family: iterators that zip, permute, reverse, transform and discard, and those that
//! lead to no memory.

#include "../support/user_code.hpp"

#include <thrust/count.h>
#include <thrust/extrema.h>
#include <thrust/inner_product.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/discard_iterator.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/reverse_iterator.h>
#include <thrust/iterator/transform_output_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/logical.h>
#include <thrust/transform_reduce.h>
#include <thrust/transform_scan.h>

#include <algorithm>
#include <numeric>

using namespace compat;

BOOST_AUTO_TEST_SUITE(family)
BOOST_AUTO_TEST_SUITE(user_iterators)

namespace
{

using u8 = std::uint8_t;
using u32 = std::uint32_t;
using triple = thrust::tuple<u8, u32, u32>;

struct is_multiple_of_3
{
  REHEAT_HOST_DEVICE bool operator()(const triple& x) const { return (thrust::get<0>(x) + thrust::get<2>(x)) % 3 == 0; }
};

//! Each member shows in what it makes of one triple, or of two.
struct make_map
{
  REHEAT_HOST_DEVICE affine<u32> operator()(const triple& x) const
  {
    return {2u * thrust::get<0>(x) + 1u, thrust::get<1>(x) ^ thrust::get<2>(x)};
  }
  REHEAT_HOST_DEVICE affine<u32> operator()(const triple& x, const triple& y) const
  {
    return {2u * thrust::get<1>(y) + 1u, thrust::get<0>(x) + 3u * thrust::get<2>(x)};
  }
};

//! Triples become its operands by conversion: sequential code, which is compiled along, passes on what a zip refers to.
struct fold_triples
{
  REHEAT_HOST_DEVICE triple operator()(const triple& x, const triple& y) const { return values<triple>::fold(x, y); }
};

//! An output iterator for which std::iterator_traits is empty.
struct bare_output
{
  u32* place;
  REHEAT_HOST_DEVICE u32& operator[](std::ptrdiff_t index) const { return place[index]; }
  REHEAT_HOST_DEVICE bare_output operator+(std::ptrdiff_t count) const { return {place + count}; }
  REHEAT_HOST_DEVICE u32& operator*() const { return *place; }
  REHEAT_HOST_DEVICE bare_output& operator++()
  {
    ++place;
    return *this;
  }
};

//! Triples in an array of each member.
class zipped
{
public:
  explicit zipped(const std::vector<triple>& items) : zipped(items.size())
  {
    std::vector<u8> first;
    std::vector<u32> second, third;
    for (const triple& item : items)
    {
      first.push_back(thrust::get<0>(item));
      second.push_back(thrust::get<1>(item));
      third.push_back(thrust::get<2>(item));
    }
    first_ = to_device(first);
    second_ = to_device(second);
    third_ = to_device(third);
  }
  explicit zipped(std::size_t size) : first_(size), second_(size), third_(size) {}
  auto begin() { return thrust::make_zip_iterator(thrust::make_tuple(first_.begin(), second_.begin(), third_.begin())); }
  auto end() { return begin() + static_cast<std::ptrdiff_t>(first_.size()); }
  std::vector<triple> items() const
  {
    const std::vector<u8> first = to_host(first_);
    const std::vector<u32> second = to_host(second_), third = to_host(third_);
    std::vector<triple> result;
    for (std::size_t i = 0; i < first.size(); ++i)
    {
      result.emplace_back(first[i], second[i], third[i]);
    }
    return result;
  }

private:
  thrust::device_vector<u8> first_;
  thrust::device_vector<u32> second_, third_;
};

} // namespace

BOOST_AUTO_TEST_CASE(keys_and_values_may_be_zipped_in_inputs_and_in_outputs)
{
  for_each_way(
      scan_by_key_tile<triple, triple>(),
      [](std::size_t size)
      {
        const std::vector<triple> keys = make_keys<triple>(size, segments::of_few, scan_by_key_tile<triple, triple>());
        const std::vector<triple> items = make_items<triple>(size, 1);
        const triple init = values<triple>::make(0);
        const std::vector<triple> inclusive =
            inclusive_by_key_reference<triple, triple>(keys, items, equal{}, fold_triples{});
        const std::vector<triple> exclusive = exclusive_by_key_reference<triple>(keys, items, init, equal{}, fold_triples{});
        const auto reduced = reduce_by_key_reference<triple, triple>(keys, items, equal{}, fold_triples{});
        zipped k(keys), in(items);
        for_each_seed(2,
                      [&]
                      {
                        zipped out(size), keys_out(reduced.first.size()), sums(reduced.first.size());
                        thrust::inclusive_scan_by_key(reheat::par, k.begin(), k.end(), in.begin(), out.begin(), equal{},
                                                      fold_triples{});
                        check_same("inclusive_scan_by_key", inclusive, out.items());
                        thrust::exclusive_scan_by_key(reheat::par, k.begin(), k.end(), in.begin(), out.begin(), init,
                                                      equal{}, fold_triples{});
                        check_same("exclusive_scan_by_key", exclusive, out.items());
                        const auto ends = thrust::reduce_by_key(reheat::par, k.begin(), k.end(), in.begin(),
                                                                keys_out.begin(), sums.begin(), equal{}, fold_triples{});
                        check_place("reduce_by_key", size, keys_out.end() - keys_out.begin(), ends.first - keys_out.begin());
                        check_same("keys of reduce_by_key", reduced.first, keys_out.items());
                        check_same("values of reduce_by_key", reduced.second, sums.items());
                        zipped data(items), from(items);
                        thrust::inclusive_scan_by_key(reheat::par, k.begin(), k.end(), data.begin(), data.begin(), equal{},
                                                      fold_triples{});
                        check_same("inclusive_scan_by_key in place", inclusive, data.items());
                        thrust::exclusive_scan_by_key(reheat::par, k.begin(), k.end(), from.begin(), from.begin(), init,
                                                      equal{}, fold_triples{});
                        check_same("exclusive_scan_by_key in place", exclusive, from.items());
                      });
      });
}

BOOST_AUTO_TEST_CASE(functors_get_zipped_items_as_tuples)
{
  using map = affine<u32>;
  for_each_way(scan_tile<map>(),
               [](std::size_t size)
               {
                 const std::vector<triple> items = make_items<triple>(size, 1);
                 const std::vector<map> maps = mapped(items, make_map{});
                 const std::vector<map> pairs = mapped(items, [](const triple& x) { return make_map{}(x, x); });
                 const map init{3, 4};
                 zipped in(items);
                 const auto first = in.begin(), last = in.end();
                 thrust::device_vector<map> out(size);
                 check_result("transform_reduce", size, reduce_reference<map>(maps, init, fold{}),
                              thrust::transform_reduce(reheat::par, first, last, make_map{}, init, fold{}));
                 check_result("inner_product", size, reduce_reference<map>(pairs, init, fold{}),
                              thrust::inner_product(reheat::par, first, last, first, init, fold{}, make_map{}));
                 thrust::transform_inclusive_scan(reheat::par, first, last, out.begin(), make_map{}, fold{});
                 check_same("transform_inclusive_scan", inclusive_reference<map, map>(maps, fold{}), to_host(out));
                 thrust::transform_exclusive_scan(reheat::par, first, last, out.begin(), make_map{}, init, fold{});
                 check_same("transform_exclusive_scan", exclusive_reference<map, map>(maps, init, fold{}), to_host(out));
                 check_place("count_if", size, std::count_if(items.begin(), items.end(), is_multiple_of_3{}),
                             thrust::count_if(reheat::par, first, last, is_multiple_of_3{}));
                 check_place("any_of", size, std::any_of(items.begin(), items.end(), is_multiple_of_3{}),
                             thrust::any_of(reheat::par, first, last, is_multiple_of_3{}));
                 check_place("min_element", size, std::min_element(items.begin(), items.end()) - items.begin(),
                             thrust::min_element(reheat::par, first, last) - first);
               });
}

BOOST_AUTO_TEST_CASE(values_by_key_may_come_from_no_memory)
{
  for_each_way(scan_by_key_tile<u32>(),
               [](std::size_t size)
               {
                 const std::vector<u32> keys = make_keys(size, segments::of_hundreds, scan_by_key_tile<u32>());
                 const std::vector<u32> ones(size, 1u);
                 std::vector<u32> numbers;
                 for (std::size_t i = 0; i < size; ++i)
                 {
                   numbers.push_back(7u + static_cast<u32>(i));
                 }
                 const auto counted = reduce_by_key_reference<u32, u32>(keys, ones, equal{}, plus{});
                 const thrust::device_vector<u32> k = to_device(keys);
                 const thrust::constant_iterator<u32> one(1u);
                 const thrust::counting_iterator<u32> number(7u);
                 thrust::device_vector<u32> out(size), keys_out(counted.first.size()), counts(counted.first.size());
                 thrust::reduce_by_key(reheat::par, k.begin(), k.end(), one, keys_out.begin(), counts.begin());
                 check_same("keys of a histogram", counted.first, to_host(keys_out));
                 check_same("a histogram", counted.second, to_host(counts));
                 thrust::exclusive_scan_by_key(reheat::par, k.begin(), k.end(), one, out.begin());
                 check_same("exclusive_scan_by_key of ones",
                            exclusive_by_key_reference<u32>(keys, ones, 0u, equal{}, plus{}), to_host(out));
                 thrust::inclusive_scan_by_key(reheat::par, k.begin(), k.end(), number, out.begin());
                 check_same("inclusive_scan_by_key of numbers",
                            inclusive_by_key_reference<u32, u32>(keys, numbers, equal{}, plus{}), to_host(out));
               });
}

BOOST_AUTO_TEST_CASE(keys_and_values_may_be_read_and_results_written_backwards_or_in_any_order)
{
  for_each_way(scan_by_key_tile<u32>(),
               [](std::size_t size)
               {
                 const std::vector<u32> keys = make_keys(size, segments::of_few, scan_by_key_tile<u32>());
                 const std::vector<u32> items = make_items<u32>(size);
                 const auto reduced = reduce_by_key_reference<u32, u32>(keys, items, equal{}, plus{});
                 const auto distance = static_cast<std::ptrdiff_t>(size);
                 std::size_t step = 7;
                 while (std::gcd(step, size) != 1) // or some places would come twice
                 {
                   ++step;
                 }
                 std::vector<u32> places, keys_there(size), items_there(size);
                 for (std::size_t i = 0; i < size; ++i)
                 {
                   places.push_back(static_cast<u32>((3 + i * step) % size));
                   keys_there[places[i]] = keys[i];
                   items_there[places[i]] = items[i];
                 }
                 const thrust::device_vector<u32> at = to_device(places);
                 const thrust::device_vector<u32> k_there = to_device(keys_there), in_there = to_device(items_there);
                 const thrust::device_vector<u32> k_back = to_device(std::vector<u32>(keys.rbegin(), keys.rend()));
                 const thrust::device_vector<u32> in_back = to_device(std::vector<u32>(items.rbegin(), items.rend()));
                 thrust::device_vector<u32> out(size), keys_out(reduced.first.size()), sums(reduced.first.size());

                 const auto permuted_keys = thrust::make_permutation_iterator(k_there.begin(), at.begin());
                 thrust::inclusive_scan_by_key(reheat::par, permuted_keys, permuted_keys + distance,
                                               thrust::make_reverse_iterator(in_back.end()),
                                               thrust::make_reverse_iterator(out.end()));
                 std::vector<u32> actual = to_host(out);
                 std::reverse(actual.begin(), actual.end());
                 check_same("inclusive_scan_by_key", inclusive_by_key_reference<u32, u32>(keys, items, equal{}, plus{}),
                            actual);

                 const auto last_key = thrust::make_reverse_iterator(k_back.end());
                 thrust::reduce_by_key(reheat::par, last_key, last_key + distance,
                                       thrust::make_permutation_iterator(in_there.begin(), at.begin()), keys_out.begin(),
                                       sums.begin());
                 check_same("keys of reduce_by_key", reduced.first, to_host(keys_out));
                 check_same("values of reduce_by_key", reduced.second, to_host(sums));
               });
}

BOOST_AUTO_TEST_CASE(outputs_may_transform_what_they_are_assigned)
{
  for_each_way(
      scan_by_key_tile<u32>(),
      [](std::size_t size)
      {
        const std::vector<u32> keys = make_keys(size, segments::of_few, scan_by_key_tile<u32>());
        const std::vector<u32> items = make_items<u32>(size);
        const thrust::device_vector<u32> k = to_device(keys), in = to_device(items);
        const auto first = in.begin(), last = in.end();
        thrust::device_vector<u32> out(size);
        const auto doubled = thrust::make_transform_output_iterator(out.begin(), twice{});
        BOOST_TEST((thrust::exclusive_scan(reheat::par, first, last, doubled, 5u) - doubled == last - first));
        check_same("exclusive_scan", mapped(exclusive_reference<u32, u32>(items, 5u, plus{}), twice{}), to_host(out));
        thrust::transform_inclusive_scan(reheat::par, first, last, doubled, twice{}, plus{});
        check_same("transform_inclusive_scan",
                   mapped(inclusive_reference<u32, u32>(mapped(items, twice{}), plus{}), twice{}), to_host(out));
        thrust::inclusive_scan_by_key(reheat::par, k.begin(), k.end(), first, doubled);
        check_same("inclusive_scan_by_key",
                   mapped(inclusive_by_key_reference<u32, u32>(keys, items, equal{}, plus{}), twice{}), to_host(out));
      });
}

BOOST_AUTO_TEST_CASE(outputs_need_no_member_types)
{
  for_each_way(scan_by_key_tile<u32>(),
               [](std::size_t size)
               {
                 const std::vector<u32> keys = make_keys(size, segments::of_few, scan_by_key_tile<u32>());
                 const std::vector<u32> items = make_items<u32>(size);
                 const thrust::device_vector<u32> k = to_device(keys), in = to_device(items);
                 thrust::device_vector<u32> out(size);
                 const bare_output to{raw(out)};
                 check_place("inclusive_scan", size, static_cast<std::ptrdiff_t>(size),
                             thrust::inclusive_scan(reheat::par, in.begin(), in.end(), to).place - raw(out));
                 check_same("inclusive_scan", inclusive_reference<u32, u32>(items, plus{}), to_host(out));
                 thrust::transform_exclusive_scan(reheat::par, in.begin(), in.end(), to, twice{}, 5u, plus{});
                 check_same("transform_exclusive_scan", exclusive_reference<u32, u32>(mapped(items, twice{}), 5u, plus{}),
                            to_host(out));
                 thrust::inclusive_scan_by_key(reheat::par, k.begin(), k.end(), in.begin(), to);
                 check_same("inclusive_scan_by_key", inclusive_by_key_reference<u32, u32>(keys, items, equal{}, plus{}),
                            to_host(out));
               });
}

BOOST_AUTO_TEST_CASE(outputs_may_discard)
{
  const auto nowhere = thrust::make_discard_iterator();
  for_each_way(scan_by_key_tile<u32>(),
               [&](std::size_t size)
               {
                 const auto end = static_cast<std::ptrdiff_t>(size);
                 const std::vector<u32> items = make_items<u32>(size);
                 watched_input<u32> scanned(items), mapped_ones(items), by_key(items);
                 const thrust::device_vector<u32> k = to_device(make_keys(size, segments::of_few, 64));
                 check_place("exclusive_scan", size, end,
                             thrust::exclusive_scan(reheat::par, scanned.begin(), scanned.end(), nowhere, 5u) - nowhere);
                 scanned.check(1, "exclusive_scan");
                 check_place("transform_inclusive_scan", size, end,
                             thrust::transform_inclusive_scan(reheat::par, mapped_ones.begin(), mapped_ones.end(), nowhere,
                                                              twice{}, plus{}) -
                                 nowhere);
                 mapped_ones.check(1, "transform_inclusive_scan");
                 check_place("inclusive_scan_by_key", size, end,
                             thrust::inclusive_scan_by_key(reheat::par, k.begin(), k.end(), by_key.begin(), nowhere) -
                                 nowhere);
                 by_key.check(1, "inclusive_scan_by_key");
               });
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

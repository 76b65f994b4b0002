// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! What users bring to every call of the family: functors and outputs that exist on the device alone, operators that return
//! references, placeholders, iterators that zip, permute, reverse, transform and discard, values and keys that are large or
//! objects, zeros with a sign.

#include "../support/calls.hpp"
#include "../support/segments.hpp"

#include <thrust/count.h>
#include <thrust/extrema.h>
#include <thrust/functional.h>
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

#include <cuda/std/functional>

#include <algorithm>
#include <iterator>
#include <numeric>

using namespace compat;

BOOST_AUTO_TEST_SUITE(family)
BOOST_AUTO_TEST_SUITE(user_code)

namespace
{

using u8 = std::uint8_t;
using u32 = std::uint32_t;
using triple = thrust::tuple<u8, u32, u32>;
using large = words<64>;

// ---- functors -----------------------------------------------------------------------------------------------------------

//! Functor, as a user has it who never thought of the host: its call operator is neither there nor const. A call from the
//! host does not compile for GPUs. References that Functor returns are passed on.
template <class Functor>
struct device_only
{
  template <class... Operand>
  REHEAT_DEVICE auto operator()(const Operand&... operands) -> decltype(Functor{}(operands...))
  {
    return Functor{}(operands...);
  }
};

//! The later operand if it is one of a few, or else the earlier one. Associative; does not commute; what stands before shows
//! for some thirty items.
struct latest_of_few
{
  REHEAT_HOST_DEVICE const u32& operator()(const u32& x, const u32& y) const { return y % 32 == 1 ? y : x; }
};
//! A map that makes nothing, and a predicate that is no bool.
struct itself
{
  template <class T>
  REHEAT_HOST_DEVICE const T& operator()(const T& x) const
  {
    return x;
  }
};
//! Has many equivalent items.
struct less_of_11
{
  REHEAT_HOST_DEVICE bool operator()(u32 x, u32 y) const { return x % 11 < y % 11; }
  REHEAT_HOST_DEVICE bool operator()(const large& x, const large& y) const { return x.word[2] % 11 < y.word[2] % 11; }
};
struct twice
{
  REHEAT_HOST_DEVICE u32 operator()(u32 x) const { return 2 * x; }
};
struct is_multiple_of_3
{
  REHEAT_HOST_DEVICE bool operator()(const large& x) const { return x.word[63] % 3 == 0; }
  REHEAT_HOST_DEVICE bool operator()(const triple& x) const { return (thrust::get<0>(x) + thrust::get<2>(x)) % 3 == 0; }
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

//! An output that can be assigned to, on the device alone.
struct device_only_reference
{
  u32* item;
  REHEAT_DEVICE void operator=(u32 value) const { *item = value; }
};
struct device_only_output
{
  using iterator_category = std::random_access_iterator_tag;
  using value_type = void;
  using difference_type = std::ptrdiff_t;
  using pointer = void;
  using reference = device_only_reference;

  u32* items;
  REHEAT_DEVICE reference operator*() const { return {items}; }
  REHEAT_DEVICE reference operator[](std::ptrdiff_t distance) const { return {items + distance}; }
  REHEAT_DEVICE device_only_output& operator++()
  {
    ++items;
    return *this;
  }
  REHEAT_HOST_DEVICE device_only_output operator+(std::ptrdiff_t distance) const { return {items + distance}; }
};

// ---- data ---------------------------------------------------------------------------------------------------------------

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

template <class T, class Map>
auto mapped(const std::vector<T>& items, Map map)
{
  std::vector<std::decay_t<decltype(map(items[0]))>> result;
  for (const T& item : items)
  {
    result.push_back(map(item));
  }
  return result;
}

void check_place(const char* what, std::size_t items, std::ptrdiff_t expected, std::ptrdiff_t actual)
{
  BOOST_TEST(actual == expected, what << " of " << items << " items: expected " << expected << ", actual " << actual);
}

//! Zeros with a minus sign; what stands at `positive`, if it is one of them, has none.
std::vector<float> make_zeros(std::size_t size, std::size_t positive)
{
  std::vector<float> zeros(size, -0.0f);
  if (positive < size)
  {
    zeros[positive] = 0.0f;
  }
  return zeros;
}

//! One tile and its neighbours, some tiles, and many.
std::vector<std::size_t> some_sizes(std::size_t tile)
{
  std::vector<std::size_t> sizes = few_sizes(tile);
  sizes.push_back(40 * tile + 11);
  return sizes;
}

//! Calls `check(size)`, which scans, for such sizes: as each has it, and streamed.
template <class Check>
void for_each_way(std::size_t tile, Check check)
{
  for (const bool streams : {false, true})
  {
    const force_scans all(streams ? streaming_scans() : forced_scan());
    BOOST_TEST_CONTEXT((streams ? "streaming" : "as the size has it"))
    {
      for (const std::size_t size : some_sizes(tile))
      {
        check(size);
      }
    }
  }
}

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

// ---- code on the device alone, operators that return references
// -----------------------------------------------------------

BOOST_AUTO_TEST_CASE(reductions_take_functors_of_the_device_alone_that_return_references)
{
  const device_only<latest_of_few> op;
  const device_only<itself> same;
  const device_only<less_of_11> less;
  for (const std::size_t size : some_sizes(reduce_tile<u32>()))
  {
    const std::vector<u32> items = make_items<u32>(size), others = make_items<u32>(size, size);
    std::vector<u32> larger(size);
    std::transform(items.begin(), items.end(), others.begin(), larger.begin(), maximum_by_reference{});
    const u32 folded = reduce_reference<u32>(items, 5u, latest_of_few{});
    const auto smallest = std::min_element(items.begin(), items.end(), less_of_11{}) - items.begin();
    const auto largest = std::max_element(items.begin(), items.end(), less_of_11{}) - items.begin();
    const thrust::device_vector<u32> in = to_device(items), other = to_device(others);
    const auto first = in.begin(), last = in.end();
    for_each_seed(2,
                  [&]
                  {
                    thrust::device_vector<u32> out(1);
                    check_result("reduce", size, folded, thrust::reduce(reheat::par, first, last, 5u, op));
                    reheat::reduce_into(reheat::par, first, last, device_only_output{raw(out)}, 5u, op);
                    check_result("reduce_into", size, folded, to_host(out)[0]);
                    check_result("transform_reduce", size, folded,
                                 thrust::transform_reduce(reheat::par, first, last, same, 5u, op));
                    check_result("inner_product", size, reduce_reference<u32>(larger, 5u, latest_of_few{}),
                                 thrust::inner_product(reheat::par, first, last, other.begin(), 5u, op,
                                                       device_only<maximum_by_reference>{}));
                    const auto both = thrust::minmax_element(reheat::par, first, last, less);
                    check_place("min_element", size, smallest, thrust::min_element(reheat::par, first, last, less) - first);
                    check_place("max_element", size, largest, thrust::max_element(reheat::par, first, last, less) - first);
                    check_place("minmax_element, smallest", size, smallest, both.first - first);
                    check_place("minmax_element, largest", size, largest, both.second - first);
                  });
  }
}

BOOST_AUTO_TEST_CASE(counts_and_questions_take_predicates_of_the_device_alone_that_return_references)
{
  const device_only<itself> predicate;
  const auto holds = [](u32 x) { return x != 0; };
  for (const std::size_t size : some_sizes(reduce_tile<u32>()))
  {
    // All even, so that no number passes for a truth value: all satisfy the predicate, none does; the last one differs.
    for (const bool most : {false, true})
    {
      for (const bool last_one : {false, true})
      {
        std::vector<u32> items(size, most ? 6u : 0u);
        items.back() = last_one ? 4u : 0u;
        const thrust::device_vector<u32> in = to_device(items);
        const auto first = in.begin(), last = in.end();
        check_place("count_if", size, std::count_if(items.begin(), items.end(), holds),
                    thrust::count_if(reheat::par, first, last, predicate));
        check_place("all_of", size, std::all_of(items.begin(), items.end(), holds),
                    thrust::all_of(reheat::par, first, last, predicate));
        check_place("any_of", size, std::any_of(items.begin(), items.end(), holds),
                    thrust::any_of(reheat::par, first, last, predicate));
        check_place("none_of", size, std::none_of(items.begin(), items.end(), holds),
                    thrust::none_of(reheat::par, first, last, predicate));
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(scans_take_functors_and_outputs_of_the_device_alone)
{
  const device_only<latest_of_few> op;
  const device_only<itself> same;
  for_each_way(scan_tile<u32>(),
               [&](std::size_t size)
               {
                 const std::vector<u32> items = make_items<u32>(size);
                 const std::vector<u32> plain = inclusive_reference<u32, u32>(items, latest_of_few{});
                 const std::vector<u32> inclusive = inclusive_reference<u32, u32>(items, 5u, latest_of_few{});
                 const std::vector<u32> exclusive = exclusive_reference<u32, u32>(items, 5u, latest_of_few{});
                 const thrust::device_vector<u32> in = to_device(items);
                 thrust::device_vector<u32> result(size);
                 const auto first = in.begin(), last = in.end();
                 const device_only_output out{raw(result)};
                 const auto check = [&](const char* what, const std::vector<u32>& expected, const device_only_output& end)
                 {
                   check_place(what, size, static_cast<std::ptrdiff_t>(size), end.items - out.items);
                   check_same(what, expected, to_host(result));
                   thrust::fill(result.begin(), result.end(), 0u);
                 };
                 for_each_seed(2,
                               [&]
                               {
                                 check("inclusive_scan", plain, thrust::inclusive_scan(reheat::par, first, last, out, op));
                                 check("inclusive_scan from an initial value", inclusive,
                                       thrust::inclusive_scan(reheat::par, first, last, out, 5u, op));
                                 check("exclusive_scan", exclusive,
                                       thrust::exclusive_scan(reheat::par, first, last, out, 5u, op));
                                 check("transform_inclusive_scan", plain,
                                       thrust::transform_inclusive_scan(reheat::par, first, last, out, same, op));
                                 check("transform_inclusive_scan from an initial value", inclusive,
                                       thrust::transform_inclusive_scan(reheat::par, first, last, out, same, 5u, op));
                                 check("transform_exclusive_scan", exclusive,
                                       thrust::transform_exclusive_scan(reheat::par, first, last, out, same, 5u, op));
                               });
               });
}

BOOST_AUTO_TEST_CASE(algorithms_by_key_take_functors_and_outputs_of_the_device_alone)
{
  const device_only<latest_of_few> op;
  const device_only<equal> same;
  for_each_way(scan_by_key_tile<u32>(),
               [&](std::size_t size)
               {
                 const std::vector<u32> keys = make_keys(size, segments::of_hundreds, scan_by_key_tile<u32>());
                 const std::vector<u32> items = make_items<u32>(size);
                 const std::vector<u32> inclusive =
                     inclusive_by_key_reference<u32, u32>(keys, items, equal{}, latest_of_few{});
                 const std::vector<u32> exclusive =
                     exclusive_by_key_reference<u32>(keys, items, 5u, equal{}, latest_of_few{});
                 const auto reduced = reduce_by_key_reference<u32, u32>(keys, items, equal{}, latest_of_few{});
                 const std::size_t count = reduced.first.size();
                 const thrust::device_vector<u32> k = to_device(keys), in = to_device(items);
                 for_each_seed(2,
                               [&]
                               {
                                 thrust::device_vector<u32> scan(size), scan_from(size), keys_out(count), sums(count);
                                 thrust::inclusive_scan_by_key(reheat::par, k.begin(), k.end(), in.begin(),
                                                               device_only_output{raw(scan)}, same, op);
                                 check_same("inclusive_scan_by_key", inclusive, to_host(scan));
                                 thrust::exclusive_scan_by_key(reheat::par, k.begin(), k.end(), in.begin(),
                                                               device_only_output{raw(scan_from)}, 5u, same, op);
                                 check_same("exclusive_scan_by_key", exclusive, to_host(scan_from));
                                 const auto ends = thrust::reduce_by_key(reheat::par, k.begin(), k.end(), in.begin(),
                                                                         device_only_output{raw(keys_out)},
                                                                         device_only_output{raw(sums)}, same, op);
                                 check_place("reduce_by_key", size, static_cast<std::ptrdiff_t>(count),
                                             ends.first.items - raw(keys_out));
                                 check_same("keys of reduce_by_key", reduced.first, to_host(keys_out));
                                 check_same("values of reduce_by_key", reduced.second, to_host(sums));
                               });
               });
}

BOOST_AUTO_TEST_CASE(placeholders_are_operators_maps_and_predicates)
{
  using thrust::placeholders::_1;
  using thrust::placeholders::_2;
  const std::size_t size = 3 * scan_tile<u32>() - 1;
  const std::vector<u32> items = make_items<u32>(size);
  const std::vector<u32> squares = mapped(items, [](u32 x) { return x * x; });
  const thrust::device_vector<u32> in = to_device(items);
  thrust::device_vector<u32> out(size);
  check_place("count_if", size, std::count_if(items.begin(), items.end(), [](u32 x) { return x > 1u << 31; }),
              thrust::count_if(reheat::par, in.begin(), in.end(), _1 > 1u << 31));
  check_result("transform_reduce", size, reduce_reference<u32>(squares, 5u, plus{}),
               thrust::transform_reduce(reheat::par, in.begin(), in.end(), _1 * _1, 5u, _1 + _2));
  thrust::inclusive_scan(reheat::par, in.begin(), in.end(), out.begin(), _1 + _2);
  check_same("inclusive_scan", inclusive_reference<u32, u32>(items, plus{}), to_host(out));
}

// ---- iterators ----------------------------------------------------------------------------------------------------------

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

// ---- zeros with a sign --------------------------------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(sums_of_negative_zeros_are_negative_zeros)
{
  const reheat::detail::reduce_config shape = reduce_shape<float, float, thrust::plus<float>>();
  const std::size_t tile = shape.tile_items();
  for (const std::size_t size : {std::size_t(1), std::size_t(31), std::size_t(33), std::size_t(1000), tile - 1, tile + 1,
                                 9 * tile + 5, 2 * tile * shape.max_blocks + tile / 3})
  {
    const std::vector<float> ones(size, 1.0f);
    placed<float> one(ones, placement::aligned);
    for (const std::size_t positive : {size, size - 1, size / 2})
    {
      const std::vector<float> zeros = make_zeros(size, positive);
      placed<float> in(zeros, positive == size / 2 ? placement::misaligned : placement::aligned);
      const float *const first = in.begin(), *const last = in.end();
      for (const float init : {-0.0f, 0.0f})
      {
        const float expected = reduce_reference<float>(zeros, init, plus{});
        thrust::device_vector<float> out(1);
        check_result_bitwise("reduce", size, expected, thrust::reduce(reheat::par, first, last, init));
        check_result_bitwise("reduce by an operator", size, expected,
                             thrust::reduce(reheat::par, first, last, init, ::cuda::std::plus<>{}));
        reheat::reduce_into(reheat::par, first, last, out.begin(), init);
        check_result_bitwise("reduce_into", size, expected, to_host(out)[0]);
        check_result_bitwise("transform_reduce", size, expected,
                             thrust::transform_reduce(reheat::par, first, last, itself{}, init, thrust::plus<float>{}));
        check_result_bitwise("inner_product", size, expected,
                             thrust::inner_product(reheat::par, first, last, one.begin(), init));
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(scans_of_negative_zeros_give_negative_zeros)
{
  const thrust::plus<float> sum;
  for_each_way(
      scan_tile<float>(),
      [&](std::size_t size)
      {
        for (const std::size_t positive : {size, size / 2})
        {
          const std::vector<float> zeros = make_zeros(size, positive);
          placed<float> in(zeros, positive < size ? placement::misaligned : placement::aligned);
          const float *const first = in.begin(), *const last = in.end();
          const auto check = [&](const char* what, const std::vector<float>& expected, auto scan)
          {
            placed<float> out(size, placement::aligned);
            scan(out.begin());
            check_bitwise(what, expected, out.items());
          };
          const std::vector<float> inclusive = inclusive_reference<float, float>(zeros, plus{});
          const std::vector<float> exclusive = exclusive_reference<float, float>(zeros, -0.0f, plus{});
          check("inclusive_scan", inclusive, [&](float* out) { thrust::inclusive_scan(reheat::par, first, last, out); });
          check("exclusive_scan", exclusive,
                [&](float* out) { thrust::exclusive_scan(reheat::par, first, last, out, -0.0f); });
          check("exclusive_scan from zero", std::vector<float>(size, 0.0f),
                [&](float* out) { thrust::exclusive_scan(reheat::par, first, last, out); });
          check("transform_inclusive_scan", inclusive,
                [&](float* out) { thrust::transform_inclusive_scan(reheat::par, first, last, out, itself{}, sum); });
          check("transform_inclusive_scan from an initial value", inclusive,
                [&](float* out) { thrust::transform_inclusive_scan(reheat::par, first, last, out, itself{}, -0.0f, sum); });
          check("transform_exclusive_scan", exclusive,
                [&](float* out) { thrust::transform_exclusive_scan(reheat::par, first, last, out, itself{}, -0.0f, sum); });
        }
      });
}

BOOST_AUTO_TEST_CASE(sums_by_key_of_negative_zeros_are_negative_zeros)
{
  for_each_way(scan_by_key_tile<float>(),
               [](std::size_t size)
               {
                 const std::vector<u32> keys = make_keys(size, segments::of_hundreds, scan_by_key_tile<float>());
                 for (const std::size_t positive : {size, size / 2})
                 {
                   const std::vector<float> zeros = make_zeros(size, positive);
                   const auto reduced = reduce_by_key_reference<float, float>(keys, zeros, equal{}, plus{});
                   const thrust::device_vector<u32> k = to_device(keys);
                   const thrust::device_vector<float> in = to_device(zeros);
                   thrust::device_vector<float> out(size), sums(reduced.first.size());
                   thrust::device_vector<u32> keys_out(reduced.first.size());
                   thrust::inclusive_scan_by_key(reheat::par, k.begin(), k.end(), in.begin(), out.begin());
                   check_bitwise("inclusive_scan_by_key",
                                 inclusive_by_key_reference<float, float>(keys, zeros, equal{}, plus{}), to_host(out));
                   thrust::exclusive_scan_by_key(reheat::par, k.begin(), k.end(), in.begin(), out.begin(), -0.0f);
                   check_bitwise("exclusive_scan_by_key",
                                 exclusive_by_key_reference<float>(keys, zeros, -0.0f, equal{}, plus{}), to_host(out));
                   thrust::reduce_by_key(reheat::par, k.begin(), k.end(), in.begin(), keys_out.begin(), sums.begin());
                   check_bitwise("reduce_by_key", reduced.second, to_host(sums));
                 }
               });
}

BOOST_AUTO_TEST_CASE(a_zero_of_either_sign_may_be_the_largest_or_the_smallest)
{
  const std::size_t tile = reduce_shape<float, float, thrust::maximum<float>>().tile_items();
  for (const std::size_t size : some_sizes(tile))
  {
    for (const std::size_t at : {std::size_t(0), size / 3, size - 1})
    {
      std::vector<float> below(size, -1.0f), above(size, 1.0f);
      below[at] = above[at] = -0.0f;
      if (at != 0) // or else the only zero
      {
        below[size - 1 - at] = above[size - 1 - at] = 0.0f;
      }
      const thrust::device_vector<float> in = to_device(below), other = to_device(above);
      check_result("reduce by maximum", size, 0.0f,
                   thrust::reduce(reheat::par, in.begin(), in.end(), -2.0f, thrust::maximum<float>{}));
      check_result("reduce by minimum", size, 0.0f,
                   thrust::reduce(reheat::par, other.begin(), other.end(), 2.0f, thrust::minimum<float>{}));
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
  for (const std::size_t size : some_sizes(reduce_tile<u32>()))
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

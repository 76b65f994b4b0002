// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Scans of transformed items, and scans by key: what each call form gives, in which type it accumulates, which ranges,
//! iterators, values and operators it takes.

#include "../support/calls.hpp"
#include "../support/segments.hpp"
#include "../support/strategies.hpp"

#include <thrust/iterator/discard_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/transform_output_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/transform.h>
#include <thrust/transform_scan.h>

using namespace compat;

BOOST_AUTO_TEST_SUITE(family)
BOOST_AUTO_TEST_SUITE(scans)

namespace
{

using u8 = std::uint8_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;

struct square
{
  REHEAT_HOST_DEVICE u64 operator()(u32 x) const { return u64{x} * x; }
};
struct and_a_half
{
  REHEAT_HOST_DEVICE float operator()(int x) const { return static_cast<float>(x) + 0.5f; }
};
//! Its call operator is not const.
struct plus_one
{
  REHEAT_HOST_DEVICE u32 operator()(u32 x) { return x + 1; }
};
struct twice
{
  REHEAT_HOST_DEVICE u32 operator()(u32 x) const { return 2 * x; }
};
struct negated
{
  REHEAT_HOST_DEVICE u32 operator()(int x) const { return 0u - static_cast<u32>(x); }
};
struct long_square
{
  REHEAT_HOST_DEVICE u64 operator()(u8 x) const { return u64{x} * x; }
};
//! Keys that follow each other: cares which operand is the earlier one.
struct follows
{
  REHEAT_HOST_DEVICE bool operator()(u32 x, u32 y) { return y == x + 1; }
};
struct same_parity
{
  REHEAT_HOST_DEVICE bool operator()(u32 x, u32 y) const { return x % 2 == y % 2; }
};
struct tuple_sum
{
  using tuple = thrust::tuple<u8, u32, u32>;
  REHEAT_HOST_DEVICE tuple operator()(const tuple& x, const tuple& y) const { return values<tuple>::fold(x, y); }
};
struct same_pair
{
  using pair = thrust::tuple<u32, u8>;
  REHEAT_HOST_DEVICE bool operator()(const pair& x, const pair& y) const
  {
    return thrust::get<0>(x) == thrust::get<0>(y) && thrust::get<1>(x) == thrust::get<1>(y);
  }
};

template <class T, class Map>
auto mapped(const std::vector<T>& items, Map map)
{
  std::vector<decltype(map(items[0]))> result;
  for (const T& item : items)
  {
    result.push_back(map(item));
  }
  return result;
}

//! Both scans of Ts by Keys, in order, at any address, against the reference.
template <class T, class Key = u32>
void check_by_key(std::size_t size, segments lengths, placement where)
{
  const std::vector<Key> keys = make_keys<Key>(size, lengths, scan_by_key_tile<T, Key>());
  const std::vector<T> items = make_items<T>(size, 1);
  const T init = values<T>::make(0);
  const std::vector<T> inclusive = inclusive_by_key_reference<T, T>(keys, items, equal{}, fold{});
  const std::vector<T> exclusive = exclusive_by_key_reference<T>(keys, items, init, equal{}, fold{});
  placed<Key> in_keys(keys, where);
  placed<T> in(items, where);
  for_each_seed(5,
                [&]
                {
                  placed<T> out(size, where);
                  BOOST_TEST((thrust::inclusive_scan_by_key(reheat::par, in_keys.begin(), in_keys.end(), in.begin(),
                                                            out.begin(), equal{}, fold{}) == out.end()));
                  check_same("inclusive_scan_by_key", inclusive, out.items());
                  BOOST_TEST((thrust::exclusive_scan_by_key(reheat::par, in_keys.begin(), in_keys.end(), in.begin(),
                                                            out.begin(), init, equal{}, fold{}) == out.end()));
                  check_same("exclusive_scan_by_key", exclusive, out.items());
                });
}
template <class T>
void check_type()
{
  for (const std::size_t size : few_sizes(scan_by_key_tile<T>()))
  {
    check_by_key<T>(size, segments::of_few, placement::aligned);
    check_by_key<T>(size, segments::of_hundreds, placement::misaligned);
  }
}

template <class T, class Key>
void check_streamed()
{
  for_each_streamed(scan_by_key_tile<T, Key>(),
                    [](std::size_t size, segments lengths)
                    {
                      check_by_key<T, Key>(size, lengths, placement::aligned);
                      check_by_key<T, Key>(size, lengths, placement::misaligned);
                    });
}

//! Scans of what Map makes of memory of Ts at any address, streamed or as their size has it, in place too.
template <class T, class Map>
void check_mapped_memory(std::size_t size, placement where)
{
  const std::vector<T> items = make_items<T>(size);
  const auto terms = mapped(items, Map{});
  using term = typename decltype(terms)::value_type;
  const std::vector<term> inclusive = inclusive_reference<term, term>(terms, plus{});
  const std::vector<term> exclusive = exclusive_reference<term, term>(terms, term(5), plus{});
  placed<T> in(items, where);
  const auto first = thrust::make_transform_iterator(in.begin(), Map{});
  const auto last = first + static_cast<std::ptrdiff_t>(size);
  for_each_seed(3,
                [&]
                {
                  placed<term> out(size, where);
                  BOOST_TEST((thrust::inclusive_scan(reheat::par, first, last, out.begin(), plus{}) == out.end()));
                  check_same("inclusive_scan", inclusive, out.items());
                  BOOST_TEST((thrust::exclusive_scan(reheat::par, first, last, out.begin(), term(5), plus{}) == out.end()));
                  check_same("exclusive_scan", exclusive, out.items());
                  thrust::transform_inclusive_scan(reheat::par, in.begin(), in.end(), out.begin(), Map{}, plus{});
                  check_same("transform_inclusive_scan", inclusive, out.items());
                });
}

std::vector<std::size_t> some_sizes()
{
  std::vector<std::size_t> sizes = few_sizes(scan_by_key_tile<u32>());
  sizes.push_back(scan_by_key_tile<u32>() * 40 + 11);
  return sizes;
}

} // namespace

// ---- scans of transformed items -----------------------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(transform_scans_give_the_reference_and_upstreams_result)
{
  for (const std::size_t size : boundary_sizes(scan_tile<u64>()))
  {
    const std::vector<u32> items = make_items<u32>(size);
    const std::vector<u64> squares = mapped(items, square{});
    const thrust::device_vector<u32> in = to_device(items);
    thrust::device_vector<u64> out(size);
    const auto check = [&](const char* what, const std::vector<u64>& expected, auto end)
    {
      BOOST_TEST((end == out.end()), what);
      check_same(what, expected, to_host(out));
      thrust::fill(out.begin(), out.end(), u64{0});
    };
    const std::vector<u64> inclusive = inclusive_reference<u64, u64>(squares, plus{});
    const std::vector<u64> from_init = inclusive_reference<u64, u64>(squares, u64{7}, plus{});
    const std::vector<u64> exclusive = exclusive_reference<u64, u64>(squares, u64{7}, plus{});
    for_each_seed(
        3,
        [&]
        {
          check("inclusive", inclusive,
                thrust::transform_inclusive_scan(reheat::par, in.begin(), in.end(), out.begin(), square{}, plus{}));
          check("inclusive, from an initial value", from_init,
                thrust::transform_inclusive_scan(reheat::par, in.begin(), in.end(), out.begin(), square{}, u64{7}, plus{}));
          check("exclusive", exclusive,
                thrust::transform_exclusive_scan(reheat::par, in.begin(), in.end(), out.begin(), square{}, u64{7}, plus{}));
        });
    check("upstream, inclusive", inclusive,
          thrust::transform_inclusive_scan(upstream, in.begin(), in.end(), out.begin(), square{}, plus{}));
  }
}

BOOST_AUTO_TEST_CASE(transform_scans_accumulate_in_the_terms_or_the_initial_values_type)
{
  const std::size_t size = 700;
  const std::vector<int> items = make_items<int>(size);
  const std::vector<float> halves = mapped(items, and_a_half{});
  const thrust::device_vector<int> in = to_device(items);
  thrust::device_vector<int> out(size);
  thrust::transform_inclusive_scan(reheat::par, in.begin(), in.end(), out.begin(), and_a_half{}, plus{});
  check_same("float sums, stored as ints", inclusive_reference<float, int>(halves, plus{}), to_host(out));
  thrust::transform_inclusive_scan(reheat::par, in.begin(), in.end(), out.begin(), and_a_half{}, 3, plus{});
  check_same("float sums from an int", inclusive_reference<float, int>(halves, 3, plus{}), to_host(out));
  thrust::transform_exclusive_scan(reheat::par, in.begin(), in.end(), out.begin(), and_a_half{}, 3, plus{});
  check_same("terms become ints first", exclusive_reference<int, int>(halves, 3, plus{}), to_host(out));
}

BOOST_AUTO_TEST_CASE(transform_scans_keep_order_and_may_overwrite_their_input)
{
  for (const std::size_t size : few_sizes(scan_tile<text>()))
  {
    const std::vector<text> items = make_items<text>(size, 1);
    const text init = values<text>::make(0);
    for_each_seed(5,
                  [&]
                  {
                    thrust::device_vector<text> out(size);
                    const counting first(1);
                    thrust::transform_exclusive_scan(reheat::par, first, first + static_cast<std::ptrdiff_t>(size),
                                                     out.begin(), make_item<text>{}, init, fold{});
                    check_same("exclusive", exclusive_reference<text, text>(items, init, fold{}), to_host(out));
                  });
  }
  for (const std::size_t size : some_sizes())
  {
    const std::vector<u32> items = make_items<u32>(size);
    const std::vector<u32> more = mapped(items, plus_one{});
    for_each_seed(5,
                  [&]
                  {
                    thrust::device_vector<u32> data = to_device(items);
                    thrust::transform_inclusive_scan(reheat::par, data.begin(), data.end(), data.begin(), plus_one{},
                                                     plus{});
                    check_same("in place", inclusive_reference<u32, u32>(more, plus{}), to_host(data));
                  });
  }
}

BOOST_AUTO_TEST_CASE(scans_map_items_where_they_lie_if_memory_of_any_address_holds_them)
{
  for (const bool streams : {true, false})
  {
    const force_scans all(streams ? streaming_scans() : forced_scan());
    for (const std::size_t size : few_sizes(scan_tile<u32>()))
    {
      for (const placement where : {placement::aligned, placement::misaligned})
      {
        check_mapped_memory<u32, plus_one>(size, where);
        check_mapped_memory<int, negated>(size, where);    // another type of the same size
        check_mapped_memory<u8, long_square>(size, where); // of another size: load warps map
      }
    }
  }
}
BOOST_AUTO_TEST_CASE(scans_of_transform_iterators_may_overwrite_their_memory)
{
  const force_scans all(streaming_scans());
  for (const std::size_t size : some_sizes())
  {
    const std::vector<u32> items = make_items<u32>(size);
    for_each_seed(5,
                  [&]
                  {
                    thrust::device_vector<u32> data = to_device(items);
                    const auto first = thrust::make_transform_iterator(data.begin(), twice{});
                    thrust::inclusive_scan(reheat::par, first, first + static_cast<std::ptrdiff_t>(size), data.begin());
                    check_same("in place", inclusive_reference<u32, u32>(mapped(items, twice{}), plus{}), to_host(data));
                  });
  }
}

BOOST_AUTO_TEST_CASE(transform_scans_of_empty_and_negative_ranges_write_nothing)
{
  const thrust::device_vector<u32> in(10, 1u);
  thrust::device_vector<u64> out(10, u64{5});
  for (const auto last : {in.begin() + 4, in.begin() + 1})
  {
    const auto first = in.begin() + 4;
    BOOST_TEST((thrust::transform_inclusive_scan(reheat::par, first, last, out.begin(), square{}, plus{}) == out.begin()));
    BOOST_TEST(
        (thrust::transform_inclusive_scan(reheat::par, first, last, out.begin(), square{}, u64{7}, plus{}) == out.begin()));
    BOOST_TEST(
        (thrust::transform_exclusive_scan(reheat::par, first, last, out.begin(), square{}, u64{7}, plus{}) == out.begin()));
  }
  check_same("the output", std::vector<u64>(10, 5), to_host(out));
}

// ---- scans by key: call forms -------------------------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(every_form_by_key_gives_the_reference_and_upstreams_result)
{
  for (const segments lengths : all_segments)
  {
    for (const std::size_t size : boundary_sizes(scan_by_key_tile<u32>()))
    {
      const std::vector<u32> keys = make_keys(size, lengths, scan_by_key_tile<u32>());
      const std::vector<u32> items = make_items<u32>(size);
      const thrust::device_vector<u32> k = to_device(keys), v = to_device(items);
      thrust::device_vector<u32> out(size);
      const auto check = [&](const char* what, const std::vector<u32>& expected, auto end)
      {
        BOOST_TEST((end == out.end()), what);
        check_same(what, expected, to_host(out));
        thrust::fill(out.begin(), out.end(), 0u);
      };
      const std::vector<u32> inclusive = inclusive_by_key_reference<u32, u32>(keys, items, equal{}, plus{});
      const std::vector<u32> exclusive = exclusive_by_key_reference<u32>(keys, items, 0u, equal{}, plus{});
      const std::vector<u32> from_init = exclusive_by_key_reference<u32>(keys, items, 9u, equal{}, plus{});
      const auto in = v.begin();
      for_each_seed(
          2,
          [&]
          {
            check("inclusive of 5", inclusive,
                  thrust::inclusive_scan_by_key(reheat::par, k.begin(), k.end(), in, out.begin()));
            check("inclusive of 6", inclusive_by_key_reference<u32, u32>(keys, items, same_parity{}, plus{}),
                  thrust::inclusive_scan_by_key(reheat::par, k.begin(), k.end(), in, out.begin(), same_parity{}));
            check("inclusive of 7", inclusive,
                  thrust::inclusive_scan_by_key(reheat::par, k.begin(), k.end(), in, out.begin(), equal{}, plus{}));
            check("exclusive of 5", exclusive,
                  thrust::exclusive_scan_by_key(reheat::par, k.begin(), k.end(), in, out.begin()));
            check("exclusive of 6", from_init,
                  thrust::exclusive_scan_by_key(reheat::par, k.begin(), k.end(), in, out.begin(), 9u));
            check("exclusive of 7", exclusive_by_key_reference<u32>(keys, items, 9u, same_parity{}, plus{}),
                  thrust::exclusive_scan_by_key(reheat::par, k.begin(), k.end(), in, out.begin(), 9u, same_parity{}));
            check("exclusive of 8", from_init,
                  thrust::exclusive_scan_by_key(reheat::par, k.begin(), k.end(), in, out.begin(), 9u, equal{}, plus{}));
          });
      check("upstream, inclusive", inclusive, thrust::inclusive_scan_by_key(upstream, k.begin(), k.end(), in, out.begin()));
      check("upstream, exclusive", from_init,
            thrust::exclusive_scan_by_key(upstream, k.begin(), k.end(), in, out.begin(), 9u));
    }
  }
}

BOOST_AUTO_TEST_CASE(inclusive_scans_by_key_accumulate_in_the_values_type_exclusive_ones_in_that_of_init)
{
  const std::size_t size = 900;
  const std::vector<u32> keys = make_keys(size, segments::of_hundreds, scan_by_key_tile<u32>());
  const std::vector<u8> items = make_items<u8>(size);
  const thrust::device_vector<u32> k = to_device(keys);
  const thrust::device_vector<u8> v = to_device(items);
  thrust::device_vector<u32> out(size);
  thrust::inclusive_scan_by_key(reheat::par, k.begin(), k.end(), v.begin(), out.begin());
  check_same("bytes wrap", inclusive_by_key_reference<u8, u32>(keys, items, equal{}, plus{}), to_host(out));
  thrust::exclusive_scan_by_key(reheat::par, k.begin(), k.end(), v.begin(), out.begin(), 1000u);
  check_same("bytes into an int", exclusive_by_key_reference<u32>(keys, items, 1000u, equal{}, plus{}), to_host(out));
  thrust::exclusive_scan_by_key(reheat::par, k.begin(), k.end(), v.begin(), out.begin());
  check_same("from a byte", exclusive_by_key_reference<u32>(keys, items, u8(0), equal{}, plus{}), to_host(out));
}

BOOST_AUTO_TEST_CASE(the_predicate_gets_the_earlier_key_first)
{
  const std::size_t size = 5000;
  std::vector<u32> keys;
  for (std::size_t i = 0; i < size; ++i)
  {
    keys.push_back(static_cast<u32>(i + mix(i / 50) % 3)); // ascending by one, but for some places
  }
  const std::vector<u32> items = make_items<u32>(size);
  const thrust::device_vector<u32> k = to_device(keys), v = to_device(items);
  thrust::device_vector<u32> out(size);
  thrust::inclusive_scan_by_key(reheat::par, k.begin(), k.end(), v.begin(), out.begin(), follows{}, unconstant_plus{});
  check_same("inclusive", inclusive_by_key_reference<u32, u32>(keys, items, follows{}, plus{}), to_host(out));
  thrust::exclusive_scan_by_key(reheat::par, k.begin(), k.end(), v.begin(), out.begin(), 1u, follows{}, unconstant_plus{});
  check_same("exclusive", exclusive_by_key_reference<u32>(keys, items, 1u, follows{}, plus{}), to_host(out));
}

// ---- scans by key: order and value types --------------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(operands_keep_their_order_in_segments_of_any_length)
{
  for (const segments lengths : all_segments)
  {
    for (const std::size_t size : {scan_by_key_tile<text>() - 1, 7 * scan_by_key_tile<text>() + 5})
    {
      check_by_key<text>(size, lengths, placement::aligned);
    }
  }
}

BOOST_AUTO_TEST_CASE(bytes)
{
  check_type<u8>();
}
BOOST_AUTO_TEST_CASE(doubles)
{
  check_type<double>();
}
BOOST_AUTO_TEST_CASE(structs_of_256_bytes)
{
  check_type<words<64>>();
}
//! Values that must not be copied through the host.
struct payload
{
  REHEAT_HOST_DEVICE affine<u32> operator()(const tracked<true>& x) const
  {
    return x.marked() ? affine<u32>{0, 0} : x.value(); // no fold of odd factors is zero
  }
};

BOOST_AUTO_TEST_CASE(values_that_know_their_address_are_constructed_and_never_moved_by_their_bytes)
{
  using T = tracked<true>;
  for (const std::size_t size : few_sizes(scan_by_key_tile<T>()))
  {
    const std::vector<u32> keys = make_keys(size, segments::of_few, scan_by_key_tile<T>());
    const std::vector<affine<u32>> items = make_items<affine<u32>>(size);
    const thrust::device_vector<u32> k = to_device(keys);
    const auto first = thrust::make_transform_iterator(counting(0), make_item<T>{});
    for_each_seed(10,
                  [&]
                  {
                    thrust::device_vector<T> out(size);
                    thrust::device_vector<affine<u32>> payloads(size);
                    thrust::inclusive_scan_by_key(reheat::par, k.begin(), k.end(), first, out.begin(), equal{}, fold{});
                    thrust::transform(thrust::device, out.begin(), out.end(), payloads.begin(), payload{});
                    check_same("inclusive",
                               inclusive_by_key_reference<affine<u32>, affine<u32>>(keys, items, equal{}, fold{}),
                               to_host(payloads));
                  });
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

BOOST_AUTO_TEST_CASE(negative_zero_stays_what_it_is)
{
  const std::vector<u32> keys{1, 1, 2, 3, 3, 3};
  const std::vector<double> items(6, -0.0);
  const thrust::device_vector<u32> k = to_device(keys);
  const thrust::device_vector<double> v = to_device(items);
  thrust::device_vector<double> out(6);
  thrust::inclusive_scan_by_key(reheat::par, k.begin(), k.end(), v.begin(), out.begin());
  check_bitwise("inclusive", items, to_host(out));
  thrust::exclusive_scan_by_key(reheat::par, k.begin(), k.end(), v.begin(), out.begin(), -0.0);
  check_bitwise("exclusive", items, to_host(out));
}

// ---- scans by key: iterators --------------------------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(the_result_may_overwrite_the_values_or_the_keys)
{
  for (const segments lengths : all_segments)
  {
    for (const std::size_t size : some_sizes())
    {
      const std::vector<u32> keys = make_keys(size, lengths, scan_by_key_tile<u32>());
      const std::vector<u32> items = make_items<u32>(size);
      const std::vector<u32> inclusive = inclusive_by_key_reference<u32, u32>(keys, items, equal{}, plus{});
      const std::vector<u32> exclusive = exclusive_by_key_reference<u32>(keys, items, 9u, equal{}, plus{});
      for_each_seed(10,
                    [&]
                    {
                      thrust::device_vector<u32> k = to_device(keys), v = to_device(items);
                      thrust::inclusive_scan_by_key(reheat::par, k.begin(), k.end(), v.begin(), v.begin());
                      check_same("inclusive, over the values", inclusive, to_host(v));
                      v = to_device(items);
                      thrust::exclusive_scan_by_key(reheat::par, k.begin(), k.end(), v.begin(), v.begin(), 9u);
                      check_same("exclusive, over the values", exclusive, to_host(v));
                      v = to_device(items);
                      thrust::inclusive_scan_by_key(reheat::par, k.begin(), k.end(), v.begin(), k.begin());
                      check_same("inclusive, over the keys", inclusive, to_host(k));
                      k = to_device(keys);
                      thrust::exclusive_scan_by_key(reheat::par, k.begin(), k.end(), v.begin(), k.begin(), 9u);
                      check_same("exclusive, over the keys", exclusive, to_host(k));
                    });
    }
  }
}

BOOST_AUTO_TEST_CASE(each_value_is_read_once_and_each_output_written_once)
{
  for (const std::size_t size : boundary_sizes(scan_by_key_tile<u32>()))
  {
    const std::vector<u32> keys = make_keys(size, segments::of_few, scan_by_key_tile<u32>());
    const std::vector<u32> items = make_items<u32>(size);
    const thrust::device_vector<u32> k = to_device(keys);
    for_each_seed(3,
                  [&]
                  {
                    watched_input<u32> in(items);
                    watched_output<u32> out(size);
                    thrust::inclusive_scan_by_key(reheat::par, k.begin(), k.end(), in.begin(), out.begin());
                    in.check(1, "inclusive_scan_by_key");
                    out.check("inclusive_scan_by_key");
                    check_same("inclusive_scan_by_key", inclusive_by_key_reference<u32, u32>(keys, items, equal{}, plus{}),
                               out.items());
                  });
  }
}

BOOST_AUTO_TEST_CASE(keys_and_values_may_be_zipped_and_outputs_transform_or_discard)
{
  using tuple = tuple_sum::tuple;
  const std::size_t size = 3000;
  const std::vector<u32> keys = make_keys(size, segments::of_few, scan_by_key_tile<tuple>());
  const std::vector<u8> bytes = make_items<u8>(size);
  const std::vector<tuple> items = make_items<tuple>(size);
  std::vector<thrust::tuple<u32, u8>> pairs;
  thrust::device_vector<u32> second(size), third(size);
  thrust::device_vector<u8> first(size);
  for (std::size_t i = 0; i < size; ++i)
  {
    pairs.emplace_back(keys[i], u8(bytes[i / 2] % 2));
  }
  thrust::device_vector<thrust::tuple<u32, u8>> k(pairs.begin(), pairs.end());
  const thrust::device_vector<tuple> v = to_device(items);
  const auto out = thrust::make_zip_iterator(thrust::make_tuple(first.begin(), second.begin(), third.begin()));
  thrust::inclusive_scan_by_key(reheat::par, k.begin(), k.end(), v.begin(), out, same_pair{}, tuple_sum{});
  const std::vector<tuple> expected = inclusive_by_key_reference<tuple, tuple>(pairs, items, same_pair{}, tuple_sum{});
  std::vector<u8> expected_first;
  std::vector<u32> expected_third;
  for (const tuple& x : expected)
  {
    expected_first.push_back(thrust::get<0>(x));
    expected_third.push_back(thrust::get<2>(x));
  }
  check_same("first of the output", expected_first, to_host(first));
  check_same("third of the output", expected_third, to_host(third));

  const std::vector<u32> numbers = make_items<u32>(size);
  const thrust::device_vector<u32> plain_keys = to_device(keys), in = to_device(numbers);
  const auto doubled = thrust::make_transform_output_iterator(second.begin(), twice{});
  thrust::exclusive_scan_by_key(reheat::par, plain_keys.begin(), plain_keys.end(), in.begin(), doubled, 4u);
  check_same("transform_output_iterator",
             mapped(exclusive_by_key_reference<u32>(keys, numbers, 4u, equal{}, plus{}), twice{}), to_host(second));
  const auto discarded = thrust::make_discard_iterator();
  BOOST_TEST((thrust::exclusive_scan_by_key(reheat::par, plain_keys.begin(), plain_keys.end(), in.begin(), discarded, 4u) -
                  discarded ==
              static_cast<std::ptrdiff_t>(size)));
}

// ---- scans by key: empty and negative ranges ----------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(by_key_empty_ranges_write_nothing_and_negative_ones_are_runtime_errors)
{
  const thrust::device_vector<u32> in(10, 1u);
  thrust::device_vector<u32> out(10, 5u);
  const auto at = in.begin() + 4, before = in.begin() + 1;
  const auto to = out.begin();
  const auto check = [&](const char* what, auto call)
  {
    BOOST_TEST((call(at) == to), what << ", no items");
    BOOST_CHECK_THROW(call(before), std::runtime_error);
  };
  check("inclusive_scan_by_key of 5",
        [&](auto last) { return thrust::inclusive_scan_by_key(reheat::par, at, last, at, to); });
  check("inclusive_scan_by_key of 6",
        [&](auto last) { return thrust::inclusive_scan_by_key(reheat::par, at, last, at, to, equal{}); });
  check("inclusive_scan_by_key of 7",
        [&](auto last) { return thrust::inclusive_scan_by_key(reheat::par, at, last, at, to, equal{}, plus{}); });
  check("exclusive_scan_by_key of 5",
        [&](auto last) { return thrust::exclusive_scan_by_key(reheat::par, at, last, at, to); });
  check("exclusive_scan_by_key of 6",
        [&](auto last) { return thrust::exclusive_scan_by_key(reheat::par, at, last, at, to, 9u); });
  check("exclusive_scan_by_key of 7",
        [&](auto last) { return thrust::exclusive_scan_by_key(reheat::par, at, last, at, to, 9u, equal{}); });
  check("exclusive_scan_by_key of 8",
        [&](auto last) { return thrust::exclusive_scan_by_key(reheat::par, at, last, at, to, 9u, equal{}, plus{}); });
  check_same("the output", std::vector<u32>(10, 5), to_host(out));
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

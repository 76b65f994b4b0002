// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! transform_reduce, inner_product, count and extrema: what each gives, in which type, for which ranges, iterators and
//! operators. The three questions whether items satisfy a predicate are searches (searches.cu).

#include "../support/calls.hpp"
#include "../support/reference_fold.hpp"
#include "../support/tiles.hpp"

#include <thrust/count.h>
#include <thrust/extrema.h>
#include <thrust/functional.h>
#include <thrust/inner_product.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/logical.h>
#include <thrust/transform_reduce.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <limits>

using namespace compat;

BOOST_AUTO_TEST_SUITE(family)
BOOST_AUTO_TEST_SUITE(reductions)

namespace
{

using u8 = std::uint8_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;

template <class Expected, class Actual>
void check_typed(const char* what, std::size_t items, Expected expected, Actual actual)
{
  static_assert(std::is_same<Expected, Actual>::value, "the result has another type");
  check_result(what, items, expected, actual);
}

//! Boundaries of runs, of blocks that have all items, and of tiles of Ts that are mapped and folded in Accum.
template <class T, class Accum, class Op>
std::vector<std::size_t> sizes_for()
{
  const std::size_t run = reheat::detail::mapped_vector_items_v<T>, tile = run_tile<Accum, Op, T>();
  const std::size_t alone = run_alone<Accum, Op, T>();
  std::vector<std::size_t> sizes = few_sizes(tile);
  for (const std::size_t size : {std::size_t(0), run - 1, run, run + 1, alone, alone + 1, 60 * tile - 1})
  {
    sizes.push_back(size);
  }
  return sizes;
}

struct square
{
  REHEAT_HOST_DEVICE u64 operator()(u32 x) const { return u64{x} * x; }
};
struct times_3
{
  REHEAT_HOST_DEVICE u64 operator()(u8 x) const { return 3u * x; }
};
struct and_a_half
{
  REHEAT_HOST_DEVICE float operator()(int x) const { return static_cast<float>(x) + 0.5f; }
};
//! A unary functor with state, and a call operator that is not const.
struct numbered_square
{
  u32 calls = 0;
  REHEAT_HOST_DEVICE u64 operator()(u32 x)
  {
    ++calls;
    return u64{x} * x;
  }
};
struct make_map
{
  REHEAT_HOST_DEVICE affine<u32> operator()(u8 x, u32 y) const { return {2u * x + 1u, y}; }
};
struct is_multiple_of_3
{
  template <class T>
  REHEAT_HOST_DEVICE bool operator()(const T& x) const
  {
    return x % 3 == 0;
  }
};
struct sum_is_even
{
  REHEAT_HOST_DEVICE bool operator()(const thrust::tuple<u32, u8>& x)
  {
    return (thrust::get<0>(x) + thrust::get<1>(x)) % 2 == 0;
  }
};
struct is_set
{
  REHEAT_HOST_DEVICE bool operator()(u32 x) const { return x != 0; }
};

//! Sizes at boundaries of tiles and of blocks that have all items, and of which blocks have several tiles.
template <class Accum, class Op, class... In>
std::vector<std::size_t> sizes_of_all_shapes()
{
  const reheat::detail::reduce_config shape = run_shape<Accum, Op, In...>();
  const std::size_t tile = shape.tile_items(), grid = tile * shape.max_blocks, alone = run_alone<Accum, Op, In...>();
  std::vector<std::size_t> sizes = {1, 77, tile - 1, tile, alone, alone + 1, 9 * tile + 5};
  for (const std::size_t tiles_per_block : {2, 3, 4, 5, 9, emulated ? 20 : 10})
  {
    sizes.push_back(tiles_per_block * grid + 7 * tile + tile / 3);
  }
  return sizes;
}

//! Products with these are exact, whether or not a compiler fuses them with sums.
struct doubled
{
  REHEAT_HOST_DEVICE float operator()(float x) const { return 2 * x; }
};
std::vector<float> make_powers_of_2(std::size_t count)
{
  std::vector<float> items(count);
  for (std::size_t i = 0; i < count; ++i)
  {
    items[i] = (mix(i) % 2 == 0 ? 1.0f : -1.0f) * static_cast<float>(1u << (mix(i) >> 8) % 5);
  }
  return items;
}
//! Floats whose sums round, and stay small.
std::vector<float> make_fractions(std::size_t count)
{
  std::vector<float> items(count);
  for (std::size_t i = 0; i < count; ++i)
  {
    items[i] = static_cast<float>(static_cast<double>(mix(i + 5) >> 11) * 0x1p-53 - 0.5);
  }
  return items;
}

// ---- extrema ------------------------------------------------------------------------------------------------------------

template <class T>
using both_of = reheat::detail::candidates<T>;
template <class T>
using keep = reheat::detail::keep_both<thrust::less<T>>;

//! Compares by what a type is ordered by in these tests.
struct by_key
{
  REHEAT_HOST_DEVICE bool operator()(const affine<u32>& x, const affine<u32>& y) { return x.b % 7 < y.b % 7; }
  REHEAT_HOST_DEVICE bool operator()(const words<64>& x, const words<64>& y) { return x.word[2] % 5 < y.word[2] % 5; }
  REHEAT_HOST_DEVICE bool operator()(const tracked<false>& x, const tracked<false>& y)
  {
    return !x.marked() && !y.marked() && x.value().b % 5 < y.value().b % 5;
  }
  REHEAT_HOST_DEVICE bool operator()(const thrust::tuple<u32, u8>& x, const thrust::tuple<u32, u8>& y)
  {
    return thrust::get<1>(x) < thrust::get<1>(y);
  }
};

//! The first of the smallest and of the largest, one item after the other.
template <class T, class Less>
std::pair<std::ptrdiff_t, std::ptrdiff_t> extrema_reference(const std::vector<T>& items, Less less)
{
  std::size_t smallest = 0, largest = 0;
  for (std::size_t i = 1; i < items.size(); ++i)
  {
    smallest = less(items[i], items[smallest]) ? i : smallest;
    largest = less(items[largest], items[i]) ? i : largest;
  }
  return {static_cast<std::ptrdiff_t>(smallest), static_cast<std::ptrdiff_t>(largest)};
}

template <class It>
void check_places(std::size_t items, std::pair<std::ptrdiff_t, std::ptrdiff_t> expected, It first, It smallest, It largest,
                  thrust::pair<It, It> both)
{
  check_place("min_element", items, expected.first, smallest - first);
  check_place("max_element", items, expected.second, largest - first);
  check_place("minmax_element, smallest", items, expected.first, both.first - first);
  check_place("minmax_element, largest", items, expected.second, both.second - first);
}

//! All three calls; `less` is none or a comparison.
template <class It, class T, class Expected, class... Less>
void check_extrema(const std::vector<T>& items, It first, Expected expected_less, Less... less)
{
  const It last = first + static_cast<std::ptrdiff_t>(items.size());
  const auto expected = extrema_reference(items, expected_less);
  for_each_seed(2,
                [&]
                {
                  check_places(items.size(), expected, first, thrust::min_element(reheat::par, first, last, less...),
                               thrust::max_element(reheat::par, first, last, less...),
                               thrust::minmax_element(reheat::par, first, last, less...));
                });
}
//! Both extrema at once.
template <class It, class T, class Less>
void check_both_extrema(const std::vector<T>& items, It first, Less less)
{
  const auto expected = extrema_reference(items, less);
  for_each_seed(2,
                [&]
                {
                  const auto both =
                      thrust::minmax_element(reheat::par, first, first + static_cast<std::ptrdiff_t>(items.size()), less);
                  check_place("minmax_element, smallest", items.size(), expected.first, both.first - first);
                  check_place("minmax_element, largest", items.size(), expected.second, both.second - first);
                });
}

} // namespace

// ---- transform_reduce ---------------------------------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(transform_reduce_gives_the_reference_and_upstreams_result)
{
  for (const std::size_t size : sizes_for<u32, u64, thrust::plus<u64>>())
  {
    const std::vector<u32> items = make_items<u32>(size);
    std::vector<u64> squares;
    std::transform(items.begin(), items.end(), std::back_inserter(squares), square{});
    const u64 init = 12345, expected = reduce_reference<u64>(squares, init, plus{});
    const thrust::device_vector<u32> in = to_device(items);
    for_each_seed(
        3,
        [&]
        {
          check_typed("a known operator", size, expected,
                      thrust::transform_reduce(reheat::par, in.begin(), in.end(), square{}, init, thrust::plus<u64>()));
          check_typed("any operator", size, expected,
                      thrust::transform_reduce(reheat::par, in.begin(), in.end(), numbered_square{}, init, plus{}));
        });
    check_typed("upstream", size, expected,
                thrust::transform_reduce(upstream, in.begin(), in.end(), square{}, init, thrust::plus<u64>()));
  }
}

BOOST_AUTO_TEST_CASE(transform_reduce_accumulates_in_the_operators_result_type)
{
  for (const std::size_t size : {1, 2, 63, 1000})
  {
    const std::vector<int> items = make_items<int>(size);
    std::vector<float> halves;
    std::transform(items.begin(), items.end(), std::back_inserter(halves), and_a_half{});
    const thrust::device_vector<int> in = to_device(items);
    // Half numbers add up before the sum becomes an int.
    check_typed("float terms, int init", size, reduce_reference<float>(halves, 3, plus{}),
                thrust::transform_reduce(reheat::par, in.begin(), in.end(), and_a_half{}, 3, plus{}));
  }
}

BOOST_AUTO_TEST_CASE(transform_reduce_keeps_operands_in_order_and_init_on_the_left)
{
  for (const std::size_t size : sizes_for<std::ptrdiff_t, text, fold>())
  {
    const std::vector<text> items = make_items<text>(size, 1);
    const text init = values<text>::make(0);
    const text expected = reduce_reference<text>(items, init, fold{});
    for_each_seed(5,
                  [&]
                  {
                    const counting first(1);
                    check_typed("text", size, expected,
                                thrust::transform_reduce(reheat::par, first, first + static_cast<std::ptrdiff_t>(size),
                                                         make_item<text>{}, init, fold{}));
                  });
  }
}

BOOST_AUTO_TEST_CASE(f32_sums_of_terms_follow_the_documented_order)
{
  using sum = thrust::plus<float>;
  for (const std::size_t size : sizes_of_all_shapes<float, sum, float>())
  {
    const std::vector<float> items = make_fractions(size);
    std::vector<float> terms(size);
    std::transform(items.begin(), items.end(), terms.begin(), doubled{});
    const float expected = reduce_terms_in_documented_order<float>(terms, 0.1f, sum());
    placed<float> aligned(items, placement::aligned), misaligned(items, placement::misaligned);
    for_each_seed(3,
                  [&]
                  {
                    check_result_bitwise(
                        "transform_reduce, aligned", size, expected,
                        thrust::transform_reduce(reheat::par, aligned.begin(), aligned.end(), doubled{}, 0.1f, sum()));
                    check_result_bitwise(
                        "transform_reduce, misaligned", size, expected,
                        thrust::transform_reduce(reheat::par, misaligned.begin(), misaligned.end(), doubled{}, 0.1f, sum()));
                  });
  }
}

BOOST_AUTO_TEST_CASE(every_misalignment_gives_the_same)
{
  const std::size_t size = 16 * 40 + 5;
  const std::vector<u8> items = make_items<u8>(size);
  for (std::ptrdiff_t offset = 0; offset <= 16; ++offset)
  {
    thrust::device_vector<u8> in(size + 32, u8(200));
    thrust::copy(items.begin(), items.end(), in.begin() + offset);
    const u8* const first = raw(in) + offset;
    check_typed("transform_reduce", size, u64{reduce_reference<u64>(items, u64{0}, plus{})} * 3,
                thrust::transform_reduce(reheat::par, first, first + size, times_3{}, u64{0}, plus{}));
  }
}

// ---- inner_product ------------------------------------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(inner_product_gives_the_reference)
{
  for (const std::size_t size : sizes_for<u8, u64, thrust::plus<u64>>())
  {
    const std::vector<u8> left = make_items<u8>(size);
    const std::vector<u32> right = make_items<u32>(size, 1);
    std::vector<u64> products(size);
    std::vector<affine<u32>> maps(size);
    for (std::size_t i = 0; i < size; ++i)
    {
      products[i] = u64{left[i]} * right[i];
      maps[i] = make_map{}(left[i], right[i]);
    }
    const u64 init = 99;
    const u64 expected = reduce_reference<u64>(products, init, plus{});
    const affine<u32> first_map{3, 4};
    placed<u8> in(left, placement::aligned);
    placed<u32> other(right, size % 2 == 0 ? placement::aligned : placement::misaligned);
    for_each_seed(3,
                  [&]
                  {
                    check_typed("inner_product of 5 arguments", size, expected,
                                thrust::inner_product(reheat::par, in.begin(), in.end(), other.begin(), init));
                    check_typed("inner_product of 7 arguments, in order", size,
                                reduce_reference<affine<u32>>(maps, first_map, fold{}),
                                thrust::inner_product(reheat::par, in.begin(), in.end(), other.begin(), first_map, fold{},
                                                      make_map{}));
                  });
  }
}

BOOST_AUTO_TEST_CASE(f32_inner_products_follow_the_documented_order)
{
  using sum = thrust::plus<float>;
  for (const std::size_t size : sizes_of_all_shapes<float, sum, float, float>())
  {
    const std::vector<float> left = make_powers_of_2(size), right = make_fractions(size);
    std::vector<float> terms(size);
    std::transform(left.begin(), left.end(), right.begin(), terms.begin(), std::multiplies<float>());
    const float expected = reduce_terms_in_documented_order<float, float>(terms, 0.1f, sum());
    placed<float> in(left, placement::aligned), aligned(right, placement::aligned), misaligned(right, placement::misaligned);
    for_each_seed(3,
                  [&]
                  {
                    check_result_bitwise("inner_product, aligned", size, expected,
                                         thrust::inner_product(reheat::par, in.begin(), in.end(), aligned.begin(), 0.1f));
                    check_result_bitwise("inner_product, misaligned", size, expected,
                                         thrust::inner_product(reheat::par, in.begin(), in.end(), misaligned.begin(), 0.1f));
                  });
  }
}

// ---- count --------------------------------------------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(count_and_count_if_give_the_reference)
{
  for (const std::size_t size : sizes_for<u8, std::ptrdiff_t, reheat::detail::add_hits>())
  {
    const std::vector<u8> items = make_items<u8>(size);
    const thrust::device_vector<u8> in = to_device(items);
    const std::ptrdiff_t sevens = std::count(items.begin(), items.end(), 7);
    const std::ptrdiff_t multiples = std::count_if(items.begin(), items.end(), is_multiple_of_3{});
    for_each_seed(3,
                  [&]
                  {
                    check_typed("count", size, sevens, thrust::count(reheat::par, in.begin(), in.end(), 7));
                    check_typed("count_if", size, multiples,
                                thrust::count_if(reheat::par, in.begin(), in.end(), is_multiple_of_3{}));
                  });
    check_typed("upstream's count_if", size, multiples,
                thrust::count_if(upstream, in.begin(), in.end(), is_multiple_of_3{}));
  }
}

BOOST_AUTO_TEST_CASE(count_if_reads_each_item_once_and_nothing_outside)
{
  for (const std::size_t size : sizes_for<u32, std::ptrdiff_t, reheat::detail::add_hits>())
  {
    const std::vector<u32> items = make_items<u32>(size);
    for_each_seed(3,
                  [&]
                  {
                    watched_input<u32> in(items);
                    check_typed("count_if", size,
                                static_cast<std::ptrdiff_t>(std::count_if(items.begin(), items.end(), is_multiple_of_3{})),
                                thrust::count_if(reheat::par, in.begin(), in.end(), is_multiple_of_3{}));
                    in.check(1, "count_if");
                  });
  }
}

BOOST_AUTO_TEST_CASE(zipped_ranges_are_seen_as_tuples)
{
  const std::size_t size = 5000;
  const std::vector<u32> left = make_items<u32>(size);
  const std::vector<u8> right = make_items<u8>(size);
  const thrust::device_vector<u32> in = to_device(left);
  const thrust::device_vector<u8> other = to_device(right);
  const auto first = thrust::make_zip_iterator(thrust::make_tuple(in.begin(), other.begin()));
  std::vector<thrust::tuple<u32, u8>> items;
  for (std::size_t i = 0; i < size; ++i)
  {
    items.emplace_back(left[i], right[i]);
  }
  check_typed("count_if", size, static_cast<std::ptrdiff_t>(std::count_if(items.begin(), items.end(), sum_is_even{})),
              thrust::count_if(reheat::par, first, first + size, sum_is_even{}));
  check_both_extrema(items, first, by_key{});
}

// ---- extrema ------------------------------------------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(of_equivalent_items_the_first_is_found)
{
  for (const std::size_t size : sizes_for<u32, both_of<u32>, keep<u32>>())
  {
    if (size == 0)
    {
      continue; // see below
    }
    std::vector<u32> items = make_items<u32>(size);
    for (u32& x : items)
    {
      x %= 11;
    }
    placed<u32> in(items, placement::aligned), misaligned(items, placement::misaligned);
    check_extrema(items, in.begin(), thrust::less<u32>{});
    check_extrema(items, misaligned.begin(), thrust::greater<u32>{}, thrust::greater<u32>{});
    check_both_extrema(std::vector<u32>(size, 5), thrust::constant_iterator<u32>(5), thrust::less<u32>{});
  }
}

BOOST_AUTO_TEST_CASE(an_extremum_is_found_wherever_it_stands)
{
  const std::size_t size = 3 * run_tile<both_of<u32>, keep<u32>, u32>() + 3;
  thrust::device_vector<u32> in(size, 500u);
  const u32* const first = raw(in);
  for (std::size_t at = 0; at < size; at += at < 40 || at + 40 > size ? 1 : 37)
  {
    in[at] = 3;
    check_place("min_element", size, static_cast<std::ptrdiff_t>(at),
                thrust::min_element(reheat::par, first, first + size) - first);
    in[at] = 1000;
    check_place("minmax_element", size, static_cast<std::ptrdiff_t>(at),
                thrust::minmax_element(reheat::par, first, first + size).second - first);
    in[at] = 500;
  }
}

BOOST_AUTO_TEST_CASE(of_two_equivalent_items_the_first_is_found_whoever_reads_them)
{
  const reheat::detail::reduce_config shape = run_shape<both_of<u32>, keep<u32>, u32>();
  const std::size_t run = vector_items<u32>(), turn = run * shape.block_threads, tile = shape.tile_items();
  const std::size_t size = std::size_t{2 * shape.max_blocks + 1} * tile + 3;
  thrust::device_vector<u32> in(size, 500u);
  const u32* const first = raw(in);
  const u32* const last = first + size;
  // Of one run, of two threads, of a thread's next turn, of its next tile, of another block, behind the last whole run.
  const std::size_t places[] = {0,          1,        run,      run + 1,      33 * run,    turn,
                                turn + run, tile + 1, 2 * tile, 3 * tile + 5, size - tile, size - 1};
  for (const std::size_t& i : places)
  {
    for (const std::size_t* j = &i + 1; j < std::end(places); ++j)
    {
      in[i] = in[*j] = 3;
      const auto at = static_cast<std::ptrdiff_t>(i);
      check_place("min_element", size, at, thrust::min_element(reheat::par, first, last) - first);
      check_place("max_element", size, at, thrust::max_element(reheat::par, first, last, thrust::greater<u32>{}) - first);
      check_place("minmax_element, smallest", size, at, thrust::minmax_element(reheat::par, first, last).first - first);
      check_place("minmax_element, largest", size, at,
                  thrust::minmax_element(reheat::par, first, last, thrust::greater<u32>{}).second - first);
      in[i] = in[*j] = 500;
    }
  }
}

BOOST_AUTO_TEST_CASE(extrema_by_a_comparison_of_few_classes)
{
  using T = affine<u32>;
  for (const std::size_t size : sizes_for<T, both_of<T>, reheat::detail::keep_both<by_key>>())
  {
    if (size != 0)
    {
      const std::vector<T> items = make_items<T>(size);
      placed<T> in(items, placement::aligned), misaligned(items, placement::misaligned);
      check_extrema(items, in.begin(), by_key{}, by_key{});
      check_extrema(items, misaligned.begin(), by_key{}, by_key{});
    }
  }
}

BOOST_AUTO_TEST_CASE(extrema_of_large_and_of_tracked_values)
{
  const std::size_t size = 700;
  const std::vector<words<64>> large = make_items<words<64>>(size);
  placed<words<64>> in(large, placement::aligned);
  check_both_extrema(large, in.begin(), by_key{});
  const std::vector<tracked<false>> objects = make_items<tracked<false>>(size);
  placed<tracked<false>> object_in(objects, placement::aligned);
  check_both_extrema(objects, object_in.begin(), by_key{});
}

BOOST_AUTO_TEST_CASE(negative_zero_is_equivalent_to_zero)
{
  std::vector<double> items(1000, 0.0);
  items[0] = items[500] = 1.0;
  items[2] = items[999] = -0.0;
  const thrust::device_vector<double> in = to_device(items);
  check_extrema(items, in.begin(), thrust::less<double>{});
  items[1] = -0.0;
  items[500] = 0.0;
  items[0] = 0.0;
  const thrust::device_vector<double> all_zero = to_device(items);
  check_extrema(items, all_zero.begin(), thrust::less<double>{});
}

namespace
{

//! The extreme ones of `special` stand twice among the others of a tile and more, in several places in turn.
template <class T>
void check_special(const std::vector<T>& special)
{
  const std::size_t size = run_tile<both_of<T>, keep<T>, T>() + 77;
  for (std::size_t turn = 0; turn < 4; ++turn)
  {
    std::vector<T> items(size, special[0]);
    for (std::size_t i = 0; i < size; ++i)
    {
      items[i] = special[1 + (i * 7 + turn) % (special.size() - 3)];
    }
    for (std::size_t i = 0; i < 4; ++i)
    {
      items[(size - 1) * (2 * i + turn % 2) / 7] = special[special.size() - 2 + (i + turn) / 2 % 2];
    }
    const thrust::device_vector<T> in = to_device(items);
    check_extrema(items, in.begin(), thrust::less<T>{});
    check_extrema(items, in.begin(), thrust::greater<T>{}, thrust::greater<T>{});
  }
}

template <class T>
void check_special_integers()
{
  // Neighbours of zero, what differs in the lower or in the upper half alone; the extreme ones last.
  constexpr T low = std::numeric_limits<T>::min(), high = std::numeric_limits<T>::max(), half = high / 2 + 1;
  check_special<T>({T(0), T(1), T(2), T(low + 1), T(high - 1), half, T(half + 1), T(half - 1), T(low / 2), low, high});
}

} // namespace

BOOST_AUTO_TEST_CASE(extrema_of_numbers_at_their_limits)
{
  check_special_integers<std::int8_t>();
  check_special_integers<std::uint8_t>();
  check_special_integers<char>();
  check_special_integers<std::int16_t>();
  check_special_integers<std::int32_t>();
  check_special_integers<std::uint32_t>();
  check_special_integers<std::int64_t>();
  check_special_integers<std::uint64_t>();
  check_special<bool>({false, false, false, false, true});
  constexpr float infinity = std::numeric_limits<float>::infinity();
  check_special<float>({0.f, -0.f, 1.f, -1.f, -1.5f, std::numeric_limits<float>::denorm_min(), -infinity, infinity});
  check_special<double>({0., -0., 1e300, -1., -1.5, 1 + 1e-15, -1 - 1e-15, -1e300, 1e301});
}

BOOST_AUTO_TEST_CASE(ties_are_decided_as_upstream_does)
{
  const std::vector<float> items = make_items<float>(3000); // of fifteen different values
  const thrust::device_vector<float> in = to_device(items);
  const auto ours = thrust::minmax_element(reheat::par, in.begin(), in.end());
  const auto theirs = thrust::minmax_element(upstream, in.begin(), in.end());
  check_place("smallest, as upstream's", items.size(), theirs.first - in.begin(), ours.first - in.begin());
  check_place("largest, as upstream's", items.size(), theirs.second - in.begin(), ours.second - in.begin());
}

// ---- empty and negative ranges ------------------------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(empty_ranges_give_what_there_is_without_calling_anything)
{
  const thrust::device_vector<u32> in(10, 1u);
  const auto at = in.begin() + 4;
  check_typed("transform_reduce", 0, u64{9},
              thrust::transform_reduce(reheat::par, at, at, square{}, u64{9}, thrust::plus<u64>()));
  check_typed("inner_product of 5 arguments", 0, 12.5, thrust::inner_product(reheat::par, at, at, at, 12.5));
  check_typed("inner_product of 7 arguments", 0, 12.5, thrust::inner_product(reheat::par, at, at, at, 12.5, plus{}, plus{}));
  check_typed("count", 0, std::ptrdiff_t{0}, thrust::count(reheat::par, at, at, 1));
  check_typed("count_if", 0, std::ptrdiff_t{0}, thrust::count_if(reheat::par, at, at, is_set{}));
  const thrust::greater<u32> greater{};
  BOOST_TEST((thrust::min_element(reheat::par, at, at) == at));
  BOOST_TEST((thrust::min_element(reheat::par, at, at, greater) == at));
  BOOST_TEST((thrust::max_element(reheat::par, at, at) == at));
  BOOST_TEST((thrust::max_element(reheat::par, at, at, greater) == at));
  BOOST_TEST((thrust::minmax_element(reheat::par, at, at) == thrust::make_pair(at, at)));
  BOOST_TEST((thrust::minmax_element(reheat::par, at, at, greater) == thrust::make_pair(at, at)));
  BOOST_TEST(thrust::all_of(reheat::par, at, at, is_set{}));
  BOOST_TEST(!thrust::any_of(reheat::par, at, at, is_set{}));
  BOOST_TEST(thrust::none_of(reheat::par, at, at, is_set{}));
  const u32* const null = nullptr;
  check_typed("null pointers", 0, std::ptrdiff_t{0}, thrust::count_if(reheat::par, null, null, is_set{}));
  BOOST_TEST((thrust::min_element(reheat::par, null, null) == null));
}

BOOST_AUTO_TEST_CASE(negative_ranges_are_runtime_errors_but_not_for_questions)
{
  const thrust::device_vector<u32> in(10, 1u);
  const auto first = in.begin() + 7, last = in.begin() + 2;
  BOOST_CHECK_THROW(thrust::transform_reduce(reheat::par, first, last, square{}, u64{9}, thrust::plus<u64>()),
                    std::runtime_error);
  BOOST_CHECK_THROW(thrust::inner_product(reheat::par, first, last, first, 12.5), std::runtime_error);
  BOOST_CHECK_THROW(thrust::inner_product(reheat::par, first, last, first, 12.5, plus{}, plus{}), std::runtime_error);
  BOOST_CHECK_THROW(thrust::count(reheat::par, first, last, 1), std::runtime_error);
  BOOST_CHECK_THROW(thrust::count_if(reheat::par, first, last, is_set{}), std::runtime_error);
  const thrust::greater<u32> greater{};
  BOOST_CHECK_THROW(thrust::min_element(reheat::par, first, last), std::runtime_error);
  BOOST_CHECK_THROW(thrust::min_element(reheat::par, first, last, greater), std::runtime_error);
  BOOST_CHECK_THROW(thrust::max_element(reheat::par, first, last), std::runtime_error);
  BOOST_CHECK_THROW(thrust::max_element(reheat::par, first, last, greater), std::runtime_error);
  BOOST_CHECK_THROW(thrust::minmax_element(reheat::par, first, last), std::runtime_error);
  BOOST_CHECK_THROW(thrust::minmax_element(reheat::par, first, last, greater), std::runtime_error);
  BOOST_TEST(thrust::all_of(reheat::par, first, last, is_set{}));
  BOOST_TEST(!thrust::any_of(reheat::par, first, last, is_set{}));
  BOOST_TEST(thrust::none_of(reheat::par, first, last, is_set{}));
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

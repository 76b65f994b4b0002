// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Exact sums: correctly rounded, whatever the items, their order and their cut.

#include "../support/calls.hpp"
#include "../support/exact.hpp"
#include "../support/memory.hpp"

#include <thrust/functional.h>
#include <thrust/inner_product.h>
#include <thrust/transform_reduce.h>

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <random>

using namespace compat;

BOOST_AUTO_TEST_SUITE(reduce)
BOOST_AUTO_TEST_SUITE(exact)

namespace
{

using single = ieee_number<float, 24>;
using twofold = ieee_number<double, 53>;
using half = ieee_number<__half, 11>;
using brain = ieee_number<__nv_bfloat16, 8>;

const auto exactly = reheat::par.with(reheat::exact_sums);

//! Around one tile of 64 threads; more tiles than blocks, and more items of a thread than it adds without passing carries
//! on.
const std::vector<std::size_t> sizes = {1, 2, 33, 255, 512, 513, 1025, 12000};

enum class numbers
{
  any_bits, //!< finite, of all exponents and signs
  subnormal,
  neighbouring,   //!< exponents
  cancelling,     //!< each with its opposite, and one that is left
  near_opposites, //!< whose sums are units in the last place
  huge,           //!< their partial sums overflow
};
constexpr numbers all_numbers[] = {numbers::any_bits,   numbers::subnormal,      numbers::neighbouring,
                                   numbers::cancelling, numbers::near_opposites, numbers::huge};

template <class Number, class T>
std::vector<T> make_numbers(numbers kind, std::size_t size, std::mt19937_64& random)
{
  constexpr std::uint64_t fraction = (std::uint64_t{1} << (Number::digits - 1)) - 1, infinity = Number::infinity;
  const std::uint64_t one = std::uint64_t{1} << (Number::digits - 1);
  std::vector<T> result;
  while (result.size() < size)
  {
    const std::uint64_t bits = random(), sign = (bits >> 63) != 0 ? Number::sign : 0;
    std::uint64_t magnitude = bits & (Number::sign - 1u);
    switch (kind)
    {
      case numbers::any_bits:
        break;
      case numbers::subnormal:
        magnitude &= fraction;
        break;
      case numbers::neighbouring:
        magnitude = (magnitude & fraction) + infinity / 2 / one * one + (bits >> 60 & 1) * one;
        break;
      case numbers::cancelling:
      case numbers::near_opposites:
        break;
      case numbers::huge:
        magnitude = (magnitude & fraction) + infinity - one;
        break;
    }
    if (magnitude < infinity)
    {
      result.push_back(Number::of(magnitude | sign));
      const bool has_opposite = kind == numbers::cancelling || kind == numbers::near_opposites;
      if (has_opposite && result.size() + 1 < size)
      {
        const std::uint64_t last_bit = kind == numbers::near_opposites ? 1 : 0;
        result.push_back(Number::of((magnitude ^ last_bit) | (sign ^ Number::sign)));
      }
    }
  }
  std::shuffle(result.begin(), result.end(), random);
  return result;
}

template <class Number, class T>
void check_sums(const char* type)
{
  std::mt19937_64 random(29);
  for (const std::size_t size : sizes)
  {
    for (const numbers kind : all_numbers)
    {
      std::vector<T> items = make_numbers<Number, T>(kind, size, random);
      const thrust::device_vector<T> in = to_device(items);
      const T sum = thrust::reduce(exactly, in.begin(), in.end());
      BOOST_TEST(is_nearest_to_sum<Number>(items, sum),
                 type << ", " << size << " items, kind " << static_cast<int>(kind) << ": " << Number::bits(sum));
      std::shuffle(items.begin(), items.end(), random);
      std::vector<T> behind_another(1, items[0]);
      behind_another.insert(behind_another.end(), items.begin(), items.end());
      const thrust::device_vector<T> misaligned = to_device(behind_another);
      for_each_seed(2,
                    [&]
                    {
                      const T again = thrust::reduce(exactly, misaligned.begin() + 1, misaligned.end());
                      BOOST_TEST(Number::bits(again) == Number::bits(sum),
                                 type << ", " << size << " items in another order, kind " << static_cast<int>(kind));
                    });
    }
  }
}

//! 10^5 sets on a GPU: of 1 to 512 items and of every kind. They lie one behind the other, so most begin at no multiple of
//! 16 bytes.
template <class Number, class T>
void check_small_sets(const char* type)
{
  constexpr std::size_t sets = emulated ? 500 : 100000;
  std::mt19937_64 random(41);
  std::vector<std::vector<T>> items;
  std::vector<T> all;
  for (std::size_t set = 0; set < sets; ++set)
  {
    const std::size_t size = 1 + random() % (std::size_t{1} << random() % 10);
    items.push_back(make_numbers<Number, T>(all_numbers[set % std::size(all_numbers)], size, random));
    all.insert(all.end(), items.back().begin(), items.back().end());
  }
  const thrust::device_vector<T> in = to_device(all);
  thrust::device_vector<T> out(sets);
  const T* next = raw(in);
  for (std::size_t set = 0; set < sets; ++set)
  {
    const T* const first = next;
    next += items[set].size();
    reheat::reduce_into(reheat::par_nosync.with(reheat::exact_sums), first, next, raw(out) + set);
  }
  const std::vector<T> sums = to_host(out);
  for (std::size_t set = 0; set < sets; ++set)
  {
    BOOST_REQUIRE_MESSAGE(is_nearest_to_sum<Number>(items[set], sums[set]),
                          type << ", set " << set << " of " << items[set].size() << " items: " << Number::bits(sums[set]));
  }
}

//! Where the huge number has no opposite, nothing else counts; where it has one, the others are the sum.
template <class Number, class T>
void check_one_huge_number(const char* type)
{
  std::mt19937_64 random(43);
  const T largest = Number::of(Number::infinity - 1u), opposite = Number::of((Number::infinity - 1u) | Number::sign);
  for (const std::size_t size : {3u, 300u, 5000u})
  {
    for (const numbers kind : {numbers::subnormal, numbers::neighbouring})
    {
      const std::vector<T> others = make_numbers<Number, T>(kind, size, random);
      for (const std::size_t place : {std::size_t{0}, size / 2, size - 1})
      {
        std::vector<T> items = others;
        const auto check = [&](const char* what)
        {
          const thrust::device_vector<T> in = to_device(items);
          const T sum = thrust::reduce(exactly, in.begin(), in.end());
          BOOST_TEST(is_nearest_to_sum<Number>(items, sum),
                     type << ", " << size << " items, item " << place << what << ": " << Number::bits(sum));
        };
        items[place] = largest;
        check(" is the largest number");
        items[(place + size / 2 + 1) % size] = opposite;
        check(" is the largest number, and one its opposite");
      }
    }
  }
}

template <class Number, class T>
void check_sets(const char* type)
{
  check_small_sets<Number, T>(type);
  check_one_huge_number<Number, T>(type);
}

float sum_of(const std::vector<float>& items, float init = 0)
{
  const thrust::device_vector<float> in = to_device(items);
  return thrust::reduce(exactly, in.begin(), in.end(), init);
}

struct square
{
  REHEAT_HOST_DEVICE float operator()(float x) const { return x * x; }
};

} // namespace

BOOST_AUTO_TEST_CASE(sums_of_floats_are_the_nearest_in_any_order)
{
  check_sums<single, float>("float");
}
BOOST_AUTO_TEST_CASE(sums_of_doubles_are_the_nearest_in_any_order)
{
  check_sums<twofold, double>("double");
}
BOOST_AUTO_TEST_CASE(sums_of_halves_are_the_nearest_in_any_order)
{
  check_sums<half, __half>("half");
}
BOOST_AUTO_TEST_CASE(sums_of_bfloat16s_are_the_nearest_in_any_order)
{
  check_sums<brain, __nv_bfloat16>("bfloat16");
}

BOOST_AUTO_TEST_CASE(many_small_sets_and_sets_with_one_huge_number_have_the_nearest_sums)
{
  check_sets<single, float>("float");
  check_sets<twofold, double>("double");
  check_sets<half, __half>("half");
  check_sets<brain, __nv_bfloat16>("bfloat16");
}

//! The significands are as large as can be, in the highest place of a chunk.
BOOST_AUTO_TEST_CASE(chunks_do_not_overflow)
{
  for (const float sign : {1.0f, -1.0f})
  {
    const std::vector<float> items(200000, sign * 0x1.fffffep1f);
    BOOST_TEST(sum_of(items) == static_cast<float>(200000.0 * 0x1.fffffep1 * sign));
  }
}

//! Sums of items of which two are special: neighbours, which one thread adds, or two that are far from each other.
template <class T, class Item>
void check_special_items(const std::string& type)
{
  const Item infinity = T::of(T::infinity), minus = T::of(T::infinity | T::sign), one = Item(1.0f);
  const auto sum = [&](std::size_t first, const Item& x, std::size_t second, const Item& y)
  {
    thrust::host_vector<Item> items(5000, one);
    items[first] = x;
    items[second] = y;
    const thrust::device_vector<Item> on_device = items;
    return static_cast<double>(static_cast<float>(thrust::reduce(exactly, on_device.begin(), on_device.end())));
  };
  constexpr double limit = std::numeric_limits<double>::infinity();
  for (const std::size_t place : {std::size_t{0}, std::size_t{600}, std::size_t{4999}})
  {
    for (const std::size_t other : {place ^ 1, std::size_t{4000}})
    {
      BOOST_TEST_CONTEXT(type << ", items " << place << " and " << other)
      {
        BOOST_TEST(std::isnan(sum(place, infinity, other, minus)));
        BOOST_TEST(std::isnan(sum(place, minus, other, infinity)));
        BOOST_TEST(sum(place, infinity, other, infinity) == limit);
        BOOST_TEST(sum(place, minus, other, minus) == -limit);
        BOOST_TEST(sum(place, minus, other, one) == -limit);
      }
    }
  }
}
BOOST_AUTO_TEST_CASE(infinities_of_a_thread_and_of_several_count_in_each_type)
{
  check_special_items<single, float>("float");
  check_special_items<twofold, double>("double");
  check_special_items<half, __half>("half");
  check_special_items<brain, __nv_bfloat16>("bfloat16");
}

BOOST_AUTO_TEST_CASE(infinities_and_nans_count_as_ieee_says)
{
  const float infinity = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
  for (const std::size_t place : {0u, 600u, 4999u})
  {
    std::vector<float> items(5000, 1.0f);
    items[place] = infinity;
    BOOST_TEST(sum_of(items) == infinity);
    items[4000] = infinity;
    BOOST_TEST(sum_of(items) == infinity);
    items[4000] = -infinity;
    BOOST_TEST(std::isnan(sum_of(items)));
    items[4000] = 1.0f;
    items[place] = -infinity;
    BOOST_TEST(sum_of(items) == -infinity);
    items[place] = nan;
    BOOST_TEST(std::isnan(sum_of(items)));
    items[place] = -nan;
    BOOST_TEST(std::isnan(sum_of(items)));
    items[place] = 1.0f;
    BOOST_TEST(sum_of(items, -infinity) == -infinity);
  }
  const double wide = std::numeric_limits<double>::infinity();
  thrust::device_vector<double> doubles(3, 1.0);
  doubles[1] = -wide;
  BOOST_TEST(thrust::reduce(exactly, doubles.begin(), doubles.end()) == -wide);
  doubles[1] = twofold::of(twofold::infinity + 1u); // a NaN by its lowest bit
  BOOST_TEST(std::isnan(thrust::reduce(exactly, doubles.begin(), doubles.end())));
}

BOOST_AUTO_TEST_CASE(only_sums_that_are_too_large_overflow)
{
  const float largest = std::numeric_limits<float>::max(), half_ulp = 0x1p103f;
  BOOST_TEST(sum_of({largest, largest, -largest}) == largest);
  BOOST_TEST(sum_of({largest, largest}) == std::numeric_limits<float>::infinity());
  BOOST_TEST(sum_of({largest, half_ulp}) == std::numeric_limits<float>::infinity());
  BOOST_TEST(sum_of({largest, half_ulp, -0x1p-149f}) == largest);
  BOOST_TEST(sum_of({-largest, -half_ulp, 0x1p-149f}) == -largest);
}

BOOST_AUTO_TEST_CASE(ties_go_to_the_even_number)
{
  BOOST_TEST(sum_of({1.0f, 0x1p-24f}) == 1.0f);
  BOOST_TEST(sum_of({1.0f, 0x1p-24f, 0x1p-149f}) == 1.0f + 0x1p-23f);
  BOOST_TEST(sum_of({1.0f + 0x1p-23f, 0x1p-24f}) == 1.0f + 0x1p-22f);
  BOOST_TEST(sum_of({-1.0f - 0x1p-23f, -0x1p-24f, 0x1p-149f}) == -1.0f - 0x1p-23f);
}

BOOST_AUTO_TEST_CASE(a_sum_that_is_zero_is_positive_zero)
{
  BOOST_TEST(single::bits(sum_of({1.5f, -1.5f}, -0.0f)) == 0u);
  BOOST_TEST(single::bits(sum_of({-0.0f}, -0.0f)) == 0u);
}

BOOST_AUTO_TEST_CASE(the_initial_value_is_one_of_the_numbers)
{
  std::vector<float> items(3000, 0x1p-30f);
  std::vector<float> all = items;
  all.push_back(1.0f);
  BOOST_TEST(is_nearest_to_sum<single>(all, sum_of(items, 1.0f)));
  BOOST_TEST(sum_of({}, 7.0f) == 7.0f);
  const thrust::device_vector<float> in = to_device(items);
  BOOST_TEST(thrust::reduce(exactly, in.begin(), in.end(), 1.0) == 1.0 + 3000 * 0x1p-30);
  const thrust::device_vector<int> integers(5000, 3);
  BOOST_TEST(thrust::reduce(exactly, integers.begin(), integers.end(), 1) == 15001);
  const thrust::device_vector<std::int8_t> bytes(12000, -3);
  BOOST_TEST(thrust::reduce(exactly, bytes.begin(), bytes.end(), 0.5f) == -35999.5f);
}

BOOST_AUTO_TEST_CASE(results_stay_on_the_device_under_any_combination_of_options)
{
  std::mt19937_64 random(31);
  const std::vector<float> items = make_numbers<single, float>(numbers::any_bits, 4000, random);
  const thrust::device_vector<float> in = to_device(items);
  stream own;
  ledger book;
  ledger_allocator<char> allocator(book);
  const auto check = [&](const auto& policy)
  {
    thrust::device_vector<float> out(1);
    wait_for_all_streams();
    reheat::reduce_into(policy, in.begin(), in.end(), out.begin());
    wait_for_all_streams();
    BOOST_TEST(is_nearest_to_sum<single>(items, to_host(out)[0]));
    BOOST_TEST(book.held == 0);
  };
  check(exactly);
  check(reheat::par_nosync.with(reheat::exact_sums, reheat::start_early));
  check(reheat::par.with(reheat::start_serially).with(reheat::exact_sums));
  check(reheat::par.with(reheat::exact_sums).with(reheat::start_serially));
  check(reheat::par.with(reheat::exact_sums).on(own.get()));
  check(reheat::par_nosync(allocator).on(own.get()).with(reheat::exact_sums, reheat::gpu_to_gpu));
  check(reheat::par(allocator).with(reheat::exact_sums, reheat::accumulate_in<float>));
}

BOOST_AUTO_TEST_CASE(terms_and_rounded_products_are_summed_exactly)
{
  std::mt19937_64 random(37);
  for (const std::size_t size : {7u, 512u, 4001u})
  {
    const std::vector<float> left = make_numbers<single, float>(numbers::neighbouring, size, random);
    const std::vector<float> right = make_numbers<single, float>(numbers::neighbouring, size, random);
    std::vector<float> squares, products;
    for (std::size_t i = 0; i < size; ++i)
    {
      squares.push_back(left[i] * left[i]);
      products.push_back(left[i] * right[i]);
    }
    const thrust::device_vector<float> a = to_device(left), b = to_device(right);
    BOOST_TEST(is_nearest_to_sum<single>(
        squares, thrust::transform_reduce(exactly, a.begin(), a.end(), square{}, 0.0f, thrust::plus<float>{})));
    BOOST_TEST(is_nearest_to_sum<single>(products, thrust::inner_product(exactly, a.begin(), a.end(), b.begin(), 0.0f)));
  }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

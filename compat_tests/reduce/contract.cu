// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Reductions: what each call form gives, in which type it accumulates, which ranges, iterators and operators it takes.

#include "../support/calls.hpp"
#include "../support/tiles.hpp"

#include <thrust/functional.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/reverse_iterator.h>
#include <thrust/iterator/zip_iterator.h>

#include <functional>

using namespace compat;

BOOST_AUTO_TEST_SUITE(reduce)
BOOST_AUTO_TEST_SUITE(contract)

namespace
{

using u8 = std::uint8_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;

//! Result type and value.
template <class Expected, class Actual>
void check_typed(const char* what, std::size_t items, Expected expected, Actual actual)
{
  static_assert(std::is_same<Expected, Actual>::value, "the result has another type");
  check_result(what, items, expected, actual);
}

struct pair_sum
{
  using pair = thrust::pair<u32, u32>;
  REHEAT_HOST_DEVICE pair operator()(const pair& x, const pair& y) const
  {
    return pair(x.first + y.first, x.second ^ y.second);
  }
};

struct tuple_sum
{
  using tuple = thrust::tuple<u8, u32, u32>;
  REHEAT_HOST_DEVICE tuple operator()(const tuple& x, const tuple& y) const { return values<tuple>::fold(x, y); }
};

struct widen
{
  REHEAT_HOST_DEVICE u32 operator()(u8 x) const { return 1000u * x; }
};

struct make_item_no_default
{
  using result_type = no_default;
  REHEAT_HOST_DEVICE no_default operator()(u32 index) const { return no_default(index); }
};

//! Four bytes that may lie anywhere: from an odd address on, none of them starts at a multiple of 16.
struct number_in_bytes
{
  u8 byte[4];
  REHEAT_HOST_DEVICE operator u32() const
  {
    return byte[0] | static_cast<u32>(byte[1]) << 8 | static_cast<u32>(byte[2]) << 16 | static_cast<u32>(byte[3]) << 24;
  }
};

//! The tiles of a commutative operator are the larger ones.
template <class T>
std::vector<std::size_t> sizes_for()
{
  return boundary_sizes(reduce_shape<T, T, std::plus<T>>().tile_items());
}

std::vector<std::size_t> some_sizes()
{
  std::vector<std::size_t> sizes = few_sizes(reduce_shape<u32, u32, std::plus<u32>>().tile_items());
  sizes.push_back(20 * sizes.back());
  return sizes;
}

} // namespace

// ---- call forms, upstream, accumulator types ----------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(every_form_gives_the_reference_and_upstreams_result)
{
  for (const std::size_t size : sizes_for<u32>())
  {
    const std::vector<u32> items = make_items<u32>(size);
    const thrust::device_vector<u32> in = to_device(items);
    const u32 sum = reduce_reference<u32>(items, 0u, plus{}), init = 12345;
    for_each_seed(3,
                  [&]
                  {
                    check_typed("reduce of 3 arguments", size, sum, thrust::reduce(reheat::par, in.begin(), in.end()));
                    check_typed("reduce of 4 arguments", size, sum + init,
                                thrust::reduce(reheat::par, in.begin(), in.end(), init));
                    check_typed("reduce of 5 arguments", size, sum + init,
                                thrust::reduce(reheat::par, in.begin(), in.end(), init, thrust::plus<u32>()));
                    check_typed("reduce of 5 arguments, any operator", size, sum + init,
                                thrust::reduce(reheat::par, in.begin(), in.end(), init, plus{}));
                  });
    check_typed("upstream's reduce of 3 arguments", size, sum, thrust::reduce(upstream, in.begin(), in.end()));
    check_typed("upstream's reduce of 4 arguments", size, sum + init, thrust::reduce(upstream, in.begin(), in.end(), init));
    check_typed("upstream's reduce of 5 arguments", size, sum + init,
                thrust::reduce(upstream, in.begin(), in.end(), init, thrust::plus<u32>()));
  }
}

BOOST_AUTO_TEST_CASE(three_arguments_accumulate_in_the_value_type)
{
  for (const std::size_t size : sizes_for<u8>())
  {
    const std::vector<u8> items = make_items<u8>(size);
    const thrust::device_vector<u8> in = to_device(items);
    check_typed("bytes wrap", size, reduce_reference<u8>(items, u8(0), plus{}),
                thrust::reduce(reheat::par, in.begin(), in.end()));
    const std::vector<float> reals = make_items<float>(size);
    const thrust::device_vector<float> real_in = to_device(reals);
    check_typed("floats stay floats", size, reduce_reference<float>(reals, 0.0f, plus{}),
                thrust::reduce(reheat::par, real_in.begin(), real_in.end()));
  }
}

BOOST_AUTO_TEST_CASE(four_arguments_accumulate_in_the_type_of_init)
{
  for (const std::size_t size : some_sizes())
  {
    const std::vector<u8> items = make_items<u8>(size);
    const thrust::device_vector<u8> in = to_device(items);
    check_typed("bytes into an int", size, reduce_reference<int>(items, 7, plus{}),
                thrust::reduce(reheat::par, in.begin(), in.end(), 7));
    std::vector<float> halves(size);
    for (std::size_t i = 0; i < size; ++i)
    {
      halves[i] = static_cast<float>(values<int>::make(i)) + 0.5f;
    }
    const thrust::device_vector<float> half_in = to_device(halves);
    check_typed("floats become ints", size, reduce_reference<int>(halves, 10, plus{}),
                thrust::reduce(reheat::par, half_in.begin(), half_in.end(), 10));
    std::vector<u32> wide(items.begin(), items.end());
    for (u32& x : wide)
    {
      x *= 1000;
    }
    check_typed("ints into a byte", size, reduce_reference<u8>(wide, u8(3), plus{}),
                thrust::reduce(reheat::par, thrust::make_transform_iterator(in.begin(), widen{}),
                               thrust::make_transform_iterator(in.end(), widen{}), u8(3)));
  }
}

BOOST_AUTO_TEST_CASE(five_arguments_accumulate_in_the_operators_result_type)
{
  const thrust::device_vector<float> in(4, 1.5f);
  check_typed("float items, int init, any types", 4, 6,
              thrust::reduce(reheat::par, in.begin(), in.end(), 0, thrust::plus<>()));
  check_typed("float items, int init, sums of ints", 4, 4,
              thrust::reduce(reheat::par, in.begin(), in.end(), 0, thrust::plus<int>()));
  for (const std::size_t size : some_sizes())
  {
    std::vector<float> halves(size);
    for (std::size_t i = 0; i < size; ++i)
    {
      halves[i] = static_cast<float>(values<int>::make(i) % 8) + 0.5f;
    }
    const thrust::device_vector<float> half_in = to_device(halves);
    check_typed("float items, int init", size, reduce_reference<float>(halves, 3, plus{}),
                thrust::reduce(reheat::par, half_in.begin(), half_in.end(), 3, plus{}));
    const std::vector<u8> items = make_items<u8>(size);
    const thrust::device_vector<u8> byte_in = to_device(items);
    // The items are summed as ints; only the result is a byte.
    check_typed("byte items, byte init", size, static_cast<u8>(reduce_reference<int>(items, 9, plus{})),
                thrust::reduce(reheat::par, byte_in.begin(), byte_in.end(), u8(9), plus{}));
  }
}

BOOST_AUTO_TEST_CASE(items_without_a_default_constructor_become_the_accumulator)
{
  for (const std::size_t size : some_sizes())
  {
    const auto first = thrust::make_transform_iterator(thrust::counting_iterator<u32>(0), make_item_no_default{});
    u32 expected = 5;
    for (std::size_t i = 0; i < size; ++i)
    {
      expected += static_cast<u32>(i);
    }
    check_typed("reduce of 4 arguments", size, expected,
                thrust::reduce(reheat::par, first, first + static_cast<std::ptrdiff_t>(size), u32(5)));
  }
}

// ---- initial values, empty and negative ranges --------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(init_stands_left_of_the_first_item)
{
  for (const std::size_t size : some_sizes())
  {
    const std::vector<text> items = make_items<text>(size, 1);
    const thrust::device_vector<text> in = to_device(items);
    const text init = values<text>::make(0);
    for_each_seed(5,
                  [&]
                  {
                    check_typed("reduce", size, reduce_reference<text>(items, init, fold{}),
                                thrust::reduce(reheat::par, in.begin(), in.end(), init, fold{}));
                  });
  }
}

BOOST_AUTO_TEST_CASE(empty_ranges_give_init_without_calling_the_operator)
{
  const thrust::device_vector<u32> in(10, 1u);
  check_typed("reduce of 3 arguments", 0, 0u, thrust::reduce(reheat::par, in.begin(), in.begin()));
  check_typed("reduce of 4 arguments", 0, 12.5, thrust::reduce(reheat::par, in.begin(), in.begin(), 12.5));
  const thrust::device_vector<interval> none;
  const interval init{4, 2}; // folding it with anything is an error
  check_typed("reduce of 5 arguments", 0, init, thrust::reduce(reheat::par, none.begin(), none.end(), init, fold{}));
  const u32* const null = nullptr;
  check_typed("null pointers", 0, 3u, thrust::reduce(reheat::par, null, null, 3u));
}

BOOST_AUTO_TEST_CASE(negative_ranges_are_runtime_errors)
{
  const thrust::device_vector<u32> in(10, 1u);
  const auto first = in.begin() + 7, last = in.begin() + 2;
  BOOST_CHECK_THROW(thrust::reduce(reheat::par, first, last), std::runtime_error);
  BOOST_CHECK_THROW(thrust::reduce(reheat::par, first, last, 3u), std::runtime_error);
  BOOST_CHECK_THROW(thrust::reduce(reheat::par, first, last, 3u, plus{}), std::runtime_error);
  check_typed("the next call works", 10, 10u, thrust::reduce(reheat::par, in.begin(), in.end()));
}

// ---- iterators ----------------------------------------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(every_kind_of_iterator_is_read)
{
  for (const std::size_t count : some_sizes())
  {
    const std::ptrdiff_t size = static_cast<std::ptrdiff_t>(count);
    const std::vector<u32> items = make_items<u32>(count);
    const u32 expected = reduce_reference<u32>(items, 0u, plus{});
    const thrust::device_vector<u32> in = to_device(items);
    thrust::device_vector<u32> mutable_in = in;
    const auto check = [&](const char* what, auto first)
    { check_typed(what, count, expected, thrust::reduce(reheat::par, first, first + size)); };
    check("const iterator of device_vector", in.begin());
    check("iterator of device_vector", mutable_in.begin());
    check("pointer", raw(mutable_in));
    check("pointer to const", raw(in));
    check("device_ptr", mutable_in.data());
    check("counting and transform iterator", generated<u32>());
    check("permutation iterator", thrust::make_permutation_iterator(in.begin(), counting(0)));
    check("reverse iterator", thrust::make_reverse_iterator(in.end()));
    check_typed("constant iterator", count, 3u * static_cast<u32>(count),
                thrust::reduce(reheat::par, thrust::constant_iterator<u32>(3), thrust::constant_iterator<u32>(3) + size));
  }
}

BOOST_AUTO_TEST_CASE(every_misalignment_gives_the_same)
{
  const std::size_t tile = reduce_shape<int, u8, std::plus<int>>().tile_items();
  for (const std::size_t count : {tile - 1, tile, 3 * tile + 5})
  {
    const std::vector<u8> items = make_items<u8>(count);
    const int expected = reduce_reference<int>(items, 0, plus{});
    for (std::ptrdiff_t offset = 0; offset <= 16; ++offset)
    {
      thrust::device_vector<u8> in(count + 32, u8(200));
      thrust::copy(items.begin(), items.end(), in.begin() + offset);
      check_typed("misaligned pointer", count, expected,
                  thrust::reduce(reheat::par, raw(in) + offset, raw(in) + offset + count, 0));
    }
  }
}

//! The host alone is asked: nothing is read, where 17 GB would have to be.
BOOST_AUTO_TEST_CASE(no_item_is_left_out_of_more_than_2_to_the_32_that_are_never_aligned)
{
  const u64 size = (u64{1} << 32) + 100000;
  const auto* const in = reinterpret_cast<const number_in_bytes*>(std::uintptr_t{4097});
  u64 items = size;
  static_cast<void>(reheat::detail::kernel_input<u32, thrust::plus<u32>>(in, items, 0));
  BOOST_TEST(items == size);
  BOOST_TEST(u32(number_in_bytes{{1, 2, 0, 0}}) == 513u); // what the kernel would make of one
}

BOOST_AUTO_TEST_CASE(each_item_is_read_once_and_nothing_outside)
{
  for (const std::size_t size : sizes_for<u32>())
  {
    const std::vector<u32> items = make_items<u32>(size);
    const u32 expected = reduce_reference<u32>(items, 0u, plus{});
    for_each_seed(3,
                  [&]
                  {
                    watched_input<u32> in(items);
                    check_typed("reduce of 3 arguments", size, expected, thrust::reduce(reheat::par, in.begin(), in.end()));
                    in.check(1, "reduce of 3 arguments");
                  });
  }
}

BOOST_AUTO_TEST_CASE(with_any_operator_each_item_is_read_once_and_nothing_outside)
{
  for (const std::size_t size : boundary_sizes(reduce_tile<u32>()))
  {
    const std::vector<u32> items = make_items<u32>(size);
    const u32 expected = reduce_reference<u32>(items, 0u, plus{});
    for_each_seed(3,
                  [&]
                  {
                    watched_input<u32> in(items);
                    check_typed("reduce of 5 arguments", size, expected,
                                thrust::reduce(reheat::par, in.begin(), in.end(), 0u, plus{}));
                    in.check(1, "reduce of 5 arguments");
                  });
  }
}

BOOST_AUTO_TEST_CASE(operators_on_pairs_see_values_not_references)
{
  using pair = thrust::pair<u32, u32>;
  for (const std::size_t size : some_sizes())
  {
    const std::vector<pair> items = make_items<pair>(size);
    const thrust::device_vector<pair> in = to_device(items);
    const pair init(5, 6);
    check_typed("reduce", size, reduce_reference<pair>(items, init, pair_sum{}),
                thrust::reduce(reheat::par, in.begin(), in.end(), init, pair_sum{}));
  }
}

BOOST_AUTO_TEST_CASE(zipped_ranges_are_read)
{
  using tuple = thrust::tuple<u8, u32, u32>;
  for (const std::size_t size : some_sizes())
  {
    const std::vector<tuple> items = make_items<tuple>(size);
    std::vector<u8> first;
    std::vector<u32> second, third;
    for (const tuple& item : items)
    {
      first.push_back(thrust::get<0>(item));
      second.push_back(thrust::get<1>(item));
      third.push_back(thrust::get<2>(item));
    }
    const thrust::device_vector<u8> in_first = to_device(first);
    const thrust::device_vector<u32> in_second = to_device(second), in_third = to_device(third);
    const auto in = thrust::make_zip_iterator(thrust::make_tuple(in_first.begin(), in_second.begin(), in_third.begin()));
    const tuple init = values<tuple>::make(12345678);
    check_typed("reduce", size, reduce_reference<tuple>(items, init, tuple_sum{}),
                thrust::reduce(reheat::par, in, in + static_cast<std::ptrdiff_t>(size), init, tuple_sum{}));
  }
}

// ---- operators ----------------------------------------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(operators_may_hold_state)
{
  const u32 modulus = 10007;
  const thrust::device_vector<u32> modulus_in_memory(1, modulus);
  for (const std::size_t size : some_sizes())
  {
    std::vector<u32> items = make_items<u32>(size);
    for (u32& x : items)
    {
      x %= modulus;
    }
    const thrust::device_vector<u32> in = to_device(items);
    const u32 expected = reduce_reference<u32>(items, 1u, plus_modulo{modulus});
    check_typed("state in the operator", size, expected,
                thrust::reduce(reheat::par, in.begin(), in.end(), 1u, plus_modulo{modulus}));
    check_typed("state behind a pointer", size, expected,
                thrust::reduce(reheat::par, in.begin(), in.end(), 1u, plus_modulo_in_memory{raw(modulus_in_memory)}));
  }
}

BOOST_AUTO_TEST_CASE(operators_may_be_called_through_a_non_const_operator)
{
  for (const std::size_t size : some_sizes())
  {
    const std::vector<u32> items = make_items<u32>(size);
    const thrust::device_vector<u32> in = to_device(items);
    check_typed("reduce", size, reduce_reference<u32>(items, 2u, plus{}),
                thrust::reduce(reheat::par, in.begin(), in.end(), 2u, unconstant_plus{}));
  }
}

BOOST_AUTO_TEST_CASE(operators_may_return_references_to_their_operands)
{
  for (const std::size_t size : some_sizes())
  {
    const std::vector<u32> items = make_items<u32>(size);
    const thrust::device_vector<u32> in = to_device(items);
    const u32 expected = reduce_reference<u32>(items, 0u, maximum_by_reference{});
    check_typed("any operator", size, expected,
                thrust::reduce(reheat::par, in.begin(), in.end(), 0u, maximum_by_reference{}));
    check_typed("thrust::maximum", size, expected,
                thrust::reduce(reheat::par, in.begin(), in.end(), 0u, thrust::maximum<u32>()));
  }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

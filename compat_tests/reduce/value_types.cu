// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Reductions of values of every size from 1 to 256 bytes, trivially copyable or not.

#include "../support/calls.hpp"
#include "../support/tiles.hpp"

#include <thrust/tabulate.h>

#include <limits>

using namespace compat;

BOOST_AUTO_TEST_SUITE(reduce)
BOOST_AUTO_TEST_SUITE(value_types)

namespace
{

//! Through an operator of our own, which is not known to be commutative.
template <class T>
void check_type()
{
  std::vector<std::size_t> sizes = few_sizes(reduce_tile<T>());
  sizes.push_back(2 * reduce_grid<T>() + 3);
  for (const std::size_t size : sizes)
  {
    check_reduce<T>(size, 10, placement::aligned);
    check_reduce<T>(size, 3, placement::misaligned);
  }
}

//! And, as numbers are, through the default sum.
template <class T>
void check_number()
{
  check_type<T>();
  for (const std::size_t size : few_sizes(reduce_shape<T, T, thrust::plus<T>>().tile_items()))
  {
    const std::vector<T> items = make_items<T>(size);
    placed<T> aligned(items, placement::aligned), misaligned(items, placement::misaligned);
    const T expected = reduce_reference<T>(items, T(0), fold{});
    for_each_seed(10,
                  [&]
                  {
                    check_result("reduce, aligned", size, expected,
                                 thrust::reduce(reheat::par, aligned.begin(), aligned.end()));
                    check_result("reduce, misaligned", size, expected,
                                 thrust::reduce(reheat::par, misaligned.begin(), misaligned.end()));
                  });
  }
}

//! Of items with the highest bit set, of items without it, and of both together.
template <class T>
void check_extrema()
{
  using limits = std::numeric_limits<T>;
  const T highest_bit = static_cast<T>(std::uint64_t{1} << (8 * sizeof(T) - 1));
  for (const std::size_t size : few_sizes(reduce_shape<T, T, thrust::maximum<T>>().tile_items()))
  {
    for (const unsigned set : {0u, 1u, 2u})
    {
      std::vector<T> items(size);
      for (std::size_t i = 0; i < size; ++i)
      {
        const T mixed = static_cast<T>(i * 2654435761u >> 7);
        items[i] = static_cast<T>(set == 0 ? mixed & ~highest_bit : set == 1 ? mixed | highest_bit : mixed);
      }
      const thrust::device_vector<T> in = to_device(items);
      check_result("minimum", size, reduce_reference<T>(items, limits::max(), thrust::minimum<T>()),
                   thrust::reduce(reheat::par, in.begin(), in.end(), limits::max(), thrust::minimum<T>()));
      check_result("maximum", size, reduce_reference<T>(items, limits::lowest(), thrust::maximum<T>()),
                   thrust::reduce(reheat::par, in.begin(), in.end(), limits::lowest(), thrust::maximum<T>()));
    }
  }
}

} // namespace

BOOST_AUTO_TEST_CASE(bytes)
{
  check_number<std::uint8_t>();
}
BOOST_AUTO_TEST_CASE(two_byte_integers)
{
  check_number<std::int16_t>();
}
BOOST_AUTO_TEST_CASE(four_byte_integers)
{
  check_number<std::int32_t>();
}
BOOST_AUTO_TEST_CASE(eight_byte_integers)
{
  check_number<std::int64_t>();
}
BOOST_AUTO_TEST_CASE(floats)
{
  check_number<float>();
}
BOOST_AUTO_TEST_CASE(doubles)
{
  check_number<double>();
}
BOOST_AUTO_TEST_CASE(extrema_of_integers)
{
  check_extrema<std::int8_t>();
  check_extrema<std::int32_t>();
  check_extrema<std::uint32_t>();
}
BOOST_AUTO_TEST_CASE(three_byte_structs)
{
  check_type<bytes3>();
}
BOOST_AUTO_TEST_CASE(twelve_byte_structs)
{
  check_type<words<3>>();
}
BOOST_AUTO_TEST_CASE(sixteen_byte_structs)
{
  check_type<quad>();
}
BOOST_AUTO_TEST_CASE(complex_numbers)
{
  check_number<thrust::complex<float>>();
}
BOOST_AUTO_TEST_CASE(pairs)
{
  check_type<thrust::pair<std::uint32_t, std::uint32_t>>();
}
BOOST_AUTO_TEST_CASE(tuples)
{
  check_type<thrust::tuple<std::uint8_t, std::uint32_t, std::uint32_t>>();
}
BOOST_AUTO_TEST_CASE(structs_of_32_bytes)
{
  check_type<words<8>>();
}
BOOST_AUTO_TEST_CASE(structs_of_36_bytes)
{
  check_type<words<9>>();
}
BOOST_AUTO_TEST_CASE(structs_of_64_bytes)
{
  check_type<words<16>>();
}
BOOST_AUTO_TEST_CASE(structs_of_256_bytes)
{
  check_type<words<64>>();
}

BOOST_AUTO_TEST_CASE(explicitly_constructed_numbers_need_no_other_constructor)
{
  check_type<explicit_int>();
  for (const std::size_t size : few_sizes(reduce_tile<explicit_int>()))
  {
    const std::vector<explicit_int> items = make_items<explicit_int>(size);
    const thrust::device_vector<explicit_int> in = to_device(items);
    const explicit_int expected = reduce_reference<explicit_int>(items, explicit_int(0), fold{});
    check_result("reduce of 3 arguments", size, expected, thrust::reduce(reheat::par, in.begin(), in.end()));
    check_result("reduce of 4 arguments", size, expected,
                 thrust::reduce(reheat::par, in.begin(), in.end(), explicit_int(0)));
  }
}

BOOST_AUTO_TEST_CASE(values_that_are_not_trivially_copyable_are_only_ever_copied_constructed)
{
  // The result may travel to the host by its bytes, as it does in Thrust: it does not know its address.
  using T = tracked<false>;
  using map = affine<std::uint32_t>;
  const std::size_t tile = reduce_tile<T>(), grid = reduce_grid<T>();
  for (const std::size_t size :
       {std::size_t(0), std::size_t(1), std::size_t(33), tile, tile + 1, 3 * tile - 1, 2 * grid + 3})
  {
    const std::vector<map> items = make_items<map>(size);
    const map init = values<map>::make(99);
    thrust::device_vector<T> in(size);
    thrust::tabulate(thrust::device, in.begin(), in.end(), make_item<T>{});
    for_each_seed(20,
                  [&]
                  {
                    const T actual = thrust::reduce(reheat::par, in.begin(), in.end(), T(init), fold{});
                    BOOST_TEST(!actual.marked(), "a value was copied from or onto unconstructed memory");
                    check_result("reduce", size, reduce_reference<map>(items, init, fold{}), actual.value());
                  });
  }
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

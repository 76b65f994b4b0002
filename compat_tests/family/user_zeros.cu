// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Zeros with a sign, which users find again in the results of every call of the family.

#include "../support/user_code.hpp"

#include <thrust/functional.h>
#include <thrust/inner_product.h>
#include <thrust/transform_reduce.h>
#include <thrust/transform_scan.h>

#include <cuda/std/functional>

using namespace compat;

BOOST_AUTO_TEST_SUITE(family)
BOOST_AUTO_TEST_SUITE(user_zeros)

namespace
{

using u32 = std::uint32_t;

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

} // namespace

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
  for (const std::size_t size : few_sizes_and_many(tile))
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

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()

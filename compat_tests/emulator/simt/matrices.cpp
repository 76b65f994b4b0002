// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Products of matrices by a warp, against sums one by one.
#include "run.h"

#include <reheat/detail/simt/matrix.cuh>

#include <vector>

using namespace test;

namespace
{

//! Two products of different matrices into one fragment.
template <class Item>
void check_products()
{
  using shape = simt::matrix_shape<Item>;
  using sum_type = typename shape::sum_type;
  using product = simt::matrix_product<Item>;
  const auto item = [](unsigned i) { return static_cast<Item>(static_cast<float>(i * 37 % 11) - 4.0f); };
  std::vector<Item> a, b;
  for (unsigned i = 0; i < 2 * shape::rows * shape::depth; ++i)
  {
    a.push_back(item(i));
  }
  for (unsigned i = 0; i < 2 * shape::depth * shape::columns; ++i)
  {
    b.push_back(item(i * i + 3));
  }
  std::vector<sum_type> expected(shape::rows * shape::columns, sum_type{});
  for (unsigned k = 0; k < 2 * shape::depth; ++k)
  {
    const unsigned part = k / shape::depth, of = k % shape::depth;
    for (unsigned i = 0; i < expected.size(); ++i)
    {
      expected[i] +=
          static_cast<sum_type>(a[part * shape::rows * shape::depth + i / shape::columns * shape::depth + of]) *
          static_cast<sum_type>(b[part * shape::depth * shape::columns + of * shape::columns + i % shape::columns]);
    }
  }
  for_seeds(
      [&]
      {
        std::vector<sum_type> actual(expected.size());
        run(1, 32, 0,
            [&]
            {
              typename product::left left;
              typename product::right right;
              typename product::sum sum;
              product::clear(sum);
              for (unsigned part = 0; part < 2; ++part)
              {
                product::load(left, a.data() + part * shape::rows * shape::depth);
                product::load(right, b.data() + part * shape::depth * shape::columns);
                product::multiply_add(sum, left, right);
              }
              product::store(actual.data(), sum);
            });
        BOOST_TEST(actual == expected, boost::test_tools::per_element());
      });
}

} // namespace

BOOST_AUTO_TEST_SUITE(matrices)

BOOST_AUTO_TEST_CASE(halves_and_bfloat16_multiply_into_floats)
{
  check_products<__half>();
  check_products<__nv_bfloat16>();
}

BOOST_AUTO_TEST_CASE(bytes_multiply_into_integers)
{
  check_products<std::int8_t>();
}

BOOST_AUTO_TEST_CASE(doubles_multiply_in_tiles_of_their_own)
{
  check_products<double>();
}

BOOST_AUTO_TEST_SUITE_END()

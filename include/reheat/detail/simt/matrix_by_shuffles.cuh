// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Products of small matrices by one warp, from shuffles: for the emulator, and for GPUs without matrix units for a type.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/simt/simt.cuh>

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstdint>
#include <type_traits>

REHEAT_NAMESPACE_BEGIN
namespace simt
{

//! The sizes in rows × depth times depth × columns and the type of the sums, for items with matrix units.
template <class Item>
struct matrix_shape
{
  static constexpr bool exists = false;
};
template <unsigned Rows, unsigned Columns, unsigned Depth, class Sum>
struct matrix_sizes
{
  static constexpr bool exists = true;
  static constexpr unsigned rows = Rows;
  static constexpr unsigned columns = Columns;
  static constexpr unsigned depth = Depth;
  using sum_type = Sum;
};
template <>
struct matrix_shape<__half> : matrix_sizes<16, 16, 16, float>
{};
template <>
struct matrix_shape<__nv_bfloat16> : matrix_sizes<16, 16, 16, float>
{};
template <>
struct matrix_shape<std::int8_t> : matrix_sizes<16, 16, 16, std::int32_t>
{};
template <>
struct matrix_shape<double> : matrix_sizes<8, 8, 4, double>
{};

//! The fragments and operations of one warp. All lanes call. Matrices lie in memory row by row, at a multiple of 32 bytes.
//! The elements of a matrix are divided evenly among the lanes, in order.
template <class Item>
struct matrix_by_shuffles
{
  using shape = matrix_shape<Item>;
  using sum_type = typename shape::sum_type;

  template <class T, unsigned Rows, unsigned Columns>
  struct part
  {
    static constexpr unsigned items = Rows * Columns / warp_lanes;
    T item[items];
  };
  struct left : part<Item, shape::rows, shape::depth>
  {};
  struct right : part<Item, shape::depth, shape::columns>
  {};
  struct sum : part<sum_type, shape::rows, shape::columns>
  {};

  REHEAT_DEVICE static void load(left& to, const Item* tile) { load_part(to, tile); }
  REHEAT_DEVICE static void load(right& to, const Item* tile) { load_part(to, tile); }
  REHEAT_DEVICE static void clear(sum& to)
  {
    for (unsigned i = 0; i < sum::items; ++i)
    {
      to.item[i] = sum_type{};
    }
  }
  REHEAT_DEVICE static void store(sum_type* tile, const sum& from)
  {
    for (unsigned i = 0; i < sum::items; ++i)
    {
      tile[lane_index() * sum::items + i] = from.item[i];
    }
  }

  //! Adds a · b to `to`. A lane's sums lie in one row, so it needs that row of a and the sums' columns of b.
  REHEAT_DEVICE static void multiply_add(sum& to, const left& a, const right& b)
  {
    static_assert(shape::depth % left::items == 0 && sum::items % right::items == 0, "parts do not end within a row");
    const unsigned first = lane_index() * sum::items;
    const unsigned row = first / shape::columns;
    const unsigned column = first % shape::columns;
    for (unsigned k = 0; k < shape::depth; k += left::items)
    {
      const left of_row = shuffle(a, (row * shape::depth + k) / left::items);
      for (unsigned i = 0; i < left::items; ++i)
      {
        for (unsigned j = 0; j < sum::items; j += right::items)
        {
          const right of_column = shuffle(b, ((k + i) * shape::columns + column + j) / right::items);
          for (unsigned n = 0; n < right::items; ++n)
          {
            add_product(to.item[j + n], of_row.item[i], of_column.item[n]);
          }
        }
      }
    }
  }

private:
  template <class Part>
  REHEAT_DEVICE static void load_part(Part& to, const Item* tile)
  {
    for (unsigned i = 0; i < Part::items; ++i)
    {
      to.item[i] = tile[lane_index() * Part::items + i];
    }
  }
  //! Sums of integers wrap, as in matrix units.
  REHEAT_DEVICE static void add_product(sum_type& to, const Item& x, const Item& y)
  {
    const sum_type product = static_cast<sum_type>(x) * static_cast<sum_type>(y);
    if constexpr (std::is_integral_v<sum_type>)
    {
      using bits = std::make_unsigned_t<sum_type>;
      to = static_cast<sum_type>(static_cast<bits>(to) + static_cast<bits>(product));
    }
    else
    {
      to += product;
    }
  }
};

} // namespace simt
REHEAT_NAMESPACE_END

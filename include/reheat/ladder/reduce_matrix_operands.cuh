// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! What the reductions by matrix units feed them: operands that are made in shared memory, and sums that become operands
//! again. An accumulator is wider than an operand, so it becomes several terms.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/simt/matrix.cuh>
#include <reheat/detail/simt/simt.cuh>

#include <cstdint>
#include <type_traits>

REHEAT_NAMESPACE_BEGIN
namespace detail
{
namespace ladder
{

//! Sums of integers wrap.
template <class T>
struct wrapping_plus
{
  REHEAT_DEVICE T operator()(const T& x, const T& y) const
  {
    if constexpr (std::is_integral_v<T>)
    {
      using bits = std::make_unsigned_t<T>;
      return static_cast<T>(static_cast<bits>(x) + static_cast<bits>(y));
    }
    else
    {
      return x + y;
    }
  }
};

//! How a sum becomes an operand again, for V · Pᵀ: it is split into terms whose weighted sum it is. A float is the sum of
//! three bfloat16, an int that of four signed bytes with weights 1, 256, …; a double is an operand as it is.
template <class Sum>
struct operand_terms;
template <>
struct operand_terms<float>
{
  using item = __nv_bfloat16;
  static constexpr unsigned count = 3;
  REHEAT_DEVICE static item split(float& rest)
  {
    const item term = __float2bfloat16(rest);
    const float left = rest - __bfloat162float(term);
    rest = left == left ? left : 0.0f; // of an infinity nothing is left
    return term;
  }
  REHEAT_DEVICE static float weigh(float sum, unsigned) { return sum; }
};
template <>
struct operand_terms<std::int32_t>
{
  using item = std::int8_t;
  static constexpr unsigned count = 4;
  REHEAT_DEVICE static item split(std::int32_t& rest)
  {
    const auto term = static_cast<item>(rest & 0xff);
    rest = static_cast<std::int32_t>((static_cast<std::uint32_t>(rest) - static_cast<std::uint32_t>(term)) >> 8);
    return term;
  }
  REHEAT_DEVICE static std::int32_t weigh(std::int32_t sum, unsigned term)
  {
    return static_cast<std::int32_t>(static_cast<std::uint32_t>(sum) << (8 * term));
  }
};
template <>
struct operand_terms<double>
{
  using item = double;
  static constexpr unsigned count = 1;
  REHEAT_DEVICE static item split(double& rest) { return rest; }
  REHEAT_DEVICE static double weigh(double sum, unsigned) { return sum; }
};

//! Shared memory of a block: each warp has a tile of operands and one of sums.
template <class Item>
struct matrix_shared
{
  using shape = simt::matrix_shape<Item>;
  using sum_type = typename shape::sum_type;
  using last_item = typename operand_terms<sum_type>::item;
  static constexpr unsigned sum_items = shape::rows * shape::columns;
  static constexpr unsigned operand_items = shape::depth * (shape::rows > shape::columns ? shape::rows : shape::columns);

  sum_type* sums;          //!< [warp][rows · columns]
  Item* operand;           //!< [warp][the larger operand]
  last_item* term_operand; //!< [warp][the same], of V · Pᵀ
  sum_type* warps;         //!< [warp]

  template <class Memory>
  REHEAT_HOST_DEVICE constexpr matrix_shared(Memory& memory, unsigned count)
      : sums(memory.template array<sum_type>(count * sum_items, 128)),
        operand(memory.template array<Item>(count * operand_items, 128)),
        term_operand(memory.template array<last_item>(count * operand_items, 128)),
        warps(memory.template array<sum_type>(count))
  {}
};

REHEAT_DEVICE inline void sync_operand()
{
  if (!simt::fault_active(simt::fault::reduce_skip_operand_barrier))
  {
    simt::sync_warp();
  }
}
REHEAT_DEVICE inline void sync_product()
{
  if (!simt::fault_active(simt::fault::reduce_skip_product_barrier))
  {
    simt::sync_warp();
  }
}

//! Loads the operand whose element i is make(i) by way of shared memory.
template <class Product, class Operand, class Item, class Make>
REHEAT_DEVICE void load_made(Operand& to, Item* tile, unsigned items, Make make)
{
  for (unsigned i = simt::lane_index(); i < items; i += simt::warp_lanes)
  {
    tile[i] = make(i);
  }
  sync_operand();
  Product::load(to, tile);
  simt::sync_warp(); // the tile is free again
}

} // namespace ladder
} // namespace detail
REHEAT_NAMESPACE_END

// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The reductions by matrix units on the host: which types they serve, sizes, the two launches.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/runtime/runtime.cuh>
#include <reheat/ladder/reduce_finish.cuh>
#include <reheat/ladder/reduce_matrix.cuh>
#include <reheat/ladder/rung.cuh>

#include <algorithm>
#include <cstdint>
#include <type_traits>

REHEAT_NAMESPACE_BEGIN
namespace detail
{
namespace ladder
{

//! Items that the matrix units multiply, summed in their own type or in that of the units' sums.
template <class Item, class Accum, class Op>
constexpr bool fits_matrix_unit()
{
  if constexpr (simt::matrix_shape<Item>::exists && is_plus_v<Op>)
  {
    return std::is_same_v<Accum, Item> || std::is_same_v<Accum, typename simt::matrix_shape<Item>::sum_type>;
  }
  return false;
}

//! Whether the units can load tiles from where they are.
template <class T>
bool is_matrix_aligned(const T* pointer)
{
  constexpr std::uintptr_t alignment = 32;
  return reinterpret_cast<std::uintptr_t>(pointer) % alignment == 0;
}
template <class It>
bool is_matrix_aligned(const It&)
{
  return false;
}

//! Tuning: of both launches. Last: the step that folds the blocks' sums.
template <class Tuning, bool Accumulates, class Last>
struct matrix_rung : enqueued_rung<matrix_rung<Tuning, Accumulates, Last>>
{
  static constexpr bool by_matrix_units = true;

  template <class Accum, class Environment, class InputIt, class T, class Op>
  static void enqueue_reduce(const Environment& env, InputIt in, std::uint64_t items, T init, Op op, T* result)
  {
    using item = value_of<InputIt>;
    static_assert(fits_matrix_unit<item, Accum, Op>(),
                  "reheat: this rung of the ladder sums by matrix units: it serves plus on items of __half, __nv_bfloat16 "
                  "(summed as such or in float), std::int8_t (as such or in std::int32_t) and double");
    if constexpr (fits_matrix_unit<item, Accum, Op>())
    {
      using shape = simt::matrix_shape<item>;
      using sum_type = typename shape::sum_type;
      const auto kernel = &ladder_reduce_matrix_kernel<Tuning, Accumulates, item, InputIt>;
      const rung_config c = Tuning{}(runtime::arch_of(kernel), sizeof(item));
      const unsigned warps = c.block_threads / simt::warp_lanes;
      simt::shared_counter counter;
      const matrix_shared<item> layout(counter, warps);
      static_cast<void>(layout);
      runtime::prepare(kernel, c.block_threads, counter.bytes());

      constexpr unsigned tile_items = shape::depth * shape::columns;
      const std::uint64_t tiles = items / tile_items + (items % tile_items != 0);
      const std::uint64_t blocks = tiles / warps + (tiles % warps != 0);
      const auto grid = static_cast<unsigned>(std::min<std::uint64_t>(blocks, c.strided_blocks));
      const scratch_arrays<Environment, sum_type> scratch(env, grid);
      runtime::launch(env, {grid, c.block_threads, counter.bytes()}, kernel, in, items, tiles, is_matrix_aligned(in),
                      scratch[0]);
      launch_step<Last>(env, c, static_cast<const sum_type*>(scratch[0]), grid, 1, static_cast<sum_type*>(nullptr),
                        wrapping_plus<sum_type>{}, to_matrix_result<Accum, T, Op>{op, init, result});
    }
  }
};

} // namespace ladder
} // namespace detail
REHEAT_NAMESPACE_END

// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Which folds have the same result on every GPU. NaNs aside, and of extrema zeros of both signs.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/device_traits.cuh>
#include <reheat/detail/operators.cuh>
#include <reheat/detail/reduce/dispatch.cuh>
#include <reheat/detail/reduce/tuning.cuh>
#include <reheat/detail/thrust_compat.cuh>

#include <type_traits>

REHEAT_NAMESPACE_BEGIN
namespace algorithms
{

//! Whether a fold of Ts by Op is the same however the items are associated.
template <class Op, class T>
inline constexpr bool is_reproducible_v = detail::is_exact_v<Op, T> ||
                                          (std::is_integral_v<T> && (detail::is_instance_v<::cuda::std::logical_and, Op> ||
                                                                     detail::is_instance_v<::cuda::std::logical_or, Op>)) ||
                                          (detail::is_number_v<T> &&
                                           (detail::kind_on_v<Op, T> == detail::operator_kind::minimum ||
                                            detail::kind_on_v<Op, T> == detail::operator_kind::maximum));

//! Whether two configurations cut an input into the same tiles and fold them in the same order.
constexpr bool associate_alike(const detail::reduce_config& x, const detail::reduce_config& y)
{
  return x.block_threads == y.block_threads && x.single_block_threads == y.single_block_threads &&
         x.small_grid_threads == y.small_grid_threads && x.small_grid_max_blocks == y.small_grid_max_blocks &&
         x.items_per_thread == y.items_per_thread && x.multi_tile_items_per_thread == y.multi_tile_items_per_thread &&
         x.max_blocks == y.max_blocks && x.slots_per_lane == y.slots_per_lane;
}

//! Whether reductions of Items in T by Op are the same on every GPU: by operators of the standard on numbers, whose tiles no
//! architecture changes. Products of complex numbers, and operators of the program's, may be made of operations that are
//! fused on some.
template <class Op, class T, class Item>
constexpr bool reduces_alike()
{
  constexpr detail::operator_kind kind = detail::kind_on_v<Op, T>;
  if constexpr (is_reproducible_v<Op, T>)
  {
    return true;
  }
  else if constexpr (detail::is_number_v<T> && !std::is_same_v<T, long double> &&
                     (kind == detail::operator_kind::plus ||
                      (kind == detail::operator_kind::multiplies && !detail::is_complex_v<T>)))
  {
    using tuning = detail::reduce_tuning_of<Item, T, Op>;
    return detail::on_every_arch(
        [](int arch) { return arch == detail::emulated_arch || associate_alike(tuning{}(arch), tuning{}(900)); });
  }
  else
  {
    return false;
  }
}

} // namespace algorithms
REHEAT_NAMESPACE_END

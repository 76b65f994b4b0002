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
#include <reheat/detail/scan/kind.cuh>
#include <reheat/detail/scan/tuning.cuh>
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

//! Whether Op is a sum or a product of the standard's, of numbers whose operations round alike on all GPUs. Products of
//! complex numbers, and operators of the program's, may be made of operations that are fused on some.
template <class Op, class T>
inline constexpr bool rounds_alike_v =
    detail::is_number_v<T> && !std::is_same_v<T, long double> &&
    (detail::kind_on_v<Op, T> == detail::operator_kind::plus ||
     (detail::kind_on_v<Op, T> == detail::operator_kind::multiplies && !detail::is_complex_v<T>));

//! Whether reductions of Items in T by Op are the same on every GPU: by operators of the standard on numbers, whose tiles no
//! architecture changes.
template <class Op, class T, class Item>
constexpr bool reduces_alike()
{
  if constexpr (is_reproducible_v<Op, T>)
  {
    return true;
  }
  else if constexpr (rounds_alike_v<Op, T>)
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

//! Whether two configurations cut an input into the same tiles and scan them in the same order.
constexpr bool associate_alike(const detail::scan_config& x, const detail::scan_config& y)
{
  return x.fixed_tiles && y.fixed_tiles && x.compute_threads == y.compute_threads &&
         x.items_per_thread == y.items_per_thread && x.slots_per_lane == y.slots_per_lane &&
         x.groups_per_supergroup == y.groups_per_supergroup;
}
//! The same of small inputs.
constexpr bool associate_alike(const detail::one_tile_config& x, const detail::one_tile_config& y)
{
  bool alike = true;
  for (unsigned i = 0; i < sizeof(x.sizes) / sizeof(x.sizes[0]); ++i)
  {
    alike = alike && x.sizes[i].input_rows == y.sizes[i].input_rows && x.sizes[i].shape.rows == y.sizes[i].shape.rows &&
            x.sizes[i].shape.block_threads == y.sizes[i].shape.block_threads;
  }
  return alike;
}

//! Whether scans in T by Op are the same on every GPU if they ask for it: by operators of the standard on numbers, whose
//! fixed tiles fit every architecture.
template <class Op, class T>
constexpr bool scans_alike()
{
  if constexpr (is_reproducible_v<Op, T>)
  {
    return true;
  }
  else if constexpr (rounds_alike_v<Op, T>)
  {
    using tuning = detail::fixed_scan_tuning<sizeof(T)>;
    return detail::on_every_arch(
        [](int arch)
        {
          const detail::scan_config config = tuning{}(arch);
          return arch == detail::emulated_arch ||
                 (tuning::shared_bound(config) <= config.shared_bytes && associate_alike(config, tuning{}(900)) &&
                  associate_alike(detail::one_tile_config_for(arch, sizeof(T)),
                                  detail::one_tile_config_for(900, sizeof(T))));
        });
  }
  else
  {
    return false;
  }
}

//! How a scan in T by Op associates that has to be the same on every GPU, or not.
template <bool OnEveryGpu, class Op, class T>
inline constexpr detail::scan_association scan_association_v =
    OnEveryGpu && !is_reproducible_v<Op, T> ? detail::scan_association::v1 : detail::scan_association::tuned;

} // namespace algorithms
REHEAT_NAMESPACE_END

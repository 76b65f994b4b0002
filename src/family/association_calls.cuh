// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The folds of association.hpp, as calls.
#pragma once

#include "association.hpp"

#include <reheat/reheat.cuh>

#include <thrust/copy.h>
#include <thrust/device_ptr.h>
#include <thrust/device_vector.h>
#include <thrust/inner_product.h>
#include <thrust/scan.h>
#include <thrust/transform_reduce.h>
#include <thrust/transform_scan.h>

#include <cuda/std/functional>

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace association
{

struct square
{
  template <class T>
  REHEAT_HOST_DEVICE T operator()(const T& value) const
  {
    return value * value;
  }
};
//! The product is exact, so it does not matter whether the compiler fuses it.
struct factor
{
  template <class T>
  REHEAT_HOST_DEVICE T operator()(const T& value) const
  {
    return value * T(0x1p-12) + T(1);
  }
};
struct any_op
{
  template <class T>
  REHEAT_HOST_DEVICE T operator()(const T& left, const T& right) const
  {
    return left + right;
  }
};

//! What one call of a row gives, of `count` items from `in` on. Scans write to `out`.
template <fold Which, class T>
std::vector<T> results(const T* in, std::uint64_t count, T* out)
{
  const T* const end = in + count;
  const auto everywhere = reheat::par.with(reheat::gpu_to_gpu);
  if constexpr (Which == fold::reduce)
  {
    return {thrust::reduce(reheat::par, in, end, init<T>())};
  }
  else if constexpr (Which == fold::reduce_any_op)
  {
    return {thrust::reduce(reheat::par, in, end, init<T>(), any_op{})};
  }
  else if constexpr (Which == fold::transform_reduce)
  {
    return {thrust::transform_reduce(reheat::par, in, end, square{}, init<T>(), ::cuda::std::plus<T>{})};
  }
  else if constexpr (Which == fold::inner_product)
  {
    return {thrust::inner_product(reheat::par, in, end, in, init<T>())};
  }
  else if constexpr (Which == fold::inclusive_scan)
  {
    thrust::inclusive_scan(everywhere, in, end, out);
  }
  else if constexpr (Which == fold::exclusive_scan)
  {
    thrust::exclusive_scan(everywhere, in, end, out, init<T>());
  }
  else if constexpr (Which == fold::transform_inclusive_scan)
  {
    thrust::transform_inclusive_scan(everywhere, in, end, out, square{}, ::cuda::std::plus<T>{});
  }
  else
  {
    static_assert(Which == fold::transform_exclusive_scan);
    thrust::transform_exclusive_scan(everywhere, in, end, out, factor{}, init<T>(), ::cuda::std::multiplies<T>{});
  }
  std::vector<T> scanned(count);
  thrust::copy_n(thrust::device_pointer_cast(out), count, scanned.begin());
  return scanned;
}

//! Calls visit(std::integral_constant<fold>, T()) with the types of the row.
template <class Visit>
void with_types(const golden_row& row, Visit visit)
{
  const auto of_reals = [&](auto which)
  {
    switch (row.number)
    {
      case number::f32:
        return visit(which, float());
      case number::f64:
        return visit(which, double());
      default:
        return;
    }
  };
  const auto of_numbers = [&](auto which)
  {
    switch (row.number)
    {
      case number::f16:
        return visit(which, __half());
      case number::bf16:
        return visit(which, __nv_bfloat16());
      default:
        return of_reals(which);
    }
  };
  switch (row.fold)
  {
    case fold::reduce:
      return of_numbers(std::integral_constant<fold, fold::reduce>());
    case fold::reduce_any_op:
      return visit(std::integral_constant<fold, fold::reduce_any_op>(), float());
    case fold::transform_reduce:
      return of_reals(std::integral_constant<fold, fold::transform_reduce>());
    case fold::inner_product:
      return of_reals(std::integral_constant<fold, fold::inner_product>());
    case fold::inclusive_scan:
      return of_numbers(std::integral_constant<fold, fold::inclusive_scan>());
    case fold::exclusive_scan:
      return of_reals(std::integral_constant<fold, fold::exclusive_scan>());
    case fold::transform_inclusive_scan:
      return of_reals(std::integral_constant<fold, fold::transform_inclusive_scan>());
    case fold::transform_exclusive_scan:
      return of_reals(std::integral_constant<fold, fold::transform_exclusive_scan>());
  }
}

//! Calls visit(hash) when the row's items are in memory, `shift` items behind an aligned address. Each hash() makes the
//! row's calls, and returns the hash of their results. Outputs begin `shift` items behind another aligned address.
template <class Visit>
void with_row(const golden_row& row, std::size_t shift, Visit visit)
{
  with_types(row,
             [&](auto which, auto zero)
             {
               using type = decltype(zero);
               const std::vector<type> host = items<type>(row.items);
               thrust::device_vector<type> in(shift + host.size()), out(2 * shift + host.size());
               thrust::copy(host.begin(), host.end(), in.begin() + static_cast<std::ptrdiff_t>(shift));
               visit(
                   [&]
                   {
                     std::array<std::vector<type>, sizes(0).size()> made;
                     for (std::size_t i = 0; i < made.size(); ++i)
                     {
                       made[i] = results<decltype(which)::value, type>(thrust::raw_pointer_cast(in.data()) + shift,
                                                                       sizes(row.items)[i],
                                                                       thrust::raw_pointer_cast(out.data()) + 2 * shift);
                     }
                     return hash(made);
                   });
             });
}

inline std::uint64_t hash_here(const golden_row& row, std::size_t shift)
{
  std::uint64_t made = 0;
  with_row(row, shift, [&](const auto& hash) { made = hash(); });
  return made;
}

} // namespace association

// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The sums of association.hpp, as calls.
#pragma once

#include "association.hpp"

#include <reheat/reheat.cuh>

#include <thrust/device_vector.h>
#include <thrust/inner_product.h>
#include <thrust/transform_reduce.h>

#include <cuda/std/functional>

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstddef>

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
struct any_op
{
  template <class T>
  REHEAT_HOST_DEVICE T operator()(const T& left, const T& right) const
  {
    return left + right;
  }
};

//! One sum of a row, of `count` items from `in` on.
template <sum Which, class T>
T result(const T* in, std::uint64_t count)
{
  const T* const end = in + count;
  if constexpr (Which == sum::reduce)
  {
    return thrust::reduce(reheat::par, in, end, init<T>());
  }
  else if constexpr (Which == sum::reduce_any_op)
  {
    return thrust::reduce(reheat::par, in, end, init<T>(), any_op{});
  }
  else if constexpr (Which == sum::transform_reduce)
  {
    return thrust::transform_reduce(reheat::par, in, end, square{}, init<T>(), ::cuda::std::plus<T>{});
  }
  else
  {
    return thrust::inner_product(reheat::par, in, end, in, init<T>());
  }
}

//! Calls visit(std::integral_constant<sum>, T()) with the types of the row.
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
  switch (row.sum)
  {
    case sum::reduce: {
      constexpr std::integral_constant<sum, sum::reduce> which;
      switch (row.number)
      {
        case number::f16:
          return visit(which, __half());
        case number::bf16:
          return visit(which, __nv_bfloat16());
        default:
          return of_reals(which);
      }
    }
    case sum::reduce_any_op:
      return visit(std::integral_constant<sum, sum::reduce_any_op>(), float());
    case sum::transform_reduce:
      return of_reals(std::integral_constant<sum, sum::transform_reduce>());
    case sum::inner_product:
      return of_reals(std::integral_constant<sum, sum::inner_product>());
  }
}

//! The hash of the row on this machine, of items that begin `shift` items behind an aligned address.
inline std::uint64_t hash_here(const golden_row& row, std::size_t shift)
{
  std::uint64_t made = 0;
  with_types(row,
             [&](auto which, auto zero)
             {
               using type = decltype(zero);
               const std::vector<type> host = items<type>(row.items);
               thrust::device_vector<type> memory(shift + host.size());
               thrust::copy(host.begin(), host.end(), memory.begin() + static_cast<std::ptrdiff_t>(shift));
               std::array<type, sizes(0).size()> results;
               for (std::size_t i = 0; i < results.size(); ++i)
               {
                 results[i] = result<decltype(which)::value, type>(thrust::raw_pointer_cast(memory.data()) + shift,
                                                                   sizes(row.items)[i]);
               }
               made = hash(results);
             });
  return made;
}

} // namespace association

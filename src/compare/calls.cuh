// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The calls under comparison. reheat's differs from Thrust's in one argument, the policy.
#pragma once

#include "call.hpp"
#include "upstream.cuh"

#include <reheat/reheat.cuh>

#include <thrust/functional.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>

#include <cstring>
#include <type_traits>

namespace compare
{

// Thrust's operator multiplies two uint16_t as int, which overflows.
struct multiplies_u16
{
  REHEAT_HOST_DEVICE std::uint16_t operator()(std::uint16_t a, std::uint16_t b) const
  {
    return static_cast<std::uint16_t>(std::uint32_t{a} * b);
  }
};

template <class T, class Op, class Policy>
void call_algorithm(const Policy& policy, call& c)
{
  const T* const in = reinterpret_cast<const T*>(c.in);
  T* const out = reinterpret_cast<T*>(c.out);
  const T init = read_item<T>(c.init);
  switch (c.algorithm)
  {
    case algorithm::reduce: {
      const T value = thrust::reduce(policy, in, in + c.count, init, Op{});
      std::memcpy(c.value, &value, sizeof(T));
      c.value_on_host = true;
      break;
    }
    case algorithm::inclusive_scan:
      c.returned_end = thrust::inclusive_scan(policy, in, in + c.count, out, Op{}) == out + c.count;
      break;
    case algorithm::exclusive_scan:
      c.returned_end = thrust::exclusive_scan(policy, in, in + c.count, out, init, Op{}) == out + c.count;
      break;
    default: // in calls_sum.cu and calls_search.cu
      break;
  }
}

template <class T, class Op>
void make_call(call& c)
{
  switch (c.who)
  {
    case implementation::thrust:
      call_algorithm<T, Op>(here::upstream_policy(), c);
      break;
    case implementation::reheat:
      call_algorithm<T, Op>(reheat::par, c);
      break;
    case implementation::cub:
      here::call_cub<T, Op>(c);
      break;
  }
}

template <class T>
call_function find_call(operation which)
{
  switch (which)
  {
    case operation::max:
      return make_call<T, thrust::maximum<T>>;
    case operation::min:
      return make_call<T, thrust::minimum<T>>;
    default:
      break;
  }
  if constexpr (std::is_floating_point_v<T>)
  {
    return which == operation::plus ? make_call<T, thrust::plus<T>> : make_call<T, thrust::multiplies<T>>;
  }
  else
  {
    using U = std::make_unsigned_t<T>;
    using multiplies = std::conditional_t<sizeof(U) == 2, multiplies_u16, thrust::multiplies<U>>;
    return which == operation::plus ? make_call<U, thrust::plus<U>> : make_call<U, multiplies>;
  }
}

} // namespace compare

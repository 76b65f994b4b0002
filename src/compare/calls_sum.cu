// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Sums beside those of reduce and the plain scans: left in memory, of other terms, and by key.
#include "call.hpp"
#include "this_machine.cuh"
#include "upstream.cuh"

#include <reheat/reheat.cuh>

#include <thrust/functional.h>
#include <thrust/inner_product.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/transform_reduce.h>
#include <thrust/transform_scan.h>
#include <thrust/version.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace compare
{
namespace
{

template <class T>
void give_value(call& c, T value)
{
  std::memcpy(c.value, &value, sizeof(T));
  c.value_on_host = true;
}

// Thrust has reduce_into from CCCL 3.1 on. Before, what a program can do instead is to reduce and copy the result; ours is
// called by our name then.
template <class T, class Policy>
void reduce_into_memory(const Policy& policy, const T* in, const T* end, T* out, T init)
{
#if THRUST_VERSION >= 300100
  thrust::reduce_into(policy, in, end, out, init);
#else
  if constexpr (std::is_same_v<Policy, std::decay_t<decltype(reheat::par)>>)
  {
    reheat::reduce_into(policy, in, end, out, init);
  }
  else
  {
    const T value = thrust::reduce(policy, in, end, init);
    here::copy_in(reinterpret_cast<std::byte*>(out), reinterpret_cast<const std::byte*>(&value), sizeof(T));
  }
#endif
}

template <class T, class Policy>
void call_sum(const Policy& policy, call& c)
{
  const T* const in = reinterpret_cast<const T*>(c.in);
  const T* const end = in + c.count;
  T* const out = reinterpret_cast<T*>(c.out);
  T* const out_end = out + c.count;
  const key_type* const keys_end = c.keys != nullptr ? c.keys + c.count : nullptr;
  const T init = read_item<T>(c.init);
  const thrust::plus<T> plus{};
  const thrust::negate<T> negate{};
  switch (c.algorithm)
  {
    case algorithm::reduce_into:
      reduce_into_memory(policy, in, end, out, init);
      break;
    case algorithm::transform_reduce:
      give_value(c, thrust::transform_reduce(policy, in, end, negate, init, plus));
      break;
    case algorithm::inner_product:
      give_value(c, thrust::inner_product(policy, in, end, c.keys, init));
      break;
    case algorithm::transform_inclusive_scan:
      c.returned_end = thrust::transform_inclusive_scan(policy, in, end, out, negate, plus) == out_end;
      break;
    case algorithm::transform_exclusive_scan:
      c.returned_end = thrust::transform_exclusive_scan(policy, in, end, out, negate, init, plus) == out_end;
      break;
    case algorithm::reduce_by_key: {
      const auto ends = thrust::reduce_by_key(policy, c.keys, keys_end, in, c.keys_out, out);
      const std::size_t runs = count_runs(c.count);
      c.returned_end = ends.first == c.keys_out + runs && ends.second == out + runs;
      break;
    }
    case algorithm::inclusive_scan_by_key:
      c.returned_end = thrust::inclusive_scan_by_key(policy, c.keys, keys_end, in, out) == out_end;
      break;
    case algorithm::exclusive_scan_by_key:
      c.returned_end = thrust::exclusive_scan_by_key(policy, c.keys, keys_end, in, out, init) == out_end;
      break;
    default: // in calls_search.cu and calls.cuh
      break;
  }
}

template <class T>
void make_sum_call(call& c)
{
  c.who == implementation::thrust ? call_sum<T>(here::upstream_policy(), c) : call_sum<T>(reheat::par, c);
}

} // namespace

call_function find_call_sum(element type)
{
  switch (type)
  {
    case element::i32:
      return make_sum_call<std::uint32_t>;
    case element::f32:
      return make_sum_call<float>;
    default:
      return nullptr;
  }
}

} // namespace compare

// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Sums beside those of reduce and the plain scans: of other terms, and by key.
#include "call.hpp"
#include "upstream.cuh"

#include <reheat/reheat.cuh>

#include <thrust/functional.h>
#include <thrust/inner_product.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/transform_reduce.h>
#include <thrust/transform_scan.h>

#include <cstdint>
#include <cstring>

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

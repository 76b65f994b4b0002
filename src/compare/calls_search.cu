// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The algorithms that take no operator of items: counts, positions, truths.
#include "call.hpp"
#include "upstream.cuh"

#include <reheat/reheat.cuh>

#include <thrust/count.h>
#include <thrust/extrema.h>
#include <thrust/logical.h>

#include <cstdint>
#include <cstring>

namespace compare
{
namespace
{

template <class T>
struct smaller_than
{
  T bound;
  REHEAT_HOST_DEVICE bool operator()(T item) const { return item < bound; }
};
template <class T>
struct equal_to_one
{
  T wanted;
  REHEAT_HOST_DEVICE bool operator()(T item) const { return item == wanted; }
};
template <class T>
struct differs_from_one
{
  T unwanted;
  REHEAT_HOST_DEVICE bool operator()(T item) const { return item != unwanted; }
};

template <class... Number>
void give_numbers(call& c, Number... numbers)
{
  const std::int64_t all[]{static_cast<std::int64_t>(numbers)...};
  static_assert(sizeof(all) <= sizeof(c.value));
  std::memcpy(c.value, all, sizeof(all));
  c.value_on_host = true;
}

template <class T, class Policy>
void call_search(const Policy& policy, call& c)
{
  const T* const in = reinterpret_cast<const T*>(c.in);
  const T* const end = in + c.count;
  const T first = read_item<T>(c.init), last = read_item<T>(c.last);
  switch (c.algorithm)
  {
    case algorithm::count:
      give_numbers(c, thrust::count(policy, in, end, first));
      break;
    case algorithm::count_if:
      give_numbers(c, thrust::count_if(policy, in, end, smaller_than<T>{first}));
      break;
    case algorithm::min_element:
      give_numbers(c, thrust::min_element(policy, in, end) - in);
      break;
    case algorithm::max_element:
      give_numbers(c, thrust::max_element(policy, in, end) - in);
      break;
    case algorithm::minmax_element: {
      const auto found = thrust::minmax_element(policy, in, end);
      give_numbers(c, found.first - in, found.second - in);
      break;
    }
    // Of items that differ, the last one decides: neither an early stop nor a part left out goes unseen.
    case algorithm::all_of:
      give_numbers(c, thrust::all_of(policy, in, end, differs_from_one<T>{last}));
      break;
    case algorithm::any_of:
      give_numbers(c, thrust::any_of(policy, in, end, equal_to_one<T>{last}));
      break;
    case algorithm::none_of:
      give_numbers(c, thrust::none_of(policy, in, end, equal_to_one<T>{last}));
      break;
    default: // in calls_sum.cu and calls.cuh
      break;
  }
}

template <class T>
void make_search_call(call& c)
{
  c.who == implementation::thrust ? call_search<T>(here::upstream_policy(), c) : call_search<T>(reheat::par, c);
}

} // namespace

call_function find_call_search(element type)
{
  switch (type)
  {
    case element::i32:
      return make_search_call<std::int32_t>;
    case element::f32:
      return make_search_call<float>;
    default:
      return nullptr;
  }
}

} // namespace compare

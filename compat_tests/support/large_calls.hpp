// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Calls whose blocks exchange values that fit no word: they need memory for them.
#pragma once

#include "memory.hpp"
#include "segments.hpp"

#include <thrust/extrema.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace compat
{

struct less_first_word
{
  REHEAT_HOST_DEVICE bool operator()(const large_value& x, const large_value& y) const { return x.word[0] < y.word[0]; }
};

struct large_call
{
  std::string name;
  std::function<void()> call;
  std::function<std::vector<large_value>()> result; //!< what the latest call found or wrote

  std::vector<large_value> operator()() const
  {
    call();
    return result();
  }
};

//! One for each way to a kernel.
template <class Policy>
std::vector<large_call> calls_with_large_values(const Policy& policy)
{
  using T = large_value;
  using vector = thrust::device_vector<T>;
  const std::size_t size = several_blocks_of_large_values() + 6 * scan_by_key_tile<T>();
  const auto in = std::make_shared<vector>(to_device(make_items<T>(size))), out = std::make_shared<vector>(size);
  std::vector<std::uint32_t> numbers(size);
  for (std::size_t i = 0; i < size; ++i)
  {
    numbers[i] = static_cast<std::uint32_t>(i / 100);
  }
  const auto keys = std::make_shared<thrust::device_vector<std::uint32_t>>(to_device(numbers));
  const auto keys_out = std::make_shared<thrust::device_vector<std::uint32_t>>(size);
  const auto sum = std::make_shared<T>();
  const auto at = std::make_shared<std::size_t>(0);
  const auto out_begin = [=] { return out->begin(); };
  std::vector<large_call> calls;
  calls.push_back({"reduce", [=] { *sum = thrust::reduce(policy, in->begin(), in->end(), values<T>::make(0), fold{}); },
                   [=] { return std::vector<T>{*sum}; }});
  calls.push_back({"reduce_into",
                   [=] { reheat::reduce_into(policy, in->begin(), in->end(), out_begin(), values<T>::make(0), fold{}); },
                   [=] { return to_host(*out, 0, 1); }});
  calls.push_back({"max_element",
                   [=]
                   {
                     const auto found = thrust::max_element(policy, in->begin(), in->end(), less_first_word{});
                     *at = static_cast<std::size_t>(found - in->begin());
                   },
                   [=] { return to_host(*in, *at, 1); }});
  calls.push_back({"inclusive_scan", [=] { thrust::inclusive_scan(policy, in->begin(), in->end(), out_begin(), fold{}); },
                   [=] { return to_host(*out); }});
  calls.push_back({"inclusive_scan_by_key",
                   [=]
                   {
                     thrust::inclusive_scan_by_key(policy, keys->begin(), keys->end(), in->begin(), out_begin(),
                                                   thrust::equal_to<std::uint32_t>(), fold{});
                   },
                   [=] { return to_host(*out); }});
  calls.push_back({"reduce_by_key",
                   [=]
                   {
                     const auto ends =
                         thrust::reduce_by_key(policy, keys->begin(), keys->end(), in->begin(), keys_out->begin(),
                                               out_begin(), thrust::equal_to<std::uint32_t>(), fold{});
                     *at = static_cast<std::size_t>(ends.second - out_begin());
                   },
                   [=] { return to_host(*out, 0, *at); }});
  return calls;
}

} // namespace compat

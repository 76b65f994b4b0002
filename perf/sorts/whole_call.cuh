// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Whole calls of thrust::sort and thrust::sort_by_key, which work in place and wait.
#pragma once

#include "sorts/calls.hpp"
#include "sorts/values.cuh"

#include <thrust/sort.h>

#include <stdexcept>

namespace perf::sorts
{

template <class Types, class Policy>
void sort_whole(const Policy& policy, const call& c)
{
  auto* const keys = static_cast<typename Types::key*>(c.keys_out);
  if constexpr (Types::pairs)
  {
    ::thrust::sort_by_key(policy, keys, keys + c.items, static_cast<typename Types::value*>(c.values_out));
  }
  else
  {
    ::thrust::sort(policy, keys, keys + c.items);
  }
}

//! policy_on(stream) makes the policy.
template <class MakePolicy>
call_function whole_call(type which, MakePolicy policy_on)
{
  switch (which)
  {
    case type::u32:
      return [policy_on](call& c) { sort_whole<types_of<std::uint32_t>>(policy_on(c.stream), c); };
    case type::u64:
      return [policy_on](call& c) { sort_whole<types_of<std::uint64_t>>(policy_on(c.stream), c); };
    case type::f32:
      return [policy_on](call& c) { sort_whole<types_of<float>>(policy_on(c.stream), c); };
    case type::u32_u32:
      return [policy_on](call& c) { sort_whole<types_of<std::uint32_t, std::uint32_t>>(policy_on(c.stream), c); };
    default:
      throw std::invalid_argument(std::string("there is no whole call of ") + name_of(which));
  }
}

} // namespace perf::sorts

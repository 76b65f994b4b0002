// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The other algorithms across ranks, of i32 and f32.
#include "calls.cuh"
#include "calls_across.hpp"

#include <reheat/across/across.cuh>

#include <type_traits>

namespace compare
{
namespace
{

template <class T>
void call_other(reheat::ranks& ranks, call& part)
{
  // Sums of i32 run as unsigned: the same bits, and nothing overflows.
  using wrapping = std::conditional_t<std::is_same_v<T, std::int32_t>, std::uint32_t, T>;
  const auto policy = reheat::par.across(ranks);
  accelerated::for_each_algorithm(
      [&](auto which)
      {
        if constexpr (is_served_across(which) && !is_for_everything(which))
        {
          if (part.algorithm == which)
          {
            using item = std::conditional_t<takes_operation(which), wrapping, T>;
            make_call_of<which, item, thrust::plus<item>>(policy, part);
          }
        }
      });
}

} // namespace

rank_function find_rank_call_other(element type)
{
  return type == element::f32 ? call_other<float> : call_other<std::int32_t>;
}

} // namespace compare

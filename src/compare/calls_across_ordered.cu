// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! reduce and the plain scans across ranks: largest and smallest items, of i32 and f32.
#include "calls.cuh"
#include "calls_across.hpp"

#include <reheat/across/across.cuh>

namespace compare
{
namespace
{

template <class T, class Op>
void call_ordered(reheat::ranks& ranks, call& part)
{
  const auto policy = reheat::par.across(ranks);
  accelerated::for_each_algorithm(
      [&](auto which)
      {
        if constexpr (is_served_across(which) && is_for_everything(which))
        {
          if (part.algorithm == which)
          {
            make_call_of<which, T, Op>(policy, part);
          }
        }
      });
}
template <class T>
rank_function find_ordered(operation operation)
{
  return operation == operation::max ? call_ordered<T, thrust::maximum<T>> : call_ordered<T, thrust::minimum<T>>;
}

} // namespace

rank_function find_rank_call_ordered(element type, operation operation)
{
  return type == element::f32 ? find_ordered<float>(operation) : find_ordered<std::int32_t>(operation);
}

} // namespace compare

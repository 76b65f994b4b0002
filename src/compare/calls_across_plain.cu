// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! reduce and the plain scans across ranks: sums of every type.
#include "calls.cuh"
#include "calls_across.hpp"

#include <reheat/across/across.cuh>

namespace compare
{
namespace
{

template <class T>
void call_plain(reheat::ranks& ranks, call& part)
{
  const auto policy = reheat::par.across(ranks);
  accelerated::for_each_algorithm(
      [&](auto which)
      {
        if constexpr (is_served_across(which) && is_for_everything(which))
        {
          if (part.algorithm == which)
          {
            make_call_of<which, T, thrust::plus<T>>(policy, part);
          }
        }
      });
}

} // namespace

rank_function find_rank_call_plain(element type)
{
  switch (type)
  {
    case element::u8:
    case element::i8:
      return call_plain<std::uint8_t>;
    case element::u16:
    case element::i16:
      return call_plain<std::uint16_t>;
    case element::u32:
    case element::i32:
      return call_plain<std::uint32_t>;
    case element::u64:
    case element::i64:
      return call_plain<std::uint64_t>;
    case element::f32:
      return call_plain<float>;
    case element::f64:
      return call_plain<double>;
  }
  return nullptr;
}

} // namespace compare

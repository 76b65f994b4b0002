// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! reduce and the plain scans across ranks: sums of every type, and every operator of i32 and f32.
#include "calls.cuh"
#include "calls_across.hpp"

#include <reheat/across/across.cuh>

namespace compare
{
namespace
{

template <class T, class Op>
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
            make_call_of<which, T, Op>(policy, part);
          }
        }
      });
}

struct find_plain
{
  template <class Item, class Op>
  rank_function operator()(Item, Op) const
  {
    return call_plain<typename Item::type, typename Op::type>;
  }
};

template <class T>
rank_function find_sum()
{
  return call_plain<T, thrust::plus<T>>;
}

} // namespace

rank_function find_rank_call_plain(element type, operation operation)
{
  switch (type)
  {
    case element::u8:
    case element::i8:
      return find_sum<std::uint8_t>();
    case element::u16:
    case element::i16:
      return find_sum<std::uint16_t>();
    case element::u32:
      return find_sum<std::uint32_t>();
    case element::i32:
      return with_operator<std::int32_t>(operation, find_plain{});
    case element::u64:
    case element::i64:
      return find_sum<std::uint64_t>();
    case element::f32:
      return with_operator<float>(operation, find_plain{});
    case element::f64:
      return find_sum<double>();
  }
  return nullptr;
}

} // namespace compare

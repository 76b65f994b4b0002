// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The ladder's reductions under many schedules.
#include "checks.hpp"

#include <reheat/ladder.cuh>

#include <thrust/functional.h>
#include <thrust/reduce.h>

namespace schedules::ladder_reduce
{
namespace
{

//! A sum by the rung, of up to more items than its grid has threads.
template <class Rung, class T, class Op>
std::string check(draw& choose, const Rung& rung)
{
  constexpr std::size_t block = 64;
  const std::size_t count = choose.items(block, 45);
  const std::vector<T> items = make_items<T>(count, choose.below(1000));
  placed_items<T> in(items, choose.flip());
  const T init = values<T>::make(0);
  const T actual = thrust::reduce(reheat::par.with(rung), in.data(), in.data() + count, init, Op{});
  return values<T>::same(reduce_reference<T>(items, init, Op{}), actual) ? "" : "the result is wrong";
}

template <class Rung>
std::string run_rung(draw& choose)
{
  constexpr Rung rung{};
  std::string wrong;
  for (unsigned call = 0; call < 3; ++call)
  {
    if constexpr (Rung::by_matrix_units)
    {
      wrong += choose.flip() ? check<Rung, double, thrust::plus<double>>(choose, rung)
                             : check<Rung, std::int8_t, thrust::plus<std::int8_t>>(choose, rung);
    }
    else if constexpr (Rung::keeps_order)
    {
      wrong += choose.flip() ? check<Rung, affine<std::uint32_t>, fold>(choose, rung)
                             : check<Rung, tracked<false>, fold>(choose, rung);
    }
    else
    {
      wrong += check<Rung, std::uint32_t, thrust::plus<std::uint32_t>>(choose, rung);
    }
  }
  return wrong;
}

} // namespace

const std::vector<scenario>& scenarios()
{
#define REHEAT_RUNG_SCENARIO(NAME, WHAT) {"ladder/" #NAME, "ladder_reduce", run_rung<reheat::ladder::NAME##_t>},
  static const std::vector<scenario> all = {REHEAT_LADDER_REDUCTIONS(REHEAT_RUNG_SCENARIO)};
#undef REHEAT_RUNG_SCENARIO
  return all;
}

} // namespace schedules::ladder_reduce

// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The ladder's scans under many schedules. Each scenario takes one of a few rungs that stand next to each other.
#include "checks.hpp"

#include <reheat/ladder.cuh>

#include <thrust/functional.h>
#include <thrust/scan.h>

namespace schedules::ladder_scan
{
namespace
{

namespace ladder = reheat::ladder;

//! A few parts of the largest shape, and a row of sums that is more than one part in some runs.
constexpr std::size_t part = 96;

//! One scan of either kind, to other memory or in place.
template <class T, class Op, class Policy>
std::string check(const Policy& policy, draw& choose, std::size_t count)
{
  const bool inclusive = choose.flip();
  const std::vector<T> items = make_items<T>(count, choose.below(1000));
  placed_items<T> in(items, choose.flip()), separate(make_items<T>(count), choose.flip());
  placed_items<T>& out = choose.flip() ? in : separate;
  const T init = values<T>::make(0);
  if (inclusive)
  {
    thrust::inclusive_scan(policy, in.data(), in.data() + count, out.data(), Op{});
    return differing(inclusive_reference<T, T>(items, fold{}), out.items());
  }
  thrust::exclusive_scan(policy, in.data(), in.data() + count, out.data(), init, Op{});
  return differing(exclusive_reference<T, T>(items, init, fold{}), out.items());
}

template <class T, class Op, class Rung>
std::string check_rung(const Rung& rung, draw& choose)
{
  const std::size_t count = choose.below(8) == 0 ? part * part + choose.below(part) : choose.items(part, 8);
  return check<T, Op>(reheat::par.with(rung), choose, count);
}

using word = std::uint32_t;
using map = affine<word>;
using object = tracked<false>;

std::string one_thread(draw& choose)
{
  return choose.flip() ? check_rung<map, fold>(ladder::scan_then_fan_serial, choose)
                       : check_rung<object, fold>(ladder::scan_then_fan_shared, choose);
}
std::string warps(draw& choose)
{
  return choose.flip() ? check_rung<map, fold>(ladder::scan_then_fan_warps, choose)
                       : check_rung<object, fold>(ladder::scan_then_fan_kogge_stone, choose);
}
std::string padded(draw& choose)
{
  return choose.flip() ? check_rung<word, thrust::plus<word>>(ladder::scan_then_fan_padded, choose)
                       : check_rung<word, thrust::plus<word>>(ladder::scan_then_fan_recursive, choose);
}
std::string shuffles(draw& choose)
{
  return choose.flip() ? check_rung<map, fold>(ladder::scan_then_fan_shuffle, choose)
                       : check_rung<map, fold>(ladder::scan_then_fan_predicated, choose);
}
std::string reduce_then_scan(draw& choose)
{
  return choose.flip() ? check_rung<map, fold>(ladder::reduce_then_scan_recursive, choose)
                       : check_rung<map, fold>(ladder::reduce_then_scan_two_pass, choose);
}
std::string one_pass(draw& choose)
{
  const std::size_t count = choose.items(64, 90); // more tiles than a window of the look-back
  return choose.flip() ? check<map, fold>(reheat::par.with(ladder::chained_scan), choose, count)
                       : check<map, fold>(reheat::par.with(ladder::decoupled_lookback), choose, count);
}
std::string one_pass_of_objects(draw& choose)
{
  const std::size_t count = choose.items(64, 50);
  return choose.flip() ? check<object, fold>(reheat::par.with(ladder::chained_scan), choose, count)
                       : check<object, fold>(reheat::par.with(ladder::decoupled_lookback), choose, count);
}
std::string doubling(draw& choose)
{
  return choose.flip() ? check_rung<map, fold>(ladder::hillis_steele_global, choose)
                       : check_rung<object, fold>(ladder::hillis_steele_shared, choose);
}

//! Rungs with slots, without, and the default share a workspace, also when the count of launches ends.
std::string mixed_rungs(draw& choose)
{
  std::string wrong;
  for (unsigned i = 0; i < 8; ++i)
  {
    if (i == 4)
    {
      set_launch_count(reheat::detail::last_epoch - 1 - static_cast<std::uint32_t>(choose.below(3)));
    }
    const std::size_t count = choose.items(64, 12);
    switch (choose.below(4))
    {
      case 0:
        wrong += check<map, fold>(reheat::par, choose, count);
        break;
      case 1:
        wrong += check<map, fold>(reheat::par.with(ladder::scan_then_fan_shuffle), choose, count);
        break;
      case 2:
        wrong += check<map, fold>(reheat::par.with(ladder::chained_scan), choose, count);
        break;
      default:
        wrong += check<map, fold>(reheat::par.with(ladder::decoupled_lookback), choose, count);
    }
  }
  return wrong;
}

std::string allocator_of_the_call(draw& choose)
{
  ledger book = dirty_memory();
  const auto policy = reheat::par(ledger_allocator<char>(book));
  return choose.flip() ? check<map, fold>(policy.with(ladder::decoupled_lookback), choose, choose.items(64, 12))
                       : check<map, fold>(policy.with(ladder::scan_then_fan_predicated), choose, choose.items(part, 8));
}

} // namespace

const std::vector<scenario>& scenarios()
{
  static const std::vector<scenario> all = {
      {"ladder_scan/one_thread", "ladder_scan", one_thread},
      {"ladder_scan/warps", "ladder_scan", warps},
      {"ladder_scan/padded", "ladder_scan", padded},
      {"ladder_scan/shuffles", "ladder_scan", shuffles},
      {"ladder_scan/reduce_then_scan", "ladder_scan", reduce_then_scan},
      {"ladder_scan/one_pass", "ladder_scan", one_pass},
      {"ladder_scan/one_pass_of_objects", "", one_pass_of_objects},
      {"ladder_scan/doubling", "ladder_scan", doubling},
      {"ladder_scan/mixed_rungs", "", mixed_rungs},
      {"ladder_scan/allocator_of_the_call", "", allocator_of_the_call},
  };
  return all;
}

} // namespace schedules::ladder_scan

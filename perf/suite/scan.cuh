// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The calls of both scans, of every implementation, given a struct that makes them:
//!   Scan::thrust<Variant>(policy, first, items, result)
//!   Scan::cub<Variant>(scratch, scratch_bytes, first, result, items, stream)
#pragma once

#include "common/upstream.cuh"
#include "suite/types.cuh"

#if !defined(REHEAT_PERF_ONLY_CUB)
#  include <reheat/reheat.cuh>

#  include <thrust/system/cuda/execution_policy.h>
#endif

namespace perf
{

template <class Scan, class Variant>
struct scan_calls
{
  using value = typename Variant::value;

  static void enqueue_cub(call& c)
  {
    with_item_count(c.items,
                    [&](auto items)
                    {
                      check_cub(Scan::template cub<Variant>(c.scratch, c.scratch_bytes, Variant::in::at(c.in),
                                                            static_cast<value*>(c.out), items, c.stream));
                    });
  }
  static void wait_for_cub(call& c)
  {
    enqueue_cub(c);
    if (c.scratch != nullptr)
    {
      check_wait(c.stream);
    }
  }

#if !defined(REHEAT_PERF_ONLY_CUB)
  template <class Policy>
  static void call_policy(const Policy& policy, call& c)
  {
    Scan::template thrust<Variant>(policy, Variant::in::at(c.in), c.items, static_cast<value*>(c.out));
  }
  static void enqueue_thrust(call& c)
  {
    call_policy(thrust::cuda::par_nosync.on(c.stream), c);
  }
  static void wait_for_thrust(call& c)
  {
    call_policy(thrust::cuda::par.on(c.stream), c);
  }
  static void enqueue_reheat(call& c)
  {
    call_policy(reheat::par_nosync.on(c.stream), c);
  }
  static void wait_for_reheat(call& c)
  {
    call_policy(reheat::par.on(c.stream), c);
  }
#endif

  static call_pair find(implementation who)
  {
    switch (who)
    {
#if !defined(REHEAT_PERF_ONLY_CUB)
      case implementation::reheat:
        return {enqueue_reheat, wait_for_reheat};
      case implementation::thrust:
        return {enqueue_thrust, wait_for_thrust};
#endif
      case implementation::cub:
      case implementation::cub_new:
        return {enqueue_cub, wait_for_cub};
      default:
        return {};
    }
  }
};

template <algorithm Algorithm, class Scan>
call_pair find_scan(type type, operation operation, reading reading, implementation who)
{
  call_pair found;
  visit_variant<Algorithm>(type, operation, reading,
                           [&](auto chosen) { found = scan_calls<Scan, decltype(chosen)>::find(who); });
  return found;
}

} // namespace perf

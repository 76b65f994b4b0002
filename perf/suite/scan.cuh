// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The calls of both scans, of every implementation, given a struct that makes them:
//!   Scan::thrust<Variant>(policy, first, items, result)
//!   Scan::cub<Variant>(scratch, scratch_bytes, first, result, items, stream)
#pragma once

#include "common/keeping_allocator.hpp"
#include "common/upstream.cuh"
#include "suite/types.cuh"

#include <reheat/reheat.cuh>

#include <thrust/system/cuda/execution_policy.h>

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

  //! Calls on the policies, without and with a wait, that the two functions make of a stream.
  template <class Nosync, class Waiting>
  static call_pair calls_on(Nosync nosync, Waiting waiting)
  {
    const auto by = [](auto policy_on)
    {
      return [policy_on](call& c)
      { Scan::template thrust<Variant>(policy_on(c.stream), Variant::in::at(c.in), c.items, static_cast<value*>(c.out)); };
    };
    return {by(nosync), by(waiting)};
  }

  static call_pair find(implementation who)
  {
    using stream = cudaStream_t;
    switch (who)
    {
      case implementation::reheat:
        return calls_on([](stream s) { return reheat::par_nosync.on(s); }, [](stream s) { return reheat::par.on(s); });
      case implementation::thrust:
        return calls_on([](stream s) { return thrust::cuda::par_nosync.on(s); },
                        [](stream s) { return thrust::cuda::par.on(s); });
      case implementation::cub:
        return {enqueue_cub, wait_for_cub};
      default:
        break;
    }
    if constexpr (Variant::is_common)
    {
      if (who == implementation::reheat_serial)
      {
        return calls_on([](stream s) { return reheat::par_nosync.with(reheat::start_serially).on(s); },
                        [](stream s) { return reheat::par.with(reheat::start_serially).on(s); });
      }
      if (who == implementation::thrust_pool)
      {
        return calls_on([](stream s) { return thrust::cuda::par_nosync(pool()).on(s); },
                        [](stream s) { return thrust::cuda::par(pool()).on(s); });
      }
    }
    return {};
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

// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! reduce, of every implementation.
#include "common/keeping_allocator.hpp"
#include "common/upstream.cuh"
#include "suite/types.cuh"

#include <cub/device/device_reduce.cuh>

#include <reheat/reheat.cuh>

#include <thrust/reduce.h>
#include <thrust/system/cuda/execution_policy.h>

#include <cstring>

namespace perf
{
namespace
{

template <class Variant>
void enqueue_cub(call& c)
{
  using value = typename Variant::value;
  with_item_count(c.items,
                  [&](auto items)
                  {
                    check_cub(cub::DeviceReduce::Reduce(c.scratch, c.scratch_bytes, Variant::in::at(c.in),
                                                        static_cast<value*>(c.out), items, typename Variant::op{}, value{},
                                                        c.stream));
                  });
}

// As a user gets at the value: it is copied to pinned memory.
template <class Variant>
void wait_for_cub(call& c)
{
  enqueue_cub<Variant>(c);
  if (c.scratch != nullptr)
  {
    check_cub(cudaMemcpyAsync(c.value, c.out, sizeof(typename Variant::value), cudaMemcpyDeviceToHost, c.stream));
    check_wait(c.stream);
  }
}

//! thrust::reduce as a user calls it, on the policy that `policy_on` makes of a stream.
template <class Variant, class PolicyOn>
call_function wait_on(PolicyOn policy_on)
{
  return [policy_on](call& c)
  {
    using value = typename Variant::value;
    const auto first = Variant::in::at(c.in);
    const value made = thrust::reduce(policy_on(c.stream), first, first + c.items, value{}, typename Variant::op{});
    std::memcpy(c.value, &made, sizeof(value));
  };
}

// thrust::reduce gives its value to the host, so it waits, and what waits can not be captured. reduce_into leaves the result
// in device memory, as CUB does.
template <class Variant, class PolicyOn>
call_function enqueue_on(PolicyOn policy_on)
{
  return [policy_on](call& c)
  {
    using value = typename Variant::value;
    const auto first = Variant::in::at(c.in);
    reheat::reduce_into(policy_on(c.stream), first, first + static_cast<std::ptrdiff_t>(c.items), static_cast<value*>(c.out),
                        value{}, typename Variant::op{});
  };
}

template <class Variant>
call_pair find_calls_of_variant(implementation who)
{
  using stream = cudaStream_t;
  switch (who)
  {
    case implementation::reheat:
      return {enqueue_on<Variant>([](stream s) { return reheat::par_nosync.on(s); }),
              wait_on<Variant>([](stream s) { return reheat::par.on(s); })};
    case implementation::thrust:
      return {nullptr, wait_on<Variant>([](stream s) { return thrust::cuda::par.on(s); })};
    case implementation::cub:
      return {enqueue_cub<Variant>, wait_for_cub<Variant>};
    default:
      break;
  }
  if constexpr (Variant::is_common)
  {
    if (who == implementation::reheat_serial)
    {
      return {enqueue_on<Variant>([](stream s) { return reheat::par_nosync.with(reheat::start_serially).on(s); }),
              wait_on<Variant>([](stream s) { return reheat::par.with(reheat::start_serially).on(s); })};
    }
    if (who == implementation::thrust_pool)
    {
      return {nullptr, wait_on<Variant>([](stream s) { return thrust::cuda::par(pool()).on(s); })};
    }
  }
  return {};
}

} // namespace

template <>
call_pair find_calls_of<algorithm::reduce>(type type, operation operation, reading reading, implementation who)
{
  call_pair found;
  visit_variant<algorithm::reduce>(type, operation, reading,
                                   [&](auto chosen) { found = find_calls_of_variant<decltype(chosen)>(who); });
  return found;
}

} // namespace perf

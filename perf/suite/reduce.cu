// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! reduce, of every implementation; with REHEAT_PERF_ONLY_CUB of another CCCL's CUB, which then is all there is.
#include "common/upstream.cuh"
#include "suite/types.cuh"

#include <cub/device/device_reduce.cuh>

#if !defined(REHEAT_PERF_ONLY_CUB)
#  include <reheat/reheat.cuh>

#  include <thrust/reduce.h>
#  include <thrust/system/cuda/execution_policy.h>
#endif

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

#if !defined(REHEAT_PERF_ONLY_CUB)

template <class Variant, class Policy>
void wait_for_policy(const Policy& policy, call& c)
{
  using value = typename Variant::value;
  const auto first = Variant::in::at(c.in);
  const value made = thrust::reduce(policy, first, first + c.items, value{}, typename Variant::op{});
  std::memcpy(c.value, &made, sizeof(value));
}

template <class Variant>
void wait_for_thrust(call& c)
{
  wait_for_policy<Variant>(thrust::cuda::par.on(c.stream), c);
}
template <class Variant>
void wait_for_reheat(call& c)
{
  wait_for_policy<Variant>(reheat::par.on(c.stream), c);
}

// thrust::reduce gives its value to the host, so it waits, and what waits can not be captured. reduce_into leaves the result
// in device memory, as CUB does.
template <class Variant>
void enqueue_reheat(call& c)
{
  using value = typename Variant::value;
  const auto first = Variant::in::at(c.in);
  reheat::reduce_into(reheat::par_nosync.on(c.stream), first, first + static_cast<std::ptrdiff_t>(c.items),
                      static_cast<value*>(c.out), value{}, typename Variant::op{});
}

#endif

} // namespace

template <>
call_pair find_calls_of<algorithm::reduce>(type type, operation operation, reading reading, implementation who)
{
  call_pair found;
  visit_variant<algorithm::reduce>(type, operation, reading,
                                   [&](auto chosen)
                                   {
                                     using variant = decltype(chosen);
                                     switch (who)
                                     {
#if !defined(REHEAT_PERF_ONLY_CUB)
                                       case implementation::reheat:
                                         found = {enqueue_reheat<variant>, wait_for_reheat<variant>};
                                         break;
                                       case implementation::thrust:
                                         found = {nullptr, wait_for_thrust<variant>};
                                         break;
#endif
                                       case implementation::cub:
                                       case implementation::cub_new:
                                         found = {enqueue_cub<variant>, wait_for_cub<variant>};
                                         break;
                                       default:
                                         break;
                                     }
                                   });
  return found;
}

} // namespace perf

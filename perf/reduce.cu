// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! reduce, of every implementation; with REHEAT_PERF_ONLY_CUB of another CCCL's CUB, which then is all there is.
#include "types.cuh"
#include "upstream.cuh"

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

// thrust::reduce gives its value to the host, so it waits, and what waits can not be captured. This enqueues the launch that
// thrust::reduce(reheat::par, …) makes, scratch memory included, and leaves the result in device memory, as CUB does.
template <class InputIt, class T, class Op>
void enqueue_reheat_reduce(InputIt first, std::uint64_t items, T init, Op op, T* result, cudaStream_t stream)
{
  using namespace reheat::detail;
  namespace runtime = reheat::runtime;
  constexpr bool striped = is_known_commutative_v<Op, T>;
  const auto in = unwrap_input(first);
  using in_type = std::remove_const_t<decltype(in)>;
  using tuning = reduce_tuning<striped ? sizeof(value_of<in_type>) : sizeof(T), !striped>;
  const auto kernel = &reduce_kernel<tuning, in_type, T, T, Op, striped>;
  const reduce_config cfg = tuning{}(runtime::arch_of(kernel));
  const std::size_t shared_bytes = reduce_shared_bytes<T>(cfg, !striped);
  runtime::resident_blocks(kernel, cfg.block_threads, shared_bytes);

  reduce_job<T> job{};
  job.items = items;
  job.aligned = is_bulk_aligned(in);
  const std::uint64_t tiles = (items + cfg.tile_items() - 1) / cfg.tile_items();
  const unsigned grid = static_cast<unsigned>(std::min<std::uint64_t>(tiles, cfg.max_blocks));
  job.tiles_per_block = tiles / grid;
  job.larger_blocks = static_cast<unsigned>(tiles % grid);

  auto policy = reheat::par_nosync.on(stream);
  const runtime::call_scratch<decltype(policy)> scratch(policy, workspace_word_bytes<T>(grid),
                                                        workspace_value_bytes<T>(grid));
  job.scratch = make_workspace<T>(scratch.words(), scratch.values());
  runtime::launch("reheat::reduce", kernel, grid, cfg.block_threads, shared_bytes, stream, in, job, op, init, result);
}

template <class Variant>
void enqueue_reheat(call& c)
{
  using value = typename Variant::value;
  enqueue_reheat_reduce(Variant::in::at(c.in), c.items, value{}, typename Variant::op{}, static_cast<value*>(c.out),
                        c.stream);
}

#endif

} // namespace

template <>
call_pair find_calls_of<algorithm::reduce>(type type, operation operation, reading reading, implementation who)
{
  call_pair found;
  visit_variant(type, operation, reading,
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

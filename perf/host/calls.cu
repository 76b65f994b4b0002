// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
#include "host/calls.hpp"

#include "common/keeping_allocator.hpp"

#include <reheat/reheat.cuh>

#include <thrust/count.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/system/cuda/execution_policy.h>
#include <thrust/transform.h>
#include <thrust/version.h>

#include <timing/cuda.hpp>

#include <stdexcept>

namespace perf::host
{
namespace
{

using index_iterator = thrust::counting_iterator<std::uint64_t>;

struct made_item
{
  __host__ __device__ item operator()(std::uint64_t i) const { return static_cast<item>(i % 2); }
};

struct is_wrong
{
  const item* sums;
  __host__ __device__ bool operator()(std::uint64_t i) const { return sums[i] != static_cast<item>((i + 1) / 2); }
};

__global__ void empty_kernel() {}

__global__ void pause_kernel(std::uint64_t nanoseconds)
{
  std::uint64_t begin, now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(begin));
  do
  {
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  } while (now - begin < nanoseconds);
}

void expect_sum(item sum, std::uint64_t items)
{
  if (sum != static_cast<item>(items / 2))
  {
    throw std::runtime_error("a reduction of " + std::to_string(items) + " items is wrong");
  }
}

void launch_empty(const item*, item*, std::uint64_t, cudaStream_t stream)
{
  empty_kernel<<<1, 1, 0, stream>>>();
}

void launch_empty_and_wait(const item* in, item* out, std::uint64_t items, cudaStream_t stream)
{
  launch_empty(in, out, items, stream);
  (void)cudaStreamSynchronize(stream);
}

//! A call with a policy that `policy_for` makes for a stream.
template <class PolicyFor>
auto reduce_with(PolicyFor policy_for)
{
  return [=](const item* in, item*, std::uint64_t items, cudaStream_t stream)
  { expect_sum(thrust::reduce(policy_for(stream), in, in + items), items); };
}
template <class PolicyFor>
auto scan_with(PolicyFor policy_for)
{
  return [=](const item* in, item* out, std::uint64_t items, cudaStream_t stream)
  { thrust::inclusive_scan(policy_for(stream), in, in + items, out); };
}

void reduce_into_reheat(const item* in, item* out, std::uint64_t items, cudaStream_t stream)
{
  reheat::reduce_into(reheat::par_nosync.on(stream), in, in + items, out);
}

} // namespace

const std::vector<implementation>& implementations_for(algorithm what)
{
  static const std::vector<implementation> reductions{
      {"empty", launch_empty_and_wait},
      {"reheat", reduce_with([](cudaStream_t stream) { return reheat::par.on(stream); })},
      {"thrust", reduce_with([](cudaStream_t stream) { return thrust::cuda::par.on(stream); })},
      {"thrust-pool", reduce_with([](cudaStream_t stream) { return thrust::cuda::par(pool()).on(stream); })},
      {"reheat-pool", reduce_with([](cudaStream_t stream) { return reheat::par(pool()).on(stream); })}};
  static const std::vector<implementation> scans{
      {"empty", launch_empty},
      {"reheat", scan_with([](cudaStream_t stream) { return reheat::par_nosync.on(stream); })},
      {"thrust", scan_with([](cudaStream_t stream) { return thrust::cuda::par_nosync.on(stream); })},
      {"thrust-pool", scan_with([](cudaStream_t stream) { return thrust::cuda::par_nosync(pool()).on(stream); })},
      {"reheat-pool", scan_with([](cudaStream_t stream) { return reheat::par_nosync(pool()).on(stream); })}};
  static const std::vector<implementation> reductions_into{{"empty", launch_empty}, {"reheat", reduce_into_reheat}};
  return what == algorithm::reduce ? reductions : what == algorithm::inclusive_scan ? scans : reductions_into;
}

void enqueue_items(item* to, std::uint64_t items, cudaStream_t stream)
{
  thrust::transform(thrust::cuda::par_nosync.on(stream), index_iterator(0), index_iterator(items), to, made_item{});
}

void enqueue_pause(std::uint64_t nanoseconds, cudaStream_t stream)
{
  pause_kernel<<<1, 1, 0, stream>>>(nanoseconds);
  timing::check(cudaGetLastError(), "launching a kernel that takes its time");
}

void check_output(algorithm what, const item* out, std::uint64_t items, cudaStream_t stream, const std::string& who)
{
  timing::check(cudaStreamSynchronize(stream), "waiting for " + who);
  if (what == algorithm::reduce_into)
  {
    item sum = 0;
    timing::check(cudaMemcpy(&sum, out, sizeof(item), cudaMemcpyDeviceToHost), "copying from the GPU");
    expect_sum(sum, items);
  }
  if (what == algorithm::inclusive_scan &&
      thrust::count_if(thrust::cuda::par.on(stream), index_iterator(0), index_iterator(items), is_wrong{out}) != 0)
  {
    throw std::runtime_error(who + " comes to wrong sums of " + std::to_string(items) + " items");
  }
}

void trim_scratch_memory()
{
  reheat::trim_workspaces();
}

std::string cccl_version()
{
  return std::to_string(THRUST_MAJOR_VERSION) + '.' + std::to_string(THRUST_MINOR_VERSION) + '.' +
         std::to_string(THRUST_SUBMINOR_VERSION);
}

} // namespace perf::host

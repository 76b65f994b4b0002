// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! A rank's part of the items, the calls on it, and whether their results are right.
#pragma once

#include <reheat/across/across.cuh>
#include <timing/cuda.hpp>

#include <thrust/scan.h>

#include <cuda_runtime_api.h>

#include <cstdint>

namespace perf
{

using item = std::uint32_t;

// ---- data ---------------------------------------------------------------------------------------------------------------

constexpr unsigned blocks = 1024, block_threads = 256;

__global__ static void fill_kernel(item* to, std::uint64_t begin, std::uint64_t items)
{
  const std::uint64_t threads = std::uint64_t{gridDim.x} * blockDim.x;
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < items; i += threads)
  {
    to[i] = static_cast<item>((begin + i) * 2654435761u >> 7);
  }
}
__global__ static void sum_kernel(const item* in, std::uint64_t items, item* sum)
{
  const std::uint64_t threads = std::uint64_t{gridDim.x} * blockDim.x;
  item own = 0;
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < items; i += threads)
  {
    own += in[i];
  }
  atomicAdd(sum, own);
}
//! Of an inclusive scan that starts with `carry`.
__global__ static void count_wrong_kernel(const item* in, const item* out, std::uint64_t items, item carry, item* wrong)
{
  const std::uint64_t threads = std::uint64_t{gridDim.x} * blockDim.x;
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < items; i += threads)
  {
    if (out[i] - (i == 0 ? carry : out[i - 1]) != in[i])
    {
      atomicAdd(wrong, 1u);
    }
  }
}

//! Input and output of one rank, on the device that is current at its construction.
class part
{
public:
  part(std::uint64_t begin, std::uint64_t items)
      : items_(items), in_(items * sizeof(item)), out_(items * sizeof(item)), total_(sizeof(item))
  {
    fill_kernel<<<blocks, block_threads>>>(first(), begin, items);
    timing::check(cudaMemset(out_.data(), 0xff, out_.bytes()), "writing items");
    timing::check(cudaDeviceSynchronize(), "writing items");
  }
  item* first() const { return reinterpret_cast<item*>(in_.data()); }
  item* last() const { return first() + items_; }
  item* out() const { return reinterpret_cast<item*>(out_.data()); }
  item* total() const { return reinterpret_cast<item*>(total_.data()); }

  item sum() const
  {
    return counted([&](item* at) { sum_kernel<<<blocks, block_threads>>>(first(), items_, at); });
  }
  item wrong_items(item carry) const
  {
    return counted([&](item* at) { count_wrong_kernel<<<blocks, block_threads>>>(first(), out(), items_, carry, at); });
  }
  item total_on_host() const
  {
    item value = 0;
    timing::check(cudaMemcpy(&value, total(), sizeof value, cudaMemcpyDeviceToHost), "copying a total");
    return value;
  }

protected:
  template <class Enqueue>
  static item counted(Enqueue enqueue)
  {
    const timing::device_memory memory(sizeof(item));
    auto* const at = reinterpret_cast<item*>(memory.data());
    timing::check(cudaMemset(at, 0, sizeof(item)), "counting");
    enqueue(at);
    item value = 0;
    timing::check(cudaMemcpy(&value, at, sizeof value, cudaMemcpyDeviceToHost), "counting");
    return value;
  }

private:
  std::uint64_t items_;
  timing::device_memory in_, out_, total_;
};

// ---- what is called -----------------------------------------------------------------------------------------------------

template <class Policy>
void reduce(const Policy& policy, const part& p)
{
  reheat::reduce_into(policy, p.first(), p.last(), p.total());
}
template <class Policy>
void scan(const Policy& policy, const part& p)
{
  thrust::inclusive_scan(policy, p.first(), p.last(), p.out());
}

inline auto plain_policy(cudaStream_t stream)
{
  return reheat::par_nosync.on(stream);
}
inline auto across_policy(reheat::ranks& ranks, cudaStream_t stream)
{
  return reheat::par_nosync.across(ranks).on(stream);
}

} // namespace perf

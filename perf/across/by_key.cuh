// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! A rank's part of keys beside its items, the calls by key and the selections on it, and whether their results are right.
#pragma once

#include "across/part.cuh"

#include <reheat/across/across.cuh>
#include <reheat/device.cuh>
#include <timing/cuda.hpp>

#include <thrust/reduce.h>
#include <thrust/scan.h>

#include <cuda/std/functional>
#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <memory>

namespace perf
{

//! Items of a run: runs go over the ends of parts.
constexpr std::uint64_t run_items = 1000;

struct is_odd
{
  REHEAT_HOST_DEVICE bool operator()(item x) const { return x % 2 != 0; }
};

__global__ static void fill_keys_kernel(item* to, std::uint64_t begin, std::uint64_t items)
{
  const std::uint64_t threads = std::uint64_t{gridDim.x} * blockDim.x;
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < items; i += threads)
  {
    to[i] = static_cast<item>((begin + i) / run_items);
  }
}
//! Of an inclusive scan by key of a part that begins at item `begin`. The first item is not looked at.
__global__ static void count_wrong_by_key_kernel(const item* in, const item* out, std::uint64_t begin, std::uint64_t items,
                                                 item* wrong)
{
  const std::uint64_t threads = std::uint64_t{gridDim.x} * blockDim.x;
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x + 1; i < items; i += threads)
  {
    const item before = (begin + i) % run_items == 0 ? 0 : out[i - 1];
    if (out[i] - before != in[i])
    {
      atomicAdd(wrong, 1u);
    }
  }
}
__global__ static void count_wrong_keys_kernel(const item* keys, std::uint64_t first, std::uint64_t runs, item* wrong)
{
  const std::uint64_t threads = std::uint64_t{gridDim.x} * blockDim.x;
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < runs; i += threads)
  {
    if (keys[i] != static_cast<item>(first + i))
    {
      atomicAdd(wrong, 1u);
    }
  }
}
__global__ static void count_odd_kernel(const item* in, std::uint64_t items, item* odd)
{
  const std::uint64_t threads = std::uint64_t{gridDim.x} * blockDim.x;
  item own = 0;
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < items; i += threads)
  {
    own += in[i] % 2;
  }
  atomicAdd(odd, own);
}

//! Input and output of one rank, on the device that is current at its construction.
class keyed_part : public part
{
public:
  keyed_part(std::uint64_t begin, std::uint64_t items)
      : part(begin, items), begin_(begin), items_(items), keys_(items * sizeof(item)), keys_out_(items * sizeof(item)),
        place_(sizeof(reheat::place_across))
  {
    fill_keys_kernel<<<blocks, block_threads>>>(keys(), begin, items);
    timing::check(cudaDeviceSynchronize(), "writing keys");
  }
  item* keys() const { return reinterpret_cast<item*>(keys_.data()); }
  item* keys_out() const { return reinterpret_cast<item*>(keys_out_.data()); }
  reheat::place_across* place() const { return reinterpret_cast<reheat::place_across*>(place_.data()); }

  reheat::place_across place_on_host() const
  {
    reheat::place_across value{};
    timing::check(cudaMemcpy(&value, place(), sizeof value, cudaMemcpyDeviceToHost), "copying a place");
    return value;
  }
  //! Of a scan of all items: what its results in this part are not.
  item wrong_scans() const
  {
    return counted([&](item* at)
                   { count_wrong_by_key_kernel<<<blocks, block_threads>>>(first(), out(), begin_, items_, at); });
  }
  item wrong_keys(const reheat::place_across& found) const
  {
    return counted([&](item* at)
                   { count_wrong_keys_kernel<<<blocks, block_threads>>>(keys_out(), found.global_index, found.count, at); });
  }
  item sum_of_results(std::uint64_t count) const
  {
    return counted([&](item* at) { sum_kernel<<<blocks, block_threads>>>(out(), count, at); });
  }
  item odd_items() const
  {
    return counted([&](item* at) { count_odd_kernel<<<blocks, block_threads>>>(first(), items_, at); });
  }
  item odd_results(std::uint64_t count) const
  {
    return counted([&](item* at) { count_odd_kernel<<<blocks, block_threads>>>(out(), count, at); });
  }

private:
  std::uint64_t begin_, items_;
  timing::device_memory keys_, keys_out_, place_;
};

// ---- what is called -----------------------------------------------------------------------------------------------------

template <class Policy>
void scan_by_key(const Policy& policy, const keyed_part& p)
{
  thrust::inclusive_scan_by_key(policy, p.keys(), p.keys() + (p.last() - p.first()), p.first(), p.out());
}
inline void reduce_by_key(reheat::ranks& ranks, cudaStream_t stream, const keyed_part& p)
{
  reheat::reduce_by_key_across_into(across_policy(ranks, stream), p.keys(), p.keys() + (p.last() - p.first()), p.first(),
                                    p.keys_out(), p.out(), p.place());
}
inline void select(reheat::ranks& ranks, cudaStream_t stream, const keyed_part& p)
{
  reheat::copy_if_across_into(across_policy(ranks, stream), p.first(), p.last(), p.out(), is_odd{}, p.place());
}
//! The same of one GPU, with the number of runs left on the device.
class plain_reduction_by_key
{
public:
  explicit plain_reduction_by_key(const keyed_part& p)
  {
    call(p, nullptr);
    scratch_ = std::make_unique<timing::device_memory>(bytes_);
  }
  void operator()(cudaStream_t stream, const keyed_part& p) { call(p, scratch_->data(), stream); }

private:
  void call(const keyed_part& p, void* scratch, cudaStream_t stream = nullptr)
  {
    timing::check(reheat::DeviceReduce::ReduceByKey(scratch, bytes_, p.keys(), p.keys_out(), p.first(), p.out(),
                                                    &p.place()->count, ::cuda::std::plus<>{},
                                                    static_cast<std::int64_t>(p.last() - p.first()), stream),
                  "reducing by key");
  }

  std::size_t bytes_ = 0;
  std::unique_ptr<timing::device_memory> scratch_;
};
inline void plain_select(cudaStream_t stream, const keyed_part& p)
{
  reheat::copy_if_into(plain_policy(stream), p.first(), p.last(), p.out(), is_odd{}, &p.place()->count);
}

} // namespace perf

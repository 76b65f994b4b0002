// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
#include "common/transfers.hpp"

#include "common/limit.hpp"

#include <timing/cuda.hpp>

#include <cuda_runtime.h>

#include <algorithm>

namespace perf
{
namespace
{

// Each block reads `Loads` words of 16 bytes per thread, all requested before the first is used, and writes its share of the
// output: words that depend on everything the thread has read.
template <unsigned Threads, unsigned Loads>
__global__ void __launch_bounds__(Threads)
    move_kernel(const uint4* in, std::size_t in_words, uint4* out, std::size_t out_words)
{
  const std::size_t first = std::size_t{blockIdx.x} * Threads * Loads + threadIdx.x;
  uint4 word[Loads];
#pragma unroll
  for (unsigned l = 0; l < Loads; ++l)
  {
    const std::size_t i = first + l * Threads;
    word[l] = i < in_words ? in[i] : uint4{};
  }
  unsigned seen = 0;
#pragma unroll
  for (unsigned l = 0; l < Loads; ++l)
  {
    seen ^= word[l].x ^ word[l].y ^ word[l].z ^ word[l].w;
  }
  const std::size_t begin = out_words * blockIdx.x / gridDim.x, end = out_words * (blockIdx.x + std::size_t{1}) / gridDim.x;
  for (std::size_t i = begin + threadIdx.x; i < end; i += Threads)
  {
    out[i] = uint4{seen, seen, seen, seen};
  }
  // A thread without output uses what it has read, too: of random items this is so once in 2^32 times.
  constexpr unsigned unlikely = 0x9e3779b9u;
  if (begin + threadIdx.x >= end && seen == unlikely && out_words != 0)
  {
    out[begin] = uint4{};
  }
}

template <unsigned Threads, unsigned Loads>
transfer one_kernel()
{
  return {"one kernel, " + std::to_string(Threads) + " x " + std::to_string(Loads),
          [](const void* in, std::size_t in_bytes, void* out, std::size_t out_bytes, cudaStream_t stream)
          {
            constexpr std::size_t tile_words = std::size_t{Threads} * Loads;
            const std::size_t words = in_bytes / sizeof(uint4);
            const auto blocks = static_cast<unsigned>((words + tile_words - 1) / tile_words);
            move_kernel<Threads, Loads><<<blocks, Threads, 0, stream>>>(static_cast<const uint4*>(in), words,
                                                                        static_cast<uint4*>(out), out_bytes / sizeof(uint4));
            timing::check(cudaGetLastError(), "launching a kernel that moves bytes");
          }};
}

transfer copy_and_read(const mover& copier, const mover& reader)
{
  return {copier.name + " and " + reader.name,
          [&copier, &reader](const void* in, std::size_t in_bytes, void* out, std::size_t out_bytes, cudaStream_t stream)
          {
            const std::size_t copied = std::min(in_bytes, out_bytes);
            if (copied != 0)
            {
              copier.enqueue(in, out, copied, stream);
            }
            if (copied < out_bytes)
            {
              timing::check(cudaMemsetAsync(static_cast<std::byte*>(out) + copied, 0, out_bytes - copied, stream),
                            "writing what is longer than the input");
            }
            if (copied < in_bytes)
            {
              reader.enqueue(static_cast<const std::byte*>(in) + copied, nullptr, in_bytes - copied, stream);
            }
          }};
}

} // namespace

const std::vector<transfer>& transfers()
{
  static const std::vector<transfer> all = []
  {
    std::vector<transfer> made{one_kernel<256, 1>(), one_kernel<256, 4>(), one_kernel<512, 4>()};
    for (const mover& reader : readers())
    {
      made.push_back(copy_and_read(copiers().back(), reader));
    }
    return made;
  }();
  return all;
}

} // namespace perf

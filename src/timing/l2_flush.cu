// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
#include "clocks.hpp"

#include <cuda_runtime.h>

#include <algorithm>

namespace timing
{
namespace
{

constexpr unsigned block_threads = 512;
constexpr std::size_t caches = 4; // as many times the cache is read: no replacement policy keeps anything older

// Reads words [0, words), 16 bytes each.
__global__ void __launch_bounds__(block_threads) read_all_kernel(const uint4* memory, std::size_t words, unsigned never)
{
  unsigned seen = 0;
  for (std::size_t i = std::size_t{blockIdx.x} * block_threads + threadIdx.x; i < words;
       i += std::size_t{gridDim.x} * block_threads)
  {
    const uint4 word = memory[i];
    seen |= word.x | word.y | word.z | word.w;
  }
  if (seen == never) // the memory holds zeros and this is none: without a use the loads would be left out
  {
    __trap();
  }
}

int attribute(cudaDeviceAttr which)
{
  int device = 0, value = 0;
  check(cudaGetDevice(&device), "asking for the current CUDA device");
  check(cudaDeviceGetAttribute(&value, which, device), "asking for an attribute of the CUDA device");
  return value;
}

} // namespace

l2_flush::l2_flush()
    : words_(std::max<std::size_t>(caches * attribute(cudaDevAttrL2CacheSize), 1 << 20) / sizeof(uint4)),
      blocks_(4 * attribute(cudaDevAttrMultiProcessorCount)), memory_(words_ * sizeof(uint4))
{
  check(cudaMemset(memory_.data(), 0, memory_.bytes()), "clearing GPU memory");
  check(cudaDeviceSynchronize(), "clearing GPU memory");
}

void l2_flush::enqueue(cudaStream_t stream, unsigned passes) const
{
  for (unsigned i = 0; i < passes; ++i)
  {
    read_all_kernel<<<blocks_, block_threads, 0, stream>>>(reinterpret_cast<const uint4*>(memory_.data()), words_, 1);
    check(cudaGetLastError(), "emptying the L2 cache");
  }
}

} // namespace timing

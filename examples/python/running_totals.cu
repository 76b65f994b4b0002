// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! A function for Python: the running totals of the positive items, on the caller's stream and with the caller's allocator.
//! Built as a shared library, which running_totals.py loads.
#include <reheat/reheat.cuh>

#include <thrust/copy.h>
#include <thrust/scan.h>

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdio>
#include <exception>
#include <new>

namespace
{

//! Memory that belongs to a Python library: it may hand out again at once what it gets back, to the same stream.
struct borrowed_memory
{
  using value_type = char;

  void* (*allocate_bytes)(std::size_t);
  void (*free_bytes)(void*);

  char* allocate(std::size_t bytes) const
  {
    void* const memory = allocate_bytes(bytes);
    if (memory == nullptr)
    {
      throw std::bad_alloc();
    }
    return static_cast<char*>(memory);
  }
  void deallocate(char* memory, std::size_t) const { free_bytes(memory); }
};

struct is_positive
{
  __host__ __device__ bool operator()(float x) const { return x > 0; }
};

} // namespace

//! totals[i] = sum of the first i + 1 positive items; returns how many there are, or -1 after an error, which is in `error`.
//! `totals` has room for all items. The totals are complete for work that comes later on the stream.
extern "C" long long running_totals(const float* items, std::size_t count, float* totals, cudaStream_t stream,
                                    void* (*allocate)(std::size_t), void (*free)(void*), char* error,
                                    std::size_t error_bytes)
{
  try
  {
    borrowed_memory memory{allocate, free};
    const auto policy = reheat::par_nosync(memory).on(stream);
    const float* const end = thrust::copy_if(policy, items, items + count, totals, is_positive{}); // Thrust's own kernels
    thrust::inclusive_scan(policy, totals, totals + (end - totals), totals);                       // reheat's
    return end - totals;
  }
  catch (const std::exception& failure)
  {
    std::snprintf(error, error_bytes, "%s", failure.what());
    return -1;
  }
}

// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! A program whose device system is OpenMP. What is ours runs on the GPU all the same; what falls through has no backend
//! there.
#include <reheat/reheat.cuh>

#include <thrust/sort.h>

int call_the_family(const int* items, int count, int* sums)
{
  thrust::inclusive_scan(reheat::par, items, items + count, sums);
  const int* const smallest = thrust::min_element(reheat::par, items, items + count);
  return static_cast<int>(thrust::count(reheat::par, items, items + count, 3) + (smallest - items));
}

#if defined(REHEAT_FALLS_THROUGH)
struct by_last_digit
{
  __host__ __device__ bool operator()(int x, int y) const { return x % 10 < y % 10; }
};
void fall_through(int* items, int count)
{
  thrust::sort(reheat::par, items, items + count, by_last_digit{});
}
#endif

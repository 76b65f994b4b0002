// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! What compile_time.py compiles: three calls of Thrust on pointers, two of them ours under reheat::par.

#if defined(THROUGH_REHEAT)
#  include <reheat/reheat.cuh>
#else
#  include <thrust/execution_policy.h>
#endif
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sort.h>

#if defined(THROUGH_REHEAT)
#  define POLICY reheat::par
#else
#  define POLICY thrust::device
#endif

int sum(const int* first, const int* last)
{
  return thrust::reduce(POLICY, first, last);
}
void running_sums(const int* first, const int* last, int* sums)
{
  thrust::inclusive_scan(POLICY, first, last, sums);
}
void sort(int* first, int* last)
{
  thrust::sort(POLICY, first, last);
}

// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! What compile_time.py compiles: calls of Thrust on pointers to int, those that macros name. Without THROUGH_REHEAT it
//! includes the headers of these calls alone, as a program would that has no other.

#if defined(THROUGH_REHEAT)
#  include <reheat/reheat.cuh>
#else
#  include <thrust/execution_policy.h>
#endif
#if defined(CALL_COPY_IF)
#  include <thrust/copy.h>
#endif
#if defined(CALL_REDUCE)
#  include <thrust/reduce.h>
#endif
#if defined(CALL_INCLUSIVE_SCAN)
#  include <thrust/scan.h>
#endif
#if defined(CALL_SORT)
#  include <thrust/sort.h>
#endif
#if defined(CALL_UNIQUE)
#  include <thrust/unique.h>
#endif

#if defined(THROUGH_REHEAT)
#  define POLICY reheat::par
#else
#  define POLICY thrust::device
#endif

#if defined(CALL_COPY_IF)
struct is_odd
{
  __host__ __device__ bool operator()(int x) const { return x % 2 != 0; }
};
int* copy_odd(const int* first, const int* last, int* out)
{
  return thrust::copy_if(POLICY, first, last, out, is_odd{});
}
#endif
#if defined(CALL_REDUCE)
int sum(const int* first, const int* last)
{
  return thrust::reduce(POLICY, first, last);
}
#endif
#if defined(CALL_INCLUSIVE_SCAN)
void running_sums(const int* first, const int* last, int* sums)
{
  thrust::inclusive_scan(POLICY, first, last, sums);
}
#endif
#if defined(CALL_SORT)
void sort(int* first, int* last)
{
  thrust::sort(POLICY, first, last);
}
#endif
#if defined(CALL_UNIQUE)
int* unique(int* first, int* last)
{
  return thrust::unique(POLICY, first, last);
}
#endif

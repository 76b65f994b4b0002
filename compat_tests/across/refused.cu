// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Calls across ranks that must not compile, one per value of REFUSED: the compiler's message says why, and what to do.

#include <reheat/across/threads.cuh>

#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sort.h>

struct not_bytes
{
  not_bytes() = default;
  not_bytes(const not_bytes& other) : value(other.value) {}
  not_bytes& operator=(const not_bytes&) = default;
  int value = 0;
};
struct add
{
  REHEAT_HOST_DEVICE not_bytes operator()(const not_bytes& x, const not_bytes&) const { return x; }
  REHEAT_HOST_DEVICE int operator()(int x, int y) const { return x + y; }
};

struct equal
{
  template <class T>
  REHEAT_HOST_DEVICE bool operator()(const T& x, const T& y) const
  {
    return x.value == y.value;
  }
};
struct alignas(128) aligned_to_128
{
  int value;
};
REHEAT_HOST_DEVICE inline aligned_to_128 operator+(const aligned_to_128& x, const aligned_to_128& y)
{
  return {x.value + y.value};
}

void refused(reheat::ranks& ranks, int* first, int* last, not_bytes* other, aligned_to_128* wide)
{
  const auto policy = reheat::par.across(ranks);
#if REFUSED == 1
  static_cast<void>(thrust::reduce(policy, other, other + 1, not_bytes(), add()));
#elif REFUSED == 2
  static_cast<void>(thrust::inclusive_scan(policy.with(reheat::exact_sums), first, last, first));
#elif REFUSED == 3
  static_cast<void>(thrust::reduce(policy.with(reheat::gpu_to_gpu), first, last, 0, add()));
#elif REFUSED == 4
  static_cast<void>(thrust::reduce_by_key(policy, other, other + 1, first, other, first, equal()));
#elif REFUSED == 5
  static_cast<void>(thrust::reduce(policy, wide, wide + 1, aligned_to_128(), thrust::plus<aligned_to_128>()));
#elif REFUSED == 6
  static_cast<void>(thrust::reduce_by_key(policy, wide, wide + 1, first, wide, first, equal()));
#else // similar calls that compile
  static_cast<void>(thrust::reduce_by_key(policy, first, last, first, first, first));
  static_cast<void>(thrust::reduce(policy, first, last, 0, add()));
  thrust::sort(reheat::par, first, last);
#endif
  static_cast<void>(first), static_cast<void>(last), static_cast<void>(other), static_cast<void>(wide),
      static_cast<void>(policy);
}

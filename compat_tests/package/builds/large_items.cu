// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Scans of items that fit no block's shared memory, in a program that calls Thrust. 1532 bytes is the largest item that
//! Thrust's own scan compiles for: 32 of them, and some words, fill 48 KB.
#include <thrust/execution_policy.h>
#include <thrust/scan.h>

template <unsigned Bytes>
struct item
{
  unsigned word[Bytes / 4];
};

//! A loop, so that little has to be compiled.
struct add
{
  template <unsigned Bytes>
  __host__ __device__ item<Bytes> operator()(const item<Bytes>& x, const item<Bytes>& y) const
  {
    item<Bytes> sum;
#pragma unroll 1
    for (unsigned i = 0; i < Bytes / 4; ++i)
    {
      sum.word[i] = x.word[i] + y.word[i];
    }
    return sum;
  }
};

void scan(item<640>* items, int count)
{
  thrust::inclusive_scan(thrust::device, items, items + count, items, add());
}
void scan(item<1532>* items, int count)
{
  thrust::inclusive_scan(thrust::device, items, items + count, items, add());
}
void scan_by_key(const int* keys, item<640>* items, int count)
{
  thrust::inclusive_scan_by_key(thrust::device, keys, keys + count, items, items, thrust::equal_to<int>(), add());
}

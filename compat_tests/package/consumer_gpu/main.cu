// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
#include <reheat/reheat.cuh>

#include <thrust/device_vector.h>
#include <thrust/functional.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>

#include <cstdio>

int header_seen(); // header.cpp

int main()
{
  thrust::device_vector<int> items(1000, 2), sums(1000);
  thrust::inclusive_scan(reheat::par, items.begin(), items.end(), sums.begin());
  const int total = thrust::reduce(reheat::par, items.begin(), items.end(), 0, thrust::plus<int>());
  std::printf("%d %d\n", total, static_cast<int>(sums.back()));
  return total == 2000 && sums.back() == 2000 && header_seen() ? 0 : 1;
}

// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
#include <reheat/reheat.cuh>

#include <thrust/device_vector.h>

int sum_on_emulator()
{
  const thrust::device_vector<int> items(1000, 2);
  return thrust::reduce(reheat::par, items.begin(), items.end());
}

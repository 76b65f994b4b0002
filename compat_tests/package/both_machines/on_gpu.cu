// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
#include <reheat/reheat.cuh>

#include <thrust/device_vector.h>

#include <cstdio>
#include <exception>

int sum_on_emulator(); // on_emulator.cpp

//! 2000, or -1 without a GPU: either way it was not the emulator that ran.
int sum_on_gpu()
{
  try
  {
    const thrust::device_vector<int> items(1000, 2);
    return thrust::reduce(reheat::par, items.begin(), items.end());
  }
  catch (const std::exception&)
  {
    return -1;
  }
}

int main()
{
  int devices = 0;
  const bool gpu = cudaGetDeviceCount(&devices) == cudaSuccess && devices > 0;
  const int emulated = sum_on_emulator(), real = sum_on_gpu();
  std::printf("%d and %d\n", emulated, real);
  return emulated == 2000 && real == (gpu ? 2000 : -1) ? 0 : 1;
}

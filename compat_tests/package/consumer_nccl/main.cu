// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
#include <reheat/across/nccl.cuh>

#include <thrust/device_vector.h>
#include <thrust/reduce.h>

#include <cstdio>

int main()
{
  int version = 0, gpus = 0;
  if (ncclGetVersion(&version) != ncclSuccess || version < NCCL_VERSION_CODE)
  {
    std::printf("headers of NCCL %d with a library of %d\n", NCCL_VERSION_CODE, version);
    return 1;
  }
  if (cudaGetDeviceCount(&gpus) != cudaSuccess || gpus == 0)
  {
    std::printf("NCCL %d, and no GPU\n", version);
    return 0;
  }
  ncclComm_t comm = nullptr;
  if (ncclCommInitAll(&comm, 1, nullptr) != ncclSuccess)
  {
    std::printf("ncclCommInitAll: %s\n", ncclGetLastError(nullptr));
    return 1;
  }
  int total = 0;
  {
    reheat::nccl_ranks ranks(comm);
    thrust::device_vector<int> items(1000, 2);
    total = thrust::reduce(reheat::par.across(ranks), items.begin(), items.end());
  }
  ncclCommDestroy(comm);
  std::printf("%d\n", total);
  return total == 2000 ? 0 : 1;
}

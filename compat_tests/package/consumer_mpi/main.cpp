// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
#include <reheat/across/mpi.cuh>

#include <thrust/device_vector.h>
#include <thrust/reduce.h>

#include <cstdio>

int main(int argc, char** argv)
{
  MPI_Init(&argc, &argv);
  int total = 0, expected = 0;
  {
    reheat::mpi_ranks ranks(MPI_COMM_WORLD);
    thrust::device_vector<int> items(1000, 2);
    total = thrust::reduce(reheat::par.across(ranks), items.begin(), items.end());
    expected = 2000 * ranks.count();
    std::printf("rank %d of %d: %d\n", ranks.rank(), ranks.count(), total);
  }
  MPI_Finalize();
  return total == expected ? 0 : 1;
}

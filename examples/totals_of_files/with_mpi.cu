// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//
// mpirun -np 3 with_mpi first.txt second.txt third.txt: a process for each file.
#include "totals.cuh"

#include <reheat/across/mpi.cuh>

#if !defined(REHEAT_EMULATED)
#  include <cuda_runtime_api.h>

// The processes of a node share its GPUs evenly.
void choose_gpu()
{
  MPI_Comm node = MPI_COMM_NULL;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
  int rank = 0, gpus = 0;
  MPI_Comm_rank(node, &rank);
  MPI_Comm_free(&node);
  if (cudaGetDeviceCount(&gpus) != cudaSuccess || cudaSetDevice(rank % gpus) != cudaSuccess)
  {
    throw std::runtime_error("no GPU can be used here");
  }
}
#endif

int main(int argc, char** argv)
{
  MPI_Init(&argc, &argv);
  try
  {
#if !defined(REHEAT_EMULATED)
    choose_gpu(); // before the ranks are made
#endif
    reheat::mpi_ranks ranks(MPI_COMM_WORLD);
    if (argc != ranks.count() + 1)
    {
      throw std::runtime_error("one file for each of the " + std::to_string(ranks.count()) + " processes, please");
    }
    const std::string path = argv[1 + ranks.rank()];
    file_on_device file(path, read_numbers(path));
    total_file(ranks, file);
  }
  catch (const std::exception& error)
  {
    std::fprintf(stderr, "with_mpi: %s\n", error.what());
    MPI_Abort(MPI_COMM_WORLD, 2); // the others would wait for this rank
  }
  MPI_Finalize();
}

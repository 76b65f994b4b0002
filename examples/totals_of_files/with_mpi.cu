// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//
// mpirun -np 3 with_mpi first.txt second.txt third.txt: a process for each file.
#include "totals.cuh"

#include <reheat/across/mpi.cuh>

int main(int argc, char** argv)
{
  MPI_Init(&argc, &argv);
  try
  {
    reheat::mpi_ranks ranks(MPI_COMM_WORLD);
    if (argc != ranks.count() + 1)
    {
      throw std::runtime_error("one file for each of the " + std::to_string(ranks.count()) + " processes, please");
    }
    const std::string path = argv[1 + ranks.rank()];
    total_file(ranks, path, read_numbers(path));
  }
  catch (const std::exception& error)
  {
    std::fprintf(stderr, "with_mpi: %s\n", error.what());
    MPI_Abort(MPI_COMM_WORLD, 2); // the others would wait for this rank
  }
  MPI_Finalize();
}

// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! mpirun -np N reheat_ranks_of_mpi calls|mismatch|death: a rank for each process. Fails if a check of any rank does.
#include "calls_across.hpp"
#include "each_rank.hpp"

#include <reheat/across/mpi_ranks.h>

#if !defined(REHEAT_EMULATED)
#  include <cuda_runtime_api.h>
#endif

#include <cstdio>
#include <stdexcept>
#include <string>

namespace
{

using engines::check;

// The text of what `make` throws as an Exception.
template <class Exception, class Make>
std::string thrown_by(Make make)
{
  try
  {
    make();
  }
  catch (const Exception& error)
  {
    return error.what();
  }
  return "nothing was thrown";
}

bool contains(const std::string& text, const char* part)
{
  return text.find(part) != std::string::npos;
}

void check_misuse(const reheat::mpi_ranks& ranks)
{
  const std::string null =
      thrown_by<std::invalid_argument>([] { reheat::mpi_ranks of_nobody(static_cast<MPI_Comm>(MPI_COMM_NULL)); });
  check(contains(null, "is MPI_COMM_NULL"), "a null communicator: " + null);

  if (ranks.count() > 1)
  {
    MPI_Comm half = MPI_COMM_NULL, between = MPI_COMM_NULL;
    MPI_Comm_split(MPI_COMM_WORLD, ranks.rank() == 0 ? 0 : 1, ranks.rank(), &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, ranks.rank() == 0 ? 1 : 0, 7, &between);
    const std::string text = thrown_by<std::invalid_argument>([&] { reheat::mpi_ranks of_two_groups(between); });
    check(contains(text, "connects two groups"), "an intercommunicator: " + text);
    // Ranks of a part of all processes.
    {
      reheat::mpi_ranks of_half(half);
      check(of_half.count() == (ranks.rank() == 0 ? 1 : ranks.count() - 1), "ranks of a part");
      check(of_half.rank() == (ranks.rank() == 0 ? 0 : ranks.rank() - 1), "the rank in a part");
    }
    MPI_Comm_free(&between);
    MPI_Comm_free(&half);
  }
}

// MPI's errors are exceptions, although the program's own communicator ends the program.
void check_errors(reheat::mpi_ranks& ranks)
{
  char sent[64] = {}, received[64 * 64];
  const std::string text =
      thrown_by<std::runtime_error>([&] { ranks.all_gather(sent, received, std::size_t{1} << 31, {}); });
  check(contains(text, "a gather of 2147483648 bytes from each rank is more than MPI's counts can say"), text);
  // MPI refuses this place for what is received.
  const std::string refused = thrown_by<std::runtime_error>([&] { ranks.all_gather(sent, MPI_IN_PLACE, 64, {}); });
  check(contains(refused, "MPI_Allgather of 64 bytes from each of ") && contains(refused, "MPI_ERR"), refused);
}

// A message of the program's on its communicator is not taken for one of reheat's.
void check_own_messages(reheat::mpi_ranks& ranks)
{
  int sent = ranks.rank(), received = -1;
  MPI_Request requests[2];
  const int next = (ranks.rank() + 1) % ranks.count(), last = (ranks.rank() + ranks.count() - 1) % ranks.count();
  MPI_Irecv(&received, 1, MPI_INT, last, MPI_ANY_TAG, MPI_COMM_WORLD, &requests[0]);
  MPI_Isend(&sent, 1, MPI_INT, next, 5, MPI_COMM_WORLD, &requests[1]);
  engines::make_all_calls(ranks);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  check(received == last, "a message of the program's own");
}

#if !defined(REHEAT_EMULATED)
// All processes are of one machine, and share its GPUs evenly.
void choose_gpu()
{
  int rank = 0, gpus = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (cudaGetDeviceCount(&gpus) != cudaSuccess || cudaSetDevice(rank % gpus) != cudaSuccess)
  {
    std::fprintf(stderr, "reheat_ranks_of_mpi: rank %d finds no GPU that it can use\n", rank);
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
}
#endif

} // namespace

int main(int argc, char** argv)
{
  const std::string what = argc == 2 ? argv[1] : "";
  const std::string before = thrown_by<std::logic_error>([] { reheat::mpi_ranks too_early; });
  check(contains(before, "MPI is not initialised"), "before MPI_Init: " + before);
  MPI_Init(&argc, &argv);
#if !defined(REHEAT_EMULATED)
  choose_gpu(); // before the ranks are made
#endif
  {
    reheat::mpi_ranks ranks;
    if (what == "calls")
    {
      check_misuse(ranks);
      check_errors(ranks);
      check_own_messages(ranks);
    }
    else if (what == "mismatch" && ranks.count() > 1)
    {
      engines::make_different_calls(ranks);
    }
    else if (what == "death" && ranks.count() > 1)
    {
      engines::die_in_a_call(ranks);
    }
    else
    {
      check(false, "usage: mpirun -np N reheat_ranks_of_mpi calls, or mismatch or death with N > 1");
    }
  }
  MPI_Finalize();
  std::printf("%lu checks, %lu failed\n", engines::checks.made, engines::checks.failed);
  return engines::checks.failed == 0 ? 0 : 1;
}

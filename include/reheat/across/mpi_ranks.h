// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Ranks of an MPI communicator. Needs any MPI 3, from which it wants one collective call on host memory: MPI need not know
//! of CUDA.
//!
//! Link `reheat::mpi` (find_package(reheat COMPONENTS gpu mpi), or emulated mpi).
#pragma once

#include <reheat/across/ranks.h>

// The C++ bindings, which MPI 3 has not any more.
#if !defined(OMPI_SKIP_MPICXX)
#  define OMPI_SKIP_MPICXX
#endif
#if !defined(MPICH_SKIP_MPICXX)
#  define MPICH_SKIP_MPICXX
#endif
#include <mpi.h>

#include <climits>
#include <cstddef>
#include <stdexcept>
#include <string>

REHEAT_NAMESPACE_BEGIN

//! A process of an MPI communicator as a rank.
//!
//! Calls gather on the host: whatever their policy, they wait for their stream and block until all ranks have called, and a
//! capture refuses them. The thread that calls must be one that may call MPI, by the level that MPI_Init_thread granted.
//!
//! If a process ends or never calls, the others wait for ever, as in any collective call of MPI: mpirun ends them when a
//! process has died, and `mpirun --timeout` when none did.
class mpi_ranks : public ranks
{
public:
  //! Collective over `comm`, which must be an intracommunicator. Duplicates it: no message of the program's meets one of
  //! reheat's, and MPI's errors become std::runtime_error with MPI's text here, whatever error handler `comm` has. Throws
  //! std::logic_error if MPI is not initialised, and std::invalid_argument if `comm` is of another kind.
  explicit mpi_ranks(MPI_Comm comm = MPI_COMM_WORLD) : mpi_ranks(duplicate(comm)) {}

  //! Collective, as MPI_Comm_free is. After MPI_Finalize it does nothing.
  ~mpi_ranks() override
  {
    int finalized = 1;
    if (MPI_Finalized(&finalized) == MPI_SUCCESS && finalized == 0)
    {
      MPI_Comm_free(&comm_);
    }
  }

  void all_gather(const void* send, void* receive, std::size_t bytes, library::stream_type) override
  {
    if (bytes > INT_MAX)
    {
      throw std::runtime_error("reheat::mpi_ranks: a gather of " + std::to_string(bytes) +
                               " bytes from each rank is more than MPI's counts can say (int)");
    }
    const int count_of_bytes = static_cast<int>(bytes);
    check_mpi(MPI_Allgather(send, count_of_bytes, MPI_BYTE, receive, count_of_bytes, MPI_BYTE, comm_),
              "MPI_Allgather of " + std::to_string(bytes) + " bytes from each of " + std::to_string(count()) +
                  " ranks, on rank " + std::to_string(rank()));
  }

private:
  struct group
  {
    MPI_Comm comm;
    int rank, count;
  };

  explicit mpi_ranks(const group& made) : ranks("MPI", made.rank, made.count, gather_order::on_host), comm_(made.comm) {}

  static group duplicate(MPI_Comm comm)
  {
    int initialised = 0, finalized = 0;
    MPI_Initialized(&initialised);
    MPI_Finalized(&finalized);
    if (initialised == 0 || finalized != 0)
    {
      throw std::logic_error(initialised == 0
                                 ? "reheat::mpi_ranks: MPI is not initialised; call MPI_Init or MPI_Init_thread first"
                                 : "reheat::mpi_ranks: MPI has been finalised; make the ranks before MPI_Finalize");
    }
    if (comm == MPI_COMM_NULL)
    {
      throw std::invalid_argument("reheat::mpi_ranks: the communicator is MPI_COMM_NULL: this process is in no group; only "
                                  "the processes of a group make its ranks");
    }
    int between_groups = 0;
    check_mpi(MPI_Comm_test_inter(comm, &between_groups), "MPI_Comm_test_inter");
    if (between_groups != 0)
    {
      throw std::invalid_argument("reheat::mpi_ranks: the communicator connects two groups; ranks are those of one "
                                  "(MPI_Intercomm_merge makes one of both)");
    }
    group made{};
    check_mpi(MPI_Comm_dup(comm, &made.comm), "MPI_Comm_dup");
    check_mpi(MPI_Comm_set_errhandler(made.comm, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
    check_mpi(MPI_Comm_rank(made.comm, &made.rank), "MPI_Comm_rank");
    check_mpi(MPI_Comm_size(made.comm, &made.count), "MPI_Comm_size");
    return made;
  }

  static void check_mpi(int status, const std::string& attempt)
  {
    if (status != MPI_SUCCESS)
    {
      char text[MPI_MAX_ERROR_STRING + 1] = "unknown error";
      int length = 0;
      MPI_Error_string(status, text, &length);
      throw std::runtime_error("reheat::mpi_ranks: " + attempt + ": " + text);
    }
  }

  MPI_Comm comm_;
};

REHEAT_NAMESPACE_END

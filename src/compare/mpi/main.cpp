// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! mpirun -np N reheat-compare-mpi: the command with --ranks N, whose ranks are processes. Each reads the input and judges;
//! the first one prints.
#include "../command.hpp"
#include "../ranks.hpp"
#include "../this_machine.hpp"

#include <reheat/across/mpi_ranks.h>

#include <cstdint>
#include <cstring>
#include <exception>
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace compare
{
namespace
{

reheat::mpi_ranks* ranks_here = nullptr;

// What other processes have to know of a rank's call.
struct outcome_of_call
{
  std::byte value[sizeof(call::value)];
  std::int64_t returned_items;
  bool returned_end, value_on_host;
};

} // namespace

void on_each_rank_here(int count, const std::function<void(reheat::ranks&)>& make)
{
  if (count != ranks_here->count())
  {
    throw machine_error("--ranks " + std::to_string(count) + ": there are " + std::to_string(ranks_here->count()) +
                        " processes; leave --ranks out under mpirun");
  }
  std::exception_ptr thrown;
  try
  {
    make(*ranks_here);
  }
  catch (...)
  {
    thrown = std::current_exception();
  }
  int failed = thrown ? 1 : 0, any_failed = 0;
  MPI_Allreduce(&failed, &any_failed, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  if (thrown)
  {
    std::rethrow_exception(thrown);
  }
  if (any_failed != 0)
  {
    throw std::runtime_error("another rank has thrown");
  }
}

void gather_outcomes(std::vector<call>& parts)
{
  const call& own = parts[ranks_here->rank()];
  outcome_of_call sent{{}, own.returned_items, own.returned_end, own.value_on_host};
  std::memcpy(sent.value, own.value, sizeof(sent.value));
  std::vector<outcome_of_call> received(parts.size());
  MPI_Allgather(&sent, sizeof(sent), MPI_BYTE, received.data(), sizeof(sent), MPI_BYTE, MPI_COMM_WORLD);
  for (std::size_t rank = 0; rank < parts.size(); ++rank)
  {
    std::memcpy(parts[rank].value, received[rank].value, sizeof(sent.value));
    parts[rank].returned_items = received[rank].returned_items;
    parts[rank].returned_end = received[rank].returned_end;
    parts[rank].value_on_host = received[rank].value_on_host;
  }
}

void gather_outputs(std::byte* out, const std::vector<std::size_t>& bytes)
{
  const std::vector<int> sizes(bytes.begin(), bytes.end());
  std::vector<int> places{0};
  for (const int size : sizes)
  {
    places.push_back(places.back() + size);
  }
  MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_BYTE, out, sizes.data(), places.data(), MPI_BYTE, MPI_COMM_WORLD);
}

} // namespace compare

int main(int argc, char** argv)
{
  MPI_Init(&argc, &argv);
  int status = 2;
  {
    reheat::mpi_ranks ranks;
    compare::ranks_here = &ranks;
    std::vector<const char*> arguments(argv, argv + argc);
    const std::string count = std::to_string(ranks.count());
    arguments.insert(arguments.begin() + 1, {"--ranks", count.c_str()});
    std::ostringstream nowhere;
    std::ostream& out = ranks.rank() == 0 ? std::cout : nowhere;
    std::ostringstream trouble;
    status =
        compare::run_command(static_cast<int>(arguments.size()), arguments.data(), *compare::this_machine(), out, trouble);
    std::cerr << (ranks.rank() == 0 || status == 2 ? trouble.str() : "");
  }
  if (status == 2)
  {
    MPI_Abort(MPI_COMM_WORLD, status); // others may be in a call
  }
  MPI_Finalize();
  return status;
}

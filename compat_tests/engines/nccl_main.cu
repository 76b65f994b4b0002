// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! reheat_ranks_of_nccl [calls|graphs|mismatch|silence]…: a rank for each GPU here, each in a thread. Without arguments all
//! of them, but silence only where there are two GPUs: a rank never calls, the others give up, and no communicator is left.
#include "calls_across.hpp"
#include "each_rank.hpp"

#include <reheat/across/nccl_ranks.h>

#include <cuda_runtime_api.h>

#include <chrono>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

namespace
{

using engines::check;

// all_destroy: none has been aborted, so that none waits in vain for another one to be destroyed.
template <class Body>
void with_nccl(int count, const char* what, Body body, bool all_destroy = true)
{
  const unsigned long failed_before = engines::checks.failed;
  std::vector<ncclComm_t> comms(count);
  const ncclResult_t status = ncclCommInitAll(comms.data(), count, nullptr);
  check(status == ncclSuccess, std::string("ncclCommInitAll: ") + ncclGetLastError(nullptr));
  if (status != ncclSuccess)
  {
    return;
  }
  engines::on_each_rank(count,
                        [&](int rank)
                        {
                          check(cudaSetDevice(rank) == cudaSuccess, "cudaSetDevice");
                          bool aborted = false;
                          {
                            reheat::nccl_ranks ranks(comms[rank]);
                            body(ranks);
                            aborted = ranks.aborted();
                          }
                          check(cudaDeviceSynchronize() == cudaSuccess, "the device works");
                          if (!aborted)
                          {
                            all_destroy ? ncclCommDestroy(comms[rank]) : ncclCommAbort(comms[rank]);
                          }
                        });
  std::printf("%s: %lu failed\n", what, engines::checks.failed - failed_before);
  std::fflush(stdout);
}

} // namespace

int main(int argc, char** argv)
{
  int gpus = 0;
  if (cudaGetDeviceCount(&gpus) != cudaSuccess || gpus == 0)
  {
    std::fprintf(stderr, "reheat_ranks_of_nccl: there is no GPU\n");
    return 2;
  }
  int version = 0;
  ncclGetVersion(&version);
  std::printf("NCCL %d, %d GPUs\n", version, gpus);
  std::vector<std::string> wanted(argv + 1, argv + argc);
  if (wanted.empty())
  {
    wanted = {"calls", "graphs", "mismatch"};
    if (gpus > 1)
    {
      wanted.push_back("silence");
    }
  }
  for (const std::string& what : wanted)
  {
    if (what == "calls")
    {
      for (int count = 1; count <= gpus; ++count)
      {
        with_nccl(count, "calls", engines::make_all_calls);
      }
    }
    else if (what == "graphs")
    {
      for (int count = 1; count <= gpus; ++count)
      {
        with_nccl(count, "graphs", engines::make_calls_in_graphs);
      }
    }
    else if (what == "mismatch")
    {
      if (gpus > 1)
      {
        with_nccl(gpus, "mismatch", engines::make_different_calls);
      }
    }
    else if (what == "silence")
    {
      with_nccl(
          gpus, "silence",
          [](reheat::nccl_ranks& ranks)
          {
            engines::make_all_calls(ranks); // NCCL has connected the ranks: the next gather does not block the host
            ranks.give_up_after(std::chrono::seconds(2));
            if (ranks.rank() != 1)
            {
              engines::give_up_on_another_rank(ranks);
              check(ranks.aborted(), "the communicator has been aborted");
            }
          },
          false);
    }
    else
    {
      std::fprintf(stderr, "reheat_ranks_of_nccl: there is no test %s\n", what.c_str());
      return 2;
    }
  }
  std::printf("%lu checks, %lu failed\n", engines::checks.made, engines::checks.failed);
  return engines::checks.failed == 0 ? 0 : 1;
}

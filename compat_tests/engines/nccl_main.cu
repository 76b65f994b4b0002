// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! reheat_ranks_of_nccl [calls|graphs|mismatch|silence]…: a rank for each GPU here, each in a thread. Without arguments all
//! of them, but silence only where there are two GPUs: a rank never calls, the others give up, and no communicator is left.
//!
//! reheat_ranks_of_nccl shared: two ranks that share the first GPU, each in a process, which NCCL allows from 2.30 on. They
//! make all calls, captured ones, and different ones. reheat_ranks_of_nccl processes <N>: the same of N ranks, each with a
//! GPU and a process of its own.
#include "calls_across.hpp"
#include "each_rank.hpp"

#include <reheat/across/nccl_ranks.h>

#include <cuda_runtime_api.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <sys/wait.h>
#include <unistd.h>

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

// The others give up. When the first of them does, NCCL ends the gathers of the rest with bytes of earlier ones: so they may
// also find that a record is missing. Rank 1 aborts behind them, since an abort takes memory from under kernels that still
// wait; but not if they wait for that abort.
void be_silent_on_rank_1(int count)
{
  std::atomic<int> at_work{count - 1};
  std::atomic<int> given_up{0}, lost{0};
  with_nccl(
      count, "silence",
      [&](reheat::nccl_ranks& ranks)
      {
        if (ranks.rank() == 1)
        {
          engines::make_all_calls(ranks);
          const auto last = std::chrono::steady_clock::now() + std::chrono::seconds(10);
          while (at_work > 0 && std::chrono::steady_clock::now() < last)
          {
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
          }
          return;
        }
        struct leaver
        {
          std::atomic<int>& at_work;
          ~leaver() { --at_work; }
        };
        const leaver leaves{at_work};
        engines::make_all_calls(ranks); // NCCL has connected the ranks: the next gather does not block the host
        ranks.give_up_after(std::chrono::seconds(2));
        const std::string text = engines::thrown_by_a_call(ranks);
        const bool gave_up = text.find("given up after 2000 ms") != std::string::npos;
        const bool is_missing = text.find(" has not arrived on rank " + std::to_string(ranks.rank())) != std::string::npos;
        check(gave_up || is_missing, "rank " + std::to_string(ranks.rank()) + " threw: " + text);
        check(ranks.aborted(), "the communicator has been aborted");
        given_up += gave_up;
        lost += is_missing;
      },
      false);
  check(given_up > 0, "a rank has given up");
  std::printf("silence: %d ranks gave up, %d missed a record\n", given_up.load(), lost.load());
}

constexpr int first_that_shares = 23000; // the version of NCCL

// One of the processes. `pipe` hands NCCL's identifier on from the first one. Returns an exit status.
int be_a_process(int rank, int count, bool shares_a_gpu, const int (&pipe)[2])
{
  ncclUniqueId id{};
  bool has_id = true;
  if (rank == 0)
  {
    has_id = ncclGetUniqueId(&id) == ncclSuccess;
    for (int other = 1; other < count && has_id; ++other)
    {
      has_id = write(pipe[1], &id, sizeof id) == static_cast<ssize_t>(sizeof id); // less than PIPE_BUF: whole
    }
  }
  close(pipe[1]);
  if (rank != 0)
  {
    has_id = read(pipe[0], &id, sizeof id) == static_cast<ssize_t>(sizeof id);
  }
  check(has_id, "NCCL's identifier");
  ncclComm_t comm = nullptr;
  const ncclResult_t status = has_id && cudaSetDevice(shares_a_gpu ? 0 : rank) == cudaSuccess
                                  ? ncclCommInitRank(&comm, count, id, rank)
                                  : ncclInternalError;
  check(status == ncclSuccess, std::string("ncclCommInitRank: ") + ncclGetLastError(nullptr));
  if (status == ncclSuccess)
  {
    engines::on_each_rank(1,
                          [&](int)
                          {
                            cudaSetDevice(shares_a_gpu ? 0 : rank); // a thread of its own
                            reheat::nccl_ranks ranks(comm);
                            ranks.give_up_after(std::chrono::seconds(30));
                            engines::make_all_calls(ranks);
                            engines::make_calls_in_graphs(ranks);
                            engines::make_different_calls(ranks);
                            engines::capture_on_rank_0_alone(ranks);
                          });
    check(cudaDeviceSynchronize() == cudaSuccess, "the device works");
    engines::checks.failed == 0 ? ncclCommDestroy(comm) : ncclCommAbort(comm);
  }
  std::printf("rank %d of %d, a process: %lu checks, %lu failed\n", rank, count, engines::checks.made,
              engines::checks.failed);
  std::fflush(stdout);
  return engines::checks.failed == 0 ? 0 : 1;
}

// This process must not have used CUDA.
int in_processes(int count, bool share_a_gpu)
{
  int version = 0;
  ncclGetVersion(&version);
  if (share_a_gpu && version < first_that_shares)
  {
    std::fprintf(stderr, "reheat_ranks_of_nccl: NCCL %d has no ranks that share a GPU; 2.30 has\n", version);
    return 2;
  }
  if (share_a_gpu)
  {
    setenv("NCCL_MULTI_RANK_GPU_ENABLE", "1", 0);
  }
  int pipe_ends[2];
  if (pipe(pipe_ends) != 0)
  {
    std::perror("reheat_ranks_of_nccl: pipe");
    return 2;
  }
  for (int rank = 0; rank < count; ++rank)
  {
    const pid_t child = fork();
    if (child == 0)
    {
      std::_Exit(be_a_process(rank, count, share_a_gpu, pipe_ends));
    }
    if (child < 0)
    {
      std::perror("reheat_ranks_of_nccl: fork");
      return 2;
    }
  }
  close(pipe_ends[0]);
  close(pipe_ends[1]);
  int failed = 0;
  for (int rank = 0; rank < count; ++rank)
  {
    int status = 0;
    failed += wait(&status) < 0 || status != 0 ? 1 : 0;
  }
  std::printf("NCCL %d, %d processes%s: %d failed\n", version, count, share_a_gpu ? " on one GPU" : "", failed);
  return failed == 0 ? 0 : 1;
}

} // namespace

int main(int argc, char** argv)
{
  if (argc == 2 && std::string(argv[1]) == "shared")
  {
    return in_processes(2, true);
  }
  if (argc == 3 && std::string(argv[1]) == "processes")
  {
    const int count = std::atoi(argv[2]);
    if (count < 1)
    {
      std::fprintf(stderr, "reheat_ranks_of_nccl processes <N>: N is a number of GPUs, not %s\n", argv[2]);
      return 2;
    }
    return in_processes(count, false);
  }
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
        with_nccl(gpus, "mismatch",
                  [](reheat::nccl_ranks& ranks)
                  {
                    engines::make_different_calls(ranks);
                    engines::capture_on_rank_0_alone(ranks);
                  });
      }
    }
    else if (what == "silence")
    {
      be_silent_on_rank_1(gpus);
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

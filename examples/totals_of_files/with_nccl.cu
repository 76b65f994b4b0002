// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//
// with_nccl first.txt second.txt …: a GPU, and a thread, for each file.
#include "totals.cuh"

#include <reheat/across/nccl.cuh>

#include <cstdlib>
#include <memory>
#include <thread>

int main(int argc, char** argv)
{
  try
  {
    // Everything that may fail on one rank alone comes before the first call that needs all of them.
    std::vector<numbers> files;
    for (int i = 1; i < argc; ++i)
    {
      files.push_back(read_numbers(argv[i]));
    }
    const int count = static_cast<int>(files.size());
    int gpus = 0;
    cudaGetDeviceCount(&gpus);
    if (count == 0 || count > gpus)
    {
      throw std::runtime_error("at least one file, please, and at most as many as there are GPUs: " + std::to_string(gpus));
    }

    std::vector<std::unique_ptr<file_on_device>> parts;
    for (int rank = 0; rank < count; ++rank)
    {
      cudaSetDevice(rank);
      parts.push_back(std::make_unique<file_on_device>(argv[1 + rank], files[rank]));
    }

    std::vector<ncclComm_t> comms(count);
    if (ncclCommInitAll(comms.data(), count, nullptr) != ncclSuccess)
    {
      throw std::runtime_error(std::string("ncclCommInitAll: ") + ncclGetLastError(nullptr));
    }
    std::vector<std::thread> threads;
    for (int rank = 0; rank < count; ++rank)
    {
      threads.emplace_back(
          [&, rank]
          {
            try
            {
              cudaSetDevice(rank);
              reheat::nccl_ranks ranks(comms[rank]);
              total_file(ranks, *parts[rank]);
            }
            catch (const std::exception& error)
            {
              std::fprintf(stderr, "with_nccl: rank %d: %s\n", rank, error.what());
              std::_Exit(2); // the others would wait for this rank
            }
          });
    }
    for (std::thread& each : threads)
    {
      each.join();
    }
    for (const ncclComm_t comm : comms)
    {
      ncclCommDestroy(comm);
    }
  }
  catch (const std::exception& error)
  {
    std::fprintf(stderr, "with_nccl: %s\n", error.what());
    return 2;
  }
}

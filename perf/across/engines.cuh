// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! NCCL's communicators, and a pair of ranks whose other rank is simulated.
#pragma once

#include <reheat/across/nccl.cuh>
#include <reheat/detail/across/records.cuh>
#include <timing/cuda.hpp>

#include <cuda_runtime_api.h>

#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

namespace perf
{

//! The other rank's record is the own one, with a seal of its own.
__global__ static void copy_to_both_kernel(const char* from, char* to, unsigned bytes, int other)
{
  for (unsigned i = threadIdx.x; i < bytes; i += blockDim.x)
  {
    to[i] = to[bytes + i] = from[i];
  }
  __syncthreads();
  if (threadIdx.x == 0)
  {
    auto* const record = reinterpret_cast<reheat::detail::record_head*>(to + other * bytes);
    record->seal = reheat::detail::seal_of(*record, record, other);
  }
}

//! A rank of a pair whose other rank always has the same to tell, and is there at once: a call's own work, without an
//! engine. For values that fit a record.
class rank_of_simulated_pair : public reheat::ranks
{
public:
  explicit rank_of_simulated_pair(int rank) : ranks("a simulated pair", rank, 2, reheat::gather_order::in_stream_or_graph) {}
  void all_gather(const void* send, void* receive, std::size_t bytes, reheat::stream_type stream) override
  {
    if (bytes != reheat::library::record_bytes)
    {
      throw std::runtime_error("a simulated pair gathers records of " + std::to_string(reheat::library::record_bytes) +
                               " bytes, not " + std::to_string(bytes));
    }
    copy_to_both_kernel<<<1, 64, 0, stream>>>(static_cast<const char*>(send), static_cast<char*>(receive),
                                              static_cast<unsigned>(bytes), 1 - rank());
    timing::check(cudaGetLastError(), "gathering from a simulated pair");
  }
};

inline void check_nccl(ncclResult_t status, const char* attempt)
{
  if (status != ncclSuccess)
  {
    throw std::runtime_error(std::string(attempt) + ": " + ncclGetLastError(nullptr));
  }
}

//! Communicators of all GPUs, or of the first `count`.
class communicators
{
public:
  explicit communicators(int count) : comms_(count)
  {
    check_nccl(ncclCommInitAll(comms_.data(), count, nullptr), "ncclCommInitAll");
  }
  ~communicators()
  {
    for (const ncclComm_t comm : comms_)
    {
      ncclCommDestroy(comm);
    }
  }
  communicators(const communicators&) = delete;
  communicators& operator=(const communicators&) = delete;
  ncclComm_t operator[](int rank) const { return comms_[rank]; }

private:
  std::vector<ncclComm_t> comms_;
};

} // namespace perf

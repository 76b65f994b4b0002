// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! What the calls of CUB's and of Thrust's have in common.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>

namespace perf
{

inline void check_cub(cudaError_t status)
{
  if (status != cudaSuccess)
  {
    (void)cudaGetLastError();
    throw std::runtime_error(std::string("CUB failed: ") + cudaGetErrorString(status));
  }
}

inline void check_wait(cudaStream_t stream)
{
  const cudaError_t status = cudaStreamSynchronize(stream);
  if (status != cudaSuccess)
  {
    (void)cudaGetLastError();
    throw std::runtime_error(std::string("waiting for a stream failed: ") + cudaGetErrorString(status));
  }
}

//! call(count): in 32 bits where they suffice, as Thrust does and as users of CUB do; kernels are then faster.
template <class F>
void with_item_count(std::uint64_t items, F call)
{
  if (items <= std::numeric_limits<std::uint32_t>::max())
  {
    call(static_cast<std::uint32_t>(items));
  }
  else
  {
    call(items);
  }
}

} // namespace perf

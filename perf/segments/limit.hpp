// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! What no implementation can beat, measured: reading as many bytes as items and offsets have, and writing as many as
//! results have.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace perf::segments
{

struct mover
{
  std::string name;
  //! Reads in_bytes from `in` and writes out_bytes to `out`, enqueued on the stream. Both begin and end at multiples of 256.
  std::function<void(const void* in, std::size_t in_bytes, void* out, std::size_t out_bytes, cudaStream_t stream)> enqueue;
};

//! One kernel that does both, in several shapes; and a copy kernel for the results, behind which a kernel reads what it has
//! not read.
const std::vector<mover>& movers();

} // namespace perf::segments

// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! CUB of another CCCL than the program's: segments/newest.cu, a shared object.
#pragma once

#include "segments/rows.hpp"

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

namespace perf::segments
{

extern "C" {
//! cub::DeviceSegmentedReduce::Sum or DeviceSegmentedScan::InclusiveSegmentedSum with the row's types, in two phases. The
//! form of fixed-size segments, of sums alone, reads no offsets.
using newest_function = cudaError_t(const row* which, const void* in, const void* begins, const void* ends,
                                    std::uint64_t segments, void* out, void* temp, std::size_t* temp_bytes,
                                    cudaStream_t stream);
//! "3.5.0", say.
using newest_version_function = const char*();
}

} // namespace perf::segments

// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! CUB of another CCCL than the program's: sorts/newest.cu, a shared object.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

namespace perf::sorts
{

extern "C" {
//! cub::DeviceRadixSort::SortKeys or SortPairs of a type of rows.hpp, in two phases: while `temp` is null, the call only
//! sets *temp_bytes. The number of items is passed in 64 bits if `wide` holds, else in 32.
using newest_function = cudaError_t(int type, bool wide, const void* keys_in, void* keys_out, const void* values_in,
                                    void* values_out, std::uint64_t items, void* temp, std::size_t* temp_bytes,
                                    cudaStream_t stream);
//! "3.5.0", say.
using newest_version_function = const char*();
}

} // namespace perf::sorts

// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! CUB of another CCCL beside that of the program. One program cannot be compiled with two, so the other one is in a shared
//! object that exports two C functions and no other symbol: suite/cub_new.cu.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

namespace perf
{

extern "C" {
//! Sums over pointers: DeviceReduce::Reduce with initial value 0, or DeviceScan::InclusiveScan. `algorithm` and `type` are
//! those of common/axes.hpp. `lookahead`: the scan that CUB calls so, whatever it would choose. Temporary memory as CUB has
//! it. The status is cudaErrorNotSupported where no such call is built.
using cub_new_function = cudaError_t(int algorithm, int type, bool lookahead, const void* in, void* out, std::uint32_t items,
                                     void* scratch, std::size_t* scratch_bytes, cudaStream_t stream);
//! "3.5.0", say.
using cub_new_version_function = const char*();
}

struct cub_new_object
{
  cub_new_function* call = nullptr;
  const char* version = nullptr; //!< null: there is no such object beside the program
};

//! The shared object beside the program. Throws std::runtime_error if there is one, and it cannot be used.
const cub_new_object& find_cub_new();

} // namespace perf

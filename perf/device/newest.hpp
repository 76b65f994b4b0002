// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The entry points that have single-phase forms, with another CCCL than the program's: device/newest.cu, a shared object.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

namespace perf::device_wide
{

//! Of i32.
enum class newest_entry
{
  sum,
  reduce_max,
  inclusive_sum,
  exclusive_sum,
};

extern "C" {
//! `who` is an implementation of calls.hpp. With two phases, temporary memory is as CUB has it. The status is
//! cudaErrorNotSupported where no such call is built.
using newest_function = cudaError_t(int entry, int who, const void* in, void* out, int items, void* temp,
                                    std::size_t* temp_bytes, cudaStream_t stream);
//! "3.5.0", say.
using newest_version_function = const char*();
}

} // namespace perf::device_wide

// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Sums of a newer CUB that have the same bits on every GPU: numbers/newest.cu, a shared object.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

namespace perf
{

extern "C" {
//! Of doubles or floats, in two phases: while `temp` is null, the call only sets *temp_bytes.
using newest_function = cudaError_t(bool doubles, const void* in, void* out, std::uint64_t items, void* temp,
                                    std::size_t* temp_bytes, cudaStream_t stream);
//! "3.5.0", say.
using newest_version_function = const char*();
}

} // namespace perf

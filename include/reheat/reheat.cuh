// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The one header to include: the policies and every overload. (An overload that a translation unit does not see is silent:
//! Thrust's own implementation runs.)
//!
//! Pass `reheat::par` where a program passes `thrust::device`, `reheat::par_nosync` where it passes
//! `thrust::cuda::par_nosync`; `.on(stream)`, `(allocator)`, `(allocator).on(stream)` and `(&memory_resource)` as there.
//! Ours are `thrust::reduce`, `thrust::inclusive_scan` and `thrust::exclusive_scan`; every other algorithm falls through to
//! Thrust's backend.
#pragma once

#include <reheat/detail/config.cuh>

// Without nvcc or the emulator there is nothing that could run a kernel: such translation units get the policies alone.
#include <reheat/thrust_backend/policy.cuh>
#if defined(__CUDACC__) || defined(REHEAT_EMULATED)
#  include <reheat/thrust_backend/reduce.cuh>
#  include <reheat/thrust_backend/scan.cuh>
#endif

REHEAT_NAMESPACE_BEGIN

using runtime::stream_type;
using thrust_backend::par;
using thrust_backend::par_nosync;

//! Scratch memory kept for later calls in the current context, in bytes.
inline std::size_t workspace_bytes()
{
  return runtime::workspace_bytes();
}
//! Gives back scratch memory that no call is using. Waits for the device.
inline void trim_workspaces()
{
  runtime::trim_workspaces();
}

REHEAT_NAMESPACE_END

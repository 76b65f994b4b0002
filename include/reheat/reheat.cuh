// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The one header to include: the policies and every overload. (An overload that a translation unit does not see is silent:
//! Thrust's own implementation runs.)
//!
//! Pass `reheat::par` where a program passes `thrust::device`, `reheat::par_nosync` where it passes
//! `thrust::cuda::par_nosync`; `.on(stream)`, `(allocator)`, `(allocator).on(stream)` and `(&memory_resource)` as there.
//! `reheat::par_like(policy)` returns reheat's policy for one of Thrust's. reheat accelerates Thrust's reductions, scans and
//! selections:
//! `reduce`, `reduce_into` (as `reheat::reduce_into` too), `transform_reduce`, `inner_product`, `count`, `count_if`,
//! `min_element`, `max_element`, `minmax_element`, `reduce_by_key`, `inclusive_scan`, `exclusive_scan`,
//! `transform_inclusive_scan`, `transform_exclusive_scan`, `inclusive_scan_by_key`, `exclusive_scan_by_key`, `copy_if`,
//! `remove`, `remove_if`, `remove_copy`, `remove_copy_if`, `partition`, `stable_partition`, `partition_copy`,
//! `stable_partition_copy`, `unique`, `unique_copy`, `unique_by_key`, `unique_by_key_copy` and `unique_count`; and its
//! searches: `all_of`, `any_of`, `none_of`, `find`, `find_if`, `find_if_not`, `mismatch`, `equal`, `is_sorted`,
//! `is_sorted_until`, `is_partitioned` and `partition_point`. `sort`, `stable_sort`, `sort_by_key` and `stable_sort_by_key`
//! are accelerated where keys are numbers in memory, in ascending or descending order. `reheat::copy_if_into`, the calls of
//! selections_into.cuh, and `reheat::count_into` and `count_if_into` leave a number on the device. Every other algorithm
//! falls through to Thrust's backend.
//!
//! With -DREHEAT_PASSTHROUGH all of them do, for tests of what reheat changes. With -DREHEAT_RUNTIME_SWITCH those do that
//! the environment variable REHEAT_DISABLE names. On the emulator Thrust's backend is the sequential one of the host.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/runtime/version.h>
#include <reheat/detail/thrust_compat.cuh>
#include <reheat/version.h>

// Without nvcc or the emulator there is nothing that could run a kernel: such translation units get the policies alone.
#include <reheat/thrust_backend/par_like.cuh>
#include <reheat/thrust_backend/policy.cuh>
#if defined(__CUDACC__) || defined(REHEAT_EMULATED)
#  include <reheat/thrust_backend/copy_if_into.cuh>
#  include <reheat/thrust_backend/count_into.cuh>
#  include <reheat/thrust_backend/reduce_into.cuh>
#  include <reheat/thrust_backend/segmented_extrema.cuh>
#  include <reheat/thrust_backend/segmented_reduce.cuh>
#  include <reheat/thrust_backend/segmented_scan.cuh>
#  include <reheat/thrust_backend/selections_into.cuh>
#endif
#if (defined(__CUDACC__) || defined(REHEAT_EMULATED)) && !defined(REHEAT_PASSTHROUGH)
#  include <reheat/thrust_backend/copy_if.cuh>
#  include <reheat/thrust_backend/count.cuh>
#  include <reheat/thrust_backend/extrema.cuh>
#  include <reheat/thrust_backend/logical.cuh>
#  include <reheat/thrust_backend/partition.cuh>
#  include <reheat/thrust_backend/reduce_by_key.cuh>
#  include <reheat/thrust_backend/remove.cuh>
#  include <reheat/thrust_backend/scan.cuh>
#  include <reheat/thrust_backend/scan_by_key.cuh>
#  include <reheat/thrust_backend/search.cuh>
#  include <reheat/thrust_backend/sort.cuh>
#  include <reheat/thrust_backend/transform_reduce.cuh>
#  include <reheat/thrust_backend/transform_scan.cuh>
#  include <reheat/thrust_backend/unique.cuh>
#endif

REHEAT_NAMESPACE_BEGIN

using runtime::algorithm_calls;
using runtime::call_statistics;
using runtime::stream_type;
using thrust_backend::accumulate_in;
using thrust_backend::check_offsets;
using thrust_backend::exact_sums;
using thrust_backend::gpu_to_gpu;
using thrust_backend::par;
using thrust_backend::par_like;
using thrust_backend::par_nosync;
using thrust_backend::start_early;
using thrust_backend::start_serially;

//! REHEAT_VERSION as the library in the program has it. A library of another version than the headers is not linked.
inline int version()
{
  return library::version();
}

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

//! Counts of calls, launches and waits since the process started: one minus an earlier one is what happened between them.
inline call_statistics statistics()
{
  return runtime::statistics();
}

REHEAT_NAMESPACE_END

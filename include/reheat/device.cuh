// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! CUB's device-wide interface on reheat's kernels: `reheat::DeviceReduce`, `DeviceScan`, `DeviceSegmentedReduce`,
//! `DeviceSegmentedScan`, `DeviceSelect`, `DevicePartition`, `DeviceRunLengthEncode` and `DeviceRadixSort` stand where a
//! program says `cub::DeviceReduce` and so on. No container and no algorithm of Thrust is included. reheat/cub.cuh has a
//! namespace with these and all of CUB.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/runtime/version.h>
#include <reheat/version.h>

#if defined(__CUDACC__) || defined(REHEAT_EMULATED)
#  include <reheat/device/partition.cuh>
#  include <reheat/device/radix_sort.cuh>
#  include <reheat/device/reduce.cuh>
#  include <reheat/device/run_length_encode.cuh>
#  include <reheat/device/scan.cuh>
#  include <reheat/device/segmented_reduce.cuh>
#  include <reheat/device/segmented_scan.cuh>
#  include <reheat/device/select.cuh>
#endif

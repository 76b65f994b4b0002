// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! `reheat::drop_in_cub`: all that CUB's namespace has, with reheat's classes in place of CUB's. A library that calls CUB as
//! `cub::…` inside a namespace of its own adds one line: `namespace mylib { namespace cub = reheat::drop_in_cub; }`. Then
//! `cub::DeviceScan` is reheat's in `mylib`, and `cub::BlockReduce` is CUB's as before. Outside of `mylib` nothing changes.
//! With -DREHEAT_PASSTHROUGH all names are CUB's.
//!
//! Names have to be written with `cub::` before them: after `using namespace cub;` the name of a class that both have is
//! ambiguous. What a program specializes of CUB's, it specializes in `::cub`.
#pragma once

#if !defined(__CUDACC__)
#  error "reheat: cub.cuh includes all of CUB, which needs nvcc; without nvcc, include reheat/device.cuh"
#endif

#include <reheat/device.cuh>

#include <cub/cub.cuh>

REHEAT_NAMESPACE_BEGIN
namespace drop_in_cub
{

using namespace CUB_NS_QUALIFIER;
#if !defined(REHEAT_PASSTHROUGH)
// A qualified name is looked up in the namespaces of using-directives only where the namespace itself does not have it, so
// these hide CUB's.
using reheat::DevicePartition;
using reheat::DeviceReduce;
using reheat::DeviceRunLengthEncode;
using reheat::DeviceScan;
using reheat::DeviceSegmentedReduce;
using reheat::DeviceSegmentedScan; // CUB has it from CCCL 3.3 on
using reheat::DeviceSelect;
#endif

} // namespace drop_in_cub
REHEAT_NAMESPACE_END

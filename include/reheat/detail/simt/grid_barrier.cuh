// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The barrier of a grid, for the ladder: its header is as much text as CUB's headers for reductions and scans.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/simt/simt.cuh>

#if !defined(REHEAT_EMULATED) // emulated/threads.h has it
#  include <cooperative_groups.h>

REHEAT_NAMESPACE_BEGIN
namespace simt
{

//! All threads of the grid meet. The launch is cooperative.
__device__ inline void sync_grid(condition when = {})
{
  when.holds ? cooperative_groups::this_grid().sync() : void();
}

} // namespace simt
REHEAT_NAMESPACE_END
#endif

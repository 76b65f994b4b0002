// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Protocol faults, switched on by tests to show that a test catches each. Without REHEAT_FAULT_SWITCHES, which only test
//! targets define, `fault_active` is a constant false and the kernels contain no trace of it.
#pragma once

#include <reheat/detail/config.cuh>

REHEAT_NAMESPACE_BEGIN
namespace simt
{

//! What a kernel does wrong when the switch is on.
enum class fault : int
{
  none = 0,
  commute_fold,        //!< look-back folds a group's slots with its operands swapped
  skip_prefix_wait,    //!< compute warps use a tile's prefix without waiting for the look-back warp
  skip_slot_wait,      //!< the reader of slots takes whatever they hold for ready
  drop_publish,        //!< one tile's aggregate is never published
  reuse_stage_early,   //!< a stage is handed back to the producer before its tile has been scanned
  read_past_end,       //!< the loader reads one item past the input
  skip_totals_barrier, //!< no barrier between writing the warps' aggregates and reading them
  divergent_barrier,   //!< one thread does not come to a block barrier
  keep_epoch,          //!< a launch leaves the epoch as it found it
};

#if defined(REHEAT_FAULT_SWITCHES)
#  if defined(REHEAT_EMULATED)
inline fault active_fault = fault::none;
#  else
static __device__ fault active_fault = fault::none; // per translation unit: set with cudaMemcpyToSymbol
#  endif
REHEAT_DEVICE inline bool fault_active(fault which)
{
  return active_fault == which;
}
#else
REHEAT_DEVICE constexpr bool fault_active(fault)
{
  return false;
}
#endif

} // namespace simt
REHEAT_NAMESPACE_END

// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! `reheat::simt` on the emulator: threads, launches that overlap, barriers.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/device_traits.cuh>
#include <reheat/detail/simt/emulated_calls.h>
#include <reheat/detail/simt/fault.cuh>

// The line of the call, as the last default argument.
#define REHEAT_CALL_SITE ::reheat::emulator::call_site at = {__builtin_FILE(), __builtin_LINE()}

REHEAT_NAMESPACE_BEGIN
namespace simt
{

namespace calls = ::reheat::emulator::calls;

// ---- what this code is compiled for ------------------------------------------------------------------------------------

inline constexpr int arch = library::emulated_arch;
inline constexpr unsigned all_lanes = 0xffffffffu;

// ---- who am I ------------------------------------------------------------------------------------------------------------

inline unsigned thread_index()
{
  return calls::current->thread;
}
inline unsigned block_threads()
{
  return calls::current->block_threads;
}
inline unsigned lane_index()
{
  return calls::current->lane;
}
inline unsigned warp_index()
{
  return calls::current->warp;
}
inline unsigned block_index()
{
  return calls::current->block;
}
inline unsigned grid_blocks()
{
  return calls::current->grid_blocks;
}

// ---- registers -----------------------------------------------------------------------------------------------------------

//! What has been computed from `value` is computed again behind this call, in place of being kept in registers.
template <class T>
void compute_again_from(T&)
{}

// ---- launches that overlap ----------------------------------------------------------------------------------------------

//! The next launch on the stream may start, if it is a programmatic one. Here launches overlap only where the schedules of
//! both are enumerated. Elsewhere a call before this launch's own grid_dependency_wait is reported, because launches would
//! gather on the multiprocessors.
inline void trigger_dependent_launch(REHEAT_CALL_SITE)
{
  calls::trigger_dependent_launch(at);
}
//! Returns when all earlier work on the stream has ended. Every thread of a programmatic launch calls this before it touches
//! global memory. An earlier access, or a thread that ends without the call, is reported.
inline void grid_dependency_wait(condition when = {}, REHEAT_CALL_SITE)
{
  when.holds ? calls::grid_dependency_wait(at) : void();
}

// ---- barriers ------------------------------------------------------------------------------------------------------------

//! All threads of the block meet. Unlike on the GPU, an exited thread does not count as arrived, and is reported.
inline void sync_block(condition when = {}, REHEAT_CALL_SITE)
{
  when.holds ? calls::sync_block(at) : void();
}
//! The lanes named in `lanes` meet.
inline void sync_warp(unsigned lanes = all_lanes, condition when = {}, REHEAT_CALL_SITE)
{
  when.holds ? calls::sync_warp(lanes, at) : void();
}
inline void sync_warp(condition when, REHEAT_CALL_SITE)
{
  sync_warp(all_lanes, when, at);
}
//! `threads` threads of the block, whole warps of them, meet at barrier `id` (1 … 15; 0 is sync_block's).
inline void sync_named(unsigned id, unsigned threads, condition when = {}, REHEAT_CALL_SITE)
{
  when.holds ? calls::sync_named(id, threads, at) : void();
}

//! All threads of the grid meet. The launch is cooperative.
inline void sync_grid(condition when = {}, REHEAT_CALL_SITE)
{
  when.holds ? calls::sync_grid(at) : void();
}

} // namespace simt
REHEAT_NAMESPACE_END

#undef REHEAT_CALL_SITE

// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! `reheat::simt` on the emulator: mbarriers.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/simt/emulated/threads.h>
#include <reheat/detail/simt/emulated_calls.h>
#include <reheat/detail/simt/fault.cuh>

#include <cstdint>

// The line of the call, as the last default argument.
#define REHEAT_CALL_SITE ::reheat::emulator::call_site at = {__builtin_FILE(), __builtin_LINE()}

REHEAT_NAMESPACE_BEGIN
namespace simt
{

// ---- mbarrier ------------------------------------------------------------------------------------------------------------
// A barrier in shared memory that counts arrivals and the bytes of bulk copies. Phases alternate in parity; the first has
// parity 0. A wait for parity p returns when the phase of that parity is complete.

struct alignas(8) mbarrier
{
  std::uint64_t state;
};

//! One thread initialises. mbarrier_init_fence and a block barrier must precede the first use.
inline void mbarrier_init(mbarrier& barrier, unsigned arrivals, REHEAT_CALL_SITE)
{
  calls::mbarrier_init(&barrier.state, arrivals, at);
}
//! Makes initialised barriers visible to bulk copies.
inline void mbarrier_init_fence(condition when = {})
{
  when.holds ? calls::mbarrier_init_fence() : void();
}
//! One arrival, with release at block scope.
inline void mbarrier_arrive(mbarrier& barrier, condition when = {}, REHEAT_CALL_SITE)
{
  when.holds ? calls::mbarrier_arrive(&barrier.state, at) : void();
}
//! One arrival that also makes the phase wait for `bytes` bytes of bulk copies.
inline void mbarrier_arrive_expect(mbarrier& barrier, unsigned bytes, REHEAT_CALL_SITE)
{
  calls::mbarrier_arrive_expect(&barrier.state, bytes, at);
}
//! Returns when the phase of this parity is complete, with acquire at block scope.
inline void mbarrier_wait(mbarrier& barrier, unsigned parity, condition when = {}, REHEAT_CALL_SITE)
{
  when.holds ? calls::mbarrier_wait(&barrier.state, parity, at) : void();
}

} // namespace simt
REHEAT_NAMESPACE_END

#undef REHEAT_CALL_SITE

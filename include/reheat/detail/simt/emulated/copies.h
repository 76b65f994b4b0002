// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! `reheat::simt` on the emulator: copies between global and shared memory.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/simt/emulated/mbarrier.h>
#include <reheat/detail/simt/emulated/threads.h>
#include <reheat/detail/simt/emulated_calls.h>
#include <reheat/detail/simt/fault.cuh>

// The line of the call, as the last default argument.
#define REHEAT_CALL_SITE ::reheat::emulator::call_site at = {__builtin_FILE(), __builtin_LINE()}

REHEAT_NAMESPACE_BEGIN
namespace simt
{

// ---- bulk copies between global and shared memory ------------------------------------------------------------------------
// Both addresses and the byte count are multiples of 16. A copy completes some time later, as late as the waits allow.

//! Prefetches memory into the L2 cache. Nothing happens here, but the memory must exist.
inline void prefetch(const void* global, unsigned bytes, REHEAT_CALL_SITE)
{
  calls::prefetch(global, bytes, at);
}
//! The same for a line of 128 bytes.
inline void prefetch_line(const void* global, REHEAT_CALL_SITE)
{
  calls::prefetch(global, 128, at);
}
//! Starts a copy into shared memory; its bytes count towards `barrier`.
inline void bulk_load(void* shared, const void* global, unsigned bytes, mbarrier& barrier, REHEAT_CALL_SITE)
{
  calls::bulk_load(shared, global, bytes, &barrier.state, at);
}
//! The same of lines that leave the L2 cache before others.
inline void bulk_load_once(void* shared, const void* global, unsigned bytes, mbarrier& barrier, REHEAT_CALL_SITE)
{
  calls::bulk_load(shared, global, bytes, &barrier.state, at);
}
//! Starts a copy out of shared memory, in the calling thread's current group. Threads that wrote the bytes have executed
//! async_proxy_fence and met the caller at a barrier. `evict`: the store carries the evict_first hint.
inline void bulk_store(void* global, const void* shared, unsigned bytes, bool /*evict*/ = false, REHEAT_CALL_SITE)
{
  calls::bulk_store(global, shared, bytes, at);
}
//! Closes the calling thread's current group of stores.
inline void bulk_commit(REHEAT_CALL_SITE)
{
  calls::bulk_commit(at);
}
//! Returns when all but the latest `Pending` groups of the calling thread have read their shared memory.
template <int Pending>
inline void bulk_wait_read(condition when = {}, REHEAT_CALL_SITE)
{
  when.holds ? calls::bulk_wait_read(Pending, at) : void();
}
//! Returns when all but the latest `Pending` groups of the calling thread are complete.
template <int Pending>
inline void bulk_wait(condition when = {}, REHEAT_CALL_SITE)
{
  when.holds ? calls::bulk_wait(Pending, at) : void();
}
//! Orders the calling thread's ordinary accesses to shared memory before later bulk copies.
inline void async_proxy_fence(condition when = {})
{
  when.holds ? calls::async_proxy_fence() : void();
}

// ---- copies of 16 bytes from global to shared memory ---------------------------------------------------------------------
// Like bulk copies they complete some time later. Both addresses are multiples of 16.

//! Starts a copy.
inline void vec16_load(void* shared, const void* global, REHEAT_CALL_SITE)
{
  calls::vec16_load(shared, global, at);
}
//! One arrival, which counts when all copies that the calling thread has started are complete. On the GPU it orders nothing
//! else.
inline void mbarrier_arrive_loaded(mbarrier& barrier, REHEAT_CALL_SITE)
{
  calls::mbarrier_arrive_loaded(&barrier.state, at);
}

} // namespace simt
REHEAT_NAMESPACE_END

#undef REHEAT_CALL_SITE

// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! `reheat::simt` on the emulator: the names and meanings of cuda.cuh, executed by src/emulator. Every call that may switch
//! to another CUDA thread also records the kernel's line, through a default argument that kernels never pass.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/device_traits.cuh>
#include <reheat/detail/simt/emulated_calls.h>
#include <reheat/detail/simt/fault.cuh>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

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

// ---- launches that overlap ----------------------------------------------------------------------------------------------

//! The next launch on the stream may start, if it is a programmatic one. Here launches never overlap. A call before this
//! launch's own grid_dependency_wait is reported, because launches would gather on the multiprocessors.
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

// ---- exchange within a warp ----------------------------------------------------------------------------------------------

namespace shuffle_detail
{
template <class T>
inline T exchange(calls::shuffle_kind kind, const T& value, unsigned argument, unsigned lanes,
                  ::reheat::emulator::call_site at)
{
  T result = value;
  calls::shuffle(kind, &value, static_cast<void*>(&result), sizeof(T), argument, lanes, at);
  return result;
}
} // namespace shuffle_detail

//! Returns the value of lane `source`. Every lane named in `lanes` calls.
template <class T>
inline T shuffle(const T& value, unsigned source, unsigned lanes = all_lanes, REHEAT_CALL_SITE)
{
  return shuffle_detail::exchange(calls::shuffle_kind::index, value, source, lanes, at);
}
//! Returns the value of the lane `distance` below; lanes below `distance` keep their own.
template <class T>
inline T shuffle_up(const T& value, unsigned distance, unsigned lanes = all_lanes, REHEAT_CALL_SITE)
{
  return shuffle_detail::exchange(calls::shuffle_kind::up, value, distance, lanes, at);
}
//! As shuffle_up. `in_range` says whether there is a lane `distance` below.
template <class T>
inline T shuffle_up_predicated(const T& value, unsigned distance, bool& in_range, unsigned lanes = all_lanes,
                               REHEAT_CALL_SITE)
{
  in_range = simt::lane_index() >= distance;
  return shuffle_detail::exchange(calls::shuffle_kind::up, value, distance, lanes, at);
}
//! Returns the value of the lane `distance` above; lanes from 32 − `distance` on keep their own.
template <class T>
inline T shuffle_down(const T& value, unsigned distance, unsigned lanes = all_lanes, REHEAT_CALL_SITE)
{
  return shuffle_detail::exchange(calls::shuffle_kind::down, value, distance, lanes, at);
}
//! Whether redux_add and redux_min exist.
inline constexpr bool has_redux = library::device_traits_of(arch).redux;
//! Gives every lane the sum over all lanes of the warp, modulo 2^32.
inline unsigned redux_add(unsigned value, REHEAT_CALL_SITE)
{
  for (unsigned distance = 1; distance < warp_lanes; distance *= 2)
  {
    value += simt::shuffle(value, simt::lane_index() ^ distance, all_lanes, at);
  }
  return value;
}
//! Gives every lane the lowest value of all lanes.
inline unsigned redux_min(unsigned value, REHEAT_CALL_SITE)
{
  for (unsigned distance = 1; distance < warp_lanes; distance *= 2)
  {
    const unsigned other = simt::shuffle(value, simt::lane_index() ^ distance, all_lanes, at);
    value = other < value ? other : value;
  }
  return value;
}
inline bool all(bool predicate, unsigned lanes = all_lanes, REHEAT_CALL_SITE)
{
  return calls::vote(calls::vote_kind::all, predicate, lanes, at) == lanes;
}
inline bool any(bool predicate, unsigned lanes = all_lanes, REHEAT_CALL_SITE)
{
  return calls::vote(calls::vote_kind::any, predicate, lanes, at) != 0;
}
inline unsigned ballot(bool predicate, unsigned lanes = all_lanes, REHEAT_CALL_SITE)
{
  return calls::vote(calls::vote_kind::ballot, predicate, lanes, at);
}
inline unsigned count_ones(unsigned bits)
{
  return static_cast<unsigned>(__builtin_popcount(bits));
}
inline unsigned highest_one(unsigned bits)
{
  return 31 - static_cast<unsigned>(__builtin_clz(bits));
}

// ---- bytes of a word -----------------------------------------------------------------------------------------------------

inline unsigned add_bytes(unsigned word, unsigned weights, unsigned sum)
{
  for (unsigned shift = 0; shift < 32; shift += 8)
  {
    sum += (word >> shift & 0xff) * (weights >> shift & 0xff);
  }
  return sum;
}
inline unsigned pack_bytes(unsigned b0, unsigned b1, unsigned b2, unsigned b3)
{
  return (b0 & 0xff) | (b1 & 0xff) << 8 | (b2 & 0xff) << 16 | b3 << 24;
}

// ---- global memory shared between blocks: GPU scope ----------------------------------------------------------------------
// Accesses are atomic although one OS thread runs a launch, because launches of two OS threads may share memory.

template <class Word>
inline std::remove_const_t<Word> load_relaxed(Word* address, REHEAT_CALL_SITE)
{
  calls::before_load(at);
  return __atomic_load_n(address, __ATOMIC_RELAXED);
}
template <class Word>
inline std::remove_const_t<Word> load_acquire(Word* address, REHEAT_CALL_SITE)
{
  calls::before_load(at);
  return __atomic_load_n(address, __ATOMIC_ACQUIRE);
}
template <class Word>
inline void store_relaxed(Word* address, Word value, REHEAT_CALL_SITE)
{
  calls::before_store(at);
  if (__atomic_exchange_n(address, value, __ATOMIC_RELAXED) != value)
  {
    calls::memory_changed();
  }
}
template <class Word>
inline void store_release(Word* address, Word value, REHEAT_CALL_SITE)
{
  calls::before_store(at);
  if (__atomic_exchange_n(address, value, __ATOMIC_RELEASE) != value)
  {
    calls::memory_changed();
  }
}
//! Adds with acquire and release. Returns the previous value.
template <class Word>
inline Word fetch_add(Word* address, Word value, REHEAT_CALL_SITE)
{
  calls::before_atomic(at);
  const Word before = __atomic_fetch_add(address, value, __ATOMIC_ACQ_REL);
  if (value != Word{0})
  {
    calls::memory_changed();
  }
  return before;
}
//! Adds without ordering other accesses. Returns the previous value. Word may also be a signed integer of 4 or 8 bytes,
//! float or double.
template <class Word>
inline Word fetch_add_relaxed(Word* address, Word value, REHEAT_CALL_SITE)
{
  calls::before_atomic(at);
  Word before;
  if constexpr (std::is_floating_point_v<Word>)
  {
    __atomic_load(address, &before, __ATOMIC_RELAXED);
    Word after = before + value;
    while (!__atomic_compare_exchange(address, &before, &after, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
    {
      after = before + value;
    }
  }
  else
  {
    before = __atomic_fetch_add(address, value, __ATOMIC_RELAXED);
  }
  if (value != Word{0})
  {
    calls::memory_changed();
  }
  return before;
}
//! Loads `Words` neighbouring 64-bit words, each atomically on its own, in no order among them. Other threads may run
//! between two words.
template <unsigned Words>
inline void load_words_relaxed(const std::uint64_t* address, std::uint64_t (&word)[Words], REHEAT_CALL_SITE)
{
  const unsigned first = calls::first_word(Words, address, at);
  for (unsigned i = 0; i < Words; ++i)
  {
    const unsigned k = (first + i) % Words;
    word[k] = simt::load_relaxed(address + k, at);
  }
}
//! Stores as load_words_relaxed loads.
template <unsigned Words>
inline void store_words_relaxed(std::uint64_t* address, const std::uint64_t (&word)[Words], REHEAT_CALL_SITE)
{
  const unsigned first = calls::first_word(Words, address, at);
  for (unsigned i = 0; i < Words; ++i)
  {
    const unsigned k = (first + i) % Words;
    simt::store_relaxed(address + k, word[k], at);
  }
}
//! Stores neighbouring words of 1, 2, 4 or 8 bytes, aligned to their size, while the host may read each. Here the stores are
//! plain, since the host reads after the launch and ThreadSanitizer reports two plain stores that race.
template <class Word, unsigned Words>
inline void store_words_to_host(Word* address, const Word (&word)[Words])
{
  for (unsigned i = 0; i < Words; ++i)
  {
    memcpy(static_cast<void*>(address + i), word + i, sizeof(Word)); // an object of another type
  }
}
//! Every loop that polls memory calls this. It lets other threads run. How long one pauses is a matter of GPUs.
inline void backoff(bool = false, REHEAT_CALL_SITE)
{
  calls::backoff(at);
}

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

// ---- shared memory -------------------------------------------------------------------------------------------------------

//! Whether the launch must also request the memory of static arrays.
inline constexpr bool static_arrays_are_dynamic = true;

//! Hands out the block's dynamic shared memory, array by array. Every thread asks for the same arrays in the same order.
class shared_memory
{
public:
  //! Uninitialised memory for `count` objects.
  template <class T>
  T* array(unsigned count, std::size_t alignment = alignof(T), REHEAT_CALL_SITE)
  {
    return static_cast<T*>(calls::shared_array(index_++, count * sizeof(T), alignment, at));
  }
  //! The same for a constant size. On the GPU, the launch does not request this memory.
  template <class T, unsigned Count>
  T* static_array(REHEAT_CALL_SITE)
  {
    return array<T>(Count, alignof(T), at);
  }

private:
  unsigned index_ = 0;
};

} // namespace simt
REHEAT_NAMESPACE_END

#undef REHEAT_CALL_SITE

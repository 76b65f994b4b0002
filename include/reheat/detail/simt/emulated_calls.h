// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The untyped calls behind emulated.h, compiled in src/emulator. Each takes the line of the kernel that calls.
#pragma once

#include <reheat/detail/config.cuh>

#include <cstddef>
#include <cstdint>

#pragma GCC visibility push(default) // one emulator per program and version, whatever flags its translation units have
namespace reheat
{
inline namespace REHEAT_MACHINE
{
namespace emulator
{

//! A line of a kernel, for reports.
struct call_site
{
  const char* file;
  int line;
};

namespace calls
{

//! Which bytes of a value hold nothing: 1 for each of them, and 0 for the others; null if none is known.
struct value_layout
{
  std::size_t bytes;
  const unsigned char* is_padding;
};

//! The indices of the running CUDA thread.
struct identity
{
  unsigned thread;
  unsigned lane;
  unsigned warp;
  unsigned block;
  unsigned block_threads;
  unsigned grid_blocks;
};
//! Never null. Outside kernels it points to zeros. `thread_local` would cost a call to the initialiser at each access.
extern __thread const identity* current;

void trigger_dependent_launch(call_site at);
void grid_dependency_wait(call_site at);

void sync_block(call_site at);
void sync_warp(unsigned lanes, call_site at);
void sync_named(unsigned id, unsigned threads, call_site at);
void sync_grid(call_site at);

enum class shuffle_kind
{
  index,
  up,
  down
};
//! Moves `bytes` bytes between lanes; `*result` holds the caller's own value before the call.
void shuffle(shuffle_kind kind, const void* value, void* result, std::size_t bytes, unsigned argument, unsigned lanes,
             call_site at);
enum class vote_kind
{
  all,
  any,
  ballot
};
//! The lanes whose predicate holds.
unsigned vote(vote_kind kind, bool predicate, unsigned lanes, call_site at);

//! Adds 1 to *counter, or nothing if that is null, and returns what was there before. All lanes of the warp call, and take
//! turns in an order of the scheduler's.
std::uint32_t shared_add_of_warp(std::uint32_t* counter, call_site at);

//! Precede an access to memory that blocks share. The scheduler may switch there.
void before_load(const void* word, call_site at);
void before_store(const void* word, call_site at);
void before_atomic(const void* word, call_site at);
//! Tells the deadlock detection that memory changed. The scheduler may switch here, too.
void memory_changed();
//! The word with which an access to several words at `address` starts.
unsigned first_word(unsigned words, const void* address, call_site at);
void backoff(call_site at);

void mbarrier_init(std::uint64_t* state, unsigned arrivals, call_site at);
void mbarrier_init_fence();
void mbarrier_arrive(std::uint64_t* state, call_site at);
void mbarrier_arrive_expect(std::uint64_t* state, unsigned bytes, call_site at);
void mbarrier_wait(std::uint64_t* state, unsigned parity, call_site at);

void prefetch(const void* global, unsigned bytes, call_site at);
void bulk_load(void* shared, const void* global, unsigned bytes, std::uint64_t* state, call_site at);
void bulk_store(void* global, const void* shared, unsigned bytes, call_site at);
void vec16_load(void* shared, const void* global, call_site at);
void mbarrier_arrive_loaded(std::uint64_t* state, call_site at);
void bulk_commit(call_site at);
void bulk_wait_read(unsigned pending_groups, call_site at);
void bulk_wait(unsigned pending_groups, call_site at);
void async_proxy_fence();

//! The block's shared array number `index`, made by the block's first caller.
void* shared_array(unsigned index, std::size_t bytes, std::size_t alignment, value_layout values, call_site at);

} // namespace calls
} // namespace emulator
} // namespace REHEAT_MACHINE
} // namespace reheat
#pragma GCC visibility pop

// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The state of resident blocks: their threads, warps, barriers and shared arrays. Operations on it are methods of
//! `machine`.
#pragma once

#include "fiber.h"
#include "race_detector.h"

#include <reheat/detail/simt/emulated_calls.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <unordered_set>
#include <vector>

namespace reheat::REHEAT_MACHINE::emulator
{

inline constexpr unsigned warp_lanes = 32;
inline constexpr unsigned block_warps = 32; //!< at most
inline constexpr unsigned named_barriers = 16;

struct block;
struct warp;

//! Why a thread that is not runnable is not.
enum class activity
{
  at_block_barrier,
  at_named_barrier,
  at_grid_barrier,
  in_collective,
  at_mbarrier,
  at_bulk_read, //!< waits until its bulk stores have read shared memory
  at_bulk_done, //!< waits until its bulk stores are complete
  polling,
  stalled, //!< by the scheduler, for no reason of its own
  exited
};

//! A load, where operations are enumerated.
struct look
{
  const void* word;
  std::uint32_t writes; //!< of the word, before
  bool unwritten;       //!< nobody had written it in this launch
  call_site at;
};

//! What one vec16_load copies.
struct vec16_place
{
  unsigned char* shared;
  unsigned char* global;
};

//! The bulk stores between two commits of one thread, in copies.
struct store_group
{
  unsigned unread = 0;
  unsigned unwritten = 0;
  race::edge read = race::new_edge();
  race::edge written = race::new_edge();
};

//! The members that every switch touches fill the first two cache lines.
struct alignas(64) cuda_thread : calls::identity
{
  struct block* home = nullptr; // `block` and `warp` alone are the thread's indices
  struct warp* team = nullptr;
  call_site at = {nullptr, 0};       //!< the latest call that could wait
  activity doing = activity::exited; //!< valid while not runnable
  unsigned operand = 0;              //!< of that call: barrier id, parity or pending groups

  // Of a collective operation, read by the lane that completes it.
  const void* value = nullptr;
  void* result = nullptr;
  unsigned argument = 0;
  unsigned ballot = 0;

  fiber context;
  race::shadow shadow;
  bool waited = false;   //!< for the work before the launch
  bool parked = false;   //!< its body is done: the fiber can take the next block's thread as it is
  unsigned mbarrier = 0; //!< number of the mbarrier waited at

  std::vector<look> looks;            //!< where operations are enumerated: since the latest poll in vain
  std::vector<vec16_place> vec16s;    //!< that no mbarrier_arrive_loaded has counted yet
  std::vector<store_group> groups;    //!< the last one is still open
  std::size_t groups_dropped = 0;     //!< complete ones, no longer in `groups`
  std::size_t groups_waited_read = 0; //!< this many groups were waited for, at least for their reads
};

enum class collective_kind
{
  sync_warp,
  shuffle,
  shuffle_up,
  shuffle_down,
  all,
  any,
  ballot,
  shared_add
};

//! A collective operation some lanes of which have arrived.
struct collective
{
  collective_kind kind;
  unsigned lanes;
  unsigned arrived;
  unsigned ballot;
  std::size_t bytes;
  race::edge edge; //!< of sync_warp: shuffles and votes order no memory
};

struct warp
{
  block* home = nullptr;
  unsigned index = 0;
  unsigned existing = 0; //!< lanes; fewer than 32 in the last warp of an odd block
  unsigned runnable = 0;
  unsigned exited = 0;
  unsigned at_block_barrier = 0;
  unsigned last_lane = 0;
  unsigned open_collectives = 0;
  call_site looked_at = {nullptr, 0}; //!< where operations are enumerated: the latest load
  std::array<collective, warp_lanes> open;
  std::array<cuda_thread*, warp_lanes> lanes;
};

struct named_barrier
{
  unsigned threads = 0; //!< as the first arriver said
  unsigned arrived = 0;
  call_site first = {nullptr, 0};
  race::edge edge = nullptr;
  std::array<unsigned, block_warps> waiting = {}; //!< lanes, per warp
};

struct byte_range
{
  unsigned char* first;
  std::size_t bytes;
};

struct mbarrier_state
{
  std::uint64_t* address = nullptr;
  call_site initialised = {nullptr, 0};
  bool fenced = false;            //!< mbarrier_init_fence has made it known to bulk copies
  race::edge arrived = nullptr;   //!< in this phase
  race::edge completed = nullptr; //!< in the phase before
  unsigned expected = 0;          //!< arrivals per phase
  unsigned pending = 0;           //!< arrivals missing in this phase
  long pending_bytes = 0;         //!< below zero when copies complete before they are expected
  unsigned phase = 0;
  std::vector<cuda_thread*> waiting;
  std::vector<byte_range> landed; //!< by bulk loads of this phase: readable when it is complete
};

struct shared_array
{
  std::vector<unsigned char> storage;
  unsigned char* data = nullptr;
  std::size_t bytes = 0;
  std::size_t alignment = 0;
  call_site at = {nullptr, 0};
};

struct block
{
  unsigned index = 0;
  unsigned threads = 0;
  unsigned live = 0;
  unsigned runnable_warps = 0;
  int place = -1; //!< in the machine's list of runnable blocks
  unsigned last_warp = 0;
  unsigned barrier_arrived = 0;
  race::edge barrier_edge = nullptr; //!< of the threads that have arrived
  race::edge proxy_edge = nullptr;   //!< released by async_proxy_fence: what bulk copies may count on
  bool resident = false;
  bool lets_next_start = false; //!< a thread has called trigger_dependent_launch

  std::deque<cuda_thread> thread; //!< as many as the largest block in this place needed
  std::array<warp, block_warps> warps;
  std::array<named_barrier, named_barriers> named;
  std::deque<mbarrier_state> mbarriers; //!< the first `mbarriers_used` belong to this block
  unsigned mbarriers_used = 0;
  std::deque<shared_array> arrays; //!< likewise
  unsigned arrays_used = 0;
  std::size_t shared_used = 0;
  std::unordered_set<const unsigned char*> loading; //!< vectors of shared memory that vec16_loads have not filled yet
};

} // namespace reheat::REHEAT_MACHINE::emulator

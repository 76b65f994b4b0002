// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Shuffles, votes and sync_warp: the lanes arrive one after the other and sleep; the last one moves all values, while every
//! lane's operands still stand on its stack, and wakes the others.
#include "inline_scheduler.h"

#include <cstdint>
#include <cstring>

namespace reheat::REHEAT_MACHINE::emulator
{
namespace
{

const char* name(collective_kind kind)
{
  constexpr const char* names[] = {"sync_warp", "shuffle", "shuffle_up", "shuffle_down",
                                   "all",       "any",     "ballot",     "shared_add_of_warp"};
  return names[static_cast<unsigned>(kind)];
}

unsigned lowest(unsigned lanes)
{
  return static_cast<unsigned>(__builtin_ctz(lanes));
}

// Constant sizes compile to one move.
void copy_value(void* to, const void* from, std::size_t bytes)
{
  switch (bytes)
  {
    case 4:
      std::memcpy(to, from, 4);
      break;
    case 8:
      std::memcpy(to, from, 8);
      break;
    default:
      std::memcpy(to, from, bytes);
  }
}

// What a lane gets that reads beside the named lanes: the hardware promises nothing.
constexpr int undefined_byte = 0xa5;

} // namespace

void machine::collect(collective_kind kind, unsigned lanes, std::size_t bytes, call_site at)
{
  cuda_thread& who = *self_;
  warp& team = *who.team;
  who.at = at;
  const unsigned me = 1u << who.lane;
  if ((lanes & me) == 0)
  {
    fail(at, "%s for lanes %08x by a lane that is not among them", name(kind), lanes);
  }
  if ((lanes & ~team.existing) != 0)
  {
    fail(at, "%s for lanes %08x names lane %u, which does not exist in this block of %u threads", name(kind), lanes,
         lowest(lanes & ~team.existing), who.block_threads);
  }
  if ((lanes & team.exited) != 0)
  {
    fail(at, "%s for lanes %08x names lane %u, which has exited", name(kind), lanes, lowest(lanes & team.exited));
  }
  if ((lanes & team.at_block_barrier) != 0)
  {
    const cuda_thread& other = *team.lanes[lowest(lanes & team.at_block_barrier)];
    fail(at, "%s for lanes %08x names lane %u, which waits in sync_block at %s:%d", name(kind), lanes, other.lane,
         other.at.file, other.at.line);
  }
  collective& joined = join(kind, lanes, bytes, at);
  joined.arrived |= me;
  joined.ballot |= who.ballot << who.lane;
  const race::edge edge = joined.edge;
  if (edge != nullptr)
  {
    race::release(edge);
  }
  sleep(who);
  who.doing = activity::in_collective;
  if (joined.arrived == lanes)
  {
    const collective done = joined;
    joined = team.open[--team.open_collectives];
    complete(team, done, at);
  }
  reschedule();
  if (edge != nullptr)
  {
    race::acquire(edge);
  }
}

collective& machine::join(collective_kind kind, unsigned lanes, std::size_t bytes, call_site at)
{
  warp& team = *self_->team;
  collective* joined = nullptr;
  for (unsigned i = 0; i < team.open_collectives; ++i)
  {
    collective& other = team.open[i];
    if (other.kind == kind && other.lanes == lanes && other.bytes == bytes)
    {
      joined = &other;
      continue;
    }
    // They wait for this lane, and it for one of them: neither operation could ever complete.
    if ((other.lanes & 1u << self_->lane) != 0 && (other.arrived & lanes) != 0)
    {
      const cuda_thread& first = *team.lanes[lowest(other.arrived & lanes)];
      fail(at, "%s of %zu bytes for lanes %08x, but lane %u waits for this lane in %s of %zu bytes for lanes %08x at %s:%d",
           name(kind), bytes, lanes, first.lane, name(other.kind), other.bytes, other.lanes, first.at.file, first.at.line);
    }
  }
  if (joined != nullptr)
  {
    return *joined;
  }
  collective& opened = team.open[team.open_collectives++];
  opened = {kind, lanes, 0, 0, bytes, kind == collective_kind::sync_warp ? race::new_edge() : nullptr};
  return opened;
}

void machine::complete(warp& team, const collective& done, call_site at)
{
  switch (done.kind)
  {
    case collective_kind::sync_warp:
      break;
    case collective_kind::shuffle:
    case collective_kind::shuffle_up:
    case collective_kind::shuffle_down:
      move_values(team, done, at);
      break;
    case collective_kind::shared_add:
      add_in_turns(team);
      break;
    default:
      for (unsigned left = done.lanes; left != 0; left &= left - 1)
      {
        team.lanes[lowest(left)]->ballot = done.ballot;
      }
  }
  wake(team, done.lanes);
}

void machine::move_values(warp& team, const collective& done, call_site at)
{
  for (unsigned left = done.lanes; left != 0; left &= left - 1)
  {
    const cuda_thread& reader = *team.lanes[lowest(left)];
    unsigned source = 0;
    if (done.kind == collective_kind::shuffle)
    {
      source = reader.argument % warp_lanes;
      if ((done.lanes >> source & 1u) == 0)
      {
        fail(at, "shuffle for lanes %08x: lane %u reads from lane %u, which is not among them (at %s:%d)", done.lanes,
             reader.lane, source, reader.at.file, reader.at.line);
      }
    }
    else
    {
      source = done.kind == collective_kind::shuffle_up ? reader.lane - reader.argument : reader.lane + reader.argument;
      if (source >= warp_lanes || reader.argument >= warp_lanes)
      {
        continue; // keeps its own
      }
      if ((done.lanes >> source & 1u) == 0)
      {
        std::memset(reader.result, undefined_byte, done.bytes);
        continue;
      }
    }
    copy_value(reader.result, team.lanes[source]->value, done.bytes);
  }
}

void machine::check_exit(cuda_thread& who)
{
  const warp& team = *who.team;
  const block& home = *who.home;
  for (unsigned i = 0; i < team.open_collectives; ++i)
  {
    const collective& open = team.open[i];
    if ((open.lanes >> who.lane & 1u) != 0)
    {
      const cuda_thread& waits = *team.lanes[lowest(open.arrived)];
      fail(waits.at, "lane %u exits, but lane %u waits for it in %s for lanes %08x, which names an exited lane then",
           who.lane, waits.lane, name(open.kind), open.lanes);
    }
  }
  if (!who.waited && earlier_ == nullptr)
  {
    fail(who.at, "a thread exits without grid_dependency_wait, in a launch that starts early");
  }
  if (!who.vec16s.empty())
  {
    fail(who.at, "a thread exits without mbarrier_arrive_loaded after its latest %zu vec16_loads", who.vec16s.size());
  }
  if (grid_arrived_ != 0)
  {
    fail(who.at, "a thread exits while %llu threads of the grid wait in sync_grid",
         static_cast<unsigned long long>(grid_arrived_));
  }
  if (home.barrier_arrived != 0)
  {
    for (unsigned w = 0; w < block_warps; ++w)
    {
      if (home.warps[w].at_block_barrier != 0)
      {
        const cuda_thread& waits = *home.warps[w].lanes[lowest(home.warps[w].at_block_barrier)];
        fail(waits.at, "a thread exits while %u of %u threads wait in sync_block, as warp %u lane %u does",
             home.barrier_arrived, home.threads, w, waits.lane);
      }
    }
  }
  const std::size_t committed = who.groups_dropped + who.groups.size() - 1;
  const bool open_group = who.groups.back().unread != 0 || who.groups.back().unwritten != 0;
  if (open_group || who.groups_waited_read < committed)
  {
    fail(who.at, "a thread exits without waiting for its bulk stores to have read shared memory: %s",
         open_group ? "the last group is not committed" : "bulk_wait_read or bulk_wait is missing");
  }
  for (bulk_copy& copy : copies_)
  {
    copy.owner = copy.owner == &who ? nullptr : copy.owner;
  }
}

// ---- calls of the kernel -------------------------------------------------------------------------------------------------

namespace calls
{

void sync_warp(unsigned lanes, call_site at)
{
  const kernel_call on("sync_warp");
  ++on->count().warp_barriers;
  on->collect(collective_kind::sync_warp, lanes, 0, at);
}

void shuffle(shuffle_kind kind, const void* value, void* result, std::size_t bytes, unsigned argument, unsigned lanes,
             call_site at)
{
  const kernel_call on("shuffle");
  ++on->count().shuffles;
  cuda_thread& who = on->self();
  who.value = value;
  who.result = result;
  who.argument = argument;
  constexpr collective_kind kinds[] = {collective_kind::shuffle, collective_kind::shuffle_up, collective_kind::shuffle_down};
  on->collect(kinds[static_cast<unsigned>(kind)], lanes, bytes, at);
}

unsigned vote(vote_kind kind, bool predicate, unsigned lanes, call_site at)
{
  const kernel_call on("vote");
  ++on->count().votes;
  cuda_thread& who = on->self();
  who.ballot = predicate ? 1 : 0;
  constexpr collective_kind kinds[] = {collective_kind::all, collective_kind::any, collective_kind::ballot};
  on->collect(kinds[static_cast<unsigned>(kind)], lanes, 0, at);
  return who.ballot;
}

std::uint32_t shared_add_of_warp(std::uint32_t* counter, call_site at)
{
  const kernel_call on("shared_add_of_warp");
  cuda_thread& who = on->self();
  std::uint32_t before = 0;
  who.value = counter;
  who.result = &before;
  on->collect(collective_kind::shared_add, 0xffffffffu, sizeof(std::uint32_t), at);
  return before;
}

} // namespace calls
} // namespace reheat::REHEAT_MACHINE::emulator

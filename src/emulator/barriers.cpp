// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
#include "inline_scheduler.h"

namespace reheat::REHEAT_MACHINE::emulator
{

void machine::sync_block(call_site at)
{
  cuda_thread& who = *self_;
  block& home = *who.home;
  warp& team = *who.team;
  ++counted_.barriers;
  who.at = at;
  if (home.live != home.threads)
  {
    fail(at, "sync_block can never complete: %u of %u threads of the block have exited", home.threads - home.live,
         home.threads);
  }
  const unsigned me = 1u << who.lane;
  for (unsigned i = 0; i < team.open_collectives; ++i)
  {
    if ((team.open[i].lanes & me) != 0)
    {
      const cuda_thread& other = *team.lanes[static_cast<unsigned>(__builtin_ctz(team.open[i].arrived))];
      fail(at, "sync_block, but lane %u of this warp waits for this lane at %s:%d", other.lane, other.at.file,
           other.at.line);
    }
  }
  if (home.barrier_arrived == 0)
  {
    home.barrier_edge = race::new_edge();
  }
  const race::edge edge = home.barrier_edge;
  race::release(edge);
  sleep(who);
  if (++home.barrier_arrived == home.threads)
  {
    home.barrier_arrived = 0;
    stuck_steps_ = 0;
    for (unsigned w = 0; w * warp_lanes < home.threads; ++w)
    {
      home.warps[w].at_block_barrier = 0;
      wake(home.warps[w], home.warps[w].existing);
    }
  }
  else
  {
    who.doing = activity::at_block_barrier;
    team.at_block_barrier |= me;
  }
  reschedule();
  race::acquire(edge);
}

void machine::sync_named(unsigned id, unsigned threads, call_site at)
{
  cuda_thread& who = *self_;
  block& home = *who.home;
  ++counted_.named_barriers;
  who.at = at;
  if (id == 0 || id >= named_barriers)
  {
    fail(at, "sync_named: barrier %u is not one of 1 … %u", id, named_barriers - 1);
  }
  const unsigned most = (home.threads + warp_lanes - 1) / warp_lanes * warp_lanes;
  if (threads == 0 || threads % warp_lanes != 0 || threads > most)
  {
    fail(at, "sync_named: %u threads at barrier %u; it takes whole warps of a block of %u threads", threads, id,
         home.threads);
  }
  named_barrier& barrier = home.named[id];
  if (barrier.arrived == 0)
  {
    barrier.threads = threads;
    barrier.first = at;
    barrier.edge = race::new_edge();
  }
  if (barrier.threads != threads)
  {
    fail(at, "sync_named: %u threads at barrier %u, but the first to arrive (%s:%d) said %u", threads, id,
         barrier.first.file, barrier.first.line, barrier.threads);
  }
  barrier.waiting[who.warp] |= 1u << who.lane;
  ++barrier.arrived;
  if (barrier.waiting[who.warp] == who.team->existing) // the missing lanes of an incomplete last warp count as arrived
  {
    barrier.arrived += warp_lanes - static_cast<unsigned>(__builtin_popcount(who.team->existing));
  }
  const race::edge edge = barrier.edge;
  race::release(edge);
  sleep(who);
  who.doing = activity::at_named_barrier;
  who.operand = id;
  if (barrier.arrived >= barrier.threads)
  {
    complete_named(barrier, id, at);
  }
  reschedule();
  race::acquire(edge);
}

void machine::complete_named(named_barrier& barrier, unsigned id, call_site at)
{
  block& home = *self_->home;
  for (unsigned w = 0; w < block_warps; ++w)
  {
    if (barrier.waiting[w] != 0 && barrier.waiting[w] != home.warps[w].existing)
    {
      fail(at, "sync_named: %u threads met at barrier %u, but of warp %u only lanes %08x: it takes whole warps",
           barrier.threads, id, w, barrier.waiting[w]);
    }
  }
  stuck_steps_ = 0;
  for (unsigned w = 0; w < block_warps; ++w)
  {
    if (barrier.waiting[w] != 0)
    {
      wake(home.warps[w], barrier.waiting[w]);
    }
  }
  barrier = {};
}

void machine::sync_grid(call_site at)
{
  cuda_thread& who = *self_;
  ++counted_.grid_barriers;
  who.at = at;
  const std::uint64_t threads = std::uint64_t{shape_.grid_blocks} * shape_.block_threads;
  if (!shape_.cooperative)
  {
    fail(at, "sync_grid in a launch that is not cooperative: nothing says that all %u blocks are resident",
         shape_.grid_blocks);
  }
  if (threads_ended_ != 0)
  {
    fail(at, "sync_grid can never complete: %llu of %llu threads of the grid have exited",
         static_cast<unsigned long long>(threads_ended_), static_cast<unsigned long long>(threads));
  }
  if (grid_arrived_ == 0)
  {
    grid_edge_ = race::new_edge();
  }
  const race::edge edge = grid_edge_;
  race::release(edge);
  sleep(who);
  who.doing = activity::at_grid_barrier;
  if (++grid_arrived_ == threads)
  {
    grid_arrived_ = 0;
    stuck_steps_ = 0;
    for (block& home : places_)
    {
      for (unsigned w = 0; home.resident && w * warp_lanes < home.threads; ++w)
      {
        wake(home.warps[w], home.warps[w].existing);
      }
    }
  }
  reschedule();
  race::acquire(edge);
}

// ---- calls of the kernel -------------------------------------------------------------------------------------------------

namespace calls
{

void sync_block(call_site at)
{
  kernel_call("sync_block")->sync_block(at);
}

void sync_named(unsigned id, unsigned threads, call_site at)
{
  kernel_call("sync_named")->sync_named(id, threads, at);
}

void sync_grid(call_site at)
{
  kernel_call("sync_grid")->sync_grid(at);
}

} // namespace calls
} // namespace reheat::REHEAT_MACHINE::emulator

// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The part of the scheduler that every switch goes through, inline: a switch costs about as much as its cache misses and
//! mispredicted branches, and each call on the way adds to both.
#pragma once

#include "machine.h"

namespace reheat::REHEAT_MACHINE::emulator
{

//! A bit of the mask, which is not 0; `start` is where random and cyclic order begin to look.
inline unsigned pick_bit(unsigned mask, order by, std::uint64_t start)
{
  // One form for all orders: the lowest bit of the rotated mask. The highest is the lowest from its own place on.
  const unsigned from = by == order::lowest    ? 0
                        : by == order::highest ? 31u - static_cast<unsigned>(__builtin_clz(mask))
                                               : static_cast<unsigned>(start % 32);
  const unsigned rotated = mask >> from | mask << ((32 - from) % 32);
  return (static_cast<unsigned>(__builtin_ctz(rotated)) + from) % 32;
}

inline cuda_thread* machine::pick_lane(warp& team, order by)
{
  const std::uint64_t start = by == order::random ? random_.next() >> 32 : team.last_lane + 1;
  team.last_lane = pick_bit(team.runnable, by, start);
  return team.lanes[team.last_lane];
}

inline cuda_thread* machine::pick()
{
  ++stuck_steps_;
  if (warp_steps_left_ == 0 || last_warp_->runnable == 0 || !copies_.empty() || !pollers_.empty() || !failure_.empty())
  {
    return pick_elsewhere();
  }
  --warp_steps_left_;
  return pick_lane(*last_warp_, habits_.lanes);
}

inline void machine::hand_over(cuda_thread* next)
{
  fiber& from = self_ != nullptr ? self_->context : host_;
  self_ = next;
  if (next == nullptr)
  {
    if (race::on())
    {
      __tsan_switch_to_fiber(host_shadow_, race::no_edge);
    }
    from.switch_to(host_);
    return;
  }
  calls::current = next;
  ++counted_.switches;
  counted_.schedule_hash =
      (counted_.schedule_hash ^ (std::uint64_t{next->block} << 10 | next->thread)) * 0x9e3779b97f4a7c15u + 1;
  next->shadow.enter();
  from.switch_to(next->context);
}

inline void machine::reschedule()
{
  cuda_thread* const next = pick();
  if (next != self_)
  {
    hand_over(next);
  }
}

inline void machine::maybe_reschedule(unsigned chance)
{
  if ((random_.next() >> 48) < chance)
  {
    reschedule();
  }
}

inline void machine::sleep(cuda_thread& who)
{
  warp& team = *who.team;
  team.runnable &= ~(1u << who.lane);
  if (team.runnable == 0)
  {
    block& home = *team.home;
    home.runnable_warps &= ~(1u << team.index);
    if (home.runnable_warps == 0)
    {
      block_sleeps(home);
    }
  }
}

inline void machine::wake(warp& team, unsigned lanes)
{
  block& home = *team.home;
  team.runnable |= lanes;
  home.runnable_warps |= 1u << team.index;
  if (home.place < 0)
  {
    home.place = static_cast<int>(runnable_.size());
    runnable_.push_back(&home);
  }
}

inline void machine::wake(cuda_thread& who)
{
  wake(*who.team, 1u << who.lane);
}

} // namespace reheat::REHEAT_MACHINE::emulator

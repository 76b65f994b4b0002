// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
#include "inline_scheduler.h"

namespace reheat::REHEAT_MACHINE::emulator
{
namespace
{

// Pollers may look this often at memory that does not change before the launch counts as deadlocked; loops that only pass
// time with backoff are shorter.
constexpr unsigned idle_rounds_limit = 1000;
// Catches threads that poll without backoff: some seconds.
constexpr std::uint64_t stuck_steps_limit = std::uint64_t{1} << 24;
// From then on pollers wake only when nothing else can run, so that idle rounds are counted however many poll.
constexpr std::uint64_t calm_after_steps = std::uint64_t{1} << 16;
// With more blocks than this the orders other than random would cost too much.
constexpr std::size_t ordered_blocks = 64;

} // namespace

block* machine::pick_block(bool any)
{
  const std::size_t candidates = runnable_.size();
  if (candidates == 1)
  {
    return runnable_[0];
  }
  if (any || habits_.blocks == order::random || candidates > ordered_blocks)
  {
    return runnable_[random_.below(static_cast<unsigned>(candidates))];
  }
  // Keys make all three orders "the smallest": cyclic counts from the block after the last one.
  block* best = nullptr;
  unsigned best_key = 0;
  for (block* const candidate : runnable_)
  {
    const unsigned key = habits_.blocks == order::lowest    ? candidate->index
                         : habits_.blocks == order::highest ? ~candidate->index
                                                            : candidate->index - last_block_ - 1;
    if (best == nullptr || key < best_key)
    {
      best = candidate;
      best_key = key;
    }
  }
  return best;
}

cuda_thread* machine::pick_elsewhere()
{
  if (enumerator_ != nullptr)
  {
    return failure_.empty() && stuck_steps_ <= stuck_steps_limit ? pick_enumerated() : nullptr;
  }
  const std::uint64_t bits = random_.next();
  if (!copies_.empty() && (bits & 0xffff) < habits_.advance_copy)
  {
    advance_copy();
  }
  // Polling memory that has not changed finds nothing new; a look-back that did so took 99 % of a scan's switches.
  const bool news = changes_ != changes_seen_ && stuck_steps_ < calm_after_steps;
  if (!pollers_.empty() && news && (bits >> 16 & 0xffff) < habits_.wake_pollers)
  {
    wake_pollers();
  }
  if (runnable_.empty() || stuck_steps_ > stuck_steps_limit || !failure_.empty())
  {
    return nullptr;
  }
  if (!stalled_.empty() && random_.below(65536) < habits_.wake_stalled)
  {
    wake_stalled();
  }
  else if (habits_.stall != 0 && random_.below(65536) < habits_.stall && stuck_steps_ < calm_after_steps)
  {
    stall();
    if (runnable_.empty())
    {
      return nullptr;
    }
  }
  const bool any = (bits >> 32 & 0xff) < habits_.any_instead;
  if (any || warp_steps_left_ == 0 || last_warp_ == nullptr || last_warp_->runnable == 0)
  {
    const bool stay = !any && block_steps_left_ != 0 && last_warp_ != nullptr && last_warp_->home->runnable_warps != 0;
    block* const home = stay ? last_warp_->home : pick_block(any);
    block_steps_left_ = stay ? block_steps_left_ - 1 : random_.below(2 * habits_.block_steps - 1);
    const order by = any ? order::random : habits_.warps;
    home->last_warp = pick_bit(home->runnable_warps, by, by == order::cyclic ? home->last_warp + 1 : bits >> 40);
    last_block_ = home->index;
    last_warp_ = &home->warps[home->last_warp];
    warp_steps_left_ = random_.below(2 * habits_.warp_steps - 1);
  }
  return pick_lane(*last_warp_, any ? order::random : habits_.lanes);
}

void machine::block_sleeps(block& home)
{
  block* const moved = runnable_.back();
  runnable_[static_cast<std::size_t>(home.place)] = moved;
  moved->place = home.place;
  home.place = -1;
  runnable_.pop_back();
}

void machine::wake_pollers()
{
  for (cuda_thread* const who : pollers_)
  {
    wake(*who);
  }
  pollers_.clear();
  changes_seen_ = changes_;
}

void machine::stall_lanes(warp& team, unsigned lanes)
{
  stalled_.emplace_back(&team, lanes);
  for (unsigned left = lanes; left != 0; left &= left - 1)
  {
    cuda_thread& who = *team.lanes[static_cast<unsigned>(__builtin_ctz(left))];
    who.doing = activity::stalled;
    sleep(who);
  }
}

void machine::stall()
{
  block& home = *runnable_[random_.below(static_cast<unsigned>(runnable_.size()))];
  const unsigned warps = home.runnable_warps;
  const unsigned chosen = pick_bit(warps, order::random, random_.next() >> 32);
  switch (habits_.stalls)
  {
    case stalled_unit::lane:
      stall_lanes(home.warps[chosen], 1u << pick_bit(home.warps[chosen].runnable, order::random, random_.next() >> 32));
      break;
    case stalled_unit::warp:
      stall_lanes(home.warps[chosen], home.warps[chosen].runnable);
      break;
    case stalled_unit::block:
      for (unsigned left = warps; left != 0; left &= left - 1)
      {
        warp& team = home.warps[__builtin_ctz(left)];
        stall_lanes(team, team.runnable);
      }
      break;
  }
}

void machine::wake_stalled()
{
  for (const auto& [team, lanes] : stalled_)
  {
    wake(*team, lanes);
  }
  stalled_.clear();
}

void machine::idle()
{
  if (!failure_.empty())
  {
    return;
  }
  if (stuck_steps_ > stuck_steps_limit)
  {
    failure_ = stuck_report("no progress: threads keep running, but none stores, arrives or exits (a polling loop without "
                            "backoff?)");
    return;
  }
  if (enumerator_ != nullptr)
  {
    failure_ = stuck_report("deadlock: no thread can go on");
    return;
  }
  if (!stalled_.empty() && (copies_.empty() || !habits_.copies_before_stalled))
  {
    wake_stalled();
    return;
  }
  idle_rounds_ = progress_ == progress_seen_ ? idle_rounds_ + 1 : 0;
  progress_seen_ = progress_;
  const bool hopeless = idle_rounds_ > idle_rounds_limit;
  if (!copies_.empty() && (pollers_.empty() || habits_.copies_before_pollers || changes_ == changes_seen_))
  {
    advance_copy();
  }
  else if (!pollers_.empty() && !hopeless)
  {
    wake_pollers();
  }
  else
  {
    failure_ = stuck_report("deadlock: no thread can go on");
  }
}

} // namespace reheat::REHEAT_MACHINE::emulator

// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! A launch whose operations are enumerated. One actor runs at a time, in steps. A step that operates begins with the
//! actor's next operation. After a load the actor goes on as far as it can without another operation; after a write it
//! stops, and going on is a step of its own. Nothing else is left to chance: bulk copies are complete when they have been
//! started.
#include "inline_scheduler.h"

#include <algorithm>

namespace reheat::REHEAT_MACHINE::emulator
{

void machine::begin_enumeration()
{
  enumerator* const tree = enumerator::active;
  const bool by_block = tree != nullptr && tree->plan().actors == actor_unit::block;
  actors_per_block_ = by_block ? 1 : (shape_.block_threads + warp_lanes - 1) / warp_lanes;
  earlier_ = tree != nullptr ? tree->earlier() : nullptr;
  all_blocks_ = shape_.grid_blocks * (earlier_ != nullptr ? 2 : 1);
  blocks_that_let_start_ = earlier_blocks_ended_ = 0;
  waiting_for_earlier_.clear();
  enumerator_ = tree != nullptr && tree->launch_begins(all_blocks_ * actors_per_block_, actors_per_block_) ? tree : nullptr;
  if (enumerator_ == nullptr)
  {
    earlier_ = nullptr;
    all_blocks_ = shape_.grid_blocks;
    return;
  }
  if (earlier_ != nullptr && (earlier_->shape.grid_blocks != shape_.grid_blocks || !shape_.early ||
                              earlier_->shape.block_threads != shape_.block_threads))
  {
    throw error("reheat emulator: launches overlap if they have as many blocks and threads, and the later one starts early");
  }
  habits_ = {};
  if (tree->plan().resident_blocks != 0)
  {
    places_wanted_ = std::min(places_wanted_, tree->plan().resident_blocks);
  }
  if ((places_wanted_ != 1 || earlier_ != nullptr) && places_wanted_ < shape_.grid_blocks)
  {
    tree->leaves_out(); // other orders in which blocks end, and the next ones start
  }
  places_wanted_ *= earlier_ != nullptr ? 2 : 1;
  actors_.assign(std::size_t{all_blocks_} * actors_per_block_, {});
  home_of_block_.assign(all_blocks_, nullptr);
  polls_.clear();
  granted_.clear();
  step_wrote_ = false;
  acting_ = enumerator::nobody;
}

unsigned machine::actor_of(const warp& team) const
{
  return team.home->index * actors_per_block_ + (actors_per_block_ == 1 ? 0 : team.index);
}

// The first of the actor's warps that can run without an operation, or null.
warp* machine::going_warp(unsigned actor)
{
  const unsigned index = actor / actors_per_block_;
  block* const home = home_of_block_[index];
  const bool is_there = home != nullptr && home->resident && home->index == index; // or another block has its place
  if (!is_there || home->runnable_warps == 0)
  {
    return nullptr;
  }
  if (enumerator_->plan().actors == actor_unit::block)
  {
    return &home->warps[__builtin_ctz(home->runnable_warps)];
  }
  warp& own = home->warps[actor % actors_per_block_];
  return own.runnable != 0 ? &own : nullptr;
}

bool machine::has_news(const poll& waiting, bool any) const
{
  const auto unwritten = [](const look& each) { return each.unwritten; };
  const auto news = [&](const look& each) { return enumerator_->writes_of(each.word) != each.writes; };
  const auto stale = [&](const look& each) { return unwritten(each) && !news(each); };
  const std::vector<look>& looks = waiting.looks;
  if (!any && std::any_of(looks.begin(), looks.end(), unwritten))
  {
    return std::none_of(looks.begin(), looks.end(), stale);
  }
  return looks.empty() || std::any_of(looks.begin(), looks.end(), news);
}

enumerator::actor_set machine::ready_actors(bool any_news)
{
  enumerator::actor_set ready = 0;
  for (unsigned actor = 0; actor < actors_.size(); ++actor)
  {
    const bool is_ready = !actors_[actor].ready.empty() || !actors_[actor].wrote.empty() || going_warp(actor) != nullptr;
    ready |= enumerator::actor_set{is_ready} << actor;
  }
  for (const poll& waiting : polls_)
  {
    ready |= enumerator::actor_set{has_news(waiting, any_news)} << actor_of(*waiting.team);
  }
  return ready;
}

// A poll looks again because of the first write to each word that it waits for. If any word will do, nothing says which one
// it was: then nothing is ordered, and other orders are explored that may turn out to be none.
void machine::follow_writes(const poll& waiting)
{
  for (const look& each : waiting.looks)
  {
    if (!any_news_ && each.unwritten)
    {
      enumerator_->follow_write(each.word, each.writes);
    }
  }
}

// The actor goes on: after its writes, and after looks in vain.
void machine::go_on(unsigned actor)
{
  for (cuda_thread* const who : actors_[actor].wrote)
  {
    wake(*who);
  }
  actors_[actor].wrote.clear();
  const auto looks_again = [&](const poll& waiting)
  {
    if (actor_of(*waiting.team) != actor || !has_news(waiting, any_news_))
    {
      return false;
    }
    follow_writes(waiting);
    wake(*waiting.team, waiting.lanes);
    return true;
  };
  polls_.erase(std::remove_if(polls_.begin(), polls_.end(), looks_again), polls_.end());
}

cuda_thread* machine::pick_enumerated()
{
  for (;;)
  {
    if (!granted_.empty())
    {
      cuda_thread* const next = granted_.back();
      granted_.pop_back();
      wake(*next);
      return next;
    }
    if (warp* const team = acting_ == enumerator::nobody || step_wrote_ ? nullptr : going_warp(acting_))
    {
      return team->lanes[__builtin_ctz(team->runnable)];
    }
    any_news_ = enumerator_->plan().looks == next_look::any_written;
    enumerator::actor_set ready = ready_actors(any_news_);
    if (ready == 0 && !any_news_) // nobody writes all of the words that a poll has looked at: any will have to do
    {
      any_news_ = true;
      ready = ready_actors(true);
    }
    if (ready == 0)
    {
      acting_ = enumerator::nobody;
      return nullptr;
    }
    acting_ = enumerator_->choose(ready);
    if (acting_ == enumerator::nobody)
    {
      failure_ = enumerator_->why_nobody();
      return nullptr;
    }
    step_wrote_ = false;
    // An actor that is ready for an operation performs it first: what its next step is must not depend on others.
    actors_[acting_].ready.empty() ? go_on(acting_) : operate();
  }
}

// The operations that the actor is ready for. Their threads perform them when they run.
void machine::operate()
{
  enumerator_->step_operates();
  std::vector<cuda_thread*>& ready = actors_[acting_].ready;
  const std::size_t count = enumerator_->plan().actors == actor_unit::block ? ready.size() : 1;
  granted_.assign(ready.rend() - static_cast<std::ptrdiff_t>(count), ready.rend()); // the last one comes first
  ready.erase(ready.begin(), ready.begin() + static_cast<std::ptrdiff_t>(count));
}

void machine::after_write()
{
  step_wrote_ = true;
  wait_in(&enumerated_actor::wrote);
}

void machine::wait_in(std::vector<cuda_thread*> enumerated_actor::*where)
{
  self_->doing = activity::stalled;
  sleep(*self_);
  (actors_[actor_of(*self_->team)].*where).push_back(self_);
  reschedule();
}

void machine::before_operation(const void* word, bool writes, call_site at)
{
  wait_in(&enumerated_actor::ready);
  const std::uint32_t before = enumerator_->accessed(word, writes);
  if (!writes)
  {
    self_->looks.push_back({word, before, before == enumerator_->writes_of_earlier(word), at});
    self_->team->looked_at = at;
  }
}

// What a poll has looked at: what the warp's lanes have loaded by the call that loaded last.
void machine::enumerated_backoff()
{
  cuda_thread& who = *self_;
  const auto same_team = [&](const poll& other) { return other.team == who.team; };
  auto waiting = std::find_if(polls_.begin(), polls_.end(), same_team);
  if (waiting == polls_.end())
  {
    waiting = polls_.insert(polls_.end(), poll{who.team, 0, {}});
  }
  waiting->lanes |= 1u << who.lane;
  for (const look& each : who.looks)
  {
    const call_site last = who.team->looked_at;
    if (each.at.line != last.line || each.at.file != last.file)
    {
      continue;
    }
    const auto same_word = [&](const look& other) { return other.word == each.word; };
    const auto known = std::find_if(waiting->looks.begin(), waiting->looks.end(), same_word);
    if (known == waiting->looks.end())
    {
      waiting->looks.push_back(each);
    }
    else
    {
      known->writes = each.writes; // looked at again
      known->unwritten = each.unwritten;
    }
  }
  who.looks.clear();
  sleep(who);
  reschedule();
}

// ---- launches that overlap -----------------------------------------------------------------------------------------------

bool machine::is_earlier(const block& home) const
{
  return earlier_ != nullptr && home.index < shape_.grid_blocks;
}

// A block lets the next launch start when its first thread says so. That launch's blocks start when all have, or have ended.
void machine::let_next_start()
{
  block& home = *self_->home;
  if (is_earlier(home) && !home.lets_next_start)
  {
    home.lets_next_start = true;
    enumerator_->lets_next_start();
    ++blocks_that_let_start_;
    admit();
  }
}

void machine::wait_for_earlier()
{
  if (earlier_ == nullptr || is_earlier(*self_->home))
  {
    return;
  }
  if (earlier_blocks_ended_ != shape_.grid_blocks)
  {
    self_->doing = activity::stalled;
    sleep(*self_);
    waiting_for_earlier_.push_back(self_);
    reschedule();
  }
  enumerator_->follow_earlier();
}

void machine::earlier_block_ends(const block& done)
{
  if (!done.lets_next_start)
  {
    enumerator_->ended_block_lets_next_start(done.index);
    ++blocks_that_let_start_;
  }
  if (++earlier_blocks_ended_ == shape_.grid_blocks)
  {
    enumerator_->earlier_ends();
    for (cuda_thread* const who : waiting_for_earlier_)
    {
      wake(*who);
    }
    waiting_for_earlier_.clear();
  }
}

void machine::complete_copies()
{
  while (enumerator_ != nullptr && !copies_.empty())
  {
    advance_copy();
  }
}

} // namespace reheat::REHEAT_MACHINE::emulator

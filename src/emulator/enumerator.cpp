// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
#include "enumerator.h"

#include <reheat/emulator.h>

#include <algorithm>
#include <exception>
#include <utility>

namespace reheat::REHEAT_MACHINE::emulator
{
namespace
{

// Of one execution. Real ones have some thousand; only a loop that polls without backoff has more.
constexpr std::size_t max_steps = 200000;

constexpr enumerator::actor_set only(unsigned actor)
{
  return enumerator::actor_set{1} << actor;
}

unsigned lowest(enumerator::actor_set actors)
{
  return static_cast<unsigned>(__builtin_ctzll(actors));
}

} // namespace

// ---- one execution after the other ---------------------------------------------------------------------------------------

enumeration enumerate(const enumeration_plan& plan, const std::function<std::string()>& execution)
{
  enumerator tree(plan);
  const std::uint64_t first_seed = seed();
  struct registration
  {
    explicit registration(enumerator* tree) { enumerator::active = tree; }
    registration(const registration&) = delete;
    registration& operator=(const registration&) = delete;
    ~registration() { enumerator::active = nullptr; }
  } const registered(&tree);
  do
  {
    set_seed(first_seed); // of launches that are not enumerated
    tree.execution_begins();
    try
    {
      tree.gave(execution());
    }
    catch (const std::exception& thrown)
    {
      tree.gave(thrown.what());
    }
    catch (...)
    {
      tree.gave("an exception that is none of the standard library's");
    }
  } while (tree.execution_ends());
  return tree.counted();
}

void enumerator::execution_begins()
{
  depth_ = 0;
  launches_ = 0;
  earlier_ = {};
  running_ = nullptr;
  abandoned_ = false;
  signature_ = 0;
}

void enumerator::launch_failed(const std::string& why)
{
  counted_.found = abandoned_ ? "" : why;
}

// What comes of an execution that was given up is no finding: its launch has not ended. And a launch that has failed is one,
// also if the execution takes no notice of its exception.
void enumerator::gave(const std::string& wrong)
{
  if (!abandoned_ && counted_.found.empty())
  {
    counted_.found = wrong;
  }
}

bool enumerator::execution_ends()
{
  end_step();
  std::uint64_t operations = 0;
  unsigned actors = 0;
  for (const std::uint32_t of_actor : operations_)
  {
    operations += of_actor;
    actors += of_actor != 0 ? 1 : 0;
  }
  if (abandoned_)
  {
    ++counted_.abandoned;
  }
  else
  {
    ++counted_.executions;
    classes_.insert(signature_);
    counted_.classes = classes_.size();
    counted_.operations = std::max(counted_.operations, operations);
    counted_.actors = std::max(counted_.actors, actors);
  }
  if (!counted_.found.empty())
  {
    return false;
  }
  path_.resize(depth_); // the rest is of an earlier execution, that was not given up so early
  while (!path_.empty())
  {
    node& last = path_.back();
    last.asleep.push_back({last.taken.actor, last.taken.operates, last.taken.operations});
    if (actor_set left = last.wanted & ~set_of(last.asleep))
    {
      if (counted_.executions + counted_.abandoned < plan_.max_executions)
      {
        last.taken = {};
        last.taken.actor = lowest(left);
        return true;
      }
      counted_.complete = false;
    }
    path_.pop_back();
  }
  return false;
}

bool enumerator::puts_off(const launch_shape& shape, void (*body)(void*), std::shared_ptr<void> argument)
{
  if (!plan_.overlaps || launches_ != plan_.launch || earlier_.body != nullptr)
  {
    return false;
  }
  if (argument == nullptr)
  {
    throw error("reheat emulator: a launch without a way to copy its argument cannot overlap with the next one");
  }
  earlier_ = {shape, body, std::move(argument)};
  return true;
}

bool enumerator::launch_begins(unsigned actors, unsigned actors_per_block)
{
  if (launches_++ != plan_.launch)
  {
    return false;
  }
  if (actors > max_actors)
  {
    throw error("reheat emulator: " + std::to_string(actors) + " actors are more than the " + std::to_string(max_actors) +
                " whose operations can be enumerated: take blocks for warps, or fewer of them");
  }
  actors_per_block_ = actors_per_block;
  clocks_.assign(actors, vector_clock(actors));
  operations_.assign(actors, 0);
  latest_.assign(actors, 0);
  ended_.assign(actors, 0);
  next_may_start_.assign(actors, 0);
  words_.clear();
  released_.clear();
  return true;
}

// ---- who comes next ------------------------------------------------------------------------------------------------------

enumerator::actor_set enumerator::set_of(const std::vector<sleeper>& asleep)
{
  actor_set all = 0;
  for (const sleeper& each : asleep)
  {
    all |= only(each.actor);
  }
  return all;
}

bool enumerator::depend(const std::vector<operation>& one, const std::vector<operation>& other)
{
  return std::any_of(one.begin(), one.end(),
                     [&](const operation& mine)
                     {
                       return std::any_of(other.begin(), other.end(),
                                          [&](const operation& theirs)
                                          { return mine.word == theirs.word && (mine.writes || theirs.writes); });
                     });
}

void enumerator::join(vector_clock& into, const vector_clock& other)
{
  for (std::size_t i = 0; i < other.size(); ++i)
  {
    into[i] = std::max(into[i], other[i]);
  }
}

// An actor goes on until it has written. What it does next then waits as long as others can go on, so a reader who trusts
// in more than the operations say does so in the first execution of its class.
unsigned enumerator::by_rule(actor_set candidates)
{
  if (plan_.rule != 0)
  {
    for (unsigned others = rule_.below(static_cast<unsigned>(__builtin_popcountll(candidates))); others != 0; --others)
    {
      candidates &= candidates - 1;
    }
    return lowest(candidates);
  }
  if (depth_ != 0)
  {
    const step& before = path_[depth_ - 1].taken;
    const auto writes = [](const operation& each) { return each.writes; };
    if ((candidates & only(before.actor)) != 0 && std::none_of(before.operations.begin(), before.operations.end(), writes))
    {
      return before.actor;
    }
  }
  unsigned longest_ago = lowest(candidates);
  for (actor_set left = candidates; left != 0; left &= left - 1)
  {
    longest_ago = latest_[lowest(left)] < latest_[longest_ago] ? lowest(left) : longest_ago;
  }
  return longest_ago;
}

void enumerator::add_node(actor_set ready)
{
  node next;
  if (depth_ != 0)
  {
    const node& before = path_[depth_ - 1];
    for (const sleeper& each : before.asleep)
    {
      // How far an actor goes that only goes on may depend on what its block has done.
      const bool same_block = each.actor / actors_per_block_ == before.taken.actor / actors_per_block_;
      const bool goes_on_alike = !(before.taken.releases && same_block) && !before.taken.releases_launch;
      if (!depend(each.operations, before.taken.operations) && (each.operates || goes_on_alike))
      {
        next.asleep.push_back(each);
      }
    }
  }
  const actor_set awake = ready & ~set_of(next.asleep);
  if (awake == 0)
  {
    return;
  }
  next.ready = ready;
  next.taken.actor = by_rule(awake);
  next.wanted = only(next.taken.actor);
  path_.push_back(std::move(next));
}

unsigned enumerator::choose(actor_set ready)
{
  end_step();
  if (depth_ == max_steps)
  {
    why_nobody_ = "no progress: operation follows operation (a polling loop without backoff?)";
    return nobody;
  }
  if (depth_ == path_.size())
  {
    add_node(ready);
    if (depth_ == path_.size())
    {
      abandoned_ = true;
      why_nobody_ = "given up: only executions of known classes follow";
      return nobody;
    }
  }
  node& here = path_[depth_];
  if (here.ready != ready)
  {
    why_nobody_ = "the same schedule has led to another state: an execution depends on more than its schedule";
    return nobody;
  }
  begin_step();
  return running_->actor;
}

void enumerator::begin_step()
{
  node& here = path_[depth_];
  running_ = &here.taken;
  const unsigned actor = running_->actor;
  running_->number = clocks_[actor][actor] + 1;
  running_->operates = running_->releases = running_->releases_launch = false;
  running_->operations.clear();
  running_->clock = clocks_[actor];
  running_->clock[actor] = running_->number;
}

void enumerator::end_step()
{
  if (running_ != nullptr)
  {
    clocks_[running_->actor] = running_->clock;
    latest_[running_->actor] = depth_++;
    running_ = nullptr;
  }
}

// ---- what it does --------------------------------------------------------------------------------------------------------

void enumerator::step_operates()
{
  running_->operates = true;
}

std::uint32_t enumerator::accessed(const void* word, bool writes)
{
  word_history& history = words_[word];
  const std::uint32_t before = static_cast<std::uint32_t>(history.written.size());
  running_->operations.push_back({word, writes});
  const auto follows = [&](std::size_t earlier)
  {
    const step& other = path_[earlier].taken;
    if (earlier != depth_ && running_->clock[other.actor] < other.number)
    {
      note_race(earlier);
      join(running_->clock, other.clock);
    }
  };
  if (writes)
  {
    std::for_each(history.reads.rbegin(), history.reads.rend(), follows);
  }
  if (before != 0)
  {
    follows(history.written.back());
  }
  if (writes)
  {
    history.written.push_back(depth_);
    history.reads.clear();
  }
  else
  {
    history.reads.push_back(depth_);
  }
  const std::uint64_t who = std::uint64_t{running_->actor} << 32 | operations_[running_->actor]++;
  const std::uint64_t what = reinterpret_cast<std::uintptr_t>(word) << 1 | (writes ? 1 : 0);
  signature_ += random_bits(random_bits(random_bits(who).next() ^ what).next() ^ before).next();
  return before;
}

// The step that runs and an earlier one depend on each other, and nothing orders them: the other order is to be explored as
// well, by some actor that can begin, before the earlier step, with what need not follow it.
void enumerator::note_race(std::size_t earlier)
{
  node& from = path_[earlier];
  const auto follows = [](const step& later, unsigned actor, std::uint32_t number) { return later.clock[actor] >= number; };
  std::uint32_t first[max_actors] = {}; // steps of those actors that come in between, or 0
  actor_set seen = 0, initials = 0;
  for (std::size_t i = earlier + 1; i <= depth_; ++i)
  {
    const step& later = path_[i].taken;
    if ((seen & only(later.actor)) != 0 || follows(later, from.taken.actor, from.taken.number))
    {
      continue;
    }
    bool begins = true;
    for (actor_set left = seen; left != 0; left &= left - 1)
    {
      begins = begins && !follows(later, lowest(left), first[lowest(left)]);
    }
    seen |= only(later.actor);
    first[later.actor] = later.number;
    initials |= begins ? only(later.actor) : 0;
  }
  if ((initials & (from.wanted | set_of(from.asleep))) != 0)
  {
    return;
  }
  const actor_set possible = initials & from.ready;
  const actor_set own = possible & only(running_->actor);
  from.wanted |= own != 0 ? own : possible != 0 ? only(lowest(possible)) : from.ready;
}

std::uint32_t enumerator::writes_of(const void* word) const
{
  const auto found = words_.find(word);
  return found == words_.end() ? 0 : static_cast<std::uint32_t>(found->second.written.size());
}

std::uint32_t enumerator::writes_of_earlier(const void* word) const
{
  const auto found = words_.find(word);
  return found == words_.end() ? 0 : found->second.of_earlier;
}

void enumerator::follow_write(const void* word, std::uint32_t after)
{
  join(running_->clock, path_[words_.at(word).written[after]].taken.clock);
}

void enumerator::acquire(const void* place)
{
  const auto found = released_.find(place);
  if (running_ == nullptr || found == released_.end())
  {
    return;
  }
  if (running_->operates || running_->releases)
  {
    go_on_in_new_step();
  }
  join(running_->clock, found->second);
}

// What the actor has done in this step does not come after what it learns of now, and others may see only the former.
void enumerator::go_on_in_new_step()
{
  const actor_set ready = only(running_->actor);
  end_step();
  if (depth_ == path_.size())
  {
    add_node(ready);
  }
  begin_step();
}

void enumerator::release(const void* place)
{
  if (running_ != nullptr)
  {
    vector_clock& into = released_[place];
    into.resize(running_->clock.size());
    join(into, running_->clock);
    running_->releases = true;
  }
}

void enumerator::block_ends(unsigned block)
{
  end_step();
  for (unsigned i = 0; i < actors_per_block_; ++i)
  {
    join(ended_, clocks_[block * actors_per_block_ + i]);
  }
}

void enumerator::block_starts(unsigned block)
{
  for (unsigned i = 0; i < actors_per_block_; ++i)
  {
    join(clocks_[block * actors_per_block_ + i], ended_);
  }
}

// ---- launches that overlap -----------------------------------------------------------------------------------------------

void enumerator::lets_next_start()
{
  join(next_may_start_, running_->clock);
  running_->releases_launch = true;
}

void enumerator::ended_block_lets_next_start(unsigned block)
{
  for (unsigned i = 0; i < actors_per_block_; ++i)
  {
    join(next_may_start_, clocks_[block * actors_per_block_ + i]);
  }
}

void enumerator::later_block_starts(unsigned block)
{
  for (unsigned i = 0; i < actors_per_block_; ++i)
  {
    join(clocks_[block * actors_per_block_ + i], next_may_start_);
  }
}

void enumerator::earlier_ends()
{
  path_[depth_ - 1].taken.releases_launch = true;
  for (auto& each : words_)
  {
    each.second.of_earlier = static_cast<std::uint32_t>(each.second.written.size());
  }
}

void enumerator::follow_earlier()
{
  if (running_->operates || running_->releases || running_->releases_launch)
  {
    go_on_in_new_step();
  }
  join(running_->clock, ended_);
}

} // namespace reheat::REHEAT_MACHINE::emulator

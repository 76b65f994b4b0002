// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
#include "inline_scheduler.h"
#include "observer.h"
#include "sanitizer.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <utility>

#include <cxxabi.h>

namespace reheat::REHEAT_MACHINE::emulator
{
namespace
{

constexpr calls::identity nobody = {0, 0, 0, 0, 0, 0};

// The exceptions being handled by an OS thread, which a fiber abandoned inside a catch block leaves behind. The Itanium C++
// ABI fixes the layout: a pointer and a counter.
struct exception_state
{
  void* caught;
  unsigned uncaught;
};

exception_state save_exception_state()
{
  exception_state saved;
  std::memcpy(&saved, abi::__cxa_get_globals(), sizeof(saved));
  return saved;
}

// Ends the handlers that abandoned fibers were in, which frees their exceptions.
void restore_exception_state(const exception_state& saved)
{
  while (save_exception_state().caught != nullptr && save_exception_state().caught != saved.caught)
  {
    abi::__cxa_end_catch();
  }
  std::memcpy(static_cast<void*>(abi::__cxa_get_globals()), &saved, sizeof(saved));
}

} // namespace

namespace calls
{
__thread const identity* current = &nobody;
}

bool in_kernel()
{
  return calls::current != &nobody;
}

__thread machine* machine::active_ = nullptr;

void machine::fail_outside(const char* what)
{
  throw error(std::string("reheat emulator: ") + what + " was called outside of a kernel");
}

machine::~machine()
{
  for (block& place : places_)
  {
    for (shared_array& array : place.arrays)
    {
      sanitizer::unpoison(array.storage.data(), array.storage.size());
    }
  }
}

void machine::launch(const launch_shape& shape, void (*body)(void*), void* argument, std::uint64_t seed,
                     std::uint64_t number)
{
  shape_ = shape;
  body_ = body;
  argument_ = argument;
  seed_ = seed;
  number_ = number;
  shared_limit_ = device_properties().shared_bytes_per_block;
  places_wanted_ = resident_blocks(shape.block_threads, shape.shared_bytes);
  random_ = random_bits(random_bits(seed).next() ^ random_bits(number * 0x9e3779b97f4a7c15u + 1).next());
  habits_ = draw_habits(random_);
  begin_enumeration();
  counted_ = {};
  counted_.launches = 1;
  active_ = this;
  begin_order();
  try
  {
    run();
    end_order();
    active_ = nullptr;
  }
  catch (const std::exception& thrown)
  {
    note_failure(thrown.what());
    throw;
  }
  catch (...)
  {
    note_failure("a kernel has thrown what is no std::exception");
    throw;
  }
}

void machine::note_failure(const char* why)
{
  if (enumerator_ != nullptr)
  {
    enumerator_->launch_failed(why);
  }
  abandon();
  end_order();
  active_ = nullptr;
}

// For the race detector: what the host did comes before the kernel, what the kernel did before what the host does next.
void machine::begin_order()
{
  if (!race::on())
  {
    return;
  }
  race::look_away();
  host_shadow_ = __tsan_get_current_fiber();
  launched_ = race::new_edge();
  ended_edge_ = race::new_edge();
  race::release(launched_);
  nursery_ = {};
  nursery_.make(launched_);
}

void machine::end_order()
{
  if (race::on())
  {
    race::acquire(ended_edge_);
    race::look_again();
  }
}

void machine::run()
{
  const exception_state before = save_exception_state();
  next_block_ = 0;
  last_warp_ = nullptr;
  last_block_ = 0;
  warp_steps_left_ = block_steps_left_ = 0;
  stuck_steps_ = idle_rounds_ = 0;
  progress_ = progress_seen_ = changes_ = changes_seen_ = 0;
  grid_arrived_ = threads_ended_ = 0;
  draw_admission();
  for (admit(); resident_ > 0; admit())
  {
    if (cuda_thread* const next = pick())
    {
      hand_over(next);
      calls::current = &nobody;
    }
    else
    {
      idle();
    }
    if (ended_ != nullptr)
    {
      retire(*std::exchange(ended_, nullptr));
    }
    if (exception_ || !failure_.empty())
    {
      restore_exception_state(before);
      if (exception_)
      {
        std::rethrow_exception(std::exchange(exception_, nullptr));
      }
      throw error(std::exchange(failure_, std::string()));
    }
  }
  while (!copies_.empty()) // stores may be written as late as the end of the grid
  {
    advance_copy();
  }
}

void machine::draw_admission()
{
  resident_limit_ = shape_.cooperative ? places_wanted_ : std::max(1u, places_wanted_ * habits_.resident_share / 256);
  admission_.clear();
  if (shape_.in_order || (habits_.admission != order::highest && habits_.admission != order::random))
  {
    return;
  }
  admission_.resize(shape_.grid_blocks);
  for (unsigned i = 0; i < shape_.grid_blocks; ++i)
  {
    admission_[i] = shape_.grid_blocks - 1 - i;
  }
  for (unsigned i = shape_.grid_blocks; habits_.admission == order::random && i > 1; --i)
  {
    std::swap(admission_[i - 1], admission_[random_.below(i)]);
  }
}

void machine::admit()
{
  while (resident_ < resident_limit_ && next_block_ < all_blocks_ &&
         (earlier_ == nullptr || next_block_ < shape_.grid_blocks || blocks_that_let_start_ == shape_.grid_blocks))
  {
    const unsigned index = admission_.empty() ? next_block_ : admission_[next_block_];
    ++next_block_;
    start_block(free_place(), index);
  }
}

block& machine::free_place()
{
  // To the race detector the blocks that follow each other in a place are ordered, for they run on the same stacks. Some
  // more places than needed, used in turn, keep that from hiding much.
  constexpr unsigned places_for_races = 16;
  const unsigned wanted = std::min(resident_limit_ + (race::on() ? places_for_races : 0), all_blocks_ + places_for_races);
  while (places_.size() < wanted)
  {
    places_.emplace_back();
  }
  do
  {
    next_place_ = (next_place_ + 1) % places_.size();
  } while (places_[next_place_].resident);
  return places_[next_place_];
}

void machine::start_block(block& place, unsigned index)
{
  if (enumerator_ != nullptr)
  {
    earlier_ != nullptr&& index >= shape_.grid_blocks ? enumerator_->later_block_starts(index)
                                                      : enumerator_->block_starts(index);
    home_of_block_[index] = &place;
  }
  place.index = index;
  place.threads = shape_.block_threads;
  place.live = place.threads;
  place.runnable_warps = 0;
  place.place = -1;
  place.last_warp = 0;
  place.barrier_arrived = 0;
  place.proxy_edge = race::new_edge();
  place.resident = true;
  place.lets_next_start = false;
  place.mbarriers_used = 0;
  place.arrays_used = 0;
  place.shared_used = 0;
  place.loading.clear();
  place.named.fill({});
  for (unsigned w = 0; w < block_warps; ++w)
  {
    warp& team = place.warps[w];
    team.home = &place;
    team.index = w;
    team.existing = team.runnable = team.exited = team.at_block_barrier = team.last_lane = team.open_collectives = 0;
  }
  while (place.thread.size() < place.threads)
  {
    place.thread.emplace_back();
  }
  for (unsigned t = 0; t < place.threads; ++t)
  {
    start_thread(place, t);
  }
  ++resident_;
}

void machine::start_thread(block& place, unsigned thread)
{
  cuda_thread& who = place.thread[thread];
  who.thread = thread;
  who.lane = thread % warp_lanes;
  who.warp = thread / warp_lanes;
  who.block = place.index % shape_.grid_blocks;
  who.block_threads = place.threads;
  who.grid_blocks = shape_.grid_blocks;
  who.home = &place;
  who.team = &place.warps[who.warp];
  who.at = {nullptr, 0};
  who.looks.clear();
  who.vec16s.clear();
  who.groups.assign(1, {});
  who.groups_dropped = who.groups_waited_read = 0;
  who.waited = !shape_.early || is_earlier(place);
  if (who.context.stack_bytes() != emulator::stack_bytes())
  {
    who.context.make_stack(emulator::stack_bytes(), thread);
    who.parked = false;
  }
  if (!who.parked)
  {
    who.context.restart(&machine::thread_entry);
    renew_shadow(who);
  }
  who.parked = false;
  if (race::on())
  {
    char name[64];
    (void)std::snprintf(name, sizeof(name), "block %u, warp %u, lane %u", who.block, who.warp, who.lane);
    who.shadow.name(name);
  }
  who.team->existing |= 1u << who.lane;
  who.team->lanes[who.lane] = &who;
  wake(who);
}

// A fiber that starts anew has no call stack; what it did on its stack in an abandoned launch is over.
void machine::renew_shadow(cuda_thread& who)
{
  const race::edge over = race::new_edge();
  if (who.shadow.made())
  {
    who.shadow.releases(over);
  }
  race::shadow fresh;
  fresh.make(over);
  who.shadow = std::move(fresh);
}

void machine::retire(block& done)
{
  for (const bulk_copy& copy : copies_)
  {
    if (copy.home == &done && !copy.store)
    {
      set_failure(done.thread[0], copy.at,
                  copy.vec16s.empty() ? "the block ended while this bulk_load into its shared memory was in flight"
                                      : "the block ended while vec16_loads counted here were in flight");
      return;
    }
  }
  if (enumerator_ != nullptr)
  {
    if (earlier_ == nullptr || is_earlier(done))
    {
      enumerator_->block_ends(done.index);
    }
    if (is_earlier(done))
    {
      earlier_block_ends(done);
    }
  }
  check_arrays(done);
  if (registered_observer != nullptr)
  {
    registered_observer->block_ended(done.index);
  }
  close_arrays(done);
  done.resident = false;
  --resident_;
  ++counted_.blocks;
}

void machine::abandon()
{
  for (const bulk_copy& copy : copies_) // what they did is over, and the host may go on with its memory
  {
    copy.ordered.releases(ended_edge_);
  }
  for (block& place : places_)
  {
    for (unsigned t = 0; place.resident && t < place.threads; ++t)
    {
      place.thread[t].shadow.releases(ended_edge_);
    }
    place.resident = false;
    place.place = -1;
    close_arrays(place);
  }
  resident_ = 0;
  runnable_.clear();
  pollers_.clear();
  stalled_.clear();
  copies_.clear();
  self_ = nullptr;
  ended_ = nullptr;
  calls::current = &nobody;
}

// ---- a thread's life -----------------------------------------------------------------------------------------------------

void machine::thread_entry()
{
  while (true)
  {
    active_->run_body();
    active_->end_thread(); // returns as a thread of a later block, perhaps of a later launch
  }
}

void machine::run_body() noexcept
{
  race::acquire(launched_);
  try
  {
    race::look_again();
    is_earlier(*self_->home) ? earlier_->body(earlier_->argument.get()) : body_(argument_);
    race::look_away();
    race::release(ended_edge_);
  }
  catch (const error& thrown)
  {
    race::look_away();
    exception_ =
        std::make_exception_ptr(error(thrown.what() + ("\n  escaped from " + position(*self_)) + "\n  " + replay()));
  }
  catch (...)
  {
    race::look_away();
    exception_ = std::current_exception();
  }
}

void machine::end_thread()
{
  if (exception_)
  {
    leave(); // not from the handler: whoever runs next must not find this exception being handled
  }
  cuda_thread& who = *self_;
  check_exit(who);
  ++threads_ended_;
  note_progress();
  who.doing = activity::exited;
  who.parked = true;
  who.team->exited |= 1u << who.lane;
  sleep(who);
  block& home = *who.home;
  if (--home.live == 0)
  {
    ended_ = &home;
    hand_over(nullptr);
  }
  else
  {
    hand_over(pick());
  }
}

} // namespace reheat::REHEAT_MACHINE::emulator

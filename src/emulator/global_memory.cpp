// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Accesses to memory shared between blocks: the access itself is an ordinary one in emulated.h; here the scheduler may put
//! other threads before it. A poller sleeps until something else has had its turn.
#include "inline_scheduler.h"

namespace reheat::REHEAT_MACHINE::emulator
{

void machine::trigger_dependent_launch(call_site at)
{
  self_->at = at;
  if (!self_->waited && earlier_ == nullptr)
  {
    fail(at, "trigger_dependent_launch before grid_dependency_wait, in a launch that starts early");
  }
  let_next_start();
}

void machine::grid_dependency_wait(call_site at)
{
  self_->at = at;
  wait_for_earlier();
  self_->waited = true;
}

// Where launches overlap, what comes of an access is seen.
void machine::check_waited(call_site at)
{
  self_->at = at;
  if (!self_->waited && earlier_ == nullptr)
  {
    fail(at, "an access to global memory before grid_dependency_wait, in a launch that starts early");
  }
}

void machine::access(const void* word, bool writes, call_site at)
{
  check_waited(at);
  if (enumerator_ != nullptr)
  {
    before_operation(word, writes, at);
  }
  maybe_reschedule(habits_.switch_at_access);
}

void machine::memory_changed()
{
  note_change();
  if (enumerator_ != nullptr)
  {
    after_write();
  }
  maybe_reschedule(habits_.switch_at_access);
}

void machine::check_words(unsigned words, const void* address, call_site at)
{
  constexpr std::uintptr_t pair_bytes = 16;
  if (words % 2 == 0 && reinterpret_cast<std::uintptr_t>(address) % pair_bytes != 0)
  {
    fail(at, "an access to %u words, which travel in pairs, at address %p, which is not a multiple of 16", words, address);
  }
}

void machine::backoff(call_site at)
{
  ++counted_.polls;
  self_->at = at;
  self_->doing = activity::polling;
  if (enumerator_ != nullptr)
  {
    enumerated_backoff();
    return;
  }
  sleep(*self_);
  pollers_.push_back(self_);
  reschedule();
}

// ---- calls of the kernel -------------------------------------------------------------------------------------------------

namespace calls
{

void trigger_dependent_launch(call_site at)
{
  kernel_call("trigger_dependent_launch")->trigger_dependent_launch(at);
}

void grid_dependency_wait(call_site at)
{
  kernel_call("grid_dependency_wait")->grid_dependency_wait(at);
}

void before_load(const void* word, call_site at)
{
  const kernel_call on("load");
  ++on->count().loads;
  on->access(word, false, at);
}

void before_store(const void* word, call_site at)
{
  const kernel_call on("store");
  ++on->count().stores;
  on->access(word, true, at);
}

void before_atomic(const void* word, call_site at)
{
  const kernel_call on("fetch_add");
  ++on->count().atomics;
  on->access(word, true, at);
}

void memory_changed()
{
  kernel_call("store")->memory_changed();
}

unsigned first_word(unsigned words, const void* address, call_site at)
{
  const kernel_call on("access to words");
  on->check_words(words, address, at);
  return words == 1 || on->enumerates() ? 0 : on->random().below(words);
}

void backoff(call_site at)
{
  kernel_call("backoff")->backoff(at);
}

} // namespace calls
} // namespace reheat::REHEAT_MACHINE::emulator

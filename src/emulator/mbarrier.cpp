// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! mbarriers: a phase completes when no arrival and no byte is missing. The word in shared memory holds only the number of a
//! record beside it, so a barrier that was never initialised, or was overwritten, is recognised.
#include "inline_scheduler.h"
#include "sanitizer.h"

namespace reheat::REHEAT_MACHINE::emulator
{
namespace
{

constexpr std::uint64_t mark = 0x6d62617272696572u; // high half of a valid state word
constexpr std::uint64_t mark_mask = 0xffffffff00000000u;
constexpr unsigned max_arrivals = (1u << 20) - 1; // the hardware's counters have 20 bits, for bytes with a sign
constexpr long max_bytes = (1l << 20) - 1;

} // namespace

void machine::mbarrier_init(std::uint64_t* state, unsigned arrivals, call_site at)
{
  cuda_thread& who = *self_;
  block& home = *who.home;
  who.at = at;
  if (!in_shared(home, state, sizeof(*state)))
  {
    fail(at, "mbarrier_init: the mbarrier is not in one of the block's shared arrays");
  }
  if (arrivals == 0 || arrivals > max_arrivals)
  {
    fail(at, "mbarrier_init: %u arrivals is not within 1 … %u", arrivals, max_arrivals);
  }
  unsigned number = 0;
  while (number < home.mbarriers_used && home.mbarriers[number].address != state)
  {
    ++number;
  }
  if (number == home.mbarriers.size())
  {
    home.mbarriers.emplace_back();
  }
  mbarrier_state& barrier = home.mbarriers[number];
  if (number == home.mbarriers_used)
  {
    ++home.mbarriers_used;
    barrier.waiting.clear();
    barrier.landed.clear();
  }
  else if (!barrier.waiting.empty() || barrier.pending != barrier.expected || barrier.pending_bytes != 0)
  {
    fail(at,
         "mbarrier_init on an mbarrier in use (initialised at %s:%d): %u of %u arrivals and %ld bytes are missing, %zu "
         "threads wait",
         barrier.initialised.file, barrier.initialised.line, barrier.pending, barrier.expected, barrier.pending_bytes,
         barrier.waiting.size());
  }
  barrier.address = state;
  barrier.initialised = at;
  barrier.expected = barrier.pending = arrivals;
  barrier.pending_bytes = 0;
  barrier.phase = 0;
  barrier.fenced = false;
  barrier.arrived = race::new_edge();
  barrier.completed = barrier.arrived;
  *state = (mark & mark_mask) | number;
}

void machine::mbarrier_init_fence()
{
  block& home = *self_->home;
  for (unsigned number = 0; number < home.mbarriers_used; ++number)
  {
    home.mbarriers[number].fenced = true;
  }
}

mbarrier_state& machine::find_mbarrier(std::uint64_t* state, const char* call, call_site at)
{
  block& home = *self_->home;
  self_->at = at;
  if (!in_shared(home, state, sizeof(*state)))
  {
    fail(at, "%s: the mbarrier is not in one of the block's shared arrays", call);
  }
  const unsigned number = static_cast<unsigned>(*state);
  if ((*state & mark_mask) != (mark & mark_mask) || number >= home.mbarriers_used || home.mbarriers[number].address != state)
  {
    fail(at, "%s on an mbarrier that was not initialised, or was overwritten (its word is %016llx)", call,
         static_cast<unsigned long long>(*state));
  }
  self_->mbarrier = number;
  return home.mbarriers[number];
}

void machine::mbarrier_arrive(std::uint64_t* state, unsigned bytes, const char* call, call_site at)
{
  mbarrier_state& barrier = find_mbarrier(state, call, at);
  if (barrier.pending == 0)
  {
    fail(at,
         "%s: one arrival more than the %u per phase that the mbarrier was initialised for at %s:%d (%ld bytes are missing)",
         call, barrier.expected, barrier.initialised.file, barrier.initialised.line, barrier.pending_bytes);
  }
  barrier.pending_bytes += bytes;
  if (barrier.pending_bytes > max_bytes)
  {
    fail(at, "%s: %ld bytes expected in one phase, more than the %ld that an mbarrier can count", call,
         barrier.pending_bytes, max_bytes);
  }
  --barrier.pending;
  race::release(barrier.arrived);
  note_progress();
  settle_phase(barrier);
  maybe_reschedule(habits_.switch_at_ready);
}

void machine::settle_phase(mbarrier_state& barrier)
{
  if (barrier.pending != 0 || barrier.pending_bytes != 0)
  {
    return;
  }
  ++barrier.phase;
  barrier.pending = barrier.expected;
  barrier.completed = barrier.arrived;
  barrier.arrived = race::new_edge();
  for (const byte_range& range : barrier.landed)
  {
    sanitizer::unpoison(range.first, range.bytes);
  }
  barrier.landed.clear();
  // Each looks again when it runs: a waiter that comes too late finds the parity changed once more and goes on waiting, as
  // on the hardware.
  for (cuda_thread* const who : barrier.waiting)
  {
    wake(*who);
  }
  barrier.waiting.clear();
}

void machine::mbarrier_wait(std::uint64_t* state, unsigned parity, call_site at)
{
  mbarrier_state& barrier = find_mbarrier(state, "mbarrier_wait", at);
  if (parity > 1)
  {
    fail(at, "mbarrier_wait: parity %u is neither 0 nor 1", parity);
  }
  ++counted_.mbarrier_waits;
  cuda_thread& who = *self_;
  maybe_reschedule(habits_.switch_at_ready);
  while ((barrier.phase & 1u) == parity)
  {
    who.doing = activity::at_mbarrier;
    who.operand = parity;
    sleep(who);
    barrier.waiting.push_back(&who);
    reschedule();
  }
  race::acquire(barrier.completed);
}

// ---- calls of the kernel -------------------------------------------------------------------------------------------------

namespace calls
{

void mbarrier_init(std::uint64_t* state, unsigned arrivals, call_site at)
{
  kernel_call("mbarrier_init")->mbarrier_init(state, arrivals, at);
}

void mbarrier_init_fence()
{
  kernel_call("mbarrier_init_fence")->mbarrier_init_fence();
}

void mbarrier_arrive(std::uint64_t* state, call_site at)
{
  kernel_call("mbarrier_arrive")->mbarrier_arrive(state, 0, "mbarrier_arrive", at);
}

void mbarrier_arrive_expect(std::uint64_t* state, unsigned bytes, call_site at)
{
  kernel_call("mbarrier_arrive_expect")->mbarrier_arrive(state, bytes, "mbarrier_arrive_expect", at);
}

void mbarrier_wait(std::uint64_t* state, unsigned parity, call_site at)
{
  kernel_call("mbarrier_wait")->mbarrier_wait(state, parity, at);
}

} // namespace calls
} // namespace reheat::REHEAT_MACHINE::emulator

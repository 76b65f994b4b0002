// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Bulk copies: started by a thread, advanced by the scheduler at random later steps, in pieces. What a load will overwrite
//! is filled with a pattern at once, and under AddressSanitizer stays forbidden until the phase of its mbarrier is complete.
//! The 16-byte vectors that threads load on their own are on their way likewise, from the arrival on that counts them.
#include "inline_scheduler.h"
#include "observer.h"
#include "sanitizer.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

namespace reheat::REHEAT_MACHINE::emulator
{
namespace
{

constexpr std::size_t grain = 16; // addresses and sizes are multiples of it; the size of a vec16
constexpr int stale_byte = 0xa5;

std::uintptr_t number(const void* address)
{
  return reinterpret_cast<std::uintptr_t>(address);
}

} // namespace

void machine::check_bulk(const char* call, const void* shared, const void* global, std::size_t bytes, call_site at)
{
  self_->at = at;
  if (number(shared) % grain != 0)
  {
    fail(at, "%s: the shared address %p is not a multiple of 16", call, shared);
  }
  if (!in_shared(*self_->home, shared, bytes))
  {
    fail(at, "%s: %zu bytes at %p do not lie within one of the block's shared arrays", call, bytes, shared);
  }
  check_global(call, global, bytes, at);
}

void machine::check_global(const char* call, const void* global, std::size_t bytes, call_site at)
{
  if (bytes % grain != 0)
  {
    fail(at, "%s: %zu bytes is not a multiple of 16", call, bytes);
  }
  if (number(global) % grain != 0)
  {
    fail(at, "%s: the global address %p is not a multiple of 16", call, global);
  }
  if (const void* const byte = bytes != 0 ? sanitizer::poisoned_byte(global, bytes) : nullptr)
  {
    fail(at, "%s: of %zu bytes at global address %p, byte %td is out of bounds or freed", call, bytes, global,
         static_cast<const char*>(byte) - static_cast<const char*>(global));
  }
}

void machine::check_overlap(const char* call, bool store, const unsigned char* shared, std::size_t bytes, call_site at)
{
  const auto loading = [&](const unsigned char* vec16) { return self_->home->loading.count(vec16) != 0; };
  for (std::size_t done = 0; done < bytes; done += grain)
  {
    if (loading(shared + done))
    {
      fail(at, "%s uses shared memory that a vec16_load has not finished writing", call);
    }
  }
  for (const bulk_copy& other : copies_)
  {
    if (!other.vec16s.empty())
    {
      continue;
    }
    const bool overlap = shared < other.shared + other.bytes && other.shared < shared + bytes;
    if (!overlap || other.home != self_->home || (other.store && (store || other.read)))
    {
      continue;
    }
    fail(at, "%s uses shared memory that the %s started at %s:%d has not finished %s", call,
         other.store ? "bulk_store" : "bulk_load", other.at.file, other.at.line, other.store ? "reading" : "writing");
  }
}

void machine::vec16_load(void* shared, const void* global, call_site at)
{
  check_bulk("vec16_load", shared, global, grain, at);
  unsigned char* const to = static_cast<unsigned char*>(shared);
  check_overlap("vec16_load", false, to, grain, at);
  if (registered_observer != nullptr)
  {
    registered_observer->bulk_load_starts(shared, global, grain, at);
  }
  ++counted_.piece_loads;
  sanitizer::unpoison(to, grain);
  std::memset(to, stale_byte, grain);
  sanitizer::poison(to, grain);
  self_->home->loading.insert(to);
  self_->vec16s.push_back({to, static_cast<unsigned char*>(const_cast<void*>(global))});
}

void machine::mbarrier_arrive_loaded(std::uint64_t* state, call_site at)
{
  find_mbarrier(state, "mbarrier_arrive_loaded", at);
  const std::size_t bytes = self_->vec16s.size() * grain;
  if (bytes != 0)
  {
    copies_.push_back({false, self_->vec16s.front().shared, self_->vec16s.front().global, bytes, 0, self_->home, at});
    copies_.back().mbarrier = self_->mbarrier;
    copies_.back().vec16s.swap(self_->vec16s);
    begin_copy(copies_.back());
    complete_copies();
  }
  // The phase waits for bytes in place of the arrival: it is complete when both are there.
  mbarrier_arrive(state, static_cast<unsigned>(bytes), "mbarrier_arrive_loaded", at);
}

void machine::prefetch(const void* global, unsigned bytes, call_site at)
{
  check_waited(at);
  check_global("prefetch", global, bytes, at);
  counted_.prefetched_bytes += bytes;
}

void machine::bulk_load(void* shared, const void* global, unsigned bytes, std::uint64_t* state, call_site at)
{
  mbarrier_state& barrier = find_mbarrier(state, "bulk_load", at);
  check_bulk("bulk_load", shared, global, bytes, at);
  unsigned char* const to = static_cast<unsigned char*>(shared);
  check_overlap("bulk_load", false, to, bytes, at);
  if (!barrier.fenced)
  {
    fail(at, "bulk_load: the mbarrier initialised at %s:%d was not made known to bulk copies by mbarrier_init_fence",
         barrier.initialised.file, barrier.initialised.line);
  }
  if (registered_observer != nullptr)
  {
    registered_observer->bulk_load_starts(shared, global, bytes, at);
  }
  ++counted_.bulk_loads;
  counted_.bulk_loaded_bytes += bytes;
  if (bytes != 0)
  {
    sanitizer::unpoison(to, bytes);
    std::memset(to, stale_byte, bytes);
    sanitizer::poison(to, bytes);
    unsigned char* const from = static_cast<unsigned char*>(const_cast<void*>(global));
    copies_.push_back({false, to, from, bytes, 0, self_->home, at});
    copies_.back().mbarrier = self_->mbarrier;
    begin_copy(copies_.back());
    const auto is_like_it = [&](const bulk_copy& other)
    { return !other.store && other.vec16s.empty() && other.home == self_->home; };
    const auto on_their_way = std::count_if(copies_.begin(), copies_.end(), is_like_it);
    counted_.most_bulk_loads = std::max(counted_.most_bulk_loads, static_cast<std::uint64_t>(on_their_way));
    complete_copies();
  }
  settle_phase(barrier);
  maybe_reschedule(habits_.switch_at_ready);
}

void machine::bulk_store(void* global, const void* shared, unsigned bytes, call_site at)
{
  cuda_thread& who = *self_;
  check_bulk("bulk_store", shared, global, bytes, at);
  unsigned char* const from = static_cast<unsigned char*>(const_cast<void*>(shared));
  check_overlap("bulk_store", true, from, bytes, at);
  if (const void* const byte = bytes != 0 ? sanitizer::poisoned_byte(shared, bytes) : nullptr)
  {
    fail(at, "bulk_store: byte %td of the %u is loaded by a bulk copy whose mbarrier phase is not complete",
         static_cast<const char*>(byte) - static_cast<const char*>(shared), bytes);
  }
  if (registered_observer != nullptr)
  {
    registered_observer->bulk_store_starts(global, shared, bytes, at);
  }
  ++counted_.bulk_stores;
  counted_.bulk_stored_bytes += bytes;
  if (bytes != 0)
  {
    ++who.groups.back().unread;
    ++who.groups.back().unwritten;
    copies_.push_back({true, from, static_cast<unsigned char*>(global), bytes, 0, who.home, at});
    copies_.back().owner = &who;
    copies_.back().group = who.groups_dropped + who.groups.size() - 1;
    begin_copy(copies_.back());
    complete_copies();
  }
  maybe_reschedule(habits_.switch_at_ready);
}

void machine::begin_copy(bulk_copy& copy)
{
  const race::edge issued = race::new_edge();
  race::release(issued);
  copy.ordered.make(issued, &nursery_);
  if (copy.store)
  {
    copy.published.make(copy.home->proxy_edge, &nursery_);
  }
  if (race::on())
  {
    char name[96];
    (void)std::snprintf(name, sizeof(name), "%s started at line %d by block %u, warp %u, lane %u",
                        copy.store            ? "bulk_store"
                        : copy.vec16s.empty() ? "bulk_load"
                                              : "vec16_loads",
                        copy.at.line, self_->block, self_->warp, self_->lane);
    copy.ordered.name(name);
    if (copy.store)
    {
      (void)std::snprintf(name, sizeof(name), "bulk_store started at line %d, as far as proxy fences go", copy.at.line);
      copy.published.name(name);
    }
  }
}

void machine::bulk_commit()
{
  self_->groups.emplace_back();
}

bool machine::groups_ready(const cuda_thread& who, bool read_only, std::size_t groups) const
{
  for (std::size_t g = who.groups_dropped; g < groups; ++g)
  {
    const store_group& group = who.groups[g - who.groups_dropped];
    if (group.unread != 0 || (!read_only && group.unwritten != 0))
    {
      return false;
    }
  }
  return true;
}

void machine::bulk_wait(bool read_only, unsigned pending_groups, call_site at)
{
  cuda_thread& who = *self_;
  who.at = at;
  const std::size_t committed = who.groups_dropped + who.groups.size() - 1;
  const std::size_t wanted = committed > pending_groups ? committed - pending_groups : 0;
  maybe_reschedule(habits_.switch_at_ready);
  while (!groups_ready(who, read_only, wanted))
  {
    who.doing = read_only ? activity::at_bulk_read : activity::at_bulk_done;
    who.operand = pending_groups;
    sleep(who);
    reschedule();
  }
  for (std::size_t g = who.groups_dropped; g < wanted; ++g)
  {
    const store_group& group = who.groups[g - who.groups_dropped];
    race::acquire(group.read);
    if (!read_only)
    {
      race::acquire(group.written);
    }
  }
  who.groups_waited_read = std::max(who.groups_waited_read, wanted);
  drop_complete_groups(who);
}

void machine::drop_complete_groups(cuda_thread& who)
{
  std::size_t complete = 0;
  while (who.groups_dropped + complete < who.groups_waited_read && who.groups[complete].unwritten == 0)
  {
    ++complete;
  }
  who.groups.erase(who.groups.begin(), who.groups.begin() + static_cast<std::ptrdiff_t>(complete));
  who.groups_dropped += complete;
}

void machine::advance_copy()
{
  const std::size_t chosen = random_.below(static_cast<unsigned>(copies_.size()));
  bulk_copy& copy = copies_[chosen];
  std::size_t part = copy.bytes - copy.done;
  if (part > grain && random_.below(256) < habits_.split_copy)
  {
    part = grain * (1 + random_.below(static_cast<unsigned>(part / grain - 1)));
  }
  note_progress();
  copy.store ? advance_store(copy, part) : advance_load(copy, part);
  if (copy.done == copy.bytes)
  {
    if (chosen + 1 != copies_.size())
    {
      copy = std::move(copies_.back());
    }
    copies_.pop_back();
  }
}

void machine::land(bulk_copy& copy, unsigned char* to, unsigned char* from, std::size_t bytes)
{
  sanitizer::unpoison(to, bytes);
  copy.ordered.reads(from, bytes);
  copy.ordered.writes(to, bytes);
  std::memcpy(to, from, bytes);
  if (registered_observer != nullptr)
  {
    registered_observer->bulk_load_landed(to, bytes);
  }
  sanitizer::poison(to, bytes);
}

void machine::advance_load(bulk_copy& copy, std::size_t part)
{
  mbarrier_state& barrier = copy.home->mbarriers[copy.mbarrier];
  if (copy.vec16s.empty())
  {
    land(copy, copy.shared + copy.done, copy.global + copy.done, part);
  }
  for (std::size_t done = 0; done < part && !copy.vec16s.empty(); done += grain)
  {
    const vec16_place& vec16 = copy.vec16s[(copy.done + done) / grain];
    land(copy, vec16.shared, vec16.global, grain);
    copy.home->loading.erase(vec16.shared);
    barrier.landed.push_back({vec16.shared, grain});
  }
  copy.done += part;
  if (copy.done == copy.bytes)
  {
    if (copy.vec16s.empty())
    {
      barrier.landed.push_back({copy.shared, copy.bytes});
    }
    copy.ordered.releases(barrier.arrived);
    if (enumerator_ != nullptr)
    {
      enumerator_->release(barrier.arrived); // by the thread that has started it just now
    }
  }
  barrier.pending_bytes -= static_cast<long>(part);
  settle_phase(barrier);
}

void machine::advance_store(bulk_copy& copy, std::size_t part)
{
  store_group* const group = copy.owner == nullptr ? nullptr : &copy.owner->groups[copy.group - copy.owner->groups_dropped];
  if (!copy.read)
  {
    copy.published.reads(copy.shared + copy.done, part);
    copy.ordered.reads(copy.shared + copy.done, part);
    copy.staged.insert(copy.staged.end(), copy.shared + copy.done, copy.shared + copy.done + part);
    copy.done += part;
    if (copy.done != copy.bytes)
    {
      return;
    }
    copy.read = true;
    copy.done = 0;
    --group->unread; // its thread is there: it may not exit before
    copy.published.releases(group->read);
    copy.ordered.releases(group->read);
  }
  else
  {
    copy.ordered.writes(copy.global + copy.done, part);
    std::memcpy(copy.global + copy.done, copy.staged.data() + copy.done, part);
    note_change();
    copy.done += part;
    if (copy.done == copy.bytes)
    {
      copy.ordered.releases(ended_edge_);
    }
    if (copy.done != copy.bytes || group == nullptr)
    {
      return;
    }
    --group->unwritten;
    copy.ordered.releases(group->written);
  }
  cuda_thread& owner = *copy.owner;
  const bool waits = (owner.team->runnable >> owner.lane & 1u) == 0 &&
                     (owner.doing == activity::at_bulk_read || owner.doing == activity::at_bulk_done);
  if (waits)
  {
    wake(owner); // looks again itself
  }
}

// ---- calls of the kernel -------------------------------------------------------------------------------------------------

namespace calls
{

void prefetch(const void* global, unsigned bytes, call_site at)
{
  kernel_call("prefetch")->prefetch(global, bytes, at);
}

void bulk_load(void* shared, const void* global, unsigned bytes, std::uint64_t* state, call_site at)
{
  kernel_call("bulk_load")->bulk_load(shared, global, bytes, state, at);
}

void bulk_store(void* global, const void* shared, unsigned bytes, call_site at)
{
  kernel_call("bulk_store")->bulk_store(global, shared, bytes, at);
}

void vec16_load(void* shared, const void* global, call_site at)
{
  kernel_call("vec16_load")->vec16_load(shared, global, at);
}

void mbarrier_arrive_loaded(std::uint64_t* state, call_site at)
{
  kernel_call("mbarrier_arrive_loaded")->mbarrier_arrive_loaded(state, at);
}

void bulk_commit(call_site)
{
  kernel_call("bulk_commit")->bulk_commit();
}

void bulk_wait_read(unsigned pending_groups, call_site at)
{
  kernel_call("bulk_wait_read")->bulk_wait(true, pending_groups, at);
}

void bulk_wait(unsigned pending_groups, call_site at)
{
  kernel_call("bulk_wait")->bulk_wait(false, pending_groups, at);
}

void async_proxy_fence()
{
  kernel_call("async_proxy_fence")->async_proxy_fence();
}

} // namespace calls
} // namespace reheat::REHEAT_MACHINE::emulator

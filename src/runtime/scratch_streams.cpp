// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Scratch memory that streams own.
#include "scratch.h"

#include <algorithm>
#include <cstdlib>

namespace reheat
{
inline namespace REHEAT_MACHINE
{
namespace library
{
namespace
{

//! Where a thread found what streams own, by the stream's identity: what it remembers it has to look at again under the
//! lock. 1000 streams in turn find theirs without a lock that threads share.
struct remembered
{
  static constexpr std::size_t places = 1024; // identities of streams are consecutive
  struct
  {
    std::uint64_t stream;
    stream_scratch* place;
  } at[places];
};
thread_local remembered* memory_of_thread = nullptr;
thread_local bool thread_ends = false;

//! Frees a thread's memory when it ends. Calls of later destructors search.
struct remembered_owner
{
  remembered_owner() = default;
  remembered_owner(const remembered_owner&) = delete;
  remembered_owner& operator=(const remembered_owner&) = delete;
  ~remembered_owner()
  {
    thread_ends = true;
    std::free(memory_of_thread);
    memory_of_thread = nullptr;
  }
};

//! The thread's memory, or null.
remembered* thread_memory()
{
  if (memory_of_thread == nullptr && !thread_ends)
  {
    thread_local const remembered_owner owner;
    static_cast<void>(owner);
    memory_of_thread = static_cast<remembered*>(std::calloc(1, sizeof(remembered)));
  }
  return memory_of_thread;
}

std::size_t rounded_up(std::size_t bytes)
{
  std::size_t result = first_bytes;
  while (result < bytes)
  {
    result *= 2;
  }
  return result;
}

//! All contexts that ever had scratch memory.
struct registry
{
  std::mutex mutex;
  std::map<std::uint64_t, context_scratch*> contexts;

  static registry& instance()
  {
    static registry& the = *new registry; // never destroyed: calls of other static objects' destructors may still come
    return the;
  }
};

} // namespace

context_scratch* context_scratch::opened(std::uint64_t context)
{
  registry& all = registry::instance();
  const std::lock_guard<std::mutex> lock(all.mutex);
  const auto known = all.contexts.find(context);
  return known == all.contexts.end() ? nullptr : known->second;
}

status_type context_scratch::of(std::uint64_t context, context_scratch** found)
{
  thread_local context_scratch* last = nullptr;
  if (last == nullptr || last->context_ != context)
  {
    registry& all = registry::instance();
    const std::lock_guard<std::mutex> lock(all.mutex);
    context_scratch*& known = all.contexts[context];
    if (known == nullptr)
    {
      const machine::capture_guard guard;
      machine::device_memory* memory = nullptr;
      const status_type status = machine::open_memory(&memory);
      if (status != success)
      {
        return status;
      }
      known = new context_scratch(context, *memory);
    }
    last = known;
  }
  *found = last;
  return success;
}

stream_scratch& context_scratch::hold(const stream_key& key)
{
  remembered* const memory = thread_memory();
  auto* const place = memory == nullptr ? nullptr : &memory->at[key.first % remembered::places];
  stream_scratch* found = place != nullptr && place->stream == key.first ? place->place : nullptr;
  if (found == nullptr)
  {
    found = &find(key);
  }
  found->held.lock();
  while ((found->owner != this || found->key != key) && !switched_on(fault::trust_remembered_block))
  {
    found->held.unlock(); // it is another stream's by now
    found = &find(key);
    found->held.lock();
  }
  if (place != nullptr)
  {
    *place = {key.first, found};
  }
  return *found;
}

//! What the stream owns; new if it owns nothing.
stream_scratch& context_scratch::find(const stream_key& key)
{
  const machine::capture_guard guard;
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto [place, is_new] = by_key_.try_emplace(key, nullptr);
  if (is_new)
  {
    try
    {
      stream_scratch* const recycled = recycle();
      stream_scratch& found = recycled != nullptr ? *recycled : make();
      found.key = key;
      found.held.unlock();
      place->second = &found;
    }
    catch (...) // the host has no memory
    {
      by_key_.erase(place);
      throw;
    }
  }
  return *place->second;
}

//! A stream's place without memory, held by the caller. The mutex is held.
stream_scratch& context_scratch::make()
{
  if (unowned_.empty())
  {
    unowned_.reserve(all_.size() + 1); // for trim
    all_.emplace_back();
    unowned_.push_back(&all_.back());
  }
  std::list<stream_scratch*> passing_on;
  if (by_key_.size() > resident_streams)
  {
    passing_on.push_back(unowned_.back());
  }
  stream_scratch& made = *unowned_.back();
  unowned_.pop_back();
  made.held.lock(); // a thread that remembers it may be looking whose it is
  made.owner = this;
  if (!passing_on.empty() && machine::make_point(&made.last_use) == success)
  {
    made.passes_on = true;
    passing_on_.splice(passing_on_.end(), passing_on);
  }
  return made;
}

//! What another stream owned and no longer uses, held by the caller; null if there is none. The mutex is held.
stream_scratch* context_scratch::recycle()
{
  constexpr std::size_t max_looks = 8;
  for (std::size_t looks = std::min(max_looks, passing_on_.size()); looks != 0; --looks)
  {
    stream_scratch* const oldest = passing_on_.front();
    passing_on_.splice(passing_on_.end(), passing_on_, passing_on_.begin());
    if (oldest->held.try_lock())
    {
      if (oldest->passes_on && (machine::has_passed(oldest->last_use) || switched_on(fault::recycle_at_once)))
      {
        by_key_.erase(oldest->key);
        return oldest;
      }
      oldest->held.unlock();
    }
  }
  return nullptr;
}

void context_scratch::note_use(stream_scratch& held, stream_type stream)
{
  if (held.last_use != point_type{} && !switched_on(fault::mark_no_use))
  {
    held.passes_on = machine::mark_point(held.last_use, stream) == success || switched_on(fault::ignore_failed_mark);
  }
}

void context_scratch::give_back(memory_block& b, stream_type stream)
{
  if (b.memory == nullptr)
  {
    return;
  }
  if (!machine::frees_in_order(memory_))
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    outgrown_.push_back(b);
    b = {};
    return;
  }
  const memory_block old = std::exchange(b, memory_block{});
  bytes_ -= old.bytes;
  if (switched_on(fault::free_out_of_order))
  {
    machine::free_unused(memory_, old.memory);
  }
  else
  {
    machine::free_in_order(memory_, old.memory, stream);
  }
}

//! Makes `b` at least `bytes` large. Its content is lost if it grows, so the old memory goes first: it may be part of the
//! new, if that comes in the order of the same stream.
status_type context_scratch::grow(memory_block& b, std::size_t bytes, stream_type stream)
{
  if (bytes <= b.bytes)
  {
    return success;
  }
  const auto allocate = b.memory == nullptr ? machine::allocate_first : machine::allocate_in_order;
  give_back(b, stream);
  void* memory = nullptr;
  std::size_t wanted = rounded_up(bytes);
  status_type status = allocate(memory_, &memory, wanted, stream);
  if (status != success && wanted != bytes)
  {
    wanted = bytes;
    status = allocate(memory_, &memory, wanted, stream);
  }
  if (status == success)
  {
    b = {memory, wanted};
    bytes_ += wanted;
  }
  return status;
}

status_type context_scratch::prepare(stream_scratch& held, stream_type stream, std::size_t word_bytes,
                                     std::size_t value_bytes)
{
  const machine::capture_guard guard;
  held.zeroed = held.zeroed && word_bytes <= held.words.bytes;
  status_type status = grow(held.words, word_bytes, stream);
  if (status == success)
  {
    status = grow(held.values, value_bytes, stream);
  }
  if (status == success && !held.zeroed && held.words.bytes != 0)
  {
    status = switched_on(fault::skip_zeros) ? success : machine::zero_in_order(held.words.memory, held.words.bytes, stream);
    held.zeroed = status == success || switched_on(fault::ignore_failed_zeros);
    if (call_scope* const scope = call_scope::current())
    {
      scope->has_filled();
    }
  }
  return status;
}

void context_scratch::trim()
{
  const machine::capture_guard guard;
  if (!switched_on(fault::trim_without_wait) && machine::wait_for_device() != success)
  {
    return; // a capture, or an error of earlier work, which its own call reports
  }
  reclaim_result_slots(context_);
  std::vector<memory_block> unused;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    collect_returned();
    std::size_t most = outgrown_.size() + 2 * by_key_.size();
    for (const auto& [kind, pieces] : pieces_)
    {
      most += pieces.idle.size();
    }
    unused.reserve(most); // what follows needs no memory of the host's
    unused.insert(unused.end(), outgrown_.begin(), outgrown_.end());
    outgrown_.clear();
    drop_idle_chunks(unused);
    for (auto each = by_key_.begin(); each != by_key_.end();)
    {
      stream_scratch& s = *each->second;
      if (!s.held.try_lock())
      {
        ++each;
        continue;
      }
      for (memory_block* const b : {&s.words, &s.values})
      {
        if (b->memory != nullptr)
        {
          unused.push_back(std::exchange(*b, memory_block{}));
        }
      }
      machine::destroy_point(std::exchange(s.last_use, point_type{}));
      s.zeroed = s.passes_on = false;
      s.owner = nullptr;
      s.held.unlock();
      passing_on_.remove(&s);
      unowned_.push_back(&s);
      each = by_key_.erase(each);
    }
  }
  // Nobody finds any of it any more. What was launched since the first wait has ended after a second.
  if (!switched_on(fault::trim_without_wait) && machine::wait_for_device() != success)
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    outgrown_.insert(outgrown_.end(), unused.begin(), unused.end());
    return;
  }
  for (const memory_block& b : unused)
  {
    machine::free_unused(memory_, b.memory);
    bytes_ -= b.bytes;
  }
  machine::release_memory(memory_);
}

} // namespace library
} // namespace REHEAT_MACHINE
} // namespace reheat

// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
#include "machine.h"

#include <atomic>
#include <chrono>
#include <cstring>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

namespace reheat
{
inline namespace REHEAT_MACHINE
{
namespace library
{
namespace
{

constexpr std::size_t smallest_slot = 256;
constexpr std::size_t slab_bytes = 16 * 1024; // pinned memory comes in pages, so small slots share one

//! Free slots by context and size. They are kept for good: pinned memory is slow to get, and few calls overlap.
struct slot_pool
{
  std::mutex mutex;
  std::map<std::pair<std::uint64_t, std::size_t>, std::vector<void*>> free_slots;
  std::map<std::pair<std::uint64_t, std::size_t>, std::vector<void*>> given_up; //!< kernels may still write there

  static slot_pool& instance()
  {
    static slot_pool& the = *new slot_pool; // never destroyed: calls of other static objects' destructors may still come
    return the;
  }
};

std::size_t slot_size(std::size_t bytes)
{
  std::size_t size = smallest_slot;
  while (size < bytes)
  {
    size *= 2;
  }
  return size;
}

//! One small slot that a thread keeps for its next call. Without a destructor: usable as long as the thread has code to run.
struct kept_slot
{
  void* memory;
  std::uint64_t context;
  bool thread_ends;
};
thread_local kept_slot kept = {};

void give_to_pool(std::uint64_t context, std::size_t bytes, void* memory)
{
  slot_pool& all = slot_pool::instance();
  const std::lock_guard<std::mutex> lock(all.mutex);
  all.free_slots[{context, bytes}].push_back(memory);
}

//! Gives the kept slot to the pool when the thread ends.
struct kept_slot_owner
{
  kept_slot_owner() = default;
  kept_slot_owner(const kept_slot_owner&) = delete;
  kept_slot_owner& operator=(const kept_slot_owner&) = delete;
  ~kept_slot_owner()
  {
    kept.thread_ends = true;
    if (kept.memory != nullptr)
    {
      try
      {
        give_to_pool(kept.context, smallest_slot, kept.memory);
      }
      catch (...) // no memory for the list of slots: one is lost
      {}
      kept.memory = nullptr;
    }
  }
};

// What a slot holds until its result comes. A result that looks like this is found by the wait that follows.
constexpr unsigned char unlikely = 0xa7;
constexpr std::chrono::microseconds polling_time{
    20};                           // small calls take half of it; above, a wait costs little in comparison
constexpr int looks_per_time = 32; // between two looks at the clock

inline void pause_between_looks()
{
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

//! Whether all of `count` words, each of which is stored in one piece, have changed within the polling time.
template <class Word>
bool change_soon(const void* memory, std::size_t count)
{
  Word before;
  std::memset(&before, unlikely, sizeof before);
  const volatile Word* word = static_cast<const volatile Word*>(memory);
  const volatile Word* const last = word + count;
  const auto end = std::chrono::steady_clock::now() + polling_time;
  do
  {
    for (int look = 0; look < looks_per_time; ++look)
    {
      while (word != last && *word != before)
      {
        ++word;
      }
      if (word == last)
      {
        std::atomic_thread_fence(std::memory_order_acquire);
        return true;
      }
      pause_between_looks();
    }
  } while (std::chrono::steady_clock::now() < end);
  return false;
}

//! machine::may_spin() of the context, asked for once per thread and context.
bool may_spin_in(std::uint64_t context)
{
  thread_local std::uint64_t asked_for = 0;
  thread_local bool may_spin = false;
  if (asked_for != context)
  {
    asked_for = machine::may_spin(&may_spin) == success ? context : 0;
  }
  return may_spin;
}

//! The slot may serve another call.
void give_back(std::uint64_t context, std::size_t bytes, void* memory)
{
  const bool room = kept.memory == nullptr || kept.context != context; // another context's goes, it may be gone for good
  if (bytes == smallest_slot && room && !kept.thread_ends)
  {
    thread_local const kept_slot_owner owner;
    static_cast<void>(owner);
    if (kept.memory != nullptr)
    {
      give_to_pool(kept.context, smallest_slot, kept.memory);
    }
    kept.memory = memory;
    kept.context = context;
  }
  else
  {
    give_to_pool(context, bytes, memory);
  }
}

} // namespace

status_type result_slot::acquire(std::size_t bytes)
{
  std::uint64_t context = 0;
  status_type status = current_context(&context);
  if (status != success)
  {
    return status;
  }
  bytes_ = slot_size(bytes);
  context_ = context;
  if (bytes_ == smallest_slot && kept.memory != nullptr && kept.context == context)
  {
    memory_ = kept.memory;
    kept.memory = nullptr;
    return success;
  }
  slot_pool& all = slot_pool::instance();
  const std::lock_guard<std::mutex> lock(all.mutex);
  std::vector<void*>& free_slots = all.free_slots[{context, bytes_}];
  if (free_slots.empty())
  {
    const machine::capture_guard guard;
    const std::size_t slab = bytes_ < slab_bytes ? slab_bytes : bytes_;
    void* memory = nullptr;
    status = machine::allocate_result(&memory, slab);
    if (status != success)
    {
      return status;
    }
    for (std::size_t at = 0; at + bytes_ <= slab; at += bytes_)
    {
      free_slots.push_back(static_cast<unsigned char*>(memory) + at);
    }
  }
  memory_ = free_slots.back();
  free_slots.pop_back();
  return status;
}

void result_slot::expect(std::size_t bytes)
{
  std::memset(memory_, unlikely, bytes);
}

bool result_slot::comes_soon(std::size_t bytes) const
{
  if (!may_spin_in(context_))
  {
    return false;
  }
  switch (bytes)
  {
    case 1:
      return change_soon<std::uint8_t>(memory_, 1);
    case 2:
      return change_soon<std::uint16_t>(memory_, 1);
    case 4:
      return change_soon<std::uint32_t>(memory_, 1);
    default:
      return bytes % 8 == 0 && change_soon<std::uint64_t>(memory_, bytes / 8);
  }
}

result_slot::~result_slot()
{
  if (memory_ == nullptr)
  {
    return;
  }
  try
  {
    if (in_use_)
    {
      slot_pool& all = slot_pool::instance();
      const std::lock_guard<std::mutex> lock(all.mutex);
      all.given_up[{context_, bytes_}].push_back(memory_);
    }
    else
    {
      give_back(context_, bytes_, memory_);
    }
  }
  catch (...) // no memory for the list of slots: one is lost
  {}
}

void reclaim_result_slots(std::uint64_t context)
{
  slot_pool& all = slot_pool::instance();
  std::map<std::pair<std::uint64_t, std::size_t>, std::vector<void*>> given_up;
  {
    const std::lock_guard<std::mutex> lock(all.mutex);
    for (auto& [key, slots] : all.given_up)
    {
      if (key.first == context && !slots.empty())
      {
        given_up[key].swap(slots);
      }
    }
  }
  if (given_up.empty())
  {
    return;
  }
  const bool have_ended = machine::wait_for_device() == success; // the kernels of these slots
  const std::lock_guard<std::mutex> lock(all.mutex);
  for (const auto& [key, slots] : given_up)
  {
    std::vector<void*>& to = (have_ended ? all.free_slots : all.given_up)[key];
    to.insert(to.end(), slots.begin(), slots.end());
  }
}

} // namespace library
} // namespace REHEAT_MACHINE
} // namespace reheat

// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! What ThreadSanitizer is told, in programs that link it: who runs (one fiber of its own per CUDA thread), and which edges
//! of order the primitives make. A program's kernels are compiled with -fsanitize=thread then; the emulator never is, and
//! while it works for a kernel the detector looks away. In other programs the weak symbols below are null.
#pragma once

#include "enumerator.h"

#include <reheat/detail/config.cuh>

#include <cstddef>
#include <cstdint>

extern "C" {
[[gnu::weak]] void* __tsan_get_current_fiber();
[[gnu::weak]] void* __tsan_create_fiber(unsigned flags);
[[gnu::weak]] void __tsan_destroy_fiber(void* fiber);
[[gnu::weak]] void __tsan_switch_to_fiber(void* fiber, unsigned flags);
[[gnu::weak]] void __tsan_set_fiber_name(void* fiber, const char* name);
[[gnu::weak]] void __tsan_acquire(void* address);
[[gnu::weak]] void __tsan_release(void* address);
[[gnu::weak]] void __tsan_ignore_thread_begin();
[[gnu::weak]] void __tsan_ignore_thread_end();
[[gnu::weak]] void __tsan_read_range(void* first, unsigned long bytes);
[[gnu::weak]] void __tsan_write_range(void* first, unsigned long bytes);
}

namespace reheat::REHEAT_MACHINE::emulator::race
{

inline bool on()
{
  return __tsan_create_fiber != nullptr;
}

inline constexpr unsigned no_edge = 1; //!< flag of __tsan_switch_to_fiber

//! A place where threads meet: what came before release() in one comes before what follows acquire() in another. Each
//! meeting gets an edge of its own: one object for all generations of a barrier hid a missing barrier before an overwrite.
using edge = std::uint64_t*;

inline edge new_edge()
{
  constexpr std::size_t edges = 1u << 16; // used in turn: whatever an old one still orders was over long ago
  static std::uint64_t place[edges];
  static __thread std::size_t next = 0;
  const edge made = &place[next++ % edges];
  if (enumerator::active != nullptr)
  {
    enumerator::active->forget(made);
  }
  return made;
}
// Enumerated schedules need the same edges.
inline void acquire(edge from)
{
  if (on())
  {
    __tsan_acquire(from);
  }
  if (enumerator::active != nullptr && from != nullptr)
  {
    enumerator::active->acquire(from);
  }
}
inline void release(edge to)
{
  if (on())
  {
    __tsan_release(to);
  }
  if (enumerator::active != nullptr && to != nullptr)
  {
    enumerator::active->release(to);
  }
}

inline void look_away()
{
  if (on())
  {
    __tsan_ignore_thread_begin();
  }
}
inline void look_again()
{
  if (on())
  {
    __tsan_ignore_thread_end();
  }
}

//! What the detector takes for a thread: a CUDA thread, or a bulk copy on its way. Looks away from the emulator whenever it
//! is switched to.
class shadow
{
public:
  shadow() = default;
  shadow(const shadow&) = delete;
  shadow& operator=(const shadow&) = delete;
  shadow(shadow&& other) noexcept : fiber_(other.fiber_) { other.fiber_ = nullptr; }
  shadow& operator=(shadow&& other) noexcept
  {
    void* const mine = fiber_;
    fiber_ = other.fiber_;
    other.fiber_ = mine;
    return *this;
  }
  ~shadow()
  {
    if (fiber_ != nullptr)
    {
      as_this([] { __tsan_ignore_thread_end(); });
      __tsan_destroy_fiber(fiber_);
    }
  }

  bool made() const { return fiber_ != nullptr; }
  //! Comes after everything that was released to `from`, and after what `nursery` knows: a new thread inherits from its
  //! maker. Without a nursery, from the caller.
  void make(edge from, const shadow* nursery = nullptr)
  {
    if (on())
    {
      if (nursery != nullptr)
      {
        nursery->as_this([&] { fiber_ = __tsan_create_fiber(0); });
      }
      else
      {
        fiber_ = __tsan_create_fiber(0);
      }
      as_this(
          [&]
          {
            __tsan_ignore_thread_begin();
            __tsan_acquire(from);
          });
    }
  }
  void name(const char* text)
  {
    if (on())
    {
      __tsan_set_fiber_name(fiber_, text);
    }
  }

  //! From now on the caller's accesses are this thread's. Makes no edge.
  void enter() const
  {
    if (on())
    {
      __tsan_switch_to_fiber(fiber_, no_edge);
    }
  }

  void releases(edge to) const
  {
    if (on())
    {
      as_this([&] { __tsan_release(to); });
    }
  }
  void reads(const void* first, std::size_t bytes) const
  {
    if (on())
    {
      as_this(
          [&]
          {
            __tsan_ignore_thread_end();
            __tsan_read_range(const_cast<void*>(first), bytes);
            __tsan_ignore_thread_begin();
          });
    }
  }
  void writes(void* first, std::size_t bytes) const
  {
    if (on())
    {
      as_this(
          [&]
          {
            __tsan_ignore_thread_end();
            __tsan_write_range(first, bytes);
            __tsan_ignore_thread_begin();
          });
    }
  }

private:
  template <class Body>
  void as_this(Body body) const
  {
    void* const caller = __tsan_get_current_fiber();
    __tsan_switch_to_fiber(fiber_, no_edge);
    body();
    __tsan_switch_to_fiber(caller, no_edge);
  }

  void* fiber_ = nullptr;
};

} // namespace reheat::REHEAT_MACHINE::emulator::race

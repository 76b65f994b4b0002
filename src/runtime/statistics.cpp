// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
#include "machine.h"

#include <atomic>
#include <cstdio>
#include <exception>
#include <mutex>
#include <new>

namespace reheat
{
inline namespace REHEAT_MACHINE
{
namespace library
{

const char* const caller_names[] = {"reheat::reduce",
                                    "reheat::reduce_into",
                                    "reheat::transform_reduce",
                                    "reheat::inner_product",
                                    "reheat::count",
                                    "reheat::count_if",
                                    "reheat::min_element",
                                    "reheat::max_element",
                                    "reheat::minmax_element",
                                    "reheat::all_of",
                                    "reheat::any_of",
                                    "reheat::none_of",
                                    "reheat::inclusive_scan",
                                    "reheat::exclusive_scan",
                                    "reheat::transform_inclusive_scan",
                                    "reheat::transform_exclusive_scan",
                                    "reheat::inclusive_scan_by_key",
                                    "reheat::exclusive_scan_by_key",
                                    "reheat::reduce_by_key",
                                    "reheat"};

namespace
{

//! Written by one thread at a time, which therefore needs no read-modify-write, and read by any.
class counter
{
public:
  void add(std::uint64_t n) { value_.store(value_.load(std::memory_order_relaxed) + n, std::memory_order_relaxed); }
  std::uint64_t value() const { return value_.load(std::memory_order_relaxed); }

private:
  std::atomic<std::uint64_t> value_{0};
};

//! What a thread has counted. They are never freed: when a thread ends, the next new thread goes on adding to its counters.
struct thread_counters
{
  counter accelerated[algorithm_count + 1];
  counter launches;
  counter waits;
  thread_counters* next = nullptr; //!< in the list of all
  bool idle = false;               //!< no thread adds to them

  void add(const call_scope& call)
  {
    accelerated[static_cast<std::size_t>(call.env().algorithm)].add(1);
    launches.add(call.launches());
    waits.add(call.waits());
  }
};

struct all_counters
{
  std::mutex mutex; // of the list and of all `idle`
  thread_counters* first = nullptr;

  static all_counters& instance()
  {
    static all_counters& the =
        *new all_counters; // never destroyed: calls of other static objects' destructors may still come
    return the;
  }

  //! Null if the host has no memory.
  thread_counters* claim()
  {
    const std::lock_guard<std::mutex> lock(mutex);
    thread_counters* found = first;
    while (found != nullptr && !found->idle)
    {
      found = found->next;
    }
    if (found == nullptr)
    {
      found = new (std::nothrow) thread_counters;
      if (found == nullptr)
      {
        return nullptr;
      }
      found->next = first;
      first = found;
    }
    found->idle = false;
    return found;
  }
};

thread_local thread_counters* of_thread = nullptr;
thread_local thread_counters* of_silent_thread = nullptr; //!< the same; null if its calls are logged: one test for both

//! Hands a thread's counters on when it ends. Calls of later destructors claim some for good.
struct counters_owner
{
  counters_owner() = default;
  counters_owner(const counters_owner&) = delete;
  counters_owner& operator=(const counters_owner&) = delete;
  ~counters_owner()
  {
    all_counters& all = all_counters::instance();
    const std::lock_guard<std::mutex> lock(all.mutex);
    of_thread->idle = true;
    of_thread = of_silent_thread = nullptr;
  }
};

bool logs_calls()
{
  static const bool logs = environment_asks_for("REHEAT_LOG");
  return logs;
}

void log_call(const call_scope& call)
{
  std::fprintf(stderr, "%s: accelerated, %llu items of %zu bytes, stream %p, launches %u, waits %u%s%s\n", call.env().caller,
               static_cast<unsigned long long>(call.items()), call.item_bytes(), static_cast<const void*>(call.env().stream),
               call.launches(), call.waits(), call.is_captured() ? ", captured into a graph" : "",
               std::uncaught_exceptions() != 0 ? ", while an exception is thrown" : "");
}

//! A thread's first call, or one that is logged.
__attribute__((noinline, cold)) void count_first_or_logged_call(const call_scope& call)
{
  if (of_thread == nullptr)
  {
    of_thread = all_counters::instance().claim();
    if (of_thread == nullptr)
    {
      return;
    }
    thread_local const counters_owner owner;
    static_cast<void>(owner);
  }
  of_thread->add(call);
  if (logs_calls())
  {
    log_call(call);
  }
  else
  {
    of_silent_thread = of_thread;
  }
}

} // namespace

void count_call(const call_scope& call)
{
  if (thread_counters* const counters = of_silent_thread)
  {
    counters->add(call);
    return;
  }
  count_first_or_logged_call(call);
}

call_statistics statistics()
{
  constexpr std::size_t prefix = sizeof "reheat::" - 1;
  call_statistics result{};
  for (std::size_t i = 0; i < algorithm_count; ++i)
  {
    result.algorithms[i].name = caller_names[i] + prefix;
  }
  {
    all_counters& all = all_counters::instance();
    const std::lock_guard<std::mutex> lock(all.mutex);
    for (const thread_counters* each = all.first; each != nullptr; each = each->next)
    {
      for (std::size_t i = 0; i < algorithm_count; ++i)
      {
        result.algorithms[i].accelerated += each->accelerated[i].value();
      }
      result.launches += each->launches.value();
      result.waits += each->waits.value();
    }
  }
  result.workspace_bytes = library::workspace_bytes();
  return result;
}

} // namespace library
} // namespace REHEAT_MACHINE
} // namespace reheat

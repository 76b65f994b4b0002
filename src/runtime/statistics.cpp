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
                                    "reheat::find",
                                    "reheat::find_if",
                                    "reheat::find_if_not",
                                    "reheat::mismatch",
                                    "reheat::equal",
                                    "reheat::is_sorted",
                                    "reheat::is_sorted_until",
                                    "reheat::is_partitioned",
                                    "reheat::partition_point",
                                    "reheat::inclusive_scan",
                                    "reheat::exclusive_scan",
                                    "reheat::transform_inclusive_scan",
                                    "reheat::transform_exclusive_scan",
                                    "reheat::inclusive_scan_by_key",
                                    "reheat::exclusive_scan_by_key",
                                    "reheat::reduce_by_key",
                                    "reheat::copy_if",
                                    "reheat::remove",
                                    "reheat::remove_if",
                                    "reheat::remove_copy",
                                    "reheat::remove_copy_if",
                                    "reheat::partition",
                                    "reheat::stable_partition",
                                    "reheat::partition_copy",
                                    "reheat::stable_partition_copy",
                                    "reheat::unique",
                                    "reheat::unique_copy",
                                    "reheat::unique_by_key",
                                    "reheat::unique_by_key_copy",
                                    "reheat::unique_count",
                                    "reheat::sort",
                                    "reheat::stable_sort",
                                    "reheat::sort_by_key",
                                    "reheat::stable_sort_by_key",
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
  counter disabled[algorithm_count + 1];
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

//! The thread's counters; null if the host has no memory.
thread_counters* counters_of_thread()
{
  if (of_thread == nullptr)
  {
    of_thread = all_counters::instance().claim();
    if (of_thread != nullptr)
    {
      thread_local const counters_owner owner;
      static_cast<void>(owner);
    }
  }
  return of_thread;
}

//! A disabled algorithm comes here only from a unit without the switch.
void warn_once_of_missing_switch(algorithm which)
{
  static std::atomic<bool> warned{false};
  if (is_disabled(which) && !warned.exchange(true))
  {
    std::fprintf(stderr,
                 "reheat: REHEAT_DISABLE names %s, but a call of it is compiled without -DREHEAT_RUNTIME_SWITCH and stays "
                 "accelerated; compile with the macro\n",
                 name_of(which));
  }
}

//! A thread's first call, or one that is logged.
__attribute__((noinline, cold)) void count_first_or_logged_call(const call_scope& call)
{
  warn_once_of_missing_switch(call.env().algorithm);
  if (counters_of_thread() != nullptr)
  {
    of_thread->add(call);
  }
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

void log_failure(const char* attempt)
{
  if (logs_calls())
  {
    std::fprintf(stderr, "%s: failed\n", attempt);
  }
}

bool is_passed_on(algorithm which, stream_type stream)
{
  if (!is_disabled(which))
  {
    return false;
  }
  if (thread_counters* const counters = counters_of_thread())
  {
    counters->disabled[static_cast<std::size_t>(which)].add(1);
  }
  if (logs_calls())
  {
    std::fprintf(stderr, "%s: passed on to Thrust, because REHEAT_DISABLE names it, stream %p\n", name_of(which),
                 static_cast<const void*>(stream));
  }
  return true;
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
        result.algorithms[i].disabled += each->disabled[i].value();
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

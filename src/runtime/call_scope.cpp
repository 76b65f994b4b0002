// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
#include "machine.h"

#include <cstdlib>
#include <cstring>
#include <new>
#include <stdexcept>

namespace reheat
{
inline namespace REHEAT_MACHINE
{
namespace library
{
namespace
{

thread_local call_scope* innermost = nullptr;

//! What the call in progress knows about `stream`; `none` outside of calls. A call has one stream.
call_scope::answers& known_about(stream_type stream, call_scope::answers& none)
{
  call_scope::answers& known = innermost != nullptr ? innermost->known() : none;
  if ((known.has_capture || known.has_identity) && known.stream != stream)
  {
    known.has_capture = known.has_identity = false;
    known.identity = {};
  }
  known.stream = stream;
  return known;
}

status_type learn_capture(call_scope::answers& known)
{
  const status_type status = known.has_capture ? success : machine::find_capture(known.stream, &known.identity);
  known.has_capture = status == success;
  return status;
}

//! As is_capturing, where the call does not know it yet. Apart: a steady call asks three times.
REHEAT_OUT_OF_LINE status_type ask_whether_capturing(stream_type stream, bool* capturing)
{
  call_scope::answers none;
  call_scope::answers& known = known_about(stream, none);
  const status_type status = learn_capture(known);
  *capturing = known.identity.capture != 0;
  return status;
}

} // namespace

bool environment_asks_for(const char* name)
{
  const char* const value = std::getenv(name);
  return value != nullptr && *value != '\0' && std::strcmp(value, "0") != 0;
}

call_scope::call_scope(const environment& env, std::uint64_t items, std::size_t item_bytes)
    : outer_(innermost), env_(env), items_(items), item_bytes_(item_bytes)
{
  innermost = this;
  if (!env.measures)
  {
    machine::begin_range(env.caller);
  }
}

call_scope::~call_scope()
{
  innermost = outer_;
  if (!env_.measures)
  {
    machine::end_range();
    count_call(*this);
  }
}

call_scope* call_scope::current()
{
  return innermost;
}

status_type is_capturing(stream_type stream, bool* capturing)
{
  if (innermost != nullptr && innermost->known().has_capture && innermost->known().stream == stream)
  {
    *capturing = innermost->is_captured();
    return success;
  }
  return ask_whether_capturing(stream, capturing);
}

namespace
{

[[noreturn]] void raise(raise_type raise_of_interface, failure kind, status_type status, const char* attempt)
{
  if (raise_of_interface != nullptr)
  {
    raise_of_interface(kind, status, attempt);
  }
  if (kind == failure::memory)
  {
    throw std::bad_alloc();
  }
  throw std::runtime_error(attempt);
}

//! Of the call in progress, if there is one.
raise_type current_raise()
{
  return innermost != nullptr ? innermost->env().raise : nullptr;
}

} // namespace

void fail_in(const environment& env, status_type status, const char* attempt)
{
  raise(env.raise, failure::call, status, attempt);
}

void fail(status_type status, const char* attempt)
{
  raise(current_raise(), failure::call, status, attempt);
}

void fail_memory(status_type status, const char* attempt)
{
  raise(current_raise(), failure::memory, status, attempt);
}

#if !defined(REHEAT_EMULATED)
namespace
{

//! This thread's last launch that went into a capture.
struct captured_launch
{
  std::uint64_t capture = 0;
  const void* node = nullptr;
};
thread_local captured_launch last_captured;

//! What REHEAT_START_EARLY asks for: none with 0, small ones if it is empty or not set, else all.
early_starts starts_of_environment()
{
  static const early_starts wanted = []
  {
    const char* const value = std::getenv("REHEAT_START_EARLY");
    return value == nullptr || *value == '\0' ? early_starts::small
           : std::strcmp(value, "0") == 0     ? early_starts::none
                                              : early_starts::all;
  }();
  return wanted;
}

//! What the call in progress and the environment ask for together: none, if one of them does.
early_starts wanted_early_starts()
{
  const early_starts everywhere = starts_of_environment();
  const early_starts here = innermost != nullptr ? innermost->wanted_early_starts() : early_starts::small;
  return everywhere == early_starts::none || here == early_starts::none ? early_starts::none
         : everywhere == early_starts::all                              ? early_starts::all
                                                                        : here;
}

//! Whether `grid_blocks` blocks, one on each, leave half of the multiprocessors to others.
bool leaves_half(unsigned grid_blocks)
{
  unsigned multiprocessors = 0;
  return count_multiprocessors(&multiprocessors) == success && 2 * std::uint64_t{grid_blocks} <= multiprocessors;
}

} // namespace

bool early_start_pays(stream_type stream, unsigned grid_blocks)
{
  const early_starts wanted = wanted_early_starts();
  bool capturing = false;
  if (wanted == early_starts::none || is_capturing(stream, &capturing) != success)
  {
    return false;
  }
  if (!capturing)
  {
    const bool follows_own = innermost != nullptr && innermost->launches() != 0;
    return (innermost == nullptr || !innermost->filled()) &&
           (wanted == early_starts::all || follows_own || leaves_half(grid_blocks));
  }
  std::uint64_t capture = 0;
  const void* const node = machine::captures_early_launches() ? machine::last_captured_node(stream, &capture) : nullptr;
  return node != nullptr && node == last_captured.node && capture == last_captured.capture;
}

void note_launch(stream_type stream, bool may_start_early)
{
  if (innermost != nullptr)
  {
    innermost->count_launch();
  }
  if (!may_start_early)
  {
    return;
  }
  bool capturing = false;
  if (is_capturing(stream, &capturing) == success && capturing)
  {
    last_captured.node = machine::last_captured_node(stream, &last_captured.capture);
  }
}
#endif

status_type current_context(std::uint64_t* context)
{
  if (innermost == nullptr)
  {
    return machine::current_context(context);
  }
  call_scope::answers& known = innermost->known();
  const status_type status = known.has_context ? success : machine::current_context(&known.context);
  known.has_context = status == success;
  *context = known.context;
  return status;
}

status_type identify(stream_type stream, stream_identity* identity)
{
  call_scope::answers none;
  call_scope::answers& known = known_about(stream, none);
  status_type status = learn_capture(known);
  if (status == success && !known.has_identity)
  {
    status = machine::find_stream(stream, &known.identity);
    known.has_identity = status == success;
  }
  *identity = known.identity;
  return status;
}

} // namespace library
} // namespace REHEAT_MACHINE
} // namespace reheat

// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The host's side of the machine of this build, and the scratch memory of one call.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/runtime/call_scope.h>
#include <reheat/detail/runtime/environment.cuh>
#include <reheat/detail/runtime/launch.h>
#include <reheat/detail/runtime/workspace.h>
#include <reheat/detail/thread/value.cuh>

#if defined(REHEAT_EMULATED)
#  include <reheat/detail/runtime/emulated.h>
#else
#  include <reheat/detail/runtime/cuda.cuh>
#endif

#include <cstddef>
#include <cstdint>

REHEAT_NAMESPACE_BEGIN
namespace runtime
{

inline status_type wait(stream_type stream)
{
  return wait_for(stream);
}
//! Waits for the stream, if the call has not done so already.
inline void synchronize(const environment& env)
{
  const call_scope* const scope = call_scope::current();
  check_in(env, scope != nullptr && scope->waited() ? scope->outcome() : wait(env.stream), env.caller);
}
//! Waits for the stream if calls that return nothing to the host do.
inline void synchronize_optional(const environment& env)
{
  if (env.waits)
  {
    synchronize(env);
  }
}

// ---- scratch memory -----------------------------------------------------------------------------------------------------

[[noreturn]] REHEAT_COLD inline void fail_scratch(status_type status, std::size_t bytes)
{
  fail_memory(status,
              format_message("reheat: allocating %zu bytes of scratch memory (reheat::trim_workspaces() gives back what "
                             "idle streams keep)",
                             bytes)
                  .text);
}

template <>
class call_scratch<stream_memory>
{
public:
  call_scratch(const environment& env, const stream_memory&, std::size_t word_bytes, std::size_t value_bytes)
  {
    if (word_bytes + value_bytes != 0)
    {
      const status_type status = lease_.acquire(env.stream, word_bytes, value_bytes);
      if (status != success)
      {
        fail_scratch(status, word_bytes + value_bytes);
      }
    }
  }
  void* words() const { return lease_.words(); }
  void* values() const { return lease_.values(); }

private:
  workspace_lease lease_;
};

// ---- results ------------------------------------------------------------------------------------------------------------

//! How a call learns that its result is on the host.
enum class result_wait
{
  synchronize, //!< it waits for the stream
  poll,        //!< it polls the result for a while, and waits for the stream only if the result has not come
};
//! For calls without output on the device. One u32 on an NVIDIA H200, interleaved: 8.0 us polled, 10.1 with a wait.
inline constexpr result_wait default_result_wait = result_wait::poll;

//! Returns what `enqueue(T* result)` leaves in `result`, host memory that a kernel can write to. Waits for the stream, or
//! polls. After polling, the earlier work and the result are complete, but the stream may not be ready: output by printf,
//! side effects and faults of the operator are certain only after a later wait. Only values that are stored in words are
//! polled for.
template <class T, result_wait Wait, class Enqueue>
T result_on_host(const environment& env, Enqueue enqueue)
{
  constexpr bool polls = Wait == result_wait::poll && detail::is_stored_in_words_v<T>;
  result_slot slot;
  check_memory(slot.acquire(sizeof(T)), "reheat: allocating host memory for a result");
  if (polls)
  {
    slot.expect(sizeof(T));
  }
  T* const result = static_cast<T*>(slot.get());
  enqueue(result); // the launch is the last step
  slot.has_launched();
  const call_scope* const scope = call_scope::current();
  const bool has_waited = scope != nullptr && scope->waited(); // for memory of an allocator: that may have failed
  if (!polls || has_waited || !slot.comes_soon(sizeof(T)))
  {
    synchronize(env);
  }
  slot.has_ended();
  return *result;
}

} // namespace runtime
REHEAT_NAMESPACE_END

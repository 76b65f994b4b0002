// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! How a call of CUB's interface begins and ends: with the caller's memory, and with a status. Nothing is thrown.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/runtime/runtime.cuh>
#include <reheat/device/types.cuh>

#include <cstddef>
#include <cstdint>
#include <new>
#include <type_traits>

REHEAT_NAMESPACE_BEGIN
namespace device_wide
{

using runtime::status_type;
using runtime::stream_type;

//! What is thrown between the failure and the return of the call.
struct failed
{
  status_type status;
};

//! REHEAT_LOG=1 prints what was attempted: a status does not say it.
REHEAT_COLD inline void raise(runtime::failure, status_type status, const char* attempt)
{
  runtime::log_failure(attempt);
#if !defined(REHEAT_EMULATED)
  static_cast<void>(cudaGetLastError());
#endif
  throw failed{status};
}

//! The stream, or the handle of what null means in this translation unit, which the compiled parts cannot know.
inline stream_type handle_of(stream_type stream)
{
#if defined(REHEAT_EMULATED)
  return stream == nullptr ? emulator::default_stream() : stream;
#elif defined(CUDA_API_PER_THREAD_DEFAULT_STREAM)
  return stream == nullptr ? cudaStreamPerThread : stream;
#else
  return stream == nullptr ? cudaStreamLegacy : stream;
#endif
}

inline runtime::environment environment_of(const char* caller, stream_type stream)
{
  runtime::environment env{caller, handle_of(stream)};
  env.raise = &raise;
  return env;
}

//! What `call()` came to. On the emulator a kernel's exceptions pass: on a GPU they would be faults, which no call reports.
template <class Call>
status_type status_of(Call call)
{
  try
  {
    call();
    return runtime::success;
  }
  catch (const failed& what)
  {
    return what.status;
  }
#if defined(REHEAT_EMULATED)
  catch (const std::bad_alloc&)
  {
    return status_type::out_of_memory;
  }
#else
  catch (const std::bad_alloc&)
  {
    return cudaErrorMemoryAllocation;
  }
  catch (...) // of a copy of an iterator or an operator
  {
    return cudaErrorUnknown;
  }
#endif
}

//! How a call in two phases runs an algorithm. Without memory it leaves the size that the call needs, at least 1, and
//! touches nothing else. Otherwise the algorithm is enqueued with the caller's memory.
struct two_phases
{
  const char* caller;
  void* memory;
  std::size_t& bytes;
  stream_type stream;

  //! `call(environment)` enqueues the algorithm.
  template <class Call>
  status_type operator()(Call call) const
  {
    return status_of(
        [&]
        {
          runtime::environment env = environment_of(caller, stream);
          if (memory == nullptr)
          {
            std::size_t needed = 1;
            env.measures = true;
            call(runtime::environment_with<runtime::measured_memory>{env, {&needed}});
            bytes = needed;
          }
          else
          {
            call(runtime::environment_with<runtime::given_memory>{env, {memory, bytes}});
          }
        });
  }
};

//! A number of items of any integral type. Of less than none a call fails.
template <class NumItems>
std::uint64_t item_count(const runtime::environment& env, NumItems items)
{
  static_assert(is_plain_integer_v<NumItems>,
                "reheat: the number of items is an integer that the host knows, and not a bool");
  if constexpr (std::is_signed_v<NumItems>)
  {
    if (items < 0)
    {
      runtime::fail_in(
          env, runtime::invalid_value,
          runtime::format_message("%s: %lld items; pass 0 or more", env.caller, static_cast<long long>(items)).text);
    }
  }
  return static_cast<std::uint64_t>(items);
}

} // namespace device_wide

using runtime::status_type;
using runtime::stream_type;

REHEAT_NAMESPACE_END

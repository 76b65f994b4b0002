// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! How a call of CUB's interface begins and ends: with the caller's memory, and with a status. Nothing is thrown.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/runtime/runtime.cuh>
#include <reheat/device/environment.cuh>
#include <reheat/device/types.cuh>

#include <cstddef>
#include <cstdint>
#include <new>
#include <type_traits>

REHEAT_NAMESPACE_BEGIN
namespace device_wide
{

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
  catch (const std::bad_alloc&)
  {
    return runtime::out_of_memory;
  }
#if !defined(REHEAT_EMULATED)
  catch (...) // of a copy of an iterator or an operator
  {
    return cudaErrorUnknown;
  }
#endif
}

//! Leaves the size that a call needs, at least 1, and touches nothing else.
template <class Call>
status_type measure(const char* caller, stream_type stream, std::size_t& bytes, Call call)
{
  return status_of(
      [&]
      {
        runtime::environment env = environment_of(caller, stream);
        std::size_t needed = 1;
        env.measures = true;
        call(runtime::environment_with<runtime::measured_memory>{env, {&needed}});
        bytes = needed;
      });
}
//! Enqueues a call, with scratch memory from `source`.
template <class Source, class Call>
status_type enqueue(const char* caller, stream_type stream, Source source, Call call)
{
  return status_of([&] { call(runtime::environment_with<Source>{environment_of(caller, stream), source}); });
}

//! How a call in two phases runs an algorithm: without memory it measures, otherwise it enqueues with the caller's memory.
struct two_phases
{
  const char* caller;
  void* memory;
  std::size_t& bytes;
  stream_type stream;

  //! Of the environment: nothing is required.
  static constexpr bool on_every_gpu = false;
  template <bool Reproducible>
  static constexpr void check_requirements()
  {}
  //! `call(environment)` enqueues the algorithm.
  template <class Call>
  status_type operator()(Call call) const
  {
    return memory == nullptr ? measure(caller, stream, bytes, call)
                             : enqueue(caller, stream, runtime::given_memory{memory, bytes}, call);
  }
};

#if REHEAT_HAS_ENVIRONMENTS
//! How a call in one phase runs an algorithm: with scratch memory of the stream's, or with a block of the environment's
//! memory resource if it needs memory.
template <class Env>
struct single_phase
{
  const char* caller;
  const Env& env;

  static constexpr bool on_every_gpu = detail::required_determinism<Env>() == detail::determinism::gpu_to_gpu;
  template <bool Reproducible>
  static constexpr void check_requirements()
  {
    device_wide::check_requirements<Reproducible, Env>();
  }
  template <class Call>
  status_type operator()(Call call) const
  {
    const stream_type stream = handle_of(stream_of(env));
    if constexpr (has_memory_resource_v<Env>)
    {
      std::size_t bytes = 0;
      const status_type measured = measure(caller, stream, bytes, call);
      if (measured != runtime::success)
      {
        return measured;
      }
      const auto run = [&](void* block) { return enqueue(caller, stream, runtime::given_memory{block, bytes}, call); };
      return bytes == 1 ? run(nullptr) : with_block_of(memory_resource_of(env), stream, bytes, run);
    }
    else
    {
      return enqueue(caller, stream, runtime::stream_memory{}, call);
    }
  }
};
#endif

//! A number of items of any integral type. Of less than none a call fails.
template <class NumItems>
std::uint64_t item_count(const runtime::environment& env, NumItems items)
{
  static_assert(
      is_plain_integer_v<NumItems>,
      "reheat: the number of items is an integer that the host knows, and not a bool; copy a number that lies on the "
      "device to the host first");
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

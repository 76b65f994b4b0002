// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The host's side of the emulator, under the names of cuda.cuh.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/runtime/call_scope.h>
#include <reheat/detail/runtime/environment.cuh>
#include <reheat/detail/runtime/launch.h>
#include <reheat/detail/runtime/message.h>
#include <reheat/detail/runtime/workspace.h>
#include <reheat/emulator.h>

#include <cstddef>
#include <cstring>
#include <memory>
#include <type_traits>

REHEAT_NAMESPACE_BEGIN
namespace runtime
{

inline bool is_captured(const environment& env)
{
  return env.stream != nullptr && env.stream->is_capturing();
}
//! As on a GPU: `why` says what cannot be captured, `instead` what can.
inline void refuse_capture(const environment& env, const char* why, const char* instead)
{
  if (is_captured(env))
  {
    fail_in(env, invalid_value, format_message("%s: %s%s", env.caller, why, instead).text);
  }
}

//! Fills with zeros; of a captured stream, each time the graph runs.
inline void zero(void* memory, std::size_t bytes, stream_type stream)
{
  emulator::record(&emulator::host_calls::fills);
  check(emulator::host_call_fails("zero") ? invalid_value : success, "reheat: clearing scratch memory");
  struct range
  {
    void* memory;
    std::size_t bytes;
  };
  const auto fill = [](void* argument)
  {
    const range& zeros = *static_cast<const range*>(argument);
    std::memset(zeros.memory, 0, zeros.bytes);
  };
  range zeros{memory, bytes};
  if (stream != nullptr && stream->is_capturing())
  {
    stream->captured()->add({{"zeros", 1, 1, 0}, fill, std::make_shared<range>(zeros)});
  }
  else
  {
    fill(&zeros);
  }
}

template <class... Parameters>
int arch_of(void (*)(Parameters...))
{
  return 0;
}

template <class... Parameters>
residency prepare(void (*)(Parameters...), unsigned block_threads, std::size_t shared_bytes)
{
  return {emulator::resident_blocks(block_threads, shared_bytes),
          static_cast<unsigned>(emulator::device_properties().multiprocessors)};
}

//! What every thread of a launch runs: `run(body)`.
struct launched_body
{
  void* body;
  void (*run)(void* body);
  emulator::argument_copier copy;
};

inline void launch_body(const environment& env, const launch_shape& shape, const launched_body& launched)
{
  if (emulator::host_call_fails("launch"))
  {
    fail_in(
        env, invalid_value,
        format_message("%s: launching %u blocks of %u threads", env.caller, shape.grid_blocks, shape.block_threads).text);
  }
  emulator::launch(env.stream,
                   {env.caller, shape.grid_blocks, shape.block_threads, shape.shared_bytes,
                    shape.kind == launch_kind::cooperative, shape.kind == launch_kind::in_order,
                    shape.start == launch_start::programmatic},
                   launched.run, launched.body, launched.copy);
  if (call_scope* const scope = call_scope::current())
  {
    scope->count_launch();
  }
}

//! A copy of an object that is no more than its bytes: one function for all types of a size.
template <std::size_t Bytes, std::size_t Alignment>
std::shared_ptr<void> copy_bytes(const void* object)
{
  struct storage
  {
    alignas(Alignment) unsigned char bytes[Bytes];
  };
  void (*const destroy)(void*) = [](void* copy) { delete static_cast<storage*>(copy); };
  auto* const copy = new storage;
  std::memcpy(copy->bytes, object, Bytes);
  return {static_cast<void*>(copy), destroy};
}
template <class T>
std::shared_ptr<void> copy_object(const void* object)
{
  void (*const destroy)(void*) = [](void* copy) { delete static_cast<T*>(copy); };
  return {static_cast<void*>(new T(*static_cast<const T*>(object))), destroy};
}

//! Launches. Every thread gets copies of the arguments, as on the GPU.
//!
//! Tests compile this for thousands of kernels, so that little depends on the kernel. A std::make_shared alone would be 15
//! functions for each.
template <class... Parameters, class... Arguments>
void launch(const environment& env, const launch_shape& shape, void (*kernel)(Parameters...), const Arguments&... arguments)
{
  auto body = [kernel, arguments...] { kernel(arguments...); };
  using body_type = decltype(body);
  emulator::argument_copier copy = nullptr;
  if constexpr (std::is_trivially_copyable_v<body_type>)
  {
    copy = &copy_bytes<sizeof(body_type), alignof(body_type)>;
  }
  else
  {
    copy = &copy_object<body_type>;
  }
  launch_body(env, shape, {&body, [](void* argument) { (*static_cast<body_type*>(argument))(); }, copy});
}

} // namespace runtime
REHEAT_NAMESPACE_END

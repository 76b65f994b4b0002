// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! What a call runs with, whichever interface it came through. Thrust's policies become one in
//! thrust_backend/environment.cuh.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/iterators.cuh>
#include <reheat/detail/runtime/call_scope.h>

#include <cstddef>
#include <type_traits>

REHEAT_NAMESPACE_BEGIN
namespace runtime
{

using namespace library;

// Not in the library's namespace: a shared object exports inline functions of that, and another object's failure would then
// be raised by this one's library, which has no call in progress.

//! Fails unless `status` is success.
inline void check_in(const environment& env, status_type status, const char* attempt)
{
  if (status != success)
  {
    fail_in(env, status, attempt);
  }
}
//! The same in the call in progress.
inline void check(status_type status, const char* attempt)
{
  if (status != success)
  {
    fail(status, attempt);
  }
}
//! As check; of an allocation.
inline void check_memory(status_type status, const char* attempt)
{
  if (status != success)
  {
    fail_memory(status, attempt);
  }
}

//! An environment and its source of scratch memory: one of the types below, or a type of an interface's own. Each source has
//! a call_scratch. `Unwrapping` knows which iterators are pointers (iterators.cuh).
template <class Source, class Unwrapping = detail::unwrap_thrusts_own>
struct environment_with : environment
{
  using source = Source;
  using unwrapping = Unwrapping;
  Source scratch;
};

//! Scratch memory comes from the stream, which keeps it between calls, or from the graph into which the call is captured.
struct stream_memory
{};

//! Scratch memory is a block of the caller's, at any address and with any content. The call allocates and keeps nothing.
struct given_memory
{
  void* memory;
  std::size_t bytes;
};

//! No memory, and nothing is launched: the call leaves the size that given_memory needs, whatever the addresses of input and
//! output, unless `bytes` is larger already.
struct measured_memory
{
  std::size_t* bytes;
};

//! The same for a call that takes memory of a call_scratch itself: the sizes of that, each unless it is larger already.
struct measured_scratch
{
  std::size_t* word_bytes;
  std::size_t* value_bytes;
};

//! Memory of a call_scratch, which somebody else of the same call has taken and keeps until behind this part's last launch.
struct taken_scratch
{
  void* words;
  void* values;
};

//! Whether words of scratch memory stay as kernels leave them, from one call to the next. Otherwise a call has to store
//! zeros first.
template <class Source>
inline constexpr bool keeps_words_v = !std::is_same_v<Source, given_memory> && !std::is_same_v<Source, measured_memory>;
template <class Environment>
inline constexpr bool only_measures_v = std::is_same_v<typename Environment::source, measured_memory> ||
                                        std::is_same_v<typename Environment::source, measured_scratch>;

//! The scratch memory of one call, from its construction to the call's last launch. Specialisations have
//! `call_scratch(const environment&, const Source&, std::size_t word_bytes, std::size_t value_bytes)`, and words() and
//! values(), which are aligned to 256 bytes. Words are zeros in the stream's order, or as kernels have left them.
template <class Source>
class call_scratch;

} // namespace runtime
REHEAT_NAMESPACE_END

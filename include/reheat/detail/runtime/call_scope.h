// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! A public call in progress, and what it has asked the machine so far: part of the interface of src/runtime.
#pragma once

#include <reheat/detail/runtime/launch.h>
#include <reheat/detail/runtime/statistics.h>
#include <reheat/detail/runtime/workspace.h>

#include <cstddef>
#include <cstdint>

namespace reheat
{
inline namespace REHEAT_MACHINE
{
namespace library
{

//! Which calls may share scratch memory, apart from the context.
struct stream_identity
{
  std::uint64_t stream = 0;
  std::uint64_t thread = 0;  //!< of the per-thread default stream, else 0
  std::uint64_t capture = 0; //!< of the capture in progress, else 0
  void* graph = nullptr;     //!< being captured
};

//! What went wrong.
enum class failure
{
  call,  //!< a call into CUDA
  memory //!< an allocation
};
//! Turns a failure into what the callers of an interface expect, and throws it: Thrust's exceptions, for example. `attempt`
//! says what was tried. It also clears the error state of CUDA's runtime.
using raise_type = void (*)(failure kind, status_type status, const char* attempt);

//! What every call has.
struct environment
{
  const char* caller; //!< the public function: for messages and a profiler's timeline
  stream_type stream; //!< a handle, never null on the GPU: library code cannot know which default stream null means
  bool waits = false; //!< a call that returns nothing to the host waits for the stream at its end
  library::early_starts early_starts = library::early_starts::small;
  library::algorithm algorithm = library::algorithm::none; //!< as which the call is counted
  raise_type raise = nullptr; //!< of the interface that the call came through; without one, failures are std::runtime_errors
  bool measures = false;      //!< the call only asks for a size: it is neither counted nor a profiler's range
};

//! From the entry of a public call to its return. The current context and the identity of the stream are asked for once in
//! it; code that runs outside of a call asks each time. (Four questions for the context and one for a capture were as many
//! driver calls in front of each launch.) A call within a call asks anew. In a profiler's timeline it is a range of the
//! call's name. At its end the call is counted (statistics.h) and, under REHEAT_LOG, written to stderr.
class call_scope
{
public:
  //! `env` outlives the call. `items` of `item_bytes` each are its input.
  explicit call_scope(const environment& env, std::uint64_t items = 0, std::size_t item_bytes = 0);
  call_scope(const call_scope&) = delete;
  call_scope& operator=(const call_scope&) = delete;
  ~call_scope();

  //! This thread's innermost call, or null.
  static call_scope* current();

  void count_launch()
  {
    ++launches_;
    filled_ = waited_ = false; // a fill and a wait concern one launch
  }
  void count_wait() { ++waits_; }
  //! The call has waited for its stream, with this outcome, earlier than it would have.
  void has_waited(status_type outcome)
  {
    waited_ = true;
    outcome_ = outcome;
  }
  //! The call has put a fill of its scratch memory in front of its launch, which then does not start early.
  void has_filled() { filled_ = true; }
  bool filled() const { return filled_; }
  early_starts wanted_early_starts() const { return env_.early_starts; }
  bool waited() const { return waited_; }
  status_type outcome() const { return outcome_; } //!< of that wait

  struct answers
  {
    bool has_context = false, has_capture = false, has_identity = false;
    std::uint64_t context = 0;
    stream_type stream = {}; //!< that the rest is about
    stream_identity identity;
  };
  answers& known() { return known_; }

  // What is counted and logged of the call.
  const environment& env() const { return env_; }
  std::uint64_t items() const { return items_; }
  std::size_t item_bytes() const { return item_bytes_; }
  unsigned launches() const { return launches_; }
  unsigned waits() const { return waits_; }
  bool is_captured() const { return known_.identity.capture != 0; }

private:
  call_scope* outer_;
  const environment& env_;
  std::uint64_t items_;
  std::size_t item_bytes_;
  unsigned launches_ = 0;
  unsigned waits_ = 0;
  bool filled_ = false;
  bool waited_ = false;
  status_type outcome_ = success;
  answers known_;
};

//! Has the environment's interface raise the failure.
[[noreturn]] void fail_in(const environment& env, status_type status, const char* attempt);
//! Has the interface of the call in progress raise the failure.
[[noreturn]] void fail(status_type status, const char* attempt);
//! As fail; of an allocation.
[[noreturn]] void fail_memory(status_type status, const char* attempt);

//! Whether work on `stream` is being captured into a graph instead of run.
status_type is_capturing(stream_type stream, bool* capturing);

//! Waits for the stream. In relaxed capture mode: in others a wait breaks the capture that another thread has begun in
//! global mode. On the emulator it is only recorded: kernels have run by the time a launch returns.
status_type wait_for(stream_type stream);

} // namespace library
} // namespace REHEAT_MACHINE
} // namespace reheat

// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! A public call in progress, and what it has asked the machine so far: part of the interface of src/runtime.
#pragma once

#include <reheat/detail/runtime/launch.h>
#include <reheat/detail/runtime/workspace.h>

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

//! From the entry of a public call to its return. The current context and the identity of the stream are asked for once in
//! it; code that runs outside of a call asks each time. (Four questions for the context and one for a capture were as many
//! driver calls in front of each launch.) A call within a call asks anew. In a profiler's timeline it is a range of the
//! call's name. `large_launches`: how launches start whose blocks would fill more than half of the GPU.
class call_scope
{
public:
  explicit call_scope(const char* caller, launch_start large_launches = launch_start::serial);
  call_scope(const call_scope&) = delete;
  call_scope& operator=(const call_scope&) = delete;
  ~call_scope();

  //! This thread's innermost call, or null.
  static call_scope* current();

  //! The call has waited for its stream, with this outcome, earlier than it would have.
  void has_waited(status_type outcome)
  {
    waited_ = true;
    outcome_ = outcome;
  }
  //! The call has put a fill of its scratch memory in front of its launch, which then does not start early.
  void has_filled() { filled_ = true; }
  bool filled() const { return filled_; }
  launch_start large_launches() const { return large_launches_; }
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

private:
  call_scope* outer_;
  launch_start large_launches_;
  bool filled_ = false;
  bool waited_ = false;
  status_type outcome_ = success;
  answers known_;
};

//! Whether work on `stream` is being captured into a graph instead of run.
status_type is_capturing(stream_type stream, bool* capturing);

#if !defined(REHEAT_EMULATED)
//! Waits for the stream. In relaxed capture mode: in others a wait breaks the capture that another thread has begun in
//! global mode.
status_type wait_for(stream_type stream);
#endif

} // namespace library
} // namespace REHEAT_MACHINE
} // namespace reheat

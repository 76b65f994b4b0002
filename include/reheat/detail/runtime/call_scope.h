// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! A public call in progress, and what it has asked the machine so far: part of the interface of src/runtime.
#pragma once

#include <reheat/detail/runtime/workspace.h>

#include <cstdint>

namespace reheat
{
inline namespace REHEAT_MACHINE
{
namespace runtime
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
//! driver calls in front of each launch.) A call within a call asks anew.
class call_scope
{
public:
  call_scope();
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
  //! The call has put a fill of its scratch memory in front of its launch, which then starts in its turn.
  void has_filled() { filled_ = true; }
  bool filled() const { return filled_; }
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
  bool filled_ = false;
  bool waited_ = false;
  status_type outcome_ = success;
  answers known_;
};

//! Whether work on `stream` is being captured into a graph instead of run.
status_type is_capturing(stream_type stream, bool* capturing);

#if !defined(REHEAT_EMULATED)
//! Whether a launch on `stream` that may start before earlier work is done should. In a capture only right behind this
//! thread's last captured launch of which note_launch has been told: behind anything else the edge that lets it makes graphs
//! slower. Outside of one not behind a fill of the same call: beside other programs on an NVIDIA H200, 17 new streams with a
//! fill and a scan each stood still, all 528 places for their blocks taken by blocks that waited, as it seemed for fills, in
//! two runs of two.
bool early_start_pays(stream_type stream);
//! `stream` has been given a launch that waits for earlier work and lets the next one start.
void note_launch(stream_type stream);
#endif

} // namespace runtime
} // namespace REHEAT_MACHINE
} // namespace reheat

// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Scratch memory of one call: whose it is depends on the call.
#include "scratch.h"

#include <exception>

namespace reheat
{
inline namespace REHEAT_MACHINE
{
namespace library
{

namespace
{

//! This thread's last captured call, and the memory that it used.
struct captured_call
{
  const context_scratch* scratch = nullptr; //!< a capture may go over to another device
  std::uint64_t capture = 0;
  const void* node = nullptr;
  graph_piece* words = nullptr;
  graph_piece* values = nullptr;
};
thread_local captured_call last_captured_call;

//! A call has been captured, or has failed: another may follow it.
void note_capture(stream_type stream, bool failed)
{
  captured_call& last = last_captured_call;
  if (failed)
  {
    last = {};
  }
  last.node = machine::last_captured_node(stream, &last.capture);
}

} // namespace

status_type workspace_lease::acquire(stream_type stream, std::size_t word_bytes, std::size_t value_bytes)
{
  exceptions_ = std::uncaught_exceptions();
  stream_ = stream;
  std::uint64_t context = 0;
  stream_identity identity;
  status_type status = current_context(&context);
  if (status == success)
  {
    status = identify(stream, &identity);
  }
  if (status == success)
  {
    status = context_scratch::of(context, &scratch_);
  }
  if (status != success)
  {
    return status;
  }
  if (identity.capture != 0)
  {
    return acquire_for_graph(identity.graph, word_bytes, value_bytes);
  }
  std::size_t held_value_bytes = value_bytes;
  if (word_bytes + value_bytes > kept_bytes && machine::frees_in_order(scratch_->memory()))
  {
    const bool holds_words = word_bytes != 0 && word_bytes <= kept_bytes; // which need no zeros then
    status = acquire_for_call(holds_words ? 0 : word_bytes, value_bytes);
    if (status != success || !holds_words)
    {
      return status;
    }
    held_value_bytes = 0;
    if (switched_on(fault::free_values_at_once))
    {
      machine::free_in_order(scratch_->memory(), own_, stream_);
      own_ = nullptr;
    }
  }
  held_ = &scratch_->hold({identity.stream, identity.thread});
  if (!held_->is_ready(word_bytes, held_value_bytes))
  {
    status = scratch_->prepare(*held_, stream, word_bytes, held_value_bytes);
  }
  words_ = held_->words.memory;
  values_ = held_value_bytes == value_bytes ? held_->values.memory : values_;
  return status;
}

status_type workspace_lease::acquire_for_graph(void* graph, std::size_t word_bytes, std::size_t value_bytes)
{
  const machine::capture_guard guard;
  captured_call& last = last_captured_call;
  std::uint64_t capture = 0;
  const void* const node = machine::last_captured_node(stream_, &capture);
  const bool follows = (node != nullptr && node == last.node) || switched_on(fault::share_graph_piece);
  if (!follows || capture != last.capture || scratch_ != last.scratch)
  {
    last = {};
    last.scratch = scratch_;
  }
  status_type status = success;
  if (word_bytes != 0 && (last.words == nullptr || last.words->bytes() < word_bytes))
  {
    status = scratch_->allocate_for_graph(stream_, graph, true, word_bytes, &last.words);
  }
  if (status == success && value_bytes != 0 && (last.values == nullptr || last.values->bytes() < value_bytes))
  {
    status = scratch_->allocate_for_graph(stream_, graph, false, value_bytes, &last.values);
  }
  if (status != success)
  {
    last = {};
    return status;
  }
  words_ = word_bytes != 0 ? last.words->memory : nullptr;
  values_ = value_bytes != 0 ? last.values->memory : nullptr;
  return success;
}

status_type workspace_lease::acquire_for_call(std::size_t word_bytes, std::size_t value_bytes)
{
  constexpr std::size_t alignment = 256;
  const std::size_t values_at = (word_bytes + alignment - 1) / alignment * alignment;
  const machine::capture_guard guard;
  status_type status = machine::allocate_in_order(scratch_->memory(), &own_, values_at + value_bytes, stream_);
  if (status == success)
  {
    words_ = own_;
    values_ = static_cast<unsigned char*>(own_) + values_at;
  }
  if (status == success && word_bytes != 0)
  {
    status = machine::zero_in_order(own_, word_bytes, stream_);
    if (call_scope* const scope = call_scope::current())
    {
      scope->has_filled();
    }
  }
  return status;
}

workspace_lease::~workspace_lease()
{
  if (held_ == nullptr && own_ == nullptr && words_ != nullptr) // a graph's
  {
    note_capture(stream_, std::uncaught_exceptions() > exceptions_);
  }
  if (own_ != nullptr)
  {
    const machine::capture_guard guard;
    machine::free_in_order(scratch_->memory(), own_, stream_);
  }
  if (held_ != nullptr)
  {
    if (std::uncaught_exceptions() > exceptions_)
    {
      held_->zeroed = false; // the launch may have ended half-way
    }
    context_scratch::note_use(*held_, stream_);
    held_->held.unlock();
  }
}

status_type max_pooled_bytes(std::size_t* bytes)
{
  std::uint64_t context = 0;
  context_scratch* scratch = nullptr;
  status_type status = current_context(&context);
  if (status == success)
  {
    status = context_scratch::of(context, &scratch);
  }
  *bytes = status == success ? machine::kept_unused_bytes(scratch->memory()) : 0;
  return status;
}

std::size_t workspace_bytes()
{
  std::uint64_t context = 0;
  const context_scratch* const scratch = current_context(&context) == success ? context_scratch::opened(context) : nullptr;
  return scratch == nullptr ? 0 : scratch->bytes();
}

void trim_workspaces()
{
  std::uint64_t context = 0;
  context_scratch* const scratch = current_context(&context) == success ? context_scratch::opened(context) : nullptr;
  if (scratch != nullptr)
  {
    scratch->trim();
  }
}

} // namespace library
} // namespace REHEAT_MACHINE
} // namespace reheat

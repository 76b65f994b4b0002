// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The host's side of the machine of this build, and the scratch memory of one call.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/runtime/call_scope.h>
#include <reheat/detail/runtime/launch.h>
#include <reheat/detail/runtime/workspace.h>
#include <reheat/detail/thread/value.cuh>

#if defined(REHEAT_EMULATED)
#  include <reheat/detail/runtime/emulated.h>
#else
#  include <reheat/detail/runtime/cuda.cuh>
#endif

#include <thrust/detail/execute_with_allocator.h>
#include <thrust/detail/raw_pointer_cast.h>
#include <thrust/detail/temporary_buffer.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <utility>

REHEAT_NAMESPACE_BEGIN
namespace runtime
{

//! An ordinary launch.
template <class... Parameters, class... Arguments>
void launch(const char* call, void (*kernel)(Parameters...), unsigned grid_blocks, unsigned block_threads,
            std::size_t shared_bytes, stream_type stream, const Arguments&... arguments)
{
  launch(call, launch_kind::ordinary, launch_start::serial, kernel, grid_blocks, block_threads, shared_bytes, stream,
         arguments...);
}

//! Waits for the policy's stream, if the call has not done so already.
template <class Policy>
void synchronize(Policy& policy, const char* call)
{
  const call_scope* const scope = call_scope::current();
  check(scope != nullptr && scope->waited() ? scope->outcome() : wait(policy), call);
}
//! Waits for the policy's stream unless the policy says not to.
template <class Policy>
void synchronize_optional(Policy& policy, const char* call)
{
  if (waits_always(policy))
  {
    synchronize(policy, call);
  }
}

// ---- scratch memory -----------------------------------------------------------------------------------------------------

// Where it comes from is the policy's matter: call_scratch<Policy>(policy, word_bytes, value_bytes) has words() and
// values(), aligned to 256 bytes, from its beginning to the call's last launch. Words are zeros in stream order, or as
// kernels have left them. There are three sources: what the stream owns; an allocator that the policy carries; a block that
// the caller gives.

[[noreturn]] REHEAT_COLD inline void fail_scratch(status_type status, std::size_t bytes)
{
  fail_memory(status,
              format_message("reheat: allocating %zu bytes of scratch memory (reheat::trim_workspaces() gives back what "
                             "idle streams keep)",
                             bytes)
                  .text);
}

//! What the stream owns; of a captured call, what its graph does.
template <class Policy>
class call_scratch
{
public:
  call_scratch(Policy& policy, std::size_t word_bytes, std::size_t value_bytes)
  {
    if (word_bytes + value_bytes != 0)
    {
      const status_type status = lease_.acquire(stream_of(policy), word_bytes, value_bytes);
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

//! Words and values in one block, which may hold anything: also words of an earlier call with a tag that looks current.
class scratch_layout
{
public:
  scratch_layout(std::size_t word_bytes, std::size_t value_bytes)
      : word_bytes_((word_bytes + alignment - 1) / alignment * alignment), value_bytes_(value_bytes)
  {}
  //! Of a block at any address.
  std::size_t bytes() const { return word_bytes_ + value_bytes_ == 0 ? 0 : word_bytes_ + value_bytes_ + alignment; }
  void* words(std::uintptr_t block) const
  {
    return reinterpret_cast<void*>((block + alignment - 1) / alignment * alignment);
  }
  void* values(std::uintptr_t block) const { return static_cast<unsigned char*>(words(block)) + word_bytes_; }
  //! Enqueues zeros for the words: the launch behind them starts in its turn.
  void clear(std::uintptr_t block, stream_type stream) const
  {
    zero(words(block), word_bytes_, stream);
    if (call_scope* const scope = call_scope::current())
    {
      scope->has_filled();
    }
  }

private:
  static constexpr std::size_t alignment = 256;
  std::size_t word_bytes_;
  std::size_t value_bytes_;
};

//! In place of a policy: a stream, and a block of the caller's for all that a call needs. Nothing is allocated or kept, and
//! nobody waits.
struct given_block
{
  stream_type stream;
  void* memory;
  std::size_t bytes;
};
inline stream_type stream_of(given_block& block)
{
  return block.stream;
}

template <>
class call_scratch<given_block>
{
public:
  call_scratch(const given_block& block, std::size_t word_bytes, std::size_t value_bytes) : layout_(word_bytes, value_bytes)
  {
    if (layout_.bytes() > block.bytes)
    {
      refuse_block(block.bytes, layout_.bytes());
    }
    if (layout_.bytes() != 0)
    {
      address_ = reinterpret_cast<std::uintptr_t>(block.memory);
      layout_.clear(address_, block.stream);
    }
  }
  void* words() const { return address_ != 0 ? layout_.words(address_) : nullptr; }
  void* values() const { return address_ != 0 ? layout_.values(address_) : nullptr; }

private:
  [[noreturn]] REHEAT_COLD static void refuse_block(std::size_t given, std::size_t needed)
  {
    throw std::invalid_argument(
        format_message("reheat: a block of %zu bytes was given as scratch memory, and the call needs %zu", given, needed)
            .text);
  }

  scratch_layout layout_;
  std::uintptr_t address_ = 0;
};

//! `bytes` bytes from the policy's allocator.
template <class Policy>
class user_buffer
{
public:
  user_buffer(Policy& policy, std::size_t bytes)
      : policy_(policy), bytes_(static_cast<std::ptrdiff_t>(bytes)), memory_(get(policy, bytes_))
  {}
  user_buffer(const user_buffer&) = delete;
  user_buffer& operator=(const user_buffer&) = delete;
  ~user_buffer()
  {
    try
    {
      THRUST_NS_QUALIFIER::return_temporary_buffer(policy_, memory_, bytes_);
    }
    catch (...) // an allocator that can not free after an asynchronous error must not end the program
    {}
  }

  std::uintptr_t address() const { return reinterpret_cast<std::uintptr_t>(THRUST_NS_QUALIFIER::raw_pointer_cast(memory_)); }

private:
  static auto get(Policy& policy, std::ptrdiff_t bytes)
  {
    return THRUST_NS_QUALIFIER::get_temporary_buffer<unsigned char>(policy, bytes).first;
  }

  Policy& policy_;
  std::ptrdiff_t bytes_;
  decltype(get(std::declval<Policy&>(), 0)) memory_;
};

template <class Allocator, template <class> class Base>
class call_scratch<THRUST_NS_QUALIFIER::detail::execute_with_allocator<Allocator, Base>>
{
  using policy_type = THRUST_NS_QUALIFIER::detail::execute_with_allocator<Allocator, Base>;

public:
  call_scratch(policy_type& policy, std::size_t word_bytes, std::size_t value_bytes)
      : policy_(policy), layout_(word_bytes, value_bytes)
  {
    if (layout_.bytes() != 0)
    {
      buffer_.emplace(policy, layout_.bytes());
      layout_.clear(buffer_->address(), stream_of(policy));
    }
  }
  call_scratch(const call_scratch&) = delete;
  call_scratch& operator=(const call_scratch&) = delete;
  //! The allocator may give the memory to another stream at once. A policy that waits therefore waits now, instead of at the
  //! end of the call; one that does not wait asks for allocators that go by the order of the stream.
  ~call_scratch()
  {
    if (buffer_ && waits_always(policy_))
    {
      const status_type outcome = wait(policy_);
      if (call_scope* const scope = call_scope::current())
      {
        scope->has_waited(outcome);
      }
    }
  }

  void* words() const { return buffer_ ? layout_.words(buffer_->address()) : nullptr; }
  void* values() const { return buffer_ ? layout_.values(buffer_->address()) : nullptr; }

private:
  policy_type& policy_;
  scratch_layout layout_;
  std::optional<user_buffer<policy_type>> buffer_;
};

// ---- results ------------------------------------------------------------------------------------------------------------

//! How a call learns that its result is on the host.
enum class result_wait
{
  synchronize, //!< it waits for the stream
  poll,        //!< it looks at the result's place for a while, and waits for the stream only if nothing has come
};
//! Of all calls that have no other output. One u32 on an NVIDIA H200, interleaved: 8.0 us polled, 10.1 with a wait.
inline constexpr result_wait default_result_wait = result_wait::poll;

//! Returns what `enqueue(T* result)` leaves in `result`, host memory that a kernel can write to. Waits for the policy's
//! stream, or, if it polls, at least for the work before the call and for the result: the stream may then still report that
//! it is not ready, and what else the kernel does (its operator's side effects, its output by printf, a fault, of which the
//! GPU may tell when the result is there) is certain only after a later wait. Only values that are stored in words are
//! polled for.
template <class T, result_wait Wait, class Policy, class Enqueue>
T result_on_host(Policy& policy, const char* call, Enqueue enqueue)
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
  if (!polls || !slot.comes_soon(sizeof(T)))
  {
    synchronize(policy, call);
  }
  slot.has_ended();
  return *result;
}

} // namespace runtime
REHEAT_NAMESPACE_END

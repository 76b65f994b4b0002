// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The host's side of the machine of this build, and the scratch memory of one call.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/runtime/workspace.h>

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
#include <utility>

REHEAT_NAMESPACE_BEGIN
namespace runtime
{

//! An ordinary launch.
template <class... Parameters, class... Arguments>
void launch(const char* call, void (*kernel)(Parameters...), unsigned grid_blocks, unsigned block_threads,
            std::size_t shared_bytes, stream_type stream, Arguments&&... arguments)
{
  launch(call, launch_kind::ordinary, kernel, grid_blocks, block_threads, shared_bytes, stream,
         std::forward<Arguments>(arguments)...);
}

//! Scratch memory of one call: from the pool, unless the policy carries an allocator, which then provides every byte.
template <class Policy>
class call_scratch
{
public:
  call_scratch(Policy& policy, std::size_t word_bytes, std::size_t value_bytes)
  {
    check(lease_.acquire(stream_of(policy), word_bytes, value_bytes), "reheat: allocating scratch memory");
  }
  void* words() const { return lease_.words(); }
  void* values() const { return lease_.values(); }

private:
  workspace_lease lease_;
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
  static constexpr std::size_t alignment = 256;

public:
  call_scratch(policy_type& policy, std::size_t word_bytes, std::size_t value_bytes)
      : word_bytes_((word_bytes + alignment - 1) / alignment * alignment),
        buffer_(policy, word_bytes_ + value_bytes + alignment)
  {
    // The allocator's memory holds anything, also words of an earlier call with a tag that looks current.
    zero(words(), word_bytes_, stream_of(policy));
  }

  void* words() const { return reinterpret_cast<void*>((buffer_.address() + alignment - 1) / alignment * alignment); }
  void* values() const { return static_cast<unsigned char*>(words()) + word_bytes_; }

private:
  std::size_t word_bytes_;
  user_buffer<policy_type> buffer_;
};

} // namespace runtime
REHEAT_NAMESPACE_END

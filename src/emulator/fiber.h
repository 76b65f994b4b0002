// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! A stack and a place to continue on it. Boost.Context's fcontext layer is used directly: a switch goes from fiber to fiber
//! without passing through the scheduler's stack, and an abandoned fiber is simply restarted, never unwound (forced
//! unwinding would run through kernel frames, where a noexcept function means std::terminate).
#pragma once

#include "sanitizer.h"

#include <reheat/detail/config.cuh>

#include <boost/context/detail/fcontext.hpp>

#include <cstddef>

namespace reheat::REHEAT_MACHINE::emulator
{

//! jump_fcontext. It leaves by an indirect jump, so an ordinary call of it puts the processor's stack of predicted return
//! addresses out of step, and every return after the switch is mispredicted. Entered by a jump, it is balanced: 24 instead
//! of 36 ns per switch at a barrier of 32 threads (Xeon at 2.5 GHz, of which 11 are the bare context switch). The 128 bytes
//! are the red zone.
inline boost::context::detail::transfer_t jump(boost::context::detail::fcontext_t to, void* data)
{
#if defined(__x86_64__) && !defined(REHEAT_ADDRESS_SANITIZER) && !defined(__AVX512F__)
  boost::context::detail::transfer_t from;
  asm volatile("lea -128(%%rsp), %%rsp\n\t"
               "lea 1f(%%rip), %%rax\n\t"
               "push %%rax\n\t"
               "jmp jump_fcontext@PLT\n\t"
               "1: lea 128(%%rsp), %%rsp"
               : "=a"(from.fctx), "=d"(from.data), "+D"(to), "+S"(data)
               :
               : "rcx", "r8", "r9", "r10", "r11", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8",
                 "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15", "st", "st(1)", "st(2)", "st(3)", "st(4)",
                 "st(5)", "st(6)", "st(7)", "memory", "cc");
  return from;
#else
  return boost::context::detail::jump_fcontext(to, data);
#endif
}

class fiber
{
public:
  //! The OS thread's own stack: only a place to come back to.
  fiber() = default;
  fiber(const fiber&) = delete;
  fiber& operator=(const fiber&) = delete;
  ~fiber();

  //! Maps the stack, with an inaccessible page below it. `colour` shifts its top, so that the hot frames of many fibers do
  //! not fall on the same cache sets.
  void make_stack(std::size_t bytes, unsigned colour);
  //! As asked of make_stack.
  std::size_t stack_bytes() const { return requested_bytes_; }

  //! The next switch to this fiber calls `entry`, which never returns. What was on the stack is forgotten.
  void restart(void (*entry)());

  //! Runs `to` until somebody switches back.
  void switch_to(fiber& to);

private:
  void release();
  void arrive(fiber& previous, void* previous_context);

  // The fiber that a first switch is about to enter: the context itself only carries the one that is left.
  static __thread fiber* entering_;

  boost::context::detail::fcontext_t context_ = nullptr;
  void* fake_stack_ = nullptr; // AddressSanitizer's
  const void* bottom_ = nullptr;
  std::size_t bytes_ = 0;
  std::size_t requested_bytes_ = 0;
  void* mapping_ = nullptr;
  std::size_t mapped_bytes_ = 0;
  unsigned colour_ = 0;
  bool fresh_ = false; //!< restarted and not entered yet
  void (*entry_)() = nullptr;
};

inline void fiber::arrive(fiber& previous, void* previous_context)
{
  previous.context_ = previous_context;
  if (!sanitizer::address)
  {
    return;
  }
  const void* bottom = nullptr;
  std::size_t bytes = 0;
  sanitizer::after_switch(fake_stack_, &bottom, &bytes);
  if (previous.mapping_ == nullptr) // the OS thread's stack: its bounds are known only now
  {
    previous.bottom_ = bottom;
    previous.bytes_ = bytes;
  }
}

inline void fiber::switch_to(fiber& to)
{
  if (to.fresh_)
  {
    to.fresh_ = false;
    entering_ = &to;
  }
  sanitizer::before_switch(&fake_stack_, to.bottom_, to.bytes_);
  const boost::context::detail::transfer_t from = jump(to.context_, this);
  arrive(*static_cast<fiber*>(from.data), from.fctx);
}

} // namespace reheat::REHEAT_MACHINE::emulator

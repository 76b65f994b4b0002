// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
#include "fiber.h"

#include <new>

#include <sys/mman.h>
#include <unistd.h>

namespace reheat::REHEAT_MACHINE::emulator
{
namespace
{

namespace context = boost::context::detail;

constexpr std::size_t colours = 16;
constexpr std::size_t colour_bytes = 256; // 16 of them cover a page, the range that selects the set of a first-level cache

} // namespace

__thread fiber* fiber::entering_ = nullptr;

fiber::~fiber()
{
  release();
}

void fiber::release()
{
  if (mapping_ != nullptr)
  {
    sanitizer::unpoison(bottom_, bytes_);
    munmap(mapping_, mapped_bytes_);
    mapping_ = nullptr;
  }
}

void fiber::make_stack(std::size_t bytes, unsigned colour)
{
  release();
  const std::size_t page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  const std::size_t wanted = (bytes + page - 1) / page * page + page; // the colour's page
  void* const mapped =
      mmap(nullptr, wanted + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (mapped == MAP_FAILED)
  {
    throw std::bad_alloc();
  }
  requested_bytes_ = bytes;
  mapping_ = mapped;
  mapped_bytes_ = wanted + page;
  bottom_ = static_cast<char*>(mapped) + page;
  bytes_ = wanted;
  colour_ = colour % colours;
  // A failure costs only the guard: the process has as many mappings as it may have.
  (void)mprotect(mapped, page, PROT_NONE);
}

void fiber::restart(void (*entry)())
{
  sanitizer::unpoison(bottom_, bytes_);
  fake_stack_ = nullptr;
  entry_ = entry;
  fresh_ = true;
  const std::size_t usable = bytes_ - colour_ * colour_bytes;
  context_ = context::make_fcontext(static_cast<char*>(const_cast<void*>(bottom_)) + usable, usable,
                                    [](context::transfer_t from)
                                    {
                                      fiber& self = *entering_;
                                      self.arrive(*static_cast<fiber*>(from.data), from.fctx);
                                      self.entry_();
                                    });
}

} // namespace reheat::REHEAT_MACHINE::emulator

// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Allocators that keep a ledger, fill what they hand out, and fail on request.
#pragma once

#include "machine.hpp"

#include <thrust/mr/memory_resource.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <vector>

namespace compat
{

//! What passed through an allocator.
struct ledger
{
  std::size_t allocations = 0;
  std::ptrdiff_t held = 0; //!< bytes out at the moment
  bool fails = false;
  std::uint64_t content = 0xa5a5a5a5a5a5a5a5u; //!< what fresh memory is full of
};

inline void* ledger_allocate(ledger& book, std::size_t bytes)
{
  if (book.fails)
  {
    throw std::bad_alloc();
  }
  const std::vector<std::uint64_t> fill((bytes + 7) / 8, book.content);
#if defined(REHEAT_EMULATED)
  void* const memory = ::operator new(bytes, std::align_val_t(16));
  std::memcpy(memory, fill.data(), bytes);
#else
  void* memory = nullptr;
  require(cudaMalloc(&memory, bytes), "allocate");
  copy_bytes(memory, fill.data(), bytes);
#endif
  ++book.allocations;
  book.held += static_cast<std::ptrdiff_t>(bytes);
  return memory;
}

inline void ledger_free(ledger& book, void* memory, std::size_t bytes)
{
  book.held -= static_cast<std::ptrdiff_t>(bytes);
#if defined(REHEAT_EMULATED)
  ::operator delete(memory, std::align_val_t(16));
#else
  (void)cudaFree(memory);
#endif
}

template <class T>
class ledger_allocator
{
public:
  using value_type = T;
  explicit ledger_allocator(ledger& book) : book_(&book) {}
  template <class Other>
  ledger_allocator(const ledger_allocator<Other>& other) : book_(other.book())
  {}
  T* allocate(std::size_t count) { return static_cast<T*>(ledger_allocate(*book_, count * sizeof(T))); }
  void deallocate(T* memory, std::size_t count) { ledger_free(*book_, memory, count * sizeof(T)); }
  ledger* book() const { return book_; }
  friend bool operator==(const ledger_allocator& x, const ledger_allocator& y) { return x.book_ == y.book_; }
  friend bool operator!=(const ledger_allocator& x, const ledger_allocator& y) { return !(x == y); }

private:
  ledger* book_;
};

class ledger_resource final : public thrust::mr::memory_resource<>
{
public:
  explicit ledger_resource(ledger& book) : book_(&book) {}
  void* do_allocate(std::size_t bytes, std::size_t) override { return ledger_allocate(*book_, bytes); }
  void do_deallocate(void* memory, std::size_t bytes, std::size_t) noexcept override { ledger_free(*book_, memory, bytes); }

private:
  ledger* book_;
};

} // namespace compat

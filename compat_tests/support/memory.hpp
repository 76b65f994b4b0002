// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Allocators that keep a ledger, fill what they hand out, and fail on request.
#pragma once

#include "calls.hpp"
#include "tiles.hpp"

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

//! A type whose values fit no word of a slot.
using large_value = words<16>;

//! So many large values that every scan and every reduction of them takes several blocks.
inline std::size_t several_blocks_of_large_values()
{
  return 6 * scan_tile<large_value>() + 20 * reduce_shape<large_value, large_value, fold>().tile_items() + 5;
}

//! A scan and a reduction whose blocks exchange large values take memory for them from the policy's allocator: once each,
//! and all of it goes back.
template <class Policy>
void check_values_come_from(ledger& book, const std::string& what, const Policy& policy)
{
  using T = large_value;
  const std::vector<T> items = make_items<T>(several_blocks_of_large_values());
  const thrust::device_vector<T> in = to_device(items);
  thrust::device_vector<T> out(items.size());
  book = {};
  thrust::inclusive_scan(policy, in.begin(), in.end(), out.begin(), fold{});
  check_same(what + ", inclusive_scan of large values", inclusive_reference<T, T>(items, fold{}), to_host(out));
  BOOST_TEST(book.allocations == 1u, what << ": " << book.allocations << " allocations by a scan");
  const T init = values<T>::make(0);
  const T sum = thrust::reduce(policy, in.begin(), in.end(), init, fold{});
  check_result(what + ", reduce of large values", items.size(), reduce_reference<T>(items, init, fold{}), sum);
  BOOST_TEST(book.allocations == 2u, what << ": " << book.allocations << " allocations by a scan and a reduction");
  BOOST_TEST(book.held == 0, what << ": " << book.held << " bytes were not given back");
}

} // namespace compat

// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! An allocator of a pool, for Thrust's policies.
#pragma once

#include <timing/cuda.hpp>

#include <cuda_runtime_api.h>

#include <cstddef>
#include <map>

namespace perf
{

//! Keeps what it has had. Whoever uses it stays on one stream, which orders one use of a block behind the other.
class keeping_allocator
{
public:
  using value_type = char;

  keeping_allocator() = default;
  keeping_allocator(const keeping_allocator&) = delete;
  keeping_allocator& operator=(const keeping_allocator&) = delete;
  ~keeping_allocator()
  {
    for (const auto& [bytes, block] : idle_)
    {
      (void)cudaFree(block);
    }
  }
  char* allocate(std::ptrdiff_t count)
  {
    const auto bytes = static_cast<std::size_t>(count);
    const auto found = idle_.find(bytes);
    if (found != idle_.end())
    {
      char* const block = found->second;
      idle_.erase(found);
      return block;
    }
    void* memory = nullptr;
    timing::check(cudaMalloc(&memory, bytes), "allocating GPU memory");
    return static_cast<char*>(memory);
  }
  void deallocate(char* block, std::size_t bytes) { idle_.emplace(bytes, block); }

private:
  std::multimap<std::size_t, char*> idle_;
};

//! The one of this program.
inline keeping_allocator& pool()
{
  static keeping_allocator& the = *new keeping_allocator; // the CUDA runtime may be gone before static objects
  return the;
}

} // namespace perf

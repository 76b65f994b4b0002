// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Memory, calls and reports of the programs for compute-sanitizer.
#pragma once

#include "../support/driver.hpp"
#include "../support/values.hpp"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <vector>

namespace faults_gpu
{

//! Exactly `count` Ts of GPU memory, `skipped` Ts into an allocation that ends with them. Memory for output holds no result:
//! not the one, either, that stood there before in memory since freed.
template <class T>
class exact_memory
{
public:
  exact_memory(std::size_t count, std::size_t skipped) : count_(count)
  {
    compat::require(cudaMalloc(&memory_, (count + skipped) * sizeof(T)), "allocate");
    begin_ = static_cast<T*>(memory_) + skipped;
    compat::require(cudaMemset(static_cast<void*>(begin_), 0xa5, count * sizeof(T)), "fill");
  }
  exact_memory(const std::vector<T>& items, std::size_t skipped) : exact_memory(items.size(), skipped)
  {
    compat::require(cudaMemcpy(begin_, items.data(), count_ * sizeof(T), cudaMemcpyHostToDevice), "copy to the GPU");
  }
  exact_memory(const exact_memory&) = delete;
  exact_memory& operator=(const exact_memory&) = delete;
  ~exact_memory() { (void)cudaFree(memory_); }
  T* begin() const { return begin_; }
  T* end() const { return begin_ + count_; }
  std::vector<T> items() const
  {
    std::vector<T> result(count_);
    compat::require(cudaMemcpy(result.data(), begin_, count_ * sizeof(T), cudaMemcpyDeviceToHost), "copy from the GPU");
    return result;
  }

private:
  void* memory_ = nullptr;
  T* begin_ = nullptr;
  std::size_t count_;
};

inline bool all_right = true;

//! Prints whether the results of a call are right, and remembers it.
inline void report(const char* call, const char* type, const char* loader, std::size_t count, bool right)
{
  std::printf("%s of %zu %s, %s: %s\n", call, count, type, loader, right ? "right" : "WRONG");
  std::fflush(stdout);
  all_right = all_right && right;
}

template <class T>
bool same(const std::vector<T>& x, const std::vector<T>& y)
{
  return std::equal(x.begin(), x.end(), y.begin(), y.end(),
                    [](const T& a, const T& b) { return compat::values<T>::same(a, b); });
}

//! Both phases of a call, with exactly as much memory as it asks for.
template <class Call>
void run_in_given_memory(Call call)
{
  std::size_t bytes = 0;
  compat::require(call(nullptr, bytes), "ask for the size");
  const exact_memory<unsigned char> memory(bytes, 3);
  compat::require(call(memory.begin(), bytes), "call");
  compat::require(cudaDeviceSynchronize(), "wait");
}

} // namespace faults_gpu

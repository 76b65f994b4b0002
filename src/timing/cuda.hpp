// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! What the clocks hold of the CUDA runtime: each object gives back what it took.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <stdexcept>
#include <string>

namespace timing
{

//! A call of the CUDA runtime failed. What it says is one line.
struct cuda_failure : std::runtime_error
{
  cuda_failure(const std::string& what, cudaError_t code) : std::runtime_error(what), status(code) {}
  cudaError_t status;
};

//! Throws cuda_failure, and clears the runtime's error, unless `status` is success. `attempted` says what was tried.
void check(cudaError_t status, const std::string& attempted);

class event
{
public:
  event();
  ~event() { (void)cudaEventDestroy(event_); }
  event(const event&) = delete;
  event& operator=(const event&) = delete;
  void record(cudaStream_t stream) const;
  void wait() const;
  bool has_happened() const;

private:
  friend double seconds_between(const event& begin, const event& end);
  cudaEvent_t event_ = nullptr;
};

//! Both have happened.
double seconds_between(const event& begin, const event& end);

//! A stream that waits for no other.
class stream
{
public:
  stream();
  ~stream() { (void)cudaStreamDestroy(stream_); }
  stream(const stream&) = delete;
  stream& operator=(const stream&) = delete;
  operator cudaStream_t() const { return stream_; }

private:
  cudaStream_t stream_ = nullptr;
};

class device_memory
{
public:
  explicit device_memory(std::size_t bytes);
  ~device_memory() { (void)cudaFree(data_); }
  device_memory(const device_memory&) = delete;
  device_memory& operator=(const device_memory&) = delete;
  std::byte* data() const { return static_cast<std::byte*>(data_); }
  std::size_t bytes() const { return bytes_; }

private:
  void* data_ = nullptr;
  std::size_t bytes_;
};

//! Host memory that kernels reach.
class pinned_memory
{
public:
  explicit pinned_memory(std::size_t bytes);
  ~pinned_memory() { (void)cudaFreeHost(data_); }
  pinned_memory(const pinned_memory&) = delete;
  pinned_memory& operator=(const pinned_memory&) = delete;
  std::byte* data() const { return static_cast<std::byte*>(data_); }

private:
  void* data_ = nullptr;
};

} // namespace timing

// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Who calls in reheat-host: calls with their types erased. Only calls.cu knows the headers of Thrust and
//! reheat. Item i of every input is i mod 2, so that all sums are known.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace perf::host
{

using item = std::int32_t;

enum class algorithm
{
  reduce,         //!< the host waits for the result, and compares it
  inclusive_scan, //!< only enqueued
  reduce_into     //!< likewise
};

struct implementation
{
  const char* name;
  std::function<void(const item* in, item* out, std::uint64_t items, cudaStream_t stream)> call;
};

//! The first three, where there are so many, are an empty kernel, reheat and Thrust. The last two are Thrust and reheat with
//! an allocator that keeps what it has had: for one stream at a time.
const std::vector<implementation>& implementations_for(algorithm what);
constexpr std::size_t for_many_streams = 3;

void enqueue_items(item* to, std::uint64_t items, cudaStream_t stream);
//! Enqueues a kernel that takes so long.
void enqueue_pause(std::uint64_t nanoseconds, cudaStream_t stream);

//! Waits, and throws std::runtime_error if what `who` has left is wrong.
void check_output(algorithm what, const item* out, std::uint64_t items, cudaStream_t stream, const std::string& who);

//! The library gives back the scratch memory that no call uses.
void trim_scratch_memory();

//! Of the CCCL that the calls were compiled with.
std::string cccl_version();

} // namespace perf::host

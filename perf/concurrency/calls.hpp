// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Who scans in reheat-concurrency, and who produces and consumes: calls with their types erased. Only calls.cu knows
//! the headers of Thrust, CUB and reheat. Item i of every input is i mod 2, so that all sums are known.
#pragma once

#include <cuda_runtime_api.h>

#include <timing/cuda.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace perf::concurrency
{

using item = std::int32_t;

constexpr std::uint64_t max_items = std::uint64_t{1} << 30;

struct implementation
{
  std::string name;
  std::function<void(const item*, item*, std::uint64_t, cudaStream_t)> enqueue;
  bool scans; //!< else it only copies
};

//! Those whose chains are measured come first.
constexpr std::size_t chained = 2;
//! reheat and CUB, a copy kernel, and scans of reheat's that leave others more room:
//! * reheat-stages-6: one stage of shared memory less than the seven of the tuning
//! * reheat-stages-6-carved: likewise, and the multiprocessors are asked to keep all they have as shared memory
//! * reheat-free-N: N blocks less than fit, so that as many multiprocessors stay free; 1 is what large scans do
//! CUB's scratch memory is theirs until the program ends.
const std::vector<implementation>& implementations();

//! Enqueues writing the items.
void enqueue_producer(item* to, std::uint64_t items, cudaStream_t stream);

//! Reads items, and leaves the largest.
class consumer
{
public:
  explicit consumer(std::uint64_t items);
  void enqueue(const item* from, cudaStream_t stream);

private:
  std::uint64_t items_;
  std::size_t scratch_bytes_;
  timing::device_memory scratch_, most_;
};

//! Waits, and throws std::runtime_error if a sum is wrong; `who` made them.
void check_sums(const item* sums, std::uint64_t items, cudaStream_t stream, const std::string& who);

//! Of the CCCL that the calls were compiled with.
std::string cccl_version();

} // namespace perf::concurrency

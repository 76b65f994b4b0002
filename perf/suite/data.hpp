// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Random inputs whose results are known at every position without computing them, so that outputs of any size are checked
//! on the GPU, exactly.
//!
//! * plus: the differences of neighbours in a sequence of random values from [0, K]. Every sum of neighbouring items is a
//!   difference of two of those values: small, and exact in every type, however the additions associate.
//! * max: random values below a ramp that every 64th item sits on.
//! * last: zeros with random values between them, one at the latest after 63 zeros.
#pragma once

#include "common/axes.hpp"
#include "suite/calls.hpp"

#include <timing/cuda.hpp>

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <string>

namespace perf
{

//! Enqueues the writing of a row's input to `in`.
void fill_input(const row& which, void* in, cudaStream_t stream);

//! Enqueues the writing of bytes that no result has to `out`.
void poison(void* out, std::size_t bytes, cudaStream_t stream);

//! Counts what differs from what should be there.
class checker
{
public:
  explicit checker(cudaStream_t stream);
  //! The output of a row's call.
  void expect_result(const row& which, const void* out);
  void expect_copy(const void* from, const void* to, std::size_t bytes);
  //! Throws std::runtime_error if something differed since the last call; waits for the stream.
  void finish();

private:
  struct counts;
  void reset();
  cudaStream_t stream_;
  timing::device_memory counts_;
};

} // namespace perf

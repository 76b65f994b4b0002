// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! What no implementation can beat, measured: the hardware's limit.
//!
//! A scan reads its input once and writes its output once: as a copy does. A reduction reads its input once. Which shape of
//! kernel does that fastest depends on the GPU and on the size, so there are several, and the fastest is the limit.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <string>
#include <vector>

namespace perf
{

//! Something that moves `bytes` bytes.
struct mover
{
  std::string name;
  //! Copies from `from` to `to`; one that only reads leaves `to` alone. Enqueued on the stream.
  void (*enqueue)(const void* from, void* to, std::size_t bytes, cudaStream_t stream);
  bool takes_in_place; //!< `to` may be `from`
};

//! A memcpy node, and the plain copy kernel: 8 KiB per block, one access of 16 bytes per thread.
const std::vector<mover>& copiers();
//! Kernels that only read.
const std::vector<mover>& readers();
//! The kernels among them, launched as reheat's are (programmatic dependent launch): a launch may get ready while the one
//! before it still runs, waits for its end before it touches memory, and then lets the next one do the same. None where the
//! kernels are compiled for an architecture that has no such launches.
const std::vector<mover>& early_copiers();
const std::vector<mover>& early_readers();
//! That each of the readers, early ones among them, reads every byte once. Throws std::runtime_error if not.
void check_readers(cudaStream_t stream);

//! A kernel as a program may have before a call: a block of 256 threads on each multiprocessor, a word written by each
//! thread. Launched without attributes, so no launch behind it starts before it has ended.
void enqueue_foreign(cudaStream_t stream);
//! An empty kernel.
void enqueue_nothing(cudaStream_t stream);
//! A kernel that writes `value` to pinned host memory.
void enqueue_flag(unsigned value, unsigned* flag, cudaStream_t stream);

} // namespace perf

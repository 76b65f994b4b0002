// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Communicators of the model of NCCL, and what goes wrong in them.
#pragma once

#include <nccl.h>

#include <atomic>
#include <memory>
#include <vector>

namespace nccl_model
{

struct meeting;

} // namespace nccl_model

//! One rank's communicator.
struct ncclComm
{
  int rank = 0;
  int device = 0;
  std::shared_ptr<nccl_model::meeting> others;

  // What a test has it do.
  std::atomic<ncclResult_t> refuses{ncclSuccess}; //!< what ncclAllGather returns, at once
  std::atomic<bool> never_ends{false};            //!< ncclAllGather returns, and its stream is busy until ncclCommAbort
  std::atomic<ncclResult_t> pending{ncclSuccess}; //!< what ncclCommGetAsyncError finds
  std::atomic<int> loses{-1}; //!< this rank's bytes do not arrive, and ncclAllGather ends as if they had; -1: none are lost
  std::atomic<int> in_progress{0}; //!< after ncclAllGather, so many calls of it find ncclInProgress; -1: all of them

  // What it has seen.
  std::atomic<bool> aborted{false};
  cudaStream_t busy_stream = nullptr;
};

namespace nccl_model
{

std::vector<std::unique_ptr<ncclComm>> make(int count);
//! Of the calling thread.
void set_device(int device);
cudaStreamCaptureMode capture_mode();
//! How often a thread has asked whether a stream is busy while its capture mode was not relaxed.
int strict_queries();

} // namespace nccl_model

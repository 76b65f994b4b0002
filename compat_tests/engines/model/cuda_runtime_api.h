// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! What <reheat/across/nccl_ranks.h> asks of CUDA's runtime, on the emulator. Streams are busy when nccl_model.cpp says so.
#pragma once

#include <reheat/emulator.h>

using cudaStream_t = reheat::emulator::stream*;

enum cudaError_t
{
  cudaSuccess = 0,
  cudaErrorNotReady = 600
};
enum cudaStreamCaptureMode
{
  cudaStreamCaptureModeGlobal = 0,
  cudaStreamCaptureModeThreadLocal = 1,
  cudaStreamCaptureModeRelaxed = 2
};

cudaError_t cudaGetDevice(int* device);
cudaError_t cudaStreamQuery(cudaStream_t stream);
cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode* mode);

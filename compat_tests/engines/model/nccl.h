// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! What <reheat/across/nccl_ranks.h> asks of NCCL, between threads of one process on the emulator. Names and numbers are
//! NCCL's; nccl_model.cpp has the functions, and nccl_model.hpp lets a test have them fail.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

struct ncclComm;
using ncclComm_t = ncclComm*;

enum ncclResult_t
{
  ncclSuccess = 0,
  ncclUnhandledCudaError = 1,
  ncclSystemError = 2,
  ncclInternalError = 3,
  ncclRemoteError = 6,
  ncclInProgress = 7
};
enum ncclDataType_t
{
  ncclUint8 = 1
};

ncclResult_t ncclGetVersion(int* version);
const char* ncclGetErrorString(ncclResult_t result);
const char* ncclGetLastError(ncclComm_t comm);
ncclResult_t ncclCommCount(ncclComm_t comm, int* count);
ncclResult_t ncclCommUserRank(ncclComm_t comm, int* rank);
ncclResult_t ncclCommCuDevice(ncclComm_t comm, int* device);
ncclResult_t ncclCommGetAsyncError(ncclComm_t comm, ncclResult_t* status);
ncclResult_t ncclCommAbort(ncclComm_t comm);
ncclResult_t ncclAllGather(const void* send, void* receive, std::size_t count, ncclDataType_t type, ncclComm_t comm,
                           cudaStream_t stream);

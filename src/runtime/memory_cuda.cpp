// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
#include "machine.h"

#include <cuda_runtime_api.h>

#include <algorithm>

namespace reheat
{
inline namespace REHEAT_MACHINE
{
namespace library
{
namespace machine
{

//! A memory pool of our own. The device's default pool may let one stream's allocation wait for another stream, and what it
//! keeps is for the program to say.
struct device_memory
{
  cudaMemPool_t pool = nullptr; //!< null: the device has none
  cudaStream_t own = nullptr;   //!< for memory in no stream's order: nothing that waits is ever enqueued here
};

namespace
{

//! An error that the caller may get over must not stay behind for the program's next cudaGetLastError.
status_type without_trace(status_type status)
{
  if (status != cudaSuccess)
  {
    static_cast<void>(cudaGetLastError());
  }
  return status;
}

// What the pool keeps for temporaries that live for one call. Without it the system would take memory back whenever a stream
// is waited for, and give it again in 45 us on an NVIDIA H200.
constexpr unsigned long long kept_in_pool = 64ULL << 20;

//! A pool of `device`, or null.
cudaMemPool_t make_pool(int device)
{
  int supported = 0;
  if (cudaDeviceGetAttribute(&supported, cudaDevAttrMemoryPoolsSupported, device) != cudaSuccess || supported == 0)
  {
    return nullptr;
  }
  cudaMemPoolProps wanted = {};
  wanted.allocType = cudaMemAllocationTypePinned;
  wanted.location.type = cudaMemLocationTypeDevice;
  wanted.location.id = device;
  cudaMemPool_t pool = nullptr;
  if (cudaMemPoolCreate(&pool, &wanted) != cudaSuccess)
  {
    return nullptr;
  }
  int waits_for_other_streams = 0;
  unsigned long long kept = kept_in_pool;
  if (cudaMemPoolSetAttribute(pool, cudaMemPoolReuseAllowInternalDependencies, &waits_for_other_streams) != cudaSuccess ||
      cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &kept) != cudaSuccess)
  {
    static_cast<void>(cudaMemPoolDestroy(pool));
    return nullptr;
  }
  return pool;
}

//! Zeros by the copy engine: a memset would need a multiprocessor, and all may be held by a kernel that waits for the host.
status_type copy_zeros(void* block, std::size_t bytes, cudaStream_t stream)
{
  static const unsigned char zeros[64 * 1024] = {};
  status_type status = cudaSuccess;
  for (std::size_t at = 0; at < bytes && status == cudaSuccess; at += sizeof zeros)
  {
    status = cudaMemcpyAsync(static_cast<unsigned char*>(block) + at, zeros, std::min(sizeof zeros, bytes - at),
                             cudaMemcpyHostToDevice, stream);
  }
  return status;
}

} // namespace

status_type open_memory(device_memory** opened)
{
  int device = 0;
  status_type status = cudaGetDevice(&device);
  cudaStream_t own = nullptr;
  if (status == cudaSuccess)
  {
    status = cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking);
  }
  if (status == cudaSuccess)
  {
    cudaMemPool_t const pool = make_pool(device);
    if (pool == nullptr)
    {
      static_cast<void>(cudaGetLastError());
    }
    *opened = new device_memory{pool, own};
  }
  return without_trace(status);
}

bool frees_in_order(const device_memory& memory)
{
  return memory.pool != nullptr;
}

status_type allocate_in_order(device_memory& memory, void** block, std::size_t bytes, stream_type stream)
{
  return without_trace(memory.pool != nullptr ? cudaMallocFromPoolAsync(block, bytes, memory.pool, stream)
                                              : cudaMalloc(block, bytes));
}

void free_in_order(device_memory&, void* block, stream_type stream)
{
  // It fails only for errors of earlier work, which their own calls report.
  static_cast<void>(without_trace(cudaFreeAsync(block, stream)));
}

status_type zero_in_order(void* block, std::size_t bytes, stream_type stream)
{
  return cudaMemsetAsync(block, 0, bytes, stream);
}

status_type allocate_apart(device_memory& memory, void** block, std::size_t bytes, std::size_t zero_bytes, point_type* ready)
{
  status_type status = allocate_in_order(memory, block, bytes, memory.own);
  if (status != cudaSuccess)
  {
    return status;
  }
  point_type point = nullptr;
  status = make_point(&point);
  if (status == cudaSuccess)
  {
    status = copy_zeros(*block, zero_bytes, memory.own);
  }
  if (status == cudaSuccess)
  {
    status = mark_point(point, memory.own);
  }
  if (status != cudaSuccess)
  {
    free_unused(memory, *block);
    destroy_point(point);
    return without_trace(status);
  }
  *ready = point;
  return cudaSuccess;
}

void free_unused(device_memory& memory, void* block)
{
  static_cast<void>(without_trace(memory.pool != nullptr ? cudaFreeAsync(block, memory.own) : cudaFree(block)));
}

void release_memory(device_memory& memory)
{
  if (memory.pool != nullptr && cudaStreamSynchronize(memory.own) == cudaSuccess)
  {
    static_cast<void>(without_trace(cudaMemPoolTrimTo(memory.pool, 0)));
  }
}

status_type wait_for_device()
{
  return without_trace(cudaDeviceSynchronize());
}

status_type make_point(point_type* made)
{
  return without_trace(cudaEventCreateWithFlags(made, cudaEventDisableTiming));
}

void destroy_point(point_type point)
{
  if (point != nullptr)
  {
    static_cast<void>(without_trace(cudaEventDestroy(point)));
  }
}

status_type mark_point(point_type point, stream_type stream)
{
  return without_trace(cudaEventRecord(point, stream));
}

bool has_passed(point_type point)
{
  const status_type status = cudaEventQuery(point);
  return (status == cudaErrorNotReady ? status : without_trace(status)) == cudaSuccess; // "not yet" leaves no trace
}

status_type capture_wait(stream_type stream, point_type point)
{
  return without_trace(cudaStreamWaitEvent(stream, point, cudaEventWaitExternal));
}

} // namespace machine
} // namespace library
} // namespace REHEAT_MACHINE
} // namespace reheat

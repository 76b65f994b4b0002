// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
#include "machine.h"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstring>
#include <memory>

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
  cudaMemPool_t pool = nullptr;           //!< null: the device has none
  cudaStream_t own = nullptr;             //!< for memory in no stream's order: nothing that waits is ever enqueued here
  std::size_t kept = always_pooled_bytes; //!< kept_unused_bytes
  void* zeros = nullptr; //!< zero_bytes of the host's, pinned: copies from elsewhere may wait for the stream
};

namespace
{

// What the pool keeps for the items of a call: this part of the device's memory, or always_pooled_bytes if that is more, and
// an eighth of it for what the call needs besides. Without it the system would take memory back whenever a stream is waited
// for, and give it again in 45 us on an NVIDIA H200; 1 GB comes and goes in 3140 us on an NVIDIA H100. Where cudaMalloc or
// cudaMallocAsync would find no memory, CUDA gives them what pools of their process do not use.
constexpr std::size_t part_kept_in_pool = 32;

constexpr std::size_t zero_bytes = 64 * 1024;

//! Makes a pool of `device`, if that has pools, which keeps `*kept` bytes of items.
status_type make_pool(int device, cudaMemPool_t* pool, std::size_t* kept)
{
  int supported = 0;
  status_type status = cudaDeviceGetAttribute(&supported, cudaDevAttrMemoryPoolsSupported, device);
  if (status != cudaSuccess || supported == 0)
  {
    return status;
  }
  cudaMemPoolProps wanted = {};
  wanted.allocType = cudaMemAllocationTypePinned;
  wanted.location.type = cudaMemLocationTypeDevice;
  wanted.location.id = device;
  status = cudaMemPoolCreate(pool, &wanted);
  int waits_for_other_streams = 0;
  std::size_t free_bytes = 0, all_bytes = 0;
  if (status == cudaSuccess)
  {
    status = cudaMemGetInfo(&free_bytes, &all_bytes);
  }
  *kept = std::max(all_bytes / part_kept_in_pool, *kept);
  unsigned long long threshold = *kept + *kept / 8;
  if (status == cudaSuccess)
  {
    status = cudaMemPoolSetAttribute(*pool, cudaMemPoolReuseAllowInternalDependencies, &waits_for_other_streams);
  }
  if (status == cudaSuccess)
  {
    status = cudaMemPoolSetAttribute(*pool, cudaMemPoolAttrReleaseThreshold, &threshold);
  }
  return status;
}

//! Zeros by the copy engine: a memset would need a multiprocessor, and all may be held by a kernel that waits for the host.
status_type copy_zeros(const device_memory& memory, void* block, std::size_t bytes)
{
  status_type status = cudaSuccess;
  for (std::size_t at = 0; at < bytes && status == cudaSuccess; at += zero_bytes)
  {
    status = cudaMemcpyAsync(static_cast<unsigned char*>(block) + at, memory.zeros, std::min(zero_bytes, bytes - at),
                             cudaMemcpyHostToDevice, memory.own);
  }
  return status;
}

} // namespace

status_type open_memory(device_memory** opened)
{
  auto made = std::make_unique<device_memory>();
  int device = 0;
  status_type status = cudaGetDevice(&device);
  if (status == cudaSuccess)
  {
    status = make_pool(device, &made->pool, &made->kept);
  }
  if (status == cudaSuccess)
  {
    status = cudaStreamCreateWithFlags(&made->own, cudaStreamNonBlocking);
  }
  if (status == cudaSuccess)
  {
    status = cudaHostAlloc(&made->zeros, zero_bytes, cudaHostAllocDefault);
  }
  if (status == cudaSuccess)
  {
    std::memset(made->zeros, 0, zero_bytes);
    *opened = made.release();
    return cudaSuccess;
  }
  if (made->own != nullptr)
  {
    static_cast<void>(cudaStreamDestroy(made->own));
  }
  if (made->pool != nullptr)
  {
    static_cast<void>(cudaMemPoolDestroy(made->pool));
  }
  return without_trace(status);
}

bool frees_in_order(const device_memory& memory)
{
  return memory.pool != nullptr;
}

std::size_t kept_unused_bytes(const device_memory& memory)
{
  return memory.kept;
}

status_type allocate_in_order(device_memory& memory, void** block, std::size_t bytes, stream_type stream)
{
  return without_trace(memory.pool != nullptr ? cudaMallocFromPoolAsync(block, bytes, memory.pool, stream)
                                              : cudaMalloc(block, bytes));
}

status_type allocate_first(device_memory& memory, void** block, std::size_t bytes, stream_type stream)
{
  // A stream's first allocation from a pool takes 9 to 12 us on an NVIDIA H200's host, one of the library's stream 3.5. When
  // that stream has nothing left to do, the memory is everybody's.
  if (memory.pool != nullptr && allocate_in_order(memory, block, bytes, memory.own) == cudaSuccess)
  {
    const status_type status = cudaStreamQuery(memory.own);
    if (status == cudaSuccess)
    {
      return cudaSuccess;
    }
    if (status != cudaErrorNotReady) // which leaves no trace
    {
      static_cast<void>(without_trace(status));
    }
    free_unused(memory, *block);
  }
  return allocate_in_order(memory, block, bytes, stream);
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

status_type allocate_apart(device_memory& memory, void** block, std::size_t bytes, std::size_t zeroed_bytes,
                           point_type* ready)
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
    status = copy_zeros(memory, *block, zeroed_bytes);
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
  if (memory.pool != nullptr && without_trace(cudaStreamSynchronize(memory.own)) == cudaSuccess)
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

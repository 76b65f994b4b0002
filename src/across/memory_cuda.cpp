// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
#include "memory.h"

#include "../runtime/machine.h"

#include <cstring>

namespace reheat
{
inline namespace REHEAT_MACHINE
{
namespace library
{
namespace machine
{

// An error is returned, and not left behind for the program's next question.

status_type allocate_for_ranks(void** block, std::size_t bytes, memory_user user)
{
  const capture_guard guard;
  const status_type status =
      user == memory_user::host ? cudaHostAlloc(block, bytes, cudaHostAllocPortable) : cudaMalloc(block, bytes);
  if (status != cudaSuccess)
  {
    static_cast<void>(cudaGetLastError());
  }
  return status;
}

status_type zero_for_ranks(void* block, std::size_t bytes, memory_user user)
{
  if (user == memory_user::host)
  {
    std::memset(block, 0, bytes);
    return success;
  }
  const capture_guard guard;
  // A stream of its own: the default stream would take part in a capture that goes on in another thread.
  stream_type own{};
  status_type status = cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking);
  if (status == cudaSuccess)
  {
    status = cudaMemsetAsync(block, 0, bytes, own);
    const status_type waited = cudaStreamSynchronize(own);
    status = status == cudaSuccess ? waited : status;
    static_cast<void>(cudaStreamDestroy(own));
  }
  return without_trace(status);
}

void free_for_ranks(void* block, memory_user user)
{
  const capture_guard guard;
  if ((user == memory_user::host ? cudaFreeHost(block) : cudaFree(block)) != cudaSuccess)
  {
    static_cast<void>(cudaGetLastError()); // earlier work has failed, which its own call reports
  }
}

status_type wait_in_stream(stream_type stream, point_type point)
{
  const status_type status = cudaStreamWaitEvent(stream, point, cudaEventWaitDefault);
  if (status != cudaSuccess)
  {
    static_cast<void>(cudaGetLastError());
  }
  return status;
}

status_type wait_on_host(point_type point)
{
  const capture_guard guard;
  return without_trace(cudaEventSynchronize(point));
}

} // namespace machine
} // namespace library
} // namespace REHEAT_MACHINE
} // namespace reheat

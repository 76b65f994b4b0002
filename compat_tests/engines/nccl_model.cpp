// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
#include "nccl_model.hpp"

#include <condition_variable>
#include <cstring>
#include <mutex>
#include <set>
#include <vector>

namespace nccl_model
{

// Where the ranks of a group meet. Nobody enters a gather before all have left the one before it.
struct meeting
{
  explicit meeting(int of) : count(of), sends(of) {}

  void gather(int rank, const void* send, void* receive, std::size_t bytes)
  {
    sends[rank] = send;
    wait();
    for (int r = 0; r < count; ++r)
    {
      std::memcpy(static_cast<char*>(receive) + r * bytes, sends[r], bytes);
    }
    wait();
  }

  const int count;

private:
  void wait()
  {
    std::unique_lock lock(mutex_);
    const unsigned long round = round_;
    if (++arrived_ == count)
    {
      arrived_ = 0;
      ++round_;
      changed_.notify_all();
    }
    changed_.wait(lock, [&] { return round_ != round; });
  }

  std::vector<const void*> sends;
  std::mutex mutex_;
  std::condition_variable changed_;
  int arrived_ = 0;
  unsigned long round_ = 0;
};

namespace
{

std::mutex busy_mutex;
std::set<cudaStream_t> busy_streams;
std::atomic<int> queries_in_strict_mode{0};
thread_local int current_device = 0;
thread_local cudaStreamCaptureMode current_mode = cudaStreamCaptureModeGlobal;

} // namespace

std::vector<std::unique_ptr<ncclComm>> make(int count)
{
  const auto others = std::make_shared<meeting>(count);
  std::vector<std::unique_ptr<ncclComm>> made;
  for (int rank = 0; rank < count; ++rank)
  {
    made.push_back(std::make_unique<ncclComm>());
    made.back()->rank = rank;
    made.back()->others = others;
  }
  return made;
}

void set_device(int device)
{
  current_device = device;
}
cudaStreamCaptureMode capture_mode()
{
  return current_mode;
}
int strict_queries()
{
  return queries_in_strict_mode;
}

} // namespace nccl_model

using namespace nccl_model;

cudaError_t cudaGetDevice(int* device)
{
  *device = current_device;
  return cudaSuccess;
}

cudaError_t cudaStreamQuery(cudaStream_t stream)
{
  queries_in_strict_mode += current_mode != cudaStreamCaptureModeRelaxed;
  const std::lock_guard lock(busy_mutex);
  return busy_streams.count(stream) != 0 ? cudaErrorNotReady : cudaSuccess;
}

cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode* mode)
{
  std::swap(*mode, current_mode);
  return cudaSuccess;
}

ncclResult_t ncclGetVersion(int* version)
{
  *version = 29901;
  return ncclSuccess;
}

const char* ncclGetErrorString(ncclResult_t result)
{
  switch (result)
  {
    case ncclSystemError:
      return "the model's system error";
    case ncclRemoteError:
      return "the model's remote error";
    default:
      return "another result of the model's";
  }
}

const char* ncclGetLastError(ncclComm_t)
{
  return "the model's last error";
}

ncclResult_t ncclCommCount(ncclComm_t comm, int* count)
{
  *count = comm->others->count;
  return ncclSuccess;
}

ncclResult_t ncclCommUserRank(ncclComm_t comm, int* rank)
{
  *rank = comm->rank;
  return ncclSuccess;
}

ncclResult_t ncclCommCuDevice(ncclComm_t comm, int* device)
{
  *device = comm->device;
  return ncclSuccess;
}

ncclResult_t ncclCommGetAsyncError(ncclComm_t comm, ncclResult_t* status)
{
  *status = comm->pending;
  if (*status == ncclSuccess && comm->in_progress != 0)
  {
    *status = ncclInProgress;
    if (comm->in_progress > 0)
    {
      --comm->in_progress;
    }
  }
  return ncclSuccess;
}

ncclResult_t ncclCommAbort(ncclComm_t comm)
{
  comm->aborted = true;
  const std::lock_guard lock(busy_mutex);
  busy_streams.erase(comm->busy_stream);
  return ncclSuccess;
}

ncclResult_t ncclAllGather(const void* send, void* receive, std::size_t count, ncclDataType_t, ncclComm_t comm,
                           cudaStream_t stream)
{
  if (comm->refuses != ncclSuccess)
  {
    return comm->refuses;
  }
  if (comm->never_ends)
  {
    const std::lock_guard lock(busy_mutex);
    busy_streams.insert(stream);
    comm->busy_stream = stream;
    return ncclSuccess;
  }
  if (comm->in_progress >= 0)
  {
    const int lost = comm->loses;
    char* const place = static_cast<char*>(receive) + (lost < 0 ? 0 : lost * count);
    const std::vector<char> before(place, place + count);
    comm->others->gather(comm->rank, send, receive, count);
    if (lost >= 0)
    {
      std::memcpy(place, before.data(), count);
    }
  }
  return comm->in_progress != 0 ? ncclInProgress : ncclSuccess;
}

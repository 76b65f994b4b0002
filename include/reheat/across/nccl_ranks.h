// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Ranks of an NCCL communicator: calls are stream-ordered, and can be captured into graphs. Needs NCCL 2.13 or newer.
//!
//! Link `reheat::nccl` (find_package(reheat COMPONENTS gpu nccl)).
#pragma once

#include <reheat/across/ranks.h>
#include <reheat/detail/runtime/call_scope.h>

#include <cuda_runtime_api.h>
#include <nccl.h>

#include <chrono>
#include <cstddef>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>

REHEAT_NAMESPACE_BEGIN

//! A rank of an NCCL communicator. The communicator stays the caller's: it outlives this object, and nobody else uses it
//! during a call.
//!
//! Calls enqueue one ncclAllGather of bytes on their stream. All ranks capture a call or none does, and they launch the
//! graphs of it together, each once. Calls inside of ncclGroupStart … ncclGroupEnd are not supported: what NCCL is given
//! there is enqueued only at the end of the group. So each rank has a thread or a process of its own.
//!
//! While a call waits on the host, it asks NCCL every millisecond for an error. If there is one, or if the time of
//! give_up_after is over, it aborts the communicator (ncclCommAbort), which ends NCCL's kernels, and throws
//! std::runtime_error. The communicator is then gone: see aborted().
//!
//! When a rank gives up or aborts, NCCL's kernels on other ranks may end, too, and leave bytes of earlier gathers behind as
//! if they had come, without an error. The calls notice it and throw std::runtime_error, which says that a record has not
//! arrived. These ranks then make no more calls. A call that waits aborts the communicator, too, unless calls on these ranks
//! have been captured; check(), and calls that do not wait, leave that to the caller.
//!
//! ncclCommAbort waits until all graphs are gone that have captured work of the communicator. So a call that gives up does
//! not return while such a graph lives. Neither does a call that misses a record, if the program has captured functions of
//! NCCL itself, or calls on another object of ranks: these ranks do not know of such graphs.
class nccl_ranks : public ranks
{
public:
  //! Not collective. Throws std::invalid_argument if `comm` is null, or of another device than the current one, and
  //! std::runtime_error if NCCL fails.
  explicit nccl_ranks(ncclComm_t comm) : nccl_ranks(look_at(comm)) {}

  //! How long a call may wait on the host for its stream, other ranks included, before it gives up. Calls that do not wait
  //! give nothing up, and neither does the program's own wait for the stream. Without it, a call waits for ever, as NCCL
  //! does. A first ncclAllGather may block inside of NCCL until all ranks have called it; only with a communicator that was
  //! made with `blocking = 0` does the time cover that, too.
  void give_up_after(std::chrono::milliseconds time) { time_ = time; }

  //! Whether a call has aborted the communicator. Do not destroy it then, and make no more calls with these ranks. If calls
  //! say that the communicator is of no more use, and it has not been aborted, destroy the graphs and abort it yourself.
  bool aborted() const { return comm_ == nullptr; }

  void all_gather(const void* send, void* receive, std::size_t bytes, library::stream_type stream) override
  {
    check_usable();
    const std::string attempt = "ncclAllGather of " + std::to_string(bytes) + " bytes from each of " +
                                std::to_string(count()) + " ranks, on rank " + std::to_string(rank());
    ncclResult_t status = ncclAllGather(send, receive, bytes, ncclUint8, comm_, stream);
    // A communicator that does not block returns before NCCL has enqueued its kernel.
    for (patience left(time_); status == ncclInProgress;)
    {
      if (left.is_over())
      {
        abort();
        throw std::runtime_error(gave_up(attempt));
      }
      std::this_thread::sleep_for(std::chrono::microseconds(10));
      if (ncclCommGetAsyncError(comm_, &status) != ncclSuccess)
      {
        status = ncclInternalError;
      }
    }
    check_nccl(status, attempt, comm_);
  }

  void check_engine() override
  {
    check_usable();
    const ncclResult_t status = pending_error();
    if (status != ncclSuccess)
    {
      throw std::runtime_error(failed(on_rank("an earlier gather"), status, comm_));
    }
  }

  library::status_type wait(library::stream_type stream) override
  {
    check_usable();
    patience left(time_);
    auto looked = std::chrono::steady_clock::now();
    while (is_busy(stream))
    {
      const auto now = std::chrono::steady_clock::now();
      if (now - looked < std::chrono::milliseconds(1))
      {
        continue; // as cudaStreamSynchronize does: the result is needed soon
      }
      looked = now;
      const ncclResult_t status = pending_error();
      if (status != ncclSuccess)
      {
        const std::string what = failed(on_rank("waiting for a gather"), status, comm_);
        abort_and_wait(stream);
        throw std::runtime_error(what);
      }
      if (left.is_over())
      {
        abort_and_wait(stream);
        throw std::runtime_error(gave_up(on_rank("waiting for a gather")));
      }
    }
    return library::wait_for(stream);
  }

  const char* has_lost_bytes(bool may_wait) noexcept override
  {
    if (!may_wait && !aborted())
    {
      is_broken_ = true;
      return "The communicator is of no more use: destroy the graphs that have captured calls on it, if there are any, call "
             "ncclCommAbort, and make a new communicator, and new ranks";
    }
    if (!aborted())
    {
      abort();
    }
    return "The communicator has been aborted; make a new communicator, and new ranks";
  }

private:
  struct group
  {
    ncclComm_t comm;
    int rank, count;
  };

  // A point in time, if there is one.
  class patience
  {
  public:
    explicit patience(const std::optional<std::chrono::milliseconds>& time)
    {
      if (time)
      {
        end_ = std::chrono::steady_clock::now() + *time;
      }
    }
    bool is_over() const { return end_ && std::chrono::steady_clock::now() >= *end_; }

  private:
    std::optional<std::chrono::steady_clock::time_point> end_;
  };

  explicit nccl_ranks(const group& found)
      : ranks("NCCL", found.rank, found.count, gather_order::in_stream_or_graph), comm_(found.comm)
  {}

  static group look_at(ncclComm_t comm)
  {
    if (comm == nullptr)
    {
      throw std::invalid_argument("reheat::nccl_ranks: the communicator is null; make one with ncclCommInitRank");
    }
    group found{comm, 0, 0};
    int device = 0, current = 0;
    check_nccl(ncclCommUserRank(comm, &found.rank), "ncclCommUserRank", comm);
    check_nccl(ncclCommCount(comm, &found.count), "ncclCommCount", comm);
    check_nccl(ncclCommCuDevice(comm, &device), "ncclCommCuDevice", comm);
    if (cudaGetDevice(&current) == cudaSuccess && current != device)
    {
      throw std::invalid_argument("reheat::nccl_ranks: the communicator of rank " + std::to_string(found.rank) +
                                  " is for device " + std::to_string(device) + ", and device " + std::to_string(current) +
                                  " is current; call cudaSetDevice first");
    }
    return found;
  }

  void check_usable() const
  {
    if (aborted())
    {
      throw std::runtime_error("reheat::nccl_ranks: an earlier call has aborted the communicator of rank " +
                               std::to_string(rank()) + "; make a new communicator, and new ranks");
    }
    if (is_broken_)
    {
      throw std::runtime_error("reheat::nccl_ranks: in an earlier call a record has not arrived on rank " +
                               std::to_string(rank()) +
                               ", and the communicator is of no more use; abort it, and make a new "
                               "communicator, and new ranks");
    }
  }

  // ncclSuccess while NCCL works on something.
  ncclResult_t pending_error() const
  {
    ncclResult_t status = ncclSuccess;
    const ncclResult_t asked = ncclCommGetAsyncError(comm_, &status);
    if (asked != ncclSuccess)
    {
      return asked;
    }
    return status == ncclInProgress ? ncclSuccess : status;
  }

  // In relaxed capture mode: in others a query breaks the capture that another thread has begun in global mode. Errors of
  // the stream are left to the wait.
  static bool is_busy(library::stream_type stream)
  {
    cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
    const bool exchanged = cudaThreadExchangeStreamCaptureMode(&mode) == cudaSuccess;
    const bool busy = cudaStreamQuery(stream) == cudaErrorNotReady;
    if (exchanged)
    {
      cudaThreadExchangeStreamCaptureMode(&mode);
    }
    return busy;
  }

  void abort() noexcept
  {
    ncclCommAbort(comm_);
    comm_ = nullptr;
  }
  // The memory of the call may be used again only when NCCL's kernel has ended.
  void abort_and_wait(library::stream_type stream)
  {
    abort();
    library::wait_for(stream);
  }

  std::string on_rank(const char* attempt) const
  {
    return std::string(attempt) + ", on rank " + std::to_string(rank()) + " of " + std::to_string(count());
  }
  std::string gave_up(const std::string& attempt) const
  {
    return "reheat::nccl_ranks: " + attempt + ": given up after " + std::to_string(time_->count()) +
           " ms; another rank may have ended or made no such call. The communicator has been aborted";
  }
  static std::string failed(const std::string& attempt, ncclResult_t status, ncclComm_t comm)
  {
    std::string text = "reheat::nccl_ranks: " + attempt + ": " + ncclGetErrorString(status);
    const char* const last = ncclGetLastError(comm);
    if (last != nullptr && *last != '\0')
    {
      text += std::string("; ") + last;
    }
    int version = 0;
    if (ncclGetVersion(&version) == ncclSuccess)
    {
      text += " (NCCL " + std::to_string(version / 10000) + '.' + std::to_string(version / 100 % 100) + '.' +
              std::to_string(version % 100) + "; NCCL_DEBUG=WARN in the environment says more)";
    }
    return text;
  }
  static void check_nccl(ncclResult_t status, const std::string& attempt, ncclComm_t comm)
  {
    if (status != ncclSuccess)
    {
      throw std::runtime_error(failed(attempt, status, comm));
    }
  }

  ncclComm_t comm_;
  std::optional<std::chrono::milliseconds> time_;
  bool is_broken_ = false; //!< a gather has lost bytes: no further one is made
};

REHEAT_NAMESPACE_END

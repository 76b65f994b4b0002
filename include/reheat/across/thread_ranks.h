// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Ranks that are threads of this process: several GPUs of one program, or several streams of one GPU; on the emulator
//! threads, too. A source that makes no call across ranks needs this header alone.
#pragma once

#include <reheat/across/ranks.h>
#include <reheat/detail/across/exchange.h>
#include <reheat/detail/config.cuh>
#include <reheat/detail/runtime/message.h>
#if defined(REHEAT_FAULT_SWITCHES) && defined(REHEAT_EMULATED)
#  include <reheat/detail/simt/fault.cuh>
#endif

#if defined(REHEAT_EMULATED)
#  include <reheat/emulator.h>
#else
#  include <cuda_runtime_api.h>
#endif

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <mutex>
#include <new>
#include <stdexcept>
#include <utility>
#include <vector>

namespace reheat
{
inline namespace REHEAT_MACHINE
{
namespace library
{
namespace threads
{

class membership;

#if defined(REHEAT_FAULT_SWITCHES) && defined(REHEAT_EMULATED)
inline bool skips_meeting()
{
  return simt::fault_active(simt::fault::ranks_skip_meeting);
}
inline bool has_one_slot()
{
  return simt::fault_active(simt::fault::ranks_one_slot);
}
#else
constexpr bool skips_meeting()
{
  return false;
}
constexpr bool has_one_slot()
{
  return false;
}
#endif

#if defined(REHEAT_EMULATED)

using mark_type = char; // work has ended when it has been enqueued
inline void make_mark(mark_type*) {}
inline void destroy_mark(mark_type) {}
inline void record_mark(mark_type, stream_type) {}
inline void wait_for_mark(mark_type, stream_type) {}
inline void copy_in_stream(void* to, const void* from, std::size_t bytes, stream_type)
{
  std::memcpy(to, from, bytes);
}
inline void* allocate_shared(std::size_t bytes)
{
  if (emulator::host_call_fails("allocate_shared"))
  {
    throw std::bad_alloc();
  }
  return ::operator new(bytes, std::align_val_t(64));
}
inline void free_shared(void* memory)
{
  ::operator delete(memory, std::align_val_t(64));
}

#else

//! For what CUDA says of a call of the engine.
inline void check(cudaError_t status, const char* attempt)
{
  if (status != cudaSuccess)
  {
    static_cast<void>(cudaGetLastError());
    throw std::runtime_error(format_message("reheat: ranks of threads: %s: %s", attempt, cudaGetErrorString(status)).text);
  }
}
using mark_type = cudaEvent_t;
inline void make_mark(mark_type* mark)
{
  check(cudaEventCreateWithFlags(mark, cudaEventDisableTiming), "creating an event");
}
inline void destroy_mark(mark_type mark)
{
  static_cast<void>(cudaEventDestroy(mark));
}
inline void record_mark(mark_type mark, stream_type stream)
{
  check(cudaEventRecord(mark, stream), "recording an event");
}
inline void wait_for_mark(mark_type mark, stream_type stream)
{
  check(cudaStreamWaitEvent(stream, mark, cudaEventWaitDefault), "letting a stream wait for an event");
}
inline void copy_in_stream(void* to, const void* from, std::size_t bytes, stream_type stream)
{
  check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, stream), "copying the records of ranks");
}
//! Host memory that every device can copy to and from.
inline void* allocate_shared(std::size_t bytes)
{
  void* memory = nullptr;
  check(cudaHostAlloc(&memory, bytes, cudaHostAllocPortable), "allocating host memory");
  return memory;
}
inline void free_shared(void* memory)
{
  static_cast<void>(cudaFreeHost(memory));
}

#endif

//! What one rank shows the others in every second gather.
class slot
{
public:
  slot() = default;
  slot(const slot&) = delete;
  slot& operator=(const slot&) = delete;
  ~slot()
  {
    for (void* const block : blocks_)
    {
      free_shared(block);
    }
  }
  //! Others may still copy from smaller blocks.
  void need(std::size_t bytes)
  {
    if (bytes > bytes_)
    {
      blocks_.reserve(blocks_.size() + 1);
      blocks_.push_back(allocate_shared(bytes));
      bytes_ = bytes;
    }
  }
  void* get() const { return blocks_.back(); }

private:
  std::vector<void*> blocks_;
  std::size_t bytes_ = 0;
};

} // namespace threads

//! A group of threads that are ranks of each other. Made once; outlives its ranks, and all that they have enqueued.
class thread_group
{
public:
  //! Throws std::invalid_argument unless `count` is at least 1.
  explicit thread_group(int count) : members_(count < 1 ? 0 : static_cast<std::size_t>(count))
  {
    if (count < 1)
    {
      throw std::invalid_argument(format_message("reheat: a group of %d threads: it has at least 1", count).text);
    }
  }
  thread_group(const thread_group&) = delete;
  thread_group& operator=(const thread_group&) = delete;
  ~thread_group()
  {
    for (const member& each : members_)
    {
      for (const threads::mark_type mark : {each.filled[0], each.filled[1], each.finished[0], each.finished[1]})
      {
        if (mark != threads::mark_type{})
        {
          threads::destroy_mark(mark);
        }
      }
    }
  }
  int count() const { return static_cast<int>(members_.size()); }

private:
  friend class thread_ranks;
  friend class threads::membership;

  struct member
  {
    threads::slot slots[2];           //!< in turns
    threads::mark_type filled[2]{};   //!< the end of the copy into a slot
    threads::mark_type finished[2]{}; //!< the end of the rank's copies from all slots
    bool was_here = false;
  };

  void enter(int rank)
  {
    if (rank < 0 || rank >= count())
    {
      throw std::invalid_argument(
          format_message("reheat: rank %d of a group of %d threads: a rank is at least 0 and less than "
                         "the number of threads",
                         rank, count())
              .text);
    }
    const std::lock_guard<std::mutex> lock(mutex_);
    member& own = members_[static_cast<std::size_t>(rank)];
    if (own.was_here)
    {
      throw std::invalid_argument(
          format_message("reheat: rank %d of a group of %d threads has been taken before", rank, count()).text);
    }
    own.was_here = true;
  }
  void leave(int rank)
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    gone_ = gone_ < 0 ? rank : gone_;
    changed_.notify_all();
  }
  //! Before a rank writes to a slot. After a meeting that did not come about, others may still read it.
  void require_all()
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (gone_ >= 0)
    {
      throw_gone();
    }
  }
  //! Returns when all ranks have come. A rank that has gone never comes.
  void meet()
  {
    std::unique_lock<std::mutex> lock(mutex_);
    if (threads::skips_meeting())
    {
      return;
    }
    const std::uint64_t meeting = meetings_;
    if (++arrived_ == count())
    {
      arrived_ = 0;
      ++meetings_;
      changed_.notify_all();
      return;
    }
    changed_.wait(lock, [&] { return meetings_ != meeting || gone_ >= 0; });
    if (meetings_ == meeting)
    {
      throw_gone();
    }
  }
  [[noreturn]] void throw_gone() const
  {
    throw std::runtime_error(
        format_message("reheat: rank %d of a group of %d threads has ended, or its engine has failed, and "
                       "others still wait for it in a call; all ranks have to make the same calls",
                       gone_, count())
            .text);
  }

  std::vector<member> members_;
  std::mutex mutex_;
  std::condition_variable changed_;
  int arrived_ = 0;
  std::uint64_t meetings_ = 0;
  int gone_ = -1; //!< a rank that comes no more
};

namespace threads
{

//! That a rank is one of its group, until it goes: then the others need not wait for it.
class membership
{
public:
  membership(thread_group& group, int rank) : group_(group), rank_(rank) { group.enter(rank); }
  membership(const membership&) = delete;
  membership& operator=(const membership&) = delete;
  ~membership() { group_.leave(rank_); }

private:
  thread_group& group_;
  int rank_;
};

} // namespace threads

//! Rank `rank` of the group, for one thread. On GPUs it belongs to the device that is current when it is made; ranks may
//! have a device each, or streams of one device. A call enqueues its exchange on its stream, when all threads have made the
//! call: host memory carries the bytes, and no access from device to device is asked for. Such calls can not be captured.
class thread_ranks final : private threads::membership, public ranks
{
public:
  //! Throws std::invalid_argument if the rank is not one of the group's, or has been taken before.
  thread_ranks(thread_group& group, int rank)
      : membership(group, rank), ranks("threads", rank, group.count(), gather_order::in_stream), group_(group)
  {
    thread_group::member& own = member_of(rank);
    for (int turn = 0; turn < 2; ++turn)
    {
      own.slots[turn].need(record_bytes);
      threads::make_mark(&own.filled[turn]);
      threads::make_mark(&own.finished[turn]);
    }
  }

  void all_gather(const void* send, void* receive, std::size_t bytes, stream_type stream) override
  {
    group_.require_all();
    const int turn = threads::has_one_slot() ? 0 : static_cast<int>(gathers_ % 2);
    thread_group::member& own = member_of(rank());
    try
    {
      // All have come to the gather before this one. So they have enqueued the one before that, and recorded its end.
      if (gathers_++ >= 2)
      {
        for (int other = 0; other < count(); ++other)
        {
          threads::wait_for_mark(member_of(other).finished[turn], stream);
        }
      }
      own.slots[turn].need(bytes);
      threads::copy_in_stream(own.slots[turn].get(), send, bytes, stream);
      threads::record_mark(own.filled[turn], stream);
    }
    catch (...)
    {
      group_.leave(rank()); // or the others would take what comes next for this gather
      throw;
    }
    group_.meet();
    for (int other = 0; other < count(); ++other)
    {
      thread_group::member& from = member_of(other);
      threads::wait_for_mark(from.filled[turn], stream);
      threads::copy_in_stream(static_cast<unsigned char*>(receive) + static_cast<std::size_t>(other) * bytes,
                              from.slots[turn].get(), bytes, stream);
    }
    threads::record_mark(own.finished[turn], stream);
  }

private:
  thread_group::member& member_of(int rank) { return group_.members_[static_cast<std::size_t>(rank)]; }

  thread_group& group_;
  std::uint64_t gathers_ = 0;
};

} // namespace library
} // namespace REHEAT_MACHINE

using library::thread_group;
using library::thread_ranks;

} // namespace reheat

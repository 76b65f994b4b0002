// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Memory that calls need besides their input and output: the interface of src/runtime. No Thrust, CUB or cuda:: type
//! appears here, because theirs change with the user's CCCL version and architecture list.
#pragma once

#include <reheat/detail/config.cuh>

#if defined(REHEAT_EMULATED)
#  include <reheat/emulator.h>
#else
#  include <cuda_runtime_api.h>
#endif

#include <cstddef>

namespace reheat
{
inline namespace REHEAT_MACHINE
{
namespace library
{

#if defined(REHEAT_EMULATED)
using stream_type = emulator::stream*;
//! What a call into src/runtime came to.
enum class status_type
{
  success,
  out_of_memory,
};
inline constexpr status_type success = status_type::success;
#else
using stream_type = cudaStream_t;
using status_type = cudaError_t;
inline constexpr status_type success = cudaSuccess;
#endif

//! Scratch memory for the launches of one call, kept between calls: one block per context, stream and, for the per-thread
//! default stream, thread. The lease is held from here to the call's last launch, since growing the block frees what another
//! thread is about to launch on; launches of one stream then use it one after another. Calls that are being captured get a
//! block of their own, which lives as long as the graph.
class workspace_lease
{
public:
  workspace_lease() = default;
  workspace_lease(const workspace_lease&) = delete;
  workspace_lease& operator=(const workspace_lease&) = delete;
  ~workspace_lease();

  //! Waits until no other call holds the block, and grows it if need be. A new block's words are zeroed in stream order;
  //! whatever kernels leave in them stays.
  status_type acquire(stream_type stream, std::size_t word_bytes, std::size_t value_bytes);

  void* words() const { return words_; }   //!< aligned to 256 bytes; starts out as zeros
  void* values() const { return values_; } //!< aligned to 256 bytes; any content; never overlaps words

private:
  struct entry;
  struct pool;
  friend std::size_t workspace_bytes();
  friend void trim_workspaces();
  status_type prepare(stream_type stream, std::size_t word_bytes, std::size_t value_bytes, void* graph);
  entry* entry_ = nullptr;
  int exceptions_ = 0; //!< in flight at acquire: one more at the end means that the call failed
  void* words_ = nullptr;
  void* values_ = nullptr;
};

//! Device memory that the pool holds in the current context, in bytes.
std::size_t workspace_bytes();
//! Gives back all blocks of the current context that no call holds. Waits for the device.
void trim_workspaces();

//! Host memory that a kernel can write a result to: it belongs to one call, not to the stream, or the next call would
//! overwrite it before it is read. The end of the object gives it to the next call, unless a kernel may still write there,
//! as after an error while it ran: then nobody ever gets it again.
class result_slot
{
public:
  result_slot() = default;
  result_slot(const result_slot&) = delete;
  result_slot& operator=(const result_slot&) = delete;
  ~result_slot();

  status_type acquire(std::size_t bytes);
  void* get() const { return memory_; } //!< aligned to 256 bytes
  //! Before the launch: comes_soon will be asked about the first `bytes` bytes, which the kernel writes in one store, or in
  //! stores of 8 bytes.
  void expect(std::size_t bytes);
  //! Looks at the slot until the result is there, but not for longer than 20 us, and not at all where the device's flags ask
  //! for threads that sleep (cudaDeviceScheduleBlockingSync). No: wait for the stream, which also reports errors. The one
  //! result that looks as if it had not come gets that answer, too.
  bool comes_soon(std::size_t bytes) const;
  //! A kernel that writes to the slot has been launched.
  void has_launched() { in_use_ = true; }
  //! It is known to have ended.
  void has_ended() { in_use_ = false; }

private:
  void* memory_ = nullptr;
  bool in_use_ = false;
  std::size_t bytes_ = 0;
  unsigned long long context_ = 0;
};

} // namespace library
} // namespace REHEAT_MACHINE
} // namespace reheat

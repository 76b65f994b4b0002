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
using point_type = void*; //!< a point in a stream's work
//! What a call into src/runtime came to.
enum class status_type
{
  success,
  out_of_memory,
  invalid_value,
};
inline constexpr status_type success = status_type::success;
inline constexpr status_type invalid_value = status_type::invalid_value;
inline constexpr status_type out_of_memory = status_type::out_of_memory;
#else
using stream_type = cudaStream_t;
using point_type = cudaEvent_t; //!< a point in a stream's work
using status_type = cudaError_t;
inline constexpr status_type success = cudaSuccess;
inline constexpr status_type invalid_value = cudaErrorInvalidValue;
inline constexpr status_type out_of_memory = cudaErrorMemoryAllocation;
#endif

class context_scratch;
struct stream_scratch;

//! Scratch memory for the launches of one call, in the order of its stream; no call waits for it. It belongs to the stream
//! (for the per-thread default stream, to stream and thread) and is kept between calls; to the call, as far as it needs more
//! than a stream keeps; or to the graph into which the call is captured. The lease is held from here to the call's last
//! launch: another thread's call on the stream comes before it or behind it.
class workspace_lease
{
public:
  workspace_lease() = default;
  workspace_lease(const workspace_lease&) = delete;
  workspace_lease& operator=(const workspace_lease&) = delete;
  ~workspace_lease();

  //! Words that are new are zeros in stream order; whatever kernels leave in them stays.
  status_type acquire(stream_type stream, std::size_t word_bytes, std::size_t value_bytes);

  void* words() const { return words_; }   //!< aligned to 256 bytes; starts out as zeros
  void* values() const { return values_; } //!< aligned to 256 bytes; any content; never overlaps words

private:
  status_type acquire_for_graph(void* graph, std::size_t word_bytes, std::size_t value_bytes);
  status_type acquire_for_call(std::size_t word_bytes, std::size_t value_bytes);

  context_scratch* scratch_ = nullptr;
  stream_scratch* held_ = nullptr; //!< of the stream
  void* own_ = nullptr;            //!< of the call
  stream_type stream_ = {};
  int exceptions_ = 0; //!< in flight at acquire: one more at the end means that the call failed
  void* words_ = nullptr;
  void* values_ = nullptr;
};

//! Scratch memory that a call needs for all its items comes from the library's pool up to so many bytes, which it keeps for
//! later calls: at least always_pooled_bytes, of a device with memory pools a part of its memory.
#if defined(REHEAT_EMULATED)
inline constexpr std::size_t always_pooled_bytes = std::size_t{16} << 10; // few, so that tests meet all cases
#else
inline constexpr std::size_t always_pooled_bytes = std::size_t{64} << 20;
#endif
//! How many these are in the current context.
status_type max_pooled_bytes(std::size_t* bytes);

//! Scratch memory of streams and graphs in the current context, in bytes.
std::size_t workspace_bytes();
//! Gives back what no call and no graph uses in the current context. Waits for the device, as cudaDeviceSynchronize does:
//! that ends captures that are in progress in the context, those of other threads, too.
void trim_workspaces();

//! Host memory that a kernel can write a result to: it belongs to one call, not to the stream, or the next call would
//! overwrite it before it is read. The end of the object gives it to the next call, unless a kernel may still write there,
//! as after an error while it ran: then trim_workspaces does.
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
  //! Polls the slot until the result is there, for at most 20 us, and not at all if the device's flags ask for threads that
  //! sleep (cudaDeviceScheduleBlockingSync). Returns false if the caller has to wait for the stream, which also reports
  //! errors. This includes a result that equals the pattern of an empty slot.
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

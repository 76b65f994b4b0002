// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! What the library needs of the machine it runs on (machine_cuda.cpp, memory_cuda.cpp, machine_emulated.cpp), and what its
//! parts share. compat_tests/scratch has a third machine, which checks who uses which memory.
#pragma once

#include <reheat/detail/runtime/call_scope.h>
#include <reheat/detail/runtime/workspace.h>

#include <cstddef>
#include <cstdint>

namespace reheat
{
inline namespace REHEAT_MACHINE
{
namespace library
{

//! As machine::current_context, machine::find_capture and machine::find_stream, once per public call.
status_type current_context(std::uint64_t* context);
status_type identify(stream_type stream, stream_identity* identity);

//! Counts a call that returns and, if REHEAT_LOG asks for it, writes a line to stderr.
void count_call(const call_scope& call);

//! Whether REHEAT_DISABLE names the algorithm.
bool is_disabled(algorithm which);

//! Whether the environment variable is set, and neither empty nor 0.
bool environment_asks_for(const char* name);

//! Result slots that calls in the current context have given up, because they could not learn whether their kernels had
//! ended, serve other calls again. Waits for the device if there are any.
void reclaim_result_slots(std::uint64_t context);

#if !defined(REHEAT_EMULATED)
//! An error that the caller may get over must not stay behind for the program's next cudaGetLastError.
inline status_type without_trace(status_type status)
{
  if (status != cudaSuccess)
  {
    static_cast<void>(cudaGetLastError());
  }
  return status;
}

//! Whether a launch of `grid_blocks` blocks on `stream` should start before earlier work is done. Blocks that have started
//! and wait occupy multiprocessors, which the kernel before them may need for another kernel. So a launch starts early in
//! four cases:
//!
//! * in a capture, directly after this thread's last captured launch that note_launch was told of. That launch waits itself
//!   before it lets others start, and after any other node the graph would be slower;
//! * outside of captures, directly after another launch of the same call, which needs nothing any more when it lets others
//!   start;
//! * outside of captures, if the grid has at most half as many blocks as the device has multiprocessors;
//! * if the call or the environment asks for it.
//!
//! Never after a fill of the same call: beside other programs on an NVIDIA H200, 17 new streams with a fill and a scan each
//! stood still, in two runs of two.
bool early_start_pays(stream_type stream, unsigned grid_blocks);
//! `stream` has been given a launch of the call. `may_start_early`: it waits for earlier work and lets the next one start.
void note_launch(stream_type stream, bool may_start_early);
//! How many multiprocessors the current device has.
status_type count_multiprocessors(unsigned* multiprocessors);
#endif

namespace machine
{

//! The identity of the current context. Unlike its address it is never used again, so what was kept for a context that has
//! been destroyed (cudaDeviceReset) is never mistaken for memory of a later one.
status_type current_context(std::uint64_t* context);

//! The capture in progress on a stream and its graph, if there is one.
status_type find_capture(stream_type stream, stream_identity* identity);
//! Whether a graph's edges can say that a launch starts early: since CUDA 12.3.
bool captures_early_launches();
//! The one node that all further work of a stream's capture will wait for, and the capture; null if there are more.
const void* last_captured_node(stream_type stream, std::uint64_t* capture);
//! The rest of a stream's identity, once its capture is known.
status_type find_stream(stream_type stream, stream_identity* identity);

// ---- device memory: no function but wait_for_device waits for work of the device --------------------------------------

//! Where the current context's scratch memory comes from.
struct device_memory;
status_type open_memory(device_memory** opened);
//! Whether free_in_order is there. Devices without memory pools have none.
bool frees_in_order(const device_memory& memory);
//! How much of a call's items is kept for later calls when it has given them back.
std::size_t kept_unused_bytes(const device_memory& memory);
//! Memory for what `stream` is given from now on. It may be what the stream has just given back.
status_type allocate_in_order(device_memory& memory, void** block, std::size_t bytes, stream_type stream);
//! Likewise, and faster if `stream` has not allocated anything yet.
status_type allocate_first(device_memory& memory, void** block, std::size_t bytes, stream_type stream);
//! Takes memory back when all that `stream` has been given is done.
void free_in_order(device_memory& memory, void* block, stream_type stream);
//! In stream order.
status_type zero_in_order(void* block, std::size_t bytes, stream_type stream);
//! Memory in no stream's order, whose first `zero_bytes` bytes become zeros. `ready` is a new point in time from which on it
//! may be used.
status_type allocate_apart(device_memory& memory, void** block, std::size_t bytes, std::size_t zero_bytes,
                           point_type* ready);
//! Takes memory back that nothing uses any more.
void free_unused(device_memory& memory, void* block);
//! Gives all that was taken back to the system.
void release_memory(device_memory& memory);
status_type wait_for_device();

// ---- points in time: the end of what a stream has been given ----------------------------------------------------------

status_type make_point(point_type* made);
void destroy_point(point_type point);
//! `point` is now the end of what `stream` has been given so far.
status_type mark_point(point_type point, stream_type stream);
bool has_passed(point_type point);
//! What is captured on `stream` from now on runs when `point` has passed.
status_type capture_wait(stream_type stream, point_type point);

// ---- the rest -----------------------------------------------------------------------------------------------------------

//! Host memory that kernels can write to.
status_type allocate_result(void** memory, std::size_t bytes);
//! Whether a call may return before the device has told that its kernel has ended, and look for the result until then: the
//! context's flags let waiting threads keep their core, and the host may touch managed memory while a kernel runs.
status_type may_spin(bool* may);
//! `forget(object)` is called when the graph and all that was made of it are gone, or at once if this fails. It may not use
//! the machine.
status_type retain_in_graph(void* graph, void (*forget)(void*), void* object);

//! A range of this name in this thread's timeline, where a profiler draws one.
void begin_range(const char* name);
void end_range();

//! While one lives, this thread's allocations and queries do not break a capture that goes on in another thread.
class capture_guard
{
public:
  capture_guard();
  capture_guard(const capture_guard&) = delete;
  capture_guard& operator=(const capture_guard&) = delete;
  ~capture_guard();

private:
  int mode_ = -1; //!< that the thread had; -1: it still has it
};

} // namespace machine
} // namespace library
} // namespace REHEAT_MACHINE
} // namespace reheat

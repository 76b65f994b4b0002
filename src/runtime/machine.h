// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! What the library needs of the machine it runs on (machine_cuda.cpp, machine_emulated.cpp), and what its parts share.
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

#if !defined(REHEAT_EMULATED)
//! Whether a launch on `stream` that may start before earlier work is done should. In a capture only right behind this
//! thread's last captured launch of which note_launch has been told: behind anything else the edge that lets it makes graphs
//! slower. Outside of one not behind a fill of the same call: beside other programs on an NVIDIA H200, 17 new streams with a
//! fill and a scan each stood still, all 528 places for their blocks taken by blocks that waited, as it seemed for fills, in
//! two runs of two.
bool early_start_pays(stream_type stream);
//! `stream` has been given a launch that waits for earlier work and lets the next one start.
void note_launch(stream_type stream);
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

status_type allocate_device(void** memory, std::size_t bytes);
//! Waits until no kernel uses the memory.
void free_device(void* memory);
//! In stream order.
status_type zero(void* memory, std::size_t bytes, stream_type stream);
//! At once, leaving no trace in a capture.
status_type zero_now(void* memory, std::size_t bytes);
//! Host memory that kernels can write to.
status_type allocate_result(void** memory, std::size_t bytes);
//! Whether the current context's user lets threads that wait keep their core.
bool may_spin();
//! `forget(object)` is called when the graph and all that was made of it are gone; it may not use the machine.
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
  int mode_ = 0;
};

} // namespace machine
} // namespace library
} // namespace REHEAT_MACHINE
} // namespace reheat

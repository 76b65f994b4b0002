// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
#include "machine.h"

#include <cstdlib>
#include <cstring>

namespace reheat
{
inline namespace REHEAT_MACHINE
{
namespace library
{
namespace machine
{
namespace
{

//! The status of a call that can fail on a GPU. A call that fails does nothing.
status_type outcome(const char* name)
{
  return emulator::host_call_fails(name) ? status_type::out_of_memory : success;
}

} // namespace

status_type current_context(std::uint64_t* context)
{
  *context = 1;
  return outcome("current_context");
}

status_type find_capture(stream_type stream, stream_identity* identity)
{
  const status_type status = outcome("find_capture");
  if (status == success && stream != nullptr)
  {
    identity->capture = stream->capture();
    identity->graph = stream->captured();
  }
  return status;
}

const void* last_captured_node(stream_type stream, std::uint64_t* capture)
{
  *capture = stream->capture();
  return stream->captured()->last_node();
}

status_type find_stream(stream_type stream, stream_identity* identity)
{
  identity->stream = reinterpret_cast<std::uintptr_t>(stream);
  return outcome("find_stream");
}

struct device_memory
{};

status_type open_memory(device_memory** opened)
{
  static device_memory the;
  *opened = &the;
  return outcome("open_memory");
}

bool frees_in_order(const device_memory&)
{
  return true;
}

std::size_t kept_unused_bytes(const device_memory&)
{
  return 2 * always_pooled_bytes; // so that tests meet calls that have to ask, with either answer
}

// Kernels have run by the time a launch returns: memory of no use to later work is of no use to any.

status_type allocate_in_order(device_memory&, void** block, std::size_t bytes, stream_type)
{
  if (emulator::host_call_fails("allocate"))
  {
    return status_type::out_of_memory;
  }
  emulator::record(&emulator::host_calls::allocations);
  *block = std::aligned_alloc(256, (bytes + 255) / 256 * 256);
  return *block == nullptr ? status_type::out_of_memory : success;
}

status_type allocate_first(device_memory& memory, void** block, std::size_t bytes, stream_type stream)
{
  return allocate_in_order(memory, block, bytes, stream);
}

void free_in_order(device_memory& memory, void* block, stream_type)
{
  free_unused(memory, block);
}

status_type zero_in_order(void* block, std::size_t bytes, stream_type)
{
  emulator::record(&emulator::host_calls::fills);
  if (emulator::host_call_fails("zero"))
  {
    return status_type::invalid_value;
  }
  std::memset(block, 0, bytes);
  return success;
}

status_type allocate_apart(device_memory& memory, void** block, std::size_t bytes, std::size_t zero_bytes, point_type* ready)
{
  const status_type allocated = allocate_in_order(memory, block, bytes, nullptr);
  if (allocated != success)
  {
    return allocated;
  }
  const status_type zeroed = zero_in_order(*block, zero_bytes, nullptr);
  if (zeroed != success)
  {
    free_unused(memory, *block);
    return zeroed;
  }
  return make_point(ready);
}

void free_unused(device_memory&, void* block)
{
  emulator::record(&emulator::host_calls::frees);
  std::free(block);
}

void release_memory(device_memory&) {}

status_type wait_for_device()
{
  return success;
}

status_type make_point(point_type* made)
{
  static char somewhere;
  *made = &somewhere;
  return success;
}

void destroy_point(point_type) {}

status_type mark_point(point_type, stream_type)
{
  return success;
}

bool has_passed(point_type)
{
  return true;
}

status_type capture_wait(stream_type, point_type)
{
  return success; // all points have passed
}

status_type allocate_result(void** memory, std::size_t bytes)
{
  static device_memory the;
  return allocate_in_order(the, memory, bytes, nullptr);
}

status_type may_spin(bool* may)
{
  *may = true;
  return success;
}

status_type retain_in_graph(void* graph, void (*forget)(void*), void* object)
{
  const status_type status = outcome("retain_in_graph");
  if (status == success)
  {
    static_cast<emulator::graph*>(graph)->retain(forget, object);
  }
  else
  {
    forget(object);
  }
  return status;
}

void begin_range(const char*) {}
void end_range() {}

capture_guard::capture_guard() = default;
capture_guard::~capture_guard()
{
  static_cast<void>(mode_); // allocations break no capture
}

} // namespace machine

status_type wait_for(stream_type stream)
{
  if (call_scope* const scope = call_scope::current())
  {
    scope->count_wait();
  }
  emulator::synchronize(stream);
  return emulator::host_call_fails("wait_for") ? status_type::invalid_value : success;
}

} // namespace library
} // namespace REHEAT_MACHINE
} // namespace reheat

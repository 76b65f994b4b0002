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

status_type current_context(std::uint64_t* context)
{
  *context = 1;
  return success;
}

status_type find_capture(stream_type, stream_identity*)
{
  return success; // there is none
}

status_type find_stream(stream_type stream, stream_identity* identity)
{
  identity->stream = reinterpret_cast<std::uintptr_t>(stream);
  return success;
}

status_type allocate_device(void** memory, std::size_t bytes)
{
  emulator::record(&emulator::host_calls::allocations);
  *memory = std::aligned_alloc(256, (bytes + 255) / 256 * 256);
  return *memory == nullptr ? status_type::out_of_memory : success;
}

void free_device(void* memory)
{
  emulator::record(&emulator::host_calls::frees);
  std::free(memory);
}

status_type zero(void* memory, std::size_t bytes, stream_type)
{
  emulator::record(&emulator::host_calls::fills);
  std::memset(memory, 0, bytes);
  return success;
}

status_type zero_now(void* memory, std::size_t bytes)
{
  emulator::record(&emulator::host_calls::fills);
  std::memset(memory, 0, bytes);
  return success;
}

status_type allocate_result(void** memory, std::size_t bytes)
{
  return allocate_device(memory, bytes);
}

bool may_spin()
{
  return true;
}

status_type retain_in_graph(void*, void (*)(void*), void*)
{
  return success; // there is no capture
}

void begin_range(const char*) {}
void end_range() {}

capture_guard::capture_guard() = default;
capture_guard::~capture_guard() = default;

} // namespace machine
} // namespace library
} // namespace REHEAT_MACHINE
} // namespace reheat

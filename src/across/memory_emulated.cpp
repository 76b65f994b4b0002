// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
#include "memory.h"

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

status_type allocate_for_ranks(void** block, std::size_t bytes, memory_user)
{
  if (emulator::host_call_fails("allocate_for_ranks"))
  {
    return status_type::out_of_memory;
  }
  emulator::record(&emulator::host_calls::allocations);
  *block = std::aligned_alloc(256, (bytes + 255) / 256 * 256);
  return *block == nullptr ? status_type::out_of_memory : success;
}

status_type zero_for_ranks(void* block, std::size_t bytes, memory_user)
{
  std::memset(block, 0, bytes);
  return success;
}

void free_for_ranks(void* block, memory_user)
{
  emulator::record(&emulator::host_calls::frees);
  std::free(block);
}

// Work has ended when it has been enqueued.

status_type wait_in_stream(stream_type, point_type)
{
  return emulator::host_call_fails("wait_in_stream") ? status_type::invalid_value : success;
}

status_type wait_on_host(point_type)
{
  return emulator::host_call_fails("wait_on_host") ? status_type::invalid_value : success;
}

} // namespace machine
} // namespace library
} // namespace REHEAT_MACHINE
} // namespace reheat

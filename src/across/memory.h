// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! What ranks need of the machine besides src/runtime/machine.h.
#pragma once

#include <reheat/detail/runtime/workspace.h>

#include <cstddef>

namespace reheat
{
inline namespace REHEAT_MACHINE
{
namespace library
{
namespace machine
{

//! Who uses memory besides kernels.
enum class memory_user
{
  engine, //!< one that gathers in the order of a stream: memory of the current device
  host    //!< memory of the host that kernels of every device can use
};

//! Aligned to 256 bytes. In no stream's order.
status_type allocate_for_ranks(void** block, std::size_t bytes, memory_user user);
//! Of such memory, which nothing uses yet. Waits for the zeros.
status_type zero_for_ranks(void* block, std::size_t bytes, memory_user user);
//! Waits for the work of the device.
void free_for_ranks(void* block, memory_user user);

//! What `stream` is given from now on runs when `point` has passed. Not for captures.
status_type wait_in_stream(stream_type stream, point_type point);
//! Returns when `point` has passed.
status_type wait_on_host(point_type point);

} // namespace machine
} // namespace library
} // namespace REHEAT_MACHINE
} // namespace reheat

// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
#include "machine.h"

#include <map>
#include <mutex>
#include <utility>
#include <vector>

namespace reheat
{
inline namespace REHEAT_MACHINE
{
namespace runtime
{
namespace
{

constexpr std::size_t smallest_slot = 256;
constexpr std::size_t slab_bytes = 16 * 1024; // pinned memory comes in pages, so small slots share one

//! Free slots by context and size. They are kept for good: pinned memory is slow to get, and few calls overlap.
struct slot_pool
{
  std::mutex mutex;
  std::map<std::pair<std::uint64_t, std::size_t>, std::vector<void*>> free_slots;

  static slot_pool& instance()
  {
    static slot_pool& the = *new slot_pool; // never destroyed: calls of other static objects' destructors may still come
    return the;
  }
};

std::size_t slot_size(std::size_t bytes)
{
  std::size_t size = smallest_slot;
  while (size < bytes)
  {
    size *= 2;
  }
  return size;
}

} // namespace

status_type result_slot::acquire(std::size_t bytes)
{
  std::uint64_t context = 0;
  status_type status = machine::current_context(&context);
  if (status != success)
  {
    return status;
  }
  bytes_ = slot_size(bytes);
  context_ = context;
  slot_pool& all = slot_pool::instance();
  const std::lock_guard<std::mutex> lock(all.mutex);
  std::vector<void*>& free_slots = all.free_slots[{context, bytes_}];
  if (free_slots.empty())
  {
    const machine::capture_guard guard;
    const std::size_t slab = bytes_ < slab_bytes ? slab_bytes : bytes_;
    void* memory = nullptr;
    status = machine::allocate_result(&memory, slab);
    if (status != success)
    {
      return status;
    }
    for (std::size_t at = 0; at + bytes_ <= slab; at += bytes_)
    {
      free_slots.push_back(static_cast<unsigned char*>(memory) + at);
    }
  }
  memory_ = free_slots.back();
  free_slots.pop_back();
  return status;
}

void result_slot::release()
{
  slot_pool& all = slot_pool::instance();
  const std::lock_guard<std::mutex> lock(all.mutex);
  all.free_slots[{context_, bytes_}].push_back(memory_);
  memory_ = nullptr;
}

result_slot::~result_slot() = default;

} // namespace runtime
} // namespace REHEAT_MACHINE
} // namespace reheat

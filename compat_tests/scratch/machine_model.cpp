// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The machine of src/runtime in this program: the model.
#include "model.hpp"

#include <runtime/machine.h>

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

model::world& world()
{
  return model::world::current();
}

std::uintptr_t address_of(void* memory)
{
  return reinterpret_cast<std::uintptr_t>(memory);
}

//! What a call of CUDA returns that does nothing else if it fails.
status_type outcome()
{
  return world().next_call_fails() ? status_type::out_of_memory : success;
}

} // namespace

status_type current_context(std::uint64_t* context)
{
  if (!model::world::exists()) // between two scenarios
  {
    return status_type::out_of_memory;
  }
  *context = world().context;
  return success;
}

status_type find_capture(stream_type stream, stream_identity* identity)
{
  const model::stream& s = world().living(stream);
  const status_type status = outcome();
  if (status == success && s.captured != nullptr)
  {
    identity->capture = s.captured->capture;
    identity->graph = s.captured.get();
  }
  return status;
}

const void* last_captured_node(stream_type stream, std::uint64_t* capture)
{
  const void* const node = world().last_captured_node(world().living(stream), capture);
  return outcome() == success ? node : nullptr;
}

status_type find_stream(stream_type stream, stream_identity* identity)
{
  identity->stream = world().living(stream).id;
  return outcome();
}

struct device_memory
{};

status_type open_memory(device_memory** opened)
{
  static device_memory the;
  *opened = &the;
  return success;
}

bool frees_in_order(const device_memory&)
{
  return world().pools;
}

std::size_t kept_unused_bytes(const device_memory&)
{
  return always_pooled_bytes;
}

status_type allocate_in_order(device_memory&, void** block, std::size_t bytes, stream_type stream)
{
  const status_type status = outcome();
  if (status == success)
  {
    *block = reinterpret_cast<void*>(world().allocate(bytes, world().pools ? world().living(stream) : world().apart()));
  }
  return status;
}

status_type allocate_first(device_memory& memory, void** block, std::size_t bytes, stream_type stream)
{
  return allocate_in_order(memory, block, bytes, stream);
}

void free_in_order(device_memory&, void* block, stream_type stream)
{
  world().free_behind(address_of(block), world().living(stream));
}

status_type zero_in_order(void* block, std::size_t bytes, stream_type stream)
{
  const status_type status = outcome();
  if (status == success)
  {
    world().zero_behind(address_of(block), bytes, *world().living(stream).work);
  }
  return status;
}

status_type allocate_apart(device_memory&, void** block, std::size_t bytes, std::size_t zero_bytes, point_type* ready)
{
  const status_type status = outcome();
  if (status != success)
  {
    return status;
  }
  const std::uintptr_t address = world().allocate(bytes, world().apart());
  *block = reinterpret_cast<void*>(address);
  if (zero_bytes != 0)
  {
    world().zero_behind(address, zero_bytes, *world().apart().work);
  }
  model::point* const point = world().make_point();
  world().mark_behind(*point, *world().apart().work);
  *ready = point;
  return success;
}

void free_unused(device_memory&, void* block)
{
  world().free_unused(address_of(block));
}

void release_memory(device_memory&) {}

status_type wait_for_device()
{
  const status_type status = outcome();
  if (status == success)
  {
    world().wait_for_device();
  }
  return status;
}

status_type make_point(point_type* made)
{
  const status_type status = outcome();
  if (status == success)
  {
    *made = world().make_point();
  }
  return status;
}

void destroy_point(point_type) {} // the world keeps all of its points

status_type mark_point(point_type point, stream_type stream)
{
  const status_type status = outcome();
  if (status == success)
  {
    world().mark_behind(*static_cast<model::point*>(point), *world().living(stream).work);
  }
  return status;
}

bool has_passed(point_type point)
{
  world().go_on(2); // time passes
  return static_cast<model::point*>(point)->has_passed();
}

status_type capture_wait(stream_type stream, point_type point)
{
  const status_type status = outcome();
  if (status == success)
  {
    world().capture_wait(world().living(stream), *static_cast<model::point*>(point));
  }
  return status;
}

status_type allocate_result(void**, std::size_t)
{
  return status_type::out_of_memory; // no call here has a result
}

status_type may_spin(bool* may)
{
  *may = true;
  return success;
}

status_type retain_in_graph(void* graph, void (*forget)(void*), void* object)
{
  const status_type status = outcome();
  if (status == success)
  {
    static_cast<model::graph*>(graph)->forgets.push_back([forget, object] { forget(object); });
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
capture_guard::~capture_guard() = default;

} // namespace machine
} // namespace library
} // namespace REHEAT_MACHINE
} // namespace reheat

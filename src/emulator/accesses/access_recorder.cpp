// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
#include "access_recorder.h"

#include "machine.h"
#include "source_line.h"

#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

namespace reheat::REHEAT_MACHINE::emulator::accesses
{
namespace
{

class recording_guard
{
public:
  recording_guard() { recording = true; }
  recording_guard(const recording_guard&) = delete;
  recording_guard& operator=(const recording_guard&) = delete;
  ~recording_guard() { recording = false; }
};

// The lines of a place as one: "a:1\n  inlined at b:2\n  inlined at c" and 3. In static memory, for the caller's stack is
// abandoned.
call_site site_of(const void* place)
{
  static char file[4096];
  const recording_guard guard;
  std::string text;
  for (const std::string& line : lines_of(place))
  {
    text += (text.empty() ? "" : "\n  inlined at ") + line;
  }
  const std::size_t colon = text.rfind(':');
  (void)std::snprintf(file, sizeof(file), "%s", text.substr(0, colon).c_str());
  return {file, std::atoi(text.c_str() + colon + 1)};
}

} // namespace

__thread bool recording = false;

// ---- accesses ------------------------------------------------------------------------------------------------------------

const char* access_recorder::complaint(const range& touched, const char* format, ...)
{
  const int length = std::snprintf(complaint_, sizeof(complaint_), "%.200s: ", touched.name.c_str());
  va_list arguments;
  va_start(arguments, format);
  (void)std::vsnprintf(complaint_ + length, sizeof(complaint_) - static_cast<std::size_t>(length), format, arguments);
  va_end(arguments);
  return complaint_;
}

const char* access_recorder::count_read(const void* address, std::size_t bytes, const void* place)
{
  const recording_guard guard;
  const calls::identity& who = *calls::current;
  const char* wrong = nullptr;
  memory_.visit(address, bytes,
                [&](range& touched, std::size_t from, std::size_t to, bool leaves)
                {
                  const std::size_t stale = touched.never_written(from, to);
                  if (touched.block != no_block && touched.block != who.block)
                  {
                    wrong = complaint(touched, "a read by another block than its own, %u", touched.block);
                    return;
                  }
                  if (touched.block == no_block && !machine::active()->self().waited)
                  {
                    wrong = complaint(touched, "a read before grid_dependency_wait, in a launch that starts early");
                    return;
                  }
                  if (leaves)
                  {
                    wrong = complaint(touched, "a read of %zu bytes at byte %zu leaves it", bytes, from);
                  }
                  else if (stale != to)
                  {
                    wrong = complaint(touched, "a read of %zu bytes at byte %zu: byte %zu was never written", bytes, from,
                                      stale);
                  }
                  touched.count_read(from, to);
                  if (touched.block != no_block && place != nullptr)
                  {
                    traffic_.access(who, place, false, address, to - from);
                  }
                });
  return wrong;
}

const char* access_recorder::count_write(const void* address, std::size_t bytes, const void* place)
{
  const recording_guard guard;
  const calls::identity& who = *calls::current;
  const char* wrong = nullptr;
  memory_.visit(address, bytes,
                [&](range& touched, std::size_t from, std::size_t to, bool)
                {
                  if (touched.block != no_block && touched.block != who.block)
                  {
                    wrong = complaint(touched, "a write by another block than its own, %u", touched.block);
                    return;
                  }
                  if (touched.block == no_block && !machine::active()->self().waited)
                  {
                    wrong = complaint(touched, "a write before grid_dependency_wait, in a launch that starts early");
                    return;
                  }
                  touched.count_write(from, to);
                  if (touched.block != no_block && place != nullptr)
                  {
                    traffic_.access(who, place, true, address, to - from);
                  }
                });
  return wrong;
}

void access_recorder::watched_read(const void* address, std::size_t bytes, const void* place)
{
  const char* const wrong = count_read(address, bytes, place);
  if (wrong != nullptr)
  {
    machine::active()->fail(site_of(place), "%s", wrong);
  }
}

void access_recorder::watched_write(const void* address, std::size_t bytes, const void* place)
{
  const char* const wrong = count_write(address, bytes, place);
  if (wrong != nullptr)
  {
    machine::active()->fail(site_of(place), "%s", wrong);
  }
}

// ---- what the emulator says ----------------------------------------------------------------------------------------------

void access_recorder::launch_begins(const launch_shape&)
{
  const recording_guard guard;
  traffic_.begin_launch();
}

void access_recorder::launch_ended()
{
  const recording_guard guard;
  traffic_.end_launch();
  memory_.remove_all_arrays();
}

void access_recorder::block_ended(unsigned block)
{
  const recording_guard guard;
  traffic_.end_block(block);
  memory_.remove_arrays(block);
}

void access_recorder::shared_array_made(unsigned block, unsigned index, const unsigned char* data, std::size_t bytes,
                                        calls::value_layout values)
{
  const recording_guard guard;
  if (bytes != 0)
  {
    range* const made = memory_.add(data, bytes, content::never_written, "shared array " + std::to_string(index), block);
    if (values.is_padding != nullptr)
    {
      for (std::size_t i = 0; i < bytes; ++i)
      {
        made->written[i] = values.is_padding[i % values.bytes];
      }
    }
  }
}

void access_recorder::bulk_load_starts(const void* shared, const void* global, std::size_t bytes, call_site at)
{
  const char* const wrong = count_read(global, bytes, nullptr);
  {
    const recording_guard guard;
    memory_.visit(shared, bytes, [](range& touched, std::size_t from, std::size_t to, bool) { touched.forget(from, to); });
  }
  if (wrong != nullptr)
  {
    machine::active()->fail(at, "bulk_load from %s", wrong);
  }
}

void access_recorder::bulk_load_landed(const void* shared, std::size_t bytes)
{
  const recording_guard guard;
  memory_.visit(shared, bytes,
                [](range& touched, std::size_t from, std::size_t to, bool) { touched.count_write(from, to); });
}

void access_recorder::bulk_store_starts(const void* global, const void* shared, std::size_t bytes, call_site at)
{
  const char* const wrong = count_read(shared, bytes, nullptr);
  if (wrong != nullptr)
  {
    machine::active()->fail(at, "bulk_store from %s", wrong);
  }
  (void)count_write(global, bytes, nullptr); // global memory is no other block's
}

} // namespace reheat::REHEAT_MACHINE::emulator::accesses

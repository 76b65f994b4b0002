// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Shared arrays: each an allocation of its own between two red zones. AddressSanitizer forbids the zones; other builds find
//! their pattern changed when the block ends. Contents start as a pattern that is neither zero nor a small number.
#include "machine.h"
#include "observer.h"
#include "sanitizer.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <utility>

namespace reheat::REHEAT_MACHINE::emulator
{
namespace
{

constexpr std::size_t max_alignment = 128; // of the GPU's dynamic shared memory
constexpr std::size_t zone_bytes = 256;
constexpr unsigned char zone_byte = 0xc3;
constexpr unsigned char content_byte = 0xa5;

// Where the first changed byte of a zone stands, counted from `first`; `bytes` if none is.
std::size_t first_changed(const unsigned char* first, std::size_t bytes)
{
  return static_cast<std::size_t>(std::find_if(first, first + bytes, [](unsigned char byte) { return byte != zone_byte; }) -
                                  first);
}

void fill(shared_array& array)
{
  const std::size_t wanted = array.bytes + 2 * zone_bytes + max_alignment;
  sanitizer::unpoison(array.storage.data(), array.storage.size());
  if (race::on()) // new memory, or the block before in this place would seem to share it
  {
    std::vector<unsigned char>().swap(array.storage);
  }
  if (array.storage.size() < wanted)
  {
    array.storage.resize(wanted);
  }
  const std::size_t misaligned = reinterpret_cast<std::uintptr_t>(array.storage.data()) % max_alignment;
  array.data = array.storage.data() + zone_bytes + (max_alignment - misaligned) % max_alignment;
  std::memset(array.data - zone_bytes, zone_byte, zone_bytes);
  std::memset(array.data, content_byte, array.bytes);
  std::memset(array.data + array.bytes, zone_byte, zone_bytes);
  sanitizer::poison(array.data - zone_bytes, zone_bytes);
  sanitizer::poison(array.data + array.bytes, zone_bytes);
}

} // namespace

void* machine::shared_array_at(unsigned index, std::size_t bytes, std::size_t alignment, calls::value_layout values,
                               call_site at)
{
  block& home = *self_->home;
  self_->at = at;
  if (index < home.arrays_used)
  {
    const shared_array& array = home.arrays[index];
    if (array.bytes != bytes || array.alignment != alignment)
    {
      fail(at,
           "shared array %u is %zu bytes aligned to %zu here, but %zu aligned to %zu for the block's first thread at %s:%d",
           index, bytes, alignment, array.bytes, array.alignment, array.at.file, array.at.line);
    }
    return array.data;
  }
  if (alignment == 0 || (alignment & (alignment - 1)) != 0 || alignment > max_alignment)
  {
    fail(at, "shared array %u: alignment %zu is not a power of two up to %zu", index, alignment, max_alignment);
  }
  const std::size_t offset = (home.shared_used + alignment - 1) / alignment * alignment;
  if (offset + bytes > shape_.shared_bytes)
  {
    fail(at, "shared array %u of %zu bytes at offset %zu: the launch has only %zu bytes of shared memory per block", index,
         bytes, offset, shape_.shared_bytes);
  }
  home.shared_used = offset + bytes;
  if (home.arrays.size() == index)
  {
    home.arrays.emplace_back();
  }
  ++home.arrays_used;
  shared_array& array = home.arrays[index];
  array.bytes = bytes;
  array.alignment = alignment;
  array.at = at;
  fill(array);
  if (registered_observer != nullptr)
  {
    registered_observer->shared_array_made(home.index, index, array.data, bytes, values);
  }
  return array.data;
}

bool machine::in_shared(const block& home, const void* first, std::size_t bytes) const
{
  const unsigned char* const address = static_cast<const unsigned char*>(first);
  for (unsigned i = 0; i < home.arrays_used; ++i)
  {
    const shared_array& array = home.arrays[i];
    if (address >= array.data && address + bytes <= array.data + array.bytes)
    {
      return true;
    }
  }
  return false;
}

// The hardware promises no order. In half of all launches the lanes take turns by their number, in the others as drawn.
void machine::add_in_turns(warp& team)
{
  unsigned turns[warp_lanes];
  for (unsigned i = 0; i < warp_lanes; ++i)
  {
    turns[i] = i;
  }
  if (random_bits(seed_ + number_).below(2) == 0)
  {
    for (unsigned i = warp_lanes - 1; i > 0; --i)
    {
      std::swap(turns[i], turns[random_.below(i + 1)]);
    }
  }
  for (const unsigned turn : turns)
  {
    const cuda_thread& who = *team.lanes[turn];
    if (who.value != nullptr)
    {
      auto* const counter = static_cast<std::uint32_t*>(const_cast<void*>(who.value));
      *static_cast<std::uint32_t*>(who.result) = __atomic_fetch_add(counter, 1u, __ATOMIC_RELAXED);
    }
  }
}

void machine::check_arrays(block& done)
{
  if (sanitizer::address)
  {
    return;
  }
  for (unsigned i = 0; i < done.arrays_used; ++i)
  {
    const shared_array& array = done.arrays[i];
    const std::size_t before = first_changed(array.data - zone_bytes, zone_bytes);
    const std::size_t behind = first_changed(array.data + array.bytes, zone_bytes);
    if (before == zone_bytes && behind == zone_bytes)
    {
      continue;
    }
    const std::string where = behind != zone_bytes ? std::to_string(behind) + " bytes behind"
                                                   : std::to_string(zone_bytes - before) + " bytes before";
    const std::string what = "the block wrote " + where + " its shared array " + std::to_string(i) + " of " +
                             std::to_string(array.bytes) + " bytes (AddressSanitizer names the writing thread)";
    set_failure(done.thread[0], array.at, what.c_str());
    return;
  }
}

void machine::close_arrays(block& done)
{
  for (unsigned i = 0; i < done.arrays_used; ++i)
  {
    sanitizer::poison(done.arrays[i].data, done.arrays[i].bytes);
  }
  done.arrays_used = 0;
}

// ---- calls of the kernel -------------------------------------------------------------------------------------------------

void* calls::shared_array(unsigned index, std::size_t bytes, std::size_t alignment, value_layout values, call_site at)
{
  return kernel_call("shared_memory::array")->shared_array_at(index, bytes, alignment, values, at);
}

} // namespace reheat::REHEAT_MACHINE::emulator

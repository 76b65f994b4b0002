// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
#include "watched_memory.h"

#include <reheat/emulator.h>

#include <algorithm>
#include <utility>

namespace reheat::REHEAT_MACHINE::emulator::accesses
{
namespace
{

void count_up(std::vector<unsigned char>& counts, std::size_t from, std::size_t to)
{
  for (std::size_t i = from; i < to; ++i)
  {
    counts[i] = static_cast<unsigned char>(counts[i] + (counts[i] != 255));
  }
}

} // namespace

range::range(std::size_t bytes, content initially, std::string called, unsigned of_block)
    : name(std::move(called)), block(of_block), reads(bytes), writes(bytes),
      written(bytes, initially == content::written ? 1 : 0)
{}

void range::count_read(std::size_t from, std::size_t to)
{
  count_up(reads, from, to);
}

void range::count_write(std::size_t from, std::size_t to)
{
  count_up(writes, from, to);
  std::fill(written.begin() + static_cast<std::ptrdiff_t>(from), written.begin() + static_cast<std::ptrdiff_t>(to), 1);
}

std::size_t range::never_written(std::size_t from, std::size_t to) const
{
  const auto last = written.begin() + static_cast<std::ptrdiff_t>(to);
  return static_cast<std::size_t>(std::find(written.begin() + static_cast<std::ptrdiff_t>(from), last, 0) - written.begin());
}

void range::forget(std::size_t from, std::size_t to)
{
  std::fill(written.begin() + static_cast<std::ptrdiff_t>(from), written.begin() + static_cast<std::ptrdiff_t>(to), 0);
}

std::size_t watched_memory::first_ending_after(std::uintptr_t address) const
{
  const auto found = std::upper_bound(places_.begin(), places_.end(), address,
                                      [](std::uintptr_t wanted, const place& each) { return wanted < each.end; });
  return static_cast<std::size_t>(found - places_.begin());
}

range* watched_memory::add(const void* memory, std::size_t bytes, content initially, std::string called, unsigned of_block)
{
  const std::uintptr_t first = reinterpret_cast<std::uintptr_t>(memory);
  const std::size_t next = first_ending_after(first);
  if (next < places_.size() && places_[next].first < first + bytes)
  {
    throw error("reheat emulator: memory to be watched as '" + called + "' is watched already, as '" +
                places_[next].bytes->name + "'");
  }
  auto made = std::make_unique<range>(bytes, initially, std::move(called), of_block);
  range* const added = made.get();
  places_.insert(places_.begin() + static_cast<std::ptrdiff_t>(next), place{first, first + bytes, std::move(made)});
  find_bounds();
  return added;
}

template <class Gone>
void watched_memory::remove_if(Gone gone)
{
  places_.erase(std::remove_if(places_.begin(), places_.end(), [&](const place& each) { return gone(*each.bytes); }),
                places_.end());
  find_bounds();
}

void watched_memory::remove(const range* gone)
{
  remove_if([&](const range& each) { return &each == gone; });
}

void watched_memory::remove_arrays(unsigned of_block)
{
  remove_if([&](const range& each) { return each.block == of_block; });
}

void watched_memory::remove_all_arrays()
{
  remove_if([&](const range& each) { return each.block != no_block; });
}

void watched_memory::find_bounds()
{
  lowest_ = places_.empty() ? 0 : places_.front().first;
  highest_ = places_.empty() ? 0 : places_.back().end;
}

} // namespace reheat::REHEAT_MACHINE::emulator::accesses

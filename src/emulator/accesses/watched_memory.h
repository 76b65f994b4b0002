// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Ranges of memory with three numbers per byte, and how to find those that an access touches.
#pragma once

#include "accesses.h"

#include <reheat/detail/config.cuh>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace reheat::REHEAT_MACHINE::emulator::accesses
{

inline constexpr unsigned no_block = ~0u;

struct range
{
  range(std::size_t bytes, content initially, std::string called, unsigned of_block);

  void count_read(std::size_t from, std::size_t to);
  void count_write(std::size_t from, std::size_t to);
  //! The first byte of [from, to) that was never written; `to` if there is none.
  std::size_t never_written(std::size_t from, std::size_t to) const;
  void forget(std::size_t from, std::size_t to);

  std::string name;
  unsigned block; //!< whose shared array it is, or no_block
  std::vector<unsigned char> reads;
  std::vector<unsigned char> writes;
  std::vector<unsigned char> written; //!< 1 or 0
};

//! Disjoint ranges.
class watched_memory
{
public:
  range* add(const void* memory, std::size_t bytes, content initially, std::string called, unsigned of_block);
  void remove(const range* gone);
  void remove_arrays(unsigned of_block);
  void remove_all_arrays();

  //! False for most of what is not watched.
  bool may_touch(const void* address, std::size_t bytes) const
  {
    const std::uintptr_t from = reinterpret_cast<std::uintptr_t>(address);
    return from + bytes > lowest_ && from < highest_;
  }

  //! Calls `visit(range, from, to, leaves)` for every range that [address, address + bytes) touches, with the bytes that it
  //! touches, and whether it starts within the range and ends behind it.
  template <class Visit>
  void visit(const void* address, std::size_t bytes, Visit&& visit)
  {
    const std::uintptr_t from = reinterpret_cast<std::uintptr_t>(address);
    const std::uintptr_t to = from + bytes;
    for (std::size_t i = first_ending_after(from); i < places_.size() && places_[i].first < to; ++i)
    {
      const place& touched = places_[i];
      visit(*touched.bytes, (from > touched.first ? from : touched.first) - touched.first,
            (to < touched.end ? to : touched.end) - touched.first, from >= touched.first && to > touched.end);
    }
  }

private:
  //! Apart from its bytes: every access looks for its place.
  struct place
  {
    std::uintptr_t first;
    std::uintptr_t end;
    std::unique_ptr<range> bytes;
  };

  std::size_t first_ending_after(std::uintptr_t address) const;
  template <class Gone>
  void remove_if(Gone gone);
  void find_bounds();

  std::vector<place> places_; //!< ascending
  std::uintptr_t lowest_ = 0;
  std::uintptr_t highest_ = 0;
};

} // namespace reheat::REHEAT_MACHINE::emulator::accesses

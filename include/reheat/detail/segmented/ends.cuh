// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Where segments begin and end. Items count from the first item of the first segment.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/thread/items.cuh>

#include <cstdint>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

//! Segments without gaps: each begins where the one before it ends. `Begins` and `Ends` are iterators of offsets.
template <class BeginIt, class EndIt>
struct adjacent_ends
{
  BeginIt begins;
  EndIt ends;

  //! The offset of the first segment, from which positions count.
  REHEAT_DEVICE std::uint64_t base() { return static_cast<std::uint64_t>(read_item(begins, 0)); }
  //! The position behind segment `segment`, given base().
  REHEAT_DEVICE std::uint64_t end(std::uint64_t segment, std::uint64_t base)
  {
    return static_cast<std::uint64_t>(read_item(ends, segment)) - base;
  }
};

//! Segments of the same size.
struct equal_ends
{
  std::uint64_t size;

  REHEAT_DEVICE std::uint64_t base() { return 0; }
  REHEAT_DEVICE std::uint64_t end(std::uint64_t segment, std::uint64_t) { return (segment + 1) * size; }
};

} // namespace detail
REHEAT_NAMESPACE_END

// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Where segments begin and end. Items count from the first item of the first segment.
#pragma once

#include <reheat/detail/block/tile.cuh>
#include <reheat/detail/config.cuh>
#include <reheat/detail/thread/items.cuh>

#include <cstdint>
#include <type_traits>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

//! Segments without gaps: each begins where the one before it ends. `begins` and `ends` are iterators of offsets.
//! `Descends`: an end may lie before the one before it, and the reduction has to find out.
template <class BeginIt, class EndIt, bool Descends = false>
struct adjacent_ends
{
  using offset_type = value_of<EndIt>;
  static constexpr bool may_descend = Descends;
  BeginIt begins;
  EndIt ends;

  //! The offset of the first segment, from which positions count.
  REHEAT_DEVICE std::uint64_t base() { return static_cast<std::uint64_t>(read_item(begins, 0)); }
  REHEAT_DEVICE offset_type begin_of(std::uint64_t segment) { return read_item(begins, segment); }
  REHEAT_DEVICE offset_type offset(std::uint64_t segment) { return read_item(ends, segment); }
  //! Brings the offsets of segments [first, behind) to the L2 cache. One thread calls.
  REHEAT_DEVICE void prefetch(std::uint64_t first, std::uint64_t behind) { prefetch_items(ends, first, behind); }
  //! The position of an end, given base().
  REHEAT_DEVICE static std::uint64_t position(const offset_type& offset, std::uint64_t base)
  {
    return static_cast<std::uint64_t>(offset) - base;
  }
};

//! Whether segments with these offsets are neighbours if `ends` is one offset behind `begins`.
template <class BeginIt, class EndIt>
inline constexpr bool may_be_adjacent_v = std::is_pointer_v<BeginIt>&& std::is_same_v<BeginIt, EndIt>;

//! Where each segment begins and ends; it is empty if it does not begin before its end. `begins` and `ends` are iterators of
//! offsets.
template <class BeginIt, class EndIt>
struct each_ends
{
  using offset_type = std::common_type_t<value_of<BeginIt>, value_of<EndIt>>;
  static constexpr bool may_descend = false;
  static_assert(std::is_integral_v<offset_type>, "reheat: the offsets of segments are integers");
  BeginIt begins;
  EndIt ends;

  REHEAT_DEVICE offset_type begin_of(std::uint64_t segment) { return static_cast<offset_type>(read_item(begins, segment)); }

  //! Positions of offsets below zero are below those of others, too.
  REHEAT_DEVICE static constexpr std::uint64_t base() { return std::uint64_t{1} << 63; }
  REHEAT_DEVICE offset_type offset(std::uint64_t segment) { return static_cast<offset_type>(read_item(ends, segment)); }
  REHEAT_DEVICE static std::uint64_t position(offset_type offset, std::uint64_t base)
  {
    return static_cast<std::uint64_t>(offset) - base;
  }
};
template <class Ends>
inline constexpr bool is_each_v = false;
template <class BeginIt, class EndIt>
inline constexpr bool is_each_v<each_ends<BeginIt, EndIt>> = true;

//! The same segments, without the promise that they are neighbours.
template <class BeginIt, class EndIt, bool Descends>
REHEAT_HOST_DEVICE each_ends<BeginIt, EndIt> each_of(const adjacent_ends<BeginIt, EndIt, Descends>& ends)
{
  return {ends.begins, ends.ends};
}

//! Segments of the same size.
struct equal_ends
{
  using offset_type = std::uint64_t;
  static constexpr bool may_descend = false;
  std::uint64_t size;

  REHEAT_DEVICE std::uint64_t base() { return 0; }
  REHEAT_DEVICE offset_type begin_of(std::uint64_t segment) { return segment * size; }
  REHEAT_DEVICE offset_type offset(std::uint64_t segment) { return (segment + 1) * size; }
  REHEAT_DEVICE void prefetch(std::uint64_t, std::uint64_t) {}
  REHEAT_DEVICE static std::uint64_t position(offset_type offset, std::uint64_t) { return offset; }
};

//! How many items there are from the input's item `origin` to an end, which is not before it. Offsets of 32 bits count
//! modulo 2^32.
template <class Offset>
REHEAT_DEVICE auto items_up_to(const Offset& offset, std::uint64_t origin)
{
  using word = std::conditional_t<sizeof(Offset) == 4, std::uint32_t, std::uint64_t>;
  return static_cast<word>(static_cast<word>(offset) - static_cast<word>(origin));
}

//! The position behind segment `segment`.
template <class Ends>
REHEAT_DEVICE std::uint64_t end_of(Ends& ends, std::uint64_t segment, std::uint64_t base)
{
  return Ends::position(ends.offset(segment), base);
}

} // namespace detail
REHEAT_NAMESPACE_END

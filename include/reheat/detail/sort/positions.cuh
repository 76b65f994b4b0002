// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! For values that do not move with their keys: the keys are sorted with the positions of their values, and the values are
//! then gathered by position.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/simt/simt.cuh>
#include <reheat/detail/thread/items.cuh>
#include <reheat/detail/thread/value.cuh>

#include <cstddef>
#include <cstdint>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

inline constexpr unsigned positions_block_threads = 256;
//! Items of a thread whose loads are under way together.
inline constexpr unsigned positions_thread_items = 4;
inline constexpr unsigned positions_block_items = positions_block_threads * positions_thread_items;

//! `positions` gives each of `items` values the number of its place. The grid has a block for every positions_block_items.
template <class Position>
REHEAT_KERNEL(positions_block_threads)
number_positions_kernel(Position* positions, std::uint64_t items)
{
  const std::uint64_t first = std::uint64_t{simt::block_index()} * positions_block_items + simt::thread_index();
  REHEAT_UNROLL
  for (unsigned i = 0; i < positions_thread_items; ++i)
  {
    const std::uint64_t at = first + i * positions_block_threads;
    if (at < items)
    {
      positions[at] = static_cast<Position>(at);
    }
  }
}

//! Value i of the output is the one at positions[i] of the input. `Constructs`: the output is memory without objects.
//! The grid is as above.
template <bool Constructs, class Position, class InputIt, class OutputIt>
REHEAT_KERNEL(positions_block_threads)
gather_kernel(const Position* positions, InputIt in, OutputIt out, std::uint64_t items)
{
  const std::uint64_t first = std::uint64_t{simt::block_index()} * positions_block_items + simt::thread_index();
  std::uint64_t from[positions_thread_items];
  REHEAT_UNROLL
  for (unsigned i = 0; i < positions_thread_items; ++i)
  {
    const std::uint64_t at = first + i * positions_block_threads;
    from[i] = at < items ? positions[at] : 0;
  }
  REHEAT_UNROLL
  for (unsigned i = 0; i < positions_thread_items; ++i)
  {
    const std::uint64_t at = first + i * positions_block_threads;
    if (at < items)
    {
      if constexpr (Constructs)
      {
        construct_at(out + static_cast<std::ptrdiff_t>(at), read_item(in, from[i]));
      }
      else
      {
        out[static_cast<index_of<OutputIt>>(at)] = read_item(in, from[i]);
      }
    }
  }
}

//! Assigns the gathered values to their places in the range, and ends those in scratch memory. The grid is as above.
template <class T, class It>
REHEAT_KERNEL(positions_block_threads)
return_gathered_kernel(T* gathered, It range, std::uint64_t items)
{
  const std::uint64_t first = std::uint64_t{simt::block_index()} * positions_block_items + simt::thread_index();
  REHEAT_UNROLL
  for (unsigned i = 0; i < positions_thread_items; ++i)
  {
    const std::uint64_t at = first + i * positions_block_threads;
    if (at < items)
    {
      range[static_cast<index_of<It>>(at)] = gathered[at];
      gathered[at].~T();
    }
  }
}

} // namespace detail
REHEAT_NAMESPACE_END

// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The second launch of a partition in place: the rejected items go from scratch memory to behind the selected ones.
//!
//! How many items are selected is known on the device only, so the grid is made for any number, and its blocks take their
//! share of what there is. The rejected items begin at a multiple of 16 bytes in scratch memory and anywhere in the range: a
//! thread makes each vector of the range from the two vectors of scratch memory that hold its bytes.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/simt/simt.cuh>
#include <reheat/detail/thread/items.cuh>
#include <reheat/detail/thread/value.cuh>

#include <cstddef>
#include <cstdint>
#include <type_traits>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

inline constexpr unsigned return_block_threads = 256;
//! Vectors that a thread loads before it stores the first of them.
inline constexpr unsigned return_thread_vectors = 4;
//! Enough blocks for so many bytes of items, or so many items that move one by one.
inline constexpr unsigned return_block_bytes = return_block_threads * return_thread_vectors * sizeof(vec16);
inline constexpr unsigned return_block_items = return_block_threads;

//! Where items that do not move by their bytes wait in memory that holds none. Assigning to an index constructs an item.
template <class T>
struct constructing_output
{
  struct place
  {
    T* where;
    template <class Value>
    REHEAT_DEVICE void operator=(const Value& value) const
    {
      construct_at(where, value);
    }
  };
  T* items;
  REHEAT_DEVICE place operator[](std::ptrdiff_t index) const { return {items + index}; }
};

//! The 16 bytes that begin `bytes` < 16 bytes behind the beginning of `low`, behind which `high` follows.
REHEAT_DEVICE inline vec16 bytes_from(const vec16& low, const vec16& high, unsigned bytes)
{
  std::uint32_t words[8];
  REHEAT_UNROLL
  for (unsigned w = 0; w < 4; ++w)
  {
    words[w] = low.bits[w];
    words[4 + w] = high.bits[w];
  }
  const bool by_two = (bytes & 8) != 0, by_one = (bytes & 4) != 0;
  REHEAT_UNROLL
  for (unsigned w = 0; w < 6; ++w)
  {
    words[w] = by_two ? words[w + 2] : words[w];
  }
  REHEAT_UNROLL
  for (unsigned w = 0; w < 5; ++w)
  {
    words[w] = by_one ? words[w + 1] : words[w];
  }
  const unsigned bits = bytes % 4 * 8;
  vec16 result;
  REHEAT_UNROLL
  for (unsigned w = 0; w < 4; ++w)
  {
    const std::uint64_t pair = std::uint64_t{words[w + 1]} << 32 | words[w];
    result.bits[w] = static_cast<std::uint32_t>(pair >> bits);
  }
  return result;
}

//! Copies `bytes` bytes from an address that is a multiple of 16. All threads of the grid call.
REHEAT_DEVICE inline void return_bytes(unsigned char* to, const unsigned char* from, std::uint64_t bytes)
{
  // The bytes before the first whole vector of `to`, and those behind the last one, by the first block.
  const unsigned past = static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(to) % 16);
  const unsigned up = past == 0 ? 0 : 16 - past, head = up < bytes ? up : static_cast<unsigned>(bytes);
  const std::uint64_t vectors = (bytes - head) / 16, tail = head + vectors * 16;
  if (simt::block_index() == 0)
  {
    const unsigned t = simt::thread_index() % 16;
    if (simt::thread_index() < 16 && t < head)
    {
      to[t] = from[t];
    }
    if (simt::thread_index() / 16 == 1 && tail + t < bytes && !simt::fault_active(simt::fault::partition_return_too_few))
    {
      to[tail + t] = from[tail + t];
    }
  }
  vec16* const vectors_to = reinterpret_cast<vec16*>(to + head);
  const vec16* const vectors_from =
      reinterpret_cast<const vec16*>(from); // vector v begins `head` bytes behind the start of v
  const unsigned shift = simt::fault_active(simt::fault::partition_return_unshifted) ? 0 : head;
  constexpr unsigned block_vectors = return_block_threads * return_thread_vectors;
  for (std::uint64_t first = std::uint64_t{simt::block_index()} * block_vectors + simt::thread_index(); first < vectors;
       first += std::uint64_t{simt::grid_blocks()} * block_vectors)
  {
    vec16 low[return_thread_vectors], high[return_thread_vectors];
    REHEAT_UNROLL
    for (unsigned i = 0; i < return_thread_vectors; ++i)
    {
      const std::uint64_t v = first + i * return_block_threads;
      low[i] = high[i] = vec16{};
      if (v < vectors)
      {
        low[i] = vectors_from[v];
        if (shift != 0)
        {
          high[i] = vectors_from[v + 1];
        }
      }
    }
    REHEAT_UNROLL
    for (unsigned i = 0; i < return_thread_vectors; ++i)
    {
      const std::uint64_t v = first + i * return_block_threads;
      if (v < vectors)
      {
        vectors_to[v] = bytes_from(low[i], high[i], shift);
      }
    }
  }
}

//! Where a launch stores no count: that of another array does.
struct no_count
{};

//! Copies the rejected ones of `items` items to behind the selected ones, which begin at `first`, and the number of selected
//! items from `selected` to `count_out`. Behind the rejected items up to 16 bytes are read and not used.
template <class It, class T, class CountIt>
REHEAT_KERNEL(return_block_threads)
return_rejected_kernel(It first, T* rejected, std::uint64_t items, const std::uint64_t* selected, CountIt count_out)
{
  simt::grid_dependency_wait(simt::unless(simt::fault::partition_return_too_early));
  simt::trigger_dependent_launch();
  const std::uint64_t count = *selected;
  if constexpr (!std::is_same_v<CountIt, no_count>)
  {
    if (simt::block_index() == 0 && simt::thread_index() == 0)
    {
      *count_out = static_cast<count_of<CountIt>>(count);
    }
  }
  if constexpr (moves_in_vec16_v<It, T>)
  {
    return_bytes(reinterpret_cast<unsigned char*>(first + static_cast<std::ptrdiff_t>(count)),
                 reinterpret_cast<const unsigned char*>(rejected), (items - count) * sizeof(T));
  }
  else
  {
    const std::uint64_t threads = std::uint64_t{simt::grid_blocks()} * return_block_threads;
    for (std::uint64_t i = std::uint64_t{simt::block_index()} * return_block_threads + simt::thread_index();
         i < items - count; i += threads)
    {
      first[static_cast<distance_of<It>>(count + i)] = rejected[i];
      rejected[i].~T();
    }
  }
}

} // namespace detail
REHEAT_NAMESPACE_END

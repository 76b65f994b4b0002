// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The end of a sort of keys that are a digit each, and have no values: where each digit starts says what stands where.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/simt/simt.cuh>
#include <reheat/detail/sort/digits.cuh>
#include <reheat/detail/sort/tuning.cuh>
#include <reheat/detail/thread/items.cuh>

#include <cstdint>
#include <cstring>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

inline constexpr unsigned fill_block_threads = 512;

//! Which digit stands at a place. Digits start at `starts`, the first one at 0.
template <unsigned Digits>
REHEAT_DEVICE unsigned digit_at_place(const std::uint64_t* starts, std::uint64_t place)
{
  unsigned digit = 0;
  REHEAT_UNROLL
  for (unsigned step = Digits / 2; step != 0; step /= 2)
  {
    digit += starts[digit + step] <= place ? step : 0;
  }
  return digit;
}

//! Stores the sorted keys, as bytes. Blocks take turns at vectors of 16, of which the first and the last may be partial.
template <class Tuning, class Word>
REHEAT_KERNEL(fill_block_threads, 2)
sort_fill_kernel(const std::uint64_t* starts, Word* out, std::uint64_t items, key_form<Word, false> form)
{
  constexpr sort_config cfg = Tuning{}(simt::arch);
  static_assert(sizeof(Word) == 1 && cfg.digit_bits == 8, "a key is a digit");
  constexpr unsigned digits = cfg.digits(), vector_keys = 16;
  simt::shared_memory memory;
  std::uint64_t* const own_starts = memory.template array<std::uint64_t>(digits + 1);
  simt::grid_dependency_wait(simt::unless(simt::fault::sort_too_early));
  simt::trigger_dependent_launch();
  for (unsigned digit = simt::thread_index(); digit <= digits; digit += fill_block_threads)
  {
    own_starts[digit] = digit < digits ? starts[digit] : items;
  }
  simt::sync_block(simt::unless(simt::fault::sort_skip_fill_barrier));
  const std::uint64_t skipped = reinterpret_cast<std::uintptr_t>(out) % vector_keys; // of the first vector
  const std::uint64_t vectors = (skipped + items + vector_keys - 1) / vector_keys;
  for (std::uint64_t vector = std::uint64_t{simt::block_index()} * fill_block_threads + simt::thread_index();
       vector < vectors; vector += std::uint64_t{simt::grid_blocks()} * fill_block_threads)
  {
    const std::uint64_t behind = (vector + 1) * vector_keys - skipped;
    const std::uint64_t first = behind < vector_keys ? 0 : behind - vector_keys, end = behind < items ? behind : items;
    unsigned digit = digit_at_place<digits>(own_starts, first);
    Word keys[vector_keys];
    REHEAT_UNROLL
    for (unsigned i = 0; i < vector_keys; ++i)
    {
      while (first + i < end && own_starts[digit + 1] <= first + i)
      {
        ++digit;
      }
      keys[i] = form.stored_of(static_cast<Word>(digit));
    }
    if (end - first == vector_keys)
    {
      vec16 bits;
      memcpy(&bits, keys, sizeof bits);
      *reinterpret_cast<vec16*>(out + first) = bits;
      continue;
    }
    REHEAT_UNROLL
    for (unsigned i = 0; i < vector_keys; ++i)
    {
      if (first + i < end)
      {
        store_word(out + first + i, keys[i]);
      }
    }
  }
}

} // namespace detail
REHEAT_NAMESPACE_END

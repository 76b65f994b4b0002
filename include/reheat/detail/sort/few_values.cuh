// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Writes sorted keys of few values, which few_keys.cuh has counted.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/simt/simt.cuh>
#include <reheat/detail/sort/digits.cuh>
#include <reheat/detail/sort/histogram.cuh>
#include <reheat/detail/sort/key.cuh>
#include <reheat/detail/sort/plan.cuh>
#include <reheat/detail/thread/items.cuh>

#include <cstdint>
#include <cstring>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

//! The shared memory of a block.
struct sort_few_list
{
  std::uint64_t* starts; //!< of each value, and behind the last
  std::uint64_t* values;

  REHEAT_EXEC_CHECK_DISABLE
  template <class Memory>
  REHEAT_HOST_DEVICE explicit sort_few_list(Memory& memory)
      : starts(memory.template array<std::uint64_t>(few_places + 1)),
        values(memory.template array<std::uint64_t>(few_places))
  {}
};

//! Writes the share of block `block` of `blocks`. All threads of the block call. Not inlined: a pass would have fewer
//! registers.
template <class Tuning, class Word, bool IsFloat>
REHEAT_DEVICE REHEAT_OUT_OF_LINE_IN_KERNEL void write_few_values(const sort_few_found* found, Word* out, std::uint64_t items,
                                                                 key_form<Word, IsFloat> form, unsigned block,
                                                                 unsigned blocks)
{
  simt::assume_global(found);
  simt::assume_global(out);
  constexpr sort_config cfg = Tuning{}(simt::arch);
  constexpr unsigned threads = cfg.block_threads, vector_keys = 16 / sizeof(Word);
  // Each writing block makes the list, so there are no more than fill the device.
  const unsigned writing = blocks < cfg.histogram_blocks ? blocks : cfg.histogram_blocks;
  if (block >= writing)
  {
    return;
  }
  simt::shared_memory memory;
  const sort_few_list list(memory);
  if (simt::warp_index() == 0)
  {
    constexpr unsigned own = few_places / simt::warp_lanes;
    const unsigned first = simt::lane_index() * own;
    std::uint64_t total[own], sum = 0;
    REHEAT_UNROLL
    for (unsigned i = 0; i < own; ++i)
    {
      total[i] = found->totals[first + i];
      sum += total[i];
    }
    std::uint64_t start = sort_warp_sums(sum) - sum;
    REHEAT_UNROLL
    for (unsigned i = 0; i < own; ++i)
    {
      list.starts[first + i] = start;
      list.values[first + i] = total[i] != 0 ? found->values[first + i] : 0;
      start += total[i];
    }
    if (simt::lane_index() == 0)
    {
      list.starts[few_places] = items;
    }
  }
  simt::sync_block(simt::unless(simt::fault::sort_skip_few_list_barrier));
  const std::uint64_t skipped = reinterpret_cast<std::uintptr_t>(out) % 16 / sizeof(Word);
  const std::uint64_t vectors = (skipped + items + vector_keys - 1) / vector_keys;
  unsigned value = 0;
  std::uint64_t next = 0; // where the value after it starts
  Word stored = 0;
  for (std::uint64_t vector = std::uint64_t{block} * threads + simt::thread_index(); vector < vectors;
       vector += std::uint64_t{writing} * threads)
  {
    const std::uint64_t behind = (vector + 1) * vector_keys - skipped;
    const std::uint64_t first = behind < vector_keys ? 0 : behind - vector_keys, end = behind < items ? behind : items;
    if (next <= first)
    {
      value = 0;
      REHEAT_UNROLL
      for (unsigned step = few_places / 2; step != 0; step /= 2)
      {
        value += list.starts[value + step] <= first ? step : 0;
      }
      next = list.starts[value + 1];
      stored = form.stored_of(static_cast<Word>(list.values[value]));
    }
    Word keys[vector_keys];
    REHEAT_UNROLL
    for (unsigned i = 0; i < vector_keys; ++i)
    {
      if (next <= first + i && first + i < end) // each value has a key
      {
        ++value;
        next = list.starts[value + 1];
        stored = form.stored_of(static_cast<Word>(list.values[value]));
      }
      keys[i] = stored;
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

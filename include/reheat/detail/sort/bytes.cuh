// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Sorts of keys that are bytes, sorted by all bits and without values: how often each byte occurs says what stands where.
//!
//! Few keys are counted and written by one block. More keys take two launches: blocks count, and store their counts; then
//! blocks add up all counts, and each writes its share. A block that writes lists the bytes that occur, with where each
//! begins. A thread looks up the byte at the first place of its vector, and goes on through the list from there.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/simt/simt.cuh>
#include <reheat/detail/sort/digits.cuh>
#include <reheat/detail/sort/histogram.cuh>
#include <reheat/detail/sort/tuning.cuh>

#include <cstdint>
#include <cstring>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

inline constexpr unsigned byte_values = 256;

//! An array of bytes as vectors, which are words. The first vector and the last one may be partial.
template <unsigned Threads>
class byte_vectors
{
public:
  using vector_type = std::uint32_t;
  static constexpr unsigned keys = sizeof(vector_type);

  REHEAT_DEVICE byte_vectors(const std::uint8_t* bytes, unsigned items)
      : skipped_(static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(bytes) % keys)), items_(items),
        vectors_((skipped_ + items + keys - 1) / keys)
  {}
  //! Calls `visit(first place, keys of the vector)` for the thread's vectors. Blocks take turns.
  template <class Visit>
  REHEAT_DEVICE void for_own(Visit visit) const
  {
    REHEAT_UNROLL
    for (unsigned vector = simt::block_index() * Threads + simt::thread_index(); vector < vectors_;
         vector += simt::grid_blocks() * Threads)
    {
      const unsigned behind = (vector + 1) * keys - skipped_, end = behind < items_ ? behind : items_;
      const unsigned first = behind < keys ? 0 : behind - keys;
      visit(first, end - first);
    }
  }

private:
  unsigned skipped_; //!< of the first vector
  unsigned items_;
  unsigned vectors_;
};

struct sort_byte_shared
{
  std::uint32_t* counters;
  std::uint32_t* list; //!< of bytes that occur: where each begins, and in the low bits which it is; then words of ones
  std::uint32_t* totals;

  REHEAT_EXEC_CHECK_DISABLE
  template <class Memory>
  REHEAT_HOST_DEVICE sort_byte_shared(Memory& memory, const sort_byte_config& cfg)
      : counters(memory.template array<std::uint32_t>(cfg.threads)),
        list(memory.template array<std::uint32_t>(byte_values + 1)),
        totals(memory.template array<std::uint32_t>(library::warp_lanes))
  {}
};

template <class Tuning>
class sort_byte_block
{
  static constexpr sort_byte_config cfg = Tuning{}(simt::arch);
  static constexpr unsigned threads = cfg.threads;
  static_assert(threads >= byte_values, "a thread has a byte at most");

  static constexpr unsigned groups = threads / byte_values; //!< of threads that add up counts of blocks

public:
  REHEAT_DEVICE explicit sort_byte_block(const sort_byte_shared& shared) : shared_(shared) {}

  //! Zeros the counters, and empties the list.
  REHEAT_DEVICE void clear()
  {
    const unsigned thread = simt::thread_index();
    if (thread < byte_values)
    {
      shared_.counters[thread] = 0;
    }
    empty_list();
    simt::sync_block(simt::unless(simt::fault::sort_bytes_skip_clear_barrier));
  }
  REHEAT_DEVICE void empty_list()
  {
    for (unsigned i = simt::thread_index(); i <= byte_values; i += threads)
    {
      shared_.list[i] = ~0u;
    }
  }
  //! Counts the block's keys.
  REHEAT_DEVICE void count(const std::uint8_t* in, unsigned items, const key_form<std::uint8_t, false>& form)
  {
    using vectors = byte_vectors<threads>;
    vectors(in, items).for_own(
        [&](unsigned first, unsigned keys)
        {
          if (keys == vectors::keys)
          {
            const std::uint32_t word = load_word(reinterpret_cast<const std::uint32_t*>(in + first));
            REHEAT_UNROLL
            for (unsigned i = 0; i < vectors::keys; ++i)
            {
              add(form.word_of(static_cast<std::uint8_t>(word >> 8 * i)));
            }
            return;
          }
          for (unsigned i = 0; i < keys; ++i)
          {
            add(form.word_of(in[first + i]));
          }
        });
    simt::sync_block(simt::unless(simt::fault::sort_bytes_skip_counts_barrier));
  }
  //! How many keys of the block have a byte.
  REHEAT_DEVICE std::uint32_t counted(unsigned byte) const { return shared_.counters[byte]; }
  //! How many keys of all blocks have the thread's byte. Threads above that of the last byte get nothing of use.
  REHEAT_DEVICE std::uint32_t counted_by_all(const std::uint32_t* counts, unsigned blocks)
  {
    const unsigned byte = simt::thread_index() % byte_values, group = simt::thread_index() / byte_values;
    std::uint32_t sum = 0;
    REHEAT_UNROLL
    for (unsigned block = group; block < blocks; block += groups)
    {
      sum += counts[block * byte_values + byte];
    }
    shared_.counters[group * byte_values + byte] = sum;
    simt::sync_block(simt::unless(simt::fault::sort_bytes_skip_counts_barrier));
    sum = 0;
    REHEAT_UNROLL
    for (unsigned i = 0; i < groups; ++i)
    {
      sum += shared_.counters[i * byte_values + byte];
    }
    return sum;
  }
  //! Writes the block's share of the sorted keys. `count`: how many keys have the thread's byte, if it has one.
  REHEAT_DEVICE void write(std::uint8_t* out, unsigned items, std::uint32_t count, const key_form<std::uint8_t, false>& form)
  {
    const unsigned thread = simt::thread_index();
    const bool occurs = thread < byte_values && count != 0;
    // The sum of lower threads: where the byte begins, and above that how many bytes occur before it.
    const std::uint32_t before = sort_block_sums<byte_values>(occurs ? count | 1u << 24 : 0, shared_.totals,
                                                              simt::fault::sort_bytes_skip_totals_barrier);
    if (occurs)
    {
      shared_.list[before >> 24] = before << 8 | thread;
    }
    simt::sync_block(simt::unless(simt::fault::sort_bytes_skip_list_barrier));
    using vectors = byte_vectors<threads>;
    vectors(out, items)
        .for_own(
            [&](unsigned first, unsigned keys)
            {
              unsigned at = 0;
              REHEAT_UNROLL
              for (unsigned step = byte_values / 2; step != 0; step /= 2)
              {
                at += shared_.list[at + step] <= (first << 8 | 255) ? step : 0;
              }
              std::uint32_t byte = shared_.list[at], next = shared_.list[at + 1], word = 0;
              REHEAT_UNROLL
              for (unsigned i = 0; i < vectors::keys; ++i)
              {
                if (next <= ((first + i) << 8 | 255))
                {
                  ++at;
                  byte = next;
                  next = shared_.list[at + 1];
                }
                word |= std::uint32_t{form.stored_of(static_cast<std::uint8_t>(byte))} << 8 * i;
              }
              if (keys == vectors::keys)
              {
                store_word(reinterpret_cast<std::uint32_t*>(out + first), word);
                return;
              }
              for (unsigned i = 0; i < keys; ++i)
              {
                out[first + i] = static_cast<std::uint8_t>(word >> 8 * i);
              }
            });
  }

private:
  REHEAT_DEVICE void add(std::uint8_t byte) { simt::shared_add(shared_.counters + byte, 1u); }

  sort_byte_shared shared_;
};

//! Sorts keys in one block.
template <class Tuning>
REHEAT_KERNEL(Tuning{}(simt::arch).threads, 1)
sort_bytes_kernel(const std::uint8_t* in, std::uint8_t* out, unsigned items, key_form<std::uint8_t, false> form)
{
  constexpr sort_byte_config cfg = Tuning{}(simt::arch);
  simt::shared_memory memory;
  sort_byte_block<Tuning> block(sort_byte_shared(memory, cfg));
  block.clear();
  simt::grid_dependency_wait(simt::unless(simt::fault::sort_too_early));
  simt::trigger_dependent_launch();
  block.count(in, items, form);
  const unsigned thread = simt::thread_index();
  block.write(out, items, thread < byte_values ? block.counted(thread) : 0, form);
}

//! Counts keys. Each block stores how many of its keys have each byte.
template <class Tuning>
REHEAT_KERNEL(Tuning{}(simt::arch).threads, 1)
sort_byte_counts_kernel(const std::uint8_t* in, unsigned items, key_form<std::uint8_t, false> form, std::uint32_t* counts)
{
  constexpr sort_byte_config cfg = Tuning{}(simt::arch);
  simt::shared_memory memory;
  sort_byte_block<Tuning> block(sort_byte_shared(memory, cfg));
  block.clear();
  simt::grid_dependency_wait(simt::unless(simt::fault::sort_too_early));
  simt::trigger_dependent_launch();
  block.count(in, items, form);
  const unsigned thread = simt::thread_index();
  if (thread < byte_values)
  {
    counts[simt::block_index() * byte_values + thread] = block.counted(thread);
  }
}

//! Writes sorted keys, which `blocks` blocks have counted.
template <class Tuning>
REHEAT_KERNEL(Tuning{}(simt::arch).threads, 1)
sort_byte_writes_kernel(const std::uint32_t* counts, unsigned blocks, std::uint8_t* out, unsigned items,
                        key_form<std::uint8_t, false> form)
{
  constexpr sort_byte_config cfg = Tuning{}(simt::arch);
  simt::shared_memory memory;
  sort_byte_block<Tuning> block(sort_byte_shared(memory, cfg));
  block.empty_list();
  simt::grid_dependency_wait(simt::unless(simt::fault::sort_too_early));
  simt::trigger_dependent_launch();
  block.write(out, items, block.counted_by_all(counts, blocks), form);
}

} // namespace detail
REHEAT_NAMESPACE_END

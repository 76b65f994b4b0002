// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The ends of segments that a block looks at in one round.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/segmented/ends.cuh>
#include <reheat/detail/segmented/shared.cuh>
#include <reheat/detail/segmented/tuning.cuh>
#include <reheat/detail/simt/simt.cuh>
#include <reheat/detail/thread/value.cuh>
#include <reheat/detail/warp/fold.cuh>

#include <cstdint>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

//! Bits 0, 8, 16 and 24 of a word as its lowest four bits.
REHEAT_DEVICE inline std::uint32_t gathered_bits(std::uint32_t bytes)
{
  return bytes * 0x10204080u >> 28;
}

//! A run of ends, which threads load in turns, and hold in registers until a round begins. The round marks the last items of
//! segments in shared memory, and reductions enter the ends there, as places in the tile. All threads call every member.
template <class Tuning, class Ends, class T>
class end_window
{
  static constexpr segmented_config cfg = Tuning{}(simt::arch);
  static constexpr unsigned per_thread = cfg.items_per_thread, mark_words = segmented_mark_words(cfg);
  static constexpr unsigned held_ends = (cfg.window_ends + cfg.block_threads - 1) / cfg.block_threads;
  static_assert(per_thread <= 32, "a bit per item of a thread");
  static_assert(cfg.tile_items() < 0xffff, "16 bits for an item of a tile");

public:
  //! A barrier must precede the first round.
  REHEAT_DEVICE explicit end_window(const segmented_shared<T>& shared) : shared_(shared)
  {
    REHEAT_UNROLL
    for (unsigned i = 0; i < mark_words; ++i)
    {
      shared_.marks[simt::thread_index() * mark_words + i] = 0;
    }
  }

  //! How many ends to load if a round has `ends`. Where segments differ in length, each round too few costs more than ends
  //! that are loaded twice.
  REHEAT_DEVICE static unsigned size_for(std::uint64_t ends)
  {
    const std::uint64_t size = ends + ends / 4 + cfg.block_threads / 2;
    return size < cfg.window_ends ? static_cast<unsigned>(size) : cfg.window_ends;
  }

  //! Starts to load at most `most` of the `left` ends from segment `segment` on.
  REHEAT_DEVICE void hold(Ends& ends, std::uint64_t segment, std::uint64_t left, unsigned most)
  {
    size_ = left < most ? static_cast<unsigned>(left) : most;
    REHEAT_UNROLL
    for (unsigned h = 0; h < held_ends; ++h) // no branch, which would wait for the loads before it
    {
      const unsigned i = simt::thread_index() + h * cfg.block_threads;
      if (i < size_)
      {
        held_[h].construct(ends.offset(segment + i));
      }
    }
  }

  //! Enters the ends for a round with items [first, end) of the tile that begins at the input's item `tile_first`, if the
  //! tuning keeps them, and marks and counts those there. The round's barrier must precede count() and take_marks().
  REHEAT_DEVICE void enter(std::uint64_t tile_first, unsigned first, unsigned end)
  {
    odd_ = !odd_;
    unsigned count = 0;
    REHEAT_UNROLL
    for (unsigned h = 0; h < held_ends; ++h)
    {
      if (h * cfg.block_threads >= size_) // of all threads
      {
        break;
      }
      const unsigned i = simt::thread_index() + h * cfg.block_threads;
      if (i < size_)
      {
        const auto items = items_up_to(held_[h].get(), tile_first);
        const bool within = items <= end;
        const unsigned item = within ? static_cast<unsigned>(items) : end + 1;
        if constexpr (cfg.keeps_ends)
        {
          entered()[i] = static_cast<std::uint16_t>(item);
        }
        count += within ? 1 : 0;
        if (within && item > first)
        {
          mark(item - 1);
        }
      }
    }
    count = sum_over_lanes(count);
    if (simt::lane_index() == 0)
    {
      shared_.counts[simt::warp_index()] = count;
    }
  }

  REHEAT_DEVICE unsigned size() const { return size_; }
  //! How many of the ends are in the round.
  REHEAT_DEVICE unsigned count() const
  {
    unsigned count = 0;
    REHEAT_UNROLL
    for (unsigned warp = 0; warp < cfg.warps(); ++warp)
    {
      count += shared_.counts[warp];
    }
    return count;
  }
  //! The items of the tile before which the ends stand, in the order of segments. Valid until the round after the next one
  //! enters its ends.
  REHEAT_DEVICE std::uint16_t* entered() const { return shared_.ends + (odd_ ? cfg.window_ends : 0); }

  //! Whether one of the thread's ends lies before the one before it, if `count` are in the round, which ends at item `end`.
  REHEAT_DEVICE bool descends(unsigned count, unsigned end) const
  {
    const std::uint16_t* const ends = entered();
    bool found = false;
    for (unsigned i = simt::thread_index(); i < size_; i += cfg.block_threads)
    {
      found |= i < count ? i != 0 && ends[i] < ends[i - 1] : ends[i] <= end;
    }
    return found;
  }

  //! Bit i: a segment ends behind item i of slice `slice`, which has the items of one thread. Clears the slice's marks.
  REHEAT_DEVICE std::uint32_t take_marks(unsigned slice) const
  {
    std::uint32_t marks = 0;
    REHEAT_UNROLL
    for (unsigned i = 0; i < mark_words; ++i)
    {
      std::uint32_t& word = shared_.marks[slice * mark_words + i];
      marks |= gathered_bits(word) << 4 * i;
      word = 0;
    }
    return marks;
  }

private:
  REHEAT_DEVICE void mark(unsigned item) const
  {
    auto* const marks = reinterpret_cast<unsigned char*>(shared_.marks + item / per_thread * mark_words);
    simt::store_byte_relaxed(marks + item % per_thread, 1); // empty segments end there, too
  }

  const segmented_shared<T>& shared_;
  uninitialized<typename Ends::offset_type> held_[held_ends];
  unsigned size_ = 0;
  bool odd_ = false; //!< which of two buffers
};

} // namespace detail
REHEAT_NAMESPACE_END

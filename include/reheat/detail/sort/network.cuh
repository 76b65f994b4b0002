// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! A bitonic sorting network of a block or a warp: it takes as long whatever the keys are. Keys that are the same need no
//! order.
//!
//! Runs of sorted keys are merged two by two. The first step of a merge compares each key with the one at the mirrored place
//! of the two runs, the next ones compare keys whose places differ in one bit. A thread has `Rows` neighbours, so the last
//! steps are within a thread, those before within a warp, and the first ones of large runs go through shared memory.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/simt/simt.cuh>
#include <reheat/detail/sort/digits.cuh>
#include <reheat/detail/thread/items.cuh>

#include <cstdint>
#include <cstring>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

template <class Word, unsigned Threads, unsigned Rows>
class sort_network
{
public:
  //! `first` and `second` have room for Threads * Rows keys; a network of one warp needs neither. Threads may still read
  //! `second` until the first barrier.
  REHEAT_DEVICE sort_network(Word* first, Word* second) : written_(first), other_(second) {}

  //! Sorts the block's keys: afterwards, thread t has those at places t * Rows and following. All threads call.
  REHEAT_DEVICE void sort(Word (&key)[Rows])
  {
    REHEAT_UNROLL
    for (unsigned run = 2; run <= Rows; run *= 2)
    {
      mirror_in_thread(key, run);
      merge_in_thread(key, run / 4);
    }
    REHEAT_NO_UNROLL
    for (unsigned run = 2; run <= Threads; run *= 2) // of threads
    {
      compare<true>(key, run - 1, run / 2);
      REHEAT_NO_UNROLL
      for (unsigned distance = run / 4; distance != 0; distance /= 2)
      {
        compare<false>(key, distance, distance);
      }
      merge_in_thread(key, Rows / 2);
    }
  }

  //! Stores the sorted keys in order, and returns where.
  REHEAT_DEVICE Word* store(const Word (&key)[Rows])
  {
    Word* const to = written_ + simt::thread_index() * Rows;
    if constexpr (sizeof key % 16 == 0)
    {
      vec16 vectors[sizeof key / 16];
      memcpy(vectors, key, sizeof key);
      REHEAT_UNROLL
      for (unsigned i = 0; i < sizeof key / 16; ++i)
      {
        reinterpret_cast<vec16*>(to)[i] = vectors[i];
      }
    }
    else
    {
      REHEAT_UNROLL
      for (unsigned row = 0; row < Rows; ++row)
      {
        to[row] = key[row];
      }
    }
    simt::sync_block(simt::unless(simt::fault::sort_skip_network_barrier));
    return written_;
  }

private:
  REHEAT_DEVICE static void order(Word& low, Word& high)
  {
    const Word larger = low < high ? high : low;
    low = low < high ? low : high;
    high = larger;
  }
  REHEAT_DEVICE static void mirror_in_thread(Word (&key)[Rows], unsigned run)
  {
    REHEAT_UNROLL
    for (unsigned row = 0; row < Rows; ++row)
    {
      if ((row & run / 2) == 0)
      {
        order(key[row], key[row ^ (run - 1)]);
      }
    }
  }
  REHEAT_DEVICE static void merge_in_thread(Word (&key)[Rows], unsigned distance)
  {
    REHEAT_UNROLL
    for (; distance != 0; distance /= 2)
    {
      REHEAT_UNROLL
      for (unsigned row = 0; row < Rows; ++row)
      {
        if ((row & distance) == 0)
        {
          order(key[row], key[row ^ distance]);
        }
      }
    }
  }
  //! Compares with the keys of another thread, whose index differs in the bits `differs`. Of the two, the one without the
  //! bit `upper` keeps smaller keys.
  template <bool Mirrored>
  REHEAT_DEVICE void compare(Word (&key)[Rows], unsigned differs, unsigned upper)
  {
    const bool keeps_smaller = (simt::thread_index() & upper) == 0;
    Word others[Rows];
    if (upper < simt::warp_lanes)
    {
      REHEAT_UNROLL
      for (unsigned row = 0; row < Rows; ++row)
      {
        others[row] = simt::shuffle(key[Mirrored ? Rows - 1 - row : row], simt::lane_index() ^ differs);
      }
    }
    else
    {
      REHEAT_UNROLL
      for (unsigned row = 0; row < Rows; ++row)
      {
        written_[row * Threads + simt::thread_index()] = key[row];
      }
      simt::sync_block(simt::unless(simt::fault::sort_skip_network_barrier));
      const Word* const from = written_ + (simt::thread_index() ^ differs);
      REHEAT_UNROLL
      for (unsigned row = 0; row < Rows; ++row)
      {
        others[row] = from[(Mirrored ? Rows - 1 - row : row) * Threads];
      }
      // The next step writes to the other array, so it need not wait for threads that still read this one.
      Word* const written = written_;
      written_ = other_;
      other_ = written;
    }
    REHEAT_UNROLL
    for (unsigned row = 0; row < Rows; ++row)
    {
      const bool keeps_other = (others[row] < key[row]) == keeps_smaller;
      key[row] = keeps_other ? others[row] : key[row];
    }
  }

  Word* written_;
  Word* other_;
};

} // namespace detail
REHEAT_NAMESPACE_END

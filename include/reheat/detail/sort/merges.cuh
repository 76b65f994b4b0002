// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! A merge sort of keys that a block holds in shared memory. How long it takes hardly depends on the keys.
//!
//! A thread has `Rows` neighbours. Keys that take along where they were are sorted stably: each thread sorts its own ones in
//! registers. Others need no order among equals, and each warp sorts its own ones by a network (network.cuh). Then runs of
//! sorted keys are merged two by two. Each thread finds by a binary search which keys of the two runs are its `Rows` keys of
//! the merged one ("Merge Path", Odeh et al. 2012), and merges them. Runs go to and fro between two arrays.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/simt/simt.cuh>
#include <reheat/detail/sort/digits.cuh>
#include <reheat/detail/sort/network.cuh>
#include <reheat/detail/thread/items.cuh>

#include <cstdint>
#include <cstring>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

//! `Order` has the arrays `keys` and, if HasSources, `sources`. Keys with sources are compared by Form::sorted_by(key),
//! others as they are.
template <class Word, class Form, class Order, unsigned Rows, bool HasSources>
class sort_merges
{
public:
  REHEAT_DEVICE sort_merges(Order& from, Order& to) : from_(from), to_(to), first_(simt::thread_index() * Rows) {}

  //! Sorts `keys` keys, which are in `from`, in the order of the input. Whoever calls has room for whole runs. All threads
  //! call, and afterwards the sorted keys are in `from`.
  REHEAT_DEVICE void sort(unsigned keys)
  {
    end_ = (keys + first_run - 1) / first_run * first_run;
    Word key[Rows];
    unsigned source[Rows];
    const bool has_run = first_ < end_;
    if (has_run)
    {
      load_run(key, keys);
      REHEAT_UNROLL
      for (unsigned row = 0; row < Rows; ++row)
      {
        source[row] = first_ + row;
      }
      if constexpr (by_warps)
      {
        sort_network<Word, simt::warp_lanes, Rows>(nullptr, nullptr).sort(key);
      }
      else
      {
        sort_in_thread(key, source);
      }
    }
    put(key, source, has_run, end_ <= first_run);
    REHEAT_NO_UNROLL
    for (unsigned run = first_run; run < end_; run *= 2)
    {
      wait_for_runs(run);
      swap();
      if (has_run)
      {
        merge(run, key, source);
      }
      put(key, source, has_run, 2 * run >= end_);
    }
    simt::sync_block(simt::unless(simt::fault::sort_skip_merged_barrier));
    swap();
  }

private:
  static constexpr bool by_warps = !HasSources && sizeof(Word) <= 8;
  static constexpr unsigned first_run = by_warps ? Rows * simt::warp_lanes : Rows;
  static constexpr unsigned bank_row = 128 / sizeof(Word); //!< keys that all banks hold side by side

  REHEAT_DEVICE static bool before(Word a, Word b) { return HasSources ? Form::sorted_by(a) < Form::sorted_by(b) : a < b; }
  //! Where a place of a run is in its array: neighbours' keys are in different banks.
  REHEAT_DEVICE static unsigned staged(unsigned place) { return place ^ (place / bank_row % bank_row); }
  REHEAT_DEVICE static Word key_at(const Order& order, unsigned place) { return order.keys[staged(place)]; }

  //! Of places behind the last key, a pad. It goes behind an equal key, since it is behind it already.
  REHEAT_DEVICE void load_run(Word (&key)[Rows], unsigned keys) const
  {
    if constexpr (sizeof key % 16 == 0)
    {
      if (first_ + Rows <= keys)
      {
        vec16 vectors[sizeof key / 16];
        REHEAT_UNROLL
        for (unsigned i = 0; i < sizeof key / 16; ++i)
        {
          vectors[i] = reinterpret_cast<const vec16*>(from_.keys + first_)[i];
        }
        memcpy(key, vectors, sizeof key);
        return;
      }
    }
    REHEAT_UNROLL
    for (unsigned row = 0; row < Rows; ++row)
    {
      key[row] = first_ + row < keys ? from_.keys[first_ + row] : static_cast<Word>(~Word(0));
    }
  }
  //! Compares neighbours only, so that equal keys keep their order.
  REHEAT_DEVICE static void sort_in_thread(Word (&key)[Rows], unsigned (&source)[Rows])
  {
    REHEAT_UNROLL
    for (unsigned step = 0; step < Rows; ++step)
    {
      REHEAT_UNROLL
      for (unsigned row = step % 2; row + 1 < Rows; row += 2)
      {
        const Word low = key[row], high = key[row + 1];
        const bool swaps = before(high, low);
        key[row] = swaps ? high : low;
        key[row + 1] = swaps ? low : high;
        if (HasSources)
        {
          const unsigned first = source[row], second = source[row + 1];
          source[row] = swaps ? second : first;
          source[row + 1] = swaps ? first : second;
        }
      }
    }
  }
  //! Stores the thread's keys of a run; those of the last one as they will be read.
  REHEAT_DEVICE void put(const Word (&key)[Rows], const unsigned (&source)[Rows], bool has_run, bool is_last)
  {
    if (!has_run)
    {
      return;
    }
    if (is_last)
    {
      if constexpr (sizeof key % 16 == 0)
      {
        vec16 vectors[sizeof key / 16];
        memcpy(vectors, key, sizeof key);
        REHEAT_UNROLL
        for (unsigned i = 0; i < sizeof key / 16; ++i)
        {
          reinterpret_cast<vec16*>(to_.keys + first_)[i] = vectors[i];
        }
      }
      else
      {
        REHEAT_UNROLL
        for (unsigned row = 0; row < Rows; ++row)
        {
          to_.keys[first_ + row] = key[row];
        }
      }
      if constexpr (HasSources)
      {
        REHEAT_UNROLL
        for (unsigned row = 0; row < Rows; ++row)
        {
          to_.sources[first_ + row] = static_cast<std::uint16_t>(source[row]);
        }
      }
      return;
    }
    REHEAT_UNROLL
    for (unsigned row = 0; row < Rows; ++row)
    {
      const unsigned at = staged(first_ + row);
      to_.keys[at] = key[row];
      if (HasSources)
      {
        to_.sources[at] = static_cast<std::uint16_t>(source[row]);
      }
    }
  }
  //! Runs that are merged by one warp are from this warp.
  REHEAT_DEVICE static void wait_for_runs(unsigned run)
  {
    if (2 * run <= Rows * simt::warp_lanes)
    {
      simt::sync_warp(simt::unless(simt::fault::sort_skip_short_runs_barrier));
    }
    else
    {
      simt::sync_block(simt::unless(simt::fault::sort_skip_long_runs_barrier));
    }
  }
  //! The thread's keys of two merged runs.
  REHEAT_DEVICE void merge(unsigned run, Word (&key)[Rows], unsigned (&source)[Rows]) const
  {
    const unsigned begin = first_ & ~(2 * run - 1);
    const unsigned middle = least(begin + run, end_), end = least(begin + 2 * run, end_);
    const unsigned ahead = first_ - begin; // keys of other threads
    unsigned low = ahead > end - middle ? ahead - (end - middle) : 0, high = least(ahead, middle - begin);
    REHEAT_NO_UNROLL
    while (low < high)
    {
      const unsigned half = (low + high) / 2;
      const bool is_ahead = !before(key_at(from_, middle + ahead - 1 - half), key_at(from_, begin + half));
      low = is_ahead ? half + 1 : low;
      high = is_ahead ? high : half;
    }
    // To load keys one step earlier gains nothing.
    unsigned next = begin + low, next_of_second = middle + ahead - low;
    Word first = key_at(from_, least(next, end - 1)), second = key_at(from_, least(next_of_second, end - 1));
    REHEAT_UNROLL
    for (unsigned row = 0; row < Rows; ++row)
    {
      const bool is_second = next_of_second < end && (next >= middle || before(second, first));
      key[row] = is_second ? second : first;
      source[row] = is_second ? next_of_second : next; // its place, at first
      next += is_second ? 0 : 1;
      next_of_second += is_second ? 1 : 0;
      if (row + 1 < Rows)
      {
        const Word following = key_at(from_, least(source[row] + 1, end - 1));
        first = is_second ? first : following;
        second = is_second ? following : second;
      }
    }
    if (HasSources)
    {
      REHEAT_UNROLL
      for (unsigned row = 0; row < Rows; ++row)
      {
        source[row] = from_.sources[staged(source[row])];
      }
    }
  }
  REHEAT_DEVICE static unsigned least(unsigned a, unsigned b) { return a < b ? a : b; }
  REHEAT_DEVICE void swap()
  {
    const Order written = to_;
    to_ = from_;
    from_ = written;
  }

  Order& from_;
  Order& to_;
  unsigned first_; //!< place of the thread's keys
  unsigned end_;   //!< of all runs
};

} // namespace detail
REHEAT_NAMESPACE_END

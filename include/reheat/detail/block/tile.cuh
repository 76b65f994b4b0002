// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Moving a tile between an iterator and shared memory, and walking the items that one thread owns there.
//!
//! Between global and shared memory threads take turns item by item (coalesced); in shared memory each owns a run of
//! neighbours (blocked), which is what keeps the operands in order.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/simt/simt.cuh>
#include <reheat/detail/thread/value.cuh>

#include <cstring>
#include <iterator>
#include <type_traits>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

//! Without `volatile`, which the value type of a pointer to volatile memory has before C++20: values are held in registers.
template <class It>
using value_of = std::remove_volatile_t<typename std::iterator_traits<It>::value_type>;
template <class It>
using distance_of = typename std::iterator_traits<It>::difference_type;

//! `in[index]` as its value type: user operators must never see a proxy.
REHEAT_EXEC_CHECK_DISABLE
template <class It>
REHEAT_DEVICE value_of<It> read_item(It& in, std::uint64_t index)
{
  return in[static_cast<distance_of<It>>(index)];
}

//! Whether tiles of Ts can move between `It` and shared memory in 16-byte pieces: it points to Ts that may be copied so.
//! Volatile memory moves item by item: each access of it shows.
template <class It, class T>
inline constexpr bool moves_in_pieces_v =
    std::is_pointer_v<It>&& std::is_same_v<std::remove_const_t<std::remove_pointer_t<It>>, T>&& is_bitwise_copyable_v<T>;

//! How many pieces the first whole items of a run of `count` fill exactly: those of 12 bytes fill 3 by fours.
template <class T>
REHEAT_DEVICE constexpr unsigned whole_pieces(unsigned count)
{
  constexpr std::size_t power = sizeof(T) & (~sizeof(T) + 1); // the largest power of 2 in it
  constexpr unsigned pieces = static_cast<unsigned>(sizeof(T) / (power < 16 ? power : 16));
  constexpr unsigned items = static_cast<unsigned>(pieces * 16 / sizeof(T));
  return count / items * pieces;
}

//! Copies `count` <= Turns · threads pieces; thread t of `threads` has every piece t mod threads. Loads are issued in
//! batches before the first is stored: the round trips overlap. `Clears`: registers whose piece is not there are zero. Where
//! this stands in a loop, nvcc 13 otherwise keeps what they held from one turn to the next, and on Blackwell spills it: of
//! scans of 12 bytes 120 bytes on sm_100. (Without spills, i64: 96 registers, cleared 68.)
template <unsigned Turns, bool Clears>
REHEAT_DEVICE void copy_pieces(piece* to, const piece* from, unsigned count, unsigned thread, unsigned threads)
{
  constexpr unsigned batch = Turns < 8 ? Turns : 8;
  REHEAT_UNROLL
  for (unsigned turn = 0; turn < Turns; turn += batch)
  {
    const unsigned base = thread + turn * threads;
    piece loaded[batch];
    if constexpr (Clears)
    {
      memset(loaded, 0, sizeof loaded);
    }
    REHEAT_UNROLL
    for (unsigned i = 0; i < batch; ++i)
    {
      if (base + i * threads < count)
      {
        loaded[i] = from[base + i * threads];
      }
    }
    REHEAT_UNROLL
    for (unsigned i = 0; i < batch; ++i)
    {
      if (base + i * threads < count)
      {
        to[base + i * threads] = loaded[i];
      }
    }
  }
}

//! How many of the `items` of `bytes` bytes that a thread moves it has in registers at a time: as many as leave none over,
//! and spill no register of the scan's.
constexpr unsigned batch_items(unsigned items, std::size_t bytes)
{
  for (unsigned batch = items < 16 ? items : 16; batch > 1; --batch)
  {
    if (items % batch == 0 && batch * bytes <= 112)
    {
      return batch;
    }
  }
  return 1;
}

//! load_tile's items from `done` on: each thread `Batch` at a time, as long as all threads have as many, then fewer. The
//! loads of a batch are on their way together. Where each item was asked whether it is there, the compiler waited for one
//! before it sent for the next: scans of what iterators compute ran at a fifth of the speed.
REHEAT_EXEC_CHECK_DISABLE
template <unsigned Batch, class T, class It>
REHEAT_DEVICE void load_batches(It& in, std::uint64_t first, unsigned done, unsigned valid, T* tile, unsigned thread,
                                unsigned threads)
{
  for (; done + Batch * threads <= valid; done += Batch * threads)
  {
    manual<T> item[Batch];
    REHEAT_UNROLL
    for (unsigned i = 0; i < Batch; ++i)
    {
      item[i].construct(read_item(in, first + done + thread + i * threads));
    }
    REHEAT_UNROLL
    for (unsigned i = 0; i < Batch; ++i)
    {
      construct_at(tile + done + thread + i * threads, item[i].get());
    }
  }
  if constexpr (Batch > 1)
  {
    load_batches<(Batch + 3) / 4>(in, first, done, valid, tile, thread, threads);
  }
  else if (done + thread < valid)
  {
    construct_at(tile + done + thread, static_cast<T>(read_item(in, first + done + thread)));
  }
}

//! Items [first, first + valid) of `in`, converted to T, into `tile`, which is aligned to 16 bytes. `aligned`: a pointer's
//! tiles start at multiples of 16 bytes. `Few`: hardly an item comes for itself, so that none of them needs to be on its way
//! with others. `Clears`: as copy_pieces. Threads 0 … threads − 1 call, this one is `thread`; a barrier among them follows
//! before the tile is read.
REHEAT_EXEC_CHECK_DISABLE
template <unsigned ItemsPerThread, bool Few = false, bool Clears = false, class T, class It>
REHEAT_DEVICE void load_tile(It& in, bool aligned, std::uint64_t first, unsigned valid, T* tile, unsigned thread,
                             unsigned threads)
{
  unsigned done = 0;
  if constexpr (moves_in_pieces_v<It, T>)
  {
    if (aligned)
    {
      const unsigned count = whole_pieces<T>(valid);
      copy_pieces<(ItemsPerThread * sizeof(T) + 15) / 16, Clears>(
          reinterpret_cast<piece*>(tile), reinterpret_cast<const piece*>(in + first), count, thread, threads);
      done = static_cast<unsigned>(count * 16 / sizeof(T));
      if (done == valid)
      {
        return;
      }
    }
  }
  constexpr unsigned batch = is_bitwise_copyable_v<T> && !Few ? batch_items(ItemsPerThread, sizeof(T)) : 1;
  load_batches<batch>(in, first, done, valid, tile, thread, threads);
}

//! The first `valid` items of `tile` to positions [first, first + valid) of `out`, each assigned once. As load_tile.
REHEAT_EXEC_CHECK_DISABLE
template <unsigned ItemsPerThread, bool Few = false, bool Clears = false, class T, class It>
REHEAT_DEVICE void store_tile(const T* tile, It& out, bool aligned, std::uint64_t first, unsigned valid, unsigned thread,
                              unsigned threads)
{
  unsigned done = 0;
  if constexpr (moves_in_pieces_v<It, T>)
  {
    if (aligned)
    {
      const unsigned count = whole_pieces<T>(valid);
      copy_pieces<(ItemsPerThread * sizeof(T) + 15) / 16, Clears>(
          reinterpret_cast<piece*>(out + first), reinterpret_cast<const piece*>(tile), count, thread, threads);
      done = static_cast<unsigned>(count * 16 / sizeof(T));
    }
  }
  constexpr unsigned batch = Few ? 1 : batch_items(ItemsPerThread, 8);
  for (; done + batch * threads <= valid; done += batch * threads)
  {
    const unsigned base = done + thread;
    REHEAT_UNROLL
    for (unsigned i = 0; i < batch; ++i)
    {
      out[static_cast<std::ptrdiff_t>(first + base + i * threads)] = tile[base + i * threads];
    }
  }
  for (unsigned at = done + thread; at < valid; at += threads)
  {
    out[static_cast<std::ptrdiff_t>(first + at)] = tile[at];
  }
}

//! Whether walking a T's items moves them in 16-byte pieces.
template <class T, unsigned ItemsPerThread>
inline constexpr bool walks_in_pieces_v = fills_pieces_v<T>&& ItemsPerThread * sizeof(T) % 16 == 0;

//! Calls `visit(item, i)` for the first `count` of the thread's ItemsPerThread items in order; where `Writes`, what visit
//! does to an item goes back to memory. `items` is aligned to 16 bytes if the items walk in pieces. A whole run moves in
//! 16-byte pieces, which an odd number of pieces per thread keeps free of bank conflicts.
REHEAT_EXEC_CHECK_DISABLE
template <bool Writes, unsigned ItemsPerThread, class T, class Visit>
REHEAT_DEVICE void walk_items(T* items, unsigned count, Visit&& visit)
{
  if constexpr (walks_in_pieces_v<T, ItemsPerThread>)
  {
    if (count == ItemsPerThread)
    {
      constexpr unsigned piece_items = 16 / sizeof(T);
      auto* const pieces = reinterpret_cast<std::conditional_t<Writes, piece, const piece>*>(items);
      REHEAT_UNROLL
      for (unsigned p = 0; p < ItemsPerThread / piece_items; ++p)
      {
        piece bits = pieces[p];
        manual<T> item[piece_items];
        memcpy(static_cast<void*>(item), &bits, sizeof(piece));
        REHEAT_UNROLL
        for (unsigned i = 0; i < piece_items; ++i)
        {
          visit(item[i].get(), p * piece_items + i);
        }
        if constexpr (Writes)
        {
          memcpy(&bits, item, sizeof(piece));
          pieces[p] = bits;
        }
      }
      return;
    }
  }
  for (unsigned i = 0; i < count; ++i)
  {
    visit(items[i], i);
  }
}

} // namespace detail
REHEAT_NAMESPACE_END

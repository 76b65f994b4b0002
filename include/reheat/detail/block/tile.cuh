// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Moving a tile between an iterator and shared memory.
//!
//! Between global and shared memory, threads move items in turns, so that accesses are coalesced (CUB: striped). In shared
//! memory each thread owns a run of neighbouring items (CUB: blocked), which keeps the operands in order.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/device_traits.cuh>
#include <reheat/detail/simt/simt.cuh>
#include <reheat/detail/thread/items.cuh>
#include <reheat/detail/thread/value.cuh>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

//! Returns how many vectors the first items of a run of `count` fill exactly. Of 12-byte items, every four fill 3 vectors.
template <class T>
REHEAT_DEVICE constexpr unsigned full_vec16(unsigned count)
{
  constexpr std::size_t power = sizeof(T) & (~sizeof(T) + 1); // the largest power of 2 in it
  constexpr unsigned vectors = static_cast<unsigned>(sizeof(T) / (power < 16 ? power : 16));
  constexpr unsigned items = static_cast<unsigned>(vectors * 16 / sizeof(T));
  return count / items * vectors;
}

//! Copies `count` <= Turns · threads vectors. Thread t of `threads` copies every vector i with i mod threads = t. The loads
//! of a batch are issued before the first vector is stored, so that their round trips overlap. `Clears`: registers of absent
//! vectors are set to zero. In a loop, nvcc 13 otherwise keeps their old contents from one iteration to the next, and spills
//! 120 bytes in scans of 12-byte items on sm_100.
template <unsigned Turns, bool Clears>
REHEAT_DEVICE void copy_vec16(vec16* to, const vec16* from, unsigned count, unsigned thread, unsigned threads)
{
  constexpr unsigned batch = Turns < 8 ? Turns : 8;
  REHEAT_UNROLL
  for (unsigned turn = 0; turn < Turns; turn += batch)
  {
    const unsigned base = thread + turn * threads;
    vec16 loaded[batch];
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

//! Returns how many of a thread's `items` items of `bytes` bytes are in registers at a time: the largest divisor of `items`
//! that makes no scan spill registers.
REHEAT_HOST_DEVICE constexpr unsigned batch_items(unsigned items, std::size_t bytes)
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

//! Loads load_tile's items from `done` on. Each thread loads `Batch` items at a time as long as all threads have as many,
//! then fewer. The loads of a batch overlap. With a test for each item the compiler would wait for each load before the
//! next, at a fifth of the speed.
template <unsigned Batch, class T, class It>
REHEAT_DEVICE void load_batches(It& in, std::uint64_t first, unsigned done, unsigned valid, T* tile, unsigned thread,
                                unsigned threads)
{
  for (; done + Batch * threads <= valid; done += Batch * threads)
  {
    uninitialized<T> item[Batch];
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

//! As load_batches, of a source that loads ahead: loads the items of the tile from `done` on that are among its first
//! `ahead` ones, in whole batches. Returns how many items are loaded then. `first` is the index of the tile's first item.
template <unsigned Batch, bool Aligned, class T, class Source>
REHEAT_DEVICE unsigned load_ahead(Source& source, std::uint64_t first, unsigned done, unsigned ahead, T* tile,
                                  unsigned thread, unsigned threads)
{
  for (; done + Batch * threads <= ahead; done += Batch * threads)
  {
    typename Source::loaded held[Batch];
    REHEAT_UNROLL
    for (unsigned i = 0; i < Batch; ++i)
    {
      source.load(Aligned, first + done + thread + i * threads, held[i]);
    }
    REHEAT_UNROLL
    for (unsigned i = 0; i < Batch; ++i)
    {
      construct_at(tile + done + thread + i * threads, source.at(first + done + thread + i * threads, held[i]));
    }
  }
  if constexpr (Batch > 1)
  {
    return load_ahead<(Batch + 3) / 4, Aligned>(source, first, done, ahead, tile, thread, threads);
  }
  return done;
}

//! Loads the first `valid` items of `in` in whole pieces, and returns how many these hold. Loads are issued before the first
//! store, as in copy_vec16.
template <unsigned ItemsPerThread, class T, class From>
REHEAT_DEVICE unsigned load_pieces(const From* in, unsigned valid, T* tile, unsigned thread, unsigned threads)
{
  using piece = widened_piece<From, T>;
  constexpr unsigned items = piece::items, turns = (ItemsPerThread + items - 1) / items, batch = turns < 8 ? turns : 8;
  const unsigned count = valid / items;
  REHEAT_UNROLL
  for (unsigned turn = 0; turn < turns; turn += batch)
  {
    const unsigned base = thread + turn * threads;
    piece loaded[batch];
    REHEAT_UNROLL
    for (unsigned i = 0; i < batch; ++i)
    {
      if (base + i * threads < count)
      {
        loaded[i] = *reinterpret_cast<const piece*>(in + (base + i * threads) * items);
      }
    }
    REHEAT_UNROLL
    for (unsigned i = 0; i < batch; ++i)
    {
      if (base + i * threads < count)
      {
        reinterpret_cast<vec16*>(tile)[base + i * threads] = loaded[i].widened();
      }
    }
  }
  return count * items;
}

//! Loads the items [first, first + valid) of `in`, converted to T, into `tile`, which is aligned to 16 bytes. `aligned`:
//! `in` is a pointer, and in + first is a multiple of 16 bytes. `RarelyScalar`: items are rarely moved one by one, so their
//! loads need not overlap. `Clears` is copy_vec16's. Threads 0 to threads − 1 call; the caller is `thread`. A barrier among
//! them must precede the first read of the tile.
template <unsigned ItemsPerThread, bool RarelyScalar = false, bool Clears = false, class T, class It>
REHEAT_DEVICE void load_tile(It& in, bool aligned, std::uint64_t first, unsigned valid, T* tile, unsigned thread,
                             unsigned threads)
{
  unsigned done = 0;
  if constexpr (moves_in_vec16_v<It, T>)
  {
    if (aligned)
    {
      const unsigned count = full_vec16<T>(valid);
      copy_vec16<(ItemsPerThread * sizeof(T) + 15) / 16, Clears>(
          reinterpret_cast<vec16*>(tile), reinterpret_cast<const vec16*>(in + first), count, thread, threads);
      done = static_cast<unsigned>(count * 16 / sizeof(T));
      if (done == valid)
      {
        return;
      }
    }
  }
  if constexpr (widens_v<It, T> && !RarelyScalar)
  {
    // H200, sums of i8 as i32, 2^28 items: 514 us, item by item 603.
    if (reinterpret_cast<std::uintptr_t>(in + first) % (16 / sizeof(T) * sizeof(*in)) == 0)
    {
      done = load_pieces<ItemsPerThread>(in + first, valid, tile, thread, threads);
    }
  }
  if constexpr (loads_ahead_v<It>)
  {
    using source = typename It::source_type;
    constexpr unsigned batch = batch_items(ItemsPerThread, sizeof(typename source::loaded));
    const std::uint64_t index = in.index_of(first), whole = in.source().ahead();
    const std::uint64_t left = whole > index ? whole - index : 0;
    const unsigned ahead = left < valid ? static_cast<unsigned>(left) : valid;
    // Two copies of the loop: tests between loads would keep them apart.
    done = in.source().aligned() ? load_ahead<batch, true>(in.source(), index, 0, ahead, tile, thread, threads)
                                 : load_ahead<batch, false>(in.source(), index, 0, ahead, tile, thread, threads);
    REHEAT_NO_UNROLL // less than a batch is left
        for (unsigned at = done + thread; at < valid; at += threads)
    {
      construct_at(tile + at, read_item(in, first + at));
    }
  }
  else
  {
    constexpr unsigned batch = is_bitwise_copyable_v<T> && !RarelyScalar ? batch_items(ItemsPerThread, sizeof(T)) : 1;
    load_batches<batch>(in, first, done, valid, tile, thread, threads);
  }
}

//! A thread's share of a tile of aligned memory, in registers between its loads and its stores. Threads that load several
//! arrays wait for all of them at once. Parameters are load_tile's.
template <unsigned ItemsPerThread, class T>
class tile_share
{
  static constexpr unsigned turns = (ItemsPerThread * sizeof(T) + 15) / 16;

public:
  REHEAT_DEVICE tile_share(unsigned valid, unsigned thread, unsigned threads)
      : vectors_(full_vec16<T>(valid)), tail_(static_cast<unsigned>(vectors_ * 16 / sizeof(T)) + thread), valid_(valid),
        thread_(thread), threads_(threads)
  {}
  REHEAT_DEVICE void load(const T* in)
  {
    REHEAT_UNROLL
    for (unsigned turn = 0; turn < turns; ++turn)
    {
      if (thread_ + turn * threads_ < vectors_)
      {
        held_[turn] = reinterpret_cast<const vec16*>(in)[thread_ + turn * threads_];
      }
    }
    if (tail_ < valid_)
    {
      held_tail_.construct(in[tail_]);
    }
  }
  REHEAT_DEVICE void store(T* tile) const
  {
    REHEAT_UNROLL
    for (unsigned turn = 0; turn < turns; ++turn)
    {
      if (thread_ + turn * threads_ < vectors_)
      {
        reinterpret_cast<vec16*>(tile)[thread_ + turn * threads_] = held_[turn];
      }
    }
    if (tail_ < valid_)
    {
      construct_at(tile + tail_, held_tail_.get());
    }
  }

private:
  unsigned vectors_; //!< of the tile
  unsigned tail_;    //!< the thread's item behind the vectors; fewer items than a warp has lanes lie there
  unsigned valid_, thread_, threads_;
  vec16 held_[turns];
  uninitialized<T> held_tail_;
};

//! Stores the first `valid` items of `tile` at positions [first, first + valid) of `out`. Each position is assigned once.
//! Parameters are load_tile's.
template <unsigned ItemsPerThread, bool RarelyScalar = false, bool Clears = false, class T, class It>
REHEAT_DEVICE void store_tile(const T* tile, It& out, bool aligned, std::uint64_t first, unsigned valid, unsigned thread,
                              unsigned threads)
{
  unsigned done = 0;
  if constexpr (moves_in_vec16_v<It, T>)
  {
    if (aligned)
    {
      const unsigned count = full_vec16<T>(valid);
      copy_vec16<(ItemsPerThread * sizeof(T) + 15) / 16, Clears>(
          reinterpret_cast<vec16*>(out + first), reinterpret_cast<const vec16*>(tile), count, thread, threads);
      done = static_cast<unsigned>(count * 16 / sizeof(T));
    }
  }
  constexpr unsigned batch = RarelyScalar ? 1 : batch_items(ItemsPerThread, 8);
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

//! Prefetches the aligned vectors in [begin, end), for threads that are still busy with the tile before. H200, scan of i8 as
//! i32, 2^28 items: 396 us, without 514.
template <class T>
REHEAT_DEVICE void prefetch_whole_vec16(const T* begin, const T* end)
{
  constexpr std::uintptr_t vector = sizeof(vec16);
  const auto from = (reinterpret_cast<std::uintptr_t>(begin) + vector - 1) & ~(vector - 1);
  const auto to = reinterpret_cast<std::uintptr_t>(end) & ~(vector - 1);
  if (from < to)
  {
    simt::prefetch(reinterpret_cast<const void*>(from), static_cast<unsigned>(to - from));
  }
}
//! Prefetches the vectors of items [first, behind), if they are in memory and hardware can. One thread calls.
template <class It>
REHEAT_DEVICE void prefetch_items(const It& it, std::uint64_t first, std::uint64_t behind)
{
  if constexpr (device_traits_of(simt::arch).bulk_copies && std::is_pointer_v<It>)
  {
    prefetch_whole_vec16(it + first, it + behind);
  }
}

} // namespace detail
REHEAT_NAMESPACE_END

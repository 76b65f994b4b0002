// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! How tiles lie in a block's stages, and how they get there and away.
//!
//! A *form* of tiles is a class that holds, for all stages, the arrays a tile consists of. The kernel's roles call it:
//!
//! | | |
//! |---|---|
//! | `bulk_in`, `load_whole` | the producer, or loaders: aligned input of which `comes_whole(first, items)`, by a copier |
//! | `always_aligned` | there is no other input |
//! | `prefetch` | all threads, before the block knows its first tile: one that comes whole |
//! | `load` | loaders, and compute warps for what does not come whole |
//! | `reduce`, then `scan` | compute warps, each thread for its own neighbouring items |
//! | `bulk_out`, `store_in_bulk`; `store` | compute warps; storers, and compute warps for tiles that are not whole |
//! | `scan_stores` | `scan` has written the output, and nothing is left to be stored |
//! | `head_of` | the host: how many items come before those in aligned tiles, if there can be aligned tiles |
//! | `is_aligned_output` | the host: whether the output is aligned where they begin |
#pragma once

#include <reheat/detail/block/tile.cuh>
#include <reheat/detail/config.cuh>
#include <reheat/detail/iterators.cuh>
#include <reheat/detail/scan/tuning.cuh>
#include <reheat/detail/simt/simt.cuh>
#include <reheat/detail/thread/byte_sums.cuh>
#include <reheat/detail/thread/items.cuh>
#include <reheat/detail/thread/value.cuh>

#include <cstdint>
#include <optional>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

enum class scan_kind
{
  inclusive, //!< item i of the result folds the items up to and with i
  exclusive, //!< … up to and without i: needs an initial value
};

//! What prefixes are held in. Aggregates may be of a narrower type, which the items of a group of tiles fit.
template <class Accum>
struct prefix_type
{
  using type = Accum;
};
template <class Accum>
using prefix_of = typename prefix_type<Accum>::type;

//! Where a tile lies in shared memory.
struct tile_place
{
  unsigned stage;
  unsigned brief; //!< of cfg.brief_stages: what is needed only until the tile is reduced
};

//! What one thread has of a tile.
struct tile_part
{
  tile_place place;
  unsigned thread;     //!< of those that share the tile
  unsigned items;      //!< of the tile
  unsigned count;      //!< of the thread: it starts at item thread · items_per_thread of the tile
  std::uint64_t first; //!< of the tile, in the input
  bool last;           //!< the tile is the input's last
};

//! Visits a thread's items in order and makes each what the scan gives for it, with what `fold` holds on its left.
template <scan_kind Kind, class T, class Op, class Fold = running_fold<T>>
struct item_scanner
{
  Fold& fold;
  unsigned count; //!< of items that will be visited
  Op& op;

  REHEAT_EXEC_CHECK_DISABLE
  REHEAT_DEVICE void operator()(T& item, unsigned i) const
  {
    if constexpr (Kind == scan_kind::inclusive)
    {
      fold.append(item, op);
      item = fold.value.get();
    }
    else
    {
      const T own(item);
      item = fold.value.get();
      if (i + 1 < count)
      {
        fold.append(own, op);
      }
    }
  }
};

//! Whether a thread's bytes are added by the word.
template <class Op, class T, unsigned ItemsPerThread>
inline constexpr bool adds_bytes_of_pieces_v = adds_bytes_v<Op, T>&& walks_in_pieces_v<T, ItemsPerThread>;

//! A thread scans the first `count` of its items where they are, each with what `fold` holds on its left.
REHEAT_EXEC_CHECK_DISABLE
template <scan_kind Kind, unsigned ItemsPerThread, class T, class Op>
REHEAT_DEVICE void scan_items(T* items, unsigned count, running_fold<T>& fold, Op& op)
{
  if constexpr (adds_bytes_of_pieces_v<Op, T, ItemsPerThread>)
  {
    if (count == ItemsPerThread)
    {
      unsigned sum = fold.has ? static_cast<unsigned>(fold.value.get()) : 0u;
      REHEAT_UNROLL
      for (unsigned p = 0; p < ItemsPerThread / sizeof(piece); ++p)
      {
        piece bytes = reinterpret_cast<const piece*>(items)[p];
        sum = scan_bytes_of<Kind == scan_kind::inclusive>(bytes, sum);
        reinterpret_cast<piece*>(items)[p] = bytes;
      }
      return;
    }
  }
  walk_items<true, ItemsPerThread>(items, count, item_scanner<Kind, T, Op>{fold, count, op});
}

//! Copies whole tiles in bulk: one lane calls. A tile consists of one array or more, of whole 16-byte pieces.
struct bulk_copier
{
  simt::mbarrier& full;

  //! All of the tile, before its parts.
  REHEAT_DEVICE void expect(std::size_t bytes) const
  {
    const unsigned missing = simt::fault_active(simt::fault::expect_too_few) ? 16 : 0;
    simt::mbarrier_arrive_expect(full, static_cast<unsigned>(bytes) - missing);
  }
  //! `items` <= Most.
  template <unsigned Most, class T>
  REHEAT_DEVICE void copy(void* to, const T* from, unsigned items) const
  {
    simt::bulk_load(to, from, static_cast<unsigned>(items * sizeof(T)), full);
  }
};

//! Copies them in pieces: each of `Threads` threads its share. Their arrivals say when it is there.
template <unsigned Threads>
struct piece_copier
{
  unsigned thread;

  REHEAT_DEVICE void expect(std::size_t) const {}
  template <unsigned Most, class T>
  REHEAT_DEVICE void copy(void* to, const T* from, unsigned items) const
  {
    constexpr unsigned most = static_cast<unsigned>(Most * sizeof(T) / sizeof(piece));
    const unsigned pieces = static_cast<unsigned>(items * sizeof(T) / sizeof(piece));
    REHEAT_UNROLL
    for (unsigned turn = 0; turn < most; turn += Threads)
    {
      if (turn + thread < pieces)
      {
        simt::piece_load(static_cast<piece*>(to) + turn + thread, reinterpret_cast<const piece*>(from) + turn + thread);
      }
    }
  }
};

//! Tiles of accumulators, one after the other: what plain scans have.
template <class Tuning, class InputIt, class OutputIt, class Accum>
class item_tiles
{
  static constexpr scan_config cfg = Tuning{}(simt::arch);

public:
  static constexpr bool bulk_in = moves_in_pieces_v<InputIt, Accum>;
  static constexpr bool always_aligned = bulk_in && always_aligns<Accum>(cfg.tile_alignment, cfg.tile_items());
  static constexpr bool bulk_out = moves_in_pieces_v<OutputIt, Accum>;
  static constexpr bool scan_stores = false;
  static std::optional<unsigned> head_of(const InputIt& in, unsigned alignment)
  {
    return bulk_in ? items_before_aligned(in, alignment) : std::nullopt;
  }
  static bool is_aligned_output(const OutputIt& out, unsigned head) { return bulk_out && is_aligned(out, head); }

  REHEAT_EXEC_CHECK_DISABLE
  template <class Memory>
  REHEAT_HOST_DEVICE constexpr item_tiles(Memory& memory, const scan_config& c)
      : items_(memory.template array<Accum>(c.stages * c.tile_items(), alignof(Accum) > 128 ? alignof(Accum) : 128))
  {}

  REHEAT_DEVICE static bool comes_whole(std::uint64_t first, std::uint64_t items)
  {
    return first + cfg.tile_items() <= items;
  }

  template <class Copier>
  REHEAT_DEVICE void load_whole(const InputIt& in, std::uint64_t first, bool, tile_place place, const Copier& copier) const
  {
    load_whole_tile(in + first, items_of(place.stage), copier);
  }

  REHEAT_DEVICE void prefetch(const InputIt& in, std::uint64_t first) const { prefetch_items(in + first); }

  template <unsigned Share, bool Few>
  REHEAT_DEVICE void load(InputIt& in, bool aligned, std::uint64_t first, unsigned valid, bool, tile_place place,
                          unsigned thread, unsigned threads) const
  {
    load_tile<Share, Few, cfg.clears_pieces>(in, aligned, first, valid, items_of(place.stage), thread, threads);
  }

  //! Folds the thread's items.
  REHEAT_EXEC_CHECK_DISABLE
  template <class Op>
  REHEAT_DEVICE void reduce(InputIt&, const tile_part& part, Op& op, manual<Accum>& fold) const
  {
    if constexpr (adds_bytes_of_pieces_v<Op, Accum, cfg.items_per_thread>)
    {
      if (part.count == cfg.items_per_thread)
      {
        unsigned sum = 0;
        REHEAT_UNROLL
        for (unsigned p = 0; p < cfg.items_per_thread / sizeof(piece); ++p)
        {
          const piece bytes = reinterpret_cast<const piece*>(own_items(part))[p];
          sum = add_bytes_of(bytes, sum);
        }
        fold.construct(static_cast<Accum>(sum));
        return;
      }
    }
    walk_items<false, cfg.items_per_thread>(own_items(part), part.count,
                                            [&](const Accum& item, unsigned i)
                                            {
                                              if (i == 0)
                                              {
                                                fold.construct(item);
                                              }
                                              else
                                              {
                                                fold.get() = op(fold.get(), item);
                                              }
                                            });
  }

  //! Makes the thread's items what the scan gives for them. All lanes of a warp call.
  REHEAT_EXEC_CHECK_DISABLE
  template <scan_kind Kind, class Op>
  REHEAT_DEVICE void scan(InputIt&, OutputIt&, const tile_part& part, running_fold<Accum>& fold, Op& op) const
  {
    // By a constant for all threads but those of the last tile: exclusive scans of 2^30 bytes, one by one, took 907 us
    // instead of 557 on an NVIDIA H200 when each item was asked whether it is the last, and whether there is a fold before
    // it.
    if (part.count == cfg.items_per_thread)
    {
      scan_items<Kind, cfg.items_per_thread>(own_items(part), cfg.items_per_thread, fold, op);
    }
    else
    {
      scan_items<Kind, cfg.items_per_thread>(own_items(part), part.count, fold, op);
    }
  }

  REHEAT_DEVICE void store_in_bulk(OutputIt& out, std::uint64_t first, unsigned stage, bool evict) const
  {
    simt::bulk_store(out + first, items_of(stage), static_cast<unsigned>(cfg.tile_items() * sizeof(Accum)), evict);
  }

  template <unsigned Share, bool Few>
  REHEAT_DEVICE void store(OutputIt& out, bool aligned, std::uint64_t first, unsigned valid, unsigned stage, unsigned thread,
                           unsigned threads) const
  {
    store_tile<Share, Few, cfg.clears_pieces>(items_of(stage), out, aligned, first, valid, thread, threads);
  }

protected:
  REHEAT_DEVICE Accum* items_of(unsigned stage) const { return items_ + stage * cfg.tile_items(); }
  REHEAT_DEVICE Accum* own_items(const tile_part& part) const
  {
    return items_of(part.place.stage) + part.thread * cfg.items_per_thread;
  }

  template <class From>
  REHEAT_DEVICE static void prefetch_items(const From* from)
  {
    constexpr unsigned bytes = static_cast<unsigned>(cfg.tile_items() * sizeof(From)), line = 128;
    if constexpr (cfg.in_bulk())
    {
      if (simt::thread_index() == 0)
      {
        simt::prefetch(from, bytes);
      }
    }
    else if (simt::thread_index() < bytes / line)
    {
      simt::prefetch_line(reinterpret_cast<const char*>(from) + simt::thread_index() * line);
    }
  }

  template <class From, class Copier>
  REHEAT_DEVICE static void load_whole_tile(const From* from, Accum* to, const Copier& copier)
  {
    static_assert(sizeof(From) == sizeof(Accum));
    copier.expect(cfg.tile_items() * sizeof(Accum));
    copier.template copy<cfg.tile_items()>(to, from, cfg.tile_items());
  }

private:
  Accum* items_; //!< [stage][tile_items]
};

//! The form of the tiles of scans of InputIt, and their tuning. Adaptors whose tiles are not accumulators specialise it.
template <class InputIt>
struct scan_tiles
{
  template <class Tuning, class OutputIt, class Accum>
  using form = item_tiles<Tuning, InputIt, OutputIt, Accum>;
  template <class Accum>
  using tuning = scan_tuning<sizeof(Accum)>;
};

} // namespace detail
REHEAT_NAMESPACE_END

// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! A thread's part of a striped reduction: its pieces of each of the block's tiles. kernels.cuh says how they associate.
#pragma once

#include <reheat/detail/block/cascade.cuh>
#include <reheat/detail/block/value.cuh>
#include <reheat/detail/config.cuh>
#include <reheat/detail/op.cuh>
#include <reheat/detail/reduce/tuning.cuh>
#include <reheat/detail/simt/simt.cuh>

#include <cstdint>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

template <class Tuning, class Pieces, class Accum, class Op>
class striped_fold
{
  static constexpr reduce_config cfg = Tuning{}(simt::arch);
  static constexpr unsigned piece_items = Pieces::items;
  static constexpr unsigned pieces = cfg.items_per_thread / piece_items;
  static_assert(pieces * piece_items == cfg.items_per_thread, "tiles consist of whole pieces");
  using own_op = thread_op<Op, Accum>;
  using local = typename own_op::local;
  using loaded = typename Pieces::loaded;
  using tiles_fold = cascade<Accum, own_op::rounds ? 4 : 1>;

  //! Of a thread's pieces of a tile, the first ones: by neighbours, or else from the left, which takes fewer registers.
  class pieces_fold
  {
  public:
    REHEAT_DEVICE running_fold<local>& of_piece(unsigned p) { return piece_[own_op::rounds ? p : 0]; }
    REHEAT_DEVICE const local& total(own_op& op)
    {
      REHEAT_UNROLL
      for (unsigned distance = 1; own_op::rounds && distance < pieces; distance *= 2)
      {
        REHEAT_UNROLL
        for (unsigned p = 0; p + distance < pieces; p += 2 * distance)
        {
          piece_[p].append(piece_[p + distance], op);
        }
      }
      return piece_[0].value.get();
    }

  private:
    running_fold<local> piece_[own_op::rounds ? pieces : 1];
  };

public:
  REHEAT_DEVICE striped_fold(const Pieces& in, std::uint64_t items, Op& op) : in_(in), items_(items), own_{op} {}

  //! Appends the fold of the thread's pieces of `tiles` >= 1 tiles from `first` on, each `step` after the last; returns how
  //! many threads, the first ones of the block, have any.
  REHEAT_DEVICE unsigned fold_tiles(std::uint64_t first, std::uint64_t tiles, std::uint64_t step, running_fold<Accum>& fold)
  {
    if constexpr (Pieces::may_be_aligned)
    {
      if (in_.aligned())
      {
        return fold_some<true>(first, tiles, step, fold);
      }
    }
    return fold_some<false>(first, tiles, step, fold);
  }

private:
  template <bool Aligned>
  REHEAT_DEVICE unsigned fold_some(std::uint64_t first, std::uint64_t tiles, std::uint64_t step, running_fold<Accum>& fold)
  {
    const unsigned threads = simt::block_threads();
    if (tiles == 1)
    {
      // Most launches up to 2^21 items. It needs no cascade.
      const std::uint64_t begin = first * cfg.tile_items();
      const std::uint64_t left = items_ - begin, most = std::uint64_t{threads} * cfg.items_per_thread;
      const unsigned valid = static_cast<unsigned>(left < most ? left : most);
      fold_tile<Aligned>(begin, valid, threads, fold.value);
      const unsigned with_items = (valid + piece_items - 1) / piece_items;
      return with_items < threads ? with_items : threads;
    }
    tiles_fold sum;
    const std::uint64_t last = (first + (tiles - 1) * step) * cfg.tile_items(), left = items_ - last;
    const bool is_part = left < cfg.tile_items();
    push_whole_tiles<Aligned>(first * cfg.tile_items(), tiles - (is_part ? 1 : 0), step * cfg.tile_items(), sum);
    manual<Accum> value;
    if (is_part && fold_tile<Aligned>(last, static_cast<unsigned>(left), cfg.block_threads, value))
    {
      sum.push(value.get(), own_);
    }
    sum.total(fold, own_);
    return threads;
  }

  //! Folds the thread's pieces of a tile: `valid` items from `first` on, among `threads` threads. False: it has none.
  template <bool Aligned>
  REHEAT_DEVICE bool fold_tile(std::uint64_t first, unsigned valid, unsigned threads, manual<Accum>& value)
  {
    const bool too_far = simt::fault_active(simt::fault::read_past_end) && valid < threads * cfg.items_per_thread;
    const unsigned end = valid + (too_far ? 1 : 0), thread = simt::thread_index();
    const unsigned whole = end / piece_items, rest = end % piece_items, step = threads * piece_items;
    const std::uint64_t own = first + thread * piece_items;
    loaded held[pieces];
    REHEAT_UNROLL
    for (unsigned p = 0; p < pieces; ++p)
    {
      if (p * threads + thread < whole)
      {
        in_.template load<Aligned>(own, p * step, own_, held[p]);
      }
    }
    const bool has_rest = rest != 0 && whole % threads == thread;
    manual<local> last;
    if constexpr (piece_items > 1)
    {
      if (has_rest)
      {
        in_.fold_part(own, (whole - thread) * piece_items, rest, own_, last);
      }
    }
    pieces_fold sum;
    REHEAT_UNROLL
    for (unsigned p = 0; p < pieces; ++p)
    {
      if (p * threads + thread < whole)
      {
        in_.append(held[p], p * step, own_, sum.of_piece(p));
      }
      else if (has_rest && p * threads + thread == whole)
      {
        sum.of_piece(p).append(last.get(), own_);
      }
    }
    if (!sum.of_piece(0).has)
    {
      return false;
    }
    value.construct(in_.widen(sum.total(own_), own, own_));
    return true;
  }

  //! Pushes `tiles` >= 1 whole tiles from item `first` on, each `step` items after the last. The loads of a tile are on
  //! their way while the one before is folded: without that the compiler put each load behind the fold of the last (4-byte
  //! integers at 1 GB: 0.84 of the speed of reading, floats 0.95).
  template <bool Aligned>
  REHEAT_DEVICE void push_whole_tiles(std::uint64_t first, std::uint64_t tiles, std::uint64_t step, tiles_fold& sum)
  {
    std::uint64_t own = first + simt::thread_index() * piece_items;
    loaded coming[pieces];
    load_tile<Aligned>(own, coming);
    REHEAT_NO_UNROLL // the loads of two tiles fill the registers
        for (; tiles > 0; --tiles, own += step)
    {
      loaded held[pieces];
      REHEAT_UNROLL
      for (unsigned p = 0; p < pieces; ++p)
      {
        held[p] = coming[p];
      }
      if (tiles > 1)
      {
        load_tile<Aligned>(own + step, coming);
      }
      pieces_fold folded;
      REHEAT_UNROLL
      for (unsigned p = 0; p < pieces; ++p)
      {
        in_.append(held[p], p * cfg.block_threads * piece_items, own_, folded.of_piece(p));
      }
      sum.push(in_.widen(folded.total(own_), own, own_), own_);
    }
  }

  template <bool Aligned>
  REHEAT_DEVICE void load_tile(std::uint64_t own, loaded (&held)[pieces])
  {
    REHEAT_UNROLL
    for (unsigned p = 0; p < pieces; ++p)
    {
      in_.template load<Aligned>(own, p * cfg.block_threads * piece_items, own_, held[p]);
    }
  }

  Pieces in_;
  std::uint64_t items_;
  own_op own_;
};

} // namespace detail
REHEAT_NAMESPACE_END

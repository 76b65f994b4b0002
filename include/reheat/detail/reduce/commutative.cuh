// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! A thread's part of a commutative reduction: it folds its vectors of each of the block's tiles. kernel.cuh says how they
//! associate.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/operators.cuh>
#include <reheat/detail/reduce/tuning.cuh>
#include <reheat/detail/simt/simt.cuh>
#include <reheat/detail/thread/pairwise.cuh>
#include <reheat/detail/thread/value.cuh>

#include <cstdint>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

//! A thread has `ItemsPerThread` items of a tile.
template <unsigned ItemsPerThread, class VectorInput, class Accum, class Op>
class commutative_fold
{
  static constexpr unsigned vector_items = VectorInput::items;
  static constexpr unsigned vectors = ItemsPerThread / vector_items;
  static_assert(vectors * vector_items == ItemsPerThread, "tiles consist of whole vectors");
  using own_op = thread_op<Op, Accum>;
  using local = typename own_op::local;
  using loaded = typename VectorInput::loaded;
  using tiles_fold = pairwise_accumulator<Accum, own_op::rounds ? 4 : 1>;

  //! The fold of a thread's vectors of a tile: by neighbours if operands round, otherwise from the left, which takes fewer
  //! registers.
  class vectors_fold
  {
  public:
    REHEAT_DEVICE optional_accumulator<local>& of_vector(unsigned p) { return vector_[own_op::rounds ? p : 0]; }
    REHEAT_DEVICE const local& total(own_op& op)
    {
      REHEAT_UNROLL
      for (unsigned distance = 1; own_op::rounds && distance < vectors; distance *= 2)
      {
        REHEAT_UNROLL
        for (unsigned p = 0; p + distance < vectors; p += 2 * distance)
        {
          vector_[p].append(vector_[p + distance], op);
        }
      }
      return vector_[0].value.get();
    }

  private:
    optional_accumulator<local> vector_[own_op::rounds ? vectors : 1];
  };

public:
  REHEAT_DEVICE commutative_fold(const VectorInput& in, std::uint64_t items, Op& op) : in_(in), items_(items), own_{op} {}

  //! Makes `value` the fold of the thread's vectors of tile `tile`, whose blocks have block_threads() threads. Returns how
  //! many threads have vectors; they are the first ones of the block.
  REHEAT_DEVICE unsigned fold_one(std::uint64_t tile, uninitialized<Accum>& value)
  {
    if constexpr (VectorInput::may_be_aligned)
    {
      if (in_.aligned())
      {
        return fold_one_tile<true>(tile, value);
      }
    }
    return fold_one_tile<false>(tile, value);
  }

  //! Appends the fold of the thread's vectors of `tiles` >= 1 tiles: tile `first` and every `step`-th after it, in blocks of
  //! `Threads` threads. The first tile is full, and only the last may be partial, so all threads have vectors. `PartAtOnce`
  //! is fold_part's `AtOnce`.
  template <unsigned Threads, bool PartAtOnce>
  REHEAT_DEVICE void fold_many(std::uint64_t first, std::uint64_t tiles, std::uint64_t step,
                               optional_accumulator<Accum>& fold)
  {
    if constexpr (VectorInput::may_be_aligned)
    {
      if (in_.aligned())
      {
        return fold_tiles<Threads, true, true>(first, tiles, step, fold);
      }
    }
    return fold_tiles<Threads, false, PartAtOnce>(first, tiles, step, fold);
  }

private:
  template <bool Aligned>
  REHEAT_DEVICE unsigned fold_one_tile(std::uint64_t tile, uninitialized<Accum>& value)
  {
    const unsigned threads = simt::block_threads(), most = threads * ItemsPerThread;
    const std::uint64_t begin = tile * most, left = items_ - begin, own = begin + simt::thread_index() * vector_items;
    const unsigned valid = static_cast<unsigned>(left < most ? left : most);
    if (VectorInput::template pads<Op> || valid == most)
    {
      loaded held[vectors];
      if constexpr (VectorInput::template pads<Op>)
      {
        load_padded<Aligned>(own, valid, threads, held);
      }
      else
      {
        load_whole<Aligned>(own, threads, held);
      }
      optional_accumulator<Accum> head;
      append_head(tile, head);
      value.construct(fold_whole(own, threads, held));
      if (head.has)
      {
        value.get() = own_(value.get(), head.value.get());
      }
    }
    else
    {
      fold_part<Aligned, true>(begin, valid, threads, value);
    }
    const unsigned with_items = (valid + vector_items - 1) / vector_items;
    return with_items < threads ? with_items : threads;
  }

  //! Loads the thread's vectors of a tile of `valid` items, with the identity element for absent items. Neither a branch per
  //! vector nor code for partial tiles stands between the loads and the sum: 0.2 us less for 256 items (NVIDIA H200).
  template <bool Aligned>
  REHEAT_DEVICE void load_padded(std::uint64_t own, unsigned valid, unsigned threads, loaded (&held)[vectors])
  {
    const unsigned end = end_of(valid), whole = end / vector_items, rest = end % vector_items, step = threads * vector_items;
    const unsigned thread = simt::thread_index();
    REHEAT_UNROLL
    for (unsigned p = 0; p < vectors; ++p)
    {
      if (p * threads + thread < whole)
      {
        in_.template load<Aligned>(own, p * step, own_, held[p]);
      }
      else
      {
        in_.template load_padded<Op>(own, p * step, 0, held[p]);
      }
    }
    if (rest != 0)
    {
      REHEAT_UNROLL
      for (unsigned p = 0; p < vectors; ++p)
      {
        if (p * threads + thread == whole)
        {
          in_.template load_padded<Op>(own, p * step, rest, held[p]);
        }
      }
    }
  }

  //! Returns the end of a tile's `valid` items. With the fault, it is one too far.
  REHEAT_DEVICE static unsigned end_of(unsigned valid)
  {
    return valid +
           (simt::fault_active(simt::fault::reduce_past_end) && valid < simt::block_threads() * ItemsPerThread ? 1 : 0);
  }

  template <unsigned Threads, bool Aligned, bool PartAtOnce>
  REHEAT_DEVICE void fold_tiles(std::uint64_t first, std::uint64_t tiles, std::uint64_t step,
                                optional_accumulator<Accum>& fold)
  {
    constexpr unsigned whole = Threads * ItemsPerThread;
    tiles_fold sum;
    const std::uint64_t last = (first + (tiles - 1) * step) * whole, left = items_ - last;
    const bool is_part = left < whole;
    push_whole_tiles<Threads, Aligned>(first * whole, tiles - (is_part ? 1 : 0), step * whole, sum);
    uninitialized<Accum> value;
    if (is_part && fold_part<Aligned, PartAtOnce>(last, static_cast<unsigned>(left), Threads, value))
    {
      sum.push(value.get(), own_);
    }
    sum.total(fold, own_);
    append_head(first, fold);
  }

  //! Appends the items before the first vector, in the first thread of tile 0.
  REHEAT_DEVICE void append_head(std::uint64_t tile, optional_accumulator<Accum>& fold)
  {
    if constexpr (vector_items > 1 && VectorInput::cut)
    {
      const unsigned count = in_.head();
      if (count != 0 && tile == 0 && simt::thread_index() == 0)
      {
        uninitialized<Accum> head;
        in_.fold_part(std::uint64_t{0} - count, 0, count, own_, head);
        fold.append(head.get(), own_);
      }
    }
  }

  //! Folds the thread's vectors of a partial tile: `valid` items from `first` on, shared by `threads` threads. Returns
  //! whether the thread has any. `AtOnce`: all its full vectors are loaded before the first is folded.
  template <bool Aligned, bool AtOnce>
  REHEAT_DEVICE bool fold_part(std::uint64_t first, unsigned valid, unsigned threads, uninitialized<Accum>& value)
  {
    const unsigned end = end_of(valid), thread = simt::thread_index();
    const unsigned whole = end / vector_items, rest = end % vector_items, step = threads * vector_items;
    const std::uint64_t own = first + thread * vector_items;
    loaded held[vectors];
    REHEAT_UNROLL
    for (unsigned p = 0; AtOnce && p < vectors; ++p)
    {
      if (p * threads + thread < whole)
      {
        in_.template load<Aligned>(own, p * step, own_, held[p]);
      }
    }
    bool has_rest = false;
    REHEAT_UNROLL
    for (unsigned p = 0; p < vectors; ++p)
    {
      has_rest = has_rest || (rest != 0 && p * threads + thread == whole);
    }
    uninitialized<local> last;
    if constexpr (vector_items > 1)
    {
      if (has_rest)
      {
        in_.fold_part(own, (whole - thread) * vector_items, rest, own_, last);
      }
    }
    uninitialized<local> sum[vectors];
    unsigned count = 0;
    REHEAT_UNROLL
    for (unsigned p = 0; p < vectors; ++p)
    {
      if (p * threads + thread < whole)
      {
        if constexpr (!AtOnce)
        {
          in_.template load<Aligned>(own, p * step, own_, held[p]);
        }
        optional_accumulator<local> vector;
        in_.append(held[p], p * step, own_, vector);
        sum[p].construct(vector.value.get());
        ++count;
      }
      else if (has_rest && p * threads + thread == whole)
      {
        sum[p].construct(last.get());
        ++count;
      }
    }
    if (count == 0)
    {
      return false;
    }
    fold_tree(sum, count, own_);
    value.construct(in_.widen(sum[0].get(), own, own_));
    return true;
  }

  //! Pushes `tiles` >= 1 full tiles from item `first` on, each `step` items after the last. A tile is loaded while the
  //! previous one is folded. Otherwise the compiler puts each load behind the previous fold, which costs up to 16 % (1 GB of
  //! i32, NVIDIA H200).
  template <unsigned Threads, bool Aligned>
  REHEAT_DEVICE void push_whole_tiles(std::uint64_t first, std::uint64_t tiles, std::uint64_t step, tiles_fold& sum)
  {
    std::uint64_t own = first + simt::thread_index() * vector_items;
    loaded coming[vectors];
    load_whole<Aligned>(own, Threads, coming);
    REHEAT_NO_UNROLL // loads of two tiles fill the registers
        for (; tiles > 0; --tiles, own += step)
    {
      loaded held[vectors];
      REHEAT_UNROLL
      for (unsigned p = 0; p < vectors; ++p)
      {
        held[p] = coming[p];
      }
      if (tiles > 1)
      {
        load_whole<Aligned>(own + step, Threads, coming);
      }
      sum.push(fold_whole(own, Threads, held), own_);
    }
  }

  //! Loads the thread's vectors of a full tile, shared by `threads` threads. `own` is the thread's first item.
  template <bool Aligned>
  REHEAT_DEVICE void load_whole(std::uint64_t own, unsigned threads, loaded (&held)[vectors])
  {
    REHEAT_UNROLL
    for (unsigned p = 0; p < vectors; ++p)
    {
      in_.template load<Aligned>(own, p * threads * vector_items, own_, held[p]);
    }
  }
  REHEAT_DEVICE Accum fold_whole(std::uint64_t own, unsigned threads, const loaded (&held)[vectors])
  {
    vectors_fold folded;
    REHEAT_UNROLL
    for (unsigned p = 0; p < vectors; ++p)
    {
      in_.append(held[p], p * threads * vector_items, own_, folded.of_vector(p));
    }
    return in_.widen(folded.total(own_), own, own_);
  }

  VectorInput in_;
  std::uint64_t items_;
  own_op own_;
};

} // namespace detail
REHEAT_NAMESPACE_END

// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Reductions of long segments of one size, by blocks. One launch. Shorter ones: equal_kernel.cuh.
//!
//! 1. All items are cut into shares of one size, one for each block. Where segments are many, or short, a share is a
//! segment.
//! 2. A block folds the *pieces* of segments in its share from memory to registers (rows.cuh), one after the other. It
//!    stores the result of a segment that is one piece.
//! 3. A piece of a segment that goes on in the next share is the block's *open* piece; one that ends a segment that began
//!    in another share is its *last* piece. A block has at most one of each. The block that finishes last joins them: a
//!    lane for each segment, or a warp if segments have many pieces.
//!
//! Association. That of rows.cuh in a piece, and among the open pieces of a segment where a warp joins them; a lane joins
//! from the left. Pieces follow from the types, and from the size and number of segments. Neither the architecture, the
//! number of multiprocessors, nor other work matters.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/grid/slot.cuh>
#include <reheat/detail/segmented/finish.cuh>
#include <reheat/detail/segmented/rows.cuh>
#include <reheat/detail/segmented/tuning.cuh>
#include <reheat/detail/simt/simt.cuh>
#include <reheat/detail/thread/value.cuh>
#include <reheat/detail/warp/row.cuh>

#include <cstddef>
#include <cstdint>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

//! How items are dealt out to blocks.
struct equal_shares
{
  std::uint64_t segments, size; //!< of how many items each
  std::uint64_t share;          //!< items of a block; the last one may have less

  REHEAT_HOST_DEVICE constexpr std::uint64_t items() const { return segments * size; }
  //! Whether a segment may lie in several shares.
  REHEAT_HOST_DEVICE constexpr bool are_cut() const { return share != size; }
  REHEAT_HOST_DEVICE constexpr unsigned blocks() const { return static_cast<unsigned>((items() + share - 1) / share); }
};

//! item / size. An estimate is made right: a division of 64-bit integers takes a third of a microsecond.
REHEAT_DEVICE inline std::uint64_t quotient_of(std::uint64_t item, std::uint64_t size)
{
  auto quotient = static_cast<std::uint64_t>(static_cast<double>(item) / static_cast<double>(size));
  while (quotient * size > item)
  {
    --quotient;
  }
  while (item - quotient * size >= size)
  {
    ++quotient;
  }
  return quotient;
}

template <class Accum>
equal_shares share_equal_segments(const equal_blocks_config& c, std::uint64_t segments, std::uint64_t size)
{
  constexpr std::uint64_t row = std::uint64_t{simt::warp_lanes} * row_items<Accum>::per_lane;
  const std::uint64_t whole = segments <= c.shares ? 2 * c.whole_items : c.whole_items;
  if (segments <= c.max_blocks && (size <= whole || segments >= c.many_segments))
  {
    return {segments, size, size};
  }
  const std::uint64_t even = (segments * size + c.shares - 1) / c.shares, least = even < c.min_share ? c.min_share : even;
  return {segments, size, (least + row - 1) / row * row};
}

//! Shared memory of a block.
template <class T>
struct equal_blocks_shared
{
  unsigned* is_last; //!< whether the block is the last one to finish
  T* values;         //!< [warp]

  REHEAT_EXEC_CHECK_DISABLE
  template <class Memory>
  REHEAT_HOST_DEVICE constexpr equal_blocks_shared(Memory& memory, const equal_blocks_config& c)
      : is_last(memory.template array<unsigned>(1)), values(memory.template array<T>(c.warps()))
  {}
};
template <class T>
constexpr std::size_t equal_blocks_bytes(const equal_blocks_config& c)
{
  simt::shared_counter counter;
  equal_blocks_shared<T> layout(counter, c);
  static_cast<void>(layout);
  return counter.bytes();
}

//! One block. A sink is that of segmented_block.
template <class Tuning, class Input, class Accum, class Op, class Sink>
class equal_block
{
  static constexpr equal_blocks_config cfg = Tuning{}(simt::arch);
  static constexpr unsigned warps = cfg.warps(), lane_pieces = cfg.lane_pieces;
  using folds = optional_accumulator<Accum>;

public:
  //! `pieces`: memory for an open and a last piece of each block.
  REHEAT_DEVICE equal_block(const equal_blocks_shared<Accum>& shared, Input in, const equal_shares& params, Accum* pieces,
                            Op op, Sink sink)
      : shared_(shared), in_(in), params_(params), open_(pieces), last_(pieces + simt::grid_blocks()), op_(op), sink_(sink)
  {}

  //! All threads call.
  REHEAT_DEVICE void fold_share()
  {
    run_folder<cfg.rows, Input, Accum, Op, cfg.full_batches> folder(in_, op_);
    const std::uint64_t items = params_.items(), size = params_.size;
    std::uint64_t at = simt::block_index() * params_.share;
    const std::uint64_t behind = items - at < params_.share ? items : at + params_.share;
    std::uint64_t segment = params_.are_cut() ? quotient_of(at, size) : simt::block_index(), begin = segment * size;
    while (at < behind)
    {
      const std::uint64_t end = begin + size, stop = end < behind ? end : behind;
      const folds fold = folder.fold(at, stop - at, warps, shared_.values);
      if (simt::thread_index() == 0)
      {
        if (stop != end)
        {
          construct_at(open_ + simt::block_index(), fold.value.get());
        }
        else if (at != begin)
        {
          construct_at(last_ + simt::block_index(), fold.value.get());
        }
        else
        {
          sink_.store(segment, fold.value.get(), begin);
        }
      }
      at = begin = stop;
      ++segment;
    }
  }
  //! Stores the results of segments that lie in several shares.
  REHEAT_DEVICE void join_pieces()
  {
    const std::uint64_t size = params_.size, share = params_.share;
    if (size <= (lane_pieces - 1) * share) // of lane_pieces pieces at most
    {
      const unsigned blocks = simt::grid_blocks();
      for (unsigned block = simt::thread_index() + 1; block < blocks; block += cfg.block_threads)
      {
        // The segment that has the last item of the share before.
        const std::uint64_t first = block * share, segment = quotient_of(first - 1, size), begin = segment * size;
        const std::uint64_t end = begin + size, behind = first + share;
        if (end > first && end <= behind)
        {
          folds fold;
          join_in_lane(static_cast<unsigned>(quotient_of(begin, share)), block, fold);
          store_joined(segment, block, fold);
        }
      }
      return;
    }
    run_folder<cfg.rows, const Accum*, Accum, Op> joined(open_, op_);
    for (std::uint64_t segment = simt::warp_index(); segment < params_.segments; segment += warps)
    {
      const std::uint64_t begin = segment * size;
      const auto from = static_cast<unsigned>(quotient_of(begin, share)),
                 last = static_cast<unsigned>(quotient_of(begin + size - 1, share)); // more than one behind `from`
      folds fold = joined.fold(from, last - from, 1, nullptr);
      if (simt::lane_index() == 0)
      {
        store_joined(segment, last, fold);
      }
    }
  }

private:
  //! Stores the result of a segment that ends in the share of `block`. `fold`: of its open pieces.
  REHEAT_DEVICE void store_joined(std::uint64_t segment, unsigned block, folds& fold)
  {
    fold.append(last_[block], op_);
    sink_.store(segment, fold.value.get(), segment * params_.size);
  }
  REHEAT_DEVICE void join_in_lane(unsigned from, unsigned behind, folds& fold)
  {
    uninitialized<Accum> value[lane_pieces];
    REHEAT_UNROLL
    for (unsigned i = 0; i < lane_pieces; ++i) // the loads overlap
    {
      if (from + i < behind)
      {
        value[i].construct(open_[from + i]);
      }
    }
    REHEAT_UNROLL
    for (unsigned i = 0; i < lane_pieces; ++i)
    {
      fold.append_if(from + i < behind, value[i], op_);
    }
  }

  const equal_blocks_shared<Accum>& shared_;
  Input in_;
  const equal_shares& params_;
  Accum *open_, *last_;
  Op op_;
  Sink sink_;
};

template <class Tuning, class Input, class Accum, class Op, class Sink>
REHEAT_KERNEL(Tuning{}(simt::arch).block_threads, Tuning{}(simt::arch).resident_blocks)
reduce_equal_by_blocks_kernel(Input in, equal_shares params, workspace<Accum> scratch, Op op, Sink sink)
{
  constexpr equal_blocks_config cfg = Tuning{}(simt::arch);
  simt::shared_memory memory;
  const equal_blocks_shared<Accum> shared(memory, cfg);
  simt::grid_dependency_wait(simt::unless(simt::fault::segmented_too_early));
  simt::trigger_dependent_launch();
  equal_block<Tuning, Input, Accum, Op, Sink> self(shared, in, params, scratch.values, op, sink);
  self.fold_share();
  if (params.are_cut() && is_last_to_finish(scratch.header, simt::grid_blocks(), shared.is_last))
  {
    self.join_pieces();
  }
}

} // namespace detail
REHEAT_NAMESPACE_END

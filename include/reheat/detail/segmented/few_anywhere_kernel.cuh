// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Reductions of a few segments that may lie anywhere, by exact operators, in one launch. Others: anywhere_kernel.cuh.
//!
//! 1. A block takes a segment, or up to four neighbours if there are many. A warp folds a segment that it can read at once
//!    (rows.cuh). The block folds the others, one after the other, unless they are long.
//! 2. Further blocks look at all segments. If none is long they are done. Otherwise they cut the long ones into chunks of
//!    one size, and fold them in turns. The one that finishes last folds the values of chunks, by a lane for each segment,
//!    or a warp if they are many.
//!
//! So no block has more than a short segment, or its part of all long ones. The blocks of 1. and 2. tell each other nothing.
//!
//! Association. Any. The operator is exact, so it shows in no result.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/grid/slot.cuh>
#include <reheat/detail/operators.cuh>
#include <reheat/detail/segmented/ends.cuh>
#include <reheat/detail/segmented/finish.cuh>
#include <reheat/detail/segmented/rows.cuh>
#include <reheat/detail/segmented/tuning.cuh>
#include <reheat/detail/simt/simt.cuh>
#include <reheat/detail/thread/value.cuh>
#include <reheat/detail/warp/fold.cuh>
#include <reheat/detail/warp/scan.cuh>

#include <cuda/std/functional>

#include <cstddef>
#include <cstdint>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

//! How segments are dealt out to blocks.
struct few_anywhere_params
{
  unsigned segments;
  unsigned group;            //!< neighbouring segments of a block, which folds those that are not long
  std::uint64_t whole_items; //!< of a segment that is not long, at most

  REHEAT_HOST_DEVICE constexpr unsigned groups() const { return (segments + group - 1) / group; }
};
inline few_anywhere_params deal_few_segments(const few_anywhere_config& c, unsigned segments)
{
  // Where there are nearly as many segments as blocks, a block may have a longer one: others have as much to do.
  return {segments,
          segments <= c.many_segments       ? 1u
          : segments <= 2 * c.many_segments ? 2u
                                            : 4u,
          segments >= c.many_segments / 4 && segments <= c.many_segments ? 4 * c.whole_items : c.whole_items};
}

//! Shared memory of a block.
template <class T>
struct few_anywhere_shared
{
  unsigned* is_last;     //!< whether the block is the last one to finish
  std::uint64_t* units;  //!< [warp]: of long segments
  std::uint32_t* totals; //!< [warp]: chunks
  std::uint32_t* chunks; //!< [turn], and behind it: chunks of the long segments before, in the order of turns
  T* values;             //!< [warp]

  REHEAT_EXEC_CHECK_DISABLE
  template <class Memory>
  REHEAT_HOST_DEVICE constexpr few_anywhere_shared(Memory& memory, const few_anywhere_config& c)
      : is_last(memory.template array<unsigned>(1)), units(memory.template array<std::uint64_t>(c.warps())),
        totals(memory.template array<std::uint32_t>(c.warps())),
        chunks(memory.template array<std::uint32_t>(c.max_segments + 1)), values(memory.template array<T>(c.warps()))
  {}
};
template <class T>
constexpr std::size_t few_anywhere_bytes(const few_anywhere_config& c)
{
  simt::shared_counter counter;
  few_anywhere_shared<T> layout(counter, c);
  static_cast<void>(layout);
  return counter.bytes();
}

//! One block. A sink is that of segmented_block. All threads call every member.
template <class Tuning, class Input, class Accum, class Op, class Ends, class Sink>
class few_anywhere_block
{
  static_assert(is_exact_v<Op, Accum>);
  static constexpr few_anywhere_config cfg = Tuning{}(simt::arch);
  static constexpr unsigned warps = cfg.warps(), per_thread = cfg.max_segments / cfg.block_threads;
  static_assert(per_thread * cfg.block_threads == cfg.max_segments, "each thread looks at as many");
  using folder = run_folder<cfg.rows, Input, Accum, Op, true>;
  static_assert(folder::batch_items <= cfg.whole_items, "a warp folds no long segment");
  using folds = optional_accumulator<Accum>;

  //! Where a segment lies.
  struct bounds
  {
    typename Ends::offset_type begin, end;
    REHEAT_DEVICE std::uint64_t first() const { return static_cast<std::uint64_t>(begin); }
    REHEAT_DEVICE std::uint64_t items() const
    {
      return begin < end ? static_cast<std::uint64_t>(end) - static_cast<std::uint64_t>(begin) : 0;
    }
  };

public:
  REHEAT_DEVICE few_anywhere_block(const few_anywhere_shared<Accum>& shared, Input in, const few_anywhere_params& params,
                                   Op op, Ends ends, Sink sink)
      : shared_(shared), params_(params), folder_(in, op), op_(op), ends_(ends), sink_(sink)
  {}

  //! Stores the results of a group's segments that are not long.
  REHEAT_DEVICE void reduce_group(unsigned group)
  {
    const unsigned first = group * params_.group, left = params_.segments - first,
                   count = left < params_.group ? left : params_.group, lane = simt::lane_index();
    bounds own{};
    if (lane < count) // of each warp
    {
      own = bounds_of(first + lane);
    }
    const std::uint64_t items = own.items();
    if (simt::warp_index() == 0 && lane < count && items == 0)
    {
      sink_.store_empty(first + lane, static_cast<std::uint64_t>(own.end));
    }
    std::uint32_t by_block = simt::ballot(items > folder::batch_items && items <= params_.whole_items);
    const std::uint32_t by_warp = simt::ballot(items != 0 && items <= folder::batch_items);
    for (unsigned segment = simt::warp_index(); segment < count; segment += warps)
    {
      if ((by_warp >> segment & 1) != 0)
      {
        fold_and_store(first + segment, simt::shuffle(own.first(), segment), simt::shuffle(items, segment), 1);
      }
    }
    for (; by_block != 0; by_block &= by_block - 1)
    {
      const unsigned segment = simt::highest_one(by_block & (0 - by_block));
      fold_and_store(first + segment, simt::shuffle(own.first(), segment), simt::shuffle(items, segment), warps);
    }
  }

  //! Works on the long segments as block `block` of cfg.sharing_blocks.
  REHEAT_DEVICE void share_long(unsigned block, const workspace<Accum>& scratch)
  {
    std::uint64_t items[per_thread];
    const std::uint64_t all = look_at_all(items);
    if (all == 0)
    {
      return;
    }
    size_ = (all / cfg.chunks + 1) * unit;
    count_chunks(items);
    const std::uint32_t chunks = shared_.chunks[cfg.max_segments];
    for (std::uint32_t chunk = block; chunk < chunks; chunk += cfg.sharing_blocks)
    {
      fold_chunk(chunk, scratch.values);
    }
    if (is_last_to_finish(scratch.header, cfg.sharing_blocks, shared_.is_last))
    {
      join_chunks(scratch.values);
    }
  }

private:
  //! By one warp, or by all of the block.
  REHEAT_DEVICE void fold_and_store(unsigned segment, std::uint64_t first, std::uint64_t items, unsigned with_warps)
  {
    const folds fold = folder_.fold(first, items, with_warps, shared_.values);
    if (simt::lane_index() == 0 && (with_warps == 1 || simt::warp_index() == 0))
    {
      sink_.store(segment, fold.value.get(), first);
    }
  }
  //! Items are counted in units, so that those of all segments fit 64 bits.
  static constexpr std::uint64_t unit = cfg.chunk_items;

  REHEAT_DEVICE bounds bounds_of(unsigned segment) { return {ends_.begin_of(segment), ends_.offset(segment)}; }
  //! Each thread looks at several segments, one turn after the other.
  REHEAT_DEVICE static unsigned segment_of(unsigned turn)
  {
    return turn / per_thread + turn % per_thread * cfg.block_threads;
  }
  //! Returns how many units all long segments have together. `items` gets those of the thread's, 0 if they are not long.
  REHEAT_DEVICE std::uint64_t look_at_all(std::uint64_t (&items)[per_thread])
  {
    bounds of[per_thread];
    REHEAT_UNROLL
    for (unsigned i = 0; i < per_thread; ++i) // the loads overlap
    {
      const unsigned segment = simt::thread_index() + i * cfg.block_threads;
      if (segment < params_.segments)
      {
        of[i] = bounds_of(segment);
      }
    }
    uninitialized<std::uint64_t> units;
    units.construct(0);
    REHEAT_UNROLL
    for (unsigned i = 0; i < per_thread; ++i)
    {
      const bool is_there = simt::thread_index() + i * cfg.block_threads < params_.segments;
      items[i] = is_there && of[i].items() > params_.whole_items ? of[i].items() : 0;
      units.get() += (items[i] + unit - 1) / unit;
    }
    ::cuda::std::plus<std::uint64_t> plus;
    warp_fold(units, simt::warp_lanes, plus, static_cast<std::uint64_t*>(nullptr));
    if (simt::lane_index() == 0)
    {
      shared_.units[simt::warp_index()] = units.get();
    }
    simt::sync_block(simt::unless(simt::fault::skip_units_barrier));
    std::uint64_t all = 0;
    REHEAT_UNROLL
    for (unsigned warp = 0; warp < warps; ++warp)
    {
      all += shared_.units[warp];
    }
    return all;
  }
  //! Finds out how many chunks there are before each segment.
  REHEAT_DEVICE void count_chunks(const std::uint64_t (&items)[per_thread])
  {
    std::uint32_t chunks[per_thread], sum = 0;
    REHEAT_UNROLL
    for (unsigned i = 0; i < per_thread; ++i)
    {
      chunks[i] = static_cast<std::uint32_t>((items[i] + size_ - 1) / size_);
      sum += chunks[i];
    }
    uninitialized<std::uint32_t> up_to;
    up_to.construct(sum);
    ::cuda::std::plus<std::uint32_t> plus;
    warp_inclusive_scan(up_to, simt::warp_lanes, plus, static_cast<std::uint32_t*>(nullptr));
    if (simt::lane_index() + 1 == simt::warp_lanes)
    {
      shared_.totals[simt::warp_index()] = up_to.get();
    }
    simt::sync_block(simt::unless(simt::fault::skip_chunk_totals_barrier));
    std::uint32_t before = up_to.get() - sum;
    REHEAT_UNROLL
    for (unsigned warp = 0; warp < warps; ++warp)
    {
      before += warp < simt::warp_index() ? shared_.totals[warp] : 0;
    }
    REHEAT_UNROLL
    for (unsigned i = 0; i < per_thread; ++i)
    {
      shared_.chunks[simt::thread_index() * per_thread + i] = before;
      before += chunks[i];
    }
    if (simt::thread_index() + 1 == cfg.block_threads)
    {
      shared_.chunks[cfg.max_segments] = before;
    }
    simt::sync_block(simt::unless(simt::fault::skip_chunks_barrier));
  }
  //! The turn whose segment has a chunk.
  REHEAT_DEVICE unsigned turn_of(std::uint32_t chunk) const
  {
    unsigned turn = 0, behind = cfg.max_segments; // chunks[turn] <= chunk < chunks[behind]
    while (behind - turn > 1)
    {
      const unsigned middle = (turn + behind) / 2;
      (shared_.chunks[middle] <= chunk ? turn : behind) = middle;
    }
    return turn;
  }
  //! Leaves the fold of a chunk.
  REHEAT_DEVICE void fold_chunk(std::uint32_t chunk, Accum* values)
  {
    const unsigned turn = turn_of(chunk);
    const bounds of = bounds_of(segment_of(turn));
    const std::uint64_t before = (chunk - shared_.chunks[turn]) * size_, left = of.items() - before;
    const folds fold = folder_.fold(of.first() + before, left < size_ ? left : size_, warps, shared_.values);
    if (simt::thread_index() == 0)
    {
      construct_at(values + chunk, fold.value.get());
    }
  }
  //! Stores the results of long segments.
  REHEAT_DEVICE void join_chunks(const Accum* values)
  {
    run_folder<cfg.rows, const Accum*, Accum, Op> joined(values, op_);
    for (unsigned first = simt::warp_index() * simt::warp_lanes; first < cfg.max_segments; first += cfg.block_threads)
    {
      const unsigned own = first + simt::lane_index();
      const std::uint32_t own_chunk = shared_.chunks[own], count = shared_.chunks[own + 1] - own_chunk;
      if (count != 0 && count <= cfg.lane_chunks)
      {
        store_joined(segment_of(own), join_in_lane(values + own_chunk, count));
      }
      for (std::uint32_t left = simt::ballot(count > cfg.lane_chunks); left != 0; left &= left - 1)
      {
        const unsigned lane = simt::highest_one(left & (0 - left));
        const folds fold = joined.fold(simt::shuffle(own_chunk, lane), simt::shuffle(count, lane), 1, nullptr);
        if (simt::lane_index() == 0)
        {
          store_joined(segment_of(first + lane), fold);
        }
      }
    }
  }
  REHEAT_DEVICE void store_joined(unsigned segment, const folds& fold)
  {
    sink_.store(segment, fold.value.get(), bounds_of(segment).first());
  }
  REHEAT_DEVICE folds join_in_lane(const Accum* values, unsigned count)
  {
    uninitialized<Accum> value[cfg.lane_chunks];
    REHEAT_UNROLL
    for (unsigned i = 0; i < cfg.lane_chunks; ++i) // the loads overlap
    {
      if (i < count)
      {
        value[i].construct(values[i]);
      }
    }
    folds fold;
    REHEAT_UNROLL
    for (unsigned i = 0; i < cfg.lane_chunks; ++i)
    {
      fold.append_if(i < count, value[i], op_);
    }
    return fold;
  }

  const few_anywhere_shared<Accum>& shared_;
  few_anywhere_params params_;
  folder folder_;
  Op op_;
  Ends ends_;
  Sink sink_;
  std::uint64_t size_; //!< of a chunk
};

template <class Tuning, class Input, class Accum, class Op, class Ends, class Sink>
REHEAT_KERNEL(Tuning{}(simt::arch).block_threads, Tuning{}(simt::arch).resident_blocks)
reduce_few_anywhere_kernel(Input in, few_anywhere_params params, workspace<Accum> scratch, Op op, Ends ends, Sink sink)
{
  constexpr few_anywhere_config cfg = Tuning{}(simt::arch);
  simt::shared_memory memory;
  const few_anywhere_shared<Accum> shared(memory, cfg);
  simt::grid_dependency_wait(simt::unless(simt::fault::segmented_too_early));
  simt::trigger_dependent_launch();
  few_anywhere_block<Tuning, Input, Accum, Op, Ends, Sink> self(shared, in, params, op, ends, sink);
  if (simt::block_index() < params.groups())
  {
    self.reduce_group(simt::block_index());
  }
  else
  {
    self.share_long(simt::block_index() - params.groups(), scratch);
  }
}

} // namespace detail
REHEAT_NAMESPACE_END

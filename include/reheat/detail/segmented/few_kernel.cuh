// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Reductions of few segments, in one launch. The number of items is on the device, so they may be short or long.
//!
//! 1. Each block looks at all segments. So all blocks know the same without telling each other.
//! 2. A warp each reduces the short ones (items_of_warp), and a block each the long ones (rows.cuh). Where there are as many
//!    blocks as segments or more, a block takes the segment of its index. That is all, unless one of them is so long that
//!    its block would be late.
//! 3. In that case long segments are cut into chunks, which blocks fold in turns. They store the values of chunks, and the
//!    block that finishes last folds those.
//!
//! Of adjacent segments the number of items is where the last one ends. If ends descend, segments may lie over each other.
//! Then there is no bound of chunks, and none are cut. Of segments that may lie anywhere, each block adds up the items.
//!
//! Association. That of rows.cuh in a segment, which a warp or a block folds, or in a chunk, and among the values of chunks.
//! Chunks, and who folds a segment, follow from the types, from the numbers of segments, of all items, and of those of the
//! longest segment, and from whether ends descend.
//! Neither the architecture, nor the number of multiprocessors, nor other work matters.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/grid/slot.cuh>
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

//! One of `parts` parts of `items` items, `least` at least.
REHEAT_HOST_DEVICE constexpr std::uint64_t share_of(unsigned parts, std::uint64_t items, std::uint64_t least)
{
  const std::uint64_t share = items / parts + 1;
  return share < least ? least : share;
}
//! There is a chunk for each share of the items at most, and one for each long segment.
constexpr unsigned max_chunks(const segmented_config& c)
{
  return c.few_chunks + c.few_segments;
}

//! What a block finds out about segments that may lie anywhere.
struct segment_totals
{
  std::uint64_t items, longest;
};
struct join_totals
{
  REHEAT_DEVICE segment_totals operator()(const segment_totals& a, const segment_totals& b) const
  {
    return {a.items + b.items, a.longest < b.longest ? b.longest : a.longest};
  }
};

//! Shared memory of a block.
template <class T>
struct few_segments_shared
{
  unsigned* words;       //!< [warp]
  std::uint32_t* chunks; //!< [turn], and behind it: chunks of the long segments before, in the order of turns
  std::uint32_t* totals; //!< [warp]: chunks
  segment_totals* found; //!< [warp]
  T* values;             //!< [warp]

  REHEAT_EXEC_CHECK_DISABLE
  template <class Memory>
  REHEAT_HOST_DEVICE constexpr few_segments_shared(Memory& memory, const segmented_config& c)
      : words(memory.template array<unsigned>(c.warps())), chunks(memory.template array<std::uint32_t>(c.few_segments + 1)),
        totals(memory.template array<std::uint32_t>(c.warps())), found(memory.template array<segment_totals>(c.warps())),
        values(memory.template array<T>(c.warps()))
  {}
};
template <class T>
constexpr std::size_t few_segments_bytes(const segmented_config& c)
{
  simt::shared_counter counter;
  few_segments_shared<T> layout(counter, c);
  static_cast<void>(layout);
  return counter.bytes();
}

//! One block. A sink is that of segmented_block. few_scan_kernel.cuh scans with what it finds out.
template <class Tuning, class Input, class Accum, class Op, class Ends, class Sink>
class few_segments_block
{
protected:
  static constexpr segmented_config cfg = Tuning{}(simt::arch);
  static constexpr unsigned warps = cfg.warps(), per_thread = cfg.few_segments / cfg.block_threads;
  static_assert(per_thread * cfg.block_threads == cfg.few_segments, "each thread looks at as many");
  using folder = run_folder<cfg.rows, Input, Accum, Op>;
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
  REHEAT_DEVICE few_segments_block(const few_segments_shared<Accum>& shared, Input in, unsigned segments, Op op, Ends ends,
                                   Sink sink)
      : shared_(shared), in_(in), segments_(segments), folder_(in, op), op_(op), ends_(ends), sink_(sink)
  {}

  //! All threads call.
  REHEAT_DEVICE void reduce(const workspace<Accum>& scratch)
  {
    std::uint64_t items[per_thread];
    if (look_at_all(items))
    {
      if (!takes_own())
      {
        count_chunks(items);
      }
      reduce_long(scratch.values);
    }
    reduce_short();
    if (in_chunks_ && is_last_to_finish(scratch.header, simt::grid_blocks(), shared_.totals))
    {
      join_chunks(scratch.values);
    }
  }

protected:
  static constexpr bool anywhere = is_each_v<Ends>;
  //! Segments of more items are not cut. Of so many each, the number of all items fits 64 bits.
  static constexpr std::uint64_t countable = ~std::uint64_t{0} / cfg.few_segments;

  //! Items between the last address before a segment that is a multiple of 16 bytes, and the segment.
  REHEAT_DEVICE unsigned items_past(const bounds& of) const { return items_past_alignment<Accum>(in_, of.first()); }
  //! The items of a segment that may lie anywhere, and those past alignment before it.
  REHEAT_DEVICE std::uint64_t items_and_past(const bounds& of) const
  {
    const std::uint64_t items = of.items();
    return items == 0 ? 0 : items + items_past(of);
  }
  REHEAT_DEVICE bounds bounds_of(unsigned segment) { return {ends_.begin_of(segment), ends_.offset(segment)}; }
  //! The longest segment that a warp reduces, if all segments have `items` items together. Where there are more segments
  //! than blocks, more bytes are on their way if each warp takes a segment than if blocks take one segment after the other.
  REHEAT_DEVICE std::uint64_t items_of_warp(std::uint64_t items) const
  {
    constexpr std::uint64_t least = folder::batch_items, most = 16 * least;
    if (anywhere || segments_ <= cfg.spans.few_spans)
    {
      return least;
    }
    const std::uint64_t twice = 2 * (items / segments_); // a longer one would hold up its warp
    return twice < least ? least : twice < most ? twice : most;
  }
  //! Whether each block takes the segment of its index, if there is one.
  REHEAT_DEVICE bool takes_own() const { return segments_ <= simt::grid_blocks() && !in_chunks_; }
  //! Each thread looks at several segments, one turn after the other.
  REHEAT_DEVICE static unsigned segment_of(unsigned turn)
  {
    return turn / per_thread + turn % per_thread * cfg.block_threads;
  }

  //! Decides whether to cut long segments into chunks. Returns whether one is long. `own_items`: of the thread's segments.
  REHEAT_DEVICE bool look_at_all(std::uint64_t (&own_items)[per_thread])
  {
    bounds of[per_thread];
    REHEAT_UNROLL
    for (unsigned i = 0; i < per_thread; ++i) // the loads overlap
    {
      const unsigned segment = simt::thread_index() + i * cfg.block_threads;
      if (i * cfg.block_threads < segments_) // of all threads
      {
        of[i] = bounds_of(segment < segments_ ? segment : 0);
      }
    }
    std::uint64_t items = anywhere ? 0 : bounds{ends_.begin_of(0), ends_.offset(segments_ - 1)}.items();
    const std::uint64_t most = share_of(cfg.few_shares, items, cfg.whole_items);
    warp_items_ = items_of_warp(items);
    bool is_long = false, is_too_long = false, descends = false;
    REHEAT_UNROLL
    for (unsigned i = 0; i < per_thread; ++i)
    {
      const bool is_there = simt::thread_index() + i * cfg.block_threads < segments_;
      own_items[i] = !is_there ? 0 : anywhere ? items_and_past(of[i]) : of[i].items();
      is_long |= own_items[i] > warp_items_;
      is_too_long |= own_items[i] > most && own_items[i] > warp_items_;
      descends |= is_there && of[i].end < of[i].begin;
    }
    if constexpr (anywhere)
    {
      total(own_items);
    }
    const unsigned found =
        of_block((simt::any(is_long) ? 1u : 0u) | (simt::any(is_too_long) ? 2u : 0u) | (simt::any(descends) ? 4u : 0u));
    in_chunks_ = (found & 6) == 2;
    if constexpr (anywhere)
    {
      const segment_totals all = total_of_block();
      items = all.items;
      in_chunks_ = all.longest > share_of(cfg.few_shares, items, cfg.whole_items) && all.longest > folder::batch_items &&
                   all.longest <= countable;
    }
    size_ = in_chunks_ ? share_of(cfg.few_chunks, items, cfg.chunk_items) : ~std::uint64_t{0};
    return (found & 1) != 0;
  }
  //! Leaves what the warp finds out.
  REHEAT_DEVICE void total(const std::uint64_t (&items)[per_thread])
  {
    segment_totals own{};
    join_totals join;
    REHEAT_UNROLL
    for (unsigned i = 0; i < per_thread; ++i)
    {
      own = join(own, {items[i], items[i]});
    }
    uninitialized<segment_totals> all;
    all.construct(own);
    warp_fold(all, simt::warp_lanes, join, static_cast<segment_totals*>(nullptr));
    if (simt::lane_index() == 0)
    {
      shared_.found[simt::warp_index()] = all.get();
    }
  }
  //! What all warps have left. There is a barrier before it, in of_block.
  REHEAT_DEVICE segment_totals total_of_block() const
  {
    segment_totals all{};
    REHEAT_UNROLL
    for (unsigned warp = 0; warp < warps; ++warp)
    {
      all = join_totals{}(all, shared_.found[warp]);
    }
    return all;
  }
  //! The bits that any warp has.
  REHEAT_DEVICE unsigned of_block(unsigned own)
  {
    if (simt::lane_index() == 0)
    {
      shared_.words[simt::warp_index()] = own;
    }
    simt::sync_block(simt::unless(simt::fault::skip_long_barrier));
    unsigned all = 0;
    REHEAT_UNROLL
    for (unsigned warp = 0; warp < warps; ++warp)
    {
      all |= shared_.words[warp];
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
      chunks[i] = items[i] <= warp_items_ ? 0
                  : items[i] <= size_     ? 1
                                          : static_cast<std::uint32_t>((items[i] + size_ - 1) / size_);
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
    simt::sync_block();
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
      shared_.chunks[cfg.few_segments] = before;
    }
    simt::sync_block(simt::unless(simt::fault::skip_chunks_barrier));
  }

  REHEAT_DEVICE void reduce_short()
  {
    const unsigned step = simt::grid_blocks() * warps;
    for (unsigned segment = simt::block_index() + simt::warp_index() * simt::grid_blocks(); segment < segments_;
         segment += step)
    {
      const bounds own = bounds_of(segment);
      if (own.items() == 0)
      {
        if (simt::lane_index() == 0)
        {
          sink_.store_empty(segment, static_cast<std::uint64_t>(own.end));
        }
      }
      else if (own.items() <= warp_items_)
      {
        const folds fold = folder_.fold(own.first(), own.items(), 1, nullptr);
        if (simt::lane_index() == 0)
        {
          sink_.store(segment, fold.value.get(), own.first());
        }
      }
    }
  }

  //! The turn whose segment has a chunk.
  REHEAT_DEVICE unsigned turn_of(std::uint32_t chunk) const
  {
    unsigned turn = 0, behind = cfg.few_segments; // chunks[turn] <= chunk < chunks[behind]
    while (behind - turn > 1)
    {
      const unsigned middle = (turn + behind) / 2;
      (shared_.chunks[middle] <= chunk ? turn : behind) = middle;
    }
    return turn;
  }

  //! A chunk of a long segment.
  struct long_chunk
  {
    unsigned segment;
    bounds of;            //!< the segment
    std::uint64_t before; //!< its items in earlier chunks
    bool whole;           //!< it is all of the segment
  };
  REHEAT_DEVICE long_chunk find_chunk(std::uint32_t chunk)
  {
    if (takes_own())
    {
      return {chunk, bounds_of(chunk), 0, true};
    }
    const unsigned turn = turn_of(chunk), segment = segment_of(turn);
    const std::uint32_t first = shared_.chunks[turn];
    const bool whole = shared_.chunks[turn + 1] - first == 1;
    return {segment, bounds_of(segment), whole ? 0 : (chunk - first) * size_, whole};
  }
  //! The block folds a chunk.
  REHEAT_DEVICE void fold_chunk(const long_chunk& own, std::uint32_t chunk, Accum* values)
  {
    const std::uint64_t left = own.of.items() - own.before;
    const folds fold = folder_.fold(own.of.first() + own.before, left < size_ ? left : size_, warps, shared_.values);
    if (simt::thread_index() != 0)
    {
      return;
    }
    if (own.whole)
    {
      sink_.store(own.segment, fold.value.get(), own.of.first());
    }
    else
    {
      construct_at(values + chunk, fold.value.get());
    }
  }
  //! Blocks fold chunks in turns, or each its own segment if that is long. `values` gets those of segments with several.
  REHEAT_DEVICE void reduce_long(Accum* values)
  {
    const bool own_only = takes_own();
    const std::uint32_t chunks = own_only ? segments_ : shared_.chunks[cfg.few_segments];
    for (std::uint32_t chunk = simt::block_index(); chunk < chunks; chunk += simt::grid_blocks())
    {
      const long_chunk own = find_chunk(chunk);
      if (!own_only || own.of.items() > warp_items_) // a warp reduces a short segment
      {
        fold_chunk(own, chunk, values);
      }
    }
  }

  //! Stores the results of segments with several chunks, of which a warp each folds the values.
  REHEAT_DEVICE void join_chunks(const Accum* values)
  {
    run_folder<cfg.rows, const Accum*, Accum, Op> joined(values, op_);
    for (unsigned first = simt::warp_index() * simt::warp_lanes; first < cfg.few_segments; first += cfg.block_threads)
    {
      const unsigned own = first + simt::lane_index();
      std::uint32_t left = simt::ballot(shared_.chunks[own + 1] - shared_.chunks[own] > 1);
      for (; left != 0; left &= left - 1)
      {
        const unsigned turn = first + simt::highest_one(left & (0 - left)), segment = segment_of(turn);
        const std::uint32_t chunk = shared_.chunks[turn];
        const folds fold = joined.fold(chunk, shared_.chunks[turn + 1] - chunk, 1, nullptr);
        if (simt::lane_index() == 0)
        {
          sink_.store(segment, fold.value.get(), bounds_of(segment).first());
        }
      }
    }
  }

  const few_segments_shared<Accum>& shared_;
  Input in_;
  unsigned segments_;
  folder folder_;
  Op op_;
  Ends ends_;
  Sink sink_;
  std::uint64_t warp_items_; //!< a warp reduces segments of so many at most
  bool in_chunks_;           //!< the longest segments are cut
  std::uint64_t size_;       //!< of a chunk
};

template <class Tuning, class Input, class Accum, class Op, class Ends, class Sink>
REHEAT_KERNEL(Tuning{}(simt::arch).block_threads, Tuning{}(simt::arch).resident_blocks)
reduce_few_segments_kernel(Input in, unsigned segments, workspace<Accum> scratch, Op op, Ends ends, Sink sink)
{
  constexpr segmented_config cfg = Tuning{}(simt::arch);
  simt::shared_memory memory;
  const few_segments_shared<Accum> shared(memory, cfg);
  simt::grid_dependency_wait(simt::unless(simt::fault::segmented_too_early));
  simt::trigger_dependent_launch();
  few_segments_block<Tuning, Input, Accum, Op, Ends, Sink>(shared, in, segments, op, ends, sink).reduce(scratch);
}

} // namespace detail
REHEAT_NAMESPACE_END

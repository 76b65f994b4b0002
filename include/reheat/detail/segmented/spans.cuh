// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! How the items and the ends of segments are divided among blocks.
//!
//! Items and ends are merged: an end stands behind the items up to it. Each has a cost (segmented_costs), and a *span* is a
//! run of this sequence. All spans cost the same, however long or short segments are, and although some may be empty. (The
//! idea is that of merge path: Odeh and others, 2012; Merrill and Garland used it for sparse matrices, 2016.)
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/segmented/ends.cuh>
#include <reheat/detail/simt/simt.cuh>

#include <cstddef>
#include <cstdint>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

//! What an item and the end of a segment cost: bytes that move.
template <std::size_t ItemBytes>
struct segmented_costs
{
  static constexpr std::uint64_t item = ItemBytes, end = 16;
  static constexpr bool whole_rounds = false;
};

//! The same for scans: items move twice, and of an end the offset.
template <std::size_t ItemBytes>
struct segmented_scan_costs
{
  static constexpr std::uint64_t item = 2 * ItemBytes, end = 8;
  static constexpr bool whole_rounds = true;
};

//! A place in the sequence of items and ends.
struct segmented_place
{
  std::uint64_t item;    //!< items before it
  std::uint64_t segment; //!< ends before it
};

//! How finely a sequence is divided: into few_spans, but none that costs less than min_cost. Where these would cost more
//! than large_cost, there are more of them, up to max_spans, so that blocks that are slower than others hold up less. With
//! Costs::whole_rounds there are then a multiple of few_spans, which is how many blocks run at a time.
struct span_limits
{
  unsigned few_spans, max_spans;
  std::uint64_t min_cost, large_cost;
};

//! The sequence of all items and ends, and its division. `Costs` is segmented_costs.
template <class Costs>
class span_division
{
public:
  //! A span costs at least what an item or an end costs, so none is empty. There are no items if the last end lies before
  //! the first segment.
  REHEAT_HOST_DEVICE span_division(std::uint64_t items, std::uint64_t segments, const span_limits& limits)
      : items_(items >> 63 != 0 ? 0 : items), total_(items_ * Costs::item + segments * Costs::end)
  {
    const std::uint64_t few = (total_ + limits.few_spans - 1) / limits.few_spans;
    const std::uint64_t many = (total_ + limits.max_spans - 1) / limits.max_spans;
    cost_ = few < limits.min_cost      ? limits.min_cost
            : few < limits.large_cost  ? few
            : Costs::whole_rounds      ? cost_in_rounds(limits)
            : many < limits.large_cost ? limits.large_cost
                                       : many;
  }

  REHEAT_HOST_DEVICE unsigned spans() const { return static_cast<unsigned>((total_ + cost_ - 1) / cost_); }
  //! The cost of everything before span `span`.
  REHEAT_DEVICE std::uint64_t cost_before(unsigned span) const
  {
    const std::uint64_t cost = span * cost_;
    return cost < total_ ? cost : total_;
  }
  //! Whether the end of a segment at position `end` lies within the first `cost` of the sequence.
  REHEAT_DEVICE static bool is_before(std::uint64_t end, std::uint64_t segment, std::uint64_t cost)
  {
    return end * Costs::item + (segment + 1) * Costs::end <= cost;
  }
  //! The place behind the first `cost` of the sequence, in which `segment` ends are. The segment there ends at `end`.
  REHEAT_DEVICE segmented_place place(std::uint64_t cost, std::uint64_t segment, std::uint64_t end) const
  {
    const std::uint64_t item = (cost - segment * Costs::end) / Costs::item;
    const std::uint64_t most = end < items_ ? end : items_; // ends that descend may lie behind all items
    return {item < most ? item : most, segment};
  }
  //! About the items before that place, if no more are left of the segment: too many where it lies within an end's cost.
  REHEAT_DEVICE std::uint64_t items_before(std::uint64_t cost, std::uint64_t segment) const
  {
    const std::uint64_t ends = segment * Costs::end, item = cost < ends ? 0 : (cost - ends) / Costs::item;
    return item < items_ ? item : items_;
  }
  REHEAT_DEVICE std::uint64_t items() const { return items_; }

private:
  REHEAT_HOST_DEVICE std::uint64_t cost_in_rounds(const span_limits& limits) const
  {
    const std::uint64_t wanted =
        (total_ + limits.large_cost * limits.few_spans - 1) / (limits.large_cost * limits.few_spans);
    const std::uint64_t most = limits.max_spans / limits.few_spans,
                        spans = (wanted < most ? wanted : most) * limits.few_spans;
    return (total_ + spans - 1) / spans;
  }

  std::uint64_t items_, total_, cost_;
};

//! Where a span begins and ends, and what the search for it has seen of the offsets there.
struct span_bounds
{
  segmented_place first, last;
  std::uint64_t start; //!< of the segment that is open at `first`
  bool descends;       //!< the spans do not cover all segments: an end lies before the one before it
};

//! Shared memory of span_finder.
struct span_search
{
  static constexpr unsigned max_warps = 8;
  unsigned before[2][max_warps];              //!< [place][warp]: how many of the warp's candidates lie before the place
  std::uint64_t end_before[2], end_behind[2]; //!< [place]: the positions of the ends next to the place
};

//! What a span has at most, as far as the first round of a search knows.
struct span_outline
{
  std::uint64_t first_item, behind_items;
  std::uint64_t first_segment, behind_segments; //!< those that end in the span
};

//! Finds both ends of a span. All threads call. A round narrows the candidates by the number of threads, where a bisection
//! halves them: each round waits for memory once.
template <unsigned Threads, class Costs, class Ends>
class span_finder
{
public:
  REHEAT_DEVICE explicit span_finder(std::uint64_t segments) : segments_(segments) {}

  //! The caller's candidate of the first round: it depends on no offset, so its load need not wait for any.
  REHEAT_DEVICE std::uint64_t first_candidate() const { return candidate(0, first_step()); }
  //! The segments from one candidate to the next one.
  REHEAT_DEVICE std::uint64_t first_step() const { return segments_ / Threads + 1; }
  //! That of the thread before the caller, or the last segment.
  REHEAT_DEVICE std::uint64_t candidate_before() const
  {
    const std::uint64_t before = first_candidate() - first_step();
    return before < segments_ ? before : segments_ - 1;
  }

  //! `prefetch(outline)` is called before a second round waits for memory.
  template <class Prefetch>
  REHEAT_DEVICE span_bounds find(const span_division<Costs>& division, unsigned span, Ends& ends, std::uint64_t base,
                                 const typename Ends::offset_type& first_offset, span_search& shared,
                                 Prefetch prefetch) const
  {
    const std::uint64_t cost[2] = {division.cost_before(span), division.cost_before(span + 1)};
    std::uint64_t low[2] = {0, 0}, high[2] = {segments_, segments_};
    if (simt::thread_index() < 2)
    {
      shared.end_before[simt::thread_index()] = 0;
      shared.end_behind[simt::thread_index()] = division.items();
    }
    bool is_first = true;
    for (std::uint64_t candidates = segments_; candidates != 0; candidates /= Threads)
    {
      std::uint64_t at[2], end[2], step[2];
      REHEAT_UNROLL
      for (unsigned p = 0; p < 2; ++p)
      {
        step[p] = (high[p] - low[p]) / Threads + 1;
        at[p] = candidate(low[p], step[p]);
        end[p] = at[p] >= high[p] ? 0 : is_first ? Ends::position(first_offset, base) : end_of(ends, at[p], base);
      }
      REHEAT_UNROLL
      for (unsigned p = 0; p < 2; ++p)
      {
        const unsigned votes = simt::ballot(at[p] < high[p] && division.is_before(end[p], at[p], cost[p]));
        if (simt::lane_index() == 0)
        {
          shared.before[p][simt::warp_index()] = simt::count_ones(votes);
        }
      }
      simt::sync_block(simt::unless(simt::fault::skip_search_barrier));
      REHEAT_UNROLL
      for (unsigned p = 0; p < 2; ++p)
      {
        unsigned count = 0;
        REHEAT_UNROLL
        for (unsigned warp = 0; warp < Threads / simt::warp_lanes; ++warp)
        {
          count += shared.before[p][warp];
        }
        if (simt::thread_index() + 1 == count)
        {
          shared.end_before[p] = end[p];
        }
        if (simt::thread_index() == count && at[p] < high[p])
        {
          shared.end_behind[p] = end[p];
        }
        low[p] += count * step[p];
        high[p] = low[p] + step[p] - 1 < high[p] ? low[p] + step[p] - 1 : high[p];
      }
      simt::sync_block(); // the counts have been read, and the positions are there
      if (is_first && candidates >= Threads)
      {
        prefetch(
            span_outline{division.items_before(cost[0], high[0]), division.items_before(cost[1], low[1]), low[0], high[1]});
      }
      is_first = false;
    }
    return {division.place(cost[0], low[0], shared.end_behind[0]), division.place(cost[1], low[1], shared.end_behind[1]),
            shared.end_before[0], (span == 0 && low[0] != 0) || (span + 1 == division.spans() && low[1] != segments_)};
  }

private:
  static_assert(Threads / simt::warp_lanes <= span_search::max_warps, "a count per warp");

  REHEAT_DEVICE static std::uint64_t candidate(std::uint64_t low, std::uint64_t step)
  {
    return low + (simt::thread_index() + 1) * step - 1;
  }

  std::uint64_t segments_;
};

//! The place between two spans, and the positions of the ends next to it.
struct span_border
{
  segmented_place place;
  std::uint64_t end_before, end_behind;
};

//! Finds borders, one at a time. All lanes of a warp call, and get the same. Where many spans are found at a time, a warp
//! for each is faster than a block, although it makes more rounds.
template <class Costs, class Ends>
class border_finder
{
public:
  REHEAT_DEVICE explicit border_finder(std::uint64_t segments) : segments_(segments) {}

  //! As span_finder's.
  REHEAT_DEVICE std::uint64_t first_candidate() const { return candidate(0, first_step()); }
  REHEAT_DEVICE std::uint64_t first_step() const { return segments_ / simt::warp_lanes + 1; }

  //! The border behind the first `cost` of the sequence.
  REHEAT_DEVICE span_border find(const span_division<Costs>& division, std::uint64_t cost, Ends& ends, std::uint64_t base,
                                 const typename Ends::offset_type& first_offset) const
  {
    std::uint64_t low = 0, high = segments_, end_before = 0, end_behind = division.items();
    bool is_first = true;
    for (std::uint64_t candidates = segments_; candidates != 0; candidates /= simt::warp_lanes)
    {
      const std::uint64_t step = (high - low) / simt::warp_lanes + 1, at = candidate(low, step);
      const std::uint64_t end = at >= high ? 0 : is_first ? Ends::position(first_offset, base) : end_of(ends, at, base);
      is_first = false;
      const unsigned count = simt::count_ones(simt::ballot(at < high && division.is_before(end, at, cost)));
      end_before = count == 0 ? end_before : simt::shuffle(end, count - 1);
      low += count * step;
      const std::uint64_t next = low + step - 1; // the first candidate that is not before the border
      if (next < high)
      {
        end_behind = simt::shuffle(end, count);
        high = next;
      }
    }
    return {division.place(cost, low, end_behind), end_before, end_behind};
  }

private:
  REHEAT_DEVICE static std::uint64_t candidate(std::uint64_t low, std::uint64_t step)
  {
    return low + (simt::lane_index() + 1) * step - 1;
  }

  std::uint64_t segments_;
};

} // namespace detail
REHEAT_NAMESPACE_END

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
#include <reheat/detail/simt/simt.cuh>

#include <cstdint>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

//! A place in the sequence of items and ends.
struct segmented_place
{
  std::uint64_t item;    //!< items before it
  std::uint64_t segment; //!< ends before it
};

//! The sequence of all items and ends, and its division. `Costs` is segmented_costs.
template <class Costs>
class span_division
{
public:
  //! At most `max_spans` spans. Each costs `min_cost` at least, which is no less than what an item or an end costs: no span
  //! is empty.
  REHEAT_HOST_DEVICE span_division(std::uint64_t items, std::uint64_t segments, unsigned max_spans, std::uint64_t min_cost)
      : items_(items), segments_(segments), total_(items * Costs::item + segments * Costs::end)
  {
    const std::uint64_t even = (total_ + max_spans - 1) / max_spans;
    cost_ = even > min_cost ? even : min_cost;
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
    return {item < end ? item : end, segment};
  }
  REHEAT_DEVICE std::uint64_t items() const { return items_; }
  REHEAT_DEVICE std::uint64_t segments() const { return segments_; }

private:
  std::uint64_t items_, segments_, total_, cost_;
};

//! Finds both ends of a span: half of the block's threads look for each. A round narrows the candidates by the number of
//! these threads, where a bisection halves them: each round waits for memory once. `counts` is shared memory of a word per
//! warp; all threads call. Returns the place of the caller's half; thread 0 is in the first half, the last thread in the
//! second one.
template <unsigned Threads, class Costs, class Ends>
REHEAT_DEVICE segmented_place find_place(const span_division<Costs>& division, std::uint64_t cost, Ends& ends,
                                         std::uint64_t base, unsigned* counts)
{
  constexpr unsigned half = Threads / 2, half_warps = half / simt::warp_lanes;
  static_assert(half % simt::warp_lanes == 0, "a warp looks for one place");
  const unsigned thread = simt::thread_index() % half, first_warp = simt::thread_index() / half * half_warps;
  std::uint64_t low = 0, high = division.segments();
  // Both halves make as many rounds.
  for (std::uint64_t candidates = high; candidates != 0; candidates /= half)
  {
    const std::uint64_t step = (high - low) / half + 1;
    const std::uint64_t pivot = low + (thread + 1) * step - 1;
    const bool before = pivot < high && division.is_before(ends.end(pivot, base), pivot, cost);
    const unsigned votes = simt::ballot(before);
    if (simt::lane_index() == 0)
    {
      counts[simt::warp_index()] = simt::count_ones(votes);
    }
    simt::sync_block();
    unsigned count = 0;
    for (unsigned warp = 0; warp < half_warps; ++warp)
    {
      count += counts[first_warp + warp];
    }
    simt::sync_block();
    low += count * step;
    high = low + step - 1 < high ? low + step - 1 : high;
  }
  return division.place(cost, low, low < division.segments() ? ends.end(low, base) : division.items());
}

} // namespace detail
REHEAT_NAMESPACE_END

// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! How a block that has a segment's end gets the segment's items in the spans before: it looks back at the slots of these
//! spans, from its own to the one in which the segment begins.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/grid/slot.cuh>
#include <reheat/detail/grid/slot_fold.cuh>
#include <reheat/detail/segmented/carry.cuh>
#include <reheat/detail/segments/segments.cuh>
#include <reheat/detail/simt/simt.cuh>
#include <reheat/detail/thread/value.cuh>
#include <reheat/detail/warp/fold.cuh>

#include <cstdint>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

//! Folds spans from the right to the left. One warp; all lanes call.
template <class T, class Op>
class span_look_back
{
  using fold = run_fold<T>;

  //! Rows of 32 spans that a trip to memory reads, behind the first trip. A row: the lanes' spans descend. Eight rows spill
  //! registers: sums of 2^20 u32 by a power law take 1.12 times as long (NVIDIA H200).
  static constexpr unsigned max_rows = slot_traits<fold>::words <= 2 ? 4 : 2;

  //! Its left operand stands to the right.
  struct flipped
  {
    segmented_op<Op> op;
    REHEAT_DEVICE fold operator()(const fold& right, const fold& left) { return op(left, right); }
  };

public:
  REHEAT_DEVICE span_look_back(const slot_array<fold>& slots, Op op, fold* scratch)
      : slots_(slots), op_{segmented_op<Op>{op}}, scratch_(scratch)
  {}

  //! Lane 0 gets what is open before span `span` >= 1, in which a segment ends that began before. Waits for no span before
  //! the one in which that segment begins.
  REHEAT_DEVICE void run(unsigned span, uninitialized<fold>& result)
  {
    end_ = span;
    is_first_ = true;
    begun_ = false;
    while (!begun_ && end_ != 0)
    {
      const unsigned rows = is_first_ ? 1 : max_rows;
      slot_reading<fold> reading[max_rows];
      const unsigned behind = end_;
      REHEAT_UNROLL
      for (unsigned r = 0; r < max_rows; ++r) // the loads overlap
      {
        if (r < rows && is_there(behind, r))
        {
          slots_.read(span_of(behind, r), reading[r]);
        }
      }
      bool goes_on = true;
      REHEAT_UNROLL
      for (unsigned r = 0; r < max_rows; ++r)
      {
        if (goes_on && r < rows && !begun_ && end_ != 0)
        {
          goes_on = fold_row(behind, r, reading[r], result);
        }
      }
      if (!goes_on)
      {
        simt::backoff();
      }
    }
  }

private:
  REHEAT_DEVICE static unsigned span_of(unsigned behind, unsigned row)
  {
    return behind - 1 - row * simt::warp_lanes - simt::lane_index();
  }
  REHEAT_DEVICE static bool is_there(unsigned behind, unsigned row)
  {
    return row * simt::warp_lanes + simt::lane_index() < behind;
  }

  //! Folds a row, up to the span in which the segment begins. Returns whether the spans that it needs were published.
  REHEAT_DEVICE bool fold_row(unsigned behind, unsigned row, const slot_reading<fold>& reading, uninitialized<fold>& result)
  {
    uninitialized<fold> own;
    const bool ready = is_there(behind, row) && slots_.ready(reading);
    if (ready)
    {
      slots_.value(span_of(behind, row), reading, own);
    }
    const std::uint32_t published = simt::ballot(ready), begins = simt::ballot(ready && own.get().boundaries.inside());
    const unsigned left = end_ < simt::warp_lanes ? end_ : simt::warp_lanes;
    const std::uint32_t nearest = begins & (0 - begins);
    const unsigned valid = begins == 0 ? left : simt::highest_one(nearest) + 1;
    const std::uint32_t needed = valid == simt::warp_lanes ? ~0u : (1u << valid) - 1;
    if ((published & needed) != needed)
    {
      return false;
    }
    warp_fold(own, valid, op_, scratch_);
    if (simt::lane_index() == 0)
    {
      result.construct(is_first_ ? own.get() : op_(result.get(), own.get()));
    }
    is_first_ = false;
    begun_ = begins != 0 || simt::fault_active(simt::fault::look_at_one_row);
    end_ -= valid;
    return true;
  }

  slot_array<fold> slots_;
  flipped op_;
  fold* scratch_;
  unsigned end_;  //!< behind the spans that are to be folded
  bool is_first_; //!< nothing is folded yet
  bool begun_;    //!< the segment begins in the last span that was folded
};

//! Waits until all `spans` spans are published. All warps but the first one of a block of `Warps` call.
template <unsigned Warps, class Fold>
REHEAT_DEVICE void wait_for_spans(const slot_array<Fold>& slots, unsigned spans)
{
  constexpr unsigned step = (Warps - 1) * simt::warp_lanes;
  const auto row_from = [&](unsigned first)
  {
    const unsigned left = first < spans ? spans - first : 0;
    return slot_row<1, Fold>(slots, first, left < simt::warp_lanes ? left : simt::warp_lanes);
  };
  for (unsigned first = (simt::warp_index() - 1) * simt::warp_lanes; first < spans; first += 2 * step)
  {
    auto row = row_from(first), next = row_from(first + step);
    wait_for_slots(row, next);
  }
}

} // namespace detail
REHEAT_NAMESPACE_END

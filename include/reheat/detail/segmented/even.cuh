// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! How blocks share segments by their number, where no share has many more items than others.
//!
//! A block takes whole segments. So it finds its items by two offsets, with one round trip to memory, and needs nothing of
//! other blocks. Whether shares are even is on the device alone. Each block sees it in offsets that a search for spans loads
//! first in any case, which are the same in all blocks, so all blocks decide the same. They are some of the offsets: a share
//! may have more than others, up to ten tiles of a reduction and some 27 of a scan, which looks at fewer offsets.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/segmented/ends.cuh>
#include <reheat/detail/segmented/tuning.cuh>
#include <reheat/detail/simt/simt.cuh>

#include <cstdint>
#include <type_traits>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

//! Neighbouring segments.
struct segment_share
{
  std::uint64_t first, segments;
};

//! The segments of a share, if all but the last ones have the same number.
REHEAT_HOST_DEVICE constexpr std::uint64_t segments_of_share(segmented_config c, std::uint64_t segments)
{
  return (segments + c.spans.few_spans - 1) / c.spans.few_spans;
}
//! Whether shares have few enough segments.
REHEAT_HOST_DEVICE constexpr bool may_be_even(segmented_config c, std::uint64_t segments)
{
  return segments_of_share(c, segments) <= 2 * c.window_ends;
}
//! The most items of a share on average, and how many more than on average a group of segments may have.
REHEAT_HOST_DEVICE constexpr std::uint64_t max_even_items(segmented_config c)
{
  return 2 * c.tile_items();
}
//! Whether shares of segments of one size are even.
REHEAT_HOST_DEVICE constexpr bool are_even(segmented_config c, const equal_ends& ends, std::uint64_t segments)
{
  return may_be_even(c, segments) && ends.size <= max_even_items(c) / segments_of_share(c, segments);
}

//! The shares of `segments` segments.
template <class Tuning>
class segment_shares
{
  static constexpr segmented_config cfg = Tuning{}(simt::arch);

public:
  REHEAT_DEVICE explicit segment_shares(std::uint64_t segments)
      : segments_(segments), size_(segments_of_share(cfg, segments))
  {}

  REHEAT_DEVICE bool may_be_even() const { return detail::may_be_even(cfg, segments_); }
  //! Share `share`, which may be empty.
  REHEAT_DEVICE segment_share of(unsigned share) const
  {
    const std::uint64_t first = share * size_;
    return first >= segments_ ? segment_share{segments_, 0}
                              : segment_share{first, segments_ - first < size_ ? segments_ - first : size_};
  }
  //! Whether a group of segments has too many items, so that blocks take spans. A group: the `size` segments, or less,
  //! between two neighbouring candidates of a search's first round, at the positions `begin` and `end`. All segments have
  //! `items` items.
  template <class Ends>
  REHEAT_DEVICE bool is_uneven(const Ends& ends, std::uint64_t begin, std::uint64_t end, std::uint64_t size,
                               std::uint64_t items) const
  {
    if constexpr (std::is_same_v<Ends, equal_ends>)
    {
      return !are_even(cfg, ends, segments_);
    }
    if (simt::fault_active(simt::fault::see_own_share) && simt::lane_index() % simt::grid_blocks() != simt::block_index())
    {
      return false;
    }
    return items * size_ > max_even_items(cfg) * segments_ || // also where segments are fewer than blocks
           (end - begin) * segments_ > items * size + max_even_items(cfg) * segments_;
  }

private:
  std::uint64_t segments_, size_;
};

} // namespace detail
REHEAT_NAMESPACE_END

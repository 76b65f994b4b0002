// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Segmented scans and reductions as plain scans in one pass: values are read once, keys once or twice, and outputs are
//! written once.
//!
//! A *segment* is a run of neighbouring items with equal keys. The scan works on values together with the *boundaries*
//! between segments. Each item says whether a boundary follows it, so it compares its own key with the next one. The fold of
//! a range of items is the fold of its values since the last boundary inside the range, and says whether a boundary lies
//! inside and whether one follows. This operator is associative if the values' operator is, and keeps the order of operands.
//!
//! An item looks at the next key and not at the previous one because the output may overwrite the keys. Tile t + 1 is stored
//! after its prefix is known, so after tile t has published its aggregate, so after tile t was loaded. Therefore the next
//! tile's first key is still the input when tile t reads it, but the previous tile's last key may be overwritten. (Small
//! values are published without a release. None is needed: the published value was computed from that key.)
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/simt/simt.cuh>
#include <reheat/detail/thread/items.cuh>
#include <reheat/detail/thread/value.cuh>

#include <cstddef>
#include <cstdint>
#include <type_traits>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

//! The boundaries of a range of items: whether one lies inside and whether one follows. They are a whole word, which folds
//! in three instructions; a byte takes 16 (inclusive scan of 2^26 i32 by key: 17 % slower, NVIDIA H200).
class boundary_flags
{
public:
  REHEAT_HOST_DEVICE boundary_flags(bool inside, bool follows) : bits_((inside ? 1u : 0u) | (follows ? 2u : 0u)) {}
  REHEAT_HOST_DEVICE bool inside() const { return (bits_ & 1) != 0; }
  REHEAT_HOST_DEVICE bool follows() const { return (bits_ & 2) != 0; }
  //! The boundaries of this range followed by `right`.
  REHEAT_DEVICE boundary_flags then(const boundary_flags& right) const
  {
    const std::uint32_t left = simt::fault_active(simt::fault::forget_boundaries) ? bits_ & 2 : bits_;
    boundary_flags both = right;
    both.bits_ |= (left | left >> 1) & 1;
    return both;
  }

private:
  std::uint32_t bits_;
};

//! How many boundaries lie inside a range of items, and, in the lowest bit, whether one follows.
template <class Word>
class boundary_counter
{
public:
  REHEAT_HOST_DEVICE boundary_counter(Word inside, bool follows) : word_(inside << 1 | (follows ? 1 : 0)) {}
  template <class Narrow>
  REHEAT_HOST_DEVICE explicit boundary_counter(const boundary_counter<Narrow>& other) : word_(other.word())
  {}
  REHEAT_HOST_DEVICE Word count() const { return word_ >> 1; }
  REHEAT_HOST_DEVICE bool inside() const { return word_ > 1; }
  REHEAT_HOST_DEVICE bool follows() const { return (word_ & 1) != 0; }
  REHEAT_HOST_DEVICE Word word() const { return word_; }
  template <class Narrow>
  REHEAT_DEVICE boundary_counter then(const boundary_counter<Narrow>& right) const
  {
    boundary_counter both = *this;
    const Word left = simt::fault_active(simt::fault::forget_boundaries) ? word_ & 1 : word_;
    const bool miscounts = simt::fault_active(simt::fault::miscount_boundaries);
    // The boundary that follows the left range lies inside the whole.
    both.word_ = (miscounts ? left & ~Word{1} : left + (left & 1)) + right.word();
    return both;
  }

private:
  Word word_;
};
//! For less than 2^31 items. With a value of 4 bytes it is 8 bytes, which pass through shuffles and slots.
using boundary_count = boundary_counter<std::uint32_t>;
//! For any number of items.
using long_boundary_count = boundary_counter<std::uint64_t>;

//! The fold of a range of items. `value` is the fold of the items since the last boundary inside the range.
template <class T, class Boundaries>
struct segmented
{
  Boundaries boundaries;
  T value;

  REHEAT_DEVICE segmented(const Boundaries& boundaries_, const T& value_) : boundaries(boundaries_), value(value_) {}
  template <class Narrow>
  REHEAT_DEVICE explicit segmented(const segmented<T, Narrow>& other) : boundaries(other.boundaries), value(other.value)
  {}
};

template <class Op>
struct segmented_op
{
  Op op;

  template <class T, class Boundaries, class Narrow>
  REHEAT_DEVICE segmented<T, Boundaries> operator()(const segmented<T, Boundaries>& x, const segmented<T, Narrow>& y)
  {
    const Boundaries both = x.boundaries.then(y.boundaries);
    const bool between = x.boundaries.follows() && !simt::fault_active(simt::fault::ignore_boundary_between);
    const bool inside = y.boundaries.inside() && !simt::fault_active(simt::fault::ignore_boundaries_inside);
    if (between || inside)
    {
      return {both, y.value};
    }
    if (simt::fault_active(simt::fault::commute_segment))
    {
      return {both, static_cast<T>(op(y.value, x.value))};
    }
    return {both, static_cast<T>(op(x.value, y.value))};
  }
};

//! Keys, and the boundaries between their segments.
template <class KeyIt, class Equal>
struct keyed_range
{
  KeyIt keys;
  std::uint64_t items;
  Equal equal;

  //! Whether the keys of item `index` and of the next item differ; false for the last item.
  REHEAT_DEVICE bool boundary_behind(std::uint64_t index)
  {
    // The last key is compared with itself: a branch around the loads would keep them from overlapping with others.
    const bool last = index + 1 >= items && !simt::fault_active(simt::fault::compare_past_end);
    const value_of<KeyIt> own = read_item(keys, index);
    const value_of<KeyIt> next = read_item(keys, last ? index : index + 1);
    return !equal(own, next) && !last;
  }
};

//! The input of inclusive scans by key and of reduce_by_key.
template <class T, class Boundaries, class KeyIt, class ValueIt, class Equal>
struct segmented_source
{
  using value_type = segmented<T, Boundaries>;
  keyed_range<KeyIt, Equal> range;
  ValueIt values;

  static constexpr bool may_look_before = std::is_same_v<Boundaries, boundary_flags>; //!< for a fault

  //! One item in a fold that does not count. `boundary`: a boundary follows the item.
  REHEAT_DEVICE static segmented<T, boundary_flags> item(const T& value, bool boundary)
  {
    if (may_look_before && simt::fault_active(simt::fault::compare_key_before))
    {
      return {boundary_flags(boundary, false), value};
    }
    return {boundary_flags(false, boundary), value};
  }

  //! The boundaries of `count` items. Bit i of `bits` says whether a boundary follows item i.
  REHEAT_DEVICE static Boundaries boundaries_of(std::uint32_t bits, unsigned count)
  {
    const bool before = may_look_before && simt::fault_active(simt::fault::compare_key_before);
    const std::uint32_t follows = before ? 0 : bits >> (count - 1) & 1;
    return Boundaries(simt::count_ones(bits) - follows, follows != 0);
  }
};

//! The input of exclusive scans by key. The last value of a segment is part of no result. The initial value of the next
//! segment takes its place, with the boundary inside.
template <class T, class KeyIt, class ValueIt, class Equal>
struct restarting_source
{
  using value_type = segmented<T, boundary_flags>;
  keyed_range<KeyIt, Equal> range;
  ValueIt values;
  T init;
  static constexpr bool may_look_before = false;

  REHEAT_DEVICE value_type item(const T& value, bool boundary) const
  {
    if (boundary)
    {
      const boundary_flags restart(!simt::fault_active(simt::fault::carry_into_segment), false);
      return {restart, simt::fault_active(simt::fault::keep_last_value) ? value : init};
    }
    return {boundary_flags(false, false), value};
  }
  REHEAT_DEVICE static boundary_flags boundaries_of(std::uint32_t bits, unsigned)
  {
    return {bits != 0 && !simt::fault_active(simt::fault::carry_into_segment), false};
  }
};

//! Stores the value without the boundaries.
template <class OutputIt>
struct value_sink
{
  OutputIt out;
};

//! The key of the first segment, where the segment begins with the input.
struct key_of_first_item
{
  template <class KeyIt>
  REHEAT_DEVICE value_of<KeyIt> load(KeyIt& keys) const
  {
    return read_item(keys, 0);
  }
};

//! Stores the last result of each segment of an inclusive scan. Each position of the outputs is written once, in no
//! particular order. A segment's key is the key of its first item, and the item before that one writes it; `FirstKey` knows
//! that of the first segment. The last item writes the number of segments.
template <class KeyIt, class KeyOutputIt, class ValueOutputIt, class CountIt, class FirstKey = key_of_first_item>
struct segment_sink
{
  KeyIt keys;
  std::uint64_t items;
  KeyOutputIt keys_out;
  ValueOutputIt values_out;
  CountIt segments;
  FirstKey first_key{};

  //! The same sink with segments counted from `segment` on: indices of neighbouring segments fit 32 bits.
  REHEAT_DEVICE segment_sink from(std::uint64_t segment) const
  {
    const auto distance = static_cast<std::ptrdiff_t>(segment);
    return {keys, items, keys_out + distance, values_out + distance, segments, first_key};
  }

  REHEAT_DEVICE void store_first_key()
  {
    if (!simt::fault_active(simt::fault::skip_first_key) && !simt::fault_active(simt::fault::key_of_last_item))
    {
      keys_out[std::ptrdiff_t{0}] = first_key.load(keys);
    }
  }
  //! Stores the value of `segment` and the key of the next segment, `next_key`.
  template <class Index, class T>
  REHEAT_DEVICE void store_end(Index segment, const T& value, const value_of<KeyIt>& next_key)
  {
    const unsigned next = simt::fault_active(simt::fault::key_of_last_item) ? 0 : 1;
    keys_out[static_cast<std::ptrdiff_t>(segment + next)] = next_key;
    values_out[static_cast<std::ptrdiff_t>(segment)] = value;
    if (simt::fault_active(simt::fault::count_at_boundaries))
    {
      store_count(segment + 1);
    }
  }
  template <class T>
  REHEAT_DEVICE void store_last(std::uint64_t segment, const T& value)
  {
    if (simt::fault_active(simt::fault::key_of_last_item))
    {
      keys_out[static_cast<std::ptrdiff_t>(segment)] = read_item(keys, items - 1);
    }
    if (!simt::fault_active(simt::fault::lose_last_segment))
    {
      values_out[static_cast<std::ptrdiff_t>(segment)] = value;
    }
    store_count(segment + 1);
  }
  REHEAT_DEVICE void store_count(std::uint64_t count) { *segments = static_cast<count_of<CountIt>>(count); }
};

} // namespace detail
REHEAT_NAMESPACE_END

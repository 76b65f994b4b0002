// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The first launch of segmented scans: it divides segments into spans, and folds what each span carries into the next one.
//! segmented/scan_kernel.cuh has the whole.
//!
//! Each warp of a block finds the border between two spans. Between 32 borders lie the 31 spans of a *group*. Then a warp
//! folds the items behind the last end of a span: its *tail*. The tails of a group are folded into what each of its spans
//! begins with, as far as that comes from the group, and into the group's own tail.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/grid/memory.cuh>
#include <reheat/detail/grid/slot.cuh>
#include <reheat/detail/segmented/carry.cuh>
#include <reheat/detail/segmented/ends.cuh>
#include <reheat/detail/segmented/even.cuh>
#include <reheat/detail/segmented/shared.cuh>
#include <reheat/detail/segmented/spans.cuh>
#include <reheat/detail/segmented/tiles.cuh>
#include <reheat/detail/segmented/tuning.cuh>
#include <reheat/detail/simt/simt.cuh>
#include <reheat/detail/thread/value.cuh>
#include <reheat/detail/warp/fold.cuh>
#include <reheat/detail/warp/row.cuh>

#include <cstddef>
#include <cstdint>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

//! What a block scans at a time. Segments [segment, last_segment) end in it.
struct segmented_scan_range
{
  std::uint64_t first, items;
  std::uint64_t segment, last_segment;
  std::uint64_t out; //!< where item `first` goes
};

//! What the first launch leaves of a span; and in the record of a group's first span, of the group.
template <class T>
struct span_carry
{
  segmented_scan_range range;
  bool continues;                      //!< its first item is of a segment that began before
  bool begins_in_group;                //!< that segment began behind an end in the group
  bool has_before;                     //!< items of that segment stand in the group before the span
  bool group_ended;                    //!< a segment ends in the group
  bool group_has_tail;                 //!< items stand behind the last end
  bool group_descends;                 //!< an end in the group lies before the one before it, if that was looked for
  uninitialized<T> before, group_tail; //!< the folds of these items
};

//! What the first launch leaves beside it.
struct scan_progress
{
  unsigned spans;  //!< 0: there are shares in place of spans (even.cuh)
  unsigned ticket; //!< the next span that no block has taken
};

template <class T>
struct segmented_scan_params
{
  std::uint64_t segments;
  bool in_spans; //!< otherwise one block scans all, or a block scans a segment at a time
  unsigned max_spans;
  unsigned blocks;                  //!< of the second launch
  std::size_t carry_bytes;          //!< of what the first launch leaves
  workspace<span_carry<T>> scratch; //!< [span], scan_progress, and behind it the blocks' arrays if they lie there

  REHEAT_DEVICE scan_progress& progress() const { return *reinterpret_cast<scan_progress*>(scratch.values + max_spans); }
};
template <class T>
constexpr std::size_t carry_bytes_of(unsigned spans)
{
  return spans * sizeof(span_carry<T>) + sizeof(scan_progress);
}

//! The first of a block's warps finds the first border.
REHEAT_HOST_DEVICE constexpr unsigned spans_of_group(const segmented_config& c)
{
  return c.carry_threads / 32 - 1;
}

//! Extends `fold` of lane 0 by a value of each of the first `valid` >= 1 lanes. All lanes of a warp call.
template <class T, class Op>
REHEAT_DEVICE void append_lanes(uninitialized<T>& value, unsigned valid, optional_accumulator<T>& fold, Op& op, T* scratch)
{
  warp_fold(value, valid, op, scratch);
  if (simt::lane_index() == 0)
  {
    fold.append(value.get(), op);
  }
}

//! Extends `fold` of lane 0 by a run of items in which no segment ends. All lanes of a warp call. `scratch` is the warp's.
template <class Accum, class Input, class Op>
REHEAT_DEVICE void warp_fold_run(Input& in, std::uint64_t first, std::uint64_t items, optional_accumulator<Accum>& fold,
                                 Op& op, Accum* scratch)
{
  if (items == 0) // the input may be a null pointer
  {
    return;
  }
  const unsigned lane = simt::lane_index();
  if constexpr (!is_bitwise_copyable_v<Accum>)
  {
    for (; items != 0; first += simt::warp_lanes)
    {
      const unsigned valid = items < simt::warp_lanes ? static_cast<unsigned>(items) : simt::warp_lanes;
      uninitialized<Accum> value;
      if (lane < valid)
      {
        value.construct(static_cast<Accum>(read_item(in, first + lane)));
      }
      append_lanes(value, valid, fold, op, scratch);
      items -= valid;
    }
  }
  else
  {
    // Each lane folds a few neighbouring vectors, so that lanes fold together the more rarely.
    constexpr unsigned in_vector = row_items<Accum>::per_lane, vectors = sizeof(Accum) <= 16 ? 4 : 1;
    constexpr unsigned per_lane = vectors * in_vector, batch = simt::warp_lanes * per_lane;
    const auto fold_batch = [&](bool aligned, unsigned most)
    {
      const unsigned size = items < most ? static_cast<unsigned>(items) : most;
      const auto count_in = [&](unsigned vector)
      {
        const unsigned before = lane * per_lane + vector * in_vector;
        return size <= before ? 0 : size - before < in_vector ? size - before : in_vector;
      };
      row_items<Accum> own[vectors];
      REHEAT_UNROLL
      for (unsigned v = 0; v < vectors; ++v) // the loads overlap
      {
        own[v].load(in, aligned, first + lane * per_lane + v * in_vector, count_in(v));
      }
      uninitialized<Accum> value;
      REHEAT_UNROLL
      for (unsigned v = 0; v < vectors; ++v)
      {
        own[v].template walk<false>(count_in(v),
                                    [&](const Accum& item, unsigned i)
                                    {
                                      if (v + i == 0)
                                      {
                                        value.construct(item);
                                      }
                                      else
                                      {
                                        value.construct(static_cast<Accum>(op(value.get(), item)));
                                      }
                                    });
      }
      append_lanes(value, (size + per_lane - 1) / per_lane, fold, op, scratch);
      first += size;
      items -= size;
    };
    const unsigned past = items_past_alignment<Accum>(in, first);
    const bool is_short = items <= batch; // one round trip, whatever the address is
    if (past != 0 && !is_short)
    {
      fold_batch(false, in_vector - past); // up to the first vector, in lane 0
    }
    const bool aligned = has_vectors<Accum>(in) && (past == 0 || !is_short);
    while (items != 0)
    {
      fold_batch(aligned, batch); // an input that is no pointer goes item by item
    }
  }
}

//! Whether an end of [first, last) lies before the one before it. All lanes of a warp call.
template <class Ends>
REHEAT_DEVICE bool warp_finds_descent(Ends& ends, std::uint64_t first, std::uint64_t last, std::uint64_t base)
{
  bool found = false;
  for (std::uint64_t i = first + simt::lane_index(); i < last; i += simt::warp_lanes)
  {
    found |= end_of(ends, i, base) < (i == 0 ? 0 : end_of(ends, i - 1, base));
  }
  return simt::any(found);
}

//! What is behind the last end of the first `spans` spans of a group, as far as it is in the group; null if nothing is. One
//! thread calls. Returns whether there is an end.
template <class T, class Op>
REHEAT_DEVICE bool fold_tails(const carries_shared<T>& shared, unsigned spans, uninitialized<T>& fold, bool& has, Op& op)
{
  unsigned begin = spans; // of the spans that no end follows in these
  while (begin != 0 && !shared.tails[begin].ended)
  {
    --begin;
  }
  optional_accumulator<T> tails;
  for (unsigned i = begin == 0 ? 1 : begin; i <= spans; ++i)
  {
    if (shared.tails[i].there)
    {
      tails.append(shared.folds[i], op);
    }
  }
  has = tails.has;
  if (has)
  {
    fold.construct(tails.value.get());
  }
  return begin != 0;
}

//! Moves a border between two spans to an item at a multiple of 128 bytes, or else of 16, if one is near enough: no end may
//! change sides. Then all tiles of the span behind it move in bulk.
template <class Accum, class Input>
REHEAT_DEVICE void align_border(Input& in, std::uint64_t base, std::uint64_t items, span_border& border)
{
  if constexpr (moves_in_vec16_v<Input, Accum> && fills_vec16_v<Accum>)
  {
    std::uint64_t& item = border.place.item;
    const std::uint64_t most = border.end_behind < items ? border.end_behind : items; // ends that descend may lie behind all
    for (const unsigned bytes : {128u, 16u})
    {
      const auto past = static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(in + base + item) % bytes / sizeof(Accum));
      const unsigned to_next = static_cast<unsigned>(bytes / sizeof(Accum)) - past;
      if (past == 0)
      {
        return;
      }
      if (item >= past && item - past >= border.end_before)
      {
        item -= past;
        return;
      }
      if (item + to_next <= most)
      {
        item += to_next;
        return;
      }
    }
  }
}

//! Blocks take a group of spans at a time.
template <class Tuning, class Input, class Accum, class Op, class Ends>
REHEAT_KERNEL(Tuning{}(simt::arch).carry_threads)
segmented_carry_kernel(Input in, segmented_scan_params<Accum> params, Op op, Ends ends)
{
  constexpr segmented_config cfg = Tuning{}(simt::arch);
  constexpr unsigned group_spans = spans_of_group(cfg);
  using costs = segmented_scan_costs<sizeof(Accum)>;
  static_assert(cfg.spans.min_cost >= costs::item && cfg.spans.min_cost >= costs::end, "no span is empty");
  auto memory = memory_of_block<cfg.in_scratch>(params.scratch, params.carry_bytes, carries_scratch_bytes<Accum>(cfg));
  const carries_shared<Accum> shared(memory, cfg);
  simt::grid_dependency_wait(simt::unless(simt::fault::segmented_too_early));
  simt::trigger_dependent_launch();
  const border_finder<costs, Ends> finder(params.segments);
  // One round trip for all offsets.
  const std::uint64_t candidate = finder.first_candidate();
  const auto offset = ends.offset(candidate < params.segments ? candidate : params.segments - 1);
  const auto last_offset = ends.offset(params.segments - 1);
  const std::uint64_t base = ends.base(), items = Ends::position(last_offset, base);
  const span_division<costs> division(items, params.segments, cfg.spans);
  const segment_shares<Tuning> shares(params.segments);
  const std::uint64_t group_end = Ends::position(offset, base), below = simt::shuffle_up(group_end, 1);
  const bool uneven = shares.is_uneven(ends, simt::lane_index() == 0 ? 0 : below, group_end, finder.first_step(), items);
  const bool even = !Ends::may_descend && shares.may_be_even() && !simt::any(uneven); // the same in all warps
  const unsigned warp = simt::warp_index(), lane = simt::lane_index();
  if (simt::block_index() == 0 && simt::thread_index() == 0)
  {
    params.progress() = {even ? 0u : division.spans(), params.blocks};
  }
  if (even) // nothing goes from one share into another
  {
    return;
  }
  for (unsigned first = simt::block_index() * group_spans; first < division.spans();
       first += simt::grid_blocks() * group_spans)
  {
    const unsigned behind = first + warp, span = behind - 1; // the warp's border is behind its span
    const bool is_there = warp != 0 && span < division.spans();
    span_tail own{finder.find(division, division.cost_before(behind), ends, base, offset), false, false, false};
    if (behind != 0 && behind < division.spans() && division.items() != 0)
    {
      align_border<Accum>(in, base, division.items(), own.border);
    }
    if (lane == 0)
    {
      shared.tails[warp].border = own.border;
    }
    simt::sync_block(simt::unless(simt::fault::skip_borders_barrier));
    const span_border begin = shared.tails[warp == 0 ? 0 : warp - 1].border;
    const segmented_place from = begin.place, to = own.border.place;
    optional_accumulator<Accum> tail;
    if (is_there)
    {
      own.ended = to.segment != from.segment;
      own.descends = to.segment < from.segment || to.item < from.item || (span == 0 && from.segment != 0) ||
                     (behind == division.spans() && to.segment != params.segments);
      if constexpr (Ends::may_descend)
      {
        own.descends |= warp_finds_descent(ends, from.segment, to.segment, base);
      }
      const std::uint64_t start = own.border.end_before < from.item ? from.item : own.border.end_before;
      warp_fold_run(in, base + start, own.descends || to.item < start ? 0 : to.item - start, tail, op,
                    shared.scratch + warp * warp_scratch_items<Accum>);
    }
    if (lane == 0)
    {
      span_tail& left = shared.tails[warp];
      left.ended = own.ended;
      left.there = tail.has && !simt::fault_active(simt::fault::lose_tail);
      left.descends = own.descends;
      if (tail.has)
      {
        construct_at(shared.folds + warp, tail.value.get());
      }
    }
    simt::sync_block(simt::unless(simt::fault::skip_tails_barrier));
    if (is_there && lane == 0)
    {
      span_carry<Accum>& carry = params.scratch.values[span];
      carry.range = {base + from.item, own.descends ? 0 : to.item - from.item, from.segment, to.segment, base + from.item};
      // An end at the first item ends the segment that is open there.
      const bool ends_there = own.ended && begin.end_behind <= from.item && !simt::fault_active(simt::fault::carry_past_end);
      carry.continues = begin.end_before < from.item && !ends_there;
      carry.begins_in_group = fold_tails(shared, warp - 1, carry.before, carry.has_before, op);
      if (warp == 1)
      {
        carry.group_ended = fold_tails(shared, group_spans, carry.group_tail, carry.group_has_tail, op);
        carry.group_descends = false;
        for (unsigned i = 1; i <= group_spans; ++i)
        {
          carry.group_descends |= shared.tails[i].descends;
        }
      }
    }
    // The barrier behind the next borders comes before the next tails.
  }
}

//! What the groups of spans carry into each other. A block goes through them in ascending order.
template <unsigned GroupSpans, class T>
class carried_groups
{
public:
  REHEAT_DEVICE explicit carried_groups(const span_carry<T>* carries) : carries_(carries) { open_.has = false; }

  //! Sets `open` to what spans before carry into span `span`. All threads call, and get the same.
  template <class Op>
  REHEAT_DEVICE void carry_into(unsigned span, optional_accumulator<T>& open, Op& op)
  {
    const span_carry<T>& own = carries_[span];
    open.has = false;
    if (!own.continues)
    {
      return;
    }
    if (!own.begins_in_group)
    {
      fold_groups_before(span / GroupSpans, op);
      open.append_if(open_.has, open_.value, op);
    }
    if (own.has_before)
    {
      open.append(own.before.get(), op);
    }
  }

private:
  //! Folds the groups' tails from the left: the association depends on no other group.
  template <class Op>
  REHEAT_DEVICE void fold_groups_before(unsigned group, Op& op)
  {
    const unsigned last_ended = behind_last_end(group);
    if (last_ended != 0)
    {
      next_ = last_ended - 1;
      open_.has = false;
    }
    for (; next_ < group; ++next_)
    {
      const span_carry<T>& carry = carries_[next_ * GroupSpans];
      if (carry.group_has_tail && !simt::fault_active(simt::fault::lose_groups))
      {
        open_.append(carry.group_tail.get(), op);
      }
    }
  }
  //! The number of groups up to the last one before `group` in which a segment ends; 0 if none from next_ on does. Each warp
  //! looks for itself, at several groups at a time.
  REHEAT_DEVICE unsigned behind_last_end(unsigned group) const
  {
    for (unsigned behind = group; behind > next_; behind = behind > simt::warp_lanes ? behind - simt::warp_lanes : 0)
    {
      const unsigned lane = simt::lane_index();
      const bool ended = lane < behind - next_ && carries_[(behind - 1 - lane) * GroupSpans].group_ended;
      const unsigned found = simt::ballot(ended);
      if (found != 0)
      {
        return behind - simt::highest_one(found & (0 - found));
      }
    }
    return 0;
  }

  const span_carry<T>* carries_;
  unsigned next_ = 0;            //!< the first group that is not in open_
  optional_accumulator<T> open_; //!< what the groups before carry behind their last end
};

//! Whether ends were found to descend in any group. All threads of a block of Threads call.
template <unsigned Threads, class Tuning, class T>
REHEAT_DEVICE bool some_group_descends(const segmented_scan_params<T>& params, unsigned* counts)
{
  constexpr unsigned group_spans = spans_of_group(Tuning{}(simt::arch));
  const unsigned spans = params.progress().spans;
  bool own = false;
  for (unsigned span = simt::thread_index() * group_spans; span < spans; span += Threads * group_spans)
  {
    own |= params.scratch.values[span].group_descends;
  }
  return any_of_block<Threads / simt::warp_lanes>(own, counts) && !simt::fault_active(simt::fault::ignore_descents);
}

} // namespace detail
REHEAT_NAMESPACE_END

// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! How one block reduces a span of long segments: each of its warps streams a part of the span from memory to registers.
//!
//! 1. Warps share the span by its cost. A warp finds its part by a search of the span's ends.
//! 2. It reads its part in rows of a vector of 16 bytes for each lane (warp/row.cuh), several at a time.
//!    A lane folds its items as long as no segment ends; where one ends, the lanes' folds are folded and stored. Between two
//!    ends no thread waits for another one. The items before the first vector and behind the last one are *edges*, an item
//!    to a lane.
//! 3. Each warp leaves a record of its part, as a block does of its span. The first warp stores the results of segments that
//!    reach from one part into others, and makes the span's record of those of the parts.
//!
//! Operands change places, and lanes without an item have the identity element. So this is for operators of numbers that
//! allow both. Short segments take a warp as long as 128 bytes of items: those belong to tiles (block.cuh).
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/operators.cuh>
#include <reheat/detail/segmented/ends.cuh>
#include <reheat/detail/segmented/rows.cuh>
#include <reheat/detail/segmented/shared.cuh>
#include <reheat/detail/segmented/spans.cuh>
#include <reheat/detail/segmented/tiles.cuh>
#include <reheat/detail/segmented/tuning.cuh>
#include <reheat/detail/simt/simt.cuh>
#include <reheat/detail/thread/items.cuh>
#include <reheat/detail/thread/value.cuh>
#include <reheat/detail/warp/fold.cuh>
#include <reheat/detail/warp/row.cuh>

#include <cstddef>
#include <cstdint>
#include <type_traits>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

//! What an item and the end of a segment cost a warp that streams. For an end it folds its lanes, which takes as long as the
//! bytes that arrive in that time.
template <std::size_t ItemBytes>
struct segmented_stream_costs
{
  static constexpr std::uint64_t item = ItemBytes, end = 128;
  static constexpr bool whole_rounds = false;
};

//! Whether warps may stream items of an input.
template <class Input, class Accum, class Op, class Ends>
inline constexpr bool
    streams_v = folds_in_rows_v<Accum>&& is_known_commutative_v<Op, Accum>&& pads_with_identity_v<Op, Accum> &&
                (moves_in_vec16_v<Input, Accum> || widens_v<Input, Accum>)&&!Ends::may_descend &&
                !std::is_same_v<Ends, equal_ends>;

//! A warp's part of a span. Its items and ends count from the input's item `origin_`.
template <class Tuning, class Input, class Accum, class Op, class Ends, class Sink>
class segment_stream
{
  static constexpr segmented_config cfg = Tuning{}(simt::arch);
  using item_type = value_of<Input>; // as in memory
  using row = row_items<item_type>;
  static constexpr unsigned lanes = simt::warp_lanes, per_lane = row::per_lane, row_length = lanes * per_lane;
  static constexpr unsigned none = ~0u;

public:
  REHEAT_DEVICE segment_stream(Input in, Op op, Ends ends, Sink sink)
      : in_(in), op_(op), ends_(ends), sink_(sink), aligned_(has_vectors<item_type>(in))
  {}

  //! Reduces the part between two places, whose first segment begins at `start`. The input's item `base` is at position 0.
  //! All lanes call; lane 0 makes the record.
  REHEAT_DEVICE void reduce(const segmented_place& first, const segmented_place& last, std::uint64_t start,
                            std::uint64_t base, span_record<Accum>& record)
  {
    origin_ = base + first.item;
    const unsigned items = last.item < first.item ? 0 : static_cast<unsigned>(last.item - first.item);
    const unsigned past = items_past_alignment<item_type>(in_, origin_), to_vector = past == 0 ? 0 : per_lane - past;
    const unsigned before = items < to_vector ? items : to_vector;
    behind_ = before + (items - before) / per_lane * per_lane;
    segment_ = first.segment;
    behind_segment_ = last.segment;
    start_ = base + start;
    pending_ = start < first.item;
    record_ = &record;
    hold();
    row rows[cfg.stream_rows];
    load(rows, before);
    const Accum head = edge_item(0, before), tail = edge_item(behind_, items - behind_);
    if (simt::lane_index() == 0)
    {
      record.pending = false;
      record.has_head = false;
      record.ended = first.segment != last.segment;
      record.descends = false;
    }
    own_ = identity();
    done_ = 0;
    last_end_ = pending_ ? none : 0;
    open_group();
    if (next_end_ == 0) // the pending segment has no items here
    {
      end_segment();
    }
    append_edge(head, 0, before);
    REHEAT_NO_UNROLL
    for (unsigned begin = before; begin < behind_; begin += cfg.stream_rows * row_length)
    {
      append_rows(rows, begin);
      load(rows, begin + cfg.stream_rows * row_length);
    }
    append_edge(tail, behind_, items - behind_);
    uninitialized<Accum> open;
    open.construct(own_);
    warp_fold(open, lanes, op_, static_cast<Accum*>(nullptr));
    if (simt::lane_index() == 0)
    {
      record.has_tail = done_ < items && !simt::fault_active(simt::fault::lose_tail);
      record.tail.construct(open.get());
    }
  }

private:
  REHEAT_DEVICE static Accum identity() { return identity_element<Op, Accum>(); }

  //! Loads rows from item `begin` of the part on. Those behind the last vector stay as they are.
  REHEAT_DEVICE void load(row (&rows)[cfg.stream_rows], unsigned begin)
  {
    const unsigned own = begin + simt::lane_index() * per_lane;
    if (begin < behind_ && behind_ - begin >= cfg.stream_rows * row_length) // a branch less for each row
    {
      REHEAT_UNROLL
      for (unsigned r = 0; r < cfg.stream_rows; ++r)
      {
        rows[r].load(in_, aligned_, origin_ + own + r * row_length, per_lane);
      }
      return;
    }
    REHEAT_UNROLL
    for (unsigned r = 0; r < cfg.stream_rows; ++r)
    {
      if (own + r * row_length < behind_)
      {
        rows[r].load(in_, aligned_, origin_ + own + r * row_length, per_lane);
      }
    }
  }
  REHEAT_DEVICE Accum edge_item(unsigned begin, unsigned items)
  {
    return simt::lane_index() < items ? static_cast<Accum>(read_item(in_, origin_ + begin + simt::lane_index()))
                                      : identity();
  }

  //! Starts to load the ends of the next 32 segments from segment_ on.
  REHEAT_DEVICE void hold()
  {
    const std::uint64_t segment = segment_ + simt::lane_index();
    if (segment < behind_segment_)
    {
      held_.construct(ends_.offset(segment));
    }
  }
  //! Looks at the ends that are held: stores what empty segments come to, and finds the first end of another one.
  REHEAT_DEVICE void open_group()
  {
    left_ = 0;
    while (left_ == 0 && segment_ < behind_segment_)
    {
      const std::uint64_t ends = behind_segment_ - segment_;
      const unsigned count = ends < lanes ? static_cast<unsigned>(ends) : lanes;
      const bool is_there = simt::lane_index() < count;
      end_ = is_there ? static_cast<unsigned>(items_up_to(held_.get(), origin_)) : none;
      unsigned before = simt::shuffle_up(end_, 1);
      before = simt::lane_index() == 0 ? last_end_ : before;
      last_end_ = simt::shuffle(end_, count - 1);
      const bool is_empty = is_there && end_ == before;
      if (is_empty)
      {
        sink_.store_empty(segment_ + simt::lane_index(), origin_ + end_);
      }
      left_ = simt::ballot(is_there && !is_empty);
      group_ = segment_;
      segment_ += count;
      hold();
    }
    find_end();
  }
  REHEAT_DEVICE void find_end()
  {
    turn_ = left_ == 0 ? 0 : simt::highest_one(left_ & (0 - left_));
    const unsigned end = simt::shuffle(end_, turn_);
    next_end_ = left_ == 0 ? none : end;
  }

  //! The lanes' folds are those of the segment that ends next.
  REHEAT_DEVICE void end_segment()
  {
    uninitialized<Accum> fold;
    fold.construct(own_);
    warp_fold(fold, lanes, op_, static_cast<Accum*>(nullptr));
    if (simt::lane_index() == 0)
    {
      const std::uint64_t segment = group_ + turn_;
      if (pending_)
      {
        record_->pending = true;
        record_->segment = segment;
        record_->start = start_;
        record_->has_head = true;
        record_->head.construct(fold.get());
      }
      else
      {
        sink_.store(segment, fold.get(), start_);
      }
    }
    own_ = identity();
    pending_ = false;
    done_ = next_end_;
    start_ = origin_ + done_;
    left_ &= left_ - 1;
    if (left_ == 0)
    {
      open_group();
    }
    else
    {
      find_end();
    }
  }

  REHEAT_DEVICE static Accum fold_of(row& items, Op& op)
  {
    Accum fold = identity();
    items.template walk<false>(per_lane,
                               [&](const item_type& item, unsigned i)
                               {
                                 const Accum value = static_cast<Accum>(item);
                                 fold = i == 0 ? value : static_cast<Accum>(op(fold, value));
                               });
    return fold;
  }
  //! Appends rows from item `begin` of the part on.
  REHEAT_DEVICE void append_rows(row (&rows)[cfg.stream_rows], unsigned begin)
  {
    if (next_end_ - begin > cfg.stream_rows * row_length && behind_ - begin >= cfg.stream_rows * row_length)
    {
      REHEAT_UNROLL
      for (unsigned r = 0; r < cfg.stream_rows; ++r)
      {
        append(fold_of(rows[r], op_));
      }
      return;
    }
    REHEAT_UNROLL
    for (unsigned r = 0; r < cfg.stream_rows; ++r)
    {
      if (begin + r * row_length < behind_)
      {
        append_row(rows[r], begin + r * row_length);
      }
    }
  }
  //! Appends a row from item `begin` of the part on.
  REHEAT_DEVICE void append_row(row& items, unsigned begin)
  {
    const unsigned length = behind_ - begin < row_length ? behind_ - begin : row_length;
    unsigned from = 0;
    while (next_end_ - begin <= length)
    {
      const unsigned to = next_end_ - begin;
      append_items(items, from, to);
      from = to;
      end_segment();
    }
    append_items(items, from, length);
  }
  //! Appends the items [from, to) of a row.
  REHEAT_DEVICE void append_items(row& items, unsigned from, unsigned to)
  {
    if (to - from == row_length)
    {
      append(fold_of(items, op_));
    }
    else if (from != to)
    {
      const unsigned first = simt::lane_index() * per_lane;
      items.template walk<false>(per_lane, [&](const item_type& item, unsigned i)
                                 { append(first + i - from < to - from ? static_cast<Accum>(item) : identity()); });
    }
  }
  REHEAT_DEVICE void append(const Accum& right) { own_ = static_cast<Accum>(op_(own_, right)); }
  //! Appends an edge of `items` items from item `begin` of the part on, a lane's `item` each.
  REHEAT_DEVICE void append_edge(const Accum& item, unsigned begin, unsigned items)
  {
    if (items == 0)
    {
      return;
    }
    unsigned from = 0;
    while (next_end_ - begin <= items)
    {
      const unsigned to = next_end_ - begin;
      append(simt::lane_index() - from < to - from ? item : identity());
      from = to;
      end_segment();
    }
    append(simt::lane_index() >= from ? item : identity());
  }

  Input in_;
  Op op_;
  Ends ends_;
  Sink sink_;
  span_record<Accum>* record_;
  std::uint64_t origin_;
  std::uint64_t segment_, behind_segment_; //!< behind the group of ends, and behind the part
  std::uint64_t group_;                    //!< the first segment of the group
  std::uint64_t start_;                    //!< of the segment that ends next
  uninitialized<typename Ends::offset_type> held_;
  Accum own_;          //!< the lane's fold of the items since the last end
  std::uint32_t left_; //!< segments of the group that have items and have not ended
  unsigned end_;       //!< of the lane's segment of the group. Ends count from origin_
  unsigned last_end_;  //!< of the group
  unsigned next_end_, turn_;
  unsigned done_;   //!< the last end
  unsigned behind_; //!< the last vector
  bool aligned_;    //!< vectors are
  bool pending_;    //!< the segment that ends next began before the part
};

//! A block whose warps stream.
template <class Tuning, class Input, class Accum, class Op, class Ends, class Sink>
class stream_block
{
  static constexpr segmented_config cfg = Tuning{}(simt::arch);
  static constexpr unsigned warps = cfg.warps();

public:
  using division = span_division<segmented_stream_costs<sizeof(Accum)>>;
  using finder = span_finder<cfg.block_threads, segmented_stream_costs<sizeof(Accum)>, Ends>;

  REHEAT_DEVICE stream_block(const segmented_shared<Accum>& shared, Input in, Op op, Ends ends, Sink sink)
      : shared_(shared), in_(in), op_(op), ends_(ends), sink_(sink)
  {}

  //! All threads call. Thread 0 makes the span's record.
  REHEAT_DEVICE void reduce(const division& all, unsigned span, const span_bounds& bounds, std::uint64_t base,
                            span_record<Accum>* record)
  {
    segmented_place place[2];
    std::uint64_t start;
    find_part(all, span, bounds, base, place, start);
    segment_stream<Tuning, Input, Accum, Op, Ends, Sink>(in_, op_, ends_, sink_)
        .reduce(place[0], place[1], start, base, shared_.parts[simt::warp_index()]);
    simt::sync_block(simt::unless(simt::fault::skip_parts_barrier));
    if (simt::thread_index() == 0)
    {
      join_parts(bounds.start < bounds.first.item, *record);
    }
  }

private:
  //! Finds both ends of the warp's part of the span.
  REHEAT_DEVICE void find_part(const division& all, unsigned span, const span_bounds& bounds, std::uint64_t base,
                               segmented_place (&place)[2], std::uint64_t& start)
  {
    const std::uint64_t before = all.cost_before(span), cost = all.cost_before(span + 1) - before;
    std::uint64_t low[2], high[2], end_before[2], end_behind[2], target[2];
    REHEAT_UNROLL
    for (unsigned p = 0; p < 2; ++p)
    {
      const unsigned warp = simt::warp_index() + p;
      target[p] = before + cost * warp / warps;
      low[p] = warp == warps ? bounds.last.segment : bounds.first.segment;
      high[p] = warp == 0 ? bounds.first.segment : bounds.last.segment;
      end_before[p] = bounds.start;
      end_behind[p] = ~std::uint64_t{0};
    }
    while (low[0] < high[0] || low[1] < high[1])
    {
      std::uint64_t step[2], end[2];
      unsigned count[2];
      REHEAT_UNROLL
      for (unsigned p = 0; p < 2; ++p) // the loads overlap
      {
        step[p] = (high[p] - low[p]) / simt::warp_lanes + 1;
        const std::uint64_t at = low[p] + (simt::lane_index() + 1) * step[p] - 1;
        end[p] = at < high[p] ? end_of(ends_, at, base) : 0;
      }
      REHEAT_UNROLL
      for (unsigned p = 0; p < 2; ++p)
      {
        const std::uint64_t at = low[p] + (simt::lane_index() + 1) * step[p] - 1;
        count[p] = simt::count_ones(simt::ballot(at < high[p] && all.is_before(end[p], at, target[p])));
        end_before[p] = count[p] == 0 ? end_before[p] : simt::shuffle(end[p], count[p] - 1);
        low[p] += count[p] * step[p];
        const std::uint64_t next = low[p] + step[p] - 1; // the first candidate that is not before the border
        if (next < high[p])
        {
          end_behind[p] = simt::shuffle(end[p], count[p]);
          high[p] = next;
        }
      }
    }
    REHEAT_UNROLL
    for (unsigned p = 0; p < 2; ++p)
    {
      place[p] = all.place(target[p], low[p], end_behind[p]);
    }
    start = end_before[0];
    if (simt::warp_index() == 0)
    {
      place[0] = bounds.first;
    }
    else
    {
      at_most(place[0], bounds);
    }
    if (simt::warp_index() + 1 == warps)
    {
      place[1] = bounds.last;
    }
    else
    {
      at_most(place[1], bounds);
    }
  }
  //! Behind the span's last end the search has seen none.
  REHEAT_DEVICE static void at_most(segmented_place& place, const span_bounds& bounds)
  {
    place.item = place.item < bounds.last.item ? place.item : bounds.last.item;
  }

  //! Stores the results of segments that reach from one part into others. Makes the record of the span. `began_before`: the
  //! segment that is open at its first item did.
  REHEAT_DEVICE void join_parts(bool began_before, span_record<Accum>& record)
  {
    record.pending = record.has_head = record.ended = record.descends = false;
    Accum open = identity_element<Op, Accum>();
    bool has = false;
    REHEAT_NO_UNROLL
    for (unsigned warp = 0; warp < warps; ++warp)
    {
      const span_record<Accum>& part = shared_.parts[warp];
      if (part.ended)
      {
        if (part.pending)
        {
          const Accum fold = static_cast<Accum>(op_(open, part.head.get()));
          if (record.ended || !began_before)
          {
            sink_.store(part.segment, fold, part.start);
          }
          else
          {
            record.pending = record.has_head = true;
            record.segment = part.segment;
            record.start = part.start;
            record.head.construct(fold);
          }
        }
        record.ended = true;
        open = identity_element<Op, Accum>();
        has = false;
      }
      if (part.has_tail)
      {
        open = static_cast<Accum>(op_(open, part.tail.get()));
        has = true;
      }
    }
    record.has_tail = has;
    record.tail.construct(open);
  }

  const segmented_shared<Accum>& shared_;
  Input in_;
  Op op_;
  Ends ends_;
  Sink sink_;
};

} // namespace detail
REHEAT_NAMESPACE_END

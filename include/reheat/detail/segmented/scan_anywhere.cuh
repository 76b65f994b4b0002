// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! How a warp scans segments that may lie anywhere. segmented/scan_anywhere_kernel.cuh has the whole.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/scan/kind.cuh>
#include <reheat/detail/segmented/anywhere.cuh>
#include <reheat/detail/segmented/each.cuh>
#include <reheat/detail/segmented/long_list.cuh>
#include <reheat/detail/segmented/rows.cuh>
#include <reheat/detail/segmented/tiles.cuh>
#include <reheat/detail/segmented/tuning.cuh>
#include <reheat/detail/simt/simt.cuh>
#include <reheat/detail/thread/items.cuh>
#include <reheat/detail/thread/value.cuh>
#include <reheat/detail/warp/fold.cuh>
#include <reheat/detail/warp/row.cuh>
#include <reheat/detail/warp/scan.cuh>

#include <cuda/std/functional>

#include <cstdint>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

//! Scans by a warp: of one run of items, or of several short ones next to each other. `Init` is a scan's (scan/kind.cuh);
//! each segment begins with it. Of the memory of a batch, each lane stores where it has loaded: so the output may be the
//! input. All lanes call every member.
template <scan_kind Kind, unsigned Rows, class Input, class OutputIt, class Op, class Init>
class run_scanner
{
  using accum = typename Init::accum;
  using row = row_items<accum>;
  using folds = optional_accumulator<accum>;
  static_assert(folds_in_rows_v<accum>);
  static constexpr unsigned lanes = simt::warp_lanes, per_lane = row::per_lane;

public:
  REHEAT_DEVICE run_scanner(Input in, OutputIt out, Op op, const Init& init)
      : in_(in), out_(out), op_(op), init_(init), aligned_(has_vectors<accum>(in))
  {}

  //! Scans a run; its first item goes to the output's item `out`. `carry`, the same in all lanes: the fold of the items of
  //! its segment before it.
  REHEAT_DEVICE void scan(const item_run& run, std::uint64_t out, folds carry)
  {
    const unsigned past = items_past_alignment<accum>(in_, run.first);
    const std::uint64_t behind = past + run.items, vectors = (behind + per_lane - 1) / per_lane;
    const std::uint64_t in_start = run.first - past, out_start = out - past; // may be before the input, modulo 2^64
    const bool out_aligned = is_vec16_aligned(out_, out_start);
    begin_segment(carry);
    REHEAT_NO_UNROLL
    for (std::uint64_t first = 0; first < vectors; first += Rows * lanes)
    {
      row rows[Rows];
      uninitialized<accum> up_to[Rows]; // the fold of the row's items up to the lane's last one
      item_range own[Rows];
      unsigned valid[Rows];
      REHEAT_UNROLL
      for (unsigned r = 0; r < Rows; ++r) // the loads overlap
      {
        const std::uint64_t of_row = first + r * lanes, vector = of_row + simt::lane_index();
        valid[r] = of_row >= vectors ? 0 : vectors - of_row < lanes ? static_cast<unsigned>(vectors - of_row) : lanes;
        own[r] = {0, 0};
        if (vector < vectors)
        {
          const std::uint64_t left = behind - vector * per_lane;
          own[r] = {vector == 0 ? past : 0, left < per_lane ? static_cast<unsigned>(left) : per_lane};
          rows[r].load(in_, aligned_, in_start + vector * per_lane, own[r]);
        }
      }
      REHEAT_UNROLL
      for (unsigned r = 0; r < Rows; ++r)
      {
        folds of_lane;
        rows[r].template walk<false>(own[r], [&](const accum& item, unsigned) { of_lane.append(item, op_); });
        up_to[r] = of_lane.value;
      }
      warp_inclusive_scans(up_to, valid, Rows, op_);
      REHEAT_UNROLL
      for (unsigned r = 0; r < Rows; ++r)
      {
        if (valid[r] == 0) // in all lanes
        {
          break;
        }
        const uninitialized<accum> left = simt::shuffle_up(up_to[r], 1), all = simt::shuffle(up_to[r], valid[r] - 1);
        folds start = carry;
        start.append_if(simt::lane_index() != 0 && simt::lane_index() < valid[r], left, op_);
        carry.append(all.get(), op_);
        rows[r].template walk<true>(own[r], [&](accum& item, unsigned) { scan_item(item, start); });
        if (simt::lane_index() < valid[r])
        {
          rows[r].store(out_, out_aligned, out_start + (first + r * lanes + simt::lane_index()) * per_lane, own[r]);
        }
      }
    }
  }

  //! Scans the lanes' own runs, which may be of no items: one behind the other, an item to a lane, whatever their lengths.
  //! Item 0 of a run goes to the output's item `out`.
  REHEAT_DEVICE void scan_short(const item_run& run, std::uint64_t out)
  {
    const unsigned lane = simt::lane_index(), items = static_cast<unsigned>(run.items);
    const std::uint32_t some = simt::ballot(items != 0);
    if (some == 0)
    {
      return;
    }
    uninitialized<unsigned> sum;
    sum.construct(items);
    ::cuda::std::plus<unsigned> plus;
    warp_inclusive_scan(sum, lanes, plus, static_cast<unsigned*>(nullptr));
    const unsigned all = simt::shuffle(sum.get(), lanes - 1), longest = max_over_lanes(items);
    // Runs without items are skipped: lane k has the k-th of the others.
    const unsigned from = bit_number(some, lane), start = simt::shuffle(sum.get() - items, from);
    const std::uint64_t in_shift = simt::shuffle(run.first - (sum.get() - items), from),
                        out_shift = simt::shuffle(out - (sum.get() - items), from);
    const bool has_run = lane < simt::count_ones(some);
    folds none;
    begin_segment(none);
    folds carry;        // the items before the row of a run that goes on in it
    unsigned begun = 0; // runs that begin before the row
    for (unsigned first = 0; first < all; first += Rows * lanes)
    {
      uninitialized<accum> value[Rows];
      std::uint64_t to[Rows];
      unsigned begins[Rows]; // a bit for each lane where a run begins
      REHEAT_UNROLL
      for (unsigned r = 0; r < Rows; ++r)
      {
        const unsigned lanes_before = start - (first + r * lanes); // modulo 2^32
        begins[r] = sum_over_lanes(has_run && lanes_before < lanes ? 1u << lanes_before : 0u);
      }
      REHEAT_UNROLL
      for (unsigned r = 0; r < Rows; ++r) // the loads overlap
      {
        const unsigned at = first + r * lanes + lane, own = begun + simt::count_ones(begins[r] & up_to_lane(lane)) - 1;
        begun += simt::count_ones(begins[r]);
        to[r] = simt::shuffle(out_shift, own % lanes) + at;
        const std::uint64_t item = simt::shuffle(in_shift, own % lanes) + at;
        if (at < all)
        {
          value[r].construct(static_cast<accum>(read_item(in_, item)));
        }
      }
      REHEAT_NO_UNROLL
      for (unsigned distance = 1; distance < longest && distance < lanes; distance *= 2)
      {
        REHEAT_UNROLL
        for (unsigned r = 0; r < Rows; ++r)
        {
          const uninitialized<accum> left = simt::shuffle_up(value[r], distance);
          if (lane >= first_lane(begins[r], lane) + distance && first + r * lanes + lane < all)
          {
            value[r].get() = op_(left.get(), value[r].get());
          }
        }
      }
      REHEAT_UNROLL
      for (unsigned r = 0; r < Rows; ++r)
      {
        const bool there = first + r * lanes + lane < all, goes_on = (begins[r] & up_to_lane(lane)) == 0;
        const uninitialized<accum> left = simt::shuffle_up(value[r], 1);
        if (there && goes_on)
        {
          value[r].get() = op_(carry.value.get(), value[r].get());
        }
        if (there)
        {
          folds result = none;
          if constexpr (Kind == scan_kind::inclusive)
          {
            result.append(value[r].get(), op_);
          }
          else
          {
            if (goes_on)
            {
              result.append(carry.value.get(), op_);
            }
            result.append_if(lane != 0 && (begins[r] >> lane & 1) == 0, left, op_);
          }
          out_[static_cast<index_of<OutputIt>>(to[r])] = result.value.get();
        }
        carry.value = simt::shuffle(value[r], lanes - 1);
      }
    }
  }

private:
  //! Puts the initial value, if there is one, before `fold`.
  REHEAT_DEVICE void begin_segment(folds& fold)
  {
    if constexpr (Init::present)
    {
      folds start;
      start.append(init_.load(), op_);
      start.append(fold, op_);
      fold = start;
    }
  }
  REHEAT_DEVICE void scan_item(accum& item, folds& fold)
  {
    if constexpr (Kind == scan_kind::inclusive)
    {
      fold.append(item, op_);
      item = fold.value.get();
    }
    else
    {
      const accum own(item);
      item = fold.value.get();
      fold.append(own, op_);
    }
  }
  REHEAT_DEVICE static std::uint32_t up_to_lane(unsigned lane) { return simt::all_lanes >> (lanes - 1 - lane); }
  //! The first lane of the row with items of the lane's run.
  REHEAT_DEVICE static unsigned first_lane(std::uint32_t begins, unsigned lane)
  {
    const std::uint32_t before = begins & up_to_lane(lane);
    return before == 0 ? 0 : simt::highest_one(before);
  }
  //! The position of set bit number `number`, counted from the lowest; if there are fewer, any.
  REHEAT_DEVICE static unsigned bit_number(std::uint32_t bits, unsigned number)
  {
    unsigned position = 0;
    REHEAT_UNROLL
    for (unsigned width = lanes / 2; width != 0; width /= 2)
    {
      const unsigned below = simt::count_ones(bits >> position & ((1u << width) - 1));
      position += number >= below ? width : 0;
      number -= number >= below ? below : 0;
    }
    return position;
  }

  Input in_;
  OutputIt out_;
  Op op_;
  Init init_;
  bool aligned_; //!< vectors are
};

//! What all launches know of the pieces of long segments. The fold of pieces in a row: values of a part from the left, then
//! parts as warp_fold does. All lanes of a warp call every member.
template <class Tuning, class Input, class Accum, class Op>
class piece_folder
{
  static constexpr anywhere_config cfg = Tuning{}(simt::arch);
  static constexpr unsigned lanes = simt::warp_lanes, lane_values = cfg.lane_values;

public:
  using folds = optional_accumulator<Accum>;
  using list = long_list<Tuning, Accum>;
  static constexpr unsigned part_pieces = cfg.part_pieces();
  static_assert(cfg.max_pieces <= lanes * part_pieces, "a lane for each part");

  REHEAT_DEVICE piece_folder(Input in, Op op, const workspace<Accum>& scratch, const list_room& room)
      : op_(op), folder_(in, op), list_(scratch, room)
  {}
  REHEAT_DEVICE list& long_ones() { return list_; }

  //! The fold of a piece, in lane 0.
  REHEAT_DEVICE folds fold(const item_run& piece) { return folder_.fold(piece.first, piece.items, 1, nullptr); }
  //! Folds a piece of the list, unless it is the last one of its segment. If it is the last one of its part to be folded,
  //! each of the part's values becomes the fold of those up to it.
  REHEAT_DEVICE void fold_piece(const typename list::content& all, std::uint32_t piece)
  {
    const typename list::place which = list_.find(all, piece);
    if (!which.is_there() || which.index + 1 == which.pieces.count())
    {
      return;
    }
    const std::uint32_t in_part = list_.finish_before_last(which, fold(which.pieces.of(which.first, which.index)).value);
    if (in_part != 0)
    {
      scan_values(list_.values_of(which) + which.index / part_pieces * part_pieces, in_part);
    }
  }
  //! The fold of the pieces before one of the list, in all lanes.
  REHEAT_DEVICE folds fold_before(const typename list::place& which)
  {
    const Accum* const values = list_.values_of(which);
    const std::uint32_t parts = which.index / part_pieces;
    folds of_parts;
    if (simt::lane_index() < parts)
    {
      of_parts.append(values[(simt::lane_index() + 1) * part_pieces - 1], op_);
    }
    folds before = fold_parts(of_parts, parts);
    if (which.index % part_pieces != 0)
    {
      before.append(values[which.index - 1], op_);
    }
    return before;
  }
  //! The fold of the folds of the first `parts` parts, which the lanes have, in all lanes.
  REHEAT_DEVICE folds fold_parts(folds of_parts, std::uint32_t parts)
  {
    warp_fold(of_parts.value, parts, op_, static_cast<Accum*>(nullptr));
    return in_all_lanes(of_parts, parts != 0);
  }
  //! Lane 0's fold.
  REHEAT_DEVICE static folds in_all_lanes(const folds& fold, bool has)
  {
    folds result;
    result.value = simt::shuffle(fold.value, 0);
    result.has = has;
    return result;
  }

private:
  REHEAT_DEVICE void scan_values(Accum* values, unsigned count)
  {
    uninitialized<Accum> value[lane_values];
    const unsigned first = simt::lane_index() * lane_values;
    REHEAT_UNROLL
    for (unsigned i = 0; i < lane_values; ++i) // the loads overlap
    {
      if (first + i < count)
      {
        value[i].construct(values[first + i]);
      }
    }
    folds fold;
    for (unsigned lane = 0; lane * lane_values < count; ++lane) // one after the other
    {
      REHEAT_UNROLL
      for (unsigned i = 0; i < lane_values; ++i)
      {
        if (simt::lane_index() == lane && first + i < count)
        {
          fold.append(value[i].get(), op_);
          values[first + i] = fold.value.get();
        }
      }
      fold.value = simt::shuffle(fold.value, lane);
      fold.has = true;
    }
  }

  Op op_;
  run_folder<cfg.rows, Input, Accum, Op> folder_;
  list list_;
};

//! One warp of the launches that scan. Segment s goes to out_begins[s] and behind. All lanes call every member.
template <scan_kind Kind, class Tuning, class Input, class OutputIt, class Op, class OutBeginIt, class Init>
class anywhere_scan_warp
{
  static constexpr anywhere_scan_config cfg = Tuning{}(simt::arch);
  using accum = typename Init::accum;
  using pieces = piece_folder<Tuning, Input, accum, Op>;
  using folds = typename pieces::folds;
  using list = typename pieces::list;

public:
  REHEAT_DEVICE anywhere_scan_warp(Input in, OutputIt out, Op op, OutBeginIt out_begins, const Init& init,
                                   const workspace<accum>& scratch, const list_room& room)
      : op_(op), out_begins_(out_begins), scanner_(in, out, op, init), pieces_(in, op, scratch, room),
        whole_(room.whole_items)
  {}
  REHEAT_DEVICE list& long_ones() { return pieces_.long_ones(); }

  //! Lists the long segments of a group of `count` segments from segment `segment` on, and scans the others.
  template <class Ends>
  REHEAT_DEVICE void scan(Ends& ends, std::uint64_t segment, unsigned count)
  {
    const bool there = simt::lane_index() < count;
    const std::uint64_t own_segment = segment + simt::lane_index();
    const lane_segment<Ends> own(ends, own_segment, there);
    const item_run run{own.first(), own.items()};
    const std::uint64_t out = run.items == 0 ? 0 : out_of(own_segment);
    const bool is_long = run.items > whole_, is_short = run.items <= cfg.short_items;
    const std::uint32_t in_list = simt::any(is_long) ? long_ones().add(is_long, own_segment, run) : 0;
    scanner_.scan_short({run.first, is_short ? run.items : 0}, out);
    for (std::uint32_t left = simt::ballot(!is_short) & ~in_list; left != 0; left &= left - 1)
    {
      const unsigned lane = simt::highest_one(left & (0 - left));
      scan_alone({simt::shuffle(run.first, lane), simt::shuffle(run.items, lane)}, simt::shuffle(out, lane));
    }
  }
  //! Scans a piece of the list.
  REHEAT_DEVICE void scan_piece(const typename list::content& all, std::uint32_t piece)
  {
    const typename list::place which = long_ones().find(all, piece);
    if (!which.is_there())
    {
      return;
    }
    const item_run run = which.pieces.of(which.first, which.index);
    scanner_.scan(run, out_of(which.segment) + (run.first - which.first), pieces_.fold_before(which));
  }

private:
  REHEAT_DEVICE std::uint64_t out_of(std::uint64_t segment)
  {
    return static_cast<std::uint64_t>(read_item(out_begins_, segment));
  }
  //! Scans a segment, all pieces of it: the same bits as by several warps.
  REHEAT_DEVICE void scan_alone(const item_run& run, std::uint64_t out)
  {
    const segment_pieces cut = long_ones().cut(run.items);
    const std::uint32_t count = cut.count();
    folds of_parts; // of part p in lane p
    std::uint32_t parts = 0;
    for (std::uint32_t first = 0; first < count; first += pieces::part_pieces, ++parts)
    {
      const folds before = pieces_.fold_parts(of_parts, parts);
      folds within; // of the part's pieces so far
      for (std::uint32_t i = first; i < count && i - first < pieces::part_pieces; ++i)
      {
        const item_run piece = cut.of(run.first, i);
        folds carry = before, own;
        carry.append(within, op_);
        const bool is_last = i + 1 == count;
        if (!is_last)
        {
          own = pieces_.fold(piece); // first: the output may be the input
        }
        scanner_.scan(piece, out + (piece.first - run.first), carry);
        within.append(pieces::in_all_lanes(own, !is_last), op_);
      }
      of_parts.append_if(within.has && simt::lane_index() == parts, within.value, op_);
    }
  }

  Op op_;
  OutBeginIt out_begins_;
  run_scanner<Kind, cfg.rows, Input, OutputIt, Op, Init> scanner_;
  pieces pieces_;
  std::uint64_t whole_;
};

} // namespace detail
REHEAT_NAMESPACE_END

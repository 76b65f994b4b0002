// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Long segments of a call, in pieces that all warps take: a first launch lists them, later ones fold or scan the pieces.
//!
//! A warp of the first launch adds what it lists to one word, {pieces: 32, entries: 32}. So entries and pieces are in the
//! same order, and later launches find the entry of a piece by a search. The warp that finishes the last piece of a part
//! works on the values of all. No warp waits for another one.
//!
//! There is room for a fixed number of entries and of pieces. Where it ends, a warp of the first launch keeps its segment.
//! Segments that are not cut leave half of the entries to longer ones. An entry without room for its pieces has no items.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/grid/memory.cuh>
#include <reheat/detail/grid/slot.cuh>
#include <reheat/detail/segmented/tuning.cuh>
#include <reheat/detail/simt/simt.cuh>
#include <reheat/detail/thread/value.cuh>
#include <reheat/detail/warp/scan.cuh>

#include <cuda/std/functional>

#include <cstddef>
#include <cstdint>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

//! A run of items of the input.
struct item_run
{
  std::uint64_t first, items;
};

//! A segment of `items` items in pieces of `size` items. The last piece may have less.
struct segment_pieces
{
  std::uint64_t items, size;

  REHEAT_DEVICE std::uint32_t count() const { return static_cast<std::uint32_t>((items + size - 1) / size); }
  //! A piece of the segment that begins at the input's item `first`.
  REHEAT_DEVICE item_run of(std::uint64_t first, std::uint32_t piece) const
  {
    const std::uint64_t before = piece * size, left = items - before;
    return {first + before, left < size ? left : size};
  }
};

//! Into at most `most` pieces of a multiple of `unit` items. Nothing else decides.
REHEAT_DEVICE inline segment_pieces cut_in_pieces(std::uint64_t items, std::uint64_t unit, std::uint64_t most)
{
  return {items, (items + unit * most - 1) / (unit * most) * unit};
}

//! What the warp that has finished a piece is to do.
struct finished_piece
{
  bool whole;                //!< nothing: the piece is the segment
  std::uint32_t part_pieces; //!< not 0: join so many values of the part
  std::uint32_t parts;       //!< of the segment
};

//! A segment in the list.
struct long_segment
{
  std::uint64_t segment;
  std::uint64_t first, items; //!< in the input
  std::uint32_t first_value;  //!< of the list's values: that of its first piece
  std::uint32_t done_parts;
};

//! How much the list has room for, and which segments are not cut.
struct list_room
{
  std::uint32_t segments, pieces;
  std::uint64_t whole_items; //!< of a segment that is not cut, at most; pieces have a multiple
};
//! What is cut follows from the number of segments alone: where there are few, pieces are small, so that all warps have
//! some.
inline list_room room_for(const anywhere_config& c, std::uint64_t segments)
{
  const std::uint64_t pieces = segments < c.list_pieces ? segments * c.max_pieces : c.list_pieces,
                      whole = segments < c.whole_items ? segments / c.min_whole_items * c.min_whole_items : c.whole_items;
  return {segments < c.list_segments ? static_cast<std::uint32_t>(segments) : c.list_segments,
          pieces < c.list_pieces ? static_cast<std::uint32_t>(pieces) : c.list_pieces,
          whole < c.min_whole_items ? c.min_whole_items : whole};
}
//! Bytes of the list: values of pieces, counters of finished pieces, entries. They may hold anything.
template <class T>
std::size_t long_list_bytes(const list_room& room)
{
  return whole_scratch(room.pieces * sizeof(T)) + whole_scratch(room.pieces * sizeof(std::uint32_t)) +
         room.segments * sizeof(long_segment);
}

//! The list, as a warp sees it. All lanes of a warp call every member, with the same arguments unless it says otherwise.
template <class Tuning, class T>
class long_list
{
  static constexpr anywhere_config cfg = Tuning{}(simt::arch);
  static constexpr std::uint32_t part_pieces = cfg.part_pieces();

public:
  REHEAT_DEVICE long_list(const workspace<T>& scratch, const list_room& room)
      : header_(scratch.header), values_(scratch.values), room_(room)
  {
    auto* const behind = reinterpret_cast<unsigned char*>(values_) + whole_scratch(room.pieces * sizeof(T));
    done_ = reinterpret_cast<std::uint32_t*>(behind);
    entries_ = reinterpret_cast<long_segment*>(behind + whole_scratch(room.pieces * sizeof(std::uint32_t)));
  }

  //! How a segment is cut.
  REHEAT_DEVICE segment_pieces cut(std::uint64_t items) const
  {
    return items <= room_.whole_items ? segment_pieces{items, items}
                                      : cut_in_pieces(items, room_.whole_items, cfg.max_pieces);
  }

  //! Lists the lanes' own segments that are `there`. Returns a bit for each that found room.
  REHEAT_DEVICE std::uint32_t add(bool there, std::uint64_t segment, const item_run& run)
  {
    const std::uint32_t all = simt::ballot(there), count = simt::count_ones(all);
    const std::uint32_t pieces = there ? cut(run.items).count() : 0;
    uninitialized<std::uint32_t> up_to;
    up_to.construct(pieces);
    ::cuda::std::plus<std::uint32_t> plus;
    warp_inclusive_scan(up_to, simt::warp_lanes, plus, static_cast<std::uint32_t*>(nullptr));
    std::uint64_t listed = 0;
    if (simt::lane_index() + 1 == simt::warp_lanes)
    {
      // Looked at first: the counters of a list that is full grow no further.
      listed = simt::load_relaxed(&header_->listed);
      if (static_cast<std::uint32_t>(listed) < room_.segments && (listed >> 32) < room_.pieces)
      {
        listed = simt::fetch_add_relaxed(&header_->listed, std::uint64_t{up_to.get()} << 32 | count);
      }
      else
      {
        listed = ~std::uint64_t{0} >> 1; // full
      }
    }
    listed = simt::shuffle(listed, simt::warp_lanes - 1);
    const std::uint64_t entry = (listed & 0xffffffffu) + simt::count_ones(all & ((1u << simt::lane_index()) - 1)),
                        value = (listed >> 32) + up_to.get() - pieces;
    const bool has_room =
        value + pieces <= room_.pieces && entry < (run.items <= room_.whole_items ? short_segments() : room_.segments);
    if (there && entry < room_.segments)
    {
      entries_[entry] = {segment, run.first, has_room ? run.items : 0, static_cast<std::uint32_t>(value), 0};
      for (std::uint32_t piece = 0; has_room && piece < pieces; piece += part_pieces)
      {
        done_[value + piece] = 0;
      }
    }
    return simt::ballot(there && has_room);
  }

  //! What the first launch has listed.
  struct content
  {
    std::uint32_t entries, pieces;
  };
  REHEAT_DEVICE content listed() const
  {
    const std::uint64_t word = header_->listed;
    const auto entries = static_cast<std::uint32_t>(word), pieces = static_cast<std::uint32_t>(word >> 32);
    return {entries < room_.segments ? entries : room_.segments, pieces < room_.pieces ? pieces : room_.pieces};
  }

  //! A piece of a listed segment.
  struct place
  {
    std::uint32_t entry, index;
    segment_pieces pieces;
    std::uint64_t first; //!< of the segment
    std::uint64_t segment;
    std::uint32_t value; //!< of the segment's first piece

    REHEAT_DEVICE bool is_there() const { return pieces.items != 0 && index < pieces.count(); }
  };
  //! Finds the segment of piece `piece`, one of `all`. It may be of a segment that found no room.
  REHEAT_DEVICE place find(const content& all, std::uint32_t piece) const
  {
    std::uint32_t first = 0, count = all.entries;
    while (count > 1) // a round: each lane looks at an entry
    {
      const std::uint32_t step = (count + simt::warp_lanes - 1) / simt::warp_lanes, own = simt::lane_index() * step;
      const std::uint32_t not_behind = simt::ballot(own < count && entries_[first + own].first_value <= piece);
      const std::uint32_t before = simt::highest_one(not_behind) * step; // lane 0's is not behind
      first += before;
      count = count - before < step ? count - before : step;
    }
    const long_segment& which = entries_[first];
    return {first, piece - which.first_value, cut(which.items), which.first, which.segment, which.first_value};
  }

  //! Leaves the fold of that piece, which lane 0 has, if it is one of several. If it is the last one of its part to be
  //! finished, the warp sees the values of all.
  REHEAT_DEVICE finished_piece finish(const place& which, const uninitialized<T>& fold)
  {
    finished_piece result{};
    if (simt::lane_index() == 0)
    {
      const std::uint32_t all = which.pieces.count();
      result.whole = all == 1;
      if (!result.whole)
      {
        result.part_pieces = leave(which, fold, all);
        result.parts = (all + part_pieces - 1) / part_pieces;
      }
    }
    return seen_by_warp(result);
  }
  //! The same where all pieces of a segment but the last one are folded. Returns how many pieces the part has, if this is
  //! the last one of them to be finished, and 0 otherwise.
  REHEAT_DEVICE std::uint32_t finish_before_last(const place& which, const uninitialized<T>& fold)
  {
    return seen_by_warp(simt::lane_index() == 0 ? leave(which, fold, which.pieces.count() - 1) : 0);
  }
  //! Leaves the fold of the part that has that piece, in the place of the part's first value. Returns whether it is the last
  //! of `parts` parts to be finished; then the warp sees the values of all.
  REHEAT_DEVICE bool finish_part(const place& which, std::uint32_t parts, const uninitialized<T>& fold)
  {
    bool last = false;
    if (simt::lane_index() == 0)
    {
      values_[which.value + which.index / part_pieces * part_pieces] = fold.get(); // read by lane 0 alone
      last = is_last(&entries_[which.entry].done_parts, parts);
    }
    return seen_by_warp(last ? 1u : 0u) != 0;
  }
  //! The values of a segment's pieces.
  REHEAT_DEVICE T* values_of(const place& which) const { return values_ + which.value; }

private:
  //! Lane 0 leaves the fold of one of the first `all` pieces of a segment. If it is the last one of its part to be finished,
  //! returns how many of them the part has; otherwise 0.
  REHEAT_DEVICE std::uint32_t leave(const place& which, const uninitialized<T>& fold, std::uint32_t all)
  {
    const std::uint32_t in_part = which.index / part_pieces * part_pieces, left = all - in_part,
                        pieces = left < part_pieces ? left : part_pieces;
    construct_at(values_ + which.value + which.index, fold.get());
    return is_last(done_ + which.value + in_part, pieces) ? pieces : 0;
  }
  //! How many entries segments may have that are not cut.
  REHEAT_DEVICE std::uint32_t short_segments() const
  {
    return room_.segments < cfg.list_segments / 2 ? room_.segments : cfg.list_segments / 2;
  }
  //! Counts something as finished. Returns whether it is the last one of `all`: then the caller sees what others have left.
  REHEAT_DEVICE static bool is_last(std::uint32_t* done, std::uint32_t all)
  {
    const std::uint32_t before = simt::fault_active(simt::fault::finish_relaxed)
                                     ? simt::fetch_add_relaxed(done, std::uint32_t{1})
                                     : simt::fetch_add(done, std::uint32_t{1});
    return simt::fault_active(simt::fault::join_first_piece) ? before == 0 : before + 1 == all;
  }
  //! Gives all lanes what lane 0 has found out, and lets them see what it sees.
  template <class Found>
  REHEAT_DEVICE static Found seen_by_warp(const Found& found)
  {
    const Found result = simt::shuffle(found, 0);
    simt::sync_warp(simt::unless(simt::fault::skip_joined_barrier));
    return result;
  }

  workspace_header* header_;
  T* values_;
  std::uint32_t* done_;
  long_segment* entries_;
  list_room room_;
};

//! Calls `work(piece)` for `pieces` pieces, which the warps of the grid draw. All threads of all blocks call, and find the
//! list empty later: the block that comes here last empties it.
template <class Tuning, class Work>
REHEAT_DEVICE void work_off_list(workspace_header* header, std::uint32_t pieces, Work work)
{
  constexpr anywhere_config cfg = Tuning{}(simt::arch);
  const unsigned warps = simt::grid_blocks() * cfg.warps();
  for (std::uint32_t piece = simt::block_index() * cfg.warps() + simt::warp_index(); piece < pieces;)
  {
    std::uint32_t next = 0;
    if (simt::lane_index() == 0)
    {
      next = warps + static_cast<std::uint32_t>(simt::fetch_add_relaxed(&header->next_ticket, std::uint64_t{1}));
    }
    work(piece); // while the next one is drawn
    piece = simt::shuffle(next, 0);
  }
  simt::sync_block(simt::unless(simt::fault::skip_left_barrier)); // no warp of the block looks at the list any more
  if (simt::thread_index() == 0 && simt::fetch_add(&header->finished_blocks, std::uint32_t{1}) + 1 == simt::grid_blocks())
  {
    header->next_ticket = simt::fault_active(simt::fault::keep_ticket) ? header->next_ticket : 0;
    header->finished_blocks = simt::fault_active(simt::fault::keep_finished) ? header->finished_blocks : 0;
    header->listed = simt::fault_active(simt::fault::keep_listed) ? header->listed : 0;
  }
}

} // namespace detail
REHEAT_NAMESPACE_END

// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Long segments of a launch, in pieces that all warps take.
//!
//! An entry of the list has a word {epoch: 32, base + pieces left: 32}. The epoch shows that this launch has written the
//! entry, so the list's memory needs no clearing between launches. A warp takes a piece by subtracting 1. Who finds none
//! left has subtracted too much, which does no harm: the base is larger than the number of warps. The warp that finishes the
//! last piece of a segment joins the pieces. So no warp waits for another one's piece.
//!
//! There is room for a fixed number of entries and of pieces. Where it ends, a warp keeps its segment. The longer a segment
//! is, the fuller the list may be.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/grid/memory.cuh>
#include <reheat/detail/grid/slot.cuh>
#include <reheat/detail/segmented/tuning.cuh>
#include <reheat/detail/simt/simt.cuh>

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

//! How a segment of `items` items is cut: into pieces of `size` items, of which the last one may have less.
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
  std::uint32_t pieces;       //!< 1: it is not cut
  std::uint32_t first_value;  //!< in the list's values: that of its first piece, if there are several
  std::uint32_t done_parts;
  std::uint32_t done[simt::warp_lanes]; //!< [part]: finished pieces
};

//! Bytes of the list: values of pieces, and behind them entries. They may hold anything.
template <class T>
REHEAT_HOST_DEVICE constexpr std::size_t long_list_value_bytes(const anywhere_config& c)
{
  return whole_scratch(c.list_pieces * sizeof(T)) + c.list_segments * sizeof(long_segment);
}
//! Bytes of header and words, which start as zeros.
inline constexpr std::size_t long_list_word_bytes(const anywhere_config& c)
{
  return sizeof(workspace_header) + c.list_segments * sizeof(std::uint64_t);
}

//! The list, as a warp sees it. All lanes of a warp call every member, with the same arguments.
template <class Tuning, class T>
class long_list
{
  static constexpr anywhere_config cfg = Tuning{}(simt::arch);
  static constexpr std::uint64_t base = std::uint64_t{1} << 30;
  static constexpr std::uint32_t part_pieces = cfg.part_pieces();

public:
  //! A piece that the warp has taken; none if `there` is false.
  struct piece
  {
    bool there;
    std::uint32_t index;
  };

  REHEAT_DEVICE explicit long_list(const workspace<T>& scratch)
      : scratch_(scratch), entries_(reinterpret_cast<long_segment*>(reinterpret_cast<unsigned char*>(scratch.values) +
                                                                    whole_scratch(cfg.list_pieces * sizeof(T)))),
        epoch_(last_launch_epoch(scratch.header) + 1)
  {}

  //! No entry.
  REHEAT_DEVICE static constexpr std::uint32_t none() { return cfg.list_segments; }
  REHEAT_DEVICE std::uint32_t epoch() const { return epoch_; }

  //! Lists a segment in `pieces` pieces. Returns whether there was room.
  REHEAT_DEVICE bool add(std::uint64_t segment, const item_run& run, std::uint32_t pieces)
  {
    bool listed = false;
    if (simt::lane_index() == 0)
    {
      const std::uint32_t values = pieces == 1 ? 0 : pieces;
      // Looked at first: counters of a list that is full grow no further.
      if (has_room(simt::load_relaxed(&scratch_.header->listed), run.items, values))
      {
        const std::uint64_t before =
            simt::fetch_add_relaxed(&scratch_.header->listed, std::uint64_t{values} << 32 | std::uint64_t{1});
        listed = has_room(before, run.items, values);
        if (listed)
        {
          const auto entry = static_cast<std::uint32_t>(before), value = static_cast<std::uint32_t>(before >> 32);
          publish(entry, {segment, run.first, run.items, pieces, value, 0, {}});
        }
      }
    }
    return simt::shuffle(listed ? 1u : 0u, 0) != 0;
  }

  //! Finds a segment that has pieces left, from entry `from` on; returns none() if there is none. `from` becomes the
  //! first entry from which on a later call has to look.
  REHEAT_DEVICE std::uint32_t find(std::uint32_t& from)
  {
    const std::uint64_t listed = simt::load_relaxed(&scratch_.header->listed);
    const std::uint32_t some = static_cast<std::uint32_t>(listed), entries = simt::shuffle(some < none() ? some : none(), 0);
    bool moves = true; // all entries before were written, and have none left
    for (std::uint32_t at = from; at < entries; at += simt::warp_lanes)
    {
      const std::uint32_t own = at + simt::lane_index();
      const std::uint64_t word = own < entries ? simt::load_relaxed(scratch_.words + own) : 0;
      const bool written = static_cast<std::uint32_t>(word >> 32) == epoch_;
      const std::uint32_t open = simt::ballot(own < entries && written && left_in(word) > 0),
                          kept = simt::ballot(own < entries && !(written && left_in(word) <= 0));
      if (moves)
      {
        moves = kept == 0;
        const std::uint32_t next = at + (moves ? simt::warp_lanes : simt::highest_one(kept & (0 - kept)));
        from = next < entries ? next : entries;
      }
      if (open != 0)
      {
        return at + simt::highest_one(open & (0 - open));
      }
    }
    return none();
  }

  //! Takes a piece of the segment at `entry`, which find() has given.
  REHEAT_DEVICE piece take(std::uint32_t entry)
  {
    std::int64_t left = 0;
    if (simt::lane_index() == 0)
    {
      std::uint64_t* const word = scratch_.words + entry;
      const std::uint64_t less = ~std::uint64_t{0}; // -1
      left = left_in(simt::fault_active(simt::fault::take_relaxed) ? simt::fetch_add_relaxed(word, less)
                                                                   : simt::fetch_add(word, less));
    }
    const auto last = static_cast<std::uint32_t>(simt::shuffle(left > 0 ? static_cast<std::uint32_t>(left) : 0u, 0));
    return {last != 0, last - 1};
  }
  //! Where that piece lies in the input.
  REHEAT_DEVICE item_run place_of(std::uint32_t entry, std::uint32_t piece) const
  {
    item_run place{};
    if (simt::lane_index() == 0) // which has taken the piece, and so sees the entry
    {
      const long_segment& which = entries_[entry];
      place = {which.first, which.items};
      if (which.pieces != 1)
      {
        place = cut_in_pieces(which.items, cfg.piece_items, cfg.max_pieces).of(which.first, piece);
      }
    }
    return simt::shuffle(place, 0);
  }

  //! Leaves the fold of that piece, which lane 0 has, if it is one of several. If it is the last one of its part to be
  //! finished, the warp sees the values of all.
  REHEAT_DEVICE finished_piece finish(std::uint32_t entry, std::uint32_t piece, const uninitialized<T>& fold)
  {
    finished_piece result{};
    if (simt::lane_index() == 0)
    {
      long_segment& which = entries_[entry];
      const std::uint32_t part = piece / part_pieces, left = which.pieces - part * part_pieces,
                          pieces = left < part_pieces ? left : part_pieces;
      result.whole = which.pieces == 1;
      if (!result.whole)
      {
        construct_at(scratch_.values + which.first_value + piece, fold.get());
        result.part_pieces = is_last(&which.done[part], pieces) ? pieces : 0;
        result.parts = (which.pieces + part_pieces - 1) / part_pieces;
      }
    }
    return seen_by_warp(result);
  }
  //! Leaves the fold of the part that has that piece, in the place of the part's first value. Returns whether it is the last
  //! of `parts` parts to be finished; then the warp sees the values of all.
  REHEAT_DEVICE bool finish_part(std::uint32_t entry, std::uint32_t piece, std::uint32_t parts, const uninitialized<T>& fold)
  {
    bool last = false;
    if (simt::lane_index() == 0)
    {
      scratch_.values[entries_[entry].first_value + piece / part_pieces * part_pieces] = fold.get(); // read by lane 0 alone
      last = is_last(&entries_[entry].done_parts, parts);
    }
    return seen_by_warp(last ? 1u : 0u) != 0;
  }
  //! The values of the part that has a piece, or of all parts.
  REHEAT_DEVICE const T* values_of(std::uint32_t entry, std::uint32_t piece) const
  {
    const std::uint32_t first = simt::lane_index() == 0 ? entries_[entry].first_value : 0;
    return scratch_.values + simt::shuffle(first, 0) + piece / part_pieces * part_pieces;
  }
  //! The number of the segment, and where it begins. Lane 0 calls.
  REHEAT_DEVICE const long_segment& segment_at(std::uint32_t entry) const { return entries_[entry]; }

private:
  //! Whether a segment of `items` items finds room behind what is listed. One of u units needs a share of 1 / (u + 1) of the
  //! entries to be free: short ones leave room for longer ones.
  REHEAT_DEVICE static bool has_room(std::uint64_t listed, std::uint64_t items, std::uint32_t values)
  {
    const std::uint64_t entries = listed & 0xffffffffu;
    return entries < cfg.list_segments && (listed >> 32) + values <= cfg.list_pieces &&
           (cfg.list_segments - entries) * (items / cfg.piece_items + 1) >= cfg.list_segments;
  }
  REHEAT_DEVICE static std::int64_t left_in(std::uint64_t word)
  {
    return static_cast<std::int64_t>(word & 0xffffffffu) - static_cast<std::int64_t>(base);
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
  //! Lane 0.
  REHEAT_DEVICE void publish(std::uint32_t entry, const long_segment& which)
  {
    const std::uint64_t word = std::uint64_t{epoch_} << 32 | (base + which.pieces);
    if (simt::fault_active(simt::fault::list_before_entry))
    {
      simt::store_release(scratch_.words + entry, word);
    }
    entries_[entry] = which;
    if (simt::fault_active(simt::fault::list_relaxed))
    {
      simt::store_relaxed(scratch_.words + entry, word);
    }
    else if (!simt::fault_active(simt::fault::list_before_entry))
    {
      simt::store_release(scratch_.words + entry, word);
    }
  }

  const workspace<T>& scratch_;
  long_segment* entries_;
  std::uint32_t epoch_;
};

} // namespace detail
REHEAT_NAMESPACE_END

// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Where the keys of a tile go when it is sorted by a digit, stably. Each warp counts the digits of its keys in counters of
//! its own, which it goes through in the order of the tile.
//!
//! In a pass, ranks are what atomic additions to the counters return. Nobody promises in which order the lanes of a warp
//! add, so the sorted tile has to be checked. If it is not in order, it is ranked by ballots, which is slower. One block
//! that has all keys ranks by ballots from the first.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/simt/simt.cuh>
#include <reheat/detail/sort/digits.cuh>
#include <reheat/detail/sort/histogram.cuh>

#include <cstdint>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

//! The keys of a warp: rows of 32, of which lane l has the l-th key each. `Whole`: all of them exist.
template <bool Whole>
class warp_rows
{
public:
  //! Of a tile of `valid` keys, of which each warp has `rows` rows.
  REHEAT_DEVICE warp_rows(unsigned valid, unsigned rows)
      : place_(simt::warp_index() * rows * simt::warp_lanes + simt::lane_index()), left_(keys_left(valid, rows))
  {}
  //! The place in the tile of the lane's key of a row.
  REHEAT_DEVICE unsigned place(unsigned row) const { return place_ + row * simt::warp_lanes; }
  REHEAT_DEVICE bool has(unsigned row) const { return Whole || static_cast<int>(row * simt::warp_lanes) < left_; }

private:
  REHEAT_DEVICE int keys_left(unsigned valid, unsigned rows) const
  {
    const int left = static_cast<int>(valid) - static_cast<int>(place_);
    const int own = static_cast<int>(rows * simt::warp_lanes) - static_cast<int>(simt::lane_index());
    return left < own ? left : own;
  }

  unsigned place_; //!< of the lane's first key
  int left_;       //!< the warp's keys from there on
};

//! Where shared memory has the item at a place of the sorted tile: one place in 33 stays free. Digits of sorted keys begin
//! at places whose distance is a multiple of 16 or more, which would all be in one bank.
REHEAT_HOST_DEVICE constexpr unsigned staged_at(unsigned place)
{
  return place + place / library::warp_lanes;
}
//! The room for a tile.
REHEAT_HOST_DEVICE constexpr unsigned staged_items(unsigned items)
{
  return staged_at(items) + 1;
}

//! Ranks of a thread's keys within their warp and digit, two in a register.
template <unsigned Rows>
class key_ranks
{
public:
  REHEAT_DEVICE void set(unsigned row, unsigned rank) { pair_[row / 2] = row % 2 == 0 ? rank : pair_[row / 2] | rank << 16; }
  REHEAT_DEVICE unsigned get(unsigned row) const { return row % 2 == 0 ? pair_[row / 2] & 0xffff : pair_[row / 2] >> 16; }

private:
  std::uint32_t pair_[(Rows + 1) / 2];
};

//! Zeros the warp's counters.
REHEAT_DEVICE inline void clear_counters(std::uint32_t* counters, unsigned digits)
{
  for (unsigned digit = simt::lane_index(); digit < digits; digit += simt::warp_lanes)
  {
    counters[digit] = 0;
  }
  simt::sync_warp(simt::unless(simt::fault::sort_skip_clear_barrier));
}

//! Calls `visit(row)` for rows below `rows` <= Rows, and perhaps for the next few. Straight code of several rows overlaps
//! what they wait for.
template <unsigned Rows, class Visit>
REHEAT_DEVICE void for_rows(unsigned rows, Visit visit)
{
  constexpr unsigned batch = 4;
  REHEAT_UNROLL
  for (unsigned first = 0; first < Rows; first += batch)
  {
    if (Rows <= batch || first < rows)
    {
      REHEAT_UNROLL
      for (unsigned row = first; row < (first + batch < Rows ? first + batch : Rows); ++row)
      {
        visit(row);
      }
    }
  }
}

//! Ranks the warp's keys, whose digits `digit_of(row)` returns, and counts them. All lanes call. Keys whose digit is
//! `common` are ranked by ballots, since additions of many lanes to one counter take turns.
template <unsigned Rows, class DigitOf>
REHEAT_DEVICE void rank_whole_beside(std::uint32_t* counters, key_ranks<Rows>& ranks, unsigned common, DigitOf digit_of)
{
  const unsigned lanes_below = (1u << simt::lane_index()) - 1;
  unsigned ranked = 0;
  REHEAT_UNROLL
  for (unsigned row = 0; row < Rows; ++row)
  {
    const unsigned digit = digit_of(row);
    const bool is_common = digit == common;
    const unsigned lanes = simt::ballot(is_common);
    const unsigned rank = simt::shared_add_of_warp(counters + digit, !is_common);
    ranks.set(row, is_common ? ranked + simt::count_ones(lanes & lanes_below) : rank);
    ranked += simt::count_ones(lanes);
  }
  if (simt::lane_index() == 0)
  {
    counters[common] = simt::fault_active(simt::fault::sort_miscount_common) ? ranked + 1 : ranked;
  }
}

//! The same; `common` may be no_digit. Keys with one digit in all lanes are ranked without additions.
//! Equal keys, NVIDIA H200: a pass takes 695 us in place of 1680.
template <unsigned Rows, class DigitOf>
REHEAT_DEVICE void rank_whole_by_atomics(std::uint32_t* counters, key_ranks<Rows>& ranks, unsigned common, DigitOf digit_of)
{
  const unsigned first = digit_of(0), middle = digit_of(Rows / 2);
  if (simt::all(first == simt::shuffle(first, 0)) || simt::all(middle == simt::shuffle(middle, 0)))
  {
    REHEAT_UNROLL
    for (unsigned row = 0; row < Rows; ++row)
    {
      const unsigned digit = digit_of(row);
      unsigned rank;
      if (simt::all(digit == simt::shuffle(digit, 0)))
      {
        rank = counters[digit] + simt::lane_index();
        simt::sync_warp(simt::unless(simt::fault::sort_skip_uniform_barrier));
        if (simt::lane_index() == 0)
        {
          counters[digit] = rank + simt::warp_lanes;
        }
        simt::sync_warp();
      }
      else
      {
        rank = simt::shared_add_of_warp(counters + digit, true);
      }
      ranks.set(row, rank);
    }
    return;
  }
  if (common != no_digit)
  {
    rank_whole_beside<Rows>(counters, ranks, common, digit_of);
    return;
  }
  REHEAT_UNROLL
  for (unsigned row = 0; row < Rows; ++row)
  {
    ranks.set(row, simt::shared_add_of_warp(counters + digit_of(row), true));
  }
}

//! Turns the counters of Warps warps into the places in the sorted tile where each warp's keys of each digit go. Thread d
//! calls `found(keys of digit d)` in between. Returns to it where digit d begins. All threads call, after a barrier behind
//! counting and before one in front of the use of places. `totals` is sort_block_sums'.
template <unsigned Warps, unsigned Digits, class Found>
REHEAT_DEVICE unsigned places_of_counters(std::uint32_t* counters, std::uint32_t* totals, Found found)
{
  const unsigned digit = simt::thread_index();
  key_ranks<Warps> column;
  std::uint32_t total = 0;
  if (digit < Digits)
  {
    REHEAT_UNROLL
    for (unsigned warp = 0; warp < Warps; ++warp)
    {
      column.set(warp, total);
      total += counters[warp * Digits + digit];
    }
    found(total);
  }
  const std::uint32_t begin = sort_block_sums<Digits>(total, totals, simt::fault::sort_skip_warps_barrier);
  if (digit < Digits)
  {
    REHEAT_UNROLL
    for (unsigned warp = 0; warp < Warps; ++warp)
    {
      counters[warp * Digits + digit] = begin + column.get(warp);
    }
  }
  return begin;
}

//! Ranks a row of the warp's keys, and counts them. `peers`: the lanes whose keys have the same digit as the lane's own. All
//! lanes call; those without a key get nothing of use.
REHEAT_DEVICE inline unsigned rank_among_peers(std::uint32_t* counters, unsigned digit, unsigned peers, bool has)
{
  const unsigned lanes_below = (1u << simt::lane_index()) - 1;
  const unsigned before = simt::fault_active(simt::fault::sort_ballots_from_above)
                              ? simt::count_ones(peers & ~lanes_below) - 1
                              : simt::count_ones(peers & lanes_below);
  const std::uint32_t begin = has ? counters[digit] : 0;
  simt::sync_warp(simt::unless(simt::fault::sort_skip_ballots_barrier));
  if (has && before == 0)
  {
    counters[digit] = begin + simt::count_ones(peers);
  }
  simt::sync_warp();
  return begin + before;
}

//! Ranks the warp's keys, and counts them. Their digits differ in the bits `varying` at most. All lanes call.
template <unsigned Rows>
REHEAT_DEVICE void rank_by_ballots(std::uint32_t* counters, const warp_rows<false>& own, unsigned rows, unsigned varying,
                                   const unsigned (&digit)[Rows], unsigned (&rank)[Rows])
{
  // First, ranks are the lanes with the same digit, so that they take no more registers.
  for_rows<Rows>(rows, [&](unsigned row) { rank[row] = simt::ballot(own.has(row)); });
  REHEAT_NO_UNROLL
  for (unsigned left = varying; left != 0; left &= left - 1)
  {
    const unsigned bit = left & (0 - left);
    for_rows<Rows>(rows,
                   [&](unsigned row)
                   {
                     const unsigned set = digit[row] & bit;
                     const unsigned with = simt::ballot_nonzero(set);
                     rank[row] &= set != 0 ? with : ~with;
                   });
  }
  for_rows<Rows>(rows, [&](unsigned row) { rank[row] = rank_among_peers(counters, digit[row], rank[row], own.has(row)); });
}

//! Calls `put(place in the sorted tile, place in the tile)` for each of the warp's keys, and uses up the counters, which are
//! places_of_counters'. `digit_of(place)` returns the digit of the key at a place of the tile. All lanes call.
template <bool Whole, class DigitOf, class Put>
REHEAT_DEVICE void place_by_ballots(std::uint32_t* counters, unsigned digit_bits, const warp_rows<Whole>& own, unsigned rows,
                                    DigitOf digit_of, Put put)
{
  REHEAT_NO_UNROLL
  for (unsigned row = 0; row < rows; ++row)
  {
    const bool has = own.has(row);
    const unsigned digit = has ? digit_of(own.place(row)) : 0;
    unsigned peers = simt::ballot(has);
    for (unsigned bit = 0; bit < digit_bits; ++bit)
    {
      const bool is_set = (digit >> bit & 1) != 0;
      const unsigned with = simt::ballot(is_set);
      peers &= is_set ? with : ~with;
    }
    const unsigned place = rank_among_peers(counters, digit, peers, has);
    if (has)
    {
      put(place, own.place(row));
    }
  }
}

} // namespace detail
REHEAT_NAMESPACE_END

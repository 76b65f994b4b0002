// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Where the keys of a tile go when it is sorted by a digit, stably. Each warp counts the digits of its keys in counters of
//! its own, which it goes through in the order of the tile.
//!
//! Ranks are what atomic additions to the counters return. Nobody promises in which order the lanes of a warp add, so the
//! sorted tile has to be checked. If it is not in order, it is ranked by ballots, which is slower.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/simt/simt.cuh>
#include <reheat/detail/sort/digits.cuh>
#include <reheat/detail/sort/histogram.cuh>

#include <cstdint>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

//! The keys of a warp: `rows` rows of 32. Lane l has the l-th key of each row.
class warp_rows
{
public:
  //! Of a tile of `valid` keys, of which each warp has `rows` rows.
  REHEAT_DEVICE warp_rows(unsigned valid, unsigned rows)
      : rows_(rows), place_(simt::warp_index() * rows * simt::warp_lanes + simt::lane_index()), left_(keys_left(valid))
  {}
  REHEAT_DEVICE unsigned rows() const { return rows_; }
  //! The place in the tile of the lane's key of a row.
  REHEAT_DEVICE unsigned place(unsigned row) const { return place_ + row * simt::warp_lanes; }
  REHEAT_DEVICE bool has(unsigned row) const { return static_cast<int>(row * simt::warp_lanes) < left_; }
  //! The same in all lanes.
  REHEAT_DEVICE bool is_whole() const
  {
    return left_ + static_cast<int>(simt::lane_index()) == static_cast<int>(rows_ * simt::warp_lanes);
  }

private:
  REHEAT_DEVICE int keys_left(unsigned valid) const
  {
    const int left = static_cast<int>(valid) - static_cast<int>(place_);
    const int own = static_cast<int>(rows_ * simt::warp_lanes) - static_cast<int>(simt::lane_index());
    return left < own ? left : own;
  }

  unsigned rows_;
  unsigned place_; //!< of the lane's first key
  int left_;       //!< the warp's keys from there on
};

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

//! Ranks the warp's keys, whose digits `digit_of(row)` returns, and counts them. All lanes call.
template <unsigned Rows, class DigitOf>
REHEAT_DEVICE void rank_by_atomics(std::uint32_t* counters, const warp_rows& own, key_ranks<Rows>& ranks, DigitOf digit_of)
{
  const unsigned first = digit_of(0), middle = digit_of(Rows / 2);
  // Additions of a whole warp to one counter take turns: keys with one digit in all lanes are ranked without. Equal keys,
  // H200: a pass takes 695 us in place of 1680.
  const bool may_be_uniform = own.is_whole() && (simt::all(first == simt::shuffle(first, 0)) ||
                                                 (own.rows() > Rows / 2 && simt::all(middle == simt::shuffle(middle, 0))));
  if (may_be_uniform)
  {
    REHEAT_UNROLL
    for (unsigned row = 0; row < Rows; ++row)
    {
      if (row < own.rows())
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
    }
    return;
  }
  REHEAT_UNROLL
  for (unsigned row = 0; row < Rows; ++row)
  {
    if (row < own.rows())
    {
      ranks.set(row, simt::shared_add_of_warp(counters + digit_of(row), own.has(row)));
    }
  }
}

//! Turns the counters of `warps` warps into the places in the sorted tile where each warp's keys of each digit go. Thread d
//! calls `found(d, keys of digit d)` in between and returns where digit d begins. All threads call, after a barrier behind
//! counting and before one in front of the use of places. `totals` is sort_block_sums'.
template <unsigned MaxWarps, class Found>
REHEAT_DEVICE unsigned places_of_counters(std::uint32_t* counters, unsigned warps, unsigned digits, std::uint32_t* totals,
                                          Found found)
{
  const unsigned digit = simt::thread_index();
  key_ranks<MaxWarps> column;
  std::uint32_t total = 0;
  if (digit < digits)
  {
    REHEAT_UNROLL
    for (unsigned warp = 0; warp < MaxWarps; ++warp)
    {
      if (warp < warps)
      {
        column.set(warp, total);
        total += counters[warp * digits + digit];
      }
    }
    found(digit, total);
  }
  const std::uint32_t begin = sort_block_sums(total, digits, totals, simt::fault::sort_skip_warps_barrier);
  if (digit < digits)
  {
    REHEAT_UNROLL
    for (unsigned warp = 0; warp < MaxWarps; ++warp)
    {
      if (warp < warps)
      {
        counters[warp * digits + digit] = begin + column.get(warp);
      }
    }
  }
  return begin;
}

//! Calls `put(place in the sorted tile, place in the tile)` for each of the warp's keys, and uses up the counters, which are
//! places_of_counters'. `digit_of(place)` returns the digit of the key at a place of the tile. All lanes call.
template <class DigitOf, class Put>
REHEAT_DEVICE void place_by_ballots(std::uint32_t* counters, unsigned digit_bits, const warp_rows& own, DigitOf digit_of,
                                    Put put)
{
  const unsigned lanes_below = (1u << simt::lane_index()) - 1;
  REHEAT_NO_UNROLL
  for (unsigned row = 0; row < own.rows(); ++row)
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
    const unsigned before = simt::fault_active(simt::fault::sort_ballots_from_above)
                                ? simt::count_ones(peers & ~lanes_below) - 1
                                : simt::count_ones(peers & lanes_below);
    std::uint32_t begin = 0;
    if (has)
    {
      begin = counters[digit];
      put(begin + before, own.place(row));
    }
    simt::sync_warp(simt::unless(simt::fault::sort_skip_ballots_barrier));
    if (has && before == 0)
    {
      counters[digit] = begin + simt::count_ones(peers);
    }
    simt::sync_warp();
  }
}

} // namespace detail
REHEAT_NAMESPACE_END

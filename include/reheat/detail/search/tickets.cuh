// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! How the blocks of a search draw tiles, in ascending order, until one of them has a hit.
//!
//! The counter of tickets is a word with the launch's epoch in its upper half, as slots have. A launch first raises the word
//! to ticket 0 of its epoch. Epochs ascend, so what earlier launches left there is lower: the word needs no clearing, and no
//! block has to know when others have drawn their last ticket.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/simt/simt.cuh>

#include <cstdint>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

//! A ticket is for 2^bits neighbouring tiles, so that tickets, and those that blocks draw in vain, fit 32 bits.
REHEAT_HOST_DEVICE constexpr unsigned search_run_bits(std::uint64_t tiles)
{
  unsigned bits = 0;
  while (tiles >> bits >= std::uint64_t{1} << 31)
  {
    ++bits;
  }
  return bits;
}

//! The tickets of a launch for `tiles` tiles.
class search_tickets
{
public:
  REHEAT_DEVICE search_tickets(std::uint64_t* word, std::uint32_t epoch, std::uint64_t tiles, unsigned run_bits)
      : word_(word), first_(static_cast<std::uint64_t>(epoch) << 32), tiles_(tiles), run_bits_(run_bits)
  {}

  //! Before the calling thread's first draw.
  REHEAT_DEVICE void begin() const
  {
    if (!simt::fault_active(simt::fault::keep_old_tickets))
    {
      simt::max_relaxed(word_, first_);
    }
  }
  //! The number of a tile, later than all that have been drawn; too high if there is none.
  REHEAT_DEVICE std::uint64_t draw(std::uint64_t& last) const
  {
    const bool goes_on = run_bits_ != 0 && ((last + 1) >> run_bits_) == (last >> run_bits_);
    const std::uint64_t tile =
        goes_on ? last + 1
                : std::uint64_t{static_cast<std::uint32_t>(simt::fetch_add_relaxed(word_, std::uint64_t{1}))} << run_bits_;
    last = tile;
    return tile;
  }
  //! No tile is drawn any more.
  REHEAT_DEVICE void end() const { simt::max_relaxed(word_, first_ + (tiles_ >> run_bits_) + 1); }

private:
  std::uint64_t* word_;
  std::uint64_t first_, tiles_;
  unsigned run_bits_;
};

} // namespace detail
REHEAT_NAMESPACE_END

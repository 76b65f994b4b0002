// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! `reheat::simt` on the emulator: exchange within a warp.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/device_traits.cuh>
#include <reheat/detail/simt/emulated/threads.h>
#include <reheat/detail/simt/emulated_calls.h>

// The line of the call, as the last default argument.
#define REHEAT_CALL_SITE ::reheat::emulator::call_site at = {__builtin_FILE(), __builtin_LINE()}

REHEAT_NAMESPACE_BEGIN
namespace simt
{

// ---- exchange within a warp ----------------------------------------------------------------------------------------------

namespace shuffle_detail
{
template <class T>
inline T exchange(calls::shuffle_kind kind, const T& value, unsigned argument, unsigned lanes,
                  ::reheat::emulator::call_site at)
{
  T result = value;
  calls::shuffle(kind, &value, static_cast<void*>(&result), sizeof(T), argument, lanes, at);
  return result;
}
} // namespace shuffle_detail

//! Returns the value of lane `source`. Every lane named in `lanes` calls.
template <class T>
inline T shuffle(const T& value, unsigned source, unsigned lanes = all_lanes, REHEAT_CALL_SITE)
{
  return shuffle_detail::exchange(calls::shuffle_kind::index, value, source, lanes, at);
}
//! Returns the value of the lane `distance` below; lanes below `distance` keep their own.
template <class T>
inline T shuffle_up(const T& value, unsigned distance, unsigned lanes = all_lanes, REHEAT_CALL_SITE)
{
  return shuffle_detail::exchange(calls::shuffle_kind::up, value, distance, lanes, at);
}
//! As shuffle_up. `in_range` says whether there is a lane `distance` below.
template <class T>
inline T shuffle_up_predicated(const T& value, unsigned distance, bool& in_range, unsigned lanes = all_lanes,
                               REHEAT_CALL_SITE)
{
  in_range = simt::lane_index() >= distance;
  return shuffle_detail::exchange(calls::shuffle_kind::up, value, distance, lanes, at);
}
//! Returns the value of the lane `distance` above; lanes from 32 − `distance` on keep their own.
template <class T>
inline T shuffle_down(const T& value, unsigned distance, unsigned lanes = all_lanes, REHEAT_CALL_SITE)
{
  return shuffle_detail::exchange(calls::shuffle_kind::down, value, distance, lanes, at);
}
//! Whether redux_add, redux_min and redux_max exist.
inline constexpr bool has_redux = library::device_traits_of(arch).redux;
//! Gives every lane the sum over all lanes of the warp, modulo 2^32.
inline unsigned redux_add(unsigned value, REHEAT_CALL_SITE)
{
  for (unsigned distance = 1; distance < warp_lanes; distance *= 2)
  {
    value += simt::shuffle(value, simt::lane_index() ^ distance, all_lanes, at);
  }
  return value;
}
//! Give every lane the lowest and the highest value of all lanes. Word is int or unsigned.
template <class Word>
inline Word redux_min(Word value, REHEAT_CALL_SITE)
{
  for (unsigned distance = 1; distance < warp_lanes; distance *= 2)
  {
    const Word other = simt::shuffle(value, simt::lane_index() ^ distance, all_lanes, at);
    value = other < value ? other : value;
  }
  return value;
}
template <class Word>
inline Word redux_max(Word value, REHEAT_CALL_SITE)
{
  for (unsigned distance = 1; distance < warp_lanes; distance *= 2)
  {
    const Word other = simt::shuffle(value, simt::lane_index() ^ distance, all_lanes, at);
    value = value < other ? other : value;
  }
  return value;
}
inline bool all(bool predicate, unsigned lanes = all_lanes, REHEAT_CALL_SITE)
{
  return calls::vote(calls::vote_kind::all, predicate, lanes, at) == lanes;
}
inline bool any(bool predicate, unsigned lanes = all_lanes, REHEAT_CALL_SITE)
{
  return calls::vote(calls::vote_kind::any, predicate, lanes, at) != 0;
}
inline unsigned ballot(bool predicate, unsigned lanes = all_lanes, REHEAT_CALL_SITE)
{
  return calls::vote(calls::vote_kind::ballot, predicate, lanes, at);
}
//! The lanes whose word is not zero.
inline unsigned ballot_nonzero(unsigned word, REHEAT_CALL_SITE)
{
  return calls::vote(calls::vote_kind::ballot, word != 0, all_lanes, at);
}
inline unsigned count_ones(unsigned bits)
{
  return static_cast<unsigned>(__builtin_popcount(bits));
}
inline unsigned highest_one(unsigned bits)
{
  return 31 - static_cast<unsigned>(__builtin_clz(bits));
}

//! The larger one of x + y and z.
inline int max_of_sum(int x, int y, int z)
{
  return x + y > z ? x + y : z;
}

//! Adds `value` to `sum` if the condition holds.
inline void add_if(bool condition, std::uint32_t& sum, std::uint32_t value)
{
  sum += condition ? value : 0;
}

//! The upper word of {high, low} << (shift mod 32).
inline std::uint32_t funnel_left(std::uint32_t low, std::uint32_t high, unsigned shift)
{
  return static_cast<std::uint32_t>(((std::uint64_t{high} << 32 | low) << shift % 32) >> 32);
}

// ---- bytes of a word -----------------------------------------------------------------------------------------------------

inline unsigned add_bytes(unsigned word, unsigned weights, unsigned sum)
{
  for (unsigned shift = 0; shift < 32; shift += 8)
  {
    sum += (word >> shift & 0xff) * (weights >> shift & 0xff);
  }
  return sum;
}
inline unsigned pack_bytes(unsigned b0, unsigned b1, unsigned b2, unsigned b3)
{
  return (b0 & 0xff) | (b1 & 0xff) << 8 | (b2 & 0xff) << 16 | b3 << 24;
}
//! Returns the word whose byte i is byte n of the word, or 0 if n > 3, where n < 8 is nibble i of the selector.
inline std::uint32_t permute_bytes(std::uint32_t word, std::uint32_t selector)
{
  std::uint32_t result = 0;
  for (unsigned i = 0; i < 4; ++i)
  {
    result |= static_cast<std::uint32_t>(std::uint64_t{word} >> (selector >> 4 * i & 7) * 8 & 0xff) << 8 * i;
  }
  return result;
}

} // namespace simt
REHEAT_NAMESPACE_END

#undef REHEAT_CALL_SITE

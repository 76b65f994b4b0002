// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Keys of few values, which the histogram finds: a table of the values, and which digits tell them apart.
//!
//! Each block of the histogram makes a table of the values in a sample of all keys, the same sample in each block. If these
//! are few, the block counts keys in the table, in place of all their digits, and adds these counts to those of digits in
//! the end. A key that is not in the table is counted by its digits, and the block says so. If no block does, the table has
//! all values: those that differ do so in the digits from the lowest one on in which the highest differing bit of two values
//! is. Passes by the digits below have nothing to do. (Keys without values are their own witnesses in a pass, which takes
//! all bits below to be sorted: so they are left out only if one pass or two remain, as many as memory asks for.)
//!
//! Threads put the keys of the sample into the table in rounds. In each, one thread gets a place, and the others that wanted
//! it look whether it has their key. Which place a value has depends on their order; whether a value is in the table,
//! hardly.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/simt/simt.cuh>
#include <reheat/detail/sort/tuning.cuh>

#include <cstdint>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

//! Keys of 2 bytes have two digits at most.
template <class Word>
inline constexpr bool may_be_few_v = sizeof(Word) == 4 || sizeof(Word) == 8;

//! Keys of the sample. Of 32 values of uniform frequency, it lacks one in 1 of 300000 sorts.
REHEAT_HOST_DEVICE constexpr unsigned few_sample_of(const sort_config& cfg)
{
  return cfg.histogram_threads < 512 ? cfg.histogram_threads : 512;
}
//! Values in the table, at most.
REHEAT_HOST_DEVICE constexpr unsigned few_max_of(const sort_config& cfg)
{
  return few_sample_of(cfg) / 8;
}
inline constexpr unsigned few_places_log2 = 7, few_places = 1u << few_places_log2;
inline constexpr unsigned few_rounds = 8; //!< places at which a key may be
//! Of a place's counter: a lane has one of its own.
inline constexpr unsigned few_copies_log2 = 5;

//! The histogram's shared memory for a table.
template <class Word>
struct few_keys_shared
{
  static constexpr unsigned counters = few_places << few_copies_log2;
  Word* keys;
  std::uint32_t* claims; //!< how many threads wanted a place
  std::uint32_t* counts;
  std::uint32_t*
      digits; //!< of each warp and the values it has compared: which digits differ, and which are the highest ones

  REHEAT_EXEC_CHECK_DISABLE
  template <class Memory>
  REHEAT_HOST_DEVICE explicit few_keys_shared(Memory& memory)
  {
    if constexpr (may_be_few_v<Word>)
    {
      keys = memory.template array<Word>(few_places);
      claims = memory.template array<std::uint32_t>(few_places);
      counts = memory.template array<std::uint32_t>(counters);
      digits = memory.template array<std::uint32_t>(simt::warp_lanes);
    }
  }
};

//! The places at which a key may be, one for each round.
template <class Word>
class few_places_of
{
public:
  REHEAT_DEVICE explicit few_places_of(Word key)
  {
    std::uint32_t hash = static_cast<std::uint32_t>(key);
    if constexpr (sizeof(Word) == 8)
    {
      hash += static_cast<std::uint32_t>(key >> 32) * 0x85ebca6bu;
    }
    hash *= 0x9e3779b1u;
    place_ = hash >> (32 - few_places_log2);
    step_ = hash >> (31 - 2 * few_places_log2) | 1;
  }
  REHEAT_DEVICE unsigned place() const { return place_; }
  REHEAT_DEVICE void next() { place_ = (place_ + step_) & (few_places - 1); }

private:
  unsigned place_;
  unsigned step_;
};

} // namespace detail
REHEAT_NAMESPACE_END

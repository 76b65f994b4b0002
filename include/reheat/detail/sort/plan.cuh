// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Which passes of a sort move items, and between which memory. The histogram says so, on the device: each block works it
//! out for itself.
//!
//! By digits: every pass whose digit varies, so that the last one ends in the output. By buckets: one pass by the highest
//! digit that varies, if a block can hold all keys with the same such digit. Blocks then sort these buckets.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/simt/simt.cuh>
#include <reheat/detail/sort/digits.cuh>

#include <cstdint>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

template <class Word, class Value>
struct sort_pass_params
{
  sort_memory<const Word, const Value> in;
  sort_memory<Word, Value> out;
  sort_memory<Word, Value> spare;
  std::uint64_t items;
  unsigned pass;
  sort_passes passes;
  const std::uint32_t* digits; //!< what histogram.cuh found of each pass's digit, and of keys
  const std::uint64_t* starts;
  std::uint64_t* slots;
};

//! What is found of a digit.
inline constexpr std::uint32_t digit_varies = 1, digit_buckets_fit = 2;
//! What is found of keys. (In descending order, it is zeros that are not negative.)
inline constexpr std::uint32_t other_bits_differ = 1, has_negative_zeros = 2;

//! What a pass does.
struct pass_plan
{
  bool moves;    //!< anything
  bool is_first; //!< that moves anything
  bool to_out;   //!< else to spare memory
};

class sort_plan
{
public:
  //! All lanes of a warp call.
  REHEAT_DEVICE sort_plan(const sort_passes& passes, const std::uint32_t* digits) : rule_(passes.rule)
  {
    const std::uint32_t found = simt::lane_index() < passes.count ? digits[simt::lane_index()] : 0;
    moving_ = simt::ballot((found & digit_varies) != 0);
    const unsigned fitting = simt::ballot((found & digit_buckets_fit) != 0);
    // Two passes take no longer than one and the buckets.
    by_buckets_ = simt::count_ones(moving_) > 2 && (fitting >> simt::highest_one(moving_) & 1) != 0;
    if (!by_buckets_ &&
        (rule_ == pass_rule::any ? moving_ == 0 : simt::count_ones(moving_) % 2 != (rule_ == pass_rule::odd ? 1u : 0u)))
    {
      moving_ |= ~moving_ & (moving_ + 1); // the first pass that had nothing to do copies
    }
  }
  REHEAT_DEVICE bool by_buckets() const { return by_buckets_; }
  //! The pass by which buckets are told apart. It moves the items to spare memory, unless that is where the input is.
  REHEAT_DEVICE unsigned bucket_pass() const { return simt::highest_one(moving_); }
  REHEAT_DEVICE bool buckets_in_out() const { return rule_ == pass_rule::odd; }

  REHEAT_DEVICE pass_plan of(unsigned pass) const
  {
    if (by_buckets_)
    {
      return {pass == bucket_pass(), true, buckets_in_out()};
    }
    const unsigned before = simt::count_ones(moving_ & ((1u << pass) - 1)), all = simt::count_ones(moving_);
    return {(moving_ >> pass & 1) != 0, before == 0, (all - 1 - before) % 2 == 0};
  }

private:
  pass_rule rule_;
  std::uint32_t moving_;
  bool by_buckets_;
};

} // namespace detail
REHEAT_NAMESPACE_END

// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! How a sort is done: which passes move items, and between which memory. The histogram says so, on the device: each block
//! works it out for itself.
//!
//! By ranges, where there are up to some 2^20 integers alone (ranges.cuh): two launches in front of all others, which then
//! have nothing to do. If they cannot, keys are sorted by digits; nothing is sorted by buckets then.
//!
//! By counts: keys alone of few values are written from the counts of their values (few_keys.cuh), by the first pass's
//! launch. No pass moves anything then.
//!
//! By digits: every pass whose digit varies, so that the last one ends in the output. (The lowest digits of keys of few
//! values that have values with them count as those that do not vary if they are not needed, see few_keys.cuh.) By buckets:
//! one pass by the highest digit that varies, if a block can hold all keys with the same such digit. Blocks then sort these
//! buckets. Spread keys, of which there are more: no pass. They are partitioned twice (partition.cuh), by their highest
//! bits, and blocks then sort the buckets.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/simt/simt.cuh>
#include <reheat/detail/sort/digits.cuh>

#include <cstdint>
#include <type_traits>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

//! Whether keys may be sorted as spread ones. Floating-point numbers rarely are spread.
template <class Word, bool IsFloat, class Value>
inline constexpr bool may_be_spread_v =
    !IsFloat && (sizeof(Word) == 4 || sizeof(Word) == 8) && std::is_same_v<Value, no_values>;

//! How spread keys are sorted: by their highest `bits` bits, first by `high` of them. A bucket has keys with the same ones.
struct sort_spread
{
  unsigned bits; //!< 0: not at all
  unsigned high;
  std::uint32_t* totals; //!< keys with each value of the high bits
  std::uint32_t* taken;  //!< how many of these have found their place
  std::uint32_t* places; //!< where the next key of each bucket goes, counted from the first key with the same high bits

  REHEAT_HOST_DEVICE unsigned low() const { return bits - high; }
};

//! Keys of 2 bytes have two digits at most.
template <class Word>
inline constexpr bool may_be_few_v = sizeof(Word) == 4 || sizeof(Word) == 8;

//! Places of values in a table of few_keys.cuh.
inline constexpr unsigned few_places_log2 = 8, few_places = 1u << few_places_log2;

//! What is found of keys of few values. The histogram clears `counted` and `totals`.
struct sort_few_found
{
  std::uint64_t counted;            //!< keys of the blocks that have added theirs
  std::uint64_t totals[few_places]; //!< of keys alone: how many have each value, in the order of values
  std::uint64_t values[few_places]; //!< as words; of values that have keys
  std::uint32_t needless;           //!< beside values: passes that are not needed, a bit for each
};

template <class Word, class Value>
struct sort_pass_params
{
  sort_memory<const Word, const Value> in;
  sort_memory<Word, Value> out;
  sort_memory<Word, Value> spare;
  std::uint64_t items;
  unsigned pass;
  sort_passes passes;
  std::uint32_t* digits; //!< what starts.cuh found of each pass's digit, and of keys
  const std::uint64_t* starts;
  std::uint64_t* slots;
  const sort_few_found* few; //!< or null

  //! How many keys are of known values, which are few. If that is all keys, they have few values.
  REHEAT_DEVICE std::uint64_t of_few_values() const { return may_be_few_v<Word> && few != nullptr ? few->counted : 0; }
  //! Passes that are not needed.
  REHEAT_DEVICE std::uint32_t needless() const
  {
    if constexpr (may_be_few_v<Word> && !std::is_same_v<Value, no_values>)
    {
      return of_few_values() == items ? few->needless : 0;
    }
    return 0;
  }
};

//! What is found of a digit. The bits in which it differs between keys are in the bits from digit_bits_shift on. If it has
//! one value in more than a quarter of the keys, and no other in so many, that is in the bits from common_digit_shift on.
inline constexpr std::uint32_t digit_varies = 1, digit_buckets_fit = 2, digit_is_uneven = 4, has_common_digit = 8;
inline constexpr unsigned digit_bits_shift = 8, common_digit_shift = 16;
//! What is found of keys. (In descending order, it is zeros that are not negative.) Beside a table, digits that it leaves to
//! be counted are counted in a sample of the keys.
inline constexpr std::uint32_t other_bits_differ = 1, has_negative_zeros = 2, not_in_table = 4, digits_are_sampled = 8;

//! What is found, in words: for each digit, and of keys; then whether a bucket of spread keys is too large for a block,
//! sort_spread::bits, how many tiles passes had to rank again, the bits of a bucket that partitions leave to be sorted, or 0
//! if keys are not sorted as spread ones, which the first partition says, and whether digits were counted again.
//! Then come two words of the sort by ranges: whether keys are sorted by its first two launches, and whether a bucket is too
//! large for that. And for each pass: how many of its tiles have been sorted, if all passes are in one launch.
REHEAT_HOST_DEVICE constexpr unsigned found_words(unsigned passes)
{
  return 2 * passes + 8;
}
REHEAT_HOST_DEVICE constexpr unsigned ranked_again_word(unsigned passes)
{
  return passes + 3;
}
REHEAT_HOST_DEVICE constexpr unsigned bucket_bits_word(unsigned passes)
{
  return passes + 4;
}
REHEAT_HOST_DEVICE constexpr unsigned counted_again_word(unsigned passes)
{
  return passes + 5;
}
REHEAT_HOST_DEVICE constexpr unsigned ranges_word(unsigned passes)
{
  return passes + 6;
}
REHEAT_HOST_DEVICE constexpr unsigned done_word(unsigned passes)
{
  return passes + 8;
}

inline constexpr unsigned no_digit = ~0u;

//! What a pass does.
struct pass_plan
{
  bool moves;            //!< anything
  bool is_first;         //!< that moves anything
  bool to_out;           //!< else to spare memory
  unsigned common_digit; //!< of many keys, or no_digit
};

class sort_plan
{
public:
  //! `needless`: passes that are not needed, a bit for each. All lanes of a warp call.
  REHEAT_DEVICE sort_plan(const sort_passes& passes, const std::uint32_t* digits, std::uint32_t needless)
      : rule_(passes.rule)
  {
    found_ = simt::lane_index() < passes.count ? digits[simt::lane_index()] : 0;
    moving_ = simt::ballot((found_ & digit_varies) != 0) & ~needless;
    const unsigned fitting = simt::ballot((found_ & digit_buckets_fit) != 0);
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
  //! The pass before one that moves items and is not the first.
  REHEAT_DEVICE unsigned before(unsigned pass) const { return simt::highest_one(moving_ & ((1u << pass) - 1)); }
  REHEAT_DEVICE bool buckets_in_out() const { return rule_ == pass_rule::odd; }

  //! All lanes of a warp call.
  REHEAT_DEVICE pass_plan of(unsigned pass) const
  {
    const std::uint32_t found = simt::shuffle(found_, pass);
    const unsigned common = (found & has_common_digit) != 0 ? found >> common_digit_shift : no_digit;
    if (by_buckets_)
    {
      return {pass == bucket_pass(), true, buckets_in_out(), common};
    }
    const unsigned before = simt::count_ones(moving_ & ((1u << pass) - 1)), all = simt::count_ones(moving_);
    return {(moving_ >> pass & 1) != 0, before == 0, (all - 1 - before) % 2 == 0, common};
  }

private:
  pass_rule rule_;
  std::uint32_t found_; //!< of the lane's digit
  std::uint32_t moving_;
  bool by_buckets_;
};

//! Whether keys are sorted as spread ones, and which bits are left to buckets.
class sort_spread_plan
{
public:
  //! `few`: so many passes take no longer. `bin_bits`: by which blocks put keys of a bucket into bins. All lanes call.
  REHEAT_DEVICE sort_spread_plan(const sort_passes& passes, const std::uint32_t* digits, unsigned few, unsigned bin_bits)
  {
    const unsigned lane = simt::lane_index();
    // Not the bits of buckets, which a block of this launch notes meanwhile.
    const std::uint32_t found = lane < ranked_again_word(passes.count) ? digits[lane] : 0;
    const unsigned spread_bits = simt::shuffle(found, passes.count + 2);
    const unsigned below = passes.end_bit - spread_bits; // bits that partitions leave
    const bool varies = lane < passes.count && (found & digit_varies) != 0;
    const unsigned moving = simt::ballot(varies), left = simt::ballot(varies && passes.begin_of(lane) < below);
    const unsigned pass = left != 0 ? simt::highest_one(left) : 0;
    const std::uint32_t highest = simt::shuffle(found, pass);
    const unsigned highest_bits = highest >> digit_bits_shift & 0xff;
    const unsigned end = passes.begin_of(pass) + simt::highest_one(highest_bits | 1) + 1;
    bucket_bits_ = end < below ? end : below;
    const bool is_refused =
        simt::any((lane == passes.count && (found & ~digits_are_sampled) != 0) || (lane == passes.count + 1 && found != 0));
    // Where bins differ in few bits, and keys of a bin in others, bins are crowded.
    const unsigned bin_begin = bucket_bits_ > bin_bits ? bucket_bits_ - bin_bits : 0;
    const std::uint64_t differing =
        varies ? std::uint64_t{found >> digit_bits_shift & 0xff} << passes.begin_of(lane) : std::uint64_t{0};
    unsigned bits =
        simt::count_ones(static_cast<unsigned>(differing >> bin_begin) & ((1u << (bucket_bits_ - bin_begin)) - 1));
    REHEAT_UNROLL
    for (unsigned distance = 1; distance < simt::warp_lanes; distance *= 2)
    {
      bits += simt::shuffle(bits, lane ^ distance);
    }
    const bool differ_in_bins = simt::any((differing & ((std::uint64_t{1} << bin_begin) - 1)) != 0);
    spreads_ = spread_bits != 0 && simt::count_ones(moving) > few && left != 0 && (highest & digit_is_uneven) == 0 &&
               (bits + 1 >= bin_bits || !differ_in_bins) &&
               (!is_refused || simt::fault_active(simt::fault::sort_spread_all));
  }
  REHEAT_DEVICE bool spreads() const { return spreads_; }
  //! The lowest bits, above which keys of a bucket are the same.
  REHEAT_DEVICE unsigned bucket_bits() const { return bucket_bits_; }

private:
  bool spreads_;
  unsigned bucket_bits_;
};

} // namespace detail
REHEAT_NAMESPACE_END

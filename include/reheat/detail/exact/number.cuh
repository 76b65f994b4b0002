// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Floating-point numbers as integers, and the integer that is the sum of any of them.
//!
//! A number is an integer, its significand, times a power of 2, in units of the smallest subnormal number. The exponent of
//! that power is its *position*: that of its lowest bit. A sum is kept in *chunks*: chunk k counts units of 2^(32k). A
//! chunk is a signed integer of 64 bits, so many sums of 32 bits fit before carries must be passed on. (R. Neal, "Fast exact
//! summation using small and large superaccumulators", 2015.)
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/operators.cuh>
#include <reheat/detail/simt/simt.cuh>

#include <cstdint>
#include <cstring>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

//! The binary format of T. `digits`: of the significand, its implicit one included.
template <class T>
struct float_format
{
  static constexpr bool exists = false;
};
template <class Bits, unsigned Digits>
struct binary_format
{
  static constexpr bool exists = true;
  static constexpr unsigned digits = Digits;
  static constexpr unsigned exponent_bits = sizeof(Bits) * 8 - Digits;
  using bits_type = Bits;
};
template <>
struct float_format<float> : binary_format<std::uint32_t, 24>
{};
template <>
struct float_format<double> : binary_format<std::uint64_t, 53>
{};
template <>
struct float_format<__half> : binary_format<std::uint16_t, 11>
{};
template <>
struct float_format<__nv_bfloat16> : binary_format<std::uint16_t, 8>
{};

//! Kinds of items that have no position. A sum with several kinds is not a number, as IEEE 754 has it.
struct special_items
{
  static constexpr unsigned infinity = 1, negative_infinity = 2, not_a_number = 4, kinds = 3;
};

//! The numbers that follow from the format of T.
template <class T>
struct exact_layout : float_format<T>
{
  using format = float_format<T>;
  static constexpr unsigned max_exponent = (1u << format::exponent_bits) - 1; //!< of infinities and NaNs
  static constexpr bool spans_two_chunks = format::digits + 31 > 62;
  //! Chunks that numbers add to, and one that only carries reach. 2^40 numbers can not make that overflow.
  static constexpr unsigned chunks = max_exponent / 32 + 1 + (spans_two_chunks ? 1 : 0) + 1;
};

//! A sum of one block or of all, in chunks that are small enough to add those of any million blocks.
template <class T>
struct exact_total
{
  std::int64_t chunk[exact_layout<T>::chunks];
  std::uint64_t specials; //!< of special_items; as wide as chunks, so that no byte of a copy is padding
};

//! Remembers whether special items have been among doubles, without a branch for each of them.
class special_watch
{
public:
  REHEAT_DEVICE void see(std::uint64_t bits)
  {
    // The upper half tells infinities from NaNs if it has a bit of what the lower half holds.
    const unsigned word = static_cast<unsigned>(bits >> 32) | (static_cast<unsigned>(bits) != 0 ? 1u : 0u);
    // Of the numbers' bits, the largest signed integer is of the largest positive number, the largest unsigned one of the
    // negative number that is largest in magnitude. Infinities are larger than finite numbers, NaNs than infinities.
    positive_ = static_cast<int>(word) > positive_ ? static_cast<int>(word) : positive_;
    negative_ = word > negative_ ? word : negative_;
  }
  //! The special_items that have been seen.
  REHEAT_DEVICE unsigned seen() const
  {
    constexpr unsigned sign = 0x80000000u, infinity = 0x7ff00000u;
    const unsigned positive = static_cast<unsigned>(positive_);
    return (positive > infinity || negative_ > (sign | infinity) ? special_items::not_a_number : 0u) |
           (positive == infinity ? special_items::infinity : 0u) |
           (negative_ == (sign | infinity) ? special_items::negative_infinity : 0u);
  }

private:
  int positive_ = 0;
  unsigned negative_ = 0;
};

//! Remembers the same of Ts, floats or doubles, in one multiply-add each: in the sum of the numbers, scaled so that finite
//! ones do not overflow it. It is infinite or not a number as IEEE 754 has it.
template <class T>
class special_sum
{
public:
  REHEAT_DEVICE void see(T x) { sum_ = simt::multiply_add_rounded(x, T(0x1p-64), sum_); }
  //! The special_items that have been seen. Infinities of both signs make a sum that is not a number.
  REHEAT_DEVICE unsigned seen() const
  {
    using layout = exact_layout<T>;
    using bits_type = typename layout::bits_type;
    constexpr bits_type sign = bits_type{1} << (sizeof(bits_type) * 8 - 1);
    constexpr bits_type infinity = bits_type{layout::max_exponent} << (layout::digits - 1);
    bits_type bits;
    memcpy(&bits, &sum_, sizeof bits);
    return (bits & ~sign) > infinity   ? special_items::not_a_number
           : bits == infinity          ? special_items::infinity
           : bits == (sign | infinity) ? special_items::negative_infinity
                                       : 0u;
  }

private:
  T sum_ = 0;
};

//! The chunks [first, end). Those outside are 0.
struct chunk_range
{
  unsigned first;
  unsigned end;
};

//! Leaves the low 32 bits in every chunk of the range but the last of all, and adds the rest to the next one. Returns the
//! range with the chunk behind it.
template <class T, class Chunk>
REHEAT_DEVICE chunk_range pass_carries(Chunk chunk, chunk_range range)
{
  constexpr unsigned last = exact_layout<T>::chunks - 1;
  const unsigned end = range.end < last ? range.end : last;
  std::int64_t carry = 0;
  for (unsigned k = range.first; k < end; ++k)
  {
    const std::int64_t sum = chunk(k) + carry;
    chunk(k) = static_cast<std::uint32_t>(sum);
    carry = simt::fault_active(simt::fault::exact_lost_carry) ? 0 : sum >> 32;
  }
  chunk(end) += carry;
  return {range.first, end + 1};
}
//! The same of all chunks.
template <class T, class Chunk>
REHEAT_DEVICE void pass_carries(Chunk chunk)
{
  pass_carries<T>(chunk, chunk_range{0, exact_layout<T>::chunks});
}

//! 64 bits of a sum that is not negative and whose carries have been passed on, from bit `position` >= 0 on.
template <class T>
REHEAT_DEVICE std::uint64_t bits_at(const exact_total<T>& total, unsigned position)
{
  const unsigned first = position / 32, shift = position % 32;
  const auto chunk = [&](unsigned k)
  { return k < exact_layout<T>::chunks ? static_cast<std::uint64_t>(total.chunk[k]) : 0; };
  const std::uint64_t low = (chunk(first + 1) << 32 | chunk(first)) >> shift;
  return shift == 0 ? low : low | chunk(first + 2) << (64 - shift);
}

//! Whether any bit below `position` is set. No chunk before `first` has one.
template <class T>
REHEAT_DEVICE bool has_bits_below(const exact_total<T>& total, unsigned position, unsigned first)
{
  const unsigned last = position / 32;
  std::int64_t bits = total.chunk[last] & ((std::int64_t{1} << position % 32) - 1);
  for (unsigned k = first; k < last; ++k)
  {
    bits |= total.chunk[k];
  }
  return bits != 0;
}

//! The magnitude of a sum that is not negative and whose carries have been passed on, rounded to nearest, of two to the even
//! one. As the bits of a T.
template <class T>
REHEAT_DEVICE typename exact_layout<T>::bits_type magnitude_bits(const exact_total<T>& total, chunk_range range)
{
  using layout = exact_layout<T>;
  using bits_type = typename layout::bits_type;
  constexpr unsigned fraction_bits = layout::digits - 1, last = layout::chunks - 1;
  constexpr std::uint64_t infinity = std::uint64_t{layout::max_exponent} << fraction_bits;
  unsigned top = range.end - 1;
  while (top > range.first && total.chunk[top] == 0)
  {
    --top;
  }
  if (total.chunk[top] == 0)
  {
    return 0;
  }
  if (total.chunk[last] >> 31 != 0)
  {
    return static_cast<bits_type>(infinity);
  }
  const unsigned highest = 32 * top + simt::highest_one(static_cast<unsigned>(total.chunk[top]));
  const unsigned position = highest > fraction_bits ? highest - fraction_bits : 0;
  if (position + 1 >= layout::max_exponent)
  {
    return static_cast<bits_type>(infinity);
  }
  std::uint64_t significand = bits_at(total, position);
  const bool half = position != 0 && (bits_at(total, position - 1) & 1) != 0;
  const bool up = half && ((significand & 1) != 0 || has_bits_below(total, position - 1, range.first));
  significand += up && !simt::fault_active(simt::fault::exact_truncates) ? 1 : 0;
  // The implicit one adds 1 to the exponent. A significand that rounds up to the next power of 2 carries into the exponent,
  // and from the largest one to infinity.
  return static_cast<bits_type>((static_cast<std::uint64_t>(position) << fraction_bits) + significand);
}

//! The number nearest to the sum, as IEEE 754 rounds. Zero is +0. Destroys the sum, whose chunks outside the range are 0.
template <class T>
REHEAT_DEVICE T round_exactly(exact_total<T>& total, chunk_range range)
{
  using layout = exact_layout<T>;
  using bits_type = typename layout::bits_type;
  constexpr std::uint64_t infinity = std::uint64_t{layout::max_exponent} << (layout::digits - 1);
  constexpr std::uint64_t sign_bit = std::uint64_t{1} << (sizeof(bits_type) * 8 - 1);
  const auto chunk = [&](unsigned k) -> std::int64_t& { return total.chunk[k]; };
  std::uint64_t bits = 0;
  if (total.specials != 0)
  {
    bits = total.specials == special_items::infinity            ? infinity
           : total.specials == special_items::negative_infinity ? infinity | sign_bit
                                                                : infinity | infinity >> 1;
  }
  else
  {
    range = pass_carries<T>(chunk, range);
    const bool negative = total.chunk[range.end - 1] < 0;
    if (negative)
    {
      for (unsigned k = range.first; k < range.end; ++k)
      {
        total.chunk[k] = -total.chunk[k];
      }
      range = pass_carries<T>(chunk, range);
    }
    bits = magnitude_bits(total, range) | (negative ? sign_bit : 0);
  }
  const auto narrow = static_cast<bits_type>(bits);
  T result;
  memcpy(static_cast<void*>(&result), &narrow, sizeof result);
  return result;
}

} // namespace detail
REHEAT_NAMESPACE_END

// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Whether a floating-point number is the one nearest to a sum: by integers that hold any sum, and no rounding of its own.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <vector>

namespace compat
{

//! The binary format of a T of `Digits` significant bits.
template <class T, unsigned Digits>
struct ieee_number
{
  using bits_type =
      std::conditional_t<sizeof(T) == 2, std::uint16_t, std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>>;
  static constexpr unsigned digits = Digits;
  static constexpr bits_type sign = static_cast<bits_type>(bits_type{1} << (8 * sizeof(T) - 1));
  static constexpr bits_type infinity = static_cast<bits_type>((sign - 1u) >> (Digits - 1) << (Digits - 1));

  static bits_type bits(const T& number)
  {
    bits_type result;
    std::memcpy(&result, &number, sizeof result);
    return result;
  }
  static T of(std::uint64_t bits)
  {
    const auto narrow = static_cast<bits_type>(bits);
    T result;
    std::memcpy(static_cast<void*>(&result), &narrow, sizeof result);
    return result;
  }
};

//! A signed integer that holds any sum of the numbers, in units of the smallest subnormal one.
template <class Number>
class wide_integer
{
public:
  //! Adds `times` times a number, given by its bits. Infinity counts as the power of 2 that it stands for in rounding.
  void add(typename Number::bits_type bits, std::int64_t times)
  {
    const std::uint64_t magnitude = bits & (Number::sign - 1u);
    const std::uint64_t field = magnitude >> (Number::digits - 1);
    std::uint64_t significand = magnitude & ((std::uint64_t{1} << (Number::digits - 1)) - 1);
    significand += field != 0 ? std::uint64_t{1} << (Number::digits - 1) : 0;
    const std::size_t position = static_cast<std::size_t>(field != 0 ? field - 1 : 0);
    const std::int64_t factor = (bits & Number::sign) != 0 ? -times : times;
    for (std::size_t bit = 0; bit < Number::digits; ++bit)
    {
      count_[position + bit] += (significand >> bit & 1) != 0 ? factor : 0;
    }
  }
  //! -1, 0 or 1.
  int sign() const
  {
    std::int64_t carry = 0;
    bool any = false;
    for (const std::int64_t count : count_)
    {
      const std::int64_t sum = count + carry;
      any = any || (sum & 1) != 0;
      carry = sum >> 1;
    }
    return carry < 0 ? -1 : any || carry > 0 ? 1 : 0;
  }

private:
  //! Of each power of 2 that a number has. What sums have above them is carried.
  std::array<std::int64_t, (Number::infinity >> (Number::digits - 1)) + Number::digits> count_{};
};

//! Whether `result` is the number nearest to half of `twice`, of two the even one; +0 if that is 0.
template <class Number, class T>
bool is_nearest_to_half_of(const wide_integer<Number>& twice, const T& result)
{
  using bits_type = typename Number::bits_type;
  const bits_type bits = Number::bits(result);
  const auto magnitude = static_cast<bits_type>(bits & (Number::sign - 1u));
  if (twice.sign() == 0)
  {
    return bits == 0;
  }
  if (magnitude > Number::infinity || twice.sign() != ((bits & Number::sign) != 0 ? -1 : 1))
  {
    return false;
  }
  // Twice the sum lies between result + its neighbour towards zero and result + its neighbour away from zero.
  const auto side = [&](int step)
  {
    wide_integer<Number> difference = twice;
    difference.add(bits, -1);
    const auto neighbour = static_cast<bits_type>(magnitude + static_cast<bits_type>(step));
    difference.add(static_cast<bits_type>(neighbour | (bits & Number::sign)), -1);
    return difference.sign() * twice.sign();
  };
  const bool is_even = (magnitude & 1) == 0;
  const int below = magnitude == 0 ? 1 : side(-1);
  const int above = magnitude == Number::infinity ? -1 : side(1);
  return (below > 0 || (below == 0 && is_even)) && (above < 0 || (above == 0 && is_even));
}

//! The same of the sum of finite items.
template <class Number, class T>
bool is_nearest_to_sum(const std::vector<T>& items, const T& result)
{
  wide_integer<Number> twice;
  for (const T& item : items)
  {
    twice.add(Number::bits(item), 2);
  }
  return is_nearest_to_half_of<Number>(twice, result);
}

} // namespace compat

// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Sums without rounding, on the host: the reference of --accuracy.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace compare
{

//! A sum of finite doubles as an integer, in units of the smallest subnormal number. Holds 2^31 of them.
class exact_sum
{
public:
  void add(double x)
  {
    int exponent = 0;
    const double fraction = std::frexp(x, &exponent); // x = fraction · 2^exponent
    const auto significand = static_cast<std::int64_t>(std::ldexp(fraction, 53));
    // A subnormal number's low bits are zeros. They stand below the units and may go.
    const int position = exponent - 53 + lowest_exponent;
    const std::int64_t whole = position < 0 ? significand / (std::int64_t{1} << -position) : significand;
    const unsigned at = position < 0 ? 0 : static_cast<unsigned>(position);
    const std::int64_t sign = whole < 0 ? -1 : 1;
    const auto magnitude = static_cast<std::uint64_t>(whole < 0 ? -whole : whole);
    const std::uint64_t low = magnitude << (at % 32); // its upper bits may be lost, and come from `high`
    const std::uint64_t high = at % 32 == 0 ? 0 : magnitude >> (64 - at % 32);
    limbs_[at / 32] += sign * static_cast<std::int64_t>(low & mask);
    limbs_[at / 32 + 1] += sign * static_cast<std::int64_t>(low >> 32);
    limbs_[at / 32 + 2] += sign * static_cast<std::int64_t>(high);
  }

  //! The sum, off by less than 2^-60 of itself.
  long double value() const
  {
    std::array<std::int64_t, limbs> carried = limbs_;
    for (std::size_t i = 0; i + 1 < limbs; ++i)
    {
      const std::int64_t carry = carried[i] >> 32;
      carried[i] -= carry * (std::int64_t{1} << 32);
      carried[i + 1] += carry;
    }
    const bool negative = carried[limbs - 1] < 0;
    if (negative)
    {
      exact_sum opposite = *this;
      for (std::int64_t& limb : opposite.limbs_)
      {
        limb = -limb;
      }
      return -opposite.value();
    }
    long double made = 0;
    int taken = 0; // limbs, from the highest that is not zero
    for (std::size_t i = limbs; i > 0 && taken < 4; --i)
    {
      taken += taken != 0 || carried[i - 1] != 0;
      made += std::ldexp(static_cast<long double>(carried[i - 1]), 32 * static_cast<int>(i - 1) - lowest_exponent);
    }
    return made;
  }

private:
  static constexpr int lowest_exponent = 1074; // of the units, negated
  static constexpr std::size_t limbs = 70;
  static constexpr std::uint64_t mask = 0xffffffffu;

  std::array<std::int64_t, limbs> limbs_{}; // of 32 bits each, and carries
};

} // namespace compare

// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Sums of floats, and of narrower numbers as floats, in integers of 32 bits. (column.cuh divides doubles likewise.)
//!
//! Exponents are divided into *windows* of a fixed number of neighbours. A number is scaled by the power of 2 of its window,
//! and so becomes a multiple of a fixed unit that is small enough for one or two *limbs*, integers of 32 bits. A GPU adds
//! floats at twice the rate of shifts and of operations on bits, so an addition converts: 1.5 · 2^23 units and a number of
//! less than 2^22 units are a float whose lowest bits are the number of units. What it rounds away is the lower limb.
#pragma once

#include <reheat/detail/config.cuh>
#include <reheat/detail/exact/number.cuh>
#include <reheat/detail/simt/simt.cuh>

#include <cstdint>
#include <cstring>

REHEAT_NAMESPACE_BEGIN
namespace detail
{

//! A window's sum as its unit counts it: low + high · 2^(high_unit − unit).
struct two_limbs
{
  std::uint32_t low; //!< as high, a signed integer
  std::uint32_t high;
};
struct one_limb
{
  std::uint32_t low;
};

//! How Ts are divided. A number of window k is a multiple of 2^(width · k − ahead) smallest subnormal Ts.
template <class T>
struct exact_windows
{
  static constexpr bool exist = false;
};
//! Windows of 16 exponents: a scaled number is below 2^9, and a multiple of 2^-30. Limbs grow by up to 2^19.
template <>
struct exact_windows<float>
{
  static constexpr bool exist = true;
  using limbs = two_limbs;
  static constexpr unsigned width = 16, count = 256 / width, ahead = 1;
  static constexpr unsigned scale_exponent = 247; //!< of the number that window 0 is multiplied by, biased
  static constexpr int unit = -30, high_unit = -10;
  static constexpr std::uint32_t carry_free_items = (1u << 12) - 1;
};
//! Windows of 8 exponents: a scaled number is below 2^6, and a multiple of 2^-9. The limb grows by less than 2^15.
template <>
struct exact_windows<__nv_bfloat16>
{
  static constexpr bool exist = true;
  using limbs = one_limb;
  static constexpr unsigned width = 8, count = 256 / width, ahead = 1;
  static constexpr unsigned scale_exponent = 252;
  static constexpr int unit = -9, high_unit = unit;
  static constexpr std::uint32_t carry_free_items = (1u << 16) - 1;
};
//! One window, whose unit is the smallest subnormal number. Limbs grow by up to 2^20 and 2^19.
template <>
struct exact_windows<__half>
{
  static constexpr bool exist = true;
  using limbs = two_limbs;
  static constexpr unsigned width = 0, count = 1, ahead = 0;
  static constexpr int unit = -24, high_unit = -4;
  static constexpr std::uint32_t carry_free_items = (1u << 11) - 1;
};

REHEAT_DEVICE inline std::uint32_t bits_of(float x)
{
  std::uint32_t bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}
REHEAT_DEVICE inline float float_of(std::uint32_t bits)
{
  float x;
  memcpy(&x, &bits, sizeof x);
  return x;
}
REHEAT_DEVICE inline std::uint64_t bits_of(double x)
{
  std::uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}
REHEAT_DEVICE inline double double_of(std::uint64_t bits)
{
  double x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

//! Rounds `x` · `scale` to a multiple of 2^Unit and adds that multiple to a limb, which counts in this unit. Returns the
//! multiple.
template <int Unit>
REHEAT_DEVICE float add_units(float x, float scale, std::uint32_t& limb)
{
  constexpr std::uint32_t offset_bits = static_cast<std::uint32_t>(Unit + 23 + 127) << 23 | 1u << 22;
  const float offset = float_of(offset_bits);
  const float moved = simt::multiply_add_rounded(x, scale, offset);
  limb += bits_of(moved) - offset_bits;
  return simt::add_rounded(moved, -offset);
}
//! Adds a number times a power of 2 to the limbs of its window.
template <class Windows>
REHEAT_DEVICE void add_scaled(float x, float scale, two_limbs& to)
{
  const float high = add_units<Windows::high_unit>(x, scale, to.high);
  add_units<Windows::unit>(simt::multiply_add_rounded(x, scale, -high), 1, to.low);
}
template <class Windows>
REHEAT_DEVICE void add_scaled(float x, float scale, one_limb& to)
{
  add_units<Windows::unit>(x, scale, to.low);
}

//! Makes limbs stand for a sum, in the window's unit.
template <class Windows>
REHEAT_DEVICE void store_in_limbs(std::int64_t sum, two_limbs& to)
{
  constexpr unsigned high_position = Windows::high_unit - Windows::unit;
  to.low = static_cast<std::uint32_t>(sum) & ((1u << high_position) - 1);
  to.high = static_cast<std::uint32_t>(sum >> high_position);
}
template <class Windows>
REHEAT_DEVICE void store_in_limbs(std::int64_t sum, one_limb& to)
{
  to.low = static_cast<std::uint32_t>(sum);
}

} // namespace detail
REHEAT_NAMESPACE_END

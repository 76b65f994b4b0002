// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! The operators of the tests. All are associative; those that can tell order do not commute.
#pragma once

#include "values.hpp"

#include <cstdint>

namespace compat
{

//! The fold that belongs to the type.
struct fold
{
  template <class T>
  REHEAT_HOST_DEVICE T operator()(const T& x, const T& y) const
  {
    return values<T>::fold(x, y);
  }
};

//! A 2x2 matrix modulo the prime 65521.
struct matrix
{
  std::uint32_t cell[2][2];
};
inline constexpr std::uint32_t matrix_prime = 65521;

template <>
struct values<matrix>
{
  REHEAT_HOST_DEVICE static matrix make(std::size_t index)
  {
    const std::uint64_t bits = mix(index);
    const std::uint32_t a = static_cast<std::uint32_t>(bits % matrix_prime);
    const std::uint32_t b = static_cast<std::uint32_t>((bits >> 20) % matrix_prime);
    const std::uint32_t product = static_cast<std::uint32_t>((1 + std::uint64_t(a) * b) % matrix_prime);
    return {{{product, a}, {b, 1}}}; // determinant 1: no product of them is singular
  }
  REHEAT_HOST_DEVICE static matrix fold(const matrix& x, const matrix& y)
  {
    matrix result;
    for (unsigned row = 0; row < 2; ++row)
    {
      for (unsigned column = 0; column < 2; ++column)
      {
        const std::uint64_t sum =
            std::uint64_t(x.cell[row][0]) * y.cell[0][column] + std::uint64_t(x.cell[row][1]) * y.cell[1][column];
        result.cell[row][column] = static_cast<std::uint32_t>(sum % matrix_prime);
      }
    }
    return result;
  }
  REHEAT_HOST_DEVICE static bool same(const matrix& x, const matrix& y)
  {
    return x.cell[0][0] == y.cell[0][0] && x.cell[0][1] == y.cell[0][1] && x.cell[1][0] == y.cell[1][0] &&
           x.cell[1][1] == y.cell[1][1];
  }
};

//! A string by its length and a polynomial hash modulo 2^31 - 1; folding concatenates.
struct text
{
  std::uint32_t length, hash, weight;
};

template <>
struct values<text>
{
  static constexpr std::uint64_t prime = 0x7fffffffu;
  REHEAT_HOST_DEVICE static text make(std::size_t index)
  {
    return {1, static_cast<std::uint32_t>(mix(index) % prime), 1000003};
  }
  REHEAT_HOST_DEVICE static text fold(const text& x, const text& y)
  {
    return {x.length + y.length, static_cast<std::uint32_t>((std::uint64_t(x.hash) * y.weight + y.hash) % prime),
            static_cast<std::uint32_t>(std::uint64_t(x.weight) * y.weight % prime)};
  }
  REHEAT_HOST_DEVICE static bool same(const text& x, const text& y)
  {
    return x.length == y.length && x.hash == y.hash && x.weight == y.weight;
  }
};

//! A summation from item `begin` to before item `end`. Folding two that do not meet gives an error, and an error folded with
//! anything stays one: a correct result for a size proves that every item took part once and in order.
struct interval
{
  std::int64_t begin, end;
};

template <>
struct values<interval>
{
  REHEAT_HOST_DEVICE static interval make(std::size_t index)
  {
    return {static_cast<std::int64_t>(index), static_cast<std::int64_t>(index) + 1};
  }
  REHEAT_HOST_DEVICE static bool valid(const interval& x) { return x.begin < x.end; }
  REHEAT_HOST_DEVICE static interval fold(const interval& x, const interval& y)
  {
    return valid(x) && valid(y) && x.end == y.begin ? interval{x.begin, y.end} : interval{-1, -1};
  }
  REHEAT_HOST_DEVICE static bool same(const interval& x, const interval& y) { return x.begin == y.begin && x.end == y.end; }
};

//! Item `i` of the input of T.
template <class T>
struct make_item
{
  using result_type = T;
  template <class Index>
  REHEAT_HOST_DEVICE T operator()(Index index) const
  {
    return values<T>::make(static_cast<std::size_t>(index));
  }
};

//! Sums modulo a number that the operator carries.
struct plus_modulo
{
  std::uint32_t modulus;
  REHEAT_HOST_DEVICE std::uint32_t operator()(std::uint32_t x, std::uint32_t y) const { return (x + y) % modulus; }
};

//! Sums modulo a number that the operator finds in the machine's memory.
struct plus_modulo_in_memory
{
  const std::uint32_t* modulus;
  REHEAT_HOST_DEVICE std::uint32_t operator()(std::uint32_t x, std::uint32_t y) const { return (x + y) % *modulus; }
};

//! Its call operator is not const.
struct unconstant_plus
{
  std::uint32_t calls = 0;
  REHEAT_HOST_DEVICE std::uint32_t operator()(std::uint32_t x, std::uint32_t y)
  {
    ++calls;
    return x + y;
  }
};

//! Returns a reference to one of its operands.
struct maximum_by_reference
{
  template <class T>
  REHEAT_HOST_DEVICE const T& operator()(const T& x, const T& y) const
  {
    return x < y ? y : x;
  }
};

//! Keeps the later operand: the simplest operator that does not commute.
struct last
{
  template <class T>
  REHEAT_HOST_DEVICE T operator()(const T&, const T& y) const
  {
    return y;
  }
};

//! Sums in the common type of its operands.
struct plus
{
  template <class X, class Y>
  REHEAT_HOST_DEVICE auto operator()(const X& x, const Y& y) const -> decltype(x + y)
  {
    return x + y;
  }
};

} // namespace compat

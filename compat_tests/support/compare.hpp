// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Comparisons that say what differs: type, size, first bad index, expected, actual.
#pragma once

#include "framework.hpp"
#include "values.hpp"

#include <cmath>
#include <cstddef>
#include <cstring>
#include <limits>
#include <string>
#include <type_traits>
#include <typeinfo>
#include <vector>

namespace compat
{

template <class T>
std::string type_name()
{
  return demangled(typeid(T));
}

//! A value for people: a number, or the bytes of anything else.
template <class T>
std::string describe(const T& value)
{
  if constexpr (std::is_floating_point<T>::value)
  {
    return describe_real(value, std::numeric_limits<T>::max_digits10);
  }
  else if constexpr (std::is_arithmetic<T>::value)
  {
    return describe_integer(static_cast<std::conditional_t<std::is_signed<T>::value, long long, unsigned long long>>(value));
  }
  else
  {
    return describe_bytes(&value, sizeof(T));
  }
}

//! One assertion for a whole range.
template <class T, class Same>
bool check_range(const std::string& what, const std::vector<T>& expected, const std::vector<T>& actual, Same same)
{
  range_comparison found{expected.size(), actual.size(), 0, 0, {}, {}};
  for (std::size_t i = 0; expected.size() == actual.size() && i < expected.size(); ++i)
  {
    if (!same(expected[i], actual[i]))
    {
      found.first = found.differing++ == 0 ? i : found.first;
    }
  }
  if (found.differing != 0)
  {
    found.expected = describe(expected[found.first]);
    found.actual = describe(actual[found.first]);
  }
  return check_comparison(what, typeid(T), found);
}

template <class T>
bool check_same(const std::string& what, const std::vector<T>& expected, const std::vector<T>& actual)
{
  return check_range(what, expected, actual, [](const T& x, const T& y) { return values<T>::same(x, y); });
}

//! Bit for bit: tells -0.0 from 0.0 and one NaN from another.
template <class T>
bool check_bitwise(const std::string& what, const std::vector<T>& expected, const std::vector<T>& actual)
{
  return check_range(what, expected, actual, [](const T& x, const T& y) { return std::memcmp(&x, &y, sizeof(T)) == 0; });
}

//! A single result of a fold of `items` items.
template <class T>
bool check_result(const std::string& what, std::size_t items, const T& expected, const T& actual)
{
  const bool equal = values<T>::same(expected, actual);
  return check_value(what, typeid(T), items, equal, "", equal ? std::string() : describe(expected),
                     equal ? std::string() : describe(actual));
}
template <class T>
bool check_result_bitwise(const std::string& what, std::size_t items, const T& expected, const T& actual)
{
  const bool equal = std::memcmp(&expected, &actual, sizeof(T)) == 0;
  return check_value(what, typeid(T), items, equal, ", bit for bit", equal ? std::string() : describe(expected),
                     equal ? std::string() : describe(actual));
}

//! A count, a position or a truth value that was found in `items` items.
inline void check_place(const char* what, std::size_t items, std::ptrdiff_t expected, std::ptrdiff_t actual)
{
  BOOST_TEST(actual == expected, what << " of " << items << " items: expected " << expected << ", actual " << actual);
}

//! How far a floating-point sum of n items may be from the exact one: 2 * log2(n) * epsilon * sum of |x|.
template <class Real>
long double sum_bound(std::size_t items, long double magnitude)
{
  const long double levels = items < 2 ? 1.0L : std::log2(static_cast<long double>(items));
  return 2.0L * levels * std::numeric_limits<Real>::epsilon() * magnitude;
}

} // namespace compat

// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Comparisons that say what differs: type, size, first bad index, expected, actual.
#pragma once

#include "values.hpp"

#include <boost/core/demangle.hpp>
#include <boost/test/unit_test.hpp>

#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>
#include <sstream>
#include <string>
#include <typeinfo>
#include <vector>

namespace compat
{

template <class T>
std::string type_name()
{
  return boost::core::demangle(typeid(T).name());
}

//! A value for people: a number, or the bytes of anything else.
template <class T>
std::string describe(const T& value)
{
  std::ostringstream text;
  if constexpr (std::is_arithmetic<T>::value)
  {
    text.precision(std::numeric_limits<T>::max_digits10);
    text << +value;
  }
  else
  {
    unsigned char bytes[sizeof(T)];
    std::memcpy(bytes, static_cast<const void*>(&value), sizeof(T));
    for (std::size_t i = 0; i < sizeof(T) && i < 64; ++i)
    {
      char digits[4];
      std::snprintf(digits, sizeof digits, "%02x", bytes[i]);
      text << digits << (i % 4 == 3 ? " " : "");
    }
  }
  return text.str();
}

//! One assertion for a whole range.
template <class T, class Same>
bool check_range(const std::string& what, const std::vector<T>& expected, const std::vector<T>& actual, Same same)
{
  bool equal = expected.size() == actual.size();
  std::ostringstream message;
  if (!equal)
  {
    message << what << " of " << type_name<T>() << ": expected " << expected.size() << " items, actual " << actual.size();
  }
  std::size_t bad = 0, first = 0;
  for (std::size_t i = 0; equal && i < expected.size(); ++i)
  {
    if (!same(expected[i], actual[i]))
    {
      first = bad++ == 0 ? i : first;
    }
  }
  if (bad != 0)
  {
    message << what << " of " << type_name<T>() << ", " << expected.size() << " items: " << bad
            << " differ, the first at index " << first << ": expected " << describe(expected[first]) << ", actual "
            << describe(actual[first]);
    equal = false;
  }
  BOOST_CHECK_MESSAGE(equal, message.str());
  return equal;
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
  BOOST_CHECK_MESSAGE(equal, what << " of " << type_name<T>() << ", " << items << " items: expected " << describe(expected)
                                  << ", actual " << describe(actual));
  return equal;
}
template <class T>
bool check_result_bitwise(const std::string& what, std::size_t items, const T& expected, const T& actual)
{
  const bool equal = std::memcmp(&expected, &actual, sizeof(T)) == 0;
  BOOST_CHECK_MESSAGE(equal, what << " of " << type_name<T>() << ", " << items << " items, bit for bit: expected "
                                  << describe(expected) << ", actual " << describe(actual));
  return equal;
}

//! How far a floating-point sum of n items may be from the exact one: 2 * log2(n) * epsilon * sum of |x|.
template <class Real>
long double sum_bound(std::size_t items, long double magnitude)
{
  const long double levels = items < 2 ? 1.0L : std::log2(static_cast<long double>(items));
  return 2.0L * levels * std::numeric_limits<Real>::epsilon() * magnitude;
}

} // namespace compat

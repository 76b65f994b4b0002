// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
#include "framework.hpp"

#include <boost/core/demangle.hpp>

#include <cstdio>
#include <sstream>

namespace compat
{

void checkpoint(const char* file, std::size_t line, void (*write)(std::ostream&))
{
  std::ostringstream text;
  write(text);
  boost::unit_test::unit_test_log.set_checkpoint(file, line, text.str());
}

void run_with_seed(std::uint64_t seed, void (*body)(void*), void* state)
{
  BOOST_TEST_CONTEXT("seed " << seed)
  {
    body(state);
  }
}

std::string demangled(const std::type_info& type)
{
  return boost::core::demangle(type.name());
}

std::string describe_integer(long long value)
{
  return std::to_string(value);
}

std::string describe_integer(unsigned long long value)
{
  return std::to_string(value);
}

std::string describe_real(long double value, int digits)
{
  std::ostringstream text;
  text.precision(digits);
  text << value;
  return text.str();
}

std::string describe_bytes(const void* value, std::size_t bytes)
{
  std::string text;
  for (std::size_t i = 0; i < bytes && i < 64; ++i)
  {
    char digits[4];
    std::snprintf(digits, sizeof digits, "%02x", static_cast<const unsigned char*>(value)[i]);
    text += digits;
    text += i % 4 == 3 ? " " : "";
  }
  return text;
}

bool check_comparison(const std::string& what, const std::type_info& type, const range_comparison& found)
{
  const bool same_size = found.expected_items == found.actual_items;
  std::ostringstream message;
  if (!same_size)
  {
    message << what << " of " << demangled(type) << ": expected " << found.expected_items << " items, actual "
            << found.actual_items;
  }
  else if (found.differing != 0)
  {
    message << what << " of " << demangled(type) << ", " << found.expected_items << " items: " << found.differing
            << " differ, the first at index " << found.first << ": expected " << found.expected << ", actual "
            << found.actual;
  }
  const bool equal = same_size && found.differing == 0;
  BOOST_CHECK_MESSAGE(equal, message.str());
  return equal;
}

bool check_value(const std::string& what, const std::type_info& type, std::size_t items, bool equal, const char* how,
                 const std::string& expected, const std::string& actual)
{
  std::ostringstream message;
  if (!equal)
  {
    message << what << " of " << demangled(type) << ", " << items << " items" << how << ": expected " << expected
            << ", actual " << actual;
  }
  BOOST_CHECK_MESSAGE(equal, message.str());
  return equal;
}

} // namespace compat

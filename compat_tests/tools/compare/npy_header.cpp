// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
#include "npy.hpp"

#include <boost/test/unit_test.hpp>

#include <string>

namespace
{

// A header as numpy writes it: magic, version, length, dictionary.
std::string header_of(const std::string& dictionary, char version = 1)
{
  std::string made("\x93NUMPY", 6);
  made += version;
  made += '\0';
  for (std::size_t i = 0; i < (version == 1 ? 2u : 4u); ++i)
  {
    made += static_cast<char>(dictionary.size() >> (8 * i) & 255);
  }
  return made + dictionary;
}

std::string dictionary_of(const std::string& descr, const std::string& shape, const std::string& order = "False")
{
  return "{'descr': " + descr + ", 'fortran_order': " + order + ", 'shape': " + shape + ", }      \n";
}

std::string message_of(const std::string& header)
{
  try
  {
    compare::parse_npy_header(header);
  }
  catch (const compare::input_error& error)
  {
    return error.what();
  }
  return "accepted";
}

bool says(const std::string& header, const std::string& part)
{
  const std::string message = message_of(header);
  BOOST_TEST_INFO(message);
  return message.find(part) != std::string::npos;
}

} // namespace

BOOST_AUTO_TEST_SUITE(npy_header)

BOOST_AUTO_TEST_CASE(type_order_and_shape_of_every_version_are_read)
{
  for (const char version : {1, 2, 3})
  {
    const compare::npy_header read = compare::parse_npy_header(header_of(dictionary_of("'<f4'", "(3, 5)", "True"), version));
    BOOST_TEST(read.kind == 'f');
    BOOST_TEST(read.size == 4u);
    BOOST_TEST(!read.swapped);
    BOOST_TEST(read.items == 15u);
  }
}

BOOST_AUTO_TEST_CASE(shapes_with_no_one_or_many_extents)
{
  BOOST_TEST(compare::parse_npy_header(header_of(dictionary_of("'|u1'", "()"))).items == 1u);
  BOOST_TEST(compare::parse_npy_header(header_of(dictionary_of("'|u1'", "(7,)"))).items == 7u);
  BOOST_TEST(compare::parse_npy_header(header_of(dictionary_of("'|u1'", "(7L,)"))).items == 7u);
  BOOST_TEST(compare::parse_npy_header(header_of(dictionary_of("'|u1'", "(2, 0, 3)"))).items == 0u);
}

BOOST_AUTO_TEST_CASE(big_endian_items_are_marked_as_swapped)
{
  BOOST_TEST(compare::parse_npy_header(header_of(dictionary_of("'>i8'", "(1,)"))).swapped);
  BOOST_TEST(!compare::parse_npy_header(header_of(dictionary_of("'|b1'", "(1,)"))).swapped);
}

BOOST_AUTO_TEST_CASE(keys_may_come_in_any_order_and_either_quotes)
{
  const compare::npy_header read =
      compare::parse_npy_header(header_of("{\"shape\":(4,),\"fortran_order\":False,\"descr\":\"<i2\"}"));
  BOOST_TEST(read.items == 4u);
  BOOST_TEST(read.kind == 'i');
}

BOOST_AUTO_TEST_CASE(types_that_cannot_be_compared_are_named)
{
  for (const char* type : {"'<c8'", "'|S5'", "'<U3'", "'|O'", "'<M8[ns]'", "'<f16'", "'<i3'", "'|f1'", "'f4'", "''"})
  {
    BOOST_TEST(says(header_of(dictionary_of(type, "(4,)")), "is not supported"), type);
  }
  BOOST_TEST(says(header_of(dictionary_of("[('x', '<i4'), ('y', '<f4')]", "(4,)")), "structured"));
}

BOOST_AUTO_TEST_CASE(damage_is_reported)
{
  const std::string whole = header_of(dictionary_of("'<f4'", "(3,)"));
  for (std::size_t size = 12; size < whole.size(); ++size)
  {
    BOOST_TEST(says(whole.substr(0, size), "truncated"));
  }
  BOOST_TEST(says("\x93NUMPY", "truncated"));
  BOOST_TEST(says("something else", "not a .npy"));
  BOOST_TEST(says(header_of("{'descr': '<f4', 'shape': (3,)}"), "missing"));
  BOOST_TEST(says(header_of("{'descr': '<f4', 'other': 3}"), "unknown key"));
  BOOST_TEST(says(header_of("{'descr': '<f4'"), "does not end"));
  BOOST_TEST(says(header_of("no dictionary at all"), "no dictionary"));
  BOOST_TEST(says(header_of(dictionary_of("'<f4'", "(-3,)")), "something else than numbers"));
  BOOST_TEST(says(header_of(dictionary_of("'<f4'", "(3 5)")), "does not end"));
  BOOST_TEST(says(header_of(dictionary_of("'<f4'", "(99999999999, 99999999999)")), "too large"));
  BOOST_TEST(says(header_of(dictionary_of("'<f4'", "(99999999999999999999999,)")), "too large"));
  std::string version_9 = whole;
  version_9[6] = 9;
  BOOST_TEST(says(version_9, "version 9"));
}

BOOST_AUTO_TEST_SUITE_END()

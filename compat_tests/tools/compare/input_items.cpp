// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
#include "input.hpp"

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

namespace
{

using compare::element;
using compare::operation;

template <class T>
compare::source raw_source(const std::vector<T>& values)
{
  compare::source made;
  made.name = "raw";
  made.data = compare::host_bytes(values.size() * sizeof(T));
  std::memcpy(made.data.data(), values.data(), made.data.size());
  made.total_bytes = made.data.size();
  return made;
}

template <class T>
compare::source npy_source(const std::vector<T>& values, char kind, std::size_t size, bool swapped = false)
{
  compare::source made = raw_source(values);
  made.npy = compare::npy_header{kind, size, swapped, values.size()};
  return made;
}

template <class T>
std::vector<T> values_of(const compare::items& made)
{
  BOOST_TEST_REQUIRE(made.values.size() == made.count * sizeof(T));
  return {made.values.as<T>(), made.values.as<T>() + made.count};
}

bool notes_say(const compare::items& made, const std::string& part)
{
  for (const std::string& note : made.notes)
  {
    if (note.find(part) != std::string::npos)
    {
      return true;
    }
  }
  return false;
}

constexpr std::size_t all = 1000000;

} // namespace

BOOST_AUTO_TEST_SUITE(input_items)

BOOST_AUTO_TEST_CASE(raw_integers_are_the_bytes_themselves)
{
  const std::vector<std::int32_t> bytes{1, -2, std::numeric_limits<std::int32_t>::min()};
  const compare::items made = compare::make_items(raw_source(bytes), element::i32, operation::plus, all);
  BOOST_TEST(values_of<std::int32_t>(made) == bytes);
  BOOST_TEST(made.notes.empty());
}

BOOST_AUTO_TEST_CASE(raw_factors_are_odd)
{
  const compare::items made =
      compare::make_items(raw_source(std::vector<std::uint8_t>{0, 1, 2, 255}), element::u8, operation::multiplies, all);
  BOOST_TEST(values_of<std::uint8_t>(made) == (std::vector<std::uint8_t>{1, 1, 3, 255}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(raw_floats_lie_in_minus_one_to_one_and_zero_stays_zero)
{
  const auto check = [](auto zero, element type, auto bits_of_ends)
  {
    using T = decltype(zero);
    const std::vector<T> values = values_of<T>(compare::make_items(raw_source(bits_of_ends), type, operation::plus, all));
    BOOST_TEST(values[0] == 0);
    BOOST_TEST(values[1] == -1);
    BOOST_TEST(values[2] < 1);
    BOOST_TEST(values[2] == 1 - std::numeric_limits<T>::epsilon());
  };
  check(0.0f, element::f32, std::vector<std::uint32_t>{0, 0x80000000u, 0x7fffffffu});
  check(0.0, element::f64, std::vector<std::uint64_t>{0, 0x8000000000000000u, 0x7fffffffffffffffu});
}

BOOST_AUTO_TEST_CASE(no_product_of_raw_factors_is_far_from_one_in_any_order)
{
  // The bytes of a text, of nothing, and of noise; products of all items, of the odd and of the even ones.
  for (const std::uint32_t pattern : {0x20656874u, 0u, 0xffffffffu})
  {
    const std::vector<std::uint32_t> bits(100000, pattern);
    const compare::items made = compare::make_items(raw_source(bits), element::f32, operation::multiplies, all);
    long double products[2]{1, 1};
    std::size_t at = 0;
    for (const float factor : values_of<float>(made))
    {
      products[at++ % 2] *= factor;
      for (const long double product : products)
      {
        BOOST_TEST_REQUIRE((product > 1e-9 && product < 1e9));
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(npy_items_keep_their_values_in_either_byte_order)
{
  const compare::items big = compare::make_items(npy_source(std::vector<std::uint16_t>{0x0100, 0xfeff}, 'i', 2, true),
                                                 element::i16, operation::plus, all);
  BOOST_TEST(values_of<std::int16_t>(big) == (std::vector<std::int16_t>{1, -2}), boost::test_tools::per_element());
  const compare::items factors =
      compare::make_items(npy_source(std::vector<std::uint16_t>{2, 4}, 'u', 2), element::u16, operation::multiplies, all);
  BOOST_TEST(values_of<std::uint16_t>(factors) == (std::vector<std::uint16_t>{2, 4}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(npy_items_become_another_type_by_value)
{
  const compare::source doubles = npy_source(std::vector<double>{1.5, -2.5, 300, -1e300}, 'f', 8);
  const compare::items bytes = compare::make_items(doubles, element::i8, operation::plus, all);
  BOOST_TEST(values_of<std::int8_t>(bytes) == (std::vector<std::int8_t>{1, -2, 127, -128}),
             boost::test_tools::per_element());
  BOOST_TEST(notes_say(bytes, "2 items out of the type's range"));
  const compare::items floats = compare::make_items(doubles, element::f32, operation::max, all);
  BOOST_TEST(values_of<float>(floats)[3] == std::numeric_limits<float>::lowest());
  const compare::items wrapped =
      compare::make_items(npy_source(std::vector<std::int32_t>{257, -1}, 'i', 4), element::u8, operation::plus, all);
  BOOST_TEST(values_of<std::uint8_t>(wrapped) == (std::vector<std::uint8_t>{1, 255}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(half_floats_and_bools_are_widened)
{
  const compare::source halves =
      npy_source(std::vector<std::uint16_t>{0x3c00, 0xc000, 0x0001, 0x7bff, 0x7c00, 0x7e00}, 'f', 2);
  BOOST_TEST((compare::own_type(*halves.npy) == element::f32));
  const compare::items made = compare::make_items(halves, element::f32, operation::plus, all);
  BOOST_TEST(values_of<float>(made) == (std::vector<float>{1, -2, std::ldexp(1.0f, -24), 65504, 0, 0}),
             boost::test_tools::per_element());
  BOOST_TEST(notes_say(made, "2 non-finite items"));
  BOOST_TEST((compare::own_type(compare::npy_header{'b', 1, false, 1}) == element::u8));
}

BOOST_AUTO_TEST_CASE(items_that_are_not_finite_become_zero_and_are_counted)
{
  constexpr float infinity = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
  const compare::items made = compare::make_items(npy_source(std::vector<float>{1, infinity, -infinity, nan, 2}, 'f', 4),
                                                  element::f32, operation::plus, all);
  BOOST_TEST(values_of<float>(made) == (std::vector<float>{1, 0, 0, 0, 2}), boost::test_tools::per_element());
  BOOST_TEST(notes_say(made, "3 non-finite items replaced by zero"));
}

BOOST_AUTO_TEST_CASE(sums_and_products_that_leave_the_range_are_brought_back_and_said)
{
  constexpr float top = std::numeric_limits<float>::max();
  const compare::items sum =
      compare::make_items(npy_source(std::vector<float>{top, top, -top, 1}, 'f', 4), element::f32, operation::plus, all);
  long double total = 0;
  for (const float each : values_of<float>(sum))
  {
    total += std::abs(each);
  }
  BOOST_TEST((total <= top / 2));
  BOOST_TEST(notes_say(sum, "scaled by 2^-"));
  const compare::items product =
      compare::make_items(npy_source(std::vector<float>(100, 1e6f), 'f', 4), element::f32, operation::multiplies, all);
  BOOST_TEST(notes_say(product, "factors replaced"));
  const compare::items maximum =
      compare::make_items(npy_source(std::vector<float>{top, top}, 'f', 4), element::f32, operation::max, all);
  BOOST_TEST(values_of<float>(maximum)[0] == top);
}

BOOST_AUTO_TEST_CASE(what_is_left_out_is_said)
{
  const std::vector<std::uint8_t> bytes(11);
  BOOST_TEST(notes_say(compare::make_items(raw_source(bytes), element::i32, operation::plus, all), "3 bytes left over"));
  BOOST_TEST(notes_say(compare::make_items(raw_source(bytes), element::u8, operation::plus, 4), "the first 4 of 11 items"));
  BOOST_CHECK_THROW(compare::make_items(raw_source(std::vector<std::uint8_t>(3)), element::i32, operation::plus, all),
                    compare::input_error);
}

BOOST_AUTO_TEST_CASE(a_seed_gives_the_same_bytes_and_another_seed_others)
{
  const auto bytes = [](std::uint64_t seed, std::size_t count)
  {
    const compare::source made = compare::random_source(seed, count);
    return std::vector<std::byte>(made.data.data(), made.data.data() + count);
  };
  const bool same = bytes(1, 1001) == bytes(1, 1001), other = bytes(1, 1001) != bytes(2, 1001);
  BOOST_TEST(same);
  BOOST_TEST(other);
  const auto longer = bytes(1, 2000), shorter = bytes(1, 1001);
  const bool is_beginning = std::equal(shorter.begin(), shorter.end(), longer.begin());
  BOOST_TEST(is_beginning);
}

BOOST_AUTO_TEST_SUITE_END()

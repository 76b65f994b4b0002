// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! What one thread of an exact sum holds, with as many numbers as it may take, and what all blocks of a GPU's then add up
//! to. Sums of the emulator pass carries on earlier, and have few blocks.

#include "../support/calls.hpp"
#include "../support/exact.hpp"

#include <reheat/detail/exact/column.cuh>
#include <reheat/detail/exact/dispatch.cuh>
#include <reheat/detail/exact/tuning.cuh>

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cmath>
#include <limits>
#include <random>

using namespace compat;

BOOST_AUTO_TEST_SUITE(exact_columns)

namespace
{

//! The rounded sum of what a column of one thread holds.
template <class T, class Column>
T rounded(Column& column, const std::vector<typename Column::word>& words)
{
  namespace detail = reheat::detail;
  column.finish();
  detail::exact_total<T> total;
  detail::make_total(
      column, [&](unsigned row) { return words[row]; }, total);
  return detail::round_exactly(total, {0, detail::exact_layout<T>::chunks});
}

//! Sums of `count` times the number with these bits, which is not special, and of its opposite and one number more.
template <class Number, class T, bool MultiplyAdds>
void check_number(const char* type, typename Number::bits_type magnitude, unsigned count)
{
  using column_type = reheat::detail::exact_column<T, 1, 0xffffffffu, MultiplyAdds>;
  for (const typename Number::bits_type sign : {typename Number::bits_type(0), Number::sign})
  {
    std::vector<typename column_type::word> words(column_type::rows);
    column_type column(words.data());
    column.clear();
    const T number = Number::of(magnitude | sign), tiny = Number::of(1);
    for (unsigned i = 0; i < count; ++i)
    {
      column.expect(1);
      column.add(number);
    }
    std::vector<T> items(count, number);
    BOOST_TEST(is_nearest_to_sum<Number>(items, rounded<T>(column, words)),
               type << ", " << count << " times " << (magnitude | sign));
    items.push_back(tiny);
    column.expect(1);
    column.add(tiny);
    BOOST_TEST(is_nearest_to_sum<Number>(items, rounded<T>(column, words)),
               type << ", " << count << " times " << (magnitude | sign) << " and the smallest number");
  }
}

//! The sum of the largest grid on a GPU. Each thread of each block has added the number `count` times.
template <class Number, class T, bool MultiplyAdds>
void check_blocks(const char* type, typename Number::bits_type magnitude, unsigned count)
{
  namespace detail = reheat::detail;
  using column_type = detail::exact_column<T, 1, 0xffffffffu, MultiplyAdds>;
  constexpr detail::exact_config cfg = detail::exact_tuning<T>{}(900);
  for (const typename Number::bits_type sign : {typename Number::bits_type(0), Number::sign})
  {
    std::vector<typename column_type::word> words(column_type::rows);
    column_type column(words.data());
    column.clear();
    const T number = Number::of(magnitude | sign);
    for (unsigned i = 0; i < count; ++i)
    {
      column.expect(1);
      column.add(number);
    }
    column.finish();
    const auto rows = [&](unsigned j)
    {
      detail::row_sum sum;
      for (unsigned thread = 0; thread < cfg.block_threads; ++thread)
      {
        column_type::add_word(words[j], sum);
      }
      return sum;
    };
    detail::exact_total<T> total{};
    for (unsigned k = 0; k < detail::exact_layout<T>::chunks; ++k)
    {
      const std::int64_t of_block = detail::chunk_of_rows<T, column_type>(k, rows);
      for (unsigned block = 0; block < cfg.max_blocks; ++block)
      {
        total.chunk[k] += of_block;
      }
    }
    const std::int64_t numbers = std::int64_t{cfg.max_blocks} * cfg.block_threads * count;
    wide_integer<Number> twice;
    twice.add(Number::bits(number), 2 * numbers);
    BOOST_TEST(is_nearest_to_half_of<Number>(twice, detail::round_exactly(total, {0, detail::exact_layout<T>::chunks})),
               type << ", " << numbers << " times " << (magnitude | sign));
  }
}

//! Numbers of some exponents whose significands have all bits, or one.
template <class Number, class T, bool MultiplyAdds = false>
void check_room(const char* type)
{
  constexpr unsigned room = reheat::detail::exact_column<T, 1, 0xffffffffu, MultiplyAdds>::room;
  constexpr std::uint64_t one = std::uint64_t{1} << (Number::digits - 1);
  constexpr std::uint64_t exponents = Number::infinity / one;
  // Around the ends of windows and chunks, the largest of windows that begin in either half of a chunk, and the largest.
  for (const std::uint64_t exponent :
       {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{7}, std::uint64_t{15}, std::uint64_t{16}, 47 % exponents,
        63 % exponents, exponents / 2, 239 % exponents, exponents - 2, exponents - 1})
  {
    const auto all_bits = static_cast<typename Number::bits_type>(exponent * one + one - 1);
    check_number<Number, T, MultiplyAdds>(type, all_bits, room);
    check_blocks<Number, T, MultiplyAdds>(type, all_bits, room);
    check_number<Number, T, MultiplyAdds>(type, static_cast<typename Number::bits_type>(exponent * one + 1), 3 * room + 7);
  }
}

struct operations_on_bits
{
  constexpr reheat::detail::exact_config operator()(int arch) const
  {
    reheat::detail::exact_config cfg = reheat::detail::exact_tuning<double>{}(arch);
    cfg.multiply_adds = false;
    return arch == reheat::detail::emulated_arch ? cfg : reheat::detail::exact_tuning<double>{}(arch);
  }
};
double sum_by_operations_on_bits(const std::vector<double>& items)
{
  namespace detail = reheat::detail;
  double sum = 0;
  detail::enqueue_exact_sum<double, operations_on_bits>(environment_on(nullptr, "exact sum"),
                                                        reheat::algorithms::terms_of_items(items.data()), items.size(),
                                                        detail::init_value<double>{0.0}, &sum);
  return sum;
}

} // namespace

BOOST_AUTO_TEST_CASE(words_of_floats_take_what_they_have_room_for)
{
  check_room<ieee_number<float, 24>, float>("float");
}
BOOST_AUTO_TEST_CASE(words_of_doubles_take_what_they_have_room_for)
{
  check_room<ieee_number<double, 53>, double>("double");
  check_room<ieee_number<double, 53>, double, true>("double, by multiply-adds");
}
//! As on a GPU that has few units for doubles. The emulator's row of exact_tuning divides them by multiply-adds.
BOOST_AUTO_TEST_CASE(sums_of_doubles_by_operations_on_bits_are_the_nearest)
{
  using number = ieee_number<double, 53>;
  static_assert(reheat::detail::exact_tuning<double>{}(reheat::detail::emulated_arch).multiply_adds);
  std::mt19937_64 random(31);
  for (const std::size_t size : {1, 2, 255, 512, 513, 1025, 12000})
  {
    for (const bool of_all_exponents : {false, true})
    {
      std::vector<double> items;
      while (items.size() < size)
      {
        const std::uint64_t bits = random(), fraction = bits & ((std::uint64_t{1} << 52) - 1);
        const double item =
            number::of(of_all_exponents ? bits : (bits & number::sign) | std::uint64_t{1000} << 52 | fraction);
        if (std::isfinite(item))
        {
          items.push_back(item);
        }
      }
      BOOST_TEST(is_nearest_to_sum<number>(items, sum_by_operations_on_bits(items)), size << " items");
      items[size / 2] = -std::numeric_limits<double>::infinity();
      BOOST_TEST(sum_by_operations_on_bits(items) == items[size / 2], size << " items, one is infinite");
    }
  }
}
BOOST_AUTO_TEST_CASE(words_of_halves_take_what_they_have_room_for)
{
  check_room<ieee_number<__half, 11>, __half>("half");
}
BOOST_AUTO_TEST_CASE(words_of_bfloat16s_take_what_they_have_room_for)
{
  check_room<ieee_number<__nv_bfloat16, 8>, __nv_bfloat16>("bfloat16");
}

BOOST_AUTO_TEST_SUITE_END()

// SPDX-FileCopyrightText: Copyright (c) 2026 the reheat authors
// SPDX-License-Identifier: Apache-2.0
//! @file
//! Comparisons with NaN are no order, so neither Thrust nor we promise what they give. What both give is printed, in every
//! run; tested is what we do promise: an item of the range or the initial value, and the same in every run.

#include "../support/calls.hpp"

#include <thrust/extrema.h>
#include <thrust/functional.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>

using namespace compat;

BOOST_AUTO_TEST_SUITE(family)
BOOST_AUTO_TEST_SUITE(nan)

namespace
{

//! Several tiles or blocks of every kernel.
inline constexpr std::size_t size = emulated ? 3000 : 300000;

//! A NaN somewhere among numbers.
struct placed_nan
{
  const char* name;
  std::size_t at;
  bool negative;
};
inline constexpr std::array<placed_nan, 6> all_placed{{{"first", 0, false},
                                                       {"middle", size / 2, false},
                                                       {"last", size - 1, false},
                                                       {"-first", 0, true},
                                                       {"-middle", size / 2, true},
                                                       {"-last", size - 1, true}}};

std::vector<float> make_floats(const placed_nan& nan)
{
  std::vector<float> items = make_items<float>(size);
  const float value = std::numeric_limits<float>::quiet_NaN();
  items[nan.at] = nan.negative ? -value : value;
  return items;
}

//! One row of the table: what `call(policy, in, out)` gives for each input, as a text. The call's results are the same in
//! every run, and `is_possible` for the input.
template <class Call, class Possible>
void report(const char* name, Call call, Possible is_possible)
{
  std::string row;
  for (const placed_nan& nan : all_placed)
  {
    const std::vector<float> items = make_floats(nan);
    const thrust::device_vector<float> in = to_device(items);
    thrust::device_vector<float> out(size);
    std::string ours;
    bool came = false;
    for_each_seed(5,
                  [&]
                  {
                    const auto result = call(reheat::par, in, out);
                    const std::string text = describe(result);
                    BOOST_TEST((!came || text == ours), name << ", NaN " << nan.name << ": " << text << " after " << ours);
                    BOOST_TEST(is_possible(items, result), name << ", NaN " << nan.name << ": " << text);
                    ours = text;
                    came = true;
                  });
    const std::string theirs = describe(call(upstream, in, out));
    const std::string both = ours + (ours == theirs ? " = " : " / ") + theirs;
    row += std::string(both.size() < 14 ? 15 - both.size() : 1, ' ') + both;
  }
  std::printf("%-32s%s\n", name, row.c_str());
}

bool is_place(const std::vector<float>& items, std::ptrdiff_t place)
{
  return place >= 0 && place < static_cast<std::ptrdiff_t>(items.size());
}
//! An item; of NaN the sign and the payload may be any.
bool is_item(const std::vector<float>& items, float value)
{
  return std::any_of(items.begin(), items.end(),
                     [&](float item) { return item == value || (std::isnan(item) && std::isnan(value)); });
}

} // namespace

BOOST_AUTO_TEST_CASE(what_comes_of_nan_is_told_next_to_what_thrust_gives)
{
  std::printf("one NaN among %zu floats, ours and Thrust's on %s; equal (=) or not (/)\n%-32s", size, machine_name, "");
  for (const placed_nan& nan : all_placed)
  {
    std::printf(" %14s", nan.name);
  }
  std::printf("\n");
  report(
      "min_element",
      [](const auto& policy, const auto& in, auto&)
      { return std::ptrdiff_t{thrust::min_element(policy, in.begin(), in.end()) - in.begin()}; },
      is_place);
  report(
      "max_element",
      [](const auto& policy, const auto& in, auto&)
      { return std::ptrdiff_t{thrust::max_element(policy, in.begin(), in.end()) - in.begin()}; },
      is_place);
  report(
      "minmax_element, smallest",
      [](const auto& policy, const auto& in, auto&)
      { return std::ptrdiff_t{thrust::minmax_element(policy, in.begin(), in.end()).first - in.begin()}; },
      is_place);
  report(
      "minmax_element, largest",
      [](const auto& policy, const auto& in, auto&)
      { return std::ptrdiff_t{thrust::minmax_element(policy, in.begin(), in.end()).second - in.begin()}; },
      is_place);
  const float infinity = std::numeric_limits<float>::infinity();
  const auto is_item_or_init = [&](const std::vector<float>& items, float value)
  { return is_item(items, value) || value == infinity || value == -infinity; };
  report(
      "reduce, minimum",
      [&](const auto& policy, const auto& in, auto&)
      { return thrust::reduce(policy, in.begin(), in.end(), infinity, thrust::minimum<float>()); },
      is_item_or_init);
  report(
      "reduce, maximum",
      [&](const auto& policy, const auto& in, auto&)
      { return thrust::reduce(policy, in.begin(), in.end(), -infinity, thrust::maximum<float>()); },
      is_item_or_init);
  report(
      "inclusive_scan, maximum, last",
      [](const auto& policy, const auto& in, auto& out)
      {
        thrust::inclusive_scan(policy, in.begin(), in.end(), out.begin(), thrust::maximum<float>());
        return to_host(out, out.size() - 1, 1)[0];
      },
      is_item);
  report(
      "inclusive_scan, maximum, NaNs",
      [](const auto& policy, const auto& in, auto& out)
      {
        thrust::inclusive_scan(policy, in.begin(), in.end(), out.begin(), thrust::maximum<float>());
        const std::vector<float> scanned = to_host(out);
        return std::ptrdiff_t{std::count_if(scanned.begin(), scanned.end(), [](float x) { return std::isnan(x); })};
      },
      [](const std::vector<float>& items, std::ptrdiff_t count)
      { return count >= 0 && count <= static_cast<std::ptrdiff_t>(items.size()); });
  std::fflush(stdout);
}

BOOST_AUTO_TEST_SUITE_END()
BOOST_AUTO_TEST_SUITE_END()
